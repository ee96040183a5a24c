/* SPDX-License-Identifier: MIT
 *
 * The part of a zebin that is not text: the device it is for, data, symbols, relocations. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/reader.h"

/* More than any device offers program-scope variables. */
#define MOST_DATA_BYTES (UINT64_C(1) << 32)

/* GenRelocType of the zebin specification, elf.md. */
enum { RELOC_NONE = 0, RELOC_ADDR = 1, RELOC_ADDR_32 = 2, RELOC_ADDR_32_HI = 3 };

/* ---- notes ------------------------------------------------------------------------------ */

enum { NOTE_PRODUCT = 1, NOTE_CORE = 2, NOTE_CONFIG = 6 };

static visage_platform platform_of(const vsg_con_zebin *zebin)
{
    /* GFX_GMD_ID of elf.md:  31      22 21       14 13      6 5        0
     *                       |   arch   |  release  |    0    | revision |  */
    uint32_t arch = zebin->product_config >> 22, release = zebin->product_config >> 14 & 0xff;
    static const struct {
        uint32_t product, core;
        uint32_t arch, first, last;
        visage_platform platform;
    } devices[] = {
#define PRODUCT(number, id, name) {.product = number, .platform = VISAGE_PLATFORM_##id},
#define CORE(number, id, name)    {.core = number, .platform = VISAGE_PLATFORM_##id},
#define RELEASE(arch_, first_, last_, id)                                                      \
    {.arch = arch_, .first = first_, .last = last_, .platform = VISAGE_PLATFORM_##id},
#include "container/products.def"
#undef PRODUCT
#undef CORE
#undef RELEASE
    };

    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        bool is_product = devices[i].product && devices[i].product == zebin->product_family;
        bool is_core = devices[i].core && devices[i].core == zebin->graphics_core;
        bool is_release = devices[i].arch && devices[i].arch == arch &&
                          release >= devices[i].first && release <= devices[i].last;
        if (is_product || is_core || is_release)
            return devices[i].platform;
    }
    return VISAGE_PLATFORM_NONE;
}

static uint32_t word_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/* A number of a note of type `type`, among those of which we know one. */
static void take_note(vsg_con_zebin *out, uint32_t type, uint32_t number)
{
    switch (type) {
    case NOTE_PRODUCT:
        out->product_family = number;
        break;
    case NOTE_CORE:
        out->graphics_core = number;
        break;
    case NOTE_CONFIG:
        out->product_config = number;
        break;
    default:
        break;
    }
}

visage_status vsg_con_read_notes(const vsg_con_elf *elf, const vsg_con_elf_section *section)
{
    const vsg_con_reader *file = elf->file;
    vsg_con_zebin *out = file->out;
    const uint64_t start = section->header.sh_offset;
    Elf_Data *data = section->bytes ? elf_getdata(section->handle, NULL) : NULL;
    size_t offset = 0;
    GElf_Nhdr note;

    if (section->header.sh_type != SHT_NOTE || !data)
        return vsg_con_broken(file, start, "%s is no section of notes", section->name);
    while (offset < data->d_size) {
        size_t name, number;
        size_t next = gelf_getnote(data, offset, &note, &name, &number);
        if (next == 0)
            return vsg_con_broken(file, start + offset, "a note of %s is cut short",
                                  section->name);
        const uint8_t *bytes = data->d_buf;
        if (note.n_namesz == sizeof "IntelGT" &&
            memcmp(bytes + name, "IntelGT", sizeof "IntelGT") == 0 && note.n_descsz == 4)
            take_note(out, note.n_type, word_at(bytes + number));
        offset = next;
    }
    out->platform = platform_of(out);
    if (out->platform == VISAGE_PLATFORM_NONE &&
        (out->product_family || out->graphics_core || out->product_config)) {
        vsg_base_location where = vsg_con_at(file, start);
        vsg_base_report(file->diagnostics, VSG_DIAG_ELF_PLATFORM, &where, out->product_family,
                        out->graphics_core, out->product_config);
    }
    return VISAGE_OK;
}

/* ---- data ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    vsg_con_section section;
    bool is_zero;
} data_names[] = {
    {".data.const", VSG_CON_SECTION_CONST, false},
    {".data.global_const", VSG_CON_SECTION_CONST, false}, /* an older spelling */
    {".bss.const", VSG_CON_SECTION_CONST, true},
    {".data.global", VSG_CON_SECTION_GLOBAL, false},
    {".bss.global", VSG_CON_SECTION_GLOBAL, true},
    {".data.const.string", VSG_CON_SECTION_STRINGS, false},
};

static const char *section_name(vsg_con_section section)
{
    static const char *const names[VSG_CON_SECTION_COUNT] = {
        [VSG_CON_SECTION_CONST] = ".data.const",
        [VSG_CON_SECTION_GLOBAL] = ".data.global",
        [VSG_CON_SECTION_STRINGS] = ".data.const.string",
    };
    return names[section];
}

static uint64_t size_of(const vsg_con_data *data)
{
    return (uint64_t)data->size_bytes + data->zero_bytes;
}

static visage_status place_bytes(const vsg_con_reader *file, const vsg_con_elf_section *section,
                                 vsg_con_data *data)
{
    if (!section->bytes)
        return vsg_con_broken(file, section->header.sh_offset, "%s has no contents",
                              section->name);
    data->bytes = section->header.sh_size ? section->bytes : NULL;
    data->size_bytes = section->header.sh_size;
    return VISAGE_OK;
}

/* Zeros follow the bytes, aligned as they ask; symbols in them count on. */
static visage_status place_zeros(const vsg_con_reader *file, vsg_con_elf_section *section,
                                 vsg_con_data *data)
{
    uint64_t alignment = section->header.sh_addralign ? section->header.sh_addralign : 1;
    uint64_t start = (data->size_bytes + alignment - 1) & ~(alignment - 1);

    if (section->header.sh_type != SHT_NOBITS)
        return vsg_con_broken(file, section->header.sh_offset, "%s has contents",
                              section->name);
    if (section->header.sh_size > MOST_DATA_BYTES ||
        start > MOST_DATA_BYTES - section->header.sh_size) {
        vsg_base_location where = {.file = file->name, .instruction = -1};
        vsg_base_report(file->diagnostics, VSG_DIAG_TOO_LARGE, &where, section->name,
                        (unsigned long long)section->header.sh_size,
                        (unsigned long long)MOST_DATA_BYTES);
        return VISAGE_MALFORMED;
    }
    section->data_offset = start;
    data->zero_bytes = start - data->size_bytes + section->header.sh_size;
    return VISAGE_OK;
}

static visage_status place_section(const vsg_con_elf *elf, vsg_con_elf_section *section,
                                   bool is_zero, bool *is_placed)
{
    const vsg_con_reader *file = elf->file;
    vsg_con_data *data = &file->out->data[section->data];
    uint64_t alignment = section->header.sh_addralign;

    if (*is_placed)
        return vsg_con_twice(file, section);
    *is_placed = true;
    if ((alignment & (alignment - 1)) != 0 || alignment > 1 << 16)
        return vsg_con_broken(file, section->header.sh_offset, "%s has alignment %" PRIu64,
                              section->name, alignment);
    if (alignment > data->alignment)
        data->alignment = (uint32_t)alignment;
    return is_zero ? place_zeros(file, section, data) : place_bytes(file, section, data);
}

/* Bytes first: where the zeros start hangs on them. */
static visage_status place_sections(vsg_con_elf *elf, bool is_zero)
{
    bool is_placed[VSG_CON_SECTION_COUNT] = {false};
    visage_status status = VISAGE_OK;

    for (size_t i = 1; i < elf->num_sections && status == VISAGE_OK; i++) {
        vsg_con_elf_section *section = &elf->sections[i];
        for (size_t k = 0; k < sizeof data_names / sizeof *data_names; k++) {
            if (data_names[k].is_zero != is_zero ||
                strcmp(section->name, data_names[k].name) != 0)
                continue;
            section->data = (int)data_names[k].section;
            status = place_section(elf, section, is_zero, &is_placed[section->data]);
        }
    }
    return status;
}

/* ---- symbols ---------------------------------------------------------------------------- */

typedef struct symbol_table {
    const vsg_con_elf_section *section, *names;
    Elf_Data *data;
    size_t count;
    size_t *kept; /* index among the zebin's symbols of each one here, SIZE_MAX: none */
} symbol_table;

/* The section a symbol lies in, NULL where that is none. */
static const vsg_con_elf_section *home_of(const vsg_con_elf *elf, const GElf_Sym *symbol)
{
    bool is_special = symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= SHN_LORESERVE;
    return is_special || symbol->st_shndx >= elf->num_sections
               ? NULL
               : &elf->sections[symbol->st_shndx];
}

/* Those of .text that are seen in their kernel only are of no use without the machine code. */
static bool is_wanted(const vsg_con_elf *elf, const GElf_Sym *symbol)
{
    const vsg_con_elf_section *home = home_of(elf, symbol);

    if (symbol->st_name == 0)
        return false;
    return GELF_ST_BIND(symbol->st_info) != STB_LOCAL || (home && home->data >= 0);
}

static visage_status take_symbol(vsg_con_elf *elf, const symbol_table *table,
                                 const GElf_Sym *symbol, vsg_con_symbol *out)
{
    const vsg_con_reader *file = elf->file;
    const vsg_con_elf_section *home = home_of(elf, symbol);
    const char *name = vsg_con_elf_name(elf, table->names, symbol->st_name);

    if (!name)
        return vsg_con_broken(file, table->section->header.sh_offset,
                              "the name of a symbol is not in its string table");
    out->name = vsg_base_arena_text(&file->out->arena, name, strlen(name));
    if (!out->name)
        return vsg_con_no_memory(file);
    out->is_defined = symbol->st_shndx != SHN_UNDEF;
    out->section = home ? home->data : -1;
    if (out->section < 0)
        return VISAGE_OK;
    uint64_t size = size_of(&file->out->data[out->section]);
    uint64_t start = home->data_offset;
    if (symbol->st_value > size - start || symbol->st_size > size - start - symbol->st_value) {
        vsg_base_location where = vsg_con_at(file, table->section->header.sh_offset);
        vsg_base_report(file->diagnostics, VSG_DIAG_ELF_SYMBOL, &where, out->name,
                        (unsigned long long)(symbol->st_value + symbol->st_size),
                        section_name((vsg_con_section)out->section),
                        (unsigned long long)(size - start));
        return VISAGE_MALFORMED;
    }
    out->offset_bytes = start + symbol->st_value;
    out->size_bytes = symbol->st_size;
    return VISAGE_OK;
}

static visage_status open_symbols(const vsg_con_elf *elf, symbol_table *table)
{
    const vsg_con_reader *file = elf->file;

    for (size_t i = 1; i < elf->num_sections; i++) {
        const vsg_con_elf_section *section = &elf->sections[i];
        if (section->header.sh_type != SHT_SYMTAB)
            continue;
        if (table->section)
            return vsg_con_twice(file, section);
        table->section = section;
    }
    if (!table->section)
        return VISAGE_OK;
    uint32_t names = table->section->header.sh_link;
    table->data = elf_getdata(table->section->handle, NULL);
    if (!table->data || names >= elf->num_sections)
        return vsg_con_broken(file, table->section->header.sh_offset,
                              "the symbol table cannot be read");
    table->names = &elf->sections[names];
    table->count = table->section->header.sh_size / sizeof(Elf64_Sym);
    return VISAGE_OK;
}

static int by_name(const void *a, const void *b)
{
    const vsg_con_symbol *x = *(const vsg_con_symbol *const *)a;
    const vsg_con_symbol *y = *(const vsg_con_symbol *const *)b;
    int order = strcmp(x->name, y->name);

    if (order != 0)
        return order;
    return x < y ? -1 : x > y;
}

bool vsg_con_sort_symbols(vsg_con_zebin *zebin)
{
    zebin->symbols_by_name =
        vsg_base_arena_new(&zebin->arena, zebin->num_symbols, sizeof *zebin->symbols_by_name);
    if (!zebin->symbols_by_name)
        return false;
    for (size_t i = 0; i < zebin->num_symbols; i++)
        zebin->symbols_by_name[i] = &zebin->symbols[i];
    qsort((void *)zebin->symbols_by_name, zebin->num_symbols, sizeof *zebin->symbols_by_name,
          by_name);
    return true;
}

static visage_status read_symbols(vsg_con_elf *elf, symbol_table *table)
{
    const vsg_con_reader *file = elf->file;
    vsg_con_zebin *out = file->out;
    GElf_Sym symbol;
    size_t num_wanted = 0;

    for (size_t i = 1; i < table->count; i++) {
        if (!gelf_getsym(table->data, (int)i, &symbol))
            return vsg_con_broken(file, table->section->header.sh_offset, "symbol %zu: %s", i,
                                  elf_errmsg(-1));
        table->kept[i] = is_wanted(elf, &symbol) ? num_wanted++ : SIZE_MAX;
    }
    out->symbols = vsg_base_arena_new(&out->arena, num_wanted, sizeof *out->symbols);
    if (!out->symbols)
        return vsg_con_no_memory(file);
    for (size_t i = 1; i < table->count; i++) {
        if (table->kept[i] == SIZE_MAX || !gelf_getsym(table->data, (int)i, &symbol))
            continue;
        visage_status status =
            take_symbol(elf, table, &symbol, &out->symbols[out->num_symbols++]);
        if (status != VISAGE_OK)
            return status;
    }
    return vsg_con_sort_symbols(out) ? VISAGE_OK : vsg_con_no_memory(file);
}

const vsg_con_symbol *vsg_con_find_symbol(const vsg_con_zebin *zebin, const char *name)
{
    size_t low = 0, high = zebin->num_symbols;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(zebin->symbols_by_name[middle]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < zebin->num_symbols && strcmp(zebin->symbols_by_name[low]->name, name) == 0
               ? zebin->symbols_by_name[low]
               : NULL;
}

/* ---- relocations ------------------------------------------------------------------------ */

/* One entry, of either kind of table. */
typedef struct entry {
    uint32_t type;
    uint64_t symbol, offset;
    int64_t addend;
    bool is_in_place; /* the addend is what the place holds */
} entry;

static visage_status refuse(const vsg_con_reader *file, const vsg_con_elf_section *table,
                            uint32_t type, const char *why)
{
    vsg_base_location where = vsg_con_at(file, table->header.sh_offset);
    vsg_base_report(file->diagnostics, VSG_DIAG_RELOCATION, &where, type, table->name, why);
    return VISAGE_MALFORMED;
}

/* `width` bytes at `offset`, as a number; what the file does not have is zero. */
static uint64_t number_at(const vsg_con_data *data, uint64_t offset, unsigned width)
{
    const uint8_t *bytes = data->bytes;
    uint64_t number = 0;

    for (unsigned i = 0; i < width && offset + i < data->size_bytes; i++)
        number |= (uint64_t)bytes[offset + i] << (8 * i);
    return number;
}

static visage_status take_relocation(const vsg_con_elf *elf, const vsg_con_elf_section *table,
                                     const symbol_table *symbols, const entry *found)
{
    const vsg_con_reader *file = elf->file;
    vsg_con_zebin *out = file->out;
    const vsg_con_elf_section *home = &elf->sections[table->header.sh_info];
    const vsg_con_data *data = &out->data[home->data];
    vsg_con_reloc *reloc = &out->relocs[out->num_relocs];
    unsigned width = found->type == RELOC_ADDR ? 8 : 4;
    uint64_t room = size_of(data) - home->data_offset;

    if (found->type == RELOC_NONE)
        return VISAGE_OK;
    if (found->type > RELOC_ADDR_32_HI)
        return refuse(file, table, found->type, "this type is not for data");
    if (room < width || found->offset > room - width)
        return refuse(file, table, found->type, "it lies outside of the section");
    if (found->symbol >= symbols->count || symbols->kept[found->symbol] == SIZE_MAX)
        return refuse(file, table, found->type, "its symbol is unknown");
    reloc->section = (vsg_con_section)home->data;
    reloc->offset_bytes = home->data_offset + found->offset;
    reloc->kind = (vsg_con_reloc_kind)(found->type - RELOC_ADDR);
    reloc->target = &out->symbols[symbols->kept[found->symbol]];
    reloc->symbol = reloc->target->name;
    uint64_t addend = (uint64_t)found->addend;
    if (found->is_in_place)
        addend = number_at(data, reloc->offset_bytes, width);
    if (found->is_in_place && reloc->kind == VSG_CON_RELOC_ADDR32_HIGH)
        addend <<= 32;
    reloc->addend = (int64_t)addend;
    out->num_relocs++;
    return VISAGE_OK;
}

static bool get_entry(Elf_Data *data, int index, bool has_addend, entry *out)
{
    GElf_Rela rela = {0};
    GElf_Rel rel;

    if (has_addend ? !gelf_getrela(data, index, &rela) : !gelf_getrel(data, index, &rel))
        return false;
    uint64_t info = has_addend ? rela.r_info : rel.r_info;
    *out = (entry){
        .type = (uint32_t)GELF_R_TYPE(info),
        .symbol = GELF_R_SYM(info),
        .offset = has_addend ? rela.r_offset : rel.r_offset,
        .addend = rela.r_addend,
        .is_in_place = !has_addend,
    };
    return true;
}

static size_t entries_of(const vsg_con_elf *elf, const vsg_con_elf_section *table)
{
    const GElf_Shdr *header = &table->header;

    if ((header->sh_type != SHT_REL && header->sh_type != SHT_RELA) ||
        header->sh_info >= elf->num_sections || elf->sections[header->sh_info].data < 0)
        return 0;
    return header->sh_size /
           (header->sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel));
}

static visage_status read_relocations(const vsg_con_elf *elf, const symbol_table *symbols)
{
    const vsg_con_reader *file = elf->file;
    vsg_con_zebin *out = file->out;
    visage_status status = VISAGE_OK;
    size_t total = 0;

    for (size_t i = 1; i < elf->num_sections; i++)
        total += entries_of(elf, &elf->sections[i]);
    if (total == 0)
        return VISAGE_OK;
    /* Tables may overlap in the file; honest ones do not. */
    if (total > file->size_bytes / sizeof(Elf64_Rel))
        return vsg_con_broken(file, 0, "%zu relocations in %zu bytes", total, file->size_bytes);
    out->relocs = vsg_base_arena_new(&out->arena, total, sizeof *out->relocs);
    if (!out->relocs)
        return vsg_con_no_memory(file);
    for (size_t i = 1; i < elf->num_sections; i++) {
        const vsg_con_elf_section *table = &elf->sections[i];
        size_t count = entries_of(elf, table);
        Elf_Data *data = count ? elf_getdata(table->handle, NULL) : NULL;
        for (size_t k = 0; k < count && status == VISAGE_OK; k++) {
            entry found;
            if (!data || !get_entry(data, (int)k, table->header.sh_type == SHT_RELA, &found))
                return vsg_con_broken(file, table->header.sh_offset, "%s cannot be read",
                                      table->name);
            status = take_relocation(elf, table, symbols, &found);
        }
    }
    return status;
}

visage_status vsg_con_read_data(vsg_con_elf *elf)
{
    const vsg_con_reader *file = elf->file;
    symbol_table symbols = {0};

    visage_status status = place_sections(elf, false);
    if (status == VISAGE_OK)
        status = place_sections(elf, true);
    if (status == VISAGE_OK)
        status = open_symbols(elf, &symbols);
    if (status != VISAGE_OK)
        return status;
    if (symbols.count > 0) {
        symbols.kept = vsg_base_new(file->alloc, symbols.count, sizeof *symbols.kept);
        if (!symbols.kept)
            return vsg_con_no_memory(file);
        symbols.kept[0] = SIZE_MAX;
        status = read_symbols(elf, &symbols);
    }
    if (status == VISAGE_OK)
        status = read_relocations(elf, &symbols);
    vsg_base_delete(file->alloc, symbols.kept, symbols.count, sizeof *symbols.kept);
    return status;
}
