/* SPDX-License-Identifier: MIT
 *
 * Every message to the sampler, for all execution sizes: which texel of which level of detail
 * each channel gets, by the tables of parameters of 3D_SAMPLE, 3D_SAMPLE4 and 3D_LOAD. Sizes of
 * the image are powers of two and coordinates lie between the texels' borders, so that the
 * model needs whole numbers only; what it takes where the pages are silent is in
 * docs/spec-notes.md, The sampler. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "exec/format.h"
#include "isa/message.h"
#include "memory_machine.h"

/* Of level 0; the image has three. */
enum { WIDTH = 16, HEIGHT = 8, LEVELS = 3, TEXEL = 16, IMAGE = 512 };
enum { CHANNELS = 32, PARAMETER_BYTES = 4 * CHANNELS };

/* Parameters, in the letters of `order`. */
enum {
    U = 'u',
    V = 'v',
    R = 'r',
    BIAS = 'b',
    LOD = 'l',
    REF = 'c',
    DUDX = 'x',
    DUDY = 'X',
    DVDX = 'y',
    DVDY = 'Y',
    NONE = '-', /* 0 in a 2D image, or without a meaning */
    OFFU = 'o',
    OFFV = 'O',
    SAMPLE_INDEX = 's'
};

enum action { SAMPLE, GATHER, LOAD, LEVEL, NOTHING };
enum level { ZERO, GIVEN, GRADIENT, QUAD };

static const struct message {
    visage_op op;
    enum action action;
    enum level level;
    const char *order;
} messages[] = {
    {VISAGE_OP_SAMPLE_3D, SAMPLE, QUAD, "uv"},
    {VISAGE_OP_SAMPLE_B, SAMPLE, QUAD, "buv"},
    {VISAGE_OP_SAMPLE_L, SAMPLE, GIVEN, "luvr"},
    {VISAGE_OP_SAMPLE_C, SAMPLE, QUAD, "cuv"},
    {VISAGE_OP_SAMPLE_D, SAMPLE, GRADIENT, "uxXvyYr--"},
    {VISAGE_OP_SAMPLE_B_C, SAMPLE, QUAD, "cbuvr-"},
    {VISAGE_OP_SAMPLE_L_C, SAMPLE, GIVEN, "cluv"},
    {VISAGE_OP_SAMPLE_D_C, SAMPLE, GRADIENT, "cuxXvyY"},
    {VISAGE_OP_SAMPLE_LZ, SAMPLE, ZERO, "uvr-"},
    {VISAGE_OP_SAMPLE_C_LZ, SAMPLE, ZERO, "cuv"},
    {VISAGE_OP_LOD, LEVEL, QUAD, "uv"},
    {VISAGE_OP_SAMPLE4, GATHER, ZERO, "uv"},
    {VISAGE_OP_SAMPLE4_C, GATHER, ZERO, "cuv"},
    {VISAGE_OP_SAMPLE4_PO, GATHER, ZERO, "uvoO"},
    {VISAGE_OP_SAMPLE4_PO_C, GATHER, ZERO, "cuvoOr"},
    {VISAGE_OP_SAMPLE4_B, GATHER, QUAD, "buv"},
    {VISAGE_OP_SAMPLE4_L, GATHER, GIVEN, "luv"},
    {VISAGE_OP_SAMPLE4_I, GATHER, QUAD, "uv"},
    {VISAGE_OP_SAMPLE4_I_C, GATHER, QUAD, "cuv"},
    {VISAGE_OP_LOAD_3D, LOAD, GIVEN, "uvlr"},
    {VISAGE_OP_LOAD_LZ, LOAD, ZERO, "uvr"},
    {VISAGE_OP_LOAD_MCS, NOTHING, ZERO, "uvrl"},
    {VISAGE_OP_LOAD_2DMS_W, LOAD, GIVEN, "s--uvrl"},
};
enum { NUM_MESSAGES = sizeof messages / sizeof messages[0] };

/* What one channel asks for. Coordinates of loads are whole; others count 128ths, and a level's
 * number and its parts are powers of two of texels. */
typedef struct request {
    int32_t u, v;
    int32_t level, bias; /* level: of detail before the bias, of loads the number */
    int32_t dx, dy;      /* gradients are 2^dx texels of level 0 along u, 2^dy along v */
    int32_t half_steps;  /* reference: texel + half_steps / 2 */
    int32_t offset[2];
} request;

typedef struct bench {
    machine *m;
    uint64_t random;
    const struct message *message;
    uint32_t exec_size, channels;
    int32_t aoffimmi[2];
    request requests[CHANNELS];
} bench;

static uint32_t draw(bench *b, uint32_t end)
{
    b->random = b->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(b->random >> 33) % end;
}

static uint32_t float_bits(double value)
{
    float single = (float)value;
    uint32_t bits;

    memcpy(&bits, &single, sizeof bits);
    return bits;
}

/* So many texels as a part of the image. */
static double part(double texels, uint32_t size)
{
    return texels / size;
}

/* ---- the image --------------------------------------------------------------------------- */

static int32_t floor_mod(int32_t value, int32_t size)
{
    return (value % size + size) % size;
}

/* Exact in F, and different everywhere. */
static double texel(uint32_t level, int32_t x, int32_t y, uint32_t component)
{
    int32_t width = WIDTH >> level, height = HEIGHT >> level;

    return 1 + (int32_t)component +
           4 * (floor_mod(x, width) + WIDTH * (floor_mod(y, height) + HEIGHT * (int32_t)level));
}

static void put_image(machine *m)
{
    uint8_t *at = m->memory + IMAGE;

    for (uint32_t level = 0; level < LEVELS; level++)
        for (int32_t y = 0; y < HEIGHT >> level; y++)
            for (int32_t x = 0; x < WIDTH >> level; x++)
                for (uint32_t c = 0; c < 4; c++, at += 4)
                    poke(at, 4, float_bits(texel(level, x, y, c)));
    m->launch.surfaces[3] =
        (vsg_exe_surface){.kind = VSG_EXE_SURFACE_IMAGE,
                          .address = machine_at(m, IMAGE),
                          .size_bytes = (uint64_t)(at - (m->memory + IMAGE)),
                          .width = WIDTH,
                          .height = HEIGHT,
                          .depth = 1,
                          .levels = LEVELS,
                          .shape = VSG_EXE_IMAGE_2D,
                          .pitch_bytes = WIDTH * TEXEL,
                          .slice_bytes = WIDTH * HEIGHT * TEXEL,
                          .texel_bytes = TEXEL,
                          .format = vsg_exe_format_find("R32G32B32A32_FLOAT", 18)};
}

static void begin(bench *b, visage_platform platform)
{
    *b = (bench){.m = machine_new(platform), .random = (uint64_t)platform};
    put_image(b->m);
    b->m->launch.samplers[MACHINE_SAMPLER] =
        (vsg_exe_sampler){.is_set = true,
                          .normalized = true,
                          .has_levels = true,
                          .filter = VSG_EXE_FILTER_NEAREST,
                          .mip_filter = VSG_EXE_FILTER_NEAREST,
                          .addressing = {VSG_EXE_ADDRESSING_REPEAT, VSG_EXE_ADDRESSING_REPEAT,
                                         VSG_EXE_ADDRESSING_REPEAT},
                          .comparison = VSG_EXE_COMPARISON_LESS,
                          .greatest_lod = 14};
}

/* ---- the model --------------------------------------------------------------------------- */

static bool has(const bench *b, char parameter)
{
    return strchr(b->message->order, parameter) != NULL;
}

/* Level of detail before it is bounded. */
static int32_t detail(const bench *b, uint32_t n)
{
    const request *r = &b->requests[n], *first = &b->requests[n & ~3u];

    switch (b->message->level) {
    case ZERO:
        return 0;
    case GIVEN:
        return r->level;
    case GRADIENT:
        return r->dx > r->dy ? r->dx : r->dy;
    default:
        return (first->dx > first->dy ? first->dx : first->dy) + (has(b, BIAS) ? r->bias : 0);
    }
}

static uint32_t level_of(const bench *b, uint32_t n)
{
    int32_t level = detail(b, n);

    return level < 0 ? 0 : level >= LEVELS ? LEVELS - 1 : (uint32_t)level;
}

/* The texel under a coordinate in 128ths of the image, which is never at a border. `shift`: 64
 * for the one to the left of the filter. */
static int32_t under(int32_t at, int32_t size, bool is_left)
{
    int32_t scaled = at * size - (is_left ? 64 : 0);

    return (scaled - floor_mod(scaled, 128)) / 128;
}

static double reference(const bench *b, uint32_t n)
{
    const request *r = &b->requests[n];
    uint32_t level = level_of(b, n);

    return texel(level, under(r->u, WIDTH >> level, false) + b->aoffimmi[0],
                 under(r->v, HEIGHT >> level, false) + b->aoffimmi[1], 0) +
           0.5 * r->half_steps;
}

static void load(const bench *b, uint32_t n, uint32_t rgba[4])
{
    const request *r = &b->requests[n];
    int32_t x = r->u + b->aoffimmi[0], y = r->v + b->aoffimmi[1];
    int32_t level = b->message->level == GIVEN ? r->level : 0;

    memset(rgba, 0, 4 * sizeof *rgba);
    if (level < LEVELS && x >= 0 && y >= 0 && x < WIDTH >> level && y < HEIGHT >> level)
        for (uint32_t c = 0; c < 4; c++)
            rgba[c] = float_bits(texel((uint32_t)level, x, y, c));
}

/* 3D_SAMPLE4, Dst: R lower left, G lower right, B upper right, A upper left. */
static void gather(const bench *b, uint32_t n, uint32_t rgba[4])
{
    static const int32_t right[4] = {0, 1, 1, 0}, below[4] = {1, 1, 0, 0};
    const request *r = &b->requests[n];
    uint32_t level = level_of(b, n);
    int32_t x = under(r->u, WIDTH >> level, true) + b->aoffimmi[0];
    int32_t y = under(r->v, HEIGHT >> level, true) + b->aoffimmi[1];

    if (has(b, OFFU)) {
        x += r->offset[0];
        y += r->offset[1];
    }
    for (uint32_t k = 0; k < 4; k++) {
        double value =
            texel(level, x + right[k], y + below[k], has(b, REF) ? 0 : b->channels & 3);
        if (has(b, REF))
            value = reference(b, n) < value;
        rgba[k] = float_bits(value);
    }
}

static void answer(const bench *b, uint32_t n, uint32_t rgba[4])
{
    const request *r = &b->requests[n];
    uint32_t level = level_of(b, n);

    memset(rgba, 0, 4 * sizeof *rgba);
    if (b->message->action == LOAD) {
        load(b, n, rgba);
    } else if (b->message->action == GATHER) {
        gather(b, n, rgba);
    } else if (b->message->action == LEVEL) {
        rgba[0] = float_bits(level);
        rgba[1] = float_bits(detail(b, n));
    } else if (b->message->action == SAMPLE) {
        for (uint32_t c = 0; c < 4; c++)
            rgba[c] =
                float_bits(texel(level, under(r->u, WIDTH >> level, false) + b->aoffimmi[0],
                                 under(r->v, HEIGHT >> level, false) + b->aoffimmi[1], c));
        if (has(b, REF)) {
            double passes = r->half_steps < 0;
            rgba[0] = float_bits(passes);
            rgba[1] = rgba[2] = 0;
            rgba[3] = float_bits(1);
        }
    }
}

/* ---- drawing ----------------------------------------------------------------------------- */

static void draw_request(bench *b, uint32_t n)
{
    request *r = &b->requests[n];
    const request *first = &b->requests[n & ~3u];

    *r = (request){.level = (int32_t)draw(b, LEVELS + 1),
                   .bias = (int32_t)draw(b, 3) - 1,
                   .dx = (int32_t)draw(b, LEVELS + 1),
                   .dy = (int32_t)draw(b, LEVELS + 1),
                   .half_steps = (int32_t)draw(b, 3) - 1,
                   .offset = {(int32_t)draw(b, 9) - 4, (int32_t)draw(b, 9) - 4}};
    if (b->message->action == LOAD) {
        r->u = (int32_t)draw(b, WIDTH + 4) - 2;
        r->v = (int32_t)draw(b, HEIGHT + 4) - 2;
        return;
    }
    r->u = (int32_t)draw(b, 128) * 2 + 1;
    r->v = (int32_t)draw(b, 128) * 2 + 1;
    if (n % 4 == 1) /* right of the first of its quad */
        r->u = first->u + (128 / WIDTH << first->dx), r->v = first->v;
    if (n % 4 == 2) /* below it */
        r->u = first->u, r->v = first->v + (128 / HEIGHT << first->dy);
}

static uint32_t parameter(const bench *b, char which, uint32_t n)
{
    const request *r = &b->requests[n];
    bool is_whole = b->message->action == LOAD || b->message->action == NOTHING;

    switch (which) {
    case U:
        return is_whole ? (uint32_t)r->u : float_bits(r->u / 128.0);
    case V:
        return is_whole ? (uint32_t)r->v : float_bits(r->v / 128.0);
    case BIAS:
        return float_bits(r->bias);
    case LOD:
        return is_whole ? (uint32_t)r->level : float_bits(r->level);
    case REF:
        return float_bits(reference(b, n));
    case DUDX:
        return float_bits(part(1 << r->dx, WIDTH));
    case DVDY:
        return float_bits(part(1 << r->dy, HEIGHT));
    case OFFU:
        return (uint32_t)r->offset[0];
    case OFFV:
        return (uint32_t)r->offset[1];
    case SAMPLE_INDEX:
        return (uint32_t)r->bias & 1; /* there is one sample: the index is kept within */
    default:
        return 0;
    }
}

static void put_message(bench *b)
{
    machine *m = b->m;
    bool is_load = b->message->action == LOAD || b->message->action == NOTHING;

    machine_op(m, b->message->op, b->exec_size);
    set_number(m, "channels", b->channels);
    set_surface(m, SURFACE_T6);
    if (!is_load)
        set_sampler(m, SAMPLER_S0);
    set_immediate(m, "aoffimmi", VISAGE_TYPE_UW,
                  ((uint32_t)b->aoffimmi[0] & 15) << 8 | ((uint32_t)b->aoffimmi[1] & 15) << 4);
    set_raw(m, "dst", VAR_C, 64);
    set_number(m, "num_parameters", strlen(b->message->order));
    for (uint32_t i = 0; b->message->order[i]; i++) {
        add_raw(m, VAR_A, i * PARAMETER_BYTES);
        for (uint32_t n = 0; n < b->exec_size; n++)
            put32(m, VAR_A, i * CHANNELS + n, parameter(b, b->message->order[i], n));
    }
}

/* Each component begins at a register; registers have 32 bytes on the devices that have these
 * messages. */
static void check_results(const bench *b, uint32_t mask)
{
    bool is_gather = b->message->action == GATHER;
    uint32_t at = 16;

    for (uint32_t c = 0; c < 4; c++) {
        if (!is_gather && !(b->channels >> c & 1))
            continue;
        for (uint32_t n = 0; n < b->exec_size; n++) {
            uint32_t rgba[4];
            answer(b, n, rgba);
            if (mask >> n & 1)
                assert_int_equal(get32(b->m, VAR_C, at + n), rgba[c]);
            else
                assert_untouched(b->m, VAR_C, 4 * (at + n), 4 * (at + n) + 4);
        }
        at += b->exec_size;
    }
    assert_untouched(b->m, VAR_C, 0, 64);
    assert_untouched(b->m, VAR_C, 4 * at, MACHINE_REGISTERS);
}

static void shoot(bench *b)
{
    bool is_level = b->message->action == LEVEL;

    b->channels = is_level ? 1 + draw(b, 3) : 1 + draw(b, 15);
    if (b->message->action == GATHER)
        b->channels = draw(b, 4);
    b->aoffimmi[0] = (int32_t)draw(b, 16) - 8;
    b->aoffimmi[1] = (int32_t)draw(b, 16) - 8;
    for (uint32_t n = 0; n < b->exec_size; n++)
        draw_request(b, n);
    for (uint32_t i = 0; i < MACHINE_REGISTERS; i++)
        put8(b->m, VAR_C, i, register_fill(VAR_C, i));
    b->m->execution_mask = draw(b, 4) ? draw(b, UINT32_MAX) | 1 : UINT32_MAX;
    put_message(b);
    assert_int_equal(machine_run(b->m), VSG_EXE_STOP_END);
    check_results(b, b->m->execution_mask);
}

static void every_message(void **state)
{
    static const visage_platform platforms[] = {VISAGE_PLATFORM_SKL, VISAGE_PLATFORM_DG2};

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        static bench b;
        begin(&b, platforms[i]);
        for (uint32_t k = 0; k < NUM_MESSAGES; k++)
            for (b.exec_size = 8; b.exec_size <= 32; b.exec_size *= 2)
                for (uint32_t times = 0; times < 12; times++) {
                    b.message = &messages[k];
                    shoot(&b);
                }
        machine_free(b.m);
    }
}

/* ---- facts of an image ------------------------------------------------------------------- */

/* INFO: sizes of a level, 0 of one that is not there; the number of levels, of samples. */
static void info(void **state)
{
    (void)state;
    for (uint32_t exec_size = 8; exec_size <= 32; exec_size *= 2) {
        static bench b;
        begin(&b, VISAGE_PLATFORM_TGLLP);
        machine_op(b.m, VISAGE_OP_RESINFO, exec_size);
        set_number(b.m, "channels", 15);
        set_surface(b.m, SURFACE_T6);
        set_raw(b.m, "lod", VAR_A, 0);
        set_raw(b.m, "dst", VAR_B, 0);
        for (uint32_t n = 0; n < exec_size; n++)
            put32(b.m, VAR_A, n, n % (LEVELS + 1));
        assert_int_equal(machine_run(b.m), VSG_EXE_STOP_END);
        for (uint32_t n = 0; n < exec_size; n++) {
            uint32_t level = n % (LEVELS + 1);
            assert_int_equal(get32(b.m, VAR_B, n), level < LEVELS ? WIDTH >> level : 0);
            assert_int_equal(get32(b.m, VAR_B, exec_size + n),
                             level < LEVELS ? HEIGHT >> level : 0);
            assert_int_equal(get32(b.m, VAR_B, 2 * exec_size + n), 0);
            assert_int_equal(get32(b.m, VAR_B, 3 * exec_size + n), LEVELS);
        }
        b.m->launch.surfaces[3].samples = 4;
        machine_op(b.m, VISAGE_OP_SAMPLEINFO, exec_size);
        set_number(b.m, "channels", 1);
        set_surface(b.m, SURFACE_T6);
        set_raw(b.m, "dst", VAR_D, 0);
        assert_int_equal(machine_run(b.m), VSG_EXE_STOP_END);
        for (uint32_t n = 0; n < exec_size; n++)
            assert_int_equal(get32(b.m, VAR_D, n), 4);
        set_raw(b.m, "dst", VAR_C, 0);
        b.m->execution_mask = 0xfffffffb;
        assert_int_equal(machine_run(b.m), VSG_EXE_STOP_END);
        for (uint32_t n = 0; n < exec_size; n++)
            if (n != 2)
                assert_int_equal(get32(b.m, VAR_C, n), 4);
        assert_untouched(b.m, VAR_C, 8, 12);
        assert_untouched(b.m, VAR_C, exec_size * 4, MACHINE_REGISTERS);
        machine_free(b.m);
    }
}

/* The samples of a texel are layers, the first one alone here; LOAD_2DMS_W takes one of them.
 */
static void samples(void **state)
{
    static bench b;
    machine *m;

    (void)state;
    begin(&b, VISAGE_PLATFORM_SKL);
    m = b.m;
    m->launch.surfaces[3].levels = 1;
    m->launch.surfaces[3].samples = 4;
    m->launch.surfaces[3].height = 2;
    m->launch.surfaces[3].slice_bytes = 2 * WIDTH * TEXEL;
    machine_op(m, VISAGE_OP_LOAD_2DMS_W, 16);
    set_number(m, "channels", 2);
    set_surface(m, SURFACE_T6);
    set_immediate(m, "aoffimmi", VISAGE_TYPE_UW, 0);
    set_raw(m, "dst", VAR_C, 0);
    set_number(m, "num_parameters", 5);
    for (uint32_t i = 0; i < 5; i++)
        add_raw(m, VAR_A, i * PARAMETER_BYTES);
    for (uint32_t n = 0; n < 16; n++) {
        put32(m, VAR_A, n, n % 6);
        put32(m, VAR_A, 3 * CHANNELS + n, n);
        put32(m, VAR_A, 4 * CHANNELS + n, n / 2 % 2);
    }
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 16; n++) {
        uint32_t sample = n % 6 < 4 ? n % 6 : 3;
        assert_int_equal(
            get32(m, VAR_C, n),
            peek(m->memory + IMAGE + ((sample * 2 + n / 2 % 2) * WIDTH + n) * TEXEL + 4, 4));
    }
    machine_free(m);
}

/* ---- messages without an execution size -------------------------------------------------- */

/* LOAD: bits 4 and 5 of its first byte say how many channels; no mask. */
static void old_loads(void **state)
{
    (void)state;
    for (uint32_t size = 0; size < 3; size++) {
        static bench b;
        begin(&b, VISAGE_PLATFORM_SKL);
        machine_op(b.m, VISAGE_OP_LOAD, 0);
        set_number(b.m, "mode", size << 4 | 9);
        set_surface(b.m, SURFACE_T6);
        set_raw(b.m, "u", VAR_A, 0);
        set_raw(b.m, "v", VAR_A, 128);
        set_raw(b.m, "dst", VAR_B, 0);
        b.m->execution_mask = 2;
        for (uint32_t n = 0; n < 32; n++) {
            put32(b.m, VAR_A, n, n * 5 % (WIDTH + 1));
            put32(b.m, VAR_A, CHANNELS + n, n % HEIGHT);
        }
        assert_int_equal(machine_run(b.m), VSG_EXE_STOP_END);
        for (uint32_t n = 0; n < 8u << size; n++) {
            int32_t x = (int32_t)n * 5 % (WIDTH + 1), y = (int32_t)n % HEIGHT;
            for (uint32_t c = 0; c < 2; c++)
                assert_int_equal(get32(b.m, VAR_B, c * (8u << size) + n),
                                 x < WIDTH ? float_bits(texel(0, x, y, 3 * c)) : 0);
        }
        assert_untouched(b.m, VAR_B, 64u << size, MACHINE_REGISTERS);
        machine_free(b.m);
    }
}

/* SAMPLE_UNORM: 4 rows of 8 pixels in 16 bits (docs/spec-notes.md); v/255 is 257 v/65535. */
static void blocks(void **state)
{
    static bench b;
    machine *m;

    (void)state;
    begin(&b, VISAGE_PLATFORM_SKL);
    m = b.m;
    m->launch.surfaces[3].format = vsg_exe_format_find("R8G8B8A8_UNORM", 14);
    m->launch.surfaces[3].texel_bytes = 4;
    m->launch.surfaces[3].levels = 1;
    m->launch.surfaces[3].pitch_bytes = 4 * WIDTH;
    m->launch.surfaces[3].slice_bytes = 4 * WIDTH * HEIGHT;
    m->launch.surfaces[3].size_bytes = 4 * WIDTH * HEIGHT;
    machine_op(m, VISAGE_OP_SAMPLE_UNORM, 0);
    set_number(m, "channels", 5);
    set_surface(m, SURFACE_T6);
    set_sampler(m, SAMPLER_S0);
    set_immediate(m, "u", VISAGE_TYPE_F, float_bits(part(3.5, WIDTH)));
    set_immediate(m, "v", VISAGE_TYPE_F, float_bits(part(2.5, HEIGHT)));
    set_immediate(m, "delta_u", VISAGE_TYPE_F, float_bits(part(1, WIDTH)));
    set_immediate(m, "delta_v", VISAGE_TYPE_F, float_bits(part(2, HEIGHT)));
    set_raw(m, "dst", VAR_B, 0);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 32; n++) {
        uint32_t x = 3 + n % 8, y = (2 + 2 * (n / 8)) % HEIGHT;
        for (uint32_t c = 0; c < 2; c++)
            assert_int_equal(get16(m, VAR_B, 32 * c + n),
                             257 * m->memory[IMAGE + (y * WIDTH + x) * 4 + 2 * c]);
    }
    assert_untouched(m, VAR_B, 128, MACHINE_REGISTERS);
    machine_free(m);
}

/* The meaning of AVS and of the four VME operations is not published: each stops the thread
 * with that fault, whatever its operands, and changes nothing. */
/* Everything that the rules ask for. */
static void give_all(machine *m)
{
    size_t count;
    const vsg_isa_operand_types *rows =
        vsg_isa_operand_types_of(vsg_isa_op(m->inst.op)->form, &count);

    for (uint32_t i = 0; i < m->inst.num_operands; i++)
        if (m->operands[i].class_ == VSG_OBJ_CLASS_RAW)
            m->operands[i].id = VAR_A;
    for (size_t i = 0; i < count; i++) {
        int number = vsg_isa_operand(m->inst.op, rows[i].name);
        for (uint32_t type = 0; number >= 0 && type < VISAGE_TYPE_COUNT; type++)
            if (rows[i].types >> type & 1u)
                m->operands[number].type = (uint8_t)type;
    }
    if (vsg_isa_operand(m->inst.op, "channels") >= 0)
        set_number(m, "channels", 15);
}

static void unpublished(void **state)
{
    static const visage_op ops[] = {VISAGE_OP_AVS, VISAGE_OP_VME_IME, VISAGE_OP_VME_SIC,
                                    VISAGE_OP_VME_FBR, VISAGE_OP_VME_IDM};

    (void)state;
    for (uint32_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        machine *m = machine_new(VISAGE_PLATFORM_SKL);
        machine_op(m, ops[i], 0);
        give_all(m);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
        assert_fault(m, VSG_DIAG_FAULT_UNPUBLISHED, -1, 0, 0);
        for (uint32_t v = VAR_A; v < VAR_END; v++)
            assert_untouched(m, v, 0, MACHINE_REGISTERS);
        machine_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message), cmocka_unit_test(info),
        cmocka_unit_test(samples),       cmocka_unit_test(old_loads),
        cmocka_unit_test(blocks),        cmocka_unit_test(unpublished),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
