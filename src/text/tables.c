/* SPDX-License-Identifier: MIT */
#include "text/tables.h"

#include <string.h>

#include "base/hash.h"

/* ---- mnemonics -------------------------------------------------------------------------- */

/* The slot of a text, or the free one where it would go. There are several times as many slots
 * as texts, so one is free. */
static size_t slot_of(const vsg_txt_tables *tables, vsg_txt_word text, uint32_t *hash)
{
    *hash = (uint32_t)vsg_base_hash(0, text.text, text.length);
    for (size_t slot = *hash % VSG_TXT_MNEMONIC_SLOTS;;
         slot = (slot + 1) % VSG_TXT_MNEMONIC_SLOTS) {
        const vsg_txt_mnemonic *there = &tables->mnemonics[slot];
        if (!there->text || (there->hash == *hash && there->length == text.length &&
                             memcmp(there->text, text.text, text.length) == 0))
            return slot;
    }
}

static vsg_txt_mnemonic *add_mnemonic(vsg_txt_tables *tables, vsg_txt_word text)
{
    uint32_t hash;
    vsg_txt_mnemonic *slot = &tables->mnemonics[slot_of(tables, text, &hash)];

    slot->text = text.text;
    slot->hash = hash;
    slot->length = (uint16_t)text.length;
    return slot;
}

static void add_mnemonics(vsg_txt_tables *tables)
{
    for (uint32_t op = 0; op < VISAGE_OP_COUNT; op++) {
        const char *text = vsg_isa_op((visage_op)op)->text;
        size_t length = strlen(text);
        if (!vsg_txt_is_name_start(text[0]))
            continue; /* labels and directives */
        for (size_t i = 0; i < length; i++)
            if (text[i] == '.')
                add_mnemonic(tables, (vsg_txt_word){text, i})->goes_on = true;
        vsg_txt_mnemonic *slot = add_mnemonic(tables, (vsg_txt_word){text, length});
        /* Typed and untyped LSC operations share mnemonics: the suffix decides later. */
        visage_op found = slot->entry ? vsg_isa_find_text(text, length, false) : (visage_op)op;
        slot->entry = (uint16_t)(found + 1);
    }
}

visage_op vsg_txt_find_mnemonic(const vsg_txt_tables *tables, vsg_txt_word text, size_t *length)
{
    const char *end = text.text + text.length;
    visage_op found = VISAGE_OP_COUNT;
    uint32_t hash;

    /* Some mnemonics contain a dot themselves. */
    for (const char *at = text.text;; at++) {
        at = vsg_txt_run(at, end, VSG_TXT_LETTER | VSG_TXT_DIGIT);
        const vsg_txt_word word = {text.text, (size_t)(at - text.text)};
        const vsg_txt_mnemonic *there = &tables->mnemonics[slot_of(tables, word, &hash)];
        if (there->entry) {
            found = (visage_op)(there->entry - 1);
            *length = word.length;
        }
        if (!there->goes_on || at == end)
            return found;
    }
}

/* ---- types ------------------------------------------------------------------------------ */

static void add_types(vsg_txt_tables *tables)
{
    for (uint32_t type = 0; type < VISAGE_TYPE_COUNT; type++) {
        const char *text = vsg_isa_type(type)->text;
        if (strlen(text) <= 2)
            tables->types[vsg_txt_type_slot(text, strlen(text))] = (uint8_t)(type + 1);
    }
}

/* ---- all tables ------------------------------------------------------------------------- */

enum { VARIABLE_SLOTS = 512 /* for those that units declare, too */ };

vsg_txt_tables *vsg_txt_tables_new(const vsg_base_alloc *alloc)
{
    vsg_txt_tables *tables = vsg_base_new(alloc, 1, sizeof *tables);

    if (!tables)
        return NULL;
    tables->alloc = *alloc;
    add_mnemonics(tables);
    add_types(tables);
    vsg_txt_read_forms(tables->forms);
    vsg_txt_symbols_init(&tables->predefined, &tables->alloc, VARIABLE_SLOTS);
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
