/* SPDX-License-Identifier: MIT */
/* Loads and stores of every width and alignment, structures, unions, bytes next to each other. */

/* vloadn asks only for the alignment of an element: the offsets are odd on purpose. */
#define VECTORS(T)                                                                             \
    kernel void load_##T(global const T *a, global T *o, uint offset)                          \
    {                                                                                          \
        uint i = get_global_id(0);                                                             \
        global const T *p = a + offset;                                                        \
        global T *q = o + i * 34 + offset;                                                     \
        vstore2(vload2(i, p), 0, q);                                                           \
        vstore3(vload3(i, p + 1), 0, q + 2);                                                   \
        vstore4(vload4(i, p), 0, q + 5);                                                       \
        vstore8(vload8(i, p + 2), 0, q + 9);                                                   \
        vstore16(vload16(i, p), 0, q + 17);                                                    \
    }

VECTORS(char)
VECTORS(ushort)
VECTORS(int)
VECTORS(float)
VECTORS(ulong)

/* The same through private and local memory. */
kernel void copies(global const int *a, global int *o, local short *t)
{
    uint i = get_global_id(0), l = get_local_id(0);
    int p[40];

    for (int k = 0; k < 40; k++)
        p[k] = a[i + k];
    vstore3(vload3(1, p + (i & 3)) + 1, 3, p + 1);
    vstore4(vload4(2, p + (i & 7)) * 2, 4, p + 3);
    vstore8(convert_short8(vload8(0, p + (i & 15))), l, t);
    barrier(CLK_LOCAL_MEM_FENCE);
    short3 s = vload3(l, t + 1);
    o[4 * i] = p[(i * 7) % 40] + s.x;
    o[4 * i + 1] = p[10] + s.y;
    o[4 * i + 2] = p[19 + (i & 3)] + s.z;
    o[4 * i + 3] = t[(l * 5) % (8 * get_local_size(0))];
}

kernel void halves(global const half *h, global const float *f, global half *o, global float *g)
{
    uint i = get_global_id(0);
    float x = f[i];

    g[6 * i] = vload_half(i, h);
    vstore2(vload_half2(i, h), 0, g + 6 * i + 1);
    vstore3(vload_half3(i, h).zyx, 0, g + 6 * i + 3);
    vstore_half(x, 8 * i, o);
    vstore_half_rte(x * 1.001f, 8 * i + 1, o);
    vstore_half_rtz(x, 8 * i + 2, o);
    vstore_half_rtp(x, 8 * i + 3, o);
    vstore_half_rtn(x, 8 * i + 4, o);
    vstore_half2((float2)(x * 1e-6f, -x), 0, o + 8 * i + 5);
    vstore_half(x * 1e5f, 8 * i + 7, o);
}

struct __attribute__((packed)) packed {
    char c;
    int i;
    short s;
    long q;
    uchar tail[3];
};

struct inner {
    short s[3];
    char c;
};

struct outer {
    char c;
    struct inner inner[2];
    long q;
    union {
        float f;
        uint u;
        uchar b[4];
    } bits;
    int3 v;
    uint low, high;
};

kernel void layouts(global struct outer *a, global struct packed *p, global int *o)
{
    uint i = get_global_id(0);
    global struct outer *x = a + i;
    struct outer copy = *x;

    o[8 * i] = copy.c + copy.inner[1].s[2] - copy.inner[0].c;
    o[8 * i + 1] = copy.bits.b[3] ^ copy.bits.u;
    o[8 * i + 2] = (int)((uint)copy.v.x + (uint)copy.v.y * 3 - (uint)copy.v.z);
    o[8 * i + 3] = sizeof(struct outer) * 1000 + sizeof(struct packed);
    o[8 * i + 4] = p[i].i ^ p[i].s;
    o[8 * i + 5] = (int)(p[i].q >> 40) - p[i].tail[2];
    o[8 * i + 6] = copy.low >> 5;
    o[8 * i + 7] = copy.high << 3;
    p[i].q = p[i].i;
    p[i].i = copy.c;
    p[i].tail[0] = p[i].c + 1;
    p[i].tail[1] ^= 0x55;
    x->inner[0] = copy.inner[1];
    x->bits.b[1] = copy.bits.b[0];
    x->q = copy.q ^ copy.v.y;
    x->v.xz = x->v.zx;
}

/* Conditions kept in memory, one byte each. */
kernel void flags(global const int *a, global const uchar *f, global uchar *o, int limit)
{
    uint i = get_global_id(0);
    bool big = a[i] > limit;
    bool odd = a[i] & 1;
    bool set = f[i] != 0;

    o[4 * i] = big && !odd;
    o[4 * i + 1] = (big ^ odd) | set << 1;
    o[4 * i + 2] = set ? big : odd;
    o[4 * i + 3] = !big + !odd + !set;
}

/* Each work-item has one byte or one short of a shared word. */
kernel void neighbours(global uchar *a, global ushort *b, global const int *m)
{
    uint i = get_global_id(0);

    if (m[i] & 1)
        a[i] += m[i];
    if (m[i] & 2)
        b[i] = b[i] << 3 | b[i] >> 13;
    if (m[i] & 4) {
        a[i] ^= 0xaa;
        b[i]--;
    }
}

/* Permuted and strided places; reads of neighbours, borders clamped. */
kernel void gathered(global const int *a, global const uint *p, global int *o, global float *f,
                     uint n, uint stride)
{
    uint i = get_global_id(0);
    uint left = i ? i - 1 : 0, right = min(i + 1, n - 1);

    o[i] = a[p[i] % n] - a[left] + 2 * a[right];
    f[(i * stride) % n] = a[(i * 5) % n] * 0.5f;
}

kernel void pointers(global int *a, global const long *offsets, global int *null)
{
    uint i = get_global_id(0);
    global int *p = a + 4 * i + offsets[i];
    global char *c = (global char *)(a + i);

    if (!null)
        p[0] = (int)(p - a) * 3 + c[0];
    else
        p[0] = null[i];
    if ((ulong)c % 8 == 4)
        p[1] = 77;
}
