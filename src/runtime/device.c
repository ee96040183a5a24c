/* SPDX-License-Identifier: MIT */
#include "runtime/device.h"

#include <string.h>

#include "base/processor.h"
#include "runtime/relief.h"

static const uint64_t default_memory_bytes = (uint64_t)64 << 30;

visage_status vsg_run_device_create(const vsg_base_alloc *alloc,
                                    const visage_device_options *options, visage_device **out)
{
    vsg_jit_options jit_options = {.no_cache = options->no_cache,
                                   .tells_tools = options->tell_tools,
                                   .is_quick = options->quick};

    *out = NULL;
    if (!vsg_jit_choose_level(options->cpu, &jit_options.level))
        return VISAGE_UNSUPPORTED;
    visage_device *device = vsg_base_new(alloc, 1, sizeof *device);
    if (!device)
        return VISAGE_NO_MEMORY;
    device->jit_options = jit_options;
    device->alloc = *alloc;
    device->platform = options->platform;
    device->facts = vsg_isa_platform(options->platform);
    device->jobs = options->jobs ? options->jobs : vsg_base_processors();
    device->slm_bytes = options->slm_bytes ? options->slm_bytes : device->facts->slm_kib * 1024;
    device->slm_by_pieces = options->slm_by_pieces;
    uint64_t memory_bytes =
        options->memory_bytes ? options->memory_bytes : default_memory_bytes;
    device->workers = vsg_base_new(alloc, device->jobs, sizeof *device->workers);
    device->has_run_lock = pthread_mutex_init(&device->run_lock, NULL) == 0;
    device->memory = options->memory_of ? options->memory_of->memory
                                        : vsg_run_memory_create(alloc, memory_bytes,
                                                                options->memory_bytes != 0);
    if (options->memory_of)
        vsg_run_memory_share(device->memory);
    if (!device->workers || !device->has_run_lock || !device->memory ||
        !vsg_run_pool_init(&device->pool, alloc, device->jobs)) {
        vsg_run_device_destroy(&device);
        return VISAGE_NO_MEMORY;
    }
    *out = device;
    return VISAGE_OK;
}

void vsg_run_device_destroy(visage_device **device)
{
    if (!device || !*device)
        return;
    visage_device *old = *device;
    vsg_base_alloc alloc = old->alloc;
    vsg_run_pool_fini(&old->pool);
    for (uint32_t i = 0; old->workers && i < old->jobs; i++)
        vsg_run_worker_free(&old->workers[i], &alloc);
    vsg_base_delete(&alloc, old->workers, old->jobs, sizeof *old->workers);
    for (uint32_t i = 0; old->relief && i < VSG_RUN_MOST_LIVE_THREADS; i++)
        vsg_run_worker_free(&old->relief[i], &alloc);
    vsg_base_delete(&alloc, old->relief, VSG_RUN_MOST_LIVE_THREADS, sizeof *old->relief);
    vsg_run_memory_leave(old->memory);
    if (old->has_run_lock)
        (void)pthread_mutex_destroy(&old->run_lock);
    vsg_base_delete(&alloc, old, 1, sizeof *old);
    *device = NULL;
}

visage_buffer *vsg_run_buffer_create(visage_device *device, size_t size_bytes)
{
    visage_buffer *buffer = vsg_base_new(&device->memory->alloc, 1, sizeof *buffer);

    if (!buffer)
        return NULL;
    buffer->memory = device->memory;
    buffer->size_bytes = size_bytes;
    buffer->address = vsg_run_memory_allocate(buffer->memory, size_bytes);
    if (buffer->address == 0)
        vsg_run_buffer_destroy(&buffer);
    return buffer;
}

void vsg_run_buffer_destroy(visage_buffer **buffer)
{
    if (!buffer || !*buffer)
        return;
    vsg_run_memory *memory = (*buffer)->memory;
    vsg_run_memory_release(memory, (*buffer)->address, (*buffer)->size_bytes);
    vsg_base_delete(&memory->alloc, *buffer, 1, sizeof **buffer);
    *buffer = NULL;
}

/* ---- workers ---------------------------------------------------------------------------- */

/* In dwords: compiled code may load one for a byte of it. And as of all memory more may be
 * loaded behind it. */
static bool fit_slm(vsg_run_worker *worker, const vsg_base_alloc *alloc, uint32_t slm_bytes)
{
    slm_bytes = (slm_bytes + 3) / 4 * 4 + VSG_EXE_SLACK_BYTES;
    if (slm_bytes <= worker->slm_bytes)
        return true;
    uint8_t *slm = vsg_base_new(alloc, slm_bytes, 1);
    if (!slm)
        return false;
    vsg_base_delete(alloc, worker->slm, worker->slm_bytes, 1);
    worker->slm = slm;
    worker->slm_bytes = slm_bytes;
    return true;
}

static void free_slots(vsg_run_worker *worker, const vsg_base_alloc *alloc)
{
    for (uint32_t i = 0; i < worker->num_slots; i++)
        vsg_exe_thread_free(&worker->slots[i]);
    vsg_base_delete(alloc, worker->slots, worker->cap_slots, sizeof *worker->slots);
    vsg_base_delete(alloc, worker->slot_of, worker->num_threads, sizeof *worker->slot_of);
    vsg_base_delete(alloc, worker->state_of, worker->num_threads, sizeof *worker->state_of);
    vsg_base_delete(alloc, worker->idle, worker->num_threads, sizeof *worker->idle);
    vsg_base_delete(alloc, worker->waiting, worker->num_threads, sizeof *worker->waiting);
    worker->waiting = NULL;
    vsg_base_delete(alloc, worker->reasons, worker->num_threads, sizeof *worker->reasons);
    worker->reasons = NULL;
    worker->slots = NULL;
    worker->slot_of = NULL;
    worker->state_of = NULL;
    worker->idle = NULL;
    worker->num_slots = worker->cap_slots = worker->num_threads = 0;
}

bool vsg_run_worker_fit(vsg_run_worker *worker, const vsg_base_alloc *alloc,
                        uint32_t num_threads, uint32_t slm_bytes)
{
    if (!fit_slm(worker, alloc, slm_bytes))
        return false;
    if (num_threads <= worker->num_threads)
        return true;
    free_slots(worker, alloc);
    worker->num_threads = worker->cap_slots = num_threads;
    worker->slots = vsg_base_new(alloc, num_threads, sizeof *worker->slots);
    worker->slot_of = vsg_base_new(alloc, num_threads, sizeof *worker->slot_of);
    worker->state_of = vsg_base_new(alloc, num_threads, sizeof *worker->state_of);
    worker->idle = vsg_base_new(alloc, num_threads, sizeof *worker->idle);
    worker->waiting = vsg_base_new(alloc, num_threads, sizeof *worker->waiting);
    worker->reasons = vsg_base_new(alloc, num_threads, sizeof *worker->reasons);
    if (worker->slots && worker->slot_of && worker->state_of && worker->idle &&
        worker->waiting && worker->reasons)
        return true;
    free_slots(worker, alloc);
    return false;
}

bool vsg_run_worker_windows(vsg_run_worker *worker, const vsg_base_alloc *alloc,
                            uint32_t num_windows)
{
    if (num_windows > worker->num_windows) {
        vsg_jit_window *windows = vsg_base_new(alloc, num_windows, sizeof *windows);
        if (!windows)
            return false;
        vsg_base_delete(alloc, worker->windows, worker->num_windows, sizeof *windows);
        worker->windows = windows;
        worker->num_windows = num_windows;
    }
    if (num_windows)
        memset(worker->windows, 0, num_windows * sizeof *worker->windows);
    return true;
}

bool vsg_run_worker_sums(vsg_run_worker *worker, const vsg_base_alloc *alloc)
{
    if (!worker->sums)
        worker->sums = vsg_base_new(alloc, 1, sizeof *worker->sums);
    return worker->sums != NULL;
}

bool vsg_run_worker_shadow(vsg_run_worker *worker, const vsg_base_alloc *alloc,
                           uint32_t slm_bytes)
{
    if (slm_bytes <= worker->slm_shadow_bytes)
        return true;
    uint8_t *shadow = vsg_base_new(alloc, slm_bytes, 1);
    if (!shadow)
        return false;
    vsg_base_delete(alloc, worker->slm_shadow, worker->slm_shadow_bytes, 1);
    worker->slm_shadow = shadow;
    worker->slm_shadow_bytes = slm_bytes;
    return true;
}

bool vsg_run_worker_offers(vsg_run_worker *worker, const vsg_base_alloc *alloc,
                           uint32_t num_threads)
{
    if (num_threads <= worker->num_offers)
        return true;
    vsg_exe_offer *offers = vsg_base_new(alloc, num_threads, sizeof *offers);
    if (!offers)
        return false;
    vsg_base_delete(alloc, worker->offers, worker->num_offers, sizeof *offers);
    worker->offers = offers;
    worker->num_offers = num_threads;
    return true;
}

void vsg_run_worker_free(vsg_run_worker *worker, const vsg_base_alloc *alloc)
{
    free_slots(worker, alloc);
    if (worker->has_turn)
        (void)sem_destroy(&worker->turn);
    vsg_base_delete(alloc, worker->offers, worker->num_offers, sizeof *worker->offers);
    vsg_base_delete(alloc, worker->slm_shadow, worker->slm_shadow_bytes, 1);
    vsg_base_delete(alloc, worker->windows, worker->num_windows, sizeof *worker->windows);
    vsg_base_delete(alloc, worker->sums, 1, sizeof *worker->sums);
    vsg_base_delete(alloc, worker->slm, worker->slm_bytes, 1);
    *worker = (vsg_run_worker){0};
}
