/* SPDX-License-Identifier: MIT
 *
 * All other messages: data port, atomics, media, sampler, render target. */
#include "verify/check.h"

void vsg_ver_check_message(vsg_ver_state *state)
{
    (void)state;
}
