/* SPDX-License-Identifier: MIT */
#include "sample.h"

#define WIDTH  512
#define HEIGHT 320
#define LOCAL  16

enum { IN, OUT };

static void prepare(void *const *buffers)
{
    uint8_t *in = buffers[IN];
    uint64_t state = 6;

    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        in[i] = (uint8_t)sample_random(&state);
}

static int clamp(int value, int last)
{
    return value < 0 ? 0 : value > last ? last : value;
}

static uint8_t blur(const uint8_t *in, int x, int y)
{
    static const uint32_t weights[3] = {1, 2, 1};
    uint32_t sum = 0;

    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += weights[dy + 1] * weights[dx + 1] *
                   in[clamp(y + dy, HEIGHT - 1) * WIDTH + clamp(x + dx, WIDTH - 1)];
    return (uint8_t)((sum + 8) / 16);
}

static void expect(void *const *buffers)
{
    uint8_t *out = buffers[OUT];

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            out[y * WIDTH + x] = blur(buffers[IN], x, y);
}

static void launch(sample_run *run)
{
    sample_set_buffer(run, 0, IN);
    sample_set_buffer(run, 1, OUT);
    sample_launch(run, (uint32_t[3]){WIDTH, HEIGHT, 1}, (uint32_t[3]){LOCAL, LOCAL, 1});
}

const sample_def sample_stencil = {
    .name = "stencil",
    .kernel = "stencil",
    .buffers = {{"in", WIDTH *HEIGHT, 1}, {"out", WIDTH *HEIGHT, 1}},
    .prepare = prepare,
    .expect = expect,
    .launch = launch,
};
