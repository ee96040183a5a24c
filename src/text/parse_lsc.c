/* SPDX-License-Identifier: MIT
 *
 * Data and address parts of LSC instructions. Sources: LSC_UNTYPED, LSC_TYPED (Text, Examples),
 * spec dialect 2, 4.1 to 4.3. */
#include "text/parse.h"

#include <string.h>

#include "isa/lsc.h"

/* ---- shape of the data ------------------------------------------------------------------ */

static bool bad_shape(vsg_txt_parser *parser, const vsg_txt_lexer *before, const char *what)
{
    parser->lex = *before;
    return vsg_txt_expected(parser, what);
}

/* Takes letters and digits up to an 'x', a 't' or what is neither: no data size has one. */
static vsg_txt_word take_part(vsg_txt_lexer *lex)
{
    vsg_txt_word word = {lex->at, 0};

    while (vsg_txt_is_name(vsg_txt_next(lex)) && *lex->at != 't' &&
           (word.length == 0 || *lex->at != 'x')) {
        lex->at++;
        word.length++;
    }
    return word;
}

/* .xyzw: bit 0 is x */
static bool channel_mask(vsg_txt_parser *parser, unsigned *mask)
{
    static const char letters[] = "xyzw";
    vsg_txt_lexer before = parser->lex;
    vsg_txt_word word;

    *mask = 0;
    if (!vsg_txt_take_suffix(&parser->lex, &word) || word.length == 0)
        return bad_shape(parser, &before, "'.' and channels such as x, xy or xyzw");
    for (size_t i = 0; i < word.length; i++) {
        const char *at = word.text[i] ? strchr(letters, word.text[i]) : NULL;
        unsigned bit = at ? 1u << (at - letters) : 0;
        if (bit <= *mask) /* out of order, twice or no channel */
            return bad_shape(parser, &before, "'.' and channels such as x, xy or xyzw");
        *mask |= bit;
    }
    return true;
}

/* Takes digits. 0: there is no number from 1 to `high`. */
static unsigned take_count(vsg_txt_lexer *lex, unsigned high)
{
    unsigned value = 0;

    for (; vsg_txt_is_digit(vsg_txt_next(lex)); lex->at++)
        if (value <= high)
            value = value * 10 + (unsigned)(*lex->at - '0');
    return value <= high ? value : 0;
}

static bool take_char(vsg_txt_lexer *lex, char c)
{
    bool there = vsg_txt_next(lex) == c;
    lex->at += there;
    return there;
}

/* .[blocks x] width x height [n|t [n|t]]: transposed, VNNI-transformed */
static bool block2d_shape(vsg_txt_parser *parser)
{
    static const char what[] = "'.' and a block such as 16x8nn or 2x16x8nn";
    vsg_txt_lexer *lex = &parser->lex;
    vsg_txt_lexer before = *lex;
    unsigned counts[3] = {0};
    unsigned found = 0;

    if (!take_char(lex, '.'))
        return bad_shape(parser, &before, what);
    do {
        counts[found] = take_count(lex, UINT16_MAX);
        if (counts[found++] == 0)
            return bad_shape(parser, &before, what);
    } while (found < 3 && take_char(lex, 'x'));
    bool transposed = take_char(lex, 't');
    if (transposed || take_char(lex, 'n')) {
        if (take_char(lex, 't'))
            vsg_txt_set(parser, VSG_TXT_ROLE_VNNI, 1);
        else
            (void)take_char(lex, 'n');
    }
    unsigned blocks = found == 3 ? counts[0] : 1;
    if (found < 2 || blocks > UINT8_MAX || vsg_txt_is_name(vsg_txt_next(lex)))
        return bad_shape(parser, &before, what);
    vsg_txt_set(parser, VSG_TXT_ROLE_NUM_BLOCKS, blocks);
    vsg_txt_set(parser, VSG_TXT_ROLE_BLOCK_WIDTH, counts[found - 2]);
    vsg_txt_set(parser, VSG_TXT_ROLE_BLOCK_HEIGHT, counts[found - 1]);
    vsg_txt_set(parser, VSG_TXT_ROLE_DATA_ORDER, transposed ? 2 : 1);
    return true;
}

/* width x height of a typed block */
static bool typed_block_shape(vsg_txt_parser *parser)
{
    vsg_txt_lexer *lex = &parser->lex;
    vsg_txt_lexer before = *lex;
    unsigned width = take_count(lex, UINT16_MAX);
    unsigned height = width && take_char(lex, 'x') ? take_count(lex, UINT16_MAX) : 0;

    if (height == 0 || vsg_txt_is_name(vsg_txt_next(lex)))
        return bad_shape(parser, &before, "a block such as 64x2");
    vsg_txt_set(parser, VSG_TXT_ROLE_BLOCK_WIDTH, width);
    vsg_txt_set(parser, VSG_TXT_ROLE_BLOCK_HEIGHT, height);
    return true;
}

/* [x n] [t] */
static bool vector_shape(vsg_txt_parser *parser)
{
    vsg_txt_lexer *lex = &parser->lex;
    vsg_txt_lexer before = *lex;
    int elements = 1;

    if (vsg_txt_next(lex) == 'x') {
        vsg_txt_word word = take_part(lex);
        elements = vsg_isa_find_word(VSG_ISA_WORDS_LSC_NUM_ELEMENTS, word.text, word.length);
    }
    bool transposed = take_char(lex, 't');
    if (elements < 0 || vsg_txt_is_name(vsg_txt_next(lex)))
        return bad_shape(parser, &before, "x1, x2, x3, x4, x8, x16, x32 or x64, and t");
    /* Both fields hold it: the bytes say so (spec dialect 2). */
    vsg_txt_set(parser, VSG_TXT_ROLE_NUM_ELEMENTS, (uint64_t)elements);
    vsg_txt_set(parser, VSG_TXT_ROLE_CHANNELS, (uint64_t)elements);
    vsg_txt_set(parser, VSG_TXT_ROLE_DATA_ORDER, transposed ? 2 : 1);
    return true;
}

static bool quad_shape(vsg_txt_parser *parser)
{
    unsigned mask;

    if (!channel_mask(parser, &mask))
        return false;
    vsg_txt_set(parser, VSG_TXT_ROLE_NUM_ELEMENTS, mask);
    vsg_txt_set(parser, VSG_TXT_ROLE_CHANNELS, mask);
    vsg_txt_set(parser, VSG_TXT_ROLE_DATA_ORDER, 1);
    return true;
}

/* CISA.y of intel-graphics-compiler, LscTypedReadStateInfo: the text does not say it, unless a
 * binary had another. */
static bool has_fixed_shape(vsg_txt_parser *parser)
{
    return vsg_isa_op(parser->inst.op)->flags & VSG_ISA_FIXED_SHAPE &&
           vsg_txt_peek(&parser->lex) != ':';
}

/* ":" size and what the operation has after it */
static bool shape(vsg_txt_parser *parser)
{
    vsg_txt_lexer *lex = &parser->lex;

    if (has_fixed_shape(parser)) {
        vsg_txt_set(parser, VSG_TXT_ROLE_DATA_SIZE, VSG_ISA_LSC_D32);
        vsg_txt_set(parser, VSG_TXT_ROLE_DATA_ORDER, VSG_ISA_LSC_TRANSPOSED);
        vsg_txt_set(parser, VSG_TXT_ROLE_NUM_ELEMENTS, VSG_ISA_LSC_X16);
        vsg_txt_set(parser, VSG_TXT_ROLE_CHANNELS, VSG_ISA_LSC_X16);
        return true;
    }
    if (!vsg_txt_take(lex, ':'))
        return vsg_txt_expected(parser, "':' and a data size such as d32");
    vsg_txt_skip_blanks(lex);
    if (parser->form->roles[VSG_TXT_ROLE_DATA_SIZE] == VSG_TXT_NO_OPERAND)
        return typed_block_shape(parser);
    vsg_txt_lexer before = *lex;
    vsg_txt_word word = take_part(lex);
    int size = vsg_isa_find_word(VSG_ISA_WORDS_LSC_DATA_SIZE, word.text, word.length);
    if (size < 0)
        return bad_shape(parser, &before, "a data size such as d32");
    vsg_txt_set(parser, VSG_TXT_ROLE_DATA_SIZE, (uint64_t)size);
    if (parser->form->roles[VSG_TXT_ROLE_BLOCK_WIDTH] != VSG_TXT_NO_OPERAND)
        return block2d_shape(parser);
    if (vsg_isa_op(parser->inst.op)->flags & VSG_ISA_QUAD)
        return quad_shape(parser);
    return vector_shape(parser);
}

/* ---- address ---------------------------------------------------------------------------- */

/* r[ */
static bool is_indirect(const vsg_txt_lexer *lex)
{
    vsg_txt_lexer ahead = *lex;
    vsg_txt_word word = vsg_txt_take_name(&ahead);

    return vsg_txt_word_is(word, "r") && vsg_txt_peek(&ahead) == '[';
}

/* variable [(row, column)] [region] or variable.column, one element; an indirect operand; or an
 * integer, which is of `type`, ud or uq */
static bool scalar_of(vsg_txt_parser *parser, visage_type type, vsg_obj_operand *operand)
{
    vsg_txt_lexer *lex = &parser->lex;
    int64_t value;

    vsg_txt_skip_blanks(lex);
    vsg_obj_place place = vsg_txt_here(lex);
    if (is_indirect(lex))
        return vsg_txt_vector(parser, VSG_ISA_SLOT_SRC, operand);
    if (!vsg_txt_is_expression(parser)) {
        *operand = (vsg_obj_operand){.class_ = VSG_OBJ_CLASS_GENERAL, .width = 1};
        if (!vsg_txt_name_of_kind(parser, VSG_TXT_KIND_GENERAL, &operand->id))
            return false;
        if (vsg_txt_next(lex) == '.') {
            lex->at++;
            if (!vsg_txt_integer(parser, VSG_TXT_LEVEL_PRIMARY, "the column", 0, UINT8_MAX,
                                 &value))
                return false;
            operand->column = (uint16_t)value;
        } else if (!vsg_txt_row_column(parser, operand) ||
                   (vsg_txt_peek(lex) == '<' && !vsg_txt_region(parser, operand))) {
            return false;
        }
    } else {
        bool wide = type == VISAGE_TYPE_UQ;
        *operand = (vsg_obj_operand){.class_ = VSG_OBJ_CLASS_IMMEDIATE, .type = (uint8_t)type};
        if (!vsg_txt_integer(parser, VSG_TXT_LEVEL_FULL, "the number", wide ? 0 : INT32_MIN,
                             wide ? INT64_MAX : UINT32_MAX, &value))
            return false;
        operand->value = wide ? (uint64_t)value : (uint32_t)value;
    }
    vsg_txt_set_columns(parser, place, operand);
    return true;
}

static bool scalar(vsg_txt_parser *parser, vsg_obj_operand *operand)
{
    return scalar_of(parser, VISAGE_TYPE_UD, operand);
}

static vsg_obj_operand *operand_of(vsg_txt_parser *parser, vsg_txt_role role)
{
    return &parser->operands[parser->form->roles[role]];
}

/* Does one of `characters` follow, with which later releases go on and no binary can? Reports.
 */
static bool has_more(vsg_txt_parser *parser, const char *characters, const char *what)
{
    char c = vsg_txt_peek(&parser->lex);

    if (c == '\0' || !strchr(characters, c))
        return false;
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    place.end_column = place.column + 1;
    (void)vsg_txt_report(parser, VSG_DIAG_NO_ENCODING, place, what);
    return true;
}

/* [flat ["(" base ")"]] | arg | (bti | ss | bss) "(" scalar ")"; where nothing is in
 * parentheses the surface is 0:ud. A base, of later devices, stands where the surface does
 * (CISA.y of intel-graphics-compiler, LscAddrModelOpt). */
static bool model(vsg_txt_parser *parser)
{
    vsg_txt_lexer *lex = &parser->lex;
    bool has_surface = parser->form->roles[VSG_TXT_ROLE_SURFACE] != VSG_TXT_NO_OPERAND;
    vsg_txt_word word = {"flat", 4};
    char expected[64];

    vsg_txt_skip_blanks(lex);
    vsg_txt_lexer before = *lex;
    vsg_obj_place place = vsg_txt_here(lex);
    if (vsg_txt_next(lex) != '[')
        word = vsg_txt_take_letters(lex);
    int code = vsg_isa_find_word(VSG_ISA_WORDS_LSC_ADDR_TYPE, word.text, word.length);
    bool flat = vsg_txt_word_is(word, "flat");
    if (code < 0 && vsg_txt_without_encoding(parser, word, place))
        return false;
    if (code < 0 || (!flat && !has_surface)) {
        vsg_isa_list_words(VSG_ISA_WORDS_LSC_ADDR_TYPE, expected, sizeof expected);
        return bad_shape(parser, &before, has_surface ? expected : "flat");
    }
    vsg_txt_set(parser, VSG_TXT_ROLE_ADDR_TYPE, (uint64_t)code);
    if (!has_surface)
        return true;
    vsg_obj_operand *surface = operand_of(parser, VSG_TXT_ROLE_SURFACE);
    *surface = (vsg_obj_operand){.class_ = VSG_OBJ_CLASS_IMMEDIATE, .type = VISAGE_TYPE_UD};
    if (vsg_txt_word_is(word, "arg") || (flat && vsg_txt_peek(lex) != '('))
        return true;
    if (flat)
        return vsg_txt_need(parser, '(') && scalar_of(parser, VISAGE_TYPE_UQ, surface) &&
               vsg_txt_need(parser, ')');
    if (!vsg_txt_need(parser, '(') || !scalar(parser, surface))
        return false;
    return !has_more(parser, ",", "the index behind a surface") && vsg_txt_need(parser, ')');
}

/* { (+|-) product }: what is added to an address */
static bool immediate_offset(vsg_txt_parser *parser)
{
    vsg_txt_lexer *lex = &parser->lex;
    int64_t sum = 0, term;

    vsg_txt_skip_blanks(lex);
    vsg_obj_place place = vsg_txt_here(lex);
    for (char c; (c = vsg_txt_peek(lex)) == '+' || c == '-';) {
        lex->at++;
        if (!vsg_txt_integer(parser, VSG_TXT_LEVEL_PRODUCT, "the offset", INT32_MIN, INT32_MAX,
                             &term))
            return false;
        sum += c == '+' ? term : -term;
        if (!vsg_txt_in_range(parser, place, "the offset", sum, INT32_MIN, INT32_MAX))
            return false;
    }
    vsg_txt_set(parser, VSG_TXT_ROLE_ADDR_OFFSET, (uint64_t)sum);
    return true;
}

/* [scale *] address {(+|-) offset} [, pitch] */
static bool gathered(vsg_txt_parser *parser)
{
    int64_t scale = 1;

    if (vsg_txt_is_expression(parser) &&
        (!vsg_txt_integer(parser, VSG_TXT_LEVEL_PRIMARY, "the scale", 0, UINT16_MAX, &scale) ||
         !vsg_txt_need(parser, '*')))
        return false;
    vsg_txt_set(parser, VSG_TXT_ROLE_ADDR_SCALE, (uint64_t)scale);
    if (!vsg_txt_raw(parser, operand_of(parser, VSG_TXT_ROLE_ADDRESS)) ||
        !immediate_offset(parser))
        return false;
    if (parser->form->roles[VSG_TXT_ROLE_PITCH] == VSG_TXT_NO_OPERAND ||
        !vsg_txt_take(&parser->lex, ','))
        return true;
    return scalar(parser, operand_of(parser, VSG_TXT_ROLE_PITCH));
}

static const char offset_of_coordinate[] = "an offset of a coordinate";

/* u [, v [, r [, lod]]]: what is left out stays null */
static bool coordinates(vsg_txt_parser *parser)
{
    unsigned first = parser->form->roles[VSG_TXT_ROLE_U];

    for (unsigned i = 0; i < 4; i++) {
        if (i > 0 && !vsg_txt_take(&parser->lex, ','))
            return true;
        if (!vsg_txt_raw(parser, &parser->operands[first + i]) ||
            has_more(parser, "+-", offset_of_coordinate))
            return false;
    }
    return true;
}

/* base, width, height, pitch, x, y; or, of what has a surface, x, y alone */
static bool place2d(vsg_txt_parser *parser, vsg_txt_role role, unsigned count)
{
    unsigned first = parser->form->roles[role];

    for (unsigned i = 0; i < count; i++)
        if ((i > 0 && !vsg_txt_need(parser, ',')) ||
            !scalar(parser, &parser->operands[first + i]) ||
            has_more(parser, "+-", offset_of_coordinate))
            return false;
    return true;
}

static bool address_size(vsg_txt_parser *parser)
{
    char expected[64];

    if (parser->form->roles[VSG_TXT_ROLE_ADDR_SIZE] == VSG_TXT_NO_OPERAND)
        return true;
    if (has_fixed_shape(parser)) {
        vsg_txt_set(parser, VSG_TXT_ROLE_ADDR_SIZE, VSG_ISA_LSC_A32);
        return true;
    }
    if (!vsg_txt_need(parser, ':'))
        return false;
    vsg_txt_lexer before = parser->lex;
    vsg_txt_word word = vsg_txt_take_letters(&parser->lex);
    int code = vsg_isa_find_word(VSG_ISA_WORDS_LSC_ADDR_SIZE, word.text, word.length);
    if (code < 0) {
        vsg_isa_list_words(VSG_ISA_WORDS_LSC_ADDR_SIZE, expected, sizeof expected);
        return bad_shape(parser, &before, expected);
    }
    vsg_txt_set(parser, VSG_TXT_ROLE_ADDR_SIZE, (uint64_t)code);
    return true;
}

static bool brackets(vsg_txt_parser *parser)
{
    const uint8_t *roles = parser->form->roles;

    if (!vsg_txt_need(parser, '['))
        return false;
    vsg_txt_skip_blanks(&parser->lex);
    bool good = roles[VSG_TXT_ROLE_U] != VSG_TXT_NO_OPERAND ? coordinates(parser)
                : roles[VSG_TXT_ROLE_SURFACE_BASE] != VSG_TXT_NO_OPERAND
                    ? place2d(parser, VSG_TXT_ROLE_SURFACE_BASE, 6)
                : roles[VSG_TXT_ROLE_X] != VSG_TXT_NO_OPERAND
                    ? place2d(parser, VSG_TXT_ROLE_X, 2)
                    : gathered(parser);
    return good && vsg_txt_need(parser, ']') && address_size(parser);
}

/* ---- the whole -------------------------------------------------------------------------- */

bool vsg_txt_lsc(vsg_txt_parser *parser)
{
    const vsg_txt_form *form = parser->form;
    bool shaped = false;
    bool counter = false; /* an append counter: a surface and no address */

    for (unsigned i = 0; i < form->num_order; i++) {
        uint8_t number = form->order[i];
        if (vsg_txt_is_address(form, number)) {
            counter = number == form->roles[VSG_TXT_ROLE_SURFACE];
            if (!model(parser) || (!counter && !brackets(parser)))
                return false;
            continue;
        }
        if (!vsg_txt_raw(parser, &parser->operands[number]))
            return false;
        /* The first data operand has a shape; the source of an append counter repeats it. */
        if ((!shaped || counter) && !shape(parser))
            return false;
        shaped = true;
    }
    return true;
}
