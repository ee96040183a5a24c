/* SPDX-License-Identifier: MIT
 *
 * Which unit of a module can call which. */
#ifndef VISAGE_OBJECT_CALLS_H
#define VISAGE_OBJECT_CALLS_H

#include "object/functions.h"

typedef struct vsg_obj_calls {
    uint32_t num_nodes; /* the units, and one for all functions whose address is in memory */
    uint32_t *first;    /* of a node's callees; one more at the end */
    uint32_t *callees;
    size_t num_callees;
} vsg_obj_calls;

/* Finds what each unit calls or takes the address of. in_memory: the `count` units whose
 * addresses are in memory when a kernel begins; whatever calls indirectly may call those.
 * False: memory is out. Free in either case. */
VISAGE_NODISCARD bool vsg_obj_calls_find(const vsg_base_alloc *alloc,
                                         const vsg_obj_functions *functions,
                                         const uint32_t *in_memory, size_t count,
                                         vsg_obj_calls *out);
void vsg_obj_calls_free(const vsg_base_alloc *alloc, vsg_obj_calls *calls);

/* Marks what can be called from the units that are marked. marked: of each unit. False: memory
 * is out. */
VISAGE_NODISCARD bool vsg_obj_calls_mark_callees(const vsg_base_alloc *alloc,
                                                 const vsg_obj_calls *calls, bool *marked);
/* Marks what can call the units that are marked. */
VISAGE_NODISCARD bool vsg_obj_calls_mark_callers(const vsg_base_alloc *alloc,
                                                 const vsg_obj_calls *calls, bool *marked);

#endif
