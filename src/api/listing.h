/* SPDX-License-Identifier: MIT
 *
 * LLVM's listings with the vISA instructions that code was made of between their lines. */
#ifndef VISAGE_API_LISTING_H
#define VISAGE_API_LISTING_H

#include "base/alloc.h"

/* The text of instruction `number` of the unit, which ends at '\n' or NUL; NULL: it has none.
 */
typedef const char *(*vsg_api_inst_fn)(void *user, size_t number);

typedef struct vsg_api_listing {
    const vsg_base_alloc *alloc;
    vsg_api_inst_fn inst; /* NULL: nothing is put between the lines */
    void *user;
    char *text; /* the result: owned, `capacity` bytes, of which `size` are in use */
    size_t size, capacity;
    bool no_memory;
} vsg_api_listing;

/* Turn a text of LLVM's, compiled with VSG_JIT_INST_LINES, into the listing: its debug
 * information is left out. Zeroed but for alloc, inst and user before. False: memory is out. */
bool vsg_api_list_assembly(vsg_api_listing *listing, const char *text, size_t size);
bool vsg_api_list_llvm(vsg_api_listing *listing, const char *text, size_t size);
void vsg_api_listing_free(vsg_api_listing *listing);

#endif
