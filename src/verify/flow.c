/* SPDX-License-Identifier: MIT
 *
 * A unit's control flow: labels, subroutines, re-convergence, calls. */
#include "verify/check.h"

void vsg_ver_check_flow(vsg_ver_state *state)
{
    (void)state;
}
