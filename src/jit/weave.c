/* SPDX-License-Identifier: MIT */
#include "jit/weave.h"

#include <string.h>

#include "jit/memories.h"
#include "jit/region.h"
#include "jit/shuffle.h"
#include "jit/weave_plan.h"

typedef vsg_jit_strand strand;
typedef vsg_jit_knot knot;
typedef vsg_jit_weaver weaver;
typedef vsg_jit_fibre fibre;

/* ---- code -------------------------------------------------------------------------------- */

static LLVMValueRef make(weaver *w, knot *k);

static LLVMValueRef with_bits(const weaver *w, LLVMValueRef v, uint32_t bits, uint32_t count)
{
    return LLVMBuildBitCast(w->e->b, v, vsg_jit_int(w->e, bits, count), "");
}

/* The lanes that strands have of one source, at their places. */
static LLVMValueRef take(const weaver *w, const knot *k, LLVMValueRef source)
{
    LLVMValueRef places[VSG_JIT_MOST_STRANDS];
    LLVMValueRef from = with_bits(w, source, k->bits, LLVMGetVectorSize(LLVMTypeOf(source)));

    for (uint32_t i = 0; i < k->count; i++)
        places[i] = k->strands[i].value == source
                        ? vsg_jit_i32(w->e, (uint32_t)k->strands[i].lane)
                        : LLVMGetPoison(w->e->i32);
    return LLVMBuildShuffleVector(w->e->b, from, LLVMGetPoison(LLVMTypeOf(from)),
                                  LLVMConstVector(places, k->count), "");
}

static LLVMValueRef take_all(const weaver *w, const knot *k)
{
    LLVMValueRef places[VSG_JIT_MOST_STRANDS];

    if (k->kind == VSG_JIT_KNOT_AS_IT_IS && k->num_sources == 1 &&
        LLVMGetVectorSize(LLVMTypeOf(k->sources[0])) == k->count)
        return k->sources[0];
    LLVMValueRef all = take(w, k, k->sources[0]);
    for (uint32_t n = 1; n < k->num_sources; n++) {
        LLVMValueRef more = take(w, k, k->sources[n]);
        for (uint32_t i = 0; i < k->count; i++)
            places[i] =
                vsg_jit_i32(w->e, k->strands[i].value == k->sources[n] ? k->count + i : i);
        all = LLVMBuildShuffleVector(w->e->b, all, more, LLVMConstVector(places, k->count), "");
    }
    return all;
}

/* All lanes of sources by turns: those of each second one, and those of the others. */
static LLVMValueRef braid(const weaver *w, LLVMValueRef *of, uint32_t count)
{
    LLVMValueRef halves[2][VSG_JIT_MOST_SOURCES], places[VSG_JIT_MOST_STRANDS];

    if (count == 1)
        return of[0];
    for (uint32_t i = 0; i < count; i++)
        halves[i % 2][i / 2] = of[i];
    LLVMValueRef a = braid(w, halves[0], count / 2), b = braid(w, halves[1], count / 2);
    uint32_t lanes = LLVMGetVectorSize(LLVMTypeOf(a));
    for (uint32_t i = 0; i < 2 * lanes; i++)
        places[i] = vsg_jit_i32(w->e, i % 2 * lanes + i / 2);
    return LLVMBuildShuffleVector(w->e->b, a, b, LLVMConstVector(places, 2 * lanes), "");
}

/* The same, which several pieces take. */
static LLVMValueRef find_braid(weaver *w, const knot *k)
{
    vsg_jit_braid *b = w->braids;
    size_t bytes = k->num_sources * sizeof *k->sources;

    while (b < w->braids + w->num_braids &&
           (b->count != k->num_sources || memcmp(b->of, k->sources, bytes) != 0))
        b++;
    if (b == w->braids + VSG_JIT_MOST_BRAIDS)
        return NULL;
    if (b < w->braids + w->num_braids)
        return b->made;
    LLVMValueRef of[VSG_JIT_MOST_SOURCES];
    for (uint32_t i = 0; i < k->num_sources; i++)
        of[i] =
            with_bits(w, k->sources[i], k->bits, LLVMGetVectorSize(LLVMTypeOf(k->sources[i])));
    b->made = braid(w, of, k->num_sources);
    memcpy(b->of, k->sources, bytes);
    b->count = k->num_sources;
    w->num_braids++;
    return b->made;
}

/* In any order. */
static LLVMValueRef gather(weaver *w, const knot *k)
{
    uint32_t lanes = LLVMGetVectorSize(LLVMTypeOf(k->sources[0])) * k->num_sources;
    bool is_braid = w->block && vsg_jit_takes_turns(k) && lanes <= VSG_JIT_MOST_STRANDS;
    LLVMValueRef all = is_braid ? find_braid(w, k) : NULL;

    return all ? vsg_jit_take_lanes(w->e, all, (uint32_t)k->strands[0].lane * k->num_sources, 1,
                                    k->count)
               : take_all(w, k);
}

static LLVMValueRef make_constant(const weaver *w, const knot *k)
{
    LLVMValueRef lanes[VSG_JIT_MOST_STRANDS];
    LLVMTypeRef type =
        k->num_sources > 0 ? LLVMTypeOf(k->sources[0]) : vsg_jit_int(w->e, k->bits, 1);

    for (uint32_t i = 0; i < k->count; i++)
        lanes[i] = k->strands[i].value ? k->strands[i].value : LLVMGetPoison(type);
    return LLVMConstVector(lanes, k->count);
}

/* What all channels have the same, some numbers by turns. */
static LLVMValueRef repeat(const weaver *w, const knot *k)
{
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(k->sources[0]), k->period);
    LLVMValueRef some = LLVMGetPoison(type), places[VSG_JIT_MOST_STRANDS];

    for (uint32_t i = 0; i < k->period; i++)
        some = LLVMBuildInsertElement(w->e->b, some, k->sources[i], vsg_jit_i32(w->e, i), "");
    for (uint32_t i = 0; i < k->count; i++)
        places[i] = vsg_jit_i32(w->e, i % k->period);
    return LLVMBuildShuffleVector(w->e->b, some, LLVMGetPoison(type),
                                  LLVMConstVector(places, k->count), "");
}

/* With lanes of a type of the same size. */
static LLVMValueRef make_as(weaver *w, knot *k, LLVMTypeRef lane)
{
    return LLVMBuildBitCast(w->e->b, make(w, k), LLVMVectorType(lane, k->count), "");
}

static void store_like(const weaver *w, LLVMValueRef value, LLVMValueRef at, LLVMValueRef other)
{
    LLVMValueRef store = LLVMBuildStore(w->e->b, value, at);

    LLVMSetAlignment(store, 1);
    vsg_jit_tell_like(w->e, store, other);
}

static LLVMValueRef load(weaver *w, const knot *k)
{
    const vsg_jit_move *first = vsg_jit_move_of(w, k->strands[0].value);
    int64_t at = first->at + (int64_t)k->strands[0].lane * (k->bits / 8);
    LLVMValueRef v = vsg_jit_load(w->e, vsg_jit_int(w->e, k->bits, k->count),
                                  vsg_jit_place_at(w, first->anchor, at), 1);

    vsg_jit_tell_like(w->e, v, first->inst);
    return v;
}

/* The last of the sources, which are in one block: what they are made of is before it. */
static LLVMValueRef last_of(const knot *k)
{
    LLVMValueRef last = NULL;

    for (LLVMValueRef v = LLVMGetFirstInstruction(LLVMGetInstructionParent(k->sources[0])); v;
         v = LLVMGetNextInstruction(v))
        for (uint32_t n = 0; n < k->num_sources; n++)
            if (k->sources[n] == v)
                last = v;
    return last;
}

static LLVMValueRef make_operation(weaver *w, knot *k)
{
    LLVMValueRef of[VSG_JIT_MOST_LANE_OPERANDS];
    LLVMValueRef next =
        w->block ? LLVMGetBasicBlockTerminator(w->block) : LLVMGetNextInstruction(last_of(k));

    for (uint32_t n = 0; n < k->num_of; n++) {
        LLVMPositionBuilderBefore(w->e->b, next);
        of[n] = make_as(w, k->of[n], vsg_jit_lane_type(LLVMGetOperand(k->sources[0], n)));
    }
    LLVMPositionBuilderBefore(w->e->b, next);
    return vsg_jit_do_again(w->e, k->sources[0], of, k->count);
}

static LLVMValueRef first_behind_phis(LLVMValueRef phi)
{
    while (LLVMGetInstructionOpcode(phi) == LLVMPHI)
        phi = LLVMGetNextInstruction(phi);
    return phi;
}

static LLVMValueRef make_phi(weaver *w, knot *k)
{
    LLVMTypeRef lane = vsg_jit_lane_type(k->sources[0]);

    LLVMPositionBuilderBefore(w->e->b, k->sources[0]);
    k->made = LLVMBuildPhi(w->e->b, LLVMVectorType(lane, k->count), "");
    for (uint32_t n = 0; n < k->num_of; n++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(k->sources[0], n);
        LLVMPositionBuilderBefore(w->e->b, LLVMGetBasicBlockTerminator(from));
        LLVMValueRef value = make_as(w, k->of[n], lane);
        LLVMAddIncoming(k->made, &value, &from, 1);
    }
    LLVMPositionBuilderBefore(w->e->b, first_behind_phis(k->made));
    return k->made;
}

static LLVMValueRef make_resized(weaver *w, knot *k)
{
    LLVMValueRef of = make(w, k->of[0]);

    return with_bits(w, of, k->bits, k->count);
}

/* The vector of a knot. The builder is where it is needed, or, behind operations and phis,
 * which have places of their own, where they are. */
static LLVMValueRef make(weaver *w, knot *k)
{
    switch (k->kind) {
    case VSG_JIT_KNOT_CONSTANT:
        return make_constant(w, k);
    case VSG_JIT_KNOT_SCALARS:
        return repeat(w, k);
    case VSG_JIT_KNOT_AS_IT_IS:
    case VSG_JIT_KNOT_SPREAD:
        return take_all(w, k);
    case VSG_JIT_KNOT_GATHERED:
        return gather(w, k);
    case VSG_JIT_KNOT_LOADED:
        return k->made ? k->made : (k->made = load(w, k));
    case VSG_JIT_KNOT_RESIZED:
        return make_resized(w, k);
    case VSG_JIT_KNOT_OPERATION:
        return k->made ? k->made : (k->made = make_operation(w, k));
    default:
        return k->made ? k->made : make_phi(w, k);
    }
}

/* ---- instead of what there was ----------------------------------------------------------- */

/* A source, of the vector that has all of its lanes. */
static LLVMValueRef unravel(const weaver *w, const knot *k, LLVMValueRef source)
{
    LLVMValueRef places[VSG_JIT_MOST_STRANDS];

    for (uint32_t i = 0; i < k->count; i++)
        if (k->strands[i].value == source)
            places[k->strands[i].lane] = vsg_jit_i32(w->e, i);
    return LLVMBuildShuffleVector(
        w->e->b, k->made, LLVMGetPoison(LLVMTypeOf(k->made)),
        LLVMConstVector(places, LLVMGetVectorSize(LLVMTypeOf(source))), "");
}

static void set_operand_of(LLVMUseRef use, LLVMValueRef v)
{
    LLVMValueRef user = LLVMGetUser(use), used = LLVMGetUsedValue(use);

    for (int i = 0; i < LLVMGetNumOperands(user); i++)
        if (LLVMGetOperand(user, (unsigned)i) == used)
            LLVMSetOperand(user, (unsigned)i, v);
}

/* The first user that is no fibre. */
static LLVMUseRef find_other_use(weaver *w, const fibre *f)
{
    LLVMUseRef use = LLVMGetFirstUse(f->value);

    while (use && vsg_jit_fibre_of(w, LLVMGetUser(use)))
        use = LLVMGetNextUse(use);
    return use;
}

/* Of where control rarely comes. */
static void give_to_others(weaver *w, const fibre *f)
{
    for (LLVMUseRef use; (use = find_other_use(w, f));) {
        LLVMPositionBuilderBefore(w->e->b, vsg_jit_place_of_use(use));
        set_operand_of(use, unravel(w, f->knot, f->value));
    }
}

static void drop_fibres(weaver *w)
{
    w->has_woven = true;
    for (uint32_t i = 0; i < w->num_fibres; i++)
        if (!w->noted[i]->stays && w->noted[i]->knot)
            give_to_others(w, w->noted[i]);
    for (uint32_t i = 0; i < w->num_fibres; i++) {
        LLVMValueRef v = w->noted[i]->value;
        if (!w->noted[i]->stays)
            LLVMReplaceAllUsesWith(v, LLVMGetPoison(LLVMTypeOf(v)));
    }
    for (uint32_t i = 0; i < w->num_fibres; i++)
        if (!w->noted[i]->stays)
            LLVMInstructionEraseFromParent(w->noted[i]->value);
}

/* ---- one store --------------------------------------------------------------------------- */

static bool is_shuffled(LLVMValueRef v)
{
    while (LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMBitCast)
        v = LLVMGetOperand(v, 0);
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMShuffleVector;
}

static uint32_t bits_of(LLVMValueRef vector)
{
    return LLVMGetVectorSize(LLVMTypeOf(vector)) * vsg_jit_bits_of_lane(vector);
}

/* The vector that an instruction stores, put together from others. NULL: it does not; parts of
 * the host's vectors are not worth it by themselves. */
static LLVMValueRef stored_by(LLVMValueRef v)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    LLVMValueRef vector = op == LLVMStore || op == LLVMCall ? LLVMGetOperand(v, 0) : NULL;

    if (!vector || !vsg_jit_is_vector(vector) || !is_shuffled(vector) ||
        !vsg_jit_is_lane(vsg_jit_lane_type(vector)) || bits_of(vector) < VSG_JIT_VECTOR_BITS)
        return NULL;
    return op == LLVMStore || vsg_jit_is_intrinsic(v, "llvm.masked.store") ? vector : NULL;
}

/* Lanes from `first` on that are stored at once: all, or, as processors have no vectors of
 * other sizes than powers of two, as many as a vector has. */
static uint32_t piece_of(uint32_t count, uint32_t bits, uint32_t first)
{
    uint32_t piece = VSG_JIT_VECTOR_BITS / bits;

    if ((count & (count - 1)) == 0)
        return count;
    while (piece > count - first)
        piece /= 2;
    return piece;
}

/* What the store in hand stores, in pieces. 0: it stays. */
static uint32_t plan_store(weaver *w, LLVMValueRef store, LLVMValueRef vector, knot **pieces)
{
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(vector)), num_pieces = 0;
    uint32_t bits = vsg_jit_bits_of_lane(vector);

    vsg_jit_begin_plan(w);
    w->store = store;
    for (uint32_t first = 0; first < count; num_pieces++) {
        knot *k = vsg_jit_new_knot(w, piece_of(count, bits, first), bits);
        for (uint32_t i = 0; k && i < k->count; i++)
            k->strands[i] = (strand){vector, first + i};
        if (!k || !(pieces[num_pieces] = vsg_jit_follow_strands(w, k)) ||
            pieces[num_pieces]->kind < VSG_JIT_KNOT_RESIZED)
            return 0;
        first += k->count;
    }
    return vsg_jit_is_worth_weaving(w, pieces, num_pieces, vsg_jit_vectors_of(count, bits))
               ? num_pieces
               : 0;
}

static LLVMValueRef make_before(weaver *w, knot *k, LLVMValueRef before, LLVMTypeRef lane)
{
    LLVMPositionBuilderBefore(w->e->b, before);
    LLVMValueRef made = make(w, k);
    LLVMPositionBuilderBefore(w->e->b, before);
    return LLVMBuildBitCast(w->e->b, made, LLVMVectorType(lane, k->count), "");
}

/* Instead of one store those of its pieces. */
static void store_pieces(weaver *w, LLVMValueRef store, knot **pieces, uint32_t count)
{
    LLVMTypeRef lane = vsg_jit_lane_type(LLVMGetOperand(store, 0));
    LLVMValueRef place = LLVMGetOperand(store, 1);
    uint32_t first = 0;

    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef made = make_before(w, pieces[i], store, lane);
        LLVMValueRef at = vsg_jit_at(w->e, place, first * pieces[i]->bits / 8);
        store_like(w, made, at, store);
        first += pieces[i]->count;
    }
    LLVMInstructionEraseFromParent(store);
}

static void weave_store(weaver *w, LLVMValueRef store, knot **pieces)
{
    LLVMValueRef vector = LLVMGetOperand(store, 0);
    uint32_t count = plan_store(w, store, vector, pieces);

    if (count == 0 || (count > 1 && LLVMGetInstructionOpcode(store) != LLVMStore))
        return;
    if (count == 1)
        LLVMSetOperand(store, 0, make_before(w, pieces[0], store, vsg_jit_lane_type(vector)));
    else
        store_pieces(w, store, pieces, count);
    drop_fibres(w);
}

static void weave_stores(weaver *w, LLVMBasicBlockRef block, knot **pieces)
{
    uint32_t count = 0;

    /* What is woven goes, and may be anywhere. */
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v))
        if (count < VSG_JIT_MOST_MOVES && stored_by(v))
            w->stores[count++] = v;
    if (count == 0 || vsg_jit_is_rare(w->e, block))
        return;
    for (uint32_t i = 0; i < count; i++)
        weave_store(w, w->stores[i], pieces);
}

/* ---- stores of a block ------------------------------------------------------------------- */

static const char gate_name[] = "vsg.apart";

static LLVMTypeRef gate_signature(vsg_jit_emitter *e)
{
    return LLVMFunctionType(e->i1, NULL, 0, false);
}

LLVMValueRef vsg_jit_make_gate(vsg_jit_emitter *e)
{
    enum { TOUCHES_NOTHING = 0 };
    LLVMValueRef gate = LLVMGetNamedFunction(e->module, gate_name);

    if (!gate)
        gate = vsg_jit_declare_placeholder(e, gate_name, gate_signature(e), TOUCHES_NOTHING);
    return LLVMBuildCall2(e->b, gate_signature(e), gate, NULL, 0, "");
}

static bool is_gate(LLVMValueRef v)
{
    size_t length;

    if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != LLVMCall ||
        !LLVMIsAFunction(LLVMGetCalledValue(v)))
        return false;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(v), &length);
    return strcmp(name, gate_name) == 0;
}

/* Is a condition one that a gate must be open for? */
static bool needs_gate(LLVMValueRef v, uint32_t steps)
{
    if (!LLVMIsAInstruction(v) || is_gate(v) || steps == 0)
        return LLVMIsAInstruction(v) && is_gate(v);
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    bool is_and = op == LLVMAnd || (op == LLVMSelect && LLVMIsConstant(LLVMGetOperand(v, 2)) &&
                                    LLVMIsNull(LLVMGetOperand(v, 2)));
    return is_and && (needs_gate(LLVMGetOperand(v, 0), steps - 1) ||
                      needs_gate(LLVMGetOperand(v, 1), steps - 1));
}

/* The branch that alone leads to a block, and does so if a gate is open. NULL: none. */
static LLVMValueRef gate_before(LLVMBasicBlockRef block)
{
    enum { MOST_STEPS = 8 };
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    LLVMValueRef branch = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;

    return branch && LLVMIsAInstruction(branch) && LLVMGetInstructionOpcode(branch) == LLVMBr &&
                   LLVMIsConditional(branch) && LLVMGetSuccessor(branch, 0) == block &&
                   needs_gate(LLVMGetCondition(branch), MOST_STEPS)
               ? branch
               : NULL;
}

/* The pieces of what is stored from an anchor on. False: they stay. */
static bool plan_pieces(weaver *w, knot **pieces)
{
    for (uint32_t n = 0; n < w->num_stitches; w->piece++) {
        const vsg_jit_stitch *first = &w->stitches[n];
        uint32_t count = 0;
        while (n + count < w->num_stitches && first[count].piece == w->piece)
            count++;
        LLVMTypeRef lane = vsg_jit_lane_type(first->strand.value);
        knot *k = vsg_jit_new_knot(w, count, vsg_jit_lane_bits(lane));
        for (uint32_t i = 0; k && i < count; i++)
            k->strands[i] = first[i].strand;
        if (!k || !(pieces[w->piece] = vsg_jit_follow_strands(w, k)))
            return false;
        vsg_jit_settle_piece(w, pieces[w->piece]);
        n += count;
    }
    return vsg_jit_is_worth_weaving(w, pieces, w->num_pieces, w->num_pieces);
}

static void make_pieces(weaver *w, knot **pieces, LLVMValueRef like)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(w->block);
    const vsg_jit_stitch *s = w->stitches;

    for (uint32_t i = 0; i < w->num_pieces; i++) {
        while (s->piece < i)
            s++;
        LLVMTypeRef lane = vsg_jit_lane_type(s->strand.value);
        LLVMValueRef made = make_before(w, pieces[i], end, lane);
        store_like(w, made, vsg_jit_place_at(w, w->anchor, s->at), like);
    }
}

static void drop_stores(weaver *w)
{
    for (uint32_t i = 0; i < w->num_moves; i++)
        if (w->moves[i].value && vsg_jit_is_anchor(&w->moves[i].anchor, &w->anchor))
            LLVMInstructionEraseFromParent(w->moves[i].inst);
}

static void close_gate(weaver *w, LLVMValueRef branch)
{
    LLVMPositionBuilderBefore(w->e->b, branch);
    /* What the anchors are is known where the condition holds. */
    LLVMSetCondition(branch,
                     LLVMBuildSelect(w->e->b, LLVMGetCondition(branch), vsg_jit_can_move(w),
                                     LLVMConstInt(w->e->i1, 0, false), ""));
}

/* What a block stores from one anchor on, at its end, if it is worth it. */
static void weave_anchor(weaver *w, LLVMValueRef branch, vsg_jit_anchor anchor, knot **pieces)
{
    LLVMValueRef like = NULL;

    for (uint32_t i = 0; i < w->num_moves; i++)
        if (w->moves[i].value && vsg_jit_is_anchor(&w->moves[i].anchor, &anchor))
            like = w->moves[i].inst;
    if (!vsg_jit_find_stitches(w, anchor) || !plan_pieces(w, pieces)) {
        vsg_jit_drop_units(w);
        return;
    }
    close_gate(w, branch);
    make_pieces(w, pieces, like);
    drop_stores(w);
    drop_fibres(w);
}

/* From one of the anchors that are stored from, and have not been looked at. False: there is
 * none, or the block cannot be dealt with. */
static bool weave_next(weaver *w, LLVMBasicBlockRef block, LLVMValueRef branch,
                       vsg_jit_anchor *done, uint32_t *num_done, knot **pieces)
{
    const vsg_jit_move *first = NULL;

    vsg_jit_begin_plan(w);
    if (!vsg_jit_find_moves(w, block))
        return false;
    for (uint32_t i = 0; i < w->num_moves; i++) {
        const vsg_jit_move *m = &w->moves[i];
        uint32_t n = 0;
        while (n < *num_done && !vsg_jit_is_anchor(&done[n], &m->anchor))
            n++;
        if (m->value && n == *num_done && (!first || m->order < first->order))
            first = m;
    }
    if (!first || *num_done == VSG_JIT_MOST_ANCHORS)
        return false;
    done[(*num_done)++] = first->anchor;
    weave_anchor(w, branch, done[*num_done - 1], pieces);
    return true;
}

static void weave_block(weaver *w, LLVMBasicBlockRef block, LLVMValueRef branch, knot **pieces)
{
    vsg_jit_anchor done[VSG_JIT_MOST_ANCHORS];
    uint32_t num_done = 0;

    while (weave_next(w, block, branch, done, &num_done, pieces))
        continue;
}

/* ---- all of it --------------------------------------------------------------------------- */

static void weave_function(weaver *w, LLVMValueRef function, knot **pieces)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef branch = w->e->memories ? gate_before(block) : NULL;
        if (branch)
            weave_block(w, block, branch, pieces);
        weave_stores(w, block, pieces);
    }
}

/* All gates are open, but for what has been added. */
static void drop_gates(vsg_jit_emitter *e)
{
    LLVMValueRef gate = LLVMGetNamedFunction(e->module, gate_name);

    for (LLVMUseRef use; gate && (use = LLVMGetFirstUse(gate));) {
        LLVMValueRef call = LLVMGetUser(use);
        LLVMReplaceAllUsesWith(call, LLVMConstInt(e->i1, 1, false));
        LLVMInstructionEraseFromParent(call);
    }
    if (gate)
        LLVMDeleteFunction(gate);
}

/* Is there anything to look at? */
static bool has_work(vsg_jit_emitter *e)
{
    if (LLVMGetNamedFunction(e->module, gate_name))
        return true;
    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
                if (stored_by(v))
                    return true;
    return false;
}

bool vsg_jit_weave(vsg_jit_emitter *e, bool *changed)
{
    *changed = false;
    if (!has_work(e))
        return true;
    weaver *w = vsg_base_arena_new(&e->arena, 1, sizeof *w);
    knot **pieces = vsg_base_arena_new(&e->arena, VSG_JIT_MOST_STITCHES, sizeof(knot *));

    if (!w || !pieces)
        return false;
    w->e = e;
    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
        weave_function(w, f, pieces);
    drop_gates(e);
    *changed = w->has_woven;
    return true;
}
