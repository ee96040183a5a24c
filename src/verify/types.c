/* SPDX-License-Identifier: MIT
 *
 * Operand types, their mixing, modifiers, saturation. */
#include "verify/check.h"

void vsg_ver_check_types(vsg_ver_state *state)
{
    (void)state;
}
