/* SPDX-License-Identifier: MIT */
#include "machine_forms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "isa/lsc.h"

enum { CHANNELS = 32, MASKS = 16, NO_MASK = 8 /* M1_NM and on */ };
enum { MOST_FORMS = 12, TRIES = 6 }; /* of a run, and for each of them */

/* What stands before the execution size. Inverse ones are odd but for ! alone. */
typedef enum predication {
    PRED_NONE,
    PRED_PLAIN,
    PRED_NOT,
    PRED_ANY,
    PRED_NOT_ANY,
    PRED_ALL,
    PRED_NOT_ALL,
    PRED_COUNT
} predication;

static const struct {
    bool is_inverse;
    vsg_obj_combine combine;
} predications[PRED_COUNT] = {
    [PRED_NOT] = {true, VSG_OBJ_COMBINE_NONE},    [PRED_ANY] = {false, VSG_OBJ_COMBINE_ANY},
    [PRED_NOT_ANY] = {true, VSG_OBJ_COMBINE_ANY}, [PRED_ALL] = {false, VSG_OBJ_COMBINE_ALL},
    [PRED_NOT_ALL] = {true, VSG_OBJ_COMBINE_ALL},
};

typedef enum kind { KIND_IMMEDIATE, KIND_REGISTER, KIND_INDIRECT, KIND_COUNT } kind;

typedef struct form {
    uint8_t predication;
    uint8_t mask;                    /* as M1 .. M8, then M1_NM .. M8_NM */
    uint8_t kinds[MACHINE_OPERANDS]; /* of scalar operands */
} form;

/* What the forms of an operation have had: bits by predication, mask, type and kind. */
typedef struct history {
    uint32_t predications, masks;
    uint64_t kinds[MACHINE_OPERANDS];
} history;

static uint32_t draw(machine *m)
{
    m->random = m->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(m->random >> 32);
}

static uint32_t low_bits(uint32_t count)
{
    return count >= CHANNELS ? UINT32_MAX : (1u << count) - 1;
}

/* ---- masks and predicates --------------------------------------------------------------- */

/* Do only predicates count? (docs/spec-notes.md, block2d) */
static bool has_no_mask(visage_op op)
{
    return op == VISAGE_OP_LSC_LOAD_BLOCK2D || op == VISAGE_OP_LSC_STORE_BLOCK2D;
}

/* 5_operands, Predication: the channels that the predicate chooses. */
static uint32_t chosen_channels(const machine *m)
{
    uint32_t size = m->inst.exec_size, all = low_bits(size);
    /* A scalar instruction combines the whole variable (docs/spec-notes.md). */
    bool is_whole = size == 1 && m->inst.predicate_combine != VSG_OBJ_COMBINE_NONE;
    uint32_t meant = is_whole ? UINT32_MAX : all;
    uint32_t bits = m->predicate >> (is_whole ? 0 : m->inst.mask_offset) & meant;

    if (m->inst.predicate == 0)
        return all;
    if (m->inst.predicate_combine == VSG_OBJ_COMBINE_ANY)
        bits = bits != 0 ? all : 0;
    if (m->inst.predicate_combine == VSG_OBJ_COMBINE_ALL)
        bits = bits == meant ? all : 0;
    return (m->inst.predicate_inverse ? ~bits : bits) & all;
}

static uint32_t enabled_channels(const machine *m)
{
    uint32_t all = low_bits(m->inst.exec_size);

    if (m->inst.no_mask || has_no_mask(m->inst.op))
        return chosen_channels(m);
    return m->execution_mask >> m->inst.mask_offset & all & chosen_channels(m);
}

/* A predicate whose combination is as it says; `at`: the first bit, `size` bits. */
static uint32_t combined(machine *m, bool is_any, bool result, uint32_t at, uint32_t size)
{
    uint32_t one = 1u << draw(m) % size, all = low_bits(size), bits = draw(m) & all;

    if (is_any)
        bits = result ? bits | one : 0;
    else
        bits = result ? all : bits & ~one;
    return (draw(m) & ~(all << at)) | bits << at;
}

/* Masks and a predicate that give the channels. False: this form cannot. */
static bool set_masks(machine *m, const form *f, uint32_t channels)
{
    uint32_t size = m->inst.exec_size, all = low_bits(size), at = f->mask % NO_MASK * 4;
    bool combines = f->predication >= PRED_ANY;
    bool is_inverse = predications[f->predication].is_inverse;
    bool no_mask = f->mask >= NO_MASK, is_open = no_mask || has_no_mask(m->inst.op);
    uint32_t active = channels, bits = 0;

    if (at % size || at + size > CHANNELS)
        return false;
    if (f->predication == PRED_PLAIN || f->predication == PRED_NOT)
        active = is_open ? all : channels | (draw(m) & all);
    if (combines && channels == 0)
        active = is_open ? all : draw(m) & all;
    if (is_open && active != all)
        return false;
    if (combines)
        bits = combined(m, predications[f->predication].combine == VSG_OBJ_COMBINE_ANY,
                        (channels != 0) != is_inverse, size == 1 ? 0 : at,
                        size == 1 ? CHANNELS : size);
    else if (f->predication != PRED_NONE)
        bits = (draw(m) & ~(all << at)) |
               ((((channels | (draw(m) & ~active)) ^ (is_inverse ? all : 0)) & all) << at);
    m->execution_mask =
        is_open ? draw(m) | 1u << draw(m) % CHANNELS : (draw(m) & ~(all << at)) | active << at;
    m->predicate = bits;
    m->inst.mask_offset = (uint8_t)at;
    m->inst.no_mask = no_mask;
    m->inst.predicate = f->predication == PRED_NONE ? 0 : 1;
    m->inst.predicate_inverse = is_inverse;
    m->inst.predicate_combine = (uint8_t)predications[f->predication].combine;
    return m->execution_mask != 0;
}

/* ---- scalar operands -------------------------------------------------------------------- */

/* LSC_UNTYPED, Surface: 0:ud where an address is flat. */
static bool is_surface_of_flat(const machine *m, uint32_t i)
{
    int model = vsg_isa_operand(m->inst.op, "addr_type");

    return model >= 0 && m->operands[model].value == VSG_ISA_LSC_FLAT &&
           (int)i == vsg_isa_operand(m->inst.op, "surface");
}

/* V0 says that there is none. */
static bool is_scalar(const machine *m, uint32_t i)
{
    const vsg_obj_operand *operand = &m->operands[i];

    if (i >= vsg_isa_num_operands(m->inst.op) /* of a list */ || is_surface_of_flat(m, i))
        return false;
    const vsg_isa_slot *slot = vsg_isa_operand_slot(m->inst.op, i);
    return slot->kind == VSG_ISA_SLOT_SRC && (slot->flags & VSG_ISA_SLOT_SCALAR) != 0 &&
           (operand->class_ == VSG_OBJ_CLASS_IMMEDIATE ||
            (operand->class_ == VSG_OBJ_CLASS_GENERAL && operand->id >= VAR_A));
}

static visage_type type_of(const vsg_obj_operand *operand)
{
    if (operand->class_ == VSG_OBJ_CLASS_IMMEDIATE)
        return (visage_type)operand->type;
    return operand->id == VAR_A_UQ  ? VISAGE_TYPE_UQ
           : operand->id == VAR_D_F ? VISAGE_TYPE_F
                                    : VISAGE_TYPE_UD;
}

static uint64_t value_of(const machine *m, const vsg_obj_operand *operand)
{
    uint32_t bytes = vsg_isa_type(type_of(operand))->bytes;

    if (operand->class_ == VSG_OBJ_CLASS_IMMEDIATE)
        return operand->value;
    uint32_t variable = operand->id == VAR_A_UQ  ? VAR_A
                        : operand->id == VAR_D_F ? VAR_D
                                                 : operand->id;
    uint32_t grf_bytes = vsg_isa_platform(m->platform)->grf_bytes;
    return peek(m->registers[variable - VAR_A] + operand->row * grf_bytes +
                    operand->column * bytes,
                bytes);
}

/* `registers` are those before the run. False: the form cannot. */
static bool set_scalar_form(machine *m, uint32_t i, kind k, uint32_t place)
{
    vsg_obj_operand *operand = &m->operands[i];
    visage_type type = type_of(operand);
    uint64_t value = value_of(m, operand);
    uint32_t bytes = vsg_isa_type(type)->bytes, at = place * 16;

    if (k == KIND_IMMEDIATE && (vsg_isa_op(m->inst.op)->no_immediate >> i & 1))
        return false;
    if (k == KIND_INDIRECT && (vsg_isa_op(m->inst.op)->no_indirect >> i & 1))
        return false;
    if (place >= MACHINE_SCALARS)
        return false;
    poke(m->scalars + at, bytes, value);
    if (k == KIND_IMMEDIATE) {
        *operand = (vsg_obj_operand){
            .class_ = VSG_OBJ_CLASS_IMMEDIATE, .type = (uint8_t)type, .value = value};
    } else if (k == KIND_REGISTER) {
        *operand = (vsg_obj_operand){
            .class_ = VSG_OBJ_CLASS_GENERAL, .id = VAR_SCALARS + type, .width = 1};
        set_place(m, operand, at / bytes, bytes);
    } else {
        m->address_offsets[place] = (int32_t)(draw(m) % 1024) - 512;
        *operand = (vsg_obj_operand){.class_ = VSG_OBJ_CLASS_INDIRECT,
                                     .type = (uint8_t)type,
                                     .id = 0,
                                     .offset_elements = (uint8_t)place,
                                     .width = 1,
                                     .offset_bytes = m->address_offsets[place]};
    }
    return true;
}

static bool set_scalars(machine *m, const form *f)
{
    uint32_t place = 0;

    for (uint32_t i = 0; i < m->inst.num_operands; i++)
        if (is_scalar(m, i) && !set_scalar_form(m, i, (kind)f->kinds[i], place++))
            return false;
    return true;
}

/* ---- comparing -------------------------------------------------------------------------- */

void machine_keep(const machine *m, machine_state *state)
{
    memcpy(state->space, m->space, sizeof state->space);
    memcpy(state->slm, m->slm, sizeof state->slm);
    memcpy(state->registers, m->registers, sizeof state->registers);
    state->group = m->group;
    memcpy(state->offers, m->offers, sizeof state->offers);
    state->stop = m->thread.stop;
    state->fault = m->thread.fault;
    state->fault.channel -= state->fault.channel < 0 ? 0 : m->inst.mask_offset;
}

static void put_back(machine *m, const machine_state *state)
{
    memcpy(m->space, state->space, sizeof state->space);
    memcpy(m->slm, state->slm, sizeof state->slm);
    memcpy(m->registers, state->registers, sizeof state->registers);
    m->group = state->group;
    memcpy(m->offers, state->offers, sizeof m->offers);
}

static bool is_same(const machine_state *a, const machine_state *b)
{
    if (a->stop != b->stop || memcmp(a->space, b->space, sizeof a->space) != 0 ||
        memcmp(a->slm, b->slm, sizeof a->slm) != 0 ||
        memcmp(a->registers, b->registers, sizeof a->registers) != 0 ||
        memcmp(a->group.named, b->group.named, sizeof a->group.named) != 0 ||
        a->group.split.phase != b->group.split.phase)
        return false;
    return a->stop != VSG_EXE_STOP_FAULT ||
           (a->fault.diag == b->fault.diag && a->fault.channel == b->fault.channel &&
            a->fault.address == b->fault.address && a->fault.size_bytes == b->fault.size_bytes);
}

/* What an operand that a form names must be. */
static void check_kinds(const machine *m, const form *f, const vsg_obj_operand *was)
{
    static const vsg_obj_class classes[KIND_COUNT] = {
        VSG_OBJ_CLASS_IMMEDIATE, VSG_OBJ_CLASS_GENERAL, VSG_OBJ_CLASS_INDIRECT};

    for (uint32_t i = 0; i < m->inst.num_operands; i++) {
        bool changed = memcmp(&m->operands[i], &was[i], sizeof was[i]) != 0;
        if (changed && m->operands[i].class_ != classes[f->kinds[i]])
            fail_msg("operand %u is not of the form", i);
        if (!changed && is_scalar(m, i) && was[i].class_ != classes[f->kinds[i]])
            fail_msg("operand %u has no form", i);
    }
}

typedef enum outcome { OUTCOME_NONE, OUTCOME_SAME, OUTCOME_OTHER } outcome;

/* Runs the form, if there is one. */
static outcome try_form(machine *m, const form *f, const machine_state *before,
                        const machine_state *after)
{
    static machine_state now;
    vsg_obj_inst inst = m->inst;
    vsg_obj_operand operands[MACHINE_OPERANDS];
    uint32_t mask = m->execution_mask, predicate = m->predicate;
    uint32_t channels = enabled_channels(m);
    /* A fence has one form alone (LSC_FENCE, ExecSize). */
    bool has_masks =
        vsg_isa_has_slot(inst.op, VSG_ISA_SLOT_EXEC) && inst.op != VISAGE_OP_LSC_FENCE;

    memcpy(operands, m->operands, sizeof operands);
    put_back(m, before);
    outcome found = OUTCOME_NONE;
    if (set_scalars(m, f) && (!has_masks || set_masks(m, f, channels))) {
        check_kinds(m, f, operands);
        (void)machine_run_once(m);
        machine_keep(m, &now);
        found = is_same(&now, after) ? OUTCOME_SAME : OUTCOME_OTHER;
    }
    m->inst = inst;
    memcpy(m->operands, operands, sizeof operands);
    m->execution_mask = mask;
    m->predicate = predicate;
    put_back(m, after);
    m->thread.stop = after->stop;
    return found;
}

/* Runs the form, which must do the same; false: there is none. */
static bool run_form(machine *m, const form *f, const machine_state *before,
                     const machine_state *after)
{
    outcome found = try_form(m, f, before, after);

    if (found == OUTCOME_OTHER)
        fail_msg("%s (%u): predication %u, mask %u, channels 0x%x: not the same",
                 vsg_isa_op(m->inst.op)->text, m->inst.exec_size, f->predication, f->mask,
                 enabled_channels(m));
    return found != OUTCOME_NONE;
}

/* ---- choosing --------------------------------------------------------------------------- */

static void draw_form(machine *m, form *f)
{
    bool has_predicate = vsg_isa_has_slot(m->inst.op, VSG_ISA_SLOT_PRED);

    f->predication = has_predicate ? (uint8_t)(draw(m) % PRED_COUNT) : PRED_NONE;
    f->mask = (uint8_t)(draw(m) % MASKS);
    for (uint32_t i = 0; i < MACHINE_OPERANDS; i++)
        f->kinds[i] = (uint8_t)(draw(m) % KIND_COUNT);
}

static uint64_t kind_bit(const machine *m, uint32_t operand, uint32_t k)
{
    return (uint64_t)1 << ((uint32_t)type_of(&m->operands[operand]) * KIND_COUNT + k);
}

/* The item-th thing that a form may have: predications, masks, then kinds of each operand.
 * False: there is no such one. */
static bool want(const machine *m, uint32_t item, form *f, const history *had)
{
    uint32_t operand = (item - PRED_COUNT - MASKS) / KIND_COUNT;

    if (item < PRED_COUNT + MASKS && !vsg_isa_has_slot(m->inst.op, VSG_ISA_SLOT_EXEC))
        return false;
    if (item < PRED_COUNT) {
        f->predication = (uint8_t)item;
        return vsg_isa_has_slot(m->inst.op, VSG_ISA_SLOT_PRED) &&
               !(had->predications >> item & 1);
    }
    item -= PRED_COUNT;
    if (item < MASKS) {
        f->mask = (uint8_t)item;
        return !(had->masks >> item & 1);
    }
    item = (item - MASKS) % KIND_COUNT;
    f->kinds[operand] = (uint8_t)item;
    return operand < m->inst.num_operands && is_scalar(m, operand) &&
           !(had->kinds[operand] & kind_bit(m, operand, item));
}

static void note(history *had, const machine *m, const form *f)
{
    had->predications |= 1u << f->predication;
    had->masks |= 1u << f->mask;
    for (uint32_t i = 0; i < m->inst.num_operands; i++)
        if (is_scalar(m, i))
            had->kinds[i] |= kind_bit(m, i, f->kinds[i]);
}

static history histories[VISAGE_OP_COUNT];

/* Forms that have something new. */
static void run_new_forms(machine *m, const machine_state *before, const machine_state *after)
{
    enum { ITEMS = PRED_COUNT + MASKS + MACHINE_OPERANDS * KIND_COUNT };
    history *had = &histories[m->inst.op];
    uint32_t count = 0;
    form f;

    for (uint32_t item = 0; item < ITEMS && count < MOST_FORMS; item++) {
        for (uint32_t tries = 0; tries < TRIES; tries++) {
            draw_form(m, &f);
            if (!want(m, item, &f, had))
                break;
            if (run_form(m, &f, before, after)) {
                note(had, m, &f);
                count++;
            }
        }
    }
}

static void run_any_form(machine *m, const machine_state *before, const machine_state *after)
{
    form f;

    for (uint32_t tries = 0; tries < MASKS * TRIES; tries++) {
        draw_form(m, &f);
        if (run_form(m, &f, before, after))
            return;
    }
}

/* One that does the same where nothing else is going on (RAW_SEND, RAW_SENDS: "after
 * dependences"). */
static visage_op waiting_op(visage_op op)
{
    return op == VISAGE_OP_RAW_SEND    ? VISAGE_OP_RAW_SENDC
           : op == VISAGE_OP_RAW_SENDS ? VISAGE_OP_RAW_SENDSC
                                       : op;
}

void machine_run_forms(machine *m, const machine_state *before)
{
    static machine_state after;
    visage_op op = m->inst.op;

    if (m->float_first || m->is_shared)
        return;
    machine_keep(m, &after);
    run_new_forms(m, before, &after);
    m->inst.op = waiting_op(op);
    if (m->inst.op != op) {
        run_new_forms(m, before, &after);
        run_any_form(m, before, &after);
    }
    m->inst.op = op;
}

/* ---- the forms themselves --------------------------------------------------------------- */

bool machine_forms_differ(machine *m, const machine_state *before, const machine_state *after)
{
    enum { DRAWN = 32 };
    uint32_t run = 0, other = 0;
    form f;

    for (uint32_t i = 0; i < DRAWN; i++) {
        draw_form(m, &f);
        outcome found = try_form(m, &f, before, after);
        run += found != OUTCOME_NONE;
        other += found == OUTCOME_OTHER;
    }
    return run > 0 && run == other;
}

static uint32_t count_bits(uint64_t bits)
{
    uint32_t count = 0;

    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

void machine_forms_check(visage_op op)
{
    enum { LEAST_MASKS = 4, LEAST_KINDS = 2 };
    const history *had = &histories[op];

    if (vsg_isa_has_slot(op, VSG_ISA_SLOT_PRED) && had->predications != (1u << PRED_COUNT) - 1)
        fail_msg("%s: predications 0x%x alone", vsg_isa_op(op)->text, had->predications);
    if (vsg_isa_has_slot(op, VSG_ISA_SLOT_EXEC) && count_bits(had->masks) < LEAST_MASKS)
        fail_msg("%s: masks 0x%x alone", vsg_isa_op(op)->text, had->masks);
    for (uint32_t i = 0; i < vsg_isa_num_operands(op); i++) {
        const vsg_isa_slot *slot = vsg_isa_operand_slot(op, i);
        if (slot->kind == VSG_ISA_SLOT_SRC && (slot->flags & VSG_ISA_SLOT_SCALAR) != 0 &&
            count_bits(had->kinds[i]) < LEAST_KINDS)
            fail_msg("%s: %s has had too few forms", vsg_isa_op(op)->text, slot->name);
    }
}
