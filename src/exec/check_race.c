/* SPDX-License-Identifier: MIT
 *
 * Who accessed which bytes last (check_race.h). Two records of reads and atomics are kept
 * beside that of the last write: of all that is not ordered before a write, one is another
 * thread's and among them, and whatever they miss was ordered, or found, before. */
#include <string.h>

#include "exec/check_race.h"

enum {
    LEAF_PAGES = 1 << 10,
    PAGE_BYTES = 1 << VSG_EXE_PAGE_SHIFT,
    DWORD_SHIFT = 2,
    SYNCS = 1 << 14
};

/* ---- pages ------------------------------------------------------------------------------ */

static size_t count_granules(bool is_fine)
{
    return is_fine ? PAGE_BYTES : PAGE_BYTES >> DWORD_SHIFT;
}

static void free_page(const vsg_base_alloc *alloc, vsg_exe_race_page *page)
{
    size_t count;

    if (!page)
        return;
    count = count_granules(page->is_fine);
    vsg_base_delete(alloc, page->cells, count, sizeof *page->cells);
    vsg_base_delete(alloc, page->second, count, sizeof *page->second);
    vsg_base_delete(alloc, page, 1, sizeof *page);
}

static vsg_exe_race_page *make_page(const vsg_base_alloc *alloc)
{
    vsg_exe_race_page *page = vsg_base_new(alloc, 1, sizeof *page);

    if (!page)
        return NULL;
    page->cells = vsg_base_new(alloc, count_granules(false), sizeof *page->cells);
    if (page->cells)
        return page;
    free_page(alloc, page);
    return NULL;
}

/* The page that a byte is in; NULL: memory is out. */
static vsg_exe_race_page *find_page(vsg_exe_race_access *access, uint64_t number)
{
    vsg_exe_race *race = access->race;
    vsg_exe_race_memory *memory = access->is_slm ? &race->slm : &race->device;

    if (access->page && access->page_number == number)
        return access->page;
    vsg_exe_race_page ***leaf = &memory->pages[number / LEAF_PAGES];
    if (!*leaf)
        *leaf = vsg_base_new(race->alloc, LEAF_PAGES, sizeof **leaf);
    vsg_exe_race_page **page = *leaf ? &(*leaf)[number % LEAF_PAGES] : NULL;
    if (page && !*page)
        *page = make_page(race->alloc);
    access->page = page ? *page : NULL;
    access->page_number = number;
    race->lost |= !access->page;
    return access->page;
}

/* From dwords to bytes. False: memory is out. */
static bool refine(vsg_exe_race *race, vsg_exe_race_page *page)
{
    size_t old_count = count_granules(false), count = count_granules(true);
    vsg_exe_race_cell *cells = vsg_base_new(race->alloc, count, sizeof *cells);
    uint64_t *second = page->second ? vsg_base_new(race->alloc, count, sizeof *second) : NULL;

    if (!cells || (page->second && !second)) {
        vsg_base_delete(race->alloc, cells, count, sizeof *cells);
        vsg_base_delete(race->alloc, second, count, sizeof *second);
        race->lost = true;
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        cells[i] = page->cells[i >> DWORD_SHIFT];
        if (second)
            second[i] = page->second[i >> DWORD_SHIFT];
    }
    vsg_base_delete(race->alloc, page->cells, old_count, sizeof *cells);
    vsg_base_delete(race->alloc, page->second, old_count, sizeof *second);
    page->cells = cells;
    page->second = second;
    page->is_fine = true;
    return true;
}

/* ---- granules --------------------------------------------------------------------------- */

static bool is_atomic(uint64_t record)
{
    return vsg_exe_race_kind_of(record) >= VSG_EXE_RACE_ATOMIC;
}

static bool is_ordered(const vsg_exe_race_access *access, uint64_t record)
{
    return vsg_exe_race_is_ordered(access->race, access->thread->number, record,
                                   access->is_slm);
}

/* May two accesses of these kinds race? */
static bool may_race(uint64_t a, uint64_t b)
{
    bool writes = vsg_exe_race_kind_of(a) != VSG_EXE_RACE_READ ||
                  vsg_exe_race_kind_of(b) != VSG_EXE_RACE_READ;

    return writes && !(is_atomic(a) && is_atomic(b));
}

static inline bool is_quick(const vsg_exe_race_quick *q, uint64_t record)
{
    uint32_t time = vsg_exe_race_time(record);
    bool in_group = (time >= q->floor) &
                    ((time <= q->barrier) | (vsg_exe_race_thread(record) == q->thread));

    return (record == 0) | in_group;
}

/* A record of `cell` that is not ordered before the access; 0: none. Atomics on one address
 * have an order of their own: what an ordered one saw is ordered too. */
static uint64_t find_race(const vsg_exe_race_access *access, const vsg_exe_race_page *page,
                          size_t granule, bool same_value)
{
    const vsg_exe_race_cell *cell = &page->cells[granule];
    uint64_t second = page->second ? page->second[granule] : 0;
    uint64_t record = access->record;

    if (cell->write && may_race(record, cell->write) && !same_value &&
        !is_ordered(access, cell->write))
        return cell->write;
    if (cell->other && may_race(record, cell->other) && !is_ordered(access, cell->other))
        return cell->other;
    if (vsg_exe_race_kind_of(cell->other) == VSG_EXE_RACE_ATOMIC_OBSERVED && is_atomic(second))
        return 0;
    return second && may_race(record, second) && !is_ordered(access, second) ? second : 0;
}

/* Need an old record not be kept beside a new one that is no write? Not where whoever may race
 * with it may race with the new one as well. */
static inline bool is_covered(const vsg_exe_race_access *access, uint64_t old)
{
    return old == 0 ||
           (is_atomic(old) == is_atomic(access->record) && is_quick(&access->quick, old));
}

static void put_other(const vsg_exe_race_access *access, vsg_exe_race_page *page,
                      size_t granule, uint64_t record)
{
    uint64_t *other = &page->cells[granule].other;

    if (!is_covered(access, *other)) {
        if (!page->second)
            page->second = vsg_base_new(access->race->alloc, count_granules(page->is_fine),
                                        sizeof *page->second);
        if (page->second)
            page->second[granule] = *other;
        else
            access->race->lost = true;
    }
    *other = record;
}

/* An atomic on what the same thread has read before: compare-and-exchange loops begin with an
 * ordinary read, and find out whether what it gave still holds. */
static void note_guess(const vsg_exe_race_access *access, uint64_t record)
{
    vsg_exe_race *race = access->race;
    uint32_t inst = vsg_exe_race_inst(record);

    if (record && vsg_exe_race_kind_of(record) == VSG_EXE_RACE_READ &&
        vsg_exe_race_thread(record) == vsg_exe_race_thread(access->record) &&
        vsg_exe_race_time(record) >= race->start)
        race->is_guess[inst / 8] |= (uint8_t)(1u << inst % 8);
}

/* What most reads are: of what nobody else writes. */
static inline bool note_read(const vsg_exe_race_access *access, vsg_exe_race_cell *cell,
                             uint32_t channel)
{
    if (vsg_exe_race_kind_of(access->record) != VSG_EXE_RACE_READ ||
        !is_quick(&access->quick, cell->write) || !is_covered(access, cell->other))
        return false;
    cell->other = access->record | channel;
    return true;
}

static void note(vsg_exe_race_access *access, vsg_exe_race_page *page, size_t granule,
                 uint64_t host, uint32_t channel, const uint8_t *value)
{
    uint32_t bytes = page->is_fine ? 1 : 1u << DWORD_SHIFT;
    bool same_value = value && memcmp(value, (const void *)(uintptr_t)host, bytes) == 0;
    uint64_t other = find_race(access, page, granule, same_value);
    uint64_t record = access->record | channel;

    if (other) {
        if (!access->bad) {
            access->host = host;
            access->other = other;
        }
        access->bad |= 1u << channel;
    }
    if (is_atomic(record)) {
        note_guess(access, page->cells[granule].other);
        note_guess(access, page->second ? page->second[granule] : 0);
    }
    if (vsg_exe_race_kind_of(record) == VSG_EXE_RACE_WRITE)
        page->cells[granule].write = record;
    else
        put_other(access, page, granule, record);
}

/* ---- accesses --------------------------------------------------------------------------- */

void vsg_exe_race_open(vsg_exe_race_access *access, const vsg_exe_thread *thread, bool is_slm,
                       vsg_exe_race_kind kind, uint32_t inst)
{
    vsg_exe_race *race = thread->check->check->race;

    *access = (vsg_exe_race_access){
        .race = race,
        .thread = thread,
        .record = (uint64_t)race->now << VSG_EXE_RACE_TIME_SHIFT |
                  (uint64_t)(thread->number & VSG_EXE_RACE_THREAD_MASK)
                      << VSG_EXE_RACE_THREAD_SHIFT |
                  (uint64_t)inst << VSG_EXE_RACE_INST_SHIFT |
                  (uint64_t)kind << VSG_EXE_RACE_KIND_SHIFT,
        .base = is_slm ? (uint64_t)(uintptr_t)thread->group->slm : race->base,
        .is_slm = is_slm};
    access->quick = (vsg_exe_race_quick){.floor = is_slm ? 0 : race->start,
                                         .barrier = race->barrier,
                                         .thread = vsg_exe_race_thread(access->record)};
    race->is_touched = true;
}

void vsg_exe_race_touch(vsg_exe_race_access *access, uint64_t host, uint32_t bytes,
                        uint32_t channel, const uint8_t *value)
{
    while (bytes > 0) {
        uint64_t offset = host - access->base;
        uint32_t in = (uint32_t)(offset % PAGE_BYTES);
        uint32_t part = bytes < PAGE_BYTES - in ? bytes : PAGE_BYTES - in;
        vsg_exe_race_page *page = find_page(access, offset >> VSG_EXE_PAGE_SHIFT);
        if (!page)
            return;
        if (!page->is_fine && ((in | part) & 3) && !refine(access->race, page))
            return;
        uint32_t shift = page->is_fine ? 0 : DWORD_SHIFT;
        for (uint32_t i = 0; i < part >> shift; i++)
            if (!note_read(access, &page->cells[(in >> shift) + i], channel))
                note(access, page, (in >> shift) + i, host + ((uint64_t)i << shift), channel,
                     value ? value + ((size_t)i << shift) : NULL);
        host += part;
        bytes -= part;
        value = value ? value + part : NULL;
    }
}

/* ---- runs ------------------------------------------------------------------------------- */

static bool read_run(const vsg_exe_race_access *access, vsg_exe_race_page *page, size_t first,
                     uint32_t count, uint32_t in_channel)
{
    const vsg_exe_race_quick *q = &access->quick;
    vsg_exe_race_cell *cells = page->cells + first;
    bool good = true;

    for (uint32_t i = 0; i < count; i++) {
        good &= is_quick(q, cells[i].write);
        good &= !is_atomic(cells[i].other);
    }
    if (!good)
        return false;
    for (uint32_t i = 0; i < count; i++)
        put_other(access, page, first + i, access->record | (i >> in_channel));
    return true;
}

static bool write_run(const vsg_exe_race_access *access, vsg_exe_race_page *page, size_t first,
                      uint32_t count, uint32_t in_channel)
{
    const vsg_exe_race_quick *q = &access->quick;
    vsg_exe_race_cell *cells = page->cells + first;
    bool good = true;

    for (uint32_t i = 0; i < count; i++) {
        good &= is_quick(q, cells[i].write);
        good &= is_quick(q, cells[i].other);
    }
    for (uint32_t i = 0; page->second && i < count; i++)
        good &= is_quick(q, page->second[first + i]);
    if (!good)
        return false;
    for (uint32_t i = 0; i < count; i++)
        cells[i].write = access->record | (i >> in_channel);
    return true;
}

static uint32_t log2_of(uint32_t value)
{
    uint32_t log = 0;

    while (value >> log > 1)
        log++;
    return log;
}

bool vsg_exe_race_run(vsg_exe_race_access *access, uint64_t host, uint32_t bytes,
                      uint32_t count)
{
    uint64_t offset = host - access->base;
    uint32_t in = (uint32_t)(offset % PAGE_BYTES);

    if (in + bytes * count > PAGE_BYTES || (bytes & (bytes - 1)))
        return false;
    vsg_exe_race_page *page = find_page(access, offset >> VSG_EXE_PAGE_SHIFT);
    if (!page || (!page->is_fine && ((in | bytes) & 3)))
        return false;
    uint32_t shift = page->is_fine ? 0 : DWORD_SHIFT;
    uint32_t in_channel = log2_of(bytes >> shift);
    if (vsg_exe_race_kind_of(access->record) == VSG_EXE_RACE_READ)
        return read_run(access, page, in >> shift, bytes * count >> shift, in_channel);
    return write_run(access, page, in >> shift, bytes * count >> shift, in_channel);
}

/* ---- life ------------------------------------------------------------------------------- */

static bool make_memory(const vsg_base_alloc *alloc, vsg_exe_race_memory *memory,
                        uint64_t size_bytes)
{
    memory->num_pages = (size_bytes >> VSG_EXE_PAGE_SHIFT) + 1;
    memory->pages = vsg_base_new(alloc, (size_t)(memory->num_pages / LEAF_PAGES + 1),
                                 sizeof *memory->pages);
    return memory->pages != NULL;
}

bool vsg_exe_race_init(vsg_exe_race *race, const vsg_base_alloc *alloc,
                       const vsg_exe_space *space, uint32_t slm_bytes, uint32_t num_threads)
{
    *race = (vsg_exe_race){.alloc = alloc,
                           .base = (uint64_t)(uintptr_t)space->base,
                           .now = 1,
                           .num_threads = num_threads,
                           .cap_syncs = SYNCS};
    race->views = vsg_base_new(alloc, num_threads, sizeof *race->views);
    race->meetings = vsg_base_new(alloc, VSG_EXE_RACE_MEETINGS, sizeof *race->meetings);
    race->syncs = vsg_base_new(alloc, SYNCS, sizeof *race->syncs);
    return make_memory(alloc, &race->device, space->size_bytes) &&
           make_memory(alloc, &race->slm, slm_bytes) && race->views && race->meetings &&
           race->syncs;
}

static void free_memory(const vsg_base_alloc *alloc, vsg_exe_race_memory *memory)
{
    uint64_t num_leaves = memory->num_pages / LEAF_PAGES + 1;

    for (uint64_t i = 0; memory->pages && i < num_leaves; i++) {
        vsg_exe_race_page **leaf = memory->pages[i];
        for (uint32_t k = 0; leaf && k < LEAF_PAGES; k++)
            free_page(alloc, leaf[k]);
        vsg_base_delete(alloc, leaf, LEAF_PAGES, sizeof *leaf);
    }
    vsg_base_delete(alloc, memory->pages, (size_t)num_leaves, sizeof *memory->pages);
}

static void free_views(const vsg_exe_race *race, vsg_exe_race_view *views, uint32_t count)
{
    for (uint32_t i = 0; views && i < count; i++)
        vsg_base_delete(race->alloc, views[i].times, race->num_threads, sizeof(uint32_t));
    vsg_base_delete(race->alloc, views, count, sizeof *views);
}

void vsg_exe_race_free(vsg_exe_race *race)
{
    const vsg_base_alloc *alloc = race->alloc;

    if (!alloc)
        return;
    free_memory(alloc, &race->device);
    free_memory(alloc, &race->slm);
    free_views(race, race->views, race->num_threads);
    free_views(race, race->meetings, VSG_EXE_RACE_MEETINGS);
    for (uint32_t i = 0; race->syncs && i < race->cap_syncs; i++)
        vsg_base_delete(alloc, race->syncs[i].view.times, race->num_threads, sizeof(uint32_t));
    vsg_base_delete(alloc, race->syncs, race->cap_syncs, sizeof *race->syncs);
    vsg_base_delete(alloc, race->starts, race->cap_starts, sizeof *race->starts);
    *race = (vsg_exe_race){0};
}
