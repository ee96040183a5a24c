/* SPDX-License-Identifier: MIT
 *
 * Operand types and how they mix, by the type maps of the instruction table; saturation;
 * alignment of operands. */
#include "verify/types.h"

#include <stdio.h>

enum { MAX_TYPED = 8 };

#define TYPE(id)       (1u << VISAGE_TYPE_##id)
#define SIGNED_TYPES   (TYPE(B) | TYPE(W) | TYPE(D) | TYPE(Q))
#define UNSIGNED_TYPES (TYPE(UB) | TYPE(UW) | TYPE(UD) | TYPE(UQ))

/* ---- operands --------------------------------------------------------------------------- */

bool vsg_ver_operand_type(const vsg_ver_state *state, const vsg_obj_operand *operand,
                          visage_type *type)
{
    vsg_obj_variable_facts facts;

    switch (operand->class_) {
    case VSG_OBJ_CLASS_GENERAL:
    case VSG_OBJ_CLASS_RAW:
        if (operand->id == VSG_ISA_VAR_NULL ||
            !vsg_obj_variable_get(state->unit, operand->id, &facts))
            return false;
        *type = facts.type;
        break;
    case VSG_OBJ_CLASS_INDIRECT:
    case VSG_OBJ_CLASS_IMMEDIATE:
        *type = (visage_type)operand->type;
        break;
    default:
        return false;
    }
    return vsg_isa_type(*type) && *type != VISAGE_TYPE_BOOL;
}

const vsg_obj_operand *vsg_ver_operand_called(const vsg_ver_state *state, const char *name)
{
    int number = vsg_isa_operand(state->inst->op, name);

    return number >= 0 && (uint32_t)number < state->inst->num_operands
               ? &state->inst->operands[number]
               : NULL;
}

bool vsg_ver_operand_start(const vsg_ver_state *state, const vsg_obj_operand *operand,
                           uint64_t *start)
{
    vsg_ver_variable variable;

    if (operand->id == VSG_ISA_VAR_NULL ||
        !vsg_ver_variable_get(state, operand->id, &variable) || !variable.root.is_known)
        return false;
    *start = variable.root.offset_bytes;
    if (operand->class_ == VSG_OBJ_CLASS_RAW) {
        *start += (uint64_t)(int64_t)operand->offset_bytes;
    } else if (operand->class_ == VSG_OBJ_CLASS_GENERAL) {
        const vsg_isa_type_info *type = vsg_isa_type(variable.facts.type);
        *start += (uint64_t)operand->row * state->grf_bytes +
                  (uint64_t)operand->column * (type ? type->bytes : 1);
    } else {
        return false;
    }
    return true;
}

/* The types as which an operand can count: packed vectors go with all integers of their
 * signedness, VF with F (2_datatypes, Type Conversion). */
static uint32_t alternatives(visage_type type)
{
    switch (type) {
    case VISAGE_TYPE_V:
        return SIGNED_TYPES;
    case VISAGE_TYPE_UV:
        return UNSIGNED_TYPES;
    case VISAGE_TYPE_VF:
        return TYPE(F);
    default:
        return 1u << type;
    }
}

typedef struct typed {
    const vsg_obj_operand *operand;
    const char *name;
    int source; /* number among the sources, -1: a destination */
    visage_type type;
    uint32_t counts_as;
} typed;

static bool is_destination(vsg_isa_slot_kind kind)
{
    return kind == VSG_ISA_SLOT_DST || kind == VSG_ISA_SLOT_DST_PRED_OR ||
           kind == VSG_ISA_SLOT_STATE_DST;
}

static bool is_source(vsg_isa_slot_kind kind)
{
    return kind == VSG_ISA_SLOT_SRC || kind == VSG_ISA_SLOT_SRC_PRED_OR ||
           kind == VSG_ISA_SLOT_STATE_SRC;
}

static size_t collect(const vsg_ver_state *state, typed out[MAX_TYPED])
{
    const vsg_obj_inst *inst = state->inst;
    size_t count = 0;
    int source = 0;

    for (uint32_t i = 0; i < inst->num_operands && count < MAX_TYPED; i++) {
        const vsg_isa_slot *slot = vsg_isa_operand_slot(inst->op, i);
        if (!slot || slot->kind == VSG_ISA_SLOT_RAW_LIST ||
            slot->kind == VSG_ISA_SLOT_LABEL_LIST)
            break;
        if (!is_destination(slot->kind) && !is_source(slot->kind))
            continue;
        typed *t = &out[count];
        *t = (typed){.operand = &inst->operands[i], .name = slot->name, .source = -1};
        if (is_source(slot->kind))
            t->source = source++;
        if (!vsg_ver_operand_type(state, t->operand, &t->type))
            continue;
        t->counts_as = alternatives(t->type);
        count++;
    }
    return count;
}

/* ---- type maps -------------------------------------------------------------------------- */

void vsg_ver_list_types(uint32_t types, const char *between, char *text, size_t size)
{
    size_t length = 0;

    text[0] = '\0';
    for (uint32_t type = 0; type < VISAGE_TYPE_COUNT && length < size; type++)
        if (types >> type & 1u)
            length += (size_t)snprintf(text + length, size - length, "%s%s",
                                       length ? between : "", vsg_isa_type(type)->letters);
}

typedef struct maps {
    vsg_isa_map rows[VSG_ISA_MAX_MAPS];
    size_t count;
} maps;

static bool holds(const vsg_ver_state *state, const vsg_isa_map *map)
{
    return state->platform == VISAGE_PLATFORM_NONE || (map->on >> state->platform & 1u) != 0;
}

static bool matches(const vsg_isa_map *map, const typed *operands, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(vsg_isa_map_types(map, operands[i].source) & operands[i].counts_as))
            return false;
    return true;
}

/* All types for an operand, here or anywhere; and where those of `wanted` are. */
static uint32_t all_types(const vsg_ver_state *state, const maps *all, int source,
                          bool anywhere)
{
    uint32_t types = 0;

    for (size_t i = 0; i < all->count; i++)
        if (anywhere || holds(state, &all->rows[i]))
            types |= vsg_isa_map_types(&all->rows[i], source);
    return types;
}

static uint32_t all_platforms(const maps *all, const typed *operand)
{
    uint32_t platforms = 0;

    for (size_t i = 0; i < all->count; i++)
        if (vsg_isa_map_types(&all->rows[i], operand->source) & operand->counts_as)
            platforms |= all->rows[i].on;
    return platforms;
}

/* An operand whose type no map here has. */
static bool check_operand(vsg_ver_state *state, const maps *all, const typed *operand)
{
    uint32_t types = all_types(state, all, operand->source, false);
    const char *letters = vsg_isa_type(operand->type)->letters;
    char list[96];

    if (types & operand->counts_as)
        return true;
    if (all_types(state, all, operand->source, true) & operand->counts_as) {
        vsg_ver_list_platforms(all_platforms(all, operand), list, sizeof list);
        vsg_ver_report_operand(state, operand->operand, VSG_RULE_TYPE_PLATFORM, operand->name,
                               state->op->text, letters, visage_platform_name(state->platform),
                               list);
    } else {
        vsg_ver_list_types(types, ", ", list, sizeof list);
        vsg_ver_report_operand(state, operand->operand, VSG_RULE_TYPE_OPERAND, operand->name,
                               state->op->text, letters, list);
    }
    vsg_ver_note_declaration(state, operand->operand);
    return false;
}

/* "D <- D, UD": types as they are. */
static void list_found(const typed *operands, size_t count, char *text, size_t size)
{
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; i < count && length < size; i++) {
        const char *before = i == 0                                                  ? ""
                             : operands[i - 1].source < 0 && operands[i].source >= 0 ? " from "
                                                                                     : ", ";
        length += (size_t)snprintf(text + length, size - length, "%s%s", before,
                                   vsg_isa_type(operands[i].type)->letters);
    }
}

/* "UD D from UD D, UB": one map, with the sources that are said apart. */
static size_t put_map(const vsg_isa_map *map, size_t num_sources, char *text, size_t size)
{
    char types[96];
    size_t length = 0;

    if (map->dst) {
        vsg_ver_list_types(map->dst, " ", types, sizeof types);
        length += (size_t)snprintf(text, size, "%s from ", types);
    }
    for (size_t i = 0; i < num_sources && i < VSG_ISA_MAP_SOURCES && length < size; i++) {
        if (!map->src[i])
            continue;
        vsg_ver_list_types(map->src[i], " ", types, sizeof types);
        length += (size_t)snprintf(text + length, size - length, "%s%s", i ? ", " : "", types);
    }
    return length;
}

/* What the maps have, for the same destination where any has that. */
static void list_allowed(const vsg_ver_state *state, const maps *all, const typed *operands,
                         size_t count, char *text, size_t size)
{
    size_t length = 0;
    size_t num_sources = (size_t)(operands[count - 1].source + 1);

    text[0] = '\0';
    for (int any = 0; any < 2 && length == 0; any++) {
        for (size_t i = 0; i < all->count && length < size; i++) {
            const vsg_isa_map *map = &all->rows[i];
            bool same = (vsg_isa_map_types(map, operands[0].source) & operands[0].counts_as);
            if (map->also || !holds(state, map) || (!any && !same))
                continue;
            if (length)
                length += (size_t)snprintf(text + length, size - length, "; ");
            if (length < size)
                length += put_map(map, num_sources, text + length, size - length);
        }
    }
}

static void check_maps(vsg_ver_state *state)
{
    typed operands[MAX_TYPED];
    maps all;
    bool also = false, good = true;
    char found[64], allowed[300];

    all.count = vsg_isa_maps(state->inst->op, all.rows);
    size_t count = all.count ? collect(state, operands) : 0;
    if (count == 0)
        return;
    for (size_t i = 0; i < all.count; i++) {
        if (!holds(state, &all.rows[i]) || !matches(&all.rows[i], operands, count))
            continue;
        if (!all.rows[i].also)
            return;
        also = true;
    }
    for (size_t i = 0; i < count; i++)
        good = check_operand(state, &all, &operands[i]) && good;
    if (!good)
        return;
    list_found(operands, count, found, sizeof found);
    list_allowed(state, &all, operands, count, allowed, sizeof allowed);
    vsg_ver_report(state, also ? VSG_RULE_TYPE_DOCUMENTED : VSG_RULE_TYPE_MIX, state->op->text,
                   found, allowed);
}

/* ---- saturation ------------------------------------------------------------------------- */

static void check_saturation(vsg_ver_state *state)
{
    const vsg_obj_inst *inst = state->inst;
    visage_type type;

    for (uint32_t i = 0; i < inst->num_operands; i++) {
        const vsg_obj_operand *operand = &inst->operands[i];
        const vsg_isa_slot *slot = vsg_isa_operand_slot(inst->op, i);
        if (operand->modifier != VSG_OBJ_MOD_SAT || !slot || !is_destination(slot->kind))
            continue;
        if (!(state->op->flags & VSG_ISA_SAT))
            vsg_ver_report_operand(state, operand, VSG_RULE_SATURATION, state->op->text);
        else if (state->op->flags & VSG_ISA_SAT_FLOAT &&
                 vsg_ver_operand_type(state, operand, &type) &&
                 vsg_isa_type(type)->kind != VSG_ISA_KIND_FLOAT)
            vsg_ver_report_operand(state, operand, VSG_RULE_SATURATION_FLOAT, state->op->text,
                                   vsg_isa_type(type)->letters);
    }
}

/* ---- alignment -------------------------------------------------------------------------- */

static bool is_scalar(const vsg_obj_operand *operand)
{
    return operand->v_stride == 0 && operand->h_stride == 0;
}

/* Bytes at whose multiples operand `number` begins; 1: anywhere. */
static uint32_t wanted_alignment(const vsg_ver_state *state, uint32_t number)
{
    enum { OWORD_BYTES = 16 };
    const vsg_isa_op_info *op = state->op;
    const vsg_obj_operand *operand = &state->inst->operands[number];
    const vsg_isa_slot *slot = vsg_isa_operand_slot(state->inst->op, number);
    bool free = (op->flags & VSG_ISA_ALIGN_WIDE && state->inst->exec_size == 1) ||
                (op->flags & VSG_ISA_ALIGN_VECTOR && slot && is_source(slot->kind) &&
                 is_scalar(operand));

    if (op->align_grf >> number & 1)
        return state->grf_bytes;
    return op->align_16 >> number & 1 && !free ? OWORD_BYTES : 1;
}

static void check_alignment(vsg_ver_state *state)
{
    const vsg_obj_inst *inst = state->inst;
    uint64_t start;

    for (uint32_t i = 0; i < inst->num_operands && i < MAX_TYPED; i++) {
        const vsg_obj_operand *operand = &inst->operands[i];
        uint32_t wanted = wanted_alignment(state, i);
        if (wanted == 1 || !vsg_ver_operand_start(state, operand, &start) ||
            start % wanted == 0)
            continue;
        vsg_ver_report_operand(state, operand, VSG_RULE_OPERAND_ALIGNED,
                               vsg_isa_operand_slot(inst->op, i)->name, state->op->text,
                               (unsigned)(start % wanted), wanted);
        vsg_ver_note_declaration(state, operand);
    }
}

void vsg_ver_check_types(vsg_ver_state *state)
{
    check_maps(state);
    check_saturation(state);
    if (state->op->align_16 | state->op->align_grf)
        check_alignment(state);
    vsg_ver_check_single(state);
    if (state->op->suffix == VSG_ISA_SUFFIX_DPAS)
        vsg_ver_check_dpas(state);
}
