/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/hash.h"
#include "object/writer.h"

enum { FIRST_SLOTS = 256 };

/* What a slot says of its string; the block of a long one, and of an empty one, is 0. */
static vsg_obj_pool_slot key_of(const vsg_obj_pool *pool, const char *text)
{
    /* The address differs from run to run; nothing that is written depends on it. */
    uint64_t seed = (uint64_t)(uintptr_t)pool;
    size_t length = strlen(text);
    vsg_obj_pool_slot key = {0};

    if (length <= sizeof key.block) {
        key.block = vsg_base_hash_block(text, length);
        key.hash = (uint32_t)vsg_base_hash_short(seed, key.block, length);
    } else {
        key.hash = (uint32_t)vsg_base_hash(seed, text, length);
    }
    return key;
}

/* The slot of a string, or the free one where it would go. */
static vsg_obj_pool_slot *slot_of(const vsg_obj_pool *pool, vsg_obj_pool_slot key,
                                  const char *text)
{
    size_t mask = pool->num_slots - 1;

    for (size_t i = key.hash & mask;; i = (i + 1) & mask) {
        vsg_obj_pool_slot *slot = &pool->slots[i];
        if (slot->entry == 0 ||
            (slot->hash == key.hash && slot->block == key.block &&
             (key.block || strcmp(pool->strings[slot->entry - 1], text) == 0)))
            return slot;
    }
}

/* Keeps at least half of the slots free. */
static bool make_room(vsg_obj_pool *pool)
{
    if (pool->num_strings < pool->num_slots / 2)
        return true;
    size_t num_slots = pool->num_slots ? pool->num_slots * 2 : FIRST_SLOTS;
    vsg_obj_pool_slot *slots = vsg_base_new(pool->alloc, num_slots, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < pool->num_slots; i++) {
        size_t to = pool->slots[i].hash & (num_slots - 1);
        if (pool->slots[i].entry == 0)
            continue;
        while (slots[to].entry)
            to = (to + 1) & (num_slots - 1);
        slots[to] = pool->slots[i];
    }
    vsg_base_delete(pool->alloc, pool->slots, pool->num_slots, sizeof *slots);
    pool->slots = slots;
    pool->num_slots = num_slots;
    return true;
}

/* Adds a string whose slot is known. */
static bool append_to(vsg_obj_pool *pool, vsg_obj_pool_slot *slot, vsg_obj_pool_slot key,
                      const char *text)
{
    void *strings = pool->strings;

    if (pool->num_strings >= UINT32_MAX - 1 ||
        !vsg_base_grow(pool->alloc, &strings, pool->num_strings, &pool->cap_strings,
                       sizeof *pool->strings))
        return false;
    pool->strings = strings;
    pool->strings[pool->num_strings++] = text;
    if (slot->entry == 0) {
        *slot = key;
        slot->entry = (uint32_t)pool->num_strings;
    }
    return true;
}

/* Adds a string that has no entry yet, or one more that is equal to it: pools that were read
 * may have one twice. */
static bool append(vsg_obj_pool *pool, const char *text)
{
    vsg_obj_pool_slot key = key_of(pool, text);

    return make_room(pool) && append_to(pool, slot_of(pool, key, text), key, text);
}

/* Name number `i` of what the compiler puts first: the unit, predefined variables, surfaces,
 * the bindless sampler (spec dialect 1.1). NULL past the last. */
static const char *predefined(const char *unit_name, size_t i)
{
    if (i == 0)
        return unit_name;
    if (--i < VSG_ISA_NUM_PREDEFINED)
        return vsg_isa_variable((uint32_t)i)->text;
    i -= VSG_ISA_NUM_PREDEFINED;
    if (i < VSG_ISA_NUM_SURFACES)
        return vsg_isa_surface((uint32_t)i);
    return i == VSG_ISA_NUM_SURFACES ? "S31" : NULL;
}

/* Does the pool start as the compiler's do? Releases differ in the predefined variables, so the
 * unit's name and the first variable must do. */
static bool starts_as_igc(const vsg_obj_stored *stored, const char *unit_name)
{
    return stored->num_strings > 1 && strcmp(stored->strings[0], unit_name) == 0 &&
           strcmp(stored->strings[1], predefined("", 1)) == 0;
}

static bool append_predefined(vsg_obj_pool *pool, const char *unit_name, size_t from,
                              const char *extra)
{
    const char *text;

    for (size_t i = from; (text = predefined(unit_name, i)); i++)
        if (!append(pool, text))
            return false;
    return !extra || append(pool, extra);
}

static const char *name_of(const vsg_obj_unit *unit)
{
    const char *name = unit->stored.pool_name;
    return name && *name ? name : unit->name;
}

bool vsg_obj_pool_is_compilers(const vsg_obj_unit *unit)
{
    return starts_as_igc(&unit->stored, name_of(unit));
}

/* Where the unit's name comes first already, the predefined names go behind it. */
static bool fill(vsg_obj_pool *pool, const vsg_obj_unit *unit, const vsg_obj_pool_style *style)
{
    const vsg_obj_stored *stored = &unit->stored;
    const char *unit_name = name_of(unit);
    bool add = !style->doc && !style->is_igc && !starts_as_igc(stored, unit_name);
    bool name_is_first = stored->num_strings && stored->strings[0] == stored->pool_name;

    if (style->doc &&
        (!append(pool, "") || (stored->num_strings == 0 && !append(pool, unit_name))))
        return false;
    if (add && !name_is_first && !append_predefined(pool, unit_name, 0, style->extra))
        return false;
    pool->first_stored = pool->num_strings;
    for (size_t i = 0; i < stored->num_strings; i++) {
        const char *renamed = style->renamed ? style->renamed[i] : NULL;
        if (!append(pool, renamed ? renamed : stored->strings[i]))
            return false;
        if (i > 0 || !add || !name_is_first)
            continue;
        if (!append_predefined(pool, unit_name, 1, style->extra))
            return false;
        pool->num_inserted = pool->num_strings - pool->first_stored - 1;
    }
    return true;
}

bool vsg_obj_pool_init(vsg_obj_pool *pool, const vsg_base_alloc *alloc,
                       const vsg_obj_unit *unit, const vsg_obj_pool_style *style)
{
    *pool = (vsg_obj_pool){.alloc = alloc, .stored = &unit->stored};
    return fill(pool, unit, style);
}

void vsg_obj_pool_free(vsg_obj_pool *pool)
{
    vsg_base_delete(pool->alloc, pool->strings, pool->cap_strings, sizeof *pool->strings);
    vsg_base_delete(pool->alloc, pool->slots, pool->num_slots, sizeof *pool->slots);
    *pool = (vsg_obj_pool){0};
}

uint32_t vsg_obj_pool_stored(const vsg_obj_pool *pool, size_t index)
{
    return (uint32_t)(pool->first_stored + index + (index ? pool->num_inserted : 0));
}

uint32_t vsg_obj_pool_append(vsg_obj_pool *pool, const char *text)
{
    return append(pool, text) ? (uint32_t)pool->num_strings - 1 : UINT32_MAX;
}

uint32_t vsg_obj_pool_find(vsg_obj_pool *pool, const char *text)
{
    size_t index;

    if (pool->stored && pool->stored->num_strings &&
        vsg_obj_stored_find(pool->stored, text, &index))
        return vsg_obj_pool_stored(pool, index);
    if (!make_room(pool))
        return UINT32_MAX;
    vsg_obj_pool_slot key = key_of(pool, text);
    vsg_obj_pool_slot *slot = slot_of(pool, key, text);
    if (slot->entry)
        return slot->entry - 1;
    return append_to(pool, slot, key, text) ? (uint32_t)pool->num_strings - 1 : UINT32_MAX;
}
