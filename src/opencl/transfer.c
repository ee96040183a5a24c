/* SPDX-License-Identifier: MIT */
#include "opencl/transfer.h"

#include <string.h>

#include "opencl/trace.h"

/* ---- doing it --------------------------------------------------------------------------- */

static void copy_row(const vsg_ocl_copy *copy, uint8_t *to, const uint8_t *from)
{
    memmove(to, from, copy->width);
    if (copy->to.memory)
        vsg_ocl_memory_written(copy->to.memory, to, copy->width);
}

void vsg_ocl_copy_now(const vsg_ocl_copy *copy)
{
    const uint8_t *from = copy->from.data;
    uint8_t *to = copy->to.data;
    bool is_one = copy->rows == 1 && copy->slices == 1;

    if (is_one) {
        copy_row(copy, to, from);
        return;
    }
    for (size_t z = 0; z < copy->slices; z++)
        for (size_t y = 0; y < copy->rows; y++)
            copy_row(copy, to + z * copy->to.slice_pitch + y * copy->to.row_pitch,
                     from + z * copy->from.slice_pitch + y * copy->from.row_pitch);
}

static cl_int run_copy(cl_event event, void *payload)
{
    vsg_ocl_span span = vsg_ocl_trace_begin("transfer", "copy");

    (void)event;
    vsg_ocl_copy_now(payload);
    vsg_ocl_trace_end(&span);
    return CL_COMPLETE;
}

static void drop_copy(void *payload)
{
    vsg_ocl_copy *copy = payload;

    vsg_ocl_let_go(copy->from.memory);
    vsg_ocl_let_go(copy->to.memory);
}

cl_int vsg_ocl_enqueue_copy(const vsg_ocl_request *request, cl_bool blocking,
                            const vsg_ocl_copy *copy)
{
    static const vsg_ocl_action action = {run_copy, drop_copy};
    cl_event command;
    cl_int status = vsg_ocl_command_new(request, &action, sizeof *copy, &command);

    if (status != CL_SUCCESS)
        return status;
    vsg_ocl_hold(copy->from.memory);
    vsg_ocl_hold(copy->to.memory);
    *(vsg_ocl_copy *)vsg_ocl_command_payload(command) = *copy;
    return vsg_ocl_command_submit(command, request, blocking);
}

static cl_int run_fill(cl_event event, void *payload)
{
    const vsg_ocl_fill *fill = payload;
    vsg_ocl_span span = vsg_ocl_trace_begin("transfer", "fill");

    (void)event;
    if (fill->pattern_bytes == 1)
        memset(fill->to, fill->pattern[0], fill->size_bytes);
    else
        for (size_t at = 0; at < fill->size_bytes; at += fill->pattern_bytes)
            memcpy(fill->to + at, fill->pattern, fill->pattern_bytes);
    if (fill->memory)
        vsg_ocl_memory_written(fill->memory, fill->to, fill->size_bytes);
    vsg_ocl_trace_end(&span);
    return CL_COMPLETE;
}

static void drop_fill(void *payload)
{
    vsg_ocl_let_go(((vsg_ocl_fill *)payload)->memory);
}

cl_int vsg_ocl_enqueue_fill(const vsg_ocl_request *request, const vsg_ocl_fill *fill)
{
    static const vsg_ocl_action action = {run_fill, drop_fill};
    cl_event command;
    cl_int status = vsg_ocl_command_new(request, &action, sizeof *fill, &command);

    if (status != CL_SUCCESS)
        return status;
    vsg_ocl_hold(fill->memory);
    *(vsg_ocl_fill *)vsg_ocl_command_payload(command) = *fill;
    return vsg_ocl_command_submit(command, request, CL_FALSE);
}

bool vsg_ocl_is_pattern(size_t size_bytes)
{
    return size_bytes > 0 && size_bytes <= VSG_OCL_MOST_PATTERN &&
           (size_bytes & (size_bytes - 1)) == 0;
}

cl_int vsg_ocl_check_access(const vsg_ocl_request *request, cl_mem memory)
{
    if (!vsg_ocl_is_queue(request->queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (!vsg_ocl_is_memory(memory))
        return CL_INVALID_MEM_OBJECT;
    if (memory->context != request->queue->context)
        return CL_INVALID_CONTEXT;
    return vsg_ocl_request_check(request);
}

static cl_int check_buffer(const vsg_ocl_request *request, cl_mem buffer)
{
    cl_int status = vsg_ocl_check_access(request, buffer);

    return status == CL_SUCCESS && !vsg_ocl_is_buffer(buffer) ? CL_INVALID_MEM_OBJECT : status;
}

static bool is_inside(cl_mem buffer, size_t offset, size_t size)
{
    return offset <= buffer->size_bytes && size <= buffer->size_bytes - offset;
}

/* ---- lines ------------------------------------------------------------------------------ */

/* Nothing to copy is a command all the same. */
static cl_int copy_line(const vsg_ocl_request *request, cl_bool blocking, vsg_ocl_side from,
                        vsg_ocl_side to, size_t size)
{
    const vsg_ocl_copy copy = {from, to, size, 1, 1};

    return vsg_ocl_enqueue_copy(request, blocking, &copy);
}

/* A part of a buffer, and the application's memory. */
typedef struct line {
    cl_mem buffer;
    size_t offset, size;
    void *host;
} line;

/* To the host or from it, as the command's type says. */
static cl_int move_line(const vsg_ocl_request *request, cl_bool blocking, const line *l)
{
    bool is_read = request->type == CL_COMMAND_READ_BUFFER;
    cl_int status = check_buffer(request, l->buffer);

    if (status != CL_SUCCESS)
        return status;
    if (!l->host || !is_inside(l->buffer, l->offset, l->size))
        return CL_INVALID_VALUE;
    if (is_read ? !vsg_ocl_host_may_read(l->buffer) : !vsg_ocl_host_may_write(l->buffer))
        return CL_INVALID_OPERATION;
    const vsg_ocl_side host = {.data = l->host};
    const vsg_ocl_side own = {.data = l->buffer->data + l->offset, .memory = l->buffer};
    return is_read ? copy_line(request, blocking, own, host, l->size)
                   : copy_line(request, blocking, host, own, l->size);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking_read,
                           size_t offset, size_t size, void *ptr,
                           cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                           cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_READ_BUFFER, num_events_in_wait_list,
                                     event_wait_list, event};

    return move_line(&request, blocking_read, &(line){buffer, offset, size, ptr});
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking_write,
                            size_t offset, size_t size, const void *ptr,
                            cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                            cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_WRITE_BUFFER, num_events_in_wait_list,
                                     event_wait_list, event};

    return move_line(&request, blocking_write,
                     &(line){buffer, offset, size, (void *)(uintptr_t)ptr});
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem src_buffer, cl_mem dst_buffer,
                           size_t src_offset, size_t dst_offset, size_t size,
                           cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                           cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_COPY_BUFFER, num_events_in_wait_list,
                                     event_wait_list, event};
    cl_int status = check_buffer(&request, src_buffer);

    if (status == CL_SUCCESS)
        status = check_buffer(&request, dst_buffer);
    if (status != CL_SUCCESS)
        return status;
    if (!is_inside(src_buffer, src_offset, size) || !is_inside(dst_buffer, dst_offset, size))
        return CL_INVALID_VALUE;
    uint8_t *from = src_buffer->data + src_offset, *to = dst_buffer->data + dst_offset;
    /* Parts of one buffer, too, meet at the same addresses. */
    if (from < to + size && to < from + size)
        return CL_MEM_COPY_OVERLAP;
    return copy_line(&request, CL_FALSE, (vsg_ocl_side){.data = from, .memory = src_buffer},
                     (vsg_ocl_side){.data = to, .memory = dst_buffer}, size);
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                           size_t pattern_size, size_t offset, size_t size,
                           cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                           cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_FILL_BUFFER, num_events_in_wait_list,
                                     event_wait_list, event};
    cl_int status = check_buffer(&request, buffer);

    if (status != CL_SUCCESS)
        return status;
    if (!is_inside(buffer, offset, size) || !pattern || !vsg_ocl_is_pattern(pattern_size) ||
        offset % pattern_size != 0 || size % pattern_size != 0)
        return CL_INVALID_VALUE;
    vsg_ocl_fill fill = {buffer->data + offset, size, pattern_size, buffer, {0}};
    memcpy(fill.pattern, pattern, pattern_size);
    return vsg_ocl_enqueue_fill(&request, &fill);
}

/* ---- boxes ------------------------------------------------------------------------------ */

/* Where a box lies in some memory. */
typedef struct box {
    const size_t *origin, *region; /* first in bytes */
    size_t row_pitch, slice_pitch;
} box;

/* Pitches that are left out get their values. Source: clEnqueueReadBufferRect. */
static bool settle(box *b)
{
    if (!b->origin || !b->region || b->region[0] == 0 || b->region[1] == 0 || b->region[2] == 0)
        return false;
    if (b->row_pitch == 0)
        b->row_pitch = b->region[0];
    if (b->row_pitch < b->region[0] || b->region[1] > SIZE_MAX / b->row_pitch)
        return false;
    if (b->slice_pitch == 0)
        b->slice_pitch = b->region[1] * b->row_pitch;
    return b->slice_pitch >= b->region[1] * b->row_pitch && b->slice_pitch % b->row_pitch == 0;
}

/* One past the last byte of a box; false: that is beyond any memory. */
static bool end_of(const box *b, size_t *begin, size_t *end)
{
    size_t last;

    return !__builtin_mul_overflow(b->origin[2], b->slice_pitch, begin) &&
           !__builtin_mul_overflow(b->origin[1], b->row_pitch, end) &&
           !__builtin_add_overflow(*begin, *end, begin) &&
           !__builtin_add_overflow(*begin, b->origin[0], begin) &&
           !__builtin_mul_overflow(b->region[2] - 1, b->slice_pitch, &last) &&
           !__builtin_add_overflow(last, (b->region[1] - 1) * b->row_pitch + b->region[0],
                                   &last) &&
           !__builtin_add_overflow(*begin, last, end);
}

/* A side in a buffer: false, it does not fit. */
static bool side_in(cl_mem buffer, box *b, vsg_ocl_side *side)
{
    size_t begin, end;

    if (!settle(b) || !end_of(b, &begin, &end) || end > buffer->size_bytes)
        return false;
    *side = (vsg_ocl_side){buffer->data + begin, b->row_pitch, b->slice_pitch, buffer};
    return true;
}

static bool side_at(void *host, box *b, vsg_ocl_side *side)
{
    size_t begin, end;

    if (!host || !settle(b) || !end_of(b, &begin, &end))
        return false;
    *side = (vsg_ocl_side){(uint8_t *)host + begin, b->row_pitch, b->slice_pitch, NULL};
    return true;
}

static cl_int copy_box(const vsg_ocl_request *request, cl_bool blocking, vsg_ocl_side from,
                       vsg_ocl_side to, const size_t *region)
{
    const vsg_ocl_copy copy = {from, to, region[0], region[1], region[2]};

    return vsg_ocl_enqueue_copy(request, blocking, &copy);
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking_read,
                               const size_t *buffer_origin, const size_t *host_origin,
                               const size_t *region, size_t buffer_row_pitch,
                               size_t buffer_slice_pitch, size_t host_row_pitch,
                               size_t host_slice_pitch, void *ptr,
                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                               cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_READ_BUFFER_RECT,
                                     num_events_in_wait_list, event_wait_list, event};
    box inside = {buffer_origin, region, buffer_row_pitch, buffer_slice_pitch};
    box outside = {host_origin, region, host_row_pitch, host_slice_pitch};
    vsg_ocl_side from, to;
    cl_int status = check_buffer(&request, buffer);

    if (status != CL_SUCCESS)
        return status;
    if (!side_in(buffer, &inside, &from) || !side_at(ptr, &outside, &to))
        return CL_INVALID_VALUE;
    if (!vsg_ocl_host_may_read(buffer))
        return CL_INVALID_OPERATION;
    return copy_box(&request, blocking_read, from, to, region);
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking_write,
                                const size_t *buffer_origin, const size_t *host_origin,
                                const size_t *region, size_t buffer_row_pitch,
                                size_t buffer_slice_pitch, size_t host_row_pitch,
                                size_t host_slice_pitch, const void *ptr,
                                cl_uint num_events_in_wait_list,
                                const cl_event *event_wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_WRITE_BUFFER_RECT,
                                     num_events_in_wait_list, event_wait_list, event};
    box inside = {buffer_origin, region, buffer_row_pitch, buffer_slice_pitch};
    box outside = {host_origin, region, host_row_pitch, host_slice_pitch};
    vsg_ocl_side from, to;
    cl_int status = check_buffer(&request, buffer);

    if (status != CL_SUCCESS)
        return status;
    if (!side_in(buffer, &inside, &to) || !side_at((void *)(uintptr_t)ptr, &outside, &from))
        return CL_INVALID_VALUE;
    if (!vsg_ocl_host_may_write(buffer))
        return CL_INVALID_OPERATION;
    return copy_box(&request, blocking_write, from, to, region);
}

/* Do two boxes with the same pitches share a byte? Both are shifted copies of one another:
 * slices that are k apart have rows whose distance is `far`, a number of row pitches and a
 * rest. */
static bool boxes_meet(const vsg_ocl_side *a, const vsg_ocl_side *b, const size_t *region)
{
    intptr_t step = (intptr_t)a->row_pitch, width = (intptr_t)region[0];
    intptr_t rows = (intptr_t)region[1] - 1, slices = (intptr_t)region[2] - 1;

    for (intptr_t z = -slices; z <= slices; z++) {
        intptr_t far = (b->data - a->data) + z * (intptr_t)a->slice_pitch;
        for (intptr_t k = far / step - 1; k <= far / step + 1; k++)
            if (k >= -rows && k <= rows && far - k * step < width && far - k * step > -width)
                return true;
    }
    return false;
}

cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem src_buffer, cl_mem dst_buffer,
                               const size_t *src_origin, const size_t *dst_origin,
                               const size_t *region, size_t src_row_pitch,
                               size_t src_slice_pitch, size_t dst_row_pitch,
                               size_t dst_slice_pitch, cl_uint num_events_in_wait_list,
                               const cl_event *event_wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_COPY_BUFFER_RECT,
                                     num_events_in_wait_list, event_wait_list, event};
    box source = {src_origin, region, src_row_pitch, src_slice_pitch};
    box target = {dst_origin, region, dst_row_pitch, dst_slice_pitch};
    vsg_ocl_side from, to;
    cl_int status = check_buffer(&request, src_buffer);

    if (status == CL_SUCCESS)
        status = check_buffer(&request, dst_buffer);
    if (status != CL_SUCCESS)
        return status;
    if (!side_in(src_buffer, &source, &from) || !side_in(dst_buffer, &target, &to))
        return CL_INVALID_VALUE;
    if (src_buffer == dst_buffer &&
        (from.row_pitch != to.row_pitch || from.slice_pitch != to.slice_pitch))
        return CL_INVALID_VALUE;
    if (src_buffer->buffer == dst_buffer->buffer && from.row_pitch == to.row_pitch &&
        from.slice_pitch == to.slice_pitch && boxes_meet(&from, &to, region))
        return CL_MEM_COPY_OVERLAP;
    return copy_box(&request, CL_FALSE, from, to, region);
}
