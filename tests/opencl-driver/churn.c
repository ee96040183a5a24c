/* SPDX-License-Identifier: MIT
 *
 *     churn programs COUNT         builds programs that the cache has, runs and releases them
 *     churn launches COUNT         launches a kernel
 *     churn exchanges COUNT        launches it from one buffer to another and back again
 *     churn objects COUNT          makes and releases objects of all other kinds
 *     churn client COUNT           all of that by turns, programs that the cache has not, and
 *                                  contexts
 *     churn kills COUNT            builds while the compiler is killed
 *     churn cost ZEBIN MOST        microseconds of the driver in a launch
 *     churn start MOST             milliseconds until a process has run a kernel, caches warm
 *
 * The first five fail where the process grows, or has more files, threads or mappings in the
 * end than after half of the work. All need the compiler, but for `cost`. */
#include "churn.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

static const char number_source[] =
    "kernel void number(global uint *out) { out[get_global_id(0)] = %uu; }";

/* ---- what all need ---------------------------------------------------------------------- */

void churn_fail(const char *what, ...)
{
    va_list args;

    va_start(args, what);
    (void)fputs("churn: ", stderr);
    (void)vfprintf(stderr, what, args);
    (void)fputc('\n', stderr);
    va_end(args);
    _exit(1);
}

void churn_must(const char *what, cl_int status)
{
    if (status != CL_SUCCESS)
        churn_fail("%s: error %d", what, status);
}

double churn_now(void)
{
    return seconds(CLOCK_MONOTONIC);
}

/* Without the compiler the process ends, as a test that is skipped. */
static void need_compiler(cl_device_id device)
{
    cl_bool is_there = CL_FALSE;

    churn_must("compiler", clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE,
                                           sizeof is_there, &is_there, NULL));
    if (is_there)
        return;
    (void)puts("Intel's OpenCL compiler is not installed (Debian: intel-opencl-icd)");
    exit(77);
}

static void CL_CALLBACK note_end(cl_context context, void *user)
{
    (void)context;
    atomic_store((atomic_bool *)user, true);
}

/* Threads of released queues take a moment to end. */
static void nap_shortly(void)
{
    const struct timespec time = {0, 20000000};

    (void)nanosleep(&time, NULL);
}

churn_client churn_open(void)
{
    churn_client client;
    cl_platform_id platform;
    cl_int status;

    churn_must("platform", clGetPlatformIDs(1, &platform, NULL));
    churn_must("device", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &client.device, NULL));
    client.context = clCreateContext(NULL, 1, &client.device, NULL, NULL, &status);
    churn_must("context", status);
    client.queue =
        clCreateCommandQueueWithProperties(client.context, client.device, NULL, &status);
    churn_must("queue", status);
    return client;
}

void churn_close(churn_client *client)
{
    static atomic_bool ended;

    atomic_store(&ended, false);
    churn_must("context", clSetContextDestructorCallback(client->context, note_end, &ended));
    churn_must("queue", clReleaseCommandQueue(client->queue));
    churn_must("context", clReleaseContext(client->context));
    for (int i = 0; i < 100 && !atomic_load(&ended); i++)
        nap_shortly();
    if (!atomic_load(&ended))
        churn_fail("something still holds the context");
}

cl_int churn_build(const churn_client *client, const char *source, cl_program *out)
{
    cl_int status;

    need_compiler(client->device);
    *out = clCreateProgramWithSource(client->context, 1, &source, NULL, &status);
    churn_must("program", status);
    return clBuildProgram(*out, 1, &client->device, NULL, NULL, NULL);
}

void churn_check(const churn_client *client, cl_kernel kernel, cl_uint wanted)
{
    const size_t count = 16;
    cl_uint found[16] = {0};
    cl_int status;
    cl_mem buffer =
        clCreateBuffer(client->context, CL_MEM_READ_WRITE, sizeof found, NULL, &status);

    churn_must("buffer", status);
    churn_must("argument", clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    churn_must("launch", clEnqueueNDRangeKernel(client->queue, kernel, 1, NULL, &count, &count,
                                                0, NULL, NULL));
    churn_must("read", clEnqueueReadBuffer(client->queue, buffer, CL_TRUE, 0, sizeof found,
                                           found, 0, NULL, NULL));
    for (size_t i = 0; i < count; i++)
        if (found[i] != wanted)
            churn_fail("the kernel wrote %u, not %u", found[i], wanted);
    churn_must("buffer", clReleaseMemObject(buffer));
}

/* ---- what a process holds --------------------------------------------------------------- */

typedef struct holdings {
    long kib; /* resident */
    long files, threads, mappings;
} holdings;

static long entries_of(const char *path)
{
    long count = 0;
    DIR *folder = opendir(path);

    if (!folder)
        churn_fail("%s cannot be read", path);
    while (readdir(folder))
        count++;
    (void)closedir(folder);
    return count;
}

static long lines_of(const char *path)
{
    long count = 0;
    FILE *file = fopen(path, "r");

    if (!file)
        churn_fail("%s cannot be read", path);
    for (int c = fgetc(file); c != EOF; c = fgetc(file))
        count += c == '\n';
    (void)fclose(file);
    return count;
}

static holdings take_stock(void)
{
    holdings now = {.files = entries_of("/proc/self/fd"),
                    .threads = entries_of("/proc/self/task"),
                    .mappings = lines_of("/proc/self/maps")};
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = 0;

    if (!file || fscanf(file, "%*d %ld", &pages) != 1)
        churn_fail("/proc/self/statm cannot be read");
    (void)fclose(file);
    now.kib = pages * (sysconf(_SC_PAGESIZE) / 1024);
    return now;
}

/* As many as before? */
static bool is_settled(const holdings *now, const holdings *before)
{
    /* An allocator moves by so much, and arenas of threads are mapped late. */
    enum { MOST_KIB = 4096, MOST_MAPPINGS = 16 };

    return now->kib <= before->kib + MOST_KIB && now->files <= before->files &&
           now->threads <= before->threads && now->mappings <= before->mappings + MOST_MAPPINGS;
}

static holdings settle(const holdings *before)
{
    holdings now = take_stock();

    for (int i = 0; i < 100 && !is_settled(&now, before); i++) {
        nap_shortly();
        now = take_stock();
    }
    return now;
}

/* Something to do often, and what to do in the end, or NULL. */
typedef struct churning {
    const char *name;
    void (*act)(const churn_client *client, unsigned long number);
    void (*end)(const churn_client *client, unsigned long count);
} churning;

/* A line every five minutes. */
static void tell(unsigned long done, double begin)
{
    enum { PERIOD = 300 };
    static double told;

    if (churn_now() - (told > 0 ? told : begin) < PERIOD)
        return;
    told = churn_now();
    const holdings now = take_stock();
    (void)printf("%.0f s, %lu done: resident %ld KiB, files %ld, threads %ld, mappings %ld\n",
                 told - begin, done, now.kib, now.files, now.threads, now.mappings);
    (void)fflush(stdout);
}

/* Judges what the process holds after half of the work and in the end. */
static void repeat(const churning *kind, unsigned long count)
{
    churn_client client = churn_open();
    holdings early = {0};
    double begin = churn_now();

    for (unsigned long i = 0; i < count; i++) {
        if (i == count / 2)
            early = take_stock();
        if (i % 1000 == 0)
            tell(i, begin);
        kind->act(&client, i);
    }
    churn_must("finish", clFinish(client.queue));
    double took = churn_now() - begin;
    holdings end = settle(&early);
    (void)printf("%lu %s in %.1f s, %.1f us each; resident %ld KiB after half, %ld KiB in "
                 "the end; files %ld, %ld; threads %ld, %ld; mappings %ld, %ld\n",
                 count, kind->name, took, took * 1e6 / (double)count, early.kib, end.kib,
                 early.files, end.files, early.threads, end.threads, early.mappings,
                 end.mappings);
    (void)fflush(stdout);
    if (kind->end)
        kind->end(&client, count);
    if (!is_settled(&end, &early))
        churn_fail("%s leave something behind", kind->name);
    churn_close(&client);
}

/* ---- programs, launches ----------------------------------------------------------------- */

/* Builds, runs and releases a program that writes `wanted`. */
static void program_of(const churn_client *client, cl_uint wanted)
{
    char source[128];
    cl_program built;
    cl_int status;

    (void)snprintf(source, sizeof source, number_source, wanted);
    churn_must("build", churn_build(client, source, &built));
    cl_kernel kernel = clCreateKernel(built, "number", &status);
    churn_must("kernel", status);
    churn_check(client, kernel, wanted);
    churn_must("kernel", clReleaseKernel(kernel));
    churn_must("program", clReleaseProgram(built));
}

enum { DISTINCT_PROGRAMS = 16 };

static void program(const churn_client *client, unsigned long number)
{
    program_of(client, (cl_uint)(number % DISTINCT_PROGRAMS));
}

/* What a launch needs is made with the first and kept. */
static struct {
    cl_kernel kernel;
    cl_mem sums[2];
} launching;

static cl_mem new_sums(const churn_client *client)
{
    static const cl_uint zeros[16];
    cl_int status;
    cl_mem out = clCreateBuffer(client->context, CL_MEM_COPY_HOST_PTR, sizeof zeros,
                                (void *)(uintptr_t)zeros, &status);

    churn_must("buffer", status);
    return out;
}

static void open_launching(const churn_client *client)
{
    static const char source[] =
        "kernel void add(global const uint *from, global uint *to, uint more)"
        "{ to[get_global_id(0)] = from[get_global_id(0)] + more; }";
    cl_program built;
    cl_int status;

    churn_must("build", churn_build(client, source, &built));
    launching.kernel = clCreateKernel(built, "add", &status);
    churn_must("kernel", status);
    launching.sums[0] = new_sums(client);
    launching.sums[1] = new_sums(client);
    churn_must("program", clReleaseProgram(built));
}

/* Adds the number to all sums. */
static void launch_between(const churn_client *client, unsigned long number, cl_mem *from,
                           cl_mem *to)
{
    const size_t count = 16;
    const cl_uint more = (cl_uint)number;

    churn_must("argument", clSetKernelArg(launching.kernel, 0, sizeof *from, from));
    churn_must("argument", clSetKernelArg(launching.kernel, 1, sizeof *to, to));
    churn_must("argument", clSetKernelArg(launching.kernel, 2, sizeof more, &more));
    churn_must("launch", clEnqueueNDRangeKernel(client->queue, launching.kernel, 1, NULL,
                                                &count, &count, 0, NULL, NULL));
    /* In bundles, and now and then alone. */
    if (number % 64 == 0 || number % 1000 < 100)
        churn_must("finish", clFinish(client->queue));
}

static void launch(const churn_client *client, unsigned long number)
{
    if (!launching.kernel)
        open_launching(client);
    launch_between(client, number, &launching.sums[0], &launching.sums[0]);
}

/* As solvers do that step by step make a new state of the old one; where the new one goes to is
 * another buffer now and then, let go of while launches with it are in the queue. */
static void exchange(const churn_client *client, unsigned long number)
{
    if (!launching.kernel)
        open_launching(client);
    cl_mem *from = &launching.sums[number % 2], *to = &launching.sums[(number + 1) % 2];
    if (number % 50 == 0) {
        churn_must("buffer", clReleaseMemObject(*to));
        *to = new_sums(client);
    }
    launch_between(client, number, from, to);
}

/* Every launch has added its number. */
static void check_sums(const churn_client *client, unsigned long count, cl_mem sums)
{
    cl_uint found[16], wanted = 0;

    for (unsigned long i = 0; i < count; i++)
        wanted += (cl_uint)i;
    churn_must("read", clEnqueueReadBuffer(client->queue, sums, CL_TRUE, 0, sizeof found, found,
                                           0, NULL, NULL));
    for (size_t i = 0; i < 16; i++)
        if (found[i] != wanted)
            churn_fail("the sum of all launches is %u, not %u", found[i], wanted);
    churn_must("kernel", clReleaseKernel(launching.kernel));
    churn_must("buffer", clReleaseMemObject(launching.sums[0]));
    churn_must("buffer", clReleaseMemObject(launching.sums[1]));
}

static void end_launching(const churn_client *client, unsigned long count)
{
    check_sums(client, count, launching.sums[0]);
}

static void end_exchanging(const churn_client *client, unsigned long count)
{
    check_sums(client, count, launching.sums[count % 2]);
}

/* ---- objects ---------------------------------------------------------------------------- */

static void map_and_fill(const churn_client *client, cl_mem buffer, size_t size)
{
    const cl_uint pattern = 7;
    cl_event filled, mapped;
    cl_int status;

    churn_must("fill", clEnqueueFillBuffer(client->queue, buffer, &pattern, sizeof pattern, 0,
                                           size, 0, NULL, &filled));
    const cl_uint *data = clEnqueueMapBuffer(client->queue, buffer, CL_TRUE, CL_MAP_READ, 0,
                                             size, 1, &filled, &mapped, &status);
    churn_must("map", status);
    if (data[size / sizeof *data - 1] != pattern)
        churn_fail("a buffer is not filled");
    churn_must("unmap", clEnqueueUnmapMemObject(client->queue, buffer, (void *)(uintptr_t)data,
                                                0, NULL, NULL));
    churn_must("event", clReleaseEvent(filled));
    churn_must("event", clReleaseEvent(mapped));
}

static void memory_objects(const churn_client *client, size_t size)
{
    const cl_buffer_region region = {0, 1024};
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 32, .image_height = 32};
    const cl_sampler_properties linear[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    cl_int status;

    cl_mem buffer = clCreateBuffer(client->context, CL_MEM_READ_WRITE, size, NULL, &status);
    churn_must("buffer", status);
    cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    churn_must("part of a buffer", status);
    cl_mem image =
        clCreateImage(client->context, CL_MEM_READ_ONLY, &format, &desc, NULL, &status);
    churn_must("image", status);
    cl_sampler sampler = clCreateSamplerWithProperties(client->context, linear, &status);
    churn_must("sampler", status);
    map_and_fill(client, buffer, size);
    churn_must("buffer", clReleaseMemObject(buffer));
    churn_must("part of a buffer", clReleaseMemObject(part));
    churn_must("image", clReleaseMemObject(image));
    churn_must("sampler", clReleaseSampler(sampler));
}

/* A queue of its own, events of the application, shared virtual memory. */
static void objects(const churn_client *client, unsigned long number)
{
    const cl_queue_properties apart[] = {CL_QUEUE_PROPERTIES,
                                         CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    const cl_uint pattern = 9;
    const size_t size = 4096 * (1 + number % 64);
    churn_client own = *client;
    cl_event marked;
    cl_int status;

    own.queue = clCreateCommandQueueWithProperties(own.context, own.device, apart, &status);
    churn_must("queue", status);
    cl_event user = clCreateUserEvent(own.context, &status);
    churn_must("event", status);
    cl_uint *shared = clSVMAlloc(own.context, CL_MEM_READ_WRITE, size, 0);
    if (!shared)
        churn_fail("no shared virtual memory");
    churn_must("fill", clEnqueueSVMMemFill(own.queue, shared, &pattern, sizeof pattern, size, 1,
                                           &user, NULL));
    churn_must("marker", clEnqueueMarkerWithWaitList(own.queue, 0, NULL, &marked));
    churn_must("event", clSetUserEventStatus(user, CL_COMPLETE));
    churn_must("wait", clWaitForEvents(1, &marked));
    if (shared[size / sizeof *shared - 1] != pattern)
        churn_fail("shared virtual memory is not filled");
    clSVMFree(own.context, shared);
    churn_must("event", clReleaseEvent(marked));
    churn_must("event", clReleaseEvent(user));
    memory_objects(&own, size);
    churn_must("queue", clReleaseCommandQueue(own.queue));
}

/* ---- all of that ------------------------------------------------------------------------ */

static void client_of_all(const churn_client *client, unsigned long number)
{
    exchange(client, number);
    if (number % 10 == 0)
        objects(client, number / 10);
    if (number % 50 == 0)
        program(client, number / 50);
    if (number % 100 == 0)
        program_of(client, (cl_uint)(DISTINCT_PROGRAMS + number / 100));
    if (number % 1000 == 0) {
        churn_client other = churn_open();

        program(&other, number / 1000);
        churn_close(&other);
    }
}

/* ---- the command line ------------------------------------------------------------------- */

static const churning kinds[] = {
    {"programs", program, NULL},
    {"launches", launch, end_launching},
    {"exchanges", exchange, end_exchanging},
    {"objects", objects, NULL},
    {"client", client_of_all, end_exchanging},
};

static int run(int argc, char **argv)
{
    unsigned long count = strtoul(argv[2], NULL, 10);

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (argc == 3 && count > 0 && strcmp(argv[1], kinds[i].name) == 0) {
            repeat(&kinds[i], count);
            return 0;
        }
    if (argc == 3 && count > 0 && strcmp(argv[1], "kills") == 0)
        return churn_kills(count);
    if (argc == 3 && strcmp(argv[1], "start") == 0)
        return churn_start(argv[0], strtod(argv[2], NULL));
    if (argc == 4 && strcmp(argv[1], "cost") == 0)
        return churn_cost(argv[2], strtod(argv[3], NULL));
    (void)fprintf(stderr, "churn: see the top of churn.c for what it takes\n");
    return 2;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "once") == 0) {
        churn_client client = churn_open();
        program(&client, 1);
        churn_close(&client);
        return 0;
    }
    return argc < 3 ? 2 : run(argc, argv);
}
