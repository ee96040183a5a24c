/* SPDX-License-Identifier: MIT
 *
 * What the environment chooses. Read once in the life of the process; a word that a variable
 * does not know is told of on the standard error stream then, and is as if it were not there.
 */
#ifndef VISAGE_OPENCL_ENVIRONMENT_H
#define VISAGE_OPENCL_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

#include <visage/visage.h>

typedef struct vsg_ocl_environment {
    visage_engine engine; /* VISAGE_ENGINE */
    bool is_checked;      /* VISAGE_CHECK */
    bool makes_fp64;      /* VISAGE_FP64 */
    uint32_t jobs;        /* VISAGE_JOBS; 0: not said */
    uint32_t units;       /* VISAGE_UNITS; 0: not said */
    uint32_t seconds;     /* VISAGE_COMPILER_TIMEOUT, or its default */
    uint32_t memory_mib;  /* VISAGE_COMPILER_MEMORY, or its default */
} vsg_ocl_environment;

const vsg_ocl_environment *vsg_ocl_environment_get(void);

#endif
