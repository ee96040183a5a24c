/* SPDX-License-Identifier: MIT
 *
 * Groups that wait for others of the launch, most of which nobody has begun then. Each kernel
 * adds up numbers of other groups, round after round. */
#define ROUND                                                                                  \
    global uint *from = r % 2 ? b : a, *to = r % 2 ? a : b;                                    \
    to[id] = from[(id + 1) % all] * 3 + from[(id + 257) % all] + id

/* One work-item of each waits until all have come. */
kernel void one(volatile global atomic_uint *count, global uint *a, global uint *b, uint rounds)
{
    uint id = get_global_id(0), all = get_global_size(0);

    for (uint r = 0; r < rounds; r++) {
        ROUND;
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (get_local_id(0) == 0) {
            atomic_fetch_add(count, 1);
            while (atomic_load(count) < get_num_groups(0) * (r + 1)) {
            }
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

/* All work-items wait. */
kernel void every(volatile global atomic_uint *count, global uint *a, global uint *b, uint rounds)
{
    uint id = get_global_id(0), all = get_global_size(0);

    for (uint r = 0; r < rounds; r++) {
        ROUND;
        atomic_fetch_add(count, 1);
        while (atomic_load(count) < all * (r + 1)) {
        }
    }
}

/* By numbers that each group stores, without an atomic. */
kernel void plain(volatile global uint *seen, global uint *a, global uint *b, uint rounds)
{
    uint id = get_global_id(0), all = get_global_size(0), l = get_local_id(0);

    for (uint r = 0; r < rounds; r++) {
        ROUND;
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (l == 0)
            seen[get_group_id(0)] = r + 1;
        for (uint i = l; i < get_num_groups(0); i += get_local_size(0))
            while (seen[i] <= r) {
            }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

/* Each group waits for the one behind it; only the last one does not. */
kernel void chain(volatile global atomic_uint *sums, global uint *a, global uint *b, uint step)
{
    uint g = get_group_id(0), id = get_global_id(0);
    local uint next;

    if (get_local_id(0) == 0) {
        next = 0;
        if (g + 1 < get_num_groups(0))
            while ((next = atomic_load(sums + g + 1)) == 0) {
            }
        atomic_store(sums + g, next + step);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    b[id] = a[id] + next;
}

/* The first half waits for nobody; in the second one the first of two groups waits for the other
 * one. */
kernel void pairs(volatile global atomic_uint *sums, global uint *a, global uint *b, uint step)
{
    uint g = get_group_id(0), id = get_global_id(0);
    local uint next;

    if (get_local_id(0) == 0) {
        next = 0;
        if (g >= get_num_groups(0) / 2) {
            if (g % 2)
                atomic_store(sums + g, step);
            else
                while ((next = atomic_load(sums + g + 1)) == 0) {
                }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    b[id] = a[id] + next;
}

/* One group fails before the others have come. */
kernel void fails(volatile global atomic_uint *count, global uint *a, uint which)
{
    if (get_group_id(0) == which)
        a[1 << 30] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        atomic_fetch_add(count, 1);
        while (atomic_load(count) < get_num_groups(0)) {
        }
    }
}
