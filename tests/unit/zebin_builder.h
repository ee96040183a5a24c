/* SPDX-License-Identifier: MIT
 *
 * Zebins put together section by section. Include after container_support.h. */
#ifndef VISAGE_TESTS_ZEBIN_BUILDER_H
#define VISAGE_TESTS_ZEBIN_BUILDER_H

#include <elf.h>

typedef struct part {
    const char *name;
    uint32_t type; /* 0: SHT_PROGBITS */
    const void *data;
    uint64_t size;
    uint32_t link, info; /* sections count from 1 in the order of the parts */
    uint64_t alignment, flags;
} part;

typedef struct image {
    uint8_t *bytes;
    size_t size;
} image;

static inline void put(image *out, const void *data, size_t size)
{
    out->bytes = realloc(out->bytes, out->size + size + 1);
    assert_non_null(out->bytes);
    if (size)
        memcpy(out->bytes + out->size, data, size);
    out->size += size;
}

/* Contents first, then the names, then the section headers. */
static inline image build(const part *parts, size_t count)
{
    enum { MOST = 64 };
    image out = {0}, names = {0};
    Elf64_Shdr headers[MOST] = {{0}};
    Elf64_Ehdr header = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_REL,
        .e_machine = 205,
        .e_version = EV_CURRENT,
        .e_ehsize = sizeof(Elf64_Ehdr),
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = (Elf64_Half)(count + 2),
        .e_shstrndx = (Elf64_Half)(count + 1),
    };

    assert_in_range(count, 0, MOST - 2);
    put(&out, &header, sizeof header);
    put(&names, "", 1);
    for (size_t i = 0; i <= count; i++) {
        static const part last = {.name = ".strtab", .type = SHT_STRTAB};
        const part *p = i < count ? &parts[i] : &last;
        headers[i + 1] = (Elf64_Shdr){
            .sh_name = (Elf64_Word)names.size,
            .sh_type = p->type ? p->type : SHT_PROGBITS,
            .sh_flags = p->flags,
            .sh_offset = out.size,
            .sh_size = p->size,
            .sh_link = p->link,
            .sh_info = p->info,
            .sh_addralign = p->alignment,
        };
        put(&names, p->name, strlen(p->name) + 1);
        if (i == count) {
            headers[i + 1].sh_size = names.size;
            put(&out, names.bytes, names.size);
        } else if (p->type != SHT_NOBITS) {
            put(&out, p->data, p->size);
        }
    }
    header.e_shoff = out.size;
    memcpy(out.bytes, &header, sizeof header);
    put(&out, headers, (count + 2) * sizeof *headers);
    free(names.bytes);
    return out;
}

#define KERNEL(name) "  - name: " name "\n    execution_env: {simd_size: 8}\n"
#define INFO(kernels)                                                                          \
    {                                                                                          \
        .name = ".ze_info", .data = "kernels:\n" kernels,                                      \
        .size = sizeof "kernels:\n" kernels - 1                                                \
    }
#define TEXT(section, text)                                                                    \
    {                                                                                          \
        .name = section, .data = text, .size = sizeof text - 1                                 \
    }
#define STRINGS(text)                                                                          \
    {                                                                                          \
        .name = ".names", .type = SHT_STRTAB, .data = text, .size = sizeof text                \
    }
#define SYMBOLS(names_, array)                                                                 \
    {                                                                                          \
        .name = ".symtab", .type = SHT_SYMTAB, .data = array, .size = sizeof array,            \
        .link = names_                                                                         \
    }
#define RELOCS(section, type_, array, symbols, target)                                         \
    {                                                                                          \
        .name = section, .type = type_, .data = array, .size = sizeof array, .link = symbols,  \
        .info = target                                                                         \
    }
#define COUNT(array)   (sizeof(array) / sizeof *(array))
#define READ(f, parts) read_parts(f, parts, COUNT(parts), true)

/* The image lives in the fixture: the zebin borrows from it. */
static inline void make(fixture *f, const part *parts, size_t count)
{
    image built = build(parts, count);

    free(f->bytes);
    f->size = built.size;
    f->bytes = realloc(built.bytes, built.size);
    assert_non_null(f->bytes);
}

static inline visage_status read_made(fixture *f, bool with_text)
{
    return vsg_con_read_zebin(&f->alloc, "made", f->bytes, f->size, with_text, f->diagnostics,
                              &f->zebin);
}

static inline visage_status read_parts(fixture *f, const part *parts, size_t count,
                                       bool with_text)
{
    make(f, parts, count);
    return read_made(f, with_text);
}

/* Changes a field of section `index` of what was made. */
static inline void change(fixture *f, size_t index, size_t offset, uint64_t value, size_t size)
{
    Elf64_Ehdr header;

    memcpy(&header, f->bytes, sizeof header);
    memcpy(f->bytes + header.e_shoff + index * sizeof(Elf64_Shdr) + offset, &value, size);
}

static inline void assert_refused(fixture *f, visage_status status, const char *code)
{
    assert_reported(f, code);
    assert_int_equal(status, VISAGE_MALFORMED);
    assert_int_equal(visage_diagnostics_errors(f->diagnostics), 1);
    assert_null(f->zebin.kernels);
    clean(f);
}

#endif
