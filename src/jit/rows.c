/* SPDX-License-Identifier: MIT */
#include "jit/rows.h"

#include <string.h>

#include "exec/message.h"
#include "jit/lowering.h"
#include "jit/marks.h"
#include "jit/sets.h"

/* ---- operands as lanes of parts ---------------------------------------------------------- */

/* What an operand of `count` elements is in its part. False: no lanes of one. */
static bool find_lanes(const vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count,
                       uint32_t *part, uint32_t *lane)
{
    if (operand->kind != VSG_EXE_OPERAND_REGION || operand->shared || operand->is_null ||
        count < 2 || operand->shape != VSG_EXE_SHAPE_CONTIGUOUS)
        return false;
    *part = e->part_of[operand->offset];
    if (*part == VSG_JIT_NO_PART || e->parts[*part].element_bytes != operand->bytes)
        return false;
    *lane = (operand->offset - e->parts[*part].at) / operand->bytes;
    return true;
}

static bool is_scalar(const vsg_exe_operand *operand)
{
    if (operand->kind == VSG_EXE_OPERAND_IMMEDIATE)
        return operand->count == 1;
    return operand->kind == VSG_EXE_OPERAND_REGION && operand->shape == VSG_EXE_SHAPE_SCALAR;
}

static uint32_t lanes_of(const vsg_jit_part *part)
{
    return part->bytes / part->element_bytes;
}

/* Does it write for all of its channels, or for none that anything is asked of? */
static bool is_unmasked(const vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    uint32_t all = vsg_exe_first(inst->exec_size);

    return !inst->predicate_mode && (inst->no_mask || e->notes[place].may_spoil ||
                                     (!e->notes[place].is_divergent &&
                                      (e->dispatch_mask >> inst->mask_offset & all) == all));
}

/* Does the instruction write all elements of its destination? */
static bool writes_all(const vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];

    return inst->source && !inst->message && is_unmasked(e, place) &&
           !(vsg_isa_op((visage_op)inst->op)->flags & VSG_ISA_OWN_SHAPE);
}

/* Does the instruction write `count` whole lanes of a part, and nothing else of it? */
bool vsg_jit_find_result(const vsg_jit_emitter *e, uint32_t place, uint32_t *part,
                         uint32_t *lane)
{
    const vsg_exe_inst *inst = &e->unit->code[place];

    return writes_all(e, place) && find_lanes(e, &inst->dst, inst->exec_size, part, lane);
}

/* Where an instruction writes one half of lanes of 64 bits. */
typedef struct half_lanes {
    uint32_t part, lane; /* the first of them */
    bool is_upper;
} half_lanes;

/* Does it move integers into one half of lanes, as products of 64 bits are put together? */
static bool find_half(const vsg_jit_emitter *e, uint32_t place, half_lanes *out)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    const vsg_exe_operand *dst = &inst->dst, *source = &inst->src[0];

    if (inst->op != VISAGE_OP_MOV || !writes_all(e, place) || inst->saturate ||
        dst->kind != VSG_EXE_OPERAND_REGION || dst->shared || dst->is_null ||
        dst->shape != VSG_EXE_SHAPE_STRIDED || dst->bytes != 4 || dst->h_stride_bytes != 8 ||
        inst->exec_size < 2 || source->bytes != 4 || source->modifier != VSG_OBJ_MOD_NONE ||
        !vsg_jit_is_integer(dst->type) || !vsg_jit_is_integer(source->type))
        return false;
    out->part = e->part_of[dst->offset];
    if (out->part == VSG_JIT_NO_PART || e->parts[out->part].element_bytes != 8)
        return false;
    uint32_t at = dst->offset - e->parts[out->part].at;
    out->lane = at / 8;
    out->is_upper = at % 8 != 0;
    return true;
}

/* Does it load an element for each channel into lanes of a part, and nothing else of it? All
 * channels: what is made of a row may look at any of its lanes, and a load leaves those of
 * channels that are off as they are, even where nobody asks for them. */
static bool find_loaded(const vsg_jit_emitter *e, uint32_t place, uint32_t *part,
                        uint32_t *lane)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    const vsg_exe_message *message = inst->message;
    bool is_for_all = !vsg_jit_is_ragged(e) && (inst->no_mask || !e->notes[place].is_divergent);

    if (!inst->source || !message || vsg_jit_lower_of(inst) != vsg_jit_lower_load ||
        message->is_block || message->strided || message->num_elements != 1 ||
        message->data.is_null || message->data.shared || !is_for_all || !is_unmasked(e, place))
        return false;
    vsg_exe_operand data = vsg_jit_raw(&message->data, 0, message->register_bytes);
    return find_lanes(e, &data, inst->exec_size, part, lane);
}

/* ---- the analysis ------------------------------------------------------------------------ */

typedef struct fact {
    vsg_jit_row_state state;
    bool is_exact, is_small, is_guess;
    int64_t step;
    vsg_jit_inner inner;
} fact;

static const fact uniform = {.state = VSG_JIT_ROW_KNOWN, .is_exact = true, .is_small = true};
static const fact varies = {.state = VSG_JIT_ROW_VARIES};

/* Lanes that begin within a chunk and end behind it: of two rows, that is. */
static bool straddles(const vsg_jit_row *row, uint32_t lane, uint32_t count)
{
    uint32_t skip = lane % row->chunk;

    return skip != 0 && skip + count > row->chunk;
}

static fact fact_of(const vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count)
{
    uint32_t part, lane;
    fact f = varies;

    if (is_scalar(operand))
        return uniform;
    if (!find_lanes(e, operand, count, &part, &lane))
        return varies;
    const vsg_jit_row *row = &e->rows[part];
    if (row->state == VSG_JIT_ROW_KNOWN && straddles(row, lane, count))
        return varies;
    f = (fact){.state = (vsg_jit_row_state)row->state,
               .is_exact = row->is_exact,
               .is_small = row->is_small,
               .is_guess = row->is_guess,
               .step = row->step,
               .inner = row->inner};
    if (operand->modifier == VSG_OBJ_MOD_NEG)
        f.step = -f.step;
    else if (operand->modifier != VSG_OBJ_MOD_NONE && f.step != 0)
        return varies;
    return f;
}

static bool is_constant(const vsg_exe_operand *operand)
{
    return operand->kind == VSG_EXE_OPERAND_IMMEDIATE && operand->count == 1 &&
           operand->modifier == VSG_OBJ_MOD_NONE && vsg_jit_is_integer(operand->type);
}

static int64_t constant_of(const vsg_exe_operand *operand)
{
    uint32_t drop = 64 - 8u * operand->bytes;
    uint64_t bits = operand->elements[0] << drop;
    bool is_signed = vsg_isa_type((visage_type)operand->type)->kind == VSG_ISA_KIND_SIGNED;

    return is_signed ? (int64_t)bits >> drop : (int64_t)(bits >> drop);
}

/* The step of a product; false: it is no constant. */
static bool multiply(const vsg_exe_inst *inst, const fact *a, const fact *b, int64_t *step)
{
    *step = 0;
    if (a->step == 0 && b->step == 0)
        return true;
    if (b->step == 0 && is_constant(&inst->src[1]))
        *step = (int64_t)((uint64_t)a->step * (uint64_t)constant_of(&inst->src[1]));
    else if (a->step == 0 && is_constant(&inst->src[0]))
        *step = (int64_t)((uint64_t)b->step * (uint64_t)constant_of(&inst->src[0]));
    else
        return false;
    return true;
}

/* The step that an operation on rows makes. False: none. */
static bool step_of(const vsg_exe_inst *inst, const fact *in, int64_t *step)
{
    const vsg_exe_operand *shift = &inst->src[1];

    if (vsg_jit_can_guess(inst)) {
        *step = 0;
        return in[0].step == 0 && in[1].step == 0;
    }
    switch ((visage_op)inst->op) {
    case VISAGE_OP_MOV:
        *step = in[0].step;
        return true;
    case VISAGE_OP_ADD:
        *step = in[0].step + in[1].step;
        return true;
    case VISAGE_OP_ADD3:
        *step = in[0].step + in[1].step + in[2].step;
        return true;
    case VISAGE_OP_MUL:
        return multiply(inst, &in[0], &in[1], step);
    case VISAGE_OP_MULH:
        *step = 0;
        return in[0].step == 0 && in[1].step == 0 && inst->src[0].bytes == 4 &&
               inst->src[1].bytes == 4 && inst->dst.bytes == 4;
    case VISAGE_OP_MAD:
        if (!multiply(inst, &in[0], &in[1], step))
            return false;
        *step += in[2].step;
        return true;
    case VISAGE_OP_SHL:
        if (!is_constant(shift) || constant_of(shift) < 0 ||
            constant_of(shift) >= 8 * inst->dst.bytes)
            return false;
        *step = (int64_t)((uint64_t)in[0].step << constant_of(shift));
        return true;
    default:
        return false;
    }
}

bool vsg_jit_may_make_row(const vsg_exe_inst *inst)
{
    const fact none[VSG_EXE_MAX_SOURCES] = {{0}};
    int64_t step;

    return !inst->message && vsg_jit_all_integers(inst) && step_of(inst, none, &step);
}

/* Which source is a row, if one is and the operation may leave it one. */
static bool find_guess(const vsg_exe_inst *inst, const fact *in, uint32_t chunk,
                       vsg_jit_guess *out)
{
    if (!vsg_jit_can_guess(inst) || (in[0].step == 0) == (in[1].step == 0))
        return false;
    *out = (vsg_jit_guess){in[0].step == 0, chunk, in[in[0].step == 0].step};
    return true;
}

static bool is_widened(const vsg_exe_inst *inst, uint32_t s, const fact *in)
{
    return inst->src[s].bytes < inst->dst.bytes && !in[s].is_small;
}

/* Is there a beginning from which no row wraps around? vsg_jit_no_wrap() relies on it. */
static bool has_room(const vsg_jit_inner *inner)
{
    uint64_t step = inner->step < 0 ? 0 - (uint64_t)inner->step : (uint64_t)inner->step;

    return inner->bits == 0 ||
           step <= ((UINT64_C(1) << (inner->bits - 1)) - 1) / (VSG_EXE_MAX_CHANNELS - 1);
}

/* What a row of `step` was before it was extended, if one source has all of its steps. */
static vsg_jit_inner inner_of(const vsg_exe_inst *inst, const fact *in, int64_t step)
{
    const vsg_exe_operand *source = NULL;
    vsg_jit_inner inner = {0};
    uint32_t from = 0;

    for (uint32_t s = 0; s < inst->num_sources; s++) {
        if (in[s].step == 0)
            continue;
        if (source)
            return inner;
        source = &inst->src[s];
        from = s;
    }
    if (!source || step % in[from].step != 0 || inst->dst.bytes < source->bytes)
        return inner;
    int64_t factor = step / in[from].step;
    bool is_negated = source->modifier == VSG_OBJ_MOD_NEG;
    if (is_widened(inst, from, in)) {
        bool is_signed = vsg_isa_type((visage_type)source->type)->kind == VSG_ISA_KIND_SIGNED;
        if (in[from].is_exact)
            inner = (vsg_jit_inner){(uint8_t)(8 * source->bytes), is_signed,
                                    is_negated ? -in[from].step : in[from].step, 1};
    } else if (inst->dst.bytes == source->bytes) {
        inner = in[from].inner;
    }
    inner.factor =
        (int64_t)((uint64_t)inner.factor * (uint64_t)factor * (is_negated ? UINT64_MAX : 1));
    return has_room(&inner) ? inner : (vsg_jit_inner){0};
}

static bool are_equal_inner(const vsg_jit_inner *a, const vsg_jit_inner *b)
{
    return a->bits == b->bits && a->is_signed == b->is_signed && a->step == b->step &&
           a->factor == b->factor;
}

/* Is what an operand's modifier makes of a row known by what it makes of the first lane? */
static bool has_first(const vsg_exe_operand *operand)
{
    return is_scalar(operand) || operand->modifier == VSG_OBJ_MOD_NONE ||
           operand->modifier == VSG_OBJ_MOD_NEG;
}

/* Operations work on each lane for itself, or on equal ones alike: of uniform sources they make
 * uniform results. */
static fact result_of(const vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t chunk)
{
    fact in[VSG_EXE_MAX_SOURCES], out = uniform;
    vsg_jit_guess guess;
    bool all_integers = vsg_jit_is_integer(inst->dst.type) && !inst->saturate;
    bool are_uniform = true;

    for (uint32_t s = 0; s < inst->num_sources; s++) {
        in[s] = fact_of(e, &inst->src[s], inst->exec_size);
        if (in[s].state != VSG_JIT_ROW_KNOWN)
            return in[s];
        all_integers =
            all_integers && vsg_jit_is_integer(inst->src[s].type) && has_first(&inst->src[s]);
        are_uniform = are_uniform && in[s].step == 0;
        out.is_guess = out.is_guess || in[s].is_guess;
        bool widens = inst->src[s].bytes < inst->dst.bytes;
        out.is_exact =
            out.is_exact && in[s].is_exact && (in[s].step == 0 || !widens || in[s].is_small);
    }
    if (are_uniform)
        return out;
    out.is_small = false;
    if (!all_integers)
        return varies;
    if (find_guess(inst, in, chunk, &guess)) {
        out.is_exact = false;
        out.is_guess = true;
        return vsg_jit_guess_step(e, inst, &guess, &out.step) ? out : varies;
    }
    if (!step_of(inst, in, &out.step))
        return varies;
    if (!out.is_exact && !out.is_guess)
        out.inner = inner_of(inst, in, out.step);
    return out;
}

/* Can an instruction on rows be made with their first lanes alone? */
static bool is_followed(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    fact in[VSG_EXE_MAX_SOURCES];
    int64_t step;

    if (!vsg_jit_is_integer(inst->dst.type) || inst->saturate)
        return false;
    for (uint32_t s = 0; s < inst->num_sources; s++) {
        in[s] = fact_of(e, &inst->src[s], inst->exec_size);
        if (!vsg_jit_is_integer(inst->src[s].type) || !has_first(&inst->src[s]))
            return false;
    }
    return vsg_jit_can_guess(inst) || step_of(inst, in, &step);
}

/* True: the part's row changed. */
static bool meet(vsg_jit_row *row, fact f)
{
    if (f.state == VSG_JIT_ROW_UNSEEN || row->state == VSG_JIT_ROW_VARIES)
        return false;
    if (row->state == VSG_JIT_ROW_UNSEEN && f.state == VSG_JIT_ROW_KNOWN) {
        row->state = VSG_JIT_ROW_KNOWN;
        row->step = f.step;
        row->is_exact = f.is_exact;
        row->is_small = f.is_small;
        row->is_guess = f.is_guess;
        row->inner = f.inner;
        return true;
    }
    if (f.state == VSG_JIT_ROW_VARIES || f.step != row->step) {
        row->state = VSG_JIT_ROW_VARIES;
        return true;
    }
    bool changed = (row->is_exact && !f.is_exact) || (row->is_small && !f.is_small) ||
                   (!row->is_guess && f.is_guess);
    /* One that becomes inexact takes what made it so; where two differ nothing is known. */
    if (row->is_exact && !f.is_exact) {
        row->inner = f.inner;
    } else if (!f.is_exact && row->inner.bits && !are_equal_inner(&row->inner, &f.inner)) {
        row->inner.bits = 0;
        changed = true;
    }
    row->is_exact = row->is_exact && f.is_exact;
    row->is_small = row->is_small && f.is_small;
    row->is_guess = row->is_guess || f.is_guess;
    return changed;
}

typedef struct writer {
    vsg_jit_emitter *e;
    uint32_t result;      /* the part whose lanes are followed; NO_PART: none */
    uint32_t num_results; /* writes to it */
    bool changed;
} writer;

static void spoil_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    writer *w = user;

    (void)covers;
    if (!access->is_written)
        return;
    w->num_results += part == w->result;
    if (part != w->result || w->num_results > 1)
        w->changed |= meet(&w->e->rows[part], varies);
}

static void spoil(void *user, const vsg_jit_access *access)
{
    writer *w = user;

    vsg_jit_each_part(w->e, access, spoil_part, user);
}

/* What an input is: local ids are rows, all else of several lanes is not known. What no input
 * fills is zeros, but for what functions are given, and where inputs are not told of. */
static fact input_fact(const vsg_jit_emitter *e, const vsg_jit_part *part)
{
    if (e->unit->object->is_function || !e->request->pieces)
        return varies;
    for (uint32_t i = 0; i < e->request->num_pieces; i++) {
        const vsg_jit_piece *piece = &e->request->pieces[i];
        if (piece->place >= part->at + part->bytes ||
            piece->place + piece->size_bytes <= part->at)
            continue;
        if (piece->axis < 0 || e->request->rows < 8 || part->element_bytes != 2 ||
            piece->place > part->at ||
            piece->place + piece->size_bytes < part->at + part->bytes ||
            piece->channel + (part->at - piece->place) / 2 + lanes_of(part) > e->simd_size)
            return varies; /* no work-items have the ids of what is left out */
        fact ids = uniform;
        ids.step = piece->axis == 0;
        return ids;
    }
    return uniform;
}

/* Chunks are no longer than what is written at once. */
static void limit_chunk(vsg_jit_emitter *e, uint32_t part, uint32_t lane, uint32_t count)
{
    vsg_jit_row *row = &e->rows[part];

    if (count < row->chunk)
        row->chunk = count;
    if (lane % row->chunk != 0)
        row->state = VSG_JIT_ROW_VARIES;
}

static void limit_chunks(vsg_jit_emitter *e)
{
    uint32_t rows = e->request->rows < 8 ? VSG_EXE_MAX_CHANNELS : e->request->rows;
    uint32_t part, lane;

    for (uint32_t i = 0; i < e->num_general; i++) {
        uint32_t lanes = lanes_of(&e->parts[i]);
        e->rows[i].chunk = lanes < rows ? lanes : rows;
    }
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        half_lanes half;
        if (vsg_jit_find_result(e, i, &part, &lane) || find_loaded(e, i, &part, &lane))
            limit_chunk(e, part, lane, inst->exec_size);
        else if (find_half(e, i, &half))
            limit_chunk(e, half.part, half.lane, inst->exec_size);
    }
    for (uint32_t i = 0; i < e->num_general; i++) {
        uint32_t lanes = lanes_of(&e->parts[i]), chunk = e->rows[i].chunk;
        if (lanes < 2 || lanes > VSG_EXE_MAX_CHANNELS || chunk < 2 || lanes % chunk != 0 ||
            lanes / chunk > VSG_JIT_MOST_CHUNKS || e->parts[i].in_frame)
            e->rows[i].state = VSG_JIT_ROW_VARIES;
    }
}

/* Does a chunk of the result take in several of a source's, which need not belong together? */
static bool has_short_source(const vsg_jit_emitter *e, const vsg_exe_inst *inst,
                             const vsg_jit_row *result)
{
    uint32_t part, lane;

    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (find_lanes(e, &inst->src[s], inst->exec_size, &part, &lane) &&
            e->rows[part].chunk < result->chunk && e->rows[part].chunk < inst->exec_size)
            return true;
    return false;
}

/* Halves that are the same in a chunk make lanes that are. */
static fact half_of(const vsg_jit_emitter *e, const vsg_exe_inst *inst, const vsg_jit_row *row)
{
    fact f = fact_of(e, &inst->src[0], inst->exec_size);

    if (f.state != VSG_JIT_ROW_KNOWN)
        return f;
    if (f.step != 0 || !f.is_exact || has_short_source(e, inst, row))
        return varies;
    f.is_small = false;
    return f;
}

/* Channels that have one address load one value. */
static fact loaded_of(const vsg_jit_emitter *e, const vsg_exe_inst *inst,
                      const vsg_jit_row *result)
{
    const vsg_exe_message *message = inst->message;
    uint32_t part, lane;

    if (message->address.is_null)
        return uniform;
    vsg_exe_operand address = vsg_jit_raw(&message->address, 0, message->address_bytes);
    fact f = fact_of(e, &address, inst->exec_size);
    if (f.state != VSG_JIT_ROW_KNOWN)
        return f;
    if (f.step != 0 || !find_lanes(e, &address, inst->exec_size, &part, &lane) ||
        e->rows[part].chunk < result->chunk)
        return varies;
    f.is_small = false;
    f.inner = (vsg_jit_inner){0};
    return f;
}

static bool follow(vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    uint32_t part = VSG_JIT_NO_PART, lane;
    writer w = {.e = e, .result = VSG_JIT_NO_PART};
    half_lanes half;

    if (!e->notes[place].is_reached)
        return false;
    if (vsg_jit_find_result(e, place, &part, &lane)) {
        bool is_mixed = has_short_source(e, inst, &e->rows[part]);
        w.result = part;
        w.changed =
            meet(&e->rows[part], is_mixed ? varies : result_of(e, inst, e->rows[part].chunk));
    } else if (find_half(e, place, &half)) {
        w.result = half.part;
        w.changed = meet(&e->rows[half.part], half_of(e, inst, &e->rows[half.part]));
    } else if (find_loaded(e, place, &part, &lane)) {
        w.result = part;
        w.changed = meet(&e->rows[part], loaded_of(e, inst, &e->rows[part]));
    }
    vsg_jit_accesses(e, place, spoil, &w);
    return w.changed;
}

bool vsg_jit_find_rows(vsg_jit_emitter *e)
{
    bool changed = true;

    e->rows = vsg_base_arena_new(&e->arena, e->num_parts + 1, sizeof *e->rows);
    if (!e->rows)
        return false;
    /* As slots.c has it: what is live at so many places is no LLVM variable. */
    if (e->waits_in_frame)
        return true;
    limit_chunks(e);
    vsg_jit_find_masks(e);
    for (uint32_t i = 0; i < e->num_general && !e->in_frame; i++)
        if (vsg_jit_has(e->live[0], i))
            (void)meet(&e->rows[i], input_fact(e, &e->parts[i]));
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < e->unit->num_code; i++)
            changed |= follow(e, i);
    }
    vsg_jit_find_remade(e);
    vsg_jit_find_origins(e);
    return true;
}

/* ---- the scalars ------------------------------------------------------------------------- */

static uint32_t chunks_of(const vsg_jit_emitter *e, uint32_t part)
{
    return lanes_of(&e->parts[part]) / e->rows[part].chunk;
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

bool vsg_jit_view_row(vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count,
                      vsg_jit_view *out)
{
    uint32_t part, lane;

    if (!find_lanes(e, operand, count, &part, &lane))
        return false;
    const vsg_jit_row *row = &e->rows[part];
    if (row->state != VSG_JIT_ROW_KNOWN || straddles(row, lane, count))
        return false;
    *out = (vsg_jit_view){.chunk = count < row->chunk ? count : row->chunk,
                          .step = row->step,
                          .is_guess = row->is_guess};
    out->num_chunks = count / out->chunk;
    for (uint32_t c = 0; c < out->num_chunks; c++) {
        uint32_t at = lane + c * out->chunk;
        LLVMTypeRef type = vsg_jit_int(e, 8u * operand->bytes, 1);
        LLVMValueRef first = LLVMBuildLoad2(e->b, type, row->first[at / row->chunk], "");
        uint64_t skip = (uint64_t)row->step * (at % row->chunk);
        if (skip)
            first = LLVMBuildAdd(e->b, first, LLVMConstInt(type, skip, false), "");
        out->first[c] = vsg_jit_extend(e, first, 8u * operand->bytes, 64, 1, false);
    }
    if (row->exact)
        out->exact = LLVMBuildLoad2(e->b, e->i1, row->exact, "");
    return true;
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

/* A source for chunk `c` of the result, in 64 bits, modifiers applied. */
static LLVMValueRef read_source(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                                const vsg_exe_operand *source, uint32_t c,
                                vsg_jit_row_plan *plan)
{
    uint32_t chunk = plan->row->chunk;
    uint32_t bits = 8u * source->bytes;
    bool is_signed = vsg_isa_type((visage_type)source->type)->kind == VSG_ISA_KIND_SIGNED;
    vsg_exe_operand part = *source;
    vsg_jit_view view;

    if (is_scalar(source))
        return vsg_jit_read_int(e, source, 1, 64);
    part.offset += c * chunk * source->bytes;
    if (!vsg_jit_view_row(e, &part, chunk, &view))
        return vsg_jit_i64(e, 0); /* not so: the analysis has seen it */
    if (is_signed && bits < 64) {
        LLVMValueRef low = LLVMBuildTrunc(e->b, view.first[0], vsg_jit_int(e, bits, 1), "");
        view.first[0] = LLVMBuildSExt(e->b, low, e->i64, "");
    }
    LLVMValueRef first = view.first[0];
    plan->exact = vsg_jit_both(e, plan->exact, view.exact);
    if (view.step != 0 && bits < 8u * inst->dst.bytes &&
        !e->rows[e->part_of[part.offset]].is_small)
        plan->exact = vsg_jit_both(e, plan->exact, has_no_wrap(e, &view, bits, is_signed));
    if (view.step != 0)
        plan->narrow[c] = vsg_jit_narrow_of(e, inst, &part, first);
    return source->modifier == VSG_OBJ_MOD_NEG ? LLVMBuildNeg(e->b, first, "") : first;
}

/* What step_of() knows, and what is guessed. */
static LLVMValueRef compute(vsg_jit_emitter *e, const vsg_exe_inst *inst, LLVMValueRef *in)
{
    if (vsg_jit_can_guess(inst))
        return vsg_jit_guess_first(e, inst, in);
    if (inst->op == VISAGE_OP_MOV)
        return in[0];
    if (inst->op == VISAGE_OP_SHL)
        return LLVMBuildShl(e->b, in[0], in[1], "");
    if (inst->op == VISAGE_OP_MULH) /* of 32 bits, of lanes that are equal */
        return LLVMBuildLShr(e->b, LLVMBuildMul(e->b, in[0], in[1], ""), vsg_jit_i64(e, 32),
                             "");
    return vsg_jit_combine(e, (visage_op)inst->op, in);
}

static void begin_half(vsg_jit_emitter *e, const vsg_exe_inst *inst, vsg_jit_row_plan *plan)
{
    half_lanes half;

    if (!find_half(e, e->place, &half) || e->rows[half.part].state != VSG_JIT_ROW_KNOWN)
        return;
    plan->row = &e->rows[half.part];
    plan->part = half.part;
    plan->lane = half.lane;
    uint64_t kept = half.is_upper ? UINT32_MAX : ~(uint64_t)UINT32_MAX;
    for (uint32_t c = 0; c < inst->exec_size / plan->row->chunk; c++) {
        LLVMValueRef value = read_source(e, inst, &inst->src[0], c, plan);
        LLVMValueRef slot = plan->row->first[half.lane / plan->row->chunk + c];
        LLVMValueRef old = LLVMBuildLoad2(e->b, e->i64, slot, "");
        if (half.is_upper)
            value = LLVMBuildShl(e->b, value, vsg_jit_i64(e, 32), "");
        value = LLVMBuildAnd(e->b, value, vsg_jit_i64(e, ~kept), "");
        old = LLVMBuildAnd(e->b, old, vsg_jit_i64(e, kept), "");
        plan->first[c] = LLVMBuildOr(e->b, old, value, "");
    }
}

static bool finds_guess(const vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t chunk,
                        vsg_jit_guess *out)
{
    fact in[VSG_EXE_MAX_SOURCES];

    for (uint32_t s = 0; s < inst->num_sources; s++)
        in[s] = fact_of(e, &inst->src[s], inst->exec_size);
    return find_guess(inst, in, chunk, out);
}

static void begin_loaded(vsg_jit_emitter *e, const vsg_exe_inst *inst, vsg_jit_row_plan *plan)
{
    vsg_jit_view view;

    if (!find_loaded(e, e->place, &plan->part, &plan->lane) ||
        e->rows[plan->part].state != VSG_JIT_ROW_KNOWN)
        return;
    plan->row = &e->rows[plan->part];
    plan->is_loaded = true;
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

void vsg_jit_begin_rows(vsg_jit_emitter *e, const vsg_exe_inst *inst, vsg_jit_row_plan *plan)
{
    vsg_jit_guess guess;

    *plan = (vsg_jit_row_plan){.count = inst->exec_size};
    e->loading = NULL;
    begin_half(e, inst, plan);
    if (!plan->row)
        begin_loaded(e, inst, plan);
    if (plan->row || !vsg_jit_find_result(e, e->place, &plan->part, &plan->lane) ||
        e->rows[plan->part].state != VSG_JIT_ROW_KNOWN)
        return;
    plan->row = &e->rows[plan->part];
    plan->is_uniform = plan->row->step == 0 && !is_followed(e, inst);
    for (uint32_t s = 0; s < inst->num_sources && plan->is_uniform; s++) {
        vsg_jit_view view;
        if (vsg_jit_view_row(e, &inst->src[s], inst->exec_size, &view))
            plan->exact = vsg_jit_both(e, plan->exact, view.exact);
    }
    if (plan->is_uniform)
        return;
    bool is_guess = finds_guess(e, inst, plan->row->chunk, &guess);
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
    if (plan->count < lanes_of(part)) /* other chunks have come to it before, or will */
        exact = LLVMBuildAnd(e->b, exact, LLVMBuildLoad2(e->b, e->i1, row->exact, ""), "");
    LLVMBuildStore(e->b, exact, row->exact);
}

/* Are the lanes of each chunk a step apart? */
static LLVMValueRef is_row(vsg_jit_emitter *e, uint32_t number, LLVMValueRef all)
{
    const vsg_jit_part *part = &e->parts[number];
    const vsg_jit_row *row = &e->rows[number];
    LLVMTypeRef type = vsg_jit_int(e, 8 * part->element_bytes, 1);
    uint32_t lanes = lanes_of(part);
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
