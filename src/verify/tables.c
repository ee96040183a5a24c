/* SPDX-License-Identifier: MIT
 *
 * The tables of a unit: variables and their aliases, labels, inputs, attributes. */
#include "verify/check.h"

void vsg_ver_check_tables(vsg_ver_state *state)
{
    (void)state;
}
