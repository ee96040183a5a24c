/* SPDX-License-Identifier: MIT
 *
 * Several elements for each work-item, the same distance apart, and something between them or
 * some of the next one's. The work-items of the last group may be more than there are elements:
 * `n`. */
#define GUARD                                                                                  \
    uint i = get_global_id(0);                                                                 \
    if (i >= n)                                                                                \
    return

kernel void load8(global uint *out, global const uint8 *in)
{
    uint8 v = in[get_global_id(0)];

    out[get_global_id(0)] = v.s0 + 3 * v.s1 + 5 * v.s2 + 7 * v.s3 + 11 * v.s4 + 13 * v.s5 + 17 * v.s6 +
                            19 * v.s7;
}

kernel void load8_some(global uint *out, global const uint8 *in, uint n)
{
    GUARD;
    uint8 v = in[i];

    out[i] = v.s0 + 3 * v.s1 + 5 * v.s2 + 7 * v.s3 + 11 * v.s4 + 13 * v.s5 + 17 * v.s6 + 19 * v.s7;
}

/* One message loads both, and not what lies between. */
#define ENDS(name, type, gap)                                                                    \
    kernel void name(global uint *out, global const type *in)                                   \
    {                                                                                            \
        uint i = get_global_id(0);                                                               \
        out[i] = in[i * 5] + 3 * in[i * 5 + gap];                                                \
    }                                                                                            \
    kernel void name##_some(global uint *out, global const type *in, uint n)                    \
    {                                                                                            \
        GUARD;                                                                                   \
        out[i] = in[i * 5] + 3 * in[i * 5 + gap];                                                \
    }
ENDS(ends_2, uint, 2)
ENDS(ends_3, uint, 3)

kernel void store8(global uint8 *out)
{
    uint i = get_global_id(0);

    out[i] = (uint8)(i, i * 3, i * 5, i * 7, i * 11, i * 13, i * 17, i * 19);
}

kernel void store8_some(global uint8 *out, uint n)
{
    GUARD;
    out[i] = (uint8)(i, i * 3, i * 5, i * 7, i * 11, i * 13, i * 17, i * 19);
}

/* Addresses that all work-items have, and some use again; `in` may be `out` for what is known. */
kernel void twice(global uint8 *out, global const uint8 *in, uint n)
{
    uint i = get_global_id(0);

    out[i] = in[i];
    if (i < n)
        out[i] = in[i] * 3;
}

/* Two of six dwords. */

kernel void pairs(global struct { uint2 two; uint rest[4]; } *out, global const uint *in)
{
    uint i = get_global_id(0);

    out[i].two = (uint2)(in[6 * i + 2], in[6 * i + 3]) + vload2(3 * i, in);
}

/* Three of five elements of 8 bytes in shared local memory. */
kernel void longs(global ulong *out, local ulong *room)
{
    uint i = get_local_id(0), g = get_global_id(0);

    vstore3((ulong3)(g, g * 3, g * 5), 0, room + 5 * i);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint j = get_local_size(0) - 1 - i; /* backwards */
    ulong3 v = vload3(0, room + 5 * i) + vload3(0, room + 5 * j);
    out[g] = v.x + 7 * v.y + 11 * v.z;
}

/* Eight of which the next work-item has seven, loaded in words of several. */
#define EIGHT                                                                                  \
    in[i] + 3 * in[i + 1] + 5 * in[i + 2] + 7 * in[i + 3] + 11 * in[i + 4] + 13 * in[i + 5] +  \
        17 * in[i + 6] + 19 * in[i + 7]

kernel void shorts(global uint *out, global const ushort *in)
{
    uint i = get_global_id(0);

    out[i] = EIGHT;
}

kernel void shorts_some(global uint *out, global const ushort *in, uint n)
{
    GUARD;
    out[i] = EIGHT;
}

kernel void bytes(global uint *out, global const uchar *in)
{
    uint i = get_global_id(0);

    out[i] = EIGHT;
}

/* Rows whose length is an argument, one for each work-item, along them. */
#define WALK(name, type)                                                                       \
    kernel void name(global uint *out, global const type *in, uint pitch, uint length)         \
    {                                                                                          \
        uint i = get_global_id(0), sum = 0;                                                    \
                                                                                               \
        for (uint k = 0; k < length; k++)                                                      \
            sum += (k + 1) * in[i * pitch + k];                                                \
        out[i] = sum;                                                                          \
    }

WALK(walk, uint)
WALK(walk_bytes, uchar)

/* The last one first, and not for all. */
kernel void walk_back(global uint *out, global const ushort *in, uint pitch, uint length, uint n)
{
    uint i = get_global_id(0), sum = 0;

    if (i < n)
        for (uint k = 0; k < length; k++)
            sum += (k + 1) * in[(n - 1 - i) * pitch + k];
    out[i] = sum;
}

kernel void walk_longs(global uint *out, global const ulong *in, uint pitch, uint length)
{
    uint i = get_global_id(0);
    ulong sum = 0;

    for (uint k = 0; k < length; k++)
        sum += (k + 1) * in[i * pitch + k];
    out[i] = sum ^ sum >> 32;
}

/* The same in shared local memory. */
kernel void walk_near(global uint *out, local uint *room, uint pitch, uint length)
{
    uint l = get_local_id(0), size = get_local_size(0), sum = 0;

    for (uint k = l; k < size * pitch + length; k += size)
        room[k] = k * 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < length; k++)
        sum += (k + 1) * room[l * pitch + k];
    out[get_global_id(0)] = sum;
}

/* A distance that is known, and one that is not the same for all. */
kernel void walk_known(global uint *out, global const uint *in, uint length)
{
    uint i = get_global_id(0), sum = 0;

    for (uint k = 0; k < length; k++)
        sum += (k + 1) * in[5 * i + k] + in[i * i % 61 + k];
    out[i] = sum;
}

/* An element of each few, all of which lie between the first and the last one's. */
#define EACH(name, type, gap)                                                                  \
    kernel void name##_##gap(global uint *out, global const type *in)                          \
    {                                                                                          \
        uint i = get_global_id(0);                                                             \
                                                                                               \
        out[i] = 3 * (uint)in[gap * i] + (uint)in[gap * i + gap - 1];                          \
    }                                                                                          \
                                                                                               \
    kernel void name##_some_##gap(global uint *out, global const type *in, uint n)             \
    {                                                                                          \
        GUARD;                                                                                 \
        out[i] = 3 * (uint)in[gap * i] + (uint)in[gap * i + gap - 1];                          \
    }

#define EACH_OF(name, type)                                                                    \
    EACH(name, type, 2)                                                                        \
    EACH(name, type, 3)                                                                        \
    EACH(name, type, 4)                                                                        \
    EACH(name, type, 5)                                                                        \
    EACH(name, type, 9)

EACH_OF(each_byte, uchar)
EACH_OF(each_short, ushort)
EACH_OF(each, uint)
EACH_OF(each_long, ulong)

/* What the next ones have, too, but one or two between. */
#define BESIDE(name, gap)                                                                      \
    kernel void name(global uint *out, global const uint *in)                                  \
    {                                                                                          \
        uint i = get_global_id(0);                                                             \
                                                                                               \
        out[i] = 3 * in[i] + in[i + gap];                                                      \
    }                                                                                          \
                                                                                               \
    kernel void name##_some(global uint *out, global const uint *in, uint n)                   \
    {                                                                                          \
        GUARD;                                                                                 \
        out[i] = 3 * in[i] + in[i + gap];                                                      \
    }

BESIDE(beside_1, 1)
BESIDE(beside_2, 2)
BESIDE(beside_3, 3)

/* Channels that go to one of two buffers each, so often that calls move them. */
#define BOTH_1(k) sum = sum * 5 + OF(((i + (k)) % 3 ? a : b)[(i * 7 + (k)*11) % 64])
#define BOTH_4(k) BOTH_1(k), BOTH_1(k + 1), BOTH_1(k + 2), BOTH_1(k + 3)
#define BOTH(name, type)                                                                       \
    kernel void name(global uint *out, global const type *a, global const type *b)             \
    {                                                                                          \
        uint i = get_global_id(0), sum = 0;                                                    \
        BOTH_4(0), BOTH_4(4), BOTH_4(8), BOTH_4(12), BOTH_4(16);                               \
        out[i] = sum;                                                                          \
    }

#define OF(x) ((uint)(x))
BOTH(both_bytes, uchar)
BOTH(both_shorts, ushort)
BOTH(both, uint)
BOTH(both_longs, ulong)
#undef OF
#define OF(x) ((x).s0 + 3 * (x).s1)
BOTH(both_pairs, uint2)

#define PUT_1(k) ((i + (k)) % 3 ? out : other)[20 * i + 19 - (k)] = PUT(100 * i + (k))
#define PUT_4(k) PUT_1(k), PUT_1(k + 1), PUT_1(k + 2), PUT_1(k + 3)
#define PUT_ALL PUT_4(0), PUT_4(4), PUT_4(8), PUT_4(12), PUT_4(16)
#define PUTS(name, type)                                                                       \
    kernel void name(global type *out, global type *other)                                     \
    {                                                                                          \
        uint i = get_global_id(0);                                                             \
        PUT_ALL;                                                                               \
    }

#define PUT(x) x
PUTS(put_bytes, uchar)
PUTS(put_shorts, ushort)
PUTS(put_both, uint)
#undef PUT
#define PUT(x) (uint2)(x, 3 * (x))
PUTS(put_pairs, uint2)
#undef PUT

/* Some of the channels. */
kernel void put_some(global uint *out, global uint *other, uint n)
{
    uint i = get_global_id(0);

#define PUT(x) x
    if (i % 5 != n)
        PUT_ALL;
}

/* One of them goes where nothing is, behind its tenth. */
kernel void put_stray(global uint *out, global uint *other, uint n)
{
    uint i = get_global_id(0);

    PUT_4(0), PUT_4(4), PUT_1(8), PUT_1(9);
    out += i == n ? 1 << 28 : 0;
    other += i == n ? 1 << 28 : 0;
    PUT_1(10), PUT_1(11), PUT_4(12), PUT_4(16);
}
