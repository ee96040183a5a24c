/* SPDX-License-Identifier: MIT
 *
 * Making programs, and what there is to know of them. */
#include "opencl/program.h"

#include <stdlib.h>
#include <string.h>

#include "opencl/compiler.h"
#include "opencl/trace.h"
#include "opencl/wire.h"

/* ---- builds ----------------------------------------------------------------------------- */

void vsg_ocl_build_reset(vsg_ocl_build *build)
{
    visage_program_destroy(&build->program);
    visage_module_destroy(&build->module);
    free(build->options);
    free(build->log);
    free(build->data);
    free(build->made_with);
    free(build->refused);
    *build = (vsg_ocl_build){.device = build->device, .status = CL_BUILD_NONE};
}

void vsg_ocl_build_say(vsg_ocl_build *build, const char *text)
{
    size_t old = build->log ? strlen(build->log) : 0;
    size_t more = strlen(text);
    char *log = realloc(build->log, old + more + 1);

    if (!log)
        return;
    memcpy(log + old, text, more + 1);
    build->log = log;
}

static void say_diagnostics(vsg_ocl_build *build, const visage_diagnostics *list)
{
    char text[2048];

    for (size_t i = 0; i < visage_diagnostics_count(list) && i < 50; i++) {
        const visage_diagnostic *one = visage_diagnostics_get(list, i);
        if (one->severity != VISAGE_SEVERITY_ERROR)
            continue;
        (void)visage_diagnostic_render(one, false, text, sizeof text);
        vsg_ocl_build_say(build, text);
        vsg_ocl_build_say(build, "\n");
    }
}

/* A function that is declared and used but defined nowhere compiles all the same: found here,
 * when its caller is asked for. A kernel that is refused for itself does not fail the build. */
static bool check_kernels(vsg_ocl_build *build, visage_diagnostics *list)
{
    visage_kernel_info info;
    bool good = true;

    build->refused = calloc(build->num_kernels + 1, sizeof *build->refused);
    if (!build->refused)
        return false;
    for (size_t i = 0; i < build->num_kernels; i++) {
        visage_launch *launch = NULL;
        if (visage_module_get_kernel(build->module, i, &info) != VISAGE_OK)
            return false;
        visage_status status = visage_launch_create(build->program, info.name, list, &launch);
        visage_launch_destroy(&launch);
        build->refused[i] = status != VISAGE_OK;
        good = good && status != VISAGE_UNRESOLVED && status != VISAGE_NO_MEMORY;
    }
    return good;
}

static bool load(vsg_ocl_build *build, const void *zebin, size_t size_bytes,
                 visage_diagnostics *list)
{
    visage_module_options options = VISAGE_OPTIONS_INIT(visage_module_options);
    visage_module_info info;
    visage_device *machine = vsg_ocl_device_machine(build->device);

    options.platform = build->device->facts->platform;
    if (!machine ||
        visage_module_read_memory(vsg_ocl_library(), "program", zebin, size_bytes, &options,
                                  list, &build->module) != VISAGE_OK ||
        visage_module_get_info(build->module, &info) != VISAGE_OK)
        return false;
    if (strcmp(info.form, "zebin") != 0) {
        vsg_ocl_build_say(build, "visage: the binary is no zebin\n");
        return false;
    }
    build->num_kernels = info.num_kernels;
    return visage_program_create(machine, build->module, list, &build->program) == VISAGE_OK &&
           check_kernels(build, list);
}

bool vsg_ocl_build_load(vsg_ocl_build *build, const void *zebin, size_t size_bytes)
{
    visage_context *library = vsg_ocl_library();
    visage_diagnostics *list = NULL;
    bool good = false;

    if (!library || visage_diagnostics_create(library, &list) != VISAGE_OK)
        return false;
    build->data = malloc(size_bytes ? size_bytes : 1);
    if (build->data) {
        memcpy(build->data, zebin, size_bytes);
        build->size_bytes = size_bytes;
        good = load(build, build->data, size_bytes, list);
    }
    say_diagnostics(build, list);
    visage_diagnostics_destroy(&list);
    if (good) {
        build->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
        build->status = CL_BUILD_SUCCESS;
        return true;
    }
    visage_program_destroy(&build->program);
    visage_module_destroy(&build->module);
    free(build->data);
    free(build->refused);
    build->data = NULL;
    build->refused = NULL;
    build->size_bytes = build->num_kernels = 0;
    return false;
}

size_t vsg_ocl_find_kernel(const vsg_ocl_build *build, const char *name)
{
    visage_kernel_info info;

    for (size_t i = 0; i < build->num_kernels; i++)
        if (visage_module_get_kernel(build->module, i, &info) == VISAGE_OK &&
            strcmp(info.name, name) == 0)
            return i;
    return SIZE_MAX;
}

/* ---- programs --------------------------------------------------------------------------- */

static void destroy(void *object)
{
    cl_program program = object;

    for (cl_uint i = 0; program->builds && i < program->num_devices; i++)
        vsg_ocl_build_reset(&program->builds[i]);
    free(program->builds);
    free(program->devices);
    free(program->source);
    free(program->il);
    free(program->constants);
    if (program->has_lock) {
        (void)pthread_cond_destroy(&program->built);
        (void)pthread_mutex_destroy(&program->lock);
    }
    vsg_ocl_let_go(program->context);
    vsg_ocl_object_delete(program);
}

cl_program vsg_ocl_program_new(cl_context context, vsg_ocl_origin origin, cl_uint num_devices,
                               const cl_device_id *devices)
{
    cl_program program = vsg_ocl_object_new(sizeof *program, VSG_OCL_PROGRAM, destroy);

    if (!program)
        return NULL;
    vsg_ocl_hold(context);
    program->context = context;
    program->origin = origin;
    program->builds = calloc(num_devices, sizeof *program->builds);
    program->devices = calloc(num_devices, sizeof(cl_device_id));
    program->has_lock = pthread_mutex_init(&program->lock, NULL) == 0;
    if (program->has_lock && pthread_cond_init(&program->built, NULL) != 0) {
        (void)pthread_mutex_destroy(&program->lock);
        program->has_lock = false;
    }
    if (!program->builds || !program->devices || !program->has_lock) {
        destroy(program);
        return NULL;
    }
    program->num_devices = num_devices;
    for (cl_uint i = 0; i < num_devices; i++) {
        program->devices[i] = devices[i];
        program->builds[i].device = devices[i];
        program->builds[i].status = CL_BUILD_NONE;
    }
    return program;
}

vsg_ocl_build *vsg_ocl_program_build(cl_program program, cl_device_id device)
{
    for (cl_uint i = 0; i < program->num_devices; i++)
        if (program->devices[i] == device)
            return &program->builds[i];
    return NULL;
}

void vsg_ocl_program_open(cl_program program)
{
    (void)pthread_mutex_lock(&program->lock);
    while (program->is_building)
        (void)pthread_cond_wait(&program->built, &program->lock);
    (void)atomic_fetch_add(&program->num_kernels, 1);
    (void)pthread_mutex_unlock(&program->lock);
}

void vsg_ocl_program_close(cl_program program)
{
    (void)atomic_fetch_sub(&program->num_kernels, 1);
}

const vsg_ocl_build *vsg_ocl_program_any_executable(cl_program program)
{
    for (cl_uint i = 0; i < program->num_devices; i++)
        if (program->builds[i].program && program->builds[i].status == CL_BUILD_SUCCESS)
            return &program->builds[i];
    return NULL;
}

vsg_ocl_presence vsg_ocl_program_look_for(cl_program program, const char *name)
{
    vsg_ocl_presence found = VSG_OCL_KERNEL_MISSING;
    size_t num_args = 0;

    for (cl_uint i = 0; i < program->num_devices; i++) {
        const vsg_ocl_build *build = &program->builds[i];
        size_t index = build->program ? vsg_ocl_find_kernel(build, name) : SIZE_MAX;
        visage_kernel_info info;
        if (index == SIZE_MAX)
            continue;
        if (found == VSG_OCL_KERNEL_MISSING)
            found = VSG_OCL_KERNEL_REFUSED;
        if (build->refused[index] ||
            visage_module_get_kernel(build->module, index, &info) != VISAGE_OK)
            continue;
        if (found == VSG_OCL_KERNEL_THERE && info.num_arguments != num_args)
            return VSG_OCL_KERNEL_REFUSED;
        found = VSG_OCL_KERNEL_THERE;
        num_args = info.num_arguments;
    }
    return found;
}

/* Has a build before this one a kernel of that name? */
static bool was_named(cl_program program, cl_uint build, const char *name)
{
    for (cl_uint i = 0; i < build; i++)
        if (program->builds[i].program &&
            vsg_ocl_find_kernel(&program->builds[i], name) != SIZE_MAX)
            return true;
    return false;
}

void vsg_ocl_program_each_kernel(cl_program program,
                                 bool (*visit)(void *user, const char *name), void *user)
{
    visage_kernel_info info;

    for (cl_uint i = 0; i < program->num_devices; i++) {
        const vsg_ocl_build *build = &program->builds[i];
        for (size_t k = 0; build->program && k < build->num_kernels; k++)
            if (visage_module_get_kernel(build->module, k, &info) == VISAGE_OK &&
                !was_named(program, i, info.name) &&
                vsg_ocl_program_look_for(program, info.name) == VSG_OCL_KERNEL_THERE &&
                !visit(user, info.name))
                return;
    }
}

/* ---- from source ------------------------------------------------------------------------ */

/* The strings as one text; NULL: memory is out. */
static char *join(cl_uint count, const char **strings, const size_t *lengths)
{
    size_t size = 1;
    char *text, *at;

    for (cl_uint i = 0; i < count; i++)
        size += lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
    text = at = malloc(size);
    for (cl_uint i = 0; text && i < count; i++) {
        size_t length = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
        memcpy(at, strings[i], length);
        at += length;
    }
    if (text)
        *at = '\0';
    return text;
}

/* The end of making one: it is the caller's if everything was copied into it. */
static cl_program hand_out(cl_program program, bool is_whole, cl_int *status)
{
    if (is_whole)
        return program;
    vsg_ocl_let_go(program);
    *status = CL_OUT_OF_HOST_MEMORY;
    return NULL;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
                                     const size_t *lengths, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    cl_program program = NULL;
    cl_int status = CL_SUCCESS;

    if (!vsg_ocl_is_context(context))
        status = CL_INVALID_CONTEXT;
    else if (count == 0 || !strings)
        status = CL_INVALID_VALUE;
    for (cl_uint i = 0; status == CL_SUCCESS && i < count; i++)
        if (!strings[i])
            status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS) {
        program = vsg_ocl_program_new(context, VSG_OCL_FROM_SOURCE, context->num_devices,
                                      context->devices);
        if (program)
            program->source = join(count, strings, lengths);
        program = hand_out(program, program && program->source, &status);
    }
    vsg_ocl_result(errcode_ret, status);
    return program;
}

/* ---- from SPIR-V ------------------------------------------------------------------------ */

cl_program clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                 cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    cl_program program = NULL;
    cl_int status = CL_SUCCESS;

    if (!vsg_ocl_is_context(context))
        status = CL_INVALID_CONTEXT;
    else if (!il || length == 0 || !vsg_ocl_is_spirv(il, length))
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS) {
        program = vsg_ocl_program_new(context, VSG_OCL_FROM_IL, context->num_devices,
                                      context->devices);
        if (program && (program->il = malloc(length)) != NULL) {
            memcpy(program->il, il, length);
            program->il_bytes = length;
        }
        program = hand_out(program, program && program->il, &status);
    }
    vsg_ocl_result(errcode_ret, status);
    return program;
}

cl_program clCreateProgramWithILKHR(cl_context context, const void *il, size_t length,
                                    cl_int *errcode_ret)
{
    return clCreateProgramWithIL(context, il, length, errcode_ret);
}

cl_int clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id, size_t spec_size,
                                          const void *spec_value)
{
    VSG_OCL_TRACED;
    cl_int status = CL_SUCCESS;
    size_t at = 0;

    if (!vsg_ocl_is_program(program) || program->origin != VSG_OCL_FROM_IL)
        return CL_INVALID_PROGRAM;
    size_t wanted = vsg_ocl_spirv_constant_bytes(program->il, program->il_bytes, spec_id);
    if (wanted == 0)
        return CL_INVALID_SPEC_ID;
    if (spec_size != wanted || !spec_value || spec_size > 8)
        return CL_INVALID_VALUE;
    (void)pthread_mutex_lock(&program->lock);
    while (at < program->num_constants && program->constants[at].id != spec_id)
        at++;
    if (at == program->num_constants) {
        vsg_ocl_constant *grown = realloc(program->constants, (at + 1) * sizeof *grown);
        if (grown) {
            program->constants = grown;
            program->num_constants++;
        } else {
            status = CL_OUT_OF_HOST_MEMORY;
        }
    }
    if (status == CL_SUCCESS) {
        program->constants[at] = (vsg_ocl_constant){.id = spec_id, .size_bytes = spec_size};
        memcpy(program->constants[at].value, spec_value, spec_size);
    }
    (void)pthread_mutex_unlock(&program->lock);
    return status;
}

/* ---- from binaries ---------------------------------------------------------------------- */

static cl_int check_devices(cl_context context, cl_uint count, const cl_device_id *devices)
{
    if (!devices || count == 0)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++) {
        if (!vsg_ocl_is(devices[i], VSG_OCL_DEVICE) ||
            !vsg_ocl_context_has(context, devices[i]))
            return CL_INVALID_DEVICE;
        for (cl_uint k = 0; k < i; k++)
            if (devices[k] == devices[i])
                return CL_INVALID_DEVICE;
    }
    return CL_SUCCESS;
}

static cl_int read_binaries(cl_program program, const size_t *lengths,
                            const unsigned char **binaries, cl_int *binary_status)
{
    cl_int status = CL_SUCCESS;

    for (cl_uint i = 0; i < program->num_devices; i++) {
        cl_int one = CL_INVALID_VALUE;
        if (binaries[i] && lengths[i] > 0)
            one = vsg_ocl_binary_read(&program->builds[i], binaries[i], lengths[i]);
        if (binary_status)
            binary_status[i] = one;
        if (one != CL_SUCCESS && status == CL_SUCCESS)
            status = one;
    }
    return status;
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                     const cl_device_id *device_list, const size_t *lengths,
                                     const unsigned char **binaries, cl_int *binary_status,
                                     cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    cl_program program = NULL;
    cl_int status = CL_SUCCESS;

    if (!vsg_ocl_is_context(context))
        status = CL_INVALID_CONTEXT;
    else if (!lengths || !binaries)
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS)
        status = check_devices(context, num_devices, device_list);
    if (status == CL_SUCCESS) {
        program = vsg_ocl_program_new(context, VSG_OCL_FROM_BINARY, num_devices, device_list);
        status = program ? read_binaries(program, lengths, binaries, binary_status)
                         : CL_OUT_OF_HOST_MEMORY;
        if (status != CL_SUCCESS) {
            vsg_ocl_let_go(program);
            program = NULL;
        }
    }
    vsg_ocl_result(errcode_ret, status);
    return program;
}

cl_program clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                             const cl_device_id *device_list,
                                             const char *kernel_names, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    cl_int status;

    if (!vsg_ocl_is_context(context))
        status = CL_INVALID_CONTEXT;
    else if ((status = check_devices(context, num_devices, device_list)) == CL_SUCCESS)
        status = CL_INVALID_VALUE; /* no device has built-in kernels */
    (void)kernel_names;
    vsg_ocl_result(errcode_ret, status);
    return NULL;
}

/* ---- counts, callbacks ------------------------------------------------------------------ */

cl_int clRetainProgram(cl_program program)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_program(program))
        return CL_INVALID_PROGRAM;
    vsg_ocl_retain(program);
    return CL_SUCCESS;
}

cl_int clReleaseProgram(cl_program program)
{
    VSG_OCL_TRACED;
    return vsg_ocl_is_program(program) && vsg_ocl_release(program) ? CL_SUCCESS
                                                                   : CL_INVALID_PROGRAM;
}

cl_int clSetProgramReleaseCallback(cl_program program,
                                   void(CL_CALLBACK *pfn_notify)(cl_program program,
                                                                 void *user_data),
                                   void *user_data)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_program(program))
        return CL_INVALID_PROGRAM;
    if (!pfn_notify)
        return CL_INVALID_VALUE;
    /* Deprecated by 2.2, and only for programs with constructors and destructors of
     * program-scope variables, which the compiler does not make. */
    (void)user_data;
    return CL_INVALID_OPERATION;
}

/* ---- information ------------------------------------------------------------------------ */

typedef struct name_list {
    char *text; /* NULL: names are only counted */
    size_t count, length;
} name_list;

static bool add_name(void *user, const char *name)
{
    name_list *list = user;
    size_t size = strlen(name);

    if (list->text && list->count > 0)
        list->text[list->length] = ';';
    list->length += list->count > 0;
    if (list->text)
        memcpy(list->text + list->length, name, size + 1);
    list->length += size;
    list->count++;
    return true;
}

static cl_int answer_kernel_names(const vsg_ocl_query *query, cl_program program)
{
    name_list size = {0}, list = {0};

    vsg_ocl_program_each_kernel(program, add_name, &size);
    list.text = malloc(size.length + 1);
    if (!list.text)
        return CL_OUT_OF_HOST_MEMORY;
    list.text[0] = '\0';
    vsg_ocl_program_each_kernel(program, add_name, &list);
    cl_int status = vsg_ocl_answer_string(query, list.text);
    free(list.text);
    return status;
}

static cl_int answer_num_kernels(const vsg_ocl_query *query, cl_program program)
{
    name_list all = {0};

    vsg_ocl_program_each_kernel(program, add_name, &all);
    return vsg_ocl_answer_size(query, all.count);
}

static cl_int answer_binary_sizes(const vsg_ocl_query *query, cl_program program)
{
    size_t *sizes = calloc(program->num_devices, sizeof *sizes);

    if (!sizes)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < program->num_devices; i++)
        sizes[i] = vsg_ocl_binary_write(&program->builds[i], NULL, 0);
    cl_int status = vsg_ocl_answer(query, sizes, program->num_devices * sizeof *sizes);
    free(sizes);
    return status;
}

/* The answer is written to where the given pointers point. */
static cl_int answer_binaries(const vsg_ocl_query *query, cl_program program)
{
    size_t size = program->num_devices * sizeof(unsigned char *);
    unsigned char **places = query->value;

    if (places && query->size_bytes < size)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; places && i < program->num_devices; i++)
        if (places[i])
            (void)vsg_ocl_binary_write(&program->builds[i], places[i], SIZE_MAX);
    if (query->size_ret)
        *query->size_ret = size;
    return CL_SUCCESS;
}

/* What is asked about the builds. The program is locked. */
static cl_int answer_of_builds(const vsg_ocl_query *query, cl_program program,
                               cl_program_info name)
{
    if (name == CL_PROGRAM_BINARY_SIZES)
        return answer_binary_sizes(query, program);
    if (name == CL_PROGRAM_BINARIES)
        return answer_binaries(query, program);
    if (!vsg_ocl_program_any_executable(program))
        return CL_INVALID_PROGRAM_EXECUTABLE;
    return name == CL_PROGRAM_NUM_KERNELS ? answer_num_kernels(query, program)
                                          : answer_kernel_names(query, program);
}

cl_int clGetProgramInfo(cl_program program, cl_program_info param_name, size_t param_value_size,
                        void *param_value, size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_query query = {param_value_size, param_value, param_value_size_ret};
    cl_int status;

    if (!vsg_ocl_is_program(program))
        return CL_INVALID_PROGRAM;
    switch (param_name) {
    case CL_PROGRAM_REFERENCE_COUNT:
        return vsg_ocl_answer_uint(&query, vsg_ocl_references(program));
    case CL_PROGRAM_CONTEXT:
        return vsg_ocl_answer_pointer(&query, program->context);
    case CL_PROGRAM_NUM_DEVICES:
        return vsg_ocl_answer_uint(&query, program->num_devices);
    case CL_PROGRAM_DEVICES:
        return vsg_ocl_answer(&query, program->devices,
                              program->num_devices * sizeof *program->devices);
    case CL_PROGRAM_SOURCE:
        return vsg_ocl_answer_string(&query, program->source ? program->source : "");
    case CL_PROGRAM_IL:
        return vsg_ocl_answer(&query, program->il, program->il_bytes);
    case CL_PROGRAM_BINARY_SIZES:
    case CL_PROGRAM_BINARIES:
    case CL_PROGRAM_NUM_KERNELS:
    case CL_PROGRAM_KERNEL_NAMES:
        (void)pthread_mutex_lock(&program->lock);
        status = answer_of_builds(&query, program, param_name);
        (void)pthread_mutex_unlock(&program->lock);
        return status;
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
    case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
        return vsg_ocl_answer_uint(&query, CL_FALSE);
    default:
        return CL_INVALID_VALUE;
    }
}

/* The program is locked. */
static cl_int answer_of_build(const vsg_ocl_query *query, const vsg_ocl_build *build,
                              cl_program_build_info name)
{
    switch (name) {
    case CL_PROGRAM_BUILD_STATUS:
        return vsg_ocl_answer(query, &build->status, sizeof build->status);
    case CL_PROGRAM_BUILD_OPTIONS:
        return vsg_ocl_answer_string(query, build->options ? build->options : "");
    case CL_PROGRAM_BUILD_LOG:
        return vsg_ocl_answer_string(query, build->log ? build->log : "");
    case CL_PROGRAM_BINARY_TYPE:
        return vsg_ocl_answer_uint(query, build->type);
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
        return vsg_ocl_answer_size(
            query, build->program ? visage_program_global_bytes(build->program) : 0);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device,
                             cl_program_build_info param_name, size_t param_value_size,
                             void *param_value, size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    const vsg_ocl_query query = {param_value_size, param_value, param_value_size_ret};
    const vsg_ocl_build *build;

    if (!vsg_ocl_is_program(program))
        return CL_INVALID_PROGRAM;
    if (!vsg_ocl_is(device, VSG_OCL_DEVICE) ||
        (build = vsg_ocl_program_build(program, device)) == NULL)
        return CL_INVALID_DEVICE;
    (void)pthread_mutex_lock(&program->lock);
    cl_int status = answer_of_build(&query, build, param_name);
    (void)pthread_mutex_unlock(&program->lock);
    return status;
}
