/* SPDX-License-Identifier: MIT
 *
 * Memory for what LLVM makes and throws away, in huge pages: a compilation touches some 10 MiB
 * for the first time, and page faults of 4 KiB each were a fifth of its time on a virtual
 * machine.
 *
 * Each thread has its own pool, without locks; what another one gives back waits there until
 * its owner looks for memory. All functions may be called by any thread, but not by signal
 * handlers. Where the heap has no memory, or not of that size, there is the C library's:
 * callers ask vsg_llvm_heap_has() whose a pointer is. */
#ifndef VISAGE_JIT_LLVM_HEAP_H
#define VISAGE_JIT_LLVM_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* Of at least so many bytes, of any content, at a multiple of ALIGNMENT, a power of two; NULL
 * where the heap has none. */
void *vsg_llvm_heap_take(size_t bytes, size_t alignment);

/* Whether P is of vsg_llvm_heap_take(). */
bool vsg_llvm_heap_has(const void *p);

/* How many bytes there are at P, which is the heap's: at least those that were asked for. */
size_t vsg_llvm_heap_size(const void *p);

/* Takes back P, which is the heap's. */
void vsg_llvm_heap_give(void *p);

#endif
