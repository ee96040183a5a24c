/* SPDX-License-Identifier: MIT */
#include "jit/tiles.h"

#include "jit/lowering.h"
#include "jit/shuffle.h"

enum { SIDE = 16, MOST_TILES = 16 };

/* A lane of a vector. */
typedef struct element {
    LLVMValueRef vector;
    uint32_t lane;
} element;

/* What the rows of a tile are; columns are those of the tile transposed. */
typedef struct tile {
    LLVMBasicBlockRef block;
    element rows[SIDE]; /* where each begins */
    LLVMValueRef columns[SIDE];
} tile;

static bool is_element(LLVMValueRef v, element *out)
{
    if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != LLVMExtractElement ||
        !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        return false;
    *out = (element){LLVMGetOperand(v, 0),
                     (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1))};
    return true;
}

static bool is_insertion(LLVMValueRef v)
{
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMInsertElement &&
           LLVMIsAConstantInt(LLVMGetOperand(v, 2));
}

/* The elements that a vector is put together from. False: it is not, or from other things. */
static bool find_elements(LLVMValueRef v, element *out)
{
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(v)), found = 0;

    for (; is_insertion(v); v = LLVMGetOperand(v, 0)) {
        uint64_t lane = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 2));
        if (lane >= count || out[lane].vector)
            continue;
        if (!is_element(LLVMGetOperand(v, 1), &out[lane]))
            return false;
        found++;
    }
    return found == count;
}

static bool are_same(const element *a, const element *b)
{
    return a->vector == b->vector && a->lane == b->lane;
}

/* Makes of a column's elements the beginnings of the rows. False: it is none. */
static bool find_rows(const vsg_jit_emitter *e, element *all, uint32_t *column)
{
    *column = all[0].lane % SIDE;
    for (uint32_t i = 0; i < SIDE; i++) {
        LLVMTypeRef type = LLVMTypeOf(all[i].vector);
        if (all[i].lane % SIDE != *column || LLVMGetVectorSize(type) % SIDE != 0 ||
            LLVMGetElementType(type) != e->i32)
            return false;
        all[i].lane -= *column;
        for (uint32_t n = 0; n < i; n++)
            if (are_same(&all[n], &all[i]))
                return false;
    }
    return true;
}

static bool is_of(const tile *t, LLVMBasicBlockRef block, const element *rows)
{
    bool good = t->block == block;

    for (uint32_t i = 0; i < SIDE && good; i++)
        good = are_same(&t->rows[i], &rows[i]);
    return good;
}

/* The tile with these rows: all its columns are made where the first one is asked for. */
static tile *tile_of(vsg_jit_emitter *e, tile *tiles, uint32_t *num_tiles, LLVMValueRef v,
                     const element *rows)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(v);

    for (uint32_t i = 0; i < *num_tiles; i++)
        if (is_of(&tiles[i], block, rows))
            return &tiles[i];
    if (*num_tiles == MOST_TILES)
        return NULL;
    tile *own = &tiles[(*num_tiles)++];
    own->block = block;
    LLVMPositionBuilderBefore(e->b, v);
    for (uint32_t i = 0; i < SIDE; i++) {
        own->rows[i] = rows[i];
        own->columns[i] = vsg_jit_take_lanes(e, rows[i].vector, rows[i].lane, 1, SIDE);
    }
    vsg_jit_transpose(e, own->columns, SIDE);
    return own;
}

/* A vector of one column, or of two behind each other, as such; NULL: it is none. */
static LLVMValueRef make_columns(vsg_jit_emitter *e, tile *tiles, uint32_t *num_tiles,
                                 LLVMValueRef v)
{
    element all[VSG_EXE_MAX_CHANNELS] = {{0}};
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(v)), column;
    LLVMValueRef columns = NULL;

    if (!find_elements(v, all))
        return NULL;
    for (uint32_t at = 0; at < count; at += SIDE) {
        tile *own =
            find_rows(e, all + at, &column) ? tile_of(e, tiles, num_tiles, v, all + at) : NULL;
        if (!own)
            return NULL;
        LLVMPositionBuilderBefore(e->b, v);
        columns =
            columns ? vsg_jit_append(e, columns, own->columns[column]) : own->columns[column];
    }
    return columns;
}

void vsg_jit_transpose_tiles(vsg_jit_emitter *e, LLVMValueRef function)
{
    LLVMTypeRef one = LLVMVectorType(e->i32, SIDE), two = LLVMVectorType(e->i32, 2 * SIDE);
    tile tiles[MOST_TILES];
    uint32_t num_tiles = 0;
    LLVMValueRef next;

    if (!vsg_jit_has_avx512(e))
        return;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = next) {
            next = LLVMGetNextInstruction(v);
            if (LLVMTypeOf(v) != one && LLVMTypeOf(v) != two)
                continue;
            LLVMValueRef columns = make_columns(e, tiles, &num_tiles, v);
            if (columns)
                LLVMReplaceAllUsesWith(v, columns); /* rows may name it */
        }
}
