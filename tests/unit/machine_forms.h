/* SPDX-License-Identifier: MIT
 *
 * The same message in other words: masks and a predicate that leave it the same channels
 * (5_operands, EvaluateChEn), scalar operands that come as immediates, from registers and by
 * an address. Whatever a test of messages expects of one form it expects of all of them. */
#ifndef VISAGE_TESTS_MACHINE_FORMS_H
#define VISAGE_TESTS_MACHINE_FORMS_H

#include "memory_machine.h"

/* What a run changes. */
typedef struct machine_state {
    uint8_t space[MACHINE_PAGES * MACHINE_PAGE];
    uint8_t slm[MACHINE_SLM_BYTES];
    uint8_t registers[VAR_END - VAR_A][MACHINE_REGISTERS];
    vsg_exe_group group;
    vsg_exe_offer offers[2];
    vsg_exe_stop stop;
    vsg_exe_fault fault;
} machine_state;

void machine_keep(const machine *m, machine_state *state);

/* Runs some forms of the machine's instruction that no run of the same operation has had, from
 * the state in `before`; fails the test where one of them does not leave what `m` holds, which
 * has run the instruction as it is. */
void machine_run_forms(machine *m, const machine_state *before);

/* For tests of the forms. Do all of some forms of the instruction leave something else than
 * `after`? */
bool machine_forms_differ(machine *m, const machine_state *before, const machine_state *after);
/* Fails where the runs of an operation so far have not had all predications, several masks, and
 * several forms of each scalar operand. */
void machine_forms_check(visage_op op);

#endif
