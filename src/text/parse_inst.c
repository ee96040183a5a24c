/* SPDX-License-Identifier: MIT
 *
 * Instructions: predicate, mnemonic, suffix, execution size, operands. The form of the
 * operation says which of them there are and in which order. Sources: isa/forms.def,
 * 8_appendix_visa_assembly_syntax, spec dialect 4. */
#include "text/parse.h"

#include <stdio.h>
#include <string.h>

/* ---- operands of the instruction being read --------------------------------------------- */

vsg_obj_operand *vsg_txt_add_operand(vsg_txt_parser *parser, vsg_obj_class class_)
{
    void *operands = parser->operands;

    if (!vsg_base_grow(&parser->module->alloc, &operands, parser->num_operands,
                       &parser->cap_operands, sizeof *parser->operands)) {
        (void)vsg_txt_no_memory(parser);
        return NULL;
    }
    parser->operands = operands;
    vsg_obj_operand *operand = &parser->operands[parser->num_operands++];
    *operand = (vsg_obj_operand){.class_ = (uint8_t)class_};
    return operand;
}

void vsg_txt_set(vsg_txt_parser *parser, vsg_txt_role role, uint64_t value)
{
    uint8_t number = parser->form->roles[role];

    if (number != VSG_TXT_NO_OPERAND)
        parser->operands[number].value = value;
}

uint64_t vsg_txt_get(const vsg_txt_parser *parser, vsg_txt_role role)
{
    uint8_t number = parser->form->roles[role];
    return number != VSG_TXT_NO_OPERAND ? parser->operands[number].value : 0;
}

/* The operands until the text says more: absent raw operands are the null register, absent
 * vector operands variable 0 (spec dialect 2, 3). There is room for all but the entries of a
 * list. */
static void start_operands(vsg_txt_parser *parser, visage_op op)
{
    static const uint8_t classes[] = {
        [VSG_ISA_SLOT_RAW_DST] = VSG_OBJ_CLASS_RAW,
        [VSG_ISA_SLOT_RAW_SRC] = VSG_OBJ_CLASS_RAW,
        [VSG_ISA_SLOT_SURFACE] = VSG_OBJ_CLASS_SURFACE,
        [VSG_ISA_SLOT_SAMPLER] = VSG_OBJ_CLASS_SAMPLER,
        [VSG_ISA_SLOT_LABEL] = VSG_OBJ_CLASS_LABEL,
        [VSG_ISA_SLOT_NAME16] = VSG_OBJ_CLASS_NAME,
        [VSG_ISA_SLOT_NAME32] = VSG_OBJ_CLASS_NAME,
        [VSG_ISA_SLOT_U8] = VSG_OBJ_CLASS_NUMBER,
        [VSG_ISA_SLOT_U16] = VSG_OBJ_CLASS_NUMBER,
        [VSG_ISA_SLOT_U32] = VSG_OBJ_CLASS_NUMBER,
        [VSG_ISA_SLOT_VARIABLE] = VSG_OBJ_CLASS_VARIABLE,
        [VSG_ISA_SLOT_COUNT8] = VSG_OBJ_CLASS_NUMBER,
    };
    const vsg_txt_form *form = &parser->tables->forms[vsg_isa_op(op)->form];

    parser->inst.op = op;
    parser->form = form;
    parser->num_operands = 0;
    for (unsigned i = 0; i < form->num_operands; i++) {
        vsg_isa_slot_kind kind = form->kinds[i];
        if (kind == VSG_ISA_SLOT_RAW_LIST || kind == VSG_ISA_SLOT_LABEL_LIST)
            continue;
        uint8_t class_ = classes[kind];
        parser->operands[parser->num_operands++] =
            (vsg_obj_operand){.class_ = class_, .width = class_ == VSG_OBJ_CLASS_GENERAL};
    }
}

static bool finish(vsg_txt_parser *parser, vsg_obj_place start)
{
    parser->inst.place = vsg_txt_since(parser, start);
    parser->inst.operands = parser->operands;
    parser->inst.num_operands = (uint16_t)parser->num_operands;
    return vsg_obj_add_inst(parser->module, parser->unit, &parser->inst) != NULL ||
           vsg_txt_no_memory(parser);
}

/* ---- predicate -------------------------------------------------------------------------- */

/* [ "(" [!] predicate [.any | .all] ")" ] */
static bool predicate(vsg_txt_parser *parser, vsg_obj_place *place)
{
    vsg_txt_lexer *lex = &parser->lex;
    uint32_t id;
    vsg_txt_word word;

    *place = vsg_txt_here(lex);
    if (!vsg_txt_take(lex, '(')) {
        place->line = 0;
        return true;
    }
    parser->inst.predicate_inverse = vsg_txt_take(lex, '!');
    if (!vsg_txt_name_of_kind(parser, VSG_TXT_KIND_PREDICATE, &id))
        return false;
    parser->inst.predicate = (uint16_t)id;
    vsg_obj_place suffix = vsg_txt_here(lex);
    if (vsg_txt_take_suffix(lex, &word)) {
        if (vsg_txt_word_is(word, "any"))
            parser->inst.predicate_combine = VSG_OBJ_COMBINE_ANY;
        else if (vsg_txt_word_is(word, "all"))
            parser->inst.predicate_combine = VSG_OBJ_COMBINE_ALL;
        else
            return vsg_txt_report(parser, VSG_DIAG_SYNTAX, vsg_txt_since(parser, suffix),
                                  "a suffix of the predicate", "any or all");
    }
    if (!vsg_txt_need(parser, ')'))
        return false;
    *place = vsg_txt_since(parser, *place);
    /* P0 stands for "not predicated" (8_appendix_visa_assembly_syntax, Predicate). */
    if (id == 0 && (parser->inst.predicate_inverse || parser->inst.predicate_combine))
        return vsg_txt_report(parser, VSG_DIAG_SYNTAX, *place, "P0 with '!', any or all",
                              "P0 alone or another predicate");
    return true;
}

/* ---- mnemonic --------------------------------------------------------------------------- */

static bool unknown(vsg_txt_parser *parser, vsg_txt_word text, vsg_obj_place place)
{
    char message[VSG_TXT_MESSAGE_SIZE];
    size_t length = 0;

    while (length < text.length && text.text[length] != '.')
        length++;
    vsg_txt_word word = {text.text, length};
    parser->lex.at += length;
    if (vsg_txt_without_encoding(parser, word, place))
        return false;
    place.end_column = place.column + (uint32_t)length;
    const char *near = vsg_isa_suggest(word.text, word.length);
    return vsg_txt_report(parser, VSG_DIAG_UNKNOWN_MNEMONIC, place,
                          vsg_txt_message(word, message), near ? ", did you mean '" : "",
                          near ? near : "", near ? "'?" : "");
}

/* raw_sends_eot: a suffix that is written without a dot. */
static visage_op find_eot(const vsg_txt_parser *parser, vsg_txt_word text, size_t *length)
{
    const char *eot = "_eot";
    vsg_txt_word stem = text;

    stem.length = 0;
    while (stem.length < text.length && text.text[stem.length] != '.')
        stem.length++;
    if (stem.length < strlen(eot) ||
        memcmp(stem.text + stem.length - strlen(eot), eot, strlen(eot)) != 0)
        return VISAGE_OP_COUNT;
    stem.length -= strlen(eot);
    visage_op op = vsg_txt_find_mnemonic(parser->tables, stem, length);
    if (op != VISAGE_OP_COUNT && vsg_isa_op(op)->suffix != VSG_ISA_SUFFIX_RAW_SENDS)
        return VISAGE_OP_COUNT;
    return op;
}

/* Typed LSC operations are told from untyped ones by their suffix. */
static visage_op choose_typed(const vsg_txt_parser *parser, visage_op op)
{
    const vsg_isa_op_info *info = vsg_isa_op(op);
    vsg_txt_word word;

    if (info->suffix != VSG_ISA_SUFFIX_LSC)
        return op;
    vsg_txt_lexer copy = parser->lex;
    if (!vsg_txt_take_suffix(&copy, &word) || !vsg_txt_word_is(word, "tgm"))
        return op;
    return vsg_isa_find_text(info->text, strlen(info->text), true);
}

static bool mnemonic(vsg_txt_parser *parser, visage_op *op)
{
    vsg_txt_lexer *lex = &parser->lex;

    vsg_txt_skip_blanks(lex);
    vsg_obj_place place = vsg_txt_here(lex);
    vsg_txt_word text = {lex->at, 0};
    size_t length = 0;
    if (!vsg_txt_is_name_start(vsg_txt_next(lex)))
        return vsg_txt_expected(parser, "an instruction");
    const char *end = lex->at;
    do
        end = vsg_txt_run(end + 1, lex->end, VSG_TXT_LETTER | VSG_TXT_DIGIT);
    while (end < lex->end && *end == '.');
    text.length = (size_t)(end - lex->at);
    *op = vsg_txt_find_mnemonic(parser->tables, text, &length);
    if (*op == VISAGE_OP_COUNT)
        *op = find_eot(parser, text, &length);
    if (*op == VISAGE_OP_COUNT)
        return unknown(parser, text, place);
    lex->at += length;
    *op = choose_typed(parser, *op);
    return true;
}

/* ---- execution size --------------------------------------------------------------------- */

/* M1 .. M8, M1_NM .. M8_NM, NoMask (which is M1_NM) */
static bool read_mask(vsg_txt_word word, vsg_obj_inst *inst)
{
    if (vsg_txt_word_is(word, "NoMask")) {
        inst->no_mask = true;
        return true;
    }
    if (word.length < 2 || word.text[0] != 'M' || word.text[1] < '1' || word.text[1] > '8')
        return false;
    inst->mask_offset = (uint8_t)((word.text[1] - '1') * 4);
    inst->no_mask = word.length > 2;
    return word.length == 2 ||
           vsg_txt_word_is((vsg_txt_word){word.text + 2, word.length - 2}, "_NM");
}

/* The same in the spelling of listings, which have one blank before the size; takes nothing and
 * returns false where anything is otherwise. */
static bool quick_exec_size(vsg_txt_lexer *lex, vsg_obj_inst *inst)
{
    const char *at = lex->at;

    if (lex->end - at < 16 /* more than it is long */ || *at++ != '(')
        return false;
    vsg_txt_word mask = {at, 2};
    if (at[2] == '_')
        mask.length = 5;
    at += mask.length;
    if (at[0] != ',' || at[1] != ' ' || !vsg_txt_is_digit(at[2]))
        return false;
    at += 2;
    unsigned size = vsg_txt_digit(*at++);
    if (vsg_txt_is_digit(*at))
        size = size * 10 + vsg_txt_digit(*at++);
    if (*at++ != ')' || size < 1 || size > 32 || (size & (size - 1)) || !read_mask(mask, inst))
        return false;
    inst->exec_size = (uint8_t)size;
    lex->at = at;
    return true;
}

/* "(" [mask ","] size ")" */
static bool exec_size(vsg_txt_parser *parser)
{
    char text[VSG_TXT_MESSAGE_SIZE];
    vsg_txt_lexer *lex = &parser->lex;
    vsg_obj_inst *inst = &parser->inst;
    int64_t size;

    vsg_txt_skip_blanks(lex);
    if (quick_exec_size(lex, inst))
        return true;
    vsg_obj_place place = vsg_txt_here(lex);
    if (!vsg_txt_take(lex, '(')) {
        place.end_column = place.column + 1;
        return vsg_txt_report(parser, VSG_DIAG_NO_EXEC_SIZE, place, vsg_isa_op(inst->op)->text);
    }
    if (vsg_txt_is_name_start(vsg_txt_peek(lex))) {
        place = vsg_txt_here(lex);
        vsg_txt_word word = vsg_txt_take_name(lex);
        if (!read_mask(word, inst))
            return vsg_txt_report(parser, VSG_DIAG_BAD_MASK, vsg_txt_since(parser, place),
                                  vsg_txt_message(word, text));
        if (!vsg_txt_need(parser, ','))
            return false;
    }
    vsg_txt_skip_blanks(lex);
    place = vsg_txt_here(lex);
    if (!vsg_txt_integer(parser, VSG_TXT_LEVEL_FULL, "the execution size", 0, INT64_MAX, &size))
        return false;
    bool is_illegal = size < 1 || size > 32 || (size & (size - 1));
    if (is_illegal && size <= UINT8_MAX && parser->input->is_judged_later)
        parser->has_illegal = true;
    else if (is_illegal)
        return vsg_txt_report(parser, VSG_DIAG_BAD_EXEC_SIZE, vsg_txt_since(parser, place),
                              (long long)size);
    inst->exec_size = (uint8_t)size;
    return vsg_txt_need(parser, ')');
}

/* ---- operand layouts -------------------------------------------------------------------- */

static bool set_count(vsg_txt_parser *parser, vsg_obj_place place)
{
    size_t count = parser->num_operands - parser->form->list;

    for (unsigned i = 0; i < parser->form->num_operands; i++)
        if (parser->form->kinds[i] == VSG_ISA_SLOT_COUNT8)
            parser->operands[i].value = count;
    return vsg_txt_in_range(parser, place, "the length of the list", (int64_t)count, 1,
                            UINT8_MAX);
}

/* Raw operands up to the end of the line. */
static bool raw_list(vsg_txt_parser *parser)
{
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    char c;

    while ((c = vsg_txt_peek(&parser->lex)) != '\n' && c != '}') {
        vsg_obj_operand *operand = vsg_txt_add_operand(parser, VSG_OBJ_CLASS_RAW);
        if (!operand || !vsg_txt_raw(parser, operand))
            return false;
    }
    return set_count(parser, place);
}

/* "(" label { "," label } ")"; the reference parser does without commas too. */
static bool label_list(vsg_txt_parser *parser)
{
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);

    if (!vsg_txt_need(parser, '('))
        return false;
    while (!vsg_txt_take(&parser->lex, ')')) {
        vsg_obj_operand *operand = vsg_txt_add_operand(parser, VSG_OBJ_CLASS_LABEL);
        if (!operand || !vsg_txt_operand(parser, (uint32_t)(parser->num_operands - 1)))
            return false;
        (void)vsg_txt_take(&parser->lex, ',');
    }
    return set_count(parser, place);
}

/* The operands of `order` from its place `from` on. */
static bool operands(vsg_txt_parser *parser, unsigned from)
{
    const vsg_txt_form *form = parser->form;

    for (unsigned i = from; i < form->num_order; i++) {
        uint8_t number = form->order[i];
        bool good = number != form->list ? vsg_txt_operand(parser, number)
                    : form->kinds[number] == VSG_ISA_SLOT_RAW_LIST ? raw_list(parser)
                                                                   : label_list(parser);
        if (!good)
            return false;
    }
    return true;
}

static bool is_in_order(const vsg_txt_form *form, unsigned number)
{
    return memchr(form->order, (int)number, form->num_order) != NULL;
}

static bool plain(vsg_txt_parser *parser)
{
    const vsg_txt_form *form = parser->form;

    if (form->no_operands)
        return true;
    if (!operands(parser, 0))
        return false;
    for (unsigned i = 1; i < form->num_operands; i++)
        if (form->kinds[i] == VSG_ISA_SLOT_SRC && !is_in_order(form, i))
            parser->operands[i] = parser->operands[i - 1];
    return true;
}

/* "(" units ")": log2 of a number of owords, in bits 0-2 */
static bool size(vsg_txt_parser *parser)
{
    int64_t units;
    unsigned log2 = 0;

    if (!vsg_txt_need(parser, '('))
        return false;
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    if (!vsg_txt_integer(parser, VSG_TXT_LEVEL_FULL, "the size", 1, 16, &units))
        return false;
    while (log2 < 4 && units >> log2 > 1)
        log2++;
    if (units != 1 << log2)
        return vsg_txt_report(parser, VSG_DIAG_NUMBER, vsg_txt_since(parser, place),
                              "the size is no power of two");
    parser->operands[parser->form->order[0]].value |= log2;
    return vsg_txt_need(parser, ')') && operands(parser, 1);
}

/* "(" operand "," operand ... ")" for the first `count` operands, then the others */
static bool grouped(vsg_txt_parser *parser, unsigned count)
{
    if (!vsg_txt_need(parser, '('))
        return false;
    for (unsigned i = 0; i < count; i++)
        if ((i > 0 && !vsg_txt_need(parser, ',')) ||
            !vsg_txt_operand(parser, parser->form->order[i]))
            return false;
    return vsg_txt_need(parser, ')') && operands(parser, count);
}

static bool block(vsg_txt_parser *parser)
{
    return grouped(parser, 2);
}

static bool triple(vsg_txt_parser *parser)
{
    return grouped(parser, 3);
}

/* .mod, which stands behind the execution size as the reference parser has it */
static bool modified(vsg_txt_parser *parser)
{
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    vsg_txt_word word;

    if (!vsg_txt_take_suffix(&parser->lex, &word) || !vsg_txt_word_is(word, "mod"))
        return vsg_txt_bad_suffix(parser, place, word, "mod");
    vsg_txt_set(parser, VSG_TXT_ROLE_MODIFIERS, 1);
    return true;
}

/* An execution size that is coded in operand num_elements: bits 0-1 8, 16, 1 elements, bits 4-7
 * the mask (GATHER, SCATTER). */
static bool num_elements(vsg_txt_parser *parser)
{
    vsg_obj_inst *inst = &parser->inst;

    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    if (!exec_size(parser))
        return false;
    if (parser->form->roles[VSG_TXT_ROLE_MODIFIERS] != VSG_TXT_NO_OPERAND &&
        vsg_txt_peek(&parser->lex) == '.' && !modified(parser))
        return false;
    if (inst->exec_size != 8 && inst->exec_size != 16 && inst->exec_size != 1)
        return vsg_txt_report(parser, VSG_DIAG_NUMBER, vsg_txt_since(parser, place),
                              "the number of elements is not 1, 8 or 16");
    unsigned code = inst->exec_size == 8 ? 0u : inst->exec_size == 16 ? 1u : 2u;
    unsigned mask = inst->mask_offset / 4u + (inst->no_mask ? 8u : 0u);
    vsg_txt_set(parser, VSG_TXT_ROLE_NUM_ELEMENTS, code | mask << 4);
    inst->exec_size = 0;
    inst->mask_offset = 0;
    inst->no_mask = false;
    return operands(parser, 0);
}

static bool rt_write(vsg_txt_parser *parser)
{
    uint64_t mode = vsg_txt_get(parser, VSG_TXT_ROLE_MODE);
    const vsg_txt_form *form = parser->form;

    for (unsigned i = 0; i < form->num_operands; i++)
        if (form->kinds[i] != VSG_ISA_SLOT_U16 && i != form->list &&
            !vsg_txt_operand(parser, i))
            return false;
    const vsg_isa_rt_parameter *parameter;
    for (uint32_t i = 0; (parameter = vsg_isa_rt_parameter_of(i)) != NULL; i++) {
        if (!vsg_txt_has_rt_parameter(parameter, mode))
            continue;
        vsg_obj_operand *operand = vsg_txt_add_operand(parser, VSG_OBJ_CLASS_RAW);
        if (!operand ||
            !(parameter->is_vector ? vsg_txt_vector(parser, VSG_ISA_SLOT_SRC, operand)
                                   : vsg_txt_raw(parser, operand)))
            return false;
    }
    return true;
}

/* raw "/" length, vectors, and a descriptor of 64 bits */
static bool sendg(vsg_txt_parser *parser)
{
    const vsg_txt_form *form = parser->form;
    vsg_txt_value desc;
    int64_t bytes;

    for (unsigned i = 0; i < form->num_order; i++) {
        uint8_t number = form->order[i];
        if (!vsg_txt_operand(parser, number))
            return false;
        if (parser->operands[number].class_ != VSG_OBJ_CLASS_RAW)
            continue;
        if (!vsg_txt_need(parser, '/') || !vsg_txt_integer(parser, VSG_TXT_LEVEL_PRIMARY,
                                                           "the length", 0, UINT32_MAX, &bytes))
            return false;
        parser->operands[number + 1].value = (uint64_t)bytes;
    }
    if (!vsg_txt_evaluate(parser, VSG_TXT_LEVEL_PRIMARY, &desc))
        return false;
    vsg_txt_set(parser, VSG_TXT_ROLE_DESC_LOW, (uint32_t)desc.bits);
    vsg_txt_set(parser, VSG_TXT_ROLE_DESC_HIGH, (uint64_t)desc.bits >> 32);
    return true;
}

/* LSC pages, Text: [ ( ExecSize ) ]. */
static bool can_omit_size(vsg_txt_parser *parser)
{
    return vsg_isa_form_of(parser->inst.op)->syntax == VSG_ISA_SYNTAX_LSC &&
           vsg_txt_peek(&parser->lex) != '(' && vsg_txt_peek(&parser->lex) != '\n';
}

/* The size that is not given: one channel for blocks and transposed data, else as many as the
 * message has on the platform (CISA.y of intel-graphics-compiler, lscCheckExecSize). */
static bool default_size(vsg_txt_parser *parser, const vsg_txt_lexer *before)
{
    bool block = parser->form->roles[VSG_TXT_ROLE_BLOCK_WIDTH] != VSG_TXT_NO_OPERAND ||
                 vsg_txt_get(parser, VSG_TXT_ROLE_DATA_ORDER) == 2;
    bool typed = parser->form->roles[VSG_TXT_ROLE_SFID] == VSG_TXT_NO_OPERAND;
    visage_platform platform = parser->module->platform;

    if (vsg_isa_op(parser->inst.op)->flags & VSG_ISA_FIXED_SHAPE)
        parser->inst.no_mask = true;
    if (block || parser->inst.no_mask)
        parser->inst.exec_size = 1;
    else if (platform == VISAGE_PLATFORM_DG2)
        parser->inst.exec_size = typed ? 8 : 16;
    else if (platform == VISAGE_PLATFORM_PVC)
        parser->inst.exec_size = typed ? 16 : 32;
    if (parser->inst.exec_size)
        return true;
    vsg_obj_place place = vsg_txt_here(before);
    place.end_column = place.column + 1;
    return vsg_txt_report(parser, VSG_DIAG_NO_EXEC_SIZE, place,
                          vsg_isa_op(parser->inst.op)->text);
}

static bool layout(vsg_txt_parser *parser)
{
    static bool (*const layouts[])(vsg_txt_parser * parser) = {
        [VSG_ISA_SYNTAX_PLAIN] = plain,       [VSG_ISA_SYNTAX_LABEL] = plain,
        [VSG_ISA_SYNTAX_NAME] = plain,        [VSG_ISA_SYNTAX_SIZE] = size,
        [VSG_ISA_SYNTAX_BLOCK] = block,       [VSG_ISA_SYNTAX_TRIPLE] = triple,
        [VSG_ISA_SYNTAX_RT_WRITE] = rt_write, [VSG_ISA_SYNTAX_NUM_ELEMENTS] = num_elements,
        [VSG_ISA_SYNTAX_LSC] = vsg_txt_lsc,   [VSG_ISA_SYNTAX_SENDG] = sendg,
    };
    vsg_isa_syntax syntax = vsg_isa_form_of(parser->inst.op)->syntax;
    bool omits_size = false;

    if (parser->form->has_exec && parser->form->no_operands) {
        parser->inst.exec_size = 1;
        parser->inst.no_mask = true;
    } else if (parser->form->has_exec && !(omits_size = can_omit_size(parser)) &&
               !exec_size(parser)) {
        return false;
    }
    if (!omits_size)
        return layouts[syntax](parser);
    vsg_txt_lexer before = parser->lex;
    return layouts[syntax](parser) && default_size(parser, &before);
}

/* What follows a mnemonic; more operands than its operation has may belong to a longer one. */
static bool suffix_and_operands(vsg_txt_parser *parser)
{
    visage_op longer = (visage_op)vsg_isa_op(parser->inst.op)->longer;

    if (!longer)
        return vsg_txt_suffix(parser) && layout(parser);
    vsg_txt_lexer before = parser->lex;
    vsg_obj_inst inst = parser->inst;
    if (!vsg_txt_suffix(parser) || !layout(parser))
        return false;
    vsg_txt_lexer after = parser->lex;
    char c = vsg_txt_peek(&after);
    if (c == '\n' || c == '}')
        return true;
    parser->lex = before;
    parser->inst = inst;
    start_operands(parser, longer);
    return vsg_txt_suffix(parser) && layout(parser);
}

/* ---- statements ------------------------------------------------------------------------- */

bool vsg_txt_instruction(vsg_txt_parser *parser)
{
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place start = vsg_txt_here(&parser->lex);
    vsg_obj_place predicate_place;
    visage_op op;

    parser->inst = (vsg_obj_inst){.op = VISAGE_OP_COUNT};
    if (!predicate(parser, &predicate_place) || !mnemonic(parser, &op))
        return false;
    start_operands(parser, op);
    bool is_illegal = predicate_place.line && !parser->form->has_predicate;
    if (is_illegal && parser->input->is_judged_later)
        parser->has_illegal = true;
    else if (is_illegal || (predicate_place.line && parser->form->no_operands))
        return vsg_txt_report(parser, VSG_DIAG_NO_PREDICATE, predicate_place,
                              vsg_isa_op(op)->text);
    return suffix_and_operands(parser) && finish(parser, start);
}

bool vsg_txt_line_directive(vsg_txt_parser *parser, visage_op op, vsg_obj_place place)
{
    parser->inst = (vsg_obj_inst){.op = op};
    start_operands(parser, op);
    return layout(parser) && finish(parser, place);
}

bool vsg_txt_place_label(vsg_txt_parser *parser, vsg_txt_word name, vsg_obj_place place)
{
    char text[VSG_TXT_MESSAGE_SIZE];
    uint32_t index = vsg_txt_label_of(parser, name, place);

    if (index == UINT32_MAX)
        return false;
    vsg_obj_label *label = &parser->unit->labels[index];
    if (label->kind == VSG_OBJ_LABEL_KERNEL)
        return vsg_txt_report(parser, VSG_DIAG_LABEL_OF_KERNEL, place,
                              vsg_txt_message(name, text));
    if (label->inst < 0)
        label->inst = (int64_t)parser->unit->num_insts;
    else if (parser->input->is_judged_later)
        parser->has_illegal = true;
    else
        return vsg_txt_report(parser, VSG_DIAG_LABEL_REDEFINED, place,
                              vsg_txt_message(name, text));
    bool subroutine = label->kind == VSG_OBJ_LABEL_SUBROUTINE;
    parser->inst = (vsg_obj_inst){0};
    start_operands(parser, subroutine ? VISAGE_OP_SUBROUTINE : VISAGE_OP_LABEL);
    parser->operands[0].id = index;
    parser->operands[0].begin_column =
        (uint16_t)(place.column <= UINT16_MAX ? place.column : 0);
    parser->operands[0].end_column =
        (uint16_t)(place.end_column <= UINT16_MAX ? place.end_column : 0);
    return finish(parser, place);
}
