/* SPDX-License-Identifier: MIT */
#include "text/printer.h"

#include "text/print.h"

void vsg_txt_put_word(vsg_txt_printer *printer, vsg_isa_words list, uint64_t code)
{
    const char *word;

    if (code < VSG_TXT_WORD_CODES) {
        /* The table of words is searched row by row. */
        const char **kept = &printer->words[list][code];
        if (!*kept)
            *kept = vsg_isa_word(list, (uint32_t)code);
        word = *kept;
    } else {
        word = code <= UINT32_MAX ? vsg_isa_word(list, (uint32_t)code) : NULL;
    }
    if (word)
        vsg_txt_put_text(&printer->out, word);
    else
        vsg_txt_put_decimal(&printer->out, code);
    printer->has_no_text |= !word;
}

/* ---- what is left of a damaged unit ----------------------------------------------------- */

static void put_place(vsg_txt_output *out, const char *before, uint64_t at, const char *behind)
{
    vsg_txt_put_text(out, before);
    vsg_txt_put_hex(out, at, VSG_TXT_LOWER);
    vsg_txt_put_text(out, behind);
    vsg_txt_put_newline(out);
}

static void put_whole(vsg_txt_printer *printer)
{
    const vsg_obj_stored *stored = &printer->unit->stored;

    for (size_t i = 0; i < stored->num_whole && printer->out.status == VISAGE_OK; i++) {
        vsg_txt_put_inst(printer, &stored->whole[i], i);
        vsg_txt_output_flush(&printer->out);
    }
}

/* Where reading went on in spite of errors: what there is up to the first that ended the unit.
 */
static void put_broken(vsg_txt_printer *printer)
{
    const vsg_obj_stored *stored = &printer->unit->stored;

    put_whole(printer);
    if (stored->is_cut_off)
        put_place(&printer->out, "// Reading stopped at byte ", stored->broken_at,
                  ": what follows is malformed");
    else
        put_place(&printer->out, "// All of it was read, but byte ", stored->broken_at,
                  " is malformed");
}

/* A binary whose instructions were written incompletely has those before the first incomplete
 * one, and of the others their operations (spec dialect 0.1). These are no comments: what is
 * missing of them must not go unseen when the text is read. */
static void put_stream(vsg_txt_printer *printer)
{
    vsg_txt_output *out = &printer->out;
    const vsg_obj_stored *stored = &printer->unit->stored;

    if (stored->damage == VSG_OBJ_DAMAGE_NONE)
        return;
    if (stored->damage == VSG_OBJ_DAMAGE_BROKEN) {
        put_broken(printer);
        return;
    }
    put_whole(printer);
    vsg_txt_put_text(out,
                     stored->num_whole ? "// What follows was" : "// The instructions were");
    vsg_txt_put_text(out, " written incompletely; the operations are:");
    vsg_txt_put_newline(out);
    for (size_t i = stored->num_whole; i < stored->num_stream; i++) {
        const char *text = vsg_isa_op(stored->stream[i])->text;
        vsg_txt_put_text(out, *text ? "    " : "// label");
        vsg_txt_put_text(out, text);
        vsg_txt_put_newline(out);
        vsg_txt_output_flush(out);
    }
}

/* ---- units ------------------------------------------------------------------------------ */

static void put_body(vsg_txt_printer *printer)
{
    const vsg_obj_unit *unit = printer->unit;

    for (size_t i = 0; i < unit->num_insts && printer->out.status == VISAGE_OK; i++) {
        vsg_txt_put_inst(printer, &unit->insts[i], i);
        vsg_txt_output_flush(&printer->out);
    }
    put_stream(printer);
}

static void put_unit(vsg_txt_printer *printer, const vsg_obj_unit *unit)
{
    printer->unit = unit;
    vsg_base_arena_init(&printer->arena, &printer->alloc);
    if (vsg_obj_resolver_init(&printer->resolver, &printer->alloc, unit) &&
        vsg_txt_make_names(printer)) {
        vsg_txt_put_header(printer);
        put_body(printer);
    } else {
        printer->out.status = VISAGE_NO_MEMORY;
    }
    vsg_obj_resolver_free(&printer->resolver, &printer->alloc);
    vsg_base_arena_free(&printer->arena);
}

static void put_version(vsg_txt_printer *printer)
{
    const vsg_obj_module *module = printer->module;
    vsg_txt_output *out = &printer->out;

    vsg_txt_put_text(out, ".version ");
    vsg_txt_put_decimal(out, module->version_major);
    vsg_txt_put_char(out, '.');
    vsg_txt_put_decimal(out, module->version_minor);
    vsg_txt_put_newline(out);
}

visage_status vsg_txt_print(const vsg_obj_module *module, const vsg_txt_print_options *options,
                            visage_write_fn write, void *user)
{
    vsg_base_alloc alloc = module->alloc;
    vsg_txt_printer *printer = vsg_base_new(&alloc, 1, sizeof *printer);

    if (!printer)
        return VISAGE_NO_MEMORY;
    printer->module = module;
    printer->options = options;
    printer->alloc = alloc;
    vsg_txt_output_init(&printer->out, &printer->alloc, write, user);
    put_version(printer);
    vsg_txt_put_file_variables(printer);
    bool any = false;
    for (size_t i = 0; i < module->num_units && printer->out.status == VISAGE_OK; i++) {
        if (module->units[i]->stored.is_declaration)
            continue; /* .funcdecl says it */
        if (any)
            vsg_txt_put_newline(&printer->out);
        put_unit(printer, module->units[i]);
        any = true;
    }
    if (module->header_is_broken)
        put_place(&printer->out, "// The header is malformed at byte ",
                  module->header_broken_at, ": there may be more kernels and functions");
    visage_status status = vsg_txt_output_finish(&printer->out);
    if (status == VISAGE_OK && printer->any_has_no_text)
        status = VISAGE_INVALID;
    vsg_base_delete(&alloc, printer, 1, sizeof *printer);
    return status;
}

visage_status vsg_txt_print_insts(const vsg_obj_module *module, const vsg_obj_unit *unit,
                                  visage_write_fn write, void *user)
{
    static const vsg_txt_print_options options = {.no_comments = true};
    vsg_base_alloc alloc = module->alloc;
    vsg_txt_printer *printer = vsg_base_new(&alloc, 1, sizeof *printer);

    if (!printer)
        return VISAGE_NO_MEMORY;
    printer->module = module;
    printer->options = &options;
    printer->alloc = alloc;
    printer->unit = unit;
    printer->a_line_each = true;
    vsg_txt_output_init(&printer->out, &printer->alloc, write, user);
    vsg_base_arena_init(&printer->arena, &printer->alloc);
    if (vsg_txt_make_names(printer)) {
        for (size_t i = 0; i < unit->num_insts && printer->out.status == VISAGE_OK; i++) {
            vsg_txt_put_inst(printer, &unit->insts[i], i);
            vsg_txt_output_flush(&printer->out);
        }
    } else {
        printer->out.status = VISAGE_NO_MEMORY;
    }
    vsg_base_arena_free(&printer->arena);
    visage_status status = vsg_txt_output_finish(&printer->out);
    vsg_base_delete(&alloc, printer, 1, sizeof *printer);
    return status;
}
