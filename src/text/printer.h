/* SPDX-License-Identifier: MIT
 *
 * The text printer: a module as vISA assembly, in the spelling of the compiler's listings.
 * Everything it knows of instructions comes from the tables of src/isa; what it prints, the
 * parser reads as the same module. Source: spec dialect 4.1, each page's Text section. */
#ifndef VISAGE_TEXT_PRINTER_H
#define VISAGE_TEXT_PRINTER_H

#include "object/object.h"

typedef struct vsg_txt_print_options {
    bool no_comments;    /* without the list of predefined variables and instruction numbers */
    bool all_attributes; /* OutputAsmPath too, which listings leave out */
    visage_diagnostics *diagnostics; /* instructions that no text can say; NULL: not told */
} vsg_txt_print_options;

/* Prints all kernels and functions of the module in their order. write: gets whole lines, in
 * pieces of some 64 KiB.
 *
 * Returns NO_MEMORY, IO (write refused), INVALID (diagnostics were told something). Takes time
 * linear in the text. */
VISAGE_NODISCARD visage_status vsg_txt_print(const vsg_obj_module *module,
                                             const vsg_txt_print_options *options,
                                             visage_write_fn write, void *user);

/* Prints the instructions of one unit, a line each, without comments and without anything
 * before the first: line n is instruction n, counted from 0. */
VISAGE_NODISCARD visage_status vsg_txt_print_insts(const vsg_obj_module *module,
                                                   const vsg_obj_unit *unit,
                                                   visage_write_fn write, void *user);

#endif
