/* SPDX-License-Identifier: MIT
 *
 * What the parser looks up in every text, worked out of the tables of src/isa once. */
#ifndef VISAGE_TEXT_TABLES_H
#define VISAGE_TEXT_TABLES_H

#include "text/form.h"
#include "text/parser.h"
#include "text/symbols.h"

enum { VSG_TXT_MNEMONIC_SLOTS = 1024 };

typedef struct vsg_txt_mnemonic {
    uint32_t hash;
    uint16_t entry; /* operation + 1, 0: free */
} vsg_txt_mnemonic;

struct vsg_txt_tables {
    vsg_base_alloc alloc;
    vsg_txt_mnemonic mnemonics[VSG_TXT_MNEMONIC_SLOTS];
    vsg_txt_form forms[VSG_ISA_FORM_COUNT];
    vsg_txt_symbols predefined; /* what every unit has */
};

/* The longest mnemonic at the start of `text`, which ends where a name's letters and dots do;
 * *length: its length. VISAGE_OP_COUNT when there is none. */
visage_op vsg_txt_find_mnemonic(const vsg_txt_tables *tables, vsg_txt_word text,
                                size_t *length);

#endif
