/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target for the text printer. Whatever good text was read, what is printed of it is
 * good text too, with as many units, variables, instructions and so on, and prints the same
 * again.
 *
 * clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -Iinclude -Isrc
 *       tests/fuzz/fuzz_print.c src/{base,isa,object,text}/[a-z]*.c
 * ./a.out CORPUS tests/data/text */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text/parser.h"
#include "text/printer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool condition)
{
    if (!condition)
        abort();
}

typedef struct text {
    char *data;
    size_t size;
} text;

static bool append(void *user, const void *data, size_t size_bytes)
{
    text *t = user;

    t->data = realloc(t->data, t->size + size_bytes);
    must(t->data != NULL);
    memcpy(t->data + t->size, data, size_bytes);
    t->size += size_bytes;
    return true;
}

/* NULL: not a good text. */
static vsg_obj_module *parse(const char *data, size_t size)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_obj_module *module = vsg_obj_create(&alloc);
    vsg_txt_input input = {.name = "fuzz", .text = data, .size_bytes = size};

    must(module != NULL);
    if (vsg_txt_parse(module, &input, NULL) != VISAGE_OK)
        vsg_obj_destroy(&module);
    return module;
}

static text print(const vsg_obj_module *module, const vsg_txt_print_options *options)
{
    text t = {NULL, 0};

    must(vsg_txt_print(module, options, append, &t) == VISAGE_OK);
    must(t.size > 0 && t.data[t.size - 1] == '\n');
    return t;
}

static void same_operands(const vsg_obj_inst *a, const vsg_obj_inst *b)
{
    for (size_t i = 0; i < a->num_operands; i++) {
        const vsg_obj_operand *x = &a->operands[i];
        const vsg_obj_operand *y = &b->operands[i];
        must(x->class_ == y->class_ && x->modifier == y->modifier && x->type == y->type &&
             x->state == y->state && x->id == y->id && x->row == y->row &&
             x->column == y->column && x->v_stride == y->v_stride && x->width == y->width &&
             x->h_stride == y->h_stride && x->offset_elements == y->offset_elements &&
             x->offset_bytes == y->offset_bytes && x->value == y->value);
        must(!x->name == !y->name && (!x->name || strcmp(x->name, y->name) == 0));
    }
}

static void same_unit(const vsg_obj_unit *a, const vsg_obj_unit *b)
{
    must(strcmp(a->name, b->name) == 0 && a->is_function == b->is_function);
    must(a->num_variables == b->num_variables && a->num_addresses == b->num_addresses &&
         a->num_predicates == b->num_predicates && a->num_samplers == b->num_samplers &&
         a->num_surfaces == b->num_surfaces && a->num_inputs == b->num_inputs &&
         a->num_labels == b->num_labels && a->num_insts == b->num_insts &&
         a->num_function_decls == b->num_function_decls &&
         a->attributes.count == b->attributes.count);
    for (size_t i = 0; i < a->num_insts; i++) {
        const vsg_obj_inst *x = &a->insts[i];
        const vsg_obj_inst *y = &b->insts[i];
        must(x->op == y->op && x->sub_flags == y->sub_flags && x->exec_size == y->exec_size &&
             x->mask_offset == y->mask_offset && x->no_mask == y->no_mask &&
             x->predicate == y->predicate && x->num_operands == y->num_operands);
        must(x->predicate == 0 || (x->predicate_inverse == y->predicate_inverse &&
                                   x->predicate_combine == y->predicate_combine));
        same_operands(x, y);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* The first byte chooses: a text that begins with '.' is printed with comments. */
    const vsg_txt_print_options options = {.no_comments = size && data[0] == ' ',
                                           .all_attributes = true};
    vsg_obj_module *first = parse((const char *)data, size);

    if (!first)
        return 0;
    text a = print(first, &options);
    vsg_obj_module *second = parse(a.data, a.size);
    must(second != NULL);
    text b = print(second, &options);
    must(a.size == b.size && memcmp(a.data, b.data, a.size) == 0);
    must(first->num_units == second->num_units);
    for (size_t i = 0; i < first->num_units; i++)
        same_unit(first->units[i], second->units[i]);
    free(a.data);
    free(b.data);
    vsg_obj_destroy(&first);
    vsg_obj_destroy(&second);
    return 0;
}
