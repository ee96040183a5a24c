/* SPDX-License-Identifier: MIT
 *
 * Images and samplers of the rows: read, and made for the CPU OpenCL and for visage. */
#define CL_TARGET_OPENCL_VERSION 120

#include "compare_images.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ------------------------------------------------------------------------------ */

static const struct shape_row {
    const char *word;
    cl_mem_object_type type;
    unsigned axes;
} shapes[] = {
    {"1d", CL_MEM_OBJECT_IMAGE1D, 1},
    {"1d-array", CL_MEM_OBJECT_IMAGE1D_ARRAY, 1},
    {"2d", CL_MEM_OBJECT_IMAGE2D, 2},
    {"2d-array", CL_MEM_OBJECT_IMAGE2D_ARRAY, 2},
    {"buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, 1},
    {"3d", CL_MEM_OBJECT_IMAGE3D, 3},
};

static const struct shape_row *find_shape(const char *word)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (strcmp(shapes[i].word, word) == 0)
            return &shapes[i];
    return NULL;
}

/* A format's name is letters, each with a number of bits, and a kind: R8G8B8A8_UNORM. */
static unsigned letters_of(const char *format, char *letters)
{
    unsigned count = 0;

    for (; *format && *format != '_'; format++)
        if ((*format < '0' || *format > '9') && count < 4)
            letters[count++] = *format;
    letters[count] = 0;
    return count;
}

static const char *kind_of(const char *format)
{
    const char *kind = strchr(format, '_');
    return kind ? kind + 1 : "";
}

/* image SHAPE FORMAT WxHxD[*LEVELS[*SAMPLES]] */
bool read_image(arg *a, char *const *words, int count)
{
    char letters[5];
    size_t texels = 0;
    unsigned given;
    image_arg *image = &a->image;

    if (count < 4 || !find_shape(words[1]) || strlen(words[1]) >= sizeof image->shape ||
        strlen(words[2]) >= sizeof image->format)
        return false;
    strcpy(image->shape, words[1]);
    strcpy(image->format, words[2]);
    image->axes = find_shape(words[1])->axes;
    image->levels = count > 4 ? (uint32_t)atoi(words[4]) : 1;
    image->samples = count > 5 ? (uint32_t)atoi(words[5]) : 1;
    image->size[0] = image->size[1] = image->size[2] = 1;
    given = (unsigned)sscanf(words[3], "%ux%ux%u", &image->size[0], &image->size[1],
                             &image->size[2]);
    if (strcmp(image->shape, "1d-array") == 0) {
        image->size[2] = image->size[1];
        image->size[1] = 1;
    }
    for (uint32_t l = 0; l < image->levels; l++) {
        size_t level = 1;
        for (unsigned i = 0; i < 3; i++) {
            uint32_t size = i < image->axes ? image->size[i] >> l : image->size[i];
            level *= size ? size : 1;
        }
        texels += level * image->samples;
    }
    image->channels = letters_of(image->format, letters);
    a->kind = ARG_IMAGE;
    a->type = strcmp(kind_of(image->format), "FLOAT") == 0 ? 'f' : 'u';
    a->bytes = (size_t)atoi(image->format + 1) / 8;
    a->count = texels * image->channels;
    a->size = a->count * a->bytes;
    return given > 0 && a->bytes > 0 && a->size > 0;
}

/* sampler WORD... */
bool read_sampler(arg *a, char *const *words, int count)
{
    a->kind = ARG_SAMPLER;
    a->sampler.addressing = 'b';
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "linear") == 0)
            a->sampler.linear = true;
        else if (strcmp(words[i], "normalized") == 0)
            a->sampler.normalized = true;
        else if (strncmp(words[i], "mip-", 4) == 0)
            a->sampler.mip = words[i][4];
        else if (strchr("berm", words[i][0]))
            a->sampler.addressing = words[i][0];
        else if (strcmp(words[i], "nearest") != 0)
            return false;
    }
    return true;
}

/* ---- the CPU OpenCL -----------------------------------------------------------------------
 */

static cl_image_format reference_format(const char *format)
{
    static const struct {
        const char *letters;
        cl_channel_order order;
    } orders[] = {{"R", CL_R},       {"A", CL_A},       {"RG", CL_RG},
                  {"RGBA", CL_RGBA}, {"BGRA", CL_BGRA}, {"ARGB", CL_ARGB}};
    static const struct {
        const char *kind;
        cl_channel_type type[3]; /* 8, 16, 32 bits */
    } kinds[] = {{"UNORM", {CL_UNORM_INT8, CL_UNORM_INT16, 0}},
                 {"SNORM", {CL_SNORM_INT8, CL_SNORM_INT16, 0}},
                 {"UINT", {CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32}},
                 {"SINT", {CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32}},
                 {"FLOAT", {0, CL_HALF_FLOAT, CL_FLOAT}}};
    cl_image_format result = {0, 0};
    char letters[5];
    int bits = atoi(format + 1);

    (void)letters_of(format, letters);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (strcmp(orders[i].letters, letters) == 0)
            result.image_channel_order = orders[i].order;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].kind, kind_of(format)) == 0)
            result.image_channel_data_type = kinds[i].type[bits / 16];
    return result;
}

cl_int set_reference_sampler(cl_context context, cl_kernel kernel, cl_uint index,
                             const sampler_arg *sampler)
{
    cl_addressing_mode mode = sampler->addressing == 'e'   ? CL_ADDRESS_CLAMP_TO_EDGE
                              : sampler->addressing == 'r' ? CL_ADDRESS_REPEAT
                              : sampler->addressing == 'm' ? CL_ADDRESS_MIRRORED_REPEAT
                                                           : CL_ADDRESS_CLAMP;
    cl_int error;
    cl_sampler made =
        clCreateSampler(context, sampler->normalized, mode,
                        sampler->linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &error);

    if (error != CL_SUCCESS)
        return error;
    error = clSetKernelArg(kernel, index, sizeof made, &made);
    /* The kernel keeps no reference in every version of the standard: the process ends soon. */
    return error;
}

cl_mem make_reference_image(cl_context context, const arg *a, cl_int *error)
{
    const image_arg *image = &a->image;
    cl_image_format format = reference_format(image->format);
    cl_image_desc desc = {.image_type = find_shape(image->shape)->type,
                          .image_width = image->size[0],
                          .image_height = image->size[1],
                          .image_depth = image->size[2],
                          .image_array_size = image->size[2]};

    if (desc.image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER)
        return clCreateImage(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc,
                             (void *)a->before, error);
    desc.buffer =
        clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, a->size, (void *)a->before, error);
    if (*error != CL_SUCCESS)
        return NULL;
    cl_mem made = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, error);
    clReleaseMemObject(desc.buffer);
    return made;
}

cl_int read_reference_image(cl_command_queue queue, cl_mem image, arg *a)
{
    size_t origin[3] = {0, 0, 0};
    size_t region[3] = {a->image.size[0], a->image.size[1], a->image.size[2]};

    if (strcmp(a->image.shape, "1d-array") == 0) {
        region[1] = region[2];
        region[2] = 1;
    }
    return clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, a->host, 0, NULL,
                              NULL);
}

/* ---- visage ----------------------------------------------------------------------------- */

visage_status set_sampler(visage_context *context, visage_launch *launch, size_t index,
                          const sampler_arg *sampler, visage_diagnostics *diagnostics)
{
    visage_sampler_options options = VISAGE_OPTIONS_INIT(visage_sampler_options);
    visage_sampler *made = NULL;

    options.filter = sampler->linear ? VISAGE_FILTER_LINEAR : VISAGE_FILTER_NEAREST;
    options.mip_filter = sampler->mip == 'l'   ? VISAGE_MIP_LINEAR
                         : sampler->mip == 'n' ? VISAGE_MIP_NEAREST
                                               : VISAGE_MIP_NONE;
    options.normalized = sampler->normalized;
    for (int i = 0; i < 3; i++)
        options.address[i] = sampler->addressing == 'e'   ? VISAGE_ADDRESS_EDGE
                             : sampler->addressing == 'r' ? VISAGE_ADDRESS_REPEAT
                             : sampler->addressing == 'm' ? VISAGE_ADDRESS_MIRROR
                                                          : VISAGE_ADDRESS_BORDER;
    visage_status status = visage_sampler_create(context, &options, &made);
    if (status == VISAGE_OK)
        status = visage_launch_set_sampler(launch, index, made, diagnostics);
    visage_sampler_destroy(&made);
    return status;
}

visage_status set_image(visage_launch *launch, size_t index, visage_buffer *buffer,
                        const image_arg *image, visage_diagnostics *diagnostics)
{
    visage_image_options options = VISAGE_OPTIONS_INIT(visage_image_options);
    visage_image *made = NULL;

    options.format = image->format;
    options.shape = image->shape;
    options.width = image->size[0];
    options.height = image->size[1];
    options.depth = image->size[2];
    options.levels = image->levels;
    options.samples = image->samples;
    visage_status status = visage_image_create(buffer, &options, diagnostics, &made);
    if (status == VISAGE_OK)
        status = visage_launch_set_image(launch, index, made, diagnostics);
    visage_image_destroy(&made);
    return status;
}
