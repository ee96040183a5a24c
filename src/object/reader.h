/* SPDX-License-Identifier: MIT
 *
 * What the files of the binary reader share. */
#ifndef VISAGE_OBJECT_READER_H
#define VISAGE_OBJECT_READER_H

#include "object/binary.h"
#include "object/decode.h"
#include "object/limits.h"
#include "object/resolve.h"

/* A piece of the file that something in the header points to. */
typedef struct vsg_obj_extent {
    uint64_t at, size;
    uint32_t unit;
    int16_t gen_binary; /* -1: the object */
} vsg_obj_extent;

typedef struct vsg_obj_reader {
    vsg_obj_module *module;
    const char *file;
    visage_diagnostics *diagnostics;
    visage_platform platform; /* the caller's, where the file says none */
    visage_status status;     /* the first that was not OK */
    bool recover;
    size_t most_errors; /* recover: in the caller's list, before the rest is not told */
    size_t failed_at;   /* in the file: what was told last */
    vsg_obj_cursor in;
    unsigned version;
    vsg_obj_layout layout;     /* NONE until the first object tells */
    vsg_obj_unit *unit;        /* being read */
    vsg_obj_resolver resolver; /* of its variables, while they are read */
    uint32_t input_offset;     /* of the unit, as the header has it */
    size_t inputs_at;          /* as it is found */
    vsg_obj_extent *extents;
    size_t num_extents, cap_extents;
    uint32_t *input_offsets; /* of all kernels, in order */
    size_t num_input_offsets, cap_input_offsets;
    /* Set up with the layout: they are large. */
    vsg_obj_decoder decoder;
    vsg_obj_shapes shapes;
} vsg_obj_reader;

/* Each returns false. at: in the file. */
bool vsg_obj_read_failed(vsg_obj_reader *reader, vsg_base_diag diag, size_t at, ...);
bool vsg_obj_read_no_memory(vsg_obj_reader *reader);
bool vsg_obj_read_invalid(vsg_obj_reader *reader);

/* Recovering, behind an error that was told: notes it; false where reading must end. */
bool vsg_obj_read_goes_on(vsg_obj_reader *reader);
/* Was an error of the unit told, which others may follow from? */
bool vsg_obj_read_is_told(const vsg_obj_reader *reader);
/* The same error ends the unit. */
void vsg_obj_read_cut_off(vsg_obj_reader *reader);
/* An object that does not lie where only it lies: it has these bytes at most. */
bool vsg_obj_read_clip(vsg_obj_reader *reader, vsg_obj_extent *extent, uint64_t low,
                       uint64_t high);
/* Recovering: what there is of the header, of reader->unit, and at the end of all units. */
bool vsg_obj_read_header_anyway(vsg_obj_reader *reader);
bool vsg_obj_read_unit_anyway(vsg_obj_reader *reader);
bool vsg_obj_read_settle(vsg_obj_reader *reader);

/* Where something is, for a diagnostic. */
vsg_base_location vsg_obj_read_where(const vsg_obj_reader *reader, uint64_t at);

/* Have the bytes sufficed so far? Else told. */
bool vsg_obj_read_good(vsg_obj_reader *reader);

/* Can `count` entries of at least `least` bytes be in what is left? Else told. */
bool vsg_obj_read_fits(vsg_obj_reader *reader, const char *what, uint64_t count, size_t least);

/* The object of reader->unit, which is data[at, at + size). */
bool vsg_obj_read_unit(vsg_obj_reader *reader, size_t at, size_t size);

/* The instructions: data[entry, end) of which `size` bytes count. */
bool vsg_obj_read_code(vsg_obj_reader *reader, size_t entry, size_t size, size_t end);

/* The operations of a stream that was cut short (spec dialect 0.1), told from junk behind it by
 * `size`, which counts uncut instructions. False when it is no such stream. */
bool vsg_obj_read_cut_stream(vsg_obj_reader *reader, size_t entry, size_t size);

/* Keeps the first `count` instructions of a damaged unit, which are complete. */
bool vsg_obj_read_whole(vsg_obj_reader *reader, size_t entry, size_t count);

#endif
