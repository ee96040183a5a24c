/* SPDX-License-Identifier: MIT
 *
 * What the files of the linker share. */
#ifndef VISAGE_LINK_LINKER_H
#define VISAGE_LINK_LINKER_H

#include "link/link.h"
#include "object/functions.h"

/* Who finds a symbol. An input finds its own static, OWN_FIRST and DATA ones before those of
 * others. */
typedef enum vsg_lnk_binding {
    VSG_LNK_STATIC,    /* its input alone */
    VSG_LNK_OWN_FIRST, /* a function of a container; others where there is no global one */
    VSG_LNK_GLOBAL,    /* all; kernels too */
    VSG_LNK_DATA       /* the same as OWN_FIRST, but no call */
} vsg_lnk_binding;

/* What an input defines: a kernel, a function or its container's data. */
typedef struct vsg_lnk_symbol {
    const char *name;
    const char *new_name;     /* in the linked module, NULL: as it is */
    const vsg_obj_unit *unit; /* NULL: data */
    uint32_t input, index;    /* of the unit in the input's module, of data in its externals */
    int64_t arg_grfs, return_grfs; /* that a function declares */
    vsg_obj_resolver calls, variables;
    vsg_lnk_binding binding;
    bool is_reached;
} vsg_lnk_symbol;

/* All symbols of one name. */
typedef struct vsg_lnk_group {
    vsg_lnk_symbol **symbols; /* by input, then binding */
    size_t count;
    vsg_lnk_symbol *global; /* function; NULL: none */
    /* OWN_FIRST: the first, and one of another input. NULL: none. */
    vsg_lnk_symbol *functions[2], *anything[2]; /* anything: DATA too */
    bool is_taken;                              /* by a global function or kernel */
    bool is_wanted; /* something refers to the name that a later link may define */
} vsg_lnk_group;

/* A file-scope variable as an input declares or defines it. */
typedef struct vsg_lnk_variable {
    const vsg_obj_file_variable *variable;
    const char *new_name;
    uint32_t input;
    uint32_t number;                     /* in the linked module, VSG_LNK_NONE: not there yet */
    struct vsg_lnk_variable *definition; /* itself, or what an extern one refers to; or NULL */
    uint8_t align;                       /* of a definition: the strictest of all */
    struct vsg_lnk_variable *attributes; /* whose attributes it gets; NULL: it has none */
    bool is_told;                        /* that it is missing */
    uint32_t seen_by; /* the unit, counted from 1, whose relocations have it already */
} vsg_lnk_variable;

#define VSG_LNK_NONE       UINT32_MAX
#define VSG_LNK_MOST_NOTES 4 /* on what cannot be meant */

typedef struct vsg_lnk_linker {
    const vsg_base_alloc *alloc;
    vsg_base_arena arena; /* names */
    const vsg_lnk_input *inputs;
    size_t num_inputs;
    const vsg_lnk_options *options;
    visage_diagnostics *diagnostics;
    visage_status status; /* the first that was not OK */
    vsg_lnk_result *out;

    const char **names; /* all that the inputs have, sorted; NULL until one is needed */
    size_t num_names, cap_names;
    const vsg_obj_unit ***functions; /* of each input, as its header lists them */
    size_t *num_functions;

    vsg_lnk_symbol *symbols; /* in the order of the inputs */
    vsg_lnk_symbol **sorted; /* by group */
    size_t num_symbols, cap_symbols;
    vsg_lnk_group *groups; /* by name */
    size_t num_groups;

    vsg_lnk_variable *variables; /* in the order of the inputs */
    vsg_lnk_variable **sorted_variables;
    size_t num_variables;
    size_t *first_variable; /* of each input */
} vsg_lnk_linker;

/* Always false, for returns. */
bool vsg_lnk_no_memory(vsg_lnk_linker *linker);
void vsg_lnk_fail(vsg_lnk_linker *linker, visage_status status);
/* "name__1" with the first number above *number that makes a new name, which *number becomes;
 * in the linker's arena. NULL when memory is out. (names.c) */
const char *vsg_lnk_new_name(vsg_lnk_linker *linker, const char *name, unsigned *number);
void vsg_lnk_free_names(vsg_lnk_linker *linker);

/* symbols.c. Each that returns bool false when memory is out. */
VISAGE_NODISCARD bool vsg_lnk_collect(vsg_lnk_linker *linker);
/* The symbols called so, NULL: there are none. */
vsg_lnk_group *vsg_lnk_group_of(const vsg_lnk_linker *linker, const char *name);
/* What a name means in an input: its own symbol, else the program's; NULL: nothing. is_call: it
 * must be a function. */
vsg_lnk_symbol *vsg_lnk_find(const vsg_lnk_linker *linker, uint32_t input, const char *name,
                             bool is_call);
/* What the name of something found might mean just as well; NULL: nothing. */
const vsg_lnk_symbol *vsg_lnk_rival(const vsg_lnk_linker *linker, uint32_t input,
                                    const vsg_lnk_symbol *found, bool is_call);
/* Where a symbol is defined, and a note of that. */
vsg_base_location vsg_lnk_place(const vsg_lnk_linker *linker, const vsg_lnk_symbol *symbol);
void vsg_lnk_note(const vsg_lnk_linker *linker, const vsg_lnk_symbol *symbol);
/* Reports what is defined twice. */
void vsg_lnk_check_names(vsg_lnk_linker *linker);
/* Reports what the inputs' data refers to and nothing defines. */
void vsg_lnk_check_externals(vsg_lnk_linker *linker);
/* Gives symbols of one name names of their own. */
VISAGE_NODISCARD bool vsg_lnk_rename(vsg_lnk_linker *linker);
/* Fills in the names of the result. */
VISAGE_NODISCARD bool vsg_lnk_name_externals(vsg_lnk_linker *linker);

/* link.c: what a name in an input means; reports at `where` when that is nothing or may be
 * several things, and returns NULL. A later link may define what is missing. */
const vsg_lnk_symbol *vsg_lnk_check_name(vsg_lnk_linker *linker, uint32_t input,
                                         const char *name, bool is_call,
                                         const vsg_base_location *where);
/* The name that such an operand of a symbol's unit stands for. */
const char *vsg_lnk_reference(const vsg_lnk_linker *linker, const vsg_lnk_symbol *from,
                              const vsg_obj_operand *operand);

/* variables.c: file-scope variables. Each false when memory is out. */
VISAGE_NODISCARD bool vsg_lnk_collect_variables(vsg_lnk_linker *linker);
/* Reports what something reached refers to and nothing defines. */
void vsg_lnk_check_variables(vsg_lnk_linker *linker);
/* Puts those into the linked module that something reached refers to, or all. */
VISAGE_NODISCARD bool vsg_lnk_define_variables(vsg_lnk_linker *linker);
/* Makes the aliases of a copied unit refer to them. */
VISAGE_NODISCARD bool vsg_lnk_adopt_variables(vsg_lnk_linker *linker,
                                              const vsg_lnk_symbol *symbol, vsg_obj_unit *unit);
void vsg_lnk_free_variables(vsg_lnk_linker *linker);

/* Fills in the function relocations of the linked module. */
VISAGE_NODISCARD bool vsg_lnk_relocate_functions(vsg_lnk_linker *linker);

#endif
