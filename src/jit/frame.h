/* SPDX-License-Identifier: MIT
 *
 * Between compiled code and the thread: what is in slots goes to the frame before somebody else
 * looks at it, and comes back behind. */
#ifndef VISAGE_JIT_FRAME_H
#define VISAGE_JIT_FRAME_H

#include "jit/emit.h"

/* A pointer to a field of the thread. */
LLVMValueRef vsg_jit_field(vsg_jit_emitter *e, size_t offset);

/* Goes on where `reason`, an i32, is VSG_EXE_RUNNING, else stops the thread for good. */
void vsg_jit_leave_for(vsg_jit_emitter *e, LLVMValueRef reason);

/* Stops the thread for `reason`, an i32, so that it can go on at `place`. Ends the block. */
void vsg_jit_suspend(vsg_jit_emitter *e, uint32_t place, LLVMValueRef reason);

/* Clears `bytes` of the thread's frame from byte `at` on. */
void vsg_jit_clear_frame(vsg_jit_emitter *e, uint32_t at, uint32_t bytes);

/* Finds the wait masks that are to be stored where the thread stops. False: memory is out. */
bool vsg_jit_find_left(vsg_jit_emitter *e);

/* Loads what is live at `place`, or makes it again, and goes there. Ends the block. */
void vsg_jit_resume(vsg_jit_emitter *e, uint32_t place);

/* Calls a function of the program: where the thread stops in it, it goes on behind the call
 * when the function has returned. Ends the block. */
void vsg_jit_emit_call(vsg_jit_emitter *e);
/* Stores what the instruction in hand reads to the frame. */
void vsg_jit_store_sources(vsg_jit_emitter *e);
/* Calls the handlers of the instructions from the one before the one in hand up to before
 * `end`, moves of neighbouring elements to what is found by address under predicates that are
 * set beside them, and goes on at `done`. Ends the block. */
void vsg_jit_call_elements_rarely(vsg_jit_emitter *e, uint32_t end, LLVMBasicBlockRef done);
/* Takes masks from the thread, where a handler has put them. */
void vsg_jit_load_masks(vsg_jit_emitter *e);
LLVMValueRef vsg_jit_load_pc(vsg_jit_emitter *e);

/* A pointer to an instruction of the unit: by way of the thread, as its address differs from
 * process to process. */
LLVMValueRef vsg_jit_inst_at(vsg_jit_emitter *e, const vsg_exe_inst *inst);

/* VSG_JIT_WORK_BYTES on the stack, aligned to 64, for what calls and loops within one
 * instruction want in memory. */
enum { VSG_JIT_WORK_BYTES = 5 * 8 * VSG_EXE_MAX_CHANNELS };
LLVMValueRef vsg_jit_work(vsg_jit_emitter *e);

/* A function of calls.def, `name`, declared. */
LLVMValueRef vsg_jit_callee(vsg_jit_emitter *e, const char *name, LLVMTypeRef signature);

/* Calls a KEPT function of calls.def where something is out of the ordinary: the registers of
 * the code around the call stay as they are (keep.h). */
LLVMValueRef vsg_jit_call_rarely(vsg_jit_emitter *e, const char *name, LLVMTypeRef signature,
                                 LLVMValueRef *args, uint32_t num_args);

/* Calls a function of calls.def, which is vsg_exe_stop(vsg_exe_thread *, const vsg_exe_inst *),
 * with the thread and an instruction of the unit. */
LLVMValueRef vsg_jit_call(vsg_jit_emitter *e, const char *name, const vsg_exe_inst *inst);

#endif
