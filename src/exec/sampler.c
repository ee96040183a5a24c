/* SPDX-License-Identifier: MIT */
#include "exec/sampler.h"

#include <math.h>
#include <string.h>

#include "exec/math.h"
#include "exec/math_bits.h"

/* ---- along an axis ----------------------------------------------------------------------- */

/* The texels that count along one axis, and by how much. */
typedef struct span {
    uint32_t count; /* 1, 2 */
    int64_t texel[2];
    bool inside[2];
    double weight[2];
} span;

static int64_t modulo(int64_t a, int64_t b)
{
    int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

/* Puts a texel's number into the image; false: it is the border. */
static inline bool address(vsg_exe_addressing mode, int64_t size, int64_t *texel)
{
    int64_t i = *texel;

    switch (mode) {
    case VSG_EXE_ADDRESSING_BORDER:
        return i >= 0 && i < size;
    case VSG_EXE_ADDRESSING_REPEAT:
        i = modulo(i, size);
        break;
    case VSG_EXE_ADDRESSING_MIRROR:
        i = modulo(i, 2 * size);
        i = i < size ? i : 2 * size - 1 - i;
        break;
    case VSG_EXE_ADDRESSING_MIRROR_ONCE:
        i = i < 0 ? -1 - i : i;
        break;
    case VSG_EXE_ADDRESSING_EDGE:
        break;
    }
    *texel = i < 0 ? 0 : i >= size ? size - 1 : i;
    return true;
}

/* A coordinate in texels: the formulas of the specification, in float as there. What is
 * farther out than any image, and NaN, is brought near. */
static inline double in_texels(const vsg_exe_sampler *sampler, uint32_t axis, float s,
                               uint32_t size)
{
    const float farthest = 0x1p30f;
    float u = s;

    if (sampler->normalized) {
        if (sampler->addressing[axis] == VSG_EXE_ADDRESSING_REPEAT)
            u = (s - floorf(s)) * (float)size;
        else if (sampler->addressing[axis] == VSG_EXE_ADDRESSING_MIRROR)
            u = fabsf(s - 2 * rintf(0.5f * s)) * (float)size;
        else
            u = s * (float)size;
    }
    if (!(u > -farthest))
        return u == u ? -farthest : 0;
    return u > farthest ? farthest : u;
}

/* The texels at a coordinate, or the two around it, wherever they are. The coordinate is not
 * far out: in_texels(). */
static inline void set_span(double u, bool linear, int32_t offset, span *out)
{
    double at = linear ? u - 0.5 : u;
    int64_t low = (int64_t)at;

    low -= (double)low > at;
    out->count = linear ? 2 : 1;
    out->texel[0] = low + offset;
    out->inside[0] = true;
    out->weight[0] = 1;
    if (!linear)
        return;
    out->texel[1] = low + 1 + offset;
    out->inside[1] = true;
    out->weight[1] = at - (double)low;
    out->weight[0] = 1 - out->weight[1];
}

static inline void find_span(const vsg_exe_probe *probe, uint32_t axis, uint32_t size,
                             bool linear, span *out)
{
    const vsg_exe_sampler *sampler = probe->sampler;

    set_span(in_texels(sampler, axis, probe->at[axis], size), linear, probe->offset[axis], out);
    for (uint32_t i = 0; i < out->count; i++)
        out->inside[i] =
            address((vsg_exe_addressing)sampler->addressing[axis], size, &out->texel[i]);
}

/* ---- cubes ------------------------------------------------------------------------------- */

/* For each face +x, -x, +y, -y, +z, -z: the axis of the face itself, those of its s and t, and
 * their signs (OpenGL 4.6, table 8.19). */
static const struct face {
    uint8_t major, s, t;
    int8_t sign, s_sign, t_sign;
} faces[VSG_EXE_CUBE_FACES] = {
    {0, 2, 1, 1, -1, -1}, {0, 2, 1, -1, 1, -1}, {1, 0, 2, 1, 1, 1},
    {1, 0, 2, -1, 1, -1}, {2, 0, 1, 1, 1, -1},  {2, 0, 1, -1, -1, -1},
};

/* The face a direction meets, and where on it, from 0 to 1. */
static uint32_t find_face(const double direction[3], double *s, double *t)
{
    double x = fabs(direction[0]), y = fabs(direction[1]), z = fabs(direction[2]);
    uint32_t major = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    uint32_t number = 2 * major + (direction[major] < 0);
    const struct face *face = &faces[number];
    double length = fabs(direction[major]);

    if (!(length > 0))
        length = 1;
    *s = (face->s_sign * direction[face->s] / length + 1) / 2;
    *t = (face->t_sign * direction[face->t] / length + 1) / 2;
    return number;
}

/* Replaces a texel beside a face by its neighbour on the next one. */
static void cross_edge(uint32_t size, uint32_t *number, int64_t *x, int64_t *y)
{
    const struct face *face = &faces[*number];
    double direction[3], s, t;

    direction[face->major] = face->sign;
    direction[face->s] = face->s_sign * ((2 * (double)*x + 1) / size - 1);
    direction[face->t] = face->t_sign * ((2 * (double)*y + 1) / size - 1);
    *number = find_face(direction, &s, &t);
    *x = s < 1 ? (int64_t)floor(s * size) : (int64_t)size - 1;
    *y = t < 1 ? (int64_t)floor(t * size) : (int64_t)size - 1;
}

static bool is_outside(int64_t i, int64_t size)
{
    return i < 0 || i >= size;
}

/* ---- texels ------------------------------------------------------------------------------ */

/* Which texels of one level a filter reads. */
typedef struct footprint {
    vsg_exe_level level;
    span axis[3];
    uint32_t axes;
    int64_t layer; /* of layered images */
    uint32_t face; /* of cubes */
    bool is_cube;
} footprint;

static bool compare(vsg_exe_comparison comparison, float a, float b)
{
    switch (comparison) {
    case VSG_EXE_COMPARISON_NEVER:
        return false;
    case VSG_EXE_COMPARISON_LESS:
        return a < b;
    case VSG_EXE_COMPARISON_EQUAL:
        return a == b;
    case VSG_EXE_COMPARISON_LESS_EQUAL:
        return a <= b;
    case VSG_EXE_COMPARISON_GREATER:
        return a > b;
    case VSG_EXE_COMPARISON_NOT_EQUAL:
        return a != b;
    case VSG_EXE_COMPARISON_GREATER_EQUAL:
        return a >= b;
    case VSG_EXE_COMPARISON_ALWAYS:
        break;
    }
    return true;
}

static void read_memory(const vsg_exe_probe *probe, uint64_t host, uint32_t rgba[4])
{
    vsg_exe_watch_touch(probe->watch, host, probe->format->texel_bytes, probe->channel, NULL);
    vsg_exe_texel_read(probe->format, (const uint8_t *)(uintptr_t)host, rgba);
}

/* Reads texel number i[0], i[1], i[2] of the footprint. */
static void read_texel(const vsg_exe_probe *probe, const footprint *print, const uint32_t i[3],
                       uint32_t rgba[4])
{
    int64_t at[3] = {0, 0, 0};
    bool inside = true;
    uint64_t host = 0;

    for (uint32_t a = 0; a < print->axes; a++) {
        at[a] = print->axis[a].texel[i[a]];
        inside &= print->axis[a].inside[i[a]];
    }
    if (vsg_exe_image_of(probe->image->shape)->layered)
        at[2] = print->layer;
    if (print->is_cube) {
        uint32_t face = print->face;
        if (is_outside(at[0], print->level.size[0]) || is_outside(at[1], print->level.size[1]))
            cross_edge(print->level.size[0], &face, &at[0], &at[1]);
        at[2] += face;
    }
    if (inside)
        host = vsg_exe_image_texel(probe->image, &print->level, at, 0);
    if (host)
        read_memory(probe, host, rgba);
    else
        vsg_exe_texel_colour(probe->format, probe->sampler->border, rgba);
    if (probe->compares) {
        bool passes = compare((vsg_exe_comparison)probe->sampler->comparison, probe->reference,
                              vsg_exe_bits_float(rgba[0]));
        memset(rgba, 0, 4 * sizeof *rgba);
        rgba[0] = vsg_exe_float_bits(passes);
        rgba[3] = vsg_exe_float_bits(1);
    }
}

/* ---- footprints -------------------------------------------------------------------------- */

static int64_t nearest_layer(float layer, uint32_t count)
{
    float whole = rintf(layer);

    if (!(whole > 0))
        return 0;
    return whole < (float)count ? (int64_t)whole : (int64_t)count - 1;
}

/* On cubes nothing but the crossing of edges replaces the addressing. */
static void find_cube(const vsg_exe_probe *probe, bool linear, footprint *out)
{
    const double direction[3] = {probe->at[0], probe->at[1], probe->at[2]};
    uint32_t cubes = out->level.size[2] / VSG_EXE_CUBE_FACES;
    double at[2];

    out->is_cube = true;
    out->face = find_face(direction, &at[0], &at[1]);
    out->layer = VSG_EXE_CUBE_FACES * nearest_layer(probe->cube, cubes ? cubes : 1);
    for (uint32_t a = 0; a < 2; a++) {
        uint32_t size = out->level.size[a];
        double u = at[a] * size;
        if (!(u >= 0 && u <= size))
            u = 0;
        set_span(u < size || linear ? u : size - 1, linear, probe->offset[a], &out->axis[a]);
    }
}

static void find_footprint(const vsg_exe_probe *probe, uint32_t level, bool linear,
                           footprint *out)
{
    const vsg_exe_image_info *info = vsg_exe_image_of(probe->image->shape);

    /* What belongs to further axes is never looked at, and would take long to clear. */
    out->axes = info->axes;
    out->layer = 0;
    out->face = 0;
    out->is_cube = false;
    (void)vsg_exe_image_level(probe->image, level, &out->level);
    if (probe->image->shape == VSG_EXE_IMAGE_CUBE) {
        find_cube(probe, linear, out);
        return;
    }
    for (uint32_t a = 0; a < info->axes; a++)
        find_span(probe, a, out->level.size[a], linear, &out->axis[a]);
    if (info->layered)
        out->layer = nearest_layer(probe->at[info->axes], out->level.size[2]);
}

/* ---- filters ----------------------------------------------------------------------------- */

static uint32_t count_of(const footprint *print, uint32_t axis)
{
    return axis < print->axes ? print->axis[axis].count : 1;
}

/* At the corner of a cube three texels meet: what would be the fourth is their mean. */
static bool is_corner(const footprint *print, const uint32_t i[3])
{
    return print->is_cube && is_outside(print->axis[0].texel[i[0]], print->level.size[0]) &&
           is_outside(print->axis[1].texel[i[1]], print->level.size[1]);
}

static void add_texel(const vsg_exe_probe *probe, const footprint *print, const uint32_t i[3],
                      double weight, double sum[4])
{
    uint32_t rgba[4];

    if (is_corner(print, i)) {
        const uint32_t beside[3][3] = {
            {1 - i[0], i[1], 0}, {i[0], 1 - i[1], 0}, {1 - i[0], 1 - i[1], 0}};
        for (uint32_t k = 0; k < 3; k++)
            add_texel(probe, print, beside[k], weight / 3, sum);
        return;
    }
    read_texel(probe, print, i, rgba);
    for (uint32_t c = 0; c < 4; c++)
        sum[c] += weight * vsg_exe_bits_float(rgba[c]);
}

/* Texels without weight do not count, whatever is in them. */
static void mix(const vsg_exe_probe *probe, const footprint *print, double sum[4])
{
    uint32_t i[3];

    memset(sum, 0, 4 * sizeof *sum);
    for (i[2] = 0; i[2] < count_of(print, 2); i[2]++)
        for (i[1] = 0; i[1] < count_of(print, 1); i[1]++)
            for (i[0] = 0; i[0] < count_of(print, 0); i[0]++) {
                double weight = 1;
                for (uint32_t a = 0; a < print->axes; a++)
                    weight *= print->axis[a].weight[i[a]];
                if (weight > 0)
                    add_texel(probe, print, i, weight, sum);
            }
}

bool vsg_exe_filters(const vsg_exe_sampler *sampler, const vsg_exe_format_info *format)
{
    return sampler->filter == VSG_EXE_FILTER_LINEAR && !vsg_exe_format_is_integer(format);
}

static void sample_level(const vsg_exe_probe *probe, uint32_t level, double colour[4])
{
    footprint print;

    find_footprint(probe, level, true, &print);
    mix(probe, &print, colour);
}

static void nearest_texel(const vsg_exe_probe *probe, uint32_t level, uint32_t rgba[4])
{
    static const uint32_t first[3] = {0, 0, 0};
    footprint print;

    find_footprint(probe, level, false, &print);
    read_texel(probe, &print, first, rgba);
}

/* ---- levels ------------------------------------------------------------------------------ */

float vsg_exe_lod_of(const vsg_exe_probe *probe, const float dx[3], const float dy[3])
{
    const vsg_exe_surface *image = probe->image;
    uint32_t axes =
        image->shape == VSG_EXE_IMAGE_CUBE ? 3 : vsg_exe_image_of(image->shape)->axes;
    const uint32_t sizes[3] = {image->width, image->height,
                               axes == 3 && image->shape == VSG_EXE_IMAGE_CUBE ? image->width
                                                                               : image->depth};
    double along_x = 0, along_y = 0;

    for (uint32_t a = 0; a < axes; a++) {
        double scale = probe->sampler->normalized ? sizes[a] : 1;
        along_x += dx[a] * scale * (dx[a] * scale);
        along_y += dy[a] * scale * (dy[a] * scale);
    }
    return 0.5f * vsg_exe_math_log2((float)(along_x > along_y ? along_x : along_y));
}

float vsg_exe_lod_clamp(const vsg_exe_probe *probe, float lod)
{
    float last = (float)(vsg_exe_image_levels(probe->image) - 1);

    if (!(lod > probe->sampler->least_lod))
        lod = probe->sampler->least_lod;
    if (lod > probe->sampler->greatest_lod)
        lod = probe->sampler->greatest_lod;
    return !(lod > 0) ? 0 : lod > last ? last : lod;
}

/* The level nearest to a lod; half way the finer one. */
static uint32_t nearest_level(const vsg_exe_probe *probe, float lod)
{
    if (!probe->sampler->has_levels)
        return 0;
    lod = ceilf(vsg_exe_lod_clamp(probe, lod) + 0.5f) - 1;
    return lod > 0 ? (uint32_t)lod : 0;
}

static void as_doubles(const uint32_t rgba[4], double colour[4])
{
    for (uint32_t c = 0; c < 4; c++)
        colour[c] = vsg_exe_bits_float(rgba[c]);
}

static void colour_of_level(const vsg_exe_probe *probe, uint32_t level, double colour[4])
{
    uint32_t rgba[4];

    if (vsg_exe_filters(probe->sampler, probe->format)) {
        sample_level(probe, level, colour);
        return;
    }
    nearest_texel(probe, level, rgba);
    as_doubles(rgba, colour);
}

/* What is none of the numbers is one and the same: which of several a sum has is left to those
 * who compute it. */
static void round_colour(const double colour[4], uint32_t rgba[4])
{
    for (uint32_t c = 0; c < 4; c++)
        rgba[c] = colour[c] == colour[c] ? vsg_exe_float_bits((float)colour[c])
                                         : VSG_EXE_FLOAT_INF | VSG_EXE_FLOAT_QUIET;
}

void vsg_exe_sample(const vsg_exe_probe *probe, float lod, uint32_t rgba[4])
{
    double near[4], far[4];

    if (probe->sampler->has_levels && probe->sampler->mip_filter == VSG_EXE_FILTER_LINEAR &&
        !vsg_exe_format_is_integer(probe->format)) {
        float clamped = vsg_exe_lod_clamp(probe, lod);
        uint32_t level = (uint32_t)clamped;
        double part = (double)clamped - level;
        colour_of_level(probe, level, near);
        if (part > 0) {
            colour_of_level(probe, level + 1, far);
            for (uint32_t c = 0; c < 4; c++)
                near[c] = (1 - part) * near[c] + part * far[c];
        }
        round_colour(near, rgba);
        return;
    }
    uint32_t level = nearest_level(probe, lod);
    if (vsg_exe_filters(probe->sampler, probe->format)) {
        sample_level(probe, level, near);
        round_colour(near, rgba);
    } else {
        nearest_texel(probe, level, rgba);
    }
}

void vsg_exe_gather(const vsg_exe_probe *probe, float lod, uint32_t component, uint32_t rgba[4])
{
    /* as places along x and y, y downwards */
    static const uint32_t places[4][3] = {{0, 1, 0}, {1, 1, 0}, {1, 0, 0}, {0, 0, 0}};
    footprint print;
    uint32_t texel[4];

    find_footprint(probe, nearest_level(probe, lod), true, &print);
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t i[3] = {places[k][0], print.axes > 1 ? places[k][1] : 0, 0};
        read_texel(probe, &print, i, texel);
        rgba[k] = texel[probe->compares ? 0 : component];
    }
}

void vsg_exe_fetch(const vsg_exe_probe *probe, const int64_t uvr[3], uint32_t lod,
                   uint32_t sample, uint32_t rgba[4])
{
    static const uint32_t nothing[4] = {0};
    vsg_exe_level level;
    int64_t at[3];
    uint64_t host = 0;

    if (vsg_exe_image_level(probe->image, lod, &level)) {
        vsg_exe_image_place(probe->image, uvr, at);
        host = vsg_exe_image_texel(probe->image, &level, at, sample);
    }
    if (host)
        read_memory(probe, host, rgba);
    else
        vsg_exe_texel_colour(probe->format, nothing, rgba);
}
