/* SPDX-License-Identifier: MIT
 *
 * .ze_info as bare YAML: every field, every way of being wrong. Expected values come from
 * zeinfo.md of the zebin specification. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "container_support.h"

#define HEAD "version: '1.20'\nkernels:\n  - name: k\n"
#define ENV  "    execution_env:\n      simd_size: 8\n"

static visage_status read_text(fixture *f, const char *text, size_t size)
{
    /* A copy of exactly that size, so that a sanitizer sees what is read beyond it. */
    char *bytes = malloc(size ? size : 1);
    assert_non_null(bytes);
    memcpy(bytes, text, size);
    visage_status status =
        vsg_con_read_info(&f->alloc, "info.yaml", bytes, size, f->diagnostics, &f->zebin);
    free(bytes);
    return status;
}

static void reads_every_field(void **state)
{
    static const char text[] =
        "---\n"
        "version: '1.73'\n"
        "kernels:\n"
        "  - name: all\n"
        "    user_attributes:\n"
        "      invalid_kernel: too big\n"
        "    execution_env:\n"
        "      simd_size: 16\n"
        "      grf_count: 256\n"
        "      slm_size: 1024\n"
        "      barrier_count: 2\n"
        "      required_work_group_size: [ 8, 4, 2 ]\n"
        "      required_sub_group_size: 16\n"
        "      work_group_walk_order_dimensions: [ 2, 1, 0 ]\n"
        "      has_stack_calls: true\n"
        "      has_no_stateless_write: true\n"
        "      has_4gb_buffers: true\n"
        "      has_global_atomics: true\n"
        "      indirect_stateless_count: 3\n"
        "      inline_data_payload_size: 32\n"
        "    payload_arguments:\n"
        "      - arg_type: arg_bypointer\n"
        "        offset: 32\n"
        "        size: 8\n"
        "        arg_index: 2\n"
        "        addrmode: bindless\n"
        "        addrspace: sampler\n"
        "        access_type: writeonly\n"
        "        image_type: image_2d\n"
        "        slm_alignment: 64\n"
        "        sampler_index: 3\n"
        "      - {arg_type: arg_byvalue, offset: 0x28, size: 4, arg_index: 0,\n"
        "         source_offset: 12}\n"
        "    per_thread_payload_arguments:\n"
        "      - arg_type: local_id\n"
        "        offset: 0\n"
        "        size: 96\n"
        "    binding_table_indices:\n"
        "      - bti_value: 7\n"
        "        arg_index: 2\n"
        "    per_thread_memory_buffers:\n"
        "      - type: scratch\n"
        "        usage: single_space\n"
        "        size: 8192\n"
        "        slot: 1\n"
        "      - type: global\n"
        "        usage: private_space\n"
        "        size: 256\n"
        "        is_simt_thread: true\n"
        "    inline_samplers:\n"
        "      - sampler_index: 1\n"
        "        addrmode: clamp_edge\n"
        "        filtermode: linear\n"
        "        normalized: true\n"
        "kernels_misc_info:\n"
        "  - name: all\n"
        "    args_info:\n"
        "      - index: 1\n"
        "        name: b\n"
        "        address_qualifier: __private\n"
        "        access_qualifier: NONE\n"
        "        type_name: 'float4;16'\n"
        "        type_qualifiers: const\n"
        "...\n";
    fixture *f = *state;

    assert_clean_read(f, read_text(f, text, sizeof text - 1));
    assert_string_equal(f->zebin.info_version, "1.73");
    assert_int_equal(f->zebin.platform, VISAGE_PLATFORM_NONE);
    assert_int_equal(f->zebin.num_kernels, 1);
    const vsg_con_kernel *k = &f->zebin.kernels[0];
    assert_ptr_equal(vsg_con_find_kernel(&f->zebin, "all"), k);
    assert_null(vsg_con_find_kernel(&f->zebin, "al"));
    assert_null(k->text);
    assert_false(k->is_pseudo);
    assert_string_equal(k->invalid, "too big");
    assert_int_equal(k->simd_size, 16);
    assert_int_equal(k->grf_count, 256);
    assert_int_equal(k->slm_size_bytes, 1024);
    assert_int_equal(k->barrier_count, 2);
    assert_int_equal(k->required_work_group_size[0], 8);
    assert_int_equal(k->required_work_group_size[1], 4);
    assert_int_equal(k->required_work_group_size[2], 2);
    assert_int_equal(k->required_sub_group_size, 16);
    assert_int_equal(k->walk_order[0], 2);
    assert_int_equal(k->walk_order[2], 0);
    assert_true(k->has_stack_calls && k->has_no_stateless_write);
    assert_true(k->has_4gb_buffers && k->has_global_atomics);
    assert_int_equal(k->indirect_stateless_count, 3);
    assert_int_equal(k->inline_data_payload_size, 32);

    assert_int_equal(k->num_payload, 2);
    const vsg_con_payload *p = k->payload;
    assert_int_equal(p[0].kind, VSG_CON_PAYLOAD_ARG_BYPOINTER);
    assert_string_equal(p[0].word, "arg_bypointer");
    assert_int_equal(p[0].offset_bytes, 32);
    assert_int_equal(p[0].size_bytes, 8);
    assert_int_equal(p[0].arg_index, 2);
    assert_int_equal(p[0].addrmode, VSG_CON_ADDRMODE_BINDLESS);
    assert_int_equal(p[0].addrspace, VSG_CON_ADDRSPACE_SAMPLER);
    assert_string_equal(p[0].access, "writeonly");
    assert_string_equal(p[0].image_type, "image_2d");
    assert_int_equal(p[0].slm_alignment, 64);
    assert_int_equal(p[0].sampler_index, 3);
    assert_int_equal(p[1].kind, VSG_CON_PAYLOAD_ARG_BYVALUE);
    assert_int_equal(p[1].offset_bytes, 40);
    assert_int_equal(p[1].source_offset_bytes, 12);
    assert_int_equal(p[1].addrmode, VSG_CON_ADDRMODE_NONE);
    assert_int_equal(p[1].sampler_index, -1);
    assert_null(p[1].access);

    assert_int_equal(k->num_per_thread, 1);
    assert_int_equal(k->per_thread[0].kind, VSG_CON_PAYLOAD_LOCAL_ID);
    assert_int_equal(k->per_thread[0].size_bytes, 96);
    assert_int_equal(k->per_thread[0].arg_index, -1);
    assert_int_equal(k->num_bindings, 1);
    assert_int_equal(k->bindings[0].bti, 7);
    assert_int_equal(k->bindings[0].arg_index, 2);

    assert_int_equal(k->num_memory, 2);
    assert_string_equal(k->memory[0].type, "scratch");
    assert_string_equal(k->memory[0].usage, "single_space");
    assert_int_equal(k->memory[0].size_bytes, 8192);
    assert_int_equal(k->memory[0].slot, 1);
    assert_false(k->memory[0].is_simt_thread);
    assert_string_equal(k->memory[1].type, "global");
    assert_true(k->memory[1].is_simt_thread);

    assert_int_equal(k->num_samplers, 1);
    assert_int_equal(k->samplers[0].index, 1);
    assert_string_equal(k->samplers[0].addrmode, "clamp_edge");
    assert_string_equal(k->samplers[0].filtermode, "linear");
    assert_true(k->samplers[0].normalized);

    /* Highest arg_index is 2, so there are three; only the middle one is described. */
    assert_int_equal(k->num_args, 3);
    assert_null(k->args[0].name);
    assert_string_equal(k->args[1].name, "b");
    assert_string_equal(k->args[1].address_qualifier, "__private");
    assert_string_equal(k->args[1].access_qualifier, "NONE");
    assert_string_equal(k->args[1].type_name, "float4;16");
    assert_string_equal(k->args[1].type_qualifiers, "const");
    assert_null(k->args[2].name);
}

static void fills_in_defaults(void **state)
{
    static const char text[] = "kernels: [{name: k, execution_env: {simd_size: 1}}]";
    fixture *f = *state;

    assert_clean_read(f, read_text(f, text, sizeof text - 1));
    assert_null(f->zebin.info_version);
    const vsg_con_kernel *k = &f->zebin.kernels[0];
    assert_int_equal(k->grf_count, 128);
    assert_int_equal(k->walk_order[0], 0);
    assert_int_equal(k->walk_order[1], 0);
    assert_int_equal(k->walk_order[2], 0);
    assert_int_equal(k->required_work_group_size[0], 0);
    assert_int_equal(k->num_payload + k->num_per_thread + k->num_bindings + k->num_memory, 0);
    assert_int_equal(k->num_samplers + k->num_args, 0);
    assert_null(k->invalid);
    assert_false(k->has_stack_calls);
}

static void knows_every_word(void **state)
{
    static const struct {
        const char *word;
        vsg_con_payload_kind kind;
    } words[] = {
        {"packed_local_ids", VSG_CON_PAYLOAD_PACKED_LOCAL_IDS},
        {"implicit_arg_buffer", VSG_CON_PAYLOAD_IMPLICIT_ARG_BUFFER},
        {"private_base_stateless", VSG_CON_PAYLOAD_PRIVATE_BASE_STATELESS},
        {"flat_image_baseoffset", VSG_CON_PAYLOAD_FLAT_IMAGE_BASE_OFFSET},
        {"sampler_normalized", VSG_CON_PAYLOAD_SAMPLER_NORMALIZED},
        {"const_base", VSG_CON_PAYLOAD_CONST_BASE},
        {"region_group_barrier_buffer", VSG_CON_PAYLOAD_REGION_GROUP_BARRIER_BUFFER},
        {"work_dimensions", VSG_CON_PAYLOAD_WORK_DIMENSIONS},
    };
    fixture *f = *state;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char text[256];
        int size = snprintf(text, sizeof text,
                            HEAD ENV "    payload_arguments:\n"
                                     "      - {arg_type: %s, offset: 0, size: 4}\n",
                            words[i].word);
        assert_clean_read(f, read_text(f, text, (size_t)size));
        assert_int_equal(f->zebin.kernels[0].payload[0].kind, words[i].kind);
        clean(f);
    }
}

static void skips_what_is_new(void **state)
{
    static const char text[] = "version: '1.99'\n"
                               "l1_cache_policy: wb\n"
                               "kernels:\n"
                               "  - name: k\n"
                               "    novelty: {a: [1, {b: 2}, [3]], c: {}}\n"
                               "    execution_env:\n"
                               "      private_size: 4\n"
                               "      simd_size: 8\n"
                               "      slm_alloc_mode: 0\n"
                               "      thread_scheduling_mode: age_based\n"
                               "    payload_arguments:\n"
                               "      - arg_type: arg_byvalue\n"
                               "        offset: 0\n"
                               "        size: 4\n"
                               "        arg_index: 0\n"
                               "        is_ptr: true\n"
                               "    debug_env:\n"
                               "      sip_surface_bti: 0\n"
                               "functions:\n"
                               "  - name: f\n"
                               "kernels_cost_info: []\n"
                               "kernels_misc_info:\n"
                               "  - name: k\n"
                               "    args_info:\n";
    fixture *f = *state;

    assert_clean_read(f, read_text(f, text, sizeof text - 1));
    assert_int_equal(f->zebin.kernels[0].simd_size, 8);
    assert_int_equal(f->zebin.kernels[0].num_args, 1);
}

static void warns_where_meaning_changes(void **state)
{
    static const struct {
        const char *text, *code;
        uint32_t line;
    } cases[] = {
        {HEAD ENV "    payload_arguments:\n      - {arg_type: novelty, offset: 0, size: 4}\n",
         "WR0024", 7},
        {HEAD ENV "      slm_alloc_mode: 1\n", "WR0030", 6},
        {HEAD ENV "      has_rtcalls: true\n", "WR0030", 6},
        {HEAD ENV "kernels_misc_info: [{name: other}]\n", "WR0024", 0},
    };
    fixture *f = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(read_text(f, cases[i].text, strlen(cases[i].text)), VISAGE_OK);
        assert_int_equal(visage_diagnostics_count(f->diagnostics), 1);
        assert_int_equal(assert_reported(f, cases[i].code)->line, cases[i].line);
        if (i == 0) {
            assert_int_equal(f->zebin.kernels[0].payload[0].kind, VSG_CON_PAYLOAD_UNKNOWN);
            assert_string_equal(f->zebin.kernels[0].payload[0].word, "novelty");
        }
        clean(f);
    }
}

typedef struct wrong {
    const char *text, *code;
    uint32_t line, column; /* 0: not looked at */
    visage_status status;  /* 0: MALFORMED */
} wrong;

#define PAYLOAD_OF(fields) HEAD ENV "    payload_arguments:\n      - {" fields "}\n"
#define MEMORY_OF(fields)  HEAD ENV "    per_thread_memory_buffers:\n      - {" fields "}\n"

static const wrong wrongs[] = {
    {"", "R0003", 0, 0, 0},
    /* no YAML */
    {"kernels: [\n", "R0020", 2, 1, 0},
    {"kernels: ]\n", "R0020", 1, 10, 0},
    {"a: b: c\n", "R0020", 1, 5, 0},
    {"kernels:\n\t- name: k\n", "R0020", 2, 1, 0},
    {"kernels: \"\xff\"\n", "R0020", 1, 11, 0},
    {"kernels: []\nversion: '1.0\x01'\n", "R0020", 2, 14, 0},
    {"kernels: 'no end\n", "R0020", 0, 0, 0},
    /* no document of the right shape */
    {"# nothing\n", "R0021", 0, 0, 0},
    {"--- {kernels: []}\n--- {kernels: []}\n", "R0021", 2, 1, 0},
    {"x: &a 1\nkernels: []\n", "R0021", 1, 4, 0},
    {"x: *a\nkernels: []\n", "R0021", 1, 4, 0},
    {"a: &a [x, x]\nb: &b [*a, *a]\nkernels: [*b]\n", "R0021", 1, 4, 0},
    {"[kernels]\n", "R0026", 1, 1, 0},
    {"kernels\n", "R0026", 1, 1, 0},
    {"? [a]\n: b\n", "R0026", 1, 3, 0},
    {"version: '1.0'\n", "R0023", 1, 1, 0},
    {"kernels: {name: k}\n", "R0026", 1, 10, 0},
    {"kernels: 5\n", "R0026", 1, 10, 0},
    {"kernels: [k]\n", "R0026", 1, 11, 0},
    {"kernels: []\nkernels: []\n", "R0027", 2, 1, 0},
    /* version */
    {"version: '2.0'\nkernels: []\n", "R0028", 0, 0, VISAGE_UNSUPPORTED},
    {"version: '11.0'\nkernels: []\n", "R0028", 0, 0, VISAGE_UNSUPPORTED},
    {"version: [1]\nkernels: []\n", "R0026", 1, 10, 0},
    /* kernels */
    {"kernels: [{}]\n", "R0023", 1, 11, 0},
    {"kernels: [{name: k}]\n", "R0023", 1, 11, 0},
    {"kernels: [{name: k, execution_env: {}}]\n", "R0023", 1, 36, 0},
    {"kernels: [{name: k, execution_env: }]\n", "R0023", 0, 0, 0},
    {"kernels: [{name: [k], execution_env: {simd_size: 8}}]\n", "R0026", 1, 18, 0},
    {"kernels: [{name: \"k\\0\", execution_env: {simd_size: 8}}]\n", "R0022", 1, 18, 0},
    {HEAD ENV "  - name: k\n" ENV, "R0027", 0, 0, 0},
    {HEAD ENV "      simd_size: 8\n", "R0027", 6, 7, 0},
    {HEAD "    execution_env: {simd_size: 4}\n", "R0029", 0, 0, 0},
    {HEAD "    execution_env: {simd_size: 64}\n", "R0022", 4, 32, 0},
    {HEAD "    execution_env: {simd_size: -8}\n", "R0022", 4, 32, 0},
    {HEAD "    execution_env: {simd_size: eight}\n", "R0022", 4, 32, 0},
    {HEAD "    execution_env: {simd_size: 8.0}\n", "R0022", 4, 32, 0},
    {HEAD "    execution_env: {simd_size: }\n", "R0022", 0, 0, 0},
    {HEAD "    execution_env: {simd_size: [8]}\n", "R0026", 4, 32, 0},
    {HEAD ENV "      slm_size: 16777217\n", "R0022", 6, 17, 0},
    {HEAD ENV "      slm_size: 0x\n", "R0022", 6, 17, 0},
    {HEAD ENV "      slm_size: 99999999999999999999\n", "R0022", 6, 17, 0},
    {HEAD ENV "      slm_size: 18446744073709551617\n", "R0022", 6, 17, 0},
    {HEAD ENV "      slm_size: -1\n", "R0022", 6, 17, 0},
    {HEAD ENV "      barrier_count: 256\n", "R0022", 6, 22, 0},
    {HEAD ENV "      has_stack_calls: yes\n", "R0022", 6, 24, 0},
    {HEAD ENV "      has_stack_calls: {}\n", "R0026", 6, 24, 0},
    {HEAD ENV "      required_work_group_size: 8\n", "R0026", 6, 33, 0},
    {HEAD ENV "      required_work_group_size: [8, 1]\n", "R0026", 6, 38, 0},
    {HEAD ENV "      required_work_group_size: [8, 1, 1, 1]\n", "R0021", 6, 43, 0},
    {HEAD ENV "      required_work_group_size: [8, 1, -1]\n", "R0022", 6, 40, 0},
    {HEAD ENV "      work_group_walk_order_dimensions: [0, 1, 3]\n", "R0022", 6, 48, 0},
    {HEAD ENV "    user_attributes: 3\n", "R0026", 6, 22, 0},
    /* payload */
    {PAYLOAD_OF("offset: 0, size: 4"), "R0023", 7, 9, 0},
    {PAYLOAD_OF("arg_type: local_id, size: 4"), "R0023", 7, 9, 0},
    {PAYLOAD_OF("arg_type: local_id, offset: 4"), "R0023", 7, 9, 0},
    {PAYLOAD_OF("arg_type: arg_byvalue, offset: 0, size: 4"), "R0023", 7, 9, 0},
    {PAYLOAD_OF("arg_type: arg_bypointer, offset: 0, size: 4, arg_index: -1"), "R0023", 7, 9,
     0},
    {PAYLOAD_OF("arg_type: local_id, offset: -4, size: 4"), "R0022", 7, 38, 0},
    {PAYLOAD_OF("arg_type: local_id, offset: 16777217, size: 4"), "R0022", 7, 38, 0},
    {PAYLOAD_OF("arg_type: local_id, offset: 0, size: 4294967296"), "R0022", 7, 47, 0},
    {PAYLOAD_OF("arg_type: local_id, offset: 0, size: 4, arg_index: 4096"), "R0022", 7, 61, 0},
    {PAYLOAD_OF("arg_type: local_id, offset: 0, size: 4, arg_index: -2"), "R0022", 7, 61, 0},
    {PAYLOAD_OF("addrmode: flat"), "R0022", 7, 20, 0},
    {PAYLOAD_OF("addrmode: ''"), "R0022", 7, 20, 0},
    {PAYLOAD_OF("addrspace: private"), "R0022", 7, 21, 0},
    {PAYLOAD_OF("access_type: none"), "R0022", 7, 23, 0},
    {PAYLOAD_OF("arg_type: local_id, offset: 0, size: 4, slm_alignment: 3"), "R0022", 7, 9, 0},
    {HEAD ENV "    payload_arguments: {}\n", "R0026", 6, 24, 0},
    /* the other lists */
    {HEAD ENV "    binding_table_indices: [{bti_value: 0}]\n", "R0023", 6, 29, 0},
    {HEAD ENV "    binding_table_indices: [{bti_value: 256}]\n", "R0022", 6, 41, 0},
    {MEMORY_OF("type: scratch, usage: single_space"), "R0023", 7, 9, 0},
    {MEMORY_OF("type: disk"), "R0022", 7, 16, 0},
    {MEMORY_OF("usage: any"), "R0022", 7, 17, 0},
    {MEMORY_OF("size: 1073741825"), "R0022", 7, 16, 0},
    {MEMORY_OF("slot: 2"), "R0022", 7, 16, 0},
    {HEAD ENV "    inline_samplers: [{sampler_index: 0}]\n", "R0023", 6, 23, 0},
    {HEAD ENV "    inline_samplers: [{addrmode: clamp}]\n", "R0022", 6, 34, 0},
    {HEAD ENV "    inline_samplers: [{filtermode: best}]\n", "R0022", 6, 36, 0},
    {HEAD ENV "kernels_misc_info: [{args_info: []}]\n", "R0023", 6, 21, 0},
    {HEAD ENV "kernels_misc_info: [{name: k, args_info: [{name: a}]}]\n", "R0023", 6, 43, 0},
    {HEAD ENV "kernels_misc_info: [{name: k, args_info: [{index: 5000}]}]\n", "R0022", 6, 51,
     0},
    {HEAD ENV "kernels_misc_info: [{name: k}, {name: k}]\n", "R0027", 0, 0, 0},
    {HEAD ENV "kernels_misc_info: [{name: k, args_info: [{index: 4000}]}]\n", "R0021", 0, 0, 0},
};

static void refuses_what_is_wrong(void **state)
{
    fixture *f = *state;

    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        const wrong *w = &wrongs[i];
        visage_status status = read_text(f, w->text, strlen(w->text));
        visage_status expected = w->status == VISAGE_OK ? VISAGE_MALFORMED : w->status;
        const visage_diagnostic *found = first(f, VISAGE_SEVERITY_ERROR);
        if (status != expected || !found || strcmp(found->code, w->code) != 0 ||
            (w->line && (found->line != w->line || found->column != w->column)) ||
            visage_diagnostics_errors(f->diagnostics) != 1)
            fail_msg("case %zu: %s\nstatus %d, %s %u:%u %s", i, w->text, (int)status,
                     found ? found->code : "no error", found ? found->line : 0,
                     found ? found->column : 0, found ? found->message : "");
        assert_string_equal(found->file, "info.yaml");
        assert_null(f->zebin.kernels);
        clean(f);
    }
}

static void tells_the_place(void **state)
{
    /* Columns are bytes: the comment has a three-byte character, the file a byte order mark. */
    static const char marked[] = "\xef\xbb\xbfkernels: [{name: \"\xe2\x82\xac\", x: *a}]\n";
    static const char named[] = HEAD ENV "  - name: second\r\n    execution_env:\r\n"
                                         "      simd_size: none\r\n";
    fixture *f = *state;
    const visage_diagnostic *found;

    assert_int_equal(read_text(f, marked, sizeof marked - 1), VISAGE_MALFORMED);
    found = assert_reported(f, "R0021");
    assert_int_equal(found->line, 1);
    assert_int_equal(found->column, 1 + (strchr(marked, '*') - marked));
    clean(f);

    assert_int_equal(read_text(f, named, sizeof named - 1), VISAGE_MALFORMED);
    found = assert_reported(f, "R0022");
    assert_int_equal(found->line, 8);
    assert_int_equal(found->column, 18);
    assert_string_equal(found->kernel, "second");
    assert_string_equal(found->source_line, "      simd_size: none");
    assert_false(found->has_offset);
    clean(f);

    /* The last line has no end, and the message shows it without reading on. */
    assert_int_equal(read_text(f, "kernels: x", 10), VISAGE_MALFORMED);
    assert_string_equal(assert_reported(f, "R0026")->source_line, "kernels: x");
}

static void stays_small_on_deep_input(void **state)
{
    enum { DEPTH = 200000 };
    fixture *f = *state;
    char *text = malloc(DEPTH + 16);

    assert_non_null(text);
    for (const char *unit = "[{"; *unit; unit++) {
        int head = sprintf(text, "kernels: ");
        memset(text + head, *unit, DEPTH);
        assert_int_equal(read_text(f, text, (size_t)head + DEPTH), VISAGE_MALFORMED);
        assert_reported(f, "R0026");
        head = sprintf(text, "new: ");
        memset(text + head, *unit, DEPTH);
        visage_diagnostics_clear(f->diagnostics);
        assert_int_equal(read_text(f, text, (size_t)head + DEPTH), VISAGE_MALFORMED);
        assert_string_equal(assert_reported(f, "R0021")->message,
                            ".ze_info: nested too deeply");
        visage_diagnostics_clear(f->diagnostics);
    }
    free(text);
    assert_true(f->counts.most_bytes < 1 << 16);
}

static void numbers_cost_no_memory(void **state)
{
    /* Each kernel claims an argument 4095: some 100 bytes that ask for 160 KiB. */
    enum { KERNELS = 400 };
    fixture *f = *state;
    char *text = malloc(KERNELS * 160);
    size_t size = 0;

    assert_non_null(text);
    size += (size_t)sprintf(text, "kernels:\n");
    for (int i = 0; i < KERNELS; i++)
        size +=
            (size_t)sprintf(text + size,
                            "- {name: k%d, execution_env: {simd_size: 8}, payload_arguments: "
                            "[{arg_type: buffer_size, offset: 0, size: 8, arg_index: 4095}]}\n",
                            i);
    assert_int_equal(read_text(f, text, size), VISAGE_MALFORMED);
    assert_reported(f, "R0021");
    assert_in_range(f->counts.most_bytes, 1, 16 * size);
    free(text);
}

static void finds_among_many(void **state)
{
    enum { KERNELS = 1000 };
    fixture *f = *state;
    char *text = malloc(KERNELS * 64), name[16];
    size_t size = 0;

    assert_non_null(text);
    size += (size_t)sprintf(text, "kernels:\n");
    for (int i = 0; i < KERNELS; i++)
        size += (size_t)sprintf(text + size, "- {name: k%d, execution_env: {simd_size: 8}}\n",
                                i * 7 % KERNELS);
    assert_clean_read(f, read_text(f, text, size));
    for (int i = 0; i < KERNELS; i++) {
        (void)snprintf(name, sizeof name, "k%d", i * 7 % KERNELS);
        assert_ptr_equal(vsg_con_find_kernel(&f->zebin, name), &f->zebin.kernels[i]);
    }
    assert_null(vsg_con_find_kernel(&f->zebin, "k1000"));
    free(text);
}

static void warns_a_bounded_number_of_times(void **state)
{
    enum { WORDS = 2000 };
    fixture *f = *state;
    char *text = malloc(WORDS * 64);
    size_t size = 0;

    assert_non_null(text);
    size += (size_t)sprintf(text, HEAD ENV "    payload_arguments:\n");
    for (int i = 0; i < WORDS; i++)
        size +=
            (size_t)sprintf(text + size, "      - {arg_type: new%d, offset: 0, size: 4}\n", i);
    assert_int_equal(read_text(f, text, size), VISAGE_OK);
    assert_int_equal(f->zebin.kernels[0].num_payload, WORDS);
    assert_in_range(visage_diagnostics_count(f->diagnostics), 1, 50);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reads_every_field, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fills_in_defaults, set_up, tear_down),
        cmocka_unit_test_setup_teardown(knows_every_word, set_up, tear_down),
        cmocka_unit_test_setup_teardown(skips_what_is_new, set_up, tear_down),
        cmocka_unit_test_setup_teardown(warns_where_meaning_changes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_what_is_wrong, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tells_the_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stays_small_on_deep_input, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbers_cost_no_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(finds_among_many, set_up, tear_down),
        cmocka_unit_test_setup_teardown(warns_a_bounded_number_of_times, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
