/* Groups that have fewer work-items than their threads have channels. */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

/* Each adds up what the others of its group have, a step at a time. */
__attribute__((intel_reqd_sub_group_size(SIMD))) kernel void sums(global uint *out, uint first, uint step)
{
    local uint t[64];
    uint l = get_local_id(0), size = get_local_size(0);

    t[l] = first + step * (uint)get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 1; i < size; i *= 2) {
        uint sum = t[l];
        if (l >= i)
            sum += t[l - i];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = t[l];
}

/* Work-items go as many rounds as they are far from the end. */
__attribute__((intel_reqd_sub_group_size(SIMD))) kernel void rounds(global uint *out, uint first, uint step)
{
    uint l = get_local_id(0), x = first;

    for (uint i = l; i < get_local_size(0); i++)
        x = i & 1 ? x * 3 + step : x + i;
    if (l % 3 == 1)
        x += 1000;
    out[get_global_id(0)] = x;
}

/* The sub-group's operations look at all channels, whether there are work-items or not. */
__attribute__((intel_reqd_sub_group_size(SIMD))) kernel void across(global uint *out, uint first, uint step)
{
    uint x = first + step * (uint)get_local_id(0);
    uint sum = sub_group_reduce_add(x), most = sub_group_reduce_max(x);
    uint least = sub_group_reduce_min(x), before = sub_group_scan_exclusive_add(x);

    out[get_global_id(0)] = sum + 3 * most + 5 * least + 7 * before +
                            (sub_group_all(x >= first) ? 11 : 0) +
                            (sub_group_any(x < first) ? 13 : 0);
}

/* Neighbours that differ: reversed, with gaps, bytes, halves of a vector, and atomics. */
__attribute__((intel_reqd_sub_group_size(SIMD))) kernel void places(global uint *out, uint first, uint step)
{
    local uint count, t[64];
    local uchar b[64];
    local uint2 p[64];
    uint l = get_local_id(0), size = get_local_size(0), r = size - 1 - l;

    count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[r] = first + l;
    b[l] = (uchar)(step * l);
    p[l] = (uint2)(l, step + r);
    atomic_add(&count, l + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[l] + 1000 * b[r] + p[r].x + p[l / 2].y + 100000 * count;
}

/* More branches than are bearable if control could go from each to all others. */
__attribute__((intel_reqd_sub_group_size(SIMD))) kernel void waves(global uint *out, uint first,
                                                                   uint step)
{
    local uint t[30][42];
    uint l = get_local_id(0);

    t[0][l + 1] = first;
    for (uint y = 0; l == 0 && y < 30; y++)
        t[y][0] = step;
    barrier(CLK_LOCAL_MEM_FENCE);
    __attribute__((opencl_unroll_hint(28))) for (uint m = 0; m < 28; m++)
    {
        if (l <= m)
            t[m - l + 1][l + 1] = max(t[m - l][l + 1], m) + t[m - l + 1][l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = t[l < 28 ? 28 - l : 0][l + 1];
}

__attribute__((noinline)) uint twist(uint x, uint n)
{
    for (uint i = 0; i < n; i++)
        x = x % 3 == 0 ? x / 3 : 2 * x + 1;
    return x;
}

__attribute__((intel_reqd_sub_group_size(SIMD))) kernel void calls(global uint *out, uint first, uint step)
{
    uint l = get_local_id(0), x = first + l;

    if (l % 2 == 0)
        x = twist(x, step);
    out[get_global_id(0)] = twist(x, 3);
}
