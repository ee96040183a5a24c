/* SPDX-License-Identifier: MIT
 *
 * Reading a module: vISA text or binary, with or without a .ze_info beside it, or a zebin. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "api/api.h"
#include "object/binary.h"
#include "text/parser.h"

enum { LARGEST_FILE = 1 << 30, FIRST_READ = 64 << 10, MOST_ERRORS = 100 };

/* What the compiler calls every kernel in the text it puts into a zebin (spec compiler, trap
 * 3). */
static const char nameless[] = "kernel";

typedef struct reader {
    visage_module *module;
    visage_diagnostics *diagnostics;
    const visage_module_options *options;
    const vsg_txt_tables *tables;
    visage_status status;    /* the first that was not OK */
    visage_status recovered; /* not OK: what the input has in spite of it is there */
} reader;

static vsg_base_location here(const reader *r)
{
    vsg_base_location where = VSG_BASE_NOWHERE;

    where.file = r->module->name;
    return where;
}

static void note(reader *r, visage_status status)
{
    if (r->status == VISAGE_OK || status == VISAGE_NO_MEMORY)
        r->status = status;
}

static void no_memory(reader *r)
{
    vsg_base_location where = here(r);

    vsg_base_report(r->diagnostics, VSG_DIAG_NO_MEMORY, &where);
    note(r, VISAGE_NO_MEMORY);
}

bool vsg_api_copy(const vsg_base_alloc *alloc, const void *data, size_t size,
                  vsg_api_bytes *out)
{
    *out = (vsg_api_bytes){.size = size};
    out->data = size < SIZE_MAX ? alloc->resize(alloc->user, NULL, 0, size + 1) : NULL;
    if (!out->data)
        return false;
    if (size)
        memcpy(out->data, data, size);
    out->data[size] = 0;
    return true;
}

/* ---- texts of a zebin ------------------------------------------------------------------- */

static void parse(reader *r, const vsg_txt_input *input)
{
    vsg_obj_module *module = r->module->object;
    vsg_txt_input whole = *input;

    whole.tables = r->tables;
    whole.is_judged_later = r->options->skip_bad_instructions;
    bool was_broken = module->is_broken;
    module->is_broken = false;
    visage_status status = vsg_txt_parse(module, &whole, r->diagnostics);

    if (status == VISAGE_SYNTAX && module->is_broken && r->options->skip_bad_instructions)
        r->recovered = status;
    else if (status != VISAGE_OK)
        note(r, status);
    module->is_broken |= was_broken;
}

/* A text inside a container is named as in "saxpy.zebin(saxpy)". */
static void parse_part(reader *r, const char *unit_name, const char *text, size_t size,
                       uint64_t offset)
{
    char name[512];

    (void)snprintf(name, sizeof name, "%s(%s)", r->module->name, unit_name);
    parse(r, &(vsg_txt_input){.name = name,
                              .text = text,
                              .size_bytes = size,
                              .offset_bytes = offset,
                              .unit_name = unit_name,
                              .has_lost_scopes = true});
}

static bool same_text(const vsg_con_function *a, const vsg_con_function *b)
{
    return a->text_size == b->text_size && memcmp(a->text, b->text, a->text_size) == 0;
}

/* A function stands in the file once for each kernel that was compiled with it; calls know it
 * by name only, so all of them must be the same. False: there was one already. */
static bool is_first(reader *r, const vsg_con_zebin *zebin, const vsg_con_function *function)
{
    const vsg_con_function *first = vsg_con_find_function(zebin, function->name);

    if (first == function)
        return true;
    if (!same_text(first, function)) {
        vsg_base_location where = here(r);
        where.has_offset = true;
        where.offset = function->text_offset;
        vsg_base_report(r->diagnostics, VSG_DIAG_DUPLICATE_FUNCTION, &where, function->name);
        note(r, VISAGE_INVALID);
    }
    return false;
}

/* The caller's platform serves where the file names none; it cannot make a file another
 * device's, whose registers and payload are different. */
static bool agree_on_platform(reader *r, visage_platform built)
{
    visage_platform *wanted = &r->module->object->platform;

    *wanted = r->options->platform;
    if (*wanted != VISAGE_PLATFORM_NONE && built != VISAGE_PLATFORM_NONE && *wanted != built) {
        vsg_base_location where = here(r);
        vsg_base_report(r->diagnostics, VSG_DIAG_WRONG_DEVICE, &where,
                        visage_platform_name(built), visage_platform_name(*wanted));
        note(r, VISAGE_INVALID);
        return false;
    }
    if (built != VISAGE_PLATFORM_NONE)
        *wanted = built;
    return true;
}

static void parse_parts(reader *r, const vsg_con_zebin *zebin)
{
    /* The parser has such a limit for each text; a file may have very many. */
    const size_t most_errors = vsg_base_errors(r->diagnostics) + MOST_ERRORS;

    for (size_t i = 0; i < zebin->num_kernels; i++) {
        const vsg_con_kernel *kernel = &zebin->kernels[i];
        if (!kernel->is_pseudo && kernel->text && vsg_base_errors(r->diagnostics) < most_errors)
            parse_part(r, kernel->name, kernel->text, kernel->text_size, kernel->text_offset);
    }
    for (size_t i = 0; i < zebin->num_functions; i++) {
        const vsg_con_function *function = &zebin->functions[i];
        if (vsg_base_errors(r->diagnostics) < most_errors && is_first(r, zebin, function))
            parse_part(r, function->name, function->text, function->text_size,
                       function->text_offset);
    }
}

static void read_zebin(reader *r)
{
    visage_module *module = r->module;
    visage_status status =
        vsg_con_read_zebin(&module->alloc, module->name, module->file.data, module->file.size,
                           true, r->diagnostics, &module->container);

    module->is_zebin = true;
    if (status != VISAGE_OK) {
        note(r, status);
        return;
    }
    module->has_container = true;
    module->zebin = &module->container;
    if (agree_on_platform(r, module->container.platform))
        parse_parts(r, &module->container);
}

/* ---- a text or a binary, with .ze_info beside it
 * ----------------------------------------------------- */

static void read_info(reader *r)
{
    visage_module *module = r->module;
    const visage_module_options *options = r->options;
    const char *name = options->info_name ? options->info_name : "info";
    visage_status status;

    if (!vsg_api_copy(&module->alloc, options->info, options->info_size, &module->info)) {
        no_memory(r);
        return;
    }
    if (vsg_con_is_elf(module->info.data, module->info.size))
        status = vsg_con_read_zebin(&module->alloc, name, module->info.data, module->info.size,
                                    false, r->diagnostics, &module->container);
    else
        status = vsg_con_read_info(&module->alloc, name, module->info.data, module->info.size,
                                   r->diagnostics, &module->container);
    if (status != VISAGE_OK) {
        note(r, status);
        return;
    }
    module->has_container = true;
    module->zebin = &module->container;
    if (module->object->platform == VISAGE_PLATFORM_NONE)
        module->object->platform = module->container.platform;
}

static void parse_bytes(reader *r, const char *name, const vsg_api_bytes *bytes)
{
    parse(r, &(vsg_txt_input){
                 .name = name, .text = (const char *)bytes->data, .size_bytes = bytes->size});
}

/* The caller's further texts. */
static void read_more(reader *r)
{
    visage_module *module = r->module;
    size_t count = r->options->num_texts;

    module->texts = vsg_base_arena_new(&module->arena, count, sizeof *module->texts);
    if (!module->texts)
        no_memory(r);
    for (size_t i = 0; module->texts && i < count && r->status != VISAGE_NO_MEMORY; i++) {
        const visage_text *given = &r->options->texts[i];
        vsg_api_text *text = &module->texts[i];
        if (!vsg_api_copy(&module->alloc, given->data, given->size_bytes, &text->bytes)) {
            no_memory(r);
            return;
        }
        module->num_texts++;
        text->first_unit = module->object->num_units;
        if (!vsg_txt_is_text(text->bytes.data, text->bytes.size) &&
            (vsg_con_is_elf(text->bytes.data, text->bytes.size) ||
             vsg_obj_is_binary(text->bytes.data, text->bytes.size))) {
            vsg_base_location where = here(r);
            where.file = given->name;
            vsg_base_report(r->diagnostics, VSG_DIAG_NOT_TEXT, &where);
            note(r, VISAGE_INVALID);
            continue;
        }
        parse_bytes(r, given->name ? given->name : "input", &text->bytes);
    }
}

static void read_text(reader *r)
{
    visage_module *module = r->module;

    if (r->options->info)
        read_info(r);
    if (r->status != VISAGE_OK)
        return;
    parse_bytes(r, module->name, &module->file);
    if (r->options->num_texts)
        read_more(r);
}

static void read_binary(reader *r)
{
    visage_module *module = r->module;
    const vsg_obj_binary input = {.name = module->name,
                                  .data = module->file.data,
                                  .size_bytes = module->file.size,
                                  .platform = r->options->platform,
                                  .recover = r->options->recover};

    module->is_binary = true;
    module->object->platform = VISAGE_PLATFORM_NONE; /* what the file says comes first */
    visage_status status = vsg_obj_read_binary(module->object, &input, r->diagnostics);
    if (module->object->is_broken && status != VISAGE_NO_MEMORY)
        r->recovered = status;
    else
        note(r, status);
    if (r->status == VISAGE_OK && agree_on_platform(r, module->object->platform) &&
        r->options->info)
        read_info(r);
}

/* ---- kernels ---------------------------------------------------------------------------- */

/* The only real kernel of the container, NULL where there are more or none. */
static const vsg_con_kernel *only_kernel(const vsg_con_zebin *zebin)
{
    const vsg_con_kernel *found = NULL;

    for (size_t i = 0; i < zebin->num_kernels; i++) {
        if (zebin->kernels[i].is_pseudo)
            continue;
        if (found)
            return NULL;
        found = &zebin->kernels[i];
    }
    return found;
}

static bool find_info(reader *r, vsg_obj_unit *unit, const vsg_con_kernel **out)
{
    visage_module *module = r->module;
    const vsg_con_zebin *zebin = &module->container;
    const vsg_con_kernel *only = only_kernel(zebin);

    *out = NULL;
    if (!module->has_container || unit->is_function)
        return true;
    *out = vsg_con_find_kernel(zebin, unit->name);
    if (!*out && only && strcmp(unit->name, nameless) == 0) {
        *out = only;
        unit->name = vsg_obj_text(module->object, only->name, strlen(only->name));
        if (!unit->name) {
            no_memory(r);
            return false;
        }
    }
    if (*out)
        return true;
    vsg_base_location where = vsg_obj_locate(unit, NULL);
    vsg_base_report(r->diagnostics, VSG_DIAG_UNKNOWN_KERNEL, &where, unit->name,
                    only ? only->name : "several others");
    note(r, VISAGE_UNRESOLVED);
    return false;
}

/* The text a unit was read from, for the line that a report shows. */
static void attach_text(const visage_module *module, vsg_run_kernel *unit)
{
    const vsg_con_zebin *zebin = &module->container;

    if (module->is_binary)
        return;
    if (!module->is_zebin) {
        const vsg_api_bytes *bytes = &module->file;
        for (size_t i = 0; i < module->num_texts; i++)
            if (unit->index >= module->texts[i].first_unit)
                bytes = &module->texts[i].bytes;
        unit->text = (const char *)bytes->data;
        unit->text_size = bytes->size;
    } else if (unit->info) {
        unit->text = unit->info->text;
        unit->text_size = unit->info->text_size;
    } else {
        const vsg_con_function *function = vsg_con_find_function(zebin, unit->unit->name);
        unit->text = function ? function->text : NULL;
        unit->text_size = function ? function->text_size : 0;
    }
}

static bool describe(reader *r, bool functions)
{
    visage_module *module = r->module;
    vsg_obj_module *object = module->object;

    for (size_t i = 0; i < object->num_units; i++) {
        const vsg_con_kernel *info;
        if (object->units[i]->is_function != functions)
            continue;
        if (!find_info(r, object->units[i], &info))
            return false;
        vsg_run_kernel *unit = &module->units[module->num_units];
        if (!vsg_run_kernel_describe(&module->arena, object->units[i], (uint32_t)i, info,
                                     unit)) {
            no_memory(r);
            return false;
        }
        attach_text(module, unit);
        module->num_units++;
        module->num_kernels += !functions;
    }
    return true;
}

static void describe_all(reader *r)
{
    visage_module *module = r->module;

    module->units =
        vsg_base_arena_new(&module->arena, module->object->num_units, sizeof *module->units);
    if (!module->units)
        no_memory(r);
    else if (describe(r, false))
        (void)describe(r, true);
}

visage_status vsg_api_module_describe(visage_module *module, visage_diagnostics *diagnostics)
{
    const visage_module_options options = {0};
    reader r = {.module = module, .diagnostics = diagnostics, .options = &options};

    describe_all(&r);
    return r.status;
}

/* ---- all together ----------------------------------------------------------------------- */

/* The first bytes, as text where they are some, for a message. */
static void show_start(const vsg_api_bytes *file, char *text, size_t size)
{
    size_t count = file->size < 4 ? file->size : 4;
    size_t length = 0;

    for (size_t i = 0; i < count; i++) {
        int wanted = snprintf(text + length, size - length, "%s%02x", i ? " " : "",
                              (unsigned)file->data[i]);
        length += wanted > 0 ? (size_t)wanted : 0;
    }
}

static void read_by_form(reader *r)
{
    const vsg_api_bytes *file = &r->module->file;
    vsg_base_location where = here(r);
    char start[32] = "";

    if (file->size == 0) {
        vsg_base_report(r->diagnostics, VSG_DIAG_EMPTY_INPUT, &where);
        note(r, VISAGE_MALFORMED);
    } else if (r->options->num_texts && !vsg_txt_is_text(file->data, file->size)) {
        vsg_base_report(r->diagnostics, VSG_DIAG_NOT_TEXT, &where);
        note(r, VISAGE_INVALID);
    } else if (vsg_con_is_elf(file->data, file->size)) {
        read_zebin(r);
    } else if (vsg_obj_is_binary(file->data, file->size)) {
        read_binary(r);
    } else if (vsg_txt_is_text(file->data, file->size)) {
        read_text(r);
    } else {
        show_start(file, start, sizeof start);
        vsg_base_report(r->diagnostics, VSG_DIAG_UNKNOWN_FORM, &where, start);
        note(r, VISAGE_MALFORMED);
    }
    if (r->status == VISAGE_OK)
        describe_all(r);
}

visage_module *vsg_api_module_new(const vsg_base_alloc *alloc, const char *name)
{
    visage_module *module = vsg_base_new(alloc, 1, sizeof *module);

    if (!module)
        return NULL;
    module->alloc = *alloc;
    vsg_base_arena_init(&module->arena, &module->alloc);
    module->object = vsg_obj_create(alloc);
    module->name = vsg_base_arena_text(&module->arena, name, strlen(name));
    if (!module->object || !module->name)
        visage_module_destroy(&module);
    return module;
}

/* Takes `file`, also when it fails. */
static visage_status read_bytes(visage_context *context, const char *name, vsg_api_bytes *file,
                                const visage_module_options *options,
                                visage_diagnostics *diagnostics, visage_module **out)
{
    reader r = {.diagnostics = diagnostics, .options = options, .tables = context->tables};

    r.module = vsg_api_module_new(&context->alloc, name);
    if (!r.module) {
        vsg_base_delete(&context->alloc, file->data, file->size + 1, 1);
        vsg_base_report(diagnostics, VSG_DIAG_NO_MEMORY, &VSG_BASE_NOWHERE);
        return VISAGE_NO_MEMORY;
    }
    r.module->file = *file;
    r.module->object->platform = options->platform;
    read_by_form(&r);
    if (r.status != VISAGE_OK)
        visage_module_destroy(&r.module);
    *out = r.module;
    return r.status != VISAGE_OK ? r.status : r.recovered;
}

static bool good_texts(const visage_module_options *options)
{
    if (!options->texts)
        return options->num_texts == 0;
    for (size_t i = 0; i < options->num_texts; i++)
        if (!options->texts[i].data && options->texts[i].size_bytes)
            return false;
    return true;
}

static bool good_options(visage_module_options *known, const visage_module_options *options)
{
    return vsg_api_options(known, sizeof *known, options) &&
           (known->platform == VISAGE_PLATFORM_NONE || vsg_isa_platform(known->platform)) &&
           (known->info || known->info_size == 0) && good_texts(known);
}

visage_status visage_module_read_memory(visage_context *context, const char *name,
                                        const void *data, size_t size_bytes,
                                        const visage_module_options *options,
                                        visage_diagnostics *diagnostics, visage_module **out)
{
    visage_module_options known;
    vsg_api_bytes file;

    if (!out)
        return VISAGE_ARGUMENT;
    *out = NULL;
    if (!context || (!data && size_bytes) || !good_options(&known, options))
        return VISAGE_ARGUMENT;
    if (!vsg_api_copy(&context->alloc, data, size_bytes, &file)) {
        vsg_base_report(diagnostics, VSG_DIAG_NO_MEMORY, &VSG_BASE_NOWHERE);
        return VISAGE_NO_MEMORY;
    }
    return read_bytes(context, name ? name : "input", &file, &known, diagnostics, out);
}

/* ---- files ------------------------------------------------------------------------------ */

static visage_status read_error(visage_diagnostics *diagnostics, const char *path, int error)
{
    vsg_base_report(diagnostics, VSG_DIAG_FILE_READ, &VSG_BASE_NOWHERE, path,
                    error ? strerror(error) : "unknown error");
    return VISAGE_IO;
}

static bool set_room(const vsg_base_alloc *alloc, vsg_api_bytes *bytes, size_t wanted)
{
    uint8_t *data = alloc->resize(alloc->user, bytes->data, bytes->size, wanted);

    if (!data)
        return false;
    bytes->data = data;
    bytes->size = wanted;
    return true;
}

static visage_status too_large(visage_diagnostics *diagnostics, const char *path, uint64_t size)
{
    vsg_base_report(diagnostics, VSG_DIAG_TOO_LARGE, &VSG_BASE_NOWHERE, path,
                    (unsigned long long)size, (unsigned long long)LARGEST_FILE);
    return VISAGE_UNSUPPORTED;
}

/* Reads to the end: of a pipe it is not known before, then `expected` is 0. On return `out` has
 * what was read and as many bytes allocated as vsg_api_copy() would. */
static visage_status read_stream(const vsg_base_alloc *alloc, FILE *stream, size_t expected,
                                 const char *path, visage_diagnostics *diagnostics,
                                 vsg_api_bytes *out)
{
    visage_status status = VISAGE_NO_MEMORY;
    vsg_api_bytes room = {NULL, 0};
    size_t used = 0, first = expected ? expected + 1 : FIRST_READ;

    for (;;) {
        size_t wanted = room.size ? room.size * 2 : first;
        if (wanted > LARGEST_FILE)
            wanted = (size_t)LARGEST_FILE + 1;
        if (used == room.size && !set_room(alloc, &room, wanted))
            goto done;
        size_t got = fread(room.data + used, 1, room.size - used, stream);
        used += got;
        if (used > LARGEST_FILE) {
            status = too_large(diagnostics, path, used);
            goto done;
        }
        if (got == 0)
            break;
    }
    if (ferror(stream)) {
        status = read_error(diagnostics, path, errno);
        goto done;
    }
    if (!set_room(alloc, &room, used + 1))
        goto done;
    room.data[used] = 0;
    *out = (vsg_api_bytes){.data = room.data, .size = used};
    return VISAGE_OK;

done:
    if (status == VISAGE_NO_MEMORY)
        vsg_base_report(diagnostics, VSG_DIAG_NO_MEMORY, &VSG_BASE_NOWHERE);
    vsg_base_delete(alloc, room.data, room.size, 1);
    return status;
}

visage_status visage_module_read_file(visage_context *context, const char *path,
                                      const visage_module_options *options,
                                      visage_diagnostics *diagnostics, visage_module **out)
{
    visage_module_options known;
    vsg_api_bytes file;

    if (!out)
        return VISAGE_ARGUMENT;
    *out = NULL;
    if (!context || !path || !good_options(&known, options))
        return VISAGE_ARGUMENT;
    FILE *stream = fopen(path, "rbe");
    if (!stream)
        return read_error(diagnostics, path, errno);
    struct stat facts;
    bool has_size = fstat(fileno(stream), &facts) == 0 && S_ISREG(facts.st_mode);
    uint64_t expected = has_size ? (uint64_t)facts.st_size : 0;
    visage_status status =
        expected > LARGEST_FILE
            ? too_large(diagnostics, path, expected)
            : read_stream(&context->alloc, stream, (size_t)expected, path, diagnostics, &file);
    (void)fclose(stream);
    if (status != VISAGE_OK)
        return status;
    return read_bytes(context, path, &file, &known, diagnostics, out);
}

void visage_module_destroy(visage_module **module)
{
    if (!module || !*module)
        return;
    visage_module *old = *module;
    vsg_base_alloc alloc = old->alloc;
    vsg_obj_destroy(&old->object);
    vsg_con_zebin_free(&old->container);
    for (size_t i = 0; i < old->num_texts; i++)
        vsg_base_delete(&alloc, old->texts[i].bytes.data, old->texts[i].bytes.size + 1, 1);
    vsg_base_arena_free(&old->arena);
    vsg_base_delete(&alloc, old->file.data, old->file.size + 1, 1);
    vsg_base_delete(&alloc, old->info.data, old->info.size + 1, 1);
    vsg_base_delete(&alloc, old, 1, sizeof *old);
    *module = NULL;
}
