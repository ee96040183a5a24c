/* SPDX-License-Identifier: MIT
 *
 * What the tests of the container share: an allocator that counts and fails on demand, files,
 * diagnostics. Include after cmocka.h. */
#ifndef VISAGE_TESTS_CONTAINER_SUPPORT_H
#define VISAGE_TESTS_CONTAINER_SUPPORT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/zebin.h"

typedef struct counting {
    size_t live_bytes;
    size_t most_bytes;
    size_t calls; /* that asked for memory */
    size_t fail;  /* number of the call that gets none, from 1; 0: none fails */
} counting;

static inline void *counting_resize(void *user, void *pointer, size_t old_size, size_t new_size)
{
    counting *counts = user;

    if (new_size == 0) {
        counts->live_bytes -= pointer ? old_size : 0;
        free(pointer);
        return NULL;
    }
    if (++counts->calls == counts->fail)
        return NULL;
    void *resized = realloc(pointer, new_size);
    assert_non_null(resized);
    counts->live_bytes += new_size - (pointer ? old_size : 0);
    if (counts->live_bytes > counts->most_bytes)
        counts->most_bytes = counts->live_bytes;
    return resized;
}

typedef struct fixture {
    counting counts;
    vsg_base_alloc alloc, plain;
    visage_diagnostics *diagnostics;
    vsg_con_zebin zebin;
    uint8_t *bytes; /* what it was read from, where the test keeps it here */
    size_t size;
} fixture;

static inline int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);

    assert_non_null(f);
    f->alloc = (vsg_base_alloc){.resize = counting_resize, .user = &f->counts};
    f->plain = vsg_base_alloc_default();
    f->diagnostics = vsg_base_diagnostics_new(&f->plain);
    *state = f;
    return 0;
}

/* Frees what was read and forgets what was reported. */
static inline void clean(fixture *f)
{
    vsg_con_zebin_free(&f->zebin);
    visage_diagnostics_clear(f->diagnostics);
    assert_int_equal(f->counts.live_bytes, 0);
}

static inline int tear_down(void **state)
{
    fixture *f = *state;

    clean(f);
    visage_diagnostics_destroy(&f->diagnostics);
    free(f->bytes);
    free(f);
    return 0;
}

/* The first diagnostic of that severity, NULL where there is none. */
static inline const visage_diagnostic *first(const fixture *f, visage_severity severity)
{
    for (size_t i = 0; i < visage_diagnostics_count(f->diagnostics); i++) {
        const visage_diagnostic *found = visage_diagnostics_get(f->diagnostics, i);
        if (found->severity == severity)
            return found;
    }
    return NULL;
}

static inline const visage_diagnostic *assert_reported(const fixture *f, const char *code)
{
    const visage_diagnostic *found =
        first(f, code[0] == 'W' ? VISAGE_SEVERITY_WARNING : VISAGE_SEVERITY_ERROR);
    assert_non_null(found);
    assert_string_equal(found->code, code[0] == 'W' ? code + 1 : code);
    assert_true(strlen(found->message) > 0);
    return found;
}

static inline void assert_clean_read(const fixture *f, visage_status status)
{
    const visage_diagnostic *found = visage_diagnostics_get(f->diagnostics, 0);

    if (found)
        fail_msg("%s: %s", found->code, found->message);
    assert_int_equal(status, VISAGE_OK);
}

/* The whole of tests/data/zebin/<name>, in a block of exactly its size; free() it. */
static inline uint8_t *load(const char *name, size_t *size)
{
    char path[1024];
    const char *slash = strrchr(__FILE__, '/');
    int folder = slash ? (int)(slash - __FILE__) : 0;

    (void)snprintf(path, sizeof path, "%.*s%s../data/zebin/%s", folder, __FILE__,
                   slash ? "/" : "", name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    assert_true(length > 0);
    rewind(file);
    uint8_t *bytes = malloc((size_t)length);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)length, file), (size_t)length);
    (void)fclose(file);
    *size = (size_t)length;
    return bytes;
}

static inline size_t touch(const char *text)
{
    return text ? strlen(text) : 0;
}

/* Reads every byte the zebin leads to, for the sanitizers. */
static inline size_t walk(const vsg_con_zebin *zebin)
{
    size_t sum = touch(zebin->info_version);

    for (size_t i = 0; i < zebin->num_kernels; i++) {
        const vsg_con_kernel *k = &zebin->kernels[i];
        sum += touch(k->name) + touch(k->invalid);
        for (size_t n = 0; n < k->text_size; n++)
            sum += (unsigned char)k->text[n];
        for (size_t n = 0; n < k->num_payload; n++)
            sum += touch(k->payload[n].word) + touch(k->payload[n].access);
        for (size_t n = 0; n < k->num_args; n++)
            sum += touch(k->args[n].name) + touch(k->args[n].type_name);
        for (size_t n = 0; n < k->num_memory; n++)
            sum += touch(k->memory[n].type) + touch(k->memory[n].usage);
        assert_ptr_equal(vsg_con_find_kernel(zebin, k->name), k);
    }
    for (size_t i = 0; i < zebin->num_functions; i++) {
        sum += touch(zebin->functions[i].name);
        for (size_t n = 0; n < zebin->functions[i].text_size; n++)
            sum += (unsigned char)zebin->functions[i].text[n];
    }
    for (int s = 0; s < VSG_CON_SECTION_COUNT; s++)
        for (size_t n = 0; n < zebin->data[s].size_bytes; n++)
            sum += ((const uint8_t *)zebin->data[s].bytes)[n];
    for (size_t i = 0; i < zebin->num_symbols; i++)
        sum += touch(zebin->symbols[i].name);
    for (size_t i = 0; i < zebin->num_relocs; i++) {
        const vsg_con_reloc *reloc = &zebin->relocs[i];
        const vsg_con_data *data = &zebin->data[reloc->section];
        assert_true(reloc->offset_bytes + (reloc->kind == VSG_CON_RELOC_ADDR64 ? 8 : 4) <=
                    data->size_bytes + data->zero_bytes);
        assert_string_equal(reloc->symbol, reloc->target->name);
    }
    return sum;
}

#endif
