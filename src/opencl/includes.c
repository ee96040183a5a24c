/* SPDX-License-Identifier: MIT */
#include "opencl/includes.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 4096, MOST_BYTES = 64 << 20 };

typedef struct search {
    vsg_ocl_wire *key;
    const char *folders;
    char (*seen)[PATH_MAX]; /* those looked at or still to be looked at, in order */
    size_t num_seen, cap_seen;
    bool failed;
} search;

/* ---- files ------------------------------------------------------------------------------ */

/* Notes a file that may be included, once. */
static void note(search *s, const char *folder, int length, const char *name,
                 size_t name_length)
{
    char path[PATH_MAX];
    int wanted = length ? snprintf(path, sizeof path, "%.*s/%.*s", length, folder,
                                   (int)name_length, name)
                        : snprintf(path, sizeof path, "%.*s", (int)name_length, name);

    if (wanted < 0 || wanted >= (int)sizeof path)
        return; /* the compiler cannot open it either */
    for (size_t i = 0; i < s->num_seen; i++)
        if (strcmp(s->seen[i], path) == 0)
            return;
    if (s->num_seen == s->cap_seen) {
        size_t capacity = s->cap_seen ? s->cap_seen * 2 : 8;
        char(*grown)[PATH_MAX] =
            capacity > MOST_FILES ? NULL : realloc(s->seen, capacity * sizeof *grown);
        if (!grown) {
            s->failed = true;
            return;
        }
        s->seen = grown;
        s->cap_seen = capacity;
    }
    memcpy(s->seen[s->num_seen++], path, (size_t)wanted + 1);
}

/* ---- what the preprocessor sees --------------------------------------------------------- */

/* Behind the line breaks that a backslash hides, with blanks between the two or none. */
static const char *skip_splices(const char *at)
{
    while (*at == '\\') {
        size_t length = 1 + strspn(at + 1, " \t\v\f\r");
        if (at[length] != '\n')
            break;
        at += length + 1;
    }
    return at;
}

static const char *skip_comment(const char *at, char kind)
{
    while (*at && (kind == '*' || *at != '\n')) {
        char was = *at;
        at = skip_splices(at + 1);
        if (kind == '*' && was == '*' && *at == '/')
            return skip_splices(at + 1);
    }
    return at;
}

/* Without comments, each of which is a blank, and without line breaks that a backslash hides;
 * NULL: memory is out. */
static char *as_preprocessed(const char *text)
{
    char *out = malloc(strlen(text) + 1), *end = out;
    char quote = '\0';

    if (!out)
        return NULL;
    for (const char *at = skip_splices(text); *at;) {
        const char *next = skip_splices(at + 1);
        if (!quote && *at == '/' && (*next == '*' || *next == '/')) {
            at = skip_comment(skip_splices(next + 1), *next);
            *end++ = ' ';
            continue;
        }
        if (*at == '\n' || *at == quote)
            quote = '\0';
        else if (!quote && (*at == '"' || *at == '\''))
            quote = *at;
        else if (quote && *at == '\\' && *next && *next != '\n') {
            *end++ = *at;
            at = next;
            next = skip_splices(at + 1);
        }
        *end++ = *at;
        at = next;
    }
    *end = '\0';
    return out;
}

/* ---- directives ------------------------------------------------------------------------- */

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\v' || *at == '\f')
        at++;
    return at;
}

/* A line that begins with `#`; `own`: the file it stands in, NULL for the source itself. */
static void scan_directive(search *s, const char *at, const char *own)
{
    at = skip_blanks(at + 1);
    if (strncmp(at, "import", 6) == 0 || strncmp(at, "include_next", 12) == 0)
        s->failed = true;
    if (strncmp(at, "include", 7) != 0)
        return;
    at = skip_blanks(at + 7);
    char close = *at == '<' ? '>' : '"';
    size_t length = strcspn(at + (*at != '\0'), close == '>' ? ">\n" : "\"\n");
    if ((*at != '<' && *at != '"') || at[1 + length] != close) {
        s->failed = true; /* a macro says what */
        return;
    }
    at++;
    note(s, "", 0, at, length);
    if (*at == '/')
        return;
    const char *slash = own ? strrchr(own, '/') : NULL;
    if (slash)
        note(s, own, (int)(slash - own), at, length);
    for (const char *folder = s->folders; *folder; folder += strlen(folder) + 1)
        note(s, folder, (int)strlen(folder), at, length);
}

static void scan_lines(search *s, const char *text, const char *own)
{
    for (const char *at = text; at && !s->failed; at = strchr(at, '\n')) {
        at = skip_blanks(at + (*at == '\n'));
        if (*at == '#')
            scan_directive(s, at, own);
        else if (*at == '%' && at[1] == ':')
            scan_directive(s, at + 1, own);
    }
}

static bool has_any(const char *text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

/* Trigraphs, which may end a comment or a line, are left to the compiler; what means something
 * else each time is only told by the compiler, too. */
static void scan(search *s, const char *text, const char *own)
{
    static const char *const trigraphs[] = {"?\?=", "?\?/"};
    static const char *const odd[] = {"__has_include", "__DATE__", "__TIME__", "__TIMESTAMP__"};
    char *plain = as_preprocessed(text);

    s->failed |= !plain || has_any(text, trigraphs, sizeof trigraphs / sizeof *trigraphs) ||
                 has_any(plain, odd, sizeof odd / sizeof *odd);
    if (plain)
        scan_lines(s, plain, own);
    free(plain);
}

/* The file's text, NULL: there is none; free() it. */
static char *read_file(const char *path, bool *failed)
{
    struct stat facts;
    char *text = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (file < 0)
        return NULL;
    if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)) {
        size_t size = (size_t)facts.st_size;
        *failed = size > MOST_BYTES || !(text = calloc(size + 1, 1)) ||
                  read(file, text, size) != (ssize_t)size;
    }
    (void)close(file);
    return text;
}

bool vsg_ocl_includes_add(vsg_ocl_wire *key, const char *source, const char *folders)
{
    search s = {.key = key, .folders = folders};

    scan(&s, source, NULL);
    for (size_t i = 0; i < s.num_seen && !s.failed; i++) {
        char path[PATH_MAX];
        memcpy(path, s.seen[i], sizeof path); /* the list may move */
        char *text = read_file(path, &s.failed);
        vsg_ocl_wire_put_text(key, path);
        vsg_ocl_wire_put_number(key, text != NULL);
        if (text && !s.failed) {
            vsg_ocl_wire_put_text(key, text);
            scan(&s, text, path);
        }
        free(text);
    }
    free(s.seen);
    return !s.failed;
}

bool vsg_ocl_includes_none(const char *text)
{
    search s = {.folders = ""};

    scan(&s, text, NULL);
    free(s.seen);
    return !s.failed && s.num_seen == 0;
}
