/* SPDX-License-Identifier: MIT
 *
 * What the tests of binaries share: files, modules read and written, and a comparison of two
 * units field by field. Include after cmocka.h. */
#ifndef VISAGE_TESTS_BINARY_SUPPORT_H
#define VISAGE_TESTS_BINARY_SUPPORT_H

#include "object/binary.h"
#include "text_support.h"

/* Gives a unit read from a listing what the listing lacks of the instructions in a binary: bit
 * 7 of the size byte of svm_block_st, and the flags of fence_sw. The reference assembler loses
 * them, too. */
static inline void add_unlisted(vsg_obj_unit *text, const vsg_obj_unit *binary)
{
    for (size_t i = 0; i < text->num_insts && i < binary->num_insts; i++) {
        const vsg_obj_inst *from = &binary->insts[i];
        vsg_obj_inst *to = &text->insts[i];
        if (to->op == VISAGE_OP_SVM_BLOCK_ST && from->op == to->op)
            to->operands[0].value |= from->operands[0].value & 0x80;
        if (to->op == VISAGE_OP_FENCE_SW && from->op == to->op)
            to->sub_flags = from->sub_flags;
    }
}

/* ---- differences ------------------------------------------------------------------------ */

/* text_too: one of the two was read from a listing, which lacks the string pool, GEN binaries,
 * OutputAsmPath, sizes of attributes, and names of predicates, address variables and labels as
 * the pool has them. */
typedef struct comparison {
    const vsg_obj_unit *a, *b;
    bool text_too;
    char text[256]; /* the first difference, "" when there is none */
    bool numbered;  /* subroutines of b have their number behind the name that a has */
} comparison;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static inline bool
differ(comparison *c, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(c->text, sizeof c->text, format, args);
    va_end(args);
    return false;
}

static inline bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static inline const vsg_obj_attribute *next_attribute(const comparison *c,
                                                      const vsg_obj_attributes *list, size_t *i)
{
    while (c->text_too && *i < list->count &&
           strcmp(list->items[*i].name, "OutputAsmPath") == 0)
        (*i)++;
    return *i < list->count ? &list->items[(*i)++] : NULL;
}

static inline bool same_attributes(comparison *c, const vsg_obj_attributes *a,
                                   const vsg_obj_attributes *b, const char *of)
{
    size_t i = 0, j = 0;

    for (;;) {
        const vsg_obj_attribute *x = next_attribute(c, a, &i), *y = next_attribute(c, b, &j);
        if (!x && !y)
            return true;
        if (!x || !y)
            return differ(c, "number of attributes of %s", of);
        if (strcmp(x->name, y->name) != 0 || !x->string != !y->string ||
            (x->string && memcmp(x->string, y->string, strlen(y->string) + 1) != 0) ||
            (!x->string && x->value != y->value) ||
            (!c->text_too && x->size_bytes != y->size_bytes) ||
            !x->size_bytes != !y->size_bytes)
            return differ(c, "attribute %s of %s", x->name, of);
    }
}

static inline bool same_variables(comparison *c)
{
    if (c->a->num_variables != c->b->num_variables)
        return differ(c, "number of variables");
    for (size_t i = 0; i < c->a->num_variables; i++) {
        const vsg_obj_variable *x = &c->a->variables[i], *y = &c->b->variables[i];
        if (strcmp(x->name, y->name) != 0 || x->type != y->type || x->align != y->align ||
            x->num_elements != y->num_elements || x->alias != y->alias ||
            x->alias_offset_bytes != y->alias_offset_bytes ||
            x->alias_is_global != y->alias_is_global)
            return differ(c, "variable %s", x->name);
        if (!same_attributes(c, &x->attributes, &y->attributes, x->name))
            return false;
    }
    return true;
}

static inline const char *name_in_pool(const vsg_obj_state *state)
{
    return state->v_name ? state->v_name : state->name;
}

static inline bool same_states(comparison *c, const vsg_obj_state *a, size_t num_a,
                               const vsg_obj_state *b, size_t num_b, bool with_names)
{
    if (num_a != num_b)
        return differ(c, "number of state variables");
    for (size_t i = 0; i < num_a; i++) {
        if (with_names && (!same_text(a[i].name, b[i].name) ||
                           !same_text(name_in_pool(&a[i]), name_in_pool(&b[i]))))
            return differ(c, "name of state variable %s", a[i].name);
        if (a[i].num_elements != b[i].num_elements)
            return differ(c, "num_elements of %s", a[i].name);
        if (!same_attributes(c, &a[i].attributes, &b[i].attributes, a[i].name))
            return false;
    }
    return true;
}

static inline bool same_label_names(const comparison *c, size_t index)
{
    const vsg_obj_label *x = &c->a->labels[index], *y = &c->b->labels[index];
    char numbered[1100];

    if (!c->numbered || x->kind != VSG_OBJ_LABEL_SUBROUTINE)
        return strcmp(x->name, y->name) == 0;
    (void)snprintf(numbered, sizeof numbered, "%s_%zu", x->name, index);
    return strcmp(numbered, y->name) == 0;
}

static inline bool same_labels(comparison *c)
{
    if (c->a->num_labels != c->b->num_labels)
        return differ(c, "number of labels");
    for (size_t i = 0; i < c->a->num_labels; i++) {
        const vsg_obj_label *x = &c->a->labels[i], *y = &c->b->labels[i];
        if (x->kind != y->kind || x->inst != y->inst ||
            (!c->text_too && !same_label_names(c, i)))
            return differ(c, "label %zu", i);
        if (!same_attributes(c, &x->attributes, &y->attributes, x->name))
            return false;
    }
    return true;
}

static inline bool same_inputs(comparison *c)
{
    if (c->a->num_inputs != c->b->num_inputs)
        return differ(c, "number of inputs");
    for (size_t i = 0; i < c->a->num_inputs; i++) {
        const vsg_obj_input *x = &c->a->inputs[i], *y = &c->b->inputs[i];
        if (x->kind != y->kind || x->provenance != y->provenance || x->id != y->id ||
            x->offset_bytes != y->offset_bytes || x->size_bytes != y->size_bytes)
            return differ(c, "input %zu", i);
    }
    return true;
}

static inline bool same_operand(const vsg_obj_operand *a, const vsg_obj_operand *b)
{
    bool place =
        a->class_ == VSG_OBJ_CLASS_ADDRESS_OF || (a->row == b->row && a->column == b->column);

    return place && a->class_ == b->class_ && a->modifier == b->modifier &&
           a->type == b->type && a->state == b->state && a->id == b->id &&
           a->v_stride == b->v_stride && a->width == b->width && a->h_stride == b->h_stride &&
           a->offset_elements == b->offset_elements && a->offset_bytes == b->offset_bytes &&
           same_text(a->name, b->name) &&
           (a->value == b->value ||
            (a->class_ == VSG_OBJ_CLASS_NUMBER && (uint32_t)a->value == (uint32_t)b->value));
}

static inline bool same_insts(comparison *c)
{
    if (c->a->num_insts != c->b->num_insts)
        return differ(c, "%zu and %zu instructions", c->a->num_insts, c->b->num_insts);
    for (size_t i = 0; i < c->a->num_insts; i++) {
        const vsg_obj_inst *x = &c->a->insts[i], *y = &c->b->insts[i];
        if (x->op != y->op || x->sub_flags != y->sub_flags || x->exec_size != y->exec_size ||
            x->mask_offset != y->mask_offset || x->no_mask != y->no_mask ||
            x->predicate != y->predicate || x->predicate_inverse != y->predicate_inverse ||
            x->predicate_combine != y->predicate_combine || x->num_operands != y->num_operands)
            return differ(c, "instruction %zu: %s %s and %s %s", i, vsg_isa_op(x->op)->text,
                          write_down(x).text, vsg_isa_op(y->op)->text, write_down(y).text);
        for (unsigned n = 0; n < x->num_operands; n++)
            if (!same_operand(&x->operands[n], &y->operands[n]))
                return differ(c, "instruction %zu, operand %u: %s %s and %s", i, n,
                              vsg_isa_op(x->op)->text, write_down(x).text, write_down(y).text);
    }
    return true;
}

/* Is string `index` a subroutine's name, and its number behind it in b? */
static inline bool is_numbered_label(const comparison *c, size_t index)
{
    for (size_t i = 0; c->numbered && i < c->a->num_labels && i < c->b->num_labels; i++)
        if (c->a->labels[i].name == c->a->stored.strings[index] &&
            c->b->labels[i].name == c->b->stored.strings[index])
            return same_label_names(c, i);
    return false;
}

static inline bool same_stored(comparison *c)
{
    const vsg_obj_stored *x = &c->a->stored, *y = &c->b->stored;

    if (x->num_strings != y->num_strings || x->num_gen_binaries != y->num_gen_binaries ||
        x->num_variable_relocs != y->num_variable_relocs ||
        x->num_function_relocs != y->num_function_relocs || x->input_grfs != y->input_grfs ||
        x->return_grfs != y->return_grfs || x->damage != y->damage ||
        x->num_stream != y->num_stream || x->is_declaration != y->is_declaration)
        return differ(c, "what is stored beside");
    for (size_t i = 0; i < x->num_strings; i++)
        if (strcmp(x->strings[i], y->strings[i]) != 0 && !is_numbered_label(c, i))
            return differ(c, "string %zu", i);
    for (size_t i = 0; i < x->num_gen_binaries; i++) {
        const vsg_obj_gen_binary *g = &x->gen_binaries[i], *h = &y->gen_binaries[i];
        if (g->platform != h->platform || g->size_bytes != h->size_bytes ||
            memcmp(g->data, h->data, g->size_bytes) != 0)
            return differ(c, "GEN binary %zu", i);
    }
    for (size_t i = 0; i < x->num_variable_relocs; i++)
        if (memcmp(&x->variable_relocs[i], &y->variable_relocs[i], sizeof(vsg_obj_reloc)) != 0)
            return differ(c, "variable relocation %zu", i);
    for (size_t i = 0; i < x->num_function_relocs; i++)
        if (memcmp(&x->function_relocs[i], &y->function_relocs[i], sizeof(vsg_obj_reloc)) != 0)
            return differ(c, "function relocation %zu", i);
    return same_states(c, x->vmes, x->num_vmes, y->vmes, y->num_vmes, true);
}

static inline bool same_units(comparison *c)
{
    const vsg_obj_unit *a = c->a, *b = c->b;
    bool names = !c->text_too;

    if (strcmp(a->name, b->name) != 0 || a->is_function != b->is_function ||
        a->linkage != b->linkage)
        return differ(c, "name or linkage: %s and %s", a->name, b->name);
    return same_variables(c) &&
           same_states(c, a->addresses, a->num_addresses, b->addresses, b->num_addresses,
                       names) &&
           same_states(c, a->predicates, a->num_predicates, b->predicates, b->num_predicates,
                       names) &&
           same_states(c, a->samplers, a->num_samplers, b->samplers, b->num_samplers, true) &&
           same_states(c, a->surfaces, a->num_surfaces, b->surfaces, b->num_surfaces, true) &&
           same_labels(c) && same_inputs(c) &&
           same_attributes(c, &a->attributes, &b->attributes, a->name) && same_insts(c) &&
           (c->text_too || same_stored(c));
}

#endif
