/* SPDX-License-Identifier: MIT
 *
 * Which file-scope variable an index of a unit means: its variable_reloc_symtab, sorted, as a
 * file may have tens of thousands of entries and of aliases. */
#ifndef VISAGE_OBJECT_RESOLVE_H
#define VISAGE_OBJECT_RESOLVE_H

#include "object/object.h"

typedef struct vsg_obj_resolver {
    const vsg_obj_reloc **relocs; /* by symbolic index; of one index, in the file's order */
    size_t count;
} vsg_obj_resolver;

/* unit: kept. False: memory is out. Free in either case, also where it was never filled. */
VISAGE_NODISCARD bool vsg_obj_resolver_init(vsg_obj_resolver *resolver,
                                            const vsg_base_alloc *alloc,
                                            const vsg_obj_unit *unit);
void vsg_obj_resolver_free(vsg_obj_resolver *resolver, const vsg_base_alloc *alloc);

/* The index in the module; that of the unit where the table does not have it. */
uint32_t vsg_obj_resolve(const vsg_obj_resolver *resolver, uint32_t symbol);

/* The definition of each file-scope variable of the module: itself, or the first global one of
 * its name where it is extern; VSG_OBJ_NO_ALIAS: there is none. out: one for each. */
VISAGE_NODISCARD bool vsg_obj_define_variables(const vsg_obj_module *module, uint32_t *out);

#endif
