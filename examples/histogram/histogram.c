/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "sample.h"

#define BINS   256u
#define LOCAL  256u
#define GLOBAL 65536u
/* Four bytes a work-item, and a fifth for some. */
#define COUNT (4 * GLOBAL + 1001)

enum { BYTES, COUNTS };

static void prepare(void *const *buffers)
{
    uint8_t *bytes = buffers[BYTES];
    uint64_t state = 4;

    /* The product leans towards small values: many channels meet in the same bins. */
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t random = sample_random(&state);

        bytes[i] = (uint8_t)((random & 255) * (random >> 8 & 255) >> 8);
    }
    memset(buffers[COUNTS], 0, BINS * sizeof(uint32_t));
}

static void expect(void *const *buffers)
{
    const uint8_t *bytes = buffers[BYTES];
    uint32_t *bins = buffers[COUNTS];

    for (uint32_t i = 0; i < COUNT; i++)
        bins[bytes[i]]++;
}

static void launch(sample_run *run)
{
    sample_set_buffer(run, 0, BYTES);
    sample_set_buffer(run, 1, COUNTS);
    sample_set_uint(run, 2, COUNT);
    sample_launch(run, (uint32_t[3]){GLOBAL, 1, 1}, (uint32_t[3]){LOCAL, 1, 1});
}

const sample_def sample_histogram = {
    .name = "histogram",
    .kernel = "histogram",
    .buffers = {{"bytes", COUNT, 1}, {"bins", BINS * sizeof(uint32_t), sizeof(uint32_t)}},
    .prepare = prepare,
    .expect = expect,
    .launch = launch,
};
