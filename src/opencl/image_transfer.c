/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "opencl/image.h"
#include "opencl/trace.h"

/* What every command on an image checks first. */
static cl_int check_image(const vsg_ocl_request *request, cl_mem image)
{
    cl_int status = vsg_ocl_check_access(request, image);

    if (status != CL_SUCCESS)
        return status;
    if (!vsg_ocl_is_image(image))
        return CL_INVALID_MEM_OBJECT;
    return vsg_ocl_device_has(request->queue->device, VSG_OCL_IMAGES) ? CL_SUCCESS
                                                                      : CL_INVALID_OPERATION;
}

/* ---- between an image and the application's memory -------------------------------------- */

/* The application's texels. */
typedef struct host_texels {
    void *data;
    size_t row_pitch, slice_pitch; /* 0: as close as they can be */
} host_texels;

/* A box of an image, as a caller names it. */
typedef struct place {
    cl_mem image;
    const size_t *origin, *region;
} place;

/* Texels of a box as they lie at a pointer. A row pitch of an array of one-dimensional images
 * is that from layer to layer, which is their slice pitch. */
static cl_int host_side(cl_mem image, const vsg_ocl_box *box, const host_texels *host,
                        vsg_ocl_side *side)
{
    bool is_lines = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    size_t row_pitch = host->row_pitch, slice_pitch = host->slice_pitch;

    if (!host->data)
        return CL_INVALID_VALUE;
    if (row_pitch == 0)
        row_pitch = box->width;
    if (row_pitch < box->width || row_pitch > SIZE_MAX / box->rows)
        return CL_INVALID_VALUE;
    size_t least = is_lines ? row_pitch : row_pitch * box->rows;
    if (slice_pitch == 0)
        slice_pitch = least;
    if (vsg_ocl_image_is_layered(image->type) && slice_pitch < least)
        return CL_INVALID_VALUE;
    *side = (vsg_ocl_side){host->data, is_lines ? slice_pitch : row_pitch, slice_pitch, NULL};
    return CL_SUCCESS;
}

static cl_int move_texels(const vsg_ocl_request *request, cl_bool blocking,
                          const vsg_ocl_box *box, vsg_ocl_side from, vsg_ocl_side to)
{
    const vsg_ocl_copy copy = {from, to, box->width, box->rows, box->slices};

    return vsg_ocl_enqueue_copy(request, blocking, &copy);
}

/* To the host or from it, as the command's type says. */
static cl_int move_to_or_from_host(const vsg_ocl_request *request, cl_bool blocking,
                                   const place *at, const host_texels *texels)
{
    bool is_read = request->type == CL_COMMAND_READ_IMAGE;
    vsg_ocl_box box;
    vsg_ocl_side host;
    cl_int status = check_image(request, at->image);

    if (status == CL_SUCCESS)
        status = vsg_ocl_image_box(at->image, at->origin, at->region, &box);
    if (status == CL_SUCCESS)
        status = host_side(at->image, &box, texels, &host);
    if (status != CL_SUCCESS)
        return status;
    if (is_read ? !vsg_ocl_host_may_read(at->image) : !vsg_ocl_host_may_write(at->image))
        return CL_INVALID_OPERATION;
    vsg_ocl_side own = vsg_ocl_image_side(at->image, &box);
    return is_read ? move_texels(request, blocking, &box, own, host)
                   : move_texels(request, blocking, &box, host, own);
}

cl_int clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking_read,
                          const size_t *origin, const size_t *region, size_t row_pitch,
                          size_t slice_pitch, void *ptr, cl_uint num_events_in_wait_list,
                          const cl_event *event_wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_READ_IMAGE, num_events_in_wait_list,
                                     event_wait_list, event};

    return move_to_or_from_host(&request, blocking_read, &(place){image, origin, region},
                                &(host_texels){ptr, row_pitch, slice_pitch});
}

cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking_write,
                           const size_t *origin, const size_t *region, size_t input_row_pitch,
                           size_t input_slice_pitch, const void *ptr,
                           cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                           cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_WRITE_IMAGE, num_events_in_wait_list,
                                     event_wait_list, event};

    return move_to_or_from_host(
        &request, blocking_write, &(place){image, origin, region},
        &(host_texels){(void *)(uintptr_t)ptr, input_row_pitch, input_slice_pitch});
}

/* ---- between images, and between images and buffers ------------------------------------- */

static bool apart(size_t a, size_t b, size_t size)
{
    return a + size <= b || b + size <= a;
}

static bool boxes_are_apart(const vsg_ocl_box *a, const vsg_ocl_box *b)
{
    return apart(a->x, b->x, a->width) || apart(a->y, b->y, a->rows) ||
           apart(a->z, b->z, a->slices);
}

cl_int clEnqueueCopyImage(cl_command_queue queue, cl_mem src_image, cl_mem dst_image,
                          const size_t *src_origin, const size_t *dst_origin,
                          const size_t *region, cl_uint num_events_in_wait_list,
                          const cl_event *event_wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_COPY_IMAGE, num_events_in_wait_list,
                                     event_wait_list, event};
    vsg_ocl_box from, to;
    cl_int status = check_image(&request, src_image);

    if (status == CL_SUCCESS)
        status = check_image(&request, dst_image);
    if (status == CL_SUCCESS &&
        memcmp(&src_image->format.cl, &dst_image->format.cl, sizeof src_image->format.cl) != 0)
        status = CL_IMAGE_FORMAT_MISMATCH;
    if (status == CL_SUCCESS)
        status = vsg_ocl_image_box(src_image, src_origin, region, &from);
    if (status == CL_SUCCESS)
        status = vsg_ocl_image_box(dst_image, dst_origin, region, &to);
    if (status == CL_SUCCESS && src_image == dst_image && !boxes_are_apart(&from, &to))
        status = CL_MEM_COPY_OVERLAP;
    return status == CL_SUCCESS
               ? move_texels(&request, CL_FALSE, &from, vsg_ocl_image_side(src_image, &from),
                             vsg_ocl_image_side(dst_image, &to))
               : status;
}

/* Texels of a box without gaps, in a buffer. */
static cl_int buffer_side(const vsg_ocl_request *request, cl_mem buffer, size_t offset,
                          const vsg_ocl_box *box, vsg_ocl_side *side)
{
    size_t size = box->width * box->rows * box->slices;

    if (!vsg_ocl_is_buffer(buffer))
        return CL_INVALID_MEM_OBJECT;
    if (buffer->context != request->queue->context)
        return CL_INVALID_CONTEXT;
    if (offset > buffer->size_bytes || size > buffer->size_bytes - offset)
        return CL_INVALID_VALUE;
    *side = (vsg_ocl_side){buffer->data + offset, box->width, box->width * box->rows, buffer};
    return CL_SUCCESS;
}

/* To the buffer or from it, as the command's type says. */
static cl_int move_to_or_from_buffer(const vsg_ocl_request *request, const place *at,
                                     cl_mem buffer, size_t offset)
{
    vsg_ocl_box box;
    vsg_ocl_side other;
    cl_int status = check_image(request, at->image);

    if (status == CL_SUCCESS && !vsg_ocl_is_buffer(buffer))
        status = CL_INVALID_MEM_OBJECT;
    if (status == CL_SUCCESS)
        status = vsg_ocl_image_box(at->image, at->origin, at->region, &box);
    if (status == CL_SUCCESS)
        status = buffer_side(request, buffer, offset, &box, &other);
    if (status != CL_SUCCESS)
        return status;
    vsg_ocl_side own = vsg_ocl_image_side(at->image, &box);
    return request->type == CL_COMMAND_COPY_IMAGE_TO_BUFFER
               ? move_texels(request, CL_FALSE, &box, own, other)
               : move_texels(request, CL_FALSE, &box, other, own);
}

cl_int clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem src_image, cl_mem dst_buffer,
                                  const size_t *src_origin, const size_t *region,
                                  size_t dst_offset, cl_uint num_events_in_wait_list,
                                  const cl_event *event_wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER,
                                     num_events_in_wait_list, event_wait_list, event};

    return move_to_or_from_buffer(&request, &(place){src_image, src_origin, region}, dst_buffer,
                                  dst_offset);
}

cl_int clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem src_buffer, cl_mem dst_image,
                                  size_t src_offset, const size_t *dst_origin,
                                  const size_t *region, cl_uint num_events_in_wait_list,
                                  const cl_event *event_wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE,
                                     num_events_in_wait_list, event_wait_list, event};

    return move_to_or_from_buffer(&request, &(place){dst_image, dst_origin, region}, src_buffer,
                                  src_offset);
}

/* ---- filling ---------------------------------------------------------------------------- */

typedef struct texel_fill {
    vsg_ocl_side to; /* its memory is held */
    vsg_ocl_box box;
    size_t texel_bytes;
    uint8_t texel[VSG_OCL_MOST_TEXEL];
} texel_fill;

static cl_int run_fill(cl_event event, void *payload)
{
    const texel_fill *fill = payload;

    (void)event;
    for (size_t z = 0; z < fill->box.slices; z++)
        for (size_t y = 0; y < fill->box.rows; y++) {
            uint8_t *row = fill->to.data + z * fill->to.slice_pitch + y * fill->to.row_pitch;
            for (size_t x = 0; x < fill->box.width; x += fill->texel_bytes)
                memcpy(row + x, fill->texel, fill->texel_bytes);
            vsg_ocl_memory_written(fill->to.memory, row, fill->box.width);
        }
    return CL_COMPLETE;
}

static void drop_fill(void *payload)
{
    vsg_ocl_let_go(((texel_fill *)payload)->to.memory);
}

cl_int clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *fill_color,
                          const size_t *origin, const size_t *region,
                          cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                          cl_event *event)
{
    VSG_OCL_TRACED;
    static const vsg_ocl_action action = {run_fill, drop_fill};
    const vsg_ocl_request request = {queue, CL_COMMAND_FILL_IMAGE, num_events_in_wait_list,
                                     event_wait_list, event};
    cl_event command = NULL;
    vsg_ocl_box box;
    cl_int status = check_image(&request, image);

    if (status == CL_SUCCESS)
        status = vsg_ocl_image_box(image, origin, region, &box);
    if (status == CL_SUCCESS && !fill_color)
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS)
        status = vsg_ocl_command_new(&request, &action, sizeof(texel_fill), &command);
    if (status != CL_SUCCESS)
        return status;
    texel_fill *fill = vsg_ocl_command_payload(command);
    fill->to = vsg_ocl_image_side(image, &box);
    fill->box = box;
    fill->texel_bytes = vsg_ocl_format_bytes(&image->format);
    vsg_ocl_format_pack(&image->format, fill_color, fill->texel);
    vsg_ocl_hold(image);
    return vsg_ocl_command_submit(command, &request, CL_FALSE);
}
