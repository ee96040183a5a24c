/* SPDX-License-Identifier: MIT
 *
 * Memory objects: buffers, parts of buffers, images, pipes; and allocations that are pointers,
 * shared virtual memory (SVM) and Intel's unified shared memory (USM).
 *
 * All contents are in libvisage's buffers, at addresses that are the same to every device and
 * to the host. What the application keeps in its own memory (CL_MEM_USE_HOST_PTR) is copied in
 * when the object is made and while it is mapped, unless that memory is an allocation. */
#ifndef VISAGE_OPENCL_MEMORY_H
#define VISAGE_OPENCL_MEMORY_H

#include "opencl/context.h"
#include "opencl/queue.h"

/* A mapping of a memory object (map.c). */
typedef struct vsg_ocl_map vsg_ocl_map;

/* A format that images can have, formats.def. */
typedef struct vsg_ocl_format {
    cl_image_format cl;
    const char *name; /* libvisage's */
    uint32_t use;     /* of vsg_ocl_format_use, image.h */
    uint8_t num_channels, channel_bytes;
} vsg_ocl_format;

struct _cl_mem {
    vsg_ocl_object head;
    cl_mem_object_type type;
    cl_context context;  /* held */
    cl_mem_flags flags;  /* with those that a part has of its parent */
    cl_mem parent;       /* held: what this is a part or a view of; NULL: its own memory */
    size_t offset_bytes; /* in `buffer`: where this begins */
    size_t origin_bytes; /* in the parent, likewise */
    size_t size_bytes;
    visage_buffer *buffer;
    bool owns_buffer; /* else it is the parent's, or an allocation's */
    bool uses_svm;    /* of the allocations the application made with clSVMAlloc() */
    uint8_t *data;    /* where this begins: the same to the host and to devices */
    void *host_ptr;   /* as given with CL_MEM_USE_HOST_PTR, else NULL */
    bool is_copied;   /* contents at host_ptr are another copy */
    cl_mem_properties *properties; /* as given with the 0 at the end; NULL: none were */
    size_t num_properties;
    /* of an image */
    visage_image *image;
    vsg_ocl_format format;
    size_t width, height, depth,
        layers;                    /* 0 where the type has none, as clGetImageInfo has it */
    size_t row_pitch, slice_pitch; /* of the contents */
    size_t host_row_pitch, host_slice_pitch; /* as at host_ptr */
    /* of a pipe */
    cl_uint packet_bytes, most_packets;
    /* guarded by the context's lock */
    vsg_ocl_map *maps;
    cl_uint num_maps;
    cl_uint num_mapped, num_mapped_to_write; /* of the whole buffer, in check mode: those whose
                                                commands have run, but not those of unmaps */
    vsg_ocl_farewell *farewells;
};

struct _cl_sampler {
    vsg_ocl_object head;
    cl_context context; /* held */
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
    cl_sampler_properties *properties; /* as given with the 0 at the end; NULL: none were */
    size_t num_properties;
    visage_sampler *sampler;
};

static inline bool vsg_ocl_is_memory(cl_mem memory)
{
    return vsg_ocl_is(memory, VSG_OCL_MEMORY);
}

static inline bool vsg_ocl_is_image(cl_mem memory)
{
    return vsg_ocl_is_memory(memory) && memory->type >= CL_MEM_OBJECT_IMAGE2D &&
           memory->type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

static inline bool vsg_ocl_is_buffer(cl_mem memory)
{
    return vsg_ocl_is_memory(memory) && memory->type == CL_MEM_OBJECT_BUFFER;
}

static inline bool vsg_ocl_is_pipe(cl_mem memory)
{
    return vsg_ocl_is_memory(memory) && memory->type == CL_MEM_OBJECT_PIPE;
}

static inline bool vsg_ocl_is_sampler(cl_sampler sampler)
{
    return vsg_ocl_is(sampler, VSG_OCL_SAMPLER);
}

/* ---- allocations that are pointers ------------------------------------------------------ */

typedef struct vsg_ocl_svm {
    uint8_t *base;
    size_t size_bytes;
    visage_buffer *buffer;                   /* the whole of it */
    cl_unified_shared_memory_type_intel usm; /* 0: SVM */
    cl_svm_mem_flags flags;                  /* of SVM */
    cl_mem_alloc_flags_intel usm_flags;
    cl_device_id device; /* of USM; NULL: none */
} vsg_ocl_svm;

/* Finds the allocation that `pointer` lies in. False: it is in none. A copy, since another
 * thread may free it. */
bool vsg_ocl_svm_find(cl_context context, const void *pointer, vsg_ocl_svm *out);
/* Makes one: `like` has everything but base and buffer. Aligned to 4096 bytes. NULL: memory is
 * out. */
void *vsg_ocl_svm_new(cl_context context, const vsg_ocl_svm *like);
/* Takes an allocation that begins at `pointer` from the context. False: none does. */
bool vsg_ocl_svm_delete(cl_context context, const void *pointer);
void vsg_ocl_svm_free_all(cl_context context);

/* ---- for the files that make memory objects --------------------------------------------- */

/* Flags of a new object, and its host pointer: CL_SUCCESS, CL_INVALID_VALUE,
 * CL_INVALID_HOST_PTR. */
cl_int vsg_ocl_check_memory_flags(cl_mem_flags flags, const void *host_ptr);
/* Flags of what is made of another object, which may not be used for what that may not be used
 * for: CL_SUCCESS, CL_INVALID_VALUE. Sources: clCreateSubBuffer, clCreateImage. */
cl_int vsg_ocl_check_part_flags(cl_mem whole, cl_mem_flags flags);
/* With the access that the part does not name. */
cl_mem_flags vsg_ocl_part_flags(cl_mem whole, cl_mem_flags flags);

/* An object that holds its context, flags with their defaults; contents are still to be made.
 * NULL: memory is out. */
cl_mem vsg_ocl_memory_new(cl_context context, cl_mem_object_type type, cl_mem_flags flags);

/* Makes contents of `size_bytes`, or takes them where host_ptr is in an allocation. Does not
 * copy. False: memory is out. */
bool vsg_ocl_memory_fill_in(cl_mem memory, size_t size_bytes, void *host_ptr);

/* Tells check mode that the host has written `size_bytes` at `data`, inside of the contents;
 * does nothing without it. What nobody has written of a new object is undefined there. */
void vsg_ocl_memory_written(cl_mem memory, const uint8_t *data, size_t size_bytes);

/* Makes `memory` a part of another object's contents. */
void vsg_ocl_memory_join(cl_mem memory, cl_mem parent, size_t offset_bytes, size_t size_bytes);

/* A command has run that maps the whole buffer, or unmaps it: kernels are not to use it, or not
 * to write it, meanwhile. Nothing but for check mode. */
void vsg_ocl_memory_mapped(cl_mem buffer, bool to_write, bool is_unmapped);

/* Frees what nobody else needs to know of the maps. */
void vsg_ocl_maps_free(cl_mem memory);

/* May the host read, or write, what is in it? */
static inline bool vsg_ocl_host_may_read(cl_mem memory)
{
    return (memory->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0;
}

static inline bool vsg_ocl_host_may_write(cl_mem memory)
{
    return (memory->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0;
}

#endif
