/* SPDX-License-Identifier: MIT
 *
 * The operations of LSC atomics, as page LSC_UNTYPED, table of LscSubOp, has them. */
#ifndef VISAGE_TESTS_ATOMIC_MODEL_H
#define VISAGE_TESTS_ATOMIC_MODEL_H

#include <stdint.h>

#include "isa/isa.h"

/* What is in memory afterwards, of `bytes` bytes; of a compare and swap the comparand is the
 * first argument. op: one of LSC_ATOMIC_*. */
uint64_t atomic_result(visage_op op, uint32_t bytes, uint64_t old, uint64_t first,
                       uint64_t second);

#endif
