/* SPDX-License-Identifier: MIT */
#include "api/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- output ------------------------------------------------------------------------------ */

static void put(vsg_api_listing *l, const char *text, size_t size)
{
    while (!l->no_memory && l->capacity - l->size < size) {
        void *grown = l->text;
        size_t was = l->capacity;
        if (!vsg_base_grow_full(l->alloc, &grown, &l->capacity, 1) || l->capacity <= was)
            l->no_memory = true;
        l->text = grown;
    }
    if (l->no_memory)
        return;
    memcpy(l->text + l->size, text, size);
    l->size += size;
}

static void put_text(vsg_api_listing *l, const char *text)
{
    put(l, text, strlen(text));
}

/* Instruction `line - 1` as a comment. */
static void put_inst(vsg_api_listing *l, const char *before, uint32_t line)
{
    const char *text = l->inst && line > 0 ? l->inst(l->user, line - 1) : NULL;
    char number[32];

    if (!text)
        return;
    (void)snprintf(number, sizeof number, "%u: ", (unsigned)line - 1);
    put_text(l, before);
    put_text(l, number);
    put(l, text, strcspn(text, "\n"));
    put_text(l, "\n");
}

void vsg_api_listing_free(vsg_api_listing *listing)
{
    vsg_base_delete(listing->alloc, listing->text, listing->capacity, 1);
    listing->text = NULL;
}

/* ---- input: lines with their end --------------------------------------------------------- */

typedef struct lines {
    const char *at, *end;
} lines;

static bool next_line(lines *from, const char **line, size_t *length)
{
    if (from->at == from->end)
        return false;
    const char *stop = memchr(from->at, '\n', (size_t)(from->end - from->at));
    *line = from->at;
    from->at = stop ? stop + 1 : from->end;
    *length = (size_t)(from->at - *line);
    return true;
}

static bool begins(const char *line, size_t length, const char *with)
{
    size_t wanted = strlen(with);

    return length >= wanted && memcmp(line, with, wanted) == 0;
}

static const char *find(const char *line, size_t length, const char *what)
{
    size_t wanted = strlen(what);

    for (size_t i = 0; i + wanted <= length; i++)
        if (memcmp(line + i, what, wanted) == 0)
            return line + i;
    return NULL;
}

/* ---- assembly ---------------------------------------------------------------------------- */

/* The line of ".loc file line column"; 0 where it is another directive. */
static uint32_t location_of(const char *line, size_t length)
{
    char copy[64];
    unsigned file, number;

    if (!begins(line, length, "\t.loc\t"))
        return 0;
    (void)snprintf(copy, sizeof copy, "%.*s", (int)length, line);
    return sscanf(copy, " .loc %u %u", &file, &number) == 2 ? number : 0;
}

/* Is it there for the debug information's sake? */
static bool is_debug_line(const char *line, size_t length)
{
    return begins(line, length, "\t.loc\t") || begins(line, length, "\t.file\t") ||
           begins(line, length, ".Ltmp") || begins(line, length, ".Lfunc_begin");
}

bool vsg_api_list_assembly(vsg_api_listing *l, const char *text, size_t size)
{
    lines from = {text, text + size};
    const char *line;
    size_t length;
    uint32_t current = 0;
    bool is_dropped = false; /* in a section of debug information */

    while (next_line(&from, &line, &length)) {
        if (begins(line, length, "\t.section\t") || begins(line, length, "\t.text"))
            is_dropped = begins(line, length, "\t.section\t.debug");
        uint32_t number = location_of(line, length);
        if (number != 0 && number != current) {
            current = number;
            put_inst(l, "\t# ", number);
        }
        if (!is_dropped && !is_debug_line(line, length))
            put(l, line, length);
    }
    return !l->no_memory;
}

/* ---- LLVM's language --------------------------------------------------------------------- */

/* By number of a metadata node: the line it stands for, 0: none. */
typedef struct nodes {
    uint32_t *lines;
    size_t count;
} nodes;

static bool is_debug_node(const char *line, size_t length)
{
    return line[0] == '!' &&
           (begins(line, length, "!llvm.dbg.cu") || find(line, length, " !DI") ||
            find(line, length, "\"Dwarf Ver") || find(line, length, "\"Debug Info"));
}

/* !N = !DILocation(line: L, ...); else 0. */
static uint32_t node_of(const char *line, size_t length, size_t *number)
{
    const char *where = line[0] == '!' ? find(line, length, "!DILocation(line: ") : NULL;

    if (!where)
        return 0;
    *number = strtoul(line + 1, NULL, 10);
    return (uint32_t)strtoul(where + strlen("!DILocation(line: "), NULL, 10);
}

static bool find_nodes(const vsg_api_listing *l, const char *text, size_t size, nodes *out)
{
    lines from = {text, text + size};
    const char *line;
    size_t length, number = 0;

    while (next_line(&from, &line, &length))
        if (node_of(line, length, &number) && number >= out->count && number < size)
            out->count = number + 1;
    out->lines = vsg_base_new(l->alloc, out->count + 1, sizeof *out->lines);
    if (!out->lines)
        return false;
    from = (lines){text, text + size};
    while (next_line(&from, &line, &length)) {
        uint32_t found = node_of(line, length, &number);
        if (found && number < out->count)
            out->lines[number] = found;
    }
    return true;
}

/* A line without its ", !dbg !N" or " !dbg !N"; the instruction before it where that changes.
 */
static void put_line(vsg_api_listing *l, const nodes *known, const char *line, size_t length,
                     uint32_t *current)
{
    const char *mark = find(line, length, " !dbg !");
    size_t before;

    if (!mark) {
        put(l, line, length);
        return;
    }
    size_t number = strtoul(mark + strlen(" !dbg !"), NULL, 10);
    uint32_t found = number < known->count ? known->lines[number] : 0;
    if (found && found != *current) {
        *current = found;
        put_inst(l, "  ; ", found);
    }
    before = (size_t)(mark - line);
    if (before > 0 && line[before - 1] == ',')
        before--;
    put(l, line, before);
    mark += strlen(" !dbg !");
    while (mark < line + length && *mark >= '0' && *mark <= '9')
        mark++;
    put(l, mark, (size_t)(line + length - mark));
}

bool vsg_api_list_llvm(vsg_api_listing *l, const char *text, size_t size)
{
    lines from = {text, text + size};
    nodes known = {0};
    const char *line;
    size_t length;
    uint32_t current = 0;

    if (!find_nodes(l, text, size, &known))
        return false;
    while (next_line(&from, &line, &length))
        if (!is_debug_node(line, length) && !begins(line, length, "!llvm.module.flags"))
            put_line(l, &known, line, length, &current);
    vsg_base_delete(l->alloc, known.lines, known.count + 1, sizeof *known.lines);
    return !l->no_memory;
}
