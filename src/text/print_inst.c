/* SPDX-License-Identifier: MIT
 *
 * Instructions: predicate, mnemonic, suffix, execution size, operands. The form of the
 * operation says which of them there are and in which order. Sources: isa/forms.def, spec
 * dialect 4.1. */
#include "text/print.h"

enum { NUMBER_COLUMN = 80 }; /* of the blank before "/// $n" */

uint64_t vsg_txt_role_value(const vsg_txt_printer *printer, vsg_txt_role role)
{
    uint8_t number = printer->form->roles[role];
    return number != VSG_TXT_NO_OPERAND ? printer->inst->operands[number].value : 0;
}

/* ---- before the operands ---------------------------------------------------------------- */

static void put_predicate(vsg_txt_printer *printer)
{
    static const char *const combines[] = {[VSG_OBJ_COMBINE_NONE] = ") ",
                                           [VSG_OBJ_COMBINE_ANY] = ".any) ",
                                           [VSG_OBJ_COMBINE_ALL] = ".all) "};
    const vsg_obj_inst *inst = printer->inst;

    if (inst->predicate == 0)
        return;
    vsg_txt_put_text(&printer->out, inst->predicate_inverse ? "(!" : "(");
    vsg_txt_put_name(printer, VSG_TXT_KIND_PREDICATE, inst->predicate);
    vsg_txt_put_text(&printer->out,
                     combines[inst->predicate_combine < 3 ? inst->predicate_combine : 0]);
}

/* " (M1_NM, 16)" */
static void put_exec(vsg_txt_output *out, unsigned mask, bool no_mask, unsigned size)
{
    vsg_txt_put_text(out, " (M");
    vsg_txt_put_char(out, (char)('1' + (mask & 7)));
    vsg_txt_put_text(out, no_mask ? "_NM, " : ", ");
    vsg_txt_put_small(out, size);
    vsg_txt_put_char(out, ')');
}

/* ---- operand layouts -------------------------------------------------------------------- */

static void put_labels(vsg_txt_printer *printer)
{
    const vsg_obj_inst *inst = printer->inst;

    vsg_txt_put_text(&printer->out, " (");
    for (uint32_t i = printer->form->list; i < inst->num_operands; i++) {
        if (i > printer->form->list)
            vsg_txt_put_text(&printer->out, ", ");
        vsg_txt_put_operand(printer, i);
    }
    vsg_txt_put_char(&printer->out, ')');
}

/* Listings have two blanks before the first vector or raw operand of some forms. */
static bool is_wide(const vsg_txt_printer *printer, uint32_t number)
{
    switch (printer->info->form) {
    case VSG_ISA_FORM_SAMPLE_3D:
        return number == 1 && printer->info->suffix == VSG_ISA_SUFFIX_SAMPLE;
    case VSG_ISA_FORM_LOAD_3D:
    case VSG_ISA_FORM_RESINFO:
    case VSG_ISA_FORM_SAMPLEINFO:
        return number == 1;
    case VSG_ISA_FORM_RAW_SENDS:
        return number == 4;
    case VSG_ISA_FORM_RAW_SEND:
        return number == 3;
    case VSG_ISA_FORM_VME_IME:
        return number == 2;
    case VSG_ISA_FORM_VME_SIC:
    case VSG_ISA_FORM_VME_FBR:
        return number == 0;
    default:
        return false;
    }
}

/* The operands of `order` from its place `from` on. */
static void operands_from(vsg_txt_printer *printer, unsigned from)
{
    const vsg_txt_form *form = printer->form;
    vsg_txt_output *out = &printer->out;

    for (unsigned i = from; i < form->num_order; i++) {
        uint32_t number = form->order[i];
        if (number == form->list && form->kinds[number] == VSG_ISA_SLOT_LABEL_LIST) {
            put_labels(printer);
            continue;
        }
        uint32_t end = number == form->list ? printer->inst->num_operands : number + 1;
        for (; number < end; number++) {
            vsg_txt_put_char(out, ' ');
            if (is_wide(printer, number))
                vsg_txt_put_char(out, ' ');
            vsg_txt_put_operand(printer, number);
        }
    }
}

static void plain(vsg_txt_printer *printer)
{
    if (!printer->form->no_operands)
        operands_from(printer, 0);
}

/* "(" units ")": log2 of a number of owords, in bits 0-2 */
static void size(vsg_txt_printer *printer)
{
    uint64_t code = printer->inst->operands[printer->form->order[0]].value;

    vsg_txt_put_text(&printer->out, " (");
    vsg_txt_put_decimal(&printer->out, UINT64_C(1) << (code & 7));
    vsg_txt_put_char(&printer->out, ')');
    operands_from(printer, 1);
}

/* "(" operand "," operand ... ")" for the first `count` operands, then the others. before: each
 * operand in the parentheses. */
static void grouped(vsg_txt_printer *printer, unsigned count, const char *before)
{
    vsg_txt_put_char(&printer->out, '(');
    for (unsigned i = 0; i < count; i++) {
        if (i > 0)
            vsg_txt_put_char(&printer->out, ',');
        vsg_txt_put_text(&printer->out, before);
        vsg_txt_put_operand(printer, printer->form->order[i]);
    }
    vsg_txt_put_char(&printer->out, ')');
    operands_from(printer, count);
}

static void block(vsg_txt_printer *printer)
{
    if (printer->info->form != VSG_ISA_FORM_VME_IME) /* as it is listed */
        vsg_txt_put_char(&printer->out, ' ');
    grouped(printer, 2, "");
}

static void triple(vsg_txt_printer *printer)
{
    vsg_txt_put_char(&printer->out, ' ');
    grouped(printer, 3, " ");
}

/* An execution size that is coded in operand num_elements: bits 0-1 8, 16, 1 elements, bits 4-7
 * the mask (GATHER, SCATTER). */
static void num_elements(vsg_txt_printer *printer)
{
    static const uint8_t sizes[] = {8, 16, 1, 1};
    unsigned code = (unsigned)vsg_txt_role_value(printer, VSG_TXT_ROLE_NUM_ELEMENTS);

    put_exec(&printer->out, code >> 4 & 7, code >> 7 & 1, sizes[code & 3]);
    if (vsg_txt_role_value(printer, VSG_TXT_ROLE_MODIFIERS))
        vsg_txt_put_text(&printer->out, ".mod");
    operands_from(printer, 0);
}

static void rt_write(vsg_txt_printer *printer)
{
    const vsg_txt_form *form = printer->form;
    vsg_txt_output *out = &printer->out;
    uint64_t mode = vsg_txt_role_value(printer, VSG_TXT_ROLE_MODE);
    const vsg_isa_rt_parameter *parameter;
    uint32_t at = form->list;

    for (uint32_t i = 0; i < form->num_operands; i++) {
        if (form->kinds[i] == VSG_ISA_SLOT_U16 || i == form->list)
            continue;
        vsg_txt_put_char(out, ' ');
        vsg_txt_put_operand(printer, i);
    }
    for (uint32_t i = 0; (parameter = vsg_isa_rt_parameter_of(i)) != NULL; i++) {
        if (!vsg_txt_has_rt_parameter(parameter, mode) || at >= printer->inst->num_operands)
            continue;
        vsg_txt_put_char(out, ' ');
        if (parameter->is_vector)
            vsg_txt_put_vector(printer, &printer->inst->operands[at++], false);
        else
            vsg_txt_put_raw(printer, &printer->inst->operands[at++]);
    }
}

/* raw "/" length, vectors, and a descriptor of 64 bits */
static void sendg(vsg_txt_printer *printer)
{
    const vsg_txt_form *form = printer->form;
    vsg_txt_output *out = &printer->out;

    for (unsigned i = 0; i < form->num_order; i++) {
        uint8_t number = form->order[i];
        vsg_txt_put_char(out, ' ');
        vsg_txt_put_operand(printer, number);
        if (printer->inst->operands[number].class_ != VSG_OBJ_CLASS_RAW)
            continue;
        vsg_txt_put_char(out, '/');
        vsg_txt_put_decimal(out, printer->inst->operands[number + 1].value);
    }
    vsg_txt_put_char(out, ' ');
    vsg_txt_put_hex(out,
                    vsg_txt_role_value(printer, VSG_TXT_ROLE_DESC_HIGH) << 32 |
                        vsg_txt_role_value(printer, VSG_TXT_ROLE_DESC_LOW),
                    VSG_TXT_UPPER);
}

static void put_layout(vsg_txt_printer *printer)
{
    static void (*const layouts[])(vsg_txt_printer * printer) = {
        [VSG_ISA_SYNTAX_PLAIN] = plain,         [VSG_ISA_SYNTAX_LABEL] = plain,
        [VSG_ISA_SYNTAX_NAME] = plain,          [VSG_ISA_SYNTAX_SIZE] = size,
        [VSG_ISA_SYNTAX_BLOCK] = block,         [VSG_ISA_SYNTAX_TRIPLE] = triple,
        [VSG_ISA_SYNTAX_RT_WRITE] = rt_write,   [VSG_ISA_SYNTAX_NUM_ELEMENTS] = num_elements,
        [VSG_ISA_SYNTAX_LSC] = vsg_txt_put_lsc, [VSG_ISA_SYNTAX_SENDG] = sendg,
    };
    const vsg_obj_inst *inst = printer->inst;

    if (printer->form->has_exec && !printer->form->no_operands &&
        !vsg_txt_has_fixed_shape(printer))
        put_exec(&printer->out, inst->mask_offset / 4u, inst->no_mask, inst->exec_size);
    layouts[vsg_isa_form_of(inst->op)->syntax](printer);
}

/* ---- statements ------------------------------------------------------------------------- */

/* A name that could not be written is in a comment (spec dialect 4.1). */
static void put_original(vsg_txt_printer *printer, uint32_t id)
{
    const vsg_obj_unit *unit = printer->unit;
    const char *name = id < unit->num_labels ? unit->labels[id].name : NULL;

    if (!name || vsg_txt_is_label(name) || printer->options->no_comments)
        return;
    vsg_txt_put_text(&printer->out, " /// Original Name: ");
    vsg_txt_put_quoted(&printer->out, name);
}

/* A blank line and the label; before that of a subroutine, the line of listings' four blanks
 * and its directive. */
static void put_label(vsg_txt_printer *printer)
{
    vsg_txt_output *out = &printer->out;
    uint32_t id = printer->inst->operands[0].id;

    if (printer->inst->op == VISAGE_OP_SUBROUTINE && !printer->a_line_each) {
        vsg_txt_put_text(out, "    ");
        vsg_txt_put_newline(out);
        vsg_txt_put_text(out, ".function \"");
        vsg_txt_put_name(printer, VSG_TXT_KIND_LABEL, id);
        vsg_txt_put_char(out, '"');
        vsg_txt_put_newline(out);
    }
    if (!printer->a_line_each)
        vsg_txt_put_newline(out);
    vsg_txt_put_name(printer, VSG_TXT_KIND_LABEL, id);
    vsg_txt_put_char(out, ':');
    put_original(printer, id);
    vsg_txt_put_newline(out);
}

static void tell_of_no_text(vsg_txt_printer *printer)
{
    if (!printer->has_no_text || !printer->options->diagnostics)
        return;
    vsg_base_location where = vsg_obj_locate(printer->unit, printer->inst);
    vsg_base_report(printer->options->diagnostics, VSG_DIAG_NO_TEXT, &where);
    printer->any_has_no_text = true;
}

void vsg_txt_put_inst(vsg_txt_printer *printer, const vsg_obj_inst *inst, uint64_t number)
{
    vsg_txt_output *out = &printer->out;

    printer->inst = inst;
    printer->info = vsg_isa_op(inst->op);
    printer->form = vsg_txt_form_of(printer->forms, inst->op);
    printer->has_no_text = false;
    if (vsg_isa_form_of(inst->op)->syntax == VSG_ISA_SYNTAX_LABEL) {
        put_label(printer);
        return;
    }
    vsg_txt_put_text(out, "    ");
    put_predicate(printer);
    vsg_txt_put_text(out, printer->info->text);
    vsg_txt_put_suffix(printer);
    put_layout(printer);
    tell_of_no_text(printer);
    if (inst->op != VISAGE_OP_LOC && inst->op != VISAGE_OP_FILE &&
        !printer->options->no_comments) {
        vsg_txt_put_blanks_to(out, NUMBER_COLUMN);
        vsg_txt_put_text(out, " /// $");
        vsg_txt_put_decimal(out, number);
    }
    vsg_txt_put_newline(out);
}
