/* SPDX-License-Identifier: MIT
 *
 * What things are called in the binary that is written, where that is not what they are called
 * in the module: listings and binaries of the compiler differ in it (spec dialect 1.1, 4.1). */
#ifndef VISAGE_OBJECT_NAMING_H
#define VISAGE_OBJECT_NAMING_H

#include "object/object.h"

typedef struct vsg_obj_naming {
    vsg_base_arena arena;
    uint32_t *label_numbers;  /* place in the table, by index in the module */
    uint32_t *label_order;    /* index in the module, by place in the table */
    const char **label_names; /* by index in the module */
    const char **addresses, **predicates, **samplers, **surfaces;
    const char **renamed; /* by number of a stored string: what stands in its place, or NULL */
} vsg_obj_naming;

/* Works out the names of a unit. doc: the layout that is written. Listings give a subroutine's
 * label "_<n>" behind its name, n being its place in the table of labels, and so do the names
 * in documented binaries that visage writes; the compiler's binaries do not have it.
 * False when memory is out; free in either case. */
bool vsg_obj_naming_init(vsg_obj_naming *naming, const vsg_obj_module *module,
                         const vsg_obj_unit *unit, bool doc);
void vsg_obj_naming_free(vsg_obj_naming *naming);

/* The number among the stored strings of one that was read, by where it lies. False where
 * `text` is none of them. */
bool vsg_obj_stored_find(const vsg_obj_stored *stored, const char *text, size_t *index);

#endif
