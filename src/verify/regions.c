/* SPDX-License-Identifier: MIT
 *
 * Regions, and the elements that an operand accesses by them. */
#include "verify/operands.h"

#include "object/extent.h"
#include "verify/types.h"

enum {
    WIDTHS = 1 | 2 | 4 | 8 | 16,
    H_STRIDES = 1 | 2 | 4, /* and 0 */
    V_STRIDES = 1 | 2 | 4 | 8 | 16 | 32,
    MOST_GRFS = 2,
    SMALL_GRF_BYTES = 32,
    WIDEST_GRF_BYTES = 64
};

static bool is_one_of(unsigned value, unsigned powers)
{
    return value != 0 && (value & (value - 1)) == 0 && (value & powers) != 0;
}

/* False where something of it is not legal: what it accesses is not known then. */
static bool check_dst_region(vsg_ver_state *state, const vsg_obj_operand *operand)
{
    if (is_one_of(operand->h_stride, H_STRIDES))
        return true;
    if (operand->h_stride == 0) {
        vsg_ver_report_operand(state, operand, VSG_RULE_DST_STRIDE);
        vsg_ver_note_fix(state, "write <1>");
    } else {
        vsg_ver_report_operand(state, operand, VSG_RULE_REGION_H_STRIDE,
                               (unsigned)operand->h_stride);
    }
    return false;
}

static bool has_null_stride(const vsg_obj_operand *operand)
{
    return operand->class_ == VSG_OBJ_CLASS_INDIRECT &&
           operand->v_stride == VSG_OBJ_STRIDE_NULL;
}

static bool check_src_region(vsg_ver_state *state, const vsg_ver_operand *o)
{
    const vsg_obj_operand *operand = o->operand;
    bool multi = has_null_stride(operand);
    bool no_width = multi && operand->width == VSG_OBJ_STRIDE_NULL;
    bool good = true;

    if (!no_width && !is_one_of(operand->width, WIDTHS)) {
        vsg_ver_report_operand(state, operand, VSG_RULE_REGION_WIDTH, (unsigned)operand->width);
        good = false;
    }
    if (!multi && operand->v_stride != 0 && !is_one_of(operand->v_stride, V_STRIDES)) {
        vsg_ver_report_operand(state, operand, VSG_RULE_REGION_V_STRIDE,
                               (unsigned)operand->v_stride);
        good = false;
    }
    if (operand->h_stride != 0 && !is_one_of(operand->h_stride, H_STRIDES)) {
        vsg_ver_report_operand(state, operand, VSG_RULE_REGION_H_STRIDE,
                               (unsigned)operand->h_stride);
        good = false;
    }
    if (good && !no_width && operand->width > o->count) {
        vsg_ver_report_operand(state, operand, VSG_RULE_REGION_TOO_WIDE,
                               (unsigned)operand->width, o->count);
        good = false;
    }
    return good;
}

/* ---- general operands ------------------------------------------------------------------- */

/* Number of the last element in the region; the first is 0. */
static uint32_t last_element(const vsg_ver_operand *o)
{
    const vsg_obj_operand *operand = o->operand;

    if (!o->has_region)
        return 0;
    if (o->is_dst)
        return (o->count - 1) * operand->h_stride;
    uint32_t rows = (o->count + operand->width - 1) / operand->width;
    uint32_t in_row = o->count < operand->width ? o->count : operand->width;
    return (rows - 1) * operand->v_stride + (in_row - 1) * operand->h_stride;
}

/* Bytes from the first element on. The matrix of a dpas has a rule of its own. */
static uint64_t extent(const vsg_ver_state *state, const vsg_ver_operand *o,
                       uint32_t type_bytes)
{
    uint64_t bytes;

    if (state->op->form == VSG_ISA_FORM_DPAS ||
        !vsg_obj_extent(state->unit, state->inst, o->number, state->grf_bytes, &bytes))
        bytes = (uint64_t)(last_element(o) + 1) * type_bytes;
    return bytes;
}

static void check_span(vsg_ver_state *state, const vsg_obj_operand *operand,
                       const vsg_ver_variable *variable, uint64_t first, uint64_t end)
{
    /* A variable of less than a GRF lies in one (operands.md, Implementation Note). */
    if (state->platform == VISAGE_PLATFORM_NONE || !variable->root.is_known ||
        variable->root_bytes < state->grf_bytes)
        return;
    first += variable->root.offset_bytes;
    end += variable->root.offset_bytes;
    uint64_t grfs = (end - 1) / state->grf_bytes - first / state->grf_bytes + 1;
    if (grfs <= MOST_GRFS)
        return;
    vsg_ver_report_operand(state, operand, VSG_RULE_TWO_GRFS, (unsigned long long)grfs,
                           state->grf_bytes);
    vsg_ver_note_declaration(state, operand);
}

/* The compiler declares what a function keeps of r0 with 32 bytes, and copies the 64 of pvc. */
static bool copies_r0(const vsg_ver_state *state, const vsg_ver_operand *o)
{
    const vsg_obj_operand *src = vsg_ver_operand_called(state, "src0");
    vsg_ver_variable variable;

    return state->inst->op == VISAGE_OP_MOV && o->is_dst && src &&
           src->class_ == VSG_OBJ_CLASS_GENERAL &&
           vsg_ver_variable_get(state, src->id, &variable) && variable.root.is_known &&
           variable.root.id == VSG_ISA_VAR_R0;
}

/* %r0 has the bytes of a GRF, whatever it is declared with. */
static bool is_wide_r0(const vsg_ver_state *state, const vsg_ver_operand *o, uint64_t end)
{
    return (state->platform == VISAGE_PLATFORM_NONE || state->grf_bytes == WIDEST_GRF_BYTES) &&
           end <= WIDEST_GRF_BYTES && (o->operand->id == VSG_ISA_VAR_R0 || copies_r0(state, o));
}

/* Of an unknown platform only what no GRF allows is wrong: a column behind 32 bytes is of one
 * of 64. */
static uint64_t row_start(const vsg_ver_state *state, const vsg_obj_operand *operand,
                          uint32_t column_at)
{
    bool is_wide = state->platform == VISAGE_PLATFORM_NONE && column_at >= SMALL_GRF_BYTES;

    return (uint64_t)operand->row * (is_wide ? WIDEST_GRF_BYTES : state->grf_bytes);
}

void vsg_ver_check_general(vsg_ver_state *state, const vsg_ver_operand *o)
{
    const vsg_obj_operand *operand = o->operand;
    vsg_ver_variable variable;

    bool good = !o->has_region ||
                (o->is_dst ? check_dst_region(state, operand) : check_src_region(state, o));
    if (!vsg_ver_variable_get(state, operand->id, &variable))
        return;
    const vsg_isa_type_info *type = vsg_isa_type(variable.facts.type);
    if (!type || type->bytes == 0 || operand->id == VSG_ISA_VAR_NULL)
        return;
    uint32_t row_bytes =
        state->platform == VISAGE_PLATFORM_NONE ? WIDEST_GRF_BYTES : state->grf_bytes;
    uint32_t column_at = operand->column * type->bytes;
    if (column_at >= row_bytes) {
        vsg_ver_report_operand(state, operand, VSG_RULE_COLUMN, (unsigned)operand->column,
                               type->letters, column_at, row_bytes);
        vsg_ver_note_fix(state, "write (%u,%u)", operand->row + column_at / row_bytes,
                         column_at % row_bytes / type->bytes);
    }
    if (!good)
        return;
    uint64_t first = row_start(state, operand, column_at) + column_at;
    uint64_t end = first + extent(state, o, type->bytes);
    if (end > variable.size_bytes) {
        bool is_grf = variable.size_bytes == SMALL_GRF_BYTES && is_wide_r0(state, o, end);
        vsg_ver_report_operand(state, operand,
                               is_grf ? VSG_RULE_WIDE_GRF : VSG_RULE_OUT_OF_BOUNDS,
                               (unsigned long long)(end - 1), variable.facts.name,
                               (unsigned long long)variable.size_bytes);
        vsg_ver_note_declaration(state, operand);
    } else if (o->has_region) {
        check_span(state, operand, &variable, first, end);
    }
}

/* ---- indirect operands ------------------------------------------------------------------ */

static void check_addresses(vsg_ver_state *state, const vsg_ver_operand *o)
{
    const vsg_obj_operand *operand = o->operand;
    const vsg_obj_unit *unit = state->unit;
    uint32_t count = 1;

    if (operand->id >= unit->num_addresses)
        return;
    if (o->has_region && !o->is_dst && has_null_stride(operand) &&
        operand->width != VSG_OBJ_STRIDE_NULL)
        count = (o->count + operand->width - 1) / operand->width;
    const vsg_obj_state *address = &unit->addresses[operand->id];
    if (operand->offset_elements + count <= address->num_elements)
        return;
    vsg_ver_report_operand(state, operand, VSG_RULE_INDIRECT_ADDRESS, count,
                           (unsigned)operand->offset_elements, address->name,
                           address->num_elements);
    vsg_ver_note_declaration(state, operand);
}

void vsg_ver_check_indirect(vsg_ver_state *state, const vsg_ver_operand *o)
{
    enum { LOWEST = -512, HIGHEST = 511 };
    const vsg_obj_operand *operand = o->operand;
    const vsg_isa_type_info *type = vsg_isa_type(operand->type);

    bool good = !o->has_region ||
                (o->is_dst ? check_dst_region(state, operand) : check_src_region(state, o));
    if (operand->offset_bytes < LOWEST || operand->offset_bytes > HIGHEST)
        vsg_ver_report_operand(state, operand, VSG_RULE_INDIRECT_OFFSET,
                               (int)operand->offset_bytes);
    if (!type || type->kind == VSG_ISA_KIND_PACKED || type->kind == VSG_ISA_KIND_BOOLEAN)
        vsg_ver_report_operand(state, operand, VSG_RULE_INDIRECT_TYPE,
                               type ? type->letters : "?");
    if (good)
        check_addresses(state, o);
}
