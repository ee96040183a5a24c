/* SPDX-License-Identifier: MIT
 *
 * The processors that the process may use. */
#ifndef VISAGE_BASE_PROCESSOR_H
#define VISAGE_BASE_PROCESSOR_H

#include <stdint.h>

/* Their number, at least 1. */
uint32_t vsg_base_processors(void);

/* For a new thread, which may come of one that is kept to a single processor: from now on it
 * runs where the process's first thread may. */
void vsg_base_processors_open(void);

#endif
