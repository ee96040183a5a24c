/* SPDX-License-Identifier: MIT
 *
 * Objects: texts that are as large as a limit allows and larger, and modules and files that no
 * text makes. */
#include "rules_built.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- limits ----------------------------------------------------------------------------- */

/* CASE(code, name, head, each, tail, good, bad): a text of head, `each` so many times and tail.
 * Each may print its number, tail how many there are. */
#define K   ".version 4.1\n.kernel \"k\"\n"
#define F   ".version 4.1\n.global_function \"f\"\n"
#define RET "    ret (M1, 1)\n"
/* clang-format off */
#define CASES(CASE)                                                                            \
    CASE("V0102", unit_name, ".version 4.1\n.kernel \"", "a", "\"\n" RET, 1, 0)                \
    CASE("V0103", pool_name, ".version 4.1\n.kernel \"", "a", "\"\n" RET, 1023, 1024)          \
    CASE("V0106", variables, K, ".decl x%u v_type=G type=b num_elts=1\n", RET, 262144, 262145) \
    CASE("V0107", addresses, K, ".decl x%u v_type=A num_elts=1\n", RET, 4096, 4097)            \
    CASE("V0108", predicates, K, ".decl x%u v_type=P num_elts=1\n", RET, 65534, 65535)         \
    CASE("V0109", samplers, K, ".decl x%u v_type=S num_elts=1\n", RET, 31, 32)                 \
    CASE("V0110", surfaces, K, ".decl x%u v_type=T num_elts=1\n", RET, 250, 251)               \
    CASE("V0111", labels, K, "l%u:\n", RET, 65535, 65536)                                      \
    CASE("V0112", inputs, K, ".decl x%u v_type=G type=b num_elts=1\n"                          \
         ".input x%u offset=64+%u size=1\n", RET, 4096, 4097)                                  \
    CASE("V0113", elements, K ".decl x v_type=G type=b num_elts=", "", "%u\n" RET, 16384,      \
         16385)                                                                                \
    CASE("V0114", bytes, K ".decl x v_type=G type=w num_elts=", "", "%u\n" RET, 8192, 8193)    \
    CASE("V0115", address_elements, K ".decl x v_type=A num_elts=", "", "%u\n" RET, 16, 17)    \
    CASE("V0116", predicate_elements, K ".decl x v_type=P num_elts=", "", "%u\n" RET, 32, 64)  \
    CASE("V0117", state_elements, K ".decl x v_type=T num_elts=", "", "%u\n" RET, 1, 0)        \
    CASE("V0118", variable_name, K ".decl ", "a", " v_type=G type=b num_elts=1\n" RET, 64, 65) \
    CASE("V0119", label_name, K, "a", ":\n" RET, 1024, 1025)                                   \
    CASE("V0120", attribute_name, K ".kernel_attr ", "a", "=1\n" RET, 64, 65)                  \
    CASE("V0121", attribute_character, K ".kernel_attr \"a", "", "\\%03o\"=1\n" RET, 126, 127) \
    CASE("V0122", attributes, K ".decl x v_type=G type=b num_elts=1 attrs={b=1", ",a%u=1",     \
         "}\n" RET, 254, 255)                                                                  \
    CASE("V0123", unit_attributes, K, ".kernel_attr a%u=1\n", RET, 65535, 65536)               \
    CASE("V0124", attribute_size, K ".kernel_attr a=\"", "a", "\"\n" RET, 255, 256)            \
    CASE("V0126", asm_path, K ".kernel_attr OutputAsmPath=\"", "a", "\"\n" RET, 255, 0)        \
    CASE("V0127", argument_size, F ".kernel_attr RetValSize=1\n.kernel_attr ArgSize=", "",     \
         "%u\n    fret (M1, 1)\n", 32, 33)                                                     \
    CASE("V0128", return_size, F ".kernel_attr ArgSize=1\n.kernel_attr RetValSize=", "",       \
         "%u\n    fret (M1, 1)\n", 12, 13)                                                     \
    CASE("V0129", file_name, ".version 4.1\n.global_variable \"", "a",                         \
         "\" type=ud num_elts=1\n.kernel \"k\"\n" RET, 255, 256)                               \
    CASE("V0130", file_elements, ".version 4.1\n.global_variable \"v\" type=ud num_elts=", "", \
         "%u\n.kernel \"k\"\n" RET, 1024, 1025)
/* clang-format on */

static char *repeated(const char *head, const char *each, const char *tail, unsigned count)
{
    enum { DIGITS = 40 };
    size_t most = strlen(head) + (strlen(each) + DIGITS) * count + strlen(tail) + DIGITS;
    char *text = malloc(most), *at = text;

    if (!text)
        abort();
    at += sprintf(at, "%s", head);
    for (unsigned i = 0; i < count && *each; i++)
        at += sprintf(at, each, i, i, i);
    (void)sprintf(at, tail, count);
    return text;
}

static void repeat(const char *head, const char *each, const char *tail, unsigned count,
                   visage_diagnostics *diagnostics)
{
    char *text = repeated(head, each, tail, count);

    verify_text(text, false, diagnostics);
    free(text);
}

#define FUNCTIONS(code, name, head, each, tail, good, bad)                                     \
    static void good_##name(visage_diagnostics *diagnostics)                                   \
    {                                                                                          \
        repeat(head, each, tail, good, diagnostics);                                           \
    }                                                                                          \
    static void bad_##name(visage_diagnostics *diagnostics)                                    \
    {                                                                                          \
        repeat(head, each, tail, bad, diagnostics);                                            \
    }
CASES(FUNCTIONS)

static void verify_inputs(unsigned count, visage_diagnostics *diagnostics)
{
    char *text = repeated(K,
                          ".decl x%u v_type=G type=b num_elts=1\n"
                          ".input x%u offset=64+%u size=1\n",
                          "    ret (M1_NM, 1)\n", count);

    verify_strictly(text, diagnostics);
    free(text);
}

static void verify_variables(unsigned count, visage_diagnostics *diagnostics)
{
    char *text =
        repeated(K, ".decl x%u v_type=G type=b num_elts=1\n", "    ret (M1_NM, 1)\n", count);

    verify_strictly(text, diagnostics);
    free(text);
}

static void verify_predicates(unsigned count, visage_diagnostics *diagnostics)
{
    char *text = repeated(K, ".decl x%u v_type=P num_elts=1\n", "    ret (M1_NM, 1)\n", count);

    verify_strictly(text, diagnostics);
    free(text);
}

static void variables_65536(visage_diagnostics *diagnostics)
{
    verify_variables(65536, diagnostics);
}

static void variables_65537(visage_diagnostics *diagnostics)
{
    verify_variables(65537, diagnostics);
}

static void predicates_4095(visage_diagnostics *diagnostics)
{
    verify_predicates(4095, diagnostics);
}

static void predicates_4096(visage_diagnostics *diagnostics)
{
    verify_predicates(4096, diagnostics);
}

static void inputs_256(visage_diagnostics *diagnostics)
{
    verify_inputs(256, diagnostics);
}

static void inputs_257(visage_diagnostics *diagnostics)
{
    verify_inputs(257, diagnostics);
}

static const char plain[] = K ".kernel_attr Other=1\n" RET;

static void gen_binaries(vsg_obj_unit *unit, size_t count)
{
    static vsg_obj_gen_binary binaries[5];

    unit->stored.gen_binaries = binaries;
    unit->stored.num_gen_binaries = count;
}

/* CHANGED(name, text, how, statement): `module` and `unit` are what the statement changes. */
#define CHANGED(name, text, how, statement)                                                    \
    static void change_##name(vsg_obj_module *module, vsg_obj_unit *unit)                      \
    {                                                                                          \
        (void)module;                                                                          \
        (void)unit;                                                                            \
        statement;                                                                             \
    }                                                                                          \
    static void name(visage_diagnostics *diagnostics)                                          \
    {                                                                                          \
        how(text, change_##name, diagnostics);                                                 \
    }

CHANGED(binaries_4, plain, write_changed, gen_binaries(unit, 4))
CHANGED(binaries_5, plain, write_changed, gen_binaries(unit, 5))
CHANGED(integer_4, plain, write_changed, unit->attributes.items[0].size_bytes = 4)
CHANGED(integer_5, plain, write_changed, unit->attributes.items[0].size_bytes = 5)

/* ---- files ------------------------------------------------------------------------------ */

/* A kernel called k: the header has the place of its object from byte 11 on. */
enum { OBJECT_PLACE = 11 };

static uint32_t get32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static void put32(uint8_t *bytes, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

#define PATCHED(name, text, statement)                                                         \
    static void patch_##name(uint8_t *bytes)                                                   \
    {                                                                                          \
        statement;                                                                             \
    }                                                                                          \
    static void name(visage_diagnostics *diagnostics)                                          \
    {                                                                                          \
        read_patched(text, patch_##name, diagnostics);                                         \
    }

PATCHED(unpatched, plain, (void)bytes)
PATCHED(strings_327681, plain, put32(bytes + get32(bytes + OBJECT_PLACE), 327681))

static const char two_kernels[] = K RET ".kernel \"j\"\n" RET;

/* After a name of one letter: offset, size, input_offset, two counts of relocations, count of
 * GEN binaries. */
enum { KERNEL_BYTES = 2 + 1 + 12 + 4 + 1 };

static void same_place(uint8_t *bytes)
{
    memcpy(bytes + OBJECT_PLACE + KERNEL_BYTES, bytes + OBJECT_PLACE, 12);
}

PATCHED(two_objects, two_kernels, (void)bytes)
PATCHED(objects_overlap, two_kernels, same_place(bytes))
PATCHED(version_4_2, plain, bytes[5] = 2)
PATCHED(version_4_3, plain, bytes[5] = 3)
PATCHED(version_5, plain, bytes[4] = 5)
PATCHED(magic_lost, plain, bytes[0] = 'X')
PATCHED(object_far, plain, put32(bytes + OBJECT_PLACE, 0x7fffffff))
PATCHED(inputs_elsewhere, plain,
        put32(bytes + OBJECT_PLACE + 8, get32(bytes + OBJECT_PLACE + 8) + 1))

/* string_count, "", "k", "Other", name_index, variable_count */
enum { STRINGS_BYTES = 4 + 1 + 2 + 6 };
PATCHED(name_nowhere, plain, put32(bytes + get32(bytes + OBJECT_PLACE) + STRINGS_BYTES, 3))
PATCHED(name_last, plain, put32(bytes + get32(bytes + OBJECT_PLACE) + STRINGS_BYTES, 2))
PATCHED(variables_lost, plain,
        put32(bytes + get32(bytes + OBJECT_PLACE) + STRINGS_BYTES + 4, 100))

/* The object ends with the bytes of `ret`: opcode, exec_size, pred; before it the mov's source:
 * tag, index, row and column offset, region. */
static const char moves[] = K ".decl V32 v_type=G type=d num_elts=8 align=GRF\n"
                              "    mov (M1, 1) V32(0,0)<1> V32(0,0)<0;1,0>\n" RET;

static uint8_t *before_end(uint8_t *bytes, unsigned count)
{
    return bytes + get32(bytes + OBJECT_PLACE) + get32(bytes + OBJECT_PLACE + 4) - count;
}

PATCHED(moved, moves, (void)bytes)
PATCHED(exec_size_bit_3, moves, *before_end(bytes, 3) |= 8)
PATCHED(predicate_bit_12, moves, *before_end(bytes, 1) |= 1 << 4)
PATCHED(region_bit_12, moves, *before_end(bytes, 5) |= 1 << 4)
PATCHED(tag_bit_6, moves, *before_end(bytes, 13) |= 1 << 6)

/* ---- modules ---------------------------------------------------------------------------- */

static const char function[] = F ".kernel_attr ArgSize=1\n.kernel_attr RetValSize=1\n"
                                 "    fret (M1, 1)\n";

static void declare(vsg_obj_unit *unit, vsg_obj_linkage linkage)
{
    unit->stored.is_declaration = true;
    unit->num_insts = 0;
    unit->attributes.count = 0;
    unit->linkage = linkage;
}

CHANGED(extern_there, function, verify_changed, unit->linkage = VSG_OBJ_LINKAGE_EXTERN)
CHANGED(extern_elsewhere, function, verify_changed, declare(unit, VSG_OBJ_LINKAGE_EXTERN))
CHANGED(static_elsewhere, function, verify_changed, declare(unit, VSG_OBJ_LINKAGE_STATIC))
CHANGED(global_elsewhere, function, verify_changed, declare(unit, VSG_OBJ_LINKAGE_GLOBAL))

static const char with_variable[] = ".version 4.1\n"
                                    ".global_variable \"v\" type=ud num_elts=1\n"
                                    ".global_function \"f\"\n"
                                    ".kernel_attr ArgSize=1\n.kernel_attr RetValSize=1\n"
                                    "    fret (M1, 1)\n";

static void relocate(vsg_obj_unit *unit, bool is_function, unsigned resolved)
{
    static vsg_obj_reloc reloc;
    vsg_obj_stored *stored = &unit->stored;

    reloc = (vsg_obj_reloc){.symbolic_index = 7, .resolved_index = (uint16_t)resolved};
    *(is_function ? &stored->function_relocs : &stored->variable_relocs) = &reloc;
    *(is_function ? &stored->num_function_relocs : &stored->num_variable_relocs) = 1;
}

CHANGED(variable_0, with_variable, verify_changed, relocate(unit, false, 0))
CHANGED(variable_1, with_variable, verify_changed, relocate(unit, false, 1))
CHANGED(function_0, with_variable, verify_changed, relocate(unit, true, 0))
CHANGED(function_1, with_variable, verify_changed, relocate(unit, true, 1))
CHANGED(alignment_10, with_variable, verify_changed, module->file_variables[0].align = 10)

static void gen_binary(vsg_obj_unit *unit, unsigned platform, uint32_t size)
{
    static vsg_obj_gen_binary binary;

    binary = (vsg_obj_gen_binary){.platform = (uint8_t)platform, .size_bytes = size};
    unit->stored.gen_binaries = &binary;
    unit->stored.num_gen_binaries = 1;
}

CHANGED(for_chv, plain, verify_changed, gen_binary(unit, 4, 16))
CHANGED(for_pvc, plain, verify_changed, gen_binary(unit, 15, 16))
CHANGED(for_none, plain, verify_changed, gen_binary(unit, 0, 0))
CHANGED(none_with_code, plain, verify_changed, gen_binary(unit, 0, 16))
CHANGED(for_7, plain, verify_changed, gen_binary(unit, 7, 16))

static const char aliases[] = K ".decl V32 v_type=G type=d num_elts=8\n"
                                ".decl V33 v_type=G type=d num_elts=1 alias=<V32,4>\n"
                                ".decl V34 v_type=G type=d num_elts=1\n"
                                ".input V34 offset=64 size=4\n" RET;

#define ALIAS(name, field, value)                                                              \
    CHANGED(name, aliases, verify_changed, unit->variables[1].field = (value))

ALIAS(align_10, align, 10)
ALIAS(alias_of_v21, alias, 21)
ALIAS(alias_of_v31, alias, 31)
ALIAS(alias_of_itself, alias, 33)
ALIAS(alias_of_later, alias, 34)
ALIAS(alias_of_none, alias, 1000)
ALIAS(alias_of_file, alias_is_global, true)
ALIAS(alias_of_null, alias, VSG_ISA_VAR_NULL)
ALIAS(alias_of_cr0, alias, VSG_ISA_VAR_CR0)
ALIAS(alias_too_long, num_elements, 8)
ALIAS(alias_behind, alias_offset_bytes, 32)
ALIAS(offset_alone, alias, VSG_OBJ_NO_ALIAS)

static const char file_alias[] = ".version 4.1\n.global_variable \"v\" type=ud num_elts=3\n"
                                 ".kernel \"k\"\n"
                                 ".decl V32 v_type=G type=d num_elts=1 alias=<\"v\",8>\n" RET;
CHANGED(file_alias_behind, file_alias, verify_changed,
        unit->variables[0].alias_offset_bytes = 12)

static void alias_by_reloc(vsg_obj_unit *unit, unsigned symbol)
{
    relocate(unit, false, 0);
    unit->variables[0].alias = symbol;
}

CHANGED(file_alias_by_reloc, file_alias, verify_changed, alias_by_reloc(unit, 7))
CHANGED(file_alias_of_8, file_alias, verify_changed, alias_by_reloc(unit, 8))

#define INPUT(name, field, value)                                                              \
    CHANGED(name, aliases, verify_changed, unit->inputs[0].field = (value))

INPUT(input_of_none, id, 35)
INPUT(input_of_predefined, id, VSG_ISA_VAR_R0)
INPUT(input_of_no_surface, kind, VSG_OBJ_INPUT_SURFACE)
INPUT(input_of_no_kind, kind, (vsg_obj_input_kind)3)

/* Single fields. input_offset is the place of num_inputs, before which are the tables. */
static const char a_variable[] = K ".decl V32 v_type=G type=d num_elts=1\n"
                                   ".input V32 offset=64 size=4\n" RET;
static const char a_label[] = K "here:\n" RET;

static uint8_t *inputs_of(uint8_t *bytes)
{
    return bytes + get32(bytes + OBJECT_PLACE + 8);
}

enum {
    LINKAGE = 4 + 2 + 2 + 2 + 2,      /* in the header, without kernels and variables */
    LABEL_KIND = -3 - 2,              /* before three counts: kind, attribute_count */
    ALIAS_SCOPE = -3 - 2 - 2 - 2 - 2, /* and before three more; scope, attribute_count */
    INPUT_KIND = 4
};

PATCHED(linkage_1, function, bytes[LINKAGE] = 1)
PATCHED(linkage_3, function, bytes[LINKAGE] = 3)
PATCHED(scope_0, a_variable, inputs_of(bytes)[ALIAS_SCOPE] = 0)
PATCHED(scope_2, a_variable, inputs_of(bytes)[ALIAS_SCOPE] = 2)
PATCHED(label_kind_0, a_label, inputs_of(bytes)[LABEL_KIND] = 0)
PATCHED(label_kind_3, a_label, inputs_of(bytes)[LABEL_KIND] = 3)
PATCHED(input_kind_0, a_variable, inputs_of(bytes)[INPUT_KIND] = 0)
PATCHED(input_kind_3, a_variable, inputs_of(bytes)[INPUT_KIND] = 3)
PATCHED(input_kind_4, a_variable, inputs_of(bytes)[INPUT_KIND] = 4)

#define ROWS(code, name, head, each, tail, good, bad)                                          \
    {code, false, good_##name}, {code, true, bad_##name},

const built_rule built_object_rules[] = {
    /* clang-format off */
    CASES(ROWS)
    /* clang-format on */
    {"V0104", false, binaries_4},
    {"V0104", true, binaries_5},
    {"V0187", false, inputs_256},
    {"V0187", true, inputs_257},
    {"V0188", false, predicates_4095},
    {"V0188", true, predicates_4096},
    {"V0189", false, variables_65536},
    {"V0189", true, variables_65537},
    {"V0245", false, moved},
    {"V0245", true, region_bit_12},
    {"V0246", false, moved},
    {"V0246", true, tag_bit_6},
    {"V0313", false, moved},
    {"V0313", true, exec_size_bit_3},
    {"V0314", false, moved},
    {"V0314", true, predicate_bit_12},
    {"V0105", false, unpatched},
    {"V0105", true, strings_327681},
    {"V0125", false, integer_4},
    {"V0125", true, integer_5},
    {"V0133", false, version_4_2},
    {"V0133", true, version_4_3},
    {"V0133", true, version_5},
    {"V0134", false, unpatched},
    {"V0134", true, magic_lost},
    {"V0135", false, unpatched},
    {"V0135", true, object_far},
    {"V0136", false, two_objects},
    {"V0136", true, objects_overlap},
    {"V0137", false, unpatched},
    {"V0137", true, inputs_elsewhere},
    {"V0138", false, name_last},
    {"V0138", true, name_nowhere},
    {"V0139", false, unpatched},
    {"V0139", true, variables_lost},
    {"V0141", true, extern_there},
    {"V0142", false, extern_elsewhere},
    {"V0142", true, static_elsewhere},
    {"V0142", true, global_elsewhere},
    {"V0144", false, variable_0},
    {"V0144", true, variable_1},
    {"V0145", false, function_0},
    {"V0145", true, function_1},
    {"V0146", false, for_chv},
    {"V0146", false, for_pvc},
    {"V0146", false, for_none},
    {"V0146", true, none_with_code},
    {"V0146", true, for_7},
    {"V0148", true, alignment_10},
    {"V0150", true, align_10},
    {"V0151", true, alias_of_v21},
    {"V0151", true, alias_of_v31},
    {"V0152", true, alias_of_itself},
    {"V0152", true, alias_of_later},
    {"V0152", true, alias_of_none},
    {"V0152", true, alias_of_file},
    {"V0152", false, file_alias_by_reloc},
    {"V0152", true, file_alias_of_8},
    {"V0153", true, alias_of_null},
    {"V0153", true, alias_of_cr0},
    {"V0154", true, alias_too_long},
    {"V0154", true, alias_behind},
    {"V0154", true, file_alias_behind},
    {"V0156", true, offset_alone},
    {"V0159", true, input_of_none},
    {"V0159", true, input_of_predefined},
    {"V0159", true, input_of_no_surface},
    {"V0159", true, input_of_no_kind},
    {"V0180", false, linkage_1},
    {"V0180", true, linkage_3},
    {"V0181", false, scope_0},
    {"V0181", true, scope_2},
    {"V0182", false, label_kind_0},
    {"V0182", true, label_kind_3},
    {"V0183", false, input_kind_0},
    {"V0183", true, input_kind_3},
    {"V0183", true, input_kind_4},
};

const size_t num_built_object_rules = sizeof built_object_rules / sizeof built_object_rules[0];
