/* SPDX-License-Identifier: MIT
 *
 * Pipes. The compiler's built-in functions do all that there is to do with one; here is the
 * memory they do it in. */
#include <string.h>

#include "opencl/limits.h"
#include "opencl/memory.h"
#include "opencl/trace.h"

/* What the compiler's functions expect: a head, zero but for its first number, which counts the
 * places for packets, one more than there are packets; then those places.
 * Source: intel/compute-runtime 22.43, opencl/source/mem_obj/pipe.cpp. */
enum { HEAD_BYTES = 128 };

static cl_int check(cl_context context, cl_mem_flags flags, cl_uint packet_bytes,
                    cl_uint most_packets, const cl_pipe_properties *properties)
{
    if (!vsg_ocl_is_context(context))
        return CL_INVALID_CONTEXT;
    if (!vsg_ocl_context_can(context, VSG_OCL_PIPES))
        return CL_INVALID_OPERATION;
    if ((flags & ~(cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS)) != 0 || properties)
        return CL_INVALID_VALUE;
    if (packet_bytes == 0 || packet_bytes > VSG_OCL_PACKET_BYTES || most_packets == 0 ||
        most_packets == CL_UINT_MAX)
        return CL_INVALID_PIPE_SIZE;
    return CL_SUCCESS;
}

static cl_int create(cl_context context, cl_uint packet_bytes, cl_uint most_packets,
                     cl_mem *out)
{
    const cl_uint places = most_packets + 1;
    const cl_ulong size = HEAD_BYTES + (cl_ulong)packet_bytes * places;

    if (size > vsg_ocl_max_allocation())
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    cl_mem pipe = vsg_ocl_memory_new(context, CL_MEM_OBJECT_PIPE,
                                     CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS);
    if (!pipe)
        return CL_OUT_OF_HOST_MEMORY;
    if (!vsg_ocl_memory_fill_in(pipe, (size_t)size, NULL)) {
        vsg_ocl_let_go(pipe);
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    }
    pipe->packet_bytes = packet_bytes;
    pipe->most_packets = most_packets;
    memset(pipe->data, 0, HEAD_BYTES);
    memcpy(pipe->data, &places, sizeof places);
    vsg_ocl_memory_written(pipe, pipe->data, HEAD_BYTES);
    *out = pipe;
    return CL_SUCCESS;
}

cl_mem clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
                    cl_uint pipe_max_packets, const cl_pipe_properties *properties,
                    cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    cl_mem pipe = NULL;
    cl_int status = check(context, flags, pipe_packet_size, pipe_max_packets, properties);

    if (status == CL_SUCCESS)
        status = create(context, pipe_packet_size, pipe_max_packets, &pipe);
    vsg_ocl_result(errcode_ret, status);
    return pipe;
}

cl_int clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size,
                     void *param_value, size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_query query = {param_value_size, param_value, param_value_size_ret};

    if (!vsg_ocl_is_pipe(pipe))
        return CL_INVALID_MEM_OBJECT;
    switch (param_name) {
    case CL_PIPE_PACKET_SIZE:
        return vsg_ocl_answer_uint(&query, pipe->packet_bytes);
    case CL_PIPE_MAX_PACKETS:
        return vsg_ocl_answer_uint(&query, pipe->most_packets);
    case CL_PIPE_PROPERTIES: /* none can be given */
        return vsg_ocl_answer(&query, NULL, 0);
    default:
        return CL_INVALID_VALUE;
    }
}
