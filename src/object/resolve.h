/* SPDX-License-Identifier: MIT
 *
 * Which file-scope variable an index of a unit means, and which function a name of it: its
 * variable_reloc_symtab or function_reloc_symtab, sorted, as a file may have tens of thousands
 * of entries and of aliases. */
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
/* The same of its function_reloc_symtab. */
VISAGE_NODISCARD bool vsg_obj_resolver_init_calls(vsg_obj_resolver *resolver,
                                                  const vsg_base_alloc *alloc,
                                                  const vsg_obj_unit *unit);
void vsg_obj_resolver_free(vsg_obj_resolver *resolver, const vsg_base_alloc *alloc);

/* The index in the module; that of the unit where the table does not have it. */
uint32_t vsg_obj_resolve(const vsg_obj_resolver *resolver, uint32_t symbol);

/* The number among the functions of the file that a unit's function_reloc_symtab gives to what
 * a call or faddr names. False: the table does not have it, and the name says what is meant. */
bool vsg_obj_resolve_call(const vsg_obj_resolver *calls, const vsg_obj_unit *unit,
                          vsg_obj_layout layout, const char *name, uint32_t *number);

/* The definition of each file-scope variable of the module: itself, or the first global one of
 * its name where it is extern; VSG_OBJ_NO_ALIAS: there is none. out: one for each. */
VISAGE_NODISCARD bool vsg_obj_define_variables(const vsg_obj_module *module, uint32_t *out);

#endif
