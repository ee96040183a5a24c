/* SPDX-License-Identifier: MIT
 *
 * LSC messages: cache controls, address and data sizes, vectors, block shapes. */
#include "verify/check.h"

void vsg_ver_check_lsc(vsg_ver_state *state)
{
    (void)state;
}
