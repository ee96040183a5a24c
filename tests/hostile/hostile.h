/* SPDX-License-Identifier: MIT
 *
 * What hostile inputs cost: the memory that visage asks for, and its work. Work is counted, not
 * timed: the basic blocks that run, and the bytes that the functions of string.h go over (the
 * programs that include this are linked with an instrumented build of the readers). Include
 * after cmocka.h. */
#ifndef VISAGE_TESTS_HOSTILE_H
#define VISAGE_TESTS_HOSTILE_H

#include "visage/visage.h"

typedef struct hostile_bytes {
    char *data;
    size_t size, capacity;
} hostile_bytes;

void hostile_put(hostile_bytes *out, const void *data, size_t size);
void hostile_text(hostile_bytes *out, const char *text);
/* Puts `text` with each '@' replaced by the number and each '$' by the one before it. */
void hostile_numbered(hostile_bytes *out, const char *text, size_t number);
void hostile_free(hostile_bytes *bytes);

/* An input that may be made as large as one likes. */
typedef struct hostile_case {
    const char *name;
    const char *head, *each, *tail; /* each: as hostile_numbered(), from 1 on */
    /* NULL: head, as many of `each` as `size` has room for, tail. */
    void (*make)(hostile_bytes *out, size_t size);
    visage_status status; /* that reading must give */
    size_t large_bytes;   /* 0: what hostile_check() takes */
} hostile_case;

typedef struct hostile_cost {
    visage_status status;
    char message[256]; /* of the first diagnostic */
    uint64_t work;
    size_t peak_bytes; /* of reading */
} hostile_cost;

/* Reads a module through visage.h, then looks at all that it tells, prints it and writes it in
 * both layouts. info: .ze_info beside the data, NULL: none. */
hostile_cost hostile_read(const hostile_bytes *data, const hostile_bytes *info);

/* What reading may take. */
size_t hostile_most_memory(size_t size);

/* Each case at a small and at a large size: it must end with the case's status and stay below
 * 64 times its size and 16 MiB; the large one must not be more work a byte. is_info: the cases
 * are .ze_info, read beside a small text. Fails when a case does, after all were tried. */
void hostile_check(const hostile_case *cases, size_t count, bool is_info);

#endif
