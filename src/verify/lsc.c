/* SPDX-License-Identifier: MIT
 *
 * LSC messages: cache controls, addresses, data, null operands, sizes. Blocks and fences are in
 * lsc_block.c. */
#include "verify/lsc.h"

#include <stdio.h>

#include "verify/types.h"

/* What a message does, by its form. */
vsg_ver_lsc vsg_ver_lsc_of(const vsg_isa_op_info *op)
{
    switch (op->form) {
    case VSG_ISA_FORM_LSC_LOAD:
    case VSG_ISA_FORM_LSC_LOAD_STRIDED:
        return (vsg_ver_lsc){.access = VSG_ISA_LSC_LOADS};
    case VSG_ISA_FORM_LSC_STORE:
    case VSG_ISA_FORM_LSC_STORE_STRIDED:
        return (vsg_ver_lsc){.access = VSG_ISA_LSC_STORES};
    case VSG_ISA_FORM_LSC_LOAD_BLOCK2D:
        return (vsg_ver_lsc){.access = VSG_ISA_LSC_LOADS, .is_block = true};
    case VSG_ISA_FORM_LSC_STORE_BLOCK2D:
        return (vsg_ver_lsc){.access = VSG_ISA_LSC_STORES, .is_block = true};
    case VSG_ISA_FORM_LSC_ATOMIC:
        return (vsg_ver_lsc){.access = VSG_ISA_LSC_LOADS | VSG_ISA_LSC_STORES};
    case VSG_ISA_FORM_LSC_APPEND:
        return (vsg_ver_lsc){.access = VSG_ISA_LSC_LOADS | VSG_ISA_LSC_STORES,
                             .is_counter = true};
    case VSG_ISA_FORM_LSC_TYPED_LOAD:
        return (vsg_ver_lsc){.access = VSG_ISA_LSC_LOADS, .is_typed = true};
    case VSG_ISA_FORM_LSC_TYPED_STORE:
        return (vsg_ver_lsc){.access = VSG_ISA_LSC_STORES, .is_typed = true};
    case VSG_ISA_FORM_LSC_TYPED_ATOMIC:
        return (vsg_ver_lsc){.access = VSG_ISA_LSC_LOADS | VSG_ISA_LSC_STORES,
                             .is_typed = true};
    case VSG_ISA_FORM_LSC_TYPED_LOAD_BLOCK2D:
        return (vsg_ver_lsc){.access = VSG_ISA_LSC_LOADS, .is_typed = true, .is_block = true};
    case VSG_ISA_FORM_LSC_TYPED_STORE_BLOCK2D:
        return (vsg_ver_lsc){.access = VSG_ISA_LSC_STORES, .is_typed = true, .is_block = true};
    default:
        return (vsg_ver_lsc){0};
    }
}

bool vsg_ver_number(const vsg_ver_state *state, const char *name, uint32_t *value)
{
    const vsg_obj_operand *operand = vsg_ver_operand_called(state, name);

    if (!operand || operand->class_ != VSG_OBJ_CLASS_NUMBER || operand->value > UINT32_MAX)
        return false;
    *value = (uint32_t)operand->value;
    return true;
}

bool vsg_ver_is_null(const vsg_obj_operand *operand)
{
    return operand->class_ == VSG_OBJ_CLASS_RAW && operand->id == VSG_ISA_VAR_NULL;
}

static bool is_atomic(const vsg_ver_lsc *lsc)
{
    return lsc->access == (VSG_ISA_LSC_LOADS | VSG_ISA_LSC_STORES) && !lsc->is_counter;
}

static const char *word(vsg_isa_words list, uint32_t code)
{
    const char *text = vsg_isa_word(list, code);

    return text ? text : "?";
}

/* ---- unit and cache controls ------------------------------------------------------------ */

static void check_unit(vsg_ver_state *state)
{
    uint32_t sfid;

    if (!vsg_ver_number(state, "sfid", &sfid) || sfid == VSG_ISA_LSC_UGM ||
        sfid == VSG_ISA_LSC_SLM)
        return;
    if (sfid == VSG_ISA_LSC_UGML) {
        vsg_ver_report_part(state, VSG_VER_PART_SUFFIX, VSG_RULE_LSC_CROSS_TILE,
                            state->op->text);
        return;
    }
    vsg_ver_report(state, VSG_RULE_LSC_UNIT, state->op->text,
                   word(VSG_ISA_WORDS_LSC_SFID, sfid));
}

static void list_caches(unsigned access, char *text, size_t size)
{
    size_t length = 0;

    text[0] = 0;
    for (uint32_t l1 = 0; l1 <= VSG_ISA_LSC_CACHE_RI; l1++)
        for (uint32_t l3 = 0; l3 <= VSG_ISA_LSC_CACHE_RI && length < size; l3++)
            if (vsg_isa_lsc_cache(l1, l3) & access)
                length += (size_t)snprintf(text + length, size - length, "%s.%s.%s",
                                           length ? " " : "", word(VSG_ISA_WORDS_LSC_CACHE, l1),
                                           word(VSG_ISA_WORDS_LSC_CACHE, l3));
}

/* The page says nothing of atomics, which read and write: they may have either's controls. */
static void check_cache(vsg_ver_state *state, const vsg_ver_lsc *lsc)
{
    uint32_t l1, l3, sfid = VSG_ISA_LSC_UGM;
    char list[160];

    if (!vsg_ver_number(state, "cache_l1", &l1) || !vsg_ver_number(state, "cache_l3", &l3))
        return;
    const char *name1 = word(VSG_ISA_WORDS_LSC_CACHE, l1);
    const char *name3 = word(VSG_ISA_WORDS_LSC_CACHE, l3);
    (void)vsg_ver_number(state, "sfid", &sfid);
    if (sfid == VSG_ISA_LSC_SLM) {
        if (l1 != VSG_ISA_LSC_CACHE_DF || l3 != VSG_ISA_LSC_CACHE_DF)
            vsg_ver_report_part(state, VSG_VER_PART_SUFFIX, VSG_RULE_LSC_SLM_CACHE,
                                state->op->text, name1, name3);
        return;
    }
    if (vsg_isa_lsc_cache(l1, l3) & lsc->access)
        return;
    list_caches(lsc->access, list, sizeof list);
    vsg_ver_report_part(state, VSG_VER_PART_SUFFIX, VSG_RULE_LSC_CACHE, state->op->text, name1,
                        name3, list);
}

/* ---- address ---------------------------------------------------------------------------- */

static void check_flat(vsg_ver_state *state)
{
    const vsg_obj_operand *surface = vsg_ver_operand_called(state, "surface");

    if (!surface || surface->class_ == VSG_OBJ_CLASS_NONE ||
        (surface->class_ == VSG_OBJ_CLASS_IMMEDIATE && surface->value == 0))
        return;
    vsg_ver_report_operand(state, surface, VSG_RULE_LSC_FLAT_SURFACE, state->op->text);
}

static void check_index(vsg_ver_state *state)
{
    const vsg_obj_operand *surface = vsg_ver_operand_called(state, "surface");

    if (surface && surface->class_ == VSG_OBJ_CLASS_IMMEDIATE &&
        surface->value > VSG_VER_LAST_SURFACE)
        vsg_ver_report_operand(state, surface, VSG_RULE_TABLE_INDEX, "binding-table",
                               (unsigned long long)surface->value, VSG_VER_LAST_SURFACE);
}

static void check_model(vsg_ver_state *state, const vsg_ver_lsc *lsc)
{
    uint32_t model;
    char list[64];

    if (!vsg_ver_number(state, "addr_type", &model))
        return;
    const char *name = vsg_isa_word(VSG_ISA_WORDS_LSC_ADDR_TYPE, model);
    bool is_stateful =
        model == VSG_ISA_LSC_BSS || model == VSG_ISA_LSC_SS || model == VSG_ISA_LSC_BTI;
    if (!name) {
        vsg_isa_list_words(VSG_ISA_WORDS_LSC_ADDR_TYPE, list, sizeof list);
        vsg_ver_report(state, VSG_RULE_LSC_MODEL, model, list);
    } else if (lsc->is_counter && !is_stateful) {
        vsg_ver_report(state, VSG_RULE_LSC_COUNTER_SURFACE, state->op->text, name);
    } else if (lsc->is_typed && !is_stateful) {
        vsg_ver_report(state, VSG_RULE_LSC_TYPED_SURFACE, state->op->text, name);
    } else if (model == VSG_ISA_LSC_FLAT) {
        check_flat(state);
    } else if (model == VSG_ISA_LSC_BTI) {
        check_index(state);
    }
}

/* Which sizes go with which memory (the NOTE of the page, as the compiler's finalizer has it).
 */
static void check_address_memory(vsg_ver_state *state, uint32_t size)
{
    uint32_t sfid;

    if (!vsg_ver_number(state, "sfid", &sfid))
        return;
    uint32_t refused = sfid == VSG_ISA_LSC_SLM ? VSG_ISA_LSC_A64 : VSG_ISA_LSC_A16;
    if (size != refused)
        return;
    const vsg_isa_words words = VSG_ISA_WORDS_LSC_ADDR_SIZE;
    vsg_ver_report(state, VSG_RULE_LSC_ADDRESS_MEMORY, state->op->text,
                   word(VSG_ISA_WORDS_LSC_SFID, sfid), word(words, size),
                   word(words, refused == VSG_ISA_LSC_A64 ? VSG_ISA_LSC_A16 : VSG_ISA_LSC_A32),
                   word(words, refused == VSG_ISA_LSC_A64 ? VSG_ISA_LSC_A32 : VSG_ISA_LSC_A64));
}

static void check_address(vsg_ver_state *state, const vsg_ver_lsc *lsc)
{
    const vsg_obj_operand *address =
        vsg_ver_operand_called(state, lsc->is_typed ? "u" : "address");
    const vsg_obj_operand *v = vsg_ver_operand_called(state, "v");
    const vsg_obj_operand *r = vsg_ver_operand_called(state, "r");
    uint32_t size;

    if (vsg_ver_number(state, "addr_size", &size)) {
        if (size < VSG_ISA_LSC_A16 || size > VSG_ISA_LSC_A64)
            vsg_ver_report(state, VSG_RULE_LSC_ADDRESS_SIZE,
                           word(VSG_ISA_WORDS_LSC_ADDR_SIZE, size));
        else if (!lsc->is_typed)
            check_address_memory(state, size);
    }
    if (address && vsg_ver_is_null(address))
        vsg_ver_report_operand(state, address, VSG_RULE_LSC_NO_ADDRESS, state->op->text);
    else if (v && r && vsg_ver_is_null(v) && r->class_ == VSG_OBJ_CLASS_RAW &&
             !vsg_ver_is_null(r))
        vsg_ver_report_operand(state, v, VSG_RULE_LSC_COORDINATES, state->op->text);
}

/* ---- data ------------------------------------------------------------------------------- */

static bool is_quad(const vsg_ver_state *state)
{
    return (state->op->flags & VSG_ISA_QUAD) != 0;
}

static void check_codes(vsg_ver_state *state)
{
    uint32_t code;

    if (vsg_ver_number(state, "data_size", &code) && !vsg_isa_lsc_data_size_of(code))
        vsg_ver_report(state, VSG_RULE_LSC_DATA_SIZE, code);
    if (!is_quad(state) && vsg_ver_number(state, "num_elements", &code) &&
        vsg_isa_lsc_vector(code) == 0)
        vsg_ver_report(state, VSG_RULE_LSC_VECTOR, code);
    if (vsg_ver_number(state, "data_order", &code) && code != VSG_ISA_LSC_PLAIN &&
        code != VSG_ISA_LSC_TRANSPOSED)
        vsg_ver_report(state, VSG_RULE_LSC_ORDER, code);
    if (is_quad(state) && vsg_ver_number(state, "channels", &code) &&
        (code == 0 || code > VSG_VER_ALL_QUAD))
        vsg_ver_report(state, VSG_RULE_LSC_QUAD_MASK, state->op->text, code);
}

static void check_order(vsg_ver_state *state, const vsg_ver_lsc *lsc)
{
    uint32_t order;

    if (lsc->is_block || lsc->is_counter || !vsg_ver_number(state, "data_order", &order) ||
        order != VSG_ISA_LSC_TRANSPOSED)
        return;
    if (is_atomic(lsc))
        vsg_ver_report(state, VSG_RULE_LSC_TRANSPOSED_ATOMIC, state->op->text);
    else if (is_quad(state))
        vsg_ver_report(state, VSG_RULE_LSC_QUAD_ORDER, state->op->text);
    else if (state->inst->exec_size != 1)
        vsg_ver_report_part(state, VSG_VER_PART_MASK, VSG_RULE_LSC_TRANSPOSED_SIZE,
                            state->op->text, state->inst->exec_size);
}

/* The one element of an atomic or a counter. */
static void check_element(vsg_ver_state *state, const vsg_ver_lsc *lsc)
{
    enum { BYTE_BITS = 8 };
    uint32_t code = 0, order = VSG_ISA_LSC_PLAIN;
    const vsg_isa_lsc_data_size *size =
        vsg_ver_number(state, "data_size", &code) ? vsg_isa_lsc_data_size_of(code) : NULL;
    uint32_t count =
        vsg_ver_number(state, "num_elements", &code) ? vsg_isa_lsc_vector(code) : 0;
    uint32_t least = lsc->is_counter ? sizeof(uint32_t) : sizeof(uint16_t);

    if (!size || count == 0)
        return;
    (void)vsg_ver_number(state, "data_order", &order);
    bool is_transposed = lsc->is_counter && order == VSG_ISA_LSC_TRANSPOSED;
    if (count == 1 && size->memory_bytes >= least && !is_transposed)
        return;
    if (lsc->is_counter)
        vsg_ver_report(state, VSG_RULE_LSC_COUNTER_DATA, state->op->text, count,
                       size->memory_bytes * BYTE_BITS, is_transposed ? ", transposed" : "");
    else
        vsg_ver_report_operand(state, vsg_ver_operand_called(state, "dst"),
                               VSG_RULE_LSC_ATOMIC_DATA, state->op->text, count,
                               size->memory_bytes * BYTE_BITS);
}

/* What the NOTE of the page leaves to the compiler's finalizer, which refuses it. */
static void check_vector_data(vsg_ver_state *state)
{
    uint32_t code, vector, order = VSG_ISA_LSC_PLAIN;

    if (is_quad(state) || !vsg_ver_number(state, "data_size", &code) ||
        !vsg_ver_number(state, "num_elements", &vector))
        return;
    const vsg_isa_lsc_data_size *size = vsg_isa_lsc_data_size_of(code);
    uint32_t count = vsg_isa_lsc_vector(vector);
    if (!size || count <= 1 || size->memory_bytes >= sizeof(uint32_t))
        return;
    (void)vsg_ver_number(state, "data_order", &order);
    bool is_transposed = order == VSG_ISA_LSC_TRANSPOSED;
    if (!is_transposed || size->register_bytes != size->memory_bytes)
        vsg_ver_report(state, VSG_RULE_LSC_VECTOR_DATA, state->op->text, count,
                       word(VSG_ISA_WORDS_LSC_DATA_SIZE, code),
                       is_transposed ? ", transposed" : "", is_transposed ? "d8, d16, " : "");
}

/* The same of atomics. 16 bits are in the lower half of a dword each, as in DWORD_ATOMIC, Op.
 */
static void check_atomic_here(vsg_ver_state *state)
{
    uint32_t code, sfid = VSG_ISA_LSC_UGM;
    visage_op op = state->inst->op;
    const vsg_isa_lsc_data_size *size =
        vsg_ver_number(state, "data_size", &code) ? vsg_isa_lsc_data_size_of(code) : NULL;

    if (!size || size->memory_bytes < sizeof(uint16_t))
        return;
    (void)vsg_ver_number(state, "sfid", &sfid);
    bool is_packed = size->register_bytes < sizeof(uint32_t) || size->high;
    bool is_long = size->memory_bytes > sizeof(uint32_t) && op != VISAGE_OP_LSC_ATOMIC_ICAS;
    bool is_sum = op == VISAGE_OP_LSC_ATOMIC_FADD || op == VISAGE_OP_LSC_ATOMIC_FSUB;
    bool is_slm = sfid == VSG_ISA_LSC_SLM && (is_long || is_sum);
    if (is_packed || is_slm)
        vsg_ver_report(state, VSG_RULE_LSC_ATOMIC_HERE, state->op->text,
                       word(VSG_ISA_WORDS_LSC_DATA_SIZE, code),
                       is_slm ? " in shared local memory" : "");
}

/* Loads and stores of images; what a status load has beside its address is not used. */
static void check_typed_data(vsg_ver_state *state)
{
    enum { BYTE_BITS = 8 };
    uint32_t code;
    const vsg_isa_lsc_data_size *size =
        vsg_ver_number(state, "data_size", &code) ? vsg_isa_lsc_data_size_of(code) : NULL;

    if (size && is_quad(state) && size->memory_bytes != sizeof(uint32_t))
        vsg_ver_report(state, VSG_RULE_LSC_TYPED_DATA, state->op->text,
                       size->memory_bytes * BYTE_BITS);
}

/* ---- operands that are used and that are not -------------------------------------------- */

static void check_argument(vsg_ver_state *state, const char *name, int number, int arguments)
{
    const vsg_obj_operand *operand = vsg_ver_operand_called(state, name);

    if (!operand || operand->class_ != VSG_OBJ_CLASS_RAW ||
        vsg_ver_is_null(operand) == (number >= arguments))
        return;
    vsg_ver_report_operand(state, operand,
                           number >= arguments ? VSG_RULE_LSC_ATOMIC_UNUSED
                                               : VSG_RULE_LSC_ATOMIC_USED,
                           state->op->text, arguments, name);
}

static void check_unused(vsg_ver_state *state, const char *name)
{
    const vsg_obj_operand *operand = vsg_ver_operand_called(state, name);

    if (operand && operand->class_ == VSG_OBJ_CLASS_RAW && !vsg_ver_is_null(operand))
        vsg_ver_report_operand(state, operand, VSG_RULE_LSC_UNUSED, state->op->text, name);
}

static void check_data_operands(vsg_ver_state *state, const vsg_ver_lsc *lsc)
{
    if (is_atomic(lsc)) {
        int arguments = vsg_isa_lsc_arguments(state->op->sub);
        if (arguments < 0)
            return;
        check_argument(state, "src1", 0, arguments);
        check_argument(state, "src2", 1, arguments);
        return;
    }
    if (!lsc->is_counter) {
        check_unused(state, lsc->access == VSG_ISA_LSC_LOADS ? "src1" : "dst");
        check_unused(state, "src2");
    }
    const vsg_obj_operand *data =
        vsg_ver_operand_called(state, lsc->is_counter ? "src0" : "src1");
    if (data && lsc->access != VSG_ISA_LSC_LOADS && vsg_ver_is_null(data))
        vsg_ver_report_operand(state, data, VSG_RULE_LSC_NO_DATA, state->op->text);
}

/* ---- execution size --------------------------------------------------------------------- */

/* The hardware's messages have a channel for each half a dword of a GRF, typed ones half as
 * many. */
static void check_channels(vsg_ver_state *state, const vsg_ver_lsc *lsc)
{
    uint32_t size = state->inst->exec_size, most = state->grf_bytes / 2, order;

    if (lsc->is_typed) {
        if (size > most / 2)
            vsg_ver_report(state, VSG_RULE_LSC_TYPED_CHANNELS, state->op->text, size, most / 2);
        return;
    }
    if (vsg_ver_number(state, "data_order", &order) && order == VSG_ISA_LSC_TRANSPOSED)
        return;
    if (size > most)
        vsg_ver_report(state, VSG_RULE_LSC_MOST_CHANNELS, state->op->text, size, most);
    else if (size != most)
        vsg_ver_report(state, VSG_RULE_LSC_ALL_CHANNELS, state->op->text, size, most);
}

void vsg_ver_check_lsc(vsg_ver_state *state)
{
    vsg_ver_lsc lsc = vsg_ver_lsc_of(state->op);

    if (state->inst->op == VISAGE_OP_LSC_FENCE)
        vsg_ver_check_lsc_fence(state);
    if (!lsc.access)
        return;
    check_unit(state);
    check_cache(state, &lsc);
    check_model(state, &lsc);
    check_codes(state);
    check_data_operands(state, &lsc);
    if (lsc.is_block) {
        vsg_ver_check_lsc_block(state, &lsc);
        return;
    }
    check_address(state, &lsc);
    check_order(state, &lsc);
    if (is_atomic(&lsc) || lsc.is_counter)
        check_element(state, &lsc);
    else if (lsc.is_typed)
        check_typed_data(state);
    else
        check_vector_data(state);
    if (is_atomic(&lsc))
        check_atomic_here(state);
    check_channels(state, &lsc);
}
