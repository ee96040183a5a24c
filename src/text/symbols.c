/* SPDX-License-Identifier: MIT */
#include "text/symbols.h"

#include <string.h>

#include "base/hash.h"

/* A name, bound or not: names stay when their scope ends, so that ending one costs only what it
 * bound. */
struct vsg_txt_symbol {
    vsg_txt_word name;
    uint32_t binding; /* the meaning now, index + 1; 0: none */
};

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

void vsg_txt_symbols_init(vsg_txt_symbols *table, const vsg_base_alloc *alloc,
                          size_t first_slots)
{
    /* The address differs from run to run: no text can bring names that all collide. Nothing
     * that can be seen depends on it. */
    *table = (vsg_txt_symbols){
        .alloc = alloc, .seed = (uint64_t)(uintptr_t)table, .first_slots = first_slots};
}

static void *copy_of(const vsg_base_alloc *alloc, const void *from, size_t count, size_t size,
                     bool *good)
{
    if (count == 0)
        return NULL;
    void *copy = alloc->resize(alloc->user, NULL, 0, count * size);
    if (copy)
        memcpy(copy, from, count * size);
    *good = *good && copy;
    return copy;
}

bool vsg_txt_symbols_copy(vsg_txt_symbols *table, const vsg_base_alloc *alloc,
                          const vsg_txt_symbols *from)
{
    bool good = true;

    *table = *from;
    table->alloc = alloc;
    table->slots = copy_of(alloc, from->slots, from->num_slots, sizeof *from->slots, &good);
    table->symbols =
        copy_of(alloc, from->symbols, from->cap_symbols, sizeof *from->symbols, &good);
    table->bindings =
        copy_of(alloc, from->bindings, from->cap_bindings, sizeof *from->bindings, &good);
    return good;
}

void vsg_txt_symbols_free(vsg_txt_symbols *table)
{
    vsg_base_delete(table->alloc, table->slots, table->num_slots, sizeof *table->slots);
    vsg_base_delete(table->alloc, table->symbols, table->cap_symbols, sizeof *table->symbols);
    vsg_base_delete(table->alloc, table->bindings, table->cap_bindings,
                    sizeof *table->bindings);
    *table = (vsg_txt_symbols){.alloc = table->alloc};
}

/* What a slot says of its name; the block of a long one is 0. */
static inline vsg_txt_slot key_of(const vsg_txt_symbols *table, vsg_txt_word name)
{
    vsg_txt_slot key = {0};

    if (name.length <= sizeof key.block) {
        key.block = vsg_base_hash_block(name.text, name.length);
        key.hash = (uint32_t)vsg_base_hash_short(table->seed, key.block, name.length);
    } else {
        key.hash = (uint32_t)vsg_base_hash(table->seed, name.text, name.length);
    }
    return key;
}

static vsg_txt_slot *long_slot_of(const vsg_txt_symbols *table, vsg_txt_word name,
                                  uint32_t hash)
{
    size_t mask = table->num_slots - 1;

    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        vsg_txt_slot *slot = &table->slots[i];
        if (slot->entry == 0)
            return slot;
        vsg_txt_word there = table->symbols[slot->entry - 1].name;
        if (slot->hash == hash && there.length == name.length &&
            memcmp(there.text, name.text, name.length) == 0)
            return slot;
    }
}

/* The slot of the name, or the free one where it would go. A short name is its block and its
 * length, so no text is looked at. */
static inline vsg_txt_slot *slot_of(const vsg_txt_symbols *table, vsg_txt_word name,
                                    vsg_txt_slot key)
{
    size_t mask = table->num_slots - 1;

    if (name.length > sizeof key.block)
        return long_slot_of(table, name, key.hash);
    for (size_t i = key.hash & mask;; i = (i + 1) & mask) {
        vsg_txt_slot *slot = &table->slots[i];
        if (slot->entry == 0 || (slot->block == key.block &&
                                 table->symbols[slot->entry - 1].name.length == name.length))
            return slot;
    }
}

const vsg_txt_binding *vsg_txt_find(const vsg_txt_symbols *table, vsg_txt_word name)
{
    if (table->num_slots == 0)
        return NULL;
    uint32_t entry = slot_of(table, name, key_of(table, name))->entry;
    if (entry == 0)
        return NULL;
    uint32_t binding = table->symbols[entry - 1].binding;
    return binding ? &table->bindings[binding - 1] : NULL;
}

/* Keeps at least half of the slots free. */
static bool make_room(vsg_txt_symbols *table)
{
    if (table->num_symbols < table->num_slots / 2)
        return true;
    size_t num_slots = table->num_slots ? table->num_slots * 2 : table->first_slots;
    vsg_txt_slot *slots = vsg_base_new(table->alloc, num_slots, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < table->num_slots; i++) {
        size_t to = table->slots[i].hash & (num_slots - 1);
        if (table->slots[i].entry == 0)
            continue;
        while (slots[to].entry)
            to = (to + 1) & (num_slots - 1);
        slots[to] = table->slots[i];
    }
    vsg_base_delete(table->alloc, table->slots, table->num_slots, sizeof *slots);
    table->slots = slots;
    table->num_slots = num_slots;
    return true;
}

/* Index of the name's symbol, UINT32_MAX when memory is out. */
static uint32_t intern(vsg_txt_symbols *table, vsg_txt_word name)
{
    vsg_txt_slot key = key_of(table, name);

    if (!make_room(table))
        return UINT32_MAX;
    vsg_txt_slot *slot = slot_of(table, name, key);
    if (slot->entry)
        return slot->entry - 1;
    void *symbols = table->symbols;
    if (table->num_symbols >= UINT32_MAX - 1 ||
        !vsg_base_grow(table->alloc, &symbols, table->num_symbols, &table->cap_symbols,
                       sizeof *table->symbols))
        return UINT32_MAX;
    table->symbols = symbols;
    table->symbols[table->num_symbols] = (vsg_txt_symbol){.name = name};
    *slot = key;
    slot->entry = (uint32_t)++table->num_symbols;
    return slot->entry - 1;
}

vsg_txt_bound vsg_txt_bind(vsg_txt_symbols *table, vsg_txt_word name, vsg_txt_kind kind,
                           uint32_t id)
{
    uint32_t symbol = intern(table, name);
    if (symbol == UINT32_MAX)
        return VSG_TXT_NOT_BOUND;
    uint32_t hidden = table->symbols[symbol].binding;
    if (hidden && table->bindings[hidden - 1].depth == table->depth)
        return VSG_TXT_TAKEN;
    void *bindings = table->bindings;
    if (table->num_bindings >= UINT32_MAX - 1 ||
        !vsg_base_grow(table->alloc, &bindings, table->num_bindings, &table->cap_bindings,
                       sizeof *table->bindings))
        return VSG_TXT_NOT_BOUND;
    table->bindings = bindings;
    table->bindings[table->num_bindings] = (vsg_txt_binding){
        .kind = kind, .id = id, .depth = table->depth, .symbol = symbol, .hidden = hidden};
    table->symbols[symbol].binding = (uint32_t)++table->num_bindings;
    return VSG_TXT_BOUND;
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
    return !text || vsg_txt_bind(table, (vsg_txt_word){text, strlen(text)}, kind, id) !=
                        VSG_TXT_NOT_BOUND;
}

bool vsg_txt_bind_predefined(vsg_txt_symbols *table)
{
    /* V0 ... V20, which the reference parser reads too. */
    static const char *const numbers[VSG_ISA_NUM_PREDEFINED] = {
#define VARIABLE(index, id, text, alias_text, type, num_elements, flags) [index] = "V" #index,
#define SURFACE(index, id, text)
#include "isa/predefined.def"
#undef VARIABLE
#undef SURFACE
    };
    bool good = true;

    for (uint32_t i = 0; good && i < VSG_ISA_NUM_PREDEFINED; i++) {
        const vsg_isa_variable_info *info = vsg_isa_variable(i);
        good = bind_text(table, info->text, VSG_TXT_KIND_GENERAL, i) &&
               bind_text(table, info->alias_text, VSG_TXT_KIND_GENERAL, i) &&
               bind_text(table, numbers[i], VSG_TXT_KIND_GENERAL, i);
    }
    for (uint32_t i = 0; good && i < VSG_ISA_NUM_SURFACES; i++)
        good = bind_text(table, vsg_isa_surface(i), VSG_TXT_KIND_SURFACE, i);
    /* P0 is no variable but stands for "not predicated"; it may not be declared. */
    return good && bind_text(table, "P0", VSG_TXT_KIND_PREDICATE, 0) &&
           bind_text(table, "S31", VSG_TXT_KIND_SAMPLER, VSG_ISA_BINDLESS_SAMPLER);
}
