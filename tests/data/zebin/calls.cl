// Two kernels, stack calls, an array in private memory.
__attribute__((noinline)) int twice(int x, global int *p)
{
    int sum = x;
    for (int i = 0; i < x; i++)
        sum += p[i] * sum;
    return sum;
}

kernel __attribute__((intel_reqd_sub_group_size(16))) void first(global int *p)
{
    p[get_global_id(0)] = twice(p[0], p);
}

kernel __attribute__((intel_reqd_sub_group_size(8))) void second(global int *p, int n)
{
    int kept[64];
    for (int i = 0; i < 64; i++)
        kept[i] = p[i];
    for (int i = 0; i < n; i++)
        kept[p[i] & 63] += i;
    p[n] = twice(kept[n & 63], p);
}
