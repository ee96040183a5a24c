/* SPDX-License-Identifier: MIT */
#include "ocloc.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool ocloc_load(ocloc *c, const char *path, char *message, size_t size)
{
    if (c->library)
        return true;
    void *library = dlopen(path, RTLD_NOW);
    if (!library) {
        const char *reason = dlerror();
        (void)snprintf(message, size, "%s", reason ? reason : "the compiler cannot be loaded");
        return false;
    }
    /* POSIX has functions in pointers to objects; C has not. */
    void *invoke = dlsym(library, "oclocInvoke");
    void *release = dlsym(library, "oclocFreeOutput");
    if (!invoke || !release) {
        (void)snprintf(message, size, "%s lacks oclocInvoke or oclocFreeOutput", path);
        return false;
    }
    memcpy(&c->invoke, &invoke, sizeof c->invoke);
    memcpy(&c->free_output, &release, sizeof c->free_output);
    c->library = library;
    return true;
}

int ocloc_run(const ocloc *c, const ocloc_call *call, ocloc_outputs *out)
{
    const ocloc_files *sources = &call->sources, *headers = &call->headers;

    *out = (ocloc_outputs){0};
    return c->invoke(call->num_args, call->args, sources->count, sources->data, sources->sizes,
                     sources->names, headers->count, headers->data, headers->sizes,
                     headers->names, &out->count, &out->data, &out->sizes, &out->names);
}

void ocloc_free(const ocloc *c, ocloc_outputs *outputs)
{
    if (c->free_output && outputs->data)
        (void)c->free_output(&outputs->count, &outputs->data, &outputs->sizes, &outputs->names);
    *outputs = (ocloc_outputs){0};
}

const char **ocloc_argument(const ocloc_call *call, const char *name)
{
    for (uint32_t i = 1; i + 1 < call->num_args; i++)
        if (strcmp(call->args[i], name) == 0)
            return &call->args[i + 1];
    return NULL;
}
