/* SPDX-License-Identifier: MIT
 *
 * Limits of the documents: one table (limits.def), one check for readers and writers. */
#ifndef VISAGE_OBJECT_LIMITS_H
#define VISAGE_OBJECT_LIMITS_H

#include "object/object.h"

typedef enum vsg_obj_limit {
#define LIMIT(id, diag, low, high, what) VSG_OBJ_LIMIT_##id,
#include "object/limits.def"
#undef LIMIT
    VSG_OBJ_LIMIT_COUNT
} vsg_obj_limit;

/* Is the value within the limit? Else false, told at `where`. */
bool vsg_obj_within(vsg_obj_limit limit, uint64_t value, const vsg_base_location *where,
                    visage_diagnostics *diagnostics);

/* Checks everything that the documents bound in the tables of a unit. */
bool vsg_obj_unit_within(const vsg_obj_unit *unit, visage_diagnostics *diagnostics);
bool vsg_obj_file_variable_within(const vsg_obj_file_variable *variable,
                                  const vsg_base_location *where,
                                  visage_diagnostics *diagnostics);

#endif
