/* SPDX-License-Identifier: MIT
 *
 * Names to what they stand for: hash table with scopes. Variables of all classes share one
 * table of a parse, labels have another (4_visa_header, Variables, Labels). */
#ifndef VISAGE_TEXT_SYMBOLS_H
#define VISAGE_TEXT_SYMBOLS_H

#include "text/lexer.h"

typedef enum vsg_txt_kind {
    VSG_TXT_KIND_GENERAL,
    VSG_TXT_KIND_ADDRESS,
    VSG_TXT_KIND_PREDICATE,
    VSG_TXT_KIND_SAMPLER,
    VSG_TXT_KIND_SURFACE,
    VSG_TXT_KIND_LABEL
} vsg_txt_kind;

/* "general variable" ... */
const char *vsg_txt_kind_text(vsg_txt_kind kind);

/* One meaning of a name. */
typedef struct vsg_txt_binding {
    vsg_txt_kind kind;
    uint32_t id;     /* index as operands give it */
    uint32_t depth;  /* of the scope */
    uint32_t symbol; /* whose meaning it is */
    uint32_t hidden; /* the meaning outside this scope, index + 1; 0: none */
} vsg_txt_binding;

typedef struct vsg_txt_symbol vsg_txt_symbol;

typedef struct vsg_txt_slot {
    uint64_t block; /* of a name of up to eight bytes, see vsg_base_hash_block() */
    uint32_t hash;
    uint32_t entry; /* index of a symbol + 1, 0: free */
} vsg_txt_slot;

typedef struct vsg_txt_symbols {
    const vsg_base_alloc *alloc; /* kept */
    uint64_t seed;
    vsg_txt_slot *slots; /* a power of two of them */
    size_t num_slots, first_slots;
    vsg_txt_symbol *symbols;
    size_t num_symbols, cap_symbols;
    vsg_txt_binding *bindings; /* newest last */
    size_t num_bindings, cap_bindings;
    uint32_t depth; /* of the innermost scope, 0 the outermost */
} vsg_txt_symbols;

/* first_slots: a power of two, twice as many as the names that are expected. */
void vsg_txt_symbols_init(vsg_txt_symbols *table, const vsg_base_alloc *alloc,
                          size_t first_slots);
/* Makes `table` a copy of another, which is kept as long as the names in it. False when memory
 * is out; `table` is to be freed even so. */
bool vsg_txt_symbols_copy(vsg_txt_symbols *table, const vsg_base_alloc *alloc,
                          const vsg_txt_symbols *from);
void vsg_txt_symbols_free(vsg_txt_symbols *table);

/* What the name means here, NULL when nothing. Good until the next binding. */
const vsg_txt_binding *vsg_txt_find(const vsg_txt_symbols *table, vsg_txt_word name);

typedef enum vsg_txt_bound {
    VSG_TXT_BOUND,
    VSG_TXT_TAKEN,    /* it has a meaning in this scope, and keeps it */
    VSG_TXT_NOT_BOUND /* memory is out */
} vsg_txt_bound;

/* Gives the name a meaning in the innermost scope, hiding that of a scope around it. The name
 * is kept. */
vsg_txt_bound vsg_txt_bind(vsg_txt_symbols *table, vsg_txt_word name, vsg_txt_kind kind,
                           uint32_t id);

/* Forgets all bindings but the oldest `count`: what num_bindings was when a scope began. */
void vsg_txt_unbind(vsg_txt_symbols *table, size_t count);

/* Binds the names that every unit has. False when memory is out. */
bool vsg_txt_bind_predefined(vsg_txt_symbols *table);

#endif
