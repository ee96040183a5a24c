/* SPDX-License-Identifier: MIT
 *
 * Instructions that lack their last fields: which fields are there follows from the form, so
 * the stream of operations can be told although what is lost cannot. Source: spec dialect 0.1.
 */
#include "object/decode.h"

/* Bytes of a slot: an immediate is shorter and longer than a general operand. */
static const struct {
    uint8_t least, most;
} bytes_of[] = {
    [VSG_ISA_SLOT_EXEC] = {1, 1},         [VSG_ISA_SLOT_PRED] = {2, 2},
    [VSG_ISA_SLOT_SUB8] = {1, 1},         [VSG_ISA_SLOT_SUB16] = {2, 2},
    [VSG_ISA_SLOT_DST] = {9, 9},          [VSG_ISA_SLOT_DST_PRED_OR] = {3, 9},
    [VSG_ISA_SLOT_PRED_DST] = {3, 3},     [VSG_ISA_SLOT_ADDR_DST] = {5, 5},
    [VSG_ISA_SLOT_STATE_DST] = {5, 9},    [VSG_ISA_SLOT_SRC] = {6, 10},
    [VSG_ISA_SLOT_SRC_PRED_OR] = {3, 10}, [VSG_ISA_SLOT_ADDR_SRC] = {5, 9},
    [VSG_ISA_SLOT_STATE_SRC] = {5, 10},   [VSG_ISA_SLOT_RAW_DST] = {6, 6},
    [VSG_ISA_SLOT_RAW_SRC] = {6, 6},      [VSG_ISA_SLOT_SURFACE] = {1, 1},
    [VSG_ISA_SLOT_SAMPLER] = {1, 1},      [VSG_ISA_SLOT_LABEL] = {2, 2},
    [VSG_ISA_SLOT_NAME16] = {2, 2},       [VSG_ISA_SLOT_NAME32] = {4, 4},
    [VSG_ISA_SLOT_U8] = {1, 1},           [VSG_ISA_SLOT_U16] = {2, 2},
    [VSG_ISA_SLOT_U32] = {4, 4},          [VSG_ISA_SLOT_VARIABLE] = {4, 4},
    [VSG_ISA_SLOT_COUNT8] = {1, 1},       [VSG_ISA_SLOT_RAW_LIST] = {6, 6},
    [VSG_ISA_SLOT_LABEL_LIST] = {2, 2},   [VSG_ISA_SLOT_RT_VECTORS] = {6, 10},
    [VSG_ISA_SLOT_RT_COUNT] = {1, 1},     [VSG_ISA_SLOT_RT_RAWS] = {6, 6},
};

/* A sampler message with one parameter has lost the count, too: the byte there is then the next
 * opcode. More parameters than this there are not. */
enum { MOST_PARAMETERS = 16 };

static bool is_list(unsigned kind)
{
    return kind == VSG_ISA_SLOT_RAW_LIST || kind == VSG_ISA_SLOT_LABEL_LIST ||
           kind == VSG_ISA_SLOT_RT_VECTORS || kind == VSG_ISA_SLOT_RT_RAWS;
}

static unsigned fields_lost(const vsg_obj_shape *shape)
{
    unsigned lost = 0;

    for (unsigned i = 0; i < shape->num_steps; i++)
        lost += shape->steps[i].kind == VSG_ISA_SLOT_EXEC ||
                shape->steps[i].kind == VSG_ISA_SLOT_PRED;
    return lost;
}

/* Fields from step `from` on. A list behind a count that is not read yet has one entry. */
static unsigned fields_left(const vsg_obj_decoder *d, const vsg_obj_shape *shape, unsigned from)
{
    unsigned fields = 0;

    for (unsigned i = from; i < shape->num_steps; i++) {
        unsigned kind = shape->steps[i].kind;
        unsigned n = vsg_obj_entries(d, shape, kind);
        fields += n == 0 && kind == VSG_ISA_SLOT_RAW_LIST ? 1 : n;
    }
    return fields;
}

static void measure(unsigned kind, unsigned n, size_t *least, size_t *most)
{
    *least += n * bytes_of[kind].least;
    *most += n * bytes_of[kind].most;
}

/* Is what stands here a count? */
static bool has_count(const vsg_obj_decoder *d)
{
    const vsg_obj_cursor *in = &d->in;
    return in->at < in->end && in->data[in->at] >= 2 && in->data[in->at] <= MOST_PARAMETERS;
}

/* Does step `index` lie before what is lost? *n: how many of its entries, if it is a list. */
static bool is_there(const vsg_obj_decoder *d, const vsg_obj_shape *shape, unsigned index,
                     unsigned lost, unsigned *n)
{
    unsigned kind = shape->steps[index].kind;
    unsigned left = fields_left(d, shape, index);

    *n = 1;
    if (kind == VSG_ISA_SLOT_COUNT8 && lost > 1)
        return has_count(d);
    if (is_list(kind)) {
        unsigned all = vsg_obj_entries(d, shape, kind);
        unsigned behind = left - all;
        unsigned cut = lost > behind ? lost - behind : 0;
        *n = all > cut ? all - cut : 0;
        return *n > 0;
    }
    return left > lost;
}

bool vsg_obj_decode_cut(vsg_obj_decoder *decoder, vsg_obj_inst *inst, size_t *least,
                        size_t *most)
{
    const vsg_obj_shape *shape;
    size_t at = decoder->in.at, lost_least = 0, lost_most = 0;

    if (!vsg_obj_decode_opcode(decoder, inst))
        return false;
    shape = vsg_obj_shape_of(decoder->shapes, inst->op);
    unsigned lost = fields_lost(shape);
    for (unsigned i = 0; i < shape->num_steps; i++) {
        unsigned n, bytes, kind = shape->steps[i].kind;
        bool there = is_there(decoder, shape, i, lost, &n);
        if (there && !vsg_obj_decode_step(decoder, shape, i, n, inst))
            return false;
        if (there && vsg_obj_step_is_sub(&shape->steps[i], &bytes)) {
            shape = vsg_obj_shape_of(decoder->shapes, inst->op);
            lost = fields_lost(shape);
        }
        unsigned all = vsg_obj_entries(decoder, shape, kind);
        measure(kind, there ? all - n : all, &lost_least, &lost_most);
    }
    *least = decoder->in.at - at + lost_least;
    *most = decoder->in.at - at + lost_most;
    return true;
}
