/* SPDX-License-Identifier: MIT
 *
 * Names in printed text. In a module scopes are gone and binaries hold any string for a name;
 * in text a name is an identifier with one meaning. */
#include <stdio.h>
#include <string.h>

#include "text/print.h"

/* ---- what can be written ---------------------------------------------------------------- */

bool vsg_txt_is_identifier(const char *name)
{
    if (!name || !vsg_txt_is_name_start(*name))
        return false;
    while (vsg_txt_is_name(*name))
        name++;
    return *name == '\0';
}

/* Labels may have more characters, but '$' is one that listings replace (spec dialect 4.1). */
static bool is_label_character(char c)
{
    return vsg_txt_is_name(c) || c == '@' || c == '?' || c == '-';
}

bool vsg_txt_is_label(const char *name)
{
    if (*name == '\0' || *name == '-' || vsg_txt_is_digit(*name))
        return false;
    while (is_label_character(*name))
        name++;
    return *name == '\0';
}

void vsg_txt_put_name_or_string(vsg_txt_printer *printer, const char *name)
{
    if (vsg_txt_is_label(name))
        vsg_txt_put_text(&printer->out, name);
    else
        vsg_txt_put_quoted(&printer->out, name);
}

/* ---- names that are made ---------------------------------------------------------------- */

typedef struct maker {
    vsg_txt_printer *printer;
    vsg_txt_symbols taken;
    bool good; /* memory is not out */
} maker;

static vsg_txt_word copy(maker *m, const char *text)
{
    size_t length = strlen(text);
    const char *kept = vsg_base_arena_text(&m->printer->arena, text, length);

    m->good &= kept != NULL;
    return (vsg_txt_word){kept ? kept : "", kept ? length : 0};
}

/* The name with "_<id>" behind it, and as many '_' more as make it one that nothing has. An id
 * is used once: each name that is there already costs one of these at most one step. */
static vsg_txt_word make_unique(maker *m, vsg_txt_word name, uint32_t id)
{
    size_t room = name.length + 32;
    char *made = vsg_base_arena_new(&m->printer->arena, room, 1);
    vsg_txt_word unique = {made, 0};

    if (made) {
        memcpy(made, name.text, name.length);
        int digits = snprintf(made + name.length, 16, "_%u", (unsigned)id);
        unique.length = name.length + (size_t)digits;
    }
    while (made && vsg_txt_find(&m->taken, unique)) {
        if (unique.length == room) {
            room *= 2;
            made = vsg_base_arena_new(&m->printer->arena, room, 1);
            if (!made)
                break;
            memcpy(made, unique.text, unique.length);
            unique.text = made;
        }
        made[unique.length++] = '_';
    }
    m->good &= made != NULL;
    return unique;
}

static void take(maker *m, vsg_txt_kind kind, uint32_t id, vsg_txt_word name)
{
    vsg_txt_names *names = &m->printer->names[kind];

    vsg_txt_bound bound = vsg_txt_bind(&m->taken, name, kind, id);
    if (bound == VSG_TXT_TAKEN) {
        name = make_unique(m, name, id);
        bound = vsg_txt_bind(&m->taken, name, kind, id);
    }
    m->good &= bound == VSG_TXT_BOUND;
    names->items[id] = name;
}

/* Is it what the compiler calls a variable of the class for want of a name: its letter and a
 * number? Listings then write letter and index. */
static bool is_made_up(const char *name, char letter)
{
    if (name[0] != letter || name[1] == '\0')
        return false;
    return strspn(name + 1, "0123456789") == strlen(name + 1);
}

static void take_variable(maker *m, vsg_txt_kind kind, uint32_t id, const char *name)
{
    static const char letters[] = {[VSG_TXT_KIND_GENERAL] = 'V',
                                   [VSG_TXT_KIND_ADDRESS] = 'A',
                                   [VSG_TXT_KIND_PREDICATE] = 'P',
                                   [VSG_TXT_KIND_SAMPLER] = 'S',
                                   [VSG_TXT_KIND_SURFACE] = 'T'};
    char number[16];
    bool general = kind == VSG_TXT_KIND_GENERAL;

    if (vsg_txt_is_identifier(name) && (general || !is_made_up(name, letters[kind]))) {
        take(m, kind, id, (vsg_txt_word){name, strlen(name)});
        return;
    }
    (void)snprintf(number, sizeof number, general ? "V%04u" : "%c%u",
                   general ? (unsigned)id : (unsigned)letters[kind], (unsigned)id);
    take(m, kind, id, copy(m, number));
}

/* ---- tables ----------------------------------------------------------------------------- */

static bool make_table(maker *m, vsg_txt_kind kind, size_t count)
{
    vsg_txt_names *names = &m->printer->names[kind];

    names->items = vsg_base_arena_new(&m->printer->arena, count, sizeof *names->items);
    names->count = names->items ? count : 0;
    m->good &= names->items != NULL;
    return names->items != NULL;
}

static void predefined(maker *m, vsg_txt_kind kind, uint32_t id, const char *text)
{
    m->printer->names[kind].items[id] = (vsg_txt_word){text, strlen(text)};
}

static void general_names(maker *m)
{
    const vsg_obj_unit *unit = m->printer->unit;

    if (!make_table(m, VSG_TXT_KIND_GENERAL, VSG_ISA_FIRST_VARIABLE + unit->num_variables))
        return;
    for (uint32_t i = 0; i < VSG_ISA_NUM_PREDEFINED; i++)
        predefined(m, VSG_TXT_KIND_GENERAL, i, vsg_isa_variable(i)->text);
    for (uint32_t i = 0; m->good && i < unit->num_variables; i++)
        take_variable(m, VSG_TXT_KIND_GENERAL, VSG_ISA_FIRST_VARIABLE + i,
                      unit->variables[i].name);
}

static void state_names(maker *m, vsg_txt_kind kind, const vsg_obj_state *states, size_t count,
                        uint32_t first)
{
    size_t room = first + count;

    if (kind == VSG_TXT_KIND_SAMPLER && room <= VSG_ISA_BINDLESS_SAMPLER)
        room = VSG_ISA_BINDLESS_SAMPLER + 1;
    if (!make_table(m, kind, room))
        return;
    if (kind == VSG_TXT_KIND_PREDICATE)
        predefined(m, kind, 0, "P0");
    if (kind == VSG_TXT_KIND_SAMPLER)
        predefined(m, kind, VSG_ISA_BINDLESS_SAMPLER, "S31");
    for (uint32_t i = 0; kind == VSG_TXT_KIND_SURFACE && i < first; i++)
        predefined(m, kind, i, vsg_isa_surface(i));
    for (uint32_t i = 0; m->good && i < count; i++)
        take_variable(m, kind, first + i, states[i].name);
}

/* Listings give a subroutine its index behind the name that the compiler's binary has (spec
 * dialect 4.1); text and documented binaries have it in the name already. */
static vsg_txt_word label_name(maker *m, uint32_t id, const vsg_obj_label *label)
{
    const char *name = label->name ? label->name : "label";
    bool indexed = *name == '\0' || (label->kind == VSG_OBJ_LABEL_SUBROUTINE &&
                                     m->printer->module->layout == VSG_OBJ_LAYOUT_IGC);

    if (!indexed && vsg_txt_is_label(name))
        return (vsg_txt_word){name, strlen(name)};
    size_t begin = *name == '-' || vsg_txt_is_digit(*name);
    size_t room = strlen(name) + 16;
    char *made = vsg_base_arena_new(&m->printer->arena, room, 1);
    if (!made) {
        m->good = false;
        return (vsg_txt_word){"", 0};
    }
    made[0] = '_';
    size_t length = begin;
    for (; *name; name++)
        made[length++] = is_label_character(*name) ? *name : '_';
    if (indexed)
        length += (size_t)snprintf(made + length, room - length, "_%u", (unsigned)id);
    return (vsg_txt_word){made, length};
}

static void label_names(maker *m)
{
    const vsg_obj_unit *unit = m->printer->unit;

    if (!make_table(m, VSG_TXT_KIND_LABEL, unit->num_labels))
        return;
    for (uint32_t i = 0; m->good && i < unit->num_labels; i++)
        take(m, VSG_TXT_KIND_LABEL, i, label_name(m, i, &unit->labels[i]));
}

enum { TAKEN_SLOTS = 256 };

bool vsg_txt_make_names(vsg_txt_printer *printer)
{
    const vsg_obj_unit *unit = printer->unit;
    maker m = {.printer = printer, .good = true};

    vsg_txt_symbols_init(&m.taken, &printer->alloc, TAKEN_SLOTS);
    m.good = vsg_txt_bind_predefined(&m.taken);
    if (m.good)
        general_names(&m);
    if (m.good)
        state_names(&m, VSG_TXT_KIND_ADDRESS, unit->addresses, unit->num_addresses, 0);
    if (m.good)
        state_names(&m, VSG_TXT_KIND_PREDICATE, unit->predicates, unit->num_predicates, 1);
    if (m.good)
        state_names(&m, VSG_TXT_KIND_SAMPLER, unit->samplers, unit->num_samplers, 0);
    if (m.good)
        state_names(&m, VSG_TXT_KIND_SURFACE, unit->surfaces, unit->num_surfaces,
                    VSG_ISA_NUM_SURFACES);
    vsg_txt_unbind(&m.taken, 0); /* labels have names of their own */
    if (m.good)
        label_names(&m);
    vsg_txt_symbols_free(&m.taken);
    return m.good;
}

void vsg_txt_put_name(vsg_txt_printer *printer, vsg_txt_kind kind, uint32_t id)
{
    const vsg_txt_names *names = &printer->names[kind];

    if (id < names->count && names->items[id].length) {
        vsg_txt_put(&printer->out, names->items[id].text, names->items[id].length);
        return;
    }
    vsg_txt_put_char(&printer->out, "VAPSTL"[kind]);
    vsg_txt_put_decimal(&printer->out, id);
}
