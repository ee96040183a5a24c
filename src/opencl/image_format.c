/* SPDX-License-Identifier: MIT */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "opencl/image.h"
#include "opencl/trace.h"

/* ---- orders and types of channels ------------------------------------------------------- */

typedef struct order_row {
    cl_channel_order order;
    uint8_t num_channels; /* 0: the type says how many bytes a texel has */
} order_row;

/* All that OpenCL has, so that what is unknown and what is not supported can be told apart. */
static const order_row orders[] = {
    {CL_R, 1},    {CL_A, 1},         {CL_RG, 2},    {CL_RA, 2},    {CL_RGB, 0},
    {CL_RGBA, 4}, {CL_BGRA, 4},      {CL_ARGB, 4},  {CL_ABGR, 4},  {CL_INTENSITY, 1},
    {CL_Rx, 2},   {CL_LUMINANCE, 1}, {CL_RGx, 4},   {CL_RGBx, 0},  {CL_DEPTH, 1},
    {CL_sRGB, 3}, {CL_sRGBx, 4},     {CL_sRGBA, 4}, {CL_sBGRA, 4}, {CL_DEPTH_STENCIL, 2},
};

typedef enum type_kind { UNORM, SNORM, SINT, UINT, FLOAT, PACKED } type_kind;

typedef struct type_row {
    cl_channel_type type;
    uint8_t bytes;
    type_kind kind;
} type_row;

static const type_row types[] = {
    {CL_SNORM_INT8, 1, SNORM},         {CL_SNORM_INT16, 2, SNORM},
    {CL_UNORM_INT8, 1, UNORM},         {CL_UNORM_INT16, 2, UNORM},
    {CL_SIGNED_INT8, 1, SINT},         {CL_SIGNED_INT16, 2, SINT},
    {CL_SIGNED_INT32, 4, SINT},        {CL_UNSIGNED_INT8, 1, UINT},
    {CL_UNSIGNED_INT16, 2, UINT},      {CL_UNSIGNED_INT32, 4, UINT},
    {CL_HALF_FLOAT, 2, FLOAT},         {CL_FLOAT, 4, FLOAT},
    {CL_UNORM_SHORT_565, 2, PACKED},   {CL_UNORM_SHORT_555, 2, PACKED},
    {CL_UNORM_INT_101010, 4, PACKED},  {CL_UNORM_INT24, 4, PACKED},
    {CL_UNORM_INT_101010_2, 4, PACKED}};

static const order_row *order_of(cl_channel_order order)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (orders[i].order == order)
            return &orders[i];
    return NULL;
}

static const type_row *type_of(cl_channel_type type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == type)
            return &types[i];
    return NULL;
}

/* Orders that have types of their own. Source: OpenCL API 3.0, image format descriptor. */
static bool go_together(cl_channel_order order, const type_row *type)
{
    switch (order) {
    case CL_INTENSITY:
    case CL_LUMINANCE:
        return type->kind == UNORM || type->kind == SNORM || type->kind == FLOAT;
    case CL_DEPTH:
        return type->type == CL_UNORM_INT16 || type->type == CL_FLOAT;
    case CL_RGB:
    case CL_RGBx:
        return type->kind == PACKED;
    case CL_BGRA:
    case CL_ARGB:
    case CL_ABGR:
        return type->bytes == 1;
    case CL_sRGB:
    case CL_sRGBx:
    case CL_sRGBA:
    case CL_sBGRA:
        return type->type == CL_UNORM_INT8;
    case CL_RGBA:
        return type->kind != PACKED || type->type == CL_UNORM_INT_101010_2;
    default:
        return type->kind != PACKED;
    }
}

/* ---- the table -------------------------------------------------------------------------- */

static const vsg_ocl_format formats[] = {
#define READ  VSG_OCL_FORMAT_READ
#define WRITE VSG_OCL_FORMAT_WRITE
#define ANY   VSG_OCL_FORMAT_ANY
#define FLAT  (VSG_OCL_FORMAT_FLAT | READ | WRITE)
#define FORMAT(order, type, name_, use_)                                                       \
    {.cl = {CL_##order, CL_##type}, .name = name_, .use = use_},
#include "opencl/formats.def"
#undef FORMAT
#undef READ
#undef WRITE
#undef ANY
#undef FLAT
};

enum { NUM_FORMATS = sizeof formats / sizeof *formats };

static bool is_flat(cl_mem_object_type type)
{
    return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

/* What kernels want to do with an image that has these flags. */
static uint32_t use_of(cl_mem_flags flags)
{
    if (flags & CL_MEM_KERNEL_READ_AND_WRITE)
        return VSG_OCL_FORMAT_BOTH;
    if (flags & CL_MEM_WRITE_ONLY)
        return VSG_OCL_FORMAT_WRITE;
    if (flags & CL_MEM_READ_ONLY)
        return VSG_OCL_FORMAT_READ;
    return VSG_OCL_FORMAT_READ | VSG_OCL_FORMAT_WRITE;
}

static bool fits(const vsg_ocl_format *format, cl_mem_object_type type, cl_mem_flags flags)
{
    uint32_t use = use_of(flags);

    return (format->use & use) == use &&
           (!(format->use & VSG_OCL_FORMAT_FLAT) || is_flat(type));
}

cl_int vsg_ocl_format_find(const cl_image_format *format, cl_mem_object_type type,
                           cl_mem_flags flags, vsg_ocl_format *out)
{
    const type_row *row = format ? type_of(format->image_channel_data_type) : NULL;

    if (!row || !order_of(format->image_channel_order) ||
        !go_together(format->image_channel_order, row))
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    for (size_t i = 0; i < NUM_FORMATS; i++)
        if (memcmp(&formats[i].cl, format, sizeof *format) == 0 &&
            fits(&formats[i], type, flags)) {
            *out = formats[i];
            out->num_channels = order_of(format->image_channel_order)->num_channels;
            out->channel_bytes = row->bytes;
            return CL_SUCCESS;
        }
    return CL_IMAGE_FORMAT_NOT_SUPPORTED;
}

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                  cl_mem_object_type image_type, cl_uint num_entries,
                                  cl_image_format *image_formats, cl_uint *num_image_formats)
{
    VSG_OCL_TRACED;
    const cl_mem_flags pointers = CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    cl_uint count = 0;

    if (!vsg_ocl_is_context(context))
        return CL_INVALID_CONTEXT;
    if (image_type < CL_MEM_OBJECT_IMAGE2D || image_type > CL_MEM_OBJECT_IMAGE1D_BUFFER)
        return CL_INVALID_VALUE;
    /* With these flags an object would be made of a pointer, which there is none of here. */
    cl_mem_flags checked = flags & ~(cl_mem_flags)(CL_MEM_KERNEL_READ_AND_WRITE | pointers);
    if (vsg_ocl_check_memory_flags(checked, NULL) != CL_SUCCESS ||
        (num_entries == 0 && image_formats))
        return CL_INVALID_VALUE;
    bool has_images = vsg_ocl_context_can(context, VSG_OCL_IMAGES);
    for (size_t i = 0; has_images && i < NUM_FORMATS; i++) {
        if (!fits(&formats[i], image_type, flags))
            continue;
        if (image_formats && count < num_entries)
            image_formats[count] = formats[i].cl;
        count++;
    }
    if (num_image_formats)
        *num_image_formats = count;
    return CL_SUCCESS;
}

/* ---- colours ---------------------------------------------------------------------------- */

/* To the nearest, ties to even; beyond the ends, the ends; not a number is 0. */
static int32_t normalise(float value, float least, float scale)
{
    if (!(value >= least))
        value = value < least ? least : 0;
    if (value > 1)
        value = 1;
    return (int32_t)lrintf(value * scale);
}

/* IEC 61966-2-1. */
static float to_srgb(float c)
{
    if (!(c > 0))
        return 0;
    if (c > 1)
        return 1;
    return c < 0.0031308f ? 12.92f * c : 1.055f * powf(c, 1 / 2.4f) - 0.055f;
}

/* Rounds to the nearest half, ties to even. */
static uint16_t to_half(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return (uint16_t)(sign | 0x7e00);
    if (magnitude >= 0x477ff000)
        return (uint16_t)(sign | 0x7c00);
    if (magnitude < 0x38800000) {
        /* A number of 2^-24ths; adding it to a half makes the sum's unit that. */
        float small;
        memcpy(&small, &magnitude, sizeof small);
        small += 0.5f;
        memcpy(&bits, &small, sizeof bits);
        return (uint16_t)(sign | (bits - 0x3f000000));
    }
    uint32_t odd = magnitude >> 13 & 1;
    return (uint16_t)(sign | (magnitude + 0x0fff + odd - 0x38000000) >> 13);
}

static void put(uint8_t *to, uint32_t value, size_t bytes)
{
    memcpy(to, &value, bytes); /* little-endian, as the devices */
}

static uint32_t float_channel(const vsg_ocl_format *format, const type_row *type, float value)
{
    uint32_t bits;

    switch (type->kind) {
    case UNORM:
        return (uint32_t)normalise(value, 0, format->channel_bytes == 1 ? 255.0f : 65535.0f);
    case SNORM:
        return (uint32_t)normalise(value, -1, format->channel_bytes == 1 ? 127.0f : 32767.0f);
    default:
        if (format->channel_bytes == 2)
            return to_half(value);
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
}

/* Saturates, as writing from a kernel does. */
static uint32_t integer_channel(const type_row *type, uint32_t bits)
{
    int32_t value = (int32_t)bits;
    unsigned width = 8u * type->bytes;

    if (width == 32)
        return bits;
    if (type->kind == UINT)
        return bits >= 1u << width ? (1u << width) - 1 : bits;
    int32_t most = (1 << (width - 1)) - 1;
    return (uint32_t)(value > most ? most : value < -most - 1 ? -most - 1 : value);
}

/* Which component of the colour channel i of the texel holds. */
static unsigned component(cl_channel_order order, unsigned i)
{
    static const uint8_t bgra[] = {2, 1, 0, 3};

    if (order == CL_BGRA || order == CL_sBGRA)
        return bgra[i];
    return order == CL_A ? 3 : i;
}

static void pack(const vsg_ocl_format *format, const void *colour,
                 uint8_t texel[VSG_OCL_MOST_TEXEL])
{
    cl_channel_order order = format->cl.image_channel_order;
    const type_row *type = type_of(format->cl.image_channel_data_type);
    bool is_srgb = order == CL_sRGBA || order == CL_sBGRA;

    for (unsigned i = 0; i < format->num_channels; i++) {
        unsigned from = component(order, i);
        uint32_t bits, value;
        float number;
        memcpy(&bits, (const char *)colour + from * sizeof bits, sizeof bits);
        memcpy(&number, &bits, sizeof number);
        if (is_srgb && from < 3)
            number = to_srgb(number);
        if (type->kind == SINT || type->kind == UINT)
            value = integer_channel(type, bits);
        else
            value = float_channel(format, type, number);
        put(texel + i * format->channel_bytes, value, format->channel_bytes);
    }
}

/* The application's rounding and traps are not those of colours. */
void vsg_ocl_format_pack(const vsg_ocl_format *format, const void *colour,
                         uint8_t texel[VSG_OCL_MOST_TEXEL])
{
    fenv_t own;

    (void)fegetenv(&own);
    (void)fesetenv(FE_DFL_ENV);
    pack(format, colour, texel);
    (void)fesetenv(&own);
}
