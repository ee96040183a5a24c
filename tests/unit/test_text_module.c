/* SPDX-License-Identifier: MIT
 *
 * What a text declares: units, variables, scopes, inputs, attributes, labels. Expected values
 * are those of 4_visa_header and spec dialect 1.1 and 4. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "text_support.h"

static void variables(void **state)
{
    const vsg_obj_unit *unit = read_good(
        *state, "// a comment before the version\n"
                "\n.version 3.6\n.kernel \"k\"\n"
                ".decl V0032 v_type=G type=d num_elts=16 align=wordx32\n"
                ".decl V0033 v_type = G type = UQ num_elts = 4 align=GRF alias=<%r0, 0> // x\n"
                ".decl a v_type=G type=b num_elts=%sizeof(V0033) alias=<V0032, 1 << 4>\n"
                ".decl b v_type=G num_elts=(1+2) type=hf align=2GRF\n"
                ".decl c v_type=G type=bf num_elts=1 align=%sizeof(GRF)\n"
                ".decl d v_type=G type=Bool num_elts=1 align=64word alias=(V0032, 32)\n"
                ".decl e v_type=G type=ud num_elts=1 alias (%hw_id, 0) attrs={Scope=1, Output, "
                "N=\"x y\"}\r\n");
    static const struct {
        const char *name;
        visage_type type;
        uint32_t num_elements, align, alias, offset;
    } expected[] = {
        {"V0032", VISAGE_TYPE_D, 16, 8, VSG_OBJ_NO_ALIAS, 0},
        {"V0033", VISAGE_TYPE_UQ, 4, 5, VSG_ISA_VAR_R0, 0},
        {"a", VISAGE_TYPE_B, 32, 0, 32, 16},
        {"b", VISAGE_TYPE_HF, 3, 6, VSG_OBJ_NO_ALIAS, 0},
        {"c", VISAGE_TYPE_BF, 1, 7, VSG_OBJ_NO_ALIAS, 0},
        {"d", VISAGE_TYPE_BOOL, 1, 9, 32, 32},
    };
    assert_int_equal(unit->num_variables, 7);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const vsg_obj_variable *v = &unit->variables[i];
        assert_string_equal(v->name, expected[i].name);
        assert_int_equal(v->type, expected[i].type);
        assert_int_equal(v->num_elements, expected[i].num_elements);
        assert_int_equal(v->align, expected[i].align);
        assert_int_equal(v->alias, expected[i].alias);
        assert_int_equal(v->alias_offset_bytes, expected[i].offset);
        assert_int_equal(v->place.line, 5 + i);
        assert_int_equal(v->place.column, 7);
    }
    const vsg_obj_attributes *list = &unit->variables[6].attributes;
    assert_int_equal(unit->variables[6].alias, VSG_ISA_VAR_HW_ID);
    assert_int_equal(list->count, 3);
    assert_int_equal(vsg_obj_attribute_value(list, "Scope", 7), 1);
    assert_int_equal(vsg_obj_attribute_value(list, "Output", 7), 1);
    assert_int_equal(list->items[1].size_bytes, 0);
    assert_string_equal(vsg_obj_attribute_find(list, "N")->string, "x y");
}

/* Declarations as listings have them are read in another way than others, as long as nothing
 * in them is otherwise and the text goes on for a while. */
static void listed_variables(void **state)
{
    const vsg_obj_unit *unit = read_good(
        *state,
        ".version 4.1\n.kernel k\n"
        ".decl V0032 v_type=G type=d num_elts=16 align=dword\n"
        ".decl abcde v_type=G type=uq num_elts=4 align=qword alias=<V0032, 8>\n"
        ".decl abcdbcde v_type=G type=uq num_elts=2 + 3 align=qword\n"
        ".decl abcdbcde0 v_type=G type=w num_elts=0x8 align=2GRF alias=<abcde, 4>\n"
        ".decl f v_type=G type=Bool num_elts=1 align=32\n"
        ".decl ff v_type=G type=B num_elts=000005 align=byte alias=<V0032, 16>>3>\n"
        ".decl fff v_type=G type=d align=dword num_elts=3 alias=<%r0, 4>\n"
        ".decl ffff v_type=G type=b num_elts=00002  align=dword alias=<ff, 1>attrs={A}\n"
        "// .decl g v_type=G type=d num_elts=1 align=dword and so on to the end\n"
        "// of a text that is long enough for what is before this comment\n");
    static const struct {
        const char *name;
        visage_type type;
        uint32_t num_elements, align, alias, offset;
    } expected[] = {
        {"V0032", VISAGE_TYPE_D, 16, 2, VSG_OBJ_NO_ALIAS, 0},
        {"abcde", VISAGE_TYPE_UQ, 4, 3, 32, 8},
        {"abcdbcde", VISAGE_TYPE_UQ, 5, 3, VSG_OBJ_NO_ALIAS, 0},
        {"abcdbcde0", VISAGE_TYPE_W, 8, 6, 33, 4},
        {"f", VISAGE_TYPE_BOOL, 1, 7, VSG_OBJ_NO_ALIAS, 0},
        {"ff", VISAGE_TYPE_B, 5, 0, 32, 2},
        {"fff", VISAGE_TYPE_D, 3, 2, VSG_ISA_VAR_R0, 4},
        {"ffff", VISAGE_TYPE_B, 2, 2, 37, 1},
    };
    assert_int_equal(unit->num_variables, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < unit->num_variables; i++) {
        const vsg_obj_variable *v = &unit->variables[i];
        assert_string_equal(v->name, expected[i].name);
        assert_int_equal(v->type, expected[i].type);
        assert_int_equal(v->num_elements, expected[i].num_elements);
        assert_int_equal(v->align, expected[i].align);
        assert_int_equal(v->alias, expected[i].alias);
        assert_int_equal(v->alias_offset_bytes, expected[i].offset);
        assert_int_equal(v->attributes.count, i == 7);
    }
}

static void other_classes(void **state)
{
    const vsg_obj_unit *unit = read_good(
        *state, ".version 4.1\n.kernel k\n.decl A0 v_type=A num_elts=16\n"
                ".decl A1 v_type=A type=UW num_elts=1\n.decl P1 v_type=P num_elts=32\n"
                ".decl P7 v_type=P num_elts=8 attrs={Input}\n"
                ".decl S0 v_type=S num_elts=1 v_name=S000\n.decl S1 v_type=S\n"
                ".decl T6 v_type=T num_elts=77 v_name=T006\n.decl T0 v_type=T num_elts=1\n");
    assert_string_equal(unit->name, "k");
    assert_int_equal(unit->num_addresses, 2);
    assert_int_equal(unit->addresses[0].num_elements, 16);
    assert_int_equal(unit->num_predicates, 2);
    assert_string_equal(unit->predicates[1].name, "P7");
    assert_int_equal(unit->predicates[1].num_elements, 8);
    assert_int_equal(unit->predicates[1].attributes.count, 1);
    assert_int_equal(unit->num_samplers, 2);
    assert_string_equal(unit->samplers[0].v_name, "S000");
    assert_null(unit->samplers[1].v_name);
    assert_int_equal(unit->samplers[1].num_elements, 1);
    assert_int_equal(unit->num_surfaces, 2);
    assert_int_equal(unit->surfaces[0].num_elements, 77);
}

static void inputs(void **state)
{
    const vsg_obj_unit *unit = read_good(
        *state, ".version 4.1\n.kernel k\n.decl V32 v_type=G type=w num_elts=16\n"
                ".decl T6 v_type=T num_elts=1\n.decl S0 v_type=S num_elts=1\n"
                ".input V32 offset=64 size=32\n.input T6 offset=0x60 size=4\n.input S0\n"
                ".input V32 offset=-4\n.implicit_LOCAL_SIZE V32 offset=128 size=12\n"
                ".implicit_UNDEFINED_12 V32 offset=192 size=8 attrs={A=1}\n"
                ".implicit_PSEUDO_INPUT V32 offset=0\n.parameter V32 size=8\n");
    static const struct {
        vsg_obj_input_kind kind;
        uint32_t provenance, id;
        int32_t offset;
        uint32_t size;
    } expected[] = {
        {VSG_OBJ_INPUT_GENERAL, 0, 32, 64, 32},  {VSG_OBJ_INPUT_SURFACE, 0, 6, 96, 4},
        {VSG_OBJ_INPUT_SAMPLER, 0, 0, 0, 4},     {VSG_OBJ_INPUT_GENERAL, 0, 32, -4, 32},
        {VSG_OBJ_INPUT_GENERAL, 1, 32, 128, 12}, {VSG_OBJ_INPUT_GENERAL, 12, 32, 192, 8},
        {VSG_OBJ_INPUT_GENERAL, 16, 32, 0, 32},  {VSG_OBJ_INPUT_GENERAL, 0, 32, 0, 8},
    };
    assert_int_equal(unit->num_inputs, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < unit->num_inputs; i++) {
        const vsg_obj_input *input = &unit->inputs[i];
        assert_int_equal(input->kind, expected[i].kind);
        assert_int_equal(input->provenance, expected[i].provenance);
        assert_int_equal(input->id, expected[i].id);
        assert_int_equal(input->offset_bytes, expected[i].offset);
        assert_int_equal(input->size_bytes, expected[i].size);
    }
    assert_int_equal(unit->inputs[5].attributes.count, 1);
}

static void kernel_attributes(void **state)
{
    const vsg_obj_unit *unit = read_good(
        *state, ".version 4.1\n.kernel \"a \\\"b\\\" \\x41\\101\"\n.kernel_attr Target=\"cm\"\n"
                ".kernel_attr SimdSize=16    \n.kernel_attr Extern\n.kernel_attr NoBarrier=\n"
                ".kernel_attr AsmName=\"x.asm\"\n.kernel_attr OutputAsmPath=y.asm\n"
                ".kernel_attr SLMSize=%sizeof(GRF)*2\n.funcdecl \"foo\"\n.funcdecl bar\n");
    const vsg_obj_attributes *list = &unit->attributes;
    assert_string_equal(unit->name, "a \"b\" AA");
    assert_int_equal(list->count, 7);
    assert_string_equal(list->items[0].string, "cm");
    assert_int_equal(list->items[0].size_bytes, 2);
    assert_int_equal(vsg_obj_attribute_value(list, "SimdSize", 0), 16);
    assert_int_equal(list->items[1].size_bytes, 1);
    assert_int_equal(vsg_obj_attribute_value(list, "Extern", 0), 1);
    assert_int_equal(vsg_obj_attribute_value(list, "NoBarrier", 0), 1);
    assert_string_equal(list->items[4].name, "OutputAsmPath");
    assert_string_equal(list->items[4].string, "x.asm");
    assert_string_equal(list->items[5].string, "y.asm");
    assert_int_equal(vsg_obj_attribute_value(list, "SLMSize", 0), 64);
    assert_int_equal(unit->num_function_decls, 2);
    assert_string_equal(unit->function_decls[0], "foo");
    assert_string_equal(unit->function_decls[1], "bar");
}

static void labels(void **state)
{
    const vsg_obj_unit *unit = read_good(
        *state, ".version 4.1\n.kernel k\n.function \"_main_0\"\n\n_main_0:\n"
                "    goto (M1, 16) after\n    call (M1, 16) sub\n"
                "??$x@M$07@Z:\n  after: ret (M1, 1)\n.function sub\nsub:\n    ret (M1, 1)\n");
    static const struct {
        const char *name;
        vsg_obj_label_kind kind;
        int64_t inst;
        uint32_t line, column;
    } expected[] = {
        {"_main_0", VSG_OBJ_LABEL_SUBROUTINE, 0, 3, 11},
        {"after", VSG_OBJ_LABEL_BLOCK, 4, 6, 19},
        {"sub", VSG_OBJ_LABEL_SUBROUTINE, 6, 7, 19},
        {"??$x@M$07@Z", VSG_OBJ_LABEL_BLOCK, 3, 8, 1},
    };
    static const visage_op ops[] = {
        VISAGE_OP_SUBROUTINE, VISAGE_OP_GOTO, VISAGE_OP_CALL,       VISAGE_OP_LABEL,
        VISAGE_OP_LABEL,      VISAGE_OP_RET,  VISAGE_OP_SUBROUTINE, VISAGE_OP_RET,
    };
    assert_int_equal(unit->num_labels, 4);
    for (size_t i = 0; i < unit->num_labels; i++) {
        assert_string_equal(unit->labels[i].name, expected[i].name);
        assert_int_equal(unit->labels[i].kind, expected[i].kind);
        assert_int_equal(unit->labels[i].inst, expected[i].inst);
        assert_int_equal(unit->labels[i].place.line, expected[i].line);
        assert_int_equal(unit->labels[i].place.column, expected[i].column);
    }
    assert_int_equal(unit->num_insts, sizeof ops / sizeof ops[0]);
    for (size_t i = 0; i < unit->num_insts; i++)
        assert_int_equal(unit->insts[i].op, ops[i]);
    assert_int_equal(unit->insts[1].operands[0].id, 1);
    assert_int_equal(unit->insts[6].operands[0].id, 2);
}

static void scopes(void **state)
{
    const vsg_obj_unit *unit = read_good(
        *state, ".version 4.1\n.kernel k\n.decl x v_type=G type=d num_elts=8\n"
                "mov (M1, 1) x(0,0)<1> 1:d\n{\n.decl x v_type=A num_elts=8\n"
                "mov (M1, 8) x(0)<8> 2:uw\n{ .decl x v_type=G type=w num_elts=8\n"
                ".decl y v_type=G type=w num_elts=8\n"
                "mov (M1, 1) x(0,0)<1> 3:w }\nmov (M1, 8) x(0)<8> 4:uw\n}\n"
                "mov (M1, 1) x(0,0)<1> 5:d\n.decl y v_type=P num_elts=1\nsetp (M1, 1) y 1:ud\n"
                "{\n.decl V1 v_type=G type=d num_elts=1\nmov (M1, 1) V1(0,0)<1> 6:d\n}\n");
    static const struct {
        vsg_obj_class class_;
        uint32_t id;
    } expected[] = {{VSG_OBJ_CLASS_GENERAL, 32}, {VSG_OBJ_CLASS_ADDRESS, 0},
                    {VSG_OBJ_CLASS_GENERAL, 33}, {VSG_OBJ_CLASS_ADDRESS, 0},
                    {VSG_OBJ_CLASS_GENERAL, 32}, {VSG_OBJ_CLASS_PREDICATE, 1},
                    {VSG_OBJ_CLASS_GENERAL, 35}};
    assert_int_equal(unit->num_insts, 7);
    for (size_t i = 0; i < unit->num_insts; i++) {
        assert_int_equal(unit->insts[i].operands[0].class_, expected[i].class_);
        assert_int_equal(unit->insts[i].operands[0].id, expected[i].id);
    }
    assert_int_equal(unit->num_variables, 4);
}

static void units(void **state)
{
    fixture *f = *state;
    const char *text = ".version 4.1\n.kernel \"a\"\n.decl x v_type=G type=d num_elts=8\n"
                       "l:\n{\n}\n.global_function \"b\"\n.decl x v_type=P num_elts=8\nl:\n"
                       "goto (M1, 1) l\n.kernel c\n/* a\n   long one */ ret (M1, 1)\n";

    assert_int_equal(read_as(f, text, strlen(text), VISAGE_PLATFORM_NONE, "first"), VISAGE_OK);
    assert_int_equal(visage_diagnostics_count(f->diagnostics), 0);
    assert_int_equal(f->module->version_major, 4);
    assert_int_equal(f->module->version_minor, 1);
    assert_int_equal(f->module->num_units, 3);
    const vsg_obj_unit *const *u = (const vsg_obj_unit *const *)f->module->units;
    assert_string_equal(u[0]->name, "first");
    assert_string_equal(u[0]->file, "k.visaasm");
    assert_false(u[0]->is_function);
    assert_string_equal(u[1]->name, "b");
    assert_true(u[1]->is_function);
    assert_int_equal(u[1]->linkage, VSG_OBJ_LINKAGE_GLOBAL);
    assert_int_equal(u[1]->num_predicates, 1);
    assert_int_equal(u[1]->num_labels, 1);
    assert_string_equal(u[2]->name, "c");
    assert_int_equal(u[2]->insts[0].place.line, 13);
    assert_int_equal(u[2]->insts[0].place.column, 16);
}

/* A listing of the compiler with -g: `or` is $1, then FILE and four LOC, and `mul` is $7. */
static void listing_numbers(void **state)
{
    const vsg_obj_unit *unit =
        read_good(*state, ".version 4.1\n.kernel k\n.function \"main\"\nmain:\nyield\n"
                          "FILE \"x.cl\"\nLOC 1\nLOC 1\nLOC 0\nLOC 1\nbarrier\n");

    assert_int_equal(unit->num_insts, 8);
    assert_int_equal(unit->insts[1].op, VISAGE_OP_YIELD);
    assert_int_equal(vsg_obj_locate(unit, &unit->insts[1]).instruction, 1);
    assert_int_equal(unit->insts[7].op, VISAGE_OP_BARRIER);
    assert_int_equal(vsg_obj_locate(unit, &unit->insts[7]).instruction, 7);
}

static void platforms(void **state)
{
    fixture *f = *state;
    const char *text = ".version 4.1\n.kernel k\n.decl x v_type=G type=b num_elts=%sizeof GRF "
                       "align=%sizeof(GRF)\n";

    assert_int_equal(read_as(f, text, strlen(text), VISAGE_PLATFORM_PVC, NULL), VISAGE_OK);
    assert_int_equal(f->module->units[0]->variables[0].num_elements, 64);
    assert_int_equal(f->module->units[0]->variables[0].align, 8);
    assert_int_equal(read_as(f, text, strlen(text), VISAGE_PLATFORM_SKL, NULL), VISAGE_OK);
    assert_int_equal(f->module->units[0]->variables[0].num_elements, 32);
    assert_int_equal(f->module->units[0]->variables[0].align, 7);
}

static void is_text(void **state)
{
    static const struct {
        const char *text;
        bool expected;
    } rows[] = {
        {".version 4.1\n.kernel k\n", true},
        {"\n /* x */ // y\n.kernel k\n", true},
        {".global_function \"f\"\n", true},
        {".decl x", false},
        {"", false},
        {"CISA\4\1", false},
        {"\177ELF", false},
        {"/* open", false},
        {".", false},
        {"// only\n", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(vsg_txt_is_text(rows[i].text, strlen(rows[i].text)), rows[i].expected);
    assert_false(vsg_txt_is_text(NULL, 0));
}

/* Appends to a text that grows. */
typedef struct builder {
    char *text;
    size_t length, capacity;
} builder;

static void append(builder *b, const char *format, unsigned a, unsigned c)
{
    char line[160];
    int length = snprintf(line, sizeof line, format, a, c);

    assert_true(length > 0 && (size_t)length < sizeof line);
    if (b->length + (size_t)length > b->capacity) {
        b->capacity = b->capacity * 2 + 4096;
        b->text = realloc(b->text, b->capacity);
        assert_non_null(b->text);
    }
    memcpy(b->text + b->length, line, (size_t)length);
    b->length += (size_t)length;
}

/* Far more of everything than the tables start with; ids stay what they are. */
static void many(void **state)
{
    enum { VARIABLES = 20000, LABELS = 5000 };
    fixture *f = *state;
    builder b = {0};

    append(&b, ".version 4.1\n.kernel k\n", 0, 0);
    for (unsigned i = 0; i < VARIABLES; i++)
        append(&b, ".decl V%u v_type=G type=d num_elts=8\n", i + 100, 0);
    for (unsigned i = 0; i < LABELS; i++) {
        append(&b, "goto (M1, 16) L%u\n", LABELS - 1 - i, 0);
        append(&b, "L%u:\nmov (M1, 8) V%u(0,0)<1> 1:d\n", i, i * 3 + 100);
    }
    visage_status status = read_as(f, b.text, b.length, VISAGE_PLATFORM_NONE, NULL);
    free(b.text);
    assert_int_equal(status, VISAGE_OK);
    const vsg_obj_unit *unit = f->module->units[0];
    assert_int_equal(unit->num_variables, VARIABLES);
    assert_int_equal(unit->num_labels, LABELS);
    for (unsigned i = 0; i < LABELS; i++) {
        const vsg_obj_inst *branch = &unit->insts[3 * (size_t)i];
        assert_int_equal(unit->labels[branch->operands[0].id].inst, 3 * (LABELS - 1 - i) + 1);
        assert_int_equal(unit->insts[3 * (size_t)i + 2].operands[0].id, 32 + i * 3);
    }
}

/* 8_appendix_visa_assembly_syntax: kernel_name, which has brackets behind it. */
static void names_with_brackets(void **state)
{
    fixture *f = *state;

    (void)read_good(f,
                    ".kernel foo<1, b>\n.version 4.1\nret (M1, 1)\n"
                    ".global_function bar(x)\nfret (M1, 1)\n.kernel \"baz<\"\nret (M1, 1)\n");
    assert_int_equal(f->module->num_units, 3);
    assert_string_equal(f->module->units[0]->name, "foo<1, b>");
    assert_string_equal(f->module->units[1]->name, "bar(x)");
    assert_true(f->module->units[1]->is_function);
    assert_string_equal(f->module->units[2]->name, "baz<");
    assert_int_equal(read_text(f, ".version 4.1\n.kernel foo<1\nret (M1, 1)\n"), VISAGE_SYNTAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_with_brackets, set_up, tear_down),
        cmocka_unit_test_setup_teardown(variables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(listed_variables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_classes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(inputs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kernel_attributes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(labels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(scopes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(units, set_up, tear_down),
        cmocka_unit_test_setup_teardown(listing_numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(platforms, set_up, tear_down),
        cmocka_unit_test_setup_teardown(is_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
