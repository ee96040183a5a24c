/* SPDX-License-Identifier: MIT */
#include "runtime/relief.h"

#include "base/clock.h"
#include "base/processor.h"
#include "base/thread.h"
#include "runtime/job.h"

/* How long no group has ended when the first ones come, in nanoseconds, if a group is seen to
 * wait. Where the launch has needed them before. */
static const uint64_t first_interval = (uint64_t)100 * 1000 * 1000;
static const uint64_t known_interval = (uint64_t)1000 * 1000;
/* And where data races are looked for, which ends then. */
static const uint64_t race_interval = (uint64_t)5000 * 1000 * 1000;

/* How long groups before one that has failed go on while none ends. */
static const uint64_t failure_interval = (uint64_t)1000 * 1000 * 1000;

/* How many slices in a row must end where threads may wait for others: loops that try an atomic
 * operation again, which may be meant, too, are soon left. That is not seen of all that wait,
 * as in long loops: then the first ones come after so many intervals. Where the launch has
 * needed them one slice is enough. */
enum { LEAST_POLLS = 4, LEAST_POLLS_IF_KNOWN = 1, PATIENCE = 10 };

/* How long a turn is, where others wait for theirs, of a group that is seen to wait: several
 * times what it takes to change. And of others, which may be at work, and take some time to
 * find caches as they left them. */
enum { TURN_NS = 50 * 1000, LONG_TURN_NS = 200 * 1000 };

static bool looks_for_races(const vsg_run_job *job)
{
    return job->check && job->check->exec.race;
}

void vsg_run_relief_begin(vsg_run_job *job, uint32_t jobs, uint32_t most, uint32_t expected)
{
    vsg_run_relief *relief = &job->relief;

    relief->may_come = most > 0;
    relief->jobs = jobs;
    relief->most = most;
    atomic_init(&relief->count, 0);
    relief->groups = relief->since = 0;
    relief->expected = expected < most ? expected : most;
    relief->interval = looks_for_races(job) ? race_interval
                       : expected           ? known_interval
                                            : first_interval;
    relief->groups_called = relief->failed = 0;
    relief->took_all = false;
    relief->at_work = 0;
    relief->first = relief->last = NULL;
}

/* ---- turns ------------------------------------------------------------------------------ */

/* Until somebody else has had enough. The lock is held, but not meanwhile. */
static void wait_for_turn(vsg_run_job *job, vsg_run_worker *worker)
{
    vsg_run_relief *relief = &job->relief;

    if (!worker->has_turn)
        worker->has_turn = sem_init(&worker->turn, 0, 0) == 0;
    worker->next = NULL;
    if (relief->last)
        relief->last->next = worker;
    else
        relief->first = worker;
    relief->last = worker;
    (void)pthread_mutex_unlock(&job->lock);
    while (sem_wait(&worker->turn) != 0) {
    }
    (void)pthread_mutex_lock(&job->lock);
}

/* The next one has its turn; there is one. The lock is held. */
static void call_next(vsg_run_relief *relief)
{
    vsg_run_worker *next = relief->first;

    relief->first = next->next;
    if (!relief->first)
        relief->last = NULL;
    (void)sem_post(&next->turn);
}

static void take_turns(vsg_run_job *job, vsg_run_worker *worker)
{
    (void)pthread_mutex_lock(&job->lock);
    if (job->relief.first) {
        call_next(&job->relief);
        wait_for_turn(job, worker);
    }
    (void)pthread_mutex_unlock(&job->lock);
    worker->turn_began = vsg_base_now();
}

void vsg_run_relief_enter(vsg_run_job *job, uint32_t number)
{
    visage_device *device = job->launch->program->device;
    vsg_run_relief *relief = &job->relief;

    if (!relief->may_come)
        return;
    (void)pthread_mutex_lock(&job->lock);
    if (!vsg_run_is_relief(device, number) || relief->at_work < relief->jobs)
        relief->at_work++;
    else
        wait_for_turn(job, vsg_run_device_worker(device, number));
    (void)pthread_mutex_unlock(&job->lock);
}

void vsg_run_relief_leave(vsg_run_job *job)
{
    vsg_run_relief *relief = &job->relief;

    if (!relief->may_come)
        return;
    (void)pthread_mutex_lock(&job->lock);
    if (relief->first)
        call_next(relief);
    else
        relief->at_work--;
    (void)pthread_mutex_unlock(&job->lock);
}

/* ---- coming ----------------------------------------------------------------------------- */

static void *run_worker(void *user)
{
    vsg_run_worker *worker = user;

    vsg_base_processors_open();
    vsg_run_job_work(worker->job, worker->number);
    return NULL;
}

/* False: memory is out, or the system refuses the thread. */
static bool start_one(vsg_run_job *job)
{
    visage_device *device = job->launch->program->device;
    uint32_t count = atomic_load(&job->relief.count);
    vsg_run_worker *worker = &device->relief[count];

    worker->job = job;
    worker->number = device->jobs + count;
    if (!vsg_run_job_fit(job, &job->relief_way, worker) ||
        !vsg_base_thread_start(&worker->thread, run_worker, worker))
        return false;
    atomic_store(&job->relief.count, count + 1);
    return true;
}

/* How many there are to be. */
static uint32_t count_wanted(const vsg_run_relief *relief, uint32_t count, uint64_t left)
{
    enum { MORE = 4 }; /* times as many */
    uint32_t wanted = MORE * (count + relief->jobs) - relief->jobs;

    if (wanted < relief->expected)
        wanted = relief->expected;
    if (wanted - count > left)
        wanted = count + (uint32_t)left;
    return wanted < relief->most ? wanted : relief->most;
}

/* The more are in progress the longer each takes, so that more are called the later: groups may
 * also be long by themselves. The job's lock is held. */
static void call(vsg_run_job *job)
{
    vsg_run_relief *relief = &job->relief;
    visage_device *device = job->launch->program->device;
    uint32_t count = atomic_load(&relief->count), before = count;
    uint64_t left = job->dispatch->num_groups - vsg_run_job_next(job);
    uint32_t wanted = count_wanted(relief, count, left);

    if (!device->relief)
        device->relief =
            vsg_base_new(&device->alloc, VSG_RUN_MOST_LIVE_THREADS, sizeof *device->relief);
    relief->interval *= 2;
    if (count == 0) {
        relief->groups_called = atomic_load(&job->groups);
        vsg_run_code_relief(job);
    }
    if (looks_for_races(job)) {
        vsg_run_check_leave_races(job->check);
        relief->interval = first_interval;
    }
    while (count < wanted && device->relief && start_one(job))
        count++;
    if (count < wanted)
        relief->most = count;
    relief->took_all =
        count - before == left && atomic_load(&job->groups) == relief->groups_called;
}

/* For how long no group has ended. The lock is held. */
static uint64_t measure(vsg_run_job *job)
{
    vsg_run_relief *relief = &job->relief;
    uint64_t groups = atomic_load(&job->groups), now = vsg_base_now();

    if (relief->since == 0 || groups != relief->groups) {
        relief->groups = groups;
        relief->since = now;
    }
    return now - relief->since;
}

/* Groups behind one that has failed stop, but those before it go on, as they may fail, too; not
 * if they wait for it. */
static void help(vsg_run_job *job, const vsg_run_worker *worker)
{
    vsg_run_relief *relief = &job->relief;
    uint64_t since = measure(job), next = vsg_run_job_next(job);
    bool waits = vsg_run_relief_is_there(relief) || looks_for_races(job) ||
                 worker->num_polls >= (relief->expected ? LEAST_POLLS_IF_KNOWN : LEAST_POLLS);
    uint64_t patience = waits ? relief->interval : PATIENCE * relief->interval;

    if (job->failure.status != VISAGE_OK) {
        uint64_t now = vsg_base_now();
        relief->failed = relief->failed ? relief->failed : now;
        if (since > failure_interval && now - relief->failed > failure_interval)
            atomic_store_explicit(&job->limit, 0, memory_order_relaxed);
    } else if (atomic_load(&relief->count) < relief->most && since > patience &&
               next < job->dispatch->num_groups && !vsg_run_job_stops(job, next)) {
        call(job);
        relief->since = vsg_base_now();
    }
}

void vsg_run_relief_look(vsg_run_job *job, uint32_t number)
{
    vsg_run_relief *relief = &job->relief;

    if (!job->launch->may_poll)
        return;
    vsg_run_worker *worker = vsg_run_device_worker(job->launch->program->device, number);
    if (pthread_mutex_trylock(&job->lock) == 0) {
        help(job, worker);
        (void)pthread_mutex_unlock(&job->lock);
    }
    if (!vsg_run_relief_is_there(relief))
        return;
    uint64_t turn_ns = worker->num_polls ? TURN_NS : LONG_TURN_NS;
    if (vsg_base_now() - worker->turn_began > turn_ns)
        take_turns(job, worker);
}

uint32_t vsg_run_relief_end(vsg_run_job *job)
{
    vsg_run_relief *relief = &job->relief;
    uint32_t i = 0;

    for (; i < atomic_load(&relief->count); i++) /* those that are waited for may call more */
        (void)pthread_join(job->launch->program->device->relief[i].thread, NULL);
    return relief->took_all ? i : 0;
}
