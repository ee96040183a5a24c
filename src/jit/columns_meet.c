/* SPDX-License-Identifier: MIT
 *
 * Which columns of a loop may meet what others store (columns.h). */
#include <string.h>

#include "jit/columns.h"
#include "jit/lowering.h"
#include "jit/shuffle.h"

typedef vsg_jit_hoister hoister;
typedef vsg_jit_column column;

/* Bytes from the place of a row in a round to the end of its elements. */
uint32_t vsg_jit_column_span(const vsg_jit_column *of)
{
    uint32_t last = 0;

    for (uint32_t i = 0; i < of->per_channel; i++)
        last = of->at[i] > last ? of->at[i] : last;
    return last + of->bytes;
}

/* How far the place of a row is in the last round from that in the first one. */
static LLVMValueRef way_of(vsg_jit_emitter *e, const column *of, LLVMValueRef more)
{
    uint64_t by = (uint64_t)(of->step < 0 ? -of->step : of->step);

    return LLVMBuildMul(e->b, more, vsg_jit_i64(e, by), "");
}

/* Bytes of a row that all rounds make. */
static LLVMValueRef bytes_of(vsg_jit_emitter *e, const column *of, LLVMValueRef more)
{
    return LLVMBuildAdd(e->b, way_of(e, of, more), vsg_jit_i64(e, vsg_jit_column_span(of)), "");
}

/* Where the first one of all rows begins, and the last one ends. */
static LLVMValueRef begin_of(hoister *h, const column *of, LLVMValueRef more)
{
    LLVMValueRef first = vsg_jit_reduce(h->e, "llvm.vector.reduce.umin", of->rows);

    return of->step < 0 ? LLVMBuildSub(h->e->b, first, way_of(h->e, of, more), "") : first;
}

static LLVMValueRef end_of(hoister *h, const column *of, LLVMValueRef more)
{
    LLVMValueRef last = vsg_jit_reduce(h->e, "llvm.vector.reduce.umax", of->rows);
    LLVMValueRef bytes =
        of->step < 0 ? vsg_jit_i64(h->e, vsg_jit_column_span(of)) : bytes_of(h->e, of, more);

    return LLVMBuildAdd(h->e->b, last, bytes, "");
}

static LLVMValueRef hold_all(vsg_jit_emitter *e, LLVMValueRef lanes, uint32_t count)
{
    return LLVMBuildICmp(e->b, LLVMIntEQ, vsg_jit_bits(e, lanes, count),
                         vsg_jit_i32(e, vsg_exe_first(count)), "");
}

/* Does each channel's row lie behind that of the one before? Not where channels are off, which
 * have another one's row. */
static LLVMValueRef are_in_order(hoister *h, const column *of, LLVMValueRef more)
{
    vsg_jit_emitter *e = h->e;
    uint32_t count = of->count - 1;
    LLVMValueRef gaps = LLVMBuildSub(e->b, vsg_jit_take_lanes(e, of->rows, 1, 1, count),
                                     vsg_jit_take_lanes(e, of->rows, 0, 1, count), "");
    LLVMValueRef rounds = LLVMBuildAdd(e->b, more, vsg_jit_i64(e, 1), "");
    LLVMValueRef least = vsg_jit_splat(e, way_of(e, of, rounds), count);

    if (h->together.may_differ)
        least = LLVMBuildMul(
            e->b, vsg_jit_take_lanes(e, h->together.rounds, 0, 1, count),
            vsg_jit_splat(e, vsg_jit_i64(e, (uint64_t)(of->step < 0 ? -of->step : of->step)),
                          count),
            "");
    return hold_all(e, LLVMBuildICmp(e->b, LLVMIntSGE, gaps, least, ""), count);
}

/* Do all rows of one lie before those of the other? */
static LLVMValueRef is_before(hoister *h, const column *a, const column *b, LLVMValueRef more)
{
    return LLVMBuildICmp(h->e->b, LLVMIntULE, end_of(h, a, more), begin_of(h, b, more), "");
}

/* Where each row begins and ends. */
static LLVMValueRef begins_of(vsg_jit_emitter *e, const column *of, LLVMValueRef more)
{
    LLVMValueRef way = vsg_jit_splat(e, way_of(e, of, more), of->count);

    return of->step < 0 ? LLVMBuildSub(e->b, of->rows, way, "") : of->rows;
}

static LLVMValueRef ends_of(vsg_jit_emitter *e, const column *of, LLVMValueRef more)
{
    LLVMValueRef bytes = bytes_of(e, of, more);

    return LLVMBuildAdd(e->b, begins_of(e, of, more), vsg_jit_splat(e, bytes, of->count), "");
}

/* Has each channel a row of the one, then of the other, and the next channel the same behind
 * that? */
static LLVMValueRef is_by_turns(hoister *h, const column *a, const column *b, LLVMValueRef more)
{
    vsg_jit_emitter *e = h->e;
    uint32_t count = a->count - 1;

    if (a->count != b->count)
        return LLVMConstInt(e->i1, 0, false);
    LLVMValueRef first =
        LLVMBuildICmp(e->b, LLVMIntULE, ends_of(e, a, more), begins_of(e, b, more), "");
    LLVMValueRef next =
        LLVMBuildICmp(e->b, LLVMIntULE, vsg_jit_take_lanes(e, ends_of(e, b, more), 0, 1, count),
                      vsg_jit_take_lanes(e, begins_of(e, a, more), 1, 1, count), "");
    return LLVMBuildAnd(e->b, hold_all(e, first, a->count), hold_all(e, next, count), "");
}

/* Of rows that begin at the same places. */
static bool have_same_places(const column *a, const column *b)
{
    return a->count == b->count && a->bytes == b->bytes && a->step == b->step &&
           a->per_channel == b->per_channel &&
           memcmp(a->at, b->at, a->per_channel * sizeof *a->at) == 0;
}

/* Do two have their elements beside each other in each round, so that none is the other's? The
 * rows of each channel are as far apart as those of the others, then. */
static LLVMValueRef are_beside(hoister *h, const column *a, const column *b)
{
    LLVMBuilderRef at = h->e->b;
    int64_t room = a->step - vsg_jit_column_span(a) - vsg_jit_column_span(b);

    if (a->count != b->count || a->step != b->step || room < 0)
        return LLVMConstInt(h->e->i1, 0, false);
    LLVMValueRef gaps = LLVMBuildSub(at, b->rows, a->rows, ""), good[2];
    LLVMValueRef gap = LLVMBuildExtractElement(at, gaps, vsg_jit_i32(h->e, 0), "");
    LLVMValueRef same =
        LLVMBuildICmp(at, LLVMIntEQ, gaps, vsg_jit_splat(h->e, gap, a->count), "");
    const LLVMValueRef ways[] = {gap, LLVMBuildNeg(at, gap, "")};
    const uint32_t spans[] = {vsg_jit_column_span(a), vsg_jit_column_span(b)};
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef more = LLVMBuildSub(at, ways[i], vsg_jit_i64(h->e, spans[i]), "");
        good[i] = LLVMBuildICmp(at, LLVMIntULE, more, vsg_jit_i64(h->e, (uint64_t)room), "");
    }
    return LLVMBuildAnd(at, LLVMBuildOr(at, good[0], good[1], ""),
                        hold_all(h->e, same, a->count), "");
}

/* May what one stores be stored late, as far as the other one is concerned? That one loads the
 * same, before, or all of it lies elsewhere. */
static LLVMValueRef are_free(hoister *h, const column *put, const column *other,
                             LLVMValueRef more)
{
    vsg_jit_emitter *e = h->e;
    LLVMValueRef apart =
        LLVMBuildOr(e->b, is_before(h, put, other, more), is_before(h, other, put, more), "");

    apart = LLVMBuildOr(e->b, apart, are_beside(h, put, other), "");
    apart = LLVMBuildOr(e->b, apart, is_by_turns(h, put, other, more), "");
    apart = LLVMBuildOr(e->b, apart, is_by_turns(h, other, put, more), "");
    if (other->is_put || !have_same_places(put, other) || other->number > put->number)
        return apart;
    LLVMValueRef same = LLVMBuildICmp(e->b, LLVMIntEQ, put->rows, other->rows, "");
    return LLVMBuildOr(e->b, apart, hold_all(e, same, put->count), "");
}

/* The same of a load that is no column. */
static LLVMValueRef is_elsewhere(hoister *h, const column *put, const vsg_jit_other_load *load,
                                 LLVMValueRef more)
{
    vsg_jit_emitter *e = h->e;
    LLVMValueRef end = LLVMBuildMul(e->b, more, vsg_jit_i64(e, load->step), "");
    LLVMValueRef behind = end_of(h, put, more);

    end = LLVMBuildAdd(e->b, end, vsg_jit_i64(e, load->bytes), "");
    end = LLVMBuildAdd(e->b, end, load->begin, "");
    LLVMValueRef is_below = LLVMBuildICmp(e->b, LLVMIntULE, end, begin_of(h, put, more), "");
    LLVMValueRef is_above = LLVMBuildICmp(e->b, LLVMIntULE, behind, load->begin, "");
    return LLVMBuildOr(e->b, is_below, is_above, "");
}

LLVMValueRef vsg_jit_can_read_ahead(vsg_jit_hoister *h, const vsg_jit_columns *columns,
                                    LLVMValueRef more)
{
    enum { LEAST_MORE = 7 };
    vsg_jit_emitter *e = h->e;
    LLVMValueRef can = LLVMBuildICmp(e->b, LLVMIntUGE, more, vsg_jit_i64(e, LEAST_MORE), "");

    for (uint32_t i = 0; i < columns->count; i++) {
        const column *put = &columns->list[i];
        if (!put->is_put)
            continue;
        can = LLVMBuildAnd(e->b, can, are_in_order(h, put, more), "");
        for (uint32_t n = 0; n < columns->count; n++)
            if (n != i)
                can = LLVMBuildAnd(e->b, can, are_free(h, put, &columns->list[n], more), "");
        for (uint32_t n = 0; n < columns->num_loads; n++)
            can = LLVMBuildAnd(e->b, can, is_elsewhere(h, put, &columns->loads[n], more), "");
    }
    return can;
}
