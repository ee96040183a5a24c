/* SPDX-License-Identifier: MIT
 *
 * What follows a mnemonic, one function for each kind of suffix: the other direction of
 * parse_suffix.c. Sources: each page's Text section; spec dialect 2, 4.1. */
#include "text/print.h"

static uint32_t number_of(const vsg_txt_printer *printer, vsg_txt_role role)
{
    return (uint32_t)vsg_txt_role_value(printer, role);
}

static void put_dot_word(vsg_txt_printer *printer, vsg_isa_words list, uint64_t code)
{
    vsg_txt_put_char(&printer->out, '.');
    vsg_txt_put_word(printer, list, code);
}

static void put_dot_number(vsg_txt_printer *printer, uint64_t number)
{
    vsg_txt_put_char(&printer->out, '.');
    vsg_txt_put_decimal(&printer->out, number);
}

static void put_power(vsg_txt_printer *printer, vsg_txt_role role)
{
    put_dot_number(printer, UINT64_C(1) << (number_of(printer, role) & 7));
}

/* "word" for each bit of `bits` in the order of its code */
static void put_bits(vsg_txt_printer *printer, vsg_isa_words list, uint32_t bits,
                     const char *before, const char *after)
{
    for (uint32_t bit = 0; bit < 16; bit++) {
        if (!(bits >> bit & 1) || !vsg_isa_word(list, bit))
            continue;
        vsg_txt_put_text(&printer->out, before);
        vsg_txt_put_word(printer, list, bit);
        vsg_txt_put_text(&printer->out, after);
    }
}

/* ---- kinds ------------------------------------------------------------------------------ */

static void plain(vsg_txt_printer *printer)
{
    if (printer->info->flags & VSG_ISA_SAT && printer->inst->num_operands &&
        printer->inst->operands[0].modifier == VSG_OBJ_MOD_SAT)
        vsg_txt_put_text(&printer->out, ".sat");
}

static void relation(vsg_txt_printer *printer)
{
    put_dot_word(printer, VSG_ISA_WORDS_RELATION, number_of(printer, VSG_TXT_ROLE_REL));
}

/* .xHH without a leading zero */
static void bfn(vsg_txt_printer *printer)
{
    static const char digits[] = VSG_TXT_LOWER;
    uint32_t function = number_of(printer, VSG_TXT_ROLE_FUNC);

    vsg_txt_put_text(&printer->out, ".x");
    if (function >> 4 & 15)
        vsg_txt_put_char(&printer->out, digits[function >> 4 & 15]);
    vsg_txt_put_char(&printer->out, digits[function & 15]);
}

static void dpas(vsg_txt_printer *printer)
{
    uint32_t info = number_of(printer, VSG_TXT_ROLE_INFO);

    put_dot_word(printer, VSG_ISA_WORDS_PRECISION, info & 255);
    put_dot_word(printer, VSG_ISA_WORDS_PRECISION, info >> 8 & 255);
    put_dot_number(printer, info >> 16 & 255);
    put_dot_number(printer, info >> 24);
}

static void put_channels(vsg_txt_printer *printer, uint32_t mask)
{
    printer->has_no_text |= (mask & 15) == 0;
    vsg_txt_put_char(&printer->out, '.');
    for (uint32_t i = 0; i < 4; i++)
        if (mask >> i & 1)
            vsg_txt_put_char(&printer->out, "RGBA"[i]);
}

static void channels(vsg_txt_printer *printer)
{
    put_channels(printer, number_of(printer, VSG_TXT_ROLE_CHANNELS));
}

/* .RGBA (n) */
static void channels_old(vsg_txt_printer *printer)
{
    uint32_t mode = number_of(printer, VSG_TXT_ROLE_MODE);

    put_channels(printer, mode);
    vsg_txt_put_text(&printer->out, " (");
    vsg_txt_put_decimal(&printer->out, UINT64_C(8) << (mode >> 4 & 3));
    vsg_txt_put_char(&printer->out, ')');
}

static void unorm(vsg_txt_printer *printer)
{
    uint32_t value = number_of(printer, VSG_TXT_ROLE_CHANNELS);

    put_channels(printer, value);
    put_dot_word(printer, VSG_ISA_WORDS_UNORM, value >> 4);
}

static void sample(vsg_txt_printer *printer)
{
    put_bits(printer, VSG_ISA_WORDS_SAMPLE, printer->inst->sub_flags, ".", "");
    channels(printer);
}

static void sample4(vsg_txt_printer *printer)
{
    put_bits(printer, VSG_ISA_WORDS_SAMPLE, printer->inst->sub_flags, ".", "");
    put_channels(printer, 1u << (number_of(printer, VSG_TXT_ROLE_CHANNELS) & 3));
}

static void elt(vsg_txt_printer *printer)
{
    put_power(printer, VSG_TXT_ROLE_ELT_SIZE);
}

static void blocks(vsg_txt_printer *printer)
{
    put_power(printer, VSG_TXT_ROLE_NUM_BLOCKS);
}

/* .bytes.blocks */
static void elt_blocks(vsg_txt_printer *printer)
{
    uint32_t code = number_of(printer, VSG_TXT_ROLE_BLOCK_SIZE);

    put_dot_number(printer, code ? code * UINT64_C(4) : 1);
    blocks(printer);
}

static void aligned(vsg_txt_printer *printer)
{
    if (number_of(printer, VSG_TXT_ROLE_SIZE) & 8)
        vsg_txt_put_text(&printer->out, ".unaligned");
}

static void same_callee(vsg_txt_printer *printer)
{
    if (printer->inst->sub_flags & 1)
        vsg_txt_put_text(&printer->out, ".uniform");
}

static void oword(vsg_txt_printer *printer)
{
    if (number_of(printer, VSG_TXT_ROLE_MODIFIERS))
        vsg_txt_put_text(&printer->out, ".mod");
}

static void media(vsg_txt_printer *printer)
{
    put_dot_word(printer, VSG_ISA_WORDS_MEDIA, number_of(printer, VSG_TXT_ROLE_MODIFIERS));
}

/* .op[.16|.64] */
static void atomic(vsg_txt_printer *printer)
{
    uint32_t value = number_of(printer, VSG_TXT_ROLE_ATOMIC);

    put_dot_word(printer, VSG_ISA_WORDS_ATOMIC, value & 31);
    if (value & 0x20)
        vsg_txt_put_text(&printer->out, ".16");
    else if (value & 0x40)
        vsg_txt_put_text(&printer->out, ".64");
}

/* .EISCRL1; listings have the '.' where any bit is set, that of local memory too */
static void fence(vsg_txt_printer *printer)
{
    uint32_t bits = printer->inst->sub_flags;

    if (bits == 0 && printer->info->sub == 0)
        return;
    vsg_txt_put_char(&printer->out, '.');
    for (uint32_t bit = 1; bit < 256; bit <<= 1)
        if (bits & bit && vsg_isa_word(VSG_ISA_WORDS_FENCE, bit))
            vsg_txt_put_word(printer, VSG_ISA_WORDS_FENCE, bit);
}

/* .sfid[.l1.l3]; typed operations have no operand for the sfid, which is tgm */
static void lsc(vsg_txt_printer *printer)
{
    bool typed = printer->form->roles[VSG_TXT_ROLE_SFID] == VSG_TXT_NO_OPERAND;
    uint32_t l1 = number_of(printer, VSG_TXT_ROLE_CACHE_L1);
    uint32_t l3 = number_of(printer, VSG_TXT_ROLE_CACHE_L3);

    if (typed)
        vsg_txt_put_text(&printer->out, ".tgm");
    else
        put_dot_word(printer, VSG_ISA_WORDS_LSC_SFID, number_of(printer, VSG_TXT_ROLE_SFID));
    if (l1 == 0 && l3 == 0)
        return;
    put_dot_word(printer, VSG_ISA_WORDS_LSC_CACHE, l1);
    put_dot_word(printer, VSG_ISA_WORDS_LSC_CACHE, l3);
}

static void lsc_fence(vsg_txt_printer *printer)
{
    put_dot_word(printer, VSG_ISA_WORDS_LSC_SFID, number_of(printer, VSG_TXT_ROLE_SFID));
    put_dot_word(printer, VSG_ISA_WORDS_LSC_FENCE_OP, number_of(printer, VSG_TXT_ROLE_OP));
    put_dot_word(printer, VSG_ISA_WORDS_LSC_FENCE_SCOPE,
                 number_of(printer, VSG_TXT_ROLE_SCOPE));
}

/* [.<bit><bit>...] */
static void rt_write(vsg_txt_printer *printer)
{
    uint32_t mode = number_of(printer, VSG_TXT_ROLE_MODE);

    if (mode == 0)
        return;
    vsg_txt_put_char(&printer->out, '.');
    put_bits(printer, VSG_ISA_WORDS_RT_WRITE, mode, "<", ">");
}

/* .sfid[.eot].nsrc0.nsrc1.ndst */
static void raw_sends(vsg_txt_printer *printer)
{
    put_dot_number(printer, number_of(printer, VSG_TXT_ROLE_SFID));
    if (printer->inst->sub_flags & 2)
        vsg_txt_put_text(&printer->out, ".eot");
    put_dot_number(printer, number_of(printer, VSG_TXT_ROLE_NUM_SRC0));
    put_dot_number(printer, number_of(printer, VSG_TXT_ROLE_NUM_SRC1));
    put_dot_number(printer, number_of(printer, VSG_TXT_ROLE_NUM_DST));
}

static void lfsr(vsg_txt_printer *printer)
{
    put_dot_word(printer, VSG_ISA_WORDS_LFSR, number_of(printer, VSG_TXT_ROLE_FUNC));
}

static void dnscl(vsg_txt_printer *printer)
{
    put_dot_word(printer, VSG_ISA_WORDS_DNSCL_CONVERSION,
                 number_of(printer, VSG_TXT_ROLE_CONVERSION));
    put_dot_word(printer, VSG_ISA_WORDS_DNSCL_MODE, number_of(printer, VSG_TXT_ROLE_MODE));
    put_dot_word(printer, VSG_ISA_WORDS_DNSCL_ROUNDING,
                 number_of(printer, VSG_TXT_ROLE_ROUNDING));
}

static void sendg(vsg_txt_printer *printer)
{
    vsg_txt_put_char(&printer->out, '.');
    vsg_txt_put_hex(&printer->out, number_of(printer, VSG_TXT_ROLE_SFID), VSG_TXT_UPPER);
}

void vsg_txt_put_suffix(vsg_txt_printer *printer)
{
    static void (*const kinds[])(vsg_txt_printer * printer) = {
        [VSG_ISA_SUFFIX_PLAIN] = plain,
        [VSG_ISA_SUFFIX_REL] = relation,
        [VSG_ISA_SUFFIX_BFN] = bfn,
        [VSG_ISA_SUFFIX_DPAS] = dpas,
        [VSG_ISA_SUFFIX_CHANNELS] = channels,
        [VSG_ISA_SUFFIX_CHANNELS_OLD] = channels_old,
        [VSG_ISA_SUFFIX_UNORM] = unorm,
        [VSG_ISA_SUFFIX_SAMPLE] = sample,
        [VSG_ISA_SUFFIX_SAMPLE4] = sample4,
        [VSG_ISA_SUFFIX_ELT] = elt,
        [VSG_ISA_SUFFIX_BLOCKS] = blocks,
        [VSG_ISA_SUFFIX_ELT_BLOCKS] = elt_blocks,
        [VSG_ISA_SUFFIX_ALIGNED] = aligned,
        [VSG_ISA_SUFFIX_OWORD] = oword,
        [VSG_ISA_SUFFIX_MEDIA] = media,
        [VSG_ISA_SUFFIX_ATOMIC] = atomic,
        [VSG_ISA_SUFFIX_FENCE] = fence,
        [VSG_ISA_SUFFIX_LSC] = lsc,
        [VSG_ISA_SUFFIX_LSC_FENCE] = lsc_fence,
        [VSG_ISA_SUFFIX_RT_WRITE] = rt_write,
        [VSG_ISA_SUFFIX_SAME_CALLEE] = same_callee,
        [VSG_ISA_SUFFIX_LFSR] = lfsr,
        [VSG_ISA_SUFFIX_DNSCL] = dnscl,
        [VSG_ISA_SUFFIX_SENDG] = sendg,
        [VSG_ISA_SUFFIX_RAW_SENDS] = raw_sends,
    };

    kinds[printer->info->suffix](printer);
}
