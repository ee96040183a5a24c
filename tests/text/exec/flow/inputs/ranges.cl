/* SPDX-License-Identifier: MIT
 *
 * Forty ranges one behind the other, of which each work-item leaves some out: as many loops that
 * diverge, with loads in them. */
kernel void ranges(global const uint4 *in, global const uint *ends, global uint *out)
{
    uint i = get_global_id(0), sum = 0;

#pragma unroll
    for (uint k = 0; k < 40; k++)
        if (ends[i + k] % 3)
            for (uint j = ends[i + k]; j < ends[i + k] + (i + k) % 4; j++)
                sum += (in[j].x ^ in[j].z) * (k + 1) + in[j].y;
    out[i] = sum;
}
