/* SPDX-License-Identifier: MIT */
#include "container/yaml_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The compiler's own output nests five deep. */
enum { MOST_DEPTH = 32, MOST_WARNINGS = 20 };

/* ---- positions and failures ------------------------------------------------------------- */

/* Bytes of the byte order mark that a text may start with. */
static size_t mark_bytes(const vsg_con_yaml *yaml)
{
    static const uint8_t mark[] = {0xef, 0xbb, 0xbf};

    return yaml->size >= sizeof mark && memcmp(yaml->text, mark, sizeof mark) == 0 ? sizeof mark
                                                                                   : 0;
}

/* libyaml counts characters, diagnostics count bytes. */
static size_t byte_of(const vsg_con_yaml *yaml, size_t characters)
{
    size_t at = mark_bytes(yaml);

    for (; characters > 0 && at < yaml->size; characters--) {
        at++;
        while (at < yaml->size && (yaml->text[at] & 0xc0) == 0x80)
            at++;
    }
    return at;
}

static vsg_base_location where_byte(vsg_con_yaml *yaml, size_t byte)
{
    vsg_base_location where = vsg_con_yaml_where(yaml, NULL);
    size_t line_start = 0, length = 0;

    where.line = 1;
    for (size_t i = 0; i < byte; i++) {
        if (yaml->text[i] == '\n') {
            where.line++;
            line_start = i + 1;
        }
    }
    where.column = (uint32_t)(byte - line_start + 1);
    while (line_start + length < yaml->size && length + 1 < sizeof yaml->line &&
           yaml->text[line_start + length] != '\n')
        length++;
    memcpy(yaml->line, yaml->text + line_start, length);
    yaml->line[length] = '\0';
    where.source_line = yaml->line;
    return where;
}

vsg_base_location vsg_con_yaml_where(vsg_con_yaml *yaml, const yaml_mark_t *mark)
{
    if (mark)
        return where_byte(yaml, byte_of(yaml, mark->index));
    /* In a zebin the line is counted from the start of its section, which is told too. */
    return (vsg_base_location){
        .file = yaml->file->name,
        .has_offset = yaml->offset != 0,
        .offset = yaml->offset,
        .kernel = yaml->kernel,
        .instruction = -1,
    };
}

void vsg_con_yaml_fail(vsg_con_yaml *yaml, visage_status status)
{
    if (yaml->status == VISAGE_OK)
        yaml->status = status;
}

bool vsg_con_yaml_warns(vsg_con_yaml *yaml)
{
    if (yaml->warnings >= MOST_WARNINGS)
        return false;
    yaml->warnings++;
    return true;
}

static void fail_memory(vsg_con_yaml *yaml)
{
    vsg_con_yaml_fail(yaml, vsg_con_no_memory(yaml->file));
}

static void fail_shape(vsg_con_yaml *yaml, const char *text)
{
    vsg_base_location where = vsg_con_yaml_where(yaml, &yaml->event.start_mark);
    vsg_base_report(yaml->file->diagnostics, VSG_DIAG_YAML_SHAPE, &where, text);
    vsg_con_yaml_fail(yaml, VISAGE_MALFORMED);
}

static void fail_syntax(vsg_con_yaml *yaml)
{
    const yaml_parser_t *parser = &yaml->parser;

    if (parser->error == YAML_MEMORY_ERROR) {
        fail_memory(yaml);
        return;
    }
    size_t byte = parser->error == YAML_READER_ERROR
                      ? mark_bytes(yaml) + parser->problem_offset
                      : byte_of(yaml, parser->problem_mark.index);
    vsg_base_location where = where_byte(yaml, byte < yaml->size ? byte : yaml->size);
    vsg_base_report(yaml->file->diagnostics, VSG_DIAG_YAML_SYNTAX, &where,
                    parser->problem ? parser->problem : "unreadable");
    vsg_con_yaml_fail(yaml, VISAGE_MALFORMED);
}

/* ---- events ----------------------------------------------------------------------------- */

static bool has_anchor(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return true;
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor != NULL;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor != NULL;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor != NULL;
    default:
        return false;
    }
}

static bool starts(const yaml_event_t *event)
{
    return event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT;
}

static bool ends(const yaml_event_t *event)
{
    return event->type == YAML_SEQUENCE_END_EVENT || event->type == YAML_MAPPING_END_EVENT;
}

/* Takes the event and fetches the next one. */
static void advance(vsg_con_yaml *yaml)
{
    if (yaml->status != VISAGE_OK)
        return;
    yaml_event_delete(&yaml->event);
    if (!yaml_parser_parse(&yaml->parser, &yaml->event)) {
        fail_syntax(yaml);
        return;
    }
    if (has_anchor(&yaml->event))
        fail_shape(yaml, "anchors and aliases are not allowed");
    if (starts(&yaml->event) && ++yaml->depth > MOST_DEPTH)
        fail_shape(yaml, "nested too deeply");
    if (ends(&yaml->event))
        yaml->depth--;
}

static const char *kind_of(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return "a value";
    case YAML_SEQUENCE_START_EVENT:
        return "a list";
    case YAML_MAPPING_START_EVENT:
        return "a mapping";
    default:
        return "missing";
    }
}

static bool is_kind(vsg_con_yaml *yaml, yaml_event_type_t type, const char *what,
                    const char *expected)
{
    if (yaml->status != VISAGE_OK)
        return false;
    if (yaml->event.type == type)
        return true;
    vsg_base_location where = vsg_con_yaml_where(yaml, &yaml->event.start_mark);
    vsg_base_report(yaml->file->diagnostics, VSG_DIAG_YAML_KIND, &where, what,
                    kind_of(&yaml->event), expected);
    vsg_con_yaml_fail(yaml, VISAGE_MALFORMED);
    return false;
}

/* An empty value where a list or a mapping may stand: `args_info:` and nothing after it. */
static bool is_null(const vsg_con_yaml *yaml)
{
    if (yaml->status != VISAGE_OK || yaml->event.type != YAML_SCALAR_EVENT ||
        yaml->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return false;
    const char *text = (const char *)yaml->event.data.scalar.value;
    return text[0] == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0;
}

static void skip(vsg_con_yaml *yaml)
{
    size_t open = 0;

    do {
        if (starts(&yaml->event))
            open++;
        if (ends(&yaml->event))
            open--;
        advance(yaml);
    } while (yaml->status == VISAGE_OK && open > 0);
}

/* ---- scalars ---------------------------------------------------------------------------- */

static void fail_value(vsg_con_yaml *yaml, const char *key, const char *expected)
{
    vsg_base_location where = vsg_con_yaml_where(yaml, &yaml->event.start_mark);
    vsg_base_report(yaml->file->diagnostics, VSG_DIAG_YAML_VALUE, &where, key,
                    (const char *)yaml->event.data.scalar.value, expected);
    vsg_con_yaml_fail(yaml, VISAGE_MALFORMED);
}

/* The scalar that comes next, NULL after an error. It stays until advance(). */
static const char *scalar(vsg_con_yaml *yaml, const char *key)
{
    if (!is_kind(yaml, YAML_SCALAR_EVENT, key, "a value"))
        return NULL;
    const char *text = (const char *)yaml->event.data.scalar.value;
    if (strlen(text) != yaml->event.data.scalar.length) {
        fail_value(yaml, key, "text without a NUL character");
        return NULL;
    }
    return text;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 16;
}

bool vsg_con_yaml_number(const char *text, int64_t *out)
{
    bool is_negative = *text == '-';
    int64_t number = 0;
    int base = 10;

    if (is_negative)
        text++;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
    }
    if (*text == '\0')
        return false;
    for (; *text; text++) {
        int digit = digit_of(*text);
        if (digit >= base || number > (INT64_MAX - digit) / base)
            return false;
        number = number * base + digit;
    }
    *out = is_negative ? -number : number;
    return true;
}

static bool read_number(vsg_con_yaml *yaml, const char *key, int64_t least, int64_t most,
                        int64_t *out)
{
    char expected[80];
    const char *text = scalar(yaml, key);

    if (!text)
        return false;
    if (!vsg_con_yaml_number(text, out) || *out < least || *out > most) {
        (void)snprintf(expected, sizeof expected, "a number from %" PRId64 " to %" PRId64,
                       least, most);
        fail_value(yaml, key, expected);
        return false;
    }
    advance(yaml);
    return yaml->status == VISAGE_OK;
}

static void read_triple(vsg_con_yaml *yaml, const vsg_con_field *field, uint32_t *out)
{
    int64_t number;

    if (!is_kind(yaml, YAML_SEQUENCE_START_EVENT, field->key, "a list of three numbers"))
        return;
    advance(yaml);
    for (int i = 0; i < 3; i++)
        if (read_number(yaml, field->key, 0, field->most, &number))
            out[i] = (uint32_t)number;
    if (yaml->status == VISAGE_OK && yaml->event.type != YAML_SEQUENCE_END_EVENT)
        fail_shape(yaml, "more than three numbers in the list");
    advance(yaml);
}

static void read_flag(vsg_con_yaml *yaml, const vsg_con_field *field, bool *out)
{
    const char *text = scalar(yaml, field->key);

    if (!text)
        return;
    bool is_true = strcmp(text, "true") == 0;
    if (!is_true && strcmp(text, "false") != 0) {
        fail_value(yaml, field->key, "true or false");
        return;
    }
    *out = is_true;
    advance(yaml);
}

/* Index of the scalar in the field's words, -1 after an error. Does not take it. */
static int find_word(vsg_con_yaml *yaml, const vsg_con_field *field, const char *text)
{
    char expected[160] = "";
    size_t length = 0;

    for (int i = 0; field->words[i]; i++)
        if (strcmp(field->words[i], text) == 0)
            return i;
    for (int i = 0; field->words[i] && length < sizeof expected; i++)
        length += (size_t)snprintf(expected + length, sizeof expected - length, "%s%s",
                                   i == 0 ? "" : ", ", field->words[i]);
    fail_value(yaml, field->key, expected);
    return -1;
}

static void read_choice(vsg_con_yaml *yaml, const vsg_con_field *field, int *out)
{
    const char *text = scalar(yaml, field->key);
    int index = text ? find_word(yaml, field, text) : -1;

    if (index < 0)
        return;
    *out = index + 1;
    advance(yaml);
}

static void read_string(vsg_con_yaml *yaml, const vsg_con_field *field, const char **out)
{
    const char *text = scalar(yaml, field->key);

    if (!text || (field->words && find_word(yaml, field, text) < 0))
        return;
    *out = vsg_base_arena_text(&yaml->file->out->arena, text, yaml->event.data.scalar.length);
    if (!*out)
        fail_memory(yaml);
    if (field->is_unit_name)
        yaml->kernel = *out;
    advance(yaml);
}

static void read_foreign(vsg_con_yaml *yaml, const vsg_con_field *field)
{
    const char *text = scalar(yaml, field->key);

    if (!text)
        return;
    if (strcmp(text, "0") != 0 && strcmp(text, "false") != 0 && vsg_con_yaml_warns(yaml)) {
        vsg_base_location where = vsg_con_yaml_where(yaml, &yaml->event.start_mark);
        vsg_base_report(yaml->file->diagnostics, VSG_DIAG_YAML_FOREIGN, &where, field->key,
                        text);
    }
    advance(yaml);
}

/* ---- records ---------------------------------------------------------------------------- */

static void read_record(vsg_con_yaml *yaml, const vsg_con_record *record, void *base);

static void read_items(vsg_con_yaml *yaml, const vsg_con_field *field, char **items,
                       size_t *count, size_t *capacity)
{
    const vsg_con_record *record = field->record;

    while (yaml->status == VISAGE_OK && yaml->event.type != YAML_SEQUENCE_END_EVENT) {
        void *grown = *items;
        if (!vsg_base_grow(yaml->file->alloc, &grown, *count, capacity, record->size)) {
            fail_memory(yaml);
            return;
        }
        *items = grown;
        void *item = *items + *count * record->size;
        if (record->defaults)
            memcpy(item, record->defaults, record->size);
        else
            memset(item, 0, record->size);
        ++*count;
        read_record(yaml, record, item);
    }
}

static void read_list(vsg_con_yaml *yaml, const vsg_con_field *field, char *base)
{
    char *items = NULL;
    size_t count = 0, capacity = 0;
    const char *kernel = yaml->kernel;

    if (is_null(yaml)) {
        advance(yaml);
        return;
    }
    if (!is_kind(yaml, YAML_SEQUENCE_START_EVENT, field->key, "a list"))
        return;
    advance(yaml);
    read_items(yaml, field, &items, &count, &capacity);
    advance(yaml);
    if (yaml->status == VISAGE_OK) {
        yaml->kernel = kernel;
        if (count > 0) {
            void *kept =
                vsg_base_arena_new(&yaml->file->out->arena, count, field->record->size);
            if (kept)
                memcpy(kept, items, count * field->record->size);
            else
                fail_memory(yaml);
            memcpy(base + field->offset, &kept, sizeof kept);
        }
        memcpy(base + field->count_offset, &count, sizeof count);
    }
    vsg_base_delete(yaml->file->alloc, items, capacity, field->record->size);
}

static void read_field(vsg_con_yaml *yaml, const vsg_con_field *field, char *base)
{
    void *place = base + field->offset;
    bool has_sign = field->form == VSG_CON_FORM_INDEX;
    int64_t number;

    switch (field->form) {
    case VSG_CON_FORM_FLAG:
        read_flag(yaml, field, place);
        break;
    case VSG_CON_FORM_NUMBER:
    case VSG_CON_FORM_INDEX:
        if (read_number(yaml, field->key, has_sign ? -1 : 0, field->most, &number)) {
            if (has_sign)
                *(int32_t *)place = (int32_t)number;
            else
                *(uint32_t *)place = (uint32_t)number;
        }
        break;
    case VSG_CON_FORM_TRIPLE:
        read_triple(yaml, field, place);
        break;
    case VSG_CON_FORM_STRING:
        read_string(yaml, field, place);
        break;
    case VSG_CON_FORM_CHOICE:
        read_choice(yaml, field, place);
        break;
    case VSG_CON_FORM_MAPPING:
        read_record(yaml, field->record, place);
        break;
    case VSG_CON_FORM_LIST:
        read_list(yaml, field, base);
        break;
    case VSG_CON_FORM_FOREIGN:
        read_foreign(yaml, field);
        break;
    }
}

static void read_entry(vsg_con_yaml *yaml, const vsg_con_record *record, char *base,
                       uint64_t *seen)
{
    if (!is_kind(yaml, YAML_SCALAR_EVENT, "a key", "a word"))
        return;
    const char *key = (const char *)yaml->event.data.scalar.value;
    size_t index = 0;
    while (index < record->num_fields && strcmp(record->fields[index].key, key) != 0)
        index++;
    if (index == record->num_fields) {
        advance(yaml);
        if (yaml->status == VISAGE_OK)
            skip(yaml);
        return;
    }
    if (*seen >> index & 1) {
        vsg_base_location where = vsg_con_yaml_where(yaml, &yaml->event.start_mark);
        vsg_base_report(yaml->file->diagnostics, VSG_DIAG_YAML_TWICE, &where, "key", key);
        vsg_con_yaml_fail(yaml, VISAGE_MALFORMED);
        return;
    }
    *seen |= UINT64_C(1) << index;
    advance(yaml);
    if (yaml->status == VISAGE_OK)
        read_field(yaml, &record->fields[index], base);
}

static void check_required(vsg_con_yaml *yaml, const vsg_con_record *record,
                           const yaml_mark_t *start, uint64_t seen)
{
    for (size_t i = 0; i < record->num_fields && yaml->status == VISAGE_OK; i++) {
        if (!record->fields[i].is_required || (seen >> i & 1))
            continue;
        vsg_base_location where = vsg_con_yaml_where(yaml, start);
        vsg_base_report(yaml->file->diagnostics, VSG_DIAG_YAML_MISSING, &where, record->what,
                        record->fields[i].key);
        vsg_con_yaml_fail(yaml, VISAGE_MALFORMED);
    }
}

static void read_record(vsg_con_yaml *yaml, const vsg_con_record *record, void *base)
{
    uint64_t seen = 0;
    yaml_mark_t start = yaml->event.start_mark;

    if (is_null(yaml)) {
        advance(yaml);
    } else {
        if (!is_kind(yaml, YAML_MAPPING_START_EVENT, record->what, "a mapping"))
            return;
        advance(yaml);
        while (yaml->status == VISAGE_OK && yaml->event.type != YAML_MAPPING_END_EVENT)
            read_entry(yaml, record, base, &seen);
        advance(yaml);
    }
    check_required(yaml, record, &start, seen);
    if (yaml->status == VISAGE_OK && record->check)
        record->check(yaml, &start, base);
}

/* libyaml compares each tag directive with all before it: many of them would take for ever. One
 * stands at the start of a line, and every character that ends a line has such a last byte. */
static bool has_tags(vsg_con_yaml *yaml)
{
    static const char directive[] = "%TAG";
    const size_t length = sizeof directive - 1;
    uint8_t before = '\n';

    for (size_t i = 0; i + length <= yaml->size; before = yaml->text[i++]) {
        bool is_start = before == '\n' || before == '\r' || before >= 0x80;
        if (!is_start || memcmp(yaml->text + i, directive, length) != 0)
            continue;
        vsg_base_location where = where_byte(yaml, i);
        vsg_base_report(yaml->file->diagnostics, VSG_DIAG_YAML_SHAPE, &where,
                        "tag directives are not allowed");
        vsg_con_yaml_fail(yaml, VISAGE_MALFORMED);
        return true;
    }
    return false;
}

static void read_stream(vsg_con_yaml *yaml, const vsg_con_record *record, void *base)
{
    advance(yaml); /* to the start of the stream */
    advance(yaml);
    if (yaml->status != VISAGE_OK)
        return;
    if (yaml->event.type != YAML_DOCUMENT_START_EVENT) {
        fail_shape(yaml, "there is no document");
        return;
    }
    advance(yaml);
    read_record(yaml, record, base);
    advance(yaml); /* takes the end of the document */
    if (yaml->status == VISAGE_OK && yaml->event.type != YAML_STREAM_END_EVENT)
        fail_shape(yaml, "there is more than one document");
}

visage_status vsg_con_yaml_read(vsg_con_yaml *yaml, const vsg_con_reader *file, size_t offset,
                                size_t size, const vsg_con_record *record, void *base)
{
    *yaml = (vsg_con_yaml){
        .file = file,
        .text = file->data + offset,
        .size = size,
        .offset = offset,
    };
    if (!yaml_parser_initialize(&yaml->parser)) {
        fail_memory(yaml);
        return yaml->status;
    }
    /* No other encoding: what is said of bytes here would not hold. */
    yaml_parser_set_encoding(&yaml->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&yaml->parser, yaml->text + mark_bytes(yaml),
                                 size - mark_bytes(yaml));
    if (!has_tags(yaml))
        read_stream(yaml, record, base);
    yaml_event_delete(&yaml->event);
    yaml_parser_delete(&yaml->parser);
    yaml->kernel = NULL;
    return yaml->status;
}
