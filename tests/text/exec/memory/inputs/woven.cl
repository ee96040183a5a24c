/* SPDX-License-Identifier: MIT
 *
 * Kernels whose work-items have elements next to each other, and mostly do the same to each. */
#define ITEM get_global_id(0)

kernel void twos(global uint2 *out, global const uint2 *in)
{
    out[ITEM] = in[ITEM] * 3 + 1;
}

kernel void threes(global uint *out, global const uint *in)
{
    vstore3(vload3(ITEM, in) * 3 + 1, ITEM, out);
}

kernel void fours(global uint4 *out, global const uint4 *in)
{
    out[ITEM] = in[ITEM] * 3 + 1;
}

kernel void eights(global uint8 *out, global const uint8 *in)
{
    out[ITEM] = in[ITEM] * 3 + 1;
}

kernel void sixteens(global uint16 *out, global const uint16 *in)
{
    out[ITEM] = in[ITEM] * 3 + 1;
}

kernel void bytes(global uchar16 *out, global const uchar16 *in)
{
    out[ITEM] = in[ITEM] * (uchar)3 + (uchar)1;
}

kernel void words(global ushort8 *out, global const ushort8 *in)
{
    out[ITEM] = in[ITEM] * (ushort)3 + (ushort)1;
}

kernel void longs(global ulong4 *out, global const ulong4 *in)
{
    out[ITEM] = in[ITEM] * 3 + 1;
}

/* Other numbers for each element. */
kernel void weighted(global uint4 *out, global const uint4 *in, uint4 weights)
{
    out[ITEM] = in[ITEM] * weights + (uint4)(5, 6, 7, 8);
}

/* Of several vectors. */
kernel void products(global uint4 *out, global const uint4 *in, global const uint4 *others)
{
    out[ITEM] = max(in[ITEM] * others[ITEM], in[ITEM] ^ others[ITEM]);
}

/* Some of them at a time. */
kernel void sums(global uint4 *out, global const uint4 *in, int rounds)
{
    uint4 sum = 0;

    for (int k = 0; k < rounds; k++)
        sum += in[ITEM + k];
    out[ITEM] = sum;
}

kernel void running(global uint4 *out, global const uint4 *in, int rounds)
{
    uint4 sum = 0;

    for (int k = 0; k < rounds; k++) {
        sum = sum * 3 + in[ITEM + k];
        out[ITEM + k * get_global_size(0)] = sum;
    }
}

/* By what all elements of a work-item have in common. */
kernel void shares(global uint4 *out, global const uint4 *in)
{
    uint4 v = in[ITEM];

    out[ITEM] = v * (v.x + v.y + v.z + v.w);
}

kernel void turned(global uint4 *out, global const uint4 *in)
{
    out[ITEM] = in[ITEM].wzyx * 3 + 1;
}

/* By turns in other ways. */
kernel void compared(global uint4 *out, global const uint4 *in, uint limit)
{
    uint4 v = in[ITEM];

    out[ITEM] = (uint4)(v.x < limit ? v.x : 5, v.y > limit ? v.y : 5, v.z < limit ? v.z : 5,
                        v.w != limit ? v.w : 5);
}

kernel void chosen(global uint4 *out, global const uint4 *in, uint limit)
{
    out[ITEM] = select((uint4)5, in[ITEM], in[ITEM] < limit);
}

/* Elements that become wider, or narrower. */
kernel void wider(global ushort4 *out, global const uchar4 *in)
{
    out[ITEM] = convert_ushort4(in[ITEM]) * (ushort)257;
}

kernel void narrower(global uchar4 *out, global const uint4 *in)
{
    out[ITEM] = convert_uchar4(in[ITEM] >> 3);
}

kernel void floats(global float4 *out, global const uint4 *in)
{
    out[ITEM] = convert_float4(in[ITEM]) * 0.5f;
}

#define EACH_OF(N, STATEMENT)                                                                    \
    _Pragma("unroll") for (uint k = 0; k < N; k++) STATEMENT

/* One after the other. */
kernel void rows_3(global uint *out, global const uint *in)
{
    EACH_OF(3, out[ITEM * 3 + k] = in[ITEM * 3 + k] * 3 + 1;)
}

kernel void rows_5(global uint *out, global const uint *in)
{
    EACH_OF(5, out[ITEM * 5 + k] = in[ITEM * 5 + k] * 3 + 1;)
}

kernel void rows_8(global uint *out, global const uint *in)
{
    uint i = ITEM;
    EACH_OF(8, out[i * 8 + k] = in[i * 8 + k] * 3 + k;)
}

kernel void rows_16(global uint *out, global const uint *in)
{
    uint i = ITEM;
    EACH_OF(16, out[i * 16 + k] = in[i * 16 + k] * 3 + 1;)
}

kernel void rows_64(global uint *out, global const uint *in)
{
    uint i = ITEM;
    EACH_OF(64, out[i * 64 + k] = in[i * 64 + k] * 3 + 1;)
}

/* With what is the same for all. */
kernel void with_first(global uint *out, global const uint *in)
{
    uint i = ITEM;
    EACH_OF(8, out[i * 8 + k] = in[i * 8 + k] * 3 + in[k];)
}

kernel void rows_bytes(global uchar *out, global const uchar *in)
{
    uint i = ITEM;
    EACH_OF(8, out[i * 8 + k] = in[i * 8 + k] * 3 + 1;)
}

/* With others between them, that stay. */
/* Of which the compiler stores two at once, and one by itself. */
kernel void swapped(global uchar *out, global const uchar *in)
{
    uint i = ITEM;
    uchar a = in[i * 3], b = in[i * 3 + 1], c = in[i * 3 + 2];

    out[i * 3] = c;
    out[i * 3 + 1] = b;
    out[i * 3 + 2] = a;
}

kernel void swapped_in_place(global uchar *out, uint ahead)
{
    uint i = ITEM;
    uchar a = out[i * 3 + ahead], b = out[i * 3 + 1 + ahead], c = out[i * 3 + 2 + ahead];

    out[i * 3] = c;
    out[i * 3 + 1] = b;
    out[i * 3 + 2] = a;
}

kernel void greys(global uchar *out, global const uchar *in)
{
    uint i = ITEM;
    uchar a = in[i] * 3 + 1;

    out[i * 3] = out[i * 3 + 1] = out[i * 3 + 2] = a;
}

/* Of several sizes. */
typedef struct mixture {
    uint a;
    ushort b;
    uchar c, d;
} mixture;

kernel void mixed(global mixture *out, global const mixture *in)
{
    uint i = ITEM;
    mixture m = in[i];

    out[i].a = m.a * 3 + 1;
    out[i].b = m.b ^ 5;
    out[i].c = m.d;
    out[i].d = m.c + 1;
}

/* As it has been loaded, a step from item to item, beside parts of it. */
kernel void unchanged(global uchar *out, global const uchar *in)
{
    uint i = ITEM;
    uint a = *(global const uint *)(in + i * 28);
    global uchar *to = out + i * 8;

    *(global uint *)to = a;
    *(global ushort *)(to + 4) = a;
    to[6] = a;
    to[7] = a;
}

/* Where a work-item has its elements in one vector, if groups have no other. */
kernel void unchanged_longs(global uchar *out, global const uchar *in)
{
    uint i = ITEM;
    ulong a = *(global const ulong *)(in + i * 28) ^ 5;
    global uchar *to = out + i * 28;

    *(global ulong *)(to + 18) = a;
    *(global ulong *)(to + 10) = a;
    *(global ulong *)to = a;
    to[26] = a;
    to[27] = a;
}

kernel void gaps(global uint *out, global const uint *in)
{
    uint i = ITEM;
    EACH_OF(4, out[i * 6 + k] = in[i * 7 + k] * 3 + 1;)
}

kernel void unlike(global uint *out, global const uint *in)
{
    uint i = ITEM, x = in[i];

    out[i * 4] = x;
    out[i * 4 + 1] = x * 3;
    out[i * 4 + 2] = x ^ 5;
    out[i * 4 + 3] = i;
}

kernel void some_alike(global uint *out, global const uint *in)
{
    uint i = ITEM;

    EACH_OF(4, out[i * 6 + k] = in[i * 6 + k] * 3 + 1;)
    out[i * 6 + 4] = in[i * 6 + 4] - in[i * 6];
    out[i * 6 + 5] = i;
}

kernel void transposed(global uint *out, global const uint *in)
{
    uint i = ITEM;
    EACH_OF(16, out[i * 16 + k] = in[i * 16 + k % 4 * 4 + k / 4] + 1;)
}

/* Those of work-items before a limit. */
kernel void guarded(global uint *out, global const uint *in, uint limit)
{
    uint i = ITEM;

    if (i < limit)
        EACH_OF(8, out[i * 8 + k] = in[i * 8 + k] * 3 + 1;)
}

/* By numbers of which some are the same for all, twice. */
kernel void some_by_own(global uint *out, global const uint *in)
{
    uint i = ITEM, own = get_local_id(0) * 77 ^ 13;
    uint x[8];

    EACH_OF(8, x[k] = in[i * 8 + k];)
    EACH_OF(8, out[i * 8 + k] = x[k] * (k & 1 ? own : 5 + k);)
    EACH_OF(8, out[i * 8 + k + 1024] = x[k] ^ (k & 1 ? own : 5 + k);)
}

/* In place, and once more at other places. */
kernel void some_in_place(global uint *out)
{
    uint i = ITEM, own = get_local_id(0) * 77 ^ 13;
    uint x[8];

    EACH_OF(8, x[k] = out[i * 8 + k];)
    EACH_OF(8, out[i * 8 + k] = x[k] * (k & 1 ? own : 5 + k);)
    EACH_OF(8, out[i * 8 + k + 1024] = x[k] ^ 5;)
}

/* Halves of elements by turns, and again as they are. */
kernel void halves(global uint *out, global const ulong *in, global ulong *other)
{
    uint i = ITEM;
    ulong x[8];

    EACH_OF(8, x[k] = in[i * 8 + k];)
    EACH_OF(8, other[i * 8 + k] = x[k] + 3;)
    EACH_OF(8, { out[i * 16 + 2 * k] = x[k] >> 32;
                 out[i * 16 + 2 * k + 1] = x[k]; })
    for (uint n = 1; n < 4; n++)
        EACH_OF(8, { out[2048 * n + i * 16 + 2 * k] = x[k];
                     out[2048 * n + i * 16 + 2 * k + 1] = x[k] >> 32; })
}

/* What is loaded again where it has been stored. */
kernel void again(global uint *out, uint from)
{
    uint i = ITEM;
    global uint *row = out + i * 8;

    row[0] = row[0] * 3;
    row[1] = i;
    out[from + 8 * i + 5] = i;
    uint x = row[0];
    row[2] = x * 5;
    row[3] = x ^ 5;
    row[4] = x - 7;
    row[5] = x * x;
    row[6] = x + 3;
    row[7] = x | 9;
}

/* In place, or as far from there as one likes: what is stored may be loaded, too. */
kernel void placed(global uint *out, uint from, uint to)
{
    uint i = ITEM;
    EACH_OF(8, out[to + i * 8 + k] = out[from + i * 8 + k] * 3 + 1;)
}

kernel void placed_fours(global uint *out, uint from, uint to)
{
    uint i = ITEM;
    EACH_OF(3, vstore4(vload4(i * 3 + k, out + from) * 3 + 1, i * 3 + k, out + to);)
}

/* With another store between them. */
kernel void around(global uint *out, uint from, uint to, uint other)
{
    uint i = ITEM;
    EACH_OF(8, { out[to + i * 8 + k] = out[from + i * 8 + k] * 3 + 1;
                 if (k == 3)
                     out[other + i] = i; })
}

kernel void two_ways(global uint *out, uint from, uint to, uint other)
{
    uint i = ITEM;
    EACH_OF(4, { uint x = out[from + i * 4 + k];
                 out[to + i * 4 + k] = x * 3 + 1;
                 out[other + i * 4 + k] = x ^ 5; })
}

/* What is loaded is stored to, too. */
kernel void moved(global uint *out, uint from, uint to)
{
    uint i = ITEM;
    EACH_OF(8, { out[to + i * 8 + k] = out[from + i * 8 + k] * 3 + 1;
                 out[from + i * 8 + k] = i + k; })
}

kernel void in_place(global uint *out)
{
    uint i = ITEM;
    EACH_OF(8, out[i * 8 + k] = out[i * 8 + k] * 3 + 1;)
}

kernel void from_behind(global uint *out)
{
    uint i = ITEM;
    EACH_OF(8, out[i * 8 + k] = out[i * 8 + 7 - k] * 3 + 1;)
}

kernel void from_before(global uint *out)
{
    uint i = ITEM;
    EACH_OF(7, out[i * 8 + k + 1] = out[i * 8 + k] * 3 + 1;)
}

kernel void from_next(global uint *out)
{
    uint i = ITEM;
    EACH_OF(7, out[i * 8 + k] = out[i * 8 + k + 1] * 3 + 1;)
}

/* With what work-item 16 stores, the first one of a thread of 16. */
kernel void with_one(global uint *out)
{
    uint i = ITEM;
    EACH_OF(8, out[i * 8 + k] = out[i * 8 + k] * 3 + out[16 * 8 + 7 - k];)
}

/* What a neighbour stores at the same time. */
kernel void from_neighbour(global uint *out)
{
    uint i = ITEM;
    EACH_OF(4, out[i * 4 + k] = out[i * 4 + 4 + k] * 3 + 1;)
}

/* What it has stored before. */
kernel void back_from_neighbour(global uint *out)
{
    uint i = ITEM;
    EACH_OF(8, out[i * 8 + k] = out[i * 8 + 15 - k] * 3 + 1;)
}

kernel void near_neighbour(global uint *out)
{
    uint i = ITEM;
    EACH_OF(8, out[i * 8 + k] = out[i * 8 + k + 5] * 3 + 1;)
}

/* Where the next ones store, too. */
kernel void over_neighbours(global uint *out, global const uint *in)
{
    uint i = ITEM;
    EACH_OF(8, out[i * 4 + k] = in[i * 8 + k] * 3 + 1;)
}

kernel void both_ways(global uint *out)
{
    uint i = ITEM;
    EACH_OF(4, out[i * 8 + k] = out[i * 8 + k + 4] * 3 + 1;)
    EACH_OF(4, out[i * 8 + k + 4] = out[i * 8 + k] * 3 + 1;)
}

/* In local memory. */
kernel void local_rows(global uint *out, global const uint *in)
{
    local uint rows[64 * 9];
    uint i = get_local_id(0), n = get_local_size(0);

    EACH_OF(8, rows[i * 8 + k] = in[ITEM * 8 + k] * 3 + 1;)
    barrier(CLK_LOCAL_MEM_FENCE);
    i = n - 1 - i;
    EACH_OF(8, out[ITEM * 8 + k] = rows[i * 8 + k];)
}
