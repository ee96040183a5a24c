/* SPDX-License-Identifier: MIT
 *
 * The platform and its devices. A device is a row of devices.def; what runs kernels for it,
 * libvisage's device, is made when it is first needed. All devices share one address space, so
 * that a buffer is the same memory to each of them. */
#ifndef VISAGE_OPENCL_DEVICE_H
#define VISAGE_OPENCL_DEVICE_H

#include <visage/visage.h>

#include "opencl/object.h"

/* What a device can do beyond what all can; columns `.has` of devices.def, `needs` of
 * extensions.def. */
typedef enum vsg_ocl_feature {
    VSG_OCL_FP64 = 1 << 0,         /* double precision */
    VSG_OCL_FP64_MADE = 1 << 1,    /* not in hardware, the compiler can make it of integers:
                                      VISAGE_FP64=1 has the device report it */
    VSG_OCL_IMAGES = 1 << 2,       /* images and samplers */
    VSG_OCL_DOT = 1 << 3,          /* integer dot product instructions */
    VSG_OCL_DPAS = 1 << 4,         /* matrix multiply-accumulate */
    VSG_OCL_LOCAL_BLOCKS = 1 << 5, /* block reads and writes of shared local memory */
    VSG_OCL_BFLOAT16 = 1 << 6,     /* conversions from and to bfloat16 */
    VSG_OCL_PIPES = 1 << 7
} vsg_ocl_feature;

/* Row of devices.def; the legend is there. */
typedef struct vsg_ocl_device_facts {
    const char *key;      /* for VISAGE_DEVICES */
    const char *compiler; /* what the compiler calls it (-device) */
    const char *name;     /* CL_DEVICE_NAME */
    visage_platform platform;
    uint32_t has; /* of vsg_ocl_feature */
    uint32_t compute_units, threads_per_unit;
    uint32_t sub_group_sizes[4]; /* ascending, 0 ends */
    uint32_t pci_id, ip_version;
    uint32_t clock_mhz;
} vsg_ocl_device_facts;

struct _cl_device_id {
    vsg_ocl_object head;
    const vsg_ocl_device_facts *facts;
    uint32_t has;                     /* the row's, and what the environment adds */
    uint32_t units;                   /* the row's, or VISAGE_UNITS */
    uint32_t index;                   /* among the platform's devices */
    _Atomic(visage_device *) machine; /* see vsg_ocl_device_machine() */
};

/* The platform's one handle. */
cl_platform_id vsg_ocl_platform(void);

/* The platform's devices, as VISAGE_DEVICES chooses and orders them. The array and the devices
 * live as long as the process. */
size_t vsg_ocl_devices(const cl_device_id **devices);
/* The first of them that are of a type. */
size_t vsg_ocl_devices_of_type(cl_device_type type, const cl_device_id **devices);

/* What runs the device's kernels; NULL: memory is out. Safe from several threads. */
visage_device *vsg_ocl_device_machine(cl_device_id device);
/* What all of libvisage's objects are made in; NULL: memory is out. */
visage_context *vsg_ocl_library(void);
/* A device in whose address space buffers are made: they are good for every device. */
visage_device *vsg_ocl_any_machine(void);

static inline bool vsg_ocl_device_has(cl_device_id device, vsg_ocl_feature feature)
{
    return (device->has & (uint32_t)feature) != 0;
}

/* Work-items of a work-group, and bytes of shared local memory, at most. */
uint32_t vsg_ocl_device_max_group(cl_device_id device);
uint32_t vsg_ocl_device_slm_bytes(cl_device_id device);

/* Rows of extensions.def. */
typedef struct vsg_ocl_extension {
    const char *name;
    cl_version version;
    uint32_t needs;      /* one of these features is enough; 0: every device has it */
    bool is_feature;     /* of OpenCL C, "__opencl_c_..." */
    bool is_platform;    /* of the platform, too */
    bool is_language;    /* the compiler is told of it (-cl-ext=), of features for OpenCL C 3.0
                            only */
    bool is_always_told; /* even for devices that do not have it */
} vsg_ocl_extension;

size_t vsg_ocl_extensions(const vsg_ocl_extension **rows);
/* device: NULL asks of the platform. */
bool vsg_ocl_device_has_extension(cl_device_id device, const vsg_ocl_extension *extension);
/* The names with blanks between; and all with versions: extensions, or features of OpenCL C. */
cl_int vsg_ocl_answer_extensions(const vsg_ocl_query *query, cl_device_id device);
cl_int vsg_ocl_answer_extension_versions(const vsg_ocl_query *query, cl_device_id device,
                                         bool features);

/* Nanoseconds of the clock that events and both timers use. */
uint64_t vsg_ocl_now(void);

#endif
