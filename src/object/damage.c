/* SPDX-License-Identifier: MIT
 *
 * What is wrong with damaged units, in words. Source: spec dialect 0.1. */
#include "object/object.h"

static const struct {
    const char *name, *help;
} damages[] = {
    [VSG_OBJ_DAMAGE_NONE] = {NULL, NULL},
    [VSG_OBJ_DAMAGE_BARE_RETURNS] =
        {"bare returns", "use the text (.visaasm) or a compiler release up to 1.0.12149; this "
                         "is of a release from 1.0.13064 on"},
    [VSG_OBJ_DAMAGE_CUT_SHORT] =
        {"cut short", "use the text (.visaasm) or a compiler release up to 1.0.12149; this is "
                      "of a release from 1.0.12198 to 1.0.12812"},
    [VSG_OBJ_DAMAGE_BROKEN] = {"broken", "use the text (.visaasm) or make the file again"},
};

const char *vsg_obj_damage_name(vsg_obj_damage damage)
{
    return damages[damage].name;
}

const char *vsg_obj_damage_help(vsg_obj_damage damage)
{
    return damages[damage].help;
}
