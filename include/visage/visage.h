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
    const char *code; /* stable, such as "P0007": letter by stage, R P V L X A, and a number; ""
                         of a note that only belongs to what stands before it */
    visage_severity severity;
    const char *message;     /* one line, no full stop; lives as long as the list */
    const char *file;        /* name given when reading; NULL where there is none */
    uint32_t line;           /* from 1; 0: no text position */
    uint32_t column;         /* from 1, in bytes */
    uint32_t end_column;     /* first column after what is meant */
    const char *source_line; /* the line's text, or of a binary what the instruction prints as;
                                NULL where unknown */
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
/* Bytes of shared local memory, and work-items, that a work-group has at most. */
VISAGE_API uint32_t visage_platform_slm_bytes(visage_platform platform);
VISAGE_API uint32_t visage_platform_max_group(visage_platform platform);

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

/* As text writes it ("ud", "hf" ...), NULL for an unknown value. */
VISAGE_API const char *visage_type_name(visage_type type);

/* ---- the instruction table -------------------------------------------------------------- */

typedef struct visage_isa_entry {
    const char *mnemonic; /* as in text, without suffixes */
    uint8_t opcode;
    int32_t sub_opcode;    /* -1: the opcode has none */
    const char *group;     /* "arith", "flow", "lsc" ... */
    const char *operands;  /* encoding order, one name each, blanks between */
    const char *types;     /* type letters, blanks between; "" where types play no part */
    const char *type_maps; /* "UD D from UD D; F from F HF (xe-hp dg2 pvc)": types that go
                              together, with platforms where they are not all; "(undocumented)"
                              what the compiler writes and the page does not have */
    const char *flags;     /* "pred sat mod ..." */
    const char *platforms; /* names, blanks between; "" where only later devices have it */
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
    bool recover; /* of a vISA binary with errors: what there is of it, see below */
    bool skip_bad_instructions; /* of texts with errors in instructions alone: the rest */
} visage_module_options;

/* Reads one object: vISA text, a vISA binary or a zebin, told apart by content.
 *
 * name         for diagnostics; copied.
 * data         borrowed; `size_bytes` bytes.
 * options      borrowed, may be NULL.
 * diagnostics  appended to; may be NULL.
 * out          returns owned, free with visage_module_destroy(); NULL unless OK, but see
 *              recover.
 *
 * Returns MALFORMED, SYNTAX, INVALID, UNSUPPORTED (a newer version), ARGUMENT, NO_MEMORY. A
 * binary whose instructions its writer has cut short is read, with a warning: its tables can be
 * looked at, nothing of it runs.
 *
 * recover: a vISA binary that is MALFORMED or INVALID gives a module all the same, together
 * with that status, as soon as its version could be read. Each kernel and function has what
 * stands before the first error that ended it: its tables so far and, for
 * visage_module_print(), the complete instructions. visage_module_info and visage_stored_info
 * say what is broken. The module can be looked at and printed; it is not verified, linked,
 * written or run: that returns INVALID or UNSUPPORTED.
 *
 * skip_bad_instructions: a text or zebin all of whose errors are in lines of instructions gives
 * a module without those, together with SYNTAX. visage_verify() tells what is wrong with the
 * rest of it, leaving out the rules of control flow where instructions are missing, and returns
 * INVALID; like what was recovered it is not linked, written or run. What a module can hold and
 * a rule forbids (V0303, V0307, V0401, V0402) is then left to visage_verify(), and where
 * nothing else is wrong the result is OK. */
VISAGE_API VISAGE_NODISCARD visage_status visage_module_read_memory(
    visage_context *context, const char *name, const void *data, size_t size_bytes,
    const visage_module_options *options, visage_diagnostics *diagnostics, visage_module **out);
/* The same from a file; also returns IO. */
VISAGE_API VISAGE_NODISCARD visage_status visage_module_read_file(
    visage_context *context, const char *path, const visage_module_options *options,
    visage_diagnostics *diagnostics, visage_module **out);
VISAGE_API void visage_module_destroy(visage_module **module);

typedef struct visage_module_info {
    const char *form;         /* "text", "binary", "zebin"; "made" by a builder or the linker */
    visage_platform platform; /* NONE where the file does not say */
    uint32_t version_major, version_minor; /* of the vISA text */
    size_t num_kernels;
    size_t num_functions;
    const char *layout;        /* of a binary, "doc" or "igc"; else NULL */
    bool is_broken;            /* read in spite of errors */
    bool header_is_broken;     /* there may be more kernels and functions */
    uint64_t header_broken_at; /* where header_is_broken, byte of the file */
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
    uint32_t required_local[3];  /* 0: any */
    uint32_t required_sub_group; /* channels that the source asks for; 0: any */
    uint32_t local_hint[3];      /* work_group_size_hint of the source; 0: none */
    const char *vector_hint;     /* vec_type_hint of the source; NULL: none */
    size_t num_variables, num_addresses, num_predicates, num_labels, num_samplers, num_surfaces,
        num_inputs, num_attributes;
    size_t num_instructions; /* labels count, LOC and FILE do not; where only the operations
                                are left (visage_stored_info), those */
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
    const char *shape;   /* of an image, as visage_image_options has it; NULL: not known */
    /* As the compiler tells them, where it does: "__global"; "float4*"; "const restrict",
     * "NONE"; "__read_only", "NONE". Else NULL. */
    const char *address_qualifier, *type_name, *type_qualifiers, *access_qualifier;
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
    visage_diagnostics *diagnostics; /* what text cannot say: a warning where constants and
                                        global data are left out, an error for each instruction
                                        a part of which has no text; borrowed, may be NULL */
} visage_print_options;

/* Prints a module as vISA text: all its kernels and functions, in the order and the spelling of
 * the compiler's listings. Names that text cannot have, or that mean two things where scopes
 * were, are replaced; what was read from the printed text prints the same again, but for the
 * comments that tell the original names of labels.
 *
 * module   borrowed.
 * options  borrowed, may be NULL.
 * write    gets whole lines, in pieces of some 64 KiB; `user` is passed to it.
 *
 * Returns ARGUMENT, NO_MEMORY, IO, INVALID (there were such errors; all else is printed). */
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

/* What only a file has of a kernel or function: where it lies in a binary, what goes with it.
 */
typedef struct visage_stored_info {
    uint64_t offset_bytes, size_bytes; /* of the object in its file; 0, 0: none */
    /* Instructions that the compiler's writer has damaged: what it did, such as "cut short",
     * and what helps. NULL: they are whole. Of damaged ones only the operations are known.
     * "broken": read with `recover`, see broken_at. */
    const char *damage, *damage_help;
    size_t num_strings, string_bytes; /* of the pool, without the null string, with NULs */
    size_t num_vmes;                  /* VME variables */
    size_t num_gen_binaries, num_variable_relocations, num_function_relocations;
    uint8_t input_grfs, return_grfs; /* of a function, where its attributes do not say it */
    bool is_broken;                  /* the damage is "broken" */
    bool is_cut_off;                 /* where is_broken: nothing behind broken_at was read */
    uint64_t broken_at;              /* where is_broken: byte of the file with the error */
} visage_stored_info;

typedef struct visage_gen_binary_info {
    uint8_t code;             /* gen_platform as it stands in the file */
    visage_platform platform; /* NONE: none of ours */
    uint64_t offset_bytes;    /* in the file */
    const void *data;         /* borrowed from the module */
    size_t size_bytes;
} visage_gen_binary_info;

typedef struct visage_relocation_info {
    uint16_t symbolic_index, resolved_index;
} visage_relocation_info;

/* As visage_module_get_kernel(). of_functions: the second table. */
VISAGE_API VISAGE_NODISCARD visage_status visage_module_get_stored(const visage_module *module,
                                                                   size_t unit,
                                                                   visage_stored_info *out);
VISAGE_API VISAGE_NODISCARD visage_status visage_module_get_gen_binary(
    const visage_module *module, size_t unit, size_t index, visage_gen_binary_info *out);
VISAGE_API VISAGE_NODISCARD visage_status
visage_module_get_relocation(const visage_module *module, size_t unit, bool of_functions,
                             size_t index, visage_relocation_info *out);

typedef struct visage_strip_options {
    size_t struct_size;
    bool gen_binaries; /* the bytes of GEN binaries; what platform they are for stays */
    bool debug;        /* LOC and FILE, OutputAsmPath, strings that nothing names then */
} visage_strip_options;

/* Takes from a module what its instructions do not need, for visage_module_write() or
 * visage_module_print(). Numbers of instructions change; nothing may have been made of the
 * module before.
 *
 * module   changed.
 * options  borrowed; NULL: all of it.
 *
 * Returns UNSUPPORTED (a zebin), ARGUMENT, NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status
visage_module_strip(visage_module *module, const visage_strip_options *options);

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
    const char *reader_code; /* what readers, or with another severity the reader of texts
                                alone, report in its place; NULL: nothing */
    uint32_t platforms;      /* where it holds: bit n for visage_platform n */
    const char *source;      /* document and section, or page of an instruction */
    const char *sentence;
} visage_rule;

/* The rules, ordered by code. Strings are static. get: ARGUMENT for a wrong index. */
VISAGE_API size_t visage_rule_count(void);
VISAGE_API VISAGE_NODISCARD visage_status visage_rule_get(size_t index, visage_rule *out);

/* What a diagnostic that is no rule's says, whoever reports it. */
typedef struct visage_code {
    const char *code; /* "P0022" */
    visage_severity severity;
    const char *message; /* with a printf conversion for each thing found */
    const char *source;  /* document or page it comes from, NULL where it is ours */
} visage_code;

/* The codes of all diagnostics but the rules'. Strings are static. get: ARGUMENT for a wrong
 * index. */
VISAGE_API size_t visage_code_count(void);
VISAGE_API VISAGE_NODISCARD visage_status visage_code_get(size_t index, visage_code *out);

/* ---- linking ---------------------------------------------------------------------------- */

typedef struct visage_link_options {
    size_t struct_size;
    const char *name; /* of the linked module, for diagnostics; NULL: "linked" */
    bool gc;          /* leave out functions and file-scope variables that no kernel reaches */
    bool partial;     /* what is not defined may come from a later link */
    visage_write_fn
        map; /* gets lines of text that say who defines and who uses what; or NULL */
    void *map_user;
} visage_link_options;

/* Links modules of any form to one. Linkage has C's meaning (3_execution_model, Concepts): a
 * static name is its module's own, a global one is defined once, an extern declaration refers
 * to it. Calls find functions by name, or through relocations where a binary has some. A zebin
 * finds its own functions and variables first; others find them where nothing else has the
 * name.
 *
 * modules      array of `num_modules`, 1 or more; zebins, and modules with a .ze_info beside
 *              them, are kept: what they say of kernels and their constants stays there.
 * options      borrowed, may be NULL.
 * diagnostics  appended to; may be NULL.
 * out          returns owned, free with visage_module_destroy(); NULL unless OK.
 *
 * Returns UNRESOLVED (names without a definition), INVALID (two definitions of a name, sizes or
 * types that differ, different platforms), ARGUMENT, NO_MEMORY, IO (map refused). */
VISAGE_API VISAGE_NODISCARD visage_status visage_link(
    visage_context *context, const visage_module *const *modules, size_t num_modules,
    const visage_link_options *options, visage_diagnostics *diagnostics, visage_module **out);

#ifdef __cplusplus
}
#endif

/* The rest of the interface, a header a subject; whoever includes this one has them all. */
#include "record.h"
#include "run.h"

#endif
