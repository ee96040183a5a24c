/* SPDX-License-Identifier: MIT
 *
 * Hashes of names for tables in memory. With a seed that differs from run to run, such as an
 * address, no input can bring names that all collide. */
#ifndef VISAGE_BASE_HASH_H
#define VISAGE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t vsg_base_hash_mix(uint64_t hash, uint64_t block)
{
    /* Twice, so that no difference of two blocks makes one that the next block could undo
     * whatever the seed. */
    hash = (hash ^ block) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 32) * UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 29;
}

/* Up to eight bytes, none of them NUL, as a number that no other such text has. */
static inline uint64_t vsg_base_hash_block(const char *text, size_t length)
{
    uint32_t half[2];

    /* Read in parts that may overlap. */
    if (length >= sizeof half[0]) {
        memcpy(&half[0], text, sizeof half[0]);
        memcpy(&half[1], text + length - sizeof half[1], sizeof half[1]);
        return (uint64_t)half[1] << 8 * (length - sizeof half[1]) | half[0];
    }
    if (length == 0)
        return 0;
    return (uint64_t)(unsigned char)text[0] |
           (uint64_t)(unsigned char)text[length / 2] << 8 * (length / 2) |
           (uint64_t)(unsigned char)text[length - 1] << 8 * (length - 1);
}

/* The hash of a text of up to eight bytes that is this block. */
static inline uint64_t vsg_base_hash_short(uint64_t seed, uint64_t block, size_t length)
{
    return vsg_base_hash_mix(seed + length, block);
}

static inline uint64_t vsg_base_hash(uint64_t seed, const char *text, size_t length)
{
    uint64_t hash = seed + length;
    uint64_t block;

    for (; length > sizeof block; length -= sizeof block, text += sizeof block) {
        memcpy(&block, text, sizeof block);
        hash = vsg_base_hash_mix(hash, block);
    }
    return vsg_base_hash_mix(hash, vsg_base_hash_block(text, length));
}

#endif
