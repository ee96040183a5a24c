/* SPDX-License-Identifier: MIT
 *
 * The function that runs groups as a whole: a copy of the text for each thread. Each copy has
 * slots of its own; the emitter's are exchanged when another thread has its turn. Batches are
 * nothing but whole groups that have not begun (vsg_jit_code.runs_groups). */
#include <stddef.h>

#include "jit/entry.h"
#include "jit/frame.h"
#include "jit/group.h"
#include "jit/lines.h"
#include "jit/marks.h"
#include "jit/memories.h"
#include "jit/rows.h"
#include "jit/slm.h"
#include "jit/tiles.h"

/* Names (memories.h). */
enum { MEMORY_SLM, MEMORY_GROUP, MEMORY_BATCH, MEMORY_THREAD };

/* What the emitter has of a thread. */
typedef struct copy {
    vsg_jit_part *parts;
    vsg_jit_row *rows;
    LLVMValueRef thread, registers, shared, waits_at, thread_payload, number;
    LLVMValueRef mask, call_mask, count, budget, reason;
    LLVMValueRef *waits;
    LLVMBasicBlockRef *blocks, *searches, stop;
} copy;

typedef struct group_emitter {
    vsg_jit_emitter *e;
    struct vsg_jit_group *group;
    copy *copies;
    LLVMBasicBlockRef *segments; /* by instruction; NULL: none begins */
    LLVMBasicBlockRef done;
    /* Of each group: not loaded again, so that tests of it are relieved. No call lowers it:
     * there are none in such groups. */
    LLVMValueRef budget;
    uint32_t current; /* thread */
} group_emitter;

static void save(const vsg_jit_emitter *e, copy *out)
{
    *out = (copy){.parts = e->parts,
                  .rows = e->rows,
                  .thread = e->thread,
                  .registers = e->registers,
                  .shared = e->shared,
                  .waits_at = e->waits_at,
                  .thread_payload = e->thread_payload,
                  .number = e->number,
                  .mask = e->mask,
                  .call_mask = e->call_mask,
                  .count = e->count,
                  .budget = e->budget,
                  .reason = e->reason,
                  .waits = e->waits,
                  .blocks = e->blocks,
                  .searches = e->searches,
                  .stop = e->stop};
}

static void use(vsg_jit_emitter *e, const copy *c)
{
    e->parts = c->parts;
    e->rows = c->rows;
    e->thread = c->thread;
    e->registers = c->registers;
    e->shared = c->shared;
    e->waits_at = c->waits_at;
    e->thread_payload = c->thread_payload;
    e->number = c->number;
    e->mask = c->mask;
    e->call_mask = c->call_mask;
    e->count = c->count;
    e->budget = c->budget;
    e->reason = c->reason;
    e->waits = c->waits;
    e->blocks = c->blocks;
    e->searches = c->searches;
    e->stop = c->stop;
}

static void turn_to(group_emitter *g, uint32_t thread)
{
    use(g->e, &g->copies[thread]);
    g->current = thread;
}

/* ---- threads ----------------------------------------------------------------------------- */

/* Slots of its own for each thread, in the entry block. False: memory is out. */
static bool make_copies(group_emitter *g)
{
    vsg_jit_emitter *e = g->e;
    size_t num_parts = (size_t)e->num_parts + VSG_JIT_MOST_LANES;

    for (uint32_t t = 0; t < g->group->num_threads; t++) {
        vsg_jit_part *parts = vsg_base_arena_new(&e->arena, num_parts, sizeof *parts);
        vsg_jit_row *rows =
            vsg_base_arena_new(&e->arena, (size_t)e->num_parts + 1, sizeof *rows);
        if (!parts || !rows)
            return false;
        for (uint32_t i = 0; i < e->num_parts; i++) {
            parts[i] = e->parts[i];
            rows[i] = e->rows[i];
        }
        e->parts = parts;
        e->rows = rows;
        e->number = vsg_jit_i32(e, t);
        if (!vsg_jit_make_slots(e))
            return false;
        vsg_jit_open_struct(e, e->number);
        vsg_jit_number_thread(e);
        e->stop = vsg_jit_block(e);
        save(e, &g->copies[t]);
    }
    return true;
}

static void begin_threads(group_emitter *g)
{
    vsg_jit_emitter *e = g->e;

    vsg_jit_clear_slm(e);
    for (uint32_t t = 0; t < g->group->num_threads; t++) {
        turn_to(g, t);
        vsg_jit_open_thread(e);
        g->copies[t].thread_payload = e->thread_payload;
        vsg_jit_begin_thread(e);
    }
    LLVMBuildStore(e->b, vsg_jit_i64(e, 0), g->group->count);
    LLVMBuildStore(e->b, g->budget, g->group->budget);
}

static LLVMValueRef reason_at(vsg_jit_emitter *e, uint32_t thread)
{
    LLVMValueRef reasons = vsg_jit_batch_field(e, e->pointer, offsetof(vsg_jit_batch, reasons));

    return vsg_jit_at(e, reasons, thread);
}

/* A thread stops for what the others cannot go on without: those before it count as waiting,
 * those behind it as not begun. */
static void close_thread(group_emitter *g, uint32_t thread)
{
    vsg_jit_emitter *e = g->e;

    turn_to(g, thread);
    vsg_jit_go_on(e, e->stop);
    LLVMValueRef executed_at = vsg_jit_field(e, offsetof(vsg_exe_thread, executed));
    LLVMValueRef executed = LLVMBuildLoad2(e->b, e->i64, e->count, "");
    executed =
        LLVMBuildAdd(e->b, executed, LLVMBuildLoad2(e->b, e->i64, g->group->count, ""), "");
    LLVMBuildStore(e->b, executed, executed_at);
    for (uint32_t t = 0; t < thread; t++)
        LLVMBuildStore(e->b, LLVMConstInt(e->i8, VSG_EXE_STOP_BARRIER, false), reason_at(e, t));
    LLVMBuildStore(e->b, e->number, vsg_jit_at(e, e->batch, offsetof(vsg_jit_batch, next)));
    LLVMBuildRet(e->b, LLVMBuildLoad2(e->b, e->i32, e->reason, ""));
}

/* All have ended: the next group, if there is one. */
static void close_group(group_emitter *g, LLVMBasicBlockRef head)
{
    vsg_jit_emitter *e = g->e;
    uint32_t num_threads = g->group->num_threads;
    LLVMBasicBlockRef last = vsg_jit_block(e);

    vsg_jit_go_on(e, g->done);
    LLVMValueRef executed_at = vsg_jit_at(e, e->batch, offsetof(vsg_jit_batch, executed));
    LLVMValueRef executed =
        LLVMBuildMul(e->b, LLVMBuildLoad2(e->b, e->i64, g->group->count, ""),
                     vsg_jit_i64(e, num_threads), "");
    for (uint32_t t = 0; t < num_threads; t++) {
        turn_to(g, t);
        executed = LLVMBuildAdd(e->b, executed, LLVMBuildLoad2(e->b, e->i64, e->count, ""), "");
    }
    executed = LLVMBuildAdd(e->b, executed, LLVMBuildLoad2(e->b, e->i64, executed_at, ""), "");
    LLVMBuildStore(e->b, executed, executed_at);
    /* Told behind the last one, too, with nothing new, so that LLVM tells of it but once. */
    vsg_jit_step step = vsg_jit_next_id(e, LLVMBuildLoad2(e->b, e->i32, g->group->id, ""));
    LLVMBuildStore(e->b, step.next, g->group->id);
    for (uint32_t t = 0; t < num_threads; t++) {
        turn_to(g, t);
        vsg_jit_put_id(e, step.told);
    }
    vsg_jit_mark_end_of_group(e, LLVMBuildCondBr(e->b, step.is_last, last, head));
    vsg_jit_go_on(e, last);
    for (uint32_t t = 0; t < num_threads; t++)
        LLVMBuildStore(e->b, LLVMConstInt(e->i8, VSG_EXE_STOP_END, false), reason_at(e, t));
    LLVMBuildStore(e->b, vsg_jit_i32(e, num_threads),
                   vsg_jit_at(e, e->batch, offsetof(vsg_jit_batch, next)));
    LLVMBuildRet(e->b, vsg_jit_i32(e, VSG_EXE_RUNNING));
}

void vsg_jit_look(vsg_jit_emitter *e, uint32_t target, LLVMValueRef budget, LLVMValueRef done,
                  LLVMBasicBlockRef head)
{
    LLVMTypeRef types[] = {e->pointer, e->i64, e->i32};
    LLVMTypeRef signature = LLVMFunctionType(e->i32, types, 3, false);
    LLVMBasicBlockRef on = vsg_jit_block(e), over = vsg_jit_block(e);
    LLVMValueRef args[] = {e->batch, e->group ? vsg_jit_i64(e, 0) : done,
                           vsg_jit_i32(e, e->unit->code[target].polls)};
    LLVMValueRef stops = vsg_jit_call_rarely(e, "vsg_jit_stops", signature, args, 3);

    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, stops, vsg_jit_i32(e, 0), ""), on,
                    over);
    vsg_jit_go_on(e, on);
    LLVMValueRef more = vsg_jit_batch_field(e, e->i64, offsetof(vsg_jit_batch, budget));
    more = LLVMBuildAdd(e->b, LLVMBuildLoad2(e->b, e->i64, budget, ""), more, "");
    if (!e->group) {
        LLVMValueRef most[] = {more,
                               vsg_jit_batch_field(e, e->i64, offsetof(vsg_jit_batch, turn))};
        more = vsg_jit_intrinsic(e, "llvm.umin", e->i64, most, 2);
    }
    LLVMBuildStore(e->b, more, budget);
    LLVMBuildBr(e->b, head);
    vsg_jit_go_on(e, over);
}

/* ---- segments ---------------------------------------------------------------------------- */

static void add_to(vsg_jit_emitter *e, LLVMValueRef slot, uint32_t count)
{
    LLVMValueRef sum = LLVMBuildLoad2(e->b, e->i64, slot, "");

    LLVMBuildStore(e->b, LLVMBuildAdd(e->b, sum, vsg_jit_i64(e, count), ""), slot);
}

/* What all threads execute is counted once. */
static void count_block(group_emitter *g, uint32_t place)
{
    vsg_jit_emitter *e = g->e;
    uint32_t length = e->notes[place].length;

    if (g->group->is_private[place])
        add_to(e, e->count, length);
    else if (g->current == 0)
        add_to(e, g->group->count, length);
}

/* Is a wait behind `first`, up to `end`, one that is searched for? */
static bool is_in(const vsg_jit_emitter *e, uint32_t wait, uint32_t first, uint32_t end)
{
    return !e->has_ways && e->unit->waits[wait].pc > first && e->unit->waits[wait].pc <= end;
}

static void emit_searches(vsg_jit_emitter *e, uint32_t first, uint32_t end)
{
    uint32_t waits = e->unit->num_waits;
    LLVMBasicBlockRef behind = e->searches[waits];

    for (uint32_t i = waits; i-- > 0;) {
        if (!is_in(e, i, first, end))
            continue;
        vsg_jit_emit_search(e, i, behind);
        behind = e->searches[i];
    }
    vsg_jit_emit_lost(e);
}

/* Blocks of a thread's way through `first` to `end - 1`; who goes further goes to `next`. */
static void open_blocks(vsg_jit_emitter *e, uint32_t first, uint32_t end,
                        LLVMBasicBlockRef next)
{
    uint32_t waits = e->unit->num_waits, num_code = e->unit->num_code;

    for (uint32_t i = 0; i < num_code; i++)
        e->blocks[i] = i >= end ? next : NULL;
    for (uint32_t i = first; i < end; i++)
        if (e->notes[i].is_leader)
            e->blocks[i] = vsg_jit_block(e);
    e->searches[waits] = vsg_jit_block(e);
    for (uint32_t i = 0; i < waits; i++)
        e->searches[i] = is_in(e, i, first, end) ? vsg_jit_block(e) : e->searches[waits];
}

static void emit_copy(group_emitter *g, uint32_t first, uint32_t end)
{
    vsg_jit_emitter *e = g->e;
    LLVMBasicBlockRef next = vsg_jit_block(e);
    vsg_jit_stats stats = e->stats;

    open_blocks(e, first, end, next);
    for (uint32_t i = first; i < end; i++) {
        vsg_jit_mark_line(e, i);
        if (e->notes[i].is_leader) {
            if (!vsg_jit_is_ended(e))
                LLVMBuildBr(e->b, e->blocks[i]);
            vsg_jit_go_on(e, e->blocks[i]);
            count_block(g, i);
        }
        if (!e->notes[i].is_reached && !vsg_jit_is_ended(e))
            LLVMBuildUnreachable(e->b);
        if (!vsg_jit_is_ended(e))
            vsg_jit_emit_instruction(e, i);
    }
    if (!vsg_jit_is_ended(e))
        LLVMBuildBr(e->b, next);
    vsg_jit_mark_line(e, VSG_JIT_NO_PLACE);
    emit_searches(e, first, end);
    vsg_jit_go_on(e, next);
    if (g->current > 0) /* the first one's count for all */
        e->stats = stats;
}

/* Is a loop of all threads to be unrolled, if LLVM finds how many rounds it has? These mostly
 * are the logarithm of a group's size. `most`: instructions of the text, in all rounds of all
 * threads; a loop in it is taken to have as many rounds. */
static bool is_unrolled(const group_emitter *g, uint32_t first, uint32_t last)
{
    const uint64_t rounds = 8, most = 8000;
    const vsg_exe_inst *code = g->e->unit->code;
    uint64_t count = (uint64_t)(last - first) * g->group->num_threads * rounds;

    for (uint32_t i = first; i < last; i++)
        if (g->group->is_common[i] && code[i].target <= i && count <= most)
            count *= rounds;
    return count <= most && g->e->care.group == VSG_JIT_GROUP_UNROLLS;
}

/* A branch of all threads: as the first one has it. */
static void emit_common_branch(group_emitter *g, uint32_t place)
{
    vsg_jit_emitter *e = g->e;
    const vsg_exe_inst *inst = &e->unit->code[place];
    LLVMBasicBlockRef target = g->segments[inst->target];

    turn_to(g, 0);
    e->place = place;
    LLVMValueRef taken = vsg_jit_condition(e, inst);
    if (inst->target <= place) {
        LLVMBasicBlockRef back = vsg_jit_block(e), late = vsg_jit_block(e);
        LLVMBasicBlockRef latch = vsg_jit_block(e), over = vsg_jit_block(e);
        if (taken)
            LLVMBuildCondBr(e->b, taken, back, g->segments[place + 1]);
        else
            LLVMBuildBr(e->b, back);
        vsg_jit_go_on(e, back);
        LLVMValueRef done = LLVMBuildLoad2(e->b, e->i64, g->group->count, "");
        LLVMValueRef is_early = vsg_jit_is_below(e, done, g->budget);
        vsg_jit_likely(e, LLVMBuildCondBr(e->b, is_early, latch, late));
        vsg_jit_go_on(e, late);
        LLVMValueRef most = LLVMBuildLoad2(e->b, e->i64, g->group->budget, "");
        LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntULT, done, most, ""), latch, over);
        vsg_jit_go_on(e, over);
        vsg_jit_look(e, inst->target, g->group->budget, done, latch);
        vsg_jit_suspend(e, inst->target, vsg_jit_i32(e, VSG_EXE_STOP_BUDGET));
        vsg_jit_go_on(e, latch);
        LLVMValueRef again = LLVMBuildBr(e->b, target);
        if (is_unrolled(g, inst->target, place)) {
            vsg_jit_advise(e, again, "llvm.loop.unroll.full");
            g->group->unrolls = true;
        }
    } else if (taken) {
        LLVMBuildCondBr(e->b, taken, target, g->segments[place + 1]);
    } else {
        LLVMBuildBr(e->b, target);
    }
}

static void emit_segment(group_emitter *g, uint32_t first, uint32_t end)
{
    vsg_jit_emitter *e = g->e;
    uint32_t last = end - 1;
    const vsg_exe_inst *inst = &e->unit->code[last];
    bool ends =
        inst->op == VISAGE_OP_BARRIER || inst->op == VISAGE_OP_RET || g->group->is_common[last];

    vsg_jit_go_on(e, g->segments[first]);
    for (uint32_t t = 0; t < g->group->num_threads; t++) {
        turn_to(g, t);
        emit_copy(g, first, ends ? last : end);
    }
    /* A block that has nothing but its end is one of all threads, too. */
    if (ends && e->notes[last].is_leader)
        add_to(e, g->group->count, e->notes[last].length);
    e->stats.compiled += ends;
    if (g->group->is_common[last])
        emit_common_branch(g, last);
    else if (inst->op == VISAGE_OP_RET)
        LLVMBuildBr(e->b, g->done);
    else
        LLVMBuildBr(e->b, end < e->unit->num_code ? g->segments[end] : g->done);
}

static void emit_segments(group_emitter *g)
{
    const vsg_jit_emitter *e = g->e;
    uint32_t first = 0, num_code = e->unit->num_code;

    while (first < num_code) {
        uint32_t end = first + 1;
        while (end < num_code && !g->group->is_cut[end])
            end++;
        if (e->notes[first].is_reached) {
            emit_segment(g, first, end);
        } else {
            vsg_jit_go_on(g->e, g->segments[first]);
            LLVMBuildUnreachable(e->b);
        }
        first = end;
    }
}

/* ---- the function ------------------------------------------------------------------------ */

/* What is a thread's own, what all threads share, and what runs them. False: memory is out. */
static bool tell_memories(group_emitter *g)
{
    vsg_jit_emitter *e = g->e;
    enum { POINTERS_OF_THREAD = 3 };
    uint32_t num_threads = g->group->num_threads, count = 0;
    vsg_jit_memory memories[POINTERS_OF_THREAD * VSG_JIT_MOST_THREADS + 3];

    for (uint32_t t = 0; t < num_threads; t++) {
        const copy *c = &g->copies[t];
        memories[count++] = (vsg_jit_memory){c->thread, MEMORY_THREAD + t};
        memories[count++] = (vsg_jit_memory){c->registers, MEMORY_THREAD + t};
        memories[count++] = (vsg_jit_memory){c->shared, MEMORY_THREAD + t};
    }
    memories[count++] = (vsg_jit_memory){e->slm, MEMORY_SLM};
    memories[count++] = (vsg_jit_memory){e->own_group, MEMORY_GROUP};
    memories[count++] = (vsg_jit_memory){e->batch, MEMORY_BATCH};
    return vsg_jit_tell_memories(e, e->function, memories, count);
}

static bool emit_function(group_emitter *g)
{
    vsg_jit_emitter *e = g->e;
    uint32_t num_code = e->unit->num_code;
    LLVMBasicBlockRef head = vsg_jit_block(e);

    g->copies = vsg_base_arena_new(&e->arena, g->group->num_threads, sizeof *g->copies);
    g->segments = vsg_base_arena_new(&e->arena, num_code, sizeof(LLVMBasicBlockRef));
    if (!g->copies || !g->segments || !make_copies(g))
        return false;
    g->group->count = LLVMBuildAlloca(e->b, e->i64, "");
    g->group->budget = LLVMBuildAlloca(e->b, e->i64, "");
    g->group->id = LLVMBuildAlloca(e->b, e->i32, "");
    LLVMBuildStore(e->b, vsg_jit_id(e), g->group->id);
    g->budget = vsg_jit_batch_field(e, e->i64, offsetof(vsg_jit_batch, budget));
    for (uint32_t i = 0; i < num_code; i++)
        if (g->group->is_cut[i])
            g->segments[i] = vsg_jit_block(e);
    g->done = vsg_jit_block(e);
    LLVMBuildBr(e->b, head);
    vsg_jit_go_on(e, head);
    begin_threads(g);
    LLVMBuildBr(e->b, g->segments[0]);
    emit_segments(g);
    close_group(g, head);
    for (uint32_t t = 0; t < g->group->num_threads; t++)
        close_thread(g, t);
    return tell_memories(g);
}

void vsg_jit_improve_group(vsg_jit_emitter *e)
{
    vsg_jit_tell_again(e, e->function);
    vsg_jit_hold_slm(e, MEMORY_SLM);
    vsg_jit_transpose_tiles(e, e->function);
}

bool vsg_jit_emit_group(vsg_jit_emitter *e)
{
    group_emitter g = {.e = e, .group = e->group};

    e->loops = NULL; /* by channels: threads one by one have them */
    vsg_jit_go_on(e, vsg_jit_block(e));
    return emit_function(&g);
}
