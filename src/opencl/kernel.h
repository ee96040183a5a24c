/* SPDX-License-Identifier: MIT
 *
 * Kernels: one of a program, with arguments, and what runs it on each device. */
#ifndef VISAGE_OPENCL_KERNEL_H
#define VISAGE_OPENCL_KERNEL_H

#include "opencl/memory.h"
#include "opencl/program.h"

/* What an argument is set to. */
typedef struct vsg_ocl_arg {
    bool is_set;
    bool is_pointer;    /* `pointer` was set, of an allocation (clSetKernelArgSVMPointer) */
    cl_mem memory;      /* watched by a kernel, held by a launch; or NULL */
    cl_sampler sampler; /* likewise */
    const void *pointer;
    uint8_t *bytes;    /* of a value; in the kernel's area for them */
    size_t size_bytes; /* of a value, or of local memory */
} vsg_ocl_arg;

/* What libvisage needs to run the kernel once at a time. */
typedef struct vsg_ocl_runner {
    struct vsg_ocl_runner *next;
    uint64_t version; /* of the kernel's arguments that `launch` was given; 0: none */
    visage_launch *launch;
    visage_diagnostics *diagnostics;
    visage_run_options options;
} vsg_ocl_runner;

/* The kernel on one device of the program; launch is made for each run that happens at the same
 * time, and kept. */
typedef struct vsg_ocl_kernel_on {
    const vsg_ocl_build *build; /* NULL: the program is not built for this device */
    size_t index;               /* of the kernel in the build's module */
    visage_kernel_info info;
    bool is_uneven;                    /* groups at the edges of a range may be smaller */
    _Atomic(vsg_ocl_runner *) at_hand; /* an idle one, where only one run happens at a time */
    vsg_ocl_runner *idle;              /* the others, guarded by the kernel's lock */
} vsg_ocl_kernel_on;

struct _cl_kernel {
    vsg_ocl_object head;
    cl_program program; /* held, and counted as one with kernels */
    char *name;
    vsg_ocl_kernel_on *on;        /* one a device of the program */
    const vsg_ocl_kernel_on *any; /* one that has a build */
    visage_argument_info *infos;
    vsg_ocl_arg *args;
    cl_uint num_args;
    uint8_t *values; /* bytes of the arguments that are values, one after the other */
    size_t num_values;
    uint64_t version; /* of the arguments: counts what is set, from 1 */
    bool has_lock;
    pthread_mutex_t lock; /* of the arguments and of what is idle */
};

static inline bool vsg_ocl_is_kernel(cl_kernel kernel)
{
    return vsg_ocl_is(kernel, VSG_OCL_KERNEL);
}

/* The kernel on a device; NULL: it has no build. */
vsg_ocl_kernel_on *vsg_ocl_kernel_find(cl_kernel kernel, cl_device_id device);

/* Takes something that runs the kernel on a device; NULL: memory is out, or the kernel cannot
 * be run, as *reason says then (free() it). Give it back. */
vsg_ocl_runner *vsg_ocl_runner_take(cl_kernel kernel, vsg_ocl_kernel_on *on, char **reason);
void vsg_ocl_runner_give_back(cl_kernel kernel, vsg_ocl_kernel_on *on, vsg_ocl_runner *runner);

/* The errors of a list as one text; free() it. NULL: there are none, or memory is out. */
char *vsg_ocl_tell(const visage_diagnostics *diagnostics);

/* Bytes of shared local memory that the arguments ask for. */
size_t vsg_ocl_kernel_local_bytes(cl_kernel kernel);

#endif
