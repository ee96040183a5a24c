/* SPDX-License-Identifier: MIT
 *
 * The words with which tables say on which platforms something holds: ALL, GE(x) from x on,
 * LT(x) before x, PLAT(x), joined by |. Only for files that include such a table. */
#ifndef VISAGE_ISA_ON_H
#define VISAGE_ISA_ON_H

#include "visage/visage.h"

#define PLAT(id) (1u << VISAGE_PLATFORM_##id)
#define LT(id)   (PLAT(id) - 2u)
#define ALL      ((1u << VISAGE_PLATFORM_COUNT) - 2u)
#define GE(id)   (ALL & ~LT(id))

#endif
