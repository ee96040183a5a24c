/* SPDX-License-Identifier: MIT */
#include "descriptor.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool bad(const char *path, const char *what)
{
    printf("%s: %s\n", path, what);
    return false;
}

/* A key that nobody reads would be a check that is not made. */
static bool known_keys(const char *path, json_t *root)
{
    static const char *const known[] = {"kernel",  "devices",       "args", "groups",
                                        "threads", "space",         "slm",  "expect",
                                        "note",    "named_barriers"};
    const char *key;
    json_t *value;

    json_object_foreach(root, key, value)
    {
        size_t i = 0;
        while (i < sizeof known / sizeof known[0] && strcmp(key, known[i]) != 0)
            i++;
        if (i == sizeof known / sizeof known[0])
            return bad(path, "a key that this program does not know");
    }
    return true;
}

static bool lists(const json_t *devices, const char *device)
{
    for (size_t i = 0; i < json_array_size(devices); i++) {
        const char *name = json_string_value(json_array_get(devices, i));
        if (name && strcmp(name, device) == 0)
            return true;
    }
    return false;
}

static uint32_t number(const json_t *object, const char *key)
{
    return (uint32_t)json_integer_value(json_object_get(object, key));
}

static void sizes(const json_t *root, const char *key, size_t count, uint32_t *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (uint32_t)json_integer_value(json_array_get(json_object_get(root, key), i));
}

static void put(unsigned char *to, size_t bytes, uint64_t value)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

/* Elements above the signed range are written as what they are; jansson has signed numbers. */
static uint64_t element(const json_t *value)
{
    if (json_is_string(value))
        return strtoull(json_string_value(value), NULL, 10);
    return (uint64_t)json_integer_value(value);
}

static bool read_contents(const char *path, const json_t *from, argument *out)
{
    const char *elem = json_string_value(json_object_get(from, "elem"));
    const json_t *init = json_object_get(from, "init");
    size_t bytes = elem && elem[0] == 'u' ? (size_t)atoi(elem + 1) / 8 : 0;
    size_t count = json_array_size(init);

    if (bytes == 0 || bytes > 8 || count == 0)
        return bad(path, "a buffer without elements");
    out->size_bytes = bytes * count;
    out->first = calloc(count, bytes);
    out->want = calloc(count, bytes);
    if (!out->first || !out->want)
        return bad(path, "out of memory");
    for (size_t i = 0; i < count; i++)
        put(out->first + i * bytes, bytes, element(json_array_get(init, i)));
    memcpy(out->want, out->first, out->size_bytes);
    return true;
}

static bool read_argument(const char *path, const json_t *from, argument *out)
{
    const char *type = json_string_value(json_object_get(from, "type"));

    if (type && strcmp(type, "u32") == 0) {
        out->is_value = true;
        out->size_bytes = 4;
        out->first = calloc(1, 4);
        if (!out->first)
            return bad(path, "out of memory");
        put(out->first, 4, number(from, "value"));
        return true;
    }
    if (!type || (strcmp(type, "buf") != 0 && strcmp(type, "image2d") != 0))
        return bad(path, "an argument of an unknown type");
    if (strcmp(type, "image2d") == 0) {
        const char *format = json_string_value(json_object_get(from, "format"));
        out->is_image = true;
        out->width = number(from, "width");
        out->height = number(from, "height");
        (void)snprintf(out->format, sizeof out->format, "%s", format ? format : "");
    }
    return read_contents(path, from, out);
}

static bool read_hex(const char *text, size_t size_bytes, unsigned char *out)
{
    if (!text || strlen(text) != size_bytes * 2)
        return false;
    for (size_t i = 0; i < size_bytes; i++) {
        const char digits[3] = {text[2 * i], text[2 * i + 1], '\0'};
        char *end;
        out[i] = (unsigned char)strtoul(digits, &end, 16);
        if (*end)
            return false;
    }
    return true;
}

/* Buffers without an entry must come out as they went in. */
static bool read_expected(const char *path, json_t *expect, descriptor *out)
{
    const char *key;
    json_t *value;

    if (json_object_size(expect) == 0)
        return bad(path, "it expects nothing");
    json_object_foreach(expect, key, value)
    {
        size_t index = strtoul(key, NULL, 10);
        if (index >= out->num_arguments || out->arguments[index].is_value ||
            !read_hex(json_string_value(value), out->arguments[index].size_bytes,
                      out->arguments[index].want))
            return bad(path, "expected bytes do not fit their argument");
    }
    return true;
}

static bool read_all(const char *path, json_t *root, descriptor *out)
{
    const json_t *args = json_object_get(root, "args");
    const char *kernel = json_string_value(json_object_get(root, "kernel"));

    if (!kernel || json_array_size(args) > MOST_ARGUMENTS)
        return bad(path, "no kernel, or too many arguments");
    (void)snprintf(out->kernel, sizeof out->kernel, "%s", kernel);
    sizes(root, "groups", 3, out->groups);
    sizes(root, "threads", 3, out->threads);
    sizes(root, "space", 2, out->space);
    for (; out->num_arguments < json_array_size(args); out->num_arguments++)
        if (!read_argument(path, json_array_get(args, out->num_arguments),
                           &out->arguments[out->num_arguments]))
            return false;
    return read_expected(path, json_object_get(root, "expect"), out);
}

descriptor_result descriptor_read(const char *path, const char *device, descriptor *out)
{
    json_error_t error;
    descriptor_result result = DESCRIPTOR_BAD;

    memset(out, 0, sizeof *out);
    json_t *root = json_load_file(path, 0, &error);
    if (!root)
        printf("%s:%d: %s\n", path, error.line, error.text);
    else if (!known_keys(path, root))
        result = DESCRIPTOR_BAD;
    else if (!lists(json_object_get(root, "devices"), device))
        result = DESCRIPTOR_OTHER_DEVICE;
    else if (read_all(path, root, out))
        result = DESCRIPTOR_READ;
    json_decref(root);
    return result;
}

void descriptor_free(descriptor *d)
{
    for (size_t i = 0; i < MOST_ARGUMENTS; i++) {
        free(d->arguments[i].first);
        free(d->arguments[i].want);
    }
    memset(d, 0, sizeof *d);
}
