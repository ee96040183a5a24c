/* SPDX-License-Identifier: MIT
 *
 * Memory: the caller's allocator, checked size arithmetic, and the arena in which everything of
 * one object lives and dies together. */
#ifndef VISAGE_BASE_ALLOC_H
#define VISAGE_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "visage/visage.h"

typedef struct vsg_base_alloc {
    visage_resize_fn resize; /* never NULL, see vsg_base_alloc_default() */
    void *user;
} vsg_base_alloc;

/* realloc() and free(). */
vsg_base_alloc vsg_base_alloc_default(void);

/* `count` objects of `size` bytes, zeroed; NULL when the product overflows or memory is out.
 * Free with vsg_base_delete() and the same count and size. */
void *vsg_base_new(const vsg_base_alloc *alloc, size_t count, size_t size);
void vsg_base_delete(const vsg_base_alloc *alloc, void *pointer, size_t count, size_t size);

/* Makes room for one more element in a growing array: when *count == *capacity, doubles the
 * capacity. Returns false, and changes nothing, when memory is out. */
bool vsg_base_grow_full(const vsg_base_alloc *alloc, void **array, size_t *capacity,
                        size_t size);
static inline bool vsg_base_grow(const vsg_base_alloc *alloc, void **array, size_t count,
                                 size_t *capacity, size_t size)
{
    return count < *capacity || vsg_base_grow_full(alloc, array, capacity, size);
}

bool vsg_base_mul(size_t a, size_t b, size_t *out);
bool vsg_base_add(size_t a, size_t b, size_t *out);

typedef struct vsg_base_arena_block vsg_base_arena_block;

typedef struct vsg_base_arena {
    const vsg_base_alloc *alloc; /* kept */
    vsg_base_arena_block *blocks;
} vsg_base_arena;

void vsg_base_arena_init(vsg_base_arena *arena, const vsg_base_alloc *alloc);
/* `count` objects of `size` bytes, zeroed, aligned for any type; NULL when memory is out. */
void *vsg_base_arena_new(vsg_base_arena *arena, size_t count, size_t size);
/* A copy of `count` objects of `size` bytes, aligned alike; NULL when memory is out. */
void *vsg_base_arena_copy(vsg_base_arena *arena, const void *from, size_t count, size_t size);
/* A NUL-terminated copy; NULL when memory is out. */
char *vsg_base_arena_text(vsg_base_arena *arena, const char *text, size_t length);
void vsg_base_arena_free(vsg_base_arena *arena);
/* Everything in it is gone; some memory is kept for what comes next. */
void vsg_base_arena_clear(vsg_base_arena *arena);

#endif
