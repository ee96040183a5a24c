/* SPDX-License-Identifier: MIT
 *
 * LLVM would make a branch, and two blocks, of each lane that may be off: sixteen of what no
 * processor foresees, and functions of thousands of blocks, whose code takes seconds to make.
 * Here all lanes load and store, those that are off from zeros and to a place of no meaning. */
#include "jit/apart.h"

#include "jit/lane_operations.h"
#include "jit/lowering.h"
#include "jit/marks.h"

/* An access, its operands where the intrinsics have them. */
typedef struct access {
    LLVMValueRef place; /* a vector of pointers; of rows the first lane's */
    LLVMValueRef mask;
    LLVMValueRef value; /* that is stored, or of loads' lanes that are off */
    LLVMTypeRef element;
    uint32_t lanes, bytes; /* of an element */
    bool is_store, is_row;
    bool is_known; /* which lanes are on */
} access;

enum { MOST_BYTES = 8, MOST_LANES = VSG_EXE_MAX_CHANNELS * 4 };

static bool is_known(const access *a)
{
    bool all = true;

    for (uint32_t i = 0; i < a->lanes; i++)
        all = all && vsg_jit_is_lane_on(a->mask, i) >= 0;
    return all;
}

static bool find_access(LLVMValueRef v, access *out)
{
    static const struct {
        const char *name;
        uint8_t place, mask, value;
        bool is_store, is_row;
    } kinds[] = {{"llvm.masked.gather", 0, 2, 3, false, false},
                 {"llvm.masked.scatter", 1, 3, 0, true, false},
                 {"llvm.masked.load", 0, 2, 3, false, true},
                 {"llvm.masked.store", 1, 3, 0, true, true}};
    size_t k = 0;

    while (k < sizeof kinds / sizeof *kinds && !vsg_jit_is_intrinsic(v, kinds[k].name))
        k++;
    if (k == sizeof kinds / sizeof *kinds)
        return false;
    *out = (access){.place = LLVMGetOperand(v, kinds[k].place),
                    .mask = LLVMGetOperand(v, kinds[k].mask),
                    .value = LLVMGetOperand(v, kinds[k].value),
                    .is_store = kinds[k].is_store,
                    .is_row = kinds[k].is_row};
    LLVMTypeRef type = LLVMTypeOf(out->value);
    out->element = LLVMGetElementType(type);
    if (LLVMGetTypeKind(out->element) != LLVMIntegerTypeKind)
        return false;
    out->lanes = LLVMGetVectorSize(type);
    out->bytes = LLVMGetIntTypeWidth(out->element) / 8;
    out->is_known = is_known(out);
    return out->bytes > 0 && out->bytes <= MOST_BYTES && out->lanes <= MOST_LANES;
}

enum { DWORD_BYTES = 4 };

bool vsg_jit_has_masks_for(const vsg_jit_emitter *e, uint32_t bytes)
{
    return vsg_jit_has_avx512(e) || (bytes >= DWORD_BYTES && vsg_jit_has_avx2(e));
}

/* Has the host an instruction for it? */
static bool is_whole(const vsg_jit_emitter *e, const access *a)
{
    return a->is_row ? vsg_jit_has_masks_for(e, a->bytes)
                     : vsg_jit_has_avx512(e) && a->bytes >= DWORD_BYTES;
}

/* ---- places ------------------------------------------------------------------------------ */

/* On the stack of the function that has `v`. */
static LLVMValueRef find_waste(vsg_jit_emitter *e, LLVMValueRef *waste, LLVMValueRef v)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(v));

    if (*waste)
        return *waste;
    LLVMPositionBuilderBefore(e->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    *waste = LLVMBuildAlloca(e->b, e->i64, "");
    return *waste;
}

/* The places of all lanes, a vector. */
static LLVMValueRef find_places(vsg_jit_emitter *e, const access *a)
{
    LLVMValueRef steps[MOST_LANES];

    if (!a->is_row)
        return a->place;
    for (uint32_t i = 0; i < a->lanes; i++)
        steps[i] = vsg_jit_i64(e, (uint64_t)i * a->bytes);
    LLVMValueRef all = LLVMConstVector(steps, a->lanes);
    return LLVMBuildGEP2(e->b, e->i8, vsg_jit_splat(e, a->place, a->lanes), &all, 1, "");
}

/* ---- lanes ------------------------------------------------------------------------------- */

static LLVMValueRef load_lanes(vsg_jit_emitter *e, const access *a, LLVMValueRef places)
{
    LLVMValueRef all = LLVMGetPoison(LLVMTypeOf(a->value));

    for (uint32_t i = 0; i < a->lanes; i++) {
        LLVMValueRef lane = vsg_jit_i32(e, i);
        if (a->is_known && vsg_jit_is_lane_on(a->mask, i) == 0)
            continue;
        LLVMValueRef at = LLVMBuildExtractElement(e->b, places, lane, "");
        all = LLVMBuildInsertElement(e->b, all, vsg_jit_load(e, a->element, at, 1), lane, "");
    }
    return all;
}

static void store_lanes(vsg_jit_emitter *e, const access *a, LLVMValueRef places)
{
    for (uint32_t i = 0; i < a->lanes; i++) {
        LLVMValueRef lane = vsg_jit_i32(e, i);
        if (vsg_jit_is_lane_on(a->mask, i) == 0)
            continue;
        LLVMValueRef at = LLVMBuildExtractElement(e->b, places, lane, "");
        vsg_jit_store(e, LLVMBuildExtractElement(e->b, a->value, lane, ""), at, 1);
    }
}

/* *waste: where lanes that are off store; NULL: it is not there yet. */
static void take_apart(vsg_jit_emitter *e, LLVMValueRef v, const access *a, LLVMValueRef *waste)
{
    LLVMValueRef elsewhere = NULL;

    if (!a->is_known)
        elsewhere = a->is_store ? find_waste(e, waste, v) : vsg_jit_zeros(e);
    LLVMPositionBuilderBefore(e->b, v);
    LLVMValueRef places = find_places(e, a);
    if (elsewhere)
        places =
            LLVMBuildSelect(e->b, a->mask, places, vsg_jit_splat(e, elsewhere, a->lanes), "");
    if (a->is_store) {
        store_lanes(e, a, places);
        LLVMInstructionEraseFromParent(v);
        return;
    }
    LLVMValueRef all = load_lanes(e, a, places);
    bool is_zero = a->value == LLVMConstNull(LLVMTypeOf(a->value));
    if (!LLVMIsUndef(a->value) && (a->is_known || !is_zero))
        all = LLVMBuildSelect(e->b, a->mask, all, a->value, "");
    vsg_jit_replace(v, all);
}

void vsg_jit_take_apart(vsg_jit_emitter *e)
{
    access a;

    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f)) {
        LLVMValueRef waste = NULL;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef v = LLVMGetFirstInstruction(b), next; v; v = next) {
                next = LLVMGetNextInstruction(v);
                if (find_access(v, &a) && !is_whole(e, &a))
                    take_apart(e, v, &a, &waste);
            }
    }
}
