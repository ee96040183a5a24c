/* SPDX-License-Identifier: MIT
 *
 * What it costs to make vectors that are stored in another way, and what it saves. */
#include "jit/marks.h"
#include "jit/region.h"
#include "jit/weave_plan.h"

typedef vsg_jit_strand strand;
typedef vsg_jit_knot knot;
typedef vsg_jit_weaver weaver;
typedef vsg_jit_fibre fibre;

/* ---- where control rarely comes ---------------------------------------------------------- */

/* Does it call something that is not an operation? Handlers are for what is out of the
 * ordinary. */
static bool has_call(vsg_jit_emitter *e, LLVMBasicBlockRef block)
{
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v))
        if (LLVMGetInstructionOpcode(v) == LLVMCall && !vsg_jit_is_plain_call(e, v))
            return true;
    return false;
}

static bool is_rare_way(vsg_jit_emitter *e, LLVMValueRef branch, LLVMBasicBlockRef to)
{
    if (LLVMGetInstructionOpcode(branch) != LLVMBr || !LLVMIsConditional(branch))
        return false;
    int likely = vsg_jit_likely_way(e, branch);
    return likely >= 0 && LLVMGetSuccessor(branch, (unsigned)likely) != to;
}

static bool is_rare_within(vsg_jit_emitter *e, LLVMBasicBlockRef block, uint32_t steps)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));

    if (has_call(e, block))
        return true;
    if (!use || steps == 0)
        return false;
    for (; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef branch = LLVMGetUser(use);
        if (!LLVMIsAInstruction(branch) ||
            (!is_rare_way(e, branch, block) &&
             !is_rare_within(e, LLVMGetInstructionParent(branch), steps - 1)))
            return false;
    }
    return true;
}

bool vsg_jit_is_rare(vsg_jit_emitter *e, LLVMBasicBlockRef block)
{
    enum { MOST_STEPS = 3 };

    return is_rare_within(e, block, MOST_STEPS);
}

/* ---- prices ------------------------------------------------------------------------------ */

bool vsg_jit_takes_turns(const knot *k)
{
    uint32_t count = k->num_sources;
    const strand *first = &k->strands[0];

    if (count < 2 || (count & (count - 1)) != 0 || k->count % count != 0)
        return false;
    for (uint32_t i = 0; i < k->count; i++)
        if (k->strands[i].value != k->sources[i % count] ||
            k->strands[i].lane != first->lane + i / count ||
            LLVMGetVectorSize(LLVMTypeOf(k->strands[i].value)) !=
                LLVMGetVectorSize(LLVMTypeOf(first->value)))
            return false;
    return true;
}

uint32_t vsg_jit_vectors_of(uint32_t count, uint32_t bits)
{
    return (count * bits + VSG_JIT_VECTOR_BITS - 1) / VSG_JIT_VECTOR_BITS;
}

/* How often two vectors become one. */
static uint32_t steps_of_gathering(const weaver *w, const knot *k)
{
    uint32_t steps = 1;

    if (!w->block || !vsg_jit_takes_turns(k))
        return k->num_sources > 1 ? k->num_sources - 1 : 1;
    while (2u << steps <= k->num_sources)
        steps++;
    return steps;
}

static uint32_t price_of_gathering(const weaver *w, const knot *k)
{
    uint32_t steps = steps_of_gathering(w, k);

    return k->is_rare ? 0 : steps * vsg_jit_vectors_of(k->count, k->bits);
}

/* What an operation costs for each of the host's vectors. */
static uint32_t price_of(LLVMValueRef v)
{
    enum { DEAR = 8 };
    LLVMOpcode op = LLVMGetInstructionOpcode(v);

    if (op == LLVMFDiv || vsg_jit_is_intrinsic(v, "llvm.sqrt"))
        return DEAR;
    return op != LLVMPHI && op != LLVMBitCast;
}

static uint32_t price_of_knot(const weaver *w, const knot *k)
{
    uint32_t vectors = vsg_jit_vectors_of(k->count, k->bits);

    switch (k->kind) {
    case VSG_JIT_KNOT_OPERATION:
        return vectors * price_of(k->sources[0]);
    case VSG_JIT_KNOT_SCALARS:
        return k->period > 1 ? vectors : 0;
    case VSG_JIT_KNOT_SPREAD:
    case VSG_JIT_KNOT_GATHERED:
        return price_of_gathering(w, k);
    case VSG_JIT_KNOT_LOADED:
        return vectors;
    default:
        return 0;
    }
}

/* What a knot and those that it is made of cost, each counted once; only_order: of that, what
 * puts lanes in another order. */
static uint32_t price_of_all(weaver *w, knot *k, bool only_order)
{
    enum { TOO_MUCH = 1 << 20 };
    bool is_order = k->kind == VSG_JIT_KNOT_SPREAD || k->kind == VSG_JIT_KNOT_GATHERED;
    uint32_t price = is_order || !only_order ? price_of_knot(w, k) : 0;

    if (k->seen == w->num_counts)
        return 0;
    k->seen = w->num_counts;
    k->is_used |= !only_order;
    if (k->has_failed) /* behind a phi that was in hand */
        return TOO_MUCH;
    for (uint32_t n = 0; n < k->num_of; n++)
        price += price_of_all(w, k->of[n], only_order);
    return price;
}

bool vsg_jit_is_in_order(weaver *w, knot *k)
{
    w->num_counts++;
    return price_of_all(w, k, true) == 0;
}

bool vsg_jit_is_cheaper(weaver *w, knot *k)
{
    w->num_counts++;
    return price_of_all(w, k, true) < price_of_gathering(w, k);
}

/* ---- is it worth it ---------------------------------------------------------------------- */

LLVMValueRef vsg_jit_place_of_use(LLVMUseRef use)
{
    LLVMValueRef user = LLVMGetUser(use), used = LLVMGetUsedValue(use), place = NULL;

    if (LLVMGetInstructionOpcode(user) != LLVMPHI)
        return user;
    for (unsigned i = 0; i < LLVMCountIncoming(user); i++) {
        if (LLVMGetIncomingValue(user, i) != used)
            continue;
        if (place)
            return NULL;
        place = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, i));
    }
    return place;
}

/* Are all lanes of a source among the strands? */
static bool has_all_lanes(const knot *k, LLVMValueRef source)
{
    uint8_t has[VSG_JIT_MOST_STRANDS] = {0};
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(source)), found = 0;

    for (uint32_t i = 0; i < k->count; i++)
        if (k->strands[i].value == source && k->strands[i].lane < VSG_JIT_MOST_STRANDS)
            has[k->strands[i].lane] = 1;
    for (uint32_t i = 0; i < VSG_JIT_MOST_STRANDS; i++)
        found += has[i];
    return found == count;
}

/* Can someone who uses a source take it from what is made instead, at no price? */
static bool is_for_free(weaver *w, const fibre *f, LLVMUseRef use)
{
    LLVMValueRef place = vsg_jit_place_of_use(use);
    LLVMBasicBlockRef block = place ? LLVMGetInstructionParent(place) : NULL;

    return block && !w->block && f->knot && f->knot->is_used &&
           f->knot->kind >= VSG_JIT_KNOT_OPERATION &&
           block != LLVMGetInstructionParent(f->value) && vsg_jit_is_rare(w->e, block) &&
           has_all_lanes(f->knot, f->value);
}

/* Is an instruction one of the stores that there will be others for, which stores a value and
 * does not go by it? */
static bool is_replaced(const weaver *w, LLVMValueRef user, LLVMValueRef value)
{
    const vsg_jit_move *m = w->block ? vsg_jit_move_of(w, user) : NULL;
    bool is_one = w->block ? m && m->value && vsg_jit_is_anchor(&m->anchor, &w->anchor)
                           : user == w->store;
    bool has_mask = is_one && LLVMGetInstructionOpcode(user) == LLVMCall;

    return is_one && !(has_mask && LLVMGetOperand(user, 3) == value);
}

static bool is_asked_for(weaver *w, const fibre *f)
{
    for (LLVMUseRef use = LLVMGetFirstUse(f->value); use; use = LLVMGetNextUse(use))
        if (!vsg_jit_fibre_of(w, LLVMGetUser(use)) &&
            !is_replaced(w, LLVMGetUser(use), f->value) && !is_for_free(w, f, use))
            return true;
    return false;
}

/* It stays, and all that it is made of. */
static void keep(weaver *w, fibre *f)
{
    if (!f || f->stays)
        return;
    f->stays = true;
    for (int i = 0; i < LLVMGetNumOperands(f->value); i++)
        keep(w, vsg_jit_fibre_of(w, LLVMGetOperand(f->value, (unsigned)i)));
}

/* Is what a knot is made of taken as it is? */
static bool takes_sources(const knot *k)
{
    return k->is_used && k->kind <= VSG_JIT_KNOT_GATHERED;
}

static void find_what_stays(weaver *w)
{
    for (uint32_t i = 0; i < w->num_knots; i++)
        for (uint32_t n = 0; takes_sources(&w->knots[i]) && n < w->knots[i].num_sources; n++)
            keep(w, vsg_jit_fibre_of(w, w->knots[i].sources[n]));
    for (uint32_t i = 0; i < w->num_fibres; i++)
        if (!w->noted[i]->stays && is_asked_for(w, w->noted[i]))
            keep(w, w->noted[i]);
}

/* How many of the host's vectors a value takes. */
static uint32_t vectors_in(LLVMValueRef v)
{
    return vsg_jit_is_vector(v)
               ? vsg_jit_vectors_of(LLVMGetVectorSize(LLVMTypeOf(v)), vsg_jit_bits_of_lane(v))
               : 1;
}

/* Is it less than half of another vector? Stores do that themselves. */
static bool is_taken_out(LLVMValueRef v)
{
    return LLVMGetInstructionOpcode(v) == LLVMExtractElement ||
           (LLVMGetInstructionOpcode(v) == LLVMShuffleVector &&
            2 * LLVMGetVectorSize(LLVMTypeOf(v)) <
                LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(v, 0))));
}

/* What there is now and will not be any more. */
static uint32_t find_saved(const weaver *w)
{
    uint32_t saved = 0;

    for (uint32_t i = 0; i < w->num_fibres; i++) {
        const fibre *f = w->noted[i];
        if (!f->stays && !is_taken_out(f->value))
            saved += vectors_in(f->value) * price_of(f->value);
    }
    for (uint32_t i = 0; w->block && i < w->num_moves; i++)
        saved += w->moves[i].value && vsg_jit_is_anchor(&w->moves[i].anchor, &w->anchor)
                     ? vectors_in(w->moves[i].value)
                     : 0;
    return saved + (w->block ? 0 : vectors_in(LLVMGetOperand(w->store, 0)));
}

/* Would anything be done twice, maybe in each round of a loop? */
static bool is_repeated(const weaver *w)
{
    bool has_phi = false, has_both = false;

    for (uint32_t i = 0; i < w->num_knots; i++)
        has_phi |= w->knots[i].is_used && w->knots[i].kind == VSG_JIT_KNOT_PHI;
    for (uint32_t i = 0; i < w->num_fibres; i++) {
        const knot *k = w->noted[i]->knot;
        has_both |= w->noted[i]->stays && k && k->is_used && k->kind >= VSG_JIT_KNOT_OPERATION;
    }
    return has_phi && has_both;
}

bool vsg_jit_is_worth_weaving(weaver *w, knot **roots, uint32_t num_roots, uint32_t count)
{
    uint32_t price = count;

    w->num_counts++;
    for (uint32_t i = 0; i < num_roots; i++)
        price += price_of_all(w, roots[i], false);
    find_what_stays(w);
    return price < find_saved(w) && !is_repeated(w);
}
