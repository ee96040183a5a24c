/* SPDX-License-Identifier: MIT */
#include "jit/elements.h"

#include "exec/operand.h"
#include "jit/frame.h"
#include "jit/lowering.h"

/* Fewer are made one by one. */
enum { LEAST = 4 };

/* ---- finding them ------------------------------------------------------------------------ */

/* The bits of a predicate if the instruction before gives it them for all channels; 0: it does
 * not. */
static uint32_t bits_before(const vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t place)
{
    const vsg_exe_inst *before = &e->unit->code[place ? place - 1 : 0];
    uint32_t from = before->mask_offset;

    if (place == 0 || e->notes[place].is_leader || before->op != VISAGE_OP_SETP ||
        !before->no_mask || before->predicate_mode || before->dst.index != inst->predicate ||
        from > inst->mask_offset ||
        from + before->exec_size < inst->mask_offset + inst->exec_size ||
        before->src[0].kind != VSG_EXE_OPERAND_IMMEDIATE || before->src[0].count != 1)
        return 0;
    return (uint32_t)before->src[0].elements[0] >> (inst->mask_offset - from) &
           vsg_exe_first(inst->exec_size);
}

static bool is_one_for_all(const vsg_exe_operand *source)
{
    return (source->kind == VSG_EXE_OPERAND_REGION && source->shape == VSG_EXE_SHAPE_SCALAR &&
            !source->shared) ||
           (source->kind == VSG_EXE_OPERAND_IMMEDIATE && source->count == 1);
}

static bool is_move(const vsg_exe_inst *inst)
{
    return inst->op == VISAGE_OP_MOV && inst->exec_size > 1 &&
           inst->predicate_mode == VSG_EXE_PRED_USED && !inst->dst.multi_address &&
           inst->dst.kind == VSG_EXE_OPERAND_INDIRECT && is_one_for_all(&inst->src[0]);
}

uint32_t vsg_jit_count_spared(const vsg_exe_unit *unit)
{
    uint32_t count = 0;

    for (uint32_t i = 1; i < unit->num_code; i++)
        if (is_move(&unit->code[i]) && unit->code[i - 1].op == VISAGE_OP_SETP)
            count += 2;
    return count;
}

/* One element is stored then: a row that is loaded, changed and stored would wait for the one
 * before. */
bool vsg_jit_is_element(const vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t place,
                        uint32_t *channel)
{
    if (!is_move(inst))
        return false;
    uint32_t bits = bits_before(e, inst, place);
    *channel = bits ? (uint32_t)__builtin_ctz(bits) : 0;
    return bits != 0 && (bits & (bits - 1)) == 0;
}

/* Are bits moved as they are, from no variable that they may lie in? */
static bool is_plain(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    const vsg_exe_operand *source = &inst->src[0];

    if (source->modifier || source->is_null || inst->dst.modifier || inst->saturate ||
        source->bytes != inst->dst.bytes || inst->dst.bytes > e->unit->variable_bytes ||
        (source->type != inst->dst.type &&
         !(vsg_jit_is_integer(source->type) && vsg_jit_is_integer(inst->dst.type))))
        return false;
    return source->kind == VSG_EXE_OPERAND_IMMEDIATE ||
           e->part_of[source->offset] != VSG_JIT_NO_PART;
}

/* The same for the next channel: its address behind the one before, and the next element or the
 * same number. */
static bool follows(const vsg_jit_emitter *e, const vsg_exe_inst *first,
                    const vsg_exe_inst *inst, uint32_t n)
{
    const vsg_exe_operand *from = &first->src[0], *to = &inst->src[0];

    if (inst->no_mask != first->no_mask || inst->dst.type != first->dst.type ||
        inst->dst.index != first->dst.index + n || to->kind != from->kind ||
        to->type != from->type || !is_plain(e, inst))
        return false;
    if (to->kind == VSG_EXE_OPERAND_IMMEDIATE)
        return to->elements[0] == from->elements[0];
    return to->offset == from->offset + n * from->bytes &&
           e->part_of[to->offset] == e->part_of[from->offset];
}

/* The channel of the dispatch that such a move is for; NO_CHANNEL: it is none. */
enum { NO_CHANNEL = UINT32_MAX };
static uint32_t channel_of(const vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    uint32_t channel;

    if (!vsg_jit_is_element(e, inst, place, &channel))
        return NO_CHANNEL;
    return inst->mask_offset + channel;
}

static uint32_t count_from(const vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_inst *first = &e->unit->code[place];
    uint32_t begin = channel_of(e, place), count = 1;

    if (begin == NO_CHANNEL || !is_plain(e, first))
        return 0;
    for (uint32_t at = place + 2; at < e->unit->num_code; at += 2) {
        if (e->notes[at - 1].is_leader || channel_of(e, at) != begin + count ||
            !follows(e, first, &e->unit->code[at], count))
            break;
        count++;
    }
    return first->dst.index + count <= e->unit->num_addresses ? count : 0;
}

void vsg_jit_find_elements(vsg_jit_emitter *e)
{
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        uint32_t count = count_from(e, i);
        if (count < LEAST)
            continue;
        e->notes[i].elements = (uint8_t)count;
        for (uint32_t n = 1; n < count; n++)
            e->notes[i + 2 * n].elements = VSG_JIT_ELEMENT_DONE;
        i += 2 * (count - 1);
    }
}

/* ---- code -------------------------------------------------------------------------------- */

/* Bytes in the frame, of each channel, as numbers of 32 bits: frames are far smaller than what
 * a sum would have to be to wrap around into them. */
static LLVMValueRef find_offsets(vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t count)
{
    LLVMValueRef at = vsg_jit_addresses_at(e, inst->dst.index);
    LLVMValueRef addresses = vsg_jit_load(e, vsg_jit_int(e, 32, count), at, 4);
    LLVMValueRef steps[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < count; i++) {
        const vsg_exe_inst *own = &e->unit->code[e->place + 2 * i];
        uint32_t channel = channel_of(e, e->place + 2 * i) - own->mask_offset;
        steps[i] = vsg_jit_i32(
            e, (uint32_t)(own->dst.indirect_bytes + vsg_exe_distance(&own->dst, channel)));
    }
    return LLVMBuildAdd(e->b, addresses, LLVMConstVector(steps, count), "");
}

static LLVMValueRef read_elements(vsg_jit_emitter *e, const vsg_exe_operand *source,
                                  uint32_t count)
{
    vsg_exe_operand all = *source;

    if (all.kind == VSG_EXE_OPERAND_REGION)
        all.shape = VSG_EXE_SHAPE_CONTIGUOUS;
    return vsg_jit_read(e, &all, count);
}

static void scatter(vsg_jit_emitter *e, LLVMValueRef value, LLVMValueRef offsets,
                    LLVMValueRef lanes, uint32_t count)
{
    LLVMTypeRef types[] = {LLVMTypeOf(value), LLVMVectorType(e->pointer, count)};
    LLVMValueRef places = LLVMBuildGEP2(e->b, e->i8, e->registers, &offsets, 1, "");
    LLVMValueRef args[] = {value, places, vsg_jit_i32(e, 1),
                           lanes ? lanes : LLVMConstAllOnes(vsg_jit_int(e, 1, count))};

    (void)vsg_jit_overloaded(e, "llvm.masked.scatter", types, 2, args, 4);
}

bool vsg_jit_lower_elements(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t count = e->notes[e->place].elements;
    vsg_exe_inst all = *inst;

    if (count == VSG_JIT_ELEMENT_DONE)
        return true;
    if (count == 0)
        return false;
    all.mask_offset = (uint8_t)channel_of(e, e->place);
    all.exec_size = (uint8_t)count;
    LLVMBasicBlockRef quick = vsg_jit_block(e), slow = vsg_jit_block(e);
    LLVMBasicBlockRef done = vsg_jit_block(e);
    LLVMValueRef lanes = vsg_jit_lanes(e, vsg_jit_enabled(e, &all), count);
    LLVMValueRef offsets = find_offsets(e, inst, count), inside = offsets;
    if (lanes)
        inside = LLVMBuildSelect(e->b, lanes, offsets, LLVMConstNull(LLVMTypeOf(offsets)), "");
    LLVMValueRef most = vsg_jit_i32(e, e->unit->variable_bytes - inst->dst.bytes);
    LLVMValueRef good =
        LLVMBuildICmp(e->b, LLVMIntULE, inside, vsg_jit_splat(e, most, count), "");
    good = LLVMBuildICmp(e->b, LLVMIntEQ, vsg_jit_bits(e, good, count),
                         vsg_jit_i32(e, vsg_exe_first(count)), "");
    vsg_jit_likely(e, LLVMBuildCondBr(e->b, good, quick, slow));
    vsg_jit_go_on(e, quick);
    scatter(e, read_elements(e, &inst->src[0], count), offsets, lanes, count);
    LLVMBuildBr(e->b, done);
    vsg_jit_go_on(e, slow);
    vsg_jit_call_elements_rarely(e, e->place + 2 * count - 1, done);
    vsg_jit_go_on(e, done);
    return true;
}
