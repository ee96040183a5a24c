/* SPDX-License-Identifier: MIT */
#include "finding.h"

#include <string.h>

static void set(json_t *object, const char *key, json_t *value)
{
    if (value)
        (void)json_object_set_new(object, key, value);
}

static void set_text(json_t *object, const char *key, const char *text)
{
    if (text)
        set(object, key, json_string(text));
}

static void set_number(json_t *object, const char *key, uint64_t number)
{
    set(object, key, json_integer((json_int_t)number));
}

static void set_group(json_t *object, const uint32_t numbers[3])
{
    json_t *group = json_array();

    for (int d = 0; group && d < 3; d++)
        (void)json_array_append_new(group, json_integer((json_int_t)numbers[d]));
    set(object, "group", group);
}

static void set_place(json_t *object, const visage_finding *finding)
{
    set_group(object, finding->group);
    set_number(object, "thread", finding->thread);
    json_t *channels = json_array();
    for (int n = 0; channels && n < 32; n++)
        if (finding->channels >> n & 1)
            (void)json_array_append_new(channels, json_integer(n));
    set(object, "channels", channels);
}

/* The other access of a data race. */
static void set_other(json_t *object, const visage_finding *finding)
{
    json_t *other = finding->other_what ? json_object() : NULL;

    if (!other)
        return;
    set_text(other, "what", finding->other_what);
    set_text(other, "kernel", finding->other_kernel);
    set(other, "instruction", json_integer((json_int_t)finding->other_instruction));
    set_text(other, "mnemonic", finding->other_mnemonic);
    if (finding->other_line)
        set_number(other, "line", finding->other_line);
    set_text(other, "source_file", finding->other_source_file);
    if (finding->other_source_line)
        set_number(other, "source_line", finding->other_source_line);
    set_group(other, finding->other_group);
    set_number(other, "thread", finding->other_thread);
    set_number(other, "channel", finding->other_channel);
    set(object, "other", other);
}

void finding_append(void *user, const visage_finding *finding)
{
    json_t *list = user;
    json_t *object = json_object();

    if (!object)
        return;
    set_text(object, "code", finding->code);
    set_text(object, "message", finding->message);
    set_text(object, "what", finding->what);
    set_text(object, "kernel", finding->kernel);
    set(object, "instruction", json_integer((json_int_t)finding->instruction));
    set_text(object, "mnemonic", finding->mnemonic);
    set_text(object, "text", finding->text);
    set_text(object, "file", finding->file);
    if (finding->line)
        set_number(object, "line", finding->line);
    set_text(object, "source_file", finding->source_file);
    if (finding->source_line)
        set_number(object, "source_line", finding->source_line);
    set_place(object, finding);
    set_number(object, "address", finding->address);
    set_number(object, "size_bytes", finding->size_bytes);
    set(object, "limit", json_integer((json_int_t)finding->limit));
    set_text(object, "name", finding->name);
    if (finding->argument >= 0) {
        set(object, "argument", json_integer(finding->argument));
        set(object, "offset", json_integer((json_int_t)finding->offset));
    }
    set_other(object, finding);
    set_number(object, "count", finding->count);
    (void)json_array_append_new(list, object);
}

/* Findings have the codes from X0200 on. */
static bool is_finding(const visage_diagnostic *diagnostic)
{
    return strncmp(diagnostic->code, "X02", 3) == 0;
}

void finding_print(const json_t *findings, const visage_diagnostics *diagnostics)
{
    json_t *all = json_copy((json_t *)findings);

    for (size_t i = 0; all && i < visage_diagnostics_count(diagnostics); i++) {
        const visage_diagnostic *diagnostic = visage_diagnostics_get(diagnostics, i);
        if (is_finding(diagnostic) || diagnostic->severity != VISAGE_SEVERITY_ERROR)
            continue;
        json_t *object = json_object();
        set_text(object, "code", diagnostic->code);
        set_text(object, "message", diagnostic->message);
        set_text(object, "kernel", diagnostic->kernel);
        set(object, "instruction", json_integer((json_int_t)diagnostic->instruction));
        if (object)
            (void)json_array_append_new(all, object);
    }
    if (all) {
        (void)json_dumpf(all, stderr, JSON_INDENT(2));
        fputc('\n', stderr);
    }
    json_decref(all);
}
