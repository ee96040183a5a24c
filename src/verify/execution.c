/* SPDX-License-Identifier: MIT
 *
 * What surrounds the operands: execution size, mask, predicate, platform. */
#include <stdio.h>
#include <string.h>

#include "verify/check.h"

static void list_platforms(uint32_t platforms, char *text, size_t size)
{
    size_t length = 0;

    text[0] = '\0';
    for (uint32_t i = 1; i < VISAGE_PLATFORM_COUNT && length < size; i++)
        if (platforms >> i & 1u)
            length += (size_t)snprintf(text + length, size - length, "%s%s", length ? ", " : "",
                                       visage_platform_name(i));
}

static void check_platform(vsg_ver_state *state)
{
    char names[128];

    if (state->platform == VISAGE_PLATFORM_NONE || state->op->on >> state->platform & 1u)
        return;
    list_platforms(state->op->on, names, sizeof names);
    vsg_ver_report(state, VSG_RULE_PLATFORM, state->op->text,
                   visage_platform_name(state->platform), names);
}

void vsg_ver_check_execution(vsg_ver_state *state)
{
    check_platform(state);
}
