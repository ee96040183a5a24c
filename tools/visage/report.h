/* SPDX-License-Identifier: MIT
 *
 * Diagnostics of several files as JSON and as SARIF. */
#ifndef VISAGE_TOOL_REPORT_H
#define VISAGE_TOOL_REPORT_H

#include <jansson.h>

#include "visage/visage.h"

/* Appends what is known of one file to an array: its name, status and diagnostics, each with
 * the notes that follow it. False when memory is out. */
bool report_append_json(json_t *files, const char *file, visage_status status,
                        const visage_diagnostics *diagnostics);

/* Appends the diagnostics of one file to the results of a SARIF run. False when memory is
 * out. */
bool report_append_sarif(json_t *results, const char *file,
                         const visage_diagnostics *diagnostics);

/* A SARIF 2.1.0 log with one run of `results`, whose reference it takes, and all codes
 * that results may have. NULL when memory is out. */
json_t *report_sarif(json_t *results);

/* A diagnostic's message with "..." for each printf conversion; to be freed. NULL when memory
 * is out. */
char *report_pattern(const char *message);

/* All rules of the verifier, as an array. NULL when memory is out. */
json_t *report_rules(void);

#endif
