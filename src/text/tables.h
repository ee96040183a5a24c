/* SPDX-License-Identifier: MIT
 *
 * What the parser looks up in every text, worked out of the tables of src/isa once. */
#ifndef VISAGE_TEXT_TABLES_H
#define VISAGE_TEXT_TABLES_H

#include "text/form.h"
#include "text/parser.h"
#include "text/symbols.h"

enum { VSG_TXT_MNEMONIC_SLOTS = 1024, VSG_TXT_TYPE_SLOTS = 32 * 32 };

/* A mnemonic, or what stands before a dot in one. */
typedef struct vsg_txt_mnemonic {
    const char *text; /* NULL: free */
    uint32_t hash;
    uint16_t length;
    uint16_t entry; /* operation + 1, 0: only the beginning of one */
    bool goes_on;   /* a mnemonic has a dot behind it */
} vsg_txt_mnemonic;

struct vsg_txt_tables {
    vsg_base_alloc alloc;
    vsg_txt_mnemonic mnemonics[VSG_TXT_MNEMONIC_SLOTS];
    uint8_t types[VSG_TXT_TYPE_SLOTS]; /* visage_type + 1 by its letters, 0: none */
    vsg_txt_form forms[VSG_ISA_FORM_COUNT];
    vsg_txt_symbols predefined; /* what every unit has */
};

/* The longest mnemonic at the start of `text`, which ends where a name's letters and dots do;
 * *length: its length. VISAGE_OP_COUNT when there is none. */
visage_op vsg_txt_find_mnemonic(const vsg_txt_tables *tables, vsg_txt_word text,
                                size_t *length);

/* Slot of one or two letters in any case: five bits of each. */
static inline unsigned vsg_txt_type_slot(const char *text, size_t length)
{
    return ((unsigned)text[0] & 31) << 5 | (length > 1 ? (unsigned)text[1] & 31 : 0);
}

/* The type of a word of letters and digits, in any case; VISAGE_TYPE_COUNT when it is none. */
static inline visage_type vsg_txt_find_type(const vsg_txt_tables *tables, vsg_txt_word word)
{
    if (word.length < 1 || word.length > 2 || !vsg_txt_is_name_start(word.text[0]) ||
        !vsg_txt_is_name_start(word.text[word.length - 1]))
        return vsg_isa_find_type(word.text, word.length);
    unsigned type = tables->types[vsg_txt_type_slot(word.text, word.length)];
    return type ? (visage_type)(type - 1) : VISAGE_TYPE_COUNT;
}

#endif
