/* SPDX-License-Identifier: MIT */
#include "base/diag.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const vsg_base_diag_row rows[VSG_BASE_DIAG_COUNT] = {
#define DIAG(id, code_, severity_, text_, page_)                                               \
    [VSG_DIAG_##id] = {code_, VISAGE_SEVERITY_##severity_, text_, page_},
#include "base/diag.def"
#undef DIAG
};

struct visage_diagnostics {
    vsg_base_alloc alloc;
    vsg_base_arena arena;
    visage_diagnostic *entries;
    size_t count, capacity;
    size_t errors; /* counts those that found no memory too */
};

const char *vsg_base_diag_code(vsg_base_diag diag)
{
    return rows[diag].code;
}

vsg_base_diag_row vsg_base_diag_facts(vsg_base_diag diag)
{
    return rows[diag];
}

const char *vsg_base_diag_text(vsg_base_diag diag)
{
    return rows[diag].text;
}

visage_diagnostics *vsg_base_diagnostics_new(const vsg_base_alloc *alloc)
{
    visage_diagnostics *list = vsg_base_new(alloc, 1, sizeof *list);
    if (!list)
        return NULL;
    list->alloc = *alloc;
    vsg_base_arena_init(&list->arena, &list->alloc);
    return list;
}

void visage_diagnostics_destroy(visage_diagnostics **diagnostics)
{
    if (!diagnostics || !*diagnostics)
        return;
    visage_diagnostics *list = *diagnostics;
    vsg_base_alloc alloc = list->alloc;
    vsg_base_delete(&alloc, list->entries, list->capacity, sizeof *list->entries);
    vsg_base_arena_free(&list->arena);
    vsg_base_delete(&alloc, list, 1, sizeof *list);
    *diagnostics = NULL;
}

void visage_diagnostics_clear(visage_diagnostics *diagnostics)
{
    if (!diagnostics)
        return;
    vsg_base_arena_free(&diagnostics->arena);
    diagnostics->count = 0;
    diagnostics->errors = 0;
}

size_t visage_diagnostics_count(const visage_diagnostics *diagnostics)
{
    return diagnostics ? diagnostics->count : 0;
}

size_t visage_diagnostics_errors(const visage_diagnostics *diagnostics)
{
    return diagnostics ? diagnostics->errors : 0;
}

size_t vsg_base_errors(const visage_diagnostics *list)
{
    return visage_diagnostics_errors(list);
}

const visage_diagnostic *visage_diagnostics_get(const visage_diagnostics *diagnostics,
                                                size_t index)
{
    if (!diagnostics || index >= diagnostics->count)
        return NULL;
    return &diagnostics->entries[index];
}

/* A copy up to the end of the line, without control characters: what comes from a file must
 * not drive the reader's terminal. */
static const char *copy_line(visage_diagnostics *list, const char *text)
{
    enum { LONGEST = 1000 };

    if (!text)
        return NULL;
    size_t length = strcspn(text, "\r\n");
    if (length > LONGEST)
        length = LONGEST;
    char *copy = vsg_base_arena_text(&list->arena, text, length);
    for (size_t i = 0; copy && i < length; i++) {
        unsigned char c = (unsigned char)copy[i];
        if ((c < ' ' && c != '\t') || c == 0x7f)
            copy[i] = '?';
    }
    return copy;
}

static const char *format_message(visage_diagnostics *list, const char *format, va_list args)
{
    char buffer[2048];
    int length;

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif
    length = vsnprintf(buffer, sizeof buffer, format, args);
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
    if (length < 0)
        return NULL;
    const char *copy = copy_line(list, buffer);
    return copy;
}

void vsg_base_vreport_row(visage_diagnostics *list, const vsg_base_diag_row *facts,
                          const vsg_base_location *where, va_list args)
{
    if (!list)
        return;
    if (facts->severity == VISAGE_SEVERITY_ERROR)
        list->errors++;
    void *entries = list->entries;
    if (!vsg_base_grow(&list->alloc, &entries, list->count, &list->capacity,
                       sizeof *list->entries))
        return;
    list->entries = entries;

    const char *message = format_message(list, facts->text, args);
    list->entries[list->count++] = (visage_diagnostic){
        .code = facts->code,
        .severity = facts->severity,
        .message = message ? message : facts->text,
        .page = facts->page,
        .file = copy_line(list, where->file),
        .line = where->line,
        .column = where->column,
        .end_column = where->end_column,
        .source_line = copy_line(list, where->source_line),
        .has_offset = where->has_offset,
        .offset = where->offset,
        .kernel = copy_line(list, where->kernel),
        .instruction = where->kernel ? where->instruction : -1,
    };
}

void vsg_base_report_row(visage_diagnostics *list, const vsg_base_diag_row *row,
                         const vsg_base_location *where, ...)
{
    va_list args;

    va_start(args, where);
    vsg_base_vreport_row(list, row, where, args);
    va_end(args);
}

void vsg_base_vreport(visage_diagnostics *list, vsg_base_diag diag,
                      const vsg_base_location *where, va_list args)
{
    vsg_base_vreport_row(list, &rows[diag], where, args);
}

void vsg_base_report(visage_diagnostics *list, vsg_base_diag diag,
                     const vsg_base_location *where, ...)
{
    va_list args;

    va_start(args, where);
    vsg_base_vreport(list, diag, where, args);
    va_end(args);
}

/* ---- rendering -------------------------------------------------------------------------- */

typedef struct sink {
    char *buffer;
    size_t size, length; /* length: what it would need */
} sink;

static void put(sink *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++, out->length++)
        if (out->length + 1 < out->size)
            out->buffer[out->length] = text[i];
}

static void put_text(sink *out, const char *text)
{
    put(out, text, strlen(text));
}

static void put_number(sink *out, const char *before, uint64_t number)
{
    char digits[32];
    (void)snprintf(digits, sizeof digits, "%" PRIu64, number);
    put_text(out, before);
    put_text(out, digits);
}

static void put_position(sink *out, const visage_diagnostic *d)
{
    if (d->file)
        put_text(out, d->file);
    if (d->line)
        put_number(out, d->file ? ":" : "line ", d->line);
    if (d->line && d->column)
        put_number(out, ":", d->column);
    if (d->has_offset) {
        char hex[32];
        (void)snprintf(hex, sizeof hex, ":+0x%04" PRIx64, d->offset);
        put_text(out, hex);
    }
    if (d->file || d->line)
        put_text(out, ": ");
    if (d->kernel) {
        put_text(out, "kernel \"");
        put_text(out, d->kernel);
        put_text(out, "\"");
        if (d->instruction >= 0)
            put_number(out, ", instruction ", (uint64_t)d->instruction);
        put_text(out, ": ");
    }
}

/* Blanks under the source line, tabs kept so that the caret stands right. */
static void put_caret(sink *out, const visage_diagnostic *d)
{
    size_t length = strlen(d->source_line);
    if (d->column == 0 || d->column > length + 1)
        return;
    put_text(out, "\n  ");
    for (size_t i = 0; i + 1 < d->column; i++)
        put(out, d->source_line[i] == '\t' ? "\t" : " ", 1);
    put_text(out, "^");
    for (size_t i = d->column + 1; i < d->end_column && i <= length; i++)
        put_text(out, "~");
}

size_t visage_diagnostic_render(const visage_diagnostic *diagnostic, bool colour, char *buffer,
                                size_t size)
{
    static const char *const names[] = {"note", "warning", "error"};
    static const char *const colours[] = {"\033[1;36m", "\033[1;35m", "\033[1;31m"};
    sink out = {buffer, size, 0};

    if (!diagnostic)
        return 0;
    put_position(&out, diagnostic);
    if (colour)
        put_text(&out, colours[diagnostic->severity]);
    put_text(&out, names[diagnostic->severity]);
    put_text(&out, ": ");
    if (colour)
        put_text(&out, "\033[0m");
    put_text(&out, diagnostic->message);
    if (diagnostic->code[0]) {
        put_text(&out, " [");
        put_text(&out, diagnostic->code);
        put_text(&out, "]");
    }
    if (diagnostic->source_line && (diagnostic->line || diagnostic->has_offset)) {
        put_text(&out, "\n  ");
        put_text(&out, diagnostic->source_line);
        put_caret(&out, diagnostic);
    }
    if (size)
        buffer[out.length < size ? out.length : size - 1] = '\0';
    return out.length;
}
