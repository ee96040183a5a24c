/* SPDX-License-Identifier: MIT
 *
 * Filters and transforms. */
#pragma OPENCL FP_CONTRACT OFF

/* FIR filter of 64 taps; the group loads its samples and those beside them first. */
kernel void fir_local(global const float *in, constant float *taps, global float *out)
{
    local float samples[256 + 63];
    int l = get_local_id(0);
    size_t first = get_group_id(0) * 256;
    float sum = 0;

    for (int k = l; k < 256 + 63; k += 256)
        samples[k] = in[first + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 64; k++)
        sum += taps[k] * samples[l + k];
    out[first + l] = sum;
}

/* 4 biquads after each other, a channel a work-item, samples of channels interleaved. */
kernel void biquad_bank(global const float *in, global const float *coefficients,
                        global float *out, int channels, int samples)
{
    float c[4][5], first[4], second[4];
    int channel = get_global_id(0);

    for (int k = 0; k < 4; k++) {
        for (int m = 0; m < 5; m++)
            c[k][m] = coefficients[(k * 5 + m) * channels + channel];
        first[k] = second[k] = 0;
    }
    for (int t = 0; t < samples; t++) {
        float x = in[t * channels + channel];
        for (int k = 0; k < 4; k++) {
            float y = c[k][0] * x + first[k];
            first[k] = c[k][1] * x - c[k][3] * y + second[k];
            second[k] = c[k][2] * x - c[k][4] * y;
            x = y;
        }
        out[t * channels + channel] = x;
    }
}

float2 times(float2 a, float2 b)
{
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/* Fourier transform of 256 complex numbers, a group of 64 each: radix 4, after Stockham. */
kernel void fft_local(global const float2 *in, global float2 *out)
{
    local float2 data[256];
    int l = get_local_id(0);
    size_t base = get_group_id(0) * 256;
    float2 v[4];

    for (int k = 0; k < 4; k++)
        v[k] = in[base + k * 64 + l];
    for (int size = 1; size < 256; size *= 4) {
        int at = l & (size - 1), to = (l - at) * 4 + at;
        float angle = -1.57079633f * at / size;
        float2 w = (float2)(cos(angle), sin(angle)), square = times(w, w);
        v[1] = times(v[1], w);
        v[2] = times(v[2], square);
        v[3] = times(v[3], times(square, w));
        float2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3];
        d = (float2)(d.y, -d.x);
        data[to] = a + c;
        data[to + size] = b + d;
        data[to + 2 * size] = a - c;
        data[to + 3 * size] = b - d;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 4; k++)
            v[k] = data[k * 64 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = 0; k < 4; k++)
        out[base + k * 64 + l] = v[k];
}

constant short cosines[8][8] = {
    {1448, 1448, 1448, 1448, 1448, 1448, 1448, 1448},
    {2009, 1703, 1138, 400, -400, -1138, -1703, -2009},
    {1892, 784, -784, -1892, -1892, -784, 784, 1892},
    {1703, -400, -2009, -1138, 1138, 2009, 400, -1703},
    {1448, -1448, -1448, 1448, 1448, -1448, -1448, 1448},
    {1138, -2009, 400, 1703, -1703, -400, 2009, -1138},
    {784, -1892, 1892, -784, -784, 1892, -1892, 784},
    {400, -1138, 1703, -2009, 2009, -1703, 1138, -400}};

/* Cosine transform of 8x8 bytes a group, by whole numbers, then divided by a table. */
kernel void dct_blocks(global const uchar *in, global const uchar *divisors, global short *out,
                       int width)
{
    local int block[8][8], half_done[8][8];
    int x = get_local_id(0), y = get_local_id(1);
    int at = get_global_id(1) * width + get_global_id(0), sum = 0;

    block[y][x] = in[at] - 128;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++)
        sum += cosines[x][k] * block[y][k];
    half_done[y][x] = (sum + 128) >> 8;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0;
    for (int k = 0; k < 8; k++)
        sum += cosines[y][k] * half_done[k][x];
    out[at] = (short)(((sum + 32768) >> 16) / (divisors[y * 8 + x] + 1));
}

/* Haar wavelets of 256 shorts a group, all levels, by whole numbers. */
kernel void haar_levels(global const short *in, global int *out)
{
    local int s[256];
    int l = get_local_id(0);
    size_t base = get_group_id(0) * 256;

    s[l] = in[base + l];
    s[l + 128] = in[base + 128 + l];
    for (int n = 128; n > 0; n /= 2) {
        int mean = 0, difference = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < n) {
            difference = s[2 * l] - s[2 * l + 1];
            mean = s[2 * l + 1] + (difference >> 1);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < n) {
            s[l] = mean;
            s[n + l] = difference;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + l] = s[l];
    out[base + 128 + l] = s[l + 128];
}

/* Correlation of each frame of shorts with itself, a lag a work-item. */
kernel void autocorr(global const short *in, global long *out, int length)
{
    int lag = get_global_id(0), lags = get_global_size(0), frame = get_global_id(1);
    long sum = 0;

    in += frame * length;
    for (int t = 0; t < length - lag; t++)
        sum += in[t] * in[t + lag];
    out[frame * lags + lag] = sum;
}
