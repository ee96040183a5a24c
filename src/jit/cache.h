/* SPDX-License-Identifier: MIT
 *
 * Compiled units on disk (base/store.h), for the next process. An entry is found by all that
 * its code depends on: the module, the platform, the unit, the processor, LLVM, and the sources
 * that make code and that code relies on. */
#ifndef VISAGE_JIT_CACHE_H
#define VISAGE_JIT_CACHE_H

#include "base/store.h"
#include "jit/jit.h"

typedef struct vsg_jit_cache vsg_jit_cache;

/* NULL: nothing is kept, be it that VISAGE_CACHE=0 says so or that memory is out. */
vsg_jit_cache *vsg_jit_cache_open(const vsg_base_alloc *alloc, const vsg_exe_program *program,
                                  const vsg_jit_options *options);
void vsg_jit_cache_close(vsg_jit_cache **cache);

/* What was kept for a request: its object file, or that there can be none (*object is empty and
 * stats->reason says why). False: nothing was. cache: may be NULL. Both are safe from several
 * threads. */
bool vsg_jit_cache_find(vsg_jit_cache *cache, const vsg_jit_request *request,
                        vsg_jit_stats *stats, vsg_jit_bytes *object);
void vsg_jit_cache_put(vsg_jit_cache *cache, const vsg_jit_request *request,
                       const vsg_jit_stats *stats, const vsg_jit_bytes *object);

#endif
