/* SPDX-License-Identifier: MIT
 *
 * Finding the functions of a module by name: a program may have ten thousand of them. And what
 * calls mean, and what can be called from where. */
#ifndef VISAGE_OBJECT_FUNCTIONS_H
#define VISAGE_OBJECT_FUNCTIONS_H

#include "object/object.h"
#include "object/resolve.h"

typedef struct vsg_obj_function {
    const char *name;
    uint32_t unit;                 /* index in the module */
    uint32_t number;               /* among the functions, as a binary's header lists them */
    int64_t arg_grfs, return_grfs; /* ArgSize and RetValSize, 0 where there is none */
} vsg_obj_function;

typedef struct vsg_obj_functions {
    vsg_obj_function *items; /* by name; of one name, in the module's order */
    size_t count, capacity;
    const vsg_obj_module *module;
    uint32_t *listed; /* the units by number, of all functions, those without code too */
    uint32_t num_listed;
} vsg_obj_functions;

/* Lists the functions that have code. False: memory is out. Free in either case. */
VISAGE_NODISCARD bool vsg_obj_functions_list(const vsg_base_alloc *alloc,
                                             const vsg_obj_module *module,
                                             vsg_obj_functions *out);
/* The same of kernels. */
VISAGE_NODISCARD bool vsg_obj_kernels_list(const vsg_base_alloc *alloc,
                                           const vsg_obj_module *module,
                                           vsg_obj_functions *out);
void vsg_obj_functions_free(const vsg_base_alloc *alloc, vsg_obj_functions *functions);

/* The first of that name, NULL where there is none. */
const vsg_obj_function *vsg_obj_functions_find(const vsg_obj_functions *functions,
                                               const char *name);

/* The name of the function, or of other data, that an operand of a unit refers to: the table of
 * relocations comes before the name, as in a linker. calls: of the unit. */
const char *vsg_obj_functions_called(const vsg_obj_functions *functions,
                                     const vsg_obj_resolver *calls, const vsg_obj_unit *unit,
                                     const char *name);
/* The operand of a call or faddr that names a function, NULL for other instructions. */
const vsg_obj_operand *vsg_obj_function_operand(const vsg_obj_inst *inst);

#endif
