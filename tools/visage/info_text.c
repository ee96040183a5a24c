/* SPDX-License-Identifier: MIT
 *
 * visage info for people. */
#include <stdlib.h>
#include <string.h>

#include "info.h"

/* A text from the file between two of ours. */
static void print_escaped(const char *before, const char *text, const char *after)
{
    char *escaped = info_escape(text, strlen(text));

    printf("%s%s%s", before, escaped ? escaped : "?", after);
    free(escaped);
}

static void print_arguments(const visage_module *module, size_t unit, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        visage_argument_info arg;
        if (visage_module_get_argument(module, unit, i, &arg) != VISAGE_OK)
            continue;
        printf("  argument %zu: %s", i, info_argument_kind(arg.kind));
        if (arg.kind == VISAGE_ARGUMENT_VALUE)
            printf(", %u bytes", arg.size_bytes);
        if (arg.access)
            printf(", %s", arg.access);
        if (arg.name)
            print_escaped(", ", arg.name, "");
        putchar('\n');
    }
}

static void print_inputs(const visage_module *module, size_t unit, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        visage_input_info input;
        visage_input record;
        if (visage_module_get_input(module, unit, i, &input) != VISAGE_OK ||
            visage_module_get_input_record(module, unit, i, &record) != VISAGE_OK)
            continue;
        print_escaped("  input ", input.name, "");
        printf(": offset %d, %u bytes", record.offset_bytes, input.size_bytes);
        if (record.class_ != VISAGE_CLASS_GENERAL)
            printf(", %s", info_class(record.class_));
        if (input.implicit)
            printf(", implicit (%u)", record.provenance);
        putchar('\n');
    }
}

static void print_attribute(const char *indent, const visage_attribute *attribute)
{
    printf("%s", indent);
    print_escaped("attribute ", attribute->name, "");
    if (attribute->string) {
        char *value = info_escape(attribute->string, info_string_length(attribute));
        printf(" = \"%s\"", value ? value : "?");
        free(value);
    } else if (attribute->size_bytes) {
        printf(" = %lld", (long long)attribute->value);
    }
    putchar('\n');
}

static void print_attributes(const char *indent, const visage_module *module, size_t unit,
                             visage_class class_, size_t index)
{
    visage_attribute attribute;

    for (size_t i = 0; visage_module_get_attribute_record(module, unit, class_, index, i,
                                                          &attribute) == VISAGE_OK;
         i++)
        print_attribute(indent, &attribute);
}

static void print_instructions(const visage_module *module, size_t unit)
{
    char text[2048];
    size_t used;
    info_count *counts = info_count_instructions(module, unit, &used);

    printf("  uses:");
    for (size_t i = 0; counts && i < used; i++) {
        const char *mnemonic = info_mnemonic(counts[i].row, text, sizeof text);
        printf(" %s %zu%s", mnemonic, counts[i].number, i + 1 < used ? "," : "");
    }
    putchar('\n');
    free(counts);
}

/* ---- what a binary has ------------------------------------------------------------------ */

static void print_gen_binaries(const visage_module *module, size_t unit, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        visage_gen_binary_info binary;
        if (visage_module_get_gen_binary(module, unit, i, &binary) != VISAGE_OK)
            continue;
        const char *platform = visage_platform_name(binary.platform);
        printf("  GEN binary: platform %u (%s), %zu bytes at 0x%llx\n", binary.code,
               platform ? platform : "unknown", binary.size_bytes,
               (unsigned long long)binary.offset_bytes);
    }
}

static void print_relocations(const visage_module *module, size_t unit, bool of_functions)
{
    visage_relocation_info relocation;

    for (size_t i = 0;
         visage_module_get_relocation(module, unit, of_functions, i, &relocation) == VISAGE_OK;
         i++)
        printf("  relocation of %s %u: %u\n", of_functions ? "function" : "variable",
               relocation.symbolic_index, relocation.resolved_index);
}

static void print_stored(const visage_module *module, size_t unit)
{
    visage_stored_info stored;

    if (visage_module_get_stored(module, unit, &stored) != VISAGE_OK)
        return;
    if (stored.is_broken)
        printf("  damaged: %s, %s 0x%llx%s: %s\n", stored.damage,
               stored.is_cut_off ? "reading stopped at byte" : "all was read, but byte",
               (unsigned long long)stored.broken_at, stored.is_cut_off ? "" : " is malformed",
               stored.damage_help);
    else if (stored.damage)
        printf("  damaged: the instructions are %s; only the operations are known: %s\n",
               stored.damage, stored.damage_help);
    if (stored.size_bytes)
        printf("  object: %llu bytes at 0x%llx, string pool: %zu strings, %zu bytes\n",
               (unsigned long long)stored.size_bytes, (unsigned long long)stored.offset_bytes,
               stored.num_strings, stored.string_bytes);
    if (stored.input_grfs || stored.return_grfs)
        printf("  input_size %u, return_value_size %u\n", stored.input_grfs,
               stored.return_grfs);
    if (stored.num_vmes)
        printf("  VME variables: %zu\n", stored.num_vmes);
    print_gen_binaries(module, unit, stored.num_gen_binaries);
    print_relocations(module, unit, false);
    print_relocations(module, unit, true);
}

/* ---- tables ----------------------------------------------------------------------------- */

static void print_variable(visage_class class_, uint32_t id, const visage_variable *variable)
{
    printf("  %s %u", info_class(class_), id);
    print_escaped(" ", variable->name, ":");
    if (class_ == VISAGE_CLASS_GENERAL)
        printf(" %s", visage_type_name(variable->type));
    printf(" x %u", variable->num_elements);
    if (variable->align)
        printf(", align %u", variable->align);
    if (variable->pool_name)
        print_escaped(", name in the pool ", variable->pool_name, "");
    if (variable->alias_is_file_scope || variable->alias != VISAGE_NO_ALIAS)
        printf(", alias of %s%u + %u", variable->alias_is_file_scope ? "file-scope " : "",
               variable->alias, variable->alias_offset_bytes);
    putchar('\n');
}

static void print_tables(const visage_module *module, size_t unit)
{
    visage_variable variable;
    visage_label label;
    uint32_t id;

    for (visage_class c = VISAGE_CLASS_GENERAL; c <= VISAGE_CLASS_SURFACE; c++)
        for (size_t i = 0;
             visage_module_get_variable(module, unit, c, i, &variable, &id) == VISAGE_OK; i++) {
            print_variable(c, id, &variable);
            print_attributes("    ", module, unit, c, i);
        }
    for (size_t i = 0; visage_module_get_label(module, unit, i, &label) == VISAGE_OK; i++) {
        printf("  label %zu", i);
        print_escaped(" ", label.name, ":");
        printf(" %s", info_label_kind(label.kind));
        if (label.instruction >= 0)
            printf(", instruction %lld", (long long)label.instruction);
        putchar('\n');
        print_attributes("    ", module, unit, VISAGE_CLASS_LABEL, i);
    }
}

/* ---- the whole -------------------------------------------------------------------------- */

static void print_head(const visage_module *module, size_t unit, const visage_kernel_info *k)
{
    visage_unit record;

    print_escaped(k->is_function ? "function " : "kernel ", k->name, "");
    printf(": SIMD%u, %zu instructions, %zu labels", k->simd_size, k->num_instructions,
           k->num_labels);
    if (k->is_function && visage_module_get_unit(module, unit, &record, NULL) == VISAGE_OK)
        printf(", linkage %s%s", info_linkage(record.linkage),
               record.is_declaration ? ", declared only" : "");
    putchar('\n');
}

static void print_unit(const visage_module *module, size_t unit, bool tables)
{
    visage_kernel_info k;

    if (visage_module_get_kernel(module, unit, &k) != VISAGE_OK)
        return;
    print_head(module, unit, &k);
    printf("  variables: %zu general, %zu address, %zu predicate, %zu sampler, %zu surface\n",
           k.num_variables, k.num_addresses, k.num_predicates, k.num_samplers, k.num_surfaces);
    if (!k.is_function)
        printf("  memory: %u bytes shared local, %u bytes private a thread, %u barriers\n",
               k.slm_bytes, k.private_bytes, k.barriers);
    if (k.required_local[0])
        printf("  required local size: %u,%u,%u\n", k.required_local[0], k.required_local[1],
               k.required_local[2]);
    print_stored(module, unit);
    print_arguments(module, unit, k.num_arguments);
    print_inputs(module, unit, k.num_inputs);
    print_attributes("  ", module, unit, VISAGE_CLASS_UNIT, 0);
    if (tables)
        print_tables(module, unit);
    print_instructions(module, unit);
}

void info_print_text(const char *file, const visage_module *module, bool tables)
{
    visage_file_variable variable;
    visage_module_info info;

    if (visage_module_get_info(module, &info) != VISAGE_OK)
        return;
    const char *platform = visage_platform_name(info.platform);
    print_escaped("", file, "");
    printf(": %s, device %s, vISA %u.%u, %zu kernels, %zu functions", info.form,
           platform ? platform : "not said", info.version_major, info.version_minor,
           info.num_kernels, info.num_functions);
    if (info.layout)
        printf(", layout %s", info.layout);
    putchar('\n');
    if (info.header_is_broken)
        printf(
            "  damaged: the header, at byte 0x%llx: there may be more kernels and functions\n",
            (unsigned long long)info.header_broken_at);
    for (size_t i = 0; visage_module_get_file_variable(module, i, &variable) == VISAGE_OK;
         i++) {
        print_escaped("  file-scope variable ", variable.name, ":");
        printf(" %s x %u, align %u, linkage %s\n", visage_type_name(variable.type),
               variable.num_elements, variable.align, info_linkage(variable.linkage));
    }
    for (size_t i = 0; i < info.num_kernels + info.num_functions; i++) {
        putchar('\n');
        print_unit(module, i, tables);
    }
}
