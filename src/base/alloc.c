/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK_BYTES = 4096, LARGEST_BLOCK_BYTES = 1 << 20 };

struct vsg_base_arena_block {
    vsg_base_arena_block *next;
    size_t size_bytes; /* of the whole block, this header included */
    size_t used_bytes;
};

static void *default_resize(void *user, void *pointer, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(pointer);
        return NULL;
    }
    return realloc(pointer, new_size);
}

vsg_base_alloc vsg_base_alloc_default(void)
{
    return (vsg_base_alloc){.resize = default_resize};
}

bool vsg_base_mul(size_t a, size_t b, size_t *out)
{
    if (b != 0 && a > SIZE_MAX / b)
        return false;
    *out = a * b;
    return true;
}

bool vsg_base_add(size_t a, size_t b, size_t *out)
{
    if (a > SIZE_MAX - b)
        return false;
    *out = a + b;
    return true;
}

void *vsg_base_new(const vsg_base_alloc *alloc, size_t count, size_t size)
{
    size_t bytes;

    if (!vsg_base_mul(count, size, &bytes) || bytes == 0)
        return NULL;
    void *pointer = alloc->resize(alloc->user, NULL, 0, bytes);
    if (pointer)
        memset(pointer, 0, bytes);
    return pointer;
}

void vsg_base_delete(const vsg_base_alloc *alloc, void *pointer, size_t count, size_t size)
{
    if (pointer)
        (void)alloc->resize(alloc->user, pointer, count * size, 0);
}

bool vsg_base_grow_full(const vsg_base_alloc *alloc, void **array, size_t *capacity,
                        size_t size)
{
    size_t bytes;
    size_t wanted = *capacity ? *capacity * 2 : 8;
    if (wanted <= *capacity || !vsg_base_mul(wanted, size, &bytes))
        return false;
    void *grown = alloc->resize(alloc->user, *array, *capacity * size, bytes);
    if (!grown)
        return false;
    *array = grown;
    *capacity = wanted;
    return true;
}

void vsg_base_arena_init(vsg_base_arena *arena, const vsg_base_alloc *alloc)
{
    *arena = (vsg_base_arena){.alloc = alloc};
}

static size_t header_bytes(void)
{
    size_t align = alignof(max_align_t);
    return (sizeof(vsg_base_arena_block) + align - 1) / align * align;
}

static bool add_block(vsg_base_arena *arena, size_t bytes)
{
    /* Blocks double so that a big object costs few of them and a small one little. */
    size_t size = arena->blocks ? arena->blocks->size_bytes * 2 : FIRST_BLOCK_BYTES;
    if (size > LARGEST_BLOCK_BYTES)
        size = LARGEST_BLOCK_BYTES;
    size_t needed;
    if (!vsg_base_add(bytes, header_bytes(), &needed))
        return false;
    if (size < needed)
        size = needed;
    vsg_base_arena_block *block = arena->alloc->resize(arena->alloc->user, NULL, 0, size);
    if (!block)
        return false;
    block->next = arena->blocks;
    block->size_bytes = size;
    block->used_bytes = header_bytes();
    arena->blocks = block;
    return true;
}

/* Bytes as they come; `align` is a power of two. */
static void *take(vsg_base_arena *arena, size_t bytes, size_t align)
{
    vsg_base_arena_block *block = arena->blocks;
    size_t at = 0;

    if (block)
        at = (block->used_bytes + align - 1) & ~(align - 1);
    if (!block || block->size_bytes < at || block->size_bytes - at < bytes) {
        if (!add_block(arena, bytes))
            return NULL;
        block = arena->blocks;
        at = block->used_bytes;
    }
    block->used_bytes = at + bytes;
    return (char *)block + at;
}

void *vsg_base_arena_new(vsg_base_arena *arena, size_t count, size_t size)
{
    size_t bytes;

    if (!vsg_base_mul(count, size, &bytes))
        return NULL;
    void *pointer = take(arena, bytes ? bytes : 1, alignof(max_align_t));
    if (pointer)
        memset(pointer, 0, bytes);
    return pointer;
}

void *vsg_base_arena_copy(vsg_base_arena *arena, const void *from, size_t count, size_t size)
{
    size_t bytes;

    if (!vsg_base_mul(count, size, &bytes))
        return NULL;
    void *copy = take(arena, bytes ? bytes : 1, alignof(max_align_t));
    if (copy && bytes)
        memcpy(copy, from, bytes);
    return copy;
}

char *vsg_base_arena_text(vsg_base_arena *arena, const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? take(arena, length + 1, 1) : NULL;

    if (!copy)
        return NULL;
    if (length)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static void free_blocks(const vsg_base_alloc *alloc, vsg_base_arena_block *block)
{
    while (block) {
        vsg_base_arena_block *next = block->next;
        (void)alloc->resize(alloc->user, block, block->size_bytes, 0);
        block = next;
    }
}

void vsg_base_arena_free(vsg_base_arena *arena)
{
    free_blocks(arena->alloc, arena->blocks);
    arena->blocks = NULL;
}

void vsg_base_arena_clear(vsg_base_arena *arena)
{
    vsg_base_arena_block *last = arena->blocks;

    if (!last || last->size_bytes > LARGEST_BLOCK_BYTES) {
        vsg_base_arena_free(arena);
        return;
    }
    free_blocks(arena->alloc, last->next);
    last->next = NULL;
    last->used_bytes = header_bytes();
}
