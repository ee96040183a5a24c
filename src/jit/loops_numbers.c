/* SPDX-License-Identifier: MIT
 *
 * What a channel has of numbers of channels and of what is made of them: a constant for the
 * first one, and a step. */
#include "jit/loops.h"
#include "jit/lowering.h"
#include "jit/row_lanes.h"

typedef struct vsg_jit_loop_numbers numbers;

/* What is known of a part's lanes, in the block in hand. */
struct vsg_jit_loop_numbers {
    numbers *next;
    vsg_jit_lane_numbers own;
};

static numbers *find(const vsg_jit_loop *l, uint32_t part)
{
    numbers *n = l->numbers;

    while (n && n->own.part != part)
        n = n->next;
    return n;
}

static bool find_number(const vsg_jit_emitter *e, const vsg_jit_loop *l,
                        const vsg_exe_operand *source, uint32_t count, uint32_t i, int64_t *out)
{
    uint32_t part, lane;
    bool has_lanes = vsg_jit_lanes_in(e, source, count, &part, &lane);
    const numbers *n = has_lanes ? find(l, part) : NULL;

    return vsg_jit_find_number(e, n ? &n->own : NULL, source, count, i, out);
}

static bool compute(visage_op op, int64_t a, int64_t b, int64_t *out)
{
    const int64_t most = INT32_MAX;

    if (a < -most || a > most || b < -most || b > most)
        return false;
    switch (op) {
    case VISAGE_OP_MOV:
        *out = a;
        break;
    case VISAGE_OP_ADD:
        *out = a + b;
        break;
    case VISAGE_OP_MUL:
        *out = a * b;
        break;
    case VISAGE_OP_SHL:
        if (a < 0 || b < 0 || b > 31)
            return false;
        *out = a << b;
        break;
    default:
        return false;
    }
    return true;
}

void vsg_jit_forget_numbers(vsg_jit_loop *l)
{
    for (numbers *n = l->numbers; n; n = n->next)
        n->own.known = 0;
}

void vsg_jit_follow_numbers(vsg_jit_emitter *e, vsg_jit_loop *l, const vsg_exe_inst *inst)
{
    uint32_t count = inst->exec_size, part, lane;
    int64_t a = 0, b = 0, made[VSG_EXE_MAX_CHANNELS];
    bool good = inst->num_sources <= 2 && vsg_jit_is_integer(inst->dst.type) && !inst->saturate;

    if (!vsg_jit_lanes_in(e, &inst->dst, count, &part, &lane) ||
        lane + count > VSG_EXE_MAX_CHANNELS)
        return;
    for (uint32_t i = 0; i < count && good; i++)
        good = find_number(e, l, &inst->src[0], count, i, &a) &&
               (inst->num_sources < 2 || find_number(e, l, &inst->src[1], count, i, &b)) &&
               compute((visage_op)inst->op, a, b, &made[i]) &&
               vsg_jit_fits_any(made[i], inst->dst.bytes);
    numbers *n = find(l, part);
    if (!n) {
        n = vsg_base_arena_new(&e->arena, 1, sizeof *n);
        if (!n)
            return; /* nothing is known of the part, then as before */
        n->own.part = part;
        n->next = l->numbers;
        l->numbers = n;
    }
    for (uint32_t i = 0; i < count; i++) {
        n->own.known &= ~(UINT32_C(1) << (lane + i));
        if (!good)
            continue;
        n->own.known |= UINT32_C(1) << (lane + i);
        n->own.lanes[lane + i] = made[i];
    }
}

LLVMValueRef vsg_jit_number_of(vsg_jit_emitter *e, const vsg_jit_loop *l,
                               const vsg_exe_operand *operand, uint32_t count,
                               LLVMValueRef channel)
{
    LLVMTypeRef type = vsg_jit_int(e, 8u * operand->bytes, 1);
    int64_t first = 0, step = 0, number = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (!find_number(e, l, operand, count, i, &number) || number < INT32_MIN ||
            number > INT32_MAX)
            return NULL;
        if (i == 0)
            first = number;
        if (i == 1)
            step = number - first;
        if (number != first + (int64_t)i * step)
            return NULL;
    }
    LLVMValueRef value = LLVMBuildMul(e->b, channel, vsg_jit_i32(e, (uint32_t)step), "");
    value = LLVMBuildAdd(e->b, value, vsg_jit_i32(e, (uint32_t)first), "");
    return operand->bytes < 4 ? LLVMBuildTrunc(e->b, value, type, "")
                              : LLVMBuildSExt(e->b, value, type, "");
}
