/* SPDX-License-Identifier: MIT
 *
 * Which instruction a piece of code comes from, as debug information of LLVM. Listings,
 * debuggers and profilers read it. */
#ifndef VISAGE_JIT_LINES_H
#define VISAGE_JIT_LINES_H

#include "jit/emit.h"

/* Before the function is made; without lines nothing here does anything. */
void vsg_jit_open_lines(vsg_jit_emitter *e, vsg_jit_lines lines);
/* What is built from here on is instruction `place`; NO_PLACE: none. The function must be
 * there.
 */
enum { VSG_JIT_NO_PLACE = UINT32_MAX };
void vsg_jit_mark_line(vsg_jit_emitter *e, uint32_t place);
/* Behind the last instruction. */
void vsg_jit_close_lines(vsg_jit_emitter *e);

#endif
