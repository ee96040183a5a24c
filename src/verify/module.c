/* SPDX-License-Identifier: MIT
 *
 * The module as a whole: header, names of units, file-scope variables, linkage. */
#include "verify/check.h"

void vsg_ver_check_module(vsg_ver_state *state)
{
    (void)state;
}
