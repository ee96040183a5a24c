/* SPDX-License-Identifier: MIT
 *
 * On which side of zero a row lies. What compilers make of a division of signed numbers by a
 * power of two asks each channel whether its number is negative, and has an arm for those whose
 * is. Of a row its ends tell: where all go the same way, nothing is asked of the channels, and
 * what both arms write is a row still. */
#ifndef VISAGE_JIT_SIDES_H
#define VISAGE_JIT_SIDES_H

#include "jit/emit.h"

/* Fills e->sides, and says which instructions are of such arms. False: memory is out. */
bool vsg_jit_find_sides(vsg_jit_emitter *e);
void vsg_jit_make_side_slots(vsg_jit_emitter *e);

/* Behind the code of an instruction. */
void vsg_jit_note_sides(vsg_jit_emitter *e, const vsg_exe_inst *inst);
/* A predicate, as a part, has got a value that no instruction made. */
void vsg_jit_forget_sides(vsg_jit_emitter *e, uint32_t part);

/* Do all channels have the same bit in what a branch asks? An i1; NULL: nobody knows. taken:
 * does it take them then? */
LLVMValueRef vsg_jit_side(vsg_jit_emitter *e, const vsg_exe_inst *inst, bool *taken);

#endif
