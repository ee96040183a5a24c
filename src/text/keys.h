/* SPDX-License-Identifier: MIT
 *
 * "key=value" of declarations and inputs. */
#ifndef VISAGE_TEXT_KEYS_H
#define VISAGE_TEXT_KEYS_H

#include "text/parse.h"

/* clang-format off */
#define VSG_TXT_KEYS(KEY)                                                                      \
    KEY(V_TYPE, "v_type", read_v_type)                                                         \
    KEY(TYPE, "type", read_type)                                                               \
    KEY(NUM_ELTS, "num_elts", read_num_elts)                                                   \
    KEY(ALIGN, "align", read_align)                                                            \
    KEY(ALIAS, "alias", read_alias)                                                            \
    KEY(V_NAME, "v_name", read_v_name)                                                         \
    KEY(ATTRS, "attrs", read_attrs)                                                            \
    KEY(OFFSET, "offset", read_offset)                                                         \
    KEY(SIZE, "size", read_size)
/* clang-format on */

typedef enum vsg_txt_key {
#define KEY(id, text, read) VSG_TXT_KEY_##id,
    VSG_TXT_KEYS(KEY)
#undef KEY
        VSG_TXT_KEY_COUNT
} vsg_txt_key;

/* What a declaration or an input says, in whatever order. */
typedef struct vsg_txt_keys {
    unsigned given;                          /* bit n: key n */
    vsg_obj_place places[VSG_TXT_KEY_COUNT]; /* of those */
    char v_type;
    visage_type type;
    int64_t num_elements, offset, size;
    uint8_t align;
    uint32_t alias;
    int64_t alias_offset;
    bool alias_is_global; /* of a file-scope variable */
    vsg_obj_place alias_place;
    const char *v_name;
    vsg_obj_attributes attributes;
    bool numbered; /* attributes of a file-scope variable */
} vsg_txt_keys;

static inline bool vsg_txt_is_given(const vsg_txt_keys *k, vsg_txt_key key)
{
    return k->given >> key & 1;
}

static inline void vsg_txt_set_given(vsg_txt_keys *out, vsg_txt_key key, vsg_obj_place place)
{
    out->given |= 1u << key;
    out->places[key] = place;
}

/* The name of a key. */
const char *vsg_txt_key_text(vsg_txt_key key);
/* Before the first; what belongs to a key that is not given stays unset. */
void vsg_txt_no_keys(vsg_txt_keys *out);
/* Takes "v_type=G type=.. num_elts=.. align=.. alias=<..>" behind a blank: as much as is
 * spelled so and has no errors. The rest is left to vsg_txt_read_keys(). */
void vsg_txt_quick_keys(vsg_txt_parser *parser, vsg_txt_keys *out);
/* Reads keys up to the end of the line; `allowed`: bit n allows key n. */
bool vsg_txt_read_keys(vsg_txt_parser *parser, unsigned allowed, vsg_txt_keys *out);

#endif
