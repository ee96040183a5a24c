/* SPDX-License-Identifier: MIT
 *
 * The structures of a binary, one by one, in files made by hand: what real ones do not have,
 * what older versions have in another form, and what is wrong with it. Bytes are worked out
 * from 4_visa_header and spec dialect 1.1. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "binary_support.h"
#include "byte_language.h"
#include "object/resolve.h"

/* Parts of a file with one kernel "k"; a case replaces the parts that it is about. */
typedef struct parts {
    const char *version;   /* default 04 01 */
    const char *kernels;   /* from num_kernels to num_gen_binaries and its entries */
    const char *globals;   /* num_variables to the last function_info */
    const char *strings;   /* string_count, pool */
    const char *variables; /* name_index, then variable_count and its entries */
    const char *states;    /* addresses, predicates */
    const char *labels;    /* labels, samplers, surfaces, vme */
    const char *inputs;
    const char *sizes; /* size, entry */
    const char *attributes;
    const char *code;
    const char *rest; /* behind the object */
} parts;

static const char *or_default(const char *part, const char *otherwise)
{
    return part ? part : otherwise;
}

static byte_text assemble(const parts *p)
{
    enum { SIZE = 1 << 20 };
    char *text = malloc(SIZE);
    assert_non_null(text);
    (void)snprintf(text, SIZE, "s:CISA %s %s %s @o %s %s %s %s @i %s %s %s @c %s @e %s",
                   or_default(p->version, "04 01"),
                   or_default(p->kernels, "w:1 w:1 s:k $o #oe $i w:0 w:0 00"),
                   or_default(p->globals, "w:0 w:0"), or_default(p->strings, "d:3 z:k z:a z:b"),
                   or_default(p->variables, "d:0 d:0"), or_default(p->states, "w:0 w:0"),
                   or_default(p->labels, "w:0 00 00 00"), or_default(p->inputs, "d:0"),
                   or_default(p->sizes, "#ce #oc"), or_default(p->attributes, "w:0"),
                   or_default(p->code, "34 00 0000"), or_default(p->rest, ""));
    byte_text bytes = make_bytes(text);
    free(text);
    return bytes;
}

static visage_status read_parts(fixture *f, const parts *p, byte_text *bytes)
{
    clean(f);
    *bytes = assemble(p);
    f->module = vsg_obj_create(&f->alloc);
    f->diagnostics = vsg_base_diagnostics_new(&f->alloc);
    assert_true(f->module && f->diagnostics);
    vsg_obj_binary input = {.name = "k.isa", .data = bytes->bytes, .size_bytes = bytes->size};
    return vsg_obj_read_binary(f->module, &input, f->diagnostics);
}

/* Reads what is good and is written again as it was. Returns the first unit. */
static const vsg_obj_unit *read_exact(fixture *f, const parts *p)
{
    byte_text bytes;
    vsg_obj_bytes out;
    visage_status status = read_parts(f, p, &bytes);
    const visage_diagnostic *found = visage_diagnostics_get(f->diagnostics, 0);

    if (status != VISAGE_OK)
        fail_msg("status %d: %s [%s]", (int)status, found ? found->message : "",
                 found ? found->code : "");
    assert_int_equal(vsg_obj_write_binary(f->module, VSG_OBJ_LAYOUT_NONE, f->diagnostics, &out),
                     VISAGE_OK);
    assert_int_equal(out.size, bytes.size);
    assert_memory_equal(out.data, bytes.bytes, out.size);
    vsg_obj_bytes_free(&f->alloc, &out);
    free(bytes.bytes);
    return f->module->units[0];
}

/* ---- structures ------------------------------------------------------------------------- */

static void smallest(void **state)
{
    fixture *f = *state;
    const vsg_obj_unit *unit = read_exact(f, &(parts){0});

    assert_int_equal(f->module->layout, VSG_OBJ_LAYOUT_IGC);
    assert_string_equal(unit->name, "k");
    assert_int_equal(unit->num_insts, 1);
    assert_int_equal(unit->insts[0].op, VISAGE_OP_RET);
    assert_int_equal(visage_diagnostics_count(f->diagnostics), 0);
}

/* n0 is the null string: the documents' layout. */
static void told_by_string(void **state)
{
    fixture *f = *state;

    (void)read_exact(f, &(parts){.strings = "d:2 00 z:k", .variables = "d:1 d:0"});
    assert_int_equal(f->module->layout, VSG_OBJ_LAYOUT_DOC);
}

static void relocations(void **state)
{
    fixture *f = *state;
    const vsg_obj_stored *stored =
        &read_exact(f, &(parts){.kernels = "w:1 w:1 s:k $o #oe $i w:2 w:0 w:7 w:1 w:8 "
                                           "w:1 w:3 w:0 00"})
             ->stored;

    assert_int_equal(stored->num_variable_relocs, 2);
    assert_int_equal(stored->variable_relocs[1].symbolic_index, 1);
    assert_int_equal(stored->variable_relocs[1].resolved_index, 8);
    assert_int_equal(stored->num_function_relocs, 1);
    assert_int_equal(stored->function_relocs[0].symbolic_index, 3);
}

static void gen_binaries(void **state)
{
    fixture *f = *state;
    const vsg_obj_stored *stored =
        &read_exact(f,
                    &(parts){.kernels = "w:1 w:1 s:k $o #oe $i w:0 w:0 02 05 $x #xy 0c $y #yz",
                             .rest = "@x de ad @y be ef 00 @z"})
             ->stored;

    assert_int_equal(stored->num_gen_binaries, 2);
    assert_memory_equal(stored->gen_binaries[0].data, "\xde\xad", 2);
    assert_int_equal(stored->gen_binaries[1].platform, 12);
    assert_int_equal(stored->gen_binaries[1].size_bytes, 3);
    assert_int_equal(f->module->platform, VISAGE_PLATFORM_SKL);
    /* The caller's word goes before the file's. */
    clean(f);
}

static void file_variables(void **state)
{
    fixture *f = *state;

    (void)read_exact(f, &(parts){.globals = "w:2 02 w:2 s:gv 51 w:4 01 d:9 02 abcd "
                                            "00 w:1 s:x 07 w:1 00 w:0"});
    assert_int_equal(f->module->num_file_variables, 2);
    const vsg_obj_file_variable *v = &f->module->file_variables[0];
    assert_int_equal(v->linkage, VSG_OBJ_LINKAGE_GLOBAL);
    assert_string_equal(v->name, "gv");
    assert_int_equal(v->type, VISAGE_TYPE_D);
    assert_int_equal(v->align, 5);
    assert_int_equal(v->num_elements, 4);
    assert_int_equal(v->attribute_bytes, 7);
}

/* The documents' order: functions first, with their sizes; an extern one has no object. */
static void doc_functions(void **state)
{
    fixture *f = *state;
    const char *function = "@f d:2 00 z:g d:1 d:0 w:0 w:0 w:0 00 00 00 #dF #fd 03 01 w:0 @d "
                           "68 00 0000 @F";
    char globals[1024];

    (void)snprintf(globals, sizeof globals,
                   "w:0 w:2 00 w:1 s:e d:0 d:0 w:0 w:0 02 w:1 s:g $f #fF w:0 w:1 w:0 w:1 %s",
                   function);
    (void)read_exact(
        f, &(parts){.globals = globals, .strings = "d:2 00 z:k", .variables = "d:1 d:0"});
    assert_int_equal(f->module->num_units, 3);
    const vsg_obj_unit *e = f->module->units[1], *g = f->module->units[2];
    assert_true(e->stored.is_declaration);
    assert_int_equal(e->linkage, VSG_OBJ_LINKAGE_EXTERN);
    assert_false(g->stored.is_declaration);
    assert_int_equal(g->linkage, VSG_OBJ_LINKAGE_GLOBAL);
    assert_int_equal(g->stored.input_grfs, 3);
    assert_int_equal(g->stored.return_grfs, 1);
    assert_int_equal(g->insts[0].op, VISAGE_OP_FRET);
    assert_int_equal(visage_diagnostics_count(f->diagnostics), 0);
}

static void attributes(void **state)
{
    fixture *f = *state;
    const vsg_obj_unit *unit = read_exact(
        f, &(parts){.strings = "d:6 z:k z:Target z:OutputAsmPath z:Other z:Flag z:v",
                    .variables = "d:0 d:1 d:5 01 w:1 d:0 w:0 00 02 d:4 00 d:3 03 "
                                 "563412",
                    .attributes = "w:5 d:1 01 00 d:2 03 s:a.b d:3 04 ffffffff d:4 00 "
                                  "d:3 06 s:string"});

    assert_int_equal(unit->attributes.count, 5);
    assert_string_equal(unit->attributes.items[0].string, "cm");
    assert_string_equal(unit->attributes.items[1].string, "a.b");
    assert_null(unit->attributes.items[2].string);
    assert_int_equal(unit->attributes.items[2].value, 0xffffffff);
    assert_int_equal(vsg_obj_attribute_value(&unit->attributes, "Flag", 0), 1);
    assert_string_equal(unit->attributes.items[4].string, "string");
    assert_int_equal(vsg_obj_attribute_value(&unit->variables[0].attributes, "Other", 0),
                     0x123456);
}

static void other_tables(void **state)
{
    fixture *f = *state;
    const vsg_obj_unit *unit = read_exact(
        f,
        &(parts){.variables = "d:0 d:2 d:1 00 w:8 d:0 w:0 00 00 d:2 02 w:4 d:32 w:16 00 00",
                 .states = "w:1 d:1 w:16 00 w:1 d:2 w:32 00",
                 .labels = "w:1 d:1 01 00 02 d:1 w:1 00 d:2 w:2 00 01 d:1 w:3 00 01 d:2 w:1 00",
                 .inputs = "d:3 00 d:32 w:64 w:32 01 d:1 w:0x60 w:8 0a d:6 w:0x80 w:4",
                 .code = "30 0000 34 00 0000"});

    assert_int_equal(unit->variables[1].alias, 32);
    assert_int_equal(unit->variables[1].alias_offset_bytes, 16);
    assert_int_equal(unit->num_samplers, 2);
    assert_string_equal(unit->samplers[1].name, "S1");
    assert_string_equal(unit->samplers[1].v_name, "b");
    assert_int_equal(unit->surfaces[0].num_elements, 3);
    assert_int_equal(unit->stored.num_vmes, 1);
    assert_string_equal(unit->stored.vmes[0].name, "b");
    assert_int_equal(unit->inputs[1].kind, VSG_OBJ_INPUT_SAMPLER);
    assert_int_equal(unit->inputs[2].kind, VSG_OBJ_INPUT_SURFACE);
    assert_int_equal(unit->inputs[2].provenance, 1);
    assert_int_equal(unit->labels[0].kind, VSG_OBJ_LABEL_SUBROUTINE);
    assert_int_equal(unit->labels[0].inst, 0);
}

/* Two strings that are equal stay two, and names keep theirs. */
static void equal_strings(void **state)
{
    const vsg_obj_unit *unit = read_exact(
        *state, &(parts){.strings = "d:4 z:k z:v z:v 00",
                         .variables = "d:0 d:3 d:2 00 w:1 d:0 w:0 00 00 "
                                      "d:1 00 w:1 d:0 w:0 00 00 d:3 00 w:1 d:0 w:0 00 "
                                      "00"});

    assert_string_equal(unit->variables[0].name, "v");
    assert_ptr_equal(unit->variables[0].name, unit->stored.strings[2]);
    assert_string_equal(unit->variables[2].name, "");
}

/* 4_visa_header, variable_reloc_symtab: the first entry of an index counts, others stand for
 * themselves. An extern variable is the first global one of its name. */
static void relocated_alias(void **state)
{
    fixture *f = *state;
    uint32_t definitions[6];
    vsg_obj_resolver resolver;
    const vsg_obj_unit *unit = read_exact(
        f,
        &(parts){.kernels = "w:1 w:1 s:k $o #oe $i w:3 w:9 w:1 w:4 w:2 w:9 w:0 w:0 00",
                 .globals = "w:6 00 w:1 s:a 00 w:4 00 01 w:1 s:b 00 w:4 00 02 w:1 s:c 00 w:4 "
                            "00 02 w:1 s:a 00 w:4 00 02 w:1 s:a 00 w:4 00 00 w:1 s:b 00 w:4 "
                            "00 w:0",
                 .variables = "d:0 d:1 d:1 00 w:4 d:9 w:0 01 00"});

    assert_true(vsg_obj_resolver_init(&resolver, &f->alloc, unit));
    assert_int_equal(vsg_obj_resolve(&resolver, 9), 1);
    assert_int_equal(vsg_obj_resolve(&resolver, 4), 2);
    assert_int_equal(vsg_obj_resolve(&resolver, 5), 5);
    vsg_obj_resolver_free(&resolver, &f->alloc);
    assert_true(vsg_obj_define_variables(f->module, definitions));
    assert_int_equal(definitions[0], 3); /* extern a */
    assert_int_equal(definitions[1], 1); /* static b */
    assert_int_equal(definitions[3], 3);
    assert_int_equal(definitions[4], 4);
    assert_int_equal(definitions[5], VSG_OBJ_NO_ALIAS); /* extern b: no global one */
}

static void global_alias(void **state)
{
    fixture *f = *state;
    uint32_t root;
    uint64_t offset;
    byte_text bytes;
    vsg_obj_variable_facts facts;
    parts p = {.globals = "w:1 02 w:1 s:g 00 w:64 00 w:0",
               .variables = "d:0 d:1 d:1 00 w:8 d:0 w:16 01 00"};
    const vsg_obj_unit *unit = read_exact(f, &p);

    assert_true(unit->variables[0].alias_is_global);
    assert_int_equal(unit->variables[0].alias, 0);
    /* It is a root, whose place is in the file's variable. */
    assert_true(vsg_obj_variable_root(unit, 32, &root, &offset));
    assert_int_equal(root, 32);
    assert_true(vsg_obj_variable_get(unit, 32, &facts));
    assert_true(facts.in_file);
    assert_int_equal(facts.alias_offset_bytes, 16);
    assert_int_equal(facts.file_variable, 0);

    p.variables = "d:0 d:1 d:1 00 w:8 d:1 w:16 01 00"; /* there is no second one */
    assert_int_equal(read_parts(f, &p, &bytes), VISAGE_INVALID);
    assert_string_equal(visage_diagnostics_get(f->diagnostics, 0)->code, "R0057");
    free(bytes.bytes);
}

/* A kernel's name in the header and in the pool need not be the same. */
static void other_name(void **state)
{
    const vsg_obj_unit *unit = read_exact(*state, &(parts){.variables = "d:2 d:0"});

    assert_string_equal(unit->name, "k");
    assert_string_equal(unit->stored.pool_name, "b");
}

/* ---- older versions (spec dialect 1.1, Older versions) ---------------------------------- */

static const vsg_obj_unit *read_old(fixture *f, const parts *p)
{
    byte_text bytes;
    visage_status status = read_parts(f, p, &bytes);
    const visage_diagnostic *found = visage_diagnostics_get(f->diagnostics, 0);

    free(bytes.bytes);
    if (status != VISAGE_OK)
        fail_msg("status %d: %s [%s]", (int)status, found ? found->message : "",
                 found ? found->code : "");
    return f->module->units[0];
}

/* Narrow ids everywhere, num_inputs a byte, aoffimmi a word, no sfid, a byte of sub-opcode. */
static void version_3_3(void **state)
{
    fixture *f = *state;
    vsg_obj_bytes out;
    const vsg_obj_unit *unit = read_old(
        f, &(parts){.version = "03 03",
                    .variables = "w:0 d:1 w:1 07 w:64 w:0 w:0 00 00",
                    .states = "w:0 w:1 w:2 w:32 00",
                    .labels = "w:1 w:1 00 00 01 w:1 w:1 00 01 w:2 w:1 00 00",
                    .inputs = "01 00 w:32 w:64 w:256",
                    .attributes = "w:1 w:2 01 08",
                    .code = "31 0000 "
                            "29 03 0100 00 2000 00 00 0002 00 2000 01 02 5502 "
                            "51 w:2 "
                            "6d 18 03 0000 0f 3412 00 06 2000 4000 01 2000 0000 "
                            "7a 00 03 0000 02 01 04 05 00 01000000 05 00 02000000 2000 0000 "
                            "2000 0000 2000 0000 "
                            "34 00 0000"});

    assert_int_equal(unit->variables[0].num_elements, 64);
    assert_int_equal(unit->num_inputs, 1);
    assert_int_equal(unit->inputs[0].size_bytes, 256);
    assert_int_equal(vsg_obj_attribute_value(&unit->attributes, "b", 0), 8);
    assert_int_equal(unit->num_insts, 6);
    assert_int_equal(unit->insts[1].operands[1].row, 1);
    assert_string_equal(unit->insts[2].operands[0].name, "b");
    assert_int_equal(unit->insts[3].op, VISAGE_OP_SAMPLE_LZ);
    assert_int_equal(unit->insts[3].operands[1].class_, VSG_OBJ_CLASS_IMMEDIATE);
    assert_int_equal(unit->insts[3].operands[1].value, 0x1234);
    assert_int_equal(unit->insts[3].operands[4].offset_bytes, 64);
    assert_int_equal(unit->insts[4].operands[3].value, 0); /* sfid */
    /* Written again it has the present form, and that says the same. */
    assert_int_equal(vsg_obj_write_binary(f->module, VSG_OBJ_LAYOUT_NONE, f->diagnostics, &out),
                     VISAGE_OK);
    assert_memory_equal(out.data, "CISA\4\1", 6);
    vsg_obj_module *again = vsg_obj_create(&f->alloc);
    vsg_obj_binary input = {.name = "k.isa", .data = out.data, .size_bytes = out.size};
    assert_non_null(again);
    assert_int_equal(vsg_obj_read_binary(again, &input, f->diagnostics), VISAGE_OK);
    comparison c = {.a = unit, .b = again->units[0], .text_too = true};
    if (!same_units(&c))
        fail_msg("%s", c.text);
    vsg_obj_destroy(&again);
    vsg_obj_bytes_free(&f->alloc, &out);
}

/* 3.4 has wide ids, 3.5 a wide num_inputs, 3.6 the sfid, 4.0 a wide sub-opcode. */
static void versions_between(void **state)
{
    fixture *f = *state;
    static const char raws[] = "05 00 01000000 05 00 02000000 d:0 0000 d:0 0000 d:0 0000";
    char code[256];

    (void)snprintf(code, sizeof code, "7a 00 03 0000 02 01 04 %s", raws);
    assert_int_equal(
        read_old(f, &(parts){.version = "03 04", .inputs = "00", .code = code})->num_insts, 1);
    assert_int_equal(read_old(f, &(parts){.version = "03 05", .code = code})->num_insts, 1);
    (void)snprintf(code, sizeof code, "7a 00 03 0000 02 01 04 0c %s", raws);
    const vsg_obj_unit *unit = read_old(f, &(parts){.version = "03 06", .code = code});
    assert_int_equal(unit->insts[0].operands[3].value, 12);
    static const char tail[] = "00 0000 0f 05 02 00000000 00 06 d:0 0000 01 d:0 0000";
    (void)snprintf(code, sizeof code, "6d 02 %s", tail);
    unit = read_old(f, &(parts){.version = "03 07",
                                .labels = "w:0 01 d:1 w:1 00 01 d:2 w:1 00 00",
                                .code = code});
    assert_int_equal(unit->insts[0].op, VISAGE_OP_SAMPLE_L);
    (void)snprintf(code, sizeof code, "6d 0200 %s", tail);
    unit = read_old(f, &(parts){.version = "04 00",
                                .labels = "w:0 01 d:1 w:1 00 01 d:2 w:1 00 00",
                                .code = code});
    assert_int_equal(unit->insts[0].op, VISAGE_OP_SAMPLE_L);
}

/* ---- what is wrong ---------------------------------------------------------------------- */

typedef struct bad {
    const char *code; /* of the one diagnostic */
    parts parts;
} bad;

static const bad bads[] = {
    {"R0040", {.kernels = "w:1 w:60000 s:k"}},
    {"R0040", {.code = "34 00"}},
    {"R0040", {.code = "29 00 0000 00 d:0"}},
    {"R0040",
     {.strings = "d:2 z:k s:a",
      .variables = "",
      .states = "",
      .labels = "",
      .inputs = "",
      .sizes = "",
      .attributes = "",
      .code = "aa"}},
    {"R0041", {.version = "03 00"}},
    {"R0041", {.version = "05 00"}},
    {"R0041", {.version = "04 03"}},
    {"R0041", {.version = "02 09"}},
    {"R0042", {.kernels = "w:200"}},
    {"R0042", {.strings = "d:99999 z:k"}},
    {"R0042", {.variables = "d:0 d:60000"}},
    {"R0042", {.states = "w:60000 w:0"}},
    {"R0042", {.inputs = "d:0x7fffffff"}},
    {"R0042", {.attributes = "w:60000"}},
    {"R0042", {.globals = "w:60000 w:0"}},
    {"R0042", {.globals = "w:0 w:60000"}},
    {"R0042", {.kernels = "w:1 w:1 s:k $o #oe $i w:60000"}},
    {"R0043", {.kernels = "w:1 w:1 s:k $o d:0x7fffffff $i w:0 w:0 00"}},
    {"R0043", {.kernels = "w:1 w:1 s:k d:4 #oe $i w:0 w:0 00"}},
    {"R0043", {.kernels = "w:1 w:1 s:k $o #oe d:7 w:0 w:0 00"}},
    {"R0043", {.kernels = "w:1 w:1 s:k $o #oe $i w:0 w:0 01 05 d:0xfffffff0 d:0x20"}},
    {"R0043", {.sizes = "#ce d:5"}},
    {"R0043", {.sizes = "d:0x7fffffff #oc"}},
    {"R0044", {.kernels = "w:2 w:1 s:k $o #oe $i w:0 w:0 00 w:1 s:l $o #oe $i w:0 w:0 00"}},
    {"R0044", {.kernels = "w:1 w:1 s:k $o #oe $i w:0 w:0 01 05 $c d:2"}},
    {"R0046", {.variables = "d:3 d:0"}},
    {"R0046", {.variables = "d:0 d:1 d:0xffffffff 00 w:1 d:0 w:0 00 00"}},
    {"R0046", {.attributes = "w:1 d:9 00"}},
    {"R0046", {.code = "51 d:3"}},
    {"R0046", {.code = "67 00 0000 0300 00 00"}},
    {"R0047", {.code = "34 00 0500"}},
    {"R0047", {.code = "34 00 0002"}},
    {"R0047", {.code = "29 00 0000 00 d:32 00 00 0002 05 00 00000000"}},
    {"R0047", {.code = "29 00 0000 00 d:21 00 00 0002 05 00 00000000"}},
    {"R0047", {.code = "29 00 0100 00 d:0 00 00 0002 05 00 00000000"}},
    {"R0047", {.code = "28 00 01 0000 00 00 01 0000 00 00 05 00 00000000"}},
    {"R0047", {.code = "2b 00 02 0100 05 00 00000000"}},
    {"R0047", {.code = "31 0000"}},
    {"R0047", {.code = "7b 00 d:99"}},
    {"R0047", {.code = "5d 00 00 0000 d:0 01 01 05 00 00000000 d:99 0000 d:0 0000"}},
    {"R0047", {.code = "42 0f 06 d:0 0000 d:0 0000 d:0 0000 d:0 0000"}},
    {"R0047", {.inputs = "d:1 00 d:32 w:0 w:4"}},
    {"R0047", {.inputs = "d:1 01 d:0 w:0 w:4"}},
    {"R0047", {.inputs = "d:1 02 d:6 w:0 w:4"}},
    {"R0048", {.code = "00"}},
    {"R0048", {.code = "34 00 0000 ff"}},
    {"R0048",
     {.version = "03 01",
      .variables = "w:0 d:0",
      .inputs = "00",
      .code = "4b 00 0000 01 00 w:0 0000 w:0 0000 w:0 0000 w:0 0000 w:0 0000"}},
    {"R0049", {.code = "4e 09"}},
    {"R0049", {.code = "89 ff"}},
    {"R0050", {.code = "29 06 0000 00 d:0 00 00 0002 05 00 00000000"}},
    {"R0050", {.code = "29 00 0080 00 d:0 00 00 0002 05 00 00000000"}},
    {"R0050", {.code = "29 00 0010 00 d:0 00 00 0002 05 00 00000000"}},
    {"R0050", {.code = "29 00 0000 00 d:0 00 00 0000 05 00 00000000"}},
    {"R0050", {.code = "29 00 0000 00 d:0 00 00 0002 00 d:0 00 00 2001"}},
    {"R0050", {.code = "29 00 0000 00 d:0 00 00 0002 05 0a 00000000"}},
    {"R0050", {.code = "29 00 0000 08 d:0 00 00 0002 05 00 00000000"}},
    {"R0050", {.kernels = "w:1 w:1 00 $o #oe $i w:0 w:0 00"}},
    {"R0050", {.variables = "d:0 d:1 d:1 08 w:1 d:0 w:0 00 00"}},
    {"R0050", {.variables = "d:0 d:1 d:1 a0 w:1 d:0 w:0 00 00"}},
    {"R0050", {.variables = "d:0 d:1 d:1 00 w:1 d:0 w:0 02 00"}},
    {"R0050", {.labels = "w:1 d:1 03 00 00 00 00"}},
    {"R0050", {.inputs = "d:1 03 d:0 w:0 w:4"}},
    {"R0050", {.globals = "w:1 03 w:1 s:x 00 w:1 00 w:0"}},
    {"R0051", {.code = "29 00 0000 05 00 00000000 05 00 00000000"}},
    {"R0051", {.code = "29 00 0000 04 d:0 00 00 0002 05 00 00000000"}},
    {"R0055", {.variables = "d:0 d:1 d:1 00 w:1 d:32 w:0 00 00"}},
    {"R0056", {.labels = "w:1 d:1 00 00 00 00 00", .code = "31 0000 31 0000"}},
    {"R0056", {.labels = "w:1 d:1 00 00 00 00 00", .code = "6c 00 0000 0000"}},
    {"R0058", {.kernels = "w:513"}},
    {"R0059", {.kernels = "w:1 w:0 $o #oe $i w:0 w:0 00 *40 00"}},
    {"R0060", {.kernels = "w:1 w:1 s:k $o #oe $i w:0 w:0 05"}},
    {"R0061", {.strings = "d:0"}},
    {"R0061", {.strings = "d:327681 z:k"}},
    {"R0059", {.strings = "d:1 *1024 61 00"}},
    {"R0062", {.variables = "d:0 d:262145 *262145 000000000001000000000000000000"}},
    {"R0063", {.states = "w:4097 *4097 01000000010000 w:0"}},
    {"R0064", {.states = "w:0 w:65535 *65535 01000000010000"}},
    {"R0065", {.labels = "w:0 20 *32 01000000010000 00 00"}},
    {"R0066", {.labels = "w:0 00 fb *251 01000000010000 00"}},
    {"R0068", {.inputs = "d:4097 *4097 000000000000000000"}},
    {"R0069", {.variables = "d:0 d:1 d:1 00 w:0 d:0 w:0 00 00"}},
    {"R0069", {.variables = "d:0 d:1 d:1 04 w:16385 d:0 w:0 00 00"}},
    {"R0069", {.labels = "w:0 01 d:1 w:0 00 00 00"}},
    {"R0069", {.labels = "w:0 00 01 d:1 w:0 00 00"}},
    {"R0069", {.labels = "w:0 00 00 01 d:1 w:0 00"}},
    {"R0070", {.variables = "d:0 d:1 d:1 00 w:4097 d:0 w:0 00 00"}},
    {"R0071", {.states = "w:1 d:1 w:17 00 w:0"}},
    {"R0071", {.states = "w:1 d:1 w:0 00 w:0"}},
    {"R0072", {.states = "w:0 w:1 d:1 w:12 00"}},
    {"R0072", {.states = "w:0 w:1 d:1 w:64 00"}},
    {"R0073",
     {.strings = "d:2 z:k *65 61 00", .variables = "d:0 d:1 d:1 00 w:1 d:0 w:0 00 00"}},
    {"R0074", {.strings = "d:2 z:k *1025 61 00", .labels = "w:1 d:1 00 00 00 00 00"}},
    {"R0075", {.strings = "d:2 z:k *65 61 00", .attributes = "w:1 d:1 00"}},
    {"R0075", {.strings = "d:2 z:k 07 00", .attributes = "w:1 d:1 00"}},
    {"R0076", {.strings = "d:2 z:k z:OutputAsmPath", .attributes = "w:1 d:1 00"}},
    {"R0076", {.strings = "d:2 z:k z:Target", .attributes = "w:1 d:1 05 0000000000"}},
    {"R0077", {.strings = "d:2 z:k z:ArgSize", .attributes = "w:1 d:1 01 21"}},
    {"R0077", {.strings = "d:2 z:k z:RetValSize", .attributes = "w:1 d:1 01 0d"}},
    {"R0078", {.globals = "w:1 00 w:0 00 w:1 00 w:0"}},
    {"R0078", {.globals = "w:1 00 w:1 s:x 00 w:1025 00 w:0"}},
    {"R0078", {.globals = "w:1 00 w:256 *256 61 00 w:1 00 w:0"}},
};

static void bad_ones(void **state)
{
    fixture *f = *state;

    for (size_t i = 0; i < sizeof bads / sizeof bads[0]; i++) {
        byte_text bytes;
        visage_status status = read_parts(f, &bads[i].parts, &bytes);
        const visage_diagnostic *found = visage_diagnostics_get(f->diagnostics, 0);
        if (status == VISAGE_OK || !found || strcmp(found->code, bads[i].code) != 0)
            fail_msg("case %zu: %s, expected %s", i, found ? found->code : "nothing",
                     bads[i].code);
        assert_int_equal(visage_diagnostics_count(f->diagnostics), 1);
        free(bytes.bytes);
    }
}

/* Bounds themselves are within them. */
static void at_the_limits(void **state)
{
    fixture *f = *state;

    (void)read_exact(f, &(parts){.strings = "d:2 z:k *64 61 00",
                                 .variables = "d:0 d:2 d:1 04 w:16384 d:0 w:0 00 00 "
                                              "d:1 00 w:4096 d:0 w:0 00 00",
                                 .states = "w:1 d:1 w:16 00 w:1 d:1 w:32 00",
                                 .inputs = "d:4096 *4096 000000000000000000",
                                 .attributes = "w:1 d:1 00"});
    assert_int_equal(f->module->units[0]->num_inputs, 4096);
    (void)read_exact(f, &(parts){.strings = "d:2 z:k *1024 61 00",
                                 .labels = "w:1 d:1 00 00 1f *31 00000000010000 "
                                           "fa *250 00000000010000 00"});
    (void)read_exact(f, &(parts){.states = "w:0 w:4095 *4095 01000000010000"});
}

/* Function sizes: 4_visa_header, function_data. */
static void function_sizes(void **state)
{
    fixture *f = *state;
    static const char *const sizes[] = {"21 00", "00 0d"};

    for (size_t i = 0; i < 2; i++) {
        char globals[512];
        byte_text bytes;
        (void)snprintf(
            globals, sizeof globals,
            "w:0 w:1 02 w:1 s:g $f #fF w:0 w:0 @f d:2 00 z:g d:1 d:0 w:0 w:0 w:0 00 00 "
            "00 #dF #fd %s w:0 @d 68 00 0000 @F",
            sizes[i]);
        assert_int_equal(
            read_parts(
                f,
                &(parts){.globals = globals, .strings = "d:2 00 z:k", .variables = "d:1 d:0"},
                &bytes),
            VISAGE_INVALID);
        assert_string_equal(visage_diagnostics_get(f->diagnostics, 0)->code, "R0077");
        free(bytes.bytes);
    }
}

/* Bytes that nothing points to are told about and dropped; what is left can be read. */
static void gaps(void **state)
{
    fixture *f = *state;
    static const char *const rests[] = {"aa bb", ""};
    static const char *const globals[] = {"w:0 w:0", "w:0 w:0 aa"};

    for (size_t i = 0; i < 2; i++) {
        byte_text bytes;
        vsg_obj_bytes out;
        assert_int_equal(
            read_parts(f, &(parts){.rest = rests[i], .globals = globals[i]}, &bytes),
            VISAGE_OK);
        assert_int_equal(visage_diagnostics_count(f->diagnostics), 1);
        assert_string_equal(visage_diagnostics_get(f->diagnostics, 0)->code, "R0045");
        assert_int_equal(vsg_obj_write_binary(f->module, VSG_OBJ_LAYOUT_NONE, NULL, &out),
                         VISAGE_OK);
        assert_true(out.size < bytes.size);
        vsg_obj_bytes_free(&f->alloc, &out);
        free(bytes.bytes);
    }
}

/* ---- what cannot be written ------------------------------------------------------------- */

static void must_not_write(fixture *f, const char *code)
{
    vsg_obj_bytes out;

    visage_diagnostics_clear(f->diagnostics);
    assert_int_equal(vsg_obj_write_binary(f->module, VSG_OBJ_LAYOUT_IGC, f->diagnostics, &out),
                     VISAGE_INVALID);
    assert_null(out.data);
    assert_int_equal(visage_diagnostics_count(f->diagnostics), 1);
    assert_string_equal(visage_diagnostics_get(f->diagnostics, 0)->code, code);
}

static vsg_obj_unit *read_for_writing(fixture *f, const char *line)
{
    char text[4096];

    (void)snprintf(text, sizeof text, "%s%s\n", prolog, line);
    (void)read_good(f, text);
    return f->module->units[0];
}

static void not_written(void **state)
{
    fixture *f = *state;

    read_for_writing(f, "ret (M1, 1)")->insts[0].exec_size = 3;
    must_not_write(f, "R0079");
    read_for_writing(f, "ret (M1, 1)")->insts[0].predicate = 0x1000;
    must_not_write(f, "R0079");
    read_for_writing(f, "mov (M1, 1) V32(0,0)<1> 0:ud")->insts[0].operands[0].row = 256;
    must_not_write(f, "R0079");
    read_for_writing(f, "mov (M1, 1) V32(0,0)<1> 0:ud")->insts[0].operands[0].h_stride = 3;
    must_not_write(f, "R0079");
    read_for_writing(f, "addr_add (M1, 1) A0(0)<1> &V32[3] 0:uw");
    must_not_write(f, "R0079");
    read_for_writing(f, "wait V32(0,0)<0;1,0>")->insts[0].num_operands = 0;
    must_not_write(f, "R0079");
    read_for_writing(f, "switchjmp (M1, 1) V32(0,0)<0;1,0> (L, L)\nL:")
        ->insts[0]
        .operands[0]
        .value = 3;
    must_not_write(f, "R0079");
    read_for_writing(f, "ret (M1, 1)")->stored.damage = VSG_OBJ_DAMAGE_CUT_SHORT;
    must_not_write(f, "R0079");
}

/* The limits hold for writing, too. */
static void limits_of_writing(void **state)
{
    fixture *f = *state;

    read_for_writing(f, "ret (M1, 1)")->variables[0].num_elements = 16385;
    must_not_write(f, "R0069");
    read_for_writing(f, "ret (M1, 1)")->variables[0].num_elements = 4097;
    must_not_write(f, "R0070");
    read_for_writing(f, "ret (M1, 1)")->addresses[0].num_elements = 17;
    must_not_write(f, "R0071");
    read_for_writing(f, "ret (M1, 1)")->predicates[0].num_elements = 33;
    must_not_write(f, "R0072");
    read_for_writing(f, "ret (M1, 1)")->name = "";
    must_not_write(f, "R0059");
    read_for_writing(f, "ret (M1, 1)")->stored.num_gen_binaries = 5;
    f->module->units[0]->stored.gen_binaries = (vsg_obj_gen_binary[5]){{0}};
    must_not_write(f, "R0060");
    vsg_obj_unit *unit = read_for_writing(f, "ret (M1, 1)");
    for (unsigned i = 0; i < 4097; i++)
        assert_non_null(vsg_obj_add_input(f->module, unit));
    must_not_write(f, "R0068");
    unit = read_for_writing(f, "ret (M1, 1)");
    while (unit->num_variables < 262145) {
        vsg_obj_variable *variable = vsg_obj_add_variable(f->module, unit);
        assert_non_null(variable);
        variable->name = "v";
        variable->num_elements = 1;
    }
    must_not_write(f, "R0062");
    unit = read_for_writing(f, "ret (M1, 1)");
    while (unit->num_addresses < 4097) {
        vsg_obj_state *address = vsg_obj_add_address(f->module, unit);
        assert_non_null(address);
        address->name = "a";
        address->num_elements = 1;
    }
    must_not_write(f, "R0063");
    unit = read_for_writing(f, "ret (M1, 1)");
    while (unit->num_labels < 65536) {
        vsg_obj_label *label = vsg_obj_add_label(f->module, unit);
        assert_non_null(label);
        label->name = "l";
    }
    must_not_write(f, "R0067");
    (void)read_for_writing(f, "ret (M1, 1)");
    while (f->module->num_units < 513)
        assert_non_null(vsg_obj_add_unit(f->module, "k", 1, false));
    must_not_write(f, "R0058");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(smallest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(told_by_string, set_up, tear_down),
        cmocka_unit_test_setup_teardown(relocations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(gen_binaries, set_up, tear_down),
        cmocka_unit_test_setup_teardown(file_variables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(doc_functions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(attributes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_tables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(equal_strings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(global_alias, set_up, tear_down),
        cmocka_unit_test_setup_teardown(relocated_alias, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(version_3_3, set_up, tear_down),
        cmocka_unit_test_setup_teardown(versions_between, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_ones, set_up, tear_down),
        cmocka_unit_test_setup_teardown(at_the_limits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(function_sizes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(gaps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(not_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(limits_of_writing, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
