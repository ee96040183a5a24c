/* SPDX-License-Identifier: MIT
 *
 * Compiled code on disk: found again by the next device, never believed when it is damaged, and
 * not needed. Object files that are no object files are refused by the loader. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "crowd_support.h"
#include "exec/program.h"
#include "jit/image.h"
#include "jit/jit.h"
#include "runtime/job.h"
#include "runtime/program.h"

/* Ten times: each element times 5, plus the argument. */
#define KERNEL(name, factor) LOOP(name, factor) REST
#define LOOP(name, factor)                                                                     \
    ".version 4.1\n.kernel \"" name "\"\n"                                                     \
    ".decl V32 v_type=G type=ud num_elts=1 align=dword\n"                                      \
    ".decl V33 v_type=G type=uq num_elts=1 align=qword\n"                                      \
    ".decl V34 v_type=G type=ud num_elts=8 align=GRF\n"                                        \
    ".decl V35 v_type=G type=ud num_elts=1 align=dword\n"                                      \
    ".decl V36 v_type=G type=uq num_elts=1 align=GRF\n"                                        \
    ".decl V37 v_type=G type=ud num_elts=1 align=GRF\n"                                        \
    ".decl V38 v_type=G type=ud num_elts=1 align=GRF\n"                                        \
    ".decl P1 v_type=P num_elts=1\n"                                                           \
    ".input V32 offset=32 size=4\n.input V33 offset=40 size=8\n"                               \
    ".function \"" name "_0\"\n" name "_0:\n"                                                  \
    "    mov (M1_NM, 8) V34(0,0)<1> 0x1:ud\n"                                                  \
    "    mov (M1_NM, 1) V35(0,0)<1> 0x0:ud\n"                                                  \
    "again:\n"                                                                                 \
    "    mul (M1_NM, 8) V34(0,0)<1> V34(0,0)<1;1,0> " factor ":ud\n"                           \
    "    add (M1_NM, 8) V34(0,0)<1> V34(0,0)<1;1,0> V32(0,0)<0;1,0>\n"
#define REST                                                                                   \
    "    add (M1_NM, 1) V35(0,0)<1> V35(0,0)<0;1,0> 0x1:ud\n"                                  \
    "    cmp.lt (M1_NM, 1) P1 V35(0,0)<0;1,0> 0xa:ud\n"                                        \
    "    (P1) goto (M1, 1) again\n"                                                            \
    "    svm_block_st (2) V33(0,0)<0;1,0> V34.0\n"                                             \
    "    ret (M1, 1)\n"

static uint32_t expected(uint32_t factor, uint32_t added)
{
    uint32_t value = 1;

    for (int i = 0; i < 10; i++)
        value = value * factor + added;
    return value;
}

/* ---- the folder ---------------------------------------------------------------------------
 */

typedef struct cache_test {
    fixture *f;
    void *f_state;
    char folder[64];
} cache_test;

static int open_test(void **state)
{
    cache_test *t = calloc(1, sizeof *t);

    if (!t || set_up(&t->f_state) != 0)
        return -1;
    t->f = t->f_state;
    (void)snprintf(t->folder, sizeof t->folder, "%s", "/tmp/visage-jit-XXXXXX");
    if (!mkdtemp(t->folder))
        return -1;
    assert_int_equal(setenv("VISAGE_CACHE_DIR", t->folder, 1), 0);
    assert_int_equal(unsetenv("VISAGE_CACHE"), 0);
    *state = t;
    return 0;
}

/* The number of entries; the name of the last one seen, and all of them removed if wanted. */
static size_t list(const cache_test *t, char path[512], bool removes)
{
    size_t count = 0;
    DIR *folder = opendir(t->folder);
    struct dirent *entry;

    while (folder && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(path, 512, "%s/%s", t->folder, entry->d_name);
        if (removes)
            assert_int_equal(unlink(path), 0);
        count++;
    }
    if (folder)
        (void)closedir(folder);
    return count;
}

static int close_test(void **state)
{
    cache_test *t = *state;
    char path[512];

    (void)list(t, path, true);
    (void)rmdir(t->folder);
    (void)tear_down(&t->f_state);
    free(t);
    return 0;
}

static size_t count(const cache_test *t)
{
    char path[512];

    return list(t, path, false);
}

/* ---- running ------------------------------------------------------------------------------
 */

static const char first[] = KERNEL("first", "0x5");
static const char other[] = KERNEL("first", "0x7");

enum { NUM_RESULTS = 8 };

/* A text on a new device. Returns where its results come to be, and a count behind them. */
static const uint32_t *open_groups(cache_test *t, uint32_t jobs, const char *text)
{
    drop(t->f);
    open_text_for(t->f, VISAGE_PLATFORM_SKL, jobs, text, NULL);
    open_kernel(t->f, NULL);
    const uint32_t *out = make_buffer(t->f, 0, 64, 0);
    set_int(t->f, 0, 3);
    set_buffer(t->f, 1, 0);
    return out;
}

static void launch(const cache_test *t, uint32_t groups, const visage_run_options *options,
                   visage_run_stats *stats)
{
    visage_range range = threads(groups, 1, 1, 1, 1, 1);

    expect_status(t->f,
                  visage_launch_run(t->f->launch, &range, options, t->f->diagnostics, stats),
                  VISAGE_OK);
}

/* Runs groups of a text on a new device. */
static void run_groups(cache_test *t, const char *text, uint32_t factor, visage_engine engine,
                       uint32_t groups, visage_run_stats *stats)
{
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);
    const uint32_t *out = open_groups(t, 1, text);

    options.engine = engine;
    launch(t, groups, &options, stats);
    for (int i = 0; i < NUM_RESULTS; i++)
        assert_int_equal(out[i], expected(factor, 3));
}

/* One by the JIT; returns whether the code came from the cache. */
static bool run_text(cache_test *t, const char *text, uint32_t factor)
{
    visage_run_stats stats;

    run_groups(t, text, factor, VISAGE_ENGINE_JIT, 1, &stats);
    assert_int_equal(stats.engine, VISAGE_ENGINE_JIT);
    assert_null(stats.not_compiled);
    assert_int_equal(stats.compiled + stats.called, 11);
    return stats.cached;
}

static void code_is_found_again(void **state)
{
    cache_test *t = *state;

    assert_false(run_text(t, first, 5));
    assert_int_equal(count(t), 1);
    assert_true(run_text(t, first, 5));
    /* Another module under the same names is another entry. */
    assert_false(run_text(t, other, 7));
    assert_int_equal(count(t), 2);
    assert_true(run_text(t, other, 7));
    assert_true(run_text(t, first, 5));
    assert_int_equal(count(t), 2);
}

static void each_level_has_its_own(void **state)
{
    static const char *const levels[] = {"sse4.2", "avx2", "avx512", "native"};
    cache_test *t = *state;
    size_t entries = 0;

    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        visage_cpu level;
        assert_true(visage_cpu_find(levels[i], &level));
        if (!visage_cpu_runs(level))
            continue;
        assert_int_equal(setenv("VISAGE_CPU", levels[i], 1), 0);
        assert_false(run_text(t, first, 5));
        assert_int_equal(count(t), ++entries);
        assert_true(run_text(t, first, 5));
    }
    assert_int_equal(unsetenv("VISAGE_CPU"), 0);
    assert_true(entries >= 2);
}

static void it_can_be_left_out(void **state)
{
    cache_test *t = *state;
    char path[512];

    assert_int_equal(setenv("VISAGE_CACHE", "0", 1), 0);
    assert_false(run_text(t, first, 5));
    assert_false(run_text(t, first, 5));
    assert_int_equal(unsetenv("VISAGE_CACHE"), 0);
    assert_int_equal(count(t), 0);
    /* Below a file there can be no folder, whoever one is. */
    assert_false(run_text(t, first, 5));
    assert_int_equal(list(t, path, false), 1);
    assert_int_equal(setenv("VISAGE_CACHE_DIR", strcat(path, "/below"), 1), 0);
    assert_false(run_text(t, first, 5));
    assert_false(run_text(t, first, 5));
    assert_int_equal(count(t), 1);
}

/* A short launch is not worth a compilation; a long one is, and ends in machine code. What has
 * been compiled is used by short ones, too. */
static void auto_compiles_what_is_long(void **state)
{
    enum { MANY = 400000 };
    cache_test *t = *state;
    visage_run_stats stats;

    run_groups(t, first, 5, VISAGE_ENGINE_AUTO, 1, &stats);
    assert_int_equal(stats.engine, VISAGE_ENGINE_INTERPRETER);
    assert_int_equal(count(t), 0);
    uint64_t each = stats.instructions;
    run_groups(t, first, 5, VISAGE_ENGINE_AUTO, MANY, &stats);
    assert_int_equal(stats.engine, VISAGE_ENGINE_JIT);
    assert_int_equal(stats.groups, MANY);
    assert_int_equal(stats.instructions, MANY * each);
    assert_false(stats.cached);
    assert_int_equal(count(t), 1);
    run_groups(t, first, 5, VISAGE_ENGINE_AUTO, 1, &stats);
    assert_int_equal(stats.engine, VISAGE_ENGINE_JIT);
    assert_true(stats.cached);
}

/* Short launches add up. */
static void auto_compiles_what_is_frequent(void **state)
{
    cache_test *t = *state;
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);
    visage_run_stats stats;
    uint32_t launches = 0;

    run_groups(t, first, 5, VISAGE_ENGINE_AUTO, 100, &stats);
    options.engine = VISAGE_ENGINE_AUTO;
    do {
        launch(t, 100, &options, &stats);
        launches++;
    } while (stats.engine != VISAGE_ENGINE_JIT && launches < 1000000);
    assert_int_equal(stats.engine, VISAGE_ENGINE_JIT);
    assert_true(launches > 1);
}

/* ---- long text ----------------------------------------------------------------------------
 */

#define THERE_AND_BACK                                                                         \
    "    add (M1_NM, 8) V34(0,0)<1> V34(0,0)<1;1,0> V32(0,0)<0;1,0>\n"                         \
    "    add (M1_NM, 8) V34(0,0)<1> V34(0,0)<1;1,0> (-)V32(0,0)<0;1,0>\n"

/* Behind the results. */
#define COUNT                                                                                  \
    "    add (M1_NM, 1) V36(0,0)<1> V33(0,0)<0;1,0> 0x20:ud\n"                                 \
    "    mov (M1_NM, 1) V37(0,0)<1> 0x1:ud\n"                                                  \
    "    svm_atomic.add (M1_NM, 1) V36.0 V38.0 V37.0 %null.0\n"

enum { TIMES = 2560 };

/* `first` with twice as many instructions more in each round, which change nothing in the end;
 * and one that counts rounds, if that is wanted. */
static const char *lengthy_text(int times, bool counts)
{
    static const char loop[] = LOOP("first", "0x5"), more[] = THERE_AND_BACK;
    static char text[sizeof loop + TIMES * sizeof more + sizeof(COUNT REST)];
    const char *rest = counts ? COUNT REST : REST;
    size_t at = sizeof loop - 1;

    memcpy(text, loop, at);
    for (int i = 0; i < times; i++, at += sizeof more - 1)
        memcpy(text + at, more, sizeof more - 1);
    memcpy(text + at, rest, strlen(rest) + 1);
    return text;
}

static const char *lengthy(void)
{
    return lengthy_text(TIMES, false);
}

/* So many short launches; was the last one interpreted? */
static bool are_interpreted(cache_test *t, uint32_t launches)
{
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);
    visage_run_stats stats;

    run_groups(t, lengthy_text(400, false), 5, VISAGE_ENGINE_AUTO, 10, &stats);
    options.engine = VISAGE_ENGINE_AUTO;
    for (uint32_t i = 0; i < launches; i++)
        launch(t, 10, &options, &stats);
    return stats.engine != VISAGE_ENGINE_JIT;
}

/* Code that has been begun is there for later runs, though the program is freed, or the process
 * ends, before it is done. */
static void what_is_in_work_is_kept(void **state)
{
    cache_test *t = *state;
    char path[512];

    for (int ends = 0; ends < 2; ends++) {
        bool is_interpreted = true;
        uint32_t launches = 10;
        for (; is_interpreted && count(t) == 0; launches += launches / 10) {
            pid_t child = ends ? fork() : -1;
            int status = 0;
            if (child == 0)
                exit(are_interpreted(t, launches));
            if (child > 0) {
                assert_int_equal(waitpid(child, &status, 0), child);
                assert_true(WIFEXITED(status));
                is_interpreted = WEXITSTATUS(status);
            } else {
                is_interpreted = are_interpreted(t, launches);
                drop(t->f);
            }
        }
        assert_true(is_interpreted);
        assert_int_equal(count(t), 1);
        (void)list(t, path, true);
    }
}

static bool is_rough(const cache_test *t)
{
    const vsg_jit_code *code = &t->f->launch->job->way.code;

    assert_non_null(code->run);
    return code->is_rough;
}

/* What takes long to optimise begins without; what has run for some time is made again, for
 * later launches and for later devices. */
static void lengthy_code_gets_better(void **state)
{
    cache_test *t = *state;
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);
    visage_run_stats stats;
    uint32_t launches = 0;

    run_groups(t, lengthy(), 5, VISAGE_ENGINE_JIT, 1, &stats);
    assert_true(is_rough(t));
    assert_int_equal(count(t), 1);
    options.engine = VISAGE_ENGINE_JIT;
    while (is_rough(t) && launches++ < 1000000)
        launch(t, 100, &options, &stats);
    assert_false(is_rough(t));
    assert_true(launches > 1);
    assert_int_equal(count(t), 2);
    run_groups(t, lengthy(), 5, VISAGE_ENGINE_JIT, 1, &stats);
    assert_false(is_rough(t));
    assert_true(stats.cached);
    run_groups(t, lengthy(), 5, VISAGE_ENGINE_AUTO, 1, &stats);
    assert_false(is_rough(t));
}

/* Launches that are long enough go on in it. */
static void lengthy_launches_get_better(void **state)
{
    cache_test *t = *state;
    uint32_t groups = 1 << 16;
    visage_run_stats stats, one;
    char path[512];

    run_groups(t, lengthy(), 5, VISAGE_ENGINE_INTERPRETER, 1, &one);
    do {
        (void)list(t, path, true);
        groups *= 2;
        run_groups(t, lengthy(), 5, VISAGE_ENGINE_AUTO, groups, &stats);
        assert_int_equal(stats.groups, groups);
        assert_int_equal(stats.instructions, groups * one.instructions);
    } while (is_rough(t) && groups < 1 << 28);
    assert_false(is_rough(t));
    assert_int_equal(stats.engine, VISAGE_ENGINE_JIT);
    assert_int_equal(count(t), 2);
}

/* So do workers that rest because one is better alone (crowd.h). */
static void resting_workers_go_on_in_better_code(void **state)
{
    enum { JOBS = 3, ROUNDS = 10, MOST_MS = 60000 };
    cache_test *t = *state;
    uint32_t groups = 1 << 14;
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);
    char path[512];

    options.engine = VISAGE_ENGINE_JIT;
    options.timeout_ms = MOST_MS;
    do {
        const uint32_t *out = open_groups(t, JOBS, lengthy_text(TIMES, true));
        (void)list(t, path, true);
        groups *= 2;
        launch(t, JOBS, &options, NULL);
        assert_true(is_rough(t));
        decide_alone(t->f);
        launch(t, groups, &options, NULL);
        assert_int_equal(out[NUM_RESULTS], (groups + JOBS) * ROUNDS);
        expect_nobody_at_work(t->f);
        assert_false(atomic_load(&t->f->launch->crowd.is_off));
    } while (is_rough(t) && groups < 1 << 24);
    assert_false(is_rough(t));
}

/* ---- damage -------------------------------------------------------------------------------
 */

static uint8_t *read_entry(const char *path, size_t *size)
{
    struct stat facts;
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &facts), 0);
    *size = (size_t)facts.st_size;
    uint8_t *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    (void)fclose(file);
    return bytes;
}

static void write_entry(const char *path, const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void damage_means_to_compile_again(void **state)
{
    enum { PLACES = 9 };
    cache_test *t = *state;
    char path[512];
    size_t size;

    assert_false(run_text(t, first, 5));
    assert_int_equal(list(t, path, false), 1);
    uint8_t *good = read_entry(path, &size);
    uint8_t *bad = malloc(size);
    assert_non_null(bad);
    for (size_t i = 0; i <= PLACES; i++) {
        size_t place = (size - 1) * i / PLACES;
        memcpy(bad, good, size);
        bad[place] ^= 0x10;
        write_entry(path, bad, size);
        assert_false(run_text(t, first, 5));
        assert_true(run_text(t, first, 5)); /* it was written anew */
        write_entry(path, good, place);
        assert_false(run_text(t, first, 5));
    }
    free(good);
    free(bad);
}

/* ---- processes ----------------------------------------------------------------------------
 */

static void processes_share_it(void **state)
{
    enum { PROCESSES = 3, ROUNDS = 8 };
    cache_test *t = *state;
    pid_t children[PROCESSES];
    bool from_cache = true;

    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] != 0)
            continue;
        for (int round = 0; round < ROUNDS; round++)
            from_cache = run_text(t, round % 2 ? first : other, round % 2 ? 5 : 7);
        drop(t->f);
        _exit(from_cache ? 0 : 1);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    assert_int_equal(count(t), 2);
}

/* ---- memory -------------------------------------------------------------------------------
 */

/* Whichever allocation fails, the kernel runs, or the run says that memory is out. */
static void want_of_memory_does_no_harm(void **state)
{
    cache_test *t = *state;
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);
    bool was_well = false;

    options.engine = VISAGE_ENGINE_JIT;
    assert_false(run_text(t, first, 5));
    for (size_t fail = 1; fail < 200 && !was_well; fail++) {
        drop(t->f);
        open_text(t->f, VISAGE_PLATFORM_SKL, first, NULL);
        open_kernel(t->f, NULL);
        const uint32_t *out = make_buffer(t->f, 0, 32, 0);
        set_int(t->f, 0, 3);
        set_buffer(t->f, 1, 0);
        visage_range range = threads(1, 1, 1, 1, 1, 1);
        visage_run_stats stats;
        t->f->counts.fail = atomic_load(&t->f->counts.calls) + fail;
        t->f->counts.only_one = true;
        size_t before = t->f->counts.fail;
        visage_status status =
            visage_launch_run(t->f->launch, &range, &options, t->f->diagnostics, &stats);
        t->f->counts.fail = 0;
        was_well = atomic_load(&t->f->counts.calls) < before;
        assert_true(status == VISAGE_OK || status == VISAGE_NO_MEMORY);
        if (status == VISAGE_OK)
            assert_int_equal(out[7], expected(5, 3));
    }
    assert_true(was_well);
}

/* ---- the loader ---------------------------------------------------------------------------
 */

static void note_function(void *user, const char *name, const uint8_t *code, size_t size_bytes)
{
    size_t *total = user;

    assert_non_null(code);
    assert_non_null(memchr(name, '\0', 1 << 16));
    *total += size_bytes;
}

static bool try_image(const vsg_base_alloc *alloc, const uint8_t *bytes, size_t size)
{
    vsg_jit_image image;
    size_t total = 0;
    bool good = vsg_jit_image_load(alloc, bytes, size, note_function, &total, &image);

    if (!good) {
        assert_null(image.base);
        return false;
    }
    assert_true(total <= image.size_bytes || total > size);
    vsg_jit_image_unload(&image);
    return true;
}

/* Checksums aside, a file that is cut or changed anywhere brings nobody down. */
static void loader_survives_damage(void **state)
{
    cache_test *t = *state;
    vsg_jit_stats stats;
    vsg_jit_bytes object;
    size_t refused = 0, loaded = 0;
    const vsg_jit_sight sight = {.level = VISAGE_CPU_NATIVE, .form = VSG_JIT_OBJECT};

    open_text(t->f, VISAGE_PLATFORM_SKL, first, NULL);
    const vsg_base_alloc *alloc = &t->f->program->alloc;
    assert_int_equal(vsg_jit_show(alloc, t->f->program->exec, &sight, &stats, &object),
                     VISAGE_OK);
    assert_true(try_image(alloc, object.data, object.size));
    uint8_t *bad = malloc(object.size);
    assert_non_null(bad);
    for (size_t size = 0; size < object.size; size += 7) {
        uint8_t *cut = malloc(size + 1); /* so that a sanitizer sees reads behind it */
        assert_non_null(cut);
        memcpy(cut, object.data, size);
        assert_false(try_image(alloc, cut, size));
        free(cut);
    }
    for (size_t place = 0; place < object.size; place++)
        for (uint8_t flip = 1; flip; flip = (uint8_t)(flip << 3)) {
            memcpy(bad, object.data, object.size);
            bad[place] ^= flip;
            *(try_image(alloc, bad, object.size) ? &loaded : &refused) += 1;
        }
    assert_true(refused > 100);
    assert_true(loaded > 100); /* code and constants may be anything */
    free(bad);
    vsg_base_delete(alloc, object.data, object.size, 1);
}

/* A program that no level of this processor can run is refused, not run. */
static void foreign_level_is_refused(void **state)
{
    cache_test *t = *state;
    visage_device_options options = VISAGE_OPTIONS_INIT(visage_device_options);
    visage_device *device;

    options.platform = VISAGE_PLATFORM_SKL;
    options.memory_bytes = (uint64_t)64 << 20;
    for (int i = VISAGE_CPU_NATIVE; i < VISAGE_CPU_COUNT; i++) {
        options.cpu = (visage_cpu)i;
        visage_status wanted = visage_cpu_runs(options.cpu) ? VISAGE_OK : VISAGE_UNSUPPORTED;
        assert_int_equal(visage_device_create(t->f->context, &options, &device), wanted);
        visage_device_destroy(&device);
    }
    options.cpu = VISAGE_CPU_COUNT;
    assert_int_equal(visage_device_create(t->f->context, &options, &device), VISAGE_ARGUMENT);
    options.cpu = VISAGE_CPU_DEFAULT;
    assert_int_equal(setenv("VISAGE_CPU", "pentium", 1), 0);
    assert_int_equal(visage_device_create(t->f->context, &options, &device),
                     VISAGE_UNSUPPORTED);
    assert_int_equal(unsetenv("VISAGE_CPU"), 0);
    assert_false(visage_cpu_runs(VISAGE_CPU_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(code_is_found_again, open_test, close_test),
        cmocka_unit_test_setup_teardown(each_level_has_its_own, open_test, close_test),
        cmocka_unit_test_setup_teardown(it_can_be_left_out, open_test, close_test),
        cmocka_unit_test_setup_teardown(auto_compiles_what_is_long, open_test, close_test),
        cmocka_unit_test_setup_teardown(auto_compiles_what_is_frequent, open_test, close_test),
        cmocka_unit_test_setup_teardown(what_is_in_work_is_kept, open_test, close_test),
        cmocka_unit_test_setup_teardown(lengthy_code_gets_better, open_test, close_test),
        cmocka_unit_test_setup_teardown(lengthy_launches_get_better, open_test, close_test),
        cmocka_unit_test_setup_teardown(resting_workers_go_on_in_better_code, open_test,
                                        close_test),
        cmocka_unit_test_setup_teardown(damage_means_to_compile_again, open_test, close_test),
        cmocka_unit_test_setup_teardown(processes_share_it, open_test, close_test),
        cmocka_unit_test_setup_teardown(want_of_memory_does_no_harm, open_test, close_test),
        cmocka_unit_test_setup_teardown(loader_survives_damage, open_test, close_test),
        cmocka_unit_test_setup_teardown(foreign_level_is_refused, open_test, close_test),
    };

    if (!visage_has_engine(VISAGE_ENGINE_JIT)) {
        print_message("the engine was not built in\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
