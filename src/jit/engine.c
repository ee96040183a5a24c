/* SPDX-License-Identifier: MIT
 *
 * LLVM around the code generator: an object file a unit, for the host, linked by ORC. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "exec/fpmode.h"
#include "jit/emit.h"

typedef struct unit_code {
    bool is_tried;
    vsg_jit_run run; /* NULL: the interpreter's */
    vsg_jit_stats stats;
} unit_code;

struct vsg_jit_program {
    vsg_base_alloc alloc;
    const vsg_exe_program *program;
    LLVMOrcLLJITRef jit;
    char *cpu, *features;
    unit_code *codes; /* by unit */
};

bool vsg_jit_available(void)
{
    return vsg_jit_llvm_load();
}

/* ---- LLVM -------------------------------------------------------------------------------- */

static bool drop(LLVMErrorRef error)
{
    if (error)
        LLVMConsumeError(error);
    return error == NULL;
}

static LLVMTargetMachineRef make_machine(const vsg_jit_program *jit, LLVMCodeGenOptLevel level)
{
    char *triple = LLVMGetDefaultTargetTriple();
    LLVMTargetRef target = NULL;
    LLVMTargetMachineRef machine = NULL;
    char *message = NULL;

    if (!LLVMGetTargetFromTriple(triple, &target, &message))
        machine = LLVMCreateTargetMachine(target, triple, jit->cpu, jit->features, level,
                                          LLVMRelocPIC, LLVMCodeModelJITDefault);
    LLVMDisposeMessage(message);
    LLVMDisposeMessage(triple);
    return machine;
}

static bool make_jit(vsg_jit_program *jit)
{
    jit->cpu = LLVMGetHostCPUName();
    jit->features = LLVMGetHostCPUFeatures();
    LLVMTargetMachineRef machine = make_machine(jit, LLVMCodeGenLevelDefault);
    if (!machine)
        return false;
    LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
    LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
        builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
    return drop(LLVMOrcCreateLLJIT(&jit->jit, builder));
}

vsg_jit_program *vsg_jit_create(const vsg_base_alloc *alloc, const vsg_exe_program *program)
{
    vsg_jit_program *jit = vsg_jit_llvm_load() ? vsg_base_new(alloc, 1, sizeof *jit) : NULL;

    if (!jit)
        return NULL;
    jit->alloc = *alloc;
    jit->program = program;
    jit->codes = vsg_base_new(alloc, program->num_units, sizeof *jit->codes);
    if (!jit->codes || !make_jit(jit))
        vsg_jit_free(&jit);
    return jit;
}

void vsg_jit_free(vsg_jit_program **jit)
{
    vsg_jit_program *old = *jit;

    if (!old)
        return;
    if (old->jit)
        (void)drop(LLVMOrcDisposeLLJIT(old->jit));
    LLVMDisposeMessage(old->cpu);
    LLVMDisposeMessage(old->features);
    vsg_base_delete(&old->alloc, old->codes, old->program->num_units, sizeof *old->codes);
    vsg_base_alloc alloc = old->alloc;
    vsg_base_delete(&alloc, old, 1, sizeof *old);
    *jit = NULL;
}

/* ---- one unit ---------------------------------------------------------------------------- */

static void attribute(vsg_jit_emitter *e, const char *name, const char *value)
{
    LLVMAttributeRef attribute = LLVMCreateStringAttribute(
        e->context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(e->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            attribute);
}

/* Large units are optimised less, so that compile time stays in proportion. */
typedef struct effort {
    uint32_t below; /* instructions */
    LLVMCodeGenOptLevel level;
    const char *passes;
} effort;

static const effort efforts[] = {
    {400, LLVMCodeGenLevelDefault, "default<O2>"},
    {2000, LLVMCodeGenLevelLess, "mem2reg,early-cse,adce,simplifycfg"},
    {UINT32_MAX, LLVMCodeGenLevelNone, "mem2reg,early-cse,adce,simplifycfg"},
};

static const effort *effort_for(uint32_t num_code)
{
    const effort *found = efforts;

    while (num_code >= found->below)
        found++;
    return found;
}

static bool optimise(LLVMTargetMachineRef machine, vsg_jit_emitter *e)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    const char *passes = effort_for(e->unit->num_code)->passes;
    bool good = drop(LLVMRunPasses(e->module, passes, machine, options));

    LLVMDisposePassBuilderOptions(options);
    return good;
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

/* At each place where channels may wait, each part may have to be merged: compile time grows
 * with the product. Such units are left to the interpreter. */
static bool is_excessive(const vsg_jit_emitter *e)
{
    const uint64_t most_merges = 30000;

    return (uint64_t)e->unit->num_waits * e->num_parts > most_merges;
}

static bool fill_module(const vsg_jit_program *jit, LLVMTargetMachineRef machine,
                        vsg_jit_emitter *e, const char *name)
{
    char *triple = LLVMGetTargetMachineTriple(machine);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);

    LLVMSetTarget(e->module, triple);
    LLVMSetModuleDataLayout(e->module, layout);
    LLVMDisposeTargetData(layout);
    LLVMDisposeMessage(triple);
    make_types(e);
    if (!vsg_jit_survey(e) || !vsg_jit_find_parts(e) || is_excessive(e) ||
        !vsg_jit_find_live(e) || !vsg_jit_emit(e, name))
        return false;
    attribute(e, "target-cpu", jit->cpu);
    attribute(e, "target-features", jit->features);
    attribute(e, "prefer-vector-width", "512");
    char *message = NULL;
    bool good = !LLVMVerifyModule(e->module, LLVMReturnStatusAction, &message);
    LLVMDisposeMessage(message);
    return good && optimise(machine, e);
}

static vsg_jit_run link_object(vsg_jit_program *jit, LLVMMemoryBufferRef object,
                               const char *name)
{
    LLVMOrcJITDylibRef library = LLVMOrcLLJITGetMainJITDylib(jit->jit);
    LLVMOrcExecutorAddress address = 0;

    if (!drop(LLVMOrcLLJITAddObjectFile(jit->jit, library, object)) ||
        !drop(LLVMOrcLLJITLookup(jit->jit, &address, name)))
        return NULL;
    return (vsg_jit_run)(uintptr_t)address;
}

/* Code of the module, ready to run. */
static vsg_jit_run generate(vsg_jit_program *jit, LLVMTargetMachineRef machine,
                            vsg_jit_emitter *e, const char *name)
{
    LLVMMemoryBufferRef object = NULL;
    char *message = NULL;

    if (!fill_module(jit, machine, e, name))
        return NULL;
    bool failed = LLVMTargetMachineEmitToMemoryBuffer(machine, e->module, LLVMObjectFile,
                                                      &message, &object);
    LLVMDisposeMessage(message);
    return failed ? NULL : link_object(jit, object, name);
}

static void compile(vsg_jit_program *jit, uint32_t unit, unit_code *out)
{
    const vsg_exe_unit *facts = &jit->program->units[unit];
    LLVMTargetMachineRef machine = make_machine(jit, effort_for(facts->num_code)->level);
    char name[32];
    vsg_jit_emitter e = {.alloc = &jit->alloc, .program = jit->program, .unit = facts};

    if (!machine)
        return;
    (void)snprintf(name, sizeof name, "visage_%u", unit);
    e.dispatch_mask = facts->simd_size >= 32 ? UINT32_MAX : (1u << facts->simd_size) - 1;
    vsg_base_arena_init(&e.arena, &jit->alloc);
    e.context = LLVMContextCreate();
    e.module = LLVMModuleCreateWithNameInContext(name, e.context);
    e.b = LLVMCreateBuilderInContext(e.context);
    out->run = generate(jit, machine, &e, name);
    out->stats = e.stats;
    LLVMDisposeBuilder(e.b);
    LLVMDisposeModule(e.module);
    LLVMContextDispose(e.context);
    LLVMDisposeTargetMachine(machine);
    vsg_base_arena_free(&e.arena);
}

static uint64_t now(void)
{
    struct timespec time;

    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0)
        return 0;
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

vsg_jit_run vsg_jit_find(vsg_jit_program *jit, uint32_t unit, vsg_jit_stats *stats)
{
    unit_code *code = &jit->codes[unit];

    if (!code->is_tried) {
        uint64_t start = now();
        code->is_tried = true;
        compile(jit, unit, code);
        code->stats.nanoseconds = now() - start;
    }
    if (stats)
        *stats = code->stats;
    return code->run;
}

/* ---- running ----------------------------------------------------------------------------- */

vsg_exe_stop vsg_jit_enter(vsg_jit_run run, vsg_exe_thread *thread)
{
    uint32_t host = vsg_exe_host_save();

    vsg_exe_host_enter(thread);
    thread->stop = VSG_EXE_RUNNING;
    if (thread->budget == 0)
        thread->stop = VSG_EXE_STOP_BUDGET;
    else
        thread->stop = run(thread);
    vsg_exe_host_restore(host);
    return thread->stop;
}
