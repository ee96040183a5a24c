/* SPDX-License-Identifier: MIT */
#include "opencl/options.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_form { WORD, PREFIX, VALUE } option_form;

typedef enum header_use { MACRO, FOLDER, SAME, APART } header_use;

enum { B = 1 << VSG_OCL_BUILD, C = 1 << VSG_OCL_COMPILE, L = 1 << VSG_OCL_LINK };

typedef struct option_row {
    const char *text;
    option_form form;
    unsigned builds;
    bool generator;
    header_use headers;
} option_row;

static const option_row rows[] = {
#define OPTION(text, form, builds, generator, headers) {text, form, builds, generator, headers},
#include "opencl/options.def"
#undef OPTION
};

/* ---- text that grows -------------------------------------------------------------------- */

typedef struct text_builder {
    char *text;
    size_t length, capacity;
    bool failed;
} text_builder;

static void add_bytes(text_builder *to, const char *text, size_t length)
{
    size_t wanted = to->length + length + 1;

    if (wanted > to->capacity && !to->failed) {
        char *grown = realloc(to->text, wanted * 2);
        if (grown) {
            to->text = grown;
            to->capacity = wanted * 2;
        } else {
            to->failed = true;
        }
    }
    if (to->failed)
        return;
    memcpy(to->text + to->length, text, length);
    to->length += length;
    to->text[to->length] = '\0';
}

static void add(text_builder *to, const char *text)
{
    add_bytes(to, text, strlen(text));
}

/* A word as it was written, with its quotes, behind a blank. */
static void add_word(text_builder *to, const char *from, const char *end)
{
    if (to->length > 0)
        add(to, " ");
    add_bytes(to, from, (size_t)(end - from));
}

/* The text, "" where nothing was added; NULL: memory is out. */
static char *finish(text_builder *to)
{
    add(to, "");
    if (!to->failed)
        return to->text;
    free(to->text);
    return NULL;
}

/* ---- words ------------------------------------------------------------------------------ */

/* A word of the options: where it stands with its quotes, and what it says without them. */
typedef struct option_word {
    const char *begin, *end;
    char *said; /* in a buffer as long as all options */
} option_word;

/* Takes the next word. Quotes keep blanks; a backslash keeps what follows. */
static bool next_word(const char **at, char *buffer, option_word *out)
{
    char quote = '\0';
    const char *from = *at;

    while (isspace((unsigned char)*from))
        from++;
    *out = (option_word){.begin = from, .said = buffer};
    if (!*from)
        return false;
    for (; *from && (quote || !isspace((unsigned char)*from)); from++) {
        if (quote && *from == quote)
            quote = '\0';
        else if (!quote && (*from == '"' || *from == '\''))
            quote = *from;
        else if (*from == '\\' && from[1])
            *buffer++ = *++from;
        else
            *buffer++ = *from;
    }
    *buffer = '\0';
    out->end = from;
    *at = from;
    return true;
}

static const option_row *find_row(const char *word)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t length = strlen(rows[i].text);
        if (strncmp(word, rows[i].text, length) == 0 &&
            (rows[i].form != WORD || word[length] == '\0'))
            return &rows[i];
    }
    return NULL;
}

static cl_int error_of(vsg_ocl_build_kind kind)
{
    return kind == VSG_OCL_BUILD     ? CL_INVALID_BUILD_OPTIONS
           : kind == VSG_OCL_COMPILE ? CL_INVALID_COMPILER_OPTIONS
                                     : CL_INVALID_LINKER_OPTIONS;
}

/* The version that -cl-std asks for, 0: there is no such. The compiler takes 1.2 for the older
 * ones, which on some devices fail for every source. */
static unsigned read_version(const char *value)
{
    static const struct {
        const char *text;
        unsigned version;
    } known[] = {
        {"CL1.0", 120}, {"CL1.1", 120}, {"CL1.2", 120}, {"CL2.0", 200}, {"CL3.0", 300}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(value, known[i].text) == 0)
            return known[i].version;
    return 0;
}

typedef struct reading {
    vsg_ocl_build_kind kind;
    vsg_ocl_options *out;
    text_builder text, folders, macros, defines, header_text;
    char *buffer, *value_buffer;
    char *wrong;
} reading;

/* Where a macro's name, or its list of parameters, ends. NULL: it has no name that a program
 * could have chosen, but one that means something to the compiler or to nobody. */
static const char *end_of_macro(const char *macro)
{
    size_t length = 0;

    while (isalnum((unsigned char)macro[length]) || macro[length] == '_')
        length++;
    if (!isalpha((unsigned char)macro[0]) || strncmp(macro, "cl_", 3) == 0)
        return NULL;
    if (macro[length] == '(')
        length += strcspn(macro + length, ")") + 1;
    return macro[length - 1] != '\0' && (macro[length] == '=' || macro[length] == '\0')
               ? macro + length
               : NULL;
}

/* Puts the lines that define a macro before those that there are: of two with one name the last
 * counts. Not where the compiler's own headers have defined it, which come after the options.
 */
static void add_definition(reading *r, const char *macro, const char *end, const char *value,
                           size_t length)
{
    text_builder all = {0};
    size_t name = strcspn(macro, "(=");

    add(&all, "#ifndef ");
    add_bytes(&all, macro, name);
    add(&all, "\n#define ");
    add_bytes(&all, macro, (size_t)(end - macro));
    add(&all, " ");
    add_bytes(&all, value, length);
    add(&all, "\n#endif\n");
    if (r->defines.text)
        add_bytes(&all, r->defines.text, r->defines.length);
    all.failed |= r->defines.failed;
    free(r->defines.text);
    r->defines = all;
}

/* A macro that is defined behind the compiler's own headers, whose parameters may have its
 * name, as others of a few letters have. False: it is the compiler's to define. */
static bool define(reading *r, const char *macro)
{
    const char *end = end_of_macro(macro);
    size_t length = strcspn(macro, "\n");

    if (!end || end > macro + length)
        return false;
    if (*end == '=')
        add_definition(r, macro, end, end + 1, length - (size_t)(end + 1 - macro));
    else
        add_definition(r, macro, end, "1", 1);
    return true;
}

/* One option, of which `word` is the first word. False: it is wrong. */
static bool read_option(reading *r, const option_word *word, const char **at)
{
    const option_row *row = find_row(word->said);
    option_word value = {.end = word->end};

    if (!row || (row->builds & 1u << r->kind) == 0)
        return false;
    const char *rest = word->said + strlen(row->text);
    if (row->form == VALUE && !*rest) {
        if (!next_word(at, r->value_buffer, &value))
            return false;
        rest = value.said;
    }
    if (strcmp(row->text, "-cl-std=") == 0) {
        r->out->version = read_version(rest);
        return r->out->version != 0;
    }
    if (strcmp(row->text, "-create-library") == 0)
        r->out->is_library = true;
    if (strcmp(row->text, "-create-library") == 0 ||
        strcmp(row->text, "-enable-link-options") == 0 ||
        strcmp(row->text, "-cl-kernel-arg-info") == 0)
        return true;
    if (strcmp(row->text, "-I") == 0)
        add_bytes(&r->folders, rest, strlen(rest) + 1);
    if (strcmp(row->text, "-igc_opts") == 0 || strcmp(row->text, "-x") == 0)
        r->out->is_odd = true;
    /* What single quotes and backslashes mean is the compiler's affair. */
    bool is_plain = strcspn(word->begin, "'\\") >= (size_t)(value.end - word->begin);
    if (row->headers == MACRO && is_plain && define(r, rest))
        return true;
    if (row->headers == MACRO) {
        add_bytes(&r->macros, rest, strcspn(rest, "=("));
        add_bytes(&r->macros, "", 1);
    }
    if (row->headers == SAME)
        add_word(&r->header_text, word->begin, value.end);
    if (row->headers == APART || (row->headers == MACRO && strcspn(rest, "=(") == 0))
        r->out->is_apart = true;
    add_word(&r->text, word->begin, value.end);
    return true;
}

static cl_int read_all(reading *r, const char *text)
{
    option_word word;
    const char *at = text;

    while (next_word(&at, r->buffer, &word))
        if (!read_option(r, &word, &at)) {
            (void)snprintf(r->wrong, 128, "%.127s", word.said);
            return error_of(r->kind);
        }
    return CL_SUCCESS;
}

cl_int vsg_ocl_options_read(const char *text, vsg_ocl_build_kind kind, vsg_ocl_options *out,
                            char wrong[128])
{
    size_t size = text ? strlen(text) + 1 : 1;
    reading r = {.kind = kind, .out = out, .wrong = wrong};
    cl_int status = CL_OUT_OF_HOST_MEMORY;

    *out = (vsg_ocl_options){.version = 120};
    wrong[0] = '\0';
    r.buffer = malloc(size);
    r.value_buffer = malloc(size);
    if (r.buffer && r.value_buffer)
        status = read_all(&r, text ? text : "");
    if (status == CL_SUCCESS && kind != VSG_OCL_LINK) {
        char version[64];
        /* Information about arguments is for whoever asks; it costs nothing. */
        (void)snprintf(version, sizeof version, " -cl-std=CL%u.%u -cl-kernel-arg-info",
                       out->version / 100, out->version / 10 % 10);
        add(&r.text, version);
        add(&r.header_text, version);
    }
    add_bytes(&r.folders, "", 1);
    add_bytes(&r.macros, "", 1);
    out->text = finish(&r.text);
    out->folders = finish(&r.folders);
    out->macros = finish(&r.macros);
    out->defines = finish(&r.defines);
    out->header_text = finish(&r.header_text);
    if (!out->text || !out->folders || !out->macros || !out->defines || !out->header_text)
        status = CL_OUT_OF_HOST_MEMORY;
    free(r.buffer);
    free(r.value_buffer);
    return status;
}

void vsg_ocl_options_free(vsg_ocl_options *options)
{
    free(options->text);
    free(options->folders);
    free(options->macros);
    free(options->defines);
    free(options->header_text);
    *options = (vsg_ocl_options){0};
}

/* ---- what the compiler is told ---------------------------------------------------------- */

/* The compiler's own header has functions of this extension in OpenCL C 2.0, where it is part
 * of the language: without it no source compiles. */
static bool is_needed(const vsg_ocl_extension *extension, const vsg_ocl_options *options)
{
    return options->version == 200 && strcmp(extension->name, "cl_khr_3d_image_writes") == 0;
}

char *vsg_ocl_internal_options(cl_device_id device, const vsg_ocl_options *options)
{
    const vsg_ocl_extension *extensions;
    size_t count = vsg_ocl_extensions(&extensions);
    text_builder text = {0};

    /* The list of extensions stands last: tools/visage-compiler/headers.c has more for clang.
     */
    add(&text, "-ze-emit-zebin-visa-sections -cl-ext=-all");
    for (size_t i = 0; i < count; i++) {
        const vsg_ocl_extension *one = &extensions[i];
        bool is_told = one->is_always_told || is_needed(one, options) ||
                       vsg_ocl_device_has_extension(device, one);
        if (!one->is_language || (one->is_feature && options->version < 300) || !is_told)
            continue;
        add(&text, ",+");
        add(&text, one->name);
    }
    return finish(&text);
}

char *vsg_ocl_generator_options(const char *text)
{
    size_t size = strlen(text) + 1;
    char *buffer = malloc(size);
    text_builder kept = {0};
    option_word word, value;
    const char *at = text;

    while (buffer && next_word(&at, buffer, &word)) {
        const option_row *row = find_row(word.said);
        const char *end = word.end;
        if (row && row->form == VALUE && word.said[strlen(row->text)] == '\0' &&
            next_word(&at, buffer, &value))
            end = value.end;
        if (row && row->generator)
            add_word(&kept, word.begin, end);
    }
    if (!buffer)
        kept.failed = true;
    free(buffer);
    return finish(&kept);
}
