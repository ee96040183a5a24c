/* SPDX-License-Identifier: MIT
 *
 * What the files of the binary writer share. */
#ifndef VISAGE_OBJECT_WRITER_H
#define VISAGE_OBJECT_WRITER_H

#include "object/binary.h"
#include "object/limits.h"
#include "object/shape.h"

/* The string pool of the unit being written: strings that were read keep their numbers, others
 * follow in the order in which they are first used. */
typedef struct vsg_obj_pool {
    const vsg_base_alloc *alloc;
    const char **strings;
    size_t num_strings, cap_strings;
    uint32_t *slots; /* index + 1 by hash, 0: free */
    size_t num_slots;
    const vsg_obj_stored *stored; /* strings that keep their numbers */
    size_t first_stored;          /* number of the first of them */
} vsg_obj_pool;

typedef struct vsg_obj_writer {
    const vsg_obj_module *module;
    const vsg_obj_unit *unit; /* being written */
    const vsg_obj_inst *inst;
    visage_diagnostics *diagnostics;
    visage_status status; /* the first that was not OK; nothing is written after it */
    bool doc;
    uint32_t grf_bytes;
    vsg_obj_pool pool;
    vsg_obj_bytes *out;
    vsg_obj_shapes shapes;
} vsg_obj_writer;

/* Appends a number of 1 to 8 bytes. */
void vsg_obj_put(vsg_obj_writer *writer, uint64_t value, unsigned bytes);
void vsg_obj_put_bytes(vsg_obj_writer *writer, const void *data, size_t size);
/* The same, told when the value does not fit. */
void vsg_obj_put_field(vsg_obj_writer *writer, uint64_t value, unsigned bytes,
                       const char *what);
/* Overwrites what was put at `at`. */
void vsg_obj_patch(vsg_obj_writer *writer, size_t at, uint64_t value, unsigned bytes,
                   const char *what);
/* Puts the number of a string. */
void vsg_obj_put_string(vsg_obj_writer *writer, const char *text, unsigned bytes,
                        const char *what);
/* What cannot be written: notes it. */
void vsg_obj_cannot_write(vsg_obj_writer *writer, const char *what, uint64_t value,
                          const char *why);

/* doc: the null string comes first, else the unit's name and predefined names, unless is_igc,
 * the pool was read from a binary that has them. */
bool vsg_obj_pool_init(vsg_obj_pool *pool, const vsg_base_alloc *alloc,
                       const vsg_obj_unit *unit, bool doc, bool is_igc);
void vsg_obj_pool_free(vsg_obj_pool *pool);
/* The number of a string, which is added where it is not there; UINT32_MAX when memory is out.
 */
uint32_t vsg_obj_pool_find(vsg_obj_pool *pool, const char *text);

void vsg_obj_write_inst(vsg_obj_writer *writer, const vsg_obj_inst *inst);
void vsg_obj_write_vector(vsg_obj_writer *writer, vsg_isa_slot_kind kind,
                          const vsg_obj_operand *operand);
void vsg_obj_write_raw(vsg_obj_writer *writer, const vsg_obj_operand *operand);

/* Appends the object of a unit. *inputs_at: where in it num_inputs is. */
void vsg_obj_write_unit(vsg_obj_writer *writer, const vsg_obj_unit *unit, size_t *inputs_at);

#endif
