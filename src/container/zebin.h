/* SPDX-License-Identifier: MIT
 *
 * The container: what a zebin (ELF64 of Intel's compiler) says beside its vISA text: kernels,
 * their payload, binding tables, memory, constants, symbols, and the device it was built for.
 * A bare .ze_info (YAML) is read into the same form.
 * Sources: intel/intel-graphics-compiler, IGC/ZEBinWriter/zebin/spec, elf.md and zeinfo.md;
 * what the compiler writes (spec dialect 1.2 and 5.3). */
#ifndef VISAGE_CONTAINER_ZEBIN_H
#define VISAGE_CONTAINER_ZEBIN_H

#include "base/alloc.h"
#include "base/diag.h"

/* Payload arguments (arg_type of .ze_info); rows of payload.def give each its YAML word. */
typedef enum vsg_con_payload_kind {
#define PAYLOAD(id, word) VSG_CON_PAYLOAD_##id,
#include "container/payload.def"
#undef PAYLOAD
    VSG_CON_PAYLOAD_COUNT,
    /* A word of a newer format (warned about): what belongs at its place is not known. */
    VSG_CON_PAYLOAD_UNKNOWN = VSG_CON_PAYLOAD_COUNT
} vsg_con_payload_kind;

typedef enum vsg_con_addrmode {
    VSG_CON_ADDRMODE_NONE,
    VSG_CON_ADDRMODE_STATELESS,
    VSG_CON_ADDRMODE_STATEFUL,
    VSG_CON_ADDRMODE_BINDLESS,
    VSG_CON_ADDRMODE_SLM
} vsg_con_addrmode;

typedef enum vsg_con_addrspace {
    VSG_CON_ADDRSPACE_NONE,
    VSG_CON_ADDRSPACE_GLOBAL,
    VSG_CON_ADDRSPACE_LOCAL,
    VSG_CON_ADDRSPACE_CONSTANT,
    VSG_CON_ADDRSPACE_IMAGE,
    VSG_CON_ADDRSPACE_SAMPLER
} vsg_con_addrspace;

typedef struct vsg_con_payload {
    vsg_con_payload_kind kind;
    const char *word;                  /* arg_type as the file has it */
    uint32_t offset_bytes, size_bytes; /* in the cross-thread part; size 0: takes no room */
    int32_t arg_index;                 /* of the kernel, -1: implicit */
    uint32_t source_offset_bytes;      /* of the part of a by-value argument this entry takes */
    vsg_con_addrmode addrmode;
    vsg_con_addrspace addrspace;
    const char *access;     /* "readonly", "writeonly", "readwrite" or NULL */
    const char *image_type; /* "image_2d" ..., NULL where none */
    uint32_t slm_alignment; /* 0: none given */
    int32_t sampler_index;  /* -1: none */
} vsg_con_payload;

typedef struct vsg_con_binding {
    uint32_t bti; /* binding-table index */
    int32_t arg_index;
} vsg_con_binding;

/* Memory of each hardware thread.
 *
 * type   "scratch": reached through r0.5. "global": reached through the private_base_stateless
 *        argument, usage is "private_space". "slm": named by zeinfo.md, never seen.
 * usage  "private_space": private variables and arguments of stack calls. "spill_fill_space":
 *        what the finalizer spills, of no use to vISA text. "single_space": both in one.
 *
 * size_bytes is what a hardware thread needs, unless is_simt_thread: then it is what a SIMT
 * thread (a work-item, one channel) needs, and a hardware thread has simd_size times as much.
 * Only "global" has is_simt_thread. (int p[64] at SIMD 32: dg2 has 256, is_simt_thread, and its
 * text multiplies the thread id by 8192; pvc has scratch of 8192. Kernels of the vector backend
 * have simd_size 1.) */
typedef struct vsg_con_memory {
    const char *type, *usage;
    uint32_t size_bytes;
    uint32_t slot; /* of "scratch": 0 or 1 */
    bool is_simt_thread;
} vsg_con_memory;

/* A sampler that the kernel's source declares; sampler_index of the text. */
typedef struct vsg_con_sampler {
    uint32_t index;
    const char *addrmode;   /* "none", "repeat", "clamp_edge", "clamp_border", "mirror" */
    const char *filtermode; /* "nearest", "linear" */
    bool normalized;
} vsg_con_sampler;

typedef struct vsg_con_arg_info { /* kernels_misc_info, args_info */
    const char *name, *address_qualifier, *access_qualifier, *type_name, *type_qualifiers;
} vsg_con_arg_info;

typedef struct vsg_con_kernel {
    const char *name;
    /* execution_env */
    uint32_t simd_size, grf_count, slm_size_bytes, barrier_count;
    uint32_t required_work_group_size[3]; /* 0: any */
    uint32_t required_sub_group_size;     /* 0: any */
    uint32_t walk_order[3]; /* dimension that runs fastest first; all 0: not said */
    bool has_stack_calls, has_no_stateless_write, has_4gb_buffers, has_global_atomics;
    uint32_t indirect_stateless_count;
    uint32_t inline_data_payload_size;
    const char *invalid;       /* user_attributes: why it must not be launched; NULL: it may */
    const char *vec_type_hint; /* user_attributes; NULL: none */
    uint32_t work_group_size_hint[3]; /* user_attributes; 0: none */
    /* payload_arguments, per_thread_payload_arguments */
    vsg_con_payload *payload;
    size_t num_payload;
    vsg_con_payload *per_thread;
    size_t num_per_thread;
    vsg_con_binding *bindings;
    size_t num_bindings;
    vsg_con_memory *memory;
    size_t num_memory;
    vsg_con_sampler *samplers;
    size_t num_samplers;
    /* one a kernel argument, 0 .. highest arg_index or as many as args_info lists */
    vsg_con_arg_info *args;
    size_t num_args;
    /* vISA text, borrowed from the file's bytes; NULL where the file has none for it */
    const char *text;
    size_t text_size;
    uint64_t text_offset; /* bytes from the start of the file */
    bool is_pseudo;       /* Intel_Symbol_Table_Void_Program: holds functions, is no kernel */
} vsg_con_kernel;

typedef struct vsg_con_function { /* .visaasm.<name> */
    const char *name;
    const char *text;
    size_t text_size;
    uint64_t text_offset;
    /* Index of the kernel it was compiled with (its section follows that kernel's), SIZE_MAX:
     * none. The pseudo kernel's functions are for all. */
    size_t kernel;
} vsg_con_function;

/* A place of data that goes into device memory. */
typedef enum vsg_con_section {
    VSG_CON_SECTION_CONST,   /* .data.const, and .bss.const after it */
    VSG_CON_SECTION_GLOBAL,  /* .data.global, and .bss.global after it */
    VSG_CON_SECTION_STRINGS, /* .data.const.string */
    VSG_CON_SECTION_COUNT
} vsg_con_section;

typedef struct vsg_con_data {
    const void *bytes;     /* borrowed from the file; NULL where size_bytes is 0 */
    size_t size_bytes;     /* of what is in the file */
    size_t zero_bytes;     /* that follow */
    uint32_t alignment;    /* a power of two; 0: not said (the compiler never says it) */
    uint64_t offset_bytes; /* in the section: 0 in a file */
    const struct vsg_con_data *next; /* behind it, of another file (merge.h); NULL: none */
} vsg_con_data;

/* What text and relocations may name: everything in the data sections, functions that are seen
 * outside their kernel, and what the file leaves undefined. The range of data lies within its
 * section. Names of data may be anything (".str.2"). */
typedef struct vsg_con_symbol {
    const char *name;
    int section; /* a vsg_con_section, or -1: not data (a function) */
    bool is_defined;
    uint64_t offset_bytes, size_bytes; /* of data */
} vsg_con_symbol;

/* Write (symbol's address + addend) at `offset_bytes` of `section`: 8 bytes, or the low or high
 * 4 of it. Function symbols (symbol names of functions) are allowed too. The bytes lie within
 * the section. The addend is what a .rela section says, or what a .rel section finds in place
 * (4 bytes for a half; for the high half they count as the high half of the addend). */
typedef enum vsg_con_reloc_kind {
    VSG_CON_RELOC_ADDR64,
    VSG_CON_RELOC_ADDR32_LOW,
    VSG_CON_RELOC_ADDR32_HIGH
} vsg_con_reloc_kind;

typedef struct vsg_con_reloc {
    vsg_con_section section;
    uint64_t offset_bytes;
    vsg_con_reloc_kind kind;
    const char *symbol;           /* target's name */
    const vsg_con_symbol *target; /* of the zebin's symbols; tells apart equal names */
    int64_t addend;
} vsg_con_reloc;

typedef struct vsg_con_zebin {
    vsg_base_arena arena;                   /* holds everything below */
    visage_platform platform;               /* NONE: not said, or a device we do not know */
    uint32_t product_family, graphics_core; /* from .note.intelgt.compat; 0: not said */
    uint32_t product_config;                /* likewise, compilers after zebin 1.33 */
    const char *info_version;               /* of .ze_info, as "1.20"; NULL: not said */
    vsg_con_kernel *kernels;
    const vsg_con_kernel **by_name; /* the same sorted by name, for vsg_con_find_kernel() */
    size_t num_kernels;
    vsg_con_function *functions;
    const vsg_con_function **functions_by_name; /* for vsg_con_find_function() */
    size_t num_functions;
    vsg_con_data data[VSG_CON_SECTION_COUNT];
    vsg_con_symbol *symbols;
    const vsg_con_symbol **symbols_by_name; /* for vsg_con_find_symbol() */
    size_t num_symbols;
    vsg_con_reloc *relocs; /* of the data sections only */
    size_t num_relocs;
} vsg_con_zebin;

/* Does it start as an ELF file? */
bool vsg_con_is_elf(const void *data, size_t size_bytes);

/* Reads a zebin.
 *
 * alloc      kept while `out` lives.
 * data       kept while `out` lives, never written; any alignment.
 * name       for diagnostics; borrowed.
 * with_text  whether a file without a .visaasm section for any kernel is an error. Zebins of
 *            the vector backend have none; with false one is read for its .ze_info.
 * out        filled only when OK; free with vsg_con_zebin_free().
 *
 * Returns MALFORMED, UNSUPPORTED (.ze_info of another major version), NO_MEMORY. Nothing in the
 * file is trusted: offsets, counts, strings. Memory stays within a small multiple of the file's
 * size. Unknown keys are skipped. */
VISAGE_NODISCARD visage_status vsg_con_read_zebin(const vsg_base_alloc *alloc, const char *name,
                                                  const void *data, size_t size_bytes,
                                                  bool with_text,
                                                  visage_diagnostics *diagnostics,
                                                  vsg_con_zebin *out);

/* The same from bare YAML: kernels without text. `data` is borrowed. */
VISAGE_NODISCARD visage_status vsg_con_read_info(const vsg_base_alloc *alloc, const char *name,
                                                 const void *data, size_t size_bytes,
                                                 visage_diagnostics *diagnostics,
                                                 vsg_con_zebin *out);

/* Also of a zeroed struct; leaves it zeroed. */
void vsg_con_zebin_free(vsg_con_zebin *zebin);

/* NULL where there is none. Of several functions or symbols with one name, the first. */
const vsg_con_kernel *vsg_con_find_kernel(const vsg_con_zebin *zebin, const char *name);
const vsg_con_function *vsg_con_find_function(const vsg_con_zebin *zebin, const char *name);
const vsg_con_symbol *vsg_con_find_symbol(const vsg_con_zebin *zebin, const char *name);

#endif
