/* SPDX-License-Identifier: MIT
 *
 * Allocations that are pointers. Shared virtual memory costs nothing here: every buffer's
 * address is the same to the host and to devices, and always up to date, so that mapping does
 * nothing. */
#include <stdlib.h>
#include <string.h>

#include "opencl/limits.h"
#include "opencl/trace.h"
#include "opencl/transfer.h"

/* ---- the table -------------------------------------------------------------------------- */

/* Index of the first row that begins above a pointer. */
static size_t row_above(const vsg_ocl_svm_table *table, const uint8_t *pointer)
{
    size_t low = 0, high = table->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->rows[middle].base <= pointer)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The row that a pointer lies in; one that begins there contains it whatever its size. */
static vsg_ocl_svm *row_of(const vsg_ocl_svm_table *table, const uint8_t *pointer)
{
    size_t at = row_above(table, pointer);

    if (at == 0)
        return NULL;
    vsg_ocl_svm *row = &table->rows[at - 1];
    return pointer - row->base < (ptrdiff_t)row->size_bytes ? row : NULL;
}

static bool grow(vsg_ocl_svm_table *table)
{
    if (table->count < table->capacity)
        return true;
    size_t capacity = table->capacity ? 2 * table->capacity : 16;
    vsg_ocl_svm *rows = realloc(table->rows, capacity * sizeof *rows);
    if (!rows)
        return false;
    table->rows = rows;
    table->capacity = capacity;
    return true;
}

bool vsg_ocl_svm_find(cl_context context, const void *pointer, vsg_ocl_svm *out)
{
    (void)pthread_mutex_lock(&context->lock);
    const vsg_ocl_svm *row = row_of(&context->svm, pointer);
    if (row)
        *out = *row;
    (void)pthread_mutex_unlock(&context->lock);
    return row != NULL;
}

void *vsg_ocl_svm_new(cl_context context, const vsg_ocl_svm *like)
{
    visage_device *machine = vsg_ocl_any_machine();
    vsg_ocl_svm row = *like;

    if (!machine || visage_buffer_create(machine, row.size_bytes, &row.buffer) != VISAGE_OK)
        return NULL;
    row.base = visage_buffer_data(row.buffer);
    (void)pthread_mutex_lock(&context->lock);
    vsg_ocl_svm_table *table = &context->svm;
    bool good = grow(table);
    if (good) {
        size_t at = row_above(table, row.base);
        memmove(&table->rows[at + 1], &table->rows[at],
                (table->count - at) * sizeof *table->rows);
        table->rows[at] = row;
        table->count++;
    }
    (void)pthread_mutex_unlock(&context->lock);
    if (good)
        return row.base;
    visage_buffer_destroy(&row.buffer);
    return NULL;
}

bool vsg_ocl_svm_delete(cl_context context, const void *pointer)
{
    visage_buffer *buffer = NULL;

    (void)pthread_mutex_lock(&context->lock);
    vsg_ocl_svm_table *table = &context->svm;
    vsg_ocl_svm *row = row_of(table, pointer);
    if (row && row->base == pointer) {
        buffer = row->buffer;
        table->count--;
        memmove(row, row + 1, (size_t)(table->rows + table->count - row) * sizeof *row);
    }
    (void)pthread_mutex_unlock(&context->lock);
    bool is_found = buffer != NULL;
    visage_buffer_destroy(&buffer);
    return is_found;
}

void vsg_ocl_svm_free_all(cl_context context)
{
    for (size_t i = 0; i < context->svm.count; i++)
        visage_buffer_destroy(&context->svm.rows[i].buffer);
    free(context->svm.rows);
    context->svm = (vsg_ocl_svm_table){0};
}

/* ---- allocating ------------------------------------------------------------------------- */

static bool good_flags(cl_svm_mem_flags flags)
{
    const cl_svm_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    cl_svm_mem_flags given = flags & access;

    if (flags & ~(access | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS |
                  VSG_OCL_UNRESTRICTED_SIZE))
        return false;
    if ((flags & CL_MEM_SVM_ATOMICS) && !(flags & CL_MEM_SVM_FINE_GRAIN_BUFFER))
        return false;
    return (given & (given - 1)) == 0;
}

void *clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    VSG_OCL_TRACED;
    /* The largest type of OpenCL C has 128 bytes. */
    if (!vsg_ocl_is_context(context) || !good_flags(flags) || size == 0 ||
        size > vsg_ocl_most_bytes(flags) || (alignment & (alignment - 1)) != 0 ||
        alignment > 128)
        return NULL;
    const vsg_ocl_svm like = {.size_bytes = size, .flags = flags};
    return vsg_ocl_svm_new(context, &like);
}

void clSVMFree(cl_context context, void *svm_pointer)
{
    VSG_OCL_TRACED;
    if (vsg_ocl_is_context(context) && svm_pointer)
        (void)vsg_ocl_svm_delete(context, svm_pointer);
}

/* ---- freeing in a queue ----------------------------------------------------------------- */

typedef void(CL_CALLBACK *free_function)(cl_command_queue queue, cl_uint num_svm_pointers,
                                         void *svm_pointers[], void *user_data);

typedef struct svm_free {
    free_function function; /* NULL: free them */
    void *user;
    void **pointers;
    cl_uint count;
} svm_free;

static cl_int run_free(cl_event event, void *payload)
{
    const svm_free *all = payload;

    if (all->function)
        all->function(event->queue, all->count, all->pointers, all->user);
    else
        for (cl_uint i = 0; i < all->count; i++)
            clSVMFree(event->context, all->pointers[i]);
    return CL_COMPLETE;
}

static void drop_free(void *payload)
{
    free(((svm_free *)payload)->pointers);
}

cl_int clEnqueueSVMFree(cl_command_queue queue, cl_uint num_svm_pointers, void *svm_pointers[],
                        void(CL_CALLBACK *pfn_free_func)(cl_command_queue queue,
                                                         cl_uint num_svm_pointers,
                                                         void *svm_pointers[], void *user_data),
                        void *user_data, cl_uint num_events_in_wait_list,
                        const cl_event *event_wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    static const vsg_ocl_action action = {run_free, drop_free};
    const vsg_ocl_request request = {queue, CL_COMMAND_SVM_FREE, num_events_in_wait_list,
                                     event_wait_list, event};
    cl_event command;

    if (!vsg_ocl_is_queue(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if ((num_svm_pointers == 0) != (svm_pointers == NULL))
        return CL_INVALID_VALUE;
    cl_int status = vsg_ocl_command_new(&request, &action, sizeof(svm_free), &command);
    if (status != CL_SUCCESS)
        return status;
    svm_free *all = vsg_ocl_command_payload(command);
    *all = (svm_free){pfn_free_func, user_data, NULL, num_svm_pointers};
    if (num_svm_pointers > 0) {
        all->pointers = malloc(num_svm_pointers * sizeof *all->pointers);
        if (!all->pointers) {
            vsg_ocl_command_discard(command);
            return CL_OUT_OF_HOST_MEMORY;
        }
        memcpy(all->pointers, svm_pointers, num_svm_pointers * sizeof *all->pointers);
    }
    return vsg_ocl_command_submit(command, &request, CL_FALSE);
}

/* ---- commands --------------------------------------------------------------------------- */

cl_int vsg_ocl_enqueue_memcpy(const vsg_ocl_request *request, cl_bool blocking, void *to,
                              const void *from, size_t size)
{
    const vsg_ocl_copy copy = {{.data = (uint8_t *)(uintptr_t)from}, {.data = to}, size, 1, 1};
    cl_int status = vsg_ocl_request_check(request);

    if (status != CL_SUCCESS)
        return status;
    if (size > 0 && (!to || !from))
        return CL_INVALID_VALUE;
    uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;
    if (a < b + size && b < a + size)
        return CL_MEM_COPY_OVERLAP;
    return vsg_ocl_enqueue_copy(request, blocking, &copy);
}

cl_int clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking_copy, void *dst_ptr,
                          const void *src_ptr, size_t size, cl_uint num_events_in_wait_list,
                          const cl_event *event_wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_SVM_MEMCPY, num_events_in_wait_list,
                                     event_wait_list, event};

    return vsg_ocl_enqueue_memcpy(&request, blocking_copy, dst_ptr, src_ptr, size);
}

cl_int vsg_ocl_enqueue_memfill(const vsg_ocl_request *request, void *to, const void *pattern,
                               size_t pattern_size, size_t size)
{
    cl_int status = vsg_ocl_request_check(request);

    if (status != CL_SUCCESS)
        return status;
    if (!to || !pattern || !vsg_ocl_is_pattern(pattern_size) ||
        (uintptr_t)to % pattern_size != 0 || size % pattern_size != 0)
        return CL_INVALID_VALUE;
    vsg_ocl_fill fill = {to, size, pattern_size, NULL, {0}};
    memcpy(fill.pattern, pattern, pattern_size);
    return vsg_ocl_enqueue_fill(request, &fill);
}

cl_int clEnqueueSVMMemFill(cl_command_queue queue, void *svm_ptr, const void *pattern,
                           size_t pattern_size, size_t size, cl_uint num_events_in_wait_list,
                           const cl_event *event_wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_SVM_MEMFILL, num_events_in_wait_list,
                                     event_wait_list, event};

    return vsg_ocl_enqueue_memfill(&request, svm_ptr, pattern, pattern_size, size);
}

cl_int clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking_map, cl_map_flags flags,
                       void *svm_ptr, size_t size, cl_uint num_events_in_wait_list,
                       const cl_event *event_wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const cl_map_flags copy = CL_MAP_READ | CL_MAP_WRITE;
    const vsg_ocl_request request = {queue, CL_COMMAND_SVM_MAP, num_events_in_wait_list,
                                     event_wait_list, event};

    if (!vsg_ocl_is_queue(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (!svm_ptr || size == 0 || (flags & ~(copy | CL_MAP_WRITE_INVALIDATE_REGION)) ||
        ((flags & copy) && (flags & CL_MAP_WRITE_INVALIDATE_REGION)))
        return CL_INVALID_VALUE;
    return vsg_ocl_enqueue_wait(&request, blocking_map);
}

cl_int clEnqueueSVMUnmap(cl_command_queue queue, void *svm_ptr, cl_uint num_events_in_wait_list,
                         const cl_event *event_wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const vsg_ocl_request request = {queue, CL_COMMAND_SVM_UNMAP, num_events_in_wait_list,
                                     event_wait_list, event};

    if (!vsg_ocl_is_queue(queue))
        return CL_INVALID_COMMAND_QUEUE;
    return svm_ptr ? vsg_ocl_enqueue_wait(&request, CL_FALSE) : CL_INVALID_VALUE;
}

cl_int clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint num_svm_pointers,
                              const void **svm_pointers, const size_t *sizes,
                              cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                              const cl_event *event_wait_list, cl_event *event)
{
    VSG_OCL_TRACED;
    const cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    const vsg_ocl_request request = {queue, CL_COMMAND_SVM_MIGRATE_MEM, num_events_in_wait_list,
                                     event_wait_list, event};
    vsg_ocl_svm svm;

    if (!vsg_ocl_is_queue(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (num_svm_pointers == 0 || !svm_pointers || (flags & ~known))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < num_svm_pointers; i++) {
        if (!vsg_ocl_svm_find(queue->context, svm_pointers[i], &svm))
            return CL_INVALID_VALUE;
        size_t left = svm.size_bytes - (size_t)((const uint8_t *)svm_pointers[i] - svm.base);
        if (sizes && sizes[i] > left)
            return CL_INVALID_VALUE;
    }
    return vsg_ocl_enqueue_wait(&request, CL_FALSE);
}
