/* SPDX-License-Identifier: MIT
 *
 * YAML read straight into structs: a record lists the keys of a mapping and where each value
 * goes. Values are taken from the parser's events, so nothing but the structs is kept, and a
 * small input cannot grow (no aliases, bounded nesting). */
#ifndef VISAGE_CONTAINER_YAML_RECORD_H
#define VISAGE_CONTAINER_YAML_RECORD_H

#include <yaml.h>

#include "container/reader.h"

typedef enum vsg_con_form {
    VSG_CON_FORM_FLAG,    /* bool */
    VSG_CON_FORM_NUMBER,  /* uint32_t, 0 to `most` */
    VSG_CON_FORM_INDEX,   /* int32_t, -1 to `most` */
    VSG_CON_FORM_TRIPLE,  /* uint32_t[3], each 0 to `most` */
    VSG_CON_FORM_STRING,  /* const char *, one of `words` if there are any */
    VSG_CON_FORM_CHOICE,  /* an enum, 1 + index in `words` */
    VSG_CON_FORM_MAPPING, /* `record` at this place of the same struct */
    VSG_CON_FORM_LIST,    /* pointer to an array of `record`, its length at `count_offset` */
    VSG_CON_FORM_FOREIGN  /* what we cannot do: anything but 0 and false is warned about */
} vsg_con_form;

typedef struct vsg_con_field {
    const char *key;
    vsg_con_form form;
    bool is_required;
    bool is_unit_name; /* a kernel's name, for the diagnostics that follow */
    size_t offset;     /* in the struct; 0 for FOREIGN */
    size_t count_offset;
    uint32_t most;
    const char *const *words; /* ends with NULL */
    const struct vsg_con_record *record;
} vsg_con_field;

struct vsg_con_yaml;

typedef struct vsg_con_record {
    const char *what; /* in messages: "a kernel" */
    const vsg_con_field *fields;
    size_t num_fields; /* up to 64 */
    /* Of LIST: */
    size_t size;
    const void *defaults; /* NULL: zeros */
    /* What the fields alone cannot say; may be NULL. start: where the mapping starts. */
    void (*check)(struct vsg_con_yaml *yaml, const yaml_mark_t *start, void *record);
} vsg_con_record;

/* A document being read. The first error stops it: every function then does nothing. */
typedef struct vsg_con_yaml {
    const vsg_con_reader *file;
    const uint8_t *text;
    size_t size;
    uint64_t offset; /* of the text in the file */
    visage_status status;
    const char *kernel; /* what is being read, NULL: none */
    unsigned depth;
    unsigned warnings;
    yaml_parser_t parser;
    yaml_event_t event; /* the next one to take */
    char line[256];     /* of the last position asked for */
} vsg_con_yaml;

/* Reads one document, a mapping, into `base`. `size` bytes at `offset` of the file. On return
 * `yaml` is of use for vsg_con_yaml_where() of nothing (position NULL) and its status only. */
visage_status vsg_con_yaml_read(vsg_con_yaml *yaml, const vsg_con_reader *file, size_t offset,
                                size_t size, const vsg_con_record *record, void *base);

/* Line, column and text of a position; NULL: the document as a whole. Valid until the next. */
vsg_base_location vsg_con_yaml_where(vsg_con_yaml *yaml, const yaml_mark_t *mark);
/* Notes that reading failed; the caller has reported why. */
void vsg_con_yaml_fail(vsg_con_yaml *yaml, visage_status status);
/* Whether one more warning is to be told: a long file should not bury its reader. */
bool vsg_con_yaml_warns(vsg_con_yaml *yaml);

/* Decimal digits or 0x and hexadecimal ones, perhaps after a minus sign. */
bool vsg_con_yaml_number(const char *text, int64_t *out);

#endif
