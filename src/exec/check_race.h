/* SPDX-License-Identifier: MIT
 *
 * Data races: two accesses to the same byte by different threads, at least one of which writes
 * and not both of which are atomic, that nothing puts in an order. Orders are made by barriers
 * between the threads of a group, and by atomics: what a thread did before a fence is ordered
 * before its later atomics, and these before all that a thread does after an atomic of its own
 * on the same address that gave it the value. Source: 3_execution_model, Memory Model; BARRIER,
 * FENCE, LSC_FENCE.
 *
 * Time counts the points at which an order may begin: starts of groups, fences, barriers.
 * Groups run one after the other on one worker, so that a time tells the group, and times below
 * that of the group's start are other groups'. Beside every dword of memory, or every byte
 * where a page is accessed by bytes, lie records of who accessed it last:
 *
 *    63                              32 31        22 21             7 6   5 4      0
 *   | time                             | thread     | instruction    | kind | channel |
 *
 * What was found does not depend on the schedule as far as orders do not: two accesses race
 * whichever came first here. */
#ifndef VISAGE_EXEC_CHECK_RACE_H
#define VISAGE_EXEC_CHECK_RACE_H

#include "exec/check.h"

/* Kinds of accesses. */
typedef enum vsg_exe_race_kind {
    VSG_EXE_RACE_WRITE,
    VSG_EXE_RACE_READ,
    VSG_EXE_RACE_ATOMIC,         /* that gives nothing back */
    VSG_EXE_RACE_ATOMIC_OBSERVED /* that gives back the value it found */
} vsg_exe_race_kind;

enum {
    VSG_EXE_RACE_TIME_SHIFT = 32,
    VSG_EXE_RACE_THREAD_SHIFT = 22,
    VSG_EXE_RACE_THREAD_MASK = (1 << 10) - 1,
    VSG_EXE_RACE_INST_SHIFT = 7,
    VSG_EXE_RACE_INST_MASK = (1 << 15) - 1,
    VSG_EXE_RACE_KIND_SHIFT = 5,
    VSG_EXE_RACE_KIND_MASK = 3,
    VSG_EXE_RACE_CHANNEL_MASK = 31
};

static inline uint32_t vsg_exe_race_time(uint64_t record)
{
    return (uint32_t)(record >> VSG_EXE_RACE_TIME_SHIFT);
}

static inline uint32_t vsg_exe_race_thread(uint64_t record)
{
    return (uint32_t)(record >> VSG_EXE_RACE_THREAD_SHIFT) & VSG_EXE_RACE_THREAD_MASK;
}

static inline uint32_t vsg_exe_race_inst(uint64_t record)
{
    return (uint32_t)(record >> VSG_EXE_RACE_INST_SHIFT) & VSG_EXE_RACE_INST_MASK;
}

static inline vsg_exe_race_kind vsg_exe_race_kind_of(uint64_t record)
{
    return (vsg_exe_race_kind)(record >> VSG_EXE_RACE_KIND_SHIFT & VSG_EXE_RACE_KIND_MASK);
}

/* A granule: the last write, and the last access of another kind. 0: none. */
typedef struct vsg_exe_race_cell {
    uint64_t write, other;
} vsg_exe_race_cell;

/* Of a page. */
typedef struct vsg_exe_race_page {
    bool is_fine;             /* granules are bytes, not dwords */
    vsg_exe_race_cell *cells; /* of every granule */
    uint64_t *second;         /* the access before `other`, by another thread; NULL: none yet */
} vsg_exe_race_page;

/* Pages from an address on, found through two levels. */
typedef struct vsg_exe_race_memory {
    uint64_t num_pages;
    vsg_exe_race_page ***pages;
} vsg_exe_race_memory;

/* Times of other groups that happened before a thread's next step, ascending and apart. More
 * than these become one with what is between: fewer races are found then, and none that is not.
 */
enum { VSG_EXE_RACE_SPANS = 4 };
typedef struct vsg_exe_race_span {
    uint32_t first, last;
} vsg_exe_race_span;
typedef struct vsg_exe_race_past {
    uint32_t num_spans;
    vsg_exe_race_span spans[VSG_EXE_RACE_SPANS];
} vsg_exe_race_past;

/* What is known where: to a thread, at an atomic's address, at a barrier in two parts. */
typedef struct vsg_exe_race_view {
    uint32_t start; /* of the group whose threads `times` is of; another one's count not */
    uint32_t fence; /* time up to which a fence has made accesses seen by everybody */
    uint32_t group_fence; /* the same by the group */
    vsg_exe_race_past past;
    uint32_t *times; /* by thread of the group: up to when its accesses are; NULL: 0 */
} vsg_exe_race_view;

/* An address that atomics made an order through. */
typedef struct vsg_exe_race_sync {
    uint64_t address; /* 0: none */
    vsg_exe_race_view view;
} vsg_exe_race_sync;

/* When a group started. */
typedef struct vsg_exe_race_start {
    uint32_t time;
    uint64_t group;
} vsg_exe_race_start;

/* Meetings: named barriers by phase, then the split barrier. */
enum { VSG_EXE_RACE_MEETINGS = 2 * (VSG_EXE_NUM_NAMED + 1) };

/* Of a launch. */
typedef struct vsg_exe_race {
    const vsg_base_alloc *alloc;
    uint64_t base; /* device address of byte 0 of `device` */
    vsg_exe_race_memory device, slm;
    uint32_t now;     /* of accesses */
    uint32_t start;   /* of the group */
    uint32_t barrier; /* what is up to here is ordered for all threads of the group */
    bool is_touched;  /* there was an access at `now` */
    bool is_full;     /* there are no times left: nothing more is found */
    bool are_ordered; /* groups wait for each other: only threads of one race */
    uint32_t num_threads;
    vsg_exe_race_view *views; /* by thread */
    vsg_exe_race_view *meetings;
    vsg_exe_race_start *starts;
    size_t num_starts, cap_starts;
    vsg_exe_race_sync *syncs; /* hashed by address; the last one takes what finds no room */
    uint32_t cap_syncs;
    /* by number of an instruction: a read whose thread confirms it by an atomic there */
    uint8_t is_guess[(VSG_EXE_RACE_INST_MASK + 1) / 8];
    bool lost; /* memory was out */
} vsg_exe_race;

/* What tells at once that a record is ordered before a thread's next step: the thread's own
 * one, or one of the group from before its last barrier. */
typedef struct vsg_exe_race_quick {
    uint32_t floor, barrier,
        thread; /* floor: in shared local memory earlier groups count too */
} vsg_exe_race_quick;

/* One access: all bytes that an instruction touches for its channels. */
typedef struct vsg_exe_race_access {
    vsg_exe_race *race;
    const vsg_exe_thread *thread;
    vsg_exe_race_quick quick;
    uint64_t record; /* channel 0 */
    uint64_t base;   /* host address of byte 0 of the memory */
    bool is_slm;
    uint64_t page_number; /* the last one used */
    vsg_exe_race_page *page;
    /* what was found: the channels, the first one's address and whom it meets */
    uint32_t bad;
    uint64_t host, other;
} vsg_exe_race_access;

/* space_bytes: of the device. False: memory is out; free it also then. */
VISAGE_NODISCARD bool vsg_exe_race_init(vsg_exe_race *race, const vsg_base_alloc *alloc,
                                        const vsg_exe_space *space, uint32_t slm_bytes,
                                        uint32_t num_threads);
void vsg_exe_race_free(vsg_exe_race *race);

/* Is a read vindicated by what its thread did after it? */
static inline bool vsg_exe_race_is_guess(const vsg_exe_race *race, uint32_t inst)
{
    return race->is_guess[inst / 8] >> inst % 8 & 1;
}

/* A group starts. */
void vsg_exe_race_begin(vsg_exe_race *race, uint64_t group);
/* All threads of the group have come to a barrier. */
void vsg_exe_race_barrier(vsg_exe_race *race);
/* The group that a record is of. */
uint64_t vsg_exe_race_group(const vsg_exe_race *race, uint64_t record);

/* ---- accesses (check_race.c) ------------------------------------------------------------ */

void vsg_exe_race_open(vsg_exe_race_access *access, const vsg_exe_thread *thread, bool is_slm,
                       vsg_exe_race_kind kind, uint32_t inst);
/* `channel` touches bytes at a host address. value: what it writes there, where the same value
 * written twice is no race; NULL: not known. */
void vsg_exe_race_touch(vsg_exe_race_access *access, uint64_t host, uint32_t bytes,
                        uint32_t channel, const uint8_t *value);
/* Channels from 0 on touch `bytes` each, one behind the other, by reads or writes. False: some
 * may race, or there is no short way; then nothing is noted yet. */
bool vsg_exe_race_run(vsg_exe_race_access *access, uint64_t host, uint32_t bytes,
                      uint32_t count);

/* ---- orders (check_sync.c) -------------------------------------------------------------- */

/* A new time begins; the last time of all that was so far. */
uint32_t vsg_exe_race_cut(vsg_exe_race *race);
/* Was the record's access before the thread's next one? */
bool vsg_exe_race_is_ordered(const vsg_exe_race *race, uint32_t thread, uint64_t record,
                             bool is_slm);
/* An atomic on an address: a thread gives what its fences let go, then takes what others gave.
 */
void vsg_exe_race_atomic(vsg_exe_race *race, uint32_t thread, uint64_t host, bool writes,
                         bool observes);
void vsg_exe_race_fence(vsg_exe_race *race, uint32_t thread, bool is_local);
/* The two parts of a barrier. number: of a named barrier, or VSG_EXE_NUM_NAMED for the split
 * one. phase: of the barrier when the thread came. is_first: nobody was there before. */
void vsg_exe_race_arrive(vsg_exe_race *race, uint32_t thread, uint32_t number, uint32_t phase,
                         bool is_first);
void vsg_exe_race_leave(vsg_exe_race *race, uint32_t thread, uint32_t number, uint32_t phase);

#endif
