/* SPDX-License-Identifier: MIT */
#include "object/shape.h"

#include <string.h>

/* What older versions have in place of a slot (spec dialect 1.1, Older versions). */
static const struct {
    vsg_isa_form form;
    vsg_isa_slot_kind slot;
    const char *name; /* NULL: the slot has none */
    unsigned until;   /* first version that has the slot as the form says */
    uint8_t kind;     /* in its place; SLOT_END: not known */
} older[] = {
    {VSG_ISA_FORM_WAIT, VSG_ISA_SLOT_SRC, "mask", 301, VSG_OBJ_STEP_ABSENT},
    {VSG_ISA_FORM_GATHER4_TYPED, VSG_ISA_SLOT_U8, "channels", 302, VSG_ISA_SLOT_END},
    {VSG_ISA_FORM_SCATTER4_TYPED, VSG_ISA_SLOT_U8, "channels", 302, VSG_ISA_SLOT_END},
    {VSG_ISA_FORM_SAMPLE_3D, VSG_ISA_SLOT_SRC, "aoffimmi", 304, VSG_OBJ_STEP_UW},
    {VSG_ISA_FORM_LOAD_3D, VSG_ISA_SLOT_SRC, "aoffimmi", 304, VSG_OBJ_STEP_UW},
    {VSG_ISA_FORM_RAW_SENDS, VSG_ISA_SLOT_U8, "sfid", 306, VSG_OBJ_STEP_ABSENT},
    {VSG_ISA_FORM_SAMPLE_3D, VSG_ISA_SLOT_SUB16, NULL, 400, VSG_ISA_SLOT_SUB8},
    {VSG_ISA_FORM_LOAD_3D, VSG_ISA_SLOT_SUB16, NULL, 400, VSG_ISA_SLOT_SUB8},
};

void vsg_obj_shapes_init(vsg_obj_shapes *shapes, bool doc, unsigned version)
{
    memset(shapes->ready, 0, sizeof shapes->ready);
    shapes->doc = doc;
    shapes->version = version;
}

static uint8_t kind_of(vsg_obj_shape *shape, const vsg_obj_shapes *shapes, vsg_isa_form form,
                       const vsg_isa_slot *slot)
{
    if (shapes->version >= VSG_OBJ_VERSION_SHAPES)
        return (uint8_t)slot->kind;
    for (size_t i = 0; i < sizeof older / sizeof older[0]; i++) {
        if (older[i].form != form || older[i].slot != slot->kind ||
            shapes->version >= older[i].until ||
            (older[i].name && strcmp(older[i].name, slot->name) != 0))
            continue;
        shape->too_old = older[i].kind == VSG_ISA_SLOT_END;
        return older[i].kind;
    }
    return (uint8_t)slot->kind;
}

static void add(vsg_obj_shape *shape, uint8_t kind, int operand, const char *name)
{
    shape->steps[shape->num_steps] = (vsg_obj_step){kind, (uint8_t)operand};
    shape->names[shape->num_steps++] = name;
}

static void build(vsg_obj_shape *shape, const vsg_obj_shapes *shapes, visage_op op,
                  vsg_isa_form form)
{
    bool rt = vsg_isa_form_of(op)->syntax == VSG_ISA_SYNTAX_RT_WRITE;
    bool own = form == vsg_isa_op(op)->form; /* names need not be looked for */
    int mode = rt ? vsg_isa_operand(op, "mode") : 0;
    int next = 0;

    shape->info = vsg_isa_form_info_of(form);
    shape->mode = (uint8_t)(mode < 0 ? 0 : mode);
    for (const vsg_isa_slot *slot = shape->info->slots; slot->kind; slot++) {
        int operand = !slot->name ? 0 : own ? next++ : vsg_isa_operand(op, slot->name);
        uint8_t kind = kind_of(shape, shapes, form, slot);
        if (rt && kind == VSG_ISA_SLOT_RAW_LIST) {
            add(shape, VSG_ISA_SLOT_RT_VECTORS, operand, slot->name);
            kind = VSG_ISA_SLOT_RT_RAWS;
        }
        add(shape, kind, operand, slot->name ? slot->name : "the sub-opcode");
    }
    /* A list is no operand but the place of its entries. */
    const vsg_isa_slot *slots = vsg_isa_form_of(op)->slots;
    for (; slots->kind; slots++)
        if (slots->kind >= VSG_ISA_SLOT_DST && slots->kind != VSG_ISA_SLOT_RAW_LIST &&
            slots->kind != VSG_ISA_SLOT_LABEL_LIST)
            shape->num_operands++;
}

const vsg_obj_shape *vsg_obj_shape_new(vsg_obj_shapes *shapes, visage_op op, vsg_isa_form form)
{
    vsg_obj_shape *shape = &shapes->by_form[form];

    *shape = (vsg_obj_shape){0};
    build(shape, shapes, op, form);
    shapes->ready[form] = true;
    return shape;
}

void vsg_obj_count_rt(uint64_t mode, unsigned *vectors, unsigned *raws)
{
    const vsg_isa_rt_parameter *parameter;

    *vectors = *raws = 0;
    for (uint32_t i = 0; (parameter = vsg_isa_rt_parameter_of(i)); i++) {
        if (parameter->bit >= 0 && !(mode >> parameter->bit & 1))
            continue;
        *vectors += parameter->is_vector;
        *raws += !parameter->is_vector;
    }
}
