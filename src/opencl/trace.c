/* SPDX-License-Identifier: MIT */
#include "opencl/trace.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opencl/device.h"

/* Of the process, as the platform is. Events are written as they end, one a line, each over the
 * closing bracket behind the one before: a process that is killed leaves a good file. The
 * format does without that bracket, which is left out where nothing can be written over. */
atomic_bool vsg_ocl_is_traced;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;
static bool has_end;
static long process;

static const char end[] = "\n]\n";

static void begin_event(void)
{
    if (has_end)
        (void)fseek(file, 1 - (long)sizeof end, SEEK_CUR);
}

static void end_event(void)
{
    if (has_end)
        (void)fputs(end, file);
    (void)fflush(file);
}

static bool is_plain_file(void)
{
    struct stat facts;

    return fstat(fileno(file), &facts) == 0 && S_ISREG(facts.st_mode);
}

static void open_file(const char *name)
{
    file = fopen(name, "we");
    if (!file) {
        (void)fprintf(stderr, "visage: VISAGE_TRACE: cannot write %s\n", name);
        return;
    }
    process = (long)getpid();
    has_end = is_plain_file();
    (void)fprintf(file,
                  "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%ld,\"tid\":0,"
                  "\"args\":{\"name\":\"visage OpenCL\"}}",
                  process);
    end_event();
    atomic_store(&vsg_ocl_is_traced, true);
}

void vsg_ocl_trace_open(void)
{
    const char *name = getenv("VISAGE_TRACE");

    if (name && *name)
        open_file(name);
}

void vsg_ocl_trace_forked(void)
{
    const char *name = getenv("VISAGE_TRACE");
    char own[4096];

    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    if (!file || !name)
        return;
    /* What the parent has not written yet is the parent's: the stream is left alone. */
    file = NULL;
    atomic_store(&vsg_ocl_is_traced, false);
    if (snprintf(own, sizeof own, "%s.%ld", name, (long)getpid()) < (int)sizeof own)
        open_file(own);
}

uint64_t vsg_ocl_trace_begin_slow(void)
{
    return vsg_ocl_now();
}

/* Small numbers, in the order in which threads are first traced. */
static unsigned thread_number(void)
{
    static atomic_uint next = 1;
    static _Thread_local unsigned mine;

    if (mine == 0)
        mine = atomic_fetch_add(&next, 1);
    return mine;
}

static void write_escaped(const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            (void)fprintf(file, "\\%c", c);
        else if (c < 0x20)
            (void)fprintf(file, "\\u%04x", c);
        else
            (void)fputc(c, file);
    }
}

void vsg_ocl_trace_end_with(const vsg_ocl_span *span, const char *key, const char *detail)
{
    if (span->begin == 0)
        return;
    uint64_t now = vsg_ocl_now();
    unsigned thread = thread_number();
    (void)pthread_mutex_lock(&lock);
    if (file) {
        begin_event();
        (void)fprintf(file,
                      ",\n{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"ts\":%" PRIu64
                      ".%03u,\"dur\":%" PRIu64 ".%03u,\"pid\":%ld,\"tid\":%u",
                      span->name, span->category, span->begin / 1000,
                      (unsigned)(span->begin % 1000), (now - span->begin) / 1000,
                      (unsigned)((now - span->begin) % 1000), process, thread);
        if (detail) {
            (void)fprintf(file, ",\"args\":{\"%s\":\"", key);
            write_escaped(detail);
            (void)fputs("\"}", file);
        }
        (void)fputc('}', file);
        end_event();
    }
    (void)pthread_mutex_unlock(&lock);
}

void vsg_ocl_trace_end_slow(const vsg_ocl_span *span)
{
    vsg_ocl_trace_end_with(span, NULL, NULL);
}
