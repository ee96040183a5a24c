/* SPDX-License-Identifier: MIT */
#include "text/symbols.h"

#include <stdio.h>
#include <string.h>

/* A name, bound or not: names stay when their scope ends, so that ending one costs only what it
 * bound. */
struct vsg_txt_symbol {
    vsg_txt_word name;
    uint64_t hash;
    uint32_t binding; /* the meaning now, index + 1; 0: none */
};

enum { FIRST_SLOTS = 256 };

const char *vsg_txt_kind_text(vsg_txt_kind kind)
{
    static const char *const texts[] = {
        [VSG_TXT_KIND_GENERAL] = "general variable",
        [VSG_TXT_KIND_ADDRESS] = "address variable",
        [VSG_TXT_KIND_PREDICATE] = "predicate",
        [VSG_TXT_KIND_SAMPLER] = "sampler",
        [VSG_TXT_KIND_SURFACE] = "surface",
        [VSG_TXT_KIND_LABEL] = "label",
    };
    return texts[kind];
}

void vsg_txt_symbols_init(vsg_txt_symbols *table, const vsg_base_alloc *alloc)
{
    /* The address differs from run to run: no text can bring names that all collide. Nothing
     * that can be seen depends on it. */
    *table = (vsg_txt_symbols){.alloc = alloc, .seed = (uint64_t)(uintptr_t)table};
}

void vsg_txt_symbols_free(vsg_txt_symbols *table)
{
    vsg_base_delete(table->alloc, table->slots, table->num_slots, sizeof *table->slots);
    vsg_base_delete(table->alloc, table->symbols, table->cap_symbols, sizeof *table->symbols);
    vsg_base_delete(table->alloc, table->bindings, table->cap_bindings,
                    sizeof *table->bindings);
    *table = (vsg_txt_symbols){.alloc = table->alloc};
}

static uint64_t hash_of(const vsg_txt_symbols *table, vsg_txt_word name)
{
    uint64_t hash = table->seed * UINT64_C(0x9e3779b97f4a7c15);

    for (size_t i = 0; i < name.length; i++) {
        hash = (hash ^ (unsigned char)name.text[i]) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    return hash;
}

/* The slot of the name, or the free one where it would go. */
static size_t slot_of(const vsg_txt_symbols *table, vsg_txt_word name, uint64_t hash)
{
    size_t mask = table->num_slots - 1;

    for (size_t slot = (size_t)hash & mask;; slot = (slot + 1) & mask) {
        uint32_t index = table->slots[slot];
        if (index == 0)
            return slot;
        const vsg_txt_symbol *symbol = &table->symbols[index - 1];
        if (symbol->hash == hash && symbol->name.length == name.length &&
            memcmp(symbol->name.text, name.text, name.length) == 0)
            return slot;
    }
}

const vsg_txt_binding *vsg_txt_find(const vsg_txt_symbols *table, vsg_txt_word name)
{
    if (table->num_slots == 0)
        return NULL;
    uint32_t index = table->slots[slot_of(table, name, hash_of(table, name))];
    if (index == 0)
        return NULL;
    uint32_t binding = table->symbols[index - 1].binding;
    return binding ? &table->bindings[binding - 1] : NULL;
}

/* Keeps at least half of the slots free. */
static bool make_room(vsg_txt_symbols *table)
{
    if (table->num_symbols < table->num_slots / 2)
        return true;
    size_t num_slots = table->num_slots ? table->num_slots * 2 : FIRST_SLOTS;
    uint32_t *slots = vsg_base_new(table->alloc, num_slots, sizeof *slots);
    if (!slots)
        return false;
    vsg_base_delete(table->alloc, table->slots, table->num_slots, sizeof *slots);
    table->slots = slots;
    table->num_slots = num_slots;
    for (size_t i = 0; i < table->num_symbols; i++) {
        size_t slot = (size_t)table->symbols[i].hash & (num_slots - 1);
        while (slots[slot])
            slot = (slot + 1) & (num_slots - 1);
        slots[slot] = (uint32_t)i + 1;
    }
    return true;
}

/* Index of the name's symbol, UINT32_MAX when memory is out. */
static uint32_t intern(vsg_txt_symbols *table, vsg_txt_word name)
{
    uint64_t hash = hash_of(table, name);

    if (!make_room(table))
        return UINT32_MAX;
    size_t slot = slot_of(table, name, hash);
    if (table->slots[slot])
        return table->slots[slot] - 1;
    void *symbols = table->symbols;
    if (table->num_symbols >= UINT32_MAX - 1 ||
        !vsg_base_grow(table->alloc, &symbols, table->num_symbols, &table->cap_symbols,
                       sizeof *table->symbols))
        return UINT32_MAX;
    table->symbols = symbols;
    table->symbols[table->num_symbols] = (vsg_txt_symbol){.name = name, .hash = hash};
    table->slots[slot] = (uint32_t)++table->num_symbols;
    return table->slots[slot] - 1;
}

bool vsg_txt_bind(vsg_txt_symbols *table, vsg_txt_word name, vsg_txt_kind kind, uint32_t id)
{
    uint32_t symbol = intern(table, name);
    if (symbol == UINT32_MAX)
        return false;
    void *bindings = table->bindings;
    if (table->num_bindings >= UINT32_MAX - 1 ||
        !vsg_base_grow(table->alloc, &bindings, table->num_bindings, &table->cap_bindings,
                       sizeof *table->bindings))
        return false;
    table->bindings = bindings;
    table->bindings[table->num_bindings] =
        (vsg_txt_binding){.kind = kind,
                          .id = id,
                          .depth = table->depth,
                          .symbol = symbol,
                          .hidden = table->symbols[symbol].binding};
    table->symbols[symbol].binding = (uint32_t)++table->num_bindings;
    return true;
}

void vsg_txt_unbind(vsg_txt_symbols *table, size_t count)
{
    while (table->num_bindings > count) {
        const vsg_txt_binding *binding = &table->bindings[--table->num_bindings];
        table->symbols[binding->symbol].binding = binding->hidden;
    }
}

/* ---- predefined names ------------------------------------------------------------------- */

static bool bind_text(vsg_txt_symbols *table, const char *text, vsg_txt_kind kind, uint32_t id)
{
    return !text || vsg_txt_bind(table, (vsg_txt_word){text, strlen(text)}, kind, id);
}

/* V0 ... V20, which the reference parser reads too. */
static bool bind_number(vsg_txt_symbols *table, vsg_base_arena *arena, uint32_t id)
{
    char name[16];
    int length = snprintf(name, sizeof name, "V%u", (unsigned)id);
    const char *copy = vsg_base_arena_text(arena, name, (size_t)length);

    return copy && bind_text(table, copy, VSG_TXT_KIND_GENERAL, id);
}

bool vsg_txt_bind_predefined(vsg_txt_symbols *table, vsg_base_arena *arena)
{
    bool good = true;

    for (uint32_t i = 0; good && i < VSG_ISA_NUM_PREDEFINED; i++) {
        const vsg_isa_variable_info *info = vsg_isa_variable(i);
        good = bind_text(table, info->text, VSG_TXT_KIND_GENERAL, i) &&
               bind_text(table, info->alias_text, VSG_TXT_KIND_GENERAL, i) &&
               bind_number(table, arena, i);
    }
    for (uint32_t i = 0; good && i < VSG_ISA_NUM_SURFACES; i++)
        good = bind_text(table, vsg_isa_surface(i), VSG_TXT_KIND_SURFACE, i);
    /* P0 is no variable but stands for "not predicated"; it may not be declared. */
    return good && bind_text(table, "P0", VSG_TXT_KIND_PREDICATE, 0) &&
           bind_text(table, "S31", VSG_TXT_KIND_SAMPLER, VSG_ISA_BINDLESS_SAMPLER);
}
