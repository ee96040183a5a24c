/* SPDX-License-Identifier: MIT
 *
 * Passes that make a unit of a program, in the order in which they run. */
#ifndef VISAGE_EXEC_LAYOUT_H
#define VISAGE_EXEC_LAYOUT_H

#include "exec/build.h"

/* Registers of storage that %arg and %retval have: the most that 4_visa_header allows
 * input_size and return_value_size. */
enum { VSG_EXE_ARG_GRFS = 32, VSG_EXE_RETVAL_GRFS = 12 };

/* Gives the file-scope variables of the program's module their places in the shared registers.
 */
VISAGE_NODISCARD bool vsg_exe_place_file_variables(vsg_exe_builder *builder);

/* Gives every variable its place: fills variable_at and the unit's *_at and num_* fields but
 * not register_bytes, which decoding may still enlarge. */
VISAGE_NODISCARD bool vsg_exe_layout(vsg_exe_builder *builder);

/* Decodes all instructions into unit->code, with a join behind each divergent backward goto and
 * a sentinel at the end. place_of: instruction number of each object instruction. */
VISAGE_NODISCARD bool vsg_exe_decode_unit(vsg_exe_builder *builder, uint32_t *place_of);

/* Puts in a BARRIER with vsg_exe_do_regroup() where threads that have left a barrier wait for
 * each other once more (regroup.c); corrects place_of. */
VISAGE_NODISCARD bool vsg_exe_add_regroups(vsg_exe_builder *builder, uint32_t *place_of);

/* Resolves labels: targets, wait masks, extents of subroutines. */
VISAGE_NODISCARD bool vsg_exe_connect(vsg_exe_builder *builder, const uint32_t *place_of);

/* Finds the loops of a unit that is connected in which threads may wait for others: its
 * `polling`, and the instructions of short ones. (polls.c) */
void vsg_exe_find_polling(vsg_exe_unit *unit);

/* Completes the sizes: registers with slack, states, wait masks. */
void vsg_exe_finish_frame(vsg_exe_builder *builder);

/* Has a branch its target before itself? */
bool vsg_exe_is_backward(const vsg_obj_unit *unit, const vsg_obj_inst *inst);

#endif
