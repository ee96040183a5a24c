/* SPDX-License-Identifier: MIT
 *
 * Zebins put together here: data, symbols, relocations. Rules: elf.md of the zebin
 * specification. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "container_support.h"
#include "zebin_builder.h"

enum { GLOBAL_OBJECT = STB_GLOBAL << 4 | STT_OBJECT, GLOBAL_FUNC = STB_GLOBAL << 4 | STT_FUNC };

/* Sections 1 and 2 are text and description. */
#define BASE              TEXT(".visaasm", "text"), INFO(KERNEL("k"))
#define REL(symbol, type) ((uint64_t)(symbol) << 32 | (type))

static void zeros_follow_aligned(void **state)
{
    static const Elf64_Sym symbols[] = {
        {0},
        {.st_name = 1, .st_info = GLOBAL_OBJECT, .st_shndx = 3, .st_value = 4, .st_size = 1},
        {.st_name = 3, .st_info = GLOBAL_OBJECT, .st_shndx = 4, .st_value = 8, .st_size = 24},
        {.st_name = 5, .st_info = GLOBAL_OBJECT, .st_shndx = 5, .st_value = 0, .st_size = 9},
        {.st_name = 7, .st_info = STT_OBJECT, .st_shndx = 5, .st_value = 9},
        {.st_name = 9, .st_info = STT_FUNC, .st_shndx = 1},
        {.st_name = 11, .st_info = GLOBAL_OBJECT, .st_shndx = SHN_ABS},
    };
    static const Elf64_Rel relocs[] = {{.r_offset = 24, .r_info = REL(1, 1)}};
    static const part parts[] = {
        BASE,
        TEXT(".data.const", "\1\2\3\4\5"),
        {.name = ".bss.const", .type = SHT_NOBITS, .size = 32, .alignment = 16},
        {.name = ".bss.global", .type = SHT_NOBITS, .size = 9, .alignment = 4},
        STRINGS("\0a\0b\0c\0d\0e\0f"),
        SYMBOLS(6, symbols),
        RELOCS(".rel.bss.const", SHT_REL, relocs, 7, 4),
    };
    fixture *f = *state;

    assert_clean_read(f, READ(f, parts));
    const vsg_con_data *data = f->zebin.data;
    assert_int_equal(data[VSG_CON_SECTION_CONST].size_bytes, 5);
    assert_int_equal(data[VSG_CON_SECTION_CONST].zero_bytes, 11 + 32);
    assert_int_equal(data[VSG_CON_SECTION_CONST].alignment, 16);
    assert_null(data[VSG_CON_SECTION_GLOBAL].bytes);
    assert_int_equal(data[VSG_CON_SECTION_GLOBAL].size_bytes, 0);
    assert_int_equal(data[VSG_CON_SECTION_GLOBAL].zero_bytes, 9);
    assert_int_equal(f->zebin.num_symbols, 5);
    assert_int_equal(vsg_con_find_symbol(&f->zebin, "a")->offset_bytes, 4);
    assert_int_equal(vsg_con_find_symbol(&f->zebin, "b")->offset_bytes, 16 + 8);
    assert_int_equal(vsg_con_find_symbol(&f->zebin, "b")->section, VSG_CON_SECTION_CONST);
    assert_int_equal(vsg_con_find_symbol(&f->zebin, "c")->section, VSG_CON_SECTION_GLOBAL);
    assert_int_equal(vsg_con_find_symbol(&f->zebin, "d")->offset_bytes, 9);
    assert_null(vsg_con_find_symbol(&f->zebin, "e"));
    assert_int_equal(vsg_con_find_symbol(&f->zebin, "f")->section, -1);
    assert_int_equal(f->zebin.num_relocs, 1);
    assert_int_equal(f->zebin.relocs[0].offset_bytes, 16 + 24);
    assert_int_equal(f->zebin.relocs[0].addend, 0);
}

static void relocations_of_every_kind(void **state)
{
    static const Elf64_Sym symbols[] = {
        {0},
        {.st_name = 1, .st_info = GLOBAL_OBJECT, .st_shndx = 3, .st_value = 2, .st_size = 2},
        {.st_name = 6, .st_info = GLOBAL_FUNC, .st_shndx = 1, .st_value = 64, .st_size = 8},
        {.st_name = 9, .st_info = STB_GLOBAL << 4},
        {.st_name = 1, .st_info = STT_OBJECT, .st_shndx = 4, .st_value = 3},
    };
    static const Elf64_Rel in_place[] = {
        {.r_offset = 0, .r_info = REL(1, 1)},  {.r_offset = 8, .r_info = REL(2, 2)},
        {.r_offset = 12, .r_info = REL(3, 3)}, {.r_offset = 4, .r_info = REL(1, 0)},
        {.r_offset = 12, .r_info = REL(4, 2)},
    };
    static const Elf64_Rela added[] = {
        {.r_offset = 0, .r_info = REL(2, 1), .r_addend = -5},
        {.r_offset = 4, .r_info = REL(1, 3), .r_addend = 7},
    };
    static const part parts[] = {
        BASE,
        TEXT(".data.const", "\xfe\xff\xff\xff\xff\xff\xff\xff" /* -2 */
                            "\xff\xff\xff\xff\1\0\0\0"),
        TEXT(".data.global", "\11\11\11\11\11\11\11\11"),
        STRINGS("\0data\0fn\0outside"),
        SYMBOLS(5, symbols),
        RELOCS(".rel.data.const", SHT_REL, in_place, 6, 3),
        RELOCS(".rela.data.global", SHT_RELA, added, 6, 4),
        RELOCS(".rel.text.k", SHT_REL, in_place, 6, 1),
    };
    static const struct {
        vsg_con_section section;
        uint64_t offset;
        vsg_con_reloc_kind kind;
        const char *symbol;
        int64_t addend;
    } expected[] = {
        {VSG_CON_SECTION_CONST, 0, VSG_CON_RELOC_ADDR64, "data", -2},
        {VSG_CON_SECTION_CONST, 8, VSG_CON_RELOC_ADDR32_LOW, "fn", 0xffffffff},
        {VSG_CON_SECTION_CONST, 12, VSG_CON_RELOC_ADDR32_HIGH, "outside", INT64_C(1) << 32},
        {VSG_CON_SECTION_CONST, 12, VSG_CON_RELOC_ADDR32_LOW, "data", 1},
        {VSG_CON_SECTION_GLOBAL, 0, VSG_CON_RELOC_ADDR64, "fn", -5},
        {VSG_CON_SECTION_GLOBAL, 4, VSG_CON_RELOC_ADDR32_HIGH, "data", 7},
    };
    fixture *f = *state;

    assert_clean_read(f, READ(f, parts));
    assert_int_equal(f->zebin.num_relocs, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        const vsg_con_reloc *reloc = &f->zebin.relocs[i];
        assert_int_equal(reloc->section, expected[i].section);
        assert_int_equal(reloc->offset_bytes, expected[i].offset);
        assert_int_equal(reloc->kind, expected[i].kind);
        assert_string_equal(reloc->symbol, expected[i].symbol);
        assert_int_equal(reloc->addend, expected[i].addend);
    }
    const vsg_con_symbol *fn = f->zebin.relocs[1].target, *outside = f->zebin.relocs[2].target;
    assert_int_equal(fn->section, -1);
    assert_true(fn->is_defined);
    assert_int_equal(outside->section, -1);
    assert_false(outside->is_defined);
    /* two symbols of one name are told apart */
    assert_int_equal(f->zebin.relocs[0].target->section, VSG_CON_SECTION_CONST);
    assert_int_equal(f->zebin.relocs[3].target->section, VSG_CON_SECTION_GLOBAL);
    assert_int_equal(f->zebin.relocs[3].target->offset_bytes, 3);
}

static void refuses_wrong_relocations(void **state)
{
    static const struct {
        uint64_t offset, symbol;
        uint32_t type;
    } cases[] = {
        {0, 1, 4}, {0, 1, 5}, {0, 1, 7},          {0, 1, 255}, /* none of them for data */
        {1, 1, 1}, {5, 1, 2}, {8, 1, 2},          {UINT64_MAX - 2, 1, 1}, /* outside */
        {0, 0, 1}, {0, 2, 1}, {0, 0xffffffff, 1},                         /* no such symbol */
    };
    static const Elf64_Sym symbols[] = {
        {0}, {.st_name = 1, .st_info = GLOBAL_OBJECT, .st_shndx = 3}};
    fixture *f = *state;

    for (size_t i = 0; i < COUNT(cases); i++) {
        Elf64_Rel rel[] = {
            {.r_offset = cases[i].offset, .r_info = REL(cases[i].symbol, cases[i].type)}};
        const part parts[] = {
            BASE,
            TEXT(".data.global", "\0\0\0\0\0\0\0\0"),
            STRINGS("\0a"),
            SYMBOLS(4, symbols),
            RELOCS(".rel.data.global", SHT_REL, rel, 5, 3),
        };
        assert_refused(f, READ(f, parts), "R0025");
    }
}

static void refuses_wrong_symbols(void **state)
{
    static const struct {
        uint64_t value, size;
        uint32_t name;
        const char *code;
    } cases[] = {
        {5, 0, 1, "R0033"},          {0, 5, 1, "R0033"},          {3, 2, 1, "R0033"},
        {UINT64_MAX, 2, 1, "R0033"}, {2, UINT64_MAX, 1, "R0033"}, {0, 4, 3, "R0010"},
        {0, 4, UINT32_MAX, "R0010"},
    };
    fixture *f = *state;

    for (size_t i = 0; i < COUNT(cases); i++) {
        Elf64_Sym symbols[] = {{0},
                               {.st_name = cases[i].name,
                                .st_info = GLOBAL_OBJECT,
                                .st_shndx = 3,
                                .st_value = cases[i].value,
                                .st_size = cases[i].size}};
        const part parts[] = {BASE, TEXT(".data.const", "\1\2\3\4"), STRINGS("\0a"),
                              SYMBOLS(4, symbols)};
        assert_refused(f, READ(f, parts), cases[i].code);
    }
}

static void refuses_wrong_data(void **state)
{
    static const part repeated[] = {BASE, TEXT(".data.const", "\1"), TEXT(".data.const", "\1")};
    static const part aliased[] = {BASE, TEXT(".data.const", "\1"),
                                   TEXT(".data.global_const", "\1")};
    static const part large[] = {
        BASE, {.name = ".bss.global", .type = SHT_NOBITS, .size = (UINT64_C(1) << 32) + 1}};
    static const part endless[] = {
        BASE,
        TEXT(".data.global", "\1"),
        {.name = ".bss.global", .type = SHT_NOBITS, .size = UINT64_MAX}};
    static const part odd[] = {
        BASE, {.name = ".data.const", .data = "abc", .size = 3, .alignment = 3}};
    static const part wide[] = {
        BASE,
        {.name = ".bss.const", .type = SHT_NOBITS, .size = 3, .alignment = UINT64_C(1) << 63}};
    static const part swapped[] = {BASE,
                                   {.name = ".data.const", .type = SHT_NOBITS, .size = 3}};
    static const part filled[] = {BASE, TEXT(".bss.const", "\1")};
    static const Elf64_Sym symbols[] = {{0}};
    static const part tables[] = {BASE, STRINGS(""), SYMBOLS(3, symbols), SYMBOLS(3, symbols)};
    static const part unnamed[] = {BASE, SYMBOLS(99, symbols)};
    fixture *f = *state;

    assert_refused(f, READ(f, repeated), "R0031");
    assert_refused(f, READ(f, aliased), "R0031");
    assert_refused(f, READ(f, large), "R0006");
    assert_refused(f, READ(f, endless), "R0006");
    assert_refused(f, READ(f, odd), "R0010");
    assert_refused(f, READ(f, wide), "R0010");
    assert_refused(f, READ(f, swapped), "R0010");
    assert_refused(f, READ(f, filled), "R0010");
    assert_refused(f, READ(f, tables), "R0031");
    assert_refused(f, READ(f, unnamed), "R0010");
}

static void shared_bytes_cost_no_memory(void **state)
{
    /* 2,000 symbols with one name of 60,000 bytes: 120 MB if each had its own. */
    enum { SYMBOLS = 2000, NAME = 60000 };
    Elf64_Sym *symbols = calloc(SYMBOLS, sizeof *symbols);
    char *names = malloc(NAME);
    fixture *f = *state;

    assert_non_null(symbols);
    assert_non_null(names);
    memset(names, 'n', NAME - 1);
    names[NAME - 1] = '\0';
    for (size_t i = 1; i < SYMBOLS; i++)
        symbols[i] =
            (Elf64_Sym){.st_name = 1 + (uint32_t)i, .st_info = GLOBAL_FUNC, .st_shndx = 1};
    const part parts[] = {
        BASE,
        {.name = ".names", .type = SHT_STRTAB, .data = names, .size = NAME},
        {.name = ".symtab",
         .type = SHT_SYMTAB,
         .data = symbols,
         .size = SYMBOLS * sizeof *symbols,
         .link = 3},
    };
    visage_status status = READ(f, parts);
    size_t most = f->counts.most_bytes;
    assert_refused(f, status, "R0010");
    assert_in_range(most, 1, 16 * f->size);
    free(symbols);
    free(names);

    /* Sixty tables over the same relocations. */
    static const Elf64_Sym one[] = {{0},
                                    {.st_name = 1, .st_info = GLOBAL_OBJECT, .st_shndx = 3}};
    Elf64_Rel relocs[1000];
    part tables[40] = {BASE, TEXT(".data.global", "\0\0\0\0\0\0\0\0"), STRINGS("\0a"),
                       SYMBOLS(4, one)};
    for (size_t i = 0; i < COUNT(relocs); i++)
        relocs[i] = (Elf64_Rel){.r_info = REL(1, 1)};
    for (size_t i = 5; i < COUNT(tables); i++)
        tables[i] = (part)RELOCS(".rel.data.global", SHT_REL, relocs, 5, 3);
    make(f, tables, 6);
    assert_clean_read(f, read_made(f, true));
    assert_int_equal(f->zebin.num_relocs, COUNT(relocs));
    clean(f);
    for (size_t i = 6; i < COUNT(tables); i++) {
        tables[i].data = "";
        tables[i].size = 0;
    }
    make(f, tables, COUNT(tables));
    Elf64_Shdr first_table;
    Elf64_Ehdr header;
    memcpy(&header, f->bytes, sizeof header);
    memcpy(&first_table, f->bytes + header.e_shoff + 6 * sizeof first_table,
           sizeof first_table);
    for (size_t i = 7; i <= COUNT(tables); i++) {
        change(f, i, offsetof(Elf64_Shdr, sh_offset), first_table.sh_offset, 8);
        change(f, i, offsetof(Elf64_Shdr, sh_size), first_table.sh_size, 8);
    }
    assert_refused(f, read_made(f, true), "R0010");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(zeros_follow_aligned, set_up, tear_down),
        cmocka_unit_test_setup_teardown(relocations_of_every_kind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_wrong_relocations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_wrong_symbols, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_wrong_data, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shared_bytes_cost_no_memory, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
