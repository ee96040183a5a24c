/* SPDX-License-Identifier: MIT
 *
 * Messages by address and to surfaces, LSC aside. Expected places are the formulas of each
 * instruction's page. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "memory_machine.h"

static const visage_platform platforms[] = {VISAGE_PLATFORM_SKL, VISAGE_PLATFORM_PVC};

static uint32_t grf_bytes(visage_platform platform)
{
    return platform == VISAGE_PLATFORM_PVC ? 64 : 32;
}

static uint32_t place(uint32_t n)
{
    return 96 + n * 11 % 32 * 80;
}

static void put_addresses(machine *m, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        put64(m, VAR_A, n, machine_at(m, place(n)));
}

static void put_offsets(machine *m, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        put32(m, VAR_A, n, place(n));
}

/* Entry 3 is what T6 names; see machine_run(). */
static void bind_t6(machine *m, uint64_t offset, uint64_t size_bytes)
{
    m->launch.surfaces[3] = (vsg_exe_surface){.kind = VSG_EXE_SURFACE_BUFFER,
                                              .address = machine_at(m, offset),
                                              .size_bytes = size_bytes};
}

static const char *data_name(visage_op op)
{
    return vsg_isa_operand(op, "dst") >= 0 ? "dst" : "src";
}

/* ---- what a page's formula says, checked ------------------------------------------------- */

/* Element j of channel i: byte `memory` of the memory, byte `slot` of VAR_B. */
struct element {
    uint32_t memory, slot, memory_bytes, slot_bytes;
};

/* Checks a load into VAR_B or a store from it, and that a load touched nothing else. */
struct check {
    machine *m;
    const uint8_t *base; /* memory the elements count from */
    uint8_t *before;     /* the same before the run */
    uint32_t size;       /* of it */
    uint8_t touched[MACHINE_REGISTERS];
    bool store;
};

static void check_begin(struct check *c, machine *m, const uint8_t *base, uint32_t size,
                        bool store)
{
    static uint8_t before[MACHINE_BYTES];

    assert_true(size <= sizeof before);
    *c = (struct check){.m = m, .base = base, .before = before, .size = size, .store = store};
    memcpy(before, base, size);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
}

static void check_element(struct check *c, const struct element *e)
{
    const uint8_t *registers = c->m->registers[VAR_B - VAR_A];

    if (c->store) {
        assert_memory_equal(c->base + e->memory, registers + e->slot, e->memory_bytes);
        memcpy(c->before + e->memory, registers + e->slot, e->memory_bytes);
        return;
    }
    assert_int_equal(peek(registers + e->slot, e->slot_bytes),
                     peek(c->before + e->memory, e->memory_bytes));
    memset(c->touched + e->slot, 1, e->slot_bytes);
}

static void check_end(struct check *c)
{
    assert_memory_equal(c->base, c->before, c->size);
    for (uint32_t i = 0; i < MACHINE_REGISTERS; i++)
        if (!c->touched[i])
            assert_untouched(c->m, VAR_B, i, i + 1);
}

/* ---- by address -------------------------------------------------------------------------- */

static void svm_blocks(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2 * 2 * 16; i++) {
        bool store = i / 2 % 2 != 0;
        uint32_t code = i / 4; /* bit 3: unaligned */
        if ((code & 7) > 3)
            continue;
        machine *m = machine_new(platforms[i % 2]);
        struct check c;
        machine_op(m, store ? VISAGE_OP_SVM_BLOCK_ST : VISAGE_OP_SVM_BLOCK_LD, 0);
        set_number(m, "size", code);
        set_scalar(m, "address", VAR_A_UQ, 1);
        put64(m, VAR_A, 1, machine_at(m, 4084));
        set_raw(m, data_name(m->inst.op), VAR_B, 64);
        m->execution_mask = 2; /* NoMask: every element is moved */
        check_begin(&c, m, m->memory, MACHINE_BYTES, store);
        for (uint32_t j = 0; j < 16u << (code & 7); j += 4)
            check_element(&c, &(struct element){4084 + j, 64 + j, 4, 4});
        check_end(&c);
        machine_free(m);
    }
}

/* SVM_GATHER: dst[j * exec_size + i]; bytes: dst[i * max(4, num_blocks) + j], zeros above. */
static void svm_gathers(void **state)
{
    static const uint32_t sizes[] = {1, 4, 8};

    (void)state;
    for (uint32_t i = 0; i < 2 * 3 * 4 * 4 * 2; i++) {
        visage_platform platform = platforms[i % 2];
        uint32_t code = i / 2 % 3;
        uint32_t blocks = i / 6 % 4;
        uint32_t exec_size = 1u << (i / 24 % 4 + 1); /* 2 4 8 16 */
        bool store = i / 96 != 0;
        if (blocks == 3 && (sizes[code] != 4 || exec_size != 8)) /* V0714 */
            continue;
        machine *m = machine_new(platform);
        struct check c;
        machine_op(m, store ? VISAGE_OP_SVM_SCATTER : VISAGE_OP_SVM_GATHER, exec_size);
        set_number(m, "block_size", code);
        set_number(m, "num_blocks", blocks);
        set_raw(m, "addresses", VAR_A, 0);
        set_raw(m, data_name(m->inst.op), VAR_B, 0);
        put_addresses(m, exec_size);
        m->execution_mask = 0xfffb;
        check_begin(&c, m, m->memory, MACHINE_BYTES, store);
        for (uint32_t n = 0; n < exec_size; n++) {
            uint32_t least = blocks < 2 ? 4 : 1u << blocks;
            if (n == 2)
                continue;
            if (code == 0)
                check_element(&c, &(struct element){place(n), n * least, 1u << blocks, least});
            for (uint32_t j = 0; code > 0 && j < 1u << blocks; j++)
                check_element(&c, &(struct element){place(n) + j * sizes[code],
                                                    (j * exec_size + n) * sizes[code],
                                                    sizes[code], sizes[code]});
        }
        check_end(&c);
        machine_free(m);
    }
}

/* The page of SVM_GATHER codes 8 bytes as 3, that of SVM_SCATTER and real files as 2. */
static void svm_gather_code_3(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_SKL);

    (void)state;
    m->is_not_judged = true; /* V0711, which the page contradicts */
    machine_op(m, VISAGE_OP_SVM_GATHER, 8);
    set_number(m, "block_size", 3);
    set_raw(m, "addresses", VAR_A, 0);
    set_raw(m, "dst", VAR_B, 0);
    put_addresses(m, 8);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(get64(m, VAR_B, n), peek(m->memory + place(n), 8));
    machine_free(m);
}

/* Four-channel messages: ch_pos * max(exec_size, GRF_SIZE / 4) + i, address + c * 4. */
static void check_four(struct check *c, uint32_t exec_size, uint32_t mask, uint32_t base)
{
    uint32_t grf_dwords = grf_bytes(c->m->platform) / 4;
    uint32_t pitch = exec_size > grf_dwords ? exec_size : grf_dwords;
    uint32_t position = 0;

    for (uint32_t channel = 0; channel < 4; channel++) {
        if (!(mask >> channel & 1))
            continue;
        for (uint32_t n = 0; n < exec_size; n++)
            if (c->m->execution_mask >> n & 1)
                check_element(c, &(struct element){base + place(n) + channel * 4,
                                                   (position * pitch + n) * 4, 4, 4});
        position++;
    }
    check_end(c);
}

static void svm_gather4(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2 * 2 * 2 * 15; i++) {
        bool store = i / 2 % 2 != 0;
        uint32_t exec_size = i / 4 % 2 ? 16 : 8;
        uint32_t mask = i / 8 + 1;
        machine *m = machine_new(platforms[i % 2]);
        struct check c;
        machine_op(m, store ? VISAGE_OP_SVM_SCATTER4_SCALED : VISAGE_OP_SVM_GATHER4_SCALED,
                   exec_size);
        set_number(m, "channels", mask);
        set_raw(m, "offsets", VAR_A, 0);
        set_raw(m, data_name(m->inst.op), VAR_B, 0);
        set_immediate(m, "address", VISAGE_TYPE_UQ, machine_at(m, 256));
        for (uint32_t n = 0; n < exec_size; n++)
            put64(m, VAR_A, n, place(n));
        m->execution_mask = 0xffbe;
        check_begin(&c, m, m->memory, MACHINE_BYTES, store);
        check_four(&c, exec_size, mask, 256);
        machine_free(m);
    }
}

/* ---- surfaces ---------------------------------------------------------------------------- */

static void gather4_scaled(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2 * 2 * 2 * 15; i++) {
        bool store = i / 2 % 2 != 0;
        uint32_t exec_size = i / 4 % 2 ? 16 : 8;
        uint32_t mask = i / 8 + 1;
        machine *m = machine_new(platforms[i % 2]);
        struct check c;
        machine_op(m, store ? VISAGE_OP_SCATTER4_SCALED : VISAGE_OP_GATHER4_SCALED, exec_size);
        set_number(m, "channels", mask);
        set_number(m, "scale", 9); /* ignored */
        set_surface(m, SURFACE_T6);
        set_raw(m, "element_offset", VAR_A, 0);
        set_raw(m, data_name(m->inst.op), VAR_B, 0);
        set_immediate(m, "offset", VISAGE_TYPE_UD, 64);
        put_offsets(m, exec_size);
        bind_t6(m, 512, 8192);
        m->execution_mask = 0xff7e;
        check_begin(&c, m, m->memory, MACHINE_BYTES, store);
        check_four(&c, exec_size, mask, 512 + 64);
        machine_free(m);
    }
}

/* GATHER_SCALED: num_blocks bytes a channel in a dword of their own; the page leaves the upper
 * bytes open, they are 0. */
static void gather_scaled(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2 * 2 * 3; i++) {
        bool store = i / 2 % 2 != 0;
        uint32_t blocks = i / 4;
        machine *m = machine_new(platforms[i % 2]);
        struct check c;
        machine_op(m, store ? VISAGE_OP_SCATTER_SCALED : VISAGE_OP_GATHER_SCALED, 16);
        set_number(m, "num_blocks", blocks);
        set_number(m, "block_size", 2); /* ignored */
        set_surface(m, SURFACE_T6);
        set_raw(m, "element_offset", VAR_A, 0);
        set_raw(m, data_name(m->inst.op), VAR_B, 64);
        set_scalar(m, "offset", VAR_C, 5);
        put32(m, VAR_C, 5, 1);
        put_offsets(m, 16);
        bind_t6(m, 512, 8192);
        set_predicate(m, 0xfeff);
        check_begin(&c, m, m->memory, MACHINE_BYTES, store);
        for (uint32_t n = 0; n < 16; n++)
            if (n != 8)
                check_element(
                    &c, &(struct element){512 + 1 + place(n), 64 + n * 4, 1u << blocks, 4});
        check_end(&c);
        machine_free(m);
    }
}

/* GATHER: offsets count elements; bits 0-1 of num_elements the channels, 4-7 the mask. */
static void gather(void **state)
{
    static const struct {
        uint32_t coded, exec_size, channels;
    } cases[] = {{0x00, 8, 0x5a}, {0x01, 16, 0x3c5a}, {0x02, 1, 0},      {0x82, 1, 1},
                 {0x20, 8, 0x3c}, {0xc1, 16, 0xffff}, {0x41, 16, 0xc300}};

    (void)state;
    for (uint32_t i = 0; i < 2 * 3 * sizeof cases / sizeof cases[0]; i++) {
        bool store = i % 2 != 0;
        uint32_t bytes = 1u << (i / 2 % 3);
        uint32_t exec_size = cases[i / 6].exec_size;
        machine *m = machine_new(VISAGE_PLATFORM_SKL);
        struct check c;
        machine_op(m, store ? VISAGE_OP_SCATTER : VISAGE_OP_GATHER, 0);
        set_number(m, "elt_size", i / 2 % 3);
        set_number(m, "num_elements", cases[i / 6].coded);
        set_surface(m, SURFACE_T6);
        set_raw(m, "element_offset", VAR_A, 0);
        set_raw(m, data_name(m->inst.op), VAR_B, 0);
        set_immediate(m, "global_offset", VISAGE_TYPE_UD, 3);
        put_offsets(m, exec_size);
        bind_t6(m, 512, MACHINE_BYTES - 512);
        m->execution_mask = 0xc3003c5a;
        check_begin(&c, m, m->memory, MACHINE_BYTES, store);
        for (uint32_t n = 0; n < exec_size; n++)
            if (cases[i / 6].channels >> n & 1)
                check_element(&c,
                              &(struct element){512 + (place(n) + 3) * bytes, n * 4, bytes, 4});
        check_end(&c);
        machine_free(m);
    }
}

static void qwords(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2 * 2 * 3; i++) {
        bool store = i % 2 != 0;
        uint32_t exec_size = i / 2 % 2 ? 16 : 8;
        uint32_t blocks = i / 4;
        machine *m = machine_new(VISAGE_PLATFORM_TGLLP);
        struct check c;
        m->is_not_judged = blocks > 0; /* V0724 */
        machine_op(m, store ? VISAGE_OP_QW_SCATTER : VISAGE_OP_QW_GATHER, exec_size);
        set_number(m, "num_blocks", blocks);
        set_surface(m, SURFACE_T6);
        set_raw(m, "element_offset", VAR_A, 0);
        set_raw(m, data_name(m->inst.op), VAR_B, 0);
        put_offsets(m, exec_size);
        bind_t6(m, 512, 8192);
        m->execution_mask = 0xfff7;
        check_begin(&c, m, m->memory, MACHINE_BYTES, store);
        for (uint32_t n = 0; n < exec_size; n++)
            for (uint32_t j = 0; j < 1u << blocks && n != 3; j++)
                check_element(&c, &(struct element){512 + place(n) + j * 8,
                                                    (j * exec_size + n) * 8, 8, 8});
        check_end(&c);
        machine_free(m);
    }
}

/* OWORD_LD and OWORD_ST count owords, OWORD_LD_UNALIGNED bytes. */
static void owords(void **state)
{
    static const struct {
        visage_op op;
        uint32_t unit;
    } cases[] = {
        {VISAGE_OP_OWORD_LD, 16}, {VISAGE_OP_OWORD_LD_UNALIGNED, 1}, {VISAGE_OP_OWORD_ST, 16}};

    (void)state;
    for (uint32_t i = 0; i < 3 * 4; i++) { /* 16 only in shared local memory */
        bool store = i % 3 == 2;
        uint32_t bytes = 16u << i / 3;
        machine *m = machine_new(VISAGE_PLATFORM_XEHP);
        struct check c;
        machine_op(m, cases[i % 3].op, 0);
        set_number(m, "size", i / 3);
        set_surface(m, SURFACE_T6);
        set_immediate(m, "offset", VISAGE_TYPE_UD, 20);
        set_raw(m, data_name(m->inst.op), VAR_B, 0);
        bind_t6(m, 512, 8192);
        m->execution_mask = 2;
        check_begin(&c, m, m->memory, MACHINE_BYTES, store);
        for (uint32_t j = 0; j < bytes; j += 4)
            check_element(&c, &(struct element){512 + 20 * cases[i % 3].unit + j, j, 4, 4});
        check_end(&c);
        machine_free(m);
    }
}

/* ---- special surfaces -------------------------------------------------------------------- */

static void gather_from(machine *m, uint32_t surface)
{
    machine_op(m, VISAGE_OP_GATHER4_SCALED, 8);
    set_number(m, "channels", 1);
    set_surface(m, surface);
    set_raw(m, "element_offset", VAR_A, 0);
    set_raw(m, "dst", VAR_B, 0);
    for (uint32_t n = 0; n < 8; n++)
        put32(m, VAR_A, n, n * 12);
}

static void slm_and_scratch(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_SKL);

    (void)state;
    gather_from(m, VSG_ISA_SURFACE_SLM);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_true(m->program->units[0].reads_slm);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(get32(m, VAR_B, n), peek(m->slm + 12 * n, 4));
    put32(m, VAR_A, 5, MACHINE_SLM_BYTES);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_SLM, 5, MACHINE_SLM_BYTES, 4);

    gather_from(m, VSG_ISA_SURFACE_SCRATCH);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT); /* there is none */
    m->thread.scratch_address = machine_at(m, 4096);
    m->thread.scratch_bytes = 100;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_false(m->program->units[0].reads_slm);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(get32(m, VAR_B, n), peek(m->memory + 4096 + 12 * n, 4));
    put32(m, VAR_A, 2, 100);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_READ, 2, machine_at(m, 4096 + 100), 4);
    machine_free(m);
}

static void bindless_and_unbound(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_SKL);

    (void)state;
    gather_from(m, VSG_ISA_SURFACE_BSS);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_SURFACE, -1, 0, 0);
    assert_int_equal(m->thread.fault.limit, 252);
    gather_from(m, SURFACE_T6);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_SURFACE, -1, 0, 0);
    assert_int_equal(m->thread.fault.limit, 3);
    machine_free(m);
}

/* ---- bounds ------------------------------------------------------------------------------ */

/* Offsets wrap at 32 bits: global 0xfffffff0 and 24 is 8. */
static void offsets_wrap(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_SKL);

    (void)state;
    gather_from(m, SURFACE_T6);
    set_immediate(m, "offset", VISAGE_TYPE_UD, 0xfffffff0);
    bind_t6(m, 512, 256);
    for (uint32_t n = 0; n < 8; n++)
        put32(m, VAR_A, n, 16 + n * 4);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(get32(m, VAR_B, n), peek(m->memory + 512 + 4 * n, 4));
    machine_free(m);
}

/* "On read: zeros are returned": the dwords behind the end, the others are read. Where that is
 * a fault, the rest of a block that begins inside still is none: the compiler reads more than
 * it wants of a buffer that may end there. */
static void blocks_over_the_end(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_SKL);

    (void)state;
    machine_op(m, VISAGE_OP_OWORD_LD, 0);
    set_number(m, "size", 2);
    set_surface(m, SURFACE_T6);
    set_immediate(m, "offset", VISAGE_TYPE_UD, 1);
    set_raw(m, "dst", VAR_B, 0);
    bind_t6(m, 512, 16 + 40);
    for (int faults = 0; faults < 2; faults++) {
        m->launch.bounds = faults ? VSG_EXE_BOUNDS_FAULT : VSG_EXE_BOUNDS_DOCUMENTED;
        memset(m->registers[VAR_B - VAR_A], 0xee, 64);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        for (uint32_t i = 0; i < 16; i++)
            assert_int_equal(get32(m, VAR_B, i), i < 10 ? peek(m->memory + 528 + 4 * i, 4) : 0);
    }
    bind_t6(m, 512, 16 + 3);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_int_equal(get32(m, VAR_B, 0), peek(m->memory + 528, 4) & 0xffffff);
    assert_int_equal(get32(m, VAR_B, 1), 0);
    bind_t6(m, 512, 16);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_READ, -1, machine_at(m, 528), 4);
    bind_t6(m, 512, 16 + 40);

    machine_op(m, VISAGE_OP_OWORD_ST, 0);
    set_number(m, "size", 2);
    set_surface(m, SURFACE_T6);
    set_immediate(m, "offset", VISAGE_TYPE_UD, 1);
    set_raw(m, "src", VAR_C, 0);
    m->launch.bounds = VSG_EXE_BOUNDS_DOCUMENTED;
    uint64_t behind = peek(m->memory + 568, 8);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_memory_equal(m->memory + 528, m->registers[VAR_C - VAR_A], 40);
    assert_int_equal(peek(m->memory + 568, 8), behind);
    machine_free(m);
}

/* What is read near the end of a surface is 0 where the launch says so: as far as the surface
 * is large, at least 4 KiB, at most 1 MiB. */
static void reads_near_the_end(void **state)
{
    static const struct {
        uint64_t size_bytes, near_bytes;
    } cases[] = {{64, 4096}, {8192, 8192}, {4 << 20, 1 << 20}};
    machine *m = machine_new(VISAGE_PLATFORM_SKL);

    (void)state;
    m->launch.bounds = VSG_EXE_BOUNDS_NEAR;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t end = cases[i].size_bytes + cases[i].near_bytes;
        bind_t6(m, 512, cases[i].size_bytes);
        machine_op(m, VISAGE_OP_OWORD_LD, 0);
        set_number(m, "size", 0);
        set_surface(m, SURFACE_T6);
        set_raw(m, "dst", VAR_B, 0);
        for (uint64_t at = cases[i].size_bytes; at <= end; at += cases[i].near_bytes - 16) {
            memset(m->registers[VAR_B - VAR_A], 0xee, 16);
            set_immediate(m, "offset", VISAGE_TYPE_UD, (uint32_t)at / 16);
            assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
            for (uint32_t n = 0; n < 4; n++)
                assert_int_equal(get32(m, VAR_B, n), 0);
        }
        set_immediate(m, "offset", VISAGE_TYPE_UD, (uint32_t)end / 16);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
        assert_fault(m, VSG_DIAG_FAULT_READ, -1, machine_at(m, 512 + end), 4);
        machine_op(m, VISAGE_OP_OWORD_ST, 0);
        set_number(m, "size", 0);
        set_surface(m, SURFACE_T6);
        set_immediate(m, "offset", VISAGE_TYPE_UD, (uint32_t)cases[i].size_bytes / 16);
        set_raw(m, "src", VAR_C, 0);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    }
    machine_free(m);
}

/* So do those of memory by address. */
static void flat_blocks_over_the_end(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_SKL);

    (void)state;
    machine_op(m, VISAGE_OP_SVM_BLOCK_LD, 0);
    set_number(m, "size", 2);
    set_immediate(m, "address", VISAGE_TYPE_UQ, machine_at(m, MACHINE_BYTES - 20));
    set_raw(m, "dst", VAR_B, 0);
    memset(m->registers[VAR_B - VAR_A], 0xee, 64);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(get32(m, VAR_B, i),
                         i < 5 ? peek(m->memory + MACHINE_BYTES - 20 + 4 * i, 4) : 0);
    set_immediate(m, "address", VISAGE_TYPE_UQ, machine_at(m, MACHINE_BYTES));
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_READ, -1, machine_at(m, MACHINE_BYTES), 4);
    machine_free(m);
}

static void block_faults(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_SKL);

    (void)state;
    machine_op(m, VISAGE_OP_SVM_BLOCK_ST, 0);
    set_number(m, "size", 3);
    set_immediate(m, "address", VISAGE_TYPE_UQ, machine_at(m, MACHINE_BYTES - 64));
    set_raw(m, "src", VAR_B, 0);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_WRITE, -1, machine_at(m, MACHINE_BYTES), 4);
    machine_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(svm_blocks),
        cmocka_unit_test(svm_gathers),
        cmocka_unit_test(svm_gather_code_3),
        cmocka_unit_test(svm_gather4),
        cmocka_unit_test(gather4_scaled),
        cmocka_unit_test(gather_scaled),
        cmocka_unit_test(gather),
        cmocka_unit_test(qwords),
        cmocka_unit_test(owords),
        cmocka_unit_test(slm_and_scratch),
        cmocka_unit_test(bindless_and_unbound),
        cmocka_unit_test(offsets_wrap),
        cmocka_unit_test(blocks_over_the_end),
        cmocka_unit_test(reads_near_the_end),
        cmocka_unit_test(flat_blocks_over_the_end),
        cmocka_unit_test(block_faults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
