/* SPDX-License-Identifier: MIT
 *
 * What a source includes, as far as it decides about the result of a build: which files, and
 * what is in them. Found without running the compiler, so rather too much than too little. */
#ifndef VISAGE_OPENCL_INCLUDES_H
#define VISAGE_OPENCL_INCLUDES_H

#include "opencl/wire.h"

/* Adds to a key every file that `source` may include from the folders (each with a NUL behind
 * it, "" ends), the working folder or one beside the file, whether it is there, and its
 * contents; and so on for what those include. False: that cannot be told, and the result must
 * not be kept. source: ends with a NUL. */
bool vsg_ocl_includes_add(vsg_ocl_wire *key, const char *source, const char *folders);

/* Is it known that a text includes nothing? It ends with a NUL. */
bool vsg_ocl_includes_none(const char *text);

#endif
