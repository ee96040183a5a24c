/* SPDX-License-Identifier: MIT
 *
 * Vectors of rows out of their scalars. Handlers and frames want vectors of addresses where the
 * accesses themselves need only the first of each chunk; made again here, where they are
 * wanted, they are not made where they are not. */
#include "jit/rows.h"

#include "jit/sets.h"

/* ---- which can be ------------------------------------------------------------------------ */

static bool is_live_anywhere(const vsg_jit_emitter *e, uint32_t part)
{
    for (uint32_t i = 0; i < e->unit->num_code; i++)
        if (e->notes[i].is_resumed && e->live[i] && vsg_jit_has(e->live[i], part))
            return true;
    return false;
}

/* Channels that are off have no ids that follow each other. What has wrapped around and comes
 * out of the frame does not tell how. */
void vsg_jit_find_remade(vsg_jit_emitter *e)
{
    for (uint32_t i = 0; i < e->num_general; i++) {
        vsg_jit_row *row = &e->rows[i];
        row->is_remade = !vsg_jit_is_ragged(e) && row->state == VSG_JIT_ROW_KNOWN &&
                         !e->parts[i].in_frame &&
                         (row->is_exact || (row->inner.bits && !is_live_anywhere(e, i)));
    }
}

/* ---- making them ------------------------------------------------------------------------- */

/* The scalars of chunks, each in all lanes of its chunk. */
static LLVMValueRef spread(vsg_jit_emitter *e, const LLVMValueRef *slots, LLVMTypeRef type,
                           uint32_t chunk, uint32_t lanes)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS];
    LLVMValueRef all = LLVMGetPoison(LLVMVectorType(type, lanes / chunk));

    if (lanes == chunk)
        return vsg_jit_splat(e, LLVMBuildLoad2(e->b, type, slots[0], ""), lanes);
    for (uint32_t c = 0; c < lanes / chunk; c++)
        all = LLVMBuildInsertElement(e->b, all, LLVMBuildLoad2(e->b, type, slots[c], ""),
                                     vsg_jit_i32(e, c), "");
    for (uint32_t i = 0; i < lanes; i++)
        places[i] = vsg_jit_i32(e, i / chunk);
    return LLVMBuildShuffleVector(e->b, all, LLVMGetPoison(LLVMTypeOf(all)),
                                  LLVMConstVector(places, lanes), "");
}

/* 0, step, 2 * step ... in each chunk. */
static LLVMValueRef steps_of(LLVMTypeRef type, int64_t step, uint32_t chunk, uint32_t lanes)
{
    LLVMValueRef steps[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < lanes; i++)
        steps[i] = LLVMConstInt(type, (uint64_t)step * (i % chunk), false);
    return LLVMConstVector(steps, lanes);
}

static LLVMValueRef extend(vsg_jit_emitter *e, LLVMValueRef value, bool is_signed,
                           LLVMTypeRef type)
{
    return is_signed ? LLVMBuildSExt(e->b, value, type, "")
                     : LLVMBuildZExt(e->b, value, type, "");
}

static LLVMValueRef differences(vsg_jit_emitter *e, const vsg_jit_row *row,
                                const vsg_jit_part *part, uint32_t lanes)
{
    LLVMTypeRef narrow = vsg_jit_int(e, row->inner.bits, 1);
    LLVMValueRef first = spread(e, row->narrow, narrow, row->chunk, lanes);
    LLVMValueRef all =
        LLVMBuildAdd(e->b, first, steps_of(narrow, row->inner.step, row->chunk, lanes), "");
    uint32_t bits = 8 * part->element_bytes;
    LLVMValueRef factor =
        LLVMConstInt(vsg_jit_int(e, bits, 1), (uint64_t)row->inner.factor, false);

    all = LLVMBuildSub(e->b, extend(e, all, row->inner.is_signed, part->type),
                       extend(e, first, row->inner.is_signed, part->type), "");
    return LLVMBuildMul(e->b, all, vsg_jit_splat(e, factor, lanes), "");
}

LLVMValueRef vsg_jit_remake(vsg_jit_emitter *e, uint32_t number)
{
    if (number >= e->num_general || !e->rows[number].is_remade)
        return NULL;
    const vsg_jit_row *row = &e->rows[number];
    const vsg_jit_part *part = &e->parts[number];
    uint32_t lanes = part->bytes / part->element_bytes;
    LLVMTypeRef type = vsg_jit_int(e, 8 * part->element_bytes, 1);
    LLVMValueRef first = spread(e, row->first, type, row->chunk, lanes);

    return LLVMBuildAdd(e->b, first,
                        row->is_exact ? steps_of(type, row->step, row->chunk, lanes)
                                      : differences(e, row, part, lanes),
                        "");
}

bool vsg_jit_store_scalars(vsg_jit_emitter *e, uint32_t number, LLVMValueRef at,
                           vsg_jit_scalars *out)
{
    if (number >= e->num_general || !e->rows[number].is_remade)
        return false;
    const vsg_jit_row *row = &e->rows[number];
    const vsg_jit_part *part = &e->parts[number];
    uint32_t lanes = part->bytes / part->element_bytes, chunks = lanes / row->chunk;
    LLVMTypeRef type = vsg_jit_int(e, 8 * part->element_bytes, 1);

    *out = (vsg_jit_scalars){.at = part->home,
                             .lanes = lanes,
                             .chunk = row->chunk,
                             .lane_bytes = part->element_bytes,
                             .step = row->step};
    for (uint32_t c = 0; c < chunks; c++)
        vsg_jit_store(e, LLVMBuildLoad2(e->b, type, row->first[c], ""),
                      vsg_jit_at(e, at, (uint64_t)c * part->element_bytes), 1);
    if (row->is_exact)
        return true;
    out->inner_bits = row->inner.bits;
    out->is_signed = row->inner.is_signed;
    out->step = row->inner.step;
    out->factor = row->inner.factor;
    at = vsg_jit_at(e, at, (uint64_t)chunks * part->element_bytes);
    type = vsg_jit_int(e, row->inner.bits, 1);
    for (uint32_t c = 0; c < chunks; c++)
        vsg_jit_store(e, LLVMBuildLoad2(e->b, type, row->narrow[c], ""),
                      vsg_jit_at(e, at, (uint64_t)c * row->inner.bits / 8), 1);
    return true;
}

/* ---- inner rows -------------------------------------------------------------------------- */

LLVMValueRef vsg_jit_narrow_of(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                               const vsg_exe_operand *source, LLVMValueRef first)
{
    uint32_t part = e->part_of[source->offset];
    const vsg_jit_row *row = &e->rows[part];
    uint32_t lane = (source->offset - e->parts[part].at) / e->parts[part].element_bytes;

    bool is_half = source->bytes < e->parts[part].element_bytes;

    if (source->bytes < inst->dst.bytes && (is_half || !row->is_small))
        return LLVMBuildTrunc(e->b, first, vsg_jit_int(e, 8u * source->bytes, 1), "");
    LLVMValueRef slot = row->narrow[lane / row->chunk];
    if (!slot || is_half)
        return NULL;
    LLVMTypeRef type = vsg_jit_int(e, row->inner.bits, 1);
    uint64_t skip = (uint64_t)row->inner.step * (lane % row->chunk);
    return LLVMBuildAdd(e->b, LLVMBuildLoad2(e->b, type, slot, ""),
                        LLVMConstInt(type, skip, false), "");
}

LLVMValueRef vsg_jit_no_wrap(vsg_jit_emitter *e, const vsg_jit_inner *inner)
{
    uint64_t middle = UINT64_C(1) << (inner->bits - 1);

    return LLVMConstInt(vsg_jit_int(e, inner->bits, 1), inner->is_signed ? 0 : middle, false);
}
