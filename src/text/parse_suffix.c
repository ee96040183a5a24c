/* SPDX-License-Identifier: MIT
 *
 * Suffixes of mnemonics, one function a kind. Sources: isa/isa.h says what each kind looks like
 * and where it goes; the pages of the instructions; spec dialect 2, 4. */
#include "text/parse.h"

#include <stdio.h>
#include <string.h>

bool vsg_txt_bad_suffix(vsg_txt_parser *parser, vsg_obj_place place, vsg_txt_word word,
                        const char *expected)
{
    char text[VSG_TXT_MESSAGE_SIZE], dotted[VSG_TXT_MESSAGE_SIZE + 1];

    if (vsg_txt_without_encoding(parser, word, place))
        return false;
    (void)snprintf(dotted, sizeof dotted, ".%s", vsg_txt_message(word, text));
    return vsg_txt_report(parser, VSG_DIAG_UNKNOWN_SUFFIX, vsg_txt_since(parser, place), dotted,
                          vsg_isa_op(parser->inst.op)->text, expected);
}

/* Takes ".word" or reports. */
static bool take(vsg_txt_parser *parser, const char *expected, vsg_obj_place *place,
                 vsg_txt_word *word)
{
    *place = vsg_txt_here(&parser->lex);
    if (vsg_txt_take_suffix(&parser->lex, word))
        return true;
    return vsg_txt_expected(parser, expected);
}

/* Takes ".word", a word of a list. */
static bool take_word(vsg_txt_parser *parser, vsg_isa_words list, unsigned *code)
{
    char expected[256];
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    vsg_txt_word word;
    bool there = vsg_txt_take_suffix(&parser->lex, &word);
    int found = there ? vsg_isa_find_word(list, word.text, word.length) : -1;

    if (found >= 0) {
        *code = (unsigned)found;
        return true;
    }
    vsg_isa_list_words(list, expected, sizeof expected);
    return there ? vsg_txt_bad_suffix(parser, place, word, expected)
                 : vsg_txt_expected(parser, expected);
}

/* Takes ".n"; n from low to high. */
static bool take_number(vsg_txt_parser *parser, const char *what, int64_t low, int64_t high,
                        unsigned *value)
{
    vsg_obj_place place;
    vsg_txt_word word, digits;
    uint64_t number;
    vsg_txt_lexer inner;

    if (!take(parser, what, &place, &word))
        return false;
    vsg_txt_lexer_init(&inner, word.text, word.length);
    if (vsg_txt_take_number(&inner, &number, &digits) != VSG_TXT_NUMBER_OK ||
        inner.at != inner.end || number > INT64_MAX)
        return vsg_txt_bad_suffix(parser, place, word, what);
    *value = (unsigned)number;
    return vsg_txt_in_range(parser, place, what, (int64_t)number, low, high);
}

/* Takes ".n"; *log2 of n, which is a power of two up to `high`. */
static bool take_power(vsg_txt_parser *parser, const char *what, unsigned high, unsigned *log2)
{
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    unsigned number;

    if (!take_number(parser, what, 1, high, &number))
        return false;
    for (*log2 = 0; number >> *log2 > 1;)
        (*log2)++;
    if (number == 1u << *log2)
        return true;
    return vsg_txt_report(parser, VSG_DIAG_NUMBER, vsg_txt_since(parser, place),
                          "the suffix is no power of two");
}

/* Is ".word" next? Takes it if so. */
static bool take_if(vsg_txt_parser *parser, const char *text)
{
    const char *from = parser->lex.at;
    vsg_txt_word word;

    if (vsg_txt_take_suffix(&parser->lex, &word) && vsg_txt_word_is(word, text))
        return true;
    parser->lex.at = from;
    return false;
}

/* ---- kinds ------------------------------------------------------------------------------ */

static bool plain(vsg_txt_parser *parser)
{
    if (vsg_isa_op(parser->inst.op)->flags & VSG_ISA_SAT && take_if(parser, "sat"))
        parser->operands[0].modifier = VSG_OBJ_MOD_SAT;
    return true;
}

static bool relation(vsg_txt_parser *parser)
{
    unsigned code;

    if (!take_word(parser, VSG_ISA_WORDS_RELATION, &code))
        return false;
    vsg_txt_set(parser, VSG_TXT_ROLE_REL, code);
    return true;
}

/* .xHH */
static bool bfn(vsg_txt_parser *parser)
{
    vsg_obj_place place;
    vsg_txt_word word;
    unsigned value = 0;

    if (!take(parser, "'.x' and two hexadecimal digits", &place, &word))
        return false;
    bool good = word.length >= 2 && word.length <= 3 && word.text[0] == 'x';
    for (size_t i = 1; good && i < word.length; i++) {
        char c = word.text[i];
        bool letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        good = letter || vsg_txt_is_digit(c);
        value = value * 16 + (unsigned)(letter ? (c | 0x20) - 'a' + 10 : c - '0');
    }
    if (!good)
        return vsg_txt_bad_suffix(parser, place, word, "x and two hexadecimal digits");
    vsg_txt_set(parser, VSG_TXT_ROLE_FUNC, value);
    return true;
}

/* .W.A.depth.count: bytes of operand info from the lowest on */
static bool dpas(vsg_txt_parser *parser)
{
    unsigned weights, activations, depth, count;

    if (!take_word(parser, VSG_ISA_WORDS_PRECISION, &weights) ||
        !take_word(parser, VSG_ISA_WORDS_PRECISION, &activations) ||
        !take_number(parser, "the systolic depth", 1, 8, &depth) ||
        !take_number(parser, "the repeat count", 1, 8, &count))
        return false;
    vsg_txt_set(parser, VSG_TXT_ROLE_INFO,
                weights | activations << 8 | depth << 16 | count << 24);
    return true;
}

/* R, G, B, A in this order, in either case; bit 0 is R. 0: no such word. */
static unsigned channel_mask(vsg_txt_word word)
{
    static const char letters[] = "rgba";
    unsigned mask = 0;

    for (size_t i = 0; i < word.length; i++) {
        const char *at = word.text[i] ? strchr(letters, word.text[i] | 0x20) : NULL;
        unsigned bit = at ? 1u << (at - letters) : 0;
        if (bit <= mask) /* out of order, twice or no channel */
            return 0;
        mask |= bit;
    }
    return mask;
}

static const char channel_help[] = "channels such as R, RG or RGBA";

static bool take_channels(vsg_txt_parser *parser, unsigned *mask)
{
    vsg_obj_place place;
    vsg_txt_word word;

    if (!take(parser, channel_help, &place, &word))
        return false;
    *mask = channel_mask(word);
    return *mask || vsg_txt_bad_suffix(parser, place, word, channel_help);
}

static bool channels(vsg_txt_parser *parser)
{
    unsigned mask;

    if (!take_channels(parser, &mask))
        return false;
    vsg_txt_set(parser, VSG_TXT_ROLE_CHANNELS, mask);
    return true;
}

/* .RGBA [(n)] */
static bool channels_old(vsg_txt_parser *parser)
{
    unsigned mask, mode = 0;
    int64_t width;

    if (!take_channels(parser, &mask))
        return false;
    if (vsg_txt_take(&parser->lex, '(')) {
        vsg_txt_skip_blanks(&parser->lex);
        vsg_obj_place place = vsg_txt_here(&parser->lex);
        if (!vsg_txt_integer(parser, VSG_TXT_LEVEL_FULL, "the width", 8, 32, &width))
            return false;
        if (width & (width - 1))
            return vsg_txt_report(parser, VSG_DIAG_NUMBER, vsg_txt_since(parser, place),
                                  "the width is not 8, 16 or 32");
        mode = width == 8 ? 0 : width == 16 ? 1 : 2;
        if (!vsg_txt_need(parser, ')'))
            return false;
    }
    vsg_txt_set(parser, VSG_TXT_ROLE_MODE, mask | mode << 4);
    return true;
}

static bool unorm(vsg_txt_parser *parser)
{
    unsigned mask, format;

    if (!take_channels(parser, &mask) || !take_word(parser, VSG_ISA_WORDS_UNORM, &format))
        return false;
    vsg_txt_set(parser, VSG_TXT_ROLE_CHANNELS, mask | format << 4);
    return true;
}

/* Flags of sampler operations, bits of the sub field. */
static void sample_flags(vsg_txt_parser *parser)
{
    vsg_txt_word word;

    for (;;) {
        vsg_txt_lexer before = parser->lex;
        int bit = -1;
        if (vsg_txt_take_suffix(&parser->lex, &word))
            bit = vsg_isa_find_word(VSG_ISA_WORDS_SAMPLE, word.text, word.length);
        if (bit < 0) {
            parser->lex = before;
            return;
        }
        parser->inst.sub_flags |= (uint16_t)(1u << bit);
    }
}

static bool sample(vsg_txt_parser *parser)
{
    sample_flags(parser);
    return channels(parser);
}

static bool sample4(vsg_txt_parser *parser)
{
    vsg_obj_place place;
    vsg_txt_word word;

    sample_flags(parser);
    if (!take(parser, "one of the channels R, G, B, A", &place, &word))
        return false;
    unsigned mask = word.length == 1 ? channel_mask(word) : 0;
    if (mask == 0)
        return vsg_txt_bad_suffix(parser, place, word, "one of the channels R, G, B, A");
    vsg_txt_set(parser, VSG_TXT_ROLE_CHANNELS, mask == 8 ? 3 : mask >> 1);
    return true;
}

static bool elt(vsg_txt_parser *parser)
{
    unsigned log2;

    if (!take_power(parser, "the element size", 4, &log2))
        return false;
    vsg_txt_set(parser, VSG_TXT_ROLE_ELT_SIZE, log2);
    return true;
}

static bool blocks(vsg_txt_parser *parser)
{
    unsigned log2;

    if (!take_power(parser, "the number of blocks", 8, &log2))
        return false;
    vsg_txt_set(parser, VSG_TXT_ROLE_NUM_BLOCKS, log2);
    return true;
}

/* .bytes.blocks */
static bool elt_blocks(vsg_txt_parser *parser)
{
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    unsigned bytes;

    if (!take_number(parser, "the block size", 1, 8, &bytes))
        return false;
    if (bytes != 1 && bytes != 4 && bytes != 8)
        return vsg_txt_report(parser, VSG_DIAG_NUMBER, vsg_txt_since(parser, place),
                              "the block size is not 1, 4 or 8");
    vsg_txt_set(parser, VSG_TXT_ROLE_BLOCK_SIZE, bytes / 4);
    return blocks(parser);
}

static bool aligned(vsg_txt_parser *parser)
{
    if (take_if(parser, "unaligned"))
        vsg_txt_set(parser, VSG_TXT_ROLE_SIZE, 8);
    else
        (void)take_if(parser, "aligned");
    return true;
}

static bool same_callee(vsg_txt_parser *parser)
{
    parser->inst.sub_flags |= take_if(parser, "uniform");
    return true;
}

static bool oword(vsg_txt_parser *parser)
{
    if (take_if(parser, "mod"))
        vsg_txt_set(parser, VSG_TXT_ROLE_MODIFIERS, 1);
    return true;
}

static bool media(vsg_txt_parser *parser)
{
    unsigned code;

    if (!take_word(parser, VSG_ISA_WORDS_MEDIA, &code))
        return false;
    vsg_txt_set(parser, VSG_TXT_ROLE_MODIFIERS, code);
    return true;
}

/* .op [.16 | .32 | .64] */
static bool atomic(vsg_txt_parser *parser)
{
    unsigned code;

    if (!take_word(parser, VSG_ISA_WORDS_ATOMIC, &code))
        return false;
    if (take_if(parser, "16"))
        code |= 0x20;
    else if (take_if(parser, "64"))
        code |= 0x40;
    else
        (void)take_if(parser, "32"); /* read by the reference parser, the default */
    vsg_txt_set(parser, VSG_TXT_ROLE_ATOMIC, code);
    return true;
}

/* [.EISCRL1]; a lone '.' too, which is how no bit is listed */
static bool fence(vsg_txt_parser *parser)
{
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    vsg_txt_word word, rest;

    if (!vsg_txt_take_suffix(&parser->lex, &word))
        return true;
    for (rest = word; rest.length;) {
        size_t length = rest.text[0] == 'L' && rest.length > 1 ? 2 : 1;
        int bit = vsg_isa_find_word(VSG_ISA_WORDS_FENCE, rest.text, length);
        if (bit < 0)
            return vsg_txt_bad_suffix(parser, place, word, "letters of E, I, S, C, R and L1");
        parser->inst.sub_flags |= (uint16_t)bit;
        rest.text += length;
        rest.length -= length;
    }
    return true;
}

/* .sfid [.l1 [.l3]]; typed operations have no field for the sfid, which is tgm */
static bool lsc(vsg_txt_parser *parser)
{
    static const char untyped[] = "ugm, ugml, slm, urb";
    vsg_obj_place place;
    vsg_txt_word word;
    bool typed = parser->form->roles[VSG_TXT_ROLE_SFID] == VSG_TXT_NO_OPERAND;

    if (!take(parser, "'.' and ugm, ugml, slm, urb or tgm", &place, &word))
        return false;
    int sfid = vsg_isa_find_word(VSG_ISA_WORDS_LSC_SFID, word.text, word.length);
    if (sfid < 0 || (!typed && vsg_txt_word_is(word, "tgm")))
        return vsg_txt_bad_suffix(parser, place, word, untyped);
    vsg_txt_set(parser, VSG_TXT_ROLE_SFID, (uint64_t)sfid);
    for (unsigned i = 0; i < 2 && vsg_txt_next(&parser->lex) == '.'; i++) {
        unsigned code;
        if (!take_word(parser, VSG_ISA_WORDS_LSC_CACHE, &code))
            return false;
        vsg_txt_set(parser, i == 0 ? VSG_TXT_ROLE_CACHE_L1 : VSG_TXT_ROLE_CACHE_L3, code);
    }
    return true;
}

static bool lsc_fence(vsg_txt_parser *parser)
{
    unsigned sfid, op, scope;

    if (!take_word(parser, VSG_ISA_WORDS_LSC_SFID, &sfid) ||
        !take_word(parser, VSG_ISA_WORDS_LSC_FENCE_OP, &op) ||
        !take_word(parser, VSG_ISA_WORDS_LSC_FENCE_SCOPE, &scope))
        return false;
    vsg_txt_set(parser, VSG_TXT_ROLE_SFID, sfid);
    vsg_txt_set(parser, VSG_TXT_ROLE_OP, op);
    vsg_txt_set(parser, VSG_TXT_ROLE_SCOPE, scope);
    return true;
}

/* [.<bit><bit>...] */
static bool rt_write(vsg_txt_parser *parser)
{
    char expected[128];
    vsg_txt_word word;
    uint64_t mode = 0;

    if (!vsg_txt_take_suffix(&parser->lex, &word))
        return true;
    vsg_isa_list_words(VSG_ISA_WORDS_RT_WRITE, expected, sizeof expected);
    do {
        if (!vsg_txt_need(parser, '<'))
            return false;
        vsg_obj_place place = vsg_txt_here(&parser->lex);
        word = vsg_txt_take_letters(&parser->lex);
        int bit = vsg_isa_find_word(VSG_ISA_WORDS_RT_WRITE, word.text, word.length);
        if (bit < 0)
            return vsg_txt_bad_suffix(parser, place, word, expected);
        mode |= (uint64_t)1 << bit;
        if (!vsg_txt_need(parser, '>'))
            return false;
    } while (vsg_txt_next(&parser->lex) == '<');
    vsg_txt_set(parser, VSG_TXT_ROLE_MODE, mode);
    return true;
}

/* .sfid [.eot] .nsrc0.nsrc1.ndst, or _eot before all of it. The conditional operation is also
 * read without the sfid, as the reference parser wants it. */
static bool raw_sends(vsg_txt_parser *parser)
{
    static const char *const what[] = {"the sfid", "the length of source 0",
                                       "the length of source 1", "the length of the result"};
    static const vsg_txt_role roles[] = {VSG_TXT_ROLE_SFID, VSG_TXT_ROLE_NUM_SRC0,
                                         VSG_TXT_ROLE_NUM_SRC1, VSG_TXT_ROLE_NUM_DST};
    unsigned numbers[4] = {0}, count = 0;
    bool eot = false;

    if (vsg_txt_next(&parser->lex) == '_') {
        (void)vsg_txt_take_letters(&parser->lex);
        eot = true;
    }
    bool can_omit = vsg_isa_op(parser->inst.op)->sub == 1;
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    do {
        if (!take_number(parser, what[count], 0, UINT8_MAX, &numbers[count]))
            return false;
        count++;
        eot |= count == 1 && take_if(parser, "eot");
    } while (count < 3 || (count == 3 && (!can_omit || vsg_txt_next(&parser->lex) == '.')));
    for (unsigned i = 0; i < 4; i++) {
        unsigned from = i + count - 4; /* without the sfid the numbers move up by one */
        vsg_txt_set(parser, roles[i], from < count ? numbers[from] : 0);
    }
    parser->inst.sub_flags |= eot ? 2 : 0;
    return count == 3 || vsg_txt_in_range(parser, place, "the sfid", numbers[0], 0, 15);
}

static bool lfsr(vsg_txt_parser *parser)
{
    unsigned function;

    if (!take_word(parser, VSG_ISA_WORDS_LFSR, &function))
        return false;
    vsg_txt_set(parser, VSG_TXT_ROLE_FUNC, function);
    return true;
}

static bool dnscl(vsg_txt_parser *parser)
{
    unsigned conversion, mode, rounding;

    if (!take_word(parser, VSG_ISA_WORDS_DNSCL_CONVERSION, &conversion) ||
        !take_word(parser, VSG_ISA_WORDS_DNSCL_MODE, &mode) ||
        !take_word(parser, VSG_ISA_WORDS_DNSCL_ROUNDING, &rounding))
        return false;
    vsg_txt_set(parser, VSG_TXT_ROLE_CONVERSION, conversion);
    vsg_txt_set(parser, VSG_TXT_ROLE_MODE, mode);
    vsg_txt_set(parser, VSG_TXT_ROLE_ROUNDING, rounding);
    return true;
}

/* .sfid, a number or a word */
static bool sendg(vsg_txt_parser *parser)
{
    vsg_txt_lexer before = parser->lex;
    vsg_txt_word word;
    unsigned sfid;

    int found = vsg_txt_take_suffix(&parser->lex, &word)
                    ? vsg_isa_find_word(VSG_ISA_WORDS_SENDG_SFID, word.text, word.length)
                    : -1;
    if (found >= 0) {
        sfid = (unsigned)found;
    } else {
        parser->lex = before;
        if (!take_number(parser, "the sfid", 0, 15, &sfid))
            return false;
    }
    vsg_txt_set(parser, VSG_TXT_ROLE_SFID, sfid);
    return true;
}

bool vsg_txt_suffix(vsg_txt_parser *parser)
{
    static bool (*const kinds[])(vsg_txt_parser * parser) = {
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
    vsg_txt_word word;

    if (!kinds[vsg_isa_op(parser->inst.op)->suffix](parser))
        return false;
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    if (vsg_txt_take_suffix(&parser->lex, &word))
        return vsg_txt_bad_suffix(parser, place, word, "no further suffix");
    return !vsg_txt_is_name(vsg_txt_next(&parser->lex)) ||
           vsg_txt_expected(parser, "a blank after the mnemonic");
}
