/* SPDX-License-Identifier: MIT
 *
 * The mapping is: executable sections, a jump for each symbol that others may see; from the
 * next page on all else that is in memory, which nobody writes. */
#include "jit/image.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>

#include "jit/calls.h"

/* A jump to the address behind it: jmp *2(%rip), two bytes of nothing, the address. Those who
 * want the address alone (GOTPCREL) read it there. */
enum { JUMP_BYTES = 16, JUMP_ADDRESS = 8 };
static const uint8_t jump_code[JUMP_ADDRESS] = {0xff, 0x25, 2, 0, 0, 0, 0x66, 0x90};

enum { PAGE_BYTES = 4096, MOST_ALIGNMENT = PAGE_BYTES };
static const size_t most_bytes = (size_t)1 << 30; /* distances are 32 bits */

typedef struct loader {
    const vsg_base_alloc *alloc;
    const uint8_t *data;
    size_t size;
    Elf64_Ehdr header;
    size_t *section_at; /* by section: in the mapping; NOT_LOADED */
    const uint8_t *symbols;
    size_t num_symbols;
    const char *names;
    size_t names_bytes;
    size_t num_global, first_global;
    size_t jumps_at, text_bytes, all_bytes;
    uint8_t *base;
} loader;

#define NOT_LOADED SIZE_MAX

/* ---- the file ---------------------------------------------------------------------------- */

static const uint8_t *at(const loader *l, uint64_t offset, uint64_t bytes)
{
    if (offset > l->size || l->size - offset < bytes)
        return NULL;
    return l->data + offset;
}

static bool get_section(const loader *l, size_t index, Elf64_Shdr *out)
{
    const uint8_t *from = at(l, l->header.e_shoff, 0);

    if (!from || index >= l->header.e_shnum ||
        l->header.e_shnum > (l->size - l->header.e_shoff) / sizeof *out)
        return false;
    memcpy(out, from + index * sizeof *out, sizeof *out);
    return out->sh_type == SHT_NOBITS || at(l, out->sh_offset, out->sh_size);
}

static bool open_file(loader *l)
{
    if (l->size < sizeof l->header)
        return false;
    memcpy(&l->header, l->data, sizeof l->header);
    return memcmp(l->header.e_ident, ELFMAG, SELFMAG) == 0 &&
           l->header.e_ident[EI_CLASS] == ELFCLASS64 &&
           l->header.e_ident[EI_DATA] == ELFDATA2LSB && l->header.e_type == ET_REL &&
           l->header.e_machine == EM_X86_64 && l->header.e_shentsize == sizeof(Elf64_Shdr) &&
           l->header.e_shnum > 0;
}

static Elf64_Sym get_symbol(const loader *l, size_t index)
{
    Elf64_Sym symbol;

    memcpy(&symbol, l->symbols + index * sizeof symbol, sizeof symbol);
    return symbol;
}

/* A name of the string table, which ends in NUL. */
static const char *name_of(const loader *l, const Elf64_Sym *symbol)
{
    return symbol->st_name < l->names_bytes ? l->names + symbol->st_name : NULL;
}

static bool find_symbols(loader *l)
{
    Elf64_Shdr section, names;

    for (size_t i = 0; i < l->header.e_shnum; i++) {
        if (!get_section(l, i, &section))
            return false;
        if (section.sh_type != SHT_SYMTAB)
            continue;
        if (!get_section(l, section.sh_link, &names) || names.sh_type != SHT_STRTAB ||
            names.sh_size == 0 || l->data[names.sh_offset + names.sh_size - 1] != '\0' ||
            section.sh_info > section.sh_size / sizeof(Elf64_Sym))
            return false;
        l->symbols = l->data + section.sh_offset;
        l->num_symbols = section.sh_size / sizeof(Elf64_Sym);
        l->names = (const char *)l->data + names.sh_offset;
        l->names_bytes = names.sh_size;
        l->first_global = section.sh_info;
        l->num_global = l->num_symbols - l->first_global;
        return true;
    }
    return false;
}

/* ---- places ------------------------------------------------------------------------------ */

static bool place(size_t *end, uint64_t bytes, uint64_t alignment, size_t *where)
{
    if (alignment == 0)
        alignment = 1;
    if (alignment > MOST_ALIGNMENT || (alignment & (alignment - 1)) != 0)
        return false;
    *where = (*end + alignment - 1) & ~(size_t)(alignment - 1);
    if (*where > most_bytes || bytes > most_bytes - *where)
        return false;
    *end = *where + bytes;
    return true;
}

static bool place_sections(loader *l, bool executable, size_t *end)
{
    Elf64_Shdr section;

    for (size_t i = 0; i < l->header.e_shnum; i++) {
        if (!get_section(l, i, &section))
            return false;
        if (!(section.sh_flags & SHF_ALLOC) ||
            ((section.sh_flags & SHF_EXECINSTR) != 0) != executable)
            continue;
        if (section.sh_flags & SHF_TLS ||
            !place(end, section.sh_size, section.sh_addralign, &l->section_at[i]))
            return false;
    }
    return true;
}

static bool place_all(loader *l)
{
    size_t end = 0, data_at;

    for (size_t i = 0; i < l->header.e_shnum; i++)
        l->section_at[i] = NOT_LOADED;
    if (!place_sections(l, true, &end) || l->num_global > most_bytes / JUMP_BYTES ||
        !place(&end, l->num_global * JUMP_BYTES, JUMP_BYTES, &l->jumps_at) ||
        !place(&end, 0, PAGE_BYTES, &data_at))
        return false;
    l->text_bytes = end;
    return place_sections(l, false, &end) && place(&end, 0, PAGE_BYTES, &l->all_bytes);
}

static void copy_sections(const loader *l)
{
    Elf64_Shdr section;

    for (size_t i = 0; i < l->header.e_shnum; i++)
        if (l->section_at[i] != NOT_LOADED && get_section(l, i, &section) &&
            section.sh_type != SHT_NOBITS && section.sh_size > 0)
            memcpy(l->base + l->section_at[i], l->data + section.sh_offset, section.sh_size);
}

/* ---- symbols ----------------------------------------------------------------------------- */

/* Address of a symbol that the object defines; false: it does not. */
static bool own_address(const loader *l, const Elf64_Sym *symbol, uint64_t *out)
{
    Elf64_Shdr section;

    if (symbol->st_shndx >= l->header.e_shnum ||
        l->section_at[symbol->st_shndx] == NOT_LOADED ||
        !get_section(l, symbol->st_shndx, &section) || symbol->st_value > section.sh_size)
        return false;
    *out = (uint64_t)(uintptr_t)l->base + l->section_at[symbol->st_shndx] + symbol->st_value;
    return true;
}

static bool fill_jumps(const loader *l)
{
    for (size_t i = 0; i < l->num_global; i++) {
        Elf64_Sym symbol = get_symbol(l, l->first_global + i);
        uint8_t *jump = l->base + l->jumps_at + i * JUMP_BYTES;
        const char *name = name_of(l, &symbol);
        uint64_t address;
        if (symbol.st_shndx == SHN_UNDEF) {
            vsg_jit_function function = name ? vsg_jit_find_function(name) : NULL;
            if (!function)
                return false;
            address = (uint64_t)(uintptr_t)function;
        } else if (!own_address(l, &symbol, &address)) {
            return false;
        }
        memcpy(jump, jump_code, sizeof jump_code);
        memcpy(jump + JUMP_ADDRESS, &address, sizeof address);
    }
    return true;
}

/* What a relocation refers to. */
static bool target_of(const loader *l, const Elf64_Rela *rela, uint64_t *out)
{
    size_t index = ELF64_R_SYM(rela->r_info);
    uint32_t type = ELF64_R_TYPE(rela->r_info);
    bool wants_slot = type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX ||
                      type == R_X86_64_REX_GOTPCRELX;

    if (index >= l->num_symbols)
        return false;
    Elf64_Sym symbol = get_symbol(l, index);
    bool has_jump = index >= l->first_global;
    uint64_t jump = (uint64_t)(uintptr_t)l->base + l->jumps_at +
                    (has_jump ? index - l->first_global : 0) * JUMP_BYTES;
    if (wants_slot) {
        *out = jump + JUMP_ADDRESS;
        return has_jump;
    }
    if (own_address(l, &symbol, out))
        return true;
    *out = jump;
    return has_jump;
}

static bool relocate(const loader *l, const Elf64_Rela *rela, uint8_t *to)
{
    uint64_t target;

    if (!target_of(l, rela, &target))
        return false;
    uint64_t value = target + (uint64_t)rela->r_addend;
    uint64_t distance = value - (uint64_t)(uintptr_t)to;
    switch (ELF64_R_TYPE(rela->r_info)) {
    case R_X86_64_64:
        memcpy(to, &value, 8);
        return true;
    case R_X86_64_PC64:
        memcpy(to, &distance, 8);
        return true;
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
        if ((uint64_t)(int64_t)(int32_t)distance != distance)
            return false;
        memcpy(to, &distance, 4);
        return true;
    default:
        return false;
    }
}

static bool relocate_section(const loader *l, const Elf64_Shdr *list)
{
    Elf64_Shdr section;
    Elf64_Rela rela;

    if (!get_section(l, list->sh_info, &section))
        return false;
    if (l->section_at[list->sh_info] == NOT_LOADED)
        return true;
    for (uint64_t i = 0; i < list->sh_size / sizeof rela; i++) {
        memcpy(&rela, l->data + list->sh_offset + i * sizeof rela, sizeof rela);
        uint32_t type = ELF64_R_TYPE(rela.r_info);
        uint64_t bytes = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
        if (rela.r_offset > section.sh_size || section.sh_size - rela.r_offset < bytes ||
            !relocate(l, &rela, l->base + l->section_at[list->sh_info] + rela.r_offset))
            return false;
    }
    return true;
}

static bool relocate_all(const loader *l)
{
    Elf64_Shdr section;

    for (size_t i = 0; i < l->header.e_shnum; i++) {
        if (!get_section(l, i, &section) || section.sh_type == SHT_REL)
            return false;
        if (section.sh_type == SHT_RELA && !relocate_section(l, &section))
            return false;
    }
    return true;
}

/* ---- the image --------------------------------------------------------------------------- */

static bool map(loader *l)
{
    void *base =
        mmap(NULL, l->all_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (base == MAP_FAILED)
        return false;
    l->base = base;
    copy_sections(l);
    return fill_jumps(l) && relocate_all(l) &&
           mprotect(base, l->text_bytes, PROT_READ | PROT_EXEC) == 0 &&
           (l->all_bytes == l->text_bytes ||
            mprotect(l->base + l->text_bytes, l->all_bytes - l->text_bytes, PROT_READ) == 0);
}

/* Reads what there is to know before anything is mapped. Free section_at. */
static bool open_object(loader *l)
{
    if (!open_file(l) || !find_symbols(l))
        return false;
    l->section_at = vsg_base_new(l->alloc, l->header.e_shnum, sizeof *l->section_at);
    return l->section_at && place_all(l);
}

static void close_object(loader *l)
{
    if (l->section_at)
        vsg_base_delete(l->alloc, l->section_at, l->header.e_shnum, sizeof *l->section_at);
}

static void tell(const loader *l, vsg_jit_image_fn fn, void *user)
{
    uint64_t address;

    for (size_t i = 0; i < l->num_symbols; i++) {
        Elf64_Sym symbol = get_symbol(l, i);
        const char *name = name_of(l, &symbol);
        if (name && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
            own_address(l, &symbol, &address))
            fn(user, name, (const uint8_t *)(uintptr_t)address, symbol.st_size);
    }
}

bool vsg_jit_image_load(const vsg_base_alloc *alloc, const void *object, size_t size_bytes,
                        vsg_jit_image_fn fn, void *user, vsg_jit_image *out)
{
    loader l = {.alloc = alloc, .data = object, .size = size_bytes};
    bool good = open_object(&l) && l.text_bytes > 0 && map(&l);

    *out = (vsg_jit_image){l.base, l.base ? l.all_bytes : 0};
    if (good)
        tell(&l, fn, user);
    else
        vsg_jit_image_unload(out);
    close_object(&l);
    return good;
}

void vsg_jit_image_unload(vsg_jit_image *image)
{
    if (image->base)
        (void)munmap(image->base, image->size_bytes);
    *image = (vsg_jit_image){0};
}

bool vsg_jit_image_place(const vsg_base_alloc *alloc, const vsg_jit_image *image, void *object,
                         size_t size_bytes)
{
    loader l = {.alloc = alloc, .data = object, .size = size_bytes};
    bool good = open_object(&l);
    Elf64_Shdr section;

    for (size_t i = 0; good && i < l.header.e_shnum; i++) {
        if (l.section_at[i] == NOT_LOADED || !get_section(&l, i, &section))
            continue;
        section.sh_addr = (uint64_t)(uintptr_t)image->base + l.section_at[i];
        memcpy((uint8_t *)object + l.header.e_shoff + i * sizeof section, &section,
               sizeof section);
    }
    close_object(&l);
    return good;
}
