/* SPDX-License-Identifier: MIT */
#include "container/merge.h"

#include "container/reader.h"

enum { PAGE_BYTES = 4096 };

typedef struct merger {
    const vsg_base_alloc *alloc;
    const vsg_con_part *parts;
    size_t num_parts;
    size_t num_symbols, num_relocs; /* of all parts */
    /* By part and section: where its data begins. */
    uint64_t (*bases)[VSG_CON_SECTION_COUNT];
    const vsg_con_symbol **symbols; /* in `out`, in the order of the parts */
    vsg_con_zebin *out;
} merger;

static uint64_t end_of(const vsg_con_data *data)
{
    return data->offset_bytes + data->size_bytes + data->zero_bytes;
}

/* Puts a part's section behind `last`, which becomes the one that is last now; NULL: it is the
 * first that has anything. */
static bool append(merger *m, size_t part, size_t section, vsg_con_data **last)
{
    const vsg_con_data *data = &m->parts[part].zebin->data[section];
    uint64_t alignment = data->alignment > PAGE_BYTES ? data->alignment : PAGE_BYTES;
    vsg_con_data *added = &m->out->data[section];

    if (data->size_bytes == 0 && data->zero_bytes == 0)
        return true;
    if (*last) {
        added = vsg_base_arena_new(&m->out->arena, 1, sizeof *added);
        if (!added)
            return false;
        (*last)->next = added;
    }
    *added = *data;
    added->offset_bytes = *last ? (end_of(*last) + alignment - 1) & ~(alignment - 1) : 0;
    m->bases[part][section] = added->offset_bytes;
    /* What lies behind it in its own file does so here, in that file's turn. */
    for (const vsg_con_data *next = data->next; next; next = next->next) {
        vsg_con_data *copy = vsg_base_arena_copy(&m->out->arena, next, 1, sizeof *copy);
        if (!copy)
            return false;
        copy->offset_bytes += m->bases[part][section];
        added->next = copy;
        added = copy;
    }
    if (m->out->data[section].alignment < data->alignment)
        m->out->data[section].alignment = data->alignment;
    *last = added;
    return true;
}

static bool append_all(merger *m)
{
    for (size_t section = 0; section < VSG_CON_SECTION_COUNT; section++) {
        vsg_con_data *last = NULL;
        for (size_t part = 0; part < m->num_parts; part++)
            if (!append(m, part, section, &last))
                return false;
    }
    return true;
}

static bool is_data(const vsg_con_symbol *symbol)
{
    return symbol->is_defined && symbol->section >= 0;
}

/* Those that are data, or those that are not. Data comes first, so that it is what is found by
 * a name. */
static void take_symbols(merger *m, bool of_data)
{
    size_t number = 0;

    for (size_t part = 0; part < m->num_parts; part++) {
        const vsg_con_zebin *zebin = m->parts[part].zebin;
        for (size_t i = 0; i < zebin->num_symbols; i++, number++) {
            const vsg_con_symbol *symbol = &zebin->symbols[i];
            const char *name = m->parts[part].names[i];
            if (is_data(symbol) != of_data)
                continue;
            vsg_con_symbol *added = &m->out->symbols[m->out->num_symbols++];
            *added = *symbol;
            added->name = name ? name : symbol->name;
            if (of_data)
                added->offset_bytes += m->bases[part][symbol->section];
            m->symbols[number] = added;
        }
    }
}

/* A symbol of another part's data is there what it is here. */
static void resolve_symbols(merger *m)
{
    for (size_t i = 0; i < m->out->num_symbols; i++) {
        vsg_con_symbol *symbol = &m->out->symbols[i];
        const vsg_con_symbol *found =
            is_data(symbol) ? NULL : vsg_con_find_symbol(m->out, symbol->name);
        if (found && is_data(found))
            *symbol = *found;
    }
}

static void take_relocs(merger *m)
{
    size_t first = 0;

    for (size_t part = 0; part < m->num_parts; part++) {
        const vsg_con_zebin *zebin = m->parts[part].zebin;
        for (size_t i = 0; i < zebin->num_relocs; i++) {
            vsg_con_reloc *reloc = &m->out->relocs[m->out->num_relocs++];
            *reloc = zebin->relocs[i];
            reloc->offset_bytes += m->bases[part][reloc->section];
            reloc->target = m->symbols[first + (size_t)(reloc->target - zebin->symbols)];
            reloc->symbol = reloc->target->name;
        }
        first += zebin->num_symbols;
    }
}

static bool merge(merger *m)
{
    vsg_con_zebin *out = m->out;

    if (!m->bases || !m->symbols || !append_all(m))
        return false;
    out->symbols = vsg_base_arena_new(&out->arena, m->num_symbols, sizeof *out->symbols);
    out->relocs = vsg_base_arena_new(&out->arena, m->num_relocs, sizeof *out->relocs);
    if (!out->symbols || !out->relocs)
        return false;
    take_symbols(m, true);
    take_symbols(m, false);
    if (!vsg_con_sort_symbols(out))
        return false;
    resolve_symbols(m);
    take_relocs(m);
    return true;
}

bool vsg_con_merge(const vsg_base_alloc *alloc, const vsg_con_part *parts, size_t num_parts,
                   vsg_con_zebin *out)
{
    merger m = {.alloc = alloc, .parts = parts, .num_parts = num_parts, .out = out};

    *out = (vsg_con_zebin){0};
    vsg_base_arena_init(&out->arena, alloc);
    for (size_t i = 0; i < num_parts; i++) {
        m.num_symbols += parts[i].zebin->num_symbols;
        m.num_relocs += parts[i].zebin->num_relocs;
    }
    m.bases = vsg_base_new(alloc, num_parts + 1, sizeof *m.bases);
    m.symbols = vsg_base_new(alloc, m.num_symbols + 1, sizeof *m.symbols);
    bool good = merge(&m);
    vsg_base_delete(alloc, m.bases, num_parts + 1, sizeof *m.bases);
    vsg_base_delete(alloc, (void *)m.symbols, m.num_symbols + 1, sizeof *m.symbols);
    if (!good)
        vsg_con_zebin_free(out);
    return good;
}
