/* SPDX-License-Identifier: MIT
 *
 * Compiled code in memory: a relocatable object file as LLVM writes it, laid out, joined with
 * the functions of calls.def and made executable. Done here and not by LLVM, so that code from
 * the cache runs in a process that never loads LLVM. Sources: System V ABI, "Object Files"; the
 * AMD64 supplement, "Relocation". */
#ifndef VISAGE_JIT_IMAGE_H
#define VISAGE_JIT_IMAGE_H

#include "base/alloc.h"

typedef struct vsg_jit_image {
    uint8_t *base; /* of a mapping */
    size_t size_bytes;
} vsg_jit_image;

/* Gets a function that the object defines. name: in the object. */
typedef void (*vsg_jit_image_fn)(void *user, const char *name, const uint8_t *code,
                                 size_t size_bytes);

/* Makes an image of an object file and tells of its functions. object: borrowed. False: it is
 * none for this host, is damaged, calls what calls.def does not have, or memory is out; *out is
 * empty then. */
bool vsg_jit_image_load(const vsg_base_alloc *alloc, const void *object, size_t size_bytes,
                        vsg_jit_image_fn fn, void *user, vsg_jit_image *out);
void vsg_jit_image_unload(vsg_jit_image *image);

/* Notes in an object file, the one the image was loaded from, where its sections are, as
 * debuggers want it. False: memory is out. */
bool vsg_jit_image_place(const vsg_base_alloc *alloc, const vsg_jit_image *image, void *object,
                         size_t size_bytes);

#endif
