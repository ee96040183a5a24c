/* SPDX-License-Identifier: MIT
 *
 * Variables of a unit: what chance may choose as operands, what fills them, what leaves them in
 * memory at the end. */
#include "smith.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 128, INTEGER_ROOTS = 3, LARGE = 256 };

/* ---- declarations ----------------------------------------------------------------------- */

static smith_variable *add(smith_program *p, const char *name, visage_type type, uint32_t count)
{
    smith_variable *v = &p->variables[p->num_variables];

    *v = (smith_variable){.type = type,
                          .bytes = count * vsg_isa_type(type)->bytes,
                          .root = (uint16_t)p->num_variables++};
    (void)snprintf(v->name, sizeof v->name, "%s", name);
    return v;
}

smith_variable *smith_declare(smith_program *p, const char *name, visage_type type,
                              uint32_t count, const char *align)
{
    smith_variable *v = add(p, name, type, count);

    v->align = strcmp(align, "GRF") == 0 ? p->grf : vsg_isa_type(type)->bytes;
    smith_put(&p->declarations, ".decl %s v_type=G type=%s num_elts=%u%s%s\n", name,
              vsg_isa_type(type)->text, count, *align ? " align=" : "", align);
    return v;
}

static uint32_t lowest_bit(uint32_t value)
{
    return value & (0 - value);
}

smith_variable *smith_declare_alias(smith_program *p, const char *name, visage_type type,
                                    uint32_t count, const char *root, uint32_t offset)
{
    const smith_variable *of = smith_find(p, root);
    smith_variable *v = add(p, name, type, count);

    if (of) {
        v->root = of->root;
        v->align = offset && lowest_bit(offset) < of->align ? lowest_bit(offset) : of->align;
    }
    smith_put(&p->declarations, ".decl %s v_type=G type=%s num_elts=%u alias=<%s, %u>\n", name,
              vsg_isa_type(type)->text, count, root, offset);
    return v;
}

/* ---- what chance may choose ------------------------------------------------------------- */

static const visage_type integers[] = {VISAGE_TYPE_D,  VISAGE_TYPE_UD, VISAGE_TYPE_W,
                                       VISAGE_TYPE_UW, VISAGE_TYPE_B,  VISAGE_TYPE_UB,
                                       VISAGE_TYPE_Q,  VISAGE_TYPE_UQ};
enum { INTEGERS = sizeof integers / sizeof *integers };

static visage_type pick_integer(smith_program *p)
{
    return integers[smith_draw(p, smith_chance(p, 60) ? 2 : INTEGERS)];
}

static uint32_t count_of(visage_type type, uint32_t bytes)
{
    return bytes / vsg_isa_type(type)->bytes;
}

/* Every type is that of some variable; some begin within another one. */
static void declare_integers(smith_program *p)
{
    char name[16], root[16];

    for (uint32_t i = 0; i < INTEGER_ROOTS; i++) {
        visage_type type = i == 0 ? VISAGE_TYPE_D : pick_integer(p);
        uint32_t bytes = smith_chance(p, 25) ? LARGE : BLOCK;
        (void)snprintf(name, sizeof name, "R%u", i);
        smith_declare(p, name, type, count_of(type, bytes), "GRF")->kept = true;
    }
    for (uint32_t i = 0; i < INTEGERS + 4; i++) {
        visage_type type = i < INTEGERS ? integers[i] : pick_integer(p);
        uint32_t number = smith_draw(p, INTEGER_ROOTS), offset = 0;
        (void)snprintf(root, sizeof root, "R%u", number);
        (void)snprintf(name, sizeof name, "X%u", i);
        const smith_variable *of = smith_find(p, root);
        if (i >= INTEGERS)
            offset = smith_draw(p, of->bytes / 8 - 1) * 8;
        (void)smith_declare_alias(p, name, type, count_of(type, of->bytes - offset), root,
                                  offset);
    }
    smith_declare(p, "SC", VISAGE_TYPE_UD, 32, "GRF")->kept = true;
    for (uint32_t i = 0; i < INTEGERS; i++) {
        (void)snprintf(name, sizeof name, "S%u", i);
        (void)smith_declare_alias(p, name, integers[i], 1, "SC", i * 8 + 32);
    }
}

static void declare_floats_of(smith_program *p, char letter, visage_type type, uint32_t roots)
{
    char name[16];

    for (uint32_t i = 0; i < roots; i++) {
        (void)snprintf(name, sizeof name, "%c%u", letter, i);
        bool is_large = i == 0 && smith_chance(p, 30);
        smith_variable *v =
            smith_declare(p, name, type, count_of(type, is_large ? LARGE : BLOCK), "GRF");
        v->floats = v->kept = true;
    }
    (void)snprintf(name, sizeof name, "%cV", letter);
    smith_declare_alias(p, name, type, count_of(type, BLOCK), "R1", 0)->locked = true;
}

static void declare_floats(smith_program *p)
{
    declare_floats_of(p, 'F', VISAGE_TYPE_F, 1 + smith_draw(p, 2));
    declare_floats_of(p, 'H', VISAGE_TYPE_HF, 1);
    declare_floats_of(p, 'D', VISAGE_TYPE_DF, 1);
    if (p->platform >= VISAGE_PLATFORM_XEHP && smith_chance(p, 50))
        declare_floats_of(p, 'B', VISAGE_TYPE_BF, 1);
}

/* What instructions of our own need. */
static void declare_helpers(smith_program *p)
{
    smith_declare(p, "LANE", VISAGE_TYPE_UW, 64, "GRF")->locked = true;
    smith_declare(p, "IDXS", VISAGE_TYPE_UW, 64, "GRF")->locked = true;
    smith_declare(p, "IDX", VISAGE_TYPE_UW, 64, "GRF")->locked = true;
    smith_declare(p, "TMP", VISAGE_TYPE_D, 64, "GRF")->locked = true;
    smith_declare_alias(p, "TMPW", VISAGE_TYPE_W, 128, "TMP", 0)->locked = true;
    smith_declare(p, "OFF", VISAGE_TYPE_UD, 32, "GRF")->locked = true;
    smith_declare(p, "ADR", VISAGE_TYPE_UQ, 32, "GRF")->hidden = true;
    smith_declare_alias(p, "ADRL", VISAGE_TYPE_UD, 64, "ADR", 0)->hidden = true;
    smith_declare(p, "ATQ", VISAGE_TYPE_UQ, 1, "qword")->hidden = true;
    smith_declare_alias(p, "ATL", VISAGE_TYPE_UD, 2, "ATQ", 0)->hidden = true;
    smith_declare(p, "MB", VISAGE_TYPE_UQ, 1, "qword")->hidden = true;
    smith_declare_alias(p, "MBL", VISAGE_TYPE_UD, 2, "MB", 0)->hidden = true;
    smith_declare(p, "TH", VISAGE_TYPE_UD, 4, "")->locked = true;
    smith_declare(p, "SW", VISAGE_TYPE_UB, 4, "")->locked = true;
    smith_declare(p, "FQ", VISAGE_TYPE_UQ, 1, "qword")->hidden = true;
    smith_declare_alias(p, "FL", VISAGE_TYPE_UD, 2, "FQ", 0)->hidden = true;
    smith_declare_alias(p, "ARGD", VISAGE_TYPE_D, 32, "%arg", 0)->hidden = true;
    smith_declare_alias(p, "ARGF", VISAGE_TYPE_F, 32, "%arg", 128)->hidden = true;
    smith_declare_alias(p, "ARGN", VISAGE_TYPE_UD, 1, "%arg", 256)->hidden = true;
    smith_declare(p, "DEPTH", VISAGE_TYPE_UD, 1, "")->hidden = true;
    smith_declare_alias(p, "RETD", VISAGE_TYPE_D, 32, "%retval", 0)->hidden = true;
    smith_put(&p->declarations, ".decl SPL v_type=G type=ud num_elts=2 alias=<%%sp, 0>\n"
                                ".decl A0 v_type=A num_elts=16\n"
                                ".decl A1 v_type=A num_elts=4\n");
}

static void declare_predicates(smith_program *p)
{
    for (uint32_t i = 1; i <= SMITH_PREDICATES; i++) {
        p->predicates[i] = i < 3 || i == SMITH_PASSING || smith_chance(p, 40) ? 32 : p->simd;
        smith_put(&p->declarations, ".decl P%u v_type=P num_elts=%u\n", i, p->predicates[i]);
    }
}

static void predefine(smith_program *p, const char *name, visage_type type, uint32_t count)
{
    smith_variable *v = add(p, name, type, count);

    v->align = vsg_isa_type(type)->bytes;
    v->locked = true;
}

/* What a thread is given: user's arguments before implicit ones. */
static void declare_inputs(smith_program *p)
{
    smith_text *to = &p->declarations;
    uint32_t grf = p->grf;

    smith_put(to, ".input MEM offset=%u size=8\n.input OUT offset=%u size=8\n", grf, grf + 8);
    smith_declare(p, "ARG", VISAGE_TYPE_D, 1, "")->locked = true;
    smith_declare(p, "LSIZE", VISAGE_TYPE_UD, 3, "")->locked = true;
    smith_declare(p, "COUNT", VISAGE_TYPE_UD, 3, "")->locked = true;
    smith_put(to, ".input ARG offset=%u size=4\n", grf + 28);
    if (p->has_surface)
        smith_put(to,
                  ".decl T6 v_type=T num_elts=1 v_name=T6\n"
                  ".decl T7 v_type=T num_elts=1 v_name=T7\n"
                  ".input T6 offset=%u size=4\n",
                  grf + 24);
    smith_put(to,
              ".implicit_LOCAL_ID ID offset=%u size=6\n"
              ".implicit_LOCAL_SIZE LSIZE offset=%u size=12\n"
              ".implicit_GROUP_COUNT COUNT offset=%u size=12\n",
              grf + 16, 2 * grf, 2 * grf + 12);
    predefine(p, "%group_id_x", VISAGE_TYPE_UD, 1);
    predefine(p, "%r0", VISAGE_TYPE_UD, 8);
}

void smith_declare_unit(smith_program *p)
{
    p->num_variables = 0;
    declare_helpers(p);
    declare_integers(p);
    declare_floats(p);
    declare_predicates(p);
    if (p->unit == 0) {
        smith_declare(p, "MEM", VISAGE_TYPE_UQ, 1, "qword")->hidden = true;
        smith_declare_alias(p, "MEML", VISAGE_TYPE_UD, 2, "MEM", 0)->hidden = true;
        smith_declare(p, "OUT", VISAGE_TYPE_UQ, 1, "qword")->hidden = true;
        smith_declare_alias(p, "OUTL", VISAGE_TYPE_UD, 2, "OUT", 0)->hidden = true;
        smith_declare(p, "ID", VISAGE_TYPE_UW, 3, "")->locked = true;
        smith_declare(p, "SB", VISAGE_TYPE_UD, 2, "")->hidden = true;
        smith_declare(p, "BT", VISAGE_TYPE_UD, 1, "")->hidden = true;
        smith_declare(p, "PV", VISAGE_TYPE_UD, 32, "GRF")->kept = true;
        declare_inputs(p);
    }
}

/* ---- start and end ---------------------------------------------------------------------- */

void smith_put_block(smith_program *p, bool is_store, const char *base, uint32_t offset,
                     const char *name, uint32_t at, uint32_t bytes)
{
    if (p->platform >= VISAGE_PLATFORM_DG2) {
        if (is_store)
            smith_put(&p->text,
                      "    lsc_store.ugm (M1_NM, 1) flat[%s+0x%x]:a64 %s.%u:d64x%ut\n", base,
                      offset, name, at, bytes / 8);
        else
            smith_put(&p->text, "    lsc_load.ugm (M1_NM, 1) %s.%u:d64x%ut flat[%s+0x%x]:a64\n",
                      name, at, bytes / 8, base, offset);
        return;
    }
    for (uint32_t i = 0; i < bytes; i += BLOCK) {
        smith_put(&p->text, "    add (M1_NM, 1) ATL(0,0)<1> %sL(0,0)<0;1,0> 0x%x:ud\n", base,
                  offset + i);
        if (i == 0)
            smith_put(&p->text, "    mov (M1_NM, 1) ATL(0,1)<1> %sL(0,1)<0;1,0>\n", base);
        smith_put(&p->text, "    svm_block_%s (8) ATQ(0,0)<0;1,0> %s.%u\n",
                  is_store ? "st" : "ld", name, at + i);
    }
}

static void put_lanes(smith_program *p)
{
    char a[32];
    const smith_variable *lane = smith_find(p, "LANE");

    smith_put(&p->text, "    mov (M1_NM, 8) LANE(0,0)<1> 0x76543210:uv\n");
    for (uint32_t i = 8; i < 32; i *= 2)
        smith_put(&p->text, "    add (M1_NM, %u) %s<1> LANE(0,0)<1;1,0> 0x%x:uw\n", i,
                  smith_element(p, lane, i, a), i);
}

/* Where the thread's own memory is; its number among all threads goes to TH. */
static void put_place(smith_program *p)
{
    uint32_t shift = p->simd == 8 ? 3 : p->simd == 16 ? 4 : 5;

    if (p->unit) {
        smith_put(&p->text, "    mov (M1_NM, 2) MBL(0,0)<1> SPL(0,0)<1;1,0>\n"
                            "    mov (M1_NM, 1) DEPTH(0,0)<1> ARGN(0,0)<0;1,0>\n");
        return;
    }
    smith_put(&p->text,
              "    shr (M1_NM, 1) TH(0,1)<1> ID(0,0)<0;1,0> 0x%x:uw\n"
              "    mul (M1_NM, 1) TH(0,0)<1> %%r0(0,1)<0;1,0> 0x%x:uw\n"
              "    add (M1_NM, 1) TH(0,0)<1> TH(0,0)<0;1,0> TH(0,1)<0;1,0>\n"
              "    mul (M1_NM, 1) TH(0,2)<1> TH(0,0)<0;1,0> 0x%x:uw\n"
              "    add (M1_NM, 1) TH(0,2)<1> TH(0,2)<0;1,0> 0x%x:ud\n"
              "    add (M1_NM, 1) MBL(0,0)<1> MEML(0,0)<0;1,0> TH(0,2)<0;1,0>\n"
              "    mov (M1_NM, 1) MBL(0,1)<1> MEML(0,1)<0;1,0>\n"
              "    mov (M1_NM, 2) SPL(0,0)<1> MBL(0,0)<1;1,0>\n",
              shift, (p->local + p->simd - 1) / p->simd, SMITH_MEMORY, SMITH_SHARED);
}

/* Floats from small integers, so that sums and products mean something. */
static void put_floats(smith_program *p, const smith_variable *v, uint32_t at)
{
    static const char *const scales[] = {"0x3f800000:f", "0x3a000000:f", "0x35800000:f",
                                         "0x42280000:f"};
    uint32_t count = v->bytes / vsg_isa_type(v->type)->bytes;
    uint32_t each = count < 32 ? count : 32;
    char a[32];

    smith_put_block(p, false, "MB", at, "TMP", 0, LARGE);
    if (v->type == VISAGE_TYPE_BF)
        return;
    for (uint32_t i = 0; i < count; i += each)
        smith_put(&p->text, "    mov (M1_NM, %u) %s<1> TMPW(0,%u)<1;1,0>\n", each,
                  smith_element(p, v, i, a), smith_draw(p, 8));
    for (uint32_t i = 0; i < count && v->type == VISAGE_TYPE_F; i += each)
        smith_put(&p->text, "    mul (M1_NM, %u) %s<1> %s<1;1,0> %s\n", each,
                  smith_element(p, v, i, a), a, scales[smith_draw(p, 4)]);
}

static void put_values(smith_program *p)
{
    uint32_t at = 0;

    for (uint32_t i = 0; i < p->num_variables; i++) {
        const smith_variable *v = &p->variables[i];
        if (!v->kept || smith_chance(p, 10))
            continue; /* zeros */
        at = at + LARGE <= SMITH_MEMORY - LARGE ? at + 64 : 0;
        if (v->floats)
            put_floats(p, v, at);
        else
            smith_put_block(p, false, "MB", at, v->name, 0, v->bytes);
    }
    smith_put_block(p, false, "MB", 0, "IDXS", 0, BLOCK);
    for (uint32_t i = 1; i < SMITH_PREDICATES; i++)
        smith_put(&p->text, "    setp (M1_NM, %u) P%u 0x%x:ud\n", p->predicates[i], i,
                  (uint32_t)smith_next(&p->state));
}

void smith_put_start(smith_program *p)
{
    put_lanes(p);
    put_place(p);
    put_values(p);
    if (p->unit == 0)
        smith_put_shared_start(p);
}

void smith_put_dump(smith_program *p)
{
    uint32_t at = 0;

    p->dump_bytes = 0;
    for (uint32_t i = 0; i < p->num_variables; i++)
        p->dump_bytes += p->variables[i].kept ? p->variables[i].bytes : 0;
    for (uint32_t i = 1; i < SMITH_PREDICATES; i++)
        smith_put(&p->text, "    mov (M1_NM, 1) PV(0,%u)<1> P%u\n", i, i);
    smith_put(&p->text,
              "    mul (M1_NM, 1) TH(0,2)<1> TH(0,0)<0;1,0> 0x%x:uw\n"
              "    add (M1_NM, 1) OUTL(0,0)<1> OUTL(0,0)<0;1,0> TH(0,2)<0;1,0>\n",
              p->dump_bytes);
    for (uint32_t i = 0; i < p->num_variables; i++) {
        const smith_variable *v = &p->variables[i];
        if (!v->kept)
            continue;
        if (v->floats)
            smith_put(&p->head, "// floats %s at %u, %u bytes\n", vsg_isa_type(v->type)->text,
                      at, v->bytes);
        smith_put_block(p, true, "OUT", at, v->name, 0, v->bytes);
        at += v->bytes;
    }
}
