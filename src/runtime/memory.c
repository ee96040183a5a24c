/* SPDX-License-Identifier: MIT */
#include "runtime/memory.h"

#include <string.h>
#include <sys/mman.h>

/* Where the arena is asked for: the same addresses in each run make reports comparable, and
 * below 2^46 no program that keeps tags in high bits meets one. The system may answer with
 * another place. */
enum { NUM_PLACES = 16 };
static const uint64_t first_place = (uint64_t)1 << 45;
static const uint64_t place_step = (uint64_t)1 << 40;
static const uint64_t address_limit = (uint64_t)1 << 47;
static const uint64_t least_fallback = (uint64_t)64 << 20;

static uint64_t address_of(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

static void *map(void *place, uint64_t size_bytes, int protection)
{
    if (size_bytes > SIZE_MAX)
        return NULL;
    void *base = mmap(place, (size_t)size_bytes, protection,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return base == MAP_FAILED ? NULL : base;
}

static void unmap(void *base, uint64_t size_bytes)
{
    if (base)
        (void)munmap(base, (size_t)size_bytes);
}

static void *map_arena(uint64_t size_bytes)
{
    for (uint64_t i = 0; i <= NUM_PLACES; i++) {
        /* The last try leaves the place to the system. */
        uint64_t place = i < NUM_PLACES ? first_place + i * place_step : 0;
        void *base = map((void *)(uintptr_t)place, size_bytes, PROT_NONE);
        if (!base)
            return NULL;
        uint64_t address = address_of(base);
        bool below = address < address_limit && address_limit - address >= size_bytes;
        if (below && (place == 0 || address == place))
            return base;
        unmap(base, size_bytes);
    }
    return NULL;
}

static bool reserve(vsg_run_memory *memory, uint64_t num_pages)
{
    uint64_t size_bytes = num_pages << VSG_EXE_PAGE_SHIFT;

    memory->pages = map(NULL, num_pages, PROT_READ | PROT_WRITE);
    memory->tails = map(NULL, num_pages * sizeof *memory->tails, PROT_READ | PROT_WRITE);
    memory->space.base = memory->pages && memory->tails ? map_arena(size_bytes) : NULL;
    if (!memory->space.base) {
        unmap(memory->pages, num_pages);
        unmap(memory->tails, num_pages * sizeof *memory->tails);
        memory->pages = NULL;
        memory->tails = NULL;
        return false;
    }
    memory->space.size_bytes = size_bytes;
    memory->space.pages = memory->pages;
    return true;
}

static void unmap_all(const vsg_run_memory *memory)
{
    uint64_t num_pages = memory->space.size_bytes >> VSG_EXE_PAGE_SHIFT;

    unmap(memory->pages, num_pages);
    unmap(memory->tails, num_pages * sizeof *memory->tails);
    unmap(memory->shadow, memory->space.size_bytes);
    unmap(memory->space.base, memory->space.size_bytes);
}

bool vsg_run_memory_init(vsg_run_memory *memory, const vsg_base_alloc *alloc,
                         uint64_t size_bytes, bool exactly)
{
    *memory = (vsg_run_memory){.alloc = *alloc};
    if (size_bytes < VSG_RUN_LEAST_MEMORY_BYTES || size_bytes > address_limit)
        return false;
    while (!reserve(memory, size_bytes >> VSG_EXE_PAGE_SHIFT)) {
        size_bytes /= 2;
        if (exactly || size_bytes < least_fallback)
            return false;
    }
    memory->cap_free = 8;
    memory->free = vsg_base_new(&memory->alloc, memory->cap_free, sizeof *memory->free);
    bool good = memory->free && pthread_mutex_init(&memory->lock, NULL) == 0;
    if (good && pthread_mutex_init(&memory->check_lock, NULL) != 0) {
        (void)pthread_mutex_destroy(&memory->lock);
        good = false;
    }
    if (!good) {
        vsg_base_delete(&memory->alloc, memory->free, memory->cap_free, sizeof *memory->free);
        unmap_all(memory);
        *memory = (vsg_run_memory){0};
        return false;
    }
    /* The page at the start stays out, so that small negative offsets meet nothing. */
    memory->free[memory->num_free++] =
        (vsg_run_range){1, (memory->space.size_bytes >> VSG_EXE_PAGE_SHIFT) - 1};
    return true;
}

void vsg_run_memory_fini(vsg_run_memory *memory)
{
    if (!memory->space.base)
        return;
    (void)pthread_mutex_destroy(&memory->check_lock);
    (void)pthread_mutex_destroy(&memory->lock);
    vsg_base_delete(&memory->alloc, memory->free, memory->cap_free, sizeof *memory->free);
    unmap_all(memory);
    *memory = (vsg_run_memory){0};
}

vsg_run_memory *vsg_run_memory_create(const vsg_base_alloc *alloc, uint64_t size_bytes,
                                      bool exactly)
{
    vsg_run_memory *memory = vsg_base_new(alloc, 1, sizeof *memory);

    if (memory && !vsg_run_memory_init(memory, alloc, size_bytes, exactly)) {
        vsg_base_delete(alloc, memory, 1, sizeof *memory);
        memory = NULL;
    }
    if (memory)
        atomic_init(&memory->num_devices, 1);
    return memory;
}

void vsg_run_memory_share(vsg_run_memory *memory)
{
    (void)atomic_fetch_add(&memory->num_devices, 1);
}

void vsg_run_memory_leave(vsg_run_memory *memory)
{
    if (!memory || atomic_fetch_sub(&memory->num_devices, 1) != 1)
        return;
    vsg_base_alloc alloc = memory->alloc;
    vsg_run_memory_fini(memory);
    vsg_base_delete(&alloc, memory, 1, sizeof *memory);
}

/* ---- allocation ------------------------------------------------------------------------- */

/* Pages an allocation takes: its own and one that stays a hole. */
static uint64_t pages_taken(uint64_t size_bytes)
{
    return ((size_bytes - 1) >> VSG_EXE_PAGE_SHIFT) + 2;
}

/* First fit, from the lowest address. */
static bool take(vsg_run_memory *memory, uint64_t count, uint64_t *first)
{
    for (size_t i = 0; i < memory->num_free; i++) {
        vsg_run_range *range = &memory->free[i];
        if (range->count < count)
            continue;
        *first = range->first;
        range->first += count;
        range->count -= count;
        if (range->count == 0) {
            memory->num_free--;
            memmove(range, range + 1, (memory->num_free - i) * sizeof *range);
        }
        return true;
    }
    return false;
}

/* There is room in the list: every allocation made sure of it. */
static void give(vsg_run_memory *memory, uint64_t first, uint64_t count)
{
    size_t at = 0;

    while (at < memory->num_free && memory->free[at].first < first)
        at++;
    vsg_run_range *before = at > 0 ? &memory->free[at - 1] : NULL;
    vsg_run_range *after = at < memory->num_free ? &memory->free[at] : NULL;
    bool joins_before = before && before->first + before->count == first;
    bool joins_after = after && first + count == after->first;
    if (joins_before && joins_after) {
        before->count += count + after->count;
        memory->num_free--;
        memmove(after, after + 1, (memory->num_free - at) * sizeof *after);
    } else if (joins_before) {
        before->count += count;
    } else if (joins_after) {
        after->first -= count;
        after->count += count;
    } else {
        memmove(&memory->free[at + 1], &memory->free[at],
                (memory->num_free - at) * sizeof *memory->free);
        memory->free[at] = (vsg_run_range){first, count};
        memory->num_free++;
    }
}

/* Memory that is not allocated is closed to the host, too, but for VSG_EXE_SLACK_BYTES. That
 * takes three mappings for each allocation, of which a process has some 65,000: with more than
 * MOST_CLOSED all is open, one mapping, and the page map alone keeps kernels out. */
static bool open_pages(vsg_run_memory *memory, uint8_t *base, size_t size_bytes)
{
    enum { MOST_CLOSED = 16384 };

    if (!memory->is_open && memory->num_live < MOST_CLOSED &&
        mprotect(base, size_bytes, PROT_READ | PROT_WRITE) == 0 &&
        mprotect(base + size_bytes, VSG_RUN_PAGE_BYTES, PROT_READ) == 0)
        return true;
    if (!memory->is_open)
        memory->is_open = mprotect(memory->space.base, (size_t)memory->space.size_bytes,
                                   PROT_READ | PROT_WRITE) == 0;
    return memory->is_open;
}

/* Opens `count` pages for use. */
static bool commit(vsg_run_memory *memory, uint64_t first, uint64_t count)
{
    uint8_t *base = memory->space.base + (first << VSG_EXE_PAGE_SHIFT);
    size_t size_bytes = (size_t)(count << VSG_EXE_PAGE_SHIFT);

    if (!open_pages(memory, base, size_bytes))
        return false;
#ifdef MADV_HUGEPAGE
    /* Streams through buffers take fewer pages then; where there are no large ones, nothing is
     * lost. */
    enum { LEAST_HUGE = 4 << 20 };
    if (size_bytes >= LEAST_HUGE)
        (void)madvise(base, size_bytes, MADV_HUGEPAGE);
#endif
    memset(memory->pages + first, VSG_EXE_PAGE_TAKEN, (size_t)count);
    return true;
}

/* What is allocated next is written by its zeros. */
static void forget_shadow(const vsg_run_memory *memory, uint64_t first, size_t size_bytes)
{
    uint8_t *shadow = memory->shadow + (first << VSG_EXE_PAGE_SHIFT);

    if (madvise(shadow, size_bytes, MADV_DONTNEED) != 0)
        memset(shadow, 0, size_bytes);
}

/* Closes them. Contents go, so that they are zero when they come back. */
static void decommit(vsg_run_memory *memory, uint64_t first, uint64_t count)
{
    uint8_t *base = memory->space.base + (first << VSG_EXE_PAGE_SHIFT);
    size_t size_bytes = (size_t)(count << VSG_EXE_PAGE_SHIFT);

    memset(memory->pages + first, 0, (size_t)count);
    if (memory->shadow)
        forget_shadow(memory, first, size_bytes);
    if (madvise(base, size_bytes, MADV_DONTNEED) != 0)
        memset(base, 0, size_bytes);
    /* Should this fail, the pages stay open to the host; the page map keeps kernels out. */
    if (!memory->is_open)
        (void)mprotect(base, size_bytes + VSG_RUN_PAGE_BYTES, PROT_NONE);
}

uint64_t vsg_run_memory_allocate(vsg_run_memory *memory, uint64_t size_bytes)
{
    uint64_t first = 0;
    bool good = false;

    if (size_bytes == 0 || size_bytes > memory->space.size_bytes)
        return 0;
    (void)pthread_mutex_lock(&memory->lock);
    uint64_t count = pages_taken(size_bytes);
    void *list = memory->free;
    bool room = vsg_base_grow(&memory->alloc, &list, memory->num_live + 2, &memory->cap_free,
                              sizeof *memory->free);
    memory->free = list;
    if (room && take(memory, count, &first)) {
        good = commit(memory, first, count - 1);
        if (good) {
            memory->num_live++;
            memory->tails[first + count - 2] =
                (uint16_t)((size_bytes - 1) % VSG_RUN_PAGE_BYTES + 1);
        } else {
            give(memory, first, count);
        }
    }
    (void)pthread_mutex_unlock(&memory->lock);
    return good ? address_of(memory->space.base + (first << VSG_EXE_PAGE_SHIFT)) : 0;
}

void vsg_run_memory_release(vsg_run_memory *memory, uint64_t address, uint64_t size_bytes)
{
    if (address == 0)
        return;
    (void)pthread_mutex_lock(&memory->lock);
    uint64_t count = pages_taken(size_bytes);
    uint64_t first = (address - address_of(memory->space.base)) >> VSG_EXE_PAGE_SHIFT;
    decommit(memory, first, count - 1);
    give(memory, first, count);
    memory->num_live--;
    (void)atomic_fetch_add(&memory->num_released, 1);
    (void)pthread_mutex_unlock(&memory->lock);
}

uint8_t *vsg_run_memory_shadow(vsg_run_memory *memory)
{
    (void)pthread_mutex_lock(&memory->lock);
    if (!memory->shadow)
        memory->shadow = map(NULL, memory->space.size_bytes, PROT_READ | PROT_WRITE);
    (void)pthread_mutex_unlock(&memory->lock);
    return memory->shadow;
}
