/* SPDX-License-Identifier: MIT
 *
 * A module as a binary: header, objects, GEN binaries. Sources: as read_file.c. */
#include <stdlib.h>
#include <string.h>

#include "object/writer.h"

/* ---- bytes ------------------------------------------------------------------------------ */

/* Bytes that are likely to do for a module, so that what is written need not move. */
static size_t first_bytes(const vsg_obj_module *module)
{
    enum { HEADER = 4096, VARIABLE = 32, INSTRUCTION = 48 };
    size_t bytes = HEADER;

    for (size_t i = 0; i < module->num_units; i++)
        bytes += VARIABLE * module->units[i]->num_variables +
                 INSTRUCTION * module->units[i]->num_insts;
    return bytes;
}

bool vsg_obj_make_room(vsg_obj_writer *w, size_t size)
{
    vsg_obj_bytes *out = w->out;
    const vsg_base_alloc *alloc = &w->module->alloc;
    size_t wanted = out->capacity ? out->capacity : first_bytes(w->module);

    if (w->status != VISAGE_OK)
        return false;
    if (size <= out->capacity - out->size)
        return true;
    while (wanted - out->size < size && wanted <= SIZE_MAX / 2)
        wanted *= 2;
    uint8_t *data = wanted - out->size >= size
                        ? alloc->resize(alloc->user, out->data, out->capacity, wanted)
                        : NULL;
    if (!data) {
        w->status = VISAGE_NO_MEMORY;
        return false;
    }
    out->data = data;
    out->capacity = wanted;
    return true;
}

void vsg_obj_put_bytes(vsg_obj_writer *writer, const void *data, size_t size)
{
    if (size == 0 || !vsg_obj_make_room(writer, size))
        return;
    memcpy(writer->out->data + writer->out->size, data, size);
    writer->out->size += size;
}

void vsg_obj_too_large(vsg_obj_writer *writer, uint64_t value, const char *what)
{
    vsg_obj_cannot_write(writer, what, value, "too large for its field");
}

void vsg_obj_patch(vsg_obj_writer *writer, size_t at, uint64_t value, unsigned bytes,
                   const char *what)
{
    vsg_obj_check_field(writer, value, bytes, what);
    if (writer->status == VISAGE_OK)
        for (unsigned i = 0; i < bytes; i++)
            writer->out->data[at + i] = (uint8_t)(value >> 8 * i);
}

void vsg_obj_put_string(vsg_obj_writer *writer, const char *text, unsigned bytes,
                        const char *what)
{
    if (writer->status != VISAGE_OK)
        return;
    uint32_t index = vsg_obj_pool_find(&writer->pool, text);
    if (index == UINT32_MAX)
        writer->status = VISAGE_NO_MEMORY;
    vsg_obj_put_field(writer, index, bytes, what);
}

void vsg_obj_cannot_write(vsg_obj_writer *writer, const char *what, uint64_t value,
                          const char *why)
{
    vsg_base_location where = VSG_BASE_NOWHERE;

    if (writer->status != VISAGE_OK)
        return;
    writer->status = VISAGE_INVALID;
    if (writer->unit)
        where = vsg_obj_locate(writer->unit, writer->inst);
    vsg_base_report(writer->diagnostics, VSG_DIAG_BIN_WRITE, &where, what, (long long)value,
                    why);
}

/* ---- header ----------------------------------------------------------------------------- */

/* What is filled in when the objects are there. */
typedef struct fixup {
    size_t unit_at;         /* offset and size; of a kernel, input_offset */
    size_t gen_binaries_at; /* of the first entry */
    size_t functions_at;    /* of the first entry of function_reloc_symtab */
} fixup;

static void put_name(vsg_obj_writer *w, vsg_obj_limit limit, const char *name)
{
    size_t length = strlen(name);
    vsg_base_location where = VSG_BASE_NOWHERE;

    if (w->status == VISAGE_OK && !vsg_obj_within(limit, length, &where, w->diagnostics))
        w->status = VISAGE_INVALID;
    vsg_obj_put(w, length, 2);
    vsg_obj_put_bytes(w, name, length);
}

static void put_relocs(vsg_obj_writer *w, const vsg_obj_reloc *relocs, size_t count,
                       const char *what)
{
    vsg_obj_put_field(w, count, 2, what);
    for (size_t i = 0; i < count; i++) {
        vsg_obj_put(w, relocs[i].symbolic_index, 2);
        vsg_obj_put(w, relocs[i].resolved_index, 2);
    }
}

static void put_both_relocs(vsg_obj_writer *w, const vsg_obj_stored *stored, fixup *fix)
{
    put_relocs(w, stored->variable_relocs, stored->num_variable_relocs, "num_syms_variable");
    put_relocs(w, stored->function_relocs, stored->num_function_relocs, "num_syms_function");
    fix->functions_at = w->out->size - 4 * stored->num_function_relocs;
}

static void put_kernel(vsg_obj_writer *w, const vsg_obj_unit *unit, fixup *fix)
{
    const vsg_obj_stored *stored = &unit->stored;

    put_name(w, VSG_OBJ_LIMIT_UNIT_NAME, unit->name);
    fix->unit_at = w->out->size;
    vsg_obj_put(w, 0, 8);
    vsg_obj_put(w, 0, 4);
    put_both_relocs(w, stored, fix);
    vsg_obj_put_field(w, stored->num_gen_binaries, 1, "num_gen_binaries");
    fix->gen_binaries_at = w->out->size;
    for (size_t i = 0; i < stored->num_gen_binaries; i++) {
        vsg_obj_put(w, stored->gen_binaries[i].platform, 1);
        vsg_obj_put(w, 0, 4);
        vsg_obj_put(w, stored->gen_binaries[i].size_bytes, 4);
    }
}

static void put_function(vsg_obj_writer *w, const vsg_obj_unit *unit, fixup *fix)
{
    const vsg_obj_stored *stored = &unit->stored;
    unsigned linkage = (unsigned)unit->linkage;

    /* What the compiler writes for functions that are there. */
    if (!w->doc && linkage == VSG_OBJ_LINKAGE_GLOBAL && !stored->linkage_is_explicit)
        linkage = VSG_OBJ_LINKAGE_EXTERN;
    if (w->doc && linkage == VSG_OBJ_LINKAGE_EXTERN && !stored->is_declaration)
        linkage = VSG_OBJ_LINKAGE_GLOBAL;
    vsg_obj_put(w, linkage, 1);
    put_name(w, VSG_OBJ_LIMIT_UNIT_NAME, unit->name);
    fix->unit_at = w->out->size;
    vsg_obj_put(w, 0, 8);
    put_both_relocs(w, stored, fix);
}

static void put_file_variable(vsg_obj_writer *w, const vsg_obj_file_variable *variable)
{
    vsg_base_location where = VSG_BASE_NOWHERE;

    if (!vsg_obj_file_variable_within(variable, &where, w->diagnostics))
        w->status = VISAGE_INVALID;
    vsg_obj_put(w, variable->linkage, 1);
    put_name(w, VSG_OBJ_LIMIT_FILE_NAME, variable->name);
    vsg_obj_put_field(w, (unsigned)variable->type | (unsigned)variable->align << 4, 1,
                      "bit_properties");
    vsg_obj_put_field(w, variable->num_elements, 2, "num_elements");
    vsg_obj_put(w, variable->attribute_count, 1);
    vsg_obj_put_bytes(w, variable->attributes, variable->attribute_bytes);
}

static size_t count_units(const vsg_obj_module *module, bool functions)
{
    size_t count = 0;

    for (size_t i = 0; i < module->num_units; i++)
        count += module->units[i]->is_function == functions;
    return count;
}

/* ---- functions of other files ----------------------------------------------------------- */

/* A text declares the functions that its kernels call; those that it does not hold become
 * extern functions without object. Adds the names of all functions to a pool, theirs behind
 * the others; *first: how many others there are. */
static void find_declared(vsg_obj_writer *w, vsg_obj_pool *names, size_t *first)
{
    const vsg_obj_module *module = w->module;
    bool good = true;

    *names = (vsg_obj_pool){.alloc = &module->alloc};
    for (size_t i = 0; good && i < module->num_units; i++)
        if (module->units[i]->is_function)
            good = vsg_obj_pool_find(names, module->units[i]->name) != UINT32_MAX;
    *first = names->num_strings;
    for (size_t i = 0; good && i < module->num_units; i++)
        for (size_t n = 0; good && n < module->units[i]->num_function_decls; n++)
            good = vsg_obj_pool_find(names, module->units[i]->function_decls[n]) != UINT32_MAX;
    if (!good)
        w->status = VISAGE_NO_MEMORY;
}

static void put_declared(vsg_obj_writer *w, const char *name)
{
    vsg_obj_put(w, VSG_OBJ_LINKAGE_EXTERN, 1);
    put_name(w, VSG_OBJ_LIMIT_UNIT_NAME, name);
    vsg_obj_put(w, 0, 8); /* offset, size */
    vsg_obj_put(w, 0, 4); /* no relocations */
}

static void put_functions(vsg_obj_writer *w, fixup *fixes)
{
    const vsg_obj_module *module = w->module;
    vsg_obj_pool names;
    size_t first;

    find_declared(w, &names, &first);
    vsg_obj_put_field(w, count_units(module, true) + names.num_strings - first, 2,
                      "num_functions");
    for (size_t i = 0; i < module->num_units; i++)
        if (module->units[i]->is_function)
            put_function(w, module->units[i], &fixes[i]);
    for (size_t i = first; i < names.num_strings; i++)
        put_declared(w, names.strings[i]);
    vsg_obj_pool_free(&names);
}

/* Versions before 4 are written as what the compiler writes. */
static void put_version(vsg_obj_writer *w)
{
    const vsg_obj_module *module = w->module;
    bool keep = module->layout != VSG_OBJ_LAYOUT_NONE && module->version_major == 4;

    vsg_obj_put_bytes(w, "CISA", 4);
    vsg_obj_put(w, keep ? module->version_major : VSG_OBJ_VERSION_WRITTEN / 100, 1);
    vsg_obj_put(w, keep ? module->version_minor : VSG_OBJ_VERSION_WRITTEN % 100, 1);
}

static void put_header(vsg_obj_writer *w, fixup *fixes)
{
    const vsg_obj_module *module = w->module;
    vsg_base_location where = VSG_BASE_NOWHERE;
    size_t num_kernels = count_units(module, false);

    put_version(w);
    if (!vsg_obj_within(VSG_OBJ_LIMIT_KERNELS, num_kernels, &where, w->diagnostics))
        w->status = VISAGE_INVALID;
    vsg_obj_put(w, num_kernels, 2);
    for (size_t i = 0; i < module->num_units; i++)
        if (!module->units[i]->is_function)
            put_kernel(w, module->units[i], &fixes[i]);
    vsg_obj_put_field(w, module->num_file_variables, 2, "num_variables");
    for (size_t i = 0; i < module->num_file_variables; i++)
        put_file_variable(w, &module->file_variables[i]);
    put_functions(w, fixes);
}

/* ---- objects ---------------------------------------------------------------------------- */

static void put_object(vsg_obj_writer *w, const vsg_obj_unit *unit, const fixup *fix)
{
    const vsg_obj_stored *stored = &unit->stored;
    size_t at = w->out->size, inputs_at = 0;

    w->functions_at = fix->functions_at;
    vsg_obj_write_unit(w, unit, &inputs_at);
    vsg_obj_patch(w, fix->unit_at, at, 4, "offset");
    vsg_obj_patch(w, fix->unit_at + 4, w->out->size - at, 4, "size");
    if (unit->is_function)
        return;
    vsg_obj_patch(w, fix->unit_at + 8, inputs_at, 4, "input_offset");
    for (size_t i = 0; i < stored->num_gen_binaries; i++) {
        vsg_obj_patch(w, fix->gen_binaries_at + 9 * i + 1, w->out->size, 4, "binary_offset");
        vsg_obj_put_bytes(w, stored->gen_binaries[i].data, stored->gen_binaries[i].size_bytes);
    }
}

static void put_objects(vsg_obj_writer *w, bool functions, const fixup *fixes)
{
    const vsg_obj_module *module = w->module;

    for (size_t i = 0; i < module->num_units && w->status == VISAGE_OK; i++)
        if (module->units[i]->is_function == functions &&
            !module->units[i]->stored.is_declaration)
            put_object(w, module->units[i], &fixes[i]);
    w->unit = NULL;
}

/* ---- names ------------------------------------------------------------------------------ */

typedef struct named {
    const vsg_obj_unit *unit;
    size_t index;
} named;

static int by_name(const void *a, const void *b)
{
    const named *x = a, *y = b;
    int order = x->unit->is_function == y->unit->is_function
                    ? strcmp(x->unit->name, y->unit->name)
                    : x->unit->is_function - y->unit->is_function;

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static void note_name(const vsg_obj_writer *w, vsg_base_diag diag, const vsg_obj_unit *unit)
{
    vsg_base_location where = vsg_obj_locate(unit, NULL);

    where.line = unit->place.line;
    where.column = unit->place.column;
    where.end_column = unit->place.end_column;
    vsg_base_report(w->diagnostics, diag, &where, unit->is_function ? "function" : "kernel",
                    unit->name);
}

/* Nobody can call the second of a name (3_execution_model, Concepts). A binary that has two is
 * written as it was read. */
static void check_names(vsg_obj_writer *w)
{
    enum { MOST_ERRORS = 100 };
    const vsg_obj_module *module = w->module;
    size_t count = module->num_units;

    if (module->layout != VSG_OBJ_LAYOUT_NONE || count < 2)
        return;
    named *table = vsg_base_new(&module->alloc, count, sizeof *table);
    if (!table) {
        w->status = VISAGE_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < count; i++)
        table[i] = (named){module->units[i], i};
    qsort(table, count, sizeof *table, by_name);
    unsigned errors = 0;
    for (size_t i = 1, first = 0; i < count && errors < MOST_ERRORS; i++) {
        const vsg_obj_unit *unit = table[i].unit, *before = table[first].unit;
        if (unit->is_function != before->is_function || strcmp(unit->name, before->name) != 0) {
            first = i;
            continue;
        }
        note_name(w, VSG_DIAG_LINK_TWICE, unit);
        note_name(w, VSG_DIAG_LINK_FIRST, before);
        w->status = VISAGE_INVALID;
        errors++;
    }
    vsg_base_delete(&module->alloc, table, count, sizeof *table);
}

/* ---- the whole -------------------------------------------------------------------------- */

static void write_all(vsg_obj_writer *w)
{
    const vsg_base_alloc *alloc = &w->module->alloc;
    size_t count = w->module->num_units;

    if (w->module->is_broken) {
        vsg_obj_cannot_write(w, "the number of errors in the file it was read from", 1,
                             "0: some of it is lost");
        return;
    }
    fixup *fixes = count ? vsg_base_new(alloc, count, sizeof *fixes) : NULL;

    if (count && !fixes) {
        w->status = VISAGE_NO_MEMORY;
        return;
    }
    put_header(w, fixes);
    if (w->status == VISAGE_OK)
        check_names(w);
    put_objects(w, w->doc, fixes);
    put_objects(w, !w->doc, fixes);
    vsg_base_delete(alloc, fixes, count, sizeof *fixes);
}

visage_status vsg_obj_write_binary(const vsg_obj_module *module, vsg_obj_layout layout,
                                   visage_diagnostics *diagnostics, vsg_obj_bytes *out)
{
    const vsg_base_alloc *alloc = &module->alloc;
    vsg_obj_writer *writer = alloc->resize(alloc->user, NULL, 0, sizeof *writer);
    const vsg_isa_platform_info *platform = vsg_isa_platform(module->platform);

    *out = (vsg_obj_bytes){0};
    if (!writer)
        return VISAGE_NO_MEMORY;
    memset(writer, 0, offsetof(vsg_obj_writer, shapes));
    if (layout == VSG_OBJ_LAYOUT_NONE)
        layout = module->layout;
    writer->module = module;
    writer->diagnostics = diagnostics;
    writer->doc = layout != VSG_OBJ_LAYOUT_IGC;
    writer->grf_bytes = platform ? platform->grf_bytes : 32;
    writer->out = out;
    vsg_obj_shapes_init(&writer->shapes, writer->doc, VSG_OBJ_VERSION_WRITTEN);
    write_all(writer);

    visage_status status = writer->status;
    vsg_base_delete(alloc, writer, 1, sizeof *writer);
    if (status != VISAGE_OK)
        vsg_obj_bytes_free(&module->alloc, out);
    return status;
}

void vsg_obj_bytes_free(const vsg_base_alloc *alloc, vsg_obj_bytes *bytes)
{
    vsg_base_delete(alloc, bytes->data, bytes->capacity, 1);
    *bytes = (vsg_obj_bytes){0};
}
