/* SPDX-License-Identifier: MIT */
#include "jit/dwords.h"

#include "jit/columns.h"
#include "jit/lane_operations.h"

static bool is_undefined(LLVMValueRef v)
{
    return LLVMIsUndef(v) || LLVMIsPoison(v);
}

/* The vector without an element that is not asked for, or the element. False: it is neither. */
static bool pass_insertion(vsg_jit_dword *d)
{
    LLVMValueRef place = LLVMGetOperand(d->value, 2);

    if (!LLVMIsAConstantInt(place))
        return false;
    bool is_it = LLVMConstIntGetZExtValue(place) == d->lane;
    d->value = LLVMGetOperand(d->value, is_it);
    d->lane = is_it ? 0 : d->lane;
    return true;
}

vsg_jit_dword vsg_jit_trace_dword(vsg_jit_dword d)
{
    while (d.value && vsg_jit_is_vector(d.value)) {
        if (vsg_jit_is_op(d.value, LLVMShuffleVector)) {
            if (!vsg_jit_look_through(&d.value, &d.lane))
                d.value = NULL;
        } else if (LLVMIsAInsertElementInst(d.value)) {
            if (!pass_insertion(&d))
                break;
        } else if (LLVMIsConstant(d.value)) {
            LLVMValueRef one = LLVMGetAggregateElement(d.value, d.lane);
            if (!one)
                break;
            d = (vsg_jit_dword){one, 0};
        } else {
            break;
        }
    }
    if (d.value && is_undefined(d.value))
        d.value = NULL;
    return d;
}

bool vsg_jit_is_constant_dword(vsg_jit_dword d)
{
    return !d.value || LLVMIsAConstantInt(d.value);
}

uint32_t vsg_jit_constant_dword(vsg_jit_dword d)
{
    return d.value ? (uint32_t)LLVMConstIntGetZExtValue(d.value) : 0;
}

bool vsg_jit_is_of_qwords(LLVMValueRef v)
{
    LLVMTypeRef type = vsg_jit_lane_type(v);

    return vsg_jit_is_lane(type) && vsg_jit_lane_bits(type) == VSG_JIT_QWORD_BITS;
}

/* Is it the high dwords of qwords that were shifted to the low ones? */
static bool is_shift_to_high(LLVMValueRef v)
{
    LLVMValueRef by = vsg_jit_is_op(v, LLVMLShr) ? LLVMGetOperand(v, 1) : NULL;

    if (by && vsg_jit_is_vector(by))
        by = vsg_jit_lane_of_constant(by);
    return by && LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by) == VSG_JIT_DWORD_BITS;
}

bool vsg_jit_find_qword(vsg_jit_dword d, bool is_high, vsg_jit_dword *out)
{
    LLVMValueRef from = d.value && LLVMIsAInstruction(d.value) ? d.value : NULL;

    if (!from || (!vsg_jit_is_op(from, LLVMBitCast) && !vsg_jit_is_op(from, LLVMTrunc)) ||
        !vsg_jit_is_of_qwords(LLVMGetOperand(from, 0)))
        return false;
    out->value = LLVMGetOperand(from, 0);
    if (vsg_jit_is_op(from, LLVMBitCast)) {
        out->lane = d.lane / 2;
        return d.lane % 2 == is_high;
    }
    out->lane = d.lane;
    if (is_high && is_shift_to_high(out->value)) {
        out->value = LLVMGetOperand(out->value, 0);
        return true;
    }
    return !is_high;
}

/* ---- lanes ------------------------------------------------------------------------------- */

static bool add_lane(const vsg_jit_emitter *e, vsg_jit_dword_lanes *to, uint32_t at,
                     LLVMValueRef value, uint32_t lane)
{
    uint32_t which = 0;

    while (which < 2 && to->from[which] && to->from[which] != value)
        which++;
    if (which == 2 || (which == 1 && LLVMTypeOf(value) != LLVMTypeOf(to->from[0])))
        return false;
    to->from[which] = value;
    to->places[at] = vsg_jit_i32(e, which * vsg_jit_num_lanes(value) + lane);
    to->is_all = to->is_all && which == 0 && lane == at;
    return true;
}

bool vsg_jit_find_dwords(const vsg_jit_emitter *e, const vsg_jit_dword *of, uint32_t count,
                         vsg_jit_dword_lanes *out)
{
    *out = (vsg_jit_dword_lanes){.is_all = true};
    for (uint32_t i = 0; i < count; i++) {
        out->places[i] = LLVMGetPoison(e->i32);
        out->has_any = out->has_any || !of[i].value;
        if (of[i].value &&
            (!vsg_jit_is_vector(of[i].value) || !add_lane(e, out, i, of[i].value, of[i].lane)))
            return false;
    }
    return out->from[0] != NULL;
}

bool vsg_jit_find_qwords(const vsg_jit_emitter *e,
                         const vsg_jit_dword of[2][VSG_JIT_MOST_QWORDS], uint32_t count,
                         vsg_jit_dword_lanes *out, LLVMValueRef *scalar)
{
    *out = (vsg_jit_dword_lanes){.is_all = true};
    *scalar = NULL;
    for (uint32_t i = 0; i < count; i++) {
        vsg_jit_dword both[2] = {{NULL, 0}, {NULL, 0}};
        out->places[i] = LLVMGetPoison(e->i32);
        for (uint32_t half = 0; half < 2; half++)
            if (of[half][i].value && !vsg_jit_find_qword(of[half][i], half, &both[half]))
                return false;
        vsg_jit_dword one = both[0].value ? both[0] : both[1];
        if (!one.value)
            continue;
        if (both[1].value && (both[1].value != one.value || both[1].lane != one.lane))
            return false;
        if (!vsg_jit_is_vector(one.value)) {
            if (out->from[0] || (*scalar && *scalar != one.value))
                return false;
            *scalar = one.value;
        } else if (*scalar || !add_lane(e, out, i, one.value, one.lane)) {
            return false;
        }
    }
    return *scalar || out->from[0];
}

LLVMValueRef vsg_jit_find_scalar(const vsg_jit_dword *of, uint32_t count)
{
    LLVMValueRef found = NULL;

    for (uint32_t i = 0; i < count; i++) {
        if (!of[i].value)
            continue;
        if (vsg_jit_is_vector(of[i].value) || (found && found != of[i].value))
            return NULL;
        found = of[i].value;
    }
    return found;
}
