/* SPDX-License-Identifier: MIT
 *
 * Check mode: what the documents leave undefined, found where it happens. Beside a thread's
 * registers, predicates and addresses, beside shared local memory and the device's memory lies
 * a shadow: a set bit is one that nothing has written. A step for every instruction looks at
 * operands and memory first, carries the shadows from sources to results, and executes the
 * instruction by its ordinary handler. docs/check.md says what counts as a use.
 *
 * Nothing here is reached, or allocated, by a launch that is not checked. */
#ifndef VISAGE_EXEC_CHECK_H
#define VISAGE_EXEC_CHECK_H

#include "exec/thread.h"

typedef struct vsg_exe_check vsg_exe_check;
typedef struct vsg_exe_check_thread vsg_exe_check_thread;
typedef struct vsg_exe_step vsg_exe_step;
typedef struct vsg_exe_race vsg_exe_race; /* exec/check_race.h */

/* Checks an instruction, executes it unless that would be undefined for all channels, and
 * brings the shadows up to date. */
typedef void (*vsg_exe_check_fn)(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                 const vsg_exe_step *step);

/* Bytes of the registers that an operand may touch, for a look at all of them at once. */
typedef struct vsg_exe_span {
    uint32_t at, bytes;
} vsg_exe_span;

struct vsg_exe_step {
    vsg_exe_check_fn run;
    uint8_t num_spans;
    uint8_t num_payloads;  /* opaque: spans that are read, behind those that are written */
    bool selects;          /* the predicate chooses between sources */
    bool has_indirect;     /* an operand is found through addresses */
    bool has_others;       /* a source is neither a region nor an immediate */
    bool every;            /* all channels' sources count: a predicate made of a number */
    bool leaves;           /* a direct operand reaches beyond its variable */
    uint16_t alignment;    /* messages: of an address, bytes */
    uint16_t race;         /* messages: number among all of the program, from 1 */
    uint32_t origin;       /* of an address that is taken: its root variable plus 1 */
    uint32_t result_bytes; /* mixed: of the result, where it is more than a region */
    vsg_exe_span spans[VSG_EXE_MAX_SOURCES]; /* of direct sources in the frame */
    uint32_t end[2 + VSG_EXE_MAX_SOURCES];   /* leaves: where the variable of dst, dst2, sources
                                                ends; 0: it holds the whole operand */
    uint32_t id[2 + VSG_EXE_MAX_SOURCES];    /* leaves: the variable */
};

/* A root variable's place in the frame. */
typedef struct vsg_exe_root {
    uint32_t at, end; /* bytes */
    uint32_t id;      /* variable */
} vsg_exe_root;

/* What check mode knows of a unit. */
typedef struct vsg_exe_plan {
    vsg_exe_step *steps; /* as unit->code */
    vsg_exe_root *roots; /* ascending */
    uint32_t num_roots, cap_roots;
} vsg_exe_plan;

/* Something undefined that was done. Which members count depends on `diag`. */
typedef struct vsg_exe_finding {
    vsg_base_diag diag; /* VSG_DIAG_CHECK_* */
    const vsg_exe_unit *unit;
    const vsg_obj_inst *inst;
    uint32_t channels;   /* of the thread; 0: none in particular */
    uint64_t address;    /* device address, byte of SLM, byte of a variable, number */
    uint32_t size_bytes; /* of the access; alignment */
    int64_t limit;       /* size, count, or number expected */
    const char *what;    /* kind of use or of memory: static */
    const char *name;    /* of a variable or function; NULL: none */
    bool is_slm;
    uint16_t race;  /* CHECK_RACE: number of the instruction, as in its step */
    uint64_t other; /* CHECK_RACE: record of the other access (check_race.h) */
} vsg_exe_finding;

/* Takes a finding. Called from several workers at once. */
typedef void (*vsg_exe_finding_fn)(void *user, const vsg_exe_thread *thread,
                                   const vsg_exe_finding *finding);

/* Device memory in which each live thread has a part of its own. */
typedef struct vsg_exe_parts {
    uint64_t address, size_bytes; /* of all of them; size 0: there are none */
    uint64_t part_bytes;          /* thread hw_id has part hw_id */
} vsg_exe_parts;

/* A piece of shared local memory: the kernel's own, or a local argument's. */
typedef struct vsg_exe_slm_piece {
    uint32_t begin, end; /* bytes; */
    int32_t argument;    /* whose it is, -1: the kernel's */
} vsg_exe_slm_piece;

/* One for all threads of a launch. */
struct vsg_exe_check {
    const vsg_exe_plan *plans; /* as program->units */
    uint8_t *shadow;           /* of the device's memory: byte n is that of space.base[n] */
    const uint16_t *tails;     /* of the device's pages: bytes in use of an allocated one */
    vsg_exe_parts scratch, private_memory;
    const vsg_exe_slm_piece *slm_pieces; /* ascending, with room between them; */
    uint32_t num_slm_pieces;
    uint64_t written_bytes; /* of a thread's scratch, from its end: implicit arguments */
    bool is_simt;           /* a channel is a work-item: threads stand for several of them */
    uint64_t serial;        /* of the launch's run; tells remembered ranges from stale ones */
    vsg_exe_race *race;     /* NULL: data races are not looked for */
    vsg_exe_finding_fn report;
    void *user;
};

enum { VSG_EXE_NUM_RANGES = 4 };

/* An allocation, or a thread's part of one: the addresses from low to before high. */
typedef struct vsg_exe_range {
    uint64_t low, high;
} vsg_exe_range;

/* Of one thread. */
struct vsg_exe_check_thread {
    const vsg_exe_check *check;
    uint8_t *registers; /* shadow of the current frame, the layout of vsg_exe_frame */
    uint8_t **frames;   /* by depth */
    size_t *frame_bytes;
    uint32_t num_frames, cap_frames;
    uint64_t group;  /* number */
    uint32_t number; /* of the thread in its group */
    uint64_t serial;
    vsg_exe_range ranges[VSG_EXE_NUM_RANGES];
    uint32_t next_range;
};

/* Works out what to check in every unit. NULL: memory is out. Free with the next. */
vsg_exe_plan *vsg_exe_plan_create(const vsg_exe_program *program);
void vsg_exe_plan_free(const vsg_exe_program *program, vsg_exe_plan **plans);

/* Readies a thread that vsg_exe_thread_start() has started for check mode: all it has is
 * unwritten. False: memory is out. */
VISAGE_NODISCARD bool vsg_exe_check_start(vsg_exe_thread *thread, const vsg_exe_check *check,
                                          uint64_t group, uint32_t number);
/* Inputs have been given to the current frame. */
void vsg_exe_check_input(vsg_exe_thread *thread, uint32_t place, uint32_t size_bytes);
void vsg_exe_check_state(vsg_exe_thread *thread, bool is_sampler, uint32_t place);
/* Of a thread; also where there is none. */
void vsg_exe_check_free(vsg_exe_thread *thread);

/* As vsg_exe_run(). */
vsg_exe_stop vsg_exe_check_run(vsg_exe_thread *thread);

#endif
