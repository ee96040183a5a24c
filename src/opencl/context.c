/* SPDX-License-Identifier: MIT */
#include "opencl/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/memory.h"
#include "opencl/trace.h"

bool vsg_ocl_context_has(cl_context context, cl_device_id device)
{
    for (cl_uint i = 0; i < context->num_devices; i++)
        if (context->devices[i] == device)
            return true;
    return false;
}

bool vsg_ocl_context_can(cl_context context, vsg_ocl_feature feature)
{
    for (cl_uint i = 0; i < context->num_devices; i++)
        if (vsg_ocl_device_has(context->devices[i], feature))
            return true;
    return false;
}

void vsg_ocl_context_notify(cl_context context, const char *message)
{
    (void)fprintf(stderr, "visage: %s\n", message);
    if (context->notify)
        context->notify(message, NULL, 0, context->notify_user);
}

bool vsg_ocl_copy_properties(const cl_ulong *list, cl_ulong **copy, size_t *count)
{
    *copy = NULL;
    *count = 0;
    if (!list)
        return true;
    while (list[*count] != 0)
        *count += 2;
    ++*count;
    *copy = malloc(*count * sizeof **copy);
    if (*copy)
        memcpy(*copy, list, *count * sizeof **copy);
    return *copy != NULL;
}

void vsg_ocl_say_farewell(vsg_ocl_farewell *list, void *object)
{
    while (list) {
        vsg_ocl_farewell *next = list->next;
        if (list->of_context)
            list->of_context(object, list->user);
        else
            list->of_memory(object, list->user);
        free(list);
        list = next;
    }
}

static void destroy(void *object)
{
    cl_context context = object;

    vsg_ocl_say_farewell(context->farewells, context);
    vsg_ocl_svm_free_all(context);
    if (context->has_lock) {
        (void)pthread_cond_destroy(&context->changed);
        (void)pthread_mutex_destroy(&context->lock);
    }
    free(context->properties);
    free(context->devices);
    vsg_ocl_object_delete(context);
}

/* ---- making one ------------------------------------------------------------------------- */

static cl_int check_properties(const cl_context_properties *properties)
{
    bool seen_platform = false, seen_sync = false;

    for (; properties && *properties; properties += 2) {
        switch (properties[0]) {
        case CL_CONTEXT_PLATFORM:
            if (seen_platform)
                return CL_INVALID_PROPERTY;
            seen_platform = true;
            if (!vsg_ocl_is((const void *)properties[1], VSG_OCL_PLATFORM))
                return CL_INVALID_PLATFORM;
            break;
        case CL_CONTEXT_INTEROP_USER_SYNC:
            if (seen_sync || (properties[1] != CL_TRUE && properties[1] != CL_FALSE))
                return CL_INVALID_PROPERTY;
            seen_sync = true;
            break;
        default:
            return CL_INVALID_PROPERTY;
        }
    }
    return CL_SUCCESS;
}

static cl_int copy_devices(cl_context context, size_t count, const cl_device_id *devices)
{
    context->devices = malloc(count * sizeof(cl_device_id));
    if (!context->devices)
        return CL_OUT_OF_HOST_MEMORY;
    for (size_t i = 0; i < count; i++) {
        if (!vsg_ocl_is(devices[i], VSG_OCL_DEVICE))
            return CL_INVALID_DEVICE;
        if (!vsg_ocl_context_has(context, devices[i]))
            context->devices[context->num_devices++] = devices[i];
    }
    return CL_SUCCESS;
}

static bool init_lock(cl_context context)
{
    if (pthread_mutex_init(&context->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&context->changed, NULL) != 0) {
        (void)pthread_mutex_destroy(&context->lock);
        return false;
    }
    context->has_lock = true;
    return true;
}

static cl_int create(const cl_context_properties *properties, size_t num_devices,
                     const cl_device_id *devices, cl_context *out)
{
    _Static_assert(sizeof(cl_context_properties) == sizeof(cl_ulong), "properties");
    cl_ulong *copy = NULL;
    cl_context context = vsg_ocl_object_new(sizeof *context, VSG_OCL_CONTEXT, destroy);

    if (!context)
        return CL_OUT_OF_HOST_MEMORY;
    cl_int status = copy_devices(context, num_devices, devices);
    if (status == CL_SUCCESS &&
        (!init_lock(context) || !vsg_ocl_copy_properties((const cl_ulong *)properties, &copy,
                                                         &context->num_properties)))
        status = CL_OUT_OF_HOST_MEMORY;
    context->properties = (cl_context_properties *)copy;
    if (status != CL_SUCCESS) {
        vsg_ocl_let_go(context);
        return status;
    }
    *out = context;
    return CL_SUCCESS;
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                           const cl_device_id *devices, vsg_ocl_notify_fn pfn_notify,
                           void *user_data, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    cl_context context = NULL;
    cl_int status = check_properties(properties);

    if (status == CL_SUCCESS && (!devices || num_devices == 0 || (!pfn_notify && user_data)))
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS)
        status = create(properties, num_devices, devices, &context);
    if (context) {
        context->notify = pfn_notify;
        context->notify_user = user_data;
    }
    vsg_ocl_result(errcode_ret, status);
    return context;
}

cl_context clCreateContextFromType(const cl_context_properties *properties,
                                   cl_device_type device_type, vsg_ocl_notify_fn pfn_notify,
                                   void *user_data, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    const cl_device_id *devices;
    cl_uint count = 0;
    cl_context context = NULL;
    cl_int status = check_properties(properties);

    if (status == CL_SUCCESS && !pfn_notify && user_data)
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS)
        status = clGetDeviceIDs(vsg_ocl_platform(), device_type, 0, NULL, &count);
    if (status == CL_SUCCESS) {
        count = (cl_uint)vsg_ocl_devices_of_type(device_type, &devices);
        status = create(properties, count, devices, &context);
    }
    if (context) {
        context->notify = pfn_notify;
        context->notify_user = user_data;
    }
    vsg_ocl_result(errcode_ret, status);
    return context;
}

/* ---- what else is done with it ---------------------------------------------------------- */

cl_int clRetainContext(cl_context context)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_context(context))
        return CL_INVALID_CONTEXT;
    vsg_ocl_retain(context);
    return CL_SUCCESS;
}

cl_int clReleaseContext(cl_context context)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_context(context) || !vsg_ocl_release(context))
        return CL_INVALID_CONTEXT;
    return CL_SUCCESS;
}

cl_int clGetContextInfo(cl_context context, cl_context_info param_name, size_t param_value_size,
                        void *param_value, size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_query query = {param_value_size, param_value, param_value_size_ret};

    if (!vsg_ocl_is_context(context))
        return CL_INVALID_CONTEXT;
    switch (param_name) {
    case CL_CONTEXT_REFERENCE_COUNT:
        return vsg_ocl_answer_uint(&query, vsg_ocl_references(context));
    case CL_CONTEXT_NUM_DEVICES:
        return vsg_ocl_answer_uint(&query, context->num_devices);
    case CL_CONTEXT_DEVICES:
        return vsg_ocl_answer(&query, context->devices,
                              context->num_devices * sizeof(cl_device_id));
    case CL_CONTEXT_PROPERTIES:
        return vsg_ocl_answer(&query, context->properties,
                              context->num_properties * sizeof *context->properties);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clSetContextDestructorCallback(cl_context context,
                                      void(CL_CALLBACK *pfn_notify)(cl_context context,
                                                                    void *user_data),
                                      void *user_data)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_context(context))
        return CL_INVALID_CONTEXT;
    if (!pfn_notify)
        return CL_INVALID_VALUE;
    vsg_ocl_farewell *farewell = calloc(1, sizeof *farewell);
    if (!farewell)
        return CL_OUT_OF_HOST_MEMORY;
    farewell->of_context = pfn_notify;
    farewell->user = user_data;
    (void)pthread_mutex_lock(&context->lock);
    farewell->next = context->farewells;
    context->farewells = farewell;
    (void)pthread_mutex_unlock(&context->lock);
    return CL_SUCCESS;
}
