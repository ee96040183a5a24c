// Kernels for the tests of launches: each shows one thing that a thread finds when it starts, or
// one way to stop a run.

// By-value arguments of many sizes.
kernel void values(char a, short b, int c, long d, float e, char3 f, int3 g, float16 h, uint8 u,
                   global int *o)
{
    int i = get_global_id(0) * 10;
    o[i] = a;
    o[i + 1] = b;
    o[i + 2] = c;
    o[i + 3] = (int)(d >> 32);
    o[i + 4] = (int)e;
    o[i + 5] = f.z;
    o[i + 6] = g.y;
    o[i + 7] = (int)h.sf;
    o[i + 8] = (int)u.s7;
    o[i + 9] = (int)d;
}

// Every id and size, 20 numbers a work-item in the order of the global linear id.
kernel void where(global uint *o)
{
    size_t item = get_global_id(0) - get_global_offset(0) +
                  get_global_size(0) * (get_global_id(1) - get_global_offset(1) +
                                        get_global_size(1) *
                                            (get_global_id(2) - get_global_offset(2)));
    o += item * 20;
    for (uint d = 0; d < 3; d++) {
        o[d] = get_global_id(d);
        o[3 + d] = get_local_id(d);
        o[6 + d] = get_group_id(d);
        o[9 + d] = get_global_size(d);
        o[12 + d] = get_local_size(d);
        o[15 + d] = get_num_groups(d);
    }
    o[18] = get_work_dim();
    o[19] = get_sub_group_local_id();
}

// Local arguments behind local memory of the kernel's own.
kernel void locals(global float4 *o, local char *a, local float4 *b, local int *c)
{
    local char s[5];
    int l = get_local_id(0);
    if (l < 5)
        s[l] = (char)l;
    a[l] = (char)(l + 1);
    b[l] = (float4)(l, 2, 3, 4);
    c[l] = l * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    int r = get_local_size(0) - 1 - l;
    o[get_global_id(0)] = b[r] + (float4)(a[r], s[l % 5], c[r], 0);
}

// Work-items before `first` leave, the others wait for them.
kernel void leave(global int *o, int first)
{
    int l = get_local_id(0);
    if (l < first)
        return;
    o[l] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    o[l] += 1;
}

// Never ends while o[0] is 0.
kernel void spin(volatile global int *o)
{
    while (o[0] == 0)
        ;
    o[1 + get_global_id(0)] = o[0];
}

// Work-item `wrong` writes far away.
kernel void stray(global char *o, ulong wrong, ulong distance)
{
    ulong i = get_global_id(0);
    o[i == wrong ? distance : i] = 1;
}

// Sums of groups, through local memory and an atomic.
kernel void sums(global const int *a, global int *o, global int *total, local int *t)
{
    int l = get_local_id(0);
    t[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = get_local_size(0) / 2; k > 0; k /= 2) {
        if (l < k)
            t[l] += t[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) {
        o[get_group_id(0)] = t[0];
        atomic_add(total, t[0]);
    }
}

// An array in private memory. n: 1 to 64.
kernel void reversed(global int *a, int n)
{
    int kept[64];
    int i = get_global_id(0);
    for (int k = 0; k < n; k++)
        kept[a[i * n + k] & 63] = k;
    for (int k = 0; k < n; k++)
        a[i * n + k] = kept[k] + i * 100;
}

// A variable of the program, seen by all of its launches.
global int counter = 40;
kernel void count(global int *o)
{
    if (get_global_id(0) == 0)
        o[0] = counter += 2;
}

kernel __attribute__((reqd_work_group_size(8, 2, 1))) void fixed(global int *o)
{
    o[get_global_id(0)] = get_local_size(0) * 10 + get_local_size(1);
}
