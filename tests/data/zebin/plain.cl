// One argument of each kind, fixed group size, shared local memory.
typedef struct { int x; float y; } pair;

kernel __attribute__((reqd_work_group_size(64, 2, 1)))
void plain(global int *a, local int *l, constant float *c, float4 f, pair s, char ch)
{
    local int t[100];
    int i = get_local_id(0);
    t[i] = i;
    l[i] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = t[i ^ 1] + l[i ^ 3] + (int)c[i] + (int)f.z + s.x + (int)s.y + ch;
}
