/* SPDX-License-Identifier: MIT
 *
 * Operands in bytes. Sources: 5_operands; spec dialect 3. */
#include "object/decode.h"

enum {
    TAG_CLASS = 7,
    TAG_MODIFIER_SHIFT = 3,
    REGION_ONE = 0x121 /* <0;1,0> */
};

/* Which classes may stand in a slot: bit n is class n of the tag. */
#define BIT(class_) (1u << VSG_OBJ_CLASS_##class_)
static const uint8_t classes_of[] = {
    [VSG_ISA_SLOT_DST] = BIT(GENERAL) | BIT(INDIRECT),
    [VSG_ISA_SLOT_DST_PRED_OR] = BIT(GENERAL) | BIT(INDIRECT) | BIT(PREDICATE),
    [VSG_ISA_SLOT_PRED_DST] = BIT(PREDICATE),
    [VSG_ISA_SLOT_ADDR_DST] = BIT(ADDRESS),
    [VSG_ISA_SLOT_STATE_DST] = BIT(GENERAL) | BIT(STATE),
    [VSG_ISA_SLOT_SRC] = BIT(GENERAL) | BIT(INDIRECT) | BIT(IMMEDIATE),
    [VSG_ISA_SLOT_SRC_PRED_OR] = BIT(GENERAL) | BIT(INDIRECT) | BIT(IMMEDIATE) | BIT(PREDICATE),
    [VSG_ISA_SLOT_ADDR_SRC] = BIT(ADDRESS) | BIT(GENERAL) | BIT(STATE),
    [VSG_ISA_SLOT_STATE_SRC] = BIT(GENERAL) | BIT(INDIRECT) | BIT(IMMEDIATE) | BIT(STATE),
};

bool vsg_obj_is_general(const vsg_obj_unit *unit, uint64_t id)
{
    return id < VSG_ISA_NUM_PREDEFINED ||
           (id >= VSG_ISA_FIRST_VARIABLE && id - VSG_ISA_FIRST_VARIABLE < unit->num_variables);
}

bool vsg_obj_is_surface(const vsg_obj_unit *unit, uint64_t id)
{
    return id < VSG_ISA_NUM_SURFACES || id - VSG_ISA_NUM_SURFACES < unit->num_surfaces;
}

bool vsg_obj_is_sampler(const vsg_obj_unit *unit, uint64_t id)
{
    return id == VSG_ISA_BINDLESS_SAMPLER || id < unit->num_samplers;
}

bool vsg_obj_problem_at(vsg_obj_decoder *decoder, vsg_base_diag diag, size_t at,
                        const char *what, uint64_t value, const char *expected)
{
    if (decoder->lenient && (diag == VSG_DIAG_BIN_INDEX || diag == VSG_DIAG_BIN_STRING))
        return true;
    decoder->problem = (vsg_obj_problem){.diag = diag,
                                         .at = at,
                                         .what = what,
                                         .value = value,
                                         .limit = decoder->problem.limit,
                                         .expected = expected};
    return false;
}

/* Notes what has stopped the cursor, if it has been. */
static bool good(vsg_obj_decoder *d)
{
    if (!d->in.failed)
        return true;
    return vsg_obj_problem_at(d, VSG_DIAG_BIN_ENDS, d->in.at, d->in.field, d->in.needed, NULL);
}

static bool index_problem(vsg_obj_decoder *d, const char *what, uint64_t id)
{
    return vsg_obj_problem_at(d, VSG_DIAG_BIN_INDEX, d->in.at, what, id, NULL);
}

static uint32_t variable_id(vsg_obj_decoder *d, const char *what)
{
    bool wide = d->shapes->version >= VSG_OBJ_VERSION_ATTRIBUTES;
    return (uint32_t)vsg_obj_number(&d->in, wide ? 4 : 2, what);
}

/* ---- regions ---------------------------------------------------------------------------- */

static const uint8_t strides[] = {VSG_OBJ_STRIDE_NULL, 0, 1, 2, 4, 8, 16, 32};

/* Of a destination, where only the horizontal stride counts: the others are kept, and null,
 * which is what is written, is 0. */
static uint8_t ignored(unsigned code)
{
    return code == 0 ? 0 : code == 1 ? VSG_OBJ_STRIDE_NULL : strides[code];
}

static bool region(vsg_obj_decoder *d, bool is_destination, vsg_obj_operand *operand)
{
    size_t at = d->in.at;
    unsigned bits = vsg_obj_u16(&d->in, "region");
    unsigned v = bits & 15, w = bits >> 4 & 15, h = bits >> 8 & 15;
    bool indirect = operand->class_ == VSG_OBJ_CLASS_INDIRECT;

    if (!good(d))
        return false;
    bool fits = bits >> 12 == 0 && v <= 7 && w <= 7 && h >= 1 && h <= 7;
    /* Which of the numbers are legal is the verifier's; null has a meaning in few places. */
    if (!is_destination)
        fits &= v == 0 ? indirect : w != 0;
    if (!fits)
        return vsg_obj_problem_at(d, VSG_DIAG_BIN_FIELD, at, "region", bits,
                                  "strides and a width as 5_operands has them");
    operand->v_stride = is_destination ? ignored(v) : strides[v];
    operand->width = is_destination ? ignored(w) : strides[w];
    operand->h_stride = strides[h];
    return true;
}

/* ---- classes ---------------------------------------------------------------------------- */

static bool general(vsg_obj_decoder *d, const char *what, bool is_destination,
                    vsg_obj_operand *operand)
{
    operand->id = variable_id(d, what);
    operand->row = vsg_obj_u8(&d->in, "row_offset");
    operand->column = vsg_obj_u8(&d->in, "col_offset");
    if (!good(d))
        return false;
    return (vsg_obj_is_general(d->unit, operand->id) || index_problem(d, what, operand->id)) &&
           region(d, is_destination, operand);
}

static bool address(vsg_obj_decoder *d, const char *what, vsg_obj_operand *operand)
{
    operand->id = vsg_obj_u16(&d->in, what);
    operand->offset_elements = vsg_obj_u8(&d->in, "offset");
    unsigned width = vsg_obj_u8(&d->in, "width");

    if (!good(d))
        return false;
    if (operand->id >= d->unit->num_addresses && !index_problem(d, what, operand->id))
        return false;
    if (width > 4)
        return vsg_obj_problem_at(d, VSG_DIAG_BIN_FIELD, d->in.at - 1, "width", width,
                                  "0 to 4, for 1 to 16 elements");
    operand->width = (uint8_t)(1u << width);
    return true;
}

static bool predicate(vsg_obj_decoder *d, const char *what, vsg_obj_operand *operand)
{
    operand->id = vsg_obj_u16(&d->in, what);
    if (!good(d))
        return false;
    return (operand->id != 0 && operand->id <= d->unit->num_predicates) ||
           index_problem(d, what, operand->id);
}

static bool indirect(vsg_obj_decoder *d, const char *what, bool is_destination,
                     vsg_obj_operand *operand)
{
    operand->id = vsg_obj_u16(&d->in, what);
    operand->offset_elements = vsg_obj_u8(&d->in, "addr_offset");
    operand->offset_bytes = (int16_t)vsg_obj_u16(&d->in, "indirect_offset");
    operand->type = vsg_obj_u8(&d->in, "bit_properties");
    if (!good(d))
        return false;
    if (operand->id >= d->unit->num_addresses && !index_problem(d, what, operand->id))
        return false;
    const vsg_isa_type_info *type = vsg_isa_type(operand->type);
    if (!type || type->kind == VSG_ISA_KIND_PACKED || type->kind == VSG_ISA_KIND_BOOLEAN)
        return vsg_obj_problem_at(d, VSG_DIAG_BIN_FIELD, d->in.at - 1, "bit_properties",
                                  operand->type, "the type of one element");
    return region(d, is_destination, operand);
}

static bool immediate(vsg_obj_decoder *d, const char *what, vsg_obj_operand *operand)
{
    operand->type = vsg_obj_u8(&d->in, "type");
    const vsg_isa_type_info *type = vsg_isa_type(operand->type);

    if (!good(d))
        return false;
    if (!type || type->kind == VSG_ISA_KIND_BOOLEAN)
        return vsg_obj_problem_at(d, VSG_DIAG_BIN_FIELD, d->in.at - 1, "type", operand->type,
                                  "a type other than bool");
    operand->value = vsg_obj_number(&d->in, type->bytes == 8 ? 8 : 4, what);
    /* Narrow ones stand in a dword, sign-extended. */
    if (type->kind == VSG_ISA_KIND_SIGNED && type->bytes < 8)
        operand->value = (uint64_t)(int64_t)(int32_t)(uint32_t)operand->value;
    return good(d);
}

static bool state(vsg_obj_decoder *d, const char *what, vsg_obj_operand *operand)
{
    operand->state = vsg_obj_u8(&d->in, "class");
    operand->id = vsg_obj_u16(&d->in, what);
    operand->offset_elements = vsg_obj_u8(&d->in, "offset");
    if (!good(d))
        return false;
    if (operand->state > 1)
        return vsg_obj_problem_at(d, VSG_DIAG_BIN_FIELD, d->in.at - 4, "class", operand->state,
                                  "0, surface, or 1, sampler");
    bool there = operand->state ? vsg_obj_is_sampler(d->unit, operand->id)
                                : vsg_obj_is_surface(d->unit, operand->id);
    return there || index_problem(d, what, operand->id);
}

/* &V is stored as a general operand and &T as a state operand: its place says what it is. */
static bool address_of(vsg_obj_decoder *d, vsg_obj_operand *operand)
{
    vsg_obj_variable_facts facts = {.type = VISAGE_TYPE_UD};

    if (operand->class_ == VSG_OBJ_CLASS_STATE) {
        operand->offset_bytes = operand->offset_elements * 4;
        operand->offset_elements = 0;
    } else {
        if (operand->v_stride != 0 || operand->width != 1 || operand->h_stride != 0)
            return vsg_obj_problem_at(d, VSG_DIAG_BIN_FIELD, d->in.at - 2, "region",
                                      operand->width, "<0;1,0> of an address");
        (void)vsg_obj_variable_get(d->unit, operand->id, &facts);
        operand->offset_bytes = (int32_t)(operand->row * d->grf_bytes +
                                          operand->column * vsg_isa_type(facts.type)->bytes);
        operand->state = 2; /* row and column stay, the same offset may have several */
        operand->width = 0;
    }
    operand->class_ = VSG_OBJ_CLASS_ADDRESS_OF;
    return true;
}

static bool by_class(vsg_obj_decoder *d, const char *what, bool is_destination,
                     vsg_obj_operand *operand)
{
    switch (operand->class_) {
    case VSG_OBJ_CLASS_GENERAL:
        return general(d, what, is_destination, operand);
    case VSG_OBJ_CLASS_ADDRESS:
        return address(d, what, operand);
    case VSG_OBJ_CLASS_PREDICATE:
        return predicate(d, what, operand);
    case VSG_OBJ_CLASS_INDIRECT:
        return indirect(d, what, is_destination, operand);
    case VSG_OBJ_CLASS_IMMEDIATE:
        return immediate(d, what, operand);
    default:
        return state(d, what, operand);
    }
}

static bool modifier_fits(bool is_destination, unsigned modifier)
{
    if (is_destination)
        return modifier == VSG_OBJ_MOD_NONE || modifier == VSG_OBJ_MOD_SAT;
    return modifier <= VSG_OBJ_MOD_NOT && modifier != VSG_OBJ_MOD_SAT;
}

bool vsg_obj_decode_vector(vsg_obj_decoder *decoder, vsg_isa_slot_kind kind, const char *what,
                           vsg_obj_operand *operand)
{
    size_t at = decoder->in.at;
    unsigned tag = vsg_obj_u8(&decoder->in, what);
    unsigned class_ = tag & TAG_CLASS, modifier = tag >> TAG_MODIFIER_SHIFT;
    unsigned can = classes_of[kind];
    bool is_destination = kind <= VSG_ISA_SLOT_STATE_DST;

    if (!good(decoder))
        return false;
    if (decoder->flags & VSG_ISA_ADDRESS && can & BIT(GENERAL))
        can |= BIT(ADDRESS);
    if (!(can >> class_ & 1))
        return vsg_obj_problem_at(decoder, VSG_DIAG_BIN_CLASS, at, what, class_, NULL);
    if (!modifier_fits(is_destination, modifier))
        return vsg_obj_problem_at(decoder, VSG_DIAG_BIN_FIELD, at, "tag", tag,
                                  "a class and a modifier that go together");
    *operand = (vsg_obj_operand){.class_ = (uint8_t)class_, .modifier = (uint8_t)modifier};
    if (!by_class(decoder, what, is_destination, operand))
        return false;
    if (kind == VSG_ISA_SLOT_ADDR_SRC && class_ != VSG_OBJ_CLASS_ADDRESS)
        return address_of(decoder, operand);
    return true;
}

bool vsg_obj_decode_raw(vsg_obj_decoder *decoder, const char *what, vsg_obj_operand *operand)
{
    *operand = (vsg_obj_operand){.class_ = VSG_OBJ_CLASS_RAW};
    operand->id = variable_id(decoder, what);
    operand->offset_bytes = vsg_obj_u16(&decoder->in, "offset");
    if (!good(decoder))
        return false;
    return vsg_obj_is_general(decoder->unit, operand->id) ||
           index_problem(decoder, what, operand->id);
}
