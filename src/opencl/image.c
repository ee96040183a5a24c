/* SPDX-License-Identifier: MIT
 *
 * Making images. */
#include "opencl/image.h"

#include <stdlib.h>
#include <string.h>

#include "opencl/limits.h"
#include "opencl/trace.h"

/* A type of image. */
typedef struct shape_row {
    cl_mem_object_type type;
    const char *name; /* libvisage's */
    bool has_height, has_depth, has_layers;
} shape_row;

static const shape_row shapes[] = {
    {CL_MEM_OBJECT_IMAGE1D, "1d", false, false, false},
    {CL_MEM_OBJECT_IMAGE2D, "2d", true, false, false},
    {CL_MEM_OBJECT_IMAGE3D, "3d", true, true, false},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "1d-array", false, false, true},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "2d-array", true, false, true},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, "buffer", false, false, false},
};

static const shape_row *shape_of(cl_mem_object_type type)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].type == type)
            return &shapes[i];
    return NULL;
}

bool vsg_ocl_image_is_layered(cl_mem_object_type type)
{
    const shape_row *shape = shape_of(type);

    return shape && (shape->has_depth || shape->has_layers);
}

/* ---- boxes ------------------------------------------------------------------------------ */

static size_t texel_bytes(cl_mem image)
{
    return vsg_ocl_format_bytes(&image->format);
}

/* Texels along each axis, as origins and regions count them. */
static void extents_of(cl_mem image, size_t extents[3])
{
    const shape_row *shape = shape_of(image->type);

    extents[0] = image->width;
    extents[1] = shape->has_height ? image->height : shape->has_layers ? image->layers : 1;
    extents[2] = shape->has_depth                         ? image->depth
                 : shape->has_height && shape->has_layers ? image->layers
                                                          : 1;
}

cl_int vsg_ocl_image_box(cl_mem image, const size_t *origin, const size_t *region,
                         vsg_ocl_box *box)
{
    size_t extents[3];

    if (!origin || !region)
        return CL_INVALID_VALUE;
    extents_of(image, extents);
    for (int i = 0; i < 3; i++)
        if (region[i] == 0 || origin[i] > extents[i] || region[i] > extents[i] - origin[i])
            return CL_INVALID_VALUE;
    size_t bytes = texel_bytes(image);
    *box = (vsg_ocl_box){origin[0] * bytes, origin[1], origin[2],
                         region[0] * bytes, region[1], region[2]};
    return CL_SUCCESS;
}

static vsg_ocl_side side_of(cl_mem image, const vsg_ocl_box *box, uint8_t *data,
                            size_t row_pitch, size_t slice_pitch)
{
    size_t step = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice_pitch : row_pitch;

    return (vsg_ocl_side){data ? data + box->z * slice_pitch + box->y * step + box->x : NULL,
                          step, slice_pitch, NULL};
}

vsg_ocl_side vsg_ocl_image_side(cl_mem image, const vsg_ocl_box *box)
{
    vsg_ocl_side side = side_of(image, box, image->data, image->row_pitch, image->slice_pitch);

    side.memory = image;
    return side;
}

vsg_ocl_side vsg_ocl_image_host_side(cl_mem image, const vsg_ocl_box *box)
{
    return side_of(image, box, image->host_ptr, image->host_row_pitch, image->host_slice_pitch);
}

/* ---- checks ----------------------------------------------------------------------------- */

/* What an image is made of. */
typedef struct recipe {
    cl_context context;
    const cl_mem_properties *properties;
    cl_mem_flags flags;
    const cl_image_desc *desc;
    void *host_ptr;
    const shape_row *shape;
    vsg_ocl_format format;
    size_t row_pitch, slice_pitch; /* at host_ptr, or in the buffer */
} recipe;

static cl_int check_sizes(const recipe *r)
{
    const cl_image_desc *desc = r->desc;
    const size_t side = r->shape->has_depth ? VSG_OCL_IMAGE_DEPTH : VSG_OCL_IMAGE_SIDE;
    bool is_buffer = r->shape->type == CL_MEM_OBJECT_IMAGE1D_BUFFER;

    if (desc->image_width == 0 || (r->shape->has_height && desc->image_height == 0) ||
        (r->shape->has_depth && desc->image_depth == 0) ||
        (r->shape->has_layers && desc->image_array_size == 0))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    if (desc->image_width > (is_buffer ? (size_t)VSG_OCL_IMAGE_TEXELS : side) ||
        (r->shape->has_height && desc->image_height > side) ||
        (r->shape->has_depth && desc->image_depth > side) ||
        (r->shape->has_layers && desc->image_array_size > VSG_OCL_IMAGE_LAYERS))
        return CL_INVALID_IMAGE_SIZE;
    return desc->num_mip_levels || desc->num_samples ? CL_INVALID_IMAGE_DESCRIPTOR : CL_SUCCESS;
}

/* Pitches that are left out get their values. */
static cl_int settle_pitches(recipe *r)
{
    const cl_image_desc *desc = r->desc;
    size_t bytes = vsg_ocl_format_bytes(&r->format);
    size_t rows = r->shape->has_height ? desc->image_height : 1;
    bool is_layered = vsg_ocl_image_is_layered(r->shape->type);
    bool has_memory = r->host_ptr || desc->mem_object;

    if (!has_memory && (desc->image_row_pitch || desc->image_slice_pitch))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    r->row_pitch = desc->image_row_pitch ? desc->image_row_pitch : desc->image_width * bytes;
    if (r->row_pitch < desc->image_width * bytes || r->row_pitch % bytes != 0)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    r->slice_pitch = r->row_pitch * rows;
    if (!is_layered || !desc->image_slice_pitch)
        return CL_SUCCESS;
    if (desc->image_slice_pitch < r->slice_pitch || desc->image_slice_pitch % r->row_pitch != 0)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    r->slice_pitch = desc->image_slice_pitch;
    return CL_SUCCESS;
}

/* A view of a buffer, or of an image with texels of the same kind in another order. */
static cl_int check_parent(const recipe *r)
{
    cl_mem parent = r->desc->mem_object;
    bool is_line = r->shape->type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    size_t rows = r->shape->has_height ? r->desc->image_height : 1;

    if (!parent)
        return is_line ? CL_INVALID_IMAGE_DESCRIPTOR : CL_SUCCESS;
    if ((!is_line && r->shape->type != CL_MEM_OBJECT_IMAGE2D) || !vsg_ocl_is_memory(parent) ||
        parent->context != r->context)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    if (!is_line && parent->type == CL_MEM_OBJECT_IMAGE2D) {
        bool same = parent->width == r->desc->image_width &&
                    parent->height == r->desc->image_height &&
                    (!r->desc->image_row_pitch || parent->row_pitch == r->row_pitch);
        bool alike =
            parent->format.num_channels == r->format.num_channels &&
            parent->format.cl.image_channel_data_type == r->format.cl.image_channel_data_type;
        if (!same)
            return CL_INVALID_IMAGE_DESCRIPTOR;
        return alike ? CL_SUCCESS : CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    }
    if (!vsg_ocl_is_buffer(parent))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    size_t unit = VSG_OCL_PITCH_ALIGNMENT * vsg_ocl_format_bytes(&r->format);
    if (!is_line && r->desc->image_row_pitch && r->row_pitch % unit != 0)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    size_t needed =
        (rows - 1) * r->row_pitch + r->desc->image_width * vsg_ocl_format_bytes(&r->format);
    return needed <= parent->size_bytes ? CL_SUCCESS : CL_INVALID_IMAGE_SIZE;
}

/* What an image is made of, where that is memory; else NULL. */
static cl_mem whole_of(const recipe *r)
{
    cl_mem whole = r->desc ? r->desc->mem_object : NULL;

    return whole && vsg_ocl_is_memory(whole) ? whole : NULL;
}

static cl_int check_flags(recipe *r)
{
    cl_mem whole = whole_of(r);

    if (whole) {
        cl_int status = vsg_ocl_check_part_flags(whole, r->flags);
        if (status != CL_SUCCESS)
            return status;
        r->flags = vsg_ocl_part_flags(whole, r->flags);
    }
    return vsg_ocl_check_memory_flags(r->flags, r->host_ptr);
}

static cl_int check(recipe *r, const cl_image_format *format)
{
    cl_int status = CL_SUCCESS;

    if (!vsg_ocl_is_context(r->context))
        return CL_INVALID_CONTEXT;
    if (r->properties && *r->properties)
        return CL_INVALID_PROPERTY;
    status = check_flags(r);
    if (status == CL_INVALID_VALUE)
        return status;
    if (!vsg_ocl_context_can(r->context, VSG_OCL_IMAGES))
        return CL_INVALID_OPERATION;
    r->shape = r->desc ? shape_of(r->desc->image_type) : NULL;
    cl_int found = vsg_ocl_format_find(
        format, r->shape ? r->shape->type : CL_MEM_OBJECT_IMAGE2D, r->flags, &r->format);
    if (found == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)
        return found;
    if (!r->shape)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    if (found != CL_SUCCESS)
        return found;
    if (status == CL_SUCCESS)
        status = check_sizes(r);
    if (status == CL_SUCCESS)
        status = settle_pitches(r);
    return status == CL_SUCCESS ? check_parent(r) : status;
}

/* ---- making ----------------------------------------------------------------------------- */

static void describe(cl_mem image, const recipe *r)
{
    const shape_row *shape = r->shape;
    const cl_image_desc *desc = r->desc;

    image->format = r->format;
    image->width = desc->image_width;
    image->height = shape->has_height ? desc->image_height : 0;
    image->depth = shape->has_depth ? desc->image_depth : 0;
    image->layers = shape->has_layers ? desc->image_array_size : 0;
    image->host_row_pitch = r->row_pitch;
    image->host_slice_pitch = r->slice_pitch;
}

static size_t slices_of(cl_mem image)
{
    return image->depth ? image->depth : image->layers ? image->layers : 1;
}

/* Contents of its own have no gaps, unless they are an allocation of the application. */
static cl_int make_contents(cl_mem image, const recipe *r)
{
    size_t rows = image->height ? image->height : 1, slices = slices_of(image);
    cl_mem parent = r->desc->mem_object;
    vsg_ocl_svm svm;

    image->row_pitch = image->width * texel_bytes(image);
    image->slice_pitch = image->row_pitch * rows;
    if (parent) {
        image->row_pitch = r->row_pitch;
        if (vsg_ocl_is_image(parent)) {
            image->row_pitch = parent->row_pitch;
            image->host_row_pitch = parent->host_row_pitch;
        }
        image->slice_pitch = image->row_pitch * rows;
        vsg_ocl_memory_join(image, parent, 0, image->slice_pitch);
        return CL_SUCCESS;
    }
    if ((r->flags & CL_MEM_USE_HOST_PTR) && vsg_ocl_svm_find(r->context, r->host_ptr, &svm)) {
        image->row_pitch = r->row_pitch;
        image->slice_pitch = r->slice_pitch;
    }
    size_t bytes;
    if (__builtin_mul_overflow(image->slice_pitch, slices, &bytes) ||
        bytes > vsg_ocl_max_allocation())
        return CL_INVALID_IMAGE_SIZE;
    return vsg_ocl_memory_fill_in(image, bytes, r->host_ptr) ? CL_SUCCESS
                                                             : CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

/* A view has its parent's. */
static void copy_contents(cl_mem image, const recipe *r)
{
    vsg_ocl_box all = {0, 0, 0, image->width * texel_bytes(image), 1, 1};
    size_t extents[3];

    if (image->parent || (!(r->flags & CL_MEM_COPY_HOST_PTR) && !image->is_copied))
        return;
    extents_of(image, extents);
    all.rows = extents[1];
    all.slices = extents[2];
    vsg_ocl_copy copy = {.width = all.width, .rows = all.rows, .slices = all.slices};
    copy.from = side_of(image, &all, r->host_ptr, r->row_pitch, r->slice_pitch);
    copy.to = vsg_ocl_image_side(image, &all);
    vsg_ocl_copy_now(&copy);
}

static cl_int make_image(cl_mem image, const shape_row *shape)
{
    visage_image_options options = VISAGE_OPTIONS_INIT(visage_image_options);

    options.format = image->format.name;
    options.shape = shape->name;
    options.width = (uint32_t)image->width;
    options.height = (uint32_t)image->height;
    options.depth = (uint32_t)slices_of(image);
    options.offset_bytes = image->offset_bytes;
    options.row_pitch_bytes = image->row_pitch;
    options.slice_pitch_bytes = image->slice_pitch;
    visage_status status = visage_image_create(image->buffer, &options, NULL, &image->image);
    if (status == VISAGE_OK)
        return CL_SUCCESS;
    return status == VISAGE_NO_MEMORY ? CL_OUT_OF_HOST_MEMORY : CL_INVALID_IMAGE_SIZE;
}

static cl_int create(const recipe *r, cl_mem *out)
{
    cl_ulong *copy;
    cl_mem image = vsg_ocl_memory_new(r->context, r->shape->type, r->flags);

    if (!image)
        return CL_OUT_OF_HOST_MEMORY;
    bool good = vsg_ocl_copy_properties(r->properties, &copy, &image->num_properties);
    image->properties = copy;
    describe(image, r);
    cl_int status = good ? make_contents(image, r) : CL_OUT_OF_HOST_MEMORY;
    if (status == CL_SUCCESS)
        status = make_image(image, r->shape);
    if (status != CL_SUCCESS) {
        vsg_ocl_let_go(image);
        return status;
    }
    copy_contents(image, r);
    *out = image;
    return CL_SUCCESS;
}

/* ---- entry points ----------------------------------------------------------------------- */

cl_mem clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties,
                                   cl_mem_flags flags, const cl_image_format *image_format,
                                   const cl_image_desc *image_desc, void *host_ptr,
                                   cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    recipe r = {.context = context,
                .properties = properties,
                .flags = flags,
                .desc = image_desc,
                .host_ptr = host_ptr};
    cl_mem image = NULL;
    cl_int status = check(&r, image_format);

    if (status == CL_SUCCESS)
        status = create(&r, &image);
    vsg_ocl_result(errcode_ret, status);
    return image;
}

cl_mem clCreateImage(cl_context context, cl_mem_flags flags,
                     const cl_image_format *image_format, const cl_image_desc *image_desc,
                     void *host_ptr, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    return clCreateImageWithProperties(context, NULL, flags, image_format, image_desc, host_ptr,
                                       errcode_ret);
}

/* Older functions have an error of their own for what a descriptor would have wrong. */
static cl_mem create_old(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                         const cl_image_desc *desc, void *host_ptr, cl_int *errcode_ret)
{
    cl_int status;
    cl_mem image =
        clCreateImageWithProperties(context, NULL, flags, format, desc, host_ptr, &status);

    vsg_ocl_result(errcode_ret,
                   status == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : status);
    return image;
}

cl_mem clCreateImage2D(cl_context context, cl_mem_flags flags,
                       const cl_image_format *image_format, size_t image_width,
                       size_t image_height, size_t image_row_pitch, void *host_ptr,
                       cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = image_width,
                          .image_height = image_height,
                          .image_row_pitch = image_row_pitch};

    return create_old(context, flags, image_format, &desc, host_ptr, errcode_ret);
}

cl_mem clCreateImage3D(cl_context context, cl_mem_flags flags,
                       const cl_image_format *image_format, size_t image_width,
                       size_t image_height, size_t image_depth, size_t image_row_pitch,
                       size_t image_slice_pitch, void *host_ptr, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                          .image_width = image_width,
                          .image_height = image_height,
                          .image_depth = image_depth,
                          .image_row_pitch = image_row_pitch,
                          .image_slice_pitch = image_slice_pitch};

    return create_old(context, flags, image_format, &desc, host_ptr, errcode_ret);
}

cl_int clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size,
                      void *param_value, size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_query query = {param_value_size, param_value, param_value_size_ret};

    if (!vsg_ocl_is_image(image))
        return CL_INVALID_MEM_OBJECT;
    bool is_host = image->is_copied;
    switch (param_name) {
    case CL_IMAGE_FORMAT:
        return vsg_ocl_answer(&query, &image->format.cl, sizeof image->format.cl);
    case CL_IMAGE_ELEMENT_SIZE:
        return vsg_ocl_answer_size(&query, texel_bytes(image));
    case CL_IMAGE_ROW_PITCH:
        return vsg_ocl_answer_size(&query, is_host ? image->host_row_pitch : image->row_pitch);
    case CL_IMAGE_SLICE_PITCH:
        if (!vsg_ocl_image_is_layered(image->type))
            return vsg_ocl_answer_size(&query, 0);
        return vsg_ocl_answer_size(&query,
                                   is_host ? image->host_slice_pitch : image->slice_pitch);
    case CL_IMAGE_WIDTH:
        return vsg_ocl_answer_size(&query, image->width);
    case CL_IMAGE_HEIGHT:
        return vsg_ocl_answer_size(&query, image->height);
    case CL_IMAGE_DEPTH:
        return vsg_ocl_answer_size(&query, image->depth);
    case CL_IMAGE_ARRAY_SIZE:
        return vsg_ocl_answer_size(&query, image->layers);
    case CL_IMAGE_BUFFER:
        return vsg_ocl_answer_pointer(&query,
                                      vsg_ocl_is_buffer(image->parent) ? image->parent : NULL);
    case CL_IMAGE_NUM_MIP_LEVELS:
    case CL_IMAGE_NUM_SAMPLES:
        return vsg_ocl_answer_uint(&query, 0);
    default:
        return CL_INVALID_VALUE;
    }
}
