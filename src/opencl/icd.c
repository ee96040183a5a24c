/* SPDX-License-Identifier: MIT
 *
 * What the loader calls by name, and the table through which it calls the rest. Source: OpenCL
 * extension cl_khr_icd. */
#include <string.h>

#include "opencl/device.h"
#include "opencl/trace.h"

const cl_icd_dispatch vsg_ocl_dispatch = {
#define CL(name) .name = name,
#define CL_EXTENSION(name)
#include "opencl/cl.def"
#undef CL
#undef CL_EXTENSION
};

typedef void (*any_function)(void);

typedef struct entry_point {
    const char *name;
    any_function function;
} entry_point;

static const entry_point entry_points[] = {
#define CL(name)           {#name, (any_function)name},
#define CL_EXTENSION(name) CL(name)
#include "opencl/cl.def"
#undef CL
#undef CL_EXTENSION
};

static void *find(const char *name)
{
    if (!name)
        return NULL;
    for (size_t i = 0; i < sizeof entry_points / sizeof *entry_points; i++)
        if (strcmp(entry_points[i].name, name) == 0) {
            /* POSIX has functions in pointers to objects; C has not. */
            void *address;
            _Static_assert(sizeof address == sizeof entry_points[i].function, "pointers");
            memcpy(&address, &entry_points[i].function, sizeof address);
            return address;
        }
    return NULL;
}

VSG_OCL_EXPORT void *clGetExtensionFunctionAddress(const char *name)
{
    return find(name);
}

void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
    VSG_OCL_TRACED;
    return vsg_ocl_is(platform, VSG_OCL_PLATFORM) ? find(name) : NULL;
}

static cl_int get_platforms(cl_uint num_entries, cl_platform_id *platforms,
                            cl_uint *num_platforms)
{
    if ((platforms && num_entries == 0) || (!platforms && !num_platforms))
        return CL_INVALID_VALUE;
    if (platforms)
        platforms[0] = vsg_ocl_platform();
    if (num_platforms)
        *num_platforms = 1;
    return CL_SUCCESS;
}

VSG_OCL_EXPORT cl_int clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                                             cl_uint *num_platforms)
{
    return get_platforms(num_entries, platforms, num_platforms);
}

cl_int clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms)
{
    return get_platforms(num_entries, platforms, num_platforms);
}
