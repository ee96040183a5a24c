/* SPDX-License-Identifier: MIT */
#include "report.h"

#include "info.h"

#include <stdlib.h>
#include <string.h>

/* ---- pieces ----------------------------------------------------------------------------- */

/* As in `visage info --json`: what is no UTF-8 is not lost. */
static json_t *text_of(const char *text)
{
    char *escaped = info_escape(text, strlen(text));
    json_t *string = escaped ? json_string(escaped) : NULL;

    free(escaped);
    return string;
}

/* A relative URI reference of a file's name (RFC 3986, 3.3): what may stand in a path as it is,
 * the rest as %XX. */
static json_t *uri_of(const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789-._~/!$&'()*+,;=@";
    size_t length = strlen(path), used = 0;
    char *uri = malloc(length * 3 + 1);

    if (!uri)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        if (strchr(plain, path[i]))
            uri[used++] = path[i];
        else
            used += (size_t)sprintf(uri + used, "%%%02X", (unsigned)(unsigned char)path[i]);
    }
    uri[used] = '\0';
    json_t *string = json_string(uri);
    free(uri);
    return string;
}

static bool set(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

static bool set_text(json_t *object, const char *key, const char *text)
{
    return !text || set(object, key, text_of(text));
}

static bool set_number(json_t *object, const char *key, uint64_t number)
{
    return set(object, key, json_integer((json_int_t)number));
}

static const char *severity_of(const visage_diagnostic *diagnostic)
{
    static const char *const names[] = {
        [VISAGE_SEVERITY_NOTE] = "note",
        [VISAGE_SEVERITY_WARNING] = "warning",
        [VISAGE_SEVERITY_ERROR] = "error",
    };

    return names[diagnostic->severity];
}

/* ---- JSON ------------------------------------------------------------------------------- */

static json_t *json_of(const visage_diagnostic *d)
{
    json_t *object = json_object();
    bool good = object && set_text(object, "code", d->code) &&
                set_text(object, "severity", severity_of(d)) &&
                set_text(object, "message", d->message) && set_text(object, "file", d->file);

    if (good && d->line)
        good = set_number(object, "line", d->line) && set_number(object, "column", d->column) &&
               set_number(object, "end_column", d->end_column);
    if (good && d->has_offset)
        good = set_number(object, "offset", d->offset);
    good = good && set_text(object, "kernel", d->kernel);
    if (good && d->kernel && d->instruction >= 0)
        good = set_number(object, "instruction", (uint64_t)d->instruction);
    good =
        good && set_text(object, "text", d->source_line) && set_text(object, "source", d->page);
    if (good)
        return object;
    json_decref(object);
    return NULL;
}

static bool append_diagnostics(json_t *list, const visage_diagnostics *diagnostics)
{
    json_t *last = NULL; /* what notes belong to; borrowed */

    for (size_t i = 0; i < visage_diagnostics_count(diagnostics); i++) {
        const visage_diagnostic *d = visage_diagnostics_get(diagnostics, i);
        json_t *object = json_of(d);
        if (!object)
            return false;
        bool is_note = d->severity == VISAGE_SEVERITY_NOTE && last;
        if (is_note && !json_object_get(last, "notes") && !set(last, "notes", json_array())) {
            json_decref(object);
            return false;
        }
        if (json_array_append_new(is_note ? json_object_get(last, "notes") : list, object) != 0)
            return false;
        if (!is_note)
            last = object;
    }
    return true;
}

bool report_append_json(json_t *files, const char *file, visage_status status,
                        const visage_diagnostics *diagnostics)
{
    json_t *object = json_object(), *list = json_array();
    bool good = object && list && set_text(object, "file", file) &&
                set_text(object, "status", visage_status_name(status)) &&
                append_diagnostics(list, diagnostics);

    if (good)
        good = json_object_set(object, "diagnostics", list) == 0 &&
               json_array_append(files, object) == 0;
    json_decref(list);
    json_decref(object);
    return good;
}

char *report_pattern(const char *message)
{
    char *pattern = malloc(strlen(message) * 3 + 1); /* %s becomes ... */
    size_t used = 0;

    while (pattern && *message) {
        if (*message != '%') {
            pattern[used++] = *message++;
        } else if (message[1] == '%') {
            pattern[used++] = '%';
            message += 2;
        } else {
            message += 1 + strcspn(message + 1, "cdsuxX");
            message += *message != '\0';
            memcpy(pattern + used, "...", 3);
            used += 3;
        }
    }
    if (pattern)
        pattern[used] = '\0';
    return pattern;
}

/* ---- SARIF 2.1.0 ------------------------------------------------------------------------ */

static json_t *message_of(const char *text)
{
    json_t *message = json_object();

    if (message && set_text(message, "text", text))
        return message;
    json_decref(message);
    return NULL;
}

/* 3.28, location object */
static json_t *location_of(const visage_diagnostic *d, const char *file)
{
    json_t *location = json_object(), *physical = json_object(), *artifact = json_object(),
           *region = json_object();
    bool good =
        location && physical && artifact && region && set(artifact, "uri", uri_of(file));

    if (good && d->line) {
        good = set_number(region, "startLine", d->line);
        if (good && d->column)
            good = set_number(region, "startColumn", d->column);
        if (good && d->end_column > d->column)
            good = set_number(region, "endColumn", d->end_column);
    } else if (good && d->has_offset) {
        good =
            set_number(region, "byteOffset", d->offset) && set_number(region, "byteLength", 1);
    }
    good =
        good && json_object_set(physical, "artifactLocation", artifact) == 0 &&
        (json_object_size(region) == 0 || json_object_set(physical, "region", region) == 0) &&
        json_object_set(location, "physicalLocation", physical) == 0;
    json_decref(artifact);
    json_decref(region);
    json_decref(physical);
    if (good)
        return location;
    json_decref(location);
    return NULL;
}

static json_t *result_of(const visage_diagnostic *d, const char *file)
{
    json_t *result = json_object(), *locations = json_array();
    json_t *location = location_of(d, file);
    bool good = result && locations && location && set_text(result, "ruleId", d->code) &&
                set_text(result, "level", severity_of(d)) &&
                set(result, "message", message_of(d->message)) &&
                json_array_append(locations, location) == 0 &&
                json_object_set(result, "locations", locations) == 0;

    json_decref(location);
    json_decref(locations);
    if (good)
        return result;
    json_decref(result);
    return NULL;
}

/* Notes become related locations with a message of their own (3.27.22). */
static bool relate(json_t *result, const visage_diagnostic *d, const char *file)
{
    json_t *location = location_of(d, file);
    bool good = location && set(location, "message", message_of(d->message)) &&
                (json_object_get(result, "relatedLocations") ||
                 set(result, "relatedLocations", json_array())) &&
                json_array_append(json_object_get(result, "relatedLocations"), location) == 0;

    json_decref(location);
    return good;
}

bool report_append_sarif(json_t *results, const char *file,
                         const visage_diagnostics *diagnostics)
{
    json_t *last = NULL;

    for (size_t i = 0; i < visage_diagnostics_count(diagnostics); i++) {
        const visage_diagnostic *d = visage_diagnostics_get(diagnostics, i);
        if (d->severity == VISAGE_SEVERITY_NOTE && last) {
            if (!relate(last, d, file))
                return false;
            continue;
        }
        last = result_of(d, file);
        if (!last || json_array_append_new(results, last) != 0)
            return false;
    }
    return true;
}

/* reportingDescriptor object (3.49); source may be NULL. */
static bool append_rule(json_t *rules, const char *code, const char *sentence,
                        const char *source)
{
    json_t *object = json_object();
    bool good = object && set_text(object, "id", code) &&
                set(object, "shortDescription", message_of(sentence)) &&
                (!source || set(object, "help", message_of(source))) &&
                json_array_append(rules, object) == 0;

    json_decref(object);
    return good;
}

static bool append_code(json_t *rules, const visage_code *code)
{
    char *sentence = report_pattern(code->message);
    bool good = sentence && append_rule(rules, code->code, sentence, code->source);

    free(sentence);
    return good;
}

static json_t *sarif_rules(void)
{
    json_t *rules = json_array();
    bool good = rules != NULL;
    visage_rule rule;
    visage_code code;

    for (size_t i = 0; good && visage_rule_get(i, &rule) == VISAGE_OK; i++)
        good = append_rule(rules, rule.code, rule.sentence, rule.source);
    for (size_t i = 0; good && visage_code_get(i, &code) == VISAGE_OK; i++)
        good = append_code(rules, &code);
    if (good)
        return rules;
    json_decref(rules);
    return NULL;
}

json_t *report_sarif(json_t *results)
{
    return json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:o}]}", "version", "2.1.0",
                     "$schema",
                     "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                     "sarif-schema-2.1.0.json",
                     "runs", "tool", "driver", "name", "visage", "version", visage_version(),
                     "rules", sarif_rules(), "results", results);
}

/* ---- rules ------------------------------------------------------------------------------ */

static json_t *platforms_of(uint32_t platforms)
{
    json_t *list = json_array();

    for (int i = 1; list && i < VISAGE_PLATFORM_COUNT; i++)
        if (platforms >> i & 1u)
            (void)json_array_append_new(list,
                                        json_string(visage_platform_name((visage_platform)i)));
    return list;
}

json_t *report_rules(void)
{
    json_t *rules = json_array();
    visage_rule rule;

    for (size_t i = 0; rules && visage_rule_get(i, &rule) == VISAGE_OK; i++) {
        json_t *object = json_object();
        bool good = object && set_text(object, "code", rule.code) &&
                    set_text(object, "severity", rule.severity) &&
                    set_text(object, "reader_code", rule.reader_code) &&
                    set(object, "platforms", platforms_of(rule.platforms)) &&
                    set_text(object, "source", rule.source) &&
                    set_text(object, "sentence", rule.sentence) &&
                    json_array_append(rules, object) == 0;
        json_decref(object);
        if (!good) {
            json_decref(rules);
            return NULL;
        }
    }
    return rules;
}
