/* SPDX-License-Identifier: MIT */
/* What work-items know of the launch, in ranges of all shapes. */

kernel void query(global uint *o)
{
    size_t x = get_global_id(0) - get_global_offset(0);
    size_t y = get_global_id(1) - get_global_offset(1);
    size_t z = get_global_id(2) - get_global_offset(2);
    size_t at = (z * get_global_size(1) + y) * get_global_size(0) + x;
    global uint *r = o + at * 8;

    r[0] = get_global_id(0) * 1000000 + get_global_id(1) * 1000 + get_global_id(2);
    r[1] = get_local_id(0) * 1000000 + get_local_id(1) * 1000 + get_local_id(2);
    r[2] = get_group_id(0) * 1000000 + get_group_id(1) * 1000 + get_group_id(2);
    r[3] = get_local_size(0) * 1000000 + get_local_size(1) * 1000 + get_local_size(2);
    r[4] = get_num_groups(0) * 1000000 + get_num_groups(1) * 1000 + get_num_groups(2);
    r[5] = get_global_offset(0) * 10000 + get_global_offset(1) * 100 + get_global_offset(2);
    r[6] = get_work_dim();
    r[7] = get_global_size(0) + get_global_size(1) * 3 + get_global_size(2) * 7;
}

/* The dimension is known only when it runs. */
kernel void dimension(global uint *o, uint d)
{
    size_t at = get_global_id(1) * get_global_size(0) + get_global_id(0);

    o[2 * at] = get_global_id(d) + 100 * get_local_size(d);
    o[2 * at + 1] = get_num_groups(d) * 100 + get_group_id(d);
}

kernel __attribute__((reqd_work_group_size(6, 5, 3))) void required(global uint *o)
{
    size_t at = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) +
                get_global_id(0);
    local uint count;

    if (!(get_local_id(0) | get_local_id(1) | get_local_id(2)))
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    o[at] = count * 1000 + get_local_id(0) + get_local_id(1) * 6 + get_local_id(2) * 30;
}

kernel __attribute__((work_group_size_hint(16, 1, 1))) __attribute__((vec_type_hint(float4))) void
linear(global uint *o)
{
    size_t i = get_global_id(0);
    o[i] = i * 3 + get_local_id(0) + get_group_id(0) * get_local_size(0);
}

/* Every work-item of a group takes part: the last thread of a group is only partly used. */
kernel void roll_call(global uint *o, local uint *t)
{
    uint l = get_local_id(0) + get_local_size(0) * get_local_id(1), n = get_local_size(0) * get_local_size(1);
    uint g = get_group_id(0) + get_num_groups(0) * get_group_id(1);

    t[l] = l + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint k = 0; k < n; k++)
        sum += t[(k + l) % n] * (k + 1);
    o[g * n + l] = sum;
}
