/* SPDX-License-Identifier: MIT */
#include "jit/llvm.h"

#include <dlfcn.h>
#include <llvm/Config/llvm-config.h>
#include <pthread.h>
#include <string.h>

vsg_jit_llvm_functions vsg_jit_llvm;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded;

#define TEXT_OF(name) #name
#define TEXT(name)    TEXT_OF(name)

/* A pointer to a function from one to an object, which ISO C has no cast for. */
static bool find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);

    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static bool start(void *library, const char *name)
{
    void (*function)(void) = NULL;

    if (!find(library, name, &function))
        return false;
    function();
    return true;
}

static void load(void)
{
    static const char *const names[] = {"libLLVM.so.19.1", "libLLVM-19.so"};
    void *library = NULL;
    bool good = true;

    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return;
#define FUNCTION(name) good = good && find(library, #name, &vsg_jit_llvm.name##_);
#include "jit/llvm.def"
#undef FUNCTION
    is_loaded = good && start(library, TEXT(LLVM_NATIVE_TARGETINFO)) &&
                start(library, TEXT(LLVM_NATIVE_TARGET)) &&
                start(library, TEXT(LLVM_NATIVE_TARGETMC)) &&
                start(library, TEXT(LLVM_NATIVE_ASMPRINTER));
}

bool vsg_jit_llvm_load(void)
{
    (void)pthread_once(&once, load);
    return is_loaded;
}
