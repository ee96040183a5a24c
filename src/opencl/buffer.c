/* SPDX-License-Identifier: MIT
 *
 * Buffers and parts of them. */
#include <string.h>

#include "opencl/limits.h"
#include "opencl/memory.h"
#include "opencl/trace.h"

/* No property of a buffer is known. */
static cl_int check_properties(const cl_mem_properties *properties)
{
    return properties && *properties ? CL_INVALID_PROPERTY : CL_SUCCESS;
}

static cl_int create(cl_context context, const cl_mem_properties *properties,
                     cl_mem_flags flags, size_t size, void *host_ptr, cl_mem *out)
{
    cl_ulong *copy;
    cl_mem memory = vsg_ocl_memory_new(context, CL_MEM_OBJECT_BUFFER, flags);

    if (!memory)
        return CL_OUT_OF_HOST_MEMORY;
    bool good = vsg_ocl_copy_properties(properties, &copy, &memory->num_properties);
    memory->properties = copy;
    if (!good || !vsg_ocl_memory_fill_in(memory, size, host_ptr)) {
        vsg_ocl_let_go(memory);
        return good ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_OUT_OF_HOST_MEMORY;
    }
    if ((flags & CL_MEM_COPY_HOST_PTR) || memory->is_copied) {
        memcpy(memory->data, host_ptr, size);
        vsg_ocl_memory_written(memory, memory->data, size);
    }
    *out = memory;
    return CL_SUCCESS;
}

/* Memory of clSVMAlloc() that is used must have that size. */
static bool is_within_svm(cl_context context, cl_mem_flags flags, size_t size, const void *at)
{
    vsg_ocl_svm svm;

    if (!(flags & CL_MEM_USE_HOST_PTR) || !vsg_ocl_svm_find(context, at, &svm))
        return true;
    return size <= svm.size_bytes - (size_t)((const uint8_t *)at - svm.base);
}

cl_mem clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties,
                                    cl_mem_flags flags, size_t size, void *host_ptr,
                                    cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    cl_mem memory = NULL;
    cl_int status = CL_SUCCESS;

    if (!vsg_ocl_is_context(context))
        status = CL_INVALID_CONTEXT;
    if (status == CL_SUCCESS)
        status = check_properties(properties);
    if (status == CL_SUCCESS)
        status = vsg_ocl_check_memory_flags(flags & ~VSG_OCL_UNRESTRICTED_SIZE, host_ptr);
    if (status == CL_SUCCESS && (size == 0 || size > vsg_ocl_most_bytes(flags) ||
                                 !is_within_svm(context, flags, size, host_ptr)))
        status = CL_INVALID_BUFFER_SIZE;
    if (status == CL_SUCCESS)
        status = create(context, properties, flags, size, host_ptr, &memory);
    vsg_ocl_result(errcode_ret, status);
    return memory;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                      cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    return clCreateBufferWithProperties(context, NULL, flags, size, host_ptr, errcode_ret);
}

/* ---- parts ------------------------------------------------------------------------------ */

static cl_int check_region(cl_mem whole, const cl_buffer_region *region)
{
    if (!region)
        return CL_INVALID_VALUE;
    if (region->size == 0)
        return CL_INVALID_BUFFER_SIZE;
    if (region->origin > whole->size_bytes || region->size > whole->size_bytes - region->origin)
        return CL_INVALID_VALUE;
    if (region->origin % VSG_OCL_BASE_ALIGNMENT != 0)
        return CL_MISALIGNED_SUB_BUFFER_OFFSET;
    return CL_SUCCESS;
}

cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                         const void *info, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    const cl_buffer_region *region = info;
    cl_mem part = NULL;
    cl_int status = CL_SUCCESS;

    if (!vsg_ocl_is_buffer(buffer) || buffer->parent)
        status = CL_INVALID_MEM_OBJECT;
    else if (type != CL_BUFFER_CREATE_TYPE_REGION)
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS)
        status = vsg_ocl_check_part_flags(buffer, flags);
    if (status == CL_SUCCESS)
        status = check_region(buffer, region);
    if (status == CL_SUCCESS) {
        part = vsg_ocl_memory_new(buffer->context, CL_MEM_OBJECT_BUFFER,
                                  vsg_ocl_part_flags(buffer, flags));
        status = part ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    }
    if (part)
        vsg_ocl_memory_join(part, buffer, region->origin, region->size);
    vsg_ocl_result(errcode_ret, status);
    return part;
}
