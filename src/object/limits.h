/* SPDX-License-Identifier: MIT
 *
 * Limits of the documents: one table (limits.def), one check for readers and writers. */
#ifndef VISAGE_OBJECT_LIMITS_H
#define VISAGE_OBJECT_LIMITS_H

#include "object/object.h"

typedef enum vsg_obj_limit {
#define LIMIT(id, rule, diag, low, high, what) VSG_OBJ_LIMIT_##id,
#include "object/limits.def"
#undef LIMIT
    VSG_OBJ_LIMIT_COUNT
} vsg_obj_limit;

/* What is beyond a limit: the diagnostic and what fills its message. */
typedef struct vsg_obj_excess {
    vsg_base_diag diag;
    const char *what;
    unsigned long long value, low, high;
    const vsg_obj_place *place; /* NULL: the unit as a whole */
} vsg_obj_excess;

/* Each: is everything within its limit? Else false, *out is what is not; of a unit that a text
 * has, the first. */
bool vsg_obj_limit_check(vsg_obj_limit limit, uint64_t value, vsg_obj_excess *out);
bool vsg_obj_text_check(const vsg_obj_unit *unit, vsg_obj_excess *out);

/* The same, told at `where`. */
bool vsg_obj_within(vsg_obj_limit limit, uint64_t value, const vsg_base_location *where,
                    visage_diagnostics *diagnostics);

/* Everything that the documents bound in the tables of a unit, told where it stands. */
bool vsg_obj_unit_within(const vsg_obj_unit *unit, visage_diagnostics *diagnostics);
bool vsg_obj_file_variable_within(const vsg_obj_file_variable *variable,
                                  const vsg_base_location *where,
                                  visage_diagnostics *diagnostics);

#endif
