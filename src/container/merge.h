/* SPDX-License-Identifier: MIT
 *
 * The data of several zebins as that of one program. Each file's sections lie behind those of
 * the files before it and begin a page, as they would alone, so that nothing in them is less
 * aligned than it was. */
#ifndef VISAGE_CONTAINER_MERGE_H
#define VISAGE_CONTAINER_MERGE_H

#include "container/zebin.h"

typedef struct vsg_con_part {
    const vsg_con_zebin *zebin;
    /* What each of its symbols is called in the program, by index; no two that are data alike.
     * NULL: nothing in the program is what the symbol means. */
    const char *const *names;
} vsg_con_part;

/* keeps: the zebins and all names. alloc: kept while `out` lives.
 * out: data, symbols and relocations, but no kernels or functions; free with
 * vsg_con_zebin_free(); empty when it returns false, memory being out. */
VISAGE_NODISCARD bool vsg_con_merge(const vsg_base_alloc *alloc, const vsg_con_part *parts,
                                    size_t num_parts, vsg_con_zebin *out);

#endif
