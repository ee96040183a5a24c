/* SPDX-License-Identifier: MIT
 *
 * Intel's unified shared memory. All three kinds of allocation are one here, and told apart
 * only where a program asks. Source: extension cl_intel_unified_shared_memory. */
#include "opencl/limits.h"
#include "opencl/trace.h"
#include "opencl/transfer.h"

static cl_int read_properties(const cl_mem_properties_intel *list,
                              cl_mem_alloc_flags_intel *flags, cl_mem_flags *sizes)
{
    const cl_mem_alloc_flags_intel known = CL_MEM_ALLOC_WRITE_COMBINED_INTEL |
                                           CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL |
                                           CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;
    const cl_mem_alloc_flags_intel places =
        CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

    *flags = 0;
    *sizes = 0;
    for (; list && *list; list += 2) {
        if (list[0] == CL_MEM_FLAGS || list[0] == VSG_OCL_USM_MEMORY_FLAGS) {
            if (list[1] & ~(VSG_OCL_UNRESTRICTED_SIZE | CL_MEM_READ_WRITE))
                return CL_INVALID_PROPERTY;
            *sizes = list[1];
            continue;
        }
        if (list[0] != CL_MEM_ALLOC_FLAGS_INTEL)
            return CL_INVALID_PROPERTY;
        if ((list[1] & ~known) || (list[1] & places) == places)
            return CL_INVALID_PROPERTY;
        *flags = list[1];
    }
    return CL_SUCCESS;
}

static void *allocate(cl_context context, const vsg_ocl_svm *kind,
                      const cl_mem_properties_intel *properties, cl_uint alignment,
                      cl_int *errcode_ret)
{
    vsg_ocl_svm like = *kind;
    void *pointer = NULL;
    cl_mem_flags sizes = 0;
    cl_int status = CL_SUCCESS;

    if (!vsg_ocl_is_context(context))
        status = CL_INVALID_CONTEXT;
    else if (like.device && (!vsg_ocl_is(like.device, VSG_OCL_DEVICE) ||
                             !vsg_ocl_context_has(context, like.device)))
        status = CL_INVALID_DEVICE;
    else if ((alignment & (alignment - 1)) != 0 || alignment > 4096)
        status = CL_INVALID_VALUE;
    else if (like.size_bytes == 0)
        status = CL_INVALID_BUFFER_SIZE;
    if (status == CL_SUCCESS)
        status = read_properties(properties, &like.usm_flags, &sizes);
    if (status == CL_SUCCESS && like.size_bytes > vsg_ocl_most_bytes(sizes))
        status = CL_INVALID_BUFFER_SIZE;
    if (status == CL_SUCCESS) {
        pointer = vsg_ocl_svm_new(context, &like);
        status = pointer ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
    }
    vsg_ocl_result(errcode_ret, status);
    return pointer;
}

void *clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel *properties,
                          size_t size, cl_uint alignment, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_svm like = {.size_bytes = size, .usm = CL_MEM_TYPE_HOST_INTEL};

    return allocate(context, &like, properties, alignment, errcode_ret);
}

void *clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                            const cl_mem_properties_intel *properties, size_t size,
                            cl_uint alignment, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_svm like = {
        .size_bytes = size, .usm = CL_MEM_TYPE_DEVICE_INTEL, .device = device};

    if (vsg_ocl_is_context(context) && !device) {
        vsg_ocl_result(errcode_ret, CL_INVALID_DEVICE);
        return NULL;
    }
    return allocate(context, &like, properties, alignment, errcode_ret);
}

void *clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                            const cl_mem_properties_intel *properties, size_t size,
                            cl_uint alignment, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_svm like = {
        .size_bytes = size, .usm = CL_MEM_TYPE_SHARED_INTEL, .device = device};

    return allocate(context, &like, properties, alignment, errcode_ret);
}

static bool is_usm(cl_context context, const void *pointer)
{
    vsg_ocl_svm svm;

    return vsg_ocl_svm_find(context, pointer, &svm) && svm.usm && svm.base == pointer;
}

cl_int clMemFreeINTEL(cl_context context, void *ptr)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_context(context))
        return CL_INVALID_CONTEXT;
    if (!ptr)
        return CL_SUCCESS;
    if (!is_usm(context, ptr))
        return CL_INVALID_VALUE;
    return vsg_ocl_svm_delete(context, ptr) ? CL_SUCCESS : CL_INVALID_VALUE;
}

cl_int clMemBlockingFreeINTEL(cl_context context, void *ptr)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_context(context))
        return CL_INVALID_CONTEXT;
    if (ptr)
        vsg_ocl_context_finish(context);
    return clMemFreeINTEL(context, ptr);
}

cl_int clGetMemAllocInfoINTEL(cl_context context, const void *ptr, cl_mem_info_intel param_name,
                              size_t param_value_size, void *param_value,
                              size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_query query = {param_value_size, param_value, param_value_size_ret};
    vsg_ocl_svm svm = {0};

    if (!vsg_ocl_is_context(context))
        return CL_INVALID_CONTEXT;
    bool is_known = vsg_ocl_svm_find(context, ptr, &svm) && svm.usm;
    if (!is_known)
        svm = (vsg_ocl_svm){.usm = CL_MEM_TYPE_UNKNOWN_INTEL};
    switch (param_name) {
    case CL_MEM_ALLOC_TYPE_INTEL:
        return vsg_ocl_answer_uint(&query, svm.usm);
    case CL_MEM_ALLOC_BASE_PTR_INTEL:
        return vsg_ocl_answer_pointer(&query, svm.base);
    case CL_MEM_ALLOC_SIZE_INTEL:
        return vsg_ocl_answer_size(&query, svm.size_bytes);
    case CL_MEM_ALLOC_DEVICE_INTEL:
        return vsg_ocl_answer_pointer(&query, svm.device);
    case CL_MEM_ALLOC_FLAGS_INTEL:
        return vsg_ocl_answer_ulong(&query, svm.usm_flags);
    default:
        return CL_INVALID_VALUE;
    }
}

/* Any pointer may be an argument; what a kernel does with a wrong one is a fault. */
cl_int clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index, const void *arg_value)
{
    VSG_OCL_TRACED;
    return clSetKernelArgSVMPointer(kernel, arg_index, arg_value);
}

/* ---- commands --------------------------------------------------------------------------- */

cl_int clEnqueueMemsetINTEL(cl_command_queue queue, void *dst_ptr, cl_int value, size_t size,
                            cl_uint num_events, const cl_event *wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_MEMFILL_INTEL, num_events, wait_list,
                                     event};
    const uint8_t byte = (uint8_t)value;

    return vsg_ocl_enqueue_memfill(&request, dst_ptr, &byte, 1, size);
}

cl_int clEnqueueMemFillINTEL(cl_command_queue queue, void *dst_ptr, const void *pattern,
                             size_t pattern_size, size_t size, cl_uint num_events,
                             const cl_event *wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_MEMFILL_INTEL, num_events, wait_list,
                                     event};

    return vsg_ocl_enqueue_memfill(&request, dst_ptr, pattern, pattern_size, size);
}

cl_int clEnqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocking, void *dst_ptr,
                            const void *src_ptr, size_t size, cl_uint num_events,
                            const cl_event *wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_MEMCPY_INTEL, num_events, wait_list,
                                     event};

    return vsg_ocl_enqueue_memcpy(&request, blocking, dst_ptr, src_ptr, size);
}

cl_int clEnqueueMigrateMemINTEL(cl_command_queue queue, const void *ptr, size_t size,
                                cl_mem_migration_flags flags, cl_uint num_events,
                                const cl_event *wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    const vsg_ocl_request request = {queue, CL_COMMAND_MIGRATEMEM_INTEL, num_events, wait_list,
                                     event};

    (void)size;
    if (!vsg_ocl_is_queue(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (!ptr || flags == 0 || (flags & ~known))
        return CL_INVALID_VALUE;
    return vsg_ocl_enqueue_wait(&request, CL_FALSE);
}

/* No advice is known to this device. */
cl_int clEnqueueMemAdviseINTEL(cl_command_queue queue, const void *ptr, size_t size,
                               cl_mem_advice_intel advice, cl_uint num_events,
                               const cl_event *wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_MEMADVISE_INTEL, num_events, wait_list,
                                     event};

    (void)size;
    (void)advice;
    if (!vsg_ocl_is_queue(queue))
        return CL_INVALID_COMMAND_QUEUE;
    return ptr ? vsg_ocl_enqueue_wait(&request, CL_FALSE) : CL_INVALID_VALUE;
}
