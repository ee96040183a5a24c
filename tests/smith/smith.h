/* SPDX-License-Identifier: MIT
 *
 * Random programs for the two engines: each number makes a kernel, as vISA text that the
 * verifier takes, which leaves all its variables and predicates in memory. Interpreter and
 * compiler must leave the same. What instructions there are, and with which types, the tables
 * of src/isa say.
 *
 * What no document defines, and engines may do differently, programs keep to themselves: which
 * NaN an operation gives. Variables of floats hold nothing else, and are seen as integers only
 * where NaNs were replaced by one of them; memory says where floats lie (machine.h). */
#ifndef VISAGE_TESTS_SMITH_H
#define VISAGE_TESTS_SMITH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/isa.h"
#include "text.h"

enum {
    SMITH_VARIABLES = 96,
    SMITH_PREDICATES = 7, /* P1 to P6, and P7 that the making of instructions uses */
    SMITH_PASSING = 7,
    SMITH_LOOPS = 24,      /* counters of channels, C0 ..; of uniform loops, U0 .. */
    SMITH_FUNCTIONS = 3,   /* f1 to f3, besides the kernel */
    SMITH_SUBROUTINES = 2, /* of a unit */
    SMITH_MEMORY = 4096,   /* bytes of a thread's own, in the buffer MEM */
    SMITH_SHARED = 4096,   /* at the start of MEM: for atomics of all threads */
    SMITH_SURFACE = 512,   /* in the surface T6 */
    SMITH_SLM = 256        /* in shared local memory */
};

typedef struct smith_variable {
    char name[12];
    visage_type type;
    uint32_t bytes;
    uint32_t align; /* of the first byte, as far as it is known */
    uint16_t root;  /* number of the variable that it is an alias of, or its own */
    bool floats;    /* the root holds floats of this type and nothing else */
    bool locked;    /* no destination, but for those that name it */
    bool hidden;    /* an address: no source either */
    bool kept;      /* in memory, at the end */
} smith_variable;

/* Which channels an instruction has: exec_size from mask offset `offset` on. */
typedef struct smith_exec {
    uint32_t size, offset;
    bool no_mask;
} smith_exec;

typedef struct smith_program {
    smith_text text;         /* of the unit's instructions; in the end, the whole */
    smith_text declarations; /* of the unit */
    smith_text head, done;   /* what says how to run it; units that are made */
    uint64_t seed;
    uint64_t state; /* of the generator of random numbers */
    visage_platform platform;
    uint32_t grf;
    uint32_t simd;   /* SimdSize */
    uint32_t local;  /* work-items of a group */
    uint32_t groups; /* how many */
    uint32_t unit;   /* 0: the kernel, else function n */
    smith_variable variables[SMITH_VARIABLES];
    uint32_t num_variables;
    uint32_t predicates[SMITH_PREDICATES + 1]; /* elements of each */
    uint32_t left;                             /* instructions that may still be made */
    uint32_t labels;                           /* used so far */
    uint32_t loops, uniform_loops;             /* the same of their counters */
    uint32_t dump_bytes;                       /* of a thread */

    /* where instructions are being made */
    uint32_t depth;  /* of statements around */
    bool together;   /* all channels that have not ended are on */
    bool everywhere; /* all threads come here, equally often */
    bool in_subroutine;
    uint32_t subroutine; /* which one */
    uint32_t around[8];  /* labels behind the loops around */
    uint32_t num_around;
    uint32_t flow_percent, message_percent, mode_percent; /* of statements */
    uint32_t call_percent;                                /* the same, of functions alone */
    bool likes_floats;
    bool has_returned; /* some channels of the kernel may be gone */
    bool has_surface, has_slm;
    bool faults;    /* accesses may be anywhere */
    bool calls;     /* subroutines and functions are called */
    bool addresses; /* operands may be indirect: compilers keep such variables in memory */
    uint32_t num_functions;
    uint32_t meets;    /* functions with barriers, bit n: all threads call them equally often */
    uint32_t called;   /* subroutines of the unit, bit n */
    uint32_t backward; /* calls of the unit to itself or to functions before it */
} smith_program;

/* Makes the program of a seed; free it with smith_text_free(&program->text). */
void smith_make(smith_program *program, uint64_t seed, visage_platform platform, bool quick);

/* ---- random numbers --------------------------------------------------------------------- */

static inline uint64_t smith_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline uint32_t smith_draw(smith_program *p, uint32_t below)
{
    return (uint32_t)(smith_next(&p->state) >> 32) % below;
}

static inline bool smith_chance(smith_program *p, uint32_t percent)
{
    return smith_draw(p, 100) < percent;
}

/* One of the bits that are set; 0 where none is. */
uint32_t smith_bit(smith_program *p, uint32_t set);

/* ---- operands.c ------------------------------------------------------------------------- */

typedef enum smith_wish {
    SMITH_NO_IMMEDIATE = 1,
    SMITH_NO_INDIRECT = 2,
    SMITH_MODIFIERS = 4,  /* arithmetic ones */
    SMITH_COMPLEMENT = 8, /* (~) */
    SMITH_ALIGN_16 = 16,
    SMITH_ALIGN_GRF = 32,
    SMITH_SHORT_IMMEDIATE = 64,
    SMITH_TWO_HALVES = 128 /* a destination with another one behind it, as MADW has */
} smith_wish;

typedef struct smith_operand {
    char text[72];
    uint16_t root; /* of a variable; SMITH_VARIABLES: none */
} smith_operand;

/* Each false: there is nothing that fits. Instructions that make addresses may be put first. */
bool smith_destination(smith_program *p, smith_exec exec, visage_type type, uint32_t wishes,
                       smith_operand *out);
bool smith_source(smith_program *p, smith_exec exec, visage_type type, uint32_t wishes,
                  smith_operand *out);
/* A scalar source of the type, or an immediate. */
void smith_immediate(smith_program *p, visage_type type, char text[32]);

/* "(M1, 16)" */
const char *smith_exec_text(smith_exec exec, char text[32]);
/* A size out of the set that fits the dispatch, and a mask. */
smith_exec smith_pick_exec(smith_program *p, uint32_t sizes);
/* Element `index` of a variable: "V(row,column)". */
const char *smith_element(const smith_program *p, const smith_variable *variable,
                          uint32_t index, char text[32]);
const smith_variable *smith_find(const smith_program *p, const char *name);

/* "(!P2.any) " or nothing. */
void smith_predicate(smith_program *p, smith_exec exec, uint32_t percent, char text[32]);
/* A predicate with elements for the channels, by number. */
uint32_t smith_pick_predicate(smith_program *p, smith_exec exec);

/* ---- declare.c -------------------------------------------------------------------------- */

smith_variable *smith_declare(smith_program *p, const char *name, visage_type type,
                              uint32_t count, const char *align);
smith_variable *smith_declare_alias(smith_program *p, const char *name, visage_type type,
                                    uint32_t count, const char *root, uint32_t offset);
/* The variables of a unit. */
void smith_declare_unit(smith_program *p);
/* What fills them, and what leaves them in memory. */
void smith_put_start(smith_program *p);
void smith_put_dump(smith_program *p);
/* Puts a block load or store of `bytes`, a multiple of 128, between a raw operand and memory
 * at `offset` bytes from the address in `base`. */
void smith_put_block(smith_program *p, bool is_store, const char *base, uint32_t offset,
                     const char *name, uint32_t at, uint32_t bytes);

/* ---- makers of instructions ------------------------------------------------------------- */

/* One instruction of the arithmetic, logic, move and compare families. */
void smith_put_operation(smith_program *p);
/* What works on predicates alone or on modes. */
void smith_put_predicate_operation(smith_program *p);
void smith_put_mode(smith_program *p);
/* Messages to memory. */
void smith_put_message(smith_program *p);
/* A raw operand with room for `bytes`; a source shows no floats. */
void smith_pick_data(smith_program *p, uint32_t bytes, bool is_source, char text[32]);
/* Products of matrices. */
void smith_put_dpas(smith_program *p);
/* Bits of floats as integers, NaNs made one. */
void smith_put_view(smith_program *p);
/* Barriers, and what threads read of each other between them; where all threads come. */
void smith_put_exchange(smith_program *p);
/* Bytes of %arg that functions take: integers, floats, how deep calls may still go. */
enum { SMITH_ARGUMENT_BYTES = 320, SMITH_RESULT_BYTES = 128 };
/* What messages of the kernel need. */
void smith_put_shared_start(smith_program *p);
/* Statements, until `most` of them are made or no instruction is left. */
void smith_put_statements(smith_program *p, uint32_t most);
void smith_put_endless(smith_program *p);

#endif
