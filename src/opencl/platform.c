/* SPDX-License-Identifier: MIT
 *
 * The platform: the one thing that is the process's and not a caller's, since loaders keep its
 * handle for good. Behind a fork the child gets a platform as new: the threads and locks of the
 * parent are not touched there, and its objects are no handles any more. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "opencl/device.h"
#include "opencl/environment.h"
#include "opencl/host.h"
#include "opencl/trace.h"

static const vsg_ocl_device_facts rows[] = {
#define DEVICE(key_, ...) {.key = key_, __VA_ARGS__},
#include "opencl/devices.def"
#undef DEVICE
};

enum { NUM_ROWS = sizeof rows / sizeof *rows };

struct _cl_platform_id {
    vsg_ocl_object head;
};

static struct {
    struct _cl_platform_id platform;
    struct _cl_device_id devices[NUM_ROWS];
    cl_device_id listed[NUM_ROWS];
    size_t num_devices;
    pthread_mutex_t lock; /* of what follows */
    visage_context *context;
    visage_device *first; /* the machine whose address space all share */
} state;

static pthread_once_t once = PTHREAD_ONCE_INIT;
atomic_uint vsg_ocl_forks;

static void never(void *object)
{
    (void)object; /* The platform and its devices are not counted. */
}

static void init_head(vsg_ocl_object *head, vsg_ocl_kind kind)
{
    head->dispatch = &vsg_ocl_dispatch;
    atomic_store(&head->kind, (unsigned)kind);
    atomic_store(&head->generation, vsg_ocl_generation());
    atomic_store(&head->references, 1);
    atomic_store(&head->holders, 1);
    head->destroy = never;
}

/* ---- which devices ---------------------------------------------------------------------- */

static void list_device(size_t row)
{
    for (size_t i = 0; i < state.num_devices; i++)
        if (state.listed[i] == &state.devices[row])
            return;
    state.devices[row].index = (uint32_t)state.num_devices;
    state.listed[state.num_devices++] = &state.devices[row];
}

static void list_named(const char *name)
{
    visage_platform platform = visage_platform_find(name);

    for (size_t i = 0; i < NUM_ROWS; i++)
        if (strcasecmp(name, rows[i].key) == 0 ||
            (platform != VISAGE_PLATFORM_NONE && platform == rows[i].platform)) {
            list_device(i);
            return;
        }
    (void)fprintf(stderr, "visage: VISAGE_DEVICES: there is no device \"%s\", only", name);
    for (size_t i = 0; i < NUM_ROWS; i++)
        (void)fprintf(stderr, " %s", rows[i].key);
    (void)fputc('\n', stderr);
}

static void choose_devices(const char *list)
{
    char name[32];

    if (!list || !*list)
        for (size_t i = 0; i < NUM_ROWS; i++)
            list_device(i);
    while (list && *list) {
        size_t length = strcspn(list, ", ");
        if (length > 0) {
            (void)snprintf(name, sizeof name, "%.*s", (int)(length < 31 ? length : 31), list);
            list_named(name);
        }
        list += length + (list[length] != '\0');
    }
}

/* ---- forks ------------------------------------------------------------------------------ */

static void in_child(void)
{
    (void)atomic_fetch_add(&vsg_ocl_forks, 1);
    state.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    state.context = NULL;
    state.first = NULL;
    init_head(&state.platform.head, VSG_OCL_PLATFORM);
    for (size_t i = 0; i < NUM_ROWS; i++) {
        init_head(&state.devices[i].head, VSG_OCL_DEVICE);
        atomic_store(&state.devices[i].machine, NULL);
    }
    vsg_ocl_trace_forked();
}

static uint32_t features_of(const vsg_ocl_device_facts *facts)
{
    bool is_made =
        (facts->has & VSG_OCL_FP64_MADE) != 0 && vsg_ocl_environment_get()->makes_fp64;

    return facts->has | (is_made ? (uint32_t)VSG_OCL_FP64 : 0);
}

static void init(void)
{
    const uint32_t units = vsg_ocl_environment_get()->units;

    state.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    init_head(&state.platform.head, VSG_OCL_PLATFORM);
    for (size_t i = 0; i < NUM_ROWS; i++) {
        init_head(&state.devices[i].head, VSG_OCL_DEVICE);
        state.devices[i].facts = &rows[i];
        state.devices[i].has = features_of(&rows[i]);
        state.devices[i].units = units ? units : rows[i].compute_units;
    }
    choose_devices(getenv("VISAGE_DEVICES"));
    vsg_ocl_trace_open();
    (void)pthread_atfork(NULL, NULL, in_child);
}

cl_platform_id vsg_ocl_platform(void)
{
    (void)pthread_once(&once, init);
    return &state.platform;
}

size_t vsg_ocl_devices(const cl_device_id **devices)
{
    (void)pthread_once(&once, init);
    *devices = state.listed;
    return state.num_devices;
}

/* ---- what runs kernels ------------------------------------------------------------------ */

static visage_context *context_locked(void)
{
    if (!state.context && visage_context_create(NULL, &state.context) != VISAGE_OK)
        state.context = NULL;
    return state.context;
}

/* The first device's memory is everybody's: as much address space as the host has memory, and
 * more, for buffers that are never written. */
static visage_device *make_machine(const vsg_ocl_device_facts *facts)
{
    visage_device_options options = VISAGE_OPTIONS_INIT(visage_device_options);
    visage_device *machine = NULL;
    visage_context *context = context_locked();
    const uint64_t usual = (uint64_t)64 << 30;

    if (!context)
        return NULL;
    options.platform = facts->platform;
    options.jobs = vsg_ocl_environment_get()->jobs;
    options.memory_of = state.first;
    options.slm_by_pieces = !vsg_ocl_environment_get()->is_checked;
    uint64_t wanted = 4 * vsg_ocl_host_memory_bytes();
    if (!state.first && wanted > usual)
        options.memory_bytes = wanted;
    if (visage_device_create(context, &options, &machine) != VISAGE_OK) {
        options.memory_bytes = 0;
        if (visage_device_create(context, &options, &machine) != VISAGE_OK)
            return NULL;
    }
    if (!state.first)
        state.first = machine;
    return machine;
}

visage_device *vsg_ocl_device_machine(cl_device_id device)
{
    visage_device *machine = atomic_load(&device->machine);

    if (machine)
        return machine;
    (void)pthread_mutex_lock(&state.lock);
    machine = atomic_load(&device->machine);
    if (!machine) {
        machine = make_machine(device->facts);
        atomic_store(&device->machine, machine);
    }
    (void)pthread_mutex_unlock(&state.lock);
    return machine;
}

visage_context *vsg_ocl_library(void)
{
    (void)pthread_mutex_lock(&state.lock);
    visage_context *context = context_locked();
    (void)pthread_mutex_unlock(&state.lock);
    return context;
}

visage_device *vsg_ocl_any_machine(void)
{
    (void)pthread_mutex_lock(&state.lock);
    visage_device *machine = state.first;
    (void)pthread_mutex_unlock(&state.lock);
    return machine || state.num_devices == 0 ? machine
                                             : vsg_ocl_device_machine(state.listed[0]);
}

uint64_t vsg_ocl_now(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- entry points ----------------------------------------------------------------------- */

/* NULL means this platform, which is the only one this driver knows. */
static bool is_platform(cl_platform_id platform)
{
    return platform == NULL || vsg_ocl_is(platform, VSG_OCL_PLATFORM);
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                         size_t param_value_size, void *param_value,
                         size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_query query = {param_value_size, param_value, param_value_size_ret};

    if (!is_platform(platform))
        return CL_INVALID_PLATFORM;
    switch (param_name) {
    case CL_PLATFORM_PROFILE:
        return vsg_ocl_answer_string(&query, "FULL_PROFILE");
    case CL_PLATFORM_VERSION:
        return vsg_ocl_answer_string(&query, "OpenCL 3.0 visage ");
    case CL_PLATFORM_NUMERIC_VERSION:
        return vsg_ocl_answer_uint(&query, CL_MAKE_VERSION(3, 0, 0));
    case CL_PLATFORM_NAME:
        return vsg_ocl_answer_string(&query, "visage");
    case CL_PLATFORM_VENDOR:
        return vsg_ocl_answer_string(&query, "The visage project");
    case CL_PLATFORM_ICD_SUFFIX_KHR:
        return vsg_ocl_answer_string(&query, "VISAGE");
    case CL_PLATFORM_HOST_TIMER_RESOLUTION:
        return vsg_ocl_answer_ulong(&query, 1);
    case CL_PLATFORM_EXTENSIONS:
        return vsg_ocl_answer_extensions(&query, NULL);
    case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
        return vsg_ocl_answer_extension_versions(&query, NULL, false);
    default:
        return CL_INVALID_VALUE;
    }
}

/* The compiler is in processes of its own, which end by themselves. */
cl_int clUnloadCompiler(void)
{
    VSG_OCL_TRACED;
    return CL_SUCCESS;
}

cl_int clUnloadPlatformCompiler(cl_platform_id platform)
{
    VSG_OCL_TRACED;
    return vsg_ocl_is(platform, VSG_OCL_PLATFORM) ? CL_SUCCESS : CL_INVALID_PLATFORM;
}
