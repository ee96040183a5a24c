/* SPDX-License-Identifier: MIT
 *
 * Memories that have no byte in common: what a thread has of its own, shared local memory, what
 * addresses lead to, the batch. LLVM is told which of them accesses go to, so that what has
 * been stored in one need not be loaded again behind stores in another. */
#ifndef VISAGE_JIT_MEMORIES_H
#define VISAGE_JIT_MEMORIES_H

#include "jit/emit.h"

/* A pointer that leads to one of them. Several may lead to the same: they have one name. */
typedef struct vsg_jit_memory {
    LLVMValueRef pointer;
    uint32_t name;
} vsg_jit_memory;

enum { VSG_JIT_MOST_MEMORIES = 64 };              /* names are below it */
typedef struct vsg_jit_memories vsg_jit_memories; /* of e->function */

/* Tells of all plain loads and stores of a function that LLVM has not changed yet; pointers
 * that are made of integers lead to a memory that has none of these names. What begins at
 * another pointer may be anything. The list is not kept. False: memory is out. */
bool vsg_jit_tell_memories(vsg_jit_emitter *e, LLVMValueRef function,
                           const vsg_jit_memory *memories, uint32_t count);

/* Tells again of accesses whose pointers are made of integers. Where LLVM has made one of what
 * code loads and what a handler leaves in the frame, it takes both for where that comes from,
 * and keeps that where the handler is gone. */
void vsg_jit_tell_again(vsg_jit_emitter *e, LLVMValueRef function);

/* Tells of an access what was told of another one. */
void vsg_jit_tell_like(const vsg_jit_emitter *e, LLVMValueRef v, LLVMValueRef other);

/* The name of the memory that an instruction was told to access, or a number above all of
 * them. */
enum { VSG_JIT_NO_MEMORY = UINT32_MAX };
uint32_t vsg_jit_memory_of(const vsg_jit_emitter *e, LLVMValueRef v);

#endif
