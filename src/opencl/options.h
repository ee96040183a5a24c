/* SPDX-License-Identifier: MIT
 *
 * Options of builds: which there are, and what the compiler is given of them. */
#ifndef VISAGE_OPENCL_OPTIONS_H
#define VISAGE_OPENCL_OPTIONS_H

#include "opencl/device.h"

/* What a build's options say, besides what is only handed on. */
typedef struct vsg_ocl_options {
    char *text;        /* for the compiler; owned */
    char *folders;     /* to include from, each with a NUL behind it, "" ends; owned */
    char *macros;      /* names of those that the text defines, in the same form; owned */
    char *defines;     /* lines that define all others, to stand before a source; owned */
    char *header_text; /* what of the text matters to the compiler's own headers; owned */
    unsigned version;  /* of -cl-std, 120 to 300 */
    bool is_library;   /* -create-library */
    bool is_odd;       /* something whose files we do not know: results are not kept */
    bool is_apart;     /* something with which the headers are not kept as they were read */
} vsg_ocl_options;

typedef enum vsg_ocl_build_kind {
    VSG_OCL_BUILD,   /* clBuildProgram() */
    VSG_OCL_COMPILE, /* clCompileProgram() */
    VSG_OCL_LINK     /* clLinkProgram() */
} vsg_ocl_build_kind;

/* Reads options, which may be NULL. Free with vsg_ocl_options_free() in any case. Returns
 * CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS or CL_INVALID_LINKER_OPTIONS, as the
 * kind has it, and names what is wrong in `wrong`; CL_OUT_OF_HOST_MEMORY. */
cl_int vsg_ocl_options_read(const char *text, vsg_ocl_build_kind kind, vsg_ocl_options *out,
                            char wrong[128]);
void vsg_ocl_options_free(vsg_ocl_options *options);

/* Internal options: what the device can do (-cl-ext), and what we need of the compiler. NULL:
 * memory is out; free() it. */
char *vsg_ocl_internal_options(cl_device_id device, const vsg_ocl_options *options);

/* Options for the compiler's code generator alone: those of `text` that are not for the reading
 * of sources. NULL: memory is out; free() it. */
char *vsg_ocl_generator_options(const char *text);

#endif
