/* SPDX-License-Identifier: MIT
 *
 * Mapping memory objects. Contents are where the host can reach them, so that a map is their
 * address; only what is at the application's own memory, too (CL_MEM_USE_HOST_PTR), is copied
 * there when it is mapped, and back when it is unmapped. */
#include <stdlib.h>
#include <string.h>

#include "opencl/image.h"
#include "opencl/trace.h"
#include "opencl/transfer.h"

struct vsg_ocl_map {
    vsg_ocl_map *next;
    void *pointer; /* the application's */
    bool is_write;
    vsg_ocl_copy back; /* of copied memory: what unmapping copies */
};

void vsg_ocl_maps_free(cl_mem memory)
{
    while (memory->maps) {
        vsg_ocl_map *next = memory->maps->next;
        free(memory->maps);
        memory->maps = next;
    }
}

static const cl_map_flags map_flags =
    CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

static cl_int check_map(const vsg_ocl_request *request, cl_mem memory, cl_map_flags flags)
{
    const cl_map_flags writes = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    cl_int status = vsg_ocl_check_access(request, memory);

    if (status != CL_SUCCESS)
        return status;
    if ((flags & ~map_flags) ||
        ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE))))
        return CL_INVALID_VALUE;
    if (((flags & CL_MAP_READ) && !vsg_ocl_host_may_read(memory)) ||
        ((flags & writes) && !vsg_ocl_host_may_write(memory)))
        return CL_INVALID_OPERATION;
    return CL_SUCCESS;
}

/* What a map command, or that of an unmap, has to do. */
typedef struct map_job {
    vsg_ocl_copy copy;
    bool is_copied;
    bool is_write;    /* of the map */
    cl_mem memory;    /* held */
    vsg_ocl_map *map; /* owned: of an unmap */
} map_job;

/* Of an unmap: the application may have written all that it saw. */
static void tell_written(const map_job *job)
{
    const vsg_ocl_copy *back = &job->map->back;

    for (size_t z = 0; z < back->slices; z++)
        for (size_t y = 0; y < back->rows; y++)
            vsg_ocl_memory_written(
                job->memory, back->to.data + z * back->to.slice_pitch + y * back->to.row_pitch,
                back->width);
}

static cl_int run_map(cl_event event, void *payload)
{
    const map_job *job = payload;

    (void)event;
    if (job->is_copied)
        vsg_ocl_copy_now(&job->copy);
    if (job->map && job->is_write)
        tell_written(job);
    if (vsg_ocl_is_buffer(job->memory) && job->copy.width == job->memory->size_bytes)
        vsg_ocl_memory_mapped(job->memory, job->is_write, job->map != NULL);
    return CL_COMPLETE;
}

static void drop_map(void *payload)
{
    map_job *job = payload;

    free(job->map);
    vsg_ocl_let_go(job->memory);
}

static const vsg_ocl_action map_action = {run_map, drop_map};

/* Takes the record of a map out; NULL: nothing is mapped there. */
static vsg_ocl_map *take_map(cl_mem memory, const void *pointer)
{
    vsg_ocl_map *found = NULL;

    (void)pthread_mutex_lock(&memory->context->lock);
    vsg_ocl_map **at = &memory->maps;
    while (*at && (*at)->pointer != pointer)
        at = &(*at)->next;
    if (*at) {
        found = *at;
        *at = found->next;
        memory->num_maps--;
    }
    (void)pthread_mutex_unlock(&memory->context->lock);
    return found;
}

/* Enqueues a map. copy: from the contents to the application's memory, where that is used. */
static void *enqueue_map(const vsg_ocl_request *request, cl_mem memory, cl_bool blocking,
                         cl_map_flags flags, const vsg_ocl_copy *copy, cl_int *status)
{
    cl_event command;
    vsg_ocl_map *map = calloc(1, sizeof *map);

    *status = map ? vsg_ocl_command_new(request, &map_action, sizeof(map_job), &command)
                  : CL_OUT_OF_HOST_MEMORY;
    if (*status != CL_SUCCESS) {
        free(map);
        return NULL;
    }
    map->pointer = memory->is_copied ? copy->to.data : copy->from.data;
    map->is_write = (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
    map->back = *copy;
    map->back.from = copy->to;
    map->back.to = copy->from;
    map_job *job = vsg_ocl_command_payload(command);
    job->copy = *copy;
    job->is_copied = memory->is_copied && !(flags & CL_MAP_WRITE_INVALIDATE_REGION);
    job->is_write = map->is_write;
    job->memory = memory;
    vsg_ocl_hold(memory);
    void *pointer = map->pointer;
    (void)pthread_mutex_lock(&memory->context->lock);
    map->next = memory->maps;
    memory->maps = map;
    memory->num_maps++;
    (void)pthread_mutex_unlock(&memory->context->lock);
    *status = vsg_ocl_command_submit(command, request, blocking);
    if (*status == CL_SUCCESS)
        return pointer;
    free(take_map(memory, pointer)); /* a blocking map that failed maps nothing */
    return NULL;
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking_map,
                         cl_map_flags flags, size_t offset, size_t size,
                         cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                         cl_event *event, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_MAP_BUFFER, num_events_in_wait_list,
                                     event_wait_list, event};
    void *pointer = NULL;
    cl_int status = check_map(&request, buffer, flags);

    if (status == CL_SUCCESS && !vsg_ocl_is_buffer(buffer))
        status = CL_INVALID_MEM_OBJECT;
    if (status == CL_SUCCESS &&
        (size == 0 || offset > buffer->size_bytes || size > buffer->size_bytes - offset))
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS) {
        uint8_t *host = buffer->is_copied ? (uint8_t *)buffer->host_ptr + offset : NULL;
        const vsg_ocl_copy copy = {{.data = buffer->data + offset}, {.data = host}, size, 1, 1};
        pointer = enqueue_map(&request, buffer, blocking_map, flags, &copy, &status);
    }
    vsg_ocl_result(errcode_ret, status);
    return pointer;
}

/* ---- images ----------------------------------------------------------------------------- */

static bool is_layered(cl_mem image)
{
    return vsg_ocl_image_is_layered(image->type);
}

void *clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking_map,
                        cl_map_flags flags, const size_t *origin, const size_t *region,
                        size_t *image_row_pitch, size_t *image_slice_pitch,
                        cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                        cl_event *event, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_MAP_IMAGE, num_events_in_wait_list,
                                     event_wait_list, event};
    vsg_ocl_box box;
    void *pointer = NULL;
    cl_int status = check_map(&request, image, flags);

    if (status == CL_SUCCESS && !vsg_ocl_is_image(image))
        status = CL_INVALID_MEM_OBJECT;
    if (status == CL_SUCCESS)
        status = vsg_ocl_image_box(image, origin, region, &box);
    if (status == CL_SUCCESS && (!image_row_pitch || (is_layered(image) && !image_slice_pitch)))
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS) {
        vsg_ocl_copy copy = {.width = box.width, .rows = box.rows, .slices = box.slices};
        copy.from = vsg_ocl_image_side(image, &box);
        copy.from.memory = NULL;
        copy.to = vsg_ocl_image_host_side(image, &box);
        *image_row_pitch = image->is_copied ? image->host_row_pitch : image->row_pitch;
        size_t slice = image->is_copied ? image->host_slice_pitch : image->slice_pitch;
        if (image_slice_pitch)
            *image_slice_pitch = is_layered(image) ? slice : 0;
        pointer = enqueue_map(&request, image, blocking_map, flags, &copy, &status);
    }
    vsg_ocl_result(errcode_ret, status);
    return pointer;
}

/* ---- unmapping -------------------------------------------------------------------------- */

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memobj, void *mapped_ptr,
                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                               cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_UNMAP_MEM_OBJECT,
                                     num_events_in_wait_list, event_wait_list, event};
    cl_event command;
    cl_int status = vsg_ocl_check_access(&request, memobj);

    if (status == CL_SUCCESS)
        status = vsg_ocl_command_new(&request, &map_action, sizeof(map_job), &command);
    if (status != CL_SUCCESS)
        return status;
    map_job *job = vsg_ocl_command_payload(command);
    job->map = take_map(memobj, mapped_ptr);
    if (!job->map) {
        vsg_ocl_command_discard(command);
        return CL_INVALID_VALUE;
    }
    job->copy = job->map->back;
    job->is_copied = memobj->is_copied && job->map->is_write;
    job->is_write = job->map->is_write;
    job->memory = memobj;
    vsg_ocl_hold(memobj);
    return vsg_ocl_command_submit(command, &request, CL_FALSE);
}
