/* SPDX-License-Identifier: MIT
 *
 * Zebins and .ze_info made to cost much: memory and work must stay linear in the file. What
 * libelf and libyaml take is not counted. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hostile.h"

/* ---- .ze_info --------------------------------------------------------------------------- */

#define GOOD(name_, head_, each_, tail_)                                                       \
    {                                                                                          \
        .name = name_, .head = head_, .each = each_, .tail = tail_, .status = VISAGE_OK        \
    }
#define BAD(name_, head_, each_, tail_)                                                        \
    {                                                                                          \
        .name = name_, .head = head_, .each = each_, .tail = tail_, .status = VISAGE_MALFORMED \
    }

#define K       "kernels:\n  - name: k\n    execution_env: {simd_size: 8}\n"
#define PAYLOAD K "    payload_arguments:\n"
#define FILLER  "# ------------------------------------------------------------------\n"
#define VALUE   "      - {arg_type: arg_byvalue, offset: 32, size: 4, arg_index: "

static const hostile_case infos[] = {
    GOOD("kernels", K, "  - name: k@\n    execution_env: {simd_size: 8}\n", ""),
    BAD("one kernel again and again", "kernels:\n",
        "  - name: k\n    execution_env: {simd_size: 8}\n", ""),
    GOOD("arguments", PAYLOAD, VALUE "@}\n" FILLER FILLER, ""),
    GOOD("one argument again and again", PAYLOAD, VALUE "0}\n", ""),
    BAD("an argument with a large number", PAYLOAD VALUE "2147483647}\n", "# \n", ""),
    GOOD("unknown keys", K, "x@: 1\n", ""),
    BAD("a known key again and again", K, "    execution_env: {simd_size: 8}\n", ""),
    GOOD("bindings", K "    binding_table_indices:\n", "      - {bti_value: 0, arg_index: 0}\n",
         ""),
    GOOD("names of arguments of kernels that are not there", K "kernels_misc_info:\n",
         "  - name: x@\n", ""),
    GOOD("a long value", K "x: ", "x", "\n"),
    GOOD("a long quoted value", K "x: \"", "\\n", "\"\n"),
    GOOD("a value of many lines", K "x: |\n", "  x\n", ""),
    GOOD("comments", K, "# x\n", ""),
    GOOD("lines", K, "\n", ""),
    BAD("lists in lists", K "x: ", "[", ""),
    BAD("mappings in mappings", K "x: ", "{a: ", ""),
    BAD("lists in lists by dashes", K "x: ", "- ", ""),
    BAD("keys of keys", K, "? ", ""),
    BAD("anchors", K "x: [", "&a 1, ", "]\n"),
    BAD("aliases", K "x: &a [1]\ny: [", "*a, ", "]\n"),
    BAD("documents", K, "---\n", ""),
    BAD("versions", "", "%YAML 1.1\n", "---\n" K),
    BAD("tags", "", "%TAG !x@! x\n", "---\n" K),
    BAD("quotes", K, "\"", ""),
    BAD("bytes that are no text", K, "\377", ""),
};

static void test_infos(void **state)
{
    (void)state;
    hostile_check(infos, sizeof infos / sizeof *infos, true);
}

/* ---- zebins ----------------------------------------------------------------------------- */

/* A zebin that grows: contents at once, section headers and their names kept for the end. */
typedef struct maker {
    hostile_bytes *out;
    hostile_bytes headers, names;
    size_t count;
} maker;

static void add_header(maker *m, const char *name, Elf64_Shdr header)
{
    header.sh_name = (Elf64_Word)m->names.size;
    hostile_put(&m->names, name, strlen(name) + 1);
    hostile_put(&m->headers, &header, sizeof header);
    m->count++;
}

static void add(maker *m, const char *name, uint32_t type, const void *data, size_t size)
{
    add_header(m, name,
               (Elf64_Shdr){.sh_type = type, .sh_offset = m->out->size, .sh_size = size});
    hostile_put(m->out, data, size);
}

static maker start(hostile_bytes *out)
{
    static const char info[] = K;
    static const char text[] = ".version 3.8\n.kernel \"k\"\nret (M1, 1)\n";
    const Elf64_Ehdr header = {0};
    maker m = {.out = out};

    hostile_put(out, &header, sizeof header);
    add_header(&m, "", (Elf64_Shdr){0});
    add(&m, ".ze_info", SHT_PROGBITS, info, sizeof info - 1);
    add(&m, ".visaasm.k", SHT_PROGBITS, text, sizeof text - 1);
    return m;
}

/* So large the file would be if it ended here. */
static size_t size_of(const maker *m)
{
    return m->out->size + m->headers.size + m->names.size;
}

static void finish(maker *m)
{
    Elf64_Ehdr header = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_REL,
        .e_machine = 205, /* Intel graphics */
        .e_version = EV_CURRENT,
        .e_ehsize = sizeof(Elf64_Ehdr),
        .e_shentsize = sizeof(Elf64_Shdr),
    };
    Elf64_Shdr names = {.sh_type = SHT_STRTAB, .sh_offset = m->out->size};

    names.sh_name = (Elf64_Word)m->names.size;
    hostile_put(&m->names, ".shstrtab", sizeof ".shstrtab");
    names.sh_size = m->names.size;
    hostile_put(&m->headers, &names, sizeof names);
    hostile_put(m->out, m->names.data, m->names.size);
    header.e_shoff = m->out->size;
    header.e_shnum = (Elf64_Half)(m->count + 1);
    header.e_shstrndx = (Elf64_Half)m->count;
    hostile_put(m->out, m->headers.data, m->headers.size);
    memcpy(m->out->data, &header, sizeof header);
    hostile_free(&m->names);
    hostile_free(&m->headers);
}

static void make_functions(hostile_bytes *out, size_t size)
{
    maker m = start(out);

    for (size_t i = 0; size_of(&m) < size; i++) {
        char name[64], text[128];
        (void)snprintf(name, sizeof name, ".visaasm.f%zu", i);
        (void)snprintf(text, sizeof text,
                       ".version 3.8\n.global_function \"f%zu\"\nret (M1, 1)\n", i);
        add(&m, name, SHT_PROGBITS, text, strlen(text));
    }
    finish(&m);
}

/* The same function in the file for every kernel that calls it, as the compiler has it. */
static void make_one_function(hostile_bytes *out, size_t size)
{
    static const char text[] = ".version 3.8\n.global_function \"f\"\nret (M1, 1)\n";
    maker m = start(out);

    while (size_of(&m) < size)
        add(&m, ".visaasm.f", SHT_PROGBITS, text, sizeof text - 1);
    finish(&m);
}

/* Functions with long names and a hundred wrong lines each: what is reported names the function
 * every time. */
static void make_wrong_functions(hostile_bytes *out, size_t size)
{
    hostile_bytes text = {NULL, 0, 0};
    maker m = start(out);

    hostile_text(&text, ".version 3.8\n.global_function \"f\"\n");
    for (int i = 0; i < 100; i++)
        hostile_text(&text, "x\n");
    for (size_t i = 0; size_of(&m) < size; i++) {
        char name[512];
        (void)snprintf(name, sizeof name, ".visaasm.%0400zu", i);
        add(&m, name, SHT_PROGBITS, text.data, text.size);
    }
    hostile_free(&text);
    finish(&m);
}

/* Functions that all have the same bytes of the file, half of it. */
static void make_overlapping(hostile_bytes *out, size_t size)
{
    maker m = start(out);
    size_t from = out->size;

    while (out->size < size / 2)
        hostile_text(out, "// x\n");
    Elf64_Shdr header = {
        .sh_type = SHT_PROGBITS, .sh_offset = from, .sh_size = out->size - from};
    for (size_t i = 0; size_of(&m) < size; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, ".visaasm.f%zu", i);
        add_header(&m, name, header);
    }
    finish(&m);
}

static void make_kernels(hostile_bytes *out, size_t size)
{
    static const char text[] = ".version 3.8\n.kernel \"kernel\"\nret (M1, 1)\n";
    const Elf64_Ehdr header = {0};
    hostile_bytes info = {NULL, 0, 0};
    maker m = {.out = out};

    hostile_put(out, &header, sizeof header);
    add_header(&m, "", (Elf64_Shdr){0});
    hostile_text(&info, "kernels:\n");
    for (size_t i = 0; i < 512 && size_of(&m) + info.size < size; i++) {
        char name[64];
        hostile_numbered(&info, "  - name: k@\n    execution_env: {simd_size: 8}\n", i);
        (void)snprintf(name, sizeof name, ".visaasm.k%zu", i);
        add(&m, name, SHT_PROGBITS, text, sizeof text - 1);
    }
    while (size_of(&m) + info.size < size)
        hostile_text(&info, "# x\n");
    add(&m, ".ze_info", SHT_PROGBITS, info.data, info.size);
    hostile_free(&info);
    finish(&m);
}

static void make_sections(hostile_bytes *out, size_t size)
{
    maker m = start(out);

    while (size_of(&m) < size)
        add(&m, ".gtpin_info", SHT_PROGBITS, "", 0);
    finish(&m);
}

static void make_notes(hostile_bytes *out, size_t size)
{
    static const uint32_t note[] = {8, 4, 1, 0x65746e49, 0x0054476c, 0};
    hostile_bytes notes = {NULL, 0, 0};
    maker m = start(out);

    while (size_of(&m) + notes.size < size)
        hostile_put(&notes, note, sizeof note);
    add(&m, ".note.intelgt.compat", SHT_NOTE, notes.data, notes.size);
    hostile_free(&notes);
    finish(&m);
}

/* A table of as many symbols as fit, each its name `shared` or one of its own, and a relocation
 * for each. Sections: 3 names, 4 data, 5 symbols, 6 relocations. */
static void make_symbols(hostile_bytes *out, size_t size, bool shared, size_t relocations)
{
    static const char data[64] = "";
    hostile_bytes symbols = {NULL, 0, 0}, names = {NULL, 0, 0}, relocs = {NULL, 0, 0};
    Elf64_Sym symbol = {0};
    maker m = start(out);

    hostile_put(&names, "", 1);
    if (shared) {
        while (names.size < size / 4)
            hostile_text(&names, "a_long_name");
        hostile_put(&names, "", 1);
    }
    hostile_put(&symbols, &symbol, sizeof symbol);
    symbol = (Elf64_Sym){.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), .st_shndx = 4};
    for (size_t i = 1; size_of(&m) + names.size + symbols.size + relocs.size < size; i++) {
        Elf64_Rela reloc = {.r_info = ELF64_R_INFO(i, 1)};
        symbol.st_name = shared ? 1 : (Elf64_Word)names.size;
        hostile_put(&symbols, &symbol, sizeof symbol);
        if (!shared) {
            hostile_numbered(&names, "s@", i);
            hostile_put(&names, "", 1);
        }
        for (size_t n = 0; n < relocations; n++)
            hostile_put(&relocs, &reloc, sizeof reloc);
    }
    add(&m, ".names", SHT_STRTAB, names.data, names.size);
    add(&m, ".data.global", SHT_PROGBITS, data, sizeof data);
    add_header(&m, ".symtab",
               (Elf64_Shdr){.sh_type = SHT_SYMTAB,
                            .sh_offset = out->size,
                            .sh_size = symbols.size,
                            .sh_entsize = sizeof symbol,
                            .sh_link = 3});
    hostile_put(out, symbols.data, symbols.size);
    add_header(&m, ".rela.data.global",
               (Elf64_Shdr){.sh_type = SHT_RELA,
                            .sh_offset = out->size,
                            .sh_size = relocs.size,
                            .sh_entsize = sizeof(Elf64_Rela),
                            .sh_link = 5,
                            .sh_info = 4});
    hostile_put(out, relocs.data, relocs.size);
    hostile_free(&symbols);
    hostile_free(&names);
    hostile_free(&relocs);
    finish(&m);
}

static void make_own_names(hostile_bytes *out, size_t size)
{
    make_symbols(out, size, false, 0);
}

static void make_shared_names(hostile_bytes *out, size_t size)
{
    make_symbols(out, size, true, 0);
}

static void make_relocations(hostile_bytes *out, size_t size)
{
    make_symbols(out, size, false, 3);
}

static const hostile_case zebins[] = {
    {.name = "functions", .make = make_functions},
    {.name = "one function again and again", .make = make_one_function},
    /* Large, as 16 MiB are allowed in any case. */
    {.name = "functions of wrong lines",
     .make = make_wrong_functions,
     .status = VISAGE_SYNTAX,
     .large_bytes = 4 << 20},
    {.name = "overlapping texts", .make = make_overlapping, .status = VISAGE_MALFORMED},
    {.name = "kernels", .make = make_kernels},
    {.name = "sections", .make = make_sections},
    {.name = "notes", .make = make_notes},
    {.name = "symbols", .make = make_own_names},
    {.name = "symbols with one long name",
     .make = make_shared_names,
     .status = VISAGE_MALFORMED},
    {.name = "relocations", .make = make_relocations},
};

static void test_zebins(void **state)
{
    (void)state;
    hostile_check(zebins, sizeof zebins / sizeof *zebins, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_infos),
        cmocka_unit_test(test_zebins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
