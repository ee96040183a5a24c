/* SPDX-License-Identifier: MIT
 *
 * How fast the library reads and writes its formats, in CPU time of one thread. Every round
 * goes through the given texts again and again until that many bytes have passed, once for each
 * direction; a round is one line of JSON on standard output, so that a driver can measure other
 * programs between two rounds. Binaries are made of the texts here, so that both directions are
 * of the same kernels and no binary carries machine code that is only copied.
 *
 *     formats [--bytes=N] [--units=N] [--only=DIRECTION] FILE...
 *
 * --bytes  bytes of text a measurement takes at least; 64 MiB
 * --units  texts in one object; 1
 * --only   leaves the other directions out, for a profiler
 *
 * Reads a line from standard input before each round and ends with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <visage/visage.h>

#include "tool.h"

typedef struct bytes {
    char *data;
    size_t size, capacity;
} bytes;

/* One object: its text in parts, its binary, and what reading the text gave. */
typedef struct object {
    visage_text *texts;
    size_t num_texts;
    size_t text_bytes;    /* as given */
    size_t printed_bytes; /* as printed from the binary */
    bytes binary;
    visage_module *from_text, *from_binary;
} object;

typedef struct bench {
    visage_context *context;
    visage_diagnostics *diagnostics;
    object *objects;
    size_t num_objects;
    size_t passes;    /* over all objects */
    const char *only; /* name of a row, NULL: all */
} bench;

/* ---- trouble ---------------------------------------------------------------------------- */

static void *must_have(void *pointer)
{
    if (!pointer)
        fail("formats", "out of memory");
    return pointer;
}

static void must_be_good(const bench *b, const object *o, const char *what,
                         visage_status status)
{
    char text[1024];

    if (status == VISAGE_OK)
        return;
    fprintf(stderr, "formats: cannot %s %s: %s\n", what, o->texts[0].name,
            visage_status_name(status));
    for (size_t i = 0; i < visage_diagnostics_count(b->diagnostics); i++) {
        (void)visage_diagnostic_render(visage_diagnostics_get(b->diagnostics, i), false, text,
                                       sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    exit(1);
}

/* ---- the library's work ----------------------------------------------------------------- */

static visage_module *read_text(const bench *b, const object *o)
{
    visage_module_options options = VISAGE_OPTIONS_INIT(visage_module_options);
    visage_module *module;

    options.texts = o->num_texts > 1 ? o->texts + 1 : NULL;
    options.num_texts = o->num_texts - 1;
    must_be_good(b, o, "read",
                 visage_module_read_memory(b->context, o->texts[0].name, o->texts[0].data,
                                           o->texts[0].size_bytes, &options, b->diagnostics,
                                           &module));
    return module;
}

static visage_module *read_binary(const bench *b, const object *o)
{
    visage_module *module;

    must_be_good(b, o, "read the binary of",
                 visage_module_read_memory(b->context, o->texts[0].name, o->binary.data,
                                           o->binary.size, NULL, b->diagnostics, &module));
    return module;
}

static bool count(void *user, const void *data, size_t size_bytes)
{
    (void)data;
    *(size_t *)user += size_bytes;
    return true;
}

static size_t write_binary(const bench *b, const object *o, const visage_module *module)
{
    visage_write_options options = VISAGE_OPTIONS_INIT(visage_write_options);
    size_t size = 0;

    options.layout = VISAGE_LAYOUT_IGC;
    must_be_good(b, o, "write",
                 visage_module_write(module, &options, b->diagnostics, count, &size));
    return size;
}

static size_t print(const bench *b, const object *o, const visage_module *module)
{
    size_t size = 0;

    must_be_good(b, o, "print", visage_module_print(module, NULL, count, &size));
    return size;
}

static void do_read_text(const bench *b, const object *o)
{
    visage_module *module = read_text(b, o);
    visage_module_destroy(&module);
}

static void do_write_binary(const bench *b, const object *o)
{
    (void)write_binary(b, o, o->from_text);
}

static void do_assemble(const bench *b, const object *o)
{
    visage_module *module = read_text(b, o);
    (void)write_binary(b, o, module);
    visage_module_destroy(&module);
}

static void do_read_binary(const bench *b, const object *o)
{
    visage_module *module = read_binary(b, o);
    visage_module_destroy(&module);
}

static void do_print(const bench *b, const object *o)
{
    (void)print(b, o, o->from_binary);
}

static void do_disassemble(const bench *b, const object *o)
{
    visage_module *module = read_binary(b, o);
    (void)print(b, o, module);
    visage_module_destroy(&module);
}

/* ---- measuring -------------------------------------------------------------------------- */

typedef struct row {
    const char *name;
    void (*work)(const bench *b, const object *o);
} row;

static const row rows[] = {
    {"read_text", do_read_text},     {"write_binary", do_write_binary},
    {"text_to_binary", do_assemble}, {"read_binary", do_read_binary},
    {"print_text", do_print},        {"binary_to_text", do_disassemble},
};

static void measure(const bench *b)
{
    const char *before = "{";

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (b->only && strcmp(b->only, rows[i].name) != 0)
            continue;
        double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        for (size_t pass = 0; pass < b->passes; pass++)
            for (size_t j = 0; j < b->num_objects; j++)
                rows[i].work(b, &b->objects[j]);
        printf("%s\"%s\": %.6f", before, rows[i].name,
               seconds(CLOCK_PROCESS_CPUTIME_ID) - start);
        before = ", ";
    }
    printf("}\n");
    (void)fflush(stdout);
}

/* ---- input ------------------------------------------------------------------------------ */

static visage_text load(const char *path)
{
    visage_text out = {.name = path};

    out.data = read_file(path, &out.size_bytes);
    return out;
}

static bool keep(void *user, const void *data, size_t size_bytes)
{
    bytes *out = user;

    if (out->capacity - out->size < size_bytes) {
        out->capacity = (out->size + size_bytes) * 2;
        out->data = must_have(realloc(out->data, out->capacity));
    }
    memcpy(out->data + out->size, data, size_bytes);
    out->size += size_bytes;
    return true;
}

static void prepare(const bench *b, object *o)
{
    visage_write_options options = VISAGE_OPTIONS_INIT(visage_write_options);

    options.layout = VISAGE_LAYOUT_IGC;
    for (size_t i = 0; i < o->num_texts; i++)
        o->text_bytes += o->texts[i].size_bytes;
    o->from_text = read_text(b, o);
    must_be_good(b, o, "write",
                 visage_module_write(o->from_text, &options, b->diagnostics, keep, &o->binary));
    o->from_binary = read_binary(b, o);
    o->printed_bytes = print(b, o, o->from_binary);
}

/* A copy of a text whose kernel or function has a number behind its name: no two units of an
 * object may have the same. */
static visage_text renamed(const visage_text *text, size_t number)
{
    static const char *const directives[] = {".kernel \"", ".global_function \""};
    const char *from = text->data, *name = NULL;
    char suffix[32];
    size_t length = (size_t)snprintf(suffix, sizeof suffix, "_%zu", number);

    for (size_t i = 0; i < sizeof directives / sizeof directives[0] && !name; i++)
        if ((name = strstr(from, directives[i])))
            name += strlen(directives[i]);
    const char *end = name ? strchr(name, '"') : NULL;
    if (!end)
        fail(text->name, "no kernel and no function");
    size_t before = (size_t)(end - from);
    char *data = must_have(malloc(text->size_bytes + length + 1));
    memcpy(data, from, before);
    memcpy(data + before, suffix, length);
    memcpy(data + before + length, end, text->size_bytes - before + 1);
    return (visage_text){
        .name = text->name, .data = data, .size_bytes = text->size_bytes + length};
}

/* Puts the files, over and over until there are enough bytes, into objects of `units` each;
 * with one a file goes into one object, which is used in several passes. */
static void make_objects(bench *b, char **paths, size_t num_paths, size_t wanted, size_t units)
{
    visage_text *files = must_have(calloc(num_paths, sizeof *files));
    size_t total = 0;

    for (size_t i = 0; i < num_paths; i++) {
        files[i] = load(paths[i]);
        total += files[i].size_bytes;
    }
    size_t repeats = total ? (wanted + total - 1) / total : 1;
    b->passes = units == 1 ? repeats : 1;
    size_t num_texts = num_paths * repeats / b->passes;
    b->num_objects = (num_texts + units - 1) / units;
    b->objects = must_have(calloc(b->num_objects, sizeof *b->objects));
    for (size_t i = 0; i < num_texts; i++) {
        object *o = &b->objects[i / units];
        if (!o->texts)
            o->texts = must_have(calloc(units, sizeof *o->texts));
        const visage_text *file = &files[i % num_paths];
        o->texts[o->num_texts++] = units == 1 ? *file : renamed(file, i);
    }
    for (size_t i = 0; i < b->num_objects; i++)
        prepare(b, &b->objects[i]);
    free(files);
}

static void describe(const bench *b)
{
    size_t text = 0, printed = 0, binary = 0;

    for (size_t i = 0; i < b->num_objects; i++) {
        text += b->objects[i].text_bytes;
        printed += b->objects[i].printed_bytes;
        binary += b->objects[i].binary.size;
    }
    printf("{\"objects\": %zu, \"passes\": %zu, \"text_bytes\": %zu, \"printed_bytes\": %zu, "
           "\"binary_bytes\": %zu}\n",
           b->num_objects, b->passes, text * b->passes, printed * b->passes,
           binary * b->passes);
    (void)fflush(stdout);
}

static bool take_number(const char *argument, const char *name, size_t *value)
{
    char *end;

    if (strncmp(argument, name, strlen(name)) != 0)
        return false;
    *value = (size_t)strtoull(argument + strlen(name), &end, 10);
    if (*value == 0 || *end) {
        fprintf(stderr, "formats: %s: not a positive number\n", argument);
        exit(2);
    }
    return true;
}

static bool take_word(const char *argument, const char *name, const char **value)
{
    if (strncmp(argument, name, strlen(name)) != 0)
        return false;
    *value = argument + strlen(name);
    return true;
}

int main(int argc, char **argv)
{
    bench b = {0};
    size_t wanted = (size_t)64 << 20, units = 1;
    char line[16];
    int first = 1;

    while (first < argc && (take_number(argv[first], "--bytes=", &wanted) ||
                            take_number(argv[first], "--units=", &units) ||
                            take_word(argv[first], "--only=", &b.only)))
        first++;
    if (first == argc) {
        fprintf(stderr, "usage: formats [--bytes=N] [--units=N] [--only=DIRECTION] FILE...\n");
        return 2;
    }
    if (visage_context_create(NULL, &b.context) != VISAGE_OK ||
        visage_diagnostics_create(b.context, &b.diagnostics) != VISAGE_OK)
        must_have(NULL);
    make_objects(&b, argv + first, (size_t)(argc - first), wanted, units);
    describe(&b);
    while (fgets(line, sizeof line, stdin))
        measure(&b);
    for (size_t i = 0; i < b.num_objects; i++) {
        visage_module_destroy(&b.objects[i].from_text);
        visage_module_destroy(&b.objects[i].from_binary);
    }
    visage_diagnostics_destroy(&b.diagnostics);
    visage_context_destroy(&b.context);
    return 0;
}
