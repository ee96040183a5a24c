/* SPDX-License-Identifier: MIT */
#include "argument.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_VALUE_BYTES = 4096 };

static int complain(int status, const char *spec, const char *why)
{
    tool_error("--arg %s: %s", spec, why);
    return status;
}

static int refuse(const char *spec, const char *why)
{
    return complain(EXIT_USAGE, spec, why);
}

static int no_memory(const char *spec)
{
    return complain(EXIT_RESOURCE, spec, "out of memory");
}

/* TYPE:VALUE[,VALUE...] */
static int parse_value(const char *spec, const char *rest, argument *out)
{
    size_t bytes = value_bytes(out->type);

    out->kind = ARGUMENT_VALUE;
    out->count = 1;
    for (const char *c = rest; *c; c++)
        out->count += *c == ',';
    out->size_bytes = out->count * bytes;
    if (out->size_bytes > LARGEST_VALUE_BYTES)
        return refuse(spec, "too many values");
    out->data = calloc(out->count + 1, bytes); /* room to pad three to four */
    if (!out->data)
        return no_memory(spec);
    for (size_t i = 0; i < out->count; i++) {
        size_t length = strcspn(rest, ",");
        if (!value_parse(out->type, rest, length, (char *)out->data + i * bytes))
            return refuse(spec, "a value is no number of its type, or out of range");
        rest += length + (rest[length] == ',');
    }
    return EXIT_GOOD;
}

/* Splits the trailing ":out=FILE" off; the copy ends before it. */
static char *split_out(const char *rest, argument *out)
{
    const char *found = NULL;

    for (const char *at = strstr(rest, ":out="); at; at = strstr(at + 1, ":out="))
        found = at;
    char *copy = strdup(rest);
    if (copy && found) {
        copy[found - rest] = '\0';
        out->out = found + strlen(":out=");
    }
    return copy;
}

/* The file after '@'. */
static int read_contents(const char *spec, const char *path, argument *out)
{
    out->data = tool_read(path, &out->size_bytes);
    if (!out->data)
        return EXIT_WANTING;
    if (out->size_bytes == 0)
        return complain(EXIT_WANTING, spec, "the file is empty");
    return EXIT_GOOD;
}

/* INIT of COUNT elements. */
static int make_contents(const char *spec, const char *init, argument *out)
{
    size_t bytes = value_bytes(out->type);
    char element[8];
    uint64_t seed;

    out->size_bytes = out->count * bytes;
    out->data = calloc(out->count, bytes);
    if (!out->data)
        return no_memory(spec);
    out->is_unwritten = strcmp(init, "none") == 0;
    if (strcmp(init, "zero") == 0 || out->is_unwritten)
        return EXIT_GOOD;
    if (strcmp(init, "iota") == 0) {
        value_iota(out->type, out->count, out->data);
        return EXIT_GOOD;
    }
    if (strncmp(init, "fill=", 5) == 0) {
        if (!value_parse(out->type, init + 5, strlen(init + 5), element))
            return refuse(spec, "fill= needs a number of the buffer's type");
        value_fill(out->type, out->count, element, out->data);
        return EXIT_GOOD;
    }
    if (strncmp(init, "rand=", 5) == 0) {
        if (!tool_u64(init + 5, &seed))
            return refuse(spec, "rand= needs a whole number, the seed");
        value_random(out->type, out->count, seed, out->data);
        return EXIT_GOOD;
    }
    if (init[0] == '@')
        return refuse(spec, "a file tells its own count: buf:TYPE:@FILE");
    return refuse(spec, "the initial contents are zero, iota, fill=V, rand=SEED or none");
}

/* COUNT:INIT or @FILE, `rest` being writable. */
static int parse_contents(const char *spec, char *rest, argument *out)
{
    size_t bytes = value_bytes(out->type);
    uint64_t count;

    if (*rest == '@') {
        int status = read_contents(spec, rest + 1, out);
        if (status == EXIT_GOOD && out->size_bytes % bytes != 0)
            status =
                complain(EXIT_WANTING, spec, "the file's size is no multiple of the type's");
        out->count = out->size_bytes / bytes;
        return status;
    }
    char *init = strchr(rest, ':');
    if (!init)
        return refuse(spec, "expected buf:TYPE:COUNT:INIT or buf:TYPE:@FILE");
    *init++ = '\0';
    if (!tool_u64(rest, &count) || count == 0 || count > SIZE_MAX / bytes)
        return refuse(spec, "the count is no positive number, or too large");
    out->count = (size_t)count;
    return make_contents(spec, init, out);
}

/* buf:TYPE:... */
static int parse_buffer(const char *spec, const char *rest, argument *out)
{
    size_t length = strcspn(rest, ":");

    out->kind = ARGUMENT_BUFFER;
    out->type = value_find(rest, length);
    if (out->type == VALUE_COUNT)
        return refuse(spec, "unknown type; i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64");
    if (rest[length] != ':')
        return refuse(spec, "expected buf:TYPE:COUNT:INIT or buf:TYPE:@FILE");
    char *copy = split_out(rest + length + 1, out);
    if (!copy)
        return no_memory(spec);
    int status = out->out && !*out->out ? refuse(spec, "out= needs a file")
                                        : parse_contents(spec, copy, out);
    free(copy);
    return status;
}

/* Ends a word at the next '/'; what is behind it, NULL where there is nothing. */
static char *split_slash(char *word)
{
    char *slash = word ? strchr(word, '/') : NULL;

    if (slash)
        *slash++ = '\0';
    return slash;
}

static bool parse_count(const char *text, uint32_t *out)
{
    uint64_t count;

    if (!text || !*text)
        return true;
    if (!tool_u64(text, &count) || count == 0 || count > 32)
        return false;
    *out = (uint32_t)count;
    return true;
}

/* FORMAT[/SHAPE[/LEVELS[/SAMPLES]]], in out->format. */
static int parse_format(const char *spec, argument *out)
{
    char *shape = split_slash(out->format);
    char *levels = split_slash(shape);
    char *samples = split_slash(levels);

    out->shape = shape && *shape ? shape : NULL;
    if (!parse_count(levels, &out->levels) || !parse_count(samples, &out->samples))
        return refuse(spec, "an image has 1 to 32 levels, 1 to 16 samples");
    return EXIT_GOOD;
}

/* image:FORMAT[/SHAPE[/LEVELS[/SAMPLES]]]:W[xH[xD]]:@FILE[:out=FILE] */
static int parse_image(const char *spec, const char *rest, argument *out)
{
    char *copy = split_out(rest, out);
    char *sizes = copy ? strchr(copy, ':') : NULL;
    char *file = sizes ? strchr(sizes + 1, ':') : NULL;
    int status;

    out->kind = ARGUMENT_IMAGE;
    out->type = VALUE_U8;
    out->size[1] = 1;
    out->size[2] = 1;
    if (!file || file[1] != '@' || (out->out && !*out->out)) {
        free(copy);
        return refuse(spec, "expected image:FORMAT:WxH[xD]:@FILE[:out=FILE]");
    }
    *sizes++ = '\0';
    *file++ = '\0';
    out->format = strdup(copy);
    if (!out->format)
        status = no_memory(spec);
    else if (tool_sizes(sizes, 'x', 3, out->size) < 1 || !out->size[0] || !out->size[1] ||
             !out->size[2])
        status = refuse(spec, "the size is W, WxH or WxHxD, each at least 1");
    else
        status = parse_format(spec, out);
    if (status == EXIT_GOOD)
        status = read_contents(spec, file + 1, out);
    free(copy);
    return status;
}

/* ---- samplers --------------------------------------------------------------------------- */

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* The number of a word of a list that NULL ends; false: none. */
static bool find_word(const char *const *words, const char *text, size_t length, int *number)
{
    for (*number = 0; words[*number]; ++*number)
        if (is_word(text, length, words[*number]))
            return true;
    return false;
}

/* R:G:B:A */
static bool parse_border(const char *text, size_t length, visage_sampler_options *out)
{
    for (int i = 0; i < 4; i++) {
        size_t part = 0;
        while (part < length && text[part] != ':')
            part++;
        if (!value_parse(VALUE_F32, text, part, &out->border[i]))
            return false;
        bool more = part < length;
        text += part + more;
        length -= part + more;
        if (more != (i < 3))
            return false;
    }
    return true;
}

static bool parse_sampler_word(const char *text, size_t length, visage_sampler_options *out)
{
    static const char *const filters[] = {"nearest", "linear", NULL};
    static const char *const mips[] = {"mip-none", "mip-nearest", "mip-linear", NULL};
    static const char *const addresses[] = {"border", "edge",        "repeat",
                                            "mirror", "mirror-once", NULL};
    static const char *const comparisons[] = {"never",         "less",    "equal",
                                              "less-equal",    "greater", "not-equal",
                                              "greater-equal", "always",  NULL};
    static const char border[] = "border=";
    int number;

    if (find_word(filters, text, length, &number))
        out->filter = (visage_filter)number;
    else if (find_word(mips, text, length, &number))
        out->mip_filter = (visage_mip_filter)number;
    else if (find_word(comparisons, text, length, &number))
        out->compare = (visage_compare)number;
    else if (find_word(addresses, text, length, &number))
        out->address[0] = out->address[1] = out->address[2] = (visage_address)number;
    else if (is_word(text, length, "normalized"))
        out->normalized = true;
    else
        return length >= sizeof border && memcmp(text, border, sizeof border - 1) == 0 &&
               parse_border(text + sizeof border - 1, length - (sizeof border - 1), out);
    return true;
}

/* sampler:WORD[,WORD...] */
static int parse_sampler(const char *spec, const char *rest, argument *out)
{
    out->kind = ARGUMENT_SAMPLER;
    out->sampler = (visage_sampler_options)VISAGE_OPTIONS_INIT(visage_sampler_options);
    while (*rest) {
        size_t length = strcspn(rest, ",");
        if (!parse_sampler_word(rest, length, &out->sampler))
            return refuse(spec, "a word is no filter, addressing, comparison, mip-nearest, "
                                "mip-linear, normalized or border=R:G:B:A");
        rest += length + (rest[length] == ',');
    }
    return EXIT_GOOD;
}

int argument_parse(const char *spec, argument *out)
{
    size_t length = strcspn(spec, ":");
    const char *rest = spec[length] ? spec + length + 1 : spec + length;
    uint64_t bytes;

    *out = (argument){.kind = ARGUMENT_NULL};
    if (strcmp(spec, "null") == 0)
        return EXIT_GOOD;
    if (strncmp(spec, "local:", 6) == 0) {
        out->kind = ARGUMENT_LOCAL;
        if (!tool_u64(rest, &bytes) || bytes == 0 || bytes > SIZE_MAX)
            return refuse(spec, "local: needs a positive number of bytes");
        out->size_bytes = (size_t)bytes;
        return EXIT_GOOD;
    }
    if (strncmp(spec, "buf:", 4) == 0)
        return parse_buffer(spec, rest, out);
    if (strncmp(spec, "image:", 6) == 0)
        return parse_image(spec, rest, out);
    if (strncmp(spec, "sampler:", 8) == 0)
        return parse_sampler(spec, rest, out);
    out->type = value_find(spec, length);
    if (out->type == VALUE_COUNT || spec[length] != ':')
        return refuse(spec, "expected TYPE:VALUE, buf:, local:, image:, sampler: or null");
    return parse_value(spec, rest, out);
}

void argument_free(argument *arg)
{
    visage_buffer_destroy(&arg->buffer);
    free(arg->data);
    free(arg->format);
    *arg = (argument){.kind = ARGUMENT_NULL};
}

static visage_status make_buffer(argument *arg, const argument_target *target)
{
    visage_status status = visage_buffer_create(target->device, arg->size_bytes, &arg->buffer);

    if (status == VISAGE_OK)
        memcpy(visage_buffer_data(arg->buffer), arg->data, arg->size_bytes);
    return status;
}

static visage_status make_image(const argument *arg, const argument_target *target,
                                const char *shape, visage_image **out)
{
    visage_image_options options = VISAGE_OPTIONS_INIT(visage_image_options);

    options.format = arg->format;
    options.shape = arg->shape ? arg->shape : shape;
    options.width = arg->size[0];
    options.height = arg->size[1];
    options.depth = arg->size[2];
    options.levels = arg->levels;
    options.samples = arg->samples;
    if (options.shape && strcmp(options.shape, "1d-array") == 0 && options.depth == 1) {
        options.depth = options.height; /* WxLAYERS */
        options.height = 1;
    }
    return visage_image_create(arg->buffer, &options, target->diagnostics, out);
}

static visage_status set_image(const argument *arg, const argument_target *target,
                               const char *shape)
{
    visage_image *image;
    visage_status status = make_image(arg, target, shape, &image);

    if (status == VISAGE_OK)
        status =
            visage_launch_set_image(target->launch, target->index, image, target->diagnostics);
    visage_image_destroy(&image);
    return status;
}

static visage_status set_sampler(const argument *arg, const argument_target *target)
{
    visage_sampler *sampler;
    visage_status status = visage_sampler_create(target->context, &arg->sampler, &sampler);

    if (status == VISAGE_OK)
        status = visage_launch_set_sampler(target->launch, target->index, sampler,
                                           target->diagnostics);
    visage_sampler_destroy(&sampler);
    return status;
}

visage_status argument_set(argument *arg, const argument_target *target,
                           const visage_argument_info *info)
{
    visage_launch *launch = target->launch;
    visage_diagnostics *diagnostics = target->diagnostics;
    size_t index = target->index;

    if (arg->kind == ARGUMENT_VALUE && arg->count == 3 &&
        info->size_bytes == 4 * value_bytes(arg->type))
        arg->size_bytes = info->size_bytes;
    if (arg->kind == ARGUMENT_VALUE)
        return visage_launch_set_value(launch, index, arg->data, arg->size_bytes, diagnostics);
    if (arg->kind == ARGUMENT_LOCAL)
        return visage_launch_set_local(launch, index, arg->size_bytes, diagnostics);
    if (arg->kind == ARGUMENT_NULL)
        return visage_launch_set_buffer(launch, index, NULL, 0, diagnostics);
    if (arg->kind == ARGUMENT_SAMPLER)
        return set_sampler(arg, target);
    visage_status status = make_buffer(arg, target);
    if (status == VISAGE_OK && arg->is_unwritten)
        status = visage_buffer_set_written(arg->buffer, 0, arg->size_bytes, false);
    if (status != VISAGE_OK)
        return status;
    if (arg->kind == ARGUMENT_IMAGE)
        return set_image(arg, target, info->shape);
    return visage_launch_set_buffer(launch, index, arg->buffer, 0, diagnostics);
}

/* To the handle target->index. */
static visage_status bind(argument *arg, const argument_target *target)
{
    uint32_t handle = (uint32_t)target->index;
    visage_image *image = NULL;
    visage_sampler *sampler = NULL;
    visage_status status = arg->kind == ARGUMENT_SAMPLER
                               ? visage_sampler_create(target->context, &arg->sampler, &sampler)
                               : make_buffer(arg, target);

    if (status == VISAGE_OK && arg->kind == ARGUMENT_IMAGE)
        status = make_image(arg, target, NULL, &image);
    if (status == VISAGE_OK && image)
        status = visage_launch_bind_image(target->launch, handle, image, target->diagnostics);
    else if (status == VISAGE_OK && sampler)
        status =
            visage_launch_bind_sampler(target->launch, handle, sampler, target->diagnostics);
    else if (status == VISAGE_OK)
        status = visage_launch_bind_buffer(target->launch, handle, arg->buffer, 0,
                                           target->diagnostics);
    visage_sampler_destroy(&sampler);
    visage_image_destroy(&image);
    return status;
}

visage_status argument_attach(argument *arg, const argument_target *target, const char *name)
{
    static const char bindless[] = "bindless:";
    argument_target handle = *target;
    uint64_t number;

    if (strncmp(name, bindless, sizeof bindless - 1) == 0 &&
        tool_u64(name + sizeof bindless - 1, &number) && number <= UINT32_MAX) {
        handle.index = (size_t)number;
        return bind(arg, &handle);
    }
    if (arg->kind == ARGUMENT_SAMPLER) {
        tool_error("--attach %s: a sampler goes to bindless:HANDLE only", name);
        return VISAGE_IO; /* said already */
    }
    visage_status status = make_buffer(arg, target);
    return status == VISAGE_OK
               ? visage_launch_attach(target->launch, name, arg->buffer, arg->format, arg->size,
                                      target->diagnostics)
               : status;
}

bool argument_write(const argument *arg)
{
    if (!arg->out)
        return true;
    const void *data = visage_buffer_data(arg->buffer);
    if (strcmp(arg->out, "-") == 0) {
        value_print(arg->type, arg->size_bytes / value_bytes(arg->type), data, stdout);
        return true;
    }
    FILE *file = fopen(arg->out, "wb");
    bool good = file && fwrite(data, 1, arg->size_bytes, file) == arg->size_bytes;
    if (file && fclose(file) != 0)
        good = false;
    if (!good)
        tool_error("cannot write %s: %s", arg->out, strerror(errno));
    return good;
}
