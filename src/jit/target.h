/* SPDX-License-Identifier: MIT
 *
 * The processor that code is made for: one of the levels of levels.def, or the host as it is.
 * Nothing here needs LLVM. */
#ifndef VISAGE_JIT_TARGET_H
#define VISAGE_JIT_TARGET_H

#include "visage/visage.h"

/* A level's name, and LLVM's for its processor; NULL for VISAGE_CPU_NATIVE. */
const char *vsg_jit_level_name(visage_cpu level);
const char *vsg_jit_level_cpu(visage_cpu level);

/* Finds a level, or "native", by its name; false, and *out unchanged, for any other. */
bool vsg_jit_level_find(const char *name, visage_cpu *out);

/* Can the host execute code that is made for it? */
bool vsg_jit_level_runs(visage_cpu level);

/* What tells this processor from others as code for VISAGE_CPU_NATIVE sees it. Two processors
 * with the same words have the same instructions. */
enum { VSG_JIT_HOST_WORDS = 24 };
void vsg_jit_host_words(uint32_t out[VSG_JIT_HOST_WORDS]);

/* Are gathers of a processor of this name, LLVM's, quicker than as many loads? */
bool vsg_jit_gathers_quickly(const char *cpu);

#endif
