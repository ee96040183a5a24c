/* SPDX-License-Identifier: MIT
 *
 * Commands that only wait; migration, which has nothing to move; functions of the application
 * as commands. */
#include <stdlib.h>
#include <string.h>

#include "opencl/trace.h"
#include "opencl/transfer.h"

static const vsg_ocl_action no_action = {NULL, NULL};

cl_int vsg_ocl_enqueue_nothing(const vsg_ocl_request *request, bool is_barrier,
                               bool waits_for_all)
{
    cl_event command;
    cl_int status = vsg_ocl_command_new(request, &no_action, 0, &command);

    if (status != CL_SUCCESS)
        return status;
    command->is_barrier = is_barrier;
    command->waits_for_all = waits_for_all;
    return vsg_ocl_command_submit(command, request, CL_FALSE);
}

cl_int vsg_ocl_enqueue_wait(const vsg_ocl_request *request, cl_bool blocking)
{
    cl_event command;
    cl_int status = vsg_ocl_command_new(request, &no_action, 0, &command);

    return status == CL_SUCCESS ? vsg_ocl_command_submit(command, request, blocking) : status;
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint num_events_in_wait_list,
                                   const cl_event *event_wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_MARKER, num_events_in_wait_list,
                                     event_wait_list, event};

    return vsg_ocl_enqueue_nothing(&request, false, num_events_in_wait_list == 0);
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint num_events_in_wait_list,
                                    const cl_event *event_wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_BARRIER, num_events_in_wait_list,
                                     event_wait_list, event};

    return vsg_ocl_enqueue_nothing(&request, true, num_events_in_wait_list == 0);
}

cl_int clEnqueueMarker(cl_command_queue queue, cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_MARKER, 0, NULL, event};

    if (!vsg_ocl_is_queue(queue))
        return CL_INVALID_COMMAND_QUEUE;
    return event ? vsg_ocl_enqueue_nothing(&request, false, true) : CL_INVALID_VALUE;
}

cl_int clEnqueueBarrier(cl_command_queue queue)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_BARRIER, 0, NULL, NULL};

    return vsg_ocl_enqueue_nothing(&request, true, true);
}

cl_int clEnqueueWaitForEvents(cl_command_queue queue, cl_uint num_events,
                              const cl_event *event_list)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_BARRIER, num_events, event_list, NULL};

    if (!vsg_ocl_is_queue(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (num_events == 0 || !event_list)
        return CL_INVALID_VALUE;
    cl_int status = vsg_ocl_enqueue_nothing(&request, true, false);
    return status == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : status;
}

cl_int clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint num_mem_objects,
                                  const cl_mem *mem_objects, cl_mem_migration_flags flags,
                                  cl_uint num_events_in_wait_list,
                                  const cl_event *event_wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    const vsg_ocl_request request = {queue, CL_COMMAND_MIGRATE_MEM_OBJECTS,
                                     num_events_in_wait_list, event_wait_list, event};

    if (!vsg_ocl_is_queue(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (num_mem_objects == 0 || !mem_objects || (flags & ~known))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < num_mem_objects; i++) {
        cl_int status = vsg_ocl_check_access(&request, mem_objects[i]);
        if (status != CL_SUCCESS)
            return status;
    }
    return vsg_ocl_enqueue_nothing(&request, false, false);
}

/* ---- native kernels --------------------------------------------------------------------- */

typedef void(CL_CALLBACK *native_function)(void *arguments);

typedef struct native {
    native_function function;
    void *arguments; /* a copy, with addresses of memory where handles were; NULL: none */
    cl_mem *memory;  /* held */
    cl_uint num_memory;
} native;

static cl_int run_native(cl_event event, void *payload)
{
    const native *call = payload;

    (void)event;
    call->function(call->arguments);
    return CL_COMPLETE;
}

static void drop_native(void *payload)
{
    native *call = payload;

    for (cl_uint i = 0; call->memory && i < call->num_memory; i++)
        vsg_ocl_let_go(call->memory[i]);
    free(call->memory);
    free(call->arguments);
}

/* Where the application's list points into its arguments, the copy gets addresses. */
static cl_int fill_native(native *call, const void *arguments, size_t size,
                          const cl_mem *memory, const void **places)
{
    if (size > 0) {
        call->arguments = malloc(size);
        if (!call->arguments)
            return CL_OUT_OF_HOST_MEMORY;
        memcpy(call->arguments, arguments, size);
    }
    if (call->num_memory == 0)
        return CL_SUCCESS;
    call->memory = calloc(call->num_memory, sizeof(cl_mem));
    if (!call->memory)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < call->num_memory; i++) {
        size_t at = (size_t)((const char *)places[i] - (const char *)arguments);
        if (size < sizeof(void *) || at > size - sizeof(void *))
            return CL_INVALID_VALUE;
        void *address = memory[i] ? memory[i]->data : NULL;
        if (memory[i]) /* the function may write all of it */
            vsg_ocl_memory_written(memory[i], memory[i]->data, memory[i]->size_bytes);
        memcpy((char *)call->arguments + at, &address, sizeof address);
        vsg_ocl_hold(memory[i]);
        call->memory[i] = memory[i];
    }
    return CL_SUCCESS;
}

cl_int clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *user_func)(void *),
                             void *args, size_t cb_args, cl_uint num_mem_objects,
                             const cl_mem *mem_list, const void **args_mem_loc,
                             cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                             cl_event *event)
{
    VSG_OCL_TRACED;
    static const vsg_ocl_action action = {run_native, drop_native};
    const vsg_ocl_request request = {queue, CL_COMMAND_NATIVE_KERNEL, num_events_in_wait_list,
                                     event_wait_list, event};
    cl_event command;

    if (!vsg_ocl_is_queue(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (!user_func || (args == NULL) != (cb_args == 0) || (!args && num_mem_objects > 0) ||
        (num_mem_objects > 0) != (mem_list != NULL) ||
        (num_mem_objects > 0) != (args_mem_loc != NULL))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < num_mem_objects; i++)
        if (mem_list[i] && !vsg_ocl_is_buffer(mem_list[i]))
            return CL_INVALID_MEM_OBJECT;
    cl_int status = vsg_ocl_command_new(&request, &action, sizeof(native), &command);
    if (status != CL_SUCCESS)
        return status;
    native *call = vsg_ocl_command_payload(command);
    call->function = user_func;
    call->num_memory = num_mem_objects;
    status = fill_native(call, args, cb_args, mem_list, args_mem_loc);
    if (status != CL_SUCCESS) {
        vsg_ocl_command_discard(command);
        return status;
    }
    return vsg_ocl_command_submit(command, &request, CL_FALSE);
}
