/* SPDX-License-Identifier: MIT
 *
 * Groups that wait for others of the launch, most of which nobody has begun then. Each kernel
 * adds up numbers of other groups, round after round. */
#define ROUND                                                                                  \
    global uint *from = r % 2 ? b : a, *to = r % 2 ? a : b;                                    \
    to[id] = from[(id + 1) % all] * 3 + from[(id + 257) % all] + id

/* One work-item of each group waits until all have come. */
void meet(volatile global atomic_uint *count, uint all)
{
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        atomic_fetch_add(count, 1);
        while (atomic_load(count) < all) {
        }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}

kernel void one(volatile global atomic_uint *count, global uint *a, global uint *b, uint rounds)
{
    uint id = get_global_id(0), all = get_global_size(0);

    for (uint r = 0; r < rounds; r++) {
        ROUND;
        meet(count, get_num_groups(0) * (r + 1));
    }
}

/* What is kept in private memory meanwhile is each work-item's own. */
kernel void keeps(volatile global atomic_uint *count, global uint *a, global uint *b, uint rounds)
{
    uint id = get_global_id(0), all = get_global_size(0), n = get_num_groups(0), kept[40];

    for (uint i = 0; i < 40; i++)
        kept[i] = i;
    for (uint r = 0; r < rounds; r++) {
        global uint *from = r % 2 ? b : a, *to = r % 2 ? a : b;
        uint value = from[(id + 1) % all] * 3 + from[(id + 257) % all] + id;
        kept[value % 40] = value;
        meet(count, n * (2 * r + 1));
        to[id] = kept[value % 40];
        meet(count, n * (2 * r + 2));
    }
}

/* The loop that waits has barriers in it, so that all work-items see the same. */
kernel void loops(volatile global atomic_uint *count, global uint *a, global uint *b, uint rounds)
{
    uint id = get_global_id(0), all = get_global_size(0), seen;
    local uint last;

    for (uint r = 0; r < rounds; r++) {
        ROUND;
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (get_local_id(0) == 0)
            atomic_fetch_add(count, 1);
        do {
            if (get_local_id(0) == 0)
                last = atomic_load(count);
            barrier(CLK_LOCAL_MEM_FENCE);
            seen = last;
            barrier(CLK_LOCAL_MEM_FENCE);
        } while (seen < get_num_groups(0) * (r + 1));
    }
}

/* The same by flags without an atomic: what is between groups is told by the fence alone. */
kernel void fences(volatile global uint *seen, global uint *a, global uint *b, uint rounds)
{
    uint id = get_global_id(0), all = get_global_size(0), l = get_local_id(0);
    uint n = get_num_groups(0), least;
    local uint last[64];

    for (uint r = 0; r < rounds; r++) {
        ROUND;
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (l == 0)
            seen[get_group_id(0)] = r + 1;
        do {
            last[l] = l < n ? seen[l] : r + 1;
            barrier(CLK_LOCAL_MEM_FENCE);
            least = last[0];
            for (uint i = 1; i < 64; i++)
                least = min(least, last[i]);
            barrier(CLK_LOCAL_MEM_FENCE);
        } while (least <= r);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

/* The loop reads by a function. */
__attribute__((noinline)) uint look(volatile global atomic_uint *count)
{
    return atomic_load(count);
}

kernel void calls(volatile global atomic_uint *count, global uint *a, global uint *b, uint rounds)
{
    uint id = get_global_id(0), all = get_global_size(0);

    for (uint r = 0; r < rounds; r++) {
        ROUND;
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (get_local_id(0) == 0) {
            atomic_fetch_add(count, 1);
            while (look(count) < get_num_groups(0) * (r + 1)) {
            }
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

/* Groups meet by eights. */
kernel void blocks(volatile global atomic_uint *counts, global uint *a, global uint *b, uint step)
{
    uint id = get_global_id(0);

    if (get_local_id(0) == 0) {
        volatile global atomic_uint *count = counts + get_group_id(0) / 8;
        atomic_fetch_add(count, 1);
        while (atomic_load(count) < 8) {
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    b[id] = a[id] + step;
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
    meet(count, get_num_groups(0));
}

#define MORE(x)                                                                                \
    x = x * 5 ^ x >> 7;                                                                        \
    x = x * 9 ^ x >> 11;
#define MORE4(x) MORE(x) MORE(x) MORE(x) MORE(x)
#define MORE64(x)                                                                              \
    MORE4(x) MORE4(x) MORE4(x) MORE4(x) MORE4(x) MORE4(x) MORE4(x) MORE4(x) MORE4(x) MORE4(x)  \
        MORE4(x) MORE4(x) MORE4(x) MORE4(x) MORE4(x) MORE4(x)

/* The loop is long, although most of it is left out as long as it waits. */
kernel void hides(volatile global atomic_uint *count, global uint *a, global uint *b, uint rounds)
{
    uint id = get_global_id(0), all = get_global_size(0);

    for (uint r = 0; r < rounds; r++) {
        uint seen, wanted = get_num_groups(0) * (r + 1);
        ROUND;
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (get_local_id(0) == 0) {
            atomic_fetch_add(count, 1);
            do {
                seen = atomic_load(count);
                if (seen > wanted + all) {
                    MORE64(seen) MORE64(seen) MORE64(seen)
                    a[0] = seen;
                }
            } while (seen < wanted);
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

/* How often it goes round is counted, where a flag is its own. */
kernel void turns(volatile global atomic_uint *flag, global uint *a, global uint *b, uint rounds)
{
    uint id = get_global_id(0), all = get_global_size(0), n = get_num_groups(0);
    uint last = n - 1 - get_group_id(0);

    if (get_local_id(0) == 0)
        for (uint r = 0; r < rounds;)
            if (atomic_load(flag) % n == last) {
                r++;
                atomic_fetch_add(flag, 1);
            }
    barrier(CLK_GLOBAL_MEM_FENCE);
    b[id] = a[id] + rounds;
}
