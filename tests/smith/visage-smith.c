/* SPDX-License-Identifier: MIT
 *
 * Random programs on both engines.
 *
 * visage-smith [--seeds FROM..TO] [--platform P]
 *   tries programs, and makes smaller what fails, unless --as-is
 *   --quick: seven of eight are compiled with the least effort
 *
 * visage-smith --seed N [--print]
 *   tries one of them, or only prints it
 *
 * visage-smith --reduce FILE [--contains TEXT]
 *   makes a program smaller that fails, or as long as it contains a text and is legal
 *
 * Exits with 1 where engines differ or a program is refused, 77 without the second engine. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"
#include "reduce.h"
#include "smith.h"

enum { MOST_FAILURES = 5, SKIPPED = 77 };

typedef struct choice {
    uint64_t from, to;
    visage_platform platform;
    bool print, reduce, quick;
    const char *file;     /* to reduce, instead of a seed's program */
    const char *contains; /* what stays in a text that is reduced; NULL: how it fails */
} choice;

static int wrong(const char *what)
{
    (void)fprintf(stderr, "visage-smith: %s\n", what);
    return 2;
}

/* ---- making smaller --------------------------------------------------------------------- */

typedef struct wanted {
    smith_result result;
    const char *contains;
} wanted;

static bool fails_so(void *user, const char *text)
{
    wanted *w = user;
    smith_result result;

    if (w->contains && !strstr(text, w->contains))
        return false;
    smith_run_apart(text, &result);
    return result.verdict == w->result.verdict && strcmp(result.kind, w->result.kind) == 0;
}

/* Prints the text made smaller, with what comes of it. */
static void reduce(smith_text *text, const char *contains)
{
    wanted w = {.contains = contains};
    smith_result result;

    smith_run_apart(text->data, &w.result);
    smith_reduce(text, fails_so, &w);
    smith_run_apart(text->data, &result);
    (void)printf("%s// %s\n", text->data, result.message[0] ? result.message : "no difference");
    (void)fflush(stdout);
}

static int reduce_file(const choice *chosen)
{
    smith_text text = {0};
    char piece[4096];
    size_t size;
    FILE *file = fopen(chosen->file, "r");

    if (!file)
        return wrong("cannot read the file");
    while ((size = fread(piece, 1, sizeof piece, file)) > 0)
        smith_put_bytes(&text, piece, size);
    (void)fclose(file);
    if (!text.data)
        return wrong("the file is empty");
    reduce(&text, chosen->contains);
    smith_text_free(&text);
    return 0;
}

/* ---- programs of seeds ------------------------------------------------------------------ */

static bool report(smith_program *program, const smith_result *result, bool reduces)
{
    if (result->verdict == SMITH_SAME)
        return true;
    (void)printf("seed %" PRIu64 " (%s): %s [%s] %s\n", program->seed,
                 visage_platform_name(program->platform),
                 result->verdict == SMITH_REFUSED ? "refused" : "different", result->kind,
                 result->message);
    (void)fflush(stdout);
    if (reduces)
        reduce(&program->text, NULL);
    return false;
}

/* What a crash says: which seed it was. */
static volatile uint64_t running;

static void crashed(int number)
{
    char text[32];
    size_t end = sizeof text;
    uint64_t seed = running;

    text[--end] = '\n';
    for (; seed > 0; seed /= 10)
        text[--end] = (char)('0' + seed % 10);
    (void)!write(STDOUT_FILENO, "crash of seed ", 14);
    (void)!write(STDOUT_FILENO, text + end, sizeof text - end);
    _exit(number);
}

/* For many seeds: one in eight is optimised as ever. */
static bool is_quick(const choice *chosen, uint64_t seed)
{
    return chosen->quick && seed % 8 != 0;
}

static int try_seeds(const choice *chosen)
{
    smith_machine machine;
    uint32_t failed = 0;

    if (!smith_open(&machine))
        return wrong("no device");
    (void)signal(SIGSEGV, crashed);
    (void)signal(SIGABRT, crashed);
    (void)signal(SIGILL, crashed);
    (void)signal(SIGFPE, crashed);
    for (uint64_t seed = chosen->from; seed <= chosen->to && failed < MOST_FAILURES; seed++) {
        smith_program program;
        smith_result result;
        running = seed;
        smith_make(&program, seed, chosen->platform, is_quick(chosen, seed));
        smith_run(&machine, program.text.data, &result);
        failed += !report(&program, &result, chosen->reduce);
        smith_text_free(&program.text);
    }
    (void)printf(
        "%" PRIu64 " programs, %" PRIu64 " faulted, %" PRIu64 " stopped; instructions: %" PRIu64
        " compiled, %" PRIu64 " called; %.1f ms a program to compile\n",
        machine.programs, machine.faulted, machine.stopped, machine.compiled, machine.called,
        machine.programs ? (double)machine.nanoseconds / 1e6 / (double)machine.programs : 0);
    smith_close(&machine);
    return failed > 0;
}

static int try_one(const choice *chosen)
{
    smith_program program;
    smith_result result;

    smith_make(&program, chosen->from, chosen->platform, is_quick(chosen, chosen->from));
    smith_run_apart(program.text.data, &result);
    bool same = report(&program, &result, chosen->reduce);
    smith_text_free(&program.text);
    return !same;
}

static int print_seed(const choice *chosen)
{
    smith_program program;

    smith_make(&program, chosen->from, chosen->platform, is_quick(chosen, chosen->from));
    (void)fputs(program.text.data, stdout);
    smith_text_free(&program.text);
    return 0;
}

/* ---- options ---------------------------------------------------------------------------- */

static bool read_seeds(const char *text, choice *out)
{
    char *end;

    out->from = strtoull(text, &end, 0);
    if (strncmp(end, "..", 2) != 0)
        return false;
    out->to = strtoull(end + 2, &end, 0);
    return *end == '\0' && out->to >= out->from;
}

/* An option with a value. */
static bool read_option(const char *name, const char *value, choice *out)
{
    if (strcmp(name, "--seeds") == 0)
        return read_seeds(value, out);
    if (strcmp(name, "--seed") == 0)
        out->from = out->to = strtoull(value, NULL, 0);
    else if (strcmp(name, "--reduce") == 0)
        out->file = value;
    else if (strcmp(name, "--contains") == 0)
        out->contains = value;
    else if (strcmp(name, "--platform") == 0)
        out->platform = visage_platform_find(value);
    else
        return false;
    return strcmp(name, "--platform") != 0 || out->platform != VISAGE_PLATFORM_NONE;
}

int main(int argc, char **argv)
{
    choice chosen = {.from = 1, .to = 100, .reduce = true};

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--print") == 0)
            chosen.print = true;
        else if (strcmp(argv[i], "--quick") == 0)
            chosen.quick = true;
        else if (strcmp(argv[i], "--as-is") == 0)
            chosen.reduce = false;
        else if (i + 1 < argc && read_option(argv[i], argv[i + 1], &chosen))
            i++;
        else
            return wrong(
                "[--seeds FROM..TO] [--platform P] [--quick] [--as-is] | --seed N [--print] | "
                "--reduce FILE [--contains TEXT]");
    }
    if (chosen.print)
        return print_seed(&chosen);
    if (!visage_has_engine(VISAGE_ENGINE_JIT)) {
        (void)puts("visage was built without its compiler");
        return SKIPPED;
    }
    if (chosen.file)
        return reduce_file(&chosen);
    return chosen.from == chosen.to ? try_one(&chosen) : try_seeds(&chosen);
}
