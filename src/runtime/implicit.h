/* SPDX-License-Identifier: MIT
 *
 * Implicit arguments in memory, for functions; see implicit.c. */
#ifndef VISAGE_RUNTIME_IMPLICIT_H
#define VISAGE_RUNTIME_IMPLICIT_H

#include "runtime/dispatch.h"
#include "runtime/launch.h"

/* Room for the struct; the table of local ids follows it. In scratch it starts at a multiple of
 * VSG_RUN_IMPLICIT_ALIGNMENT: programs clear the low bits of r0.0. */
enum { VSG_RUN_IMPLICIT_BYTES = 128, VSG_RUN_IMPLICIT_ALIGNMENT = 64 };

/* Is each thread to find a copy of the struct at the end of its scratch? */
bool vsg_run_implicit_in_scratch(const visage_launch *launch);
/* Is launch->implicit needed, there or for the payload? */
bool vsg_run_implicit_wanted(const visage_launch *launch);
/* Size of launch->implicit, and its contents. */
uint64_t vsg_run_implicit_bytes(const vsg_run_dispatch *dispatch);
void vsg_run_implicit_fill(const visage_launch *launch, const vsg_run_dispatch *dispatch);

#endif
