/* SPDX-License-Identifier: MIT
 *
 * Items next to each other in memory are next to each other along y, or z; what sub-groups do
 * tells of what is along x all the same. */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

#define ROWS()                                                                                 \
    uint r = get_global_id(0), k = get_global_id(1), n = get_global_size(1), at = r * n + k

kernel void moved(global uint *out, global const uint *in, uint more)
{
    ROWS();

    out[at] = 3 * in[at + more] + r;
}

kernel void moved_sizes(global uint *out, global const uint *in, uint more)
{
    size_t r = get_global_id(0), k = get_global_id(1), at = r * get_global_size(1) + k;

    out[at] = 3 * in[at + more] + r;
}

kernel void summed(global uint *out, global const uint *in, uint more)
{
    uint sum = 0;
    ROWS();

    for (uint i = 0; i < n; i++)
        sum += in[(r * n + i + more) & 1023] * in[(i * n + k) & 1023];
    out[at] = sum;
}

/* Threads of a group meet. */
kernel void tiled(global uint *out, global const uint *in, uint more)
{
    local uint tile[256];
    uint i = get_local_id(0), j = get_local_id(1), w = get_local_size(1);
    ROWS();

    tile[i * w + j] = in[at + more];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[at] = tile[i * w + (j + 1) % w] + tile[(i + 1) % get_local_size(0) * w + j];
}

kernel void along_z(global uint *out, global const uint *in, uint more)
{
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    uint at = (x * get_global_size(1) + y) * get_global_size(2) + z;

    out[at] = 3 * in[at + more] + x;
}

__attribute__((reqd_work_group_size(16, 16, 1)))
kernel void of_16(global uint *out, global const uint *in, uint more)
{
    ROWS();

    out[at] = 3 * in[at + more] + r + get_local_id(1);
}

/* Who is in a sub-group: the first channel's ids, its own number, those of all. */
kernel void first_of(global uint *out, global const uint *in, uint more)
{
    ROWS();

    out[at] = in[at + more] + 65536 * sub_group_broadcast(r, 0) + 4096 * sub_group_broadcast(k, 0);
}

kernel void number_of(global uint *out, global const uint *in, uint more)
{
    ROWS();

    out[at] = in[at + more] + 65536 * get_sub_group_local_id();
}

kernel void sub_group_of(global uint *out, global const uint *in, uint more)
{
    ROWS();

    out[at] = in[at + more] + 65536 * get_sub_group_id();
}

kernel void sum_of(global uint *out, global const uint *in, uint more)
{
    ROWS();

    out[at] = in[at + more] + 65536 * sub_group_reduce_add(r + 16 * k);
}

kernel void scan_of(global uint *out, global const uint *in, uint more)
{
    ROWS();

    out[at] = in[at + more] + 65536 * work_group_scan_inclusive_add((uint)get_local_linear_id());
}

kernel void any_of(global uint *out, global const uint *in, uint more)
{
    ROWS();

    out[at] = in[at + more] + 65536 * sub_group_any(k == 3);
}

kernel void block_of(global uint *out, global const uint *in, uint more)
{
    ROWS();

    out[at] = in[at + more] + 65536 * intel_sub_group_block_read(in + more);
}

kernel void block_from(global uint *out, global const uint *in, uint more)
{
    ROWS();

    out[at] = in[at + more];
    intel_sub_group_block_write(out + 2048, r + 16 * k);
}

kernel void shuffled_of(global uint *out, global const uint *in, uint more)
{
    ROWS();

    out[at] = in[at + more] + 65536 * intel_sub_group_shuffle_up(7u, r + 16 * k, 1u);
}

/* Whose partner is in the same sub-group needs no more than its barrier. */
kernel void swapped(global uint *out, global const uint *in, uint more)
{
    local uint place[256];
    uint l = get_local_linear_id();
    ROWS();

    place[l] = in[at + more];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[at] = place[l ^ 4];
}

/* Those of another thread are waited for. */
kernel void waited(global uint *out, global const uint *in, uint more)
{
    volatile global uint *flags = out + 2048;
    ROWS();

    if (k >= 8)
        while (flags[at - 8] == 0)
            ;
    out[at] = in[at + more];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    flags[at] = 1;
}

/* A race within a row. */
kernel void races(global uint *out, global const uint *in, uint more)
{
    ROWS();

    out[at] = in[at + more];
    out[r * n + (k + 2) % n] = 3;
}
