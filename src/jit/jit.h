/* SPDX-License-Identifier: MIT
 *
 * The second engine: units of a program as machine code, made by LLVM. Compiled code works on
 * the interpreter's thread and stops where the interpreter would, with everything in its place,
 * so that either engine can go on where the other one stopped. Instructions that are not
 * compiled call their handler; a unit that cannot be compiled at all is left to the
 * interpreter. Source: design section 4. */
#ifndef VISAGE_JIT_JIT_H
#define VISAGE_JIT_JIT_H

#include "exec/thread.h"

typedef struct vsg_jit_program vsg_jit_program;

/* Bytes of the payload that become those of an input. */
typedef struct vsg_jit_piece {
    bool per_thread;
    int8_t axis;     /* of the local ids that they are, 16 bits a channel; -1: they are none */
    uint8_t channel; /* the first of those; */
    int8_t size; /* the dimension of the local size that they begin with, 32 bits each; -1: they
                    are none */
    uint32_t from, place, size_bytes; /* place: in the frame */
} vsg_jit_piece;

/* The number that an element of a surface variable has at first. */
typedef struct vsg_jit_state {
    uint32_t element, value;
} vsg_jit_state;

/* Do threads of several groups take turns (vsg_jit_batch), and are there many? */
typedef enum vsg_jit_turns {
    VSG_JIT_NO_TURNS,
    VSG_JIT_FEW_TURNS,
    VSG_JIT_MANY_TURNS
} vsg_jit_turns;

/* How much is done for code. Long text, which takes seconds to optimise, is to begin soon, and
 * to be quick if it runs for long. */
typedef enum vsg_jit_effort {
    VSG_JIT_EFFORT_BY_LENGTH,
    VSG_JIT_EFFORT_LEAST, /* few run by it */
    VSG_JIT_EFFORT_MOST   /* what is long is optimised as what is shorter */
} vsg_jit_effort;

/* What code is made for. */
typedef struct vsg_jit_request {
    uint32_t unit;
    uint8_t order[3]; /* dimensions of local ids, fastest first */
    uint32_t rows;    /* so many channels, from a multiple of it on, have the first of them in a
                         row, the others the same; 1: nothing is known */
    bool is_partial;  /* threads may begin with any channels on, else with those of `mask` */
    uint32_t mask;    /* from channel 0 on; 0: all of the dispatch */
    uint32_t local[3];    /* work-items of a group, powers of 2, a channel each; 0: nothing is
                             known */
    uint32_t slm_bytes;   /* of a group; 0: nothing is known */
    uint32_t num_threads; /* of a group whose threads meet at barriers; 0: nothing is known */
    bool begins; /* whoever has threads begin them by this code, or none (begins_only) */
    vsg_jit_turns turns;
    bool resumes; /* threads that have stopped go on by this code, and such as begin one by one
                     begin by it. Else they stop in loops where batch->stops says so, unless
                     the unit has calls */
    vsg_jit_effort effort;
    const vsg_jit_piece *pieces; /* of a new thread; the rest of its frame is zeros */
    uint32_t num_pieces;
    const vsg_jit_state *states;
    uint32_t num_states;
    /* of a function: */
    uint32_t simd_size; /* channels of the dispatch */
    uint32_t mode;      /* %cr0 where it begins, or ANY_MODE; 0 in kernels */
} vsg_jit_request;

enum { VSG_JIT_ANY_MODE = INT32_MAX };

/* Flat memory that an access may go to without asking again: `size_bytes` at `base`. Or else
 * what code remembers until the launch ends (loops_choice.c); zeros at first. */
typedef struct vsg_jit_window {
    uint64_t base, size_bytes;
} vsg_jit_window;

/* What a worker's groups have added to numbers of the host's memory that it is still to get. A
 * page has as much of it, from a multiple of that on. */
enum { VSG_JIT_SUM_PAGES = 8, VSG_JIT_SUM_PAGE_BYTES = 4096 };
typedef struct vsg_jit_sums {
    uint64_t marks[VSG_JIT_SUM_PAGES]; /* where a page's memory is, + bytes of a number, 4 or 8;
                                          0: the page is free, and its sums are 0 */
    uint8_t sums[VSG_JIT_SUM_PAGES][VSG_JIT_SUM_PAGE_BYTES];
} vsg_jit_sums;

/* Threads of one group, `next` to `end - 1`, in a row; where they are new and the unit has no
 * barrier, or the code runs groups, then those of `more` groups that follow it along x; where
 * the code begins only, those of `rows` whole rows of groups behind that. */
typedef struct vsg_jit_batch {
    vsg_exe_thread *const *threads; /* by number in the group */
    uint8_t *reasons;               /* by number: vsg_exe_stop; gets those it has run */
    uint32_t next, end;
    uint32_t first;         /* number in the group of the thread with number 0 here */
    uint32_t is_new;        /* they begin; else they go on */
    uint32_t more;          /* becomes the number of groups that have not begun */
    uint32_t rows;          /* becomes the number of rows that have not begun */
    uint32_t row;           /* groups of a row, whose ids: */
    uint32_t first_id[2];   /* the first one along x and y, */
    uint32_t end_y;         /* behind the last one along y: z is another then */
    uint32_t most_beside;   /* groups along x whose threads may take turns with one's */
    uint32_t beside, place; /* 0 before; become, where a thread stops, how many these were, and
                               which of all its group is: those before have run `next`, too */
    uint32_t thread_bytes;  /* of the payload's part of a thread */
    uint32_t mask;          /* channels of new threads, where code is for any; */
    uint32_t last, last_mask; /* of thread `last`, its own */
    const uint8_t *common, *per_thread;
    uint64_t budget;   /* instructions of each thread */
    uint64_t turn;     /* after so many it stops in loops anyway, if the code does not resume */
    uint64_t executed; /* grows by those of threads that ended */
    vsg_jit_window *windows; /* by access */
    vsg_jit_sums *sums;      /* the worker's, where code has some */
    /* Where code goes on at once each time that a thread has used up its budget: is it to stop,
     * having executed `done` instructions, or 0 where the group runs as a whole? polls: in a
     * loop where it may wait for others (vsg_exe_inst). NULL: it is not. */
    bool (*stops)(void *user, uint64_t done, bool polls);
    void *user;
    const struct vsg_jit_calls *calls; /* enter.c; NULL: the unit calls no functions */
} vsg_jit_batch;

/* What code that runs groups returns, beside a vsg_exe_stop, where the group in hand, which has
 * not begun, is to be run thread by thread by the code that resumes. Its shared local memory
 * may have been written. */
enum { VSG_JIT_ONE_BY_ONE = 0x100 };

/* Runs threads until all of the batch have ended or wait at a barrier, and returns RUNNING, or
 * until one stops for another reason, and returns that; the thread is `next` then. */
typedef uint32_t (*vsg_jit_run)(vsg_jit_batch *batch);

/* Code for a unit that begins with all channels of the dispatch on, or with any. */
typedef enum vsg_jit_entry { VSG_JIT_FULL, VSG_JIT_PARTIAL, VSG_JIT_ENTRIES } vsg_jit_entry;

/* What threads of a kernel run by when they are in a unit. */
typedef struct vsg_jit_runner {
    vsg_jit_run run;     /* NULL: none */
    uint32_t windows_at; /* its first one */
} vsg_jit_runner;

typedef struct vsg_jit_runners {
    vsg_jit_runner by[VSG_JIT_ENTRIES]; /* none for any channels: the interpreter */
} vsg_jit_runners;

/* The code of a unit. */
typedef struct vsg_jit_code {
    vsg_jit_run run;  /* NULL: none */
    bool starts;      /* batches may be new: their threads need no cleared frame, and one struct
                         serves all if the unit has no barrier */
    bool begins_only; /* nothing stops a thread that could go on: batches are new, or none */
    bool is_rough; /* that of a request that is the same but for the most effort is quicker */
    bool resumes;  /* threads that stop in loops go on by this code; else by that of a request
                      that is the same but resumes, and whichever they go on by from there */
    bool runs_groups; /* batches are whole groups that have not begun, whether or not is_new
                         says so; threads one by one run by that of a request that is the same
                         but resumes */
    uint32_t num_windows;
    bool has_sums;                  /* batches have room for sums, which memory gets later */
    const vsg_jit_runners *runners; /* by unit, the kernel among them; NULL: it calls none */
    const vsg_exe_clears *clears;   /* by unit */
} vsg_jit_code;

/* Why a unit has no code (reasons.def). */
typedef enum vsg_jit_reason {
#define REASON(id, lasts, text) VSG_JIT_REASON_##id,
#include "jit/reasons.def"
#undef REASON
    VSG_JIT_REASON_COUNT
} vsg_jit_reason;

const char *vsg_jit_reason_text(vsg_jit_reason reason);
/* Is it so whenever the unit is compiled? */
bool vsg_jit_reason_lasts(vsg_jit_reason reason);

/* What became of a unit's instructions. */
typedef struct vsg_jit_stats {
    uint32_t compiled; /* as machine code */
    uint32_t called;   /* by calls of their handlers */
    uint64_t nanoseconds;
    bool starts;           /* vsg_jit_code */
    bool begins_only;      /* vsg_jit_code */
    bool resumes;          /* vsg_jit_code */
    bool runs_groups;      /* vsg_jit_code */
    bool has_sums;         /* vsg_jit_code */
    uint32_t num_windows;  /* vsg_jit_code */
    vsg_exe_clears clears; /* of a new frame */
    bool is_cached;        /* taken from the cache */
    vsg_jit_reason reason; /* why there is no code; NONE: there is */
    bool is_in_work;       /* NOT_YET: it is being made */
    uint64_t cost;         /* NOT_YET: about what that takes, in nanoseconds */
    /* of a kernel, whose numbers above are those of functions, too: */
    uint32_t num_functions, num_left; /* that it may call; that are the interpreter's */
    vsg_jit_reason left;              /* why the last of these is */
} vsg_jit_stats;

typedef struct vsg_jit_options {
    visage_cpu level; /* not DEFAULT; one that the host executes, unless nothing is run */
    bool no_cache;
    bool tells_tools; /* perf and gdb are told of the code */
    bool is_quick;    /* compiled with the least effort */
} vsg_jit_options;

/* Was the engine built in? LLVM itself is looked for when the first unit is compiled. */
bool vsg_jit_available(void);

/* The level that $VISAGE_CPU asks for where `asked` is DEFAULT. False: it names none, or the
 * host does not execute it. */
bool vsg_jit_choose_level(visage_cpu asked, visage_cpu *out);

/* Readies the compiler for a program, which must outlive it. options: copied. NULL: memory is
 * out, or the engine was not built in. */
vsg_jit_program *vsg_jit_create(const vsg_base_alloc *alloc, const vsg_exe_program *program,
                                const vsg_jit_options *options);
/* Waits for what is being compiled. */
void vsg_jit_free(vsg_jit_program **jit);

/* Runs a batch, as vsg_jit_run does. One whose threads are new: `threads` have been started
 * once for the launch (vsg_exe_thread_start()), with what their group shares in their shared
 * registers. The host's floating-point unit is left as the code has set it; who computes
 * something himself keeps its state (vsg_exe_host_save()) around all that he runs. */
uint32_t vsg_jit_enter(const vsg_jit_code *code, vsg_jit_batch *batch);

/* The code for a request, taken from the cache or compiled when it is first asked for; it is
 * for threads that begin with all channels of the unit on. No `run`: the unit is one for the
 * interpreter. request: borrowed. Safe from several threads at once, which compile different
 * units side by side. stats: may be NULL. */
vsg_jit_code vsg_jit_find(vsg_jit_program *jit, const vsg_jit_request *request,
                          vsg_jit_stats *stats);

/* The same without waiting: no `run` also while there is no code yet. Code is taken from the
 * cache; else a thread begins to make it as soon as doing without, with what that has taken so
 * far and the time that is ahead of it now, costs half of what compiling does; with the most
 * effort, as much.
 *
 * spent, ahead  nanoseconds; those spent since the last call add up. */
vsg_jit_code vsg_jit_try(vsg_jit_program *jit, const vsg_jit_request *request, uint64_t spent,
                         uint64_t ahead, vsg_jit_stats *stats);

/* ---- code to look at --------------------------------------------------------------------- */

typedef enum vsg_jit_form { VSG_JIT_OBJECT, VSG_JIT_ASSEMBLY, VSG_JIT_IR } vsg_jit_form;

/* What the code says of where it comes from, as lines of debug information. */
typedef enum vsg_jit_lines {
    VSG_JIT_NO_LINES,
    VSG_JIT_INST_LINES,  /* line n: instruction n - 1 of the unit */
    VSG_JIT_SOURCE_LINES /* lines of the vISA text, where there is one */
} vsg_jit_lines;

typedef struct vsg_jit_bytes {
    uint8_t *data; /* owned, free with vsg_base_delete(alloc, data, size, 1) */
    size_t size;
} vsg_jit_bytes;

typedef struct vsg_jit_sight {
    uint32_t unit;
    visage_cpu level;
    vsg_jit_form form;
    vsg_jit_lines lines;
} vsg_jit_sight;

/* Compiles a unit for whoever wants to see it. *out: empty where it returns NO_MEMORY or
 * UNSUPPORTED (stats->reason says why). */
VISAGE_NODISCARD visage_status vsg_jit_show(const vsg_base_alloc *alloc,
                                            const vsg_exe_program *program,
                                            const vsg_jit_sight *sight, vsg_jit_stats *stats,
                                            vsg_jit_bytes *out);

#endif
