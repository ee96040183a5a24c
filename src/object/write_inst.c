/* SPDX-License-Identifier: MIT
 *
 * Instructions into bytes, slot by slot of their form. Sources: as decode.c. */
#include "object/writer.h"

static void put_exec(vsg_obj_writer *w, const vsg_obj_inst *inst)
{
    static const uint8_t logs[] = {[2] = 1, [4] = 2, [8] = 3, [16] = 4, [32] = 5};
    bool scalar = w->as_compiler && vsg_isa_op(inst->op)->flags & VSG_ISA_STORED_SCALAR;
    unsigned size = scalar ? 1 : inst->exec_size;
    unsigned log2 = size < sizeof logs ? logs[size] : 0;

    if (size != 1u << log2 || inst->mask_offset % 4 || inst->mask_offset > 28)
        vsg_obj_cannot_write(w, "the execution size", size, "1, 2, 4, 8, 16 or 32");
    vsg_obj_put(w, log2 | inst->mask_offset / 4u << 4 | (inst->no_mask ? 0x80u : 0u), 1);
}

static void put_predicate(vsg_obj_writer *w, const vsg_obj_inst *inst)
{
    bool uniform = vsg_isa_op(inst->op)->flags & VSG_ISA_SAME_CALLEE && inst->sub_flags & 1;

    if (inst->predicate > 0xfff || inst->predicate_combine > VSG_OBJ_COMBINE_ALL)
        vsg_obj_cannot_write(w, "the number of a predicate", inst->predicate, "12 bits");
    vsg_obj_put(w,
                inst->predicate | (unsigned)inst->predicate_combine << 13 |
                    (inst->predicate_inverse ? 0x8000u : 0u) | (uniform ? 0x1000u : 0u),
                2);
}

/* Bits that a listing does not show, where step `index` is the byte that has them. */
static unsigned unlisted(const vsg_obj_writer *w, const vsg_obj_shape *shape, unsigned index,
                         const vsg_obj_inst *inst)
{
    unsigned bits = w->as_compiler ? vsg_isa_op(inst->op)->unlisted : 0;

    for (unsigned i = index + 1; bits && i < shape->num_steps; i++)
        if (shape->steps[i].kind == VSG_ISA_SLOT_U8)
            return 0;
    return bits;
}

static void put_sub(vsg_obj_writer *w, const vsg_obj_shape *shape, unsigned index,
                    const vsg_obj_inst *inst)
{
    unsigned bytes;
    const vsg_obj_step *step = &shape->steps[index];
    uint64_t value = vsg_isa_binary_sub(inst->op, w->doc) | inst->sub_flags |
                     unlisted(w, shape, index, inst);

    (void)vsg_obj_step_is_sub(step, &bytes);
    if (step->kind == VSG_ISA_SLOT_SUB16_CHANNELS)
        value |= (~inst->operands[step->operand].value & 15) << 8;
    vsg_obj_put_field(w, value, bytes, "the sub-opcode");
}

static void put_number(vsg_obj_writer *w, uint64_t value, unsigned bytes, const char *what)
{
    /* Offsets are kept with their sign. */
    if (bytes == 4 && (int64_t)value < 0 && (int64_t)value >= INT32_MIN)
        value = (uint32_t)value;
    vsg_obj_put_field(w, value, bytes, what);
}

/* Entries of a list: those behind the operands that have a number of their own. */
static void put_list(vsg_obj_writer *w, const vsg_obj_shape *shape, const vsg_obj_step *step,
                     const vsg_obj_inst *inst)
{
    unsigned from = shape->num_operands, to = inst->num_operands, vectors, raws;
    bool rt = step->kind == VSG_ISA_SLOT_RT_VECTORS || step->kind == VSG_ISA_SLOT_RT_RAWS;

    if (rt) {
        vsg_obj_count_rt(inst->operands[shape->mode].value, &vectors, &raws);
        if (to - from != vectors + raws) {
            vsg_obj_cannot_write(w, "the number of parameters", to - from, "as mode says");
            return;
        }
        if (step->kind == VSG_ISA_SLOT_RT_VECTORS)
            to = from + vectors;
        else
            from += vectors;
    }
    for (unsigned i = from; i < to; i++) {
        const vsg_obj_operand *operand = &inst->operands[i];
        if (step->kind == VSG_ISA_SLOT_LABEL_LIST)
            vsg_obj_put_field(w, vsg_obj_label_number(w, operand->id), 2,
                              "the number of a label");
        else if (step->kind == VSG_ISA_SLOT_RT_VECTORS)
            vsg_obj_write_vector(w, VSG_ISA_SLOT_SRC, operand);
        else
            vsg_obj_write_raw(w, operand);
    }
}

static void put_rt_count(vsg_obj_writer *w, const vsg_obj_shape *shape,
                         const vsg_obj_inst *inst)
{
    unsigned vectors, raws;

    vsg_obj_count_rt(inst->operands[shape->mode].value, &vectors, &raws);
    vsg_obj_put(w, raws, 1);
}

static void put_list_count(vsg_obj_writer *w, const vsg_obj_shape *shape,
                           const vsg_obj_step *step, const vsg_obj_inst *inst)
{
    unsigned count = (unsigned)inst->num_operands - shape->num_operands;

    if (inst->operands[step->operand].value != count)
        vsg_obj_cannot_write(w, "the length of a list", inst->operands[step->operand].value,
                             "as many as there are");
    vsg_obj_put_field(w, count, 1, "the length of a list");
}

static void put_other(vsg_obj_writer *w, const vsg_obj_shape *shape, unsigned index,
                      const vsg_obj_inst *inst)
{
    static const vsg_obj_operand zero = {.class_ = VSG_OBJ_CLASS_IMMEDIATE,
                                         .type = VISAGE_TYPE_UW};
    const vsg_obj_step *step = &shape->steps[index];
    const vsg_obj_operand *operand = inst->operands ? &inst->operands[step->operand] : NULL;
    const char *what = shape->names[index];

    switch (step->kind) {
    case VSG_ISA_SLOT_SUB8:
    case VSG_ISA_SLOT_SUB16:
    case VSG_ISA_SLOT_SUB16_CHANNELS:
        put_sub(w, shape, index, inst);
        break;
    case VSG_ISA_SLOT_U8:
        put_number(w, operand->value | unlisted(w, shape, index, inst), 1, what);
        break;
    case VSG_ISA_SLOT_U16:
        put_number(w, operand->value, 2, what);
        break;
    case VSG_ISA_SLOT_U32:
        put_number(w, operand->value, 4, what);
        break;
    case VSG_ISA_SLOT_COUNT8:
        put_list_count(w, shape, step, inst);
        break;
    case VSG_ISA_SLOT_SURFACE:
    case VSG_ISA_SLOT_SAMPLER:
        vsg_obj_put_field(w, operand->id, 1, what);
        break;
    case VSG_ISA_SLOT_LABEL:
        vsg_obj_put_field(w, vsg_obj_label_number(w, operand->id), 2, what);
        break;
    case VSG_ISA_SLOT_NAME16:
        vsg_obj_put_string(w, operand->name, 2, what);
        break;
    case VSG_ISA_SLOT_NAME32:
        vsg_obj_put_string(w, operand->name, 4, what);
        break;
    case VSG_ISA_SLOT_VARIABLE:
        vsg_obj_put_field(w, operand->id, 4, what);
        break;
    case VSG_ISA_SLOT_NO_PRED:
        vsg_obj_put(w, 0, 2);
        break;
    case VSG_ISA_SLOT_ZERO:
        vsg_obj_write_vector(w, VSG_ISA_SLOT_SRC, &zero);
        break;
    case VSG_ISA_SLOT_AGAIN:
        vsg_obj_write_vector(w, VSG_ISA_SLOT_SRC, operand);
        break;
    case VSG_ISA_SLOT_RT_COUNT:
        put_rt_count(w, shape, inst);
        break;
    default:
        put_list(w, shape, step, inst);
    }
}

static void put_step(vsg_obj_writer *w, const vsg_obj_shape *shape, unsigned index,
                     const vsg_obj_inst *inst)
{
    const vsg_obj_step *step = &shape->steps[index];
    vsg_isa_slot_kind kind = (vsg_isa_slot_kind)step->kind;

    if (kind >= VSG_ISA_SLOT_DST && kind <= VSG_ISA_SLOT_STATE_SRC)
        vsg_obj_write_vector(w, kind, &inst->operands[step->operand]);
    else if (kind == VSG_ISA_SLOT_RAW_DST || kind == VSG_ISA_SLOT_RAW_SRC)
        vsg_obj_write_raw(w, &inst->operands[step->operand]);
    else if (kind == VSG_ISA_SLOT_EXEC)
        put_exec(w, inst);
    else if (kind == VSG_ISA_SLOT_PRED)
        put_predicate(w, inst);
    else
        put_other(w, shape, index, inst);
}

void vsg_obj_write_inst(vsg_obj_writer *writer, const vsg_obj_inst *inst)
{
    const vsg_obj_shape *shape = vsg_obj_shape_of(&writer->shapes, inst->op);

    writer->inst = inst;
    if (inst->num_operands < shape->num_operands) {
        vsg_obj_cannot_write(writer, "the number of operands", inst->num_operands,
                             "as the instruction has");
        return;
    }
    vsg_obj_put(writer, vsg_isa_op(inst->op)->code, 1);
    for (unsigned i = 0; i < shape->num_steps && writer->status == VISAGE_OK; i++)
        put_step(writer, shape, i, inst);
}
