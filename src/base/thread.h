/* SPDX-License-Identifier: MIT
 *
 * Threads of the library's own. They block every signal: handlers of the host program run on
 * the host program's threads. */
#ifndef VISAGE_BASE_THREAD_H
#define VISAGE_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* As pthread_create(), with default attributes. False: the system refuses one. */
bool vsg_base_thread_start(pthread_t *out, void *(*run)(void *user), void *user);

#endif
