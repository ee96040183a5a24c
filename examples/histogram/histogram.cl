/* SPDX-License-Identifier: MIT
 *
 * Counts how often each byte value occurs. A work-group counts in shared local memory first,
 * where atomic additions are cheap, then adds its 256 counts to the global ones, again with
 * atomics. Integer additions commute, so the result does not depend on who comes first.
 *
 * `bins` are 256 zeros at the start. Each work-item looks at `count` / global size bytes, one
 * launch width apart, so that neighbours read neighbouring bytes.
 */
#define BINS 256

kernel void histogram(global const uchar *bytes, global uint *bins, uint count)
{
    local uint group_bins[BINS];

    for (uint k = get_local_id(0); k < BINS; k += get_local_size(0))
        group_bins[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        atomic_inc(&group_bins[bytes[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint k = get_local_id(0); k < BINS; k += get_local_size(0))
        if (group_bins[k] != 0)
            atomic_add(&bins[k], group_bins[k]);
}
