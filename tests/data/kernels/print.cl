/* SPDX-License-Identifier: MIT */
/* printf: what it prints is the driver's; that the rest goes on as before is tested. */

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
    float4 v = (float4)(f[i], 1.0f, 2.0f, 3.0f);
    local int t[64];

    t[get_local_id(0)] = i;
    printf("%f %v4f %lx %c %p %%\n", f[i], v, q, 'x', o);
    printf("%hhd %hd %5.2e\n", (char)i, (short)i, v.x);
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = t[get_local_size(0) - 1 - get_local_id(0)];
}
