/* SPDX-License-Identifier: MIT
 *
 * Names of the shared functions that raw sends go to, for reports. */
#ifndef VISAGE_EXEC_SENDS_H
#define VISAGE_EXEC_SENDS_H

#include "exec/program.h"

/* NULL where the platform has no such function. */
const char *vsg_exe_shared_function(visage_platform platform, uint32_t number);

#endif
