/* SPDX-License-Identifier: MIT
 *
 * The module: one in-memory form for everything a vISA object can hold, whatever it was read
 * from. Readers build it through the functions below, writers and engines only look at it.
 * Names and numbers are the documents' (4_visa_header, 5_operands). */
#ifndef VISAGE_OBJECT_OBJECT_H
#define VISAGE_OBJECT_OBJECT_H

#include "base/alloc.h"
#include "base/diag.h"
#include "isa/isa.h"

/* A place in the text: line and columns from 1; offset_bytes in a binary. Line 0: none. */
typedef struct vsg_obj_place {
    uint32_t line, column, end_column;
    uint32_t offset_bytes;
} vsg_obj_place;

typedef struct vsg_obj_attribute {
    const char *name;
    const char *string; /* NULL: an integer */
    int64_t value;
    vsg_obj_place place;
    uint8_t size_bytes; /* in a binary; 0: a flag without value */
} vsg_obj_attribute; /* string: of a word such as 3d, whose code is `value`, or size_bytes bytes
                        and a NUL */

typedef struct vsg_obj_attributes {
    vsg_obj_attribute *items;
    size_t count, capacity;
} vsg_obj_attributes;

enum { VSG_OBJ_NO_ALIAS = UINT32_MAX };

/* General variable (var_info). */
typedef struct vsg_obj_variable {
    const char *name;
    visage_type type;
    uint8_t align; /* code of VSG_ISA_WORDS_ALIGN */
    uint32_t num_elements;
    uint32_t alias; /* variable index, or VSG_OBJ_NO_ALIAS */
    uint32_t alias_offset_bytes;
    bool alias_is_global; /* alias: of a file-scope variable, its symbolic index */
    vsg_obj_attributes attributes;
    vsg_obj_place place;
} vsg_obj_variable;

/* Address, predicate, sampler, surface and VME variables. */
typedef struct vsg_obj_state {
    const char *name;   /* samplers and surfaces of a binary: T6, S0 as listings have it */
    const char *v_name; /* samplers and surfaces: name in the string pool, NULL: none */
    uint32_t num_elements;
    vsg_obj_attributes attributes;
    vsg_obj_place place;
} vsg_obj_state;

typedef enum vsg_obj_label_kind {
    VSG_OBJ_LABEL_BLOCK = 0,
    VSG_OBJ_LABEL_SUBROUTINE = 1,
    VSG_OBJ_LABEL_KERNEL = 2 /* another kernel, called by FCCALL: not placed */
} vsg_obj_label_kind;

typedef struct vsg_obj_label {
    const char *name;
    vsg_obj_label_kind kind;
    int64_t inst; /* index of the label's instruction, -1: not placed */
    vsg_obj_attributes attributes;
    vsg_obj_place place; /* of the first mention */
} vsg_obj_label;

typedef enum vsg_obj_input_kind {
    VSG_OBJ_INPUT_GENERAL = 0,
    VSG_OBJ_INPUT_SAMPLER = 1,
    VSG_OBJ_INPUT_SURFACE = 2
} vsg_obj_input_kind;

typedef struct vsg_obj_input {
    vsg_obj_input_kind kind;
    uint8_t provenance; /* 0: a kernel argument, else implicit */
    uint32_t id;        /* variable index of its class */
    int32_t offset_bytes;
    uint32_t size_bytes;
    vsg_obj_attributes attributes;
    vsg_obj_place place;
} vsg_obj_input;

/* ---- instructions ----------------------------------------------------------------------- */

typedef enum vsg_obj_class {
    VSG_OBJ_CLASS_GENERAL = 0,
    VSG_OBJ_CLASS_ADDRESS = 1,
    VSG_OBJ_CLASS_PREDICATE = 2,
    VSG_OBJ_CLASS_INDIRECT = 3,
    VSG_OBJ_CLASS_ADDRESS_OF = 4, /* &V or &T; `state` says which */
    VSG_OBJ_CLASS_IMMEDIATE = 5,
    VSG_OBJ_CLASS_STATE = 6, /* T(0), S(0) as vector operand */
    /* no vector operands: */
    VSG_OBJ_CLASS_RAW,
    VSG_OBJ_CLASS_SURFACE,
    VSG_OBJ_CLASS_SAMPLER,
    VSG_OBJ_CLASS_LABEL,
    VSG_OBJ_CLASS_NAME,
    VSG_OBJ_CLASS_NUMBER,
    VSG_OBJ_CLASS_VARIABLE, /* of lifetime; `state` 0 general, 1 address, 2 predicate */
    VSG_OBJ_CLASS_NONE      /* absent where a list or an option allows it */
} vsg_obj_class;

typedef enum vsg_obj_modifier { /* 5_operands, Vector Operands; encoding of the tag */
                                VSG_OBJ_MOD_NONE = 0,
                                VSG_OBJ_MOD_ABS = 1,
                                VSG_OBJ_MOD_NEG = 2,
                                VSG_OBJ_MOD_NEG_ABS = 3,
                                VSG_OBJ_MOD_SAT = 4, /* destinations */
                                VSG_OBJ_MOD_NOT = 5
} vsg_obj_modifier;

/* v_stride: multi-address indirect operand; width too where the text has only <h>. */
enum { VSG_OBJ_STRIDE_NULL = 255 };

typedef struct vsg_obj_operand {
    uint8_t class_;   /* vsg_obj_class */
    uint8_t modifier; /* vsg_obj_modifier */
    uint8_t type;  /* visage_type of indirect and immediate; a variable's own otherwise unset */
    uint8_t state; /* state, address-of: 0 surface, 1 sampler, 2 general; see VARIABLE */
    uint32_t id;   /* variable, label index; raw, general: variable index, 0 %null */
    uint16_t row, column; /* general: row in GRFs, column in elements; address-of read from a
                             binary: how it has offset_bytes */
    uint8_t v_stride, width, h_stride; /* values, not codes; destination: h_stride only;
                                          address: width only */
    uint8_t offset_elements;           /* address, indirect, state: element of the variable */
    int32_t offset_bytes;              /* raw; indirect: after the address; address-of: &V[n] */
    uint16_t begin_column, end_column; /* in the text, from 1; 0: none */
    uint64_t value;   /* immediate bits, number; sign-extended for signed types */
    const char *name; /* NAME */
} vsg_obj_operand;

typedef enum vsg_obj_combine {
    VSG_OBJ_COMBINE_NONE = 0,
    VSG_OBJ_COMBINE_ANY = 1,
    VSG_OBJ_COMBINE_ALL = 2
} vsg_obj_combine;

typedef struct vsg_obj_inst {
    visage_op op;
    uint16_t sub_flags;  /* bits of the sub field outside sub_mask */
    uint8_t exec_size;   /* 1..32; 0: the form has none */
    uint8_t mask_offset; /* 0, 4 .. 28: M1 .. M8 */
    bool no_mask;
    bool predicate_inverse;
    uint8_t predicate_combine; /* vsg_obj_combine */
    uint16_t predicate;        /* variable index, 0: none */
    uint16_t num_operands;
    vsg_obj_operand *operands; /* operand numbers of forms.def; lists fill the end */
    vsg_obj_place place;
} vsg_obj_inst;

/* ---- kernels, functions, modules -------------------------------------------------------- */

typedef enum vsg_obj_linkage {
    VSG_OBJ_LINKAGE_EXTERN = 0,
    VSG_OBJ_LINKAGE_STATIC = 1,
    VSG_OBJ_LINKAGE_GLOBAL = 2
} vsg_obj_linkage;

typedef enum vsg_obj_layout {
    VSG_OBJ_LAYOUT_NONE = 0, /* not from a binary */
    VSG_OBJ_LAYOUT_DOC = 1,  /* as the documents have it */
    VSG_OBJ_LAYOUT_IGC = 2   /* as the compiler writes it */
} vsg_obj_layout;

/* Why a unit has a stream of operations in place of instructions. */
typedef enum vsg_obj_damage {
    VSG_OBJ_DAMAGE_NONE = 0,
    /* what the compiler's writer does (spec dialect 0.1) */
    VSG_OBJ_DAMAGE_BARE_RETURNS = 1, /* ret and fret lack size and predicate */
    VSG_OBJ_DAMAGE_CUT_SHORT = 2,    /* most instructions lack their last fields */
    /* an error of any kind, which a reader that recovers has told */
    VSG_OBJ_DAMAGE_BROKEN = 3
} vsg_obj_damage;

/* "cut short" and the like, and what helps; NULL for NONE. */
const char *vsg_obj_damage_name(vsg_obj_damage damage);
const char *vsg_obj_damage_help(vsg_obj_damage damage);

/* variable_reloc_symtab, function_reloc_symtab */
typedef struct vsg_obj_reloc {
    uint16_t symbolic_index, resolved_index;
    const char *symbol; /* of a function: its number in the string pool becomes symbolic_index
                           when it is written; NULL: as it stands */
} vsg_obj_reloc;

/* gen_binary_info */
typedef struct vsg_obj_gen_binary {
    uint8_t platform; /* gen_platform as it stands in the file */
    const uint8_t *data;
    uint32_t size_bytes;
    uint64_t offset_bytes; /* in the file it was read from */
} vsg_obj_gen_binary;

/* file_scope_var_info. Its attributes name strings of a pool that the file does not say: kept
 * as they are. */
typedef struct vsg_obj_file_variable {
    vsg_obj_linkage linkage;
    const char *name;
    visage_type type;
    uint8_t align;
    uint32_t num_elements;
    uint8_t attribute_count;
    const uint8_t *attributes;
    size_t attribute_bytes;
    vsg_obj_place place;
} vsg_obj_file_variable;

/* What only a binary holds. */
typedef struct vsg_obj_stored {
    const char **strings; /* string pool without the null string, the name of the unit first
                             and then the predefined names where the compiler wrote it. Names
                             read from it are these pointers. */
    size_t num_strings;
    const char *pool_name; /* what name_index names, NULL: the unit's name */
    vsg_obj_state *vmes;
    size_t num_vmes;
    vsg_obj_reloc *variable_relocs, *function_relocs;
    size_t num_variable_relocs, num_function_relocs;
    vsg_obj_gen_binary *gen_binaries;
    size_t num_gen_binaries;
    uint8_t input_grfs, return_grfs;   /* of a function, where not as ArgSize, RetValSize say */
    bool linkage_is_explicit;          /* global as 2, where the compiler writes 0 */
    bool is_declaration;               /* an extern function without object */
    uint64_t offset_bytes, size_bytes; /* of the object in its file */
    vsg_obj_damage damage;
    visage_op *stream; /* damage: the operations, as far as they can be told */
    size_t num_stream;
    vsg_obj_inst *whole; /* damage: the instructions before the first incomplete one */
    size_t num_whole;
    uint64_t broken_at; /* BROKEN: offset in the file of what is wrong */
    bool is_cut_off;    /* BROKEN: what follows it was not read */
} vsg_obj_stored;

/* A kernel or function. Variable tables hold user variables: index = position + first. */
typedef struct vsg_obj_unit {
    const char *name;
    const char *file; /* for diagnostics */
    bool is_function;
    vsg_obj_linkage linkage;
    vsg_obj_variable *variables; /* from VSG_ISA_FIRST_VARIABLE */
    size_t num_variables, cap_variables;
    vsg_obj_state *addresses; /* from 0 */
    size_t num_addresses, cap_addresses;
    vsg_obj_state *predicates; /* from 1 */
    size_t num_predicates, cap_predicates;
    vsg_obj_state *samplers; /* from 0 */
    size_t num_samplers, cap_samplers;
    vsg_obj_state *surfaces; /* from VSG_ISA_NUM_SURFACES */
    size_t num_surfaces, cap_surfaces;
    vsg_obj_label *labels; /* from 0 */
    size_t num_labels, cap_labels;
    vsg_obj_input *inputs;
    size_t num_inputs, cap_inputs;
    vsg_obj_inst *insts;
    size_t num_insts, cap_insts;
    bool lacks_insts;            /* of a text, those that could not be read */
    const char **function_decls; /* .funcdecl */
    size_t num_function_decls, cap_function_decls;
    vsg_obj_attributes attributes;
    vsg_obj_place place;
    vsg_obj_stored stored;
} vsg_obj_unit;

typedef struct vsg_obj_module {
    vsg_base_alloc alloc;
    vsg_base_arena arena; /* names, operands, source text */
    visage_platform platform;
    uint32_t version_major, version_minor;
    vsg_obj_layout layout; /* of the binary it was read from */
    vsg_obj_file_variable *file_variables;
    size_t num_file_variables, cap_file_variables;
    vsg_obj_unit **units; /* in file order */
    size_t num_units, cap_units;
    /* Read in spite of errors: to be looked at, never to be run or written. */
    bool is_broken;
    bool header_is_broken;     /* there may be more units */
    uint64_t header_broken_at; /* offset in the file */
} vsg_obj_module;

/* An empty module, NULL when memory is out. Free with vsg_obj_destroy(). alloc: copied. */
vsg_obj_module *vsg_obj_create(const vsg_base_alloc *alloc);
void vsg_obj_destroy(vsg_obj_module **module);

/* Each adds one zeroed record and returns it, NULL when memory is out. Pointers into the tables
 * of a unit are good until the next addition to the same table. name: copied. */
vsg_obj_unit *vsg_obj_add_unit(vsg_obj_module *module, const char *name, size_t length,
                               bool is_function);
vsg_obj_variable *vsg_obj_add_variable(vsg_obj_module *module, vsg_obj_unit *unit);
vsg_obj_state *vsg_obj_add_address(vsg_obj_module *module, vsg_obj_unit *unit);
vsg_obj_state *vsg_obj_add_predicate(vsg_obj_module *module, vsg_obj_unit *unit);
vsg_obj_state *vsg_obj_add_sampler(vsg_obj_module *module, vsg_obj_unit *unit);
vsg_obj_state *vsg_obj_add_surface(vsg_obj_module *module, vsg_obj_unit *unit);
vsg_obj_label *vsg_obj_add_label(vsg_obj_module *module, vsg_obj_unit *unit);
vsg_obj_input *vsg_obj_add_input(vsg_obj_module *module, vsg_obj_unit *unit);
vsg_obj_file_variable *vsg_obj_add_file_variable(vsg_obj_module *module);
vsg_obj_attribute *vsg_obj_add_attribute(vsg_obj_module *module, vsg_obj_attributes *list);
bool vsg_obj_add_function_decl(vsg_obj_module *module, vsg_obj_unit *unit, const char *name,
                               size_t length);
/* operands: copied into the module; may be NULL when num_operands is 0. */
vsg_obj_inst *vsg_obj_add_inst(vsg_obj_module *module, vsg_obj_unit *unit,
                               const vsg_obj_inst *inst);

/* Copies a unit of another module: everything but its string pool, GEN binaries and
 * relocations, which belong to the file it was read from. Labels are called as in text. NULL:
 * memory is out. */
vsg_obj_unit *vsg_obj_copy_unit(vsg_obj_module *module, const vsg_obj_module *source,
                                const vsg_obj_unit *unit);

/* Makes room for exactly `count` records in an empty table of a unit, so that adding that many
 * fails no more and wastes nothing. */
typedef enum vsg_obj_table {
    VSG_OBJ_TABLE_VARIABLES,
    VSG_OBJ_TABLE_ADDRESSES,
    VSG_OBJ_TABLE_PREDICATES,
    VSG_OBJ_TABLE_SAMPLERS,
    VSG_OBJ_TABLE_SURFACES,
    VSG_OBJ_TABLE_LABELS,
    VSG_OBJ_TABLE_INPUTS,
    VSG_OBJ_TABLE_INSTS
} vsg_obj_table;
bool vsg_obj_reserve(vsg_obj_module *module, vsg_obj_unit *unit, vsg_obj_table table,
                     size_t count);

/* A NUL-terminated copy that lives with the module. */
const char *vsg_obj_text(vsg_obj_module *module, const char *text, size_t length);

/* Bytes of an attribute's string, which may hold NULs: a binary has a code for some words. */
size_t vsg_obj_attribute_string_bytes(const vsg_obj_attribute *attribute);
/* The attribute called `name`, NULL when there is none. */
const vsg_obj_attribute *vsg_obj_attribute_find(const vsg_obj_attributes *list,
                                                const char *name);
/* Its integer value (a flag without value is 1), or `otherwise`. */
int64_t vsg_obj_attribute_value(const vsg_obj_attributes *list, const char *name,
                                int64_t otherwise);

/* Facts of general variable `id`, predefined ones included; false for an index that names
 * nothing. */
typedef struct vsg_obj_variable_facts {
    const char *name;
    visage_type type;
    uint32_t num_elements, size_bytes;
    uint32_t alias, alias_offset_bytes; /* VSG_OBJ_NO_ALIAS: a root */
    uint8_t align;
    bool predefined;
    uint32_t
        flags; /* VSG_ISA_VAR_* where predefined; SHARED where it is an alias of a file-scope
                  variable, which makes it a root: alias_offset_bytes behind that one */
    bool in_file;
    uint32_t file_variable; /* in_file: index as the unit has it, see vsg_obj_resolve() */
} vsg_obj_variable_facts;
bool vsg_obj_variable_get(const vsg_obj_unit *unit, uint32_t id, vsg_obj_variable_facts *out);

/* Follows aliases: root variable and byte offset in it. False when an alias names nothing, goes
 * in a circle or overflows. */
bool vsg_obj_variable_root(const vsg_obj_unit *unit, uint32_t id, uint32_t *root,
                           uint64_t *offset_bytes);

/* Where an instruction stands, for a diagnostic. Its number is that of the compiler's listings
 * ("/// $n"): the index in the unit, where labels, LOC and FILE count too. inst: may be NULL.
 */
vsg_base_location vsg_obj_locate(const vsg_obj_unit *unit, const vsg_obj_inst *inst);

#endif
