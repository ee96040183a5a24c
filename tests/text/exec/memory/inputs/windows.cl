/* SPDX-License-Identifier: MIT
 *
 * Elements that neighbours have as well, up to the ends of a buffer, which compilers load
 * together; and guards, that most threads have all channels behind. */
#define WINDOWS(type)                                                                          \
    kernel void pairs_##type(global type *out, global const type *in, int n)                   \
    {                                                                                          \
        int i = get_global_id(0);                                                              \
                                                                                               \
        if (i < n)                                                                             \
            out[i] = (type)(3 * in[i] + in[i + 1]);                                            \
    }                                                                                          \
                                                                                               \
    kernel void triples_##type(global type *out, global const type *in, int n)                 \
    {                                                                                          \
        int i = get_global_id(0);                                                              \
                                                                                               \
        if (i > 0 && i < n)                                                                    \
            out[i] = (type)(3 * in[i - 1] + 5 * in[i] + in[i + 1]);                            \
    }                                                                                          \
                                                                                               \
    kernel void twos_##type(global type *out, global const type *in, int n)                    \
    {                                                                                          \
        int i = get_global_id(0);                                                              \
                                                                                               \
        if (i < n)                                                                             \
            out[i] = (type)(in[2 * i] + 3 * in[2 * i + 1] + 5 * in[2 * i + 2] +                \
                            7 * in[2 * i + 3]);                                                \
    }                                                                                          \
                                                                                               \
    kernel void plane_##type(global type *out, global const type *in, int n)                   \
    {                                                                                          \
        int x = get_global_id(0) % 32, y = get_global_id(0) / 32, at = 32 * y + x;             \
                                                                                               \
        if (y > 0 && x > 0 && y < 7 && x < n)                                                  \
            out[at] = (type)(in[at - 32] + 3 * in[at + 32] + 5 * in[at - 1] + 7 * in[at + 1] + \
                             11 * in[at]);                                                     \
    }
WINDOWS(uchar)
WINDOWS(ushort)
WINDOWS(uint)
WINDOWS(ulong)
