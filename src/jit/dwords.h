/* SPDX-License-Identifier: MIT
 *
 * Where dwords of vectors come from, and which qwords they are halves of. */
#ifndef VISAGE_JIT_DWORDS_H
#define VISAGE_JIT_DWORDS_H

#include "jit/emit.h"

enum {
    VSG_JIT_DWORD_BITS = 32,
    VSG_JIT_QWORD_BITS = 64,
    VSG_JIT_MOST_QWORDS = VSG_EXE_MAX_CHANNELS
};

/* One dword: of a vector, or a scalar. value: NULL: any will do. */
typedef struct vsg_jit_dword {
    LLVMValueRef value;
    uint32_t lane;
} vsg_jit_dword;

/* Where it comes from, through shuffles. */
vsg_jit_dword vsg_jit_trace_dword(vsg_jit_dword d);
/* Is it a number, or may it be any? That is 0 then. */
bool vsg_jit_is_constant_dword(vsg_jit_dword d);
uint32_t vsg_jit_constant_dword(vsg_jit_dword d);

/* Has a value, a vector or a scalar, elements of 64 bits? */
bool vsg_jit_is_of_qwords(LLVMValueRef v);
/* The qword whose low or high dword it is: a lane of a vector, or a scalar. */
bool vsg_jit_find_qword(vsg_jit_dword d, bool is_high, vsg_jit_dword *out);

/* Lanes of at most two vectors of one type. */
typedef struct vsg_jit_dword_lanes {
    LLVMValueRef from[2];
    LLVMValueRef places[VSG_JIT_MOST_QWORDS];
    bool is_all;  /* of from[0], in their order */
    bool has_any; /* some may be any */
} vsg_jit_dword_lanes;

/* Dwords, or lanes of any other type, as lanes of vectors. False: they are not. */
bool vsg_jit_find_dwords(const vsg_jit_emitter *e, const vsg_jit_dword *of, uint32_t count,
                         vsg_jit_dword_lanes *out);
/* Low and high dwords as the halves of lanes of vectors of qwords, or all of a scalar. */
bool vsg_jit_find_qwords(const vsg_jit_emitter *e,
                         const vsg_jit_dword of[2][VSG_JIT_MOST_QWORDS], uint32_t count,
                         vsg_jit_dword_lanes *out, LLVMValueRef *scalar);
/* The scalar that all dwords are; NULL: they are none. */
LLVMValueRef vsg_jit_find_scalar(const vsg_jit_dword *of, uint32_t count);

#endif
