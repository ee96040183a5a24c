/* SPDX-License-Identifier: MIT
 *
 * Operands, each by its kind: what they name, regions, ranges, raw alignment. */
#include "verify/check.h"

void vsg_ver_check_operands(vsg_ver_state *state)
{
    (void)state;
}
