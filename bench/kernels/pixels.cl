/* SPDX-License-Identifier: MIT
 *
 * Pictures in buffers. */
#pragma OPENCL FP_CONTRACT OFF

/* Bytes of RGB to planes of Y and, of each 2x2 pixels, U and V. */
kernel void rgb_to_yuv420(global const uchar *rgb, global uchar *luma, global uchar *u,
                          global uchar *v, int width)
{
    int x = get_global_id(0), y = get_global_id(1), red = 0, green = 0, blue = 0;

    for (int k = 0; k < 4; k++) {
        int at = (2 * y + k / 2) * width + 2 * x + k % 2;
        int r = rgb[3 * at], g = rgb[3 * at + 1], b = rgb[3 * at + 2];
        luma[at] = (uchar)(((66 * r + 129 * g + 25 * b + 128) >> 8) + 16);
        red += r;
        green += g;
        blue += b;
    }
    int at = y * (width / 2) + x;
    u[at] = (uchar)(((-38 * red - 74 * green + 112 * blue + 512) >> 10) + 128);
    v[at] = (uchar)(((112 * red - 94 * green - 18 * blue + 512) >> 10) + 128);
}

uchar middle(uchar a, uchar b, uchar c)
{
    return max(min(a, b), min(max(a, b), c));
}

/* Median of 3x3 bytes, clamped at the borders. */
kernel void median3x3(global const uchar *in, global uchar *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    int up = max(y - 1, 0) * width, here = y * width, down = min(y + 1, height - 1) * width;
    uchar low = 0, high = 255, mid[3];

    for (int k = 0; k < 3; k++) {
        int column = clamp(x + k - 1, 0, width - 1);
        uchar a = in[up + column], b = in[here + column], c = in[down + column];
        low = max(low, min(a, min(b, c)));
        high = min(high, max(a, max(b, c)));
        mid[k] = middle(a, b, c);
    }
    out[here + x] = middle(low, middle(mid[0], mid[1], mid[2]), high);
}

/* Bilateral filter of grey floats, clamped at the borders. */
kernel void bilateral(global const float *in, global float *out, int width, int height,
                      int radius, float space, float range)
{
    int x = get_global_id(0), y = get_global_id(1);
    float centre = in[y * width + x], sum = 0, weights = 0;

    for (int dy = -radius; dy <= radius; dy++) {
        for (int dx = -radius; dx <= radius; dx++) {
            float value = in[clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)];
            float off = value - centre;
            float weight = exp(-(float)(dx * dx + dy * dy) * space - off * off * range);
            sum += weight * value;
            weights += weight;
        }
    }
    out[y * width + x] = sum / weights;
}

/* Equalises the histogram of each tile of 32x32 bytes: counts, sums up, maps. */
kernel void equalise_tiles(global const uchar *in, global uchar *out, int width)
{
    local uint counts[256];
    uint l = get_local_id(1) * 32 + get_local_id(0);
    uint first = (get_group_id(1) * 32 + get_local_id(1)) * width + get_global_id(0);

    counts[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 4; k++)
        atomic_inc(&counts[in[first + k * 8 * width]]);
    for (uint step = 1; step < 256; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint before = l >= step ? counts[l - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        counts[l] += before;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 4; k++)
        out[first + k * 8 * width] = (uchar)(counts[in[first + k * 8 * width]] * 255 / 1024);
}

/* Floyd-Steinberg dithering to black and white; a work-item does a tile of 32x32. */
kernel void dither_tiles(global const uchar *in, global uchar *out, int width)
{
    short errors[34];
    int tiles = width / 32, i = get_global_id(0);
    int first = i / tiles * 32 * width + i % tiles * 32;

    for (int x = 0; x < 34; x++)
        errors[x] = 0;
    for (int y = 0; y < 32; y++) {
        int ahead = 0, corner = 0;
        for (int x = 0; x < 32; x++) {
            int value = in[first + y * width + x] + (errors[x + 1] + ahead) / 16;
            int chosen = value < 128 ? 0 : 255, error = value - chosen;
            out[first + y * width + x] = (uchar)chosen;
            errors[x] += 3 * error;
            errors[x + 1] = (short)(5 * error + corner);
            ahead = 7 * error;
            corner = error;
        }
    }
}

/* Labels what is connected within each tile of 16x16: least number spreads until all is still. */
kernel void label_tiles(global const uchar *in, global uint *out, int width, uint threshold)
{
    local uint labels[18 * 18];
    local int changed;
    uint x = get_local_id(0), y = get_local_id(1), l = y * 16 + x, at = (y + 1) * 18 + x + 1;
    uint pixel = get_global_id(1) * width + get_global_id(0);
    bool set = in[pixel] >= threshold;
    int again;

    for (uint i = l; i < 18 * 18; i += 256)
        labels[i] = UINT_MAX;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint mine = set ? l : UINT_MAX;
    labels[at] = mine;
    do {
        if (l == 0)
            changed = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint beside = min(labels[at - 1], labels[at + 1]);
        uint least = min(beside, min(labels[at - 18], labels[at + 18]));
        barrier(CLK_LOCAL_MEM_FENCE);
        if (set && least < mine) {
            labels[at] = mine = least;
            atomic_or(&changed, 1);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        again = changed;
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (again);
    out[pixel] = mine;
}
