/* SPDX-License-Identifier: MIT
 *
 * Building programs: for each device asked for, in threads where there are several, and behind
 * the caller's back where it gives a callback. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "opencl/making.h"
#include "opencl/program.h"
#include "opencl/trace.h"
#include "opencl/wire.h"

typedef void(CL_CALLBACK *notify_fn)(cl_program program, void *user);

/* A piece of work: one program for some of its devices. */
typedef struct task {
    vsg_ocl_build_kind kind;
    cl_program program; /* held */
    vsg_ocl_build **builds;
    cl_uint num_builds;
    char *given; /* options as given */
    vsg_ocl_options options;
    cl_program *inputs; /* held: headers of a compilation, programs to link */
    char **names;       /* of headers */
    cl_uint num_inputs;
    notify_fn notify;
    void *user;
    atomic_uint next; /* build to be taken */
    atomic_int failed;
} task;

/* What is linked is not built anew meanwhile. */
static void end_reading(const cl_program *inputs, cl_uint count)
{
    for (cl_uint i = 0; i < count; i++) {
        (void)pthread_mutex_lock(&inputs[i]->lock);
        inputs[i]->num_links--;
        (void)pthread_cond_broadcast(&inputs[i]->built);
        (void)pthread_mutex_unlock(&inputs[i]->lock);
    }
}

/* CL_INVALID_OPERATION: one is being built. */
static cl_int begin_reading(const cl_program *inputs, cl_uint count)
{
    for (cl_uint i = 0; i < count; i++) {
        (void)pthread_mutex_lock(&inputs[i]->lock);
        bool is_ready = !inputs[i]->is_building;
        inputs[i]->num_links += is_ready;
        (void)pthread_mutex_unlock(&inputs[i]->lock);
        if (is_ready)
            continue;
        end_reading(inputs, i);
        return CL_INVALID_OPERATION;
    }
    return CL_SUCCESS;
}

static void let_inputs_go(task *t)
{
    if (t->kind == VSG_OCL_LINK)
        end_reading(t->inputs, t->num_inputs);
    for (cl_uint i = 0; i < t->num_inputs; i++) {
        vsg_ocl_let_go(t->inputs[i]);
        free(t->names[i]);
    }
    t->num_inputs = 0;
}

static void task_free(task *t)
{
    let_inputs_go(t);
    vsg_ocl_let_go(t->program);
    vsg_ocl_options_free(&t->options);
    free(t->inputs);
    free(t->names);
    free(t->builds);
    free(t->given);
    free(t);
}

/* ---- one build -------------------------------------------------------------------------- */

static void take_log(vsg_ocl_build *build, const vsg_ocl_output *output)
{
    char *text = output->log ? calloc(output->log_bytes + 1, 1) : NULL;

    if (!text)
        return;
    memcpy(text, output->log, output->log_bytes);
    vsg_ocl_build_say(build, text);
    free(text);
}

/* The code of a zebin becomes the build's. */
static bool take_code(vsg_ocl_build *build, vsg_ocl_compiled result, vsg_ocl_output *output)
{
    take_log(build, output);
    bool good = result == VSG_OCL_COMPILED &&
                vsg_ocl_build_load(build, output->data, output->size_bytes);
    vsg_ocl_output_free(output);
    return good;
}

/* A list of one module, as vsg_ocl_build has it. */
static bool take_module(vsg_ocl_build *build, const void *spirv, size_t size_bytes)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_ocl_wire wire;

    vsg_ocl_wire_init(&wire, &alloc);
    vsg_ocl_wire_put_bytes(&wire, spirv, size_bytes);
    build->data = wire.failed ? NULL : malloc(wire.size_bytes);
    if (build->data) {
        memcpy(build->data, wire.data, wire.size_bytes);
        build->size_bytes = wire.size_bytes;
        build->type = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    }
    vsg_ocl_wire_fini(&wire);
    return build->data != NULL;
}

/* The program's SPIR-V with its constants set; free() it. NULL: memory is out. */
static void *specialized(cl_program program)
{
    void *copy = malloc(program->il_bytes);

    if (!copy)
        return NULL;
    memcpy(copy, program->il, program->il_bytes);
    (void)pthread_mutex_lock(&program->lock);
    vsg_ocl_spirv_specialize(copy, program->il_bytes, program->constants,
                             program->num_constants);
    (void)pthread_mutex_unlock(&program->lock);
    return copy;
}

static bool build_il(task *t, vsg_ocl_build *build)
{
    cl_program program = t->program;
    vsg_ocl_output output;
    void *spirv = specialized(program);
    char *options = vsg_ocl_generator_options(t->options.text);
    bool good = false;

    if (spirv && options && t->kind == VSG_OCL_COMPILE) {
        good = take_module(build, spirv, program->il_bytes);
    } else if (spirv && options) {
        const vsg_ocl_file module = {"program", spirv, program->il_bytes, false};
        vsg_ocl_compiled result =
            vsg_ocl_make_of_spirv(build->device, options, &module, 1, &output);
        good = take_code(build, result, &output);
    }
    if (good && t->kind == VSG_OCL_COMPILE)
        build->made_with = strdup(options);
    free(options);
    free(spirv);
    return good;
}

static bool compile_source(task *t, vsg_ocl_build *build)
{
    vsg_ocl_output output;
    vsg_ocl_file *headers = calloc(t->num_inputs + 1u, sizeof *headers);

    if (!headers)
        return false;
    for (cl_uint i = 0; i < t->num_inputs; i++) {
        const char *text = t->inputs[i]->source ? t->inputs[i]->source : "";
        headers[i] = (vsg_ocl_file){t->names[i], text, strlen(text), true};
    }
    vsg_ocl_compiled result = vsg_ocl_make_spirv(build->device, &t->options, t->program->source,
                                                 headers, t->num_inputs, &output);
    take_log(build, &output);
    bool good =
        result == VSG_OCL_COMPILED && take_module(build, output.data, output.size_bytes);
    vsg_ocl_output_free(&output);
    free(headers);
    if (good)
        build->made_with = vsg_ocl_generator_options(t->options.text);
    return good;
}

/* ---- linking ---------------------------------------------------------------------------- */

typedef struct part_list {
    vsg_ocl_file *parts;
    size_t count;
    char *options; /* what the parts were compiled with, each word once */
} part_list;

static bool add_options(part_list *list, const char *options)
{
    char *found = options && *options && list->options ? strstr(list->options, options) : NULL;

    if (found || !options || !*options)
        return true;
    size_t size = (list->options ? strlen(list->options) : 0) + strlen(options) + 2;
    char *text = calloc(size, 1);
    if (!text)
        return false;
    if (list->options) {
        strcat(text, list->options);
        strcat(text, " ");
    }
    strcat(text, options);
    free(list->options);
    list->options = text;
    return true;
}

/* Adds the modules of an object or a library; they are borrowed. */
static bool add_parts(part_list *list, const vsg_ocl_build *from)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_ocl_wire wire = {.alloc = &alloc, .data = from->data, .size_bytes = from->size_bytes};

    while (wire.at < wire.size_bytes) {
        size_t size;
        const char *module = vsg_ocl_wire_take_bytes(&wire, &size);
        vsg_ocl_file *grown = realloc(list->parts, (list->count + 1) * sizeof *grown);
        if (!grown || wire.failed)
            return false;
        list->parts = grown;
        list->parts[list->count++] = (vsg_ocl_file){"part", module, size, false};
    }
    return add_options(list, from->made_with);
}

static bool make_library(vsg_ocl_build *build, const part_list *list)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_ocl_wire wire;

    vsg_ocl_wire_init(&wire, &alloc);
    for (size_t i = 0; i < list->count; i++)
        vsg_ocl_wire_put_bytes(&wire, list->parts[i].data, list->parts[i].size_bytes);
    build->data = wire.failed ? NULL : malloc(wire.size_bytes);
    if (build->data) {
        memcpy(build->data, wire.data, wire.size_bytes);
        build->size_bytes = wire.size_bytes;
        build->type = CL_PROGRAM_BINARY_TYPE_LIBRARY;
        build->made_with = strdup(list->options ? list->options : "");
    }
    vsg_ocl_wire_fini(&wire);
    return build->data != NULL;
}

static bool link_parts(task *t, vsg_ocl_build *build, part_list *list)
{
    vsg_ocl_output output;

    if (t->options.is_library)
        return make_library(build, list);
    if (!add_options(list, t->options.text))
        return false;
    vsg_ocl_compiled result = vsg_ocl_make_of_spirv(
        build->device, list->options ? list->options : "", list->parts, list->count, &output);
    return take_code(build, result, &output);
}

static bool link_inputs(task *t, vsg_ocl_build *build)
{
    part_list list = {0};
    bool good = true;

    for (cl_uint i = 0; i < t->num_inputs && good; i++) {
        const vsg_ocl_build *input = vsg_ocl_program_build(t->inputs[i], build->device);
        good = input && input->data && add_parts(&list, input);
        build->is_uniform |= good && input->is_uniform;
    }
    good = good && link_parts(t, build, &list);
    free(list.parts);
    free(list.options);
    return good;
}

/* A binary that is an object already: the code is made of it. One that is executable stays. */
static bool build_binary(task *t, vsg_ocl_build *build)
{
    part_list list = {0};
    bool is_object = build->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                     build->type == CL_PROGRAM_BINARY_TYPE_LIBRARY;

    if (build->program)
        return true;
    if (!is_object || !build->data)
        return false;
    vsg_ocl_build old = *build;
    *build = (vsg_ocl_build){.device = old.device,
                             .status = CL_BUILD_IN_PROGRESS,
                             .options = old.options,
                             .is_uniform = old.is_uniform};
    old.options = NULL;
    bool good = add_parts(&list, &old) && link_parts(t, build, &list);
    free(list.parts);
    free(list.options);
    vsg_ocl_build_reset(&old);
    return good;
}

/* ---- running a task --------------------------------------------------------------------- */

static bool build_one(task *t, vsg_ocl_build *build)
{
    vsg_ocl_origin origin = t->program->origin;

    /* What is linked, and a binary, are so by what they are made of, too. */
    build->is_uniform |= strstr(t->given, "-cl-uniform-work-group-size") ||
                         (origin == VSG_OCL_FROM_SOURCE && t->options.version < 200);

    if (t->kind == VSG_OCL_LINK)
        return link_inputs(t, build);
    if (origin == VSG_OCL_FROM_BINARY)
        return build_binary(t, build);
    if (origin == VSG_OCL_FROM_IL)
        return build_il(t, build);
    if (t->kind == VSG_OCL_COMPILE)
        return compile_source(t, build);
    vsg_ocl_output output;
    vsg_ocl_compiled result =
        vsg_ocl_make_of_source(build->device, &t->options, t->program->source, &output);
    return take_code(build, result, &output);
}

/* Takes out what there was: who asks meanwhile finds that one is in progress, and nothing else.
 * A binary is built of what it is. */
static vsg_ocl_build begin_one(task *t, vsg_ocl_build *build)
{
    bool is_binary = t->program->origin == VSG_OCL_FROM_BINARY && t->kind != VSG_OCL_LINK;

    (void)pthread_mutex_lock(&t->program->lock);
    vsg_ocl_build own = *build;
    *build = (vsg_ocl_build){.device = own.device, .status = CL_BUILD_IN_PROGRESS};
    (void)pthread_mutex_unlock(&t->program->lock);
    if (!is_binary)
        vsg_ocl_build_reset(&own);
    free(own.options);
    own.options = strdup(t->given);
    return own;
}

static void end_one(task *t, vsg_ocl_build *build, vsg_ocl_build own, bool good)
{
    own.status = good ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    if (!good)
        atomic_store(&t->failed, 1);
    (void)pthread_mutex_lock(&t->program->lock);
    *build = own;
    (void)pthread_mutex_unlock(&t->program->lock);
}

static void *work(void *user)
{
    task *t = user;

    for (;;) {
        unsigned number = atomic_fetch_add(&t->next, 1);
        if (number >= t->num_builds)
            return NULL;
        vsg_ocl_span span = vsg_ocl_trace_begin("build", "build");
        vsg_ocl_build *build = t->builds[number];
        vsg_ocl_build own = begin_one(t, build);
        bool good = build_one(t, &own);
        if (span.begin)
            vsg_ocl_trace_end_with(&span, "device", own.device->facts->key);
        end_one(t, build, own, good);
    }
}

static cl_int failure_of(vsg_ocl_build_kind kind)
{
    return kind == VSG_OCL_BUILD     ? CL_BUILD_PROGRAM_FAILURE
           : kind == VSG_OCL_COMPILE ? CL_COMPILE_PROGRAM_FAILURE
                                     : CL_LINK_PROGRAM_FAILURE;
}

static bool needs_compiler(const task *t)
{
    return t->kind != VSG_OCL_LINK && t->program->origin == VSG_OCL_FROM_SOURCE;
}

/* Builds for all devices, tells the caller, and frees the task. */
static cl_int perform(task *t)
{
    pthread_t threads[16];
    cl_uint num_threads = 0;
    cl_int status = CL_SUCCESS;

    while (num_threads + 1 < t->num_builds && num_threads < 16 &&
           vsg_base_thread_start(&threads[num_threads], work, t))
        num_threads++;
    (void)work(t);
    for (cl_uint i = 0; i < num_threads; i++)
        (void)pthread_join(threads[i], NULL);
    if (atomic_load(&t->failed))
        status = needs_compiler(t) && !vsg_ocl_compiler_is_there() ? CL_COMPILER_NOT_AVAILABLE
                                                                   : failure_of(t->kind);
    (void)pthread_mutex_lock(&t->program->lock);
    t->program->is_building = false;
    (void)pthread_cond_broadcast(&t->program->built);
    (void)pthread_mutex_unlock(&t->program->lock);
    let_inputs_go(t); /* the callback may build them anew */
    if (t->notify)
        t->notify(t->program, t->user);
    task_free(t);
    return status;
}

static void *perform_apart(void *user)
{
    (void)perform(user);
    return NULL;
}

/* Marks the program as being built. */
static cl_int begin(task *t)
{
    cl_int status = CL_SUCCESS;

    (void)pthread_mutex_lock(&t->program->lock);
    while (!t->program->is_building && t->program->num_links > 0)
        (void)pthread_cond_wait(&t->program->built, &t->program->lock);
    if (t->program->is_building || atomic_load(&t->program->num_kernels) > 0) {
        status = CL_INVALID_OPERATION;
    } else {
        t->program->is_building = true;
        for (cl_uint i = 0; i < t->num_builds; i++)
            t->builds[i]->status = CL_BUILD_IN_PROGRESS;
    }
    (void)pthread_mutex_unlock(&t->program->lock);
    return status;
}

/* Takes the task. */
static cl_int run(task *t)
{
    pthread_t thread;
    cl_int status = begin(t);

    if (status != CL_SUCCESS) {
        task_free(t);
        return status;
    }
    if (t->notify && vsg_base_thread_start(&thread, perform_apart, t)) {
        (void)pthread_detach(thread);
        return CL_SUCCESS;
    }
    return perform(t);
}

/* ---- what is asked for ------------------------------------------------------------------ */

typedef struct wish {
    vsg_ocl_build_kind kind;
    cl_program program;
    cl_uint num_devices;
    const cl_device_id *devices;
    const char *options;
    notify_fn notify;
    void *user;
} wish;

static cl_int check_wish(const wish *w)
{
    if (!vsg_ocl_is_program(w->program))
        return CL_INVALID_PROGRAM;
    if ((w->num_devices == 0) != (w->devices == NULL) || (!w->notify && w->user))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < w->num_devices; i++)
        if (!vsg_ocl_is(w->devices[i], VSG_OCL_DEVICE) ||
            !vsg_ocl_program_build(w->program, w->devices[i]))
            return CL_INVALID_DEVICE;
    return CL_SUCCESS;
}

/* Options that are wrong fail the build; the log of each device says what is wrong. */
static cl_int read_options(task *t, const char *options)
{
    char wrong[128], line[192];
    cl_int status = vsg_ocl_options_read(options, t->kind, &t->options, wrong);

    if (!*wrong)
        return status;
    (void)snprintf(line, sizeof line, "visage: option %s is not known or lacks its value\n",
                   wrong);
    (void)pthread_mutex_lock(&t->program->lock);
    for (cl_uint i = 0; i < t->num_builds && !t->program->is_building; i++) {
        free(t->builds[i]->log);
        t->builds[i]->log = NULL;
        vsg_ocl_build_say(t->builds[i], line);
        if (atomic_load(&t->program->num_kernels) == 0)
            t->builds[i]->status = CL_BUILD_ERROR;
    }
    (void)pthread_mutex_unlock(&t->program->lock);
    return status;
}

static cl_int make_task(const wish *w, cl_uint num_inputs, task **out)
{
    task *t = calloc(1, sizeof *t);
    cl_uint count = w->num_devices ? w->num_devices : w->program->num_devices;

    if (!t)
        return CL_OUT_OF_HOST_MEMORY;
    t->kind = w->kind;
    vsg_ocl_hold(w->program);
    t->program = w->program;
    t->notify = w->notify;
    t->user = w->user;
    t->builds = calloc(count, sizeof(vsg_ocl_build *));
    t->given = strdup(w->options ? w->options : "");
    t->inputs = calloc(num_inputs + 1u, sizeof(cl_program));
    t->names = calloc(num_inputs + 1u, sizeof *t->names);
    cl_int status =
        t->builds && t->given && t->inputs && t->names ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; status == CL_SUCCESS && i < count; i++) {
        vsg_ocl_build *build = w->num_devices ? vsg_ocl_program_build(w->program, w->devices[i])
                                              : &w->program->builds[i];
        bool is_new = true;
        for (cl_uint k = 0; k < t->num_builds; k++)
            is_new = is_new && t->builds[k] != build;
        if (is_new)
            t->builds[t->num_builds++] = build;
    }
    if (status == CL_SUCCESS)
        status = read_options(t, w->options);
    if (status == CL_SUCCESS)
        *out = t;
    else
        task_free(t);
    return status;
}

/* Is there one for each device? One in work had one. */
static cl_int check_binaries(cl_program program)
{
    cl_int status = CL_SUCCESS;

    (void)pthread_mutex_lock(&program->lock);
    for (cl_uint i = 0; i < program->num_devices; i++)
        if (program->builds[i].status != CL_BUILD_IN_PROGRESS && !program->builds[i].data)
            status = CL_INVALID_BINARY;
    (void)pthread_mutex_unlock(&program->lock);
    return status;
}

cl_int clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
                      const char *options,
                      void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
                      void *user_data)
{
    VSG_OCL_TRACED;
    const wish w = {VSG_OCL_BUILD, program,    num_devices, device_list,
                    options,       pfn_notify, user_data};
    task *t;
    cl_int status = check_wish(&w);

    if (status == CL_SUCCESS && program->origin == VSG_OCL_FROM_LINK)
        return CL_INVALID_OPERATION;
    if (status == CL_SUCCESS && program->origin == VSG_OCL_FROM_BINARY)
        status = check_binaries(program);
    if (status == CL_SUCCESS)
        status = make_task(&w, 0, &t);
    return status == CL_SUCCESS ? run(t) : status;
}

cl_int clCompileProgram(cl_program program, cl_uint num_devices,
                        const cl_device_id *device_list, const char *options,
                        cl_uint num_input_headers, const cl_program *input_headers,
                        const char **header_include_names,
                        void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
                        void *user_data)
{
    VSG_OCL_TRACED;
    const wish w = {VSG_OCL_COMPILE, program,    num_devices, device_list,
                    options,         pfn_notify, user_data};
    task *t;
    cl_int status = check_wish(&w);

    if (status != CL_SUCCESS)
        return status;
    if ((num_input_headers == 0) != (input_headers == NULL) ||
        (num_input_headers == 0) != (header_include_names == NULL))
        return CL_INVALID_VALUE;
    if (program->origin != VSG_OCL_FROM_SOURCE && program->origin != VSG_OCL_FROM_IL)
        return CL_INVALID_OPERATION;
    for (cl_uint i = 0; i < num_input_headers; i++) {
        if (!vsg_ocl_is_program(input_headers[i]) || !input_headers[i]->source)
            return CL_INVALID_PROGRAM;
        if (!header_include_names[i])
            return CL_INVALID_VALUE;
    }
    status = make_task(&w, num_input_headers, &t);
    if (status != CL_SUCCESS)
        return status;
    for (; t->num_inputs < num_input_headers; t->num_inputs++) {
        cl_uint i = t->num_inputs;
        t->names[i] = strdup(header_include_names[i]);
        if (!t->names[i]) {
            task_free(t);
            return CL_OUT_OF_HOST_MEMORY;
        }
        vsg_ocl_hold(input_headers[i]);
        t->inputs[i] = input_headers[i];
    }
    return run(t);
}

/* ---- clLinkProgram ---------------------------------------------------------------------- */

/* Has every input something to link for the device? Also how many have. */
static cl_int check_inputs(cl_device_id device, cl_uint count, const cl_program *inputs,
                           bool *all)
{
    cl_uint ready = 0;

    for (cl_uint i = 0; i < count; i++) {
        const vsg_ocl_build *build = vsg_ocl_program_build(inputs[i], device);
        ready += build && build->data &&
                 (build->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                  build->type == CL_PROGRAM_BINARY_TYPE_LIBRARY);
    }
    *all = ready == count;
    return ready == 0 || ready == count ? CL_SUCCESS : CL_INVALID_OPERATION;
}

/* The devices that all inputs have something for, among those asked for. */
static cl_int choose_devices(const wish *w, cl_context context, cl_uint count,
                             const cl_program *inputs, cl_device_id *chosen,
                             cl_uint *num_chosen)
{
    cl_uint num = w->num_devices ? w->num_devices : context->num_devices;
    const cl_device_id *devices = w->num_devices ? w->devices : context->devices;

    *num_chosen = 0;
    for (cl_uint i = 0; i < num; i++) {
        bool all;
        if (!vsg_ocl_is(devices[i], VSG_OCL_DEVICE) ||
            !vsg_ocl_context_has(context, devices[i]))
            return CL_INVALID_DEVICE;
        cl_int status = check_inputs(devices[i], count, inputs, &all);
        if (status != CL_SUCCESS)
            return status;
        if (all)
            chosen[(*num_chosen)++] = devices[i];
    }
    return *num_chosen > 0 ? CL_SUCCESS : CL_INVALID_OPERATION;
}

static cl_int check_link(cl_context context, const wish *w, cl_uint count,
                         const cl_program *inputs)
{
    if (!vsg_ocl_is_context(context))
        return CL_INVALID_CONTEXT;
    if ((w->num_devices == 0) != (w->devices == NULL) || (!w->notify && w->user) ||
        count == 0 || !inputs)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++)
        if (!vsg_ocl_is_program(inputs[i]))
            return CL_INVALID_PROGRAM;
    return CL_SUCCESS;
}

/* The task, for a program of its own. */
static cl_int make_link(cl_context context, wish *w, cl_uint count, const cl_program *inputs,
                        task **out)
{
    cl_uint room =
        w->num_devices > context->num_devices ? w->num_devices : context->num_devices;
    cl_device_id *chosen = calloc(room, sizeof(cl_device_id));
    cl_uint num_chosen = 0;
    task *t;
    cl_int status = CL_OUT_OF_HOST_MEMORY;

    if (!chosen)
        return status;
    status = choose_devices(w, context, count, inputs, chosen, &num_chosen);
    if (status == CL_SUCCESS) {
        w->program = vsg_ocl_program_new(context, VSG_OCL_FROM_LINK, num_chosen, chosen);
        status = w->program ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    }
    free(chosen);
    if (status != CL_SUCCESS)
        return status;
    w->num_devices = 0;
    w->devices = NULL;
    status = make_task(w, count, &t);
    if (status != CL_SUCCESS) {
        vsg_ocl_let_go(w->program);
        return status;
    }
    (void)begin_reading(inputs, count); /* again, for the task */
    for (; t->num_inputs < count; t->num_inputs++) {
        vsg_ocl_hold(inputs[t->num_inputs]);
        t->inputs[t->num_inputs] = inputs[t->num_inputs];
    }
    *out = t;
    return CL_SUCCESS;
}

/* The new program is the caller's even where linking fails: it has the log. */
cl_program clLinkProgram(cl_context context, cl_uint num_devices,
                         const cl_device_id *device_list, const char *options,
                         cl_uint num_input_programs, const cl_program *input_programs,
                         void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
                         void *user_data, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    wish w = {VSG_OCL_LINK, NULL, num_devices, device_list, options, pfn_notify, user_data};
    cl_program program = NULL;
    task *t = NULL;
    cl_int status = check_link(context, &w, num_input_programs, input_programs);

    if (status == CL_SUCCESS)
        status = begin_reading(input_programs, num_input_programs);
    if (status == CL_SUCCESS) {
        status = make_link(context, &w, num_input_programs, input_programs, &t);
        end_reading(input_programs, num_input_programs);
    }
    if (status == CL_SUCCESS) {
        program = w.program;
        status = run(t);
    }
    vsg_ocl_result(errcode_ret, status);
    return program;
}
