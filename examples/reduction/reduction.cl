/* SPDX-License-Identifier: MIT
 *
 * Sums each work-group's part of `in` as a binary tree in shared local memory: in every round
 * the first half of the work-items that are left adds what the second half holds. All
 * work-items take part in all barriers, also those that have nothing left to add.
 *
 * Group g writes its sum to out[g]; launching again on the sums, until one is left, gives the
 * total. The tree fixes the order of the additions, so floats come out the same each time.
 *
 * `scratch` holds one float a work-item; the local size is a power of two.
 */
kernel void reduction(global const float *in, global float *out, uint count,
                      local float *scratch)
{
    uint i = get_global_id(0);
    uint me = get_local_id(0);

    scratch[me] = i < count ? in[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        if (me < half_size)
            scratch[me] += scratch[me + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (me == 0)
        out[get_group_id(0)] = scratch[0];
}
