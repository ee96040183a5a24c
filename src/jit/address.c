/* SPDX-License-Identifier: MIT
 *
 * Address variables, and operands that are found through them. A test finds out whether all
 * elements lie in the variables; then they are read and written in the frame, where variables
 * are whose address is taken. All else, faults among it, is the handler's (operand.c). */
#include "exec/operand.h"
#include "jit/elements.h"
#include "jit/frame.h"
#include "jit/lowering.h"

/* ---- addresses --------------------------------------------------------------------------- */

LLVMValueRef vsg_jit_addresses_at(vsg_jit_emitter *e, uint32_t element)
{
    return vsg_jit_at(e, e->registers, e->unit->addresses_at + UINT64_C(4) * element);
}

/* `count` numbers of 32 bits: the first `width` elements from `first` on, over and over. */
static LLVMValueRef read_addresses(vsg_jit_emitter *e, uint32_t first, uint32_t width,
                                   uint32_t count)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS];
    uint32_t loaded = width < count ? width : count;
    LLVMValueRef value =
        vsg_jit_load(e, vsg_jit_int(e, 32, loaded), vsg_jit_addresses_at(e, first), 4);

    if (loaded == 1)
        return vsg_jit_splat(e, value, count);
    if (loaded == count)
        return value;
    for (uint32_t i = 0; i < count; i++)
        places[i] = vsg_jit_i32(e, i % loaded);
    return LLVMBuildShuffleVector(e->b, value, LLVMGetPoison(LLVMTypeOf(value)),
                                  LLVMConstVector(places, count), "");
}

static uint32_t width_of(const vsg_exe_operand *operand)
{
    return operand->width ? operand->width : 1;
}

static bool has_addresses(const vsg_jit_emitter *e, uint32_t first, uint32_t count)
{
    return first < e->unit->num_addresses && count <= e->unit->num_addresses - first;
}

/* A UW stands for a step back (exec_move.c). */
LLVMValueRef vsg_jit_read_step(vsg_jit_emitter *e, const vsg_exe_operand *step, uint32_t count)
{
    if (step->type != VISAGE_TYPE_UW)
        return vsg_jit_read_int(e, step, count, 32);
    return vsg_jit_extend(e, vsg_jit_read_int(e, step, count, 16), 16, 32, count, true);
}

bool vsg_jit_lower_addr_add(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    const vsg_exe_operand *base = &inst->src[0], *step = &inst->src[1];
    uint32_t count = inst->exec_size;
    bool is_read = base->kind == VSG_EXE_OPERAND_ADDRESS;
    LLVMValueRef a, b;

    if (inst->dst.kind != VSG_EXE_OPERAND_ADDRESS || !vsg_jit_has_values(step) ||
        !vsg_jit_is_integer(step->type) || !has_addresses(e, inst->dst.index, count) ||
        (is_read ? !has_addresses(e, base->index, width_of(base))
                 : !vsg_jit_has_values(base) || !vsg_jit_is_integer(base->type)))
        return false;
    a = is_read ? read_addresses(e, base->index, width_of(base), count)
                : vsg_jit_read_int(e, base, count, 32);
    b = vsg_jit_read_step(e, step, count);
    LLVMValueRef sum = LLVMBuildAdd(e->b, a, b, "");
    LLVMValueRef at = vsg_jit_addresses_at(e, inst->dst.index);
    LLVMValueRef lanes = vsg_jit_lanes(e, vsg_jit_channels(e, inst), count);
    if (lanes) {
        LLVMValueRef old = vsg_jit_load(e, LLVMTypeOf(sum), at, 4);
        sum = LLVMBuildSelect(e->b, lanes, sum, old, "");
    }
    vsg_jit_store(e, sum, at, 4);
    return true;
}

/* ---- operands ---------------------------------------------------------------------------- */

/* An operand's bytes in the frame, before it is known that all are there. */
typedef struct finding {
    LLVMValueRef offsets; /* one for all channels, or one for each */
    LLVMValueRef is_good; /* i1 */
} finding;

static uint64_t furthest(const vsg_exe_operand *operand, uint32_t count)
{
    int64_t last = 0;

    for (uint32_t i = 0; i < count; i++)
        if (vsg_exe_distance(operand, i) > last)
            last = vsg_exe_distance(operand, i);
    return (uint64_t)last;
}

/* One address: the elements from it on. */
static finding find_all(vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count)
{
    uint64_t reach = furthest(operand, count) + operand->bytes;
    LLVMValueRef address = vsg_jit_load(e, e->i32, vsg_jit_addresses_at(e, operand->index), 4);
    LLVMValueRef add = vsg_jit_i64(e, (uint64_t)(int64_t)operand->indirect_bytes);
    LLVMValueRef most = vsg_jit_i64(e, e->unit->variable_bytes - reach);
    finding found;

    found.offsets = LLVMBuildAdd(e->b, LLVMBuildSExt(e->b, address, e->i64, ""), add, "");
    found.is_good = LLVMBuildICmp(e->b, LLVMIntULE, found.offsets, most, "");
    return found;
}

/* Channels whose elements matter: one that is off may have any address. */
static LLVMValueRef reading_channels(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t flags = vsg_isa_op((visage_op)inst->op)->flags;

    if (flags & (VSG_ISA_PRED_SELECTS | VSG_ISA_PRED_RESULT))
        return vsg_jit_enabled(e, inst);
    return vsg_jit_channels(e, inst);
}

/* An address for each row. Numbers of 32 bits do: frames are far smaller than what a sum would
 * have to be to wrap around into them. */
static finding find_each(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                         const vsg_exe_operand *operand)
{
    uint32_t count = inst->exec_size, width = width_of(operand);
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS], steps[VSG_EXE_MAX_CHANNELS];
    uint32_t rows = (count + width - 1) / width;
    LLVMValueRef addresses = read_addresses(e, operand->index, rows, rows);
    LLVMValueRef most = vsg_jit_i32(e, e->unit->variable_bytes - operand->bytes);
    LLVMValueRef lanes = vsg_jit_lanes(e, reading_channels(e, inst), count);
    finding found;

    for (uint32_t i = 0; i < count; i++) {
        places[i] = vsg_jit_i32(e, i / width);
        steps[i] =
            vsg_jit_i32(e, (uint32_t)(operand->indirect_bytes + vsg_exe_distance(operand, i)));
    }
    if (rows == 1)
        addresses = vsg_jit_splat(e, addresses, count);
    else if (rows != count)
        addresses =
            LLVMBuildShuffleVector(e->b, addresses, LLVMGetPoison(LLVMTypeOf(addresses)),
                                   LLVMConstVector(places, count), "");
    found.offsets = LLVMBuildAdd(e->b, addresses, LLVMConstVector(steps, count), "");
    if (lanes)
        found.offsets = LLVMBuildSelect(e->b, lanes, found.offsets,
                                        LLVMConstNull(LLVMTypeOf(found.offsets)), "");
    LLVMValueRef good =
        LLVMBuildICmp(e->b, LLVMIntULE, found.offsets, vsg_jit_splat(e, most, count), "");
    found.is_good = LLVMBuildICmp(e->b, LLVMIntEQ, vsg_jit_bits(e, good, count),
                                  vsg_jit_i32(e, vsg_exe_first(count)), "");
    return found;
}

static bool is_each(const vsg_exe_inst *inst, const vsg_exe_operand *operand)
{
    return operand->multi_address && inst->exec_size > 1;
}

static LLVMValueRef pointers_to(vsg_jit_emitter *e, const finding *found)
{
    LLVMValueRef offsets = found->offsets;
    return LLVMBuildGEP2(e->b, e->i8, e->registers, &offsets, 1, "");
}

static LLVMValueRef gather(vsg_jit_emitter *e, const finding *found, uint32_t bytes,
                           uint32_t count)
{
    LLVMTypeRef types[] = {vsg_jit_int(e, 8 * bytes, count), LLVMVectorType(e->pointer, count)};
    LLVMValueRef args[] = {pointers_to(e, found), vsg_jit_i32(e, 1),
                           LLVMConstAllOnes(vsg_jit_int(e, 1, count)), LLVMConstNull(types[0])};

    return vsg_jit_overloaded(e, "llvm.masked.gather", types, 2, args, 4);
}

/* ---- instructions ------------------------------------------------------------------------ */

static bool can_find(const vsg_jit_emitter *e, const vsg_exe_inst *inst,
                     const vsg_exe_operand *operand)
{
    uint32_t count = inst->exec_size;

    if (operand->kind == VSG_EXE_OPERAND_ADDRESS)
        return has_addresses(e, operand->index, width_of(operand));
    if (operand->kind != VSG_EXE_OPERAND_INDIRECT)
        return true;
    if (is_each(inst, operand))
        return operand != &inst->dst && operand->bytes <= e->unit->variable_bytes &&
               has_addresses(e, operand->index,
                             (count + width_of(operand) - 1) / width_of(operand));
    return has_addresses(e, operand->index, 1) &&
           furthest(operand, count) + operand->bytes <= e->unit->variable_bytes;
}

static bool is_found(const vsg_exe_operand *operand)
{
    return operand->kind == VSG_EXE_OPERAND_INDIRECT ||
           operand->kind == VSG_EXE_OPERAND_ADDRESS;
}

/* Operand n of an instruction: the destination, then the sources. */
static const vsg_exe_operand *operand_of(const vsg_exe_inst *inst, uint32_t n)
{
    return n == 0 ? &inst->dst : &inst->src[n - 1];
}

static bool is_addressed(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    bool any = false, all = true;

    if (inst->message || inst->dst2.kind == VSG_EXE_OPERAND_INDIRECT ||
        inst->dst.kind == VSG_EXE_OPERAND_ADDRESS ||
        (vsg_isa_op((visage_op)inst->op)->flags & VSG_ISA_OWN_SHAPE))
        return false;
    for (uint32_t n = 0; n <= inst->num_sources; n++) {
        any |= is_found(operand_of(inst, n));
        all &= can_find(e, inst, operand_of(inst, n));
    }
    return any && all;
}

/* Looks for the indirect operands, and goes on where all are in the variables. */
static void find_operands(vsg_jit_emitter *e, const vsg_exe_inst *inst, finding *found,
                          LLVMBasicBlockRef quick, LLVMBasicBlockRef slow)
{
    LLVMValueRef good = LLVMConstInt(e->i1, 1, false);

    for (uint32_t n = 0; n <= inst->num_sources; n++) {
        const vsg_exe_operand *operand = operand_of(inst, n);
        if (operand->kind != VSG_EXE_OPERAND_INDIRECT)
            continue;
        found[n] = is_each(inst, operand) ? find_each(e, inst, operand)
                                          : find_all(e, operand, inst->exec_size);
        good = LLVMBuildAnd(e->b, good, found[n].is_good, "");
    }
    LLVMBuildCondBr(e->b, good, quick, slow);
}

/* What a found operand is for the rest of the compiler. */
static void take_operand(vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t n,
                         const finding *found, vsg_exe_operand *out)
{
    const vsg_exe_operand *operand = operand_of(inst, n);
    uint32_t count = inst->exec_size;

    if (operand->kind == VSG_EXE_OPERAND_ADDRESS) {
        e->found[n] = read_addresses(e, operand->index, width_of(operand), count);
        out->type = VISAGE_TYPE_UD;
        out->bytes = 4;
    } else if (n == 0) {
        e->found[n] = pointers_to(e, found);
    } else if (is_each(inst, operand)) {
        e->found[n] = gather(e, found, operand->bytes, count);
    } else {
        e->found[n] = vsg_jit_read_at(e, operand, count, pointers_to(e, found));
    }
    out->kind = VSG_JIT_OPERAND_FOUND;
    out->index = n;
}

static bool lower_found(vsg_jit_emitter *e, const vsg_exe_inst *inst, vsg_jit_lower lower)
{
    finding found[1 + VSG_EXE_MAX_SOURCES];
    vsg_exe_inst direct = *inst;

    if (!is_addressed(e, inst))
        return false;
    LLVMBasicBlockRef quick = vsg_jit_block(e), slow = vsg_jit_block(e);
    LLVMBasicBlockRef done = vsg_jit_block(e);
    find_operands(e, inst, found, quick, slow);
    vsg_jit_go_on(e, quick);
    for (uint32_t n = 0; n <= inst->num_sources; n++)
        if (is_found(operand_of(inst, n)))
            take_operand(e, inst, n, &found[n], n == 0 ? &direct.dst : &direct.src[n - 1]);
    bool is_lowered = lower(e, &direct);
    LLVMBuildBr(e->b, is_lowered ? done : slow);
    vsg_jit_go_on(e, slow);
    vsg_jit_call_handler_rarely(e);
    LLVMBuildBr(e->b, done);
    vsg_jit_go_on(e, done);
    return true;
}

static bool lower_one(vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t channel,
                      vsg_jit_lower lower)
{
    LLVMBasicBlockRef on = vsg_jit_block(e), off = vsg_jit_block(e);
    LLVMValueRef enabled = vsg_jit_enabled(e, inst);
    LLVMValueRef is_on = LLVMConstInt(e->i1, 1, false);
    vsg_exe_inst one = *inst;

    one.exec_size = 1;
    one.no_mask = true;
    one.predicate_mode = 0;
    one.dst.indirect_bytes += (int32_t)vsg_exe_distance(&inst->dst, channel);
    if (!is_addressed(e, &one))
        return false;
    if (enabled)
        is_on = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, enabled, vsg_jit_i32(e, channel), ""),
                               e->i1, "");
    LLVMBuildCondBr(e->b, is_on, on, off);
    vsg_jit_go_on(e, on);
    bool is_lowered = lower_found(e, &one, lower);
    LLVMBuildBr(e->b, off);
    vsg_jit_go_on(e, off);
    return is_lowered;
}

bool vsg_jit_lower_addressed(vsg_jit_emitter *e, const vsg_exe_inst *inst, vsg_jit_lower lower)
{
    uint32_t channel;

    if (vsg_jit_lower_elements(e, inst))
        return true;
    if (vsg_jit_is_element(e, inst, e->place, &channel))
        return lower_one(e, inst, channel, lower);
    return lower_found(e, inst, lower);
}
