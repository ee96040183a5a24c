/* SPDX-License-Identifier: MIT */
#include "isa/isa.h"

#include "isa/on.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const vsg_isa_type_info vsg_isa_types[VISAGE_TYPE_COUNT] = {
#define TYPE(id, text_, letters_, bytes_, kind_)                                               \
    [VISAGE_TYPE_##id] = {text_, letters_, bytes_, VSG_ISA_KIND_##kind_},
#include "isa/types.def"
#undef TYPE
};

static const vsg_isa_platform_info platforms[VISAGE_PLATFORM_COUNT] = {
#define PLATFORM(id, name_, aliases_, grf_bytes_, slm_kib_, max_group_, squeeze_, binary_)     \
    [VISAGE_PLATFORM_##                                                                        \
        id] = {name_, aliases_, grf_bytes_, slm_kib_, max_group_, squeeze_, binary_},
#include "isa/platforms.def"
#undef PLATFORM
};

#define VAR_SHARED VSG_ISA_VAR_SHARED
#define VAR_ALIAS  VSG_ISA_VAR_ALIAS
#define VAR_WRITE  VSG_ISA_VAR_WRITE
static const vsg_isa_variable_info variables[VSG_ISA_NUM_PREDEFINED] = {
#define VARIABLE(index, id, text_, alias_text_, type_, num_elements_, flags_)                  \
    [index] = {text_, alias_text_, VISAGE_TYPE_##type_, num_elements_, flags_},
#define SURFACE(index, id, text)
#include "isa/predefined.def"
#undef VARIABLE
#undef SURFACE
};

static const char *const surfaces[VSG_ISA_NUM_SURFACES] = {
#define VARIABLE(index, id, text, alias_text, type, num_elements, flags)
#define SURFACE(index, id, text_) [index] = text_,
#include "isa/predefined.def"
#undef VARIABLE
#undef SURFACE
};

typedef struct word {
    uint8_t list;
    uint8_t code;
    uint8_t length;
    const char *text;
} word;

static const word words[] = {
#define LIST(list_)
#define WORD(list_, code_, text_) {VSG_ISA_WORDS_##list_, code_, sizeof(text_) - 1, text_},
#include "isa/words.def"
#undef LIST
#undef WORD
};

/* FIRST_<list>: the first row of a list. Its number is that of the last row before it, and one;
 * rows are named by their lines. */
#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
enum {
#define LIST(list_)               FIRST_##list_, BEFORE_##list_ = FIRST_##list_ - 1,
#define WORD(list_, code_, text_) JOIN(ROW_, __LINE__),
#include "isa/words.def"
#undef LIST
#undef WORD
    NUM_WORDS
};

static const uint8_t first_words[] = {
#define LIST(list_) [VSG_ISA_WORDS_##list_] = FIRST_##list_,
#define WORD(list_, code_, text_)
#include "isa/words.def"
#undef LIST
#undef WORD
};

#define EXEC                                                                                   \
    {                                                                                          \
        VSG_ISA_SLOT_EXEC, NULL, 0                                                             \
    }
#define PRED                                                                                   \
    {                                                                                          \
        VSG_ISA_SLOT_PRED, NULL, 0                                                             \
    }
#define SUB8                                                                                   \
    {                                                                                          \
        VSG_ISA_SLOT_SUB8, NULL, 0                                                             \
    }
#define SUB16                                                                                  \
    {                                                                                          \
        VSG_ISA_SLOT_SUB16, NULL, 0                                                            \
    }
#define DST(name_)                                                                             \
    {                                                                                          \
        VSG_ISA_SLOT_DST, #name_, 0                                                            \
    }
#define DST_PRED_OR(name_)                                                                     \
    {                                                                                          \
        VSG_ISA_SLOT_DST_PRED_OR, #name_, 0                                                    \
    }
#define PRED_DST(name_)                                                                        \
    {                                                                                          \
        VSG_ISA_SLOT_PRED_DST, #name_, 0                                                       \
    }
#define ADDR_DST(name_)                                                                        \
    {                                                                                          \
        VSG_ISA_SLOT_ADDR_DST, #name_, 0                                                       \
    }
#define STATE_DST(name_)                                                                       \
    {                                                                                          \
        VSG_ISA_SLOT_STATE_DST, #name_, 0                                                      \
    }
#define SRC(name_)                                                                             \
    {                                                                                          \
        VSG_ISA_SLOT_SRC, #name_, 0                                                            \
    }
#define SCALAR(name_)                                                                          \
    {                                                                                          \
        VSG_ISA_SLOT_SRC, #name_, VSG_ISA_SLOT_SCALAR                                          \
    }
#define SCALAR_DST(name_)                                                                      \
    {                                                                                          \
        VSG_ISA_SLOT_DST, #name_, VSG_ISA_SLOT_SCALAR                                          \
    }
#define SRC_PRED_OR(name_)                                                                     \
    {                                                                                          \
        VSG_ISA_SLOT_SRC_PRED_OR, #name_, 0                                                    \
    }
#define ADDR_SRC(name_)                                                                        \
    {                                                                                          \
        VSG_ISA_SLOT_ADDR_SRC, #name_, 0                                                       \
    }
#define STATE_SRC(name_)                                                                       \
    {                                                                                          \
        VSG_ISA_SLOT_STATE_SRC, #name_, 0                                                      \
    }
#define RAW_DST(name_)                                                                         \
    {                                                                                          \
        VSG_ISA_SLOT_RAW_DST, #name_, 0                                                        \
    }
#define RAW_SRC(name_)                                                                         \
    {                                                                                          \
        VSG_ISA_SLOT_RAW_SRC, #name_, 0                                                        \
    }
#define SURFACE(name_)                                                                         \
    {                                                                                          \
        VSG_ISA_SLOT_SURFACE, #name_, 0                                                        \
    }
#define SAMPLER(name_)                                                                         \
    {                                                                                          \
        VSG_ISA_SLOT_SAMPLER, #name_, 0                                                        \
    }
#define LABEL(name_)                                                                           \
    {                                                                                          \
        VSG_ISA_SLOT_LABEL, #name_, 0                                                          \
    }
#define NAME16(name_)                                                                          \
    {                                                                                          \
        VSG_ISA_SLOT_NAME16, #name_, 0                                                         \
    }
#define NAME32(name_)                                                                          \
    {                                                                                          \
        VSG_ISA_SLOT_NAME32, #name_, 0                                                         \
    }
#define U8(name_)                                                                              \
    {                                                                                          \
        VSG_ISA_SLOT_U8, #name_, 0                                                             \
    }
#define U16(name_)                                                                             \
    {                                                                                          \
        VSG_ISA_SLOT_U16, #name_, 0                                                            \
    }
#define U32(name_)                                                                             \
    {                                                                                          \
        VSG_ISA_SLOT_U32, #name_, 0                                                            \
    }
#define VARIABLE(name_)                                                                        \
    {                                                                                          \
        VSG_ISA_SLOT_VARIABLE, #name_, 0                                                       \
    }
#define COUNT8(name_)                                                                          \
    {                                                                                          \
        VSG_ISA_SLOT_COUNT8, #name_, 0                                                         \
    }
#define RAW_LIST(name_)                                                                        \
    {                                                                                          \
        VSG_ISA_SLOT_RAW_LIST, #name_, 0                                                       \
    }
#define LABEL_LIST(name_)                                                                      \
    {                                                                                          \
        VSG_ISA_SLOT_LABEL_LIST, #name_, 0                                                     \
    }
#define SUB16_CHANNELS(name_)                                                                  \
    {                                                                                          \
        VSG_ISA_SLOT_SUB16_CHANNELS, #name_, 0                                                 \
    }
#define NO_PRED                                                                                \
    {                                                                                          \
        VSG_ISA_SLOT_NO_PRED, NULL, 0                                                          \
    }
#define ZERO                                                                                   \
    {                                                                                          \
        VSG_ISA_SLOT_ZERO, NULL, 0                                                             \
    }
#define AGAIN(name_)                                                                           \
    {                                                                                          \
        VSG_ISA_SLOT_AGAIN, #name_, 0                                                          \
    }
#define RT_VECTORS(name_)                                                                      \
    {                                                                                          \
        VSG_ISA_SLOT_RT_VECTORS, #name_, 0                                                     \
    }
#define RT_COUNT                                                                               \
    {                                                                                          \
        VSG_ISA_SLOT_RT_COUNT, NULL, 0                                                         \
    }
#define RT_RAWS(name_)                                                                         \
    {                                                                                          \
        VSG_ISA_SLOT_RT_RAWS, #name_, 0                                                        \
    }
const vsg_isa_form_info vsg_isa_forms[VSG_ISA_FORM_COUNT] = {
#define FORM(id, syntax_, order_, ...)                                                         \
    [VSG_ISA_FORM_##id] = {VSG_ISA_SYNTAX_##syntax_, order_, {__VA_ARGS__}},
#include "isa/forms.def"
#undef FORM
};
#undef SURFACE
#undef VARIABLE

#define FORM(id)         VSG_ISA_FORM_##id
#define SUFFIX(id)       VSG_ISA_SUFFIX_##id
#define SAT              VSG_ISA_SAT
#define MOD_ARITH        VSG_ISA_MOD_ARITH
#define MOD_LOGIC        VSG_ISA_MOD_LOGIC
#define PRED_SELECTS     VSG_ISA_PRED_SELECTS
#define PRED_RESULT      VSG_ISA_PRED_RESULT
#define UNIFORM          VSG_ISA_UNIFORM
#define ADDRESS          VSG_ISA_ADDRESS
#define QUAD             VSG_ISA_QUAD
#define STORED_SCALAR    VSG_ISA_STORED_SCALAR
#define OTHER_KERNEL     VSG_ISA_OTHER_KERNEL
#define SAME_CALLEE      VSG_ISA_SAME_CALLEE
#define OWN_SHAPE        VSG_ISA_OWN_SHAPE
#define FIXED_SHAPE      VSG_ISA_FIXED_SHAPE
#define ACROSS           VSG_ISA_ACROSS
#define PARTLY           VSG_ISA_PARTLY
#define IN_A_ROW         VSG_ISA_IN_A_ROW
#define SAT_FLOAT        (VSG_ISA_SAT | VSG_ISA_SAT_FLOAT)
#define ALIGN_WIDE       VSG_ISA_ALIGN_WIDE
#define ALIGN_VECTOR     VSG_ISA_ALIGN_VECTOR
#define LONGER(id)       VISAGE_OP_##id
#define O(n)             (1u << (n))
#define T(id)            (1u << VISAGE_TYPE_##id)
#define TYPES_BYTE       (T(B) | T(UB))
#define TYPES_WORD       (T(W) | T(UW))
#define TYPES_DWORD      (T(D) | T(UD))
#define TYPES_QWORD      (T(Q) | T(UQ))
#define TYPES_INT32      (TYPES_BYTE | TYPES_WORD | TYPES_DWORD)
#define TYPES_INT        (TYPES_INT32 | TYPES_QWORD)
#define TYPES_UNSIGNED32 (T(UB) | T(UW) | T(UD))
#define TYPES_UNSIGNED   (TYPES_UNSIGNED32 | T(UQ))
#define TYPES_SIGNED     (T(B) | T(W) | T(D) | T(Q))
#define TYPES_FLOAT      (T(F) | T(DF) | T(HF))
#define TYPES_PACKED     (T(V) | T(UV) | T(VF))
#define TYPES_ARITH      (TYPES_INT | TYPES_FLOAT | T(BF))
/* Platforms that have integers of 64 bits: page MUL; pages SEL, SHL, SHR name the others. */
#define HAS_INT64 (PLAT(SKL) | PLAT(XEHP) | PLAT(PVC))
#define MAP(on_, dst_, ...)                                                                    \
    {                                                                                          \
        .on = (on_), .dst = (dst_), .src = { __VA_ARGS__ }                                     \
    }
#define ALSO_MAP(on_, dst_, ...)                                                               \
    {                                                                                          \
        .on = (on_), .dst = (dst_), .src = {__VA_ARGS__}, .also = true                         \
    }
#define SAME(id)     MAP(ALL, T(id), T(id))
#define WITH_HALF    MAP(ALL, T(F) | T(HF), T(F) | T(HF))
#define WITH_BFLOAT  MAP(GE(XEHP), T(F) | T(BF), T(F) | T(BF))
#define INTEGERS(on) MAP(on, TYPES_INT, TYPES_INT)
#define INTEGERS32   MAP(ALL, TYPES_INT32, TYPES_INT32)
const vsg_isa_op_info vsg_isa_ops[VISAGE_OP_COUNT] = {
#define OP(id, code_, text_, ...)                                                              \
    [VISAGE_OP_##id] = {.code = code_, .text = text_, __VA_ARGS__},
#include "isa/opcodes.def"
#undef OP
};
#undef EXEC
#undef PRED
#undef LT

/* Vectors before raw operands; bits of operand mode (RT_WRITE page; opcodes.tsv, 0x71). */
static const vsg_isa_rt_parameter rt_parameters[] = {
    {11, true, 0, 0, "sample index"},
    {8, true, 0, 0, "coarse pixel count"},
    {2, true, 0, 1u << VISAGE_TYPE_UB, "render target"},
    {3, false, 0, 0, "alpha of source 0"},
    {4, false, 2, 1u << VISAGE_TYPE_UW, "mask"},
    {-1, false, 0, 0, "red"},
    {-1, false, 0, 0, "green"},
    {-1, false, 0, 0, "blue"},
    {-1, false, 0, 0, "alpha"},
    {5, false, 4, 1u << VISAGE_TYPE_F, "depth"},
    {6, false, 1, 1u << VISAGE_TYPE_UB, "stencil"},
};

/* Known attributes with a value (4_visa_header, Pre-defined Attributes; PerThreadInputSize:
 * spec dialect 1.1). Others are integers of four bytes. */
static const struct {
    const char *name;
    vsg_isa_attribute kind;
    unsigned bytes; /* of an integer */
} attributes[] = {
    {"OutputAsmPath", VSG_ISA_ATTRIBUTE_STRING, 0},
    {"AsmName", VSG_ISA_ATTRIBUTE_STRING, 0},
    {"Target", VSG_ISA_ATTRIBUTE_WORD, 1},
    {"SimdSize", VSG_ISA_ATTRIBUTE_INTEGER, 1},
    {"SLMSize", VSG_ISA_ATTRIBUTE_INTEGER, 1},
    {"ArgSize", VSG_ISA_ATTRIBUTE_INTEGER, 1},
    {"RetValSize", VSG_ISA_ATTRIBUTE_INTEGER, 1},
    {"PerThreadInputSize", VSG_ISA_ATTRIBUTE_INTEGER, 2},
    {"SpillMemOffset", VSG_ISA_ATTRIBUTE_INTEGER, 4},
    {"Scope", VSG_ISA_ATTRIBUTE_INTEGER, 4},
};

/* ---- types, platforms, variables -------------------------------------------------------- */

const char *visage_type_name(visage_type type)
{
    return (unsigned)type < VISAGE_TYPE_COUNT ? vsg_isa_types[type].text : NULL;
}

/* Letters are compared in any case; `lower` has only lower-case ones. No other character turns
 * into a letter with the bit that tells the cases apart. */
static bool same_word(const char *lower, const char *text, size_t length)
{
    size_t i = 0;

    while (i < length && lower[i] == (text[i] | 0x20))
        i++;
    return i == length && lower[i] == '\0';
}

visage_type vsg_isa_find_type(const char *text, size_t length)
{
    for (uint32_t i = 0; length && i < VISAGE_TYPE_COUNT; i++)
        if (vsg_isa_types[i].text[0] == (text[0] | 0x20) &&
            same_word(vsg_isa_types[i].text, text, length))
            return (visage_type)i;
    return VISAGE_TYPE_COUNT;
}

const vsg_isa_platform_info *vsg_isa_platform(visage_platform platform)
{
    if ((uint32_t)platform == VISAGE_PLATFORM_NONE ||
        (uint32_t)platform >= VISAGE_PLATFORM_COUNT)
        return NULL;
    return &platforms[platform];
}

const char *visage_platform_name(visage_platform platform)
{
    const vsg_isa_platform_info *info = vsg_isa_platform(platform);
    return info ? info->name : NULL;
}

uint32_t visage_platform_grf_bytes(visage_platform platform)
{
    const vsg_isa_platform_info *info = vsg_isa_platform(platform);
    return info ? info->grf_bytes : 0;
}

uint32_t visage_platform_slm_bytes(visage_platform platform)
{
    const vsg_isa_platform_info *info = vsg_isa_platform(platform);
    return info ? info->slm_kib * 1024u : 0;
}

uint32_t visage_platform_max_group(visage_platform platform)
{
    const vsg_isa_platform_info *info = vsg_isa_platform(platform);
    return info ? info->max_group : 0;
}

static bool in_list(const char *list, const char *text)
{
    size_t length = strlen(text);

    while (*list) {
        size_t span = strcspn(list, " ");
        if (span == length && strncasecmp(list, text, length) == 0)
            return true;
        list += span;
        list += strspn(list, " ");
    }
    return false;
}

visage_platform vsg_isa_find_gen_platform(uint8_t id)
{
    for (uint32_t i = 1; i < VISAGE_PLATFORM_COUNT; i++) {
        const char *at = platforms[i].binary;
        while (*at) {
            char *end;
            if (strtoul(at, &end, 10) == id)
                return (visage_platform)i;
            at = end + (*end == ' ');
        }
    }
    return VISAGE_PLATFORM_NONE;
}

uint8_t vsg_isa_gen_platform(visage_platform platform)
{
    const vsg_isa_platform_info *info = vsg_isa_platform(platform);

    return info ? (uint8_t)strtoul(info->binary, NULL, 10) : 0;
}

visage_platform visage_platform_find(const char *name)
{
    if (!name || !*name || strchr(name, ' '))
        return VISAGE_PLATFORM_NONE;
    for (uint32_t i = 1; i < VISAGE_PLATFORM_COUNT; i++)
        if (strcasecmp(platforms[i].name, name) == 0 || in_list(platforms[i].aliases, name))
            return (visage_platform)i;
    return VISAGE_PLATFORM_NONE;
}

const vsg_isa_variable_info *vsg_isa_variable(uint32_t index)
{
    return &variables[index];
}

const char *vsg_isa_surface(uint32_t index)
{
    return surfaces[index];
}

/* ---- words ------------------------------------------------------------------------------ */

int vsg_isa_find_word(vsg_isa_words list, const char *text, size_t length)
{
    for (size_t i = first_words[list]; i < NUM_WORDS && words[i].list == list; i++)
        if (words[i].length == length && words[i].text[0] == text[0] &&
            memcmp(words[i].text, text, length) == 0)
            return words[i].code;
    return -1;
}

const char *vsg_isa_word(vsg_isa_words list, uint32_t code)
{
    for (size_t i = first_words[list]; i < NUM_WORDS && words[i].list == list; i++)
        if (words[i].code == code)
            return words[i].text;
    return NULL;
}

void vsg_isa_list_words(vsg_isa_words list, char *buffer, size_t size)
{
    size_t used = 0;
    const char *before = "";

    if (size)
        buffer[0] = '\0';
    for (size_t i = first_words[list]; i < NUM_WORDS && words[i].list == list; i++) {
        if (vsg_isa_word(list, words[i].code) != words[i].text)
            continue;
        int n = snprintf(buffer + used, size - used, "%s%s", before, words[i].text);
        if (n < 0 || (size_t)n >= size - used)
            return;
        used += (size_t)n;
        before = ", ";
    }
}

/* ---- operations ------------------------------------------------------------------------- */

uint32_t vsg_isa_binary_sub(visage_op op, bool doc)
{
    return doc && vsg_isa_ops[op].doc_sub ? vsg_isa_ops[op].doc_sub : vsg_isa_ops[op].sub;
}

visage_op vsg_isa_find_code(uint32_t code, uint32_t sub)
{
    for (uint32_t i = 0; i < VISAGE_OP_COUNT; i++)
        if (vsg_isa_ops[i].code == code &&
            (sub & vsg_isa_ops[i].sub_mask) == vsg_isa_ops[i].sub)
            return (visage_op)i;
    return VISAGE_OP_COUNT;
}

static bool is_typed(uint32_t op)
{
    return vsg_isa_ops[op].code == vsg_isa_ops[VISAGE_OP_LSC_TYPED_LOAD_QUAD].code;
}

visage_op vsg_isa_find_text(const char *text, size_t length, bool typed)
{
    if (length == 0)
        return VISAGE_OP_COUNT;
    visage_op found = VISAGE_OP_COUNT;
    for (uint32_t i = 0; i < VISAGE_OP_COUNT; i++) {
        if (vsg_isa_ops[i].text[0] != text[0] || strlen(vsg_isa_ops[i].text) != length ||
            memcmp(vsg_isa_ops[i].text, text, length) != 0)
            continue;
        if (is_typed(i) == typed)
            return (visage_op)i;
        if (!is_typed(i))
            found = (visage_op)i;
    }
    return found;
}

visage_op vsg_isa_find_prefix(const char *text, size_t text_length, size_t *length)
{
    visage_op found = VISAGE_OP_COUNT;

    /* Some mnemonics contain dots themselves, so every dot may be the end of one. */
    for (size_t end = 1; end <= text_length; end++) {
        if (end < text_length && text[end] != '.')
            continue;
        visage_op op = vsg_isa_find_text(text, end, false);
        if (op != VISAGE_OP_COUNT) {
            found = op;
            *length = end;
        }
    }
    return found;
}

/* Edit distance with a bound, on two rows; words longer than the rows are far. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    enum { LONGEST = 40 };
    unsigned rows[2][LONGEST + 1];

    if (a_length > LONGEST || b_length > LONGEST)
        return LONGEST;
    for (unsigned j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (unsigned i = 1; i <= a_length; i++) {
        unsigned *above = rows[(i + 1) % 2];
        unsigned *row = rows[i % 2];
        row[0] = i;
        for (unsigned j = 1; j <= b_length; j++) {
            unsigned best = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return rows[a_length % 2][b_length];
}

const char *vsg_isa_suggest(const char *text, size_t length)
{
    const char *best = NULL;
    unsigned best_distance = 3;

    for (uint32_t i = 0; i < VISAGE_OP_COUNT; i++) {
        unsigned d = distance(text, length, vsg_isa_ops[i].text, strlen(vsg_isa_ops[i].text));
        if (vsg_isa_ops[i].text[0] && d < best_distance && d < length) {
            best = vsg_isa_ops[i].text;
            best_distance = d;
        }
    }
    return best;
}

static bool is_operand(vsg_isa_slot_kind kind)
{
    return kind >= VSG_ISA_SLOT_DST;
}

bool vsg_isa_has_slot(visage_op op, vsg_isa_slot_kind kind)
{
    for (const vsg_isa_slot *slot = vsg_isa_form_of(op)->slots; slot->kind; slot++)
        if (slot->kind == kind)
            return true;
    return false;
}

int vsg_isa_operand(visage_op op, const char *name)
{
    int number = 0;

    for (const vsg_isa_slot *slot = vsg_isa_form_of(op)->slots; slot->kind; slot++) {
        if (!is_operand(slot->kind))
            continue;
        if (strcmp(slot->name, name) == 0)
            return number;
        number++;
    }
    return -1;
}

const vsg_isa_slot *vsg_isa_operand_slot(visage_op op, uint32_t number)
{
    const vsg_isa_slot *last = NULL;

    for (const vsg_isa_slot *slot = vsg_isa_form_of(op)->slots; slot->kind; slot++) {
        if (!is_operand(slot->kind))
            continue;
        last = slot;
        if (number-- == 0)
            return slot;
    }
    if (last && (last->kind == VSG_ISA_SLOT_RAW_LIST || last->kind == VSG_ISA_SLOT_LABEL_LIST))
        return last;
    return NULL;
}

bool vsg_isa_is_destination(visage_op op, uint32_t number)
{
    const vsg_isa_slot *slot = vsg_isa_operand_slot(op, number);

    return slot && ((slot->kind >= VSG_ISA_SLOT_DST && slot->kind <= VSG_ISA_SLOT_STATE_DST) ||
                    slot->kind == VSG_ISA_SLOT_RAW_DST);
}

static void add_map(vsg_isa_map *out, size_t *count, uint32_t set)
{
    if (set == 0)
        return;
    out[(*count)++] = (vsg_isa_map){.on = ALL, .dst = (uint16_t)set, .src = {(uint16_t)set}};
}

size_t vsg_isa_maps(visage_op op, vsg_isa_map out[VSG_ISA_MAX_MAPS])
{
    static const uint32_t floats[] = {T(F), T(DF), T(HF), T(BF)};
    const vsg_isa_op_info *info = &vsg_isa_ops[op];
    size_t count = 0;

    while (count < VSG_ISA_MAX_MAPS && info->maps[count].on) {
        out[count] = info->maps[count];
        count++;
    }
    if (count > 0)
        return count;
    add_map(out, &count, info->types & TYPES_INT);
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++)
        add_map(out, &count, info->types & floats[i]);
    return count;
}

uint32_t vsg_isa_map_types(const vsg_isa_map *map, int source)
{
    uint32_t set = 0;

    if (source < 0)
        return map->dst;
    for (int i = 0; i <= source && i < VSG_ISA_MAP_SOURCES; i++)
        if (map->src[i])
            set = map->src[i];
    return set;
}

uint32_t vsg_isa_num_operands(visage_op op)
{
    uint32_t count = 0;

    for (const vsg_isa_slot *slot = vsg_isa_form_of(op)->slots; slot->kind; slot++)
        count += is_operand(slot->kind);
    return count;
}

const vsg_isa_form_info *vsg_isa_form_info_of(vsg_isa_form form)
{
    return &vsg_isa_forms[form];
}

const vsg_isa_rt_parameter *vsg_isa_rt_parameter_of(uint32_t index)
{
    return index < sizeof rt_parameters / sizeof rt_parameters[0] ? &rt_parameters[index]
                                                                  : NULL;
}

bool vsg_isa_attribute_is_known(const char *name)
{
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
        if (strcmp(attributes[i].name, name) == 0)
            return true;
    return false;
}

vsg_isa_attribute vsg_isa_attribute_kind(const char *name)
{
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
        if (strcmp(attributes[i].name, name) == 0)
            return attributes[i].kind;
    return VSG_ISA_ATTRIBUTE_INTEGER;
}

unsigned vsg_isa_attribute_bytes(const char *name, int64_t value)
{
    unsigned bytes = 0;

    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
        if (strcmp(attributes[i].name, name) == 0)
            bytes = attributes[i].bytes;
    return bytes > 0 && value >= 0 && (uint64_t)value >> 8 * bytes == 0 ? bytes : 4;
}
