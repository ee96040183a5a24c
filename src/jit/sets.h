/* SPDX-License-Identifier: MIT
 *
 * Sets of parts, a bit for each: vsg_jit_emitter.live_words words; and of waits. */
#ifndef VISAGE_JIT_SETS_H
#define VISAGE_JIT_SETS_H

#include <stdbool.h>
#include <stdint.h>

static inline bool vsg_jit_has(const uint64_t *set, uint32_t part)
{
    return set[part / 64] >> part % 64 & 1;
}

static inline void vsg_jit_add(uint64_t *set, uint32_t part)
{
    set[part / 64] |= UINT64_C(1) << part % 64;
}

static inline void vsg_jit_remove(uint64_t *set, uint32_t part)
{
    set[part / 64] &= ~(UINT64_C(1) << part % 64);
}

#endif
