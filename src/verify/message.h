/* SPDX-License-Identifier: MIT
 *
 * What the checks of messages share. */
#ifndef VISAGE_VERIFY_MESSAGE_H
#define VISAGE_VERIFY_MESSAGE_H

#include "verify/lsc.h"
#include "verify/types.h"

void vsg_ver_check_atomic(vsg_ver_state *state); /* message_atomic.c */
void vsg_ver_check_sampler(
    vsg_ver_state *state); /* message_sampler.c: sampler, sends, others */
void vsg_ver_check_send(vsg_ver_state *state);

#endif
