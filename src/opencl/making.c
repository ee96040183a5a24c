/* SPDX-License-Identifier: MIT */
#include "opencl/making.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/store.h"
#include "opencl/includes.h"
#include "opencl/prelude.h"
#include "opencl/wire.h"

enum { MOST_MODULES = 4096 };

/* One for the process, opened when the first program is built; never written to again. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static vsg_base_store *store;

static void open_store(void)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();

    store = vsg_base_store_open(&alloc, NULL, 0);
}

/* ---- what is kept ----------------------------------------------------------------------- */

static void put_files(vsg_ocl_wire *key, const vsg_ocl_file *files, size_t count)
{
    vsg_ocl_wire_put_number(key, count);
    for (size_t i = 0; i < count; i++) {
        vsg_ocl_wire_put_text(key, files[i].name);
        vsg_ocl_wire_put_bytes(key, files[i].data, files[i].size_bytes);
    }
}

/* All that a call's result depends on, but for what its sources include. */
static void write_key(vsg_ocl_wire *key, const vsg_ocl_call *call)
{
    vsg_ocl_wire_put_text(key, "opencl program " VISAGE_VERSION_STRING);
    vsg_ocl_wire_put_text(key, vsg_ocl_compiler_identity());
    vsg_ocl_wire_put_number(key, call->num_arguments);
    for (size_t i = 0; i < call->num_arguments; i++)
        vsg_ocl_wire_put_text(key, call->arguments[i]);
    put_files(key, call->sources, call->num_sources);
    put_files(key, call->headers, call->num_headers);
}

static bool copy_bytes(const vsg_base_alloc *alloc, vsg_ocl_wire *from, void **to, size_t *size)
{
    size_t bytes;
    const char *data = vsg_ocl_wire_take_bytes(from, &bytes);

    if (from->failed || bytes == 0)
        return !from->failed;
    *to = vsg_base_new(alloc, bytes, 1);
    if (!*to)
        return false;
    memcpy(*to, data, bytes);
    *size = bytes;
    return true;
}

static bool find_kept(const vsg_ocl_wire *key, vsg_ocl_output *out)
{
    void *data;
    size_t size;

    *out = (vsg_ocl_output){.alloc = vsg_base_alloc_default()};
    if (!vsg_base_store_find(store, key->data, key->size_bytes, &data, &size))
        return false;
    vsg_ocl_wire wire = {
        .alloc = &out->alloc, .data = data, .size_bytes = size, .capacity = size};
    bool good = copy_bytes(&out->alloc, &wire, (void **)&out->log, &out->log_bytes) &&
                copy_bytes(&out->alloc, &wire, &out->data, &out->size_bytes) && out->data;
    vsg_ocl_wire_fini(&wire);
    if (!good)
        vsg_ocl_output_free(out);
    return good;
}

static void keep(const vsg_ocl_wire *key, const vsg_ocl_output *output)
{
    vsg_ocl_wire wire;

    vsg_ocl_wire_init(&wire, &output->alloc);
    vsg_ocl_wire_put_bytes(&wire, output->log, output->log_bytes);
    vsg_ocl_wire_put_bytes(&wire, output->data, output->size_bytes);
    if (!wire.failed)
        (void)vsg_base_store_put(store, key->data, key->size_bytes, wire.data, wire.size_bytes);
    vsg_ocl_wire_fini(&wire);
}

/* Calls the compiler unless the result is at hand. include: where to look for what the first
 * source includes; NULL: it is no text. */
static vsg_ocl_compiled make(const vsg_ocl_call *call, const char *include, bool may_keep,
                             const char *wanted, vsg_ocl_output *out)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_ocl_wire key;

    (void)pthread_once(&once, open_store);
    vsg_ocl_wire_init(&key, &alloc);
    write_key(&key, call);
    if (include)
        may_keep = may_keep && vsg_ocl_includes_add(&key, call->sources[0].data, include);
    may_keep = may_keep && !key.failed && *vsg_ocl_compiler_identity();
    vsg_ocl_compiled result = VSG_OCL_COMPILED;
    if (!may_keep || !find_kept(&key, out)) {
        result = vsg_ocl_compile(call, wanted, out);
        if (may_keep && result == VSG_OCL_COMPILED)
            keep(&key, out);
    }
    vsg_ocl_wire_fini(&key);
    return result;
}

/* ---- the steps -------------------------------------------------------------------------- */

/* Double precision made of integers is the code generator's business, and has to be asked for.
 * Free the result. */
static char *with_device(cl_device_id device, const char *options)
{
    bool is_made = (device->facts->has & VSG_OCL_FP64_MADE) &&
                   vsg_ocl_device_has(device, VSG_OCL_FP64) && !strstr(options, "-igc_opts");
    const char *more = is_made ? " -igc_opts 'EnableDPEmulation=1'" : "";
    size_t size = strlen(options) + strlen(more) + 1;
    char *text = malloc(size);

    if (text)
        (void)snprintf(text, size, "%s%s", options, more);
    return text;
}

static vsg_ocl_compiled no_memory(vsg_ocl_output *out)
{
    *out = (vsg_ocl_output){.alloc = vsg_base_alloc_default()};
    return VSG_OCL_NO_MEMORY;
}

/* A step of the compiler's. */
typedef struct step {
    const char *form;                /* what it is told of input or output; NULL: nothing */
    bool makes_code;                 /* else SPIR-V */
    const char *options;             /* the program's */
    const vsg_ocl_options *language; /* by which the internal ones are chosen */
    const vsg_ocl_file *source;      /* without data: memory is out */
    const vsg_ocl_file *headers;
    size_t num_headers;
    const char *folders; /* where to look for what the source includes; NULL: it is no text */
    bool may_keep;
} step;

static const char *header_options(const step *s)
{
    bool is_text = s->folders != NULL;

    return is_text && !s->language->is_apart ? s->language->header_text : NULL;
}

static vsg_ocl_compiled take_step(cl_device_id device, const step *s, vsg_ocl_output *out)
{
    char *internal = vsg_ocl_internal_options(device, s->language);
    char *own = s->makes_code ? with_device(device, s->options) : strdup(s->options);
    const char *arguments[13];
    size_t count = 0;
    vsg_ocl_compiled result;

    arguments[count++] = "compile";
    arguments[count++] = "-q";
    if (s->form)
        arguments[count++] = s->form;
    arguments[count++] = "-file";
    arguments[count++] = s->source->name;
    arguments[count++] = "-device";
    arguments[count++] = device->facts->compiler;
    if (s->makes_code) {
        arguments[count++] = "--format";
        arguments[count++] = "zebin";
    }
    arguments[count++] = "-options";
    arguments[count++] = own;
    arguments[count++] = "-internal_options";
    arguments[count++] = internal;
    const vsg_ocl_call call = {.arguments = arguments,
                               .num_arguments = count,
                               .sources = s->source,
                               .num_sources = 1,
                               .headers = s->headers,
                               .num_headers = s->num_headers,
                               .header_options = header_options(s),
                               .macros = s->language->macros,
                               .folders = s->folders};
    if (internal && own && s->source->data)
        result = make(&call, s->folders, s->may_keep, s->makes_code ? ".bin" : ".spv", out);
    else
        result = no_memory(out);
    free(own);
    free(internal);
    return result;
}

vsg_ocl_compiled vsg_ocl_make_of_source(cl_device_id device, const vsg_ocl_options *options,
                                        const char *source, vsg_ocl_output *out)
{
    char *made;
    const char *whole = vsg_ocl_complete(source, options, &made);
    const vsg_ocl_file file = {"program.cl", whole, whole ? strlen(whole) : 0, true};
    const step code = {.makes_code = true,
                       .options = options->text,
                       .language = options,
                       .source = &file,
                       .folders = options->folders,
                       .may_keep = !options->is_odd};
    vsg_ocl_compiled result = take_step(device, &code, out);

    free(made);
    return result;
}

vsg_ocl_compiled vsg_ocl_make_spirv(cl_device_id device, const vsg_ocl_options *options,
                                    const char *source, const vsg_ocl_file *headers,
                                    size_t num_headers, vsg_ocl_output *out)
{
    char *made;
    const char *whole = vsg_ocl_complete(source, options, &made);
    const vsg_ocl_file file = {"program.cl", whole, whole ? strlen(whole) : 0, true};
    step spirv = {.form = "-spv_only",
                  .options = options->text,
                  .language = options,
                  .source = &file,
                  .headers = headers,
                  .num_headers = num_headers,
                  .folders = options->folders,
                  .may_keep = !options->is_odd};

    /* Headers given by the program may include files of the disk as well. */
    for (size_t i = 0; i < num_headers && spirv.may_keep; i++)
        spirv.may_keep = vsg_ocl_includes_none(headers[i].data);
    vsg_ocl_compiled result = take_step(device, &spirv, out);
    free(made);
    return result;
}

/* Several modules as one, in LLVM's form. */
static vsg_ocl_compiled link_modules(const vsg_ocl_file *modules, size_t num_modules,
                                     vsg_ocl_output *out)
{
    enum { FIXED = 5 };
    const char **arguments = calloc(FIXED + 2 * num_modules, sizeof *arguments);
    vsg_ocl_call call = {
        .arguments = arguments, .sources = modules, .num_sources = num_modules};

    if (!arguments)
        return no_memory(out);
    arguments[call.num_arguments++] = "link";
    for (size_t i = 0; i < num_modules; i++) {
        arguments[call.num_arguments++] = "-file";
        arguments[call.num_arguments++] = modules[i].name;
    }
    arguments[call.num_arguments++] = "-out_format";
    arguments[call.num_arguments++] = "LLVM_BC";
    arguments[call.num_arguments++] = "-out";
    arguments[call.num_arguments++] = "linked.bc";
    vsg_ocl_compiled result = make(&call, NULL, true, ".bc", out);
    free(arguments);
    return result;
}

static vsg_ocl_compiled generate(cl_device_id device, const char *options, const char *form,
                                 const vsg_ocl_file *module, vsg_ocl_output *out)
{
    const vsg_ocl_options plain = {.version = 300};
    const step code = {.form = form,
                       .makes_code = true,
                       .options = options,
                       .language = &plain,
                       .source = module,
                       .may_keep = true};

    return take_step(device, &code, out);
}

vsg_ocl_compiled vsg_ocl_make_of_spirv(cl_device_id device, const char *options,
                                       const vsg_ocl_file *modules, size_t num_modules,
                                       vsg_ocl_output *out)
{
    vsg_ocl_output linked;
    char(*names)[16] = num_modules <= MOST_MODULES ? calloc(num_modules, sizeof *names) : NULL;
    vsg_ocl_file *files = calloc(num_modules, sizeof *files);
    vsg_ocl_compiled result = VSG_OCL_NO_MEMORY;

    if (!names || !files) {
        result = no_memory(out);
        goto done;
    }
    for (size_t i = 0; i < num_modules; i++) {
        (void)snprintf(names[i], sizeof names[i], "part%zu.spv", i);
        files[i] = (vsg_ocl_file){names[i], modules[i].data, modules[i].size_bytes, false};
    }
    if (num_modules == 1) {
        result = generate(device, options, "-spirv_input", files, out);
        goto done;
    }
    result = link_modules(files, num_modules, &linked);
    if (result == VSG_OCL_COMPILED) {
        const vsg_ocl_file whole = {"linked.bc", linked.data, linked.size_bytes, false};
        result = generate(device, options, "-llvm_input", &whole, out);
        vsg_ocl_output_free(&linked);
    } else {
        *out = linked;
    }

done:
    free(files);
    free(names);
    return result;
}
