/* SPDX-License-Identifier: MIT */
/* Extensions that the compiler takes when it is told that the device has them: sub-groups of 16
 * everywhere. SYSTOLIC (channels of a sub-group): for devices that can. */
#define SIXTEEN __attribute__((intel_reqd_sub_group_size(16)))

kernel SIXTEEN void ballots(global const int *a, global int *o)
{
    uint i = get_global_id(0);
    int x = a[i];
    global int *r = o + 16 * i;
    uint4 b = sub_group_ballot(x & 1);

    r[0] = b.x;
    r[1] = sub_group_ballot_bit_count(b);
    r[2] = sub_group_ballot_inclusive_scan(b);
    r[3] = sub_group_ballot_exclusive_scan(b);
    r[4] = sub_group_ballot_find_lsb(b);
    r[5] = sub_group_ballot_find_msb(b);
    r[6] = sub_group_inverse_ballot(b) != 0;
    r[7] = sub_group_ballot_bit_extract(b, 3) != 0;
    r[8] = get_sub_group_eq_mask().x;
    r[9] = get_sub_group_lt_mask().x;
    r[10] = get_sub_group_ge_mask().x & 0xffff;
    r[11] = sub_group_shuffle(x, (i * 7) & 15);
    r[12] = sub_group_shuffle_xor(x, 3);
    if (x & 2) {
        r[13] = sub_group_broadcast_first(x);
        r[14] = sub_group_non_uniform_reduce_add(x);
        r[15] = sub_group_non_uniform_scan_inclusive_add(x);
    }
}

kernel SIXTEEN void clusters(global const int *a, global int *o)
{
    uint i = get_global_id(0);
    int x = a[i];
    global int *r = o + 12 * i;

    r[0] = sub_group_clustered_reduce_add(x, 4);
    r[1] = sub_group_clustered_reduce_max(x, 8);
    r[2] = sub_group_clustered_reduce_xor(x, 2);
    int up = sub_group_shuffle_up(x, 2), down = sub_group_shuffle_down(x, 3);
    r[3] = get_sub_group_local_id() < 2 ? 0 : up;
    r[4] = get_sub_group_local_id() > 12 ? 0 : down;
    r[5] = sub_group_elect() != 0;
    r[6] = sub_group_non_uniform_all_equal(x >> 8) != 0;
    r[7] = sub_group_non_uniform_any(x > 90) + 2 * sub_group_non_uniform_all(x > -99);
    r[8] = sub_group_non_uniform_reduce_and(x);
    r[9] = sub_group_non_uniform_scan_exclusive_max(x);
    r[10] = sub_group_non_uniform_reduce_mul(x | 1);
    r[11] = sub_group_non_uniform_reduce_min((short)x);
}

kernel void float_atomics(global const float *a, global atomic_float *s)
{
    float x = a[get_global_id(0)];

    atomic_fetch_add_explicit(s, x, memory_order_relaxed, memory_scope_device);
    atomic_fetch_min_explicit(s + 1, x, memory_order_relaxed, memory_scope_device);
    atomic_fetch_max_explicit(s + 2, x, memory_order_relaxed, memory_scope_device);
}

#ifdef SYSTOLIC
kernel void bfloats(global const float *a, global ushort *o, global float *f)
{
    uint i = get_global_id(0);

    o[i] = intel_convert_bfloat16_as_ushort(a[i]);
    f[i] = intel_convert_as_bfloat16_float((ushort)(as_uint(a[i]) >> 16));
}

/* c (8 rows of SYSTOLIC) += a (8 rows of 32 bytes) * b (32 rows of SYSTOLIC bytes, four in a word). */
kernel __attribute__((intel_reqd_sub_group_size(SYSTOLIC))) void
systolic(global const char *a, global const int *b, global int *c)
{
    uint lane = get_sub_group_local_id();
    int8 y, sum;
#if SYSTOLIC == 16
    short8 x;
    for (int k = 0; k < 8; k++)
        x[k] = ((global const short *)a)[k * 16 + lane];
#else
    int8 x;
    for (int k = 0; k < 8; k++)
        x[k] = ((global const int *)a)[k * 8 + lane];
#endif
    for (int k = 0; k < 8; k++) {
        y[k] = b[k * SYSTOLIC + lane];
        sum[k] = c[k * SYSTOLIC + lane];
    }
    sum = intel_sub_group_i8_i8_matrix_mad_k32(x, y, sum);
    for (int k = 0; k < 8; k++)
        c[k * SYSTOLIC + lane] = sum[k];
}
#endif
