/* SPDX-License-Identifier: MIT
 *
 * Operands, masks and predicates. */
#include "smith.h"

#include <stdio.h>
#include <string.h>

uint32_t smith_bit(smith_program *p, uint32_t set)
{
    uint32_t skip = set ? smith_draw(p, (uint32_t)__builtin_popcount(set)) : 0;

    while (skip-- > 0)
        set &= set - 1;
    return set & (0 - set);
}

/* ---- masks and predicates --------------------------------------------------------------- */

const char *smith_exec_text(smith_exec exec, char text[32])
{
    (void)snprintf(text, 32, "(M%u%s, %u)", exec.offset / 4 + 1, exec.no_mask ? "_NM" : "",
                   exec.size);
    return text;
}

smith_exec smith_pick_exec(smith_program *p, uint32_t sizes)
{
    smith_exec exec = {.no_mask = smith_chance(p, 25)};
    uint32_t most = exec.no_mask ? 32 : p->simd;

    sizes &= 2 * most - 1;
    if (sizes & p->simd && smith_chance(p, 50))
        exec.size = p->simd;
    else
        exec.size = smith_bit(p, sizes);
    if (exec.size == 0)
        return exec;
    if (exec.size < most && smith_chance(p, 40)) {
        uint32_t step = exec.size < 4 ? 4 : exec.size;
        exec.offset = smith_draw(p, most / step) * step;
    }
    return exec;
}

uint32_t smith_pick_predicate(smith_program *p, smith_exec exec)
{
    uint32_t wanted = exec.offset + exec.size;
    uint32_t number = 1 + smith_draw(p, SMITH_PREDICATES - 1);

    for (uint32_t i = 0; i < SMITH_PREDICATES && p->predicates[number] < wanted; i++)
        number = number % (SMITH_PREDICATES - 1) + 1;
    return number;
}

void smith_predicate(smith_program *p, smith_exec exec, uint32_t percent, char text[32])
{
    static const char *const combined[] = {"", "", "", ".any", ".all"};

    text[0] = '\0';
    if (smith_chance(p, percent))
        (void)snprintf(text, 32, "(%sP%u%s) ", smith_chance(p, 40) ? "!" : "",
                       smith_pick_predicate(p, exec), combined[smith_draw(p, 5)]);
}

/* ---- immediates ------------------------------------------------------------------------- */

static uint64_t integer_bits(smith_program *p, uint32_t width)
{
    uint64_t any = smith_next(&p->state);
    uint64_t power = (uint64_t)1 << any % width;

    switch (any >> 61) {
    case 0:
    case 1:
        return any >> 8 & 0x1f;
    case 2:
        return power;
    case 3:
        return power - 1;
    case 4:
        return 0 - (any >> 8 & 7);
    case 5:
        return (uint64_t)1 << (width - 1);
    default:
        return any >> 3;
    }
}

/* Exponent, significand and bias of a type of floats. */
static uint64_t float_bits(smith_program *p, visage_type type)
{
    uint32_t digits = type == VISAGE_TYPE_DF ? 52 : type == VISAGE_TYPE_F ? 23 : 10;
    uint32_t width = type == VISAGE_TYPE_DF ? 64 : type == VISAGE_TYPE_F ? 32 : 16;
    uint64_t any = smith_next(&p->state);
    uint64_t least_normal = (uint64_t)1 << digits;
    uint64_t infinity = ((uint64_t)1 << (width - 1)) - least_normal;
    uint64_t one = (infinity >> (digits + 1)) << digits;
    uint64_t sign = any & (uint64_t)1 << (width - 1);

    switch (any >> 3 & 7) {
    case 0:
        return sign | (any & (infinity | (least_normal - 1))); /* anything, NaNs too */
    case 1:
        return sign | (any >> 8 & 3); /* denormals, zeros */
    case 2:
        return sign | infinity;
    case 3:
        return sign | (infinity - 1); /* the largest */
    case 4:
    case 5:
        return sign | (one + ((any >> 8 & 7) * (least_normal / 4)));
    default:
        return sign | ((one - 4 * least_normal) + (any & (8 * least_normal - 1)));
    }
}

void smith_immediate(smith_program *p, visage_type type, char text[32])
{
    const vsg_isa_type_info *info = vsg_isa_type(type);
    uint64_t bits;

    if (info->kind == VSG_ISA_KIND_FLOAT)
        bits = float_bits(p, type);
    else if (info->kind == VSG_ISA_KIND_PACKED)
        bits = smith_next(&p->state) & 0xffffffff;
    else
        bits = vsg_isa_element(info, integer_bits(p, 8 * info->bytes));
    if (info->bytes < 8)
        bits &= 0xffffffff;
    (void)snprintf(text, 32, "0x%llx:%s", (unsigned long long)bits, info->text);
}

/* ---- regions ---------------------------------------------------------------------------- */

const char *smith_element(const smith_program *p, const smith_variable *variable,
                          uint32_t index, char text[32])
{
    uint32_t size = vsg_isa_type(variable->type)->bytes;

    (void)snprintf(text, 32, "%s(%u,%u)", variable->name, index * size / p->grf,
                   index * size % p->grf / size);
    return text;
}

const smith_variable *smith_find(const smith_program *p, const char *name)
{
    for (uint32_t i = 0; i < p->num_variables; i++)
        if (strcmp(p->variables[i].name, name) == 0)
            return &p->variables[i];
    return NULL;
}

typedef struct region {
    uint32_t v_stride, width, h_stride;
} region;

static region pick_region(smith_program *p, uint32_t size)
{
    static const uint32_t v_strides[] = {0, 1, 2, 4, 8, 16, 32}, h_strides[] = {0, 1, 2, 4};
    region r = {1, 1, 0};

    switch (smith_draw(p, 8)) {
    case 0:
    case 1:
        return (region){0, 1, 0};
    case 2:
        r.width = size < 16 ? size : 16;
        return (region){r.width, r.width, 1};
    case 3:
        r.v_stride = v_strides[smith_draw(p, 7)];
        r.width = 1u << smith_draw(p, 5);
        r.h_stride = h_strides[smith_draw(p, 4)];
        if (r.width > size)
            r.width = size < 16 ? size : 16;
        return r;
    case 4:
        return (region){2, 1, 0};
    default:
        return r;
    }
}

static uint32_t extent(region r, uint32_t size)
{
    uint32_t last = 0;

    for (uint32_t i = 0; i < size; i++) {
        uint32_t at = i / r.width * r.v_stride + i % r.width * r.h_stride;
        last = at > last ? at : last;
    }
    return last + 1;
}

/* ---- variables -------------------------------------------------------------------------- */

static uint32_t align_of(const smith_program *p, uint32_t wishes)
{
    return wishes & SMITH_ALIGN_GRF ? p->grf : wishes & SMITH_ALIGN_16 ? 16 : 1;
}

/* A variable of the type with room for `bytes`; NULL where there is none. */
static const smith_variable *pick_variable(smith_program *p, visage_type type, uint32_t bytes,
                                           bool is_dst, uint32_t wishes)
{
    uint32_t first = smith_draw(p, p->num_variables);

    for (uint32_t i = 0; i < p->num_variables; i++) {
        const smith_variable *v = &p->variables[(first + i) % p->num_variables];
        if (v->type == type && v->bytes >= bytes && !v->hidden && !(is_dst && v->locked) &&
            v->align >= align_of(p, wishes))
            return v;
    }
    return NULL;
}

/* The first element of an access to `elements` of them. */
static uint32_t pick_start(smith_program *p, const smith_variable *v, uint32_t elements,
                           uint32_t wishes)
{
    uint32_t size = vsg_isa_type(v->type)->bytes;
    uint32_t room = v->bytes / size - elements;
    uint32_t step = align_of(p, wishes) / size;

    if (room == 0 || smith_chance(p, 50))
        return 0;
    room = smith_draw(p, room + 1);
    return step > 1 ? room / step * step : room;
}

/* Puts instructions that make addresses of a variable, for channels (multi) or for all of them
 * in A1(element), and gives the operand's text without its region. */
static void put_address(smith_program *p, smith_exec exec, const smith_variable *v,
                        uint32_t start, bool multi, uint32_t element, char text[48])
{
    uint32_t size = vsg_isa_type(v->type)->bytes;
    uint32_t bytes = start * size;
    int32_t offset = smith_chance(p, 40) ? (int32_t)(smith_draw(p, 9) * size) - 4 * 4 : 0;
    smith_exec all = {multi ? exec.size : 1, 0, true};
    char where[32], immediate[32];

    offset -= offset % (int32_t)size;
    if (multi) {
        /* addresses that differ, all inside: the low bits of something, times the size */
        uint32_t count = v->bytes / size, mask = 1;
        while (mask * 2 <= count)
            mask *= 2;
        smith_put(&p->text, "    and %s IDX(0,0)<1> IDXS(0,%u)<1;1,0> 0x%x:uw\n",
                  smith_exec_text(all, where), smith_draw(p, 8), mask - 1);
        smith_put(&p->text, "    mul %s IDX(0,0)<1> IDX(0,0)<1;1,0> 0x%x:uw\n", where, size);
        smith_put(&p->text, "    addr_add %s A0(0)<1> &%s IDX(0,0)<1;1,0>\n", where, v->name);
        (void)snprintf(text, 48, "r[A0(0),0]");
        return;
    }
    uint32_t later = smith_chance(p, 25) ? smith_draw(p, 5) * size : 0;
    (void)snprintf(immediate, sizeof immediate, "0x%x:uw",
                   (uint32_t)((int32_t)bytes - offset - (int32_t)later) & 0xffffu);
    smith_put(&p->text, "    addr_add %s A1(%u)<1> &%s %s\n", smith_exec_text(all, where),
              element, v->name, immediate);
    if (later)
        smith_put(&p->text, "    addr_add %s A1(%u)<1> A1(%u)<1> 0x%x:uw\n", where, element,
                  element, later);
    (void)snprintf(text, 48, "r[A1(%u),%d]", element, offset);
}

static const char *pick_modifier(smith_program *p, uint32_t wishes)
{
    static const char *const modifiers[] = {"(-)", "(abs)", "(-abs)"};

    if (wishes & SMITH_COMPLEMENT && smith_chance(p, 25))
        return "(~)";
    if (wishes & SMITH_MODIFIERS && smith_chance(p, 25))
        return modifiers[smith_draw(p, 3)];
    return "";
}

static bool may_be_immediate(visage_type type, uint32_t wishes)
{
    return !(wishes & SMITH_NO_IMMEDIATE) && type != VISAGE_TYPE_BF &&
           !(wishes & SMITH_SHORT_IMMEDIATE && vsg_isa_type(type)->bytes != 2);
}

/* Packed vectors in place of words. */
static visage_type packed(smith_program *p, smith_exec exec, visage_type type)
{
    if (exec.size <= 8 && smith_chance(p, 25)) {
        if (type == VISAGE_TYPE_W)
            return VISAGE_TYPE_V;
        if (type == VISAGE_TYPE_UW)
            return VISAGE_TYPE_UV;
        if (type == VISAGE_TYPE_F && exec.size <= 4)
            return VISAGE_TYPE_VF;
    }
    return type;
}

bool smith_source(smith_program *p, smith_exec exec, visage_type type, uint32_t wishes,
                  smith_operand *out)
{
    region r = pick_region(p, exec.size);
    uint32_t size = vsg_isa_type(type)->bytes;
    char place[48];

    out->root = SMITH_VARIABLES;
    if (may_be_immediate(type, wishes) && smith_chance(p, 25)) {
        smith_immediate(p, packed(p, exec, type), out->text);
        return true;
    }
    const smith_variable *v =
        pick_variable(p, type, extent(r, exec.size) * size, false, wishes);
    if (!v) {
        r = (region){0, 1, 0};
        v = pick_variable(p, type, size, false, wishes);
    }
    if (!v) {
        if (may_be_immediate(type, wishes))
            smith_immediate(p, type, out->text);
        return may_be_immediate(type, wishes);
    }
    const char *modifier = pick_modifier(p, wishes);
    uint32_t start = pick_start(p, v, extent(r, exec.size), wishes);
    out->root = v->root;
    if (!(wishes & SMITH_NO_INDIRECT) && p->addresses && v->name[0] != '%' &&
        smith_chance(p, 15)) {
        bool multi = exec.size <= 16 && smith_chance(p, 40);
        put_address(p, exec, v, start, multi, 2 + smith_draw(p, 2), place);
        if (multi)
            (void)snprintf(out->text, sizeof out->text, "%s%s<1,0>:%s", modifier, place,
                           vsg_isa_type(type)->text);
        else
            (void)snprintf(out->text, sizeof out->text, "%s%s<%u;%u,%u>:%s", modifier, place,
                           r.v_stride, r.width, r.h_stride, vsg_isa_type(type)->text);
        return true;
    }
    (void)smith_element(p, v, start, place);
    (void)snprintf(out->text, sizeof out->text, "%s%s<%u;%u,%u>", modifier, place, r.v_stride,
                   r.width, r.h_stride);
    return true;
}

bool smith_destination(smith_program *p, smith_exec exec, visage_type type, uint32_t wishes,
                       smith_operand *out)
{
    uint32_t size = vsg_isa_type(type)->bytes;
    uint32_t stride =
        smith_chance(p, 75) || wishes & SMITH_TWO_HALVES ? 1u : 2u << smith_draw(p, 2);
    char place[48];

    if ((exec.size - 1) * stride + 1 > 64)
        stride = 1;
    uint32_t elements = (exec.size - 1) * stride + 1;
    if (smith_chance(p, 1) && !(wishes & (SMITH_TWO_HALVES | SMITH_NO_INDIRECT))) {
        *out = (smith_operand){.text = "%null(0,0)<1>", .root = SMITH_VARIABLES};
        return true;
    }
    if (wishes & SMITH_TWO_HALVES)
        elements = 2 * ((exec.size * size + p->grf - 1) / p->grf * p->grf) / size;
    const smith_variable *v = pick_variable(p, type, elements * size, true, wishes);
    if (!v && stride > 1 && !(wishes & SMITH_TWO_HALVES)) {
        stride = 1;
        elements = exec.size;
        v = pick_variable(p, type, elements * size, true, wishes);
    }
    if (!v)
        return false;
    uint32_t start = pick_start(p, v, elements, wishes);
    out->root = v->root;
    if (!(wishes & SMITH_NO_INDIRECT) && p->addresses && smith_chance(p, 10)) {
        put_address(p, exec, v, start, false, smith_draw(p, 2), place);
        (void)snprintf(out->text, sizeof out->text, "%s<%u>:%s", place, stride,
                       vsg_isa_type(type)->text);
        return true;
    }
    (void)smith_element(p, v, start, place);
    (void)snprintf(out->text, sizeof out->text, "%s<%u>", place, stride);
    return true;
}
