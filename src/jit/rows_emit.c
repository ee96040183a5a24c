/* SPDX-License-Identifier: MIT
 *
 * The scalars of rows: each chunk's first lane, and whether the others are as they should be.
 */
#include "exec/message.h"
#include "jit/lowering.h"
#include "jit/marks.h"
#include "jit/row_lanes.h"
#include "jit/sides.h"

static uint32_t chunks_of(const vsg_jit_emitter *e, uint32_t part)
{
    return vsg_jit_lanes_of(&e->parts[part]) / e->rows[part].chunk;
}

void vsg_jit_make_row_slots(vsg_jit_emitter *e)
{
    for (uint32_t i = 0; i < e->num_general; i++) {
        vsg_jit_row *row = &e->rows[i];
        if (row->state != VSG_JIT_ROW_KNOWN)
            continue;
        for (uint32_t c = 0; c < chunks_of(e, i); c++)
            row->first[c] =
                LLVMBuildAlloca(e->b, vsg_jit_int(e, 8 * e->parts[i].element_bytes, 1), "");
        if (!row->is_exact)
            row->exact = LLVMBuildAlloca(e->b, e->i1, "");
        for (uint32_t c = 0; row->inner.bits && row->is_remade && c < chunks_of(e, i); c++)
            row->narrow[c] = LLVMBuildAlloca(e->b, vsg_jit_int(e, row->inner.bits, 1), "");
    }
}

LLVMValueRef vsg_jit_both(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b)
{
    if (!a || !b)
        return a ? a : b;
    return LLVMBuildAnd(e->b, a, b, "");
}

/* Does the first chunk of `bits` wide numbers stay within what they hold? */
static LLVMValueRef has_no_wrap(vsg_jit_emitter *e, const vsg_jit_view *view, uint32_t bits,
                                bool is_signed)
{
    int64_t half = INT64_C(1) << (bits - 1), most = is_signed ? half - 1 : 2 * half - 1;
    int64_t least = is_signed ? -half : 0, last;

    if (__builtin_mul_overflow(view->step, (int64_t)view->chunk - 1, &last) ||
        last > most - least || last < least - most)
        return LLVMConstInt(e->i1, 0, false);
    if (last >= 0)
        return vsg_jit_is_less(e, view->first[0], vsg_jit_i64(e, (uint64_t)(most - last + 1)));
    return vsg_jit_is_less(e, LLVMBuildNeg(e->b, view->first[0], ""),
                           vsg_jit_i64(e, (uint64_t)(1 + last - least)));
}

/* What is seen of chunk `c` of qwords by who looks at their halves. */
static void take_half(vsg_jit_emitter *e, const vsg_jit_row *row, bool is_upper, uint32_t c,
                      vsg_jit_view *view)
{
    LLVMValueRef lower = LLVMBuildAnd(e->b, view->first[c], vsg_jit_i64(e, UINT32_MAX), "");
    const vsg_jit_view whole = {.chunk = view->chunk, .step = row->step, .first = {lower}};

    if (is_upper && row->step != 0)
        view->exact = vsg_jit_both(e, view->exact, has_no_wrap(e, &whole, 32, false));
    view->first[c] =
        is_upper ? LLVMBuildLShr(e->b, view->first[c], vsg_jit_i64(e, 32), "") : lower;
}

bool vsg_jit_view_row(vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count,
                      vsg_jit_view *out)
{
    vsg_jit_half_lanes half;
    uint32_t part, lane;

    bool is_half = vsg_jit_halves_in(e, operand, count, &half);
    if (is_half) {
        part = half.part;
        lane = half.lane;
    } else if (!vsg_jit_lanes_in(e, operand, count, &part, &lane)) {
        return false;
    }
    const vsg_jit_row *row = &e->rows[part];
    if (row->state != VSG_JIT_ROW_KNOWN || vsg_jit_straddles(row, lane, count))
        return false;
    *out = (vsg_jit_view){.chunk = count < row->chunk ? count : row->chunk,
                          .step = !is_half        ? row->step
                                  : half.is_upper ? 0
                                                  : (int32_t)row->step,
                          .is_guess =
                              row->is_guess || (is_half && half.is_upper && row->step != 0),
                          .is_small = row->is_small && !is_half};
    if (row->exact)
        out->exact = LLVMBuildLoad2(e->b, e->i1, row->exact, "");
    out->num_chunks = count / out->chunk;
    for (uint32_t c = 0; c < out->num_chunks; c++) {
        uint32_t at = lane + c * out->chunk, bits = 8u * e->parts[part].element_bytes;
        LLVMTypeRef type = vsg_jit_int(e, bits, 1);
        LLVMValueRef first = LLVMBuildLoad2(e->b, type, row->first[at / row->chunk], "");
        uint64_t skip = (uint64_t)row->step * (at % row->chunk);
        if (skip)
            first = LLVMBuildAdd(e->b, first, LLVMConstInt(type, skip, false), "");
        out->first[c] = vsg_jit_extend(e, first, bits, 64, 1, false);
        if (is_half)
            take_half(e, row, half.is_upper, c, out);
    }
    return true;
}

/* A source from channel `i` on. */
static vsg_exe_operand source_from(const vsg_exe_operand *source, uint32_t i)
{
    vsg_exe_operand part = *source;

    part.offset +=
        i * (source->shape == VSG_EXE_SHAPE_STRIDED ? (uint32_t)source->h_stride_bytes
                                                    : source->bytes);
    return part;
}

/* A source for chunk `c` of the result, in 64 bits, modifiers applied. */
static LLVMValueRef read_source(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                                const vsg_exe_operand *source, uint32_t c,
                                vsg_jit_row_plan *plan)
{
    uint32_t chunk = plan->row->chunk;
    uint32_t bits = 8u * source->bytes;
    bool is_signed = vsg_jit_is_signed(source);
    vsg_jit_view view;

    if (vsg_jit_is_one(source))
        return vsg_jit_read_int(e, source, 1, 64);
    if (source->kind == VSG_EXE_OPERAND_IMMEDIATE)
        return vsg_jit_i64(e, (uint64_t)vsg_jit_immediate(source, c * chunk));
    vsg_exe_operand part = source_from(source, c * chunk);
    if (!vsg_jit_view_row(e, &part, chunk, &view))
        return vsg_jit_i64(e, 0); /* not so: the analysis has seen it */
    if (is_signed && bits < 64) {
        LLVMValueRef low = LLVMBuildTrunc(e->b, view.first[0], vsg_jit_int(e, bits, 1), "");
        view.first[0] = LLVMBuildSExt(e->b, low, e->i64, "");
    }
    LLVMValueRef first = view.first[0];
    plan->exact = vsg_jit_both(e, plan->exact, view.exact);
    if (view.step != 0 && bits < 8u * inst->dst.bytes && !view.is_small)
        plan->exact = vsg_jit_both(e, plan->exact, has_no_wrap(e, &view, bits, is_signed));
    if (view.step != 0)
        plan->narrow[c] = vsg_jit_narrow_of(e, inst, &part, first);
    return source->modifier == VSG_OBJ_MOD_NEG ? LLVMBuildNeg(e->b, first, "") : first;
}

/* What step_of() knows, and what is guessed. */
static LLVMValueRef compute(vsg_jit_emitter *e, const vsg_exe_inst *inst, LLVMValueRef *in)
{
    if (vsg_jit_can_guess(inst) || inst->op == VISAGE_OP_MULH)
        return vsg_jit_guess_first(e, inst, in);
    if (inst->op == VISAGE_OP_MOV)
        return in[0];
    if (inst->op == VISAGE_OP_NOT)
        return LLVMBuildNot(e->b, in[0], "");
    if (inst->op == VISAGE_OP_SHL)
        return LLVMBuildShl(e->b, in[0], in[1], "");
    if (inst->op == VISAGE_OP_OR)
        return LLVMBuildOr(e->b, in[0], in[1], "");
    return vsg_jit_combine(e, (visage_op)inst->op, in);
}

/* Do lanes that get their lower halves stay a step apart? NULL: in any case. */
static LLVMValueRef keeps_step(vsg_jit_emitter *e, const vsg_exe_operand *lower, uint32_t c,
                               const vsg_jit_row *row)
{
    vsg_exe_operand part = source_from(lower, c * row->chunk);
    vsg_jit_view view;

    if (row->step == 0 || !vsg_jit_view_row(e, &part, row->chunk, &view))
        return NULL;
    return has_no_wrap(e, &view, 8u * lower->bytes, false);
}

static void begin_half(vsg_jit_emitter *e, const vsg_exe_inst *inst, vsg_jit_row_plan *plan)
{
    vsg_jit_half_lanes half;

    if (!vsg_jit_find_half(e, e->place, &half) || e->rows[half.part].state != VSG_JIT_ROW_KNOWN)
        return;
    plan->row = &e->rows[half.part];
    plan->part = half.part;
    plan->lane = half.lane;
    plan->goes_on = half.role != VSG_JIT_HALF_FIRST;
    uint64_t kept = half.is_upper ? UINT32_MAX : ~(uint64_t)UINT32_MAX;
    for (uint32_t c = 0; c < inst->exec_size / plan->row->chunk; c++) {
        LLVMValueRef value = read_source(e, inst, &inst->src[0], c, plan);
        LLVMValueRef slot = plan->row->first[half.lane / plan->row->chunk + c];
        LLVMValueRef old = LLVMBuildLoad2(e->b, e->i64, slot, "");
        if (half.is_upper)
            value = LLVMBuildShl(e->b, value, vsg_jit_i64(e, 32), "");
        else
            plan->exact =
                vsg_jit_both(e, plan->exact, keeps_step(e, &inst->src[0], c, plan->row));
        value = LLVMBuildAnd(e->b, value, vsg_jit_i64(e, ~kept), "");
        old = LLVMBuildAnd(e->b, old, vsg_jit_i64(e, kept), "");
        plan->first[c] = LLVMBuildOr(e->b, old, value, "");
    }
}

static void begin_loaded(vsg_jit_emitter *e, const vsg_exe_inst *inst, vsg_jit_row_plan *plan)
{
    vsg_jit_view view;

    if (!vsg_jit_find_loaded(e, e->place, &plan->part, &plan->lane) ||
        e->rows[plan->part].state != VSG_JIT_ROW_KNOWN)
        return;
    plan->row = &e->rows[plan->part];
    plan->is_loaded = true;
    plan->goes_on = plan->count < vsg_jit_lanes_of(&e->parts[plan->part]);
    e->loading = plan;
    if (inst->message->address.is_null)
        return;
    vsg_exe_operand address =
        vsg_jit_raw(&inst->message->address, 0, inst->message->address_bytes);
    if (vsg_jit_view_row(e, &address, inst->exec_size, &view))
        plan->exact = view.exact;
}

/* narrow: NULL: what does not wrap around. */
static void set_first(vsg_jit_emitter *e, const vsg_jit_row *row, uint32_t chunk,
                      LLVMValueRef first, LLVMValueRef narrow)
{
    LLVMBuildStore(e->b, first, row->first[chunk]);
    if (row->narrow[chunk])
        LLVMBuildStore(e->b, narrow ? narrow : vsg_jit_no_wrap(e, &row->inner),
                       row->narrow[chunk]);
}

void vsg_jit_set_loaded(vsg_jit_emitter *e, uint32_t channel, uint32_t count,
                        LLVMValueRef value)
{
    vsg_jit_row_plan *plan = e->loading;

    if (!plan)
        return;
    uint32_t lane = plan->lane + channel;
    for (uint32_t i = 0; i < count; i += plan->row->chunk)
        set_first(e, plan->row, (lane + i) / plan->row->chunk, value, NULL);
    plan->is_set = true;
}

void vsg_jit_set_handled(vsg_jit_emitter *e)
{
    const vsg_jit_row_plan *plan = e->loading;

    if (!plan)
        return;
    uint32_t chunk = plan->row->chunk;
    const vsg_jit_part *part = &e->parts[plan->part];
    LLVMValueRef all = vsg_jit_load(e, part->type, part->slot, 64);
    for (uint32_t i = 0; i < plan->count; i += chunk)
        set_first(e, plan->row, (plan->lane + i) / chunk,
                  LLVMBuildExtractElement(e->b, all, vsg_jit_i32(e, plan->lane + i), ""), NULL);
}

/* Each write sets what begins in it. Nothing reads them before the last one. */
static void set_numbers(vsg_jit_emitter *e, const vsg_jit_row_plan *plan)
{
    const vsg_jit_row *row = &e->rows[plan->part];
    LLVMTypeRef type = vsg_jit_int(e, 8 * e->parts[plan->part].element_bytes, 1);

    for (uint32_t i = 0; i < plan->count; i++) {
        uint32_t lane = plan->lane + i;
        if (lane % row->chunk == 0)
            set_first(
                e, row, lane / row->chunk,
                LLVMConstInt(type, (uint64_t)(row->number + row->number_step * lane), false),
                NULL);
    }
}

void vsg_jit_begin_rows(vsg_jit_emitter *e, const vsg_exe_inst *inst, vsg_jit_row_plan *plan)
{
    vsg_jit_guess guess;
    bool merges;

    *plan = (vsg_jit_row_plan){.count = inst->exec_size};
    e->loading = NULL;
    begin_half(e, inst, plan);
    if (!plan->row)
        begin_loaded(e, inst, plan);
    if (plan->row || !vsg_jit_find_written(e, e->place, &plan->part, &plan->lane, &merges) ||
        e->rows[plan->part].state != VSG_JIT_ROW_KNOWN)
        return;
    if (e->rows[plan->part].num_writes) {
        set_numbers(e, plan);
        return;
    }
    plan->row = &e->rows[plan->part];
    plan->goes_on = plan->count < vsg_jit_lanes_of(&e->parts[plan->part]);
    if (merges)
        plan->exact = LLVMBuildICmp(e->b, LLVMIntEQ, LLVMBuildLoad2(e->b, e->i32, e->mask, ""),
                                    vsg_jit_i32(e, e->dispatch_mask), "");
    plan->is_uniform = plan->row->step == 0 && !vsg_jit_is_followed(e, inst);
    for (uint32_t s = 0; s < inst->num_sources && plan->is_uniform; s++) {
        vsg_jit_view view;
        if (vsg_jit_view_row(e, &inst->src[s], inst->exec_size, &view))
            plan->exact = vsg_jit_both(e, plan->exact, view.exact);
    }
    if (plan->is_uniform)
        return;
    bool is_guess = vsg_jit_finds_guess(e, inst, plan->row->chunk, &guess);
    for (uint32_t c = 0; c < inst->exec_size / plan->row->chunk; c++) {
        LLVMValueRef in[VSG_EXE_MAX_SOURCES];
        for (uint32_t s = 0; s < inst->num_sources; s++)
            in[s] = read_source(e, inst, &inst->src[s], c, plan);
        plan->first[c] = compute(e, inst, in);
        if (is_guess)
            plan->exact =
                vsg_jit_both(e, plan->exact, vsg_jit_guess_holds(e, inst, &guess, in));
    }
}

void vsg_jit_end_rows(vsg_jit_emitter *e, const vsg_jit_row_plan *plan)
{
    const vsg_jit_row *row = plan->row;

    if (plan->is_loaded && !plan->is_set)
        vsg_jit_set_handled(e);
    e->loading = NULL;
    if (!row)
        return;
    const vsg_jit_part *part = &e->parts[plan->part];
    LLVMTypeRef type = vsg_jit_int(e, 8 * part->element_bytes, 1);
    for (uint32_t c = 0; c < plan->count / row->chunk && !plan->is_loaded; c++) {
        uint32_t lane = plan->lane + c * row->chunk;
        LLVMValueRef first = plan->first[c];
        if (plan->is_uniform)
            first = LLVMBuildExtractElement(e->b, vsg_jit_load(e, part->type, part->slot, 64),
                                            vsg_jit_i32(e, lane), "");
        else if (part->element_bytes < 8)
            first = LLVMBuildTrunc(e->b, first, type, "");
        set_first(e, row, lane / row->chunk, first, plan->narrow[c]);
    }
    if (!row->exact)
        return;
    LLVMValueRef exact = plan->exact ? plan->exact : LLVMConstInt(e->i1, 1, false);
    if (plan->goes_on)
        exact = LLVMBuildAnd(e->b, exact, LLVMBuildLoad2(e->b, e->i1, row->exact, ""), "");
    LLVMBuildStore(e->b, exact, row->exact);
}

/* Are the lanes of each chunk a step apart? */
static LLVMValueRef is_row(vsg_jit_emitter *e, uint32_t number, LLVMValueRef all)
{
    const vsg_jit_part *part = &e->parts[number];
    const vsg_jit_row *row = &e->rows[number];
    LLVMTypeRef type = vsg_jit_int(e, 8 * part->element_bytes, 1);
    uint32_t lanes = vsg_jit_lanes_of(part);
    LLVMValueRef from[VSG_EXE_MAX_CHANNELS], steps[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < lanes; i++) {
        from[i] = vsg_jit_i32(e, i / row->chunk * row->chunk);
        steps[i] = LLVMConstInt(type, (uint64_t)row->step * (i % row->chunk), false);
    }
    LLVMValueRef want = LLVMBuildShuffleVector(e->b, all, LLVMGetPoison(part->type),
                                               LLVMConstVector(from, lanes), "");
    want = LLVMBuildAdd(e->b, want, LLVMConstVector(steps, lanes), "");
    LLVMValueRef differ = LLVMBuildICmp(e->b, LLVMIntNE, want, all, "");
    return LLVMBuildICmp(e->b, LLVMIntEQ, vsg_jit_bits(e, differ, lanes), vsg_jit_i32(e, 0),
                         "");
}

void vsg_jit_restore_row(vsg_jit_emitter *e, uint32_t number, bool is_sure)
{
    vsg_jit_forget_sides(e, number);
    if (number >= e->num_general || e->rows[number].state != VSG_JIT_ROW_KNOWN)
        return;
    const vsg_jit_part *part = &e->parts[number];
    const vsg_jit_row *row = &e->rows[number];
    LLVMValueRef all = vsg_jit_load(e, part->type, part->slot, 64);

    for (uint32_t c = 0; c < chunks_of(e, number); c++)
        LLVMBuildStore(e->b,
                       LLVMBuildExtractElement(e->b, all, vsg_jit_i32(e, c * row->chunk), ""),
                       row->first[c]);
    for (uint32_t c = 0; c < chunks_of(e, number) && row->narrow[c]; c++)
        LLVMBuildStore(e->b, vsg_jit_no_wrap(e, &row->inner), row->narrow[c]);
    if (row->exact)
        LLVMBuildStore(e->b, is_sure ? LLVMConstInt(e->i1, 1, false) : is_row(e, number, all),
                       row->exact);
}
