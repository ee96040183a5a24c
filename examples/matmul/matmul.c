/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "sample.h"

/* Three different sizes, so that a swapped index shows. */
#define ROWS    128u
#define INNER   96u
#define COLUMNS 160u
#define TILE    16u

enum { A, B, C };

static void prepare(void *const *buffers)
{
    float *a = buffers[A], *b = buffers[B];
    uint64_t state = 2;

    for (uint32_t i = 0; i < ROWS * INNER; i++)
        a[i] = (float)(int32_t)sample_random(&state) * 0x1p-31f;
    for (uint32_t i = 0; i < INNER * COLUMNS; i++)
        b[i] = (float)(int32_t)sample_random(&state) * 0x1p-31f;
}

/* The kernel's tiles do not change the order of the sum. */
static void expect(void *const *buffers)
{
    const float *a = buffers[A], *b = buffers[B];
    float *c = buffers[C];

    for (uint32_t row = 0; row < ROWS; row++) {
        for (uint32_t column = 0; column < COLUMNS; column++) {
            float sum = 0.0f;

            for (uint32_t k = 0; k < INNER; k++)
                sum = fmaf(a[row * INNER + k], b[k * COLUMNS + column], sum);
            c[row * COLUMNS + column] = sum;
        }
    }
}

static void launch(sample_run *run)
{
    sample_set_buffer(run, 0, A);
    sample_set_buffer(run, 1, B);
    sample_set_buffer(run, 2, C);
    sample_set_uint(run, 3, INNER);
    sample_launch(run, (uint32_t[3]){COLUMNS, ROWS, 1}, (uint32_t[3]){TILE, TILE, 1});
}

const sample_def sample_matmul = {
    .name = "matmul",
    .kernel = "matmul",
    .buffers = {{"a", ROWS *INNER * sizeof(float), sizeof(float)},
                {"b", INNER *COLUMNS * sizeof(float), sizeof(float)},
                {"c", ROWS *COLUMNS * sizeof(float), sizeof(float)}},
    .prepare = prepare,
    .expect = expect,
    .launch = launch,
};
