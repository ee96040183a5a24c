/* SPDX-License-Identifier: MIT */
/* Operators and built-in functions on scalars of every integer type. No signed overflow, no
 * division by zero: everything here has one right answer. */

#define INTEGER(T, U)                                                                          \
    kernel void integer_##T(global const T *a, global const T *b, global T *o, uint n)         \
    {                                                                                          \
        uint i = get_global_id(0);                                                             \
        T x = a[i], y = b[i], z = a[(i + 7) % n];                                              \
        T d = y == 0 || y == (T)-1 ? (T)3 : y;                                                 \
        uint s = (uint)y;                                                                      \
        global T *r = o + i * 40;                                                              \
        r[0] = (T)((U)x + (U)y);                                                               \
        r[1] = (T)((U)x - (U)y);                                                               \
        r[2] = (T)(1u * (U)x * (U)y);                                                          \
        r[3] = x / d;                                                                          \
        r[4] = x % d;                                                                          \
        r[5] = x & y;                                                                          \
        r[6] = x | y;                                                                          \
        r[7] = x ^ y;                                                                          \
        r[8] = ~x;                                                                             \
        r[9] = (T)((U)x << (s & (8 * sizeof(T) - 1)));                                         \
        r[10] = x >> (s & (8 * sizeof(T) - 1));                                                \
        r[11] = (T)((U)x >> (s & (8 * sizeof(T) - 1)));                                        \
        r[12] = (T)((U)x << s); /* amounts are taken modulo the promoted width */              \
        r[13] = x >> s;                                                                        \
        r[14] = (T)abs(x);                                                                     \
        r[15] = (T)abs_diff(x, y);                                                             \
        r[16] = add_sat(x, y);                                                                 \
        r[17] = sub_sat(x, y);                                                                 \
        r[18] = hadd(x, y);                                                                    \
        r[19] = rhadd(x, y);                                                                   \
        r[20] = clamp(x, min(y, z), max(y, z));                                                \
        r[21] = clz(x);                                                                        \
        r[22] = mul_hi(x, y);                                                                  \
        r[23] = (T)((U)mul_hi(x, z) + (U)y);                                                   \
        r[24] = mad_sat(x, y, z);                                                              \
        r[25] = rotate(x, y);                                                                  \
        r[26] = popcount(x);                                                                   \
        r[27] = max(x, y);                                                                     \
        r[28] = min(x, y);                                                                     \
        r[29] = x < y;                                                                         \
        r[30] = x >= y;                                                                        \
        r[31] = x == y ? z : x;                                                                \
        r[32] = !x || (y && z > 0);                                                            \
        r[33] = x / 7;                                                                         \
        r[34] = x % 10;                                                                        \
        r[35] = (T)((U)x * 5u + 9u);                                                           \
        r[36] = x / 16;                                                                        \
        r[37] = rotate(x, (T)3);                                                               \
        r[38] = (T)((U)x & (U)-(U)x);                                                          \
        r[39] = (T)(((U)x ^ (U)y) & (U)z | ~((U)x | (U)y));                                    \
    }

INTEGER(char, uchar)
INTEGER(uchar, uchar)
INTEGER(short, ushort)
INTEGER(ushort, ushort)
INTEGER(int, uint)
INTEGER(uint, uint)
INTEGER(long, ulong)
INTEGER(ulong, ulong)

kernel void fast24(global const int *a, global const uint *b, global int *o, global uint *p)
{
    uint i = get_global_id(0);
    int x = a[i] >> 14, y = a[i + 1] >> 12;
    uint u = b[i] & 0xffffff, v = b[i + 1] & 0xff;

    o[2 * i] = mul24(x >> 6, y >> 10);
    o[2 * i + 1] = mad24(x >> 6, y >> 10, a[i] >> 1);
    p[2 * i] = mul24(u, v);
    p[2 * i + 1] = mad24(u, v, b[i]);
}

kernel void upsampled(global const uint *a, global short *s, global ushort *us, global int *w,
                      global uint *uw, global long *q, global ulong *uq)
{
    uint i = get_global_id(0);
    uint x = a[i], y = a[i + 1];

    s[i] = upsample((char)x, (uchar)y);
    us[i] = upsample((uchar)x, (uchar)y);
    w[i] = upsample((short)x, (ushort)y);
    uw[i] = upsample((ushort)x, (ushort)y);
    q[i] = upsample((int)x, y);
    uq[i] = upsample(x, y);
}

/* Multiplications that widen, carries by comparison, and mixed signs. */
kernel void widening(global const uint *a, global ulong *o, global long *s)
{
    uint i = get_global_id(0);
    uint x = a[i], y = a[i + 1], z = a[i + 2];
    ulong low = (ulong)x * y + z;
    ulong high = ((ulong)y << 32 | z) * ((ulong)x << 7 | 1);

    o[4 * i] = low;
    o[4 * i + 1] = high;
    o[4 * i + 2] = low + high < low;
    o[4 * i + 3] = high / (low | 1) + high % (x | 1);
    s[4 * i] = (long)(int)x * (int)y;
    s[4 * i + 1] = (long)(short)x * (short)y - (long)z;
    s[4 * i + 2] = -(long)x / ((int)y | 1);
    s[4 * i + 3] = ((long)low >> (z & 63)) ^ (long)(high >> (x & 63));
}

/* Bits moved one by one: reversal, gather of bits, parity, Gray code, de Bruijn. */
kernel void bit_tricks(global const uint *a, global uint *o)
{
    uint i = get_global_id(0);
    uint x = a[i], m = a[i + 1];
    uint r = x;

    r = (r >> 1 & 0x55555555) | (r & 0x55555555) << 1;
    r = (r >> 2 & 0x33333333) | (r & 0x33333333) << 2;
    r = (r >> 4 & 0x0f0f0f0f) | (r & 0x0f0f0f0f) << 4;
    r = (r >> 8 & 0x00ff00ff) | (r & 0x00ff00ff) << 8;
    r = r >> 16 | r << 16;
    o[6 * i] = r;
    uint gathered = 0;
    for (uint bit = 1, from = m; from; bit <<= 1, from &= from - 1)
        if (x & (from & -from))
            gathered |= bit;
    o[6 * i + 1] = gathered;
    uint p = x ^ x >> 16;
    p ^= p >> 8;
    p ^= p >> 4;
    o[6 * i + 2] = 0x6996 >> (p & 15) & 1;
    o[6 * i + 3] = x ^ x >> 1;
    o[6 * i + 4] = x ? 31 - clz(x & -x) : 99;
    o[6 * i + 5] = (x << (m & 31)) | (x >> (-m & 31));
}
