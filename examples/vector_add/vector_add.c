/* SPDX-License-Identifier: MIT */
#include "sample.h"

/* Not a multiple of anything: the last work-group is only partly needed. */
#define COUNT  1000003u
#define LOCAL  256u
#define GLOBAL ((COUNT + LOCAL - 1) / LOCAL * LOCAL)

enum { A, B, SUM };

static void prepare(void *const *buffers)
{
    float *a = buffers[A], *b = buffers[B];
    uint64_t state = 1;

    for (uint32_t i = 0; i < COUNT; i++) {
        a[i] = (float)(int32_t)sample_random(&state) * 0x1p-20f;
        b[i] = (float)(int32_t)sample_random(&state) * 0x1p-24f;
    }
}

static void expect(void *const *buffers)
{
    const float *a = buffers[A], *b = buffers[B];
    float *sum = buffers[SUM];

    for (uint32_t i = 0; i < COUNT; i++)
        sum[i] = a[i] + b[i];
}

static void launch(sample_run *run)
{
    sample_set_buffer(run, 0, A);
    sample_set_buffer(run, 1, B);
    sample_set_buffer(run, 2, SUM);
    sample_set_uint(run, 3, COUNT);
    sample_launch(run, (uint32_t[3]){GLOBAL, 1, 1}, (uint32_t[3]){LOCAL, 1, 1});
}

const sample_def sample_vector_add = {
    .name = "vector_add",
    .kernel = "vector_add",
    .buffers = {{"a", COUNT * sizeof(float), sizeof(float)},
                {"b", COUNT * sizeof(float), sizeof(float)},
                {"sum", COUNT * sizeof(float), sizeof(float)}},
    .prepare = prepare,
    .expect = expect,
    .launch = launch,
};
