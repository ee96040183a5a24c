/* SPDX-License-Identifier: MIT */
#include "opencl/event.h"

#include <stdlib.h>

#include "opencl/queue.h"
#include "opencl/trace.h"

static void destroy(void *object)
{
    cl_event event = object;

    while (event->watchers) {
        vsg_ocl_watcher *next = event->watchers->next;
        free(event->watchers);
        event->watchers = next;
    }
    vsg_ocl_let_go(event->queue ? (void *)event->queue : event->context);
    vsg_ocl_object_delete(event);
}

cl_event vsg_ocl_event_new(cl_context context, cl_command_queue queue, size_t payload_bytes,
                           size_t num_links)
{
    size_t step = sizeof(max_align_t);
    size_t payload = (payload_bytes + step - 1) / step * step;
    cl_event event = vsg_ocl_object_new(
        sizeof *event + payload + num_links * sizeof(vsg_ocl_link), VSG_OCL_EVENT, destroy);

    if (!event)
        return NULL;
    atomic_store_explicit(&event->head.references, 0, memory_order_relaxed);
    vsg_ocl_hold(queue ? (void *)queue : context);
    event->context = context;
    event->queue = queue;
    atomic_init(&event->status, CL_QUEUED);
    event->own = (vsg_ocl_link *)((char *)event->payload + payload);
    return event;
}

void vsg_ocl_event_drop(cl_event event)
{
    if (!event->is_dropped && event->action && event->action->drop)
        event->action->drop(event->payload);
    event->is_dropped = true;
}

/* ---- going on --------------------------------------------------------------------------- */

/* Takes out the callbacks that are due, in the order in which they were registered. */
static vsg_ocl_watcher *due_watchers(cl_event event, cl_int status)
{
    vsg_ocl_watcher *due = NULL, **end = &due;

    for (vsg_ocl_watcher **at = &event->watchers; *at;) {
        vsg_ocl_watcher *watcher = *at;
        if (watcher->status < status) {
            at = &watcher->next;
            continue;
        }
        *at = watcher->next;
        watcher->next = NULL;
        *end = watcher;
        end = &watcher->next;
    }
    return due;
}

static void call_watchers(cl_event event, vsg_ocl_watcher *due, cl_int status)
{
    while (due) {
        vsg_ocl_watcher *next = due->next;
        due->call(event, status < 0 ? status : due->status, due->user);
        free(due);
        due = next;
    }
}

static void tell(cl_event event, cl_int status)
{
    vsg_ocl_watcher *due = due_watchers(event, status);

    if (!due)
        return;
    (void)pthread_mutex_unlock(&event->context->lock);
    call_watchers(event, due, status);
    (void)pthread_mutex_lock(&event->context->lock);
}

void vsg_ocl_event_advance(cl_event event, cl_int status)
{
    atomic_store_explicit(&event->status, status, memory_order_release);
    if (event->watchers)
        tell(event, status);
}

void vsg_ocl_event_end(cl_event event, cl_int status)
{
    vsg_ocl_link *link = event->links;

    atomic_store_explicit(&event->status, status, memory_order_release);
    event->links = NULL;
    if (event->queue)
        vsg_ocl_queue_remove(event);
    while (link) {
        vsg_ocl_link *next = link->next;
        cl_event waiting = link->waiting;
        if (!link->is_order)
            vsg_ocl_event_fail_with(waiting, status);
        if (--waiting->waits_for == 0) {
            vsg_ocl_queue_ready(waiting);
            vsg_ocl_queue_kick(waiting->queue);
        }
        link = next;
    }
    if (event->context->waiters)
        (void)pthread_cond_broadcast(&event->context->changed);
    tell(event, status);
}

/* ---- waiting ---------------------------------------------------------------------------- */

cl_int vsg_ocl_event_wait(cl_event event)
{
    cl_context context = event->context;
    cl_command_queue queue = event->queue;
    cl_event ended = NULL;

    if (vsg_ocl_event_has_ended(event))
        return atomic_load(&event->status);
    (void)pthread_mutex_lock(&context->lock);
    if (queue)
        queue->is_flushed = true;
    while (!vsg_ocl_event_has_ended(event)) {
        if (queue && !queue->is_running && vsg_ocl_queue_has_work(queue)) {
            vsg_ocl_queue_run(queue, event, &ended);
            continue;
        }
        context->waiters++;
        (void)pthread_cond_wait(&context->changed, &context->lock);
        context->waiters--;
    }
    (void)pthread_mutex_unlock(&context->lock);
    vsg_ocl_let_go(ended);
    return atomic_load(&event->status);
}

cl_int vsg_ocl_check_wait_list(cl_context context, cl_uint count, const cl_event *list)
{
    if ((count == 0) != (list == NULL))
        return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < count; i++) {
        if (!vsg_ocl_is_event(list[i]))
            return CL_INVALID_EVENT_WAIT_LIST;
        if (list[i]->context != context)
            return CL_INVALID_CONTEXT;
    }
    return CL_SUCCESS;
}

static void flush_for(cl_event event)
{
    if (!event->queue || vsg_ocl_event_has_ended(event))
        return;
    (void)pthread_mutex_lock(&event->context->lock);
    vsg_ocl_queue_flush(event->queue);
    (void)pthread_mutex_unlock(&event->context->lock);
}

/* Each queue is flushed before the first event is waited for, which may depend on what another
 * one's commands do to the host (OpenCL API 3.0, 5.15 Flush and Finish). */
cl_int clWaitForEvents(cl_uint num_events, const cl_event *event_list)
{
    VSG_OCL_TRACED;
    cl_int status = CL_SUCCESS;

    if (num_events == 0 || !event_list)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < num_events; i++) {
        if (!vsg_ocl_is_event(event_list[i]))
            return CL_INVALID_EVENT;
        if (event_list[i]->context != event_list[0]->context)
            return CL_INVALID_CONTEXT;
    }
    for (cl_uint i = 1; i < num_events; i++)
        if (event_list[i]->queue != event_list[0]->queue)
            flush_for(event_list[i]);
    for (cl_uint i = 0; i < num_events; i++)
        if (vsg_ocl_event_wait(event_list[i]) < 0)
            status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    return status;
}

/* ---- asking ----------------------------------------------------------------------------- */

/* Programs that ask again and again would wait for ever for what nobody has flushed. */
static cl_int status_of(cl_event event)
{
    flush_for(event);
    return atomic_load(&event->status);
}

cl_int clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size,
                      void *param_value, size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_query query = {param_value_size, param_value, param_value_size_ret};

    if (!vsg_ocl_is_event(event))
        return CL_INVALID_EVENT;
    switch (param_name) {
    case CL_EVENT_COMMAND_QUEUE:
        return vsg_ocl_answer_pointer(&query, event->queue);
    case CL_EVENT_CONTEXT:
        return vsg_ocl_answer_pointer(&query, event->context);
    case CL_EVENT_COMMAND_TYPE:
        return vsg_ocl_answer_uint(&query, event->type);
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
        return vsg_ocl_answer_uint(&query, (cl_uint)status_of(event));
    case CL_EVENT_REFERENCE_COUNT:
        return vsg_ocl_answer_uint(&query, vsg_ocl_references(event));
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                               size_t param_value_size, void *param_value,
                               size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_query query = {param_value_size, param_value, param_value_size_ret};

    if (!vsg_ocl_is_event(event))
        return CL_INVALID_EVENT;
    if (param_name < CL_PROFILING_COMMAND_QUEUED || param_name > CL_PROFILING_COMMAND_COMPLETE)
        return CL_INVALID_VALUE;
    if (!event->queue || !(event->queue->properties & CL_QUEUE_PROFILING_ENABLE) ||
        atomic_load(&event->status) != CL_COMPLETE)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    /* Nothing a command starts goes on behind its end: it is complete then. */
    unsigned time = param_name - CL_PROFILING_COMMAND_QUEUED;
    return vsg_ocl_answer_ulong(
        &query, event->times[time < VSG_OCL_NUM_TIMES ? time : VSG_OCL_TIME_END]);
}

cl_int clRetainEvent(cl_event event)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_event(event))
        return CL_INVALID_EVENT;
    vsg_ocl_retain(event);
    return CL_SUCCESS;
}

cl_int clReleaseEvent(cl_event event)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_event(event) || !vsg_ocl_release(event))
        return CL_INVALID_EVENT;
    return CL_SUCCESS;
}

/* ---- user events ------------------------------------------------------------------------ */

cl_event clCreateUserEvent(cl_context context, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    cl_event event = NULL;
    cl_int status = CL_SUCCESS;

    if (!vsg_ocl_is_context(context))
        status = CL_INVALID_CONTEXT;
    else if (!(event = vsg_ocl_event_new(context, NULL, 0, 0)))
        status = CL_OUT_OF_HOST_MEMORY;
    if (event) {
        /* What new events are held for is the application's reference here. */
        atomic_store(&event->head.references, 1);
        atomic_store(&event->status, CL_SUBMITTED);
        event->type = CL_COMMAND_USER;
    }
    vsg_ocl_result(errcode_ret, status);
    return event;
}

cl_int clSetUserEventStatus(cl_event event, cl_int execution_status)
{
    VSG_OCL_TRACED;
    cl_int status = CL_SUCCESS;

    if (!vsg_ocl_is_event(event) || event->queue)
        return CL_INVALID_EVENT;
    if (execution_status > CL_COMPLETE)
        return CL_INVALID_VALUE;
    vsg_ocl_hold(event);
    (void)pthread_mutex_lock(&event->context->lock);
    if (vsg_ocl_event_has_ended(event))
        status = CL_INVALID_OPERATION;
    else
        vsg_ocl_event_end(event, execution_status);
    (void)pthread_mutex_unlock(&event->context->lock);
    vsg_ocl_let_go(event);
    return status;
}

/* ---- callbacks -------------------------------------------------------------------------- */

static void add_watcher(cl_event event, vsg_ocl_watcher *watcher)
{
    vsg_ocl_watcher **end = &event->watchers;

    while (*end)
        end = &(*end)->next;
    *end = watcher;
}

cl_int clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                          void(CL_CALLBACK *pfn_notify)(cl_event event, cl_int status,
                                                        void *user_data),
                          void *user_data)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_event(event))
        return CL_INVALID_EVENT;
    if (!pfn_notify || command_exec_callback_type < CL_COMPLETE ||
        command_exec_callback_type > CL_SUBMITTED)
        return CL_INVALID_VALUE;
    vsg_ocl_watcher *watcher = calloc(1, sizeof *watcher);
    if (!watcher)
        return CL_OUT_OF_HOST_MEMORY;
    watcher->status = command_exec_callback_type;
    watcher->call = pfn_notify;
    watcher->user = user_data;
    vsg_ocl_hold(event);
    (void)pthread_mutex_lock(&event->context->lock);
    add_watcher(event, watcher);
    cl_int status = atomic_load(&event->status);
    if (status <= command_exec_callback_type)
        tell(event, status);
    else if (event->queue)
        vsg_ocl_queue_flush(event->queue);
    (void)pthread_mutex_unlock(&event->context->lock);
    vsg_ocl_let_go(event);
    return CL_SUCCESS;
}
