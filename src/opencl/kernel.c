/* SPDX-License-Identifier: MIT
 *
 * Making kernels, and setting their arguments. */
#include "opencl/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/environment.h"
#include "opencl/trace.h"

/* ---- what runs it ----------------------------------------------------------------------- */

vsg_ocl_kernel_on *vsg_ocl_kernel_find(cl_kernel kernel, cl_device_id device)
{
    for (cl_uint i = 0; i < kernel->program->num_devices; i++)
        if (kernel->program->devices[i] == device)
            return kernel->on[i].build ? &kernel->on[i] : NULL;
    return NULL;
}

char *vsg_ocl_tell(const visage_diagnostics *diagnostics)
{
    char line[2048];
    char *text = NULL;
    size_t length = 0;

    for (size_t i = 0; i < visage_diagnostics_count(diagnostics) && i < 100; i++) {
        const visage_diagnostic *one = visage_diagnostics_get(diagnostics, i);
        if (one->severity == VISAGE_SEVERITY_NOTE)
            continue;
        (void)visage_diagnostic_render(one, false, line, sizeof line);
        size_t more = strlen(line);
        char *grown = realloc(text, length + more + 2);
        if (!grown)
            break;
        text = grown;
        if (length)
            text[length++] = '\n';
        memcpy(text + length, line, more + 1);
        length += more;
    }
    return text;
}

/* What kernels print goes where the application's own printf() goes. */
static bool print(void *user, const void *data, size_t size_bytes)
{
    (void)user;
    return fwrite(data, 1, size_bytes, stdout) == size_bytes;
}

static void runner_free(vsg_ocl_runner *runner)
{
    visage_launch_destroy(&runner->launch);
    visage_diagnostics_destroy(&runner->diagnostics);
    free(runner);
}

static void free_runners(vsg_ocl_kernel_on *on)
{
    vsg_ocl_runner *runner = atomic_load(&on->at_hand);

    if (runner)
        runner_free(runner);
    while ((runner = on->idle) != NULL) {
        on->idle = runner->next;
        runner_free(runner);
    }
}

static visage_run_options run_options(void)
{
    const vsg_ocl_environment *environment = vsg_ocl_environment_get();
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);

    options.print = print;
    options.engine = environment->engine;
    options.check = environment->is_checked;
    options.reads_behind = !environment->is_checked;
    return options;
}

static vsg_ocl_runner *runner_new(cl_kernel kernel, vsg_ocl_kernel_on *on, char **reason)
{
    vsg_ocl_runner *runner = calloc(1, sizeof *runner);
    visage_context *library = vsg_ocl_library();

    if (!runner || !library)
        goto failed;
    runner->options = run_options();
    if (visage_diagnostics_create(library, &runner->diagnostics) != VISAGE_OK)
        goto failed;
    if (visage_launch_create(on->build->program, kernel->name, runner->diagnostics,
                             &runner->launch) == VISAGE_OK)
        return runner;
    *reason = vsg_ocl_tell(runner->diagnostics);

failed:
    if (runner)
        runner_free(runner);
    return NULL;
}

vsg_ocl_runner *vsg_ocl_runner_take(cl_kernel kernel, vsg_ocl_kernel_on *on, char **reason)
{
    vsg_ocl_runner *runner = atomic_exchange_explicit(&on->at_hand, NULL, memory_order_acquire);

    *reason = NULL;
    if (runner)
        return runner;
    (void)pthread_mutex_lock(&kernel->lock);
    runner = on->idle;
    if (runner)
        on->idle = runner->next;
    (void)pthread_mutex_unlock(&kernel->lock);
    return runner ? runner : runner_new(kernel, on, reason);
}

void vsg_ocl_runner_give_back(cl_kernel kernel, vsg_ocl_kernel_on *on, vsg_ocl_runner *runner)
{
    vsg_ocl_runner *none = NULL;

    visage_diagnostics_clear(runner->diagnostics);
    runner->next = NULL;
    if (atomic_compare_exchange_strong_explicit(&on->at_hand, &none, runner,
                                                memory_order_release, memory_order_relaxed))
        return;
    (void)pthread_mutex_lock(&kernel->lock);
    runner->next = on->idle;
    on->idle = runner;
    (void)pthread_mutex_unlock(&kernel->lock);
}

/* ---- making ----------------------------------------------------------------------------- */

static void clear_arg(vsg_ocl_arg *arg)
{
    vsg_ocl_watch_end(arg->memory);
    vsg_ocl_watch_end(arg->sampler);
    *arg = (vsg_ocl_arg){.bytes = arg->bytes};
}

static void destroy(void *object)
{
    cl_kernel kernel = object;

    for (cl_uint i = 0; kernel->args && i < kernel->num_args; i++)
        clear_arg(&kernel->args[i]);
    for (cl_uint i = 0; kernel->on && i < kernel->program->num_devices; i++)
        free_runners(&kernel->on[i]);
    free(kernel->on);
    free(kernel->infos);
    free(kernel->args);
    free(kernel->values);
    free(kernel->name);
    if (kernel->has_lock)
        (void)pthread_mutex_destroy(&kernel->lock);
    (void)atomic_fetch_sub(&kernel->program->num_kernels, 1);
    vsg_ocl_let_go(kernel->program);
    vsg_ocl_object_delete(kernel);
}

/* Room for the arguments, of which the compiler has told. */
static bool describe_args(cl_kernel kernel)
{
    const vsg_ocl_kernel_on *any = kernel->any;
    size_t count = any->info.num_arguments;

    kernel->infos = calloc(count + 1, sizeof *kernel->infos);
    kernel->args = calloc(count + 1, sizeof *kernel->args);
    if (!kernel->infos || !kernel->args)
        return false;
    for (size_t i = 0; i < count; i++) {
        visage_argument_info *info = &kernel->infos[i];
        if (visage_module_get_argument(any->build->module, any->index, i, info) != VISAGE_OK)
            return false;
        kernel->num_values += info->size_bytes;
    }
    kernel->num_args = (cl_uint)count;
    kernel->values = malloc(kernel->num_values + 1);
    if (!kernel->values)
        return false;
    uint8_t *at = kernel->values;
    for (size_t i = 0; i < count; i++) {
        kernel->args[i].bytes = at;
        at += kernel->infos[i].size_bytes;
    }
    return true;
}

/* NULL: memory is out. */
static cl_kernel make(cl_program program, const char *name)
{
    cl_kernel kernel = vsg_ocl_object_new(sizeof *kernel, VSG_OCL_KERNEL, destroy);

    if (!kernel)
        return NULL;
    vsg_ocl_hold(program);
    (void)atomic_fetch_add(&program->num_kernels, 1);
    kernel->program = program;
    kernel->version = 1;
    kernel->name = strdup(name);
    kernel->on = calloc(program->num_devices, sizeof *kernel->on);
    kernel->has_lock = pthread_mutex_init(&kernel->lock, NULL) == 0;
    if (!kernel->name || !kernel->on || !kernel->has_lock) {
        destroy(kernel);
        return NULL;
    }
    for (cl_uint i = 0; i < program->num_devices; i++) {
        vsg_ocl_kernel_on *on = &kernel->on[i];
        const vsg_ocl_build *build = &program->builds[i];
        if (build->status != CL_BUILD_SUCCESS || !build->program)
            continue;
        on->index = vsg_ocl_find_kernel(build, name);
        if (on->index == SIZE_MAX || build->refused[on->index] ||
            visage_module_get_kernel(build->module, on->index, &on->info) != VISAGE_OK)
            continue;
        on->build = build;
        on->is_uneven = !build->is_uniform;
        if (!kernel->any)
            kernel->any = on;
    }
    if (kernel->any && describe_args(kernel))
        return kernel;
    destroy(kernel);
    return NULL;
}

/* Says why a build's kernel is refused: what the verifier found. */
static void tell_refusal(cl_program program, const vsg_ocl_build *build, const char *name)
{
    visage_context *library = vsg_ocl_library();
    visage_diagnostics *list = NULL;
    visage_launch *launch = NULL;
    char *reason = NULL, *text = NULL;

    if (library && visage_diagnostics_create(library, &list) == VISAGE_OK &&
        visage_launch_create(build->program, name, list, &launch) != VISAGE_OK)
        reason = vsg_ocl_tell(list);
    size_t size = strlen(name) + (reason ? strlen(reason) : 0) + 64;
    if (reason && (text = malloc(size)) != NULL) {
        (void)snprintf(text, size, "kernel \"%s\" cannot be run on %s:\n%s", name,
                       build->device->facts->key, reason);
        vsg_ocl_context_notify(program->context, text);
    }
    free(text);
    free(reason);
    visage_launch_destroy(&launch);
    visage_diagnostics_destroy(&list);
}

static void tell_refusals(cl_program program, const char *name)
{
    for (cl_uint i = 0; i < program->num_devices; i++) {
        const vsg_ocl_build *build = &program->builds[i];
        size_t index = build->program ? vsg_ocl_find_kernel(build, name) : SIZE_MAX;
        if (index != SIZE_MAX && build->refused[index])
            tell_refusal(program, build, name);
    }
}

static cl_int create(cl_program program, const char *name, cl_kernel *out)
{
    if (!vsg_ocl_program_any_executable(program))
        return CL_INVALID_PROGRAM_EXECUTABLE;
    vsg_ocl_presence found = vsg_ocl_program_look_for(program, name);
    tell_refusals(program, name);
    if (found == VSG_OCL_KERNEL_MISSING)
        return CL_INVALID_KERNEL_NAME;
    if (found == VSG_OCL_KERNEL_REFUSED)
        return CL_INVALID_KERNEL_DEFINITION;
    *out = make(program, name);
    return *out ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

cl_kernel clCreateKernel(cl_program program, const char *kernel_name, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    cl_kernel kernel = NULL;
    cl_int status = CL_SUCCESS;

    if (!vsg_ocl_is_program(program))
        status = CL_INVALID_PROGRAM;
    else if (!kernel_name)
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS) {
        /* Programs give clBuildProgram() a callback and go on at once, since drivers build
         * before they return all the same. */
        vsg_ocl_program_open(program);
        status = create(program, kernel_name, &kernel);
        vsg_ocl_program_close(program);
    }
    vsg_ocl_result(errcode_ret, status);
    return kernel;
}

/* Kernels of a program; `kernels` NULL: they are only counted. */
typedef struct creation {
    cl_program program;
    cl_kernel *kernels;
    cl_uint count;
    cl_int status;
} creation;

static bool create_one(void *user, const char *name)
{
    creation *all = user;

    if (all->kernels)
        all->status = create(all->program, name, &all->kernels[all->count]);
    all->count += all->status == CL_SUCCESS;
    return all->status == CL_SUCCESS;
}

/* All that can be run; the program is open. */
static cl_int create_all(cl_program program, cl_uint num_kernels, cl_kernel *kernels,
                         cl_uint *num_kernels_ret)
{
    creation wanted = {.program = program}, made = {.program = program, .kernels = kernels};

    if (!vsg_ocl_program_any_executable(program))
        return CL_INVALID_PROGRAM_EXECUTABLE;
    vsg_ocl_program_each_kernel(program, create_one, &wanted);
    if (kernels && num_kernels < wanted.count)
        return CL_INVALID_VALUE;
    if (num_kernels_ret)
        *num_kernels_ret = wanted.count;
    if (kernels)
        vsg_ocl_program_each_kernel(program, create_one, &made);
    while (made.status != CL_SUCCESS && made.count > 0)
        (void)vsg_ocl_release(kernels[--made.count]);
    return made.status;
}

cl_int clCreateKernelsInProgram(cl_program program, cl_uint num_kernels, cl_kernel *kernels,
                                cl_uint *num_kernels_ret)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_program(program))
        return CL_INVALID_PROGRAM;
    vsg_ocl_program_open(program);
    cl_int status = create_all(program, num_kernels, kernels, num_kernels_ret);
    vsg_ocl_program_close(program);
    return status;
}

cl_kernel clCloneKernel(cl_kernel source_kernel, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    cl_kernel kernel = NULL;
    cl_int status = CL_INVALID_KERNEL;

    if (vsg_ocl_is_kernel(source_kernel)) {
        kernel = make(source_kernel->program, source_kernel->name);
        status = kernel ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    }
    if (kernel) {
        (void)pthread_mutex_lock(&source_kernel->lock);
        memcpy(kernel->values, source_kernel->values, kernel->num_values);
        for (cl_uint i = 0; i < kernel->num_args; i++) {
            uint8_t *bytes = kernel->args[i].bytes;
            kernel->args[i] = source_kernel->args[i];
            kernel->args[i].bytes = bytes;
            vsg_ocl_watch(kernel->args[i].memory);
            vsg_ocl_watch(kernel->args[i].sampler);
        }
        (void)pthread_mutex_unlock(&source_kernel->lock);
    }
    vsg_ocl_result(errcode_ret, status);
    return kernel;
}

cl_int clRetainKernel(cl_kernel kernel)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_kernel(kernel))
        return CL_INVALID_KERNEL;
    vsg_ocl_retain(kernel);
    return CL_SUCCESS;
}

cl_int clReleaseKernel(cl_kernel kernel)
{
    VSG_OCL_TRACED;
    return vsg_ocl_is_kernel(kernel) && vsg_ocl_release(kernel) ? CL_SUCCESS
                                                                : CL_INVALID_KERNEL;
}

/* ---- arguments -------------------------------------------------------------------------- */

/* Does an argument have a value already? What is watched keeps its place: no other object can
 * have come to it. */
static bool has(const vsg_ocl_arg *arg, const vsg_ocl_arg *value)
{
    return arg->is_set && arg->is_pointer == value->is_pointer &&
           arg->memory == value->memory && arg->sampler == value->sampler &&
           arg->pointer == value->pointer && arg->size_bytes == value->size_bytes &&
           (!value->bytes || memcmp(arg->bytes, value->bytes, value->size_bytes) == 0);
}

static void set(cl_kernel kernel, cl_uint index, const vsg_ocl_arg *value)
{
    vsg_ocl_arg *arg = &kernel->args[index];
    vsg_ocl_arg old;

    (void)pthread_mutex_lock(&kernel->lock);
    if (has(arg, value)) {
        (void)pthread_mutex_unlock(&kernel->lock);
        return;
    }
    vsg_ocl_watch(value->memory);
    vsg_ocl_watch(value->sampler);
    old = *arg;
    *arg = *value;
    arg->is_set = true;
    arg->bytes = old.bytes;
    kernel->version++;
    if (value->bytes)
        memcpy(arg->bytes, value->bytes, value->size_bytes);
    (void)pthread_mutex_unlock(&kernel->lock);
    clear_arg(&old);
}

static bool is_pipe(const visage_argument_info *info)
{
    return info->type_qualifiers && strstr(info->type_qualifiers, "pipe");
}

/* The images that arguments are declared to be, as the compiler writes it: "image2d_t;8". */
static const struct {
    const char *name;
    cl_mem_object_type type;
    bool is_depth;
} image_types[] = {
    {"image1d_t", CL_MEM_OBJECT_IMAGE1D, false},
    {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER, false},
    {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, false},
    {"image2d_t", CL_MEM_OBJECT_IMAGE2D, false},
    {"image2d_depth_t", CL_MEM_OBJECT_IMAGE2D, true},
    {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, false},
    {"image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, true},
    {"image3d_t", CL_MEM_OBJECT_IMAGE3D, false},
};

/* Is an image what an argument is declared to be, as far as that is known? */
static bool is_declared(const visage_argument_info *info, cl_mem image)
{
    size_t length = info->type_name ? strcspn(info->type_name, ";") : 0;

    for (size_t i = 0; i < sizeof image_types / sizeof *image_types; i++)
        if (strlen(image_types[i].name) == length &&
            strncmp(image_types[i].name, info->type_name, length) == 0)
            return image_types[i].type == image->type &&
                   (!image_types[i].is_depth ||
                    image->format.cl.image_channel_order == CL_DEPTH);
    return true;
}

static cl_int set_memory(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    bool wants_image = kernel->infos[index].kind == VISAGE_ARGUMENT_IMAGE;
    bool wants_pipe = is_pipe(&kernel->infos[index]);
    vsg_ocl_arg arg = {0};

    if (size != sizeof(cl_mem))
        return CL_INVALID_ARG_SIZE;
    if (value)
        memcpy(&arg.memory, value, sizeof arg.memory);
    if (!arg.memory && (wants_image || wants_pipe))
        return CL_INVALID_ARG_VALUE;
    if (arg.memory &&
        (!vsg_ocl_is_memory(arg.memory) || arg.memory->context != kernel->program->context ||
         vsg_ocl_is_image(arg.memory) != wants_image ||
         vsg_ocl_is_pipe(arg.memory) != wants_pipe))
        return CL_INVALID_MEM_OBJECT;
    if (wants_image) {
        const char *access = kernel->infos[index].access_qualifier;
        cl_mem_flags flags = arg.memory->flags;
        if (!is_declared(&kernel->infos[index], arg.memory))
            return CL_INVALID_ARG_VALUE;
        if (access && ((strcmp(access, "__read_only") == 0 && (flags & CL_MEM_WRITE_ONLY)) ||
                       (strcmp(access, "__write_only") == 0 && (flags & CL_MEM_READ_ONLY))))
            return CL_INVALID_ARG_VALUE;
    }
    set(kernel, index, &arg);
    return CL_SUCCESS;
}

static cl_int set_sampler(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    vsg_ocl_arg arg = {0};

    if (size != sizeof(cl_sampler))
        return CL_INVALID_ARG_SIZE;
    if (!value)
        return CL_INVALID_SAMPLER;
    memcpy(&arg.sampler, value, sizeof arg.sampler);
    if (!vsg_ocl_is_sampler(arg.sampler) || arg.sampler->context != kernel->program->context)
        return CL_INVALID_SAMPLER;
    set(kernel, index, &arg);
    return CL_SUCCESS;
}

static cl_int set_local(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    const vsg_ocl_arg arg = {.size_bytes = size};

    if (value)
        return CL_INVALID_ARG_VALUE;
    if (size == 0)
        return CL_INVALID_ARG_SIZE;
    set(kernel, index, &arg);
    return CL_SUCCESS;
}

enum { LARGEST_OF_THREE = 4 * sizeof(cl_double) };

static bool is_vector_of_three(const visage_argument_info *info)
{
    /* As the compiler writes it: "float3;16". */
    const char *end = info->type_name ? strchr(info->type_name, ';') : NULL;

    return end && end > info->type_name && end[-1] == '3' &&
           info->size_bytes <= LARGEST_OF_THREE;
}

static cl_int set_value(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    const visage_argument_info *info = &kernel->infos[index];
    vsg_ocl_arg arg = {.bytes = (uint8_t *)(uintptr_t)value, .size_bytes = size};
    uint8_t whole[LARGEST_OF_THREE] = {0};

    if (!value)
        return CL_INVALID_ARG_VALUE;
    /* Vectors of three have the size of four. Other drivers take those without the fourth,
     * which programs give that have arrays of theirs. */
    if (size != info->size_bytes && size * 4 == info->size_bytes * 3 &&
        is_vector_of_three(info)) {
        memcpy(whole, value, size);
        arg = (vsg_ocl_arg){.bytes = whole, .size_bytes = info->size_bytes};
    }
    if (arg.size_bytes != info->size_bytes)
        return CL_INVALID_ARG_SIZE;
    set(kernel, index, &arg);
    return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                      const void *arg_value)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_kernel(kernel))
        return CL_INVALID_KERNEL;
    if (arg_index >= kernel->num_args)
        return CL_INVALID_ARG_INDEX;
    switch (kernel->infos[arg_index].kind) {
    case VISAGE_ARGUMENT_BUFFER:
    case VISAGE_ARGUMENT_IMAGE:
        return set_memory(kernel, arg_index, arg_size, arg_value);
    case VISAGE_ARGUMENT_SAMPLER:
        return set_sampler(kernel, arg_index, arg_size, arg_value);
    case VISAGE_ARGUMENT_LOCAL:
        return set_local(kernel, arg_index, arg_size, arg_value);
    default:
        return set_value(kernel, arg_index, arg_size, arg_value);
    }
}

cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index, const void *arg_value)
{
    VSG_OCL_TRACED;
    const vsg_ocl_arg arg = {.is_pointer = true, .pointer = arg_value};
    vsg_ocl_svm svm;

    if (!vsg_ocl_is_kernel(kernel))
        return CL_INVALID_KERNEL;
    if (arg_index >= kernel->num_args)
        return CL_INVALID_ARG_INDEX;
    if (kernel->infos[arg_index].kind != VISAGE_ARGUMENT_BUFFER ||
        (arg_value && !vsg_ocl_svm_find(kernel->program->context, arg_value, &svm)))
        return CL_INVALID_ARG_VALUE;
    set(kernel, arg_index, &arg);
    return CL_SUCCESS;
}

/* Every kernel may use every allocation: they are all in the memory of all devices. */
cl_int clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name,
                           size_t param_value_size, const void *param_value)
{
    VSG_OCL_TRACED;
    if (!vsg_ocl_is_kernel(kernel))
        return CL_INVALID_KERNEL;
    /* No pointers at all undo those that were set before. */
    bool are_pointers = param_name == CL_KERNEL_EXEC_INFO_SVM_PTRS ||
                        param_name == CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL;
    if ((param_value != NULL) != (param_value_size > 0) || (!param_value && !are_pointers))
        return CL_INVALID_VALUE;
    switch (param_name) {
    case CL_KERNEL_EXEC_INFO_SVM_PTRS:
    case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
        return param_value_size % sizeof(void *) == 0 ? CL_SUCCESS : CL_INVALID_VALUE;
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM: {
        cl_bool wanted;
        if (param_value_size != sizeof wanted)
            return CL_INVALID_VALUE;
        memcpy(&wanted, param_value, sizeof wanted);
        return wanted ? CL_INVALID_OPERATION : CL_SUCCESS;
    }
    case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
        return param_value_size == sizeof(cl_bool) ? CL_SUCCESS : CL_INVALID_VALUE;
    default:
        return CL_INVALID_VALUE;
    }
}

size_t vsg_ocl_kernel_local_bytes(cl_kernel kernel)
{
    size_t bytes = 0;

    for (cl_uint i = 0; i < kernel->num_args; i++)
        if (kernel->infos[i].kind == VISAGE_ARGUMENT_LOCAL && kernel->args[i].is_set)
            bytes += kernel->args[i].size_bytes;
    return bytes;
}
