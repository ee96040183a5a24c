// Trees that channels go through with stacks of their own, and loops with branches in them: each goes
// alone where that is found to be quicker, in whatever state a loop is then. What a node has is loaded
// together, of flat memory and of surfaces. Engines agree, on the number of instructions, too, and on
// which access is outside.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'cd %t && for d in pvc skl dg2; do ocloc compile -q -file %s -device $d --format zebin -output k.$d -output_no_suffix -options "-cl-std=CL2.0" -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: sh -c 'cd %t && for k in sums boxes paths deep two least found bytes; do for g in "-g 333 -l 37" "-g 1024 -l 64" "-g 17 -l 17"; do for d in pvc skl dg2; do for w in interp "jit --cpu avx2" jit; do n=$d.$(echo $w | tr -d " .-"); %visage run k.$d $k --engine $w --no-cache --jobs 1 $g -a buf:u32:16384:rand=7 -a buf:u32:2048:rand=3 -a buf:u32:4096:zero:out=out.$n --stats 2>stats.$n || exit 1; grep -o "instructions [0-9]*," stats.$n > count.$n; done; for w in jitcpuavx2 jit; do cmp out.$d.interp out.$d.$w && cmp count.$d.interp count.$d.$w || { echo $d $k $g $w; exit 1; }; done; done; cmp out.pvc.interp out.skl.interp && cmp out.pvc.interp out.dg2.interp || { echo $k $g; exit 1; }; done; done'
// RUN: sh -c 'cd %t && for d in pvc skl dg2; do for k in behind wrapped; do for w in interp jit; do %status 3 %visage run k.$d $k --engine $w --no-cache --jobs 1 -g 320 -l 64 -a buf:u32:16384:rand=7 -a buf:u32:2048:rand=3 -a buf:u32:4096:zero 2>told.$w; done; grep -q "X010.*" told.interp && cmp told.interp told.jit || { echo $d $k; exit 1; }; done; done'

#define ARGS global const uint *in, global const uint *small, global uint *out
#define NODES 4096

// Two children; some have none.
static uint2 children_of(global const uint *in, uint node)
{
    uint2 word = vload2(node, in);
    uint2 to = (uint2)(2 * node + 1, 2 * node + 2);

    to.x = word.x % 8 < 5 && to.x < NODES ? to.x : 0;
    to.y = word.y % 8 < 5 && to.y < NODES ? to.y : 0;
    return to;
}

kernel void sums(ARGS)
{
    uint i = get_global_id(0), stack[16], top = 0, sum = 0;

    stack[top++] = small[i] % 500;
    while (top > 0) {
        uint node = stack[--top];
        uint2 to = children_of(in, node);
        sum = sum * 31 + node;
        if (to.x)
            stack[top++] = to.x;
        if (to.y)
            stack[top++] = to.y;
    }
    out[i] = sum;
}

// Nodes of four numbers, of which not all are looked at in each round.
kernel void boxes(ARGS)
{
    uint i = get_global_id(0), stack[16], top = 0, hits = 0, key = small[i];

    stack[top++] = 0;
    while (top > 0) {
        uint node = stack[--top];
        uint4 box = vload4(node, in);
        if ((box.x ^ key) % 4 == 0 || node > 1000)
            continue;
        if (box.y % 3 == 0) {
            hits += box.z % 7;
            continue;
        }
        if (top < 14) {
            stack[top++] = 2 * node + 1;
            stack[top++] = 2 * node + 2 + box.w % 2;
        }
    }
    out[i] = hits;
}

// Down from the root, by what is there.
kernel void paths(ARGS)
{
    uint i = get_global_id(0), node = 0, sum = 0, key = small[i];

    while (node < NODES) {
        uint4 word = vload4(node, in);
        if (word.x > key) {
            sum += word.y;
            node = 2 * node + 1;
        } else if (word.z % 16 == 0) {
            sum ^= word.w;
            break;
        } else {
            sum += word.w >> 3;
            node = 2 * node + 2;
        }
        key = key * 1664525 + 1013904223;
    }
    out[i] = sum;
}

// More than registers have room for.
kernel void deep(ARGS)
{
    uint i = get_global_id(0), stack[200], top = 0, sum = 0;

    for (uint k = 0; k < 40 + small[i] % 50; k++)
        stack[top++] = (small[i] + k) % 1000;
    while (top > 0) {
        uint node = stack[--top];
        uint2 to = children_of(in, node);
        sum = rotate(sum, 3u) + node;
        if (to.x && top < 199)
            stack[top++] = to.x;
    }
    out[i] = sum;
}

// One loop behind the other.
kernel void two(ARGS)
{
    uint i = get_global_id(0), at = small[i] % NODES, n = 0;

    while (n < 40 && in[4 * at] % 8 != 0) {
        at = in[4 * at + 1] % NODES;
        if (at % 2)
            n += in[4 * at + 3] % 2;
        n++;
    }
    uint m = 0;
    while (m < n + small[i] % 20) {
        if (in[4 * ((at + m) % NODES)] & 1)
            at += in[m] % 16;
        else
            at ^= small[m % 64] % 32;
        m++;
    }
    out[i] = at * 64 + n;
}

kernel void least(ARGS)
{
    uint i = get_global_id(0), best = 0xffffffff, where = 0;

    for (uint k = small[i] % 64; k < 200 + small[i] % 100; k++) {
        uint word = in[(k * 37 + i) % 16384];
        if (word < best) {
            best = word;
            where = k;
            if (small[word % 2048] % 32 == 0)
                break;
        }
    }
    out[i] = best ^ where;
}

// Some never begin, all others leave by the same way.
kernel void found(ARGS)
{
    uint i = get_global_id(0), k = small[i] % 5 == 0 ? 300 : small[i] % 200, n = 0;

    while (k < 300) {
        uint2 word = vload2(k, in);
        if (word.x % 64 == small[i] % 64) {
            n = k;
            break;
        }
        n += word.y % 3 == 0;
        k++;
    }
    out[i] = n;
}

kernel void bytes(ARGS)
{
    global const uchar *text = (global const uchar *)in;
    uint i = get_global_id(0), at = small[i] % 60000, state = 0, n = 0;

    while (n < 100) {
        uchar4 c = vload4(0, text + at);
        if (state == 0 && c.x < 64)
            state = 1;
        else if (state == 1 && c.y > 128)
            state = c.z % 3;
        else if (c.w == 255)
            break;
        at = (at + 1 + c.x % 4) % 60000;
        n++;
    }
    out[i] = at * 4 + state;
}

// A node at the end of the buffer, of which some numbers are there.
kernel void behind(ARGS)
{
    uint i = get_global_id(0), stack[16], top = 0, sum = 0;

    stack[top++] = i == 250 ? 16383 : i;
    while (top > 0) {
        uint node = stack[--top];
        uint4 word = vload4(0, in + node);
        sum += word.x ^ word.w;
        if (word.y % 4 == 0 && top < 15 && node > 3)
            stack[top++] = node / 2;
        if (word.z % 4 == 0 && top < 15 && node > 3)
            stack[top++] = node / 3;
    }
    out[i] = sum;
}

// One before its beginning.
kernel void wrapped(ARGS)
{
    uint i = get_global_id(0), n = 0;
    int at = small[i] % 2000;

    while (n < 50) {
        uint4 word = vload4(0, in + at);
        if (word.x % 4)
            at = (int)(word.y % 2000) - (i == 200 && n == 20 ? 2002 : 0);
        else
            at = word.z % 2000;
        n++;
    }
    out[i] = at;
}
