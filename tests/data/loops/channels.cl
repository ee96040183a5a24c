// SPDX-License-Identifier: MIT
// Loops that gather and diverge, so that channels may run one after the other. All kernels take the arguments that
// those of loops.cl take. `in` has 2,048 numbers below 2,048; `out` has 4,096.
#define KERNEL(name) \
    __attribute__((intel_reqd_sub_group_size(SIZE))) \
    kernel void name(global uint *out, global uint *in, int n, int start, int step, long more)

/* The same wherever it is stored. */
KERNEL(marks)
{
    int l = get_global_id(0);
    int first = in[l & 1023] & 127, end = first + (int)(in[l + n] & 31);

    for (int i = first; i < end; i++) {
        uint v = in[start + i * 5];
        if (in[v] < 1000)
            out[v] = step;
    }
}

/* What ends rounds might be what they store, for all that the compiler knows; some channels are off. */
KERNEL(frontier)
{
    int l = get_global_id(0);

    if ((in[l] & 3) != 0)
        for (int i = in[l] & 63; i < (int)(in[l + 16] & 127); i++) {
            uint v = in[i + start + (l & 7) * step];
            if (in[v] < 1200)
                out[v] = n + 1;
        }
}

/* What is stored says what the next round loads. */
KERNEL(spreads)
{
    int l = get_global_id(0);
    int end = in[l + 16] & 63;

    for (int i = in[l] & 7; i < end; i++) {
        uint v = in[i + start];
        if (in[v] < 1200)
            in[i + start + 2] = 1998;
    }
}

/* From some round on `in + step` may be `out`. */
KERNEL(hops)
{
    int l = get_global_id(0);
    int first = in[l] & 31, end = in[l + 16] & 63;

    for (int i = first; i < end; i++) {
        uint v = in[i + (i >> 5) * step] & 1023;
        if (in[v] < in[v ^ 1])
            out[v] = 1;
    }
}

/* Stores leave their memory. */
KERNEL(strays)
{
    int l = get_global_id(0);
    int first = in[l] & 63, end = in[l + 16] & 127;

    for (int i = first; i < end; i++) {
        uint v = in[i + start];
        if (in[v] < in[v ^ 1])
            out[(int)v * step] = n;
    }
}

/* More places than are noted. */
KERNEL(crowds)
{
    int l = get_global_id(0);
    int first = in[l] & 63, end = in[l + 16] & step;

    for (int i = first; i < end; i++)
        out[in[in[i]] + start] = n;
}

/* More rounds than are noted. */
KERNEL(long_ways)
{
    int l = get_global_id(0);
    int end = in[l + 16];
    uint sum = 0;

    for (int i = in[l] & 1023; i < end; i++) {
        uint v = in[i];
        if (v & 1)
            sum += in[in[v]];
    }
    out[l] = sum;
}

/* Several ways through a round. */
KERNEL(ways)
{
    int l = get_global_id(0);
    int end = in[l + 16] & 127;
    uint sum = 0, last = 0;

    for (int i = in[l] & 31; i < end; i++) {
        uint v = in[start + i];
        if (v & 1)
            sum += in[in[v]];
        else
            last = v;
        if (v & 6)
            sum ^= in[in[in[v]]];
    }
    out[l] = sum;
    out[l + 2048] = last;
}

/* Ways that few rounds take, and one that leaves. */
KERNEL(breaks)
{
    int l = get_global_id(0);
    int end = in[l + 16] & 127;
    uint v = 0, last = 77;

    for (int i = in[l] & 31; i < end; i++) {
        v = in[start + i];
        if (in[v] > 1900)
            break;
        if (in[v ^ 1] < 30)
            last = i;
    }
    out[l] = last * 3 + v;
}

/* One that leaves, and none of the channels stores behind it. */
KERNEL(leaves)
{
    int l = get_global_id(0);
    int end = in[l + 16] & 127;

    for (int i = in[l] & 31; i < end; i++) {
        uint v = in[start + i];
        if (in[v] > 1900)
            break;
        out[v] = step;
    }
}

/* Beyond what is behind the loop. */
KERNEL(returns)
{
    int l = get_global_id(0);
    int end = in[l + 16] & 127;

    for (int i = in[l] & 31; i < end; i++) {
        uint v = in[start + i];
        if (in[v] > 1900)
            return;
        if (in[v] < 1000)
            out[v] = step;
    }
    out[l + 2048] = n;
}

/* What has been found is asked for where they leave, and nowhere else. */
KERNEL(finds)
{
    int l = get_global_id(0);
    int end = in[l + 16] & 127, found = -1;
    uint sum = 3;

    for (int i = in[l] & 31; i < end; i++) {
        int v = in[start + i];
        if (in[v] > 1900) {
            found = v;
            break;
        }
        sum += in[v ^ 1];
    }
    out[l] = found;
    out[l + 2048] = sum;
}

/* To two places. */
KERNEL(exits)
{
    int l = get_global_id(0);
    int end = in[l + 16] & 127;
    uint v = 0, sum = 3;

    for (int i = in[l] & 31; i < end; i++) {
        v = in[in[start + i]];
        if (in[v] > 1900)
            return;
        if (in[v ^ 1] < 100)
            break;
        sum ^= in[v ^ 2];
    }
    out[l] = v + sum;
}

KERNEL(bytes)
{
    int l = get_global_id(0);
    int end = in[l + 16] & 127;
    global uchar *marks = (global uchar *)out;

    for (int i = in[l] & 31; i < end; i++) {
        uint v = in[start + i];
        if (in[v] < in[v ^ 1])
            marks[v * 4 + 1] = (uchar)step;
    }
}

KERNEL(shorts)
{
    int l = get_global_id(0);
    int end = in[l + 16] & 127;
    global ushort *marks = (global ushort *)out;

    for (int i = in[l] & 31; i < end; i++) {
        uint v = in[start + i];
        if (in[v] < in[v ^ 1])
            marks[v] = (ushort)more;
    }
}

/* What they store differs: the last one stays. */
KERNEL(varied)
{
    int l = get_global_id(0);
    int end = in[l + 16] & 127;

    for (int i = in[l] & 31; i < end; i++) {
        uint v = in[start + i];
        if (in[v] < in[v ^ 1])
            out[v & 255] = i;
    }
}

/* So do these, all of them loaded. */
KERNEL(copies)
{
    int l = get_global_id(0);
    int end = in[l + 16] & 127;

    for (int i = in[l] & 31; i < end; i++) {
        uint v = in[start + i];
        if (v < 1000)
            out[v & 255] = in[v ^ 1];
    }
}

/* Two stores, of two numbers. */
KERNEL(both)
{
    int l = get_global_id(0);
    int end = in[l + 16] & 127;

    for (int i = in[l] & 31; i < end; i++) {
        uint v = in[in[start + i]];
        out[v] = step;
        if (in[v] < in[v ^ 1])
            out[v ^ 3] = n;
    }
}

/* What they store was loaded just before. */
KERNEL(loaded)
{
    int l = get_global_id(0);
    int end = in[l + 16] & 127;

    for (int i = in[l] & 31; i < end; i++) {
        uint v = in[start + i];
        out[v] = in[in[v]];
    }
}

/* More accesses than are noted. */
KERNEL(gathers)
{
    int l = get_global_id(0);
    int end = in[l + 16] & 127;

    for (int i = in[l] & 31; i < end; i++) {
        uint v = in[in[in[in[in[in[in[in[start + i]]]]]]]];
        if (in[v] < 1000)
            out[v] = step;
    }
}

/* More ways than are noted. */
KERNEL(branches)
{
    int l = get_global_id(0);
    int end = in[l + 16] & 127;
    uint sum = 0;

    for (int i = in[l] & 31; i < end; i++) {
        uint v = in[in[start + i]];
        if (v & 1)
            sum += in[v];
        if (v & 2)
            sum ^= in[v ^ 1];
        if (v & 4)
            sum += in[v ^ 2];
        if (v & 8)
            sum ^= in[v ^ 3];
        if (v & 16)
            sum += in[v ^ 4];
    }
    out[l] = sum;
}

/* A loop in each round. */
KERNEL(inner)
{
    int l = get_global_id(0);
    int end = in[l + 16] & 63;
    uint sum = 0;

    for (int i = in[l] & 15; i < end; i++) {
        uint v = in[start + i];
        for (uint k = v & 3; k < 3; k++)
            sum += in[in[v ^ k]];
    }
    out[l] = sum;
}

/* Loops in a loop whose rounds differ, too. */
KERNEL(graphs)
{
    int l = get_global_id(0);
    uint row = l & 63;

    for (int r = in[l] & 3; r < 5; r++) {
        uint end = in[row + 16] & 63;
        for (uint i = in[row] & 15; i < end; i++) {
            uint v = in[start + i];
            if (in[v] < 1000)
                out[v] = step;
        }
        row = in[row + r] & 1023;
    }
    out[2048 + l] = row;
}

/* All that are left go round; the others have left in the middle. */
KERNEL(whiles)
{
    int l = get_global_id(0);
    uint i = in[l] & 31, end = in[l + 16] & 127, sum = 0;

    while (i < end && in[start + i] != (in[in[i]] & 7)) {
        sum += i;
        i++;
    }
    out[l] = sum;
    out[l + 2048] = i;
}

/* The same by a branch back that has no condition, to match strings. */
KERNEL(endless)
{
    int l = get_global_id(0), k = in[l + 3] & 7;
    int a = in[l] & 63, b = in[l + 16] & 63;

    while (k < 100 && b + k < n && ((in[start + a + k] ^ in[in[b + k]]) & 3) != 0)
        k++;
    out[l] = k;
}

/* Where they leave is a number that all share. */
KERNEL(levels)
{
    int l = get_global_id(0), found = in[l];

    for (int i = in[l] & 31; i < (int)(in[l + 16] & 127); i++)
        if (in[in[start + i]] == (n & 15)) {
            found = n + 1;
            break;
        }
    out[l] = found;
}

/* One load a round, in few channels or in all. */
KERNEL(few)
{
    int l = get_global_id(0), end = in[l + 16] & 127;
    uint sum = 0;

    if ((in[l] & 31) <= (n & 31))
        for (int i = in[l] & 31; i < end; i++)
            sum += in[start + i * 7 & 2047];
    out[l] = sum;
}

/* Pairs and fours at places that are loaded. */
KERNEL(pairs)
{
    int l = get_global_id(0), end = in[l + 16] & 127;
    uint sum = 0;

    for (int i = in[l] & 31; i < end; i++) {
        uint2 v = ((global uint2 *)in)[in[start + i] >> 1];
        uint4 w = ((global uint4 *)in)[v.x >> 2];
        sum += v.y * 3 + w.x + w.w * 5 - w.z;
    }
    out[l] = sum;
}

/* Bytes, of which registers have other elements than memory. */
KERNEL(letters)
{
    int l = get_global_id(0), k = in[l + 3] & 7;
    global const uchar *a = (global const uchar *)in + (in[l] & 1023), *b = a + (in[l + 16] & 63);

    if (in[l + 1] & 1)
        while (k < 100 && (l & 7) + k < n && ((a[k * 4 + start] ^ b[k * 4]) & 3) == 0)
            k++;
    out[l] = k;
}

/* What others find in shared memory. */
KERNEL(shares)
{
    local uint marks[2048];
    int l = get_global_id(0), end = in[l + 16] & 127;

    for (int i = get_local_id(0); i < 2048; i += get_local_size(0))
        marks[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = in[l] & 31; i < end; i++) {
        uint v = marks[start + i & 2047];
        if (marks[v] < 1200)
            marks[i] = 1998;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_local_id(0); i < 2048; i += get_local_size(0))
        out[i] = marks[i];
}

__attribute__((noinline)) void mark(global uint *out, global uint *in, int first, int end)
{
    for (int i = first; i < end; i++) {
        uint v = in[i];
        if (in[v] < 1000)
            out[v] = 5;
    }
}

KERNEL(calls)
{
    int l = get_global_id(0);

    if (in[l] & 1)
        mark(out, in, in[l] & 31, in[l + 16] & 127);
    mark(out + 2048, in, in[l + 1] & 31, in[l + 16] & 63);
}
