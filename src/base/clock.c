/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <time.h>

uint64_t vsg_base_now(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool vsg_base_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t attributes;

    if (pthread_condattr_init(&attributes) != 0)
        return false;
    bool good = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                pthread_cond_init(cond, &attributes) == 0;
    (void)pthread_condattr_destroy(&attributes);
    return good;
}

void vsg_base_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t ns)
{
    uint64_t until = vsg_base_now() + ns;
    const struct timespec at = {.tv_sec = (time_t)(until / 1000000000u),
                                .tv_nsec = (long)(until % 1000000000u)};

    (void)pthread_cond_timedwait(cond, lock, &at);
}
