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
extern const built_rule built_lsc_rules[];
extern const size_t num_built_lsc_rules;
extern const built_rule built_message_rules[];
extern const size_t num_built_message_rules;
extern const built_rule built_operand_rules[];
extern const size_t num_built_operand_rules;
extern const built_rule built_object_rules[];
extern const size_t num_built_object_rules;
extern const built_rule built_type_rules[];
extern const size_t num_built_type_rules;

typedef void (*change_fn)(vsg_obj_module *module, vsg_obj_unit *unit);

/* Reads a text, writes it as a binary where that is asked for, verifies. */
void verify_text(const char *text, bool write, visage_diagnostics *diagnostics);

/* Reads a text, verifies it by strict rules, too. */
void verify_strictly(const char *text, visage_diagnostics *diagnostics);

/* Reads a good text, changes the first unit, writes it. */
void write_changed(const char *text, change_fn change, visage_diagnostics *diagnostics);

/* Reads a good text, writes it as a binary, changes that, reads and verifies it. */
typedef void (*patch_fn)(uint8_t *bytes);
void read_patched(const char *text, patch_fn patch, visage_diagnostics *diagnostics);

/* Reads a good text, changes the first unit, verifies; for pvc unless told otherwise. */
void verify_changed_on(visage_platform platform, const char *text, change_fn change,
                       visage_diagnostics *diagnostics);
void verify_changed(const char *text, change_fn change, visage_diagnostics *diagnostics);

static inline vsg_obj_operand *operand_at(const vsg_obj_unit *unit, unsigned inst,
                                          unsigned number)
{
    return &unit->insts[inst].operands[number];
}

static inline vsg_obj_operand *operand_called(const vsg_obj_unit *unit, unsigned inst,
                                              const char *name)
{
    return operand_at(unit, inst, (unsigned)vsg_isa_operand(unit->insts[inst].op, name));
}

/* A case `name` that verifies `text` after the statement has changed `unit`. */
#define BUILT_CASE(name, platform, text, statement)                                            \
    static void change_##name(vsg_obj_module *module, vsg_obj_unit *unit)                      \
    {                                                                                          \
        (void)module;                                                                          \
        statement;                                                                             \
    }                                                                                          \
    static void name(visage_diagnostics *diagnostics)                                          \
    {                                                                                          \
        verify_changed_on(platform, text, change_##name, diagnostics);                         \
    }

#endif
