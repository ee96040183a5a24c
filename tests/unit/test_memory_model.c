/* SPDX-License-Identifier: MIT
 *
 * The memory model between threads of a group, groups on several workers, and the host:
 * programs without data races that fences and atomics keep in an order (3_execution_model,
 * Memory Model; FENCE, LSC_FENCE, SVM_ATOMIC). Each runs on both kinds of messages, by either
 * engine, and in check mode, which must find nothing. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "crowd_support.h"

enum { TIMEOUT_MS = 240000, TEXT_BYTES = 16384 };

/* ---- kernels ---------------------------------------------------------------------------- */

/* Lines of a kernel's text that begin with these words stand for messages; the number of a
 * format's argument is the operand's.
 *   load TO AT    store AT FROM    get TO AT: atomically
 *   draw, draw64, xchg OLD AT VALUE: what was there, plus the value or replaced    cas OLD AT
 * NEW EXPECTED    fence */
typedef struct dialect {
    visage_platform platform;
    struct {
        const char *word, *format;
    } messages[8];
} dialect;

static const dialect dialects[] = {
    {VISAGE_PLATFORM_SKL,
     {{"load", "svm_gather.4.1 (M1_NM, 1) %2$s.0 %1$s.0"},
      {"store", "svm_scatter.4.1 (M1_NM, 1) %1$s.0 %2$s.0"},
      {"get", "svm_atomic.or (M1_NM, 1) %2$s.0 %1$s.0 ZERO.0 %%null.0"},
      {"draw", "svm_atomic.add (M1_NM, 1) %2$s.0 %1$s.0 %3$s.0 %%null.0"},
      {"draw64", "svm_atomic.add.64 (M1_NM, 1) %2$s.0 %1$s.0 %3$s.0 %%null.0"},
      {"xchg", "svm_atomic.xchg (M1_NM, 1) %2$s.0 %1$s.0 %3$s.0 %%null.0"},
      {"cas", "svm_atomic.cmpxchg (M1_NM, 1) %2$s.0 %1$s.0 %3$s.0 %4$s.0"},
      {"fence", "fence_global.E"}}},
    {VISAGE_PLATFORM_PVC,
     {{"load", "lsc_load.ugm (M1_NM, 1) %1$s:d32 flat[%2$s]:a64"},
      {"store", "lsc_store.ugm (M1_NM, 1) flat[%1$s]:a64 %2$s:d32"},
      {"get", "lsc_atomic_load.ugm (M1_NM, 1) %1$s:d32 flat[%2$s]:a64 %%null %%null"},
      {"draw", "lsc_atomic_iadd.ugm (M1_NM, 1) %1$s:d32 flat[%2$s]:a64 %3$s %%null"},
      {"draw64", "lsc_atomic_iadd.ugm (M1_NM, 1) %1$s:d64 flat[%2$s]:a64 %3$s %%null"},
      {"xchg", "lsc_atomic_store.ugm (M1_NM, 1) %1$s:d32 flat[%2$s]:a64 %3$s %%null"},
      {"cas", "lsc_atomic_icas.ugm (M1_NM, 1) %1$s:d32 flat[%2$s]:a64 %4$s %3$s"},
      {"fence", "lsc_fence.ugm.evict.gpu"}}},
};

#define SCALAR(name)  ".decl " name " v_type=G type=ud num_elts=8 align=GRF\n"
#define ADDRESS(name) ".decl " name " v_type=G type=uq num_elts=4 align=GRF\n"
#define MOV(to, from) "mov (M1_NM, 1) " to "(0,0)<1> " from "\n"
#define ADD(to, a, b) "add (M1_NM, 1) " to "(0,0)<1> " a "(0,0)<0;1,0> " b "\n"
#define REG(name)     name "(0,0)<0;1,0>"
#define JUMP(relation, a, b, label)                                                            \
    "cmp." relation " (M1_NM, 1) P1 " REG(a) " " b "\n(P1) jmp (M1, 1) " label "\n"

/* G is the group, ROUNDS the second argument. */
/* clang-format off */
static const char head[] =
    ".version 4.1\n.kernel \"k\"\n.decl BUF v_type=G type=uq num_elts=1 align=qword\n"
    ".decl ROUNDS v_type=G type=ud num_elts=1 align=dword\n" ADDRESS("A") ADDRESS("B")
        ADDRESS("C") ADDRESS("E") ADDRESS("Q") SCALAR("G") SCALAR("O") SCALAR("V") SCALAR("X")
            SCALAR("Y") SCALAR("R") SCALAR("BAD") SCALAR("ONE") SCALAR("ZERO")
    ".decl P1 v_type=P num_elts=1\n.input BUF offset=64 size=8\n"
    ".input ROUNDS offset=72 size=4\n.function \"main\"\nmain:\n"
    "mov (M1_NM, 1) G(0,0)<1> %r0(0,1)<0;1,0>\n" MOV("ONE", "1:ud") MOV("ZERO", "0:ud")
        MOV("BAD", "0:ud") MOV("R", "1:ud");
/* clang-format on */

/* The words of a line, at most five; no word: NULL. */
static void split(char *line, char *words[5])
{
    char *rest = line;

    for (size_t i = 0; i < 5; i++)
        words[i] = strtok_r(rest, " ", &rest);
}

static size_t write_line(const dialect *d, const char *line, size_t length, char *out,
                         size_t size)
{
    char copy[160], *words[5];

    assert_true(length < sizeof copy);
    memcpy(copy, line, length);
    copy[length] = '\0';
    split(copy, words);
    for (size_t i = 0; words[0] && i < sizeof d->messages / sizeof d->messages[0]; i++) {
        if (strcmp(words[0], d->messages[i].word) != 0)
            continue;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        return (size_t)snprintf(out, size, d->messages[i].format, words[1], words[2], words[3],
                                words[4]);
#pragma GCC diagnostic pop
    }
    return (size_t)snprintf(out, size, "%.*s", (int)length, line);
}

static void write_text(const dialect *d, const char *body, char *out)
{
    size_t at = (size_t)snprintf(out, TEXT_BYTES, "%s", head);

    while (*body) {
        size_t length = strcspn(body, "\n");
        at += write_line(d, body, length, out + at, TEXT_BYTES - at);
        assert_true(at + 2 < TEXT_BYTES);
        out[at++] = '\n';
        body += length + (body[length] == '\n');
    }
    out[at] = '\0';
}

static uint32_t *open_body(fixture *f, const dialect *d, const char *body, size_t size,
                           uint32_t rounds)
{
    static char text[TEXT_BYTES];
    visage_module_options options = VISAGE_OPTIONS_INIT(visage_module_options);

    write_text(d, body, text);
    make_device(f, d->platform, 4);
    options.platform = d->platform;
    expect_status(f,
                  visage_module_read_memory(f->context, "text", text, strlen(text), &options,
                                            f->diagnostics, &f->module),
                  VISAGE_OK);
    expect_status(f, visage_program_create(f->device, f->module, f->diagnostics, &f->program),
                  VISAGE_OK);
    open_kernel(f, NULL);
    uint32_t *data = make_buffer(f, 0, size, 0);
    set_buffer(f, 0, 0);
    set_value(f, 1, &rounds, sizeof rounds);
    return data;
}

/* ---- ways to run ------------------------------------------------------------------------ */

typedef struct way {
    visage_engine engine;
    bool check;
} way;

static const way ways[] = {{VISAGE_ENGINE_INTERPRETER, false},
                           {VISAGE_ENGINE_JIT, false},
                           {VISAGE_ENGINE_INTERPRETER, true}};

static void run_way(fixture *f, const way *w, uint32_t groups, uint32_t threads_each,
                    uint32_t jobs)
{
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);
    visage_range range = threads(groups, 0, 0, threads_each, 0, 0);

    options.engine = w->engine;
    options.check = w->check;
    options.jobs = jobs;
    options.timeout_ms = TIMEOUT_MS;
    expect_status(f, visage_launch_run(f->launch, &range, &options, f->diagnostics, NULL),
                  VISAGE_OK);
}

#define FOR_ALL(d, w)                                                                          \
    for (const dialect *d = dialects; d < dialects + 2; d++)                                   \
        for (const way *w = ways; w < ways + sizeof ways / sizeof ways[0]; w++)                \
            if (visage_has_engine(w->engine))

/* ---- tests ------------------------------------------------------------------------------ */

enum { KIB = 1024, ROUNDS = 100 };

#define STORE_AT(offset) ADD("C", "BUF", offset) "store C R\n"
#define LOAD_AT(offset, next)                                                                  \
    ADD("C", "BUF", offset)                                                                    \
    "load X C\n" JUMP("eq", "X", REG("R"), next) ADD("BAD", "BAD", "1:ud") next ":\n"

/* Group 0 writes and raises a flag, group 1 reads what was written and answers. The first word
 * is the flag, that at 64 the answer, at 128 the number of wrong words. */
/* clang-format off */
static const char message[] = ADD("A", "BUF", "0:ud") ADD("B", "BUF", "64:ud")
    JUMP("ne", "G", "0:ud", "reader")
    "writer:\nget O B\n" ADD("V", "R", "-1:d") JUMP("ne", "O", REG("V"), "writer") "fence\n"
    STORE_AT("1024:ud") STORE_AT("5120:ud") STORE_AT("1028:ud") STORE_AT("9216:ud")
    "fence\nxchg O A R\n" ADD("R", "R", "1:ud") JUMP("le", "R", REG("ROUNDS"), "writer")
    "ret (M1, 1)\n"
    "reader:\nget O A\n" JUMP("lt", "O", REG("R"), "reader") "fence\n"
    LOAD_AT("9216:ud", "n1") LOAD_AT("1028:ud", "n2") LOAD_AT("5120:ud", "n3")
    LOAD_AT("1024:ud", "n4")
    "fence\nxchg O B R\n" ADD("R", "R", "1:ud") JUMP("le", "R", REG("ROUNDS"), "reader")
    ADD("C", "BUF", "128:ud") "store C BAD\nret (M1, 1)\n";
/* clang-format on */

/* With one worker, as in check mode, group 1 runs when group 0 has ended: one round. */
static void groups_pass_messages(void **state)
{
    fixture *f = *state;

    FOR_ALL(d, w)
    {
        uint32_t rounds = w->check ? 1 : ROUNDS;
        uint32_t *data = open_body(f, d, message, (size_t)12 * KIB, rounds);
        data[32] = 99;
        run_way(f, w, 2, 1, 2);
        assert_int_equal(data[0], rounds);
        assert_int_equal(data[16], rounds);
        assert_int_equal(data[32], 0);
        drop(f);
    }
}

/* In each round both groups meet, then raise a flag of their own, and read the other's behind a
 * fence. Flags of a round are at 4096 + 128 * round, 64 bytes apart, what was read at 64 KiB +
 * 8
 * * round. */
/* clang-format off */
static const char flags[] = ADD("A", "BUF", "0:ud")
    "round:\ndraw O A ONE\n" ADD("V", "R", REG("R"))
    "meet:\nget O A\n" JUMP("lt", "O", REG("V"), "meet")
    "shl (M1_NM, 1) X(0,0)<1> " REG("R") " 7:ud\n"
    "shl (M1_NM, 1) Y(0,0)<1> " REG("G") " 6:ud\n"
    ADD("E", "BUF", "4096:ud") ADD("E", "E", REG("X")) ADD("B", "E", REG("Y"))
    "xor (M1_NM, 1) Y(0,0)<1> " REG("Y") " 64:ud\n" ADD("C", "E", REG("Y"))
    "xchg O B ONE\nfence\nget V C\n"
    "shl (M1_NM, 1) X(0,0)<1> " REG("R") " 3:ud\n"
    "shl (M1_NM, 1) Y(0,0)<1> " REG("G") " 2:ud\n"
    ADD("E", "BUF", "65536:ud") ADD("E", "E", REG("X")) ADD("E", "E", REG("Y")) "store E V\n"
    ADD("R", "R", "1:ud") JUMP("le", "R", REG("ROUNDS"), "round") "ret (M1, 1)\n";
/* clang-format on */

static void expect_flags(const uint32_t *seen)
{
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        assert_true(seen[2 * round] + seen[2 * round + 1] >= 1);
        assert_true(seen[2 * round] <= 1 && seen[2 * round + 1] <= 1);
    }
}

static void no_group_misses_both_flags(void **state)
{
    fixture *f = *state;

    FOR_ALL(d, w)
    {
        if (w->check)
            continue; /* groups that wait for each other need two workers */
        uint32_t *data = open_body(f, d, flags, (size_t)128 * KIB, ROUNDS);
        const uint32_t *seen = data + 64 * KIB / 4;
        run_way(f, w, 2, 1, 2);
        expect_flags(seen);
        /* Nor where one worker was better so far, and rests by itself. */
        memset(data, 0, (size_t)128 * KIB);
        decide_alone(f);
        run_way(f, w, 2, 1, 2);
        expect_flags(seen);
        expect_nobody_at_work(f);
        drop(f);
    }
}

/* Every thread draws numbers and writes to the word of each: what an atomic gives back, it
 * gives once. The same in 64 bits, whose counter begins at 2^32 - 8. */
/* clang-format off */
static const char tickets[] = ADD("A", "BUF", "0:ud") ADD("B", "BUF", "64:ud")
    "next:\ndraw O A ONE\nshl (M1_NM, 1) X(0,0)<1> " REG("O") " 2:ud\n"
    ADD("C", "BUF", "1024:ud") ADD("C", "C", REG("X")) "store C ONE\n"
    MOV("E", "1:uq") "draw64 Q B E\n" ADD("Q", "Q", "-4294967288:q")
    "shl (M1_NM, 1) Q(0,0)<1> " REG("Q") " 2:ud\n"
    ADD("C", "BUF", "32768:ud") ADD("C", "C", REG("Q")) "store C ONE\n"
    ADD("R", "R", "1:ud") JUMP("le", "R", REG("ROUNDS"), "next") "ret (M1, 1)\n";
/* clang-format on */

static void every_ticket_is_drawn_once(void **state)
{
    enum { GROUPS = 16, THREADS = 4, EACH = 25, ALL = GROUPS * THREADS * EACH };
    static const uint64_t first = UINT32_MAX - 7ull;
    fixture *f = *state;

    FOR_ALL(d, w)
    {
        for (uint32_t jobs = 1; jobs <= 4; jobs += 3) {
            uint32_t *data = open_body(f, d, tickets, (size_t)64 * KIB, EACH);
            memcpy(data + 16, &first, sizeof first);
            run_way(f, w, GROUPS, THREADS, jobs);
            uint64_t last;
            memcpy(&last, data + 16, sizeof last);
            assert_int_equal(data[0], ALL);
            assert_int_equal(last, first + ALL);
            for (uint32_t i = 0; i < ALL; i++)
                assert_true(data[256 + i] == 1 && data[8192 + i] == 1);
            assert_true(data[256 + ALL] == 0 && data[8192 + ALL] == 0);
            drop(f);
        }
    }
}

/* A lock: what is done under it by ordinary loads and stores is not lost. */
/* clang-format off */
static const char lock[] = ADD("A", "BUF", "0:ud") ADD("B", "BUF", "64:ud")
    ADD("C", "BUF", "4096:ud")
    "take:\ncas O A ONE ZERO\n" JUMP("ne", "O", "0:ud", "take") "fence\n"
    "load X B\n" ADD("X", "X", "1:ud") "store B X\n"
    "load X C\n" ADD("X", "X", "3:ud") "store C X\n"
    "fence\nxchg O A ZERO\n" ADD("R", "R", "1:ud") JUMP("le", "R", REG("ROUNDS"), "take")
    "ret (M1, 1)\n";
/* clang-format on */

static void locks_exclude(void **state)
{
    enum { GROUPS = 8, THREADS = 3, EACH = 20, ALL = GROUPS * THREADS * EACH };
    fixture *f = *state;

    FOR_ALL(d, w)
    {
        for (uint32_t jobs = 1; jobs <= 4; jobs += 3) {
            uint32_t *data = open_body(f, d, lock, (size_t)8 * KIB, EACH);
            run_way(f, w, GROUPS, THREADS, jobs);
            assert_int_equal(data[0], 0);
            assert_int_equal(data[16], ALL);
            assert_int_equal(data[1024], 3 * ALL);
            drop(f);
        }
    }
}

/* ---- with the host ---------------------------------------------------------------------- */

/* Answers: adds one to four words that the host has written. The first word is the host's flag,
 * that at 64 the kernel's. */
#define ANSWER(from, to)                                                                       \
    ADD("C", "BUF", from) "load X C\n" ADD("X", "X", "1:ud") ADD("C", "BUF", to) "store C X\n"
/* clang-format off */
static const char answer[] = ADD("A", "BUF", "0:ud") ADD("B", "BUF", "64:ud")
    "ask:\nget O A\n" JUMP("lt", "O", REG("R"), "ask") "fence\n"
    ANSWER("1024:ud", "8192:ud") ANSWER("5120:ud", "12288:ud") ANSWER("1028:ud", "8196:ud")
    ANSWER("2048:ud", "16384:ud")
    "fence\nxchg O B R\n" ADD("R", "R", "1:ud") JUMP("le", "R", REG("ROUNDS"), "ask")
    "ret (M1, 1)\n";
/* clang-format on */

typedef struct answering {
    fixture *f;
    const way *w;
    visage_status status;
} answering;

static void *run_answers(void *argument)
{
    answering *a = argument;
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);
    visage_range range = threads(1, 0, 0, 1, 0, 0);

    options.engine = a->w->engine;
    options.check = a->w->check;
    options.timeout_ms = TIMEOUT_MS;
    a->status = visage_launch_run(a->f->launch, &range, &options, a->f->diagnostics, NULL);
    /* Whatever happened, the host shall not wait for ever. */
    uint32_t *data = visage_buffer_data(a->f->buffers[0]);
    if (a->status != VISAGE_OK)
        __atomic_store_n(&data[16], UINT32_MAX, __ATOMIC_SEQ_CST);
    return NULL;
}

/* True: the answers of the round are right. */
static bool ask(uint32_t *data, uint32_t round)
{
    static const uint32_t from[] = {256, 1280, 257, 512}, to[] = {2048, 3072, 2049, 4096};
    bool right = true;

    for (uint32_t i = 0; i < 4; i++)
        data[from[i]] = round * 7 + i;
    __atomic_store_n(&data[0], round, __ATOMIC_RELEASE);
    while (__atomic_load_n(&data[16], __ATOMIC_ACQUIRE) < round)
        (void)sched_yield();
    for (uint32_t i = 0; i < 4; i++)
        right = right && data[to[i]] == round * 7 + i + 1;
    return right;
}

static void host_and_kernel_pass_messages(void **state)
{
    fixture *f = *state;

    FOR_ALL(d, w)
    {
        uint32_t *data = open_body(f, d, answer, (size_t)20 * KIB, ROUNDS);
        answering a = {f, w, VISAGE_FAULT};
        pthread_t thread;
        uint32_t wrong = 0;
        assert_int_equal(pthread_create(&thread, NULL, run_answers, &a), 0);
        for (uint32_t round = 1; round <= ROUNDS; round++)
            wrong += !ask(data, round);
        assert_int_equal(pthread_join(thread, NULL), 0);
        expect_status(f, a.status, VISAGE_OK);
        assert_int_equal(wrong, 0);
        drop(f);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(groups_pass_messages),          TEST(no_group_misses_both_flags),
        TEST(every_ticket_is_drawn_once),    TEST(locks_exclude),
        TEST(host_and_kernel_pass_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
