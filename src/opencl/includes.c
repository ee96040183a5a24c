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

static void scan(search *s, const char *text, const char *own)
{
    for (const char *at = text; at && !s->failed; at = strchr(at, '\n')) {
        at = skip_blanks(at + (*at == '\n'));
        if (*at == '#')
            scan_directive(s, at, own);
        else if (*at == '%' && at[1] == ':')
            scan_directive(s, at + 1, own);
    }
    if (strstr(text, "__has_include"))
        s->failed = true;
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
