/* SPDX-License-Identifier: MIT
 *
 * Makes a text smaller as long as it stays what it is. */
#ifndef VISAGE_TESTS_SMITH_REDUCE_H
#define VISAGE_TESTS_SMITH_REDUCE_H

#include <stdbool.h>

#include "text.h"

typedef bool (*smith_keeps)(void *user, const char *text);

/* text: replaced by a smaller one for which keeps() is true, as it must be for the first. Lines
 * are left out, from halves of all of them down to one; then operands become simpler, masks and
 * execution sizes smaller; both until nothing helps. */
void smith_reduce(smith_text *text, smith_keeps keeps, void *user);

#endif
