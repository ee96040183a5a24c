/* SPDX-License-Identifier: MIT
 *
 * Messages to memory. Each thread has a window of its own in the buffer, in the surface and in
 * shared local memory, so that the order of threads cannot be seen; what all threads reach they
 * change by atomics that commute and return nothing. */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- addresses -------------------------------------------------------------------------- */

/* Accesses in a row, of which the last ones may reach over the end of the memory: there is one
 * thread, whose window ends where the memory does. */
static void put_edge(smith_program *p, uint32_t count, uint32_t bytes, uint32_t window)
{
    uint32_t end = window == SMITH_SLM ? 1024 : window; /* SLMSize=1 */

    smith_put(&p->text, "    mul (M1_NM, %u) OFF(0,0)<1> LANE(0,0)<1;1,0> 0x%x:uw\n", count,
              bytes);
    smith_put(&p->text, "    add (M1_NM, %u) OFF(0,0)<1> OFF(0,0)<1;1,0> 0x%x:ud\n", count,
              end - count * bytes + smith_draw(p, bytes + 1));
}

void smith_put_offsets(smith_program *p, uint32_t count, uint32_t bytes, uint32_t window)
{
    static const uint32_t strides[] = {4, 4, 8, 16, 1, 2, 12};
    uint32_t room = window - bytes, stride = bytes, mask = 1;
    const char *what = "LANE(0,0)<1;1,0>";

    if (p->faults && p->local <= p->simd && p->groups == 1 && smith_chance(p, 20)) {
        put_edge(p, count, bytes, window);
        return;
    }
    if (smith_chance(p, 4) && p->faults) {
        smith_put(&p->text, "    mov (M1_NM, %u) OFF(0,0)<1> X1(0,0)<1;1,0>\n", count);
        return;
    }
    switch (smith_draw(p, 8)) {
    case 0: /* all the same */
        smith_put(&p->text, "    mov (M1_NM, %u) OFF(0,0)<1> 0x%x:ud\n", count,
                  smith_draw(p, room / 4 + 1) * 4);
        return;
    case 1: /* anywhere */
    case 2:
        while (mask * 2 <= room + 1)
            mask *= 2;
        mask = (mask - 1) & ~((smith_chance(p, 85) ? smith_lowest(bytes, 4) : 1) - 1);
        smith_put(&p->text, "    and (M1_NM, %u) OFF(0,0)<1> X1(0,0)<1;1,0> 0x%x:ud\n", count,
                  mask);
        return;
    case 3:
        stride = strides[smith_draw(p, 7)];
        break;
    default:
        break;
    }
    while (stride * (count - 1) > room)
        stride /= 2;
    room -= stride * (count - 1);
    smith_put(&p->text, "    mul (M1_NM, %u) OFF(0,0)<1> %s 0x%x:uw\n", count, what, stride);
    if (room >= 8)
        smith_put(&p->text, "    add (M1_NM, %u) OFF(0,0)<1> OFF(0,0)<1;1,0> 0x%x:ud\n", count,
                  smith_draw(p, room / 4 + 1) * 4);
}

/* 64-bit addresses of OFF in ADR: the halves apart, since not all platforms add qwords. The
 * buffer lies within 4 GiB. */
static void put_wide(smith_program *p, uint32_t count)
{
    smith_put(&p->text, "    add (M1_NM, %u) OFF(0,0)<1> OFF(0,0)<1;1,0> 0x%x:ud\n", count,
              SMITH_WINDOW);
    smith_put(&p->text, "    add (M1_NM, %u) ADRL(0,0)<2> OFF(0,0)<1;1,0> MBL(0,0)<0;1,0>\n",
              count);
    smith_put(&p->text, "    mov (M1_NM, %u) ADRL(0,1)<2> MBL(0,1)<0;1,0>\n", count);
}

void smith_put_narrow(smith_program *p, const smith_target *t, uint32_t count)
{
    smith_put(&p->text, "    add (M1_NM, %u) OFF(0,0)<1> OFF(0,0)<1;1,0> SB(0,%u)<0;1,0>\n",
              count, t->space == SMITH_OF_SHARED);
}

/* Part of the address goes into the message: an offset, and where all are multiples, a scale.
 */
static void put_lsc_address(smith_program *p, smith_target *t, uint32_t count, bool by_dwords)
{
    const char *where = t->space == SMITH_OF_SURFACE ? "bti(BT)" : "flat";
    bool is_flat = t->space == SMITH_FLAT;
    const char *name = is_flat ? "ADR" : "OFF", *low = is_flat ? "ADRL(0,0)<2>" : "OFF(0,0)<1>";
    const char *source = is_flat ? "ADRL(0,0)<2;1,0>" : "OFF(0,0)<1;1,0>";
    int offset = smith_chance(p, 30) ? (int)smith_draw(p, 32) * 8 - 128 : 0;
    char scale[8] = "", plus[16] = "";

    if (offset) {
        smith_put(&p->text, "    add (M1_NM, %u) %s %s 0x%x:d\n", count, low, source,
                  (uint32_t)-offset);
        (void)snprintf(plus, sizeof plus, "%c0x%x", offset < 0 ? '-' : '+',
                       (uint32_t)abs(offset));
    }
    if (by_dwords && !is_flat && smith_chance(p, 40)) {
        smith_put(&p->text, "    asr (M1_NM, %u) OFF(0,0)<1> OFF(0,0)<1;1,0> 0x2:uw\n", count);
        (void)snprintf(scale, sizeof scale, "0x4*");
    }
    (void)snprintf(t->address, sizeof t->address, "%s[%s%s%s]:%s", where, scale, name, plus,
                   is_flat ? "a64" : "a32");
}

void smith_put_addresses(smith_program *p, smith_target *t, uint32_t count, uint32_t bytes,
                         uint32_t align)
{
    if (align < 4 && smith_chance(p, 50))
        align = 4;
    smith_put_offsets(p, count, bytes, t->bytes);
    if (align > 1)
        smith_put(&p->text, "    and (M1_NM, %u) OFF(0,0)<1> OFF(0,0)<1;1,0> 0x%x:ud\n", count,
                  0u - align);
    if (t->space == SMITH_FLAT)
        put_wide(p, count);
    else
        smith_put_narrow(p, t, count);
    if (t->space == SMITH_OF_SURFACE)
        smith_put(&p->text, "    movs (M1_NM, 1) BT(0,0)<1> T6(0)\n");
    put_lsc_address(p, t, count, align > 1);
}

static void put_plain_addresses(smith_program *p, uint32_t count, uint32_t bytes)
{
    smith_put_offsets(p, count, bytes, SMITH_WINDOW);
    put_wide(p, count);
}

/* ---- data ------------------------------------------------------------------------------- */

void smith_pick_data(smith_program *p, uint32_t bytes, bool is_source, char text[32])
{
    uint32_t first = smith_draw(p, p->num_variables);

    for (uint32_t i = 0; i < p->num_variables; i++) {
        const smith_variable *v = &p->variables[(first + i) % p->num_variables];
        if (!v->kept || v->bytes < bytes || (is_source && v->floats))
            continue;
        uint32_t rows = (v->bytes - bytes) / p->grf + 1;
        (void)snprintf(text, 32, "%s.%u", v->name, smith_draw(p, rows) * p->grf);
        return;
    }
    if (!smith_find(p, "BIG"))
        smith_declare(p, "BIG", VISAGE_TYPE_UD, SMITH_MOST_DATA / 4, "GRF")->kept =
            p->unit == 0;
    (void)snprintf(text, 32, "BIG.0");
}

/* ---- messages by addresses -------------------------------------------------------------- */

static smith_exec pick_sizes(smith_program *p, visage_op op)
{
    const vsg_isa_op_info *info = vsg_isa_op(op);
    uint32_t sizes = p->grf == 64 && info->wide_sizes ? info->wide_sizes : info->sizes;

    return smith_pick_exec(p, sizes ? sizes : 63);
}

static void put_svm_block(smith_program *p)
{
    uint32_t owords = 1u << smith_draw(p, 4),
             offset = smith_draw(p, (SMITH_WINDOW - 128) / 16) * 16;
    bool is_store = smith_chance(p, 50);
    char data[32];

    smith_put(&p->text,
              "    add (M1_NM, 1) ATL(0,0)<1> MBL(0,0)<0;1,0> 0x%x:ud\n"
              "    mov (M1_NM, 1) ATL(0,1)<1> MBL(0,1)<0;1,0>\n",
              SMITH_WINDOW + offset);
    smith_pick_data(p, owords * 16, is_store, data);
    smith_put(&p->text, "    svm_block_%s (%u) ATQ(0,0)<0;1,0> %s\n", is_store ? "st" : "ld",
              owords, data);
}

static void put_svm_gather(smith_program *p)
{
    static const uint32_t sizes[] = {1, 4, 4, 8};
    bool is_store = smith_chance(p, 50);
    smith_exec exec = pick_sizes(p, VISAGE_OP_SVM_GATHER);
    uint32_t size = sizes[smith_draw(p, 4)], count = 1u << smith_draw(p, 3);
    uint32_t slots = size == 1 ? 4 : size * count;
    char data[32], predicate[32], mask[32];

    if (exec.size == 0 || slots * exec.size > SMITH_MOST_DATA)
        return;
    put_plain_addresses(p, exec.size, size * count);
    smith_pick_data(p, slots * exec.size, is_store, data);
    smith_predicate(p, exec, 30, predicate);
    smith_put(&p->text, "    %ssvm_%s.%u.%u %s ADR.0 %s\n", predicate,
              is_store ? "scatter" : "gather", size, count, smith_exec_text(exec, mask), data);
}

static void put_svm_atomic(smith_program *p)
{
    static const char *const names[] = {"add", "sub",  "and",  "or",   "xor", "min",
                                        "max", "imin", "imax", "xchg", "inc", "cmpxchg"};
    smith_exec exec = pick_sizes(p, VISAGE_OP_SVM_ATOMIC);
    uint32_t kind = smith_draw(p, 12);
    char result[32] = "%null.0", first[32], second[32] = "%null.0", predicate[32], mask[32];

    if (exec.size == 0)
        return;
    put_plain_addresses(p, exec.size, 4);
    smith_put(&p->text, "    and (M1_NM, %u) ADRL(0,0)<2> ADRL(0,0)<2;1,0> 0xfffffffc:ud\n",
              exec.size);
    smith_pick_data(p, exec.size * 4, true, first);
    if (smith_chance(p, 70))
        smith_pick_data(p, exec.size * 4, false, result);
    if (kind == 11)
        smith_pick_data(p, exec.size * 4, true, second);
    smith_predicate(p, exec, 30, predicate);
    smith_put(&p->text, "    %ssvm_atomic.%s %s ADR.0 %s %s %s\n", predicate, names[kind],
              smith_exec_text(exec, mask), result, kind == 10 ? "%null.0" : first, second);
}

static void put_svm_quad(smith_program *p)
{
    static const char *const channels[] = {"R", "B", "RG", "RA", "GBA", "RGBA"};
    static const uint32_t counts[] = {1, 1, 2, 2, 3, 4};
    bool is_store = smith_chance(p, 50);
    smith_exec exec = pick_sizes(p, VISAGE_OP_SVM_GATHER4_SCALED);
    uint32_t which = smith_draw(p, 6);
    char data[32], predicate[32], mask[32];

    if (exec.size == 0)
        return;
    smith_put_offsets(p, exec.size, 16, SMITH_WINDOW);
    smith_put(&p->text,
              "    add (M1_NM, 1) ATL(0,0)<1> MBL(0,0)<0;1,0> 0x%x:ud\n"
              "    mov (M1_NM, 1) ATL(0,1)<1> MBL(0,1)<0;1,0>\n",
              (uint32_t)SMITH_WINDOW);
    smith_put(&p->text,
              "    mov (M1_NM, %u) ADRL(0,0)<2> OFF(0,0)<1;1,0>\n"
              "    mov (M1_NM, %u) ADRL(0,1)<2> 0x0:ud\n",
              exec.size, exec.size);
    smith_pick_data(p, counts[which] * smith_round_up(exec.size * 4, p->grf), is_store, data);
    smith_predicate(p, exec, 30, predicate);
    smith_put(&p->text, "    %ssvm_%s4scaled.%s %s ATQ(0,0)<0;1,0> ADR.0 %s\n", predicate,
              is_store ? "scatter" : "gather", channels[which], smith_exec_text(exec, mask),
              data);
}

/* ---- messages to surfaces --------------------------------------------------------------- */

static const char *surface_of(smith_program *p, const smith_target *t)
{
    if (t->space == SMITH_OF_SHARED)
        return "%slm";
    if (smith_chance(p, 30)) {
        smith_put(&p->text, "    movs (M1_NM, 1) T7(0) T6(0)\n");
        return "T7";
    }
    return "T6";
}

static bool pick_surface(smith_program *p, smith_target *t)
{
    if (p->unit > 0 || !(p->has_surface || p->has_slm))
        return false;
    bool is_shared = p->has_slm && (!p->has_surface || smith_chance(p, 40));
    *t = is_shared ? (smith_target){.space = SMITH_OF_SHARED, .bytes = SMITH_SLM}
                   : (smith_target){.space = SMITH_OF_SURFACE, .bytes = SMITH_SURFACE};
    return true;
}

/* Both kinds of scaled messages. */
static void put_scaled(smith_program *p)
{
    static const char *const channels[] = {"R", "G", "RG", "RB", "RGB", "GA", "A", "RGBA"};
    static const uint32_t counts[] = {1, 1, 2, 2, 3, 2, 1, 4};
    static const uint32_t sizes[] = {1, 2, 4, 4};
    bool is_quad = smith_chance(p, 50), is_store = smith_chance(p, 50);
    smith_exec exec =
        pick_sizes(p, is_quad ? VISAGE_OP_GATHER4_SCALED : VISAGE_OP_GATHER_SCALED);
    uint32_t which = smith_draw(p, 8), size = sizes[smith_draw(p, 4)];
    char data[32], predicate[32], mask[32];
    smith_target t;

    if (exec.size == 0 || exec.size > 16 || !pick_surface(p, &t))
        return;
    smith_put_offsets(p, exec.size, is_quad ? 16 : size, t.bytes);
    if (smith_chance(p, 50))
        smith_put(&p->text, "    and (M1_NM, %u) OFF(0,0)<1> OFF(0,0)<1;1,0> 0xfffffffc:ud\n",
                  exec.size);
    smith_pick_data(p,
                    is_quad ? counts[which] * smith_round_up(exec.size * 4, p->grf)
                            : smith_round_up(exec.size * 4, p->grf),
                    is_store, data);
    const char *surface = surface_of(p, &t);
    smith_predicate(p, exec, 30, predicate);
    smith_put(&p->text, "    %s%s%s_scaled.", predicate, is_store ? "scatter" : "gather",
              is_quad ? "4" : "");
    if (is_quad)
        smith_put(&p->text, "%s", channels[which]);
    else
        smith_put(&p->text, "%u", size);
    smith_put(&p->text, " %s %s SB(0,%u)<0;1,0> OFF.0 %s\n", smith_exec_text(exec, mask),
              surface, t.space == SMITH_OF_SHARED, data);
}

static void put_oword(smith_program *p)
{
    uint32_t owords = 1u << smith_draw(p, 4), kind = smith_draw(p, 3);
    char data[32];
    smith_target t;

    if (!pick_surface(p, &t) ||
        (t.space == SMITH_OF_SHARED && p->platform == VISAGE_PLATFORM_SKL))
        return;
    uint32_t offset = smith_draw(p, (t.bytes - owords * 16) / 16) * 16;
    smith_put(&p->text, "    add (M1_NM, 1) OFF(0,0)<1> SB(0,%u)<0;1,0> 0x%x:ud\n",
              t.space == SMITH_OF_SHARED, kind == 1 ? offset + 4 : offset);
    if (kind != 1)
        smith_put(&p->text, "    shr (M1_NM, 1) OFF(0,0)<1> OFF(0,0)<0;1,0> 0x4:ud\n");
    smith_pick_data(p, owords * 16, kind == 2, data);
    const char *surface = surface_of(p, &t);
    smith_put(&p->text, "    oword_%s (%u) %s OFF(0,0)<0;1,0> %s\n",
              kind == 0   ? "ld"
              : kind == 1 ? "ld_unaligned"
                          : "st",
              owords, surface, data);
}

/* The old gathers, whose offsets count elements, and those of qwords. */
static void put_gather(smith_program *p)
{
    bool is_store = smith_chance(p, 50);
    bool is_wide = p->platform < VISAGE_PLATFORM_PVC && smith_chance(p, 50);
    smith_exec exec = is_wide ? pick_sizes(p, VISAGE_OP_QW_GATHER)
                              : (smith_exec){.size = smith_chance(p, 50) ? 8 : 16};
    uint32_t shift = is_wide ? 3 : smith_draw(p, 3);
    char data[32], predicate[32], mask[32];
    smith_target t;

    if (exec.size == 0 || exec.size > p->simd || !pick_surface(p, &t))
        return;
    smith_put_offsets(p, exec.size, 8, t.bytes);
    smith_put_narrow(p, &t, exec.size);
    if (!is_wide && shift)
        smith_put(&p->text, "    shr (M1_NM, %u) OFF(0,0)<1> OFF(0,0)<1;1,0> 0x%x:ud\n",
                  exec.size, shift);
    smith_pick_data(p, smith_round_up(exec.size * (is_wide ? 8 : 4), p->grf), is_store, data);
    const char *surface = surface_of(p, &t);
    (void)smith_exec_text(exec, mask);
    smith_predicate(p, exec, is_wide ? 30 : 0, predicate);
    if (is_wide)
        smith_put(&p->text, "    %sqw_%s.1 %s %s OFF.0 %s\n", predicate,
                  is_store ? "scatter" : "gather", mask, surface, data);
    else
        smith_put(&p->text, "    %s.%u %s %s 0x0:ud OFF.0 %s\n",
                  is_store ? "scatter" : "gather", 1u << shift, mask, surface, data);
}

static void put_dword_atomic(smith_program *p)
{
    static const char *const names[] = {"add", "sub",  "and",  "or",   "xor", "min",
                                        "max", "imin", "imax", "xchg", "inc", "cmpxchg"};
    smith_exec exec = pick_sizes(p, VISAGE_OP_DWORD_ATOMIC);
    uint32_t kind = smith_draw(p, 12);
    char result[32] = "%null.0", first[32], second[32] = "%null.0", predicate[32], mask[32];
    smith_target t;

    if (exec.size == 0 || !pick_surface(p, &t))
        return;
    smith_put_offsets(p, exec.size, 4, t.bytes);
    smith_put_narrow(p, &t, exec.size);
    smith_put(&p->text, "    and (M1_NM, %u) OFF(0,0)<1> OFF(0,0)<1;1,0> 0xfffffffc:ud\n",
              exec.size);
    smith_pick_data(p, exec.size * 4, true, first);
    if (smith_chance(p, 70))
        smith_pick_data(p, exec.size * 4, false, result);
    if (kind == 11)
        smith_pick_data(p, exec.size * 4, true, second);
    const char *surface = surface_of(p, &t);
    smith_predicate(p, exec, 30, predicate);
    smith_put(&p->text, "    %sdword_atomic.%s %s %s OFF.0 %s %s %s\n", predicate, names[kind],
              smith_exec_text(exec, mask), surface, kind == 10 ? "%null.0" : first, second,
              result);
}

/* ---- all of them ------------------------------------------------------------------------ */

void smith_put_message(smith_program *p)
{
    static void (*const legacy[])(smith_program *) = {
        put_svm_block, put_svm_gather, put_svm_gather,   put_svm_atomic, put_scaled,
        put_scaled,    put_oword,      put_dword_atomic, put_gather,     put_svm_quad};

    if (p->platform >= VISAGE_PLATFORM_DG2 && smith_chance(p, 75))
        smith_put_lsc(p);
    else
        legacy[smith_draw(p, 10)](p);
}

static void put_barrier(smith_program *p)
{
    if (smith_chance(p, 70)) {
        smith_put(&p->text, "    barrier\n");
        return;
    }
    smith_put(&p->text, "    sbarrier.signal\n");
    smith_put_operation(p);
    smith_put(&p->text, "    sbarrier.wait\n");
}

/* What the threads of a group hand each other: between two barriers all only read. */
void smith_put_exchange(smith_program *p)
{
    uint32_t threads = (p->local + p->simd - 1) / p->simd, size = smith_lowest(p->simd, 16);
    char data[32];
    smith_target t = {.space = SMITH_OF_SHARED,
                      .bytes = SMITH_SLM * (threads == 3 ? 2 : threads)};

    smith_put(&p->text, p->platform == VISAGE_PLATFORM_SKL  ? "    fence_sw\n"
                        : p->platform < VISAGE_PLATFORM_DG2 ? "    fence_local.E\n"
                                                            : "    lsc_fence.slm.none.group\n");
    put_barrier(p);
    smith_put_offsets(p, size, 4, t.bytes);
    smith_pick_data(p, smith_round_up(size * 4, p->grf), false, data);
    if (p->platform >= VISAGE_PLATFORM_DG2)
        smith_put(&p->text, "    lsc_load.slm (M1, %u) %s:d32 flat[OFF]:a32\n", size, data);
    else
        smith_put(&p->text, "    gather_scaled.4 (M1, %u) %%slm 0x0:ud OFF.0 %s\n", size, data);
    put_barrier(p);
}

/* Shared memory begins with what was left in it. */
void smith_put_shared_start(smith_program *p)
{
    smith_put(&p->text,
              "    mul (M1_NM, 1) SB(0,0)<1> TH(0,0)<0;1,0> 0x%x:uw\n"
              "    mul (M1_NM, 1) SB(0,1)<1> TH(0,1)<0;1,0> 0x%x:uw\n",
              SMITH_SURFACE, SMITH_SLM);
    if (!p->has_slm)
        return;
    if (p->platform >= VISAGE_PLATFORM_DG2) {
        smith_put(&p->text,
                  "    mov (M1_NM, 1) OFF(0,0)<1> SB(0,1)<0;1,0>\n"
                  "    lsc_store.slm (M1_NM, 1) flat[OFF]:a32 TMP.0:d64x%ut\n",
                  SMITH_SLM / 8);
        return;
    }
    smith_put(&p->text,
              "    mul (M1_NM, 16) OFF(0,0)<1> LANE(0,0)<1;1,0> 0x10:uw\n"
              "    scatter4_scaled.RGBA (M1_NM, 16) %%slm SB(0,1)<0;1,0> OFF.0 TMP.0\n");
}
