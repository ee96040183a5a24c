/* SPDX-License-Identifier: MIT
 *
 * Operand forms as parser and printer need them: worked out of the tables of src/isa when a
 * form is first met, so that neither compares names while it goes through instructions. */
#ifndef VISAGE_TEXT_FORM_H
#define VISAGE_TEXT_FORM_H

#include "isa/isa.h"

/* clang-format off */
/* Operands that suffixes and address parts fill, by their names in forms.def. */
#define VSG_TXT_ROLES(ROLE)                                                                    \
    ROLE(CHANNELS, "channels")                                                                 \
    ROLE(MODE, "mode")                                                                         \
    ROLE(ELT_SIZE, "elt_size")                                                                 \
    ROLE(NUM_BLOCKS, "num_blocks")                                                             \
    ROLE(BLOCK_SIZE, "block_size")                                                             \
    ROLE(SIZE, "size")                                                                         \
    ROLE(MODIFIERS, "modifiers")                                                               \
    ROLE(ATOMIC, "atomic")                                                                     \
    ROLE(REL, "rel")                                                                           \
    ROLE(FUNC, "func")                                                                         \
    ROLE(INFO, "info")                                                                         \
    ROLE(NUM_SRC0, "num_src0")                                                                 \
    ROLE(NUM_SRC1, "num_src1")                                                                 \
    ROLE(NUM_DST, "num_dst")                                                                   \
    ROLE(SFID, "sfid")                                                                         \
    ROLE(CACHE_L1, "cache_l1")                                                                 \
    ROLE(CACHE_L3, "cache_l3")                                                                 \
    ROLE(OP, "op")                                                                             \
    ROLE(SCOPE, "scope")                                                                       \
    ROLE(ADDR_TYPE, "addr_type")                                                               \
    ROLE(ADDR_SCALE, "addr_scale")                                                             \
    ROLE(ADDR_OFFSET, "addr_offset")                                                           \
    ROLE(ADDR_SIZE, "addr_size")                                                               \
    ROLE(DATA_SIZE, "data_size")                                                               \
    ROLE(DATA_ORDER, "data_order")                                                             \
    ROLE(NUM_ELEMENTS, "num_elements")                                                         \
    ROLE(SURFACE, "surface")                                                                   \
    ROLE(ADDRESS, "address")                                                                   \
    ROLE(PITCH, "pitch")                                                                       \
    ROLE(U, "u")                                                                               \
    ROLE(SURFACE_BASE, "surface_base")                                                         \
    ROLE(X, "x")                                                                               \
    ROLE(BLOCK_WIDTH, "block_width")                                                           \
    ROLE(BLOCK_HEIGHT, "block_height")                                                         \
    ROLE(VNNI, "vnni")                                                                         \
    ROLE(CONTROL, "control")                                                                   \
    ROLE(EXEC_MODE, "exec_mode")                                                               \
    ROLE(EX_DESC, "ex_desc")                                                                   \
    ROLE(CONVERSION, "conversion")                                                             \
    ROLE(ROUNDING, "rounding")                                                                 \
    ROLE(DESC_LOW, "desc_low")                                                                 \
    ROLE(DESC_HIGH, "desc_high")
/* clang-format on */

typedef enum vsg_txt_role {
#define ROLE(id, name) VSG_TXT_ROLE_##id,
    VSG_TXT_ROLES(ROLE)
#undef ROLE
        VSG_TXT_ROLE_COUNT
} vsg_txt_role;

enum { VSG_TXT_NO_OPERAND = 255 };

typedef struct vsg_txt_form {
    bool ready, has_exec, has_predicate;
    bool no_operands; /* order "-" */
    uint8_t num_operands;
    uint8_t num_order;
    vsg_isa_slot_kind kinds[VSG_ISA_MAX_SLOTS]; /* by operand number */
    uint8_t order[VSG_ISA_MAX_SLOTS];
    uint8_t list;                      /* operand number of the list, NO_OPERAND: none */
    uint8_t roles[VSG_TXT_ROLE_COUNT]; /* operand numbers, NO_OPERAND: none */
} vsg_txt_form;

/* The form of an operation. forms: one for each VSG_ISA_FORM_*, zeroed at first. */
const vsg_txt_form *vsg_txt_form_of(vsg_txt_form *forms, visage_op op);
/* Works out the forms of all operations. */
void vsg_txt_read_forms(vsg_txt_form *forms);

/* Does operand `number` stand for the address part of an LSC instruction? */
bool vsg_txt_is_address(const vsg_txt_form *form, uint32_t number);

/* The list of words that text writes for operand `number`; false where it writes a number. */
bool vsg_txt_is_worded(const vsg_txt_form *form, uint32_t number, vsg_isa_words *list);

/* Is a parameter there in a render-target write of this mode? */
bool vsg_txt_has_rt_parameter(const vsg_isa_rt_parameter *parameter, uint64_t mode);

#endif
