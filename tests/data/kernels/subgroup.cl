/* SPDX-License-Identifier: MIT */
/* Sub-groups, of the sizes the compiler takes. SIZE8 is defined for devices that have eight. */
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_short : enable

#define SUB_GROUP(N)                                                                           \
    kernel __attribute__((intel_reqd_sub_group_size(N))) void collect##N(                      \
        global const int *a, global int *o)                                                    \
    {                                                                                          \
        uint i = get_global_id(0);                                                             \
        int x = a[i];                                                                          \
        global int *r = o + 24 * i;                                                            \
        r[0] = get_sub_group_size();                                                           \
        r[1] = get_max_sub_group_size();                                                       \
        r[2] = get_num_sub_groups();                                                           \
        r[3] = get_sub_group_id();                                                             \
        r[4] = get_sub_group_local_id();                                                       \
        r[5] = sub_group_reduce_add(x);                                                        \
        r[6] = sub_group_reduce_min(x);                                                        \
        r[7] = sub_group_reduce_max(x);                                                        \
        r[8] = sub_group_scan_inclusive_add(x);                                                \
        r[9] = sub_group_scan_exclusive_add(x);                                                \
        r[10] = sub_group_scan_inclusive_max(x);                                               \
        r[11] = sub_group_scan_exclusive_min(x);                                               \
        r[12] = sub_group_broadcast(x, 2);                                                     \
        r[13] = sub_group_any(x > 90) + 2 * sub_group_all(x > -95);                            \
        r[14] = as_int(sub_group_reduce_add((float)x));                                        \
        r[15] = (int)(sub_group_reduce_max((long)x << 20) >> 20);                              \
        r[16] = (int)sub_group_scan_inclusive_add((uint)x);                                    \
        r[17] = as_int(sub_group_scan_inclusive_min((float)x));                                \
    }

#ifdef SIZE8
SUB_GROUP(8)
#endif
SUB_GROUP(16)
SUB_GROUP(32)

#define SHUFFLES(N)                                                                            \
    kernel __attribute__((intel_reqd_sub_group_size(N))) void shuffle##N(                      \
        global const int *a, global const uint *m, global int *o)                              \
    {                                                                                          \
        uint i = get_global_id(0);                                                             \
        int x = a[i], y = x * 3 + 1;                                                           \
        global int *r = o + 16 * i;                                                            \
        r[0] = intel_sub_group_shuffle(x, m[i] % N);                                           \
        r[1] = intel_sub_group_shuffle_xor(x, 5);                                              \
        r[2] = intel_sub_group_shuffle_down(x, y, 3);                                          \
        r[3] = intel_sub_group_shuffle_up(x, y, 2);                                            \
        r[4] = intel_sub_group_shuffle(x, 7);                                                  \
        int4 v = intel_sub_group_shuffle((int4)(x, y, i, 7), (m[i] >> 8) % N);                 \
        r[5] = v.x;                                                                            \
        r[6] = v.y;                                                                            \
        r[7] = v.z + v.w;                                                                      \
        r[8] = as_int(intel_sub_group_shuffle_xor((float)x, 1));                               \
        r[9] = intel_sub_group_shuffle_down(x, y, m[0] % N);                                   \
        r[10] = intel_sub_group_shuffle((short)x, (m[i] >> 4) % N);                            \
        if (x & 1)                                                                             \
            r[11] = sub_group_broadcast(x, 0) * 0 + x;                                         \
        long q = intel_sub_group_shuffle((long)x << 33, (m[i] >> 12) % N);                     \
        r[12] = (int)(q >> 33);                                                                \
    }

#ifdef SIZE8
SHUFFLES(8)
#endif
SHUFFLES(16)
SHUFFLES(32)

/* Lane j of a block read of n has elements j, j + size, ... */
#define BLOCKS(N)                                                                              \
    kernel __attribute__((intel_reqd_sub_group_size(N))) void block##N(                        \
        global const uint *a, global uint *o, global const ushort *b, global ushort *p)        \
    {                                                                                          \
        uint first = (get_group_id(0) * get_num_sub_groups() + get_sub_group_id()) * N;        \
        uint x = intel_sub_group_block_read(a + first * 16);                                   \
        uint2 y = intel_sub_group_block_read2(a + first * 16 + N);                             \
        uint4 z = intel_sub_group_block_read4(a + first * 16 + 4 * N);                         \
        uint8 w = intel_sub_group_block_read8(a + first * 16 + 8 * N);                         \
        intel_sub_group_block_write(o + first * 16, x + 1);                                    \
        intel_sub_group_block_write2(o + first * 16 + N, y.yx);                                \
        intel_sub_group_block_write4(o + first * 16 + 4 * N, z * 2);                           \
        intel_sub_group_block_write8(o + first * 16 + 8 * N, w.s76543210);                     \
        ushort s = intel_sub_group_block_read_us(b + first * 8);                               \
        ushort4 t = intel_sub_group_block_read_us4(b + first * 8 + 4 * N);                     \
        intel_sub_group_block_write_us(p + first * 8, s + 3);                                  \
        intel_sub_group_block_write_us4(p + first * 8 + 4 * N, t.wzyx);                        \
    }

#ifdef SIZE8
BLOCKS(8)
#endif
BLOCKS(16)

/* A matrix row times a vector with one sub-group, and a reduction across sub-groups. */
kernel __attribute__((intel_reqd_sub_group_size(16))) void
rows(global const float *a, global const float *x, global float *y, int n)
{
    int row = get_group_id(0), lane = get_sub_group_local_id();
    local float parts[8];
    float sum = 0;

    for (int k = get_local_id(0); k < n; k += get_local_size(0))
        sum += a[row * n + k] * x[k];
    sum = sub_group_reduce_add(sum);
    if (lane == 0)
        parts[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        float all = 0;
        for (uint k = 0; k < get_num_sub_groups(); k++)
            all += parts[k];
        y[row] = all;
    }
}
