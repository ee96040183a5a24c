/* SPDX-License-Identifier: MIT */
#include "jit/rows.h"

#include "exec/message.h"
#include "jit/lowering.h"
#include "jit/row_lanes.h"
#include "jit/sets.h"
#include "jit/sides.h"

typedef struct fact {
    vsg_jit_row_state state;
    bool is_exact, is_small, is_guess;
    uint8_t zeros;   /* bits that are 0 in all lanes, from the lowest on */
    uint8_t shorter; /* where it varies: a chunk in which it would not; 0: there is none */
    int64_t step;
    vsg_jit_inner inner;
} fact;

/* Rows of fewer are not worth it. */
enum { FEWEST_IN_CHUNK = 8 };

static const fact uniform = {.state = VSG_JIT_ROW_KNOWN, .is_exact = true, .is_small = true};
static const fact varies = {.state = VSG_JIT_ROW_VARIES};

/* 0, 1, 2 ... and the like, as compilers begin to number channels. */
static fact immediate_fact(const vsg_exe_operand *operand, uint32_t count)
{
    fact f = uniform;

    if (count > operand->count || operand->modifier != VSG_OBJ_MOD_NONE ||
        !vsg_jit_is_integer(operand->type))
        return varies;
    f.step = vsg_jit_immediate(operand, 1) - vsg_jit_immediate(operand, 0);
    for (uint32_t i = 0; i < count; i++) {
        if (i && vsg_jit_immediate(operand, i) - vsg_jit_immediate(operand, i - 1) != f.step)
            return varies;
        f.is_small = f.is_small && vsg_jit_immediate(operand, i) >= 0;
    }
    return f;
}

static bool is_constant(const vsg_exe_operand *operand)
{
    return operand->kind == VSG_EXE_OPERAND_IMMEDIATE && operand->count == 1 &&
           operand->modifier == VSG_OBJ_MOD_NONE && vsg_jit_is_integer(operand->type);
}

static int64_t constant_of(const vsg_exe_operand *operand)
{
    return vsg_jit_immediate(operand, 0);
}

/* Of all channels the same. */
static fact one_fact(const vsg_exe_operand *operand)
{
    fact f = uniform;
    uint64_t number = is_constant(operand) ? (uint64_t)constant_of(operand) : 1;

    f.zeros = number ? (uint8_t)__builtin_ctzll(number) : 63;
    return f;
}

/* Lower halves are as far apart as the lanes, upper ones the same if no lower ones wrap around.
 */
static fact half_fact(const vsg_jit_row *row, bool is_upper)
{
    bool is_sure = !is_upper || row->step == 0;

    return (fact){.state = (vsg_jit_row_state)row->state,
                  .is_exact = row->is_exact && is_sure,
                  .is_guess = row->is_guess || !is_sure,
                  .zeros = is_upper          ? 0
                           : row->zeros < 31 ? row->zeros
                                             : 31,
                  .step = is_upper ? 0 : (int32_t)row->step};
}

static fact fact_of(const vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count)
{
    vsg_jit_half_lanes half;
    uint32_t part, lane;
    fact f = varies;

    if (vsg_jit_is_one(operand))
        return one_fact(operand);
    if (operand->kind == VSG_EXE_OPERAND_IMMEDIATE)
        return immediate_fact(operand, count);
    bool is_half = vsg_jit_halves_in(e, operand, count, &half);
    if (is_half) {
        part = half.part;
        lane = half.lane;
    } else if (!vsg_jit_lanes_in(e, operand, count, &part, &lane)) {
        return varies;
    }
    const vsg_jit_row *row = &e->rows[part];
    if (row->state == VSG_JIT_ROW_KNOWN && vsg_jit_straddles(row, lane, count))
        return varies;
    if (is_half)
        return half_fact(row, half.is_upper);
    f = (fact){.state = (vsg_jit_row_state)row->state,
               .is_exact = row->is_exact,
               .is_small = row->is_small,
               .is_guess = row->is_guess,
               .zeros = row->zeros,
               .step = row->step,
               .inner = row->inner};
    if (operand->modifier == VSG_OBJ_MOD_NEG)
        f.step = -f.step;
    else if (operand->modifier != VSG_OBJ_MOD_NONE && f.step != 0)
        return varies;
    return f;
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

/* Does an operation set bits by a constant that are 0 in all lanes? It adds them then. out: the
 * source that the row is. */
static bool sets_zeros(const vsg_exe_inst *inst, const fact *in, uint32_t *row)
{
    for (uint32_t s = 0; inst->op == VISAGE_OP_OR && s < 2; s++)
        if (is_constant(&inst->src[s]) && constant_of(&inst->src[s]) >= 0 &&
            constant_of(&inst->src[s]) >> in[1 - s].zeros == 0) {
            *row = 1 - s;
            return true;
        }
    return false;
}

static bool are_equal_lanes(const vsg_exe_inst *inst, const fact *in)
{
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (in[s].step != 0)
            return false;
    return true;
}

/* By a constant, less than there are bits: processors take that of what is more. */
static bool is_whole_shift(const vsg_exe_inst *inst)
{
    const vsg_exe_operand *by = &inst->src[1];

    return is_constant(by) && constant_of(by) >= 0 && constant_of(by) < 8 * inst->dst.bytes;
}

/* The step that an operation on rows makes. False: none. */
static bool step_of(const vsg_exe_inst *inst, const fact *in, int64_t *step)
{
    const vsg_exe_operand *shift = &inst->src[1];
    uint32_t row;

    if (sets_zeros(inst, in, &row)) {
        *step = in[row].step;
        return true;
    }
    if (vsg_jit_can_guess(inst)) {
        *step = 0;
        return are_equal_lanes(inst, in);
    }
    switch ((visage_op)inst->op) {
    case VISAGE_OP_MOV:
        *step = in[0].step;
        return true;
    case VISAGE_OP_NOT:
        *step = (int64_t)(0 - (uint64_t)in[0].step);
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
        if (!is_whole_shift(inst))
            return false;
        *step = (int64_t)((uint64_t)in[0].step << constant_of(shift));
        return true;
    default:
        return false;
    }
}

/* How many of the lowest bits are 0 in what an operation makes. */
static uint8_t zeros_of(const vsg_exe_inst *inst, const fact *in)
{
    uint32_t sum = in[0].zeros + in[1].zeros;
    uint8_t least = in[0].zeros, most = in[0].zeros;

    for (uint32_t s = 1; s < inst->num_sources; s++) {
        least = in[s].zeros < least ? in[s].zeros : least;
        most = in[s].zeros > most ? in[s].zeros : most;
    }
    switch ((visage_op)inst->op) {
    case VISAGE_OP_MOV:
        return in[0].zeros;
    case VISAGE_OP_ADD:
    case VISAGE_OP_ADD3:
    case VISAGE_OP_OR:
        return least;
    case VISAGE_OP_AND:
        return most;
    case VISAGE_OP_MUL:
        return (uint8_t)(sum < 63 ? sum : 63);
    case VISAGE_OP_SHL:
        if (!is_whole_shift(inst))
            return 0;
        sum = in[0].zeros + (uint32_t)constant_of(&inst->src[1]);
        return (uint8_t)(sum < 63 ? sum : 63);
    default:
        return 0;
    }
}

bool vsg_jit_may_make_row(const vsg_exe_inst *inst)
{
    fact none[VSG_EXE_MAX_SOURCES] = {{0}};
    int64_t step;

    none[0].zeros = none[1].zeros = 63;
    return !inst->message && vsg_jit_all_integers(inst) && step_of(inst, none, &step);
}

/* Which source is a row, if one is and the operation may leave it one. */
static bool find_guess(const vsg_exe_inst *inst, const fact *in, uint32_t chunk,
                       vsg_jit_guess *out)
{
    uint32_t count = 0, row;

    *out = (vsg_jit_guess){.chunk = chunk};
    if (!vsg_jit_can_guess(inst) || sets_zeros(inst, in, &row))
        return false;
    for (uint32_t s = 0; s < inst->num_sources; s++) {
        out->steps[s] = in[s].step;
        if (in[s].step == 0)
            continue;
        out->source = s;
        out->step = in[s].step;
        count++;
    }
    return count == 1 || (count > 1 && vsg_jit_table_of(inst) != VSG_JIT_NO_TABLE);
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
        if (in[from].is_exact)
            inner = (vsg_jit_inner){(uint8_t)(8 * source->bytes), vsg_jit_is_signed(source),
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
    return vsg_jit_is_one(operand) || operand->modifier == VSG_OBJ_MOD_NONE ||
           operand->modifier == VSG_OBJ_MOD_NEG;
}

/* One in which an operation leaves rows that it does not leave in longer ones. 0: none. */
static uint8_t shorter_chunk(const vsg_jit_emitter *e, const vsg_exe_inst *inst,
                             vsg_jit_guess guess)
{
    int64_t step;

    do
        guess.chunk /= 2;
    while (guess.chunk >= FEWEST_IN_CHUNK && !vsg_jit_guess_step(e, inst, &guess, &step));
    return guess.chunk >= FEWEST_IN_CHUNK ? (uint8_t)guess.chunk : 0;
}

/* Operations work on each lane for itself, or on equal ones alike: of uniform sources they make
 * uniform results. */
static fact result_of(const vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t chunk)
{
    fact in[VSG_EXE_MAX_SOURCES] = {{0}}, out = uniform;
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
    out.zeros = all_integers ? zeros_of(inst, in) : 0;
    if (are_uniform)
        return out;
    out.is_small = false;
    if (!all_integers)
        return varies;
    if (find_guess(inst, in, chunk, &guess)) {
        out.is_exact = false;
        out.is_guess = true;
        if (vsg_jit_guess_step(e, inst, &guess, &out.step))
            return out;
        fact none = varies;
        none.shorter = shorter_chunk(e, inst, guess);
        return none;
    }
    if (!step_of(inst, in, &out.step))
        return varies;
    if (!out.is_exact && !out.is_guess)
        out.inner = inner_of(inst, in, out.step);
    return out;
}

/* Can an instruction on rows be made with their first lanes alone? */
bool vsg_jit_is_followed(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
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
    if (f.shorter && (row->shorter == 0 || f.shorter < row->shorter))
        row->shorter = f.shorter;
    if (f.state == VSG_JIT_ROW_UNSEEN || row->state == VSG_JIT_ROW_VARIES)
        return false;
    if (row->state == VSG_JIT_ROW_UNSEEN && f.state == VSG_JIT_ROW_KNOWN) {
        row->state = VSG_JIT_ROW_KNOWN;
        row->step = f.step;
        row->is_exact = f.is_exact;
        row->is_small = f.is_small;
        row->is_guess = f.is_guess;
        row->zeros = f.zeros;
        row->inner = f.inner;
        return true;
    }
    if (f.state == VSG_JIT_ROW_VARIES || f.step != row->step) {
        row->state = VSG_JIT_ROW_VARIES;
        return true;
    }
    bool changed = (row->is_exact && !f.is_exact) || (row->is_small && !f.is_small) ||
                   (!row->is_guess && f.is_guess) || row->zeros > f.zeros;
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
    row->zeros = row->zeros < f.zeros ? row->zeros : f.zeros;
    return changed;
}

static void meet_nothing(vsg_jit_row *row, vsg_jit_row_state state)
{
    row->state = (uint8_t)state;
    row->is_exact = row->is_small = row->is_guess = false;
    row->zeros = 0;
    row->step = 0;
    row->inner = (vsg_jit_inner){0};
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

/* What an input is: local ids are rows, all else of several lanes is not known. What no input
 * fills is zeros, but for what functions are given, and where inputs are not told of. */
static fact input_fact(const vsg_jit_emitter *e, uint32_t number)
{
    const vsg_jit_part *part = &e->parts[number];

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
            piece->channel + (part->at - piece->place) / 2 + vsg_jit_lanes_of(part) >
                e->simd_size)
            return varies; /* no work-items have the ids of what is left out */
        fact ids = uniform;
        ids.step = piece->axis == e->request->order[0];
        return ids;
    }
    /* Halves hide what is there before them, but not from who counts what is written. */
    return vsg_jit_is_put_together(&e->rows[number]) ? (fact){0} : uniform;
}

/* Chunks are no longer than what is written at once, but for numbers. */
static void limit_chunk(vsg_jit_emitter *e, uint32_t part, uint32_t lane, uint32_t count)
{
    vsg_jit_row *row = &e->rows[part];

    if (row->num_writes)
        return;
    if (count < row->chunk)
        row->chunk = count;
    if (lane % row->chunk != 0)
        row->chunk = 1;
}

/* The shortest chunk of a source, where that is shorter than the instruction. */
static uint32_t chunk_of_sources(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t part, lane, least = VSG_EXE_MAX_CHANNELS;
    vsg_jit_half_lanes half;

    for (uint32_t s = 0; s < inst->num_sources; s++) {
        if (vsg_jit_halves_in(e, &inst->src[s], inst->exec_size, &half))
            part = half.part;
        else if (!vsg_jit_lanes_in(e, &inst->src[s], inst->exec_size, &part, &lane))
            continue;
        if (e->rows[part].chunk < least && e->rows[part].chunk < inst->exec_size)
            least = e->rows[part].chunk;
    }
    return least;
}

/* Does a chunk of the result take in several of a source's, which need not belong together? */
static bool has_short_source(const vsg_jit_emitter *e, const vsg_exe_inst *inst,
                             const vsg_jit_row *result)
{
    return chunk_of_sources(e, inst) < result->chunk;
}

/* What is made of shorter chunks has such. */
static bool pass_chunk_on(vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    uint32_t part, lane;
    bool merges;

    if (!vsg_jit_find_written(e, place, &part, &lane, &merges) || e->rows[part].num_writes ||
        !has_short_source(e, inst, &e->rows[part]))
        return false;
    limit_chunk(e, part, lane, chunk_of_sources(e, inst));
    return true;
}

static void note_half(vsg_jit_emitter *e, const vsg_jit_half_lanes *half, uint32_t count)
{
    e->rows[half->part].has_halves = true;
    e->rows[half->part].has_loose |= half->role == VSG_JIT_HALF_LOOSE;
    limit_chunk(e, half->part, half->lane, count);
}

/* What takes many rounds to be known is no row. */
static void pass_chunks_on(vsg_jit_emitter *e)
{
    enum { MOST_ROUNDS = 8 };
    bool changed = true;

    for (uint32_t round = 0; round < MOST_ROUNDS && changed; round++) {
        changed = false;
        for (uint32_t i = 0; i < e->unit->num_code; i++)
            changed |= pass_chunk_on(e, i);
    }
}

static void limit_chunks(vsg_jit_emitter *e)
{
    uint32_t rows = e->request->rows < 8 ? VSG_EXE_MAX_CHANNELS : e->request->rows;
    uint32_t part, lane;
    bool merges;

    for (uint32_t i = 0; i < e->num_general; i++) {
        uint32_t lanes = vsg_jit_lanes_of(&e->parts[i]);
        e->rows[i].chunk = lanes < rows ? lanes : rows;
    }
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        vsg_jit_half_lanes half;
        if (vsg_jit_find_written(e, i, &part, &lane, &merges) ||
            vsg_jit_find_loaded(e, i, &part, &lane))
            limit_chunk(e, part, lane, inst->exec_size);
        else if (vsg_jit_find_half(e, i, &half))
            note_half(e, &half, inst->exec_size);
    }
    pass_chunks_on(e);
}

/* Can lanes be told of in such chunks? */
static bool can_have(const vsg_jit_emitter *e, uint32_t part, uint32_t chunk)
{
    uint32_t lanes = vsg_jit_lanes_of(&e->parts[part]);

    return lanes >= 2 && lanes <= VSG_EXE_MAX_CHANNELS && chunk >= 2 && lanes % chunk == 0 &&
           lanes / chunk <= VSG_JIT_MOST_CHUNKS && !e->parts[part].in_frame;
}

static void forget(vsg_jit_emitter *e, uint32_t part)
{
    vsg_jit_row *row = &e->rows[part];

    meet_nothing(row, can_have(e, part, row->chunk) ? VSG_JIT_ROW_UNSEEN : VSG_JIT_ROW_VARIES);
}

/* Where lanes would be a row in shorter chunks they have these. True: all that is known was for
 * others. */
static bool shorten_chunks(vsg_jit_emitter *e)
{
    bool changed = false;

    for (uint32_t i = 0; i < e->num_general; i++) {
        vsg_jit_row *row = &e->rows[i];
        if (row->state != VSG_JIT_ROW_VARIES || row->shorter == 0 || row->shorter >= row->chunk)
            continue;
        row->chunk = row->shorter;
        changed = true;
    }
    if (changed)
        pass_chunks_on(e);
    return changed;
}

/* What an operation writes. */
static fact written_of(const vsg_jit_emitter *e, const vsg_exe_inst *inst,
                       const vsg_jit_row *result)
{
    fact numbers = uniform;

    if (!result->num_writes)
        return result->chunk < 2 || has_short_source(e, inst, result)
                   ? varies
                   : result_of(e, inst, result->chunk);
    numbers.step = result->number_step;
    return numbers;
}

/* All of it, if all channels are on. */
static fact guessed(fact f)
{
    f.is_exact = false;
    f.is_guess = true;
    f.inner = (vsg_jit_inner){0};
    return f;
}

/* Lower halves make lanes that are as far apart, if none wraps around, and upper ones are the
 * same in a chunk. Those that do not follow each other are all to be the same, since what is
 * made of some of them is no row. */
static fact half_of(const vsg_jit_emitter *e, const vsg_exe_inst *inst, const vsg_jit_row *row,
                    bool is_upper)
{
    fact f = fact_of(e, &inst->src[0], inst->exec_size);
    bool is_one = f.step == 0;

    if (f.state != VSG_JIT_ROW_KNOWN)
        return f;
    if (is_upper && row->state != VSG_JIT_ROW_KNOWN)
        return (fact){.state = VSG_JIT_ROW_UNSEEN}; /* until it is known what is below */
    if (has_short_source(e, inst, row) || (is_upper && !is_one) ||
        (row->has_loose && !(is_one && f.is_exact)))
        return varies;
    if (is_upper)
        f.step = row->step;
    f.is_exact = f.is_exact && is_one;
    f.is_guess = f.is_guess || !f.is_exact;
    f.is_small = false;
    f.inner = (vsg_jit_inner){0};
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
    if (f.step != 0 || !vsg_jit_lanes_in(e, &address, inst->exec_size, &part, &lane) ||
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
    vsg_jit_half_lanes half;
    bool merges;

    if (!e->notes[place].is_reached)
        return false;
    if (vsg_jit_find_written(e, place, &part, &lane, &merges)) {
        vsg_jit_row *row = &e->rows[w.result = part];
        fact written = written_of(e, inst, row);
        w.changed = meet(row, merges ? guessed(written) : written);
    } else if (vsg_jit_find_half(e, place, &half)) {
        vsg_jit_row *row = &e->rows[w.result = half.part];
        w.changed = meet(row, half_of(e, inst, row, half.is_upper));
    } else if (vsg_jit_find_loaded(e, place, &part, &lane)) {
        vsg_jit_row *row = &e->rows[w.result = part];
        w.changed = meet(row, loaded_of(e, inst, row));
    }
    vsg_jit_parts_at(e, place, spoil_part, &w);
    return w.changed;
}

static void find_facts(vsg_jit_emitter *e)
{
    bool changed = true;

    for (uint32_t i = 0; i < e->num_general; i++)
        forget(e, i);
    for (uint32_t i = 0; i < e->num_general && !e->in_frame; i++)
        if (vsg_jit_has(e->live[0], i) && !e->rows[i].num_writes)
            (void)meet(&e->rows[i], input_fact(e, i));
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < e->unit->num_code; i++)
            changed |= follow(e, i);
    }
}

bool vsg_jit_find_rows(vsg_jit_emitter *e)
{
    enum { MOST_SHORTER = 2 };

    e->rows = vsg_base_arena_new(&e->arena, e->num_parts + 1, sizeof *e->rows);
    if (!e->rows)
        return false;
    /* As slots.c has it: then hardly anything is an LLVM variable. */
    if (e->waits_in_frame)
        return true;
    if (!vsg_jit_find_sides(e) || !vsg_jit_find_numbers(e) || !vsg_jit_find_halves(e))
        return false;
    limit_chunks(e);
    vsg_jit_find_masks(e);
    find_facts(e);
    for (uint32_t i = 0; i < MOST_SHORTER && shorten_chunks(e); i++)
        find_facts(e);
    vsg_jit_find_remade(e);
    vsg_jit_find_origins(e);
    return true;
}

bool vsg_jit_finds_guess(const vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t chunk,
                         vsg_jit_guess *out)
{
    fact in[VSG_EXE_MAX_SOURCES];

    for (uint32_t s = 0; s < inst->num_sources; s++)
        in[s] = fact_of(e, &inst->src[s], inst->exec_size);
    return find_guess(inst, in, chunk, out);
}
