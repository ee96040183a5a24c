/* SPDX-License-Identifier: MIT
 *
 * Float operations in the rounding of %cr0. To nearest even they are LLVM's own; in the other
 * modes they are the instructions of AVX-512 that name their rounding. Without AVX-512 they are
 * assembly that sets the host's mode around one instruction of AVX2, or calls (exec/rounded.h),
 * so that the host's mode never changes under LLVM's hands. */
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "exec/fpmode.h"
#include "exec/operand.h"
#include "exec/rounded.h"
#include "jit/frame.h"
#include "jit/lowering.h"
#include "jit/target.h"

bool vsg_jit_has_avx512(const vsg_jit_emitter *e)
{
    return e->level == VISAGE_CPU_AVX512 ||
           (e->level == VISAGE_CPU_NATIVE && vsg_jit_level_runs(VISAGE_CPU_AVX512));
}

bool vsg_jit_has_avx2(const vsg_jit_emitter *e)
{
    return vsg_jit_has_avx512(e) || e->level == VISAGE_CPU_AVX2 ||
           (e->level == VISAGE_CPU_NATIVE && vsg_jit_level_runs(VISAGE_CPU_AVX2));
}

/* ---- calls ------------------------------------------------------------------------------- */

static_assert(sizeof(vsg_exe_rounded_work) <= VSG_JIT_WORK_BYTES, "no room for operations");

/* It has nothing to do with memory but for its work. */
static LLVMValueRef declare_rounded(vsg_jit_emitter *e, LLVMTypeRef signature)
{
    enum { ARGUMENTS_ALONE = 3 }; /* read and written */
    static const char *const names[] = {"nounwind", "willreturn", "nocallback"};
    LLVMValueRef function = LLVMGetNamedFunction(e->module, VSG_JIT_ROUNDED);

    if (function)
        return function;
    function = vsg_jit_callee(e, VSG_JIT_ROUNDED, signature);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        vsg_jit_attribute(e, function, names[i], 0);
    vsg_jit_attribute(e, function, "memory", ARGUMENTS_ALONE);
    return function;
}

/* `count` results of a type. */
static LLVMValueRef call_rounded(vsg_jit_emitter *e, vsg_exe_rounded what,
                                 const LLVMValueRef *in, uint32_t num_sources, LLVMTypeRef type,
                                 uint32_t count, vsg_exe_rounding rounding)
{
    LLVMTypeRef types[] = {e->pointer, e->i32, e->i32, e->i32, e->i32};
    LLVMTypeRef signature =
        LLVMFunctionType(LLVMVoidTypeInContext(e->context), types, 5, false);
    LLVMValueRef work = vsg_jit_work(e);
    LLVMValueRef args[] = {work, vsg_jit_i32(e, what), vsg_jit_i32(e, rounding),
                           vsg_jit_i32(e, e->flushes), vsg_jit_i32(e, count)};

    for (uint32_t i = 0; i < num_sources; i++)
        vsg_jit_store(
            e, in[i],
            vsg_jit_at(e, work,
                       offsetof(vsg_exe_rounded_work, in) + i * sizeof(vsg_exe_numbers)),
            64);
    (void)LLVMBuildCall2(e->b, signature, declare_rounded(e, signature), args, 5, "");
    return vsg_jit_load(e, type, vsg_jit_at(e, work, offsetof(vsg_exe_rounded_work, out)), 64);
}

/* ---- vectors of the host ----------------------------------------------------------------- */

/* An intrinsic on `lanes` elements: those of `args`, then what is the same for all. */
typedef struct wide {
    const char *name;
    const char *text; /* instead of it: an instruction, D its result, A to C its sources */
    LLVMTypeRef result;
    vsg_exe_rounding rounding; /* of that instruction */
    uint32_t lanes;
    LLVMTypeRef *overloads;
    uint32_t num_overloads;
    LLVMValueRef args[3], tail[3];
    uint32_t num_args, num_tail;
} wide;

/* `lanes` elements from `first` on; those that are not there are anything. */
static LLVMValueRef piece_of(vsg_jit_emitter *e, LLVMValueRef value, uint32_t first,
                             uint32_t lanes, uint32_t count)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS];
    LLVMTypeRef type = LLVMTypeOf(value);

    if (count == 1)
        return LLVMBuildInsertElement(e->b, LLVMConstNull(LLVMVectorType(type, lanes)), value,
                                      vsg_jit_i32(e, 0), "");
    if (count == lanes)
        return value;
    for (uint32_t i = 0; i < lanes; i++)
        places[i] = first + i < count ? vsg_jit_i32(e, first + i) : LLVMGetPoison(e->i32);
    return LLVMBuildShuffleVector(e->b, value, LLVMGetPoison(type),
                                  LLVMConstVector(places, lanes), "");
}

/* The first `count` elements of one or two vectors of `lanes`. */
static LLVMValueRef join(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b, uint32_t count)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < count; i++)
        places[i] = vsg_jit_i32(e, i);
    return LLVMBuildShuffleVector(e->b, a, b, LLVMConstVector(places, count), "");
}

/* Two values of MXCSR: of the rounding, and of code around it. */
static LLVMValueRef find_modes(vsg_jit_emitter *e, vsg_exe_rounding rounding)
{
    LLVMValueRef values[] = {vsg_jit_i32(e, vsg_exe_host_mode(rounding, e->flushes)),
                             vsg_jit_i32(e, vsg_exe_host_mode(VSG_EXE_RNE, e->flushes))};
    char name[16];

    (void)snprintf(name, sizeof name, "modes%u", (unsigned)rounding);
    return vsg_jit_stored(e, name, LLVMConstArray2(e->i32, values, 2));
}

/* Registers that assembly may ask for: all but some that LLVM has to have. */
enum { MOST_REGISTERS = 13 };

/* Longer than any that wide.text and so many registers make. */
typedef struct words {
    char text[512];
    size_t length;
} words;

static void put(words *out, const char *text)
{
    size_t length = strlen(text), room = sizeof out->text - 1 - out->length;

    assert(length <= room);
    if (length > room)
        length = room;
    memcpy(out->text + out->length, text, length);
    out->length += length;
}

static void put_operand(words *out, uint32_t number)
{
    char text[8];

    (void)snprintf(text, sizeof text, "$%u", (unsigned)number);
    put(out, text);
}

/* The instruction for one piece of `num`. Operands are the results of all pieces, a pointer to
 * the modes, and the sources of each. */
static void put_piece(words *out, const wide *w, uint32_t piece, uint32_t num)
{
    for (const char *c = w->text; *c; c++) {
        char one[] = {*c, '\0'};
        if (*c == 'D')
            put_operand(out, piece);
        else if (*c >= 'A' && *c <= 'C')
            put_operand(out, num + 1 + piece * w->num_args + (uint32_t)(*c - 'A'));
        else
            put(out, one);
    }
    put(out, "\n\t");
}

/* A function of a pointer to modes and of `num` pieces' sources, which LLVM takes it for. */
static LLVMValueRef assemble(const wide *w, uint32_t num, LLVMTypeRef type)
{
    words code = {.length = 0}, constraints = {.length = 0};

    put(&code, "ldmxcsr (");
    put_operand(&code, num);
    put(&code, ")\n\t");
    for (uint32_t i = 0; i < num; i++) {
        put_piece(&code, w, i, num);
        put(&constraints, "=&x,");
    }
    put(&code, "ldmxcsr 4(");
    put_operand(&code, num);
    put(&code, ")");
    put(&constraints, "r");
    for (uint32_t i = 0; i < num * w->num_args; i++)
        put(&constraints, ",x");
    return LLVMGetInlineAsm(type, code.text, code.length, constraints.text, constraints.length,
                            false, false, LLVMInlineAsmDialectATT, false);
}

/* Pieces from `first` on, as many as there are registers for: to change its mode the host waits
 * for what it has begun. Returns their number. */
static uint32_t call_in_mode(vsg_jit_emitter *e, const wide *w, uint32_t first, uint32_t count,
                             LLVMValueRef *out)
{
    LLVMTypeRef types[1 + MOST_REGISTERS] = {e->pointer}, results[MOST_REGISTERS];
    LLVMValueRef in[1 + MOST_REGISTERS] = {find_modes(e, w->rounding)};
    uint32_t most = MOST_REGISTERS / (1 + w->num_args), num = 0, num_in = 1;

    for (; num < most && first + num * w->lanes < count; num++) {
        results[num] = w->result;
        for (uint32_t i = 0; i < w->num_args; i++, num_in++) {
            in[num_in] = piece_of(e, w->args[i], first + num * w->lanes, w->lanes, count);
            types[num_in] = LLVMTypeOf(in[num_in]);
        }
    }
    LLVMTypeRef result =
        num == 1 ? w->result : LLVMStructTypeInContext(e->context, results, num, false);
    LLVMTypeRef type = LLVMFunctionType(result, types, num_in, false);
    LLVMValueRef all = LLVMBuildCall2(e->b, type, assemble(w, num, type), in, num_in, "");
    for (uint32_t i = 0; i < num; i++)
        out[i] = num == 1 ? all : LLVMBuildExtractValue(e->b, all, i, "");
    return num;
}

/* The piece from `first` on. Returns 1. */
static uint32_t call_wide(vsg_jit_emitter *e, const wide *w, uint32_t first, uint32_t count,
                          LLVMValueRef *out)
{
    LLVMValueRef args[6];

    for (uint32_t i = 0; i < w->num_args; i++)
        args[i] = piece_of(e, w->args[i], first, w->lanes, count);
    for (uint32_t i = 0; i < w->num_tail; i++)
        args[w->num_args + i] = w->tail[i];
    *out = vsg_jit_overloaded(e, w->name, w->overloads, w->num_overloads, args,
                              w->num_args + w->num_tail);
    return 1;
}

static LLVMValueRef apply(vsg_jit_emitter *e, const wide *w, uint32_t count)
{
    LLVMValueRef pieces[VSG_EXE_MAX_CHANNELS];
    uint32_t num = 0;

    while (num * w->lanes < count)
        num += (w->text ? call_in_mode : call_wide)(e, w, num * w->lanes, count, pieces + num);
    assert((num & (num - 1)) == 0);
    for (uint32_t lanes = w->lanes; num > 1; num /= 2, lanes *= 2)
        for (uint32_t i = 0; i < num / 2; i++)
            pieces[i] = join(e, pieces[2 * i], pieces[2 * i + 1], 2 * lanes);
    if (count == 1)
        return LLVMBuildExtractElement(e->b, pieces[0], vsg_jit_i32(e, 0), "");
    return count < w->lanes ? join(e, pieces[0], pieces[0], count) : pieces[0];
}

/* Codes of VCVTPS2PH; of an instruction with rounding in its prefix, and 8 for no exceptions.
 */
static uint32_t code_of(vsg_exe_rounding rounding)
{
    static const uint32_t codes[] = {
        [VSG_EXE_RNE] = 0, [VSG_EXE_RU] = 2, [VSG_EXE_RD] = 1, [VSG_EXE_RTZ] = 3};
    return codes[rounding];
}

enum { HOST_ROUNDING = 4 }; /* a code for instructions with no rounding of their own */

static LLVMValueRef in_prefix(vsg_jit_emitter *e, vsg_exe_rounding rounding)
{
    return vsg_jit_i32(e, 8 | code_of(rounding));
}

/* ---- arithmetic -------------------------------------------------------------------------- */

/* LLVM's backend takes lanes in which both numbers are known to be zero for zeros: 0 / 0 is
 * none. */
static LLVMValueRef divisor(vsg_jit_emitter *e, LLVMValueRef value)
{
    bool is_known = LLVMIsConstant(value) && value != LLVMConstNull(LLVMTypeOf(value));

    if (is_known)
        return value;
    return vsg_jit_intrinsic(e, "llvm.arithmetic.fence", LLVMTypeOf(value), &value, 1);
}

static LLVMValueRef to_nearest(vsg_jit_emitter *e, vsg_jit_operation operation,
                               LLVMTypeRef type, LLVMValueRef *in)
{
    switch (operation) {
    case VSG_JIT_ADD:
        return LLVMBuildFAdd(e->b, in[0], in[1], "");
    case VSG_JIT_MUL:
        return LLVMBuildFMul(e->b, in[0], in[1], "");
    case VSG_JIT_DIV:
        return LLVMBuildFDiv(e->b, in[0], divisor(e, in[1]), "");
    case VSG_JIT_FMA:
        return vsg_jit_intrinsic(e, "llvm.fma", type, in, 3);
    case VSG_JIT_SQRT:
        break;
    }
    return vsg_jit_intrinsic(e, "llvm.sqrt", type, in, 1);
}

LLVMValueRef vsg_jit_operate(vsg_jit_emitter *e, vsg_jit_operation operation, visage_type type,
                             LLVMValueRef *in, uint32_t count, vsg_exe_rounding rounding)
{
#define ROW(id, name, num_args, text_of_f, text_of_df)                                         \
    {                                                                                          \
        "llvm.x86.avx512." name ".ps.512", "llvm.x86.avx512." name ".pd.512", text_of_f,       \
            text_of_df, VSG_EXE_ROUNDED_##id##_F, VSG_EXE_ROUNDED_##id##_DF, num_args          \
    }
#define FMA(letter) "vmovap" letter " A, D\n\tvfmadd213p" letter " C, B, D"
    static const struct {
        const char *of_f, *of_df, *text_of_f, *text_of_df;
        vsg_exe_rounded by_f, by_df;
        uint32_t num_args;
    } rows[] = {
        [VSG_JIT_ADD] = ROW(ADD, "add", 2, "vaddps B, A, D", "vaddpd B, A, D"),
        [VSG_JIT_MUL] = ROW(MUL, "mul", 2, "vmulps B, A, D", "vmulpd B, A, D"),
        [VSG_JIT_DIV] = ROW(DIV, "div", 2, "vdivps B, A, D", "vdivpd B, A, D"),
        [VSG_JIT_FMA] = ROW(FMA, "vfmadd", 3, FMA("s"), FMA("d")),
        [VSG_JIT_SQRT] = ROW(SQRT, "sqrt", 1, "vsqrtps A, D", "vsqrtpd A, D"),
    };
#undef FMA
#undef ROW
    bool is_double = type == VISAGE_TYPE_DF;
    LLVMTypeRef own = vsg_jit_float(e, type, count);

    if (rounding == VSG_EXE_RNE)
        return to_nearest(e, operation, own, in);
    if (!vsg_jit_has_avx2(e))
        return call_rounded(e, is_double ? rows[operation].by_df : rows[operation].by_f, in,
                            rows[operation].num_args, own, count, rounding);
    wide w = {.name = is_double ? rows[operation].of_df : rows[operation].of_f,
              .lanes = is_double ? 8 : 16,
              .num_args = rows[operation].num_args,
              .tail = {in_prefix(e, rounding)},
              .num_tail = 1};
    if (!vsg_jit_has_avx512(e)) {
        w.text = is_double ? rows[operation].text_of_df : rows[operation].text_of_f;
        w.lanes = is_double ? 4 : 8;
        w.result = vsg_jit_float(e, type, w.lanes);
        w.rounding = rounding;
    }
    for (uint32_t i = 0; i < w.num_args; i++)
        w.args[i] = in[i];
    return apply(e, &w, count);
}

/* ---- conversions ------------------------------------------------------------------------- */

static vsg_exe_rounded conversion_of(const vsg_jit_integers *from, visage_type type)
{
    if (from->bits == 32)
        return from->is_signed ? VSG_EXE_ROUNDED_D_TO_F : VSG_EXE_ROUNDED_UD_TO_F;
    if (type == VISAGE_TYPE_F)
        return from->is_signed ? VSG_EXE_ROUNDED_Q_TO_F : VSG_EXE_ROUNDED_UQ_TO_F;
    return from->is_signed ? VSG_EXE_ROUNDED_Q_TO_DF : VSG_EXE_ROUNDED_UQ_TO_DF;
}

/* The upper half of a number times 2 to the power of its bits, and the lower half: both are
 * exact, and their sum is rounded once. */
static LLVMValueRef add_halves(vsg_jit_emitter *e, const vsg_jit_integers *from,
                               visage_type type, uint32_t count, vsg_exe_rounding rounding)
{
    uint32_t bits = from->bits / 2;
    LLVMTypeRef own = vsg_jit_int(e, from->bits, 1), to = vsg_jit_float(e, type, count);
    LLVMTypeRef half = vsg_jit_int(e, 32, count); /* which converts quickly */
    LLVMValueRef shift = vsg_jit_splat(e, LLVMConstInt(own, bits, false), count);
    LLVMValueRef low =
        vsg_jit_splat(e, LLVMConstInt(own, (UINT64_C(1) << bits) - 1, false), count);
    LLVMValueRef scale = vsg_jit_splat(
        e, LLVMConstReal(vsg_jit_float(e, type, 1), (double)(UINT64_C(1) << bits)), count);
    LLVMValueRef upper = from->is_signed ? LLVMBuildAShr(e->b, from->value, shift, "")
                                         : LLVMBuildLShr(e->b, from->value, shift, "");
    LLVMValueRef lower = LLVMBuildAnd(e->b, from->value, low, "");

    if (from->bits > 32) {
        upper = LLVMBuildTrunc(e->b, upper, half, "");
        lower = LLVMBuildTrunc(e->b, lower, half, "");
    }
    upper = from->is_signed ? LLVMBuildSIToFP(e->b, upper, to, "")
                            : LLVMBuildUIToFP(e->b, upper, to, "");
    LLVMValueRef in[] = {LLVMBuildFMul(e->b, upper, scale, ""),
                         LLVMBuildUIToFP(e->b, lower, to, "")};
    return vsg_jit_operate(e, VSG_JIT_ADD, type, in, count, rounding);
}

/* Without AVX-512. */
static LLVMValueRef from_int(vsg_jit_emitter *e, const vsg_jit_integers *from, visage_type type,
                             uint32_t count, vsg_exe_rounding rounding)
{
    LLVMTypeRef to = vsg_jit_float(e, type, count);
    bool is_quad = from->bits == 64;

    if (!vsg_jit_has_avx2(e) || (is_quad && type == VISAGE_TYPE_F))
        return call_rounded(e, conversion_of(from, type), &from->value, 1, to, count, rounding);
    if (is_quad || !from->is_signed)
        return add_halves(e, from, type, count, rounding);
    wide w = {.text = "vcvtdq2ps A, D",
              .result = vsg_jit_float(e, VISAGE_TYPE_F, 8),
              .rounding = rounding,
              .lanes = 8,
              .args = {from->value},
              .num_args = 1};
    return apply(e, &w, count);
}

LLVMValueRef vsg_jit_from_int(vsg_jit_emitter *e, const vsg_jit_integers *from,
                              visage_type type, uint32_t count, vsg_exe_rounding rounding)
{
    LLVMTypeRef to = vsg_jit_float(e, type, count);
    uint32_t lanes = from->bits == 64 ? 8 : 16;
    bool is_exact = from->bits < 32 || (from->bits == 32 && type == VISAGE_TYPE_DF);

    if (rounding == VSG_EXE_RNE || is_exact)
        return from->is_signed ? LLVMBuildSIToFP(e->b, from->value, to, "")
                               : LLVMBuildUIToFP(e->b, from->value, to, "");
    if (!vsg_jit_has_avx512(e))
        return from_int(e, from, type, count, rounding);
    LLVMTypeRef types[] = {vsg_jit_float(e, type, lanes), vsg_jit_int(e, from->bits, lanes)};
    wide w = {.name = from->is_signed ? "llvm.x86.avx512.sitofp.round"
                                      : "llvm.x86.avx512.uitofp.round",
              .lanes = lanes,
              .overloads = types,
              .num_overloads = 2,
              .args = {from->value},
              .num_args = 1,
              .tail = {in_prefix(e, rounding)},
              .num_tail = 1};
    return apply(e, &w, count);
}

LLVMValueRef vsg_jit_double_to_float(vsg_jit_emitter *e, LLVMValueRef value, uint32_t count,
                                     vsg_exe_rounding rounding)
{
    if (rounding == VSG_EXE_RNE)
        return LLVMBuildFPTrunc(e->b, value, vsg_jit_float(e, VISAGE_TYPE_F, count), "");
    if (!vsg_jit_has_avx2(e))
        return call_rounded(e, VSG_EXE_ROUNDED_DF_TO_F, &value, 1,
                            vsg_jit_float(e, VISAGE_TYPE_F, count), count, rounding);
    wide host = {.text = "vcvtpd2psy A, D",
                 .result = vsg_jit_float(e, VISAGE_TYPE_F, 4),
                 .rounding = rounding,
                 .lanes = 4,
                 .args = {value},
                 .num_args = 1};
    if (!vsg_jit_has_avx512(e))
        return apply(e, &host, count);
    wide w = {.name = "llvm.x86.avx512.mask.cvtpd2ps.512",
              .lanes = 8,
              .args = {value},
              .num_args = 1,
              .tail = {LLVMConstNull(vsg_jit_float(e, VISAGE_TYPE_F, 8)),
                       LLVMConstInt(e->i8, 0xff, false), in_prefix(e, rounding)},
              .num_tail = 3};
    return apply(e, &w, count);
}

LLVMValueRef vsg_jit_float_to_half(vsg_jit_emitter *e, LLVMValueRef value, uint32_t count,
                                   vsg_exe_rounding rounding)
{
    LLVMTypeRef half = vsg_jit_float(e, VISAGE_TYPE_HF, count);

    if (rounding == VSG_EXE_RNE)
        return LLVMBuildFPTrunc(e->b, value, half, "");
    wide narrow = {.name = "llvm.x86.vcvtps2ph.256",
                   .lanes = 8,
                   .args = {value},
                   .num_args = 1,
                   .tail = {vsg_jit_i32(e, code_of(rounding))},
                   .num_tail = 1};
    if (!vsg_jit_has_avx512(e))
        return LLVMBuildBitCast(e->b, apply(e, &narrow, count), half, "");
    wide w = {.name = "llvm.x86.avx512.mask.vcvtps2ph.512",
              .lanes = 16,
              .args = {value},
              .num_args = 1,
              .tail = {vsg_jit_i32(e, code_of(rounding)), LLVMConstNull(vsg_jit_int(e, 16, 16)),
                       LLVMConstInt(e->i16, 0xffff, false)},
              .num_tail = 3};
    return LLVMBuildBitCast(e->b, apply(e, &w, count), half, "");
}

LLVMValueRef vsg_jit_estimate_rsqrt(vsg_jit_emitter *e, LLVMValueRef x, uint32_t count)
{
    wide w = {.name = "llvm.x86.avx512.rsqrt14.ps.512",
              .lanes = 16,
              .args = {x},
              .num_args = 1,
              .tail = {LLVMConstNull(vsg_jit_float(e, VISAGE_TYPE_F, 16)),
                       LLVMConstInt(e->i16, 0xffff, false)},
              .num_tail = 2};
    return apply(e, &w, count);
}

LLVMValueRef vsg_jit_settle_rsqrt(vsg_jit_emitter *e, LLVMValueRef x, LLVMValueRef y,
                                  uint32_t count)
{
    /* By what an argument is, a hexadecimal digit each, from the lowest: a NaN, quiet or not,
     * comes back quiet (2); of zero infinity with its sign (6); 1 is as it is (0); minus
     * infinity has no root (3), infinity 0 (8), numbers below 0 none (3), others are as they
     * are. Source: Intel's manual of the instruction set, VFIXUPIMMPS. */
    const uint32_t table = 0x03830622;
    wide w = {.name = "llvm.x86.avx512.mask.fixupimm.ps.512",
              .lanes = 16,
              .args = {y, x, vsg_jit_splat(e, vsg_jit_i32(e, table), count)},
              .num_args = 3,
              .tail = {vsg_jit_i32(e, 0), LLVMConstInt(e->i16, 0xffff, false),
                       vsg_jit_i32(e, HOST_ROUNDING)},
              .num_tail = 3};

    return apply(e, &w, count);
}

LLVMValueRef vsg_jit_scale(vsg_jit_emitter *e, LLVMValueRef x, LLVMValueRef n, uint32_t count)
{
    wide w = {.name = "llvm.x86.avx512.mask.scalef.ps.512",
              .lanes = 16,
              .args = {x, n},
              .num_args = 2,
              .tail = {LLVMConstNull(vsg_jit_float(e, VISAGE_TYPE_F, 16)),
                       LLVMConstInt(e->i16, 0xffff, false), vsg_jit_i32(e, HOST_ROUNDING)},
              .num_tail = 3};
    return apply(e, &w, count);
}

LLVMValueRef vsg_jit_look_up(vsg_jit_emitter *e, const LLVMValueRef in[3], uint8_t table)
{
    LLVMTypeRef type = LLVMTypeOf(in[0]);
    bool is_wide = LLVMGetElementType(type) == e->i64;
    wide w = {.name =
                  is_wide ? "llvm.x86.avx512.pternlog.q.512" : "llvm.x86.avx512.pternlog.d.512",
              .lanes = is_wide ? 8 : 16,
              .args = {in[0], in[1], in[2]},
              .num_args = 3,
              .tail = {vsg_jit_i32(e, table)},
              .num_tail = 1};

    return apply(e, &w, LLVMGetVectorSize(type));
}

LLVMValueRef vsg_jit_choose_odd(vsg_jit_emitter *e, LLVMValueRef down, LLVMValueRef up,
                                uint32_t count)
{
    LLVMTypeRef type = vsg_jit_int(e, 32, count);
    LLVMValueRef bits = LLVMBuildBitCast(e->b, down, type, "");
    LLVMValueRef last =
        LLVMBuildAnd(e->b, bits, vsg_jit_splat(e, vsg_jit_i32(e, 1), count), "");
    /* Not a truncation to bits, for which LLVM shifts before it tests. */
    LLVMValueRef is_odd = LLVMBuildICmp(e->b, LLVMIntNE, last, LLVMConstNull(type), "");

    return LLVMBuildSelect(e->b, is_odd, down, up, "");
}

/* What a sum to nearest lost. Source: Knuth, The Art of Computer Programming, 4.2.2. */
static LLVMValueRef lost_in(vsg_jit_emitter *e, LLVMValueRef sum, LLVMValueRef a,
                            LLVMValueRef b)
{
    LLVMValueRef of_b = LLVMBuildFSub(e->b, sum, a, "");
    LLVMValueRef of_a = LLVMBuildFSub(e->b, sum, of_b, "");

    return LLVMBuildFAdd(e->b, LLVMBuildFSub(e->b, a, of_a, ""),
                         LLVMBuildFSub(e->b, b, of_b, ""), "");
}

LLVMValueRef vsg_jit_add_to_odd(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b,
                                uint32_t count)
{
    LLVMTypeRef type = vsg_jit_int(e, 32, count);
    LLVMValueRef sum = LLVMBuildFAdd(e->b, a, b, "");
    LLVMValueRef lost = lost_in(e, sum, a, b);
    LLVMValueRef bits = LLVMBuildBitCast(e->b, sum, type, "");
    LLVMValueRef one = vsg_jit_splat(e, vsg_jit_i32(e, 1), count);
    /* Of sums that are infinite or no number what is lost is no number. */
    LLVMValueRef is_off =
        LLVMBuildFCmp(e->b, LLVMRealONE, lost, LLVMConstNull(LLVMTypeOf(sum)), "");

    /* Toward zero, 1 less or the same, then odd, is the odd one of the two around it. */
    LLVMValueRef parts = LLVMBuildXor(e->b, bits, LLVMBuildBitCast(e->b, lost, type, ""), "");
    LLVMValueRef below =
        LLVMBuildAShr(e->b, parts, vsg_jit_splat(e, vsg_jit_i32(e, 31), count), "");
    LLVMValueRef odd = LLVMBuildOr(e->b, LLVMBuildAdd(e->b, bits, below, ""), one, "");

    bits = LLVMBuildSelect(e->b, is_off, odd, bits, "");
    return LLVMBuildBitCast(e->b, bits, LLVMTypeOf(sum), "");
}
