/* SPDX-License-Identifier: MIT
 *
 * Ciphers, hashes, long numbers. */
#pragma OPENCL FP_CONTRACT OFF

constant uchar substitute[256] = {
    0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 0x01, 0x67, 0x2b, 0xfe, 0xd7, 0xab, 0x76,
    0xca, 0x82, 0xc9, 0x7d, 0xfa, 0x59, 0x47, 0xf0, 0xad, 0xd4, 0xa2, 0xaf, 0x9c, 0xa4, 0x72, 0xc0,
    0xb7, 0xfd, 0x93, 0x26, 0x36, 0x3f, 0xf7, 0xcc, 0x34, 0xa5, 0xe5, 0xf1, 0x71, 0xd8, 0x31, 0x15,
    0x04, 0xc7, 0x23, 0xc3, 0x18, 0x96, 0x05, 0x9a, 0x07, 0x12, 0x80, 0xe2, 0xeb, 0x27, 0xb2, 0x75,
    0x09, 0x83, 0x2c, 0x1a, 0x1b, 0x6e, 0x5a, 0xa0, 0x52, 0x3b, 0xd6, 0xb3, 0x29, 0xe3, 0x2f, 0x84,
    0x53, 0xd1, 0x00, 0xed, 0x20, 0xfc, 0xb1, 0x5b, 0x6a, 0xcb, 0xbe, 0x39, 0x4a, 0x4c, 0x58, 0xcf,
    0xd0, 0xef, 0xaa, 0xfb, 0x43, 0x4d, 0x33, 0x85, 0x45, 0xf9, 0x02, 0x7f, 0x50, 0x3c, 0x9f, 0xa8,
    0x51, 0xa3, 0x40, 0x8f, 0x92, 0x9d, 0x38, 0xf5, 0xbc, 0xb6, 0xda, 0x21, 0x10, 0xff, 0xf3, 0xd2,
    0xcd, 0x0c, 0x13, 0xec, 0x5f, 0x97, 0x44, 0x17, 0xc4, 0xa7, 0x7e, 0x3d, 0x64, 0x5d, 0x19, 0x73,
    0x60, 0x81, 0x4f, 0xdc, 0x22, 0x2a, 0x90, 0x88, 0x46, 0xee, 0xb8, 0x14, 0xde, 0x5e, 0x0b, 0xdb,
    0xe0, 0x32, 0x3a, 0x0a, 0x49, 0x06, 0x24, 0x5c, 0xc2, 0xd3, 0xac, 0x62, 0x91, 0x95, 0xe4, 0x79,
    0xe7, 0xc8, 0x37, 0x6d, 0x8d, 0xd5, 0x4e, 0xa9, 0x6c, 0x56, 0xf4, 0xea, 0x65, 0x7a, 0xae, 0x08,
    0xba, 0x78, 0x25, 0x2e, 0x1c, 0xa6, 0xb4, 0xc6, 0xe8, 0xdd, 0x74, 0x1f, 0x4b, 0xbd, 0x8b, 0x8a,
    0x70, 0x3e, 0xb5, 0x66, 0x48, 0x03, 0xf6, 0x0e, 0x61, 0x35, 0x57, 0xb9, 0x86, 0xc1, 0x1d, 0x9e,
    0xe1, 0xf8, 0x98, 0x11, 0x69, 0xd9, 0x8e, 0x94, 0x9b, 0x1e, 0x87, 0xe9, 0xce, 0x55, 0x28, 0xdf,
    0x8c, 0xa1, 0x89, 0x0d, 0xbf, 0xe6, 0x42, 0x68, 0x41, 0x99, 0x2d, 0x0f, 0xb0, 0x54, 0xbb, 0x16};

#define COLUMN(a, b, c, d)                                                                     \
    (table[(a) >> 24] ^ rotate(table[(b) >> 16 & 255], 24u) ^ rotate(table[(c) >> 8 & 255], 16u)  \
     ^ rotate(table[(d) & 255], 8u))
#define LAST(a, b, c, d)                                                                       \
    ((uint)substitute[(a) >> 24] << 24 | (uint)substitute[(b) >> 16 & 255] << 16               \
     | (uint)substitute[(c) >> 8 & 255] << 8 | (uint)substitute[(d) & 255])

/* AES-128 in counter mode, 4 blocks a work-item, with a table in local memory. */
kernel void aes_counter(global const uint4 *in, global uint4 *out, global const uint4 *keys)
{
    local uint table[256];
    uint l = get_local_id(0), s = substitute[l], twice = s << 1 ^ (s >> 7) * 0x11b;

    table[l] = twice << 24 | s << 16 | s << 8 | (twice ^ s);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 4; k++) {
        uint block = get_group_id(0) * 1024 + k * 256 + l;
        uint4 state = (uint4)(0x01234567, 0x89abcdef, 0xfedcba98, block) ^ keys[0];
        for (uint round = 1; round < 10; round++) {
            uint4 next = (uint4)(COLUMN(state.x, state.y, state.z, state.w),
                                 COLUMN(state.y, state.z, state.w, state.x),
                                 COLUMN(state.z, state.w, state.x, state.y),
                                 COLUMN(state.w, state.x, state.y, state.z));
            state = next ^ keys[round];
        }
        state = (uint4)(LAST(state.x, state.y, state.z, state.w),
                        LAST(state.y, state.z, state.w, state.x),
                        LAST(state.z, state.w, state.x, state.y),
                        LAST(state.w, state.x, state.y, state.z)) ^ keys[10];
        out[block] = in[block] ^ state;
    }
}

#define QUARTERS(a, b, c, d)                                                                   \
    a += b, d = rotate(d ^ a, (uint4)16), c += d, b = rotate(b ^ c, (uint4)12);                \
    a += b, d = rotate(d ^ a, (uint4)8), c += d, b = rotate(b ^ c, (uint4)7)

/* ChaCha20, a block of 64 bytes a work-item, rows of its state in vectors. */
kernel void chacha20(global const uint4 *in, global uint4 *out, global const uint4 *key)
{
    uint i = get_global_id(0);
    uint4 first = (uint4)(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574);
    uint4 last = (uint4)(i, 7, 11, 13), a = first, b = key[0], c = key[1], d = last;

    for (int round = 0; round < 10; round++) {
        QUARTERS(a, b, c, d);
        b = b.yzwx, c = c.zwxy, d = d.wxyz;
        QUARTERS(a, b, c, d);
        b = b.wxyz, c = c.zwxy, d = d.yzwx;
    }
    out[4 * i] = in[4 * i] ^ (a + first);
    out[4 * i + 1] = in[4 * i + 1] ^ (b + key[0]);
    out[4 * i + 2] = in[4 * i + 2] ^ (c + key[1]);
    out[4 * i + 3] = in[4 * i + 3] ^ (d + last);
}

/* CRC-32 of 256 bytes a work-item; the group makes the table first. */
kernel void crc32_chunks(global const uchar *in, global uint *out)
{
    local uint table[256];
    size_t i = get_global_id(0);
    uint crc = 0xffffffff;

    for (uint entry = get_local_id(0); entry < 256; entry += get_local_size(0)) {
        uint bits = entry;
        for (int k = 0; k < 8; k++)
            bits = (bits >> 1) ^ (bits & 1 ? 0xedb88320 : 0);
        table[entry] = bits;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 256; k++)
        crc = table[(crc ^ in[i * 256 + k]) & 255] ^ crc >> 8;
    out[i] = ~crc;
}

/* Powers modulo 32-bit numbers, by squaring. */
kernel void mod_power(global const uint *bases, global const uint *exponents,
                      global const uint *moduli, global uint *out)
{
    size_t i = get_global_id(0);
    ulong modulus = moduli[i] | 1, square = bases[i] % modulus, result = 1;

    for (uint rest = exponents[i]; rest > 0; rest >>= 1) {
        if (rest & 1)
            result = result * square % modulus;
        square = square * square % modulus;
    }
    out[i] = (uint)result;
}

constant char letters[] = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/* Numbers of 256 bits in base 58, by long division. */
kernel void base58(global const uint *in, global uchar *out)
{
    uint words[8], top = 8, digit = 44;
    size_t i = get_global_id(0);

    for (uint k = 0; k < 8; k++)
        words[k] = in[i * 8 + k];
    while (digit > 0) {
        while (top > 0 && words[top - 1] == 0)
            top--;
        if (top == 0)
            break;
        ulong rest = 0;
        for (uint k = top; k-- > 0;) {
            rest = rest << 32 | words[k];
            words[k] = (uint)(rest / 58);
            rest %= 58;
        }
        out[i * 44 + --digit] = letters[rest];
    }
    while (digit > 0)
        out[i * 44 + --digit] = letters[0];
}

#define SIP_ROUND()                                                                            \
    a += b, b = rotate(b, 13UL) ^ a, a = rotate(a, 32UL), c += d, d = rotate(d, 16UL) ^ c;     \
    a += d, d = rotate(d, 21UL) ^ a, c += b, b = rotate(b, 17UL) ^ c, c = rotate(c, 32UL)

/* SipHash-2-4 of strings of various lengths, end to end in a buffer. */
kernel void siphash(global const uint *starts, global const uchar *bytes, global ulong *out)
{
    size_t i = get_global_id(0);
    uint start = starts[i], length = starts[i + 1] - start;
    ulong key0 = 0x0706050403020100, key1 = 0x0f0e0d0c0b0a0908;
    ulong a = key0 ^ 0x736f6d6570736575, b = key1 ^ 0x646f72616e646f6d;
    ulong c = key0 ^ 0x6c7967656e657261, d = key1 ^ 0x7465646279746573;

    bytes += start;
    for (uint at = 0; at <= length; at += 8) {
        ulong word = 0;
        if (at + 8 <= length) {
            for (uint k = 0; k < 8; k++)
                word |= (ulong)bytes[at + k] << 8 * k;
        } else {
            for (uint k = 0; at + k < length; k++)
                word |= (ulong)bytes[at + k] << 8 * k;
            word |= (ulong)length << 56;
        }
        d ^= word;
        SIP_ROUND();
        SIP_ROUND();
        a ^= word;
    }
    c ^= 255;
    for (int k = 0; k < 4; k++) {
        SIP_ROUND();
    }
    out[i] = a ^ b ^ c ^ d;
}
