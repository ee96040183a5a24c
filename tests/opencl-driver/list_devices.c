/* SPDX-License-Identifier: MIT
 *
 * Prints a line for each device of each platform; and its arguments, to show that they come
 * through. */
#include <stdio.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

static cl_uint ask(cl_device_id device, cl_device_info query)
{
    cl_uint answer = 0;

    (void)clGetDeviceInfo(device, query, sizeof answer, &answer, NULL);
    return answer;
}

/* All units, and how they are grouped (cl_intel_device_attribute_query). */
static void print_units(cl_device_id device)
{
    printf(", units %u %ux%ux%u", ask(device, CL_DEVICE_MAX_COMPUTE_UNITS),
           ask(device, CL_DEVICE_NUM_SLICES_INTEL),
           ask(device, CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL),
           ask(device, CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL));
}

int main(int argc, char **argv)
{
    cl_platform_id platforms[16];
    cl_device_id devices[16];
    cl_uint num_platforms = 0, num_devices = 0;
    char name[256];

    if (clGetPlatformIDs(16, platforms, &num_platforms) != CL_SUCCESS)
        return 1;
    for (cl_uint i = 0; i < num_platforms; i++) {
        (void)clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        printf("platform %s\n", name);
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 16, devices, &num_devices) !=
            CL_SUCCESS)
            continue;
        for (cl_uint j = 0; j < num_devices; j++) {
            (void)clGetDeviceInfo(devices[j], CL_DEVICE_NAME, sizeof name, name, NULL);
            cl_bool has_compiler = CL_FALSE;
            (void)clGetDeviceInfo(devices[j], CL_DEVICE_COMPILER_AVAILABLE, sizeof has_compiler,
                                  &has_compiler, NULL);
            printf("device %s%s", name, has_compiler ? "" : ", without compiler");
            print_units(devices[j]);
            printf("\n");
        }
    }
    for (int i = 1; i < argc; i++)
        printf("argument %s\n", argv[i]);
    return argc > 1 ? 7 : 0;
}
