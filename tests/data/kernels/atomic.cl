/* SPDX-License-Identifier: MIT */
/* Atomics with results that do not depend on the order of the work-items. */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

kernel void global_int(global const int *a, global int *s, global uint *u)
{
    uint i = get_global_id(0);
    int x = a[i];

    atomic_add(s, x);
    atomic_sub(s + 1, x * 2);
    atomic_inc(s + 2);
    atomic_dec(s + 3);
    atomic_min(s + 4, x);
    atomic_max(s + 5, x);
    atomic_and(s + 6, x | 0x1000);
    atomic_or(s + 7, 1 << (x & 31));
    atomic_xor(s + 8, x * 77);
    atomic_min(u, (uint)x);
    atomic_max(u + 1, (uint)x);
    atomic_add(u + 2 + (i & 7), i);
    if (x & 1)
        atomic_inc(u + 10);
    for (int k = 0; k < (x & 3); k++)
        atomic_add(u + 11, k + 1);
}

/* Tickets: each number is drawn once. Which work-item draws it is left open. */
kernel void tickets(global uint *next, global uint *taken, global int *turns)
{
    uint ticket = atomic_inc(next);

    taken[ticket] += 1;
    int old = atomic_xchg(turns + ticket % 4, 5);
    if (old != 5)
        atomic_add(turns + 4, old);
}

kernel void local_int(global const int *a, global int *o, local uint *u)
{
    local int s[10];
    uint i = get_global_id(0), l = get_local_id(0);
    int x = a[i];

    if (l < 10)
        s[l] = l == 6 ? -1 : 0;
    if (l < 4)
        u[l] = l ? 0 : 0xffffffff;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(s, x);
    atomic_sub(s + 1, x);
    atomic_inc(s + 2);
    atomic_dec(s + 3);
    atomic_min(s + 4, x);
    atomic_max(s + 5, x);
    atomic_and(s + 6, x | 3);
    atomic_or(s + 7, x & 0xff);
    atomic_xor(s + 8, x);
    atomic_min(u, (uint)x);
    atomic_max(u + 1, (uint)x);
    int old = x & 4 ? atomic_add(s + 9, 0) : 0;
    atomic_xchg(u + 2, 99);
    atomic_add(u + 3, old);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 10)
        o[get_group_id(0) * 14 + l] = s[l];
    else if (l < 14)
        o[get_group_id(0) * 14 + l] = u[l - 10];
}

kernel void global_long(global const long *a, global long *s, global ulong *u)
{
    uint i = get_global_id(0);
    long x = a[i];

    atom_add(s, x);
    atom_sub(s + 1, x);
    atom_inc(s + 2);
    atom_dec(s + 3);
    atom_min(s + 4, x);
    atom_max(s + 5, x);
    atom_and(s + 6, x | 0xff);
    atom_or(s + 7, x & 0xf0f0f0f0f0f0f0f0L);
    atom_xor(s + 8, x);
    atom_min(u, (ulong)x);
    atom_max(u + 1, (ulong)x);
    long seen = s[9];
    while (1) { /* the greatest of the products, by compare and exchange */
        long want = max(seen, x * 3);
        long old = atom_cmpxchg(s + 9, seen, want);
        if (old == seen)
            break;
        seen = old;
    }
}

/* Sums of floats that are exact in any order: all are multiples of a quarter below 2^20. */
kernel void float_sum(global const int *a, volatile global float *s)
{
    uint i = get_global_id(0);
    local volatile uint group;
    union {
        uint u;
        float f;
    } old, new;

    if (get_local_id(0) == 0)
        group = as_uint(0.0f);
    barrier(CLK_LOCAL_MEM_FENCE);
    do {
        old.u = group;
        new.f = old.f + a[i] * 0.25f;
    } while (atomic_cmpxchg(&group, old.u, new.u) != old.u);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        uint seen = as_uint(s[0]), was;
        do {
            was = seen;
            seen = atomic_cmpxchg((volatile global uint *)s, was,
                                  as_uint(as_float(was) + as_float(group)));
        } while (seen != was);
    }
    atomic_xchg(s + 1, 2.5f);
}
