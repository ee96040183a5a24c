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
 * INVALID; like what was recovered it is not linked, written or run. */
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
    uint32_t required_local[3]; /* 0: any */
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

/* ---- looking into a module, and building one -------------------------------------------- */

/* The records below are what a module is made of, one for one. visage_module_get_*() fill them
 * in from a module, visage_builder_add_*() make a module of them; what was got from one module
 * and added to a builder in the same order makes an equal module. Names and numbers are the
 * documents' (4_visa_header, 5_operands). Records are never extended: what comes to be known
 * later gets functions of its own.
 *
 * In records that are got, strings and arrays are borrowed from the module. In records that are
 * added, they are copied. */

typedef enum visage_linkage {
    VISAGE_LINKAGE_EXTERN = 0,
    VISAGE_LINKAGE_STATIC = 1,
    VISAGE_LINKAGE_GLOBAL = 2
} visage_linkage;

/* A kernel or function, beyond visage_kernel_info. */
typedef struct visage_unit {
    const char *name;
    bool is_function;
    bool is_declaration; /* an extern function without object */
    visage_linkage linkage;
} visage_unit;

typedef enum visage_class {
    VISAGE_CLASS_GENERAL = 0,
    VISAGE_CLASS_ADDRESS,
    VISAGE_CLASS_PREDICATE,
    VISAGE_CLASS_SAMPLER,
    VISAGE_CLASS_SURFACE,
    VISAGE_CLASS_LABEL,
    VISAGE_CLASS_UNIT /* the kernel or function itself, for its attributes */
} visage_class;

#define VISAGE_NO_ALIAS UINT32_MAX

typedef enum visage_label_kind {
    VISAGE_LABEL_BLOCK = 0,
    VISAGE_LABEL_SUBROUTINE = 1,
    VISAGE_LABEL_KERNEL = 2 /* another kernel, called by fccall: stands nowhere */
} visage_label_kind;

/* A variable of any class. Identifiers count from 0 for address variables, samplers and labels,
 * from 1 for predicates, from 6 for surfaces (0 to 5 are predefined), from 32 for general
 * variables (0 to 20 are predefined). */
typedef struct visage_variable {
    const char *name;
    const char
        *pool_name; /* samplers, surfaces: name in the string pool; NULL: none of its own */
    uint32_t num_elements;
    /* general variables only: */
    visage_type type;
    uint8_t align;  /* 0 byte, 1 word, 2 dword, 3 qword, 4 oword, 5 GRF, 6 two GRFs,
                       and what the documents have beyond */
    uint32_t alias; /* identifier, or VISAGE_NO_ALIAS */
    uint32_t alias_offset_bytes;
    bool alias_is_file_scope; /* alias is the index of a file-scope variable */
} visage_variable;

typedef struct visage_label {
    const char *name;
    visage_label_kind kind;
    int64_t instruction; /* index of its instruction, -1: placed nowhere; ignored when added */
} visage_label;

typedef struct visage_input {
    visage_class class_; /* GENERAL, SAMPLER or SURFACE */
    uint8_t provenance;  /* 0: a kernel argument, else implicit */
    uint32_t id;
    int32_t offset_bytes; /* in the payload */
    uint32_t size_bytes;
} visage_input;

typedef struct visage_attribute {
    const char *name;
    const char *string; /* NULL: an integer, or a flag */
    int64_t value;
    uint8_t size_bytes; /* in a binary: of the integer 0 (a flag) to 4; of the string */
} visage_attribute;

typedef struct visage_file_variable {
    const char *name;
    visage_linkage linkage;
    visage_type type;
    uint8_t align;
    uint32_t num_elements;
} visage_file_variable;

typedef enum visage_operand_kind {
    VISAGE_OPERAND_GENERAL = 0, /* V32(row,column)<regions> */
    VISAGE_OPERAND_ADDRESS,
    VISAGE_OPERAND_PREDICATE,
    VISAGE_OPERAND_INDIRECT,   /* r[A0(0),16]<regions>:type */
    VISAGE_OPERAND_ADDRESS_OF, /* &V32[16] */
    VISAGE_OPERAND_IMMEDIATE,
    VISAGE_OPERAND_STATE, /* T6(0), S0(0) as a vector operand */
    VISAGE_OPERAND_RAW,   /* V32.0 */
    VISAGE_OPERAND_SURFACE,
    VISAGE_OPERAND_SAMPLER,
    VISAGE_OPERAND_LABEL,
    VISAGE_OPERAND_NAME,
    VISAGE_OPERAND_NUMBER,
    VISAGE_OPERAND_VARIABLE, /* what a lifetime is of; `state` 0 general, 1 address, 2 predicate
                              */
    VISAGE_OPERAND_NONE      /* absent where a list or an option allows it */
} visage_operand_kind;

typedef enum visage_modifier {
    VISAGE_MODIFIER_NONE = 0,
    VISAGE_MODIFIER_ABS = 1,
    VISAGE_MODIFIER_NEG = 2,
    VISAGE_MODIFIER_NEG_ABS = 3,
    VISAGE_MODIFIER_SAT = 4, /* destinations */
    VISAGE_MODIFIER_NOT = 5
} visage_modifier;

/* v_stride of a multi-address operand, whose width too where text has only <h>. */
#define VISAGE_STRIDE_NONE 255

typedef struct visage_operand {
    visage_operand_kind kind;
    visage_modifier modifier;
    visage_type type;                  /* of indirect operands and immediates */
    uint8_t state;                     /* state, address-of: 0 surface, 1 sampler, 2 general */
    uint32_t id;                       /* variable or label; raw, general: 0 is %null */
    uint16_t row, column;              /* general: row in GRFs, column in elements */
    uint8_t v_stride, width, h_stride; /* values; of a destination h_stride, of an address
                                          width only */
    uint8_t offset_elements;           /* address, indirect, state: element of the variable */
    int32_t offset_bytes;              /* raw; indirect: behind the address; address-of */
    uint64_t value;   /* bits of an immediate, sign-extended for signed types; a number */
    const char *name; /* NAME */
} visage_operand;

enum { VISAGE_COMBINE_NONE = 0, VISAGE_COMBINE_ANY = 1, VISAGE_COMBINE_ALL = 2 };

/* An instruction. Labels are instructions of the opcode 0x31 with one operand. Operands stand
 * in the order of visage_isa_entry.operands, lists at the end. */
typedef struct visage_instruction {
    uint8_t opcode;
    int32_t sub_opcode;  /* the whole sub field, -1: the opcode has none */
    uint8_t exec_size;   /* 1 to 32; 0: the instruction has none */
    uint8_t mask_offset; /* 0, 4 .. 28: M1 .. M8 */
    bool no_mask;
    uint16_t predicate; /* identifier, 0: none */
    bool predicate_inverse;
    uint8_t predicate_combine; /* VISAGE_COMBINE_* */
    size_t num_operands;
    /* Where it comes from; ignored when added: */
    uint32_t line, column;
    uint64_t offset_bytes; /* in a binary */
} visage_instruction;

/* Layout of the binary that a module was read from, DEFAULT where it was none. */
VISAGE_API visage_layout visage_module_get_layout(const visage_module *module);

/* `unit` indexes kernels first, then functions, as visage_module_get_kernel() does; `position`
 * is the unit's place in the file. Each returns ARGUMENT for an index out of range. */
VISAGE_API VISAGE_NODISCARD visage_status visage_module_get_unit(const visage_module *module,
                                                                 size_t unit, visage_unit *out,
                                                                 size_t *position);
/* Variable `index` (from 0, predefined ones left out) of a class, its identifier in *id. */
VISAGE_API VISAGE_NODISCARD visage_status
visage_module_get_variable(const visage_module *module, size_t unit, visage_class class_,
                           size_t index, visage_variable *out, uint32_t *id);
VISAGE_API VISAGE_NODISCARD visage_status visage_module_get_label(const visage_module *module,
                                                                  size_t unit, size_t index,
                                                                  visage_label *out);
VISAGE_API VISAGE_NODISCARD visage_status visage_module_get_input_record(
    const visage_module *module, size_t unit, size_t index, visage_input *out);
/* Attribute `attribute` of the `index`-th variable of a class, or of the unit (index 0). */
VISAGE_API VISAGE_NODISCARD visage_status visage_module_get_attribute_record(
    const visage_module *module, size_t unit, visage_class class_, size_t index,
    size_t attribute, visage_attribute *out);
/* The name that the `index`-th .funcdecl gives, NULL past the last. */
VISAGE_API const char *visage_module_get_function_decl(const visage_module *module, size_t unit,
                                                       size_t index);
/* Instructions, labels, LOC and FILE included: how many, and one of them. */
VISAGE_API size_t visage_module_num_instructions(const visage_module *module, size_t unit);
VISAGE_API VISAGE_NODISCARD visage_status visage_module_get_instruction(
    const visage_module *module, size_t unit, size_t index, visage_instruction *out);
VISAGE_API VISAGE_NODISCARD visage_status visage_module_get_operand(const visage_module *module,
                                                                    size_t unit,
                                                                    size_t instruction,
                                                                    size_t index,
                                                                    visage_operand *out);
VISAGE_API VISAGE_NODISCARD visage_status visage_module_get_file_variable(
    const visage_module *module, size_t index, visage_file_variable *out);

/* A module in the making. Of one thread. */
typedef struct visage_builder visage_builder;

typedef struct visage_builder_options {
    size_t struct_size;
    const char *name; /* for diagnostics; NULL: "built" */
    visage_platform platform;
    uint32_t version_major, version_minor; /* of the vISA in the module; 0.0: 4.1 */
    /* Whose conventions the names follow, and how the module is written by default: a label of
     * a subroutine ends in "_" and its number in text, which names in the compiler's binaries
     * lack. That of visage_module_get_layout() for a copy. */
    visage_layout layout;
} visage_builder_options;

/* options: may be NULL. out: returns owned, free with visage_builder_destroy() or
 * visage_builder_finish(). Returns ARGUMENT, NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status visage_builder_create(
    visage_context *context, const visage_builder_options *options, visage_builder **out);
VISAGE_API void visage_builder_destroy(visage_builder **builder);

/* Each adds a record; `unit` is what add_unit() gave, *id the identifier for operands. id may
 * be NULL. Returns ARGUMENT for what no module can hold (an unknown opcode, a wrong number of
 * operands, an operand of a kind that the instruction does not take, a number out of its
 * field's range, an identifier that nothing has), NO_MEMORY. After an error the builder is as
 * it was. Whether the module is legal, visage_verify() says. */
VISAGE_API VISAGE_NODISCARD visage_status visage_builder_add_unit(visage_builder *builder,
                                                                  const visage_unit *record,
                                                                  size_t *unit);
VISAGE_API VISAGE_NODISCARD visage_status
visage_builder_add_variable(visage_builder *builder, size_t unit, visage_class class_,
                            const visage_variable *record, uint32_t *id);
VISAGE_API VISAGE_NODISCARD visage_status visage_builder_add_label(visage_builder *builder,
                                                                   size_t unit,
                                                                   const visage_label *record,
                                                                   uint32_t *id);
VISAGE_API VISAGE_NODISCARD visage_status visage_builder_add_input(visage_builder *builder,
                                                                   size_t unit,
                                                                   const visage_input *record);
/* `index` counts the variables of the class as visage_module_get_variable() does. */
VISAGE_API VISAGE_NODISCARD visage_status
visage_builder_add_attribute(visage_builder *builder, size_t unit, visage_class class_,
                             size_t index, const visage_attribute *record);
VISAGE_API VISAGE_NODISCARD visage_status
visage_builder_add_function_decl(visage_builder *builder, size_t unit, const char *name);
VISAGE_API VISAGE_NODISCARD visage_status visage_builder_add_instruction(
    visage_builder *builder, size_t unit, const visage_instruction *record,
    const visage_operand *operands);
VISAGE_API VISAGE_NODISCARD visage_status visage_builder_add_file_variable(
    visage_builder *builder, const visage_file_variable *record, uint32_t *id);

/* Makes the module of what was added; the builder is gone afterwards, in any case, and NULL.
 * out: returns owned, free with visage_module_destroy(). Returns ARGUMENT, NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status visage_builder_finish(visage_builder **builder,
                                                                visage_module **out);

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
/* Tells check mode whether bytes were ever written: all of a new buffer are, by its zeros, and
 * what a kernel stores is as its source was. Returns ARGUMENT for a range that is not inside,
 * NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status visage_buffer_set_written(visage_buffer *buffer,
                                                                    size_t offset_bytes,
                                                                    size_t size_bytes,
                                                                    bool written);

/* ---- images and samplers ---------------------------------------------------------------- */

typedef struct visage_image visage_image;
typedef struct visage_sampler visage_sampler;

/* An image is rows of texels in a buffer, linear: row y of layer or slice z starts at
 * offset_bytes + z * slice_pitch_bytes + y * row_pitch_bytes. The samples of a texel are layers
 * one after the other: layer z, sample s counts as z * samples + s. Further levels of detail
 * follow the first one, each half as large along every axis (layers stay as many) and at least
 * one texel, without gaps. */
typedef struct visage_image_options {
    size_t struct_size;
    const char *format; /* required: "R32G32B32A32_FLOAT", "R8_UINT" ... (docs/images.md) */
    const char *shape;  /* "1d" "2d" "3d" "1d-array" "2d-array" "cube" "buffer"; NULL: 3d where
                           there is a depth, else 2d */
    uint32_t width;     /* texels; required */
    uint32_t height;    /* texels; 0: 1, as for the next three */
    uint32_t depth;     /* texels of a 3d image, layers of others, six for each cube */
    uint32_t levels;    /* of detail, 32 at most */
    uint32_t samples;   /* of a texel, 16 at most */
    size_t offset_bytes;
    size_t row_pitch_bytes, slice_pitch_bytes; /* 0: without gaps */
} visage_image_options;

/* Makes an image of a buffer.
 *
 * buffer       kept.
 * options      borrowed.
 * diagnostics  appended to; may be NULL.
 * out          returns owned, free with visage_image_destroy(); NULL unless OK.
 *
 * Returns INVALID for an unknown format, sizes that make no image, or one that does not fit
 * into the buffer; ARGUMENT, NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status
visage_image_create(visage_buffer *buffer, const visage_image_options *options,
                    visage_diagnostics *diagnostics, visage_image **out);
VISAGE_API void visage_image_destroy(visage_image **image);

typedef enum visage_filter { VISAGE_FILTER_NEAREST = 0, VISAGE_FILTER_LINEAR } visage_filter;

/* Between levels of detail. */
typedef enum visage_mip_filter {
    VISAGE_MIP_NONE = 0, /* the first level is sampled always */
    VISAGE_MIP_NEAREST,
    VISAGE_MIP_LINEAR
} visage_mip_filter;

/* What is sampled where a coordinate is outside the image. */
typedef enum visage_address {
    VISAGE_ADDRESS_BORDER = 0, /* the border's colour; OpenCL's CLAMP */
    VISAGE_ADDRESS_EDGE,       /* the texel at the edge; CLAMP_TO_EDGE */
    VISAGE_ADDRESS_REPEAT,     /* the image again */
    VISAGE_ADDRESS_MIRROR,     /* the image again, every other one mirrored */
    VISAGE_ADDRESS_MIRROR_ONCE /* mirrored at 0, then as EDGE */
} visage_address;

/* What a reference must be to a texel for a comparison to give 1. */
typedef enum visage_compare {
    VISAGE_COMPARE_NEVER = 0,
    VISAGE_COMPARE_LESS,
    VISAGE_COMPARE_EQUAL,
    VISAGE_COMPARE_LESS_EQUAL,
    VISAGE_COMPARE_GREATER,
    VISAGE_COMPARE_NOT_EQUAL,
    VISAGE_COMPARE_GREATER_EQUAL,
    VISAGE_COMPARE_ALWAYS
} visage_compare;

typedef struct visage_sampler_options {
    size_t struct_size;
    visage_filter filter;
    visage_mip_filter mip_filter;
    visage_address address[3]; /* along x, y, z */
    bool normalized;           /* coordinates go from 0 to 1, not in texels */
    visage_compare compare;
    float least_lod, greatest_lod; /* of the level of detail; greatest 0: no limit */
    uint32_t border[4];            /* R, G, B, A as they are read: bits of floats, or integers.
                                      Components that a format lacks are 0, alpha 1 */
} visage_sampler_options;

/* Makes a sampler. options: borrowed, may be NULL. out: returns owned, free with
 * visage_sampler_destroy(). Returns ARGUMENT, NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status visage_sampler_create(
    visage_context *context, const visage_sampler_options *options, visage_sampler **out);
VISAGE_API void visage_sampler_destroy(visage_sampler **sampler);

/* ---- programs and launches -------------------------------------------------------------- */

typedef struct visage_program visage_program;
typedef struct visage_launch visage_launch;

/* Makes a module ready to run on a device: judged as by visage_verify() for the device's
 * platform, constants placed, labels and calls resolved, operands decoded. keeps: the device
 * and the module. Returns INVALID (what is wrong is reported), UNRESOLVED, UNSUPPORTED (an
 * instruction that cannot be run, named), NO_MEMORY. */
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

/* An image, for argument `index`, or for a surface input of a plain kernel. keeps: the image's
 * buffer; what the image says is copied. */
VISAGE_API VISAGE_NODISCARD visage_status
visage_launch_set_image(visage_launch *launch, size_t index, const visage_image *image,
                        visage_diagnostics *diagnostics);
/* A sampler, likewise. copies. */
VISAGE_API VISAGE_NODISCARD visage_status
visage_launch_set_sampler(visage_launch *launch, size_t index, const visage_sampler *sampler,
                          visage_diagnostics *diagnostics);

/* Attaches memory that is no argument, for the runs that follow; kept until then.
 *
 * name    "rt0" to "rt7": image that render-target writes with that index go to, instead of the
 *         one bound to their surface; "depth" (texels of 4 bytes), "stencil" (1 byte): images
 * for what else they write; "urb": buffer of URB writes, handle 0 at its start; "counter0" to
 *         "counter251": append counter of the surface with that binding-table index.
 * buffer  NULL detaches.
 * format  of an image, as visage_launch_set_image(); else NULL.
 * size    of an image: width and height, texels; else NULL.
 *
 * Returns INVALID with what is wrong in the diagnostics. */
VISAGE_API VISAGE_NODISCARD visage_status visage_launch_attach(
    visage_launch *launch, const char *name, visage_buffer *buffer, const char *format,
    const uint32_t size[2], visage_diagnostics *diagnostics);

/* Binds what bindless accesses reach by `handle`, for the runs that follow: through T252
 * (%bss), S31, and the bss and ss of LSC messages. Handles of surfaces and of samplers are
 * apart; a kernel is told them in whatever way it likes. Arguments that .ze_info says are
 * bindless need nothing of this; their handles go before. buffer, image: keeps the buffer. NULL
 * unbinds.
 *
 * Returns INVALID for the surface handle 0x40, which names a thread's scratch, for those from
 * 0xf0000000 on, which are the arguments', and as visage_launch_set_buffer(); NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status
visage_launch_bind_buffer(visage_launch *launch, uint32_t handle, visage_buffer *buffer,
                          size_t offset_bytes, visage_diagnostics *diagnostics);
VISAGE_API VISAGE_NODISCARD visage_status
visage_launch_bind_image(visage_launch *launch, uint32_t handle, const visage_image *image,
                         visage_diagnostics *diagnostics);
VISAGE_API VISAGE_NODISCARD visage_status
visage_launch_bind_sampler(visage_launch *launch, uint32_t handle,
                           const visage_sampler *sampler, visage_diagnostics *diagnostics);

/* Dependency patterns of a media space: a thread starts when those it depends on have ended,
 * with any number of workers. Threads outside the space do not count. */
typedef enum visage_pattern {
    VISAGE_PATTERN_NONE,
    VISAGE_PATTERN_WAVEFRONT45, /* left, upper left, upper */
    VISAGE_PATTERN_WAVEFRONT26, /* left, upper left, upper, upper right */
    VISAGE_PATTERN_VERTICAL,    /* left: columns one after the other */
    VISAGE_PATTERN_HORIZONTAL   /* upper: rows one after the other */
} visage_pattern;

/* Finds a pattern by its name: "none", "wavefront45", "wavefront26", "vertical", "horizontal".
 * False, and *out unchanged, for any other. */
VISAGE_API bool visage_pattern_find(const char *name, visage_pattern *out);

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
    visage_pattern pattern; /* of the space */
} visage_range;

/* Something undefined that a kernel did, found in check mode: the first time an instruction did
 * it, in the order of groups and threads. Strings are borrowed until the callback returns; NULL
 * where there is nothing to say. */
typedef struct visage_finding {
    const char *code;            /* as in the diagnostic, "X0200" */
    const char *message;         /* the diagnostic's */
    const char *what;            /* kind of access or of use */
    const char *kernel;          /* or function */
    int64_t instruction;         /* number within it, -1: none */
    const char *mnemonic, *text; /* of the instruction; its line of the text */
    const char *file;            /* of the text */
    uint32_t line;               /* in it, 0: none */
    const char *source_file;     /* as FILE and LOC have it */
    uint32_t source_line;        /* 0: none */
    uint32_t group[3], thread;
    uint32_t channels;   /* bit n: channel n of the thread; 0: none in particular */
    uint64_t address;    /* device address, byte of shared memory or of a variable, by code */
    uint32_t size_bytes; /* of the access; alignment wanted */
    int64_t limit;       /* size of what was accessed; number expected */
    const char *name;    /* variable, function or label */
    int32_t argument;    /* whose buffer is nearest to the address, -1: none */
    int64_t offset;      /* of the address in that buffer */
    uint64_t count;      /* how often it was found */
    /* of a data race: the other access */
    const char *other_what;   /* "read", "write", "atomic"; NULL: this is no race */
    const char *other_kernel; /* or function */
    int64_t other_instruction;
    const char *other_mnemonic;
    uint32_t other_line;
    const char *other_source_file;
    uint32_t other_source_line;
    uint32_t other_group[3], other_thread, other_channel;
} visage_finding;

typedef void (*visage_finding_fn)(void *user, const visage_finding *finding);

/* What executes a launch. Both give the same results, but for what docs/precision.md allows. */
typedef enum visage_engine {
    VISAGE_ENGINE_DEFAULT,     /* the interpreter */
    VISAGE_ENGINE_INTERPRETER, /* the reference */
    VISAGE_ENGINE_JIT          /* machine code, where the library was built with LLVM; what it
                                  cannot compile, check mode and seeded schedules are left to
                                  the interpreter */
} visage_engine;

/* Was the library built with this engine? */
VISAGE_API bool visage_has_engine(visage_engine engine);

typedef struct visage_run_options {
    size_t struct_size;
    uint32_t timeout_ms;          /* 0: none */
    uint64_t instructions;        /* budget of a thread; 0: none */
    uint32_t jobs;                /* workers for this launch; 0: the device's */
    bool check;                   /* check mode: finds what is undefined (docs/check.md) */
    uint32_t most_findings;       /* told in diagnostics and to on_finding; 0: 100 */
    visage_finding_fn on_finding; /* gets each finding when the run has ended; NULL: nobody */
    void *finding_user;           /* passed to on_finding */
    uint64_t seed;         /* of another order of groups, threads and their instructions; 0: the
                              default one. With one worker the same seed gives the same schedule. */
    visage_write_fn print; /* gets what the kernel printed with printf, when the run has ended,
                              in whatever way: pieces of some KiB, in the order in which
                              work-items came to print; NULL: it is lost, with a warning */
    void *print_user;      /* passed to print */
    bool no_races;         /* with `check`: data races are not looked for, which else keeps the
                              run on one worker */
    visage_engine engine;
} visage_run_options;

typedef struct visage_run_stats {
    uint64_t groups, threads, instructions;
    uint64_t nanoseconds; /* wall time of the run */
    uint32_t local[3];    /* the local size used */
    uint32_t jobs;
    uint64_t findings;            /* of check mode, each instruction and kind once */
    visage_engine engine;         /* JIT where any of the kernel's code was compiled */
    uint32_t compiled;            /* instructions that are machine code */
    uint32_t called;              /* instructions that call the interpreter's functions */
    uint64_t compile_nanoseconds; /* 0 where the code was there already */
} visage_run_stats;

/* Runs the kernel over the range and waits. Arguments not set are INVALID. Returns FAULT with a
 * diagnostic naming kernel, instruction, group, thread, channel and address (of several faults
 * the one in the lowest group, whatever the number of workers); CANCELLED; INVALID for a range
 * the kernel or the device does not allow; UNSUPPORTED for a payload we cannot supply;
 * NO_MEMORY; IO when print refused. In check mode the run goes on after a finding where it can,
 * and FAULT is returned when there was one. options, stats: may be NULL. */
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
