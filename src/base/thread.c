/* SPDX-License-Identifier: MIT */
#include "base/thread.h"

#include <signal.h>

bool vsg_base_thread_start(pthread_t *out, void *(*run)(void *user), void *user)
{
    sigset_t all, old;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    int error = pthread_create(out, NULL, run, user);
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error == 0;
}
