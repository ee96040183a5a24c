/* SPDX-License-Identifier: MIT */
#include "jit/sides.h"

#include "jit/lowering.h"
#include "jit/row_lanes.h"
#include "jit/rows.h"

/* Channels that share a slot. */
enum { GROUP = 8, MOST_GROUPS = VSG_EXE_MAX_CHANNELS / GROUP };

/* Of a predicate. */
struct vsg_jit_side {
    bool is_compared, is_looping, is_used;
    bool bit;                       /* that all channels mostly have */
    LLVMValueRef same[MOST_GROUPS]; /* slots of i1s: do all of a group have it? */
};

/* ---- where there are some ---------------------------------------------------------------- */

/* Is a signed number compared with zero? bit: what comes of it where it is not negative. */
static bool is_comparison(const vsg_exe_inst *inst, bool *bit)
{
    const vsg_exe_operand *number = &inst->src[0], *limit = &inst->src[1];

    if (inst->op != VISAGE_OP_CMP || inst->dst.kind != VSG_EXE_OPERAND_PREDICATE ||
        inst->predicate_mode || number->bytes != 4 || !vsg_jit_is_signed(number) ||
        number->modifier != VSG_OBJ_MOD_NONE || limit->kind != VSG_EXE_OPERAND_IMMEDIATE ||
        limit->count != 1 || limit->modifier != VSG_OBJ_MOD_NONE || !vsg_jit_is_signed(limit))
        return false;
    *bit = inst->control == VSG_EXE_REL_GT || inst->control == VSG_EXE_REL_GE;
    int64_t least = vsg_jit_immediate(limit, 0) +
                    (inst->control == VSG_EXE_REL_GT || inst->control == VSG_EXE_REL_LE);
    return inst->control >= VSG_EXE_REL_GT && inst->control <= VSG_EXE_REL_LE && least == 0;
}

typedef struct finder {
    vsg_jit_emitter *e;
    uint32_t place;
} finder;

static void note_written(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    const finder *f = user;
    vsg_jit_emitter *e = f->e;
    bool bit;

    (void)covers;
    if (!access->is_written || part < e->num_general ||
        part >= e->num_general + e->unit->num_predicates)
        return;
    struct vsg_jit_side *side = &e->sides[part - e->num_general];
    side->is_looping |= e->notes[f->place].is_in_loop;
    if (!is_comparison(&e->unit->code[f->place], &bit))
        return;
    side->is_compared = true;
    side->bit = bit;
}

/* Is there nothing but a few operations on integers? */
static bool is_arm(const vsg_jit_emitter *e, uint32_t from, uint32_t end)
{
    enum { MOST_LENGTH = 10 };

    for (uint32_t i = from; i < end; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        bool is_plain = inst->source && !inst->predicate_mode && !inst->no_mask &&
                        inst->dst.kind == VSG_EXE_OPERAND_REGION && vsg_jit_may_make_row(inst);
        if (!is_plain && inst->op != VISAGE_OP_LABEL)
            return false;
    }
    return end - from <= MOST_LENGTH;
}

/* The arms of a branch, of which the second one may be empty. False: they are more than that.
 */
static bool find_arms(const vsg_jit_emitter *e, uint32_t place, uint32_t arms[2],
                      uint32_t ends[2])
{
    const vsg_exe_inst *inst = &e->unit->code[place], *last;

    if (inst->op != VISAGE_OP_GOTO || inst->target <= place + 1 || inst->exec_size < 2 ||
        !inst->predicate_mode ||
        (inst->predicate_mode & (VSG_EXE_PRED_ANY | VSG_EXE_PRED_ALL)) != 0 ||
        e->notes[place].is_in_loop)
        return false;
    arms[0] = place + 1;
    arms[1] = ends[0] = ends[1] = inst->target;
    last = &e->unit->code[inst->target - 1];
    if (last->op == VISAGE_OP_GOTO && !last->predicate_mode && last->target > inst->target) {
        ends[0]--;
        ends[1] = last->target;
    }
    return is_arm(e, arms[0], ends[0]) && is_arm(e, arms[1], ends[1]);
}

static void note_branch(vsg_jit_emitter *e, uint32_t place)
{
    uint32_t arms[2], ends[2];

    if (!find_arms(e, place, arms, ends))
        return;
    struct vsg_jit_side *side = &e->sides[e->unit->code[place].predicate];
    if (!side->is_compared || side->is_looping)
        return;
    side->is_used = true;
    for (uint32_t n = 0; n < 2; n++)
        for (uint32_t i = arms[n]; i < ends[n]; i++)
            e->notes[i].is_side = true;
}

bool vsg_jit_find_sides(vsg_jit_emitter *e)
{
    const vsg_exe_unit *unit = e->unit;

    if (unit->num_predicates == 0 || vsg_jit_has_calls(unit))
        return true;
    e->sides = vsg_base_arena_new(&e->arena, unit->num_predicates, sizeof *e->sides);
    if (!e->sides)
        return false;
    for (uint32_t i = 0; i < unit->num_code; i++) {
        finder f = {e, i};
        if (e->notes[i].is_reached)
            vsg_jit_parts_at(e, i, note_written, &f);
    }
    for (uint32_t i = 0; i < unit->num_code; i++)
        if (e->notes[i].is_reached)
            note_branch(e, i);
    return true;
}

/* ---- what is known ----------------------------------------------------------------------- */

void vsg_jit_make_side_slots(vsg_jit_emitter *e)
{
    for (uint32_t i = 0; e->sides && i < e->unit->num_predicates; i++)
        for (uint32_t g = 0; e->sides[i].is_used && g < MOST_GROUPS; g++) {
            e->sides[i].same[g] = LLVMBuildAlloca(e->b, e->i1, "");
            LLVMBuildStore(e->b, LLVMConstInt(e->i1, 0, false), e->sides[i].same[g]);
        }
}

void vsg_jit_forget_sides(vsg_jit_emitter *e, uint32_t part)
{
    if (!e->sides || part < e->num_general || part >= e->num_general + e->unit->num_predicates)
        return;
    const struct vsg_jit_side *side = &e->sides[part - e->num_general];
    for (uint32_t g = 0; side->is_used && g < MOST_GROUPS; g++)
        LLVMBuildStore(e->b, LLVMConstInt(e->i1, 0, false), side->same[g]);
}

static void forget_written(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    (void)covers;
    if (access->is_written)
        vsg_jit_forget_sides(user, part);
}

/* Is none of a group's numbers negative? */
static LLVMValueRef is_positive(vsg_jit_emitter *e, const vsg_jit_view *view, uint32_t chunk)
{
    LLVMValueRef low = LLVMBuildTrunc(e->b, view->first[chunk], e->i32, "");
    LLVMValueRef first = LLVMBuildSExt(e->b, low, e->i64, "");
    vsg_jit_ends row = vsg_jit_find_ends(e, first, view->step, view->chunk);

    return vsg_jit_lies_within(e, &row, 0, INT32_MAX);
}

/* group: of the instruction's channels. */
static void note_group(vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t group,
                       LLVMValueRef slot)
{
    LLVMValueRef good = LLVMConstInt(e->i1, 0, false);
    vsg_exe_operand part = inst->src[0];
    vsg_jit_view view;

    part.offset += group * GROUP * part.bytes;
    if (vsg_jit_view_row(e, &part, GROUP, &view)) {
        good = view.exact ? view.exact : LLVMConstInt(e->i1, 1, false);
        for (uint32_t c = 0; c < view.num_chunks; c++)
            good = LLVMBuildAnd(e->b, good, is_positive(e, &view, c), "");
    }
    /* Channels that are off keep what they had. */
    if (!vsg_jit_is_unmasked(e, e->place))
        good = LLVMBuildAnd(e->b, good, LLVMBuildLoad2(e->b, e->i1, slot, ""), "");
    LLVMBuildStore(e->b, good, slot);
}

void vsg_jit_note_sides(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    bool bit;

    if (!e->sides)
        return;
    if (!is_comparison(inst, &bit) || !e->sides[inst->dst.index].is_used ||
        bit != e->sides[inst->dst.index].bit || inst->exec_size % GROUP != 0 ||
        inst->mask_offset % GROUP != 0 || inst->src[0].shape != VSG_EXE_SHAPE_CONTIGUOUS) {
        vsg_jit_parts_at(e, e->place, forget_written, e);
        return;
    }
    for (uint32_t g = 0; g < inst->exec_size / GROUP; g++)
        note_group(e, inst, g, e->sides[inst->dst.index].same[inst->mask_offset / GROUP + g]);
}

LLVMValueRef vsg_jit_side(vsg_jit_emitter *e, const vsg_exe_inst *inst, bool *taken)
{
    LLVMValueRef same = NULL;
    uint32_t arms[2], ends[2];

    if (!e->sides || !find_arms(e, e->place, arms, ends) ||
        !e->sides[inst->predicate].is_used || e->simd_size < GROUP)
        return NULL;
    const struct vsg_jit_side *side = &e->sides[inst->predicate];
    for (uint32_t g = 0; g < e->simd_size / GROUP; g++)
        same = vsg_jit_both(e, same, LLVMBuildLoad2(e->b, e->i1, side->same[g], ""));
    *taken = side->bit != ((inst->predicate_mode & VSG_EXE_PRED_INVERSE) != 0);
    return same;
}
