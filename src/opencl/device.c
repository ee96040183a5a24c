/* SPDX-License-Identifier: MIT
 *
 * Finding devices, and what may be done with them. They are there as long as the process and
 * are not counted; none can be partitioned. */
#include "opencl/device.h"

#include "opencl/trace.h"

static bool is_type(cl_device_type type)
{
    const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU |
                                 CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR |
                                 CL_DEVICE_TYPE_CUSTOM;

    return type == CL_DEVICE_TYPE_ALL || (type != 0 && (type & ~known) == 0);
}

size_t vsg_ocl_devices_of_type(cl_device_type type, const cl_device_id **devices)
{
    size_t count = vsg_ocl_devices(devices);

    if (type & CL_DEVICE_TYPE_GPU)
        return count;
    return (type & CL_DEVICE_TYPE_DEFAULT) && count > 0 ? 1 : 0;
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type, cl_uint num_entries,
                      cl_device_id *devices, cl_uint *num_devices)
{
    VSG_OCL_TRACED;
    const cl_device_id *all;

    if (platform && !vsg_ocl_is(platform, VSG_OCL_PLATFORM))
        return CL_INVALID_PLATFORM;
    if (!is_type(device_type))
        return CL_INVALID_DEVICE_TYPE;
    if ((devices && num_entries == 0) || (!devices && !num_devices))
        return CL_INVALID_VALUE;
    size_t count = vsg_ocl_devices_of_type(device_type, &all);
    if (num_devices)
        *num_devices = (cl_uint)count;
    for (size_t i = 0; devices && i < count && i < num_entries; i++)
        devices[i] = all[i];
    return count > 0 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

cl_int clRetainDevice(cl_device_id device)
{
    VSG_OCL_TRACED;
    return vsg_ocl_is(device, VSG_OCL_DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int clReleaseDevice(cl_device_id device)
{
    VSG_OCL_TRACED;
    return vsg_ocl_is(device, VSG_OCL_DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int clCreateSubDevices(cl_device_id in_device,
                          const cl_device_partition_property *properties, cl_uint num_devices,
                          cl_device_id *out_devices, cl_uint *num_devices_ret)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is(in_device, VSG_OCL_DEVICE))
        return CL_INVALID_DEVICE;
    (void)properties;
    (void)num_devices;
    (void)out_devices;
    (void)num_devices_ret;
    return CL_INVALID_VALUE;
}

/* cl_ext_device_fission, which no device has. */

cl_int clCreateSubDevicesEXT(cl_device_id in_device,
                             const cl_device_partition_property_ext *properties,
                             cl_uint num_entries, cl_device_id *out_devices,
                             cl_uint *num_devices)
{
    (void)properties;
    return clCreateSubDevices(in_device, NULL, num_entries, out_devices, num_devices);
}

cl_int clRetainDeviceEXT(cl_device_id device)
{
    return clRetainDevice(device);
}

cl_int clReleaseDeviceEXT(cl_device_id device)
{
    return clReleaseDevice(device);
}

/* ---- timers ----------------------------------------------------------------------------- */

cl_int clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp,
                               cl_ulong *host_timestamp)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is(device, VSG_OCL_DEVICE))
        return CL_INVALID_DEVICE;
    if (!device_timestamp || !host_timestamp)
        return CL_INVALID_VALUE;
    *device_timestamp = *host_timestamp = vsg_ocl_now();
    return CL_SUCCESS;
}

cl_int clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is(device, VSG_OCL_DEVICE))
        return CL_INVALID_DEVICE;
    if (!host_timestamp)
        return CL_INVALID_VALUE;
    *host_timestamp = vsg_ocl_now();
    return CL_SUCCESS;
}
