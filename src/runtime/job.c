/* SPDX-License-Identifier: MIT */
#include "runtime/job.h"

#include "base/clock.h"
#include "runtime/printed.h"

bool vsg_run_job_stops(vsg_run_job *job, uint64_t group)
{
    if (job->deadline && vsg_base_now() >= job->deadline) {
        atomic_store_explicit(&job->timed_out, true, memory_order_relaxed);
        atomic_store_explicit(&job->launch->stop, 1, memory_order_relaxed);
    }
    if (atomic_load_explicit(&job->launch->cancel, memory_order_relaxed) != 0)
        atomic_store_explicit(&job->launch->stop, 1, memory_order_relaxed);
    return atomic_load_explicit(&job->launch->stop, memory_order_relaxed) != 0 ||
           group >= atomic_load_explicit(&job->limit, memory_order_relaxed);
}

void vsg_run_job_fail(vsg_run_job *job, const vsg_run_failure *failure)
{
    (void)pthread_mutex_lock(&job->lock);
    if (job->failure.status == VISAGE_OK || failure->group < job->failure.group) {
        job->failure = *failure;
        /* Groups below it go on: one of them may fail too, and would then be the first. */
        atomic_store_explicit(&job->limit, failure->group, memory_order_relaxed);
    }
    (void)pthread_mutex_unlock(&job->lock);
}

/* ---- who takes which groups -------------------------------------------------------------- */

/* Each worker has a part. All are one, in order, where groups print, or wait for those before
 * them: somebody has these then, also when workers stop to go on with code. */
void vsg_run_job_share(vsg_run_job *job, uint32_t jobs)
{
    vsg_run_worker *workers = job->launch->program->device->workers;
    uint64_t num_groups = job->dispatch->num_groups;

    bool in_order = job->dispatch->places || job->launch->may_wait || !job->way.code.run ||
                    vsg_run_prints(job->launch);

    job->num_parts = in_order ? 1 : jobs;
    for (uint32_t i = 0; i < job->num_parts; i++) {
        atomic_init(&workers[i].next_group, num_groups * i / job->num_parts);
        workers[i].end_group = num_groups * (i + 1) / job->num_parts;
    }
}

uint64_t vsg_run_job_next(const vsg_run_job *job)
{
    const vsg_run_worker *workers = job->launch->program->device->workers;

    for (uint32_t i = 0; i < job->num_parts; i++) {
        uint64_t next = atomic_load_explicit(&workers[i].next_group, memory_order_relaxed);
        if (next < workers[i].end_group)
            return next;
    }
    return job->dispatch->num_groups;
}

/* Takes up to `portion` groups, [*first, *end), of a worker's part, or one of the next part
 * that has some, unless that is `last`, which it knows. Returns the part; NULL: none has any.
 */
static vsg_run_worker *take_groups(const vsg_run_job *job, uint32_t worker, uint64_t portion,
                                   const vsg_run_worker *last, uint64_t *first, uint64_t *end)
{
    vsg_run_worker *workers = job->launch->program->device->workers;

    for (uint32_t i = 0; i < job->num_parts; i++) {
        vsg_run_worker *of = &workers[(worker + i) % job->num_parts];
        /* So that counters do not go far beyond their ends. */
        if (atomic_load_explicit(&of->next_group, memory_order_relaxed) >= of->end_group)
            continue;
        uint64_t count = of == last ? portion : 1;
        *first = atomic_fetch_add_explicit(&of->next_group, count, memory_order_relaxed);
        *end = *first + count < of->end_group ? *first + count : of->end_group;
        if (*first < *end)
            return of;
    }
    return NULL;
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* How many groups a worker takes next of a part that has `left`, when `groups` have taken it so
 * many instructions: those of compiled code are short enough to take many, which memory streams
 * gain by, but all workers are to have some to the end. Where they take no longer than it does
 * to take them it is twice as many as these, as what comes may take longer. Those that may wait
 * for others have none behind them that nobody else can take. */
static uint64_t fit_portion(const vsg_run_job *job, uint64_t left, uint64_t groups,
                            uint64_t instructions)
{
    enum { LEAST_INSTRUCTIONS = 1 << 11, MOST_INSTRUCTIONS = 1 << 18, PORTIONS = 8 };
    uint64_t each = instructions / groups + 1;

    if (!job->way.code.run || job->space.done || job->launch->may_poll)
        return 1;
    if (job->num_parts == 1)
        left /= job->launch->program->device->jobs;
    uint64_t least = least_of(LEAST_INSTRUCTIONS / each, least_of(2 * groups, left / 2));
    uint64_t portion = left / PORTIONS;
    if (portion < least)
        portion = least;
    portion = least_of(portion, MOST_INSTRUCTIONS / each);
    return portion > 1 ? portion : 1;
}

/* Until a worker is of use, or the first one has stopped, too. Groups that wait for each other
 * may need it. */
static void take_rest(vsg_run_job *job)
{
    enum { LOOK_NS = 10 * 1000 * 1000, STUCK_NS = 5 * LOOK_NS };
    vsg_run_crowd *crowd = job->crowd;
    uint64_t last = 0, since = vsg_base_now();

    atomic_fetch_add(&crowd->resting, 1);
    (void)pthread_mutex_lock(&job->lock);
    while (vsg_run_crowd_rests(crowd) && !job->is_left) {
        uint64_t next = vsg_run_job_next(job), done = next + atomic_load(&job->groups);
        if (next >= job->dispatch->num_groups || vsg_run_job_stops(job, next))
            break;
        if (done != last) {
            last = done;
            since = vsg_base_now();
        } else if (vsg_base_now() - since > STUCK_NS) {
            vsg_run_crowd_give_up(crowd);
        }
        vsg_base_cond_wait(&job->wakes, &job->lock, LOOK_NS);
    }
    (void)pthread_mutex_unlock(&job->lock);
    atomic_fetch_sub(&crowd->resting, 1);
}

/* By the first worker. */
static void wake_resting(vsg_run_job *job, bool leaves)
{
    (void)pthread_mutex_lock(&job->lock);
    job->is_left = leaves;
    (void)pthread_cond_broadcast(&job->wakes);
    (void)pthread_mutex_unlock(&job->lock);
}

/* What a worker runs, where that is timed (crowd.h). */
typedef struct timing {
    uint32_t active; /* workers, when it began */
    uint64_t began, portions;
} timing;

static void begin_portion(vsg_run_job *job, uint32_t worker, timing *t)
{
    if (!job->crowd)
        return;
    if (worker != 0 && vsg_run_crowd_rests(job->crowd))
        take_rest(job);
    t->active = vsg_run_crowd_active(job->crowd);
    t->began = vsg_base_now();
}

/* A worker has run some groups. Returns how many it takes next, of `portion`: as many as it ran
 * in so long, so that there is something to compare soon. */
static uint64_t end_portion(vsg_run_job *job, uint32_t worker, timing *t, uint64_t groups,
                            uint64_t portion)
{
    enum { FIRST = 2 }; /* portions that find less in caches */
    enum { PORTION_NS = 200 * 1000 };

    if (!job->crowd)
        return portion;
    uint64_t ns = vsg_base_now() - t->began, fits = PORTION_NS / (ns / groups + 1);
    bool is_timed = t->portions++ >= FIRST && t->active == vsg_run_crowd_active(job->crowd);
    vsg_run_crowd_note(job->crowd, worker, t->active, groups, ns, is_timed);
    if (worker == 0 && atomic_load(&job->crowd->resting) > 0 &&
        !vsg_run_crowd_rests(job->crowd))
        wake_resting(job, false);
    if (fits < portion)
        portion = fits;
    return portion > 1 ? portion : 1;
}

static void work(vsg_run_job *job, uint32_t worker)
{
    timing t = {0};
    uint64_t portion = 1;
    const vsg_run_worker *last = NULL;

    for (;;) {
        uint64_t group, end, done, instructions;
        begin_portion(job, worker, &t);
        if (vsg_run_code_watch(job, worker))
            return;
        if (worker == 0)
            vsg_run_pool_look(&job->launch->program->device->pool);
        vsg_run_worker *of = take_groups(job, worker, portion, last, &group, &end);
        if (!of)
            return;
        last = of;
        if (vsg_run_job_stops(job, group)) { /* and all behind it, but not all of other parts */
            atomic_store_explicit(&of->next_group, of->end_group, memory_order_relaxed);
            continue;
        }
        if (!vsg_run_space_wait(&job->space, job, group))
            return;
        bool is_done = vsg_run_groups(job, worker, group, end, &done, &instructions);
        atomic_fetch_add_explicit(&job->instructions, instructions, memory_order_relaxed);
        atomic_fetch_add_explicit(&job->groups, done, memory_order_relaxed);
        atomic_fetch_add_explicit(&job->threads, done * job->dispatch->num_threads,
                                  memory_order_relaxed);
        vsg_run_space_leave(&job->space, group, is_done);
        portion = 1;
        if (is_done)
            portion = end_portion(job, worker, &t, done,
                                  fit_portion(job, of->end_group - end, done, instructions));
    }
}

void vsg_run_job_work(void *user, uint32_t worker)
{
    vsg_run_job *job = user;

    if (job->crowd)
        atomic_fetch_add(&job->crowd->working, 1);
    vsg_run_relief_enter(job, worker);
    work(job, worker);
    vsg_run_relief_leave(job);
    if (job->crowd && worker == 0)
        wake_resting(job, true);
    if (job->crowd)
        atomic_fetch_sub(&job->crowd->working, 1);
}

/* ---- memory of workers ------------------------------------------------------------------ */

bool vsg_run_job_fit_worker(const vsg_run_job *job, vsg_run_worker *worker)
{
    const vsg_base_alloc *alloc = &job->launch->program->device->alloc;
    uint32_t num_threads = job->dispatch->num_threads;

    return vsg_run_worker_fit(worker, alloc, num_threads, job->slm.bytes) &&
           (!job->exec.program->has_pairs ||
            vsg_run_worker_offers(worker, alloc, num_threads)) &&
           (!job->check || vsg_run_worker_shadow(worker, alloc, job->slm.bytes));
}

bool vsg_run_job_fit_code(const vsg_run_job *job, const vsg_run_way *way,
                          vsg_run_worker *worker)
{
    const vsg_base_alloc *alloc = &job->launch->program->device->alloc;

    worker->num_begun = 0;
    return vsg_run_worker_windows(worker, alloc, way->code.num_windows) &&
           (!way->code.has_sums || vsg_run_worker_sums(worker, alloc));
}

bool vsg_run_job_fit(const vsg_run_job *job, const vsg_run_way *way, vsg_run_worker *worker)
{
    return vsg_run_job_fit_worker(job, worker) && vsg_run_job_fit_code(job, way, worker);
}
