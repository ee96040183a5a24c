/* SPDX-License-Identifier: MIT */
/* OpenCL C 2.0: generic pointers, C11 atomics, work-group functions, program-scope variables. */

int sum_of(int *p, uint n)
{
    int sum = 0;
    for (uint k = 0; k < n; k++)
        sum += p[k];
    return sum;
}

__attribute__((noinline)) void store_to(int *p, int v)
{
    *p = v * 2 + 1;
}

kernel void chosen_space(global int *a, global int *o)
{
    local int t[64];
    int mine[4] = {1, 2, 3, 4};
    uint i = get_global_id(0), l = get_local_id(0);

    t[l] = a[i] * 5;
    mine[a[i] & 3] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p = mine;
    if (a[i] % 3 == 1)
        p = &t[l & ~3];
    else if (a[i] % 3 == 2)
        p = &a[i & ~3];
    o[2 * i] = sum_of(p, 4);
    store_to(&mine[1], a[i]);
    int *q = mine;
    if (i & 1)
        q = o + 2 * i + 1;
    store_to(q, (int)i);
    if (!(i & 1))
        o[2 * i + 1] = mine[0] + mine[1];
}

/* Private memory is left out: the compiler keeps it in global memory and takes pointers to it for
 * global ones. */
kernel void spaces(global int *a, global int *o)
{
    local int t[4];
    uint i = get_global_id(0);
    int *p = &a[i];

    if (i % 3 == 1)
        p = &t[i & 3];
    o[i] = (to_global(p) != 0) + 2 * (to_local(p) != 0);
}

kernel void atomics(global const int *a, global atomic_int *s, global atomic_uint *u,
                    global atomic_float *f)
{
    local atomic_int t[4];
    uint i = get_global_id(0), l = get_local_id(0);
    int x = a[i];

    if (l < 4)
        atomic_init(&t[l], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add(s, x);
    atomic_fetch_sub_explicit(s + 1, x, memory_order_relaxed);
    atomic_fetch_or_explicit(s + 2, 1 << (x & 31), memory_order_acq_rel, memory_scope_device);
    atomic_fetch_and(s + 3, x | 0xff00);
    atomic_fetch_xor_explicit(s + 4, x, memory_order_release);
    atomic_fetch_min(s + 5, x);
    atomic_fetch_max(s + 6, x);
    atomic_fetch_max_explicit(u, (uint)x, memory_order_relaxed, memory_scope_device);
    atomic_fetch_min_explicit(u + 1, (uint)x, memory_order_relaxed, memory_scope_device);
    int seen = atomic_load(s + 7);
    while (!atomic_compare_exchange_weak(s + 7, &seen, max(seen, x * 2)))
        ;
    atomic_store(f, 4.5f);
    atomic_fetch_add_explicit(&t[l & 3], x, memory_order_relaxed, memory_scope_work_group);
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    if (l == 0)
        atomic_fetch_add(s + 8, atomic_load(&t[0]) + atomic_exchange(&t[1], 0) * 3 +
                                    atomic_load_explicit(&t[2], memory_order_acquire) * 5 +
                                    atomic_load(&t[3]) * 7);
}

kernel void group_functions(global const int *a, global int *o)
{
    uint i = get_global_id(0);
    int x = a[i];
    global int *r = o + 10 * i;

    r[0] = work_group_reduce_add(x);
    r[1] = work_group_reduce_max(x);
    r[2] = work_group_reduce_min(x);
    r[3] = work_group_scan_inclusive_add(x);
    r[4] = work_group_scan_exclusive_add(x);
    r[5] = work_group_scan_inclusive_max(x);
    r[6] = work_group_broadcast(x, 3);
    r[7] = work_group_any(x > 97) + 2 * work_group_all(x > -98);
    r[8] = get_local_linear_id() * 1000 + get_global_linear_id();
    r[9] = get_enqueued_local_size(0);
}

global int counter = 40;
global int squares[5] = {0, 1, 4, 9, 16};
global int *global where = &squares[2];

kernel void program_scope(global int *o)
{
    uint i = get_global_id(0);

    atomic_add((volatile global int *)&counter, (int)i);
    o[i] = squares[i % 5] + where[1] + ctz(i + 8);
}
