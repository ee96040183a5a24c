/* SPDX-License-Identifier: MIT
 *
 * Zebins put together here: header, sections, texts, devices; every way of being wrong, and
 * what the installed compiler does not write. Rules: elf.md of the zebin specification. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "container_support.h"
#include "zebin_builder.h"

static const part minimal[] = {
    TEXT(".text.k", "code"),
    TEXT(".visaasm", "text of k"),
    INFO(KERNEL("k")),
};

static void assert_kernel(const fixture *f, const char *name, const char *text)
{
    const vsg_con_kernel *k = vsg_con_find_kernel(&f->zebin, name);

    assert_non_null(k);
    if (!text) {
        assert_null(k->text);
        return;
    }
    assert_non_null(k->text);
    assert_int_equal(k->text_size, strlen(text));
    assert_memory_equal(k->text, text, k->text_size);
    assert_ptr_equal(k->text, f->bytes + k->text_offset);
}

/* ---- header and sections ---------------------------------------------------------------- */

static void reads_the_least(void **state)
{
    fixture *f = *state;

    assert_clean_read(f, READ(f, minimal));
    assert_kernel(f, "k", "text of k");
    assert_int_equal(f->zebin.platform, VISAGE_PLATFORM_NONE);
    assert_int_equal(f->zebin.num_functions, 0);
    assert_true(vsg_con_is_elf(f->bytes, f->size));
    assert_false(vsg_con_is_elf(f->bytes, 3));
    assert_false(vsg_con_is_elf(".version 4.1", 12));
    vsg_con_zebin_free(&f->zebin);
    vsg_con_zebin_free(&f->zebin);
}

static void refuses_other_files(void **state)
{
    static const struct {
        size_t at;
        uint8_t byte;
        const char *code;
    } cases[] = {
        {0, 'X', "R0011"},
        {EI_CLASS, ELFCLASS32, "R0011"},
        {EI_CLASS, 0, "R0011"},
        {EI_DATA, ELFDATA2MSB, "R0011"},
        {EI_VERSION, 7, "R0010"},
        {offsetof(Elf64_Ehdr, e_machine), EM_X86_64, "R0011"},
        {offsetof(Elf64_Ehdr, e_shoff) + 3, 1, "R0010"},
        {offsetof(Elf64_Ehdr, e_shoff) + 7, 0x80, "R0010"},
        {offsetof(Elf64_Ehdr, e_shnum) + 1, 1, "R0010"},
        {offsetof(Elf64_Ehdr, e_shstrndx), 9, "R0010"},
        {offsetof(Elf64_Ehdr, e_shstrndx), 1, "R0010"}, /* not a string table */
    };
    fixture *f = *state;

    for (size_t i = 0; i < COUNT(cases); i++) {
        make(f, minimal, COUNT(minimal));
        f->bytes[cases[i].at] = cases[i].byte;
        assert_refused(f, read_made(f, true), cases[i].code);
    }
    assert_refused(
        f, vsg_con_read_zebin(&f->alloc, "made", "", 0, true, f->diagnostics, &f->zebin),
        "R0003");
    assert_refused(
        f, vsg_con_read_zebin(&f->alloc, "made", "\177ELF", 4, true, f->diagnostics, &f->zebin),
        "R0010");
}

static void refuses_broken_sections(void **state)
{
    static const struct {
        size_t section, offset;
        uint64_t value;
        size_t size;
    } cases[] = {
        {3, offsetof(Elf64_Shdr, sh_offset), 1 << 20, 8},
        {3, offsetof(Elf64_Shdr, sh_offset), UINT64_MAX, 8},
        {3, offsetof(Elf64_Shdr, sh_size), 1 << 20, 8},
        {3, offsetof(Elf64_Shdr, sh_size), UINT64_MAX, 8},
        {3, offsetof(Elf64_Shdr, sh_name), 1 << 20, 4},
        {3, offsetof(Elf64_Shdr, sh_flags), SHF_COMPRESSED, 8},
        {4, offsetof(Elf64_Shdr, sh_size), 3, 8}, /* cuts the names */
        {2, offsetof(Elf64_Shdr, sh_type), SHT_NOBITS, 4},
    };
    fixture *f = *state;

    for (size_t i = 0; i < COUNT(cases); i++) {
        make(f, minimal, COUNT(minimal));
        change(f, cases[i].section, cases[i].offset, cases[i].value, cases[i].size);
        assert_refused(f, read_made(f, true), "R0010");
    }
}

static void code_alone_needs_a_description(void **state)
{
    static const part without[] = {TEXT(".spv", "module"),
                                   TEXT(".note.intelgt.compat", "notes")};
    fixture *f = *state;

    assert_int_equal(READ(f, without), VISAGE_OK);
    assert_int_equal(f->zebin.num_kernels, 0);
}

static void needs_one_description(void **state)
{
    static const part none[] = {TEXT(".text.k", "code"), TEXT(".visaasm", "text")};
    static const part two[] = {TEXT(".visaasm", "text"), INFO(KERNEL("k")), INFO(KERNEL("k"))};
    static const part empty[] = {{.name = ".ze_info", .data = ""}};
    static const part bad[] = {TEXT(".visaasm", "text"), TEXT(".ze_info", "kernels:\n  - ]")};
    fixture *f = *state;

    assert_refused(f, READ(f, none), "R0013");
    assert_refused(f, READ(f, two), "R0031");
    assert_refused(f, READ(f, empty), "R0021");
    assert_int_equal(READ(f, bad), VISAGE_MALFORMED);
    const visage_diagnostic *found = assert_reported(f, "R0020");
    assert_string_equal(found->file, "made");
    assert_int_equal(found->line, 2);
    assert_int_equal(found->column, 5);
    assert_true(found->has_offset);
    assert_memory_equal(f->bytes + found->offset, "kernels:", 8);
}

/* ---- texts ------------------------------------------------------------------------------ */

#define VOID_PROGRAM "Intel_Symbol_Table_Void_Program"

static void deals_texts_by_code_sections(void **state)
{
    static const part parts[] = {
        TEXT(".text.b", "code"),      TEXT(".text.a", "code"),  TEXT(".visaasm", "of b"),
        TEXT(".visaasm.f", "f of b"), TEXT(".visaasm", "of a"), INFO(KERNEL("a") KERNEL("b")),
    };
    static const part no_code[] = {
        TEXT(".visaasm.early", "before all"),
        TEXT(".visaasm", "of a"),
        TEXT(".visaasm", "of b"),
        INFO(KERNEL("a") KERNEL("b")),
    };
    fixture *f = *state;

    assert_clean_read(f, READ(f, parts));
    assert_kernel(f, "a", "of a");
    assert_kernel(f, "b", "of b");
    assert_int_equal(f->zebin.num_functions, 1);
    assert_string_equal(f->zebin.functions[0].name, "f");
    assert_string_equal(f->zebin.kernels[f->zebin.functions[0].kernel].name, "b");
    clean(f);
    assert_clean_read(f, READ(f, no_code));
    assert_kernel(f, "a", "of a");
    assert_kernel(f, "b", "of b");
    assert_int_equal(f->zebin.functions[0].kernel, SIZE_MAX);
    clean(f);
}

static void pseudo_kernel_may_lack_text(void **state)
{
    static const part without[] = {
        TEXT(".text.a", "code"),
        TEXT(".text." VOID_PROGRAM, "code"),
        TEXT(".visaasm", "of a"),
        TEXT(".visaasm.f", "of f"),
        INFO(KERNEL(VOID_PROGRAM) KERNEL("a")),
    };
    fixture *f = *state;

    assert_clean_read(f, READ(f, without));
    assert_kernel(f, "a", "of a");
    assert_kernel(f, VOID_PROGRAM, NULL);
    assert_true(f->zebin.kernels[0].is_pseudo);
    assert_false(f->zebin.kernels[1].is_pseudo);
}

static void texts_may_be_named_after_kernels(void **state)
{
    static const part named[] = {
        TEXT(".visaasm.b", "of b"),
        TEXT(".visaasm.f", "of f"),
        TEXT(".visaasm.a", "of a"),
        INFO(KERNEL("a") KERNEL("b")),
    };
    static const part doubled[] = {
        TEXT(".visaasm.a", "of a"),
        TEXT(".visaasm.a", "of a"),
        INFO(KERNEL("a")),
    };
    fixture *f = *state;

    assert_clean_read(f, READ(f, named));
    assert_kernel(f, "a", "of a");
    assert_kernel(f, "b", "of b");
    assert_int_equal(f->zebin.num_functions, 1);
    assert_int_equal(f->zebin.functions[0].kernel, 1);
    clean(f);
    assert_refused(f, READ(f, doubled), "R0031");
}

static void texts_must_match_kernels(void **state)
{
    static const part none[] = {TEXT(".text.a", "code"), INFO(KERNEL("a"))};
    static const part function[] = {TEXT(".visaasm.f", "of f"), INFO(KERNEL("a"))};
    static const part few[] = {TEXT(".visaasm", "text"), INFO(KERNEL("a") KERNEL("b"))};
    static const part many[] = {TEXT(".visaasm", "1"), TEXT(".visaasm", "2"),
                                INFO(KERNEL("a"))};
    static const part foreign[] = {TEXT(".text.c", "code"), TEXT(".visaasm", "1"),
                                   INFO(KERNEL("a"))};
    static const part repeated[] = {
        TEXT(".text.a", "code"), TEXT(".text.a", "code"),       TEXT(".visaasm", "1"),
        TEXT(".visaasm", "2"),   INFO(KERNEL("a") KERNEL("b")),
    };
    fixture *f = *state;

    assert_refused(f, READ(f, none), "R0012");
    assert_clean_read(f, read_parts(f, none, COUNT(none), false));
    clean(f);
    assert_refused(f, READ(f, function), "R0012");
    assert_refused(f, READ(f, few), "R0014");
    assert_refused(f, READ(f, many), "R0014");
    assert_refused(f, READ(f, foreign), "R0032");
    assert_refused(f, READ(f, repeated), "R0031");
}

/* ---- devices ---------------------------------------------------------------------------- */

static visage_status read_note(fixture *f, uint32_t type, uint32_t number)
{
    uint8_t note[24] = {8, 0,   0,   0,   4,   0,   0,   0,  (uint8_t)type, 0, 0,
                        0, 'I', 'n', 't', 'e', 'l', 'G', 'T'};
    part parts[COUNT(minimal) + 1];

    for (int i = 0; i < 4; i++)
        note[20 + i] = (uint8_t)(number >> (8 * i));
    memcpy(parts, minimal, sizeof minimal);
    parts[COUNT(minimal)] = (part){
        .name = ".note.intelgt.compat", .type = SHT_NOTE, .data = note, .size = sizeof note};
    return READ(f, parts);
}

static void knows_devices(void **state)
{
    enum { PRODUCT = 1, CORE = 2, CONFIG = 6 };
    static const struct {
        uint32_t type, number;
        visage_platform platform;
    } cases[] = {
        /* what ocloc 22.43 writes for skl kbl cfl bxt glk */
        {PRODUCT, 18, VISAGE_PLATFORM_SKL},
        {PRODUCT, 19, VISAGE_PLATFORM_SKL},
        {PRODUCT, 20, VISAGE_PLATFORM_SKL},
        {PRODUCT, 22, VISAGE_PLATFORM_SKL},
        {PRODUCT, 23, VISAGE_PLATFORM_SKL},
        /* icllp lkf ehl */
        {PRODUCT, 26, VISAGE_PLATFORM_ICLLP},
        {PRODUCT, 27, VISAGE_PLATFORM_ICLLP},
        {PRODUCT, 28, VISAGE_PLATFORM_ICLLP},
        /* tgllp rkl adl-s adl-p adl-n dg1 */
        {PRODUCT, 29, VISAGE_PLATFORM_TGLLP},
        {PRODUCT, 30, VISAGE_PLATFORM_TGLLP},
        {PRODUCT, 31, VISAGE_PLATFORM_TGLLP},
        {PRODUCT, 32, VISAGE_PLATFORM_TGLLP},
        {PRODUCT, 33, VISAGE_PLATFORM_TGLLP},
        {PRODUCT, 1210, VISAGE_PLATFORM_TGLLP},
        /* xe_hp_sdv dg2 pvc */
        {PRODUCT, 1250, VISAGE_PLATFORM_XEHP},
        {PRODUCT, 1270, VISAGE_PLATFORM_DG2},
        {PRODUCT, 1271, VISAGE_PLATFORM_PVC},
        /* igfxfmid.h: IGFX_METEORLAKE, IGFX_ARROWLAKE */
        {PRODUCT, 1272, VISAGE_PLATFORM_DG2},
        {PRODUCT, 1273, VISAGE_PLATFORM_DG2},
        /* the vector backend's skl dg2 pvc; igfxfmid.h for the others */
        {CORE, 12, VISAGE_PLATFORM_SKL},
        {CORE, 0x0c07, VISAGE_PLATFORM_DG2},
        {CORE, 0x0c08, VISAGE_PLATFORM_PVC},
        {CORE, 16, VISAGE_PLATFORM_ICLLP},
        {CORE, 18, VISAGE_PLATFORM_TGLLP},
        {CORE, 0x0c05, VISAGE_PLATFORM_XEHP},
        /* platforms.h: TGL, DG1, DG2_G10_C0, DG2_G12_A0, PVC_XT_C0, PVC_XT_C0_VG, ARL_H_B0 */
        {CONFIG, 0x03000000, VISAGE_PLATFORM_TGLLP},
        {CONFIG, 0x03028000, VISAGE_PLATFORM_TGLLP},
        {CONFIG, 0x030dc008, VISAGE_PLATFORM_DG2},
        {CONFIG, 0x030e4000, VISAGE_PLATFORM_DG2},
        {CONFIG, 0x030f0007, VISAGE_PLATFORM_PVC},
        {CONFIG, 0x030f4007, VISAGE_PLATFORM_PVC},
        {CONFIG, 0x03128004, VISAGE_PLATFORM_DG2},
    };
    fixture *f = *state;

    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_clean_read(f, read_note(f, cases[i].type, cases[i].number));
        assert_int_equal(f->zebin.platform, cases[i].platform);
        clean(f);
    }
}

static void unknown_device_is_told(void **state)
{
    static const uint32_t notes[][2] = {{1, 16},     {1, 1274},       {2, 11},
                                        {2, 0x0c09}, {6, 0x05004000}, {6, 0x030d0000}};
    fixture *f = *state;

    for (size_t i = 0; i < COUNT(notes); i++) {
        assert_int_equal(read_note(f, notes[i][0], notes[i][1]), VISAGE_OK);
        assert_reported(f, "WR0015");
        assert_int_equal(f->zebin.platform, VISAGE_PLATFORM_NONE);
        clean(f);
    }
    /* nothing said, or a note of a kind that says nothing of the device */
    assert_clean_read(f, read_note(f, 1, 0));
    assert_int_equal(f->zebin.platform, VISAGE_PLATFORM_NONE);
    clean(f);
    assert_clean_read(f, read_note(f, 3, 18));
    assert_int_equal(f->zebin.platform, VISAGE_PLATFORM_NONE);
}

static void refuses_broken_notes(void **state)
{
    static const part cut[] = {
        TEXT(".visaasm", "text"),
        INFO(KERNEL("k")),
        {.name = ".note.intelgt.compat",
         .type = SHT_NOTE,
         .size = 20,
         .data = "\10\0\0\0\4\0\0\0\1\0\0\0IntelGT"},
    };
    static const part rest[] = {
        TEXT(".visaasm", "text"),
        INFO(KERNEL("k")),
        {.name = ".note.intelgt.compat",
         .type = SHT_NOTE,
         .size = 28,
         .data = "\10\0\0\0\4\0\0\0\1\0\0\0IntelGT\0\22\0\0\0more"},
    };
    static const part huge[] = {
        TEXT(".visaasm", "text"),
        INFO(KERNEL("k")),
        {.name = ".note.intelgt.compat",
         .type = SHT_NOTE,
         .size = 24,
         .data = "\377\377\377\377\4\0\0\0\1\0\0\0IntelGT\0\22\0\0"},
    };
    static const part kind[] = {TEXT(".visaasm", "text"), INFO(KERNEL("k")),
                                TEXT(".note.intelgt.compat", "notes")};
    /* another owner's note of type 1 is not ours */
    static const part other[] = {
        TEXT(".visaasm", "text"),
        INFO(KERNEL("k")),
        {.name = ".note.intelgt.compat",
         .type = SHT_NOTE,
         .size = 24,
         .data = "\10\0\0\0\4\0\0\0\1\0\0\0IntelCT\0\22\0\0"},
    };
    fixture *f = *state;

    assert_refused(f, READ(f, cut), "R0010");
    assert_refused(f, READ(f, rest), "R0010");
    assert_refused(f, READ(f, huge), "R0010");
    assert_refused(f, READ(f, kind), "R0010");
    assert_clean_read(f, READ(f, other));
    assert_int_equal(f->zebin.product_family, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reads_the_least, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_other_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_broken_sections, set_up, tear_down),
        cmocka_unit_test_setup_teardown(code_alone_needs_a_description, set_up, tear_down),
        cmocka_unit_test_setup_teardown(needs_one_description, set_up, tear_down),
        cmocka_unit_test_setup_teardown(deals_texts_by_code_sections, set_up, tear_down),
        cmocka_unit_test_setup_teardown(pseudo_kernel_may_lack_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(texts_may_be_named_after_kernels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(texts_must_match_kernels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(knows_devices, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_device_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_broken_notes, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
