/* SPDX-License-Identifier: MIT
 *
 * Runs a fuzz target without libFuzzer, the same way each time: on every seed, then on
 * mutations of them.
 *
 *     smoke_TARGET RUNS SEED...
 *
 * Where a run fails, its input is left in smoke_TARGET.input, in the folder where it runs. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "fuzz.h"

enum {
    LARGEST_SEED = 1 << 20,
    LARGEST_INPUT = 64 << 10, /* mutated; more than most seeds */
    LARGEST_PIECE = 64
};

typedef struct bytes {
    uint8_t *data;
    size_t size;
} bytes;

/* For the handler of a failure alone. */
static bytes running;
static char input_name[64];

static void keep_input(int signal_number)
{
    FILE *file = fopen(input_name, "wb");

    if (file) {
        (void)fwrite(running.data, 1, running.size, file);
        (void)fclose(file);
        (void)fprintf(stderr, "the input is in %s\n", input_name);
    }
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number);
}

static void run(bytes input)
{
    running = input;
    (void)LLVMFuzzerTestOneInput(input.data, input.size);
}

static bytes load(const char *path)
{
    bytes seed = {malloc(LARGEST_SEED), 0};
    FILE *file = fopen(path, "rb");

    if (!file || !seed.data) {
        (void)fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    seed.size = fread(seed.data, 1, LARGEST_SEED, file);
    (void)fclose(file);
    return seed;
}

/* ---- mutations -------------------------------------------------------------------------- */

/* xorshift64: Marsaglia, Xorshift RNGs. */
static uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static size_t below(uint64_t *state, size_t limit)
{
    return limit ? (size_t)((draw(state) >> 11) % limit) : 0;
}

static void overwrite(bytes *input, size_t at, const void *data, size_t size)
{
    if (size > input->size - at)
        size = input->size - at;
    memcpy(input->data + at, data, size);
}

/* A field set to what a count may be at worst. */
static void set_field(bytes *input, uint64_t *state)
{
    static const uint64_t worst[] = {0,      1,          0x7f,       0xff,       0x7fff,
                                     0xffff, 0x7fffffff, 0x80000000, 0xffffffff, UINT64_MAX};
    static const size_t widths[] = {1, 2, 4, 8};

    overwrite(input, below(state, input->size), &worst[below(state, 10)],
              widths[below(state, 4)]);
}

static void cut_out(bytes *input, uint64_t *state)
{
    size_t at = below(state, input->size);
    size_t count = 1 + below(state, LARGEST_PIECE);

    if (count > input->size - at)
        count = input->size - at;
    memmove(input->data + at, input->data + at + count, input->size - at - count);
    input->size -= count;
}

/* A piece of `from`, which may be the input itself, put in. */
static void put_in(bytes *input, const bytes *from, uint64_t *state)
{
    uint8_t piece[LARGEST_PIECE];
    size_t start = below(state, from->size), at = below(state, input->size);
    size_t count = 1 + below(state, LARGEST_PIECE);

    if (count > from->size - start)
        count = from->size - start;
    if (count > LARGEST_INPUT - input->size)
        count = LARGEST_INPUT - input->size;
    memcpy(piece, from->data + start, count);
    memmove(input->data + at + count, input->data + at, input->size - at);
    memcpy(input->data + at, piece, count);
    input->size += count;
}

/* From a place on, the other seed. */
static void splice(bytes *input, const bytes *other, uint64_t *state)
{
    size_t at = below(state, input->size), from = below(state, other->size);
    size_t count = other->size - from;

    if (count > LARGEST_INPUT - at)
        count = LARGEST_INPUT - at;
    memcpy(input->data + at, other->data + from, count);
    input->size = at + count;
}

static void change_digit(bytes *input, uint64_t *state)
{
    size_t at = below(state, input->size);

    while (at < input->size && (input->data[at] < '0' || input->data[at] > '9'))
        at++;
    if (at < input->size)
        input->data[at] = (uint8_t)('0' + below(state, 10));
}

static void mutate(bytes *input, const bytes *other, uint64_t *state)
{
    size_t at = below(state, input->size);

    switch (below(state, 9)) {
    case 0:
        input->data[at] ^= (uint8_t)(1u << below(state, 8));
        break;
    case 1:
        input->data[at] = (uint8_t)draw(state);
        break;
    case 2:
        set_field(input, state);
        break;
    case 3:
        cut_out(input, state);
        break;
    case 4:
        put_in(input, input, state);
        break;
    case 5:
        put_in(input, other, state);
        break;
    case 6:
        splice(input, other, state);
        break;
    case 7:
        change_digit(input, state);
        break;
    default:
        input->size = at;
    }
}

/* ---- all together ----------------------------------------------------------------------- */

static void run_mutated(const bytes *seeds, size_t num_seeds, uint64_t *state)
{
    const bytes *seed = &seeds[below(state, num_seeds)];
    bytes input = {malloc(LARGEST_INPUT), seed->size};

    must(input.data != NULL);
    if (input.size > LARGEST_INPUT)
        input.size = LARGEST_INPUT;
    memcpy(input.data, seed->data, input.size);
    for (size_t count = 1 + below(state, 4); count > 0 && input.size > 0; count--)
        mutate(&input, &seeds[below(state, num_seeds)], state);
    run(input);
    free(input.data);
}

int main(int argc, char **argv)
{
    uint64_t state = 0x9e3779b97f4a7c15;
    size_t num_seeds = argc > 2 ? (size_t)argc - 2 : 0;
    bytes *seeds = calloc(num_seeds + 1, sizeof *seeds);
    const char *slash = strrchr(argv[0], '/');
    long runs = argc > 1 ? strtol(argv[1], NULL, 10) : 0;

    if (!seeds || num_seeds == 0 || runs <= 0) {
        (void)fprintf(stderr, "usage: %s RUNS SEED...\n", argv[0]);
        return 2;
    }
    (void)snprintf(input_name, sizeof input_name, "%s.input", slash ? slash + 1 : argv[0]);
    (void)signal(SIGABRT, keep_input);
    (void)signal(SIGSEGV, keep_input);
    run((bytes){(uint8_t[]){0}, 0});
    for (size_t i = 0; i < num_seeds; i++) {
        seeds[i] = load(argv[i + 2]);
        run(seeds[i]);
    }
    for (long i = 0; i < runs; i++)
        run_mutated(seeds, num_seeds, &state);
    (void)printf("%zu seeds and %ld mutations\n", num_seeds, runs);
    for (size_t i = 0; i < num_seeds; i++)
        free(seeds[i].data);
    free(seeds);
    return 0;
}
