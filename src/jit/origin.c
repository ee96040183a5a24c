/* SPDX-License-Identifier: MIT
 *
 * Where the values of variables come from. What many channels have loaded are often indices
 * that follow each other, or are equal: the tests for that are worth it, as a vector access
 * takes a third of a gather's time. But a few bits cut out of loaded data, or bytes of them,
 * are what tables are looked up by; of 16 such addresses a row is hardly ever made, and tests
 * of them and code for rows only cost time. */
#include "exec/message.h"
#include "jit/lowering.h"
#include "jit/rows.h"

/* With more bits an index is that of a list, without what else its element has; beyond such
 * shifts are the upper halves of addresses. */
enum { MOST_BITS = 20, MOST_SHIFT = 24 };

typedef struct tracer {
    vsg_jit_emitter *e;
    vsg_jit_origin origin;
    bool changed;
} tracer;

/* ---- instructions ------------------------------------------------------------------------ */

static bool is_constant(const vsg_exe_operand *operand)
{
    return operand->kind == VSG_EXE_OPERAND_IMMEDIATE && operand->count == 1;
}

/* Does an instruction cut bits out of its operands? */
static bool cuts(const vsg_exe_inst *inst)
{
    const vsg_exe_operand *last = &inst->src[1];

    switch ((visage_op)inst->op) {
    case VISAGE_OP_AND:
        return !is_constant(last) || __builtin_popcountll(last->elements[0]) <= MOST_BITS;
    case VISAGE_OP_SHR:
        return !is_constant(last) || last->elements[0] <= MOST_SHIFT;
    case VISAGE_OP_BFN:
        return true;
    case VISAGE_OP_MOV:
        return inst->src[0].bytes == 1;
    default:
        return false;
    }
}

/* NULL: the operand has no row. */
static const vsg_jit_row *row_of(const vsg_jit_emitter *e, const vsg_exe_operand *operand)
{
    if (operand->kind != VSG_EXE_OPERAND_REGION || operand->shared || operand->is_null)
        return NULL;
    uint32_t part = e->part_of[operand->offset];
    return part < e->num_general ? &e->rows[part] : NULL;
}

static vsg_jit_origin origin_of_message(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;

    if (vsg_jit_lower_of(inst) != vsg_jit_lower_load || message->is_block ||
        message->address.is_null || inst->exec_size == 1)
        return VSG_JIT_ORIGIN_OTHER;
    const vsg_jit_row *row = row_of(e, &message->address);
    if (row && row->state == VSG_JIT_ROW_KNOWN && row->step == 0)
        return VSG_JIT_ORIGIN_OTHER;
    return message->memory_bytes == 1 ? VSG_JIT_ORIGIN_CUT : VSG_JIT_ORIGIN_LOADED;
}

/* ---- the analysis ------------------------------------------------------------------------ */

static void take_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    tracer *t = user;

    (void)access;
    (void)covers;
    if (part < t->e->num_general && t->e->rows[part].origin > t->origin)
        t->origin = t->e->rows[part].origin;
}

static void take(void *user, const vsg_jit_access *access)
{
    const tracer *t = user;

    if (access->is_read && !access->is_merge && access->stride_bytes)
        vsg_jit_each_part(t->e, access, take_part, user);
}

static void give_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    tracer *t = user;

    (void)access;
    (void)covers;
    if (part >= t->e->num_general || t->e->rows[part].origin >= t->origin)
        return;
    t->e->rows[part].origin = t->origin;
    t->changed = true;
}

static void give(void *user, const vsg_jit_access *access)
{
    const tracer *t = user;

    if (access->is_written && access->stride_bytes)
        vsg_jit_each_part(t->e, access, give_part, user);
}

static void trace(tracer *t, uint32_t place)
{
    const vsg_exe_inst *inst = &t->e->unit->code[place];

    t->origin = VSG_JIT_ORIGIN_OTHER;
    if (inst->message)
        t->origin = origin_of_message(t->e, inst);
    else
        vsg_jit_accesses(t->e, place, take, t);
    if (t->origin == VSG_JIT_ORIGIN_LOADED && !inst->message && cuts(inst))
        t->origin = VSG_JIT_ORIGIN_CUT;
    if (t->origin != VSG_JIT_ORIGIN_OTHER)
        vsg_jit_accesses(t->e, place, give, t);
}

void vsg_jit_find_origins(vsg_jit_emitter *e)
{
    tracer t = {.e = e, .changed = true};

    while (t.changed) {
        t.changed = false;
        for (uint32_t i = 0; i < e->unit->num_code; i++)
            if (e->notes[i].is_reached)
                trace(&t, i);
    }
}

vsg_jit_origin vsg_jit_origin_of(const vsg_jit_emitter *e, const vsg_exe_operand *operand)
{
    const vsg_jit_row *row = row_of(e, operand);

    return row ? (vsg_jit_origin)row->origin : VSG_JIT_ORIGIN_OTHER;
}
