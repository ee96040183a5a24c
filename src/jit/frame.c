/* SPDX-License-Identifier: MIT */
#include "jit/frame.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "jit/entry.h"
#include "jit/rows.h"
#include "jit/sets.h"

/* ---- pointers ---------------------------------------------------------------------------- */

LLVMValueRef vsg_jit_field(vsg_jit_emitter *e, size_t offset)
{
    return vsg_jit_at(e, e->thread, offset);
}

/* One for the function, in its first block: memory that a loop takes from the stack is not
 * given back before the function's end. */
LLVMValueRef vsg_jit_work(vsg_jit_emitter *e)
{
    if (!e->work) {
        LLVMBasicBlockRef current = LLVMGetInsertBlock(e->b);
        LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(e->function);
        LLVMPositionBuilder(e->b, first, LLVMGetFirstInstruction(first));
        e->work = LLVMBuildAlloca(e->b, vsg_jit_int(e, 8, VSG_JIT_WORK_BYTES), "");
        LLVMSetAlignment(e->work, 64);
        vsg_jit_go_on(e, current);
    }
    return e->work;
}

LLVMValueRef vsg_jit_callee(vsg_jit_emitter *e, const char *name, LLVMTypeRef signature)
{
    LLVMValueRef function = LLVMGetNamedFunction(e->module, name);

    return function ? function : LLVMAddFunction(e->module, name, signature);
}

LLVMValueRef vsg_jit_inst_at(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    LLVMValueRef code =
        LLVMBuildLoad2(e->b, e->pointer, vsg_jit_field(e, offsetof(vsg_exe_thread, code)), "");

    return vsg_jit_at(e, code, (uint64_t)(inst - e->unit->code) * sizeof *inst);
}

static LLVMValueRef call_keeping(vsg_jit_emitter *e, LLVMValueRef function,
                                 LLVMTypeRef signature, LLVMValueRef *args, uint32_t num_args)
{
    static const char attribute[] = "no_caller_saved_registers";
    LLVMValueRef call = LLVMBuildCall2(e->b, signature, function, args, num_args, "");

    LLVMAddCallSiteAttribute(
        call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(e->context, attribute, sizeof attribute - 1, "", 0));
    return call;
}

/* The functions that keep registers have names of their own. */
LLVMValueRef vsg_jit_call_rarely(vsg_jit_emitter *e, const char *name, LLVMTypeRef signature,
                                 LLVMValueRef *args, uint32_t num_args)
{
    char kept[64];

    if (!e->keeps)
        return LLVMBuildCall2(e->b, signature, vsg_jit_callee(e, name, signature), args,
                              num_args, "");
    (void)snprintf(kept, sizeof kept, "%s_kept", name);
    return call_keeping(e, vsg_jit_callee(e, kept, signature), signature, args, num_args);
}

LLVMValueRef vsg_jit_call(vsg_jit_emitter *e, const char *name, const vsg_exe_inst *inst)
{
    LLVMTypeRef types[] = {e->pointer, e->pointer};
    LLVMTypeRef signature = LLVMFunctionType(e->i32, types, 2, false);
    LLVMValueRef args[] = {e->thread, vsg_jit_inst_at(e, inst)};

    vsg_jit_tell_thread(e);
    return LLVMBuildCall2(e->b, signature, vsg_jit_callee(e, name, signature), args, 2, "");
}

/* ---- parts ------------------------------------------------------------------------------- */

static LLVMValueRef home_of(vsg_jit_emitter *e, const vsg_jit_part *part)
{
    return vsg_jit_at(e, e->registers, part->home);
}

LLVMValueRef vsg_jit_slot(vsg_jit_emitter *e, const vsg_jit_part *part)
{
    return part->in_frame ? home_of(e, part) : part->slot;
}

uint32_t vsg_jit_slot_align(const vsg_jit_part *part)
{
    return part->in_frame ? 1 : 64;
}

LLVMValueRef vsg_jit_wait_slot(vsg_jit_emitter *e, uint32_t index)
{
    return e->waits_in_frame ? vsg_jit_at(e, e->waits_at, 4u * index) : e->waits[index];
}

static void store_part(vsg_jit_emitter *e, const vsg_jit_part *part)
{
    if (part->in_frame)
        return;
    LLVMValueRef value = vsg_jit_remake(e, (uint32_t)(part - e->parts));
    if (!value)
        value = vsg_jit_load(e, part->type, part->slot, 64);
    vsg_jit_store(e, value, home_of(e, part), 1);
}

static void load_part(vsg_jit_emitter *e, const vsg_jit_part *part)
{
    if (part->in_frame)
        return;
    vsg_jit_store(e, vsg_jit_load(e, part->type, home_of(e, part), 1), part->slot, 64);
    vsg_jit_restore_row(e, (uint32_t)(part - e->parts), false);
}

enum { MOST_ROWS = 4 };

typedef struct mover {
    vsg_jit_emitter *e;
    bool loads;   /* what was written; else stores what is read or written in part, */
    bool is_rare; /* rows as scalars */
    vsg_jit_scalars rows[MOST_ROWS];
    uint32_t num_rows;
} mover;

/* What is read, once or more often. */
static void store_source(mover *m, const vsg_jit_part *part)
{
    vsg_jit_emitter *e = m->e;

    for (uint32_t i = 0; i < m->num_rows; i++)
        if (m->rows[i].at == part->home)
            return;
    if (m->is_rare && m->num_rows < MOST_ROWS && !part->in_frame &&
        vsg_jit_store_scalars(e, (uint32_t)(part - e->parts), home_of(e, part),
                              &m->rows[m->num_rows]))
        m->num_rows++;
    else
        store_part(e, part);
}

static void move(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    mover *m = user;

    if (m->loads && access->is_written)
        load_part(m->e, &m->e->parts[part]);
    else if (!m->loads && (access->is_read || !covers))
        store_source(m, &m->e->parts[part]);
}

/* ---- stopping and going on --------------------------------------------------------------- */

/* What is live at a place and kept while the thread waits to go on there. */
static void each_kept(vsg_jit_emitter *e, uint32_t place,
                      void (*fn)(vsg_jit_emitter *e, const vsg_jit_part *part))
{
    for (uint32_t i = 0; i < e->num_parts && !e->in_frame; i++)
        if (vsg_jit_has(e->live[place], i) && !vsg_jit_is_again(e, place, i))
            fn(e, &e->parts[i]);
}

/* May channels wait at it while the thread is at a place where it stops? A variable that is 0
 * for certain need not be kept in one through all of the text before. Divergent text may end at
 * the label itself. */
static bool is_waited_at(const vsg_jit_emitter *e, uint32_t wait, uint32_t place)
{
    if (e->unit->waits[wait].pc == place)
        return true;
    return e->notes[place].is_divergent &&
           (!e->waiting || !e->waiting[place] || vsg_jit_has(e->waiting[place], wait));
}

void vsg_jit_clear_frame(vsg_jit_emitter *e, uint32_t at, uint32_t bytes)
{
    LLVMBuildMemSet(e->b, vsg_jit_at(e, e->registers, at), LLVMConstInt(e->i8, 0, false),
                    vsg_jit_i64(e, bytes), 1);
}

static void store_wait(vsg_jit_emitter *e, uint32_t wait, LLVMValueRef value)
{
    LLVMBuildStore(e->b, value, vsg_jit_at(e, e->waits_at, 4u * wait));
}

static void add_waits(vsg_jit_emitter *e, uint32_t place)
{
    for (uint32_t i = 0; i < e->unit->num_waits; i++)
        if (is_waited_at(e, i, place))
            vsg_jit_add(e->left, i);
}

/* Other code of the unit may go on, which knows less of where channels wait: the frame then has
 * 0 where none do. Where this code stops and cannot go on itself, it is done with the frame. A
 * function's frame is not begun by its code. */
bool vsg_jit_find_left(vsg_jit_emitter *e)
{
    if (!e->unit->has_barrier || e->group || e->unit->object->is_function)
        return true;
    e->left = vsg_base_arena_new(&e->arena, e->unit->num_waits / 64 + 1, sizeof *e->left);
    for (uint32_t i = 0; e->left && i < e->unit->num_code; i++)
        if (e->notes[i].is_resumed)
            add_waits(e, i);
    return e->left != NULL;
}

/* The thread goes on at one of two places. */
static void store_waits(vsg_jit_emitter *e, uint32_t place, uint32_t other)
{
    if (e->waits_in_frame || e->unit->num_waits == 0)
        return;
    if (!e->left)
        vsg_jit_clear_frame(e, e->unit->waits_at, 4 * e->unit->num_waits);
    for (uint32_t i = 0; i < e->unit->num_waits; i++)
        if (is_waited_at(e, i, place) || is_waited_at(e, i, other))
            store_wait(e, i, LLVMBuildLoad2(e->b, e->i32, e->waits[i], ""));
        else if (e->left && vsg_jit_has(e->left, i))
            store_wait(e, i, vsg_jit_i32(e, 0));
}

static void store_masks(vsg_jit_emitter *e, uint32_t place, uint32_t other)
{
    store_waits(e, place, other);
    LLVMBuildStore(e->b, LLVMBuildLoad2(e->b, e->i32, e->mask, ""),
                   vsg_jit_field(e, offsetof(vsg_exe_thread, execution_mask)));
    LLVMBuildStore(e->b, LLVMBuildLoad2(e->b, e->i32, e->call_mask, ""),
                   vsg_jit_field(e, offsetof(vsg_exe_thread, call_mask)));
}

static void leave(vsg_jit_emitter *e, LLVMValueRef reason)
{
    LLVMBuildStore(e->b, reason, e->reason);
    LLVMBuildBr(e->b, e->stop);
}

void vsg_jit_leave_for(vsg_jit_emitter *e, LLVMValueRef reason)
{
    LLVMBasicBlockRef stopped = vsg_jit_block(e), next = vsg_jit_block(e);

    vsg_jit_likely(e, LLVMBuildCondBr(e->b,
                                      LLVMBuildICmp(e->b, LLVMIntEQ, reason,
                                                    vsg_jit_i32(e, VSG_EXE_RUNNING), ""),
                                      next, stopped));
    vsg_jit_go_on(e, stopped);
    leave(e, reason);
    vsg_jit_go_on(e, next);
}

/* What the frame does not have yet (homes.c). */
static void store_new(vsg_jit_emitter *e, const vsg_jit_part *part)
{
    const uint64_t *at_home = e->at_home ? e->at_home[e->place] : NULL;

    if (!at_home || !vsg_jit_has(at_home, (uint32_t)(part - e->parts)))
        store_part(e, part);
}

void vsg_jit_suspend(vsg_jit_emitter *e, uint32_t place, LLVMValueRef reason)
{
    each_kept(e, place, store_new);
    store_masks(e, place, place);
    LLVMBuildStore(e->b, vsg_jit_i32(e, place), vsg_jit_field(e, offsetof(vsg_exe_thread, pc)));
    leave(e, reason);
}

static LLVMValueRef load_field(vsg_jit_emitter *e, size_t offset)
{
    return LLVMBuildLoad2(e->b, e->i32, vsg_jit_field(e, offset), "");
}

void vsg_jit_load_masks(vsg_jit_emitter *e)
{
    LLVMBuildStore(e->b, load_field(e, offsetof(vsg_exe_thread, execution_mask)), e->mask);
    LLVMBuildStore(e->b, load_field(e, offsetof(vsg_exe_thread, call_mask)), e->call_mask);
}

LLVMValueRef vsg_jit_load_pc(vsg_jit_emitter *e)
{
    return load_field(e, offsetof(vsg_exe_thread, pc));
}

/* The others are 0, as a thread begins with them. */
static void load_waits(vsg_jit_emitter *e, uint32_t place)
{
    for (uint32_t i = 0; i < e->unit->num_waits && !e->waits_in_frame; i++)
        if (is_waited_at(e, i, place))
            LLVMBuildStore(e->b,
                           LLVMBuildLoad2(e->b, e->i32, vsg_jit_at(e, e->waits_at, 4u * i), ""),
                           e->waits[i]);
}

void vsg_jit_resume(vsg_jit_emitter *e, uint32_t place)
{
    vsg_jit_load_masks(e);
    load_waits(e, place);
    if (!e->notes[place].is_divergent)
        LLVMBuildStore(e->b, vsg_jit_i32(e, e->dispatch_mask), e->mask);
    each_kept(e, place, load_part);
    vsg_jit_make_again(e, place);
    LLVMBuildBr(e->b, e->blocks[place]);
}

/* ---- handlers ---------------------------------------------------------------------------- */

static void store_pc(vsg_jit_emitter *e)
{
    LLVMBuildStore(e->b, vsg_jit_i32(e, e->place + 1),
                   vsg_jit_field(e, offsetof(vsg_exe_thread, pc)));
    LLVMBuildStore(e->b, LLVMBuildLoad2(e->b, e->i32, e->mask, ""),
                   vsg_jit_field(e, offsetof(vsg_exe_thread, execution_mask)));
}

void vsg_jit_store_sources(vsg_jit_emitter *e)
{
    mover m = {.e = e};

    vsg_jit_parts_at(e, e->place, move, &m);
}

/* A thread that waits goes on behind the instruction or executes it again. */
static void stop_here(vsg_jit_emitter *e, LLVMValueRef reason)
{
    bool may_wait = e->place + 1 < e->unit->num_code && e->notes[e->place + 1].is_resumed &&
                    e->notes[e->place].is_resumed &&
                    (e->in_frame || (e->live[e->place] && e->live[e->place + 1]));

    if (may_wait) {
        each_kept(e, e->place, store_part);
        each_kept(e, e->place + 1, store_part);
        store_masks(e, e->place, e->place + 1);
    }
    leave(e, reason);
}

/* Of one channel there is no handler: what comes behind is not reached. */
static bool bail_out(vsg_jit_emitter *e)
{
    if (!e->bail)
        return false;
    LLVMBuildBr(e->b, e->bail);
    vsg_jit_go_on(e, vsg_jit_block(e));
    return true;
}

/* A list of rows that the code has; all copies of an instruction have the same one. */
static LLVMValueRef list_rows(vsg_jit_emitter *e, const mover *m)
{
    enum { NUM_FIELDS = 8 };
    LLVMValueRef fields[(MOST_ROWS + 1) * NUM_FIELDS];
    char name[32];
    uint32_t count = 0;

    if (m->num_rows == 0)
        return LLVMConstNull(e->pointer);
    (void)snprintf(name, sizeof name, "rows.%" PRIu32, e->place);
    for (uint32_t i = 0; i <= m->num_rows; i++) {
        const vsg_jit_scalars row = i < m->num_rows ? m->rows[i] : (vsg_jit_scalars){0};
        const uint64_t own[NUM_FIELDS] = {
            row.at,         row.lanes,     row.chunk,          row.lane_bytes,
            row.inner_bits, row.is_signed, (uint64_t)row.step, (uint64_t)row.factor};
        static_assert(sizeof own == sizeof row, "a field is missing");
        for (uint32_t n = 0; n < NUM_FIELDS; n++)
            fields[count++] = vsg_jit_i64(e, own[n]);
    }
    return vsg_jit_stored(e, name, LLVMConstArray2(e->i64, fields, count));
}

/* A row is one in all lanes, and what is made of it may look at any: where nothing is asked of
 * those that are off the handler makes them, too. It moves no memory then, and its operands are
 * not where addresses say. */
static LLVMValueRef handler_mask(vsg_jit_emitter *e)
{
    uint32_t part, lane;

    if (e->notes[e->place].may_spoil && vsg_jit_find_result(e, e->place, &part, &lane) &&
        e->rows[part].state == VSG_JIT_ROW_KNOWN)
        return vsg_jit_i32(e, vsg_exe_first(e->simd_size));
    return LLVMBuildLoad2(e->b, e->i32, e->mask, "");
}

static LLVMValueRef run_handler(vsg_jit_emitter *e, const mover *m)
{
    const char *name = e->flushes ? "vsg_jit_run_and_flush" : "vsg_jit_run_handler";
    LLVMTypeRef types[] = {e->pointer, e->i32, e->i32, e->pointer};
    LLVMTypeRef signature = LLVMFunctionType(e->i32, types, 4, false);
    LLVMValueRef args[] = {e->thread, vsg_jit_i32(e, e->place), handler_mask(e),
                           list_rows(e, m)};

    vsg_jit_tell_thread(e);
    if (m->is_rare)
        return vsg_jit_call_rarely(e, name, signature, args, 4);
    return LLVMBuildCall2(e->b, signature, vsg_jit_callee(e, name, signature), args, 4, "");
}

static void call_handler(vsg_jit_emitter *e, bool is_rare)
{
    if (bail_out(e))
        return;
    LLVMBasicBlockRef stopped = vsg_jit_block(e);
    LLVMBasicBlockRef done = vsg_jit_block(e);
    mover m = {.e = e, .is_rare = is_rare};

    vsg_jit_parts_at(e, e->place, move, &m);
    LLVMValueRef reason = run_handler(e, &m);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, reason, vsg_jit_i32(e, 0), ""), done,
                    stopped);
    vsg_jit_go_on(e, stopped);
    stop_here(e, reason);
    vsg_jit_go_on(e, done);
    m.loads = true;
    vsg_jit_parts_at(e, e->place, move, &m);
}

void vsg_jit_call_handler(vsg_jit_emitter *e)
{
    call_handler(e, false);
}

void vsg_jit_call_handler_rarely(vsg_jit_emitter *e)
{
    call_handler(e, true);
}

/* What the predicates are is in their slots, and for the handlers in the frame. */
void vsg_jit_call_elements_rarely(vsg_jit_emitter *e, uint32_t end, LLVMBasicBlockRef done)
{
    LLVMTypeRef types[] = {e->pointer, e->i32, e->i32, e->i32, e->i32};
    LLVMTypeRef signature = LLVMFunctionType(e->i32, types, 5, false);
    const vsg_exe_operand *source = &e->unit->code[e->place].src[0];
    mover m = {.e = e, .is_rare = true};
    vsg_jit_access access = {.at = source->offset,
                             .bytes = (end - e->place + 1) / 2 * source->bytes,
                             .is_read = true};

    if (source->kind == VSG_EXE_OPERAND_REGION)
        vsg_jit_each_part(e, &access, move, &m);
    LLVMValueRef args[] = {e->thread, vsg_jit_i32(e, e->place - 1), vsg_jit_i32(e, end),
                           LLVMBuildLoad2(e->b, e->i32, e->mask, ""),
                           vsg_jit_i32(e, e->flushes)};
    vsg_jit_tell_thread(e);
    vsg_jit_leave_for(e, vsg_jit_call_rarely(e, "vsg_jit_run_handlers", signature, args, 5));
    LLVMBuildBr(e->b, done);
}

/* The masks are the thread's already: they are restored when the function returns. */
void vsg_jit_emit_call(vsg_jit_emitter *e)
{
    LLVMTypeRef types[] = {e->pointer, e->pointer, e->pointer, e->i64};
    LLVMTypeRef signature = LLVMFunctionType(e->i32, types, 4, false);
    LLVMBasicBlockRef stopped = vsg_jit_block(e), done = vsg_jit_block(e);
    uint32_t behind = e->place + 1;
    mover m = {.e = e, .loads = true};

    vsg_jit_store_sources(e);
    store_pc(e);
    LLVMBuildStore(e->b, LLVMBuildLoad2(e->b, e->i32, e->call_mask, ""),
                   vsg_jit_field(e, offsetof(vsg_exe_thread, call_mask)));
    LLVMValueRef args[] = {e->thread, vsg_jit_inst_at(e, &e->unit->code[e->place]), e->batch,
                           LLVMBuildLoad2(e->b, e->i64, e->count, "")};
    LLVMValueRef callee = vsg_jit_callee(e, "vsg_jit_call_function", signature);
    LLVMValueRef reason = LLVMBuildCall2(e->b, signature, callee, args, 4, "");
    vsg_jit_likely(e, LLVMBuildCondBr(e->b,
                                      LLVMBuildICmp(e->b, LLVMIntEQ, reason,
                                                    vsg_jit_i32(e, VSG_EXE_RUNNING), ""),
                                      done, stopped));
    vsg_jit_go_on(e, stopped);
    each_kept(e, behind, store_part);
    store_waits(e, behind, behind);
    leave(e, reason);
    vsg_jit_go_on(e, done);
    vsg_jit_parts_at(e, e->place, move, &m);
    LLVMBuildStore(e->b,
                   LLVMBuildLoad2(e->b, e->i64,
                                  vsg_jit_at(e, e->batch, offsetof(vsg_jit_batch, budget)), ""),
                   e->budget);
    LLVMBuildBr(e->b, e->blocks[behind]);
}
