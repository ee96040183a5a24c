/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "sample.h"

/* 250,000 floats become 977, then 4, then 1. */
#define LOCAL         256u
#define GROUPS(count) (((count) + LOCAL - 1) / LOCAL)
#define COUNT         250000u
#define COUNT_1       GROUPS(COUNT)
#define COUNT_2       GROUPS(COUNT_1)

_Static_assert(GROUPS(COUNT_2) == 1, "three launches leave one sum");

enum { IN, SUMS_1, SUMS_2, TOTAL };

static const uint32_t counts[] = {COUNT, COUNT_1, COUNT_2, 1};

static void prepare(void *const *buffers)
{
    float *in = buffers[IN];
    uint64_t state = 3;

    /* Many magnitudes, so that another order of the additions gives another sum. */
    for (uint32_t i = 0; i < COUNT; i++) {
        float value = (float)(int32_t)sample_random(&state) * 0x1p-31f;

        in[i] = value * (float)(1u << (sample_random(&state) & 15));
    }
}

static void sum_groups(const float *in, float *out, uint32_t count)
{
    for (uint32_t group = 0; group < GROUPS(count); group++) {
        uint32_t first = group * LOCAL;
        uint32_t rest = count - first < LOCAL ? count - first : LOCAL;
        float tree[LOCAL] = {0};

        memcpy(tree, in + first, rest * sizeof(float));
        for (uint32_t half_size = LOCAL / 2; half_size > 0; half_size /= 2)
            for (uint32_t i = 0; i < half_size; i++)
                tree[i] += tree[i + half_size];
        out[group] = tree[0];
    }
}

static void expect(void *const *buffers)
{
    for (size_t level = IN; level < TOTAL; level++)
        sum_groups(buffers[level], buffers[level + 1], counts[level]);
}

static void launch(sample_run *run)
{
    for (size_t level = IN; level < TOTAL; level++) {
        sample_set_buffer(run, 0, level);
        sample_set_buffer(run, 1, level + 1);
        sample_set_uint(run, 2, counts[level]);
        sample_set_local(run, 3, LOCAL * sizeof(float));
        sample_launch(run, (uint32_t[3]){GROUPS(counts[level]) * LOCAL, 1, 1},
                      (uint32_t[3]){LOCAL, 1, 1});
    }
}

const sample_def sample_reduction = {
    .name = "reduction",
    .kernel = "reduction",
    .buffers = {{"in", COUNT * sizeof(float), sizeof(float)},
                {"sums 1", COUNT_1 * sizeof(float), sizeof(float)},
                {"sums 2", COUNT_2 * sizeof(float), sizeof(float)},
                {"total", sizeof(float), sizeof(float)}},
    .prepare = prepare,
    .expect = expect,
    .launch = launch,
};
