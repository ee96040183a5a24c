/* SPDX-License-Identifier: MIT
 *
 * Loops that do without tests. Addresses in a loop grow by the same number of bytes from round
 * to round, so before the loop it is known whether all of them lie in their memory for the next
 * rounds. For these there is a copy of the loop that does not ask; where they do not, the loop
 * as it stands has its turn, for some rounds.
 *
 * The loop over groups as a whole has no second copy: where tests would fail, the next group is
 * run thread by thread, by other code (vsg_jit_code.runs_groups). */
#ifndef VISAGE_JIT_HOIST_H
#define VISAGE_JIT_HOIST_H

#include "jit/emit.h"

/* Branches on a bit of a vector of comparisons become branches on one comparison, so that LLVM
 * can count the rounds of loops. (conditions.c) */
void vsg_jit_find_conditions(vsg_jit_emitter *e);

/* Relieves loops of tests, in the form that loop-simplify and lcssa give them, and leaves no
 * mark (marks.h). False: memory is out. */
bool vsg_jit_hoist(vsg_jit_emitter *e);

/* Only those loops that have no test left then. Marks of others stay. False: memory is out. */
bool vsg_jit_hoist_all(vsg_jit_emitter *e);

#endif
