/* SPDX-License-Identifier: MIT */
#ifndef VISAGE_VERIFY_TABLES_H
#define VISAGE_VERIFY_TABLES_H

#include "verify/check.h"

void vsg_ver_check_inputs(vsg_ver_state *state);     /* inputs.c */
void vsg_ver_check_attributes(vsg_ver_state *state); /* attributes.c */

#endif
