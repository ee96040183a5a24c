/* SPDX-License-Identifier: MIT
 *
 * What every OpenCL object begins with: the loader's table, a kind by which handles are told
 * from those of other platforms and of other kinds, and two counts. `references` is what the
 * application holds and clGet...Info reports; `holders` is that and everything inside the
 * driver that needs the object. An object whose references are gone is still a good handle as
 * long as it is held: a kernel's program may be asked for, and retained again. Who only watches
 * an object does not keep it: its head stays where it is, but is no handle once nobody holds
 * it. Of objects that are gone the last ones of each kind are no handles, but memory still. */
#ifndef VISAGE_OPENCL_OBJECT_H
#define VISAGE_OPENCL_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "opencl/api.h"

/* Numbers that other memory is unlikely to have there; a freed object has 0. */
typedef enum vsg_ocl_kind {
    VSG_OCL_PLATFORM = 0x76736731,
    VSG_OCL_DEVICE,
    VSG_OCL_CONTEXT,
    VSG_OCL_QUEUE,
    VSG_OCL_MEMORY,
    VSG_OCL_SAMPLER,
    VSG_OCL_PROGRAM,
    VSG_OCL_KERNEL,
    VSG_OCL_EVENT
} vsg_ocl_kind;

typedef struct vsg_ocl_object {
    const cl_icd_dispatch *dispatch; /* first: the loader reads it through every handle */
    atomic_uint kind;
    uint32_t place;         /* of its kind, among those that are counted */
    atomic_uint generation; /* of the process: what was made before a fork is no handle in the
                               child */
    atomic_uint references, holders;
    atomic_uint watchers;          /* and one for all holders together */
    void (*destroy)(void *object); /* frees it; called by whoever lets go of it last, without
                                      locks */
} vsg_ocl_object;

/* The table given to the loader (icd.c, from cl.def). */
extern const cl_icd_dispatch vsg_ocl_dispatch;

/* How often this process has come out of a fork (platform.c). */
extern atomic_uint vsg_ocl_forks;

static inline uint32_t vsg_ocl_generation(void)
{
    return atomic_load_explicit(&vsg_ocl_forks, memory_order_relaxed);
}

/* A zeroed object of `size` bytes that begins with a head, with one reference. NULL: memory is
 * out. */
void *vsg_ocl_object_new(size_t size, vsg_ocl_kind kind, void (*destroy)(void *object));
/* Gives back what vsg_ocl_object_new() made, some later; for the end of `destroy`, and for
 * objects that were never handed out. */
void vsg_ocl_object_delete(void *object);

/* Is this a handle of this platform and kind? Reads the head: a wild pointer is not survived.
 */
static inline bool vsg_ocl_is(const void *handle, vsg_ocl_kind kind)
{
    const vsg_ocl_object *head = handle;

    return head && head->dispatch == &vsg_ocl_dispatch &&
           atomic_load_explicit(&head->kind, memory_order_relaxed) == (unsigned)kind &&
           atomic_load_explicit(&head->generation, memory_order_relaxed) ==
               vsg_ocl_generation();
}

/* For the driver's own needs. NULL is nothing. */
static inline void vsg_ocl_hold(void *object)
{
    vsg_ocl_object *head = object;

    if (head)
        (void)atomic_fetch_add_explicit(&head->holders, 1, memory_order_relaxed);
}

static inline void vsg_ocl_let_go(void *object)
{
    vsg_ocl_object *head = object;

    if (head && atomic_fetch_sub_explicit(&head->holders, 1, memory_order_acq_rel) == 1)
        head->destroy(head);
}

/* For a kernel's arguments, which do not keep what they are set to. NULL is nothing. */
void vsg_ocl_watch(void *object);
void vsg_ocl_watch_end(void *object);
/* Holds an object that is watched. False: nobody holds it any more. */
bool vsg_ocl_hold_watched(void *object);

/* For clRetain... and clRelease...: the application's references. False: it has none. */
void vsg_ocl_retain(void *object);
bool vsg_ocl_release(void *object);
cl_uint vsg_ocl_references(const void *object);

/* ---- answers of clGet...Info ------------------------------------------------------------ */

/* Where an answer goes: the last three parameters of such a function. */
typedef struct vsg_ocl_query {
    size_t size_bytes;
    void *value;      /* may be NULL */
    size_t *size_ret; /* may be NULL */
} vsg_ocl_query;

/* Each returns CL_SUCCESS, or CL_INVALID_VALUE where the answer does not fit. */
cl_int vsg_ocl_answer(const vsg_ocl_query *query, const void *data, size_t size_bytes);
cl_int vsg_ocl_answer_string(const vsg_ocl_query *query, const char *text);
cl_int vsg_ocl_answer_uint(const vsg_ocl_query *query, cl_uint value); /* also cl_bool, enums */
cl_int vsg_ocl_answer_ulong(const vsg_ocl_query *query, cl_ulong value); /* also bit-fields */
cl_int vsg_ocl_answer_size(const vsg_ocl_query *query, size_t value);
cl_int vsg_ocl_answer_pointer(const vsg_ocl_query *query, const void *value); /* also handles */

/* Stores a result where the caller wants one. */
static inline void vsg_ocl_result(cl_int *errcode_ret, cl_int status)
{
    if (errcode_ret)
        *errcode_ret = status;
}

#endif
