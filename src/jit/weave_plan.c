/* SPDX-License-Identifier: MIT */
#include "jit/weave_plan.h"

#include <string.h>

#include "jit/region.h"

typedef vsg_jit_strand strand;
typedef vsg_jit_knot knot;
typedef vsg_jit_weaver weaver;
typedef vsg_jit_fibre fibre;

/* ---- strands ----------------------------------------------------------------------------- */

static fibre *place_of_fibre(weaver *w, LLVMValueRef v)
{
    uintptr_t at = ((uintptr_t)v >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 40;

    while (w->fibres[at % VSG_JIT_FIBRE_PLACES].value &&
           w->fibres[at % VSG_JIT_FIBRE_PLACES].value != v)
        at++;
    return &w->fibres[at % VSG_JIT_FIBRE_PLACES];
}

vsg_jit_fibre *vsg_jit_fibre_of(weaver *w, LLVMValueRef v)
{
    fibre *f = place_of_fibre(w, v);

    return f->value ? f : NULL;
}

/* knot: NULL for what strands go through. False: there is no room. */
static bool note_fibre(weaver *w, LLVMValueRef v, knot *of)
{
    fibre *f = place_of_fibre(w, v);

    if (!f->value && w->num_fibres == VSG_JIT_FIBRE_PLACES / 2)
        return false;
    if (!f->value)
        w->noted[w->num_fibres++] = f;
    f->value = v;
    f->knot = of ? of : f->knot;
    return true;
}

static bool keeps_lanes(LLVMValueRef cast)
{
    LLVMValueRef from = LLVMGetOperand(cast, 0);

    return vsg_jit_is_vector(from) == vsg_jit_is_vector(cast) &&
           vsg_jit_is_lane(vsg_jit_lane_type(from)) &&
           (!vsg_jit_is_vector(from) ||
            LLVMGetVectorSize(LLVMTypeOf(from)) == LLVMGetVectorSize(LLVMTypeOf(cast)));
}

static bool look_through(strand *shuffled)
{
    uint32_t lane = (uint32_t)shuffled->lane;
    bool is_defined = vsg_jit_look_through(&shuffled->value, &lane);

    shuffled->lane = lane;
    return is_defined;
}

/* One step back: false where there is none. */
static bool step_back(strand *s)
{
    LLVMValueRef v = s->value;

    if (!LLVMIsAInstruction(v))
        return false;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMShuffleVector:
        if (!look_through(s))
            s->value = NULL;
        return true;
    case LLVMBitCast:
        if (!keeps_lanes(v))
            return false;
        s->value = LLVMGetOperand(v, 0);
        return true;
    case LLVMInsertElement:
        if (!LLVMIsAConstantInt(LLVMGetOperand(v, 2)))
            return false;
        s->value = LLVMGetOperand(v, LLVMConstIntGetZExtValue(LLVMGetOperand(v, 2)) == s->lane);
        return true;
    case LLVMExtractElement:
        if (!LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
            return false;
        s->lane = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
        s->value = LLVMGetOperand(v, 0);
        return true;
    default:
        return false;
    }
}

bool vsg_jit_trace_strand(weaver *w, strand *s)
{
    while (s->value) {
        LLVMValueRef v = s->value;
        if (!step_back(s))
            break;
        if (!note_fibre(w, v, NULL))
            return false;
    }
    if (s->value && LLVMIsConstant(s->value) && vsg_jit_is_vector(s->value)) {
        s->value = LLVMGetAggregateElement(s->value, (unsigned)s->lane);
        if (!s->value) /* an expression */
            return false;
    }
    if (s->value && (LLVMIsUndef(s->value) || LLVMIsPoison(s->value)))
        s->value = NULL;
    if (!s->value || !vsg_jit_is_vector(s->value))
        s->lane = 0;
    return true;
}

/* ---- what a knot is ---------------------------------------------------------------------- */

void vsg_jit_begin_plan(weaver *w)
{
    for (uint32_t i = 0; i < w->num_fibres; i++)
        *w->noted[i] = (fibre){0};
    w->num_fibres = w->num_knots = w->num_braids = 0;
    w->store = NULL;
    w->block = NULL;
    w->piece = w->depth = 0;
}

vsg_jit_knot *vsg_jit_new_knot(weaver *w, uint32_t count, uint32_t bits)
{
    enum { LEAST_ROOM = 32 };

    if (w->num_knots == VSG_JIT_MOST_KNOTS || count > VSG_JIT_MOST_STRANDS || count == 0 ||
        w->num_knots_in_all == VSG_JIT_MOST_KNOTS_IN_ALL)
        return NULL;
    w->num_knots_in_all++;
    knot *k = &w->knots[w->num_knots];
    strand *strands = k->strands;
    uint32_t room = k->room;
    if (room < count) { /* of an earlier plan */
        room = count < LEAST_ROOM ? LEAST_ROOM : VSG_JIT_MOST_STRANDS;
        strands = vsg_base_arena_new(&w->e->arena, room, sizeof *strands);
    }
    if (!strands)
        return NULL;
    *k = (knot){
        .strands = strands, .room = room, .count = count, .bits = bits, .piece = w->piece};
    w->num_knots++;
    return k;
}

/* What it is made of, each once. False: that is too much, or of two kinds. */
static bool find_sources(knot *k)
{
    for (uint32_t i = 0; i < k->count; i++) {
        LLVMValueRef v = k->strands[i].value;
        uint32_t n = 0;
        while (v && n < k->num_sources && k->sources[n] != v)
            n++;
        if (!v || n < k->num_sources)
            continue;
        if (n == VSG_JIT_MOST_SOURCES || !vsg_jit_is_lane(vsg_jit_lane_type(v)) ||
            (n > 0 && vsg_jit_is_vector(v) != vsg_jit_is_vector(k->sources[0])))
            return false;
        k->sources[k->num_sources++] = v;
    }
    return true;
}

/* Of one type? */
static bool is_constant(const knot *k)
{
    for (uint32_t n = 0; n < k->num_sources; n++)
        if (!LLVMIsConstant(k->sources[n]) ||
            LLVMTypeOf(k->sources[n]) != LLVMTypeOf(k->sources[0]))
            return false;
    return true;
}

/* Does each `period`th lane have the same? Fills the sources then. */
static bool repeats(knot *k, uint32_t period)
{
    LLVMValueRef some[VSG_JIT_MOST_SOURCES] = {NULL};

    if (k->count % period != 0)
        return false;
    for (uint32_t i = 0; i < k->count; i++) {
        LLVMValueRef v = k->strands[i].value;
        if (v && some[i % period] && some[i % period] != v)
            return false;
        some[i % period] = v ? v : some[i % period];
    }
    LLVMTypeRef type = LLVMTypeOf(k->sources[0]);
    for (uint32_t n = 0; n < period; n++)
        k->sources[n] = some[n] ? some[n] : LLVMGetPoison(type);
    k->num_sources = k->period = period;
    return true;
}

static bool are_scalars(knot *k)
{
    for (uint32_t n = 0; n < k->num_sources; n++)
        if (vsg_jit_is_vector(k->sources[n]) ||
            LLVMTypeOf(k->sources[n]) != LLVMTypeOf(k->sources[0]))
            return false;
    for (uint32_t period = 1; period <= VSG_JIT_MOST_SOURCES; period *= 2)
        if (repeats(k, period)) {
            k->kind = VSG_JIT_KNOT_SCALARS;
            return true;
        }
    return false;
}

/* Do lanes from `first` on lie in a source as they do here? */
static bool lie_together(const knot *k, uint32_t first, uint32_t count)
{
    const strand *s = &k->strands[first];

    for (uint32_t i = 0; i < count; i++)
        if (s[i].value != s[0].value || s[i].lane != s[0].lane + i || !s[i].value)
            return false;
    return s[0].lane % count == 0;
}

static bool lies_in_order(const knot *k)
{
    uint32_t together = k->bits < 8 ? k->count : VSG_JIT_VECTOR_BITS / k->bits;

    together = together < k->count ? together : k->count;
    for (uint32_t i = 0; i < k->count; i += together)
        if (k->count % together != 0 || !lie_together(k, i, together))
            return false;
    return true;
}

/* Do two instructions do the same, in one block? */
static bool are_alike(LLVMValueRef a, LLVMValueRef b)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(a);

    if (LLVMGetInstructionOpcode(b) != op || LLVMTypeOf(a) != LLVMTypeOf(b) ||
        LLVMGetInstructionParent(a) != LLVMGetInstructionParent(b))
        return false;
    if (op == LLVMPHI)
        return true;
    for (uint32_t i = 0; i < vsg_jit_lane_operands(a); i++)
        if (LLVMTypeOf(LLVMGetOperand(a, i)) != LLVMTypeOf(LLVMGetOperand(b, i)))
            return false;
    return (op != LLVMICmp || LLVMGetICmpPredicate(a) == LLVMGetICmpPredicate(b)) &&
           (op != LLVMFCmp || LLVMGetFCmpPredicate(a) == LLVMGetFCmpPredicate(b)) &&
           (op != LLVMCall || LLVMGetCalledValue(a) == LLVMGetCalledValue(b));
}

/* Are all sources instructions that do the same? */
static bool do_the_same(const knot *k, LLVMOpcode op)
{
    for (uint32_t n = 0; n < k->num_sources; n++)
        if (!LLVMIsAInstruction(k->sources[n]) ||
            LLVMGetInstructionOpcode(k->sources[n]) != op ||
            !are_alike(k->sources[0], k->sources[n]))
            return false;
    return true;
}

static bool note_sources(weaver *w, knot *k)
{
    for (uint32_t n = 0; n < k->num_sources; n++)
        if (!note_fibre(w, k->sources[n], k))
            return false;
    return true;
}

static bool note_strands(weaver *w, knot *k)
{
    for (uint32_t i = 0; i < k->count; i++)
        if (!note_fibre(w, k->strands[i].value, k))
            return false;
    return true;
}

/* ---- following strands ------------------------------------------------------------------- */

/* Is it the bits of lanes of another size, or the lowest of them? */
static bool has_other_bits(LLVMValueRef v)
{
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;

    return (op == LLVMBitCast || op == LLVMTrunc) && vsg_jit_is_vector(LLVMGetOperand(v, 0)) &&
           vsg_jit_is_lane(vsg_jit_lane_type(LLVMGetOperand(v, 0))) &&
           vsg_jit_bits_of_lane(LLVMGetOperand(v, 0)) % 8 == 0;
}

/* Are all sources that, of lanes of one size? */
static bool is_resized(const knot *k)
{
    bool is_all_lowest = true;

    for (uint32_t n = 0; n < k->num_sources; n++) {
        LLVMValueRef v = k->sources[n];
        if (!has_other_bits(v) || k->bits % 8 != 0 ||
            vsg_jit_bits_of_lane(LLVMGetOperand(v, 0)) !=
                vsg_jit_bits_of_lane(LLVMGetOperand(k->sources[0], 0)))
            return false;
        is_all_lowest &= LLVMGetInstructionOpcode(v) == LLVMTrunc;
    }
    return !is_all_lowest;
}

/* Which of several lanes of a wider one a strand is; out: the wider one. */
static uint64_t part_of_wide(const strand *s, uint32_t wide, strand *out)
{
    bool is_lowest = LLVMGetInstructionOpcode(s->value) == LLVMTrunc;

    *out = (strand){LLVMGetOperand(s->value, 0), is_lowest ? s->lane : s->lane / wide};
    return is_lowest ? 0 : s->lane % wide;
}

/* Wider lanes, all of whose parts are there in their order. */
static bool widen(const knot *k, uint32_t wide, knot *of)
{
    for (uint32_t i = 0; i < k->count; i++) {
        strand whole;
        if (!k->strands[i].value || part_of_wide(&k->strands[i], wide, &whole) != i % wide)
            return false;
        strand *all = &of->strands[i / wide];
        if (i % wide == 0)
            *all = whole;
        if (all->value != whole.value || all->lane != whole.lane)
            return false;
    }
    return true;
}

/* Narrower ones, several for each. */
static bool narrow(const knot *k, uint32_t each, knot *of)
{
    for (uint32_t i = 0; i < of->count; i++) {
        const strand *s = &k->strands[i / each];
        if (!s->value || LLVMGetInstructionOpcode(s->value) == LLVMTrunc)
            return false;
        of->strands[i] = (strand){LLVMGetOperand(s->value, 0), s->lane * each + i % each};
    }
    return true;
}

static knot *resize(weaver *w, knot *k)
{
    uint32_t bits = vsg_jit_bits_of_lane(LLVMGetOperand(k->sources[0], 0));
    uint32_t wide = bits / k->bits, each = k->bits / bits;
    knot *of = wide == 0              ? vsg_jit_new_knot(w, k->count * each, bits)
               : k->count % wide != 0 ? NULL
                                      : vsg_jit_new_knot(w, k->count / wide, bits);

    if (!of || !(wide ? widen(k, wide, of) : narrow(k, each, of)))
        return NULL;
    k->kind = VSG_JIT_KNOT_RESIZED;
    k->of[0] = vsg_jit_follow_strands(w, of); /* which may come upon k again */
    k->num_of = k->of[0] ? 1 : 0;
    return k->of[0] && note_sources(w, k) ? k : NULL;
}

/* The strands of operand `n` of all sources. */
static knot *follow_operand(weaver *w, const knot *k, uint32_t n)
{
    LLVMValueRef first = LLVMGetOperand(k->sources[0], n);
    knot *of = vsg_jit_new_knot(w, k->count, vsg_jit_bits_of_lane(first));

    for (uint32_t i = 0; of && i < k->count; i++) {
        const strand *s = &k->strands[i];
        of->strands[i] = s->value ? (strand){LLVMGetOperand(s->value, n), s->lane} : *s;
    }
    return of ? vsg_jit_follow_strands(w, of) : NULL;
}

static knot *follow_operation(weaver *w, knot *k)
{
    uint32_t count = vsg_jit_lane_operands(k->sources[0]);

    k->kind = VSG_JIT_KNOT_OPERATION;
    if (count == 0 || !note_sources(w, k))
        return NULL;
    for (; k->num_of < count; k->num_of++)
        if (!(k->of[k->num_of] = follow_operand(w, k, k->num_of)))
            return NULL;
    return k;
}

static bool can_gather(const knot *k)
{
    for (uint32_t n = 0; n < k->num_sources; n++)
        if (!vsg_jit_is_vector(k->sources[n]) || vsg_jit_bits_of_lane(k->sources[n]) != k->bits)
            return false;
    return k->num_sources > 0 && k->bits % 8 == 0;
}

/* As it is, whatever has been planned for it. */
static knot *gather(knot *k)
{
    k->num_of = 0;
    k->kind = k->num_sources == 1 ? VSG_JIT_KNOT_SPREAD : VSG_JIT_KNOT_GATHERED;
    return can_gather(k) ? k : NULL;
}

/* What comes in from a block, as it is there, where control rarely comes that way. */
static knot *gather_in(knot *k)
{
    k->is_rare = true;
    return find_sources(k) ? gather(k) : NULL;
}

static knot *follow_incoming(weaver *w, const knot *k, LLVMBasicBlockRef from)
{
    knot *of = vsg_jit_new_knot(w, k->count, k->bits);

    for (uint32_t i = 0; of && i < k->count; i++) {
        const strand *s = &k->strands[i];
        of->strands[i] = s->value ? (strand){vsg_jit_coming_from(s->value, from), s->lane} : *s;
    }
    if (!of)
        return NULL;
    return vsg_jit_is_rare(w->e, from) ? gather_in(of) : vsg_jit_follow_strands(w, of);
}

/* Does control come from a block in two ways? */
static bool comes_twice(LLVMValueRef phi)
{
    for (unsigned i = 1; i < LLVMCountIncoming(phi); i++)
        for (unsigned n = 0; n < i; n++)
            if (LLVMGetIncomingBlock(phi, i) == LLVMGetIncomingBlock(phi, n))
                return true;
    return false;
}

static knot *follow_phi(weaver *w, knot *k)
{
    uint32_t count = LLVMCountIncoming(k->sources[0]);

    k->kind = VSG_JIT_KNOT_PHI;
    if (count > VSG_JIT_MOST_WAYS_IN || comes_twice(k->sources[0]) || !note_sources(w, k))
        return NULL;
    for (; k->num_of < count; k->num_of++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(k->sources[0], k->num_of);
        knot *of = follow_incoming(w, k, from);
        if (!of || !vsg_jit_is_in_order(w, of)) /* which might be in each round of a loop */
            return NULL;
        k->of[k->num_of] = of;
    }
    return k;
}

/* Will a knot have been made where the piece in hand is? */
static bool is_at_hand(const weaver *w, const knot *k)
{
    return (k->kind != VSG_JIT_KNOT_NONE || k->has_failed) && !k->is_rare &&
           (k->piece == w->piece || k->is_sure);
}

/* The same as one that there is; else itself. */
static knot *find_same(weaver *w, knot *k)
{
    for (uint32_t i = 0; i + 1 < w->num_knots; i++) {
        knot *other = &w->knots[i];
        if (is_at_hand(w, other) && other->count == k->count && other->bits == k->bits &&
            memcmp(other->strands, k->strands, k->count * sizeof *k->strands) == 0) {
            w->num_knots--;
            return other;
        }
    }
    return k;
}

void vsg_jit_settle_piece(weaver *w, knot *root)
{
    if (root->is_sure)
        return;
    root->is_sure = true;
    for (uint32_t n = 0; n < root->num_of; n++)
        vsg_jit_settle_piece(w, root->of[n]);
}

static knot *be(knot *k, vsg_jit_knot_kind kind)
{
    k->kind = kind;
    return k;
}

static bool is_operation(LLVMValueRef v)
{
    return LLVMIsAInstruction(v) && vsg_jit_is_lane_operation(v) &&
           LLVMGetInstructionOpcode(v) != LLVMBitCast;
}

/* What sources do, if they all do the same; else NULL. */
static knot *follow_sources(weaver *w, knot *k)
{
    if (is_resized(k))
        return resize(w, k);
    if (!LLVMIsAInstruction(k->sources[0]) ||
        !do_the_same(k, LLVMGetInstructionOpcode(k->sources[0])))
        return NULL;
    if (LLVMGetInstructionOpcode(k->sources[0]) == LLVMPHI)
        return w->block ? NULL : follow_phi(w, k);
    return is_operation(k->sources[0]) ? follow_operation(w, k) : NULL;
}

static knot *follow(weaver *w, knot *k)
{
    enum { MOST_DEPTH = 12 };

    for (uint32_t i = 0; i < k->count; i++)
        if (!vsg_jit_trace_strand(w, &k->strands[i]))
            return NULL;
    knot *same = find_same(w, k);
    if (same != k)
        return same;
    if (w->block && vsg_jit_lie_in_memory(w, k))
        return note_strands(w, k) ? be(k, VSG_JIT_KNOT_LOADED) : NULL;
    if (!find_sources(k))
        return NULL;
    if (is_constant(k))
        return be(k, VSG_JIT_KNOT_CONSTANT);
    if (!vsg_jit_is_vector(k->sources[0]))
        return are_scalars(k) ? k : NULL;
    if (lies_in_order(k))
        return be(k, VSG_JIT_KNOT_AS_IT_IS);
    w->depth++;
    bool is_followed = w->depth < MOST_DEPTH && follow_sources(w, k) != NULL;
    w->depth--;
    return is_followed && vsg_jit_is_cheaper(w, k) ? k : gather(k);
}

vsg_jit_knot *vsg_jit_follow_strands(weaver *w, knot *k)
{
    knot *found = follow(w, k);

    k->has_failed = !found;
    return found && found->has_failed ? NULL : found;
}
