/* SPDX-License-Identifier: MIT
 *
 * Part of visage.h: looking into a module, and building one. */
#ifndef VISAGE_RECORD_H
#define VISAGE_RECORD_H

#include "visage.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
