/* SPDX-License-Identifier: MIT
 *
 * The device's address space: one reservation of virtual memory from which whole pages are
 * handed out. A device address is also a host address. Source: design section 3, Memory. */
#ifndef VISAGE_RUNTIME_MEMORY_H
#define VISAGE_RUNTIME_MEMORY_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "exec/memory.h"

/* Pages that nobody has, a whole number of them, never none. */
typedef struct vsg_run_range {
    uint64_t first, count;
} vsg_run_range;

typedef struct vsg_run_memory {
    vsg_base_alloc alloc;
    vsg_exe_space space;
    uint8_t *pages;  /* space.pages, to write; one byte a page */
    uint16_t *tails; /* by page: bytes in use of the last page of an allocation */
    uint8_t *shadow; /* of check mode (exec/check.h), as large as the space; NULL: none yet */
    pthread_mutex_t lock;
    vsg_run_range *free; /* by address; neighbours are merged */
    size_t num_free, cap_free;
    size_t num_live;            /* allocations; num_free is never above num_live + 1 */
    bool is_open;               /* what is not allocated, to the host (open_pages()) */
    atomic_uint num_devices;    /* see vsg_run_memory_create() */
    pthread_mutex_t check_lock; /* held by a run in check mode, which writes to the shadow */
    uint64_t check_serial;      /* checked runs so far */
    atomic_uint_least64_t num_released; /* allocations so far */
} vsg_run_memory;

enum { VSG_RUN_PAGE_BYTES = 1 << VSG_EXE_PAGE_SHIFT, VSG_RUN_LEAST_MEMORY_BYTES = 1 << 20 };

/* Reserves `size_bytes`, rounded down to pages. May settle for less, down to 64 MiB, where
 * `exactly` is false and the system refuses (ulimit -v, sanitizers). False: refused; nothing
 * is kept then. */
VISAGE_NODISCARD bool vsg_run_memory_init(vsg_run_memory *memory, const vsg_base_alloc *alloc,
                                          uint64_t size_bytes, bool exactly);
/* Also of a zeroed struct. Takes away everything that is still allocated. */
void vsg_run_memory_fini(vsg_run_memory *memory);

/* One in memory of its own, for a first device. NULL: refused. */
vsg_run_memory *vsg_run_memory_create(const vsg_base_alloc *alloc, uint64_t size_bytes,
                                      bool exactly);
/* One device more, and one less: behind the last it is freed. NULL is nothing. */
void vsg_run_memory_share(vsg_run_memory *memory);
void vsg_run_memory_leave(vsg_run_memory *memory);

/* Allocates zeroed pages for `size_bytes` (1 or more), with at least one page behind them that
 * is never allocated. Returns the address, 0: there is no room. Safe from several threads. */
uint64_t vsg_run_memory_allocate(vsg_run_memory *memory, uint64_t size_bytes);
/* Gives back what was allocated with the same size; the contents are lost. Address 0 is
 * nothing. Safe from several threads. */
void vsg_run_memory_release(vsg_run_memory *memory, uint64_t address, uint64_t size_bytes);

/* The shadow for check mode, made when it is first asked for: everything is written. NULL:
 * there is no room for it. */
uint8_t *vsg_run_memory_shadow(vsg_run_memory *memory);

/* The host pointer of a device address. */
static inline void *vsg_run_memory_at(const vsg_run_memory *memory, uint64_t address)
{
    return memory->space.base + (address - (uint64_t)(uintptr_t)memory->space.base);
}

#endif
