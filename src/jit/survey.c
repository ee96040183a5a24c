/* SPDX-License-Identifier: MIT
 *
 * What is known of a unit before code is made: where blocks begin, where channels of the
 * dispatch may be off. (Of %cr0: modes.c.)
 *
 * Channels part at a goto of several channels and are together again at its label. The text
 * between is divergent, and so is all of a loop that is closed in it, and all text up to the
 * label of any branch in it (3_execution_model, Control Flow). */
#include "exec/handlers.h"
#include "exec/layout.h"
#include "jit/compile.h"
#include "jit/ways.h"

/* ---- branches ---------------------------------------------------------------------------- */

static bool is_return(const vsg_exe_inst *inst)
{
    return inst->op == VISAGE_OP_RET || inst->op == VISAGE_OP_FRET;
}

/* Threads wait for each other at these, and go on behind them or execute them again. */
bool vsg_jit_is_meeting(const vsg_exe_inst *inst)
{
    vsg_exe_handler handler = inst->handler;

    return inst->op == VISAGE_OP_BARRIER || handler == vsg_exe_do_yield ||
           handler == vsg_exe_do_sbarrier_wait || handler == vsg_exe_do_nbarrier_wait ||
           inst->op == VISAGE_OP_DPASW;
}

/* Does an instruction concern all channels of the dispatch? */
static bool covers_all(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    return (e->dispatch_mask & ~vsg_jit_range(inst)) == 0;
}

bool vsg_jit_is_uniform(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    bool is_alone = e->dispatch_mask == 1; /* the one channel that there is */

    return inst->op == VISAGE_OP_JMP || inst->exec_size == 1 ||
           ((!inst->predicate_mode || is_alone || !e->varies[inst->predicate]) &&
            covers_all(e, inst));
}

bool vsg_jit_diverges(const vsg_jit_emitter *e, uint32_t place)
{
    return e->notes[place].is_divergent || !vsg_jit_is_uniform(e, &e->unit->code[place]);
}

uint32_t vsg_jit_successors(const vsg_jit_emitter *e, uint32_t place, uint32_t *out,
                            uint32_t most)
{
    const vsg_exe_unit *unit = e->unit;
    const vsg_exe_inst *inst = &unit->code[place];
    uint32_t count = 0;
    bool diverges = vsg_jit_diverges(e, place);
    bool may_search = (inst->op == VISAGE_OP_GOTO && inst->target > place) || is_return(inst);

    if ((vsg_exe_is_jump(inst) || inst->op == VISAGE_OP_CALL) && count++ < most)
        out[count - 1] = inst->target;
    for (uint32_t i = 0; i < e->num_returns && is_return(inst); i++)
        if (count++ < most)
            out[count - 1] = e->returns[i];
    if (inst->op == VISAGE_OP_SWITCHJMP)
        for (uint32_t i = 0; i < inst->num_targets; i++)
            if (count++ < most)
                out[count - 1] = inst->targets[i];
    bool falls =
        !(inst->op == VISAGE_OP_SWITCHJMP || inst->handler == vsg_exe_do_past_end ||
          (!inst->predicate_mode && (vsg_exe_is_jump(inst) || is_return(inst)) && !diverges));
    if (falls && place + 1 < unit->num_code && count++ < most)
        out[count - 1] = place + 1;
    if (e->has_ways)
        return may_search && diverges && inst->op == VISAGE_OP_GOTO
                   ? vsg_jit_next_on_way(e, place, out, count, most)
                   : count;
    /* Where channels wait, and where they may wait if none do there. */
    bool searches =
        (may_search && diverges) || (inst->wait != VSG_EXE_NO_WAIT &&
                                     e->notes[place].is_divergent && !vsg_exe_is_jump(inst));
    if (searches && inst->next_wait < inst->end_wait && count++ < most)
        out[count - 1] = unit->waits[inst->next_wait].pc;
    return count;
}

/* ---- divergence -------------------------------------------------------------------------- */

/* True when a note changed. */
static bool mark(vsg_jit_emitter *e, uint32_t from, uint32_t to)
{
    bool changed = false;

    for (uint32_t i = from; i < to && i < e->unit->num_code; i++) {
        changed |= !e->notes[i].is_divergent;
        e->notes[i].is_divergent = true;
    }
    return changed;
}

static bool spread(vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    bool is_divergent = e->notes[place].is_divergent;

    if (is_return(inst) && vsg_jit_diverges(e, place) && (inst->predicate_mode || is_divergent))
        return mark(e, place + 1, e->unit->num_code);
    if (inst->op == VISAGE_OP_CALL && vsg_jit_diverges(e, place))
        return mark(e, inst->target, e->unit->num_code);
    if (!vsg_exe_is_jump(inst) || !vsg_jit_diverges(e, place))
        return false;
    uint32_t first = inst->target > place ? place + 1 : inst->target;
    uint32_t end = inst->target > place ? inst->target : place + 1;
    /* A jump parks nobody: who waits at a label that it leaves out does so for the rest. */
    return mark(e, first, inst->op == VISAGE_OP_JMP ? e->unit->num_code : end);
}

/* The label that ends divergent text still has channels of it: only behind it all are on. */
static void spread_all(vsg_jit_emitter *e)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < e->unit->num_code; i++)
            changed |= spread(e, i);
    }
}

/* ---- predicates whose channels are equal ------------------------------------------------- */

static bool is_uniform_source(const vsg_jit_emitter *e, const vsg_exe_operand *operand)
{
    switch ((vsg_exe_operand_kind)operand->kind) {
    case VSG_EXE_OPERAND_IMMEDIATE:
        return operand->count == 1;
    case VSG_EXE_OPERAND_REGION:
        return operand->shape == VSG_EXE_SHAPE_SCALAR;
    case VSG_EXE_OPERAND_PREDICATE:
        return !e->varies[operand->index];
    default:
        return false;
    }
}

static bool are_same(const vsg_exe_operand *a, const vsg_exe_operand *b)
{
    bool is_immediate = a->kind == VSG_EXE_OPERAND_IMMEDIATE;

    return a->kind == b->kind && a->type == b->type && a->modifier == b->modifier &&
           (is_immediate
                ? a->elements[0] == b->elements[0]
                : a->shared == b->shared && a->offset == b->offset && a->index == b->index);
}

/* Do two instructions write halves of one predicate from the same sources? Compilers for
 * registers of 32 bytes cut those of 32 channels so. */
static bool are_halves(const vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_inst *a = &e->unit->code[place], *b = a + 1;
    uint32_t both = vsg_jit_range(a) | vsg_jit_range(b);

    if (place + 1 >= e->unit->num_code || a->op != b->op || a->control != b->control ||
        a->no_mask != b->no_mask || a->predicate_mode || b->predicate_mode ||
        a->num_sources != b->num_sources || a->exec_size == 1 || b->exec_size == 1 ||
        (e->dispatch_mask & ~both) != 0 || a->dst.kind != VSG_EXE_OPERAND_PREDICATE ||
        b->dst.kind != a->dst.kind || a->dst.index != b->dst.index)
        return false;
    for (uint32_t s = 0; s < a->num_sources; s++) {
        bool is_own =
            b->src[s].kind == VSG_EXE_OPERAND_PREDICATE && b->src[s].index == a->dst.index;
        if (is_own || !are_same(&a->src[s], &b->src[s]))
            return false;
    }
    return true;
}

/* Does an instruction give all channels the same? */
static bool makes_uniform(const vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    bool is_known = inst->op == VISAGE_OP_CMP || inst->op == VISAGE_OP_AND ||
                    inst->op == VISAGE_OP_OR || inst->op == VISAGE_OP_XOR ||
                    inst->op == VISAGE_OP_NOT;

    bool is_whole =
        covers_all(e, inst) || are_halves(e, place) || (place > 0 && are_halves(e, place - 1));

    if (!is_known || inst->predicate_mode || inst->exec_size == 1 || !is_whole ||
        (!inst->no_mask && e->notes[place].is_divergent))
        return false;
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (!is_uniform_source(e, &inst->src[s]))
            return false;
    return true;
}

typedef struct spoiler {
    vsg_jit_emitter *e;
    bool changed;
} spoiler;

static void spoil(void *user, const vsg_jit_access *access)
{
    spoiler *s = user;

    if (access->bytes || !access->is_written || access->at >= s->e->unit->num_predicates)
        return;
    s->changed |= !s->e->varies[access->at];
    s->e->varies[access->at] = true;
}

/* Text diverges at predicates whose channels differ, and predicates written in divergent text
 * are such: each makes more of the other, from nothing on. False: memory is out. */
static bool find_divergence(vsg_jit_emitter *e)
{
    spoiler s = {.e = e, .changed = true};

    e->varies = vsg_base_arena_new(&e->arena, e->unit->num_predicates + 1, sizeof *e->varies);
    if (!e->varies)
        return false;
    while (s.changed) {
        s.changed = false;
        spread_all(e);
        for (uint32_t i = 0; i < e->unit->num_code; i++)
            if (!makes_uniform(e, i))
                vsg_jit_accesses(e, i, spoil, &s);
    }
    return true;
}

/* ---- blocks ------------------------------------------------------------------------------ */

static void lead(vsg_jit_emitter *e, uint32_t place)
{
    if (place < e->unit->num_code)
        e->notes[place].is_leader = true;
}

static void lead_from(vsg_jit_emitter *e, uint32_t place, uint32_t from)
{
    vsg_jit_note *note = &e->notes[place];

    lead(e, place);
    note->first_from = from < note->first_from ? from : note->first_from;
    note->last_from = from > note->last_from ? from : note->last_from;
}

bool vsg_jit_is_entered(const vsg_jit_emitter *e, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i <= last; i++) {
        const vsg_jit_note *note = &e->notes[i];
        if (note->first_from <= note->last_from &&
            (note->first_from < first || note->last_from > last))
            return true;
    }
    return false;
}

/* Where calls come back to. */
static void lead_calls(vsg_jit_emitter *e)
{
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        bool is_function = vsg_jit_is_function_call(inst);
        if (inst->op == VISAGE_OP_CALL) {
            lead_from(e, inst->target, i);
            e->notes[inst->target].is_resumed =
                true; /* subroutines of subroutines can be many */
        }
        if (inst->op != VISAGE_OP_CALL && !is_function)
            continue;
        lead(e, i + 1);
        if (is_function && i + 1 < e->unit->num_code)
            e->notes[i + 1].is_resumed = true;
    }
}

bool vsg_jit_has_calls(const vsg_exe_unit *unit)
{
    for (uint32_t i = 0; i < unit->num_code; i++)
        if (unit->code[i].op == VISAGE_OP_CALL || vsg_jit_is_function_call(&unit->code[i]))
            return true;
    return false;
}

static void find_blocks(vsg_jit_emitter *e)
{
    const vsg_exe_unit *unit = e->unit;
    uint32_t length = 0, least = UINT32_MAX; /* least: target of branches from here on */

    /* What stops in one of several goes on in the others. */
    e->resumes = e->request->resumes || unit->object->is_function || vsg_jit_has_calls(unit);

    for (uint32_t i = 0; i < unit->num_code; i++)
        e->notes[i].first_from = UINT32_MAX;
    lead(e, 0);
    lead_calls(e);
    for (uint32_t i = 0; i < unit->num_waits; i++)
        lead(e, unit->waits[i].pc);
    for (uint32_t i = 0; i < unit->num_code; i++) {
        const vsg_exe_inst *inst = &unit->code[i];
        bool is_back = vsg_exe_is_jump(inst) && inst->target <= i;
        if (vsg_exe_is_jump(inst))
            lead_from(e, inst->target, i);
        if (is_back)
            e->notes[inst->target].is_resumed |= e->resumes;
        for (uint32_t t = 0; t < inst->num_targets; t++) {
            lead_from(e, inst->targets[t], i);
            if (inst->targets[t] <= i)
                e->notes[inst->targets[t]].is_resumed |= e->resumes;
        }
        if (vsg_jit_is_meeting(inst)) {
            lead(e, i);
            e->notes[i].is_resumed |= inst->op != VISAGE_OP_BARRIER;
            if (i + 1 < unit->num_code)
                e->notes[i + 1].is_resumed = true;
        }
        if (vsg_exe_is_jump(inst) || is_return(inst) || inst->num_targets ||
            vsg_jit_is_meeting(inst))
            lead(e, i + 1);
    }
    for (uint32_t i = unit->num_code; i-- > 0;) {
        const vsg_exe_inst *inst = &unit->code[i];
        if (vsg_exe_is_jump(inst) && inst->target < least)
            least = inst->target;
        for (uint32_t t = 0; t < inst->num_targets; t++)
            least = inst->targets[t] < least ? inst->targets[t] : least;
        e->notes[i].is_in_loop = least <= i;
        length++;
        e->notes[i].length = length;
        if (e->notes[i].is_leader)
            length = 0;
    }
}

static bool can_compile(const vsg_jit_emitter *e)
{
    const vsg_exe_unit *unit = e->unit;

    for (uint32_t i = 0; i < unit->num_code; i++) {
        const vsg_exe_inst *inst = &unit->code[i];
        if (inst->op == VISAGE_OP_SWITCHJMP && inst->src[0].kind != VSG_EXE_OPERAND_REGION)
            return false;
    }
    return true;
}

bool vsg_jit_find_returns(vsg_jit_emitter *e)
{
    const vsg_exe_unit *unit = e->unit;

    e->returns = vsg_base_arena_new(&e->arena, unit->num_code, sizeof *e->returns);
    for (uint32_t i = 0; e->returns && i + 1 < unit->num_code; i++)
        if (unit->code[i].op == VISAGE_OP_CALL)
            e->returns[e->num_returns++] = i + 1;
    return e->returns != NULL;
}

/* Of %retval, what a call of the program takes at most. */
static uint32_t find_results(const vsg_exe_program *program)
{
    uint32_t grfs = 0;

    for (uint32_t u = 0; u < program->num_units; u++)
        for (uint32_t i = 0; i < program->units[u].num_code; i++) {
            const vsg_exe_inst *inst = &program->units[u].code[i];
            if (vsg_jit_is_function_call(inst) && inst->control >> 8 > grfs)
                grfs = inst->control >> 8;
        }
    return (grfs < VSG_EXE_RETVAL_GRFS ? grfs : VSG_EXE_RETVAL_GRFS) * program->grf_bytes;
}

/* ---- predicates' bits -------------------------------------------------------------------- */

static uint32_t bits_of_mask(const vsg_exe_inst *inst)
{
    bool combines = (inst->predicate_mode & (VSG_EXE_PRED_ANY | VSG_EXE_PRED_ALL)) != 0;

    if (vsg_isa_op((visage_op)inst->op)->flags & VSG_ISA_PRED_RESULT)
        return UINT32_MAX;
    return combines ? inst->combined : vsg_jit_bits_of(inst);
}

static uint32_t bits_of_source(const vsg_exe_inst *inst, const vsg_exe_operand *source)
{
    return inst->op == VISAGE_OP_MOV ? vsg_exe_first(source->count) : vsg_jit_bits_of(inst);
}

/* What an instruction without a form of its own looks at, whichever operand it is. */
static void note_object(vsg_jit_emitter *e, const vsg_obj_inst *source)
{
    for (uint32_t i = 0; i < source->num_operands; i++)
        if (source->operands[i].class_ == VSG_OBJ_CLASS_PREDICATE && source->operands[i].id)
            e->read_bits[source->operands[i].id - 1] = UINT32_MAX;
}

static bool find_read_bits(vsg_jit_emitter *e)
{
    e->read_bits =
        vsg_base_arena_new(&e->arena, e->unit->num_predicates + 1, sizeof *e->read_bits);
    if (!e->read_bits)
        return false;
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (!inst->source)
            continue;
        if (inst->predicate_mode)
            e->read_bits[inst->predicate] |= bits_of_mask(inst);
        if (vsg_jit_has_own_shape(inst))
            note_object(e, inst->source);
        for (uint32_t s = 0; s < inst->num_sources; s++)
            if (inst->src[s].kind == VSG_EXE_OPERAND_PREDICATE)
                e->read_bits[inst->src[s].index] |= bits_of_source(inst, &inst->src[s]);
    }
    return true;
}

static bool looks_at(const vsg_exe_inst *inst, uint32_t predicate)
{
    bool looks =
        (inst->predicate_mode && inst->predicate == predicate) || vsg_jit_has_own_shape(inst);

    for (uint32_t s = 0; s < inst->num_sources; s++)
        looks |=
            inst->src[s].kind == VSG_EXE_OPERAND_PREDICATE && inst->src[s].index == predicate;
    return looks;
}

/* Are all bits that any instruction looks at written before one does? Compilers for registers
 * of 32 bytes write those of 32 channels by halves. */
static bool starts_anew(const vsg_jit_emitter *e, uint32_t place)
{
    enum { MOST_STEPS = 16 };
    const vsg_exe_inst *first = &e->unit->code[place];
    uint32_t index = first->dst.index;

    if (!first->source || first->dst.kind != VSG_EXE_OPERAND_PREDICATE)
        return false;
    uint32_t left = e->read_bits[index] & ~vsg_jit_bits_of(first);
    for (uint32_t i = 1; left; i++) {
        const vsg_exe_inst *inst = first + i;
        bool is_there = place + i < e->unit->num_code && !e->notes[place + i].is_leader;
        if (i > MOST_STEPS || !is_there || !inst->source || looks_at(inst, index) ||
            (vsg_jit_is_ragged(e) && !inst->no_mask))
            return false;
        if (inst->dst.kind == VSG_EXE_OPERAND_PREDICATE && inst->dst.index == index &&
            !inst->predicate_mode && inst->no_mask == first->no_mask)
            left &= ~vsg_jit_bits_of(inst);
    }
    return true;
}

bool vsg_jit_survey(vsg_jit_emitter *e)
{
    if (!can_compile(e) || !find_read_bits(e))
        return false;
    e->result_bytes = e->unit->object->is_function ? find_results(e->program) : 0;
    e->notes = vsg_base_arena_new(&e->arena, e->unit->num_code, sizeof *e->notes);
    if (!e->notes || !vsg_jit_find_returns(e))
        return false;
    if (e->request->is_partial)
        (void)mark(e, 0, e->unit->num_code);
    if (!find_divergence(e))
        return false;
    find_blocks(e);
    for (uint32_t i = 0; i < e->unit->num_code; i++)
        e->notes[i].starts_anew = starts_anew(e, i);
    if (!vsg_jit_find_modes(e))
        return false;
    vsg_jit_choose_mode(e);
    return true;
}
