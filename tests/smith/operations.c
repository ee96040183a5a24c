/* SPDX-License-Identifier: MIT
 *
 * Instructions whose operands are vector operands, as the table of operations has them. */
#include "smith.h"

#include <stdio.h>
#include <string.h>

enum { ATTEMPTS = 40, SOURCES = 4 };

typedef struct chosen {
    visage_op op;
    const vsg_isa_op_info *info;
    visage_type dst;
    visage_type src[SOURCES];
    uint32_t num_dst, num_src;
    smith_exec exec;
} chosen;

/* Forms that are made here. */
static bool has_form(vsg_isa_form form)
{
    switch (form) {
    case VSG_ISA_FORM_UNARY:
    case VSG_ISA_FORM_BINARY:
    case VSG_ISA_FORM_BINARY_NO_PRED:
    case VSG_ISA_FORM_UNARY_NO_PRED:
    case VSG_ISA_FORM_TERNARY:
    case VSG_ISA_FORM_QUATERNARY:
    case VSG_ISA_FORM_CARRY:
    case VSG_ISA_FORM_LOGIC_UNARY:
    case VSG_ISA_FORM_LOGIC_BINARY:
    case VSG_ISA_FORM_BFN:
    case VSG_ISA_FORM_MOVE:
    case VSG_ISA_FORM_COMPARE:
    case VSG_ISA_FORM_MIN_MAX:
        return true;
    default:
        return false;
    }
}

static bool is_possible(const smith_program *p, visage_op op)
{
    const vsg_isa_op_info *info = vsg_isa_op(op);

    return has_form(info->form) && ((info->on | info->also) >> p->platform & 1u);
}

/* Operations that compilers write all the time come more often. */
static visage_op pick_operation(smith_program *p)
{
    static const visage_op frequent[] = {VISAGE_OP_MOV, VISAGE_OP_ADD, VISAGE_OP_CMP,
                                         VISAGE_OP_MUL, VISAGE_OP_SEL, VISAGE_OP_AND,
                                         VISAGE_OP_SHL, VISAGE_OP_MAD};
    uint32_t op;

    if (smith_chance(p, 35))
        return frequent[smith_draw(p, sizeof frequent / sizeof *frequent)];
    do
        op = smith_draw(p, VISAGE_OP_COUNT);
    while (!is_possible(p, (visage_op)op));
    return (visage_op)op;
}

static visage_type pick_type(smith_program *p, uint32_t types)
{
    const uint32_t packed = 1u << VISAGE_TYPE_V | 1u << VISAGE_TYPE_UV | 1u << VISAGE_TYPE_VF |
                            1u << VISAGE_TYPE_BOOL;
    uint32_t bit = smith_bit(p, types & ~packed);

    return bit ? (visage_type)__builtin_ctz(bit) : VISAGE_TYPE_COUNT;
}

/* NaNs' bits would come into integers. */
static bool shows_bits(const chosen *c)
{
    return (c->op == VISAGE_OP_FCVT || c->op == VISAGE_OP_SRND) &&
           vsg_isa_type(c->dst)->kind != VSG_ISA_KIND_FLOAT;
}

/* HF8 has no published format, SRND of BF no type map. */
static bool is_refused(const chosen *c)
{
    if (c->op == VISAGE_OP_SRND)
        return c->dst != VISAGE_TYPE_HF || c->src[0] != VISAGE_TYPE_F;
    return c->op == VISAGE_OP_FCVT && (c->dst == VISAGE_TYPE_B || c->src[0] == VISAGE_TYPE_B);
}

static bool choose_types(smith_program *p, chosen *c)
{
    vsg_isa_map maps[VSG_ISA_MAX_MAPS];
    size_t count = vsg_isa_maps(c->op, maps);

    if (count == 0)
        return false;
    const vsg_isa_map *map = &maps[smith_draw(p, (uint32_t)count)];
    if (!(map->on >> p->platform & 1u))
        return false;
    c->dst = pick_type(p, vsg_isa_map_types(map, -1));
    for (uint32_t i = 0; i < c->num_src; i++) {
        uint32_t types = vsg_isa_map_types(map, (int)i);
        bool same = types >> c->dst & 1u && smith_chance(p, 60);
        c->src[i] = same ? c->dst : pick_type(p, types);
        if (c->src[i] == VISAGE_TYPE_COUNT)
            return false;
    }
    if (c->op == VISAGE_OP_CMP && vsg_isa_type(c->src[0])->kind == VSG_ISA_KIND_FLOAT)
        c->dst = c->src[0];
    if (c->dst == VISAGE_TYPE_COUNT || shows_bits(c) || is_refused(c))
        return false;
    return vsg_isa_type(c->dst)->kind == VSG_ISA_KIND_FLOAT || !p->likes_floats ||
           smith_chance(p, 30);
}

static void count_operands(chosen *c)
{
    const vsg_isa_slot *slot;

    c->num_dst = c->num_src = 0;
    for (uint32_t i = 0; (slot = vsg_isa_operand_slot(c->op, i)) != NULL; i++) {
        c->num_dst += slot->kind == VSG_ISA_SLOT_DST || slot->kind == VSG_ISA_SLOT_DST_PRED_OR;
        c->num_src += slot->kind == VSG_ISA_SLOT_SRC || slot->kind == VSG_ISA_SLOT_SRC_PRED_OR;
    }
}

/* What holds for vector operand `number`, destinations first. */
static uint32_t wishes_for(const chosen *c, uint32_t number)
{
    const vsg_isa_op_info *info = c->info;
    uint32_t operand = number + (info->form == VSG_ISA_FORM_COMPARE); /* behind rel */
    bool aligned = !(info->flags & VSG_ISA_ALIGN_WIDE && c->exec.size == 1);
    uint32_t wishes = 0;

    if (info->no_indirect >> operand & 1u)
        wishes |= SMITH_NO_INDIRECT;
    if (info->no_immediate >> operand & 1u)
        wishes |= SMITH_NO_IMMEDIATE;
    if (info->short_immediate >> operand & 1u)
        wishes |= SMITH_SHORT_IMMEDIATE;
    if (info->align_16 >> operand & 1u && aligned)
        wishes |= SMITH_ALIGN_16 | SMITH_NO_INDIRECT;
    if (info->align_grf >> operand & 1u)
        wishes |= SMITH_ALIGN_GRF | SMITH_NO_INDIRECT;
    if (info->flags & VSG_ISA_MOD_ARITH)
        wishes |= SMITH_MODIFIERS;
    if (info->flags & VSG_ISA_MOD_LOGIC)
        wishes |= SMITH_COMPLEMENT;
    return wishes;
}

static bool choose_exec(smith_program *p, chosen *c)
{
    uint32_t sizes = p->grf == 64 && c->info->wide_sizes ? c->info->wide_sizes : c->info->sizes;

    sizes = sizes ? sizes : 63;
    if (c->dst != VISAGE_TYPE_COUNT) {
        /* what 256 bytes hold */
        uint32_t most = 256 / vsg_isa_type(c->dst)->bytes;
        sizes &= 2 * most - 1;
    }
    c->exec = smith_pick_exec(p, sizes);
    return c->exec.size != 0;
}

static bool may_saturate(const chosen *c)
{
    return (c->info->flags & VSG_ISA_SAT) || (c->info->flags & VSG_ISA_SAT_FLOAT &&
                                              vsg_isa_type(c->dst)->kind == VSG_ISA_KIND_FLOAT);
}

static void put_suffix(smith_program *p, const chosen *c, smith_text *line)
{
    if (c->info->suffix == VSG_ISA_SUFFIX_REL)
        smith_put(line, ".%s", vsg_isa_word(VSG_ISA_WORDS_RELATION, smith_draw(p, 6)));
    else if (c->info->suffix == VSG_ISA_SUFFIX_BFN)
        smith_put(line, ".x%x", smith_draw(p, 256));
    else if (may_saturate(c) && smith_chance(p, 15))
        smith_put(line, ".sat");
}

static void put_predicate(smith_program *p, const chosen *c, smith_text *line)
{
    uint32_t percent = c->info->flags & VSG_ISA_PRED_SELECTS ? 95 : 25;
    char text[32];

    if (!vsg_isa_has_slot(c->op, VSG_ISA_SLOT_PRED))
        return;
    if (c->info->flags & VSG_ISA_PRED_RESULT) {
        smith_put(line, "(P%u) ", smith_pick_predicate(p, c->exec));
        return;
    }
    smith_predicate(p, c->exec, percent, text);
    smith_put(line, "%s", text);
}

/* Both destinations, of different variables. */
static bool put_destinations(smith_program *p, const chosen *c, smith_text *line)
{
    uint32_t wishes = wishes_for(c, 0) | (c->op == VISAGE_OP_MADW ? SMITH_TWO_HALVES : 0);
    smith_operand first, second;

    if (c->op == VISAGE_OP_CMP && smith_chance(p, 75)) {
        smith_put(line, " P%u", smith_pick_predicate(p, c->exec));
        return true;
    }
    if (!smith_destination(p, c->exec, c->dst, wishes, &first))
        return false;
    smith_put(line, " %s", first.text);
    if (c->num_dst == 1)
        return true;
    if (!smith_destination(p, c->exec, c->dst, wishes | SMITH_NO_INDIRECT, &second) ||
        second.root == first.root)
        return false;
    smith_put(line, " %s", second.text);
    return true;
}

static bool put_sources(smith_program *p, const chosen *c, smith_text *line)
{
    for (uint32_t i = 0; i < c->num_src; i++) {
        uint32_t wishes = wishes_for(c, c->num_dst + i);
        smith_operand source;
        if (i > 0) /* address variables hold the addresses of one source */
            wishes |= SMITH_NO_INDIRECT;
        if (!smith_source(p, c->exec, c->src[i], wishes, &source))
            return false;
        smith_put(line, " %s", source.text);
    }
    return true;
}

static bool try_operation(smith_program *p, chosen *c)
{
    char exec[32];

    c->op = pick_operation(p);
    c->info = vsg_isa_op(c->op);
    count_operands(c);
    if ((c->info->flags & (VSG_ISA_OWN_SHAPE | VSG_ISA_IN_A_ROW)) || !choose_types(p, c) ||
        !choose_exec(p, c))
        return false;
    size_t before = p->text.size;
    smith_text line = {0};
    smith_put(&line, "    ");
    put_predicate(p, c, &line);
    smith_put(&line, "%s", c->info->text);
    put_suffix(p, c, &line);
    smith_put(&line, " %s", smith_exec_text(c->exec, exec));
    bool made = put_destinations(p, c, &line) && put_sources(p, c, &line);
    if (made)
        smith_put(&p->text, "%s\n", line.data);
    else if (p->text.data)
        p->text.data[p->text.size = before] = '\0';
    smith_text_free(&line);
    return made;
}

void smith_put_operation(smith_program *p)
{
    chosen c = {0};

    for (uint32_t i = 0; i < ATTEMPTS; i++)
        if (try_operation(p, &c))
            return;
}

/* ---- predicates and modes --------------------------------------------------------------- */

void smith_put_predicate_operation(smith_program *p)
{
    static const char *const operations[] = {"and", "or", "xor"};
    smith_exec exec = smith_pick_exec(p, 63);
    uint32_t dst = smith_pick_predicate(p, exec);
    uint32_t a = smith_pick_predicate(p, exec), b = smith_pick_predicate(p, exec);
    smith_operand source;
    char mask[32];

    (void)smith_exec_text(exec, mask);
    switch (smith_draw(p, 4)) {
    case 0:
        smith_put(&p->text, "    not %s P%u P%u\n", mask, dst, a);
        return;
    case 1:
        exec = (smith_exec){.size = p->predicates[dst], .no_mask = true};
        smith_put(&p->text, "    setp %s P%u SC(0,%u)<0;1,0>\n", smith_exec_text(exec, mask),
                  dst, smith_draw(p, 8));
        return;
    case 2:
        if (smith_destination(p, (smith_exec){1, 0, true}, VISAGE_TYPE_UD, 0, &source))
            smith_put(&p->text, "    mov (M1_NM, 1) %s P%u\n", source.text, a);
        return;
    default:
        smith_put(&p->text, "    %s %s P%u P%u P%u\n", operations[smith_draw(p, 3)], mask, dst,
                  a, b);
    }
}

void smith_put_mode(smith_program *p)
{
    /* denormals of DF, F, HF; rounding; ALT */
    static const uint32_t bits[] = {0x40, 0x80, 0x400, 0x10, 0x20, 0x30, 1};
    static const char *const operations[] = {"or", "xor", "xor"};

    if (smith_chance(p, 20))
        smith_put(&p->text, "    mov (M1_NM, 1) %%cr0(0,0)<1> 0x4c0:ud\n");
    else
        smith_put(&p->text, "    %s (M1_NM, 1) %%cr0(0,0)<1> %%cr0(0,0)<0;1,0> 0x%x:ud\n",
                  operations[smith_draw(p, 3)], bits[smith_draw(p, 7)]);
}

/* ---- floats as integers ----------------------------------------------------------------- */

void smith_put_view(smith_program *p)
{
    static const struct {
        const char *name, *view, *nan;
        visage_type type;
        uint32_t size;
    } kinds[] = {{"F0", "FI", "0x7fc00000:f", VISAGE_TYPE_UD, 32},
                 {"H0", "HI", "0x7e00:hf", VISAGE_TYPE_UW, 32},
                 {"D0", "DI", "0x7ff8000000000000:df", VISAGE_TYPE_UQ, 16}};
    uint32_t which = smith_draw(p, 3), size = kinds[which].size;
    const char *name = kinds[which].name, *view = kinds[which].view;
    smith_exec exec = {.size = p->simd < size ? p->simd : size};
    smith_operand dst;
    char mask[32];

    if (!smith_find(p, view))
        smith_declare_alias(p, view, kinds[which].type, size, name, 0)->hidden = true;
    smith_put(&p->text,
              "    cmp.ne (M1_NM, %u) P7 %s(0,0)<1;1,0> %s(0,0)<1;1,0>\n"
              "    (P7) mov (M1_NM, %u) %s(0,0)<1> %s\n",
              size, name, name, size, name, kinds[which].nan);
    if (smith_destination(p, exec, VISAGE_TYPE_UD, SMITH_NO_INDIRECT, &dst))
        smith_put(&p->text, "    mov %s %s %s(0,0)<1;1,0>\n", smith_exec_text(exec, mask),
                  dst.text, view);
}

/* ---- dpas ------------------------------------------------------------------------------- */

void smith_put_dpas(smith_program *p)
{
    static const char *const integers[] = {"s8", "u8", "s4", "u4", "s2", "u2"};
    static const char *const floats[] = {"bf", "hf"};
    smith_exec exec = {p->grf / 4, 0, smith_chance(p, 50) || p->grf / 4 > p->simd};
    bool is_float = smith_chance(p, 30);
    uint32_t most = smith_find(p, is_float ? "F0" : "R0")->bytes / p->grf;
    uint32_t count = 1 + smith_draw(p, most < 8 ? most : 8), which = smith_draw(p, 2);
    const char *weights = is_float ? floats[which] : integers[smith_draw(p, 6)];
    const char *activations = is_float ? floats[which] : integers[smith_draw(p, 6)];
    char dst[32], mask[32];

    if (!((vsg_isa_op(VISAGE_OP_DPAS)->on >> p->platform) & 1u))
        return;
    (void)snprintf(dst, sizeof dst, "%s.0", is_float ? "F0" : "R0");
    if (!smith_find(p, "BIG"))
        smith_declare(p, "BIG", VISAGE_TYPE_UD, 128, "GRF")->kept = p->unit == 0;
    smith_put(&p->text, "    dpas.%s.%s.8.%u %s %s %s BIG.0 %s(0,0)\n", weights, activations,
              count, smith_exec_text(exec, mask), dst, smith_chance(p, 80) ? dst : "%null.0",
              smith_chance(p, 50) ? "TMP" : "BIG");
}
