/* SPDX-License-Identifier: MIT */
#include "jit/row_lanes.h"

#include "exec/message.h"
#include "jit/lowering.h"

/* What an operand of `count` elements is in its part. False: no lanes of one. */
bool vsg_jit_lanes_in(const vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count,
                      uint32_t *part, uint32_t *lane)
{
    if (operand->kind != VSG_EXE_OPERAND_REGION || operand->shared || operand->is_null ||
        count < 2 || operand->shape != VSG_EXE_SHAPE_CONTIGUOUS)
        return false;
    *part = e->part_of[operand->offset];
    if (*part == VSG_JIT_NO_PART || e->parts[*part].element_bytes != operand->bytes)
        return false;
    *lane = (operand->offset - e->parts[*part].at) / operand->bytes;
    return true;
}

bool vsg_jit_is_one(const vsg_exe_operand *operand)
{
    if (operand->kind == VSG_EXE_OPERAND_IMMEDIATE)
        return operand->count == 1;
    return operand->kind == VSG_EXE_OPERAND_REGION && operand->shape == VSG_EXE_SHAPE_SCALAR;
}

uint32_t vsg_jit_lanes_of(const vsg_jit_part *part)
{
    return part->bytes / part->element_bytes;
}

int64_t vsg_jit_immediate(const vsg_exe_operand *operand, uint32_t i)
{
    uint32_t drop = 64 - 8u * operand->bytes;
    uint64_t bits = operand->elements[i % operand->count] << drop;
    return vsg_jit_is_signed(operand) ? (int64_t)bits >> drop : (int64_t)(bits >> drop);
}

bool vsg_jit_find_number(const vsg_jit_emitter *e, const vsg_jit_lane_numbers *known,
                         const vsg_exe_operand *source, uint32_t count, uint32_t i,
                         int64_t *out)
{
    uint32_t part, lane;

    if (source->modifier != VSG_OBJ_MOD_NONE || !vsg_jit_is_integer(source->type))
        return false;
    if (source->kind == VSG_EXE_OPERAND_IMMEDIATE) {
        *out = vsg_jit_immediate(source, i);
        return source->count == 1 || count <= source->count;
    }
    if (!known || !vsg_jit_lanes_in(e, source, count, &part, &lane) || part != known->part ||
        lane + count > VSG_EXE_MAX_CHANNELS || !(known->known >> (lane + i) & 1))
        return false;
    *out = known->lanes[lane + i];
    return true;
}

bool vsg_jit_fits_any(int64_t number, uint32_t bytes)
{
    return number >= 0 && number <= INT32_MAX && number >> (8 * bytes - 1) == 0;
}

bool vsg_jit_is_unmasked(const vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    uint32_t all = vsg_exe_first(inst->exec_size);

    return !inst->predicate_mode && (inst->no_mask || e->notes[place].may_spoil ||
                                     (!e->notes[place].is_divergent &&
                                      (e->dispatch_mask >> inst->mask_offset & all) == all));
}

/* Does the instruction write elements of its destination, each of one channel? */
static bool writes_elements(const vsg_exe_inst *inst)
{
    return inst->source && !inst->message &&
           !(vsg_isa_op((visage_op)inst->op)->flags & (VSG_ISA_OWN_SHAPE | VSG_ISA_ACROSS));
}

static bool writes_all(const vsg_jit_emitter *e, uint32_t place)
{
    return writes_elements(&e->unit->code[place]) && vsg_jit_is_unmasked(e, place);
}

/* Does the instruction write `count` whole lanes of a part, and nothing else of it? */
bool vsg_jit_find_result(const vsg_jit_emitter *e, uint32_t place, uint32_t *part,
                         uint32_t *lane)
{
    const vsg_exe_inst *inst = &e->unit->code[place];

    return writes_all(e, place) && vsg_jit_lanes_in(e, &inst->dst, inst->exec_size, part, lane);
}

bool vsg_jit_find_written(const vsg_jit_emitter *e, uint32_t place, uint32_t *part,
                          uint32_t *lane, bool *merges)
{
    const vsg_exe_inst *inst = &e->unit->code[place];

    *merges = e->notes[place].is_side && !vsg_jit_is_unmasked(e, place);
    return (*merges ? writes_elements(inst) : writes_all(e, place)) &&
           vsg_jit_lanes_in(e, &inst->dst, inst->exec_size, part, lane);
}

bool vsg_jit_halves_in(const vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count,
                       vsg_jit_half_lanes *out)
{
    if (operand->kind != VSG_EXE_OPERAND_REGION || operand->shared || operand->is_null ||
        operand->modifier != VSG_OBJ_MOD_NONE || count < 2 ||
        operand->shape != VSG_EXE_SHAPE_STRIDED || operand->bytes != 4 ||
        operand->h_stride_bytes != 8 || !vsg_jit_is_integer(operand->type))
        return false;
    uint32_t part = e->part_of[operand->offset];
    if (part == VSG_JIT_NO_PART || e->parts[part].element_bytes != 8 ||
        vsg_jit_lanes_of(&e->parts[part]) > VSG_EXE_MAX_CHANNELS)
        return false;
    uint32_t at = operand->offset - e->parts[part].at;
    *out = (vsg_jit_half_lanes){.part = part, .lane = at / 8, .is_upper = at % 8 != 0};
    return true;
}

bool vsg_jit_find_half(const vsg_jit_emitter *e, uint32_t place, vsg_jit_half_lanes *out)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    const vsg_exe_operand *source = &inst->src[0];
    vsg_jit_half_lanes read;

    if (!e->half_roles || inst->op != VISAGE_OP_MOV || !writes_all(e, place) ||
        inst->saturate || source->bytes != 4 || source->modifier != VSG_OBJ_MOD_NONE ||
        !vsg_jit_is_integer(source->type) ||
        !vsg_jit_halves_in(e, &inst->dst, inst->exec_size, out) ||
        (vsg_jit_halves_in(e, source, inst->exec_size, &read) && read.part == out->part))
        return false;
    out->role = (vsg_jit_half_role)e->half_roles[place];
    return true;
}

/* Do the halves from an instruction on make all lanes of their part? Notes what they are. */
static void note_halves(vsg_jit_emitter *e, uint32_t place, const vsg_jit_half_lanes *first)
{
    uint32_t all = vsg_exe_first(vsg_jit_lanes_of(&e->parts[first->part])), made[2] = {0};
    uint32_t end = place;
    vsg_jit_half_lanes half;

    for (; end < e->unit->num_code && (made[0] & made[1]) != all; end++) {
        if ((end > place && e->notes[end].is_leader) || !vsg_jit_find_half(e, end, &half) ||
            half.part != first->part)
            break;
        made[half.is_upper] |= vsg_exe_first(e->unit->code[end].exec_size) << half.lane;
    }
    bool is_whole = (made[0] & made[1]) == all;
    for (uint32_t i = place; i < end; i++)
        e->half_roles[i] = (uint8_t)(!is_whole    ? VSG_JIT_HALF_LOOSE
                                     : i == place ? VSG_JIT_HALF_FIRST
                                                  : VSG_JIT_HALF_NEXT);
}

bool vsg_jit_find_halves(vsg_jit_emitter *e)
{
    vsg_jit_half_lanes half;

    e->half_roles = vsg_base_arena_new(&e->arena, e->unit->num_code, sizeof *e->half_roles);
    for (uint32_t i = 0; i < e->unit->num_code && e->half_roles; i++)
        if (e->notes[i].is_reached && e->half_roles[i] == VSG_JIT_HALF_NONE &&
            vsg_jit_find_half(e, i, &half))
            note_halves(e, i, &half);
    return e->half_roles != NULL;
}

/* Does it load an element for each channel into lanes of a part, and nothing else of it? All
 * channels: what is made of a row may look at any of its lanes, and those of channels that are
 * off get nothing that has a meaning, even where nobody asks for them. */
bool vsg_jit_find_loaded(const vsg_jit_emitter *e, uint32_t place, uint32_t *part,
                         uint32_t *lane)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    const vsg_exe_message *message = inst->message;
    bool is_for_all = !vsg_jit_is_ragged(e) && (inst->no_mask || !e->notes[place].is_divergent);

    if (!inst->source || !message || vsg_jit_lower_of(inst) != vsg_jit_lower_load ||
        message->is_block || message->strided || message->num_elements != 1 ||
        message->data.is_null || message->data.shared || !is_for_all ||
        !vsg_jit_is_unmasked(e, place))
        return false;
    vsg_exe_operand data = vsg_jit_raw(&message->data, 0, message->register_bytes);
    return vsg_jit_lanes_in(e, &data, inst->exec_size, part, lane);
}

/* Lanes that begin within a chunk and end behind it: of two rows, that is. */
bool vsg_jit_straddles(const vsg_jit_row *row, uint32_t lane, uint32_t count)
{
    uint32_t skip = lane % row->chunk;

    return skip != 0 && skip + count > row->chunk;
}
