/* SPDX-License-Identifier: MIT
 *
 * The public interface used wrongly, and with memory that runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../unit/run_support.h"

/* ---- misuse
 * ---------------------------------------------------------------------------------- */

static void names_of_statuses(void **state)
{
    (void)state;
    assert_string_equal(visage_version(), VISAGE_VERSION_STRING);
    assert_string_equal(visage_status_name(VISAGE_OK), "ok");
    assert_string_equal(visage_status_name(VISAGE_CANCELLED), "cancelled");
    assert_string_equal(visage_status_name((visage_status)99), "unknown");
    for (int i = VISAGE_OK; i < VISAGE_CANCELLED; i++)
        assert_string_not_equal(visage_status_name((visage_status)i), "unknown");
}

static void contexts(void **state)
{
    visage_context_options options = VISAGE_OPTIONS_INIT(visage_context_options);
    visage_context *context = NULL;

    (void)state;
    assert_int_equal(visage_context_create(NULL, NULL), VISAGE_ARGUMENT);
    options.struct_size = 0;
    assert_int_equal(visage_context_create(&options, &context), VISAGE_ARGUMENT);
    options.struct_size = sizeof(size_t); /* a caller who knows no field */
    assert_int_equal(visage_context_create(&options, &context), VISAGE_OK);
    visage_context_destroy(&context);
    assert_null(context);
    visage_context_destroy(&context);
    visage_context_destroy(NULL);
}

/* A caller who knows more fields than we do may leave them zero, but not set them. */
static void options_of_a_newer_caller(void **state)
{
    struct {
        visage_context_options known;
        uint64_t later[2];
    } options = {.known.struct_size = sizeof options};
    visage_context *context = NULL;

    (void)state;
    assert_int_equal(visage_context_create(&options.known, &context), VISAGE_OK);
    visage_context_destroy(&context);
    options.later[1] = 1;
    assert_int_equal(visage_context_create(&options.known, &context), VISAGE_ARGUMENT);
    options.later[1] = 0;
    options.known.struct_size = SIZE_MAX;
    assert_int_equal(visage_context_create(&options.known, &context), VISAGE_ARGUMENT);
}

static void diagnostics(void **state)
{
    fixture *f = *state;
    visage_diagnostics *list = NULL;
    char text[8] = "unknown";

    assert_int_equal(visage_diagnostics_create(NULL, &list), VISAGE_ARGUMENT);
    assert_int_equal(visage_diagnostics_create(f->context, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_diagnostics_create(f->context, &list), VISAGE_OK);
    assert_int_equal(visage_diagnostics_count(list), 0);
    assert_null(visage_diagnostics_get(list, 0));
    visage_diagnostics_destroy(&list);
    assert_null(list);
    visage_diagnostics_destroy(&list);
    visage_diagnostics_destroy(NULL);
    assert_int_equal(visage_diagnostics_count(NULL), 0);
    assert_int_equal(visage_diagnostics_errors(NULL), 0);
    assert_null(visage_diagnostics_get(NULL, 0));
    visage_diagnostics_clear(NULL);
    assert_int_equal(visage_diagnostic_render(NULL, true, text, sizeof text), 0);
}

static void modules(void **state)
{
    fixture *f = *state;
    visage_module *module = (visage_module *)f;
    visage_module_options options = VISAGE_OPTIONS_INIT(visage_module_options);
    visage_module_info info;
    visage_kernel_info kernel;
    visage_argument_info argument;
    visage_input_info input;
    visage_attribute_info attribute;

    assert_int_equal(visage_module_read_memory(NULL, "n", "x", 1, NULL, NULL, &module),
                     VISAGE_ARGUMENT);
    assert_null(module);
    assert_int_equal(visage_module_read_memory(f->context, "n", "x", 1, NULL, NULL, NULL),
                     VISAGE_ARGUMENT);
    assert_int_equal(visage_module_read_memory(f->context, "n", NULL, 1, NULL, NULL, &module),
                     VISAGE_ARGUMENT);
    options.platform = VISAGE_PLATFORM_COUNT;
    assert_int_equal(
        visage_module_read_memory(f->context, "n", "x", 1, &options, NULL, &module),
        VISAGE_ARGUMENT);
    options.platform = VISAGE_PLATFORM_NONE;
    options.info_size = 1;
    assert_int_equal(
        visage_module_read_memory(f->context, "n", "x", 1, &options, NULL, &module),
        VISAGE_ARGUMENT);
    assert_int_equal(visage_module_read_file(NULL, "n", NULL, NULL, &module), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_read_file(f->context, NULL, NULL, NULL, &module),
                     VISAGE_ARGUMENT);
    assert_int_equal(visage_module_read_file(f->context, "n", NULL, NULL, NULL),
                     VISAGE_ARGUMENT);
    assert_int_equal(visage_module_get_info(NULL, &info), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_get_kernel(NULL, 0, &kernel), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_get_argument(NULL, 0, 0, &argument), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_get_input(NULL, 0, 0, &input), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_get_attribute(NULL, 0, 0, &attribute), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_count_instructions(NULL, 0, 0), 0);
    visage_module_destroy(NULL);
    visage_module_destroy(&module);
}

static void indices_of_a_module(void **state)
{
    fixture *f = *state;
    visage_module_info info;
    visage_kernel_info kernel;
    visage_argument_info argument;
    visage_input_info input;
    visage_attribute_info attribute;

    open_zebin(f, VISAGE_PLATFORM_SKL, 1);
    const visage_module *m = f->module;
    assert_int_equal(visage_module_get_info(m, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_get_info(m, &info), VISAGE_OK);
    assert_string_equal(info.form, "zebin");
    assert_int_equal(info.platform, VISAGE_PLATFORM_SKL);
    assert_int_equal(info.version_major, 4);
    assert_int_equal(info.version_minor, 1);
    assert_int_equal(info.num_kernels, 10); /* launch.cl; the pseudo kernel does not count */
    assert_int_equal(info.num_functions, 0);
    assert_int_equal(visage_module_get_kernel(m, 0, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_get_kernel(m, info.num_kernels, &kernel), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_get_kernel(m, SIZE_MAX, &kernel), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_get_kernel(m, 0, &kernel), VISAGE_OK);
    assert_string_equal(kernel.name, "values");
    assert_true(kernel.has_info && !kernel.is_function);
    assert_int_equal(kernel.num_arguments, 10);
    assert_int_equal(visage_module_get_argument(m, 0, 0, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_get_argument(m, 0, 10, &argument), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_get_argument(m, 99, 0, &argument), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_get_argument(m, 0, 5, &argument), VISAGE_OK);
    assert_string_equal(argument.name, "f");
    assert_int_equal(argument.kind, VISAGE_ARGUMENT_VALUE);
    assert_int_equal(argument.size_bytes, 4); /* char3 */
    assert_int_equal(visage_module_get_input(m, 0, kernel.num_inputs, &input), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_get_input(m, 0, 0, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_get_input(m, 0, 0, &input), VISAGE_OK);
    assert_int_equal(input.offset_bytes, 32);
    assert_int_equal(visage_module_get_attribute(m, 0, kernel.num_attributes, &attribute),
                     VISAGE_ARGUMENT);
    assert_int_equal(visage_module_get_attribute(m, 0, 0, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_get_attribute(m, 0, 0, &attribute), VISAGE_OK);
    assert_string_equal(attribute.name, "Target");
    assert_string_equal(attribute.string, "3d");
    assert_int_equal(visage_module_count_instructions(m, 99, 0), 0);
    assert_int_equal(visage_module_count_instructions(m, 0, visage_isa_count()), 0);
    visage_module_destroy(&f->module);
    visage_module_destroy(&f->module);
}

static void devices_and_buffers(void **state)
{
    fixture *f = *state;
    visage_device_options options = VISAGE_OPTIONS_INIT(visage_device_options);
    visage_device *device = NULL;
    visage_buffer *buffer = NULL;

    assert_int_equal(visage_device_create(f->context, NULL, &device), VISAGE_ARGUMENT);
    assert_int_equal(visage_device_create(f->context, &options, &device), VISAGE_ARGUMENT);
    options.platform = (visage_platform)99;
    assert_int_equal(visage_device_create(f->context, &options, &device), VISAGE_ARGUMENT);
    options.platform = VISAGE_PLATFORM_PVC;
    assert_int_equal(visage_device_create(NULL, &options, &device), VISAGE_ARGUMENT);
    assert_int_equal(visage_device_create(f->context, &options, NULL), VISAGE_ARGUMENT);
    options.jobs = 100000;
    assert_int_equal(visage_device_create(f->context, &options, &device), VISAGE_ARGUMENT);
    options.jobs = 1;
    options.memory_bytes = 4096;
    assert_int_equal(visage_device_create(f->context, &options, &device), VISAGE_ARGUMENT);
    options.memory_bytes = (uint64_t)1 << 60;
    assert_int_equal(visage_device_create(f->context, &options, &device), VISAGE_NO_MEMORY);
    options.memory_bytes = 1 << 20;
    options.slm_bytes = UINT32_MAX;
    assert_int_equal(visage_device_create(f->context, &options, &device), VISAGE_ARGUMENT);
    options.slm_bytes = 0;
    assert_null(device);
    assert_int_equal(visage_device_create(f->context, &options, &device), VISAGE_OK);

    assert_int_equal(visage_buffer_create(NULL, 1, &buffer), VISAGE_ARGUMENT);
    assert_int_equal(visage_buffer_create(device, 1, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_buffer_create(device, 0, &buffer), VISAGE_ARGUMENT);
    assert_int_equal(visage_buffer_create(device, 1 << 20, &buffer), VISAGE_NO_MEMORY);
    assert_int_equal(visage_buffer_create(device, SIZE_MAX, &buffer), VISAGE_NO_MEMORY);
    assert_null(buffer);
    assert_int_equal(visage_buffer_create(device, 5000, &buffer), VISAGE_OK);
    assert_int_equal(visage_buffer_size(buffer), 5000);
    assert_int_equal(visage_buffer_address(buffer) % 4096, 0);
    visage_buffer_destroy(&buffer);
    assert_null(buffer);
    visage_buffer_destroy(&buffer);
    visage_buffer_destroy(NULL);
    assert_null(visage_buffer_data(NULL));
    assert_int_equal(visage_buffer_size(NULL), 0);
    assert_int_equal(visage_buffer_address(NULL), 0);
    assert_int_equal(visage_device_jobs(NULL), 0);
    visage_device_destroy(&device);
    visage_device_destroy(&device);
    visage_device_destroy(NULL);
}

/* The buffer of one device is an argument of a launch on another that shares its memory, even
 * when the first is gone; a third device has nothing to do with it. */
static void devices_share_memory(void **state)
{
    fixture *f = *state;
    visage_device_options options = VISAGE_OPTIONS_INIT(visage_device_options);
    visage_run_options checked = VISAGE_OPTIONS_INIT(visage_run_options);
    visage_range range = items(32, 0, 0, 0, 0, 0);
    visage_device *first = NULL, *stranger = NULL;
    visage_buffer *buffer = NULL, *strange = NULL;

    options.platform = VISAGE_PLATFORM_PVC;
    options.memory_bytes = 64 << 20;
    options.jobs = 1;
    assert_int_equal(visage_device_create(f->context, &options, &first), VISAGE_OK);
    assert_int_equal(visage_device_create(f->context, &options, &stranger), VISAGE_OK);
    open_zebin(f, VISAGE_PLATFORM_SKL, 1);
    visage_program_destroy(&f->program);
    visage_device_destroy(&f->device);
    options.platform = VISAGE_PLATFORM_SKL;
    options.memory_of = first;
    assert_int_equal(visage_device_create(f->context, &options, &f->device), VISAGE_ARGUMENT);
    options.memory_bytes = 0;
    assert_int_equal(visage_device_create(f->context, &options, &f->device), VISAGE_OK);
    assert_int_equal(visage_program_create(f->device, f->module, NULL, &f->program), VISAGE_OK);
    open_kernel(f, "where");
    assert_int_equal(visage_buffer_create(first, 80 * 32, &buffer), VISAGE_OK);
    assert_int_equal(visage_buffer_create(stranger, 80 * 32, &strange), VISAGE_OK);
    assert_int_equal(visage_launch_set_buffer(f->launch, 0, strange, 0, NULL), VISAGE_INVALID);
    assert_int_equal(visage_launch_set_buffer(f->launch, 0, buffer, 0, NULL), VISAGE_OK);
    visage_device_destroy(&first);
    assert_int_equal(visage_launch_run(f->launch, &range, NULL, NULL, NULL), VISAGE_OK);
    uint32_t id;
    memcpy(&id, (const char *)visage_buffer_data(buffer) + 80 * 31, sizeof id);
    assert_int_equal(id, 31); /* the first thing a work-item writes, its global id */
    checked.check = true;
    assert_int_equal(visage_launch_run(f->launch, &range, &checked, NULL, NULL), VISAGE_OK);
    visage_launch_destroy(&f->launch);
    visage_buffer_destroy(&buffer);
    visage_buffer_destroy(&strange);
    visage_device_destroy(&stranger);
}

/* The variables of data.cl: counter and what stands behind it, as its symbols say. */
static void programs_have_variables(void **state)
{
    fixture *f = *state;
    size_t size;
    uint8_t *bytes = load("zebin/data.pvc.zebin", &size);

    make_device(f, VISAGE_PLATFORM_PVC, 1);
    visage_status status = visage_module_read_memory(f->context, "data", bytes, size, NULL,
                                                     f->diagnostics, &f->module);
    free(bytes);
    expect_status(f, status, VISAGE_OK);
    assert_int_equal(visage_program_create(f->device, f->module, NULL, &f->program), VISAGE_OK);
    assert_int_equal(visage_program_global_bytes(f->program), 88 + 16);
    assert_int_equal(visage_program_global_bytes(NULL), 0);
}

/* Source: isa/platforms.def. */
static void platforms_have_limits(void **state)
{
    (void)state;
    assert_int_equal(visage_platform_slm_bytes(VISAGE_PLATFORM_SKL), 65536);
    assert_int_equal(visage_platform_slm_bytes(VISAGE_PLATFORM_PVC), 131072);
    assert_int_equal(visage_platform_max_group(VISAGE_PLATFORM_SKL), 256);
    assert_int_equal(visage_platform_max_group(VISAGE_PLATFORM_TGLLP), 512);
    assert_int_equal(visage_platform_slm_bytes((visage_platform)99), 0);
    assert_int_equal(visage_platform_max_group(VISAGE_PLATFORM_NONE), 0);
}

static void programs_and_launches(void **state)
{
    fixture *f = *state;
    visage_program *program = NULL;
    visage_launch *launch = NULL;
    visage_range range = items(32, 0, 0, 0, 0, 0);
    visage_run_options options = {0};
    visage_image_options image_options = VISAGE_OPTIONS_INIT(visage_image_options);
    visage_sampler_options sampler_options = VISAGE_OPTIONS_INIT(visage_sampler_options);
    visage_image *image = NULL;
    visage_sampler *sampler = NULL;

    open_zebin(f, VISAGE_PLATFORM_SKL, 1);
    assert_int_equal(visage_program_create(NULL, f->module, NULL, &program), VISAGE_ARGUMENT);
    assert_int_equal(visage_program_create(f->device, NULL, NULL, &program), VISAGE_ARGUMENT);
    assert_int_equal(visage_program_create(f->device, f->module, NULL, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_launch_create(NULL, "where", NULL, &launch), VISAGE_ARGUMENT);
    assert_int_equal(visage_launch_create(f->program, "where", NULL, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_launch_create(f->program, "nowhere", NULL, &launch),
                     VISAGE_UNRESOLVED);
    open_kernel(f, "where");
    (void)make_buffer(f, 0, 80 * 32, 0);
    assert_int_equal(visage_launch_set_value(NULL, 0, "x", 1, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_launch_set_value(f->launch, 0, NULL, 1, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_launch_set_buffer(NULL, 0, f->buffers[0], 0, NULL),
                     VISAGE_ARGUMENT);
    assert_int_equal(visage_launch_set_local(NULL, 0, 1, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_image_create(f->buffers[0], &image_options, NULL, NULL),
                     VISAGE_ARGUMENT);
    assert_int_equal(visage_image_create(f->buffers[0], &image_options, NULL, &image),
                     VISAGE_ARGUMENT);
    image_options.format = "R8_UINT";
    assert_int_equal(visage_image_create(NULL, &image_options, NULL, &image), VISAGE_ARGUMENT);
    assert_int_equal(visage_image_create(f->buffers[0], NULL, NULL, &image), VISAGE_ARGUMENT);
    assert_int_equal(visage_image_create(f->buffers[0], &image_options, NULL, &image),
                     VISAGE_INVALID);
    assert_null(image);
    image_options.width = 4;
    assert_int_equal(visage_image_create(f->buffers[0], &image_options, NULL, &image),
                     VISAGE_OK);
    assert_int_equal(visage_launch_set_image(NULL, 0, image, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_launch_set_image(f->launch, 0, NULL, NULL), VISAGE_ARGUMENT);
    visage_image_destroy(&image);
    assert_null(image);
    assert_int_equal(visage_sampler_create(NULL, NULL, &sampler), VISAGE_ARGUMENT);
    sampler_options.address[2] = (visage_address)5;
    assert_int_equal(visage_sampler_create(f->context, &sampler_options, &sampler),
                     VISAGE_ARGUMENT);
    assert_int_equal(visage_sampler_create(f->context, NULL, &sampler), VISAGE_OK);
    assert_int_equal(visage_launch_set_sampler(NULL, 0, sampler, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_launch_set_sampler(f->launch, 0, NULL, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_launch_set_sampler(f->launch, 0, sampler, NULL), VISAGE_INVALID);
    visage_sampler_destroy(&sampler);
    assert_null(sampler);
    assert_int_equal(visage_launch_set_buffer(f->launch, 9, f->buffers[0], 0, NULL),
                     VISAGE_INVALID);
    assert_int_equal(visage_launch_run(NULL, &range, NULL, NULL, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_launch_run(f->launch, NULL, NULL, NULL, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_launch_run(f->launch, &range, &options, NULL, NULL),
                     VISAGE_ARGUMENT); /* struct_size 0 */
    assert_int_equal(visage_launch_run(f->launch, &range, NULL, NULL, NULL), VISAGE_INVALID);
    set_buffer(f, 0, 0);
    assert_int_equal(visage_launch_run(f->launch, &range, NULL, NULL, NULL), VISAGE_OK);
    assert_int_equal(visage_launch_kernel(NULL), 0);
    visage_launch_cancel(NULL);
    visage_launch_destroy(&f->launch);
    visage_launch_destroy(&f->launch);
    visage_launch_destroy(NULL);
    visage_program_destroy(&f->program);
    visage_program_destroy(&f->program);
    visage_program_destroy(NULL);
}

/* ---- the instruction table
 * ------------------------------------------------------------------- */

static void rows_of_the_table(void **state)
{
    visage_isa_entry entry;
    char text[2048];
    size_t count = visage_isa_count(), adds = 0;

    (void)state;
    assert_true(count > 100);
    for (size_t i = 0; i < count; i++) {
        memset(&entry, 0, sizeof entry);
        assert_int_equal(visage_isa_get(i, &entry, text, sizeof text), VISAGE_OK);
        assert_true(entry.mnemonic && entry.mnemonic[0]);
        assert_true(entry.group && entry.operands && entry.types && entry.flags);
        assert_true(entry.platforms && entry.page && entry.brief);
        if (strcmp(entry.mnemonic, "add") != 0)
            continue;
        adds++;
        assert_int_equal(entry.opcode, 1);
        assert_int_equal(entry.sub_opcode, -1);
        assert_string_equal(entry.operands, "dst src0 src1");
        assert_string_equal(entry.platforms, "skl icllp tgllp xe-hp dg2 pvc");
        assert_non_null(strstr(entry.types, "UD"));
        assert_non_null(strstr(entry.type_maps, "F BF from F BF (xe-hp dg2 pvc)"));
        assert_non_null(strstr(entry.flags, "sat"));
        assert_string_equal(entry.page, "ADD");
        assert_true(entry.runs);
    }
    assert_int_equal(adds, 1);
    assert_int_equal(visage_isa_get(count, &entry, text, sizeof text), VISAGE_ARGUMENT);
    assert_int_equal(visage_isa_get(0, NULL, text, sizeof text), VISAGE_ARGUMENT);
    assert_int_equal(visage_isa_get(0, &entry, NULL, sizeof text), VISAGE_ARGUMENT);
    /* Every area that is too small is refused, none is written past its end. */
    size_t needed = 0;
    for (size_t size = 0; size < sizeof text && !needed; size++) {
        memset(text, '#', sizeof text);
        if (visage_isa_get(0, &entry, text, size) == VISAGE_OK)
            needed = size;
        for (size_t i = size; i < sizeof text; i++)
            assert_int_equal(text[i], '#');
    }
    assert_true(needed > 20);
}

/* ---- forms of input
 * --------------------------------------------------------------------------- */

static void read_text(fixture *f, const void *data, size_t size, visage_status wanted,
                      const char *code, const char *message)
{
    visage_module *module = NULL;

    expect_status(f,
                  visage_module_read_memory(f->context, "file", data, size, NULL,
                                            f->diagnostics, &module),
                  wanted);
    assert_null(module);
    expect_diagnostic(f, code, message);
}

static void forms_are_told_apart(void **state)
{
    fixture *f = *state;
    visage_module *module = NULL;

    read_text(f, "", 0, VISAGE_MALFORMED, "R0003", "empty");
    read_text(f, NULL, 0, VISAGE_MALFORMED, "R0003", "empty");
    read_text(f, "CISA\4\1", 6, VISAGE_MALFORMED, "R0040", "inside num_kernels");
    read_text(f, "MZ", 2, VISAGE_MALFORMED, "R0004", "starts with 4d 5a");
    read_text(f, "\0\1\2\3\4", 5, VISAGE_MALFORMED, "R0004", "starts with 00 01 02 03");
    read_text(f, "\177ELF", 4, VISAGE_MALFORMED, "R0010", "ELF");
    assert_int_equal(visage_module_read_file(f->context, "/nonexistent/k.visaasm", NULL,
                                             f->diagnostics, &module),
                     VISAGE_IO);
    expect_diagnostic(f, "R0002", "/nonexistent/k.visaasm");
    assert_int_equal(visage_module_read_file(f->context, "/", NULL, f->diagnostics, &module),
                     VISAGE_IO);
    assert_null(module);
}

/* A kernel that the .ze_info does not know has no arguments. */
static void info_must_name_the_kernel(void **state)
{
    static const char text[] = ".version 4.1\n.kernel \"mine\"\n.function \"m_0\"\nm_0:\n"
                               "    ret (M1, 1)\n";
    static const char info[] = "version: '1.20'\nkernels:\n  - name: theirs\n"
                               "    execution_env:\n      simd_size: 16\n";
    fixture *f = *state;
    visage_module_options options = VISAGE_OPTIONS_INIT(visage_module_options);
    visage_module *module = NULL;

    options.info = info;
    options.info_size = sizeof info - 1;
    options.platform = VISAGE_PLATFORM_SKL;
    assert_int_equal(visage_module_read_memory(f->context, "t", text, sizeof text - 1, &options,
                                               f->diagnostics, &module),
                     VISAGE_UNRESOLVED);
    expect_diagnostic(f, "L0002", "no kernel 'mine'; there are: theirs");
    assert_null(module);
}

/* A zebin says what it was compiled for. */
static void platform_of_a_zebin(void **state)
{
    fixture *f = *state;
    size_t size;
    uint8_t *bytes = load("launch/launch.dg2.zebin", &size);
    visage_module_options options = VISAGE_OPTIONS_INIT(visage_module_options);

    options.platform = VISAGE_PLATFORM_PVC;
    assert_int_equal(visage_module_read_memory(f->context, "k", bytes, size, &options,
                                               f->diagnostics, &f->module),
                     VISAGE_INVALID);
    expect_diagnostic(f, "L0008", "built for dg2, the device is pvc");
    assert_null(f->module);
    options.platform = VISAGE_PLATFORM_DG2;
    expect_status(f,
                  visage_module_read_memory(f->context, "k", bytes, size, &options,
                                            f->diagnostics, &f->module),
                  VISAGE_OK);
    free(bytes);
}

/* ---- memory that runs out
 * ---------------------------------------------------------------------- */

static visage_status whole_life(fixture *f, const void *data, size_t size, const char *kernel)
{
    visage_device_options options = VISAGE_OPTIONS_INIT(visage_device_options);
    visage_range range = items(64, 0, 0, 32, 0, 0);
    visage_run_options checked = VISAGE_OPTIONS_INIT(visage_run_options);
    visage_diagnostics *list = NULL;
    visage_status status = visage_diagnostics_create(f->context, &list);

    options.platform = VISAGE_PLATFORM_DG2;
    options.memory_bytes = 64 << 20;
    options.jobs = 2;
    checked.check = true;
    if (status == VISAGE_OK)
        status = visage_device_create(f->context, &options, &f->device);
    if (status == VISAGE_OK)
        status =
            visage_module_read_memory(f->context, "life", data, size, NULL, list, &f->module);
    if (status == VISAGE_OK)
        status = visage_program_create(f->device, f->module, list, &f->program);
    if (status == VISAGE_OK)
        status = visage_buffer_create(f->device, 80 * 64, &f->buffers[0]);
    if (status == VISAGE_OK)
        status = visage_launch_create(f->program, kernel, list, &f->launch);
    if (status == VISAGE_OK)
        status = visage_launch_set_buffer(f->launch, 0, f->buffers[0], 0, list);
    if (status == VISAGE_OK)
        status = visage_launch_run(f->launch, &range, NULL, list, NULL);
    if (status == VISAGE_OK)
        status = visage_launch_run(f->launch, &range, &checked, list, NULL);
    drop(f);
    visage_diagnostics_destroy(&list);
    return status;
}

/* Fails the n-th allocation, for each n in steps, until nothing fails any more. */
static void fail_each(fixture *f, const void *data, size_t size, const char *kernel,
                      bool only_one, size_t step)
{
    size_t before = atomic_load(&f->counts.live_bytes);
    bool done = false;

    for (size_t n = 1; !done; n += step) {
        atomic_store(&f->counts.calls, 0);
        f->counts.fail = n;
        f->counts.only_one = only_one;
        visage_status status = whole_life(f, data, size, kernel);
        done = n > atomic_load(&f->counts.calls);
        f->counts.fail = 0;
        /* Worker threads that cannot start are done without, so one failure may do no harm. */
        if (status != VISAGE_OK || done)
            assert_int_equal(status, done ? VISAGE_OK : VISAGE_NO_MEMORY);
        else
            assert_true(only_one);
        assert_int_equal(atomic_load(&f->counts.live_bytes), before);
    }
}

/* Each group stores at its own place: two workers run them. */
static void allocations_fail_with_a_text(void **state)
{
    static const char text[] =
        ".version 4.1\n.kernel \"k\"\n"
        ".decl V32 v_type=G type=uq num_elts=1 align=qword\n"
        ".decl V33 v_type=G type=ud num_elts=8 align=GRF\n"
        ".decl V34 v_type=G type=uq num_elts=1 align=qword\n"
        ".input V32 offset=32 size=8\n"
        ".kernel_attr SLMSize=1\n"
        ".kernel_attr SimdSize=16\n"
        ".function \"k_0\"\nk_0:\n"
        "    mov (M1_NM, 8) V33(0,0)<1> 0x7:ud\n"
        "    shl (M1_NM, 1) V34(0,0)<1> %group_id_x(0,0)<0;1,0> 5:uq\n"
        "    add (M1_NM, 1) V34(0,0)<1> V34(0,0)<0;1,0> V32(0,0)<0;1,0>\n"
        "    barrier\n"
        "    svm_block_st (2) V34(0,0)<0;1,0> V33.0\n"
        "    ret (M1, 1)\n";
    fail_each(*state, text, sizeof text - 1, "k", false, 1);
    fail_each(*state, text, sizeof text - 1, "k", true, 1);
}

static void allocations_fail_with_a_zebin(void **state)
{
    size_t size;
    uint8_t *bytes = load("launch/launch.dg2.zebin", &size);

    fail_each(*state, bytes, size, "where", false, 3);
    fail_each(*state, bytes, size, "where", true, 7);
    free(bytes);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_statuses),
        cmocka_unit_test(contexts),
        cmocka_unit_test(options_of_a_newer_caller),
        TEST(diagnostics),
        TEST(modules),
        TEST(indices_of_a_module),
        TEST(devices_and_buffers),
        TEST(devices_share_memory),
        TEST(programs_have_variables),
        TEST(platforms_have_limits),
        TEST(programs_and_launches),
        cmocka_unit_test(rows_of_the_table),
        TEST(forms_are_told_apart),
        TEST(info_must_name_the_kernel),
        TEST(platform_of_a_zebin),
        TEST(allocations_fail_with_a_text),
        TEST(allocations_fail_with_a_zebin),
    };
#undef TEST

    return cmocka_run_group_tests(tests, NULL, NULL);
}
