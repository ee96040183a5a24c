/* SPDX-License-Identifier: MIT
 *
 * Declarations of every handler and prepare function named in handlers.def. */
#ifndef VISAGE_EXEC_HANDLERS_H
#define VISAGE_EXEC_HANDLERS_H

#include "exec/build.h"
#include "exec/layout.h"
#include "exec/thread.h"

#define HANDLER(op, prepare, handler)                                                          \
    void vsg_exe_do_##handler(vsg_exe_thread *thread, const vsg_exe_inst *inst);
#include "exec/handlers.def"
#undef HANDLER

/* Chosen by vsg_exe_prepare_branch() for gotos to a label before them. */
void vsg_exe_do_goto_backward(vsg_exe_thread *thread, const vsg_exe_inst *inst);

/* Back to where the innermost call was made, or to the thread's end. */
void vsg_exe_return(vsg_exe_thread *thread);

/* Of what vsg_exe_add_regroups() has put in. */
void vsg_exe_do_regroup(vsg_exe_thread *thread, const vsg_exe_inst *inst);

/* Of one that vsg_exe_do_fence() executes: does it order accesses to shared local memory alone,
 * or nothing but the compiler? */
bool vsg_exe_is_local_fence(const vsg_exe_inst *inst);

/* Of the sentinel behind the last instruction of a unit: control flow left the text. */
void vsg_exe_do_past_end(vsg_exe_thread *thread, const vsg_exe_inst *inst);

/* Bytes of the registers that a DPAS has for its result (0) or one of its sources (1 to 3). */
uint32_t vsg_exe_dpas_bytes(const vsg_exe_inst *inst, uint32_t operand);

#define vsg_exe_prepare_none NULL
bool vsg_exe_prepare_label(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out);
bool vsg_exe_prepare_branch(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                            vsg_exe_inst *out);
bool vsg_exe_prepare_fcall(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out);
bool vsg_exe_prepare_ifcall(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                            vsg_exe_inst *out);
bool vsg_exe_prepare_faddr(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out);
bool vsg_exe_prepare_switchjmp(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                               vsg_exe_inst *out);

/* Memory (message.c, message_lsc.c, message_sampler.c). */
bool vsg_exe_prepare_svm_block(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                               vsg_exe_inst *out);
bool vsg_exe_prepare_svm_gather(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                vsg_exe_inst *out);
bool vsg_exe_prepare_svm_gather4(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                 vsg_exe_inst *out);
bool vsg_exe_prepare_svm_atomic(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                vsg_exe_inst *out);
bool vsg_exe_prepare_oword(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out);
bool vsg_exe_prepare_gather(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                            vsg_exe_inst *out);
bool vsg_exe_prepare_gather_scaled(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                   vsg_exe_inst *out);
bool vsg_exe_prepare_gather4_scaled(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                    vsg_exe_inst *out);
bool vsg_exe_prepare_qword(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out);
bool vsg_exe_prepare_dword_atomic(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                  vsg_exe_inst *out);
bool vsg_exe_prepare_media(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out);
bool vsg_exe_prepare_typed(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out);
bool vsg_exe_prepare_typed_atomic(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                  vsg_exe_inst *out);
bool vsg_exe_prepare_lsc_access(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                vsg_exe_inst *out);
bool vsg_exe_prepare_lsc_strided(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                 vsg_exe_inst *out);
bool vsg_exe_prepare_lsc_block2d(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                 vsg_exe_inst *out);
bool vsg_exe_prepare_lsc_status(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                vsg_exe_inst *out);
bool vsg_exe_prepare_lsc_atomic(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                vsg_exe_inst *out);
bool vsg_exe_prepare_lsc_typed(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                               vsg_exe_inst *out);
bool vsg_exe_prepare_lsc_typed_status(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                      vsg_exe_inst *out);
bool vsg_exe_prepare_lsc_typed_block(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                     vsg_exe_inst *out);
bool vsg_exe_prepare_lsc_typed_atomic(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                      vsg_exe_inst *out);
bool vsg_exe_prepare_sampling(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                              vsg_exe_inst *out);
bool vsg_exe_prepare_old_sampling(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                  vsg_exe_inst *out);
bool vsg_exe_prepare_sample_unorm(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                  vsg_exe_inst *out);
bool vsg_exe_prepare_image_info(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                vsg_exe_inst *out);
bool vsg_exe_prepare_raw_send(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                              vsg_exe_inst *out);
bool vsg_exe_prepare_raw_sends(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                               vsg_exe_inst *out);

bool vsg_exe_prepare_lsc_append(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                vsg_exe_inst *out);
bool vsg_exe_prepare_rt_write(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                              vsg_exe_inst *out);
bool vsg_exe_prepare_urb_write(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                               vsg_exe_inst *out);

/* exec_prepare.c, exec_arith.c, exec_float.c, exec_dot.c, exec_dpas.c */
bool vsg_exe_prepare_compute(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                             vsg_exe_inst *out);
bool vsg_exe_prepare_cmp(vsg_exe_builder *builder, const vsg_obj_inst *inst, vsg_exe_inst *out);
bool vsg_exe_prepare_bfn(vsg_exe_builder *builder, const vsg_obj_inst *inst, vsg_exe_inst *out);
bool vsg_exe_prepare_madw(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                          vsg_exe_inst *out);
bool vsg_exe_prepare_fcvt(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                          vsg_exe_inst *out);
bool vsg_exe_prepare_srnd(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                          vsg_exe_inst *out);
bool vsg_exe_prepare_quads(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out);
bool vsg_exe_prepare_line(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                          vsg_exe_inst *out);
bool vsg_exe_prepare_plane(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out);
bool vsg_exe_prepare_lrp(vsg_exe_builder *builder, const vsg_obj_inst *inst, vsg_exe_inst *out);
bool vsg_exe_prepare_pairs(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out);
bool vsg_exe_prepare_dpas(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                          vsg_exe_inst *out);
bool vsg_exe_prepare_dpasw(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out);

#endif
