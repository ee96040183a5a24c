/* SPDX-License-Identifier: MIT
 *
 * Finding the functions of a module by name: a program may have ten thousand of them. */
#ifndef VISAGE_OBJECT_FUNCTIONS_H
#define VISAGE_OBJECT_FUNCTIONS_H

#include "object/object.h"

typedef struct vsg_obj_function {
    const char *name;
    uint32_t unit;   /* index in the module */
    uint32_t number; /* among the functions, as a binary's header lists them */
} vsg_obj_function;

typedef struct vsg_obj_functions {
    vsg_obj_function *items; /* by name; of one name, in the module's order */
    size_t count, capacity;
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

#endif
