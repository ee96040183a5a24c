/* SPDX-License-Identifier: MIT */
#include "opencl/queue.h"

#include <stdlib.h>

#include "opencl/trace.h"

/* Called without commands: each of them holds the queue. By the queue's own thread, where the
 * last command that ran there was the last to hold it. */
static void leave_context(cl_command_queue queue)
{
    cl_context context = queue->context;

    (void)pthread_mutex_lock(&context->lock);
    *(queue->before ? &queue->before->next : &context->queues) = queue->next;
    if (queue->next)
        queue->next->before = queue->before;
    queue->quit = true;
    bool is_own = queue->has_thread && pthread_equal(queue->thread, pthread_self());
    if (is_own)
        *queue->thread_is_gone = true;
    else if (queue->has_thread)
        (void)pthread_cond_signal(&queue->wake);
    (void)pthread_mutex_unlock(&context->lock);
    if (is_own)
        (void)pthread_detach(queue->thread);
    else if (queue->has_thread)
        (void)pthread_join(queue->thread, NULL);
}

static void destroy(void *object)
{
    cl_command_queue queue = object;

    if (queue->has_wake) {
        leave_context(queue);
        (void)pthread_cond_destroy(&queue->wake);
    }
    free(queue->given);
    vsg_ocl_let_go(queue->context);
    vsg_ocl_object_delete(queue);
}

/* ---- making one ------------------------------------------------------------------------- */

static cl_int check_flags(cl_command_queue_properties flags)
{
    const cl_command_queue_properties host =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    const cl_command_queue_properties device = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

    if (flags & ~(host | device))
        return CL_INVALID_VALUE;
    if ((flags & CL_QUEUE_ON_DEVICE_DEFAULT) && !(flags & CL_QUEUE_ON_DEVICE))
        return CL_INVALID_VALUE;
    if ((flags & CL_QUEUE_ON_DEVICE) && !(flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
        return CL_INVALID_VALUE;
    return flags & device ? CL_INVALID_QUEUE_PROPERTIES : CL_SUCCESS;
}

/* One of the three hints of cl_khr_priority_hints and of cl_khr_throttle_hints, which say
 * nothing to a simulator. */
static bool is_hint(cl_queue_properties value)
{
    _Static_assert(CL_QUEUE_PRIORITY_HIGH_KHR == CL_QUEUE_THROTTLE_HIGH_KHR &&
                       CL_QUEUE_PRIORITY_LOW_KHR == CL_QUEUE_THROTTLE_LOW_KHR,
                   "hints");
    return value == CL_QUEUE_PRIORITY_HIGH_KHR || value == CL_QUEUE_PRIORITY_MED_KHR ||
           value == CL_QUEUE_PRIORITY_LOW_KHR;
}

static cl_int read_properties(const cl_queue_properties *list,
                              cl_command_queue_properties *flags)
{
    *flags = 0;
    for (; list && *list; list += 2) {
        switch (list[0]) {
        case CL_QUEUE_PROPERTIES:
            *flags = list[1];
            break;
        case CL_QUEUE_PRIORITY_KHR:
        case CL_QUEUE_THROTTLE_KHR:
            if (!is_hint(list[1]))
                return CL_INVALID_VALUE;
            break;
        default: /* the size of a queue on the device, too, which there is none of */
            return CL_INVALID_VALUE;
        }
    }
    return check_flags(*flags);
}

static void join_context(cl_command_queue queue)
{
    cl_context context = queue->context;

    (void)pthread_mutex_lock(&context->lock);
    queue->next = context->queues;
    if (queue->next)
        queue->next->before = queue;
    context->queues = queue;
    (void)pthread_mutex_unlock(&context->lock);
}

static cl_int create(cl_context context, cl_device_id device, cl_command_queue_properties flags,
                     const cl_queue_properties *given, cl_command_queue *out)
{
    cl_command_queue queue = vsg_ocl_object_new(sizeof *queue, VSG_OCL_QUEUE, destroy);

    if (!queue)
        return CL_OUT_OF_HOST_MEMORY;
    vsg_ocl_hold(context);
    queue->context = context;
    queue->device = device;
    queue->properties = flags;
    queue->has_wake = pthread_cond_init(&queue->wake, NULL) == 0;
    if (queue->has_wake)
        join_context(queue);
    if (!queue->has_wake || !vsg_ocl_copy_properties(given, &queue->given, &queue->num_given)) {
        vsg_ocl_let_go(queue);
        return CL_OUT_OF_HOST_MEMORY;
    }
    *out = queue;
    return CL_SUCCESS;
}

static cl_int check_place(cl_context context, cl_device_id device)
{
    if (!vsg_ocl_is_context(context))
        return CL_INVALID_CONTEXT;
    if (!vsg_ocl_is(device, VSG_OCL_DEVICE) || !vsg_ocl_context_has(context, device))
        return CL_INVALID_DEVICE;
    return CL_SUCCESS;
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties,
                                      cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    cl_command_queue queue = NULL;
    cl_int status = check_place(context, device);

    if (status == CL_SUCCESS)
        status = check_flags(properties);
    if (status == CL_SUCCESS)
        status = create(context, device, properties, NULL, &queue);
    vsg_ocl_result(errcode_ret, status);
    return queue;
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties *properties,
                                                    cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    cl_command_queue queue = NULL;
    cl_command_queue_properties flags = 0;
    cl_int status = check_place(context, device);

    if (status == CL_SUCCESS)
        status = read_properties(properties, &flags);
    if (status == CL_SUCCESS)
        status = create(context, device, flags, properties, &queue);
    vsg_ocl_result(errcode_ret, status);
    return queue;
}

cl_command_queue
clCreateCommandQueueWithPropertiesKHR(cl_context context, cl_device_id device,
                                      const cl_queue_properties_khr *properties,
                                      cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    _Static_assert(sizeof(cl_queue_properties_khr) == sizeof(cl_queue_properties), "lists");
    return clCreateCommandQueueWithProperties(
        context, device, (const cl_queue_properties *)properties, errcode_ret);
}

/* ---- what else is done with it ---------------------------------------------------------- */

cl_int clRetainCommandQueue(cl_command_queue queue)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_queue(queue))
        return CL_INVALID_COMMAND_QUEUE;
    vsg_ocl_retain(queue);
    return CL_SUCCESS;
}

cl_int clReleaseCommandQueue(cl_command_queue queue)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_queue(queue))
        return CL_INVALID_COMMAND_QUEUE;
    (void)pthread_mutex_lock(&queue->context->lock);
    vsg_ocl_queue_flush(queue);
    (void)pthread_mutex_unlock(&queue->context->lock);
    return vsg_ocl_release(queue) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info param_name,
                             size_t param_value_size, void *param_value,
                             size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_query query = {param_value_size, param_value, param_value_size_ret};

    if (!vsg_ocl_is_queue(queue))
        return CL_INVALID_COMMAND_QUEUE;
    switch (param_name) {
    case CL_QUEUE_CONTEXT:
        return vsg_ocl_answer_pointer(&query, queue->context);
    case CL_QUEUE_DEVICE:
        return vsg_ocl_answer_pointer(&query, queue->device);
    case CL_QUEUE_REFERENCE_COUNT:
        return vsg_ocl_answer_uint(&query, vsg_ocl_references(queue));
    case CL_QUEUE_PROPERTIES:
        return vsg_ocl_answer_ulong(&query, queue->properties);
    case CL_QUEUE_PROPERTIES_ARRAY:
        return vsg_ocl_answer(&query, queue->given, queue->num_given * sizeof *queue->given);
    case CL_QUEUE_SIZE:
        return CL_INVALID_COMMAND_QUEUE; /* not one on the device */
    case CL_QUEUE_DEVICE_DEFAULT:
        return vsg_ocl_answer_pointer(&query, NULL);
    default:
        return CL_INVALID_VALUE;
    }
}

/* Of OpenCL 1.0; a later device may refuse it. */
cl_int clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties properties,
                                 cl_bool enable, cl_command_queue_properties *old_properties)
{
    VSG_OCL_TRACED;
    (void)properties;
    (void)enable;
    (void)old_properties;
    return vsg_ocl_is_queue(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

cl_int clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue queue)
{
    VSG_OCL_TRACED;
    cl_int status = check_place(context, device);

    (void)queue; /* whichever it is: no device has a queue that could be replaced */
    return status != CL_SUCCESS ? status : CL_INVALID_OPERATION;
}

cl_int clFlush(cl_command_queue queue)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_queue(queue))
        return CL_INVALID_COMMAND_QUEUE;
    (void)pthread_mutex_lock(&queue->context->lock);
    vsg_ocl_queue_flush(queue);
    (void)pthread_mutex_unlock(&queue->context->lock);
    return CL_SUCCESS;
}

void vsg_ocl_queue_finish(cl_command_queue queue)
{
    cl_context context = queue->context;
    cl_event ended = NULL;

    (void)pthread_mutex_lock(&context->lock);
    uint64_t last = context->num_commands;
    queue->is_flushed = queue->first != NULL;
    /* The list is in the order of submission: what others add meanwhile is behind `last`. */
    while (queue->first && queue->first->number <= last) {
        if (!queue->is_running && vsg_ocl_queue_has_work(queue)) {
            vsg_ocl_queue_run(queue, queue->last, &ended);
            continue;
        }
        context->waiters++;
        (void)pthread_cond_wait(&context->changed, &context->lock);
        context->waiters--;
    }
    (void)pthread_mutex_unlock(&context->lock);
    vsg_ocl_let_go(ended);
}

/* A queue with commands is held by them. */
static cl_command_queue busy_queue(cl_context context, uint64_t last)
{
    cl_command_queue queue;

    (void)pthread_mutex_lock(&context->lock);
    for (queue = context->queues; queue; queue = queue->next)
        if (queue->first && queue->first->number <= last)
            break;
    vsg_ocl_hold(queue);
    (void)pthread_mutex_unlock(&context->lock);
    return queue;
}

void vsg_ocl_context_finish(cl_context context)
{
    cl_command_queue queue;

    (void)pthread_mutex_lock(&context->lock);
    uint64_t last = context->num_commands;
    for (queue = context->queues; queue; queue = queue->next)
        vsg_ocl_queue_flush(queue);
    (void)pthread_mutex_unlock(&context->lock);
    while ((queue = busy_queue(context, last)) != NULL) {
        vsg_ocl_queue_finish(queue);
        vsg_ocl_let_go(queue);
    }
}

cl_int clFinish(cl_command_queue queue)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_queue(queue))
        return CL_INVALID_COMMAND_QUEUE;
    vsg_ocl_queue_finish(queue);
    return CL_SUCCESS;
}
