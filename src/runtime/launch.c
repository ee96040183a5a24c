/* SPDX-License-Identifier: MIT */
#include "runtime/launch.h"

#include <string.h>

#include "base/clock.h"
#include "exec/handlers.h"
#include "exec/message.h"
#include "runtime/bindless.h"
#include "runtime/implicit.h"
#include "runtime/job.h"
#include "runtime/printed.h"
#include "runtime/walk.h"

enum { MOST_THREAD_BYTES = 1 << 30 };

/* What vsg_run_launch_run() was asked for. */
typedef struct run_request {
    visage_launch *launch;
    const visage_range *range;
    const visage_run_options *options; /* NULL: none */
    visage_diagnostics *diagnostics;
    uint32_t edges; /* of the range, vsg_run_dispatch_edges(); known once a part has run */
} run_request;

/* How a run is prepared. With the job's tables, and what the arena holds, it is kept for
 * another run that asks for the same, as programs' loops do: for a short kernel preparing takes
 * longer than running. */
typedef struct vsg_run_plan {
    visage_launch *launch;
    visage_diagnostics *diagnostics;
    vsg_run_dispatch dispatch;
    vsg_run_payload payload;
    vsg_run_thread_memory memory; /* with what scratch holds besides */
    uint32_t jobs, relief;        /* workers, and more that may come */
    uint64_t before_bytes;        /* before threads' areas (fit_threads()) */
    vsg_jit_stats compiled;
    bool is_kept;
    bool has_code; /* kept, too, in the job */
    /* What it was made for: */
    uint64_t changes, value_changes; /* of the launch */
    visage_range range;
    visage_run_options options;
} run_plan;

/* Memory or images that groups change in an order. */
static bool has_atomics(const vsg_exe_unit *unit)
{
    for (uint32_t i = 0; i < unit->num_code; i++) {
        const vsg_exe_inst *inst = &unit->code[i];
        if (!inst->message)
            continue;
        const vsg_exe_op *op = vsg_exe_op_of((visage_op)inst->op);
        if (op->handler == vsg_exe_do_typed_atomic ||
            (op->handler == vsg_exe_do_atomic && !vsg_exe_is_slm(inst->message)))
            return true;
    }
    return false;
}

/* Memory that groups may look at while others change it. */
static bool has_fences(const vsg_exe_unit *unit)
{
    bool has = false;

    for (uint32_t i = 0; i < unit->num_code && !has; i++)
        has = unit->code[i].handler == vsg_exe_do_fence &&
              !vsg_exe_is_local_fence(&unit->code[i]);
    return has;
}

/* The kernel itself, or functions, which it may call. */
static bool has_some(const visage_launch *launch, bool (*has)(const vsg_exe_unit *unit))
{
    const vsg_exe_program *program = launch->program->exec;
    bool found = has(launch->unit);

    for (uint32_t u = 0; u < program->num_units && !found; u++)
        found = program->units[u].object->is_function && has(&program->units[u]);
    return found;
}

/* Are there loops that wait for others, or such as may, where others change memory? */
static bool may_poll(const visage_launch *launch)
{
    const vsg_exe_program *program = launch->program->exec;
    vsg_exe_polling most = launch->unit->polling;

    for (uint32_t u = 0; u < program->num_units; u++)
        if (program->units[u].object->is_function && program->units[u].polling > most)
            most = program->units[u].polling;
    return most == VSG_EXE_POLLS ||
           (most == VSG_EXE_MAY_POLL && (launch->may_wait || has_some(launch, has_fences)));
}

visage_status vsg_run_launch_create(visage_program *program, size_t kernel, visage_launch **out)
{
    visage_launch *launch = vsg_base_new(&program->alloc, 1, sizeof *launch);

    *out = NULL;
    if (!launch)
        return VISAGE_NO_MEMORY;
    launch->alloc = program->alloc;
    vsg_base_arena_init(&launch->arena, &launch->alloc);
    launch->program = program;
    launch->index = kernel;
    launch->kernel = &program->source.kernels[kernel];
    launch->unit = &program->exec->units[launch->kernel->index];
    launch->may_wait = has_some(launch, has_atomics);
    launch->may_poll = may_poll(launch);
    if (!vsg_run_find_walk(&launch->alloc, launch->kernel, program->exec,
                           launch->may_wait || launch->may_poll, &launch->walk)) {
        vsg_run_launch_destroy(&launch);
        return VISAGE_NO_MEMORY;
    }
    atomic_init(&launch->cancel, 0);
    atomic_init(&launch->stop, 0);
    if (launch->kernel->num_args) {
        launch->values =
            vsg_base_new(&launch->alloc, launch->kernel->num_args, sizeof *launch->values);
        if (!launch->values) {
            vsg_run_launch_destroy(&launch);
            return VISAGE_NO_MEMORY;
        }
    }
    *out = launch;
    return VISAGE_OK;
}

void vsg_run_launch_destroy(visage_launch **launch)
{
    if (!launch || !*launch)
        return;
    visage_launch *old = *launch;
    vsg_base_alloc alloc = old->alloc;
    vsg_run_memory *memory = old->program->device->memory;
    for (size_t i = 0; old->values && i < old->kernel->num_args; i++)
        vsg_base_delete(&alloc, old->values[i].bytes, old->values[i].size_bytes, 1);
    vsg_base_delete(&alloc, old->values, old->kernel->num_args, sizeof *old->values);
    vsg_run_drop_states(old);
    vsg_run_area_free(&old->scratch, memory);
    vsg_run_area_free(&old->private_memory, memory);
    vsg_run_area_free(&old->printf_buffer, memory);
    vsg_run_area_free(&old->implicit, memory);
    vsg_base_delete(&alloc, old->plan, 1, sizeof *old->plan);
    vsg_base_delete(&alloc, old->job, 1, sizeof *old->job);
    vsg_base_arena_free(&old->arena);
    vsg_base_delete(&alloc, old, 1, sizeof *old);
    *launch = NULL;
}

bool vsg_run_area_fit(vsg_run_area *area, vsg_run_memory *memory, uint64_t before_bytes,
                      uint64_t size_bytes)
{
    if (size_bytes <= area->size_bytes && before_bytes == area->before_bytes)
        return true;
    vsg_run_area_free(area, memory);
    uint64_t first = vsg_run_memory_allocate(memory, before_bytes + size_bytes);
    if (first != 0)
        *area = (vsg_run_area){first + before_bytes, size_bytes, before_bytes};
    return first != 0;
}

void vsg_run_area_free(vsg_run_area *area, vsg_run_memory *memory)
{
    vsg_run_memory_release(memory, area->address - area->before_bytes,
                           area->before_bytes + area->size_bytes);
    *area = (vsg_run_area){0};
}

/* ---- preparing a run -------------------------------------------------------------------- */

static visage_status no_memory(const run_plan *plan)
{
    vsg_base_location where = vsg_run_here(plan->launch->kernel);

    vsg_base_report(plan->diagnostics, VSG_DIAG_NO_MEMORY, &where);
    return VISAGE_NO_MEMORY;
}

static bool fits(const run_plan *plan, vsg_run_area *area, uint64_t thread_bytes)
{
    visage_device *device = plan->launch->program->device;
    uint32_t workers = plan->relief ? device->jobs + plan->relief : plan->jobs;
    uint64_t threads = (uint64_t)workers * plan->dispatch.num_threads;

    return thread_bytes <= MOST_THREAD_BYTES &&
           thread_bytes <= device->memory->space.size_bytes / threads &&
           vsg_run_area_fit(area, device->memory, plan->before_bytes, threads * thread_bytes);
}

/* An area for every thread that may be alive at a time. Programs read element -1 of a private
 * array before they ask whether it is one: where arrays have flat addresses, that is in the
 * area of the thread before, and there is something before that of the first one, too. */
static visage_status fit_threads(run_plan *plan, vsg_run_area *area, uint64_t thread_bytes,
                                 const char *what)
{
    if (thread_bytes == 0 || fits(plan, area, thread_bytes))
        return VISAGE_OK;
    plan->relief = 0; /* nobody comes then */
    if (fits(plan, area, thread_bytes))
        return VISAGE_OK;
    vsg_base_location where = vsg_run_here(plan->launch->kernel);
    vsg_base_report(plan->diagnostics, VSG_DIAG_LARGE_LAUNCH, &where, what,
                    (unsigned long long)thread_bytes);
    return VISAGE_NO_MEMORY;
}

static uint32_t count_jobs(const run_plan *plan, const visage_run_options *options,
                           vsg_run_thread_memory memory)
{
    const visage_device *device = plan->launch->program->device;
    uint32_t jobs = device->jobs;

    if (options && options->jobs && options->jobs < jobs)
        jobs = options->jobs;
    if (jobs > plan->dispatch.num_groups)
        jobs = (uint32_t)plan->dispatch.num_groups;
    if (memory.private_bytes && jobs * plan->dispatch.num_threads > VSG_RUN_MOST_LIVE_THREADS)
        jobs = VSG_RUN_MOST_LIVE_THREADS / plan->dispatch.num_threads;
    /* Data races are found by what happened before what, which needs one order of all. */
    if (options && options->check && !options->no_races)
        jobs = 1;
    return jobs ? jobs : 1;
}

/* How many workers may come as relief: one for each group, as far as the threads of all can be
 * told apart, and have areas that are not large; none in the order of a seed. */
static uint32_t count_relief(const run_plan *plan, const visage_run_options *options,
                             vsg_run_thread_memory memory)
{
    enum { LARGE = 16 }; /* that part of the device's memory */
    const visage_device *device = plan->launch->program->device;
    uint64_t each = memory.scratch_bytes + memory.private_bytes;
    uint64_t threads = VSG_RUN_MOST_LIVE_THREADS, groups = plan->dispatch.num_groups;

    if (each && threads > device->memory->space.size_bytes / LARGE / each)
        threads = device->memory->space.size_bytes / LARGE / each;
    uint64_t workers = threads / plan->dispatch.num_threads;
    if (!plan->launch->may_poll || plan->dispatch.places || (options && options->seed) ||
        workers < device->jobs)
        return 0;
    uint64_t most = workers - device->jobs, wanted = groups - plan->jobs;
    return (uint32_t)(most < wanted ? most : wanted);
}

static visage_status fit_areas(run_plan *plan, vsg_run_thread_memory memory)
{
    visage_launch *launch = plan->launch;
    visage_device *device = launch->program->device;
    visage_status status =
        fit_threads(plan, &launch->scratch, memory.scratch_bytes, "scratch of a thread");

    if (status == VISAGE_OK)
        status = fit_threads(plan, &launch->private_memory, memory.private_bytes,
                             "private memory of a thread");
    if (status == VISAGE_OK && vsg_run_prints(launch) && !vsg_run_printed_open(launch))
        return no_memory(plan);
    if (status == VISAGE_OK && vsg_run_implicit_wanted(launch)) {
        if (!vsg_run_area_fit(&launch->implicit, device->memory, 0,
                              vsg_run_implicit_bytes(&plan->dispatch)))
            return no_memory(plan);
        vsg_run_implicit_fill(launch, &plan->dispatch);
    }
    return status;
}

static visage_status lay_out_slm(const run_plan *plan, const visage_run_options *options,
                                 vsg_run_slm *out)
{
    visage_launch *launch = plan->launch;
    const vsg_run_slm_maker maker = {launch, options && options->check, &launch->arena,
                                     plan->diagnostics};

    return vsg_run_slm_layout(&maker, out);
}

/* Nothing more is prepared where the part has no groups. */
static visage_status prepare(run_plan *plan, const run_request *request, uint32_t part)
{
    visage_launch *launch = plan->launch;
    visage_device *device = launch->program->device;
    const visage_run_options *options = request->options;
    vsg_base_arena *arena = &launch->arena;
    vsg_run_job *job = launch->job;
    vsg_run_thread_memory memory = launch->kernel->memory;
    visage_status status = vsg_run_check_args(launch, plan->diagnostics);

    if (status == VISAGE_OK)
        status = vsg_run_dispatch_make(launch->kernel, device, request->range, part,
                                       options && options->check ? NULL : launch->walk.order,
                                       plan->diagnostics, &plan->dispatch);
    if (status != VISAGE_OK || plan->dispatch.num_groups == 0)
        return status;
    plan->dispatch.is_strewn = launch->walk.is_strewn;
    if (!vsg_run_space_order(&plan->dispatch, arena))
        status = no_memory(plan);
    if (status == VISAGE_OK && options && options->seed)
        vsg_run_dispatch_shuffle(&plan->dispatch, options->seed);
    if (status == VISAGE_OK)
        status = lay_out_slm(plan, options, &job->slm);
    if (status != VISAGE_OK)
        return status;
    if (vsg_run_implicit_in_scratch(launch)) {
        uint64_t unit = VSG_RUN_IMPLICIT_ALIGNMENT;
        job->arguments_at = (memory.scratch_bytes + unit - 1) / unit * unit;
        job->has_arguments = true;
        memory.scratch_bytes = job->arguments_at + VSG_RUN_IMPLICIT_BYTES;
    }
    plan->before_bytes = options && options->reads_behind ? VSG_RUN_PAGE_BYTES : 0;
    plan->jobs = count_jobs(plan, options, memory);
    plan->relief = count_relief(plan, options, memory);
    status = fit_areas(plan, memory);
    if (status == VISAGE_OK) {
        const vsg_run_payload_maker maker = {launch, &plan->dispatch, job->slm.local_at, arena,
                                             plan->diagnostics};
        status = vsg_run_payload_make(&maker, &plan->payload);
    }
    if (status == VISAGE_OK)
        status = vsg_run_bind_surfaces(launch, plan->diagnostics, job->exec.surfaces);
    if (status == VISAGE_OK)
        status = vsg_run_bind_samplers(launch, plan->diagnostics, job->exec.samplers);
    if (status == VISAGE_OK)
        status = vsg_run_find_states(launch, arena, plan->diagnostics, &job->exec);
    job->scratch_bytes = memory.scratch_bytes;
    plan->memory = memory;
    return status;
}

static void describe_job(vsg_run_job *job, const run_plan *plan,
                         const visage_run_options *options)
{
    visage_launch *launch = plan->launch;

    job->launch = launch;
    job->dispatch = &plan->dispatch;
    job->payload = &plan->payload;
    job->exec.program = launch->program->exec;
    job->exec.space = launch->program->device->memory->space;
    job->exec.bounds = !launch->kernel->info              ? VSG_EXE_BOUNDS_DOCUMENTED
                       : options && options->reads_behind ? VSG_EXE_BOUNDS_NEAR
                                                          : VSG_EXE_BOUNDS_FAULT;
    job->exec.outputs = &launch->outputs;
    job->exec.cancel = &launch->stop;
    job->check = NULL;
    job->failure = (vsg_run_failure){0};
    job->seed = options ? options->seed : 0;
    job->budget = options ? options->instructions : 0;
    job->timeout_ms = options ? options->timeout_ms : 0;
    job->deadline = job->timeout_ms ? vsg_base_now() + (uint64_t)job->timeout_ms * 1000000u : 0;
    atomic_init(&job->limit, plan->dispatch.num_groups);
    atomic_init(&job->groups, 0);
    atomic_init(&job->threads, 0);
    atomic_init(&job->instructions, 0);
    atomic_init(&job->timed_out, false);
    atomic_init(&job->watches, false);
    atomic_init(&job->changes, false);
    atomic_init(&job->compiling, 0);
    atomic_init(&job->looked, 0);
    job->elapsed_before = job->groups_before = 0;
}

/* Devices that share their memory share its shadow. */
static pthread_mutex_t *check_lock_of(const visage_launch *launch,
                                      const visage_run_options *options)
{
    return options && options->check ? &launch->program->device->memory->check_lock : NULL;
}

/* Memory of the workers, so that a run that has begun seldom wants for any. */
static visage_status fit_workers(const run_plan *plan, const vsg_run_job *job)
{
    visage_device *device = plan->launch->program->device;

    if (device->last_job != job || !plan->has_code)
        device->last_job = NULL;
    for (uint32_t i = 0; i < plan->jobs; i++)
        if (!vsg_run_job_fit_worker(job, &device->workers[i]))
            return no_memory(plan);
    return VISAGE_OK;
}

/* ---- running ---------------------------------------------------------------------------- */

static visage_status conclude(const run_plan *plan, vsg_run_job *job,
                              const visage_run_options *options, visage_run_stats *stats)
{
    visage_launch *launch = plan->launch;
    vsg_base_location where = vsg_run_here(launch->kernel);

    /* Whatever was asked of this run while it was in progress has been dealt with. */
    (void)atomic_exchange(&launch->cancel, 0);
    size_t findings =
        job->check ? vsg_run_check_report(job->check, job, options, plan->diagnostics) : 0;
    if (stats)
        stats->findings = findings;
    if (job->failure.status != VISAGE_OK) {
        vsg_run_report(job, &job->failure, plan->diagnostics);
        return job->failure.status;
    }
    if (job->check && vsg_run_check_lost(job->check))
        return VISAGE_NO_MEMORY;
    if (atomic_load(&job->groups) == plan->dispatch.num_groups)
        return findings ? VISAGE_FAULT : VISAGE_OK;
    if (atomic_load(&job->timed_out))
        vsg_base_report(plan->diagnostics, VSG_DIAG_TIMEOUT, &where, (unsigned)job->timeout_ms,
                        "");
    else
        vsg_base_report(plan->diagnostics, VSG_DIAG_CANCELLED, &where);
    return VISAGE_CANCELLED;
}

static void note_stats(const run_plan *plan, vsg_run_job *job, visage_run_stats *stats)
{
    if (!stats)
        return;
    *stats = (visage_run_stats){.groups = atomic_load(&job->groups),
                                .threads = atomic_load(&job->threads),
                                .instructions = atomic_load(&job->instructions),
                                .nanoseconds = vsg_base_now() - job->started,
                                .jobs = plan->jobs};
    memcpy(stats->local, plan->dispatch.local, sizeof stats->local);
}

/* What the workers found of memory in the last run holds for this one where the code is the
 * same, and nothing has been taken away; and so do the slots. */
static bool fit_windows(const run_plan *plan, const vsg_run_job *job)
{
    visage_device *device = plan->launch->program->device;
    uint64_t released = atomic_load(&device->memory->num_released);

    if (device->last_job == job && device->last_released == released)
        return true;
    for (uint32_t i = 0; i < plan->jobs; i++)
        if (!vsg_run_job_fit_code(job, &job->way, &device->workers[i]))
            return false;
    device->last_job = job;
    device->last_released = released;
    return true;
}

static void find_code(run_plan *plan, vsg_run_job *job, const visage_run_options *options)
{
    if (plan->has_code)
        return;
    job->way = (vsg_run_way){0};
    plan->compiled = (vsg_jit_stats){0};
    vsg_run_code_find(job, options, &plan->compiled);
}

/* How long one worker would run it, in ns, as earlier runs tell; UINT64_MAX: nobody knows. */
static uint64_t expect(const run_plan *plan, const vsg_run_job *job)
{
    uint64_t groups = plan->dispatch.num_groups, each = plan->launch->group_ns;

    return job->way.code.run && each != 0 && groups <= UINT64_MAX / each ? groups * each
                                                                         : UINT64_MAX;
}

/* Groups took `busy` ns of all workers. */
static void note_time(visage_launch *launch, const vsg_run_job *job, uint64_t busy)
{
    uint64_t groups = atomic_load_explicit(&job->groups, memory_order_relaxed);

    if (busy == 0 || groups == 0 || !job->way.code.run)
        return;
    uint64_t each = busy / groups + 1, known = launch->group_ns;
    launch->group_ns = known ? known - known / 4 + each / 4 : each;
}

/* By all workers; where one is known to be better the others may sleep on, and rest if they are
 * called. Groups that may wait for each other change the same memory. Returns what all have
 * worked, 0: nobody knows. */
static uint64_t run_job(const run_plan *plan, vsg_run_job *job)
{
    visage_launch *launch = plan->launch;
    uint64_t expected = launch->may_wait ? UINT64_MAX : expect(plan, job);
    bool may_crowd =
        launch->may_wait && plan->jobs > 1 && job->way.code.run && !job->space.done;

    job->crowd = may_crowd ? &launch->crowd : NULL;
    job->is_left = false;
    if (may_crowd)
        vsg_run_crowd_begin(job->crowd, plan->jobs, job->way.code.run);
    if (may_crowd && vsg_run_crowd_is_decided_alone(job->crowd))
        expected = 0;
    vsg_run_relief_begin(job, plan->jobs, plan->relief, launch->relief);
    uint64_t busy = vsg_run_pool_run(&launch->program->device->pool, plan->jobs, expected,
                                     vsg_run_job_work, job);
    launch->relief = vsg_run_relief_end(job);
    return vsg_run_relief_is_there(&job->relief) ? 0 : busy;
}

/* What workers share while they run a job. False: the system refuses it. */
static bool begin_sharing(const run_plan *plan, vsg_run_job *job)
{
    if (pthread_mutex_init(&job->lock, NULL) != 0)
        return false;
    if (!vsg_base_cond_init(&job->wakes))
        goto no_cond;
    if (vsg_run_space_init(&job->space, &plan->dispatch, &plan->launch->arena))
        return true;
    (void)pthread_cond_destroy(&job->wakes);
no_cond:
    (void)pthread_mutex_destroy(&job->lock);
    return false;
}

static void end_sharing(vsg_run_job *job)
{
    vsg_run_space_fini(&job->space);
    (void)pthread_cond_destroy(&job->wakes);
    (void)pthread_mutex_destroy(&job->lock);
}

/* The job has been described, its workers prepared: runs it. */
static visage_status execute(run_plan *plan, const visage_run_options *options,
                             visage_run_stats *stats)
{
    visage_launch *launch = plan->launch;
    visage_device *device = launch->program->device;
    vsg_run_job *job = launch->job;

    if (!begin_sharing(plan, job))
        return no_memory(plan);
    atomic_store(&launch->stop, 0);
    find_code(plan, job, options);
    vsg_run_job_share(job, plan->jobs);
    if (!fit_windows(plan, job)) {
        end_sharing(job);
        return no_memory(plan);
    }
    /* Else nobody asks. */
    bool is_asked = stats || !job->way.code.run || atomic_load(&job->watches);
    job->started = is_asked ? vsg_base_now() : 0;
    note_time(launch, job, run_job(plan, job));
    while (vsg_run_code_change(job, &plan->compiled)) {
        device->last_job = NULL;
        if (!fit_windows(plan, job)) {
            job->way = (vsg_run_way){0};
            atomic_store(&job->watches, false);
        }
        (void)run_job(plan, job);
    }
    plan->has_code = job->way.code.run && !atomic_load(&job->watches);
    note_stats(plan, job, stats);
    vsg_run_code_note(job, &plan->compiled, stats);
    end_sharing(job);
    return conclude(plan, job, options, stats);
}

/* ---- plans ------------------------------------------------------------------------------ */

/* With a cleared job. False: memory is out. */
static bool open_plan(visage_launch *launch)
{
    if (!launch->job)
        launch->job = vsg_base_new(&launch->alloc, 1, sizeof *launch->job);
    if (!launch->plan)
        launch->plan = vsg_base_new(&launch->alloc, 1, sizeof *launch->plan);
    return launch->job && launch->plan;
}

/* Clears what the run has left, and of the tables no more than that. */
static void drop_plan(visage_launch *launch)
{
    vsg_run_unbind(launch, launch->job->exec.surfaces, launch->job->exec.samplers);
    memset(launch->job, 0, offsetof(vsg_run_job, exec.surfaces));
    vsg_base_arena_clear(&launch->arena);
    launch->plan->is_kept = launch->plan->has_code = false;
}

/* A part of a range with smaller groups at its edges is followed by another, and what check
 * mode, media spaces and failures leave is not for another run. */
static void keep_plan(run_plan *plan, const run_request *request, visage_status status)
{
    const visage_run_options *options = request->options;

    plan->is_kept = status == VISAGE_OK && plan->dispatch.num_groups > 0 &&
                    request->edges == 0 && !plan->dispatch.places &&
                    !(options && options->check);
    if (!plan->is_kept) {
        drop_plan(plan->launch);
        return;
    }
    plan->changes = plan->launch->changes;
    plan->value_changes = plan->launch->value_changes;
    plan->range = *request->range;
    plan->options = options ? *options : (visage_run_options){0};
}

/* From the first field that says something. */
static bool is_same_range(const visage_range *a, const visage_range *b)
{
    size_t from = offsetof(visage_range, global), end = offsetof(visage_range, pattern);

    return a->pattern == b->pattern && a->uneven == b->uneven &&
           memcmp((const char *)a + from, (const char *)b + from, end - from) == 0;
}

/* In what a plan depends on; NULL is all zeros. */
static bool is_same_options(const visage_run_options *a, const visage_run_options *b)
{
    static const visage_run_options none = {0};

    b = b ? b : &none;
    return a->jobs == b->jobs && a->seed == b->seed && a->instructions == b->instructions &&
           a->engine == b->engine && !b->check;
}

/* Was the plan that is kept made for such a run? */
static bool is_for(const run_plan *plan, const run_request *request, uint32_t part)
{
    return plan->is_kept && part == 0 && plan->changes == plan->launch->changes &&
           (plan->value_changes == plan->launch->value_changes || plan->launch->kernel->info) &&
           is_same_options(&plan->options, request->options) &&
           is_same_range(&plan->range, request->range);
}

/* Loops change a number from launch to launch, and areas have contents of their own each time.
 */
static visage_status renew_plan(run_plan *plan)
{
    visage_launch *launch = plan->launch;
    visage_status status = fit_areas(plan, plan->memory);

    if (status == VISAGE_OK && plan->value_changes != launch->value_changes) {
        const vsg_run_payload_maker maker = {
            .launch = launch, .dispatch = &plan->dispatch, .diagnostics = plan->diagnostics};
        status = vsg_run_payload_change(&maker, &plan->payload);
        plan->value_changes = launch->value_changes;
    }
    return status;
}

static visage_status make_plan(run_plan *plan, const run_request *request, uint32_t part)
{
    if (plan->is_kept)
        drop_plan(plan->launch);
    plan->launch = request->launch;
    return prepare(plan, request, part);
}

/* ---- a launch --------------------------------------------------------------------------- */

static visage_status run_plan_now(run_plan *plan, const visage_run_options *options,
                                  visage_run_stats *stats)
{
    visage_launch *launch = plan->launch;
    vsg_run_job *job = launch->job;
    pthread_mutex_t *lock = &launch->program->device->run_lock;
    pthread_mutex_t *check_lock = check_lock_of(launch, options);
    vsg_run_check check;

    (void)pthread_mutex_lock(lock);
    if (check_lock)
        (void)pthread_mutex_lock(check_lock);
    visage_status status = VISAGE_OK;
    describe_job(job, plan, options);
    if (options && options->check &&
        vsg_run_check_init(&check, job, plan->memory, !options->no_races) != VISAGE_OK)
        status = no_memory(plan);
    if (status == VISAGE_OK)
        status = fit_workers(plan, job);
    if (status == VISAGE_OK)
        status = execute(plan, options, stats);
    if (check_lock)
        (void)pthread_mutex_unlock(check_lock);
    (void)pthread_mutex_unlock(lock);
    visage_status printed = vsg_run_printed_close(launch, options, plan->diagnostics);
    if (job->check)
        vsg_run_check_fini(&check);
    return status == VISAGE_OK ? printed : status;
}

static visage_status run_part(run_request *request, uint32_t part, visage_run_stats *stats)
{
    visage_launch *launch = request->launch;

    if (!open_plan(launch)) {
        const run_plan none = {.launch = launch, .diagnostics = request->diagnostics};
        return no_memory(&none);
    }
    run_plan *plan = launch->plan;
    bool is_like_last = is_for(plan, request, part);
    plan->diagnostics = request->diagnostics;
    visage_status status = is_like_last ? renew_plan(plan) : make_plan(plan, request, part);
    if (status == VISAGE_OK && plan->dispatch.num_groups > 0)
        status = run_plan_now(plan, request->options, stats);
    if (is_like_last && status == VISAGE_OK)
        return VISAGE_OK;
    if (status == VISAGE_OK)
        request->edges = vsg_run_dispatch_edges(&plan->dispatch);
    keep_plan(plan, request, status);
    return status;
}

static void add_stats(visage_run_stats *stats, const visage_run_stats *part)
{
    stats->groups += part->groups;
    stats->threads += part->threads;
    stats->instructions += part->instructions;
    stats->nanoseconds += part->nanoseconds;
    stats->findings += part->findings;
    stats->compile_nanoseconds += part->compile_nanoseconds;
}

visage_status vsg_run_launch_run(visage_launch *launch, const visage_range *range,
                                 const visage_run_options *options,
                                 visage_diagnostics *diagnostics, visage_run_stats *stats)
{
    run_request request = {launch, range, options, diagnostics, 0};
    visage_status status = run_part(&request, 0, stats);

    for (uint32_t part = 1; range->uneven && part < VSG_RUN_PARTS && status == VISAGE_OK;
         part++) {
        visage_run_stats more = {0};
        if (part & ~request.edges)
            continue; /* it has nothing */
        status = run_part(&request, part, &more);
        if (stats && stats->groups == 0)
            *stats = more;
        else if (stats)
            add_stats(stats, &more);
    }
    return status;
}
