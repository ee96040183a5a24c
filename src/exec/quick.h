/* SPDX-License-Identifier: MIT
 *
 * Second handlers for what kernels mostly do: 32-bit lanes, contiguous or scalar operands, no
 * saturation. They give what the general handlers give, only sooner; a handler that meets a
 * mode it was not made for (ALT, say) calls the general one. quick_ops.h has the handlers once,
 * exec_quick.c and exec_quick_v3.c compile them for two instruction sets. */
#ifndef VISAGE_EXEC_QUICK_H
#define VISAGE_EXEC_QUICK_H

#include "exec/program.h"

/* What is computed; a row of the tables below. */
typedef enum vsg_exe_quick_op {
    VSG_EXE_QUICK_MOV,
    VSG_EXE_QUICK_SEL,
    VSG_EXE_QUICK_ADD,
    VSG_EXE_QUICK_ADD3,
    VSG_EXE_QUICK_MUL,
    VSG_EXE_QUICK_MULH_D,
    VSG_EXE_QUICK_MULH_UD,
    VSG_EXE_QUICK_MAD,
    VSG_EXE_QUICK_AND,
    VSG_EXE_QUICK_OR,
    VSG_EXE_QUICK_XOR,
    VSG_EXE_QUICK_NOT,
    VSG_EXE_QUICK_BFN,
    VSG_EXE_QUICK_SHL,
    VSG_EXE_QUICK_SHR,
    VSG_EXE_QUICK_ASR,
    VSG_EXE_QUICK_MIN_D,
    VSG_EXE_QUICK_MIN_UD,
    VSG_EXE_QUICK_MAX_D,
    VSG_EXE_QUICK_MAX_UD,
    VSG_EXE_QUICK_CMP_D, /* _EQ, then the other relations in the order of their codes */
    VSG_EXE_QUICK_CMP_UD = VSG_EXE_QUICK_CMP_D + 6,
    VSG_EXE_QUICK_MOV_F = VSG_EXE_QUICK_CMP_UD + 6,
    VSG_EXE_QUICK_SEL_F,
    VSG_EXE_QUICK_ADD_F,
    VSG_EXE_QUICK_MUL_F,
    VSG_EXE_QUICK_MAD_F,
    VSG_EXE_QUICK_MIN_F,
    VSG_EXE_QUICK_MAX_F,
    VSG_EXE_QUICK_EXP_F,
    VSG_EXE_QUICK_LOG_F,
    VSG_EXE_QUICK_POW_F,
    VSG_EXE_QUICK_INV_F,
    VSG_EXE_QUICK_SQRT_F,
    VSG_EXE_QUICK_RSQRT_F,
    VSG_EXE_QUICK_SIN_F,
    VSG_EXE_QUICK_COS_F,
    VSG_EXE_QUICK_CMP_F,
    /* from here on with strides: moves of 1, 2, 4, 8 bytes, or of the low ones of larger
       elements */
    VSG_EXE_QUICK_MOVE_1 = VSG_EXE_QUICK_CMP_F + 6,
    VSG_EXE_QUICK_MOVE_2,
    VSG_EXE_QUICK_MOVE_4,
    VSG_EXE_QUICK_MOVE_8,
    VSG_EXE_QUICK_MOVE_B_D, /* extended to 32 bits */
    VSG_EXE_QUICK_MOVE_UB_D,
    VSG_EXE_QUICK_MOVE_W_D,
    VSG_EXE_QUICK_MOVE_UW_D,
    VSG_EXE_QUICK_MOVE_B_Q, /* to 64 */
    VSG_EXE_QUICK_MOVE_D_Q,
    VSG_EXE_QUICK_MOVE_UD_Q,
    VSG_EXE_QUICK_MOVE_F_D, /* converted */
    VSG_EXE_QUICK_MOVE_F_UD,
    VSG_EXE_QUICK_MOVE_D_F,
    VSG_EXE_QUICK_MOVE_UD_F,
    VSG_EXE_QUICK_ADD_Q,
    VSG_EXE_QUICK_SHL_Q,
    VSG_EXE_QUICK_COUNT,
    VSG_EXE_QUICK_NONE = VSG_EXE_QUICK_COUNT
} vsg_exe_quick_op;

/* By execution size: 1, 8, 16, 32. */
enum { VSG_EXE_QUICK_SIZES = 4 };
typedef vsg_exe_handler vsg_exe_quick_table[VSG_EXE_QUICK_COUNT][VSG_EXE_QUICK_SIZES];

/* For any host. */
const vsg_exe_quick_table *vsg_exe_quick_base(void);
/* For x86-64-v3 (AVX2, FMA); NULL where the compiler was not told to make them. */
const vsg_exe_quick_table *vsg_exe_quick_v3(void);
/* The best that this host can execute. */
const vsg_exe_quick_table *vsg_exe_quick_best(void);

/* The quick handler of a decoded instruction, NULL where it has none. */
vsg_exe_handler vsg_exe_quick(const vsg_exe_inst *inst);
/* The same out of a given table. */
vsg_exe_handler vsg_exe_quick_of(const vsg_exe_inst *inst, const vsg_exe_quick_table *table);

#endif
