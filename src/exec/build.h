/* SPDX-License-Identifier: MIT
 *
 * Making a program, seen from an operation: what its `prepare` function may use to turn an
 * object's instruction into a decoded one. */
#ifndef VISAGE_EXEC_BUILD_H
#define VISAGE_EXEC_BUILD_H

#include "exec/program.h"
#include "object/functions.h"
#include "object/resolve.h"

typedef struct vsg_exe_builder {
    vsg_exe_program *program;
    vsg_exe_unit *unit;
    const vsg_obj_unit *object;
    const vsg_exe_program_options *options;
    const vsg_obj_functions *functions; /* of the module */
    visage_diagnostics *diagnostics;
    visage_status status;      /* the worst so far */
    uint32_t *variable_at;     /* byte offset in frame or shared registers, by variable index */
    uint32_t *definitions;     /* of file-scope variables, see vsg_obj_define_variables() */
    vsg_obj_resolver resolver; /* of the unit, while it is laid out */
    vsg_obj_resolver calls;    /* of the unit, while its instructions are decoded */
    uint32_t *variable_root; /* the variable it is an alias of in the end, by variable index */
    uint32_t num_variables;  /* entries of variable_at and variable_root */
    uint32_t reach_bytes;    /* end of the furthest access in the frame */
} vsg_exe_builder;

/* Completes `out`, whose operands, class and masks are decoded already, from `inst`. Reports
 * what is wrong through vsg_exe_reject(); returns false then, or when memory is out. */
typedef bool (*vsg_exe_prepare)(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                vsg_exe_inst *out);

typedef struct vsg_exe_op {
    vsg_exe_prepare prepare; /* NULL: nothing to do */
    vsg_exe_handler handler; /* NULL: the operation cannot be run */
} vsg_exe_op;

/* The rows of handlers.def, by visage_op. */
const vsg_exe_op *vsg_exe_op_of(visage_op op);

/* The operand called `name` in the operation's form; NULL where there is none. */
const vsg_obj_operand *vsg_exe_find(const vsg_obj_inst *inst, const char *name);
/* The value of a number operand, 0 where there is none. */
uint64_t vsg_exe_number(const vsg_obj_inst *inst, const char *name);

/* Decodes one operand. count: elements the access may take, to bound it: a region of that many
 * channels; for raw operands use vsg_exe_decode_raw(). */
VISAGE_NODISCARD bool vsg_exe_decode(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                     const vsg_obj_operand *operand, uint32_t count,
                                     vsg_exe_operand *out);
/* A raw operand, of which what isa/extents.def says is read or written: that is made part of
 * the register file. NULL, none and %null give is_null. */
VISAGE_NODISCARD bool vsg_exe_decode_raw(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                         const vsg_obj_operand *operand, vsg_exe_operand *out);

/* Memory that lives with the program. */
void *vsg_exe_keep(vsg_exe_builder *builder, size_t count, size_t size);

/* Reports NOT_RUNNABLE for the instruction with a reason; status becomes UNSUPPORTED. Returns
 * false, to be returned. */
bool vsg_exe_reject(vsg_exe_builder *builder, const vsg_obj_inst *inst, const char *reason);

#endif
