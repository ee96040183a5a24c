/* SPDX-License-Identifier: MIT
 *
 * The payload: what a thread finds in its input variables when it starts. With .ze_info its
 * bytes are laid out as the compiler expects them in registers, r0, then the thread's local
 * ids, then the part common to all threads; every .input takes its piece. Without, each input
 * of the text is given its value. Source: spec dialect 5.3; the vector corpus, Payload;
 * intel/intel-graphics-compiler, zeinfo.md. */
#ifndef VISAGE_RUNTIME_PAYLOAD_H
#define VISAGE_RUNTIME_PAYLOAD_H

#include "jit/jit.h"
#include "runtime/dispatch.h"
#include "runtime/launch.h"

/* A number for an element of a surface or sampler variable. */
typedef struct vsg_run_state_input {
    bool is_sampler;
    uint32_t place, value;
} vsg_run_state_input;

typedef struct vsg_run_payload {
    uint8_t *common;
    uint32_t common_bytes;
    uint8_t *per_thread; /* thread_bytes for each thread of a group */
    uint32_t thread_bytes;
    vsg_jit_piece *copies; /* to places in the frame */
    uint32_t num_copies;
    vsg_run_state_input *states;
    uint32_t num_states;
    vsg_jit_state *surfaces; /* those of the states that are no samplers' */
    uint32_t num_surfaces;
} vsg_run_payload;

/* What a payload is made from. */
typedef struct vsg_run_payload_maker {
    const visage_launch *launch;
    const vsg_run_dispatch *dispatch;
    const uint32_t *local_at; /* place in shared local memory, one an argument */
    vsg_base_arena *arena;    /* holds the payload */
    visage_diagnostics *diagnostics;
} vsg_run_payload_maker;

/* Are these bytes of the per-thread part local ids of one dimension? axis; channel: of the
 * first of them. Eight ids are an input of a whole register of 32 bytes, the rest of it zeros.
 */
bool vsg_run_payload_ids(const vsg_run_kernel *kernel, uint32_t grf_bytes, uint32_t from,
                         uint32_t size_bytes, uint32_t *axis, uint32_t *channel);

/* Shared local memory of a group. */
typedef struct vsg_run_slm {
    uint32_t bytes;
    const uint32_t *local_at;        /* place of each local argument, one an argument */
    const vsg_exe_slm_piece *pieces; /* where it is checked; */
    uint32_t num_pieces;
} vsg_run_slm;

typedef struct vsg_run_slm_maker {
    const visage_launch *launch;
    bool is_checked; /* local arguments have room between them, so that it is seen who leaves
                        his */
    vsg_base_arena *arena;
    visage_diagnostics *diagnostics;
} vsg_run_slm_maker;

/* Places the local arguments behind the kernel's own shared local memory. local_at: addresses,
 * but for a kernel with .ze_info counted from the end of its own: its text adds that, and the
 * first one it does not even ask for (intel/intel-graphics-compiler,
 * InlineLocalsResolution.cpp; seen in the text of every kernel with local arguments).
 * Returns INVALID when the device has less, NO_MEMORY. */
VISAGE_NODISCARD visage_status vsg_run_slm_layout(const vsg_run_slm_maker *maker,
                                                  vsg_run_slm *out);

/* Returns INVALID (text and .ze_info contradict each other), UNSUPPORTED, NO_MEMORY. */
VISAGE_NODISCARD visage_status vsg_run_payload_make(const vsg_run_payload_maker *maker,
                                                    vsg_run_payload *out);

/* Puts the arguments that are values into a payload that was made with others, of a kernel with
 * .ze_info. Returns what vsg_run_payload_make() does. */
VISAGE_NODISCARD visage_status vsg_run_payload_change(const vsg_run_payload_maker *maker,
                                                      const vsg_run_payload *payload);

/* Binds the arguments' surfaces. `surfaces` has VSG_EXE_NUM_SURFACES zeroed entries. */
VISAGE_NODISCARD visage_status vsg_run_bind_surfaces(const visage_launch *launch,
                                                     visage_diagnostics *diagnostics,
                                                     vsg_exe_surface *surfaces);

/* The arguments' samplers and those of the kernel's source. `samplers` has VSG_EXE_NUM_SAMPLERS
 * zeroed entries. */
VISAGE_NODISCARD visage_status vsg_run_bind_samplers(const visage_launch *launch,
                                                     visage_diagnostics *diagnostics,
                                                     vsg_exe_sampler *samplers);

/* Takes out again what these two have put there. */
void vsg_run_unbind(const visage_launch *launch, vsg_exe_surface *surfaces,
                    vsg_exe_sampler *samplers);

/* Puts the payload of thread `number` of a group into its first frame. */
void vsg_run_payload_load(const vsg_run_payload *payload, uint32_t number,
                          vsg_exe_thread *thread);
/* Tells check mode what that has written. */
void vsg_run_payload_note(const vsg_run_payload *payload, vsg_exe_thread *thread);

/* Fills `to` with one payload argument of .ze_info: its size_bytes (payload_values.c). */
VISAGE_NODISCARD visage_status vsg_run_payload_fill(const vsg_run_payload_maker *maker,
                                                    const vsg_con_payload *entry, uint8_t *to);

/* Bytes of the per-thread part, of which `*at` is where the common part starts behind r0. */
uint32_t vsg_run_thread_bytes(const vsg_run_kernel *kernel, visage_platform platform,
                              uint32_t *common_at);

/* Writes three numbers of size_bytes / 3 each; 4 bytes each where that is no number's size. */
void vsg_run_put_triple(uint8_t *to, uint32_t size_bytes, const uint64_t values[3]);

/* Reports PAYLOAD and returns INVALID. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
visage_status
vsg_run_payload_wrong(const vsg_run_payload_maker *maker, const char *text, ...);

#endif
