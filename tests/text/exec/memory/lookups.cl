// Tables of up to 256 bytes, whose elements are picked by permutations: wherever the table lies in its
// buffer, in memory of the group, in constants; with channels off; and where an index leaves the buffer,
// though a table would not, or the table does, and no index. Devices without sums of qwords pick from
// constants as well.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'cd %t && for d in pvc skl dg2 tgllp; do ocloc compile -q -file %s -device $d --format zebin -output k.$d -output_no_suffix -options "-cl-std=CL2.0" -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: sh -c 'cd %t && for k in bytes four digits words dwords behind before constants longer group chained written some sums far; do for g in "-g 333 -l 37" "-g 320 -l 64"; do for d in pvc skl dg2; do for w in interp "jit --cpu avx2" "jit --cpu avx512" jit; do %visage run k.$d $k --engine $w --no-cache --jobs 1 $g -a buf:u8:4096:rand=7 -a buf:u8:256:rand=3 -a buf:u32:2048:zero:out=out.$d.$(echo $w | tr -d " .-") || exit 1; done; for w in jitcpuavx2 jitcpuavx512 jit; do cmp out.$d.interp out.$d.$w || { echo $d $k; exit 1; }; done; done; cmp out.pvc.interp out.skl.interp && cmp out.pvc.interp out.dg2.interp || { echo $k; exit 1; }; done; done'
// RUN: sh -c 'cd %t && for d in pvc skl dg2; do for w in interp jit; do %status 3 %visage run k.$d outside --engine $w --no-cache --jobs 1 -g 320 -l 64 -a buf:u8:4096:rand=7 -a buf:u8:256:rand=3 -a buf:u32:2048:zero 2>told.$w; done; grep -q "X010.*" told.interp && cmp told.interp told.jit || exit 1; done'
// RUN: sh -c 'cd %t; for d in pvc; do %visage compile k.$d dwords --cpu avx512 --no-comments | grep -q "vpermi2var.d.512" || echo $d dwords; %visage compile k.$d words --cpu avx512 --no-comments | grep -q "vpermi2var.hi.512" || echo $d words; done; for d in pvc dg2 tgllp; do %visage compile k.$d longer --cpu avx512 --no-comments | grep -q "permvar.si.512" || echo $d longer; done' | FileCheck %s --check-prefix=PICKED --allow-empty
// PICKED-NOT: {{.}}

#define ARGS global const uchar *in, global const uchar *table, global uint *out

kernel void bytes(ARGS)
{
    uint i = get_global_id(0);
    out[i] = table[in[i]];
}

kernel void four(ARGS)
{
    uint i = get_global_id(0);
    uchar4 v = vload4(i, in);
    vstore4((uchar4)(table[v.x], table[v.y >> 1], table[v.z & 0x7f], table[v.w & 0x3f]), i,
            (global uchar *)out);
}

kernel void digits(ARGS)
{
    uint i = get_global_id(0);
    global uchar *text = (global uchar *)out;
    text[2 * i] = "0123456789abcdef"[in[i] >> 4];
    text[2 * i + 1] = "0123456789abcdef"[in[i] & 15];
}

kernel void words(ARGS)
{
    uint i = get_global_id(0);
    global const ushort *words = (global const ushort *)table;
    out[i] = words[in[i] & 63] + words[in[i + 333] >> 1] + words[in[i] & 31];
}

kernel void dwords(ARGS)
{
    uint i = get_global_id(0);
    global const uint *dwords = (global const uint *)table;
    out[i] = dwords[in[i] & 31] ^ dwords[in[i + 333] >> 2] ^ dwords[in[i] & 7];
}

// The table ends behind the buffer; indices do not.
kernel void behind(ARGS)
{
    uint i = get_global_id(0);
    global const uchar *late = table + 200;
    out[i] = late[in[i] % 56] + late[min(in[i] & 127, 55)];
}

// It begins before the buffer.
kernel void before(ARGS)
{
    uint i = get_global_id(0);
    global const uchar *early = table - 96;
    out[i] = early[(in[i] & 127) | 96] + early[in[i] | 128];
}

constant uchar primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};

kernel void constants(ARGS)
{
    uint i = get_global_id(0);
    out[i] = primes[in[i] & 15] * primes[in[i] >> 4];
}

constant uint powers[] = {1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683, 59049, 177147, 531441,
                          1594323, 4782969, 14348907};

kernel void longer(ARGS)
{
    uint i = get_global_id(0);
    out[i] = powers[in[i] & 15] + powers[in[i + 333] >> 4];
}

kernel void group(ARGS)
{
    uint i = get_global_id(0);
    local uchar own[256];
    for (uint k = get_local_id(0); k < 256; k += get_local_size(0))
        own[k] = table[k] ^ get_group_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = own[in[i]] + own[255 - (in[i + 1] & 3)];
}

kernel void chained(ARGS)
{
    uint i = get_global_id(0), c = i;
    for (uint k = 0; k < 9; k++) {
        c = table[(c ^ in[i + k]) & 255] ^ c >> 3;
        c = table[c & 15] + table[c >> 4 & 15] * 3;
    }
    out[i] = c;
}

// By the work-items themselves, between lookups.
kernel void written(ARGS)
{
    uint i = get_global_id(0);
    global uchar *own = (global uchar *)(out + 512);
    uint sum = 0;
    for (uint k = 0; k < 4; k++) {
        own[i % 4 * 16 + k] = 3 * k;
        sum += own[i % 4 * 16 + (in[i] & 3 & k)];
    }
    out[i] = sum;
}

kernel void some(ARGS)
{
    uint i = get_global_id(0), sum = 0;
    if (in[i] & 1)
        sum = table[in[i + 1]];
    for (uint k = 0; k < (in[i] & 7); k++)
        sum += table[in[i + k] & 63];
    out[i] = sum;
}

// Of several numbers, which together may be too many for a table.
kernel void sums(ARGS)
{
    uint i = get_global_id(0);
    size_t a = in[i] & 15, b = in[i + 1] & 63, c = in[i + 2] >> 1;
    out[i] = table[a + b] + table[a + c] * 3 + table[min(a + b + c, (size_t)255)];
}

// More than a table has.
kernel void far(ARGS)
{
    uint i = get_global_id(0);
    size_t a = in[i], b = in[i + 1] & 63, c = in[i + 2];
    out[i] = in[a + b] + in[a + c] * 3 + in[a * 2];
}

kernel void outside(ARGS)
{
    uint i = get_global_id(0);
    out[i] = table[i == 300 ? 256 + 4096 : in[i]] + (table + 100)[i > 310 ? in[i] : 0];
}
