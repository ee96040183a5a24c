/* SPDX-License-Identifier: MIT
 *
 * LSC messages. */
#include "memory.h"

#include <stdio.h>

static smith_target pick_target(smith_program *p)
{
    uint32_t kind = p->unit > 0 ? 0 : smith_draw(p, 3);

    if (kind == 1 && p->has_surface)
        return (smith_target){.space = SMITH_OF_SURFACE, .bytes = SMITH_SURFACE};
    if (kind == 2 && p->has_slm)
        return (smith_target){.space = SMITH_OF_SHARED, .bytes = SMITH_SLM};
    return (smith_target){.space = SMITH_FLAT, .bytes = SMITH_WINDOW};
}

static const char *unit_of(const smith_target *t)
{
    return t->space == SMITH_OF_SHARED ? "slm" : "ugm";
}

static smith_exec pick_lanes(smith_program *p)
{
    return smith_pick_exec(p, p->platform == VISAGE_PLATFORM_PVC ? 63 : 31);
}

static void put_access(smith_program *p, smith_exec exec, const smith_target *t,
                       const char *name, bool is_store, const char *data, const char *shape)
{
    char predicate[32], mask[32];

    smith_predicate(p, exec, 30, predicate);
    (void)smith_exec_text(exec, mask);
    if (is_store)
        smith_put(&p->text, "    %slsc_store%s.%s %s %s %s:%s\n", predicate, name, unit_of(t),
                  mask, t->address, data, shape);
    else
        smith_put(&p->text, "    %slsc_load%s.%s %s %s:%s %s\n", predicate, name, unit_of(t),
                  mask, data, shape, t->address);
}

static void put_lsc_vector(smith_program *p)
{
    static const struct {
        const char *name;
        uint32_t bytes, slot;
    } sizes[] = {{"d32", 4, 4},   {"d32", 4, 4},    {"d32", 4, 4},    {"d64", 8, 8},
                 {"d8c32", 1, 4}, {"d16c32", 2, 4}, {"d16c32h", 2, 4}};
    static const uint32_t counts[] = {1, 1, 1, 2, 3, 4};
    smith_target t = pick_target(p);
    bool is_store = smith_chance(p, 50);
    uint32_t size = smith_draw(p, 7 - (is_store ? 1 : 0));
    uint32_t count = counts[smith_draw(p, sizes[size].slot == sizes[size].bytes ? 6 : 1)];
    smith_exec exec = pick_lanes(p);
    char data[32], shape[16];

    while (count * smith_round_up(exec.size * sizes[size].slot, p->grf) > SMITH_MOST_DATA)
        count = 1;
    smith_put_addresses(p, &t, exec.size, count * sizes[size].bytes, 1);
    smith_pick_data(p, count * smith_round_up(exec.size * sizes[size].slot, p->grf), is_store,
                    data);
    if (count > 1)
        (void)snprintf(shape, sizeof shape, "%sx%u", sizes[size].name, count);
    else
        (void)snprintf(shape, sizeof shape, "%s", sizes[size].name);
    put_access(p, exec, &t, "", is_store, data, shape);
}

static void put_lsc_transposed(smith_program *p)
{
    static const uint32_t counts[] = {1, 2, 3, 4, 8, 16, 32, 64};
    smith_target t = pick_target(p);
    bool is_store = smith_chance(p, 50), is_wide = smith_chance(p, 50);
    uint32_t count = counts[smith_draw(p, is_wide ? 7 : 8)];
    uint32_t bytes = count * (is_wide ? 8 : 4);
    smith_exec exec = {.size = 1, .no_mask = smith_chance(p, 70)};
    char data[32], shape[16];

    if (bytes > t.bytes)
        t = (smith_target){.space = SMITH_FLAT, .bytes = SMITH_WINDOW};
    smith_put_addresses(p, &t, 1, bytes, 1);
    smith_pick_data(p, bytes, is_store, data);
    (void)snprintf(shape, sizeof shape, "%sx%ut", is_wide ? "d64" : "d32", count);
    put_access(p, exec, &t, "", is_store, data, shape);
}

static void put_lsc_quad(smith_program *p)
{
    static const char *const channels[] = {"x", "y", "xy", "xz", "xyz", "yw", "w", "xyzw"};
    static const uint32_t counts[] = {1, 1, 2, 2, 3, 2, 1, 4};
    smith_target t = pick_target(p);
    bool is_store = smith_chance(p, 50);
    smith_exec exec = pick_lanes(p);
    uint32_t which = smith_draw(p, 8);
    char data[32], shape[16];

    if (counts[which] * smith_round_up(exec.size * 4, p->grf) > SMITH_MOST_DATA)
        which = 0;
    smith_put_addresses(p, &t, exec.size, 16, 1);
    smith_pick_data(p, counts[which] * smith_round_up(exec.size * 4, p->grf), is_store, data);
    (void)snprintf(shape, sizeof shape, "d32.%s", channels[which]);
    put_access(p, exec, &t, "_quad", is_store, data, shape);
}

/* Blocks of a surface of 64 bytes and some rows at the thread's window; also beyond its edges.
 */
static void put_lsc_block2d(smith_program *p)
{
    uint32_t size = 1u << smith_draw(p, 4), width = (16u >> smith_draw(p, 2)) / size;
    uint32_t height = 1 + smith_draw(p, 8), blocks = 1, bytes;
    bool is_store = smith_chance(p, 40);
    uint32_t way = is_store ? 0 : smith_draw(p, 4); /* transposed, VNNI, several */
    char data[32], predicate[32], shape[32];

    if ((way == 1 && size != 4) || (way == 2 && size > 2))
        way = 0;
    width = width ? width : 1;
    if (way == 3)
        blocks = 2;
    bytes = smith_round_up(width * size, 4) * smith_round_up(height, 8) * 2;
    smith_put(&p->text,
              "    add (M1_NM, 1) ATL(0,0)<1> MBL(0,0)<0;1,0> 0x%x:ud\n"
              "    mov (M1_NM, 1) ATL(0,1)<1> MBL(0,1)<0;1,0>\n",
              (uint32_t)SMITH_WINDOW);
    smith_pick_data(p, blocks * smith_round_up(bytes, p->grf), is_store, data);
    smith_predicate(p, (smith_exec){1, 0, true}, 15, predicate);
    (void)snprintf(shape, sizeof shape, "d%u.%s%ux%u%s", size * 8, blocks > 1 ? "2x" : "",
                   width, height,
                   way == 1   ? "tn"
                   : way == 2 ? "nt"
                              : "nn");
    smith_put(&p->text, "    %slsc_%s_block2d.ugm (M1_NM, 1) ", predicate,
              is_store ? "store" : "load");
    if (!is_store)
        smith_put(&p->text, "%s:%s ", data, shape);
    smith_put(&p->text, "flat[ATQ,0x3f,0x%x,0x3f,0x%x,0x%x]", 7 + smith_draw(p, 16),
              smith_draw(p, 8), smith_draw(p, 8));
    if (is_store)
        smith_put(&p->text, " %s:%s", data, shape);
    smith_put(&p->text, "\n");
}

/* One address, and the others at a pitch from it. */
static void put_lsc_strided(smith_program *p)
{
    bool is_store = smith_chance(p, 50);
    smith_exec exec = pick_lanes(p);
    uint32_t pitch = smith_draw(p, 9) * 4;
    smith_target t = {.space = SMITH_FLAT, .bytes = SMITH_WINDOW};
    char data[32];

    smith_put(&p->text,
              "    add (M1_NM, 1) ATL(0,0)<1> MBL(0,0)<0;1,0> 0x%x:ud\n"
              "    mov (M1_NM, 1) ATL(0,1)<1> MBL(0,1)<0;1,0>\n",
              SMITH_WINDOW + smith_draw(p, 64) * 4);
    smith_pick_data(p, smith_round_up(exec.size * 4, p->grf), is_store, data);
    if (pitch)
        (void)snprintf(t.address, sizeof t.address, "flat[ATQ,0x%x]:a64", pitch);
    else
        (void)snprintf(t.address, sizeof t.address, "flat[ATQ]:a64");
    put_access(p, exec, &t, "_strided", is_store, data, "d32");
}

/* What all threads may do to a place in any order; more, and what they need. */
static const char *const commuting[] = {"iadd", "isub", "umin", "umax", "smin",
                                        "smax", "and",  "or",   "xor"};
static const struct {
    const char *name;
    uint32_t sources;
} others[] = {{"iinc", 0}, {"idec", 0}, {"load", 0}, {"store", 1}, {"icas", 2}};

/* The operands that an atomic operation has, else null. */
static void put_lsc_atomic(smith_program *p)
{
    bool is_shared = p->unit == 0 && smith_chance(p, 25);
    smith_target t =
        is_shared ? (smith_target){.space = SMITH_FLAT, .bytes = 1024} : pick_target(p);
    smith_exec exec = pick_lanes(p);
    uint32_t size = smith_chance(p, 25) && exec.size <= 16 ? 8 : 4, sources = 1;
    uint32_t bytes = smith_round_up(exec.size * size, p->grf);
    char result[32] = "%null", data[2][32] = {"%null", "%null"}, predicate[32], mask[32];
    const char *name = commuting[smith_draw(p, 9)];

    if (!is_shared && smith_chance(p, 40)) {
        uint32_t which = smith_draw(p, 5);
        name = others[which].name;
        sources = others[which].sources;
    }
    if (is_shared)
        smith_put(&p->text, "    mov (M1_NM, 2) MBL(0,0)<1> MEML(0,0)<1;1,0>\n");
    smith_put_addresses(p, &t, exec.size, size, size);
    for (uint32_t i = 0; i < sources; i++)
        smith_pick_data(p, bytes, true, data[i]);
    if (!is_shared && smith_chance(p, 70))
        smith_pick_data(p, bytes, false, result);
    smith_predicate(p, exec, 30, predicate);
    smith_put(&p->text, "    %slsc_atomic_%s.%s %s %s:d%u %s %s %s\n", predicate, name,
              unit_of(&t), smith_exec_text(exec, mask), result, size * 8, t.address, data[0],
              data[1]);
    if (is_shared)
        smith_put(&p->text, "    mov (M1_NM, 2) MBL(0,0)<1> SPL(0,0)<1;1,0>\n");
}

void smith_put_lsc(smith_program *p)
{
    static void (*const makers[])(smith_program *) = {
        put_lsc_vector, put_lsc_vector,  put_lsc_vector, put_lsc_transposed,
        put_lsc_quad,   put_lsc_strided, put_lsc_atomic, put_lsc_block2d};
    makers[smith_draw(p, p->platform == VISAGE_PLATFORM_PVC ? 8 : 7)](p);
}
