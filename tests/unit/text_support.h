/* SPDX-License-Identifier: MIT
 *
 * What the tests of the text reader share: an allocator that counts and fails on demand, a text
 * read into a module, instructions written down in few letters. Include after cmocka.h. */
#ifndef VISAGE_TESTS_TEXT_SUPPORT_H
#define VISAGE_TESTS_TEXT_SUPPORT_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/parser.h"

typedef struct counting {
    size_t live_bytes;
    size_t calls; /* that asked for memory */
    size_t fail;  /* number of the call that gets none, from 1; 0: none fails */
} counting;

static inline void *counting_resize(void *user, void *pointer, size_t old_size, size_t new_size)
{
    counting *counts = user;

    if (new_size == 0) {
        counts->live_bytes -= pointer ? old_size : 0;
        free(pointer);
        return NULL;
    }
    if (++counts->calls == counts->fail)
        return NULL;
    void *resized = realloc(pointer, new_size);
    assert_non_null(resized);
    counts->live_bytes += new_size - (pointer ? old_size : 0);
    return resized;
}

typedef struct fixture {
    counting counts;
    vsg_base_alloc alloc;
    vsg_obj_module *module;
    visage_diagnostics *diagnostics;
    char *text;           /* what was read, in a block of exactly its size */
    bool is_judged_later; /* for the texts to read (text/parser.h) */
} fixture;

static inline void clean(fixture *f)
{
    vsg_obj_destroy(&f->module);
    visage_diagnostics_destroy(&f->diagnostics);
    free(f->text);
    f->text = NULL;
    assert_int_equal(f->counts.live_bytes, 0);
}

static inline int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);

    assert_non_null(f);
    f->alloc = (vsg_base_alloc){.resize = counting_resize, .user = &f->counts};
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    fixture *f = *state;

    clean(f);
    free(f);
    return 0;
}

static inline visage_status read_as(fixture *f, const char *text, size_t size,
                                    visage_platform platform, const char *unit_name)
{
    clean(f);
    f->module = vsg_obj_create(&f->alloc);
    f->diagnostics = vsg_base_diagnostics_new(&f->alloc);
    f->text = malloc(size ? size : 1);
    if (!f->module || !f->diagnostics)
        return VISAGE_NO_MEMORY;
    assert_non_null(f->text);
    memcpy(f->text, text, size);
    f->module->platform = platform;
    vsg_txt_input input = {.name = "k.visaasm",
                           .text = f->text,
                           .size_bytes = size,
                           .unit_name = unit_name,
                           .is_judged_later = f->is_judged_later};
    return vsg_txt_parse(f->module, &input, f->diagnostics);
}

static inline visage_status read_text(fixture *f, const char *text)
{
    return read_as(f, text, strlen(text), VISAGE_PLATFORM_NONE, NULL);
}

/* Reads a text that has nothing wrong. Returns its first unit. */
static inline const vsg_obj_unit *read_good(fixture *f, const char *text)
{
    visage_status status = read_text(f, text);
    const visage_diagnostic *found = visage_diagnostics_get(f->diagnostics, 0);

    if (found)
        fail_msg("%u:%u: %s [%s] in\n%s", found->line, found->column, found->message,
                 found->code, text);
    assert_int_equal(status, VISAGE_OK);
    assert_true(f->module->num_units > 0);
    return f->module->units[0];
}

/* Variables for one-instruction texts. V32 is variable 32, and so on. */
static const char prolog[] = ".version 4.1\n"
                             ".kernel \"k\"\n"
                             ".decl V32 v_type=G type=ud num_elts=64 align=GRF\n"
                             ".decl V33 v_type=G type=f num_elts=64 align=GRF\n"
                             ".decl V34 v_type=G type=d num_elts=64 align=GRF\n"
                             ".decl V35 v_type=G type=uq num_elts=32 align=GRF\n"
                             ".decl A0 v_type=A num_elts=8\n"
                             ".decl A1 v_type=A num_elts=8\n"
                             ".decl P1 v_type=P num_elts=32\n"
                             ".decl P2 v_type=P num_elts=32\n"
                             ".decl S0 v_type=S num_elts=1\n"
                             ".decl T6 v_type=T num_elts=1\n"
                             ".decl T7 v_type=T num_elts=2\n";
enum { PROLOG_LINES = 13 };

/* ---- instructions in few letters -------------------------------------------------------- */

typedef struct note {
    char text[1024];
    size_t length;
} note;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static inline void
put(note *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int length =
        vsnprintf(out->text + out->length, sizeof out->text - out->length, format, args);
    va_end(args);
    assert_true(length >= 0 && (size_t)length < sizeof out->text - out->length);
    out->length += (size_t)length;
}

/* g32.0.1<8;8,1> general: variable, row, column, region (destinations <0;0,h>);
 * a0.1<8> address; p1 predicate; i0.1-32<8;8,1>:d indirect: address variable, element, bytes;
 * &2:32+36 address-of: state, variable, bytes; #f:3f800000 immediate; s0:6.0 state: class,
 * variable, element; r32.64 raw; t6 surface; z0 sampler; l0 label; "name"; n5 number;
 * v0:32 variable of lifetime: class, variable. Before it: sat, abs, neg, nabs, not. */
static inline void put_operand(note *out, const vsg_obj_operand *o)
{
    static const char *const modifiers[] = {"", "abs ", "neg ", "nabs ", "sat ", "not "};

    put(out, "%s", modifiers[o->modifier]);
    switch (o->class_) {
    case VSG_OBJ_CLASS_GENERAL:
        put(out, "g%u.%u.%u<%u;%u,%u>", o->id, o->row, o->column, o->v_stride, o->width,
            o->h_stride);
        break;
    case VSG_OBJ_CLASS_ADDRESS:
        put(out, "a%u.%u<%u>", o->id, o->offset_elements, o->width);
        break;
    case VSG_OBJ_CLASS_PREDICATE:
        put(out, "p%u", o->id);
        break;
    case VSG_OBJ_CLASS_INDIRECT:
        put(out, "i%u.%u%+d<%u;%u,%u>:%s", o->id, o->offset_elements, o->offset_bytes,
            o->v_stride, o->width, o->h_stride, vsg_isa_type(o->type)->text);
        break;
    case VSG_OBJ_CLASS_ADDRESS_OF:
        put(out, "&%u:%u%+d", o->state, o->id, o->offset_bytes);
        break;
    case VSG_OBJ_CLASS_IMMEDIATE:
        put(out, "#%s:%" PRIx64, vsg_isa_type(o->type)->text, o->value);
        break;
    case VSG_OBJ_CLASS_STATE:
        put(out, "s%u:%u.%u", o->state, o->id, o->offset_elements);
        break;
    case VSG_OBJ_CLASS_RAW:
        put(out, "r%u.%d", o->id, o->offset_bytes);
        break;
    case VSG_OBJ_CLASS_SURFACE:
        put(out, "t%u", o->id);
        break;
    case VSG_OBJ_CLASS_SAMPLER:
        put(out, "z%u", o->id);
        break;
    case VSG_OBJ_CLASS_LABEL:
        put(out, "l%u", o->id);
        break;
    case VSG_OBJ_CLASS_NAME:
        put(out, "\"%s\"", o->name);
        break;
    case VSG_OBJ_CLASS_NUMBER:
        put(out, "n%" PRIu64, o->value);
        break;
    case VSG_OBJ_CLASS_VARIABLE:
        put(out, "v%u:%u", o->state, o->id);
        break;
    default:
        put(out, "?");
    }
}

/* "[16@4 NM !p1.any x100] operands": execution size and first channel, NoMask, predicate, flags
 * of the sub field (hexadecimal); each only where it is there. */
static inline note write_down(const vsg_obj_inst *inst)
{
    static const char *const combines[] = {"", ".any", ".all"};
    note out = {.length = 0};

    put(&out, "[");
    if (inst->exec_size)
        put(&out, "%u@%u", inst->exec_size, inst->mask_offset);
    if (inst->no_mask)
        put(&out, " NM");
    if (inst->predicate)
        put(&out, " %sp%u%s", inst->predicate_inverse ? "!" : "", inst->predicate,
            combines[inst->predicate_combine]);
    if (inst->sub_flags)
        put(&out, " x%x", inst->sub_flags);
    put(&out, "]");
    for (unsigned i = 0; i < inst->num_operands; i++) {
        put(&out, " ");
        put_operand(&out, &inst->operands[i]);
    }
    return out;
}

#endif
