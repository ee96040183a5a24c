/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void tool_error(const char *format, ...)
{
    va_list args;

    fputs("visage: error: ", stderr);
    va_start(args, format);
    (void)vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

int tool_exit(visage_status status)
{
    switch (status) {
    case VISAGE_OK:
        return EXIT_GOOD;
    case VISAGE_FAULT:
    case VISAGE_CANCELLED:
        return EXIT_FAULT;
    case VISAGE_NO_MEMORY:
    case VISAGE_ARGUMENT:
        return EXIT_RESOURCE;
    default:
        return EXIT_WANTING;
    }
}

void tool_report(const visage_diagnostics *diagnostics, visage_status status)
{
    bool colour = isatty(STDERR_FILENO) && !getenv("NO_COLOR");
    bool explained = false;

    for (size_t i = 0; i < visage_diagnostics_count(diagnostics); i++) {
        const visage_diagnostic *diagnostic = visage_diagnostics_get(diagnostics, i);
        size_t length = visage_diagnostic_render(diagnostic, colour, NULL, 0);
        char *text = malloc(length + 1);
        if (!text)
            break;
        (void)visage_diagnostic_render(diagnostic, colour, text, length + 1);
        fprintf(stderr, "%s\n", text);
        free(text);
        explained |= diagnostic->severity == VISAGE_SEVERITY_ERROR;
    }
    if (status != VISAGE_OK && !explained)
        tool_error("%s", visage_status_name(status));
}

bool tool_cpu(const char *text, visage_cpu *out)
{
    if (visage_cpu_find(text, out))
        return true;
    tool_error("--cpu %s: unknown; sse4.2 avx2 avx512 native", text);
    return false;
}

bool tool_cpu_runs(visage_cpu cpu)
{
    const char *wanted = getenv("VISAGE_CPU");

    if (cpu == VISAGE_CPU_DEFAULT && wanted && wanted[0] && !visage_cpu_find(wanted, &cpu)) {
        tool_error("VISAGE_CPU=%s: unknown; sse4.2 avx2 avx512 native", wanted);
        return false;
    }
    if (visage_cpu_runs(cpu))
        return true;
    tool_error("this processor does not execute code for the level that --cpu or VISAGE_CPU "
               "names");
    return false;
}

bool tool_u64(const char *text, uint64_t *out)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    if (errno || *end)
        return false;
    *out = value;
    return true;
}

int tool_sizes(const char *text, char separator, int most, uint32_t *out)
{
    int count = 0;

    while (count < most) {
        char digits[24];
        size_t length = strspn(text, "0123456789");
        uint64_t value;
        if (length == 0 || length >= sizeof digits)
            return 0;
        memcpy(digits, text, length);
        digits[length] = '\0';
        errno = 0;
        value = strtoull(digits, NULL, 10);
        if (errno || value > UINT32_MAX)
            return 0;
        out[count++] = (uint32_t)value;
        text += length;
        if (*text == '\0')
            return count;
        if (*text++ != separator)
            return 0;
    }
    return 0;
}

static void *read_stream(FILE *stream, size_t *size)
{
    const size_t most = (size_t)1 << 31; /* endless streams must end */
    size_t capacity = 65536;
    size_t used = 0;
    char *data = malloc(capacity);

    while (data) {
        used += fread(data + used, 1, capacity - used - 1, stream);
        if (used + 1 < capacity)
            break;
        char *grown = capacity >= most ? NULL : realloc(data, capacity * 2);
        if (!grown) {
            free(data);
            errno = capacity >= most ? EFBIG : ENOMEM;
            return NULL;
        }
        data = grown;
        capacity *= 2;
    }
    if (!data || ferror(stream)) {
        free(data);
        return NULL;
    }
    data[used] = '\0';
    *size = used;
    return data;
}

void *tool_read(const char *path, size_t *size)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *stream = standard ? stdin : fopen(path, "rb");
    void *data = stream ? read_stream(stream, size) : NULL;
    int reason = errno;

    if (stream && !standard)
        (void)fclose(stream);
    if (!data)
        tool_error("cannot read %s: %s", path, strerror(reason));
    return data;
}

bool tool_start(visage_context **context, visage_diagnostics **diagnostics)
{
    *context = NULL;
    *diagnostics = NULL;
    if (visage_context_create(NULL, context) == VISAGE_OK &&
        visage_diagnostics_create(*context, diagnostics) == VISAGE_OK)
        return true;
    tool_error("out of memory");
    tool_finish(context, diagnostics);
    return false;
}

void tool_finish(visage_context **context, visage_diagnostics **diagnostics)
{
    visage_diagnostics_destroy(diagnostics);
    visage_context_destroy(context);
}

visage_status tool_read_module(visage_context *context, const char *path,
                               const visage_module_options *options,
                               visage_diagnostics *diagnostics, visage_module **out)
{
    if (strcmp(path, "-") != 0)
        return visage_module_read_file(context, path, options, diagnostics, out);
    size_t size;
    void *data = tool_read(path, &size);
    if (!data)
        return VISAGE_IO;
    visage_status status =
        visage_module_read_memory(context, "<stdin>", data, size, options, diagnostics, out);
    free(data);
    return status;
}

bool tool_write(void *user, const void *data, size_t size_bytes)
{
    tool_output *output = user;

    if (!output->stream)
        output->stream = output->path ? fopen(output->path, "wb") : stdout;
    if (output->stream && fwrite(data, 1, size_bytes, output->stream) == size_bytes)
        return true;
    output->error = errno;
    return false;
}

/* A part would pass for the whole. Devices and the like stay. */
static void remove_part(const char *path)
{
    struct stat facts;

    if (lstat(path, &facts) == 0 && S_ISREG(facts.st_mode))
        (void)remove(path);
}

bool tool_output_finish(tool_output *output)
{
    bool is_begun = output->stream && output->path;

    if (output->stream && fflush(output->stream) != 0 && !output->error)
        output->error = errno;
    if (output->stream && output->path && fclose(output->stream) != 0 && !output->error)
        output->error = errno;
    output->stream = NULL;
    if (output->error)
        tool_error("cannot write to %s: %s", output->path ? output->path : "stdout",
                   strerror(output->error));
    if (output->error && is_begun)
        remove_part(output->path);
    return output->error == 0;
}

bool tool_flush(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    tool_error("cannot write to stdout: %s", strerror(errno));
    return false;
}
