/* SPDX-License-Identifier: MIT
 *
 * Intel's offline compiler as a library, libocloc.so. */
#ifndef VISAGE_COMPILER_OCLOC_H
#define VISAGE_COMPILER_OCLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The compiler's interface. Source: intel/compute-runtime, shared/offline_compiler,
 * ocloc_api.h: C functions without a header of their own in Debian's package. */
typedef int (*ocloc_invoke_fn)(uint32_t num_args, const char **args, uint32_t num_sources,
                               const uint8_t **source_data, const uint64_t *source_sizes,
                               const char **source_names, uint32_t num_headers,
                               const uint8_t **header_data, const uint64_t *header_sizes,
                               const char **header_names, uint32_t *num_outputs,
                               uint8_t ***output_data, uint64_t **output_sizes,
                               char ***output_names);
typedef int (*ocloc_free_fn)(uint32_t *num_outputs, uint8_t ***output_data,
                             uint64_t **output_sizes, char ***output_names);

typedef struct ocloc {
    void *library; /* NULL: not loaded yet */
    ocloc_invoke_fn invoke;
    ocloc_free_fn free_output;
} ocloc;

/* Files of a request, as the compiler wants them: an array for each of their parts. */
typedef struct ocloc_files {
    uint32_t count;
    const uint8_t **data;
    uint64_t *sizes;
    const char **names;
    uint8_t **copies; /* of texts, which need a NUL behind them */
} ocloc_files;

typedef struct ocloc_call {
    const char **args; /* the program's name first */
    uint32_t num_args;
    ocloc_files sources, headers;
} ocloc_call;

/* What the compiler gives back. */
typedef struct ocloc_outputs {
    uint32_t count;
    uint8_t **data;
    uint64_t *sizes;
    char **names;
} ocloc_outputs;

/* Loads the library unless that is done; writes why it cannot be into the message. */
bool ocloc_load(ocloc *c, const char *path, char *message, size_t size);

/* Returns the compiler's status, 0: good. Free the outputs with ocloc_free() in any case. */
int ocloc_run(const ocloc *c, const ocloc_call *call, ocloc_outputs *out);
void ocloc_free(const ocloc *c, ocloc_outputs *outputs);

/* The value behind an argument; NULL: there is none. Free nothing. */
const char **ocloc_argument(const ocloc_call *call, const char *name);

#endif
