/* SPDX-License-Identifier: MIT
 *
 * How many workers a launch gains by whose groups change the same places of memory. Processors
 * hand such memory to each other, which takes several times as long as the change itself: two
 * workers may be slower than one, and nobody can tell without trying. So groups are timed, with
 * all workers at work and with one, until it is known what is quicker; that holds for a while,
 * and for later launches of the kernel, too. */
#ifndef VISAGE_RUNTIME_CROWD_H
#define VISAGE_RUNTIME_CROWD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What is known of a kernel's launches; all zeros: nothing. Safe from several threads. */
typedef struct vsg_run_crowd {
    atomic_uint working; /* workers of the launch in progress, among them those that rest */
    atomic_uint resting;
    /* With one worker, and with all, since the last decision. */
    atomic_uint_least64_t ns_alone, groups_alone, ns_together, groups_together;
    atomic_bool tries_alone;       /* all but one rest */
    atomic_bool is_alone;          /* decided; one worker is quicker */
    atomic_int_least64_t holds_ns; /* the decision, for so much work; 0: there is none */
} vsg_run_crowd;

/* Are workers but the first one to rest for now? */
bool vsg_run_crowd_rests(const vsg_run_crowd *crowd);
/* For as long as this? UINT64_MAX: for good. */
bool vsg_run_crowd_rests_for(const vsg_run_crowd *crowd, uint64_t ns);

/* How many are at work. */
uint32_t vsg_run_crowd_active(const vsg_run_crowd *crowd);

/* Worker `worker` of `jobs` has run some groups in `ns`, while `active` were at work. The first
 * one decides. */
void vsg_run_crowd_note(vsg_run_crowd *crowd, uint32_t worker, uint32_t jobs, uint32_t active,
                        uint64_t groups, uint64_t ns);

#endif
