/* SPDX-License-Identifier: MIT
 *
 * Cases of rules that a text cannot break or keep: modules built or read from bytes made here.
 */
#ifndef VISAGE_TESTS_RULES_BUILT_H
#define VISAGE_TESTS_RULES_BUILT_H

#include "base/diag.h"
#include "object/object.h"

typedef struct built_rule {
    const char *code;
    bool fails; /* breaks the rule, and no other; else breaks nothing */
    void (*run)(visage_diagnostics *diagnostics); /* reads or builds, and verifies */
} built_rule;

typedef struct built_table {
    const char *file; /* where its rows stand */
    const built_rule *rules;
    const size_t *count;
} built_table;

extern const built_table built_tables[];
extern const size_t num_built_tables;

/* Those of other files than rules_built.c. */
extern const built_rule built_operand_rules[];
extern const size_t num_built_operand_rules;

typedef void (*change_fn)(vsg_obj_module *module, vsg_obj_unit *unit);

/* Reads a good text, changes the first unit, verifies. */
void verify_changed(const char *text, change_fn change, visage_diagnostics *diagnostics);

#endif
