/* SPDX-License-Identifier: MIT
 *
 * Texts through both binary layouts and back: nothing is lost on any way (design: two layouts,
 * one module). And what a text's binary has that the text does not say: names, numbers and
 * sizes as the compiler has them (spec dialect 1.1, 4.1). */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>

#include "object/binary.h"
#include "text/printer.h"
#include "text_support.h"

/* ---- texts and binaries ----------------------------------------------------------------- */

typedef struct printed {
    char *text;
    size_t size;
} printed;

static bool append(void *user, const void *data, size_t size_bytes)
{
    printed *p = user;

    p->text = realloc(p->text, p->size + size_bytes + 1);
    assert_non_null(p->text);
    memcpy(p->text + p->size, data, size_bytes);
    p->size += size_bytes;
    p->text[p->size] = '\0';
    return true;
}

static printed print(const vsg_obj_module *module)
{
    const vsg_txt_print_options options = {0};
    printed p = {0};

    assert_int_equal(vsg_txt_print(module, &options, append, &p), VISAGE_OK);
    return p;
}

static vsg_obj_bytes write_as(fixture *f, const vsg_obj_module *module, vsg_obj_layout layout)
{
    vsg_obj_bytes bytes;

    if (vsg_obj_write_binary(module, layout, f->diagnostics, &bytes) != VISAGE_OK)
        fail_msg("not written: %s", visage_diagnostics_get(f->diagnostics, 0)->message);
    return bytes;
}

static vsg_obj_module *read_bytes(fixture *f, const vsg_obj_bytes *bytes, vsg_obj_layout layout)
{
    vsg_obj_module *module = vsg_obj_create(&f->alloc);
    vsg_obj_binary input = {.name = "k.isa", .data = bytes->data, .size_bytes = bytes->size};

    assert_non_null(module);
    if (vsg_obj_read_binary(module, &input, f->diagnostics) != VISAGE_OK)
        fail_msg("not read: %s", visage_diagnostics_get(f->diagnostics, 0)->message);
    assert_int_equal(module->layout, layout);
    return module;
}

static void must_print(const vsg_obj_module *module, const char *text, size_t size,
                       const char *way, const char *path)
{
    printed p = print(module);
    size_t at = 0;

    while (at < size && at < p.size && p.text[at] == text[at])
        at++;
    if (at < size || p.size != size)
        fail_msg("%s, %s: printed '%.60s' for '%.60s'", path, way, p.text + at, text + at);
    free(p.text);
}

static void must_be_equal(const vsg_obj_bytes *a, const vsg_obj_bytes *b, const char *way,
                          const char *path)
{
    size_t at = 0;

    while (at < a->size && at < b->size && a->data[at] == b->data[at])
        at++;
    if (a->size != b->size || at < a->size)
        fail_msg("%s, %s: %zu and %zu bytes, first difference at 0x%zx", path, way, a->size,
                 b->size, at);
}

/* ---- every way -------------------------------------------------------------------------- */

/* What was read into f->module is `text` again after each of them. */
static void all_ways(fixture *f, const char *text, size_t size, const char *path)
{
    vsg_obj_bytes igc = write_as(f, f->module, VSG_OBJ_LAYOUT_IGC);
    vsg_obj_bytes doc = write_as(f, f->module, VSG_OBJ_LAYOUT_DOC);
    vsg_obj_module *from_igc = read_bytes(f, &igc, VSG_OBJ_LAYOUT_IGC);
    vsg_obj_module *from_doc = read_bytes(f, &doc, VSG_OBJ_LAYOUT_DOC);
    must_print(from_igc, text, size, "igc", path);
    must_print(from_doc, text, size, "doc", path);

    vsg_obj_bytes again = write_as(f, from_igc, VSG_OBJ_LAYOUT_NONE);
    must_be_equal(&again, &igc, "igc again", path);
    vsg_obj_bytes_free(&f->alloc, &again);
    again = write_as(f, from_doc, VSG_OBJ_LAYOUT_NONE);
    must_be_equal(&again, &doc, "doc again", path);
    vsg_obj_bytes_free(&f->alloc, &again);

    again = write_as(f, from_doc, VSG_OBJ_LAYOUT_IGC);
    must_be_equal(&again, &igc, "doc to igc", path);
    vsg_obj_bytes across = write_as(f, from_igc, VSG_OBJ_LAYOUT_DOC);
    vsg_obj_module *crossed = read_bytes(f, &across, VSG_OBJ_LAYOUT_DOC);
    must_print(crossed, text, size, "igc to doc", path);
    vsg_obj_bytes_free(&f->alloc, &again);
    again = write_as(f, crossed, VSG_OBJ_LAYOUT_IGC);
    must_be_equal(&again, &igc, "igc to doc to igc", path);

    vsg_obj_destroy(&crossed);
    vsg_obj_destroy(&from_doc);
    vsg_obj_destroy(&from_igc);
    vsg_obj_bytes_free(&f->alloc, &again);
    vsg_obj_bytes_free(&f->alloc, &across);
    vsg_obj_bytes_free(&f->alloc, &doc);
    vsg_obj_bytes_free(&f->alloc, &igc);
}

/* ---- real listings ---------------------------------------------------------------------- */

static void check_file(fixture *f, const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0, room = 0, got;

    if (!file)
        fail_msg("cannot open %s", path);
    do {
        room += 65536;
        text = realloc(text, room + 1);
        assert_non_null(text);
        got = fread(text + size, 1, room - size, file);
        size += got;
    } while (size == room);
    text[size] = '\0';
    (void)fclose(file);
    if (read_as(f, text, size, VISAGE_PLATFORM_NONE, NULL) != VISAGE_OK)
        fail_msg("cannot read %s", path);
    all_ways(f, text, size, path);
    free(text);
}

static void check_folder(fixture *f, const char *folder)
{
    const char *slash = strrchr(__FILE__, '/');
    char path[2048];
    size_t found = 0;

    (void)snprintf(path, sizeof path, "%.*s%s../data/%s", slash ? (int)(slash - __FILE__) : 0,
                   __FILE__, slash ? "/" : "", folder);
    DIR *directory = opendir(path);
    if (!directory)
        fail_msg("cannot open %s", path);
    size_t length = strlen(path);
    for (struct dirent *entry; (entry = readdir(directory));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".visaasm") != 0)
            continue;
        (void)snprintf(path + length, sizeof path - length, "/%s", entry->d_name);
        check_file(f, path);
        found++;
    }
    (void)closedir(directory);
    if (found == 0)
        fail_msg("no text in %s", folder);
}

static void listings(void **state)
{
    static const char *const folders[] = {"text", "binary", "vector/skl", "vector/pvc"};

    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        check_folder(*state, folders[i]);
}

/* ---- labels ----------------------------------------------------------------------------- */

static void check_labels(const vsg_obj_module *module, const char *const *names, size_t count)
{
    const vsg_obj_unit *unit = module->units[0];

    assert_int_equal(unit->num_labels, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(unit->labels[i].name, names[i]);
}

static void must_have_labels(fixture *f, vsg_obj_layout layout, const char *const *names,
                             size_t count)
{
    vsg_obj_bytes bytes = write_as(f, f->module, layout);
    vsg_obj_module *module = read_bytes(f, &bytes, layout);

    check_labels(module, names, count);
    vsg_obj_destroy(&module);
    vsg_obj_bytes_free(&f->alloc, &bytes);
}

/* Subroutines stand at the numbers that their names end in, blocks fill the rest in the order
 * of their names, whatever the text mentions first (spec dialect 4.1). */
static void numbered_labels(void **state)
{
    static const char *const igc[] = {"_main", "foo_7", "_0_999", "bar", "_0_1000", "_1_002"};
    static const char *const doc[] = {"_main_0", "foo_7_1", "_0_999",
                                      "bar_3",   "_0_1000", "_1_002"};
    fixture *f = *state;

    (void)read_good(f, ".version 4.1\n.kernel \"k\"\n.function \"_main_0\"\n_main_0:\n"
                       "goto (M1, 1) _1_002\n_0_1000:\n_0_999:\ncall (M1, 1) bar_3\n_1_002:\n"
                       "ret (M1, 1)\n.function \"bar_3\"\nbar_3:\nret (M1, 1)\n"
                       ".function \"foo_7_1\"\nfoo_7_1:\nret (M1, 1)\n");
    must_have_labels(f, VSG_OBJ_LAYOUT_IGC, igc, 6);
    must_have_labels(f, VSG_OBJ_LAYOUT_DOC, doc, 6);
    printed p = print(f->module);
    all_ways(f, p.text, p.size, "numbered_labels");
    free(p.text);
}

/* A text of somebody else keeps its order: the number is not there, too large, or there twice.
 */
static void other_labels(void **state)
{
    static const char *const ends[] = {"", "_2", "_0", "_01", "_99999999999"};
    fixture *f = *state;

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char text[512], second[32];
        const char *names[] = {"_0", second};
        (void)snprintf(second, sizeof second, "s%s", ends[i]);
        (void)snprintf(text, sizeof text,
                       ".version 4.1\n.kernel \"k\"\n.function \"_0\"\n_0:\ncall (M1, 1) %s\n"
                       "ret (M1, 1)\n.function \"%s\"\n%s:\nret (M1, 1)\n",
                       second, second, second);
        (void)read_good(f, text);
        must_have_labels(f, VSG_OBJ_LAYOUT_DOC, names, 2);
        must_have_labels(f, VSG_OBJ_LAYOUT_IGC, names, 2);
    }
}

/* ---- functions of other files ----------------------------------------------------------- */

static void declared_functions(void **state)
{
    static const vsg_obj_layout layouts[] = {VSG_OBJ_LAYOUT_DOC, VSG_OBJ_LAYOUT_IGC};
    fixture *f = *state;

    (void)read_good(f, ".version 4.1\n.kernel \"k\"\n.funcdecl \"b\"\n.funcdecl \"here\"\n"
                       ".funcdecl \"a\"\nret (M1, 1)\n.kernel \"l\"\n.funcdecl \"a\"\n"
                       "ret (M1, 1)\n.global_function \"here\"\nfret (M1, 1)\n");
    for (size_t i = 0; i < 2; i++) {
        static const char *const names[] = {"here", "b", "a"};
        vsg_obj_bytes bytes = write_as(f, f->module, layouts[i]);
        vsg_obj_module *module = read_bytes(f, &bytes, layouts[i]);
        assert_int_equal(module->num_units, 5);
        for (size_t n = 0; n < 3; n++) {
            const vsg_obj_unit *unit = module->units[2 + n];
            assert_string_equal(unit->name, names[n]);
            assert_true(unit->is_function);
            assert_int_equal(unit->stored.is_declaration, n > 0);
            assert_int_equal(unit->linkage,
                             n > 0 ? VSG_OBJ_LINKAGE_EXTERN : VSG_OBJ_LINKAGE_GLOBAL);
        }
        printed p = print(module);
        assert_null(strstr(p.text, ".global_function \"a\""));
        assert_non_null(strstr(p.text, ".kernel \"k\"\n.funcdecl \"here\"\n.funcdecl \"b\"\n"
                                       ".funcdecl \"a\"\n"));
        free(p.text);
        vsg_obj_destroy(&module);
        vsg_obj_bytes_free(&f->alloc, &bytes);
    }
}

/* ---- what listings do not say ----------------------------------------------------------- */

static const char *pool_text(const vsg_obj_unit *unit, size_t index)
{
    assert_true(index < unit->stored.num_strings);
    return unit->stored.strings[index];
}

/* spec dialect 1.1: attributes and their sizes, names in the pool; real files: their order. */
static void as_the_compiler(void **state)
{
    static const char *const pool[] = {
        "OutputAsmPath", "SimdSize", "Target", "_main", "T006", "V0032",
        "V0033",         "P01",      "_0_001", "A00",   "q",    "PerThreadInputSize"};
    static const unsigned sizes[] = {6, 1, 2, 1};
    fixture *f = *state;

    (void)read_good(f, ".version 4.1\n.kernel \"kk\"\n.decl V0032 v_type=G type=d num_elts=1\n"
                       ".decl V0033 v_type=G type=d num_elts=1\n.decl A0 v_type=A num_elts=1\n"
                       ".decl P1 v_type=P num_elts=1\n.decl q v_type=P num_elts=1\n"
                       ".decl T6 v_type=T num_elts=1 v_name=T006\n"
                       ".kernel_attr SimdSize=8\n.kernel_attr PerThreadInputSize=96\n"
                       ".kernel_attr Target=\"3d\"\n.function \"_main_0\"\n_main_0:\n"
                       "mov (M1, 1) V0032(0,0)<1> V0033(0,0)<0;1,0>\n"
                       "cmp.eq (M1, 1) P1 V0033(0,0)<0;1,0> 0x0:d\n(P1) goto (M1, 1) _0_001\n"
                       "addr_add (M1, 1) A0(0)<1> &V0032 0x0:uw\n_0_001:\nret (M1, 1)\n");
    vsg_obj_bytes bytes = write_as(f, f->module, VSG_OBJ_LAYOUT_IGC);
    vsg_obj_module *module = read_bytes(f, &bytes, VSG_OBJ_LAYOUT_IGC);
    const vsg_obj_unit *unit = module->units[0];
    assert_string_equal(pool_text(unit, 0), "kk");
    assert_string_equal(pool_text(unit, 1), "%null");
    assert_string_equal(pool_text(unit, 28), "S31");
    assert_int_equal(unit->stored.num_strings, 29 + sizeof pool / sizeof pool[0]);
    for (size_t i = 0; i < sizeof pool / sizeof pool[0]; i++)
        assert_string_equal(pool_text(unit, 29 + i), pool[i]);
    assert_int_equal(unit->attributes.count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(unit->attributes.items[i].size_bytes, sizes[i]);
    assert_string_equal(unit->attributes.items[0].string, "kk.asm");
    vsg_obj_destroy(&module);
    vsg_obj_bytes_free(&f->alloc, &bytes);
}

/* A number that is too large for the usual size gets a larger one. */
static void large_attribute(void **state)
{
    fixture *f = *state;
    const vsg_obj_unit *unit = read_good(
        f, ".version 4.1\n.kernel \"k\"\n.kernel_attr SimdSize=256\n.kernel_attr SLMSize=-1\n"
           ".kernel_attr PerThreadInputSize=65535\nret (M1, 1)\n");

    assert_int_equal(unit->attributes.items[0].size_bytes, 4);
    assert_int_equal(unit->attributes.items[1].size_bytes, 4);
    assert_int_equal(unit->attributes.items[2].size_bytes, 2);
    vsg_obj_bytes bytes = write_as(f, f->module, VSG_OBJ_LAYOUT_DOC);
    vsg_obj_module *module = read_bytes(f, &bytes, VSG_OBJ_LAYOUT_DOC);
    const vsg_obj_attributes *list = &module->units[0]->attributes;
    assert_int_equal(vsg_obj_attribute_value(list, "SimdSize", 0), 256);
    assert_int_equal((uint32_t)vsg_obj_attribute_value(list, "SLMSize", 0), UINT32_MAX);
    vsg_obj_destroy(&module);
    vsg_obj_bytes_free(&f->alloc, &bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(listings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbered_labels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_labels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(declared_functions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(as_the_compiler, set_up, tear_down),
        cmocka_unit_test_setup_teardown(large_attribute, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
