/* SPDX-License-Identifier: MIT
 *
 * 64-bit division. GPUs have no instruction for it, and Intel's compiler makes a loop of 64
 * rounds: each shifts the remainder to the left, brings down the next bit of the dividend, and
 * where the divisor fits takes it off and sets a bit of the quotient. Here all rounds but the
 * last are one division; the last one, and all that comes behind it, is the loop itself.
 *
 * Which loop is one is found by following it through these rounds, one bit of each variable at
 * a time: a bit is a constant, one that was there before, or a known one of the division in
 * hand. So it does not matter which instructions move the bits, and all that the text does
 * beside is either known or keeps the loop as it stands. */
#ifndef VISAGE_JIT_DIVIDE_H
#define VISAGE_JIT_DIVIDE_H

#include "jit/emit.h"

/* Finds such loops. False: memory is out. */
bool vsg_jit_find_divisions(vsg_jit_emitter *e);
/* Where an instruction begins: the rounds in one go, if a division begins there; the builder is
 * then where the loop as it stands is to be made. (divide_emit.c) */
void vsg_jit_emit_division(vsg_jit_emitter *e, uint32_t place);

/* ---- what is found ----------------------------------------------------------------------- */

enum { VSG_JIT_LOW, VSG_JIT_HIGH, VSG_JIT_HALVES };
enum { VSG_JIT_DIVIDE_BITS = 64, VSG_JIT_DIVIDE_ROUNDS = 63 };

/* A channel's dword: in the frame, or a constant. */
typedef struct vsg_jit_dword {
    bool is_there, is_constant;
    uint32_t is; /* its place, or what it is */
} vsg_jit_dword;

/* Dwords of all channels. */
typedef struct vsg_jit_dwords {
    vsg_jit_dword of[VSG_EXE_MAX_CHANNELS];
} vsg_jit_dwords;

typedef enum vsg_jit_result {
    VSG_JIT_QUOTIENT,
    VSG_JIT_REMAINDER,
    VSG_JIT_DIVISOR, /* a copy of it */
    VSG_JIT_RESULTS
} vsg_jit_result;

/* A part that is written: its dwords that are halves of results, or numbers, as channels have
 * that count rounds each for itself. */
typedef struct vsg_jit_divided {
    uint32_t part;
    bool spoils; /* channels that are off need nothing of it */
    vsg_jit_dwords halves[VSG_JIT_RESULTS][VSG_JIT_HALVES];
    vsg_jit_dwords numbers; /* where they are; which, is below */
    uint32_t number_of[VSG_EXE_MAX_CHANNELS];
} vsg_jit_divided;

/* Bytes that all channels share, and the number there. */
typedef struct vsg_jit_number {
    uint32_t at, bytes;
    uint64_t value;
} vsg_jit_number;

enum { VSG_JIT_MOST_DIVIDED = 16, VSG_JIT_MOST_NUMBERS = 16 };

struct vsg_jit_division {
    uint32_t head; /* where the last round begins */
    vsg_jit_dwords dividend[VSG_JIT_HALVES], divisor[VSG_JIT_HALVES];
    /* Variables that must have the divisor, too, or a number whose absolute value it is. */
    vsg_jit_dwords other[VSG_JIT_HALVES];
    bool has_other, is_absolute;
    uint32_t other_bytes; /* of their type: 4 where the divisor's high dword is 0 */
    vsg_jit_divided divided[VSG_JIT_MOST_DIVIDED];
    uint32_t num_divided;
    vsg_jit_number numbers[VSG_JIT_MOST_NUMBERS]; /* that are written, */
    uint32_t num_numbers;
    vsg_jit_number assumed[VSG_JIT_MOST_NUMBERS]; /* and that must be there before */
    uint32_t num_assumed;
    uint64_t length;                       /* instructions of the rounds, */
    uint32_t lengths[VSG_JIT_DIVIDE_BITS]; /* and those for a bit of the quotient that is set
                                              in some channel */
};
typedef struct vsg_jit_division vsg_jit_division;

/* ---- following the text (divide_bits.c) -------------------------------------------------- */

/* One bit of a variable. Numbers from VSG_JIT_BIT_BEFORE on are bits that were there before the
 * loop, by their index in `bits`. */
typedef uint32_t vsg_jit_bit;

enum { VSG_JIT_BIT_ZERO, VSG_JIT_BIT_ONE, VSG_JIT_BIT_UNKNOWN, VSG_JIT_BIT_BEFORE = 1 << 24 };

typedef enum vsg_jit_bit_kind {
    VSG_JIT_BIT_REMAINDER,  /* where a round begins */
    VSG_JIT_BIT_DIFFERENCE, /* of shifted remainder and divisor */
    VSG_JIT_BIT_QUOTIENT,   /* found in a round: the divisor fits */
    VSG_JIT_BIT_TAKEN,      /* of the divisor where it fits, else 0 */
    VSG_JIT_BIT_FLAG
} vsg_jit_bit_kind;

typedef enum vsg_jit_divide_flag {
    VSG_JIT_FLAG_BELOW,      /* the shifted remainder is below the divisor; */
    VSG_JIT_FLAG_LOW_BELOW,  /* its low dword is */
    VSG_JIT_FLAG_HIGH_BELOW, /* its high dword is */
    VSG_JIT_FLAG_HIGH_EQUAL,
    VSG_JIT_FLAG_EQUAL_BELOW, /* HIGH_EQUAL and LOW_BELOW */
    VSG_JIT_FLAG_BORROW       /* of the low dword when what is taken is */
} vsg_jit_divide_flag;

/* A byte that was written where only some channels are. */
typedef struct vsg_jit_past {
    uint32_t at; /* its first bit */
    vsg_jit_bit bits[8];
    uint8_t owners[8];
} vsg_jit_past;

enum { VSG_JIT_OF_ALL = 0xff };

typedef struct vsg_jit_follower {
    vsg_jit_emitter *e;
    uint32_t *base;    /* by part: its first bit, and 1 more; 0: it has none */
    vsg_jit_bit *bits; /* a predicate's are those of its channels */
    uint8_t *owners;   /* by bit: the channel that must be on for it to be so, or OF_ALL */
    uint32_t num_bits;
    bool *exposed; /* by part: what it has been before is looked at */
    bool *kept;    /* by part: channels that are off need what is written, */
    bool *bare;    /* and it is written for them, too, by some instruction */
    uint32_t round;
    vsg_jit_bit dividend[VSG_EXE_MAX_CHANNELS][VSG_JIT_DIVIDE_BITS];
    vsg_jit_bit divisor[VSG_EXE_MAX_CHANNELS][VSG_JIT_DIVIDE_BITS];
    bool has_divisor[VSG_EXE_MAX_CHANNELS][VSG_JIT_HALVES];
    vsg_jit_bit other[VSG_EXE_MAX_CHANNELS][VSG_JIT_DIVIDE_BITS];
    bool has_other[VSG_EXE_MAX_CHANNELS];
    bool is_apart; /* only channels are on whose divisor fits */
    vsg_jit_past *past;
    uint32_t num_past,
        *past_of; /* past_of: by byte, index in `past` and 1 more; of others any */
    vsg_jit_division *division;
} vsg_jit_follower;

/* round: the one in which it is so. */
vsg_jit_bit vsg_jit_bit_of(vsg_jit_bit_kind kind, uint32_t round, uint32_t channel,
                           uint32_t index);
/* Is it one that can be followed, whatever its operands are? Control flow is none. */
bool vsg_jit_can_follow(const vsg_exe_inst *inst);
/* Follows such an instruction. False: not that one. */
bool vsg_jit_follow(vsg_jit_follower *f, uint32_t place);
/* Brings channels together again whose divisor fits with those whose does not. */
void vsg_jit_follow_join(vsg_jit_follower *f);

#endif
