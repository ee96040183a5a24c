/* SPDX-License-Identifier: MIT
 *
 * LLVM, loaded when the first program is compiled: whoever does not compile does not pay for
 * it, and the library runs where LLVM is not installed. The functions are called by their own
 * names. */
#ifndef VISAGE_JIT_LLVM_H
#define VISAGE_JIT_LLVM_H

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdbool.h>

typedef struct vsg_jit_llvm_functions {
#define FUNCTION(name) __typeof__(&name) name##_;
#include "jit/llvm.def"
#undef FUNCTION
} vsg_jit_llvm_functions;

/* Written once, by the first vsg_jit_llvm_load(). */
extern vsg_jit_llvm_functions vsg_jit_llvm;

/* The part of LLVM that is linked for the engine (CMakeLists.txt), which loads in a fifth of
 * the time that the whole takes. */
#define VSG_JIT_LLVM_FILE "libvisage-llvm.so"

enum { VSG_JIT_PATH_BYTES = 4096 };

/* Its path, beside what holds the engine; it need not be there. False: no such path. */
bool vsg_jit_llvm_own(char path[VSG_JIT_PATH_BYTES]);

/* Finds LLVM, that part or the whole, and readies it for this host. False: it is not installed,
 * or not for this host. */
bool vsg_jit_llvm_load(void);

/* What LLVM calls where it gives up, and would end the process: work in hand is left, as if it
 * had been refused (compile.c). */
void vsg_jit_leave_llvm(const char *reason);

#include "jit/llvm_names.h" /* made of llvm.def: #define LLVMx vsg_jit_llvm.LLVMx_ */

#endif
