/* SPDX-License-Identifier: MIT
 *
 * A context: devices, whom to tell of errors, and the lock of everything that depends on one
 * another in it: queues, events, allocations. */
#ifndef VISAGE_OPENCL_CONTEXT_H
#define VISAGE_OPENCL_CONTEXT_H

#include <pthread.h>

#include "opencl/device.h"

typedef void(CL_CALLBACK *vsg_ocl_notify_fn)(const char *message, const void *info, size_t size,
                                             void *user);

/* A function to call when an object ends; the one registered last comes first. */
typedef struct vsg_ocl_farewell {
    struct vsg_ocl_farewell *next;
    void(CL_CALLBACK *of_context)(cl_context context, void *user); /* NULL: it is the other */
    void(CL_CALLBACK *of_memory)(cl_mem memory, void *user);
    void *user;
} vsg_ocl_farewell;

/* Allocations of a context that are pointers (memory.h), by address. */
typedef struct vsg_ocl_svm_table {
    struct vsg_ocl_svm *rows;
    size_t count, capacity;
} vsg_ocl_svm_table;

struct _cl_context {
    vsg_ocl_object head;
    cl_device_id *devices; /* num_devices, each once */
    cl_uint num_devices;
    cl_context_properties *properties; /* as given, with the 0 at the end; NULL: none were */
    size_t num_properties;
    vsg_ocl_notify_fn notify; /* NULL: nobody */
    void *notify_user;
    bool has_lock;
    pthread_mutex_t lock;   /* of the fields below, and of what queue.h and event.h say */
    pthread_cond_t changed; /* for `waiters`: an event has ended, a queue can be run */
    uint32_t waiters;
    uint64_t num_commands;   /* submitted so far */
    cl_command_queue queues; /* of the context; the list goes on in each */
    vsg_ocl_farewell *farewells;
    vsg_ocl_svm_table svm;
};

static inline bool vsg_ocl_is_context(cl_context context)
{
    return vsg_ocl_is(context, VSG_OCL_CONTEXT);
}

/* Is the device one of the context's? */
bool vsg_ocl_context_has(cl_context context, cl_device_id device);
/* Has any of its devices this feature? */
bool vsg_ocl_context_can(cl_context context, vsg_ocl_feature feature);

/* Tells of an error that no call returns, such as a kernel's fault: to the standard error
 * stream and to the context's callback. No locks may be held. */
void vsg_ocl_context_notify(cl_context context, const char *message);

/* Copies a list of properties that ends with 0; *count: its length with that. List NULL: none.
 * False: memory is out. */
bool vsg_ocl_copy_properties(const cl_ulong *list, cl_ulong **copy, size_t *count);

/* Calls and frees them. */
void vsg_ocl_say_farewell(vsg_ocl_farewell *list, void *object);

#endif
