/* SPDX-License-Identifier: MIT
 *
 * Instructions in bytes: text, and the bytes it stands for in the compiler's layout and, where
 * they differ, in the documented one. Expected bytes are worked out from spec dialect 2 (Worked
 * bytes), opcodes.tsv, 5_operands and the pages of the instructions. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "binary_support.h"

/* ---- expected bytes --------------------------------------------------------------------- */

typedef struct expected {
    uint8_t bytes[512];
    size_t size;
} expected;

static void add(expected *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        out->bytes[out->size++] = (uint8_t)(value >> 8 * i);
}

static void add_general(expected *out, uint64_t id, unsigned region)
{
    add(out, 0, 1);
    add(out, id, 4);
    add(out, 0, 2);
    add(out, region, 2);
}

/* Pairs of hexadecimal digits, and for operands of variable n at its start: Dn destination <1>,
 * Sn scalar <0;1,0>, Vn vector <8;8,1>, Rn raw, Pn predicate n, Nt.v immediate v (hexadecimal)
 * of type t (two digits). */
static expected expand(const char *text)
{
    expected out = {.size = 0};

    while (*text) {
        char c = *text;
        char *end;
        if (c == ' ' || c == '|') {
            text++;
            continue;
        }
        if (strchr("DSVRP", c)) {
            uint64_t id = strtoull(text + 1, &end, 10);
            text = end;
            if (c == 'R') {
                add(&out, id, 4);
                add(&out, 0, 2);
            } else if (c == 'P') {
                add(&out, 2, 1);
                add(&out, id, 2);
            } else {
                add_general(&out, id, c == 'D' ? 0x200 : c == 'S' ? 0x121 : 0x255);
            }
            continue;
        }
        if (c == 'N') {
            add(&out, 5, 1);
            add(&out, strtoull(text + 1, &end, 16), 1);
            add(&out, strtoull(end + 1, &end, 16), 4);
            text = end;
            continue;
        }
        char digits[3] = {text[0], text[1], '\0'};
        add(&out, strtoull(digits, &end, 16), 1);
        assert_true(end == digits + 2);
        text += 2;
    }
    return out;
}

typedef struct sample {
    const char *text;
    const char *igc;
    const char *doc; /* NULL: the same */
} sample;

/* Variables of the prolog: V32 ud, V33 f, V34 d, V35 uq. */
static const sample samples[] = {
    /* spec dialect 2, Worked bytes */
    {"or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x4c0:ud", "21 80 0000 D14 S14 N00.4c0",
     NULL},
    {"(P1) goto (M1, 32) L", "6c 05 0100 0000", NULL},
    {"(!P1.all) jmp (M1, 1) L", "32 00 01c0 0000", NULL},
    {"cmp.eq (M3, 8) P1 V34(0,0)<8;8,1> 0x0:d", "2c 23 00 P1 V34 N01.0", NULL},
    {"setp (M1, 16) P1 0xffff:uw", "2b 04 P1 N02.ffff", NULL},
    {"and (M1, 16) P1 P2 P1", "20 04 0000 P1 P2 P1", NULL},
    {"movs (M1_NM, 1) T6(0) V34(0,0)<0;1,0>", "2d 80 06 00 0600 00 S34", NULL},
    {"addr_add (M1_NM, 1) A0(0)<1> &V34[36] 0x4:uw",
     "28 80 01 0000 00 00 | 00 22000000 01 01 2101 | N02.4", NULL},
    {"addr_add (M1_NM, 1) A0(0)<1> &T6 0x0:uw", "28 80 01 0000 00 00 | 06 00 0600 00 | N02.0",
     NULL},
    {"mov (M1, 1) V34(0,0)<1> r[A0(0),-32]<1,0>:d", "29 00 0000 D34 03 0000 00 e0ff 01 2001",
     NULL},
    {"lsc_load.ugm (M1, 32) V34:d32 flat[V35]:a64",
     "89 00 05 0000 00 00 00 01 0100 00000000 03 03 01 01 01 N00.0 R34 R35 R0 R0", NULL},
    {"lsc_fence.ugm.evict.gpu", "8b 80 0000 00 01 03", NULL},
    {"switchjmp (M1, 1) V34(0,0)<0;1,0> (L, M, L)", "69 00 03 S34 0000 0100 0000", NULL},
    {"resinfo.RGBA (M1, 8) T6 V34.0 V32.0", "70 0a 03 0f 06 R34 R32", "70 0a00 03 06 R34 R32"},
    {"sampleinfo.RGBA (M1, 8) T6 V34.0", "70 0b 03 0f 06 R34", "70 0b00 03 06 R34"},
    {"dpas.s8.u4.8.8 (M1, 8) V34.0 V34.0 V32.0 V32(0,0)",
     "83 03 R34 R34 R32 00 20000000 00 00 2201 08 05 08 08", NULL},
    {"nbarrier.wait 3:ub", "60 00 N04.3 N04.3", "60 00 N04.3 N02.0 N04.3 N04.3"},
    {"raw_sends.12.2.1.4 (M1, 8) 0x1:ud 0x2:ud V32.0 V33.0 V34.0",
     "7a 00 03 0000 02 01 04 0c N00.1 N00.2 R32 R33 R34", NULL},
    {"svm_block_ld (4) V35(0,0)<0;1,0> V32.0", "4e 01 02 S35 R32", NULL},
    {"rt_write_3d.<LRTW> (M1, 8) T6 V32.0 V33.0 V33.0 V33.0 V33.0",
     "71 03 0000 8000 06 R32 R33 R33 R33 R33", "71 03 0000 8000 06 R32 04 R33 R33 R33 R33"},

    /* differences of the layouts */
    {"resinfo.RG (M1, 16) T6 V34.0 V32.0", "70 0a 04 03 06 R34 R32", "70 0a0c 04 06 R34 R32"},
    {"srnd (M1, 16) V32(0,0)<1> V33(0,0)<8;8,1> V32(0,0)<8;8,1>", "1e 04 D32 V33 V32",
     "1e 04 0000 D32 V33 V32"},
    {"nbarrier.signal 3:ub 8:ub", "60 01 N04.3 N04.8", "60 01 N04.3 N02.0 N04.8 N04.8"},
    {"rt_write_3d.<A><RTI><Z> (M1, 8) T6 %null.0 0x1:ub V34.0 V33.0 V33.0 V33.0 V33.0 V32.0",
     "71 03 0000 2c00 06 R0 N04.1 R34 R33 R33 R33 R33 R32",
     "71 03 0000 2c00 06 R0 N04.1 06 R34 R33 R33 R33 R33 R32"},
    {"(P1.any) jmp (M1, 16) L", "32 00 0120 0000", "32 04 0120 0000"},

    /* operands: 5_operands, spec dialect 3 */
    {"mov (M5_NM, 8) V34(1,2)<2> (-abs)V34(3,4)<4;4,1>",
     "29 c3 0000 00 22000000 01 02 0003 | 18 22000000 03 04 4402", NULL},
    {"add.sat (M1, 16) V33(0,0)<1> (-)V33(0,0)<8;8,1> 0x3f800000:f",
     "01 04 0000 20 21000000 00 00 0002 | 10 21000000 00 00 5502 | N07.3f800000", NULL},
    {"not (M1, 16) V34(0,0)<1> (~)V34(0,0)<0;1,0>", "23 04 0000 D34 28 22000000 00 00 2101",
     NULL},
    {"mov (M1, 8) r[A1(2),8]<2>:w r[A0(0),0]<8;8,1>:uw",
     "29 03 0000 03 0100 02 0800 03 0003 | 03 0000 00 0000 02 5502", NULL},
    {"mov (M1, 8) V34(0,0)<1> -3:w", "29 03 0000 D34 05 03 fdffffff", NULL},
    {"mov (M1, 1) V35(0,0)<1> 0x123456789abcdef:uq", "29 00 0000 D35 05 0b efcdab8967452301",
     NULL},
    {"mov (M1, 8) V34(0,0)<1> 0x76543210:v", "29 03 0000 D34 N08.76543210", NULL},
    {"addr_add (M1, 8) A0(0)<8> A1(4)<4> V32(0,0)<8;8,1>",
     "28 03 01 0000 00 03 | 01 0100 04 02 | V32", NULL},

    /* operations that no kernel at hand has */
    {"avg (M1, 16) V34(0,0)<1> V34(0,0)<8;8,1> V34(0,0)<8;8,1>", "02 04 0000 D34 V34 V34",
     NULL},
    {"dp2 (M1, 16) V33(0,0)<1> V33(0,0)<8;8,1> V33(0,0)<8;8,1>", "04 04 0000 D33 V33 V33",
     NULL},
    {"dp3 (M1, 16) V33(0,0)<1> V33(0,0)<8;8,1> V33(0,0)<8;8,1>", "05 04 0000 D33 V33 V33",
     NULL},
    {"dp4 (M1, 16) V33(0,0)<1> V33(0,0)<8;8,1> V33(0,0)<8;8,1>", "06 04 0000 D33 V33 V33",
     NULL},
    {"dph (M1, 16) V33(0,0)<1> V33(0,0)<8;8,1> V33(0,0)<8;8,1>", "07 04 0000 D33 V33 V33",
     NULL},
    {"line (M1, 16) V33(0,0)<1> V33(0,0)<0;1,0> V33(0,0)<8;8,1>", "0a 04 0000 D33 S33 V33",
     NULL},
    {"lrp (M1, 16) V33(0,0)<1> V33(0,0)<8;8,1> V33(0,0)<8;8,1> V33(0,0)<8;8,1>",
     "0e 04 0000 D33 V33 V33 V33", NULL},
    {"mod (M1, 16) V34(0,0)<1> V34(0,0)<8;8,1> V34(0,0)<8;8,1>", "0f 04 0000 D34 V34 V34",
     NULL},
    {"sad2 (M1, 16) V34(0,0)<1> V34(0,0)<8;8,1> V34(0,0)<8;8,1>", "16 04 0000 D34 V34 V34",
     NULL},
    {"sad2add (M1, 16) V34(0,0)<1> V34(0,0)<8;8,1> V34(0,0)<8;8,1> V34(0,0)<8;8,1>",
     "6a 04 0000 D34 V34 V34 V34", NULL},
    {"plane (M1, 16) V33(0,0)<1> V33(0,0)<0;1,0> V33(0,0)<8;8,1>", "6b 04 0000 D33 S33 V33",
     NULL},
    {"fcvt (M1, 16) V33(0,0)<1> V33(0,0)<8;8,1>", "1d 04 D33 V33", NULL},
    {"fbh (M1, 16) V32(0,0)<1> V34(0,0)<8;8,1>", "2f 04 0000 D32 V34", NULL},
    {"bfe (M1, 16) V34(0,0)<1> V34(0,0)<8;8,1> V34(0,0)<8;8,1> V34(0,0)<8;8,1>",
     "46 04 0000 D34 V34 V34 V34", NULL},
    {"bfi (M1, 16) V34(0,0)<1> V34(0,0)<8;8,1> V34(0,0)<8;8,1> V34(0,0)<8;8,1> V34(0,0)<8;8,1>",
     "47 04 0000 D34 V34 V34 V34 V34", NULL},
    {"ror (M1, 16) V32(0,0)<1> V32(0,0)<8;8,1> V32(0,0)<8;8,1>", "81 04 0000 D32 V32 V32",
     NULL},
    {"add3.o (M1, 16) V34(0,0)<1> V34(0,0)<8;8,1> V34(0,0)<8;8,1> V34(0,0)<8;8,1>",
     "92 04 0000 D34 V34 V34 V34", NULL},
    {"max (M1, 16) V33(0,0)<1> V33(0,0)<8;8,1> V33(0,0)<8;8,1>", "45 04 01 D33 V33 V33", NULL},
    {"addc (M1, 16) V32(0,0)<1> V32(0,0)<1> V32(0,0)<8;8,1> V32(0,0)<8;8,1>",
     "49 04 0000 D32 D32 V32 V32", NULL},
    {"bfn.xd8 (M1, 16) V32(0,0)<1> V32(0,0)<8;8,1> V32(0,0)<8;8,1> V32(0,0)<8;8,1>",
     "85 04 0000 D32 V32 V32 V32 d8", NULL},
    {"oword_ld (2) T6 0x10:ud V32.0", "35 01 00 06 N00.10 R32", NULL},
    {"oword_ld.mod (4) T6 0x10:ud V32.0", "35 02 01 06 N00.10 R32", NULL},
    {"oword_ld_unaligned (8) T6 V32(0,0)<0;1,0> V32.0", "3c 03 00 06 S32 R32", NULL},
    {"oword_st (1) T6 0x10:ud V32.0", "36 00 06 N00.10 R32", NULL},
    {"media_ld.top (16,2) T6 0 0x1:ud V34(0,0)<0;1,0> V32.0", "37 02 06 00 10 02 N00.1 S34 R32",
     NULL},
    {"media_st.nomod (8,4) T6 0 0x1:ud 0x2:ud V32.0", "38 00 06 00 08 04 N00.1 N00.2 R32",
     NULL},
    {"gather.4 (M1, 16) T6 0x0:ud V32.0 V34.0", "39 02 00 01 06 N00.0 R32 R34", NULL},
    {"scatter.1 (M3_NM, 8) T6 0x0:ud V32.0 V34.0", "3a 00 a0 06 N00.0 R32 R34", NULL},
    {"sample.RGBA (16) S0 T6 V33.0 V33.0 V33.0 V34.0", "40 1f 00 06 R33 R33 R33 R34", NULL},
    {"load.R (8) T6 V34.0 V34.0 V34.0 V32.0", "42 01 06 R34 R34 R34 R32", NULL},
    {"gather4_typed.RG (M1, 8) T6 V32.0 V32.0 %null.0 %null.0 V34.0",
     "4b 03 0000 03 06 R32 R32 R0 R0 R34", NULL},
    {"typed_atomic.add (M1, 8) T6 V32.0 V32.0 %null.0 %null.0 V34.0 %null.0 V34.0",
     "73 00 03 0000 06 R32 R32 R0 R0 R34 R0 R34", NULL},
    {"dword_atomic.cmpxchg (M1, 16) T6 V32.0 V34.0 V34.0 V34.0",
     "7d 07 04 0000 06 R32 R34 R34 R34", NULL},
    {"qw_gather.2 (M1, 8) T6 V32.0 V35.0", "86 03 0000 01 06 R32 R35", NULL},
    {"qw_scatter.1 (M1, 8) T6 V32.0 V35.0", "87 03 0000 00 06 R32 R35", NULL},
    {"svm_block_ld.unaligned (2) V35(0,0)<0;1,0> V32.0", "4e 01 09 S35 R32", NULL},
    {"svm_scatter.8.2 (M1, 8) V35.0 V35.0", "4e 04 03 0000 02 01 R35 R35", NULL},
    {"svm_atomic.add.64 (M1, 8) V35.0 V35.0 V35.0 %null.0", "4e 05 03 0000 40 R35 R35 R0 R35",
     NULL},
    {"svm_gather4scaled.RGB (M1, 8) V35(0,0)<0;1,0> V32.0 V34.0",
     "4e 06 03 0000 07 0000 S35 R32 R34", NULL},
    {"wait V32(0,0)<0;1,0>", "5b S32", NULL},
    {"sampler_cache_flush", "5a", NULL},
    {"yield", "5f", NULL},
    {"barrier", "59", NULL},
    {"sbarrier.signal", "7c 01", NULL},
    {"sbarrier.wait", "7c 00", NULL},
    {"fence_global.EIL1", "5c 43", NULL},
    {"fence_local.E", "5c 21", NULL},
    {"lifetime.start V34", "7b 00 22000000", NULL},
    {"lifetime.end A1", "7b 11 01000000", NULL},
    {"lifetime.end P2", "7b 21 02000000", NULL},
    {"vme_ime (1, 2) T6 V32.0 V33.0 V34.0 V34.0 V34.0 V32.0",
     "54 01 02 R32 R33 06 R34 R34 R34 R32", NULL},
    {"vme_sic T6 V32.0 V33.0 V34.0", "55 R32 R33 06 R34", NULL},
    {"vme_fbr (0x1:ub, 0x2:ub, 0x3:ub) T6 V32.0 V33.0 V34.0",
     "56 R32 R33 06 N04.1 N04.2 N04.3 R34", NULL},
    {"urb_write_3d (M1, 8) 4 7 V32.0 V33.0 V34.0 V32.0", "72 03 0000 04 R32 0700 R33 R34 R32",
     NULL},
    {"sample_3d.RGBA (M1, 8) 0x0:uw S0 T6 V32.0 V33.0 V33.0",
     "6d 0000 03 0000 0f N02.0 00 06 R32 02 R33 R33", NULL},
    {"load_lz.R (M1, 8) 0x0:uw T6 V32.0 V33.0", "6e 1a00 03 0000 01 N02.0 06 R32 01 R33", NULL},
    {"lsc_store.slm (M1, 16) flat[V32+0x10]:a32 V34:d16c32x2",
     "89 04 04 0000 03 00 00 01 0100 10000000 02 06 01 02 02 N00.0 R0 R32 R34 R0", NULL},
    {"lsc_load_quad.tgm.uc.ca (M1, 8) V32:d32.xz bti(0x4)[V33,V34]:a32",
     "8a 02 03 0000 01 02 04 02 03 01 05 05 N00.4 R32 R33 R34 R0 R0 R0 R0", NULL},
    {"lsc_load_block2d.ugm (M1, 1) V32:d16.2x16x8nt flat[V35,V32,V32,V32,V34,V34]",
     "89 03 00 0000 00 00 00 02 01 02 1000 0800 01 R32 S35 S32 S32 S32 S34 S34 R0", NULL},
    {"madw (M1, 16) V32(0,0)<1> V32(0,0)<8;8,1> V32(0,0)<8;8,1> V32(0,0)<8;8,1>",
     "91 04 0000 D32 V32 V32 V32", NULL},
    {"call (M1, 16) M", "33 04 0000 0000", NULL},
    {"LOC 258", "52 02010000", NULL},
};

/* ---- reading and writing ---------------------------------------------------------------- */

static visage_status write_as(fixture *f, const vsg_obj_module *module, vsg_obj_layout layout,
                              vsg_obj_bytes *out)
{
    return vsg_obj_write_binary(module, layout, f->diagnostics, out);
}

static void no_diagnostics(const fixture *f, const char *text)
{
    const visage_diagnostic *found = visage_diagnostics_get(f->diagnostics, 0);

    if (found)
        fail_msg("%s [%s] of %s", found->message, found->code, text);
}

static vsg_obj_module *read_bytes(fixture *f, const vsg_obj_bytes *bytes, const char *text)
{
    vsg_obj_module *module = vsg_obj_create(&f->alloc);
    vsg_obj_binary input = {.name = "k.isa", .data = bytes->data, .size_bytes = bytes->size};

    assert_non_null(module);
    visage_status status = vsg_obj_read_binary(module, &input, f->diagnostics);
    no_diagnostics(f, text);
    assert_int_equal(status, VISAGE_OK);
    assert_int_equal(module->num_units, 1);
    return module;
}

static void compare_bytes(const char *text, const uint8_t *found, size_t size,
                          const expected *wanted)
{
    char hex[2 * sizeof wanted->bytes + 1] = "";

    for (size_t i = 0; i < size && i < sizeof wanted->bytes; i++)
        (void)sprintf(hex + 2 * i, "%02x", found[i]);
    if (size != wanted->size || memcmp(found, wanted->bytes, size) != 0)
        fail_msg("%s: found %s", text, hex);
}

/* The first instruction is the one in question; labels follow it. */
static void check_sample(fixture *f, const sample *s, vsg_obj_layout layout)
{
    char text[4096];
    vsg_obj_bytes bytes, again;

    (void)snprintf(text, sizeof text,
                   "%s.kernel_attr SimdSize=8\n%s\nL:\n.function \"M\"\nM:\nret (M1, 1)\n",
                   prolog, s->text);
    /* Labels have numbers in the order in which they are met. */
    (void)read_good(f, text);
    assert_int_equal(write_as(f, f->module, layout, &bytes), VISAGE_OK);
    no_diagnostics(f, s->text);
    vsg_obj_module *module = read_bytes(f, &bytes, s->text);
    assert_int_equal(module->layout, layout);
    const vsg_obj_unit *unit = module->units[0];
    size_t from = unit->insts[0].place.offset_bytes, to = unit->insts[1].place.offset_bytes;
    bool doc = layout == VSG_OBJ_LAYOUT_DOC;
    expected wanted = expand(doc && s->doc ? s->doc : s->igc);
    compare_bytes(s->text, bytes.data + from, to - from, &wanted);

    comparison c = {unit, f->module->units[0], true, ""};
    if (!same_units(&c) && !(strstr(s->text, "jmp (M1, 16)") && !doc))
        fail_msg("%s: %s", s->text, c.text);
    assert_int_equal(write_as(f, module, VSG_OBJ_LAYOUT_NONE, &again), VISAGE_OK);
    assert_int_equal(again.size, bytes.size);
    assert_memory_equal(again.data, bytes.data, bytes.size);
    vsg_obj_bytes_free(&f->alloc, &again);
    vsg_obj_bytes_free(&f->alloc, &bytes);
    vsg_obj_destroy(&module);
}

static void samples_as_igc(void **state)
{
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        check_sample(*state, &samples[i], VSG_OBJ_LAYOUT_IGC);
}

static void samples_as_doc(void **state)
{
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        check_sample(*state, &samples[i], VSG_OBJ_LAYOUT_DOC);
}

/* A row of &V is a GRF: 64 bytes on PVC (spec dialect 3). */
static void address_on_pvc(void **state)
{
    fixture *f = *state;
    char text[4096];
    vsg_obj_bytes bytes;
    expected wanted = expand("28 80 01 0000 00 00 | 00 22000000 01 02 2101 | N02.0");

    (void)snprintf(text, sizeof text, "%saddr_add (M1_NM, 1) A0(0)<1> &V34[72] 0:uw\n", prolog);
    (void)read_good(f, text);
    f->module->platform = VISAGE_PLATFORM_PVC;
    assert_int_equal(write_as(f, f->module, VSG_OBJ_LAYOUT_IGC, &bytes), VISAGE_OK);
    compare_bytes("&V34[72]", bytes.data + bytes.size - wanted.size, wanted.size, &wanted);
    vsg_obj_module *module = vsg_obj_create(&f->alloc);
    vsg_obj_binary input = {.name = NULL, .data = bytes.data, .size_bytes = bytes.size};
    assert_non_null(module);
    module->platform = VISAGE_PLATFORM_PVC;
    assert_int_equal(vsg_obj_read_binary(module, &input, f->diagnostics), VISAGE_OK);
    assert_int_equal(module->units[0]->insts[0].operands[1].offset_bytes, 72);
    vsg_obj_destroy(&module);
    vsg_obj_bytes_free(&f->alloc, &bytes);
}

/* Functions are named by strings: FCALL, FADDR and FILE pages; spec dialect 2. The pool of a
 * text: 29 names of the compiler's, 4 + 2 + 2 + 1 + 2 variables, then as they are used. */
static void names(void **state)
{
    fixture *f = *state;
    char text[4096];
    vsg_obj_bytes bytes;
    expected wanted = expand("51 28000000 | 67 83 0000 2900 02 01 | 50 2a00 D35 | "
                             "4f 80 0000 S32 02 01 | 68 80 0000");

    (void)snprintf(text, sizeof text,
                   "%sFILE \"a.cl\"\nfcall (M1_NM, 8) foo 2 1\nfaddr bar V35(0,0)<1>\n"
                   "ifcall (M1_NM, 1) V32(0,0)<0;1,0> 2 1\nfret (M1_NM, 1)\n",
                   prolog);
    (void)read_good(f, text);
    assert_int_equal(write_as(f, f->module, VSG_OBJ_LAYOUT_IGC, &bytes), VISAGE_OK);
    assert_true(bytes.size > wanted.size);
    compare_bytes("names", bytes.data + bytes.size - wanted.size, wanted.size, &wanted);
    vsg_obj_module *module = read_bytes(f, &bytes, "names");
    assert_string_equal(module->units[0]->insts[1].operands[0].name, "foo");
    assert_string_equal(module->units[0]->stored.strings[28], "S31");
    vsg_obj_destroy(&module);
    vsg_obj_bytes_free(&f->alloc, &bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(samples_as_igc, set_up, tear_down),
        cmocka_unit_test_setup_teardown(samples_as_doc, set_up, tear_down),
        cmocka_unit_test_setup_teardown(address_on_pvc, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
