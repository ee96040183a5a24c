/* SPDX-License-Identifier: MIT
 *
 * Integer expressions, which may stand wherever an integer may, and immediates. Operators and
 * what binds tighter are the reference parser's (spec dialect 4.2): as in C, except that '|'
 * binds tighter than '^' and '^' tighter than '&'. Arithmetic is that of 64-bit integers, and
 * overflow is an error. */
#include "text/parse.h"

#include <limits.h>
#include <string.h>

enum { MOST_DEPTH = 100 };

typedef enum operation {
    OPERATION_NONE,
    OPERATION_AND,
    OPERATION_XOR,
    OPERATION_OR,
    OPERATION_EQUAL,
    OPERATION_UNEQUAL,
    OPERATION_LESS_EQUAL,
    OPERATION_GREATER_EQUAL,
    OPERATION_LESS,
    OPERATION_GREATER,
    OPERATION_SHIFT_LEFT,
    OPERATION_SHIFT_RIGHT_ZEROS,
    OPERATION_SHIFT_RIGHT,
    OPERATION_ADD,
    OPERATION_SUBTRACT,
    OPERATION_MULTIPLY,
    OPERATION_DIVIDE,
    OPERATION_REMAINDER
} operation;

typedef struct operator_row {
    operation operation;
    int level; /* higher binds tighter; vsg_txt_level says from where on one is read */
    const char *text;
} operator_row;

/* An operator before those that its text begins with: "<=" and "<<" before "<". */
static const operator_row operators[] = {
    {OPERATION_EQUAL, 4, "=="},
    {OPERATION_UNEQUAL, 4, "!="},
    {OPERATION_LESS_EQUAL, 5, "<="},
    {OPERATION_GREATER_EQUAL, 5, ">="},
    {OPERATION_SHIFT_RIGHT_ZEROS, 6, ">>>"},
    {OPERATION_SHIFT_LEFT, 6, "<<"},
    {OPERATION_SHIFT_RIGHT, 6, ">>"},
    {OPERATION_AND, 1, "&"},
    {OPERATION_XOR, 2, "^"},
    {OPERATION_OR, 3, "|"},
    {OPERATION_LESS, 5, "<"},
    {OPERATION_GREATER, 5, ">"},
    {OPERATION_ADD, 7, "+"},
    {OPERATION_SUBTRACT, 7, "-"},
    {OPERATION_MULTIPLY, 8, "*"},
    {OPERATION_DIVIDE, 8, "/"},
    {OPERATION_REMAINDER, 8, "%"},
};

/* Takes an operator of at least `level`. */
static operation take_operator(vsg_txt_parser *parser, int level, int *found_level)
{
    vsg_txt_lexer *lex = &parser->lex;

    vsg_txt_skip_blanks(lex);
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        size_t length = strlen(operators[i].text);
        if (vsg_txt_next(lex) != operators[i].text[0] ||
            (size_t)(lex->end - lex->at) < length ||
            memcmp(lex->at, operators[i].text, length) != 0)
            continue;
        if (operators[i].level < level)
            return OPERATION_NONE;
        lex->at += length;
        *found_level = operators[i].level;
        return operators[i].operation;
    }
    return OPERATION_NONE;
}

/* ---- arithmetic ------------------------------------------------------------------------- */

static bool shift_left(int64_t a, int64_t b, int64_t *result)
{
    if (b < 0 || b > 63)
        return false;
    *result = (int64_t)((uint64_t)a << b);
    return *result >> b == a;
}

static bool arithmetic(operation op, int64_t a, int64_t b, int64_t *result)
{
    switch (op) {
    case OPERATION_ADD:
        return !__builtin_add_overflow(a, b, result);
    case OPERATION_SUBTRACT:
        return !__builtin_sub_overflow(a, b, result);
    case OPERATION_MULTIPLY:
        return !__builtin_mul_overflow(a, b, result);
    case OPERATION_SHIFT_LEFT:
        return shift_left(a, b, result);
    case OPERATION_SHIFT_RIGHT:
        *result = b >= 0 && b <= 63 ? a >> b : 0;
        return b >= 0 && b <= 63;
    case OPERATION_DIVIDE:
    case OPERATION_REMAINDER:
        if (a == INT64_MIN && b == -1)
            return false;
        *result = op == OPERATION_DIVIDE ? a / b : a % b;
        return true;
    case OPERATION_EQUAL:
        *result = a == b;
        return true;
    case OPERATION_UNEQUAL:
        *result = a != b;
        return true;
    case OPERATION_LESS_EQUAL:
        *result = a <= b;
        return true;
    case OPERATION_GREATER_EQUAL:
        *result = a >= b;
        return true;
    case OPERATION_LESS:
        *result = a < b;
        return true;
    case OPERATION_GREATER:
        *result = a > b;
        return true;
    default:
        return false;
    }
}

/* Operators that work on bit patterns, and so on wide numbers too. */
static bool bitwise(operation op, uint64_t a, uint64_t b, uint64_t *result)
{
    switch (op) {
    case OPERATION_AND:
        *result = a & b;
        return true;
    case OPERATION_XOR:
        *result = a ^ b;
        return true;
    case OPERATION_OR:
        *result = a | b;
        return true;
    case OPERATION_SHIFT_RIGHT_ZEROS:
        *result = b <= 63 ? a >> b : 0;
        return b <= 63;
    default:
        return false;
    }
}

static bool apply(vsg_txt_parser *parser, operation op, vsg_obj_place place,
                  vsg_txt_value right, vsg_txt_value *value)
{
    uint64_t bits;

    if ((op == OPERATION_DIVIDE || op == OPERATION_REMAINDER) && right.bits == 0)
        return vsg_txt_report(parser, VSG_DIAG_NUMBER, vsg_txt_since(parser, place),
                              "division by zero");
    if (bitwise(op, (uint64_t)value->bits, (uint64_t)right.bits, &bits)) {
        value->wide = (value->wide || right.wide) && bits > INT64_MAX;
        value->bits = (int64_t)bits;
        return true;
    }
    if (!value->wide && !right.wide && arithmetic(op, value->bits, right.bits, &value->bits))
        return true;
    return vsg_txt_report(parser, VSG_DIAG_NUMBER, vsg_txt_since(parser, place),
                          "the expression leaves the range of 64-bit integers");
}

/* ---- operands --------------------------------------------------------------------------- */

static bool literal(vsg_txt_parser *parser, vsg_txt_value *value)
{
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    vsg_txt_word word;
    uint64_t bits;

    switch (vsg_txt_take_number(&parser->lex, &bits, &word)) {
    case VSG_TXT_NUMBER_OK:
        *value = (vsg_txt_value){(int64_t)bits, bits > INT64_MAX};
        return true;
    case VSG_TXT_NUMBER_LARGE:
        return vsg_txt_report(parser, VSG_DIAG_NUMBER, vsg_txt_since(parser, place),
                              "the number does not fit into 64 bits");
    case VSG_TXT_NUMBER_BAD:
        return vsg_txt_report(parser, VSG_DIAG_NUMBER, vsg_txt_since(parser, place),
                              "the number runs into letters");
    case VSG_TXT_NUMBER_NONE:
        break;
    }
    return vsg_txt_expected(parser, "a number");
}

/* Bytes of a variable; GRF stands for one register, unless a variable is called so. */
static bool size_of(vsg_txt_parser *parser, vsg_txt_value *value)
{
    bool parenthesis = vsg_txt_take(&parser->lex, '(');
    vsg_obj_variable_facts facts;

    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    vsg_txt_word name = vsg_txt_take_name(&parser->lex);
    if (name.length == 0)
        return vsg_txt_expected(parser, "a variable");
    if (vsg_txt_word_is(name, "GRF") && !vsg_txt_find(&parser->variables, name)) {
        uint32_t bytes = visage_platform_grf_bytes(parser->module->platform);
        *value = (vsg_txt_value){bytes ? bytes : 32, false};
        return !parenthesis || vsg_txt_need(parser, ')');
    }
    const vsg_txt_binding *binding =
        vsg_txt_lookup(parser, name, vsg_txt_since(parser, place), "variable");
    if (!binding)
        return false;
    if (binding->kind == VSG_TXT_KIND_ADDRESS)
        *value = (vsg_txt_value){(int64_t)parser->unit->addresses[binding->id].num_elements * 2,
                                 false};
    else if (binding->kind == VSG_TXT_KIND_GENERAL &&
             vsg_obj_variable_get(parser->unit, binding->id, &facts))
        *value = (vsg_txt_value){facts.size_bytes, false};
    else
        return vsg_txt_wrong_kind(parser, name, vsg_txt_since(parser, place), binding->kind,
                                  "general or address variable");
    return !parenthesis || vsg_txt_need(parser, ')');
}

/* Channels of the dispatch: the attribute SimdSize, which must have been given. */
static bool dispatch_size(vsg_txt_parser *parser, vsg_obj_place place, vsg_txt_value *value)
{
    int64_t size = vsg_obj_attribute_value(&parser->unit->attributes, "SimdSize", 0);

    if (size <= 0)
        return vsg_txt_report(parser, VSG_DIAG_NUMBER, vsg_txt_since(parser, place),
                              "no SimdSize is given before %DispatchSimd");
    *value = (vsg_txt_value){size, false};
    return true;
}

bool vsg_txt_is_expression(vsg_txt_parser *parser)
{
    char c = vsg_txt_peek(&parser->lex);

    if (c == '%') {
        vsg_txt_lexer copy = parser->lex;
        vsg_txt_word name = vsg_txt_take_name(&copy);
        return vsg_txt_word_is(name, "%sizeof") || vsg_txt_word_is(name, "%DispatchSimd");
    }
    return vsg_txt_is_digit(c) || c == '-' || c == '(' || c == '~' || c == '!';
}

static bool primary(vsg_txt_parser *parser, vsg_txt_value *value)
{
    if (vsg_txt_take(&parser->lex, '('))
        return vsg_txt_evaluate(parser, VSG_TXT_LEVEL_FULL, value) && vsg_txt_need(parser, ')');
    if (vsg_txt_take_keyword(&parser->lex, "%sizeof"))
        return size_of(parser, value);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    if (vsg_txt_take_keyword(&parser->lex, "%DispatchSimd"))
        return dispatch_size(parser, place, value);
    return literal(parser, value);
}

static bool unary(vsg_txt_parser *parser, vsg_txt_value *value)
{
    char c = vsg_txt_peek(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);

    if (c != '-' && c != '~' && c != '!')
        return primary(parser, value);
    parser->lex.at++;
    if (!vsg_txt_evaluate(parser, VSG_TXT_LEVEL_UNARY, value))
        return false;
    if (c == '!') {
        *value = (vsg_txt_value){value->bits == 0, false};
    } else if (c == '~') {
        value->bits = ~value->bits;
        value->wide = false;
    } else if (value->bits == INT64_MIN && value->wide) {
        value->wide = false; /* -2^63 fits though 2^63 does not */
    } else {
        vsg_txt_value zero = {0, false};
        if (!apply(parser, OPERATION_SUBTRACT, place, *value, &zero))
            return false;
        *value = zero;
    }
    return true;
}

static bool binary(vsg_txt_parser *parser, int level, vsg_txt_value *value)
{
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    operation op;
    int found;

    if (!unary(parser, value))
        return false;
    while ((op = take_operator(parser, level, &found)) != OPERATION_NONE) {
        vsg_txt_value right;
        if (!binary(parser, found + 1, &right) || !apply(parser, op, place, right, value))
            return false;
    }
    return true;
}

static bool conditional(vsg_txt_parser *parser, vsg_txt_value *value)
{
    vsg_txt_value then;

    if (!binary(parser, 1, value))
        return false;
    if (!vsg_txt_take(&parser->lex, '?'))
        return true;
    if (!binary(parser, 1, &then) || !vsg_txt_need(parser, ':'))
        return false;
    bool chosen = value->bits != 0;
    if (!vsg_txt_evaluate(parser, VSG_TXT_LEVEL_FULL, value))
        return false;
    if (chosen)
        *value = then;
    return true;
}

/* Can `c`, behind a literal, be nothing that goes on an expression? False where that is not
 * sure. */
static bool ends_expression(vsg_txt_level level, char c, char next)
{
    switch (c) {
    case ',':
    case ')':
    case ';':
    case ']':
    case ':':
    case '\n':
        return true;
    case '>':
        return level == VSG_TXT_LEVEL_NO_ANGLE && next != '>';
    default:
        return vsg_txt_is_name_start(c);
    }
}

/* Takes an expression that is one literal, which nearly all are. Takes nothing and returns
 * false where it may be more, or none. */
static bool quick_literal(vsg_txt_lexer *lex, vsg_txt_level level, vsg_txt_value *value)
{
    const char *at = vsg_txt_behind_blanks(lex->at, lex->end);
    const char *digits = at;
    uint64_t bits = 0;

    if (lex->end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x') {
        digits = at += 2;
        for (; at < lex->end && vsg_txt_class(*at) & VSG_TXT_HEX; at++)
            bits = bits << 4 | vsg_txt_digit(*at);
    } else {
        for (; at < lex->end && vsg_txt_is_digit(*at); at++)
            bits = bits * 10 + vsg_txt_digit(*at);
    }
    if (at == digits || at - digits > 16 || at == lex->end || vsg_txt_is_name(*at))
        return false;
    if (level < VSG_TXT_LEVEL_UNARY) {
        at = vsg_txt_behind_blanks(at, lex->end);
        if (lex->end - at < 2 || !ends_expression(level, at[0], at[1]))
            return false;
    }
    *value = (vsg_txt_value){(int64_t)bits, bits > INT64_MAX};
    lex->at = at;
    return true;
}

/* Every way to nest goes through here. */
bool vsg_txt_evaluate(vsg_txt_parser *parser, vsg_txt_level level, vsg_txt_value *value)
{
    bool good;

    if (parser->depth < MOST_DEPTH && quick_literal(&parser->lex, level, value))
        return true;
    if (parser->depth == MOST_DEPTH) {
        vsg_obj_place place = vsg_txt_here(&parser->lex);
        place.end_column = place.column + 1;
        return vsg_txt_report(parser, VSG_DIAG_TOO_DEEP, place);
    }
    parser->depth++;
    if (level == VSG_TXT_LEVEL_FULL)
        good = conditional(parser, value);
    else if (level == VSG_TXT_LEVEL_UNARY)
        good = unary(parser, value);
    else if (level == VSG_TXT_LEVEL_PRIMARY)
        good = primary(parser, value);
    else
        good = binary(parser, (int)level, value);
    parser->depth--;
    return good;
}

bool vsg_txt_integer(vsg_txt_parser *parser, vsg_txt_level level, const char *what, int64_t low,
                     int64_t high, int64_t *value)
{
    const char *from = parser->lex.at;
    vsg_txt_value found;

    if (quick_literal(&parser->lex, level, &found)) {
        *value = found.bits;
        if (!found.wide && found.bits >= low && found.bits <= high)
            return true;
        parser->lex.at = from;
    }
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    if (!vsg_txt_evaluate(parser, level, &found))
        return false;
    *value = found.wide ? INT64_MAX : found.bits; /* above any range that is asked for */
    return vsg_txt_in_range(parser, place, what, *value, low, high);
}

/* ---- immediates ------------------------------------------------------------------------- */

bool vsg_txt_type(vsg_txt_parser *parser, visage_type *type)
{
    if (!vsg_txt_take(&parser->lex, ':'))
        return vsg_txt_expected(parser, "':' and a type");
    vsg_txt_lexer before = parser->lex;
    vsg_txt_word word = vsg_txt_take_name(&parser->lex);
    *type = vsg_txt_find_type(parser->tables, word);
    if (*type != VISAGE_TYPE_COUNT)
        return true;
    if (vsg_txt_without_encoding(parser, word, vsg_txt_here(&before)))
        return false;
    parser->lex = before;
    return vsg_txt_expected(parser, "a type such as d, ud or f");
}

static bool fraction(vsg_txt_parser *parser, bool negative, vsg_obj_operand *operand)
{
    static const char *const problems[] = {
        [VSG_TXT_FRACTION_TYPE] = "a number with a fraction has type f, df, hf or bf; other "
                                  "types take integers and bit patterns",
        [VSG_TXT_FRACTION_LONG] = "the number is too long",
        [VSG_TXT_FRACTION_LARGE] = "the number is too large for its type",
    };
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    vsg_txt_word word = vsg_txt_take_fraction(&parser->lex);
    visage_type type;

    place = vsg_txt_since(parser, place);
    if (!vsg_txt_type(parser, &type))
        return false;
    vsg_txt_fraction found = vsg_txt_read_fraction(word, type, &operand->value);
    if (found != VSG_TXT_FRACTION_OK)
        return vsg_txt_report(parser, VSG_DIAG_NUMBER, place, problems[found]);
    operand->type = (uint8_t)type;
    if (negative)
        operand->value |= UINT64_C(1) << (vsg_isa_type(type)->bytes * 8 - 1);
    return true;
}

/* Does the value fit into `bits` bits, as signed or unsigned number or as the sign-extended
 * pattern of 32 or 64 bits that the compiler writes (spec dialect 3: -3:w is 0xfffffffd:w)? */
static bool fits(vsg_txt_value value, unsigned bits)
{
    if (bits == 64)
        return true;
    int64_t limit = (int64_t)1 << bits;
    int64_t low = -(limit / 2);
    if (value.bits >= low && value.bits < (value.wide ? 0 : limit))
        return true;
    return !value.wide && value.bits <= UINT32_MAX && value.bits - ((int64_t)1 << 32) >= low;
}

static bool integer_immediate(vsg_txt_parser *parser, vsg_obj_place place, vsg_txt_value value,
                              vsg_obj_operand *operand)
{
    const vsg_isa_type_info *info = vsg_isa_type(operand->type);
    unsigned bits = info->bytes * 8;

    if (!fits(value, bits))
        return vsg_txt_report(parser, VSG_DIAG_OUT_OF_RANGE, place, "the immediate",
                              value.wide ? LLONG_MAX : (long long)value.bits,
                              -(1LL << (bits - 1)), (1LL << bits) - 1);
    operand->value = vsg_isa_element(info, (uint64_t)value.bits);
    return true;
}

/* An integer of a float type is the bit pattern; a '-' before it flips the sign bit (spec
 * dialect 4.3). */
static bool pattern_immediate(vsg_txt_parser *parser, vsg_obj_place place, vsg_txt_value value,
                              bool negative, vsg_obj_operand *operand)
{
    unsigned bits = vsg_isa_type(operand->type)->bytes * 8;
    uint64_t pattern = (uint64_t)value.bits;

    if (negative)
        pattern = 0 - pattern;
    if (bits < 64 && (value.wide || pattern >> bits))
        return vsg_txt_report(parser, VSG_DIAG_OUT_OF_RANGE, place, "the bit pattern",
                              value.wide ? LLONG_MAX : (long long)value.bits, 0LL,
                              (1LL << bits) - 1);
    operand->value = negative ? pattern ^ (uint64_t)1 << (bits - 1) : pattern;
    return true;
}

/* Eight hexadecimal digits are a narrow immediate's dword as a binary has it (const_opnd, low
 * in 5_operands), whose upper bytes may be anything. */
static bool is_dword(const char *from, const char *end)
{
    enum { LENGTH = 10 };

    return end - from == LENGTH && from[0] == '0' && (from[1] | 0x20) == 'x';
}

bool vsg_txt_immediate(vsg_txt_parser *parser, vsg_obj_operand *operand)
{
    vsg_txt_lexer *lex = &parser->lex;
    bool negative = vsg_txt_peek(lex) == '-';
    vsg_obj_place place = vsg_txt_here(lex);
    const char *from = lex->at;
    vsg_txt_value value;
    visage_type type;

    operand->class_ = VSG_OBJ_CLASS_IMMEDIATE;
    lex->at += negative;
    const char *digits = vsg_txt_run(lex->at, lex->end, VSG_TXT_DIGIT);
    /* Behind digits it shows, behind a blank it does not. */
    if ((digits == lex->at || (digits < lex->end && strchr(".eE", *digits))) &&
        vsg_txt_is_fraction(lex)) {
        vsg_txt_skip_blanks(lex);
        return fraction(parser, negative, operand);
    }
    lex->at = from;
    if (!vsg_txt_evaluate(parser, VSG_TXT_LEVEL_UNARY, &value))
        return false;
    bool dword = is_dword(from, lex->at);
    place = vsg_txt_since(parser, place);
    if (!vsg_txt_type(parser, &type))
        return false;
    operand->type = (uint8_t)type;
    const vsg_isa_type_info *info = vsg_isa_type(type);
    if (dword && info->bytes < sizeof(uint32_t) && info->kind != VSG_ISA_KIND_BOOLEAN) {
        bool is_signed = info->kind == VSG_ISA_KIND_SIGNED;
        operand->value =
            is_signed ? (uint64_t)(int32_t)(uint32_t)value.bits : (uint64_t)value.bits;
        return true;
    }
    switch (info->kind) {
    case VSG_ISA_KIND_FLOAT:
        return pattern_immediate(parser, place, value, negative, operand);
    case VSG_ISA_KIND_BOOLEAN:
        return vsg_txt_report(parser, VSG_DIAG_NUMBER, place, "an immediate cannot be bool");
    default:
        return integer_immediate(parser, place, value, operand);
    }
}
