/* SPDX-License-Identifier: MIT */
#include "opencl/compiler.h"
#include "opencl/device.h"
#include "opencl/host.h"
#include "opencl/limits.h"
#include "opencl/trace.h"

/* What several answers are made of. */
typedef struct limits {
    cl_ulong memory, allocation;
    size_t group, widest; /* work-items of a group; channels of the widest sub-group */
    cl_uint has_double, has_images, has_pipes;
    cl_uint sub_slice; /* units of each */
} limits;

#define ANY_FLOAT                                                                              \
    (CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO |             \
     CL_FP_ROUND_TO_INF | CL_FP_FMA)
#define ATOMIC_ORDERS                                                                          \
    (CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |                         \
     CL_DEVICE_ATOMIC_ORDER_SEQ_CST)
#define ATOMIC_SCOPES                                                                          \
    (CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE |                       \
     CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES)
#define USM                                                                                    \
    (CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |    \
     CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |                                        \
     CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL)

uint32_t vsg_ocl_device_max_group(cl_device_id device)
{
    return visage_platform_max_group(device->facts->platform);
}

/* The compiler keeps in 16 bits where a variable of shared local memory begins: where a kernel
 * has more than that, as on Ponte Vecchio it could, those behind would lie in others' places.
 */
uint32_t vsg_ocl_device_slm_bytes(cl_device_id device)
{
    const uint32_t reached = 1 << 16,
                   bytes = visage_platform_slm_bytes(device->facts->platform);

    return bytes < reached ? bytes : reached;
}

cl_ulong vsg_ocl_max_allocation(void)
{
    /* Surfaces count bytes in 32 bits. */
    const cl_ulong most = ((cl_ulong)4 << 30) - 4096;
    cl_ulong half = vsg_ocl_host_memory_bytes() / 2 & ~(cl_ulong)4095;

    return half < most ? half : most;
}

cl_ulong vsg_ocl_most_bytes(cl_bitfield flags)
{
    return flags & VSG_OCL_UNRESTRICTED_SIZE ? vsg_ocl_host_memory_bytes() / 2
                                             : vsg_ocl_max_allocation();
}

static limits limits_of(cl_device_id device)
{
    const uint32_t *sizes = device->facts->sub_group_sizes;
    limits m = {
        .memory = vsg_ocl_host_memory_bytes(),
        .allocation = vsg_ocl_max_allocation(),
        .group = vsg_ocl_device_max_group(device),
        .has_double = vsg_ocl_device_has(device, VSG_OCL_FP64),
        .has_images = vsg_ocl_device_has(device, VSG_OCL_IMAGES),
        .has_pipes = vsg_ocl_device_has(device, VSG_OCL_PIPES),
    };
    for (int i = 0; i < 4 && sizes[i]; i++)
        m.widest = sizes[i];
    /* The GPUs', and where the environment gives a number that is no multiple, what divides it.
     */
    for (m.sub_slice = 8; device->units % m.sub_slice != 0;)
        m.sub_slice /= 2;
    return m;
}

static cl_int answer_features(const vsg_ocl_query *query, cl_device_id device)
{
    return vsg_ocl_answer_extension_versions(query, device, true);
}

static cl_int answer_extensions(const vsg_ocl_query *query, cl_device_id device)
{
    return vsg_ocl_answer_extension_versions(query, device, false);
}

static cl_int answer_uuid(const vsg_ocl_query *query, cl_device_id device)
{
    cl_uchar uuid[CL_UUID_SIZE_KHR] = {'v', 'i', 's', 'a', 'g', 'e'};

    for (size_t i = 8; i < sizeof uuid && device->facts->key[i - 8]; i++)
        uuid[i] = (cl_uchar)device->facts->key[i - 8];
    return vsg_ocl_answer(query, uuid, sizeof uuid);
}

static cl_int answer_sub_groups(const vsg_ocl_query *query, cl_device_id device)
{
    size_t sizes[4];
    size_t count = 0;

    for (; count < 4 && device->facts->sub_group_sizes[count]; count++)
        sizes[count] = device->facts->sub_group_sizes[count];
    return vsg_ocl_answer(query, sizes, count * sizeof *sizes);
}

static cl_int answer(cl_device_id d, cl_device_info param_name, const vsg_ocl_query *query)
{
    const vsg_ocl_device_facts *f = d->facts;
    const limits m = limits_of(d);

    switch (param_name) {
#define UINT(name, value)                                                                      \
    case name:                                                                                 \
        return vsg_ocl_answer_uint(query, (cl_uint)(value));
#define ULONG(name, value)                                                                     \
    case name:                                                                                 \
        return vsg_ocl_answer_ulong(query, (cl_ulong)(value));
#define SIZE(name, value)                                                                      \
    case name:                                                                                 \
        return vsg_ocl_answer_size(query, (size_t)(value));
#define STRING(name, value)                                                                    \
    case name:                                                                                 \
        return vsg_ocl_answer_string(query, value);
#define POINTER(name, value)                                                                   \
    case name:                                                                                 \
        return vsg_ocl_answer_pointer(query, value);
#define ARRAY(name, type, ...)                                                                 \
    case name: {                                                                               \
        const type list[] = {__VA_ARGS__};                                                     \
        return vsg_ocl_answer(query, list, sizeof list);                                       \
    }
#define NOTHING(name)                                                                          \
    case name:                                                                                 \
        return vsg_ocl_answer(query, NULL, 0);
#define CALL(name, function)                                                                   \
    case name:                                                                                 \
        return function(query, d);
#include "opencl/device_info.def"
#undef UINT
#undef ULONG
#undef SIZE
#undef STRING
#undef POINTER
#undef ARRAY
#undef NOTHING
#undef CALL
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info param_name, size_t param_value_size,
                       void *param_value, size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_query query = {param_value_size, param_value, param_value_size_ret};

    if (!vsg_ocl_is(device, VSG_OCL_DEVICE))
        return CL_INVALID_DEVICE;
    return answer(device, param_name, &query);
}
