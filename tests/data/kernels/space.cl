/* SPDX-License-Identifier: MIT */
/* Address spaces: constants with and without pointers, local variables of several types, private
 * arrays in registers and in memory. */

constant int primes[16] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
constant float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
constant long big[3] = {1234567890123456789L, -5, 1L << 40};
constant uchar bytes[7] = {1, 2, 3, 250, 251, 252, 253};
constant char text[] = "The quick brown fox jumps over the lazy dog";
constant struct entry {
    short key;
    char name[6];
    float value;
} table[4] = {{3, "three", 3.5f}, {-1, "minus", -1.25f}, {900, "large", 1e6f}, {7, "seven", 7}};

kernel void constants(global const uint *a, global long *o, global float *f)
{
    uint i = get_global_id(0);
    uint k = a[i];

    o[4 * i] = primes[k & 15] + bytes[k % 7];
    o[4 * i + 1] = big[k % 3];
    o[4 * i + 2] = text[k % sizeof text];
    o[4 * i + 3] = table[k & 3].key + table[k >> 2 & 3].name[k % 6];
    f[i] = table[k & 3].value + weights[k % 5];
}

constant char *constant words[] = {"zero", "one", "two", "three", "a rather longer string", ""};

kernel void strings(global const uint *a, global char *o)
{
    uint i = get_global_id(0);
    constant char *w = words[a[i] % 6];
    int k = 0;

    for (; k < 7 && w[k]; k++)
        o[8 * i + k] = w[k];
    for (; k < 8; k++)
        o[8 * i + k] = '.';
}

kernel void filter(global const float *a, constant float *c, constant int4 *d, global float *o,
                   int n)
{
    int i = get_global_id(0);
    float sum = 0;

    for (int k = -2; k <= 2; k++) {
        int at = clamp(i + k, 0, n - 1);
        sum = fma(a[at], c[k + 2], sum);
    }
    o[i] = sum * weights[2] + (d[i & 3].y - d[0].w);
}

kernel void locals(global const int *a, global int *o, local uchar *b, local long *q,
                   local float4 *v)
{
    local int shared[100];
    local short grid[8][9];
    local struct {
        char c;
        int i;
    } pairs[32];
    local int total;
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);

    shared[l] = a[i];
    grid[l & 7][l % 9] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 72)
        grid[l / 9][l % 9] = a[i] * 3;
    pairs[l & 31].c = 0;
    b[l] = a[i] + l;
    q[l] = (long)a[i] << 33 | l;
    v[l] = (float4)(l, a[i], 2, 3);
    if (l == 0)
        total = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 32) {
        pairs[l].c = b[n - 1 - l];
        pairs[l].i = shared[(l * 3) % n];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    o[4 * i] = shared[n - 1 - l] + total;
    o[4 * i + 1] = grid[(l + 3) % 4][l % 9] + b[(l + 5) % n];
    o[4 * i + 2] = (int)(q[(l + 1) % n] >> 31) + (int)v[(l * 7) % n].y;
    o[4 * i + 3] = pairs[l & 15].c * 100 + pairs[(l + 1) & 15].i;
}

/* Small arrays stay in registers and are indexed there. */
kernel void small(global const int *a, global int *o)
{
    uint i = get_global_id(0);
    int r[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    char c[5] = {10, 20, 30, 40, 50};
    long q[3] = {100, 200, 300};
    float4 f[2] = {(float4)(1, 2, 3, 4), (float4)(5, 6, 7, 8)};

    for (int k = 0; k < 6; k++)
        r[a[i + k] & 7] += r[(a[i] + k) & 7] * k;
    c[(a[i] >> 3) % 5u] = a[i];
    q[(a[i] >> 1) % 3u] -= a[i + 1];
    f[a[i] & 1] *= 2.0f;
    o[4 * i] = r[a[i + 7] & 7] + r[3];
    o[4 * i + 1] = c[0] + c[2] * 2 + c[(i + 1) % 5];
    o[4 * i + 2] = (int)(q[0] + q[i % 3] * 5);
    o[4 * i + 3] = (int)(f[0].x + f[1].z + f[i & 1].w);
}

struct node {
    int value;
    short next;
    uchar tag[2];
};

/* Large ones are in memory: a list sorted by links, a stack, a square. */
kernel void large(global const int *a, global int *o)
{
    uint i = get_global_id(0);
    struct node nodes[33];
    uint stack[64];
    uchar square[16][16];
    int depth = 0;

    nodes[0].next = -1;
    for (int k = 1; k <= 32; k++) {
        nodes[k].value = a[(i * 5 + k) % 64];
        nodes[k].tag[0] = k;
        nodes[k].tag[1] = ~k;
        int before = 0;
        while (nodes[before].next >= 0 && nodes[nodes[before].next].value < nodes[k].value)
            before = nodes[before].next;
        nodes[k].next = nodes[before].next;
        nodes[before].next = k;
    }
    for (int at = nodes[0].next; at >= 0; at = nodes[at].next) {
        stack[depth++] = nodes[at].value * 4 + nodes[at].tag[0];
        square[nodes[at].tag[1] & 15][depth & 15] = depth;
    }
    for (int r = 0; r < 16; r++)
        square[r][r] = r;
    uint sum = 0;
    while (depth > 0)
        sum = sum * 31 + stack[--depth];
    o[3 * i] = sum;
    o[3 * i + 1] = nodes[nodes[0].next].value;
    o[3 * i + 2] = square[i & 15][i & 15] * 1000 + nodes[1 + i % 32].tag[1];
}

/* Pointers to private memory that the flow chooses. */
kernel void chosen(global const int *a, global int *o)
{
    uint i = get_global_id(0);
    int x[20], y[20];
    int *p = a[i] & 1 ? x : y;
    int *q = a[i] & 1 ? y : x;

    for (int k = 0; k < 20; k++) {
        x[k] = k * a[i];
        y[k] = a[i + 1] - k;
    }
    for (int k = 0; k < 20; k++)
        *p++ ^= q[(k * 3) % 20];
    o[2 * i] = x[i % 20] + y[7];
    o[2 * i + 1] = p[-1 - (int)(i & 7)];
}

/* An array that is one variable in registers, which is larger on pvc than the documents have it. */
kernel void wide(global const uint *a, global uint *o)
{
    uint i = get_global_id(0);
    uint x[40];
    uint sum = 0;

    for (int k = 0; k < 40; k++)
        x[k] = a[i + (k & 7)] * k;
    x[a[i] % 40] += 7;
    for (int k = 0; k < 40; k++)
        sum = sum * 5 + x[(a[i + 1] + k * 3) % 40];
    o[i] = sum;
}
