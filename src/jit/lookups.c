/* SPDX-License-Identifier: MIT
 *
 * What each lane loads from a place that is some bytes behind the same one is loaded lane by
 * lane. Where these are known to be fewer than 256, as an index that is a byte or a few bits
 * is, the whole table fits into four registers, and AVX-512's permutations pick all lanes'
 * elements from these. The table is taken from the least place on that a lane asks for: behind
 * what may be accessed there is more that may be read (runtime/memory.c, exec/layout.c). */
#include "jit/lookups.h"

#include "jit/columns.h"
#include "jit/dwords.h"
#include "jit/lane_operations.h"
#include "jit/lowering.h"

enum {
    MOST_LANES = VSG_EXE_MAX_CHANNELS,
    MOST_TERMS = 4,
    MOST_DEPTH = 8,
    FEWEST_LANES = 8,
    REGISTER_BYTES = 64,
    MOST_BYTES = 256,
    MOST_REGISTERS = MOST_BYTES / REGISTER_BYTES
};

/* Lanes of a vector of addresses that are loaded from, and put together in `end`. */
typedef struct lookup {
    LLVMValueRef end, addresses;
    LLVMValueRef inserted[MOST_LANES]; /* the last one first */
    uint32_t places[MOST_LANES];       /* by lane: of the addresses */
    uint32_t num_lanes, bytes;         /* of an element */
    /* Addresses are the sum of scalars, in all lanes the same, and of these. */
    LLVMValueRef bases[MOST_TERMS], offsets[MOST_TERMS];
    uint32_t num_bases, num_offsets;
    uint64_t most; /* the sum of the offsets */
} lookup;

/* ---- what is known of numbers ------------------------------------------------------------ */

/* The number that all lanes of a vector are. */
static bool find_number(LLVMValueRef v, uint64_t *out)
{
    LLVMValueRef one = vsg_jit_lane_of_constant(v);

    if (!one || !LLVMIsAConstantInt(one))
        return false;
    *out = LLVMConstIntGetZExtValue(one);
    return true;
}

static uint64_t of_bits(uint32_t bits)
{
    return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

/* How many bits a number has. */
static uint32_t bits_for(uint64_t number)
{
    return number ? 64 - (uint32_t)__builtin_clzll(number) : 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A number that no lane is above. */
static uint64_t most_of(LLVMValueRef v, uint32_t depth)
{
    uint64_t all = of_bits(vsg_jit_bits_of_lane(v)), by;

    if (find_number(v, &by))
        return by;
    if (!LLVMIsAInstruction(v) || depth == MOST_DEPTH)
        return all;
    LLVMValueRef a = LLVMGetNumOperands(v) > 0 ? LLVMGetOperand(v, 0) : NULL;
    LLVMValueRef b = LLVMGetNumOperands(v) > 1 ? LLVMGetOperand(v, 1) : NULL;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMZExt:
        return most_of(a, depth + 1);
    case LLVMTrunc:
        return least(all, most_of(a, depth + 1));
    case LLVMAnd:
        return least(most_of(a, depth + 1), most_of(b, depth + 1));
    case LLVMOr:
    case LLVMXor:
        return of_bits(bits_for(most_of(a, depth + 1) | most_of(b, depth + 1)));
    case LLVMLShr:
        return find_number(b, &by) && by < 64 ? most_of(a, depth + 1) >> by : all;
    case LLVMShl:
        return find_number(b, &by) && by < 64 && most_of(a, depth + 1) <= all >> by
                   ? most_of(a, depth + 1) << by
                   : all;
    case LLVMURem:
        return find_number(b, &by) && by > 0 ? by - 1 : all;
    default:
        return vsg_jit_is_intrinsic(v, "llvm.umin")
                   ? least(most_of(a, depth + 1), most_of(b, depth + 1))
                   : all;
    }
}

/* Is each lane a multiple of so many bytes? */
static bool is_multiple(LLVMValueRef v, uint32_t bytes, uint32_t depth)
{
    uint64_t by;

    if (bytes == 1)
        return true;
    if (find_number(v, &by))
        return by % bytes == 0;
    if (!LLVMIsAInstruction(v) || depth == MOST_DEPTH)
        return false;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMZExt:
        return is_multiple(LLVMGetOperand(v, 0), bytes, depth + 1);
    case LLVMAnd:
        return find_number(LLVMGetOperand(v, 1), &by) && by % bytes == 0;
    case LLVMOr:
    case LLVMXor:
    case LLVMAdd:
        return is_multiple(LLVMGetOperand(v, 0), bytes, depth + 1) &&
               is_multiple(LLVMGetOperand(v, 1), bytes, depth + 1);
    case LLVMShl:
        return find_number(LLVMGetOperand(v, 1), &by) && by < 64 &&
               ((UINT64_C(1) << by) % bytes == 0 ||
                is_multiple(LLVMGetOperand(v, 0), bytes, depth + 1));
    default:
        return false;
    }
}

/* ---- loads of lanes ---------------------------------------------------------------------- */

/* The vector of addresses that a lane of is loaded from; NULL: it is no such load. */
static LLVMValueRef find_addresses(LLVMValueRef load, uint32_t *lane)
{
    if (!vsg_jit_is_op(load, LLVMLoad) || LLVMGetVolatile(load))
        return NULL;
    LLVMValueRef at = LLVMGetOperand(load, 0);
    if (!LLVMIsAExtractElementInst(at) || !LLVMIsAConstantInt(LLVMGetOperand(at, 1)))
        return NULL;
    LLVMValueRef all = LLVMGetOperand(at, 0);
    *lane = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(at, 1));
    return LLVMIsAIntToPtrInst(all) && vsg_jit_num_lanes(all) <= MOST_LANES &&
                   *lane < vsg_jit_num_lanes(all)
               ? all
               : NULL;
}

/* May anything from one instruction to another, in the same block, write to memory? */
static bool may_write_between(LLVMValueRef from, LLVMValueRef to)
{
    for (LLVMValueRef v = from; v != to; v = LLVMGetNextInstruction(v))
        if (!v || vsg_jit_is_op(v, LLVMStore) || vsg_jit_is_op(v, LLVMAtomicRMW) ||
            vsg_jit_is_op(v, LLVMAtomicCmpXchg) || vsg_jit_is_op(v, LLVMFence) ||
            vsg_jit_is_op(v, LLVMCall))
            return true;
    return false;
}

/* Is a vector put together of loads alone, and by the instruction in hand all of it is? */
static bool find_lookup(LLVMValueRef end, lookup *out)
{
    *out = (lookup){.end = end};
    if (!LLVMIsAInsertElementInst(end) || vsg_jit_num_lanes(end) > MOST_LANES ||
        vsg_jit_num_lanes(end) < FEWEST_LANES)
        return false;
    uint32_t count = vsg_jit_num_lanes(end), bits = vsg_jit_bits_of_lane(end);
    bool is_there[MOST_LANES] = {false};
    LLVMValueRef v = end;
    for (; out->num_lanes < count && LLVMIsAInsertElementInst(v); v = LLVMGetOperand(v, 0)) {
        LLVMValueRef load = LLVMGetOperand(v, 1), place = LLVMGetOperand(v, 2);
        uint32_t from;
        LLVMValueRef all = find_addresses(load, &from);
        if (!all || (out->addresses && all != out->addresses) || !LLVMIsAConstantInt(place) ||
            LLVMConstIntGetZExtValue(place) >= count ||
            LLVMGetInstructionParent(load) != LLVMGetInstructionParent(end))
            return false;
        uint32_t lane = (uint32_t)LLVMConstIntGetZExtValue(place);
        if (is_there[lane])
            return false;
        is_there[lane] = true;
        out->addresses = all;
        out->places[lane] = from;
        out->inserted[out->num_lanes++] = v;
    }
    out->bytes = bits / 8;
    return out->num_lanes == count && (bits == 8 || bits == 16 || bits == 32) &&
           LLVMGetTypeKind(vsg_jit_lane_type(end)) == LLVMIntegerTypeKind;
}

/* ---- addresses --------------------------------------------------------------------------- */

/* The scalar that all lanes are; NULL: they are none. */
static LLVMValueRef find_base(LLVMValueRef v)
{
    vsg_jit_dword of[MOST_LANES];
    uint32_t count = vsg_jit_num_lanes(v);

    for (uint32_t i = 0; i < count; i++)
        of[i] = vsg_jit_trace_dword((vsg_jit_dword){v, i});
    return vsg_jit_find_scalar(of, count);
}

static bool add_terms(lookup *l, LLVMValueRef v, uint32_t depth)
{
    LLVMValueRef base = find_base(v);

    if (base) {
        if (l->num_bases == MOST_TERMS)
            return false;
        l->bases[l->num_bases++] = base;
        return true;
    }
    uint64_t most = most_of(v, 0);
    if (most < MOST_BYTES) {
        if (l->num_offsets == MOST_TERMS || !is_multiple(v, l->bytes, 0))
            return false;
        l->most += most;
        l->offsets[l->num_offsets++] = v;
        return true;
    }
    return vsg_jit_is_op(v, LLVMAdd) && depth < MOST_TERMS &&
           add_terms(l, LLVMGetOperand(v, 0), depth + 1) &&
           add_terms(l, LLVMGetOperand(v, 1), depth + 1);
}

/* Are addresses within a table that can be permuted, at a gain? */
static bool find_table(const vsg_jit_emitter *e, lookup *l)
{
    if (!add_terms(l, LLVMGetOperand(l->addresses, 0), 0) || l->num_offsets == 0 ||
        l->num_bases == 0 || l->most + l->bytes > MOST_BYTES)
        return false;
    if (l->bytes == 1 && !e->has_byte_permutes)
        return false;
    for (uint32_t i = 0; i < l->num_lanes; i++)
        if (may_write_between(LLVMGetOperand(l->inserted[i], 1), l->end))
            return false;
    return l->num_lanes >= 2 * FEWEST_LANES || l->most < REGISTER_BYTES;
}

/* ---- permutations ------------------------------------------------------------------------ */

/* Whole registers' worth of lanes. */
static uint32_t lanes_of_register(const lookup *l)
{
    return REGISTER_BYTES / l->bytes;
}

/* The offsets of those lanes of addresses that are asked for, in bytes. */
static LLVMValueRef make_offsets(vsg_jit_emitter *e, const lookup *l)
{
    LLVMValueRef sum = NULL, places[MOST_LANES];
    uint32_t count = vsg_jit_num_lanes(l->addresses);

    for (uint32_t i = 0; i < l->num_offsets; i++) {
        LLVMValueRef own = l->offsets[i];
        while (vsg_jit_is_op(own, LLVMZExt) &&
               vsg_jit_bits_of_lane(LLVMGetOperand(own, 0)) >= 8)
            own = LLVMGetOperand(own, 0);
        own = LLVMBuildTrunc(e->b, own, vsg_jit_int(e, 8, count), "");
        sum = sum ? LLVMBuildAdd(e->b, sum, own, "") : own;
    }
    for (uint32_t i = 0; i < l->num_lanes; i++)
        places[i] = vsg_jit_i32(e, l->places[i]);
    return LLVMBuildShuffleVector(e->b, sum, LLVMGetPoison(LLVMTypeOf(sum)),
                                  LLVMConstVector(places, l->num_lanes), "");
}

/* Lanes of a vector from one on, as many as a register has; those that it lacks are any. */
static LLVMValueRef take_register(vsg_jit_emitter *e, const lookup *l, LLVMValueRef v,
                                  uint32_t first)
{
    LLVMValueRef places[REGISTER_BYTES];

    for (uint32_t i = 0; i < lanes_of_register(l); i++)
        places[i] = first + i < vsg_jit_num_lanes(v) ? vsg_jit_i32(e, first + i)
                                                     : LLVMGetPoison(e->i32);
    return LLVMBuildShuffleVector(e->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                  LLVMConstVector(places, lanes_of_register(l)), "");
}

/* From one register, or two. */
static LLVMValueRef permute(vsg_jit_emitter *e, const lookup *l, const LLVMValueRef *table,
                            uint32_t num, LLVMValueRef which)
{
    static const char *const names[2][3] = {
        {"llvm.x86.avx512.permvar.qi.512", "llvm.x86.avx512.permvar.hi.512",
         "llvm.x86.avx512.permvar.si.512"},
        {"llvm.x86.avx512.vpermi2var.qi.512", "llvm.x86.avx512.vpermi2var.hi.512",
         "llvm.x86.avx512.vpermi2var.d.512"}};
    LLVMValueRef one[] = {table[0], which}, two[] = {table[0], which, table[num - 1]};
    const char *name = names[num - 1][__builtin_ctz(l->bytes)];

    return vsg_jit_overloaded(e, name, NULL, 0, num == 1 ? one : two, num + 1);
}

/* As many elements as a register has, of indices. */
static LLVMValueRef pick(vsg_jit_emitter *e, const lookup *l, const LLVMValueRef *table,
                         uint32_t num, LLVMValueRef which)
{
    if (num <= 2)
        return permute(e, l, table, num, which);
    LLVMValueRef low = permute(e, l, table, 2, which);
    LLVMValueRef high = permute(e, l, table + 2, 2, which);
    LLVMTypeRef type = LLVMTypeOf(which);
    LLVMValueRef half = LLVMConstInt(LLVMGetElementType(type), 2 * lanes_of_register(l), false);
    LLVMValueRef is_high =
        LLVMBuildAnd(e->b, which, vsg_jit_splat(e, half, lanes_of_register(l)), "");
    is_high = LLVMBuildICmp(e->b, LLVMIntNE, is_high, LLVMConstNull(type), "");
    return LLVMBuildSelect(e->b, is_high, high, low, "");
}

static LLVMValueRef make_base(vsg_jit_emitter *e, const lookup *l, LLVMValueRef first)
{
    LLVMValueRef base = LLVMBuildZExt(e->b, first, e->i64, "");

    for (uint32_t i = 0; i < l->num_bases; i++)
        base = LLVMBuildAdd(e->b, base, l->bases[i], "");
    return LLVMBuildIntToPtr(e->b, base, e->pointer, "");
}

/* Registers of the table, 1, 2 or 4. */
static uint32_t load_table(vsg_jit_emitter *e, const lookup *l, LLVMValueRef base,
                           LLVMValueRef *out)
{
    uint32_t num = 1;
    LLVMTypeRef type = vsg_jit_int(e, 8 * l->bytes, lanes_of_register(l));

    while (num * REGISTER_BYTES < l->most + l->bytes)
        num *= 2;
    for (uint32_t i = 0; i < num; i++)
        out[i] = vsg_jit_load(e, type, vsg_jit_at(e, base, (uint64_t)i * REGISTER_BYTES), 1);
    return num;
}

static LLVMValueRef make_lookup(vsg_jit_emitter *e, const lookup *l)
{
    LLVMValueRef table[MOST_REGISTERS], picked[MOST_LANES], places[MOST_LANES];
    LLVMValueRef offsets = make_offsets(e, l);
    LLVMValueRef first =
        vsg_jit_intrinsic(e, "llvm.vector.reduce.umin", LLVMTypeOf(offsets), &offsets, 1);
    uint32_t num = load_table(e, l, make_base(e, l, first), table);
    uint32_t lanes = lanes_of_register(l), num_picked = 0;

    offsets = LLVMBuildSub(e->b, offsets, vsg_jit_splat(e, first, l->num_lanes), "");
    LLVMValueRef by = LLVMConstInt(e->i8, (unsigned)__builtin_ctz(l->bytes), false);
    LLVMValueRef which = LLVMBuildLShr(e->b, offsets, vsg_jit_splat(e, by, l->num_lanes), "");
    which = LLVMBuildZExt(e->b, which, vsg_jit_int(e, 8 * l->bytes, l->num_lanes), "");
    for (uint32_t at = 0; at < l->num_lanes; at += lanes)
        picked[num_picked++] = pick(e, l, table, num, take_register(e, l, which, at));
    for (uint32_t i = 0; i < l->num_lanes; i++)
        places[i] = vsg_jit_i32(e, i);
    return LLVMBuildShuffleVector(e->b, picked[0], picked[num_picked - 1],
                                  LLVMConstVector(places, l->num_lanes), "");
}

/* ---- functions --------------------------------------------------------------------------- */

/* Takes out what nobody asks for any more. */
static void erase(const lookup *l)
{
    for (uint32_t i = 0; i < l->num_lanes && !LLVMGetFirstUse(l->inserted[i]); i++) {
        LLVMValueRef load = LLVMGetOperand(l->inserted[i], 1);
        LLVMInstructionEraseFromParent(l->inserted[i]);
        if (LLVMGetFirstUse(load))
            continue;
        LLVMValueRef at = LLVMGetOperand(load, 0);
        LLVMInstructionEraseFromParent(load);
        if (!LLVMGetFirstUse(at))
            LLVMInstructionEraseFromParent(at);
    }
}

static void permute_table(vsg_jit_emitter *e, LLVMValueRef v)
{
    lookup l;

    if (!find_lookup(v, &l) || !find_table(e, &l))
        return;
    LLVMPositionBuilderBefore(e->b, v);
    LLVMReplaceAllUsesWith(v, make_lookup(e, &l));
    erase(&l);
}

void vsg_jit_permute_tables(vsg_jit_emitter *e)
{
    if (vsg_jit_has_avx512(e))
        vsg_jit_each_instruction(e, permute_table);
}
