/* SPDX-License-Identifier: MIT */
#include "text/tables.h"

#include <string.h>

/* ---- mnemonics -------------------------------------------------------------------------- */

enum { LONGEST_MNEMONIC = 48 };

static const uint32_t empty_hash = UINT32_C(2166136261);

static uint32_t add_to_hash(uint32_t hash, char c)
{
    return (hash ^ (unsigned char)c) * UINT32_C(16777619);
}

/* The slot of a mnemonic, or the free one where it would go. There are several times as many
 * slots as operations, so one is free. */
static size_t slot_of(const vsg_txt_tables *tables, uint32_t hash, vsg_txt_word text)
{
    for (size_t slot = (hash ^ hash >> 15) % VSG_TXT_MNEMONIC_SLOTS;;
         slot = (slot + 1) % VSG_TXT_MNEMONIC_SLOTS) {
        const vsg_txt_mnemonic *there = &tables->mnemonics[slot];
        if (there->entry == 0 ||
            (there->hash == hash &&
             vsg_txt_same_word(text, vsg_isa_op((visage_op)(there->entry - 1))->text)))
            return slot;
    }
}

static void add_mnemonics(vsg_txt_tables *tables)
{
    for (uint32_t op = 0; op < VISAGE_OP_COUNT; op++) {
        const char *text = vsg_isa_op((visage_op)op)->text;
        vsg_txt_word word = {text, strlen(text)};
        uint32_t hash = empty_hash;
        if (!vsg_txt_is_name_start(text[0]))
            continue; /* labels and directives */
        for (size_t i = 0; i < word.length; i++)
            hash = add_to_hash(hash, text[i]);
        vsg_txt_mnemonic *slot = &tables->mnemonics[slot_of(tables, hash, word)];
        /* Typed and untyped LSC operations share mnemonics: the suffix decides later. */
        visage_op found =
            slot->entry ? vsg_isa_find_text(text, word.length, false) : (visage_op)op;
        *slot = (vsg_txt_mnemonic){.hash = hash, .entry = (uint16_t)(found + 1)};
    }
}

visage_op vsg_txt_find_mnemonic(const vsg_txt_tables *tables, vsg_txt_word text, size_t *length)
{
    visage_op found = VISAGE_OP_COUNT;
    uint32_t hash = empty_hash;

    /* Some mnemonics contain a dot themselves, so every dot may be the end of one. */
    for (size_t end = 0; end <= text.length && end <= LONGEST_MNEMONIC; end++) {
        if (end > 0 && (end == text.length || text.text[end] == '.')) {
            size_t slot = slot_of(tables, hash, (vsg_txt_word){text.text, end});
            if (tables->mnemonics[slot].entry) {
                found = (visage_op)(tables->mnemonics[slot].entry - 1);
                *length = end;
            }
        }
        if (end < text.length)
            hash = add_to_hash(hash, text.text[end]);
    }
    return found;
}

/* ---- all tables ------------------------------------------------------------------------- */

vsg_txt_tables *vsg_txt_tables_new(const vsg_base_alloc *alloc)
{
    vsg_txt_tables *tables = vsg_base_new(alloc, 1, sizeof *tables);

    if (!tables)
        return NULL;
    tables->alloc = *alloc;
    add_mnemonics(tables);
    vsg_txt_read_forms(tables->forms);
    vsg_txt_symbols_init(&tables->predefined, &tables->alloc);
    if (!vsg_txt_bind_predefined(&tables->predefined))
        vsg_txt_tables_delete(&tables);
    return tables;
}

void vsg_txt_tables_delete(vsg_txt_tables **tables)
{
    if (!*tables)
        return;
    vsg_base_alloc alloc = (*tables)->alloc;
    vsg_txt_symbols_free(&(*tables)->predefined);
    vsg_base_delete(&alloc, *tables, 1, sizeof **tables);
    *tables = NULL;
}
