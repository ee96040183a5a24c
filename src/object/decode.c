/* SPDX-License-Identifier: MIT
 *
 * Instructions in bytes. The form says what follows the opcode; nothing here knows an opcode.
 * Sources: isa/forms.def, 5_operands (predication), spec dialect 2, 3. */
#include "object/decode.h"

#include <string.h>

void vsg_obj_decoder_init(vsg_obj_decoder *decoder, vsg_obj_shapes *shapes)
{
    memset(decoder, 0, offsetof(vsg_obj_decoder, operands));
    decoder->shapes = shapes;
    /* Backwards, so that each chain is in the order of the table. */
    for (uint32_t op = VISAGE_OP_COUNT; op-- > 0;) {
        uint16_t *first = &decoder->first_of_code[vsg_isa_op((visage_op)op)->code];
        decoder->next_of_code[op] = *first;
        *first = (uint16_t)(op + 1);
    }
}

visage_op vsg_obj_first_of(const vsg_obj_decoder *decoder, uint8_t code)
{
    uint16_t entry = decoder->first_of_code[code];
    return entry ? (visage_op)(entry - 1) : VISAGE_OP_COUNT;
}

visage_op vsg_obj_with_sub(const vsg_obj_decoder *decoder, visage_op first, unsigned sub)
{
    for (uint32_t op = first;; op = decoder->next_of_code[op] - 1u) {
        unsigned wanted = vsg_isa_binary_sub((visage_op)op, decoder->shapes->doc);
        if ((sub & vsg_isa_op((visage_op)op)->sub_mask) == wanted)
            return (visage_op)op;
        if (!decoder->next_of_code[op])
            return VISAGE_OP_COUNT;
    }
}

const char *vsg_obj_string_of(const vsg_obj_unit *unit, bool doc, uint32_t index)
{
    if (doc && index == 0)
        return "";
    index -= doc;
    return index < unit->stored.num_strings ? unit->stored.strings[index] : NULL;
}

static bool good(vsg_obj_decoder *d)
{
    if (!d->in.failed)
        return true;
    return vsg_obj_problem_at(d, VSG_DIAG_BIN_ENDS, d->in.at, d->in.field, d->in.needed, NULL);
}

/* ---- execution size, predicate, sub-opcode ---------------------------------------------- */

/* Bits 0-3: log2 of the size; bits 4-6: mask offset in fours; bit 7: NoMask. */
static bool exec_size(vsg_obj_decoder *d, vsg_obj_inst *inst)
{
    unsigned byte = vsg_obj_u8(&d->in, "exec_size");

    if (!good(d))
        return false;
    if ((byte & 15) > 5)
        return vsg_obj_problem_at(d, VSG_DIAG_BIN_FIELD, d->in.at - 1, "exec_size", byte,
                                  "0 to 5 in the low four bits");
    inst->exec_size = (uint8_t)(1u << (byte & 15));
    inst->mask_offset = (uint8_t)((byte >> 4 & 7) * 4);
    inst->no_mask = byte >> 7;
    return true;
}

/* Bits 0-11: variable; 13: any; 14: all; 15: inverse. Bit 12, which the documents leave unused,
 * says .uniform of an indirect call, for which neither layout has a field. */
enum { SAME_CALLEE = 0x1000 };

static bool predicate(vsg_obj_decoder *d, vsg_obj_inst *inst)
{
    unsigned word = vsg_obj_u16(&d->in, "pred");

    if (!good(d))
        return false;
    bool can_be_uniform = vsg_isa_op(inst->op)->flags & VSG_ISA_SAME_CALLEE;
    if (can_be_uniform && word & SAME_CALLEE) {
        inst->sub_flags = 1;
        word &= ~(unsigned)SAME_CALLEE;
    }
    unsigned id = word & 0xfff, combine = word >> 13 & 3;
    if (word & SAME_CALLEE || combine == 3 || (id == 0 && word != 0))
        return vsg_obj_problem_at(d, VSG_DIAG_BIN_FIELD, d->in.at - 2, "pred", word,
                                  "a variable, any or all, and inverse");
    if (id > d->unit->num_predicates &&
        !vsg_obj_problem_at(d, VSG_DIAG_BIN_INDEX, d->in.at - 2, "pred", id, NULL))
        return false;
    inst->predicate = (uint16_t)id;
    inst->predicate_combine = (uint8_t)combine;
    inst->predicate_inverse = word >> 15;
    return true;
}

/* The operation is known only now: its shape is that of the others up to here. */
static bool sub_opcode(vsg_obj_decoder *d, const vsg_obj_step *step, vsg_obj_inst *inst)
{
    unsigned bytes;
    (void)vsg_obj_step_is_sub(step, &bytes);
    size_t at = d->in.at;
    unsigned value = (unsigned)vsg_obj_number(&d->in, bytes, "the sub-opcode");

    if (!good(d))
        return false;
    if (step->kind == VSG_ISA_SLOT_SUB16_CHANNELS) {
        d->operands[step->operand] =
            (vsg_obj_operand){.class_ = VSG_OBJ_CLASS_NUMBER, .value = ~value >> 8 & 15};
        value &= ~0xf00u;
    }
    visage_op op = vsg_obj_with_sub(d, inst->op, value);
    if (op == VISAGE_OP_COUNT)
        return vsg_obj_problem_at(d, VSG_DIAG_BIN_SUB, at, vsg_isa_op(inst->op)->group, value,
                                  NULL);
    inst->op = op;
    inst->sub_flags = (uint16_t)(value & ~vsg_isa_op(op)->sub_mask);
    d->flags = (uint8_t)vsg_isa_op(op)->flags;
    d->num_operands = vsg_obj_shape_of(d->shapes, op)->num_operands;
    return true;
}

/* ---- other operands --------------------------------------------------------------------- */

static vsg_obj_operand *put(vsg_obj_decoder *d, unsigned number, vsg_obj_class class_)
{
    d->operands[number] = (vsg_obj_operand){.class_ = (uint8_t)class_};
    return &d->operands[number];
}

static bool number(vsg_obj_decoder *d, unsigned bytes, const char *what, unsigned operand)
{
    put(d, operand, VSG_OBJ_CLASS_NUMBER)->value = vsg_obj_number(&d->in, bytes, what);
    return good(d);
}

static bool table_index(vsg_obj_decoder *d, const vsg_obj_step *step, const char *what)
{
    bool surface = step->kind == VSG_ISA_SLOT_SURFACE;
    vsg_obj_operand *operand =
        put(d, step->operand, surface ? VSG_OBJ_CLASS_SURFACE : VSG_OBJ_CLASS_SAMPLER);

    operand->id = vsg_obj_u8(&d->in, what);
    if (!good(d))
        return false;
    bool there = surface ? vsg_obj_is_surface(d->unit, operand->id)
                         : vsg_obj_is_sampler(d->unit, operand->id);
    return there ||
           vsg_obj_problem_at(d, VSG_DIAG_BIN_INDEX, d->in.at - 1, what, operand->id, NULL);
}

/* Of the operations that share an opcode, one is for labels of other kernels (FCCALL). */
static void choose_by_label(const vsg_obj_decoder *d, const vsg_obj_label *label,
                            vsg_obj_inst *inst)
{
    bool other = label->kind == VSG_OBJ_LABEL_KERNEL;

    for (uint32_t op = vsg_obj_first_of(d, vsg_isa_op(inst->op)->code);;
         op = d->next_of_code[op] - 1u) {
        if (!(vsg_isa_op((visage_op)op)->flags & VSG_ISA_OTHER_KERNEL) == !other)
            inst->op = (visage_op)op;
        if (!d->next_of_code[op])
            return;
    }
}

static bool label(vsg_obj_decoder *d, unsigned number, const char *what)
{
    vsg_obj_operand *operand = put(d, number, VSG_OBJ_CLASS_LABEL);

    operand->id = vsg_obj_u16(&d->in, what);
    if (!good(d))
        return false;
    return operand->id < d->unit->num_labels ||
           vsg_obj_problem_at(d, VSG_DIAG_BIN_INDEX, d->in.at - 2, what, operand->id, NULL);
}

static bool name(vsg_obj_decoder *d, unsigned bytes, const char *what, unsigned number)
{
    vsg_obj_operand *operand = put(d, number, VSG_OBJ_CLASS_NAME);
    uint32_t index = (uint32_t)vsg_obj_number(&d->in, bytes, what);

    if (!good(d))
        return false;
    operand->name = vsg_obj_string_of(d->unit, d->shapes->doc, index);
    if (operand->name)
        return true;
    d->problem.limit = d->unit->stored.num_strings + d->shapes->doc;
    return vsg_obj_problem_at(d, VSG_DIAG_BIN_STRING, d->in.at - bytes, what, index, NULL);
}

/* LIFETIME: bits 4-5 of its properties are the class of the variable. */
static bool variable(vsg_obj_decoder *d, const vsg_obj_inst *inst, unsigned number,
                     const char *what)
{
    vsg_obj_operand *operand = put(d, number, VSG_OBJ_CLASS_VARIABLE);
    unsigned class_ = inst->sub_flags >> 4 & 3;

    operand->state = (uint8_t)class_;
    operand->id = vsg_obj_u32(&d->in, what);
    if (!good(d))
        return false;
    bool there = class_ == 0   ? vsg_obj_is_general(d->unit, operand->id)
                 : class_ == 1 ? operand->id < d->unit->num_addresses
                               : class_ == 2 && operand->id <= d->unit->num_predicates;
    return there ||
           vsg_obj_problem_at(d, VSG_DIAG_BIN_INDEX, d->in.at - 4, what, operand->id, NULL);
}

/* ---- slots of the documented layout ----------------------------------------------------- */

static bool no_predicate(vsg_obj_decoder *d)
{
    unsigned word = vsg_obj_u16(&d->in, "pred");

    return good(d) && (word == 0 || vsg_obj_problem_at(d, VSG_DIAG_BIN_FIELD, d->in.at - 2,
                                                       "pred", word, "0: it has none"));
}

/* Something else than the form has: another operation may be meant. */
static bool other_is_meant(vsg_obj_decoder *d, visage_op op)
{
    d->meant = (visage_op)vsg_isa_op(op)->longer;
    return d->meant != 0;
}

static bool zero(vsg_obj_decoder *d, visage_op op)
{
    vsg_obj_operand operand;
    size_t at = d->in.at;

    if (!vsg_obj_decode_vector(d, VSG_ISA_SLOT_SRC, "type", &operand))
        return false;
    if (operand.class_ == VSG_OBJ_CLASS_IMMEDIATE && operand.value == 0 &&
        operand.type == VISAGE_TYPE_UW && operand.modifier == VSG_OBJ_MOD_NONE)
        return true;
    return !other_is_meant(d, op) && vsg_obj_problem_at(d, VSG_DIAG_BIN_FIELD, at, "type",
                                                        operand.value, "0:uw, it is not used");
}

static bool same(const vsg_obj_operand *a, const vsg_obj_operand *b)
{
    return a->class_ == b->class_ && a->modifier == b->modifier && a->type == b->type &&
           a->id == b->id && a->row == b->row && a->column == b->column &&
           a->v_stride == b->v_stride && a->width == b->width && a->h_stride == b->h_stride &&
           a->offset_elements == b->offset_elements && a->offset_bytes == b->offset_bytes &&
           a->value == b->value;
}

static bool again(vsg_obj_decoder *d, visage_op op, unsigned number, const char *what)
{
    vsg_obj_operand operand;
    size_t at = d->in.at;

    if (!vsg_obj_decode_vector(d, VSG_ISA_SLOT_SRC, what, &operand))
        return false;
    if (same(&operand, &d->operands[number]))
        return true;
    return !other_is_meant(d, op) &&
           vsg_obj_problem_at(d, VSG_DIAG_BIN_FIELD, at, "num_consumers", operand.value,
                              "what num_producers is, it is not used");
}

static bool rt_count(vsg_obj_decoder *d, const vsg_obj_shape *shape)
{
    unsigned vectors, raws, count = vsg_obj_u8(&d->in, "NumParams");

    vsg_obj_count_rt(d->operands[shape->mode].value, &vectors, &raws);
    return good(d) &&
           (count == raws || vsg_obj_problem_at(d, VSG_DIAG_BIN_FIELD, d->in.at - 1,
                                                "NumParams", count, "as many as mode says"));
}

/* ---- slots of older versions ------------------------------------------------------------ */

static bool absent(vsg_obj_decoder *d, visage_op op, unsigned number)
{
    const vsg_isa_slot *slot = vsg_isa_operand_slot(op, number);
    bool vector = slot->kind == VSG_ISA_SLOT_SRC;

    put(d, number, vector ? VSG_OBJ_CLASS_IMMEDIATE : VSG_OBJ_CLASS_NUMBER);
    return true;
}

static bool plain_word(vsg_obj_decoder *d, unsigned operand, const char *what)
{
    vsg_obj_operand *out = put(d, operand, VSG_OBJ_CLASS_IMMEDIATE);

    out->type = VISAGE_TYPE_UW;
    out->value = vsg_obj_u16(&d->in, what);
    return good(d);
}

/* ---- lists ------------------------------------------------------------------------------ */

/* Entries come behind the operands that have a number of their own. */
static bool list(vsg_obj_decoder *d, const vsg_obj_step *step, unsigned count, const char *what)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned number = d->num_operands++;
        vsg_obj_operand *operand = &d->operands[number];
        bool good_entry = step->kind == VSG_ISA_SLOT_LABEL_LIST ? label(d, number, what)
                          : step->kind == VSG_ISA_SLOT_RT_VECTORS
                              ? vsg_obj_decode_vector(d, VSG_ISA_SLOT_SRC, what, operand)
                              : vsg_obj_decode_raw(d, what, operand);
        if (!good_entry)
            return false;
    }
    return true;
}

/* How many entries the fields before the list say it has. */
unsigned vsg_obj_entries(const vsg_obj_decoder *d, const vsg_obj_shape *shape, unsigned kind)
{
    unsigned vectors, raws;

    if (kind == VSG_ISA_SLOT_RAW_LIST || kind == VSG_ISA_SLOT_LABEL_LIST)
        return d->list;
    if (kind != VSG_ISA_SLOT_RT_VECTORS && kind != VSG_ISA_SLOT_RT_RAWS)
        return 1;
    vsg_obj_count_rt(d->operands[shape->mode].value, &vectors, &raws);
    return kind == VSG_ISA_SLOT_RT_VECTORS ? vectors : raws;
}

/* ---- the whole -------------------------------------------------------------------------- */

static bool other(vsg_obj_decoder *d, const vsg_obj_shape *shape, unsigned index,
                  unsigned count, vsg_obj_inst *inst)
{
    const vsg_obj_step *step = &shape->steps[index];
    const char *what = shape->names[index];

    switch (step->kind) {
    case VSG_ISA_SLOT_U8:
        return number(d, 1, what, step->operand);
    case VSG_ISA_SLOT_U16:
        return number(d, 2, what, step->operand);
    case VSG_ISA_SLOT_U32:
        return number(d, 4, what, step->operand);
    case VSG_ISA_SLOT_COUNT8:
        if (!number(d, 1, what, step->operand))
            return false;
        d->list = (unsigned)d->operands[step->operand].value;
        return true;
    case VSG_ISA_SLOT_SURFACE:
    case VSG_ISA_SLOT_SAMPLER:
        return table_index(d, step, what);
    case VSG_ISA_SLOT_LABEL:
        if (!label(d, step->operand, what))
            return false;
        if (d->operands[step->operand].id < d->unit->num_labels)
            choose_by_label(d, &d->unit->labels[d->operands[step->operand].id], inst);
        return true;
    case VSG_ISA_SLOT_NAME16:
        return name(d, 2, what, step->operand);
    case VSG_ISA_SLOT_NAME32:
        return name(d, d->shapes->version >= VSG_OBJ_VERSION_ATTRIBUTES ? 4 : 2, what,
                    step->operand);
    case VSG_ISA_SLOT_VARIABLE:
        return variable(d, inst, step->operand, what);
    case VSG_ISA_SLOT_RAW_LIST:
    case VSG_ISA_SLOT_LABEL_LIST:
    case VSG_ISA_SLOT_RT_VECTORS:
    case VSG_ISA_SLOT_RT_RAWS:
        return list(d, step, count, what);
    case VSG_ISA_SLOT_RT_COUNT:
        return rt_count(d, shape);
    case VSG_ISA_SLOT_NO_PRED:
        return no_predicate(d);
    case VSG_ISA_SLOT_ZERO:
        return zero(d, inst->op);
    case VSG_ISA_SLOT_AGAIN:
        return again(d, inst->op, step->operand, what);
    case VSG_OBJ_STEP_ABSENT:
        return absent(d, inst->op, step->operand);
    default: /* VSG_OBJ_STEP_UW */
        return plain_word(d, step->operand, what);
    }
}

bool vsg_obj_decode_step(vsg_obj_decoder *d, const vsg_obj_shape *shape, unsigned index,
                         unsigned count, vsg_obj_inst *inst)
{
    const vsg_obj_step *step = &shape->steps[index];
    vsg_isa_slot_kind kind = (vsg_isa_slot_kind)step->kind;
    const char *what = shape->names[index];

    if (vsg_obj_step_is_sub(step, &(unsigned){0}))
        return sub_opcode(d, step, inst);
    if (kind == VSG_ISA_SLOT_EXEC)
        return exec_size(d, inst);
    if (kind == VSG_ISA_SLOT_PRED)
        return predicate(d, inst);
    if (kind >= VSG_ISA_SLOT_DST && kind <= VSG_ISA_SLOT_STATE_SRC)
        return vsg_obj_decode_vector(d, kind, what, &d->operands[step->operand]);
    if (kind == VSG_ISA_SLOT_RAW_DST || kind == VSG_ISA_SLOT_RAW_SRC)
        return vsg_obj_decode_raw(d, what, &d->operands[step->operand]);
    return other(d, shape, index, count, inst);
}

/* From behind the opcode on as the operation that is meant; the sub-opcode has been read. */
static bool steps_meant(vsg_obj_decoder *d, vsg_obj_inst *inst)
{
    const vsg_obj_shape *shape = vsg_obj_shape_of(d->shapes, d->meant);
    unsigned bytes;

    inst->op = d->meant;
    d->meant = 0;
    d->in.at = inst->place.offset_bytes + 1;
    d->num_operands = shape->num_operands;
    for (unsigned i = 0; i < shape->num_steps; i++) {
        if (vsg_obj_step_is_sub(&shape->steps[i], &bytes))
            (void)vsg_obj_number(&d->in, bytes, shape->names[i]);
        else if (!vsg_obj_decode_step(d, shape, i, 1, inst))
            return false;
    }
    return true;
}

static bool steps(vsg_obj_decoder *d, vsg_obj_inst *inst)
{
    const vsg_obj_shape *shape = vsg_obj_shape_of(d->shapes, inst->op);

    d->num_operands = shape->num_operands;
    if (shape->too_old)
        return vsg_obj_problem_at(d, VSG_DIAG_BIN_OPCODE, inst->place.offset_bytes, NULL,
                                  vsg_isa_op(inst->op)->code, NULL);
    for (unsigned i = 0; i < shape->num_steps; i++) {
        unsigned count = vsg_obj_entries(d, shape, shape->steps[i].kind);
        if (!vsg_obj_decode_step(d, shape, i, count, inst))
            return d->meant && steps_meant(d, inst);
        /* The sub-opcode may have told another operation of this opcode. */
        shape = vsg_obj_shape_of(d->shapes, inst->op);
    }
    return true;
}

bool vsg_obj_decode_opcode(vsg_obj_decoder *d, vsg_obj_inst *inst)
{
    size_t at = d->in.at;
    unsigned code = vsg_obj_u8(&d->in, "opcode");

    if (!good(d))
        return false;
    *inst = (vsg_obj_inst){.op = vsg_obj_first_of(d, (uint8_t)code)};
    if (inst->op == VISAGE_OP_COUNT)
        return vsg_obj_problem_at(d, VSG_DIAG_BIN_OPCODE, at, NULL, code, NULL);
    inst->place.offset_bytes = (uint32_t)at;
    d->flags = (uint8_t)vsg_isa_op(inst->op)->flags;
    d->list = 0;
    d->meant = 0;
    d->num_operands = 0;
    return true;
}

bool vsg_obj_decode(vsg_obj_decoder *decoder, vsg_obj_inst *inst)
{
    if (!vsg_obj_decode_opcode(decoder, inst))
        return false;
    if (decoder->bare_returns && vsg_isa_op(inst->op)->form == VSG_ISA_FORM_RETURN)
        return true;
    if (!steps(decoder, inst))
        return false;
    inst->num_operands = (uint16_t)decoder->num_operands;
    inst->operands = decoder->operands;
    return true;
}
