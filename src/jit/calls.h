/* SPDX-License-Identifier: MIT
 *
 * What compiled code calls: functions that it knows by their names (calls.def). */
#ifndef VISAGE_JIT_CALLS_H
#define VISAGE_JIT_CALLS_H

#include "jit/jit.h"

typedef void (*vsg_jit_function)(void);

/* The function called `name`; NULL: none that compiled code may call. */
vsg_jit_function vsg_jit_find_function(const char *name);

/* A row (rows.h) as scalars, which stand where its vector is to be: the first lane of each
 * chunk, behind them what each was extended from, if `inner_bits` is not 0. The lanes of a
 * chunk are steps apart, or as vsg_jit_inner has it. Compiled code has lists of them, an entry
 * without lanes at the end. */
typedef struct vsg_jit_scalars {
    uint64_t at; /* in the frame */
    uint64_t lanes, chunk, lane_bytes;
    uint64_t inner_bits, is_signed;
    int64_t step, factor;
} vsg_jit_scalars;

/* The handler of the instruction at a place, with all that vsg_exe_run() does around it, for
 * the channels of an execution mask. Compiled code has many calls of it, most of them never
 * made: what can be done here is not done there. rows: to be made vectors before; NULL: none.
 */
vsg_exe_stop vsg_jit_run_handler(vsg_exe_thread *thread, uint32_t place, uint32_t mask,
                                 const vsg_jit_scalars *rows);

/* The same in code that flushes denormals: the host does so behind it. */
vsg_exe_stop vsg_jit_run_and_flush(vsg_exe_thread *thread, uint32_t place, uint32_t mask,
                                   const vsg_jit_scalars *rows);

/* The handlers of the instructions from a place on up to before another one, until one of them
 * stops the thread. */
vsg_exe_stop vsg_jit_run_handlers(vsg_exe_thread *thread, uint32_t place, uint32_t end,
                                  uint32_t mask, uint32_t flushes);

/* Sets the host to flush denormals, as the threads of a batch then know. */
void vsg_jit_start_flushing(const vsg_jit_batch *batch);

/* Control flow has gone where no channel waits: a fault. */
vsg_exe_stop vsg_jit_lose_flow(vsg_exe_thread *thread, const vsg_exe_inst *inst);

/* Calls a function of the program, which returns or was not called at all (RUNNING: what it
 * gives is in the frame, and batch->budget is what it has left of it), or else stops in it: the
 * caller is to leave its code. count: instructions of the caller so far. (enter.c) */
vsg_exe_stop vsg_jit_call_function(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                   vsg_jit_batch *batch, uint64_t count);

/* Back to where a subroutine was called: the thread has the place and the masks; or to where a
 * function was, with STOP_FRAME; or to its end. */
vsg_exe_stop vsg_jit_return(vsg_exe_thread *thread, const vsg_exe_inst *inst);

/* The allocated memory around accesses of `bytes` at addresses from `first` to `last`:
 * size_bytes is how many places such accesses have in it. Returns 0 where not all of that is
 * allocated. */
uint32_t vsg_jit_find_window(const vsg_exe_thread *thread, vsg_jit_window *window,
                             uint64_t first, uint64_t last, uint32_t bytes);
/* The same around the first of the addresses of `channels`, not 0; returns 0 where those of the
 * others are not in it. */
uint32_t vsg_jit_find_wide_window(const vsg_exe_thread *thread, vsg_jit_window *window,
                                  const uint64_t *addresses, uint32_t channels, uint32_t bytes);

/* What channels move, each for itself (each.c): where, and their elements, as memory has them,
 * element `v` of all channels in elements[v]. */
typedef struct vsg_jit_moved {
    uint64_t addresses[VSG_EXE_MAX_CHANNELS];
    uint8_t elements[4][8 * VSG_EXE_MAX_CHANNELS];
} vsg_jit_moved;

/* Load or store what the message at a place does for `channels`, in flat memory, where the
 * functions below have not done it (TRIED, calls.def). Return why the thread stops,
 * VSG_EXE_RUNNING where it does not. */
vsg_exe_stop vsg_jit_load_flat(vsg_exe_thread *thread, uint32_t place, vsg_jit_window *window,
                               vsg_jit_moved *moved, uint32_t channels);
vsg_exe_stop vsg_jit_store_flat(vsg_exe_thread *thread, uint32_t place, vsg_jit_window *window,
                                vsg_jit_moved *moved, uint32_t channels);
/* The same where addresses are counted from `base`, and less than `limit` (vsg_jit_open_whole).
 * Return 0, with nothing done, where an address is not: that is for the handler. */
uint32_t vsg_jit_load_within(const vsg_exe_thread *thread, uint32_t place, uint8_t *base,
                             uint64_t limit, vsg_jit_moved *moved, uint32_t channels);
uint32_t vsg_jit_store_within(const vsg_exe_thread *thread, uint32_t place, uint8_t *base,
                              uint64_t limit, vsg_jit_moved *moved, uint32_t channels);

/* The same where all is in the window, or below the limit, without vector registers; else
 * VSG_JIT_NOT_DONE, with nothing done (each_quick.c). */
#define VSG_JIT_NOT_DONE UINT32_C(0xffffffff)

uint32_t vsg_jit_load_flat_quickly(vsg_exe_thread *thread, uint32_t place,
                                   vsg_jit_window *window, vsg_jit_moved *moved,
                                   uint32_t channels);
uint32_t vsg_jit_store_flat_quickly(vsg_exe_thread *thread, uint32_t place,
                                    vsg_jit_window *window, vsg_jit_moved *moved,
                                    uint32_t channels);
uint32_t vsg_jit_load_within_quickly(const vsg_exe_thread *thread, uint32_t place,
                                     uint8_t *base, uint64_t limit, vsg_jit_moved *moved,
                                     uint32_t channels);
uint32_t vsg_jit_store_within_quickly(const vsg_exe_thread *thread, uint32_t place,
                                      uint8_t *base, uint64_t limit, vsg_jit_moved *moved,
                                      uint32_t channels);

/* Is the launch to stop, or has the thread had its turn, having executed `done` instructions?
 * polls: not 0: it is in a loop where it may wait for others. Not 0: it is. */
uint32_t vsg_jit_stops(const vsg_jit_batch *batch, uint64_t done, uint32_t polls);

#endif
