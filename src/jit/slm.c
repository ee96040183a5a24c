/* SPDX-License-Identifier: MIT */
#include "jit/slm.h"

#include <string.h>

#include "jit/group.h"
#include "jit/marks.h"
#include "jit/memories.h"

static const char end_mark[] = "vsg.end_of_group";

/* Stores that a load may have lanes of: beyond that memory does it better. */
enum { MOST_SOURCES = 4, CELL_BYTES = 4, MOST_LANES = VSG_EXE_MAX_CHANNELS * 4 };

/* 4 bytes of the memory. */
typedef struct cell {
    bool is_known;
    LLVMValueRef vector; /* whose lane it is; NULL: 0, and of a load: it may be anything */
    uint32_t lane;
} cell;

typedef struct holder {
    vsg_jit_emitter *e;
    uint32_t name;
    LLVMValueRef base; /* NULL: not seen yet */
    cell *cells;
    uint32_t num_cells;
    bool is_trial; /* nothing is made yet: lanes are those of the stored values themselves */
    bool stores;   /* is anything stored? */
} holder;

/* An access of the memory; `lanes` of 32 bits. */
typedef enum access_kind { ACCESS_LOAD, ACCESS_STORE, ACCESS_CLEAR } access_kind;

typedef struct access {
    access_kind kind;
    LLVMValueRef value; /* stored, or loaded where a lane is off; NULL: none */
    LLVMValueRef mask;  /* NULL: all on */
    LLVMTypeRef type;
    int64_t first;         /* cell: of lanes that are off there may be none */
    uint32_t lanes, width; /* cells; cells of an element */
} access;

/* ---- what an instruction does ------------------------------------------------------------ */

/* A number of bytes behind the beginning of the memory. False: who knows. */
static bool find_cell(holder *h, LLVMValueRef place, int64_t *first)
{
    uint64_t offset = 0;

    while (LLVMIsAGetElementPtrInst(place)) {
        LLVMValueRef by = LLVMGetOperand(place, 1);
        if (LLVMGetNumOperands(place) != 2 || !LLVMIsAConstantInt(by) ||
            LLVMGetGEPSourceElementType(place) != h->e->i8)
            return false;
        offset += LLVMConstIntGetZExtValue(by);
        place = LLVMGetOperand(place, 0);
    }
    if (!h->base)
        h->base = place;
    *first = (int64_t)offset / CELL_BYTES;
    return h->base == place && offset % CELL_BYTES == 0;
}

static uint32_t bits_of_element(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type);
    case LLVMFloatTypeKind:
        return 32;
    case LLVMDoubleTypeKind:
        return 64;
    default:
        return 0;
    }
}

static bool set_shape(holder *h, access *a, LLVMValueRef place)
{
    bool is_vector = LLVMGetTypeKind(a->type) == LLVMVectorTypeKind;
    uint32_t count = is_vector ? LLVMGetVectorSize(a->type) : 1;
    uint32_t bits = bits_of_element(is_vector ? LLVMGetElementType(a->type) : a->type);

    a->width = bits / 32;
    a->lanes = count * a->width;
    return (bits == 32 || bits == 64) && a->lanes <= MOST_LANES &&
           find_cell(h, place, &a->first);
}

static bool describe_clear(holder *h, LLVMValueRef v, access *a)
{
    LLVMValueRef size = LLVMGetOperand(v, 2);

    if (!LLVMIsNull(LLVMGetOperand(v, 1)) || !LLVMIsAConstantInt(size) ||
        LLVMConstIntGetZExtValue(size) % CELL_BYTES != 0 ||
        LLVMConstIntGetZExtValue(size) / CELL_BYTES > h->num_cells)
        return false;
    a->kind = ACCESS_CLEAR;
    a->lanes = (uint32_t)LLVMConstIntGetZExtValue(size) / CELL_BYTES;
    return find_cell(h, LLVMGetOperand(v, 0), &a->first);
}

/* An access of the memory. False: not one that can be followed. */
static bool describe(holder *h, LLVMValueRef v, access *a)
{
    LLVMValueRef place;

    *a = (access){.kind = ACCESS_LOAD};
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMLoad:
        a->type = LLVMTypeOf(v);
        return vsg_jit_is_plain_access(v) && set_shape(h, a, LLVMGetOperand(v, 0));
    case LLVMStore:
        a->kind = ACCESS_STORE;
        a->value = LLVMGetOperand(v, 0);
        a->type = LLVMTypeOf(a->value);
        return vsg_jit_is_plain_access(v) && set_shape(h, a, LLVMGetOperand(v, 1));
    case LLVMCall:
        if (vsg_jit_is_intrinsic(v, "llvm.memset"))
            return describe_clear(h, v, a);
        if (vsg_jit_is_intrinsic(v, "llvm.masked.load")) {
            place = LLVMGetOperand(v, 0);
            a->mask = LLVMGetOperand(v, 2);
            a->value = LLVMGetOperand(v, 3);
        } else if (vsg_jit_is_intrinsic(v, "llvm.masked.store")) {
            a->kind = ACCESS_STORE;
            a->value = LLVMGetOperand(v, 0);
            place = LLVMGetOperand(v, 1);
            a->mask = LLVMGetOperand(v, 3);
        } else {
            return false;
        }
        a->type = LLVMTypeOf(a->value);
        return LLVMIsConstant(a->mask) && set_shape(h, a, place);
    default:
        return false;
    }
}

/* Is a lane on? False in *is_good: that is not said by numbers. */
static bool is_on(const access *a, uint32_t lane, bool *is_good)
{
    if (!a->mask)
        return true;
    LLVMValueRef bit = LLVMGetAggregateElement(a->mask, lane / a->width);
    *is_good = *is_good && bit && LLVMIsAConstantInt(bit);
    return *is_good && LLVMConstIntGetZExtValue(bit) != 0;
}

/* What an instruction has to do with the memory. */
typedef enum relation { RELATION_NONE, RELATION_ACCESS, RELATION_UNKNOWN } relation;

static relation relation_of(const holder *h, LLVMValueRef v)
{
    uint32_t name;

    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMCall:
        if (vsg_jit_is_pure(v))
            return RELATION_NONE;
        /* fall through */
    case LLVMLoad:
    case LLVMStore:
        if (vsg_jit_is_invariant(h->e, v))
            return RELATION_NONE;
        name = vsg_jit_memory_of(h->e, v);
        if (name == h->name)
            return RELATION_ACCESS;
        return name == VSG_JIT_NO_MEMORY ? RELATION_UNKNOWN : RELATION_NONE;
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
    case LLVMInvoke:
    case LLVMCallBr:
        return RELATION_UNKNOWN;
    default:
        return RELATION_NONE;
    }
}

/* ---- values ------------------------------------------------------------------------------ */

static LLVMTypeRef cells_type(const vsg_jit_emitter *e, uint32_t count)
{
    return LLVMVectorType(e->i32, count);
}

/* Chosen lanes of one vector or two, or of none: NO_LANE. */
enum { NO_LANE = UINT32_MAX };

static LLVMValueRef choose(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b,
                           const uint32_t *lanes, uint32_t count)
{
    LLVMValueRef places[MOST_LANES];

    for (uint32_t i = 0; i < count; i++)
        places[i] = lanes[i] == NO_LANE ? LLVMGetPoison(e->i32) : vsg_jit_i32(e, lanes[i]);
    return LLVMBuildShuffleVector(e->b, a, b, LLVMConstVector(places, count), "");
}

/* The lanes of a load that come from one vector, at their places; *from: which these are. */
static LLVMValueRef place_lanes(vsg_jit_emitter *e, const cell *wanted, uint32_t count,
                                LLVMValueRef vector)
{
    uint32_t lanes[MOST_LANES];
    bool is_same = LLVMGetVectorSize(LLVMTypeOf(vector)) == count;

    for (uint32_t i = 0; i < count; i++) {
        lanes[i] = wanted[i].vector == vector ? wanted[i].lane : NO_LANE;
        is_same = is_same && (lanes[i] == NO_LANE || lanes[i] == i);
    }
    if (is_same)
        return vector;
    return choose(e, vector, LLVMGetPoison(LLVMTypeOf(vector)), lanes, count);
}

/* The same of two vectors of one length. */
static LLVMValueRef place_two(vsg_jit_emitter *e, const cell *wanted, uint32_t count,
                              LLVMValueRef a, LLVMValueRef b)
{
    uint32_t lanes[MOST_LANES], length = LLVMGetVectorSize(LLVMTypeOf(a));

    for (uint32_t i = 0; i < count; i++)
        lanes[i] = wanted[i].vector == a   ? wanted[i].lane
                   : wanted[i].vector == b ? length + wanted[i].lane
                                           : NO_LANE;
    return choose(e, a, b, lanes, count);
}

/* Those of another vector put between. */
static LLVMValueRef blend(vsg_jit_emitter *e, LLVMValueRef all, const cell *wanted,
                          uint32_t count, LLVMValueRef vector)
{
    LLVMValueRef placed = place_lanes(e, wanted, count, vector);
    uint32_t lanes[MOST_LANES];

    for (uint32_t i = 0; i < count; i++)
        lanes[i] = wanted[i].vector == vector ? count + i : i;
    return choose(e, all, placed, lanes, count);
}

/* The vectors that lanes come from. 0: too many, or none. */
static uint32_t find_sources(const cell *wanted, uint32_t count, LLVMValueRef *sources)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = 0;
        if (!wanted[i].vector)
            continue;
        while (n < found && sources[n] != wanted[i].vector)
            n++;
        if (n == MOST_SOURCES)
            return 0;
        sources[n] = wanted[i].vector;
        found += n == found;
    }
    return found;
}

/* An i32, or a vector of more. */
static LLVMValueRef gather(vsg_jit_emitter *e, const cell *wanted, uint32_t count)
{
    LLVMValueRef sources[MOST_SOURCES], all;
    uint32_t found = find_sources(wanted, count, sources), done = 1;

    if (count == 1)
        return LLVMBuildExtractElement(e->b, wanted->vector, vsg_jit_i32(e, wanted->lane), "");
    if (found > 1 && LLVMTypeOf(sources[0]) == LLVMTypeOf(sources[1])) {
        all = place_two(e, wanted, count, sources[0], sources[1]);
        done = 2;
    } else {
        all = place_lanes(e, wanted, count, sources[0]);
    }
    for (; done < found; done++)
        all = blend(e, all, wanted, count, sources[done]);
    return all;
}

/* A value as cells. */
static LLVMValueRef as_cells(holder *h, LLVMValueRef value, uint32_t count)
{
    LLVMTypeRef type = cells_type(h->e, count);

    if (h->is_trial || LLVMTypeOf(value) == type)
        return value;
    return LLVMBuildBitCast(h->e->b, value, type, "");
}

/* ---- loads and stores -------------------------------------------------------------------- */

/* Where the memory has a lane; NULL: it does not. */
static cell *cell_of(const holder *h, const access *a, uint32_t lane)
{
    int64_t at = a->first + lane;

    return at >= 0 && at < h->num_cells ? &h->cells[at] : NULL;
}

/* What a load has; false: that is not known. */
static bool find_wanted(holder *h, const access *a, cell *wanted)
{
    LLVMValueRef zero = LLVMConstNull(cells_type(h->e, a->lanes)), other = NULL;
    bool is_good = true;

    if (a->value && !LLVMIsPoison(a->value))
        other = as_cells(h, a->value, a->lanes);
    for (uint32_t i = 0; i < a->lanes; i++) {
        const cell *own = cell_of(h, a, i);
        if (!is_on(a, i, &is_good))
            wanted[i] = (cell){true, other, i};
        else if (!own || !own->is_known)
            return false;
        else
            wanted[i] = own->vector ? *own : (cell){true, zero, i};
    }
    return is_good;
}

static bool follow_load(holder *h, LLVMValueRef v, const access *a)
{
    cell wanted[MOST_LANES];
    LLVMValueRef sources[MOST_SOURCES];

    if (!find_wanted(h, a, wanted) || find_sources(wanted, a->lanes, sources) == 0)
        return false;
    if (!h->is_trial) {
        LLVMValueRef all = gather(h->e, wanted, a->lanes);
        vsg_jit_replace(
            v, LLVMTypeOf(all) == a->type ? all : LLVMBuildBitCast(h->e->b, all, a->type, ""));
    }
    return true;
}

static bool follow_store(holder *h, const access *a)
{
    LLVMValueRef vector = as_cells(h, a->value, a->lanes);
    bool is_good = true;

    for (uint32_t i = 0; i < a->lanes; i++) {
        cell *own = cell_of(h, a, i);
        if (!is_on(a, i, &is_good))
            continue;
        if (!own)
            return false;
        *own = (cell){true, vector, i};
    }
    h->stores = true;
    return is_good;
}

static bool follow_clear(holder *h, const access *a)
{
    for (uint32_t i = 0; i < a->lanes; i++) {
        cell *own = cell_of(h, a, i);
        if (!own)
            return false;
        *own = (cell){.is_known = true};
    }
    return true;
}

static bool follow(holder *h, LLVMValueRef v)
{
    access a;

    switch (relation_of(h, v)) {
    case RELATION_NONE:
        return true;
    case RELATION_UNKNOWN:
        return false;
    case RELATION_ACCESS:
        break;
    }
    if (!describe(h, v, &a))
        return false;
    if (!h->is_trial)
        LLVMPositionBuilderBefore(h->e->b, v);
    return a.kind == ACCESS_LOAD    ? follow_load(h, v, &a)
           : a.kind == ACCESS_STORE ? follow_store(h, &a)
                                    : follow_clear(h, &a);
}

/* True: all accesses of the block can be followed, or have been. What a trial could follow may
 * end half-way when it is done, as vectors made for it are no more the same: what was put into
 * the place of loads by then is right, and stores stay. */
static bool follow_all(holder *h, LLVMBasicBlockRef block, bool is_trial)
{
    LLVMValueRef next;

    memset(h->cells, 0, h->num_cells * sizeof *h->cells);
    h->is_trial = is_trial;
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = next) {
        next = LLVMGetNextInstruction(v);
        if (!follow(h, v))
            return false;
    }
    return true;
}

/* Nobody loads any more what is stored. */
static void drop_stores(const holder *h, LLVMBasicBlockRef block)
{
    LLVMValueRef next;

    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = next) {
        next = LLVMGetNextInstruction(v);
        if (relation_of(h, v) == RELATION_ACCESS)
            LLVMInstructionEraseFromParent(v);
    }
}

/* ---- the loop over groups ---------------------------------------------------------------- */

static LLVMValueRef mark_of(const vsg_jit_emitter *e, LLVMValueRef v)
{
    return LLVMGetMetadata(v,
                           LLVMGetMDKindIDInContext(e->context, end_mark, sizeof end_mark - 1));
}

/* Does a block lead to another one, at once or by one that has nothing to do with memory? */
static bool leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    if (from == to)
        return true;
    for (LLVMValueRef v = LLVMGetFirstInstruction(from); v; v = LLVMGetNextInstruction(v))
        if (LLVMGetInstructionOpcode(v) == LLVMLoad ||
            LLVMGetInstructionOpcode(v) == LLVMStore || LLVMGetInstructionOpcode(v) == LLVMCall)
            return false;
    LLVMValueRef last = LLVMGetBasicBlockTerminator(from);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++)
        if (LLVMGetSuccessor(last, s) == to)
            return true;
    return false;
}

/* Is a block all that is done of a group? */
static bool is_whole(const vsg_jit_emitter *e, LLVMBasicBlockRef block)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    bool is_round = false;

    if (!mark_of(e, last))
        return false;
    for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++)
        is_round = is_round || leads_to(LLVMGetSuccessor(last, s), block);
    return is_round;
}

void vsg_jit_mark_end_of_group(vsg_jit_emitter *e, LLVMValueRef branch)
{
    LLVMMetadataRef none = LLVMMDNodeInContext2(e->context, NULL, 0);

    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(e->context, end_mark, sizeof end_mark - 1),
                    LLVMMetadataAsValue(e->context, none));
}

void vsg_jit_hold_slm(vsg_jit_emitter *e, uint32_t slm)
{
    holder h = {.e = e, .name = slm, .num_cells = e->request->slm_bytes / CELL_BYTES};

    h.cells = vsg_base_arena_new(&e->arena, (size_t)h.num_cells + 1, sizeof *h.cells);
    if (!h.cells)
        return;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(e->function); b;
         b = LLVMGetNextBasicBlock(b))
        if (is_whole(e, b) && follow_all(&h, b, true) && h.stores && follow_all(&h, b, false))
            drop_stores(&h, b);
}
