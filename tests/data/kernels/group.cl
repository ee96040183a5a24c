/* SPDX-License-Identifier: MIT */
/* Work-group algorithms: local memory and barriers, also inside loops. */

kernel void scan(global const int *a, global int *o, local int *t)
{
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);

    t[l] = a[i];
    for (uint d = 1; d < n; d <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int v = l >= d ? t[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += v;
    }
    o[i] = t[l];
}

/* Up and down the tree; the number of work-items is a power of two. */
kernel void scan_tree(global const uint *a, global uint *o, global uint *sums)
{
    local uint t[256];
    uint l = get_local_id(0), n = get_local_size(0), base = get_group_id(0) * 2 * n;
    uint step = 1;

    t[2 * l] = a[base + 2 * l];
    t[2 * l + 1] = a[base + 2 * l + 1];
    for (uint d = n; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            t[step * (2 * l + 2) - 1] += t[step * (2 * l + 1) - 1];
        step *= 2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        sums[get_group_id(0)] = t[2 * n - 1];
        t[2 * n - 1] = 0;
    }
    for (uint d = 1; d < 2 * n; d *= 2) {
        step >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            uint left = step * (2 * l + 1) - 1, right = step * (2 * l + 2) - 1;
            uint v = t[left];
            t[left] = t[right];
            t[right] += v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    o[base + 2 * l] = t[2 * l];
    o[base + 2 * l + 1] = t[2 * l + 1];
}

kernel void bitonic(global const uint *a, global uint *o)
{
    local uint t[128];
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);

    t[l] = a[i];
    for (uint k = 2; k <= n; k <<= 1) {
        for (uint j = k >> 1; j > 0; j >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint other = l ^ j;
            if (other > l) {
                uint x = t[l], y = t[other];
                if ((x > y) == ((l & k) == 0)) {
                    t[l] = y;
                    t[other] = x;
                }
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = t[l];
}

#define TILE 8
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
transpose(global const float *a, global float *o, uint width, uint height)
{
    local float t[TILE][TILE + 1];
    uint x = get_global_id(0), y = get_global_id(1);
    uint lx = get_local_id(0), ly = get_local_id(1);

    if (x < width && y < height)
        t[ly][lx] = a[y * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + lx;
    y = get_group_id(0) * TILE + ly;
    if (x < height && y < width)
        o[y * height + x] = t[lx][ly];
}

kernel void histogram(global const uchar *a, global uint *bins, uint n)
{
    local uint t[32];
    uint l = get_local_id(0);

    for (uint k = l; k < 32; k += get_local_size(0))
        t[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = get_global_id(0); k < n; k += get_global_size(0))
        atomic_inc(&t[a[k] >> 3]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = l; k < 32; k += get_local_size(0))
        atomic_add(bins + k, t[k]);
}

/* Any number of work-items; float sums in one order whoever runs it. */
kernel void reduce(global const float *a, global float *o, local float *t, uint n)
{
#pragma OPENCL FP_CONTRACT OFF
    uint l = get_local_id(0), size = get_local_size(0);
    float sum = 0;

    for (uint k = get_global_id(0); k < n; k += get_global_size(0))
        sum += a[k];
    t[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (size > 1) {
        uint half_size = (size + 1) / 2;
        if (l < size / 2)
            t[l] += t[l + half_size];
        size = half_size;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        o[get_group_id(0)] = t[0];
}

/* Argument of the minimum, with vectors and a structure in local memory. */
struct best {
    int value;
    uint at;
};

kernel void minimum(global const int4 *a, global struct best *o, local struct best *t)
{
    uint i = get_global_id(0), l = get_local_id(0);
    int4 v = a[i];
    struct best b = {v.x, 4 * i};

    if (v.y < b.value)
        b = (struct best){v.y, 4 * i + 1};
    if (v.z < b.value)
        b = (struct best){v.z, 4 * i + 2};
    if (v.w < b.value)
        b = (struct best){v.w, 4 * i + 3};
    t[l] = b;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        for (uint k = 1; k < get_local_size(0); k++)
            if (t[k].value < b.value)
                b = t[k];
        o[get_group_id(0)] = b;
    }
}

/* Stencil over tiles with a border; several rounds between barriers. */
kernel void smooth(global const float *a, global float *o, int n, int rounds)
{
    local float t[2][66];
    int i = get_global_id(0), l = get_local_id(0), size = get_local_size(0);
    int from = 0;

    t[0][l + 1] = a[i];
    if (l == 0)
        t[0][0] = t[1][0] = i ? a[i - 1] : 0.0f;
    if (l == size - 1)
        t[0][size + 1] = t[1][size + 1] = i + 1 < n ? a[i + 1] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < rounds; r++) {
        t[!from][l + 1] = 0.25f * t[from][l] + 0.5f * t[from][l + 1] + 0.25f * t[from][l + 2];
        from = !from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[i] = t[from][l + 1];
}

/* Messages through global memory in one group. */
kernel void relay(global int *a, uint rounds)
{
    uint l = get_local_id(0), n = get_local_size(0);

    for (uint r = 0; r < rounds; r++) {
        int v = a[(l + 1) % n];
        barrier(CLK_GLOBAL_MEM_FENCE);
        a[l] = v * 3 + (int)l;
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    }
}

kernel void copy_async(global const int *a, global int *o, local int *t)
{
    uint l = get_local_id(0), n = get_local_size(0), g = get_group_id(0);
    event_t e = async_work_group_copy(t, a + g * n, n, 0);

    e = async_work_group_strided_copy(t + n, a + g * n, n / 2, 2, e);
    wait_group_events(1, &e);
    int v = t[n - 1 - l] + t[n + l / 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(o + g * n, t, n, 0);
    wait_group_events(1, &e);
}
