/* SPDX-License-Identifier: MIT
 *
 * What stands between builds: the cache, and the compiler's processes, which may be killed. */
#define _GNU_SOURCE /* memmem() */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "building.h"

/* ---- the cache -------------------------------------------------------------------------- */

static double milliseconds(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void the_second_build_is_found(void **state)
{
    driver *d = *state;
    size_t before = building_count();
    double best = 1e9;

    assert_int_equal(building_result(d, building_built(d, BUILDING_NUMBER, "-DNUMBER=41")), 41);
    assert_int_equal(building_count(), before + 1);
    for (int i = 0; i < 5; i++) {
        double start = milliseconds();
        cl_program program = building_built(d, BUILDING_NUMBER, "-DNUMBER=41");
        double took = milliseconds() - start;
        best = took < best ? took : best;
        assert_int_equal(building_result(d, program), 41);
    }
    assert_int_equal(building_count(), before + 1);
    assert_true(best < 50.0); /* compiling takes at least 70 */
    assert_int_equal(building_result(d, building_built(d, BUILDING_NUMBER, "-DNUMBER=42")), 42);
    assert_int_equal(building_count(), before + 2);
}

static void write_text(const char *path, const char *text)
{
    int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);

    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    (void)close(file);
}

/* The compiler's listings stay out of the application's folder, which headers are found in. */
static void nothing_is_left_in_the_folder(void **state)
{
    driver *d = *state;
    char folder[] = "/tmp/visage-folder-XXXXXX", old[4096];
    int count = 0;

    assert_non_null(getcwd(old, sizeof old));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    write_text("number.h", "#define FROM_HEADER 5\n");
    cl_program program = building_built(
        d, "kernel void f(global int *r) { *r = 2; }\nkernel void g(global int *r) { *r = 3; }",
        "-g");
    GOOD(clReleaseProgram(program));
    program = building_built(
        d, "#include \"number.h\"\nkernel void f(global int *r) { *r = FROM_HEADER; }", NULL);
    assert_int_equal(building_result(d, program), 5);
    DIR *listed = opendir(folder);
    assert_non_null(listed);
    for (struct dirent *entry; (entry = readdir(listed)) != NULL;)
        count += entry->d_name[0] != '.';
    (void)closedir(listed);
    assert_int_equal(count, 1);
    assert_int_equal(unlink("number.h"), 0);
    assert_int_equal(chdir(old), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void changed_includes_are_compiled_again(void **state)
{
    driver *d = *state;
    char folder[] = "/tmp/visage-include-XXXXXX";
    char outer[64], inner[64], options[64];

    assert_non_null(mkdtemp(folder));
    (void)snprintf(outer, sizeof outer, "%s/outer.h", folder);
    (void)snprintf(inner, sizeof inner, "%s/inner.h", folder);
    (void)snprintf(options, sizeof options, "-I %s", folder);
    const char *source = "#include \"outer.h\"\n" BUILDING_NUMBER;
    write_text(outer, "#  include <inner.h>\n");
    write_text(inner, "#define NUMBER 51\n");
    size_t before = building_count();
    assert_int_equal(building_result(d, building_built(d, source, options)), 51);
    assert_int_equal(building_result(d, building_built(d, source, options)), 51);
    assert_int_equal(building_count(), before + 1);
    write_text(inner, "#define NUMBER 52\n");
    assert_int_equal(building_result(d, building_built(d, source, options)), 52);
    /* What a macro includes is not known beforehand: never kept. */
    before = building_count();
    assert_int_equal(
        building_result(
            d,
            building_built(d, "#define H \"outer.h\"\n#include H\n" BUILDING_NUMBER, options)),
        52);
    assert_int_equal(building_count(), before);
    (void)unlink(inner);
    (void)unlink(outer);
    (void)rmdir(folder);
}

/* ---- the compiler's processes ----------------------------------------------------------- */

/* Processes of the compiler that were started with this cache, which nobody else has. Sends
 * each a signal; returns how many. */
static int each_compiler(int signal_number)
{
    int count = 0;
    char path[300], text[65536];
    DIR *folder = opendir("/proc");
    struct dirent *entry;

    while (folder && (entry = readdir(folder)) != NULL) {
        long pid = strtol(entry->d_name, NULL, 10);
        (void)snprintf(path, sizeof path, "/proc/%.20s/comm", entry->d_name);
        int file = pid > 0 ? open(path, O_RDONLY) : -1;
        if (file < 0)
            continue;
        ssize_t size = read(file, text, sizeof text - 1);
        (void)close(file);
        if (size < 0 || strncmp(text, "visage-compiler", 15) != 0)
            continue;
        (void)snprintf(path, sizeof path, "/proc/%.20s/environ", entry->d_name);
        file = open(path, O_RDONLY);
        size = file < 0 ? 0 : read(file, text, sizeof text - 1);
        if (file >= 0)
            (void)close(file);
        if (size > 0 && memmem(text, (size_t)size, building_cache, strlen(building_cache))) {
            count++;
            if (signal_number)
                (void)kill((pid_t)pid, signal_number);
        }
    }
    if (folder)
        (void)closedir(folder);
    return count;
}

static void *build_in_thread(void *user)
{
    driver *d = user;
    static atomic_int number;
    char options[32];
    long good = 0;

    for (int i = 0; i < 6; i++) {
        (void)snprintf(options, sizeof options, "-DNUMBER=%d",
                       10000 + atomic_fetch_add(&number, 1));
        cl_program program = building_program(d, BUILDING_NUMBER);
        cl_int status = clBuildProgram(program, 0, NULL, options, NULL, NULL);
        if (status != CL_SUCCESS && status != CL_BUILD_PROGRAM_FAILURE)
            good = -1000;
        good += status == CL_SUCCESS;
        (void)clReleaseProgram(program);
    }
    return (void *)good;
}

static void a_killed_compiler_fails_a_build_and_no_more(void **state)
{
    driver *d = *state;
    pthread_t threads[3];
    int killed = 0;

    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, build_in_thread, d), 0);
    for (int i = 0; i < 8; i++) {
        const struct timespec nap = {0, 90000000};
        (void)nanosleep(&nap, NULL);
        killed += each_compiler(SIGKILL);
    }
    for (int i = 0; i < 3; i++) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_true((long)result >= 0);
    }
    assert_true(killed > 0);
    assert_int_equal(building_result(d, building_built(d, BUILDING_NUMBER, "-DNUMBER=61")), 61);
}

/* wait() finds no process of ours, and no signal tells of their end. */
static atomic_int child_signals;

static void count_signal(int number)
{
    (void)number;
    (void)atomic_fetch_add(&child_signals, 1);
}

static void the_application_has_no_children(void **state)
{
    driver *d = *state;
    struct sigaction action = {0}, old;

    action.sa_handler = count_signal;
    assert_int_equal(sigaction(SIGCHLD, &action, &old), 0);
    (void)each_compiler(SIGKILL);
    assert_int_equal(building_result(d, building_built(d, BUILDING_NUMBER, "-DNUMBER=71")), 71);
    assert_true(each_compiler(0) > 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    (void)each_compiler(SIGKILL);
    const struct timespec nap = {0, 50000000};
    (void)nanosleep(&nap, NULL);
    assert_int_equal(atomic_load(&child_signals), 0);
    assert_int_equal(sigaction(SIGCHLD, &old, NULL), 0);
}

static void a_child_of_a_fork_builds_too(void **state)
{
    driver *d = *state;

    assert_int_equal(building_result(d, building_built(d, BUILDING_NUMBER, "-DNUMBER=81")), 81);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        driver own = driver_open("Skylake", 0);
        (void)alarm(60);
        _exit(building_result(&own, building_built(&own, BUILDING_NUMBER, "-DNUMBER=82")) == 82
                  ? 0
                  : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(building_result(d, building_built(d, BUILDING_NUMBER, "-DNUMBER=83")), 83);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BUILDING_TEST(the_second_build_is_found),
        BUILDING_TEST(changed_includes_are_compiled_again),
        BUILDING_TEST(nothing_is_left_in_the_folder),
        BUILDING_TEST(a_killed_compiler_fails_a_build_and_no_more),
        BUILDING_TEST(the_application_has_no_children),
        BUILDING_TEST(a_child_of_a_fork_builds_too),
    };
    int status = building_begin();

    return status != 0 ? status : cmocka_run_group_tests(tests, NULL, NULL);
}
