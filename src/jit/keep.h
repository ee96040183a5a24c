/* SPDX-License-Identifier: MIT
 *
 * Calls that keep all registers. Compiled code goes to handlers and to the search for memory
 * where something is out of the ordinary, in the midst of loops that hold sums and addresses in
 * registers; an ordinary call would have all of those stored and loaded at each round of such a
 * loop, whether or not it is made. What is called so here saves whatever the host has of
 * registers, and compiled code takes all of them as kept. */
#ifndef VISAGE_JIT_KEEP_H
#define VISAGE_JIT_KEEP_H

#include "jit/calls.h"

/* Can this host's registers all be kept? Else ordinary calls are made. */
bool vsg_jit_can_keep(void);

/* The function called `name` (KEPT, calls.def), for callers that need their registers; NULL:
 * none of this name, or of this machine. */
vsg_jit_function vsg_jit_find_kept(const char *name);

#endif
