/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <stdio.h>

#include "text/parser.h"
#include "text/printer.h"

void fuzz_broken(const char *rule, const char *file, int line)
{
    (void)fprintf(stderr, "%s:%d: broken: %s\n", file, line, rule);
    abort();
}

void *fuzz_metered(void *user, void *pointer, size_t old_size, size_t new_size)
{
    fuzz_meter *meter = user;

    meter->live = meter->live - (pointer ? old_size : 0) + new_size;
    if (meter->live > meter->peak)
        meter->peak = meter->live;
    if (new_size == 0) {
        free(pointer);
        return NULL;
    }
    return realloc(pointer, new_size);
}

void *fuzz_copy(const uint8_t *data, size_t size)
{
    void *copy = malloc(size ? size : 1);

    must(copy != NULL);
    if (size)
        memcpy(copy, data, size);
    return copy;
}

void fuzz_check_diagnostics(const visage_diagnostics *diagnostics, visage_status status)
{
    must((status == VISAGE_OK) == (visage_diagnostics_errors(diagnostics) == 0));
    for (size_t i = 0; i < visage_diagnostics_count(diagnostics); i++) {
        const visage_diagnostic *found = visage_diagnostics_get(diagnostics, i);
        char message[512];
        must(found->code != NULL && found->message != NULL);
        (void)visage_diagnostic_render(found, false, message, sizeof message);
    }
}

/* ---- bounds ----------------------------------------------------------------------------- */

static bool is_general(const vsg_obj_unit *unit, uint32_t id)
{
    vsg_obj_variable_facts facts;
    return vsg_obj_variable_get(unit, id, &facts);
}

static bool is_surface(const vsg_obj_unit *unit, uint32_t id)
{
    return id < VSG_ISA_NUM_SURFACES || id - VSG_ISA_NUM_SURFACES < unit->num_surfaces;
}

static bool is_sampler(const vsg_obj_unit *unit, uint32_t id)
{
    return id == VSG_ISA_BINDLESS_SAMPLER || id < unit->num_samplers;
}

static void check_operand(const vsg_obj_unit *unit, const vsg_obj_operand *o, bool is_good)
{
    switch (o->class_) {
    case VSG_OBJ_CLASS_GENERAL:
    case VSG_OBJ_CLASS_RAW:
        must(is_general(unit, o->id));
        break;
    case VSG_OBJ_CLASS_ADDRESS:
    case VSG_OBJ_CLASS_INDIRECT:
        must(o->id < unit->num_addresses);
        break;
    case VSG_OBJ_CLASS_PREDICATE:
        must(o->id != 0 && o->id <= unit->num_predicates);
        break;
    case VSG_OBJ_CLASS_ADDRESS_OF:
        must(o->state == 2   ? is_general(unit, o->id)
             : o->state == 1 ? is_sampler(unit, o->id)
                             : is_surface(unit, o->id));
        break;
    case VSG_OBJ_CLASS_IMMEDIATE:
        must(o->type < VISAGE_TYPE_COUNT && o->type != VISAGE_TYPE_BOOL);
        break;
    case VSG_OBJ_CLASS_STATE:
        must(o->state <= 1 && (o->state ? is_sampler(unit, o->id) : is_surface(unit, o->id)));
        break;
    case VSG_OBJ_CLASS_SURFACE:
        must(is_surface(unit, o->id));
        break;
    case VSG_OBJ_CLASS_SAMPLER:
        must(is_sampler(unit, o->id));
        break;
    case VSG_OBJ_CLASS_LABEL:
        must(o->id < unit->num_labels && (!is_good || unit->labels[o->id].inst >= 0));
        break;
    case VSG_OBJ_CLASS_NAME:
        must(o->name != NULL);
        break;
    case VSG_OBJ_CLASS_VARIABLE:
        must(o->state == 0   ? is_general(unit, o->id)
             : o->state == 1 ? o->id < unit->num_addresses
                             : o->state == 2 && o->id <= unit->num_predicates);
        break;
    default:
        must(o->class_ == VSG_OBJ_CLASS_NUMBER);
    }
}

static void check_inst(const vsg_obj_unit *unit, const vsg_obj_inst *inst, bool is_good)
{
    must(inst->op < VISAGE_OP_COUNT);
    must(inst->exec_size <= 32 && inst->mask_offset <= 28);
    must(inst->predicate <= unit->num_predicates);
    must(vsg_isa_has_slot(inst->op, VSG_ISA_SLOT_EXEC) == (inst->exec_size != 0));
    must(inst->num_operands + 1u >= vsg_isa_num_operands(inst->op));
    for (uint32_t i = 0; i < inst->num_operands; i++) {
        must(vsg_isa_operand_slot(inst->op, i) != NULL);
        check_operand(unit, &inst->operands[i], is_good);
    }
}

static void check_unit(const vsg_obj_unit *unit, bool is_good)
{
    for (uint32_t i = 0; i < unit->num_variables; i++) {
        uint32_t root;
        uint64_t offset;
        must(unit->variables[i].type < VISAGE_TYPE_COUNT && unit->variables[i].name != NULL);
        must(vsg_obj_variable_root(unit, VSG_ISA_FIRST_VARIABLE + i, &root, &offset) ||
             unit->variables[i].alias != VSG_OBJ_NO_ALIAS);
    }
    for (size_t i = 0; i < unit->num_labels; i++)
        must(unit->labels[i].inst < (int64_t)unit->num_insts && unit->labels[i].name != NULL);
    for (size_t i = 0; i < unit->num_insts; i++)
        check_inst(unit, &unit->insts[i], is_good);
    must(unit->num_insts == 0 || unit->stored.num_stream == 0);
    must(unit->stored.num_whole <= unit->stored.num_stream);
    for (size_t i = 0; i < unit->stored.num_whole; i++)
        check_inst(unit, &unit->stored.whole[i], false);
}

void fuzz_check_module(const vsg_obj_module *module, bool is_good)
{
    for (size_t i = 0; i < module->num_units; i++)
        check_unit(module->units[i], is_good);
}

/* ---- comparison ------------------------------------------------------------------------- */

/* unlisted: bits of numbers that the writer of the compiler's layout sets. */
static void check_same_operand(const vsg_obj_operand *a, const vsg_obj_operand *b,
                               uint64_t unlisted)
{
    must(a->class_ == b->class_ && a->modifier == b->modifier && a->type == b->type &&
         a->state == b->state && (a->id == b->id || a->class_ == VSG_OBJ_CLASS_LABEL) &&
         a->v_stride == b->v_stride && a->width == b->width && a->h_stride == b->h_stride &&
         a->offset_elements == b->offset_elements && a->offset_bytes == b->offset_bytes);
    /* Row and column of an address-of operand say how a binary has its offset. */
    must(a->class_ == VSG_OBJ_CLASS_ADDRESS_OF || (a->row == b->row && a->column == b->column));
    /* A number's field in a binary is at most 32 bits wide. */
    must(a->value == b->value || (a->class_ == VSG_OBJ_CLASS_NUMBER &&
                                  ((a->value ^ b->value) & UINT32_MAX & ~unlisted) == 0));
    must(!a->name == !b->name && (!a->name || strcmp(a->name, b->name) == 0));
}

static void check_same_inst(const vsg_obj_inst *a, const vsg_obj_inst *b)
{
    must(a->op == b->op && a->mask_offset == b->mask_offset && a->no_mask == b->no_mask &&
         a->predicate == b->predicate && a->num_operands == b->num_operands);
    const vsg_isa_op_info *info = vsg_isa_op(a->op);
    must(((a->sub_flags ^ b->sub_flags) & ~info->unlisted) == 0);
    must(a->exec_size == b->exec_size ||
         (info->flags & VSG_ISA_STORED_SCALAR && b->exec_size == 1));
    must(a->predicate == 0 || (a->predicate_inverse == b->predicate_inverse &&
                               a->predicate_combine == b->predicate_combine));
    for (size_t i = 0; i < a->num_operands; i++)
        check_same_operand(&a->operands[i], &b->operands[i], info->unlisted);
}

/* Labels of a text may have other numbers in its binary: it is their places that count. */
static void check_same_label(const vsg_obj_unit *a, const vsg_obj_operand *x,
                             const vsg_obj_unit *b, const vsg_obj_operand *y)
{
    must(x->id < a->num_labels && y->id < b->num_labels);
    must(a->labels[x->id].inst == b->labels[y->id].inst &&
         a->labels[x->id].kind == b->labels[y->id].kind);
}

/* The compiler's layout has one more, which listings leave out. */
static size_t count_attributes(const vsg_obj_unit *unit)
{
    bool has_path = vsg_obj_attribute_find(&unit->attributes, "OutputAsmPath") != NULL;
    return unit->attributes.count - has_path;
}

static void check_same_unit(const vsg_obj_unit *a, const vsg_obj_unit *b)
{
    must(strcmp(a->name, b->name) == 0 && a->is_function == b->is_function);
    must(a->num_variables == b->num_variables && a->num_addresses == b->num_addresses &&
         a->num_predicates == b->num_predicates && a->num_samplers == b->num_samplers &&
         a->num_surfaces == b->num_surfaces && a->num_inputs == b->num_inputs &&
         a->num_labels == b->num_labels && a->num_insts == b->num_insts &&
         count_attributes(a) == count_attributes(b));
    for (size_t i = 0; i < a->num_insts; i++) {
        const vsg_obj_inst *x = &a->insts[i], *y = &b->insts[i];
        check_same_inst(x, y);
        for (size_t n = 0; n < x->num_operands; n++)
            if (x->operands[n].class_ == VSG_OBJ_CLASS_LABEL)
                check_same_label(a, &x->operands[n], b, &y->operands[n]);
    }
}

/* The next unit from `at` on; num_units where there is none. A binary has an extern function
 * for each that its text declares. */
static size_t next_unit(const vsg_obj_module *module, size_t at, bool is_function)
{
    while (at < module->num_units && (module->units[at]->is_function != is_function ||
                                      module->units[at]->stored.is_declaration))
        at++;
    return at;
}

/* A binary has its kernels before its functions, a text has them in any order. */
static void check_same_units(const vsg_obj_module *a, const vsg_obj_module *b, bool functions)
{
    size_t i = next_unit(a, 0, functions), j = next_unit(b, 0, functions);

    while (i < a->num_units && j < b->num_units) {
        check_same_unit(a->units[i], b->units[j]);
        i = next_unit(a, i + 1, functions);
        j = next_unit(b, j + 1, functions);
    }
    must(i == a->num_units && j == b->num_units);
}

void fuzz_check_same(const vsg_obj_module *a, const vsg_obj_module *b)
{
    check_same_units(a, b, false);
    check_same_units(a, b, true);
}

/* ---- print, parse, write, read ---------------------------------------------------------- */

static bool append(void *user, const void *data, size_t size_bytes)
{
    fuzz_text *text = user;

    text->data = realloc(text->data, text->size + size_bytes);
    must(text->data != NULL);
    memcpy(text->data + text->size, data, size_bytes);
    text->size += size_bytes;
    return true;
}

fuzz_text fuzz_print(const vsg_obj_module *module, bool no_comments)
{
    const vsg_txt_print_options options = {.no_comments = no_comments, .all_attributes = true};
    fuzz_text text = {NULL, 0};

    must(vsg_txt_print(module, &options, append, &text) == VISAGE_OK);
    must(text.size == 0 || text.data[text.size - 1] == '\n');
    return text;
}

vsg_obj_module *fuzz_parse(const char *text, size_t size, visage_platform platform)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_obj_module *module = vsg_obj_create(&alloc);
    vsg_txt_input input = {.name = "fuzz", .text = text, .size_bytes = size};

    must(module != NULL);
    module->platform = platform;
    if (vsg_txt_parse(module, &input, NULL) != VISAGE_OK)
        vsg_obj_destroy(&module);
    return module;
}

vsg_obj_module *fuzz_through_binary(const vsg_base_alloc *alloc, const vsg_obj_module *module,
                                    vsg_obj_layout layout, vsg_obj_bytes *bytes)
{
    visage_status status = vsg_obj_write_binary(module, layout, NULL, bytes);

    if (status != VISAGE_OK) {
        must(status == VISAGE_INVALID && bytes->data == NULL);
        return NULL;
    }
    vsg_obj_module *read = vsg_obj_create(alloc);
    vsg_obj_binary input = {.data = bytes->data, .size_bytes = bytes->size};
    must(read != NULL);
    read->platform = module->platform;
    must(vsg_obj_read_binary(read, &input, NULL) == VISAGE_OK);
    must(read->layout == layout || read->num_units == 0);
    return read;
}

/* ---- the public interface --------------------------------------------------------------- */

static size_t touch(const char *text)
{
    return text ? strlen(text) : 0;
}

static size_t walk_kernel(const visage_module *module, size_t index)
{
    visage_kernel_info kernel;
    visage_argument_info argument;
    visage_input_info input;
    visage_attribute_info attribute;

    must(visage_module_get_kernel(module, index, &kernel) == VISAGE_OK);
    size_t sum = touch(kernel.name);
    for (size_t i = 0; i < kernel.num_arguments; i++) {
        must(visage_module_get_argument(module, index, i, &argument) == VISAGE_OK);
        sum += touch(argument.name) + touch(argument.access);
    }
    must(visage_module_get_argument(module, index, kernel.num_arguments, &argument) ==
         VISAGE_ARGUMENT);
    for (size_t i = 0; i < kernel.num_inputs; i++) {
        must(visage_module_get_input(module, index, i, &input) == VISAGE_OK);
        must(input.name != NULL);
        sum += touch(input.name);
    }
    must(visage_module_get_input(module, index, kernel.num_inputs, &input) == VISAGE_ARGUMENT);
    for (size_t i = 0; i < kernel.num_attributes; i++) {
        must(visage_module_get_attribute(module, index, i, &attribute) == VISAGE_OK);
        must(attribute.name != NULL && (!attribute.is_string || attribute.string != NULL));
        sum += touch(attribute.name) + touch(attribute.string);
    }
    must(visage_module_get_attribute(module, index, kernel.num_attributes, &attribute) ==
         VISAGE_ARGUMENT);
    must(visage_module_count_instructions(module, index, 0) <= kernel.num_instructions);
    return sum;
}

static bool count_bytes(void *user, const void *data, size_t size_bytes)
{
    size_t *total = user;

    must(data != NULL && size_bytes > 0);
    *total += size_bytes;
    return true;
}

static void walk_module(const visage_module *module)
{
    visage_module_info info;
    visage_kernel_info kernel;
    size_t total = 0;

    must(visage_module_get_info(module, &info) == VISAGE_OK && info.form != NULL);
    for (size_t i = 0; i < info.num_kernels + info.num_functions; i++)
        (void)walk_kernel(module, i);
    must(visage_module_get_kernel(module, info.num_kernels + info.num_functions, &kernel) ==
         VISAGE_ARGUMENT);
    must(visage_module_print(module, NULL, count_bytes, &total) == VISAGE_OK);
    for (visage_layout layout = VISAGE_LAYOUT_DEFAULT; layout <= VISAGE_LAYOUT_IGC; layout++) {
        visage_write_options options = VISAGE_OPTIONS_INIT(visage_write_options);
        options.layout = layout;
        visage_status status = visage_module_write(module, &options, NULL, count_bytes, &total);
        must(status == VISAGE_INVALID || (status == VISAGE_OK && !info.is_broken));
    }
    must(!info.is_broken || visage_verify(module, NULL, NULL) == VISAGE_INVALID);
}

static void read_public(const void *data, size_t size, const void *info, size_t info_size,
                        bool recover)
{
    fuzz_meter meter = {0};
    visage_context_options options = VISAGE_OPTIONS_INIT(visage_context_options);
    visage_module_options how = VISAGE_OPTIONS_INIT(visage_module_options);
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_module *module;

    options.resize = fuzz_metered;
    options.user = &meter;
    how.info = info;
    how.info_size = info_size;
    how.recover = recover;
    must(visage_context_create(&options, &context) == VISAGE_OK);
    must(visage_diagnostics_create(context, &diagnostics) == VISAGE_OK);
    visage_status status =
        visage_module_read_memory(context, "fuzz", data, size, &how, diagnostics, &module);
    must(meter.peak <= fuzz_most_memory(size + info_size));
    must(recover || (status == VISAGE_OK) == (module != NULL));
    must(status != VISAGE_OK || module);
    must(status != VISAGE_ARGUMENT && status != VISAGE_NO_MEMORY && status != VISAGE_IO);
    fuzz_check_diagnostics(diagnostics, status);
    if (module)
        walk_module(module);
    visage_module_destroy(&module);
    visage_diagnostics_destroy(&diagnostics);
    visage_context_destroy(&context);
    must(meter.live == 0);
}

void fuzz_public(const void *data, size_t size)
{
    read_public(data, size, NULL, 0, false);
}

void fuzz_public_recover(const void *data, size_t size)
{
    read_public(data, size, NULL, 0, true);
}

void fuzz_public_info(const void *info, size_t size)
{
    static const char text[] = ".version 3.8\n.kernel \"kernel\"\nret (M1, 1)\n";

    read_public(text, sizeof text - 1, info, size, false);
}
