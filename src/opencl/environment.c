/* SPDX-License-Identifier: MIT */
#include "opencl/environment.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_JOBS = 1024,
    MOST_UNITS = 4096, /* the largest GPU has a quarter of that */
    MOST_MEMORY_MIB = 1 << 24,
    USUAL_MEMORY_MIB = 8192, /* a damaged module made it take all there was */
    USUAL_SECONDS = 120,     /* the longest compilation seen took 64 */
    MOST_SECONDS = INT_MAX / 1000
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static vsg_ocl_environment environment;

/* The variable's text, NULL where it is not set or empty. */
static const char *find(const char *name)
{
    const char *text = getenv(name);

    return text && *text ? text : NULL;
}

static bool read_switch(const char *name, bool otherwise)
{
    const char *text = find(name);

    if (!text)
        return otherwise;
    if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0) {
        (void)fprintf(stderr, "visage: %s: \"%s\" is neither 0 nor 1\n", name, text);
        return otherwise;
    }
    return text[0] == '1';
}

static uint32_t read_number(const char *name, uint32_t most, uint32_t otherwise)
{
    const char *text = find(name);
    char *end;

    if (!text)
        return otherwise;
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || number == 0 || number > most) {
        (void)fprintf(stderr, "visage: %s: \"%s\" is no number from 1 to %u\n", name, text,
                      (unsigned)most);
        return otherwise;
    }
    return (uint32_t)number;
}

static visage_engine read_engine(const char *name)
{
    static const struct {
        const char *word;
        visage_engine engine;
    } engines[] = {
        {"auto", VISAGE_ENGINE_DEFAULT},
        {"interp", VISAGE_ENGINE_INTERPRETER},
        {"jit", VISAGE_ENGINE_JIT},
    };
    const char *text = find(name);

    if (!text)
        return VISAGE_ENGINE_DEFAULT;
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        if (strcmp(text, engines[i].word) != 0)
            continue;
        if (visage_has_engine(engines[i].engine))
            return engines[i].engine;
        (void)fprintf(stderr, "visage: %s: \"%s\" is not in this build\n", name, text);
        return VISAGE_ENGINE_DEFAULT;
    }
    (void)fprintf(stderr, "visage: %s: there is no engine \"%s\", only auto interp jit\n", name,
                  text);
    return VISAGE_ENGINE_DEFAULT;
}

static void read_all(void)
{
    environment = (vsg_ocl_environment){
        .engine = read_engine("VISAGE_ENGINE"),
        .is_checked = read_switch("VISAGE_CHECK", false),
        .makes_fp64 = read_switch("VISAGE_FP64", false),
        .jobs = read_number("VISAGE_JOBS", MOST_JOBS, 0),
        .units = read_number("VISAGE_UNITS", MOST_UNITS, 0),
        .memory_mib = read_number("VISAGE_COMPILER_MEMORY", MOST_MEMORY_MIB, USUAL_MEMORY_MIB),
        .seconds = read_number("VISAGE_COMPILER_TIMEOUT", MOST_SECONDS, USUAL_SECONDS),
    };
    (void)read_switch("VISAGE_CACHE", true); /* base/store.c looks at it, and says nothing */
}

const vsg_ocl_environment *vsg_ocl_environment_get(void)
{
    (void)pthread_once(&once, read_all);
    return &environment;
}
