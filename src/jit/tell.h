/* SPDX-License-Identifier: MIT
 *
 * Tells perf and gdb of code that has been loaded, so that they know its symbols: perf by a map
 * of the process under /tmp, gdb by the interface for compilers at run time.
 * Sources: linux tools/perf/Documentation/jit-interface.txt; gdb manual, "JIT Compilation
 * Interface". */
#ifndef VISAGE_JIT_TELL_H
#define VISAGE_JIT_TELL_H

#include "jit/image.h"

typedef struct vsg_jit_told vsg_jit_told;

/* Tells of an image that was loaded from the object. Returns what vsg_jit_untell() wants, NULL
 * when memory is out; nobody is told then, or perf alone. */
vsg_jit_told *vsg_jit_tell(const vsg_base_alloc *alloc, const vsg_jit_image *image,
                           const void *object, size_t size_bytes);
/* Before the image is unloaded. */
void vsg_jit_untell(vsg_jit_told **told);

/* One line of perf's map. */
void vsg_jit_tell_perf(const char *name, const uint8_t *code, size_t size_bytes);

#endif
