/* SPDX-License-Identifier: MIT
 *
 * A guess: what it takes for a distance between addresses need not be one, since any order is
 * right. That a kernel cannot tell the order is no guess. */
#include "runtime/walk.h"

#include <string.h>

#include "exec/handlers.h"
#include "exec/message.h"
#include "exec/operand.h"
#include "runtime/dispatch.h"
#include "runtime/payload.h"

enum { AXES = 3, MOST_CODE = 4000, MOST_REGISTER_BYTES = 128 << 10, UNIT = 4 /* bytes */ };

/* From one work-item to the next along an axis: so many, the same times something that is not
 * known, or anything. */
typedef enum step_kind { STEP_KNOWN, STEP_FAR, STEP_ANY } step_kind;

typedef struct step {
    int64_t number;
    uint8_t kind;
} step;

typedef struct lanes {
    step along[AXES];
    bool is_number; /* the same known number for all */
    int64_t number;
} lanes;

/* In registers: elements of work-items; what a thread has loaded as a whole. */
enum { HAS_ELEMENTS = 1, HAS_BLOCK = 2, SEVERAL = UINT8_MAX };

typedef struct walker {
    const vsg_exe_unit *unit;
    const vsg_exe_input *ids[AXES]; /* the first one of each axis; NULL: there is none */
    lanes *facts;                   /* of what begins at each unit of the registers */
    uint8_t *has;                   /* by unit: what there may be; */
    uint8_t *channels;              /* of the first element there, or SEVERAL */
    uint8_t *weights;               /* by instruction */
    uint32_t num_units;
    uint32_t score[AXES]; /* of accesses that are apart */
    uint32_t strewn;      /* axes, a bit each, along which stores are far apart that are next to
                             each other along another one */
} walker;

static const step far = {0, STEP_FAR}, any = {0, STEP_ANY};

static bool is_none(step s)
{
    return s.kind == STEP_KNOWN && s.number == 0;
}

static bool is_same_for_all(const lanes *of)
{
    bool is_same = true;

    for (uint32_t x = 0; x < AXES; x++)
        is_same = is_same && is_none(of->along[x]);
    return is_same;
}

/* ---- operations on steps ----------------------------------------------------------------- */

static step known(int64_t number)
{
    return (step){number, STEP_KNOWN};
}

static step sum_of(step a, step b)
{
    if (a.kind == STEP_ANY || b.kind == STEP_ANY)
        return any;
    if (a.kind == STEP_FAR || b.kind == STEP_FAR)
        return far;
    return known((int64_t)((uint64_t)a.number + (uint64_t)b.number));
}

static step times(step s, int64_t number)
{
    return s.kind == STEP_KNOWN ? known((int64_t)((uint64_t)s.number * (uint64_t)number)) : s;
}

/* By what all work-items along the axis have. */
static step product_of(step s, const lanes *by)
{
    if (is_none(s) || by->is_number)
        return times(s, by->number);
    return s.kind == STEP_ANY ? any : far;
}

static lanes multiply(const lanes *a, const lanes *b)
{
    lanes out = {.is_number = a->is_number && b->is_number,
                 .number = (int64_t)((uint64_t)a->number * (uint64_t)b->number)};

    for (uint32_t x = 0; x < AXES; x++)
        out.along[x] = is_none(b->along[x])   ? product_of(a->along[x], b)
                       : is_none(a->along[x]) ? product_of(b->along[x], a)
                                              : any;
    return out;
}

static lanes add(const lanes *a, const lanes *b)
{
    lanes out = {.is_number = a->is_number && b->is_number,
                 .number = (int64_t)((uint64_t)a->number + (uint64_t)b->number)};

    for (uint32_t x = 0; x < AXES; x++)
        out.along[x] = sum_of(a->along[x], b->along[x]);
    return out;
}

static lanes negated(const lanes *a)
{
    lanes out = {.is_number = false};

    for (uint32_t x = 0; x < AXES; x++)
        out.along[x] = times(a->along[x], -1);
    return out;
}

static lanes shift(const lanes *a, const lanes *by)
{
    if (!by->is_number || by->number < 0 || by->number > 62)
        return multiply(a, &(lanes){.number = 0});
    const lanes power = {.is_number = true, .number = INT64_C(1) << by->number};
    return multiply(a, &power);
}

/* Of sources that have the same along an axis so has the result. */
static lanes mix(const lanes *in, uint32_t count)
{
    lanes out = {.is_number = false};

    for (uint32_t s = 0; s < count; s++)
        for (uint32_t x = 0; x < AXES; x++)
            if (!is_none(in[s].along[x]))
                out.along[x] = any;
    return out;
}

/* Clamped to what all have, cut into bits, or chosen: mostly it stays as it is. */
static lanes keep(const lanes *in)
{
    bool is_first = is_same_for_all(&in[1]);
    lanes out = is_first ? in[0] : in[1];

    if (!is_first && !is_same_for_all(&in[0]))
        return mix(in, 2);
    out.is_number = false;
    return out;
}

static lanes result_of(const vsg_exe_inst *inst, const lanes *in)
{
    switch ((visage_op)inst->op) {
    case VISAGE_OP_MOV:
        return in[0];
    case VISAGE_OP_NOT: /* less one, the other way round */
        return negated(&in[0]);
    case VISAGE_OP_ADD:
    case VISAGE_OP_OR:
        return add(&in[0], &in[1]);
    case VISAGE_OP_ADD3: {
        lanes sum = add(&in[0], &in[1]);
        return add(&sum, &in[2]);
    }
    case VISAGE_OP_MUL:
        return multiply(&in[0], &in[1]);
    case VISAGE_OP_MAD: {
        lanes product = multiply(&in[0], &in[1]);
        return add(&product, &in[2]);
    }
    case VISAGE_OP_SHL:
        return shift(&in[0], &in[1]);
    case VISAGE_OP_AND:
    case VISAGE_OP_MIN:
    case VISAGE_OP_MAX:
        return keep(in);
    default:
        return mix(in, inst->num_sources);
    }
}

/* ---- operands ---------------------------------------------------------------------------- */

/* Of a thread's own registers kernels may look at the group's place and at the mode. */
static bool is_of_group(const vsg_exe_operand *operand)
{
    uint32_t r0 = vsg_exe_shared_at(VSG_ISA_VAR_R0), at = operand->offset - r0;
    uint32_t cr0 = vsg_exe_shared_at(VSG_ISA_VAR_CR0);

    return operand->shape == VSG_EXE_SHAPE_SCALAR &&
           (at == 4 || at == 24 || at == 28 || operand->offset == cr0);
}

static void write(walker *w, const vsg_exe_operand *operand, lanes fact)
{
    if (operand->kind == VSG_EXE_OPERAND_REGION && !operand->shared && !operand->is_null &&
        operand->offset / UNIT < w->num_units)
        w->facts[operand->offset / UNIT] = fact;
}

static void mark_block(walker *w, uint32_t from, uint32_t bytes)
{
    for (uint32_t at = from / UNIT; at < (from + bytes + UNIT - 1) / UNIT && at < w->num_units;
         at++)
        w->has[at] |= HAS_BLOCK;
}

/* Elements of channels from `channel` on, `stride` bytes from one to the next. */
static void mark_elements(walker *w, uint32_t from, uint32_t stride, uint32_t bytes,
                          uint32_t channel, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t at = (from + i * stride) / UNIT;
             at <= (from + i * stride + bytes - 1) / UNIT && at < w->num_units; at++) {
            bool is_first = !(w->has[at] & HAS_ELEMENTS);
            bool shares = i > 0 && at == (from + (i - 1) * stride) / UNIT;
            if (is_first)
                w->channels[at] = (uint8_t)(channel + i);
            else if (!shares && w->channels[at] != channel + i)
                w->channels[at] = SEVERAL;
            w->has[at] |= HAS_ELEMENTS;
        }
}

/* Is what there is at a byte a channel's own, if it is any work-item's? */
static bool is_own(const walker *w, uint32_t from, uint32_t channel)
{
    uint32_t at = from / UNIT;

    if (at >= w->num_units || !(w->has[at] & HAS_ELEMENTS))
        return at < w->num_units;
    uint32_t least = w->channels[at], more = from % UNIT; /* elements of less than a unit */
    return least != SEVERAL && least <= channel && channel <= least + more;
}

/* Does each channel read its own elements? */
static bool reads_own(const walker *w, const vsg_exe_operand *operand, uint32_t channel,
                      uint32_t count)
{
    bool is_row = operand->shape == VSG_EXE_SHAPE_CONTIGUOUS;
    uint32_t width = operand->shape == VSG_EXE_SHAPE_ROWS ? operand->width : count;
    bool good = true;

    for (uint32_t i = 0; i < count; i++) {
        int64_t skip = is_row ? (int64_t)i * operand->bytes
                              : (int64_t)(i / width) * operand->v_stride_bytes +
                                    (int64_t)(i % width) * operand->h_stride_bytes;
        good = good && is_own(w, (uint32_t)(operand->offset + skip), channel + i);
    }
    return good;
}

/* Of an instruction. False: it tells which work-items there are beside one. */
static bool read(const walker *w, const vsg_exe_inst *inst, const vsg_exe_operand *operand,
                 lanes *out)
{
    *out = (lanes){.is_number = false};
    if (operand->kind == VSG_EXE_OPERAND_PREDICATE)
        return true;
    if (operand->kind == VSG_EXE_OPERAND_IMMEDIATE) {
        out->is_number = operand->modifier == VSG_OBJ_MOD_NONE;
        uint32_t drop = 64 - 8u * operand->bytes; /* as if signed: numbers are small */
        out->number = (int64_t)(operand->elements[0] << drop) >> drop;
        return operand->count == 1;
    }
    if (operand->kind != VSG_EXE_OPERAND_REGION)
        return operand->kind == VSG_EXE_OPERAND_NONE ||
               operand->kind == VSG_EXE_OPERAND_SURFACE;
    if (operand->is_null)
        return true;
    if (operand->shared)
        return is_of_group(operand);
    uint32_t at = operand->offset / UNIT;
    if (at >= w->num_units)
        return false;
    *out = w->facts[at];
    if (operand->shape == VSG_EXE_SHAPE_SCALAR)
        return !(w->has[at] & HAS_ELEMENTS);
    if ((w->has[at] & HAS_BLOCK) || !reads_own(w, operand, inst->mask_offset, inst->exec_size))
        return false;
    if (operand->modifier == VSG_OBJ_MOD_NEG)
        for (uint32_t x = 0; x < AXES; x++)
            out->along[x] = times(out->along[x], -1);
    else if (operand->modifier != VSG_OBJ_MOD_NONE)
        *out = mix(out, 1);
    return true;
}

static bool has_elements(const walker *w, uint32_t from, uint32_t bytes)
{
    bool has = false;

    for (uint32_t at = from / UNIT; at < (from + bytes + UNIT - 1) / UNIT && at < w->num_units;
         at++)
        has |= (w->has[at] & HAS_ELEMENTS) != 0;
    return has;
}

/* ---- instructions ------------------------------------------------------------------------ */

/* Of each channel. */
static uint32_t elements_of(const vsg_exe_message *message)
{
    return message->num_elements ? message->num_elements : 1;
}

static uint32_t data_bytes(const vsg_exe_message *message)
{
    return message->is_block ? message->span_bytes
                             : elements_of(message) * message->pitch_bytes;
}

/* What there may be in registers, before anything is known of it. */
static void mark_written(walker *w, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    const vsg_exe_operand *dst = &inst->dst;
    bool has_data = message && !message->data.is_null && !message->data.shared;

    if (has_data && message->is_block)
        mark_block(w, message->data.offset, data_bytes(message));
    for (uint32_t n = 0;
         has_data && !message->is_block && inst->exec_size > 1 && n < elements_of(message); n++)
        mark_elements(w, message->data.offset + n * message->pitch_bytes,
                      message->register_bytes, message->register_bytes, inst->mask_offset,
                      inst->exec_size);
    if (message || inst->exec_size == 1 || dst->kind != VSG_EXE_OPERAND_REGION || dst->shared ||
        dst->is_null)
        return;
    uint32_t stride =
        dst->shape == VSG_EXE_SHAPE_STRIDED ? (uint32_t)dst->h_stride_bytes : dst->bytes;
    mark_elements(w, dst->offset, stride, dst->bytes, inst->mask_offset, inst->exec_size);
}

/* Does it make the same for all channels, whichever are on? */
static bool is_of_all(const vsg_exe_inst *inst)
{
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (inst->src[s].kind == VSG_EXE_OPERAND_IMMEDIATE
                ? inst->src[s].count != 1
                : inst->src[s].kind != VSG_EXE_OPERAND_REGION ||
                      inst->src[s].shape != VSG_EXE_SHAPE_SCALAR)
            return false;
    return inst->op != VISAGE_OP_SETP && !inst->message && !inst->predicate_mode;
}

/* Is it something of each work-item alone? */
static bool is_of_channel(const vsg_exe_inst *inst)
{
    uint32_t flags = vsg_isa_op((visage_op)inst->op)->flags;
    bool is_logic = inst->op == VISAGE_OP_AND || inst->op == VISAGE_OP_OR ||
                    inst->op == VISAGE_OP_XOR || inst->op == VISAGE_OP_NOT;

    if ((inst->no_mask && inst->exec_size > 1 && !is_of_all(inst)) || inst->refresh ||
        inst->op == VISAGE_OP_FCALL || inst->op == VISAGE_OP_IFCALL ||
        inst->handler == vsg_exe_do_fence || (flags & (VSG_ISA_OWN_SHAPE | VSG_ISA_ACROSS)) ||
        (inst->predicate_mode & (VSG_EXE_PRED_ANY | VSG_EXE_PRED_ALL)) ||
        (inst->dst.kind != VSG_EXE_OPERAND_NONE && inst->dst.kind != VSG_EXE_OPERAND_REGION &&
         inst->dst.kind != VSG_EXE_OPERAND_PREDICATE &&
         inst->dst.kind != VSG_EXE_OPERAND_SURFACE))
        return false;
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (inst->src[s].kind == VSG_EXE_OPERAND_PREDICATE && !is_logic)
            return false;
    return true;
}

static bool is_for_all(const walker *w, const vsg_exe_inst *inst, const vsg_exe_scalar *scalar)
{
    vsg_exe_operand operand = scalar->operand;
    lanes fact;

    if (scalar->is_constant)
        return true;
    operand.shape = VSG_EXE_SHAPE_SCALAR;
    return read(w, inst, &operand, &fact);
}

static bool is_plain(const vsg_exe_message *message)
{
    return !message->coordinates && !message->block && !message->media && !message->send &&
           !message->pixels && !message->sampling && !message->strided;
}

/* Apart are those of work-items that have others' elements between theirs, or much else. */
static void judge(walker *w, const vsg_exe_inst *inst, const lanes *address, uint32_t weight)
{
    enum { NEAR = 32, APART = 1, FAR_APART = 4 };
    const vsg_exe_message *message = inst->message;
    bool is_store = vsg_exe_op_of((visage_op)inst->op)->handler == vsg_exe_do_store;
    uint32_t far_along = 0, next_along = 0;

    for (uint32_t x = 0; x < AXES; x++) {
        step s = times(address->along[x], message->scale ? message->scale : 1);
        uint64_t length = s.number < 0 ? 0 - (uint64_t)s.number : (uint64_t)s.number;
        bool is_far = s.kind != STEP_KNOWN || length > NEAR;
        if (is_far)
            w->score[x] += FAR_APART * weight;
        else if (length > message->span_bytes)
            w->score[x] += APART * weight;
        far_along |= (uint32_t)(is_far && s.kind != STEP_ANY) << x;
        next_along |= (uint32_t)(!is_far && length > 0) << x;
    }
    if (is_store && next_along)
        w->strewn |= far_along;
}

static bool follow_message(walker *w, const vsg_exe_inst *inst, uint32_t weight)
{
    const vsg_exe_message *message = inst->message;
    lanes address = {.is_number = false};

    if (!is_plain(message) || !is_for_all(w, inst, &message->base) ||
        !is_for_all(w, inst, &message->surface))
        return false;
    if (!message->address.is_null) {
        vsg_exe_operand operand = message->address;
        operand.kind = VSG_EXE_OPERAND_REGION;
        operand.shape = message->is_block || inst->exec_size == 1 ? VSG_EXE_SHAPE_SCALAR
                                                                  : VSG_EXE_SHAPE_CONTIGUOUS;
        operand.bytes = message->address_bytes;
        operand.modifier = VSG_OBJ_MOD_NONE;
        if (!read(w, inst, &operand, &address))
            return false;
    }
    if (message->is_block || inst->exec_size == 1)
        return message->data.is_null ||
               (!message->data.shared &&
                !has_elements(w, message->data.offset, data_bytes(message)));
    if (!vsg_exe_is_slm(message))
        judge(w, inst, &address, weight);
    lanes loaded = mix(&address, 1);
    for (uint32_t n = 0; n < elements_of(message) && !message->data.is_null; n++) {
        vsg_exe_operand element = message->data;
        if (message->data.shared ||
            !is_own(w, element.offset + n * message->pitch_bytes, inst->mask_offset))
            return false;
        element.kind = VSG_EXE_OPERAND_REGION;
        element.offset += n * message->pitch_bytes;
        write(w, &element, loaded);
    }
    return true;
}

static bool follow(walker *w, const vsg_exe_inst *inst, uint32_t weight)
{
    lanes in[VSG_EXE_MAX_SOURCES];

    if (!is_of_channel(inst))
        return false;
    if (inst->message)
        return follow_message(w, inst, weight);
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (!read(w, inst, &inst->src[s], &in[s]))
            return false;
    if (inst->num_sources > 0 && inst->dst.kind == VSG_EXE_OPERAND_REGION)
        write(w, &inst->dst, result_of(inst, in));
    return true;
}

/* ---- the kernel -------------------------------------------------------------------------- */

/* Calls fn for each input that is local ids. */
static void each_ids(walker *w, const vsg_run_kernel *kernel, uint32_t grf_bytes,
                     void (*fn)(walker *w, const vsg_exe_input *input, uint32_t axis,
                                uint32_t channel))
{
    for (uint32_t i = 0; i < w->unit->num_inputs; i++) {
        const vsg_exe_input *input = &w->unit->inputs[i];
        uint32_t from = input->payload_offset_bytes, axis, channel;
        if (!input->is_state && from >= grf_bytes &&
            vsg_run_payload_ids(kernel, grf_bytes, from - grf_bytes, input->size_bytes, &axis,
                                &channel))
            fn(w, input, axis, channel);
    }
}

static void note_ids(walker *w, const vsg_exe_input *input, uint32_t axis, uint32_t channel)
{
    (void)channel;
    if (!w->ids[axis])
        w->ids[axis] = input;
}

static void put_ids(walker *w, const vsg_exe_input *input, uint32_t axis, uint32_t channel)
{
    lanes ids = {.is_number = false};

    ids.along[axis] = known(1);
    mark_elements(w, input->place, 2, 2, channel, input->size_bytes / 2);
    for (uint32_t at = 0; at < input->size_bytes; at += UNIT)
        if ((input->place + at) / UNIT < w->num_units)
            w->facts[(input->place + at) / UNIT] = ids;
}

/* Most kernels have to do with x alone. */
static bool reads(const walker *w, const vsg_exe_input *input)
{
    for (uint32_t i = 0; input && i < w->unit->num_code; i++)
        for (uint32_t s = 0; s < w->unit->code[i].num_sources; s++) {
            const vsg_exe_operand *source = &w->unit->code[i].src[s];
            if (source->kind == VSG_EXE_OPERAND_REGION && !source->shared &&
                source->offset - input->place < input->size_bytes)
                return true;
        }
    return false;
}

/* 0: along x, or it is not to be changed. */
static uint32_t find_best(walker *w, const vsg_run_kernel *kernel, uint32_t grf_bytes)
{
    enum { IN_LOOP = 8 };
    uint32_t best = 0;

    each_ids(w, kernel, grf_bytes, put_ids);
    for (uint32_t i = 0; i < w->unit->num_code; i++) {
        const vsg_exe_inst *inst = &w->unit->code[i];
        w->weights[i] = 1;
        if (vsg_exe_is_jump(inst) && inst->target <= i)
            memset(w->weights + inst->target, IN_LOOP, i + 1 - inst->target);
        mark_written(w, inst);
    }
    for (uint32_t i = 0; i < w->unit->num_code; i++)
        if (!follow(w, &w->unit->code[i], w->weights[i]))
            return 0;
    for (uint32_t x = 1; x < AXES; x++)
        if (w->score[x] < w->score[best] && reads(w, w->ids[x]))
            best = x;
    return w->score[0] > 2 * w->score[best] ? best : 0;
}

/* Can threads have any order at all? What sub-groups have to say to each other goes through
 * shared local memory at times, with a barrier that the compiler leaves nothing of; and those
 * that wait for others need not be in one thread with them. */
static bool may_change(walker *w, const vsg_run_kernel *kernel, uint32_t grf_bytes)
{
    const vsg_exe_unit *unit = w->unit;

    if (kernel->info->required_sub_group_size || vsg_run_kernel_is_explicit(kernel) ||
        unit->is_left_out || unit->reads_slm || unit->polling != VSG_EXE_NO_POLLING ||
        unit->num_code > MOST_CODE || unit->register_bytes > MOST_REGISTER_BYTES)
        return false;
    each_ids(w, kernel, grf_bytes, note_ids);
    return reads(w, w->ids[0]) && (reads(w, w->ids[1]) || reads(w, w->ids[2]));
}

bool vsg_run_find_walk(const vsg_base_alloc *alloc, const vsg_run_kernel *kernel,
                       const vsg_exe_program *program, bool is_ordered, vsg_run_walk *out)
{
    static const uint32_t orders[AXES][3] = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}};
    walker w = {.unit = &program->units[kernel->index]};
    uint32_t num_code = w.unit->num_code;

    *out = (vsg_run_walk){.order = {0, 1, 2}};
    if (!kernel->info || vsg_run_is_permutation(kernel->info->walk_order)) {
        if (kernel->info)
            memcpy(out->order, kernel->info->walk_order, sizeof out->order);
        return true;
    }
    if (is_ordered || !may_change(&w, kernel, program->grf_bytes))
        return true;
    w.num_units = w.unit->register_bytes / UNIT;
    w.facts = vsg_base_new(alloc, w.num_units + 1, sizeof *w.facts);
    w.has = vsg_base_new(alloc, w.num_units + 1, 1);
    w.channels = vsg_base_new(alloc, w.num_units + 1, 1);
    w.weights = vsg_base_new(alloc, num_code + 1, 1);
    bool good = w.facts && w.has && w.channels && w.weights;
    if (good) {
        uint32_t best = find_best(&w, kernel, program->grf_bytes);
        memcpy(out->order, orders[best], sizeof orders[0]);
        out->is_strewn = (w.strewn >> best & 1) != 0;
    }
    vsg_base_delete(alloc, w.weights, num_code + 1, 1);
    vsg_base_delete(alloc, w.channels, w.num_units + 1, 1);
    vsg_base_delete(alloc, w.has, w.num_units + 1, 1);
    vsg_base_delete(alloc, w.facts, w.num_units + 1, sizeof *w.facts);
    return good;
}
