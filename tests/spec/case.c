/* SPDX-License-Identifier: MIT
 *
 * Random instructions within what the table allows. */
#include "case.h"

#include <stdio.h>
#include <string.h>

/* splitmix64 */
uint64_t spec_random(uint64_t *random)
{
    uint64_t z = *random += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

uint32_t spec_random_below(uint64_t *random, uint32_t end)
{
    return (uint32_t)(spec_random(random) >> 32) % end;
}

/* One of the bits that are set, 0 where none is. */
static uint32_t random_bit(uint64_t *random, uint32_t set)
{
    uint32_t skip = set ? spec_random_below(random, (uint32_t)__builtin_popcount(set)) : 0;

    while (skip-- > 0)
        set &= set - 1;
    return set & (0 - set);
}

/* ---- numbers ---------------------------------------------------------------------------- */

static uint64_t random_float(uint32_t type, uint64_t *random)
{
    uint64_t one = spec_one(type), sign = spec_sign_bit(type);
    uint64_t least_normal = spec_infinity(type) & (0 - spec_infinity(type));
    uint64_t any = spec_random(random);
    const uint64_t edges[] = {
        0,
        one,
        one + least_normal,                    /* 2 */
        one - least_normal,                    /* 0.5 */
        one + least_normal / 2,                /* 1.5 */
        one + least_normal + least_normal / 4, /* 2.5 */
        one + 1,
        one - 1,
        1,                /* the least denormal */
        least_normal - 1, /* the largest one */
        least_normal,
        least_normal + 1,
        spec_largest(type),
        spec_infinity(type),
        spec_infinity(type) + least_normal / 2,     /* a quiet NaN */
        spec_infinity(type) + 1,                    /* a signalling one */
        one + 31 * least_normal,                    /* 2^31 */
        one + 7 * least_normal + least_normal / 64, /* about 2^7 */
    };
    uint64_t bits;

    switch (spec_random_below(random, 6)) {
    case 0:
        return any & (sign | (sign - 1));
    case 3: /* 1 and one bit more: products that are ties */
        return (one + (least_normal >> any % 64 % (uint32_t)__builtin_ctzll(least_normal))) |
               (any >> 63 ? sign : 0);
    case 4: /* what only a tie feels */
        return (1 + (any & 7)) | (any >> 63 ? sign : 0);
    case 1: /* around 1, so that sums of two are not just the larger one */
        bits = one + (uint64_t)(int64_t)((int32_t)(any >> 60) - 8) * least_normal;
        return (bits + (any & (least_normal - 1))) | (any & least_normal ? sign : 0);
    case 2: /* few digits, so that ties are frequent */
        bits = one + (uint64_t)(int64_t)((int32_t)(any >> 60) - 8) * least_normal;
        return (bits + (any & (least_normal - 1) & ~(least_normal / 16 - 1))) |
               (any & least_normal ? sign : 0);
    default:
        return edges[any % (sizeof edges / sizeof *edges)] | (any >> 63 ? sign : 0);
    }
}

static uint64_t random_int(uint32_t type, uint64_t *random)
{
    uint32_t width = 8 * spec_bytes(type);
    uint64_t any = spec_random(random);
    uint64_t power = (uint64_t)1 << any % width;

    switch (any >> 61) {
    case 0:
    case 1:
        return spec_cut(type, (spec_int)(any >> 8));
    case 2:
        return spec_cut(type, (spec_int)(any >> 8 & 0x1f)); /* as counts of shifts */
    case 3:
        return spec_cut(type, (spec_int)power);
    case 4:
        return spec_cut(type, (spec_int)power - 1);
    case 5:
        return spec_cut(type, -(spec_int)(any >> 8 & 3));
    case 6:
        return spec_cut(type, spec_least(type) + (spec_int)(any >> 8 & 1));
    default:
        return spec_cut(type, spec_greatest(type) - (spec_int)(any >> 8 & 1));
    }
}

uint64_t spec_random_bits(uint32_t type, uint64_t *random)
{
    if (vsg_isa_type(type)->kind == VSG_ISA_KIND_PACKED)
        return (uint32_t)spec_random(random);
    return spec_is_float(type) ? random_float(type, random) : random_int(type, random);
}

uint32_t spec_element_type(const spec_place *place)
{
    return place->type == VISAGE_TYPE_V    ? VISAGE_TYPE_W
           : place->type == VISAGE_TYPE_UV ? VISAGE_TYPE_UW
           : place->type == VISAGE_TYPE_VF ? VISAGE_TYPE_F
                                           : place->type;
}

/* ---- cells ------------------------------------------------------------------------------ */

static uint32_t position_of(const spec_row *row, uint32_t number)
{
    uint32_t position = 0;

    while (row->operands[position].number != number)
        position++;
    return position;
}

static uint32_t mask_value(const spec_case *c)
{
    return c->mask_offset / 4 + (c->no_mask ? 8 : 0);
}

static bool covers(const spec_case *c, const spec_cell *cell)
{
    const spec_place *place = NULL;

    if (cell->dimension == SPEC_KIND || cell->dimension == SPEC_MODIFIER ||
        cell->dimension == SPEC_SATURATED)
        place = &c->places[position_of(c->row, cell->operand)];
    switch ((spec_dimension)cell->dimension) {
    case SPEC_TYPES:
        for (uint32_t i = 0; i < c->row->num_operands; i++)
            if (cell->types[i] != SPEC_ANY_TYPE &&
                (cell->types[i] != c->places[i].type || c->places[i].kind > SPEC_PACKED))
                return false;
        return true;
    case SPEC_KIND:
        return place->kind == cell->value &&
               (cell->type == SPEC_ANY_TYPE || cell->type == place->type);
    case SPEC_SIZE:
        return c->size == cell->value;
    case SPEC_MASK:
        return mask_value(c) == cell->value;
    case SPEC_PREDICATED:
        return c->predication == cell->value;
    case SPEC_MODIFIER:
        return place->modifier == cell->value && place->type == cell->type;
    case SPEC_SATURATED:
        return c->saturate && place->type == cell->type;
    default:
        return true;
    }
}

void spec_cover(spec_row *row, const spec_case *c)
{
    for (size_t i = 0; i < row->num_cells; i++)
        if (!row->cells[i].covered)
            row->cells[i].covered = covers(c, &row->cells[i]);
}

/* ---- types and masks -------------------------------------------------------------------- */

/* A type that a packed immediate stands beside in the maps. */
static bool counts_as(uint32_t packed, uint32_t type)
{
    return packed == VISAGE_TYPE_V    ? spec_is_signed(type)
           : packed == VISAGE_TYPE_UV ? !spec_is_signed(type) && !spec_is_float(type)
           : packed == VISAGE_TYPE_VF ? type == VISAGE_TYPE_F
                                      : packed == type;
}

static bool fits_want(const spec_row *row, const uint8_t *types, const spec_cell *want)
{
    bool has_type = want && want->type != SPEC_ANY_TYPE &&
                    (want->dimension == SPEC_KIND || want->dimension == SPEC_MODIFIER ||
                     want->dimension == SPEC_SATURATED);

    return !has_type || counts_as(want->type, types[position_of(row, want->operand)]);
}

static bool choose_types(const spec_case *c, const spec_cell *want, uint64_t *random,
                         uint8_t *types)
{
    const spec_row *row = c->row;
    size_t count = 0;

    memset(types, SPEC_ANY_TYPE, SPEC_MOST_OPERANDS);
    if (want && want->dimension == SPEC_TYPES) {
        memcpy(types, want->types, SPEC_MOST_OPERANDS);
        return true;
    }
    while (count < row->num_cells && row->cells[count].dimension == SPEC_TYPES)
        count++;
    for (uint32_t tries = 0; count > 0 && tries < 5000; tries++) {
        const spec_cell *cell = &row->cells[spec_random_below(random, (uint32_t)count)];
        memcpy(types, cell->types, SPEC_MOST_OPERANDS);
        if (fits_want(row, types, want))
            return true;
    }
    return count == 0;
}

/* Is a size possible for a kind, and with the mask that is wanted? */
static bool fits_size(const spec_case *c, const spec_cell *want, uint32_t size)
{
    bool is_kind = want && want->dimension == SPEC_KIND;
    bool is_packed = is_kind && want->value == SPEC_PACKED;

    if (want && want->dimension == SPEC_SIZE && want->value != size)
        return false;
    if (want && want->dimension == SPEC_MASK && want->value % 8u * 4 % size)
        return false;
    if (is_kind && (want->value == SPEC_CONTIGUOUS || want->value == SPEC_STRIDED) && size < 2)
        return false;
    if (is_kind && want->value == SPEC_ROWS && size < 4)
        return false;
    if (is_kind && want->value == SPEC_SCALAR && size != 1 &&
        c->row->operands[position_of(c->row, want->operand)].is_dst)
        return false;
    if (is_kind && want->value == SPEC_PREDICATE && c->row->op == VISAGE_OP_MOV && size != 1)
        return false;
    return !is_packed || size <= (want->type == VISAGE_TYPE_VF ? 4u : 8u);
}

static bool choose_masks(spec_case *c, const spec_cell *want, uint64_t *random)
{
    uint32_t sizes = spec_row_sizes(c->row, c->platform), fitting = 0;
    bool is_setp = c->row->op == VISAGE_OP_SETP;

    for (uint32_t size = 1; size <= SPEC_CHANNELS; size *= 2)
        if (sizes & size && fits_size(c, want, size))
            fitting |= size;
    c->size = random_bit(random, fitting);
    if (c->size == 0)
        return false;
    uint32_t step = c->size < 4 ? 4 : c->size;
    c->mask_offset = step * spec_random_below(random, SPEC_CHANNELS / step);
    c->no_mask = spec_random(random) & 1;
    if (is_setp) {
        c->no_mask = true;
        c->mask_offset = c->size < 32 ? 16 * (uint32_t)(spec_random(random) & 1) : 0;
    }
    if (want && want->dimension == SPEC_MASK) {
        c->mask_offset = want->value % 8u * 4;
        c->no_mask = want->value >= 8;
    }
    return c->mask_offset % c->size == 0;
}

static void choose_predicate(spec_case *c, const spec_cell *want, uint64_t *random,
                             uint32_t number)
{
    bool has = vsg_isa_has_slot(c->row->op, VSG_ISA_SLOT_PRED);
    uint32_t any = spec_random_below(random, 8);

    c->predication = 0;
    if (has && any < 6)
        c->predication = (uint8_t)(SPEC_PRED | any % 2 * SPEC_PRED_INVERSE |
                                   any / 2 << SPEC_PRED_COMBINE_SHIFT);
    if (c->row->op == VISAGE_OP_ADD3O) /* its predicate is a result */
        c->predication = SPEC_PRED;
    if (want && want->dimension == SPEC_PREDICATED)
        c->predication = want->value;
    c->predicate = c->row->op == VISAGE_OP_ADD3O
                       ? SPEC_DST_PREDICATE + number
                       : SPEC_FIRST_PREDICATE + spec_random_below(random, SPEC_PREDICATES);
}

/* ---- operands --------------------------------------------------------------------------- */

/* A region of the kind; false where there is none for the size. */
static bool choose_region(const spec_case *c, uint64_t *random, bool is_dst, spec_place *place)
{
    uint32_t stride = 2 + 2 * spec_random_below(random, 2);

    place->width = 1;
    switch ((spec_kind)place->kind) {
    case SPEC_CONTIGUOUS:
        stride = 1;
        break;
    case SPEC_STRIDED:
        break;
    case SPEC_ROWS:
    case SPEC_MULTI:
        place->width = (uint8_t)(1u << spec_random_below(random, 5));
        place->h_stride = (uint8_t)(1u << spec_random_below(random, 4) >> 1);
        place->v_stride = (uint8_t)(1u << spec_random_below(random, 6) >> 1);
        if (place->kind == SPEC_ROWS)
            return place->width > 1 && place->width < c->size &&
                   place->v_stride != place->width * place->h_stride;
        return place->width <= c->size;
    default: /* scalar; an indirect one has any region */
        stride = place->kind == SPEC_INDIRECT && (is_dst || spec_random(random) & 1)
                     ? stride / 2
                     : 0;
    }
    if (is_dst) {
        place->h_stride = (uint8_t)(stride ? stride : 1);
        place->v_stride = place->width = 0;
    } else if (stride && c->size > 1 && spec_random(random) & 1) {
        /* the same as rows without a gap */
        place->width = (uint8_t)(2u << spec_random_below(random, 2));
        if (place->width > c->size)
            place->width = 2;
        place->h_stride = (uint8_t)stride;
        place->v_stride = (uint8_t)(stride * place->width);
    } else {
        place->v_stride = (uint8_t)stride;
    }
    return place->kind != SPEC_CONTIGUOUS && place->kind != SPEC_STRIDED ? true : c->size > 1;
}

/* Elements from the first to behind the last. */
static uint32_t extent(const spec_case *c, const spec_place *place, bool is_dst)
{
    if (is_dst)
        return (c->size - 1) * place->h_stride + 1;
    uint32_t rows = (c->size + place->width - 1u) / place->width;
    uint32_t in_row = place->width < c->size ? place->width : c->size;
    return (rows - 1) * place->v_stride + (in_row - 1) * place->h_stride + 1;
}

static uint32_t alignment(const spec_case *c, uint32_t position)
{
    uint32_t number = c->row->operands[position].number;
    uint32_t bytes = spec_bytes(c->places[position].type);

    if (c->row->info->align_grf >> number & 1)
        return 64;
    if (c->row->info->align_16 >> number & 1)
        return 16;
    return bytes;
}

static bool choose_start(spec_case *c, uint64_t *random, uint32_t position)
{
    spec_place *place = &c->places[position];
    bool is_dst = c->row->operands[position].is_dst;
    uint32_t bytes = spec_bytes(place->type);
    bool is_multi = place->kind == SPEC_MULTI;
    uint32_t needed = is_multi ? place->width * 4u : extent(c, place, is_dst);
    /* LINE and PLANE read more than the region says, MADW writes more. */
    uint32_t room = (SPEC_ELEMENTS - 64) * bytes;
    uint32_t step = alignment(c, position);

    if (needed * bytes > room)
        return false;
    /* The high halves of MADW would lie among the low ones. */
    if (is_dst && c->row->op == VISAGE_OP_MADW && c->size > 1 && place->h_stride > 1 &&
        needed * bytes > 32)
        return false;
    room -= needed * bytes;
    place->start_bytes = spec_random_below(random, room / step + 1) * step;
    for (uint32_t i = 0; i < SPEC_CHANNELS; i++)
        place->rows[i] = spec_random_below(random, room / step + 1) * step;
    return true;
}

/* In [-512, 511], and often beyond the ends of a signed byte. */
static int32_t random_offset(uint64_t *random)
{
    return (int32_t)spec_random_below(random, 1024) - 512;
}

static bool choose_kind(spec_case *c, const spec_cell *want, uint64_t *random,
                        uint32_t position)
{
    const spec_operand *operand = &c->row->operands[position];
    spec_place *place = &c->places[position];
    uint32_t kinds = 0;

    for (uint32_t kind = 0; kind <= SPEC_PACKED; kind++)
        if (kind != SPEC_PACKED && spec_row_has_kind(c->row, position, (spec_kind)kind))
            kinds |= 1u << kind;
    if (c->size == 1)
        kinds &= ~(1u << SPEC_CONTIGUOUS | 1u << SPEC_STRIDED | 1u << SPEC_ROWS);
    else if (operand->is_dst && !operand->is_scalar)
        kinds &= ~(1u << SPEC_SCALAR);
    if (c->size < 4)
        kinds &= ~(1u << SPEC_ROWS);
    /* What kernels mostly have, one time in two, so that quick handlers are tried, too. */
    if (kinds & 1u << SPEC_CONTIGUOUS && spec_random(random) & 1)
        kinds &= 1u << SPEC_CONTIGUOUS | (operand->is_dst ? 0 : 1u << SPEC_SCALAR);
    place->kind = kinds ? (uint8_t)__builtin_ctz(random_bit(random, kinds)) : SPEC_SCALAR;
    if (want && want->dimension == SPEC_KIND && want->operand == operand->number)
        place->kind = want->value;
    if (place->kind == SPEC_PACKED)
        place->type = want->type;
    return true;
}

static void choose_modifier(spec_case *c, const spec_cell *want, uint64_t *random,
                            uint32_t position)
{
    const spec_operand *operand = &c->row->operands[position];
    spec_place *place = &c->places[position];
    uint32_t flags = c->row->info->flags;
    bool carries =
        place->kind <= SPEC_MULTI && !operand->is_dst && !operand->is_scalar &&
        (operand->slot == VSG_ISA_SLOT_SRC || operand->slot == VSG_ISA_SLOT_SRC_PRED_OR);

    place->modifier = VSG_OBJ_MOD_NONE;
    if (!carries)
        return;
    if (flags & VSG_ISA_MOD_LOGIC && spec_random_below(random, 4) == 0)
        place->modifier = VSG_OBJ_MOD_NOT;
    if (flags & VSG_ISA_MOD_ARITH && spec_random_below(random, 2) == 0)
        place->modifier = (uint8_t)spec_random_below(random, VSG_OBJ_MOD_SAT);
    if (want && want->dimension == SPEC_MODIFIER && want->operand == operand->number)
        place->modifier = want->value;
}

static void choose_saturation(spec_case *c, const spec_cell *want, uint64_t *random)
{
    uint32_t flags = c->row->info->flags;
    bool only_float = (flags & VSG_ISA_SAT_FLOAT) == VSG_ISA_SAT_FLOAT;
    bool may = c->row->operands[0].slot == VSG_ISA_SLOT_DST && flags & VSG_ISA_SAT &&
               (!only_float || spec_is_float(c->places[0].type));

    c->saturate = may && spec_random_below(random, 4) == 0;
    if (want && want->dimension == SPEC_SATURATED)
        c->saturate = true;
    if (c->saturate)
        c->places[0].modifier = VSG_OBJ_MOD_SAT;
}

/* ---- special operands ------------------------------------------------------------------- */

/* An address variable or the address of a general one. */
static bool choose_address(spec_case *c, const spec_cell *want, uint64_t *random,
                           uint32_t position, uint32_t own)
{
    enum { MOST_ELEMENTS = 16 };
    const spec_operand *operand = &c->row->operands[position];
    bool wanted = want && want->dimension == SPEC_KIND && want->operand == operand->number;
    spec_place place = {.kind = SPEC_ADDRESS, .type = VISAGE_TYPE_UD, .state = own};

    if (!operand->is_dst)
        place.kind = wanted                    ? want->value
                     : spec_random(random) & 1 ? SPEC_ADDRESS
                                               : SPEC_ADDRESS_OF;
    place.width = (uint8_t)(1u << spec_random_below(random, 5));
    if (place.width > c->size)
        place.width = (uint8_t)(c->size > MOST_ELEMENTS ? MOST_ELEMENTS : c->size);
    place.element = spec_random_below(random, MOST_ELEMENTS);
    if (operand->is_dst)
        place.element = 0;
    place.variable = VSG_ISA_FIRST_VARIABLE + VISAGE_TYPE_UD;
    place.offset_bytes = (int32_t)(4 * spec_random_below(random, SPEC_ELEMENTS));
    c->places[position] = place;
    return true;
}

/* All operands of logic on predicates are predicates; a comparison has one if any; a move takes
 * the whole of one, to an unsigned number that holds it. */
static bool choose_predicates(spec_case *c, const spec_cell *want, uint64_t *random,
                              uint32_t number)
{
    static const uint8_t word_types[] = {VISAGE_TYPE_UB, VISAGE_TYPE_UW, VISAGE_TYPE_UD};
    bool wanted = want && want->dimension == SPEC_KIND && want->value == SPEC_PREDICATE;
    bool is_mov = c->row->op == VISAGE_OP_MOV;
    bool is_single = c->row->op == VISAGE_OP_CMP || c->row->op == VISAGE_OP_SETP;

    if (c->row->operands[0].slot == VSG_ISA_SLOT_PRED_DST)
        wanted = true;
    if (!wanted && c->row->op == VISAGE_OP_CMP &&
        (!want || want->dimension == SPEC_SIZE || want->dimension == SPEC_MASK))
        wanted = spec_random(random) & 1;
    if (!wanted)
        return true;
    for (uint32_t i = 0; i < c->row->num_operands; i++) {
        spec_place *place = &c->places[i];
        bool is_pred = is_mov ? i == 1 : is_single ? i == 0 : true;
        if (!is_pred)
            continue;
        *place = (spec_place){.kind = SPEC_PREDICATE,
                              .type = VISAGE_TYPE_BOOL,
                              .state = i == 0 ? SPEC_DST_PREDICATE + number
                                              : SPEC_FIRST_PREDICATE +
                                                    spec_random_below(random, SPEC_PREDICATES)};
    }
    if (is_mov) {
        uint32_t which = spec_random_below(random, 3);
        if (c->places[0].type != word_types[which])
            return false;
        if (which < 2)
            c->places[1].state = which ? SPEC_WORD_PREDICATE : SPEC_BYTE_PREDICATE;
        c->saturate = false;
        c->places[0].modifier = VSG_OBJ_MOD_NONE;
    }
    if (!is_single)
        c->predication = 0;
    return !want || want->dimension != SPEC_PREDICATED;
}

static bool choose_operand(spec_case *c, const spec_cell *want, uint64_t *random,
                           uint32_t position, uint32_t number)
{
    const spec_operand *operand = &c->row->operands[position];
    spec_place *place = &c->places[position];
    uint32_t own = number * SPEC_OPERANDS + position; /* address variable of this operand */

    if (place->type == SPEC_ANY_TYPE)
        place->type =
            operand->slot == VSG_ISA_SLOT_PRED_DST ? VISAGE_TYPE_BOOL : VISAGE_TYPE_UD;
    if (place->type == VISAGE_TYPE_BOOL)
        return true;
    if (operand->slot == VSG_ISA_SLOT_ADDR_DST || operand->slot == VSG_ISA_SLOT_ADDR_SRC)
        return choose_address(c, want, random, position, own);
    if (!choose_kind(c, want, random, position))
        return false;
    choose_modifier(c, want, random, position);
    if (place->kind == SPEC_IMMEDIATE || place->kind == SPEC_PACKED) {
        place->immediate = spec_random_bits(place->type, random);
        return true;
    }
    place->state = own;
    place->offset_bytes = random_offset(random);
    place->variable =
        VSG_ISA_FIRST_VARIABLE + (operand->is_dst ? SPEC_OPERANDS * SPEC_TYPE_COUNT + own
                                                  : position * SPEC_TYPE_COUNT + place->type);
    return choose_region(c, random, operand->is_dst, place) &&
           choose_start(c, random, position);
}

static bool try_case(const spec_row *row, const spec_cell *want, uint64_t *random,
                     uint32_t number, spec_case *c)
{
    uint8_t types[SPEC_MOST_OPERANDS];

    *c = (spec_case){.row = row};
    if (!choose_types(c, want, random, types))
        return false;
    c->platform = (visage_platform)__builtin_ctz(
        random_bit(random, spec_row_platforms(row, types)) | 1u << VISAGE_PLATFORM_COUNT);
    if (c->platform == VISAGE_PLATFORM_COUNT || !choose_masks(c, want, random))
        return false;
    choose_predicate(c, want, random, number);
    for (uint32_t i = 0; i < row->num_operands; i++) {
        c->places[i].type = types[i];
        if (!choose_operand(c, want, random, i, number))
            return false;
    }
    choose_saturation(c, want, random);
    c->control = row->op == VISAGE_OP_CMP ? spec_random_below(random, 6)
                                          : spec_random_below(random, 256);
    if (row->op == VISAGE_OP_FCVT && c->places[0].type == VISAGE_TYPE_UB)
        c->no_mask = true;
    return choose_predicates(c, want, random, number);
}

bool spec_make(const spec_row *row, const spec_cell *want, uint64_t *random, uint32_t number,
               spec_case *out)
{
    for (uint32_t tries = 0; tries < 1000; tries++)
        if (try_case(row, want, random, number, out) && (!want || covers(out, want)))
            return true;
    return false;
}

void spec_describe(const spec_case *c, char *text, size_t size)
{
    static const char *const modifiers[] = {"", "(abs)", "(-)", "(-abs)", ".sat", "(~)"};
    size_t length = (size_t)snprintf(text, size, "%s %s (M%u%s, %u) predication %u control %u:",
                                     visage_platform_name(c->platform), c->row->info->text,
                                     c->mask_offset / 4 + 1, c->no_mask ? "_NM" : "", c->size,
                                     c->predication, c->control);

    for (uint32_t i = 0; i < c->row->num_operands && length < size; i++) {
        const spec_place *place = &c->places[i];
        length += (size_t)snprintf(
            text + length, size - length, " %s%s:%s<%u;%u,%u>", modifiers[place->modifier],
            spec_kind_name((spec_kind)place->kind), vsg_isa_type(place->type)->letters,
            place->v_stride, place->width, place->h_stride);
    }
}
