/* SPDX-License-Identifier: MIT
 *
 * The text reader: vISA assembly into a module. Everything it knows of instructions comes from
 * the tables of src/isa. Source: 8_appendix_visa_assembly_syntax, each page's Text section,
 * spec dialect 4. */
#ifndef VISAGE_TEXT_PARSER_H
#define VISAGE_TEXT_PARSER_H

#include "object/object.h"

/* What parser and printer look up in every text; the same for all. */
typedef struct vsg_txt_tables vsg_txt_tables;

/* NULL when memory is out. Deleting accepts a pointer to NULL and leaves NULL. */
vsg_txt_tables *vsg_txt_tables_new(const vsg_base_alloc *alloc);
void vsg_txt_tables_delete(vsg_txt_tables **tables);

typedef struct vsg_txt_input {
    const char *name; /* for diagnostics; copied */
    const char *text; /* borrowed; need not end in NUL */
    size_t size_bytes;
    uint64_t offset_bytes; /* of the text in a container, for diagnostics; 0 */
    const char *unit_name; /* name of the first kernel or function, in place of the text's;
                              NULL: as the text says (a zebin's texts all say "kernel") */
    const vsg_txt_tables *tables; /* borrowed; NULL: made for this text alone */
    bool is_judged_later;         /* see below */
    bool has_lost_scopes;         /* a compiler's: a variable may be declared again, as it is */
} vsg_txt_input;

/* Parses one text and adds its kernels and functions to the module. Goes on to the next line
 * after an error; everything wrong is in the diagnostics, up to a hundred errors. What has been
 * added stays in the module even when the result is not OK. Where all errors are in
 * instructions the module is_broken: it is as the text says but for those, and a unit that
 * lacks_insts says so.
 *
 * is_judged_later: what a module can hold and a rule forbids is left to the verifier: sizes
 * that are no execution size, predicates where there are none, labels that stand nowhere or
 * twice. The module is_broken then, and the result is OK where nothing else is wrong.
 *
 * The platform decides nothing here but %sizeof(GRF) (module->platform, 32 where unknown).
 *
 * Returns SYNTAX, NO_MEMORY. Takes time linear in the text. */
VISAGE_NODISCARD visage_status vsg_txt_parse(vsg_obj_module *module, const vsg_txt_input *input,
                                             visage_diagnostics *diagnostics);

/* Does the start of these bytes look like vISA text? */
bool vsg_txt_is_text(const void *data, size_t size_bytes);

#endif
