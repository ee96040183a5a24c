/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/yaml_record.h"

/* Far above what a device has, low enough that sums stay in 32 bits. */
enum {
    MOST_BYTES = 16 << 20,
    MOST_PRIVATE_BYTES = 1 << 30,
    MOST_ARGS = 4096, /* a payload of OpenCL's 2 KiB has no more */
    MOST_BTI = 255,   /* the surface operand of a message has 8 bits for it */
    MOST_SIZE = 0x7fffffff
};

#define PSEUDO_KERNEL "Intel_Symbol_Table_Void_Program"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define FIELDS(array)   .fields = array, .num_fields = COUNT_OF(array)

/* Rows of ze_info.def, for the struct RECORD. */
#define FIELD(key_, form_, ...) {.key = key_, .form = VSG_CON_FORM_##form_, __VA_ARGS__},
#define REQUIRED                .is_required = true
#define UP_TO(number)           .most = number
#define AT(member)              .offset = offsetof(RECORD, member)
#define ARRAY(member)           AT(member), .count_offset = offsetof(RECORD, num_##member)

/* kernels_misc_info, which names kernels described elsewhere. */
typedef struct misc_arg {
    uint32_t index;
    vsg_con_arg_info info;
} misc_arg;

typedef struct misc {
    const char *name;
    misc_arg *args;
    size_t num_args;
} misc;

typedef struct document {
    const char *version;
    vsg_con_kernel *kernels;
    size_t num_kernels;
    misc *misc;
    size_t num_misc;
} document;

/* ---- payload ---------------------------------------------------------------------------- */

static const char *const addrmodes[] = {"stateless", "stateful", "bindless", "slm", NULL};
static const char *const addrspaces[] = {"global", "local",   "constant",
                                         "image",  "sampler", NULL};
static const char *const accesses[] = {"readonly", "writeonly", "readwrite", NULL};

static vsg_con_payload_kind kind_of_word(const char *word)
{
    static const char *const words[VSG_CON_PAYLOAD_COUNT] = {
#define PAYLOAD(id, text) [VSG_CON_PAYLOAD_##id] = text,
#include "container/payload.def"
#undef PAYLOAD
    };

    for (int kind = 0; kind < VSG_CON_PAYLOAD_COUNT; kind++)
        if (strcmp(words[kind], word) == 0)
            return (vsg_con_payload_kind)kind;
    return VSG_CON_PAYLOAD_UNKNOWN;
}

static void check_payload(vsg_con_yaml *yaml, const yaml_mark_t *start, void *record)
{
    vsg_con_payload *payload = record;

    payload->kind = kind_of_word(payload->word);
    if (payload->kind == VSG_CON_PAYLOAD_UNKNOWN && vsg_con_yaml_warns(yaml)) {
        vsg_base_location where = vsg_con_yaml_where(yaml, start);
        vsg_base_report(yaml->file->diagnostics, VSG_DIAG_YAML_UNKNOWN, &where, "arg_type",
                        payload->word);
    }
    if ((payload->slm_alignment & (payload->slm_alignment - 1)) != 0) {
        char number[16];
        vsg_base_location where = vsg_con_yaml_where(yaml, start);
        (void)snprintf(number, sizeof number, "%" PRIu32, payload->slm_alignment);
        vsg_base_report(yaml->file->diagnostics, VSG_DIAG_YAML_VALUE, &where, "slm_alignment",
                        number, "a power of two");
        vsg_con_yaml_fail(yaml, VISAGE_MALFORMED);
    }
    if ((payload->kind == VSG_CON_PAYLOAD_ARG_BYVALUE ||
         payload->kind == VSG_CON_PAYLOAD_ARG_BYPOINTER) &&
        payload->arg_index < 0) {
        vsg_base_location where = vsg_con_yaml_where(yaml, start);
        vsg_base_report(yaml->file->diagnostics, VSG_DIAG_YAML_MISSING, &where, payload->word,
                        "arg_index");
        vsg_con_yaml_fail(yaml, VISAGE_MALFORMED);
    }
}

#define RECORD vsg_con_payload
#define PAYLOAD_FIELDS
static const vsg_con_field payload_fields[] = {
#include "container/ze_info.def"
};
#undef PAYLOAD_FIELDS
#undef RECORD

static const vsg_con_payload payload_defaults = {.arg_index = -1, .sampler_index = -1};

static const vsg_con_record payload_record = {
    .what = "a payload argument",
    FIELDS(payload_fields),
    .size = sizeof(vsg_con_payload),
    .defaults = &payload_defaults,
    .check = check_payload,
};

/* ---- binding table, memory, samplers ---------------------------------------------------- */

#define RECORD vsg_con_binding
#define BINDING_FIELDS
static const vsg_con_field binding_fields[] = {
#include "container/ze_info.def"
};
#undef BINDING_FIELDS
#undef RECORD

static const vsg_con_record binding_record = {
    .what = "a binding table index",
    FIELDS(binding_fields),
    .size = sizeof(vsg_con_binding),
};

static const char *const memory_types[] = {"global", "scratch", "slm", NULL};
static const char *const memory_usages[] = {"private_space", "spill_fill_space", "single_space",
                                            NULL};

#define RECORD vsg_con_memory
#define MEMORY_FIELDS
static const vsg_con_field memory_fields[] = {
#include "container/ze_info.def"
};
#undef MEMORY_FIELDS
#undef RECORD

static const vsg_con_record memory_record = {
    .what = "a per-thread memory buffer",
    FIELDS(memory_fields),
    .size = sizeof(vsg_con_memory),
};

static const char *const addressings[] = {"none",         "repeat", "clamp_edge",
                                          "clamp_border", "mirror", NULL};
static const char *const filters[] = {"nearest", "linear", NULL};

#define RECORD vsg_con_sampler
#define SAMPLER_FIELDS
static const vsg_con_field sampler_fields[] = {
#include "container/ze_info.def"
};
#undef SAMPLER_FIELDS
#undef RECORD

static const vsg_con_record sampler_record = {
    .what = "an inline sampler",
    FIELDS(sampler_fields),
    .size = sizeof(vsg_con_sampler),
};

/* ---- kernels ---------------------------------------------------------------------------- */

/* Keys missing here are hints to hardware and driver, or say what the text says itself. */
#define RECORD vsg_con_kernel
#define EXECUTION_FIELDS
static const vsg_con_field execution_fields[] = {
#include "container/ze_info.def"
};
#undef EXECUTION_FIELDS
#undef RECORD

static const vsg_con_record execution_record = {
    .what = "execution_env",
    FIELDS(execution_fields),
};

#define RECORD vsg_con_kernel
#define ATTRIBUTE_FIELDS
static const vsg_con_field attribute_fields[] = {
#include "container/ze_info.def"
};
#undef ATTRIBUTE_FIELDS
#undef RECORD

static const vsg_con_record attribute_record = {
    .what = "user_attributes",
    FIELDS(attribute_fields),
};

static void check_kernel(vsg_con_yaml *yaml, const yaml_mark_t *start, void *record)
{
    vsg_con_kernel *kernel = record;
    uint32_t simd = kernel->simd_size;

    kernel->is_pseudo = strcmp(kernel->name, PSEUDO_KERNEL) == 0;
    if (simd == 1 || simd == 8 || simd == 16 || simd == 32)
        return;
    vsg_base_location where = vsg_con_yaml_where(yaml, start);
    vsg_base_report(yaml->file->diagnostics, VSG_DIAG_YAML_SIMD, &where, simd);
    vsg_con_yaml_fail(yaml, VISAGE_MALFORMED);
}

#define RECORD vsg_con_kernel
#define KERNEL_FIELDS
static const vsg_con_field kernel_fields[] = {
#include "container/ze_info.def"
};
#undef KERNEL_FIELDS
#undef RECORD

static const vsg_con_kernel kernel_defaults = {.grf_count = 128};

static const vsg_con_record kernel_record = {
    .what = "a kernel",
    FIELDS(kernel_fields),
    .size = sizeof(vsg_con_kernel),
    .defaults = &kernel_defaults,
    .check = check_kernel,
};

/* ---- names of arguments ----------------------------------------------------------------- */

#define RECORD misc_arg
#define ARG_FIELDS
static const vsg_con_field arg_fields[] = {
#include "container/ze_info.def"
};
#undef ARG_FIELDS
#undef RECORD

static const vsg_con_record arg_record = {
    .what = "an entry of args_info",
    FIELDS(arg_fields),
    .size = sizeof(misc_arg),
};

#define RECORD misc
#define MISC_FIELDS
static const vsg_con_field misc_fields[] = {
#include "container/ze_info.def"
};
#undef MISC_FIELDS
#undef RECORD

static const vsg_con_record misc_record = {
    .what = "an entry of kernels_misc_info",
    FIELDS(misc_fields),
    .size = sizeof(misc),
};

/* ---- the document ----------------------------------------------------------------------- */

static void check_document(vsg_con_yaml *yaml, const yaml_mark_t *start, void *record)
{
    const document *read = record;

    /* Minor versions only add. A file written by hand may leave the version out. */
    if (!read->version || strncmp(read->version, "1.", 2) == 0)
        return;
    vsg_base_location where = vsg_con_yaml_where(yaml, start);
    vsg_base_report(yaml->file->diagnostics, VSG_DIAG_YAML_VERSION, &where, read->version);
    vsg_con_yaml_fail(yaml, VISAGE_UNSUPPORTED);
}

#define RECORD document
#define DOCUMENT_FIELDS
static const vsg_con_field document_fields[] = {
#include "container/ze_info.def"
};
#undef DOCUMENT_FIELDS
#undef RECORD

static const vsg_con_record document_record = {
    .what = "the document",
    FIELDS(document_fields),
    .check = check_document,
};

/* ---- joining ---------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    const vsg_con_kernel *const *left = a, *const *right = b;
    return strcmp((*left)->name, (*right)->name);
}

static visage_status sort_kernels(vsg_con_yaml *yaml)
{
    vsg_con_zebin *out = yaml->file->out;

    if (out->num_kernels == 0)
        return VISAGE_OK;
    const vsg_con_kernel **sorted =
        vsg_base_arena_new(&out->arena, out->num_kernels, sizeof *sorted);
    if (!sorted)
        return vsg_con_no_memory(yaml->file);
    for (size_t i = 0; i < out->num_kernels; i++)
        sorted[i] = &out->kernels[i];
    qsort(sorted, out->num_kernels, sizeof *sorted, compare_names);
    for (size_t i = 1; i < out->num_kernels; i++) {
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0) {
            vsg_base_location where = vsg_con_yaml_where(yaml, NULL);
            vsg_base_report(yaml->file->diagnostics, VSG_DIAG_YAML_TWICE, &where, "kernel",
                            sorted[i]->name);
            return VISAGE_MALFORMED;
        }
    }
    out->by_name = sorted;
    return VISAGE_OK;
}

const vsg_con_kernel *vsg_con_find_kernel(const vsg_con_zebin *zebin, const char *name)
{
    const vsg_con_kernel key = {.name = name}, *wanted = &key;

    if (zebin->num_kernels == 0)
        return NULL;
    const vsg_con_kernel **found = bsearch(&wanted, zebin->by_name, zebin->num_kernels,
                                           sizeof *zebin->by_name, compare_names);
    return found ? *found : NULL;
}

/* Gives a kernel room for its arguments. The text cannot describe one in fewer than eight
 * bytes, so a few high numbers cannot ask for more than `left` over all kernels. */
static visage_status size_args(vsg_con_yaml *yaml, vsg_con_kernel *kernel, const misc *named,
                               size_t *left)
{
    size_t count = 0;

    for (size_t i = 0; i < kernel->num_payload; i++)
        if (kernel->payload[i].arg_index >= 0 && (size_t)kernel->payload[i].arg_index >= count)
            count = (size_t)kernel->payload[i].arg_index + 1;
    for (size_t i = 0; named && i < named->num_args; i++)
        if (named->args[i].index >= count)
            count = (size_t)named->args[i].index + 1;
    if (count == 0)
        return VISAGE_OK;
    if (count > *left) {
        vsg_base_location where = vsg_con_yaml_where(yaml, NULL);
        where.kernel = kernel->name;
        vsg_base_report(yaml->file->diagnostics, VSG_DIAG_YAML_SHAPE, &where,
                        "more arguments are numbered than the text can describe");
        return VISAGE_MALFORMED;
    }
    *left -= count;
    kernel->args = vsg_base_arena_new(&yaml->file->out->arena, count, sizeof *kernel->args);
    if (!kernel->args)
        return vsg_con_no_memory(yaml->file);
    kernel->num_args = count;
    for (size_t i = 0; named && i < named->num_args; i++)
        kernel->args[named->args[i].index] = named->args[i].info;
    return VISAGE_OK;
}

/* by_kernel: the entry of each kernel, NULL where it has none. */
static visage_status match_misc(vsg_con_yaml *yaml, const document *read,
                                const misc **by_kernel)
{
    const vsg_con_zebin *out = yaml->file->out;

    for (size_t i = 0; i < read->num_misc; i++) {
        const vsg_con_kernel *kernel = vsg_con_find_kernel(out, read->misc[i].name);
        vsg_base_location where = vsg_con_yaml_where(yaml, NULL);
        if (!kernel) {
            if (vsg_con_yaml_warns(yaml))
                vsg_base_report(yaml->file->diagnostics, VSG_DIAG_YAML_UNKNOWN, &where,
                                "kernel in kernels_misc_info", read->misc[i].name);
            continue;
        }
        if (by_kernel[kernel - out->kernels]) {
            vsg_base_report(yaml->file->diagnostics, VSG_DIAG_YAML_TWICE, &where,
                            "kernel in kernels_misc_info", kernel->name);
            return VISAGE_MALFORMED;
        }
        by_kernel[kernel - out->kernels] = &read->misc[i];
    }
    return VISAGE_OK;
}

static visage_status join(vsg_con_yaml *yaml, const document *read)
{
    const vsg_con_reader *file = yaml->file;
    vsg_con_zebin *out = file->out;
    size_t left = yaml->size / 8;

    out->info_version = read->version;
    out->kernels = read->kernels;
    out->num_kernels = read->num_kernels;
    if (out->num_kernels == 0)
        return VISAGE_OK;
    visage_status status = sort_kernels(yaml);
    if (status != VISAGE_OK)
        return status;
    const misc **by_kernel = vsg_base_new(file->alloc, out->num_kernels, sizeof *by_kernel);
    if (!by_kernel)
        return vsg_con_no_memory(file);
    status = match_misc(yaml, read, by_kernel);
    for (size_t i = 0; i < out->num_kernels && status == VISAGE_OK; i++)
        status = size_args(yaml, &out->kernels[i], by_kernel[i], &left);
    vsg_base_delete(file->alloc, by_kernel, out->num_kernels, sizeof *by_kernel);
    return status;
}

visage_status vsg_con_read_kernels(const vsg_con_reader *file, size_t offset, size_t size)
{
    vsg_con_yaml yaml;
    document read = {0};

    visage_status status =
        vsg_con_yaml_read(&yaml, file, offset, size, &document_record, &read);
    if (status == VISAGE_OK)
        status = join(&yaml, &read);
    return status;
}

visage_status vsg_con_read_info(const vsg_base_alloc *alloc, const char *name, const void *data,
                                size_t size_bytes, visage_diagnostics *diagnostics,
                                vsg_con_zebin *out)
{
    vsg_con_zebin read = {0};
    vsg_con_reader file = {
        .alloc = alloc,
        .name = name,
        .data = data,
        .size_bytes = size_bytes,
        .diagnostics = diagnostics,
        .out = &read,
    };

    vsg_base_arena_init(&read.arena, alloc);
    if (size_bytes == 0) {
        vsg_base_location where = {.file = name, .instruction = -1};
        vsg_base_report(diagnostics, VSG_DIAG_EMPTY_INPUT, &where);
        return VISAGE_MALFORMED;
    }
    visage_status status = vsg_con_read_kernels(&file, 0, size_bytes);
    if (status == VISAGE_OK)
        *out = read;
    else
        vsg_con_zebin_free(&read);
    return status;
}
