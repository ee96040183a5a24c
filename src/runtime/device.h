/* SPDX-License-Identifier: MIT
 *
 * The device: an address space, worker threads, and what each worker keeps between runs. */
#ifndef VISAGE_RUNTIME_DEVICE_H
#define VISAGE_RUNTIME_DEVICE_H

#include <semaphore.h>

#include "exec/thread.h"
#include "isa/isa.h"
#include "jit/jit.h"
#include "runtime/memory.h"
#include "runtime/pool.h"

/* What one worker runs groups with. Slots are thread states; a slot is in use from a thread's
 * start to its end, so that threads that never wait share one. */
typedef struct vsg_run_worker {
    /* Groups of a launch that are its to take, first of all workers. In the next launch of the
     * same size they are the same: what they touch may be in the processor's cache. */
    atomic_uint_least64_t next_group;
    uint64_t end_group;
    vsg_exe_thread *slots;
    uint32_t num_slots; /* initialised ones */
    uint32_t cap_slots;
    uint8_t *slm;
    uint8_t *slm_shadow; /* of check mode; NULL: none yet */
    uint32_t slm_bytes, slm_shadow_bytes;
    uint32_t *slot_of;        /* by thread of the group */
    uint8_t *state_of;        /* vsg_run_state of group.c, by thread of the group */
    uint32_t *idle;           /* stack of slots not in use */
    vsg_exe_thread **waiting; /* at a barrier, or in a batch, by thread of the group */
    uint8_t *reasons;         /* vsg_exe_stop, by thread of a batch */
    uint32_t num_begun;       /* slots that have had a thread of the launch */
    vsg_jit_window
        *windows; /* by access of the job's code, behind them of that which resumes */
    uint32_t num_windows;
    vsg_jit_sums *sums;    /* of compiled code; NULL: none has had any */
    vsg_exe_offer *offers; /* by thread of the group; NULL: none needed yet */
    uint32_t num_offers;
    uint32_t num_threads; /* entries of slot_of, state_of and idle */
    /* Of one that comes as relief: */
    pthread_t thread;
    struct vsg_run_job *job;
    uint32_t number;
    /* Where there are such: */
    sem_t turn;          /* posted when it is this worker's */
    bool has_turn;       /* the semaphore is there */
    uint64_t turn_began; /* vsg_base_now() */
    uint32_t num_polls;  /* slices of its groups, in a row, that ended where threads poll */
    struct vsg_run_worker *next; /* whose turn is behind this one's */
} vsg_run_worker;

struct visage_device {
    vsg_base_alloc alloc;
    visage_platform platform;
    const vsg_isa_platform_info *facts;
    uint32_t jobs, slm_bytes;
    bool slm_by_pieces;
    vsg_run_memory *memory; /* other devices may have it, too */
    vsg_run_pool pool;
    vsg_run_worker *workers; /* jobs of them */
    vsg_run_worker *relief;  /* that come behind those (relief.h); NULL: none has come yet */
    vsg_jit_options jit_options;
    pthread_mutex_t run_lock; /* held while a launch uses pool and workers */
    bool has_run_lock;
    /* What the workers' slots and windows are of, guarded by the lock: */
    const void *last_job;   /* NULL: nothing that could go on with them */
    uint64_t last_released; /* num_released of the memory then */
};

struct visage_buffer {
    vsg_run_memory *memory;
    uint64_t address;
    size_t size_bytes;
};

enum { VSG_RUN_MAX_JOBS = 1024, VSG_RUN_MAX_SLM_BYTES = 16 << 20 };

/* options: checked by the caller; zeros mean the defaults. Returns UNSUPPORTED (the
 * processor), NO_MEMORY. */
VISAGE_NODISCARD visage_status vsg_run_device_create(const vsg_base_alloc *alloc,
                                                     const visage_device_options *options,
                                                     visage_device **out);
void vsg_run_device_destroy(visage_device **device);

/* size_bytes: 1 or more. NULL: memory is out. */
visage_buffer *vsg_run_buffer_create(visage_device *device, size_t size_bytes);
void vsg_run_buffer_destroy(visage_buffer **buffer);

/* The surface of a buffer from `offset_bytes`, which is inside, to its end, or as long as a
 * surface may be. */
static inline vsg_exe_surface vsg_run_buffer_surface(const visage_buffer *buffer,
                                                     uint64_t offset_bytes)
{
    uint64_t size_bytes = buffer->size_bytes - offset_bytes;

    return (vsg_exe_surface){.kind = VSG_EXE_SURFACE_BUFFER,
                             .address = buffer->address + offset_bytes,
                             .size_bytes = size_bytes < VSG_EXE_MOST_SURFACE_BYTES
                                               ? size_bytes
                                               : VSG_EXE_MOST_SURFACE_BYTES};
}

/* Workers have numbers: the device's own, and behind them those that come as relief. */
static inline bool vsg_run_is_relief(const visage_device *device, uint32_t number)
{
    return number >= device->jobs;
}

static inline vsg_run_worker *vsg_run_device_worker(const visage_device *device,
                                                    uint32_t number)
{
    return vsg_run_is_relief(device, number) ? &device->relief[number - device->jobs]
                                             : &device->workers[number];
}

/* Room for a group of `num_threads` threads with `slm_bytes` of shared local memory. Slots are
 * initialised when they are first used. False: memory is out. */
VISAGE_NODISCARD bool vsg_run_worker_fit(vsg_run_worker *worker, const vsg_base_alloc *alloc,
                                         uint32_t num_threads, uint32_t slm_bytes);
/* Cleared windows for the accesses of compiled code. False: memory is out. */
VISAGE_NODISCARD bool vsg_run_worker_windows(vsg_run_worker *worker,
                                             const vsg_base_alloc *alloc, uint32_t num_windows);
/* Room for the sums of compiled code. False: memory is out. */
VISAGE_NODISCARD bool vsg_run_worker_sums(vsg_run_worker *worker, const vsg_base_alloc *alloc);
/* Room for the shadow of `slm_bytes`. False: memory is out. */
VISAGE_NODISCARD bool vsg_run_worker_shadow(vsg_run_worker *worker, const vsg_base_alloc *alloc,
                                            uint32_t slm_bytes);
/* Room for what pairs of threads exchange. False: memory is out. */
VISAGE_NODISCARD bool vsg_run_worker_offers(vsg_run_worker *worker, const vsg_base_alloc *alloc,
                                            uint32_t num_threads);
void vsg_run_worker_free(vsg_run_worker *worker, const vsg_base_alloc *alloc);

#endif
