/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr() */
#include "jit/llvm.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

vsg_jit_llvm_functions vsg_jit_llvm;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded;

/* A pointer to a function from one to an object, which ISO C has no cast for. */
static bool find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);

    memcpy(function, &found, sizeof found);
    return found != NULL;
}

bool vsg_jit_llvm_own(char path[VSG_JIT_PATH_BYTES])
{
    static const char file[] = "/" VSG_JIT_LLVM_FILE;
    Dl_info info;

    /* Of a program that holds the engine itself the name may be one in a folder that is not the
     * current one any more. */
    if (!dladdr(&vsg_jit_llvm, &info) || info.dli_fname[0] != '/')
        return false;
    size_t length = (size_t)(strrchr(info.dli_fname, '/') - info.dli_fname);
    if (length + sizeof file > VSG_JIT_PATH_BYTES)
        return false;
    memcpy(path, info.dli_fname, length);
    memcpy(path + length, file, sizeof file);
    return true;
}

static bool load_from(const char *name)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    vsg_jit_llvm_functions found;
    bool good = library != NULL;

#define FUNCTION(name) good = good && find(library, #name, &found.name##_);
#include "jit/llvm.def"
#undef FUNCTION
    if (good)
        vsg_jit_llvm = found;
    else if (library)
        (void)dlclose(library);
    return good;
}

/* What keeps LLVM's work in proportion, where it is long. Only where nobody else uses that
 * LLVM: its options are the process's.
 *
 * After each change of its blocks its preparation of code begins at the function's start again,
 * which takes the square of the blocks' number; of functions with more blocks than this it
 * looks at what is new. Its schedulers ask of each two accesses of a block whether they can
 * meet, up to so many of them; the second one, behind the choice of registers, is for
 * processors that take instructions in order. Two passes look at all instructions for sums that
 * another order makes quicker, and for what could be in registers of masks: no time that was
 * measured changed without them (sha256, scan).
 *
 * Two searches take long where there are many blocks: GVN's for what a load could be told from,
 * in up to 200 blocks, and the growing of the regions in which a value has a register. With the
 * first limit none of 92 kernels was slower. A limit of 100 for the second made some of them a
 * quarter slower, which are as quick with 1000 as with the 10,000 that LLVM has.
 *
 * Constants are not taken out of loops before registers are chosen: the loop over threads is
 * around all, and what is taken out of it lives through thousands of blocks, at a cost of the
 * square of these. Of 101 kernels one was slower without, which has the same instructions in
 * its loop, and long ones take half as long. */
static void set_options(void)
{
    static const char *const options[] = {"visage",
                                          "-cgpp-huge-func=200",
                                          "-dag-maps-huge-region=100",
                                          "-post-RA-scheduler=false",
                                          "-x86-machine-combiner=false",
                                          "-disable-x86-domain-reassignment",
                                          "-memdep-block-number-limit=4",
                                          "-grow-region-complexity-budget=1000",
                                          "-disable-machine-licm"};

    LLVMParseCommandLineOptions(sizeof options / sizeof *options, options, "");
}

static void load(void)
{
    static const char *const names[] = {VSG_JIT_LLVM_FILE, "libLLVM.so.19.1", "libLLVM-19.so"};
    char own[VSG_JIT_PATH_BYTES];

    bool is_own = (vsg_jit_llvm_own(own) && load_from(own)) || load_from(names[0]);
    is_loaded = is_own;
    for (size_t i = 1; !is_loaded && i < sizeof names / sizeof *names; i++)
        is_loaded = load_from(names[i]);
    if (!is_loaded)
        return;
    if (is_own) {
        set_options();
        LLVMInstallFatalErrorHandler(vsg_jit_leave_llvm);
    }
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser(); /* rounding.c */
}

bool vsg_jit_llvm_load(void)
{
    (void)pthread_once(&once, load);
    return is_loaded;
}
