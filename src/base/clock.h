/* SPDX-License-Identifier: MIT */
#ifndef VISAGE_BASE_CLOCK_H
#define VISAGE_BASE_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Nanoseconds of a clock that is never set. */
uint64_t vsg_base_now(void);

/* A condition that can be waited for so long by that clock, with its lock held. False: the
 * system refuses one. */
bool vsg_base_cond_init(pthread_cond_t *cond);
void vsg_base_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t ns);

#endif
