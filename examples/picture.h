/* SPDX-License-Identifier: MIT
 *
 * Where a sample's picture goes: a PNG file, or the terminal.
 */
#ifndef VISAGE_EXAMPLES_PICTURE_H
#define VISAGE_EXAMPLES_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "sample.h"

/* Writes a PNG file. On failure returns false with the reason in `message`. */
bool picture_write_png(const sample_picture *picture, const char *path, char *message,
                       size_t message_size);

/* Shows the picture on `out` in coloured half blocks if that is a terminal with colours;
 * otherwise does nothing. */
void picture_show(const sample_picture *picture, FILE *out);

#endif
