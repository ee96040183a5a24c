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

kernel void clamped_words(global uint *out, global const ushort *in, int start, int least, int most)
{
    uint i = get_global_id(0);

    out[i] = in[max(min((int)(i + (uint)start), most), least)];
}

kernel void clamped_pairs(global uint *out, global const uint2 *in, int start, int least, int most)
{
    uint i = get_global_id(0);
    uint2 pair = in[clamp((int)(i + (uint)start), least, most)];

    out[i] = pair.x + 5 * pair.y;
}

/* Others than those that are clamped stay in registers. */
kernel void clamped_beside(global uint *out, global const uchar *in, int start, int least, int most)
{
    uint i = get_global_id(0);
    int at = (int)(i + (uint)start);
    uint own = in[i], one = in[clamp(at, least, most)];

    out[i] = 65536 * own + one + 256 * in[clamp(at ^ 1, least, most)];
}

/* Many that are constants apart, with limits and without. */
kernel void taps(global uint *out, global const uint *in, int start, int least, int most)
{
    uint i = get_global_id(0), sum = 0;

    for (uint n = 0; n < 8; n++)
        sum += (2 * n + 1) * in[clamp((int)(i + (uint)start + 3 * n - 7), least, most)];
    out[i] = sum;
}

kernel void bare_taps(global uint *out, global const uint *in, int start)
{
    uint i = get_global_id(0), sum = 0;

    for (uint n = 0; n < 8; n++)
        sum += (2 * n + 1) * in[(int)(i + (uint)start + n)];
    out[i] = sum;
}

/* Sums of bytes, of which bits in the middle are kept: of the low 16, and of more. */
kernel void middle_bits(global uchar *out, global const uchar *in, int start, uint by)
{
    uint i = get_global_id(0), size = get_global_size(0);
    uint a = in[i], b = in[i + (uint)start], c = in[i + 5], d = in[i ^ 1];

    out[i] = (7 * a * b + 200 * c - d + 128) >> 8;
    out[size + i] = (a * b * c + d) >> 9;
    out[2 * size + i] = ((int)a - 40 * (int)b) >> 4;
    out[3 * size + i] = ((a << 7) * b + (c << 12) - (d ^ by)) >> 8;
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

kernel void wrapped_taps(global uint *out, global const uint *in, int start, int least)
{
    uint i = get_global_id(0), sum = 0;

    for (uint n = 0; n < 8; n++)
        sum += (2 * n + 1) * in[((uint)max((int)(i + (uint)start + n), least) - (uint)start) & 1023];
    out[i] = sum;
}

/* Rows that begin where arguments say. */
kernel void six_rows(global uint *out, global const uint *in, int a, int b, int c, int d, int e,
                     int f)
{
    int i = get_global_id(0);

    out[i] = in[i + a] + 3 * in[i + b] + 5 * in[i + c] + 7 * in[i + d] + 11 * in[i + e] + 13 * in[i + f];
}

/* A picture, moved; beyond its edges are these. */
#define MOVED(name, type)                                                                        \
    kernel void name(global uint *out, global const type *in, int width, int height, int dx,     \
                     int dy)                                                                     \
    {                                                                                            \
        int x = clamp((int)get_global_id(0) + dx, 0, width - 1);                                 \
        int y = clamp((int)get_global_id(1) + dy, 0, height - 1);                                \
                                                                                                 \
        out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = in[y * width + x];       \
    }
MOVED(moved_bytes, uchar)
MOVED(moved_words, ushort)
MOVED(moved, uint)
