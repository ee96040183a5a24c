/* SPDX-License-Identifier: MIT
 *
 * Operands. Sources: 5_operands, spec dialect 3 and 4.1. */
#include "text/print.h"

/* ---- parts ------------------------------------------------------------------------------ */

/* <v;w,h>; <w,h> without a vertical stride and <h> without a width, of indirect operands */
static void put_region(vsg_txt_output *out, const vsg_obj_operand *operand)
{
    vsg_txt_put_char(out, '<');
    if (operand->v_stride != VSG_OBJ_STRIDE_NULL) {
        vsg_txt_put_small(out, operand->v_stride);
        vsg_txt_put_char(out, ';');
    }
    if (operand->width != VSG_OBJ_STRIDE_NULL) {
        vsg_txt_put_small(out, operand->width);
        vsg_txt_put_char(out, ',');
    }
    vsg_txt_put_small(out, operand->h_stride);
    vsg_txt_put_char(out, '>');
}

static void put_dst_region(vsg_txt_output *out, const vsg_obj_operand *operand)
{
    vsg_txt_put_char(out, '<');
    vsg_txt_put_small(out, operand->h_stride);
    vsg_txt_put_char(out, '>');
}

static void put_element(vsg_txt_output *out, const vsg_obj_operand *operand)
{
    vsg_txt_put_char(out, '(');
    vsg_txt_put_small(out, operand->offset_elements);
    vsg_txt_put_char(out, ')');
}

static void put_type(vsg_txt_output *out, uint32_t type)
{
    const vsg_isa_type_info *info = vsg_isa_type(type);

    vsg_txt_put_char(out, ':');
    vsg_txt_put_text(out, info ? info->text : "ud");
}

/* .sat of a destination stands in the mnemonic's suffix. */
static void put_modifier(vsg_txt_output *out, uint8_t modifier)
{
    static const char *const texts[] = {
        [VSG_OBJ_MOD_NONE] = "",   [VSG_OBJ_MOD_ABS] = "(abs)",
        [VSG_OBJ_MOD_NEG] = "(-)", [VSG_OBJ_MOD_NEG_ABS] = "(-abs)",
        [VSG_OBJ_MOD_SAT] = "",    [VSG_OBJ_MOD_NOT] = "(~)",
    };

    if (modifier != VSG_OBJ_MOD_NONE && modifier < sizeof texts / sizeof texts[0])
        vsg_txt_put_text(out, texts[modifier]);
}

/* ---- vector operands -------------------------------------------------------------------- */

static void put_general(vsg_txt_printer *printer, const vsg_obj_operand *operand,
                        bool is_destination)
{
    vsg_txt_output *out = &printer->out;

    vsg_txt_put_name(printer, VSG_TXT_KIND_GENERAL, operand->id);
    vsg_txt_put_char(out, '(');
    vsg_txt_put_small(out, operand->row);
    vsg_txt_put_char(out, ',');
    vsg_txt_put_small(out, operand->column);
    vsg_txt_put_char(out, ')');
    if (is_destination)
        put_dst_region(out, operand);
    else if (printer->info->suffix != VSG_ISA_SUFFIX_DPAS) /* whose source has none */
        put_region(out, operand);
}

static void put_indirect(vsg_txt_printer *printer, const vsg_obj_operand *operand,
                         bool is_destination)
{
    vsg_txt_output *out = &printer->out;

    vsg_txt_put_text(out, "r[");
    vsg_txt_put_name(printer, VSG_TXT_KIND_ADDRESS, operand->id);
    put_element(out, operand);
    vsg_txt_put_char(out, ',');
    vsg_txt_put_signed(out, operand->offset_bytes);
    vsg_txt_put_char(out, ']');
    if (is_destination)
        put_dst_region(out, operand);
    else
        put_region(out, operand);
    put_type(out, operand->type);
}

static void put_address(vsg_txt_printer *printer, const vsg_obj_operand *operand)
{
    vsg_txt_output *out = &printer->out;

    vsg_txt_put_name(printer, VSG_TXT_KIND_ADDRESS, operand->id);
    put_element(out, operand);
    vsg_txt_put_char(out, '<');
    vsg_txt_put_small(out, operand->width);
    vsg_txt_put_char(out, '>');
}

/* state: 0 surface, 1 sampler, 2 general */
static void put_state(vsg_txt_printer *printer, const vsg_obj_operand *operand)
{
    static const vsg_txt_kind kinds[] = {VSG_TXT_KIND_SURFACE, VSG_TXT_KIND_SAMPLER,
                                         VSG_TXT_KIND_GENERAL};

    vsg_txt_put_name(printer, kinds[operand->state < 3 ? operand->state : 0], operand->id);
}

static void put_address_of(vsg_txt_printer *printer, const vsg_obj_operand *operand)
{
    vsg_txt_output *out = &printer->out;

    vsg_txt_put_char(out, '&');
    put_state(printer, operand);
    if (operand->offset_bytes == 0)
        return;
    vsg_txt_put_char(out, '[');
    vsg_txt_put_signed(out, operand->offset_bytes);
    vsg_txt_put_char(out, ']');
}

/* Types of up to four bytes are patterns of 32 bits, sign-extended where signed (spec dialect
 * 3). A binary can hold others of narrow types; all eight digits say so. */
static void put_immediate(vsg_txt_output *out, const vsg_obj_operand *operand)
{
    const vsg_isa_type_info *info = vsg_isa_type(operand->type);
    bool wide = info && info->bytes == 8;
    uint32_t dword = (uint32_t)operand->value;

    if (info && !wide && dword != (uint32_t)vsg_isa_element(info, dword))
        vsg_txt_put_dword(out, dword);
    else
        vsg_txt_put_hex(out, wide ? operand->value : dword, VSG_TXT_LOWER);
    put_type(out, operand->type);
}

void vsg_txt_put_vector(vsg_txt_printer *printer, const vsg_obj_operand *operand,
                        bool is_destination)
{
    put_modifier(&printer->out, operand->modifier);
    switch (operand->class_) {
    case VSG_OBJ_CLASS_ADDRESS:
        put_address(printer, operand);
        break;
    case VSG_OBJ_CLASS_PREDICATE:
        vsg_txt_put_name(printer, VSG_TXT_KIND_PREDICATE, operand->id);
        break;
    case VSG_OBJ_CLASS_INDIRECT:
        put_indirect(printer, operand, is_destination);
        break;
    case VSG_OBJ_CLASS_ADDRESS_OF:
        put_address_of(printer, operand);
        break;
    case VSG_OBJ_CLASS_IMMEDIATE:
        put_immediate(&printer->out, operand);
        break;
    case VSG_OBJ_CLASS_STATE:
        put_state(printer, operand);
        put_element(&printer->out, operand);
        break;
    default:
        put_general(printer, operand, is_destination);
        break;
    }
}

void vsg_txt_put_raw(vsg_txt_printer *printer, const vsg_obj_operand *operand)
{
    vsg_txt_put_name(printer, VSG_TXT_KIND_GENERAL, operand->id);
    vsg_txt_put_char(&printer->out, '.');
    vsg_txt_put_signed(&printer->out, operand->offset_bytes);
}

/* ---- others ----------------------------------------------------------------------------- */

/* Of lifetime: 0 general, 1 address, 2 predicate. */
static void put_variable(vsg_txt_printer *printer, const vsg_obj_operand *operand)
{
    static const vsg_txt_kind kinds[] = {VSG_TXT_KIND_GENERAL, VSG_TXT_KIND_ADDRESS,
                                         VSG_TXT_KIND_PREDICATE};

    vsg_txt_put_name(printer, kinds[operand->state < 3 ? operand->state : 0], operand->id);
}

static void put_string(vsg_txt_printer *printer, const vsg_obj_operand *operand)
{
    const char *name = operand->name ? operand->name : "";

    if (vsg_isa_form_of(printer->inst->op)->syntax == VSG_ISA_SYNTAX_NAME)
        vsg_txt_put_quoted(&printer->out, name);
    else
        vsg_txt_put_name_or_string(printer, name);
}

static void put_number(vsg_txt_printer *printer, uint32_t number,
                       const vsg_obj_operand *operand)
{
    vsg_isa_words list;

    if (vsg_txt_is_worded(printer->form, number, &list))
        vsg_txt_put_word(printer, list, operand->value);
    else if (printer->form->roles[VSG_TXT_ROLE_EX_DESC] == number)
        vsg_txt_put_hex(&printer->out, operand->value, VSG_TXT_LOWER);
    else
        vsg_txt_put_decimal(&printer->out, operand->value);
}

void vsg_txt_put_operand(vsg_txt_printer *printer, uint32_t number)
{
    const vsg_txt_form *form = printer->form;
    const vsg_obj_operand *operand = &printer->inst->operands[number];

    switch (form->kinds[number < form->list ? number : form->list]) {
    case VSG_ISA_SLOT_DST:
    case VSG_ISA_SLOT_DST_PRED_OR:
    case VSG_ISA_SLOT_PRED_DST:
    case VSG_ISA_SLOT_ADDR_DST:
    case VSG_ISA_SLOT_STATE_DST:
        vsg_txt_put_vector(printer, operand, true);
        break;
    case VSG_ISA_SLOT_SRC:
    case VSG_ISA_SLOT_SRC_PRED_OR:
    case VSG_ISA_SLOT_ADDR_SRC:
    case VSG_ISA_SLOT_STATE_SRC:
        vsg_txt_put_vector(printer, operand, false);
        break;
    case VSG_ISA_SLOT_RAW_DST:
    case VSG_ISA_SLOT_RAW_SRC:
    case VSG_ISA_SLOT_RAW_LIST:
        vsg_txt_put_raw(printer, operand);
        break;
    case VSG_ISA_SLOT_SURFACE:
        vsg_txt_put_name(printer, VSG_TXT_KIND_SURFACE, operand->id);
        break;
    case VSG_ISA_SLOT_SAMPLER:
        vsg_txt_put_name(printer, VSG_TXT_KIND_SAMPLER, operand->id);
        break;
    case VSG_ISA_SLOT_LABEL:
    case VSG_ISA_SLOT_LABEL_LIST:
        vsg_txt_put_name(printer, VSG_TXT_KIND_LABEL, operand->id);
        break;
    case VSG_ISA_SLOT_NAME16:
    case VSG_ISA_SLOT_NAME32:
        put_string(printer, operand);
        break;
    case VSG_ISA_SLOT_VARIABLE:
        put_variable(printer, operand);
        break;
    default:
        put_number(printer, number, operand);
        break;
    }
}
