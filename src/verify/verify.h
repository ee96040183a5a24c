/* SPDX-License-Identifier: MIT
 *
 * The verifier: is a module legal, and if not, all that is wrong with it, where, and by which
 * rule. Rules are rows of rules.def; docs/rules.md is generated from them. A module that a
 * reader can produce is judged without a crash and in linear time; what has been accepted can
 * be executed without further static checks. */
#ifndef VISAGE_VERIFY_VERIFY_H
#define VISAGE_VERIFY_VERIFY_H

#include "base/diag.h"
#include "object/object.h"

typedef enum vsg_ver_rule {
#define RULE(id, code, severity, platforms, source, sentence, message) VSG_RULE_##id,
#define READER(id, code, platforms, source, sentence, diag)            VSG_RULE_##id,
#include "verify/rules.def"
#undef RULE
#undef READER
    VSG_VER_RULE_COUNT
} vsg_ver_rule;

typedef enum vsg_ver_severity {
    VSG_VER_ERROR,
    VSG_VER_STRICT, /* real compiler output breaks it: a warning, and only when asked for */
    VSG_VER_READER  /* no module can break it: the readers report it */
} vsg_ver_severity;

typedef struct vsg_ver_rule_info {
    const char *code; /* "V0101" */
    vsg_ver_severity severity;
    uint32_t platforms;   /* bit n: visage_platform n */
    const char *source;   /* document and section */
    const char *sentence; /* the rule, one sentence with its full stop */
    const char *reader;   /* code of the readers' diagnostic, or of the text reader's */
} vsg_ver_rule_info;

/* rule below VSG_VER_RULE_COUNT. */
vsg_ver_rule_info vsg_ver_rule_get(vsg_ver_rule rule);

/* The text of line `line` (from 1) of the file a unit was read from, to its '\n' or a NUL; NULL
 * where there is none. */
typedef const char *(*vsg_ver_line_fn)(void *user, const vsg_obj_unit *unit, uint32_t line);
/* The same of an instruction of a unit that was read from a binary: what it prints as. */
typedef const char *(*vsg_ver_inst_fn)(void *user, const vsg_obj_unit *unit, size_t inst);

typedef struct vsg_ver_options {
    visage_platform
        platform; /* NONE: the module's; platform rules are left out if that is too */
    bool strict;
    size_t max_errors;    /* stop after so many; 0: report all */
    const bool *units;    /* judge those alone, by index, and the module; NULL: all */
    bool *refused;        /* by unit, set where one is illegal, which the status then does not
                           * say: it is of the module as a whole; NULL: not wanted */
    vsg_ver_line_fn line; /* NULL: none */
    vsg_ver_inst_fn inst; /* NULL: none */
    void *user;           /* passed to both */
} vsg_ver_options;

/* Judges a module. Returns OK, INVALID (errors were reported), NO_MEMORY. */
VISAGE_NODISCARD visage_status vsg_ver_verify(const vsg_obj_module *module,
                                              const vsg_ver_options *options,
                                              visage_diagnostics *diagnostics);

#endif
