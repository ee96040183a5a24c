/* SPDX-License-Identifier: MIT
 *
 * Host references of kernels with images: the formulas of the OpenCL C specification (Image
 * Addressing and Filtering), coordinates in float as there, colours in double. */
#include <math.h>
#include <string.h>

#include "compare.h"

/* ---- texels ----------------------------------------------------------------------------- */

static const char *kind_of(const arg *image)
{
    return strchr(image->image.format, '_') + 1;
}

static bool is_integer(const arg *image)
{
    return strstr(kind_of(image), "INT") != NULL;
}

static uint32_t level_size(const arg *image, uint32_t level, unsigned axis)
{
    uint32_t size = image->image.size[axis];

    if (axis < image->image.axes)
        size >>= level;
    return size ? size : 1;
}

/* Byte of a texel's sample, from the start of the image. */
static size_t texel_offset(const arg *image, uint32_t level, const int64_t at[3],
                           uint32_t sample)
{
    size_t texels = 0;

    for (uint32_t l = 0; l < level; l++)
        texels += (size_t)level_size(image, l, 0) * level_size(image, l, 1) *
                  level_size(image, l, 2) * image->image.samples;
    size_t layer = (size_t)at[2] * image->image.samples + sample;
    texels +=
        (layer * level_size(image, level, 1) + (size_t)at[1]) * level_size(image, level, 0) +
        (size_t)at[0];
    return texels * image->image.channels * image->bytes;
}

static double decode(const arg *image, const unsigned char *from)
{
    uint32_t raw = 0;
    float single;
    unsigned bits = (unsigned)image->bytes * 8;
    const char *kind = kind_of(image);

    memcpy(&raw, from, image->bytes);
    int64_t number = (int64_t)(int32_t)(raw << (32 - bits)) >> (32 - bits);
    if (strcmp(kind, "FLOAT") == 0) {
        memcpy(&single, &raw, 4);
        return bits == 16 ? half_value((uint16_t)raw) : (double)single;
    }
    if (strcmp(kind, "UNORM") == 0)
        return raw / (ldexp(1, (int)bits) - 1);
    if (strcmp(kind, "SNORM") == 0)
        return fmax(-1, (double)number / (ldexp(1, (int)bits - 1) - 1));
    if (strcmp(kind, "UNORM_SRGB") == 0)
        return raw / 255.0;
    return kind[0] == 'S' ? (double)number : raw;
}

static double from_curve(double x)
{
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

void image_texel(const arg *image, uint32_t level, const int64_t at[3], uint32_t sample,
                 double rgba[4])
{
    /* where each letter goes; I to all, L to the colours, D to R */
    static const char places[] = "RGBA";
    const char *letter = image->image.format;
    bool inside = true, has_alpha = false;

    memset(rgba, 0, 4 * sizeof *rgba);
    for (unsigned i = 0; i < 3; i++)
        inside &= at[i] >= 0 && at[i] < level_size(image, level, i);
    const unsigned char *from =
        image->before + (inside ? texel_offset(image, level, at, sample) : 0);
    for (; *letter != '_'; letter++) {
        if (*letter >= '0' && *letter <= '9')
            continue;
        double value = inside ? decode(image, from) : 0;
        from += image->bytes;
        if (strcmp(kind_of(image), "UNORM_SRGB") == 0 && *letter != 'A')
            value = from_curve(value);
        for (unsigned c = 0; c < 4; c++)
            if (*letter == places[c] || *letter == 'I' || (*letter == 'L' && c < 3) ||
                (*letter == 'D' && c == 0))
                rgba[c] = value;
        has_alpha |= *letter == 'A' || *letter == 'I';
    }
    if (!has_alpha)
        rgba[3] = 1;
}

/* ---- filters ---------------------------------------------------------------------------- */

typedef struct axis {
    int64_t texel[2];
    double weight[2];
    double error; /* of the coordinate, in texels */
    unsigned count;
} axis;

static int64_t wrap(char addressing, int64_t i, int64_t size)
{
    if (addressing == 'r')
        return (i % size + size) % size;
    if (addressing == 'm') { /* as -1 - i and 2 * size - 1 - i at the ends */
        i = (i % (2 * size) + 2 * size) % (2 * size);
        return i < size ? i : 2 * size - 1 - i;
    }
    if (addressing == 'e')
        return i < 0 ? 0 : i >= size ? size - 1 : i;
    return i;
}

static axis find_axis(const sampler_arg *sampler, float s, uint32_t size)
{
    axis a = {.count = sampler->linear ? 2 : 1};
    float u = s;

    if (sampler->normalized && sampler->addressing == 'r')
        u = (s - floorf(s)) * (float)size;
    else if (sampler->normalized && sampler->addressing == 'm')
        u = fabsf(s - 2 * rintf(0.5f * s)) * (float)size;
    else if (sampler->normalized)
        u = s * (float)size;
    double from = sampler->linear ? u - 0.5 : u;
    a.weight[1] = sampler->linear ? from - floor(from) : 0;
    a.weight[0] = 1 - a.weight[1];
    a.error = fmax(fabs(u), size) * 0x1p-22;
    for (unsigned k = 0; k < a.count; k++)
        a.texel[k] = wrap(sampler->addressing, (int64_t)floor(from) + k, size);
    return a;
}

/* The layer of an array: nearest, and one there is. */
static int64_t find_layer(float layer, uint32_t count)
{
    return (int64_t)fmin(fmax(rint(layer), 0), count - 1.0);
}

static bool is_layered(const arg *image)
{
    return strstr(image->image.shape, "array") != NULL;
}

/* Returns an error bound. */
static double sample_level(const arg *image, const sampler_arg *given, uint32_t level,
                           const float at[3], double rgba[4])
{
    axis axes[3] = {
        {.count = 1, .weight = {1}}, {.count = 1, .weight = {1}}, {.count = 1, .weight = {1}}};
    sampler_arg sampler = *given;
    double error = 0;

    sampler.linear &= !is_integer(image);
    memset(rgba, 0, 4 * sizeof *rgba);
    for (unsigned i = 0; i < image->image.axes; i++) {
        axes[i] = find_axis(&sampler, at[i], level_size(image, level, i));
        error += axes[i].error;
    }
    if (is_layered(image))
        axes[2].texel[0] = find_layer(at[image->image.axes], image->image.size[2]);
    for (unsigned k = 0; k < axes[0].count * axes[1].count * axes[2].count; k++) {
        unsigned x = k % axes[0].count, y = k / axes[0].count % axes[1].count;
        unsigned z = k / axes[0].count / axes[1].count;
        const int64_t texel[3] = {axes[0].texel[x], axes[1].texel[y], axes[2].texel[z]};
        double colour[4];
        image_texel(image, level, texel, 0, colour);
        for (unsigned c = 0; c < 4; c++)
            rgba[c] += axes[0].weight[x] * axes[1].weight[y] * axes[2].weight[z] * colour[c];
    }
    return sampler.linear ? error * (image->type == 'f' ? 8 : 2) : 0;
}

/* lod: of a sampler with levels. */
static double sample(const arg *image, const sampler_arg *sampler, const float at[3], float lod,
                     double rgba[4])
{
    double far[4], last = image->image.levels - 1.0;
    double level = fmin(fmax(lod, 0), last);

    if (sampler->mip != 'l')
        return sample_level(image, sampler,
                            sampler->mip ? (uint32_t)fmax(ceil(level + 0.5) - 1, 0) : 0, at,
                            rgba);
    double error = sample_level(image, sampler, (uint32_t)level, at, rgba);
    if (level < last)
        error += sample_level(image, sampler, (uint32_t)level + 1, at, far);
    for (unsigned c = 0; c < 4 && level < last; c++)
        rgba[c] += (level - floor(level)) * (far[c] - rgba[c]);
    return error + 8 * 0x1p-20; /* lod from a logarithm */
}

/* ---- results ---------------------------------------------------------------------------- */

static void put(arg *out, size_t index, double value, double error)
{
    float single = (float)value;

    out->reals = out->type == 'f';
    out->real[index] = value;
    out->real_ulp[index] = 2;
    out->real_absolute[index] = error;
    if (out->type == 'f')
        memcpy(out->host + index * 4, &single, 4);
    else
        memcpy(out->host + index * 4, &(int32_t){(int32_t)(int64_t)value}, 4);
}

static void put4(arg *out, size_t item, const double rgba[4], double error)
{
    for (unsigned c = 0; c < 4; c++)
        put(out, item * 4 + c, rgba[c], error);
}

static void read_coordinates(const arg *from, size_t item, float at[4])
{
    int32_t whole[4];

    memcpy(at, from->before + item * 16, 16);
    memcpy(whole, at, 16);
    for (unsigned i = 0; i < 4 && from->type != 'f'; i++)
        at[i] = (float)whole[i];
}

/* Kernels whose arguments are image, sampler, coordinates, results. */
static void sample_items(arg *args, const ndrange *range)
{
    for (size_t item = 0; item < range->global[0]; item++) {
        double rgba[4], error;
        float at[4];
        read_coordinates(&args[2], item, at);
        error = sample(&args[0], &args[1].sampler, at, 0, rgba);
        put4(&args[3], item, rgba, error);
    }
}

/* Image, coordinates, results. */
static void load_items(arg *args, const ndrange *range)
{
    for (size_t item = 0; item < range->global[0]; item++) {
        int64_t texel[3] = {0, 0, 0};
        double rgba[4];
        float at[4];
        read_coordinates(&args[1], item, at);
        for (unsigned i = 0; i < args[0].image.axes; i++)
            texel[i] = (int64_t)at[i];
        if (is_layered(&args[0]))
            texel[2] = (int64_t)at[args[0].image.axes];
        image_texel(&args[0], 0, texel, 0, rgba);
        put4(&args[2], item, rgba, 0);
    }
}

#define SAMPLES(name)                                                                          \
    void host_##name(arg *args, const ndrange *range)                                          \
    {                                                                                          \
        sample_items(args, range);                                                             \
    }
#define LOADS(name)                                                                            \
    void host_##name(arg *args, const ndrange *range)                                          \
    {                                                                                          \
        load_items(args, range);                                                               \
    }
SAMPLES(sample_2d)
SAMPLES(sample_1d_array)
SAMPLES(sample_2d_array)
SAMPLES(whole_2d_int)
SAMPLES(sample_2d_int)
SAMPLES(whole_2d)
LOADS(load_2d)
LOADS(load_2d_int)

void host_halves(arg *args, const ndrange *range)
{
    sample_items(args, range);
    for (size_t i = 0; i < args[3].count; i++)
        args[3].real_absolute[i] += fabs((double)args[3].real[i]) * 0x1p-10;
}

/* image.cl, queries: the arguments in the kernel's order, then the results. */
static int32_t order_of(const arg *image)
{
    return image->image.channels == 1 ? 0x10b0 : image->image.channels == 2 ? 0x10b2 : 0x10b5;
}

static int32_t type_of(const arg *image)
{
    const char *kind = kind_of(image);
    int32_t size = image->bytes == 1 ? 0 : image->bytes == 2 ? 1 : 2;

    if (kind[0] == 'U')
        return (kind[1] == 'N' ? 0x10d2 : 0x10da) + size;
    return kind[0] == 'F' ? 0x10dc + size : (kind[1] == 'N' ? 0x10d0 : 0x10d7) + size;
}

void host_queries(arg *args, const ndrange *range)
{
    const uint32_t *a = args[0].image.size, *b = args[1].image.size, *c = args[2].image.size;
    const uint32_t *d = args[3].image.size, *e = args[4].image.size, *f = args[5].image.size;
    const uint32_t sizes[13] = {a[0], b[0], b[2], c[0], c[1], d[0], d[1],
                                d[2], e[0], e[1], e[2], 0,    f[0]};
    const int32_t rest[8] = {type_of(&args[0]),  order_of(&args[0]), type_of(&args[2]),
                             order_of(&args[2]), (int32_t)e[1],      (int32_t)e[2],
                             type_of(&args[3]),  order_of(&args[3])};

    (void)range;
    memcpy(args[7].host, sizes, sizeof sizes);
    memcpy(args[7].host + sizeof sizes, rest, sizeof rest);
}

/* ---- image2.cl -------------------------------------------------------------------------- */

void host_in_place(arg *args, const ndrange *range)
{
    for (size_t i = 0; i < range->global[0]; i++) {
        const int64_t flat[3] = {(int64_t)i % 16, (int64_t)i / 16, 0};
        const int64_t deep[3] = {(int64_t)i % 4, (int64_t)i / 4 % 4, (int64_t)i / 16};
        uint8_t *a = args[0].host + texel_offset(&args[0], 0, flat, 0);
        int32_t *b = (int32_t *)(void *)(args[1].host + texel_offset(&args[1], 0, deep, 0));
        float *c = (float *)(void *)(args[2].host + texel_offset(&args[2], 0, deep, 0));
        float *d = (float *)(void *)(args[3].host + i * 4);
        for (unsigned k = 0; k < 4; k++) {
            a[k] = a[k] == 255 ? 255 : (uint8_t)(a[k] + 1);
            b[k] = (int32_t)((uint32_t)b[k] - 1);
            c[k] *= 2;
        }
        *d += 0.25f;
    }
}

static void store_item(arg *image, uint32_t level, const int64_t at[3], const double rgba[4])
{
    unsigned char *to = image->host + texel_offset(image, level, at, 0);
    double largest = ldexp(1, (int)image->bytes * 8) - 1;

    for (unsigned c = 0; c < image->image.channels; c++) {
        float single = (float)rgba[c];
        uint32_t raw = (uint32_t)rint(fmin(fmax(rgba[c], 0), 1) * largest);
        if (image->type == 'f' && image->bytes == 4)
            memcpy(&raw, &single, 4);
        else if (image->type == 'f')
            raw = half_bits(rgba[c]);
        memcpy(to + c * image->bytes, &raw, image->bytes);
    }
}

/* Image, colours; `width` texels a row. */
static void store_items(arg *args, const ndrange *range, uint32_t level, int64_t width,
                        unsigned components, bool in_halves)
{
    for (size_t item = 0; item < range->global[0]; item++) {
        const int64_t at[3] = {(int64_t)item % width, (int64_t)item / width, 0};
        float given[4] = {0};
        double rgba[4];
        memcpy(given, args[1].before + item * components * 4, components * sizeof(float));
        for (unsigned c = 0; c < 4; c++)
            rgba[c] = in_halves ? half_value(half_bits((double)given[c])) : (double)given[c];
        store_item(&args[0], level, at, rgba);
    }
}

void host_store_halves(arg *args, const ndrange *range)
{
    store_items(args, range, 0, 16, 4, true);
}

void host_store_2d(arg *args, const ndrange *range)
{
    store_items(args, range, 0, 16, 4, false);
}

void host_store_level(arg *args, const ndrange *range)
{
    store_items(args, range, 1, 8, 4, false);
}

void host_store_depth(arg *args, const ndrange *range)
{
    store_items(args, range, 0, 16, 1, false);
}

/* The level is the last coordinate that a position does not need. */
static void sample_by_level(arg *args, const ndrange *range)
{
    for (size_t item = 0; item < range->global[0]; item++) {
        double rgba[4], error;
        float at[4];
        read_coordinates(&args[2], item, at);
        error = sample(&args[0], &args[1].sampler, at,
                       at[strcmp(args[0].image.shape, "2d") == 0 ? 2 : 3], rgba);
        put4(&args[3], item, rgba, error);
    }
}

void host_level_2d(arg *args, const ndrange *range)
{
    sample_by_level(args, range);
}

void host_level_3d(arg *args, const ndrange *range)
{
    sample_by_level(args, range);
}

void host_level_array(arg *args, const ndrange *range)
{
    sample_by_level(args, range);
}

void host_gradient_2d(arg *args, const ndrange *range)
{
    for (size_t item = 0; item < range->global[0]; item++) {
        double rgba[4], error;
        float at[4];
        read_coordinates(&args[2], item, at);
        double along = fmax(fabs((double)at[2]) * args[0].image.size[0],
                            fabs((double)at[3]) * args[0].image.size[1]);
        error = sample(&args[0], &args[1].sampler, at, (float)log2(along), rgba);
        put4(&args[3], item, rgba, error);
    }
}

void host_level_count(arg *args, const ndrange *range)
{
    const uint32_t counts[2] = {args[0].image.levels, args[1].image.levels};

    (void)range;
    memcpy(args[2].host, counts, sizeof counts);
}

void host_depth_texels(arg *args, const ndrange *range)
{
    for (size_t item = 0; item < range->global[0]; item++) {
        double rgba[4], error;
        float at[4];
        read_coordinates(&args[3], item, at);
        const int64_t texel[3] = {(int64_t)at[0], (int64_t)at[1], 0};
        error = sample(&args[0], &args[2].sampler, at, 0, rgba);
        put(&args[4], item * 3, rgba[0], error);
        error = sample(&args[1], &args[2].sampler, at, 0, rgba);
        put(&args[4], item * 3 + 1, rgba[0], error);
        image_texel(&args[0], 0, texel, 0, rgba);
        put(&args[4], item * 3 + 2, rgba[0], 0);
    }
}

void host_multisample(arg *args, const ndrange *range)
{
    for (size_t i = 0; i < range->global[0]; i++) {
        const int64_t first[3] = {(int64_t)i % 4, (int64_t)i / 4 % 4, 0};
        const int64_t second[3] = {first[0], first[1], (int64_t)i / 16 % 2};
        double rgba[4];
        image_texel(&args[0], 0, first, (uint32_t)i / 16, rgba);
        put4(&args[2], i * 2, rgba, 0);
        image_texel(&args[1], 0, second, (uint32_t)i / 32, rgba);
        put4(&args[2], i * 2 + 1, rgba, 0);
    }
    put(&args[2], 512, args[0].image.samples, 0);
}
