/* SPDX-License-Identifier: MIT
 *
 * The code of a program: made when a unit is first run, or taken from the cache, and kept. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/processor.h"
#include "base/thread.h"
#include "jit/cache.h"
#include "jit/compile.h"
#include "jit/group.h"
#include "jit/tell.h"

typedef enum unit_state { UNIT_UNTRIED, UNIT_IN_WORK, UNIT_DONE } unit_state;

/* The code for a request. */
typedef struct unit_code unit_code;
struct unit_code {
    unit_code *next;         /* for other requests of the unit */
    vsg_jit_request request; /* its arrays are owned */
    unit_state state;
    vsg_jit_run run; /* NULL: the interpreter's */
    vsg_jit_image image;
    vsg_jit_told *told; /* perf and gdb; NULL: nobody */
    vsg_jit_stats stats;
    bool is_kernel;           /* that calls functions */
    bool is_rough;            /* vsg_jit_code */
    uint64_t cost;            /* vsg_jit_stats */
    vsg_exe_clears *clears;   /* the same */
    vsg_jit_runners *runners; /* vsg_jit_code; those that it calls are there */
    bool was_looked_for;      /* in the cache */
    uint64_t spent;           /* nanoseconds of doing without, where that came first */
    bool has_thread;          /* that made it, not joined yet */
    pthread_t thread;
};

struct vsg_jit_program {
    vsg_base_alloc alloc;
    const vsg_exe_program *program;
    vsg_jit_options options;
    vsg_jit_cache *cache; /* NULL: none */
    bool has_lock;
    pthread_mutex_t lock; /* of `codes` but for what a thread that makes code of it writes */
    pthread_cond_t done;  /* a unit is UNIT_DONE */
    atomic_bool stops;    /* nobody wants what is in work any more */
    unit_code **codes;    /* by unit */
};

bool vsg_jit_available(void)
{
    return true;
}

/* ---- the program ------------------------------------------------------------------------- */

static bool init_lock(vsg_jit_program *jit)
{
    if (pthread_mutex_init(&jit->lock, NULL) != 0)
        return false;
    jit->has_lock = pthread_cond_init(&jit->done, NULL) == 0;
    if (!jit->has_lock)
        (void)pthread_mutex_destroy(&jit->lock);
    return jit->has_lock;
}

vsg_jit_program *vsg_jit_create(const vsg_base_alloc *alloc, const vsg_exe_program *program,
                                const vsg_jit_options *options)
{
    vsg_jit_program *jit = vsg_base_new(alloc, 1, sizeof *jit);

    if (!jit)
        return NULL;
    jit->alloc = *alloc;
    jit->program = program;
    jit->options = *options;
    atomic_init(&jit->stops, false);
    jit->codes = vsg_base_new(alloc, program->num_units, sizeof *jit->codes);
    jit->cache = vsg_jit_cache_open(&jit->alloc, program, options);
    if (!jit->codes || !init_lock(jit))
        vsg_jit_free(&jit);
    return jit;
}

static void free_code(const vsg_jit_program *jit, unit_code *code)
{
    const vsg_jit_request *request = &code->request;

    vsg_jit_untell(&code->told);
    vsg_jit_image_unload(&code->image);
    vsg_base_delete(&jit->alloc, (void *)(uintptr_t)request->pieces, request->num_pieces,
                    sizeof *request->pieces);
    vsg_base_delete(&jit->alloc, (void *)(uintptr_t)request->states, request->num_states,
                    sizeof *request->states);
    vsg_base_delete(&jit->alloc, code->runners, jit->program->num_units, sizeof *code->runners);
    vsg_base_delete(&jit->alloc, code->clears, jit->program->num_units, sizeof *code->clears);
    vsg_base_delete(&jit->alloc, code, 1, sizeof *code);
}

/* Takes the thread that makes code from its entry. False: there is none. */
static bool take_thread(vsg_jit_program *jit, pthread_t *thread)
{
    bool is_found = false;

    (void)pthread_mutex_lock(&jit->lock);
    for (uint32_t i = 0; i < jit->program->num_units && !is_found; i++)
        for (unit_code *code = jit->codes[i]; code && !is_found; code = code->next) {
            is_found = code->has_thread;
            *thread = code->thread;
            code->has_thread = false;
        }
    (void)pthread_mutex_unlock(&jit->lock);
    return is_found;
}

/* What is soon done is kept on disk, even if nobody wants it any more: short programs would
 * begin it in each of their runs, and never have it. Nanoseconds. */
enum { SOON = 300 * 1000 * 1000 };

static bool is_soon_done(vsg_jit_program *jit)
{
    uint64_t cost = 0;

    (void)pthread_mutex_lock(&jit->lock);
    for (uint32_t i = 0; i < jit->program->num_units; i++)
        for (const unit_code *code = jit->codes[i]; code; code = code->next)
            cost += code->has_thread ? code->cost : 0;
    (void)pthread_mutex_unlock(&jit->lock);
    return jit->cache && cost <= SOON;
}

void vsg_jit_free(vsg_jit_program **jit)
{
    pthread_t thread;

    vsg_jit_program *old = *jit;

    if (!old)
        return;
    if (!old->codes || !old->has_lock || !is_soon_done(old))
        atomic_store(&old->stops, true);
    /* Those that make code of kernels use that of functions, and add to it. */
    while (old->codes && old->has_lock && take_thread(old, &thread))
        (void)pthread_join(thread, NULL);
    for (uint32_t i = 0; old->codes && i < old->program->num_units; i++)
        while (old->codes[i]) {
            unit_code *code = old->codes[i];
            old->codes[i] = code->next;
            free_code(old, code);
        }
    vsg_jit_cache_close(&old->cache);
    if (old->has_lock) {
        (void)pthread_cond_destroy(&old->done);
        (void)pthread_mutex_destroy(&old->lock);
    }
    vsg_base_delete(&old->alloc, old->codes, old->program->num_units, sizeof *old->codes);
    vsg_base_alloc alloc = old->alloc;
    vsg_base_delete(&alloc, old, 1, sizeof *old);
    *jit = NULL;
}

/* ---- requests ---------------------------------------------------------------------------- */

static bool are_equal_pieces(const vsg_jit_piece *a, const vsg_jit_piece *b)
{
    return a->per_thread == b->per_thread && a->axis == b->axis && a->channel == b->channel &&
           a->size == b->size && a->from == b->from && a->place == b->place &&
           a->size_bytes == b->size_bytes;
}

static bool are_equal(const vsg_jit_request *a, const vsg_jit_request *b)
{
    if (a->unit != b->unit || a->rows != b->rows ||
        memcmp(a->order, b->order, sizeof a->order) != 0 || a->is_partial != b->is_partial ||
        a->mask != b->mask || a->num_pieces != b->num_pieces ||
        a->num_states != b->num_states || a->slm_bytes != b->slm_bytes ||
        a->num_threads != b->num_threads || memcmp(a->local, b->local, sizeof a->local) != 0 ||
        a->simd_size != b->simd_size || a->mode != b->mode || a->begins != b->begins ||
        a->turns != b->turns || a->resumes != b->resumes || a->effort != b->effort)
        return false;
    for (uint32_t i = 0; i < a->num_pieces; i++)
        if (!are_equal_pieces(&a->pieces[i], &b->pieces[i]))
            return false;
    for (uint32_t i = 0; i < a->num_states; i++)
        if (a->states[i].element != b->states[i].element ||
            a->states[i].value != b->states[i].value)
            return false;
    return true;
}

/* Is there more to be had for it, or for functions that it may call? */
static bool is_rough(const vsg_jit_program *jit, const unit_code *code)
{
    const vsg_exe_unit *units = jit->program->units;
    bool found = vsg_jit_is_rough(&units[code->request.unit]);

    for (uint32_t u = 0; u < jit->program->num_units && code->is_kernel && !found; u++)
        found = units[u].object->is_function && vsg_jit_is_rough(&units[u]);
    return found && code->request.effort == VSG_JIT_EFFORT_BY_LENGTH && !jit->options.is_quick;
}

/* About what it takes to compile, from measurements: the first unit readies LLVM. Functions
 * that a kernel may call are as many as there are. */
static uint64_t cost_of(const vsg_exe_program *program, const unit_code *code)
{
    const uint64_t once = 8 * 1000000, each_copy = 200 * 1000;
    const vsg_exe_unit *unit = &program->units[code->request.unit];
    uint64_t cost = vsg_jit_cost(unit, code->request.effort);

    for (uint32_t u = 0; u < program->num_units && code->is_kernel; u++)
        if (program->units[u].object->is_function)
            cost += vsg_jit_cost(&program->units[u], code->request.effort);
    uint32_t num_copies = vsg_jit_count_copies(unit, &code->request);
    return once + (num_copies ? num_copies * each_copy : cost);
}

/* A copy with arrays of its own. NULL: memory is out. */
static unit_code *new_code(const vsg_jit_program *jit, const vsg_jit_request *request)
{
    unit_code *code = vsg_base_new(&jit->alloc, 1, sizeof *code);
    size_t num_pieces = request->num_pieces, num_states = request->num_states;

    if (!code)
        return NULL;
    vsg_jit_piece *pieces = vsg_base_new(&jit->alloc, num_pieces, sizeof *pieces);
    vsg_jit_state *states = vsg_base_new(&jit->alloc, num_states, sizeof *states);
    code->is_kernel = vsg_jit_has_functions(&jit->program->units[request->unit]);
    code->request = *request;
    code->request.pieces = pieces;
    code->request.states = states;
    code->is_rough = is_rough(jit, code);
    code->cost = cost_of(jit->program, code);
    if ((num_pieces && !pieces) || (num_states && !states)) {
        free_code(jit, code);
        return NULL;
    }
    if (num_pieces)
        memcpy(pieces, request->pieces, num_pieces * sizeof *pieces);
    if (num_states)
        memcpy(states, request->states, num_states * sizeof *states);
    return code;
}

/* The entry of a request, with the lock held. NULL: memory is out. */
static unit_code *code_of(vsg_jit_program *jit, const vsg_jit_request *request)
{
    unit_code **codes = &jit->codes[request->unit];
    unit_code *code = *codes;

    while (code && !are_equal(&code->request, request))
        code = code->next;
    if (code)
        return code;
    code = new_code(jit, request);
    if (code) {
        code->next = *codes;
        *codes = code;
    }
    return code;
}

/* ---- one unit ---------------------------------------------------------------------------- */

/* Symbols have a prefix: a kernel may be called `memset`. */
enum { NAME_BYTES = 256 };
static void name_function(const vsg_exe_program *program, uint32_t unit, char name[NAME_BYTES])
{
    (void)snprintf(name, NAME_BYTES, "visage_%s", program->units[unit].object->name);
}

typedef struct loading {
    const char *name;
    const char *suffix; /* behind the name */
    const uint8_t *code;
    bool tells_tools;
} loading;

static void note_function(void *user, const char *name, const uint8_t *code, size_t size_bytes)
{
    loading *wanted = user;
    size_t length = strlen(wanted->name);

    if (wanted->tells_tools)
        vsg_jit_tell_perf(name, code, size_bytes);
    if (strncmp(name, wanted->name, length) == 0 && strcmp(name + length, wanted->suffix) == 0)
        wanted->code = code;
}

/* Makes an object file executable. False: it is none, or damaged in a way that checksums do not
 * show. */
static bool load(const vsg_jit_program *jit, const vsg_jit_bytes *object, const char *name,
                 unit_code *out)
{
    loading wanted = {.name = name,
                      .suffix = out->stats.runs_groups ? VSG_JIT_OF_GROUPS : "",
                      .tells_tools = jit->options.tells_tools};

    if (!vsg_jit_image_load(&jit->alloc, object->data, object->size, note_function, &wanted,
                            &out->image))
        return false;
    if (wanted.tells_tools)
        out->told = vsg_jit_tell(&jit->alloc, &out->image, object->data, object->size);
    out->run = (vsg_jit_run)(uintptr_t)wanted.code;
    return out->run != NULL;
}

static bool load_cached(const vsg_jit_program *jit, const char *name, unit_code *out)
{
    vsg_jit_bytes object;
    bool good = vsg_jit_cache_find(jit->cache, &out->request, &out->stats, &object);

    if (good && object.size > 0)
        good = load(jit, &object, name, out);
    vsg_base_delete(&jit->alloc, object.data, object.size, 1);
    return good;
}

static void compile(const vsg_jit_program *jit, const char *name, unit_code *out)
{
    const vsg_jit_task task = {
        .alloc = &jit->alloc,
        .program = jit->program,
        .request = &out->request,
        .level = jit->options.level,
        .form = VSG_JIT_OBJECT,
        .lines = jit->options.tells_tools ? VSG_JIT_SOURCE_LINES : VSG_JIT_NO_LINES,
        .is_quick = jit->options.is_quick,
        .name = name,
        .stops = &jit->stops,
    };
    vsg_jit_bytes object;

    out->stats = (vsg_jit_stats){0};
    if (vsg_jit_compile(&task, &out->stats, &object) && !load(jit, &object, name, out))
        out->stats.reason = VSG_JIT_REASON_NOT_LOADED;
    vsg_jit_cache_put(jit->cache, &out->request, &out->stats, &object);
    vsg_base_delete(&jit->alloc, object.data, object.size, 1);
}

/* ---- functions --------------------------------------------------------------------------- */

static bool find_cached(vsg_jit_program *jit, const vsg_jit_request *request,
                        vsg_jit_stats *stats, vsg_jit_run *run);

/* Adds code to what is known of the kernel that calls it. */
static void add_code(unit_code *kernel, vsg_jit_runner *runner, const vsg_jit_stats *stats,
                     vsg_jit_run run)
{
    vsg_jit_stats *all = &kernel->stats;

    *runner = (vsg_jit_runner){run, all->num_windows};
    all->num_windows += stats->num_windows;
    all->compiled += stats->compiled;
    all->called += stats->called;
    if (!run)
        all->left = stats->reason;
}

/* False, with is_cached: there is no code yet. */
static bool find_function(vsg_jit_program *jit, unit_code *kernel, bool is_cached,
                          const vsg_jit_reach *reach, uint32_t unit)
{
    bool is_left = false, is_called = false;

    for (uint32_t n = 0; n < VSG_JIT_ENTRIES; n++) {
        const vsg_jit_request request =
            vsg_jit_request_of(jit->program, &kernel->request, reach, unit, (vsg_jit_entry)n);
        vsg_jit_stats stats;
        vsg_jit_run run;
        if (!reach[unit].is_called[n])
            continue;
        if (!is_cached)
            run = vsg_jit_find(jit, &request, &stats).run;
        else if (!find_cached(jit, &request, &stats, &run))
            return false;
        add_code(kernel, &kernel->runners[unit].by[n], &stats, run);
        if (!run)
            stats.clears.num = VSG_EXE_CLEAR_ALL;
        vsg_jit_join_clears(&kernel->clears[unit], &stats.clears);
        is_called = true;
        is_left |= !run;
    }
    if (!is_called)
        kernel->clears[unit].num = VSG_EXE_CLEAR_ALL;
    kernel->stats.num_functions += is_called;
    kernel->stats.num_left += is_left;
    return true;
}

/* The code of what a kernel may come to call. */
static bool find_functions(vsg_jit_program *jit, unit_code *kernel, bool is_cached,
                           const vsg_jit_reach *reach)
{
    for (uint32_t n = 0; n < VSG_JIT_ENTRIES; n++)
        kernel->runners[kernel->request.unit].by[n].run = kernel->run;
    for (uint32_t u = 0; u < jit->program->num_units; u++)
        if (!find_function(jit, kernel, is_cached, reach, u))
            return false;
    return true;
}

/* False: memory is out; or, with is_cached, there is a function that has no code yet. */
static bool make_functions(vsg_jit_program *jit, unit_code *kernel, bool is_cached)
{
    uint32_t num_units = jit->program->num_units;
    const vsg_jit_stats own = kernel->stats;
    vsg_jit_reach *reach = vsg_base_new(&jit->alloc, num_units, sizeof *reach);

    kernel->runners = vsg_base_new(&jit->alloc, num_units, sizeof *kernel->runners);
    kernel->clears = vsg_base_new(&jit->alloc, num_units, sizeof *kernel->clears);
    bool good = reach && kernel->runners && kernel->clears;
    if (good) {
        vsg_jit_find_reach(&jit->alloc, jit->program, &kernel->request, reach);
        good = find_functions(jit, kernel, is_cached, reach);
    }
    vsg_base_delete(&jit->alloc, reach, num_units, sizeof *reach);
    if (!good) {
        vsg_base_delete(&jit->alloc, kernel->runners, num_units, sizeof *kernel->runners);
        vsg_base_delete(&jit->alloc, kernel->clears, num_units, sizeof *kernel->clears);
        kernel->runners = NULL;
        kernel->clears = NULL;
        kernel->stats = own;
    }
    return good;
}

/* ---- all of a unit ----------------------------------------------------------------------- */

static void make(vsg_jit_program *jit, unit_code *code)
{
    char name[NAME_BYTES];
    uint64_t start = vsg_base_now();

    name_function(jit->program, code->request.unit, name);
    if (!code->run && !load_cached(jit, name, code))
        compile(jit, name, code);
    if (code->run && code->is_kernel && !make_functions(jit, code, false)) {
        code->run = NULL;
        code->stats.reason = VSG_JIT_REASON_NO_MEMORY;
    }
    code->stats.nanoseconds = vsg_base_now() - start;
    (void)pthread_mutex_lock(&jit->lock);
    code->state = UNIT_DONE;
    (void)pthread_cond_broadcast(&jit->done);
    (void)pthread_mutex_unlock(&jit->lock);
}

static vsg_jit_code as_code(const unit_code *code)
{
    return (vsg_jit_code){.run = code->run,
                          .is_rough = code->is_rough,
                          .starts = code->stats.starts,
                          .begins_only = code->stats.begins_only,
                          .resumes = code->stats.resumes,
                          .num_windows = code->stats.num_windows,
                          .runs_groups = code->stats.runs_groups,
                          .has_sums = code->stats.has_sums,
                          .runners = code->runners,
                          .clears = code->clears};
}

vsg_jit_code vsg_jit_find(vsg_jit_program *jit, const vsg_jit_request *request,
                          vsg_jit_stats *stats)
{
    (void)pthread_mutex_lock(&jit->lock);
    unit_code *code = code_of(jit, request);
    while (code && code->state == UNIT_IN_WORK)
        (void)pthread_cond_wait(&jit->done, &jit->lock);
    if (code && code->state == UNIT_UNTRIED) {
        code->state = UNIT_IN_WORK;
        (void)pthread_mutex_unlock(&jit->lock);
        make(jit, code);
        (void)pthread_mutex_lock(&jit->lock);
    }
    (void)pthread_mutex_unlock(&jit->lock);
    if (stats)
        *stats = code ? code->stats : (vsg_jit_stats){.reason = VSG_JIT_REASON_NO_MEMORY};
    return code ? as_code(code) : (vsg_jit_code){0};
}

/* ---- where the process ends -------------------------------------------------------------- */

/* Programs that nobody frees. Threads that make code are the process's own, not a child's. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t done;
    uint32_t num_soon; /* that are soon done */
    pid_t process;     /* 0: nothing waits yet where one ends */
} ending = {.lock = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

static void wait_for_soon_done(void)
{
    struct timespec end;

    if (ending.process != getpid() || clock_gettime(CLOCK_REALTIME, &end) != 0)
        return;
    end.tv_sec += 1; /* costs are estimates */
    (void)pthread_mutex_lock(&ending.lock);
    while (ending.num_soon > 0 && pthread_cond_timedwait(&ending.done, &ending.lock, &end) == 0)
        ;
    (void)pthread_mutex_unlock(&ending.lock);
}

static void begin_soon_done(void)
{
    (void)pthread_mutex_lock(&ending.lock);
    if (ending.process == 0)
        (void)atexit(wait_for_soon_done);
    if (ending.process != getpid())
        ending.num_soon = 0;
    ending.process = getpid();
    ending.num_soon++;
    (void)pthread_mutex_unlock(&ending.lock);
}

static void end_soon_done(void)
{
    (void)pthread_mutex_lock(&ending.lock);
    ending.num_soon--;
    (void)pthread_cond_broadcast(&ending.done);
    (void)pthread_mutex_unlock(&ending.lock);
}

/* ---- in the background ------------------------------------------------------------------- */

typedef struct background {
    vsg_jit_program *jit;
    unit_code *code;
    bool is_soon; /* done, and kept */
} background;

/* Nobody need wait for the thread any more, unless somebody does. */
static void part_with_thread(vsg_jit_program *jit, unit_code *code)
{
    (void)pthread_mutex_lock(&jit->lock);
    if (code->has_thread && !atomic_load(&jit->stops) && pthread_detach(code->thread) == 0)
        code->has_thread = false;
    (void)pthread_mutex_unlock(&jit->lock);
}

static void *work(void *user)
{
    background *task = user;
    background own = *task;

    vsg_base_processors_open();
    vsg_base_delete(&own.jit->alloc, task, 1, sizeof *task);
    make(own.jit, own.code);
    if (own.is_soon)
        end_soon_done();
    part_with_thread(own.jit, own.code);
    return NULL;
}

/* Starts a thread for the code; where there can be none, it stays untried. */
static void begin(vsg_jit_program *jit, unit_code *code)
{
    background *task = vsg_base_new(&jit->alloc, 1, sizeof *task);

    if (!task)
        return;
    bool is_soon = jit->cache && code->cost <= SOON;
    *task = (background){jit, code, is_soon};
    if (is_soon)
        begin_soon_done();
    code->has_thread = vsg_base_thread_start(&code->thread, work, task);
    if (code->has_thread) {
        code->state = UNIT_IN_WORK;
        return;
    }
    if (is_soon)
        end_soon_done();
    vsg_base_delete(&jit->alloc, task, 1, sizeof *task);
}

/* Looks into the cache, once. The lock is held, but not while the disk is looked at. */
static void look(vsg_jit_program *jit, unit_code *code)
{
    char name[NAME_BYTES];
    uint64_t start = vsg_base_now();

    code->was_looked_for = true;
    code->state = UNIT_IN_WORK;
    (void)pthread_mutex_unlock(&jit->lock);
    name_function(jit->program, code->request.unit, name);
    bool is_found = load_cached(jit, name, code);
    if (code->run && code->is_kernel)
        is_found = make_functions(jit, code, true);
    code->stats.nanoseconds = vsg_base_now() - start;
    (void)pthread_mutex_lock(&jit->lock);
    code->state = is_found ? UNIT_DONE : UNIT_UNTRIED;
    (void)pthread_cond_broadcast(&jit->done);
}

/* False: a function is not compiled yet. Else it has code, or there will never be any. */
static bool find_cached(vsg_jit_program *jit, const vsg_jit_request *request,
                        vsg_jit_stats *stats, vsg_jit_run *run)
{
    (void)pthread_mutex_lock(&jit->lock);
    unit_code *code = code_of(jit, request);
    if (code && code->state == UNIT_UNTRIED && !code->was_looked_for)
        look(jit, code);
    bool is_done = code && code->state == UNIT_DONE;
    if (is_done) {
        *stats = code->stats;
        *run = code->run;
    }
    (void)pthread_mutex_unlock(&jit->lock);
    return is_done;
}

vsg_jit_code vsg_jit_try(vsg_jit_program *jit, const vsg_jit_request *request, uint64_t spent,
                         uint64_t ahead, vsg_jit_stats *stats)
{
    /* What has been run for some time goes on for as long, and code is kept for later runs. But
     * whoever frees the program waits for what is in work. */
    const uint64_t early = request->effort == VSG_JIT_EFFORT_MOST ? 1 : 2;

    (void)pthread_mutex_lock(&jit->lock);
    unit_code *code = code_of(jit, request);
    if (code && code->state == UNIT_UNTRIED && !code->was_looked_for)
        look(jit, code);
    if (code) {
        code->spent += spent;
        uint64_t taken = code->spent + ahead;
        if (code->state == UNIT_UNTRIED && early * taken >= code->cost)
            begin(jit, code);
    }
    bool is_done = code && code->state == UNIT_DONE;
    bool is_in_work = code && code->state == UNIT_IN_WORK;
    uint64_t cost = is_in_work ? code->cost : 0;
    (void)pthread_mutex_unlock(&jit->lock);
    if (stats)
        *stats = is_done ? code->stats
                         : (vsg_jit_stats){.reason = VSG_JIT_REASON_NOT_YET,
                                           .is_in_work = is_in_work,
                                           .cost = cost};
    return is_done ? as_code(code) : (vsg_jit_code){0};
}

/* ---- to look at -------------------------------------------------------------------------- */

visage_status vsg_jit_show(const vsg_base_alloc *alloc, const vsg_exe_program *program,
                           const vsg_jit_sight *sight, vsg_jit_stats *stats, vsg_jit_bytes *out)
{
    char name[NAME_BYTES];
    const vsg_exe_unit *facts = &program->units[sight->unit];
    const vsg_jit_request request = {.unit = sight->unit,
                                     .rows = 1,
                                     .is_partial = facts->object->is_function,
                                     .simd_size = facts->simd_size};
    const vsg_jit_task task = {.alloc = alloc,
                               .program = program,
                               .request = &request,
                               .level = sight->level,
                               .form = sight->form,
                               .lines = sight->lines,
                               .name = name};

    *stats = (vsg_jit_stats){0};
    name_function(program, sight->unit, name);
    if (vsg_jit_compile(&task, stats, out))
        return VISAGE_OK;
    return stats->reason == VSG_JIT_REASON_NO_MEMORY ? VISAGE_NO_MEMORY : VISAGE_UNSUPPORTED;
}
