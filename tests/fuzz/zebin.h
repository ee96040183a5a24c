/* SPDX-License-Identifier: MIT
 *
 * What must hold of everything that was read from a zebin or a .ze_info. */
#ifndef VISAGE_TESTS_FUZZ_ZEBIN_H
#define VISAGE_TESTS_FUZZ_ZEBIN_H

#include "container/zebin.h"

/* Texts, data and relocations lie within the file's bytes, names end, lookups find what is
 * listed. A zebin that could not be read is zeroed. */
void fuzz_check_zebin(const vsg_con_zebin *zebin, const uint8_t *data, size_t size);

#endif
