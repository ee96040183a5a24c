/* SPDX-License-Identifier: MIT
 *
 * A loop of a channel counts its rounds, for budgets and reports, and mostly has a number of
 * its own that grows by one in each. Then that is the count, too, where the loop is left. */
#ifndef VISAGE_JIT_COUNTS_H
#define VISAGE_JIT_COUNTS_H

#include "jit/series.h"

/* Of a copy of the loop that is entered from `decide`, all of whose rounds are fewer than
 * 2^32, and whose first block is the header's copy still. map: from the loop to its copy. */
void vsg_jit_count_by_number(vsg_jit_hoister *h, const vsg_jit_map *map);

#endif
