/* SPDX-License-Identifier: MIT
 *
 * What check mode found, as JSON. */
#ifndef VISAGE_TOOL_FINDING_H
#define VISAGE_TOOL_FINDING_H

#include <jansson.h>

#include "visage/visage.h"

/* A visage_finding_fn; user: a JSON array, to which an object is appended. */
void finding_append(void *user, const visage_finding *finding);

/* Prints the array, and the errors of the list that are no findings, to stderr. */
void finding_print(const json_t *findings, const visage_diagnostics *diagnostics);

#endif
