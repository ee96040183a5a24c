/* SPDX-License-Identifier: MIT
 *
 * A load or store whose memory is found out when it runs. */
#ifndef VISAGE_JIT_TRANSFER_H
#define VISAGE_JIT_TRANSFER_H

#include "exec/message.h"
#include "jit/emit.h"

/* One load or store. */
typedef struct vsg_jit_transfer {
    const vsg_exe_inst *inst;
    const vsg_exe_message *message;
    bool is_store;
    uint32_t count;         /* channels */
    uint32_t per_channel;   /* elements */
    uint32_t memory, slot;  /* bytes of an element */
    LLVMValueRef channels;  /* bits; NULL: all */
    LLVMValueRef addresses; /* i64 each */
    LLVMBasicBlockRef slow, done;
} vsg_jit_transfer;

/* Goes on only where the condition holds, else to the handler. */
void vsg_jit_require(vsg_jit_emitter *e, const vsg_jit_transfer *t, LLVMValueRef condition);

/* The host address of `bytes` from an address on; elsewhere control goes to the handler. */
LLVMValueRef vsg_jit_open_memory(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                 LLVMValueRef address, uint32_t bytes);

/* Element `v` of all channels: out of the registers as memory has it, and the other way round.
 */
LLVMValueRef vsg_jit_read_row(vsg_jit_emitter *e, const vsg_jit_transfer *t, uint32_t v);
void vsg_jit_write_row(vsg_jit_emitter *e, const vsg_jit_transfer *t, uint32_t v,
                       LLVMValueRef value);

/* All channels; ends the block. */
void vsg_jit_move_vector(vsg_jit_emitter *e, const vsg_jit_transfer *t);

#endif
