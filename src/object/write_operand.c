/* SPDX-License-Identifier: MIT
 *
 * Operands into bytes. Sources: 5_operands; spec dialect 3. */
#include "object/writer.h"

enum { TAG_MODIFIER_SHIFT = 3, REGION_ONE = 0x121 /* <0;1,0> */ };

static void put_id(vsg_obj_writer *w, const vsg_obj_operand *operand)
{
    vsg_obj_put_field(w, operand->id, 4, "the number of a variable");
}

/* ---- regions ---------------------------------------------------------------------------- */

static unsigned code_of(vsg_obj_writer *w, uint8_t value)
{
    enum { KNOWN = 8 };
    static const uint8_t codes[UINT8_MAX + 1] = {
        [0] = 1 | KNOWN, [1] = 2 | KNOWN,  [2] = 3 | KNOWN,  [4] = 4 | KNOWN,
        [8] = 5 | KNOWN, [16] = 6 | KNOWN, [32] = 7 | KNOWN, [VSG_OBJ_STRIDE_NULL] = KNOWN};

    if (!codes[value])
        vsg_obj_cannot_write(w, "a stride or width", value, "0, 1, 2, 4, 8, 16, 32 or null");
    return codes[value] & ~(unsigned)KNOWN;
}

/* A destination's other strides are ignored, and null where nobody has set them. */
static unsigned ignored_code(vsg_obj_writer *w, uint8_t value)
{
    return value == 0 ? 0 : value == VSG_OBJ_STRIDE_NULL ? 1 : code_of(w, value);
}

static unsigned region_of(vsg_obj_writer *w, bool is_destination, const vsg_obj_operand *o)
{
    unsigned v = is_destination ? ignored_code(w, o->v_stride) : code_of(w, o->v_stride);
    unsigned width = is_destination ? ignored_code(w, o->width) : code_of(w, o->width);

    return v | width << 4 | code_of(w, o->h_stride) << 8;
}

/* ---- classes ---------------------------------------------------------------------------- */

static void put_address(vsg_obj_writer *w, const vsg_obj_operand *o)
{
    unsigned log2 = 0;

    while (log2 < 4 && o->width >> log2 > 1)
        log2++;
    if (o->width > 1 && o->width != 1u << log2)
        vsg_obj_cannot_write(w, "the width of an address operand", o->width,
                             "a power of two up to 16");
    vsg_obj_put_field(w, o->id, 2, "the number of an address variable");
    vsg_obj_put(w, o->offset_elements, 1);
    vsg_obj_put(w, log2, 1);
}

static void put_indirect(vsg_obj_writer *w, bool is_destination, const vsg_obj_operand *o)
{
    if (o->offset_bytes < INT16_MIN || o->offset_bytes > INT16_MAX)
        vsg_obj_cannot_write(w, "the byte offset of an indirect operand",
                             (uint64_t)(int64_t)o->offset_bytes, "16 bits");
    vsg_obj_put_field(w, o->id, 2, "the number of an address variable");
    vsg_obj_put(w, o->offset_elements, 1);
    vsg_obj_put(w, (uint64_t)(int64_t)o->offset_bytes, 2);
    vsg_obj_put(w, o->type, 1);
    vsg_obj_put(w, region_of(w, is_destination, o), 2);
}

/* tag, number, row, column, region; nearly all operands are such */
static void put_general(vsg_obj_writer *w, bool is_destination, unsigned tag,
                        const vsg_obj_operand *o)
{
    vsg_obj_check_field(w, o->row, 1, "the row of an operand");
    vsg_obj_check_field(w, o->column, 1, "the column of an operand");
    uint64_t region = region_of(w, is_destination, o);
    vsg_obj_put(w,
                (uint8_t)tag | (uint64_t)o->id << 8 | (uint64_t)(uint8_t)o->row << 40 |
                    (uint64_t)(uint8_t)o->column << 48 | region << 56,
                8);
    vsg_obj_put(w, region >> 8, 1);
}

static void put_state(vsg_obj_writer *w, unsigned state, uint32_t id, uint64_t offset)
{
    vsg_obj_put(w, state, 1);
    vsg_obj_put_field(w, id, 2, "the number of a surface or sampler");
    vsg_obj_put_field(w, offset, 1, "the element of a surface or sampler");
}

/* &V: a general operand whose row and column say the offset. */
static void put_address_of(vsg_obj_writer *w, const vsg_obj_operand *o)
{
    vsg_obj_variable_facts facts;
    unsigned bytes = 4;

    if (o->state == 2 && vsg_obj_variable_get(w->unit, o->id, &facts))
        bytes = vsg_isa_type(facts.type)->bytes;
    uint32_t offset = (uint32_t)o->offset_bytes;
    if (o->offset_bytes < 0 || offset % bytes)
        vsg_obj_cannot_write(w, "the byte offset of an address",
                             (uint64_t)(int64_t)o->offset_bytes,
                             "a multiple of the element, not negative");
    if (o->state != 2) {
        vsg_obj_put(w, VSG_OBJ_CLASS_STATE, 1);
        put_state(w, o->state, o->id, offset / bytes);
        return;
    }
    bool as_read = o->row * w->grf_bytes + o->column * bytes == offset;
    vsg_obj_put(w, VSG_OBJ_CLASS_GENERAL, 1);
    put_id(w, o);
    vsg_obj_put_field(w, as_read ? o->row : offset / w->grf_bytes, 1, "the row of an address");
    vsg_obj_put(w, as_read ? o->column : offset % w->grf_bytes / bytes, 1);
    vsg_obj_put(w, REGION_ONE, 2);
}

static void put_class(vsg_obj_writer *w, bool is_destination, const vsg_obj_operand *o)
{
    const vsg_isa_type_info *type = vsg_isa_type(o->type);

    switch (o->class_) {
    case VSG_OBJ_CLASS_ADDRESS:
        put_address(w, o);
        break;
    case VSG_OBJ_CLASS_PREDICATE:
        vsg_obj_put_field(w, o->id, 2, "the number of a predicate");
        break;
    case VSG_OBJ_CLASS_INDIRECT:
        put_indirect(w, is_destination, o);
        break;
    case VSG_OBJ_CLASS_IMMEDIATE:
        vsg_obj_put(w, o->type, 1);
        vsg_obj_put(w, o->value, type && type->bytes == 8 ? 8 : 4);
        break;
    case VSG_OBJ_CLASS_STATE:
        put_state(w, o->state, o->id, o->offset_elements);
        break;
    default:
        vsg_obj_cannot_write(w, "the class of a vector operand", o->class_, "0 to 6");
    }
}

void vsg_obj_write_vector(vsg_obj_writer *writer, vsg_isa_slot_kind kind,
                          const vsg_obj_operand *operand)
{
    bool is_destination = kind <= VSG_ISA_SLOT_STATE_DST;
    unsigned tag = operand->class_ | (unsigned)operand->modifier << TAG_MODIFIER_SHIFT;

    if (operand->class_ == VSG_OBJ_CLASS_GENERAL) {
        put_general(writer, is_destination, tag, operand);
    } else if (operand->class_ == VSG_OBJ_CLASS_ADDRESS_OF) {
        put_address_of(writer, operand);
    } else {
        vsg_obj_put(writer, tag, 1);
        put_class(writer, is_destination, operand);
    }
}

void vsg_obj_write_raw(vsg_obj_writer *writer, const vsg_obj_operand *operand)
{
    uint64_t offset = (uint32_t)operand->offset_bytes;

    vsg_obj_check_field(writer, offset, 2, "the byte offset of a raw operand");
    vsg_obj_put(writer, operand->id | offset << 32, 6);
}
