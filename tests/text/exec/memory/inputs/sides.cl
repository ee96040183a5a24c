/* SPDX-License-Identifier: MIT
 *
 * Indices made by divisions of signed numbers, whose compilers ask whether they are negative, and
 * by functions of bits. */
#define DIVIDED(d)                                                                             \
    kernel void divided_##d(global uint *out, global const uint *in, int start)                \
    {                                                                                          \
        int i = (int)(get_global_id(0) + (uint)start);                                         \
                                                                                               \
        out[get_global_id(0)] = in[i / d & 1023] + 3 * in[i % d + d] + 5 * in[i / d % 16 + 16]; \
    }
DIVIDED(4)
DIVIDED(8)
DIVIDED(16)
DIVIDED(32)
DIVIDED(256)

/* To where coordinates say. */
kernel void moved_by(global uint *out, global const uint *in, int start)
{
    int i = (int)(get_global_id(0) + (uint)start);
    int a = i % 16, b = i / 16 % 4, c = i / 64 % 4;

    out[((a + 15) % 16 * 4 + b + 3 & 63) * 4 + (c + 3) % 4] = in[i & 1023];
}

/* Each arm has a sum of its own. */
kernel void arms(global uint *out, global const uint *in, int start, int by)
{
    int i = (int)(get_global_id(0) + (uint)start), at;

    if (i < 0)
        at = i + by;
    else
        at = i + 2 * by;
    out[get_global_id(0)] = in[at & 1023];
    if (i > -1)
        at += 5;
    out[get_global_id(0) + get_global_size(0)] = in[at & 1023];
    if (i >= 0)
        at = by;
    else
        at = 2 * by - i;
    out[get_global_id(0) + 2 * get_global_size(0)] = in[at & 1023];
}

/* Of some of the channels. */
kernel void some_arms(global uint *out, global const uint *in, int start, int by)
{
    int i = (int)(get_global_id(0) + (uint)start), at = i;

    if (get_local_id(0) % 7 != 3) {
        if (i < 0)
            at += by;
        out[get_global_id(0)] = in[at & 1023];
    }
    out[get_global_id(0) + get_global_size(0)] = in[(at + i / 64) & 1023];
}

kernel void bits(global uint *out, global const uint *in, uint d)
{
    uint i = get_global_id(0), size = get_global_size(0);

    out[i] = in[i ^ d] + 3 * in[i | d];
    out[size + i] = in[(i << 1 & 62) | (i << 2 & ~127u)] + 3 * in[(i << 2 & ~63u) | (i << 1 & 62) | 64];
    out[2 * size + i] = in[(i & 31) | d] + 3 * in[(i & 15) ^ d] + 5 * in[(i & ~d) | (d & 96)] +
                        7 * in[i & i << 1 & d];
    out[3 * size + i] = in[(i ^ i >> 5) & 1023] + 3 * in[(i & d) | (~i & 96)] + 5 * in[(i ^ i << 1) & 1023];
}
