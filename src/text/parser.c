/* SPDX-License-Identifier: MIT */
#include "text/parser.h"

#include <stdio.h>
#include <string.h>

#include "text/parse.h"

enum { MOST_ERRORS = 100, FEW_SLOTS = 32 };

/* ---- reporting -------------------------------------------------------------------------- */

const char *vsg_txt_message(vsg_txt_word word, char buffer[VSG_TXT_MESSAGE_SIZE])
{
    size_t room = VSG_TXT_MESSAGE_SIZE - sizeof "...";
    size_t length = word.length < room ? word.length : room;

    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)word.text[i];
        buffer[i] = c < ' ' || c > '~' ? '?' : (char)c;
    }
    (void)snprintf(buffer + length, VSG_TXT_MESSAGE_SIZE - length, "%s",
                   length < word.length ? "..." : "");
    return buffer;
}

static const char *find_line(const vsg_txt_parser *parser, uint32_t line)
{
    const vsg_txt_input *input = parser->input;
    const char *at = input->text;
    const char *end = at + input->size_bytes;

    if (line == parser->lex.line)
        return parser->lex.line_start;
    while (--line > 0) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline)
            return end;
        at = newline + 1;
    }
    return at;
}

/* line: takes a copy of the source line, which must end in NUL. */
static vsg_base_location locate(const vsg_txt_parser *parser, vsg_obj_place place, char *line,
                                size_t size)
{
    vsg_base_location where = {.file = parser->file, .instruction = -1};

    if (place.line == 0)
        return where;
    const char *start = find_line(parser, place.line);
    size_t before = (size_t)(start - parser->input->text);
    size_t length = 0;
    while (length + 1 < size && before + length < parser->input->size_bytes &&
           start[length] != '\n' && start[length] != '\0') {
        line[length] = start[length];
        length++;
    }
    line[length] = '\0';
    where.line = place.line;
    where.column = place.column;
    where.end_column = place.end_column;
    where.source_line = line;
    where.has_offset = parser->input->offset_bytes != 0;
    where.offset = parser->input->offset_bytes + before + place.column - 1;
    return where;
}

bool vsg_txt_report(vsg_txt_parser *parser, vsg_base_diag diag, vsg_obj_place place, ...)
{
    char line[1024];
    va_list args;

    if (parser->stop)
        return false;
    vsg_base_location where = locate(parser, place, line, sizeof line);
    va_start(args, place);
    vsg_base_vreport(parser->diagnostics, diag, &where, args);
    va_end(args);
    if (++parser->errors >= MOST_ERRORS) {
        vsg_base_report(parser->diagnostics, VSG_DIAG_TOO_MANY_ERRORS, &where);
        parser->stop = true;
    }
    return false;
}

bool vsg_txt_expected(vsg_txt_parser *parser, const char *what)
{
    char text[VSG_TXT_MESSAGE_SIZE], found[VSG_TXT_MESSAGE_SIZE + 2];
    vsg_txt_lexer *lex = &parser->lex;

    vsg_txt_skip_blanks(lex);
    vsg_txt_lexer before = *lex;
    vsg_obj_place place = vsg_txt_here(lex);
    vsg_txt_word word = vsg_txt_take_any(lex);
    place = vsg_txt_since(parser, place);
    *lex = before;
    if (word.length == 0) {
        place.end_column = place.column + 1;
        return vsg_txt_report(parser, VSG_DIAG_SYNTAX, place, "the end of the line", what);
    }
    unsigned char c = (unsigned char)word.text[0];
    if (c < ' ' || c > '~') {
        (void)snprintf(found, sizeof found, "0x%02x", c);
        return vsg_txt_report(parser, VSG_DIAG_BAD_CHARACTER, place, found);
    }
    (void)snprintf(found, sizeof found, "'%s'", vsg_txt_message(word, text));
    return vsg_txt_report(parser, VSG_DIAG_SYNTAX, place, found, what);
}

const char *vsg_txt_article(const char *noun)
{
    return strchr("aeiou", noun[0]) ? "an" : "a";
}

bool vsg_txt_expected_a(vsg_txt_parser *parser, const char *noun)
{
    char what[VSG_TXT_MESSAGE_SIZE];

    (void)snprintf(what, sizeof what, "%s %s", vsg_txt_article(noun), noun);
    return vsg_txt_expected(parser, what);
}

bool vsg_txt_missing(vsg_txt_parser *parser, char c)
{
    char what[] = {'\'', c, '\'', '\0'};
    return vsg_txt_expected(parser, what);
}

bool vsg_txt_outside(vsg_txt_parser *parser, vsg_obj_place place, const char *what,
                     int64_t value, int64_t low, int64_t high)
{
    return vsg_txt_report(parser, VSG_DIAG_OUT_OF_RANGE, vsg_txt_since(parser, place), what,
                          (long long)value, (long long)low, (long long)high);
}

static bool too_much(vsg_txt_parser *parser, vsg_obj_place place, const vsg_obj_excess *excess)
{
    return vsg_txt_report(parser, excess->diag, place, excess->what, excess->value, excess->low,
                          excess->high);
}

bool vsg_txt_within(vsg_txt_parser *parser, vsg_obj_place place, vsg_obj_limit limit,
                    uint64_t value)
{
    vsg_obj_excess excess;

    return vsg_obj_limit_check(limit, value, &excess) || too_much(parser, place, &excess);
}

bool vsg_txt_no_memory(vsg_txt_parser *parser)
{
    parser->status = VISAGE_NO_MEMORY;
    parser->stop = true;
    return false;
}

/* ---- units ------------------------------------------------------------------------------ */

/* Which labels instructions name; NULL when memory is out. */
static bool *named_labels(vsg_txt_parser *parser)
{
    const vsg_obj_unit *unit = parser->unit;
    bool *named = vsg_base_new(&parser->module->alloc, unit->num_labels, sizeof *named);

    if (!named) {
        (void)vsg_txt_no_memory(parser);
        return NULL;
    }
    memset(named, 0, unit->num_labels * sizeof *named);
    for (size_t i = 0; i < unit->num_insts; i++)
        for (uint32_t k = 0; k < unit->insts[i].num_operands; k++) {
            const vsg_obj_operand *operand = &unit->insts[i].operands[k];
            if (operand->class_ == VSG_OBJ_CLASS_LABEL && operand->id < unit->num_labels)
                named[operand->id] = true;
        }
    return named;
}

/* Labels that stand nowhere. What goes there the verifier may have to judge; nothing does to
 * one that .function alone names. */
static void undefined_labels(vsg_txt_parser *parser)
{
    char text[VSG_TXT_MESSAGE_SIZE];
    const vsg_obj_unit *unit = parser->unit;
    bool *named = NULL;

    for (size_t i = 0; i < unit->num_labels && !parser->stop; i++) {
        const vsg_obj_label *label = &unit->labels[i];
        vsg_txt_word name = {label->name, strlen(label->name)};
        if (label->inst >= 0 || label->kind == VSG_OBJ_LABEL_KERNEL)
            continue;
        if (parser->input->is_judged_later && !named && !(named = named_labels(parser)))
            return;
        if (named && named[i]) {
            parser->has_illegal = true;
            continue;
        }
        (void)vsg_txt_report(parser, VSG_DIAG_LABEL_UNDEFINED, label->place,
                             vsg_txt_message(name, text));
        parser->inst_errors++;
    }
    vsg_base_delete(&parser->module->alloc, named, unit->num_labels, sizeof *named);
}

static void end_unit(vsg_txt_parser *parser)
{
    const vsg_obj_unit *unit = parser->unit;
    vsg_obj_excess excess;

    while (parser->num_scopes > 0)
        (void)vsg_txt_report(parser, VSG_DIAG_UNTERMINATED,
                             parser->scopes[--parser->num_scopes].place, "'{'");
    if (unit)
        undefined_labels(parser);
    if (unit && !parser->stop && !vsg_obj_text_check(unit, &excess))
        (void)too_much(parser, excess.place && excess.place->line ? *excess.place : unit->place,
                       &excess);
    vsg_txt_unbind(&parser->variables, parser->num_predefined);
    vsg_txt_unbind(&parser->labels, 0);
    parser->variables.depth = 0;
    parser->unit = NULL;
}

/* Makes room for what the first unit, which is often the only one, is likely to have. */
static bool reserve(vsg_txt_parser *parser)
{
    enum { BYTES_OF_ONE = 160, MOST = 1 << 16 }; /* for a variable and an instruction */
    size_t count = (size_t)(parser->lex.end - parser->lex.at) / BYTES_OF_ONE;

    count = count < MOST ? count : MOST;
    return vsg_obj_reserve(parser->module, parser->unit, VSG_OBJ_TABLE_VARIABLES, count) &&
           vsg_obj_reserve(parser->module, parser->unit, VSG_OBJ_TABLE_INSTS, count);
}

bool vsg_txt_begin_unit(vsg_txt_parser *parser, vsg_txt_word name, bool is_function,
                        vsg_obj_place place)
{
    end_unit(parser);
    if (parser->unit_name) {
        name = (vsg_txt_word){parser->unit_name, strlen(parser->unit_name)};
        parser->unit_name = NULL;
    }
    parser->unit = vsg_obj_add_unit(parser->module, name.text, name.length, is_function);
    if (!parser->unit)
        return vsg_txt_no_memory(parser);
    if (!parser->has_unit && !reserve(parser))
        return vsg_txt_no_memory(parser);
    parser->has_unit = true;
    parser->unit->file = parser->file;
    parser->unit->place = place;
    if (is_function)
        parser->unit->linkage = VSG_OBJ_LINKAGE_GLOBAL;
    return is_function ||
           vsg_txt_within(parser, place, VSG_OBJ_LIMIT_KERNELS, ++parser->num_kernels);
}

/* ---- statements ------------------------------------------------------------------------- */

static bool open_scope(vsg_txt_parser *parser, vsg_obj_place place)
{
    void *scopes = parser->scopes;

    if (!vsg_base_grow(&parser->module->alloc, &scopes, parser->num_scopes, &parser->cap_scopes,
                       sizeof *parser->scopes))
        return vsg_txt_no_memory(parser);
    parser->scopes = scopes;
    parser->scopes[parser->num_scopes++] =
        (vsg_txt_scope){parser->variables.num_bindings, place};
    parser->variables.depth++;
    return true;
}

static bool close_scope(vsg_txt_parser *parser, vsg_obj_place place)
{
    if (parser->num_scopes == 0)
        return vsg_txt_report(parser, VSG_DIAG_SYNTAX, place, "'}'", "a statement");
    vsg_txt_unbind(&parser->variables, parser->scopes[--parser->num_scopes].num_bindings);
    parser->variables.depth--;
    return true;
}

/* Is there a unit to put it into? A text without one is told once. */
static bool inside_unit(vsg_txt_parser *parser, vsg_obj_place place, const char *what)
{
    if (parser->unit)
        return true;
    if (!parser->outside) {
        parser->outside = true;
        place.end_column = place.column + 1;
        (void)vsg_txt_report(parser, VSG_DIAG_OUTSIDE_UNIT, place, what);
    }
    return false;
}

/* Takes "name:" where no blank is next. */
static bool take_label(vsg_txt_lexer *lex, vsg_txt_word *name)
{
    const char *from = lex->at;

    *name = vsg_txt_take_label(lex);
    if (name->length && vsg_txt_next(lex) == ':') {
        lex->at++;
        return true;
    }
    lex->at = from;
    return false;
}

/* Reports what stands behind a statement. Returns false. */
static bool too_long(vsg_txt_parser *parser, bool is_instruction)
{
    char text[VSG_TXT_MESSAGE_SIZE], found[VSG_TXT_MESSAGE_SIZE + 2];

    if (!is_instruction)
        return vsg_txt_expected(parser, "the end of the line");
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    vsg_txt_word word = vsg_txt_take_any(&parser->lex);
    (void)snprintf(found, sizeof found, "'%s'", vsg_txt_message(word, text));
    return vsg_txt_report(parser, VSG_DIAG_TRAILING, vsg_txt_since(parser, place), found);
}

static bool need_line_end(vsg_txt_parser *parser, bool is_instruction)
{
    char c = vsg_txt_peek(&parser->lex);

    return c == '\n' || c == '}' || too_long(parser, is_instruction);
}

/* One with an error is left out: what else there is can be judged without it. */
static bool instruction(vsg_txt_parser *parser)
{
    size_t before = parser->unit->num_insts;
    size_t errors = parser->errors;

    if (vsg_txt_instruction(parser) && need_line_end(parser, true))
        return true;
    parser->inst_errors += parser->errors - errors;
    parser->unit->num_insts = before;
    parser->unit->lacks_insts = true;
    return false;
}

/* Reads one statement; false: what is left of the line cannot be read. */
static bool statement(vsg_txt_parser *parser)
{
    vsg_txt_lexer *lex = &parser->lex;
    char c = vsg_txt_peek(lex);
    vsg_obj_place place = vsg_txt_here(lex);
    vsg_txt_word name;

    place.end_column = place.column + 1;
    if (c == '{' || c == '}') {
        lex->at++;
        if (!inside_unit(parser, place, "a scope"))
            return true;
        return c == '{' ? open_scope(parser, place) : close_scope(parser, place);
    }
    if (c == '.') {
        lex->at++;
        name = vsg_txt_take_name(lex);
        if (!parser->unit && !vsg_txt_starts_unit(name) &&
            !inside_unit(parser, place, "a directive"))
            return false;
        return vsg_txt_directive(parser, name, place) && need_line_end(parser, false);
    }
    if (take_label(lex, &name)) {
        place.end_column = place.column + (uint32_t)name.length;
        return inside_unit(parser, place, "a label") &&
               vsg_txt_place_label(parser, name, place);
    }
    return inside_unit(parser, place, "an instruction") && instruction(parser);
}

static void statements(vsg_txt_parser *parser)
{
    vsg_txt_lexer *lex = &parser->lex;

    while (!parser->stop) {
        if (vsg_txt_peek(lex) == '\n') {
            if (lex->at == lex->end)
                break;
            vsg_txt_new_line(lex);
        } else if (!statement(parser)) {
            vsg_txt_skip_line(lex);
        }
    }
    end_unit(parser);
    if (lex->open_comment.line)
        (void)vsg_txt_report(parser, VSG_DIAG_UNTERMINATED, lex->open_comment, "the comment");
    if (!parser->has_unit && !parser->outside && !parser->module->num_file_variables)
        (void)vsg_txt_report(parser, VSG_DIAG_NO_UNIT, (vsg_obj_place){0});
    if (!parser->has_version)
        (void)vsg_txt_report(parser, VSG_DIAG_NO_VERSION,
                             (vsg_obj_place){.line = 1, .column = 1, .end_column = 2});
}

static void free_parser(vsg_txt_parser *parser)
{
    const vsg_base_alloc *alloc = &parser->module->alloc;

    vsg_txt_symbols_free(&parser->variables);
    vsg_txt_symbols_free(&parser->labels);
    vsg_txt_symbols_free(&parser->file_variables);
    vsg_base_delete(alloc, parser->scopes, parser->cap_scopes, sizeof *parser->scopes);
    vsg_base_delete(alloc, parser->operands, parser->cap_operands, sizeof *parser->operands);
}

static visage_status parse(vsg_obj_module *module, const vsg_txt_input *input,
                           const vsg_txt_tables *tables, visage_diagnostics *diagnostics)
{
    vsg_txt_parser parser = {.module = module,
                             .input = input,
                             .tables = tables,
                             .unit_name = input->unit_name,
                             .diagnostics = diagnostics};

    vsg_txt_lexer_init(&parser.lex, input->text, input->size_bytes);
    vsg_txt_symbols_init(&parser.labels, &module->alloc, FEW_SLOTS);
    vsg_txt_symbols_init(&parser.file_variables, &module->alloc, FEW_SLOTS);
    parser.file = input->name ? vsg_obj_text(module, input->name, strlen(input->name)) : NULL;
    if (!vsg_txt_symbols_copy(&parser.variables, &module->alloc, &tables->predefined) ||
        (input->name && !parser.file))
        parser.status = VISAGE_NO_MEMORY;
    parser.cap_operands = VSG_ISA_MAX_SLOTS;
    parser.operands =
        vsg_base_new(&module->alloc, parser.cap_operands, sizeof *parser.operands);
    if (!parser.operands)
        parser.status = VISAGE_NO_MEMORY;
    parser.num_predefined = parser.variables.num_bindings;
    if (parser.status == VISAGE_OK)
        statements(&parser);
    free_parser(&parser);
    if (parser.status != VISAGE_OK)
        return parser.status;
    if (!parser.stop && parser.errors == parser.inst_errors &&
        (parser.errors > 0 || parser.has_illegal))
        module->is_broken = true;
    return parser.errors > 0 ? VISAGE_SYNTAX : VISAGE_OK;
}

visage_status vsg_txt_parse(vsg_obj_module *module, const vsg_txt_input *input,
                            visage_diagnostics *diagnostics)
{
    if (input->tables)
        return parse(module, input, input->tables, diagnostics);
    vsg_txt_tables *tables = vsg_txt_tables_new(&module->alloc);
    visage_status status =
        tables ? parse(module, input, tables, diagnostics) : VISAGE_NO_MEMORY;
    vsg_txt_tables_delete(&tables);
    return status;
}

bool vsg_txt_is_text(const void *data, size_t size_bytes)
{
    vsg_txt_lexer lex;

    vsg_txt_lexer_init(&lex, data, size_bytes);
    while (vsg_txt_peek(&lex) == '\n') {
        if (lex.at == lex.end)
            return false;
        vsg_txt_skip_line(&lex);
    }
    return vsg_txt_take(&lex, '.') && vsg_txt_starts_unit(vsg_txt_take_name(&lex));
}
