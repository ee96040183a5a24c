/* SPDX-License-Identifier: MIT */
#include "object/naming.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"

typedef struct namer {
    vsg_obj_naming *out;
    const vsg_obj_module *module;
    const vsg_obj_unit *unit;
    bool doc;
} namer;

/* ---- "_<n>" ------------------------------------------------------------------------------ */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Does the name end in "_<n>", with something before it? *length: what is before it. */
static bool has_number(const char *name, uint32_t *number, size_t *length)
{
    size_t end = strlen(name), at = end;

    while (at > 0 && is_digit(name[at - 1]))
        at--;
    if (at < 2 || name[at - 1] != '_' || end - at < 1 || end - at > 9 ||
        (name[at] == '0' && end - at > 1))
        return false;
    *number = (uint32_t)strtoul(name + at, NULL, 10);
    *length = at - 1;
    return true;
}

/* ---- places of labels ------------------------------------------------------------------- */

typedef struct block {
    const char *name;
    uint32_t index;
} block;

static const char *behind_zeros(const char *text)
{
    while (*text == '0')
        text++;
    return text;
}

static size_t count_digits(const char *text)
{
    size_t count = 0;

    while (is_digit(text[count]))
        count++;
    return count;
}

/* Numbers in names count as numbers: the compiler writes at least three digits. */
static int by_name(const void *a, const void *b)
{
    const block *x = a, *y = b;
    const char *p = x->name, *q = y->name;

    while (*p && *q) {
        if (is_digit(*p) && is_digit(*q)) {
            p = behind_zeros(p);
            q = behind_zeros(q);
            size_t i = count_digits(p), j = count_digits(q);
            int order = i != j ? (i < j ? -1 : 1) : memcmp(p, q, i);
            if (order)
                return order;
            p += i;
            q += j;
        } else if (*p++ != *q++) {
            return (unsigned char)p[-1] < (unsigned char)q[-1] ? -1 : 1;
        }
    }
    if (*p || *q)
        return *p ? 1 : -1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Puts each subroutine at the place that its name says; false where not all say one. */
static bool place_subroutines(const namer *n, uint32_t *order)
{
    const vsg_obj_unit *unit = n->unit;
    uint32_t number;
    size_t length, placed = 0;

    for (size_t i = 0; i < unit->num_labels; i++)
        order[i] = UINT32_MAX;
    for (uint32_t i = 0; i < unit->num_labels; i++) {
        const vsg_obj_label *label = &unit->labels[i];
        if (label->kind != VSG_OBJ_LABEL_SUBROUTINE)
            continue;
        if (!has_number(label->name, &number, &length) || number >= unit->num_labels ||
            order[number] != UINT32_MAX)
            return false;
        order[number] = i;
        placed++;
    }
    return placed > 0;
}

/* The compiler numbers blocks in the order in which it makes them, and names them by it. */
static bool place_blocks(namer *n, uint32_t *order)
{
    const vsg_obj_unit *unit = n->unit;
    size_t count = 0, next = 0;
    block *blocks = vsg_base_arena_new(&n->out->arena, unit->num_labels, sizeof *blocks);

    if (!blocks)
        return false;
    for (uint32_t i = 0; i < unit->num_labels; i++)
        if (unit->labels[i].kind != VSG_OBJ_LABEL_SUBROUTINE)
            blocks[count++] = (block){unit->labels[i].name, i};
    /* Listings mention most of them in their order, and many have no others. */
    size_t sorted = 1;
    while (sorted < count && by_name(&blocks[sorted - 1], &blocks[sorted]) < 0)
        sorted++;
    if (sorted < count)
        qsort(blocks, count, sizeof *blocks, by_name);
    for (size_t i = 0; i < unit->num_labels; i++)
        if (order[i] == UINT32_MAX)
            order[i] = blocks[next++].index;
    return true;
}

/* A text has labels in the order in which it mentions them; those of a listing are put where
 * the listing says that they were. */
static bool place_labels(namer *n)
{
    vsg_obj_naming *out = n->out;
    size_t count = n->unit->num_labels;

    out->label_order = vsg_base_arena_new(&out->arena, count + 1, sizeof *out->label_order);
    out->label_numbers = vsg_base_arena_new(&out->arena, count + 1, sizeof *out->label_numbers);
    if (!out->label_order || !out->label_numbers)
        return false;
    if (n->module->layout == VSG_OBJ_LAYOUT_NONE && place_subroutines(n, out->label_order)) {
        if (!place_blocks(n, out->label_order))
            return false;
    } else {
        for (uint32_t i = 0; i < count; i++)
            out->label_order[i] = i;
    }
    for (uint32_t i = 0; i < count; i++)
        out->label_numbers[out->label_order[i]] = i;
    return true;
}

/* ---- names of labels -------------------------------------------------------------------- */

static bool name_label(namer *n, uint32_t index)
{
    const vsg_obj_label *label = &n->unit->labels[index];
    vsg_base_arena *arena = &n->out->arena;
    const char **name = &n->out->label_names[index];
    uint32_t number, place = n->out->label_numbers[index];
    size_t length;

    *name = label->name;
    if (label->kind != VSG_OBJ_LABEL_SUBROUTINE)
        return true;
    if (n->doc && n->module->layout == VSG_OBJ_LAYOUT_IGC) {
        size_t room = strlen(label->name) + 16;
        char *made = vsg_base_arena_new(arena, room, 1);
        if (made)
            (void)snprintf(made, room, "%s_%u", label->name, (unsigned)place);
        *name = made;
    } else if (!n->doc && n->module->layout != VSG_OBJ_LAYOUT_IGC &&
               has_number(label->name, &number, &length) && number == place) {
        *name = vsg_base_arena_text(arena, label->name, length);
    }
    return *name != NULL;
}

static bool name_labels(namer *n)
{
    vsg_obj_naming *out = n->out;

    out->label_names =
        vsg_base_arena_new(&out->arena, n->unit->num_labels + 1, sizeof *out->label_names);
    if (!out->label_names)
        return false;
    for (uint32_t i = 0; i < n->unit->num_labels; i++)
        if (!name_label(n, i))
            return false;
    return true;
}

/* ---- names of variables ----------------------------------------------------------------- */

/* Is the name this letter and the number, without zeros before it? */
static bool is_listed(const char *name, char letter, uint32_t id)
{
    uint64_t number = 0;
    size_t digits = name[0] == letter ? count_digits(name + 1) : 0;

    if (digits == 0 || digits > 10 || name[digits + 1] || (name[1] == '0' && digits > 1))
        return false;
    for (size_t i = 1; i <= digits; i++)
        number = number * 10 + (unsigned)(name[i] - '0');
    return number == id;
}

/* Listings have P1 where the compiler's pool has P01. */
static const char *pool_name(namer *n, const vsg_obj_state *state, char letter, unsigned digits,
                             uint32_t id)
{
    char pooled[16];

    if (state->v_name || n->module->layout != VSG_OBJ_LAYOUT_NONE)
        return state->v_name ? state->v_name : state->name;
    if (!is_listed(state->name, letter, id))
        return state->name;
    if (state->name[digits])
        return state->name; /* the same: it has as many digits */
    int length = snprintf(pooled, sizeof pooled, "%c%0*u", letter, (int)digits, (unsigned)id);
    return vsg_base_arena_text(&n->out->arena, pooled, (size_t)length);
}

static const char **name_states(namer *n, const vsg_obj_state *states, size_t count,
                                char letter, unsigned digits, uint32_t first)
{
    const char **names = vsg_base_arena_new(&n->out->arena, count + 1, sizeof *names);

    for (uint32_t i = 0; names && i < count; i++)
        if (!(names[i] = pool_name(n, &states[i], letter, digits, first + i)))
            return NULL;
    return names;
}

static bool name_variables(namer *n)
{
    vsg_obj_naming *out = n->out;
    const vsg_obj_unit *unit = n->unit;

    out->addresses = name_states(n, unit->addresses, unit->num_addresses, 'A', 2, 0);
    out->predicates = name_states(n, unit->predicates, unit->num_predicates, 'P', 2, 1);
    out->samplers = name_states(n, unit->samplers, unit->num_samplers, 'S', 1, 0);
    out->surfaces =
        name_states(n, unit->surfaces, unit->num_surfaces, 'T', 1, VSG_ISA_NUM_SURFACES);
    return out->addresses && out->predicates && out->samplers && out->surfaces;
}

/* ---- strings that stand in the place of others ------------------------------------------ */

bool vsg_obj_stored_find(const vsg_obj_stored *stored, const char *text, size_t *index)
{
    uintptr_t wanted = (uintptr_t)text;
    size_t low = 0, high = stored->num_strings;

    /* They lie in the order of their numbers. */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uintptr_t found = (uintptr_t)stored->strings[middle];
        if (found == wanted) {
            *index = middle;
            return true;
        }
        if (found < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static void count_use(const vsg_obj_stored *stored, const char *text, size_t *uses)
{
    size_t index;

    if (text && vsg_obj_stored_find(stored, text, &index))
        uses[index]++;
}

static void count_attributes(const vsg_obj_stored *stored, const vsg_obj_attributes *list,
                             size_t *uses)
{
    for (size_t i = 0; i < list->count; i++)
        count_use(stored, list->items[i].name, uses);
}

static void count_states(const vsg_obj_stored *stored, const vsg_obj_state *states,
                         size_t count, size_t *uses)
{
    for (size_t i = 0; i < count; i++) {
        count_use(stored, states[i].v_name ? states[i].v_name : states[i].name, uses);
        count_attributes(stored, &states[i].attributes, uses);
    }
}

/* How often each stored string is named. */
static void count_uses(const vsg_obj_unit *unit, size_t *uses)
{
    const vsg_obj_stored *stored = &unit->stored;

    count_use(stored, stored->pool_name, uses);
    count_attributes(stored, &unit->attributes, uses);
    for (size_t i = 0; i < unit->num_variables; i++) {
        count_use(stored, unit->variables[i].name, uses);
        count_attributes(stored, &unit->variables[i].attributes, uses);
    }
    count_states(stored, unit->addresses, unit->num_addresses, uses);
    count_states(stored, unit->predicates, unit->num_predicates, uses);
    count_states(stored, unit->samplers, unit->num_samplers, uses);
    count_states(stored, unit->surfaces, unit->num_surfaces, uses);
    count_states(stored, stored->vmes, stored->num_vmes, uses);
    for (size_t i = 0; i < unit->num_labels; i++) {
        count_use(stored, unit->labels[i].name, uses);
        count_attributes(stored, &unit->labels[i].attributes, uses);
    }
    for (size_t i = 0; i < unit->num_insts; i++)
        for (unsigned o = 0; o < unit->insts[i].num_operands; o++)
            if (unit->insts[i].operands[o].class_ == VSG_OBJ_CLASS_NAME)
                count_use(stored, unit->insts[i].operands[o].name, uses);
}

/* A label's new name takes the place of the old one in the pool, where that names nothing
 * else: so it comes back there when the label gets its old name again. */
static bool rename_stored(namer *n)
{
    const vsg_obj_unit *unit = n->unit;
    const vsg_obj_stored *stored = &unit->stored;
    vsg_obj_naming *out = n->out;
    size_t *uses, index;

    if (stored->num_strings == 0)
        return true;
    out->renamed = vsg_base_arena_new(&out->arena, stored->num_strings, sizeof *out->renamed);
    uses = vsg_base_arena_new(&out->arena, stored->num_strings, sizeof *uses);
    if (!out->renamed || !uses)
        return false;
    count_uses(unit, uses);
    for (size_t i = 0; i < unit->num_labels; i++)
        if (out->label_names[i] != unit->labels[i].name &&
            vsg_obj_stored_find(stored, unit->labels[i].name, &index) && uses[index] == 1)
            out->renamed[index] = out->label_names[i];
    return true;
}

/* ---- the whole -------------------------------------------------------------------------- */

bool vsg_obj_naming_init(vsg_obj_naming *naming, const vsg_obj_module *module,
                         const vsg_obj_unit *unit, bool doc)
{
    namer n = {naming, module, unit, doc};

    *naming = (vsg_obj_naming){0};
    vsg_base_arena_init(&naming->arena, &module->alloc);
    return place_labels(&n) && name_labels(&n) && name_variables(&n) && rename_stored(&n);
}

void vsg_obj_naming_free(vsg_obj_naming *naming)
{
    vsg_base_arena_free(&naming->arena);
}
