/* SPDX-License-Identifier: MIT
 *
 * Data and address parts of LSC instructions: the other direction of parse_lsc.c. Sources:
 * LSC_UNTYPED, LSC_TYPED; spec dialect 4.1, 4.3. */
#include "text/print.h"

#include "isa/lsc.h"

static const vsg_obj_operand *operand_of(const vsg_txt_printer *printer, vsg_txt_role role)
{
    return &printer->inst->operands[printer->form->roles[role]];
}

static bool has_role(const vsg_txt_printer *printer, vsg_txt_role role)
{
    return printer->form->roles[role] != VSG_TXT_NO_OPERAND;
}

bool vsg_txt_has_fixed_shape(const vsg_txt_printer *printer)
{
    const vsg_obj_inst *inst = printer->inst;

    return printer->info->flags & VSG_ISA_FIXED_SHAPE && inst->exec_size == 1 &&
           inst->no_mask && inst->mask_offset == 0 &&
           vsg_txt_role_value(printer, VSG_TXT_ROLE_DATA_SIZE) == VSG_ISA_LSC_D32 &&
           vsg_txt_role_value(printer, VSG_TXT_ROLE_DATA_ORDER) == VSG_ISA_LSC_TRANSPOSED &&
           vsg_txt_role_value(printer, VSG_TXT_ROLE_NUM_ELEMENTS) == VSG_ISA_LSC_X16 &&
           vsg_txt_role_value(printer, VSG_TXT_ROLE_ADDR_SIZE) == VSG_ISA_LSC_A32;
}

/* ---- parts ------------------------------------------------------------------------------ */

/* variable[.bytes] */
static void put_raw(vsg_txt_printer *printer, const vsg_obj_operand *operand)
{
    vsg_txt_put_name(printer, VSG_TXT_KIND_GENERAL, operand->id);
    if (operand->offset_bytes == 0)
        return;
    vsg_txt_put_char(&printer->out, '.');
    vsg_txt_put_signed(&printer->out, operand->offset_bytes);
}

/* Listings leave out the region of one element; another, which a binary may have, counts as
 * that one (5_operands, Scalar Operands). */
static bool has_region(const vsg_obj_operand *operand)
{
    return operand->v_stride != 0 || operand->width != 1 || operand->h_stride != 0;
}

/* variable[(row,column)], one element; an indirect operand; or a number */
static void put_scalar(vsg_txt_printer *printer, const vsg_obj_operand *operand)
{
    vsg_txt_output *out = &printer->out;

    if (operand->class_ == VSG_OBJ_CLASS_IMMEDIATE) {
        vsg_txt_put_hex(
            out, operand->type == VISAGE_TYPE_UQ ? operand->value : (uint32_t)operand->value,
            VSG_TXT_UPPER);
        return;
    }
    if (operand->class_ != VSG_OBJ_CLASS_GENERAL || has_region(operand)) {
        vsg_txt_put_vector(printer, operand, false);
        return;
    }
    vsg_txt_put_name(printer, VSG_TXT_KIND_GENERAL, operand->id);
    if (operand->row == 0 && operand->column == 0)
        return;
    vsg_txt_put_char(out, '(');
    vsg_txt_put_small(out, operand->row);
    vsg_txt_put_char(out, ',');
    vsg_txt_put_small(out, operand->column);
    vsg_txt_put_char(out, ')');
}

/* [blocks x] width x height [n|t][n|t] */
static void put_block2d(vsg_txt_printer *printer)
{
    vsg_txt_output *out = &printer->out;
    uint64_t blocks = vsg_txt_role_value(printer, VSG_TXT_ROLE_NUM_BLOCKS);

    vsg_txt_put_char(out, '.');
    if (blocks != 1) {
        vsg_txt_put_decimal(out, blocks);
        vsg_txt_put_char(out, 'x');
    }
    vsg_txt_put_decimal(out, vsg_txt_role_value(printer, VSG_TXT_ROLE_BLOCK_WIDTH));
    vsg_txt_put_char(out, 'x');
    vsg_txt_put_decimal(out, vsg_txt_role_value(printer, VSG_TXT_ROLE_BLOCK_HEIGHT));
    vsg_txt_put_char(out,
                     vsg_txt_role_value(printer, VSG_TXT_ROLE_DATA_ORDER) == 2 ? 't' : 'n');
    vsg_txt_put_char(out, vsg_txt_role_value(printer, VSG_TXT_ROLE_VNNI) ? 't' : 'n');
}

/* .xyzw */
static void put_quad(vsg_txt_printer *printer)
{
    uint64_t mask = vsg_txt_role_value(printer, VSG_TXT_ROLE_CHANNELS);

    printer->has_no_text |= (mask & 15) == 0;
    vsg_txt_put_char(&printer->out, '.');
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1)
            vsg_txt_put_char(&printer->out, "xyzw"[i]);
}

/* ":" size and what the operation has after it: x elements, t for transposed, and the like */
static void put_shape(vsg_txt_printer *printer)
{
    vsg_txt_output *out = &printer->out;
    uint64_t elements = vsg_txt_role_value(printer, VSG_TXT_ROLE_NUM_ELEMENTS);

    vsg_txt_put_char(out, ':');
    if (!has_role(printer, VSG_TXT_ROLE_DATA_SIZE)) {
        vsg_txt_put_decimal(out, vsg_txt_role_value(printer, VSG_TXT_ROLE_BLOCK_WIDTH));
        vsg_txt_put_char(out, 'x');
        vsg_txt_put_decimal(out, vsg_txt_role_value(printer, VSG_TXT_ROLE_BLOCK_HEIGHT));
        return;
    }
    vsg_txt_put_word(printer, VSG_ISA_WORDS_LSC_DATA_SIZE,
                     vsg_txt_role_value(printer, VSG_TXT_ROLE_DATA_SIZE));
    if (has_role(printer, VSG_TXT_ROLE_BLOCK_WIDTH)) {
        put_block2d(printer);
        return;
    }
    if (printer->info->flags & VSG_ISA_QUAD) {
        put_quad(printer);
        return;
    }
    if (elements != 1)
        vsg_txt_put_word(printer, VSG_ISA_WORDS_LSC_NUM_ELEMENTS, elements);
    if (vsg_txt_role_value(printer, VSG_TXT_ROLE_DATA_ORDER) == 2)
        vsg_txt_put_char(out, 't');
}

/* ---- address ---------------------------------------------------------------------------- */

static int find_model(const char *word)
{
    return vsg_isa_find_word(VSG_ISA_WORDS_LSC_ADDR_TYPE, word, strlen(word));
}

/* What has no operand for it is flat. */
static int model_of(const vsg_txt_printer *printer)
{
    return has_role(printer, VSG_TXT_ROLE_ADDR_TYPE)
               ? (int)(vsg_txt_role_value(printer, VSG_TXT_ROLE_ADDR_TYPE) & 255)
               : find_model("flat");
}

static bool has_surface(const vsg_txt_printer *printer)
{
    int model = model_of(printer);

    if (model == find_model("arg") || !has_role(printer, VSG_TXT_ROLE_SURFACE))
        return false;
    /* A flat address has 0:ud there, or a base. */
    const vsg_obj_operand *surface = operand_of(printer, VSG_TXT_ROLE_SURFACE);
    return model != find_model("flat") || surface->class_ != VSG_OBJ_CLASS_IMMEDIATE ||
           surface->type != VISAGE_TYPE_UD || surface->value != 0;
}

/* flat ["(" base ")"] | arg | (bti | ss | bss) "(" scalar ")" */
static void put_model(vsg_txt_printer *printer)
{
    vsg_txt_output *out = &printer->out;

    vsg_txt_put_word(printer, VSG_ISA_WORDS_LSC_ADDR_TYPE, (uint64_t)model_of(printer));
    if (!has_surface(printer))
        return;
    vsg_txt_put_char(out, '(');
    put_scalar(printer, operand_of(printer, VSG_TXT_ROLE_SURFACE));
    vsg_txt_put_char(out, ')');
}

/* The compiler's listings have lower-case digits, but upper-case ones behind a surface that is
 * a number. */
static const char *address_digits(const vsg_txt_printer *printer)
{
    if (has_surface(printer) &&
        operand_of(printer, VSG_TXT_ROLE_SURFACE)->class_ == VSG_OBJ_CLASS_IMMEDIATE)
        return VSG_TXT_UPPER;
    return VSG_TXT_LOWER;
}

/* +0x10 or -0x10 */
static void put_offset(vsg_txt_printer *printer)
{
    int64_t offset = (int32_t)(uint32_t)vsg_txt_role_value(printer, VSG_TXT_ROLE_ADDR_OFFSET);

    if (offset == 0)
        return;
    vsg_txt_put_char(&printer->out, offset < 0 ? '-' : '+');
    vsg_txt_put_hex(&printer->out, (uint64_t)(offset < 0 ? -offset : offset),
                    address_digits(printer));
}

/* [scale*] address [offset] [, pitch]; a pitch that is not given is variable 0 (spec dialect 2)
 */
static void put_gathered(vsg_txt_printer *printer)
{
    vsg_txt_output *out = &printer->out;
    uint64_t scale = vsg_txt_role_value(printer, VSG_TXT_ROLE_ADDR_SCALE);

    if (scale != 1) {
        vsg_txt_put_hex(out, scale, address_digits(printer));
        vsg_txt_put_char(out, '*');
    }
    put_raw(printer, operand_of(printer, VSG_TXT_ROLE_ADDRESS));
    put_offset(printer);
    if (!has_role(printer, VSG_TXT_ROLE_PITCH))
        return;
    const vsg_obj_operand *pitch = operand_of(printer, VSG_TXT_ROLE_PITCH);
    if (pitch->class_ == VSG_OBJ_CLASS_GENERAL && pitch->id == VSG_ISA_VAR_NULL)
        return;
    vsg_txt_put_text(out, ", ");
    put_scalar(printer, pitch);
}

/* u, v, r, lod, those that are null too; or base, width, height, pitch, x, y; or x, y */
static void put_coordinates(vsg_txt_printer *printer, vsg_txt_role first, unsigned count)
{
    const vsg_obj_operand *operand = operand_of(printer, first);

    for (unsigned i = 0; i < count; i++, operand++) {
        if (i > 0)
            vsg_txt_put_text(&printer->out, ", ");
        if (operand->class_ == VSG_OBJ_CLASS_RAW)
            put_raw(printer, operand);
        else
            put_scalar(printer, operand);
    }
}

/* All four, but of a fixed shape those that are there. */
static unsigned num_coordinates(const vsg_txt_printer *printer)
{
    const vsg_obj_operand *operands = operand_of(printer, VSG_TXT_ROLE_U);
    unsigned count = 4;

    while (vsg_txt_has_fixed_shape(printer) && count > 1 && operands[count - 1].id == 0 &&
           operands[count - 1].offset_bytes == 0)
        count--;
    return count;
}

static void put_brackets(vsg_txt_printer *printer)
{
    vsg_txt_output *out = &printer->out;

    vsg_txt_put_char(out, '[');
    if (has_role(printer, VSG_TXT_ROLE_U))
        put_coordinates(printer, VSG_TXT_ROLE_U, num_coordinates(printer));
    else if (has_role(printer, VSG_TXT_ROLE_SURFACE_BASE))
        put_coordinates(printer, VSG_TXT_ROLE_SURFACE_BASE, 6);
    else if (has_role(printer, VSG_TXT_ROLE_X))
        put_coordinates(printer, VSG_TXT_ROLE_X, 2);
    else
        put_gathered(printer);
    vsg_txt_put_char(out, ']');
    if (!has_role(printer, VSG_TXT_ROLE_ADDR_SIZE) || vsg_txt_has_fixed_shape(printer))
        return;
    vsg_txt_put_char(out, ':');
    vsg_txt_put_word(printer, VSG_ISA_WORDS_LSC_ADDR_SIZE,
                     vsg_txt_role_value(printer, VSG_TXT_ROLE_ADDR_SIZE));
}

/* ---- the whole -------------------------------------------------------------------------- */

void vsg_txt_put_lsc(vsg_txt_printer *printer)
{
    const vsg_txt_form *form = printer->form;
    bool shaped = false;
    bool counter = false; /* an append counter: a surface and no address */

    for (unsigned i = 0; i < form->num_order; i++) {
        uint8_t number = form->order[i];
        vsg_txt_put_text(&printer->out, "  ");
        if (vsg_txt_is_address(form, number)) {
            counter = number == form->roles[VSG_TXT_ROLE_SURFACE];
            put_model(printer);
            if (!counter)
                put_brackets(printer);
            continue;
        }
        put_raw(printer, &printer->inst->operands[number]);
        if ((!shaped && !vsg_txt_has_fixed_shape(printer)) || counter)
            put_shape(printer);
        shaped = true;
    }
}
