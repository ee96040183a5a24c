/* SPDX-License-Identifier: MIT
 *
 * Which engine runs a launch, and what code. With `auto` the interpreter begins; a launch that
 * turns out to be long enough has its kernel compiled meanwhile, and its groups run in the code
 * from then on. Code of long text is made with little effort at first, and likewise again.
 * All workers come to an end before that, so that nothing changes under a group. */
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/processor.h"
#include "runtime/job.h"

/* So many channels of a thread, from a multiple of it on, have local ids in a row. */
static uint32_t rows_of(const vsg_run_dispatch *dispatch)
{
    const uint32_t *local = dispatch->local, along = local[dispatch->order[0]];
    uint32_t rows = dispatch->simd;

    if (local[0] * local[1] * local[2] == along)
        return rows;
    while (rows > 1 && along % rows != 0)
        rows /= 2;
    return rows;
}

static bool is_power_of_2(uint32_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

/* The size of a group, where code is to be made for it: there are not many that are powers of
 * 2, and the ids of channels are sums then. */
static void note_local(const vsg_run_job *job, vsg_jit_request *out)
{
    const vsg_run_dispatch *dispatch = job->dispatch;
    bool is_known = !out->is_partial && dispatch->simd >= 8 && !dispatch->is_media &&
                    dispatch->simd == job->launch->unit->simd_size;

    for (uint32_t d = 0; d < 3; d++)
        is_known = is_known && is_power_of_2(dispatch->local[d]);
    if (is_known)
        memcpy(out->local, dispatch->local, sizeof out->local);
}

static uint32_t all_channels(const vsg_run_job *job)
{
    uint32_t simd_size = job->launch->unit->simd_size;

    return simd_size >= 32 ? UINT32_MAX : (1u << simd_size) - 1;
}

/* Which channels threads begin with: those of work-items, which a last thread has fewer of. */
static void note_mask(const vsg_run_job *job, vsg_jit_request *out)
{
    const vsg_run_dispatch *dispatch = job->dispatch;
    uint32_t mask = dispatch->last_mask;
    bool is_same = dispatch->num_threads == 1 || dispatch->mask == mask;

    if (is_same && mask == all_channels(job))
        return;
    out->is_partial =
        !is_same || mask == 0 || (mask & (mask + 1)) != 0 || (mask & ~all_channels(job)) != 0;
    if (!out->is_partial)
        out->mask = mask;
}

/* May threads begin in compiled code? */
static bool begins_threads(const vsg_run_job *job)
{
    return !job->has_arguments && !job->dispatch->is_media;
}

/* Threads that meet at barriers are one group's. */
static vsg_jit_turns turns_of(const vsg_run_job *job)
{
    enum { FEW = 4 };
    const vsg_run_dispatch *dispatch = job->dispatch;

    if (job->launch->unit->has_barrier || vsg_run_dispatch_beside(dispatch) == 0)
        return VSG_JIT_NO_TURNS;
    if (dispatch->num_threads == 1) /* one code for any number of groups */
        return VSG_JIT_MANY_TURNS;
    if (dispatch->groups[0] == 1)
        return VSG_JIT_NO_TURNS;
    return dispatch->groups[0] < FEW ? VSG_JIT_FEW_TURNS : VSG_JIT_MANY_TURNS;
}

/* Of the kernel, for the dispatch at hand. */
static vsg_jit_request request_of(const vsg_run_job *job)
{
    const vsg_run_payload *payload = job->payload;
    /* A budget is each thread's: threads with one take turns. */
    bool meets = job->launch->unit->has_barrier && !job->budget;

    vsg_jit_request request = {.unit = job->launch->kernel->index,
                               .rows = rows_of(job->dispatch),
                               .slm_bytes = job->slm.bytes,
                               .num_threads = meets ? job->dispatch->num_threads : 0,
                               .begins = begins_threads(job),
                               .turns = turns_of(job),
                               .pieces = payload->copies,
                               .num_pieces = payload->num_copies,
                               .states = payload->surfaces,
                               .num_states = payload->num_surfaces};

    for (uint32_t d = 0; d < 3; d++)
        request.order[d] = (uint8_t)job->dispatch->order[d];
    note_mask(job, &request);
    note_local(job, &request);
    return request;
}

static visage_engine engine_of(const visage_run_options *options)
{
    return options && options->engine != VISAGE_ENGINE_DEFAULT
               ? options->engine
               : (visage_engine)VSG_RUN_DEFAULT_ENGINE;
}

/* Of what is to come behind what the job has. */
static vsg_jit_request next_request_of(const vsg_run_job *job)
{
    vsg_jit_request request = request_of(job);

    if (job->way.code.run)
        request.effort = VSG_JIT_EFFORT_MOST;
    return request;
}

static vsg_run_way way_of(const vsg_run_job *job, vsg_jit_code code)
{
    return (vsg_run_way){code, code.starts && begins_threads(job)};
}

/* Takes code, if there is any, and looks out for what is to come. */
static void take_code(vsg_run_job *job, vsg_jit_code code, vsg_jit_reason reason)
{
    job->way = way_of(job, code);
    atomic_store(&job->watches, code.run ? code.is_rough : reason == VSG_JIT_REASON_NOT_YET);
}

/* What has been made of a long kernel because it ran for long is there for later launches. */
static void find_better(vsg_run_job *job, vsg_jit_stats *found)
{
    vsg_jit_stats better;

    if (!job->way.code.run || !job->way.code.is_rough)
        return;
    const vsg_jit_request request = next_request_of(job);
    vsg_jit_code code = vsg_jit_try(job->launch->program->jit, &request, 0, 0, &better);
    if (code.run) {
        take_code(job, code, better.reason);
        *found = better;
    } else if (better.reason != VSG_JIT_REASON_NOT_YET) {
        atomic_store(&job->watches, false);
    }
}

/* Where the last thread of several has channels off, code is for any. Schedules with a seed
 * switch threads between any two instructions. */
void vsg_run_code_find(vsg_run_job *job, const visage_run_options *options,
                       vsg_jit_stats *found)
{
    visage_program *program = job->launch->program;
    const vsg_jit_request request = request_of(job);
    visage_engine engine = engine_of(options);

    if (engine == VISAGE_ENGINE_INTERPRETER || job->check || job->seed)
        return;
    if (!program->jit)
        program->jit =
            vsg_jit_create(&program->alloc, program->exec, &program->device->jit_options);
    if (!program->jit)
        return;
    vsg_jit_code code = engine == VISAGE_ENGINE_AUTO
                            ? vsg_jit_try(program->jit, &request, 0, 0, found)
                            : vsg_jit_find(program->jit, &request, found);
    take_code(job, code, found->reason);
    find_better(job, found);
}

vsg_jit_code vsg_run_code_resuming(const vsg_run_job *job, const vsg_jit_code *code)
{
    vsg_jit_request request = request_of(job);

    request.resumes = true;
    if (code->runs_groups)
        request.effort = VSG_JIT_EFFORT_LEAST;
    return vsg_jit_find(job->launch->program->jit, &request, NULL);
}

void vsg_run_code_relief(vsg_run_job *job)
{
    job->relief_way = job->way;
    if (job->way.code.run || !atomic_load(&job->watches))
        return;
    const vsg_jit_request request = request_of(job);
    job->relief_way = way_of(job, vsg_jit_find(job->launch->program->jit, &request, NULL));
}

/* ---- while the job runs without ---------------------------------------------------------- */

/* What the groups that are left will take, if they are like those that are done by what the job
 * has now. */
static uint64_t time_ahead(const vsg_run_job *job, uint64_t elapsed)
{
    uint64_t groups = atomic_load_explicit(&job->groups, memory_order_relaxed);
    uint64_t left = job->dispatch->num_groups - groups, done = groups - job->groups_before;

    elapsed -= job->elapsed_before;
    return done ? (uint64_t)((double)elapsed / (double)done * (double)left) : 0;
}

enum { PAUSE = 200 * 1000 }; /* nanoseconds between two looks */

static void look_for_code(vsg_run_job *job)
{
    vsg_jit_stats stats;
    uint64_t looked = atomic_load_explicit(&job->looked, memory_order_relaxed);
    uint64_t elapsed = vsg_base_now() - job->started;

    if (elapsed >= looked + PAUSE &&
        atomic_compare_exchange_strong(&job->looked, &looked, elapsed)) {
        const vsg_jit_request request = next_request_of(job);
        vsg_jit_code code = vsg_jit_try(job->launch->program->jit, &request, elapsed - looked,
                                        time_ahead(job, elapsed), &stats);
        bool may_come = stats.reason == VSG_JIT_REASON_NOT_YET;
        if (code.run)
            atomic_store(&job->changes, true);
        else if (!may_come)
            atomic_store(&job->watches, false);
        atomic_store(&job->compiling, may_come && !job->way.code.run ? stats.cost : 0);
    }
}

/* For how long a worker does best to leave its processor to the compiler, in nanoseconds. Where
 * there is a worker for each of them the last one may, if what is left of the launch takes the
 * interpreter several times as long as the code: estimates, which are off by a factor of three
 * at times (cost_of(), engine.c). */
static uint64_t time_to_leave(const vsg_run_job *job, uint32_t worker)
{
    enum { MUCH = 6 };
    uint64_t cost = atomic_load_explicit(&job->compiling, memory_order_relaxed);

    if (cost == 0 || worker == 0 || worker + 1 != job->launch->program->device->jobs ||
        worker + 1 < vsg_base_processors())
        return 0;
    return time_ahead(job, vsg_base_now() - job->started) / MUCH >= cost ? 3 * cost : 0;
}

bool vsg_run_code_watch(vsg_run_job *job, uint32_t worker)
{
    const struct timespec pause = {0, PAUSE};

    if (!atomic_load_explicit(&job->watches, memory_order_relaxed))
        return false;
    /* All groups are to begin, by whoever has code. */
    if (vsg_run_relief_is_there(&job->relief))
        return job->relief_way.code.run && !job->way.code.run &&
               !vsg_run_is_relief(job->launch->program->device, worker);
    look_for_code(job);
    uint64_t most = time_to_leave(job, worker), began = most ? vsg_base_now() : 0;
    while (most && vsg_base_now() - began < most &&
           atomic_load_explicit(&job->compiling, memory_order_relaxed) &&
           !atomic_load_explicit(&job->changes, memory_order_relaxed)) {
        uint64_t next = vsg_run_job_next(job);
        if (next >= job->dispatch->num_groups || vsg_run_job_stops(job, next))
            break;
        (void)nanosleep(&pause, NULL);
        look_for_code(job);
    }
    return atomic_load_explicit(&job->changes, memory_order_relaxed);
}

bool vsg_run_code_change(vsg_run_job *job, vsg_jit_stats *found)
{
    if (job->way.code.run ? !atomic_load(&job->watches)
                          : found->reason != VSG_JIT_REASON_NOT_YET)
        return false;
    const vsg_jit_request request = next_request_of(job);
    uint64_t elapsed = vsg_base_now() - job->started;
    vsg_jit_stats stats;
    vsg_jit_code code = vsg_jit_try(job->launch->program->jit, &request,
                                    elapsed - atomic_load(&job->looked), 0, &stats);
    bool changes = atomic_exchange(&job->changes, false);
    atomic_store(&job->looked, elapsed);
    if (changes || !job->way.code.run)
        *found = stats;
    if (changes) {
        take_code(job, code, stats.reason);
        job->elapsed_before = elapsed;
        job->groups_before = atomic_load(&job->groups);
    }
    return changes;
}

/* ---- what there was ---------------------------------------------------------------------- */

void vsg_run_code_note(const vsg_run_job *job, const vsg_jit_stats *found,
                       visage_run_stats *stats)
{
    if (!stats)
        return;
    stats->engine = job->way.code.run ? VISAGE_ENGINE_JIT : VISAGE_ENGINE_INTERPRETER;
    stats->compiled = found->compiled;
    stats->called = found->called;
    stats->compile_nanoseconds = found->nanoseconds;
    stats->cached = found->is_cached;
    stats->functions = found->num_functions;
    stats->interpreted_functions = found->num_left;
    if (found->num_left)
        stats->not_compiled = vsg_jit_reason_text(found->left);
    if (found->reason != VSG_JIT_REASON_NONE)
        stats->not_compiled = vsg_jit_reason_text(found->reason);
}
