/* SPDX-License-Identifier: MIT
 *
 * What stands between builds: the cache, and the compiler's processes, which may be killed. */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "building.h"

static int each_compiler(int signal_number)
{
    return building_compilers(signal_number, "comm", "visage");
}

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

static void expect_text(const char *path, const char *text)
{
    char found[64] = "";
    int file = open(path, O_RDONLY);

    assert_true(file >= 0);
    assert_int_equal(read(file, found, sizeof found - 1), (ssize_t)strlen(text));
    (void)close(file);
    assert_string_equal(found, text);
}

/* The compiler's listings stay out of the application's folder, which headers are found in, and
 * where files of their names are somebody's. */
static void nothing_is_left_in_the_folder(void **state)
{
    driver *d = *state;
    char folder[] = "/tmp/visage-folder-XXXXXX", old[4096];
    int count = 0;

    assert_non_null(getcwd(old, sizeof old));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    write_text("number.h", "#define FROM_HEADER 5\n");
    write_text("kernel.visaasm", "mine");
    assert_int_equal(mkdir("a b", 0700), 0);
    write_text("a b/in.h", "#include \"../number.h\"\n");
    cl_program program = building_built(
        d, "kernel void f(global int *r) { *r = 2; }\nkernel void g(global int *r) { *r = 3; }",
        "-g");
    GOOD(clReleaseProgram(program));
    program = building_built(
        d, "#include \"number.h\"\nkernel void f(global int *r) { *r = FROM_HEADER; }", NULL);
    assert_int_equal(building_result(d, program), 5);
    program = building_built(
        d, "#import \"number.h\"\nkernel void f(global int *r) { *r = FROM_HEADER; }", "-I .");
    assert_int_equal(building_result(d, program), 5);
    program = building_built(
        d, "#include <in.h>\nkernel void f(global int *r) { *r = FROM_HEADER + 1; }",
        "-I \"a b\"");
    assert_int_equal(building_result(d, program), 6);
    expect_text("kernel.visaasm", "mine");
    DIR *listed = opendir(folder);
    assert_non_null(listed);
    for (struct dirent *entry; (entry = readdir(listed)) != NULL;)
        count += entry->d_name[0] != '.';
    (void)closedir(listed);
    assert_int_equal(count, 3);
    assert_int_equal(unlink("number.h"), 0);
    assert_int_equal(unlink("kernel.visaasm"), 0);
    assert_int_equal(unlink("a b/in.h"), 0);
    assert_int_equal(rmdir("a b"), 0);
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
    /* However the line is written. */
    static const char *const forms[] = {
        "/* two\n lines */#include \"inner.h\"\n",
        "#/**/include/**/<inner.h>\n",
        "#inc\\\nlude <inner.h>\n",
        "# \\ \n include \"in\\\r\nner.h\"\n",
        "constant char c[] = \"/*\", q = '\"'; // \"\n/**/ %:include <inner.h> // \"\n",
        "#import \"inner.h\"\n"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "%s" BUILDING_NUMBER, forms[i]);
        for (int number = 50; number < 52; number++) {
            char line[32];
            (void)snprintf(line, sizeof line, "#define NUMBER %d\n", number);
            write_text(inner, line);
            assert_int_equal(building_result(d, building_built(d, text, options)), number);
        }
    }
    write_text(inner, "#define NUMBER 52\n");
    /* What a macro includes is not known beforehand: never kept; nor is what changes by itself,
     * or what is only known when trigraphs are read. */
    before = building_count();
    GOOD(clReleaseProgram(building_built(
        d, "constant char when[] = __TI\\\nME__;\n" BUILDING_NUMBER, "-DNUMBER=1")));
    GOOD(clReleaseProgram(building_built(d, "/* *?\?/\n/\n" BUILDING_NUMBER, "-DNUMBER=2")));
    assert_int_equal(building_count(), before);
    GOOD(clReleaseProgram(building_built(d, "/* __TIME__ */" BUILDING_NUMBER, "-DNUMBER=3")));
    assert_int_equal(building_count(), before + 1);
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

/* ---- the compiler's own headers --------------------------------------------------------- */

static void count_large(const char *path, size_t size, void *user)
{
    *(int *)user += strstr(path, ".entry") != NULL && size >= BUILDING_LARGE;
}

static void remove_small(const char *path, size_t size, void *user)
{
    if (size < BUILDING_LARGE)
        building_remove(path, size, user);
}

/* Waits until headers are kept. */
static void wait_for_headers(void)
{
    const struct timespec nap = {0, 20000000};
    double end = milliseconds() + 60e3;
    int count = 0;

    while (count < 1 && milliseconds() < end) {
        (void)nanosleep(&nap, NULL);
        count = 0;
        building_each(count_large, &count);
    }
    assert_true(count > 0);
}

static bool uses_headers(void)
{
    return building_compilers(0, "maps", "memfd:headers") > 0;
}

static size_t binary_of(cl_program program, unsigned char *data, size_t size)
{
    size_t taken;

    GOOD(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof taken, &taken, NULL));
    assert_true(taken <= size);
    GOOD(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, NULL));
    return taken;
}

/* What is built with kept headers is what is built without, byte for byte. */
static void kept_headers_change_nothing(void **state)
{
    driver *d = *state;
    static unsigned char data[2][1 << 18];
    size_t size[2];
    const char *source =
        "kernel void f(global int *r)\n"
        "{ r[get_global_id(0)] = NUMBER + (int)(native_sin(M_PI_F) + popcount(r[0] & 0)); }\n";

    (void)each_compiler(SIGKILL);
    building_each(building_remove, NULL);
    for (int i = 0; i < 2; i++) {
        cl_program program = building_built(d, source, "-DNUMBER=91");
        size[i] = binary_of(program, data[i], sizeof data[i]);
        assert_int_equal(building_result(d, program), 91);
        assert_int_equal(uses_headers(), i);
        /* The next compiler finds the headers and not the program. */
        wait_for_headers();
        building_each(remove_small, NULL);
        (void)each_compiler(SIGKILL);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(data[0], data[1], size[0]);
}

/* A macro's definition in a header comes after one among the options. */
static void a_header_defines_a_macro_again(void **state)
{
    driver *d = *state;
    const char *source = "kernel void f(global int *r) { *r = (int)(M_PI_F * 100) + NUMBER; }";

    (void)building_result(d, building_built(d, BUILDING_NUMBER, "-DNUMBER=92"));
    wait_for_headers();
    assert_int_equal(building_result(d, building_built(d, source, "-DM_PI_F=2.0f -DNUMBER=93")),
                     314 + 93);
    assert_int_equal(building_result(d, building_built(d, source, "-D NUMBER=94")), 314 + 94);
}

/* Sources have numbers for names, and no folders, as without kept headers. The process that has
 * had the headers made goes on with the number that a source of theirs would have had. */
static void messages_are_what_they_were(void **state)
{
    driver *d = *state;
    static const char *const sources[] = {
        "kernel void f(global int *r) { char c = 96 + 256; *r = c; }",
        "kernel void f(global int *r) { *r = sine(1.0f); }",
    };
    static const char *const wanted[] = {":1:44: warning:", ":1:37: error:"};

    (void)each_compiler(SIGKILL);
    building_each(building_remove, NULL);
    (void)building_result(d, building_built(d, BUILDING_NUMBER, "-DNUMBER=95"));
    wait_for_headers();
    for (int i = 0; i < 2; i++) {
        cl_program program = building_program(d, sources[i]);
        assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL),
                         i == 0 ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE);
        assert_true(uses_headers());
        const char *log = building_log(d, program);
        const char *found = strstr(log, wanted[i]);
        if (!found)
            print_message("%s\n", log);
        assert_non_null(found);
        assert_null(strchr(log, '/'));
        assert_null(strstr(found + 1, wanted[i]));
        GOOD(clReleaseProgram(program));
    }
}

/* ---- the compiler's processes ----------------------------------------------------------- */

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
        BUILDING_TEST(kept_headers_change_nothing),
        BUILDING_TEST(a_header_defines_a_macro_again),
        BUILDING_TEST(messages_are_what_they_were),
        BUILDING_TEST(a_killed_compiler_fails_a_build_and_no_more),
        BUILDING_TEST(the_application_has_no_children),
        BUILDING_TEST(a_child_of_a_fork_builds_too),
    };

    /* Machine code that is made late would count as a program that is kept. */
    if (setenv("VISAGE_ENGINE", "interp", 1) != 0)
        return 1;
    int status = building_begin();
    return status != 0 ? status : cmocka_run_group_tests(tests, NULL, NULL);
}
