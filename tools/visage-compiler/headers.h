/* SPDX-License-Identifier: MIT
 *
 * The compiler's own headers as clang keeps them once they are read. They declare all built-in
 * functions, some 25,000, and reading them for each program is most of what the build of a
 * small one takes. What clang makes of them (a precompiled header) is the same for all programs
 * that are built with the same options for the same device, and is made here, when the first of
 * them has been answered, in a process of its own; the cache of compiled programs keeps it.
 *
 * The code is the same with and without, byte for byte, which is tried before it is ever used.
 * Where the compiler is another one that knows nothing of this, the headers are read anew. */
#ifndef VISAGE_COMPILER_HEADERS_H
#define VISAGE_COMPILER_HEADERS_H

#include "ocloc.h"

typedef struct headers_table headers_table;
typedef struct headers headers;

/* All by which headers are read. Borrowed. */
typedef struct headers_wish {
    const char *identity; /* which compiler it is */
    const char *folder;   /* where it runs: clang notes it */
    const char *device, *options, *internal_options;
} headers_wish;

/* NULL: there is no cache, or memory is out. Never freed. */
headers_table *headers_open(void);

/* Looks for headers here and in the cache. Those that are not there yet are returned as well.
 * NULL: none can be. */
headers *headers_find(headers_table *table, const headers_wish *wish);

/* Internal options with which the compiler takes these headers: free() them. macros: names that
 * the program's options define, each with a NUL behind it, "" ends. NULL: they are not there,
 * or a macro means something in them. */
char *headers_options(const headers *h, const char *internal_options, const char *macros);

/* Begins to make headers that are not there. */
void headers_make(headers_table *table, headers *h, const headers_wish *wish, const ocloc *c);

#endif
