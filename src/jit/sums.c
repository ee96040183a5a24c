/* SPDX-License-Identifier: MIT */
#include "jit/sums.h"

#include <stddef.h>
#include <string.h>

#include "jit/compile.h"
#include "jit/entry.h"
#include "jit/frame.h"
#include "jit/transfer.h"

/* ---- loops that wait --------------------------------------------------------------------- */

/* A loop, `first` to `end` - 1, and what in it comes from memory. */
typedef struct circle {
    const vsg_jit_emitter *e;
    uint32_t first, end;
    bool *is_told; /* by part: memory tells what it is */
    bool reads, changed;
} circle;

static void look(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    circle *c = user;

    (void)covers;
    c->reads |= access->is_read && c->is_told[part];
}

static void tell(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    circle *c = user;

    (void)covers;
    if (!access->is_written || c->is_told[part])
        return;
    c->is_told[part] = true;
    c->changed = true;
}

/* Does it do what memory says? */
static bool is_led(circle *c, uint32_t place)
{
    c->reads = false;
    vsg_jit_parts_at(c->e, place, look, c);
    return c->reads;
}

/* Registers that are no parts. */
static bool writes_shared(const vsg_exe_inst *inst)
{
    const vsg_exe_operand *dst = inst->message ? &inst->message->data : &inst->dst;

    return dst->shared && !dst->is_null;
}

/* What memory leads past is told by memory, too. False: it leads out of the loop, or on in it.
 */
static bool follow_branch(circle *c, uint32_t place)
{
    const vsg_exe_inst *inst = &c->e->unit->code[place];

    if (!vsg_exe_is_jump(inst) || inst->target <= place || inst->target >= c->end)
        return false;
    for (uint32_t i = place + 1; i < inst->target; i++) {
        if (writes_shared(&c->e->unit->code[i]))
            return false;
        vsg_jit_parts_at(c->e, i, tell, c);
    }
    return true;
}

static bool is_control(const vsg_exe_inst *inst)
{
    return vsg_exe_is_jump(inst) || inst->op == VISAGE_OP_SWITCHJMP ||
           inst->op == VISAGE_OP_CALL || inst->op == VISAGE_OP_RET ||
           inst->op == VISAGE_OP_FRET;
}

/* May it be memory that tells how many rounds a loop has? */
static bool is_waiting(circle *c)
{
    do {
        c->changed = false;
        for (uint32_t i = c->first; i < c->end; i++) {
            const vsg_exe_inst *inst = &c->e->unit->code[i];
            if (!inst->message && !is_led(c, i))
                continue;
            if (writes_shared(inst) || (is_control(inst) && !follow_branch(c, i)))
                return true;
            vsg_jit_parts_at(c->e, i, tell, c);
        }
    } while (c->changed);
    return false;
}

/* ---- where ------------------------------------------------------------------------------- */

/* Does it look at, or change, memory that other groups have, too? */
static bool is_seen(const vsg_exe_inst *inst)
{
    return inst->message && (!vsg_jit_is_transfer(inst) || !vsg_exe_is_slm(inst->message));
}

/* The lowest place that may come next. */
static uint32_t lowest_next(const vsg_jit_emitter *e, uint32_t place)
{
    uint32_t next[VSG_JIT_MOST_NEXT];
    uint32_t count = vsg_jit_successors(e, place, next, VSG_JIT_MOST_NEXT);
    uint32_t lowest = UINT32_MAX;

    for (uint32_t i = 0; i < count && i < VSG_JIT_MOST_NEXT; i++)
        if (next[i] < lowest)
            lowest = next[i];
    return lowest;
}

/* The size of the last sum in the text; 0: there is none. */
static uint32_t size_of_last(const vsg_jit_emitter *e)
{
    for (uint32_t i = e->unit->num_code; i-- > 0;)
        if (vsg_jit_is_sum(&e->unit->code[i]))
            return e->unit->code[i].message->memory_bytes;
    return 0;
}

/* Behind all that is seen but sums, and behind loops around it; UINT32_MAX: there are no sums,
 * or more loops than are looked into. Sums of another size than the last one's are seen: a
 * carry goes further in the longer of two, so that those of one place keep their order. */
static uint32_t last_seen(const vsg_jit_emitter *e, circle *loops, uint32_t *num_loops,
                          uint32_t most)
{
    uint32_t last = 0, last_sum = 0, bytes = size_of_last(e);

    *num_loops = 0;
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        uint32_t next = lowest_next(e, i), seen = last;
        if (vsg_jit_is_sum(inst) && inst->message->memory_bytes == bytes)
            last_sum = i + 1;
        else if (is_seen(inst))
            seen = last = i + 1;
        if (next > i || next >= seen)
            continue;
        last = i + 1;
        if (*num_loops == most)
            return UINT32_MAX;
        loops[(*num_loops)++] = (circle){.e = e, .first = next, .end = i + 1};
    }
    return last_sum > last ? last : UINT32_MAX;
}

/* Functions may wait, too, and are not looked into. */
void vsg_jit_find_sums(vsg_jit_emitter *e)
{
    enum { MOST_LOOPS = 16 };
    circle loops[MOST_LOOPS];
    uint32_t num_loops, num_parts = e->num_parts;
    uint32_t from = last_seen(e, loops, &num_loops, MOST_LOOPS);
    bool *is_told = vsg_base_arena_new(&e->arena, num_parts, sizeof *is_told);

    e->sums_from = UINT32_MAX;
    if (!is_told || from == UINT32_MAX || e->unit->object->is_function ||
        vsg_jit_calls_functions(e->unit))
        return;
    for (uint32_t i = 0; i < num_loops; i++) {
        memset(is_told, 0, num_parts * sizeof *is_told);
        loops[i].is_told = is_told;
        if (is_waiting(&loops[i]))
            return;
    }
    e->sums_from = from;
}

/* ---- the table --------------------------------------------------------------------------- */

/* A page's number follows from its address: pages in a row have numbers in a row. */
vsg_jit_sum vsg_jit_find_sum(vsg_jit_emitter *e, LLVMValueRef at, uint32_t bytes,
                             uint32_t count)
{
    LLVMValueRef table = vsg_jit_batch_field(e, e->pointer, offsetof(vsg_jit_batch, sums));
    LLVMValueRef page_bytes = vsg_jit_i64(e, VSG_JIT_SUM_PAGE_BYTES);
    LLVMValueRef inside = LLVMBuildURem(e->b, at, page_bytes, "");
    LLVMValueRef number = LLVMBuildUDiv(e->b, at, page_bytes, "");
    vsg_jit_sum sum = {0};

    number = LLVMBuildURem(e->b, number, vsg_jit_i64(e, VSG_JIT_SUM_PAGES), "");
    sum.mark = LLVMBuildSub(e->b, at, inside, "");
    sum.mark = LLVMBuildOr(e->b, sum.mark, vsg_jit_i64(e, bytes), "");
    sum.mark_at = LLVMBuildGEP2(e->b, e->i64, table, &number, 1, "");
    LLVMValueRef mark = LLVMBuildLoad2(e->b, e->i64, sum.mark_at, "");
    LLVMValueRef is_ours = LLVMBuildICmp(e->b, LLVMIntEQ, mark, sum.mark, "");
    LLVMValueRef is_free = LLVMBuildICmp(e->b, LLVMIntEQ, mark, vsg_jit_i64(e, 0), "");
    LLVMValueRef fits =
        LLVMBuildICmp(e->b, LLVMIntULE, inside,
                      vsg_jit_i64(e, VSG_JIT_SUM_PAGE_BYTES - (uint64_t)count * bytes), "");
    sum.has_room = LLVMBuildAnd(e->b, LLVMBuildOr(e->b, is_ours, is_free, ""), fits, "");
    inside = LLVMBuildAdd(e->b, LLVMBuildMul(e->b, number, page_bytes, ""), inside, "");
    table = vsg_jit_at(e, table, offsetof(vsg_jit_sums, sums));
    sum.at = LLVMBuildGEP2(e->b, e->i8, table, &inside, 1, "");
    e->stats.has_sums = true;
    return sum;
}

LLVMValueRef vsg_jit_open_sum(vsg_jit_emitter *e, const vsg_jit_sum *sum)
{
    (void)LLVMBuildStore(e->b, sum->mark, sum->mark_at);
    return sum->at;
}
