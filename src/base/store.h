/* SPDX-License-Identifier: MIT
 *
 * A store of results on disk, shared by all processes of a user: what was made from a key can
 * be found again by it. It is a cache: an entry may be gone at any time, one that is damaged is
 * not found, and what cannot be written is not kept, without a word. */
#ifndef VISAGE_BASE_STORE_H
#define VISAGE_BASE_STORE_H

#include "base/alloc.h"

typedef struct vsg_base_store vsg_base_store;

/* A number of the bytes by which damage is found; not one that an enemy could not find twice.
 */
uint64_t vsg_base_checksum(uint64_t seed, const void *data, size_t size_bytes);

/* Opens the store; nothing is created on disk before the first entry.
 *
 * alloc       copied.
 * folder      copied. NULL: $VISAGE_CACHE_DIR, else $XDG_CACHE_HOME/visage, else
 *             $HOME/.cache/visage. VISAGE_CACHE=0, an empty VISAGE_CACHE_DIR, or none of the
 *             three: nothing is ever found or kept.
 * most_bytes  what all entries together may take, about; the ones longest unused go first. 0: 1
 *             GiB.
 *
 * Returns owned, free with vsg_base_store_close(); NULL when memory is out. A store may be used
 * from several threads at once. */
vsg_base_store *vsg_base_store_open(const vsg_base_alloc *alloc, const char *folder,
                                    uint64_t most_bytes);
void vsg_base_store_close(vsg_base_store **store);

/* Is there a folder, so that something could be kept? store: may be NULL. */
bool vsg_base_store_keeps(const vsg_base_store *store);

/* Finds what was put with this key. key: borrowed; it begins with a word for what the entry is,
 * so that users of one folder keep apart, and says all that the entry depends on. *data:
 * returns owned, free with vsg_base_delete(alloc, *data, *size_bytes, 1), NULL when *size_bytes
 * is 0. False, and both are 0: there is no such entry. store: may be NULL. */
bool vsg_base_store_find(vsg_base_store *store, const void *key, size_t key_bytes, void **data,
                         size_t *size_bytes);

/* Keeps data under a key, instead of what was there. Borrows everything. Returns whether it was
 * kept, which few need to know. store: may be NULL. */
bool vsg_base_store_put(vsg_base_store *store, const void *key, size_t key_bytes,
                        const void *data, size_t size_bytes);

#endif
