/* SPDX-License-Identifier: MIT
 *
 * Launches. What the arguments are is copied when a launch is enqueued; libvisage is told when
 * it runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/kernel.h"
#include "opencl/queue.h"
#include "opencl/trace.h"

/* A launch in a queue; the arguments follow it, then the bytes of those that are values. */
typedef struct ndrange {
    cl_kernel kernel; /* held */
    vsg_ocl_kernel_on *on;
    uint64_t
        version; /* of the kernel's arguments; those that are pointers say more each time */
    bool has_pointers;
    visage_range range;
    vsg_ocl_arg args[];
} ndrange;

/* ---- running ---------------------------------------------------------------------------- */

static visage_status give_arg(cl_context context, const vsg_ocl_arg *arg,
                              const visage_argument_info *info, size_t index,
                              vsg_ocl_runner *runner)
{
    visage_launch *launch = runner->launch;
    visage_diagnostics *list = runner->diagnostics;
    vsg_ocl_svm svm;

    if (arg->sampler)
        return visage_launch_set_sampler(launch, index, arg->sampler->sampler, list);
    if (arg->memory && info->kind == VISAGE_ARGUMENT_IMAGE)
        return visage_launch_set_image(launch, index, arg->memory->image, list);
    if (arg->memory)
        return visage_launch_set_buffer(launch, index, arg->memory->buffer,
                                        arg->memory->offset_bytes, list);
    if (arg->pointer && vsg_ocl_svm_find(context, arg->pointer, &svm))
        return visage_launch_set_buffer(launch, index, svm.buffer,
                                        (size_t)((const uint8_t *)arg->pointer - svm.base),
                                        list);
    if (info->kind == VISAGE_ARGUMENT_BUFFER)
        return visage_launch_set_buffer(launch, index, NULL, 0, list);
    if (info->kind == VISAGE_ARGUMENT_LOCAL)
        return visage_launch_set_local(launch, index, arg->size_bytes, list);
    return visage_launch_set_value(launch, index, arg->bytes, arg->size_bytes, list);
}

/* is_over: it has failed; else it is only told something. */
static void tell(cl_event event, const ndrange *work, bool is_over, const char *reason)
{
    size_t size = strlen(work->kernel->name) + strlen(reason) + 64;
    char *text = malloc(size);

    if (!text)
        return;
    (void)snprintf(text, size, "kernel \"%s\"%s on %s:\n%s", work->kernel->name,
                   is_over ? " failed" : "", work->on->build->device->facts->key, reason);
    vsg_ocl_context_notify(event->context, text);
    free(text);
}

/* What the runner had before it need not be given again: the launch holds the same objects. */
static visage_status give_args(cl_context context, const ndrange *work, vsg_ocl_runner *runner)
{
    cl_kernel kernel = work->kernel;
    visage_status status = VISAGE_OK;

    if (runner->version == work->version && !work->has_pointers)
        return VISAGE_OK;
    runner->version = 0;
    for (cl_uint i = 0; i < kernel->num_args && status == VISAGE_OK; i++)
        status = give_arg(context, &work->args[i], &kernel->infos[i], i, runner);
    if (status == VISAGE_OK)
        runner->version = work->version;
    return status;
}

static cl_int run_with(cl_event event, ndrange *work, vsg_ocl_runner *runner)
{
    visage_status status = give_args(event->context, work, runner);

    if (status == VISAGE_OK)
        status = visage_launch_run(runner->launch, &work->range, &runner->options,
                                   runner->diagnostics, NULL);
    if (visage_diagnostics_count(runner->diagnostics) > 0) {
        char *reason = vsg_ocl_tell(runner->diagnostics);
        if (reason)
            tell(event, work, status != VISAGE_OK, reason);
        free(reason);
    }
    return status == VISAGE_OK          ? CL_COMPLETE
           : status == VISAGE_NO_MEMORY ? CL_MEM_OBJECT_ALLOCATION_FAILURE
                                        : CL_OUT_OF_RESOURCES;
}

static cl_int run(cl_event event, void *payload)
{
    ndrange *work = payload;
    char *reason;
    vsg_ocl_span span = vsg_ocl_trace_begin("launch", "launch");
    vsg_ocl_runner *runner = vsg_ocl_runner_take(work->kernel, work->on, &reason);
    cl_int status = CL_OUT_OF_RESOURCES;

    if (runner) {
        status = run_with(event, work, runner);
        vsg_ocl_runner_give_back(work->kernel, work->on, runner);
    } else {
        tell(event, work, true, reason ? reason : "memory is out");
        free(reason);
    }
    if (span.begin)
        vsg_ocl_trace_end_with(&span, "kernel", work->kernel->name);
    return status;
}

static void drop(void *payload)
{
    ndrange *work = payload;

    if (!work->kernel)
        return;
    for (cl_uint i = 0; i < work->kernel->num_args; i++) {
        vsg_ocl_let_go(work->args[i].memory);
        vsg_ocl_let_go(work->args[i].sampler);
    }
    vsg_ocl_let_go(work->kernel);
}

static const vsg_ocl_action launch = {run, drop};

/* ---- the range -------------------------------------------------------------------------- */

enum { MOST_DIMS = 3 };
static const size_t MOST_ITEMS = (size_t)1 << 32;

/* Sizes as a caller gives them. */
typedef struct sizes {
    cl_uint dims;
    const size_t *offset, *global, *local; /* any may be NULL */
} sizes;

static cl_int check_global(const sizes *given)
{
    if (given->dims < 1 || given->dims > MOST_DIMS)
        return CL_INVALID_WORK_DIMENSION;
    for (cl_uint d = 0; given->global && d < given->dims; d++) {
        size_t offset = given->offset ? given->offset[d] : 0;
        if (given->global[d] > UINT32_MAX)
            return CL_INVALID_GLOBAL_WORK_SIZE;
        /* Code of the compiler's makes ids of 32 bits. */
        if (offset > MOST_ITEMS - given->global[d])
            return CL_INVALID_GLOBAL_OFFSET;
    }
    return CL_SUCCESS;
}

/* Asked before the sizes are checked: of more dimensions than there are, the first ones. */
static bool is_empty(const sizes *given)
{
    for (cl_uint d = 0; given->global && d < given->dims && d < MOST_DIMS; d++)
        if (given->global[d] == 0)
            return true;
    return !given->global;
}

/* Has the group that a kernel requires dimensions that the range has not? */
static bool requires_more(const vsg_ocl_kernel_on *on, const sizes *given)
{
    for (cl_uint d = given->dims; d < MOST_DIMS; d++)
        if (on->info.required_local[d] > 1)
            return true;
    return false;
}

/* A local size must be what the kernel requires, and may be no larger than the device's. */
static cl_int check_local(const vsg_ocl_kernel_on *on, const sizes *given)
{
    const uint32_t *required = on->info.required_local;
    uint32_t most = vsg_ocl_device_max_group(on->build->device);
    size_t items = 1;

    for (cl_uint d = 0; d < given->dims; d++) {
        size_t local = given->local[d];
        if (local == 0)
            return CL_INVALID_WORK_GROUP_SIZE;
        if (local > most)
            return CL_INVALID_WORK_ITEM_SIZE;
        if (required[0] && local != (required[d] ? required[d] : 1))
            return CL_INVALID_WORK_GROUP_SIZE;
        items *= local;
        if (items > most || (!on->is_uneven && given->global[d] % local != 0))
            return CL_INVALID_WORK_GROUP_SIZE;
    }
    return CL_SUCCESS;
}

/* range: zeroed. */
static cl_int make_range(const vsg_ocl_kernel_on *on, const sizes *given, visage_range *range)
{
    range->struct_size = sizeof *range;
    for (cl_uint d = 0; d < given->dims; d++) {
        range->global[d] = (uint32_t)given->global[d];
        range->local[d] = given->local ? (uint32_t)given->local[d] : 0;
        range->offset[d] = given->offset ? given->offset[d] : 0;
    }
    range->uneven = on->is_uneven;
    if (requires_more(on, given))
        return CL_INVALID_WORK_GROUP_SIZE;
    if (given->local)
        return check_local(on, given);
    for (cl_uint d = 0; on->info.required_local[0] && d < given->dims; d++) {
        uint32_t required = on->info.required_local[d];
        if (required > 1 && !on->is_uneven && range->global[d] % required != 0)
            return CL_INVALID_WORK_GROUP_SIZE;
    }
    return CL_SUCCESS;
}

/* ---- enqueueing ------------------------------------------------------------------------- */

/* One argument as it is now. False: it is not set, or what it was set to is released. */
static bool copy_arg(const vsg_ocl_arg *from, vsg_ocl_arg *to)
{
    if (!from->is_set || (from->memory && !vsg_ocl_hold_watched(from->memory)))
        return false;
    if (from->sampler && !vsg_ocl_hold_watched(from->sampler)) {
        vsg_ocl_let_go(from->memory);
        return false;
    }
    *to = *from;
    return true;
}

/* The arguments as they are now, into the launch. Returns CL_INVALID_KERNEL_ARGS. */
static cl_int copy_args(cl_kernel kernel, ndrange *work)
{
    uint8_t *values = (uint8_t *)&work->args[kernel->num_args];
    bool is_good = true;

    vsg_ocl_hold(kernel);
    work->kernel = kernel;
    (void)pthread_mutex_lock(&kernel->lock);
    memcpy(values, kernel->values, kernel->num_values);
    work->version = kernel->version;
    for (cl_uint i = 0; i < kernel->num_args && is_good; i++) {
        is_good = copy_arg(&kernel->args[i], &work->args[i]);
        work->args[i].bytes = values + (kernel->args[i].bytes - kernel->values);
        work->has_pointers |= kernel->args[i].is_pointer;
    }
    (void)pthread_mutex_unlock(&kernel->lock);
    return is_good ? CL_SUCCESS : CL_INVALID_KERNEL_ARGS;
}

/* Images are of the context, which may have devices that have none. */
static cl_int check_images(cl_device_id device, const ndrange *work)
{
    for (cl_uint i = 0; i < work->kernel->num_args; i++)
        if (work->args[i].memory && vsg_ocl_is_image(work->args[i].memory) &&
            !vsg_ocl_device_has(device, VSG_OCL_IMAGES))
            return CL_IMAGE_FORMAT_NOT_SUPPORTED;
    return CL_SUCCESS;
}

/* Everything that is checked of a launch goes into it: the range, and then the arguments. */
static cl_int fill(const vsg_ocl_request *request, cl_kernel kernel, const sizes *given,
                   ndrange *work)
{
    cl_int status = check_global(given);

    if (status == CL_SUCCESS && !is_empty(given))
        status = make_range(work->on, given, &work->range);
    if (status == CL_SUCCESS && work->on->info.slm_bytes + vsg_ocl_kernel_local_bytes(kernel) >
                                    vsg_ocl_device_slm_bytes(request->queue->device))
        status = CL_OUT_OF_RESOURCES;
    if (status == CL_SUCCESS)
        status = copy_args(kernel, work);
    return status == CL_SUCCESS ? check_images(request->queue->device, work) : status;
}

static cl_int enqueue(const vsg_ocl_request *request, cl_kernel kernel, const sizes *given)
{
    static const vsg_ocl_action nothing = {NULL, drop};
    cl_event command;

    if (!vsg_ocl_is_queue(request->queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (!vsg_ocl_is_kernel(kernel))
        return CL_INVALID_KERNEL;
    if (kernel->program->context != request->queue->context)
        return CL_INVALID_CONTEXT;
    vsg_ocl_kernel_on *on = vsg_ocl_kernel_find(kernel, request->queue->device);
    if (!on)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    size_t bytes =
        sizeof(ndrange) + kernel->num_args * sizeof(vsg_ocl_arg) + kernel->num_values;
    cl_int status =
        vsg_ocl_command_new(request, is_empty(given) ? &nothing : &launch, bytes, &command);
    if (status != CL_SUCCESS)
        return status;
    ndrange *work = vsg_ocl_command_payload(command);
    work->on = on;
    status = fill(request, kernel, given, work);
    if (status != CL_SUCCESS) {
        vsg_ocl_command_discard(command);
        return status;
    }
    return vsg_ocl_command_submit(command, request, CL_FALSE);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
                              const size_t *global_work_offset, const size_t *global_work_size,
                              const size_t *local_work_size, cl_uint num_events,
                              const cl_event *wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_NDRANGE_KERNEL, num_events, wait_list,
                                     event};
    const sizes given = {work_dim, global_work_offset, global_work_size, local_work_size};

    return enqueue(&request, kernel, &given);
}

cl_int clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint num_events,
                     const cl_event *wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    static const size_t one = 1;
    const vsg_ocl_request request = {queue, CL_COMMAND_TASK, num_events, wait_list, event};
    const sizes given = {1, NULL, &one, &one};

    return enqueue(&request, kernel, &given);
}

/* ---- the local size chosen -------------------------------------------------------------- */

static cl_int all_args_set(cl_kernel kernel)
{
    cl_int status = CL_SUCCESS;

    (void)pthread_mutex_lock(&kernel->lock);
    for (cl_uint i = 0; i < kernel->num_args; i++)
        if (!kernel->args[i].is_set)
            status = CL_INVALID_KERNEL_ARGS;
    (void)pthread_mutex_unlock(&kernel->lock);
    return status;
}

static cl_int suggest(cl_kernel kernel, vsg_ocl_kernel_on *on, const sizes *given, size_t *out)
{
    visage_range range = {0};
    uint32_t local[3];
    char *reason;
    cl_int status = make_range(on, given, &range);
    vsg_ocl_runner *runner =
        status == CL_SUCCESS ? vsg_ocl_runner_take(kernel, on, &reason) : NULL;

    if (status != CL_SUCCESS)
        return status;
    if (!runner) {
        free(reason);
        return CL_OUT_OF_HOST_MEMORY;
    }
    if (visage_launch_choose_local(runner->launch, &range, runner->diagnostics, local) !=
        VISAGE_OK)
        status = CL_INVALID_GLOBAL_WORK_SIZE;
    vsg_ocl_runner_give_back(kernel, on, runner);
    for (cl_uint d = 0; status == CL_SUCCESS && d < given->dims; d++)
        out[d] = local[d];
    return status;
}

cl_int clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue queue, cl_kernel kernel,
                                            cl_uint work_dim, const size_t *global_work_offset,
                                            const size_t *global_work_size,
                                            size_t *suggested_local_work_size)
{
    VSG_OCL_TRACED;
    const sizes given = {work_dim, global_work_offset, global_work_size, NULL};

    if (!vsg_ocl_is_queue(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (!vsg_ocl_is_kernel(kernel))
        return CL_INVALID_KERNEL;
    if (kernel->program->context != queue->context)
        return CL_INVALID_CONTEXT;
    vsg_ocl_kernel_on *on = vsg_ocl_kernel_find(kernel, queue->device);
    if (!on)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    cl_int status = all_args_set(kernel);
    if (status == CL_SUCCESS)
        status = check_global(&given);
    if (status == CL_SUCCESS && is_empty(&given))
        status = CL_INVALID_GLOBAL_WORK_SIZE;
    if (status == CL_SUCCESS && !suggested_local_work_size)
        status = CL_INVALID_VALUE;
    return status == CL_SUCCESS ? suggest(kernel, on, &given, suggested_local_work_size)
                                : status;
}
