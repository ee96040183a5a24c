/* SPDX-License-Identifier: MIT */
/* Vectors of 2, 3, 4, 8 and 16 integers: operators, built-ins, comparisons, swizzles. */

#define INTVEC(T, U, N)                                                                        \
    kernel void vec_##T##N(global const T *a, global const T *b, global T *o)                  \
    {                                                                                          \
        uint i = get_global_id(0);                                                             \
        T##N x = vload##N(i, a), y = vload##N(i, b), z = vload##N(i + 1, a);                   \
        U##N ux = as_##U##N(x), uy = as_##U##N(y);                                             \
        T##N d = y | (T)1;                                                                     \
        d = select(d, (T##N)(T)5, d == (T)-1);                                                 \
        global T *r = o + i * N * 20;                                                          \
        vstore##N(as_##T##N(ux + uy), 0, r);                                                   \
        vstore##N(as_##T##N(ux - uy), 1, r);                                                   \
        vstore##N(x / d, 2, r);                                                                \
        vstore##N(x % d, 3, r);                                                                \
        vstore##N((x & y) | (~x ^ z), 4, r);                                                   \
        vstore##N(as_##T##N(ux << uy), 5, r); /* amounts modulo the element's width */         \
        vstore##N(x >> y, 6, r);                                                               \
        vstore##N(x << (T)3, 7, r);                                                            \
        vstore##N(add_sat(x, y), 8, r);                                                        \
        vstore##N(sub_sat(x, y), 9, r);                                                        \
        vstore##N(rotate(x, y), 10, r);                                                        \
        vstore##N(mul_hi(x, y), 11, r);                                                        \
        vstore##N(clz(x), 12, r);                                                              \
        vstore##N(popcount(x), 13, r);                                                         \
        vstore##N(min(max(x, y), z), 14, r);                                                   \
        vstore##N(select(x, y, as_##U##N(z)), 15, r);                                          \
        vstore##N(x < y ? y : z, 16, r);                                                       \
        vstore##N(hadd(x, y), 17, r);                                                          \
        vstore##N(bitselect(x, y, z), 18, r);                                                  \
        vstore##N((T##N)(any(x < y) + 2 * all(x > z)), 19, r);                                 \
    }

INTVEC(char, uchar, 2)
INTVEC(char, uchar, 16)
INTVEC(short, ushort, 4)
INTVEC(short, ushort, 8)
INTVEC(int, uint, 3)
INTVEC(int, uint, 4)
INTVEC(int, uint, 8)
INTVEC(long, ulong, 2)
INTVEC(long, ulong, 3)

/* No sign, and wrapping multiplications. */
#define UINTVEC(T, N)                                                                          \
    kernel void vec_##T##N(global const T *a, global const T *b, global T *o)                  \
    {                                                                                          \
        uint i = get_global_id(0);                                                             \
        T##N x = vload##N(i, a), y = vload##N(i, b), z = vload##N(i + 1, a);                   \
        T##N d = max(y, (T##N)1);                                                              \
        global T *r = o + i * N * 10;                                                          \
        vstore##N(x + y, 0, r);                                                                \
        vstore##N(x *(T##N)3 - y, 1, r);                                                       \
        vstore##N(x / d, 2, r);                                                                \
        vstore##N(x % d, 3, r);                                                                \
        vstore##N(x >> y, 4, r);                                                               \
        vstore##N(abs_diff(x, y), 5, r);                                                       \
        vstore##N(mad_sat(x, y, z), 6, r);                                                     \
        vstore##N(rhadd(x, y), 7, r);                                                          \
        vstore##N(mad_hi(x, y, z), 8, r);                                                      \
        vstore##N(clamp(x, min(y, z), max(y, z)), 9, r);                                       \
    }

UINTVEC(uchar, 3)
UINTVEC(uchar, 8)
UINTVEC(ushort, 2)
UINTVEC(ushort, 16)
UINTVEC(uint, 2)
UINTVEC(uint, 16)
UINTVEC(ulong, 4)

kernel void swizzle(global const int *a, global int *o)
{
    uint i = get_global_id(0);
    int16 x = vload16(i, a);
    int16 y;

    y.lo = x.hi.s76543210;
    y.even.hi = x.s159d;
    y.odd.s4567 = x.lo.even;
    y.sA = x.sf;
    y.s08 = x.s80 + y.s10;
    int3 t = x.s7a3;
    t.zx = t.xy;
    y.s123 = t;
    vstore16(y, i, o);
}

kernel void shuffled(global const int *a, global const uint *m, global int *o,
                     global const uchar *c, global uchar *p)
{
    uint i = get_global_id(0);
    int4 x = vload4(i, a), y = vload4(i + 1, a);
    uint4 k = vload4(i, m);
    uint8 k8 = vload8(i, m);

    vstore4(shuffle(x, k), i, o);
    vstore4(shuffle2(x, y, k), i + get_global_size(0), o);
    vstore8(shuffle2(x, y, k8), i + get_global_size(0), o);
    vstore16(shuffle(vload16(i, c), convert_uchar16(vload16(0, m))), i, p);
}
