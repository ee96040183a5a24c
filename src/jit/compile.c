/* SPDX-License-Identifier: MIT
 *
 * LLVM around the code generator. Everything of LLVM that a compilation uses is its own, so
 * that several may go on at once. */
#include "jit/compile.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "jit/alike.h"
#include "jit/apart.h"
#include "jit/chains.h"
#include "jit/columns.h"
#include "jit/divide.h"
#include "jit/elements.h"
#include "jit/emit.h"
#include "jit/entry.h"
#include "jit/frame.h"
#include "jit/group.h"
#include "jit/halves.h"
#include "jit/hoist.h"
#include "jit/keep.h"
#include "jit/lines.h"
#include "jit/locals.h"
#include "jit/logic.h"
#include "jit/lookups.h"
#include "jit/loops.h"
#include "jit/low_bits.h"
#include "jit/lowering.h"
#include "jit/marks.h"
#include "jit/memories.h"
#include "jit/pile.h"
#include "jit/plain.h"
#include "jit/prefix.h"
#include "jit/promote.h"
#include "jit/qwords.h"
#include "jit/rows.h"
#include "jit/spread.h"
#include "jit/sums.h"
#include "jit/target.h"
#include "jit/trace.h"
#include "jit/weave.h"

static bool drop(LLVMErrorRef error)
{
    if (error)
        LLVMConsumeError(error);
    return error == NULL;
}

/* ---- the processor ----------------------------------------------------------------------- */

typedef struct processor {
    const char *cpu, *features;
    char *host_cpu, *host_features; /* LLVM's; NULL: not asked for */
} processor;

static bool find_processor(visage_cpu level, processor *out)
{
    *out = (processor){.cpu = vsg_jit_level_cpu(level), .features = ""};
    if (out->cpu)
        return true;
    out->cpu = out->host_cpu = LLVMGetHostCPUName();
    out->features = out->host_features = LLVMGetHostCPUFeatures();
    return out->cpu && out->features;
}

static void free_processor(const processor *old)
{
    if (old->host_cpu)
        LLVMDisposeMessage(old->host_cpu);
    if (old->host_features)
        LLVMDisposeMessage(old->host_features);
}

/* ---- how much to do ---------------------------------------------------------------------- */

/* What LLVM's own list for speed does here, at three fifths of its price: the rest of that list
 * is for calls, for loops that could be vectors, and the same again. Channels' flags want jumps
 * threaded through them, checks want GVN, which finds what an earlier one has found. START is
 * for text as it is emitted: all its variables are whole. */
#define COMBINE "instcombine<no-verify-fixpoint>"
#define START   "simplifycfg,mem2reg,early-cse,simplifycfg"
#define VALUES  "sroa,early-cse<memssa>,simplifycfg"
#define IMPROVE                                                                                \
    "jump-threading,correlated-propagation,simplifycfg,loop-mssa(licm),gvn," COMBINE           \
    ",loop(indvars,loop-deletion,loop-unroll-full),dse,adce,simplifycfg,sink"
/* Where jumps over a few operations become selects, long text becomes one block, of which the
 * instruction selection of least effort takes the square of its length. */
#define LEAST "mem2reg,early-cse,adce,simplifycfg<no-speculate-blocks>"

/* Large units are optimised less, so that compile time stays in proportion. */
typedef struct effort {
    uint32_t below; /* instructions */
    uint32_t each;  /* microseconds that one takes to compile, about, from measurements */
    LLVMCodeGenOptLevel level;
    bool relieves; /* loops of tests */
    bool traces;   /* text without loops */
    /* Passes, until dwords are joined (qwords.h) and behind that; NULL: none. */
    const char *values, *improve;
} effort;

static const effort efforts[] = {
    {400, 150, LLVMCodeGenLevelDefault, true, true, VALUES, COMBINE "," IMPROVE},
    {1000, 150, LLVMCodeGenLevelLess, false, true, VALUES, COMBINE "," IMPROVE},
    {5000, 400, LLVMCodeGenLevelLess, false, false, VALUES, COMBINE ",adce,simplifycfg"},
    {UINT32_MAX, 150, LLVMCodeGenLevelNone, false, false, LEAST, NULL},
};

/* Instructions from which on code is not made again with more effort. That takes up to four
 * times as long, 4 s and more where there are so many. */
enum { MOST_AGAIN = 16000 };

static uint32_t length_of_unit(const vsg_exe_unit *unit)
{
    return unit->num_code - vsg_jit_count_spared(unit);
}

static bool is_least(const effort *chosen)
{
    return chosen->level == LLVMCodeGenLevelNone;
}

static const effort *effort_by_length(uint32_t length)
{
    const effort *found = efforts;

    while (found->below != UINT32_MAX && length >= found->below)
        found++;
    return found;
}

bool vsg_jit_is_rough(const vsg_exe_unit *unit)
{
    uint32_t length = length_of_unit(unit);

    return is_least(effort_by_length(length)) && length < MOST_AGAIN;
}

static const effort *effort_as_asked(const vsg_exe_unit *unit, vsg_jit_effort asked)
{
    if (asked == VSG_JIT_EFFORT_LEAST)
        return effort_by_length(UINT32_MAX);
    const effort *found = effort_by_length(length_of_unit(unit));
    return asked == VSG_JIT_EFFORT_MOST && vsg_jit_is_rough(unit) ? found - 1 : found;
}

uint64_t vsg_jit_cost(const vsg_exe_unit *unit, vsg_jit_effort asked)
{
    return (uint64_t)unit->num_code * effort_as_asked(unit, asked)->each * 1000;
}

static const effort *effort_for(const vsg_jit_task *task)
{
    const vsg_exe_unit *unit = &task->program->units[task->request->unit];

    return effort_as_asked(unit, task->is_quick ? VSG_JIT_EFFORT_LEAST : task->request->effort);
}

/* ---- whole groups ------------------------------------------------------------------------ */

/* Instructions of LLVM's, above which a group as a whole costs seconds: as it is emitted, and
 * when its loops are unrolled and what follows from that is done. */
enum { MOST_EMITTED = 28000, MOST_UNROLLED = 16000 };

static uint32_t length_of(LLVMValueRef function)
{
    uint32_t length = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
            length++;
    return length;
}

/* Is the function for groups longer than that? Then all is to be made again, with less. */
static bool is_too_long(vsg_jit_emitter *e, uint32_t most, vsg_jit_group_care next)
{
    bool is_long = e->group && e->care.group < next && length_of(e->function) > most;

    if (is_long)
        e->next_care.group = next;
    return is_long;
}

/* ---- channels that are apart ------------------------------------------------------------- */

/* Each is some of the host's instructions, without one that moves many. With more of them than
 * this those outside of loops are moved by calls, and with more in loops than that all. Text
 * for AVX-512 has masks for them: 4,700 in place take half the time of calls, and twice as long
 * to compile. */
enum { MOST_APART = 400, MOST_APART_IN_LOOPS = 1000, MOST_WITH_MASKS = 7000 };

/* Is so much moved in place that all is to be made again, with more calls? */
static bool has_too_many_apart(vsg_jit_emitter *e)
{
    static const uint32_t with_masks[] = {MOST_WITH_MASKS, MOST_WITH_MASKS, UINT32_MAX};
    static const uint32_t without[] = {MOST_APART, MOST_APART_IN_LOOPS, UINT32_MAX};
    const uint32_t *most = vsg_jit_has_avx512(e) ? with_masks : without;
    bool has = e->keeps && e->num_apart > most[e->care.calls];

    if (has)
        e->next_care.calls++;
    return has;
}

/* ---- one unit ---------------------------------------------------------------------------- */

static LLVMTargetMachineRef make_machine(const processor *host, LLVMCodeGenOptLevel level)
{
    char *triple = LLVMGetDefaultTargetTriple();
    LLVMTargetRef target = NULL;
    LLVMTargetMachineRef machine = NULL;
    char *message = NULL;

    if (!LLVMGetTargetFromTriple(triple, &target, &message))
        machine = LLVMCreateTargetMachine(target, triple, host->cpu, host->features, level,
                                          LLVMRelocPIC, LLVMCodeModelSmall);
    LLVMDisposeMessage(message);
    LLVMDisposeMessage(triple);
    return machine;
}

static void describe(vsg_jit_emitter *e, LLVMValueRef function, const char *name,
                     const char *value)
{
    LLVMAttributeRef attribute = LLVMCreateStringAttribute(
        e->context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));

    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            attribute);
}

static void describe_functions(vsg_jit_emitter *e, const processor *host)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMCountBasicBlocks(f) == 0)
            continue;
        describe(e, f, "target-cpu", host->cpu);
        describe(e, f, "target-features", host->features);
        describe(e, f, "prefer-vector-width", "512");
        if (e->flushes)
            describe(e, f, "denormal-fp-math", "preserve-sign,preserve-sign");
    }
}

static void make_types(vsg_jit_emitter *e)
{
    e->i1 = LLVMInt1TypeInContext(e->context);
    e->i8 = LLVMInt8TypeInContext(e->context);
    e->i16 = LLVMInt16TypeInContext(e->context);
    e->i32 = LLVMInt32TypeInContext(e->context);
    e->i64 = LLVMInt64TypeInContext(e->context);
    e->pointer = LLVMPointerTypeInContext(e->context, 0);
}

static void describe_module(const vsg_jit_emitter *e, LLVMTargetMachineRef machine)
{
    char *triple = LLVMGetTargetMachineTriple(machine);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);

    LLVMSetTarget(e->module, triple);
    LLVMSetModuleDataLayout(e->module, layout);
    LLVMDisposeTargetData(layout);
    LLVMDisposeMessage(triple);
}

/* Says why a unit cannot be compiled, unless that was said before. */
static bool refuse(vsg_jit_emitter *e, vsg_jit_reason reason)
{
    if (e->stats.reason == VSG_JIT_REASON_NONE)
        e->stats.reason = reason;
    return false;
}

static bool fill_module(const vsg_jit_task *task, const processor *host, vsg_jit_emitter *e)
{
    e->relieves = effort_for(task)->relieves;
    if (!vsg_jit_leave_out(e))
        return refuse(e, VSG_JIT_REASON_NO_MEMORY);
    if (!vsg_jit_survey(e))
        return refuse(e, VSG_JIT_REASON_CONTENT);
    if (!vsg_jit_find_parts(e))
        return refuse(e, VSG_JIT_REASON_NO_MEMORY);
    if (!vsg_jit_choose_slots(e) || !vsg_jit_find_rows(e))
        return refuse(e, VSG_JIT_REASON_NO_MEMORY);
    vsg_jit_find_clears(e);
    vsg_jit_find_start(e);
    vsg_jit_find_sums(e);
    vsg_jit_find_elements(e);
    if (!vsg_jit_find_again(e) || !vsg_jit_find_loops(e) || !vsg_jit_find_divisions(e) ||
        !vsg_jit_find_group(e) || !vsg_jit_find_homes(e) || !vsg_jit_find_left(e))
        return refuse(e, VSG_JIT_REASON_NO_MEMORY);
    if (effort_for(task)->traces)
        vsg_jit_find_trace(e);
    if (e->relieves || e->traces)
        vsg_jit_find_marks(e);
    vsg_jit_open_lines(e, task->lines);
    if (!vsg_jit_emit(e, task->name))
        return refuse(e, VSG_JIT_REASON_NO_MEMORY);
    vsg_jit_close_lines(e);
    vsg_jit_find_locals(e);
    if (is_too_long(e, MOST_EMITTED, VSG_JIT_GROUP_NONE) || has_too_many_apart(e))
        return false;
    if (!vsg_jit_promote(e))
        return refuse(e, VSG_JIT_REASON_NO_MEMORY);
    describe_functions(e, host);
    return true;
}

static bool is_valid(const vsg_jit_emitter *e)
{
    char *message = NULL;
    bool good = !LLVMVerifyModule(e->module, LLVMReturnStatusAction, &message);

    LLVMDisposeMessage(message);
    return good;
}

typedef struct passes {
    LLVMTargetMachineRef machine;
    LLVMPassBuilderOptionsRef options;
} passes;

/* Runs passes over all functions. */
static bool run(vsg_jit_emitter *e, const passes *p, const char *list)
{
    char all[512];

    (void)snprintf(all, sizeof all, "function(%s)", list);
    return drop(LLVMRunPasses(e->module, all, p->machine, p->options));
}

/* Joins dwords; what then is there twice is left out. */
static bool join_dwords(vsg_jit_emitter *e, const passes *p)
{
    return !vsg_jit_join_dwords(e) || (is_valid(e) && run(e, p, "early-cse"));
}

/* Text as it is emitted. */
static bool begin(vsg_jit_emitter *e, const passes *p)
{
    if (!run(e, p, START) || !join_dwords(e, p) || !run(e, p, COMBINE))
        return false;
    vsg_jit_share_tests(e);
    return true;
}

/* Text without loops, as vsg_jit_make_trace() wants it. */
static bool make_trace(vsg_jit_emitter *e, const passes *p)
{
    bool good = begin(e, p) && run(e, p, "loop-mssa(licm),loop-simplify,lcssa") &&
                (!vsg_jit_has_rounds(e) || vsg_jit_hoist_all(e)) && vsg_jit_make_trace(e);

    vsg_jit_make_marks_plain(e);
    vsg_jit_drop_columns(e);
    vsg_jit_drop_piles(e);
    return good && is_valid(e);
}

/* Relieves loops of tests, where some are marked. */
static bool relieve(vsg_jit_emitter *e, const passes *p)
{
    /* Until branches depend on comparisons; until loops are as vsg_jit_hoist() wants them. */
    static const char *const lists[] = {
        "loop-mssa(licm)", COMBINE,
        "early-cse,loop(loop-rotate,indvars,loop-unroll-full),loop-simplify,lcssa"};

    if (!e->marks)
        return true;
    if (e->traces)
        return make_trace(e, p);
    if (!begin(e, p))
        return false;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (!run(e, p, lists[i]))
            return false;
        vsg_jit_find_conditions(e);
    }
    return vsg_jit_hoist(e) && is_valid(e);
}

static bool improve_group(vsg_jit_emitter *e, const passes *p)
{
    /* First go the blocks that nothing leads to any more, half of the text. */
    if (!run(e, p, "simplifycfg," VALUES "," COMBINE ",simplifycfg") ||
        (e->group->unrolls && is_too_long(e, MOST_UNROLLED, VSG_JIT_GROUP_LOOPS)))
        return false;
    vsg_jit_improve_group(e);
    return run(e, p, IMPROVE);
}

/* Loops and text as they are now. */
static bool improve(vsg_jit_emitter *e, const effort *wanted, const passes *p)
{
    if (e->group && wanted->relieves)
        return improve_group(e, p);
    if (e->memories)
        vsg_jit_tell_again(e, e->function);
    if (e->traces)
        return run(e, p, IMPROVE);
    if (!run(e, p, wanted->values))
        return false;
    return !wanted->improve || ((e->marks || join_dwords(e, p)) && run(e, p, wanted->improve));
}

static void make_all_plain(vsg_jit_emitter *e)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
        vsg_jit_make_plain(e, f);
}

static bool weave(vsg_jit_emitter *e)
{
    bool changed;

    if (!vsg_jit_weave(e, &changed))
        return refuse(e, VSG_JIT_REASON_NO_MEMORY);
    return !changed || is_valid(e);
}

static bool optimise(vsg_jit_emitter *e, LLVMTargetMachineRef machine, const effort *wanted)
{
    passes p = {machine, LLVMCreatePassBuilderOptions()};

    /* What can be vectors is vectors. */
    LLVMPassBuilderOptionsSetSLPVectorization(p.options, false);
    LLVMPassBuilderOptionsSetLoopVectorization(p.options, false);
    LLVMPassBuilderOptionsSetLoopInterleaving(p.options, false);
    bool good = relieve(e, &p) && improve(e, wanted, &p);
    LLVMDisposePassBuilderOptions(p.options);
    if (!good)
        return false;
    if (wanted->level != LLVMCodeGenLevelNone && !weave(e))
        return false;
    if (wanted->level != LLVMCodeGenLevelNone)
        vsg_jit_permute_tables(e);
    vsg_jit_shorten(e);
    vsg_jit_take_apart(e);
    vsg_jit_spread_masks(e);
    vsg_jit_widen_halves(e);
    if (wanted->level == LLVMCodeGenLevelNone) {
        make_all_plain(e);
    } else {
        vsg_jit_keep_low_bits(e);
        vsg_jit_join_logic(e);
    }
    vsg_jit_cut_chains(e);
    return true;
}

static bool is_stopped(const vsg_jit_task *task)
{
    return task->stops && atomic_load_explicit(task->stops, memory_order_relaxed);
}

/* ---- results ----------------------------------------------------------------------------- */

static bool keep(vsg_jit_emitter *e, const void *data, size_t size, vsg_jit_bytes *out)
{
    out->data = vsg_base_new(e->alloc, size ? size : 1, 1);
    if (!out->data)
        return refuse(e, VSG_JIT_REASON_NO_MEMORY);
    memcpy(out->data, data, size);
    out->size = size;
    return true;
}

static bool write_text(vsg_jit_emitter *e, vsg_jit_bytes *out)
{
    char *text = LLVMPrintModuleToString(e->module);
    bool good = keep(e, text, strlen(text), out);

    LLVMDisposeMessage(text);
    return good;
}

static bool write_code(vsg_jit_emitter *e, LLVMTargetMachineRef machine, vsg_jit_form form,
                       vsg_jit_bytes *out)
{
    LLVMCodeGenFileType type = form == VSG_JIT_ASSEMBLY ? LLVMAssemblyFile : LLVMObjectFile;
    LLVMMemoryBufferRef buffer = NULL;
    char *message = NULL;
    bool failed =
        LLVMTargetMachineEmitToMemoryBuffer(machine, e->module, type, &message, &buffer);

    LLVMDisposeMessage(message);
    if (failed)
        return refuse(e, VSG_JIT_REASON_REFUSED);
    bool good = keep(e, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), out);
    LLVMDisposeMemoryBuffer(buffer);
    return good;
}

static bool generate(const vsg_jit_task *task, const processor *host, vsg_jit_emitter *e,
                     vsg_jit_bytes *out)
{
    LLVMTargetMachineRef machine = make_machine(host, effort_for(task)->level);
    bool good = false;

    if (!machine)
        return refuse(e, VSG_JIT_REASON_REFUSED);
    describe_module(e, machine);
    make_types(e);
    e->has_byte_products =
        vsg_jit_has_avx512(e) && strstr(host->features, "+avx512vnni") != NULL;
    e->has_byte_permutes =
        vsg_jit_has_avx512(e) && strstr(host->features, "+avx512vbmi,") != NULL;
    e->has_halves = strstr(host->features, "+avx512fp16") != NULL;
    e->has_quick_gathers = vsg_jit_has_avx512(e) && vsg_jit_gathers_quickly(host->cpu);
    e->is_long = is_least(effort_by_length(length_of_unit(e->unit)));
    e->is_least = is_least(effort_for(task));
    if (fill_module(task, host, e)) {
        good = is_valid(e) && !is_stopped(task) && optimise(e, machine, effort_for(task)) &&
               !is_stopped(task);
        if (!good)
            (void)refuse(e, is_stopped(task) ? VSG_JIT_REASON_STOPPED : VSG_JIT_REASON_REFUSED);
    }
    if (good)
        good = task->form == VSG_JIT_IR ? write_text(e, out)
                                        : write_code(e, machine, task->form, out);
    LLVMDisposeTargetMachine(machine);
    return good;
}

/* Remarks that LLVM makes of its own work, on stderr if nobody takes them. */
static void drop_remark(LLVMDiagnosticInfoRef info, void *user)
{
    (void)info;
    (void)user;
}

/* ---- what LLVM gives up on --------------------------------------------------------------- */

static _Thread_local jmp_buf *way_out; /* of the thread's work; NULL: it has none */

void vsg_jit_leave_llvm(const char *reason)
{
    (void)reason;
    if (way_out)
        longjmp(*way_out, 1);
}

typedef struct work {
    const vsg_jit_task *task;
    vsg_jit_emitter *e;
    vsg_jit_bytes *out;
} work;

static bool do_work(const work *w)
{
    processor host = {0};
    bool good = find_processor(w->task->level, &host) ? generate(w->task, &host, w->e, w->out)
                                                      : refuse(w->e, VSG_JIT_REASON_NO_MEMORY);

    free_processor(&host);
    return good;
}

/* Does the work. *is_left: LLVM had no instruction for something, or the like: what it had made
 * is nobody's any more. */
static bool do_or_leave(const work *w, bool *is_left)
{
    jmp_buf here;
    volatile bool good = false, left = true;

    way_out = &here;
    if (setjmp(here) == 0) {
        good = do_work(w);
        left = false;
    }
    way_out = NULL;
    *is_left = left;
    return good;
}

/* With so much care, and what should be had instead; the same where that is the end of it. */
static vsg_jit_care compile(const vsg_jit_task *task, vsg_jit_care care, vsg_jit_stats *stats,
                            vsg_jit_bytes *out, bool *good)
{
    const vsg_exe_unit *unit = &task->program->units[task->request->unit];
    vsg_jit_emitter e = {.alloc = task->alloc,
                         .program = task->program,
                         .unit = unit,
                         .request = task->request,
                         .level = task->level,
                         .care = care,
                         .next_care = care};
    const work w = {task, &e, out};
    bool is_left;

    e.keeps = vsg_jit_can_keep();
    e.simd_size = unit->object->is_function ? task->request->simd_size : unit->simd_size;
    e.dispatch_mask = vsg_exe_first(e.simd_size);
    vsg_base_arena_init(&e.arena, task->alloc);
    e.context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(e.context, drop_remark, NULL);
    e.module = LLVMModuleCreateWithNameInContext(task->name, e.context);
    e.b = LLVMCreateBuilderInContext(e.context);
    *good = do_or_leave(&w, &is_left);
    if (is_left)
        (void)refuse(&e, VSG_JIT_REASON_REFUSED);
    *stats = e.stats;
    stats->starts = e.starts;
    stats->begins_only = e.begins_only;
    stats->resumes = e.resumes;
    stats->num_windows = e.num_windows;
    stats->runs_groups = e.group != NULL;
    if (!is_left) {
        LLVMDisposeBuilder(e.b);
        LLVMDisposeModule(e.module);
        LLVMContextDispose(e.context);
    }
    vsg_base_arena_free(&e.arena);
    return e.next_care;
}

static bool differ(vsg_jit_care a, vsg_jit_care b)
{
    return a.group != b.group || a.calls != b.calls;
}

bool vsg_jit_compile(const vsg_jit_task *task, vsg_jit_stats *stats, vsg_jit_bytes *out)
{
    vsg_jit_care care,
        next = {VSG_JIT_GROUP_UNROLLS,
                is_least(effort_for(task)) ? VSG_JIT_CALLS_ALL : VSG_JIT_CALLS_RARE};
    bool good = false;

    *out = (vsg_jit_bytes){0};
    if (!vsg_jit_llvm_load()) {
        stats->reason = VSG_JIT_REASON_NO_LLVM;
        return false;
    }
    do {
        care = next;
        next = compile(task, care, stats, out, &good);
    } while (differ(next, care) && !is_stopped(task));
    if (differ(next, care))
        stats->reason = VSG_JIT_REASON_STOPPED;
    return good;
}
