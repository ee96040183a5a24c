/* SPDX-License-Identifier: MIT
 *
 * How many workers a launch gains by whose groups change the same places of memory. Processors
 * hand such memory to each other, which takes several times as long as the change itself: two
 * workers may be slower than one, and nobody can tell without trying. So groups are timed, with
 * all workers at work and with one, until it is known what is better; that holds for a while,
 * and for later launches of the same code, too. */
#ifndef VISAGE_RUNTIME_CROWD_H
#define VISAGE_RUNTIME_CROWD_H

#include <stdatomic.h>

#include "jit/jit.h"

/* Groups that were timed. */
typedef struct vsg_run_crowd_times {
    atomic_uint portions;
    atomic_uint_least64_t groups, ns;
} vsg_run_crowd_times;

/* What is known of a kernel's launches; all zeros: nothing. Safe from the workers of one
 * launch. */
typedef struct vsg_run_crowd {
    uint32_t jobs;       /* workers that there may be; */
    vsg_jit_run code;    /* and what they run, in the launch in progress */
    atomic_uint working; /* workers of that launch, among them those that rest */
    atomic_uint resting;
    vsg_run_crowd_times alone, together; /* since the last decision */
    atomic_bool tries_alone;             /* all but one rest, to see how quick that one is */
    atomic_bool is_alone;                /* decided: one worker is better */
    atomic_int_least64_t
        holds_ns;       /* the decision, for so much work; 0 or less: there is none */
    atomic_bool is_off; /* groups need others to go on: nobody rests any more */
} vsg_run_crowd;

/* A launch begins: what is known of other code, or of another number of workers, does not hold
 * for it. */
void vsg_run_crowd_begin(vsg_run_crowd *crowd, uint32_t jobs, vsg_jit_run code);

/* Are workers but the first one to rest for now? Is it decided, no trial? */
bool vsg_run_crowd_rests(const vsg_run_crowd *crowd);
bool vsg_run_crowd_is_decided_alone(const vsg_run_crowd *crowd);

/* Nothing goes on while workers rest. */
void vsg_run_crowd_give_up(vsg_run_crowd *crowd);

/* How many are at work. */
uint32_t vsg_run_crowd_active(const vsg_run_crowd *crowd);

/* A worker has run some groups in `ns`, while `active` were at work. is_timed: that tells how
 * quick it is. The first worker, with number 0, decides. */
void vsg_run_crowd_note(vsg_run_crowd *crowd, uint32_t worker, uint32_t active, uint64_t groups,
                        uint64_t ns, bool is_timed);

#endif
