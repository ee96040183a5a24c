/* SPDX-License-Identifier: MIT */

/* Texels eight at a time, for any host and for this one, against those that sampler.c and
 * format.c tell one by one: all formats, shapes and addressings, and coordinates of any kind.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "exec/math_bits.h"
#include "exec/sampler.h"
#include "exec/texel_lanes.h"

enum {
    N = VSG_EXE_TEXEL_LANES,
    ROUNDS = 300,
    MOST_BYTES = 16,
    MOST_ROW = 12,
    MEMORY = MOST_ROW * 5 * 3 * MOST_BYTES
};

#define BYTES(of) ((const uint8_t *)(of))
#define PLACES(of)                                                                             \
    (vsg_exe_texel_places)                                                                     \
    {                                                                                          \
        BYTES((of)[0]), BYTES((of)[1]), BYTES((of)[2])                                         \
    }

static uint64_t state = 1;

static uint32_t next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

static uint8_t memory[MEMORY];

/* Bytes of any kind make infinities and what is none of the numbers of floats. */
static void make_image(uint32_t format, vsg_exe_surface *out)
{
    static const vsg_exe_image_shape shapes[] = {VSG_EXE_IMAGE_1D, VSG_EXE_IMAGE_2D,
                                                 VSG_EXE_IMAGE_3D};
    uint32_t axes = next() % 3, bytes = vsg_exe_format_of(format)->texel_bytes;

    for (uint32_t i = 0; i < sizeof memory; i++)
        memory[i] = (uint8_t)(next() >> 7);
    *out = (vsg_exe_surface){.kind = VSG_EXE_SURFACE_IMAGE,
                             .address = (uintptr_t)memory,
                             .width = 1 + next() % MOST_ROW,
                             .height = axes > 0 ? 1 + next() % 5 : 0,
                             .depth = axes > 1 ? 1 + next() % 3 : 0,
                             .shape = (uint8_t)shapes[axes],
                             .pitch_bytes = MOST_ROW * bytes,
                             .slice_bytes = 5 * MOST_ROW * bytes,
                             .texel_bytes = bytes,
                             .size_bytes = 15 * MOST_ROW * bytes,
                             .format = format};
}

static void make_sampler(vsg_exe_sampler *out)
{
    *out = (vsg_exe_sampler){.is_set = true,
                             .normalized = next() % 2,
                             .filter =
                                 next() % 2 ? VSG_EXE_FILTER_LINEAR : VSG_EXE_FILTER_NEAREST};
    for (uint32_t a = 0; a < 3; a++)
        out->addressing[a] = (uint8_t)(next() % (VSG_EXE_ADDRESSING_MIRROR_ONCE + 1));
    for (uint32_t c = 0; c < 4; c++)
        out->border[c] = next() % 2 ? vsg_exe_float_bits((float)next() * 0x1p-31f) : next() * 2;
}

static float make_coordinate(const vsg_exe_sampler *sampler)
{
    float place = ((float)next() * 0x1p-31f - 0.25f) * 2;

    switch (next() % 8) {
    case 0:
        return vsg_exe_bits_float(next() * 2 + next() % 2);
    case 1:
        return (float)(next() % 16) * 0.5f - 3;
    default:
        return sampler->normalized ? place : place * 7;
    }
}

/* Once in four times those of texels that follow each other. */
static void make_coordinates(const vsg_exe_sampler *sampler, uint32_t width, float out[3][N])
{
    bool is_row = next() % 4 == 0;
    float first = (float)(next() % 4) + 0.5f;

    for (uint32_t n = 0; n < N; n++)
        for (uint32_t a = 0; a < 3; a++)
            out[a][n] = is_row && n > 0 ? out[a][0] : make_coordinate(sampler);
    for (uint32_t n = 0; is_row && n < N; n++)
        out[0][n] = (first + (float)n) / (sampler->normalized ? (float)width : 1);
}

/* ---- one by one -------------------------------------------------------------------------- */

static void check_samples(const vsg_exe_texel_lanes *lanes, const vsg_exe_surface *image,
                          const vsg_exe_texel_level *level)
{
    vsg_exe_texel_colours colours;
    float at[3][N];
    uint32_t wanted = 1 + next() % 15;
    vsg_exe_sampler sampler;

    make_sampler(&sampler);
    vsg_exe_probe probe = {.image = image, .format = level->format, .sampler = &sampler};
    if (!vsg_exe_texel_can_sample(&sampler, level->axes))
        return;
    make_coordinates(&sampler, level->size[0], at);
    lanes->sample(level, &sampler, vsg_exe_filters(&probe), PLACES(at), wanted, colours);
    for (uint32_t n = 0; n < N; n++) {
        uint32_t rgba[4];
        for (uint32_t a = 0; a < 3; a++)
            probe.at[a] = at[a][n];
        vsg_exe_sample(&probe, 0, rgba);
        for (uint32_t c = 0; c < 4; c++)
            if (wanted >> c & 1)
                assert_int_equal(colours[c][n], rgba[c]);
    }
}

static int32_t make_number(void)
{
    return next() % 8 ? (int32_t)(next() % 10) - 1 : (int32_t)(next() * 2);
}

static void make_numbers(int32_t out[3][N])
{
    bool is_row = next() % 4 == 0;
    int32_t first = (int32_t)(next() % 6) - 1;

    for (uint32_t n = 0; n < N; n++)
        for (uint32_t a = 0; a < 3; a++)
            out[a][n] = is_row && n > 0 ? out[a][0] : make_number();
    for (uint32_t n = 0; is_row && n < N; n++)
        out[0][n] = first + (int32_t)n;
}

static void check_fetches(const vsg_exe_texel_lanes *lanes, const vsg_exe_surface *image,
                          const vsg_exe_texel_level *level)
{
    static const uint32_t nothing[4] = {0};
    vsg_exe_probe probe = {.image = image, .format = level->format};
    uint32_t border[4], wanted = 1 + next() % 15;
    vsg_exe_texel_colours colours;
    int32_t number[3][N];

    make_numbers(number);
    vsg_exe_texel_colour(level->format, nothing, border);
    lanes->fetch(level, PLACES(number), border, wanted, colours);
    for (uint32_t n = 0; n < N; n++) {
        const int64_t at[3] = {number[0][n], number[1][n], number[2][n]};
        uint32_t rgba[4];
        vsg_exe_fetch(&probe, at, 0, 0, rgba);
        for (uint32_t c = 0; c < 4; c++)
            if (wanted >> c & 1)
                assert_int_equal(colours[c][n], rgba[c]);
    }
}

static uint32_t make_component(void)
{
    float part = ((float)next() * 0x1p-31f - 0.25f) * 2;

    switch (next() % 3) {
    case 0:
        return next() * 2 + next() % 2;
    case 1:
        return next() % 300 - 20;
    default: /* half way between two, some of them */
        return vsg_exe_float_bits(next() % 2 ? part : (float)(next() % 512) / 510);
    }
}

static void check_stores(const vsg_exe_texel_lanes *lanes, const vsg_exe_surface *image,
                         const vsg_exe_texel_level *level)
{
    static uint8_t before[MEMORY], want[MEMORY];
    uint32_t channels = next() % 2 ? next() & 0xff : 0xff;
    vsg_exe_texel_colours colours;
    int32_t number[3][N];
    vsg_exe_level first;

    memcpy(before, memory, sizeof memory);
    assert_true(vsg_exe_image_level(image, 0, &first));
    make_numbers(number);
    for (uint32_t n = 0; n < N; n++) {
        uint32_t rgba[4];
        int64_t at[3] = {0, 0, 0};
        for (uint32_t a = 0; a < level->axes; a++)
            at[a] = number[a][n];
        for (uint32_t c = 0; c < 4; c++)
            colours[c][n] = rgba[c] = make_component();
        uint64_t host = vsg_exe_image_texel(image, &first, at, 0);
        if (host && channels >> n & 1)
            vsg_exe_texel_write(level->format, (uint8_t *)(uintptr_t)host, rgba, 0xf);
    }
    memcpy(want, memory, sizeof memory);
    memcpy(memory, before, sizeof memory);
    const uint8_t *const rows[4] = {BYTES(colours[0]), BYTES(colours[1]), BYTES(colours[2]),
                                    BYTES(colours[3])};
    lanes->store(level, PLACES(number), channels, rows);
    assert_memory_equal(memory, want, sizeof memory);
}

static void check(const vsg_exe_texel_lanes *lanes)
{
    vsg_exe_texel_level level;
    vsg_exe_surface image;

    for (uint32_t format = 0; format < VSG_EXE_FORMAT_COUNT; format++)
        for (uint32_t i = 0; i < ROUNDS; i++) {
            make_image(format, &image);
            bool can = vsg_exe_texel_level_open(&image, vsg_exe_format_of(format), &level);
            assert_int_equal(can, vsg_exe_format_of(format)->kind != VSG_EXE_FORMAT_KIND_SRGB);
            if (!can)
                continue;
            for (uint32_t k = 0; k < 4; k++)
                check_samples(lanes, &image, &level);
            check_fetches(lanes, &image, &level);
            check_stores(lanes, &image, &level);
        }
}

/* ---- tests ------------------------------------------------------------------------------- */

static void any_host(void **unused)
{
    (void)unused;
    check(vsg_exe_texel_lanes_base());
}

static void this_host(void **unused)
{
    (void)unused;
    check(vsg_exe_texel_lanes_best());
}

/* What is not all there, or has more than one level has to say, is told one by one. */
static void others(void **unused)
{
    vsg_exe_texel_level level;
    vsg_exe_surface image;

    (void)unused;
    make_image(0, &image);
    image.width = 7;
    image.height = 5;
    image.shape = VSG_EXE_IMAGE_2D;
    image.pitch_bytes = 7 * image.texel_bytes;
    image.size_bytes = 5 * 7 * image.texel_bytes;
    assert_true(vsg_exe_texel_level_open(&image, vsg_exe_format_of(0), &level));
    image.size_bytes--;
    assert_false(vsg_exe_texel_level_open(&image, vsg_exe_format_of(0), &level));
    image.size_bytes++;
    image.samples = 4;
    assert_false(vsg_exe_texel_level_open(&image, vsg_exe_format_of(0), &level));
    image.samples = 1;
    image.shape = VSG_EXE_IMAGE_CUBE;
    assert_false(vsg_exe_texel_level_open(&image, vsg_exe_format_of(0), &level));
    image.shape = VSG_EXE_IMAGE_2D;
    image.size_bytes = UINT64_MAX; /* places of 32 bits */
    image.pitch_bytes = (1u << 30) - 2 * image.texel_bytes;
    assert_true(vsg_exe_texel_level_open(&image, vsg_exe_format_of(0), &level));
    image.pitch_bytes = 1u << 30;
    assert_false(vsg_exe_texel_level_open(&image, vsg_exe_format_of(0), &level));
    image.width = (1u << 24) + 1;
    image.shape = VSG_EXE_IMAGE_1D;
    image.size_bytes = UINT64_MAX;
    assert_false(vsg_exe_texel_level_open(&image, vsg_exe_format_of(0), &level));
    image.width = 0;
    assert_false(vsg_exe_texel_level_open(&image, vsg_exe_format_of(0), &level));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_host),
        cmocka_unit_test(this_host),
        cmocka_unit_test(others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
