/* SPDX-License-Identifier: MIT
 *
 * Runs the kernels that the vector backend of Intel's compiler made of tests/data/vector/src,
 * and compares every byte of every buffer with what their descriptors say.
 *
 * usage: run_vector DIRECTORY DEVICE [KERNEL]
 *   reads DIRECTORY/src/<kernel>.json, and of every kernel that lists DEVICE
 *   DIRECTORY/DEVICE/<kernel>.visaasm, its functions <kernel>.fn.<name>.visaasm, and the
 *   .ze_info beside it or, for a device that has none, of one with the same payload.
 * VISAGE_TEST_MODE in the environment says how they run: plain, jit or check, which finds
 * nothing. Prints TAP and, last, "N passed, N failed". Exit status 1: one failed, or none ran.
 */
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../level.h"
#include "descriptor.h"
#include "visage/visage.h"

enum { MOST_PATH = 1024, MOST_SHOWN = 5, TIMEOUT_MS = 60000 };

/* No zebins were kept for three devices. The .input offsets in their texts are those of the
 * same kernel on these devices, all of them (README.md there), the first that has it. */
static const struct {
    const char *device, *info_from[3];
} devices[] = {
    {"skl", {"skl"}},          {"icllp", {"skl", "dg2"}},
    {"tgllp", {"skl", "dg2"}}, {"xe_hp_sdv", {"dg2", "skl"}},
    {"dg2", {"dg2"}},          {"pvc", {"pvc"}},
};

enum { NUM_DEVICES = sizeof devices / sizeof devices[0] };

typedef struct runner {
    const char *directory;
    size_t device_index;
    visage_context *context;
    visage_device *device;
    int passed, failed;
} runner;

/* What one case makes; destroy() takes all of it down. */
typedef struct run {
    visage_diagnostics *diagnostics;
    visage_module *module;
    visage_program *program;
    visage_launch *launch;
    visage_buffer *buffers[MOST_ARGUMENTS];
} run;

typedef struct text {
    char *data;
    size_t size;
} text;

/* ---- files ------------------------------------------------------------------------------- */

static bool path_of(char *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int length = vsnprintf(out, MOST_PATH, format, args);
    va_end(args);
    return length > 0 && length < MOST_PATH;
}

/* Adds the contents of a file, and a line end for the next one. False: it cannot be read. */
static bool append_file(const char *path, text *to)
{
    FILE *file = fopen(path, "rb");
    bool good = false;
    long size = -1;

    if (!file)
        return false;
    if (fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size >= 0 && fseek(file, 0, SEEK_SET) == 0) {
        char *grown = realloc(to->data, to->size + (size_t)size + 1);
        if (grown) {
            to->data = grown;
            good = fread(grown + to->size, 1, (size_t)size, file) == (size_t)size;
            to->size += (size_t)size;
            to->data[to->size++] = '\n';
        }
    }
    fclose(file);
    return good;
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name);

    return length > strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

/* A file may hold several units, so the functions of a kernel simply follow it. */
static bool read_texts(const runner *r, const char *kernel, text *out)
{
    const char *device = devices[r->device_index].device;
    char path[MOST_PATH], start[128];
    struct dirent **names = NULL;

    if (!path_of(path, "%s/%s/%s.visaasm", r->directory, device, kernel) ||
        !append_file(path, out))
        return false;
    bool good = path_of(path, "%s/%s", r->directory, device);
    int count = good ? scandir(path, &names, NULL, alphasort) : -1;
    (void)snprintf(start, sizeof start, "%s.fn.", kernel);
    for (int i = 0; i < count; i++) {
        const char *name = names[i]->d_name;
        if (strncmp(name, start, strlen(start)) == 0 && ends_with(name, ".visaasm"))
            good = good && path_of(path, "%s/%s/%s", r->directory, device, name) &&
                   append_file(path, out);
        free(names[i]);
    }
    free(names);
    return good && count >= 0;
}

static bool read_info(const runner *r, const char *kernel, text *out)
{
    char path[MOST_PATH];

    for (size_t i = 0; i < 3 && devices[r->device_index].info_from[i]; i++)
        if (path_of(path, "%s/%s/%s.ze_info", r->directory,
                    devices[r->device_index].info_from[i], kernel) &&
            append_file(path, out))
            return true;
    return false;
}

/* ---- running ----------------------------------------------------------------------------- */

static visage_status read_module(const runner *r, const char *kernel, run *out)
{
    visage_module_options options = VISAGE_OPTIONS_INIT(visage_module_options);
    text asm_text = {0}, info = {0};
    visage_status status = VISAGE_IO;

    if (read_texts(r, kernel, &asm_text) && read_info(r, kernel, &info)) {
        options.platform = visage_platform_find(devices[r->device_index].device);
        options.info = info.data;
        options.info_size = info.size;
        status = visage_module_read_memory(r->context, kernel, asm_text.data, asm_text.size,
                                           &options, out->diagnostics, &out->module);
    }
    free(asm_text.data);
    free(info.data);
    return status;
}

static visage_status set_argument(const runner *r, size_t index, const argument *arg, run *out)
{
    visage_image_options options = VISAGE_OPTIONS_INIT(visage_image_options);
    visage_image *image;
    visage_buffer **buffer = &out->buffers[index];

    if (arg->is_value)
        return visage_launch_set_value(out->launch, index, arg->first, arg->size_bytes,
                                       out->diagnostics);
    visage_status status = visage_buffer_create(r->device, arg->size_bytes, buffer);
    if (status != VISAGE_OK)
        return status;
    memcpy(visage_buffer_data(*buffer), arg->first, arg->size_bytes);
    if (!arg->is_image)
        return visage_launch_set_buffer(out->launch, index, *buffer, 0, out->diagnostics);
    options.format = arg->format;
    options.width = arg->width;
    options.height = arg->height;
    status = visage_image_create(*buffer, &options, out->diagnostics, &image);
    if (status == VISAGE_OK)
        status = visage_launch_set_image(out->launch, index, image, out->diagnostics);
    visage_image_destroy(&image);
    return status;
}

static visage_status launch(const descriptor *d, run *out)
{
    visage_range range = VISAGE_OPTIONS_INIT(visage_range);
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);

    memcpy(range.groups, d->groups, sizeof range.groups);
    memcpy(range.threads, d->threads, sizeof range.threads);
    memcpy(range.space, d->space, sizeof range.space);
    options.timeout_ms = TIMEOUT_MS;
    const char *mode = getenv("VISAGE_TEST_MODE");
    options.check = mode && strcmp(mode, "check") == 0;
    options.engine =
        mode && strcmp(mode, "jit") == 0 ? VISAGE_ENGINE_JIT : VISAGE_ENGINE_INTERPRETER;
    return visage_launch_run(out->launch, &range, &options, out->diagnostics, NULL);
}

static visage_status execute(const runner *r, const descriptor *d, run *out)
{
    visage_status status = visage_diagnostics_create(r->context, &out->diagnostics);

    if (status == VISAGE_OK)
        status = read_module(r, d->kernel, out);
    if (status == VISAGE_OK)
        status = visage_program_create(r->device, out->module, out->diagnostics, &out->program);
    if (status == VISAGE_OK)
        status = visage_launch_create(out->program, d->kernel, out->diagnostics, &out->launch);
    for (size_t i = 0; i < d->num_arguments && status == VISAGE_OK; i++)
        status = set_argument(r, i, &d->arguments[i], out);
    return status == VISAGE_OK ? launch(d, out) : status;
}

static void destroy(run *out)
{
    visage_launch_destroy(&out->launch);
    for (size_t i = 0; i < MOST_ARGUMENTS; i++)
        visage_buffer_destroy(&out->buffers[i]);
    visage_program_destroy(&out->program);
    visage_module_destroy(&out->module);
    visage_diagnostics_destroy(&out->diagnostics);
}

/* ---- comparing --------------------------------------------------------------------------- */

static void show_diagnostics(const visage_diagnostics *diagnostics)
{
    char line[1024];

    for (size_t i = 0; diagnostics && i < visage_diagnostics_count(diagnostics); i++) {
        (void)visage_diagnostic_render(visage_diagnostics_get(diagnostics, i), false, line,
                                       sizeof line);
        printf("  %s\n", line);
    }
}

/* Differences are shown as dwords, or as bytes where the buffer ends within one. */
static bool same_bytes(size_t index, const argument *arg, const unsigned char *got)
{
    int wrong = 0;

    for (size_t at = 0; at < arg->size_bytes; at += 4) {
        size_t bytes = arg->size_bytes - at < 4 ? arg->size_bytes - at : 4;
        uint32_t want_word = 0, got_word = 0;
        memcpy(&want_word, arg->want + at, bytes);
        memcpy(&got_word, got + at, bytes);
        if (want_word != got_word && wrong++ < MOST_SHOWN)
            printf("  argument %zu, byte %zu: expected 0x%08x, got 0x%08x\n", index, at,
                   (unsigned)want_word, (unsigned)got_word);
    }
    if (wrong > MOST_SHOWN)
        printf("  argument %zu: %d dwords are wrong\n", index, wrong);
    return wrong == 0;
}

static bool run_case(const runner *r, const descriptor *d)
{
    run made = {0};
    visage_status status = execute(r, d, &made);
    bool good = status == VISAGE_OK;

    show_diagnostics(made.diagnostics);
    if (!good)
        printf("  %s\n", visage_status_name(status));
    for (size_t i = 0; i < d->num_arguments && status == VISAGE_OK; i++)
        if (made.buffers[i] &&
            !same_bytes(i, &d->arguments[i], visage_buffer_data(made.buffers[i])))
            good = false;
    destroy(&made);
    return good;
}

/* ---- all together ------------------------------------------------------------------------ */

static void run_descriptor(runner *r, const char *name, const char *only)
{
    const char *device = devices[r->device_index].device;
    int length = (int)(strlen(name) - strlen(".json"));
    char path[MOST_PATH];
    descriptor d;

    if (only && (strlen(only) != (size_t)length || strncmp(name, only, (size_t)length) != 0))
        return;
    if (!path_of(path, "%s/src/%s", r->directory, name))
        return;
    descriptor_result result = descriptor_read(path, device, &d);
    if (result != DESCRIPTOR_OTHER_DEVICE) {
        bool good = result == DESCRIPTOR_READ && run_case(r, &d);
        r->passed += good;
        r->failed += !good;
        printf("%sok %d - %.*s on %s\n", good ? "" : "not ", r->passed + r->failed, length,
               name, device);
    }
    descriptor_free(&d);
}

static bool run_all(runner *r, const char *only)
{
    char path[MOST_PATH];
    struct dirent **names = NULL;
    int count =
        path_of(path, "%s/src", r->directory) ? scandir(path, &names, NULL, alphasort) : -1;

    for (int i = 0; i < count; i++) {
        if (ends_with(names[i]->d_name, ".json"))
            run_descriptor(r, names[i]->d_name, only);
        free(names[i]);
    }
    free(names);
    printf("1..%d\n%d passed, %d failed\n", r->passed + r->failed, r->passed, r->failed);
    return r->passed > 0 && r->failed == 0;
}

int main(int argc, char **argv)
{
    visage_device_options options = VISAGE_OPTIONS_INIT(visage_device_options);
    runner r = {0};
    bool good = false;

    while (argc >= 3 && r.device_index < NUM_DEVICES &&
           strcmp(argv[2], devices[r.device_index].device) != 0)
        r.device_index++;
    if (argc < 3 || argc > 4 || r.device_index == NUM_DEVICES) {
        fprintf(stderr, "usage: run_vector DIRECTORY DEVICE [KERNEL]\n");
        return 2;
    }
    if (lacks_level())
        return 77;
    r.directory = argv[1];
    options.platform = visage_platform_find(argv[2]);
    if (visage_context_create(NULL, &r.context) == VISAGE_OK &&
        visage_device_create(r.context, &options, &r.device) == VISAGE_OK)
        good = run_all(&r, argc > 3 ? argv[3] : NULL);
    visage_device_destroy(&r.device);
    visage_context_destroy(&r.context);
    return good ? 0 : 1;
}
