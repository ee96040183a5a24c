/* SPDX-License-Identifier: MIT
 *
 * The code of one channel's instructions in a loop that channels run one after the other
 * (loops.h). */
#include <assert.h>

#include "exec/message.h"
#include "exec/operand.h"
#include "jit/elements.h"
#include "jit/loops.h"
#include "jit/lowering.h"
#include "jit/transfer.h"

typedef vsg_jit_loop loop;
typedef vsg_jit_loop_lane loop_lane;
typedef vsg_jit_loop_array loop_array;

/* ---- one channel's instructions ---------------------------------------------------------- */

static const loop_lane *lane_of(const loop *l, uint32_t part)
{
    for (uint32_t n = 0; n < l->pass->num_lanes; n++)
        if (l->pass->lanes[n].part == part)
            return &l->pass->lanes[n];
    return NULL;
}

/* Where one channel has what the text has for the first one of the pass at `offset`. */
static uint32_t narrow_offset(const vsg_jit_emitter *e, const loop *l, uint32_t offset)
{
    const loop_lane *lane = lane_of(l, e->part_of[offset]);

    return e->parts[lane->own].at + (offset - lane->at);
}

static uint32_t narrow_predicate(const vsg_jit_emitter *e, const loop *l, uint32_t index)
{
    return lane_of(l, e->num_general + index)->own - e->num_general;
}

static void narrow_operand(const vsg_jit_emitter *e, const loop *l, const vsg_exe_inst *inst,
                           vsg_exe_operand *operand)
{
    if (operand->kind == VSG_EXE_OPERAND_PREDICATE) {
        operand->index = narrow_predicate(e, l, operand->index);
    } else if (vsg_jit_is_of_parts(e, l->stepped, operand)) {
        operand->offset = narrow_offset(e, l, operand->offset);
    } else if (vsg_jit_is_by_channel(operand)) {
        uint32_t skips = vsg_jit_pass_skips(l->pass, inst);
        operand->offset =
            narrow_offset(e, l, operand->offset + skips * vsg_jit_channel_stride(operand));
        operand->shape = VSG_EXE_SHAPE_SCALAR;
    }
}

/* Bytes from one element to the next one of what a channel loads, where it has them; 0: they
 * are not the same, or there is one. */
static uint32_t narrow_pitch(const vsg_jit_emitter *e, const loop *l,
                             const vsg_exe_message *all, uint32_t skips)
{
    uint32_t pitch = 0, last = 0;

    for (uint32_t i = 0; i < all->num_elements; i++) {
        uint32_t at = narrow_offset(
            e, l, all->data.offset + i * all->pitch_bytes + skips * all->register_bytes);
        if (i > 0 && (at <= last || (i > 1 && at - last != pitch)))
            return 0;
        pitch = i > 0 ? at - last : 0;
        last = at;
    }
    return pitch;
}

/* So many elements of what a message moves, from one on. */
static void emit_some(vsg_jit_emitter *e, loop *l, vsg_exe_inst *own, uint32_t skips,
                      uint32_t element, uint32_t count, uint32_t pitch)
{
    static const uint16_t at[] = {0};
    const vsg_exe_message *all = own->message;
    vsg_exe_message some = *all;

    if (count == 1) {
        some.num_elements = 1;
        some.offset += all->element_at[element];
        some.element_at = at;
        some.span_bytes = some.memory_bytes;
    } else {
        some.pitch_bytes = pitch;
    }
    some.address.offset = narrow_offset(e, l, all->address.offset + skips * all->address_bytes);
    some.data.offset = narrow_offset(
        e, l, all->data.offset + element * all->pitch_bytes + skips * all->register_bytes);
    own->message = &some;
    if (e->storing || (e->parting && vsg_jit_is_flat(all))) {
        assert(l->num_accesses < VSG_JIT_MOST_ACCESSES);
        l->accesses[l->num_accesses++] =
            (vsg_jit_loop_access){.window = e->num_windows, .is_store = e->place == l->store};
    }
    vsg_jit_emit_copy(e, own);
    own->message = all;
}

/* All elements together, where the channel has them at equal distances. */
static void emit_message(vsg_jit_emitter *e, loop *l, vsg_exe_inst *own, uint32_t skips)
{
    uint32_t count = own->message->num_elements;
    uint32_t pitch = narrow_pitch(e, l, own->message, skips);

    for (uint32_t i = 0; i < (pitch ? 1 : count); i++)
        emit_some(e, l, own, skips, i, pitch ? count : 1, pitch);
}

/* ---- arrays in registers ----------------------------------------------------------------- */

/* Where the channel's element is that an operand of the instruction in hand means: `skip_bytes`
 * behind its address. Goes back to where all channels begin again if it is not one of the
 * channel's own. */
static LLVMValueRef find_element(vsg_jit_emitter *e, const loop *l,
                                 const vsg_exe_operand *operand, LLVMValueRef skip_bytes)
{
    uint32_t from;
    const loop_array *array = vsg_jit_array_at(e, l, l->pass, e->place, operand, &from);
    uint32_t row = vsg_jit_channels_of(l, array) * array->bytes;
    uint32_t rows = (array->end - array->at) / row;
    uint32_t before = row > l->pass->count * array->bytes ? l->pass->first : 0;
    LLVMBasicBlockRef good = vsg_jit_block(e);
    LLVMValueRef own = LLVMBuildAdd(e->b, l->channel, vsg_jit_i32(e, before), "");
    own = LLVMBuildMul(e->b, own, vsg_jit_i32(e, array->bytes), "");
    uint32_t known = (uint32_t)operand->indirect_bytes - array->at;
    LLVMValueRef at =
        LLVMBuildAdd(e->b, l->addresses[from - l->start], vsg_jit_i32(e, known), "");

    at = LLVMBuildAdd(e->b, at, skip_bytes, "");
    LLVMValueRef row_at = LLVMBuildSub(e->b, at, own, "");
    LLVMValueRef args[] = {row_at, row_at, vsg_jit_i32(e, (uint32_t)__builtin_ctz(row))};
    LLVMValueRef number = vsg_jit_intrinsic(e, "llvm.fshr", e->i32, args, 3);
    LLVMValueRef is_good = LLVMBuildICmp(e->b, LLVMIntULT, number, vsg_jit_i32(e, rows), "");
    vsg_jit_likely(e, LLVMBuildCondBr(e->b, is_good, good, l->undo));
    vsg_jit_go_on(e, good);
    at = LLVMBuildZExt(e->b, at, e->i64, "");
    return LLVMBuildGEP2(e->b, e->i8, vsg_jit_at(e, e->registers, array->at), &at, 1, "");
}

/* The channel's move of a row of moves. */
static void emit_elements(vsg_jit_emitter *e, const loop *l, const vsg_exe_inst *inst)
{
    vsg_exe_operand from = inst->src[0];
    LLVMValueRef step = LLVMBuildMul(e->b, l->channel, vsg_jit_i32(e, inst->dst.bytes), "");
    LLVMValueRef at = find_element(e, l, &inst->dst, step);

    if (from.kind == VSG_EXE_OPERAND_REGION)
        from.offset = narrow_offset(e, l, from.offset);
    vsg_jit_store(e, vsg_jit_read(e, &from, 1), at, 1);
}

/* ---- instructions ------------------------------------------------------------------------ */

/* Has a source elements of channels that are the same at any time? */
static bool is_same_for(const vsg_jit_emitter *e, const loop *l, const vsg_exe_operand *source)
{
    return (source->kind == VSG_EXE_OPERAND_IMMEDIATE && source->count > 1) ||
           (vsg_jit_is_by_channel(source) && vsg_jit_is_of_parts(e, l->fixed, source));
}

/* What the channel has of a source. */
static void narrow_source(vsg_jit_emitter *e, const loop *l, const vsg_exe_inst *inst,
                          uint32_t s, vsg_exe_operand *source)
{
    uint32_t skips = vsg_jit_pass_skips(l->pass, inst);

    if (source->kind == VSG_EXE_OPERAND_INDIRECT) {
        LLVMValueRef at = find_element(e, l, source, vsg_jit_i32(e, 0));
        e->found[1 + s] = vsg_jit_load(e, vsg_jit_int(e, 8u * source->bytes, 1), at, 1);
    } else if (is_same_for(e, l, source)) {
        LLVMValueRef lane = LLVMBuildAdd(e->b, l->channel, vsg_jit_i32(e, skips), "");
        LLVMValueRef number = vsg_jit_number_of(e, l, source, inst->exec_size, lane);
        LLVMValueRef all = number ? NULL : vsg_jit_read(e, source, inst->exec_size);
        e->found[1 + s] = number ? number : LLVMBuildExtractElement(e->b, all, lane, "");
    } else {
        narrow_operand(e, l, inst, source);
        return;
    }
    source->kind = VSG_JIT_OPERAND_FOUND;
    source->shape = VSG_EXE_SHAPE_SCALAR;
    source->index = 1 + s;
}

static void emit_address(vsg_jit_emitter *e, loop *l, const vsg_exe_inst *inst)
{
    vsg_exe_operand step = inst->src[1];
    LLVMValueRef base = vsg_jit_i32(e, (uint32_t)inst->src[0].elements[0]);

    narrow_source(e, l, inst, 1, &step);
    l->addresses[e->place - l->start] =
        LLVMBuildAdd(e->b, base, vsg_jit_read_step(e, &step, 1), "");
}

static void emit_narrow(vsg_jit_emitter *e, loop *l, const vsg_exe_inst *inst)
{
    vsg_exe_inst own = *inst;

    own.exec_size = 1;
    own.no_mask = true;
    own.mask_offset = 0;
    if (own.predicate_mode)
        own.predicate = (uint16_t)narrow_predicate(e, l, inst->predicate);
    if (inst->message) {
        emit_message(e, l, &own, vsg_jit_pass_skips(l->pass, inst));
        return;
    }
    for (uint32_t s = 0; s < own.num_sources; s++)
        narrow_source(e, l, inst, s, &own.src[s]);
    narrow_operand(e, l, inst, &own.dst);
    vsg_jit_emit_copy(e, &own);
}

void vsg_jit_emit_role(vsg_jit_emitter *e, loop *l, vsg_jit_loop_role role)
{
    const vsg_exe_inst *inst = &e->unit->code[e->place];

    switch (role) {
    case VSG_JIT_ROLE_WHOLE:
        vsg_jit_emit_copy(e, inst);
        if (vsg_jit_is_of_parts(e, l->fixed, &inst->dst))
            vsg_jit_follow_numbers(e, l, inst);
        break;
    case VSG_JIT_ROLE_CHANNEL:
        emit_narrow(e, l, inst);
        break;
    case VSG_JIT_ROLE_ADDRESS:
        emit_address(e, l, inst);
        break;
    case VSG_JIT_ROLE_ELEMENTS:
        emit_elements(e, l, inst);
        break;
    default:
        break;
    }
}

LLVMValueRef vsg_jit_channel_takes(vsg_jit_emitter *e, const loop *l, const vsg_exe_inst *inst)
{
    vsg_exe_inst decides = *inst;

    if (!inst->predicate_mode)
        return NULL;
    decides.exec_size = 1;
    decides.no_mask = true;
    decides.predicate = (uint16_t)narrow_predicate(e, l, inst->predicate);
    return LLVMBuildTrunc(e->b, vsg_jit_predicate(e, &decides), e->i1, "");
}
