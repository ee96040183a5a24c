/* SPDX-License-Identifier: MIT
 *
 * Text without loops in one piece. All tests of its accesses are made where it begins, as far
 * as what they look at is known there, and where all hold a copy of the text does without them:
 * a test costs more by what it keeps apart than by itself. Elsewhere, the text as it stands. */
#ifndef VISAGE_JIT_TRACE_H
#define VISAGE_JIT_TRACE_H

#include "jit/emit.h"

/* Fills e->traces: is it worth looking for such text? */
void vsg_jit_find_trace(vsg_jit_emitter *e);

/* Remembers, for vsg_jit_make_trace(), that the text begins here. */
void vsg_jit_begin_trace(vsg_jit_emitter *e);

/* Makes that copy, in the form that loop-simplify and lcssa give the loop over threads. False:
 * memory is out. */
bool vsg_jit_make_trace(vsg_jit_emitter *e);

#endif
