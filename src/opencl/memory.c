/* SPDX-License-Identifier: MIT
 *
 * What all memory objects have in common. */
#include "opencl/memory.h"

#include <stdlib.h>

#include "opencl/environment.h"
#include "opencl/trace.h"

static const cl_mem_flags access_flags =
    CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
static const cl_mem_flags pointer_flags =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
static const cl_mem_flags host_flags =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

static bool at_most_one(cl_mem_flags flags)
{
    return (flags & (flags - 1)) == 0;
}

cl_int vsg_ocl_check_memory_flags(cl_mem_flags flags, const void *host_ptr)
{
    if (flags & ~(access_flags | pointer_flags | host_flags))
        return CL_INVALID_VALUE;
    if (!at_most_one(flags & access_flags) || !at_most_one(flags & host_flags))
        return CL_INVALID_VALUE;
    if ((flags & CL_MEM_USE_HOST_PTR) && (flags & pointer_flags) != CL_MEM_USE_HOST_PTR)
        return CL_INVALID_VALUE;
    bool is_wanted = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    return is_wanted == (host_ptr != NULL) ? CL_SUCCESS : CL_INVALID_HOST_PTR;
}

cl_int vsg_ocl_check_part_flags(cl_mem whole, cl_mem_flags flags)
{
    const cl_mem_flags of = whole->flags;

    if ((flags & pointer_flags) || vsg_ocl_check_memory_flags(flags, NULL) != CL_SUCCESS)
        return CL_INVALID_VALUE;
    if ((of & CL_MEM_WRITE_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)))
        return CL_INVALID_VALUE;
    if ((of & CL_MEM_READ_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)))
        return CL_INVALID_VALUE;
    if ((of & CL_MEM_HOST_WRITE_ONLY) && (flags & CL_MEM_HOST_READ_ONLY))
        return CL_INVALID_VALUE;
    if ((of & CL_MEM_HOST_READ_ONLY) && (flags & CL_MEM_HOST_WRITE_ONLY))
        return CL_INVALID_VALUE;
    if ((of & CL_MEM_HOST_NO_ACCESS) &&
        (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)))
        return CL_INVALID_VALUE;
    return CL_SUCCESS;
}

cl_mem_flags vsg_ocl_part_flags(cl_mem whole, cl_mem_flags flags)
{
    return flags & access_flags ? flags : flags | (whole->flags & access_flags);
}

static void destroy(void *object)
{
    cl_mem memory = object;

    vsg_ocl_say_farewell(memory->farewells, memory);
    vsg_ocl_maps_free(memory);
    visage_image_destroy(&memory->image);
    if (memory->owns_buffer)
        visage_buffer_destroy(&memory->buffer);
    if (memory->parent)
        vsg_ocl_let_go(memory->parent);
    vsg_ocl_let_go(memory->context);
    free(memory->properties);
    vsg_ocl_object_delete(memory);
}

cl_mem vsg_ocl_memory_new(cl_context context, cl_mem_object_type type, cl_mem_flags flags)
{
    cl_mem memory = vsg_ocl_object_new(sizeof *memory, VSG_OCL_MEMORY, destroy);

    if (!memory)
        return NULL;
    vsg_ocl_hold(context);
    memory->context = context;
    memory->type = type;
    memory->flags = flags & access_flags ? flags : flags | CL_MEM_READ_WRITE;
    return memory;
}

/* Where there is no room for it, check mode finds less. */
static void set_written(visage_buffer *buffer, size_t offset, size_t size_bytes, bool written)
{
    visage_status status = visage_buffer_set_written(buffer, offset, size_bytes, written);

    (void)status;
}

/* Memory of an allocation is used as it is. */
static bool take_allocation(cl_mem memory, size_t size_bytes, uint8_t *host_ptr)
{
    vsg_ocl_svm svm;

    if (!vsg_ocl_svm_find(memory->context, host_ptr, &svm) ||
        svm.size_bytes - (size_t)(host_ptr - svm.base) < size_bytes)
        return false;
    memory->buffer = svm.buffer;
    memory->offset_bytes = (size_t)(host_ptr - svm.base);
    memory->uses_svm = svm.usm == 0;
    return true;
}

/* Programs that look a little behind the end of a buffer get zeros of a GPU's surfaces, and go
 * on. Check mode tells of all that is outside. */
static size_t with_slack(size_t size_bytes)
{
    enum { SLACK_BYTES = 32 };

    return vsg_ocl_environment_get()->is_checked || size_bytes > UINT32_MAX - SLACK_BYTES
               ? size_bytes
               : size_bytes + SLACK_BYTES;
}

static void set_rights(cl_mem memory)
{
    visage_status status = visage_buffer_set_rights(
        memory->buffer,
        !(memory->flags & CL_MEM_WRITE_ONLY) && memory->num_mapped_to_write == 0,
        !(memory->flags & CL_MEM_READ_ONLY) && memory->num_mapped == 0);

    (void)status;
}

void vsg_ocl_memory_mapped(cl_mem buffer, bool to_write, bool is_unmapped)
{
    cl_uint more = is_unmapped ? (cl_uint)-1 : 1;

    if (!vsg_ocl_environment_get()->is_checked || !buffer->owns_buffer)
        return;
    (void)pthread_mutex_lock(&buffer->context->lock);
    buffer->num_mapped += more;
    buffer->num_mapped_to_write += to_write ? more : 0;
    set_rights(buffer);
    (void)pthread_mutex_unlock(&buffer->context->lock);
}

bool vsg_ocl_memory_fill_in(cl_mem memory, size_t size_bytes, void *host_ptr)
{
    bool is_used = (memory->flags & CL_MEM_USE_HOST_PTR) != 0;

    memory->size_bytes = size_bytes;
    memory->host_ptr = is_used ? host_ptr : NULL;
    if (!is_used || !take_allocation(memory, size_bytes, host_ptr)) {
        visage_device *machine = vsg_ocl_any_machine();
        if (!machine ||
            visage_buffer_create(machine, with_slack(size_bytes), &memory->buffer) != VISAGE_OK)
            return false;
        memory->owns_buffer = true;
        memory->is_copied = is_used;
        if (vsg_ocl_environment_get()->is_checked) {
            set_written(memory->buffer, 0, size_bytes, false);
            set_rights(memory);
        }
    }
    memory->data = (uint8_t *)visage_buffer_data(memory->buffer) + memory->offset_bytes;
    return true;
}

void vsg_ocl_memory_written(cl_mem memory, const uint8_t *data, size_t size_bytes)
{
    if (!vsg_ocl_environment_get()->is_checked)
        return;
    const uint8_t *base = visage_buffer_data(memory->buffer);
    set_written(memory->buffer, (size_t)(data - base), size_bytes, true);
}

void vsg_ocl_memory_join(cl_mem memory, cl_mem parent, size_t offset_bytes, size_t size_bytes)
{
    vsg_ocl_hold(parent);
    memory->parent = parent;
    memory->buffer = parent->buffer;
    memory->offset_bytes = parent->offset_bytes + offset_bytes;
    memory->origin_bytes = offset_bytes;
    memory->size_bytes = size_bytes;
    memory->data = parent->data + offset_bytes;
    memory->host_ptr = parent->host_ptr ? (char *)parent->host_ptr + offset_bytes : NULL;
    memory->is_copied = parent->is_copied;
    memory->uses_svm = parent->uses_svm;
    /* What the part does not say it has from the whole. */
    if ((memory->flags & host_flags) == 0)
        memory->flags |= parent->flags & host_flags;
    memory->flags |= parent->flags & pointer_flags;
}

/* ---- entry points ----------------------------------------------------------------------- */

cl_int clRetainMemObject(cl_mem memory)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_memory(memory))
        return CL_INVALID_MEM_OBJECT;
    vsg_ocl_retain(memory);
    return CL_SUCCESS;
}

cl_int clReleaseMemObject(cl_mem memory)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_memory(memory) || !vsg_ocl_release(memory))
        return CL_INVALID_MEM_OBJECT;
    return CL_SUCCESS;
}

static cl_uint map_count(cl_mem memory)
{
    (void)pthread_mutex_lock(&memory->context->lock);
    cl_uint count = memory->num_maps;
    (void)pthread_mutex_unlock(&memory->context->lock);
    return count;
}

cl_int clGetMemObjectInfo(cl_mem memory, cl_mem_info param_name, size_t param_value_size,
                          void *param_value, size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_query query = {param_value_size, param_value, param_value_size_ret};

    if (!vsg_ocl_is_memory(memory))
        return CL_INVALID_MEM_OBJECT;
    switch (param_name) {
    case CL_MEM_TYPE:
        return vsg_ocl_answer_uint(&query, memory->type);
    case CL_MEM_FLAGS:
        return vsg_ocl_answer_ulong(&query, memory->flags);
    case CL_MEM_SIZE:
        return vsg_ocl_answer_size(&query, memory->size_bytes);
    case CL_MEM_HOST_PTR:
        return vsg_ocl_answer_pointer(&query, memory->host_ptr);
    case CL_MEM_MAP_COUNT:
        return vsg_ocl_answer_uint(&query, map_count(memory));
    case CL_MEM_REFERENCE_COUNT:
        return vsg_ocl_answer_uint(&query, vsg_ocl_references(memory));
    case CL_MEM_CONTEXT:
        return vsg_ocl_answer_pointer(&query, memory->context);
    case CL_MEM_ASSOCIATED_MEMOBJECT:
        return vsg_ocl_answer_pointer(&query, memory->parent);
    case CL_MEM_OFFSET:
        return vsg_ocl_answer_size(&query, memory->origin_bytes);
    case CL_MEM_USES_SVM_POINTER:
        return vsg_ocl_answer_uint(&query, memory->uses_svm);
    case CL_MEM_PROPERTIES:
        return vsg_ocl_answer(&query, memory->properties,
                              memory->num_properties * sizeof *memory->properties);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clSetMemObjectDestructorCallback(cl_mem memory,
                                        void(CL_CALLBACK *pfn_notify)(cl_mem memory,
                                                                      void *user_data),
                                        void *user_data)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_memory(memory))
        return CL_INVALID_MEM_OBJECT;
    if (!pfn_notify)
        return CL_INVALID_VALUE;
    vsg_ocl_farewell *farewell = calloc(1, sizeof *farewell);
    if (!farewell)
        return CL_OUT_OF_HOST_MEMORY;
    farewell->of_memory = pfn_notify;
    farewell->user = user_data;
    (void)pthread_mutex_lock(&memory->context->lock);
    farewell->next = memory->farewells;
    memory->farewells = farewell;
    (void)pthread_mutex_unlock(&memory->context->lock);
    return CL_SUCCESS;
}
