/* SPDX-License-Identifier: MIT */
#include "opencl/object.h"

#include <stdlib.h>
#include <string.h>

/* Kinds that are counted, and how many objects of each that nobody has any more keep their
 * memory. */
enum {
    FIRST_KIND = VSG_OCL_CONTEXT,
    NUM_KINDS = VSG_OCL_EVENT - FIRST_KIND + 1,
    NUM_KEPT = 16
};

void *vsg_ocl_object_new(size_t size, vsg_ocl_kind kind, void (*destroy)(void *object))
{
    vsg_ocl_object *head =
        malloc(size); /* which keeps small memory at hand; calloc() does not */

    if (!head)
        return NULL;
    memset(head, 0, size);
    head->dispatch = &vsg_ocl_dispatch;
    head->place = kind - FIRST_KIND;
    atomic_init(&head->kind, (unsigned)kind);
    atomic_init(&head->generation, vsg_ocl_generation());
    atomic_init(&head->references, 1);
    atomic_init(&head->holders, 1);
    atomic_init(&head->watchers, 1);
    head->destroy = destroy;
    return head;
}

static struct kept {
    _Atomic(void *) memory[NUM_KEPT];
    atomic_uint next;
} kept[NUM_KINDS];

/* Gives memory back, but some later: clients release a handle once more than they have it, and
 * the loader looks into it before anybody can refuse. That is so in all of the process,
 * whichever context the handle was of. */
static void give_back(vsg_ocl_object *head)
{
    struct kept *k = &kept[head->place];
    unsigned next = atomic_fetch_add_explicit(&k->next, 1, memory_order_relaxed);

    free(atomic_exchange_explicit(&k->memory[next % NUM_KEPT], head, memory_order_acq_rel));
}

void vsg_ocl_object_delete(void *object)
{
    vsg_ocl_object *head = object;

    if (!head)
        return;
    atomic_store_explicit(&head->kind, 0, memory_order_relaxed);
    /* Where nobody watches it nobody ever will: that takes a holder. */
    if (atomic_load_explicit(&head->watchers, memory_order_acquire) == 1)
        give_back(head);
    else
        vsg_ocl_watch_end(head);
}

void vsg_ocl_watch(void *object)
{
    vsg_ocl_object *head = object;

    if (head)
        (void)atomic_fetch_add_explicit(&head->watchers, 1, memory_order_relaxed);
}

void vsg_ocl_watch_end(void *object)
{
    vsg_ocl_object *head = object;

    if (head && atomic_fetch_sub_explicit(&head->watchers, 1, memory_order_acq_rel) == 1)
        give_back(head);
}

bool vsg_ocl_hold_watched(void *object)
{
    vsg_ocl_object *head = object;
    unsigned count = atomic_load_explicit(&head->holders, memory_order_relaxed);

    do {
        if (count == 0)
            return false;
    } while (!atomic_compare_exchange_weak(&head->holders, &count, count + 1));
    return true;
}

void vsg_ocl_retain(void *object)
{
    vsg_ocl_object *head = object;

    vsg_ocl_hold(head);
    (void)atomic_fetch_add_explicit(&head->references, 1, memory_order_relaxed);
}

bool vsg_ocl_release(void *object)
{
    vsg_ocl_object *head = object;
    unsigned count = atomic_load_explicit(&head->references, memory_order_relaxed);

    do {
        if (count == 0)
            return false;
    } while (!atomic_compare_exchange_weak(&head->references, &count, count - 1));
    vsg_ocl_let_go(head);
    return true;
}

cl_uint vsg_ocl_references(const void *object)
{
    const vsg_ocl_object *head = object;

    return atomic_load_explicit(&head->references, memory_order_relaxed);
}

/* ---- answers ---------------------------------------------------------------------------- */

cl_int vsg_ocl_answer(const vsg_ocl_query *query, const void *data, size_t size_bytes)
{
    if (query->value && query->size_bytes < size_bytes)
        return CL_INVALID_VALUE;
    if (query->value && size_bytes > 0)
        memcpy(query->value, data, size_bytes);
    if (query->size_ret)
        *query->size_ret = size_bytes;
    return CL_SUCCESS;
}

cl_int vsg_ocl_answer_string(const vsg_ocl_query *query, const char *text)
{
    return vsg_ocl_answer(query, text, strlen(text) + 1);
}

cl_int vsg_ocl_answer_uint(const vsg_ocl_query *query, cl_uint value)
{
    return vsg_ocl_answer(query, &value, sizeof value);
}

cl_int vsg_ocl_answer_ulong(const vsg_ocl_query *query, cl_ulong value)
{
    return vsg_ocl_answer(query, &value, sizeof value);
}

cl_int vsg_ocl_answer_size(const vsg_ocl_query *query, size_t value)
{
    return vsg_ocl_answer(query, &value, sizeof value);
}

cl_int vsg_ocl_answer_pointer(const vsg_ocl_query *query, const void *value)
{
    return vsg_ocl_answer(query, &value, sizeof value);
}
