/* SPDX-License-Identifier: MIT
 *
 * The ISA, described once: lookups over the tables types.def, platforms.def, predefined.def,
 * forms.def, opcodes.def and words.def. Every reader, writer and engine asks here. */
#ifndef VISAGE_ISA_ISA_H
#define VISAGE_ISA_ISA_H

#include "base/alloc.h"
#include "visage/visage.h"

/* ---- types ------------------------------------------------------------------------------ */

typedef enum vsg_isa_kind {
    VSG_ISA_KIND_UNSIGNED,
    VSG_ISA_KIND_SIGNED,
    VSG_ISA_KIND_FLOAT,
    VSG_ISA_KIND_PACKED,
    VSG_ISA_KIND_BOOLEAN
} vsg_isa_kind;

typedef struct vsg_isa_type_info {
    const char *text, *letters;
    uint32_t bytes;
    vsg_isa_kind kind;
} vsg_isa_type_info;

extern const vsg_isa_type_info vsg_isa_types[VISAGE_TYPE_COUNT];

/* NULL for a number that is no type. */
static inline const vsg_isa_type_info *vsg_isa_type(uint32_t type)
{
    return type < VISAGE_TYPE_COUNT ? &vsg_isa_types[type] : NULL;
}

/* The low bytes of `value` as an element of an integer or float type of at most eight bytes:
 * signed ones sign-extended, others with zeros. */
static inline uint64_t vsg_isa_element(const vsg_isa_type_info *info, uint64_t value)
{
    unsigned bits = info->bytes * 8;

    if (bits == 0 || bits >= 64)
        return value;
    uint64_t sign = UINT64_C(1) << (bits - 1);
    uint64_t kept = value & (sign * 2 - 1);
    return info->kind == VSG_ISA_KIND_SIGNED ? (kept ^ sign) - sign : kept;
}
/* Any case; VISAGE_TYPE_COUNT when it is no type. */
visage_type vsg_isa_find_type(const char *text, size_t length);

/* ---- platforms -------------------------------------------------------------------------- */

typedef struct vsg_isa_platform_info {
    const char *name, *aliases;
    uint32_t grf_bytes, slm_kib, max_group;
    const char *squeeze, *binary;
} vsg_isa_platform_info;

/* NULL for NONE and unknown values. */
const vsg_isa_platform_info *vsg_isa_platform(visage_platform platform);
/* The platform of a gen_platform id in a binary, NONE where it is none of ours. */
visage_platform vsg_isa_find_gen_platform(uint8_t id);
/* The gen_platform that is written for a platform; 0 for NONE. */
uint8_t vsg_isa_gen_platform(visage_platform platform);

/* ---- predefined variables --------------------------------------------------------------- */

enum {
    VSG_ISA_VAR_SHARED = 1, /* one for the thread, not one a function invocation */
    VSG_ISA_VAR_ALIAS = 2,
    VSG_ISA_VAR_WRITE = 4,

    VSG_ISA_NUM_PREDEFINED = 21, /* V0 .. V20 */
    VSG_ISA_FIRST_VARIABLE = 32, /* V21 .. V31 are reserved */
    VSG_ISA_NUM_SURFACES = 6,    /* T0 .. T5 */
    VSG_ISA_BINDLESS_SAMPLER = 31
};

enum {
#define VARIABLE(index, id, text, alias_text, type, num_elements, flags)                       \
    VSG_ISA_VAR_##id = (index),
#define SURFACE(index, id, text)
#include "isa/predefined.def"
#undef VARIABLE
#undef SURFACE
#define VARIABLE(index, id, text, alias_text, type, num_elements, flags)
#define SURFACE(index, id, text) VSG_ISA_SURFACE_##id = (index),
#include "isa/predefined.def"
#undef VARIABLE
#undef SURFACE
};

typedef struct vsg_isa_variable_info {
    const char *text, *alias_text;
    visage_type type;
    uint32_t num_elements;
    uint32_t flags;
} vsg_isa_variable_info;

/* index below VSG_ISA_NUM_PREDEFINED. */
const vsg_isa_variable_info *vsg_isa_variable(uint32_t index);
/* index below VSG_ISA_NUM_SURFACES. */
const char *vsg_isa_surface(uint32_t index);

/* ---- words of suffixes ------------------------------------------------------------------ */

typedef enum vsg_isa_words {
    VSG_ISA_WORDS_RELATION,
    VSG_ISA_WORDS_ATOMIC,
    VSG_ISA_WORDS_LSC_SFID,
    VSG_ISA_WORDS_LSC_CACHE,
    VSG_ISA_WORDS_LSC_ADDR_TYPE,
    VSG_ISA_WORDS_LSC_ADDR_SIZE,
    VSG_ISA_WORDS_LSC_DATA_SIZE,
    VSG_ISA_WORDS_LSC_NUM_ELEMENTS,
    VSG_ISA_WORDS_LSC_FENCE_OP,
    VSG_ISA_WORDS_LSC_FENCE_SCOPE,
    VSG_ISA_WORDS_FENCE,
    VSG_ISA_WORDS_PRECISION,
    VSG_ISA_WORDS_MEDIA,
    VSG_ISA_WORDS_UNORM,    /* output formats of sample_unorm */
    VSG_ISA_WORDS_SAMPLE,   /* bit numbers of the sub field */
    VSG_ISA_WORDS_RT_WRITE, /* bit numbers of operand mode */
    VSG_ISA_WORDS_AVS_CONTROL,
    VSG_ISA_WORDS_AVS_EXEC_MODE,
    VSG_ISA_WORDS_ALIGN,
    VSG_ISA_WORDS_PROVENANCE,
    VSG_ISA_WORDS_TARGET,
    VSG_ISA_WORDS_LFSR,
    VSG_ISA_WORDS_DNSCL_CONVERSION,
    VSG_ISA_WORDS_DNSCL_MODE,
    VSG_ISA_WORDS_DNSCL_ROUNDING,
    VSG_ISA_WORDS_SENDG_SFID,
    VSG_ISA_WORDS_COUNT
} vsg_isa_words;

/* The code of a word, -1 when the list has no such word. Case counts. */
int vsg_isa_find_word(vsg_isa_words list, const char *text, size_t length);
/* The word of a code, NULL when there is none. */
const char *vsg_isa_word(vsg_isa_words list, uint32_t code);
/* Writes "eq, ne, ..." for messages, cut to size. */
void vsg_isa_list_words(vsg_isa_words list, char *buffer, size_t size);

/* ---- operand forms ---------------------------------------------------------------------- */

typedef enum vsg_isa_slot_kind {
    VSG_ISA_SLOT_END, /* after the last slot */
    VSG_ISA_SLOT_EXEC,
    VSG_ISA_SLOT_PRED,
    VSG_ISA_SLOT_SUB8,
    VSG_ISA_SLOT_SUB16,
    /* from here on: operands */
    VSG_ISA_SLOT_DST,
    VSG_ISA_SLOT_DST_PRED_OR,
    VSG_ISA_SLOT_PRED_DST,
    VSG_ISA_SLOT_ADDR_DST,
    VSG_ISA_SLOT_STATE_DST,
    VSG_ISA_SLOT_SRC,
    VSG_ISA_SLOT_SRC_PRED_OR,
    VSG_ISA_SLOT_ADDR_SRC,
    VSG_ISA_SLOT_STATE_SRC,
    VSG_ISA_SLOT_RAW_DST,
    VSG_ISA_SLOT_RAW_SRC,
    VSG_ISA_SLOT_SURFACE,
    VSG_ISA_SLOT_SAMPLER,
    VSG_ISA_SLOT_LABEL,
    VSG_ISA_SLOT_NAME16,
    VSG_ISA_SLOT_NAME32,
    VSG_ISA_SLOT_U8,
    VSG_ISA_SLOT_U16,
    VSG_ISA_SLOT_U32,
    VSG_ISA_SLOT_VARIABLE,
    VSG_ISA_SLOT_COUNT8,
    VSG_ISA_SLOT_RAW_LIST,
    VSG_ISA_SLOT_LABEL_LIST,
    /* only in forms of the documented binary layout: */
    VSG_ISA_SLOT_SUB16_CHANNELS,
    VSG_ISA_SLOT_NO_PRED,
    VSG_ISA_SLOT_ZERO,
    VSG_ISA_SLOT_AGAIN,
    VSG_ISA_SLOT_RT_VECTORS,
    VSG_ISA_SLOT_RT_COUNT,
    VSG_ISA_SLOT_RT_RAWS
} vsg_isa_slot_kind;

/* Layouts of the operand part in text; `order` says which operands. */
typedef enum vsg_isa_syntax {
    VSG_ISA_SYNTAX_PLAIN,        /* [(mask, size)] operands, blanks between */
    VSG_ISA_SYNTAX_LABEL,        /* name: */
    VSG_ISA_SYNTAX_NAME,         /* "string" */
    VSG_ISA_SYNTAX_SIZE,         /* (n) operands: first operand of `order` is log2 of n */
    VSG_ISA_SYNTAX_BLOCK,        /* (w,h) operands: first two operands of `order` */
    VSG_ISA_SYNTAX_TRIPLE,       /* (a, b, c) operands: first three operands of `order` */
    VSG_ISA_SYNTAX_NUM_ELEMENTS, /* (mask, n) coded in operand num_elements, then operands */
    VSG_ISA_SYNTAX_RT_WRITE,     /* surface, header, then the list, which operand mode decides:
                                    si, cps, rti as vector sources, s0A, oM, R, G, B, A, Z,
                                    stencil raw */
    VSG_ISA_SYNTAX_LSC,          /* data and address parts, see LSC pages */
    VSG_ISA_SYNTAX_SENDG         /* three raw operands, each with "/" and the operand behind it,
                                    its length; two vectors; the last two operands as one number */
} vsg_isa_syntax;

typedef enum vsg_isa_suffix {
    VSG_ISA_SUFFIX_PLAIN,        /* .sat where the operation may saturate, else nothing */
    VSG_ISA_SUFFIX_REL,          /* .lt */
    VSG_ISA_SUFFIX_BFN,          /* .xd8 */
    VSG_ISA_SUFFIX_DPAS,         /* .W.A.depth.count: precisions of src1 and src2 */
    VSG_ISA_SUFFIX_CHANNELS,     /* .RGBA: operand channels, bit 0 R */
    VSG_ISA_SUFFIX_CHANNELS_OLD, /* .RGBA (n): operand mode; n is 8, 16 or 32: bits 4-5 0 1 2 */
    VSG_ISA_SUFFIX_UNORM,        /* .RGBA.format in operand channels, format in bits 4-5 */
    VSG_ISA_SUFFIX_SAMPLE,       /* [.flags].RGBA: operand channels; flags of the sub field */
    VSG_ISA_SUFFIX_SAMPLE4,      /* [.flags].R: operand channels holds a channel number */
    VSG_ISA_SUFFIX_ELT,          /* .n bytes: log2 in operand elt_size */
    VSG_ISA_SUFFIX_BLOCKS,       /* .n: log2 in operand num_blocks */
    VSG_ISA_SUFFIX_ELT_BLOCKS,   /* .bytes.n: operands block_size (1, 4, 8: 0 1 2), num_blocks
                                    log2 */
    VSG_ISA_SUFFIX_ALIGNED,      /* [.unaligned]: bit 3 of operand size */
    VSG_ISA_SUFFIX_OWORD,        /* [.mod]: operand modifiers */
    VSG_ISA_SUFFIX_MEDIA,        /* .nomod ...: operand modifiers */
    VSG_ISA_SUFFIX_ATOMIC,       /* .op[.16|.64]: operand atomic; bit 5 16-bit, bit 6 64-bit */
    VSG_ISA_SUFFIX_FENCE,        /* .EISCRL1: flags of the sub field */
    VSG_ISA_SUFFIX_LSC,          /* .sfid[.l1[.l3]] */
    VSG_ISA_SUFFIX_LSC_FENCE,    /* .sfid.op.scope */
    VSG_ISA_SUFFIX_RT_WRITE,     /* .<bit><bit>...: operand mode */
    VSG_ISA_SUFFIX_SAME_CALLEE,  /* [.uniform]: bit 0 of sub_flags */
    VSG_ISA_SUFFIX_LFSR,         /* .b32: operand func */
    VSG_ISA_SUFFIX_DNSCL,        /* .bftoe2m1.mode0.rne: operands conversion, mode, rounding */
    VSG_ISA_SUFFIX_SENDG,        /* .0xF or a word: operand sfid */
    VSG_ISA_SUFFIX_RAW_SENDS     /* .sfid[.eot].nsrc0.nsrc1.ndst: eot is bit 1 of the sub field;
                                    read too: _eot.sfid.nsrc0.nsrc1.ndst */
} vsg_isa_suffix;

typedef enum vsg_isa_form {
#define FORM(id, ...) VSG_ISA_FORM_##id,
#include "isa/forms.def"
#undef FORM
    VSG_ISA_FORM_COUNT
} vsg_isa_form;

enum {
    VSG_ISA_SLOT_SCALAR = 1 /* one element is read or written, whatever the region says */
};

typedef struct vsg_isa_slot {
    vsg_isa_slot_kind kind;
    const char *name; /* operands only */
    unsigned flags;   /* VSG_ISA_SLOT_SCALAR */
} vsg_isa_slot;

enum { VSG_ISA_MAX_SLOTS = 24 };

typedef struct vsg_isa_form_info {
    vsg_isa_syntax syntax;
    const char *order;
    vsg_isa_slot slots[VSG_ISA_MAX_SLOTS];
} vsg_isa_form_info;

/* ---- operations ------------------------------------------------------------------------- */

typedef enum visage_op {
#define OP(id, ...) VISAGE_OP_##id,
#include "isa/opcodes.def"
#undef OP
    VISAGE_OP_COUNT
} visage_op;

enum {
    VSG_ISA_SAT = 1,
    VSG_ISA_MOD_ARITH = 2,
    VSG_ISA_MOD_LOGIC = 4,
    VSG_ISA_PRED_SELECTS = 8,
    VSG_ISA_UNIFORM = 16,
    VSG_ISA_ADDRESS = 32,        /* operands may be address variables */
    VSG_ISA_QUAD = 64,           /* LSC data has a channel mask */
    VSG_ISA_STORED_SCALAR = 128, /* the compiler stores execution size 1 */
    VSG_ISA_OTHER_KERNEL = 256,  /* its label is another kernel's */
    VSG_ISA_SAME_CALLEE = 512, /* bit 12 of the predicate word, bit 0 of sub_flags: .uniform */
    VSG_ISA_OWN_SHAPE = 1024,  /* regions do not say which elements its operands have */
    VSG_ISA_SAT_FLOAT = 2048,  /* saturates only floats, by its page */
    VSG_ISA_ALIGN_WIDE = 4096, /* .align_16 does not hold for execution size 1 */
    VSG_ISA_ALIGN_VECTOR = 8192, /* .align_16 does not hold for scalar sources */
    VSG_ISA_PRED_RESULT = 16384, /* the predicate is written, and masks nothing */
    VSG_ISA_FIXED_SHAPE = 32768, /* LSC text has neither execution size nor data's shape nor
                                    the address size: (M1_NM, 1), d32x16t, a32 */
    VSG_ISA_ACROSS = 65536,      /* elements of several channels make one of its results */
    VSG_ISA_PARTLY = 131072,     /* of channels that are on, some results stay as they are */
    VSG_ISA_IN_A_ROW = 262144    /* elements follow each other, whatever the regions say */
};

/* Types of vector operands that go together: a "Type map" of an operation's page. */
enum { VSG_ISA_MAX_MAPS = 8, VSG_ISA_MAP_SOURCES = 4 };
typedef struct vsg_isa_map {
    uint32_t on;                       /* bit n: visage_platform n; 0: behind the last map */
    uint16_t dst;                      /* bit n: visage_type n; of all destinations */
    uint16_t src[VSG_ISA_MAP_SOURCES]; /* of each source; 0: as the one before */
    bool also;                         /* what the compiler writes and the page does not have */
} vsg_isa_map;

typedef struct vsg_isa_op_info {
    uint8_t code;
    const char *text;
    vsg_isa_form form;
    const char *group, *brief, *page;
    uint32_t types; /* bit n: visage_type n */
    uint32_t flags;
    uint32_t on;   /* bit n: visage_platform n */
    uint32_t also; /* platforms that the documents leave out and the compiler does not */
    vsg_isa_suffix suffix;
    uint32_t sub, sub_mask;
    uint32_t doc_sub;      /* sub in the documented binary layout, 0: as `sub` */
    vsg_isa_form doc_form; /* slots of the documented binary layout, NONE: as `form` */
    uint8_t unlisted;      /* bits that the compiler sets and listings do not show */
    uint8_t sizes;         /* execution sizes that it takes, their sum; 0: all */
    uint8_t wide_sizes;    /* the same where a GRF has 64 bytes, 0: as sizes */
    uint8_t no_indirect, no_immediate, short_immediate; /* bit n: operand n */
    uint8_t align_16, align_grf; /* bit n: operand n begins at 16 bytes, at a GRF */
    uint16_t longer; /* visage_op of the same text and opcode with more operands, 0: none */
    vsg_isa_map maps[VSG_ISA_MAX_MAPS]; /* none: see vsg_isa_maps() */
} vsg_isa_op_info;

extern const vsg_isa_form_info vsg_isa_forms[VSG_ISA_FORM_COUNT];
extern const vsg_isa_op_info vsg_isa_ops[VISAGE_OP_COUNT];

/* op below VISAGE_OP_COUNT. */
static inline const vsg_isa_op_info *vsg_isa_op(visage_op op)
{
    return &vsg_isa_ops[op];
}

static inline const vsg_isa_form_info *vsg_isa_form_of(visage_op op)
{
    return &vsg_isa_forms[vsg_isa_ops[op].form];
}

/* The operation of an opcode byte and its sub field (0 where it has none); VISAGE_OP_COUNT when
 * there is none. */
visage_op vsg_isa_find_code(uint32_t code, uint32_t sub);

/* The operation of a mnemonic, dots and all; VISAGE_OP_COUNT when there is none. Typed LSC
 * operations share their mnemonic with untyped ones: `typed` chooses. */
visage_op vsg_isa_find_text(const char *text, size_t length, bool typed);
/* The longest mnemonic that is a prefix of `text` up to a dot or the end; *length is set to its
 * length. VISAGE_OP_COUNT when there is none. */
visage_op vsg_isa_find_prefix(const char *text, size_t text_length, size_t *length);
/* The mnemonic nearest to a misspelt one, NULL when none is near. */
const char *vsg_isa_suggest(const char *text, size_t length);

/* The type maps of an operation, how many; 0 where types play no part. An operation whose row
 * has none takes integers with integers, and each float only with itself (2_datatypes, Type
 * Conversion). */
size_t vsg_isa_maps(visage_op op, vsg_isa_map out[VSG_ISA_MAX_MAPS]);
/* The types a map has for source `source`, counted without predicate and raw operands; -1: for
 * destinations. */
uint32_t vsg_isa_map_types(const vsg_isa_map *map, int source);

/* Does the form have a slot of this kind? */
bool vsg_isa_has_slot(visage_op op, vsg_isa_slot_kind kind);
/* Operand number of the operand called `name`, -1 where there is none. */
int vsg_isa_operand(visage_op op, const char *name);
/* Is operand `number` written, of whatever class it is? */
bool vsg_isa_is_destination(visage_op op, uint32_t number);
/* Operand `number`'s slot, NULL past the last. Lists repeat their slot from their number on. */
const vsg_isa_slot *vsg_isa_operand_slot(visage_op op, uint32_t number);
/* Number of operands, lists counted as one. */
uint32_t vsg_isa_num_operands(visage_op op);

/* The sub field of an operation, and the form, that binaries have: `doc`, as the documents say,
 * else as the compiler writes. */
uint32_t vsg_isa_binary_sub(visage_op op, bool doc);
static inline vsg_isa_form vsg_isa_binary_form(visage_op op, bool doc)
{
    const vsg_isa_op_info *info = vsg_isa_op(op);

    return doc && info->doc_form != VSG_ISA_FORM_NONE ? info->doc_form : info->form;
}
const vsg_isa_form_info *vsg_isa_form_info_of(vsg_isa_form form);

/* Parameters of a render-target write in their order: vectors first, then raw operands. */
typedef struct vsg_isa_rt_parameter {
    int8_t bit; /* of operand mode, -1: always there */
    bool is_vector;
    uint8_t bytes;  /* of a raw one's elements, 0: those of its type */
    uint32_t types; /* that its page asks for, 0: of a colour, or not said */
    const char *name;
} vsg_isa_rt_parameter;
/* NULL past the last. */
const vsg_isa_rt_parameter *vsg_isa_rt_parameter_of(uint32_t index);

/* ---- attributes ------------------------------------------------------------------------- */

typedef enum vsg_isa_attribute {
    VSG_ISA_ATTRIBUTE_INTEGER, /* what is not known, too, where it fits */
    VSG_ISA_ATTRIBUTE_STRING,
    VSG_ISA_ATTRIBUTE_WORD /* text has a word of VSG_ISA_WORDS_TARGET */
} vsg_isa_attribute;

vsg_isa_attribute vsg_isa_attribute_kind(const char *name);
/* Does a page, or the compiler, give the name a meaning? */
bool vsg_isa_attribute_is_known(const char *name);
/* Bytes that an integer attribute has in a binary unless somebody asks for others; more than
 * usual where the value needs them. */
unsigned vsg_isa_attribute_bytes(const char *name, int64_t value);

#endif
