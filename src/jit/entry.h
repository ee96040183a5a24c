/* SPDX-License-Identifier: MIT
 *
 * How threads of a batch begin: what is found through their structs, and their inputs. */
#ifndef VISAGE_JIT_ENTRY_H
#define VISAGE_JIT_ENTRY_H

#include "jit/emit.h"

LLVMValueRef vsg_jit_batch_field(vsg_jit_emitter *e, LLVMTypeRef type, size_t offset);

/* A pointer to a field of the thread's group. */
LLVMValueRef vsg_jit_group_field(vsg_jit_emitter *e, size_t offset);

/* Finds what is found through the struct of thread `number`. */
void vsg_jit_open_struct(vsg_jit_emitter *e, LLVMValueRef number);
/* Finds the payload of thread e->number and clears slots. */
void vsg_jit_open_thread(vsg_jit_emitter *e);
/* Fills them, and the thread's registers, as a new thread finds them; those that tell which it
 * is, where that is not told late, and that it has executed nothing. */
void vsg_jit_begin_thread(vsg_jit_emitter *e);
void vsg_jit_number_thread(vsg_jit_emitter *e);
/* In front of what may ask which thread it is, where that is told late. */
void vsg_jit_tell_thread(vsg_jit_emitter *e);
/* Shared local memory as a new group finds it. */
void vsg_jit_clear_slm(vsg_jit_emitter *e);

/* The number of the group along x. */
LLVMValueRef vsg_jit_id(vsg_jit_emitter *e);

/* From a group to the next one along x. */
typedef struct vsg_jit_step {
    LLVMValueRef is_last; /* i1: there is none */
    LLVMValueRef next;    /* the number of the next one, if there is one */
    LLVMValueRef told;    /* the same, or that of the last one */
} vsg_jit_step;

/* Is text without loops run in rounds, of threads of a group or of groups that take turns, that
 * differ so little that they are those of a loop like others? */
bool vsg_jit_has_rounds(const vsg_jit_emitter *e);

/* Where code only begins (vsg_jit_code), LLVM is told which memories the function's accesses go
 * to: what it stores for handlers, which are rare, need not be stored for each group. False:
 * memory is out. */
bool vsg_jit_tell_turns(vsg_jit_emitter *e);

/* Goes to the next one: its number, for all; then for each thread the registers that tell of
 * it. */
vsg_jit_step vsg_jit_next_id(vsg_jit_emitter *e, LLVMValueRef x);
void vsg_jit_put_id(vsg_jit_emitter *e, LLVMValueRef id);
/* Do those 4 bytes of the shared registers tell of it? */
bool vsg_jit_is_id(uint32_t offset);
/* Do they tell of the group along y or z, which are the same for all groups of a batch? */
bool vsg_jit_is_fixed_id(uint32_t offset);
/* Of these. */
bool vsg_jit_is_id_along_z(uint32_t offset);

/* Does text give each sampler that it writes its number before it samples by it, in each block?
 * (samplers.c) */
bool vsg_jit_gives_samplers(const vsg_jit_emitter *e);

#endif
