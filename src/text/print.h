/* SPDX-License-Identifier: MIT
 *
 * What the files of the printer share. Nothing here fails: `out` knows whether memory is out or
 * the caller has refused. Indices that name nothing are printed as such and never followed, so
 * that a module built by hand or read from a damaged file can be shown. */
#ifndef VISAGE_TEXT_PRINT_H
#define VISAGE_TEXT_PRINT_H

#include "object/resolve.h"
#include "text/form.h"
#include "text/output.h"
#include "text/printer.h"
#include "text/symbols.h"

enum {
    VSG_TXT_NUM_KINDS = VSG_TXT_KIND_LABEL + 1,
    VSG_TXT_WORD_LISTS = VSG_ISA_WORDS_COUNT,
    VSG_TXT_WORD_CODES = 32 /* kept; larger codes are rare */
};

/* Names of one kind by index, as they are printed; length 0: the index names nothing. */
typedef struct vsg_txt_names {
    vsg_txt_word *items;
    size_t count;
} vsg_txt_names;

typedef struct vsg_txt_printer {
    vsg_txt_output out;
    const vsg_obj_module *module;
    const vsg_txt_print_options *options;
    bool a_line_each; /* instructions alone: a label is its own line and no more */
    vsg_base_alloc alloc;
    vsg_txt_form forms[VSG_ISA_FORM_COUNT];
    const char *words[VSG_TXT_WORD_LISTS][VSG_TXT_WORD_CODES]; /* NULL: not asked for yet */

    const vsg_obj_unit *unit;
    vsg_base_arena arena; /* of names of the unit */
    vsg_obj_resolver resolver;
    vsg_txt_names names[VSG_TXT_NUM_KINDS];

    /* the instruction being printed */
    const vsg_obj_inst *inst;
    const vsg_isa_op_info *info;
    const vsg_txt_form *form;
    bool has_no_text; /* something of it cannot be read again */
    bool any_has_no_text;
} vsg_txt_printer;

/* Works out the names of the unit: those it has where they can be written, and others where
 * they cannot or where one name has two meanings. False when memory is out. (print_names.c) */
bool vsg_txt_make_names(vsg_txt_printer *printer);
void vsg_txt_put_name(vsg_txt_printer *printer, vsg_txt_kind kind, uint32_t id);
/* Can a variable have the name? */
bool vsg_txt_is_identifier(const char *name);
/* The same of a label; text has it where a name or a string may be. */
bool vsg_txt_is_label(const char *name);
/* With quotes where it cannot stand without. */
void vsg_txt_put_name_or_string(vsg_txt_printer *printer, const char *name);

/* What comes before the instructions of a unit. (print_decl.c) */
void vsg_txt_put_header(vsg_txt_printer *printer);

/* A word of the ISA; the number where the code has no word. (printer.c) */
void vsg_txt_put_word(vsg_txt_printer *printer, vsg_isa_words list, uint64_t code);

/* An instruction or label with its line's end; number: its index, which listings have in a
 * comment. (print_inst.c) */
void vsg_txt_put_inst(vsg_txt_printer *printer, const vsg_obj_inst *inst, uint64_t number);
/* The number in a role of the instruction, 0 where it has no such operand. */
uint64_t vsg_txt_role_value(const vsg_txt_printer *printer, vsg_txt_role role);

/* The module's file-scope variables. (print_decl.c) */
void vsg_txt_put_file_variables(vsg_txt_printer *printer);

/* What follows the mnemonic. (print_suffix.c) */
void vsg_txt_put_suffix(vsg_txt_printer *printer);

/* (print_operand.c) Operand `number` of the instruction, by its slot and class. */
void vsg_txt_put_operand(vsg_txt_printer *printer, uint32_t number);
void vsg_txt_put_vector(vsg_txt_printer *printer, const vsg_obj_operand *operand,
                        bool is_destination);
void vsg_txt_put_raw(vsg_txt_printer *printer, const vsg_obj_operand *operand);

/* Operands of the SYNTAX_LSC forms. (print_lsc.c) */
void vsg_txt_put_lsc(vsg_txt_printer *printer);
/* Does the text leave out execution size, shape and address size (VSG_ISA_FIXED_SHAPE)? */
bool vsg_txt_has_fixed_shape(const vsg_txt_printer *printer);

#endif
