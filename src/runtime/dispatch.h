/* SPDX-License-Identifier: MIT
 *
 * A range made into groups of threads. Source: 3_execution_model, Thread-Group Execution Model;
 * spec dialect 5.3. */
#ifndef VISAGE_RUNTIME_DISPATCH_H
#define VISAGE_RUNTIME_DISPATCH_H

#include "runtime/device.h"
#include "runtime/kernel.h"

/* A work-item is one channel of a thread, or a whole thread (simd 1): in kernels of the vector
 * backend, and where the range counts threads. Dimension 0 is x. */
typedef struct vsg_run_dispatch {
    uint32_t dims; /* of the range, 1 to 3 */
    uint32_t groups[3];
    uint32_t local[3];  /* work-items of a group */
    uint64_t global[3]; /* work-items, as in the range */
    /* Of a range whose groups are smaller at its upper edges this is a part with groups of one
     * size: */
    uint32_t whole_groups[3], whole_local[3]; /* of the range; local without the edges */
    uint32_t first[3];                        /* group of the part */
    uint64_t offset[3];
    uint32_t order[3];  /* dimensions of the local id, fastest first */
    uint32_t simd;      /* work-items of a thread */
    uint32_t mask;      /* channels of a full thread */
    uint32_t last_mask; /* channels of the last thread of a group */
    uint32_t num_threads;
    uint64_t num_groups;
    bool is_media;          /* groups are places of a media space */
    uint32_t pattern;       /* visage_pattern of the space */
    bool is_strewn;         /* as its walk is (walk.h) */
    const uint32_t *places; /* y * width + x of each group, in their order; NULL: x fastest */
    bool counts_threads;    /* the range gives groups and threads */
    uint64_t step,
        start; /* seeded order: the n-th group is number n * step + start; 0: in order
                */
} vsg_run_dispatch;

/* Another order of the groups where nothing depends on it. seed: not 0. */
void vsg_run_dispatch_shuffle(vsg_run_dispatch *dispatch, uint64_t seed);
/* Mixes the bits of a number: different ones give different ones, near ones far ones. */
uint64_t vsg_run_mix(uint64_t number);

/* Parts of an uneven range; number n has its edges in dimension d where bit d of n is set. */
enum { VSG_RUN_PARTS = 8 };

/* Works out a part of the range, which has one, 0, unless it is uneven: num_groups is 0 where
 * there is nothing in it. walk: the order of the dimensions (walk.h), NULL: the kernel's.
 * Returns INVALID with what is wrong in the diagnostics. */
VISAGE_NODISCARD visage_status vsg_run_dispatch_make(const vsg_run_kernel *kernel,
                                                     const visage_device *device,
                                                     const visage_range *range, uint32_t part,
                                                     const uint32_t walk[3],
                                                     visage_diagnostics *diagnostics,
                                                     vsg_run_dispatch *out);

bool vsg_run_is_permutation(const uint32_t order[3]);

/* Dimensions in which the whole range has edges, bit d for dimension d; of any part of it. */
uint32_t vsg_run_dispatch_edges(const vsg_run_dispatch *dispatch);

/* The group's place in the grid. */
void vsg_run_dispatch_group(const vsg_run_dispatch *dispatch, uint64_t number, uint32_t id[3]);
/* Do groups run in their order? Makes a group's place the next one's then. */
bool vsg_run_dispatch_is_in_order(const vsg_run_dispatch *dispatch);
void vsg_run_dispatch_next_group(const vsg_run_dispatch *dispatch, uint32_t id[3]);
/* How many groups at most take turns with one, thread by thread: where a thread has short rows
 * of a group, those of several groups make longer rows of memory. A group of one thread has no
 * other that would wait. */
uint32_t vsg_run_dispatch_beside(const vsg_run_dispatch *dispatch);
/* Local id of a work-item, counted from 0 in its group. */
void vsg_run_dispatch_local(const vsg_run_dispatch *dispatch, uint32_t number, uint32_t id[3]);
/* That of the next work-item, without divisions; behind the last comes the first. */
static inline void vsg_run_dispatch_next(const vsg_run_dispatch *dispatch, uint32_t id[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t d = dispatch->order[i];
        if (++id[d] < dispatch->local[d])
            return;
        id[d] = 0;
    }
}

#endif
