/* SPDX-License-Identifier: MIT
 *
 * Many runs of kernels in one process, for tests that make hundreds of them: what a file and
 * its device need is made once.
 *
 * Each line on stdin is the command line of a `visage run`, without these two words, which tabs
 * part; files stay as they are, and nothing is printed but on stderr. For each there is a line
 * on stdout, "STATUS BYTES", and as many bytes behind it: what the run said on stderr. */
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "running.h"

enum { MOST_WORDS = 64, MOST_KEPT = 8 };

/* What was made for one file on one device. */
typedef struct kept {
    char *file; /* NULL: nothing */
    visage_platform platform;
    visage_cpu cpu;
    bool quick;
    uint32_t jobs;
    running state;
} kept;

static kept all_kept[MOST_KEPT];
static unsigned num_kept;

/* Of a file alone, with nothing that kept states do not tell apart. */
static bool is_simple(const run_options *options)
{
    return options->num_files == 1 && !options->info && !options->no_cache && !options->perf;
}

static bool is_of(const kept *k, const run_options *options)
{
    return k->file && strcmp(k->file, options->file) == 0 && k->platform == options->platform &&
           k->cpu == options->cpu && k->quick == options->quick && k->jobs == options->run.jobs;
}

static void forget(kept *k)
{
    running_finish(&k->state);
    free(k->file);
    *k = (kept){0};
}

/* Instead of what was made longest ago, where there is no room. */
static running *state_of(const run_options *options)
{
    for (unsigned i = 0; i < MOST_KEPT; i++)
        if (is_of(&all_kept[i], options))
            return &all_kept[i].state;
    kept *k = &all_kept[num_kept++ % MOST_KEPT];
    forget(k);
    *k = (kept){.file = strdup(options->file),
                .platform = options->platform,
                .cpu = options->cpu,
                .quick = options->quick,
                .jobs = options->run.jobs};
    return &k->state;
}

static int run(char *line)
{
    char *words[MOST_WORDS + 1] = {line}, *word = strtok(line, "\t");
    int count = 1;
    run_options options;

    for (; word && count < MOST_WORDS; word = strtok(NULL, "\t"))
        words[count++] = word;
    if (word) {
        tool_error("more than %d words", MOST_WORDS - 1);
        return EXIT_USAGE;
    }
    optind = 0; /* getopt begins anew */
    int status = run_options_take(count, words, &options);
    if (status < 0 && !is_simple(&options)) {
        tool_error("linked files, --info, --no-cache, --perf: not here");
        status = EXIT_USAGE;
    }
    if (status < 0)
        status = running_run(state_of(&options), &options);
    run_options_free(&options);
    return status;
}

/* What stderr has got, which is a file, and empty then. False: it cannot be read. */
static bool give_said(int status)
{
    char buffer[4096];
    long size = (fflush(stderr), lseek(STDERR_FILENO, 0, SEEK_CUR));
    ssize_t got;

    if (size < 0 || lseek(STDERR_FILENO, 0, SEEK_SET) != 0)
        return false;
    printf("%d %ld\n", status, size);
    for (long done = 0; done < size; done += got) {
        got = read(STDERR_FILENO, buffer, sizeof buffer);
        if (got <= 0 || fwrite(buffer, 1, (size_t)got, stdout) != (size_t)got)
            return false;
    }
    return fflush(stdout) == 0 && ftruncate(STDERR_FILENO, 0) == 0 &&
           lseek(STDERR_FILENO, 0, SEEK_SET) == 0;
}

int main(void)
{
    FILE *said = tmpfile();
    char *line = NULL;
    size_t room = 0;
    ssize_t length;

    if (!said || dup2(fileno(said), STDERR_FILENO) < 0)
        return EXIT_FAILURE;
    while ((length = getline(&line, &room, stdin)) > 0) {
        line[strcspn(line, "\n")] = 0;
        if (!give_said(run(line)))
            return EXIT_FAILURE;
    }
    for (unsigned i = 0; i < MOST_KEPT; i++)
        forget(&all_kept[i]);
    free(line);
    (void)fclose(said);
    return EXIT_SUCCESS;
}
