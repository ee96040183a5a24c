/* SPDX-License-Identifier: MIT */
/* Conversions between all types, with every rounding mode, saturating and not. */

/* From an integer: to each integer type plain and saturated, to float in four roundings. */
#define FROM_INTEGER(T)                                                                        \
    kernel void from_##T(global const T *a, global char *c, global uchar *uc, global short *s, \
                         global ushort *us, global int *w, global uint *uw, global long *q,    \
                         global ulong *uq, global float *f)                                    \
    {                                                                                          \
        uint i = get_global_id(0);                                                             \
        T x = a[i];                                                                            \
        c[2 * i] = convert_char(x);                                                            \
        c[2 * i + 1] = convert_char_sat(x);                                                    \
        uc[2 * i] = convert_uchar(x);                                                          \
        uc[2 * i + 1] = convert_uchar_sat(x);                                                  \
        s[2 * i] = convert_short(x);                                                           \
        s[2 * i + 1] = convert_short_sat(x);                                                   \
        us[2 * i] = convert_ushort(x);                                                         \
        us[2 * i + 1] = convert_ushort_sat(x);                                                 \
        w[2 * i] = convert_int(x);                                                             \
        w[2 * i + 1] = convert_int_sat(x);                                                     \
        uw[2 * i] = convert_uint(x);                                                           \
        uw[2 * i + 1] = convert_uint_sat(x);                                                   \
        q[2 * i] = convert_long(x);                                                            \
        q[2 * i + 1] = convert_long_sat(x);                                                    \
        uq[2 * i] = convert_ulong(x);                                                          \
        uq[2 * i + 1] = convert_ulong_sat(x);                                                  \
        f[5 * i] = convert_float(x);                                                           \
        f[5 * i + 1] = convert_float_rte(x);                                                   \
        f[5 * i + 2] = convert_float_rtz(x);                                                   \
        f[5 * i + 3] = convert_float_rtp(x);                                                   \
        f[5 * i + 4] = convert_float_rtn(x);                                                   \
    }

FROM_INTEGER(char)
FROM_INTEGER(uchar)
FROM_INTEGER(short)
FROM_INTEGER(ushort)
FROM_INTEGER(int)
FROM_INTEGER(uint)
FROM_INTEGER(long)
FROM_INTEGER(ulong)

/* From float to one integer type: x within the type's range, y anywhere. */
#define FROM_FLOAT(T)                                                                          \
    kernel void to_##T(global const float *a, global const float *b, global T *o)              \
    {                                                                                          \
        uint i = get_global_id(0);                                                             \
        float x = a[i], y = b[i];                                                              \
        global T *r = o + i * 11;                                                              \
        r[0] = (T)x;                                                                           \
        r[1] = convert_##T##_rte(x);                                                           \
        r[2] = convert_##T##_rtz(x);                                                           \
        r[3] = convert_##T##_rtp(x);                                                           \
        r[4] = convert_##T##_rtn(x);                                                           \
        r[5] = convert_##T##_sat(y);                                                           \
        r[6] = convert_##T##_sat_rte(y);                                                       \
        r[7] = convert_##T##_sat_rtz(y);                                                       \
        r[8] = convert_##T##_sat_rtp(y);                                                       \
        r[9] = convert_##T##_sat_rtn(y);                                                       \
        r[10] = convert_##T##_sat(x * 0.5f);                                                   \
    }

FROM_FLOAT(char)
FROM_FLOAT(uchar)
FROM_FLOAT(short)
FROM_FLOAT(ushort)
FROM_FLOAT(int)
FROM_FLOAT(uint)
FROM_FLOAT(long)
FROM_FLOAT(ulong)

kernel void vectors(global const float *a, global int *o, global uchar *c, global float *f)
{
    uint i = get_global_id(0);
    float4 x = vload4(i, a);
    int4 w = convert_int4_rte(x);

    vstore4(w, i, o);
    vstore4(convert_uchar4_sat(x), i, c);
    vstore4(convert_float4(convert_short4_sat(w)), i, f);
    vstore4(as_int4(x) >> 23, i + get_global_size(0), o);
}

/* Bit patterns looked at as other types. */
kernel void as_types(global const uint *a, global ushort *s, global uchar *c, global ulong *q)
{
    uint i = get_global_id(0);
    uint2 x = (uint2)(a[i], a[i + 1]);

    vstore4(as_ushort4(x), i, s);
    vstore8(as_uchar8(x).s73516240, i, c);
    q[i] = as_ulong(x) + as_ulong(as_uint2(as_ushort4(x).wzyx));
}
