/* SPDX-License-Identifier: MIT
 *
 * Taking from a module what its instructions do not need. */
#ifndef VISAGE_OBJECT_STRIP_H
#define VISAGE_OBJECT_STRIP_H

#include "object/object.h"

/* Empties GEN binaries. An entry stays, without bytes, as the compiler leaves one for a kernel
 * it gave up: it says the platform, and with it the size of registers. */
void vsg_obj_strip_gen_binaries(vsg_obj_module *module);

/* Removes LOC and FILE, the attribute OutputAsmPath, and strings of the pools that nothing
 * names then. Units whose instructions are lost stay as they are. False when memory is out. */
VISAGE_NODISCARD bool vsg_obj_strip_debug(vsg_obj_module *module);

#endif
