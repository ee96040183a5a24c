/* SPDX-License-Identifier: MIT */
/* Small programs as one meets them. */

constant uint sha_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#define ROR(x, n) rotate((x), 32u - (n))

/* SHA-256 of messages of up to 55 bytes: message i begins at text + 16 i. */
kernel void sha256(global const uchar *text, global const uint *length, global uint *o)
{
    uint i = get_global_id(0), n = length[i];
    uint w[64];
    uint h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    for (uint k = 0; k < 16; k++) {
        uint word = 0;
        for (uint b = 4 * k; b < 4 * k + 4; b++)
            word = word << 8 | (b < n ? text[16 * i + b] : b == n ? 0x80 : 0);
        w[k] = word;
    }
    w[15] = n * 8;
    for (uint k = 16; k < 64; k++) {
        uint s0 = ROR(w[k - 15], 7u) ^ ROR(w[k - 15], 18u) ^ w[k - 15] >> 3;
        uint s1 = ROR(w[k - 2], 17u) ^ ROR(w[k - 2], 19u) ^ w[k - 2] >> 10;
        w[k] = w[k - 16] + s0 + w[k - 7] + s1;
    }
    uint v[8];
    for (uint k = 0; k < 8; k++)
        v[k] = h[k];
    for (uint k = 0; k < 64; k++) {
        uint s1 = ROR(v[4], 6u) ^ ROR(v[4], 11u) ^ ROR(v[4], 25u);
        uint t1 = v[7] + s1 + bitselect(v[6], v[5], v[4]) + sha_k[k] + w[k];
        uint s0 = ROR(v[0], 2u) ^ ROR(v[0], 13u) ^ ROR(v[0], 22u);
        uint t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        v[7] = v[6], v[6] = v[5], v[5] = v[4], v[4] = v[3] + t1;
        v[3] = v[2], v[2] = v[1], v[1] = v[0], v[0] = t1 + t2;
    }
    for (uint k = 0; k < 8; k++)
        o[8 * i + k] = h[k] + v[k];
}

/* Fixed point, so that every step is exact. */
kernel void mandelbrot(global uchar *o, int width, int height, int most)
{
    int x = get_global_id(0), y = get_global_id(1);
    long cr = (long)(x * 3 - 2 * width) * (1 << 24) / width;
    long ci = (long)(y * 2 - height) * (1 << 24) / height;
    long zr = 0, zi = 0;
    int k = 0;

    for (; k < most && zr * zr + zi * zi < (4L << 48); k++) {
        long t = ((zr * zr - zi * zi) >> 24) + cr;
        zi = ((2 * zr * zi) >> 24) + ci;
        zr = t;
    }
    o[y * width + x] = k;
}

/* Also in floating point, away from where a rounding decides. */
kernel void julia(global float4 *o, int width)
{
    int x = get_global_id(0), y = get_global_id(1);
    float2 z = (float2)(x * 0.01f, y * 0.01f);

    for (int k = 0; k < 3; k++)
        z = (float2)(fma(z.x, z.x, -(z.y * z.y)), 2.0f * z.x * z.y) + (float2)(0.1f, 0.2f);
    o[y * width + x] = (float4)(z, fabs(z.x), z.x + z.y);
}

kernel void nbody(global const float4 *p, global float4 *o, int n)
{
    int i = get_global_id(0);
    float4 me = p[i];
    float3 force = 0;

    for (int k = 0; k < n; k++) {
        float3 d = p[k].xyz - me.xyz;
        float inverse = rsqrt(dot(d, d) + 0.5f);
        force += d * (p[k].w * inverse * inverse * inverse);
    }
    o[i] = (float4)(me.xyz + force * 0.01f, length(force));
}

/* One radix-2 step; twiddles from a table. */
kernel void fft_step(global const float2 *a, global float2 *o, global const float2 *w, uint half_n,
                     uint span)
{
    uint i = get_global_id(0);
    uint k = i & (span - 1);
    float2 u = a[i], v = a[i + half_n];
    float2 t = w[k * (half_n / span)];
    float2 r = (float2)(v.x * t.x - v.y * t.y, v.x * t.y + v.y * t.x);
    uint at = ((i - k) << 1) + k;

    o[at] = u + r;
    o[at + span] = u - r;
}

kernel void matrix(global const float *a, global const float *b, global float *c, int n, int m,
                   int l)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;

    if (x >= m || y >= n)
        return;
    for (int k = 0; k < l; k++)
        sum = fma(a[y * l + k], b[k * m + x], sum);
    c[y * m + x] = sum;
}

kernel void sparse_product(global const uint *rows, global const ushort *columns,
                           global const float *values, global const float *x, global float *y,
                           uint n)
{
    for (uint r = get_global_id(0); r < n; r += get_global_size(0)) {
        float sum = 0;
        for (uint k = rows[r]; k < rows[r + 1]; k++)
            sum = fma(values[k], x[columns[k] & 63], sum);
        y[r] = sum;
    }
}

kernel void binary_search(global const int *sorted, global const int *keys, global int *o, int n)
{
    uint i = get_global_id(0);
    int low = 0, high = n;

    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] * 2 < keys[i])
            low = middle + 1;
        else
            high = middle;
    }
    o[i] = low < n && sorted[low] * 2 == keys[i] ? low : ~low;
}

kernel void string_search(global const char *text, constant char *word, global int *found,
                          int length, int word_length)
{
    int i = get_global_id(0);
    int k = 0;

    if (i + word_length > length)
        return;
    while (k < word_length && (text[i + k] & 3) == (word[k] & 3))
        k++;
    if (k == word_length)
        atomic_min(found, i);
    atomic_max(found + 1, k);
}

kernel void life(global const uchar *a, global uchar *o)
{
    int x = get_global_id(0), y = get_global_id(1);
    int w = get_global_size(0), h = get_global_size(1);
    int n = 0;

    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                n += a[(y + dy + h) % h * w + (x + dx + w) % w];
    o[y * w + x] = n == 3 || (n == 2 && a[y * w + x]);
}

kernel void xorshift(global uint4 *state, global ulong *o, uint rounds)
{
    uint i = get_global_id(0);
    uint4 s = state[i];
    ulong t = as_ulong(s.xy) | 1, sum = 0;

    for (uint k = 0; k < rounds; k++) {
        uint v = s.w ^ s.w << 11;
        v ^= v >> 8;
        s = (uint4)(v ^ s.x ^ s.x >> 19, s.xyz);
        t ^= t >> 12;
        t ^= t << 25;
        t ^= t >> 27;
        sum += (t * 0x2545f4914f6cdd1dUL) >> (s.x & 31);
    }
    state[i] = s;
    o[i] = sum;
}

/* Numbers of eight words: sum, difference and product. */
kernel void big_integers(global const uint *a, global const uint *b, global uint *o)
{
    uint i = get_global_id(0);
    global const uint *x = a + 8 * i;
    global const uint *y = b + 8 * i;
    global uint *r = o + 32 * i;
    uint carry = 0, borrow = 0;

    for (int k = 0; k < 8; k++) {
        ulong sum = (ulong)x[k] + y[k] + carry;
        r[k] = sum;
        carry = sum >> 32;
        uint less = x[k] - y[k];
        r[8 + k] = less - borrow;
        borrow = x[k] < y[k] || (borrow && !less);
    }
    uint t[16] = {0};
    for (int j = 0; j < 8; j++) {
        ulong over = 0;
        for (int k = 0; k < 8; k++) {
            over += (ulong)x[j] * y[k] + t[j + k];
            t[j + k] = over;
            over >>= 32;
        }
        t[j + 8] = over;
    }
    for (int k = 0; k < 16; k++)
        r[16 + k] = t[k] ^ (k == 0 ? carry : borrow);
}

/* Longest common subsequence by rows in private memory. */
kernel void subsequence(global const uchar *a, global const uchar *b, global int *o)
{
    uint i = get_global_id(0);
    uchar row[25];

    for (int k = 0; k <= 24; k++)
        row[k] = 0;
    for (int x = 0; x < 20; x++) {
        uchar corner = 0;
        for (int y = 0; y < 24; y++) {
            uchar up = row[y + 1];
            row[y + 1] = (a[i * 7 + x] & 3) == (b[i * 5 + y] & 3) ? corner + 1 : max(up, row[y]);
            corner = up;
        }
    }
    o[i] = row[24];
}

/* Base 64, CRC-32 and Adler-32 of the same bytes. */
constant char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

kernel void checksums(global const uchar *a, global char *text, global uint *o)
{
    uint i = get_global_id(0);
    global const uchar *p = a + 12 * i;
    uint crc = ~0u, low = 1, high = 0;

    for (int k = 0; k < 12; k += 3) {
        uint v = p[k] << 16 | p[k + 1] << 8 | p[k + 2];
        for (int d = 0; d < 4; d++)
            text[16 * i + k / 3 * 4 + d] = digits[v >> (18 - 6 * d) & 63];
    }
    for (int k = 0; k < 12; k++) {
        crc ^= p[k];
        for (int b = 0; b < 8; b++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
        low = (low + p[k]) % 65521;
        high = (high + low) % 65521;
    }
    o[2 * i] = ~crc;
    o[2 * i + 1] = high << 16 | low;
}
