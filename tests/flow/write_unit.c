/* SPDX-License-Identifier: MIT
 *
 * Kernel, functions and subroutines as text. */
#include <stddef.h>

#include "writer.h"

static void put_variables(flow_writer *w)
{
    const flow_unit *unit = &w->program->units[w->unit];
    uint32_t n = w->program->channels;

    for (uint32_t i = 0; i <= FLOW_TEMPORARY; i++)
        if (i < FLOW_VALUES + (uint32_t)unit->counters || i == FLOW_TEMPORARY)
            flow_put(w, ".decl R%u v_type=G type=d num_elts=%u align=GRF\n", i, n);
    for (uint32_t i = 1; i <= FLOW_BITS + 1; i++)
        flow_put(w, ".decl P%u v_type=P num_elts=%u\n", i, n);
    flow_put(w, ".decl PW v_type=P num_elts=%u\n.decl PU v_type=P num_elts=1\n", n);
    flow_put(w, ".decl LW v_type=G type=w num_elts=32 align=GRF\n"
                ".decl LANE0 v_type=G type=d num_elts=32 align=GRF\n"
                ".decl U v_type=G type=d num_elts=1 align=dword\n"
                ".decl V v_type=G type=d num_elts=1 align=dword\n"
                ".decl VU v_type=G type=ud num_elts=1 align=dword alias=<V, 0>\n"
                ".decl VB v_type=G type=ub num_elts=4 align=dword alias=<V, 0>\n"
                ".decl FQ v_type=G type=uq num_elts=1 align=qword\n"
                ".decl FL v_type=G type=ud num_elts=2 align=qword alias=<FQ, 0>\n"
                ".decl FD v_type=G type=ud num_elts=1 align=dword\n"
                ".decl SPL v_type=G type=ud num_elts=2 align=qword alias=<%%sp, 0>\n");
    flow_put(w, ".decl ADDR v_type=G type=uq num_elts=32 align=GRF\n"
                ".decl LOW v_type=G type=ud num_elts=64 align=GRF alias=<ADDR, 0>\n"
                ".decl PLACEQ v_type=G type=uq num_elts=32 align=GRF\n"
                ".decl PLACE v_type=G type=ud num_elts=64 align=GRF alias=<PLACEQ, 0>\n");
    for (uint32_t i = 0; i < unit->uniform_loops; i++)
        flow_put(w, ".decl S%u v_type=G type=d num_elts=1 align=dword\n", i);
    for (uint32_t i = 0; i < 2; i++)
        flow_put(w, ".decl ARG%u v_type=G type=d num_elts=%u align=GRF alias=<%%arg, %u>\n", i,
                 n, i * flow_arg_grfs(w) * w->grf);
    flow_put(w, ".decl RET0 v_type=G type=d num_elts=%u align=GRF alias=<%%retval, 0>\n", n);
    flow_put(w, ".decl DEPTH0 v_type=G type=d num_elts=%u align=GRF\n", n);
}

/* Numbers of the channels, and where the memory of each is: the upper halves of addresses are
 * the same for all, since the buffer lies within 4 GiB. */
static void put_places(flow_writer *w)
{
    char a[32];

    flow_put(w, "    mov (M1_NM, 8) LW(0,0)<1> 0x76543210:v\n");
    flow_put(w, "    add (M1_NM, 8) LW(0,8)<1> LW(0,0)<1;1,0> 0x8:w\n");
    flow_put(w, "    add (M1_NM, 16) LW(%u,%u)<1> LW(0,0)<1;1,0> 0x10:w\n", w->grf == 32,
             w->grf == 32 ? 0 : 16);
    for (uint32_t i = 0; i < 32; i += 8) {
        flow_put(w, "    mov (M1_NM, 8) %s<1> LW(%u,%u)<1;1,0>\n",
                 flow_element(w, "LANE", 0, i, a), i * 2 / w->grf, i * 2 % w->grf / 2);
        flow_put(w, "    mul (M1_NM, 8) LOW(%u,0)<2> %s<1;1,0> 0x4:ud\n", i * 8 / w->grf, a);
        flow_put(w, "    add (M1_NM, 8) LOW(%u,0)<2> LOW(%u,0)<2;1,0> SPL(0,0)<0;1,0>\n",
                 i * 8 / w->grf, i * 8 / w->grf);
        flow_put(w, "    mov (M1_NM, 8) LOW(%u,1)<2> SPL(0,1)<0;1,0>\n", i * 8 / w->grf);
        flow_put(w, "    mov (M1_NM, 8) PLACE(%u,1)<2> SPL(0,1)<0;1,0>\n", i * 8 / w->grf);
    }
}

static void put_start(flow_writer *w)
{
    const flow_unit *unit = &w->program->units[w->unit];
    char a[32], b[32];

    put_places(w);
    for (uint32_t i = 0; i < FLOW_VALUES; i++)
        for (flow_piece p = {0}; flow_next_unmasked(w, w->widest, &p);) {
            int32_t first = flow_first_value(i, 0);
            flow_put(w, "    mul (M%u_NM, %u) %s<1> %s<1;1,0> 0x%x:d\n", p.offset / 4 + 1,
                     p.size, flow_value(w, i, p.offset, a),
                     flow_element(w, "LANE", 0, p.offset, b),
                     (unsigned)(flow_first_value(i, 1) - first));
            flow_put(w, "    add (M%u_NM, %u) %s<1> %s<1;1,0> 0x%x:d\n", p.offset / 4 + 1,
                     p.size, a, a, (unsigned)first);
        }
    for (uint32_t i = 0; i < unit->counters; i++)
        flow_put_number(w, NULL, "mov", FLOW_VALUES + i, 0, 0, false);
    for (uint32_t i = 0; i < FLOW_BITS; i++)
        flow_put(w, "    setp (M1_NM, %u) P%u 0x%x:ud\n", w->program->channels, i + 1,
                 flow_first_bits(i));
    flow_put(w, "    setp (M1_NM, %u) P%u 0x0:ud\n", w->program->channels, FLOW_BITS + 1);
    flow_put(w, "    mov (M1_NM, 1) U(0,0)<1> 0x%x:d\n",
             w->unit ? FLOW_UNIFORM_OF_FUNCTION : FLOW_FIRST_UNIFORM);
    if (w->unit) {
        flow_put_copy(w, NULL, "R", 0, "mov", "ARG", 0);
        flow_put_copy(w, NULL, "DEPTH", 0, "mov", "ARG", 1);
    }
}

static void write_subs(flow_writer *w)
{
    const flow_unit *unit = &w->program->units[w->unit];

    w->in_kernel = false;
    w->in_sub = true;
    for (uint32_t n = 0; n < unit->num_subs; n++) {
        /* Callers before callees in the text, or behind them. */
        uint32_t i = w->program->seed & 0x100 ? n : unit->num_subs - 1u - n;
        flow_put(w, "\n.function \"sub%u_%u\"\nsub%u_%u:\n", w->unit, i, w->unit, i);
        flow_write_list(w, unit->subs[i]);
        flow_put(w, "    ret (M1, %u)\n", w->program->channels);
    }
    w->in_sub = false;
}

static void write_kernel(flow_writer *w)
{
    flow_put(w, ".version 4.1\n.kernel \"flow\"\n");
    flow_put(w, ".decl OUT v_type=G type=uq num_elts=1 align=qword\n"
                ".decl OUTL v_type=G type=ud num_elts=2 align=qword alias=<OUT, 0>\n");
    put_variables(w);
    flow_put(w, ".input OUT offset=%u size=8\n.kernel_attr SimdSize=%u\n", w->grf,
             w->program->channels);
    flow_put(w, ".function \"main\"\nmain:\n");
    flow_put(w, "    mov (M1_NM, 2) SPL(0,0)<1> OUTL(0,0)<1;1,0>\n");
    w->in_kernel = true;
    put_start(w);
    flow_write_list(w, w->program->units[0].body);
    for (uint32_t i = 0; i < FLOW_VALUES; i++)
        flow_write_store(w, i, i);
    flow_put(w, "    ret (M1, 1)\n");
}

static void write_function(flow_writer *w)
{
    const flow_unit *unit = &w->program->units[w->unit];

    flow_put(w, "\n.global_function \"f%u\"\n", w->unit);
    put_variables(w);
    flow_put(w, ".kernel_attr ArgSize=%u\n.kernel_attr RetValSize=%u\n", 2 * flow_arg_grfs(w),
             unit->returns ? flow_arg_grfs(w) : 0);
    flow_put(w, ".function \"body%u\"\nbody%u:\n", w->unit, w->unit);
    put_start(w);
    flow_write_list(w, unit->body);
    if (unit->returns)
        flow_put_copy(w, NULL, "RET", 0, "mov", "R", 0);
    flow_put(w, "    fret (M1, %u)\n", w->program->channels);
}

char *flow_write(const flow_program *program)
{
    flow_writer w = {.program = program,
                     .grf = visage_platform_grf_bytes(program->platform),
                     .size = program->channels};

    w.widest = w.grf / 2;
    for (w.unit = 0; w.unit < program->num_units; w.unit++) {
        if (w.unit == 0)
            write_kernel(&w);
        else
            write_function(&w);
        write_subs(&w);
    }
    return w.text;
}
