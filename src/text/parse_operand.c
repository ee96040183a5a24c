/* SPDX-License-Identifier: MIT
 *
 * Operands. What a name is decides the class of a vector operand; the slot it stands in says
 * which classes may be there. Sources: 5_operands, 8_appendix_visa_assembly_syntax, spec
 * dialect 3 and 4. */
#include "text/parse.h"

#include <limits.h>
#include <string.h>

enum {
    CAN_GENERAL = 1,
    CAN_INDIRECT = 2,
    CAN_IMMEDIATE = 4,
    CAN_PREDICATE = 8,
    CAN_ADDRESS = 16,
    CAN_ADDRESS_OF = 32,
    CAN_STATE = 64,
    IS_DESTINATION = 128
};

typedef struct vector_slot {
    unsigned can;
    const char *expected;
} vector_slot;

static const vector_slot vector_slots[] = {
    [VSG_ISA_SLOT_DST] = {IS_DESTINATION | CAN_GENERAL | CAN_INDIRECT, "destination"},
    [VSG_ISA_SLOT_DST_PRED_OR] = {IS_DESTINATION | CAN_GENERAL | CAN_INDIRECT | CAN_PREDICATE,
                                  "destination or predicate"},
    [VSG_ISA_SLOT_PRED_DST] = {IS_DESTINATION | CAN_PREDICATE, "predicate"},
    [VSG_ISA_SLOT_ADDR_DST] = {IS_DESTINATION | CAN_ADDRESS, "address variable"},
    [VSG_ISA_SLOT_STATE_DST] = {IS_DESTINATION | CAN_GENERAL | CAN_STATE,
                                "surface, sampler or destination"},
    [VSG_ISA_SLOT_SRC] = {CAN_GENERAL | CAN_INDIRECT | CAN_IMMEDIATE, "source"},
    [VSG_ISA_SLOT_SRC_PRED_OR] = {CAN_GENERAL | CAN_INDIRECT | CAN_IMMEDIATE | CAN_PREDICATE,
                                  "source or predicate"},
    [VSG_ISA_SLOT_ADDR_SRC] = {CAN_ADDRESS | CAN_ADDRESS_OF, "address variable or &variable"},
    [VSG_ISA_SLOT_STATE_SRC] = {CAN_GENERAL | CAN_INDIRECT | CAN_IMMEDIATE | CAN_STATE,
                                "surface, sampler or source"},
};

void vsg_txt_set_columns(const vsg_txt_parser *parser, vsg_obj_place start,
                         vsg_obj_operand *operand)
{
    vsg_obj_place place = vsg_txt_since(parser, start);

    if (place.end_column > UINT16_MAX)
        return;
    operand->begin_column = (uint16_t)place.column;
    operand->end_column = (uint16_t)place.end_column;
}

/* ---- parts ------------------------------------------------------------------------------ */

/* Listings have no blanks in offsets and regions and short numbers. Functions called quick_*
 * take what is spelled so and all right; they take nothing and return false where anything is
 * otherwise, which is then read the long way. */
enum {
    QUICK_BYTES = 32,  /* more than an offset and a region may have */
    QUICK_OPERAND = 64 /* more than a name of usual length, an offset and a region */
};

static bool has_quick_bytes(const vsg_txt_lexer *lex)
{
    return lex->end - lex->at >= QUICK_BYTES;
}

/* Takes up to three digits; a large number where there are none. */
static unsigned quick_number(const char **at)
{
    unsigned value = (unsigned)(unsigned char)*(*at)++ - '0';

    if (value > 9)
        return UINT_MAX;
    for (unsigned i = 0; i < 2; i++) {
        unsigned digit = (unsigned)(unsigned char)**at - '0';
        if (digit > 9)
            break;
        value = value * 10 + digit;
        (*at)++;
    }
    return value;
}

static bool quick_row_column(const char **at, vsg_obj_operand *operand)
{
    const char *next = *at;

    if (*next++ != '(')
        return false;
    unsigned row = quick_number(&next);
    if (*next++ != ',')
        return false;
    unsigned column = quick_number(&next);
    if (*next++ != ')' || row > UINT8_MAX || column > UINT8_MAX)
        return false;
    operand->row = (uint16_t)row;
    operand->column = (uint16_t)column;
    *at = next;
    return true;
}

bool vsg_txt_row_column(vsg_txt_parser *parser, vsg_obj_operand *operand)
{
    int64_t row, column;

    if (has_quick_bytes(&parser->lex) && quick_row_column(&parser->lex.at, operand))
        return true;
    if (!vsg_txt_take(&parser->lex, '('))
        return true;
    if (!vsg_txt_integer(parser, VSG_TXT_LEVEL_FULL, "the row", 0, UINT8_MAX, &row) ||
        !vsg_txt_need(parser, ',') ||
        !vsg_txt_integer(parser, VSG_TXT_LEVEL_FULL, "the column", 0, UINT8_MAX, &column))
        return false;
    operand->row = (uint16_t)row;
    operand->column = (uint16_t)column;
    return vsg_txt_need(parser, ')');
}

/* "(" element ")" of an address or state variable */
static bool element(vsg_txt_parser *parser, vsg_obj_operand *operand)
{
    int64_t offset;

    if (!vsg_txt_need(parser, '(') ||
        !vsg_txt_integer(parser, VSG_TXT_LEVEL_FULL, "the element", 0, UINT8_MAX, &offset))
        return false;
    operand->offset_elements = (uint8_t)offset;
    return vsg_txt_need(parser, ')');
}

/* One number of a region: what fits, as the verifier knows which are legal. */
enum { MOST_REGION = VSG_OBJ_STRIDE_NULL - 1 };

static bool region_number(vsg_txt_parser *parser, const char *what, uint8_t *out)
{
    int64_t value;

    if (!vsg_txt_integer(parser, VSG_TXT_LEVEL_NO_ANGLE, what, 0, MOST_REGION, &value))
        return false;
    *out = (uint8_t)value;
    return true;
}

static bool h_stride(vsg_txt_parser *parser, vsg_obj_operand *operand)
{
    return region_number(parser, "the horizontal stride", &operand->h_stride);
}

static bool width(vsg_txt_parser *parser, vsg_obj_operand *operand)
{
    return region_number(parser, "the width", &operand->width);
}

static bool v_stride(vsg_txt_parser *parser, vsg_obj_operand *operand)
{
    return region_number(parser, "the vertical stride", &operand->v_stride);
}

static bool quick_dst_region(const char **at, vsg_obj_operand *operand)
{
    const char *next = *at;

    if (*next++ != '<')
        return false;
    unsigned h = quick_number(&next);
    if (*next++ != '>' || h > MOST_REGION)
        return false;
    operand->h_stride = (uint8_t)h;
    *at = next;
    return true;
}

static bool quick_src_region(const char **at, vsg_obj_operand *operand)
{
    const char *next = *at;

    if (*next++ != '<')
        return false;
    unsigned v = quick_number(&next);
    if (*next++ != ';')
        return false;
    unsigned w = quick_number(&next);
    if (*next++ != ',')
        return false;
    unsigned h = quick_number(&next);
    if (*next++ != '>' || v > MOST_REGION || w > MOST_REGION || h > MOST_REGION)
        return false;
    operand->v_stride = (uint8_t)v;
    operand->width = (uint8_t)w;
    operand->h_stride = (uint8_t)h;
    *at = next;
    return true;
}

/* <h> */
static bool dst_region(vsg_txt_parser *parser, vsg_obj_operand *operand)
{
    if (has_quick_bytes(&parser->lex) && quick_dst_region(&parser->lex.at, operand))
        return true;
    return vsg_txt_need(parser, '<') && h_stride(parser, operand) && vsg_txt_need(parser, '>');
}

bool vsg_txt_region(vsg_txt_parser *parser, vsg_obj_operand *operand)
{
    if (has_quick_bytes(&parser->lex) && quick_src_region(&parser->lex.at, operand))
        return true;
    return vsg_txt_need(parser, '<') && v_stride(parser, operand) &&
           vsg_txt_need(parser, ';') && width(parser, operand) && vsg_txt_need(parser, ',') &&
           h_stride(parser, operand) && vsg_txt_need(parser, '>');
}

/* How many ';' and ',' are there before the '>' on this line? */
static void count_separators(const vsg_txt_lexer *lex, unsigned *semicolons, unsigned *commas)
{
    *semicolons = *commas = 0;
    for (const char *at = lex->at; at < lex->end && *at != '>' && *at != '\n'; at++) {
        *semicolons += *at == ';';
        *commas += *at == ',';
    }
}

/* <v;w,h>, or without a vertical stride, which means an address for each row: <;w,h> and <w,h>;
 * and <h>, which leaves the width open too */
static bool indirect_region(vsg_txt_parser *parser, vsg_obj_operand *operand)
{
    vsg_txt_lexer *lex = &parser->lex;
    unsigned semicolons, commas;

    (void)vsg_txt_peek(lex);
    count_separators(lex, &semicolons, &commas);
    vsg_txt_lexer copy = *lex;
    bool null_stride = vsg_txt_take(&copy, '<') && vsg_txt_take(&copy, ';');
    if (semicolons && !null_stride)
        return vsg_txt_region(parser, operand);
    operand->v_stride = VSG_OBJ_STRIDE_NULL;
    if (!semicolons && !commas) {
        operand->width = VSG_OBJ_STRIDE_NULL;
        return dst_region(parser, operand);
    }
    return vsg_txt_need(parser, '<') && (!null_stride || vsg_txt_need(parser, ';')) &&
           width(parser, operand) && vsg_txt_need(parser, ',') && h_stride(parser, operand) &&
           vsg_txt_need(parser, '>');
}

/* ---- vector operands -------------------------------------------------------------------- */

/* r[ address ( element ) [, bytes] ] region : type; the 'r' is taken */
static bool indirect(vsg_txt_parser *parser, unsigned can, vsg_obj_operand *operand)
{
    int64_t bytes = 0;
    visage_type type;

    operand->class_ = VSG_OBJ_CLASS_INDIRECT;
    if (!vsg_txt_need(parser, '[') ||
        !vsg_txt_name_of_kind(parser, VSG_TXT_KIND_ADDRESS, &operand->id) ||
        !element(parser, operand))
        return false;
    if (vsg_txt_take(&parser->lex, ',') &&
        !vsg_txt_integer(parser, VSG_TXT_LEVEL_FULL, "the byte offset", INT16_MIN, INT16_MAX,
                         &bytes))
        return false;
    operand->offset_bytes = (int32_t)bytes;
    if (!vsg_txt_need(parser, ']'))
        return false;
    bool region =
        can & IS_DESTINATION ? dst_region(parser, operand) : indirect_region(parser, operand);
    if (!region)
        return false;
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    if (!vsg_txt_type(parser, &type))
        return false;
    operand->type = (uint8_t)type;
    vsg_isa_kind kind = vsg_isa_type(type)->kind;
    if (kind != VSG_ISA_KIND_PACKED && kind != VSG_ISA_KIND_BOOLEAN)
        return true;
    return vsg_txt_report(parser, VSG_DIAG_SYNTAX, vsg_txt_since(parser, place),
                          "a packed or boolean type", "the type of one element");
}

/* & variable [ "[" bytes "]" ]; the documents write the bytes as + bytes or - bytes, the latter
 * without a blank, since an immediate that follows may be negative */
static bool address_of(vsg_txt_parser *parser, vsg_obj_operand *operand)
{
    vsg_txt_lexer *lex = &parser->lex;
    int64_t bytes = 0;

    operand->class_ = VSG_OBJ_CLASS_ADDRESS_OF;
    lex->at++; /* & */
    vsg_txt_skip_blanks(lex);
    vsg_obj_place place = vsg_txt_here(lex);
    vsg_txt_word name = vsg_txt_take_name(lex);
    if (name.length == 0)
        return vsg_txt_expected(parser, "a variable");
    place = vsg_txt_since(parser, place);
    const vsg_txt_binding *binding = vsg_txt_lookup(parser, name, place, "variable");
    if (!binding)
        return false;
    operand->id = binding->id;
    if (binding->kind == VSG_TXT_KIND_GENERAL)
        operand->state = 2;
    else if (binding->kind == VSG_TXT_KIND_SAMPLER)
        operand->state = 1;
    else if (binding->kind != VSG_TXT_KIND_SURFACE)
        return vsg_txt_wrong_kind(parser, name, place, binding->kind,
                                  "general variable, surface or sampler");
    bool minus = vsg_txt_next(lex) == '-';
    if (vsg_txt_take(lex, '[')) {
        if (!vsg_txt_integer(parser, VSG_TXT_LEVEL_FULL, "the offset", INT16_MIN, INT16_MAX,
                             &bytes) ||
            !vsg_txt_need(parser, ']'))
            return false;
    } else if (minus || vsg_txt_take(lex, '+')) {
        if (!vsg_txt_integer(parser, VSG_TXT_LEVEL_UNARY, "the offset", INT16_MIN, INT16_MAX,
                             &bytes))
            return false;
    }
    operand->offset_bytes = (int32_t)bytes;
    return true;
}

/* What follows the name of a general variable. The last source of dpas has no region: it is
 * read as consecutive elements. */
static bool general(vsg_txt_parser *parser, unsigned can, vsg_obj_operand *operand)
{
    operand->class_ = VSG_OBJ_CLASS_GENERAL;
    if (!vsg_txt_row_column(parser, operand))
        return false;
    if (can & IS_DESTINATION)
        return dst_region(parser, operand);
    if (vsg_isa_op(parser->inst.op)->suffix == VSG_ISA_SUFFIX_DPAS &&
        vsg_txt_peek(&parser->lex) != '<') {
        operand->v_stride = 1;
        operand->width = 1;
        return true;
    }
    return vsg_txt_region(parser, operand);
}

/* A0(0)<n>: n elements of an address variable */
static bool address(vsg_txt_parser *parser, vsg_obj_operand *operand)
{
    operand->class_ = VSG_OBJ_CLASS_ADDRESS;
    return element(parser, operand) && vsg_txt_need(parser, '<') && width(parser, operand) &&
           vsg_txt_need(parser, '>');
}

static bool named(vsg_txt_parser *parser, const vector_slot *slot, unsigned can,
                  vsg_obj_operand *operand)
{
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    vsg_txt_word name = vsg_txt_take_name(&parser->lex);
    place = vsg_txt_since(parser, place);
    const vsg_txt_binding *binding = vsg_txt_lookup(parser, name, place, "variable");

    if (!binding)
        return false;
    vsg_txt_kind kind = binding->kind;
    operand->id = binding->id;
    if (kind == VSG_TXT_KIND_GENERAL && can & CAN_GENERAL)
        return general(parser, can, operand);
    if (kind == VSG_TXT_KIND_ADDRESS && can & CAN_ADDRESS)
        return address(parser, operand);
    if (kind == VSG_TXT_KIND_PREDICATE && can & CAN_PREDICATE && operand->id != 0) {
        operand->class_ = VSG_OBJ_CLASS_PREDICATE;
        return true;
    }
    if ((kind == VSG_TXT_KIND_SURFACE || kind == VSG_TXT_KIND_SAMPLER) && can & CAN_STATE) {
        operand->class_ = VSG_OBJ_CLASS_STATE;
        operand->state = kind == VSG_TXT_KIND_SAMPLER;
        return element(parser, operand);
    }
    return vsg_txt_wrong_kind(parser, name, place, kind, slot->expected);
}

/* A general variable with offset and region behind one blank, if any, and without modifiers
 * but what its operation's suffix has set. */
static bool quick_general(vsg_txt_parser *parser, unsigned can, vsg_obj_operand *operand)
{
    vsg_txt_lexer *lex = &parser->lex;
    const char *from = lex->at;

    if (lex->end - from < QUICK_OPERAND)
        return false;
    from += *from == ' ';
    if (!vsg_txt_is_name_start(*from))
        return false;
    const char *at = vsg_txt_run(from, lex->end - QUICK_BYTES, VSG_TXT_LETTER | VSG_TXT_DIGIT);
    const vsg_txt_word name = {from, (size_t)(at - from)};
    const vsg_txt_binding *binding = vsg_txt_find(&parser->variables, name);
    vsg_obj_operand found = {.class_ = VSG_OBJ_CLASS_GENERAL, .modifier = operand->modifier};
    if (!binding || binding->kind != VSG_TXT_KIND_GENERAL || !quick_row_column(&at, &found) ||
        !(can & IS_DESTINATION ? quick_dst_region(&at, &found) : quick_src_region(&at, &found)))
        return false;
    found.id = binding->id;
    size_t column = (size_t)(from - lex->line_start) + 1;
    size_t end_column = (size_t)(at - lex->line_start) + 1;
    if (end_column <= UINT16_MAX) {
        found.begin_column = (uint16_t)column;
        found.end_column = (uint16_t)end_column;
    }
    *operand = found;
    lex->at = at;
    return true;
}

/* (-) (abs) (-abs) (~), not to be taken for an expression in parentheses */
static vsg_obj_modifier take_modifier(vsg_txt_lexer *lex)
{
    if (vsg_txt_peek(lex) != '(')
        return VSG_OBJ_MOD_NONE;
    vsg_txt_lexer before = *lex;
    vsg_obj_modifier modifier = VSG_OBJ_MOD_NONE;
    lex->at++;
    if (vsg_txt_take(lex, '~'))
        modifier = VSG_OBJ_MOD_NOT;
    else if (vsg_txt_take(lex, '-'))
        modifier = VSG_OBJ_MOD_NEG;
    if (modifier != VSG_OBJ_MOD_NOT && vsg_txt_take_keyword(lex, "abs"))
        modifier = modifier == VSG_OBJ_MOD_NEG ? VSG_OBJ_MOD_NEG_ABS : VSG_OBJ_MOD_ABS;
    if (modifier != VSG_OBJ_MOD_NONE && vsg_txt_take(lex, ')'))
        return modifier;
    *lex = before;
    return VSG_OBJ_MOD_NONE;
}

/* Takes the 'r' of "r[" where no blank is next. */
static bool take_indirect(vsg_txt_lexer *lex)
{
    bool there = lex->end - lex->at >= 2 && lex->at[0] == 'r' && lex->at[1] == '[';

    lex->at += there;
    return there;
}

static bool source_or_destination(vsg_txt_parser *parser, const vector_slot *slot, unsigned can,
                                  vsg_obj_operand *operand)
{
    vsg_txt_lexer *lex = &parser->lex;
    char c = vsg_txt_peek(lex);

    if (c == '&' && can & CAN_ADDRESS_OF)
        return address_of(parser, operand);
    if (can & CAN_INDIRECT && take_indirect(lex))
        return indirect(parser, can, operand);
    bool expression = vsg_txt_is_expression(parser);
    if (expression && can & CAN_IMMEDIATE && operand->modifier == VSG_OBJ_MOD_NONE)
        return vsg_txt_immediate(parser, operand);
    if (vsg_txt_is_name_start(c))
        return named(parser, slot, can, operand);
    vsg_txt_lexer copy = *lex;
    if (!expression && vsg_txt_take_name(&copy).length)
        return named(parser, slot, can, operand);
    return vsg_txt_expected_a(parser, slot->expected);
}

bool vsg_txt_vector(vsg_txt_parser *parser, vsg_isa_slot_kind kind, vsg_obj_operand *operand)
{
    const vector_slot *slot = &vector_slots[kind];
    unsigned can = slot->can;

    if (vsg_isa_op(parser->inst.op)->flags & VSG_ISA_ADDRESS && can & CAN_GENERAL)
        can |= CAN_ADDRESS;
    if (can & CAN_GENERAL && quick_general(parser, can, operand))
        return true;
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    /* A destination keeps .sat, which its suffix has set. */
    *operand = (vsg_obj_operand){.modifier = operand->modifier};
    if (!(can & IS_DESTINATION))
        operand->modifier = (uint8_t)take_modifier(&parser->lex);
    if (!source_or_destination(parser, slot, can, operand))
        return false;
    vsg_txt_set_columns(parser, place, operand);
    return true;
}

/* ---- raw operands ----------------------------------------------------------------------- */

/* variable [ "." bytes ]; bytes a literal or an expression in parentheses */
bool vsg_txt_raw(vsg_txt_parser *parser, vsg_obj_operand *operand)
{
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    int64_t bytes = 0;

    operand->class_ = VSG_OBJ_CLASS_RAW;
    if (!vsg_txt_name_of_kind(parser, VSG_TXT_KIND_GENERAL, &operand->id))
        return false;
    if (vsg_txt_next(&parser->lex) == '.') {
        parser->lex.at++;
        if (!vsg_txt_integer(parser, VSG_TXT_LEVEL_PRIMARY, "the byte offset", 0, UINT16_MAX,
                             &bytes))
            return false;
    }
    operand->offset_bytes = (int32_t)bytes;
    vsg_txt_set_columns(parser, place, operand);
    return true;
}

/* ---- others ----------------------------------------------------------------------------- */

/* A label of another kernel is for FCCALL only, and FCCALL has no other labels. */
static bool label_fits(vsg_txt_parser *parser, vsg_txt_word name, vsg_obj_place place,
                       uint32_t index)
{
    char text[VSG_TXT_MESSAGE_SIZE];
    vsg_obj_label *found = &parser->unit->labels[index];
    bool other = vsg_isa_op(parser->inst.op)->flags & VSG_ISA_OTHER_KERNEL;
    bool is_new = index + 1 == parser->unit->num_labels && found->inst < 0 &&
                  found->place.line == place.line && found->place.column == place.column;

    if (other && is_new)
        found->kind = VSG_OBJ_LABEL_KERNEL;
    return other == (found->kind == VSG_OBJ_LABEL_KERNEL) ||
           vsg_txt_report(parser, VSG_DIAG_LABEL_OF_KERNEL, place, vsg_txt_message(name, text));
}

static bool label(vsg_txt_parser *parser, vsg_obj_operand *operand)
{
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    vsg_txt_word name;

    if (!vsg_txt_name_or_string(parser, "a label", &name))
        return false;
    place = vsg_txt_since(parser, place);
    uint32_t index = vsg_txt_label_of(parser, name, place);
    operand->id = index;
    return index != UINT32_MAX && label_fits(parser, name, place, index);
}

static bool name(vsg_txt_parser *parser, vsg_obj_operand *operand)
{
    vsg_txt_word word;

    if (!vsg_txt_name_or_string(parser, "a name", &word))
        return false;
    operand->name = vsg_obj_text(parser->module, word.text, word.length);
    return operand->name || vsg_txt_no_memory(parser);
}

static bool variable(vsg_txt_parser *parser, vsg_obj_operand *operand)
{
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    vsg_txt_word word = vsg_txt_take_name(&parser->lex);

    if (word.length == 0)
        return vsg_txt_expected(parser, "a variable");
    place = vsg_txt_since(parser, place);
    const vsg_txt_binding *binding = vsg_txt_lookup(parser, word, place, "variable");
    if (!binding)
        return false;
    operand->id = binding->id;
    switch (binding->kind) {
    case VSG_TXT_KIND_GENERAL:
        operand->state = 0;
        break;
    case VSG_TXT_KIND_ADDRESS:
        operand->state = 1;
        break;
    case VSG_TXT_KIND_PREDICATE:
        operand->state = 2;
        break;
    default:
        return vsg_txt_wrong_kind(parser, word, place, binding->kind,
                                  "general variable, address variable or predicate");
    }
    /* LIFETIME: bits 4-5 of the properties are the class of the variable. */
    parser->inst.sub_flags |= (uint16_t)(operand->state << 4);
    return true;
}

static bool number(vsg_txt_parser *parser, uint32_t index, int64_t high,
                   vsg_obj_operand *operand)
{
    char expected[128];
    vsg_isa_words list;
    int64_t value;

    if (vsg_txt_is_worded(parser->form, index, &list)) {
        vsg_txt_lexer before = parser->lex;
        vsg_txt_word word = vsg_txt_take_name(&parser->lex);
        int code = vsg_isa_find_word(list, word.text, word.length);
        operand->value = (uint64_t)code;
        if (code >= 0)
            return true;
        parser->lex = before;
        vsg_isa_list_words(list, expected, sizeof expected);
        return vsg_txt_expected(parser, expected);
    }
    if (!vsg_txt_integer(parser, VSG_TXT_LEVEL_PRIMARY, "the number", 0, high, &value))
        return false;
    operand->value = (uint64_t)value;
    return true;
}

static bool other(vsg_txt_parser *parser, vsg_isa_slot_kind kind, uint32_t index,
                  vsg_obj_operand *operand)
{
    switch (kind) {
    case VSG_ISA_SLOT_SURFACE:
        return vsg_txt_name_of_kind(parser, VSG_TXT_KIND_SURFACE, &operand->id);
    case VSG_ISA_SLOT_SAMPLER:
        return vsg_txt_name_of_kind(parser, VSG_TXT_KIND_SAMPLER, &operand->id);
    case VSG_ISA_SLOT_LABEL:
    case VSG_ISA_SLOT_LABEL_LIST:
        return label(parser, operand);
    case VSG_ISA_SLOT_NAME16:
    case VSG_ISA_SLOT_NAME32:
        return name(parser, operand);
    case VSG_ISA_SLOT_VARIABLE:
        return variable(parser, operand);
    case VSG_ISA_SLOT_U16:
        return number(parser, index, UINT16_MAX, operand);
    case VSG_ISA_SLOT_U32:
        return number(parser, index, UINT32_MAX, operand);
    default:
        return number(parser, index, UINT8_MAX, operand);
    }
}

bool vsg_txt_operand(vsg_txt_parser *parser, uint32_t index)
{
    const vsg_txt_form *form = parser->form;
    vsg_isa_slot_kind kind = form->kinds[index < form->list ? index : form->list];
    vsg_obj_operand *operand = &parser->operands[index];

    if (kind >= VSG_ISA_SLOT_DST && kind <= VSG_ISA_SLOT_STATE_SRC)
        return vsg_txt_vector(parser, kind, operand);
    if (kind == VSG_ISA_SLOT_RAW_DST || kind == VSG_ISA_SLOT_RAW_SRC)
        return vsg_txt_raw(parser, operand);
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    if (!other(parser, kind, index, operand))
        return false;
    vsg_txt_set_columns(parser, place, operand);
    return true;
}
