/* SPDX-License-Identifier: MIT
 *
 * The code of loops that read rows ahead and write them behind (columns.h). */
#include "jit/columns.h"
#include "jit/lowering.h"
#include "jit/shuffle.h"

typedef vsg_jit_hoister hoister;
typedef vsg_jit_column column;

/* That are read or written of a row at a time, or fewer: as many elements as there are
 * channels.
 */
enum { ROW_BYTES = 64 };

/* What a loop has of a column: on the stack, where rows begin, and what was read of them or is
 * to be written. */
typedef struct ahead {
    LLVMValueRef rows, columns;
    uint32_t in_row; /* elements that are read or written at a time: rounds */
} ahead;

/* What is there of a row from some round on. */
typedef struct stretch {
    LLVMValueRef lanes;    /* elements, of as many as are read at a time */
    LLVMValueRef is_whole; /* i1: all of these are there */
} stretch;

/* Elements of a row that are read at a time. */
static uint32_t in_row_of(const column *of)
{
    uint32_t most = ROW_BYTES / of->bytes;

    return of->count < most ? of->count : most;
}

/* Where a row goes on, in rounds as far on as `offset` says. */
static LLVMValueRef row_at(vsg_jit_emitter *e, const ahead *of, uint32_t row,
                           LLVMValueRef offset)
{
    LLVMValueRef begin =
        vsg_jit_load(e, e->i64, vsg_jit_at(e, of->rows, (uint64_t)row * sizeof(uint64_t)), 8);

    return LLVMBuildIntToPtr(e->b, LLVMBuildAdd(e->b, begin, offset, ""), e->pointer, "");
}

/* What channels from `first` on have of a round; as many channels as a row has elements at a
 * time. */
static LLVMValueRef channels_at(vsg_jit_emitter *e, const column *of, const ahead *a,
                                uint32_t round, uint32_t first)
{
    return vsg_jit_at(e, a->columns, ((uint64_t)round * of->count + first) * of->bytes);
}

/* A block that is next to be made, behind what is there. */
static LLVMBasicBlockRef append_behind(vsg_jit_emitter *e)
{
    return LLVMAppendBasicBlockInContext(e->context,
                                         LLVMGetBasicBlockParent(LLVMGetInsertBlock(e->b)), "");
}

/* Reads of `in_row` rows what rounds from `round` on want, and stores it by rounds. Where that
 * is as much as a row has at a time it is no part: processors do not fetch ahead for loads with
 * masks as they do for others. */
static void read_block(vsg_jit_emitter *e, const column *of, const ahead *to, uint32_t first,
                       LLVMValueRef offset, const stretch *left)
{
    LLVMTypeRef type = vsg_jit_int(e, 8 * of->bytes, to->in_row);
    LLVMValueRef rows[ROW_BYTES], whole[ROW_BYTES], parts[ROW_BYTES];
    LLVMBasicBlockRef from[] = {append_behind(e), append_behind(e)}, both = append_behind(e);

    for (uint32_t i = 0; i < to->in_row; i++)
        rows[i] = row_at(e, to, first + i, offset);
    LLVMBuildCondBr(e->b, left->is_whole, from[0], from[1]);
    LLVMPositionBuilderAtEnd(e->b, from[0]);
    for (uint32_t i = 0; i < to->in_row; i++)
        whole[i] = vsg_jit_load(e, type, rows[i], 1);
    LLVMBuildBr(e->b, both);
    LLVMPositionBuilderAtEnd(e->b, from[1]);
    for (uint32_t i = 0; i < to->in_row; i++)
        parts[i] = vsg_jit_load_lanes(e, type, rows[i], left->lanes);
    LLVMBuildBr(e->b, both);
    LLVMPositionBuilderAtEnd(e->b, both);
    for (uint32_t i = 0; i < to->in_row; i++) {
        rows[i] = LLVMBuildPhi(e->b, type, "");
        LLVMAddIncoming(rows[i], (LLVMValueRef[]){whole[i], parts[i]}, from, 2);
    }
    vsg_jit_transpose(e, rows, to->in_row);
    for (uint32_t i = 0; i < to->in_row; i++)
        vsg_jit_store(e, rows[i], channels_at(e, of, to, i, first), to->in_row * of->bytes);
}

/* The other way round. */
static void write_block(vsg_jit_emitter *e, const column *of, const ahead *from, uint32_t first,
                        LLVMValueRef offset, LLVMValueRef lanes)
{
    LLVMTypeRef type = vsg_jit_int(e, 8 * of->bytes, from->in_row);
    LLVMTypeRef types[] = {type, e->pointer};
    LLVMValueRef rows[ROW_BYTES];

    for (uint32_t i = 0; i < from->in_row; i++)
        rows[i] =
            vsg_jit_load(e, type, channels_at(e, of, from, i, first), from->in_row * of->bytes);
    vsg_jit_transpose(e, rows, from->in_row);
    for (uint32_t i = 0; i < from->in_row; i++) {
        LLVMValueRef args[] = {rows[i], row_at(e, from, first + i, offset), vsg_jit_i32(e, 1),
                               lanes};
        (void)vsg_jit_overloaded(e, "llvm.masked.store", types, 2, args, 4);
    }
}

/* The builder is where the round begins in which they are read. */
static void read_rows(vsg_jit_emitter *e, const column *of, const ahead *to, LLVMValueRef round,
                      LLVMValueRef more)
{
    LLVMValueRef left = LLVMBuildSub(e->b, more, round, "");
    LLVMValueRef offset = LLVMBuildMul(e->b, round, vsg_jit_i64(e, of->bytes), "");

    left = LLVMBuildAdd(e->b, left, vsg_jit_i64(e, 1), "");
    const stretch here = {
        vsg_jit_lanes_left(e, left, to->in_row),
        LLVMBuildICmp(e->b, LLVMIntUGE, left, vsg_jit_i64(e, to->in_row), "")};
    for (uint32_t first = 0; first < of->count; first += to->in_row)
        read_block(e, of, to, first, offset, &here);
}

static LLVMValueRef is_in_row(vsg_jit_emitter *e, LLVMValueRef round, uint32_t in_row)
{
    return LLVMBuildAnd(e->b, round, vsg_jit_i64(e, in_row - 1), "");
}

/* Rounds that are written behind this one, those since the last time. */
static void write_rows(vsg_jit_emitter *e, const column *of, const ahead *from,
                       LLVMValueRef round)
{
    LLVMValueRef since = is_in_row(e, round, from->in_row);
    LLVMValueRef offset =
        LLVMBuildMul(e->b, LLVMBuildSub(e->b, round, since, ""), vsg_jit_i64(e, of->bytes), "");
    LLVMValueRef lanes =
        vsg_jit_lanes_left(e, LLVMBuildAdd(e->b, since, vsg_jit_i64(e, 1), ""), from->in_row);

    for (uint32_t first = 0; first < of->count; first += from->in_row)
        write_block(e, of, from, first, offset, lanes);
}

/* What stands for a column in the copy of the loop. */
static void use_ahead(vsg_jit_emitter *e, const vsg_jit_map *map, const column *of,
                      const ahead *from, LLVMValueRef round)
{
    LLVMValueRef access = vsg_jit_mapped(map, of->access);
    uint32_t align = from->in_row * of->bytes;

    LLVMPositionBuilderBefore(e->b, access);
    LLVMValueRef offset = LLVMBuildMul(e->b, is_in_row(e, round, from->in_row),
                                       vsg_jit_i64(e, (uint64_t)of->count * of->bytes), "");
    LLVMValueRef at = LLVMBuildGEP2(e->b, e->i8, from->columns, &offset, 1, "");
    if (of->is_put) {
        vsg_jit_store(e, LLVMGetOperand(access, VSG_JIT_PUT_VALUE), at, align);
        LLVMInstructionEraseFromParent(access);
    } else {
        vsg_jit_replace(access, vsg_jit_load(e, LLVMTypeOf(access), at, align));
    }
    vsg_jit_replace(vsg_jit_mapped(map, of->test), LLVMConstInt(e->i1, 1, false));
}

/* Moves what a block does before its end to one of its own, where all come to that came to it;
 * the builder is at the end of that. */
static void split_off(vsg_jit_emitter *e, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef body =
        LLVMAppendBasicBlockInContext(e->context, LLVMGetBasicBlockParent(block), "");
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);

    for (LLVMUseRef use; (use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)));) {
        LLVMValueRef from = LLVMGetUser(use);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(from); s++)
            if (LLVMGetSuccessor(from, s) == block)
                LLVMSetSuccessor(from, s, body);
    }
    LLVMPositionBuilderAtEnd(e->b, body);
    for (LLVMValueRef v; (v = LLVMGetFirstInstruction(block)) != last;) {
        LLVMInstructionRemoveFromParent(v);
        LLVMInsertIntoBuilder(e->b, v);
    }
}

/* In each round of the copy, where rows have what fits, or the loop ends. */
static void write_behind(hoister *h, const vsg_jit_columns *columns, const ahead *all,
                         const vsg_jit_columns_way *way, LLVMValueRef round)
{
    vsg_jit_emitter *e = h->e;
    LLVMValueRef function = LLVMGetBasicBlockParent(h->decide);
    LLVMBasicBlockRef exit =
        LLVMValueAsBasicBlock(vsg_jit_mapped(way->map, LLVMBasicBlockAsValue(columns->exit)));
    LLVMValueRef ends = LLVMGetCondition(LLVMGetBasicBlockTerminator(exit));
    LLVMValueRef last = LLVMGetBasicBlockTerminator(columns->exit);

    split_off(e, exit);
    if (vsg_jit_is_mapped(&h->own, LLVMBasicBlockAsValue(LLVMGetSuccessor(last, 0))))
        ends = LLVMBuildNot(e->b, ends, "");
    for (uint32_t i = 0; i < columns->count; i++) {
        const column *of = &columns->list[i];
        if (!of->is_put)
            continue;
        LLVMBasicBlockRef write = LLVMAppendBasicBlockInContext(e->context, function, "");
        LLVMBasicBlockRef next = LLVMAppendBasicBlockInContext(e->context, function, "");
        LLVMValueRef is_full =
            LLVMBuildICmp(e->b, LLVMIntEQ, is_in_row(e, round, all[i].in_row),
                          vsg_jit_i64(e, all[i].in_row - 1), "");
        LLVMBuildCondBr(e->b, LLVMBuildOr(e->b, is_full, ends, ""), write, next);
        LLVMPositionBuilderAtEnd(e->b, write);
        write_rows(e, of, &all[i], round);
        LLVMBuildBr(e->b, next);
        LLVMPositionBuilderAtEnd(e->b, next);
    }
    LLVMBuildBr(e->b, exit);
}

/* A block before the head of the copy, which has its phis now; the builder is at its end.
 * Returns the number of the round. */
static LLVMValueRef open_gate(hoister *h, const vsg_jit_columns_way *way,
                              LLVMBasicBlockRef gate)
{
    vsg_jit_emitter *e = h->e;
    LLVMValueRef last = LLVMGetBasicBlockTerminator(way->turn), zero = vsg_jit_i64(e, 0);

    for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++)
        if (LLVMGetSuccessor(last, s) == way->head)
            LLVMSetSuccessor(last, s, gate);
    LLVMPositionBuilderAtEnd(e->b, gate);
    for (LLVMValueRef v;
         (v = LLVMGetFirstInstruction(way->head)) && LLVMGetInstructionOpcode(v) == LLVMPHI;) {
        LLVMInstructionRemoveFromParent(v);
        LLVMInsertIntoBuilder(e->b, v);
    }
    LLVMValueRef round = LLVMBuildPhi(e->b, e->i64, "");
    LLVMValueRef next = LLVMBuildAdd(e->b, round, vsg_jit_i64(e, 1), "");
    LLVMAddIncoming(round, (LLVMValueRef[]){zero, next},
                    (LLVMBasicBlockRef[]){h->decide, way->turn}, 2);
    return round;
}

static bool stores(const vsg_jit_columns *columns)
{
    for (uint32_t i = 0; i < columns->count; i++)
        if (columns->list[i].is_put)
            return true;
    return false;
}

LLVMBasicBlockRef vsg_jit_read_ahead(vsg_jit_hoister *h, const vsg_jit_columns *columns,
                                     const vsg_jit_columns_way *way)
{
    vsg_jit_emitter *e = h->e;
    LLVMValueRef function = LLVMGetBasicBlockParent(h->decide);
    LLVMBasicBlockRef gate = LLVMAppendBasicBlockInContext(e->context, function, "");
    ahead all[VSG_JIT_MOST_COLUMNS];

    LLVMPositionBuilderAtEnd(e->b, h->decide);
    for (uint32_t i = 0; i < columns->count; i++) {
        const column *of = &columns->list[i];
        all[i] = (ahead){.rows = vsg_jit_take_stack(h, of->count * (uint32_t)sizeof(uint64_t)),
                         .columns = vsg_jit_take_stack(h, of->count * ROW_BYTES),
                         .in_row = in_row_of(of)};
        vsg_jit_store(e, of->rows, all[i].rows, ROW_BYTES);
    }
    LLVMValueRef round = open_gate(h, way, gate);
    for (uint32_t i = 0; i < columns->count; i++) {
        if (columns->list[i].is_put)
            continue;
        LLVMBasicBlockRef read = LLVMAppendBasicBlockInContext(e->context, function, "");
        LLVMBasicBlockRef next = LLVMAppendBasicBlockInContext(e->context, function, "");
        LLVMValueRef is_first = LLVMBuildICmp(
            e->b, LLVMIntEQ, is_in_row(e, round, all[i].in_row), vsg_jit_i64(e, 0), "");
        LLVMBuildCondBr(e->b, is_first, read, next);
        LLVMPositionBuilderAtEnd(e->b, read);
        read_rows(e, &columns->list[i], &all[i], round, way->more);
        LLVMBuildBr(e->b, next);
        LLVMPositionBuilderAtEnd(e->b, next);
    }
    LLVMBuildBr(e->b, way->head);
    for (uint32_t i = 0; i < columns->count; i++)
        use_ahead(e, way->map, &columns->list[i], &all[i], round);
    if (stores(columns))
        write_behind(h, columns, all, way, round);
    return gate;
}
