/* SPDX-License-Identifier: MIT
 *
 * Blocks of rows of a surface that the instruction itself describes (exec_block.c). Where all
 * of a block is inside the surface and its memory allocated, each row is a vector; what reaches
 * over an edge, where zeros are, is the handler's. */
#include <stddef.h>

#include "exec/handlers.h"
#include "exec/message.h"
#include "exec/operand.h"
#include "jit/lowering.h"
#include "jit/shuffle.h"
#include "jit/transfer.h"

enum { DWORD = 4, MOST_UNITS = 64 };

typedef struct plane {
    vsg_jit_transfer t;
    const vsg_exe_block2d *block;
    uint32_t bytes;            /* of an element */
    uint32_t unit;             /* bytes that rows are moved by */
    LLVMValueRef start, pitch; /* i64: address of the first element, bytes to the next row */
} plane;

/* ---- where ------------------------------------------------------------------------------- */

static bool is_readable(const vsg_exe_scalar *scalar)
{
    return scalar->is_constant || vsg_jit_has_values(&scalar->operand);
}

static LLVMValueRef read_scalar(vsg_jit_emitter *e, const vsg_exe_scalar *scalar)
{
    vsg_exe_operand first = scalar->operand;

    if (scalar->is_constant)
        return vsg_jit_i64(e, (uint64_t)scalar->value);
    if (first.kind == VSG_EXE_OPERAND_REGION)
        first.shape = VSG_EXE_SHAPE_SCALAR;
    return vsg_jit_read_int(e, &first, 1, 64);
}

/* The low dword, as a number that is not negative, and one more. */
static LLVMValueRef read_size(vsg_jit_emitter *e, const vsg_exe_scalar *scalar)
{
    LLVMValueRef value =
        LLVMBuildAnd(e->b, read_scalar(e, scalar), vsg_jit_i64(e, UINT32_MAX), "");

    return LLVMBuildAdd(e->b, value, vsg_jit_i64(e, 1), "");
}

static LLVMValueRef read_place(vsg_jit_emitter *e, const vsg_exe_scalar *scalar)
{
    LLVMValueRef low = LLVMBuildTrunc(e->b, read_scalar(e, scalar), e->i32, "");

    return LLVMBuildSExt(e->b, low, e->i64, "");
}

/* Goes on where `count` from `first` on are below `end`. */
static void require_inside(vsg_jit_emitter *e, const plane *p, LLVMValueRef first,
                           uint32_t count, LLVMValueRef end)
{
    LLVMValueRef last = LLVMBuildAdd(e->b, first, vsg_jit_i64(e, count), "");
    LLVMValueRef above = LLVMBuildICmp(e->b, LLVMIntSGE, first, vsg_jit_i64(e, 0), "");
    LLVMValueRef below = LLVMBuildICmp(e->b, LLVMIntSLE, last, end, "");

    vsg_jit_require(e, &p->t, LLVMBuildAnd(e->b, above, below, ""));
}

/* The last row is in the window that the first one is in, and so are those between. */
static void require_last(vsg_jit_emitter *e, const plane *p)
{
    LLVMValueRef rows = vsg_jit_i64(e, p->block->block_height - 1);
    LLVMValueRef last =
        LLVMBuildAdd(e->b, p->start, LLVMBuildMul(e->b, p->pitch, rows, ""), "");
    LLVMValueRef base = vsg_jit_window_field(e, &p->t, offsetof(vsg_jit_window, base));
    LLVMValueRef size = vsg_jit_window_field(e, &p->t, offsetof(vsg_jit_window, size_bytes));

    last = LLVMBuildSub(e->b, last, LLVMBuildLoad2(e->b, e->i64, base, ""), "");
    vsg_jit_require(
        e, &p->t,
        LLVMBuildICmp(e->b, LLVMIntULT, last, LLVMBuildLoad2(e->b, e->i64, size, ""), ""));
}

static void find_block(vsg_jit_emitter *e, plane *p)
{
    const vsg_exe_block2d *block = p->block;
    LLVMValueRef x = read_place(e, &block->x), y = read_place(e, &block->y);
    LLVMValueRef bytes = vsg_jit_i64(e, p->bytes);
    LLVMValueRef columns = LLVMBuildUDiv(e->b, read_size(e, &block->width), bytes, "");

    require_inside(e, p, x, block->num_blocks * block->block_width, columns);
    require_inside(e, p, y, block->block_height, read_size(e, &block->height));
    p->pitch = read_size(e, &block->pitch);
    p->start = LLVMBuildAdd(e->b, read_scalar(e, &block->base),
                            LLVMBuildMul(e->b, y, p->pitch, ""), "");
    p->start = LLVMBuildAdd(e->b, p->start, LLVMBuildMul(e->b, x, bytes, ""), "");
    (void)vsg_jit_open_memory(e, &p->t, p->start, p->t.reach);
    require_last(e, p);
}

/* A pointer to an element of a row. */
static LLVMValueRef place_of(vsg_jit_emitter *e, const plane *p, uint32_t column, uint32_t row)
{
    LLVMValueRef at = LLVMBuildMul(e->b, p->pitch, vsg_jit_i64(e, row), "");

    at = LLVMBuildAdd(e->b, at, vsg_jit_i64(e, (uint64_t)column * p->bytes), "");
    return LLVMBuildIntToPtr(e->b, LLVMBuildAdd(e->b, p->start, at, ""), e->pointer, "");
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Zeros or less behind a vector, so that it has `count` elements. */
static LLVMValueRef fit(vsg_jit_emitter *e, LLVMValueRef value, uint32_t count)
{
    LLVMValueRef places[MOST_UNITS];
    LLVMTypeRef type = LLVMTypeOf(value);
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    uint32_t own = is_vector ? LLVMGetVectorSize(type) : 1;

    if (own == count)
        return value;
    if (!is_vector)
        return LLVMBuildInsertElement(e->b, LLVMConstNull(LLVMVectorType(type, count)), value,
                                      vsg_jit_i32(e, 0), "");
    for (uint32_t i = 0; i < count; i++)
        places[i] = vsg_jit_i32(e, i < own ? i : own);
    return LLVMBuildShuffleVector(e->b, value, LLVMConstNull(type),
                                  LLVMConstVector(places, count), "");
}

/* Rows of the registers that follow each other, `count` units each, which are written at once:
 * each write is of the whole variable to LLVM. */
typedef struct pile {
    LLVMValueRef rows[VSG_EXE_MAX_CHANNELS];
    uint32_t num_rows, at, unit, count;
} pile;

/* The first of them, `num` of a power of two. */
static void write_rows(vsg_jit_emitter *e, const plane *p, pile *out, uint32_t num)
{
    uint32_t each = out->count;

    for (uint32_t left = num; left > 1; left /= 2, each *= 2)
        for (uint32_t i = 0; i < left / 2; i++)
            out->rows[i] = vsg_jit_append(e, out->rows[2 * i], out->rows[2 * i + 1]);
    vsg_exe_operand row = vsg_jit_raw(&p->t.message->data, out->at, out->unit);
    vsg_jit_write(e, &row, each, out->rows[0], NULL);
    out->at += each * out->unit;
    out->num_rows -= num;
    for (uint32_t i = 0; i < out->num_rows; i++)
        out->rows[i] = out->rows[i + num];
}

static void end_pile(vsg_jit_emitter *e, const plane *p, pile *out)
{
    while (out->num_rows > 0) {
        uint32_t num = 1;
        while (2 * num <= out->num_rows && out->count > 1)
            num *= 2;
        write_rows(e, p, out, num);
    }
}

static void add_row(vsg_jit_emitter *e, const plane *p, pile *out, LLVMValueRef row)
{
    out->rows[out->num_rows++] = fit(e, row, out->count);
    if (out->num_rows * out->count == VSG_EXE_MAX_CHANNELS)
        end_pile(e, p, out);
}

static LLVMValueRef load_row(vsg_jit_emitter *e, const plane *p, uint32_t block, uint32_t row)
{
    uint32_t width = p->block->block_width;

    return vsg_jit_load(e, vsg_jit_int(e, 8 * p->unit, width * p->bytes / p->unit),
                        place_of(e, p, block * width, row), 1);
}

static void load_rows(vsg_jit_emitter *e, const plane *p, uint32_t block, uint32_t at)
{
    uint32_t bytes = p->block->row_elements * p->bytes;
    pile rows = {.at = at, .unit = p->unit, .count = bytes / p->unit};

    for (uint32_t y = 0; y < p->block->block_height; y++)
        add_row(e, p, &rows, load_row(e, p, block, y));
    end_pile(e, p, &rows);
}

static void store_rows(vsg_jit_emitter *e, const plane *p)
{
    uint32_t count = p->block->block_width * p->bytes / p->unit;

    for (uint32_t y = 0; y < p->block->block_height; y++) {
        vsg_exe_operand row =
            vsg_jit_raw(&p->t.message->data, y * p->block->row_elements * p->bytes, p->unit);
        vsg_jit_store(e, vsg_jit_read(e, &row, count), place_of(e, p, 0, y), 1);
    }
}

/* Column x of all rows. */
static LLVMValueRef load_column(vsg_jit_emitter *e, const plane *p, uint32_t block, uint32_t x)
{
    uint32_t height = p->block->block_height;
    LLVMTypeRef type = vsg_jit_int(e, 8 * p->bytes, 1);
    LLVMValueRef all = LLVMConstNull(vsg_jit_int(e, 8 * p->bytes, height));

    for (uint32_t y = 0; y < height; y++) {
        LLVMValueRef place = place_of(e, p, block * p->block->block_width + x, y);
        LLVMValueRef element = vsg_jit_load(e, type, place, 1);
        all = height == 1 ? element
                          : LLVMBuildInsertElement(e->b, all, element, vsg_jit_i32(e, y), "");
    }
    return all;
}

static void load_columns(vsg_jit_emitter *e, const plane *p, uint32_t block, uint32_t at)
{
    pile rows = {.at = at, .unit = p->bytes, .count = p->block->row_elements};

    for (uint32_t x = 0; x < p->block->block_width; x++)
        add_row(e, p, &rows, load_column(e, p, block, x));
    end_pile(e, p, &rows);
}

/* The elements that a dword has of one column: of rows from y on, zeros behind the last. */
static LLVMValueRef load_pack(vsg_jit_emitter *e, const plane *p, uint32_t block, uint32_t y)
{
    uint32_t width = p->block->block_width;
    LLVMTypeRef dwords = vsg_jit_int(e, 32, width), own = vsg_jit_int(e, 8 * p->bytes, width);
    LLVMValueRef all = LLVMConstNull(dwords);

    for (uint32_t k = 0; k < DWORD / p->bytes && y + k < p->block->block_height; k++) {
        LLVMValueRef row = vsg_jit_load(e, own, place_of(e, p, block * width, y + k), 1);
        LLVMValueRef by = vsg_jit_splat(e, vsg_jit_i32(e, 8 * p->bytes * k), width);
        row = LLVMBuildShl(e->b, LLVMBuildZExt(e->b, row, dwords, ""), by, "");
        all = LLVMBuildOr(e->b, all, row, "");
    }
    return all;
}

static void load_packs(vsg_jit_emitter *e, const plane *p, uint32_t block, uint32_t at)
{
    pile rows = {.at = at, .unit = DWORD, .count = p->block->row_elements};

    for (uint32_t y = 0; y < p->block->block_height; y += DWORD / p->bytes)
        add_row(e, p, &rows, load_pack(e, p, block, y));
    end_pile(e, p, &rows);
}

/* What the block has of the registers behind its rows is 0. */
static void clear(vsg_jit_emitter *e, const plane *p, uint32_t at, uint32_t end)
{
    while (at < end) {
        uint32_t count = (end - at) / p->unit;
        if (count > VSG_EXE_MAX_CHANNELS)
            count = VSG_EXE_MAX_CHANNELS;
        vsg_exe_operand row = vsg_jit_raw(&p->t.message->data, at, p->unit);
        vsg_jit_write(e, &row, count, LLVMConstNull(vsg_jit_int(e, 8 * p->unit, count)), NULL);
        at += count * p->unit;
    }
}

/* ---- instructions ------------------------------------------------------------------------ */

/* Rows of the registers: of a transposed block its columns. */
static uint32_t num_rows(const plane *p)
{
    uint32_t group = p->block->vnni && p->bytes < DWORD ? DWORD / p->bytes : 1;
    uint32_t rows = p->block->transposed ? p->block->block_width : p->block->block_height;

    return (rows + group - 1) / group * group;
}

static void load_blocks(vsg_jit_emitter *e, const plane *p)
{
    const vsg_exe_block2d *block = p->block;
    uint32_t bytes = block->block_elements * p->bytes;

    for (uint32_t b = 0; b < block->num_blocks; b++) {
        if (block->transposed)
            load_columns(e, p, b, b * bytes);
        else if (block->vnni && p->bytes < DWORD)
            load_packs(e, p, b, b * bytes);
        else
            load_rows(e, p, b, b * bytes);
        clear(e, p, b * bytes + num_rows(p) * block->row_elements * p->bytes, (b + 1) * bytes);
    }
}

uint32_t vsg_jit_block2d_unit(const vsg_exe_message *message)
{
    const vsg_exe_block2d *block = message->block;
    uint32_t bytes = message->memory_bytes;
    bool by_dwords = block->vnni || (block->block_width * bytes % DWORD == 0 &&
                                     block->row_elements * bytes % DWORD == 0);

    return bytes < DWORD && by_dwords && block->block_elements * bytes % DWORD == 0 ? DWORD
                                                                                    : bytes;
}

static bool fits(const vsg_exe_message *message, const plane *p)
{
    const vsg_exe_block2d *block = message->block;
    uint32_t most = VSG_EXE_MAX_CHANNELS;
    bool is_packed = block->vnni && p->bytes < DWORD;

    return !message->data.is_null && !message->data.shared && is_readable(&block->base) &&
           is_readable(&block->width) && is_readable(&block->height) &&
           is_readable(&block->pitch) && is_readable(&block->x) && is_readable(&block->y) &&
           block->block_width > 0 && block->block_height > 0 &&
           !(block->transposed && is_packed) &&
           (block->transposed || is_packed ? block->row_elements
                                           : block->row_elements * p->bytes / p->unit) <= most;
}

static bool lower(vsg_jit_emitter *e, const vsg_exe_inst *inst, bool is_store)
{
    const vsg_exe_message *message = inst->message;
    plane p = {.block = message->block, .bytes = message->memory_bytes};

    p.unit = vsg_jit_block2d_unit(message);
    if (!fits(message, &p) || !vsg_jit_begin_transfer(e, inst, &p.t))
        return false;
    p.t.reach = p.block->num_blocks * p.block->block_width * p.bytes;
    LLVMValueRef channels = vsg_jit_channels(e, inst);
    if (channels) {
        LLVMBasicBlockRef on = vsg_jit_block(e);
        LLVMBuildCondBr(e->b, LLVMBuildTrunc(e->b, channels, e->i1, ""), on, p.t.done);
        vsg_jit_go_on(e, on);
    }
    find_block(e, &p);
    if (is_store)
        store_rows(e, &p);
    else
        load_blocks(e, &p);
    vsg_jit_end_transfer(e, &p.t);
    return true;
}

bool vsg_jit_lower_load_block2d(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    return lower(e, inst, false);
}

bool vsg_jit_lower_store_block2d(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    return lower(e, inst, true);
}
