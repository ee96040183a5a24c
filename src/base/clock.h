/* SPDX-License-Identifier: MIT */
#ifndef VISAGE_BASE_CLOCK_H
#define VISAGE_BASE_CLOCK_H

#include <stdint.h>

/* Nanoseconds of a clock that is never set. */
uint64_t vsg_base_now(void);

#endif
