/* SPDX-License-Identifier: MIT
 *
 * Operands as LLVM values. A region is read as a shuffle of the part it lies in, and written as
 * a shuffle of the part's old value and the new elements: LLVM makes plain moves of most. What
 * stays in memory goes the same way, with a load and a store around the bytes in question. */
#include <assert.h>
#include <string.h>

#include "exec/operand.h"
#include "jit/entry.h"
#include "jit/group.h"

/* ---- types and numbers ------------------------------------------------------------------- */

LLVMTypeRef vsg_jit_int(const vsg_jit_emitter *e, uint32_t bits, uint32_t count)
{
    LLVMTypeRef type = LLVMIntTypeInContext(e->context, bits);
    return count == 1 ? type : LLVMVectorType(type, count);
}

LLVMTypeRef vsg_jit_float(const vsg_jit_emitter *e, visage_type type, uint32_t count)
{
    LLVMTypeRef scalar = type == VISAGE_TYPE_DF   ? LLVMDoubleTypeInContext(e->context)
                         : type == VISAGE_TYPE_HF ? LLVMHalfTypeInContext(e->context)
                                                  : LLVMFloatTypeInContext(e->context);
    return count == 1 ? scalar : LLVMVectorType(scalar, count);
}

LLVMValueRef vsg_jit_i32(const vsg_jit_emitter *e, uint32_t value)
{
    return LLVMConstInt(e->i32, value, false);
}

LLVMValueRef vsg_jit_i64(const vsg_jit_emitter *e, uint64_t value)
{
    return LLVMConstInt(e->i64, value, false);
}

LLVMValueRef vsg_jit_splat(vsg_jit_emitter *e, LLVMValueRef scalar, uint32_t count)
{
    if (count == 1)
        return scalar;
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), count);
    LLVMValueRef first =
        LLVMBuildInsertElement(e->b, LLVMGetPoison(type), scalar, vsg_jit_i32(e, 0), "");
    return LLVMBuildShuffleVector(e->b, first, LLVMGetPoison(type),
                                  LLVMConstNull(LLVMVectorType(e->i32, count)), "");
}

LLVMValueRef vsg_jit_stored(vsg_jit_emitter *e, const char *name, LLVMValueRef value)
{
    LLVMValueRef place = LLVMGetNamedGlobal(e->module, name);

    if (place)
        return place;
    place = LLVMAddGlobal(e->module, LLVMTypeOf(value), name);
    LLVMSetInitializer(place, value);
    LLVMSetGlobalConstant(place, true);
    LLVMSetLinkage(place, LLVMInternalLinkage);
    return place;
}

LLVMValueRef vsg_jit_zeros(vsg_jit_emitter *e)
{
    return vsg_jit_stored(e, "zeros", LLVMConstNull(LLVMVectorType(e->i32, 4)));
}

LLVMValueRef vsg_jit_overloaded(vsg_jit_emitter *e, const char *name, LLVMTypeRef *types,
                                size_t num_types, LLVMValueRef *args, uint32_t num_args)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->module, id, types, num_types);
    LLVMTypeRef signature = LLVMIntrinsicGetType(e->context, id, types, num_types);

    return LLVMBuildCall2(e->b, signature, function, args, num_args, "");
}

LLVMValueRef vsg_jit_intrinsic(vsg_jit_emitter *e, const char *name, LLVMTypeRef type,
                               LLVMValueRef *args, uint32_t num_args)
{
    return vsg_jit_overloaded(e, name, &type, 1, args, num_args);
}

LLVMValueRef vsg_jit_reduce(vsg_jit_emitter *e, const char *name, LLVMValueRef lanes)
{
    return vsg_jit_intrinsic(e, name, LLVMTypeOf(lanes), &lanes, 1);
}

bool vsg_jit_is_intrinsic(LLVMValueRef v, const char *name)
{
    LLVMValueRef callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;

    return callee && LLVMIsAFunction(callee) &&
           LLVMGetIntrinsicID(callee) == LLVMLookupIntrinsicID(name, strlen(name));
}

bool vsg_jit_is_pure(LLVMValueRef call)
{
    static const char memory[] = "memory";
    LLVMValueRef callee = LLVMGetCalledValue(call);
    unsigned kind = LLVMGetEnumAttributeKindForName(memory, sizeof memory - 1);
    size_t length;

    if (LLVMIsAInlineAsm(callee))
        return !LLVMGetInlineAsmHasSideEffects(callee);
    if (!LLVMIsAFunction(callee))
        return false;
    if (strcmp(LLVMGetValueName2(callee, &length), VSG_JIT_ROUNDED) == 0)
        return true;
    LLVMAttributeRef found = LLVMGetEnumAttributeAtIndex(
        callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    return found && LLVMGetEnumAttributeValue(found) == 0;
}

void vsg_jit_each_instruction(vsg_jit_emitter *e,
                              void (*visit)(vsg_jit_emitter *e, LLVMValueRef v))
{
    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef v = LLVMGetFirstInstruction(b), next; v; v = next) {
                next = LLVMGetNextInstruction(v);
                visit(e, v);
            }
}

void vsg_jit_attribute(vsg_jit_emitter *e, LLVMValueRef function, const char *name,
                       uint64_t value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(e->context, kind, value));
}

LLVMValueRef vsg_jit_at(vsg_jit_emitter *e, LLVMValueRef base, uint64_t bytes)
{
    LLVMValueRef offset = vsg_jit_i64(e, bytes);
    return bytes ? LLVMBuildGEP2(e->b, e->i8, base, &offset, 1, "") : base;
}

LLVMValueRef vsg_jit_load(vsg_jit_emitter *e, LLVMTypeRef type, LLVMValueRef at, uint32_t align)
{
    LLVMValueRef value = LLVMBuildLoad2(e->b, type, at, "");

    LLVMSetAlignment(value, align);
    return value;
}

LLVMValueRef vsg_jit_load_lanes(vsg_jit_emitter *e, LLVMTypeRef type, LLVMValueRef at,
                                LLVMValueRef lanes)
{
    LLVMTypeRef types[] = {type, e->pointer};
    LLVMValueRef args[] = {at, vsg_jit_i32(e, 1), lanes, LLVMConstNull(type)};

    if (!lanes)
        return vsg_jit_load(e, type, at, 1);
    return vsg_jit_overloaded(e, "llvm.masked.load", types, 2, args, 4);
}

LLVMValueRef vsg_jit_lanes_left(vsg_jit_emitter *e, LLVMValueRef left, uint32_t count)
{
    enum { MOST_LANES = 64 };
    LLVMValueRef numbers[MOST_LANES];
    LLVMValueRef args[] = {left, vsg_jit_i64(e, count)};

    for (uint32_t i = 0; i < count; i++)
        numbers[i] = vsg_jit_i32(e, i);
    left = vsg_jit_intrinsic(e, "llvm.umin", e->i64, args, 2);
    left = LLVMBuildTrunc(e->b, left, e->i32, "");
    return LLVMBuildICmp(e->b, LLVMIntUGT, vsg_jit_splat(e, left, count),
                         LLVMConstVector(numbers, count), "");
}

LLVMValueRef vsg_jit_load_each(vsg_jit_emitter *e, uint32_t bits, LLVMValueRef places)
{
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(places));
    LLVMTypeRef type = vsg_jit_int(e, bits, 1);
    LLVMValueRef all = LLVMGetPoison(LLVMVectorType(type, count));

    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef at = LLVMBuildExtractElement(e->b, places, vsg_jit_i32(e, i), "");
        all = LLVMBuildInsertElement(e->b, all, vsg_jit_load(e, type, at, 1), vsg_jit_i32(e, i),
                                     "");
    }
    return all;
}

static unsigned kind_of_invariants(const vsg_jit_emitter *e)
{
    static const char name[] = "invariant.load";

    return LLVMGetMDKindIDInContext(e->context, name, sizeof name - 1);
}

bool vsg_jit_is_invariant(const vsg_jit_emitter *e, LLVMValueRef v)
{
    return LLVMIsAInstruction(v) && LLVMGetMetadata(v, kind_of_invariants(e)) != NULL;
}

bool vsg_jit_is_plain_access(LLVMValueRef v)
{
    return !LLVMGetVolatile(v) && LLVMGetOrdering(v) == LLVMAtomicOrderingNotAtomic;
}

LLVMValueRef vsg_jit_declare_placeholder(vsg_jit_emitter *e, const char *name,
                                         LLVMTypeRef signature, uint64_t memory)
{
    LLVMValueRef function = LLVMAddFunction(e->module, name, signature);

    vsg_jit_attribute(e, function, "nounwind", 0);
    vsg_jit_attribute(e, function, "willreturn", 0);
    vsg_jit_attribute(e, function, "memory", memory);
    return function;
}

LLVMValueRef vsg_jit_invariant(vsg_jit_emitter *e, LLVMValueRef load)
{
    LLVMMetadataRef none = LLVMMDNodeInContext2(e->context, NULL, 0);

    LLVMSetMetadata(load, kind_of_invariants(e), LLVMMetadataAsValue(e->context, none));
    return load;
}

static void say_number(vsg_jit_emitter *e, LLVMValueRef load, const char *kind, uint64_t number)
{
    LLVMMetadataRef part = LLVMValueAsMetadata(vsg_jit_i64(e, number));
    LLVMMetadataRef node = LLVMMDNodeInContext2(e->context, &part, 1);

    LLVMSetMetadata(load, LLVMGetMDKindIDInContext(e->context, kind, (unsigned)strlen(kind)),
                    LLVMMetadataAsValue(e->context, node));
}

LLVMValueRef vsg_jit_readable(vsg_jit_emitter *e, LLVMValueRef load, uint64_t bytes,
                              uint32_t align)
{
    say_number(e, load, "dereferenceable", bytes);
    say_number(e, load, "align", align);
    return load;
}

void vsg_jit_advise(vsg_jit_emitter *e, LLVMValueRef branch, const char *advice)
{
    static const char loop[] = "llvm.loop";
    LLVMMetadataRef text = LLVMMDStringInContext2(e->context, advice, strlen(advice));
    LLVMMetadataRef own = LLVMTemporaryMDNode(e->context, NULL, 0);
    LLVMMetadataRef items[] = {own, LLVMMDNodeInContext2(e->context, &text, 1)};
    LLVMMetadataRef node = LLVMMDNodeInContext2(e->context, items, 2);

    LLVMMetadataReplaceAllUsesWith(own, node);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(e->context, loop, sizeof loop - 1),
                    LLVMMetadataAsValue(e->context, node));
}

static void weigh(vsg_jit_emitter *e, LLVMValueRef branch)
{
    unsigned kind = LLVMGetMDKindIDInContext(e->context, "prof", 4);
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(e->context, "branch_weights", 14),
                               LLVMValueAsMetadata(vsg_jit_i32(e, 2000)),
                               LLVMValueAsMetadata(vsg_jit_i32(e, 1))};
    LLVMMetadataRef weights = LLVMMDNodeInContext2(e->context, parts, 3);

    LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(e->context, weights));
}

void vsg_jit_likely(vsg_jit_emitter *e, LLVMValueRef branch)
{
    weigh(e, branch);
}

void vsg_jit_mostly(vsg_jit_emitter *e, LLVMValueRef branch)
{
    weigh(e, branch);
}

void vsg_jit_store(vsg_jit_emitter *e, LLVMValueRef value, LLVMValueRef at, uint32_t align)
{
    LLVMSetAlignment(LLVMBuildStore(e->b, value, at), align);
}

/* ---- windows ----------------------------------------------------------------------------- */

/* What an operand's elements are picked from: a vector of integers of the element's size. */
typedef struct window {
    LLVMValueRef slot; /* of a part, or where the bytes are in memory */
    LLVMTypeRef type;  /* of the slot */
    uint32_t unit;     /* bytes of an element of the operand */
    uint32_t count;    /* elements of that size */
    uint32_t first;    /* element 0 of the operand */
    uint32_t align;    /* of the slot, bytes */
    bool is_fixed;     /* while the function runs */
} window;

/* Elements, from element 0 on, that `count` channels reach. */
static uint32_t reach(const vsg_exe_operand *operand, uint32_t count)
{
    int64_t last = 0;

    for (uint32_t i = 0; i < count; i++)
        last = vsg_exe_distance(operand, i) > last ? vsg_exe_distance(operand, i) : last;
    return (uint32_t)(last / operand->bytes) + 1;
}

/* Bytes that are in memory whatever happens. */
static window window_at(vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count,
                        LLVMValueRef at)
{
    window w = {.unit = operand->bytes, .count = reach(operand, count), .slot = at, .align = 1};

    w.type = vsg_jit_int(e, 8 * w.unit, w.count);
    return w;
}

static window open_window(vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count)
{
    window w = {.unit = operand->bytes};
    LLVMValueRef base = operand->shared ? e->shared : e->registers;

    if (operand->kind == VSG_JIT_OPERAND_FOUND)
        return window_at(e, operand, count, e->found[operand->index]);
    uint32_t number = operand->shared ? VSG_JIT_NO_PART : e->part_of[operand->offset];
    bool is_told = operand->shared && (e->group || e->begins_only) && w.unit == 4 &&
                   reach(operand, count) == 1;
    if (is_told && vsg_jit_is_id(operand->offset))
        return window_at(e, operand, count, e->group ? e->group->id : e->turn_id);
    if (is_told && e->row_ids[0] && vsg_jit_is_fixed_id(operand->offset))
        return window_at(e, operand, count, e->row_ids[vsg_jit_is_id_along_z(operand->offset)]);
    if (number != VSG_JIT_NO_PART) {
        const vsg_jit_part *part = &e->parts[number];
        w.slot = vsg_jit_slot(e, part);
        w.type = part->type;
        w.count = part->bytes / w.unit;
        w.first = (operand->offset - part->at) / w.unit;
        w.align = vsg_jit_slot_align(part);
        assert((operand->offset - part->at) % w.unit == 0);
        assert(w.first + reach(operand, count) <= w.count);
        return w;
    }
    w = window_at(e, operand, count, vsg_jit_at(e, base, operand->offset));
    w.is_fixed = is_told && vsg_jit_is_fixed_id(operand->offset);
    return w;
}

/* All elements of the window, each of the operand's size. */
static LLVMValueRef read_window(vsg_jit_emitter *e, const window *w)
{
    LLVMValueRef value = vsg_jit_load(e, w->type, w->slot, w->align);

    if (w->is_fixed)
        (void)vsg_jit_invariant(e, value);
    return LLVMBuildBitCast(e->b, value, vsg_jit_int(e, 8 * w->unit, w->count), "");
}

static void write_window(vsg_jit_emitter *e, const window *w, LLVMValueRef value)
{
    vsg_jit_store(e, LLVMBuildBitCast(e->b, value, w->type, ""), w->slot, w->align);
}

/* The `count` elements of an operand, out of a window. */
static LLVMValueRef pick(vsg_jit_emitter *e, const window *w, LLVMValueRef all,
                         const vsg_exe_operand *operand, uint32_t count)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS];
    bool is_all = w->count == count && count > 1;

    if (w->count == 1)
        return vsg_jit_splat(e, all, count);
    if (count == 1 || operand->shape == VSG_EXE_SHAPE_SCALAR)
        return vsg_jit_splat(
            e, LLVMBuildExtractElement(e->b, all, vsg_jit_i32(e, w->first), ""), count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = w->first + (uint32_t)(vsg_exe_distance(operand, i) / operand->bytes);
        places[i] = vsg_jit_i32(e, place);
        is_all = is_all && place == i;
    }
    if (is_all)
        return all;
    return LLVMBuildShuffleVector(e->b, all, LLVMGetPoison(LLVMTypeOf(all)),
                                  LLVMConstVector(places, count), "");
}

/* ---- reading ----------------------------------------------------------------------------- */

static LLVMValueRef read_immediate(vsg_jit_emitter *e, const vsg_exe_operand *operand,
                                   uint32_t count)
{
    LLVMTypeRef type = vsg_jit_int(e, 8u * operand->bytes, 1);
    LLVMValueRef elements[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < count; i++)
        elements[i] = LLVMConstInt(type, operand->elements[i % operand->count], false);
    return count == 1 ? elements[0] : LLVMConstVector(elements, count);
}

LLVMValueRef vsg_jit_read(vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count)
{
    if (operand->kind == VSG_EXE_OPERAND_IMMEDIATE)
        return read_immediate(e, operand, count);
    if (operand->kind == VSG_JIT_OPERAND_FOUND)
        return e->found[operand->index];
    if (operand->kind != VSG_EXE_OPERAND_REGION)
        return NULL;
    if (operand->is_null)
        return LLVMConstNull(vsg_jit_int(e, 8u * operand->bytes, count));
    window w = open_window(e, operand, count);
    return pick(e, &w, read_window(e, &w), operand, count);
}

LLVMValueRef vsg_jit_read_at(vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count,
                             LLVMValueRef at)
{
    window w = window_at(e, operand, count, at);

    return pick(e, &w, read_window(e, &w), operand, count);
}

vsg_exe_operand vsg_jit_raw(const vsg_exe_operand *operand, uint32_t skip_bytes,
                            uint32_t element_bytes)
{
    vsg_exe_operand region = *operand;

    region.kind = VSG_EXE_OPERAND_REGION;
    region.bytes = (uint8_t)element_bytes;
    region.shape = VSG_EXE_SHAPE_CONTIGUOUS;
    region.offset += skip_bytes;
    return region;
}

/* ---- writing ----------------------------------------------------------------------------- */

bool vsg_jit_can_write(const vsg_exe_operand *operand)
{
    return (operand->kind == VSG_EXE_OPERAND_REGION ||
            operand->kind == VSG_JIT_OPERAND_FOUND) &&
           operand->shape != VSG_EXE_SHAPE_ROWS;
}

/* Are all elements of the window among those of the operand, in their order? */
static bool is_whole(const window *w, const vsg_exe_operand *operand, uint32_t count)
{
    if (w->count != count || w->first != 0)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (vsg_exe_distance(operand, i) != (int64_t)i * operand->bytes)
            return false;
    return true;
}

/* The window with the elements in it replaced, not all of them. */
static LLVMValueRef place(vsg_jit_emitter *e, const window *w, LLVMValueRef all,
                          const vsg_exe_operand *operand, uint32_t count, LLVMValueRef value)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS * 8];
    uint32_t own[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < count; i++)
        own[i] = w->first + (uint32_t)(vsg_exe_distance(operand, i) / operand->bytes);
    if (count == 1)
        return LLVMBuildInsertElement(e->b, all, value, vsg_jit_i32(e, w->first), "");
    LLVMValueRef *wide = places;
    LLVMValueRef *heap = NULL;
    if (w->count > VSG_EXE_MAX_CHANNELS * 8) {
        heap = vsg_base_arena_new(&e->arena, w->count, sizeof *heap);
        if (!heap) {
            e->no_memory = true;
            return all;
        }
        wide = heap;
    }
    /* First as many elements as the window has, then those of the two that are wanted. */
    for (uint32_t i = 0; i < w->count; i++)
        wide[i] = vsg_jit_i32(e, i < count ? i : 0);
    LLVMValueRef spread = LLVMBuildShuffleVector(e->b, value, LLVMGetPoison(LLVMTypeOf(value)),
                                                 LLVMConstVector(wide, w->count), "");
    for (uint32_t i = 0; i < w->count; i++)
        wide[i] = vsg_jit_i32(e, i);
    for (uint32_t i = 0; i < count; i++)
        wide[own[i]] = vsg_jit_i32(e, w->count + i);
    return LLVMBuildShuffleVector(e->b, all, spread, LLVMConstVector(wide, w->count), "");
}

/* Several channels write one element: the last that is on counts. */
static void write_one(vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count,
                      LLVMValueRef value, LLVMValueRef channels)
{
    LLVMValueRef last = vsg_jit_i32(e, count - 1);
    vsg_exe_operand first = *operand;

    first.shape = VSG_EXE_SHAPE_CONTIGUOUS;
    if (channels) {
        LLVMValueRef args[] = {channels, LLVMConstInt(e->i1, 0, false)};
        LLVMValueRef zeros = vsg_jit_intrinsic(e, "llvm.ctlz", e->i32, args, 2);
        LLVMValueRef any = LLVMBuildICmp(e->b, LLVMIntNE, channels, vsg_jit_i32(e, 0), "");
        last = LLVMBuildSub(e->b, vsg_jit_i32(e, 31), zeros, "");
        last = LLVMBuildSelect(e->b, any, last, vsg_jit_i32(e, 0), "");
        channels = LLVMBuildZExt(e->b, any, e->i32, "");
    }
    vsg_jit_write(e, &first, 1, LLVMBuildExtractElement(e->b, value, last, ""), channels);
}

void vsg_jit_write(vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count,
                   LLVMValueRef value, LLVMValueRef channels)
{
    if (operand->is_null)
        return;
    if (operand->shape == VSG_EXE_SHAPE_SCALAR && count > 1) {
        write_one(e, operand, count, value, channels);
        return;
    }
    window w = open_window(e, operand, count);
    bool is_all = is_whole(&w, operand, count);
    LLVMValueRef all = is_all && !channels ? NULL : read_window(e, &w);
    if (channels)
        value = LLVMBuildSelect(e->b, vsg_jit_lanes(e, channels, count), value,
                                pick(e, &w, all, operand, count), "");
    write_window(e, &w, is_all ? value : place(e, &w, all, operand, count, value));
}

/* ---- masks ------------------------------------------------------------------------------- */

static LLVMValueRef shift_down(vsg_jit_emitter *e, LLVMValueRef bits, uint32_t by)
{
    return by ? LLVMBuildLShr(e->b, bits, vsg_jit_i32(e, by), "") : bits;
}

static LLVMValueRef keep_low(vsg_jit_emitter *e, LLVMValueRef bits, uint32_t count)
{
    return count < 32 ? LLVMBuildAnd(e->b, bits, vsg_jit_i32(e, vsg_exe_first(count)), "")
                      : bits;
}

LLVMValueRef vsg_jit_enabled(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t all = vsg_exe_first(inst->exec_size);

    if (inst->no_mask)
        return NULL;
    if (!e->notes[e->place].is_divergent) {
        uint32_t bits = e->dispatch_mask >> inst->mask_offset & all;
        return bits == all ? NULL : vsg_jit_i32(e, bits);
    }
    LLVMValueRef mask = LLVMBuildLoad2(e->b, e->i32, e->mask, "");
    mask = shift_down(e, mask, inst->mask_offset);
    return inst->mask_offset + inst->exec_size >= e->simd_size
               ? mask
               : keep_low(e, mask, inst->exec_size);
}

LLVMValueRef vsg_jit_predicate(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t all = vsg_exe_first(inst->exec_size);

    if (!inst->predicate_mode)
        return NULL;
    LLVMValueRef slot = vsg_jit_slot(e, &e->parts[e->num_general + inst->predicate]);
    LLVMValueRef whole = LLVMBuildLoad2(e->b, e->i32, slot, "");
    LLVMValueRef bits = keep_low(e, shift_down(e, whole, inst->mask_offset), inst->exec_size);
    if (inst->predicate_mode & (VSG_EXE_PRED_ANY | VSG_EXE_PRED_ALL)) {
        bool any = (inst->predicate_mode & VSG_EXE_PRED_ANY) != 0;
        bits = LLVMBuildAnd(e->b, whole, vsg_jit_i32(e, inst->combined), "");
        LLVMValueRef holds = LLVMBuildICmp(e->b, any ? LLVMIntNE : LLVMIntEQ, bits,
                                           vsg_jit_i32(e, any ? 0 : inst->combined), "");
        bits = LLVMBuildSelect(e->b, holds, vsg_jit_i32(e, all), vsg_jit_i32(e, 0), "");
    }
    if (inst->predicate_mode & VSG_EXE_PRED_INVERSE)
        bits = LLVMBuildXor(e->b, bits, vsg_jit_i32(e, all), "");
    return bits;
}

LLVMValueRef vsg_jit_channels(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    LLVMValueRef enabled = vsg_jit_enabled(e, inst);
    LLVMValueRef predicate = vsg_jit_predicate(e, inst);

    if (!enabled || !predicate)
        return enabled ? enabled : predicate;
    return LLVMBuildAnd(e->b, enabled, predicate, "");
}

LLVMValueRef vsg_jit_written(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    return e->notes[e->place].may_spoil ? vsg_jit_predicate(e, inst)
                                        : vsg_jit_channels(e, inst);
}

LLVMValueRef vsg_jit_overwritten(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    return e->notes[e->place].may_spoil ? NULL : vsg_jit_enabled(e, inst);
}

LLVMValueRef vsg_jit_lanes(vsg_jit_emitter *e, LLVMValueRef bits, uint32_t count)
{
    if (!bits)
        return NULL;
    LLVMValueRef narrow =
        count < 32 ? LLVMBuildTrunc(e->b, bits, vsg_jit_int(e, count, 1), "") : bits;
    return LLVMBuildBitCast(e->b, narrow, vsg_jit_int(e, 1, count), "");
}

LLVMValueRef vsg_jit_bits(vsg_jit_emitter *e, LLVMValueRef lanes, uint32_t count)
{
    LLVMValueRef bits = LLVMBuildBitCast(e->b, lanes, vsg_jit_int(e, count, 1), "");
    return count < 32 ? LLVMBuildZExt(e->b, bits, e->i32, "") : bits;
}

LLVMValueRef vsg_jit_read_predicate(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                                    const vsg_exe_operand *operand)
{
    LLVMValueRef slot = vsg_jit_slot(e, &e->parts[e->num_general + operand->index]);
    LLVMValueRef bits = LLVMBuildLoad2(e->b, e->i32, slot, "");

    return keep_low(e, shift_down(e, bits, inst->mask_offset), inst->exec_size);
}

void vsg_jit_write_predicate(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                             const vsg_exe_operand *operand, LLVMValueRef bits,
                             LLVMValueRef channels)
{
    LLVMValueRef slot = vsg_jit_slot(e, &e->parts[e->num_general + operand->index]);
    bool is_own = operand->index >= e->unit->num_predicates; /* of one channel (loops.h) */
    bool is_anew = is_own || (e->read_bits[operand->index] & ~vsg_jit_bits_of(inst)) == 0 ||
                   (inst == &e->unit->code[e->place] && e->notes[e->place].starts_anew);

    if (!channels && inst->exec_size == VSG_EXE_MAX_CHANNELS) {
        LLVMBuildStore(e->b, bits, slot);
        return;
    }
    LLVMValueRef where = channels ? channels : vsg_jit_i32(e, vsg_exe_first(inst->exec_size));
    LLVMValueRef up = vsg_jit_i32(e, inst->mask_offset);

    bits = LLVMBuildShl(e->b, LLVMBuildAnd(e->b, bits, where, ""), up, "");
    if (!channels && is_anew) {
        LLVMBuildStore(e->b, bits, slot);
        return;
    }
    LLVMValueRef old = LLVMBuildLoad2(e->b, e->i32, slot, "");
    where = LLVMBuildShl(e->b, where, up, "");
    old = LLVMBuildAnd(e->b, old, LLVMBuildNot(e->b, where, ""), "");
    LLVMBuildStore(e->b, LLVMBuildOr(e->b, old, bits, ""), slot);
}
