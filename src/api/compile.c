/* SPDX-License-Identifier: MIT
 *
 * The JIT's code for people to read, and for other tools. */
#include <string.h>

#include "api/api.h"
#include "api/listing.h"
#include "runtime/launch.h"

/* What instructions look like. */
typedef struct shown_unit {
    vsg_ver_options options;
    const vsg_obj_unit *unit;
} shown_unit;

static const char *show_inst(void *user, size_t number)
{
    const shown_unit *shown = user;

    return shown->options.inst(shown->options.user, shown->unit, number);
}

static bool make_listing(shown_unit *shown, const vsg_jit_bytes *code,
                         const visage_compile_options *options, vsg_api_listing *out)
{
    const char *text = (const char *)code->data;

    if (!options->no_comments) {
        out->inst = show_inst;
        out->user = shown;
    }
    return options->form == VISAGE_CODE_LLVM ? vsg_api_list_llvm(out, text, code->size)
                                             : vsg_api_list_assembly(out, text, code->size);
}

static visage_status write_code(const visage_program *program, uint32_t unit,
                                const vsg_jit_bytes *code,
                                const visage_compile_options *options, visage_write_fn write,
                                void *user)
{
    vsg_api_lines lines = vsg_api_lines_of_program(program);
    shown_unit shown = {vsg_api_show_lines(&lines), program->source.module->units[unit]};
    vsg_api_listing listing = {.alloc = &program->alloc};
    visage_status status = VISAGE_NO_MEMORY;

    if (options->form == VISAGE_CODE_OBJECT)
        return write(user, code->data, code->size) ? VISAGE_OK : VISAGE_IO;
    if (make_listing(&shown, code, options, &listing))
        status = write(user, listing.text, listing.size) ? VISAGE_OK : VISAGE_IO;
    vsg_api_listing_free(&listing);
    vsg_api_lines_free(&lines);
    return status;
}

static visage_status not_compiled(const visage_program *program, uint32_t unit,
                                  vsg_jit_reason reason, visage_diagnostics *diagnostics)
{
    vsg_base_location where = {.file = program->source.name, .instruction = -1};

    if (reason == VSG_JIT_REASON_NO_MEMORY) {
        vsg_base_report(diagnostics, VSG_DIAG_NO_MEMORY, &where);
        return VISAGE_NO_MEMORY;
    }
    vsg_base_report(diagnostics, VSG_DIAG_NOT_COMPILED, &where,
                    program->source.module->units[unit]->name, vsg_jit_reason_text(reason));
    return VISAGE_UNSUPPORTED;
}

static visage_status compile(const visage_program *program, uint32_t unit,
                             const visage_compile_options *options,
                             visage_diagnostics *diagnostics, visage_write_fn write, void *user)
{
    static const struct {
        vsg_jit_form form;
        vsg_jit_lines lines;
    } ways[] = {
        [VISAGE_CODE_LLVM] = {VSG_JIT_IR, VSG_JIT_INST_LINES},
        [VISAGE_CODE_ASSEMBLY] = {VSG_JIT_ASSEMBLY, VSG_JIT_INST_LINES},
        [VISAGE_CODE_OBJECT] = {VSG_JIT_OBJECT, VSG_JIT_SOURCE_LINES},
    };
    const vsg_jit_sight sight = {
        .unit = unit,
        .level = options->cpu == VISAGE_CPU_DEFAULT ? program->device->jit_options.level
                                                    : options->cpu,
        .form = ways[options->form].form,
        .lines = ways[options->form].lines,
    };
    vsg_jit_stats stats;
    vsg_jit_bytes code;

    if (vsg_jit_show(&program->alloc, program->exec, &sight, &stats, &code) != VISAGE_OK)
        return not_compiled(program, unit, stats.reason, diagnostics);
    visage_status status = write_code(program, unit, &code, options, write, user);
    vsg_base_delete(&program->alloc, code.data, code.size, 1);
    return status;
}

visage_status visage_program_compile(visage_program *program, const char *name,
                                     const visage_compile_options *options,
                                     visage_diagnostics *diagnostics, visage_write_fn write,
                                     void *user)
{
    visage_compile_options known;
    size_t index;

    if (!program || !write || !vsg_api_options(&known, sizeof known, options) ||
        (unsigned)known.form > VISAGE_CODE_OBJECT || (unsigned)known.cpu >= VISAGE_CPU_COUNT)
        return VISAGE_ARGUMENT;
    visage_status status = vsg_api_find_kernel(program, name, diagnostics, &index);
    if (status != VISAGE_OK)
        return status;
    return compile(program, (uint32_t)program->source.kernels[index].index, &known, diagnostics,
                   write, user);
}
