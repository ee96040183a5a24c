/* SPDX-License-Identifier: MIT
 *
 * A machine with one thread that runs one memory instruction, built by hand. For the tests of
 * messages (test_memory*.c). */
#ifndef VISAGE_TESTS_MEMORY_MACHINE_H
#define VISAGE_TESTS_MEMORY_MACHINE_H

#include "exec/program.h"
#include "exec/thread.h"

enum {
    MACHINE_PAGE = 4096,
    MACHINE_PAGES = 6, /* the space; pages 1 to 4 are allocated */
    MACHINE_FIRST = 1,
    MACHINE_ALLOCATED = 4,
    MACHINE_BYTES = MACHINE_ALLOCATED * MACHINE_PAGE,
    MACHINE_SLM_BYTES = 1024,
    MACHINE_REGISTERS = 8192, /* bytes of each variable */
    MACHINE_OPERANDS = 24,
    MACHINE_SCALARS = 16 /* places of 16 bytes for scalar operands */
};

/* General variables, UD, as large as any message here. */
enum { VAR_A = VSG_ISA_FIRST_VARIABLE, VAR_B, VAR_C, VAR_D, VAR_END };
/* VAR_A as UQ, VAR_D as F. */
enum { VAR_A_UQ = VAR_END, VAR_D_F };
/* The places of scalar operands; VAR_SCALARS + type has them as that type. */
enum { VAR_PLACES = VAR_D_F + 1, VAR_SCALARS };
/* The surface variable of the kernel. */
enum { SURFACE_T6 = VSG_ISA_NUM_SURFACES };
/* Its sampler variable, and the entry that it names. */
enum { SAMPLER_S0 = 0, MACHINE_SAMPLER = 5 };

typedef struct machine {
    vsg_base_alloc alloc;
    vsg_obj_module *module;
    vsg_obj_unit *unit;
    vsg_exe_program *program;
    vsg_exe_thread thread;
    vsg_exe_launch launch;
    vsg_exe_group group;
    uint8_t pages[MACHINE_PAGES];
    uint8_t *space;
    uint8_t *memory; /* first allocated byte */
    uint8_t *slm;
    vsg_exe_offer offers[2]; /* of the thread and its partner (DPASW) */
    visage_platform platform;
    uint32_t execution_mask, predicate, cr0, r0; /* r0.0 */
    uint32_t num_elements;                       /* of each variable */
    bool float_first;   /* an addition in F goes before, so that %cr0 acts on the host */
    bool is_not_judged; /* the verifier refuses it: the engine is tested beyond the rules */
    bool is_shared;     /* another machine has the same memory: no other forms are run */
    uint8_t scalars[MACHINE_SCALARS * 16];
    int32_t address_offsets[MACHINE_SCALARS]; /* A0(i) plus this is place i */
    uint64_t random;
    uint8_t registers[VAR_END - VAR_A][MACHINE_REGISTERS]; /* before and after a run */
    vsg_obj_inst inst;                                     /* the one to be run */
    vsg_obj_operand operands[MACHINE_OPERANDS];
    uint32_t list_length;
} machine;

/* A machine whose memory, SLM and registers are filled with different bytes. */
machine *machine_new(visage_platform platform);
void machine_free(machine *m);

/* Starts a new instruction: every operand null, 0 or 0:ud, but for one element of plain data.
 */
void machine_op(machine *m, visage_op op, uint32_t exec_size);
void set_number(machine *m, const char *name, uint64_t value);
void set_raw(machine *m, const char *name, uint32_t variable, uint32_t offset_bytes);
/* An element of a variable as <0;1,0>. */
void set_scalar(machine *m, const char *name, uint32_t variable, uint32_t element);
/* Row and column of an element of `bytes` bytes. */
void set_place(const machine *m, vsg_obj_operand *operand, uint32_t element, uint32_t bytes);
void set_immediate(machine *m, const char *name, visage_type type, uint64_t value);
void set_surface(machine *m, uint32_t surface);
void set_sampler(machine *m, uint32_t sampler);
/* Entry i of a list that ends the operands: appends one. */
void add_raw(machine *m, uint32_t variable, uint32_t offset_bytes);
/* Predicate P1, of 32 elements. */
void set_predicate(machine *m, uint32_t bits);

/* LSC: the fields most messages share; flat a64 addresses in VAR_A. */
void lsc_op(machine *m, visage_op op, uint32_t exec_size, uint32_t data_size,
            uint32_t num_elements);

/* Makes a program of the instruction. */
visage_status machine_build(machine *m);
/* Builds, runs, and fetches the registers; then runs other forms of the same instruction, which
 * must do the same (machine_forms.h). */
vsg_exe_stop machine_run(machine *m);
vsg_exe_stop machine_run_once(machine *m);

/* Device address of byte `offset` of the allocated memory. */
uint64_t machine_at(const machine *m, uint64_t offset);

/* Elements of a variable's registers, `index` counted in elements of their size. */
void put8(machine *m, uint32_t variable, uint32_t index, uint8_t value);
void put16(machine *m, uint32_t variable, uint32_t index, uint16_t value);
void put32(machine *m, uint32_t variable, uint32_t index, uint32_t value);
void put64(machine *m, uint32_t variable, uint32_t index, uint64_t value);
uint8_t get8(const machine *m, uint32_t variable, uint32_t index);
uint16_t get16(const machine *m, uint32_t variable, uint32_t index);
uint32_t get32(const machine *m, uint32_t variable, uint32_t index);
uint64_t get64(const machine *m, uint32_t variable, uint32_t index);

/* Little-endian numbers at any place of any bytes. */
uint64_t peek(const uint8_t *bytes, uint32_t size);
void poke(uint8_t *bytes, uint32_t size, uint64_t value);

/* What the registers hold before a run. */
uint8_t register_fill(uint32_t variable, uint32_t byte);

/* Checks that the registers of a variable hold their fill from `begin` to `end`. */
void assert_untouched(const machine *m, uint32_t variable, uint32_t begin, uint32_t end);
void assert_fault(const machine *m, vsg_base_diag diag, int32_t channel, uint64_t address,
                  uint32_t size_bytes);

#endif
