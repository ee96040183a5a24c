/* SPDX-License-Identifier: MIT
 *
 * libvisage: runs, checks and explains Intel GPU kernels (Intel Virtual ISA, vISA) on the CPU.
 *
 * Life of a program: a context, a module read from text, a binary or a zebin, a device, buffers
 * on it, a program (the module made ready for that device), a launch of one kernel with its
 * arguments.
 *
 * Words used for ownership: *borrows* (until return), *keeps* (the caller keeps it alive),
 * *copies*, *takes*, *returns owned* (with the function that frees it). Every destroy function
 * takes `T **`, accepts NULL and a pointer to NULL, and leaves NULL.
 *
 * Threads: distinct contexts are independent. Objects of one context may be used from several
 * threads if not at the same time, except where a function says otherwise.
 *
 * Option structs start with `struct_size`, set it to sizeof the struct (VISAGE_OPTIONS_INIT
 * does); fields beyond the size given count as zero, and zero always means the default.
 */
#ifndef VISAGE_VISAGE_H
#define VISAGE_VISAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VISAGE_VERSION_MAJOR  0
#define VISAGE_VERSION_MINOR  1
#define VISAGE_VERSION_PATCH  0
#define VISAGE_VERSION_STRING "0.1.0"

#if defined(VISAGE_BUILDING) && defined(__GNUC__)
#define VISAGE_API __attribute__((visibility("default")))
#else
#define VISAGE_API
#endif

#if defined(__GNUC__)
#define VISAGE_NODISCARD __attribute__((warn_unused_result))
#else
#define VISAGE_NODISCARD
#endif

/* The version of the library that is linked, as "major.minor.patch". */
VISAGE_API const char *visage_version(void);

/* ---- status ----------------------------------------------------------------------------- */

typedef enum visage_status {
    VISAGE_OK = 0,
    VISAGE_ARGUMENT,    /* the caller broke the contract: NULL, wrong index, wrong size */
    VISAGE_NO_MEMORY,   /* an allocation failed or a limit of the machine was reached */
    VISAGE_IO,          /* a file could not be read or written */
    VISAGE_MALFORMED,   /* the input breaks its container's structure: ELF, YAML, binary */
    VISAGE_UNSUPPORTED, /* well-formed, but not something this version can do */
    VISAGE_SYNTAX,      /* the text has errors; every one is in the diagnostics */
    VISAGE_INVALID,     /* the object or the launch breaks a rule */
    VISAGE_UNRESOLVED,  /* a name is not defined anywhere */
    VISAGE_FAULT,       /* the kernel did something the machine refuses */
    VISAGE_CANCELLED    /* stopped by timeout, budget or visage_launch_cancel() */
} visage_status;

/* The status as a lower-case word, never NULL. */
VISAGE_API const char *visage_status_name(visage_status status);

/* ---- context ---------------------------------------------------------------------------- */

typedef struct visage_context visage_context;

/* Resizes a block as realloc() does: `pointer` NULL allocates, `new_size` 0 frees and returns
 * NULL. Sizes in bytes; `old_size` is what the block was allocated with. Must be callable from
 * several threads at once. */
typedef void *(*visage_resize_fn)(void *user, void *pointer, size_t old_size, size_t new_size);

typedef struct visage_context_options {
    size_t struct_size;
    visage_resize_fn resize; /* NULL: realloc() and free() */
    void *user;              /* passed to resize */
} visage_context_options;

#define VISAGE_OPTIONS_INIT(type)                                                              \
    {                                                                                          \
        .struct_size = sizeof(type)                                                            \
    }

/* Makes a context. options: borrowed, may be NULL. out: returns owned, free with
 * visage_context_destroy() after everything made from it. Returns ARGUMENT, NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status
visage_context_create(const visage_context_options *options, visage_context **out);
VISAGE_API void visage_context_destroy(visage_context **context);

/* ---- diagnostics ------------------------------------------------------------------------ */

/* A list of what was found wrong with an input. The caller owns it; functions append to it. */
typedef struct visage_diagnostics visage_diagnostics;

typedef enum visage_severity {
    VISAGE_SEVERITY_NOTE,
    VISAGE_SEVERITY_WARNING,
    VISAGE_SEVERITY_ERROR
} visage_severity;

typedef struct visage_diagnostic {
    const char *code; /* stable, such as "P0007": letter by stage, R P C L X, and a number */
    visage_severity severity;
    const char *message;     /* one line, no full stop; lives as long as the list */
    const char *file;        /* name given when reading; NULL where there is none */
    uint32_t line;           /* from 1; 0: no text position */
    uint32_t column;         /* from 1, in bytes */
    uint32_t end_column;     /* first column after what is meant */
    const char *source_line; /* the line's text, NULL where unknown */
    bool has_offset;
    uint64_t offset;     /* bytes from the start of the file, where has_offset */
    const char *kernel;  /* kernel or function, NULL where none */
    int64_t instruction; /* number within the kernel as the listing counts; -1: none */
    const char *page;    /* document or page the rule comes from, NULL where none */
} visage_diagnostic;

/* Makes an empty list. out: returns owned. Returns ARGUMENT, NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status visage_diagnostics_create(visage_context *context,
                                                                    visage_diagnostics **out);
VISAGE_API void visage_diagnostics_destroy(visage_diagnostics **diagnostics);
VISAGE_API size_t visage_diagnostics_count(const visage_diagnostics *diagnostics);
/* How many have severity error. */
VISAGE_API size_t visage_diagnostics_errors(const visage_diagnostics *diagnostics);
/* Entry `index`, NULL when there is none; borrowed from the list. */
VISAGE_API const visage_diagnostic *
visage_diagnostics_get(const visage_diagnostics *diagnostics, size_t index);
VISAGE_API void visage_diagnostics_clear(visage_diagnostics *diagnostics);
/* Renders one diagnostic as the tool shows it (position, severity, message, code, and the
 * source line with a caret), NUL-terminated, cut to `size` bytes. colour: with ANSI colours.
 * Returns the length it needs without the NUL, as snprintf() does. */
VISAGE_API size_t visage_diagnostic_render(const visage_diagnostic *diagnostic, bool colour,
                                           char *buffer, size_t size);

/* ---- platforms -------------------------------------------------------------------------- */

typedef enum visage_platform {
    VISAGE_PLATFORM_NONE = 0, /* unknown: take it from the file */
    VISAGE_PLATFORM_SKL,
    VISAGE_PLATFORM_ICLLP,
    VISAGE_PLATFORM_TGLLP,
    VISAGE_PLATFORM_XEHP,
    VISAGE_PLATFORM_DG2,
    VISAGE_PLATFORM_PVC,
    VISAGE_PLATFORM_COUNT
} visage_platform;

/* Name as the tool writes it ("skl", "xe-hp" ...), NULL for an unknown value. */
VISAGE_API const char *visage_platform_name(visage_platform platform);
/* Platform of a name or documented alias, any case; NONE where there is none. */
VISAGE_API visage_platform visage_platform_find(const char *name);
/* Bytes of one general register (GRF): 32 or 64. */
VISAGE_API uint32_t visage_platform_grf_bytes(visage_platform platform);

/* ---- types ------------------------------------------------------------------------------ */

/* Binary encoding of the documents (4_visa_header, var_info); BF is the dialect's 15. */
typedef enum visage_type {
    VISAGE_TYPE_UD = 0,
    VISAGE_TYPE_D,
    VISAGE_TYPE_UW,
    VISAGE_TYPE_W,
    VISAGE_TYPE_UB,
    VISAGE_TYPE_B,
    VISAGE_TYPE_DF,
    VISAGE_TYPE_F,
    VISAGE_TYPE_V,
    VISAGE_TYPE_VF,
    VISAGE_TYPE_BOOL,
    VISAGE_TYPE_UQ,
    VISAGE_TYPE_UV,
    VISAGE_TYPE_Q,
    VISAGE_TYPE_HF,
    VISAGE_TYPE_BF,
    VISAGE_TYPE_COUNT
} visage_type;

/* ---- the instruction table -------------------------------------------------------------- */

typedef struct visage_isa_entry {
    const char *mnemonic; /* as in text, without suffixes */
    uint8_t opcode;
    int32_t sub_opcode;    /* -1: the opcode has none */
    const char *group;     /* "arith", "flow", "lsc" ... */
    const char *operands;  /* encoding order, one name each, blanks between */
    const char *types;     /* type letters, blanks between; "" where types play no part */
    const char *flags;     /* "pred sat mod ..." */
    const char *platforms; /* names, blanks between */
    const char *page;      /* page of the vISA documentation, "" where none */
    const char *brief;     /* one line */
    bool runs;             /* the interpreter executes it */
} visage_isa_entry;

/* Rows of the instruction table, sub-operations as rows of their own. */
VISAGE_API size_t visage_isa_count(void);
/* Fills `out` for row `index`; its strings live in `text`, an area of `text_size` bytes (2048
 * always suffices), or are static. Returns ARGUMENT for a wrong index or a small area. */
VISAGE_API VISAGE_NODISCARD visage_status visage_isa_get(size_t index, visage_isa_entry *out,
                                                         char *text, size_t text_size);

/* ---- modules ---------------------------------------------------------------------------- */

/* What an object file holds: kernels and functions, and from a zebin the arguments, constants
 * and the device it was built for. */
typedef struct visage_module visage_module;

typedef struct visage_text {
    const char *name; /* for diagnostics */
    const void *data;
    size_t size_bytes;
} visage_text;

typedef struct visage_module_options {
    size_t struct_size;
    visage_platform platform; /* of a file that does not say; else it must agree, or be NONE */
    const void *info;         /* .ze_info YAML, or a zebin that has one, for a text; borrowed */
    size_t info_size;         /* bytes */
    const char *info_name;    /* for diagnostics */
    const visage_text *texts; /* further texts, whose kernels and functions follow those of the
                                 first; only where that is a text; borrowed */
    size_t num_texts;
} visage_module_options;

/* Reads one object: vISA text, a vISA binary or a zebin, told apart by content.
 *
 * name         for diagnostics; copied.
 * data         borrowed; `size_bytes` bytes.
 * options      borrowed, may be NULL.
 * diagnostics  appended to; may be NULL.
 * out          returns owned, free with visage_module_destroy(); NULL unless OK.
 *
 * Returns MALFORMED, SYNTAX, INVALID, UNSUPPORTED (a newer version), ARGUMENT, NO_MEMORY. A
 * binary whose instructions its writer has cut short is read, with a warning: its tables can be
 * looked at, nothing of it runs. */
VISAGE_API VISAGE_NODISCARD visage_status visage_module_read_memory(
    visage_context *context, const char *name, const void *data, size_t size_bytes,
    const visage_module_options *options, visage_diagnostics *diagnostics, visage_module **out);
/* The same from a file; also returns IO. */
VISAGE_API VISAGE_NODISCARD visage_status visage_module_read_file(
    visage_context *context, const char *path, const visage_module_options *options,
    visage_diagnostics *diagnostics, visage_module **out);
VISAGE_API void visage_module_destroy(visage_module **module);

typedef struct visage_module_info {
    const char *form;                      /* "text", "binary" or "zebin" */
    visage_platform platform;              /* NONE where the file does not say */
    uint32_t version_major, version_minor; /* of the vISA text */
    size_t num_kernels;
    size_t num_functions;
} visage_module_info;

typedef struct visage_kernel_info {
    const char *name;
    bool is_function;
    uint32_t simd_size; /* channels of a thread */
    bool has_info;      /* .ze_info describes it: arguments as in OpenCL */
    size_t num_arguments;
    uint32_t slm_bytes;     /* shared local memory without the local arguments */
    uint32_t private_bytes; /* private and scratch memory of a thread */
    uint32_t barriers;
    uint32_t required_local[3]; /* 0: any */
    size_t num_variables, num_addresses, num_predicates, num_labels, num_samplers, num_surfaces,
        num_inputs, num_attributes;
    size_t num_instructions; /* labels count, LOC and FILE do not */
} visage_kernel_info;

typedef enum visage_argument_kind {
    VISAGE_ARGUMENT_VALUE,  /* by value */
    VISAGE_ARGUMENT_BUFFER, /* global or constant memory */
    VISAGE_ARGUMENT_LOCAL,  /* bytes of shared local memory */
    VISAGE_ARGUMENT_IMAGE,
    VISAGE_ARGUMENT_SAMPLER
} visage_argument_kind;

typedef struct visage_argument_info {
    visage_argument_kind kind;
    uint32_t size_bytes; /* of a value; 0 otherwise */
    const char *name;    /* from the file, NULL where it has none */
    const char *access;  /* "readonly", "writeonly", "readwrite" or NULL */
} visage_argument_info;

typedef struct visage_input_info {
    const char *name;
    uint32_t offset_bytes, size_bytes; /* in the payload */
    bool implicit;
} visage_input_info;

typedef struct visage_attribute_info {
    const char *name;
    bool is_string;
    const char *string; /* where is_string */
    int64_t value;
} visage_attribute_info;

/* All borrow from the module. Indices: kernels first, then functions. ARGUMENT when out of
 * range. Strings live as long as the module. */
VISAGE_API VISAGE_NODISCARD visage_status visage_module_get_info(const visage_module *module,
                                                                 visage_module_info *out);
VISAGE_API VISAGE_NODISCARD visage_status visage_module_get_kernel(const visage_module *module,
                                                                   size_t index,
                                                                   visage_kernel_info *out);
VISAGE_API VISAGE_NODISCARD visage_status visage_module_get_argument(
    const visage_module *module, size_t kernel, size_t index, visage_argument_info *out);
VISAGE_API VISAGE_NODISCARD visage_status visage_module_get_input(const visage_module *module,
                                                                  size_t kernel, size_t index,
                                                                  visage_input_info *out);
VISAGE_API VISAGE_NODISCARD visage_status visage_module_get_attribute(
    const visage_module *module, size_t kernel, size_t index, visage_attribute_info *out);
/* How often kernel `kernel` contains row `isa_index` of the instruction table. */
VISAGE_API size_t visage_module_count_instructions(const visage_module *module, size_t kernel,
                                                   size_t isa_index);

/* Takes a piece of what is written; false stops the writing, which then returns IO. */
typedef bool (*visage_write_fn)(void *user, const void *data, size_t size_bytes);

typedef struct visage_print_options {
    size_t struct_size;
    bool no_comments;    /* without the list of predefined variables and instruction numbers */
    bool all_attributes; /* OutputAsmPath too, which the compiler's listings leave out */
} visage_print_options;

/* Prints a module as vISA text: all its kernels and functions, in the order and the spelling of
 * the compiler's listings. Names that text cannot have, or that mean two things where scopes
 * were, are replaced; what was read from the printed text prints the same again.
 *
 * module   borrowed.
 * options  borrowed, may be NULL.
 * write    gets whole lines, in pieces of some 64 KiB; `user` is passed to it.
 *
 * Returns ARGUMENT, NO_MEMORY, IO. */
VISAGE_API VISAGE_NODISCARD visage_status
visage_module_print(const visage_module *module, const visage_print_options *options,
                    visage_write_fn write, void *user);

typedef enum visage_layout {
    VISAGE_LAYOUT_DEFAULT = 0, /* that of the binary the module was read from, else DOC */
    VISAGE_LAYOUT_DOC,         /* as the documents describe it */
    VISAGE_LAYOUT_IGC          /* as the compiler writes it */
} visage_layout;

typedef struct visage_write_options {
    size_t struct_size;
    visage_layout layout;
} visage_write_options;

/* Writes a module as vISA binary. One that was read from a binary and is written in its layout
 * gives the same bytes.
 *
 * module       borrowed.
 * options      borrowed, may be NULL.
 * diagnostics  appended to; may be NULL.
 * write        gets the bytes in order; `user` is passed to it. Not called unless all of them
 *              could be made.
 *
 * Returns INVALID (what the layout cannot hold, limits of the documents, instructions that were
 * lost), ARGUMENT, NO_MEMORY, IO. */
VISAGE_API VISAGE_NODISCARD visage_status
visage_module_write(const visage_module *module, const visage_write_options *options,
                    visage_diagnostics *diagnostics, visage_write_fn write, void *user);

/* ---- verifying -------------------------------------------------------------------------- */

typedef struct visage_verify_options {
    size_t struct_size;
    visage_platform platform; /* NONE: the module's; rules of single platforms do not hold where
                                 that is not known either */
    bool strict;              /* warn of rules, too, that real compiler output breaks */
    size_t max_errors;        /* stop after so many; 0: report all */
} visage_verify_options;

/* Judges a module by the rules of the documents (docs/rules.md): reports everything that is
 * wrong with it, each with the code of its rule ("V0310") and notes that follow it.
 *
 * module       borrowed.
 * options      borrowed, may be NULL.
 * diagnostics  appended to; may be NULL.
 *
 * Returns OK, INVALID (there were errors), ARGUMENT, NO_MEMORY. Takes time linear in the
 * module. */
VISAGE_API VISAGE_NODISCARD visage_status visage_verify(const visage_module *module,
                                                        const visage_verify_options *options,
                                                        visage_diagnostics *diagnostics);

typedef struct visage_rule {
    const char *code;        /* "V0310" */
    const char *severity;    /* "error", "strict" (a warning when asked for) or "reader" (no
                                module can break it, reading fails) */
    const char *reader_code; /* what a reader reports, NULL where it is none of theirs */
    uint32_t platforms;      /* where it holds: bit n for visage_platform n */
    const char *source;      /* document and section, or page of an instruction */
    const char *sentence;
} visage_rule;

/* The rules, ordered by code. Strings are static. get: ARGUMENT for a wrong index. */
VISAGE_API size_t visage_rule_count(void);
VISAGE_API VISAGE_NODISCARD visage_status visage_rule_get(size_t index, visage_rule *out);

/* ---- devices and buffers ---------------------------------------------------------------- */

typedef struct visage_device visage_device;
typedef struct visage_buffer visage_buffer;

typedef struct visage_device_options {
    size_t struct_size;
    visage_platform platform; /* required */
    uint32_t jobs;            /* worker threads; 0: one a core */
    uint64_t memory_bytes;    /* address space reserved for buffers; 0: 64 GiB */
    uint32_t slm_bytes;       /* shared local memory of a group; 0: what the platform has */
} visage_device_options;

/* Makes a device: an address space and worker threads. out: returns owned, free with
 * visage_device_destroy() after its buffers, programs and launches. */
VISAGE_API VISAGE_NODISCARD visage_status visage_device_create(
    visage_context *context, const visage_device_options *options, visage_device **out);
VISAGE_API void visage_device_destroy(visage_device **device);
VISAGE_API uint32_t visage_device_jobs(const visage_device *device);

/* A buffer of `size_bytes` (1 or more) zero bytes, 4 KiB aligned. A device address is also a
 * host address. Safe from several threads. Returns ARGUMENT, NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status visage_buffer_create(visage_device *device,
                                                               size_t size_bytes,
                                                               visage_buffer **out);
VISAGE_API void visage_buffer_destroy(visage_buffer **buffer);
VISAGE_API void *visage_buffer_data(visage_buffer *buffer);
VISAGE_API size_t visage_buffer_size(const visage_buffer *buffer);
VISAGE_API uint64_t visage_buffer_address(const visage_buffer *buffer);

/* ---- programs and launches -------------------------------------------------------------- */

typedef struct visage_program visage_program;
typedef struct visage_launch visage_launch;

/* Makes a module ready to run on a device: constants placed, labels and calls resolved,
 * operands decoded. keeps: the device and the module. Returns INVALID, UNRESOLVED,
 * UNSUPPORTED (an instruction that cannot be run, named), NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status visage_program_create(visage_device *device,
                                                                const visage_module *module,
                                                                visage_diagnostics *diagnostics,
                                                                visage_program **out);
VISAGE_API void visage_program_destroy(visage_program **program);

/* Prepares a launch of kernel `name`; NULL takes the only kernel there is. Reusable: arguments
 * stay set. keeps: the program. Returns UNRESOLVED with a diagnostic that lists the kernels. */
VISAGE_API VISAGE_NODISCARD visage_status visage_launch_create(visage_program *program,
                                                               const char *name,
                                                               visage_diagnostics *diagnostics,
                                                               visage_launch **out);
VISAGE_API void visage_launch_destroy(visage_launch **launch);

/* Index of the launch's kernel in its module. */
VISAGE_API size_t visage_launch_kernel(const visage_launch *launch);

/* Set argument `index` (from 0). Value: copies; `size_bytes` must be the argument's. Buffer:
 * keeps; NULL is the null pointer; `offset_bytes` within it. Local: bytes of shared local
 * memory, 1 or more. Each returns INVALID with a diagnostic for a wrong index, kind or size. */
VISAGE_API VISAGE_NODISCARD visage_status
visage_launch_set_value(visage_launch *launch, size_t index, const void *value,
                        size_t size_bytes, visage_diagnostics *diagnostics);
VISAGE_API VISAGE_NODISCARD visage_status
visage_launch_set_buffer(visage_launch *launch, size_t index, visage_buffer *buffer,
                         size_t offset_bytes, visage_diagnostics *diagnostics);
VISAGE_API VISAGE_NODISCARD visage_status visage_launch_set_local(
    visage_launch *launch, size_t index, size_t size_bytes, visage_diagnostics *diagnostics);

/* A linear image. format: as "R32G32B32A32_FLOAT", "R8_UINT"; sizes in texels, depth 1 for 2-D;
 * rows tightly packed in `buffer`, which is kept. */
VISAGE_API VISAGE_NODISCARD visage_status visage_launch_set_image(
    visage_launch *launch, size_t index, visage_buffer *buffer, const char *format,
    const uint32_t size[3], visage_diagnostics *diagnostics);

/* Sizes [1] and [2] may be 0 and then count as 1; the kernel sees as many dimensions as the
 * last global size that is not 0.
 *
 * A local size that is left out is what the kernel requires, else each dimension in turn gets
 * the largest divisor of its global size with which the group has at most 256 work-items (or
 * what the device allows, if less); x prefers a divisor that is a multiple of simd_size. */
typedef struct visage_range {
    size_t struct_size;
    /* A kernel with .ze_info, or any kernel with a global size: work-items. */
    uint32_t global[3];
    uint32_t local[3];  /* all 0: chosen; must divide global */
    uint64_t offset[3]; /* global offset */
    /* A plain vISA kernel, or one of the vector backend: groups and threads; all 0: one. */
    uint32_t groups[3];
    uint32_t threads[3];
    /* Media thread space; [0] 0: none. */
    uint32_t space[2];
} visage_range;

typedef struct visage_run_options {
    size_t struct_size;
    uint32_t timeout_ms;   /* 0: none */
    uint64_t instructions; /* budget of a thread; 0: none */
    uint32_t jobs;         /* workers for this launch; 0: the device's */
} visage_run_options;

typedef struct visage_run_stats {
    uint64_t groups, threads, instructions;
    uint64_t nanoseconds; /* wall time of the run */
    uint32_t local[3];    /* the local size used */
    uint32_t jobs;
} visage_run_stats;

/* Runs the kernel over the range and waits. Arguments not set are INVALID. Returns FAULT with a
 * diagnostic naming kernel, instruction, group, thread, channel and address (of several faults
 * the one in the lowest group, whatever the number of workers); CANCELLED; INVALID for a range
 * the kernel or the device does not allow; UNSUPPORTED for a payload we cannot supply;
 * NO_MEMORY. options, stats: may be NULL. */
VISAGE_API VISAGE_NODISCARD visage_status visage_launch_run(visage_launch *launch,
                                                            const visage_range *range,
                                                            const visage_run_options *options,
                                                            visage_diagnostics *diagnostics,
                                                            visage_run_stats *stats);

/* Stops a run in progress as soon as its threads notice, from any thread or a signal handler;
 * a launch not running is stopped at its next start. */
VISAGE_API void visage_launch_cancel(visage_launch *launch);

#ifdef __cplusplus
}
#endif

#endif
