/* SPDX-License-Identifier: MIT
 *
 * How many steps of z := z * z + c each point c of the picture takes to leave the circle of
 * radius 2, at most `limit`. Neighbours leave after different numbers of steps: the channels
 * of one thread drop out of the loop one by one, and the thread goes on until the last.
 *
 * Contraction is off and the one fused operation is written out, so that each rounding is
 * what the source says and the result can be compared to the bit.
 */
#pragma OPENCL FP_CONTRACT OFF

kernel void mandelbrot(global ushort *steps, float left, float top, float pitch, uint limit)
{
    uint x = get_global_id(0);
    uint y = get_global_id(1);
    float cr = fma((float)x, pitch, left);
    float ci = fma((float)y, pitch, top);
    float zr = 0.0f, zi = 0.0f;
    float zr2 = 0.0f, zi2 = 0.0f; /* squares of zr and zi */
    uint n = 0;

    while (n < limit && zr2 + zi2 <= 4.0f) {
        zi = fma(zr + zr, zi, ci);
        zr = zr2 - zi2 + cr;
        zr2 = zr * zr;
        zi2 = zi * zi;
        n++;
    }
    steps[y * get_global_size(0) + x] = (ushort)n;
}
