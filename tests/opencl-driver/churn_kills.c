/* SPDX-License-Identifier: MIT
 *
 * A process builds in several threads while this one kills the compiler's processes at random
 * moments. They are told from those of others by their program, a copy made for this. */
#define _GNU_SOURCE /* mkdtemp(), MAP_ANONYMOUS, kill() */
#include "churn.h"

#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    NUM_THREADS = 3,
    MOST_PROCESSES = 64,
    MOST_SECONDS = 120 /* without a build that ends: it hangs */
};

/* Of both processes. */
typedef struct shared {
    atomic_bool is_over;
    atomic_ulong good, failed;
} shared;

typedef struct builder {
    const churn_client *client;
    shared *both;
    unsigned thread;
} builder;

/* ---- the process that builds ------------------------------------------------------------ */

/* The log must say what happened to the compiler. */
static void check_failure(const churn_client *client, cl_program program, cl_int status)
{
    char log[4096] = "";

    if (status != CL_BUILD_PROGRAM_FAILURE)
        churn_fail("a build ends with %d", status);
    churn_must("log", clGetProgramBuildInfo(program, client->device, CL_PROGRAM_BUILD_LOG,
                                            sizeof log, log, NULL));
    if (!strstr(log, "visage: the compiler"))
        churn_fail("a build failed with this log: \"%s\"", log);
}

/* Kernels that were never built before, each returning its own number. */
static void *build(void *user)
{
    builder *b = user;
    char source[256];

    for (cl_uint i = 0; !atomic_load(&b->both->is_over); i++) {
        cl_uint number = i * NUM_THREADS + b->thread;
        cl_program program;
        cl_int status;
        (void)snprintf(source, sizeof source,
                       "kernel void number(global uint *out)\n"
                       "{ out[get_global_id(0)] = %uu + (uint)get_global_size(1); }",
                       number);
        status = churn_build(b->client, source, &program);
        if (status == CL_SUCCESS) {
            cl_kernel kernel = clCreateKernel(program, "number", &status);
            churn_must("kernel", status);
            churn_check(b->client, kernel, number + 1);
            churn_must("kernel", clReleaseKernel(kernel));
            (void)atomic_fetch_add(&b->both->good, 1);
        } else {
            check_failure(b->client, program, status);
            (void)atomic_fetch_add(&b->both->failed, 1);
        }
        churn_must("program", clReleaseProgram(program));
    }
    return NULL;
}

static void build_until_over(shared *both)
{
    churn_client client = churn_open();
    pthread_t threads[NUM_THREADS];
    builder builders[NUM_THREADS];

    for (unsigned i = 0; i < NUM_THREADS; i++) {
        builders[i] = (builder){&client, both, i};
        if (pthread_create(&threads[i], NULL, build, &builders[i]) != 0)
            churn_fail("no thread");
    }
    for (unsigned i = 0; i < NUM_THREADS; i++)
        (void)pthread_join(threads[i], NULL);
    churn_close(&client);
}

/* ---- the process that kills ------------------------------------------------------------- */

static size_t find_compilers(const char *program, pid_t found[MOST_PROCESSES])
{
    char path[64], target[PATH_MAX];
    size_t count = 0;
    DIR *folder = opendir("/proc");
    struct dirent *entry;

    while (folder && (entry = readdir(folder)) != NULL && count < MOST_PROCESSES) {
        long pid = strtol(entry->d_name, NULL, 10);
        (void)snprintf(path, sizeof path, "/proc/%ld/exe", pid);
        ssize_t length = pid > 0 ? readlink(path, target, sizeof target - 1) : -1;
        if (length <= 0)
            continue;
        target[length] = '\0';
        if (strcmp(target, program) == 0)
            found[count++] = (pid_t)pid;
    }
    if (folder)
        (void)closedir(folder);
    return count;
}

static void nap(long milliseconds)
{
    const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};

    (void)nanosleep(&time, NULL);
}

/* Did the process end? It stays for waitpid(). */
static bool has_ended(pid_t pid)
{
    siginfo_t ended = {0};

    return waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == pid;
}

/* Milliseconds until the first build has succeeded: moments are chosen from twice as long. */
static unsigned time_build(pid_t builder_pid, shared *both)
{
    double begin = churn_now();

    while (atomic_load(&both->good) == 0 && !has_ended(builder_pid) &&
           churn_now() - begin < (double)MOST_SECONDS)
        nap(5);
    return (unsigned)((churn_now() - begin) * 1e3) + 1;
}

/* Kills one after the other. False: the other process ended, or builds no more. */
static bool kill_many(const char *program, unsigned long count, pid_t builder_pid, shared *both)
{
    unsigned seed = 1, range = 2 * time_build(builder_pid, both);
    unsigned long before = 0;
    double last = churn_now();

    for (unsigned long killed = 0; killed < count;) {
        pid_t found[MOST_PROCESSES];
        nap((long)((unsigned)rand_r(&seed) % (range < 2000 ? range : 2000)));
        size_t num = find_compilers(program, found);
        if (num > 0 && kill(found[(size_t)rand_r(&seed) % num], SIGKILL) == 0)
            killed++;
        unsigned long builds = atomic_load(&both->good) + atomic_load(&both->failed);
        if (builds != before)
            last = churn_now();
        before = builds;
        if (has_ended(builder_pid))
            return false;
        if (churn_now() - last > (double)MOST_SECONDS) {
            (void)fprintf(stderr, "churn: no build has ended for %d s\n", (int)MOST_SECONDS);
            (void)kill(builder_pid, SIGKILL);
            return false;
        }
    }
    return true;
}

/* The program that the driver would start, copied to `path`. */
static void copy_compiler(const char *path)
{
    const char *given = getenv("VISAGE_COMPILER");
    char buffer[65536];
    FILE *from = given ? fopen(given, "rb") : NULL;
    FILE *to = fopen(path, "wb");

    if (!from || !to)
        churn_fail("VISAGE_COMPILER must name the program visage-compiler");
    for (size_t size; (size = fread(buffer, 1, sizeof buffer, from)) > 0;)
        if (fwrite(buffer, 1, size, to) != size)
            churn_fail("%s cannot be written", path);
    (void)fclose(from);
    if (fclose(to) != 0 || chmod(path, 0700) != 0 || setenv("VISAGE_COMPILER", path, 1) != 0)
        churn_fail("%s cannot be written", path);
}

/* Waits until none is there any more: they see their sockets closed, and what makes headers
 * comes to its end. */
static size_t wait_for_end(const char *program)
{
    pid_t found[MOST_PROCESSES];
    size_t count = 1;

    for (int i = 0; i < MOST_SECONDS * 20 && count > 0; i++) {
        nap(50);
        count = find_compilers(program, found);
    }
    return count;
}

/* Removes the folder with what is in it, which are files. */
static void remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;

    while (folder && (entry = readdir(folder)) != NULL)
        (void)unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        (void)closedir(folder);
    (void)rmdir(path);
}

/* Builds go into a cache of their own: the first ones leave behind processes that make headers
 * for the later ones, which are killed as well. No kernel is in it before it is built. */
int churn_kills(unsigned long count)
{
    char folder[] = "/tmp/visage-churn-XXXXXX";
    char program[64], cache[64];
    int status = -1;
    shared *both =
        mmap(NULL, sizeof *both, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (both == MAP_FAILED || !mkdtemp(folder))
        churn_fail("no folder for temporary files");
    (void)snprintf(program, sizeof program, "%s/visage-compiler", folder);
    (void)snprintf(cache, sizeof cache, "%s/cache", folder);
    if (setenv("VISAGE_CACHE_DIR", cache, 1) != 0)
        churn_fail("no memory");
    copy_compiler(program);
    double begin = churn_now();
    pid_t pid = fork();
    if (pid == 0) {
        build_until_over(both);
        exit(0);
    }
    bool good = pid > 0 && kill_many(program, count, pid, both);
    atomic_store(&both->is_over, true);
    (void)waitpid(pid, &status, 0);
    size_t left = wait_for_end(program);
    if (good)
        (void)printf(
            "%lu compilers killed in %.1f s; %lu builds succeeded, %lu failed and said "
            "why; %zu compilers left behind\n",
            count, churn_now() - begin, atomic_load(&both->good), atomic_load(&both->failed),
            left);
    remove_folder(cache);
    remove_folder(folder);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        return 77;
    /* Nothing else makes a build fail. */
    good = good && atomic_load(&both->failed) <= count;
    return good && status == 0 && left == 0 ? 0 : 1;
}
