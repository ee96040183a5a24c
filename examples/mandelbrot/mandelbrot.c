/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "sample.h"

#define WIDTH  512u
#define HEIGHT 384u
#define PIXELS (WIDTH * HEIGHT)
#define LIMIT  256u

enum { STEPS };

/* The part of the plane: -2.2 to 1 by -1.2 to 1.2. */
static const float left = -2.2f, top = -1.2f, pitch = 0.00625f;

static void prepare(void *const *buffers)
{
    (void)buffers; /* the kernel has output only */
}

/* One operation a statement, so that no compiler fuses what the kernel does not. */
static uint16_t count_steps(float cr, float ci)
{
    float zr = 0.0f, zi = 0.0f, zr2 = 0.0f, zi2 = 0.0f;
    float distance2 = 0.0f;
    uint16_t n = 0;

    while (n < LIMIT && distance2 <= 4.0f) {
        float difference = zr2 - zi2;

        zi = fmaf(zr + zr, zi, ci);
        zr = difference + cr;
        zr2 = zr * zr;
        zi2 = zi * zi;
        distance2 = zr2 + zi2;
        n++;
    }
    return n;
}

static void expect(void *const *buffers)
{
    uint16_t *steps = buffers[STEPS];

    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            steps[y * WIDTH + x] =
                count_steps(fmaf((float)x, pitch, left), fmaf((float)y, pitch, top));
}

static void launch(sample_run *run)
{
    sample_set_buffer(run, 0, STEPS);
    sample_set_float(run, 1, left);
    sample_set_float(run, 2, top);
    sample_set_float(run, 3, pitch);
    sample_set_uint(run, 4, LIMIT);
    sample_launch(run, (uint32_t[3]){WIDTH, HEIGHT, 1}, (uint32_t[3]){0});
}

/* Night blue outside, through white to gold at the edge, black inside. */
static void paint(void *const *buffers, const sample_picture *picture)
{
    static const float stops[5][3] = {
        {0, 7, 70}, {32, 107, 203}, {237, 255, 255}, {255, 170, 0}, {90, 20, 0}};
    const uint16_t *steps = buffers[STEPS];

    for (uint32_t i = 0; i < PIXELS; i++) {
        uint8_t *rgb = picture->rgb + 3 * (size_t)i;
        float place = 4.0f * log2f((float)steps[i]) / log2f((float)LIMIT);
        int stop = place < 3.0f ? (int)place : 3;

        for (int c = 0; c < 3; c++) {
            float step = stops[stop + 1][c] - stops[stop][c];

            rgb[c] = steps[i] == LIMIT
                         ? 0
                         : (uint8_t)(stops[stop][c] + step * (place - (float)stop));
        }
    }
}

const sample_def sample_mandelbrot = {
    .name = "mandelbrot",
    .kernel = "mandelbrot",
    .buffers = {{"steps", PIXELS * sizeof(uint16_t), sizeof(uint16_t)}},
    .prepare = prepare,
    .expect = expect,
    .launch = launch,
    .picture_size = {WIDTH, HEIGHT},
    .paint = paint,
};
