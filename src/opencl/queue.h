/* SPDX-License-Identifier: MIT
 *
 * Command queues. To enqueue something:
 *
 *     vsg_ocl_request request = {queue, CL_COMMAND_..., num_events, wait_list, event_ret};
 *     cl_int status = vsg_ocl_command_new(&request, &action, sizeof *payload, &command);
 *     payload = vsg_ocl_command_payload(command);         zeroed; fill it in, hold objects
 *     return vsg_ocl_command_submit(command, &request, blocking);
 *
 * One thread at a time runs the commands of a queue: the queue's own, which is started when a
 * flush or another queue needs it, or a thread of the application that waits in clFinish() or
 * for an event. What nobody has asked for stays in the queue: a launch that is waited for costs
 * no change of threads. */
#ifndef VISAGE_OPENCL_QUEUE_H
#define VISAGE_OPENCL_QUEUE_H

#include "opencl/event.h"

struct _cl_command_queue {
    vsg_ocl_object head;
    cl_context context; /* held */
    cl_device_id device;
    cl_command_queue_properties properties;
    cl_queue_properties *given; /* as given with the 0 at the end; NULL: none were */
    size_t num_given;
    /* Guarded by the context's lock: */
    cl_event first, last;             /* commands that have not ended, in order of submission */
    cl_event first_ready, last_ready; /* out of order: those that may run */
    cl_event barrier;                 /* out of order: the last one, until it ends */
    cl_command_queue next, before;    /* in the context's list */
    uint32_t num_commands;
    bool is_running; /* a thread runs commands of it */
    bool is_flushed; /* what is in it is to be run without anybody waiting */
    bool has_wake, has_thread, quit;
    pthread_cond_t wake; /* for the thread */
    pthread_t thread;
    bool *thread_is_gone; /* told to the thread when it lets go of the queue last */
};

static inline bool vsg_ocl_is_queue(cl_command_queue queue)
{
    return vsg_ocl_is(queue, VSG_OCL_QUEUE);
}

static inline bool vsg_ocl_is_in_order(cl_command_queue queue)
{
    return (queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
}

/* Parameters that every clEnqueue... has. */
typedef struct vsg_ocl_request {
    cl_command_queue queue;
    cl_command_type type;
    cl_uint num_events;
    const cl_event *wait_list;
    cl_event *event; /* NULL: not wanted */
} vsg_ocl_request;

/* Checks the queue and the wait list: CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT,
 * CL_INVALID_EVENT_WAIT_LIST. For functions with checks of their own before the command is
 * made. */
cl_int vsg_ocl_request_check(const vsg_ocl_request *request);

/* Makes a command, checking the request. payload_bytes: zeroed room for the action's own. Its
 * `drop` is called whatever becomes of it. out: submit or discard it. Also returns
 * CL_OUT_OF_HOST_MEMORY. */
cl_int vsg_ocl_command_new(const vsg_ocl_request *request, const vsg_ocl_action *action,
                           size_t payload_bytes, cl_event *out);

static inline void *vsg_ocl_command_payload(cl_event command)
{
    return command->payload;
}

/* Frees a command that is not submitted. */
void vsg_ocl_command_discard(cl_event command);

/* Puts the command into its queue and, if that is wanted, waits for its end. Takes it. Returns
 * CL_SUCCESS; of a blocking one that failed CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST where
 * what it waited for failed, else its own error. */
cl_int vsg_ocl_command_submit(cl_event command, const vsg_ocl_request *request,
                              cl_bool blocking);

/* Waits for everything that is in the queue now, or in all queues of the context. */
void vsg_ocl_queue_finish(cl_command_queue queue);
void vsg_ocl_context_finish(cl_context context);

/* ---- for events; the context's lock is held --------------------------------------------- */

/* Can a command of the queue be run now? */
bool vsg_ocl_queue_has_work(cl_command_queue queue);
/* Runs commands until there is none that can be, or `until` has ended (NULL: nothing). Nobody
 * else may be running any. The lock is given up meanwhile. Lets go of *ended, and then of all
 * others that it runs but the last: that is *ended afterwards, for the caller to let go of when
 * it has given up the lock. `until` may be asked as long. */
void vsg_ocl_queue_run(cl_command_queue queue, cl_event until, cl_event *ended);
/* Has everything in the queue run without anybody waiting. */
void vsg_ocl_queue_flush(cl_command_queue queue);
/* A command waits for nothing any more. */
void vsg_ocl_queue_ready(cl_event command);
/* A command has ended. */
void vsg_ocl_queue_remove(cl_event command);
/* Wakes the queue's thread where there is something for it. */
void vsg_ocl_queue_kick(cl_command_queue queue);

#endif
