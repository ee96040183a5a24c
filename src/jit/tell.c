/* SPDX-License-Identifier: MIT */
#include "jit/tell.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- perf -------------------------------------------------------------------------------- */

/* A line is written at once, at the end of the file, so that threads do not mix theirs. Names
 * of kernels may be long; a cut one does no harm. */
void vsg_jit_tell_perf(const char *name, const uint8_t *code, size_t size_bytes)
{
    char path[64], line[512];

    (void)snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
    int length =
        snprintf(line, sizeof line, "%llx %llx %.400s\n", (unsigned long long)(uintptr_t)code,
                 (unsigned long long)size_bytes, name);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return;
    if (length > 0 && write(file, line, (size_t)length) < 0) {
        /* Nothing that anybody could do. */
    }
    (void)close(file);
}

/* ---- gdb --------------------------------------------------------------------------------- */

/* The interface prescribes these types, names and that they are the process's own: gdb puts a
 * breakpoint into the function and reads the list. */
enum { JIT_NOACTION, JIT_REGISTER_FN, JIT_UNREGISTER_FN };

struct jit_code_entry {
    struct jit_code_entry *next_entry, *prev_entry;
    const char *symfile_addr;
    uint64_t symfile_size;
};

struct jit_descriptor {
    uint32_t version, action_flag;
    struct jit_code_entry *relevant_entry, *first_entry;
};

extern struct jit_descriptor __jit_debug_descriptor;
void __jit_debug_register_code(void);

VISAGE_API struct jit_descriptor __jit_debug_descriptor = {1, JIT_NOACTION, NULL, NULL};

VISAGE_API __attribute__((noinline)) void __jit_debug_register_code(void)
{
    __asm__ volatile("" ::: "memory");
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct vsg_jit_told {
    vsg_base_alloc alloc;
    struct jit_code_entry entry;
    uint8_t *object; /* whose sections have the addresses of the image */
    size_t size;
};

static void announce(struct jit_code_entry *entry, uint32_t action)
{
    __jit_debug_descriptor.action_flag = action;
    __jit_debug_descriptor.relevant_entry = entry;
    __jit_debug_register_code();
}

static void add(struct jit_code_entry *entry)
{
    (void)pthread_mutex_lock(&lock);
    entry->prev_entry = NULL;
    entry->next_entry = __jit_debug_descriptor.first_entry;
    if (entry->next_entry)
        entry->next_entry->prev_entry = entry;
    __jit_debug_descriptor.first_entry = entry;
    announce(entry, JIT_REGISTER_FN);
    (void)pthread_mutex_unlock(&lock);
}

static void take_out(struct jit_code_entry *entry)
{
    (void)pthread_mutex_lock(&lock);
    if (entry->prev_entry)
        entry->prev_entry->next_entry = entry->next_entry;
    else
        __jit_debug_descriptor.first_entry = entry->next_entry;
    if (entry->next_entry)
        entry->next_entry->prev_entry = entry->prev_entry;
    announce(entry, JIT_UNREGISTER_FN);
    (void)pthread_mutex_unlock(&lock);
}

vsg_jit_told *vsg_jit_tell(const vsg_base_alloc *alloc, const vsg_jit_image *image,
                           const void *object, size_t size_bytes)
{
    vsg_jit_told *told = vsg_base_new(alloc, 1, sizeof *told);

    if (!told)
        return NULL;
    told->alloc = *alloc;
    told->size = size_bytes;
    told->object = vsg_base_new(alloc, size_bytes, 1);
    if (told->object)
        memcpy(told->object, object, size_bytes);
    if (!told->object || !vsg_jit_image_place(alloc, image, told->object, size_bytes)) {
        vsg_base_delete(&told->alloc, told->object, size_bytes, 1);
        vsg_base_delete(alloc, told, 1, sizeof *told);
        return NULL;
    }
    told->entry.symfile_addr = (const char *)told->object;
    told->entry.symfile_size = size_bytes;
    add(&told->entry);
    return told;
}

void vsg_jit_untell(vsg_jit_told **told)
{
    vsg_jit_told *old = *told;

    if (!old)
        return;
    take_out(&old->entry);
    vsg_base_alloc alloc = old->alloc;
    vsg_base_delete(&alloc, old->object, old->size, 1);
    vsg_base_delete(&alloc, old, 1, sizeof *old);
    *told = NULL;
}
