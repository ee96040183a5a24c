/* SPDX-License-Identifier: MIT
 *
 * What the checks share: where they are, and how they report. A check is a function that looks
 * at one thing (a module, a unit, an instruction) and reports every rule it breaks. */
#ifndef VISAGE_VERIFY_CHECK_H
#define VISAGE_VERIFY_CHECK_H

#include "object/functions.h"
#include "verify/verify.h"

/* Last entries of the tables that surfaces and samplers are indices into. */
enum { VSG_VER_LAST_SURFACE = 255, VSG_VER_LAST_SAMPLER = 31 };

/* The variable that an alias is a part of in the end. */
typedef struct vsg_ver_root {
    bool is_known; /* else the alias is of a file-scope variable or names nothing */
    uint32_t id;
    uint64_t offset_bytes;
} vsg_ver_root;

typedef struct vsg_ver_state {
    const vsg_ver_options *options;
    visage_diagnostics *diagnostics;
    const vsg_obj_module *module;
    vsg_obj_functions functions, kernels; /* of the module */
    visage_platform platform;             /* NONE: unknown, no platform's rule holds */
    uint32_t grf_bytes;                   /* of the platform; 32 where it is unknown */

    const vsg_obj_unit *unit; /* NULL: the module as a whole */
    const vsg_obj_inst *inst; /* NULL: the unit as a whole */
    const vsg_isa_op_info *op;
    uint32_t simd_size;       /* of the unit: channels of its threads */
    vsg_ver_root *roots;      /* of the unit's variables, by position; NULL: it has none */
    vsg_obj_resolver calls;   /* of the unit */
    bool *predicate_operands; /* of the unit, once asked for: vsg_ver_check_execution() */

    size_t errors, unit_errors; /* all; those of single units */
    bool muted;     /* the rule last reported does not hold here: notes on it are left out */
    bool no_memory; /* of the checks that keep something */
} vsg_ver_state;

/* Reports a rule that is broken at the unit or the instruction of the state. The arguments fill
 * the row's message. Nothing happens where the rule does not hold (platform, strictness). */
void vsg_ver_report(vsg_ver_state *state, vsg_ver_rule rule, ...);
/* The same at an operand of the instruction, whose columns the caret then marks. */
void vsg_ver_report_operand(vsg_ver_state *state, const vsg_obj_operand *operand,
                            vsg_ver_rule rule, ...);
/* The same at a part of the instruction that is no operand, where its line is known. */
typedef enum vsg_ver_part {
    VSG_VER_PART_PREDICATE, /* "(P1)" */
    VSG_VER_PART_SUFFIX,    /* ".ugm.st" */
    VSG_VER_PART_MASK       /* "(M1, 16)" */
} vsg_ver_part;
void vsg_ver_report_part(vsg_ver_state *state, vsg_ver_part part, vsg_ver_rule rule, ...);
/* The same at a place of the unit: a declaration. */
void vsg_ver_report_place(vsg_ver_state *state, const vsg_obj_place *place, vsg_ver_rule rule,
                          ...);

/* Notes that follow the report made last: the declaration an error comes from, a fix. */
#if defined(__GNUC__)
#define VSG_VER_FORMAT(n) __attribute__((format(printf, n, n + 1)))
#else
#define VSG_VER_FORMAT(n)
#endif
void vsg_ver_note_place(vsg_ver_state *state, const vsg_obj_place *place, const char *format,
                        ...) VSG_VER_FORMAT(3);
void vsg_ver_note_unit(vsg_ver_state *state, const vsg_obj_unit *unit, const char *format, ...)
    VSG_VER_FORMAT(3);
void vsg_ver_note_fix(vsg_ver_state *state, const char *format, ...) VSG_VER_FORMAT(2);

/* "V32 declared here", for an operand that names a variable of any class. */
void vsg_ver_note_declaration(vsg_ver_state *state, const vsg_obj_operand *operand);

void vsg_ver_note_predicate(vsg_ver_state *state, uint32_t id);

/* Facts of general variable `id` and of its root; false for an index that names nothing. */
typedef struct vsg_ver_variable {
    vsg_obj_variable_facts facts, root_facts; /* root_facts: only if root.is_known */
    vsg_ver_root root;
    uint64_t size_bytes, root_bytes; /* storage, %arg and %retval with all their GRFs */
} vsg_ver_variable;
bool vsg_ver_variable_get(const vsg_ver_state *state, uint32_t id, vsg_ver_variable *out);

/* Where in its variable a general or raw operand begins: in the root, which an alias may go on
 * in, or in the variable itself where that is part of a file-scope one. */
typedef struct vsg_ver_room {
    const char *name;
    uint64_t at, size_bytes;
} vsg_ver_room;
/* False for other operands and %null. */
bool vsg_ver_room_of(const vsg_ver_state *state, const vsg_obj_operand *operand,
                     vsg_ver_room *out);

/* Around the checks of a unit. False: memory is out, which the state knows then. */
bool vsg_ver_roots_open(vsg_ver_state *state);
void vsg_ver_roots_close(vsg_ver_state *state);

/* "skl, dg2" of a set of platforms, "later devices" of none, cut to size. */
void vsg_ver_list_platforms(uint32_t platforms, char *text, size_t size);

/* No more errors are wanted, or memory is out. */
bool vsg_ver_stop(const vsg_ver_state *state);

/* The checks, by what they look at. Each is a file or several of this folder. */
void vsg_ver_check_module(vsg_ver_state *state);   /* module.c: header, names, linkage */
void vsg_ver_check_tables(vsg_ver_state *state);   /* tables.c: variables, inputs, attributes */
void vsg_ver_check_flow(vsg_ver_state *state);     /* flow.c: the unit's control flow */
void vsg_ver_check_operands(vsg_ver_state *state); /* operands.c: each operand by its kind */
void vsg_ver_check_execution(vsg_ver_state *state); /* execution.c: size, mask, predicate */
void vsg_ver_execution_close(vsg_ver_state *state); /* behind a unit's last instruction */
void vsg_ver_check_types(vsg_ver_state *state);     /* types.c: types, saturation, modifiers */
void vsg_ver_check_lsc(vsg_ver_state *state);       /* lsc.c: LSC messages */
void vsg_ver_check_message(vsg_ver_state *state);   /* message.c: all other messages */

#endif
