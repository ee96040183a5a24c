/* SPDX-License-Identifier: MIT
 *
 * What the check of control flow knows of a unit: its subroutines, where labels stand, who
 * calls whom, and which labels have channels waiting. */
#ifndef VISAGE_VERIFY_FLOW_H
#define VISAGE_VERIFY_FLOW_H

#include "verify/check.h"

#define VSG_VER_NOWHERE UINT32_MAX

typedef struct vsg_ver_place {
    uint32_t inst;       /* VSG_VER_NOWHERE: placed nowhere */
    uint32_t subroutine; /* it belongs to; 0 is the body of the kernel or function */
} vsg_ver_place;

typedef struct vsg_ver_call {
    uint32_t inst, caller, callee;
} vsg_ver_call;

typedef struct vsg_ver_flow {
    vsg_ver_place *labels; /* of the unit, by index */
    uint32_t *starts;      /* instruction of each subroutine, in order; the body's is 0 */
    size_t num_starts, cap_starts;
    vsg_ver_call *calls; /* in order of the callers */
    size_t num_calls, cap_calls;
    /* Of each instruction, the nearest place ahead at which channels may wait while it runs, or
     * VSG_VER_NOWHERE; NULL: no jumps and gotos are here, or memory is out. */
    uint32_t *nearest;
    /* What does something where control comes to this instruction; there as nearest is. */
    uint32_t *real;
    uint32_t current; /* subroutine */
} vsg_ver_flow;

/* False when memory is out; close in any case. */
bool vsg_ver_flow_open(vsg_ver_state *state, vsg_ver_flow *flow);
void vsg_ver_flow_close(vsg_ver_state *state, vsg_ver_flow *flow);

/* A subroutine that starts at an instruction; its number. */
uint32_t vsg_ver_flow_start(vsg_ver_flow *flow, size_t inst);
uint32_t vsg_ver_flow_find(const vsg_ver_flow *flow, size_t inst);

void vsg_ver_flow_call(vsg_ver_state *state, vsg_ver_flow *flow, uint32_t callee,
                       uint32_t inst);
/* Finds where channels wait, once all labels have their places. */
void vsg_ver_flow_wait(vsg_ver_state *state, vsg_ver_flow *flow);
/* Reports a jump over a waiting place. */
void vsg_ver_flow_jump(vsg_ver_state *state, const vsg_ver_flow *flow, uint32_t inst,
                       uint32_t target, const vsg_obj_operand *operand);
/* Reports motion estimation where channels wait. */
void vsg_ver_flow_motion(vsg_ver_state *state, const vsg_ver_flow *flow, uint32_t inst);
/* Nothing is done there: labels, places in source files. */
bool vsg_ver_flow_is_silent(visage_op op);
/* Reports subroutines that call themselves. */
void vsg_ver_flow_recursion(vsg_ver_state *state, const vsg_ver_flow *flow);

#endif
