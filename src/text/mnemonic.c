/* SPDX-License-Identifier: MIT */
#include "text/parse.h"

#include <string.h>

enum { LONGEST_MNEMONIC = 48 };

static size_t hash_of(const char *text, size_t length)
{
    uint32_t hash = UINT32_C(2166136261);

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT32_C(16777619);
    return (hash ^ hash >> 15) % VSG_TXT_MNEMONIC_SLOTS;
}

/* The slot of a mnemonic, or the free one where it would go. There are several times as many
 * slots as operations, so one is free. */
static size_t slot_of(const vsg_txt_mnemonics *mnemonics, const char *text, size_t length)
{
    for (size_t slot = hash_of(text, length);; slot = (slot + 1) % VSG_TXT_MNEMONIC_SLOTS) {
        uint16_t entry = mnemonics->slots[slot];
        if (entry == 0)
            return slot;
        const char *found = vsg_isa_op((visage_op)(entry - 1))->text;
        if (strlen(found) == length && memcmp(found, text, length) == 0)
            return slot;
    }
}

void vsg_txt_mnemonics_init(vsg_txt_mnemonics *mnemonics)
{
    memset(mnemonics, 0, sizeof *mnemonics);
    for (uint32_t op = 0; op < VISAGE_OP_COUNT; op++) {
        const char *text = vsg_isa_op((visage_op)op)->text;
        if (!vsg_txt_is_name_start(text[0]))
            continue; /* labels and directives */
        uint16_t *slot = &mnemonics->slots[slot_of(mnemonics, text, strlen(text))];
        /* Typed and untyped LSC operations share mnemonics: the suffix decides later. */
        if (*slot == 0)
            *slot = (uint16_t)(op + 1);
        else
            *slot = (uint16_t)(vsg_isa_find_text(text, strlen(text), false) + 1);
    }
}

visage_op vsg_txt_find_mnemonic(const vsg_txt_mnemonics *mnemonics, vsg_txt_word text,
                                size_t *length)
{
    visage_op found = VISAGE_OP_COUNT;

    /* Some mnemonics contain a dot themselves, so every dot may be the end of one. */
    for (size_t end = 1; end <= text.length && end <= LONGEST_MNEMONIC; end++) {
        if (end < text.length && text.text[end] != '.')
            continue;
        uint16_t entry = mnemonics->slots[slot_of(mnemonics, text.text, end)];
        if (entry) {
            found = (visage_op)(entry - 1);
            *length = end;
        }
    }
    return found;
}
