/* SPDX-License-Identifier: MIT
 *
 * What there is to know of a kernel or function before it runs: its text, its arguments, the
 * memory its threads need. From .ze_info where the file has it; else from the vISA text alone
 * (a plain kernel): its .input variables are then its arguments, implicit ones excluded. */
#ifndef VISAGE_RUNTIME_KERNEL_H
#define VISAGE_RUNTIME_KERNEL_H

#include "container/zebin.h"
#include "object/object.h"

typedef struct vsg_run_arg {
    visage_argument_kind kind;
    uint32_t size_bytes;        /* of a value, and of a plain kernel's input */
    const char *name, *access;  /* NULL: not known */
    int32_t bti;                /* binding-table index, -1: none */
    bool has_address;           /* the payload has the buffer's */
    int32_t sampler;            /* sampler index, -1: none */
    const char *shape;          /* of an image, "2d" ...; NULL: not known */
    uint32_t slm_alignment;     /* local; a power of two */
    const vsg_obj_input *input; /* of a plain kernel, else NULL */
} vsg_run_arg;

/* Memory of one hardware thread, bytes. */
typedef struct vsg_run_thread_memory {
    uint64_t scratch_bytes; /* reached through r0.5 or %scratch */
    uint64_t private_bytes; /* behind private_base_stateless */
} vsg_run_thread_memory;

typedef struct vsg_run_kernel {
    const vsg_obj_unit *unit;
    uint32_t index;             /* of the unit in its module */
    const vsg_con_kernel *info; /* NULL: a plain kernel, or a function */
    vsg_run_arg *args;
    size_t num_args;
    /* What attributes and .ze_info say, since each launch asks for it: */
    uint32_t channels;            /* of a thread at dispatch */
    uint32_t thread_bytes;        /* PerThreadInputSize; 0: none */
    uint64_t kinds;               /* of payload arguments, bit n: vsg_con_payload_kind n */
    vsg_run_thread_memory memory; /* of a thread */
    const char *text;             /* in which the unit stands, for reports */
    size_t text_size;
} vsg_run_kernel;

/* Describes a unit. info: kept; NULL where there is none. text: kept. False: memory is out. */
VISAGE_NODISCARD bool vsg_run_kernel_describe(vsg_base_arena *arena, const vsg_obj_unit *unit,
                                              uint32_t index, const vsg_con_kernel *info,
                                              vsg_run_kernel *out);

/* Has the kernel a payload argument of this kind? */
bool vsg_run_kernel_has(const vsg_run_kernel *kernel, vsg_con_payload_kind kind);

/* Is each thread one work-item? So are the kernels of the vector backend, simd_size 1. */
bool vsg_run_kernel_is_explicit(const vsg_run_kernel *kernel);

/* Shared local memory without the local arguments, bytes. */
uint64_t vsg_run_kernel_slm(const vsg_run_kernel *kernel);

/* Name of the variable that an input fills, NULL where it names none. */
const char *vsg_run_input_name(const vsg_obj_unit *unit, const vsg_obj_input *input);

/* Words for messages: "a value", "a buffer" ... */
const char *vsg_run_kind_text(visage_argument_kind kind);

#endif
