/* SPDX-License-Identifier: MIT
 *
 * One instruction each: every layout, every kind of suffix, every kind of operand. What is
 * expected is written down by hand from the instruction's page and from the bytes in spec
 * dialect 2 and 3; text_support.h has the letters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "text_support.h"

typedef struct row {
    visage_op op;
    const char *text;
    const char *expected;
} row;

static void check(fixture *f, const row *r)
{
    char text[4096];

    (void)snprintf(text, sizeof text, "%s%s\nend:\nother:\n", prolog, r->text);
    const vsg_obj_unit *unit = read_good(f, text);
    assert_true(unit->num_insts >= 3);
    const vsg_obj_inst *inst = &unit->insts[0];
    note found = write_down(inst);
    if (inst->op != r->op || strcmp(found.text, r->expected) != 0)
        fail_msg("%s\n  is  %s %s\n  not %s %s", r->text, vsg_isa_op(inst->op)->text,
                 found.text, vsg_isa_op(r->op)->text, r->expected);
    assert_int_equal(inst->place.line, PROLOG_LINES + 1);
    assert_int_equal(inst->place.column, 1);
    assert_int_equal(inst->place.end_column, strlen(r->text) + 1);
}

#define CHECK(state, rows)                                                                     \
    for (size_t i_ = 0; i_ < sizeof(rows) / sizeof(rows)[0]; i_++)                             \
    check(*(state), &(rows)[i_])

static void arithmetic(void **state)
{
    static const row rows[] = {
        {VISAGE_OP_ADD, "add (M1, 16) V34(0,0)<1> V34(1,2)<8;8,1> 0x5:d",
         "[16@0] g34.0.0<0;0,1> g34.1.2<8;8,1> #d:5"},
        {VISAGE_OP_ADD,
         "(P1) add.sat (M5_NM, 8) V34(0,0)<2> (-)V34(0,0)<0;1,0> (abs)V34(0,0)<1;1,0>",
         "[8@16 NM p1] sat g34.0.0<0;0,2> neg g34.0.0<0;1,0> abs g34.0.0<1;1,0>"},
        {VISAGE_OP_SQRT, "(!P2.any) sqrt (M1, 1) V33<1> (-abs)V33(0,0)<0;1,0>",
         "[1@0 !p2.any] g33.0.0<0;0,1> nabs g33.0.0<0;1,0>"},
        {VISAGE_OP_MAD,
         "(P2.all) mad (8) V34(0,0)<1> V34(0,0)<8;8,1> V34(0,0)<4;4,1> V34(0,0)<2;2,1>",
         "[8@0 p2.all] g34.0.0<0;0,1> g34.0.0<8;8,1> g34.0.0<4;4,1> g34.0.0<2;2,1>"},
        {VISAGE_OP_ADDC, "addc (NoMask, 8) V32(0,0)<1> V32(1,0)<1> V32(2,0)<8;8,1> 0x1:ud",
         "[8@0 NM] g32.0.0<0;0,1> g32.1.0<0;0,1> g32.2.0<8;8,1> #ud:1"},
        {VISAGE_OP_BFI, "bfi (M1, 8) V32(0,0)<1> 1:ud 2:ud 3:ud V32(0,0)<8;8,1>",
         "[8@0] g32.0.0<0;0,1> #ud:1 #ud:2 #ud:3 g32.0.0<8;8,1>"},
        {VISAGE_OP_SRND, "srnd (M1, 8) V32(0,0)<1> V32(0,0)<8;8,1> V32(0,0)<8;8,1>",
         "[8@0] g32.0.0<0;0,1> g32.0.0<8;8,1> g32.0.0<8;8,1>"},
        {VISAGE_OP_FCVT, "fcvt (M1, 8) V32(0,0)<1> V33(0,0)<8;8,1>",
         "[8@0] g32.0.0<0;0,1> g33.0.0<8;8,1>"},
        {VISAGE_OP_ADD3O, "add3.o (M1, 8) V34(0,0)<1> V34(0,0)<8;8,1> 1:d 2:d",
         "[8@0] g34.0.0<0;0,1> g34.0.0<8;8,1> #d:1 #d:2"},
        {VISAGE_OP_ADD3, "add3.sat (M1, 8) V34(0,0)<1> V34(0,0)<8;8,1> 1:d 2:d",
         "[8@0] sat g34.0.0<0;0,1> g34.0.0<8;8,1> #d:1 #d:2"},
        {VISAGE_OP_BFN, "bfn.xd8 (M1, 8) V32(0,0)<1> V32(0,0)<8;8,1> 1:ud 2:ud",
         "[8@0] g32.0.0<0;0,1> g32.0.0<8;8,1> #ud:1 #ud:2 n216"},
        {VISAGE_OP_MAX, "max (M1, 8) V34(0,0)<1> V34(0,0)<8;8,1> 1:d",
         "[8@0] g34.0.0<0;0,1> g34.0.0<8;8,1> #d:1"},
        {VISAGE_OP_CMP, "cmp.ge (M3, 8) P1 V34(0,0)<8;8,1> 0x0:d",
         "[8@8] n3 p1 g34.0.0<8;8,1> #d:0"},
        {VISAGE_OP_CMP, "cmp.lt (M1, 8) V34(0,0)<1> V34(0,0)<8;8,1> 1:d",
         "[8@0] n4 g34.0.0<0;0,1> g34.0.0<8;8,1> #d:1"},
        {VISAGE_OP_DPAS, "dpas.s8.u4.8.8 (M1, 16) V34.0 %null.0 V34.128 V34(1,2)",
         "[16@0] r34.0 r0.0 r34.128 g34.1.2<1;1,0> n134743304"},
        {VISAGE_OP_DPASW, "dpasw.bf.bf.8.1 (M1, 8) V33.0 V33.0 V34.0 V34(0,0)",
         "[8@0] r33.0 r33.0 r34.0 g34.0.0<1;1,0> n17303817"},
    };
    CHECK(state, rows);
}

static void moves(void **state)
{
    static const row rows[] = {
        {VISAGE_OP_MOV, "mov (M1, 8) V34(0,0)<1> r[A0(0),-32]<1,0>:d",
         "[8@0] g34.0.0<0;0,1> i0.0-32<255;1,0>:d"},
        {VISAGE_OP_MOV, "mov (M1, 8) V34(0,0)<1> (-)r[A1(3)]<8;8,1>:F",
         "[8@0] g34.0.0<0;0,1> neg i1.3+0<8;8,1>:f"},
        {VISAGE_OP_MOV, "mov (M1, 8) V34(0,0)<1> r[A1(0),4]<;4,1>:uw",
         "[8@0] g34.0.0<0;0,1> i1.0+4<255;4,1>:uw"},
        {VISAGE_OP_MOV, "mov (M1, 8) V34(0,0)<1> r[A1(0),4]<1>:uw",
         "[8@0] g34.0.0<0;0,1> i1.0+4<255;255,1>:uw"},
        {VISAGE_OP_MOV, "mov (M1, 8) r[A0(2),64]<2>:ud V32(0,0)<8;8,1>",
         "[8@0] i0.2+64<0;0,2>:ud g32.0.0<8;8,1>"},
        {VISAGE_OP_MOV, "mov.sat (M1, 8) V34(0,0)<1> V33(0,0)<8;8,1>",
         "[8@0] sat g34.0.0<0;0,1> g33.0.0<8;8,1>"},
        {VISAGE_OP_MOV, "mov (M1_NM, 1) V32(0,0)<1> P1", "[1@0 NM] g32.0.0<0;0,1> p1"},
        {VISAGE_OP_MOV, "mov (M1, 8) A0(0)<8> A1(0)<8>", "[8@0] a0.0<8> a1.0<8>"},
        {VISAGE_OP_MOV, "mov (M1_NM, 1) %null(0,0)<1> %tsc(0,0)<0;1,0>",
         "[1@0 NM] g0.0.0<0;0,1> g6.0.0<0;1,0>"},
        {VISAGE_OP_MOV, "mov (M1_NM, 1) V32(0,0)<1> %tm(0,4)<0;1,0>",
         "[1@0 NM] g32.0.0<0;0,1> g6.0.4<0;1,0>"},
        {VISAGE_OP_MOV, "mov (M1_NM, 1) V32(0,0)<1> V7(0,5)<0;1,0>",
         "[1@0 NM] g32.0.0<0;0,1> g7.0.5<0;1,0>"},
        {VISAGE_OP_SEL, "(!P1) sel (M1, 8) V33(0,0)<1> 0x3f800000:f V33(0,0)<8;8,1>",
         "[8@0 !p1] g33.0.0<0;0,1> #f:3f800000 g33.0.0<8;8,1>"},
        {VISAGE_OP_SETP, "setp (M1, 16) P1 0xffff:uw", "[16@0] p1 #uw:ffff"},
        {VISAGE_OP_MOVS, "movs (M1_NM, 1) T7(1) 0x3:ud", "[1@0 NM] s0:7.1 #ud:3"},
        {VISAGE_OP_MOVS, "movs (M1_NM, 1) S0(0) V32(0,0)<0;1,0>",
         "[1@0 NM] s1:0.0 g32.0.0<0;1,0>"},
        {VISAGE_OP_MOVS, "movs (M1_NM, 1) V32(0,0)<1> %bss(0)",
         "[1@0 NM] g32.0.0<0;0,1> s0:4.0"},
        {VISAGE_OP_ADDR_ADD, "addr_add (M1_NM, 1) A0(0)<1> &V32[36] V34(0,0)<0;1,0>",
         "[1@0 NM] a0.0<1> &2:32+36 g34.0.0<0;1,0>"},
        {VISAGE_OP_ADDR_ADD, "addr_add (M1, 8) A0(0)<8> &T6 0x0:uw",
         "[8@0] a0.0<8> &0:6+0 #uw:0"},
        {VISAGE_OP_ADDR_ADD, "addr_add (M1, 8) A0(0)<8> &V32-16 -1:w",
         "[8@0] a0.0<8> &2:32-16 #w:ffffffffffffffff"},
        {VISAGE_OP_ADDR_ADD, "addr_add (M1, 8) A0(0)<8> &V32+16 4:w",
         "[8@0] a0.0<8> &2:32+16 #w:4"},
        {VISAGE_OP_ADDR_ADD, "addr_add (M1, 8) A0(0)<8> A1(4)<4> 4:w",
         "[8@0] a0.0<8> a1.4<4> #w:4"},
    };
    CHECK(state, rows);
}

static void logic(void **state)
{
    static const row rows[] = {
        {VISAGE_OP_AND, "and (M1, 16) P1 P2 P1", "[16@0] p1 p2 p1"},
        {VISAGE_OP_NOT, "not (M1, 16) P1 P2", "[16@0] p1 p2"},
        {VISAGE_OP_OR, "or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x4c0:ud",
         "[1@0 NM] g14.0.0<0;0,1> g14.0.0<0;1,0> #ud:4c0"},
        {VISAGE_OP_AND, "and (M1, 8) V32(0,0)<1> V32(0,0)<8;8,1> (~)V32(1,0)<8;8,1>",
         "[8@0] g32.0.0<0;0,1> g32.0.0<8;8,1> not g32.1.0<8;8,1>"},
        {VISAGE_OP_SHL, "shl (M8, 4) V34(0,0)<1> V34(0,0)<4;4,1> ~0:d",
         "[4@28] g34.0.0<0;0,1> g34.0.0<4;4,1> #d:ffffffffffffffff"},
    };
    CHECK(state, rows);
}

static void immediates(void **state)
{
#define MOV(text) "mov (M1, 1) V32(0,0)<1> " text
#define IS(text)  "[1@0] g32.0.0<0;0,1> #" text
    static const row rows[] = {
        {VISAGE_OP_MOV, MOV("-3:w"), IS("w:fffffffffffffffd")},
        {VISAGE_OP_MOV, MOV("0xfffffffd:w"), IS("w:fffffffffffffffd")},
        {VISAGE_OP_MOV, MOV("0xfffffffffffffffd:w"), IS("w:fffffffffffffffd")},
        {VISAGE_OP_MOV, MOV("0xffff:w"), IS("w:ffffffffffffffff")},
        {VISAGE_OP_MOV, MOV("0xffff:uw"), IS("uw:ffff")},
        {VISAGE_OP_MOV, MOV("-1:ub"), IS("ub:ff")},
        {VISAGE_OP_MOV, MOV("0xff:b"), IS("b:ffffffffffffffff")},
        {VISAGE_OP_MOV, MOV("127:B"), IS("b:7f")},
        {VISAGE_OP_MOV, MOV("0x80000000:d"), IS("d:ffffffff80000000")},
        {VISAGE_OP_MOV, MOV("0xffffffff:ud"), IS("ud:ffffffff")},
        {VISAGE_OP_MOV, MOV("4294967295:UD"), IS("ud:ffffffff")},
        {VISAGE_OP_MOV, MOV("0xfffffffffffffffe:q"), IS("q:fffffffffffffffe")},
        {VISAGE_OP_MOV, MOV("-9223372036854775808:q"), IS("q:8000000000000000")},
        {VISAGE_OP_MOV, MOV("18446744073709551615:uq"), IS("uq:ffffffffffffffff")},
        {VISAGE_OP_MOV, MOV("1.5:f"), IS("f:3fc00000")},
        {VISAGE_OP_MOV, MOV("-1.5:f"), IS("f:bfc00000")},
        {VISAGE_OP_MOV, MOV("1:f"), IS("f:1")},
        {VISAGE_OP_MOV, MOV("-1:f"), IS("f:80000001")},
        {VISAGE_OP_MOV, MOV("0x3f800000:f"), IS("f:3f800000")},
        {VISAGE_OP_MOV, MOV("2.5e+1:df"), IS("df:4039000000000000")},
        {VISAGE_OP_MOV, MOV("1e-1:df"), IS("df:3fb999999999999a")},
        {VISAGE_OP_MOV, MOV("0x7ff0000000000000:df"), IS("df:7ff0000000000000")},
        {VISAGE_OP_MOV, MOV("0x3c00:hf"), IS("hf:3c00")},
        {VISAGE_OP_MOV, MOV("1.5:hf"), IS("hf:3e00")},
        {VISAGE_OP_MOV, MOV("-0.25:hf"), IS("hf:b400")},
        {VISAGE_OP_MOV, MOV("0.1:hf"), IS("hf:2e66")},
        {VISAGE_OP_MOV, MOV("0.0:hf"), IS("hf:0")},
        {VISAGE_OP_MOV, MOV("65504.0:hf"), IS("hf:7bff")},
        /* the smallest subnormal, 2^-24; half of it is even; more than half */
        {VISAGE_OP_MOV, MOV("5.9604644775390625e-8:hf"), IS("hf:1")},
        {VISAGE_OP_MOV, MOV("2.98023223876953125e-8:hf"), IS("hf:0")},
        {VISAGE_OP_MOV, MOV("2.9802322387695312500000000000000000000000001e-8:hf"), IS("hf:1")},
        /* halfway between 2048 and 2050, between 2050 and 2052; a little below and above */
        {VISAGE_OP_MOV, MOV("2049.0:hf"), IS("hf:6800")},
        {VISAGE_OP_MOV, MOV("2051.0:hf"), IS("hf:6802")},
        {VISAGE_OP_MOV, MOV("2050.99999999999999999999999999:hf"), IS("hf:6801")},
        {VISAGE_OP_MOV, MOV("2049.00000000000000000000000001:hf"), IS("hf:6801")},
        {VISAGE_OP_MOV, MOV("1.5:bf"), IS("bf:3fc0")},
        {VISAGE_OP_MOV, MOV("-3.0e38:bf"), IS("bf:ff62")},
        {VISAGE_OP_MOV, MOV("1.00390625:bf"), IS("bf:3f80")},
        {VISAGE_OP_MOV, MOV("1.01171875:bf"), IS("bf:3f82")},
        {VISAGE_OP_MOV, MOV("0x3f80:bf"), IS("bf:3f80")},
        {VISAGE_OP_MOV, MOV("0x76543210:v"), IS("v:76543210")},
        {VISAGE_OP_MOV, MOV("0xfedcba98:uv"), IS("uv:fedcba98")},
        {VISAGE_OP_MOV, MOV("0x48403000:vf"), IS("vf:48403000")},
        {VISAGE_OP_MOV, MOV("(1+2*3):d"), IS("d:7")},
        {VISAGE_OP_MOV, MOV("(1 << 4 | 3):d"), IS("d:13")},
        /* '|' before '^' before '&': 6 & (3 | 8), 6 ^ (3 | 8) */
        {VISAGE_OP_MOV, MOV("(6&3|8):d"), IS("d:2")},
        {VISAGE_OP_MOV, MOV("(6^3|8):d"), IS("d:d")},
        {VISAGE_OP_MOV, MOV("(7-2-1):d"), IS("d:4")},
        {VISAGE_OP_MOV, MOV("(-7/2 + -7%4):d"), IS("d:fffffffffffffffa")},
        {VISAGE_OP_MOV, MOV("(1 < 2 ? 5 : 6):d"), IS("d:5")},
        {VISAGE_OP_MOV, MOV("(2 >= 3 ? 5 : 1 == 1 ? 7 : 8):d"), IS("d:7")},
        {VISAGE_OP_MOV, MOV("(!0 + !5):d"), IS("d:1")},
        {VISAGE_OP_MOV, MOV("((2<=2) + (2!=3)*2 + (3>2)*4 + (2>3)*8):d"), IS("d:7")},
        {VISAGE_OP_MOV, MOV("(-1 >> 1):d"), IS("d:ffffffffffffffff")},
        {VISAGE_OP_MOV, MOV("(-1 >>> 60):d"), IS("d:f")},
        {VISAGE_OP_MOV, MOV("(0xffffffffffffffff & 0xff):d"), IS("d:ff")},
        {VISAGE_OP_MOV, MOV("%sizeof(V32):d"), IS("d:100")},
        {VISAGE_OP_MOV, MOV("(%sizeof V35 / 2 + %sizeof A0):d"), IS("d:90")},
        {VISAGE_OP_MOV, MOV("%sizeof(GRF):ud"), IS("ud:20")},
    };
    CHECK(state, rows);
#undef MOV
#undef IS
}

static void flow(void **state)
{
    static const row rows[] = {
        {VISAGE_OP_GOTO, "(!P1) goto (M1, 16) end", "[16@0 !p1] l0"},
        {VISAGE_OP_JMP, "(P1.any) jmp (M1, 1) \"end\"", "[1@0 p1.any] l0"},
        {VISAGE_OP_CALL, "call (M1, 16) other", "[16@0] l0"},
        {VISAGE_OP_RET, "ret (M1, 1)", "[1@0]"},
        {VISAGE_OP_RET, "(P0) ret (M1, 1)", "[1@0]"},
        {VISAGE_OP_FRET, "fret (M1, 16)", "[16@0]"},
        {VISAGE_OP_FCALL, "fcall (M1, 16) mix 5 2", "[16@0] \"mix\" n5 n2"},
        {VISAGE_OP_FCALL, "fcall (M1, 16) \"mix\" 5 2", "[16@0] \"mix\" n5 n2"},
        {VISAGE_OP_IFCALL, "ifcall (M1, 16) V32(0,0)<0;1,0> 1 0",
         "[16@0] g32.0.0<0;1,0> n1 n0"},
        {VISAGE_OP_FADDR, "faddr foo V35(0,0)<1>", "[] \"foo\" g35.0.0<0;0,1>"},
        {VISAGE_OP_SWITCHJMP, "switchjmp (M1, 1) V32(0,0)<0;1,0> (end, other, end)",
         "[1@0] n3 g32.0.0<0;1,0> l0 l1 l0"},
        {VISAGE_OP_FILE, "FILE \"a \\\"b\\\".cl\"", "[] \"a \"b\".cl\""},
        {VISAGE_OP_FILE, ".file \"x.cl\"", "[] \"x.cl\""},
        {VISAGE_OP_LOC, "LOC 12", "[] n12"},
        {VISAGE_OP_LOC, ".loc 0", "[] n0"},
        {VISAGE_OP_LIFETIME_START, "lifetime.start V32", "[] v0:32"},
        {VISAGE_OP_LIFETIME_END, "lifetime.end A1", "[ x10] v1:1"},
        {VISAGE_OP_LIFETIME_END, "lifetime.end P2", "[ x20] v2:2"},
    };
    CHECK(state, rows);
}

static void surfaces(void **state)
{
    static const row rows[] = {
        {VISAGE_OP_OWORD_LD, "oword_ld (4) T6 0x2:ud V32.0", "[] n2 n0 t6 #ud:2 r32.0"},
        {VISAGE_OP_OWORD_LD_UNALIGNED, "oword_ld_unaligned.mod (8) T6 0x2:ud V32.32",
         "[] n3 n1 t6 #ud:2 r32.32"},
        {VISAGE_OP_OWORD_ST, "oword_st (1) T6 V32(0,0)<0;1,0> V33.0",
         "[] n0 t6 g32.0.0<0;1,0> r33.0"},
        {VISAGE_OP_MEDIA_LD, "media_ld.nomod (32,2) T6 0 0x1:ud V32(0,0)<0;1,0> V33.0",
         "[] n0 t6 n0 n32 n2 #ud:1 g32.0.0<0;1,0> r33.0"},
        {VISAGE_OP_MEDIA_ST, "media_st.top (4, 8) T6 1 0x1:ud 0x2:ud V33.0",
         "[] n2 t6 n1 n4 n8 #ud:1 #ud:2 r33.0"},
        {VISAGE_OP_GATHER, "gather.2 (M5, 16) T6 0x0:ud V32.0 V33.0",
         "[] n1 n0 n65 t6 #ud:0 r32.0 r33.0"},
        {VISAGE_OP_SCATTER, "scatter.4 (M1_NM, 1) T6 0x0:ud V32.0 V33.0",
         "[] n2 n130 t6 #ud:0 r32.0 r33.0"},
        {VISAGE_OP_GATHER4_SCALED, "(P1) gather4_scaled.RB (M1, 16) %slm 0x0:ud V32.0 V33.0",
         "[16@0 p1] n5 n0 t0 #ud:0 r32.0 r33.0"},
        {VISAGE_OP_SCATTER4_SCALED, "scatter4_scaled.rgba (M1, 8) %scratch 0x0:ud V32.0 V33.0",
         "[8@0] n15 n0 t5 #ud:0 r32.0 r33.0"},
        {VISAGE_OP_GATHER_SCALED, "gather_scaled.4 (M1, 16) T6 0x4:ud V32.0 V33.0",
         "[16@0] n0 n2 n0 t6 #ud:4 r32.0 r33.0"},
        {VISAGE_OP_SCATTER_SCALED, "scatter_scaled.1 (M1, 16) TSS 0x4:ud V32.0 V33.0",
         "[16@0] n0 n0 n0 t3 #ud:4 r32.0 r33.0"},
        {VISAGE_OP_GATHER4_TYPED,
         "gather4_typed.G (M1, 8) T6 V34.0 V34.32 %null.0 %null.0 V33.0",
         "[8@0] n2 t6 r34.0 r34.32 r0.0 r0.0 r33.0"},
        {VISAGE_OP_SCATTER4_TYPED, "scatter4_typed.RGBA (M1, 8) T6 V34.0 V34 %null %null V33.0",
         "[8@0] n15 t6 r34.0 r34.0 r0.0 r0.0 r33.0"},
        {VISAGE_OP_TYPED_ATOMIC,
         "typed_atomic.add (M1, 8) T6 V34.0 V34.32 %null.0 %null.0 V32.0 %null.0 V33.0",
         "[8@0] n0 t6 r34.0 r34.32 r0.0 r0.0 r32.0 r0.0 r33.0"},
        {VISAGE_OP_DWORD_ATOMIC, "dword_atomic.fcmpwr.16 (M1, 8) T6 V32.0 V33.0 V33.32 V34.0",
         "[8@0] n50 t6 r32.0 r33.0 r33.32 r34.0"},
        {VISAGE_OP_QW_GATHER, "qw_gather.2 (M1, 8) T6 V32.0 V35.0", "[8@0] n1 t6 r32.0 r35.0"},
        {VISAGE_OP_QW_SCATTER, "qw_scatter.4 (M1, 8) T6 V32.0 V35.0",
         "[8@0] n2 t6 r32.0 r35.0"},
    };
    CHECK(state, rows);
}

static void svm(void **state)
{
    static const row rows[] = {
        {VISAGE_OP_SVM_BLOCK_LD, "svm_block_ld (4) V35(0,0)<0;1,0> V32.0",
         "[] n2 g35.0.0<0;1,0> r32.0"},
        {VISAGE_OP_SVM_BLOCK_ST, "svm_block_st.unaligned (1) V35(0,0)<0;1,0> V32.0",
         "[] n8 g35.0.0<0;1,0> r32.0"},
        {VISAGE_OP_SVM_GATHER, "(P1) svm_gather.4.2 (M1, 8) V35.0 V32.0",
         "[8@0 p1] n1 n1 r35.0 r32.0"},
        {VISAGE_OP_SVM_SCATTER, "svm_scatter.8.1 (M1, 8) V35.0 V32.0",
         "[8@0] n2 n0 r35.0 r32.0"},
        {VISAGE_OP_SVM_SCATTER, "svm_scatter.1.4 (M1, 8) V35.0 V32.0",
         "[8@0] n0 n2 r35.0 r32.0"},
        /* the text has the destination second, the bytes have it last */
        {VISAGE_OP_SVM_ATOMIC, "svm_atomic.cmpxchg (M1, 8) V35.0 V32.0 V33.0 V34.0",
         "[8@0] n7 r35.0 r33.0 r34.0 r32.0"},
        {VISAGE_OP_SVM_ATOMIC, "svm_atomic.inc.64 (M1, 8) V35.0 V32.0 %null.0 %null.0",
         "[8@0] n66 r35.0 r0.0 r0.0 r32.0"},
        {VISAGE_OP_SVM_ATOMIC, "svm_atomic.maxsint.32 (M1, 8) V35.0 %null.0 V33.0 %null.0",
         "[8@0] n12 r35.0 r33.0 r0.0 r0.0"},
        {VISAGE_OP_SVM_GATHER4_SCALED, "svm_gather4scaled.RGB (M1, 8) 0x0:uq V35.0 V32.0",
         "[8@0] n7 n0 #uq:0 r35.0 r32.0"},
        {VISAGE_OP_SVM_SCATTER4_SCALED,
         "svm_scatter4scaled.A (M1, 8) V35(0,0)<0;1,0> V35.0 V32.0",
         "[8@0] n8 n0 g35.0.0<0;1,0> r35.0 r32.0"},
    };
    CHECK(state, rows);
}

static void sampler(void **state)
{
    static const row rows[] = {
        {VISAGE_OP_SAMPLE_LZ, "sample_lz.RGBA (M1, 16)  0x0:uw S0 T6 V33.0 V33.64 V34.0",
         "[16@0] n15 #uw:0 z0 t6 r33.0 n2 r33.64 r34.0"},
        {VISAGE_OP_SAMPLE_D_C, "(P1) sample_d_c.cps.divS.R (M1, 8) 0x1:uw S31 T6 V33.0 V33.64",
         "[8@0 p1 x600] n1 #uw:1 z31 t6 r33.0 n1 r33.64"},
        {VISAGE_OP_LOAD_LZ,
         "load_lz.pixel_null_mask.RG (M1, 8) 0x0:uw T6 V33.0 V34.0 V34.32 V34.64",
         "[8@0 x100] n3 #uw:0 t6 r33.0 n3 r34.0 r34.32 r34.64"},
        {VISAGE_OP_SAMPLE4, "sample4.B (M1, 8) 0x0:uw S0 T6 V33.0 V34.0",
         "[8@0] n2 #uw:0 z0 t6 r33.0 n1 r34.0"},
        {VISAGE_OP_SAMPLE4_PO_C, "sample4_po_c.A (M1, 8) 0x0:uw S0 T6 V33.0 V34.0",
         "[8@0] n3 #uw:0 z0 t6 r33.0 n1 r34.0"},
        {VISAGE_OP_RESINFO, "resinfo.RGBA (M1, 8) T6 V34.0 V33.0", "[8@0] n15 t6 r34.0 r33.0"},
        {VISAGE_OP_SAMPLEINFO, "sampleinfo.R (M1, 8) T6 V33.0", "[8@0] n1 t6 r33.0"},
        {VISAGE_OP_SAMPLE, "sample.RG (16) S0 T6 V33.0 V33.32 V33.64 V34.0",
         "[] n19 z0 t6 r33.0 r33.32 r33.64 r34.0"},
        {VISAGE_OP_LOAD, "load.A T6 V34.0 V34.0 V34.0 V33.0",
         "[] n8 t6 r34.0 r34.0 r34.0 r33.0"},
        {VISAGE_OP_SAMPLE_UNORM, "sample_unorm.RGBA.8-full S0 T6 0x0:f 0x1:f 0x2:f 0x3:f V32.0",
         "[] n47 z0 t6 #f:0 #f:1 #f:2 #f:3 r32.0"},
        /* surface before sampler in the text, after it in the bytes */
        {VISAGE_OP_AVS,
         "avs.RGBA T6 S0 0x0:f 0x1:f 0x2:f 0x3:f 0x4:f 0x5:ud 0x6:ud AVS_8_DOWN_SAMPLE 0x7:f "
         "AVS_16x8 0x0:ub V32.0",
         "[] n15 z0 t6 #f:0 #f:1 #f:2 #f:3 #f:4 #ud:5 #ud:6 n3 #f:7 n2 #ub:0 r32.0"},
        {VISAGE_OP_VME_IME, "vme_ime (1, 2) T6 V32.0 V32.32 V33.0 V33.32 V34.0 V34.32",
         "[] n1 n2 r32.0 r32.32 t6 r33.0 r33.32 r34.0 r34.32"},
        {VISAGE_OP_VME_SIC, "vme_sic T6 V32.0 V33.0 V34.0", "[] r32.0 r33.0 t6 r34.0"},
        {VISAGE_OP_VME_FBR, "vme_fbr (0x1:ud, 0x2:ud, V32(0,0)<0;1,0>) T6 V32.0 V33.0 V34.0",
         "[] r32.0 r33.0 t6 #ud:1 #ud:2 g32.0.0<0;1,0> r34.0"},
        {VISAGE_OP_RT_WRITE, "rt_write_3d (M1, 8) T6 %null.0 V33.0 V33.32 V33.64 V33.96",
         "[8@0] n0 t6 r0.0 r33.0 r33.32 r33.64 r33.96"},
        {VISAGE_OP_RT_WRITE,
         "(P1) rt_write_3d.<RTI><A><Z> (M1, 8) T6 V32.0 0x1:ud V32.32 V33.0 V33.32 V33.64 "
         "V33.96 V34.0",
         "[8@0 p1] n44 t6 r32.0 #ud:1 r32.32 r33.0 r33.32 r33.64 r33.96 r34.0"},
        {VISAGE_OP_URB_WRITE, "urb_write_3d (M1, 8) 4 16 %null.0 V32.0 V32.32 V33.0",
         "[8@0] n4 r0.0 n16 r32.0 r32.32 r33.0"},
    };
    CHECK(state, rows);
}

static void synchronization(void **state)
{
    static const row rows[] = {
        {VISAGE_OP_BARRIER, "barrier", "[]"},
        {VISAGE_OP_CACHE_FLUSH, "sampler_cache_flush", "[]"},
        {VISAGE_OP_YIELD, "yield", "[]"},
        {VISAGE_OP_WAIT, "wait 0x1:ub", "[] #ub:1"},
        {VISAGE_OP_SBARRIER_SIGNAL, "sbarrier.signal", "[]"},
        {VISAGE_OP_SBARRIER_WAIT, "sbarrier.wait", "[]"},
        {VISAGE_OP_NBARRIER_SIGNAL, "nbarrier.signal 0x1:b 0x4:b", "[] #b:1 #b:4"},
        {VISAGE_OP_NBARRIER_WAIT, "nbarrier.wait 3:ub", "[] #ub:3 #ub:3"},
        {VISAGE_OP_FENCE_GLOBAL, "fence_global.E", "[ x1]"},
        {VISAGE_OP_FENCE_GLOBAL, "fence_global.ESR", "[ x15]"},
        {VISAGE_OP_FENCE_LOCAL, "fence_local.EISCRL1", "[ x5f]"},
        {VISAGE_OP_FENCE_LOCAL, "fence_local.", "[]"},
        {VISAGE_OP_FENCE_LOCAL, "fence_local", "[]"},
        {VISAGE_OP_FENCE_SW, "fence_sw", "[]"},
        {VISAGE_OP_LSC_FENCE, "lsc_fence.ugm.evict.gpu", "[1@0 NM] n0 n1 n3"},
        {VISAGE_OP_LSC_FENCE, "lsc_fence.tgm.flushl3.sysacq", "[1@0 NM] n2 n5 n6"},
        {VISAGE_OP_RAW_SEND, "(P1) raw_send (M1, 8) 0xa 1 2 0x214a0000:ud V32.0 V33.0",
         "[8@0 p1] n10 n1 n2 #ud:214a0000 r32.0 r33.0"},
        {VISAGE_OP_RAW_SENDC, "raw_sendc (M1, 8) 0xa 1 2 V32(0,0)<0;1,0> V32.0 %null.0",
         "[8@0] n10 n1 n2 g32.0.0<0;1,0> r32.0 r0.0"},
        {VISAGE_OP_RAW_SENDS, "raw_sends.12.2.1.4 (M1, 8) 0x0:ud 0x1:ud V32.0 V33.0 V34.0",
         "[8@0] n2 n1 n4 n12 #ud:0 #ud:1 r32.0 r33.0 r34.0"},
        {VISAGE_OP_RAW_SENDS, "raw_sends_eot.12.2.1.4 (M1, 8) 0x0:ud 0x1:ud V32.0 V33.0 V34.0",
         "[8@0 x2] n2 n1 n4 n12 #ud:0 #ud:1 r32.0 r33.0 r34.0"},
        {VISAGE_OP_RAW_SENDS, "raw_sends.12.eot.2.1.4 (M1, 8) 0x0:ud 0x1:ud V32.0 V33.0 V34.0",
         "[8@0 x2] n2 n1 n4 n12 #ud:0 #ud:1 r32.0 r33.0 r34.0"},
        {VISAGE_OP_RAW_SENDSC, "raw_sendsc.2.1.4 (M1, 8) 0x0:ud 0x1:ud V32.0 V33.0 V34.0",
         "[8@0] n2 n1 n4 n0 #ud:0 #ud:1 r32.0 r33.0 r34.0"},
        {VISAGE_OP_RAW_SENDSC, "raw_sendsc.12.2.1.4 (M1, 8) 0x0:ud 0x1:ud V32.0 V33.0 V34.0",
         "[8@0] n2 n1 n4 n12 #ud:0 #ud:1 r32.0 r33.0 r34.0"},
    };
    CHECK(state, rows);
}

static void lsc(void **state)
{
    static const row rows[] = {
        /* sfid l1 l3 model scale offset a-size d-size order elements channels surface ... */
        {VISAGE_OP_LSC_LOAD, "lsc_load.ugm (M1, 32)  V33:d32  flat[V35]:a64",
         "[32@0] n0 n0 n0 n1 n1 n0 n3 n3 n1 n1 n1 #ud:0 r33.0 r35.0 r0.0 r0.0"},
        {VISAGE_OP_LSC_LOAD, "(P1) lsc_load.slm.ca (M1, 16) V33.64:u32x4 [0x4*V32.32-0x10]:a32",
         "[16@0 p1] n3 n2 n0 n1 n4 n18446744073709551600 n2 n3 n1 n4 n4 #ud:0 r33.64 r32.32 "
         "r0.0 r0.0"},
        {VISAGE_OP_LSC_LOAD,
         "lsc_load.ugm.ca.uc (M1_NM, 1) V33:d64x8t ss(V32(0,1))[V32+4*8-2]:a32",
         "[1@0 NM] n0 n2 n1 n3 n1 n30 n2 n4 n2 n5 n5 g32.0.1<0;1,0> r33.0 r32.0 r0.0 r0.0"},
        {VISAGE_OP_LSC_LOAD, "lsc_load.ugm (M1, 16) %null:d16c32h bti(0xA0)[V32]:a16",
         "[16@0] n0 n0 n0 n4 n1 n0 n1 n7 n1 n1 n1 #ud:a0 r0.0 r32.0 r0.0 r0.0"},
        {VISAGE_OP_LSC_LOAD, "lsc_load.ugml (M1_NM, 1) V33:d8u32t bss(V32.4)[V32]:a32",
         "[1@0 NM] n1 n0 n0 n2 n1 n0 n2 n5 n2 n1 n1 g32.0.4<0;1,0> r33.0 r32.0 r0.0 r0.0"},
        {VISAGE_OP_LSC_LOAD, "lsc_load.ugm (M1_NM, 1) V33:d32t arg[V32]:a32",
         "[1@0 NM] n0 n0 n0 n5 n1 n0 n2 n3 n2 n1 n1 #ud:0 r33.0 r32.0 r0.0 r0.0"},
        {VISAGE_OP_LSC_STORE, "lsc_store.ugm.wb.wb (M1, 16)  flat[V35]:a64  V33:d32x2",
         "[16@0] n0 n3 n3 n1 n1 n0 n3 n3 n1 n2 n2 #ud:0 r0.0 r35.0 r33.0 r0.0"},
        {VISAGE_OP_LSC_STORE_UNCOMPRESSED,
         "lsc_store_uncompressed.ugm (M1, 16) flat[V35]:a64 V33:d32",
         "[16@0] n0 n0 n0 n1 n1 n0 n3 n3 n1 n1 n1 #ud:0 r0.0 r35.0 r33.0 r0.0"},
        {VISAGE_OP_LSC_LOAD_QUAD, "lsc_load_quad.ugm (M1, 16) V33:d32.xzw flat[V35]:a64",
         "[16@0] n0 n0 n0 n1 n1 n0 n3 n3 n1 n13 n13 #ud:0 r33.0 r35.0 r0.0 r0.0"},
        {VISAGE_OP_LSC_LOAD_STRIDED, "lsc_load_strided.ugm (M1, 16) V33:d32 flat[V35,0x10]:a64",
         "[16@0] n0 n0 n0 n1 n1 n0 n3 n3 n1 n1 n1 #ud:0 r33.0 r35.0 #ud:10 r0.0"},
        {VISAGE_OP_LSC_LOAD_STRIDED, "lsc_load_strided.ugm (M1, 16) V33:d32 flat[V35]:a64",
         "[16@0] n0 n0 n0 n1 n1 n0 n3 n3 n1 n1 n1 #ud:0 r33.0 r35.0 g0.0.0<0;1,0> r0.0"},
        {VISAGE_OP_LSC_STORE_STRIDED,
         "lsc_store_strided.ugm (M1, 16) flat[V35+16, V32(0,3)]:a64 V33:d32",
         "[16@0] n0 n0 n0 n1 n1 n16 n3 n3 n1 n1 n1 #ud:0 r0.0 r35.0 g32.0.3<0;1,0> r33.0"},
        /* sfid l1 l3 d-size order blocks width height vnni dst base ... */
        {VISAGE_OP_LSC_LOAD_BLOCK2D,
         "lsc_load_block2d.ugm (M1, 1) V33:d16.2x16x8nt flat[V35,0x1F,V32(0,1),V32.2,V32,0x3]",
         "[1@0] n0 n0 n0 n2 n1 n2 n16 n8 n1 r33.0 g35.0.0<0;1,0> #ud:1f g32.0.1<0;1,0> "
         "g32.0.2<0;1,0> g32.0.0<0;1,0> #ud:3 r0.0"},
        {VISAGE_OP_LSC_STORE_BLOCK2D,
         "lsc_store_block2d.ugm (M1, 1) flat[V35,V32,V32,V32,V32,V32] V33:d32.8x4",
         "[1@0] n0 n0 n0 n3 n1 n1 n8 n4 n0 r0.0 g35.0.0<0;1,0> g32.0.0<0;1,0> g32.0.0<0;1,0> "
         "g32.0.0<0;1,0> g32.0.0<0;1,0> g32.0.0<0;1,0> r33.0"},
        {VISAGE_OP_LSC_ATOMIC_ICAS,
         "lsc_atomic_icas.ugm.uc.wb (M1, 16) V33:d32 flat[V35]:a64 V32 V32.64",
         "[16@0] n0 n1 n3 n1 n1 n0 n3 n3 n1 n1 n1 #ud:0 r33.0 r35.0 r32.0 r32.64"},
        {VISAGE_OP_LSC_ATOMIC_IINC,
         "lsc_atomic_iinc.slm (M1, 16) %null:d32 flat[V32]:a32 %null %null",
         "[16@0] n3 n0 n0 n1 n1 n0 n2 n3 n1 n1 n1 #ud:0 r0.0 r32.0 r0.0 r0.0"},
        {VISAGE_OP_LSC_APNDCTR_ATOMIC_ADD,
         "lsc_apndctr_atomic_add.ugm (M1, 16) V33:d32 bti(0xA0) V32:d32",
         "[16@0] n0 n0 n0 n4 n3 n1 n1 n1 #ud:a0 r33.0 r32.0"},
        /* l1 l3 model a-size d-size order elements channels surface dst u v r lod src1 src2 */
        {VISAGE_OP_LSC_TYPED_LOAD_QUAD,
         "lsc_load_quad.tgm (M1, 16) V33:d32.xyzw bti(0x4)[V34,V34.64]:a32",
         "[16@0] n0 n0 n4 n2 n3 n1 n15 n15 #ud:4 r33.0 r34.0 r34.64 r0.0 r0.0 r0.0 r0.0"},
        {VISAGE_OP_LSC_TYPED_STORE_QUAD,
         "lsc_store_quad.tgm.uc.uc (M1, 16) ss(V32)[V34, V34, %null, %null]:a32 V33:d32.x",
         "[16@0] n1 n1 n3 n2 n3 n1 n1 n1 g32.0.0<0;1,0> r0.0 r34.0 r34.0 r0.0 r0.0 r33.0 r0.0"},
        {VISAGE_OP_LSC_TYPED_ATOMIC_IADD,
         "lsc_atomic_iadd.tgm (M1, 16) V33:d32 bss(V32)[V34]:a32 V32 %null",
         "[16@0] n0 n0 n2 n2 n3 n1 n1 n1 g32.0.0<0;1,0> r33.0 r34.0 r0.0 r0.0 r0.0 r32.0 r0.0"},
    };
    CHECK(state, rows);
}

/* LSC pages, Text: [ ( ExecSize ) ]; what stands for it: CISA.y, lscCheckExecSize. */
static void sizes_left_out(void **state)
{
    static const struct {
        const char *text;
        visage_platform platform;
        unsigned size;
    } rows[] = {
        {"lsc_store.ugm flat[V35]:a64 V34:d32", VISAGE_PLATFORM_DG2, 16},
        {"lsc_store.ugm flat[V35]:a64 V34:d32", VISAGE_PLATFORM_PVC, 32},
        {"lsc_load_quad.tgm V34:d32.xyzw bti(0x4)[V32,V32]:a32", VISAGE_PLATFORM_DG2, 8},
        {"lsc_load_quad.tgm V34:d32.xyzw bti(0x4)[V32,V32]:a32", VISAGE_PLATFORM_PVC, 16},
        {"lsc_load.ugm V34:d32x8t flat[V35]:a64", VISAGE_PLATFORM_NONE, 1},
        {"lsc_load_block2d.ugm V34:d32.8x8 flat[V35,V32,V32,V32,V32,V32]", VISAGE_PLATFORM_NONE,
         1},
        {".kernel_attr SimdSize=16\nlsc_load.ugm (M1, %DispatchSimd / 2) V34:d32 flat[V35]:a64",
         VISAGE_PLATFORM_NONE, 8},
    };
    fixture *f = *state;
    char text[4096];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        (void)snprintf(text, sizeof text, "%s%s\n", prolog, rows[i].text);
        assert_int_equal(read_as(f, text, strlen(text), rows[i].platform, NULL), VISAGE_OK);
        const vsg_obj_inst *inst = &f->module->units[0]->insts[0];
        assert_int_equal(inst->exec_size, rows[i].size);
        assert_int_equal(inst->mask_offset, 0);
        assert_false(inst->no_mask);
    }
}

static void columns(void **state)
{
    char text[4096];

    (void)snprintf(text, sizeof text,
                   "%s\t(P1) add  (M1, 8) V34(0,0)<1>  (-)V34(0,0)<8;8,1> 5:d // x", prolog);
    const vsg_obj_unit *unit = read_good(*state, text);
    const vsg_obj_inst *inst = &unit->insts[0];
    static const uint16_t expected[][2] = {{20, 31}, {33, 51}, {52, 55}};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(inst->operands[i].begin_column, expected[i][0]);
        assert_int_equal(inst->operands[i].end_column, expected[i][1]);
    }
    assert_int_equal(inst->place.column, 2);
    assert_int_equal(inst->place.end_column, 55);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(arithmetic, set_up, tear_down),
        cmocka_unit_test_setup_teardown(moves, set_up, tear_down),
        cmocka_unit_test_setup_teardown(logic, set_up, tear_down),
        cmocka_unit_test_setup_teardown(immediates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(flow, set_up, tear_down),
        cmocka_unit_test_setup_teardown(surfaces, set_up, tear_down),
        cmocka_unit_test_setup_teardown(svm, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sampler, set_up, tear_down),
        cmocka_unit_test_setup_teardown(synchronization, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lsc, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sizes_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(columns, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
