/* SPDX-License-Identifier: MIT */
#include "jit/together.h"

#include "jit/columns.h"
#include "jit/lane_operations.h"
#include "jit/lowering.h"
#include "jit/rounds.h"

typedef vsg_jit_hoister hoister;

enum { MOST_PARTS = 4, MOST_DEPTH = 8 };

/* Channels from a bit of the mask on that stay while a number of theirs is below a limit. */
typedef struct channels {
    LLVMValueRef number;       /* in the loop: what is compared when a round ends */
    LLVMValueRef begin, limit; /* integers of each; limit: the same in all rounds */
    uint64_t step;
    uint32_t first, count;
    bool is_signed; /* the comparison */
    bool has_sign;  /* the number, where it is extended to the limit's width */
} channels;

typedef struct search {
    hoister *h;
    channels parts[MOST_PARTS];
    uint32_t num_parts, covered; /* bits of all parts */
} search;

/* ---- the loop ---------------------------------------------------------------------------- */

/* Of an instruction of the loop, the operand beside another one. NULL: it has not that. */
static LLVMValueRef beside(const hoister *h, LLVMValueRef v, LLVMOpcode op, LLVMValueRef other)
{
    if (!v || !vsg_jit_mapped(&h->own, v) || LLVMGetInstructionOpcode(v) != op)
        return NULL;
    if (LLVMGetOperand(v, 0) == other)
        return LLVMGetOperand(v, 1);
    return LLVMGetOperand(v, 1) == other ? LLVMGetOperand(v, 0) : NULL;
}

/* ---- what the mask is made of ------------------------------------------------------------ */

/* a < b */
typedef struct less {
    LLVMValueRef a, b;
    bool is_signed;
} less;

/* Compilers make few comparisons that include the limit. */
static bool find_less(const search *s, LLVMValueRef v, bool stay, less *out)
{
    LLVMIntPredicate predicate;
    bool is_above;

    if (!vsg_jit_mapped(&s->h->own, v) || !LLVMIsAICmpInst(v))
        return false;
    predicate = LLVMGetICmpPredicate(v);
    if (!stay)
        predicate = vsg_jit_inverse_of(predicate);
    is_above = predicate == LLVMIntSGT || predicate == LLVMIntUGT;
    *out = (less){.a = LLVMGetOperand(v, is_above),
                  .b = LLVMGetOperand(v, !is_above),
                  .is_signed = predicate == LLVMIntSLT || predicate == LLVMIntSGT};
    return is_above || predicate == LLVMIntSLT || predicate == LLVMIntULT;
}

/* What all lanes of a vector come from, in their order: of pairs the first or the second one.
 * NULL: they do not. */
static LLVMValueRef pairs_of(const search *s, LLVMValueRef v, bool is_second)
{
    LLVMValueRef pairs = NULL;

    for (uint32_t i = 0; i < LLVMGetVectorSize(LLVMTypeOf(v)); i++) {
        LLVMValueRef from = v;
        uint32_t lane = i;
        while (vsg_jit_mapped(&s->h->own, from) &&
               LLVMGetInstructionOpcode(from) == LLVMShuffleVector)
            if (!vsg_jit_look_through(&from, &lane))
                return NULL;
        if (lane != 2 * i + is_second || (pairs && pairs != from))
            return NULL;
        pairs = from;
    }
    return pairs && vsg_jit_mapped(&s->h->own, pairs) ? pairs : NULL;
}

/* The numbers of 64 bits that these are halves of. NULL: they are of none. */
static LLVMValueRef half_of(const search *s, LLVMValueRef v, bool is_upper)
{
    LLVMTypeRef type = LLVMVectorType(s->h->e->i64, LLVMGetVectorSize(LLVMTypeOf(v)));
    LLVMValueRef from = NULL;

    if (!vsg_jit_mapped(&s->h->own, v))
        return NULL;
    if (LLVMGetInstructionOpcode(v) == LLVMTrunc && !is_upper)
        from = LLVMGetOperand(v, 0);
    else if (LLVMGetInstructionOpcode(v) == LLVMShuffleVector)
        from = pairs_of(s, v, is_upper);
    if (from && LLVMIsAInstruction(from) && LLVMGetInstructionOpcode(from) == LLVMBitCast)
        from = LLVMGetOperand(from, 0);
    return from && LLVMTypeOf(from) == type ? from : NULL;
}

/* The numbers that have these halves, of 32 bits; or those that are extended to them, with
 * signs. NULL: none have. */
static LLVMValueRef find_whole(const search *s, LLVMValueRef low, LLVMValueRef high)
{
    enum { SIGN = 31 };
    LLVMValueRef whole = half_of(s, low, false), by;

    if (whole && whole == half_of(s, high, true))
        return whole;
    if (!vsg_jit_mapped(&s->h->own, high) || LLVMGetInstructionOpcode(high) != LLVMAShr ||
        LLVMGetOperand(high, 0) != low || !LLVMIsConstant(LLVMGetOperand(high, 1)))
        return NULL;
    by = vsg_jit_lane_of_constant(LLVMGetOperand(high, 1));
    return by == vsg_jit_i32(s->h->e, SIGN) ? low : NULL;
}

/* Of numbers that the loop does not change. */
static LLVMValueRef make_whole(const search *s, LLVMValueRef low, LLVMValueRef high)
{
    LLVMBuilderRef b = s->h->e->b;
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(low));
    LLVMTypeRef type = LLVMVectorType(s->h->e->i64, count);
    LLVMValueRef by = vsg_jit_splat(s->h->e, vsg_jit_i64(s->h->e, 32), count);

    if (vsg_jit_mapped(&s->h->own, low) || vsg_jit_mapped(&s->h->own, high))
        return NULL;
    high = LLVMBuildShl(b, LLVMBuildZExt(b, high, type, ""), by, "");
    return LLVMBuildOr(b, high, LLVMBuildZExt(b, low, type, ""), "");
}

/* Numbers of 64 bits, as compilers compare their halves: the upper ones are less, or equal and
 * the lower ones less. */
static bool find_wide(const search *s, LLVMValueRef v, less *out)
{
    LLVMValueRef either = NULL, equal = NULL;
    less high, low;

    for (unsigned n = 0; n < 2 && !equal; n++) {
        either = LLVMGetOperand(v, 1 - n);
        LLVMValueRef both = LLVMGetOperand(v, n);
        if (!vsg_jit_mapped(&s->h->own, both) || LLVMGetInstructionOpcode(both) != LLVMAnd)
            continue;
        for (unsigned i = 0; i < 2 && !equal; i++)
            if (LLVMIsAICmpInst(LLVMGetOperand(both, i)) &&
                LLVMGetICmpPredicate(LLVMGetOperand(both, i)) == LLVMIntEQ &&
                find_less(s, LLVMGetOperand(both, 1 - i), true, &low))
                equal = LLVMGetOperand(both, i);
    }
    if (!equal || !find_less(s, either, true, &high) || low.is_signed ||
        vsg_jit_lane_type(low.a) != s->h->e->i32 ||
        beside(s->h, equal, LLVMICmp, high.a) != high.b)
        return false;
    *out = (less){find_whole(s, low.a, high.a), make_whole(s, low.b, high.b), high.is_signed};
    return out->a && out->b;
}

static bool find_comparison(const search *s, LLVMValueRef v, bool stay, uint32_t first,
                            channels *out)
{
    bool is_wide;
    less found;

    if (!vsg_jit_mapped(&s->h->own, v) || LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVectorTypeKind)
        return false;
    is_wide = LLVMGetInstructionOpcode(v) == LLVMOr;
    if (!(is_wide ? stay && find_wide(s, v, &found) : find_less(s, v, stay, &found)))
        return false;
    *out =
        (channels){.number = found.a,
                   .limit = found.b,
                   .first = first,
                   .count = LLVMGetVectorSize(LLVMTypeOf(v)),
                   .is_signed = found.is_signed,
                   .has_sign = found.is_signed || LLVMTypeOf(found.a) != LLVMTypeOf(found.b)};
    if (vsg_jit_mapped(&s->h->own, found.a) &&
        (LLVMIsASExtInst(found.a) || LLVMIsAZExtInst(found.a))) {
        out->number = LLVMGetOperand(found.a, 0);
        out->has_sign = LLVMIsASExtInst(found.a) != NULL;
    }
    return true;
}

/* Bits of comparisons, each moved to its channels' place. stay: channels stay that have them;
 * else they leave. */
static bool find_bits(search *s, LLVMValueRef v, uint32_t first, bool stay, uint32_t depth)
{
    LLVMValueRef by;

    if (depth == MOST_DEPTH || !vsg_jit_mapped(&s->h->own, v))
        return false;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMBitCast:
        return s->num_parts < MOST_PARTS &&
               find_comparison(s, LLVMGetOperand(v, 0), stay, first, &s->parts[s->num_parts++]);
    case LLVMZExt:
        return find_bits(s, LLVMGetOperand(v, 0), first, stay, depth + 1);
    case LLVMXor:
        /* Of as many bits as there are channels, else there are others. */
        return LLVMGetOperand(v, 1) == LLVMConstAllOnes(LLVMTypeOf(v)) &&
               LLVMIsAInstruction(LLVMGetOperand(v, 0)) &&
               LLVMGetInstructionOpcode(LLVMGetOperand(v, 0)) == LLVMBitCast &&
               find_bits(s, LLVMGetOperand(v, 0), first, !stay, depth + 1);
    case LLVMOr:
        return find_bits(s, LLVMGetOperand(v, 0), first, stay, depth + 1) &&
               find_bits(s, LLVMGetOperand(v, 1), first, stay, depth + 1);
    case LLVMShl:
        by = LLVMGetOperand(v, 1);
        return LLVMIsAConstantInt(by) &&
               LLVMConstIntGetZExtValue(by) < VSG_EXE_MAX_CHANNELS - first &&
               find_bits(s, LLVMGetOperand(v, 0),
                         first + (uint32_t)LLVMConstIntGetZExtValue(by), stay, depth + 1);
    default:
        return false;
    }
}

/* The phi that a number is, with a step, when the round ends. -1: it is none. */
static int find_number(const hoister *h, LLVMValueRef v, uint64_t *step)
{
    LLVMValueRef by;

    if (!vsg_jit_mapped(&h->own, v) || LLVMGetInstructionOpcode(v) != LLVMAdd)
        return -1;
    by = LLVMGetOperand(v, 1);
    by = LLVMIsConstant(by) ? vsg_jit_lane_of_constant(by) : NULL;
    if (!by || !LLVMIsAConstantInt(by))
        return -1;
    *step = LLVMConstIntGetZExtValue(by);
    for (uint32_t i = 0; i < h->num_phis; i++)
        if (LLVMGetOperand(v, 0) == h->phis[i] && vsg_jit_coming_back(h, h->phis[i]) == v)
            return (int)i;
    return -1;
}

static bool find_limit(const hoister *h, channels *c)
{
    enum { MOST_STEP = 1 << 16, LEAST_BITS = 32 };
    int phi = find_number(h, c->number, &c->step);

    if (phi < 0 || vsg_jit_mapped(&h->own, c->limit) || c->step == 0 || c->step > MOST_STEP ||
        LLVMGetIntTypeWidth(vsg_jit_lane_type(c->number)) < LEAST_BITS ||
        (LLVMTypeOf(c->limit) != LLVMTypeOf(c->number) &&
         vsg_jit_lane_type(c->limit) != h->e->i64))
        return false;
    c->begin = h->begin[phi];
    return true;
}

/* Are all channels of parts beside each other, with the same step? */
static bool find_limits(search *s)
{
    for (uint32_t i = 0; i < s->num_parts; i++) {
        channels *c = &s->parts[i];
        uint32_t bits;
        if (c->count > VSG_EXE_MAX_CHANNELS - c->first || !find_limit(s->h, c))
            return false;
        bits = vsg_exe_first(c->count) << c->first;
        if ((s->covered & bits) != 0 || c->step != s->parts[0].step)
            return false;
        s->covered |= bits;
    }
    return s->num_parts > 0;
}

/* ---- do they leave together? ------------------------------------------------------------- */

/* Of channels that are on: what the farthest and the nearest have to go, i64; and is there
 * nothing that wraps around? */
typedef struct distances {
    LLVMValueRef most, least, is_sure;
} distances;

static LLVMValueRef extend(hoister *h, LLVMValueRef lanes, const channels *c)
{ /* a limit is as wide, or has 64 bits */
    LLVMTypeRef type = LLVMVectorType(h->e->i64, c->count);

    lanes = LLVMBuildFreeze(h->e->b, lanes, "");
    if (LLVMTypeOf(lanes) == type)
        return lanes;
    return c->has_sign ? LLVMBuildSExt(h->e->b, lanes, type, "")
                       : LLVMBuildZExt(h->e->b, lanes, type, "");
}

/* Is there room for a last step above the limit? NULL: there always is. */
static LLVMValueRef has_room(hoister *h, const channels *c, LLVMValueRef limit)
{
    uint32_t bits = LLVMGetIntTypeWidth(vsg_jit_lane_type(c->begin));
    uint64_t most = (UINT64_MAX >> (64 - bits + c->has_sign)) - c->step + 1;

    if (c->step == 1 && LLVMTypeOf(c->limit) == LLVMTypeOf(c->begin))
        return NULL;
    return LLVMBuildICmp(h->e->b, c->is_signed ? LLVMIntSLE : LLVMIntULE, limit,
                         vsg_jit_splat(h->e, vsg_jit_i64(h->e, most), c->count), "");
}

static distances find_distances(hoister *h, const channels *c, LLVMValueRef mask)
{
    LLVMBuilderRef b = h->e->b;
    LLVMValueRef begin = extend(h, c->begin, c), limit = extend(h, c->limit, c);
    LLVMTypeRef type = LLVMTypeOf(begin);
    LLVMValueRef own = LLVMBuildLShr(b, mask, vsg_jit_i32(h->e, c->first), "");
    LLVMValueRef on = vsg_jit_lanes(h->e, own, c->count),
                 way = LLVMBuildSub(b, limit, begin, "");
    LLVMValueRef good =
        LLVMBuildICmp(b, c->is_signed ? LLVMIntSLT : LLVMIntULT, begin, limit, "");
    LLVMValueRef room = has_room(h, c, limit);

    if (room)
        good = LLVMBuildAnd(b, good, room, "");
    good = LLVMBuildOr(b, good, LLVMBuildNot(b, on, ""), "");
    return (distances){
        .most = vsg_jit_reduce(h->e, "llvm.vector.reduce.umax",
                               LLVMBuildSelect(b, on, way, LLVMConstNull(type), "")),
        .least = vsg_jit_reduce(h->e, "llvm.vector.reduce.umin",
                                LLVMBuildSelect(b, on, way, LLVMConstAllOnes(type), "")),
        .is_sure = LLVMBuildICmp(b, LLVMIntEQ, vsg_jit_bits(h->e, good, c->count),
                                 vsg_jit_i32(h->e, vsg_exe_first(c->count)), ""),
    };
}

static distances both(hoister *h, distances a, distances b)
{
    LLVMValueRef most[] = {a.most, b.most}, least[] = {a.least, b.least};

    return (distances){
        .most = vsg_jit_intrinsic(h->e, "llvm.umax", h->e->i64, most, 2),
        .least = vsg_jit_intrinsic(h->e, "llvm.umin", h->e->i64, least, 2),
        .is_sure = LLVMBuildAnd(h->e->b, a.is_sure, b.is_sure, ""),
    };
}

/* Rounds of each channel, none of those that are off, where one part has all. */
static LLVMValueRef find_rounds(hoister *h, const channels *c, LLVMValueRef mask)
{
    LLVMBuilderRef b = h->e->b;
    LLVMValueRef begin = extend(h, c->begin, c), limit = extend(h, c->limit, c);
    LLVMTypeRef type = LLVMTypeOf(begin);
    LLVMValueRef one = vsg_jit_splat(h->e, vsg_jit_i64(h->e, 1), c->count);
    LLVMValueRef step = vsg_jit_splat(h->e, vsg_jit_i64(h->e, c->step), c->count);
    LLVMValueRef rounds = LLVMBuildSub(b, LLVMBuildSub(b, limit, begin, ""), one, "");

    rounds = LLVMBuildAdd(b, LLVMBuildUDiv(b, rounds, step, ""), one, "");
    return LLVMBuildSelect(b, vsg_jit_lanes(h->e, mask, c->count), rounds, LLVMConstNull(type),
                           "");
}

/* Distances that exceed 32 bits are too far for what is made of them. */
static void decide(search *s, vsg_jit_together *out)
{
    enum { NEAR_BITS = 32 };
    hoister *h = s->h;
    LLVMBuilderRef b = h->e->b;
    LLVMValueRef none = vsg_jit_i32(h->e, 0), one = vsg_jit_i64(h->e, 1);
    LLVMValueRef others = LLVMBuildAnd(b, out->begin, vsg_jit_i32(h->e, ~s->covered), "");
    distances all = find_distances(h, &s->parts[0], out->begin);

    for (uint32_t i = 1; i < s->num_parts; i++)
        all = both(h, all, find_distances(h, &s->parts[i], out->begin));
    LLVMValueRef same = LLVMBuildICmp(b, LLVMIntEQ, all.most, all.least, "");
    LLVMValueRef near =
        LLVMBuildICmp(b, LLVMIntULT, all.most, vsg_jit_i64(h->e, UINT64_C(1) << NEAR_BITS), "");
    out->is_sure = LLVMBuildAnd(b, near, all.is_sure, "");
    out->is_sure =
        LLVMBuildAnd(b, out->is_sure, LLVMBuildICmp(b, LLVMIntEQ, others, none, ""), "");
    out->holds = LLVMBuildAnd(b, out->is_sure, same, "");
    if (s->num_parts == 1 && s->parts[0].first == 0)
        out->rounds = find_rounds(h, &s->parts[0], out->begin);
    out->more = LLVMBuildUDiv(b, LLVMBuildSub(b, all.most, one, ""),
                              vsg_jit_i64(h->e, s->parts[0].step), "");
}

/* Is a phi a mask that channels leave? bits: of those that stay, or, if there are some that
 * are leaving, of those. */
static bool is_mask(const hoister *h, LLVMValueRef phi, vsg_jit_together *out,
                    LLVMValueRef *bits)
{
    LLVMValueRef next = LLVMTypeOf(phi) == h->e->i32 ? vsg_jit_coming_back(h, phi) : NULL;

    out->mask = phi;
    out->next = next;
    *bits = beside(h, next, LLVMAnd, phi);
    if (!*bits) {
        out->leaving = beside(h, next, LLVMXor, phi);
        *bits = beside(h, out->leaving, LLVMAnd, phi);
    }
    return *bits != NULL;
}

/* Channels that leave when a round ends: of the mask those that it has no more then, which LLVM
 * has two ways to say. */
static bool are_leaving(const hoister *h, LLVMValueRef v)
{
    const vsg_jit_together *t = &h->together;
    LLVMValueRef bits = beside(h, t->next, LLVMAnd, t->mask);
    LLVMValueRef others = beside(h, v, LLVMAnd, t->mask);

    return v == t->leaving || beside(h, v, LLVMXor, t->mask) == t->next ||
           (others && bits &&
            beside(h, others, LLVMXor, bits) == LLVMConstAllOnes(LLVMTypeOf(bits)));
}

bool vsg_jit_is_same_together(const vsg_jit_hoister *h, LLVMValueRef phi, LLVMValueRef back)
{
    LLVMValueRef more = beside(h, back, LLVMOr, phi);

    return h->together.mask && (phi == h->together.mask || (more && are_leaving(h, more)));
}

static bool compares_with_zero(LLVMValueRef v, LLVMIntPredicate predicate)
{
    return LLVMIsAICmpInst(v) && LLVMGetICmpPredicate(v) == predicate &&
           LLVMIsNull(LLVMGetOperand(v, 1));
}

/* No channel stays. */
static bool is_over(const hoister *h, LLVMValueRef v)
{
    const vsg_jit_together *t = &h->together;

    return (compares_with_zero(v, LLVMIntEQ) && LLVMGetOperand(v, 0) == t->next) ||
           (t->leaving && LLVMIsAICmpInst(v) && LLVMGetICmpPredicate(v) == LLVMIntEQ &&
            beside(h, v, LLVMICmp, t->mask) == t->leaving);
}

/* Some leave: as they do where none stays. */
static bool is_any_leaving(const hoister *h, LLVMValueRef v)
{
    return compares_with_zero(v, LLVMIntNE) && are_leaving(h, LLVMGetOperand(v, 0));
}

bool vsg_jit_ends_together(const vsg_jit_hoister *h, LLVMValueRef condition, bool goes_on)
{
    LLVMValueRef a, b;

    if (!h->together.mask)
        return false;
    if (goes_on)
        return compares_with_zero(condition, LLVMIntNE) &&
               LLVMGetOperand(condition, 0) == h->together.next;
    if (!vsg_jit_mapped(&h->own, condition) || LLVMGetInstructionOpcode(condition) != LLVMAnd)
        return is_over(h, condition);
    a = LLVMGetOperand(condition, 0);
    b = LLVMGetOperand(condition, 1);
    return (is_over(h, a) && is_any_leaving(h, b)) || (is_over(h, b) && is_any_leaving(h, a));
}

/* Does the loop end, in each round, when the mask has no channel any more? Other numbers that
 * lose their bits like that are no mask. */
static bool is_of_the_loop(const hoister *h)
{
    for (uint32_t i = 0; i < h->region->num_blocks; i++) {
        LLVMBasicBlockRef block = h->region->blocks[i];
        LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
        if (!LLVMIsABranchInst(last) || !LLVMIsConditional(last))
            continue;
        bool stays[2];
        for (unsigned s = 0; s < 2; s++)
            stays[s] =
                vsg_jit_is_mapped(&h->own, LLVMBasicBlockAsValue(LLVMGetSuccessor(last, s)));
        if (stays[0] != stays[1] &&
            vsg_jit_ends_together(h, LLVMGetCondition(last), stays[0]) &&
            vsg_jit_is_in_each_round(h, block))
            return true;
    }
    return false;
}

void vsg_jit_find_together(vsg_jit_hoister *h)
{
    LLVMValueRef bits;

    for (uint32_t i = 0; i < h->num_phis; i++) {
        search s = {.h = h};
        h->together = (vsg_jit_together){.begin = h->begin[i]};
        if (is_mask(h, h->phis[i], &h->together, &bits) && is_of_the_loop(h) &&
            find_bits(&s, bits, 0, !h->together.leaving, 0) && find_limits(&s)) {
            decide(&s, &h->together);
            return;
        }
    }
    h->together = (vsg_jit_together){.mask = NULL};
}
