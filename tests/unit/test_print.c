/* SPDX-License-Identifier: MIT
 *
 * The text printer: instructions against listings.def, declarations and names against
 * 4_visa_header and spec dialect 4.1, and what a module can hold that no text says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "text/printer.h"
#include "text_support.h"

/* ---- what was printed ------------------------------------------------------------------- */

typedef struct printed {
    char *text; /* NUL-terminated, NULL at first */
    size_t length;
    size_t pieces;
    size_t refuse; /* number of the piece that is refused, from 1; 0: none */
} printed;

static bool take_piece(void *user, const void *data, size_t size_bytes)
{
    printed *p = user;

    if (++p->pieces == p->refuse)
        return false;
    assert_true(size_bytes > 0);
    p->text = realloc(p->text, p->length + size_bytes + 1);
    assert_non_null(p->text);
    memcpy(p->text + p->length, data, size_bytes);
    p->length += size_bytes;
    p->text[p->length] = '\0';
    assert_int_equal(p->text[p->length - 1], '\n');
    return true;
}

/* free() what it returns. */
static char *print_with(const fixture *f, bool no_comments, bool all_attributes)
{
    const vsg_txt_print_options options = {.no_comments = no_comments,
                                           .all_attributes = all_attributes};
    printed p = {.length = 0};

    assert_int_equal(vsg_txt_print(f->module, &options, take_piece, &p), VISAGE_OK);
    assert_non_null(p.text);
    return p.text;
}

/* Reads the text, prints it without comments, and compares; what was printed then prints the
 * same. */
static void expect(fixture *f, const char *text, const char *expected)
{
    (void)read_good(f, text);
    char *first = print_with(f, true, false);
    assert_string_equal(first, expected);
    (void)read_good(f, first);
    char *second = print_with(f, true, false);
    assert_string_equal(second, first);
    free(first);
    free(second);
}

/* ---- instructions ----------------------------------------------------------------------- */

static const char variables[] = ".decl V32 v_type=G type=ud num_elts=256 align=GRF\n"
                                ".decl V33 v_type=G type=d num_elts=256 align=GRF\n"
                                ".decl VQ v_type=G type=uq num_elts=4 align=GRF\n"
                                ".decl W v_type=G type=uw num_elts=64 align=GRF\n"
                                ".decl H v_type=G type=hf num_elts=64 align=GRF\n"
                                ".decl F v_type=G type=f num_elts=64 align=GRF\n"
                                ".decl A0 v_type=A num_elts=8\n"
                                ".decl P1 v_type=P num_elts=16\n"
                                ".decl S0 v_type=S num_elts=1 v_name=S000\n"
                                ".decl T6 v_type=T num_elts=1 v_name=T006\n";

static void listings(void **state)
{
    static const struct {
        const char *written, *listed;
    } rows[] = {
#define LISTED(written, listed) {written, listed},
#define SAME(listed)            {listed, listed},
#include "listings.def"
#undef LISTED
#undef SAME
    };
    char text[4096], expected[4096];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        (void)snprintf(text, sizeof text, ".version 4.1\n.kernel k\n%smain:\nother:\n%s\n",
                       variables, rows[i].written);
        (void)snprintf(expected, sizeof expected,
                       ".version 4.1\n.kernel \"k\"\n\n%s\nmain:\n\nother:\n    %s\n",
                       variables, rows[i].listed);
        expect(*state, text, expected);
    }
}

/* Column 80, and three kinds of lines that count and have no number: so does the compiler list
 * what it compiled with -g. */
static void numbers(void **state)
{
    fixture *f = *state;

    (void)read_good(f, ".version 4.1\n.kernel k\n.decl V32 v_type=G type=d num_elts=8\n"
                       "FILE \"x\"\nLOC 4294967295\nl:\nbarrier\nLOC 0\n"
                       "bfn.xff (M1_NM, 8) V32(0,0)<1> V32(0,0)<8;8,1> V32(0,0)<8;8,1> "
                       "V32(0,0)<8;8,1>\nyield\n");
    char *text = print_with(f, false, false);
    const char *body = strstr(text, "    FILE");
    assert_non_null(body);
    assert_string_equal(body,
                        "    FILE \"x\"\n"
                        "    LOC 4294967295\n"
                        "\nl:\n"
                        "    barrier                                                          "
                        "            /// $3\n"
                        "    LOC 0\n"
                        "    bfn.xff (M1_NM, 8) V32(0,0)<1> V32(0,0)<8;8,1> V32(0,0)<8;8,1> "
                        "V32(0,0)<8;8,1> /// $5\n"
                        "    yield                                                            "
                        "            /// $6\n");
    free(text);
}

/* ---- declarations ----------------------------------------------------------------------- */

static void declarations(void **state)
{
    expect(
        *state,
        ".version 3.6\n.kernel \"a.b \\\"c\"\n.funcdecl f\n.funcdecl \"g h\"\n"
        ".decl V0032 v_type=G type=Q num_elts=16 align=wordx64\n"
        ".decl b v_type=G num_elts=(1+2) type=hf alias=(V0032, 6) align=1\n"
        ".decl c v_type=G type=bool num_elts=1 align=2GRF attrs={Scope=1, Output, N=\"x y\"}\n"
        ".decl e v_type=G type=ud num_elts=1 alias <%r0, 4>\n"
        ".decl addr v_type=A num_elts=16\n"
        ".decl P7 v_type=P num_elts=32 attrs={Output}\n"
        ".decl sam v_type=S num_elts=2 v_name=\"a b\"\n"
        ".decl T9 v_type=T v_name=T006\n"
        ".input b size=6 offset=-32\n"
        ".input T9 offset=64\n"
        ".implicit_LOCAL_ID c offset=96 size=1\n"
        ".implicit_UNDEFINED_12 e offset=100 size=4 attrs={A=-1}\n"
        ".kernel_attr SimdSize=0x10\n"
        ".kernel_attr Extern\n"
        ".kernel_attr \"x y\"=1\n"
        ".kernel_attr OutputAsmPath=\"a\"\n"
        ".kernel_attr Target=\"3d\"\n"
        ".function _main\n_main:\nret (1)\n",
        ".version 3.6\n.kernel \"a.b \\\"c\"\n.funcdecl \"f\"\n.funcdecl \"g h\"\n\n"
        ".decl V0032 v_type=G type=q num_elts=16 align=wordx64\n"
        ".decl b v_type=G type=hf num_elts=3 alias=<V0032, 6>\n"
        ".decl c v_type=G type=bool num_elts=1 align=GRFx2 attrs={Scope=1, Output, N=\"x y\"}\n"
        ".decl e v_type=G type=ud num_elts=1 alias=<%r0, 4>\n"
        ".decl addr v_type=A num_elts=16\n"
        ".decl P1 v_type=P num_elts=32 attrs={Output}\n"
        ".decl sam v_type=S num_elts=2 v_name=\"a b\"\n"
        ".decl T6 v_type=T num_elts=1 v_name=T006\n"
        ".input b offset=-32 size=6\n"
        ".input T6 offset=64 size=4\n"
        ".implicit_LOCAL_ID c offset=96 size=1\n"
        ".implicit_UNDEFINED_12 e offset=100 size=4 attrs={A=-1}\n"
        ".kernel_attr SimdSize=16\n"
        ".kernel_attr Extern\n"
        ".kernel_attr \"x y\"=1\n"
        ".kernel_attr Target=\"3d\"    \n"
        ".function \"_main\"\n\n_main:\n    ret (M1, 1)\n");
}

/* What the listings leave out is printed on demand. */
static void all_attributes(void **state)
{
    fixture *f = *state;

    (void)read_good(f, ".version 4.1\n.kernel k\n.kernel_attr AsmName=\"d\\\\e\"\nyield\n");
    char *text = print_with(f, true, true);
    assert_string_equal(text, ".version 4.1\n.kernel \"k\"\n\n.kernel_attr "
                              "OutputAsmPath=\"d\\\\e\"\n    yield\n");
    free(text);
}

static void several_units(void **state)
{
    expect(*state,
           ".version 4.1\n.kernel a\n.decl V32 v_type=G type=d num_elts=1\n.input V32\n"
           ".function m\nm:\nyield\nret (1)\n.function s\ns:\nret (1)\n"
           ".global_function \"b\"\n.decl V32 v_type=G type=f num_elts=1\n.parameter V32\n"
           ".input V32 offset=4 size=2\nm: fret (16)\n"
           ".kernel c\n",
           ".version 4.1\n.kernel \"a\"\n\n.decl V32 v_type=G type=d num_elts=1\n"
           ".input V32 offset=0 size=4    \n"
           ".function \"m\"\n\nm:\n    yield\n    ret (M1, 1)\n    \n"
           ".function \"s\"\n\ns:\n    ret (M1, 1)\n"
           "\n.global_function \"b\"\n\n.decl V32 v_type=G type=f num_elts=1\n"
           ".parameter V32 size=4\n.parameter V32 offset=4 size=2\n\nm:\n    fret (M1, 16)\n"
           "\n.kernel \"c\"\n\n");
}

/* ---- names ------------------------------------------------------------------------------ */

/* Scopes are gone: a name that had two meanings gets a second spelling, and no new name is one
 * that is there. */
static void shadowed_names(void **state)
{
    expect(*state,
           ".version 4.1\n.kernel k\n"
           ".decl x v_type=G type=d num_elts=1\n"
           "{\n.decl x v_type=G type=f num_elts=1\n"
           "{\n.decl x_33 v_type=G type=f num_elts=1\n.decl x v_type=P num_elts=1\n"
           ".decl V5 v_type=G type=ub num_elts=1\n"
           "mov (1) V5(0,0)<1> x_33(0,0)<0;1,0>\n(x) mov (1) V5(0,0)<1> V5(0,0)<0;1,0>\n}\n"
           "mov (1) x(0,0)<1> V5(0,0)<0;1,0>\n}\nmov (1) x(0,0)<1> 0:d\n",
           ".version 4.1\n.kernel \"k\"\n\n"
           ".decl x v_type=G type=d num_elts=1\n"
           ".decl x_33 v_type=G type=f num_elts=1\n"
           ".decl x_33_34 v_type=G type=f num_elts=1\n"
           ".decl V5_35 v_type=G type=ub num_elts=1\n"
           ".decl x_1 v_type=P num_elts=1\n"
           "    mov (M1, 1) V5_35(0,0)<1> x_33_34(0,0)<0;1,0>\n"
           "    (x_1) mov (M1, 1) V5_35(0,0)<1> V5_35(0,0)<0;1,0>\n"
           "    mov (M1, 1) x_33(0,0)<1> %group_id_z(0,0)<0;1,0>\n"
           "    mov (M1, 1) x(0,0)<1> 0x0:d\n");
}

/* The letter of the class and a number mean a variable without a name of its own (spec dialect
 * 4.1): listings give it letter and index. */
static void numbered_names(void **state)
{
    expect(*state,
           ".version 4.1\n.kernel k\n.decl P1 v_type=G type=d num_elts=1\n"
           ".decl P3 v_type=P num_elts=1\n.decl P2 v_type=P num_elts=1\n"
           ".decl A01 v_type=A num_elts=1\n.decl A1x v_type=A num_elts=1\n"
           ".decl T7 v_type=T\n.decl S v_type=S\n(P3) mov (1) P1(0,0)<1> P2\n",
           ".version 4.1\n.kernel \"k\"\n\n.decl P1 v_type=G type=d num_elts=1\n"
           ".decl A0 v_type=A num_elts=1\n.decl A1x v_type=A num_elts=1\n"
           ".decl P1_1 v_type=P num_elts=1\n.decl P2 v_type=P num_elts=1\n"
           ".decl S v_type=S num_elts=1\n.decl T6 v_type=T num_elts=1\n"
           "    (P1_1) mov (M1, 1) P1(0,0)<1> P2\n");
}

static void label_names(void **state)
{
    fixture *f = *state;

    expect(f, ".version 4.1\n.kernel k\ngoto (1) a$b\n@x-?1:\na_b:\na$b:\n",
           ".version 4.1\n.kernel \"k\"\n\n    goto (M1, 1) a_b\n\n@x-?1:\n\na_b_2:\n\na_b:\n");
    (void)read_good(f, ".version 4.1\n.kernel k\na$b:\n");
    char *text = print_with(f, false, false);
    assert_non_null(strstr(text, "\na_b: /// Original Name: \"a$b\"\n"));
    free(text);
}

/* ---- modules that no text says ---------------------------------------------------------- */

static vsg_obj_unit *empty_unit(fixture *f, const char *name)
{
    clean(f);
    f->module = vsg_obj_create(&f->alloc);
    assert_non_null(f->module);
    f->module->version_major = 4;
    f->module->version_minor = 1;
    vsg_obj_unit *unit = vsg_obj_add_unit(f->module, name, strlen(name), false);
    assert_non_null(unit);
    return unit;
}

static void add(fixture *f, vsg_obj_unit *unit, visage_op op, vsg_obj_operand *operands,
                size_t count)
{
    const vsg_obj_inst inst = {.op = op,
                               .exec_size = vsg_isa_has_slot(op, VSG_ISA_SLOT_EXEC) ? 8 : 0,
                               .operands = operands,
                               .num_operands = (uint16_t)count};
    assert_non_null(vsg_obj_add_inst(f->module, unit, &inst));
}

/* Names of binaries: any string, none, or the same twice. */
static void names_of_binaries(void **state)
{
    static const char *const given[] = {"a b", "", "1x", "x", "x", "V0033"};
    fixture *f = *state;
    vsg_obj_unit *unit = empty_unit(f, "k\n");

    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        vsg_obj_variable *variable = vsg_obj_add_variable(f->module, unit);
        assert_non_null(variable);
        *variable =
            (vsg_obj_variable){.name = given[i], .num_elements = 1, .alias = VSG_OBJ_NO_ALIAS};
        vsg_obj_label *label = vsg_obj_add_label(f->module, unit);
        assert_non_null(label);
        label->name = given[i];
        add(f, unit, VISAGE_OP_LABEL,
            &(vsg_obj_operand){.class_ = VSG_OBJ_CLASS_LABEL, .id = (uint32_t)i}, 1);
    }
    vsg_obj_add_predicate(f->module, unit)->name = NULL;
    char *text = print_with(f, true, false);
    assert_string_equal(text, ".version 4.1\n.kernel \"k\\012\"\n\n"
                              ".decl V0032 v_type=G type=ud num_elts=1\n"
                              ".decl V0033 v_type=G type=ud num_elts=1\n"
                              ".decl V0034 v_type=G type=ud num_elts=1\n"
                              ".decl x v_type=G type=ud num_elts=1\n"
                              ".decl x_36 v_type=G type=ud num_elts=1\n"
                              ".decl V0033_37 v_type=G type=ud num_elts=1\n"
                              ".decl P1 v_type=P num_elts=0\n"
                              "\na_b:\n\n_1:\n\n_1x:\n\nx:\n\nx_4:\n\nV0033:\n");
    free(text);
}

/* The compiler's binaries have no index behind the name of a subroutine, its texts do (spec
 * dialect 4.1). */
static void subroutines_of_binaries(void **state)
{
    fixture *f = *state;

    for (unsigned layout = VSG_OBJ_LAYOUT_NONE; layout <= VSG_OBJ_LAYOUT_IGC; layout++) {
        vsg_obj_unit *unit = empty_unit(f, "k");
        vsg_obj_operand operand = {.class_ = VSG_OBJ_CLASS_LABEL};
        vsg_obj_label *label = vsg_obj_add_label(f->module, unit);
        assert_non_null(label);
        label->name = "BB_0";
        label->kind = VSG_OBJ_LABEL_SUBROUTINE;
        f->module->layout = (vsg_obj_layout)layout;
        add(f, unit, VISAGE_OP_SUBROUTINE, &operand, 1);
        char *text = print_with(f, true, false);
        assert_string_equal(
            text, layout == VSG_OBJ_LAYOUT_IGC
                      ? ".version 4.1\n.kernel \"k\"\n    \n.function \"BB_0_0\"\n\nBB_0_0:\n"
                      : ".version 4.1\n.kernel \"k\"\n    \n.function \"BB_0\"\n\nBB_0:\n");
        free(text);
    }
}

/* Indices that name nothing are shown, not followed. */
static void wrong_indices(void **state)
{
    fixture *f = *state;
    vsg_obj_unit *unit = empty_unit(f, "k");
    vsg_obj_operand operands[] = {
        {.class_ = VSG_OBJ_CLASS_GENERAL, .id = 25, .h_stride = 1, .modifier = 77},
        {.class_ = VSG_OBJ_CLASS_IMMEDIATE, .type = 99, .value = 16},
        {.class_ = VSG_OBJ_CLASS_STATE, .state = 9, .id = 4000000000},
    };
    vsg_obj_variable *variable = vsg_obj_add_variable(f->module, unit);
    assert_non_null(variable);
    *variable = (vsg_obj_variable){.type = (visage_type)77, .align = 200, .alias = 1000};
    add(f, unit, VISAGE_OP_ADD, operands, 3);
    unit->insts[0].predicate = 9;
    unit->insts[0].predicate_combine = 77;
    char *text = print_with(f, true, false);
    assert_string_equal(text, ".version 4.1\n.kernel \"k\"\n\n"
                              ".decl V0032 v_type=G type=ud num_elts=0 align=200 "
                              "alias=<V1000, 0>\n"
                              "    (P9) add (M1, 8) V25(0,0)<1> 0x10:ud T4000000000(0)\n");
    free(text);
}

/* A binary of the defective writer: tables, and the operations as what no text may have. */
static void damaged(void **state)
{
    fixture *f = *state;
    vsg_obj_unit *unit = empty_unit(f, "k");
    visage_op stream[] = {VISAGE_OP_LABEL, VISAGE_OP_GOTO, VISAGE_OP_RET};

    unit->stored.damage = VSG_OBJ_DAMAGE_CUT_SHORT;
    unit->stored.stream = stream;
    unit->stored.num_stream = 3;
    char *text = print_with(f, true, false);
    assert_string_equal(text,
                        ".version 4.1\n.kernel \"k\"\n\n"
                        "// The instructions were written incompletely; the operations are:\n"
                        "// label\n    goto\n    ret\n");
    free(text);
}

/* ---- output ----------------------------------------------------------------------------- */

/* A text of many pieces, with one line that is longer than any of them. */
static char *long_text(void)
{
    enum { LINES = 6000, LONGEST = 200000 };
    static const char head[] =
        ".version 4.1\n.kernel k\n.decl V32 v_type=G type=d num_elts=8\n";
    char *text = malloc(sizeof head + LINES * 32 + LONGEST);
    size_t length = sizeof head - 1;

    assert_non_null(text);
    memcpy(text, head, length);
    for (size_t i = 0; i < LINES; i++)
        length += (size_t)sprintf(text + length, "mov (1) V32(0,0)<1> %zu:d\n", i % 100);
    length += (size_t)sprintf(text + length, "FILE \"");
    memset(text + length, 'x', LONGEST - 100);
    length += LONGEST - 100;
    (void)sprintf(text + length, "\"\n");
    return text;
}

static void long_output(void **state)
{
    const vsg_txt_print_options options = {0};
    fixture *f = *state;
    char *text = long_text();
    printed p = {.length = 0};

    (void)read_good(f, text);
    assert_int_equal(vsg_txt_print(f->module, &options, take_piece, &p), VISAGE_OK);
    assert_true(p.pieces > 4);
    assert_non_null(strstr(p.text, " /// $5999\n    FILE \"xxx"));
    (void)read_good(f, p.text);
    for (size_t refuse = 1; refuse <= p.pieces; refuse++) {
        printed stopped = {.refuse = refuse};
        assert_int_equal(vsg_txt_print(f->module, &options, take_piece, &stopped), VISAGE_IO);
        assert_int_equal(stopped.pieces, refuse);
        free(stopped.text);
    }
    free(p.text);
    free(text);
}

static void short_of_memory(void **state)
{
    const vsg_txt_print_options options = {0};
    fixture *f = *state;
    char *text = long_text();
    bool enough = false;

    (void)read_good(f, text);
    size_t live = f->counts.live_bytes;
    for (size_t fail = 1; !enough; fail++) {
        printed p = {.length = 0};
        f->counts.calls = 0;
        f->counts.fail = fail;
        visage_status status = vsg_txt_print(f->module, &options, take_piece, &p);
        enough = f->counts.calls < fail;
        assert_int_equal(status, enough ? VISAGE_OK : VISAGE_NO_MEMORY);
        assert_int_equal(f->counts.live_bytes, live);
        assert_true(fail < 100);
        free(p.text);
    }
    f->counts.fail = 0;
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(listings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(declarations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(all_attributes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(several_units, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shadowed_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbered_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(label_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_of_binaries, set_up, tear_down),
        cmocka_unit_test_setup_teardown(subroutines_of_binaries, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_indices, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_output, set_up, tear_down),
        cmocka_unit_test_setup_teardown(short_of_memory, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("print", tests, NULL, NULL);
}
