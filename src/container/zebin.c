/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/reader.h"

/* ELF facts that elf.h of the C library lacks; elf.md of the zebin specification. */
enum { MACHINE_INTELGT = 205 };

/* ---- reporting -------------------------------------------------------------------------- */

visage_status vsg_con_no_memory(const vsg_con_reader *file)
{
    vsg_base_location where = {.file = file->name, .instruction = -1};
    vsg_base_report(file->diagnostics, VSG_DIAG_NO_MEMORY, &where);
    return VISAGE_NO_MEMORY;
}

vsg_base_location vsg_con_at(const vsg_con_reader *file, uint64_t offset)
{
    return (vsg_base_location){
        .file = file->name,
        .has_offset = true,
        .offset = offset,
        .instruction = -1,
    };
}

visage_status vsg_con_broken(const vsg_con_reader *file, uint64_t offset, const char *why, ...)
{
    char what[256];
    vsg_base_location where = vsg_con_at(file, offset);
    va_list args;

    va_start(args, why);
    (void)vsnprintf(what, sizeof what, why, args);
    va_end(args);
    vsg_base_report(file->diagnostics, VSG_DIAG_ELF_BROKEN, &where, what);
    return VISAGE_MALFORMED;
}

static visage_status wrong_kind(const vsg_con_reader *file, uint64_t offset, const char *text,
                                unsigned found)
{
    char what[128];
    vsg_base_location where = vsg_con_at(file, offset);

    (void)snprintf(what, sizeof what, text, found);
    vsg_base_report(file->diagnostics, VSG_DIAG_ELF_KIND, &where, what);
    return VISAGE_MALFORMED;
}

visage_status vsg_con_twice(const vsg_con_reader *file, const vsg_con_elf_section *section)
{
    vsg_base_location where = vsg_con_at(file, section->header.sh_offset);
    vsg_base_report(file->diagnostics, VSG_DIAG_ELF_TWICE, &where, section->name);
    return VISAGE_MALFORMED;
}

/* ---- header and sections ---------------------------------------------------------------- */

bool vsg_con_is_elf(const void *data, size_t size_bytes)
{
    return size_bytes >= SELFMAG && memcmp(data, ELFMAG, SELFMAG) == 0;
}

static visage_status check_header(vsg_con_elf *elf)
{
    const vsg_con_reader *file = elf->file;
    GElf_Ehdr header;

    if (file->size_bytes < sizeof(Elf64_Ehdr))
        return vsg_con_broken(file, 0, "%zu bytes, the header alone has %zu", file->size_bytes,
                              sizeof(Elf64_Ehdr));
    if (file->data[EI_CLASS] != ELFCLASS64)
        return wrong_kind(file, EI_CLASS, "ELF class is %u, expected 2 (64 bits)",
                          file->data[EI_CLASS]);
    if (file->data[EI_DATA] != ELFDATA2LSB)
        return wrong_kind(file, EI_DATA, "ELF data encoding is %u, expected 1 (little-endian)",
                          file->data[EI_DATA]);
    (void)elf_version(EV_CURRENT);
    /* libelf copies what is not aligned and never writes where it only reads. */
    elf->handle = elf_memory((char *)(uintptr_t)file->data, file->size_bytes);
    if (!elf->handle || !gelf_getehdr(elf->handle, &header))
        return vsg_con_broken(file, 0, "%s", elf_errmsg(-1));
    if (header.e_machine != MACHINE_INTELGT)
        return wrong_kind(file, offsetof(Elf64_Ehdr, e_machine),
                          "the ELF machine is %u, expected 205 (Intel graphics)",
                          header.e_machine);
    /* libelf takes a table that lies beyond the end for none at all. */
    if (header.e_shoff > file->size_bytes ||
        header.e_shnum > (file->size_bytes - header.e_shoff) / sizeof(Elf64_Shdr))
        return vsg_con_broken(file, offsetof(Elf64_Ehdr, e_shoff),
                              "section headers at byte %" PRIu64
                              " reach beyond the end, the file has %zu bytes",
                              header.e_shoff, file->size_bytes);
    return VISAGE_OK;
}

const char *vsg_con_elf_name(vsg_con_elf *elf, const vsg_con_elf_section *table,
                             uint64_t offset)
{
    if (table->header.sh_type != SHT_STRTAB || offset >= table->header.sh_size)
        return NULL;
    size_t room = table->header.sh_size - offset;
    if (room > elf->names_left)
        room = elf->names_left;
    const char *name = (const char *)table->bytes + offset;
    const char *end = memchr(name, '\0', room);
    if (!end)
        return NULL;
    elf->names_left -= (size_t)(end - name);
    return name;
}

static visage_status read_section(vsg_con_elf *elf, size_t index)
{
    const vsg_con_reader *file = elf->file;
    vsg_con_elf_section *section = &elf->sections[index];
    GElf_Shdr *header = &section->header;

    section->data = -1;
    section->name = "";
    section->handle = elf_getscn(elf->handle, index);
    if (!section->handle || !gelf_getshdr(section->handle, header))
        return vsg_con_broken(file, 0, "section %zu: %s", index, elf_errmsg(-1));
    if (header->sh_type == SHT_NOBITS || header->sh_type == SHT_NULL)
        return VISAGE_OK;
    if (header->sh_offset > file->size_bytes ||
        header->sh_size > file->size_bytes - header->sh_offset)
        return vsg_con_broken(file, header->sh_offset,
                              "section %zu reaches beyond the end, the file has %zu bytes",
                              index, file->size_bytes);
    if (header->sh_flags & SHF_COMPRESSED)
        return vsg_con_broken(file, header->sh_offset, "section %zu is compressed", index);
    section->bytes = file->data + header->sh_offset;
    return VISAGE_OK;
}

static visage_status read_sections(vsg_con_elf *elf)
{
    const vsg_con_reader *file = elf->file;
    size_t names;

    if (elf_getshdrnum(elf->handle, &elf->num_sections) != 0 ||
        elf_getshdrstrndx(elf->handle, &names) != 0)
        return vsg_con_broken(file, 0, "%s", elf_errmsg(-1));
    if (elf->num_sections == 0)
        return VISAGE_OK;
    if (elf->num_sections > file->size_bytes / sizeof(Elf64_Shdr))
        return vsg_con_broken(file, 0, "%zu sections in %zu bytes", elf->num_sections,
                              file->size_bytes);
    elf->sections = vsg_base_new(file->alloc, elf->num_sections, sizeof *elf->sections);
    if (!elf->sections)
        return vsg_con_no_memory(file);
    for (size_t i = 0; i < elf->num_sections; i++) {
        visage_status status = read_section(elf, i);
        if (status != VISAGE_OK)
            return status;
    }
    if (names >= elf->num_sections)
        return vsg_con_broken(file, 0, "section %zu with the names does not exist", names);
    for (size_t i = 1; i < elf->num_sections; i++) {
        vsg_con_elf_section *section = &elf->sections[i];
        section->name = vsg_con_elf_name(elf, &elf->sections[names], section->header.sh_name);
        if (!section->name)
            return vsg_con_broken(file, section->header.sh_offset, "section %zu has no name",
                                  i);
    }
    return VISAGE_OK;
}

/* ---- vISA text -------------------------------------------------------------------------- */

/* Part of a section's name after `prefix`, NULL when it starts otherwise. */
static const char *after(const vsg_con_elf_section *section, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(section->name, prefix, length) == 0 ? section->name + length : NULL;
}

static bool is_plain_text(const vsg_con_elf_section *section)
{
    return strcmp(section->name, ".visaasm") == 0;
}

static void set_text(const vsg_con_elf_section *section, const char **text, size_t *size,
                     uint64_t *offset)
{
    *text = (const char *)section->bytes;
    *size = section->header.sh_size;
    *offset = section->header.sh_offset;
}

static visage_status text_of_nobody(const vsg_con_reader *file,
                                    const vsg_con_elf_section *section)
{
    vsg_base_location where = vsg_con_at(file, section->header.sh_offset);
    vsg_base_report(file->diagnostics, VSG_DIAG_ELF_TEXT, &where, section->name);
    return VISAGE_MALFORMED;
}

static vsg_con_kernel *find_kernel(const vsg_con_elf *elf, const char *name)
{
    vsg_con_zebin *out = elf->file->out;
    const vsg_con_kernel *kernel = vsg_con_find_kernel(out, name);
    return kernel ? &out->kernels[kernel - out->kernels] : NULL;
}

/* The kernels in the order of their texts: that of the .text.<kernel> sections where every
 * kernel has one, else that of .ze_info (the compiler writes the same order to both). */
static visage_status order_kernels(vsg_con_elf *elf, size_t *order, bool with_pseudo)
{
    const vsg_con_zebin *out = elf->file->out;
    size_t num_code = 0, count = 0;

    for (size_t i = 1; i < elf->num_sections; i++)
        num_code += after(&elf->sections[i], ".text.") != NULL;
    if (num_code != out->num_kernels) {
        for (size_t i = 0; i < out->num_kernels; i++)
            if (with_pseudo || !out->kernels[i].is_pseudo)
                order[count++] = i;
        return VISAGE_OK;
    }
    for (size_t i = 1; i < elf->num_sections; i++) {
        const char *name = after(&elf->sections[i], ".text.");
        if (!name)
            continue;
        const vsg_con_kernel *kernel = find_kernel(elf, name);
        if (!kernel)
            return text_of_nobody(elf->file, &elf->sections[i]);
        if (with_pseudo || !kernel->is_pseudo)
            order[count++] = (size_t)(kernel - out->kernels);
    }
    return VISAGE_OK;
}

/* Deals the sections named .visaasm to the kernels in order, and hangs the functions, which
 * follow the kernel that they were compiled with, on that kernel. */
static visage_status deal_texts(vsg_con_elf *elf, const size_t *order, size_t num_plain)
{
    vsg_con_zebin *out = elf->file->out;
    size_t plain = 0, current = SIZE_MAX;

    for (size_t i = 1; i < elf->num_sections; i++) {
        const vsg_con_elf_section *section = &elf->sections[i];
        const char *name = after(section, ".visaasm.");
        vsg_con_kernel *kernel = name ? find_kernel(elf, name) : NULL;
        if (is_plain_text(section) && plain < num_plain)
            kernel = &out->kernels[order[plain++]];
        if (kernel) {
            if (kernel->text)
                return vsg_con_twice(elf->file, section);
            current = (size_t)(kernel - out->kernels);
            set_text(section, &kernel->text, &kernel->text_size, &kernel->text_offset);
        } else if (name) {
            vsg_con_function *function = &out->functions[out->num_functions++];
            function->name = vsg_base_arena_text(&out->arena, name, strlen(name));
            if (!function->name)
                return vsg_con_no_memory(elf->file);
            function->kernel = current;
            set_text(section, &function->text, &function->text_size, &function->text_offset);
        }
    }
    return VISAGE_OK;
}

/* What the compiler makes of a program without kernels: it says for what, and has neither code
 * nor a description. */
static bool is_empty(const vsg_con_elf *elf)
{
    bool has_notes = false;

    for (size_t i = 1; i < elf->num_sections; i++) {
        if (after(&elf->sections[i], ".text") || after(&elf->sections[i], ".visaasm"))
            return false;
        has_notes = has_notes || strcmp(elf->sections[i].name, ".note.intelgt.compat") == 0;
    }
    return has_notes;
}

static visage_status check_text_count(const vsg_con_elf *elf, size_t num_plain,
                                      size_t num_named, size_t num_pseudo, bool with_text)
{
    const vsg_con_reader *file = elf->file;
    size_t num_kernels = file->out->num_kernels;
    vsg_base_location where = {.file = file->name, .instruction = -1};

    if (num_plain == 0 && num_named == 0) {
        if (!with_text || (num_kernels == 0 && is_empty(elf)))
            return VISAGE_OK;
        vsg_base_report(file->diagnostics, VSG_DIAG_ELF_NO_VISA, &where);
        return VISAGE_MALFORMED;
    }
    if (num_plain == 0 || num_plain == num_kernels || num_plain == num_kernels - num_pseudo)
        return VISAGE_OK;
    vsg_base_report(file->diagnostics, VSG_DIAG_ELF_SECTION_COUNT, &where, num_plain,
                    num_kernels);
    return VISAGE_MALFORMED;
}

/* By name, and of one name in the order of the file. */
static int compare_functions(const void *a, const void *b)
{
    const vsg_con_function *const *left = a, *const *right = b;
    int order = strcmp((*left)->name, (*right)->name);

    if (order == 0)
        order = (*left > *right) - (*left < *right);
    return order;
}

static visage_status sort_functions(const vsg_con_reader *file)
{
    vsg_con_zebin *out = file->out;
    const vsg_con_function **sorted =
        vsg_base_arena_new(&out->arena, out->num_functions, sizeof *sorted);

    if (!sorted)
        return vsg_con_no_memory(file);
    for (size_t i = 0; i < out->num_functions; i++)
        sorted[i] = &out->functions[i];
    qsort(sorted, out->num_functions, sizeof *sorted, compare_functions);
    out->functions_by_name = sorted;
    return VISAGE_OK;
}

const vsg_con_function *vsg_con_find_function(const vsg_con_zebin *zebin, const char *name)
{
    size_t low = 0, high = zebin->num_functions;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(zebin->functions_by_name[middle]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == zebin->num_functions || strcmp(zebin->functions_by_name[low]->name, name) != 0)
        return NULL;
    return zebin->functions_by_name[low];
}

/* Sections may overlap in the file; honest texts do not, and so many long ones could be in a
 * small file. */
static visage_status check_text_sizes(const vsg_con_elf *elf)
{
    size_t left = elf->file->size_bytes;

    for (size_t i = 1; i < elf->num_sections; i++) {
        const vsg_con_elf_section *section = &elf->sections[i];
        if (!is_plain_text(section) && !after(section, ".visaasm."))
            continue;
        if (section->header.sh_size > left)
            return vsg_con_broken(elf->file, section->header.sh_offset,
                                  "%s overlaps other texts", section->name);
        left -= section->header.sh_size;
    }
    return VISAGE_OK;
}

static visage_status read_texts(vsg_con_elf *elf, bool with_text)
{
    const vsg_con_reader *file = elf->file;
    vsg_con_zebin *out = file->out;
    size_t num_plain = 0, num_named = 0, num_functions = 0, num_pseudo = 0;

    for (size_t i = 1; i < elf->num_sections; i++) {
        const char *name = after(&elf->sections[i], ".visaasm.");
        if ((name || is_plain_text(&elf->sections[i])) && !elf->sections[i].bytes)
            return vsg_con_broken(file, 0, "section %zu (%s) has no contents", i,
                                  elf->sections[i].name);
        num_plain += is_plain_text(&elf->sections[i]);
        if (name && find_kernel(elf, name))
            num_named++;
        else if (name)
            num_functions++;
    }
    for (size_t i = 0; i < out->num_kernels; i++)
        num_pseudo += out->kernels[i].is_pseudo;
    visage_status status = check_text_count(elf, num_plain, num_named, num_pseudo, with_text);
    if (status == VISAGE_OK)
        status = check_text_sizes(elf);
    if (status != VISAGE_OK || num_plain + num_named + num_functions == 0)
        return status;
    out->functions = vsg_base_arena_new(&out->arena, num_functions, sizeof *out->functions);
    size_t *order = vsg_base_arena_new(&out->arena, out->num_kernels, sizeof *order);
    if (!out->functions || !order)
        return vsg_con_no_memory(file);
    status = order_kernels(elf, order, num_plain == out->num_kernels);
    if (status == VISAGE_OK)
        status = deal_texts(elf, order, num_plain);
    if (status == VISAGE_OK)
        status = sort_functions(file);
    return status;
}

/* ---- the whole -------------------------------------------------------------------------- */

/* The only section of that name, NULL where there is none. */
static visage_status find_section(const vsg_con_elf *elf, const char *name,
                                  const vsg_con_elf_section **out)
{
    *out = NULL;
    for (size_t i = 1; i < elf->num_sections; i++) {
        if (strcmp(elf->sections[i].name, name) != 0)
            continue;
        if (*out)
            return vsg_con_twice(elf->file, &elf->sections[i]);
        *out = &elf->sections[i];
    }
    return VISAGE_OK;
}

static visage_status read_description(const vsg_con_elf *elf)
{
    const vsg_con_reader *file = elf->file;
    const vsg_con_elf_section *info, *notes;

    visage_status status = find_section(elf, ".ze_info", &info);
    if (status != VISAGE_OK || (!info && is_empty(elf)))
        return status;
    if (!info || !info->bytes) {
        vsg_base_location where = {.file = file->name, .instruction = -1};
        vsg_base_report(file->diagnostics, VSG_DIAG_ELF_NO_INFO, &where);
        return VISAGE_MALFORMED;
    }
    status = vsg_con_read_kernels(file, info->header.sh_offset, info->header.sh_size);
    if (status == VISAGE_OK)
        status = find_section(elf, ".note.intelgt.compat", &notes);
    if (status == VISAGE_OK && notes)
        status = vsg_con_read_notes(elf, notes);
    return status;
}

static visage_status read_elf(vsg_con_elf *elf, bool with_text)
{
    visage_status status = check_header(elf);

    if (status == VISAGE_OK)
        status = read_sections(elf);
    if (status == VISAGE_OK)
        status = read_description(elf);
    if (status == VISAGE_OK)
        status = read_texts(elf, with_text);
    if (status == VISAGE_OK)
        status = vsg_con_read_data(elf);
    return status;
}

visage_status vsg_con_read_zebin(const vsg_base_alloc *alloc, const char *name,
                                 const void *data, size_t size_bytes, bool with_text,
                                 visage_diagnostics *diagnostics, vsg_con_zebin *out)
{
    vsg_con_zebin read = {0};
    vsg_con_reader file = {
        .alloc = alloc,
        .name = name,
        .data = data,
        .size_bytes = size_bytes,
        .diagnostics = diagnostics,
        .out = &read,
    };
    vsg_con_elf elf = {.file = &file, .names_left = SIZE_MAX};

    if (size_bytes == 0) {
        vsg_base_location where = {.file = name, .instruction = -1};
        vsg_base_report(diagnostics, VSG_DIAG_EMPTY_INPUT, &where);
        return VISAGE_MALFORMED;
    }
    if (!vsg_con_is_elf(data, size_bytes))
        return wrong_kind(&file, 0, "it does not start as an ELF file (first byte 0x%02x)",
                          file.data[0]);
    if (size_bytes < SIZE_MAX / 4)
        elf.names_left = size_bytes * 4;
    vsg_base_arena_init(&read.arena, alloc);
    visage_status status = read_elf(&elf, with_text);
    vsg_base_delete(alloc, elf.sections, elf.num_sections, sizeof *elf.sections);
    if (elf.handle)
        (void)elf_end(elf.handle);
    if (status == VISAGE_OK)
        *out = read;
    else
        vsg_con_zebin_free(&read);
    return status;
}

void vsg_con_zebin_free(vsg_con_zebin *zebin)
{
    if (zebin->arena.alloc)
        vsg_base_arena_free(&zebin->arena);
    *zebin = (vsg_con_zebin){0};
}
