/* SPDX-License-Identifier: MIT
 *
 * What the fuzz targets share: an allocator that measures, what must hold of every module that
 * a reader has made, and what follows reading: writing, printing, the public interface. A
 * broken rule aborts. The targets run under libFuzzer and, with smoke.c, without it. */
#ifndef VISAGE_TESTS_FUZZ_H
#define VISAGE_TESTS_FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "object/binary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process and says which rule was broken. */
#define must(condition) ((condition) ? (void)0 : fuzz_broken(#condition, __FILE__, __LINE__))
void fuzz_broken(const char *rule, const char *file, int line);

/* What an input may cost: 64 times its size and 16 MiB. */
static inline size_t fuzz_most_memory(size_t size)
{
    return 64 * size + ((size_t)16 << 20);
}

typedef struct fuzz_meter {
    size_t live, peak;
} fuzz_meter;

/* A visage_resize_fn; user: a fuzz_meter. */
void *fuzz_metered(void *user, void *pointer, size_t old_size, size_t new_size);

/* A copy in a block of exactly that size, so that reading past its end is seen; free() it. */
void *fuzz_copy(const uint8_t *data, size_t size);

/* Renders every diagnostic; what the list says of errors must agree with the status. */
void fuzz_check_diagnostics(const visage_diagnostics *diagnostics, visage_status status);

/* Every index names something, every list of operands has the length its form says. is_good:
 * the reader returned OK. */
void fuzz_check_module(const vsg_obj_module *module, bool is_good);

/* Both hold the same instructions and as many of everything else, but for what the writer of
 * the compiler's layout adds. */
void fuzz_check_same(const vsg_obj_module *a, const vsg_obj_module *b);

/* Reads the bytes through visage.h and looks at everything the module tells; prints and writes
 * it. */
void fuzz_public(const void *data, size_t size);
/* The same in spite of errors: what it says is broken is neither written nor legal. */
void fuzz_public_recover(const void *data, size_t size);
/* The same for a small text with these bytes as its .ze_info. */
void fuzz_public_info(const void *info, size_t size);

typedef struct fuzz_text {
    char *data;
    size_t size;
} fuzz_text;

/* Prints the module; the text is whole lines. free() its data. */
fuzz_text fuzz_print(const vsg_obj_module *module, bool no_comments);
/* NULL where the text has errors. */
vsg_obj_module *fuzz_parse(const char *text, size_t size, visage_platform platform);

/* Writes the module in a layout and reads that; NULL where the layout cannot hold it.
 * bytes: what was written; free with vsg_obj_bytes_free(). */
vsg_obj_module *fuzz_through_binary(const vsg_base_alloc *alloc, const vsg_obj_module *module,
                                    vsg_obj_layout layout, vsg_obj_bytes *bytes);

#endif
