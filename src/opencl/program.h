/* SPDX-License-Identifier: MIT
 *
 * Programs: what they are made from, and for each device what became of it. */
#ifndef VISAGE_OPENCL_PROGRAM_H
#define VISAGE_OPENCL_PROGRAM_H

#include "opencl/context.h"
#include "opencl/options.h"

/* A program on one device. */
typedef struct vsg_ocl_build {
    cl_device_id device;
    cl_build_status status;
    cl_program_binary_type type;
    char *options, *log; /* NULL: "" */
    /* EXECUTABLE: a zebin. Else: SPIR-V modules, each with its size before it (wire.h) */
    void *data;
    size_t size_bytes;
    char *made_with;       /* generator options of COMPILED_OBJECT and LIBRARY; NULL: "" */
    bool is_uniform;       /* all groups have one size, as before OpenCL C 2.0 */
    visage_module *module; /* of an executable, else NULL */
    visage_program *program;
    size_t num_kernels;
    bool *refused; /* one a kernel: it cannot be run */
} vsg_ocl_build;

typedef enum vsg_ocl_origin {
    VSG_OCL_FROM_SOURCE,
    VSG_OCL_FROM_IL,
    VSG_OCL_FROM_BINARY,
    VSG_OCL_FROM_LINK
} vsg_ocl_origin;

/* clSetProgramSpecializationConstant() */
typedef struct vsg_ocl_constant {
    cl_uint id;
    size_t size_bytes;
    uint8_t value[8];
} vsg_ocl_constant;

struct _cl_program {
    vsg_ocl_object head;
    cl_context context; /* held */
    vsg_ocl_origin origin;
    char *source; /* ends with a NUL; or NULL */
    void *il;     /* or NULL */
    size_t il_bytes;
    vsg_ocl_build *builds; /* one a device */
    cl_device_id *devices; /* theirs */
    cl_uint num_devices;
    /* That are alive or being made: while there are any nothing is built anew. */
    atomic_uint num_kernels;
    bool has_lock;
    /* Of the builds, which are taken out while they are in work, and of what follows. */
    pthread_mutex_t lock;
    bool is_building;
    cl_uint num_links;    /* that read the builds: nothing is built anew until they are done */
    pthread_cond_t built; /* it is not any more, or there are none */
    vsg_ocl_constant *constants;
    size_t num_constants;
};

static inline bool vsg_ocl_is_program(cl_program program)
{
    return vsg_ocl_is(program, VSG_OCL_PROGRAM);
}

/* A program that holds its context, with a build for each of these devices. NULL: memory is
 * out. */
cl_program vsg_ocl_program_new(cl_context context, vsg_ocl_origin origin, cl_uint num_devices,
                               const cl_device_id *devices);

/* The build for a device, NULL: there is none. */
vsg_ocl_build *vsg_ocl_program_build(cl_program program, cl_device_id device);
/* Waits for a build that goes on behind the application's back, and keeps others from beginning
 * until vsg_ocl_program_close(): builds may be read meanwhile. */
void vsg_ocl_program_open(cl_program program);
void vsg_ocl_program_close(cl_program program);
/* A build with code, of any device; NULL: none has any. The program is open, or locked. */
const vsg_ocl_build *vsg_ocl_program_any_executable(cl_program program);

/* What the builds of a program have of a kernel. */
typedef enum vsg_ocl_presence {
    VSG_OCL_KERNEL_MISSING,
    VSG_OCL_KERNEL_REFUSED, /* by the verifier, or because devices differ in its arguments */
    VSG_OCL_KERNEL_THERE    /* it can be created */
} vsg_ocl_presence;

vsg_ocl_presence vsg_ocl_program_look_for(cl_program program, const char *name);
/* Calls `visit` with the name of each kernel that can be created, until it returns false. */
void vsg_ocl_program_each_kernel(cl_program program,
                                 bool (*visit)(void *user, const char *name), void *user);
/* The kernel's index in the build's module, SIZE_MAX: there is no such. */
size_t vsg_ocl_find_kernel(const vsg_ocl_build *build, const char *name);

/* ---- builds ----------------------------------------------------------------------------- */

/* Forgets what was built. */
void vsg_ocl_build_reset(vsg_ocl_build *build);
/* Adds a line to the log. */
void vsg_ocl_build_say(vsg_ocl_build *build, const char *text);
/* Makes an executable of a zebin, which is copied: reads it, and links it. False: the log says
 * why not. */
bool vsg_ocl_build_load(vsg_ocl_build *build, const void *zebin, size_t size_bytes);

/* ---- binaries (binary.c) ---------------------------------------------------------------- */

/* What clGetProgramInfo() gives as the binary of a build: size, and the bytes to `to`, unless
 * that is NULL. Returns 0 where there is none, or memory is out. */
size_t vsg_ocl_binary_write(const vsg_ocl_build *build, void *to, size_t size_bytes);
/* Takes a binary: ours, or a zebin. CL_INVALID_BINARY where it is neither, damaged, or for
 * another device. */
cl_int vsg_ocl_binary_read(vsg_ocl_build *build, const void *binary, size_t size_bytes);

/* ---- SPIR-V (spirv.c) ------------------------------------------------------------------- */

bool vsg_ocl_is_spirv(const void *data, size_t size_bytes);
/* Size in bytes of the specialization constant `id`, 0: there is no such. */
size_t vsg_ocl_spirv_constant_bytes(const void *spirv, size_t size_bytes, cl_uint id);
/* Sets constants in the words of a module. */
void vsg_ocl_spirv_specialize(void *spirv, size_t size_bytes, const vsg_ocl_constant *constants,
                              size_t num_constants);

#endif
