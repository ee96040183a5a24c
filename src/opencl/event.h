/* SPDX-License-Identifier: MIT
 *
 * Events, each of which but a user event is also the command whose progress it tells. The lock
 * of its context guards everything in it that changes after it was submitted. */
#ifndef VISAGE_OPENCL_EVENT_H
#define VISAGE_OPENCL_EVENT_H

#include "opencl/context.h"

/* How a kind of command is executed. */
typedef struct vsg_ocl_action {
    /* Does it; called once, without locks, when everything that it waits for has completed; not
     * called when one of those failed. Returns CL_COMPLETE or a negative error. May run on any
     * thread of the driver or of the application that waits for it. NULL: there is nothing to
     * do. */
    cl_int (*run)(cl_event event, void *payload);
    /* Lets go of what the payload holds; called once in every case, even where the command was
     * never submitted, without locks, before the event ends. NULL: nothing. */
    void (*drop)(void *payload);
} vsg_ocl_action;

/* One event waits for another. */
typedef struct vsg_ocl_link {
    struct vsg_ocl_link *next;
    cl_event waiting;
    bool is_order; /* goes on even if the other fails */
} vsg_ocl_link;

/* A callback of the application. */
typedef struct vsg_ocl_watcher {
    struct vsg_ocl_watcher *next;
    cl_int status; /* to be called when the event has got that far */
    void(CL_CALLBACK *call)(cl_event event, cl_int status, void *user);
    void *user;
} vsg_ocl_watcher;

enum {
    VSG_OCL_TIME_QUEUED,
    VSG_OCL_TIME_SUBMIT,
    VSG_OCL_TIME_START,
    VSG_OCL_TIME_END,
    VSG_OCL_NUM_TIMES
};

struct _cl_event {
    vsg_ocl_object head;
    cl_context context;     /* held by the queue, or of a user event by it */
    cl_command_queue queue; /* held; NULL: a user event */
    cl_command_type type;
    const vsg_ocl_action *action; /* NULL: a user event */
    uint64_t number;              /* in the order of submission within the context */
    atomic_int status;            /* CL_QUEUED ... CL_COMPLETE, or negative */
    bool is_barrier;              /* what comes behind it in its queue waits for it */
    bool waits_for_all;           /* for what is before it in its queue */
    bool is_submitted, is_dropped;
    cl_event next, before; /* in the queue's list of commands that have not ended */
    cl_event next_ready;   /* in the list of those that may run */
    uint32_t waits_for;    /* events, and one until it is submitted */
    cl_int failed;         /* negative: how what it waits for failed, and so does it */
    vsg_ocl_link *links;   /* of those that wait for it */
    vsg_ocl_watcher *watchers;
    cl_ulong times[VSG_OCL_NUM_TIMES]; /* nanoseconds; of queues that profile */
    vsg_ocl_link *own;                 /* where it waits for others, behind the payload */
    max_align_t payload[];
};

static inline bool vsg_ocl_is_event(cl_event event)
{
    return vsg_ocl_is(event, VSG_OCL_EVENT);
}

static inline bool vsg_ocl_event_has_ended(cl_event event)
{
    return atomic_load_explicit(&event->status, memory_order_acquire) <= CL_COMPLETE;
}

/* Waits for an event to end, running what must be run for it on this thread where nobody else
 * does. Returns its last status: CL_COMPLETE or a negative error. */
cl_int vsg_ocl_event_wait(cl_event event);

/* Checks a wait list against a context: CL_SUCCESS, CL_INVALID_EVENT_WAIT_LIST,
 * CL_INVALID_CONTEXT. */
cl_int vsg_ocl_check_wait_list(cl_context context, cl_uint count, const cl_event *list);

/* ---- for queues ------------------------------------------------------------------------- */

/* A zeroed event, CL_QUEUED, without references of the application, held once. NULL: memory is
 * out. */
cl_event vsg_ocl_event_new(cl_context context, cl_command_queue queue, size_t payload_bytes,
                           size_t num_links);

/* Lets go of an action's payload; nothing the second time. */
void vsg_ocl_event_drop(cl_event event);

/* What an event waits for has ended: the first that failed tells it how, as with Intel's
 * driver. The context's lock is held. */
static inline void vsg_ocl_event_fail_with(cl_event event, cl_int status)
{
    if (status < 0 && event->failed >= 0)
        event->failed = status;
}

/* Sets a status that is not the last. The context's lock is held; it is given up while
 * callbacks are called. */
void vsg_ocl_event_advance(cl_event event, cl_int status);

/* Sets the last status, CL_COMPLETE or negative, takes the event from its queue, and lets those
 * that wait for it go on. Lock as above. */
void vsg_ocl_event_end(cl_event event, cl_int status);

#endif
