/* SPDX-License-Identifier: MIT
 *
 * The header of a binary and what it points to. Sources: 4_visa_header (Virtual ISA Header,
 * vISA Object Format); spec dialect 1. */
#include <stdlib.h>
#include <string.h>

#include "object/reader.h"

static const char magic[4] = {'C', 'I', 'S', 'A'};

/* Smallest entries, in bytes. */
enum {
    LEAST_KERNEL = 20,
    LEAST_RELOC = 4,
    LEAST_GEN_BINARY = 9,
    LEAST_FILE_VARIABLE = 8,
    LEAST_FUNCTION = 16,
    LEAST_ATTRIBUTE = 5
};

enum { MOST_ERRORS = 100 };

bool vsg_obj_is_binary(const void *data, size_t size_bytes)
{
    return size_bytes >= sizeof magic && memcmp(data, magic, sizeof magic) == 0;
}

/* ---- reporting -------------------------------------------------------------------------- */

vsg_base_location vsg_obj_read_where(const vsg_obj_reader *reader, uint64_t at)
{
    return (vsg_base_location){.file = reader->file,
                               .has_offset = true,
                               .offset = at,
                               .kernel = reader->unit ? reader->unit->name : NULL,
                               .instruction = -1};
}

bool vsg_obj_read_failed(vsg_obj_reader *reader, vsg_base_diag diag, size_t at, ...)
{
    vsg_base_location where = vsg_obj_read_where(reader, at);
    va_list args;

    va_start(args, at);
    vsg_base_vreport(reader->diagnostics, diag, &where, args);
    va_end(args);
    reader->failed_at = at;
    if (reader->status == VISAGE_OK)
        reader->status = VISAGE_MALFORMED;
    return false;
}

bool vsg_obj_read_no_memory(vsg_obj_reader *reader)
{
    reader->status = VISAGE_NO_MEMORY;
    return false;
}

bool vsg_obj_read_invalid(vsg_obj_reader *reader)
{
    reader->failed_at = reader->in.at;
    if (reader->status == VISAGE_OK)
        reader->status = VISAGE_INVALID;
    return false;
}

bool vsg_obj_read_good(vsg_obj_reader *reader)
{
    const vsg_obj_cursor *in = &reader->in;

    if (!in->failed)
        return true;
    return vsg_obj_read_failed(reader, VSG_DIAG_BIN_ENDS, in->at, in->field,
                               (unsigned long long)in->needed,
                               (unsigned long long)vsg_obj_left(in));
}

bool vsg_obj_read_fits(vsg_obj_reader *reader, const char *what, uint64_t count, size_t least)
{
    if (!vsg_obj_read_good(reader))
        return false;
    if (count <= vsg_obj_left(&reader->in) / least)
        return true;
    return vsg_obj_read_failed(reader, VSG_DIAG_BIN_COUNT, reader->in.at, what,
                               (unsigned long long)count,
                               (unsigned long long)vsg_obj_left(&reader->in));
}

static bool within(vsg_obj_reader *reader, vsg_obj_limit limit, uint64_t value)
{
    vsg_base_location where = vsg_obj_read_where(reader, reader->in.at);

    return vsg_obj_within(limit, value, &where, reader->diagnostics) ||
           vsg_obj_read_invalid(reader);
}

/* ---- parts of the header ---------------------------------------------------------------- */

/* A length and that many characters, none of them NUL. *name is NULL when memory is out. */
static bool read_name(vsg_obj_reader *reader, vsg_obj_limit limit, const char **name)
{
    size_t length = vsg_obj_u16(&reader->in, "name_len");
    size_t at = reader->in.at;
    const uint8_t *bytes = vsg_obj_bytes_of(&reader->in, length, "name");

    if (!vsg_obj_read_good(reader) || !within(reader, limit, length))
        return false;
    if (memchr(bytes, 0, length))
        return vsg_obj_read_failed(reader, VSG_DIAG_BIN_FIELD, at, "a character of the name",
                                   0ULL, "none that is 0");
    *name = vsg_obj_text(reader->module, (const char *)bytes, length);
    return *name || vsg_obj_read_no_memory(reader);
}

static bool add_extent(vsg_obj_reader *reader, uint64_t at, uint64_t size, int gen_binary)
{
    void *extents = reader->extents;

    if (!vsg_base_grow(&reader->module->alloc, &extents, reader->num_extents,
                       &reader->cap_extents, sizeof *reader->extents))
        return vsg_obj_read_no_memory(reader);
    reader->extents = extents;
    reader->extents[reader->num_extents++] = (vsg_obj_extent){
        at, size, (uint32_t)reader->module->num_units - 1, (int16_t)gen_binary};
    return true;
}

static bool read_relocs(vsg_obj_reader *reader, const char *what, vsg_obj_reloc **out,
                        size_t *out_count)
{
    size_t count = vsg_obj_u16(&reader->in, what);

    if (!vsg_obj_read_fits(reader, what, count, LEAST_RELOC))
        return false;
    if (count == 0)
        return true;
    *out = vsg_base_arena_new(&reader->module->arena, count, sizeof **out);
    if (!*out)
        return vsg_obj_read_no_memory(reader);
    *out_count = count;
    for (size_t i = 0; i < count; i++) {
        (*out)[i].symbolic_index = vsg_obj_u16(&reader->in, "symbolic_index");
        (*out)[i].resolved_index = vsg_obj_u16(&reader->in, "resolved_index");
    }
    return true;
}

static bool read_both_relocs(vsg_obj_reader *reader)
{
    vsg_obj_stored *stored = &reader->unit->stored;

    return read_relocs(reader, "num_syms_variable", &stored->variable_relocs,
                       &stored->num_variable_relocs) &&
           read_relocs(reader, "num_syms_function", &stored->function_relocs,
                       &stored->num_function_relocs);
}

static bool read_gen_binaries(vsg_obj_reader *reader)
{
    vsg_obj_stored *stored = &reader->unit->stored;
    size_t count = vsg_obj_u8(&reader->in, "num_gen_binaries");

    if (!within(reader, VSG_OBJ_LIMIT_GEN_BINARIES, count) ||
        !vsg_obj_read_fits(reader, "num_gen_binaries", count, LEAST_GEN_BINARY))
        return false;
    if (count == 0)
        return true;
    stored->gen_binaries =
        vsg_base_arena_new(&reader->module->arena, count, sizeof *stored->gen_binaries);
    if (!stored->gen_binaries)
        return vsg_obj_read_no_memory(reader);
    stored->num_gen_binaries = count;
    for (size_t i = 0; i < count; i++) {
        vsg_obj_gen_binary *binary = &stored->gen_binaries[i];
        binary->platform = vsg_obj_u8(&reader->in, "gen_platform");
        uint32_t at = vsg_obj_u32(&reader->in, "binary_offset");
        binary->size_bytes = vsg_obj_u32(&reader->in, "binary_size");
        if (!add_extent(reader, at, binary->size_bytes, (int)i))
            return false;
    }
    return true;
}

/* Where the object lies: both or neither, so that a record that is cut off names no place. */
static bool read_place(vsg_obj_reader *reader)
{
    vsg_obj_stored *stored = &reader->unit->stored;
    uint64_t at = vsg_obj_u32(&reader->in, "offset");
    uint64_t size = vsg_obj_u32(&reader->in, "size");

    if (!vsg_obj_read_good(reader))
        return false;
    stored->offset_bytes = at;
    stored->size_bytes = size;
    return true;
}

static bool add_unit(vsg_obj_reader *reader, const char *name, bool is_function)
{
    reader->unit = vsg_obj_add_unit(reader->module, "", 0, is_function);
    if (!reader->unit)
        return vsg_obj_read_no_memory(reader);
    reader->unit->name = name;
    reader->unit->file = reader->file;
    return true;
}

static bool read_kernel(vsg_obj_reader *reader)
{
    const char *name;
    void *offsets = reader->input_offsets;

    reader->unit = NULL;
    if (!read_name(reader, VSG_OBJ_LIMIT_UNIT_NAME, &name) || !add_unit(reader, name, false))
        return false;
    const vsg_obj_stored *stored = &reader->unit->stored;
    if (!read_place(reader))
        return false;
    uint32_t input_offset = vsg_obj_u32(&reader->in, "input_offset");
    if (!vsg_base_grow(&reader->module->alloc, &offsets, reader->num_input_offsets,
                       &reader->cap_input_offsets, sizeof *reader->input_offsets))
        return vsg_obj_read_no_memory(reader);
    reader->input_offsets = offsets;
    reader->input_offsets[reader->num_input_offsets++] = input_offset;
    return add_extent(reader, stored->offset_bytes, stored->size_bytes, -1) &&
           read_both_relocs(reader) && read_gen_binaries(reader);
}

static bool read_linkage(vsg_obj_reader *reader, vsg_obj_linkage *out)
{
    unsigned code = vsg_obj_u8(&reader->in, "linkage");

    *out = (vsg_obj_linkage)code;
    return code <= VSG_OBJ_LINKAGE_GLOBAL ||
           vsg_obj_read_failed(reader, VSG_DIAG_BIN_FIELD, reader->in.at - 1, "linkage",
                               (unsigned long long)code, "0, 1 or 2");
}

static bool read_function(vsg_obj_reader *reader)
{
    const char *name;
    vsg_obj_linkage linkage;

    reader->unit = NULL;
    if (!read_linkage(reader, &linkage) || !read_name(reader, VSG_OBJ_LIMIT_UNIT_NAME, &name) ||
        !add_unit(reader, name, true))
        return false;
    vsg_obj_stored *stored = &reader->unit->stored;
    if (!read_place(reader))
        return false;
    stored->is_declaration = stored->offset_bytes == 0 && stored->size_bytes == 0;
    reader->unit->linkage = linkage;
    if (!stored->is_declaration &&
        !add_extent(reader, stored->offset_bytes, stored->size_bytes, -1))
        return false;
    return read_both_relocs(reader);
}

static bool read_file_variable(vsg_obj_reader *reader, vsg_obj_file_variable *out)
{
    vsg_obj_cursor *in = &reader->in;
    size_t at = in->at;

    if (!read_linkage(reader, &out->linkage) ||
        !read_name(reader, VSG_OBJ_LIMIT_FILE_NAME, &out->name))
        return false;
    unsigned properties = vsg_obj_u8(in, "bit_properties");
    out->type = (visage_type)(properties & 15);
    out->align = (uint8_t)(properties >> 4);
    out->num_elements = vsg_obj_u16(in, "num_elements");
    out->attribute_count = vsg_obj_u8(in, "attribute_count");
    size_t attributes_at = in->at;
    if (!vsg_obj_read_fits(reader, "attribute_count", out->attribute_count, LEAST_ATTRIBUTE))
        return false;
    for (unsigned i = 0; i < out->attribute_count; i++) {
        (void)vsg_obj_u32(in, "name of an attribute");
        size_t size = vsg_obj_u8(in, "size of an attribute");
        (void)vsg_obj_bytes_of(in, size, "value of an attribute");
    }
    if (!vsg_obj_read_good(reader))
        return false;
    out->attribute_bytes = in->at - attributes_at;
    out->attributes = (const uint8_t *)vsg_obj_text(
        reader->module, (const char *)in->data + attributes_at, out->attribute_bytes);
    if (!out->attributes)
        return vsg_obj_read_no_memory(reader);
    vsg_base_location where = vsg_obj_read_where(reader, at);
    return vsg_obj_file_variable_within(out, &where, reader->diagnostics) ||
           vsg_obj_read_invalid(reader);
}

static bool read_file_variables(vsg_obj_reader *reader)
{
    vsg_obj_module *module = reader->module;
    size_t count = vsg_obj_u16(&reader->in, "num_variables");

    reader->unit = NULL;
    if (!vsg_obj_read_fits(reader, "num_variables", count, LEAST_FILE_VARIABLE))
        return false;
    if (count == 0)
        return true;
    module->file_variables =
        vsg_base_arena_new(&module->arena, count, sizeof *module->file_variables);
    module->cap_file_variables = module->file_variables ? count : 0;
    if (!module->file_variables)
        return vsg_obj_read_no_memory(reader);
    for (; module->num_file_variables < count; module->num_file_variables++)
        if (!read_file_variable(reader, &module->file_variables[module->num_file_variables]))
            return false;
    return true;
}

static bool read_version(vsg_obj_reader *reader)
{
    vsg_obj_module *module = reader->module;

    if (!vsg_obj_is_binary(reader->in.data, reader->in.end)) {
        (void)vsg_obj_read_failed(reader, VSG_DIAG_BIN_FIELD, 0, "magic_number",
                                  (unsigned long long)vsg_obj_number(
                                      &reader->in, reader->in.end < 4 ? 1 : 4, "magic_number"),
                                  "the letters CISA");
        return false;
    }
    reader->in.at = sizeof magic;
    module->version_major = vsg_obj_u8(&reader->in, "major_version");
    module->version_minor = vsg_obj_u8(&reader->in, "minor_version");
    if (!vsg_obj_read_good(reader))
        return false;
    reader->version =
        module->version_major * 100 + (module->version_minor < 99 ? module->version_minor : 99);
    if (reader->version >= VSG_OBJ_VERSION_OLDEST && reader->version <= VSG_OBJ_VERSION_NEWEST)
        return true;
    reader->status = VISAGE_UNSUPPORTED;
    return vsg_obj_read_failed(reader, VSG_DIAG_BIN_VERSION, sizeof magic,
                               module->version_major, module->version_minor);
}

static bool read_header(vsg_obj_reader *reader)
{
    if (!read_version(reader))
        return false;
    size_t num_kernels = vsg_obj_u16(&reader->in, "num_kernels");
    if (!within(reader, VSG_OBJ_LIMIT_KERNELS, num_kernels) ||
        !vsg_obj_read_fits(reader, "num_kernels", num_kernels, LEAST_KERNEL))
        return false;
    for (size_t i = 0; i < num_kernels; i++)
        if (!read_kernel(reader))
            return false;
    if (!vsg_obj_read_good(reader) || !read_file_variables(reader))
        return false;
    size_t num_functions = vsg_obj_u16(&reader->in, "num_functions");
    if (!vsg_obj_read_fits(reader, "num_functions", num_functions, LEAST_FUNCTION))
        return false;
    for (size_t i = 0; i < num_functions; i++)
        if (!read_function(reader))
            return false;
    reader->unit = NULL;
    return vsg_obj_read_good(reader);
}

/* ---- extents ---------------------------------------------------------------------------- */

static const char *name_of(const vsg_obj_extent *extent)
{
    return extent->gen_binary >= 0 ? "a GEN binary" : "an object";
}

static bool is_inside(vsg_obj_reader *reader, const vsg_obj_extent *extent)
{
    uint64_t low = reader->in.at, high = reader->in.end;

    if (extent->at >= low && extent->at + extent->size <= high)
        return true;
    reader->unit = reader->module->units[extent->unit];
    return vsg_obj_read_failed(reader, VSG_DIAG_BIN_PLACE, (size_t)low, name_of(extent),
                               (unsigned long long)extent->at,
                               (unsigned long long)(extent->at + extent->size),
                               (unsigned long long)low, (unsigned long long)high);
}

static int by_place(const void *a, const void *b)
{
    const vsg_obj_extent *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    /* Empty ones first: they lie between their neighbours. */
    return (x->size > y->size) - (x->size < y->size);
}

/* Two objects that share bytes would make memory and time depend on more than the size. */
static bool check_extents(vsg_obj_reader *reader)
{
    vsg_obj_extent *extents = reader->extents;

    for (size_t i = 0; i < reader->num_extents; i++)
        if (!is_inside(reader, &extents[i]) &&
            !vsg_obj_read_clip(reader, &extents[i], reader->in.at, reader->in.end))
            return false;
    if (reader->num_extents > 1)
        qsort(extents, reader->num_extents, sizeof *extents, by_place);
    for (size_t i = 1; i < reader->num_extents; i++) {
        vsg_obj_extent *before = &extents[i - 1];
        if (before->at + before->size <= extents[i].at)
            continue;
        reader->unit = reader->module->units[extents[i].unit];
        (void)vsg_obj_read_failed(reader, VSG_DIAG_BIN_OVERLAP, (size_t)extents[i].at,
                                  name_of(&extents[i]), name_of(before),
                                  (unsigned long long)extents[i].at);
        if (!vsg_obj_read_clip(reader, before, before->at, extents[i].at))
            return false;
    }
    return true;
}

static bool keep_gen_binaries(vsg_obj_reader *reader)
{
    vsg_obj_module *module = reader->module;
    visage_platform platform = VISAGE_PLATFORM_NONE;

    for (size_t i = 0; i < reader->num_extents; i++) {
        const vsg_obj_extent *extent = &reader->extents[i];
        if (extent->gen_binary < 0)
            continue;
        vsg_obj_gen_binary *binary =
            &module->units[extent->unit]->stored.gen_binaries[extent->gen_binary];
        binary->offset_bytes = extent->at;
        binary->data = (const uint8_t *)vsg_obj_text(
            module, (const char *)reader->in.data + extent->at, binary->size_bytes);
        if (!binary->data)
            return vsg_obj_read_no_memory(reader);
        if (platform == VISAGE_PLATFORM_NONE)
            platform = vsg_isa_find_gen_platform(binary->platform);
    }
    if (module->platform == VISAGE_PLATFORM_NONE)
        module->platform = platform;
    return true;
}

/* ---- objects ---------------------------------------------------------------------------- */

/* The compiler writes linkage 0, extern, for functions that are there; the documents allow it
 * only where there is none (spec dialect 1). */
static bool settle_linkage(vsg_obj_reader *reader)
{
    for (size_t i = 0; i < reader->module->num_units; i++) {
        vsg_obj_unit *unit = reader->module->units[i];
        vsg_obj_stored *stored = &unit->stored;
        bool is_extern = unit->linkage == VSG_OBJ_LINKAGE_EXTERN && !stored->is_declaration;
        reader->unit = unit;
        if (!unit->is_function)
            continue;
        if (reader->layout == VSG_OBJ_LAYOUT_DOC && is_extern &&
            !vsg_obj_read_failed(reader, VSG_DIAG_BIN_FIELD, (size_t)stored->offset_bytes,
                                 "linkage", 0ULL, "1 or 2 of a function with an object") &&
            !vsg_obj_read_goes_on(reader))
            return false;
        stored->linkage_is_explicit =
            reader->layout == VSG_OBJ_LAYOUT_IGC && unit->linkage == VSG_OBJ_LINKAGE_GLOBAL;
        if (is_extern)
            unit->linkage = VSG_OBJ_LINKAGE_GLOBAL;
    }
    reader->unit = NULL;
    return true;
}

static bool read_object(vsg_obj_reader *reader)
{
    const vsg_obj_stored *stored = &reader->unit->stored;

    if (stored->is_declaration)
        return true;
    if (reader->recover)
        return vsg_obj_read_unit_anyway(reader);
    return vsg_obj_read_unit(reader, (size_t)stored->offset_bytes, (size_t)stored->size_bytes);
}

static bool read_units(vsg_obj_reader *reader)
{
    vsg_obj_module *module = reader->module;
    size_t kernel = 0;

    for (size_t i = 0; i < module->num_units; i++) {
        reader->unit = module->units[i];
        /* The last kernel of a header that is cut off may have none. */
        if (!reader->unit->is_function && kernel < reader->num_input_offsets)
            reader->input_offset = reader->input_offsets[kernel++];
        if (!read_object(reader))
            return false;
    }
    reader->unit = NULL;
    return true;
}

static bool expect(vsg_obj_reader *reader, const char *what, uint64_t at, uint64_t size,
                   uint64_t *expected)
{
    if (at != *expected) {
        vsg_base_location where = vsg_obj_read_where(reader, at);
        vsg_base_report(reader->diagnostics, VSG_DIAG_BIN_ORDER, &where, what,
                        (unsigned long long)at, (unsigned long long)*expected);
        return false;
    }
    *expected += size;
    return true;
}

static bool expect_units(vsg_obj_reader *reader, bool functions, uint64_t *expected)
{
    const vsg_obj_module *module = reader->module;

    for (size_t i = 0; i < module->num_units; i++) {
        const vsg_obj_unit *unit = module->units[i];
        const vsg_obj_stored *stored = &unit->stored;
        if (unit->is_function != functions || stored->is_declaration)
            continue;
        if (!expect(reader, "an object", stored->offset_bytes, stored->size_bytes, expected))
            return false;
        for (size_t g = 0; g < stored->num_gen_binaries; g++)
            if (!expect(reader, "a GEN binary", stored->gen_binaries[g].offset_bytes,
                        stored->gen_binaries[g].size_bytes, expected))
                return false;
    }
    return true;
}

/* Are all parts where a writer of this layout puts them? Tells about the first that is not. */
static void check_order(vsg_obj_reader *reader)
{
    bool functions_first = reader->layout == VSG_OBJ_LAYOUT_DOC;
    uint64_t expected = reader->in.at;

    if (!expect_units(reader, functions_first, &expected) ||
        !expect_units(reader, !functions_first, &expected))
        return;
    (void)expect(reader, "the end of the file", reader->in.end, 0, &expected);
}

visage_status vsg_obj_read_binary(vsg_obj_module *module, const vsg_obj_binary *input,
                                  visage_diagnostics *diagnostics)
{
    const vsg_base_alloc *alloc = &module->alloc;
    vsg_obj_reader *reader = alloc->resize(alloc->user, NULL, 0, sizeof *reader);

    if (!reader)
        return VISAGE_NO_MEMORY;
    memset(reader, 0, offsetof(vsg_obj_reader, decoder));
    reader->module = module;
    reader->diagnostics = diagnostics;
    reader->platform = input->platform;
    reader->recover = input->recover;
    reader->most_errors = vsg_base_errors(diagnostics) + MOST_ERRORS;
    reader->in = (vsg_obj_cursor){.data = input->data, .end = input->size_bytes};
    if (input->name && !(reader->file = vsg_obj_text(module, input->name, strlen(input->name))))
        reader->status = VISAGE_NO_MEMORY;
    else if ((read_header(reader) || vsg_obj_read_header_anyway(reader)) &&
             check_extents(reader) && keep_gen_binaries(reader) && read_units(reader) &&
             settle_linkage(reader) && vsg_obj_read_settle(reader) &&
             reader->status == VISAGE_OK)
        check_order(reader);
    module->layout = reader->layout ? reader->layout : VSG_OBJ_LAYOUT_DOC;

    visage_status status = reader->status;
    vsg_base_delete(&module->alloc, reader->extents, reader->cap_extents,
                    sizeof *reader->extents);
    vsg_base_delete(&module->alloc, reader->input_offsets, reader->cap_input_offsets,
                    sizeof *reader->input_offsets);
    vsg_base_delete(alloc, reader, 1, sizeof *reader);
    return status;
}
