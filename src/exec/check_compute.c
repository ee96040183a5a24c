/* SPDX-License-Identifier: MIT
 *
 * Results in check mode: a bit of a result is unwritten where it depends on an unwritten bit of
 * a source, as far as that is told here. Moves, selections and logic are followed bit by bit,
 * and sums of two as far as carries may go; other sums and products from the lowest unwritten
 * bit up. What other operations make of an element with an unwritten bit is unwritten as a
 * whole. Nothing is reported but operands that are not where they should be: what is computed
 * of unwritten bits may never be used. */
#include "exec/check_shadow.h"
#include "exec/handlers.h"
#include "isa/isa.h"

typedef uint64_t elements[VSG_EXE_MAX_CHANNELS];

/* Everything the propagation of one instruction needs. */
typedef struct flow {
    vsg_exe_thread *thread;
    const vsg_exe_inst *inst;
    uint32_t channels;                           /* written */
    const uint32_t *places[VSG_EXE_MAX_SOURCES]; /* of indirect sources */
    elements from[VSG_EXE_MAX_SOURCES];
    elements to;
} flow;

static uint32_t writing_channels(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                 const vsg_exe_step *step)
{
    if (inst->op == VISAGE_OP_FADDR)
        return 1; /* it has no execution size: its mask means nothing */
    return step->selects ? vsg_exe_enabled(thread, inst) : vsg_exe_active(thread, inst);
}

/* ---- bits of results -------------------------------------------------------------------- */

static uint64_t all_of(const vsg_exe_operand *operand)
{
    return operand->bytes >= 8 ? UINT64_MAX : ((uint64_t)1 << 8 * operand->bytes) - 1;
}

static bool is_integer(uint32_t type)
{
    return type != VISAGE_TYPE_F && type != VISAGE_TYPE_HF && type != VISAGE_TYPE_DF &&
           type != VISAGE_TYPE_BF;
}

static bool is_signed(uint32_t type)
{
    return type == VISAGE_TYPE_D || type == VISAGE_TYPE_W || type == VISAGE_TYPE_B ||
           type == VISAGE_TYPE_Q;
}

/* Extended as the number itself is. */
static uint64_t extend(const vsg_exe_operand *operand, uint64_t bits)
{
    uint32_t unused = 64 - 8u * operand->bytes;

    if (operand->bytes == 0 || operand->bytes >= 8)
        return bits;
    return is_signed(operand->type) ? (uint64_t)((int64_t)(bits << unused) >> unused) : bits;
}

/* The lowest set bit and all above it: where a carry may go. */
static uint64_t smear(uint64_t bits)
{
    return bits | (0 - bits);
}

static uint64_t any_source(const flow *f, uint32_t i)
{
    uint64_t any = 0;

    for (uint32_t s = 0; s < f->inst->num_sources; s++)
        any |= f->from[s][i];
    return any ? UINT64_MAX : 0;
}

/* Is the source's value what its bits are? */
static bool is_plain(const flow *f, uint32_t s)
{
    const vsg_exe_operand *operand = &f->inst->src[s];

    return operand->modifier == VSG_OBJ_MOD_NONE || operand->modifier == VSG_OBJ_MOD_NOT;
}

static uint64_t moved(const flow *f, uint32_t s, uint32_t i)
{
    const vsg_exe_operand *from = &f->inst->src[s];
    const vsg_exe_operand *to = &f->inst->dst;
    uint64_t bits = f->from[s][i];

    if (bits == 0)
        return 0;
    if (from->type == to->type && !f->inst->saturate &&
        (is_plain(f, s) || !is_integer(from->type)))
        return bits;
    if (is_integer(from->type) && is_integer(to->type) && !f->inst->saturate && is_plain(f, s))
        return extend(from, bits);
    return UINT64_MAX;
}

/* and: an unwritten bit beside a 0 that was written gives 0; or: beside a 1. */
static void follow_and_or(flow *f, bool is_and)
{
    const vsg_exe_inst *inst = f->inst;
    int64_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!vsg_exe_read_int(f->thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_int(f->thread, inst, &inst->src[1], inst->exec_size, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++) {
        uint64_t ua = extend(&inst->src[0], f->from[0][i]);
        uint64_t ub = extend(&inst->src[1], f->from[1][i]);
        uint64_t lets_a = is_and ? (uint64_t)b[i] : ~(uint64_t)b[i];
        uint64_t lets_b = is_and ? (uint64_t)a[i] : ~(uint64_t)a[i];
        if (!is_plain(f, 0) || !is_plain(f, 1))
            f->to[i] = any_source(f, i);
        else
            f->to[i] = (ua & ub) | (ua & lets_a) | (ub & lets_b);
    }
}

static void follow_shift(flow *f)
{
    const vsg_exe_inst *inst = f->inst;
    int64_t count[VSG_EXE_MAX_CHANNELS];
    uint32_t width = inst->dst.bytes == 8 || inst->src[0].bytes == 8 ? 63 : 31;

    if (!vsg_exe_read_int(f->thread, inst, &inst->src[1], inst->exec_size, count))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++) {
        uint64_t bits = extend(&inst->src[0], f->from[0][i]);
        uint32_t by = (uint32_t)count[i] & width;
        if (f->from[1][i] || !is_plain(f, 0) || inst->saturate)
            f->to[i] = any_source(f, i);
        else if (inst->op == VISAGE_OP_SHL)
            f->to[i] = bits << by;
        else if (inst->op == VISAGE_OP_SHR)
            f->to[i] = (bits & all_of(&inst->src[0])) >> by;
        else
            f->to[i] = (uint64_t)((int64_t)bits >> by);
    }
}

/* Sources that are integers as their bits are, of a result that is one. False: they are not, or
 * cannot be read. */
static bool read_plain(flow *f, uint32_t count, elements *out)
{
    const vsg_exe_inst *inst = f->inst;
    bool good = inst->class_ == VSG_EXE_CLASS_INT && !inst->saturate;

    for (uint32_t s = 0; s < count && good; s++) {
        int64_t values[VSG_EXE_MAX_CHANNELS];
        good = is_plain(f, s) &&
               vsg_exe_read_int(f->thread, inst, &inst->src[s], inst->exec_size, values);
        for (uint32_t i = 0; i < inst->exec_size && good; i++)
            out[s][i] = (uint64_t)values[i];
    }
    return good;
}

/* The least and the greatest sum differ where a carry may come from unwritten bits. */
static uint64_t of_sum(uint64_t a, uint64_t b, uint64_t ua, uint64_t ub)
{
    return (((a & ~ua) + (b & ~ub)) ^ ((a | ua) + (b | ub))) | ua | ub;
}

/* A product with 0 is 0; with 2^n and its multiples nothing below bit n depends on the other.
 */
static uint64_t of_product(uint64_t a, uint64_t b, uint64_t ua, uint64_t ub)
{
    if (ua && ub)
        return smear(ua | ub);
    uint64_t known = ua ? b : a, bits = ua | ub;
    return known ? smear(bits) << __builtin_ctzll(known) : 0;
}

static void follow_sum(flow *f)
{
    const vsg_exe_inst *inst = f->inst;
    elements value[VSG_EXE_MAX_SOURCES];
    bool is_product = inst->op == VISAGE_OP_MUL || inst->op == VISAGE_OP_MAD;
    bool are_plain = inst->op != VISAGE_OP_ADD3 && read_plain(f, 2, value);

    for (uint32_t i = 0; i < inst->exec_size; i++) {
        uint64_t bits[VSG_EXE_MAX_SOURCES], all = 0;
        for (uint32_t s = 0; s < inst->num_sources; s++)
            all |= bits[s] = extend(&inst->src[s], f->from[s][i]);
        if (all && are_plain && is_product)
            all = of_product(value[0][i], value[1][i], bits[0], bits[1]) |
                  (inst->op == VISAGE_OP_MAD ? bits[2] : 0);
        if (all && are_plain && inst->op == VISAGE_OP_ADD)
            f->to[i] = of_sum(value[0][i], value[1][i], bits[0], bits[1]);
        else
            f->to[i] = inst->class_ == VSG_EXE_CLASS_INT && !inst->saturate ? smear(all)
                                                                            : any_source(f, i);
    }
}

/* Bits that are 0 for some values of the unwritten ones, and 1 for others. */
static void follow_bfn(flow *f)
{
    const vsg_exe_inst *inst = f->inst;
    elements value[VSG_EXE_MAX_SOURCES];
    bool are_plain = read_plain(f, 3, value);

    for (uint32_t i = 0; i < inst->exec_size; i++) {
        uint64_t can_be[2] = {0, 0};
        for (uint32_t n = 0; n < 8 && are_plain; n++) {
            uint64_t *to = &can_be[inst->control >> n & 1], fits = UINT64_MAX;
            for (uint32_t s = 0; s < 3; s++)
                fits &= (n >> s & 1 ? value[s][i] : ~value[s][i]) |
                        extend(&inst->src[s], f->from[s][i]);
            *to |= fits;
        }
        f->to[i] = are_plain ? can_be[0] & can_be[1] : any_source(f, i);
    }
}

static void follow_select(flow *f)
{
    uint32_t chosen = vsg_exe_predicate(f->thread, f->inst);

    for (uint32_t i = 0; i < f->inst->exec_size; i++)
        f->to[i] = moved(f, chosen >> i & 1 ? 0 : 1, i);
}

static bool same_source(const vsg_exe_operand *a, const vsg_exe_operand *b)
{
    return a->kind == VSG_EXE_OPERAND_REGION && memcmp(a, b, sizeof *a) == 0;
}

/* xor of a variable with itself is how some programs write a zero. */
static void follow_bits(flow *f)
{
    const vsg_exe_inst *inst = f->inst;
    bool is_zero = inst->op == VISAGE_OP_XOR && same_source(&inst->src[0], &inst->src[1]);

    for (uint32_t i = 0; i < inst->exec_size; i++) {
        f->to[i] = 0;
        for (uint32_t s = 0; s < inst->num_sources && !is_zero; s++)
            f->to[i] |= extend(&inst->src[s], f->from[s][i]);
    }
}

/* Bits of a predicate: an operand stands for one bit a channel. */
static void follow_predicates(flow *f)
{
    const vsg_exe_inst *inst = f->inst;
    uint32_t all[2] = {0, 0}, value[2] = {0, 0};

    for (uint32_t s = 0; s < inst->num_sources && s < 2; s++) {
        const vsg_exe_operand *source = &inst->src[s];
        bool is_predicate = source->kind == VSG_EXE_OPERAND_PREDICATE;
        int64_t number = 0;
        if (is_predicate) {
            all[s] = *vsg_exe_shadow_predicate(f->thread, source->index) >> inst->mask_offset;
            value[s] = vsg_exe_read_predicate(f->thread, inst, source);
        } else if (vsg_exe_read_scalar(f->thread, inst, source, &number)) {
            all[s] = (uint32_t)f->from[s][0];
            value[s] = (uint32_t)number;
        }
    }
    uint32_t bits = all[0] | all[1];
    if (inst->op == VISAGE_OP_AND)
        bits = (all[0] & all[1]) | (all[0] & value[1]) | (all[1] & value[0]);
    else if (inst->op == VISAGE_OP_OR)
        bits = (all[0] & all[1]) | (all[0] & ~value[1]) | (all[1] & ~value[0]);
    else if (inst->op == VISAGE_OP_XOR && inst->src[0].kind == VSG_EXE_OPERAND_PREDICATE &&
             inst->src[1].kind == VSG_EXE_OPERAND_PREDICATE &&
             inst->src[0].index == inst->src[1].index)
        bits = 0;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        f->to[i] = bits >> i & 1;
}

static void follow_setp(flow *f)
{
    const vsg_exe_operand *source = &f->inst->src[0];
    bool is_string = source->shape == VSG_EXE_SHAPE_SCALAR;

    for (uint32_t i = 0; i < f->inst->exec_size; i++)
        f->to[i] = is_string ? f->from[0][0] >> i & 1 : f->from[0][i] & 1;
    if (is_string)
        f->channels = vsg_exe_first(f->inst->exec_size);
}

/* The whole predicate as a number. */
static void follow_mov(flow *f)
{
    for (uint32_t i = 0; i < f->inst->exec_size; i++)
        f->to[i] =
            f->inst->src[0].kind == VSG_EXE_OPERAND_PREDICATE ? f->from[0][i] : moved(f, 0, i);
}

/* What is compared with itself is equal whatever it is, floats aside. */
static void follow_cmp(flow *f)
{
    bool is_known =
        f->inst->class_ == VSG_EXE_CLASS_INT && same_source(&f->inst->src[0], &f->inst->src[1]);

    for (uint32_t i = 0; i < f->inst->exec_size; i++)
        f->to[i] = is_known ? 0 : any_source(f, i);
}

static void follow(flow *f)
{
    if (f->inst->dst.kind == VSG_EXE_OPERAND_PREDICATE && f->inst->op != VISAGE_OP_CMP &&
        f->inst->op != VISAGE_OP_SETP) {
        follow_predicates(f);
        return;
    }
    switch ((visage_op)f->inst->op) {
    case VISAGE_OP_MOV:
    case VISAGE_OP_MOVS:
        follow_mov(f);
        break;
    case VISAGE_OP_SEL:
        follow_select(f);
        break;
    case VISAGE_OP_AND:
    case VISAGE_OP_OR:
        follow_and_or(f, f->inst->op == VISAGE_OP_AND);
        break;
    case VISAGE_OP_XOR:
    case VISAGE_OP_NOT:
        follow_bits(f);
        break;
    case VISAGE_OP_SHL:
    case VISAGE_OP_SHR:
    case VISAGE_OP_ASR:
        follow_shift(f);
        break;
    case VISAGE_OP_ADD:
    case VISAGE_OP_ADD3:
    case VISAGE_OP_MUL:
    case VISAGE_OP_MAD:
        follow_sum(f);
        break;
    case VISAGE_OP_BFN:
        follow_bfn(f);
        break;
    case VISAGE_OP_CMP:
        follow_cmp(f);
        break;
    case VISAGE_OP_SETP:
        follow_setp(f);
        break;
    default:
        for (uint32_t i = 0; i < f->inst->exec_size; i++)
            f->to[i] = any_source(f, i);
        break;
    }
}

/* ---- addresses -------------------------------------------------------------------------- */

/* The variable that an address is of goes with it. */
static void note_origin(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_step *step, uint32_t channels)
{
    const vsg_exe_unit *unit = thread->frame->unit;
    const vsg_exe_operand *source = &inst->src[0];
    uint32_t *shadow = vsg_exe_shadow_dwords(thread, unit->addresses_at);
    uint32_t origins[VSG_EXE_MAX_CHANNELS];
    uint32_t width = source->width ? source->width : 1;

    for (uint32_t i = 0; i < inst->exec_size; i++) {
        uint32_t from = source->index + i % width;
        bool is_copy = source->kind == VSG_EXE_OPERAND_ADDRESS && from < unit->num_addresses;
        origins[i] = is_copy ? shadow[from] : step->origin;
    }
    for (uint32_t i = 0; i < inst->exec_size; i++) {
        uint32_t to = inst->dst.index + i;
        if ((channels >> i & 1) && to < unit->num_addresses && shadow[to] == 0)
            shadow[to] = origins[i];
    }
}

/* ---- operands that leave their variables ------------------------------------------------- */

/* Channels whose element of a direct operand ends behind `end`. */
static uint32_t leaving(const vsg_exe_inst *inst, const vsg_exe_operand *operand, uint32_t end,
                        bool is_dst, uint32_t *reach)
{
    uint32_t bad = 0;

    for (uint32_t i = 0; i < inst->exec_size; i++) {
        uint32_t row = operand->width ? i / operand->width : 0;
        uint32_t column = operand->width ? i % operand->width : i;
        uint32_t at = operand->offset;
        switch ((vsg_exe_shape)operand->shape) {
        case VSG_EXE_SHAPE_SCALAR:
            at += is_dst ? i * operand->bytes : 0;
            break;
        case VSG_EXE_SHAPE_CONTIGUOUS:
            at += i * operand->bytes;
            break;
        case VSG_EXE_SHAPE_STRIDED:
            at += i * (uint32_t)operand->h_stride_bytes;
            break;
        case VSG_EXE_SHAPE_ROWS:
            at += row * (uint32_t)operand->v_stride_bytes +
                  column * (uint32_t)operand->h_stride_bytes;
            break;
        }
        if (at + operand->bytes <= end)
            continue;
        if (!bad)
            *reach = at;
        bad |= 1u << i;
    }
    return bad;
}

static void check_leaving(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_step *step, uint32_t channels)
{
    const vsg_exe_unit *unit = thread->frame->unit;
    vsg_obj_variable_facts facts;

    for (uint32_t k = 0; k < 2 + VSG_EXE_MAX_SOURCES; k++) {
        const vsg_exe_operand *operand = k == 0   ? &inst->dst
                                         : k == 1 ? &inst->dst2
                                                  : &inst->src[k - 2];
        uint32_t reach = 0;
        if (step->end[k] == 0)
            continue;
        uint32_t bad = leaving(inst, operand, step->end[k], k < 2, &reach) & channels;
        if (!bad || !vsg_obj_variable_get(unit->object, step->id[k], &facts))
            continue;
        vsg_exe_finding finding = {.diag = VSG_DIAG_CHECK_REGION,
                                   .address = reach + facts.size_bytes - step->end[k],
                                   .size_bytes = operand->bytes,
                                   .limit = facts.size_bytes,
                                   .name = facts.name};
        vsg_exe_check_report(thread, inst, &finding, bad);
    }
}

/* ---- steps ------------------------------------------------------------------------------ */

/* Finds all indirect operands. False: some channel's is wrong, and the instruction is left out;
 * its results count as written, so that one mistake is one report. */
static bool find_indirect(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t channels,
                          flow *f, vsg_exe_places *places, vsg_exe_places to)
{
    uint32_t bad = 0;

    for (uint32_t s = 0; s < inst->num_sources; s++) {
        f->places[s] = NULL;
        if (inst->src[s].kind != VSG_EXE_OPERAND_INDIRECT)
            continue;
        bad |= vsg_exe_check_indirect(thread, inst, &inst->src[s], channels, places[s]);
        f->places[s] = places[s];
    }
    if (inst->dst.kind == VSG_EXE_OPERAND_INDIRECT)
        bad |= vsg_exe_check_indirect(thread, inst, &inst->dst, channels, to);
    return bad == 0;
}

static void propagate(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                      const vsg_exe_step *step, uint32_t channels)
{
    flow f = {.thread = thread, .inst = inst, .channels = channels};
    vsg_exe_places places[VSG_EXE_MAX_SOURCES], to;
    uint32_t condition = vsg_exe_shadow_condition(thread, inst);
    const uint32_t *dst_places = inst->dst.kind == VSG_EXE_OPERAND_INDIRECT ? to : NULL;

    if (step->has_indirect && !find_indirect(thread, inst, channels, &f, places, to)) {
        vsg_exe_shadow_clear(thread, inst, &inst->dst, dst_places, channels);
        return;
    }
    for (uint32_t s = 0; s < inst->num_sources; s++)
        vsg_exe_shadow_read(thread, inst, &inst->src[s], f.places[s], inst->exec_size,
                            f.from[s]);
    follow(&f);
    /* Whether such a channel is written is not known, nor, by that, what it holds. */
    condition &= vsg_exe_enabled(thread, inst);
    for (uint32_t i = 0; i < inst->exec_size; i++)
        if (condition >> i & 1)
            f.to[i] = UINT64_MAX;
    if (inst->op != VISAGE_OP_ADD3O)
        f.channels |= condition;
    vsg_exe_shadow_write(thread, inst, &inst->dst, dst_places, f.channels, f.to);
    if (inst->dst2.kind != VSG_EXE_OPERAND_NONE &&
        inst->dst2.kind != VSG_EXE_OPERAND_INDIRECT) {
        for (uint32_t i = 0; i < inst->exec_size; i++)
            f.to[i] = any_source(&f, i);
        vsg_exe_shadow_write(thread, inst, &inst->dst2, NULL, f.channels, f.to);
    }
    inst->handler(thread, inst);
}

/* Is all written that direct sources touch? */
static bool is_clean(const vsg_exe_thread *thread, const vsg_exe_step *step)
{
    const uint8_t *shadow = thread->check->registers;

    for (uint32_t s = 0; s < step->num_spans; s++)
        if (vsg_exe_any_set(shadow + step->spans[s].at, step->spans[s].bytes))
            return false;
    return true;
}

/* Is all that counts for some channels? In divergent code variables of the others are not. */
static bool is_clean_for(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_step *step, uint32_t channels)
{
    uint32_t found = 0;

    if (is_clean(thread, step))
        return true;
    for (uint32_t s = 0; s < inst->num_sources; s++)
        found |= vsg_exe_shadow_channels(thread, &inst->src[s], inst->exec_size);
    return (found & channels) == 0;
}

/* Sources that are no variables: what of them is unwritten. */
static bool others_clean(const vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint64_t bits[VSG_EXE_MAX_CHANNELS];

    for (uint32_t s = 0; s < inst->num_sources; s++) {
        if (inst->src[s].kind == VSG_EXE_OPERAND_REGION ||
            inst->src[s].kind == VSG_EXE_OPERAND_IMMEDIATE)
            continue;
        vsg_exe_shadow_read(thread, inst, &inst->src[s], NULL, inst->exec_size, bits);
        for (uint32_t i = 0; i < inst->exec_size; i++)
            if (bits[i])
                return false;
    }
    return true;
}

void vsg_exe_step_compute(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_step *step)
{
    uint32_t channels = writing_channels(thread, inst, step);

    if (step->leaves)
        check_leaving(thread, inst, step, channels);
    if (step->has_indirect ||
        !is_clean_for(thread, inst, step, step->every ? UINT32_MAX : channels) ||
        vsg_exe_shadow_condition(thread, inst) ||
        (step->has_others && !others_clean(thread, inst))) {
        propagate(thread, inst, step, channels);
    } else {
        if (inst->op == VISAGE_OP_SETP && inst->src[0].shape == VSG_EXE_SHAPE_SCALAR)
            channels = vsg_exe_first(inst->exec_size);
        vsg_exe_shadow_clear(thread, inst, &inst->dst, NULL, channels);
        vsg_exe_shadow_clear(thread, inst, &inst->dst2, NULL, channels);
        inst->handler(thread, inst);
    }
    if (inst->dst.kind == VSG_EXE_OPERAND_ADDRESS)
        note_origin(thread, inst, step, channels);
    if (inst->op == VISAGE_OP_ADD3O && inst->predicate_mode)
        *vsg_exe_shadow_predicate(thread, inst->predicate) &= ~(channels << inst->mask_offset);
}

/* The same where all operands are direct and nothing is to be told of them beforehand. */
void vsg_exe_step_plain(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_step *step)
{
    uint32_t channels = vsg_exe_enabled(thread, inst);

    if (!is_clean_for(thread, inst, step, channels)) {
        propagate(thread, inst, step, channels);
        return;
    }
    vsg_exe_shadow_clear(thread, inst, &inst->dst, NULL, channels);
    inst->handler(thread, inst);
}

/* Operations whose channels see elements of other channels: all or nothing. */
void vsg_exe_step_mixed(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_step *step)
{
    uint32_t channels = writing_channels(thread, inst, step);
    bool clean = is_clean(thread, step) && vsg_exe_shadow_condition(thread, inst) == 0;

    if (inst->dst.kind == VSG_EXE_OPERAND_REGION && !inst->dst.is_null && !inst->dst.shared &&
        channels) {
        uint32_t bytes = step->result_bytes;
        if (bytes)
            memset(thread->check->registers + inst->dst.offset, clean ? 0 : 0xff, bytes);
        else if (clean)
            vsg_exe_shadow_clear(thread, inst, &inst->dst, NULL, channels);
        else {
            elements all;
            memset(all, 0xff, sizeof all);
            vsg_exe_shadow_write(thread, inst, &inst->dst, NULL, channels, all);
        }
    }
    inst->handler(thread, inst);
}
