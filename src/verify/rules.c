/* SPDX-License-Identifier: MIT
 *
 * The table of rules, and reporting by it. */
#include <stdio.h>
#include <string.h>

#include "isa/on.h"
#include "verify/check.h"

static const vsg_ver_rule_info infos[VSG_VER_RULE_COUNT] = {
#define RULE(id, code_, severity_, platforms_, source_, sentence_, message)                    \
    [VSG_RULE_##id] = {code_, VSG_VER_##severity_, platforms_, source_, sentence_, NULL},
#define READER(id, code_, platforms_, source_, sentence_, diag)                                \
    [VSG_RULE_##id] = {code_, VSG_VER_READER, platforms_, source_, sentence_, NULL},
#include "verify/rules.def"
#undef RULE
#undef READER
};

#define NO_DIAG VSG_BASE_DIAG_COUNT

static const vsg_base_diag reader_diags[VSG_VER_RULE_COUNT] = {
#define RULE(id, code, severity, platforms, source, sentence, message)                         \
    [VSG_RULE_##id] = NO_DIAG,
#define READER(id, code, platforms, source, sentence, diag) [VSG_RULE_##id] = VSG_DIAG_##diag,
#include "verify/rules.def"
#undef RULE
#undef READER
};

/* STRICT is a warning wherever it is reported; READER is not reported here. */
#define SEVERITY_ERROR  VISAGE_SEVERITY_ERROR
#define SEVERITY_STRICT VISAGE_SEVERITY_WARNING
static const vsg_base_diag_row rows[VSG_VER_RULE_COUNT] = {
#define RULE(id, code_, severity_, platforms, source_, sentence, message_)                     \
    [VSG_RULE_##id] = {code_, SEVERITY_##severity_, message_, source_},
#define READER(id, code_, platforms, source_, sentence, diag)                                  \
    [VSG_RULE_##id] = {code_, VISAGE_SEVERITY_ERROR, sentence, source_},
#include "verify/rules.def"
#undef RULE
#undef READER
};

/* Rules that the reader of texts enforces as well, the first because it cannot go on, the
 * others where nobody judges what it reads. What is built or read from a binary may still break
 * them. */
static const struct {
    vsg_ver_rule rule;
    vsg_base_diag diag;
} in_texts[] = {
    {VSG_RULE_INDIRECT_TYPE, VSG_DIAG_SYNTAX},
    {VSG_RULE_EXEC_SIZE, VSG_DIAG_BAD_EXEC_SIZE},
    {VSG_RULE_PREDICATE_FORM, VSG_DIAG_NO_PREDICATE},
    {VSG_RULE_LABEL_PLACED, VSG_DIAG_LABEL_UNDEFINED},
    {VSG_RULE_LABEL_TWICE, VSG_DIAG_LABEL_REDEFINED},
};

vsg_ver_rule_info vsg_ver_rule_get(vsg_ver_rule rule)
{
    vsg_ver_rule_info info = infos[rule];

    for (size_t i = 0; i < sizeof in_texts / sizeof in_texts[0]; i++)
        if (in_texts[i].rule == rule)
            info.reader = vsg_base_diag_code(in_texts[i].diag);
    if (reader_diags[rule] != NO_DIAG)
        info.reader = vsg_base_diag_code(reader_diags[rule]);
    return info;
}

/* ---- reporting -------------------------------------------------------------------------- */

static bool holds(const vsg_ver_state *state, vsg_ver_rule rule)
{
    const vsg_ver_rule_info *info = &infos[rule];

    if (info->severity == VSG_VER_STRICT && !state->options->strict)
        return false;
    uint32_t everywhere = (1u << VISAGE_PLATFORM_COUNT) - 2u;
    if (state->platform == VISAGE_PLATFORM_NONE)
        return info->platforms == everywhere;
    return (info->platforms >> state->platform & 1u) != 0;
}

static vsg_base_location locate(const vsg_ver_state *state)
{
    if (!state->unit)
        return VSG_BASE_NOWHERE;
    return vsg_obj_locate(state->unit, state->inst);
}

static void add_source_line(const vsg_ver_state *state, vsg_base_location *where)
{
    const vsg_ver_options *options = state->options;

    if (!state->unit)
        return;
    if (where->line && options->line)
        where->source_line = options->line(options->user, state->unit, where->line);
    else if (where->has_offset && where->instruction >= 0 && options->inst)
        where->source_line =
            options->inst(options->user, state->unit, (size_t)where->instruction);
}

static void report(vsg_ver_state *state, vsg_ver_rule rule, vsg_base_location where,
                   va_list args)
{
    state->muted = vsg_ver_stop(state) || !holds(state, rule);
    if (state->muted)
        return;
    if (infos[rule].severity == VSG_VER_ERROR)
        state->errors++;
    add_source_line(state, &where);
    vsg_base_vreport_row(state->diagnostics, &rows[rule], &where, args);
}

void vsg_ver_report(vsg_ver_state *state, vsg_ver_rule rule, ...)
{
    va_list args;

    va_start(args, rule);
    report(state, rule, locate(state), args);
    va_end(args);
}

void vsg_ver_report_operand(vsg_ver_state *state, const vsg_obj_operand *operand,
                            vsg_ver_rule rule, ...)
{
    vsg_base_location where = locate(state);
    va_list args;

    if (where.line && operand->begin_column) {
        where.column = operand->begin_column;
        where.end_column = operand->end_column;
    }
    va_start(args, rule);
    report(state, rule, where, args);
    va_end(args);
}

/* From `at`, which is the begin of an instruction or part of it, up to one of `ends` or the end
 * of the line. */
static size_t up_to(const char *line, size_t at, const char *ends)
{
    while (line[at] && line[at] != '\n' && !strchr(ends, line[at]))
        at++;
    return at;
}

/* The bytes begin to end of a part; false where the instruction does not have it. */
static bool find_part(const char *line, size_t at, vsg_ver_part part, size_t *begin,
                      size_t *end)
{
    bool has_predicate = line[at] == '(';

    if (has_predicate) {
        *begin = at;
        at = *end = up_to(line, at, ")") + 1;
        if (line[at - 1] != ')' || part == VSG_VER_PART_PREDICATE)
            return line[at - 1] == ')';
        at += strspn(line + at, " \t");
    }
    size_t mnemonic_end = up_to(line, at, " \t(");
    if (part == VSG_VER_PART_SUFFIX) {
        *begin = up_to(line, at, ". \t(");
        *end = mnemonic_end;
    } else if (part == VSG_VER_PART_MASK) {
        *begin = mnemonic_end + strspn(line + mnemonic_end, " \t");
        *end = up_to(line, *begin, ")") + 1;
        return line[*begin] == '(' && line[*end - 1] == ')';
    }
    return part == VSG_VER_PART_SUFFIX && *begin < *end;
}

void vsg_ver_report_part(vsg_ver_state *state, vsg_ver_part part, vsg_ver_rule rule, ...)
{
    const vsg_ver_options *options = state->options;
    vsg_base_location where = locate(state);
    size_t begin, end;
    va_list args;

    const char *line = state->unit && where.line && where.column && options->line
                           ? options->line(options->user, state->unit, where.line)
                           : NULL;
    /* A line that is shorter than it was when it was read is not looked at. */
    if (line && up_to(line, 0, "") >= where.column &&
        find_part(line, where.column - 1, part, &begin, &end)) {
        where.column = (uint32_t)begin + 1;
        where.end_column = (uint32_t)end + 1;
    }
    va_start(args, rule);
    report(state, rule, where, args);
    va_end(args);
}

static vsg_base_location locate_place(const vsg_ver_state *state, const vsg_obj_place *place)
{
    vsg_base_location where = locate(state);

    where.instruction = -1;
    where.line = place->line;
    where.column = place->column;
    where.end_column = place->end_column;
    where.has_offset = place->line == 0 && place->offset_bytes != 0;
    where.offset = place->offset_bytes;
    return where;
}

void vsg_ver_report_place(vsg_ver_state *state, const vsg_obj_place *place, vsg_ver_rule rule,
                          ...)
{
    va_list args;

    va_start(args, rule);
    report(state, rule, locate_place(state, place), args);
    va_end(args);
}

static void note(vsg_ver_state *state, vsg_base_location where, const char *format,
                 va_list args)
{
    static const vsg_base_diag_row row = {"", VISAGE_SEVERITY_NOTE, "%s", NULL};
    char text[512];

    if (state->muted)
        return;
    (void)vsnprintf(text, sizeof text, format, args);
    add_source_line(state, &where);
    vsg_base_report_row(state->diagnostics, &row, &where, text);
}

void vsg_ver_note_place(vsg_ver_state *state, const vsg_obj_place *place, const char *format,
                        ...)
{
    va_list args;

    va_start(args, format);
    note(state, locate_place(state, place), format, args);
    va_end(args);
}

void vsg_ver_note_unit(vsg_ver_state *state, const vsg_obj_unit *unit, const char *format, ...)
{
    vsg_base_location where = vsg_obj_locate(unit, NULL);
    va_list args;

    where.line = unit->place.line;
    where.column = unit->place.column;
    where.end_column = unit->place.end_column;
    const vsg_obj_unit *here = state->unit;
    state->unit = unit; /* whose text the line is of */
    va_start(args, format);
    note(state, where, format, args);
    va_end(args);
    state->unit = here;
}

void vsg_ver_note_fix(vsg_ver_state *state, const char *format, ...)
{
    va_list args;
    vsg_base_location where = locate(state);

    where.line = 0;
    va_start(args, format);
    note(state, where, format, args);
    va_end(args);
}

void vsg_ver_list_platforms(uint32_t platforms, char *text, size_t size)
{
    size_t length = 0;

    text[0] = '\0';
    for (uint32_t i = 1; i < VISAGE_PLATFORM_COUNT && length < size; i++)
        if (platforms >> i & 1u)
            length += (size_t)snprintf(text + length, size - length, "%s%s", length ? ", " : "",
                                       visage_platform_name(i));
    if (platforms == 0)
        (void)snprintf(text, size, "later devices");
}

bool vsg_ver_stop(const vsg_ver_state *state)
{
    size_t most = state->options->max_errors;

    return state->no_memory || (most && state->errors >= most);
}
