/* SPDX-License-Identifier: MIT */
/* printf: its text, lines in any order, and that the rest goes on as before. */

kernel void print_few(global const int *a, global int *o)
{
    uint i = get_global_id(0);

    if (a[i] > 90)
        printf("work-item %u has %d and %s\n", i, a[i], a[i] & 1 ? "is odd" : "is even");
    o[i] = a[i] + 1;
}

kernel void print_types(global const float *f, global int *o, long q)
{
    uint i = get_global_id(0);
    local int t[64];

    t[get_local_id(0)] = i;
    printf("%u: %f %lx %c %d%%\n", i, f[i], q, 'x', o == 0);
    printf("%hhd %hd %5.2e %+08d %-6s| %.3g %#x\n", (char)(i * 9), (short)(i * 3001), f[i], i,
           "left", f[i] * 1e6f, i);
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = t[get_local_size(0) - 1 - get_local_id(0)];
}

kernel void print_vectors(global const float *f, global int *o)
{
    uint i = get_global_id(0);
    float4 v = (float4)(f[i], 1.0f, -2.0f, 1e9f);
    int3 n = (int3)(i, -1, i * i);
    uchar8 b = (uchar8)(i, 1, 2, 3, 127, 128, 254, 255);
    short2 s = (short2)(-i, i * 999);
    ulong2 l = (ulong2)(i, ~0ul);

    printf("%u %v4hlf %v3hld %v8hhu %v2hd %v2lx %.1v4hle\n", i, v, n, b, s, l, v);
    o[i] = n.z;
}

/* Branches that diverge, in a loop: each work-item prints another number of lines. */
kernel void print_loop(global int *o)
{
    int i = get_global_id(0);

    for (int j = 0; j < i % 5; j++)
        if (j != 2)
            printf("%d.%d\n", i, j);
    if (i == 3)
        printf("no argument\n");
    o[i] = i;
}

#ifdef HALFS
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void print_halfs(global const ushort *a, global int *o)
{
    uint i = get_global_id(0);
    half h = as_half(a[i]);
    half2 v = (half2)(h, h + 1.0h);

    printf("%u %f %v2hf\n", i, h, v);
    o[i] = a[i];
}
#endif

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void print_doubles(global const double *d, global int *o)
{
    uint i = get_global_id(0);

    printf("%u %.17g %e %v2lf\n", i, d[i], d[i] * 1e300, (double2)(d[i], -d[i]));
    o[i] = i;
}
#endif
