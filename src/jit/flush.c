/* SPDX-License-Identifier: MIT
 *
 * Modes that flush denormals. Where the float operations of a unit flush those of F and DF, its
 * code runs with the host set to do so, and operations that keep them are the handlers'; else
 * it is the other way round. LLVM knows nothing of the host's mode, and would take a product
 * with 1 for a move: it does not see which numbers operations get. What it makes no operations
 * of is flushed by masks, and so are halves, which are computed in F. */
#include "exec/operand.h"
#include "jit/frame.h"
#include "jit/lowering.h"

/* ---- which mode -------------------------------------------------------------------------- */

/* The flag of %cr0 that keeps a type's denormals; of a BF, which is widened, that of F. */
static uint32_t keeping(uint32_t type)
{
    return type == VISAGE_TYPE_DF   ? VSG_EXE_CR0_DENORM_DF
           : type == VISAGE_TYPE_HF ? VSG_EXE_CR0_DENORM_HF
                                    : VSG_EXE_CR0_DENORM_F;
}

static bool is_flushed(const vsg_jit_emitter *e, uint32_t place, uint32_t type)
{
    return !(e->notes[place].mode & keeping(type));
}

static bool computes(const vsg_exe_inst *inst)
{
    return (inst->class_ == VSG_EXE_CLASS_FLOAT || inst->class_ == VSG_EXE_CLASS_DOUBLE) &&
           inst->op != VISAGE_OP_MOV && inst->op != VISAGE_OP_SEL && !inst->message;
}

void vsg_jit_choose_mode(vsg_jit_emitter *e)
{
    uint32_t num_flushing = 0, num_keeping = 0;

    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (!e->notes[i].is_reached || !e->notes[i].is_plain || !inst->source ||
            !computes(inst))
            continue;
        if (is_flushed(e, i, vsg_jit_float_class(inst)))
            num_flushing++;
        else
            num_keeping++;
    }
    e->flushes = num_flushing > num_keeping;
}

static bool has_type(const vsg_exe_operand *operand)
{
    return vsg_jit_has_values(operand) && !operand->is_null;
}

bool vsg_jit_fits_mode(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    if (!e->notes[e->place].is_plain)
        return false;
    for (uint32_t n = 0; n <= inst->num_sources; n++) {
        const vsg_exe_operand *operand = n == 0 ? &inst->dst : &inst->src[n - 1];
        if (has_type(operand) && vsg_jit_is_float(operand->type) &&
            operand->type != VISAGE_TYPE_HF &&
            is_flushed(e, e->place, operand->type) != e->flushes)
            return false;
    }
    /* What is narrowed would be flushed before it is rounded. */
    return !(e->flushes && inst->class_ == VSG_EXE_CLASS_DOUBLE && has_type(&inst->dst) &&
             vsg_jit_is_float(inst->dst.type) && inst->dst.type != VISAGE_TYPE_DF);
}

/* ---- values ------------------------------------------------------------------------------ */

LLVMValueRef vsg_jit_drop_denormals(vsg_jit_emitter *e, LLVMValueRef bits, visage_type type,
                                    uint32_t count)
{
    uint64_t exponent = type == VISAGE_TYPE_DF   ? UINT64_C(0x7ff) << 52
                        : type == VISAGE_TYPE_HF ? 0x7c00
                        : type == VISAGE_TYPE_BF ? 0x7f80
                                                 : 0x7f800000;
    uint32_t width = 8u * vsg_isa_type(type)->bytes;
    LLVMTypeRef own = vsg_jit_int(e, width, 1);
    LLVMValueRef sign = LLVMConstInt(own, UINT64_C(1) << (width - 1), false);
    LLVMValueRef field = vsg_jit_splat(e, LLVMConstInt(own, exponent, false), count);
    LLVMValueRef found = LLVMBuildAnd(e->b, bits, field, "");
    LLVMValueRef none =
        LLVMBuildICmp(e->b, LLVMIntEQ, found, LLVMConstNull(LLVMTypeOf(bits)), "");
    LLVMValueRef zero = LLVMBuildAnd(e->b, bits, vsg_jit_splat(e, sign, count), "");

    return LLVMBuildSelect(e->b, none, zero, bits, "");
}

LLVMValueRef vsg_jit_flush_half(vsg_jit_emitter *e, LLVMValueRef bits, visage_type type,
                                uint32_t count)
{
    if (type != VISAGE_TYPE_HF || !is_flushed(e, e->place, type))
        return bits;
    return vsg_jit_drop_denormals(e, bits, type, count);
}

LLVMValueRef vsg_jit_flush(vsg_jit_emitter *e, LLVMValueRef value, visage_type type,
                           uint32_t count)
{
    LLVMTypeRef bits = vsg_jit_int(e, 8u * vsg_isa_type(type)->bytes, count);

    if (!e->flushes)
        return value;
    value = LLVMBuildBitCast(e->b, value, bits, "");
    value = vsg_jit_drop_denormals(e, value, type, count);
    return LLVMBuildBitCast(e->b, value, vsg_jit_float(e, type, count), "");
}

LLVMValueRef vsg_jit_hide(vsg_jit_emitter *e, LLVMValueRef value)
{
    if (!e->flushes)
        return value;
    return vsg_jit_intrinsic(e, "llvm.arithmetic.fence", LLVMTypeOf(value), &value, 1);
}

/* ---- the function ------------------------------------------------------------------------ */

/* LLVM may do float operations before a call that changes the host's mode, but not before it is
 * in the function that they are in. */
static void keep_apart(vsg_jit_emitter *e)
{
    vsg_jit_attribute(e, e->function, "noinline", 0);
    LLVMSetLinkage(e->function, LLVMInternalLinkage);
}

void vsg_jit_emit_around(vsg_jit_emitter *e, const char *name)
{
    LLVMTypeRef signature = LLVMFunctionType(e->i32, &e->pointer, 1, false);
    LLVMTypeRef starting =
        LLVMFunctionType(LLVMVoidTypeInContext(e->context), &e->pointer, 1, false);
    LLVMValueRef around = LLVMAddFunction(e->module, name, signature);
    LLVMValueRef batch = LLVMGetParam(around, 0);

    keep_apart(e);
    LLVMSetCurrentDebugLocation2(e->b, NULL);
    vsg_jit_go_on(e, LLVMAppendBasicBlockInContext(e->context, around, ""));
    LLVMBuildCall2(e->b, starting, vsg_jit_callee(e, "vsg_jit_start_flushing", starting),
                   &batch, 1, "");
    LLVMBuildRet(e->b, LLVMBuildCall2(e->b, signature, e->function, &batch, 1, ""));
}
