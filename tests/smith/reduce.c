/* SPDX-License-Identifier: MIT */
#include "reduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reducer {
    char **lines;
    bool *dropped;
    size_t count;
    smith_keeps keeps;
    void *user;
} reducer;

static void join(const reducer *r, smith_text *out)
{
    for (size_t i = 0; i < r->count; i++)
        if (!r->dropped[i])
            smith_put(out, "%s\n", r->lines[i]);
}

static bool holds(const reducer *r)
{
    smith_text text = {0};

    join(r, &text);
    bool kept = text.data && r->keeps(r->user, text.data);
    smith_text_free(&text);
    return kept;
}

/* ---- lines ------------------------------------------------------------------------------ */

/* What says how to run the text stays. */
static bool may_go(const reducer *r, size_t i)
{
    return !r->dropped[i] && strncmp(r->lines[i], "// ", 3) != 0;
}

/* Leaves out the lines from `from` on, `size` of those that are left. Returns where to go on.
 */
static size_t drop(reducer *r, size_t from, size_t size, bool *changed)
{
    size_t end = from, left = 0;

    for (; end < r->count && left < size; end++)
        left += may_go(r, end);
    bool *before = malloc(r->count * sizeof *before);
    if (!before || left == 0) {
        free(before);
        return r->count;
    }
    memcpy(before, r->dropped, r->count * sizeof *before);
    for (size_t i = from; i < end; i++)
        r->dropped[i] = r->dropped[i] || may_go(r, i);
    if (holds(r))
        *changed = true;
    else
        memcpy(r->dropped, before, r->count * sizeof *before);
    free(before);
    return end;
}

static bool starts_unit(const char *line)
{
    return strncmp(line, ".global_function", 16) == 0 || strncmp(line, ".function", 9) == 0;
}

/* Subroutines, and functions with their declarations. */
static void drop_units(reducer *r, bool *changed)
{
    for (size_t i = 0; i < r->count; i++) {
        if (!starts_unit(r->lines[i]) || r->dropped[i])
            continue;
        bool is_function = r->lines[i][1] == 'g';
        size_t size = 1;
        for (size_t end = i + 1; end < r->count; end++) {
            if (starts_unit(r->lines[end]) && (!is_function || r->lines[end][1] == 'g'))
                break;
            size += may_go(r, end);
        }
        (void)drop(r, i, size, changed);
    }
}

static bool drop_lines(reducer *r)
{
    bool changed = false;

    drop_units(r, &changed);
    for (size_t size = r->count / 2; size > 0; size /= 2)
        for (size_t i = 0; i < r->count;)
            i = drop(r, i, size, &changed);
    return changed;
}

/* ---- within a line ---------------------------------------------------------------------- */

/* Puts `with` in place of the `length` bytes at `at`, and back if that does not hold. */
static bool replace(reducer *r, size_t line, size_t at, size_t length, const char *with)
{
    char *old = r->lines[line];
    size_t with_length = strlen(with);

    if (with_length == length && memcmp(old + at, with, length) == 0)
        return false;
    char *changed = malloc(strlen(old) + with_length + 1);
    if (!changed)
        return false;
    memcpy(changed, old, at);
    memcpy(changed + at, with, with_length);
    (void)strcpy(changed + at + with_length, old + at + length);
    r->lines[line] = changed;
    if (holds(r)) {
        free(old);
        return true;
    }
    r->lines[line] = old;
    free(changed);
    return false;
}

static bool shrink_predicate(reducer *r, size_t line)
{
    const char *text = r->lines[line];
    size_t start = strspn(text, " ");
    const char *end = strchr(text, ')');

    if (text[start] != '(' || !end)
        return false;
    return replace(r, line, start, (size_t)(end + 2 - text) - start, "");
}

static bool shrink_exec(reducer *r, size_t line)
{
    const char *at = strstr(r->lines[line], " (M");
    unsigned mask, size;
    char no_mask[4] = "", with[32];

    if (!at || (sscanf(at, " (M%u, %u)", &mask, &size) != 2 &&
                sscanf(at, " (M%u%3[_NM], %u)", &mask, no_mask, &size) != 3))
        return false;
    size_t start = (size_t)(at - r->lines[line]);
    size_t length = (size_t)(strchr(at, ')') + 1 - at);
    (void)snprintf(with, sizeof with, " (M1%s, %u)", no_mask, size);
    if (mask > 1 && replace(r, line, start, length, with))
        return true;
    (void)snprintf(with, sizeof with, " (M%u%s, %u)", mask, no_mask, size / 2);
    return size > 1 && replace(r, line, start, length, with);
}

/* The type that the declaration of a variable gives it, as ":ud"; NULL: none is found. */
static const char *type_of(const reducer *r, const char *name, size_t length, char type[16])
{
    for (size_t i = 0; i < r->count; i++) {
        const char *line = r->lines[i];
        const char *at = strstr(line, " type=");
        if (r->dropped[i] || !at || strncmp(line, ".decl ", 6) != 0 ||
            strncmp(line + 6, name, length) != 0 || line[6 + length] != ' ')
            continue;
        (void)snprintf(type, 16, ":%.*s", (int)strcspn(at + 6, " "), at + 6);
        return type;
    }
    return NULL;
}

static size_t modifier_length(const char *text)
{
    static const char *const modifiers[] = {"(-)", "(abs)", "(-abs)", "(~)"};

    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
        if (strncmp(text, modifiers[i], strlen(modifiers[i])) == 0)
            return strlen(modifiers[i]);
    return 0;
}

/* A source "V(1,2)<2;4,1>": a number instead, or the first elements in a row, or one. */
static bool shrink_source(reducer *r, size_t line, size_t at, size_t length)
{
    const char *text = r->lines[line] + at;
    size_t modifier = modifier_length(text);
    size_t name = strcspn(text + modifier, "(");
    char with[64], type[16];

    if (memchr(text, '<', length) == NULL || memchr(text, ';', length) == NULL)
        return false;
    if (type_of(r, text + modifier, name, type)) {
        bool is_float = strchr(type, 'f') != NULL;
        (void)snprintf(with, sizeof with, "%s%s", is_float ? "1.0" : "0x1", type);
        if (replace(r, line, at, length, with))
            return true;
    }
    if (modifier && replace(r, line, at, modifier, ""))
        return true;
    if (modifier || text[0] == 'r')
        return false;
    static const char *const simpler[] = {"(0,0)<0;1,0>", "(0,0)<1;1,0>"};
    for (size_t i = 0; i < 2; i++) {
        (void)snprintf(with, sizeof with, "%.*s%s", (int)name, text, simpler[i]);
        if (strncmp(text + name, simpler[i], strlen(simpler[i])) == 0)
            return false;
        if (replace(r, line, at, length, with))
            return true;
    }
    return false;
}

static bool shrink_destination(reducer *r, size_t line, size_t at, size_t length)
{
    const char *text = r->lines[line] + at;
    const char *region = memchr(text, '<', length);
    size_t name = strcspn(text, "(");
    char with[64];

    if (!region || memchr(text, ';', length) || text[0] == '(')
        return false;
    (void)snprintf(with, sizeof with, "%.*s(0,0)<1>", (int)name, text);
    return name < length && text[0] != 'r' && replace(r, line, at, length, with);
}

static bool shrink_number(reducer *r, size_t line, size_t at, size_t length)
{
    const char *text = r->lines[line] + at;
    const char *type = memchr(text, ':', length);
    char with[32];

    if (strncmp(text, "0x", 2) != 0 || !type)
        return false;
    (void)snprintf(with, sizeof with, "0x1%.*s", (int)(length - (size_t)(type - text)), type);
    return strlen(with) < length && replace(r, line, at, length, with);
}

/* Operands, from the last one on: those are words behind the execution size. */
static bool shrink_operands(reducer *r, size_t line)
{
    const char *text = r->lines[line];
    size_t end = strlen(text), start;
    const char *exec = strchr(text, ',');

    if (text[0] != ' ' || !exec)
        return false;
    size_t first = (size_t)(exec - text) + 2;
    for (; end > first; end = start > 0 ? start - 1 : 0) {
        start = end;
        while (start > first && r->lines[line][start - 1] != ' ')
            start--;
        if (start == end)
            continue;
        if (shrink_source(r, line, start, end - start) ||
            shrink_destination(r, line, start, end - start) ||
            shrink_number(r, line, start, end - start))
            return true;
    }
    return false;
}

static bool shrink_line(reducer *r, size_t line)
{
    const char *saturated = strstr(r->lines[line], ".sat");

    if (shrink_predicate(r, line) || shrink_exec(r, line) || shrink_operands(r, line))
        return true;
    return saturated &&
           replace(r, line, (size_t)(saturated - r->lines[line]), strlen(".sat"), "");
}

static bool shrink_lines(reducer *r)
{
    bool changed = false;

    for (size_t i = 0; i < r->count; i++)
        while (may_go(r, i) && shrink_line(r, i))
            changed = true;
    return changed;
}

/* "-g 96 -l 48": one thread, if it is as bad. */
static bool shrink_launch(reducer *r)
{
    for (size_t i = 0; i < r->count; i++) {
        const char *at = strstr(r->lines[i], " -g ");
        unsigned global, local;
        char with[40];
        if (!at || sscanf(at, " -g %u -l %u", &global, &local) != 2)
            continue;
        size_t length = (size_t)(strstr(at, " -a ") - at);
        (void)snprintf(with, sizeof with, " -g %u -l %u", local, local);
        if (global != local && replace(r, i, (size_t)(at - r->lines[i]), length, with))
            return true;
        for (unsigned size = 8; size < local; size *= 2) {
            (void)snprintf(with, sizeof with, " -g %u -l %u", size, size);
            at = strstr(r->lines[i], " -g ");
            if (replace(r, i, (size_t)(at - r->lines[i]), length, with))
                return true;
        }
    }
    return false;
}

/* ---- all of it -------------------------------------------------------------------------- */

static void split(reducer *r, char *text)
{
    size_t lines = 0;

    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    r->lines = calloc(lines + 1, sizeof *r->lines);
    r->dropped = calloc(lines + 1, sizeof *r->dropped);
    for (char *line = strtok(text, "\n"); r->lines && line; line = strtok(NULL, "\n")) {
        r->lines[r->count] = malloc(strlen(line) + 1);
        if (r->lines[r->count])
            (void)strcpy(r->lines[r->count++], line);
    }
}

void smith_reduce(smith_text *text, smith_keeps keeps, void *user)
{
    reducer r = {.keeps = keeps, .user = user};

    split(&r, text->data);
    if (!r.lines || !r.dropped)
        exit(2);
    for (bool changed = true; changed;) {
        changed = drop_lines(&r);
        changed |= shrink_launch(&r);
        changed |= shrink_lines(&r);
    }
    smith_text_free(text);
    join(&r, text);
    for (size_t i = 0; i < r.count; i++)
        free(r.lines[i]);
    free(r.lines);
    free(r.dropped);
}
