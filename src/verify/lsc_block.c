/* SPDX-License-Identifier: MIT
 *
 * Blocks of LSC messages: their shapes; and fences. */
#include "verify/lsc.h"

enum { BYTE_BITS = 8 };

static void check_block_data(vsg_ver_state *state)
{
    uint32_t code, vnni = 0;
    const vsg_isa_lsc_data_size *size =
        vsg_ver_number(state, "data_size", &code) ? vsg_isa_lsc_data_size_of(code) : NULL;

    if (!size)
        return;
    (void)vsg_ver_number(state, "vnni", &vnni);
    if (size->memory_bytes != size->register_bytes)
        vsg_ver_report(state, VSG_RULE_LSC_BLOCK_DATA, state->op->text,
                       vsg_isa_word(VSG_ISA_WORDS_LSC_DATA_SIZE, code));
    else if (vnni && size->memory_bytes > sizeof(uint32_t))
        vsg_ver_report(state, VSG_RULE_LSC_BLOCK_VNNI, state->op->text,
                       size->memory_bytes * BYTE_BITS);
}

static void check_untyped_block(vsg_ver_state *state, const vsg_ver_lsc *lsc)
{
    enum { MOST_BLOCKS = 4, MOST_WIDTH = 64, MOST_HEIGHT = 64 };
    uint32_t count, width, height, sfid, order = VSG_ISA_LSC_PLAIN, vnni = 0;
    const char *name = state->op->text;

    if (state->inst->exec_size != 1)
        vsg_ver_report(state, VSG_RULE_LSC_BLOCK_CHANNELS, name, state->inst->exec_size);
    if (vsg_ver_number(state, "sfid", &sfid) && sfid == VSG_ISA_LSC_SLM)
        vsg_ver_report(state, VSG_RULE_LSC_BLOCK_UNIT, name);
    check_block_data(state);
    if (!vsg_ver_number(state, "num_blocks", &count) ||
        !vsg_ver_number(state, "block_width", &width) ||
        !vsg_ver_number(state, "block_height", &height))
        return;
    (void)vsg_ver_number(state, "data_order", &order);
    (void)vsg_ver_number(state, "vnni", &vnni);
    bool is_transposed = order == VSG_ISA_LSC_TRANSPOSED;
    if (count < 1 || count > MOST_BLOCKS || width < 1 || width > MOST_WIDTH || height < 1 ||
        height > MOST_HEIGHT)
        vsg_ver_report(state, VSG_RULE_LSC_BLOCK_SHAPE, name, count, width, height);
    else if (lsc->access == VSG_ISA_LSC_STORES && (count != 1 || is_transposed || vnni))
        vsg_ver_report(state, VSG_RULE_LSC_BLOCK_STORE, name, count,
                       is_transposed ? ", transposed" : "", vnni ? ", in VNNI order" : "");
}

static void check_typed_block(vsg_ver_state *state)
{
    uint32_t width, height;

    if (!vsg_ver_number(state, "block_width", &width) ||
        !vsg_ver_number(state, "block_height", &height))
        return;
    uint32_t most = vsg_isa_lsc_block_height(width);
    if (height < 1 || height > most)
        vsg_ver_report(state, VSG_RULE_LSC_TYPED_BLOCK, state->op->text, width, height, most);
}

void vsg_ver_check_lsc_block(vsg_ver_state *state, const vsg_ver_lsc *lsc)
{
    if (lsc->is_typed)
        check_typed_block(state);
    else
        check_untyped_block(state, lsc);
}

/* ---- fences ----------------------------------------------------------------------------- */

void vsg_ver_check_lsc_fence(vsg_ver_state *state)
{
    enum { LAST_UNIT = VSG_ISA_LSC_SLM, LAST_OP = 5, LAST_SCOPE = 6 };
    static const struct {
        const char *name;
        uint32_t last;
    } fields[] = {{"sfid", LAST_UNIT}, {"op", LAST_OP}, {"scope", LAST_SCOPE}};
    uint32_t code;

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (vsg_ver_number(state, fields[i].name, &code) && code > fields[i].last)
            vsg_ver_report(state, VSG_RULE_LSC_FENCE_CODES, fields[i].name, code,
                           fields[i].last);
    if (state->inst->exec_size != 1 || !state->inst->no_mask)
        vsg_ver_report(state, VSG_RULE_LSC_FENCE_CHANNELS, state->inst->exec_size,
                       state->inst->no_mask ? "" : " with a mask");
}
