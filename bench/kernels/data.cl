/* SPDX-License-Identifier: MIT
 *
 * Searching, sorting, sums over groups, counting. */

/* How many of the sorted numbers are below each key. */
kernel void search(global const uint *numbers, global const uint *keys, global uint *out,
                   uint count)
{
    size_t i = get_global_id(0);
    uint low = 0, high = count;

    while (low < high) {
        uint middle = (low + high) / 2;
        if (numbers[middle] < keys[i])
            low = middle + 1;
        else
            high = middle;
    }
    out[i] = low;
}

/* One step of a bitonic sort; a work-item for each pair. */
kernel void bitonic(global uint *numbers, uint distance, uint block)
{
    uint i = get_global_id(0);
    uint low = (i & ~(distance - 1)) * 2 + (i & (distance - 1));
    uint a = numbers[low], b = numbers[low + distance];
    bool up = (low & block) == 0;

    if ((a > b) == up) {
        numbers[low] = b;
        numbers[low + distance] = a;
    }
}

kernel void reduce(global const float *in, global float *out, local float *sums)
{
    uint l = get_local_id(0);

    sums[l] = in[get_global_id(0)];
    for (uint half_of = get_local_size(0) / 2; half_of > 0; half_of /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < half_of)
            sums[l] += sums[l + half_of];
    }
    if (l == 0)
        out[get_group_id(0)] = sums[0];
}

/* Sums up to each number of a group, after Hillis and Steele. */
kernel void scan(global const uint *in, global uint *out, local uint *sums)
{
    uint l = get_local_id(0), n = get_local_size(0);

    sums[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < n; step *= 2) {
        uint before = l >= step ? sums[l - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[l] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sums[l];
}

/* 256 bins, first in local memory; 8 bytes for each work-item. */
kernel void histogram(global const uchar *in, global uint *bins)
{
    local uint counts[256];
    uint l = get_local_id(0), n = get_local_size(0);

    for (uint i = l; i < 256; i += n)
        counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 8; k++)
        atomic_inc(&counts[in[k * get_global_size(0) + get_global_id(0)]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = l; i < 256; i += n)
        atomic_add(&bins[i], counts[i]);
}

/* Atomics on global memory. */
kernel void extremes(global const int *in, global const uint *keys, global int *least,
                     global int *greatest, global uint *hits)
{
    size_t i = get_global_id(0);
    uint key = keys[i];

    atomic_min(&least[key], in[i]);
    atomic_max(&greatest[key], in[i]);
    atomic_inc(&hits[key]);
}
