/* SPDX-License-Identifier: MIT
 *
 * A thread with registers and nothing else, to run single instructions that a test puts
 * together by hand: the handlers of exec/ without parser, program or runtime. */
#ifndef VISAGE_TESTS_OPS_MACHINE_H
#define VISAGE_TESTS_OPS_MACHINE_H

#include "exec/handlers.h"
#include "exec/operand.h"
#include "exec/quick.h"

enum {
    MACHINE_BYTES = 8192, /* of registers */
    MACHINE_SLACK = 256,
    MACHINE_DST = 0, /* places of operands */
    MACHINE_DST2 = 512,
    MACHINE_SRC = 1024, /* and one each 1024 bytes */
    MACHINE_SRC_STEP = 1024,
    MACHINE_ELEMENTS = 64 /* addresses, predicates, surfaces, samplers */
};

/* All denormals kept, to nearest: what the compiler writes to %cr0. */
#define MACHINE_MODE 0x4c0u

typedef struct machine {
    vsg_exe_thread thread;
    vsg_exe_frame frame;
    vsg_exe_unit unit;
    uint8_t registers[MACHINE_BYTES + MACHINE_SLACK];
    uint8_t shared[VSG_EXE_SHARED_BYTES];
    uint32_t addresses[MACHINE_ELEMENTS], predicates[MACHINE_ELEMENTS];
    uint32_t surfaces[MACHINE_ELEMENTS], samplers[MACHINE_ELEMENTS];
} machine;

/* All registers 0xee, all channels on, mode MACHINE_MODE. */
void machine_reset(machine *m);
/* Writes %cr0. */
void machine_mode(machine *m, uint32_t cr0);

/* Contiguous elements at a byte offset; for one element a scalar. */
vsg_exe_operand machine_region(visage_type type, uint32_t offset, uint32_t count);
vsg_exe_operand machine_scalar(visage_type type, uint32_t offset);
vsg_exe_operand machine_strided(visage_type type, uint32_t offset, int32_t stride_elements);
/* elements: kept. */
vsg_exe_operand machine_immediate(visage_type type, const uint64_t *elements, uint16_t count);
vsg_exe_operand machine_predicate(uint32_t index);

/* An instruction without predicate; operands and class are still to be filled in. */
vsg_exe_inst machine_inst(visage_op op, uint32_t exec_size);
/* The class of the instruction's operands as 2_datatypes has the execution type: DF, then F or
 * BF, then HF; halves with a destination of F or BF compute in F. */
vsg_exe_class machine_class(const vsg_exe_inst *inst);
/* Sets the class and runs the general handler of the operation. */
void machine_run(machine *m, vsg_exe_inst *inst);

/* Element `i` of `bytes` bytes, counted from a byte offset. */
void machine_put(machine *m, uint32_t offset, uint32_t bytes, uint32_t i, uint64_t value);
uint64_t machine_get(const machine *m, uint32_t offset, uint32_t bytes, uint32_t i);

/* The next of a sequence of pseudo-random numbers. */
uint64_t machine_random(uint64_t *state);

#endif
