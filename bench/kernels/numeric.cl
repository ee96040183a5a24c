/* SPDX-License-Identifier: MIT
 *
 * Arithmetic, with few accesses to memory. */
#pragma OPENCL FP_CONTRACT OFF

kernel void nbody(global const float4 *bodies, global float4 *out, int count)
{
    size_t i = get_global_id(0);
    float4 self = bodies[i];
    float3 sum = (float3)(0.0f);

    for (int k = 0; k < count; k++) {
        float4 other = bodies[k];
        float3 d = other.xyz - self.xyz;
        float r = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f);
        sum += d * (other.w * r * r * r);
    }
    out[i] = (float4)(sum, 0.0f);
}

static float normal_cdf(float x)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
    float poly = k * (0.319381530f +
                      k * (-0.356563782f +
                           k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float cdf = 1.0f - 0.39894228f * exp(-0.5f * x * x) * poly;

    return x < 0 ? 1.0f - cdf : cdf;
}

kernel void black_scholes(global const float *prices, global const float *strikes,
                          global const float *years, global float *calls, global float *puts,
                          float rate, float volatility)
{
    size_t i = get_global_id(0);
    float s = prices[i], x = strikes[i], t = years[i];
    float root = volatility * sqrt(t);
    float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / root;
    float discounted = x * exp(-rate * t);
    float c1 = normal_cdf(d1), c2 = normal_cdf(d1 - root);

    calls[i] = s * c1 - discounted * c2;
    puts[i] = discounted * (1.0f - c2) - s * (1.0f - c1);
}

/* Numbers kept as halves. */
kernel void halves(global const half *x, global const half *y, global half *out)
{
    size_t i = get_global_id(0);
    float a = vload_half(i, x), b = vload_half(i, y);

    vstore_half(a * b + 0.5f * (a - b), i, out);
}

/* Points of a generator in a quarter of a circle. */
kernel void monte_carlo(global uint *hits, int points)
{
    size_t i = get_global_id(0);
    ulong state = 0x9e3779b97f4a7c15UL * (i + 1);
    uint count = 0;

    for (int k = 0; k < points; k++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        uint x = (uint)state >> 17, y = (uint)(state >> 32) >> 17;
        count += x * x + y * y < 1u << 30;
    }
    hits[i] = count;
}

constant uint sha_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

/* FIPS 180-4, one block of 64 bytes for each work-item, which is not padded. */
kernel void sha256(global const uint *blocks, global uint *digests)
{
    size_t i = get_global_id(0);
    uint h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint w[16], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], k = h[7];

    for (int t = 0; t < 16; t++)
        w[t] = blocks[i * 16 + t];
    for (int t = 0; t < 64; t++) {
        if (t >= 16) {
            uint x = w[(t + 1) & 15], y = w[(t + 14) & 15];
            uint s0 = rotate(x, 25u) ^ rotate(x, 14u) ^ (x >> 3);
            uint s1 = rotate(y, 15u) ^ rotate(y, 13u) ^ (y >> 10);
            w[t & 15] += s0 + w[(t + 9) & 15] + s1;
        }
        uint t1 = k + (rotate(e, 26u) ^ rotate(e, 21u) ^ rotate(e, 7u)) +
                  ((e & f) ^ (~e & g)) + sha_constants[t] + w[t & 15];
        uint t2 = (rotate(a, 30u) ^ rotate(a, 19u) ^ rotate(a, 10u)) +
                  ((a & b) ^ (a & c) ^ (b & c));
        k = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    uint out[8] = {a, b, c, d, e, f, g, k};
    for (int t = 0; t < 8; t++)
        digests[i * 8 + t] = h[t] + out[t];
}
