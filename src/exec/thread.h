/* SPDX-License-Identifier: MIT
 *
 * One hardware thread: registers, masks, calls, modes; and what it shares with its group and
 * its launch. Source: design section 3; 3_execution_model. */
#ifndef VISAGE_EXEC_THREAD_H
#define VISAGE_EXEC_THREAD_H

#include <stdatomic.h>

#include "exec/memory.h"
#include "exec/program.h"

/* Shared by all threads of a launch; nothing but `cancel` changes while it runs. */
typedef struct vsg_exe_launch {
    const vsg_exe_program *program;
    vsg_exe_space space;
    const vsg_exe_state *states; /* by handle, surfaces before samplers */
    uint32_t num_states;
    const struct vsg_exe_outputs *outputs; /* outputs.h; NULL: nothing is attached */
    vsg_exe_bounds bounds;
    atomic_int *cancel; /* not 0: stop soon */
    /* Last, since they are large and almost empty: they are not cleared as the others are. */
    vsg_exe_surface surfaces[VSG_EXE_NUM_SURFACES]; /* by binding-table index */
    vsg_exe_sampler samplers[VSG_EXE_NUM_SAMPLERS]; /* by sampler index */
} vsg_exe_launch;

/* A barrier whose arrival and waiting are apart: named barriers, split barriers. */
typedef struct vsg_exe_meeting {
    uint32_t arrived;              /* threads */
    uint32_t producers, consumers; /* among them; a thread may be both */
    uint32_t phase;                /* counts completions */
} vsg_exe_meeting;

enum { VSG_EXE_NUM_NAMED = 32 };

/* What a thread gave its partner for the two latest DPASW instructions; those of odd and even
 * number take turns, since neither thread can be two ahead of the other. */
enum { VSG_EXE_OFFER_BYTES = 128 };
typedef struct vsg_exe_offer {
    uint32_t count;
    uint8_t data[2][VSG_EXE_OFFER_BYTES];
} vsg_exe_offer;

/* Shared by the threads of a group, which all run on one worker. The runtime clears it at the
 * start of a group. A thread that stops with STOP_NAMED or STOP_SPLIT executes its wait again
 * when it is run again; the group is stuck when every thread left stops so, and no `phase` has
 * changed since. */
typedef struct vsg_exe_group {
    uint8_t *slm;
    uint8_t *slm_shadow; /* of check mode */
    uint32_t slm_bytes;
    uint32_t id[3];
    uint32_t num_threads;
    vsg_exe_meeting named[VSG_EXE_NUM_NAMED];
    vsg_exe_meeting split;
    vsg_exe_offer *offers; /* by thread; NULL where the program has no DPASW */
} vsg_exe_group;

/* Why vsg_exe_run() came back. */
typedef enum vsg_exe_stop {
    VSG_EXE_RUNNING = 0,
    VSG_EXE_STOP_END,     /* the thread is done */
    VSG_EXE_STOP_BARRIER, /* waits for all threads of its group */
    VSG_EXE_STOP_NAMED,   /* waits at a named barrier */
    VSG_EXE_STOP_SPLIT,   /* waits at a split barrier */
    VSG_EXE_STOP_YIELD,   /* another thread may run */
    VSG_EXE_STOP_FAULT,   /* thread->fault says what */
    VSG_EXE_STOP_BUDGET,  /* thread->budget is used up */
    VSG_EXE_STOP_FRAME,   /* in another unit now, whose engine may be another one */
    VSG_EXE_STOP_MEMORY   /* a frame could not be allocated */
} vsg_exe_stop;

/* What went wrong; the runtime turns it into a diagnostic. */
typedef struct vsg_exe_fault {
    vsg_base_diag diag; /* VSG_DIAG_FAULT_* */
    const vsg_obj_inst *inst;
    const vsg_exe_unit *unit;
    int32_t channel; /* -1: none */
    uint64_t address;
    uint32_t size_bytes;
    uint32_t limit;   /* depth, SLM size, surface: by diag */
    const char *text; /* FAULT_MESSAGE: static */
} vsg_exe_fault;

/* One invocation of a kernel or function. */
typedef struct vsg_exe_frame {
    const vsg_exe_unit *unit;
    uint8_t *registers; /* start of the frame's memory */
    uint32_t *addresses, *predicates, *surfaces, *samplers, *waits;
    size_t bytes;       /* allocated */
    const void *runner; /* of an engine: its code for the invocation; NULL: not chosen */
} vsg_exe_frame;

/* What is cleared of the general variables of a new frame; what is behind them always is. */
enum { VSG_EXE_MOST_CLEARS = 6, VSG_EXE_CLEAR_ALL = UINT8_MAX };
typedef struct vsg_exe_clear {
    uint32_t at, bytes;
} vsg_exe_clear;
typedef struct vsg_exe_clears {
    uint32_t num; /* or CLEAR_ALL */
    vsg_exe_clear ranges[VSG_EXE_MOST_CLEARS];
} vsg_exe_clears;

/* What a return restores. */
typedef struct vsg_exe_call {
    uint32_t return_pc;
    uint32_t execution_mask, call_mask;
    uint8_t return_grfs; /* of %retval */
    bool is_function;    /* a frame of its own */
} vsg_exe_call;

enum { VSG_EXE_MAX_CALLS = 4096, VSG_EXE_MAX_FRAMES_BYTES = 256 << 20 };

/* Bits of %cr0, 4_visa_header. */
enum {
    VSG_EXE_CR0_ALT = 1 << 0,
    VSG_EXE_CR0_ROUNDING_SHIFT = 4,
    VSG_EXE_CR0_DENORM_DF = 1 << 6,
    VSG_EXE_CR0_DENORM_F = 1 << 7,
    VSG_EXE_CR0_DENORM_HF = 1 << 10
};

struct vsg_exe_thread {
    /* the hot part */
    uint8_t *registers;      /* of the current frame */
    uint8_t *shared;         /* registers that invocations share: shared_bytes */
    uint32_t shared_bytes;   /* of the program it runs, at least VSG_EXE_SHARED_BYTES */
    uint32_t execution_mask; /* EM */
    uint32_t call_mask;
    uint32_t pc;
    vsg_exe_stop stop;
    const vsg_exe_inst *code; /* of the current unit */
    vsg_exe_frame *frame;     /* the current one */
    uint32_t *predicates;     /* of the current frame */
    uint32_t rounding;        /* vsg_exe_rounding, from %cr0 */
    uint32_t mode;            /* %cr0 as last read */
    uint64_t budget;          /* instructions left before STOP_BUDGET */
    uint64_t executed;        /* instructions so far */
    const vsg_exe_launch *launch;
    vsg_exe_group *group;
    /* identity */
    uint32_t dispatch_mask;
    uint32_t hw_id;           /* below the number of live threads of the device */
    uint64_t scratch_address; /* device memory of this thread's scratch, 0: none */
    uint32_t scratch_bytes;
    uint32_t named_phase[VSG_EXE_NUM_NAMED]; /* of the group's barriers when it arrived */
    uint32_t split_phase;
    uint32_t number;  /* in the group */
    bool has_offered; /* for the DPASW that it waits at */
    /* calls */
    vsg_exe_frame *frames; /* frames[0] is the kernel's */
    uint32_t num_frames, cap_frames;
    size_t frames_bytes;
    vsg_exe_call *calls;
    uint32_t num_calls, cap_calls;
    bool stops_at_frames;         /* when a function is called or returns: VSG_EXE_STOP_FRAME */
    const vsg_exe_clears *clears; /* by unit, of an engine that wants less; NULL: all */
    const vsg_base_alloc *alloc;
    vsg_exe_fault fault;
    uint32_t host_mode;                 /* of the floating-point unit while the thread runs */
    struct vsg_exe_check_thread *check; /* check mode (exec/check.h); NULL: never yet */
    struct vsg_exe_watch *watch;        /* told of texels (exec/image.h); NULL: nobody is */
};

/* Makes a thread ready for launches of `program`. False when memory is out. */
VISAGE_NODISCARD bool vsg_exe_thread_init(vsg_exe_thread *thread, const vsg_base_alloc *alloc);
void vsg_exe_thread_free(vsg_exe_thread *thread);

/* What element `index` of the predefined surfaces holds at first: a binding-table index. */
uint32_t vsg_exe_predefined_surface(uint32_t index);

/* Starts unit `unit`: zeroed registers, masks from dispatch_mask. launch, group, identity
 * are set by the caller before, inputs and shared registers after. False: memory is out. */
VISAGE_NODISCARD bool vsg_exe_thread_start(vsg_exe_thread *thread, const vsg_exe_launch *launch,
                                           vsg_exe_group *group, uint32_t unit,
                                           uint32_t dispatch_mask);

/* Runs until the thread stops; thread->stop says why, and is cleared on entry. The host's
 * floating-point state is saved on entry and restored on exit. */
vsg_exe_stop vsg_exe_run(vsg_exe_thread *thread);

/* Channels an instruction writes: bit n is its channel n, execution mask, predicate and
 * execution size applied (5_operands, EvaluateChEn). */
uint32_t vsg_exe_channels(const vsg_exe_thread *thread, const vsg_exe_inst *inst);
/* The predicate alone, all ones where there is none: any, all and inverse applied. */
uint32_t vsg_exe_predicate(const vsg_exe_thread *thread, const vsg_exe_inst *inst);

/* Records the first fault of the thread and stops it. */
void vsg_exe_fault_raise(vsg_exe_thread *thread, const vsg_exe_inst *inst, vsg_base_diag diag,
                         int32_t channel, uint64_t address, uint32_t size_bytes);

/* Brings %ce0 and %tsc up to date for an instruction that reads them. */
void vsg_exe_refresh(vsg_exe_thread *thread, const vsg_exe_inst *inst);
/* Reads %cr0 again after it was written. */
void vsg_exe_mode_changed(vsg_exe_thread *thread);

/* Function calls. Is there room for a frame, as far as the limit of all frames goes? */
bool vsg_exe_frame_fits(const vsg_exe_thread *thread, uint32_t unit);
/* False: memory is out. */
VISAGE_NODISCARD bool vsg_exe_push_frame(vsg_exe_thread *thread, uint32_t unit);
void vsg_exe_pop_frame(vsg_exe_thread *thread);

#endif
