/* SPDX-License-Identifier: MIT */
#include "jit/upper.h"

#include <stdio.h>
#include <string.h>

#include "jit/entry.h"
#include "jit/lane_operations.h"
#include "jit/marks.h"

#define NAME "vsg.upper."

/* Even lanes and odd ones each for themselves. Of lanes that are extended LLVM makes an
 * operation of its own, by which the upper half of a product with 1 has no meaning where other
 * lanes are no constants (19.1.7, DAGCombiner, visitMULHU: it shifts by as many bits as there
 * are). */
static LLVMValueRef make_plain(vsg_jit_emitter *e, const LLVMValueRef of[2])
{
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(of[0]));
    LLVMTypeRef pairs = vsg_jit_int(e, 64, count / 2);
    LLVMValueRef low = vsg_jit_splat(e, vsg_jit_i64(e, UINT32_MAX), count / 2);
    LLVMValueRef by = vsg_jit_splat(e, vsg_jit_i64(e, 32), count / 2), even[2], odd[2];

    for (uint32_t s = 0; s < 2; s++) {
        LLVMValueRef both = LLVMBuildBitCast(e->b, of[s], pairs, "");
        even[s] = LLVMBuildAnd(e->b, both, low, "");
        odd[s] = LLVMBuildLShr(e->b, both, by, "");
    }
    LLVMValueRef upper = LLVMBuildMul(e->b, odd[0], odd[1], "");
    upper = LLVMBuildAnd(e->b, upper, LLVMBuildNot(e->b, low, ""), "");
    LLVMValueRef lower = LLVMBuildMul(e->b, even[0], even[1], "");
    lower = LLVMBuildLShr(e->b, lower, by, "");
    return LLVMBuildBitCast(e->b, LLVMBuildOr(e->b, upper, lower, ""), LLVMTypeOf(of[0]), "");
}

static LLVMValueRef declare(vsg_jit_emitter *e, const char *name, LLVMTypeRef signature)
{
    enum { TOUCHES_NOTHING = 0 };
    LLVMValueRef function = vsg_jit_declare_placeholder(e, name, signature, TOUCHES_NOTHING);

    vsg_jit_attribute(e, function, "nosync", 0);
    vsg_jit_attribute(e, function, "nofree", 0);
    return function;
}

LLVMValueRef vsg_jit_upper(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef of[] = {a, b};
    LLVMTypeRef type = LLVMTypeOf(a);
    char name[sizeof NAME + 10];

    if (e->is_least)
        return make_plain(e, of);
    (void)snprintf(name, sizeof name, NAME "%u", LLVMGetVectorSize(type));
    LLVMTypeRef signature = LLVMFunctionType(type, (LLVMTypeRef[]){type, type}, 2, false);
    LLVMValueRef function = LLVMGetNamedFunction(e->module, name);
    if (!function)
        function = declare(e, name, signature);
    return LLVMBuildCall2(e->b, signature, function, of, 2, "");
}

static bool is_placeholder(LLVMValueRef function)
{
    size_t length;

    return LLVMIsAFunction(function) &&
           strncmp(LLVMGetValueName2(function, &length), NAME, strlen(NAME)) == 0;
}

bool vsg_jit_is_upper(LLVMValueRef v)
{
    return vsg_jit_is_op(v, LLVMCall) && is_placeholder(LLVMGetCalledValue(v));
}

void vsg_jit_make_uppers_plain(vsg_jit_emitter *e)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(e->module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!is_placeholder(f))
            continue;
        for (LLVMUseRef use; (use = LLVMGetFirstUse(f));) {
            LLVMValueRef call = LLVMGetUser(use);
            LLVMPositionBuilderBefore(e->b, call);
            vsg_jit_replace(call, make_plain(e, (LLVMValueRef[]){LLVMGetOperand(call, 0),
                                                                 LLVMGetOperand(call, 1)}));
        }
        LLVMDeleteFunction(f);
    }
}
