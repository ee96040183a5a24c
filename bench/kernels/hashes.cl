/* SPDX-License-Identifier: MIT
 *
 * Random numbers, hashes, bit boards: arithmetic of 64 bits; and digits from a small table. */

/* 64 steps of xorshift128+. */
kernel void xorshift(global const ulong *in, global ulong *out)
{
    size_t i = get_global_id(0), n = get_global_size(0);
    ulong a = in[i], b = in[i + n], sum = 0;

    for (int k = 0; k < 64; k++) {
        ulong t = a ^ a << 23;
        a = b;
        b = t ^ b ^ t >> 17 ^ b >> 26;
        sum ^= a + b;
    }
    out[i] = sum;
}

/* 64 of xoshiro256**. */
kernel void xoshiro(global const ulong *in, global ulong *out)
{
    size_t i = get_global_id(0), n = get_global_size(0);
    ulong a = in[i], b = in[i + n], c = in[i + 2 * n], d = in[i + 3 * n], sum = 0;

    for (int k = 0; k < 64; k++) {
        ulong t = b << 17;
        sum += rotate(b * 5, 7UL) * 9;
        c ^= a, d ^= b, b ^= c, a ^= d, c ^= t, d = rotate(d, 45UL);
    }
    out[i] = sum;
}

/* 32 of SplitMix64. */
kernel void splitmix(global const ulong *in, global ulong *out)
{
    size_t i = get_global_id(0);
    ulong state = in[i], sum = 0;

    for (int k = 0; k < 32; k++) {
        ulong z = state += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        sum += z ^ z >> 31;
    }
    out[i] = sum;
}

/* 64 of PCG's 32 bits. */
kernel void pcg(global const ulong *in, global uint *out)
{
    size_t i = get_global_id(0);
    ulong state = in[i];
    uint sum = 0;

    for (int k = 0; k < 64; k++) {
        uint x = (uint)((state >> 18 ^ state) >> 27), by = state >> 59;
        state = state * 6364136223846793005 + 1442695040888963407;
        sum ^= x >> by | x << (-by & 31);
    }
    out[i] = sum;
}

/* A lane of Murmur's 128 bits, of 32 bytes. */
kernel void murmur(global const ulong *in, global ulong *out)
{
    size_t i = get_global_id(0), n = get_global_size(0);
    ulong h = n;

    for (int k = 0; k < 4; k++) {
        h ^= rotate(in[i + k * n] * 0x87c37b91114253d5, 31UL) * 0x4cf5ad432745937f;
        h = rotate(h, 27UL) * 5 + 0x52dce729;
    }
    h = (h ^ h >> 33) * 0xff51afd7ed558ccd;
    out[i] = h ^ h >> 33;
}

/* 24 rounds like Keccak's, of one row. */
kernel void sponge(global const ulong *in, global ulong *out)
{
    size_t i = get_global_id(0), n = get_global_size(0);
    ulong a[5] = {in[i], in[i + n], in[i + 2 * n], in[i + 3 * n], i}, b[5];

    for (uint round = 0; round < 24; round++) {
        ulong parity = a[0] ^ a[1] ^ a[2] ^ a[3] ^ a[4];
        parity ^= rotate(parity, 1UL);
        for (uint k = 0; k < 5; k++)
            b[k] = rotate(a[k] ^ parity, (ulong)(k * 7 + 1));
        for (uint k = 0; k < 5; k++)
            a[k] = b[k] ^ (~b[(k + 1) % 5] & b[(k + 2) % 5]);
        a[0] ^= 0x8000000080008081 + round;
    }
    out[i] = a[0] ^ a[1] ^ a[2] ^ a[3] ^ a[4];
}

/* Moves of Reversi to one side and up. */
kernel void reversi(global const ulong *in, global ulong *out)
{
    size_t i = get_global_id(0), n = get_global_size(0);
    ulong own = in[i], other = in[i + n], moves = 0;

    for (int k = 0; k < 16; k++) {
        ulong empty = ~(own | other), inner = other & 0x7e7e7e7e7e7e7e7e;
        ulong side = inner & own << 1, up = other & own >> 8;
        for (int step = 0; step < 3; step++)
            side |= inner & side << 1, up |= other & up >> 8;
        moves |= (side << 1 | up >> 8) & empty;
        own ^= moves;
        other = rotate(other, 5UL) ^ moves;
    }
    out[i] = moves ^ own;
}

/* A register with feedback, until it is empty. */
kernel void feedback(global const ulong *in, global ulong *out)
{
    size_t i = get_global_id(0);
    ulong x = in[i];
    uint count = 0;

    while (x && count <= 200) {
        x = x & 1 ? x >> 1 ^ 0xd800000000000000 : x >> 1;
        count++;
    }
    out[i] = count | x;
}

/* Bytes as hexadecimal digits. */
kernel void digits(global const uchar *in, global uchar2 *out)
{
    size_t i = get_global_id(0);

    out[i] = (uchar2)("0123456789abcdef"[in[i] >> 4], "0123456789abcdef"[in[i] & 15]);
}
