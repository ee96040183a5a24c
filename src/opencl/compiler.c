/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr() */
#include "opencl/compiler.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "opencl/environment.h"
#include "opencl/object.h"
#include "opencl/spawn.h"
#include "opencl/wire.h"

enum { MOST_WORKERS = 64, LONGEST_IDENTITY = 4 * PATH_MAX };

/* A process of the compiler's. What the code generator is told by -igc_opts it takes in with
 * its first program, and not again: builds that say other things have processes of their own.
 */
typedef struct worker {
    vsg_ocl_process process;
    uint64_t told;
} worker;

/* The compiler's processes are the process's, as the platform is (platform.c). */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t freed;
    unsigned generation; /* of the process: those of the parent of a fork are not ours */
    worker idle[MOST_WORKERS];
    uint32_t num_idle, num_busy;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .freed = PTHREAD_COND_INITIALIZER};

static struct {
    char ocloc[PATH_MAX], program[PATH_MAX]; /* "": not found */
    char identity[LONGEST_IDENTITY];
    uint64_t timeout; /* nanoseconds */
    char memory[16];  /* MiB */
    uint32_t most_workers;
} facts;

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- where it is ------------------------------------------------------------------------ */

static bool is_file(const char *path)
{
    struct stat found;

    return stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

/* Our program: beside the driver where that is used in place, else where it was installed. */
static void find_program(void)
{
    static const char *const places[] = {"visage-compiler", VISAGE_COMPILER_FROM_LIBRARY};
    const char *given = getenv("VISAGE_COMPILER");
    Dl_info own;

    if (given && *given) {
        (void)snprintf(facts.program, sizeof facts.program, "%s", given);
        return;
    }
    if (dladdr(&pool, &own) == 0 || !own.dli_fname)
        return;
    const char *slash = strrchr(own.dli_fname, '/');
    int folder = slash ? (int)(slash - own.dli_fname) : 1;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int length = snprintf(facts.program, sizeof facts.program, "%.*s/%s", folder,
                              slash ? own.dli_fname : ".", places[i]);
        if (length < (int)sizeof facts.program && is_file(facts.program))
            return;
    }
    facts.program[0] = '\0';
}

static bool find_in(const char *folder, int length)
{
    int wanted = snprintf(facts.ocloc, sizeof facts.ocloc, "%.*s/libocloc.so", length, folder);

    return wanted < (int)sizeof facts.ocloc && is_file(facts.ocloc);
}

/* Looked for here and not by dlopen(): the answer must cost nothing where the results of
 * earlier builds are at hand. */
static void find_ocloc(void)
{
    static const char *const folders[] = {
        "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib64",
        "/usr/lib",       "/opt/intel/opencl/lib64",
    };
    const char *given = getenv("VISAGE_OCLOC");
    const char *list = getenv("LD_LIBRARY_PATH");

    if (given) {
        (void)snprintf(facts.ocloc, sizeof facts.ocloc, "%s", given);
        if (!is_file(facts.ocloc)) {
            (void)fprintf(stderr, "visage: VISAGE_OCLOC: there is no file \"%s\"\n", given);
            facts.ocloc[0] = '\0';
        }
        return;
    }
    while (list && *list) {
        size_t length = strcspn(list, ":");
        if (length > 0 && length < PATH_MAX && find_in(list, (int)length))
            return;
        list += length + (list[length] == ':');
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (find_in(folders[i], PATH_MAX))
            return;
    facts.ocloc[0] = '\0';
}

/* The files that a compiler consists of, by place, size and time. */
static void identify(void)
{
    static const char *const parts[] = {"libocloc.so", "libigc.so.1", "libigdfcl.so.1",
                                        "libopencl-clang.so.14"};
    const char *slash = strrchr(facts.ocloc, '/');
    size_t length = 0;
    char path[PATH_MAX];
    struct stat found;

    for (size_t i = 0; slash && i < sizeof parts / sizeof *parts; i++) {
        int wanted = snprintf(path, sizeof path, "%.*s/%s", (int)(slash - facts.ocloc),
                              facts.ocloc, parts[i]);
        if (wanted >= (int)sizeof path || stat(path, &found) != 0)
            continue;
        wanted = snprintf(facts.identity + length, sizeof facts.identity - length,
                          "%s %lld %lld.%ld\n", path, (long long)found.st_size,
                          (long long)found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
        if (wanted < 0 || (size_t)wanted >= sizeof facts.identity - length)
            break;
        length += (size_t)wanted;
    }
}

static void find_all(void)
{
    const vsg_ocl_environment *wanted = vsg_ocl_environment_get();
    long processors = wanted->jobs;

    facts.timeout = (uint64_t)wanted->seconds * 1000000000u;
    (void)snprintf(facts.memory, sizeof facts.memory, "%u", (unsigned)wanted->memory_mib);
    if (processors == 0)
        processors = sysconf(_SC_NPROCESSORS_ONLN);
    facts.most_workers = processors < 1              ? 1
                         : processors < MOST_WORKERS ? (uint32_t)processors
                                                     : MOST_WORKERS;
    find_program();
    find_ocloc();
    identify();
}

bool vsg_ocl_compiler_is_there(void)
{
    (void)pthread_once(&once, find_all);
    return facts.ocloc[0] != '\0' && facts.program[0] != '\0';
}

const char *vsg_ocl_compiler_identity(void)
{
    (void)pthread_once(&once, find_all);
    return facts.identity;
}

/* ---- the processes ---------------------------------------------------------------------- */

/* Behind a fork the lock may be held by a thread that is not there any more, and the processes
 * answer the parent: all is made as new. The application calls from one thread then. */
static void own_pool(void)
{
    unsigned generation = vsg_ocl_generation();

    if (pool.generation == generation)
        return;
    pool.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pool.freed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    for (uint32_t i = 0; i < pool.num_idle; i++)
        vsg_ocl_close_process(&pool.idle[i].process);
    pool.num_idle = pool.num_busy = 0;
    pool.generation = generation;
}

/* Takes away an idle process, if there is one there. The lock is held. */
static vsg_ocl_process take_at(uint32_t place)
{
    if (place >= pool.num_idle)
        return (vsg_ocl_process){-1, -1};
    vsg_ocl_process process = pool.idle[place].process;
    pool.num_idle--;
    memmove(pool.idle + place, pool.idle + place + 1,
            (pool.num_idle - place) * sizeof *pool.idle);
    return process;
}

/* The idle process that was used last of those that were told the same, if there is one. */
static vsg_ocl_process take_idle(uint64_t told)
{
    uint32_t place = pool.num_idle;

    while (place > 0 && pool.idle[place - 1].told != told)
        place--;
    return take_at(place > 0 ? place - 1 : pool.num_idle);
}

/* Waits until one more may be busy. Without a process: start it. */
static worker enter(uint64_t told)
{
    worker out = {.told = told};
    vsg_ocl_process unused = {-1, -1};

    (void)pthread_mutex_lock(&pool.lock);
    while (pool.num_busy >= facts.most_workers)
        (void)pthread_cond_wait(&pool.freed, &pool.lock);
    pool.num_busy++;
    out.process = take_idle(told);
    /* One more for each that was told other things is too many. */
    if (out.process.socket < 0 && pool.num_idle + pool.num_busy > facts.most_workers)
        unused = take_at(0);
    (void)pthread_mutex_unlock(&pool.lock);
    vsg_ocl_close_process(&unused);
    return out;
}

/* Without a process: it cannot be used again. */
static void leave(worker w)
{
    (void)pthread_mutex_lock(&pool.lock);
    if (w.process.socket >= 0 && pool.num_idle < MOST_WORKERS) {
        pool.idle[pool.num_idle++] = w;
        w.process.socket = -1;
    }
    pool.num_busy--;
    (void)pthread_cond_signal(&pool.freed);
    (void)pthread_mutex_unlock(&pool.lock);
    vsg_ocl_close_process(&w.process);
}

/* What -igc_opts say; 0: none are given. */
static uint64_t told_by(const vsg_ocl_call *call)
{
    static const char option[] = "-igc_opts";
    uint64_t hash = 0;

    for (size_t i = 0; i < call->num_arguments; i++)
        for (const char *at = call->arguments[i]; (at = strstr(at, option)) != NULL;) {
            at += sizeof option - 1;
            at += strspn(at, " =");
            size_t length =
                *at == '\'' || *at == '"' ? 1 + strcspn(at + 1, "'\"") : strcspn(at, " ");
            hash = vsg_base_hash(hash + 1, at, length);
        }
    return hash;
}

/* ---- the time it takes ------------------------------------------------------------------ */

/* A process that compiles, and what processor time it has had, in nanoseconds. */
typedef struct watch {
    pid_t process;
    uint64_t used_before; /* when it began with this request */
    uint64_t used;        /* when it was looked at last */
    uint64_t since;       /* that was, of vsg_ocl_wire_clock() */
    uint64_t deadline;    /* when it is looked at next */
} watch;

/* Processor time of a process, 0: it is gone. */
static uint64_t time_of(pid_t process)
{
    clockid_t clock;
    struct timespec used = {0};

    if (process <= 0 || clock_getcpuclockid(process, &clock) != 0 ||
        clock_gettime(clock, &used) != 0)
        return 0;
    return (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

static watch start_watch(void)
{
    uint64_t now = vsg_ocl_wire_clock();

    return (watch){.since = now, .deadline = now + facts.timeout};
}

/* At the deadline. On a machine that has much else to do a process that is right takes many
 * times as long as it does alone: it goes on until it has had its time, or does nothing. */
static bool goes_on(watch *w)
{
    uint64_t now = vsg_ocl_wire_clock();
    uint64_t used = time_of(w->process);
    uint64_t all = used - w->used_before, least = facts.timeout / 8;

    if (used < w->used_before || all > facts.timeout - least / 2 ||
        used - w->used < (now - w->since) / 64)
        return false;
    w->used = used;
    w->since = now;
    w->deadline = now + (facts.timeout - all > least ? facts.timeout - all : least);
    return true;
}

/* ---- a request -------------------------------------------------------------------------- */

static void put_files(vsg_ocl_wire *wire, const vsg_ocl_file *files, size_t count)
{
    vsg_ocl_wire_put_number(wire, count);
    for (size_t i = 0; i < count; i++) {
        vsg_ocl_wire_put_text(wire, files[i].name);
        vsg_ocl_wire_put_number(wire, files[i].is_text);
        vsg_ocl_wire_put_bytes(wire, files[i].data, files[i].size_bytes);
    }
}

/* Texts with a NUL behind each, "" ends; NULL: none. */
static void put_list(vsg_ocl_wire *wire, const char *list)
{
    const char *end = list;

    while (end && *end)
        end += strlen(end) + 1;
    vsg_ocl_wire_put_bytes(wire, list ? list : "", list ? (size_t)(end - list) + 1 : 1);
}

static void write_request(vsg_ocl_wire *wire, const vsg_ocl_call *call)
{
    char folder[PATH_MAX];

    vsg_ocl_wire_put_text(wire, facts.ocloc);
    vsg_ocl_wire_put_text(wire, facts.identity);
    vsg_ocl_wire_put_text(wire, call->header_options ? call->header_options : "");
    put_list(wire, call->macros);
    /* Folders to include from may be relative. */
    vsg_ocl_wire_put_text(wire, getcwd(folder, sizeof folder) ? folder : "/");
    put_list(wire, call->folders);
    vsg_ocl_wire_put_number(wire, call->num_arguments);
    for (size_t i = 0; i < call->num_arguments; i++)
        vsg_ocl_wire_put_text(wire, call->arguments[i]);
    put_files(wire, call->sources, call->num_sources);
    put_files(wire, call->headers, call->num_headers);
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
say(vsg_ocl_output *out, const char *text, ...)
{
    char line[3 * PATH_MAX];
    va_list args;

    va_start(args, text);
    int length = vsnprintf(line, sizeof line, text, args);
    va_end(args);
    if (length < 0 || out->log)
        return;
    out->log_bytes = strlen(line) + 1;
    out->log = vsg_base_new(&out->alloc, out->log_bytes, 1);
    if (out->log)
        memcpy(out->log, line, out->log_bytes);
    else
        out->log_bytes = 0;
}

/* Sends the request and waits for word that it is being worked at, and by whom. A process that
 * had nothing to do may have ended just now: the next one is asked then. */
static vsg_ocl_wire_status hand_over(int socket, const vsg_ocl_wire *request, watch *w)
{
    uint64_t deadline = w->deadline;
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_ocl_wire answer;
    vsg_ocl_wire_status status =
        vsg_ocl_wire_send(socket, VSG_OCL_WIRE_REQUEST, request, deadline);

    vsg_ocl_wire_init(&answer, &alloc);
    if (status == VSG_OCL_WIRE_OK)
        status = vsg_ocl_wire_receive(socket, VSG_OCL_WIRE_ACCEPTED, &answer, deadline);
    if (status == VSG_OCL_WIRE_OK)
        w->process = (pid_t)vsg_ocl_wire_take_number(&answer);
    w->used_before = w->used = time_of(w->process);
    vsg_ocl_wire_fini(&answer);
    return status;
}

/* The last of what a process has said: how many bytes, which are put at `out`. */
static size_t read_errors(const vsg_ocl_process *process, char *out, size_t room)
{
    char some[512];
    size_t length = 0;
    ssize_t got;

    while ((got = read(process->errors, some, sizeof some)) > 0 || (got < 0 && errno == EINTR))
        for (ssize_t i = 0; i < got && room > 0; i++) {
            if (length == room)
                memmove(out, out + 1, --length);
            out[length++] = some[i];
        }
    return length;
}

/* Finds a process that takes the request. False, and out->log says why there is none. */
static bool find_worker(worker *own, const vsg_ocl_wire *request, watch *w, vsg_ocl_output *out)
{
    int error = 0;

    for (;;) {
        bool is_new = own->process.socket < 0;
        if (is_new)
            own->process = vsg_ocl_spawn(facts.program, facts.memory, &error);
        if (own->process.socket < 0) {
            say(out, "visage: %s cannot be started: %s\n", facts.program, strerror(error));
            return false;
        }
        (void)read_errors(&own->process, NULL, 0); /* of other programs */
        vsg_ocl_wire_status status = hand_over(own->process.socket, request, w);
        if (status == VSG_OCL_WIRE_OK)
            return true;
        vsg_ocl_close_process(&own->process);
        if (is_new || status != VSG_OCL_WIRE_CLOSED) {
            say(out, "visage: the compiler's process, %s, does not answer\n", facts.program);
            return false;
        }
        (void)pthread_mutex_lock(&pool.lock);
        own->process = take_idle(own->told);
        (void)pthread_mutex_unlock(&pool.lock);
    }
}

static bool keep(vsg_ocl_output *out, void **to, size_t *size, const char *data, size_t bytes)
{
    *to = vsg_base_new(&out->alloc, bytes ? bytes : 1, 1);
    if (!*to)
        return false;
    memcpy(*to, data, bytes);
    *size = bytes ? bytes : 1;
    return true;
}

static bool ends_with(const char *text, const char *suffix)
{
    size_t length = strlen(text);
    size_t wanted = strlen(suffix);

    return length >= wanted && strcmp(text + length - wanted, suffix) == 0;
}

static vsg_ocl_compiled read_result(vsg_ocl_wire *wire, const char *wanted, vsg_ocl_output *out)
{
    int64_t status = (int64_t)vsg_ocl_wire_take_number(wire);
    const char *message = vsg_ocl_wire_take_text(wire); /* of our program; "": none */
    uint64_t count = vsg_ocl_wire_take_number(wire);
    bool good = true;

    for (uint64_t i = 0; i < count && !wire->failed; i++) {
        size_t size;
        const char *name = vsg_ocl_wire_take_text(wire);
        const char *data = vsg_ocl_wire_take_bytes(wire, &size);
        if (wire->failed)
            break;
        if (ends_with(name, "stdout.log") && !out->log && size > 0)
            good &= keep(out, (void **)&out->log, &out->log_bytes, data, size);
        else if (ends_with(name, wanted) && !out->data && size > 0)
            good &= keep(out, &out->data, &out->size_bytes, data, size);
    }
    if (wire->failed)
        return VSG_OCL_CRASHED;
    if (!good)
        return VSG_OCL_NO_MEMORY;
    if (*message) {
        say(out, "visage: %s\n", message);
        return VSG_OCL_NO_COMPILER;
    }
    return status == 0 && out->data ? VSG_OCL_COMPILED : VSG_OCL_REFUSED;
}

static vsg_ocl_wire_status receive_result(int socket, vsg_ocl_wire *wire, watch *w)
{
    vsg_ocl_wire_status status;

    do
        status = vsg_ocl_wire_wait(socket, w->deadline);
    while (status == VSG_OCL_WIRE_LATE && goes_on(w));
    if (status != VSG_OCL_WIRE_OK)
        return status;
    uint64_t deadline = vsg_ocl_wire_clock() + facts.timeout; /* of sending what it has */
    return vsg_ocl_wire_receive(socket, VSG_OCL_WIRE_RESULT, wire, deadline);
}

static bool limits_files(void)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/* What the compiler said last, before it crashed. */
static void say_errors(const vsg_ocl_process *process, vsg_ocl_output *out)
{
    char text[1024];
    size_t length = read_errors(process, text, sizeof text - 1);

    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' && text[i] != '\n')
            text[i] = ' ';
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' '))
        length--;
    text[length] = '\0';
    say(out,
        "visage: the compiler crashed on this program, or needs more than %s MiB "
        "(VISAGE_COMPILER_MEMORY)%s%s%s\n",
        facts.memory, limits_files() ? ", or files beyond the limit (ulimit -f)" : "",
        length > 0 ? "; it said:\n" : "", text);
}

static vsg_ocl_compiled wait_for_result(worker *own, vsg_ocl_wire *wire, watch *w,
                                        const char *wanted, vsg_ocl_output *out)
{
    vsg_ocl_compiled result = VSG_OCL_CRASHED;
    vsg_ocl_wire_status status = receive_result(own->process.socket, wire, w);

    if (status == VSG_OCL_WIRE_OK)
        result = read_result(wire, wanted, out);
    if (status == VSG_OCL_WIRE_LATE)
        say(out,
            "visage: the compiler was stopped: it took more than %llu s "
            "(VISAGE_COMPILER_TIMEOUT)\n",
            (unsigned long long)(facts.timeout / 1000000000u));
    else if (result == VSG_OCL_CRASHED)
        say_errors(&own->process, out);
    if (result != VSG_OCL_COMPILED && result != VSG_OCL_REFUSED)
        vsg_ocl_close_process(&own->process);
    return result;
}

vsg_ocl_compiled vsg_ocl_compile(const vsg_ocl_call *call, const char *wanted,
                                 vsg_ocl_output *out)
{
    vsg_ocl_wire wire;
    vsg_ocl_compiled result = VSG_OCL_NO_COMPILER;

    *out = (vsg_ocl_output){.alloc = vsg_base_alloc_default()};
    if (!vsg_ocl_compiler_is_there()) {
        if (facts.ocloc[0] == '\0')
            say(out, "visage: Intel's compiler, libocloc.so, is not installed (Debian, Ubuntu: "
                     "apt install intel-opencl-icd)\n");
        else
            say(out, "visage: the program visage-compiler is not beside the driver "
                     "(VISAGE_COMPILER names it)\n");
        return result;
    }
    own_pool();
    vsg_ocl_wire_init(&wire, &out->alloc);
    write_request(&wire, call);
    worker own = enter(told_by(call));
    watch w = start_watch();
    if (wire.failed)
        result = VSG_OCL_NO_MEMORY;
    else if (find_worker(&own, &wire, &w, out))
        result = wait_for_result(&own, &wire, &w, wanted, out);
    leave(own);
    vsg_ocl_wire_fini(&wire);
    return result;
}

void vsg_ocl_output_free(vsg_ocl_output *output)
{
    vsg_base_delete(&output->alloc, output->log, output->log_bytes, 1);
    vsg_base_delete(&output->alloc, output->data, output->size_bytes, 1);
    *output = (vsg_ocl_output){.alloc = output->alloc};
}
