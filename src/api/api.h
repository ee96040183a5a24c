/* SPDX-License-Identifier: MIT
 *
 * What the files of the public interface share. They check arguments, fill in defaults and own
 * handles; the work is done below. */
#ifndef VISAGE_API_API_H
#define VISAGE_API_API_H

#include "container/zebin.h"
#include "object/object.h"
#include "runtime/kernel.h"
#include "runtime/launch.h"
#include "text/parser.h"
#include "verify/verify.h"

struct visage_context {
    vsg_base_alloc alloc;
    vsg_txt_tables *tables;
};

/* A file's bytes, kept because what is read from them points into them. */
typedef struct vsg_api_bytes {
    uint8_t *data;
    size_t size; /* what was given; one byte more is allocated */
} vsg_api_bytes;

/* A text beside the module's file. */
typedef struct vsg_api_text {
    vsg_api_bytes bytes;
    size_t first_unit; /* of the module's object */
} vsg_api_text;

struct visage_module {
    vsg_base_alloc alloc;
    vsg_base_arena arena;              /* holds name and kernels */
    const char *name;                  /* of the file */
    bool is_zebin, is_binary, is_made; /* none: text; made: built or linked */
    vsg_api_bytes file, info;
    vsg_api_text *texts; /* in the arena */
    size_t num_texts;
    vsg_obj_module *object;
    bool has_container;
    vsg_con_zebin container;    /* the zebin, or what goes with a text */
    const vsg_con_zebin *zebin; /* the container, or that of a module linked; NULL: none */
    vsg_run_kernel *units;      /* kernels first, then functions */
    size_t num_kernels, num_units;
};

/* Copies options of a caller who may know fewer fields than we do, or more: `size` bytes into
 * `to`, fields that are not given zero. False: struct_size is none, or a field is set that we
 * do not know. from: may be NULL. */
VISAGE_NODISCARD bool vsg_api_options(void *to, size_t size, const void *from);

/* Finds the lines of the verifier's reports. They come mostly in the order of the text, so the
 * search goes on from the line found last; a declaration further up starts it again. */
typedef struct vsg_api_lines {
    vsg_base_alloc alloc;
    const vsg_obj_module *object;
    const vsg_run_kernel *units; /* of the module */
    size_t num_units;
    const vsg_obj_unit *unit;     /* found last */
    const vsg_run_kernel *kernel; /* of `unit` */
    const char **starts;          /* of the text's lines */
    const char *text;             /* that `starts` is of */
    size_t num_lines, capacity;
    /* Of a binary: what the instructions of a unit print as. */
    const vsg_obj_unit *printed_unit;
    char *printed;
    size_t printed_size, printed_capacity;
} vsg_api_lines;

vsg_api_lines vsg_api_lines_of(const visage_module *module);
vsg_api_lines vsg_api_lines_of_program(const visage_program *program);
/* Options that have them shown; the rest is zero. keeps: lines. */
vsg_ver_options vsg_api_show_lines(vsg_api_lines *lines);
void vsg_api_lines_free(vsg_api_lines *lines);

/* Has the module's zebin constants or global data, which no vISA object can hold? */
bool vsg_api_holds_data(const visage_module *module);

/* The kernel of that name, or the only one where it is NULL. Returns UNRESOLVED with a
 * diagnostic that lists the kernels, or as visage_launch_create() where it cannot be run. */
VISAGE_NODISCARD visage_status vsg_api_find_kernel(const visage_program *program,
                                                   const char *name,
                                                   visage_diagnostics *diagnostics,
                                                   size_t *index);

/* Copies bytes into a module. */
VISAGE_NODISCARD bool vsg_api_copy(const vsg_base_alloc *alloc, const void *data, size_t size,
                                   vsg_api_bytes *out);

/* Variable `index` of a class other than general, NULL past the last. */
const vsg_obj_state *vsg_api_state(const vsg_obj_unit *unit, visage_class class_, size_t index);
/* The attributes of variable or label `index`, or of the unit; NULL where there is none. */
const vsg_obj_attributes *vsg_api_attributes(const vsg_obj_unit *unit, visage_class class_,
                                             size_t index);
/* Identifier of a class's first variable. */
uint32_t vsg_api_first_id(visage_class class_);

/* layout: one of the enumeration. */
vsg_obj_layout vsg_api_layout(visage_layout layout);

/* An empty module, NULL when memory is out. */
visage_module *vsg_api_module_new(const vsg_base_alloc *alloc, const char *name);
/* Fills in `units` of a module whose object is complete. */
VISAGE_NODISCARD visage_status vsg_api_module_describe(visage_module *module,
                                                       visage_diagnostics *diagnostics);

/* The operation of row `index` of the instruction table; VISAGE_OP_COUNT past the last. */
visage_op vsg_api_isa_row(size_t index);

#endif
