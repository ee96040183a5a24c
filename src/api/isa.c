/* SPDX-License-Identifier: MIT
 *
 * The instruction table, as rows. The label's pseudo operation has no mnemonic and no row. */
#include <string.h>

#include "api/api.h"

visage_op vsg_api_isa_row(size_t index)
{
    for (uint32_t op = 0; op < VISAGE_OP_COUNT; op++)
        if (vsg_isa_op((visage_op)op)->text[0] != '\0' && index-- == 0)
            return (visage_op)op;
    return VISAGE_OP_COUNT;
}

size_t visage_isa_count(void)
{
    size_t count = 0;

    for (uint32_t op = 0; op < VISAGE_OP_COUNT; op++)
        count += vsg_isa_op((visage_op)op)->text[0] != '\0';
    return count;
}

/* ---- lists of words --------------------------------------------------------------------- */

/* Strings behind each other in the caller's area. */
typedef struct writer {
    char *area;
    size_t size, used;
    size_t start; /* of the string in progress */
    bool is_full;
} writer;

static void put(writer *out, const char *text, size_t length)
{
    if (out->is_full || out->size - out->used < length + 1) {
        out->is_full = true;
        return;
    }
    memcpy(out->area + out->used, text, length);
    out->used += length;
}

static void put_text(writer *out, const char *text)
{
    put(out, text, strlen(text));
}

static void word(writer *out, const char *text)
{
    if (out->used > out->start)
        put(out, " ", 1);
    put(out, text, strlen(text));
}

static const char *finish(writer *out)
{
    put(out, "", 0); /* finds out whether the NUL fits */
    if (out->is_full)
        return "";
    const char *text = out->area + out->start;
    out->area[out->used++] = '\0';
    out->start = out->used;
    return text;
}

static const char *operands(writer *out, visage_op op)
{
    for (const vsg_isa_slot *slot = vsg_isa_form_of(op)->slots; slot->kind; slot++)
        if (slot->kind >= VSG_ISA_SLOT_DST)
            word(out, slot->name);
    return finish(out);
}

static const char *types(writer *out, const vsg_isa_op_info *info)
{
    for (uint32_t type = 0; type < VISAGE_TYPE_COUNT; type++)
        if (info->types >> type & 1)
            word(out, vsg_isa_type(type)->letters);
    return finish(out);
}

static void put_types(writer *out, uint32_t set)
{
    for (uint32_t type = 0; type < VISAGE_TYPE_COUNT; type++)
        if (set >> type & 1)
            word(out, vsg_isa_type(type)->letters);
}

static void put_platforms(writer *out, uint32_t on)
{
    const char *before = " (";

    for (uint32_t i = 1; i < VISAGE_PLATFORM_COUNT; i++) {
        if (!(on >> i & 1))
            continue;
        put_text(out, before);
        put_text(out, visage_platform_name((visage_platform)i));
        before = " ";
    }
    put(out, ")", 1);
}

static uint32_t sources_of(visage_op op)
{
    uint32_t count = 0;

    for (const vsg_isa_slot *slot = vsg_isa_form_of(op)->slots; slot->kind; slot++)
        count += slot->kind == VSG_ISA_SLOT_SRC || slot->kind == VSG_ISA_SLOT_SRC_PRED_OR ||
                 slot->kind == VSG_ISA_SLOT_STATE_SRC;
    return count;
}

static void put_map(writer *out, visage_op op, const vsg_isa_map *map)
{
    const uint32_t everywhere = (1u << VISAGE_PLATFORM_COUNT) - 2u;
    uint32_t num_sources = sources_of(op);

    put_types(out, map->dst);
    if (map->dst && map->src[0])
        put_text(out, " from");
    for (uint32_t i = 0; i < VSG_ISA_MAP_SOURCES && i < num_sources; i++) {
        if (i && map->src[i])
            put_text(out, ",");
        put_types(out, map->src[i]);
    }
    if (map->on != everywhere)
        put_platforms(out, map->on);
    if (map->also)
        put_text(out, " (undocumented)");
}

static const char *type_maps(writer *out, visage_op op)
{
    vsg_isa_map maps[VSG_ISA_MAX_MAPS];
    size_t count = vsg_isa_maps(op, maps);

    for (size_t i = 0; i < count; i++) {
        if (i)
            put_text(out, ";");
        put_map(out, op, &maps[i]);
    }
    return finish(out);
}

static const char *flags(writer *out, visage_op op)
{
    static const struct {
        uint32_t flag;
        const char *text;
    } names[] = {
        {VSG_ISA_SAT, "sat"},         {VSG_ISA_MOD_ARITH, "mod"},
        {VSG_ISA_MOD_LOGIC, "not"},   {VSG_ISA_PRED_SELECTS, "selects"},
        {VSG_ISA_UNIFORM, "uniform"},
    };

    if (vsg_isa_has_slot(op, VSG_ISA_SLOT_EXEC))
        word(out, "exec");
    if (vsg_isa_has_slot(op, VSG_ISA_SLOT_PRED))
        word(out, "pred");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (vsg_isa_op(op)->flags & names[i].flag)
            word(out, names[i].text);
    return finish(out);
}

static const char *platforms(writer *out, const vsg_isa_op_info *info)
{
    for (uint32_t i = 1; i < VISAGE_PLATFORM_COUNT; i++)
        if (info->on >> i & 1)
            word(out, visage_platform_name((visage_platform)i));
    return finish(out);
}

visage_status visage_isa_get(size_t index, visage_isa_entry *out, char *text, size_t text_size)
{
    writer area = {.area = text, .size = text_size};
    visage_op op = vsg_api_isa_row(index);

    if (!out || !text || op == VISAGE_OP_COUNT)
        return VISAGE_ARGUMENT;
    const vsg_isa_op_info *info = vsg_isa_op(op);
    bool has_page = info->page && strcmp(info->page, "-") != 0;
    *out = (visage_isa_entry){
        .mnemonic = info->text,
        .opcode = info->code,
        .sub_opcode = info->sub_mask ? (int32_t)info->sub : -1,
        .group = info->group,
        .operands = operands(&area, op),
        .types = types(&area, info),
        .type_maps = type_maps(&area, op),
        .flags = flags(&area, op),
        .platforms = platforms(&area, info),
        .page = has_page ? info->page : "",
        .brief = info->brief ? info->brief : "",
        .runs = vsg_exe_runs(op),
    };
    return area.is_full ? VISAGE_ARGUMENT : VISAGE_OK;
}
