/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hostile.h"

/* ---- work ------------------------------------------------------------------------------- */

static uint64_t work;

/* The compiler calls the first in every basic block of what is instrumented; the linker brings
 * the others in the way of calls of string.h (--wrap). */
void __sanitizer_cov_trace_pc(void);
void *__real_memcpy(void *to, const void *from, size_t size);
void *__real_memmove(void *to, const void *from, size_t size);
void *__real_memset(void *to, int value, size_t size);
int __real_memcmp(const void *a, const void *b, size_t size);
void *__real_memchr(const void *in, int value, size_t size);
size_t __real_strlen(const char *text);
int __real_strcmp(const char *a, const char *b);
void *__wrap_memcpy(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size);
void *__wrap_memset(void *to, int value, size_t size);
int __wrap_memcmp(const void *a, const void *b, size_t size);
void *__wrap_memchr(const void *in, int value, size_t size);
size_t __wrap_strlen(const char *text);
int __wrap_strcmp(const char *a, const char *b);

/* A word or a short name is a step. */
enum { STEP_BYTES = 32 };

void __sanitizer_cov_trace_pc(void)
{
    work++;
}

void *__wrap_memcpy(void *to, const void *from, size_t size)
{
    work += size / STEP_BYTES;
    return __real_memcpy(to, from, size);
}

void *__wrap_memmove(void *to, const void *from, size_t size)
{
    work += size / STEP_BYTES;
    return __real_memmove(to, from, size);
}

void *__wrap_memset(void *to, int value, size_t size)
{
    work += size / STEP_BYTES;
    return __real_memset(to, value, size);
}

int __wrap_memcmp(const void *a, const void *b, size_t size)
{
    work += size / STEP_BYTES;
    return __real_memcmp(a, b, size);
}

void *__wrap_memchr(const void *in, int value, size_t size)
{
    void *found = __real_memchr(in, value, size);

    work += (found ? (size_t)((char *)found - (const char *)in) : size) / STEP_BYTES;
    return found;
}

size_t __wrap_strlen(const char *text)
{
    size_t length = __real_strlen(text);

    work += length / STEP_BYTES;
    return length;
}

int __wrap_strcmp(const char *a, const char *b)
{
    size_t same = 0;

    while (a[same] && a[same] == b[same])
        same++;
    work += same / STEP_BYTES;
    return __real_strcmp(a, b);
}

/* ---- inputs ----------------------------------------------------------------------------- */

void hostile_put(hostile_bytes *out, const void *data, size_t size)
{
    if (out->capacity - out->size < size) {
        out->capacity = (out->size + size) * 2;
        out->data = realloc(out->data, out->capacity);
        assert_non_null(out->data);
    }
    if (size)
        memcpy(out->data + out->size, data, size);
    out->size += size;
}

void hostile_text(hostile_bytes *out, const char *text)
{
    hostile_put(out, text, text ? strlen(text) : 0);
}

void hostile_numbered(hostile_bytes *out, const char *text, size_t number)
{
    char digits[24];

    for (;;) {
        size_t length = strcspn(text, "@$");
        hostile_put(out, text, length);
        text += length;
        if (!*text)
            return;
        (void)snprintf(digits, sizeof digits, "%zu", number - (*text++ == '$'));
        hostile_text(out, digits);
    }
}

void hostile_free(hostile_bytes *bytes)
{
    free(bytes->data);
    *bytes = (hostile_bytes){NULL, 0, 0};
}

static hostile_bytes make(const hostile_case *c, size_t size)
{
    hostile_bytes out = {NULL, 0, 0};

    if (c->make) {
        c->make(&out, size);
        return out;
    }
    hostile_text(&out, c->head);
    for (size_t i = 1; out.size < size; i++)
        hostile_numbered(&out, c->each, i);
    hostile_text(&out, c->tail);
    return out;
}

/* ---- reading ---------------------------------------------------------------------------- */

typedef struct meter {
    size_t live, peak;
} meter;

static void *metered(void *user, void *pointer, size_t old_size, size_t new_size)
{
    meter *m = user;

    m->live = m->live - (pointer ? old_size : 0) + new_size;
    if (m->live > m->peak)
        m->peak = m->live;
    if (new_size == 0) {
        free(pointer);
        return NULL;
    }
    return realloc(pointer, new_size);
}

static bool ignore(void *user, const void *data, size_t size_bytes)
{
    (void)user;
    (void)data;
    (void)size_bytes;
    return true;
}

static void look_at(const visage_module *module)
{
    visage_module_info info;

    assert_int_equal(visage_module_get_info(module, &info), VISAGE_OK);
    for (size_t i = 0; i < info.num_kernels + info.num_functions; i++) {
        visage_kernel_info kernel;
        visage_argument_info argument;
        visage_input_info input;
        assert_int_equal(visage_module_get_kernel(module, i, &kernel), VISAGE_OK);
        for (size_t n = 0; n < kernel.num_arguments; n++)
            assert_int_equal(visage_module_get_argument(module, i, n, &argument), VISAGE_OK);
        for (size_t n = 0; n < kernel.num_inputs; n++)
            assert_int_equal(visage_module_get_input(module, i, n, &input), VISAGE_OK);
    }
    assert_int_equal(visage_module_print(module, NULL, ignore, NULL), VISAGE_OK);
    for (visage_layout layout = VISAGE_LAYOUT_DOC; layout <= VISAGE_LAYOUT_IGC; layout++) {
        visage_write_options options = VISAGE_OPTIONS_INIT(visage_write_options);
        options.layout = layout;
        visage_status status = visage_module_write(module, &options, NULL, ignore, NULL);
        assert_true(status == VISAGE_OK || status == VISAGE_INVALID);
    }
}

hostile_cost hostile_read(const hostile_bytes *data, const hostile_bytes *info)
{
    meter m = {0, 0};
    visage_context_options options = VISAGE_OPTIONS_INIT(visage_context_options);
    visage_module_options how = VISAGE_OPTIONS_INIT(visage_module_options);
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_module *module;
    hostile_cost cost = {.message = "no diagnostic"};

    options.resize = metered;
    options.user = &m;
    if (info) {
        how.info = info->data;
        how.info_size = info->size;
    }
    assert_int_equal(visage_context_create(&options, &context), VISAGE_OK);
    assert_int_equal(visage_diagnostics_create(context, &diagnostics), VISAGE_OK);
    work = 0;
    cost.status = visage_module_read_memory(context, "hostile", data->data, data->size, &how,
                                            diagnostics, &module);
    cost.peak_bytes = m.peak;
    (void)visage_diagnostic_render(visage_diagnostics_get(diagnostics, 0), false, cost.message,
                                   sizeof cost.message);
    if (module)
        look_at(module);
    cost.work = work;
    visage_module_destroy(&module);
    visage_diagnostics_destroy(&diagnostics);
    visage_context_destroy(&context);
    assert_int_equal(m.live, 0);
    return cost;
}

size_t hostile_most_memory(size_t size)
{
    return 64 * size + ((size_t)16 << 20);
}

/* Steps a byte, negative when the case failed. */
static double measure(const hostile_case *c, size_t size, bool is_info)
{
    static char text[] = ".version 3.8\n.kernel \"k\"\nret (M1, 1)\n";
    const hostile_bytes small_text = {text, sizeof text - 1, sizeof text};
    hostile_bytes made = make(c, size);
    hostile_cost cost = is_info ? hostile_read(&small_text, &made) : hostile_read(&made, NULL);
    double steps = (double)cost.work / (double)made.size;

    if (cost.status != c->status) {
        print_error("%s, %zu bytes: %s, expected %s: %s\n", c->name, made.size,
                    visage_status_name(cost.status), visage_status_name(c->status),
                    cost.message);
        steps = -1;
    }
    if (cost.peak_bytes > hostile_most_memory(made.size)) {
        print_error("%s: %zu bytes of memory for %zu\n", c->name, cost.peak_bytes, made.size);
        steps = -1;
    }
    hostile_free(&made);
    return steps;
}

void hostile_check(const hostile_case *cases, size_t count, bool is_info)
{
    enum { SMALL = 1 << 14, LARGE = 1 << 19 };
    size_t failed = 0;

    for (size_t i = 0; i < count; i++) {
        double little = measure(&cases[i], SMALL, is_info);
        size_t large = cases[i].large_bytes ? cases[i].large_bytes : LARGE;
        double much = measure(&cases[i], large, is_info);
        /* Sorting costs a logarithm, tables grow in steps. */
        bool is_linear = much <= little * 1.5 + 1;
        if (!is_linear)
            print_error("%s: %.1f steps a byte, and %.1f when large\n", cases[i].name, little,
                        much);
        failed += !is_linear || little < 0 || much < 0;
    }
    assert_int_equal(failed, 0);
}
