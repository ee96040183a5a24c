/* SPDX-License-Identifier: MIT
 *
 * Diagnostics: what is wrong with an input, as data. Every kind is a row of diag.def; rendering
 * is visage_diagnostic_render(). */
#ifndef VISAGE_BASE_DIAG_H
#define VISAGE_BASE_DIAG_H

#include <stdarg.h>

#include "base/alloc.h"

typedef enum vsg_base_diag {
#define DIAG(id, code, severity, text, page) VSG_DIAG_##id,
#include "base/diag.def"
#undef DIAG
    VSG_BASE_DIAG_COUNT
} vsg_base_diag;

/* A kind of diagnostic, for layers that have a table of their own. */
typedef struct vsg_base_diag_row {
    const char *code;
    visage_severity severity;
    const char *text; /* printf format, as in diag.def */
    const char *page;
} vsg_base_diag_row;

/* Where something is. Strings are borrowed; vsg_base_report() copies what it keeps. */
typedef struct vsg_base_location {
    const char *file;
    uint32_t line, column, end_column; /* 0: none; see visage_diagnostic */
    const char *source_line;           /* ends at '\n' or NUL */
    bool has_offset;
    uint64_t offset;
    const char *kernel;
    int64_t instruction; /* meaningful with kernel; -1: none */
} vsg_base_location;

#define VSG_BASE_NOWHERE ((vsg_base_location){.instruction = -1})

/* Appends a diagnostic; the arguments fill the row's printf format. `list` may be NULL.
 * When memory is out the list counts the error but cannot tell it. */
void vsg_base_report(visage_diagnostics *list, vsg_base_diag diag,
                     const vsg_base_location *where, ...);
void vsg_base_vreport(visage_diagnostics *list, vsg_base_diag diag,
                      const vsg_base_location *where, va_list args);

/* The same for a row of another table, which is borrowed for as long as the list lives. */
void vsg_base_report_row(visage_diagnostics *list, const vsg_base_diag_row *row,
                         const vsg_base_location *where, ...);
void vsg_base_vreport_row(visage_diagnostics *list, const vsg_base_diag_row *row,
                          const vsg_base_location *where, va_list args);

/* How many errors were reported so far; 0 for NULL. */
size_t vsg_base_errors(const visage_diagnostics *list);

visage_diagnostics *vsg_base_diagnostics_new(const vsg_base_alloc *alloc);

/* The row's static facts, for `docs` and tests. */
const char *vsg_base_diag_code(vsg_base_diag diag);
vsg_base_diag_row vsg_base_diag_facts(vsg_base_diag diag);
const char *vsg_base_diag_text(vsg_base_diag diag);

#endif
