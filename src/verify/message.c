/* SPDX-License-Identifier: MIT
 *
 * All other messages: types of their operands; blocks, gathers and scatters, media. */
#include "verify/message.h"

#include "isa/message.h"

/* ---- types ------------------------------------------------------------------------------ */

/* An unsigned immediate of a narrower type has the same value. */
static bool is_narrow(const vsg_obj_operand *operand, visage_type type, uint32_t types)
{
    uint32_t bytes = vsg_isa_type(type)->bytes;

    if (operand->class_ != VSG_OBJ_CLASS_IMMEDIATE ||
        vsg_isa_type(type)->kind != VSG_ISA_KIND_UNSIGNED)
        return false;
    return (bytes < sizeof(uint64_t) && types >> VISAGE_TYPE_UQ & 1u) ||
           (bytes < sizeof(uint32_t) && types >> VISAGE_TYPE_UD & 1u);
}

/* A float where an integer is asked for, or the other way round, is another number. */
static bool is_other_kind(visage_type type, uint32_t types)
{
    bool is_float = vsg_isa_type(type)->kind == VSG_ISA_KIND_FLOAT;

    for (uint32_t other = 0; other < VISAGE_TYPE_COUNT; other++)
        if (types >> other & 1u &&
            (vsg_isa_type((visage_type)other)->kind == VSG_ISA_KIND_FLOAT) == is_float)
            return false;
    return true;
}

static void check_type(vsg_ver_state *state, const vsg_isa_operand_types *row)
{
    const vsg_obj_operand *operand = vsg_ver_operand_called(state, row->name);
    visage_type type;
    char list[48];

    if (!operand || !vsg_ver_operand_type(state, operand, &type) || row->types >> type & 1u)
        return;
    vsg_ver_rule rule = VSG_RULE_SCALAR_TYPE;
    if (operand->class_ == VSG_OBJ_CLASS_RAW || is_narrow(operand, type, row->types))
        rule = VSG_RULE_PAYLOAD_TYPE;
    else if (is_other_kind(type, row->types))
        rule = VSG_RULE_SCALAR_KIND;
    vsg_ver_list_types(row->types, " or ", list, sizeof list);
    vsg_ver_report_operand(state, operand, rule, row->name, state->op->text,
                           vsg_isa_type(type)->letters, list);
    vsg_ver_note_declaration(state, operand);
}

static void check_types(vsg_ver_state *state)
{
    size_t count;
    const vsg_isa_operand_types *rows = vsg_isa_operand_types_of(state->op->form, &count);

    for (size_t i = 0; i < count; i++)
        check_type(state, &rows[i]);
}

/* ---- owords ----------------------------------------------------------------------------- */

static bool is_surface(const vsg_ver_state *state, uint32_t id)
{
    const vsg_obj_operand *surface = vsg_ver_operand_called(state, "surface");

    return surface && surface->class_ == VSG_OBJ_CLASS_SURFACE && surface->id == id;
}

static void check_owords(vsg_ver_state *state)
{
    enum { SIZE_BITS = 7, EIGHT = 3, SIXTEEN = 4 };
    uint32_t code;
    bool is_slm = is_surface(state, VSG_ISA_SURFACE_SLM);
    uint32_t most = is_slm ? SIXTEEN : EIGHT;

    if (is_slm)
        vsg_ver_report(state, VSG_RULE_OWORD_SLM, state->op->text);
    if (!vsg_ver_number(state, "size", &code))
        return;
    if ((code & SIZE_BITS) > most)
        vsg_ver_report(state, VSG_RULE_OWORDS, state->op->text, code & SIZE_BITS, most,
                       1u << most);
    else if ((code & SIZE_BITS) == SIXTEEN)
        vsg_ver_report(state, VSG_RULE_OWORDS_16, state->op->text);
}

/* ---- images ----------------------------------------------------------------------------- */

static void check_image(vsg_ver_state *state)
{
    static const uint32_t buffers[] = {VSG_ISA_SURFACE_SLM, VSG_ISA_SURFACE_SCRATCH};

    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (is_surface(state, buffers[i]))
            vsg_ver_report_operand(state, vsg_ver_operand_called(state, "surface"),
                                   VSG_RULE_IMAGE_SURFACE, state->op->text,
                                   vsg_isa_surface(buffers[i]));
}

static void check_media(vsg_ver_state *state)
{
    enum { LAST_PLANE = 3, DWORD = 4 };
    uint32_t code, width, height;
    char list[64];
    const vsg_obj_operand *x = vsg_ver_operand_called(state, "x_offset");

    check_image(state);
    if (vsg_ver_number(state, "modifiers", &code) && !vsg_isa_word(VSG_ISA_WORDS_MEDIA, code)) {
        vsg_isa_list_words(VSG_ISA_WORDS_MEDIA, list, sizeof list);
        vsg_ver_report(state, VSG_RULE_MEDIA_MODIFIER, code, list);
    }
    if (vsg_ver_number(state, "plane", &code) && code > LAST_PLANE)
        vsg_ver_report(state, VSG_RULE_MEDIA_PLANE, code);
    if (vsg_ver_number(state, "block_width", &width) &&
        vsg_ver_number(state, "block_height", &height)) {
        uint32_t most = vsg_isa_lsc_block_height(width);
        if (height < 1 || height > most)
            vsg_ver_report(state, VSG_RULE_MEDIA_SHAPE, state->op->text, width, height, most);
    }
    if (state->op->form == VSG_ISA_FORM_MEDIA_ST && x && x->class_ == VSG_OBJ_CLASS_IMMEDIATE &&
        x->value % DWORD != 0)
        vsg_ver_report_operand(state, x, VSG_RULE_MEDIA_ALIGNED, (unsigned long long)x->value);
}

/* ---- gathers and scatters --------------------------------------------------------------- */

/* Bits 4 to 6 are the mask, which starts where as many channels do (Num_elts). */
static void check_gather_mask(vsg_ver_state *state, uint32_t code)
{
    enum { MASK_SHIFT = 4, MASK_BITS = 7, CHANNELS = 4 };
    uint32_t mask = code >> MASK_SHIFT & MASK_BITS;
    uint32_t elements = vsg_isa_gather_elements(code);

    if (mask * CHANNELS % elements != 0)
        vsg_ver_report_part(state, VSG_VER_PART_MASK, VSG_RULE_MASK_ALIGNED, mask + 1,
                            mask * CHANNELS, elements);
}

static void check_elements(vsg_ver_state *state)
{
    enum { LAST_SIZE = 2, LAST_COUNT = 2, COUNT_BITS = 3, UNUSED = 3 << 2 };
    uint32_t code;

    if (vsg_ver_number(state, "elt_size", &code) && code > LAST_SIZE)
        vsg_ver_report(state, VSG_RULE_ELEMENT_SIZE, code);
    if (!vsg_ver_number(state, "num_elements", &code))
        return;
    if (code & UNUSED)
        vsg_ver_report(state, VSG_RULE_UNUSED_BITS, state->op->text, code);
    if ((code & COUNT_BITS) > LAST_COUNT)
        vsg_ver_report(state, VSG_RULE_ELEMENT_COUNT, code & COUNT_BITS);
    else
        check_gather_mask(state, code);
}

static void check_scaled(vsg_ver_state *state)
{
    enum { LAST = 2 };
    uint32_t code;

    if (vsg_ver_number(state, "num_blocks", &code) && code > LAST)
        vsg_ver_report(state, VSG_RULE_BLOCK_COUNT, state->op->text, code, LAST);
}

/* The operand's type is as wide as a block. */
static void check_block_type(vsg_ver_state *state, const char *name, uint32_t bytes)
{
    const vsg_obj_operand *operand = vsg_ver_operand_called(state, name);
    visage_type type;

    if (!operand || !vsg_ver_operand_type(state, operand, &type) ||
        vsg_isa_type(type)->bytes == bytes)
        return;
    vsg_ver_report_operand(state, operand, VSG_RULE_BLOCK_TYPE, name, state->op->text,
                           vsg_isa_type(type)->letters, bytes);
    vsg_ver_note_declaration(state, operand);
}

static void check_svm_blocks(vsg_ver_state *state)
{
    enum { LAST_SIZE = 2, LAST_COUNT = 3, CHANNELS = 8 };
    static const uint32_t bytes[] = {1, 4, 8};
    uint32_t size, count, channels = state->inst->exec_size;
    const char *name = state->op->text;

    if (!vsg_ver_number(state, "block_size", &size) ||
        !vsg_ver_number(state, "num_blocks", &count))
        return;
    if (size > LAST_SIZE)
        vsg_ver_report(state, VSG_RULE_ELEMENT_SIZE, size);
    else if (count > LAST_COUNT)
        vsg_ver_report(state, VSG_RULE_BLOCK_COUNT, name, count, LAST_COUNT);
    else if (count == LAST_COUNT && (bytes[size] != sizeof(uint32_t) || channels != CHANNELS))
        vsg_ver_report(state, VSG_RULE_EIGHT_BLOCKS, name, bytes[size], channels);
    else if (count > 0 && channels < CHANNELS)
        vsg_ver_report(state, VSG_RULE_BLOCK_CHANNELS, name, 1u << count, channels);
    if (size <= LAST_SIZE) {
        check_block_type(state, "dst", bytes[size]);
        check_block_type(state, "src", bytes[size]);
    }
}

static void check_qwords(vsg_ver_state *state)
{
    uint32_t code;

    if (vsg_ver_number(state, "num_blocks", &code) && code != 0)
        vsg_ver_report(state, VSG_RULE_QWORDS, state->op->text, code);
}

/* A mask; what gathers of four texels have there is the number of a channel. */
static void check_mask(vsg_ver_state *state)
{
    enum { FORMAT_BITS = 0x30 };
    uint32_t mask;

    if (state->op->suffix != VSG_ISA_SUFFIX_CHANNELS &&
        state->op->suffix != VSG_ISA_SUFFIX_SAMPLE && state->op->suffix != VSG_ISA_SUFFIX_UNORM)
        return;
    if (!vsg_ver_number(state, "channels", &mask))
        return;
    if (state->op->suffix == VSG_ISA_SUFFIX_UNORM)
        mask &= ~(uint32_t)FORMAT_BITS;
    if (mask == 0 || mask > VSG_VER_ALL_QUAD)
        vsg_ver_report(state, VSG_RULE_CHANNELS, state->op->text, mask);
}

/* ---- operands that are used ------------------------------------------------------------- */

/* Coordinates behind the first depend on the image; the GRFs of a send are counted. */
static void check_used(vsg_ver_state *state)
{
    static const char *const addresses[] = {"element_offset", "addresses", "offsets", "u"};
    static const char *const inputs[] = {"uni_input",   "ime_input",  "sic_input",
                                         "fbr_input",   "ref0",       "handle",
                                         "vertex_data", "cost_center"};
    const vsg_obj_operand *data = vsg_ver_operand_called(state, "src");

    if (vsg_ver_lsc_of(state->op).access || state->op->form == VSG_ISA_FORM_RAW_SEND)
        return;
    if (data && vsg_ver_is_null(data))
        vsg_ver_report_operand(state, data, VSG_RULE_MESSAGE_NO_DATA, state->op->text);
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        const vsg_obj_operand *address = vsg_ver_operand_called(state, addresses[i]);
        if (address && vsg_ver_is_null(address))
            vsg_ver_report_operand(state, address, VSG_RULE_MESSAGE_NO_ADDRESS, state->op->text,
                                   addresses[i]);
    }
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        const vsg_obj_operand *input = vsg_ver_operand_called(state, inputs[i]);
        if (input && vsg_ver_is_null(input))
            vsg_ver_report_operand(state, input, VSG_RULE_MESSAGE_NO_INPUT, state->op->text,
                                   inputs[i]);
    }
}

void vsg_ver_check_message(vsg_ver_state *state)
{
    check_types(state);
    check_used(state);
    check_mask(state);
    switch (state->op->form) {
    case VSG_ISA_FORM_OWORD_LD:
    case VSG_ISA_FORM_OWORD_ST:
    case VSG_ISA_FORM_SVM_BLOCK_LD:
    case VSG_ISA_FORM_SVM_BLOCK_ST:
        check_owords(state);
        break;
    case VSG_ISA_FORM_MEDIA_LD:
    case VSG_ISA_FORM_MEDIA_ST:
        check_media(state);
        break;
    case VSG_ISA_FORM_GATHER4_TYPED:
    case VSG_ISA_FORM_SCATTER4_TYPED:
        check_image(state);
        break;
    case VSG_ISA_FORM_GATHER:
    case VSG_ISA_FORM_SCATTER:
        check_elements(state);
        break;
    case VSG_ISA_FORM_GATHER_SCALED:
    case VSG_ISA_FORM_SCATTER_SCALED:
        check_scaled(state);
        break;
    case VSG_ISA_FORM_SVM_GATHER:
    case VSG_ISA_FORM_SVM_SCATTER:
        check_svm_blocks(state);
        break;
    case VSG_ISA_FORM_QW_GATHER:
    case VSG_ISA_FORM_QW_SCATTER:
        check_qwords(state);
        break;
    default:
        break;
    }
    vsg_ver_check_atomic(state);
    vsg_ver_check_sampler(state);
    vsg_ver_check_send(state);
}
