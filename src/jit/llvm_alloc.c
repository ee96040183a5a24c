/* SPDX-License-Identifier: MIT
 *
 * What LLVM, and the library of C++ that is linked with it, call to allocate and free: the
 * linker's --wrap. Some of what they free the C library's functions have allocated. */
#include "jit/llvm_heap.h"

#include <stddef.h>
#include <string.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *p, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *p);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *p, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void __wrap_free(void *p);

void *__wrap_malloc(size_t bytes)
{
    void *p = vsg_llvm_heap_take(bytes, 1);

    return p ? p : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    size_t all;
    void *p = __builtin_mul_overflow(count, bytes, &all) ? NULL : vsg_llvm_heap_take(all, 1);

    return p ? memset(p, 0, all) : __real_calloc(count, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    void *p = vsg_llvm_heap_take(bytes, alignment);

    return p ? p : __real_aligned_alloc(alignment, bytes);
}

void __wrap_free(void *p)
{
    if (vsg_llvm_heap_has(p))
        vsg_llvm_heap_give(p);
    else
        __real_free(p);
}

void *__wrap_realloc(void *p, size_t bytes)
{
    if (!p)
        return __wrap_malloc(bytes);
    if (!vsg_llvm_heap_has(p))
        return __real_realloc(p, bytes);
    size_t there = vsg_llvm_heap_size(p);
    if (bytes <= there && bytes >= there / 2)
        return p;
    void *moved = __wrap_malloc(bytes);
    if (moved) {
        memcpy(moved, p, bytes < there ? bytes : there);
        vsg_llvm_heap_give(p);
    }
    return moved;
}
