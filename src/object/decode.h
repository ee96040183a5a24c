/* SPDX-License-Identifier: MIT
 *
 * Decoding one instruction of a binary. Whatever the bytes are, what comes out names only
 * things that exist, or the problem is noted and nothing comes out. */
#ifndef VISAGE_OBJECT_DECODE_H
#define VISAGE_OBJECT_DECODE_H

#include "object/cursor.h"
#include "object/shape.h"

enum { VSG_OBJ_MOST_OPERANDS = VSG_ISA_MAX_SLOTS + UINT8_MAX + 1 };

/* Why decoding stopped; reported only when no other way of reading fits. */
typedef struct vsg_obj_problem {
    vsg_base_diag diag;
    size_t at; /* in the file */
    const char *what;
    uint64_t value, limit;
    const char *expected;
} vsg_obj_problem;

typedef struct vsg_obj_decoder {
    vsg_obj_cursor in;
    const vsg_obj_unit *unit; /* its tables have been read */
    vsg_obj_shapes *shapes;
    uint32_t grf_bytes;
    bool bare_returns;           /* ret and fret are the opcode alone */
    bool lenient;                /* names of things that do not exist are no problem */
    uint16_t first_of_code[256]; /* operation + 1, 0: none */
    uint16_t next_of_code[VISAGE_OP_COUNT];
    vsg_obj_problem problem;
    unsigned list;   /* entries of the list of the instruction */
    visage_op meant; /* a step found that not its operation but this one stands here, 0: none */
    uint8_t flags;   /* of the operation */
    unsigned num_operands;
    vsg_obj_operand operands[VSG_OBJ_MOST_OPERANDS]; /* last: each set when it is read */
} vsg_obj_decoder;

void vsg_obj_decoder_init(vsg_obj_decoder *decoder, vsg_obj_shapes *shapes);

/* The next instruction; when lenient, only what it takes. inst->operands is the decoder's until
 * the next call. */
bool vsg_obj_decode(vsg_obj_decoder *decoder, vsg_obj_inst *inst);

/* The next instruction of a stream that lacks the last fields of each: as many as it has of
 * execution size and predicate (spec dialect 0.1). inst has the operation only. *least, *most:
 * bytes it would have in full. */
bool vsg_obj_decode_cut(vsg_obj_decoder *decoder, vsg_obj_inst *inst, size_t *least,
                        size_t *most);

/* The first operation of an opcode byte, VISAGE_OP_COUNT when there is none. */
visage_op vsg_obj_first_of(const vsg_obj_decoder *decoder, uint8_t code);
/* Among the operations that share an opcode, the one with this sub-opcode. */
visage_op vsg_obj_with_sub(const vsg_obj_decoder *decoder, visage_op first, unsigned sub);

/* Parts of an instruction: the opcode, then each step of its shape; count: entries to read
 * where the step is a list, which is vsg_obj_entries() of a complete instruction. */
bool vsg_obj_decode_opcode(vsg_obj_decoder *decoder, vsg_obj_inst *inst);
bool vsg_obj_decode_step(vsg_obj_decoder *decoder, const vsg_obj_shape *shape, unsigned index,
                         unsigned count, vsg_obj_inst *inst);
unsigned vsg_obj_entries(const vsg_obj_decoder *decoder, const vsg_obj_shape *shape,
                         unsigned kind);

/* Parts of a step, in decode_operand.c. what: for messages. */
bool vsg_obj_decode_vector(vsg_obj_decoder *decoder, vsg_isa_slot_kind kind, const char *what,
                           vsg_obj_operand *operand);
bool vsg_obj_decode_raw(vsg_obj_decoder *decoder, const char *what, vsg_obj_operand *operand);

/* What an index names, and whether it does. */
bool vsg_obj_is_general(const vsg_obj_unit *unit, uint64_t id);
bool vsg_obj_is_surface(const vsg_obj_unit *unit, uint64_t id);
bool vsg_obj_is_sampler(const vsg_obj_unit *unit, uint64_t id);

/* The string of an index as it stands in the layout, NULL when there is none. */
const char *vsg_obj_string_of(const vsg_obj_unit *unit, bool doc, uint32_t index);

/* Notes the problem and returns false, true where it is none: see lenient. at: in the file. */
bool vsg_obj_problem_at(vsg_obj_decoder *decoder, vsg_base_diag diag, size_t at,
                        const char *what, uint64_t value, const char *expected);

#endif
