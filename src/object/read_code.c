/* SPDX-License-Identifier: MIT
 *
 * The instructions of a unit: complete, or damaged by the compiler's writer. Each way of
 * reading is tried in one pass that keeps nothing but counts; only complete ones are kept.
 * Source: spec dialect 0.1. */
#include <string.h>

#include "object/reader.h"

typedef struct counts {
    size_t insts, operands, returns;
    const uint8_t *bad_return; /* the ret or fret that could not be read, or NULL */
} counts;

static bool is_return(visage_op op)
{
    return vsg_isa_op(op)->form == VSG_ISA_FORM_RETURN;
}

static void start(vsg_obj_reader *reader, size_t entry, size_t end, bool bare_returns)
{
    vsg_obj_decoder *decoder = &reader->decoder;
    const vsg_isa_platform_info *platform = vsg_isa_platform(reader->module->platform);

    if (!platform)
        platform = vsg_isa_platform(reader->platform);
    decoder->in = (vsg_obj_cursor){.data = reader->in.data, .at = entry, .end = end};
    decoder->unit = reader->unit;
    decoder->grf_bytes = platform ? platform->grf_bytes : 32;
    decoder->bare_returns = bare_returns;
    decoder->lenient = false;
}

/* Counts what there is up to `end`, or up to where the junk begins that takes the place of what
 * bare returns lack. */
static bool count(vsg_obj_reader *reader, size_t end, counts *out)
{
    enum { LOST_BYTES = 3 }; /* execution size and predicate */
    vsg_obj_decoder *decoder = &reader->decoder;
    vsg_obj_inst inst;

    *out = (counts){0};
    while (decoder->in.at < end) {
        if (decoder->bare_returns && end - decoder->in.at == LOST_BYTES * out->returns)
            return true;
        const uint8_t *bytes = decoder->in.data + decoder->in.at;
        inst.op = VISAGE_OP_COUNT;
        if (!vsg_obj_decode(decoder, &inst)) {
            if (inst.op != VISAGE_OP_COUNT && is_return(inst.op))
                out->bad_return = bytes;
            return false;
        }
        out->insts++;
        out->operands += inst.num_operands;
        out->returns += is_return(inst.op);
    }
    return !decoder->bare_returns; /* the junk is always there: the size counts whole ones */
}

static void tell(vsg_obj_reader *reader, const vsg_obj_problem *problem, size_t inst)
{
    vsg_base_location where = vsg_obj_read_where(reader, problem->at);
    const char *what = problem->what;
    unsigned long long value = problem->value;

    where.instruction = (int64_t)inst;
    switch (problem->diag) {
    case VSG_DIAG_BIN_OPCODE:
        vsg_base_report(reader->diagnostics, problem->diag, &where, value);
        break;
    case VSG_DIAG_BIN_STRING:
        vsg_base_report(reader->diagnostics, problem->diag, &where, what, (unsigned)value,
                        (unsigned)problem->limit);
        break;
    case VSG_DIAG_BIN_FIELD:
        vsg_base_report(reader->diagnostics, problem->diag, &where, what, value,
                        problem->expected);
        break;
    case VSG_DIAG_BIN_ENDS:
        vsg_base_report(reader->diagnostics, problem->diag, &where, what, value,
                        (unsigned long long)(reader->in.end - problem->at));
        break;
    default:
        vsg_base_report(reader->diagnostics, problem->diag, &where, what, value);
    }
    reader->failed_at = problem->at;
    if (reader->status == VISAGE_OK)
        reader->status = VISAGE_MALFORMED;
}

/* ---- complete instructions -------------------------------------------------------------- */

/* A label stands in one place; which instruction that is. */
static bool place_label(vsg_obj_reader *reader, const vsg_obj_inst *inst)
{
    vsg_obj_unit *unit = reader->unit;

    if (vsg_isa_op(inst->op)->form != VSG_ISA_FORM_LABEL)
        return true;
    vsg_obj_label *label = &unit->labels[inst->operands[0].id];
    if (label->inst >= 0)
        return vsg_obj_read_is_told(reader) ||
               vsg_obj_read_failed(reader, VSG_DIAG_BIN_LABEL, inst->place.offset_bytes,
                                   (unsigned long long)inst->operands[0].id,
                                   "placed a second time") ||
               vsg_obj_read_goes_on(reader);
    label->inst = (int64_t)unit->num_insts;
    return true;
}

static bool keep(vsg_obj_reader *reader, const counts *n)
{
    vsg_obj_unit *unit = reader->unit;
    vsg_obj_operand *operands =
        vsg_base_arena_new(&reader->module->arena, n->operands, sizeof *operands);
    vsg_obj_inst inst;

    if (!operands || !vsg_obj_reserve(reader->module, unit, VSG_OBJ_TABLE_INSTS, n->insts))
        return vsg_obj_read_no_memory(reader);
    for (size_t i = 0; i < n->insts; i++) {
        (void)vsg_obj_decode(&reader->decoder, &inst); /* it was counted */
        if (!place_label(reader, &inst))
            return false;
        if (inst.num_operands)
            memcpy(operands, inst.operands, inst.num_operands * sizeof *operands);
        inst.operands = operands;
        operands += inst.num_operands;
        unit->insts[unit->num_insts++] = inst;
    }
    return true;
}

static bool check_labels(vsg_obj_reader *reader)
{
    const vsg_obj_unit *unit = reader->unit;

    if (vsg_obj_read_is_told(reader))
        return true;
    for (size_t i = 0; i < unit->num_insts; i++) {
        const vsg_obj_inst *inst = &unit->insts[i];
        for (unsigned n = 0; n < inst->num_operands; n++) {
            const vsg_obj_operand *operand = &inst->operands[n];
            if (operand->class_ == VSG_OBJ_CLASS_LABEL && unit->labels[operand->id].inst < 0 &&
                !(vsg_isa_op(inst->op)->flags & VSG_ISA_OTHER_KERNEL))
                return vsg_obj_read_failed(reader, VSG_DIAG_BIN_LABEL, inst->place.offset_bytes,
                                           (unsigned long long)operand->id,
                                           "used but never placed") ||
                       vsg_obj_read_goes_on(reader);
        }
    }
    return true;
}

/* ---- damaged ones ----------------------------------------------------------------------- */

bool vsg_obj_read_whole(vsg_obj_reader *reader, size_t entry, size_t count)
{
    vsg_obj_stored *stored = &reader->unit->stored;
    vsg_base_arena *arena = &reader->module->arena;

    start(reader, entry, reader->in.end, false);
    stored->whole = vsg_base_arena_new(arena, count + 1, sizeof *stored->whole);
    if (!stored->whole)
        return vsg_obj_read_no_memory(reader);
    while (stored->num_whole < count) {
        vsg_obj_inst *inst = &stored->whole[stored->num_whole];
        if (!vsg_obj_decode(&reader->decoder, inst))
            return true; /* names something that there is not */
        vsg_obj_operand *operands =
            vsg_base_arena_new(arena, inst->num_operands + 1u, sizeof *operands);
        if (!operands)
            return vsg_obj_read_no_memory(reader);
        if (inst->num_operands)
            memcpy(operands, inst->operands, inst->num_operands * sizeof *operands);
        inst->operands = operands;
        stored->num_whole++;
    }
    return true;
}

static bool keep_bare_stream(vsg_obj_reader *reader, const counts *n, size_t entry)
{
    vsg_obj_stored *stored = &reader->unit->stored;
    vsg_obj_inst inst;

    stored->stream =
        vsg_base_arena_new(&reader->module->arena, n->insts, sizeof *stored->stream);
    if (!stored->stream)
        return vsg_obj_read_no_memory(reader);
    for (size_t i = 0; i < n->insts; i++) {
        (void)vsg_obj_decode(&reader->decoder, &inst);
        stored->stream[stored->num_stream++] = inst.op;
    }
    stored->damage = VSG_OBJ_DAMAGE_BARE_RETURNS;
    size_t whole = 0;
    while (!is_return(stored->stream[whole]))
        whole++;
    return vsg_obj_read_whole(reader, entry, whole);
}

static void warn(vsg_obj_reader *reader, vsg_base_diag diag, vsg_obj_damage damage,
                 size_t entry)
{
    vsg_base_location where = vsg_obj_read_where(reader, entry);
    vsg_base_report(reader->diagnostics, diag, &where, vsg_obj_damage_name(damage),
                    vsg_obj_damage_help(damage));
}

/* What stands behind a return is what the compiler writes there but for one byte of the
 * predicate; the junk behind a bare one, which is left from other data, does not look so. */
static bool is_like_return(const uint8_t *inst)
{
    enum { SIZE_BITS = 7, NO_MASK = 0x80, MOST_SIZE = 5, NUMBER_BITS = 0x1f };

    return (inst[1] & ~(SIZE_BITS | NO_MASK)) == 0 && (inst[1] & SIZE_BITS) <= MOST_SIZE &&
           (inst[2] == 0 || (inst[3] & NUMBER_BITS) == 0);
}

/* Is it only that something that is named does not exist? Then nothing is cut off, unless it is
 * the predicate of a return, which may be the junk behind a bare one. */
static bool is_whole(vsg_obj_reader *reader, const counts *found, size_t entry, size_t end)
{
    vsg_base_diag diag = reader->decoder.problem.diag;
    counts n;

    if ((diag != VSG_DIAG_BIN_INDEX && diag != VSG_DIAG_BIN_STRING) ||
        (found->bad_return && !is_like_return(found->bad_return)))
        return false;
    start(reader, entry, end, false);
    reader->decoder.lenient = true;
    return count(reader, end, &n);
}

/* Tries the two known defects. */
static bool read_damaged(vsg_obj_reader *reader, size_t entry, size_t size, size_t end)
{
    counts n;

    start(reader, entry, end, true);
    if (size == end - entry && count(reader, end, &n) && n.returns > 0) {
        warn(reader, VSG_DIAG_BIN_BARE_RETURNS, VSG_OBJ_DAMAGE_BARE_RETURNS, entry);
        start(reader, entry, end, true);
        return keep_bare_stream(reader, &n, entry);
    }
    start(reader, entry, end, false);
    if (!vsg_obj_read_cut_stream(reader, entry, size))
        return false;
    warn(reader, VSG_DIAG_BIN_CUT_SHORT, VSG_OBJ_DAMAGE_CUT_SHORT, entry);
    return true;
}

bool vsg_obj_read_code(vsg_obj_reader *reader, size_t entry, size_t size, size_t end)
{
    counts n;

    start(reader, entry, end, false);
    if (count(reader, end, &n)) {
        start(reader, entry, end, false);
        return keep(reader, &n) && check_labels(reader);
    }
    vsg_obj_problem problem = reader->decoder.problem;
    if (reader->layout == VSG_OBJ_LAYOUT_IGC && !is_whole(reader, &n, entry, end) &&
        read_damaged(reader, entry, size, end))
        return reader->status != VISAGE_NO_MEMORY;
    if (reader->status == VISAGE_NO_MEMORY)
        return false;
    tell(reader, &problem, n.insts);
    if (reader->recover) {
        vsg_obj_read_cut_off(reader);
        start(reader, entry, end, false);
        (void)keep(reader, &n);
    }
    return false;
}
