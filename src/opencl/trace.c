/* SPDX-License-Identifier: MIT */
#include "opencl/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opencl/device.h"
#include "opencl/spawn.h"

/* Of the process, as the platform is. Events are written as they end, one a line, each over the
 * closing bracket behind the one before: a process that is killed leaves a good file. The
 * format does without that bracket, which is left out where nothing can be written over. There
 * is no stream, which a child of a fork would write out once more when it ends. */
atomic_bool vsg_ocl_is_traced;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int file = -1;
static bool is_plain;
static off_t place; /* of the next event, in a plain file */
static long process;

static const char end[] = "\n]\n";

/* What is written at once. Text that does not fit is left out. */
typedef struct line {
    char text[8192];
    size_t size;
} line;

__attribute__((format(printf, 2, 3))) static void add(line *out, const char *format, ...)
{
    size_t room = sizeof out->text - sizeof end - out->size;
    va_list arguments;

    va_start(arguments, format);
    int size = vsnprintf(out->text + out->size, room, format, arguments);
    va_end(arguments);
    if (size > 0 && (size_t)size < room)
        out->size += (size_t)size;
}

static void write_line(line *out)
{
    ssize_t done;

    if (!is_plain) {
        done = write(file, out->text, out->size);
        (void)done;
        return;
    }
    memcpy(out->text + out->size, end, sizeof end - 1);
    done = pwrite(file, out->text, out->size + sizeof end - 1, place);
    if (done > 0)
        place += (off_t)out->size;
}

/* A file that another process is writing a trace to is left to it. */
static bool open_file(const char *name)
{
    struct stat facts;

    file = vsg_ocl_above_standard(open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    if (file < 0) {
        (void)fprintf(stderr, "visage: VISAGE_TRACE: cannot write %s\n", name);
        return true;
    }
    is_plain = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
    bool is_ours = !is_plain || flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (is_ours && (!is_plain || ftruncate(file, 0) == 0))
        return true;
    (void)close(file);
    file = -1;
    return is_ours;
}

/* The file itself, or if it is another process's one with this one's number behind its name. */
static void open_trace(const char *name, bool is_ours)
{
    line first;
    char own[4096];

    process = (long)getpid();
    is_ours = is_ours && open_file(name);
    if (!is_ours && snprintf(own, sizeof own, "%s.%ld", name, process) < (int)sizeof own)
        (void)open_file(own);
    if (file < 0)
        return;
    place = 0;
    first.size = 0;
    add(&first,
        "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%ld,\"tid\":0,"
        "\"args\":{\"name\":\"visage OpenCL\"}}",
        process);
    write_line(&first);
    atomic_store(&vsg_ocl_is_traced, true);
}

void vsg_ocl_trace_open(void)
{
    const char *name = getenv("VISAGE_TRACE");

    if (name && *name)
        open_trace(name, true);
}

void vsg_ocl_trace_forked(void)
{
    const char *name = getenv("VISAGE_TRACE");

    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    if (file < 0 || !name)
        return;
    (void)close(file);
    file = -1;
    atomic_store(&vsg_ocl_is_traced, false);
    open_trace(name, false);
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

static void add_escaped(line *out, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            add(out, "\\%c", c);
        else if (c < 0x20)
            add(out, "\\u%04x", c);
        else
            add(out, "%c", c);
    }
}

void vsg_ocl_trace_end_with(const vsg_ocl_span *span, const char *key, const char *detail)
{
    line event;

    if (span->begin == 0)
        return;
    uint64_t now = vsg_ocl_now();
    event.size = 0;
    add(&event,
        ",\n{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"ts\":%" PRIu64
        ".%03u,\"dur\":%" PRIu64 ".%03u,\"pid\":%ld,\"tid\":%u",
        span->name, span->category, span->begin / 1000, (unsigned)(span->begin % 1000),
        (now - span->begin) / 1000, (unsigned)((now - span->begin) % 1000), process,
        thread_number());
    if (detail) {
        add(&event, ",\"args\":{\"%s\":\"", key);
        add_escaped(&event, detail);
        add(&event, "\"}");
    }
    add(&event, "}");
    (void)pthread_mutex_lock(&lock);
    if (file >= 0)
        write_line(&event);
    (void)pthread_mutex_unlock(&lock);
}

void vsg_ocl_trace_end_slow(const vsg_ocl_span *span)
{
    vsg_ocl_trace_end_with(span, NULL, NULL);
}
