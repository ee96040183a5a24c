/* SPDX-License-Identifier: MIT
 *
 * What the two forms of `visage info` share. */
#ifndef VISAGE_TOOL_INFO_H
#define VISAGE_TOOL_INFO_H

#include <jansson.h>

#include "tool.h"

/* A text from a file, in UTF-8 and printable: a backslash is doubled; a byte that is no part of
 * valid UTF-8, and a control character, is \x and two hexadecimal digits. Nothing is lost.
 * free() it; NULL when memory is out. */
char *info_escape(const char *text, size_t length);

/* How often one row of the instruction table is used. */
typedef struct info_count {
    size_t row, number;
} info_count;

/* Most frequent first; malloc'd, *used of them. NULL when memory is out. */
info_count *info_count_instructions(const visage_module *module, size_t unit, size_t *used);
/* The mnemonic of a row, in `text` of `size` bytes. */
const char *info_mnemonic(size_t row, char *text, size_t size);

const char *info_argument_kind(visage_argument_kind kind);
const char *info_linkage(visage_linkage linkage);
const char *info_class(visage_class class_);
const char *info_label_kind(visage_label_kind kind);
/* Characters of an attribute's string, which may have NULs among them. */
size_t info_string_length(const visage_attribute *attribute);

void info_print_text(const char *file, const visage_module *module, bool tables);
/* An object for the file; NULL when memory is out. status: of reading it. */
json_t *info_make_json(const char *file, const visage_module *module, visage_status status);
/* The object for one that could not be read. */
json_t *info_make_error(const char *file, visage_status status);

#endif
