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
    N = 2 * VSG_EXE_TEXEL_LANES,
    ALL = (1 << N) - 1,
    ROUNDS = 300,
    MOST_BYTES = 16,
    MOST_ROW = 12,
    MEMORY = MOST_ROW * 5 * 3 * MOST_BYTES
};

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

/* What is in the slots of channels that are off stays there; no slots are made of components
 * that are not wanted. */
enum { UNTOUCHED = 0x5a5a5a5a };

typedef struct answer {
    uint32_t colours[4][N];
    uint32_t channels, wanted;
    uint8_t *to[4];
} answer;

static void make_answer(answer *out)
{
    *out = (answer){.channels = next() % 2 ? next() & ALL : ALL, .wanted = 1 + next() % 15};
    for (uint32_t c = 0; c < 4; c++) {
        out->to[c] = out->wanted >> c & 1 ? (uint8_t *)out->colours[c] : NULL;
        for (uint32_t n = 0; n < N; n++)
            out->colours[c][n] = UNTOUCHED;
    }
}

static void check_answer(const answer *a, uint32_t n, const uint32_t rgba[4])
{
    for (uint32_t c = 0; c < 4; c++)
        assert_int_equal(a->colours[c][n],
                         a->wanted >> c & a->channels >> n & 1 ? rgba[c] : UNTOUCHED);
}

static vsg_exe_texel_channels channels_of(const void *u, const void *v, const void *r,
                                          uint32_t on, uint8_t *const slots[4])
{
    return (vsg_exe_texel_channels){.count = N,
                                    .on = on,
                                    .at = {u, v, r},
                                    .slots = {slots[0], slots[1], slots[2], slots[3]}};
}

/* ---- one by one -------------------------------------------------------------------------- */

static void check_samples(const vsg_exe_texel_lanes *lanes, const vsg_exe_surface *image)
{
    const vsg_exe_texel_level *level = &image->texels;
    float at[3][N];
    vsg_exe_sampler sampler;
    answer got;

    make_sampler(&sampler);
    vsg_exe_probe probe = {.image = image, .format = level->format, .sampler = &sampler};
    if (!vsg_exe_texel_can_sample(&sampler, level->axes))
        return;
    make_coordinates(&sampler, level->size[0], at);
    make_answer(&got);
    vsg_exe_texel_channels all = channels_of(at[0], at[1], at[2], got.channels, got.to);
    lanes->sample(level, &sampler, vsg_exe_filters(&sampler, level->format), &all);
    for (uint32_t n = 0; n < N; n++) {
        uint32_t rgba[4];
        for (uint32_t a = 0; a < 3; a++)
            probe.at[a] = at[a][n];
        vsg_exe_sample(&probe, 0, rgba);
        check_answer(&got, n, rgba);
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

static void check_fetches(const vsg_exe_texel_lanes *lanes, const vsg_exe_surface *image)
{
    vsg_exe_probe probe = {.image = image, .format = image->texels.format};
    int32_t number[3][N];
    answer got;

    make_numbers(number);
    make_answer(&got);
    vsg_exe_texel_channels all =
        channels_of(number[0], number[1], number[2], got.channels, got.to);
    lanes->fetch(&image->texels, image->texels.border, &all);
    for (uint32_t n = 0; n < N; n++) {
        const int64_t at[3] = {number[0][n], number[1][n], number[2][n]};
        uint32_t rgba[4];
        vsg_exe_fetch(&probe, at, 0, 0, rgba);
        check_answer(&got, n, rgba);
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

static void check_stores(const vsg_exe_texel_lanes *lanes, const vsg_exe_surface *image)
{
    const vsg_exe_texel_level *level = &image->texels;
    static uint8_t before[MEMORY], want[MEMORY];
    uint32_t channels = next() % 2 ? next() & ALL : ALL;
    uint32_t colours[4][N];
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
    uint8_t *const slots[4] = {(uint8_t *)colours[0], (uint8_t *)colours[1],
                               (uint8_t *)colours[2], (uint8_t *)colours[3]};
    vsg_exe_texel_channels all = channels_of(number[0], number[1], number[2], channels, slots);
    lanes->store(level, &all);
    assert_memory_equal(memory, want, sizeof memory);
}

static void check(const vsg_exe_texel_lanes *(*lanes_of)(uint32_t format))
{
    vsg_exe_surface image;

    for (uint32_t format = 0; format < VSG_EXE_FORMAT_COUNT; format++)
        for (uint32_t i = 0; i < ROUNDS; i++) {
            make_image(format, &image);
            vsg_exe_texels_open(&image);
            bool can = vsg_exe_format_of(format)->kind != VSG_EXE_FORMAT_KIND_SRGB;
            assert_int_equal(can, image.texels.lanes != NULL);
            if (!can)
                continue;
            for (uint32_t k = 0; k < 4; k++)
                check_samples(lanes_of(format), &image);
            check_fetches(lanes_of(format), &image);
            check_stores(lanes_of(format), &image);
        }
}

/* All texels of 8 and 16 bits are the fractions that they are one by one. */
static void check_fractions(const vsg_exe_texel_lanes *(*lanes_of)(uint32_t format),
                            uint32_t format)
{
    static uint16_t rows[1 << 16];
    uint32_t bytes = vsg_exe_format_of(format)->texel_bytes, count = 1u << 8 * bytes;
    vsg_exe_surface image = {.kind = VSG_EXE_SURFACE_IMAGE,
                             .address = (uintptr_t)rows,
                             .width = count,
                             .shape = VSG_EXE_IMAGE_1D,
                             .texel_bytes = bytes,
                             .size_bytes = count * bytes,
                             .format = format};

    for (uint32_t i = 0; i < count; i++)
        memcpy((uint8_t *)rows + i * bytes, &i, bytes);
    vsg_exe_texels_open(&image);
    for (uint32_t first = 0; first < count; first += N) {
        uint32_t at[N], red[N], rgba[4];
        uint8_t *const slots[4] = {(uint8_t *)red};
        for (uint32_t n = 0; n < N; n++)
            at[n] = first + n;
        vsg_exe_texel_channels all = channels_of(at, at, at, ALL, slots);
        lanes_of(format)->fetch(&image.texels, image.texels.border, &all);
        for (uint32_t n = 0; n < N; n++) {
            vsg_exe_texel_read(image.texels.format, (const uint8_t *)rows + at[n] * bytes,
                               rgba);
            assert_int_equal(red[n], rgba[0]);
        }
    }
}

/* ---- tests ------------------------------------------------------------------------------- */

static void fractions(void **unused)
{
    static const uint32_t formats[] = {VSG_EXE_FORMAT_R8_UNORM, VSG_EXE_FORMAT_R8_SNORM,
                                       VSG_EXE_FORMAT_R16_UNORM, VSG_EXE_FORMAT_R16_SNORM};

    (void)unused;
    for (uint32_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        check_fractions(vsg_exe_texel_lanes_base, formats[i]);
        check_fractions(vsg_exe_texel_lanes_best, formats[i]);
    }
}

static void any_host(void **unused)
{
    (void)unused;
    check(vsg_exe_texel_lanes_base);
}

static void host_of_v3(void **unused)
{
    (void)unused;
    if (!vsg_exe_texel_lanes_v3(0) || !__builtin_cpu_supports("avx2"))
        skip();
    check(vsg_exe_texel_lanes_v3);
}

/* The best is that of v4, if there is one. */
static void this_host(void **unused)
{
    (void)unused;
    check(vsg_exe_texel_lanes_best);
}

static bool can_open(vsg_exe_surface *image)
{
    vsg_exe_texels_open(image);
    return image->texels.lanes != NULL;
}

/* What is not all there, or has more than one level has to say, is told one by one. */
static void others(void **unused)
{
    vsg_exe_surface image;

    (void)unused;
    make_image(0, &image);
    image.width = 7;
    image.height = 5;
    image.shape = VSG_EXE_IMAGE_2D;
    image.pitch_bytes = 7 * image.texel_bytes;
    image.size_bytes = 5 * 7 * image.texel_bytes;
    assert_true(can_open(&image));
    image.size_bytes--;
    assert_false(can_open(&image));
    image.size_bytes++;
    image.samples = 4;
    assert_false(can_open(&image));
    image.samples = 1;
    image.shape = VSG_EXE_IMAGE_CUBE;
    assert_false(can_open(&image));
    image.shape = VSG_EXE_IMAGE_2D;
    image.size_bytes = UINT64_MAX; /* places of 32 bits */
    image.pitch_bytes = (1u << 30) - 2 * image.texel_bytes;
    assert_true(can_open(&image));
    image.pitch_bytes = 1u << 30;
    assert_false(can_open(&image));
    image.width = (1u << 24) + 1;
    image.shape = VSG_EXE_IMAGE_1D;
    image.size_bytes = UINT64_MAX;
    assert_false(can_open(&image));
    image.width = 0;
    assert_false(can_open(&image));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_host),  cmocka_unit_test(host_of_v3), cmocka_unit_test(this_host),
        cmocka_unit_test(fractions), cmocka_unit_test(others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
