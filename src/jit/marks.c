/* SPDX-License-Identifier: MIT */
#include "jit/marks.h"

#include <stddef.h>
#include <string.h>

#include "jit/entry.h"

static const char *const mark_names[VSG_JIT_MARKS] = {"vsg.holds", "vsg.below", "vsg.less",
                                                      "vsg.in_window"};

enum { MOST_ARGS = 3 };

static const uint32_t num_args[VSG_JIT_MARKS] = {1, 2, 2, 3};

static LLVMValueRef find_mark(vsg_jit_emitter *e, vsg_jit_mark kind)
{
    return LLVMGetNamedFunction(e->module, mark_names[kind]);
}

static LLVMTypeRef signature_of(vsg_jit_emitter *e, vsg_jit_mark kind)
{
    LLVMTypeRef types[VSG_JIT_MARKS][MOST_ARGS] = {
        {e->i1}, {e->i64, e->i64}, {e->i64, e->i64}, {e->pointer, e->i64, e->i32}};

    return LLVMFunctionType(e->i1, types[kind], num_args[kind], false);
}

static LLVMValueRef declare_mark(vsg_jit_emitter *e, vsg_jit_mark kind)
{
    enum { READS_NOTHING = 0, READS_WHAT_IT_IS_GIVEN = 1 };
    LLVMValueRef function = vsg_jit_declare_placeholder(
        e, mark_names[kind], signature_of(e, kind),
        kind == VSG_JIT_IN_WINDOW ? READS_WHAT_IT_IS_GIVEN : READS_NOTHING);

    vsg_jit_attribute(e, function, "nosync", 0);
    vsg_jit_attribute(e, function, "nofree", 0);
    return function;
}

LLVMValueRef vsg_jit_window_base(vsg_jit_emitter *e, LLVMValueRef window, LLVMValueRef *size)
{
    LLVMValueRef base =
        LLVMBuildLoad2(e->b, e->i64, vsg_jit_at(e, window, offsetof(vsg_jit_window, base)), "");

    *size = LLVMBuildLoad2(e->b, e->i64,
                           vsg_jit_at(e, window, offsetof(vsg_jit_window, size_bytes)), "");
    return base;
}

static LLVMValueRef make_plain(vsg_jit_emitter *e, vsg_jit_mark kind, const LLVMValueRef *args)
{
    if (kind == VSG_JIT_HOLDS)
        return args[0];
    if (kind != VSG_JIT_IN_WINDOW)
        return LLVMBuildICmp(e->b, kind == VSG_JIT_LESS ? LLVMIntSLT : LLVMIntULT, args[0],
                             args[1], "");
    LLVMValueRef size, base = vsg_jit_window_base(e, args[0], &size);
    LLVMValueRef offset = LLVMBuildSub(e->b, args[1], base, "");
    return LLVMBuildICmp(e->b, LLVMIntULT, offset, size, "");
}

static LLVMValueRef make_mark(vsg_jit_emitter *e, vsg_jit_mark kind, LLVMValueRef *args)
{
    if (!e->marks)
        return make_plain(e, kind, args);
    LLVMValueRef function = find_mark(e, kind);
    if (!function)
        function = declare_mark(e, kind);
    return LLVMBuildCall2(e->b, signature_of(e, kind), function, args, num_args[kind], "");
}

LLVMValueRef vsg_jit_holds(vsg_jit_emitter *e, LLVMValueRef condition)
{
    return make_mark(e, VSG_JIT_HOLDS, &condition);
}

LLVMValueRef vsg_jit_is_below(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b)
{
    return make_mark(e, VSG_JIT_BELOW, (LLVMValueRef[]){a, b});
}

LLVMValueRef vsg_jit_is_less(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b)
{
    return make_mark(e, VSG_JIT_LESS, (LLVMValueRef[]){a, b});
}

LLVMValueRef vsg_jit_is_in_window(vsg_jit_emitter *e, LLVMValueRef window, LLVMValueRef address,
                                  uint32_t reach)
{
    return make_mark(e, VSG_JIT_IN_WINDOW,
                     (LLVMValueRef[]){window, address, vsg_jit_i32(e, reach)});
}

void vsg_jit_find_marks(vsg_jit_emitter *e)
{
    e->marks = e->group != NULL || e->traces || vsg_jit_has_rounds(e);
    for (uint32_t i = 0; i < e->unit->num_code; i++)
        e->marks |= vsg_exe_is_jump(&e->unit->code[i]) && e->unit->code[i].target <= i;
}

int vsg_jit_mark_of(vsg_jit_emitter *e, LLVMValueRef v)
{
    if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != LLVMCall)
        return -1;
    for (uint32_t kind = 0; kind < VSG_JIT_MARKS; kind++) {
        LLVMValueRef function = find_mark(e, (vsg_jit_mark)kind);
        if (function && LLVMGetCalledValue(v) == function)
            return (int)kind;
    }
    return -1;
}

bool vsg_jit_is_plain_call(vsg_jit_emitter *e, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);

    return vsg_jit_mark_of(e, call) >= 0 || vsg_jit_is_pure(call) ||
           (LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) != 0);
}

void vsg_jit_replace(LLVMValueRef old, LLVMValueRef with)
{
    LLVMReplaceAllUsesWith(old, with);
    LLVMInstructionEraseFromParent(old);
}

void vsg_jit_make_marks_plain(vsg_jit_emitter *e)
{
    for (uint32_t kind = 0; kind < VSG_JIT_MARKS; kind++) {
        LLVMValueRef function = find_mark(e, (vsg_jit_mark)kind);
        for (LLVMUseRef use; function && (use = LLVMGetFirstUse(function));) {
            LLVMValueRef call = LLVMGetUser(use);
            LLVMValueRef args[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 1)};
            LLVMPositionBuilderBefore(e->b, call);
            vsg_jit_replace(call, make_plain(e, (vsg_jit_mark)kind, args));
        }
        if (function)
            LLVMDeleteFunction(function);
    }
}
