/* SPDX-License-Identifier: MIT
 *
 * What the files of the binary writer share. */
#ifndef VISAGE_OBJECT_WRITER_H
#define VISAGE_OBJECT_WRITER_H

#include "object/binary.h"
#include "object/limits.h"
#include "object/naming.h"
#include "object/shape.h"

typedef struct vsg_obj_pool_slot {
    uint64_t block; /* a string of up to eight bytes, see vsg_base_hash_block() */
    uint32_t hash;
    uint32_t entry; /* index of a string + 1, 0: free */
} vsg_obj_pool_slot;

/* The string pool of the unit being written: strings that were read keep their numbers, others
 * follow in the order in which they are first used. */
typedef struct vsg_obj_pool {
    const vsg_base_alloc *alloc;
    const char **strings;
    size_t num_strings, cap_strings;
    vsg_obj_pool_slot *slots; /* by hash */
    size_t num_slots;
    const vsg_obj_stored *stored; /* strings that keep their order; NULL: none */
    size_t first_stored;          /* number of the first of them */
    size_t num_inserted;          /* strings between the first and the others */
} vsg_obj_pool;

typedef struct vsg_obj_pool_style {
    bool doc;             /* the null string comes first, else the unit's name and the names of
                             predefined variables, unless */
    bool is_igc;          /* the strings were read from a binary that has them */
    const char **renamed; /* by number of a stored string, what stands in its place; or NULL */
    const char *extra;    /* one more string behind the predefined names, or NULL */
} vsg_obj_pool_style;

/* Do the stored strings begin as the compiler's do? */
bool vsg_obj_pool_is_compilers(const vsg_obj_unit *unit);

typedef struct vsg_obj_writer {
    const vsg_obj_module *module;
    const vsg_obj_unit *unit; /* being written */
    const vsg_obj_inst *inst;
    visage_diagnostics *diagnostics;
    visage_status status; /* the first that was not OK; then there is no result */
    bool doc;
    bool adds_path;   /* OutputAsmPath, which the compiler always writes */
    bool as_compiler; /* the unit comes from a text, directly or through a documented binary:
                         what the text does not say is as the compiler would have it */
    uint32_t grf_bytes;
    vsg_obj_pool pool;
    vsg_obj_naming naming;
    size_t functions_at;        /* of the unit's function_reloc_symtab */
    uint32_t *label_strings;    /* number in the pool, by index of the label */
    uint32_t *variable_strings; /* the same of general variables */
    vsg_obj_bytes *out;
    vsg_obj_shapes shapes; /* last: large, and not zeroed */
} vsg_obj_writer;

void vsg_obj_put_bytes(vsg_obj_writer *writer, const void *data, size_t size);
/* Makes room for more bytes; false when nothing is to be written any more. */
bool vsg_obj_make_room(vsg_obj_writer *writer, size_t size);

/* Appends a number of 1 to 8 bytes. */
static inline void vsg_obj_put(vsg_obj_writer *writer, uint64_t value, unsigned bytes)
{
    enum { LARGEST = 8 };
    vsg_obj_bytes *out = writer->out;

    /* All eight are stored, the next number goes over those that are too many. What is put
     * after an error is thrown away with the rest. */
    if (out->capacity - out->size < LARGEST && !vsg_obj_make_room(writer, LARGEST))
        return;
    uint8_t *at = out->data + out->size;
    for (unsigned i = 0; i < LARGEST; i++)
        at[i] = (uint8_t)(value >> 8 * i);
    out->size += bytes;
}

/* Says that a value does not fit. */
void vsg_obj_too_large(vsg_obj_writer *writer, uint64_t value, const char *what);

static inline void vsg_obj_check_field(vsg_obj_writer *writer, uint64_t value, unsigned bytes,
                                       const char *what)
{
    if (bytes < 8 && value >> 8 * bytes)
        vsg_obj_too_large(writer, value, what);
}

/* Appends a number; told when it does not fit. */
static inline void vsg_obj_put_field(vsg_obj_writer *writer, uint64_t value, unsigned bytes,
                                     const char *what)
{
    vsg_obj_check_field(writer, value, bytes, what);
    vsg_obj_put(writer, value, bytes);
}

/* Overwrites what was put at `at`. */
void vsg_obj_patch(vsg_obj_writer *writer, size_t at, uint64_t value, unsigned bytes,
                   const char *what);
/* Puts the number of a string. */
void vsg_obj_put_string(vsg_obj_writer *writer, const char *text, unsigned bytes,
                        const char *what);
/* What cannot be written: notes it. */
void vsg_obj_cannot_write(vsg_obj_writer *writer, const char *what, uint64_t value,
                          const char *why);

bool vsg_obj_pool_init(vsg_obj_pool *pool, const vsg_base_alloc *alloc,
                       const vsg_obj_unit *unit, const vsg_obj_pool_style *style);
void vsg_obj_pool_free(vsg_obj_pool *pool);
/* The number of a string, which is added where it is not there; UINT32_MAX when memory is out.
 */
uint32_t vsg_obj_pool_find(vsg_obj_pool *pool, const char *text);
/* The number of a string that is added though there may be an equal one. */
uint32_t vsg_obj_pool_append(vsg_obj_pool *pool, const char *text);
/* The number of a stored string. */
uint32_t vsg_obj_pool_stored(const vsg_obj_pool *pool, size_t index);

/* Gives the strings of the unit numbers, those of a text in the compiler's order. (order.c) */
void vsg_obj_number_strings(vsg_obj_writer *writer);

/* The number of a label in the binary. */
uint32_t vsg_obj_label_number(const vsg_obj_writer *writer, uint32_t id);

void vsg_obj_write_inst(vsg_obj_writer *writer, const vsg_obj_inst *inst);
void vsg_obj_write_vector(vsg_obj_writer *writer, vsg_isa_slot_kind kind,
                          const vsg_obj_operand *operand);
void vsg_obj_write_raw(vsg_obj_writer *writer, const vsg_obj_operand *operand);

/* Appends the object of a unit. *inputs_at: where in it num_inputs is. */
void vsg_obj_write_unit(vsg_obj_writer *writer, const vsg_obj_unit *unit, size_t *inputs_at);

#endif
