/* SPDX-License-Identifier: MIT */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_getaffinity() and its like */
#endif
#include "runtime/place.h"

#include <sched.h>

#if defined(__linux__)

void vsg_run_places_init(vsg_run_places *places, const vsg_base_alloc *alloc,
                         uint32_t num_workers)
{
    cpu_set_t set;

    *places = (vsg_run_places){0};
    if (num_workers < 2 || sched_getaffinity(0, sizeof set, &set) != 0 ||
        (uint32_t)CPU_COUNT(&set) != num_workers)
        return;
    places->processors = vsg_base_new(alloc, num_workers, sizeof *places->processors);
    for (uint32_t p = 0; p < CPU_SETSIZE && places->processors; p++)
        if (CPU_ISSET(p, &set))
            places->processors[places->num++] = p;
}

void vsg_run_places_fini(vsg_run_places *places, const vsg_base_alloc *alloc)
{
    vsg_base_delete(alloc, places->processors, places->num, sizeof *places->processors);
    *places = (vsg_run_places){0};
}

static int put(const vsg_run_places *places, pthread_t thread, uint32_t worker)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET(places->processors[worker], &set);
    return pthread_setaffinity_np(thread, sizeof set, &set);
}

void vsg_run_places_put(vsg_run_places *places, pthread_t thread, uint32_t worker)
{
    if (places->processors && !places->has_ended && put(places, thread, worker) != 0)
        places->has_ended = true;
}

static bool is_there(const vsg_run_places *places, pthread_t thread, uint32_t worker)
{
    cpu_set_t set;

    return pthread_getaffinity_np(thread, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1 &&
           CPU_ISSET(places->processors[worker], &set);
}

void vsg_run_places_clear(vsg_run_places *places, const pthread_t *threads,
                          uint32_t num_threads)
{
    if (!places->processors || places->has_ended)
        return;
    uint32_t here = (uint32_t)sched_getcpu(), free = places->processors[0];
    uint32_t worker = 0;
    while (worker < places->num && places->processors[worker] != here)
        worker++;
    if (worker == 0 || worker == places->num)
        return;
    if (worker <= num_threads && !is_there(places, threads[worker - 1], worker)) {
        places->has_ended = true;
        return;
    }
    places->processors[0] = here;
    places->processors[worker] = free;
    if (worker <= num_threads)
        vsg_run_places_put(places, threads[worker - 1], worker);
}

#else

void vsg_run_places_init(vsg_run_places *places, const vsg_base_alloc *alloc,
                         uint32_t num_workers)
{
    (void)alloc;
    (void)num_workers;
    *places = (vsg_run_places){0};
}

void vsg_run_places_fini(vsg_run_places *places, const vsg_base_alloc *alloc)
{
    (void)places;
    (void)alloc;
}

void vsg_run_places_put(vsg_run_places *places, pthread_t thread, uint32_t worker)
{
    (void)places;
    (void)thread;
    (void)worker;
}

void vsg_run_places_clear(vsg_run_places *places, const pthread_t *threads,
                          uint32_t num_threads)
{
    (void)places;
    (void)threads;
    (void)num_threads;
}

#endif
