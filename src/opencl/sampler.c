/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "opencl/memory.h"
#include "opencl/trace.h"

static void destroy(void *object)
{
    cl_sampler sampler = object;

    visage_sampler_destroy(&sampler->sampler);
    vsg_ocl_let_go(sampler->context);
    free(sampler->properties);
    vsg_ocl_object_delete(sampler);
}

/* What a sampler is to be. */
typedef struct traits {
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
} traits;

typedef struct addressing_row {
    cl_addressing_mode mode;
    visage_address address;
} addressing_row;

/* What is outside with CL_ADDRESS_NONE is nobody's affair; the edge harms no one. */
static const addressing_row addressings[] = {
    {CL_ADDRESS_NONE, VISAGE_ADDRESS_EDGE},
    {CL_ADDRESS_CLAMP_TO_EDGE, VISAGE_ADDRESS_EDGE},
    {CL_ADDRESS_CLAMP, VISAGE_ADDRESS_BORDER},
    {CL_ADDRESS_REPEAT, VISAGE_ADDRESS_REPEAT},
    {CL_ADDRESS_MIRRORED_REPEAT, VISAGE_ADDRESS_MIRROR},
};

static const addressing_row *addressing_of(cl_addressing_mode mode)
{
    for (size_t i = 0; i < sizeof addressings / sizeof *addressings; i++)
        if (addressings[i].mode == mode)
            return &addressings[i];
    return NULL;
}

static cl_int check(cl_context context, const traits *wanted)
{
    if (!vsg_ocl_is_context(context))
        return CL_INVALID_CONTEXT;
    if (!addressing_of(wanted->addressing) || wanted->normalized > CL_TRUE ||
        (wanted->filter != CL_FILTER_NEAREST && wanted->filter != CL_FILTER_LINEAR))
        return CL_INVALID_VALUE;
    /* Coordinates that repeat are normalized. */
    if (!wanted->normalized && (wanted->addressing == CL_ADDRESS_REPEAT ||
                                wanted->addressing == CL_ADDRESS_MIRRORED_REPEAT))
        return CL_INVALID_VALUE;
    return vsg_ocl_context_can(context, VSG_OCL_IMAGES) ? CL_SUCCESS : CL_INVALID_OPERATION;
}

static cl_int create(cl_context context, const traits *wanted,
                     const cl_sampler_properties *properties, cl_sampler *out)
{
    visage_sampler_options options = VISAGE_OPTIONS_INIT(visage_sampler_options);
    visage_context *library = vsg_ocl_library();
    cl_sampler sampler = vsg_ocl_object_new(sizeof *sampler, VSG_OCL_SAMPLER, destroy);

    if (!sampler)
        return CL_OUT_OF_HOST_MEMORY;
    vsg_ocl_hold(context);
    sampler->context = context;
    sampler->normalized = wanted->normalized;
    sampler->addressing = wanted->addressing;
    sampler->filter = wanted->filter;
    options.filter =
        wanted->filter == CL_FILTER_LINEAR ? VISAGE_FILTER_LINEAR : VISAGE_FILTER_NEAREST;
    options.normalized = wanted->normalized;
    for (int i = 0; i < 3; i++)
        options.address[i] = addressing_of(wanted->addressing)->address;
    if (!library ||
        !vsg_ocl_copy_properties(properties, &sampler->properties, &sampler->num_properties) ||
        visage_sampler_create(library, &options, &sampler->sampler) != VISAGE_OK) {
        vsg_ocl_let_go(sampler);
        return CL_OUT_OF_HOST_MEMORY;
    }
    *out = sampler;
    return CL_SUCCESS;
}

cl_sampler clCreateSampler(cl_context context, cl_bool normalized_coords,
                           cl_addressing_mode addressing_mode, cl_filter_mode filter_mode,
                           cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    const traits wanted = {normalized_coords, addressing_mode, filter_mode};
    cl_sampler sampler = NULL;
    cl_int status = check(context, &wanted);

    if (status == CL_SUCCESS)
        status = create(context, &wanted, NULL, &sampler);
    vsg_ocl_result(errcode_ret, status);
    return sampler;
}

static cl_int read_properties(const cl_sampler_properties *list, traits *wanted)
{
    bool seen[3] = {false};

    *wanted = (traits){CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST};
    for (; list && *list; list += 2) {
        int which;
        switch (list[0]) {
        case CL_SAMPLER_NORMALIZED_COORDS:
            which = 0;
            wanted->normalized = (cl_bool)list[1];
            break;
        case CL_SAMPLER_ADDRESSING_MODE:
            which = 1;
            wanted->addressing = (cl_addressing_mode)list[1];
            break;
        case CL_SAMPLER_FILTER_MODE:
            which = 2;
            wanted->filter = (cl_filter_mode)list[1];
            break;
        default:
            return CL_INVALID_VALUE;
        }
        if (seen[which])
            return CL_INVALID_VALUE;
        seen[which] = true;
    }
    return CL_SUCCESS;
}

cl_sampler clCreateSamplerWithProperties(cl_context context,
                                         const cl_sampler_properties *sampler_properties,
                                         cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    traits wanted;
    cl_sampler sampler = NULL;
    cl_int status = vsg_ocl_is_context(context) ? CL_SUCCESS : CL_INVALID_CONTEXT;

    if (status == CL_SUCCESS)
        status = read_properties(sampler_properties, &wanted);
    if (status == CL_SUCCESS)
        status = check(context, &wanted);
    if (status == CL_SUCCESS)
        status = create(context, &wanted, sampler_properties, &sampler);
    vsg_ocl_result(errcode_ret, status);
    return sampler;
}

cl_int clRetainSampler(cl_sampler sampler)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_sampler(sampler))
        return CL_INVALID_SAMPLER;
    vsg_ocl_retain(sampler);
    return CL_SUCCESS;
}

cl_int clReleaseSampler(cl_sampler sampler)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_sampler(sampler) || !vsg_ocl_release(sampler))
        return CL_INVALID_SAMPLER;
    return CL_SUCCESS;
}

cl_int clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t param_value_size,
                        void *param_value, size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_query query = {param_value_size, param_value, param_value_size_ret};

    if (!vsg_ocl_is_sampler(sampler))
        return CL_INVALID_SAMPLER;
    switch (param_name) {
    case CL_SAMPLER_REFERENCE_COUNT:
        return vsg_ocl_answer_uint(&query, vsg_ocl_references(sampler));
    case CL_SAMPLER_CONTEXT:
        return vsg_ocl_answer_pointer(&query, sampler->context);
    case CL_SAMPLER_NORMALIZED_COORDS:
        return vsg_ocl_answer_uint(&query, sampler->normalized);
    case CL_SAMPLER_ADDRESSING_MODE:
        return vsg_ocl_answer_uint(&query, sampler->addressing);
    case CL_SAMPLER_FILTER_MODE:
        return vsg_ocl_answer_uint(&query, sampler->filter);
    case CL_SAMPLER_PROPERTIES:
        return vsg_ocl_answer(&query, sampler->properties,
                              sampler->num_properties * sizeof *sampler->properties);
    default:
        return CL_INVALID_VALUE;
    }
}
