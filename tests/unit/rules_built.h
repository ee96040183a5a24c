/* SPDX-License-Identifier: MIT
 *
 * Cases of rules that a text cannot break or keep: modules built or read from bytes made here.
 */
#ifndef VISAGE_TESTS_RULES_BUILT_H
#define VISAGE_TESTS_RULES_BUILT_H

#include "base/diag.h"

typedef struct built_rule {
    const char *code;
    bool fails; /* breaks the rule, and no other; else breaks nothing */
    void (*run)(visage_diagnostics *diagnostics); /* reads or builds, and verifies */
} built_rule;

extern const built_rule built_rules[];
extern const size_t num_built_rules;

#endif
