/* SPDX-License-Identifier: MIT
 *
 * A load or store whose memory is found out when it runs. */
#ifndef VISAGE_JIT_TRANSFER_H
#define VISAGE_JIT_TRANSFER_H

#include "exec/message.h"
#include "jit/frame.h"
#include "jit/rows.h"

/* Pieces that elements are loaded in, of each and of a channel. */
enum { VSG_JIT_MOST_PIECES = 4, VSG_JIT_MOST_RAW = 4 * VSG_JIT_MOST_PIECES };

/* One load or store. */
typedef struct vsg_jit_transfer {
    const vsg_exe_inst *inst;
    const vsg_exe_message *message;
    bool is_store;
    uint32_t count;         /* channels */
    uint32_t per_channel;   /* elements */
    bool is_dense;          /* they follow each other in memory */
    vsg_jit_origin origin;  /* of the addresses */
    uint32_t memory, slot;  /* bytes of an element */
    LLVMValueRef channels;  /* bits; NULL: all */
    LLVMValueRef addresses; /* i64 each */
    LLVMValueRef offsets;   /* i32 each: the same, where addresses have no more; else NULL */
    LLVMValueRef base;      /* pointer: memory that is not flat, where it has been opened */
    uint32_t window;        /* number, of flat memory */
    uint32_t reach;         /* bytes that one access of it may have at most */
    uint32_t chunk;         /* of `first`; 0: nothing is known of the addresses */
    int64_t step;           /* bytes from a channel's address to the next one's */
    LLVMValueRef first[VSG_JIT_MOST_CHUNKS]; /* i64: address of a chunk's first channel */
    LLVMValueRef exact;                      /* i1; NULL: always */
    bool is_guess;                           /* vsg_jit_row */
    bool takes_all;  /* channels that are off are accessed, too, where sections are SPREAD */
    uint32_t pieces; /* of an element, as it is loaded */
    LLVMValueRef raw[VSG_JIT_MOST_RAW]; /* those of all channels */
    LLVMBasicBlockRef slow, done;
} vsg_jit_transfer;

/* Begins an instruction's transfer: its addresses, and blocks for the handler and for what is
 * behind it. False: compiled code does not find its memory. */
bool vsg_jit_begin_transfer(vsg_jit_emitter *e, const vsg_exe_inst *inst, vsg_jit_transfer *t);
/* Does anything go to its handler? */
bool vsg_jit_is_left_to_handler(const vsg_jit_transfer *t);
/* Goes on behind it, and there from the handler. */
void vsg_jit_end_transfer(vsg_jit_emitter *e, const vsg_jit_transfer *t);
/* Bytes that the rows of a block with two dimensions are moved by: dwords where they have no
 * other bytes, or are packed. (block2d.c) */
uint32_t vsg_jit_block2d_unit(const vsg_exe_message *message);

/* An element of each of `count` channels, `step` bytes from one to the next, all of them there
 * with all that lies between; NULL: that is too much, or the host has no shuffles for it.
 * (between.c) */
LLVMValueRef vsg_jit_load_between(vsg_jit_emitter *e, const vsg_jit_transfer *t, uint32_t count,
                                  LLVMValueRef host);

/* Is it to memory that has windows? */
bool vsg_jit_is_flat(const vsg_exe_message *message);
/* Is it to a surface that the launch has? */
bool vsg_jit_is_to_surface(const vsg_exe_message *message);
/* The thread's scratch, if a state's handle is its own. */
bool vsg_jit_is_scratch(const vsg_exe_message *message);
/* Where that is in the host's memory, and its size (i64), 0 where there is none. */
LLVMValueRef vsg_jit_scratch_at(vsg_jit_emitter *e, LLVMValueRef *size);

/* Does compiled code find the memory it is to? */
bool vsg_jit_has_memory(const vsg_exe_message *message);
/* Has it addresses of 28 or 32 bits, in 64? */
bool vsg_jit_is_narrow(const vsg_exe_message *message);

/* Goes on only where the condition holds, else to the handler. */
void vsg_jit_require(vsg_jit_emitter *e, const vsg_jit_transfer *t, LLVMValueRef condition);

/* The host address of `bytes` from an address on; elsewhere control goes to the handler. */
LLVMValueRef vsg_jit_open_memory(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                 LLVMValueRef address, uint32_t bytes);

/* The same of memory that is neither flat nor shared, but for what lies behind its end: from
 * `beyond` on code has to ask for itself. left: gets the bytes from the address to the end, an
 * i64, which have wrapped around where it lies behind that. */
LLVMValueRef vsg_jit_open_begun(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                LLVMValueRef address, uint32_t bytes, LLVMBasicBlockRef beyond,
                                LLVMValueRef *left);

/* Accesses of `bytes` each. */
typedef struct vsg_jit_places {
    uint32_t count, bytes;
    bool may_precede; /* they are less than that of a channel, and may be below 0 */
    LLVMValueRef at[VSG_JIT_MOST_CHUNKS]; /* i64: addresses */
} vsg_jit_places;

/* The same of all places; wherever one is not in the window, one search is for all. host: gets
 * theirs. */
void vsg_jit_open_places(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                         const vsg_jit_places *places, LLVMValueRef *host);

/* Channels that follow each other in memory, each as far behind the one before. */
typedef struct vsg_jit_channels_at {
    uint32_t count;
    LLVMValueRef start;     /* i64: address of the first */
    LLVMValueRef channels;  /* bits */
    LLVMValueRef addresses; /* i64 each */
    uint32_t own, bytes;    /* of one channel, and from the first to behind the last */
} vsg_jit_channels_at;

/* The host address of the first of a row in shared local memory, to be accessed under the mask
 * of its channels: those that are off may lie outside of it. */
LLVMValueRef vsg_jit_open_row(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                              const vsg_jit_channels_at *row);

/* A field of the transfer's window. */
LLVMValueRef vsg_jit_window_field(vsg_jit_emitter *e, const vsg_jit_transfer *t, size_t offset);

/* The places in the host's memory of channels with these addresses, a vector of pointers; a
 * wrong address of one that is on is the handler's. Where memory is not flat the transfer's
 * `base` is what has been opened, until another is. */
LLVMValueRef vsg_jit_open_many(vsg_jit_emitter *e, vsg_jit_transfer *t, LLVMValueRef addresses,
                               LLVMValueRef channels, uint32_t count);
/* Where memory that is not flat begins in the host's, a pointer. limit: gets how many places
 * the transfer's elements of one channel have in it, an i64 below 2^31. */
LLVMValueRef vsg_jit_open_whole(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                LLVMValueRef *limit);
/* Where the buffer that a surface is begins in the host's memory, an i64; limit: gets how many
 * places an element has in it. Loops can look at both before their first round (series.h). */
LLVMValueRef vsg_jit_open_buffer(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                 LLVMValueRef *limit);
/* The first channel that is on, 0 where none is. */
LLVMValueRef vsg_jit_first_lane(vsg_jit_emitter *e, LLVMValueRef channels, uint32_t count);

/* Element `v` of all channels: out of the registers as memory has it, and the other way round.
 */
LLVMValueRef vsg_jit_read_row(vsg_jit_emitter *e, const vsg_jit_transfer *t, uint32_t v);
void vsg_jit_write_row(vsg_jit_emitter *e, const vsg_jit_transfer *t, uint32_t v,
                       LLVMValueRef value);

/* What `count` elements of memory are in the registers. */
LLVMValueRef vsg_jit_to_slots(vsg_jit_emitter *e, const vsg_jit_transfer *t, LLVMValueRef value,
                              uint32_t count);

/* One element of all channels, out of any raw operand. */
LLVMValueRef vsg_jit_read_slots(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                const vsg_exe_operand *operand);

/* Are the transfer's channels to be moved by a call where they are apart? is_rare: they seldom
 * are; then a call does unless the host has an instruction for it. (each_emit.c) */
bool vsg_jit_moves_by_call(vsg_jit_emitter *e, const vsg_jit_transfer *t, bool is_rare);
/* Are they to be moved by the host's instruction, whatever they are? */
bool vsg_jit_moves_in_place(const vsg_jit_emitter *e, const vsg_jit_transfer *t);
/* Are all elements of a channel moved at once, where channels are apart? */
bool vsg_jit_moves_vectors(const vsg_jit_transfer *t);
/* Or two at a time, as one number? */
bool vsg_jit_moves_pairs(const vsg_jit_transfer *t);
/* Adds them to e->num_apart where they are not. */
void vsg_jit_count_apart(vsg_jit_emitter *e, const vsg_jit_transfer *t, bool is_rare);
/* Moves them so: the elements of all channels, element `v` in rows[v], as memory has them.
 * What channels that are off load has no meaning. */
void vsg_jit_load_by_call(vsg_jit_emitter *e, vsg_jit_transfer *t, LLVMValueRef *rows);
void vsg_jit_store_by_call(vsg_jit_emitter *e, vsg_jit_transfer *t);

/* All channels, and the end of that. */
void vsg_jit_move_vector(vsg_jit_emitter *e, vsg_jit_transfer *t);
void vsg_jit_end_vector(vsg_jit_emitter *e, const vsg_jit_transfer *t);

#endif
