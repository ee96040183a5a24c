/* SPDX-License-Identifier: MIT
 *
 * vISA binaries: reading one into a module and writing a module as one, in the layout that the
 * documents describe or in the one that the compiler writes (spec dialect 1 to 3). What was
 * read and is written in its own layout gives the same bytes. */
#ifndef VISAGE_OBJECT_BINARY_H
#define VISAGE_OBJECT_BINARY_H

#include "object/object.h"

typedef struct vsg_obj_binary {
    const char *name; /* for diagnostics; copied */
    const void *data; /* borrowed */
    size_t size_bytes;
    visage_platform platform; /* whose registers to count in where neither the module nor the
                                 file says it; NONE: 32 bytes */
    bool recover;
} vsg_obj_binary;

/* Does it start as a binary does? */
bool vsg_obj_is_binary(const void *data, size_t size_bytes);

/* Adds what the binary holds to a module without units; sets its layout and version, and its
 * platform where that is NONE and the file says it.
 *
 * Returns OK; a unit whose instructions the compiler's writer has damaged is a warning, has no
 * instructions and says so in stored.damage. MALFORMED with one diagnostic, and the offset in
 * the file, where the bytes are no binary; UNSUPPORTED for versions that are not known; INVALID
 * where a limit of the documents is exceeded; NO_MEMORY. What was read before stays in the
 * module. Memory and time are linear in size_bytes.
 *
 * With `recover`, MALFORMED and INVALID do not end the reading: what is wrong with one unit
 * leaves it what was read of it and the damage BROKEN, and reading goes on with the next; what
 * is wrong with the header leaves the units before. There may be several diagnostics then, up
 * to some number; the status is that of the first, and the module is_broken.
 * Source: 4_visa_header, 5_operands. */
VISAGE_NODISCARD visage_status vsg_obj_read_binary(vsg_obj_module *module,
                                                   const vsg_obj_binary *input,
                                                   visage_diagnostics *diagnostics);

typedef struct vsg_obj_bytes {
    uint8_t *data;
    size_t size, capacity;
} vsg_obj_bytes;

/* layout: NONE for the one it was read in, DOC where it was not read from a binary.
 * out: returns owned, free with vsg_obj_bytes_free(); empty unless OK.
 *
 * Returns INVALID, with a diagnostic, for what the layout cannot hold, for limits of the
 * documents, and for units whose instructions are lost; NO_MEMORY. */
VISAGE_NODISCARD visage_status vsg_obj_write_binary(const vsg_obj_module *module,
                                                    vsg_obj_layout layout,
                                                    visage_diagnostics *diagnostics,
                                                    vsg_obj_bytes *out);
void vsg_obj_bytes_free(const vsg_base_alloc *alloc, vsg_obj_bytes *bytes);

#endif
