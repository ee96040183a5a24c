/* SPDX-License-Identifier: MIT
 *
 * Steps that fewer and fewer work-items take, which the compiler unrolls: a binomial tree. */
kernel void tree(global uint *out, uint first)
{
    local uint a[128], b[128];
    uint t = get_local_id(0);

    a[t] = first + t + get_group_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 127; j > 0; j -= 2) {
        if (t < j)
            b[t] = 2 * a[t + 1] + a[t];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < j - 1)
            a[t] = 2 * b[t + 1] + b[t];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        out[get_group_id(0)] = b[0];
}
