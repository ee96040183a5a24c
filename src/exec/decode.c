/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <string.h>

#include "exec/handlers.h"
#include "exec/layout.h"
#include "exec/operand.h"
#include "object/extent.h"

/* ---- what prepare functions use --------------------------------------------------------- */

const vsg_obj_operand *vsg_exe_find(const vsg_obj_inst *inst, const char *name)
{
    int number = vsg_isa_operand(inst->op, name);
    if (number < 0 || number >= inst->num_operands)
        return NULL;
    return &inst->operands[number];
}

uint64_t vsg_exe_number(const vsg_obj_inst *inst, const char *name)
{
    const vsg_obj_operand *operand = vsg_exe_find(inst, name);
    return operand ? operand->value : 0;
}

void *vsg_exe_keep(vsg_exe_builder *builder, size_t count, size_t size)
{
    void *memory = vsg_base_arena_new(&builder->program->arena, count, size);
    if (!memory)
        builder->status = VISAGE_NO_MEMORY;
    return memory;
}

bool vsg_exe_reject(vsg_exe_builder *builder, const vsg_obj_inst *inst, const char *reason)
{
    vsg_base_location where = vsg_obj_locate(builder->object, inst);
    vsg_base_report(builder->diagnostics, VSG_DIAG_NOT_RUNNABLE, &where,
                    inst ? vsg_isa_op(inst->op)->text : builder->object->name, reason);
    if (builder->status == VISAGE_OK)
        builder->status = VISAGE_UNSUPPORTED;
    return false;
}

/* ---- operands --------------------------------------------------------------------------- */

/* Notes an access of the frame: raw operands may end in the GRF in which their variable does.
 */
static void note_reach(vsg_exe_builder *builder, bool shared, uint64_t end)
{
    assert(end <= (shared ? builder->program->shared_bytes : UINT32_MAX / 2));
    if (!shared && end > builder->reach_bytes)
        builder->reach_bytes = (uint32_t)end;
}

/* Finds variable `id`: its place, whether it is in the shared registers. */
static void locate_variable(const vsg_exe_builder *builder, uint32_t id,
                            vsg_obj_variable_facts *facts, vsg_exe_operand *out)
{
    vsg_obj_variable_facts root_facts;
    bool known = id < builder->num_variables &&
                 vsg_obj_variable_get(builder->object, id, facts) &&
                 vsg_obj_variable_get(builder->object, builder->variable_root[id], &root_facts);

    assert(known);
    (void)known;
    out->offset = builder->variable_at[id];
    out->shared = (root_facts.flags & VSG_ISA_VAR_SHARED) != 0;
    out->is_null = builder->variable_root[id] == VSG_ISA_VAR_NULL;
}

static uint32_t extent(uint32_t count, uint32_t width, uint32_t v, uint32_t h, uint32_t bytes)
{
    uint32_t in_row = count < width ? count : width;
    uint32_t rows = (count + width - 1) / width;
    return (rows - 1) * v + (in_row - 1) * h + bytes;
}

/* Reduces a region of `count` elements to the simplest shape that names the same ones. A
 * destination has no width: its only stride is the horizontal one. */
static void set_shape(vsg_exe_operand *out, const vsg_obj_operand *operand, uint32_t count)
{
    bool is_dst = operand->width == 0;
    uint32_t width = is_dst ? count : operand->width;
    int32_t v = operand->v_stride == VSG_OBJ_STRIDE_NULL ? 0 : operand->v_stride;
    int32_t h = operand->h_stride;
    int32_t stride;

    out->width = (uint8_t)width;
    out->v_stride_bytes = v * out->bytes;
    out->h_stride_bytes = h * out->bytes;
    if (out->multi_address) {
        out->shape = VSG_EXE_SHAPE_ROWS;
        return;
    }
    if (is_dst || (width > 1 && (width >= count || v == (int32_t)width * h)))
        stride = h;
    else if (width == 1)
        stride = v;
    else {
        out->shape = VSG_EXE_SHAPE_ROWS;
        return;
    }
    out->h_stride_bytes = stride * out->bytes;
    out->shape = stride == 0 || count == 1 ? VSG_EXE_SHAPE_SCALAR
                 : stride == 1             ? VSG_EXE_SHAPE_CONTIGUOUS
                                           : VSG_EXE_SHAPE_STRIDED;
}

static void decode_general(vsg_exe_builder *builder, const vsg_obj_operand *operand,
                           uint32_t count, vsg_exe_operand *out)
{
    vsg_obj_variable_facts facts;

    locate_variable(builder, operand->id, &facts, out);
    out->kind = VSG_EXE_OPERAND_REGION;
    out->type = (uint8_t)facts.type;
    out->bytes = (uint8_t)vsg_isa_type(facts.type)->bytes;
    assert(out->bytes != 0);
    uint64_t offset = (uint64_t)operand->row * builder->program->grf_bytes +
                      (uint64_t)operand->column * out->bytes;
    set_shape(out, operand, count);
    if (out->is_null)
        return;
    uint32_t bytes = out->shape == VSG_EXE_SHAPE_ROWS
                         ? extent(count, out->width, (uint32_t)out->v_stride_bytes,
                                  (uint32_t)out->h_stride_bytes, out->bytes)
                         : extent(count, count, 0, (uint32_t)out->h_stride_bytes, out->bytes);
    offset += out->offset;
    note_reach(builder, out->shared, offset + bytes);
    out->offset = (uint32_t)offset;
}

/* Element number of the first element of state or address variable `id` in its area. */
static uint32_t state_element(const vsg_obj_state *states, size_t count, uint32_t first,
                              uint32_t id, uint32_t offset)
{
    uint32_t element = first;

    if (id < first)
        return id;
    assert(id - first < count && offset < states[id - first].num_elements);
    (void)count;
    for (uint32_t i = 0; i < id - first; i++)
        element += states[i].num_elements;
    return element + offset;
}

static uint32_t address_element(const vsg_exe_builder *builder, const vsg_obj_operand *operand)
{
    const vsg_obj_unit *object = builder->object;

    return state_element(object->addresses, object->num_addresses, 0, operand->id,
                         operand->offset_elements);
}

static void decode_indirect(const vsg_exe_builder *builder, const vsg_obj_operand *operand,
                            uint32_t count, vsg_exe_operand *out)
{
    const vsg_isa_type_info *type = vsg_isa_type(operand->type);

    out->kind = VSG_EXE_OPERAND_INDIRECT;
    out->type = operand->type;
    out->bytes = (uint8_t)type->bytes;
    out->multi_address = operand->v_stride == VSG_OBJ_STRIDE_NULL;
    out->indirect_bytes = operand->offset_bytes;
    set_shape(out, operand, count);
    out->index = address_element(builder, operand);
}

/* The elements a packed immediate stands for (5_operands, Immediate Operands; the restricted
 * float has sign, 3 bits of exponent with bias 3, 4 bits of fraction, and 0 for no bits). */
static void expand_packed(visage_type type, uint32_t packed, uint64_t *elements)
{
    for (uint32_t i = 0; i < 8 && type != VISAGE_TYPE_VF; i++) {
        uint64_t nibble = packed >> (4 * i) & 0xf;
        bool negative = type == VISAGE_TYPE_V && nibble >= 8;
        elements[i] = negative ? nibble | ~(uint64_t)0xf : nibble;
    }
    for (uint32_t i = 0; i < 4 && type == VISAGE_TYPE_VF; i++) {
        uint32_t byte = packed >> (8 * i) & 0xff;
        uint32_t sign = (byte & 0x80) << 24;
        uint32_t rest = byte & 0x7f;
        /* Exponents 0..7 stand for 2^-3 .. 2^4: F's bias is 127, this one's 3. */
        elements[i] = rest == 0 ? sign : sign | ((rest >> 4) + 124) << 23 | (rest & 0xf) << 19;
    }
}

static bool decode_immediate(vsg_exe_builder *builder, const vsg_obj_operand *operand,
                             vsg_exe_operand *out)
{
    static const struct {
        visage_type element;
        uint16_t count;
    } packed[VISAGE_TYPE_COUNT] = {
        [VISAGE_TYPE_V] = {VISAGE_TYPE_W, 8},
        [VISAGE_TYPE_UV] = {VISAGE_TYPE_UW, 8},
        [VISAGE_TYPE_VF] = {VISAGE_TYPE_F, 4},
    };
    bool is_packed = packed[operand->type].count != 0;

    out->kind = VSG_EXE_OPERAND_IMMEDIATE;
    out->count = is_packed ? packed[operand->type].count : 1;
    out->type = is_packed ? (uint8_t)packed[operand->type].element : operand->type;
    out->bytes = (uint8_t)vsg_isa_type(out->type)->bytes;
    out->shape = is_packed ? VSG_EXE_SHAPE_CONTIGUOUS : VSG_EXE_SHAPE_SCALAR;
    uint64_t *elements = vsg_exe_keep(builder, out->count, sizeof *elements);
    if (!elements)
        return false;
    if (is_packed)
        expand_packed((visage_type)operand->type, (uint32_t)operand->value, elements);
    else
        elements[0] = vsg_isa_element(vsg_isa_type(out->type), operand->value);
    out->elements = elements;
    return true;
}

static bool decode_address_of(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                              const vsg_obj_operand *operand, vsg_exe_operand *out)
{
    vsg_obj_variable_facts facts;

    if (operand->state != 2)
        return vsg_exe_reject(builder, inst, "the address of a surface or sampler is taken");
    locate_variable(builder, operand->id, &facts, out);
    uint64_t *elements = vsg_exe_keep(builder, 1, sizeof *elements);
    if (!elements)
        return false;
    elements[0] = (uint64_t)((int64_t)out->offset + operand->offset_bytes +
                             (out->shared ? VSG_EXE_SHARED_ADDRESS : 0));
    *out = (vsg_exe_operand){.kind = VSG_EXE_OPERAND_IMMEDIATE,
                             .type = VISAGE_TYPE_D,
                             .bytes = 4,
                             .count = 1,
                             .elements = elements};
    return true;
}

static void decode_state(const vsg_exe_builder *builder, const vsg_obj_operand *operand,
                         bool sampler, vsg_exe_operand *out)
{
    const vsg_obj_unit *object = builder->object;

    out->kind = sampler ? VSG_EXE_OPERAND_SAMPLER : VSG_EXE_OPERAND_SURFACE;
    out->type = VISAGE_TYPE_UD;
    out->bytes = 4;
    if (sampler && operand->id == VSG_ISA_BINDLESS_SAMPLER) {
        out->index = builder->unit->num_samplers - 1;
        return;
    }
    if (sampler)
        out->index = state_element(object->samplers, object->num_samplers, 0, operand->id,
                                   operand->offset_elements);
    else
        out->index = state_element(object->surfaces, object->num_surfaces, VSG_ISA_NUM_SURFACES,
                                   operand->id, operand->offset_elements);
}

bool vsg_exe_decode(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                    const vsg_obj_operand *operand, uint32_t count, vsg_exe_operand *out)
{
    const vsg_obj_unit *object = builder->object;

    *out = (vsg_exe_operand){.modifier = operand->modifier};
    switch ((vsg_obj_class)operand->class_) {
    case VSG_OBJ_CLASS_GENERAL:
        decode_general(builder, operand, count, out);
        break;
    case VSG_OBJ_CLASS_INDIRECT:
        decode_indirect(builder, operand, count, out);
        break;
    case VSG_OBJ_CLASS_IMMEDIATE:
        return decode_immediate(builder, operand, out);
    case VSG_OBJ_CLASS_ADDRESS_OF:
        return decode_address_of(builder, inst, operand, out);
    case VSG_OBJ_CLASS_ADDRESS:
        out->kind = VSG_EXE_OPERAND_ADDRESS;
        out->type = VISAGE_TYPE_UW;
        out->bytes = 4;
        out->width = operand->width;
        out->index = address_element(builder, operand);
        break;
    case VSG_OBJ_CLASS_PREDICATE:
        assert(operand->id != 0 && operand->id <= object->num_predicates);
        out->kind = VSG_EXE_OPERAND_PREDICATE;
        out->type = VISAGE_TYPE_BOOL;
        out->index = operand->id - 1;
        out->count = (uint16_t)object->predicates[operand->id - 1].num_elements;
        break;
    case VSG_OBJ_CLASS_STATE:
        decode_state(builder, operand, operand->state == 1, out);
        break;
    case VSG_OBJ_CLASS_SURFACE:
        decode_state(builder, operand, false, out);
        break;
    case VSG_OBJ_CLASS_SAMPLER:
        decode_state(builder, operand, true, out);
        break;
    default:
        assert(operand->class_ == VSG_OBJ_CLASS_NONE);
        break;
    }
    return true;
}

bool vsg_exe_decode_raw(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                        const vsg_obj_operand *operand, vsg_exe_operand *out)
{
    vsg_obj_variable_facts facts;
    uint64_t size_bytes;

    *out = (vsg_exe_operand){
        .kind = VSG_EXE_OPERAND_REGION, .shape = VSG_EXE_SHAPE_CONTIGUOUS, .is_null = true};
    if (!operand || operand->class_ == VSG_OBJ_CLASS_NONE)
        return true;
    assert(operand->class_ == VSG_OBJ_CLASS_RAW);
    locate_variable(builder, operand->id, &facts, out);
    out->type = (uint8_t)facts.type;
    out->bytes = (uint8_t)vsg_isa_type(facts.type)->bytes;
    if (out->is_null)
        return true;
    assert(operand->offset_bytes >= 0);
    uint64_t offset = (uint64_t)out->offset + (uint32_t)operand->offset_bytes;
    (void)vsg_obj_extent(builder->object, inst, (uint32_t)(operand - inst->operands),
                         builder->program->grf_bytes, &size_bytes);
    note_reach(builder, out->shared, offset + size_bytes);
    out->offset = (uint32_t)offset;
    return true;
}

/* ---- instructions ----------------------------------------------------------------------- */

static bool names_variable(const vsg_obj_operand *operand, uint32_t id)
{
    return operand->class_ == VSG_OBJ_CLASS_GENERAL && operand->id == id;
}

/* The part of the operands every operation has alike, by the kinds of their slots. */
static bool decode_operands(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                            vsg_exe_inst *out)
{
    uint32_t num_dst = 0;

    for (uint32_t i = 0; i < inst->num_operands; i++) {
        const vsg_isa_slot *slot = vsg_isa_operand_slot(inst->op, i);
        const vsg_obj_operand *operand = &inst->operands[i];
        uint32_t count = slot->flags & VSG_ISA_SLOT_SCALAR ? 1 : out->exec_size;
        switch (slot->kind) {
        case VSG_ISA_SLOT_DST:
        case VSG_ISA_SLOT_DST_PRED_OR:
        case VSG_ISA_SLOT_PRED_DST:
        case VSG_ISA_SLOT_ADDR_DST:
        case VSG_ISA_SLOT_STATE_DST:
            if (!vsg_exe_decode(builder, inst, operand, count,
                                num_dst++ ? &out->dst2 : &out->dst))
                return false;
            out->writes_mode |= names_variable(operand, VSG_ISA_VAR_CR0);
            break;
        case VSG_ISA_SLOT_SRC:
        case VSG_ISA_SLOT_SRC_PRED_OR:
        case VSG_ISA_SLOT_ADDR_SRC:
        case VSG_ISA_SLOT_STATE_SRC:
            if (out->num_sources == VSG_EXE_MAX_SOURCES)
                break; /* block2d has six scalars; its prepare decodes them itself */
            if (!vsg_exe_decode(builder, inst, operand, count, &out->src[out->num_sources++]))
                return false;
            out->refresh |= names_variable(operand, VSG_ISA_VAR_CE0) ||
                            names_variable(operand, VSG_ISA_VAR_TSC);
            break;
        default:
            break;
        }
    }
    out->saturate = out->dst.modifier == VSG_OBJ_MOD_SAT;
    return true;
}

static vsg_exe_class class_of(const vsg_exe_inst *inst)
{
    bool has_half = false;
    bool has_float = false;

    for (uint32_t i = 0; i < inst->num_sources; i++) {
        switch (inst->src[i].type) {
        case VISAGE_TYPE_DF:
            return VSG_EXE_CLASS_DOUBLE;
        case VISAGE_TYPE_F:
        case VISAGE_TYPE_BF:
            has_float = true;
            break;
        case VISAGE_TYPE_HF:
            has_half = true;
            break;
        default:
            break;
        }
    }
    /* Halves with a float result compute in float: the result is rounded once, to it. */
    if (has_half && (inst->dst.type == VISAGE_TYPE_F || inst->dst.type == VISAGE_TYPE_BF) &&
        inst->dst.kind != VSG_EXE_OPERAND_PREDICATE)
        has_float = true;
    if (has_float)
        return VSG_EXE_CLASS_FLOAT;
    return has_half ? VSG_EXE_CLASS_HALF : VSG_EXE_CLASS_INT;
}

static void decode_predicate(const vsg_exe_builder *builder, const vsg_obj_inst *inst,
                             vsg_exe_inst *out)
{
    if (inst->predicate == 0)
        return;
    assert(inst->predicate <= builder->object->num_predicates);
    out->predicate = (uint16_t)(inst->predicate - 1);
    /* A scalar instruction combines the whole predicate: with one bit there would be nothing to
     * combine, and real code means the elements of the variable. */
    out->combined =
        inst->exec_size == 1
            ? vsg_exe_first(builder->object->predicates[inst->predicate - 1].num_elements)
            : vsg_exe_first(inst->exec_size) << inst->mask_offset;
    out->predicate_mode = VSG_EXE_PRED_USED;
    if (inst->predicate_inverse)
        out->predicate_mode |= VSG_EXE_PRED_INVERSE;
    if (inst->predicate_combine == VSG_OBJ_COMBINE_ANY)
        out->predicate_mode |= VSG_EXE_PRED_ANY;
    if (inst->predicate_combine == VSG_OBJ_COMBINE_ALL)
        out->predicate_mode |= VSG_EXE_PRED_ALL;
}

static bool decode_inst(vsg_exe_builder *builder, const vsg_obj_inst *inst, vsg_exe_inst *out)
{
    const vsg_exe_op *op = vsg_exe_op_of(inst->op);

    *out = (vsg_exe_inst){.handler = op->handler,
                          .op = (uint16_t)inst->op,
                          .exec_size = inst->exec_size ? inst->exec_size : 1,
                          .mask_offset = inst->mask_offset,
                          .no_mask = inst->no_mask,
                          .wait = VSG_EXE_NO_WAIT,
                          .source = inst};
    if (!op->handler)
        return vsg_exe_reject(builder, inst, "the operation is not implemented");
    decode_predicate(builder, inst, out);
    if (!decode_operands(builder, inst, out))
        return false;
    out->class_ = (uint8_t)class_of(out);
    return !op->prepare || op->prepare(builder, inst, out);
}

bool vsg_exe_is_backward(const vsg_obj_unit *unit, const vsg_obj_inst *inst)
{
    for (uint32_t i = 0; i < inst->num_operands; i++) {
        const vsg_obj_operand *operand = &inst->operands[i];
        if (operand->class_ == VSG_OBJ_CLASS_LABEL && operand->id < unit->num_labels)
            return unit->labels[operand->id].inst <= (int64_t)(inst - unit->insts);
    }
    return false;
}

/* Channels can stay behind only at a goto of several channels with a predicate. */
static bool leaves_channels(const vsg_obj_unit *unit, const vsg_obj_inst *inst)
{
    return inst->op == VISAGE_OP_GOTO && inst->exec_size > 1 && inst->predicate != 0 &&
           vsg_exe_is_backward(unit, inst);
}

static bool is_code(const vsg_obj_inst *inst)
{
    return inst->op != VISAGE_OP_LOC && inst->op != VISAGE_OP_FILE &&
           inst->op != VISAGE_OP_LIFETIME_START && inst->op != VISAGE_OP_LIFETIME_END;
}

bool vsg_exe_decode_unit(vsg_exe_builder *builder, uint32_t *place_of)
{
    const vsg_obj_unit *object = builder->object;
    vsg_exe_unit *unit = builder->unit;
    size_t count = 1; /* the sentinel */

    for (size_t i = 0; i < object->num_insts; i++)
        count += is_code(&object->insts[i]) + leaves_channels(object, &object->insts[i]);
    if (count > UINT32_MAX / 2) {
        builder->status = VISAGE_NO_MEMORY;
        return false;
    }
    unit->code = vsg_exe_keep(builder, count, sizeof *unit->code);
    if (!unit->code)
        return false;

    bool good = true;
    uint32_t at = 0;
    for (size_t i = 0; i < object->num_insts; i++) {
        const vsg_obj_inst *inst = &object->insts[i];
        place_of[i] = at;
        if (!is_code(inst))
            continue;
        good &= decode_inst(builder, inst, &unit->code[at++]);
        if (builder->status == VISAGE_NO_MEMORY)
            return false;
        if (leaves_channels(object, inst))
            unit->code[at++] = (vsg_exe_inst){.handler = vsg_exe_do_label,
                                              .op = VISAGE_OP_LABEL,
                                              .exec_size = 1,
                                              .wait = VSG_EXE_NO_WAIT};
    }
    unit->code[at] = (vsg_exe_inst){.handler = vsg_exe_do_past_end,
                                    .op = VISAGE_OP_COUNT,
                                    .exec_size = 1,
                                    .wait = VSG_EXE_NO_WAIT};
    unit->num_code = at + 1;
    return good;
}
