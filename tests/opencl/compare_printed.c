/* SPDX-License-Identifier: MIT */
#include "compare_printed.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

FILE *printed_divert(int *saved)
{
    FILE *file = tmpfile();

    (void)fflush(stdout);
    *saved = dup(STDOUT_FILENO);
    if (file && *saved >= 0 && dup2(fileno(file), STDOUT_FILENO) >= 0)
        return file;
    if (file)
        (void)fclose(file);
    if (*saved >= 0)
        (void)close(*saved);
    return NULL;
}

bool printed_return(FILE *file, int saved, printed *out)
{
    bool good = fflush(stdout) == 0 && dup2(saved, STDOUT_FILENO) >= 0;

    (void)close(saved);
    rewind(file);
    out->length = fread(out->text, 1, sizeof out->text, file);
    good &= out->length < sizeof out->text && !ferror(file);
    (void)fclose(file);
    return good;
}

bool printed_take(void *user, const void *data, size_t size_bytes)
{
    printed *p = user;

    if (size_bytes > sizeof p->text - p->length)
        return false;
    memcpy(p->text + p->length, data, size_bytes);
    p->length += size_bytes;
    return true;
}

typedef struct line {
    const char *text;
    size_t length;
} line;

static int by_text(const void *left, const void *right)
{
    const line *a = left, *b = right;
    size_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->text, b->text, shorter);

    return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* The lines in alphabetical order; malloc'd. */
static line *sort_lines(const printed *p, size_t *count)
{
    line *lines = malloc((p->length + 1) * sizeof *lines);

    *count = 0;
    for (size_t at = 0; lines && at < p->length; ++*count) {
        const char *end = memchr(p->text + at, '\n', p->length - at);
        size_t length = end ? (size_t)(end - p->text) + 1 - at : p->length - at;
        lines[*count] = (line){p->text + at, length};
        at += length;
    }
    if (lines)
        qsort(lines, *count, sizeof *lines, by_text);
    return lines;
}

static bool compare_lines(const line *a, size_t num_a, const line *b, size_t num_b)
{
    for (size_t i = 0; i < num_a || i < num_b; i++) {
        line left = i < num_a ? a[i] : (line){"", 0}, right = i < num_b ? b[i] : (line){"", 0};
        if (by_text(&left, &right) == 0)
            continue;
        printf("# printed line %zu of %zu and %zu: expected \"%.*s\", got \"%.*s\"\n", i, num_a,
               num_b, (int)left.length, left.text, (int)right.length, right.text);
        return false;
    }
    return true;
}

bool printed_compare(const printed *reference, const printed *ours)
{
    size_t num_reference, num_ours;
    line *a = sort_lines(reference, &num_reference), *b = sort_lines(ours, &num_ours);
    bool same = a && b && compare_lines(a, num_reference, b, num_ours);

    free(a);
    free(b);
    return same;
}
