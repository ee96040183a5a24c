/* SPDX-License-Identifier: MIT
 *
 * LLVM, loaded when the first program is compiled: whoever does not compile does not pay for
 * it, and the library runs where LLVM is not installed. The functions are called by their own
 * names. */
#ifndef VISAGE_JIT_LLVM_H
#define VISAGE_JIT_LLVM_H

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
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

/* Finds LLVM and readies it for this host. False: it is not installed, or not for this host. */
bool vsg_jit_llvm_load(void);

#define LLVMAddAttributeAtIndex           vsg_jit_llvm.LLVMAddAttributeAtIndex_
#define LLVMAddCase                       vsg_jit_llvm.LLVMAddCase_
#define LLVMAddFunction                   vsg_jit_llvm.LLVMAddFunction_
#define LLVMAddIncoming                   vsg_jit_llvm.LLVMAddIncoming_
#define LLVMAppendBasicBlockInContext     vsg_jit_llvm.LLVMAppendBasicBlockInContext_
#define LLVMBuildAShr                     vsg_jit_llvm.LLVMBuildAShr_
#define LLVMBuildAdd                      vsg_jit_llvm.LLVMBuildAdd_
#define LLVMBuildAlloca                   vsg_jit_llvm.LLVMBuildAlloca_
#define LLVMBuildAnd                      vsg_jit_llvm.LLVMBuildAnd_
#define LLVMBuildBitCast                  vsg_jit_llvm.LLVMBuildBitCast_
#define LLVMBuildBr                       vsg_jit_llvm.LLVMBuildBr_
#define LLVMBuildCall2                    vsg_jit_llvm.LLVMBuildCall2_
#define LLVMBuildCondBr                   vsg_jit_llvm.LLVMBuildCondBr_
#define LLVMBuildExtractElement           vsg_jit_llvm.LLVMBuildExtractElement_
#define LLVMBuildFAdd                     vsg_jit_llvm.LLVMBuildFAdd_
#define LLVMBuildFCmp                     vsg_jit_llvm.LLVMBuildFCmp_
#define LLVMBuildFDiv                     vsg_jit_llvm.LLVMBuildFDiv_
#define LLVMBuildFMul                     vsg_jit_llvm.LLVMBuildFMul_
#define LLVMBuildFPExt                    vsg_jit_llvm.LLVMBuildFPExt_
#define LLVMBuildFPTrunc                  vsg_jit_llvm.LLVMBuildFPTrunc_
#define LLVMBuildFence                    vsg_jit_llvm.LLVMBuildFence_
#define LLVMBuildGEP2                     vsg_jit_llvm.LLVMBuildGEP2_
#define LLVMBuildICmp                     vsg_jit_llvm.LLVMBuildICmp_
#define LLVMBuildInsertElement            vsg_jit_llvm.LLVMBuildInsertElement_
#define LLVMBuildIntToPtr                 vsg_jit_llvm.LLVMBuildIntToPtr_
#define LLVMBuildLShr                     vsg_jit_llvm.LLVMBuildLShr_
#define LLVMBuildLoad2                    vsg_jit_llvm.LLVMBuildLoad2_
#define LLVMBuildMul                      vsg_jit_llvm.LLVMBuildMul_
#define LLVMBuildNeg                      vsg_jit_llvm.LLVMBuildNeg_
#define LLVMBuildNot                      vsg_jit_llvm.LLVMBuildNot_
#define LLVMBuildOr                       vsg_jit_llvm.LLVMBuildOr_
#define LLVMBuildPhi                      vsg_jit_llvm.LLVMBuildPhi_
#define LLVMBuildRet                      vsg_jit_llvm.LLVMBuildRet_
#define LLVMBuildSExt                     vsg_jit_llvm.LLVMBuildSExt_
#define LLVMBuildSIToFP                   vsg_jit_llvm.LLVMBuildSIToFP_
#define LLVMBuildSelect                   vsg_jit_llvm.LLVMBuildSelect_
#define LLVMBuildShl                      vsg_jit_llvm.LLVMBuildShl_
#define LLVMBuildShuffleVector            vsg_jit_llvm.LLVMBuildShuffleVector_
#define LLVMBuildStore                    vsg_jit_llvm.LLVMBuildStore_
#define LLVMBuildSub                      vsg_jit_llvm.LLVMBuildSub_
#define LLVMBuildSwitch                   vsg_jit_llvm.LLVMBuildSwitch_
#define LLVMBuildTrunc                    vsg_jit_llvm.LLVMBuildTrunc_
#define LLVMBuildUIToFP                   vsg_jit_llvm.LLVMBuildUIToFP_
#define LLVMBuildUnreachable              vsg_jit_llvm.LLVMBuildUnreachable_
#define LLVMBuildXor                      vsg_jit_llvm.LLVMBuildXor_
#define LLVMBuildZExt                     vsg_jit_llvm.LLVMBuildZExt_
#define LLVMConstInt                      vsg_jit_llvm.LLVMConstInt_
#define LLVMConstIntToPtr                 vsg_jit_llvm.LLVMConstIntToPtr_
#define LLVMConstNull                     vsg_jit_llvm.LLVMConstNull_
#define LLVMConstReal                     vsg_jit_llvm.LLVMConstReal_
#define LLVMConstVector                   vsg_jit_llvm.LLVMConstVector_
#define LLVMConsumeError                  vsg_jit_llvm.LLVMConsumeError_
#define LLVMContextCreate                 vsg_jit_llvm.LLVMContextCreate_
#define LLVMContextDispose                vsg_jit_llvm.LLVMContextDispose_
#define LLVMCreateBuilderInContext        vsg_jit_llvm.LLVMCreateBuilderInContext_
#define LLVMCreatePassBuilderOptions      vsg_jit_llvm.LLVMCreatePassBuilderOptions_
#define LLVMCreateStringAttribute         vsg_jit_llvm.LLVMCreateStringAttribute_
#define LLVMCreateTargetDataLayout        vsg_jit_llvm.LLVMCreateTargetDataLayout_
#define LLVMCreateTargetMachine           vsg_jit_llvm.LLVMCreateTargetMachine_
#define LLVMDisposeBuilder                vsg_jit_llvm.LLVMDisposeBuilder_
#define LLVMDisposeMessage                vsg_jit_llvm.LLVMDisposeMessage_
#define LLVMDisposeModule                 vsg_jit_llvm.LLVMDisposeModule_
#define LLVMDisposePassBuilderOptions     vsg_jit_llvm.LLVMDisposePassBuilderOptions_
#define LLVMDisposeTargetData             vsg_jit_llvm.LLVMDisposeTargetData_
#define LLVMDisposeTargetMachine          vsg_jit_llvm.LLVMDisposeTargetMachine_
#define LLVMDoubleTypeInContext           vsg_jit_llvm.LLVMDoubleTypeInContext_
#define LLVMFloatTypeInContext            vsg_jit_llvm.LLVMFloatTypeInContext_
#define LLVMFunctionType                  vsg_jit_llvm.LLVMFunctionType_
#define LLVMGetBasicBlockTerminator       vsg_jit_llvm.LLVMGetBasicBlockTerminator_
#define LLVMGetDefaultTargetTriple        vsg_jit_llvm.LLVMGetDefaultTargetTriple_
#define LLVMGetElementType                vsg_jit_llvm.LLVMGetElementType_
#define LLVMGetHostCPUFeatures            vsg_jit_llvm.LLVMGetHostCPUFeatures_
#define LLVMGetHostCPUName                vsg_jit_llvm.LLVMGetHostCPUName_
#define LLVMGetInsertBlock                vsg_jit_llvm.LLVMGetInsertBlock_
#define LLVMGetIntrinsicDeclaration       vsg_jit_llvm.LLVMGetIntrinsicDeclaration_
#define LLVMGetParam                      vsg_jit_llvm.LLVMGetParam_
#define LLVMGetPoison                     vsg_jit_llvm.LLVMGetPoison_
#define LLVMGetTargetFromTriple           vsg_jit_llvm.LLVMGetTargetFromTriple_
#define LLVMGetTargetMachineTriple        vsg_jit_llvm.LLVMGetTargetMachineTriple_
#define LLVMGetTypeKind                   vsg_jit_llvm.LLVMGetTypeKind_
#define LLVMGetVectorSize                 vsg_jit_llvm.LLVMGetVectorSize_
#define LLVMHalfTypeInContext             vsg_jit_llvm.LLVMHalfTypeInContext_
#define LLVMInt16TypeInContext            vsg_jit_llvm.LLVMInt16TypeInContext_
#define LLVMInt1TypeInContext             vsg_jit_llvm.LLVMInt1TypeInContext_
#define LLVMInt32TypeInContext            vsg_jit_llvm.LLVMInt32TypeInContext_
#define LLVMInt64TypeInContext            vsg_jit_llvm.LLVMInt64TypeInContext_
#define LLVMInt8TypeInContext             vsg_jit_llvm.LLVMInt8TypeInContext_
#define LLVMIntTypeInContext              vsg_jit_llvm.LLVMIntTypeInContext_
#define LLVMIntrinsicGetType              vsg_jit_llvm.LLVMIntrinsicGetType_
#define LLVMLookupIntrinsicID             vsg_jit_llvm.LLVMLookupIntrinsicID_
#define LLVMModuleCreateWithNameInContext vsg_jit_llvm.LLVMModuleCreateWithNameInContext_
#define LLVMOrcCreateLLJIT                vsg_jit_llvm.LLVMOrcCreateLLJIT_
#define LLVMOrcCreateLLJITBuilder         vsg_jit_llvm.LLVMOrcCreateLLJITBuilder_
#define LLVMOrcDisposeLLJIT               vsg_jit_llvm.LLVMOrcDisposeLLJIT_
#define LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine                                  \
    vsg_jit_llvm.LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine_
#define LLVMOrcLLJITAddObjectFile vsg_jit_llvm.LLVMOrcLLJITAddObjectFile_
#define LLVMOrcLLJITBuilderSetJITTargetMachineBuilder                                          \
    vsg_jit_llvm.LLVMOrcLLJITBuilderSetJITTargetMachineBuilder_
#define LLVMOrcLLJITGetMainJITDylib         vsg_jit_llvm.LLVMOrcLLJITGetMainJITDylib_
#define LLVMOrcLLJITLookup                  vsg_jit_llvm.LLVMOrcLLJITLookup_
#define LLVMPointerTypeInContext            vsg_jit_llvm.LLVMPointerTypeInContext_
#define LLVMPositionBuilderAtEnd            vsg_jit_llvm.LLVMPositionBuilderAtEnd_
#define LLVMRunPasses                       vsg_jit_llvm.LLVMRunPasses_
#define LLVMSetAlignment                    vsg_jit_llvm.LLVMSetAlignment_
#define LLVMSetModuleDataLayout             vsg_jit_llvm.LLVMSetModuleDataLayout_
#define LLVMSetTarget                       vsg_jit_llvm.LLVMSetTarget_
#define LLVMTargetMachineEmitToMemoryBuffer vsg_jit_llvm.LLVMTargetMachineEmitToMemoryBuffer_
#define LLVMTypeOf                          vsg_jit_llvm.LLVMTypeOf_
#define LLVMVectorType                      vsg_jit_llvm.LLVMVectorType_
#define LLVMVerifyModule                    vsg_jit_llvm.LLVMVerifyModule_

#endif
