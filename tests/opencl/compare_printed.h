/* SPDX-License-Identifier: MIT
 *
 * What kernels print: the reference's, which goes to standard output, against visage's. */
#ifndef VISAGE_TESTS_COMPARE_PRINTED_H
#define VISAGE_TESTS_COMPARE_PRINTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { MOST_PRINTED = 1 << 18 };

typedef struct printed {
    char text[MOST_PRINTED];
    size_t length;
} printed;

/* Sends standard output to a file of its own; NULL: impossible. saved: what it was. */
FILE *printed_divert(int *saved);
/* Sends it back, and reads what there is in the file, which is closed. */
bool printed_return(FILE *file, int saved, printed *out);
/* visage_write_fn; user: a printed. */
bool printed_take(void *user, const void *data, size_t size_bytes);
/* The same lines, whatever their order: work-items have none. Prints the first that differ. */
bool printed_compare(const printed *reference, const printed *ours);

#endif
