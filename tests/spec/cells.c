/* SPDX-License-Identifier: MIT */
#include "cells.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/program.h"

/* ---- operands of a row ------------------------------------------------------------------ */

static bool is_destination(vsg_isa_slot_kind kind)
{
    return kind == VSG_ISA_SLOT_DST || kind == VSG_ISA_SLOT_DST_PRED_OR ||
           kind == VSG_ISA_SLOT_PRED_DST || kind == VSG_ISA_SLOT_ADDR_DST ||
           kind == VSG_ISA_SLOT_STATE_DST || kind == VSG_ISA_SLOT_RAW_DST;
}

static bool is_vector(vsg_isa_slot_kind kind)
{
    return kind >= VSG_ISA_SLOT_DST && kind <= VSG_ISA_SLOT_STATE_SRC;
}

/* Does the type map say something of the slot? */
static bool is_typed(const spec_operand *operand)
{
    switch (operand->slot) {
    case VSG_ISA_SLOT_DST:
    case VSG_ISA_SLOT_DST_PRED_OR:
    case VSG_ISA_SLOT_STATE_DST:
    case VSG_ISA_SLOT_SRC:
    case VSG_ISA_SLOT_SRC_PRED_OR:
    case VSG_ISA_SLOT_STATE_SRC:
        return true;
    default:
        return false;
    }
}

static void collect_operands(spec_row *row)
{
    int source = 0;

    for (uint32_t i = 0; i < vsg_isa_num_operands(row->op); i++) {
        const vsg_isa_slot *slot = vsg_isa_operand_slot(row->op, i);
        if (!is_vector(slot->kind))
            continue;
        assert(row->num_operands < SPEC_MOST_OPERANDS);
        spec_operand *operand = &row->operands[row->num_operands++];
        *operand = (spec_operand){.number = (uint8_t)i,
                                  .slot = slot->kind,
                                  .is_dst = is_destination(slot->kind),
                                  .is_scalar = (slot->flags & VSG_ISA_SLOT_SCALAR) != 0,
                                  .source = -1};
        if (!operand->is_dst && is_typed(operand))
            operand->source = source++;
    }
}

/* ---- what goes together ----------------------------------------------------------------- */

static uint32_t map_types(const spec_row *row, const vsg_isa_map *map, uint32_t position)
{
    const spec_operand *operand = &row->operands[position];

    return is_typed(operand) ? vsg_isa_map_types(map, operand->source) : 0;
}

static bool is_float(uint8_t type)
{
    return type != SPEC_ANY_TYPE && vsg_isa_type(type)->kind == VSG_ISA_KIND_FLOAT;
}

/* What rules beside the type maps leave out: a comparison of floats gives a mask of the type of
 * one of them (CMP, Notes); one operand of MOVS has no type, being a state (MOVS, Notes). */
static bool breaks_rule(const spec_row *row, const uint8_t types[SPEC_MOST_OPERANDS])
{
    if (row->op == VISAGE_OP_MOVS)
        return types[0] != SPEC_ANY_TYPE && types[1] != SPEC_ANY_TYPE;
    return row->op == VISAGE_OP_CMP && is_float(types[1]) && is_float(types[2]) &&
           types[0] != types[1] && types[0] != types[2];
}

/* What is legal and nobody has published the meaning of: 8-bit floats in B, and SRND from BF
 * (docs/spec-notes.md). */
static bool is_unpublished(const spec_row *row, const uint8_t types[SPEC_MOST_OPERANDS])
{
    return (row->op == VISAGE_OP_FCVT || row->op == VISAGE_OP_SRND) &&
           (types[0] == VISAGE_TYPE_B || types[1] == VISAGE_TYPE_BF);
}

uint32_t spec_row_types(const spec_row *row, uint32_t position)
{
    uint32_t types = 0;

    for (size_t i = 0; i < row->num_maps; i++)
        if (row->maps[i].on & row->platforms)
            types |= map_types(row, &row->maps[i], position);
    types &= ~(1u << VISAGE_TYPE_BOOL);
    for (uint8_t type = 0; type < VISAGE_TYPE_COUNT; type++) {
        uint8_t alone[SPEC_MOST_OPERANDS];
        memset(alone, SPEC_ANY_TYPE, sizeof alone);
        alone[position] = type;
        if (is_unpublished(row, alone))
            types &= ~(1u << type);
    }
    return types;
}

uint32_t spec_row_platforms(const spec_row *row, const uint8_t types[SPEC_MOST_OPERANDS])
{
    uint32_t platforms = 0;

    if (breaks_rule(row, types) || is_unpublished(row, types))
        return 0;
    for (size_t m = 0; m < row->num_maps; m++) {
        bool fits = true;
        for (uint32_t i = 0; i < row->num_operands; i++) {
            uint32_t set = map_types(row, &row->maps[m], i);
            fits &= set == 0 || types[i] == SPEC_ANY_TYPE || (set >> types[i] & 1);
        }
        if (fits)
            platforms |= row->maps[m].on;
    }
    return row->num_maps ? platforms & row->platforms : row->platforms;
}

/* What rules beside the column of sizes leave: branches of all channels and blocks have one
 * channel (V0411, V0628), LSC messages those of the hardware's messages, typed ones half of
 * them (V0624, V0626); LSC_FENCE, ExecSize: "should always be 1". */
static uint32_t sizes_by_rules(const spec_row *row, bool is_wide)
{
    enum { ONE = 1, UP_TO_8 = 15, UP_TO_16 = 31, UP_TO_32 = 63 };

    if (row->info->flags & VSG_ISA_UNIFORM || row->op == VISAGE_OP_LSC_FENCE ||
        row->op == VISAGE_OP_LSC_LOAD_BLOCK2D || row->op == VISAGE_OP_LSC_STORE_BLOCK2D)
        return ONE;
    if (strcmp(row->info->page, "LSC_TYPED") == 0)
        return is_wide ? UP_TO_16 : UP_TO_8;
    return strcmp(row->info->page, "LSC_UNTYPED") == 0 && !is_wide ? UP_TO_16 : UP_TO_32;
}

uint32_t spec_row_sizes(const spec_row *row, visage_platform platform)
{
    bool is_wide = platform == VISAGE_PLATFORM_PVC;
    uint32_t sizes =
        is_wide && row->info->wide_sizes ? row->info->wide_sizes : row->info->sizes;
    uint32_t by_rules = sizes_by_rules(row, is_wide);

    return sizes ? sizes & by_rules : by_rules;
}

bool spec_row_has_kind(const spec_row *row, uint32_t position, spec_kind kind)
{
    const spec_operand *operand = &row->operands[position];
    bool is_pred_or =
        operand->slot == VSG_ISA_SLOT_SRC_PRED_OR || operand->slot == VSG_ISA_SLOT_DST_PRED_OR;
    bool is_state =
        operand->slot == VSG_ISA_SLOT_STATE_SRC || operand->slot == VSG_ISA_SLOT_STATE_DST;
    bool is_address =
        operand->slot == VSG_ISA_SLOT_ADDR_DST || operand->slot == VSG_ISA_SLOT_ADDR_SRC;
    bool is_general = !is_address && operand->slot != VSG_ISA_SLOT_PRED_DST;
    bool has_shape = is_general && !operand->is_scalar && spec_row_sizes(row, 0) != 1;
    /* MOVS, Notes: "contiguous elements will be copied"; src2 of DPAS has no region in text,
     * and what it reads is whole registers. */
    bool is_dense = is_state || row->op == VISAGE_OP_DPAS || row->op == VISAGE_OP_DPASW;

    if (is_dense && (kind == SPEC_STRIDED || kind == SPEC_ROWS))
        return false;
    switch (kind) {
    case SPEC_SCALAR:
        return is_general && (is_state || !is_dense) &&
               (!operand->is_dst || operand->is_scalar ||
                (row->info->sizes == 0 || (row->info->sizes & 1)));
    case SPEC_CONTIGUOUS:
    case SPEC_STRIDED:
        return has_shape;
    case SPEC_ROWS:
        return has_shape && !operand->is_dst;
    case SPEC_INDIRECT:
        return is_general && !is_state && !(row->info->no_indirect >> operand->number & 1);
    case SPEC_MULTI:
        return has_shape && !is_state && !operand->is_dst &&
               !(row->info->no_indirect >> operand->number & 1);
    case SPEC_IMMEDIATE:
        return is_general && !operand->is_dst &&
               !(row->info->no_immediate >> operand->number & 1);
    case SPEC_PACKED:
        return has_shape && !is_state && !operand->is_dst && (row->info->types != 0) &&
               !(row->info->flags & (VSG_ISA_OWN_SHAPE | VSG_ISA_IN_A_ROW)) &&
               row->op != VISAGE_OP_SETP && !(row->info->no_immediate >> operand->number & 1) &&
               (!row->info->sizes || (row->info->sizes & 15));
    case SPEC_PREDICATE:
        return is_pred_or || operand->slot == VSG_ISA_SLOT_PRED_DST;
    case SPEC_ADDRESS:
        return is_address;
    case SPEC_ADDRESS_OF:
        return operand->slot == VSG_ISA_SLOT_ADDR_SRC;
    case SPEC_SURFACE:
    case SPEC_SAMPLER:
        return is_state;
    default:
        return false;
    }
}

/* ---- cells ------------------------------------------------------------------------------ */

static void add_cell(spec_row *row, const spec_cell *cell)
{
    if (row->num_cells == row->cap_cells) {
        row->cap_cells = row->cap_cells ? row->cap_cells * 2 : 64;
        row->cells = realloc(row->cells, row->cap_cells * sizeof *row->cells);
        if (!row->cells)
            abort();
    }
    row->cells[row->num_cells++] = *cell;
}

/* Goes through the product of the types of all operands. */
static void add_types(spec_row *row)
{
    spec_cell cell = {.dimension = SPEC_TYPES};
    uint32_t sets[SPEC_MOST_OPERANDS];
    bool any = false;

    memset(cell.types, SPEC_ANY_TYPE, sizeof cell.types);
    for (uint32_t i = 0; i < row->num_operands; i++) {
        sets[i] = spec_row_types(row, i);
        any |= sets[i] != 0;
        if (sets[i])
            cell.types[i] = (uint8_t)__builtin_ctz(sets[i]);
    }
    while (any) {
        uint32_t i = 0;
        if (spec_row_platforms(row, cell.types))
            add_cell(row, &cell);
        /* The next combination; the last one carries out of all positions. */
        for (; i < row->num_operands; i++) {
            if (!sets[i])
                continue;
            uint32_t rest = sets[i] & ~((2u << cell.types[i]) - 1);
            cell.types[i] = (uint8_t)__builtin_ctz(rest ? rest : sets[i]);
            if (rest)
                break;
        }
        any = i < row->num_operands;
    }
}

static bool is_packed_for(visage_type packed, uint32_t types)
{
    const uint32_t signed_types =
        1u << VISAGE_TYPE_B | 1u << VISAGE_TYPE_W | 1u << VISAGE_TYPE_D | 1u << VISAGE_TYPE_Q;
    const uint32_t unsigned_types = 1u << VISAGE_TYPE_UB | 1u << VISAGE_TYPE_UW |
                                    1u << VISAGE_TYPE_UD | 1u << VISAGE_TYPE_UQ;

    return (types & (packed == VISAGE_TYPE_V    ? signed_types
                     : packed == VISAGE_TYPE_UV ? unsigned_types
                                                : 1u << VISAGE_TYPE_F)) != 0;
}

static void add_packed(spec_row *row, uint32_t position)
{
    static const uint8_t packed[] = {VISAGE_TYPE_V, VISAGE_TYPE_UV, VISAGE_TYPE_VF};
    spec_cell cell = {.dimension = SPEC_KIND,
                      .operand = row->operands[position].number,
                      .value = SPEC_PACKED};
    uint32_t types = spec_row_types(row, position);

    for (size_t i = 0; i < sizeof packed; i++) {
        /* Four elements of VF, for four channels at most. */
        bool is_small =
            packed[i] != VISAGE_TYPE_VF || !row->info->sizes || (row->info->sizes & 7);
        cell.type = packed[i];
        if (is_small && is_packed_for((visage_type)packed[i], types))
            add_cell(row, &cell);
    }
}

static void add_kinds(spec_row *row, uint32_t position)
{
    uint32_t types = spec_row_types(row, position);

    for (uint32_t kind = 0; kind < SPEC_KIND_COUNT; kind++) {
        spec_cell cell = {.dimension = SPEC_KIND,
                          .operand = row->operands[position].number,
                          .value = (uint8_t)kind,
                          .type = SPEC_ANY_TYPE};
        if (!spec_row_has_kind(row, position, (spec_kind)kind))
            continue;
        if (kind == SPEC_PACKED) {
            add_packed(row, position);
        } else if (types == 0 || kind > SPEC_PACKED) {
            add_cell(row, &cell);
        } else {
            for (cell.type = 0; cell.type < VISAGE_TYPE_COUNT; cell.type++)
                if (types >> cell.type & 1)
                    add_cell(row, &cell);
        }
    }
}

/* Modifiers of the sources, saturation of the destination. */
static void add_modifiers(spec_row *row, uint32_t position)
{
    const spec_operand *operand = &row->operands[position];
    uint32_t types = spec_row_types(row, position);
    bool is_general =
        operand->slot == VSG_ISA_SLOT_SRC || operand->slot == VSG_ISA_SLOT_SRC_PRED_OR;
    spec_cell cell = {.dimension = SPEC_MODIFIER, .operand = operand->number};

    for (cell.type = 0; cell.type < VISAGE_TYPE_COUNT; cell.type++) {
        bool is_float = vsg_isa_type(cell.type)->kind == VSG_ISA_KIND_FLOAT;
        if (!(types >> cell.type & 1))
            continue;
        if (operand->slot == VSG_ISA_SLOT_DST && row->info->flags & VSG_ISA_SAT &&
            (is_float || (row->info->flags & VSG_ISA_SAT_FLOAT) != VSG_ISA_SAT_FLOAT))
            add_cell(row, &(spec_cell){.dimension = SPEC_SATURATED,
                                       .operand = operand->number,
                                       .type = cell.type});
        for (cell.value = VSG_OBJ_MOD_ABS; is_general && cell.value <= VSG_OBJ_MOD_NOT;
             cell.value++)
            if (cell.value == VSG_OBJ_MOD_NOT ? (row->info->flags & VSG_ISA_MOD_LOGIC) != 0
                                              : (row->info->flags & VSG_ISA_MOD_ARITH) != 0 &&
                                                    cell.value != VSG_OBJ_MOD_SAT)
                add_cell(row, &cell);
    }
}

static void add_masks(spec_row *row)
{
    enum { MASKS = 8, UPPER_HALF = 4 };
    bool is_setp = row->op == VISAGE_OP_SETP;
    uint32_t sizes = 0;

    for (uint32_t p = 1; p < VISAGE_PLATFORM_COUNT; p++)
        if (row->platforms >> p & 1)
            sizes |= spec_row_sizes(row, (visage_platform)p);
    for (uint32_t size = 1; size <= 32; size *= 2)
        if (sizes & size)
            add_cell(row, &(spec_cell){.dimension = SPEC_SIZE, .value = (uint8_t)size});
    for (uint32_t mask = 0; mask < 2 * MASKS; mask++) {
        uint32_t first = mask % MASKS * 4, least = sizes & (0 - sizes);
        if (first % least || (is_setp && (mask < MASKS || mask % UPPER_HALF)))
            continue;
        if (row->op == VISAGE_OP_LSC_FENCE && mask < MASKS) /* "and no mask" */
            continue;
        add_cell(row, &(spec_cell){.dimension = SPEC_MASK, .value = (uint8_t)mask});
    }
    for (uint32_t p = 0; p < SPEC_PREDS; p++) {
        bool used = p & SPEC_PRED;
        if (p == 0 ? row->op == VISAGE_OP_ADD3O : !used)
            continue;
        if (used && !vsg_isa_has_slot(row->op, VSG_ISA_SLOT_PRED))
            continue;
        if (used && p != SPEC_PRED && row->op == VISAGE_OP_ADD3O)
            continue;
        add_cell(row, &(spec_cell){.dimension = SPEC_PREDICATED, .value = (uint8_t)p});
    }
}

const char *spec_row_refusal(visage_op op)
{
    const vsg_isa_op_info *info = vsg_isa_op(op);

    if (!(info->on | info->also))
        return "no platform has it";
    if (!vsg_exe_runs(op))
        return "it cannot be executed";
    if (op == VISAGE_OP_FILE || op == VISAGE_OP_LOC || op == VISAGE_OP_LIFETIME_START ||
        op == VISAGE_OP_LIFETIME_END)
        return "it is no code";
    return NULL;
}

bool spec_row_open(visage_op op, spec_row *row)
{
    *row = (spec_row){.op = op, .info = vsg_isa_op(op)};
    row->platforms = row->info->on | row->info->also;
    if (spec_row_refusal(op))
        return false;
    row->num_maps = vsg_isa_maps(op, row->maps);
    collect_operands(row);
    add_types(row);
    for (uint32_t i = 0; i < row->num_operands; i++) {
        add_kinds(row, i);
        add_modifiers(row, i);
    }
    if (vsg_isa_has_slot(op, VSG_ISA_SLOT_EXEC))
        add_masks(row);
    if (row->num_cells == 0)
        add_cell(row, &(spec_cell){.dimension = SPEC_EXECUTED});
    return true;
}

void spec_row_free(spec_row *row)
{
    free(row->cells);
    row->cells = NULL;
}

/* ---- names ------------------------------------------------------------------------------ */

const char *spec_kind_name(spec_kind kind)
{
    static const char *const names[] = {
        [SPEC_SCALAR] = "scalar",         [SPEC_CONTIGUOUS] = "contiguous",
        [SPEC_STRIDED] = "strided",       [SPEC_ROWS] = "rows",
        [SPEC_INDIRECT] = "indirect",     [SPEC_MULTI] = "multi",
        [SPEC_IMMEDIATE] = "immediate",   [SPEC_PACKED] = "packed",
        [SPEC_PREDICATE] = "predicate",   [SPEC_ADDRESS] = "address",
        [SPEC_ADDRESS_OF] = "address_of", [SPEC_SURFACE] = "surface",
        [SPEC_SAMPLER] = "sampler",       [SPEC_RAW] = "raw"};
    return names[kind];
}

static const char *letters(uint8_t type)
{
    return type == SPEC_ANY_TYPE ? "-" : vsg_isa_type(type)->letters;
}

static const char *slot_name(const spec_row *row, const spec_cell *cell)
{
    return vsg_isa_operand_slot(row->op, cell->operand)->name;
}

static void name_types(const spec_row *row, const spec_cell *cell, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "types");

    for (uint32_t i = 0; i < row->num_operands && length < size; i++)
        length +=
            (size_t)snprintf(text + length, size - length, " %s", letters(cell->types[i]));
}

void spec_cell_name(const spec_row *row, const spec_cell *cell, char *text, size_t size)
{
    static const char *const modifiers[] = {"none", "abs", "neg", "negabs", "sat", "not"};
    static const char *const combines[] = {"", "any", "all"};

    switch ((spec_dimension)cell->dimension) {
    case SPEC_TYPES:
        name_types(row, cell, text, size);
        break;
    case SPEC_KIND:
        (void)snprintf(text, size, "%s %s %s", slot_name(row, cell),
                       spec_kind_name((spec_kind)cell->value), letters(cell->type));
        break;
    case SPEC_SIZE:
        (void)snprintf(text, size, "size %u", cell->value);
        break;
    case SPEC_MASK:
        (void)snprintf(text, size, "mask M%u%s", cell->value % 8u + 1,
                       cell->value >= 8 ? "_NM" : "");
        break;
    case SPEC_PREDICATED:
        (void)snprintf(text, size, "predicate %s%s",
                       cell->value == 0                  ? "none"
                       : cell->value & SPEC_PRED_INVERSE ? "!"
                       : cell->value == SPEC_PRED        ? "+"
                                                         : "",
                       combines[cell->value >> SPEC_PRED_COMBINE_SHIFT]);
        break;
    case SPEC_MODIFIER:
        (void)snprintf(text, size, "%s modifier %s %s", slot_name(row, cell),
                       modifiers[cell->value], letters(cell->type));
        break;
    case SPEC_SATURATED:
        (void)snprintf(text, size, "saturated %s", letters(cell->type));
        break;
    default:
        (void)snprintf(text, size, "executed");
        break;
    }
}
