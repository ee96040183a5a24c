/* SPDX-License-Identifier: MIT
 *
 * Messages of the sampler, raw sends, and those with fields of their own: render targets, URB,
 * fences, motion estimation. */
#include "isa/message.h"
#include "verify/message.h"

/* ---- sampler ---------------------------------------------------------------------------- */

static void check_parameter_types(vsg_ver_state *state, uint32_t first, uint32_t *bytes)
{
    visage_type type, before = VISAGE_TYPE_COUNT;

    for (uint32_t i = first; i < state->inst->num_operands; i++) {
        const vsg_obj_operand *operand = &state->inst->operands[i];
        if (!vsg_ver_operand_type(state, operand, &type))
            continue;
        if (before != VISAGE_TYPE_COUNT && vsg_isa_type(type)->bytes != *bytes) {
            vsg_ver_report_operand(state, operand, VSG_RULE_PARAMETERS_ALIKE,
                                   vsg_isa_type(before)->letters, vsg_isa_type(type)->letters);
            vsg_ver_note_declaration(state, operand);
            return;
        }
        before = type;
        *bytes = vsg_isa_type(type)->bytes;
    }
}

/* load of four samples at once is told in words from ICLLP on; other loads have them anyway. */
static void check_small(vsg_ver_state *state, uint32_t first)
{
    visage_type type;

    if (first >= state->inst->num_operands ||
        (state->op->form == VSG_ISA_FORM_LOAD_3D && state->inst->op != VISAGE_OP_LOAD_2DMS_W))
        return;
    const vsg_obj_operand *operand = &state->inst->operands[first];
    if (vsg_ver_operand_type(state, operand, &type) &&
        vsg_isa_type(type)->bytes == sizeof(uint16_t)) {
        vsg_ver_report_operand(state, operand, VSG_RULE_PARAMETERS_SMALL,
                               vsg_isa_type(type)->letters);
        vsg_ver_note_declaration(state, operand);
    }
}

static void report_type(vsg_ver_state *state, const vsg_obj_operand *operand, vsg_ver_rule rule,
                        const char *name, visage_type type, uint32_t types)
{
    char list[48];

    vsg_ver_list_types(types, " or ", list, sizeof list);
    vsg_ver_report_operand(state, operand, rule, name, state->op->text,
                           vsg_isa_type(type)->letters, list);
    vsg_ver_note_declaration(state, operand);
}

/* The message has their bits alone: another type of the size is as good. */
static void check_parameter_kinds(vsg_ver_state *state, uint32_t first)
{
    visage_type type;

    for (uint32_t i = first; i < state->inst->num_operands; i++) {
        const vsg_obj_operand *operand = &state->inst->operands[i];
        uint32_t types = vsg_isa_parameter_types(state->inst->op, i - first);
        if (vsg_ver_operand_type(state, operand, &type) && !(types >> type & 1u))
            report_type(state, operand, VSG_RULE_PAYLOAD_TYPE, "a parameter", type, types);
    }
}

static void check_parameters(vsg_ver_state *state)
{
    enum { MOST = 15 };
    int first = vsg_isa_operand(state->inst->op, "parameters");
    uint32_t bytes = 0;

    if (first < 0 || (uint32_t)first > state->inst->num_operands)
        return;
    uint32_t count = state->inst->num_operands - (uint32_t)first;
    check_parameter_types(state, (uint32_t)first, &bytes);
    check_small(state, (uint32_t)first);
    check_parameter_kinds(state, (uint32_t)first);
    uint32_t most = vsg_isa_most_parameters(state->inst->op, bytes == sizeof(uint16_t));
    if (count < 1 || count > MOST)
        vsg_ver_report(state, VSG_RULE_PARAMETERS, state->op->text, count);
    else if (most && count > most)
        vsg_ver_report(state, VSG_RULE_MOST_PARAMETERS, state->op->text, count, most);
}

/* Of the elements the message has 16 or 32 bits. */
static void check_bits(vsg_ver_state *state, uint32_t number)
{
    const vsg_obj_operand *operand = &state->inst->operands[number];
    visage_type type;

    if (!vsg_ver_operand_type(state, operand, &type) ||
        vsg_isa_type(type)->bytes == sizeof(uint16_t) ||
        vsg_isa_type(type)->bytes == sizeof(uint32_t))
        return;
    vsg_ver_report_operand(state, operand, VSG_RULE_SAMPLER_BITS,
                           vsg_isa_operand_slot(state->inst->op, number)->name, state->op->text,
                           vsg_isa_type(type)->letters);
    vsg_ver_note_declaration(state, operand);
}

static void check_all_bits(vsg_ver_state *state)
{
    for (uint32_t i = 0; i < state->inst->num_operands; i++)
        if (state->inst->operands[i].class_ == VSG_OBJ_CLASS_RAW)
            check_bits(state, i);
}

/* Channels and their number are one field (opcodes.tsv). */
static void check_old_mode(vsg_ver_state *state)
{
    enum { MASK = 0xf, SIZE_SHIFT = 4, SIZE_BITS = 3 };
    uint32_t mode;

    if (!vsg_ver_number(state, "mode", &mode))
        return;
    if ((mode & MASK) == 0)
        vsg_ver_report(state, VSG_RULE_CHANNELS, state->op->text, mode & MASK);
    if ((mode >> SIZE_SHIFT & SIZE_BITS) == SIZE_BITS)
        vsg_ver_report(state, VSG_RULE_OLD_CHANNELS, state->op->text, SIZE_BITS);
}

static bool has_cps(visage_op op)
{
    return op == VISAGE_OP_SAMPLE_3D || op == VISAGE_OP_SAMPLE_B ||
           op == VISAGE_OP_SAMPLE_B_C || op == VISAGE_OP_SAMPLE_C || op == VISAGE_OP_LOD;
}

static void check_sample(vsg_ver_state *state)
{
    enum { CPS_BIT = 1 << 9, OFFSET_BITS = 0xfff };
    const vsg_obj_operand *offsets = vsg_ver_operand_called(state, "aoffimmi");

    check_parameters(state);
    if (offsets && offsets->class_ == VSG_OBJ_CLASS_IMMEDIATE && offsets->value > OFFSET_BITS)
        vsg_ver_report_operand(state, offsets, VSG_RULE_OFFSET_RESERVED,
                               (unsigned)(offsets->value & UINT16_MAX));
    if (!(state->inst->sub_flags & CPS_BIT))
        return;
    if (has_cps(state->inst->op))
        vsg_ver_report(state, VSG_RULE_CPS_PLATFORM, state->op->text);
    else
        vsg_ver_report(state, VSG_RULE_CPS_SAMPLE, state->op->text);
}

void vsg_ver_check_sampler(vsg_ver_state *state)
{
    enum { LAST = 3 };
    static const char *const fields[] = {"control", "exec_mode"};
    uint32_t code;

    switch (state->op->form) {
    case VSG_ISA_FORM_SAMPLE_3D:
    case VSG_ISA_FORM_LOAD_3D:
        check_sample(state);
        check_all_bits(state);
        return;
    case VSG_ISA_FORM_SAMPLE:
    case VSG_ISA_FORM_LOAD:
        check_old_mode(state);
        check_all_bits(state);
        return;
    case VSG_ISA_FORM_RESINFO:
    case VSG_ISA_FORM_SAMPLEINFO:
        check_all_bits(state);
        return;
    default:
        break;
    }
    if (state->op->form != VSG_ISA_FORM_AVS)
        return;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (vsg_ver_number(state, fields[i], &code) && code > LAST)
            vsg_ver_report(state, VSG_RULE_AVS_CODES, fields[i], code);
}

/* ---- sends ------------------------------------------------------------------------------ */

/* The GRFs from a raw operand on, by the number in operand `length`. */
static void check_length(vsg_ver_state *state, const char *name, const char *length)
{
    const vsg_obj_operand *operand = vsg_ver_operand_called(state, name);
    uint32_t count;
    vsg_ver_room room;

    if (!operand || operand->class_ != VSG_OBJ_CLASS_RAW ||
        !vsg_ver_number(state, length, &count) || count == 0 ||
        !vsg_ver_room_of(state, operand, &room))
        return;
    /* Whole GRFs are the variable's: what lies behind it in its last one belongs to it. */
    uint64_t grfs = (room.size_bytes + state->grf_bytes - 1) / state->grf_bytes;
    if (room.at + (uint64_t)count * state->grf_bytes <= grfs * state->grf_bytes)
        return;
    vsg_ver_report_operand(state, operand, VSG_RULE_SEND_LENGTHS, name,
                           (unsigned long long)room.at, room.name, count,
                           (unsigned long long)room.size_bytes);
    vsg_ver_note_declaration(state, operand);
}

static void check_raw_send(vsg_ver_state *state)
{
    enum { MOST_SOURCES = 15, MOST_RESPONSE = 16 };
    uint32_t count;

    if (vsg_ver_number(state, "num_src", &count) && (count < 1 || count > MOST_SOURCES))
        vsg_ver_report(state, VSG_RULE_SEND_SOURCES, count);
    else
        check_length(state, "src", "num_src");
    if (vsg_ver_number(state, "num_dst", &count) && count > MOST_RESPONSE)
        vsg_ver_report(state, VSG_RULE_SEND_RESPONSE, count);
    else
        check_length(state, "dst", "num_dst");
}

static void check_raw_sends(vsg_ver_state *state)
{
    enum { LAST_FUNCTION = 15 };
    uint32_t function;

    if (vsg_ver_number(state, "sfid", &function) && function > LAST_FUNCTION)
        vsg_ver_report(state, VSG_RULE_SEND_FUNCTION, function);
    check_length(state, "src0", "num_src0");
    check_length(state, "src1", "num_src1");
    check_length(state, "dst", "num_dst");
}

/* ---- others ----------------------------------------------------------------------------- */

static void check_render_target(vsg_ver_state *state)
{
    enum { UNDEFINED_BITS = 0xe003 };
    uint32_t mode;

    if (vsg_ver_number(state, "mode", &mode) && mode & UNDEFINED_BITS)
        vsg_ver_report(state, VSG_RULE_RT_MODE, mode);
}

/* The parameters that are colours, by the table's order. */
static void check_colours(vsg_ver_state *state)
{
    const vsg_isa_rt_parameter *parameter;
    int first = vsg_isa_operand(state->inst->op, "parameters");
    visage_type type, before = VISAGE_TYPE_COUNT;
    uint32_t mode, at = (uint32_t)first;

    if (first < 0 || !vsg_ver_number(state, "mode", &mode))
        return;
    for (uint32_t i = 0; (parameter = vsg_isa_rt_parameter_of(i)); i++) {
        if (parameter->bit >= 0 && !(mode >> parameter->bit & 1))
            continue;
        const vsg_obj_operand *operand =
            at < state->inst->num_operands ? &state->inst->operands[at] : NULL;
        at++;
        if (!operand || parameter->is_vector || parameter->bytes ||
            !vsg_ver_operand_type(state, operand, &type))
            continue;
        bool is_colour = type == VISAGE_TYPE_F || type == VISAGE_TYPE_HF;
        if (!is_colour || (before != VISAGE_TYPE_COUNT && type != before)) {
            vsg_ver_report_operand(
                state, operand, VSG_RULE_RT_COLOURS,
                vsg_isa_type(before == VISAGE_TYPE_COUNT ? type : before)->letters,
                vsg_isa_type(type)->letters);
            vsg_ver_note_declaration(state, operand);
            return;
        }
        before = type;
    }
}

/* Parameters that are no colours, and the render target where it is known. */
static void check_rt_parameters(vsg_ver_state *state)
{
    enum { RTI_BIT = 2, LAST = 7 };
    const vsg_isa_rt_parameter *parameter;
    int first = vsg_isa_operand(state->inst->op, "parameters");
    uint32_t mode, at = (uint32_t)first;
    visage_type type;

    if (first < 0 || !vsg_ver_number(state, "mode", &mode))
        return;
    for (uint32_t i = 0; (parameter = vsg_isa_rt_parameter_of(i)); i++) {
        if (parameter->bit >= 0 && !(mode >> parameter->bit & 1))
            continue;
        const vsg_obj_operand *operand =
            at < state->inst->num_operands ? &state->inst->operands[at] : NULL;
        at++;
        if (operand && parameter->types && vsg_ver_operand_type(state, operand, &type) &&
            !(parameter->types >> type & 1u))
            report_type(state, operand,
                        parameter->is_vector ? VSG_RULE_SCALAR_TYPE : VSG_RULE_PAYLOAD_TYPE,
                        parameter->name, type, parameter->types);
        if (parameter->bit == RTI_BIT && operand &&
            operand->class_ == VSG_OBJ_CLASS_IMMEDIATE && operand->value > LAST)
            vsg_ver_report_operand(state, operand, VSG_RULE_RT_INDEX,
                                   (unsigned long long)operand->value);
    }
}

static void check_urb(vsg_ver_state *state)
{
    enum { MOST_OUTPUTS = 8, LAST_OFFSET = 2047 };
    uint32_t code;

    if (vsg_ver_number(state, "num_out", &code) && (code < 1 || code > MOST_OUTPUTS))
        vsg_ver_report(state, VSG_RULE_URB_COUNT, code);
    if (vsg_ver_number(state, "global_offset", &code) && code > LAST_OFFSET)
        vsg_ver_report(state, VSG_RULE_URB_OFFSET, code);
}

static void check_motion(vsg_ver_state *state)
{
    enum { LAST = 3 };
    static const char *const fields[] = {"stream_mode", "search_control"};
    const vsg_obj_operand *mode = vsg_ver_operand_called(state, "mb_mode");
    uint32_t code;

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (vsg_ver_number(state, fields[i], &code) && code > LAST)
            vsg_ver_report(state, VSG_RULE_VME_MODE, fields[i], code);
    if (mode && mode->class_ == VSG_OBJ_CLASS_IMMEDIATE && mode->value > LAST)
        vsg_ver_report_operand(state, mode, VSG_RULE_VME_MODE, "mb_mode",
                               (unsigned)mode->value);
}

void vsg_ver_check_send(vsg_ver_state *state)
{
    switch (state->op->form) {
    case VSG_ISA_FORM_RAW_SEND:
        check_raw_send(state);
        break;
    case VSG_ISA_FORM_RAW_SENDS:
        check_raw_sends(state);
        break;
    case VSG_ISA_FORM_RT_WRITE:
        check_render_target(state);
        check_colours(state);
        check_rt_parameters(state);
        break;
    case VSG_ISA_FORM_URB_WRITE:
        check_urb(state);
        break;
    case VSG_ISA_FORM_VME_IME:
    case VSG_ISA_FORM_VME_FBR:
        check_motion(state);
        break;
    case VSG_ISA_FORM_FENCE:
        if (state->inst->op == VISAGE_OP_FENCE_LOCAL)
            vsg_ver_report(state, VSG_RULE_FENCE_LOCAL);
        break;
    default:
        break;
    }
}
