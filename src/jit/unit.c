/* SPDX-License-Identifier: MIT
 *
 * The function of a unit: a batch of threads in, reason to stop out; around its text is the
 * loop over the threads (entry.c). */
#include <stddef.h>
#include <string.h>

#include "jit/divide.h"
#include "jit/entry.h"
#include "jit/frame.h"
#include "jit/group.h"
#include "jit/lines.h"
#include "jit/loops.h"
#include "jit/rows.h"
#include "jit/sides.h"
#include "jit/trace.h"

static const vsg_jit_lower lowers[VISAGE_OP_COUNT] = {
#define LOWER(op, lower, weight) [VISAGE_OP_##op] = vsg_jit_lower_##lower,
#include "jit/lower.def"
#undef LOWER
};

vsg_jit_lower vsg_jit_lower_of(const vsg_exe_inst *inst)
{
    return inst->source ? lowers[inst->op] : NULL;
}

bool vsg_jit_does_nothing(const vsg_exe_inst *inst)
{
    if (!inst->source)
        return inst->op == VISAGE_OP_LABEL && inst->wait == VSG_EXE_NO_WAIT;
    return lowers[inst->op] == vsg_jit_lower_nothing;
}

LLVMBasicBlockRef vsg_jit_block(vsg_jit_emitter *e)
{
    return LLVMAppendBasicBlockInContext(e->context, e->function, "");
}

void vsg_jit_go_on(vsg_jit_emitter *e, LLVMBasicBlockRef block)
{
    LLVMPositionBuilderAtEnd(e->b, block);
}

bool vsg_jit_is_ended(const vsg_jit_emitter *e)
{
    return LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(e->b)) != NULL;
}

/* ---- slots ------------------------------------------------------------------------------- */

static LLVMValueRef slot(vsg_jit_emitter *e, LLVMTypeRef type)
{
    LLVMValueRef value = LLVMBuildAlloca(e->b, type, "");

    LLVMSetAlignment(value, 64);
    return value;
}

bool vsg_jit_make_slots(vsg_jit_emitter *e)
{
    uint32_t waits = e->unit->num_waits;

    e->waits = vsg_base_arena_new(&e->arena, waits + 1, sizeof *e->waits);
    e->searches = vsg_base_arena_new(&e->arena, waits + 1, sizeof(LLVMBasicBlockRef));
    e->blocks = vsg_base_arena_new(&e->arena, e->unit->num_code, sizeof(LLVMBasicBlockRef));
    if (!e->waits || !e->searches || !e->blocks)
        return false;
    for (uint32_t i = 0; i < e->num_parts; i++)
        if (!e->parts[i].in_frame)
            e->parts[i].slot = slot(e, e->parts[i].type);
    for (uint32_t i = 0; i < waits && !e->waits_in_frame; i++)
        e->waits[i] = slot(e, e->i32);
    vsg_jit_make_row_slots(e);
    vsg_jit_make_side_slots(e);
    vsg_jit_make_loop_slots(e);
    e->mask = slot(e, e->i32);
    e->call_mask = slot(e, e->i32);
    e->count = slot(e, e->i64);
    e->budget = slot(e, e->i64);
    e->reason = slot(e, e->i32);
    return true;
}

/* ---- waiting channels ---------------------------------------------------------------------
 */

/* By wait: does the next one belong to another subroutine? NULL: memory is out. */
static const bool *find_ends(vsg_jit_emitter *e)
{
    const vsg_exe_unit *unit = e->unit;
    bool *ends = vsg_base_arena_new(&e->arena, unit->num_waits + 1, sizeof *ends);

    for (uint32_t i = 0; ends && i < unit->num_code; i++)
        if (unit->code[i].next_wait < unit->code[i].end_wait)
            ends[unit->code[i].end_wait - 1] = true;
    return ends;
}

/* From each place where channels may wait to the next, until one has some. */
static void emit_searches(vsg_jit_emitter *e)
{
    uint32_t waits = e->unit->num_waits;
    const bool *ends = find_ends(e);

    e->no_memory |= !ends;
    for (uint32_t i = 0; i < waits && ends && !e->has_ways; i++)
        vsg_jit_emit_search(e, i, e->searches[ends[i] ? waits : i + 1]);
    vsg_jit_emit_lost(e);
}

/* ---- the text ---------------------------------------------------------------------------- */

static void emit_instruction(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    vsg_jit_lower lower = vsg_jit_lower_of(inst);
    bool sets_mode = !inst->writes_mode || e->notes[e->place].is_known_mode;

    if (e->place == e->mode_at) { /* done in front of all threads */
        e->stats.compiled++;
        return;
    }
    if (lower && !inst->refresh && sets_mode &&
        (vsg_jit_lower_addressed(e, inst, lower) || lower(e, inst))) {
        e->stats.compiled++;
        return;
    }
    if (vsg_jit_flow(e, inst)) {
        e->stats.compiled++;
        return;
    }
    e->stats.called++;
    vsg_jit_call_handler(e);
}

void vsg_jit_emit_instruction(vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    vsg_jit_row_plan rows;

    e->place = place;
    vsg_jit_begin_rows(e, inst, &rows);
    emit_instruction(e, inst);
    if (!vsg_jit_is_ended(e))
        vsg_jit_end_rows(e, &rows);
    if (!vsg_jit_is_ended(e))
        vsg_jit_note_sides(e, inst);
    e->loading = NULL;
}

void vsg_jit_emit_copy(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    emit_instruction(e, inst);
}

static void begin_block(vsg_jit_emitter *e, uint32_t place)
{
    LLVMValueRef count;

    vsg_jit_go_on(e, e->blocks[place]);
    if (place == 0)
        vsg_jit_begin_trace(e);
    vsg_jit_emit_loop_by_channels(e, place);
    count = LLVMBuildLoad2(e->b, e->i64, e->count, "");
    count = LLVMBuildAdd(e->b, count, vsg_jit_i64(e, e->notes[place].length), "");
    LLVMBuildStore(e->b, count, e->count);
}

static void emit_text(vsg_jit_emitter *e)
{
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        e->place = i;
        vsg_jit_mark_line(e, i);
        if (e->notes[i].is_leader)
            begin_block(e, i);
        if (!e->notes[i].is_reached) {
            if (!vsg_jit_is_ended(e))
                LLVMBuildUnreachable(e->b);
            continue;
        }
        vsg_jit_emit_division(e, i);
        vsg_jit_emit_instruction(e, i);
        if (vsg_jit_is_ended(e))
            continue;
        if (i + 1 == e->unit->num_code)
            LLVMBuildBr(e->b, e->searches[e->unit->num_waits]);
        else if (e->notes[i + 1].is_leader)
            LLVMBuildBr(e->b, e->blocks[i + 1]);
    }
}

/* NULL: memory is out. */
static const char *name_with(vsg_jit_emitter *e, const char *name, const char *suffix)
{
    size_t length = strlen(name), more = strlen(suffix) + 1;
    char *both = vsg_base_arena_new(&e->arena, length + more, 1);

    if (both) {
        memcpy(both, name, length);
        memcpy(both + length, suffix, more);
    }
    return both;
}

static bool emit_threads(vsg_jit_emitter *e)
{
    LLVMBasicBlockRef entry = vsg_jit_block(e);

    vsg_jit_go_on(e, entry);
    if (!vsg_jit_make_slots(e))
        return false;
    e->stop = vsg_jit_block(e);
    for (uint32_t i = 0; i < e->unit->num_code; i++)
        if (e->notes[i].is_leader)
            e->blocks[i] = vsg_jit_block(e);
    for (uint32_t i = e->has_ways ? e->unit->num_waits : 0; i <= e->unit->num_waits; i++)
        e->searches[i] = vsg_jit_block(e);
    vsg_jit_emit_loop(e, entry);
    emit_text(e);
    vsg_jit_mark_line(e, VSG_JIT_NO_PLACE);
    emit_searches(e);
    return true;
}

bool vsg_jit_emit(vsg_jit_emitter *e, const char *unit)
{
    LLVMTypeRef signature = LLVMFunctionType(e->i32, &e->pointer, 1, false);
    const char *name = e->group ? name_with(e, unit, VSG_JIT_OF_GROUPS) : unit;
    const char *flushing = name ? name_with(e, name, ".flushing") : NULL;

    if (!flushing)
        return false;
    e->function = LLVMAddFunction(e->module, e->flushes ? flushing : name, signature);
    e->batch = LLVMGetParam(e->function, 0);
    vsg_jit_mark_line(e, VSG_JIT_NO_PLACE);
    if (!(e->group ? vsg_jit_emit_group(e) : emit_threads(e)) || !vsg_jit_tell_turns(e))
        return false;
    if (e->flushes)
        vsg_jit_emit_around(e, name);
    return !e->no_memory;
}
