/* SPDX-License-Identifier: MIT
 *
 * Verifying a module, and the rules it is judged by. */
#include <string.h>

#include "api/api.h"
#include "text/printer.h"

static void index_lines(vsg_api_lines *finder, const char *text, size_t size)
{
    const char *end = text + size, *at = text;

    finder->text = text;
    finder->num_lines = 0;
    while (at && at < end) {
        void *starts = finder->starts;
        if (!vsg_base_grow(&finder->alloc, &starts, finder->num_lines, &finder->capacity,
                           sizeof *finder->starts))
            return;
        finder->starts = starts;
        finder->starts[finder->num_lines++] = at;
        at = memchr(at, '\n', (size_t)(end - at));
        if (at)
            at++;
    }
}

static const char *find_line(void *user, const vsg_obj_unit *unit, uint32_t line)
{
    vsg_api_lines *finder = user;

    if (finder->unit != unit) {
        finder->unit = unit;
        finder->kernel = NULL;
        for (size_t i = 0; i < finder->num_units && !finder->kernel; i++)
            if (finder->units[i].unit == unit)
                finder->kernel = &finder->units[i];
    }
    if (!finder->kernel || !finder->kernel->text)
        return NULL;
    if (finder->text != finder->kernel->text)
        index_lines(finder, finder->kernel->text, finder->kernel->text_size);
    return line >= 1 && line <= finder->num_lines ? finder->starts[line - 1] : NULL;
}

static bool append(void *user, const void *data, size_t size)
{
    vsg_api_lines *finder = user;
    const vsg_base_alloc *alloc = &finder->alloc;
    size_t wanted = finder->printed_size + size + 1;

    if (wanted > finder->printed_capacity) {
        size_t capacity = wanted * 2;
        char *grown =
            alloc->resize(alloc->user, finder->printed, finder->printed_capacity, capacity);
        if (!grown)
            return false;
        finder->printed = grown;
        finder->printed_capacity = capacity;
    }
    memcpy(finder->printed + finder->printed_size, data, size);
    finder->printed_size += size;
    finder->printed[finder->printed_size] = '\0';
    return true;
}

/* Instructions are printed for the first report of a unit and then looked up like lines. */
static const char *find_inst(void *user, const vsg_obj_unit *unit, size_t inst)
{
    vsg_api_lines *finder = user;

    if (finder->printed_unit != unit) {
        finder->printed_unit = unit;
        finder->printed_size = 0;
        finder->num_lines = 0;
        if (vsg_txt_print_insts(finder->object, unit, append, finder) == VISAGE_OK)
            index_lines(finder, finder->printed, finder->printed_size);
    }
    if (inst >= finder->num_lines || finder->text != finder->printed)
        return NULL;
    const char *line = finder->starts[inst];
    return line + strspn(line, " ");
}

vsg_api_lines vsg_api_lines_of(const visage_module *module)
{
    return (vsg_api_lines){.alloc = module->alloc,
                           .object = module->object,
                           .units = module->units,
                           .num_units = module->num_units};
}

vsg_ver_options vsg_api_show_lines(vsg_api_lines *lines)
{
    return (vsg_ver_options){.line = find_line, .inst = find_inst, .user = lines};
}

void vsg_api_lines_free(vsg_api_lines *lines)
{
    const vsg_base_alloc *alloc = &lines->alloc;

    vsg_base_delete(alloc, lines->printed, lines->printed_capacity, 1);
    vsg_base_delete(alloc, lines->starts, lines->capacity, sizeof *lines->starts);
}

visage_status visage_verify(const visage_module *module, const visage_verify_options *options,
                            visage_diagnostics *diagnostics)
{
    visage_verify_options known;

    if (!module || !vsg_api_options(&known, sizeof known, options) ||
        (unsigned)known.platform >= VISAGE_PLATFORM_COUNT)
        return VISAGE_ARGUMENT;
    vsg_api_lines lines = vsg_api_lines_of(module);
    vsg_ver_options wanted = vsg_api_show_lines(&lines);
    wanted.platform = known.platform;
    wanted.strict = known.strict;
    wanted.max_errors = known.max_errors;
    visage_status status = vsg_ver_verify(module->object, &wanted, diagnostics);
    vsg_api_lines_free(&lines);
    return status;
}

size_t visage_rule_count(void)
{
    return VSG_VER_RULE_COUNT;
}

visage_status visage_rule_get(size_t index, visage_rule *out)
{
    static const char *const severities[] = {
        [VSG_VER_ERROR] = "error",
        [VSG_VER_STRICT] = "strict",
        [VSG_VER_READER] = "reader",
    };

    if (index >= VSG_VER_RULE_COUNT || !out)
        return VISAGE_ARGUMENT;
    vsg_ver_rule_info info = vsg_ver_rule_get((vsg_ver_rule)index);
    *out = (visage_rule){
        .code = info.code,
        .severity = severities[info.severity],
        .reader_code = info.reader,
        .platforms = info.platforms,
        .source = info.source,
        .sentence = info.sentence,
    };
    return VISAGE_OK;
}

size_t visage_code_count(void)
{
    return VSG_BASE_DIAG_COUNT;
}

visage_status visage_code_get(size_t index, visage_code *out)
{
    if (index >= VSG_BASE_DIAG_COUNT || !out)
        return VISAGE_ARGUMENT;
    vsg_base_diag_row row = vsg_base_diag_facts((vsg_base_diag)index);
    *out = (visage_code){
        .code = row.code, .severity = row.severity, .message = row.text, .source = row.page};
    return VISAGE_OK;
}
