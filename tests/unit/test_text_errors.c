/* SPDX-License-Identifier: MIT
 *
 * Texts with something wrong: which diagnostic, where, and that reading goes on after it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "text_support.h"

typedef struct row {
    const char *text; /* lines after the prolog */
    const char *code;
    uint32_t line, column, end_column; /* line: from 1 after the prolog */
} row;

static const visage_diagnostic *assert_only(const fixture *f, const char *text,
                                            const char *code)
{
    const visage_diagnostic *found = visage_diagnostics_get(f->diagnostics, 0);

    if (!found)
        fail_msg("nothing is reported of\n%s", text);
    if (strcmp(found->code, code) != 0 || visage_diagnostics_count(f->diagnostics) != 1)
        fail_msg("%s (%u:%u %s), not %s, first of %zu, of\n%s", found->code, found->line,
                 found->column, found->message, code, visage_diagnostics_count(f->diagnostics),
                 text);
    return found;
}

static void check(fixture *f, const row *r)
{
    char text[8192];

    (void)snprintf(text, sizeof text, "%s%s\nret (M1, 1)\n", prolog, r->text);
    assert_int_equal(read_text(f, text), VISAGE_SYNTAX);
    const visage_diagnostic *found = assert_only(f, r->text, r->code);
    if (found->line != PROLOG_LINES + r->line || found->column != r->column ||
        found->end_column != r->end_column)
        fail_msg("%u:%u-%u (%s) in\n%s", found->line - PROLOG_LINES, found->column,
                 found->end_column, found->message, r->text);
    assert_string_equal(found->file, "k.visaasm");
    assert_int_equal(found->severity, VISAGE_SEVERITY_ERROR);
    assert_non_null(found->source_line);
    /* the statement after it was read */
    const vsg_obj_unit *unit = f->module->units[0];
    assert_true(unit->num_insts > 0);
    assert_int_equal(unit->insts[unit->num_insts - 1].op, VISAGE_OP_RET);
}

#define CHECK(state, rows)                                                                     \
    for (size_t i_ = 0; i_ < sizeof(rows) / sizeof(rows)[0]; i_++)                             \
    check(*(state), &(rows)[i_])

static void declarations(void **state)
{
    static const row rows[] = {
        {".decl V32 v_type=G type=d num_elts=1", "P0009", 1, 7, 10},
        {".decl P0 v_type=P num_elts=8", "P0009", 1, 7, 9},
        {".decl V20 v_type=G type=d num_elts=1", "P0009", 1, 7, 10},
        {".decl TSS v_type=T num_elts=1", "P0009", 1, 7, 10},
        {".decl S31 v_type=S num_elts=1", "P0009", 1, 7, 10},
        {".decl x v_type=G type=d num_elts=1 type=d", "P0009", 1, 36, 40},
        {".decl %x v_type=G type=d num_elts=1", "P0001", 1, 7, 9},
        {".decl", "P0001", 1, 6, 7},
        {".decl x", "P0001", 1, 8, 9},
        {".decl x v_type=Q num_elts=1", "P0001", 1, 16, 17},
        {".decl x v_type=G type=d", "P0001", 1, 24, 25},
        {".decl x v_type=G num_elts=1", "P0001", 1, 28, 29},
        {".decl x v_type=G type=e num_elts=1", "P0001", 1, 23, 24},
        {".decl x v_type=G type d num_elts=1", "P0001", 1, 23, 24},
        {".decl x v_type=G type=d num_elts=1 foo=1", "P0001", 1, 36, 39},
        {".decl x v_type=A num_elts=1 align=dword", "P0001", 1, 29, 34},
        {".decl x v_type=G type=d num_elts=1 align=grf", "P0001", 1, 42, 45},
        {".decl x v_type=G type=d num_elts=1 align=3", "P0004", 1, 42, 43},
        {".decl x v_type=G type=d num_elts=0", "R0069", 1, 25, 33},
        {".decl x v_type=G type=d num_elts=16385", "R0069", 1, 25, 33},
        {".decl x v_type=G type=d num_elts=9999999999", "P0012", 1, 34, 44},
        {".decl x v_type=A num_elts=17", "R0071", 1, 18, 26},
        {".decl x v_type=P num_elts=33", "R0072", 1, 18, 26},
        {".decl x v_type=G type=d num_elts=1 alias=<V99, 0>", "P0008", 1, 43, 46},
        {".decl x v_type=G type=d num_elts=1 alias=<x, 0>", "P0008", 1, 43, 44},
        {".decl x v_type=G type=d num_elts=1 alias=<P1, 0>", "P0021", 1, 43, 45},
        {".decl x v_type=G type=d num_elts=1 alias=<V32, -4>", "P0012", 1, 48, 50},
        {".decl x v_type=G type=d num_elts=1 alias=V32", "P0001", 1, 42, 45},
        {".decl x v_type=G type=d num_elts=1 attrs={}", "P0001", 1, 43, 44},
        {".input V99 offset=0 size=4", "P0008", 1, 8, 11},
        {".input P1 offset=0 size=4", "P0021", 1, 8, 10},
        {".input V32 offset=32768", "P0012", 1, 19, 24},
        {".input V32 offset=0 align=4", "P0001", 1, 21, 26},
        {".implicit_FOO V32", "P0007", 1, 1, 14},
        {".implicit_UNDEFINED_32 V32", "P0007", 1, 1, 23},
        {".foo", "P0007", 1, 1, 5},
        {".kernel_attr A=4294967296", "P0012", 1, 16, 26},
        {".kernel_attr A=\"x", "P0003", 1, 16, 17},
        {".kernel_attr A=\"\\q\"", "P0001", 1, 16, 20},
        {".kernel_attr A=1 2", "P0001", 1, 18, 19},
        {".version 5.0", "P0018", 1, 10, 13},
        {".function", "P0001", 1, 10, 11},
    };
    CHECK(state, rows);
}

static void instructions(void **state)
{
    static const row rows[] = {
        {"ad (M1, 8) V34(0,0)<1> 1:d 2:d", "P0005", 1, 1, 3},
        {"ADD (M1, 8) V34(0,0)<1> 1:d 2:d", "P0005", 1, 1, 4},
        {"(P1) foo.bar", "P0005", 1, 6, 9},
        {"@", "P0001", 1, 1, 2},
        {"\001", "P0002", 1, 1, 2},
        {"add V34(0,0)<1> 1:d 2:d", "P0013", 1, 5, 6},
        {"ret", "P0013", 1, 4, 5},
        {"add (M1, 3) V34(0,0)<1> 1:d 2:d", "P0014", 1, 10, 11},
        {"add (64) V34(0,0)<1> 1:d 2:d", "P0014", 1, 6, 8},
        {"add (M0, 8) V34(0,0)<1> 1:d 2:d", "P0015", 1, 6, 8},
        {"add (M1_XX, 8) V34(0,0)<1> 1:d 2:d", "P0015", 1, 6, 11},
        {"add (m1, 8) V34(0,0)<1> 1:d 2:d", "P0015", 1, 6, 8},
        {"(P1) cmp.eq (M1, 8) P1 V34(0,0)<8;8,1> 1:d", "P0016", 1, 1, 5},
        {"(P1) min (M1, 8) V34(0,0)<1> 1:d 2:d", "P0016", 1, 1, 5},
        {"(!P1) barrier", "P0016", 1, 1, 6},
        {"(P1) lsc_fence.ugm.none.gpu", "P0016", 1, 1, 5},
        {"(P9) ret (M1, 1)", "P0008", 1, 2, 4},
        {"(V32) ret (M1, 1)", "P0021", 1, 2, 5},
        {"(P1.some) ret (M1, 1)", "P0001", 1, 4, 9},
        {"(!P0) ret (M1, 1)", "P0001", 1, 1, 6},
        {".decl x v_type=G type=hf8 num_elts=1", "P0041", 1, 23, 26},
        {".decl x v_type=G type=bf8 num_elts=1", "P0041", 1, 23, 26},
        {".decl x v_type=G type=tf32 num_elts=1", "P0041", 1, 23, 27},
        {"mov (M1, 1) V34(0,0)<1> 1:e2m1", "P0041", 1, 27, 31},
        {"ifcall.noreturn (M1, 16) V34(0,0)<0;1,0> 1 1", "P0041", 1, 7, 16},
        {"ifcall.uniform.noreturn (M1, 16) V34(0,0)<0;1,0> 1 1", "P0041", 1, 15, 24},
        {"lsc_extended_cache_ctrl.ugm (M1, 16) flat[V34]:a64", "P0041", 1, 1, 24},
        {"lsc_load.ugm (M1, 16) V34:d32 surf(V34)[V34]:a32", "P0041", 1, 31, 35},
        {"lsc_load.ugm (M1, 16) V34:d32 bss(V34, 4)[V34]:a32", "P0041", 1, 38, 39},
        {"lsc_load_quad.tgm (M1, 16) V34:d32.x bti(4)[V34+1, V34]:a32", "P0041", 1, 48, 49},
        {"lsc_load_block2d.ugm (M1, 1) V34:d32.4x4nn flat[V34,1,1,1,V34-4,V34]", "P0041", 1, 62,
         63},
        {"(P0.all) ret (M1, 1)", "P0001", 1, 1, 9},
        {"(P1 ret (M1, 1)", "P0001", 1, 5, 8},
        {"add (M1, 8) V34(0,0)<1> 1:d", "P0001", 1, 28, 29},
        {"add (M1, 8) V34(0,0)<1> 1:d 2:d 3:d", "P0023", 1, 33, 34},
        {"barrier 1", "P0023", 1, 9, 10},
        {"add (M1, 8) V34(0,0)<-1> 1:d 2:d", "P0012", 1, 22, 24},
        {"mov (M1, 8) V34(0,0)<1> V34(0,0)<255;8,1>", "P0012", 1, 34, 37},
        {"mov (M1, 8) V34(0,0)<1> V34(0,0)<8;1000,1>", "P0012", 1, 36, 40},
        {"mov (M1, 8) V34(0,0)<1> V34(0,0)<8;8,256>", "P0012", 1, 38, 41},
        {"mov (M1, 8) V34(0,0)<1> V34(0,0)", "P0001", 1, 33, 34},
        {"mov (M1, 8) V34(0,256)<1> 1:d", "P0012", 1, 19, 22},
        {"mov (M1, 8) V34(-1,0)<1> 1:d", "P0012", 1, 17, 19},
        {"mov (M1, 8) V34(0,0)<1> V99(0,0)<8;8,1>", "P0008", 1, 25, 28},
        {"mov (M1, 8) V34(0,0)<1> T6", "P0021", 1, 25, 27},
        {"add (M1, 8) V34(0,0)<1> P1 1:d", "P0021", 1, 25, 27},
        {"add (M1, 8) A0(0)<8> 1:d 1:d", "P0021", 1, 13, 15},
        {"add (M1, 8) 1:d 1:d 1:d", "P0001", 1, 13, 14},
        {"setp (M1, 8) V32(0,0)<1> 1:ud", "P0021", 1, 14, 17},
        {"setp (M1, 8) P0 1:ud", "P0021", 1, 14, 16},
        {"addr_add (M1, 8) A0(0)<8> V32(0,0)<8;8,1> 1:uw", "P0021", 1, 27, 30},
        {"addr_add (M1, 8) A0(0)<8> &P1 1:uw", "P0021", 1, 28, 30},
        {"movs (M1, 1) T6 1:ud", "P0001", 1, 17, 18},
        {"mov (M1, 8) V34(0,0)<1> r[V32(0),0]<8;8,1>:d", "P0021", 1, 27, 30},
        {"mov (M1, 8) V34(0,0)<1> r[A0(0),40000]<8;8,1>:d", "P0012", 1, 33, 38},
        {"mov (M1, 8) V34(0,0)<1> r[A0(0),0]<8;8,1>:v", "P0001", 1, 42, 44},
        {"mov (M1, 8) V34(0,0)<1> r[A0(0),0]<8;8,1>", "P0001", 1, 42, 43},
        {"mov (M1, 8) V34(0,0)<1> (-)5:d", "P0001", 1, 28, 29},
        {"svm_gather.1.1 (M1, 8) P1.0 V32.0", "P0021", 1, 24, 26},
        {"svm_gather.1.1 (M1, 8) V35.65536 V32.0", "P0012", 1, 28, 33},
        {"gather_scaled.4 (M1, 8) V32 0:ud V32.0 V32.0", "P0021", 1, 25, 28},
        {"resinfo.R (M1, 8) S0 V32.0 V32.0", "P0021", 1, 19, 21},
        {"sample_lz.R (M1, 8) 0x0:uw S0 T6 V33.0", "P0012", 1, 39, 40},
        {"fcall (M1, 16) foo 256 0", "P0012", 1, 20, 23},
        {"fcall (M1, 16) foo 1", "P0001", 1, 21, 22},
        {"goto (M1, 16) nowhere", "P0010", 1, 15, 22},
        {".function f", "P0010", 1, 11, 12},
        {"x:\nx:", "P0011", 2, 1, 2},
        {"x:\n.function x", "P0011", 2, 11, 12},
        {"x:\nfccall (M1, 16) x", "P0028", 2, 17, 18},
        {"fccall (M1, 16) x\nx:", "P0028", 2, 1, 2},
        {"fccall (M1, 16) x\n.function x", "P0028", 2, 11, 12},
        {"fccall (M1, 16) x\ngoto (M1, 16) x", "P0028", 2, 15, 16},
        {"mov (M1, 1) V32(0,0)<1> %DispatchSimd:ud", "P0004", 1, 25, 38},
        {"ifcall.unique (M1, 8) V32(0,0)<0;1,0> 1 1", "P0006", 1, 7, 14},
        {"gather.4 (M1, 8).nomod T6 0:ud V32.0 V34.0", "P0006", 1, 17, 23},
        {"nbarrier.signal 1:ub 2:uw 3:ub", "P0001", 1, 31, 32},
        {"switchjmp (M1, 1) V32(0,0)<0;1,0> ()", "P0012", 1, 35, 37},
        {"lifetime.start T6", "P0021", 1, 16, 18},
        {"LOC 4294967296", "P0012", 1, 5, 15},
        {"FILE x\"", "P0023", 1, 7, 8},
        {"FILE \"x", "P0003", 1, 6, 7},
        {"avs.R T6 S0 0:f 0:f 0:f 0:f 0:f 0:ud 0:ud FOO 0:f AVS_16x4 0:ub V32.0", "P0001", 1,
         43, 46},
        {"sample.R (24) S0 T6 V33.0 V33.0 V33.0 V33.0", "P0004", 1, 11, 13},
        {"addr_add (M1, 8) A0(0)<8> & 1:uw", "P0001", 1, 29, 30},
        {"lifetime.start", "P0001", 1, 15, 16},
        {"yield1", "P0005", 1, 1, 7},
        {"svm_block_ld (3) V35(0,0)<0;1,0> V32.0", "P0004", 1, 15, 16},
        {"svm_block_ld (32) V35(0,0)<0;1,0> V32.0", "P0012", 1, 15, 17},
        {"gather.4 (M1, 4) T6 0:ud V32.0 V32.0", "P0004", 1, 10, 17},
        {"{\nyield", "P0003", 1, 1, 2},
        {"}", "P0001", 1, 1, 2},
    };
    CHECK(state, rows);
}

static void suffixes(void **state)
{
    static const row rows[] = {
        {"add.foo (M1, 8) V34(0,0)<1> 1:d 2:d", "P0006", 1, 4, 8},
        {"add.sat.sat (M1, 8) V34(0,0)<1> 1:d 2:d", "P0006", 1, 8, 12},
        {"and.sat (M1, 8) V34(0,0)<1> 1:d 2:d", "P0006", 1, 4, 8},
        {"cmp (M1, 8) P1 1:d 2:d", "P0001", 1, 5, 6},
        {"cmp.Eq (M1, 8) P1 1:d 2:d", "P0006", 1, 4, 7},
        {"bfn.d8 (M1, 8) V32(0,0)<1> 1:ud 2:ud 3:ud", "P0006", 1, 4, 7},
        {"bfn.x100 (M1, 8) V32(0,0)<1> 1:ud 2:ud 3:ud", "P0006", 1, 4, 9},
        {"dpas.s8.s9.8.8 (M1, 8) V34.0 V34.0 V34.0 V34(0,0)", "P0006", 1, 8, 11},
        {"dpas.s8.s8.8.9 (M1, 8) V34.0 V34.0 V34.0 V34(0,0)", "P0012", 1, 13, 15},
        {"gather4_scaled.GR (M1, 8) T6 0:ud V32.0 V32.0", "P0006", 1, 15, 18},
        {"gather4_scaled.RR (M1, 8) T6 0:ud V32.0 V32.0", "P0006", 1, 15, 18},
        {"gather4_scaled (M1, 8) T6 0:ud V32.0 V32.0", "P0001", 1, 16, 17},
        {"sample_3d.foo.R (M1, 8) 0x0:uw S0 T6 V33.0 V33.0", "P0006", 1, 10, 14},
        {"sample4.RG (M1, 8) 0x0:uw S0 T6 V33.0 V33.0", "P0006", 1, 8, 11},
        {"sample_unorm.R.9-full S0 T6 0:f 0:f 0:f 0:f V33.0", "P0006", 1, 15, 22},
        {"gather.3 (M1, 8) T6 0:ud V32.0 V32.0", "P0004", 1, 7, 9},
        {"gather_scaled.16 (M1, 8) T6 0:ud V32.0 V32.0", "P0012", 1, 14, 17},
        {"gather_scaled.x (M1, 8) T6 0:ud V32.0 V32.0", "P0006", 1, 14, 16},
        {"svm_gather.2.1 (M1, 8) V35.0 V32.0", "P0004", 1, 11, 13},
        {"svm_atomic.foo (M1, 8) V35.0 V32.0 V32.0 V32.0", "P0006", 1, 11, 15},
        {"svm_atomic.add.8 (M1, 8) V35.0 V32.0 V32.0 V32.0", "P0006", 1, 15, 17},
        {"media_ld (4,4) T6 0 0:ud 0:ud V32.0", "P0001", 1, 10, 11},
        {"fence_global.X", "P0006", 1, 13, 15},
        {"lsc_fence.ugm.none", "P0001", 1, 19, 20},
        {"lsc_fence.ugm.none.foo", "P0006", 1, 19, 23},
        {"rt_write_3d.<XX> (M1, 8) T6 V33.0 V33.0 V33.0 V33.0 V33.0", "P0006", 1, 14, 16},
        {"raw_sends.1.2.3 (M1, 8) 0:ud 0:ud V32.0 V32.0 V32.0", "P0001", 1, 17, 18},
        {"raw_sends.16.1.1.1 (M1, 8) 0:ud 0:ud V32.0 V32.0 V32.0", "P0012", 1, 10, 19},
        {"add_eot (M1, 8) V34(0,0)<1> 1:d 2:d", "P0005", 1, 1, 8},
    };
    CHECK(state, rows);
}

static void lsc(void **state)
{
    static const row rows[] = {
        {"lsc_load (M1, 8) V34:d32 flat[V35]:a64", "P0001", 1, 10, 11},
        {"lsc_load.foo (M1, 8) V34:d32 flat[V35]:a64", "P0006", 1, 9, 13},
        {"lsc_load.tgm (M1, 8) V34:d32 flat[V35]:a64", "P0006", 1, 9, 13},
        {"lsc_load.ugm.xx (M1, 8) V34:d32 flat[V35]:a64", "P0006", 1, 13, 16},
        {"lsc_load.ugm.ca.ca.ca (M1, 8) V34:d32 flat[V35]:a64", "P0006", 1, 19, 22},
        {"lsc_load.ugm V34:d32 flat[V35]:a64", "P0013", 1, 14, 15},
        {"lsc_load.ugm (M1, 8) V34 flat[V35]:a64", "P0001", 1, 26, 30},
        {"lsc_load.ugm (M1, 8) V34:d33 flat[V35]:a64", "P0001", 1, 26, 29},
        {"lsc_load.ugm (M1, 8) V34:d32x5 flat[V35]:a64", "P0001", 1, 29, 31},
        {"lsc_load.ugm (M1, 8) V34:d32tt flat[V35]:a64", "P0001", 1, 29, 31},
        {"lsc_load.ugm (M1, 8) V34:d32.x flat[V35]:a64", "P0001", 1, 29, 30},
        {"lsc_load_quad.ugm (M1, 8) V34:d32 flat[V35]:a64", "P0001", 1, 35, 39},
        {"lsc_load_quad.ugm (M1, 8) V34:d32.yx flat[V35]:a64", "P0001", 1, 34, 35},
        {"lsc_load.ugm (M1, 8) V34:d32 foo[V35]:a64", "P0001", 1, 30, 33},
        {"lsc_load.ugm (M1, 8) V34:d32 ss[V35]:a64", "P0001", 1, 32, 33},
        {"lsc_load.ugm (M1, 8) V34:d32 ss(T6)[V35]:a64", "P0021", 1, 33, 35},
        {"lsc_load.ugm (M1, 8) V34:d32 flat[V35", "P0001", 1, 38, 39},
        {"lsc_load.ugm (M1, 8) V34:d32 flat[V35]", "P0001", 1, 39, 40},
        {"lsc_load.ugm (M1, 8) V34:d32 flat[V35]:a65", "P0001", 1, 40, 43},
        {"lsc_load.ugm (M1, 8) V34:d32 flat[4+V35]:a64", "P0001", 1, 36, 37},
        {"lsc_load.ugm (M1, 8) V34:d32 flat[65536*V35]:a64", "P0012", 1, 35, 40},
        {"lsc_load.ugm (M1, 8) V34:d32 flat[V35+0x80000000]:a64", "P0012", 1, 39, 49},
        {"lsc_load.ugm (M1, 8) V34:d32 flat[V35,V32]:a64", "P0001", 1, 38, 39},
        {"lsc_load_block2d.ugm (M1, 1) V34:d32.8 flat[V35,V32,V32,V32,V32,V32]", "P0001", 1, 37,
         38},
        {"lsc_load_block2d.ugm (M1, 1) V34:d32.8x8xx flat[V35,V32,V32,V32,V32,V32]", "P0001", 1,
         37, 38},
        {"lsc_load_block2d.ugm (M1, 1) V34:d32.8x8 flat[V35,V32,V32,V32,V32]", "P0001", 1, 66,
         67},
        {"lsc_load_block2d.ugm (M1, 1) V34:d32.8x8 ss(V32)[V35,V32,V32,V32,V32,V32]", "P0001",
         1, 42, 44},
        {"lsc_atomic_iadd.ugm (M1, 8) V34:d32 flat[V35]:a64 V34", "P0001", 1, 54, 55},
        {"lsc_load_quad.tgm (M1, 8) V34:d32.x bti(4)[V34,V34,V34,V34,V34]:a32", "P0001", 1, 59,
         60},
    };
    CHECK(state, rows);
}

static void numbers(void **state)
{
#define MOV(text) "mov (M1, 1) V34(0,0)<1> " text
    static const row rows[] = {
        {MOV("65536:w"), "P0012", 1, 25, 30},
        {MOV("-32769:w"), "P0012", 1, 25, 31},
        {MOV("256:ub"), "P0012", 1, 25, 28},
        {MOV("0x100000000:d"), "P0012", 1, 25, 36},
        {MOV("0x100000000:f"), "P0012", 1, 25, 36},
        {MOV("0x10000:hf"), "P0012", 1, 25, 32},
        {MOV("0x1ffffffff:v"), "P0012", 1, 25, 36},
        {MOV("0xfffffffffffeffff:w"), "P0012", 1, 25, 43},
        {MOV("1:bool"), "P0004", 1, 25, 26},
        {MOV("65520.0:hf"), "P0004", 1, 25, 32},
        {MOV("1.5:d"), "P0004", 1, 25, 28},
        {MOV("1e99:f"), "P0004", 1, 25, 29},
        {MOV("-1.5e+400:df"), "P0004", 1, 26, 34},
        {MOV("1"), "P0001", 1, 26, 27},
        {MOV("1:e"), "P0001", 1, 27, 28},
        {MOV("1.5e:f"), "P0001", 1, 28, 29},
        {MOV("%sizeof():q"), "P0001", 1, 33, 34},
        {MOV("0x:d"), "P0004", 1, 25, 27},
        {MOV("12ab:d"), "P0004", 1, 25, 29},
        {MOV("18446744073709551616:uq"), "P0004", 1, 25, 45},
        {MOV("0x10000000000000000:uq"), "P0004", 1, 25, 44},
        {MOV("(1/0):d"), "P0004", 1, 26, 29},
        {MOV("(1%0):d"), "P0004", 1, 26, 29},
        {MOV("(1<<64):q"), "P0004", 1, 26, 31},
        {MOV("(1<<63):q"), "P0004", 1, 26, 31},
        {MOV("(1>>-1):q"), "P0004", 1, 26, 31},
        {MOV("(0x7fffffffffffffff+1):q"), "P0004", 1, 26, 46},
        {MOV("(0xffffffffffffffff+1):q"), "P0004", 1, 26, 46},
        {MOV("(4611686018427387904*2):q"), "P0004", 1, 26, 47},
        {MOV("((-9223372036854775807-1)/-1):q"), "P0004", 1, 26, 53},
        {MOV("-(-9223372036854775807-1):q"), "P0004", 1, 25, 50},
        {MOV("(1 ? 2):q"), "P0001", 1, 31, 32},
        {MOV("(1+):q"), "P0001", 1, 28, 29},
        {MOV("%sizeof(P1):q"), "P0021", 1, 33, 35},
        {MOV("%sizeof(V99):q"), "P0008", 1, 33, 36},
    };
    CHECK(state, rows);
#undef MOV
}

static void too_deep(void **state)
{
    char nested[1024] = "mov (M1, 1) V34(0,0)<1> ";
    size_t length = strlen(nested);
    row r = {nested, "P0020", 1, 125, 126};

    /* A hundred levels are one for the immediate and 99 for parentheses: what follows the
     * hundredth is too much. */
    for (int i = 0; i < 100; i++)
        nested[length++] = '(';
    nested[length++] = '1';
    for (int i = 0; i < 100; i++)
        nested[length++] = ')';
    memcpy(nested + length, ":d", 3);
    check(*state, &r);
    /* and one less is good */
    memmove(nested + 24, nested + 25, strlen(nested + 25) + 1);
    *strstr(nested, "):d") = ' ';
    char text[4096];
    (void)snprintf(text, sizeof text, "%s%s\n", prolog, nested);
    (void)read_good(*state, text);
}

/* Texts that are wrong as a whole. */
static void whole_texts(void **state)
{
    static const struct {
        const char *text, *code;
        uint32_t line, column;
    } rows[] = {
        {"", "P0019", 0, 0},
        {"\n// nothing\n", "P0019", 0, 0},
        {".version 4.1\n", "P0019", 0, 0},
        {".kernel k\n", "P0026", 1, 1},
        {".version 4.1\nret (M1, 1)\nret (M1, 1)\n", "P0017", 2, 1},
        {".version 4.1\n.decl V32 v_type=G type=d num_elts=1\nx:\n{\n", "P0017", 2, 1},
        {".version 4.1\n.kernel k\n  /* open\n\n", "P0003", 3, 3},
        {".version 4.1\n.kernel\n", "P0001", 2, 8},
        {".version 4\n.kernel k\n", "P0001", 1, 11},
        {".version 4.1\n.kernel k\n{\n.kernel l\n", "P0003", 3, 1},
    };
    fixture *f = *state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(read_text(f, rows[i].text), VISAGE_SYNTAX);
        const visage_diagnostic *found = visage_diagnostics_get(f->diagnostics, 0);
        assert_non_null(found);
        if (strcmp(found->code, rows[i].code) != 0 || found->line != rows[i].line ||
            found->column != rows[i].column)
            fail_msg("%s %u:%u (%s) in\n%s", found->code, found->line, found->column,
                     found->message, rows[i].text);
    }
}

static void messages(void **state)
{
    fixture *f = *state;
    char text[4096];

    (void)snprintf(text, sizeof text, "%s\tad (M1, 8) V34(0,0)<1> 1:d 2:d", prolog);
    assert_int_equal(read_text(f, text), VISAGE_SYNTAX);
    const visage_diagnostic *d = visage_diagnostics_get(f->diagnostics, 0);
    assert_string_equal(d->message, "unknown instruction 'ad', did you mean 'add'?");
    assert_string_equal(d->source_line, "\tad (M1, 8) V34(0,0)<1> 1:d 2:d");
    assert_int_equal(d->column, 2);
    (void)snprintf(text, sizeof text, "%sadd (M1, 8) P1 1:d 2:d\n", prolog);
    assert_int_equal(read_text(f, text), VISAGE_SYNTAX);
    assert_string_equal(visage_diagnostics_get(f->diagnostics, 0)->message,
                        "'P1' is a predicate, expected a destination");
    (void)snprintf(text, sizeof text, "%scmp.xx (M1, 8) P1 1:d 2:d\n", prolog);
    assert_int_equal(read_text(f, text), VISAGE_SYNTAX);
    assert_string_equal(visage_diagnostics_get(f->diagnostics, 0)->message,
                        "'.xx' is no suffix of cmp, expected eq, ne, gt, ge, lt, le");
}

/* The first error does not hide the others, and a bad declaration still declares its name. */
static void recovery(void **state)
{
    fixture *f = *state;
    char text[4096];
    static const char *const codes[] = {"R0069", "P0005", "P0001", "P0010"};
    static const uint32_t lines[] = {14, 15, 17, 18};

    (void)snprintf(
        text, sizeof text,
        "%s.decl x v_type=G type=d num_elts=0 // \"\nfoo \"/*\" /*\n*/ the same line\n"
        "mov (M1, 1) x(0,0)<1> 1\n goto (M1, 1) y\nmov (M1, 1) x(0,0)<1> 1:d\n",
        prolog);
    assert_int_equal(read_text(f, text), VISAGE_SYNTAX);
    assert_int_equal(visage_diagnostics_count(f->diagnostics), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(visage_diagnostics_get(f->diagnostics, i)->code, codes[i]);
        assert_int_equal(visage_diagnostics_get(f->diagnostics, i)->line, lines[i]);
    }
    assert_string_equal(visage_diagnostics_get(f->diagnostics, 3)->source_line,
                        " goto (M1, 1) y");
    assert_int_equal(f->module->units[0]->num_insts, 2);
}

static void too_many(void **state)
{
    fixture *f = *state;
    char text[4096];
    size_t length = (size_t)snprintf(text, sizeof text, ".version 4.1\n.kernel k\n");

    for (int i = 0; i < 150; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "foo%d\n", i);
    assert_int_equal(read_text(f, text), VISAGE_SYNTAX);
    assert_int_equal(visage_diagnostics_count(f->diagnostics), 101);
    assert_string_equal(visage_diagnostics_get(f->diagnostics, 99)->code, "P0005");
    assert_int_equal(visage_diagnostics_get(f->diagnostics, 99)->line, 102);
    assert_string_equal(visage_diagnostics_get(f->diagnostics, 100)->code, "P0025");
}

static void too_many_variables(void **state)
{
    static const struct {
        char letter;
        unsigned most;
        const char *code;
    } rows[] = {
        {'A', 4096, "R0063"}, {'P', 65534, "R0064"}, {'S', 31, "R0065"}, {'T', 250, "R0066"}};
    fixture *f = *state;
    size_t size = 66000 * 40;
    char *text = malloc(size);

    assert_non_null(text);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        size_t length = (size_t)snprintf(text, size, ".version 4.1\n.kernel k\n");
        for (unsigned i = 0; i < rows[r].most + 1; i++)
            length += (size_t)snprintf(text + length, size - length,
                                       ".decl x%u v_type=%c num_elts=1\n", i, rows[r].letter);
        assert_int_equal(read_text(f, text), VISAGE_SYNTAX);
        assert_int_equal(assert_only(f, "many", rows[r].code)->line, rows[r].most + 3);
    }
    free(text);
}

/* In a container the offset tells where. */
static void offsets(void **state)
{
    fixture *f = *state;
    static const char text[] = ".version 4.1\n.kernel k\n  foo\n";
    vsg_txt_input input = {
        .name = "k.zebin", .text = text, .size_bytes = sizeof text - 1, .offset_bytes = 0x1000};

    f->module = vsg_obj_create(&f->alloc);
    f->diagnostics = vsg_base_diagnostics_new(&f->alloc);
    assert_int_equal(vsg_txt_parse(f->module, &input, f->diagnostics), VISAGE_SYNTAX);
    const visage_diagnostic *d = assert_only(f, text, "P0005");
    assert_true(d->has_offset);
    assert_int_equal(d->offset, 0x1000 + strlen(".version 4.1\n.kernel k\n  "));
    input.offset_bytes = 0;
    visage_diagnostics_clear(f->diagnostics);
    assert_int_equal(vsg_txt_parse(f->module, &input, f->diagnostics), VISAGE_SYNTAX);
    assert_false(visage_diagnostics_get(f->diagnostics, 0)->has_offset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(declarations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(instructions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(suffixes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lsc, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_deep, set_up, tear_down),
        cmocka_unit_test_setup_teardown(whole_texts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(messages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(recovery, set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_many, set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_many_variables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(offsets, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
