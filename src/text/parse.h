/* SPDX-License-Identifier: MIT
 *
 * What the files of the parser share. Every function that returns bool returns false when the
 * statement cannot be read on: an error has been reported, or memory is out. */
#ifndef VISAGE_TEXT_PARSE_H
#define VISAGE_TEXT_PARSE_H

#include "object/limits.h"
#include "text/form.h"
#include "text/lexer.h"
#include "text/parser.h"
#include "text/symbols.h"
#include "text/tables.h"

/* ---- the parser ------------------------------------------------------------------------- */

/* A '{' that is open. */
typedef struct vsg_txt_scope {
    size_t num_bindings; /* before it */
    vsg_obj_place place;
} vsg_txt_scope;

typedef struct vsg_txt_parser {
    vsg_txt_lexer lex;
    vsg_obj_module *module;
    vsg_obj_unit *unit; /* NULL before the first */
    const vsg_txt_input *input;
    const vsg_txt_tables *tables;
    const char *file; /* the input's name, in the module */
    visage_diagnostics *diagnostics;
    visage_status status;       /* OK or NO_MEMORY */
    size_t errors, inst_errors; /* all, those in instructions or of labels */
    bool has_illegal;           /* something is left to the verifier */
    bool stop;                  /* too many errors, or memory is out */
    bool has_version;           /* .version was there */
    bool has_unit;              /* .kernel or .global_function was there */
    const char *unit_name;      /* of the next unit, in place of the text's; NULL: the text's */
    bool outside;               /* OUTSIDE_UNIT was reported */
    uint32_t depth;             /* of expressions */

    vsg_txt_symbols variables, labels;
    vsg_txt_symbols file_variables; /* of this text; the newest of a name hides the others */
    size_t num_predefined;          /* bindings that every unit has */
    size_t num_kernels;

    vsg_txt_scope *scopes;
    size_t num_scopes, cap_scopes;

    vsg_txt_word align_word; /* what a variable was aligned to that was read quickly */
    uint8_t align;           /* its code */

    /* the instruction being read */
    vsg_obj_inst inst;
    const vsg_txt_form *form;
    vsg_obj_operand *operands;
    size_t num_operands, cap_operands;
} vsg_txt_parser;

/* ---- reporting (parser.c) --------------------------------------------------------------- */

enum { VSG_TXT_MESSAGE_SIZE = 96 };

/* Copies a word for a message: cut, quoted characters made visible. Returns buffer. */
const char *vsg_txt_message(vsg_txt_word word, char buffer[VSG_TXT_MESSAGE_SIZE]);

/* From `start` to where the lexer is, without blanks before that. */
static inline vsg_obj_place vsg_txt_since(const vsg_txt_parser *parser, vsg_obj_place start)
{
    const vsg_txt_lexer *lex = &parser->lex;
    const char *at = lex->at;

    start.end_column = start.column + 1;
    if (lex->line != start.line) /* a long comment has ended on another line */
        return start;
    /* Looking for what did not come has skipped blanks. */
    while (at > lex->line_start && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    uint32_t column = vsg_txt_column(lex, at);
    if (column > start.column)
        start.end_column = column;
    return start;
}

/* Reports an error at a place; the arguments fill its message. Returns false. */
bool vsg_txt_report(vsg_txt_parser *parser, vsg_base_diag diag, vsg_obj_place place, ...);
/* Reports that what comes next is not what was expected. Returns false. */
bool vsg_txt_expected(vsg_txt_parser *parser, const char *what);
/* The same with "a" or "an" before what is expected. */
bool vsg_txt_expected_a(vsg_txt_parser *parser, const char *noun);
const char *vsg_txt_article(const char *noun);
/* Reports that `c` is missing. Returns false. */
bool vsg_txt_missing(vsg_txt_parser *parser, char c);
/* Takes `c` or reports. */
static inline bool vsg_txt_need(vsg_txt_parser *parser, char c)
{
    return vsg_txt_take(&parser->lex, c) || vsg_txt_missing(parser, c);
}
/* Reports a number outside its range. */
bool vsg_txt_outside(vsg_txt_parser *parser, vsg_obj_place place, const char *what,
                     int64_t value, int64_t low, int64_t high);
static inline bool vsg_txt_in_range(vsg_txt_parser *parser, vsg_obj_place place,
                                    const char *what, int64_t value, int64_t low, int64_t high)
{
    return (value >= low && value <= high) ||
           vsg_txt_outside(parser, place, what, value, low, high);
}
/* Reports a number beyond a limit of the documents. */
bool vsg_txt_within(vsg_txt_parser *parser, vsg_obj_place place, vsg_obj_limit limit,
                    uint64_t value);
/* Notes that memory is out. Returns false. */
bool vsg_txt_no_memory(vsg_txt_parser *parser);

/* ---- expressions (expression.c) --------------------------------------------------------- */

/* How much of an expression is read: all, nothing that could end a region at '>', nothing
 * above a product, nothing above a prefix operator, or one literal or parenthesis. */
typedef enum vsg_txt_level {
    VSG_TXT_LEVEL_FULL = 0,
    VSG_TXT_LEVEL_NO_ANGLE = 6,
    VSG_TXT_LEVEL_PRODUCT = 8,
    VSG_TXT_LEVEL_UNARY = 9,
    VSG_TXT_LEVEL_PRIMARY = 10
} vsg_txt_level;

/* bits: the value; `wide`: it is above INT64_MAX and bits are those of an unsigned number. */
typedef struct vsg_txt_value {
    int64_t bits;
    bool wide;
} vsg_txt_value;

bool vsg_txt_evaluate(vsg_txt_parser *parser, vsg_txt_level level, vsg_txt_value *value);
/* Is what comes next no name but an expression (which %sizeof begins too)? */
bool vsg_txt_is_expression(vsg_txt_parser *parser);
/* The same, in a range. */
bool vsg_txt_integer(vsg_txt_parser *parser, vsg_txt_level level, const char *what, int64_t low,
                     int64_t high, int64_t *value);
/* Bits of a literal with a fraction, without a sign. (fraction.c) */
typedef enum vsg_txt_fraction {
    VSG_TXT_FRACTION_OK,
    VSG_TXT_FRACTION_TYPE, /* the type has no fractions */
    VSG_TXT_FRACTION_LONG, /* too many characters */
    VSG_TXT_FRACTION_LARGE /* beyond the type's range */
} vsg_txt_fraction;
vsg_txt_fraction vsg_txt_read_fraction(vsg_txt_word word, visage_type type, uint64_t *bits);
/* value : type, or a fraction : type. */
bool vsg_txt_immediate(vsg_txt_parser *parser, vsg_obj_operand *operand);
/* ':' and a type; *type. */
bool vsg_txt_type(vsg_txt_parser *parser, visage_type *type);

/* ---- names and strings (names.c) -------------------------------------------------------- */

/* What the name means; reports an undeclared one as a `what`. */
const vsg_txt_binding *vsg_txt_lookup(vsg_txt_parser *parser, vsg_txt_word name,
                                      vsg_obj_place place, const char *what);
/* The same, for a name of one kind only. */
bool vsg_txt_lookup_kind(vsg_txt_parser *parser, vsg_txt_word name, vsg_obj_place place,
                         vsg_txt_kind kind, uint32_t *id);
/* Takes a name of one kind. */
bool vsg_txt_name_of_kind(vsg_txt_parser *parser, vsg_txt_kind kind, uint32_t *id);
/* Reports a name of the wrong kind. Returns false. */
bool vsg_txt_wrong_kind(vsg_txt_parser *parser, vsg_txt_word name, vsg_obj_place place,
                        vsg_txt_kind kind, const char *expected);
/* Declares a name in the innermost scope; reports one that is there. */
bool vsg_txt_declare(vsg_txt_parser *parser, vsg_txt_word name, vsg_obj_place place,
                     vsg_txt_kind kind, uint32_t id);
/* Takes a string in quotes; *text, *length: in the module, without escapes. False without a
 * report when no quote is next. */
bool vsg_txt_quoted(vsg_txt_parser *parser, const char **text, size_t *length);
/* The same of a string that is no name and may hold NULs. */
bool vsg_txt_quoted_bytes(vsg_txt_parser *parser, const char **text, size_t *length);
/* Takes a name, or a string in quotes; *word is good as long as the text and the module. */
bool vsg_txt_name_or_string(vsg_txt_parser *parser, const char *what, vsg_txt_word *word);
/* Reports a word that later releases of the compiler read and that no binary can hold; false
 * where it is none of those. */
bool vsg_txt_without_encoding(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place place);
/* Index of the label called `name`, made when it is first met; UINT32_MAX: memory is out. */
uint32_t vsg_txt_label_of(vsg_txt_parser *parser, vsg_txt_word name, vsg_obj_place place);

/* ---- statements ------------------------------------------------------------------------- */

/* Is it a directive that may stand outside of kernels? `word`: without the '.'. */
bool vsg_txt_file_variable(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place start);
bool vsg_txt_starts_unit(vsg_txt_word word);
/* A directive; `word` is its name without the '.', which is taken. (parse_directive.c) */
bool vsg_txt_directive(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place place);
/* Starts a kernel or function; ends the one before. (parser.c) */
bool vsg_txt_begin_unit(vsg_txt_parser *parser, vsg_txt_word name, bool is_function,
                        vsg_obj_place place);
/* .decl, and .input, .parameter and .implicit_*. (parse_decl.c) */
bool vsg_txt_decl(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place start);
bool vsg_txt_input_directive(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place place);
bool vsg_txt_is_implicit(vsg_txt_word word);
/* Reports a directive there is none of. Returns false. */
bool vsg_txt_unknown_directive(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place place);
/* NAME [= value] appended to a list. */
bool vsg_txt_attribute(vsg_txt_parser *parser, vsg_obj_attributes *list);

/* An instruction: all of a statement that is no directive and no label. (parse_inst.c) */
bool vsg_txt_instruction(vsg_txt_parser *parser);
/* A label's instruction. */
bool vsg_txt_place_label(vsg_txt_parser *parser, vsg_txt_word name, vsg_obj_place place);
/* .loc and .file, spellings of LOC and FILE. */
bool vsg_txt_line_directive(vsg_txt_parser *parser, visage_op op, vsg_obj_place place);

/* Appends a zeroed operand of a class to the instruction; NULL when memory is out. */
vsg_obj_operand *vsg_txt_add_operand(vsg_txt_parser *parser, vsg_obj_class class_);
/* Sets the number in a role of the instruction. */
void vsg_txt_set(vsg_txt_parser *parser, vsg_txt_role role, uint64_t value);
uint64_t vsg_txt_get(const vsg_txt_parser *parser, vsg_txt_role role);

/* What follows the mnemonic. (parse_suffix.c) */
bool vsg_txt_suffix(vsg_txt_parser *parser);
/* Reports a suffix that the operation does not have. Returns false. */
bool vsg_txt_bad_suffix(vsg_txt_parser *parser, vsg_obj_place place, vsg_txt_word word,
                        const char *expected);

/* (parse_operand.c) Each fills one operand of the kind of slot it is for. */
bool vsg_txt_operand(vsg_txt_parser *parser, uint32_t number);
bool vsg_txt_vector(vsg_txt_parser *parser, vsg_isa_slot_kind kind, vsg_obj_operand *operand);
bool vsg_txt_raw(vsg_txt_parser *parser, vsg_obj_operand *operand);
/* Sets the columns of an operand that began at `start` and ends here. */
void vsg_txt_set_columns(const vsg_txt_parser *parser, vsg_obj_place start,
                         vsg_obj_operand *operand);
/* <v;w,h> */
bool vsg_txt_region(vsg_txt_parser *parser, vsg_obj_operand *operand);
/* ( row , column ) where they are given. */
bool vsg_txt_row_column(vsg_txt_parser *parser, vsg_obj_operand *operand);

/* Operands of the SYNTAX_LSC forms. (parse_lsc.c) */
bool vsg_txt_lsc(vsg_txt_parser *parser);

#endif
