/* SPDX-License-Identifier: MIT
 *
 * The linker: several modules as one. Linkage has C's meaning (3_execution_model, Concepts): a
 * static name is its object's own, a global name is the program's and defined once, an extern
 * declaration refers to it. Calls find functions by name, as the compiler writes them, or
 * through the relocation tables where a binary has some. The linkage of functions in the
 * compiler's binaries is not to be trusted (spec dialect 1): what has code is a definition.
 * Data in containers has names, too: faddr takes its address. */
#ifndef VISAGE_LINK_LINK_H
#define VISAGE_LINK_LINK_H

#include "object/object.h"

/* A symbol of an input's container: data, or a name that its data may refer to. */
typedef struct vsg_lnk_external {
    const char *name;
    bool is_data; /* defined there, with an address */
    bool is_used; /* by its data: it must be defined somewhere */
} vsg_lnk_external;

typedef struct vsg_lnk_input {
    const vsg_obj_module *module;
    const char *name; /* for diagnostics and the map */
    /* It was a program before: what it defines is what it means by the name, and what others
     * mean only where nothing else defines it. Zebins do not say which of their functions and
     * variables are static. */
    bool binds_first;
    const vsg_lnk_external *externals;
    size_t num_externals;
} vsg_lnk_input;

typedef struct vsg_lnk_options {
    bool gc;      /* leave out what no kernel reaches */
    bool partial; /* what is missing may come from a later link */
} vsg_lnk_options;

/* Attribute of a function that was a container's before a partial link: a later link takes it
 * as `binds_first` says. Ours; attributes that the documents do not name mean nothing there. */
#define VSG_LNK_OWN_FIRST_ATTRIBUTE "OwnFirst"

/* Where a unit of the linked module comes from. */
typedef struct vsg_lnk_origin {
    uint32_t input;
    uint32_t unit; /* index in the input's module */
} vsg_lnk_origin;

typedef struct vsg_lnk_result {
    vsg_obj_module *module;
    vsg_lnk_origin *origins; /* of its units, by index; `module->alloc` */
    size_t num_origins;
    uint32_t *variable_inputs; /* that define its file-scope variables, by index */
    size_t num_variable_inputs;
    /* What the externals of all inputs, in order, are called in the module; data has a name of
     * its own. NULL: there is no such thing. The module's. */
    const char **names;
    size_t num_names;
} vsg_lnk_result;

/* Links `count` modules. out: returns owned, free with vsg_lnk_result_free(); empty unless OK.
 *
 * Returns OK; INVALID, UNRESOLVED with everything that is wrong in the diagnostics; NO_MEMORY.
 * Takes time n log n in what is linked. */
VISAGE_NODISCARD visage_status vsg_lnk_link(const vsg_base_alloc *alloc,
                                            const vsg_lnk_input *inputs, size_t count,
                                            const vsg_lnk_options *options,
                                            visage_diagnostics *diagnostics,
                                            vsg_lnk_result *out);
void vsg_lnk_result_free(vsg_lnk_result *result);

/* Writes who defines and who uses what, as text. Returns NO_MEMORY, IO (write refused). */
VISAGE_NODISCARD visage_status vsg_lnk_map(const vsg_lnk_input *inputs,
                                           const vsg_lnk_result *result, visage_write_fn write,
                                           void *user);

#endif
