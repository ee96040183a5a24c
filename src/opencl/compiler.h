/* SPDX-License-Identifier: MIT
 *
 * Intel's offline compiler, in processes of its own that are kept for the next request: it can
 * abort, hang, and change signal handlers. A process that does so is left to itself, and the
 * request fails. The processes end when the application does, and when nobody needs them for a
 * while. */
#ifndef VISAGE_OPENCL_COMPILER_H
#define VISAGE_OPENCL_COMPILER_H

#include "base/alloc.h"

/* A file in memory. */
typedef struct vsg_ocl_file {
    const char *name;
    const void *data;
    size_t size_bytes;
    bool is_text; /* the compiler wants a NUL behind it, which is added */
} vsg_ocl_file;

/* A call of the compiler: `ocloc <arguments>` with sources and headers for its files. All
 * borrowed. */
typedef struct vsg_ocl_call {
    const char *const *arguments; /* without the program's name */
    size_t num_arguments;
    const vsg_ocl_file *sources;
    size_t num_sources;
    const vsg_ocl_file *headers; /* found by their names */
    size_t num_headers;
    /* By what of the options the compiler reads its own headers, which then need to be read
     * once only (tools/visage-compiler/headers.h); NULL: it reads none, or shall do so anew. */
    const char *header_options;
    const char *macros;  /* that the options define; each with a NUL behind it, "" ends */
    const char *folders; /* likewise, those to include from; NULL: none */
} vsg_ocl_call;

typedef enum vsg_ocl_compiled {
    VSG_OCL_COMPILED,
    VSG_OCL_REFUSED,     /* by the compiler, which says why */
    VSG_OCL_CRASHED,     /* its process ended, or did not answer in time */
    VSG_OCL_NO_COMPILER, /* it is not installed, or its process cannot be started */
    VSG_OCL_NO_MEMORY
} vsg_ocl_compiled;

/* What came of a call. Free with vsg_ocl_output_free(). */
typedef struct vsg_ocl_output {
    vsg_base_alloc alloc;
    char *log; /* what the compiler says, or what we say of it; NULL: nothing */
    size_t log_bytes;
    void *data; /* the one output asked for; NULL: there is none */
    size_t size_bytes;
} vsg_ocl_output;

/* Calls the compiler. wanted: what the name of the output file to keep ends with. Safe from
 * several threads, whose calls run at the same time up to the number of processors. */
vsg_ocl_compiled vsg_ocl_compile(const vsg_ocl_call *call, const char *wanted,
                                 vsg_ocl_output *out);
void vsg_ocl_output_free(vsg_ocl_output *output);

/* Is the compiler there? Looks for its library and for our program, without starting it. */
bool vsg_ocl_compiler_is_there(void);

/* Says which compiler it is: a text that another version would not have. "" where it is not
 * found. */
const char *vsg_ocl_compiler_identity(void);

#endif
