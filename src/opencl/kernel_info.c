/* SPDX-License-Identifier: MIT
 *
 * What there is to know of kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/kernel.h"
#include "opencl/trace.h"

/* ---- the kernel ------------------------------------------------------------------------- */

/* The attributes of the source, as the compiler keeps them: the language has them in no order.
 */
static cl_int answer_attributes(const vsg_ocl_query *query, const visage_kernel_info *info)
{
    char text[512];
    size_t length = 0;
    const uint32_t *sizes[] = {info->required_local, info->local_hint};
    static const char *const names[] = {"reqd_work_group_size", "work_group_size_hint"};

    text[0] = '\0';
    for (size_t i = 0; i < 2; i++)
        if (sizes[i][0])
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s(%u,%u,%u)",
                                       length ? " " : "", names[i], sizes[i][0], sizes[i][1],
                                       sizes[i][2]);
    if (info->vector_hint)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%svec_type_hint(%.64s)",
                             length ? " " : "", info->vector_hint);
    if (info->required_sub_group)
        (void)snprintf(text + length, sizeof text - length, "%sintel_reqd_sub_group_size(%u)",
                       length ? " " : "", info->required_sub_group);
    return vsg_ocl_answer_string(query, text);
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size,
                       void *param_value, size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_query query = {param_value_size, param_value, param_value_size_ret};

    if (!vsg_ocl_is_kernel(kernel))
        return CL_INVALID_KERNEL;
    switch (param_name) {
    case CL_KERNEL_FUNCTION_NAME:
        return vsg_ocl_answer_string(&query, kernel->name);
    case CL_KERNEL_NUM_ARGS:
        return vsg_ocl_answer_uint(&query, kernel->num_args);
    case CL_KERNEL_REFERENCE_COUNT:
        return vsg_ocl_answer_uint(&query, vsg_ocl_references(kernel));
    case CL_KERNEL_CONTEXT:
        return vsg_ocl_answer_pointer(&query, kernel->program->context);
    case CL_KERNEL_PROGRAM:
        return vsg_ocl_answer_pointer(&query, kernel->program);
    case CL_KERNEL_ATTRIBUTES:
        return answer_attributes(&query, &kernel->any->info);
    default:
        return CL_INVALID_VALUE;
    }
}

/* ---- arguments -------------------------------------------------------------------------- */

/* A word of the compiler, and what OpenCL calls it. */
typedef struct meaning {
    const char *word;
    cl_ulong value;
} meaning;

static const meaning addresses[] = {
    {"__global", CL_KERNEL_ARG_ADDRESS_GLOBAL},
    {"__local", CL_KERNEL_ARG_ADDRESS_LOCAL},
    {"__constant", CL_KERNEL_ARG_ADDRESS_CONSTANT},
    {"__private", CL_KERNEL_ARG_ADDRESS_PRIVATE},
};
static const meaning accesses[] = {
    {"__read_only", CL_KERNEL_ARG_ACCESS_READ_ONLY},
    {"__write_only", CL_KERNEL_ARG_ACCESS_WRITE_ONLY},
    {"__read_write", CL_KERNEL_ARG_ACCESS_READ_WRITE},
    {"read_only", CL_KERNEL_ARG_ACCESS_READ_ONLY},
    {"write_only", CL_KERNEL_ARG_ACCESS_WRITE_ONLY},
    {"read_write", CL_KERNEL_ARG_ACCESS_READ_WRITE},
};
static const meaning qualifiers[] = {
    {"const", CL_KERNEL_ARG_TYPE_CONST},
    {"restrict", CL_KERNEL_ARG_TYPE_RESTRICT},
    {"volatile", CL_KERNEL_ARG_TYPE_VOLATILE},
    {"pipe", CL_KERNEL_ARG_TYPE_PIPE},
};

#define FIND(table, text, otherwise) find(table, sizeof table / sizeof *table, text, otherwise)

static cl_ulong find(const meaning *table, size_t count, const char *text, cl_ulong otherwise)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].word, text) == 0)
            return table[i].value;
    return otherwise;
}

/* Words with blanks between. */
static cl_kernel_arg_type_qualifier find_qualifiers(const char *text)
{
    cl_kernel_arg_type_qualifier all = CL_KERNEL_ARG_TYPE_NONE;

    while (*text) {
        char word[16];
        size_t length = strcspn(text, " ");
        (void)snprintf(word, sizeof word, "%.*s", (int)(length < 15 ? length : 15), text);
        all |= FIND(qualifiers, word, CL_KERNEL_ARG_TYPE_NONE);
        text += length + (text[length] == ' ');
    }
    return all;
}

/* The compiler writes "float4*;8": a type, and what it takes as an argument. */
static cl_int answer_type(const vsg_ocl_query *query, const char *text)
{
    char name[256];

    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ";"), text);
    return vsg_ocl_answer_string(query, name);
}

cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_index, cl_kernel_arg_info param_name,
                          size_t param_value_size, void *param_value,
                          size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_query query = {param_value_size, param_value, param_value_size_ret};

    if (!vsg_ocl_is_kernel(kernel))
        return CL_INVALID_KERNEL;
    if (arg_index >= kernel->num_args)
        return CL_INVALID_ARG_INDEX;
    const visage_argument_info *info = &kernel->infos[arg_index];
    bool is_told = info->address_qualifier && info->access_qualifier && info->type_name &&
                   info->type_qualifiers && info->name;
    if (param_name < CL_KERNEL_ARG_ADDRESS_QUALIFIER || param_name > CL_KERNEL_ARG_NAME)
        return CL_INVALID_VALUE;
    if (!is_told)
        return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
    switch (param_name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return vsg_ocl_answer_uint(&query, (cl_uint)FIND(addresses, info->address_qualifier,
                                                         CL_KERNEL_ARG_ADDRESS_PRIVATE));
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return vsg_ocl_answer_uint(
            &query, (cl_uint)FIND(accesses, info->access_qualifier, CL_KERNEL_ARG_ACCESS_NONE));
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
        return vsg_ocl_answer_ulong(&query, find_qualifiers(info->type_qualifiers));
    case CL_KERNEL_ARG_TYPE_NAME:
        return answer_type(&query, info->type_name);
    default:
        return vsg_ocl_answer_string(&query, info->name);
    }
}

/* ---- on a device ------------------------------------------------------------------------ */

/* The kernel on `device`; NULL takes the only one there is. */
static cl_int find_on(cl_kernel kernel, cl_device_id device, const vsg_ocl_kernel_on **out)
{
    *out = NULL;
    if (device) {
        if (!vsg_ocl_is(device, VSG_OCL_DEVICE))
            return CL_INVALID_DEVICE;
        *out = vsg_ocl_kernel_find(kernel, device);
    }
    for (cl_uint i = 0; !device && i < kernel->program->num_devices; i++) {
        if (!kernel->on[i].build)
            continue;
        if (*out)
            return CL_INVALID_DEVICE;
        *out = &kernel->on[i];
    }
    return *out ? CL_SUCCESS : CL_INVALID_DEVICE;
}

static cl_int answer_triple(const vsg_ocl_query *query, const uint32_t values[3])
{
    const size_t wide[3] = {values[0], values[1], values[2]};

    return vsg_ocl_answer(query, wide, sizeof wide);
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info param_name, size_t param_value_size,
                                void *param_value, size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_query query = {param_value_size, param_value, param_value_size_ret};
    const vsg_ocl_kernel_on *on;

    if (!vsg_ocl_is_kernel(kernel))
        return CL_INVALID_KERNEL;
    cl_int status = find_on(kernel, device, &on);
    if (status != CL_SUCCESS)
        return status;
    const visage_kernel_info *info = &on->info;
    switch (param_name) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        return vsg_ocl_answer_size(&query, vsg_ocl_device_max_group(on->build->device));
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
        return answer_triple(&query, info->required_local);
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return vsg_ocl_answer_size(&query, info->simd_size);
    case CL_KERNEL_LOCAL_MEM_SIZE:
        return vsg_ocl_answer_ulong(&query,
                                    info->slm_bytes + vsg_ocl_kernel_local_bytes(kernel));
    case CL_KERNEL_PRIVATE_MEM_SIZE:
        return vsg_ocl_answer_ulong(&query, info->private_bytes /
                                                (info->simd_size ? info->simd_size : 1));
    case CL_KERNEL_SPILL_MEM_SIZE_INTEL:
        return vsg_ocl_answer_ulong(&query, 0);
    default: /* CL_KERNEL_GLOBAL_WORK_SIZE is for built-in kernels and other types of devices */
        return CL_INVALID_VALUE;
    }
}

/* ---- sub-groups ------------------------------------------------------------------------- */

/* A local size in an input, 1 to 3 numbers: work-items, and what the first dimension has. */
static bool read_local(const void *input, size_t input_bytes, size_t *items)
{
    size_t sizes[3];

    *items = 1;
    if (!input || input_bytes == 0 || input_bytes % sizeof *sizes != 0 ||
        input_bytes > sizeof sizes)
        return false;
    memcpy(sizes, input, input_bytes);
    for (size_t d = 0; d < input_bytes / sizeof *sizes; d++)
        *items *= sizes[d];
    return true;
}

/* The local size with so many sub-groups: all in the first dimension. */
static cl_int answer_local(const vsg_ocl_query *query, const vsg_ocl_kernel_on *on,
                           size_t sub_groups)
{
    size_t sizes[3] = {sub_groups * on->info.simd_size, 1, 1};
    const uint32_t *required = on->info.required_local;
    size_t dims = query->size_bytes / sizeof *sizes;

    if (query->value && (dims < 1 || dims > 3 || query->size_bytes % sizeof *sizes != 0))
        return CL_INVALID_VALUE;
    size_t items = (size_t)required[0] * required[1] * required[2];
    bool fits = required[0]
                    ? (items + on->info.simd_size - 1) / on->info.simd_size == sub_groups
                    : sizes[0] <= vsg_ocl_device_max_group(on->build->device);
    if (required[0])
        for (size_t d = 0; d < 3; d++)
            sizes[d] = required[d];
    if (!fits || sub_groups == 0)
        sizes[0] = sizes[1] = sizes[2] = 0;
    return vsg_ocl_answer(query, sizes, (query->value ? dims : 3) * sizeof *sizes);
}

cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                               cl_kernel_sub_group_info param_name, size_t input_value_size,
                               const void *input_value, size_t param_value_size,
                               void *param_value, size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_query query = {param_value_size, param_value, param_value_size_ret};
    const vsg_ocl_kernel_on *on;
    size_t number;

    if (!vsg_ocl_is_kernel(kernel))
        return CL_INVALID_KERNEL;
    cl_int status = find_on(kernel, device, &on);
    if (status != CL_SUCCESS)
        return status;
    size_t simd = on->info.simd_size;
    switch (param_name) {
    case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
        return read_local(input_value, input_value_size, &number)
                   ? vsg_ocl_answer_size(&query, simd)
                   : CL_INVALID_VALUE;
    case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
        return read_local(input_value, input_value_size, &number)
                   ? vsg_ocl_answer_size(&query, (number + simd - 1) / simd)
                   : CL_INVALID_VALUE;
    case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
        if (!input_value || input_value_size != sizeof number)
            return CL_INVALID_VALUE;
        memcpy(&number, input_value, sizeof number);
        return number > SIZE_MAX / 64 ? CL_INVALID_VALUE : answer_local(&query, on, number);
    case CL_KERNEL_MAX_NUM_SUB_GROUPS:
        return vsg_ocl_answer_size(
            &query, (vsg_ocl_device_max_group(on->build->device) + simd - 1) / simd);
    case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
        return vsg_ocl_answer_size(&query, 0);
    case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
        return vsg_ocl_answer_size(&query, on->info.required_sub_group);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device,
                                  cl_kernel_sub_group_info param_name, size_t input_value_size,
                                  const void *input_value, size_t param_value_size,
                                  void *param_value, size_t *param_value_size_ret)
{
    return clGetKernelSubGroupInfo(kernel, device, param_name, input_value_size, input_value,
                                   param_value_size, param_value, param_value_size_ret);
}
