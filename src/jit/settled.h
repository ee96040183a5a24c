/* SPDX-License-Identifier: MIT
 *
 * Variables that do not change once they are there: whatever writes them makes the same of what
 * does not change either. Compilers leave such where both arms of a branch need a value, and in
 * each round of loops that they have unrolled. Channels that are off have that value, or none
 * that they would look at, so that a write for all of them spoils nothing. */
#ifndef VISAGE_JIT_SETTLED_H
#define VISAGE_JIT_SETTLED_H

#include "jit/emit.h"

/* Are two operands the same elements, or numbers? */
bool vsg_jit_are_same(const vsg_exe_operand *a, const vsg_exe_operand *b);

/* By part; NULL: memory is out. live: parts that some channel may read before it writes them.
 */
const bool *vsg_jit_find_settled(vsg_jit_emitter *e, const uint64_t *live);

#endif
