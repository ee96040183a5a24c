/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "object/writer.h"

enum { FIRST_SLOTS = 256 };

static uint64_t hash_of(const vsg_obj_pool *pool, const char *text)
{
    /* The address differs from run to run, so that no file can bring strings that all collide;
     * nothing that is written depends on it. */
    uint64_t hash = (uint64_t)(uintptr_t)pool->slots * UINT64_C(0x9e3779b97f4a7c15);

    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    return hash;
}

static size_t slot_of(const vsg_obj_pool *pool, const char *text)
{
    size_t mask = pool->num_slots - 1;

    for (size_t slot = (size_t)hash_of(pool, text) & mask;; slot = (slot + 1) & mask) {
        uint32_t entry = pool->slots[slot];
        if (entry == 0 || strcmp(pool->strings[entry - 1], text) == 0)
            return slot;
    }
}

/* Keeps at least half of the slots free. */
static bool make_room(vsg_obj_pool *pool)
{
    if (pool->num_strings < pool->num_slots / 2)
        return true;
    size_t num_slots = pool->num_slots ? pool->num_slots * 2 : FIRST_SLOTS;
    uint32_t *slots = vsg_base_new(pool->alloc, num_slots, sizeof *slots);
    if (!slots)
        return false;
    vsg_base_delete(pool->alloc, pool->slots, pool->num_slots, sizeof *slots);
    pool->slots = slots;
    pool->num_slots = num_slots;
    for (size_t i = 0; i < pool->num_strings; i++) {
        uint32_t *slot = &pool->slots[slot_of(pool, pool->strings[i])];
        if (*slot == 0)
            *slot = (uint32_t)i + 1;
    }
    return true;
}

/* Adds a string, also one that is there: pools that were read may have it twice. */
static bool append(vsg_obj_pool *pool, const char *text)
{
    void *strings = pool->strings;

    if (pool->num_strings >= UINT32_MAX - 1 || !make_room(pool) ||
        !vsg_base_grow(pool->alloc, &strings, pool->num_strings, &pool->cap_strings,
                       sizeof *pool->strings))
        return false;
    pool->strings = strings;
    pool->strings[pool->num_strings++] = text;
    uint32_t *slot = &pool->slots[slot_of(pool, text)];
    if (*slot == 0)
        *slot = (uint32_t)pool->num_strings;
    return true;
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

static bool fill(vsg_obj_pool *pool, const vsg_obj_unit *unit, bool doc, bool is_igc)
{
    const vsg_obj_stored *stored = &unit->stored;
    bool named = stored->pool_name && *stored->pool_name;
    const char *unit_name = named ? stored->pool_name : unit->name;
    const char *text;

    if (doc && !append(pool, ""))
        return false;
    if (!doc && !is_igc && !starts_as_igc(stored, unit_name))
        for (size_t i = 0; (text = predefined(unit_name, i)); i++)
            if (!append(pool, text))
                return false;
    pool->first_stored = pool->num_strings;
    for (size_t i = 0; i < stored->num_strings; i++)
        if (!append(pool, stored->strings[i]))
            return false;
    return true;
}

bool vsg_obj_pool_init(vsg_obj_pool *pool, const vsg_base_alloc *alloc,
                       const vsg_obj_unit *unit, bool doc, bool is_igc)
{
    *pool = (vsg_obj_pool){.alloc = alloc, .stored = &unit->stored};
    return fill(pool, unit, doc, is_igc);
}

void vsg_obj_pool_free(vsg_obj_pool *pool)
{
    vsg_base_delete(pool->alloc, pool->strings, pool->cap_strings, sizeof *pool->strings);
    vsg_base_delete(pool->alloc, pool->slots, pool->num_slots, sizeof *pool->slots);
    *pool = (vsg_obj_pool){0};
}

/* The number of a string that was read, by where it lies: strings lie in the order of their
 * numbers. False where `text` is none of them. */
static bool find_stored(const vsg_obj_pool *pool, const char *text, uint32_t *index)
{
    const vsg_obj_stored *stored = pool->stored;
    uintptr_t wanted = (uintptr_t)text;
    size_t low = 0, high = stored->num_strings;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uintptr_t found = (uintptr_t)stored->strings[middle];
        if (found == wanted) {
            *index = (uint32_t)(pool->first_stored + middle);
            return true;
        }
        if (found < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

uint32_t vsg_obj_pool_find(vsg_obj_pool *pool, const char *text)
{
    uint32_t index;

    if (find_stored(pool, text, &index))
        return index;
    if (!make_room(pool))
        return UINT32_MAX;
    uint32_t entry = pool->slots[slot_of(pool, text)];
    if (entry)
        return entry - 1;
    return append(pool, text) ? (uint32_t)pool->num_strings - 1 : UINT32_MAX;
}
