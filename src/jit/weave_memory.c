/* SPDX-License-Identifier: MIT
 *
 * Where a block loads and stores, for stores that are put off to its end. */
#include <stdlib.h>
#include <string.h>

#include "jit/memories.h"
#include "jit/weave_plan.h"

typedef vsg_jit_strand strand;
typedef vsg_jit_knot knot;
typedef vsg_jit_weaver weaver;
typedef vsg_jit_move move;
typedef vsg_jit_stitch stitch;

/* ---- loads and stores -------------------------------------------------------------------- */

bool vsg_jit_is_anchor(const vsg_jit_anchor *a, const vsg_jit_anchor *b)
{
    return a->value == b->value && a->table == b->table;
}

/* Does a sum begin with where a surface begins? Goes on with the rest then. */
static bool take_table(const weaver *w, LLVMValueRef sum, move *m)
{
    for (unsigned i = 0; i < 2 && !m->anchor.table; i++)
        if (vsg_jit_is_invariant(w->e, LLVMGetOperand(sum, i))) {
            m->anchor.table = LLVMGetOperand(LLVMGetOperand(sum, i), 0);
            m->anchor.value = LLVMGetOperand(sum, 1 - i);
            return true;
        }
    return false;
}

/* The same where there is no rest. */
static void take_whole_table(const weaver *w, move *m)
{
    LLVMValueRef v = m->anchor.value;

    if (!m->anchor.table && vsg_jit_is_invariant(w->e, v)) {
        m->anchor.table = LLVMGetOperand(v, 0);
        m->anchor.value = NULL;
    }
}

static bool is_addition(LLVMValueRef v)
{
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;

    return op == LLVMAdd || (op == LLVMOr && LLVMGetIsDisjoint(v));
}

/* Of a place what is constant. */
static void take_apart(const weaver *w, LLVMValueRef place, move *m)
{
    for (m->anchor.value = place;;) {
        LLVMValueRef v = m->anchor.value;
        bool is_add = is_addition(v);
        bool is_sum = is_add || (LLVMIsAGetElementPtrInst(v) && LLVMGetNumOperands(v) == 2 &&
                                 LLVMGetGEPSourceElementType(v) == w->e->i8);
        if (is_sum && LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
            m->at += LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1));
        else if (is_add && take_table(w, v, m))
            continue;
        else if (!LLVMIsAIntToPtrInst(v))
            break;
        m->anchor.value = LLVMGetOperand(v, 0);
    }
    take_whole_table(w, m);
}

/* False: an instruction does something to memory that is none of these. */
static bool find_move(LLVMValueRef v, move *m, LLVMValueRef *place)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);

    *place = NULL;
    *m = (move){.inst = v};
    if (op == LLVMLoad) {
        *place = LLVMGetOperand(v, 0);
        return vsg_jit_is_plain_access(v);
    }
    if (op == LLVMStore) {
        m->value = LLVMGetOperand(v, 0);
        *place = LLVMGetOperand(v, 1);
        return vsg_jit_is_plain_access(v);
    }
    if (op != LLVMCall)
        return op != LLVMFence && op != LLVMAtomicRMW && op != LLVMAtomicCmpXchg;
    if (vsg_jit_is_intrinsic(v, "llvm.masked.load")) {
        *place = LLVMGetOperand(v, 0);
        m->mask = LLVMGetOperand(v, 2);
        return true;
    }
    if (vsg_jit_is_intrinsic(v, "llvm.masked.store")) {
        m->value = LLVMGetOperand(v, 0);
        *place = LLVMGetOperand(v, 1);
        m->mask = LLVMGetOperand(v, 3);
        return true;
    }
    return vsg_jit_is_pure(v);
}

static int compare_moves(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const move *)a)->inst, y = (uintptr_t)((const move *)b)->inst;

    return x < y ? -1 : x > y;
}

/* Is an element accessed? -1: only code can tell. */
static int is_on(const move *m, uint32_t lane)
{
    return m->mask ? vsg_jit_is_lane_on(m->mask, lane) : 1;
}

static bool measure(move *m)
{
    LLVMValueRef v = m->value ? m->value : m->inst;
    LLVMTypeRef lane = vsg_jit_lane_type(v);

    m->count = vsg_jit_is_vector(v) ? LLVMGetVectorSize(LLVMTypeOf(v)) : 1;
    m->bytes = vsg_jit_is_lane(lane) ? vsg_jit_lane_bits(lane) / 8 : 0;
    m->from = INT64_MAX;
    m->end = INT64_MIN;
    for (uint32_t i = 0; i < m->count; i++) {
        int64_t at = m->at + (int64_t)i * m->bytes;
        if (is_on(m, i) == 0)
            continue;
        m->from = m->from < at ? m->from : at;
        m->end = at + m->bytes;
    }
    return m->bytes > 0 && 8 * m->bytes == vsg_jit_lane_bits(lane) && m->from < m->end;
}

/* Is it in memory that addresses lead to? -1: nobody knows. */
static int is_addressed(const weaver *w, LLVMValueRef v)
{
    uint32_t name = vsg_jit_memory_of(w->e, v);

    return name == VSG_JIT_NO_MEMORY ? -1 : name == VSG_JIT_MOST_MEMORIES;
}

static bool is_before(const weaver *w, LLVMValueRef v)
{
    return !v || !LLVMIsAInstruction(v) || LLVMGetInstructionParent(v) != w->block;
}

/* False: there are too many, or it is of the block. */
static bool note_anchor(weaver *w, const vsg_jit_anchor *anchor)
{
    uint32_t n = 0;

    while (n < w->num_anchors && !vsg_jit_is_anchor(&w->anchors[n], anchor))
        n++;
    if (n == VSG_JIT_MOST_ANCHORS || !is_before(w, anchor->value) ||
        !is_before(w, anchor->table))
        return false;
    w->anchors[n] = *anchor;
    w->there[n] = NULL;
    w->num_anchors += n == w->num_anchors;
    return true;
}

bool vsg_jit_find_moves(weaver *w, LLVMBasicBlockRef block)
{
    uint32_t order = 0;

    w->block = block;
    w->num_moves = w->num_anchors = 0;
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v)) {
        LLVMValueRef place;
        move m;
        order++;
        if (!find_move(v, &m, &place))
            return false;
        if (!place)
            continue;
        int is = is_addressed(w, v);
        if (is == 0 || vsg_jit_is_invariant(w->e, v))
            continue;
        take_apart(w, place, &m);
        m.order = order;
        if (is < 0 || !measure(&m) || w->num_moves == VSG_JIT_MOST_MOVES ||
            !note_anchor(w, &m.anchor))
            return false;
        w->moves[w->num_moves++] = m;
    }
    qsort(w->moves, w->num_moves, sizeof *w->moves, compare_moves);
    return true;
}

const vsg_jit_move *vsg_jit_move_of(const weaver *w, LLVMValueRef inst)
{
    const move wanted = {.inst = inst};

    return bsearch(&wanted, w->moves, w->num_moves, sizeof wanted, compare_moves);
}

/* ---- what is stored ---------------------------------------------------------------------- */

/* A vector as one of lanes of w->bytes each, made at the end of the block. */
static LLVMValueRef in_units(const weaver *w, LLVMValueRef v)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(w->block),
                 made = LLVMGetPreviousInstruction(end);
    uint32_t count = vsg_jit_is_vector(v) ? LLVMGetVectorSize(LLVMTypeOf(v)) : 1;

    for (; made && LLVMGetInstructionOpcode(made) == LLVMBitCast;
         made = LLVMGetPreviousInstruction(made))
        if (LLVMGetOperand(made, 0) == v && vsg_jit_bits_of_lane(made) == 8 * w->bytes)
            return made;
    LLVMPositionBuilderBefore(w->e->b, end);
    count *= vsg_jit_bits_of_lane(v) / (8 * w->bytes);
    return LLVMBuildBitCast(w->e->b, v,
                            LLVMVectorType(vsg_jit_int(w->e, 8 * w->bytes, 1), count), "");
}

void vsg_jit_drop_units(const weaver *w)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(w->block), before;

    for (LLVMValueRef v = LLVMGetPreviousInstruction(end);
         v && LLVMGetInstructionOpcode(v) == LLVMBitCast; v = before) {
        before = LLVMGetPreviousInstruction(v);
        if (!LLVMGetFirstUse(v))
            LLVMInstructionEraseFromParent(v);
    }
}

/* Element `i` of what is stored, as the first of its units. False: what makes it is not known.
 */
static bool find_unit(weaver *w, const move *m, uint32_t i, strand *out)
{
    *out = (strand){m->value, i};
    if (m->bytes == w->bytes)
        return true;
    if (!vsg_jit_trace_strand(w, out))
        return false;
    if (!out->value)
        *out = (strand){m->value, i};
    *out = (strand){in_units(w, out->value), out->lane * (m->bytes / w->bytes)};
    return true;
}

static bool add_stitches(weaver *w, const move *m)
{
    uint32_t num_units = m->bytes / w->bytes;

    for (uint32_t i = 0; i < m->count; i++) {
        int on = is_on(m, i);
        strand first;
        if (on < 0 || w->num_stitches + num_units > VSG_JIT_MOST_STITCHES ||
            (on && !find_unit(w, m, i, &first)))
            return false;
        for (uint32_t n = 0; n < num_units && on; n++)
            w->stitches[w->num_stitches++] =
                (stitch){.at = m->at + (int64_t)(i * num_units + n) * w->bytes,
                         .strand = {first.value, first.lane + n},
                         .order = m->order};
    }
    return true;
}

static int compare_stitches(const void *a, const void *b)
{
    int64_t x = ((const stitch *)a)->at, y = ((const stitch *)b)->at;

    return x < y ? -1 : x > y;
}

/* Does no unit lie on another? */
static bool are_apart(const weaver *w)
{
    for (uint32_t i = 1; i < w->num_stitches; i++)
        if (w->stitches[i].at - w->stitches[i - 1].at < w->bytes)
            return false;
    return w->num_stitches > 0;
}

/* Is it loaded again behind a store, as it was stored? Then the store must be before. */
static bool is_loaded_again(const weaver *w)
{
    for (uint32_t i = 0; i < w->num_moves; i++) {
        const move *m = &w->moves[i];
        for (uint32_t n = 0;
             !m->value && vsg_jit_is_anchor(&m->anchor, &w->anchor) && n < w->num_stitches;
             n++) {
            const stitch *s = &w->stitches[n];
            if (s->order < m->order && s->at + w->bytes > m->from && s->at < m->end)
                return true;
        }
    }
    return false;
}

/* Vectors of what lies together, of a power of two of elements each. */
static void cut_pieces(weaver *w)
{
    enum { VECTOR_BYTES = VSG_JIT_VECTOR_BITS / 8 };
    uint32_t n = 0;

    for (w->num_pieces = 0; n < w->num_stitches; w->num_pieces++) {
        uint32_t together = 1, count = 1;
        while (n + together < w->num_stitches && together < VECTOR_BYTES / w->bytes &&
               w->stitches[n + together].at == w->stitches[n].at + (int64_t)together * w->bytes)
            together++;
        while (2 * count <= together)
            count *= 2;
        for (; count > 0; count--)
            w->stitches[n++].piece = w->num_pieces;
    }
}

static bool is_to_anchor(const weaver *w, const move *m)
{
    return m->value && vsg_jit_is_anchor(&m->anchor, &w->anchor);
}

/* Fills w->bytes: of the smallest elements that are stored. How many stores there are. */
static uint32_t find_unit_bytes(weaver *w)
{
    uint32_t num_stores = 0;

    w->bytes = 0;
    for (uint32_t i = 0; i < w->num_moves; i++) {
        const move *m = &w->moves[i];
        if (!is_to_anchor(w, m))
            continue;
        w->bytes = num_stores > 0 && w->bytes < m->bytes ? w->bytes : m->bytes;
        num_stores++;
    }
    return num_stores;
}

static bool find_stitches(weaver *w)
{
    w->num_stitches = 0;
    for (uint32_t i = 0; i < w->num_moves; i++)
        if (is_to_anchor(w, &w->moves[i]) && !add_stitches(w, &w->moves[i]))
            return false;
    qsort(w->stitches, w->num_stitches, sizeof *w->stitches, compare_stitches);
    if (!are_apart(w) || is_loaded_again(w))
        return false;
    cut_pieces(w);
    return 2 * w->num_pieces <= w->num_stitches;
}

bool vsg_jit_find_stitches(weaver *w, vsg_jit_anchor anchor)
{
    w->anchor = anchor;
    return find_unit_bytes(w) > 1 && find_stitches(w);
}

/* ---- what is loaded ---------------------------------------------------------------------- */

/* Elements of the block's loads, in the order of memory. */
typedef struct run {
    vsg_jit_anchor anchor;
    int64_t from, end;
    uint32_t first; /* of the loads' orders */
} run;

static bool find_run(const weaver *w, const knot *k, run *out)
{
    uint32_t bytes = k->bits / 8;

    *out = (run){.first = UINT32_MAX};
    for (uint32_t i = 0; i < k->count; i++) {
        LLVMValueRef v = k->strands[i].value;
        const move *m = v ? vsg_jit_move_of(w, v) : NULL;
        if (!m || m->value || m->mask || 8 * m->bytes != k->bits)
            return false;
        int64_t at = m->at + (int64_t)k->strands[i].lane * bytes;
        if (i == 0)
            *out = (run){m->anchor, at, at, m->order};
        if (!vsg_jit_is_anchor(&m->anchor, &out->anchor) || at != out->end)
            return false;
        out->end += bytes;
        out->first = m->order < out->first ? m->order : out->first;
    }
    return true;
}

/* Does a store that stays change it? */
static bool is_changed(const weaver *w, const run *r)
{
    for (uint32_t i = 0; i < w->num_moves; i++) {
        const move *m = &w->moves[i];
        if (m->value && vsg_jit_is_anchor(&m->anchor, &r->anchor) && m->order > r->first &&
            m->from < r->end && m->end > r->from)
            return true;
    }
    return false;
}

/* Does one that is put off, but comes before the piece in hand? All of them came behind the
 * loads (is_loaded_again()). */
static bool is_changed_before(const weaver *w, const run *r)
{
    for (uint32_t i = 0; i < w->num_stitches; i++) {
        const stitch *s = &w->stitches[i];
        if (s->at < r->end && s->at + w->bytes > r->from && s->piece < w->piece)
            return true;
    }
    return false;
}

bool vsg_jit_lie_in_memory(const weaver *w, const knot *k)
{
    run r;

    if (!find_run(w, k, &r))
        return false;
    return vsg_jit_is_anchor(&r.anchor, &w->anchor) ? !is_changed_before(w, &r)
                                                    : !is_changed(w, &r);
}

/* ---- places ------------------------------------------------------------------------------ */

/* As an i64. */
static LLVMValueRef number_of(const weaver *w, const vsg_jit_anchor *anchor)
{
    LLVMValueRef number = anchor->value, base = NULL;

    if (number && LLVMGetTypeKind(LLVMTypeOf(number)) != LLVMIntegerTypeKind)
        number = LLVMBuildPtrToInt(w->e->b, number, w->e->i64, "");
    if (anchor->table)
        base = vsg_jit_invariant(w->e, vsg_jit_load(w->e, w->e->i64, anchor->table, 8));
    return base && number ? LLVMBuildAdd(w->e->b, number, base, "") : base ? base : number;
}

LLVMValueRef vsg_jit_place_at(weaver *w, vsg_jit_anchor anchor, int64_t at)
{
    uint32_t n = 0;

    while (!vsg_jit_is_anchor(&w->anchors[n], &anchor))
        n++;
    if (!w->there[n])
        w->there[n] = number_of(w, &anchor);
    LLVMValueRef place =
        LLVMBuildAdd(w->e->b, w->there[n], vsg_jit_i64(w->e, (uint64_t)at), "");
    return LLVMBuildIntToPtr(w->e->b, place, w->e->pointer, "");
}

/* Where what the block loads or stores from an anchor on begins and ends. (i64) */
typedef struct span {
    LLVMValueRef from, end;
} span;

static span span_of(const weaver *w, const vsg_jit_anchor *anchor)
{
    LLVMValueRef number = number_of(w, anchor);
    int64_t from = INT64_MAX, end = INT64_MIN;

    for (uint32_t i = 0; i < w->num_moves; i++) {
        const move *m = &w->moves[i];
        if (!vsg_jit_is_anchor(&m->anchor, anchor))
            continue;
        from = m->from < from ? m->from : from;
        end = m->end > end ? m->end : end;
    }
    return (span){LLVMBuildAdd(w->e->b, number, vsg_jit_i64(w->e, (uint64_t)from), ""),
                  LLVMBuildAdd(w->e->b, number, vsg_jit_i64(w->e, (uint64_t)end), "")};
}

static bool is_stored_from(const weaver *w, const vsg_jit_anchor *anchor)
{
    for (uint32_t i = 0; i < w->num_moves; i++)
        if (w->moves[i].value && vsg_jit_is_anchor(&w->moves[i].anchor, anchor))
            return true;
    return false;
}

/* Is anything loaded from there at the end of the block? */
static bool is_loaded_late(const weaver *w, const vsg_jit_anchor *anchor)
{
    for (uint32_t i = 0; i < w->num_knots; i++) {
        const knot *k = &w->knots[i];
        if (k->is_used && k->kind == VSG_JIT_KNOT_LOADED &&
            vsg_jit_is_anchor(&vsg_jit_move_of(w, k->strands[0].value)->anchor, anchor))
            return true;
    }
    return false;
}

/* What is stored comes behind all else; what is loaded behind what else is stored. */
static bool must_be_apart(const weaver *w, const vsg_jit_anchor *a, const vsg_jit_anchor *b)
{
    return vsg_jit_is_anchor(a, &w->anchor) || vsg_jit_is_anchor(b, &w->anchor) ||
           (is_loaded_late(w, a) && is_stored_from(w, b)) ||
           (is_loaded_late(w, b) && is_stored_from(w, a));
}

LLVMValueRef vsg_jit_can_move(weaver *w)
{
    LLVMBuilderRef b = w->e->b;
    LLVMValueRef all = LLVMConstInt(w->e->i1, 1, false);

    for (uint32_t i = 0; i < w->num_anchors; i++)
        for (uint32_t n = 0; n < i; n++) {
            if (!must_be_apart(w, &w->anchors[i], &w->anchors[n]))
                continue;
            span one = span_of(w, &w->anchors[i]), other = span_of(w, &w->anchors[n]);
            LLVMValueRef is_before = LLVMBuildICmp(b, LLVMIntULE, other.end, one.from, "");
            LLVMValueRef is_behind = LLVMBuildICmp(b, LLVMIntULE, one.end, other.from, "");
            all = LLVMBuildAnd(b, all, LLVMBuildOr(b, is_before, is_behind, ""), "");
        }
    return all;
}
