// A function reached by an indirect call that asks for ids and sizes: its caller cannot pass them,
// so it finds them in memory. To be compiled with -igc_opts 'FunctionControl=4'.
__attribute__((noinline)) int describe(int x)
{
    return x + get_local_id(0) + get_local_id(1) * 100 + get_local_id(2) * 10000 +
           get_work_dim() * 1000000 + get_local_size(0) * 10000000 + get_group_id(1) * 100000000;
}

kernel void indirect(global int *o)
{
    int i = get_global_id(0) +
            get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));
    o[i] = describe(i & 7);
}
