/* SPDX-License-Identifier: MIT
 *
 * Kernels that only large.def has. */
#pragma OPENCL FP_CONTRACT OFF

kernel void triad(global const float *b, global const float *c, global float *a, float scale)
{
    size_t i = get_global_id(0);

    a[i] = b[i] + scale * c[i];
}

/* One radix-2 step after Stockham over pairs of floats; `span` is the length of what the step
 * before has transformed. */
kernel void fft_step(global const float2 *in, global float2 *out, uint span)
{
    uint i = get_global_id(0), k = i & (span - 1);
    float2 a = in[i], b = in[i + get_global_size(0)];
    float angle = -3.14159265f * (float)k / (float)span;
    float c = native_cos(angle), s = native_sin(angle);
    float2 t = (float2)(b.x * c - b.y * s, b.x * s + b.y * c);
    uint to = ((i - k) << 1) + k;

    out[to] = a + t;
    out[to + span] = a - t;
}

/* 16 numbers kept as halves with 16 weights, summed as floats. */
kernel void convolve_half(global const half *in, global const half *weights, global half *out)
{
    size_t i = get_global_id(0);
    float sum = 0;

    for (int k = 0; k < 16; k++)
        sum += vload_half(i + k, in) * vload_half(k, weights);
    vstore_half(sum, i, out);
}

/* Hardly any work: what is measured is the launch. */
kernel void tiny(global uint *out)
{
    out[get_global_id(0)] += 1;
}
