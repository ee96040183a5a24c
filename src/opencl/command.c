/* SPDX-License-Identifier: MIT
 *
 * Commands in their queues: who waits for whom, and who runs them. */
#include "opencl/queue.h"

#include "base/thread.h"

/* So many commands are not kept waiting for somebody to ask; and no more than that many are
 * kept at all, where they can be run instead. */
enum { MANY_COMMANDS = 64, MOST_COMMANDS = 8192 };

/* How deep this thread is in running commands: what it enqueues meanwhile, in callbacks, must
 * not wait for them. */
static _Thread_local unsigned depth;

cl_int vsg_ocl_request_check(const vsg_ocl_request *request)
{
    if (!vsg_ocl_is_queue(request->queue))
        return CL_INVALID_COMMAND_QUEUE;
    return vsg_ocl_check_wait_list(request->queue->context, request->num_events,
                                   request->wait_list);
}

cl_int vsg_ocl_command_new(const vsg_ocl_request *request, const vsg_ocl_action *action,
                           size_t payload_bytes, cl_event *out)
{
    cl_int status = vsg_ocl_request_check(request);

    *out = NULL;
    if (status != CL_SUCCESS)
        return status;
    cl_command_queue queue = request->queue;
    cl_event command = vsg_ocl_event_new(queue->context, queue, payload_bytes,
                                         (size_t)request->num_events + 1);
    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    command->type = request->type;
    command->action = action;
    command->waits_for = 1;
    *out = command;
    return CL_SUCCESS;
}

void vsg_ocl_command_discard(cl_event command)
{
    vsg_ocl_event_drop(command);
    vsg_ocl_let_go(command);
}

/* ---- the list of a queue ---------------------------------------------------------------- */

static void append(cl_command_queue queue, cl_event command)
{
    command->before = queue->last;
    if (queue->last)
        queue->last->next = command;
    else
        queue->first = command;
    queue->last = command;
    queue->num_commands++;
}

bool vsg_ocl_queue_has_work(cl_command_queue queue)
{
    if (vsg_ocl_is_in_order(queue))
        return queue->first && queue->first->waits_for == 0;
    return queue->first_ready != NULL;
}

void vsg_ocl_queue_ready(cl_event command)
{
    cl_command_queue queue = command->queue;

    if (vsg_ocl_is_in_order(queue))
        return;
    if (command->waits_for_all && queue->first != command)
        return; /* its turn comes in vsg_ocl_queue_remove() */
    command->next_ready = NULL;
    if (queue->last_ready)
        queue->last_ready->next_ready = command;
    else
        queue->first_ready = command;
    queue->last_ready = command;
}

void vsg_ocl_queue_remove(cl_event command)
{
    cl_command_queue queue = command->queue;

    *(command->before ? &command->before->next : &queue->first) = command->next;
    *(command->next ? &command->next->before : &queue->last) = command->before;
    queue->num_commands--;
    if (queue->barrier == command)
        queue->barrier = NULL;
    if (!queue->first)
        queue->is_flushed = false;
    else if (!command->before && queue->first->waits_for_all && queue->first->waits_for == 0)
        vsg_ocl_queue_ready(queue->first);
}

/* ---- submission ------------------------------------------------------------------------- */

static void wait_for(cl_event command, vsg_ocl_link *link, cl_event other, bool is_order)
{
    cl_int status = atomic_load(&other->status);

    if (status <= CL_COMPLETE) {
        if (!is_order)
            vsg_ocl_event_fail_with(command, status);
        return;
    }
    *link = (vsg_ocl_link){other->links, command, is_order};
    other->links = link;
    command->waits_for++;
    /* Nobody may ever ask for the other queue's commands but by waiting for this one. */
    if (other->queue && other->queue != command->queue)
        vsg_ocl_queue_flush(other->queue);
}

static void insert(cl_event command, const vsg_ocl_request *request)
{
    cl_command_queue queue = command->queue;

    command->number = ++queue->context->num_commands;
    command->is_submitted = true;
    for (cl_uint i = 0; i < request->num_events; i++)
        wait_for(command, &command->own[i], request->wait_list[i], false);
    if (queue->barrier)
        wait_for(command, &command->own[request->num_events], queue->barrier, true);
    append(queue, command);
    if (command->is_barrier && !vsg_ocl_is_in_order(queue))
        queue->barrier = command;
    if (--command->waits_for == 0)
        vsg_ocl_queue_ready(command);
    if (queue->is_flushed)
        vsg_ocl_queue_kick(queue);
    else if (queue->num_commands >= MANY_COMMANDS)
        vsg_ocl_queue_flush(queue);
}

/* Holds a thread back that enqueues faster than commands run; not one that has yet to let them
 * begin. */
static void hold_back(cl_command_queue queue)
{
    cl_context context = queue->context;

    while (queue->num_commands > MOST_COMMANDS && depth == 0) {
        if (queue->is_running) {
            context->waiters++;
            (void)pthread_cond_wait(&context->changed, &context->lock);
            context->waiters--;
        } else if (vsg_ocl_queue_has_work(queue)) {
            cl_event ended = NULL;
            vsg_ocl_queue_run(queue, queue->first, &ended);
            (void)pthread_mutex_unlock(&context->lock);
            vsg_ocl_let_go(ended);
            (void)pthread_mutex_lock(&context->lock);
        } else {
            return;
        }
    }
}

cl_int vsg_ocl_command_submit(cl_event command, const vsg_ocl_request *request,
                              cl_bool blocking)
{
    cl_context context = command->context;
    cl_int status = CL_SUCCESS;

    if (command->queue->properties & CL_QUEUE_PROFILING_ENABLE)
        command->times[VSG_OCL_TIME_QUEUED] = vsg_ocl_now();
    /* The queue lets go of the command when it has ended. */
    if (blocking)
        vsg_ocl_hold(command);
    if (request->event)
        vsg_ocl_retain(command);
    (void)pthread_mutex_lock(&context->lock);
    insert(command, request);
    /* Not before: the application may keep it where it has the list to wait for. */
    if (request->event)
        *request->event = command;
    hold_back(request->queue);
    (void)pthread_mutex_unlock(&context->lock);
    if (blocking) {
        status = vsg_ocl_event_wait(command);
        if (command->failed < 0)
            status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        vsg_ocl_let_go(command);
    }
    return status < 0 ? status : CL_SUCCESS;
}

/* ---- running ---------------------------------------------------------------------------- */

static cl_event take(cl_command_queue queue)
{
    cl_event command = vsg_ocl_is_in_order(queue) ? queue->first : queue->first_ready;

    if (!vsg_ocl_is_in_order(queue)) {
        queue->first_ready = command->next_ready;
        if (!queue->first_ready)
            queue->last_ready = NULL;
    }
    return command;
}

/* ended: another, to be let go of without the lock; NULL: none. */
static void run_one(cl_event command, cl_event ended)
{
    cl_context context = command->context;
    bool is_profiled = (command->queue->properties & CL_QUEUE_PROFILING_ENABLE) != 0;
    cl_int status = command->failed;

    if (is_profiled)
        command->times[VSG_OCL_TIME_SUBMIT] = vsg_ocl_now();
    vsg_ocl_event_advance(command, CL_SUBMITTED);
    if (is_profiled)
        command->times[VSG_OCL_TIME_START] = vsg_ocl_now();
    if (status >= 0)
        vsg_ocl_event_advance(command, CL_RUNNING);
    (void)pthread_mutex_unlock(&context->lock);
    vsg_ocl_let_go(ended);
    if (status >= 0)
        status = command->action->run ? command->action->run(command, command->payload)
                                      : CL_COMPLETE;
    vsg_ocl_event_drop(command);
    if (is_profiled)
        command->times[VSG_OCL_TIME_END] = vsg_ocl_now();
    (void)pthread_mutex_lock(&context->lock);
    vsg_ocl_event_end(command, status);
}

void vsg_ocl_queue_run(cl_command_queue queue, cl_event until, cl_event *ended)
{
    cl_context context = queue->context;

    queue->is_running = true;
    depth++;
    while (vsg_ocl_queue_has_work(queue) && !(until && vsg_ocl_event_has_ended(until))) {
        cl_event command = take(queue);
        run_one(command, *ended);
        *ended = command;
    }
    depth--;
    queue->is_running = false;
    if (context->waiters)
        (void)pthread_cond_broadcast(&context->changed);
    vsg_ocl_queue_kick(queue);
}

/* ---- the queue's thread ----------------------------------------------------------------- */

static bool thread_has_work(cl_command_queue queue)
{
    return queue->is_flushed && !queue->is_running && vsg_ocl_queue_has_work(queue);
}

/* It holds the queue while it runs commands, not while it waits for some. */
static void *thread_main(void *argument)
{
    cl_command_queue queue = argument;
    cl_context context = queue->context;
    bool is_gone = false;

    (void)pthread_mutex_lock(&context->lock);
    queue->thread_is_gone = &is_gone;
    while (!queue->quit) {
        if (!thread_has_work(queue)) {
            (void)pthread_cond_wait(&queue->wake, &context->lock);
            continue;
        }
        cl_event ended = NULL;
        vsg_ocl_hold(queue);
        vsg_ocl_queue_run(queue, NULL, &ended);
        (void)pthread_mutex_unlock(&context->lock);
        vsg_ocl_let_go(ended);
        vsg_ocl_let_go(queue);
        if (is_gone)
            return NULL;
        (void)pthread_mutex_lock(&context->lock);
    }
    (void)pthread_mutex_unlock(&context->lock);
    return NULL;
}

/* Without one its commands wait for a thread of the application. */
static void start_thread(cl_command_queue queue)
{
    queue->has_thread = vsg_base_thread_start(&queue->thread, thread_main, queue);
}

void vsg_ocl_queue_kick(cl_command_queue queue)
{
    if (!thread_has_work(queue))
        return;
    if (queue->has_thread)
        (void)pthread_cond_signal(&queue->wake);
    else
        start_thread(queue);
}

void vsg_ocl_queue_flush(cl_command_queue queue)
{
    if (!queue->first)
        return;
    queue->is_flushed = true;
    vsg_ocl_queue_kick(queue);
}
