/* SPDX-License-Identifier: MIT
 *
 * visage info: what a file holds. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tool.h"

static void print_help(void)
{
    fputs(
        "usage: visage info [--json] [--info FILE] FILE\n\n"
        "Shows what a zebin or a vISA text holds: device, kernels and functions, their\n"
        "arguments, inputs, attributes, variables, and how often they use each instruction.\n\n"
        "      --info FILE   .ze_info of a zebin, or bare YAML, for a text\n"
        "      --json        as JSON\n"
        "  -h, --help\n",
        stdout);
}

static const char *kind_word(visage_argument_kind kind)
{
    static const char *const words[] = {"value", "buffer", "local", "image", "sampler"};
    return words[kind];
}

typedef struct count {
    size_t row, number;
} count;

static int by_number(const void *a, const void *b)
{
    const count *x = a;
    const count *y = b;

    if (x->number != y->number)
        return x->number < y->number ? 1 : -1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Instructions of a kernel, most frequent first; malloc'd, *used of them. */
static count *count_instructions(const visage_module *module, size_t kernel, size_t *used)
{
    size_t rows = visage_isa_count();
    count *counts = calloc(rows ? rows : 1, sizeof *counts);

    *used = 0;
    for (size_t i = 0; counts && i < rows; i++) {
        size_t number = visage_module_count_instructions(module, kernel, i);
        if (number)
            counts[(*used)++] = (count){i, number};
    }
    if (counts)
        qsort(counts, *used, sizeof *counts, by_number);
    return counts;
}

static const char *mnemonic_of(size_t row, char *text, size_t size)
{
    visage_isa_entry entry;

    return visage_isa_get(row, &entry, text, size) == VISAGE_OK ? entry.mnemonic : "?";
}

/* ---- text ------------------------------------------------------------------------------- */

static void print_arguments(const visage_module *module, size_t index,
                            const visage_kernel_info *kernel)
{
    for (size_t i = 0; i < kernel->num_arguments; i++) {
        visage_argument_info arg;
        if (visage_module_get_argument(module, index, i, &arg) != VISAGE_OK)
            continue;
        printf("  argument %zu: %s", i, kind_word(arg.kind));
        if (arg.kind == VISAGE_ARGUMENT_VALUE)
            printf(", %u bytes", arg.size_bytes);
        if (arg.access)
            printf(", %s", arg.access);
        if (arg.name)
            printf(", %s", arg.name);
        putchar('\n');
    }
}

static void print_inputs(const visage_module *module, size_t index,
                         const visage_kernel_info *kernel)
{
    for (size_t i = 0; i < kernel->num_inputs; i++) {
        visage_input_info input;
        if (visage_module_get_input(module, index, i, &input) == VISAGE_OK)
            printf("  input %s: offset %u, %u bytes%s\n", input.name, input.offset_bytes,
                   input.size_bytes, input.implicit ? ", implicit" : "");
    }
}

static void print_attributes(const visage_module *module, size_t index,
                             const visage_kernel_info *kernel)
{
    for (size_t i = 0; i < kernel->num_attributes; i++) {
        visage_attribute_info attribute;
        if (visage_module_get_attribute(module, index, i, &attribute) != VISAGE_OK)
            continue;
        if (attribute.is_string)
            printf("  attribute %s = \"%s\"\n", attribute.name, attribute.string);
        else
            printf("  attribute %s = %lld\n", attribute.name, (long long)attribute.value);
    }
}

static void print_instructions(const visage_module *module, size_t index)
{
    char text[2048];
    size_t used;
    count *counts = count_instructions(module, index, &used);

    printf("  uses:");
    for (size_t i = 0; counts && i < used; i++) {
        const char *mnemonic = mnemonic_of(counts[i].row, text, sizeof text);
        printf(" %s %zu%s", mnemonic, counts[i].number, i + 1 < used ? "," : "");
    }
    putchar('\n');
    free(counts);
}

static void print_kernel(const visage_module *module, size_t index)
{
    visage_kernel_info kernel;

    if (visage_module_get_kernel(module, index, &kernel) != VISAGE_OK)
        return;
    printf("%s %s: SIMD%u, %zu instructions, %zu labels\n",
           kernel.is_function ? "function" : "kernel", kernel.name, kernel.simd_size,
           kernel.num_instructions, kernel.num_labels);
    printf("  variables: %zu general, %zu address, %zu predicate, %zu sampler, %zu surface\n",
           kernel.num_variables, kernel.num_addresses, kernel.num_predicates,
           kernel.num_samplers, kernel.num_surfaces);
    if (!kernel.is_function)
        printf("  memory: %u bytes shared local, %u bytes private a thread, %u barriers\n",
               kernel.slm_bytes, kernel.private_bytes, kernel.barriers);
    if (kernel.required_local[0])
        printf("  required local size: %u,%u,%u\n", kernel.required_local[0],
               kernel.required_local[1], kernel.required_local[2]);
    print_arguments(module, index, &kernel);
    print_inputs(module, index, &kernel);
    print_attributes(module, index, &kernel);
    print_instructions(module, index);
}

static void print_module(const char *file, const visage_module *module,
                         const visage_module_info *info)
{
    const char *platform = visage_platform_name(info->platform);

    printf("%s: %s, device %s, vISA %u.%u, %zu kernels, %zu functions\n", file, info->form,
           platform ? platform : "not said", info->version_major, info->version_minor,
           info->num_kernels, info->num_functions);
    for (size_t i = 0; i < info->num_kernels + info->num_functions; i++) {
        putchar('\n');
        print_kernel(module, i);
    }
}

/* ---- JSON ------------------------------------------------------------------------------- */

/* A string of the file, or null: names from files need not be valid UTF-8. */
static json_t *string_or_null(const char *text)
{
    json_t *string = text ? json_string(text) : NULL;
    return string ? string : json_null();
}

static json_t *arguments_json(const visage_module *module, size_t index, size_t number)
{
    json_t *array = json_array();

    for (size_t i = 0; i < number; i++) {
        visage_argument_info arg;
        if (visage_module_get_argument(module, index, i, &arg) == VISAGE_OK)
            (void)json_array_append_new(
                array, json_pack("{s:s, s:i, s:o, s:o}", "kind", kind_word(arg.kind), "bytes",
                                 (int)arg.size_bytes, "name", string_or_null(arg.name),
                                 "access", string_or_null(arg.access)));
    }
    return array;
}

static json_t *inputs_json(const visage_module *module, size_t index, size_t number)
{
    json_t *array = json_array();

    for (size_t i = 0; i < number; i++) {
        visage_input_info input;
        if (visage_module_get_input(module, index, i, &input) == VISAGE_OK)
            (void)json_array_append_new(array, json_pack("{s:o, s:I, s:I, s:b}", "name",
                                                         string_or_null(input.name), "offset",
                                                         (json_int_t)input.offset_bytes,
                                                         "bytes", (json_int_t)input.size_bytes,
                                                         "implicit", (int)input.implicit));
    }
    return array;
}

static json_t *attributes_json(const visage_module *module, size_t index, size_t number)
{
    json_t *object = json_object();

    for (size_t i = 0; i < number; i++) {
        visage_attribute_info attribute;
        if (visage_module_get_attribute(module, index, i, &attribute) == VISAGE_OK)
            (void)json_object_set_new(object, attribute.name,
                                      attribute.is_string ? string_or_null(attribute.string)
                                                          : json_integer(attribute.value));
    }
    return object;
}

static json_t *instructions_json(const visage_module *module, size_t index)
{
    char text[2048];
    size_t used;
    count *counts = count_instructions(module, index, &used);
    json_t *object = json_object();

    for (size_t i = 0; counts && i < used; i++) {
        /* Typed and untyped operations of one name are one entry. */
        const char *mnemonic = mnemonic_of(counts[i].row, text, sizeof text);
        json_int_t before = json_integer_value(json_object_get(object, mnemonic));
        (void)json_object_set_new(object, mnemonic,
                                  json_integer(before + (json_int_t)counts[i].number));
    }
    free(counts);
    return object;
}

static json_t *kernel_json(const visage_module *module, size_t index)
{
    visage_kernel_info k;

    if (visage_module_get_kernel(module, index, &k) != VISAGE_OK)
        return json_null();
    json_t *object =
        json_pack("{s:o, s:b, s:I, s:I, s:I, s:I}", "name", string_or_null(k.name), "function",
                  (int)k.is_function, "simd_size", (json_int_t)k.simd_size, "slm_bytes",
                  (json_int_t)k.slm_bytes, "private_bytes", (json_int_t)k.private_bytes,
                  "barriers", (json_int_t)k.barriers);
    json_t *variables = json_pack(
        "{s:I, s:I, s:I, s:I, s:I}", "general", (json_int_t)k.num_variables, "address",
        (json_int_t)k.num_addresses, "predicate", (json_int_t)k.num_predicates, "sampler",
        (json_int_t)k.num_samplers, "surface", (json_int_t)k.num_surfaces);
    (void)json_object_set_new(object, "required_local",
                              json_pack("[I,I,I]", (json_int_t)k.required_local[0],
                                        (json_int_t)k.required_local[1],
                                        (json_int_t)k.required_local[2]));
    (void)json_object_set_new(object, "variables", variables);
    (void)json_object_set_new(object, "num_labels", json_integer((json_int_t)k.num_labels));
    (void)json_object_set_new(object, "num_instructions",
                              json_integer((json_int_t)k.num_instructions));
    (void)json_object_set_new(object, "arguments",
                              arguments_json(module, index, k.num_arguments));
    (void)json_object_set_new(object, "inputs", inputs_json(module, index, k.num_inputs));
    (void)json_object_set_new(object, "attributes",
                              attributes_json(module, index, k.num_attributes));
    (void)json_object_set_new(object, "instructions", instructions_json(module, index));
    return object;
}

static void print_json(const char *file, const visage_module *module,
                       const visage_module_info *info)
{
    json_t *kernels = json_array();

    for (size_t i = 0; i < info->num_kernels + info->num_functions; i++)
        (void)json_array_append_new(kernels, kernel_json(module, i));
    json_t *object = json_pack(
        "{s:o, s:s, s:o, s:[I,I], s:o}", "file", string_or_null(file), "form", info->form,
        "platform", string_or_null(visage_platform_name(info->platform)), "version",
        (json_int_t)info->version_major, (json_int_t)info->version_minor, "kernels", kernels);
    (void)json_dumpf(object, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(object);
}

static int show(const char *file, const char *info_path, bool json)
{
    visage_module_options options = VISAGE_OPTIONS_INIT(visage_module_options);
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_module *module = NULL;
    visage_module_info info;
    void *ze_info = NULL;

    if (info_path) {
        ze_info = tool_read(info_path, &options.info_size);
        if (!ze_info)
            return EXIT_WANTING;
        options.info = ze_info;
        options.info_name = info_path;
    }
    if (!tool_start(&context, &diagnostics)) {
        free(ze_info);
        return EXIT_RESOURCE;
    }
    visage_status status = tool_read_module(context, file, &options, diagnostics, &module);
    if (status == VISAGE_OK)
        status = visage_module_get_info(module, &info);
    tool_report(diagnostics, status);
    if (status == VISAGE_OK && json)
        print_json(file, module, &info);
    else if (status == VISAGE_OK)
        print_module(file, module, &info);
    visage_module_destroy(&module);
    tool_finish(&context, &diagnostics);
    free(ze_info);
    if (!tool_flush())
        return EXIT_RESOURCE;
    return tool_exit(status);
}

int tool_info(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"json", no_argument, NULL, 'j'},
        {"info", required_argument, NULL, 'i'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    const char *info_path = NULL;
    bool json = false;
    int option;

    while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
        if (option == 'h') {
            print_help();
            return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
        }
        if (option == 'j')
            json = true;
        else if (option == 'i')
            info_path = optarg;
        else
            return EXIT_USAGE;
    }
    if (argc - optind != 1) {
        tool_error(optind == argc ? "info: no file given" : "info: one file at a time");
        return EXIT_USAGE;
    }
    return show(argv[optind], info_path, json);
}
