/* SPDX-License-Identifier: MIT
 *
 * Adds two vectors. The launch is rounded up to whole work-groups, so the last ones have
 * work-items beyond `count`; the test below switches those channels off.
 */
kernel void vector_add(global const float *a, global const float *b, global float *sum,
                       uint count)
{
    uint i = get_global_id(0);

    if (i < count)
        sum[i] = a[i] + b[i];
}
