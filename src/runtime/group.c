/* SPDX-License-Identifier: MIT
 *
 * The threads of one group, on one worker: each runs until it waits or ends, in order, round
 * after round. So a kernel without barriers needs the state of one thread only, and what a
 * group does depends on nothing else that goes on.
 * Source: 3_execution_model, Thread-Group Execution Model; pages BARRIER SBARRIER NBARRIER. */
#include <string.h>

#include "base/clock.h"
#include "exec/fpmode.h"
#include "exec/handlers.h"
#include "exec/message.h"
#include "runtime/implicit.h"
#include "runtime/job.h"

/* Instructions between two looks at the clock and the cancel flag, and after how many such
 * slices the next thread has its turn: a thread may wait for another one by polling. */
enum { SLICE_INSTRUCTIONS = 1 << 18, TURN_SLICES = 16 };

/* Where all groups are in progress so that they can wait for each other. */
enum { SHORT_SLICE_INSTRUCTIONS = 1 << 10 };

/* Most threads that take long do not poll, and code that lets them go on later is slower, and
 * has to be made first. Nanoseconds that they may take before that, and once there is some. */
enum { LONG_TURN = 100 * 1000 * 1000, TURN = 2 * 1000 * 1000 };

/* Frames of deep recursion are given back when their thread is done, but not that of a kernel
 * by itself, which the next thread needs as well, unless a group's are more than that. */
enum { KEPT_FRAMES_BYTES = 4 << 20, KEPT_OF_GROUP_BYTES = 64 << 20 };

typedef enum vsg_run_state {
    STATE_NEW,
    STATE_READY,   /* runs when it has its turn */
    STATE_BARRIER, /* waits for all */
    STATE_MEETING, /* at a named or split barrier; tries again at each turn */
    STATE_DONE
} vsg_run_state;

typedef struct group_run {
    vsg_run_job *job;
    vsg_run_worker *worker;
    uint32_t worker_number;
    const vsg_run_way *way;
    vsg_jit_batch blank;  /* blank_batch() */
    vsg_jit_batch *batch; /* in progress */
    uint32_t host;        /* state of the host's floating-point unit outside */
    uint64_t number;
    vsg_exe_group group;
    uint32_t num_done, num_waiting; /* STATE_DONE, STATE_BARRIER */
    uint32_t num_idle;              /* slots on the stack */
    size_t kept_frames_bytes;       /* of a thread that is done, at most */
    bool progress;                  /* in this round */
    uint64_t executed;              /* instructions of threads that have ended */
    uint64_t finished;              /* groups */
    uint64_t random;                /* state of the seed's generator; 0: no seed */
    uint32_t num_awaited; /* rounds of seeded turns in which threads waited to regroup */
    bool has_kept;        /* slot `kept` is none that others may have */
    uint32_t kept;
    /* Groups that took turns when a thread of one stopped, and are behind that: how many, from
     * which thread on. */
    uint32_t num_behind, behind_from;
    uint64_t since;        /* vsg_base_now(): when a thread had its first slices */
    bool has_stopped;      /* a thread of the group, in a loop */
    vsg_jit_code resuming; /* find_resuming(); no run: not asked for yet */
} group_run;

/* ---- seeded schedules ------------------------------------------------------------------- */

/* Instructions of a seeded turn at most: short enough for threads to meet in loops. */
enum { MOST_SEEDED = 48 };

/* SplitMix64 (Steele, Lea, Flood). */
static uint64_t draw(group_run *run)
{
    run->random += UINT64_C(0x9e3779b97f4a7c15);
    return vsg_run_mix(run->random) >> 8;
}

/* ---- starting a thread ------------------------------------------------------------------ */

/* The number that programs turn back into `compact`: zeros at the bits they drop. */
static uint32_t deposit(const char *squeeze, uint32_t compact)
{
    size_t length = strlen(squeeze);

    for (size_t i = length; i-- > 0;) {
        if (squeeze[i] == ' ')
            continue;
        uint32_t low = (1u << (uint32_t)(squeeze[i] - '0')) - 1u;
        compact = (compact & low) | (compact & ~low) << 1;
    }
    return compact;
}

static void put_shared(vsg_exe_thread *thread, uint32_t variable, uint32_t index,
                       uint32_t value)
{
    memcpy(thread->shared + vsg_exe_shared_at(variable) + index * sizeof value, &value,
           sizeof value);
}

static void put_shared_word(vsg_exe_thread *thread, uint32_t variable, uint32_t value)
{
    uint16_t word = (uint16_t)value;

    memcpy(thread->shared + vsg_exe_shared_at(variable), &word, sizeof word);
}

/* What functions find behind r0.0 (implicit.h); r0.2 is the row of the thread in the table. */
static void place_arguments(const group_run *run, vsg_exe_thread *thread, uint32_t number)
{
    const vsg_run_job *job = run->job;
    const vsg_run_memory *memory = job->launch->program->device->memory;

    if (!job->has_arguments)
        return;
    memcpy(vsg_run_memory_at(memory, thread->scratch_address + job->arguments_at),
           vsg_run_memory_at(memory, job->launch->implicit.address), VSG_RUN_IMPLICIT_BYTES);
    put_shared(thread, VSG_ISA_VAR_R0, 0, (uint32_t)job->arguments_at);
    put_shared(thread, VSG_ISA_VAR_R0, 2, number & 0xff);
}

/* r0 and the other registers that a thread finds filled. Until XeHP r0.5 is the byte offset of
 * the thread's scratch in a common area; here every thread has an area of its own, so it is 0.
 * From XeHP on the low byte of r0.2 is the thread's number in the group: get_sub_group_id()
 * reads it there.
 * Source: 4_visa_header, table of predefined variables; spec dialect 5.2, 5.3. */
static void fill_registers(const group_run *run, vsg_exe_thread *thread, uint32_t number)
{
    const visage_device *device = run->job->launch->program->device;
    const uint32_t *id = run->group.id;
    bool is_older = device->platform < VISAGE_PLATFORM_XEHP;

    put_shared(thread, VSG_ISA_VAR_R0, 1, id[0]);
    if (!is_older)
        put_shared(thread, VSG_ISA_VAR_R0, 2, number & 0xff);
    put_shared(thread, VSG_ISA_VAR_R0, 5, is_older ? 0 : VSG_EXE_SCRATCH_HANDLE << 4);
    put_shared(thread, VSG_ISA_VAR_R0, 6, id[1]);
    put_shared(thread, VSG_ISA_VAR_R0, 7, id[2]);
    put_shared(thread, VSG_ISA_VAR_GROUP_ID_X, 0, id[0]);
    put_shared(thread, VSG_ISA_VAR_GROUP_ID_Y, 0, id[1]);
    put_shared(thread, VSG_ISA_VAR_GROUP_ID_Z, 0, id[2]);
    if (run->job->dispatch->is_media) {
        put_shared_word(thread, VSG_ISA_VAR_THREAD_X, id[0]);
        put_shared_word(thread, VSG_ISA_VAR_THREAD_Y, id[1]);
    }
    put_shared(thread, VSG_ISA_VAR_HW_ID, 0, thread->hw_id);
    put_shared(thread, VSG_ISA_VAR_SR0, 0, deposit(device->facts->squeeze, thread->hw_id));
    put_shared(thread, VSG_ISA_VAR_SR0, 2, thread->dispatch_mask);
}

/* A slot for thread `number`; NULL: memory is out. */
static vsg_exe_thread *take_slot(group_run *run, uint32_t number)
{
    vsg_run_worker *worker = run->worker;
    uint32_t slot = run->num_idle > 0 ? worker->idle[--run->num_idle] : worker->num_slots++;
    vsg_exe_thread *thread = &worker->slots[slot];

    worker->slot_of[number] = slot;
    if (!thread->shared &&
        !vsg_exe_thread_init(thread, &run->job->launch->program->device->alloc))
        return NULL;
    return thread;
}

static size_t kept_frames_bytes(const vsg_run_job *job)
{
    const vsg_exe_unit *unit = job->launch->unit;
    uint64_t count = unit->has_barrier ? job->dispatch->num_threads : 1;

    return KEPT_FRAMES_BYTES +
           (count * unit->frame_bytes <= KEPT_OF_GROUP_BYTES ? unit->frame_bytes : 0);
}

static void give_slot(group_run *run, uint32_t number)
{
    vsg_run_worker *worker = run->worker;
    uint32_t slot = worker->slot_of[number];
    vsg_exe_thread *thread = &worker->slots[slot];

    if (thread->frames_bytes > run->kept_frames_bytes)
        vsg_exe_thread_free(thread);
    worker->idle[run->num_idle++] = slot;
}

/* The channels that are on when a thread begins. */
static uint32_t mask_of(const vsg_run_dispatch *dispatch, uint32_t number)
{
    return number + 1 == dispatch->num_threads ? dispatch->last_mask : dispatch->mask;
}

static bool start(group_run *run, uint32_t number)
{
    vsg_run_job *job = run->job;
    const vsg_run_dispatch *dispatch = job->dispatch;
    vsg_exe_thread *thread = take_slot(run, number);
    uint32_t mask = mask_of(dispatch, number);

    if (!thread)
        return false;
    thread->hw_id = run->worker_number * dispatch->num_threads + run->worker->slot_of[number];
    thread->number = number;
    thread->has_offered = false;
    thread->scratch_bytes = (uint32_t)job->scratch_bytes;
    thread->scratch_address =
        job->scratch_bytes ? job->launch->scratch.address + thread->hw_id * job->scratch_bytes
                           : 0;
    if (!vsg_exe_thread_start(thread, &job->exec, &run->group, job->launch->kernel->index,
                              mask))
        return false;
    fill_registers(run, thread, number);
    place_arguments(run, thread, number);
    if (job->check && !vsg_exe_check_start(thread, &job->check->exec, run->number, number))
        return false;
    vsg_run_payload_load(job->payload, number, thread);
    if (job->check)
        vsg_run_payload_note(job->payload, thread);
    return true;
}

/* ---- running ---------------------------------------------------------------------------- */

static bool fail(group_run *run, uint32_t number, const vsg_run_failure *what)
{
    vsg_run_failure failure = *what;

    failure.group = run->number;
    failure.thread = number;
    vsg_run_job_fail(run->job, &failure);
    return false;
}

static bool fail_with(group_run *run, uint32_t number, visage_status status)
{
    vsg_run_failure failure = {.status = status};

    return fail(run, number, &failure);
}

static void set_state(group_run *run, uint32_t number, vsg_run_state state)
{
    uint8_t *old = &run->worker->state_of[number];

    run->num_waiting -= *old == STATE_BARRIER;
    run->num_waiting += state == STATE_BARRIER;
    run->num_done += state == STATE_DONE;
    *old = (uint8_t)state;
}

static uint32_t phases(const group_run *run)
{
    uint32_t sum = run->group.split.phase;

    for (uint32_t i = 0; i < VSG_EXE_NUM_NAMED; i++)
        sum += run->group.named[i].phase;
    return sum;
}

static const vsg_exe_inst *instruction_of(const vsg_exe_thread *thread, bool is_retried)
{
    uint32_t pc = thread->pc;

    if (!is_retried && pc > 0)
        pc--;
    return &thread->code[pc];
}

/* Ends the run where a thread stands. */
static bool interrupt(group_run *run, uint32_t number, const vsg_exe_thread *thread,
                      vsg_base_diag diag)
{
    vsg_run_failure failure = {
        .status = VISAGE_CANCELLED,
        .fault = {.diag = diag,
                  .inst = instruction_of(thread, true)->source,
                  .unit = thread->frame->unit,
                  .channel = -1},
    };
    return fail(run, number, &failure);
}

/* Is the thread in a loop where it may wait for others, or what has called where it is? */
static bool is_polling(const vsg_exe_thread *thread)
{
    const vsg_exe_frame *frame = thread->frame;
    bool does = instruction_of(thread, true)->polls;

    for (uint32_t i = thread->num_calls; i-- > 0 && !does;) {
        frame -= thread->calls[i].is_function;
        does = frame->unit->code[thread->calls[i].return_pc].polls;
    }
    return does;
}

/* Does the group stop? This is asked once a slice. Who takes so long is helped: others may even
 * be what it waits for, if it polls. */
static bool stops(group_run *run, bool polls)
{
    run->worker->num_polls = polls ? run->worker->num_polls + 1 : 0;
    if (run->worker_number == 0)
        vsg_run_pool_look(&run->job->launch->program->device->pool);
    vsg_run_relief_look(run->job, run->worker_number);
    return vsg_run_job_stops(run->job, run->number);
}

/* A thread stopped at the end of a slice. False: the group is over. */
static bool after_slice(group_run *run, uint32_t number, const vsg_exe_thread *thread)
{
    vsg_run_job *job = run->job;

    if (job->budget && thread->executed >= job->budget)
        return interrupt(run, number, thread, VSG_DIAG_BUDGET);
    if (!stops(run, is_polling(thread)))
        return true;
    if (atomic_load_explicit(&job->timed_out, memory_order_relaxed))
        return interrupt(run, number, thread, VSG_DIAG_TIMEOUT);
    return false;
}

static uint64_t slice_of(const vsg_run_job *job)
{
    return vsg_run_relief_is_there(&job->relief) ? SHORT_SLICE_INSTRUCTIONS
                                                 : SLICE_INSTRUCTIONS;
}

static uint32_t slices_of(const vsg_run_job *job)
{
    return vsg_run_relief_is_there(&job->relief) ? 1 : TURN_SLICES;
}

/* For vsg_jit_batch.stops. Where a group runs as a whole no thread waits for another one. */
static bool is_to_stop(void *user, uint64_t done, bool polls)
{
    enum { FIRST_SLICES = 4 }; /* a loop by channels may take more than one at once */
    group_run *run = user;
    const vsg_run_job *job = run->job;
    bool is_known = atomic_load_explicit(&job->polls, memory_order_relaxed);

    if (stops(run, polls))
        return true;
    run->batch->budget = slice_of(job);
    if (done == 0 || job->dispatch->num_threads == 1)
        return false;
    if (vsg_run_relief_is_there(&job->relief))
        return true;
    uint64_t now = vsg_base_now();
    if (done < FIRST_SLICES * SLICE_INSTRUCTIONS)
        run->since = now;
    return now - run->since > (is_known ? TURN : LONG_TURN);
}

/* What all batches of a worker have, whatever threads are in them. */
static vsg_jit_batch blank_batch(group_run *run)
{
    return (vsg_jit_batch){.common = run->job->payload->common,
                           .per_thread = run->job->payload->per_thread,
                           .turn = UINT64_MAX,
                           .stops = is_to_stop,
                           .user = run};
}

static vsg_jit_batch batch_of(const group_run *run)
{
    vsg_jit_batch batch = run->blank;

    batch.budget = slice_of(run->job);
    return batch;
}

/* Of the launch's budget: behind a barrier a thread may be beyond it. */
static uint64_t left_of(const vsg_run_job *job, const vsg_exe_thread *thread)
{
    return job->budget > thread->executed ? job->budget - thread->executed : 0;
}

/* Code for threads that the job's own cannot go on with. Its windows are behind those of that.
 * NULL: memory is out, or there can be no such code. */
static const vsg_jit_code *find_resuming(group_run *run)
{
    const vsg_run_job *job = run->job;
    const vsg_base_alloc *alloc = &job->launch->program->device->alloc;
    vsg_run_worker *worker = run->worker;

    if (run->resuming.run)
        return &run->resuming;
    vsg_exe_host_restore(run->host); /* compilers compute, too */
    vsg_jit_code found = vsg_run_code_resuming(job, &run->way->code);
    if (!found.run ||
        !vsg_run_worker_windows(worker, alloc,
                                run->way->code.num_windows + found.num_windows) ||
        (found.has_sums && !vsg_run_worker_sums(worker, alloc)))
        return NULL;
    run->resuming = found;
    return &run->resuming;
}

static uint32_t enter(group_run *run, const vsg_jit_code *code, vsg_jit_batch *batch)
{
    run->batch = batch;
    uint32_t before = code == &run->resuming ? run->way->code.num_windows : 0;

    batch->windows = run->worker->windows + before;
    batch->sums = run->worker->sums;
    return vsg_jit_enter(code, batch);
}

/* Until the thread stops, by whatever engine the job has for it. */
static vsg_exe_stop run_thread(group_run *run, vsg_exe_thread *thread)
{
    const vsg_run_job *job = run->job;
    const vsg_jit_code *code = &run->way->code;
    uint8_t reason;

    if (code->run && !code->begins_only) {
        if (code->runs_groups || (!code->resumes && run->has_stopped))
            code = find_resuming(run);
        if (!code)
            return VSG_EXE_STOP_MEMORY;
        vsg_jit_batch batch = batch_of(run);
        batch.threads = &thread;
        batch.reasons = &reason;
        batch.end = 1;
        batch.first = thread->number;
        batch.per_thread += (size_t)thread->number * job->payload->thread_bytes;
        batch.budget = thread->budget;
        if (job->budget)
            batch.turn = left_of(job, thread);
        uint32_t stop = enter(run, code, &batch);
        return stop == VSG_EXE_RUNNING ? (vsg_exe_stop)reason : (vsg_exe_stop)stop;
    }
    return job->check ? vsg_exe_check_run(thread) : vsg_exe_run(thread);
}

typedef enum outcome { GOES_ON, TURN_OVER, GROUP_OVER } outcome;

/* A thread has stopped, having executed `executed` instructions in this turn. */
static outcome settle(group_run *run, uint32_t number, vsg_exe_stop stop, uint64_t executed)
{
    vsg_run_job *job = run->job;
    vsg_exe_thread *thread = &run->worker->slots[run->worker->slot_of[number]];

    switch (stop) {
    case VSG_EXE_STOP_END:
        run->executed += thread->executed;
        set_state(run, number, STATE_DONE);
        give_slot(run, number);
        run->progress = true;
        return TURN_OVER;
    case VSG_EXE_STOP_BARRIER:
        set_state(run, number, STATE_BARRIER);
        run->progress = true;
        return TURN_OVER;
    case VSG_EXE_STOP_NAMED:
    case VSG_EXE_STOP_SPLIT:
        /* The wait counts when it succeeds: it is executed again then. */
        run->progress |= executed > 1;
        thread->executed--;
        set_state(run, number, STATE_MEETING);
        return stops(run, is_polling(thread)) ? GROUP_OVER : TURN_OVER;
    case VSG_EXE_STOP_FAULT: {
        vsg_run_failure failure = {
            .status = VISAGE_FAULT, .fault = thread->fault, .mask = thread->execution_mask};
        (void)fail(run, number, &failure);
        return GROUP_OVER;
    }
    case VSG_EXE_STOP_MEMORY:
        (void)fail_with(run, number, VISAGE_NO_MEMORY);
        return GROUP_OVER;
    case VSG_EXE_STOP_BUDGET:
        run->has_stopped = true;
        if (run->way->code.run && !run->way->code.resumes)
            atomic_store_explicit(&job->polls, true, memory_order_relaxed);
        break;
    case VSG_EXE_STOP_YIELD:
    case VSG_EXE_STOP_FRAME:
    case VSG_EXE_RUNNING:
        break;
    }
    if (!after_slice(run, number, thread))
        return GROUP_OVER;
    set_state(run, number, STATE_READY);
    run->progress = true;
    return stop == VSG_EXE_STOP_YIELD || run->random ? TURN_OVER : GOES_ON;
}

/* A thread's turn: until it waits, ends, or has had enough. False: the group is over. */
static bool turn(group_run *run, uint32_t number)
{
    vsg_run_job *job = run->job;
    vsg_exe_thread *thread = &run->worker->slots[run->worker->slot_of[number]];
    outcome next = GOES_ON;

    for (uint32_t slice = 0; slice < slices_of(job) && next == GOES_ON; slice++) {
        uint64_t before = thread->executed;
        thread->budget = run->random ? 1 + draw(run) % MOST_SEEDED : slice_of(job);
        if (job->budget && left_of(job, thread) < thread->budget)
            thread->budget = left_of(job, thread);
        vsg_exe_stop stop = run_thread(run, thread);
        next = settle(run, number, stop, thread->executed - before);
    }
    return next != GROUP_OVER;
}

/* ---- barriers --------------------------------------------------------------------------- */

/* Did all threads come to the same instruction? */
static void check_barrier(group_run *run)
{
    vsg_run_worker *worker = run->worker;

    for (uint32_t i = 0; i < run->job->dispatch->num_threads; i++)
        worker->waiting[i] = &worker->slots[worker->slot_of[i]];
    vsg_run_check_barrier(run->job->check, worker->waiting, run->job->dispatch->num_threads);
}

/* Everybody has come. */
static void open_barrier(group_run *run)
{
    if (run->job->check)
        check_barrier(run);
    for (uint32_t i = 0; i < run->job->dispatch->num_threads; i++)
        set_state(run, i, STATE_READY);
}

static bool regroups(const vsg_exe_thread *thread)
{
    return instruction_of(thread, false)->handler == vsg_exe_do_regroup;
}

static bool is_regrouping(const group_run *run, uint32_t number)
{
    return run->worker->state_of[number] == STATE_BARRIER &&
           regroups(&run->worker->slots[run->worker->slot_of[number]]);
}

/* Seeded turns are so short that some may still be on their way; who is not after many is not
 * coming. */
static bool awaits_others(group_run *run)
{
    enum { MOST_ROUNDS = 64 };
    uint32_t num_threads = run->job->dispatch->num_threads, i = 0;

    while (i < num_threads && run->worker->state_of[i] != STATE_READY &&
           run->worker->state_of[i] != STATE_NEW)
        i++;
    return run->random && i < num_threads && run->num_awaited++ < MOST_ROUNDS;
}

/* Everybody has had a turn: who has left the same barrier has come, too, and those who are
 * where they regroup go on. False: nobody is. */
static bool end_regrouping(group_run *run)
{
    uint32_t num_threads = run->job->dispatch->num_threads, first = 0;

    while (first < num_threads && !is_regrouping(run, first))
        first++;
    if (first == num_threads)
        return false;
    if (awaits_others(run))
        return true;
    for (uint32_t i = first; i < num_threads; i++)
        if (is_regrouping(run, i))
            set_state(run, i, STATE_READY);
    run->num_awaited = 0;
    return true;
}

/* Nobody can go on: the first thread that waits is named. */
static bool fail_stuck(group_run *run)
{
    uint32_t num_threads = run->job->dispatch->num_threads;
    uint32_t first = 0, same = 0;

    while (first < num_threads && run->worker->state_of[first] == STATE_DONE)
        first++;
    uint8_t state = run->worker->state_of[first];
    for (uint32_t i = 0; i < num_threads; i++)
        same += run->worker->state_of[i] == state;
    const vsg_exe_thread *thread = &run->worker->slots[run->worker->slot_of[first]];
    vsg_run_failure failure = {
        .status = VISAGE_FAULT,
        .waiting = num_threads - same,
        .num_threads = num_threads,
        .fault = {.diag = VSG_DIAG_FAULT_BARRIER,
                  .inst = instruction_of(thread, state == STATE_MEETING)->source,
                  .unit = thread->frame->unit,
                  .channel = -1},
    };
    return fail(run, first, &failure);
}

/* One turn for every thread that can use it: in their order, or with a seed in one that changes
 * from round to round. False: the group is over. */
static bool round_of_turns(group_run *run)
{
    uint32_t before = phases(run);
    uint32_t num_threads = run->job->dispatch->num_threads;
    uint32_t first = run->random ? (uint32_t)(draw(run) % num_threads) : 0;
    bool backwards = run->random && draw(run) % 2;

    run->progress = false;
    for (uint32_t n = 0; n < num_threads; n++) {
        uint32_t i = (first + (backwards ? num_threads - n : n)) % num_threads;
        uint8_t state = run->worker->state_of[i];
        if (state == STATE_DONE || state == STATE_BARRIER)
            continue;
        if (state == STATE_NEW && !start(run, i))
            return fail_with(run, i, VISAGE_NO_MEMORY);
        if (!turn(run, i))
            return false;
    }
    if (run->job->exec.program->regroups && end_regrouping(run))
        return true;
    if (run->num_waiting > 0 && run->num_waiting == num_threads) {
        open_barrier(run);
        /* A loop over barriers may have no turn that is as long as a slice. */
        return after_slice(run, 0, &run->worker->slots[run->worker->slot_of[0]]);
    }
    if (!run->progress && phases(run) == before)
        return fail_stuck(run);
    return true;
}

/* ---- batches ----------------------------------------------------------------------------- */

/* What differs from group to group, for a slot that has had a thread of the launch. */
static void renew(group_run *run, vsg_exe_thread *thread, uint32_t number)
{
    const uint32_t *id = run->group.id;

    thread->group = &run->group;
    thread->dispatch_mask = mask_of(run->job->dispatch, number);
    put_shared(thread, VSG_ISA_VAR_R0, 1, id[0]);
    put_shared(thread, VSG_ISA_VAR_R0, 6, id[1]);
    put_shared(thread, VSG_ISA_VAR_R0, 7, id[2]);
    put_shared(thread, VSG_ISA_VAR_GROUP_ID_X, 0, id[0]);
    put_shared(thread, VSG_ISA_VAR_GROUP_ID_Y, 0, id[1]);
    put_shared(thread, VSG_ISA_VAR_GROUP_ID_Z, 0, id[2]);
    put_shared(thread, VSG_ISA_VAR_SR0, 2, thread->dispatch_mask);
}

/* A slot for a thread of a batch. False: memory is out. */
static bool join_batch(group_run *run, uint32_t number)
{
    vsg_run_worker *worker = run->worker;
    uint32_t slot = run->num_idle > 0 ? worker->idle[run->num_idle - 1] : worker->num_slots;

    if (run->way->starts && slot < worker->num_begun && worker->slots[slot].shared) {
        (void)take_slot(run, number);
        renew(run, &worker->slots[slot], number);
    } else if (!start(run, number)) {
        return fail_with(run, number, VISAGE_NO_MEMORY);
    }
    if (slot == worker->num_begun)
        worker->num_begun++;
    worker->waiting[number] = &worker->slots[slot];
    set_state(run, number, STATE_READY);
    return true;
}

/* The threads' states after a batch that stopped before its end, or whose threads are not all
 * at the same point. is_new: those it has not come to have not begun. */
static void leave_batch(group_run *run, const vsg_jit_batch *batch, bool has_slots)
{
    for (uint32_t i = 0; i < batch->next; i++) {
        bool is_done = batch->reasons[i] == VSG_EXE_STOP_END;
        set_state(run, i, is_done ? STATE_DONE : STATE_BARRIER);
        if (is_done && has_slots)
            give_slot(run, i);
    }
    for (uint32_t i = batch->next + 1; i < batch->end && batch->is_new; i++) {
        set_state(run, i, STATE_NEW);
        if (has_slots)
            give_slot(run, i);
    }
}

/* Do all threads of a batch wait, at barriers or where they regroup? Code has stored a reason
 * at a time: the host waits longer for several at once. */
static bool are_together(const group_run *run, const vsg_jit_batch *batch)
{
    bool regroup = run->job->exec.program->regroups, meet = true;

    for (uint32_t i = 0; i < batch->end && meet; i++)
        meet = batch->reasons[i] == VSG_EXE_STOP_BARRIER;
    for (uint32_t i = 1; i < batch->end && meet && regroup; i++)
        meet = regroups(batch->threads[i]) == regroups(batch->threads[0]);
    return meet;
}

static void begin_group(group_run *run, uint64_t number, bool is_next);
static bool run_group(group_run *run, uint32_t from, uint64_t end);

/* A thread stopped while groups took turns: those before its group are run to their ends first,
 * since it may wait for them, or they may fail, too. */
static void run_before(group_run *run, const vsg_jit_batch *batch)
{
    uint64_t first = run->number;
    vsg_exe_stop reason = (vsg_exe_stop)batch->reasons[batch->next];

    run->kept = run->worker->slot_of[0];
    run->has_kept = true;
    for (uint32_t i = 0; i < batch->place; i++) {
        batch->reasons[batch->next] = VSG_EXE_STOP_END;
        begin_group(run, first + i, false);
        (void)run_group(run, batch->next + 1, first + i + 1);
    }
    run->finished -= batch->place; /* they count as those that the batch has gone through */
    begin_group(run, first + batch->place, false);
    run->has_kept = false;
    run->worker->slot_of[0] = run->kept;
    batch->reasons[batch->next] = (uint8_t)reason;
    run->num_behind = batch->beside - batch->place;
    run->behind_from = batch->next;
}

/* Code for the threads of the group in hand, where that is not to be run as a whole: it is the
 * last one of its batch then. NULL: memory is out. */
static const vsg_jit_code *break_up(group_run *run, vsg_jit_batch *batch, uint32_t *more)
{
    run->number += *more - batch->more;
    *more = batch->more = 0;
    if (run->job->slm.bytes)
        memset(run->group.slm, 0, run->job->slm.bytes);
    return find_resuming(run);
}

/* May batches have several groups? */
static bool takes_groups(const group_run *run)
{
    const vsg_run_job *job = run->job;
    bool has_own = job->launch->unit->has_barrier || job->slm.bytes; /* state of each group */

    return (!has_own || run->way->code.runs_groups) && !job->exec.program->has_pairs &&
           !job->launch->may_poll && vsg_run_dispatch_is_in_order(job->dispatch);
}

/* How many groups behind this one a batch may go on with: those of its row. */
static uint32_t count_more(const group_run *run, uint64_t end)
{
    const vsg_run_dispatch *dispatch = run->job->dispatch;
    uint64_t left = end - run->number - 1;
    uint32_t row = dispatch->groups[0] - (run->group.id[0] - dispatch->first[0]) - 1;

    if (!takes_groups(run))
        return 0;
    return left < row ? (uint32_t)left : row;
}

/* Gives a batch the groups that code may go on with behind the one in hand. */
static void give_groups(const group_run *run, vsg_jit_batch *batch, uint64_t end)
{
    const vsg_run_dispatch *dispatch = run->job->dispatch;
    uint32_t row = dispatch->groups[0];

    batch->more = count_more(run, end);
    batch->rows = 0;
    batch->row = row;
    batch->first_id[0] = dispatch->first[0];
    batch->first_id[1] = dispatch->first[1];
    batch->end_y = dispatch->first[1] + dispatch->groups[1];
    if (!run->way->code.begins_only || !takes_groups(run) ||
        run->group.id[0] + batch->more + 1 != dispatch->first[0] + row)
        return;
    uint64_t rows = (end - run->number - 1 - batch->more) / row;
    batch->rows = rows < UINT32_MAX ? (uint32_t)rows : UINT32_MAX;
}

/* The row behind that of a batch which has come to its end, if code only begins: all threads
 * have one struct then, and nothing is left of them. False: there is none. */
static bool begin_row(group_run *run, vsg_jit_batch *batch, uint64_t end)
{
    if (run->number + 1 >= end || !run->way->code.begins_only || !takes_groups(run))
        return false;
    run->number++;
    vsg_run_dispatch_next_group(run->job->dispatch, run->group.id);
    renew(run, batch->threads[0], 0);
    batch->next = 0;
    give_groups(run, batch, end);
    return true;
}

/* From barrier to barrier, as long as all threads come to the same ones, and from row to row
 * of groups. end: of those that may be run. */
static void run_phases(group_run *run, vsg_jit_batch *batch, uint64_t end, bool has_slots,
                       bool *is_over)
{
    const vsg_run_job *job = run->job;
    const vsg_jit_code *code = &run->way->code;
    uint32_t stop;
    bool goes_on;

    do {
        uint32_t more = batch->more, rows = batch->rows, x = run->group.id[0];
        uint64_t number = run->number;
        stop = enter(run, code, batch);
        if (stop == VSG_JIT_ONE_BY_ONE) {
            code = break_up(run, batch, &more);
            stop = code ? enter(run, code, batch) : VSG_EXE_STOP_MEMORY;
        }
        run->executed += batch->executed;
        batch->executed = 0;
        run->number += (uint64_t)(rows - batch->rows) * batch->row + more - batch->more;
        run->number -= batch->beside;
        if (batch->rows != rows)
            vsg_run_dispatch_group(job->dispatch, run->number, run->group.id);
        else
            run->group.id[0] = x + (uint32_t)(run->number - number); /* whatever code told */
        bool meets = has_slots && stop == VSG_EXE_RUNNING && are_together(run, batch);
        *is_over = meets && stops(run, is_polling(batch->threads[0]));
        if (meets) {
            batch->next = 0;
            batch->is_new = false;
        }
        goes_on = meets ? !*is_over : stop == VSG_EXE_RUNNING && begin_row(run, batch, end);
    } while (goes_on);
    if (*is_over)
        return;
    if (batch->beside > 0)
        run_before(run, batch);
    leave_batch(run, batch, has_slots);
    if (stop == VSG_EXE_RUNNING)
        return;
    if (!has_slots)
        run->worker->slot_of[batch->next] = run->worker->slot_of[0];
    *is_over = settle(run, batch->next, (vsg_exe_stop)stop, 2) == GROUP_OVER;
}

/* May a thread use up its budget? Not where it goes through the text once. */
static bool may_use_up(const group_run *run)
{
    const vsg_run_job *job = run->job;

    return job->budget &&
           (!run->way->code.begins_only || job->budget < job->launch->unit->num_code);
}

/* The threads from one on, by compiled code, as far as they go together, and those of groups up
 * to `end` behind this one that need no state of their own: the group in hand is the last of
 * them then. False: the group is over. */
static bool run_batch(group_run *run, uint32_t from, uint64_t end)
{
    const vsg_run_job *job = run->job;
    uint32_t count = job->dispatch->num_threads;
    bool has_slots = job->launch->unit->has_barrier, is_over = false;
    vsg_jit_batch batch = batch_of(run);

    batch.threads = run->worker->waiting;
    batch.reasons = run->worker->reasons;
    batch.next = from;
    batch.end = count;
    batch.is_new = run->way->starts;
    if (run->way->starts)
        give_groups(run, &batch, end);
    batch.most_beside = vsg_run_dispatch_beside(job->dispatch);
    batch.mask = job->dispatch->mask;
    batch.last = count - 1;
    batch.last_mask = job->dispatch->last_mask;
    batch.thread_bytes = job->payload->thread_bytes;

    if (!run->way->code.run || run->random || may_use_up(run) ||
        (!has_slots && !run->way->starts))
        return true;
    for (uint32_t i = 0; i < (has_slots ? count : 1); i++)
        if (!join_batch(run, i))
            return false;
    for (uint32_t i = 1; i < count && !has_slots; i++)
        run->worker->waiting[i] = run->worker->waiting[0];
    run_phases(run, &batch, end, has_slots, &is_over);
    if (!has_slots && batch.next == count)
        give_slot(run, 0);
    return !is_over;
}

/* What all groups of a worker have, whichever is in hand. */
static vsg_exe_group group_of(const vsg_run_job *job, const vsg_run_worker *worker)
{
    return (vsg_exe_group){.slm = worker->slm,
                           .slm_shadow = worker->slm_shadow,
                           .slm_bytes = job->slm.bytes,
                           .num_threads = job->dispatch->num_threads,
                           .offers = job->exec.program->has_pairs ? worker->offers : NULL};
}

/* is_next: behind the group that was in hand. */
static void begin_group(group_run *run, uint64_t number, bool is_next)
{
    const vsg_run_job *job = run->job;
    vsg_run_worker *worker = run->worker;
    uint32_t num_threads = job->dispatch->num_threads;

    run->has_stopped = false;
    run->number = number;
    run->num_done = run->num_waiting = run->num_idle = 0;
    if (job->seed)
        run->random = vsg_run_mix(job->seed ^ vsg_run_mix(number + 1)) | 1;
    if (job->launch->unit->has_barrier) { /* what the group before has left of its barriers */
        memset(run->group.named, 0, sizeof run->group.named);
        run->group.split = (vsg_exe_meeting){0};
    }
    if (run->group.offers)
        memset(run->group.offers, 0, num_threads * sizeof *run->group.offers);
    if (is_next && vsg_run_dispatch_is_in_order(job->dispatch))
        vsg_run_dispatch_next_group(job->dispatch, run->group.id);
    else
        vsg_run_dispatch_group(job->dispatch, number, run->group.id);
    /* Its contents are undefined; zeros are the same ones in every run. */
    if (job->slm.bytes)
        memset(run->group.slm, 0, job->slm.bytes);
    if (job->slm.bytes && job->check)
        memset(run->group.slm_shadow, 0xff, job->slm.bytes);
    memset(worker->state_of, STATE_NEW, num_threads);
    for (uint32_t slot = worker->num_slots; slot-- > 0;)
        if (!run->has_kept || slot != run->kept)
            worker->idle[run->num_idle++] = slot;
    if (job->check)
        vsg_run_check_group(job->check, number);
}

/* False: it has failed, or the job stops. */
static bool run_group(group_run *run, uint32_t from, uint64_t end)
{
    uint32_t num_threads = run->job->dispatch->num_threads;
    uint64_t first = run->number;
    bool goes_on = from == num_threads || run_batch(run, from, end);

    while (goes_on && from < num_threads && run->num_done < num_threads)
        goes_on = round_of_turns(run);
    run->finished += run->number - first + (goes_on ? 1 : 0);
    return goes_on;
}

/* Adds a page of sums to memory, and clears it. */
static void add_page(uint64_t *mark, uint8_t *sums)
{
    uint64_t bytes = *mark % VSG_JIT_SUM_PAGE_BYTES;
    uint8_t *memory = (uint8_t *)(uintptr_t)(*mark - bytes);

    for (uint64_t at = 0; at < VSG_JIT_SUM_PAGE_BYTES; at += 8) {
        uint64_t both;
        uint32_t each[2];
        memcpy(&both, sums + at, sizeof both);
        if (both == 0)
            continue;
        memcpy(each, &both, sizeof each);
        memset(sums + at, 0, sizeof both);
        if (bytes == sizeof both)
            __atomic_fetch_add((vsg_exe_word64 *)(memory + at), both, __ATOMIC_SEQ_CST);
        for (uint32_t i = 0; i < 2 && bytes == sizeof *each; i++)
            if (each[i])
                __atomic_fetch_add((vsg_exe_word32 *)(memory + at + 4 * i), each[i],
                                   __ATOMIC_SEQ_CST);
    }
    *mark = 0;
}

/* What compiled code has put off. */
static void add_sums(vsg_jit_sums *sums)
{
    for (uint32_t i = 0; i < VSG_JIT_SUM_PAGES; i++)
        if (sums->marks[i])
            add_page(&sums->marks[i], sums->sums[i]);
}

bool vsg_run_groups(vsg_run_job *job, uint32_t worker, uint64_t number, uint64_t end,
                    uint64_t *done, uint64_t *instructions)
{
    group_run run = {.job = job,
                     .worker = vsg_run_device_worker(job->launch->program->device, worker),
                     .worker_number = worker,
                     .way = vsg_run_is_relief(job->launch->program->device, worker)
                                ? &job->relief_way
                                : &job->way,
                     .host = vsg_exe_host_save()};
    bool goes_on = true;

    run.group = group_of(job, run.worker);
    run.blank = blank_batch(&run);
    run.kept_frames_bytes = kept_frames_bytes(job);
    for (uint64_t next = number; next < end && goes_on; next = run.number + 1) {
        begin_group(&run, next, next != number);
        goes_on = run_group(&run, 0, end);
        for (uint32_t from = run.behind_from; run.num_behind > 0 && goes_on; run.num_behind--) {
            begin_group(&run, run.number + 1, true);
            goes_on = run_group(&run, from, run.number + 1);
        }
    }
    if (run.way->code.has_sums || run.resuming.has_sums)
        add_sums(run.worker->sums);
    vsg_exe_host_restore(run.host);
    *done = run.finished;
    *instructions = run.executed;
    return goes_on;
}
