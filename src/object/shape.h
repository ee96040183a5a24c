/* SPDX-License-Identifier: MIT
 *
 * The binary shape of an instruction: the slots of its form (isa/forms.def) in a layout and a
 * version, each with the number of the operand it holds. Reader and writer walk it. */
#ifndef VISAGE_OBJECT_SHAPE_H
#define VISAGE_OBJECT_SHAPE_H

#include "object/object.h"

/* Versions as numbers: 4.1 is 401. */
enum {
    VSG_OBJ_VERSION_OLDEST = 301,     /* 3.0 numbers execution masks in another way */
    VSG_OBJ_VERSION_ATTRIBUTES = 304, /* wide ids from here on */
    VSG_OBJ_VERSION_INPUTS = 305,     /* num_inputs as UD */
    VSG_OBJ_VERSION_SHAPES = 400,     /* all slots as the forms have them */
    VSG_OBJ_VERSION_WRITTEN = 401,
    VSG_OBJ_VERSION_NEWEST = 402 /* of any compiler that is known: dialect 1 */
};

enum {
    /* kinds that only a shape has, behind those of isa.h */
    VSG_OBJ_STEP_ABSENT = 64, /* not stored in this version: the operand has its default */
    VSG_OBJ_STEP_UW           /* a plain UW where later versions have a vector operand */
};

typedef struct vsg_obj_step {
    uint8_t kind;    /* vsg_isa_slot_kind or VSG_OBJ_STEP_* */
    uint8_t operand; /* its number, where it has one */
} vsg_obj_step;

typedef struct vsg_obj_shape {
    const vsg_isa_form_info *info;
    uint8_t num_steps;
    uint8_t num_operands; /* without the entries of a list */
    uint8_t mode;         /* operand `mode` of a render-target write */
    bool too_old;         /* what the version's shape was is not known */
    vsg_obj_step steps[VSG_ISA_MAX_SLOTS + 2];
    const char *names[VSG_ISA_MAX_SLOTS + 2]; /* for messages */
} vsg_obj_shape;

typedef struct vsg_obj_shapes {
    bool doc;
    unsigned version;
    bool ready[VSG_ISA_FORM_COUNT];
    vsg_obj_shape by_form[VSG_ISA_FORM_COUNT]; /* anything where not ready */
} vsg_obj_shapes;

/* The struct need not be zeroed. */
void vsg_obj_shapes_init(vsg_obj_shapes *shapes, bool doc, unsigned version);
const vsg_obj_shape *vsg_obj_shape_new(vsg_obj_shapes *shapes, visage_op op, vsg_isa_form form);
static inline const vsg_obj_shape *vsg_obj_shape_of(vsg_obj_shapes *shapes, visage_op op)
{
    vsg_isa_form form = vsg_isa_binary_form(op, shapes->doc);

    return shapes->ready[form] ? &shapes->by_form[form] : vsg_obj_shape_new(shapes, op, form);
}

/* Is this step the sub-opcode? *bytes: its size. */
static inline bool vsg_obj_step_is_sub(const vsg_obj_step *step, unsigned *bytes)
{
    *bytes = step->kind == VSG_ISA_SLOT_SUB8 ? 1 : 2;
    return step->kind == VSG_ISA_SLOT_SUB8 || step->kind == VSG_ISA_SLOT_SUB16 ||
           step->kind == VSG_ISA_SLOT_SUB16_CHANNELS;
}

/* How many vector and raw parameters a render-target write of this mode has. */
void vsg_obj_count_rt(uint64_t mode, unsigned *vectors, unsigned *raws);

#endif
