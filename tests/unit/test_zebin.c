/* SPDX-License-Identifier: MIT
 *
 * Zebins that the compiler wrote (tests/data/zebin), and what is left of them after damage.
 * Expected values are what readelf and the text of .ze_info say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "container_support.h"

static const char *const files[] = {
    "plain.skl.zebin", "data.pvc.zebin",    "bss.tgllp.zebin",
    "calls.dg2.zebin", "image.icllp.zebin", "vector.skl.zebin",
};

static bool has_text(const char *name)
{
    return strncmp(name, "vector", 6) != 0;
}

static visage_status read_bytes(fixture *f, const void *bytes, size_t size, bool with_text)
{
    return vsg_con_read_zebin(&f->alloc, "file.zebin", bytes, size, with_text, f->diagnostics,
                              &f->zebin);
}

/* Borrowed by f->zebin; free() after clean(). */
static uint8_t *read_good(fixture *f, const char *name)
{
    size_t size;
    uint8_t *bytes = load(name, &size);

    assert_clean_read(f, read_bytes(f, bytes, size, has_text(name)));
    assert_string_equal(f->zebin.info_version, "1.20");
    return bytes;
}

static void assert_text(const uint8_t *bytes, const char *text, size_t size, uint64_t offset,
                        uint64_t expected_offset, size_t expected_size)
{
    assert_int_equal(offset, expected_offset);
    assert_int_equal(size, expected_size);
    assert_ptr_equal(text, bytes + offset);
    assert_memory_equal(text, ".version 4.1\n", 13);
    assert_int_equal(text[size - 1], '\n');
}

static void assert_payload(const vsg_con_payload *p, vsg_con_payload_kind kind, uint32_t offset,
                           uint32_t size, int32_t index)
{
    assert_int_equal(p->kind, kind);
    assert_int_equal(p->offset_bytes, offset);
    assert_int_equal(p->size_bytes, size);
    assert_int_equal(p->arg_index, index);
}

static void plain_kernel(void **state)
{
    fixture *f = *state;
    uint8_t *bytes = read_good(f, "plain.skl.zebin");
    const vsg_con_zebin *z = &f->zebin;

    assert_int_equal(z->platform, VISAGE_PLATFORM_SKL);
    assert_int_equal(z->product_family, 18);
    assert_int_equal(z->graphics_core, 0);
    assert_int_equal(z->num_kernels, 1);
    assert_int_equal(z->num_functions + z->num_symbols + z->num_relocs, 0);
    const vsg_con_kernel *k = vsg_con_find_kernel(z, "plain");
    assert_non_null(k);
    assert_text(bytes, k->text, k->text_size, k->text_offset, 0xf7c, 0x2493);
    assert_int_equal(k->simd_size, 32);
    assert_int_equal(k->grf_count, 128);
    assert_int_equal(k->slm_size_bytes, 416);
    assert_int_equal(k->barrier_count, 1);
    assert_int_equal(k->required_work_group_size[0], 64);
    assert_int_equal(k->required_work_group_size[1], 2);
    assert_int_equal(k->required_work_group_size[2], 1);
    assert_true(k->has_no_stateless_write);
    assert_false(k->has_stack_calls || k->has_4gb_buffers || k->has_global_atomics);

    const vsg_con_payload *p = k->payload;
    assert_int_equal(k->num_payload, 11);
    assert_payload(&p[0], VSG_CON_PAYLOAD_GLOBAL_ID_OFFSET, 0, 12, -1);
    assert_payload(&p[1], VSG_CON_PAYLOAD_LOCAL_SIZE, 12, 12, -1);
    assert_payload(&p[2], VSG_CON_PAYLOAD_ARG_BYPOINTER, 32, 8, 1);
    assert_int_equal(p[2].addrmode, VSG_CON_ADDRMODE_SLM);
    assert_int_equal(p[2].addrspace, VSG_CON_ADDRSPACE_LOCAL);
    assert_int_equal(p[2].slm_alignment, 4);
    assert_payload(&p[3], VSG_CON_PAYLOAD_ARG_BYPOINTER, 0, 0, 0);
    assert_int_equal(p[3].addrmode, VSG_CON_ADDRMODE_STATEFUL);
    assert_int_equal(p[3].addrspace, VSG_CON_ADDRSPACE_GLOBAL);
    assert_string_equal(p[3].access, "readwrite");
    assert_payload(&p[4], VSG_CON_PAYLOAD_BUFFER_ADDRESS, 40, 8, 0);
    assert_payload(&p[5], VSG_CON_PAYLOAD_ARG_BYPOINTER, 0, 0, 2);
    assert_int_equal(p[5].addrspace, VSG_CON_ADDRSPACE_CONSTANT);
    assert_string_equal(p[5].access, "readonly");
    assert_payload(&p[6], VSG_CON_PAYLOAD_BUFFER_ADDRESS, 48, 8, 2);
    assert_payload(&p[7], VSG_CON_PAYLOAD_ARG_BYVALUE, 64, 16, 3);
    assert_payload(&p[8], VSG_CON_PAYLOAD_ARG_BYVALUE, 80, 4, 5);
    assert_payload(&p[9], VSG_CON_PAYLOAD_ARG_BYVALUE, 84, 8, 4);
    assert_payload(&p[10], VSG_CON_PAYLOAD_PRIVATE_BASE_STATELESS, 96, 8, -1);
    assert_int_equal(k->num_per_thread, 1);
    assert_payload(&k->per_thread[0], VSG_CON_PAYLOAD_LOCAL_ID, 0, 192, -1);
    assert_int_equal(k->num_bindings, 2);
    assert_int_equal(k->bindings[1].bti, 1);
    assert_int_equal(k->bindings[1].arg_index, 2);
    assert_int_equal(k->num_memory, 0);

    assert_int_equal(k->num_args, 6);
    assert_string_equal(k->args[0].type_name, "int*;8");
    assert_string_equal(k->args[1].address_qualifier, "__local");
    assert_string_equal(k->args[2].type_qualifiers, "const");
    assert_string_equal(k->args[4].type_name, "pair;8");
    assert_string_equal(k->args[5].name, "ch");
    clean(f);
    free(bytes);
}

typedef struct expected_symbol {
    const char *name;
    vsg_con_section section;
    uint64_t offset, size;
} expected_symbol;

/* data.cl, whichever device. */
static void assert_data(const vsg_con_zebin *z)
{
    static const expected_symbol symbols[] = {
        {"table", VSG_CON_SECTION_CONST, 0, 16},     {"other", VSG_CON_SECTION_CONST, 16, 12},
        {"pointers", VSG_CON_SECTION_CONST, 32, 24}, {"zeros", VSG_CON_SECTION_CONST, 56, 256},
        {".str", VSG_CON_SECTION_STRINGS, 0, 6},     {".str.1", VSG_CON_SECTION_STRINGS, 6, 5},
        {".str.2", VSG_CON_SECTION_STRINGS, 11, 4},  {"counter", VSG_CON_SECTION_GLOBAL, 0, 4},
        {"cleared", VSG_CON_SECTION_GLOBAL, 4, 64},  {"inside", VSG_CON_SECTION_GLOBAL, 72, 8},
        {"past", VSG_CON_SECTION_GLOBAL, 80, 8},     {"names", VSG_CON_SECTION_GLOBAL, 88, 16},
    };
    static const struct {
        vsg_con_section section;
        uint64_t offset;
        const char *symbol;
        int64_t addend;
    } relocs[] = {
        {VSG_CON_SECTION_CONST, 32, "table", 0},    {VSG_CON_SECTION_CONST, 40, "other", 0},
        {VSG_CON_SECTION_CONST, 48, "table", 8},    {VSG_CON_SECTION_GLOBAL, 72, "cleared", 12},
        {VSG_CON_SECTION_GLOBAL, 80, "counter", 3}, {VSG_CON_SECTION_GLOBAL, 88, ".str", 0},
        {VSG_CON_SECTION_GLOBAL, 96, ".str.1", 0},
    };

    assert_int_equal(z->num_symbols, sizeof symbols / sizeof *symbols);
    for (size_t i = 0; i < z->num_symbols; i++) {
        const vsg_con_symbol *found = vsg_con_find_symbol(z, symbols[i].name);
        assert_ptr_equal(found, &z->symbols[i]);
        assert_true(found->is_defined);
        assert_int_equal(found->section, symbols[i].section);
        assert_int_equal(found->offset_bytes, symbols[i].offset);
        assert_int_equal(found->size_bytes, symbols[i].size);
    }
    assert_null(vsg_con_find_symbol(z, "data"));
    assert_int_equal(z->num_relocs, sizeof relocs / sizeof *relocs);
    for (size_t i = 0; i < z->num_relocs; i++) {
        assert_int_equal(z->relocs[i].section, relocs[i].section);
        assert_int_equal(z->relocs[i].offset_bytes, relocs[i].offset);
        assert_int_equal(z->relocs[i].kind, VSG_CON_RELOC_ADDR64);
        assert_string_equal(z->relocs[i].symbol, relocs[i].symbol);
        assert_ptr_equal(z->relocs[i].target, vsg_con_find_symbol(z, relocs[i].symbol));
        assert_int_equal(z->relocs[i].addend, relocs[i].addend);
    }
    const vsg_con_data *strings = &z->data[VSG_CON_SECTION_STRINGS];
    assert_int_equal(strings->size_bytes, 15);
    assert_int_equal(strings->zero_bytes, 0);
    assert_memory_equal(strings->bytes, "alpha\0beta\0%d\n", 15);
    const vsg_con_data *global = &z->data[VSG_CON_SECTION_GLOBAL];
    assert_int_equal(global->size_bytes, 0x68);
    assert_int_equal(global->zero_bytes, 0);
    assert_int_equal(global->alignment, 0);
    assert_memory_equal(global->bytes, "\5\0\0\0", 4);
    assert_memory_equal(z->data[VSG_CON_SECTION_CONST].bytes, "\12\0\0\0\24\0\0\0", 8);
}

static void data_and_relocations(void **state)
{
    fixture *f = *state;
    uint8_t *bytes = read_good(f, "data.pvc.zebin");
    const vsg_con_zebin *z = &f->zebin;

    assert_int_equal(z->platform, VISAGE_PLATFORM_PVC);
    assert_int_equal(z->product_family, 1271);
    assert_int_equal(z->data[VSG_CON_SECTION_CONST].size_bytes, 0x138);
    assert_int_equal(z->data[VSG_CON_SECTION_CONST].zero_bytes, 0);
    assert_data(z);
    /* The second kernel is none: it stands for the program's symbols. */
    assert_int_equal(z->num_kernels, 2);
    assert_text(bytes, z->kernels[0].text, z->kernels[0].text_size, z->kernels[0].text_offset,
                0x1cb4, 0x402c);
    assert_string_equal(z->kernels[1].name, "Intel_Symbol_Table_Void_Program");
    assert_true(z->kernels[1].is_pseudo);
    assert_false(z->kernels[0].is_pseudo);
    assert_text(bytes, z->kernels[1].text, z->kernels[1].text_size, z->kernels[1].text_offset,
                0x5ce0, 0x559);
    assert_int_equal(z->kernels[0].payload[5].kind, VSG_CON_PAYLOAD_PRINTF_BUFFER);
    clean(f);
    free(bytes);
}

static void zeros_beside_data(void **state)
{
    fixture *f = *state;
    uint8_t *bytes = read_good(f, "bss.tgllp.zebin");

    assert_int_equal(f->zebin.platform, VISAGE_PLATFORM_TGLLP);
    assert_int_equal(f->zebin.data[VSG_CON_SECTION_CONST].size_bytes, 0x38);
    assert_int_equal(f->zebin.data[VSG_CON_SECTION_CONST].zero_bytes, 0x100);
    assert_data(&f->zebin);
    clean(f);
    free(bytes);
}

static void several_kernels_and_functions(void **state)
{
    fixture *f = *state;
    uint8_t *bytes = read_good(f, "calls.dg2.zebin");
    const vsg_con_zebin *z = &f->zebin;

    assert_int_equal(z->platform, VISAGE_PLATFORM_DG2);
    assert_int_equal(z->num_kernels, 3);
    const vsg_con_kernel *one = &z->kernels[0], *two = &z->kernels[1];
    assert_string_equal(one->name, "first");
    assert_int_equal(one->simd_size, 16);
    assert_true(one->has_stack_calls);
    assert_int_equal(one->inline_data_payload_size, 32);
    assert_int_equal(one->required_sub_group_size, 16);
    assert_int_equal(two->required_sub_group_size, 8);
    assert_text(bytes, one->text, one->text_size, one->text_offset, 0x2468, 0x2029);
    assert_string_equal(two->name, "second");
    assert_int_equal(two->simd_size, 8);
    assert_text(bytes, two->text, two->text_size, two->text_offset, 0x4491, 0x50d8);
    assert_payload(&two->payload[6], VSG_CON_PAYLOAD_BUFFER_OFFSET, 56, 4, 0);
    assert_int_equal(two->num_per_thread, 0);
    assert_true(z->kernels[2].is_pseudo);
    assert_int_equal(z->kernels[2].text_offset, 0x9569);

    assert_int_equal(one->num_memory, 2);
    assert_string_equal(one->memory[0].type, "scratch");
    assert_string_equal(one->memory[0].usage, "spill_fill_space");
    assert_int_equal(one->memory[0].size_bytes, 131072);
    assert_false(one->memory[0].is_simt_thread);
    assert_string_equal(one->memory[1].type, "global");
    assert_string_equal(one->memory[1].usage, "private_space");
    assert_int_equal(one->memory[1].size_bytes, 80);
    assert_true(one->memory[1].is_simt_thread);
    /* 80 bytes for each of 16 work-items: the text multiplies the thread's number by that. */
    const char scaled[] = "0x500:ud";
    size_t at = 0;
    while (at + sizeof scaled <= one->text_size &&
           memcmp(one->text + at, scaled, sizeof scaled - 1) != 0)
        at++;
    assert_true(at + sizeof scaled <= one->text_size);

    assert_int_equal(z->num_functions, 1);
    assert_string_equal(z->functions[0].name, "twice");
    assert_int_equal(z->functions[0].kernel, 2);
    assert_text(bytes, z->functions[0].text, z->functions[0].text_size,
                z->functions[0].text_offset, 0x9ad3, 0x1a6b);
    const vsg_con_symbol *twice = vsg_con_find_symbol(z, "twice");
    assert_int_equal(z->num_symbols, 1);
    assert_non_null(twice);
    assert_int_equal(twice->section, -1);
    assert_true(twice->is_defined);
    clean(f);
    free(bytes);
}

static void images_and_samplers(void **state)
{
    fixture *f = *state;
    uint8_t *bytes = read_good(f, "image.icllp.zebin");
    const vsg_con_kernel *k = &f->zebin.kernels[0];

    assert_int_equal(f->zebin.platform, VISAGE_PLATFORM_ICLLP);
    assert_int_equal(k->num_payload, 9);
    assert_payload(&k->payload[3], VSG_CON_PAYLOAD_IMAGE_HEIGHT, 44, 4, 0);
    assert_payload(&k->payload[4], VSG_CON_PAYLOAD_IMAGE_WIDTH, 48, 4, 0);
    assert_payload(&k->payload[5], VSG_CON_PAYLOAD_SAMPLER_SNAP_WA, 52, 4, 2);
    assert_int_equal(k->payload[6].addrspace, VSG_CON_ADDRSPACE_SAMPLER);
    assert_int_equal(k->payload[6].sampler_index, 0);
    assert_int_equal(k->payload[7].addrspace, VSG_CON_ADDRSPACE_IMAGE);
    assert_string_equal(k->payload[7].image_type, "image_2d");
    assert_int_equal(k->payload[7].sampler_index, -1);
    assert_string_equal(k->payload[8].image_type, "image_3d");
    assert_string_equal(k->payload[8].access, "writeonly");
    assert_int_equal(k->num_samplers, 1);
    assert_int_equal(k->samplers[0].index, 1);
    assert_string_equal(k->samplers[0].addrmode, "repeat");
    assert_string_equal(k->samplers[0].filtermode, "linear");
    assert_true(k->samplers[0].normalized);
    assert_string_equal(k->args[1].access_qualifier, "__write_only");
    clean(f);
    free(bytes);
}

static void vector_backend(void **state)
{
    fixture *f = *state;
    size_t size;
    uint8_t *bytes = load("vector.skl.zebin", &size);

    assert_int_equal(read_bytes(f, bytes, size, true), VISAGE_MALFORMED);
    assert_reported(f, "R0012");
    assert_null(f->zebin.kernels);
    visage_diagnostics_clear(f->diagnostics);
    assert_clean_read(f, read_bytes(f, bytes, size, false));
    /* This backend says the core, the other one the product. */
    assert_int_equal(f->zebin.platform, VISAGE_PLATFORM_SKL);
    assert_int_equal(f->zebin.product_family, 0);
    assert_int_equal(f->zebin.graphics_core, 12);
    const vsg_con_kernel *k = vsg_con_find_kernel(&f->zebin, "stack_call");
    assert_non_null(k);
    assert_null(k->text);
    assert_int_equal(k->simd_size, 1);
    assert_int_equal(k->num_payload, 6);
    assert_payload(&k->payload[4], VSG_CON_PAYLOAD_ARG_BYVALUE, 36, 4, 4);
    assert_payload(&k->payload[5], VSG_CON_PAYLOAD_PRIVATE_BASE_STATELESS, 0, 8, -1);
    assert_payload(&k->per_thread[0], VSG_CON_PAYLOAD_PACKED_LOCAL_IDS, 0, 6, -1);
    assert_int_equal(k->bindings[2].bti, 3);
    assert_int_equal(k->num_args, 5);
    assert_null(k->args[0].name);
    clean(f);
    free(bytes);
}

static void leaves_the_bytes_alone(void **state)
{
    fixture *f = *state;

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t size;
        uint8_t *bytes = load(files[i], &size);
        /* At each remainder by 8: a member of an archive lies where it lies. */
        for (size_t shift = 0; shift < 8; shift++) {
            void *pages = mmap(NULL, size + shift, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            assert_true(pages != MAP_FAILED);
            memcpy((char *)pages + shift, bytes, size);
            assert_int_equal(mprotect(pages, size + shift, PROT_READ), 0);
            assert_clean_read(f,
                              read_bytes(f, (char *)pages + shift, size, has_text(files[i])));
            assert_true(walk(&f->zebin) > 0);
            clean(f);
            assert_int_equal(munmap(pages, size + shift), 0);
        }
        free(bytes);
    }
}

/* ---- damage ----------------------------------------------------------------------------- */

/* Whatever the bytes, it is read or refused with a reason. */
static visage_status read_damaged(fixture *f, const uint8_t *bytes, size_t size, bool with_text)
{
    visage_status status = read_bytes(f, bytes, size, with_text);

    if (status == VISAGE_OK) {
        assert_int_equal(visage_diagnostics_errors(f->diagnostics), 0);
        assert_true(walk(&f->zebin) > 0);
    } else {
        assert_true(status == VISAGE_MALFORMED || status == VISAGE_UNSUPPORTED);
        assert_int_equal(visage_diagnostics_errors(f->diagnostics), 1);
        assert_null(f->zebin.kernels);
    }
    clean(f);
    return status;
}

static void every_shorter_file_is_refused(void **state)
{
    fixture *f = *state;
    size_t size;
    uint8_t *bytes = load("vector.skl.zebin", &size);

    /* The section headers come last, so no byte is to spare. */
    for (size_t length = 0; length < size; length++) {
        uint8_t *part = malloc(length ? length : 1);
        assert_non_null(part);
        memcpy(part, bytes, length);
        assert_int_not_equal(read_damaged(f, part, length, false), VISAGE_OK);
        free(part);
    }
    free(bytes);
}

/* xorshift64: the same damage on every machine. */
static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* Flips `rounds` times some bits between `start` and `end`, or the end of the file. */
static void damage(fixture *f, const char *name, size_t start, size_t end, int rounds)
{
    uint64_t seed = 20240229;
    size_t size;
    uint8_t *bytes = load(name, &size);
    uint8_t *copy = malloc(size);
    int refused = 0;

    assert_non_null(copy);
    if (end > size)
        end = size;
    for (int i = 0; i < rounds; i++) {
        memcpy(copy, bytes, size);
        for (uint64_t flips = 1 + next_random(&seed) % 4; flips > 0; flips--) {
            size_t at = start + next_random(&seed) % (end - start);
            copy[at] ^= (uint8_t)(1u << next_random(&seed) % 8);
        }
        refused += read_damaged(f, copy, size, has_text(name)) != VISAGE_OK;
    }
    /* Neither all nor none: the loop has seen both ways out. */
    assert_in_range(refused, 1, rounds - 1);
    free(copy);
    free(bytes);
}

static void survives_flipped_bits(void **state)
{
    fixture *f = *state;

    damage(f, "vector.skl.zebin", 0, SIZE_MAX, 3000);
    damage(f, "data.pvc.zebin", 0, SIZE_MAX, 1000);
    damage(f, "data.pvc.zebin", 0x92f, 0xac7, 1000);     /* symbols */
    damage(f, "data.pvc.zebin", 0x6239, 0x62a9, 1000);   /* relocations of data */
    damage(f, "data.pvc.zebin", 0x63c9, 0x6b9c, 1000);   /* .ze_info */
    damage(f, "data.pvc.zebin", 0x6b9c, SIZE_MAX, 2000); /* notes, names, section headers */
    damage(f, "calls.dg2.zebin", 0xc6d4, SIZE_MAX, 1000);
}

/* ---- memory ----------------------------------------------------------------------------- */

static void every_allocation_may_fail(void **state)
{
    fixture *f = *state;

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t size;
        uint8_t *bytes = load(files[i], &size);
        visage_status status = VISAGE_NO_MEMORY;
        f->counts.fail = 0;
        while (status == VISAGE_NO_MEMORY) {
            f->counts.calls = 0;
            f->counts.fail++;
            status = read_bytes(f, bytes, size, has_text(files[i]));
            if (status == VISAGE_NO_MEMORY) {
                assert_reported(f, "R0001");
                assert_null(f->zebin.kernels);
                clean(f);
            }
        }
        assert_int_equal(status, VISAGE_OK);
        assert_true(f->counts.fail > 5);
        clean(f);
        free(bytes);
    }
}

static void memory_stays_small(void **state)
{
    fixture *f = *state;

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t size;
        uint8_t *bytes = load(files[i], &size);
        f->counts.most_bytes = 0;
        assert_clean_read(f, read_bytes(f, bytes, size, has_text(files[i])));
        assert_in_range(f->counts.most_bytes, 1, 4 * size + 8192);
        clean(f);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(plain_kernel, set_up, tear_down),
        cmocka_unit_test_setup_teardown(data_and_relocations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(zeros_beside_data, set_up, tear_down),
        cmocka_unit_test_setup_teardown(several_kernels_and_functions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(images_and_samplers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(vector_backend, set_up, tear_down),
        cmocka_unit_test_setup_teardown(leaves_the_bytes_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_shorter_file_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(survives_flipped_bits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_allocation_may_fail, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_stays_small, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
