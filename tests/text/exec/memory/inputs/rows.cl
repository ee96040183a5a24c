/* SPDX-License-Identifier: MIT
 *
 * Indices that follow each other from work-item to work-item, unless they are clamped, wrap
 * around, or cross the multiple of a power of two. */
kernel void clamped(global uint *out, global const uint *in, int start, int least, int most)
{
    uint i = get_global_id(0);
    int at = (int)(i + (uint)start), near = (int)(i + (uint)start + 3);

    out[i] = in[clamp(at, least, most)] + 3 * in[clamp(near, least, most)];
}

kernel void clamped_bytes(global uint *out, global const uchar *in, int start, int least, int most)
{
    uint i = get_global_id(0);

    out[i] = in[max(min((int)(i + (uint)start), most), least)];
}

/* Others than those that are clamped stay in registers. */
kernel void clamped_beside(global uint *out, global const uchar *in, int start, int least, int most)
{
    uint i = get_global_id(0);
    int at = (int)(i + (uint)start);
    uint own = in[i], one = in[clamp(at, least, most)];

    out[i] = 65536 * own + one + 256 * in[clamp(at ^ 1, least, most)];
}

kernel void unsigned_clamped(global uint *out, global const uint *in, int start, int least,
                             int most)
{
    uint i = get_global_id(0);

    out[i] = in[clamp(i + (uint)start, (uint)least, (uint)most)];
}

/* From the last one down. */
kernel void backwards(global uint *out, global const uint *in, int start, int least, int most)
{
    uint i = get_global_id(0);

    out[i] = in[clamp((int)((uint)start - i), least, most)];
}

kernel void some(global uint *out, global const uint *in, int start, int least, int most)
{
    uint i = get_global_id(0);

    if (i % 5 != 2)
        out[i] = in[clamp((int)(i + (uint)start), least, most)];
}

/* All write the same where they meet. */
kernel void stores(global uint *out, int start, int least, int most)
{
    out[clamp((int)(get_global_id(0) + (uint)start), least, most)] = 7;
}

/* Moves halves of blocks; `d` need not be a power of two. */
kernel void blocks(global uint *out, global const uint *in, uint d)
{
    uint i = get_global_id(0), low = (i & -d) * 2 + (i & (d - 1));

    out[low] = in[low + d];
}

kernel void low_bits(global uint *out, global const uint *in, uint d)
{
    uint i = get_global_id(0);

    out[i] = in[i & (d - 1)] + 5 * in[i & 63] + 7 * in[i & 12];
}

kernel void high_bits(global uint *out, global const uint *in, uint d)
{
    uint i = get_global_id(0);

    out[i] = in[i & -d] + 5 * in[i & ~15u] + 7 * in[i & ~3u];
}

/* Rows that begin anywhere. */
kernel void shifted_bits(global uint *out, global const uint *in, int start, uint d)
{
    uint i = get_global_id(0) + (uint)start;

    out[get_global_id(0)] = in[i & (d - 1)] + 5 * in[i & 63] + 7 * in[i & -d & 511];
}

/* One limit alone. */
kernel void wrapped(global uint *out, global const uint *in, int start, int least)
{
    uint i = get_global_id(0);

    out[i] = in[((uint)max((int)(i + (uint)start), least) - (uint)start) & 1023] +
             3 * in[((uint)min((int)(i + (uint)start), -least) - (uint)start) & 1023];
}
