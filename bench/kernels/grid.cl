/* SPDX-License-Identifier: MIT
 *
 * Grids and pictures. */
#pragma OPENCL FP_CONTRACT OFF

/* One step of heat in a plate with a border of one cell. */
kernel void stencil(global const float *in, global float *out, int pitch)
{
    int at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1;

    out[at] = 0.5f * in[at] +
              0.125f * (in[at - 1] + in[at + 1] + in[at - pitch] + in[at + pitch]);
}

constant int weights[5] = {1, 4, 6, 4, 1};

/* 5 by 5 over bytes; the borders are repeated. */
kernel void blur(global const uchar *in, global uchar *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    int sum = 0;

    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int row = clamp(y + dy, 0, height - 1), column = clamp(x + dx, 0, width - 1);
            sum += weights[dy + 2] * weights[dx + 2] * in[row * width + column];
        }
    out[y * width + x] = (sum + 128) >> 8;
}

kernel void mandelbrot(global int *out, int width, float step, int most)
{
    int x = get_global_id(0), y = get_global_id(1);
    float cr = x * step - 2.0f, ci = y * step - 1.25f;
    float zr = 0, zi = 0;
    int n = 0;

    while (n < most && zr * zr + zi * zi <= 4.0f) {
        float t = zr * zr - zi * zi + cr;
        zi = 2.0f * zr * zi + ci;
        zr = t;
        n++;
    }
    out[y * width + x] = n;
}
