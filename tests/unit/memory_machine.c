/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine_forms.h"
#include "memory_machine.h"
#include "verify/verify.h"

uint64_t peek(const uint8_t *bytes, uint32_t size)
{
    uint64_t value = 0;

    for (uint32_t i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

void poke(uint8_t *bytes, uint32_t size, uint64_t value)
{
    for (uint32_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

uint8_t register_fill(uint32_t variable, uint32_t byte)
{
    return (uint8_t)(0x80 + 37 * (variable - VAR_A) + 11 * byte + (byte >> 8));
}

machine *machine_new(visage_platform platform)
{
    machine *m = calloc(1, sizeof *m);

    assert_non_null(m);
    m->alloc = vsg_base_alloc_default();
    m->platform = platform;
    m->execution_mask = UINT32_MAX;
    m->num_elements = MACHINE_REGISTERS / 4;
    m->space = aligned_alloc(MACHINE_PAGE, MACHINE_PAGES * MACHINE_PAGE);
    m->slm = aligned_alloc(64, MACHINE_SLM_BYTES);
    assert_non_null(m->space);
    assert_non_null(m->slm);
    m->memory = m->space + MACHINE_FIRST * MACHINE_PAGE;
    for (uint32_t i = 0; i < MACHINE_PAGES * MACHINE_PAGE; i++)
        m->space[i] = (uint8_t)(7 * i + (i >> 8) * 5 + 3);
    for (uint32_t i = 0; i < MACHINE_SLM_BYTES; i++)
        m->slm[i] = (uint8_t)(13 * i + (i >> 8) + 1);
    for (uint32_t i = MACHINE_FIRST; i < MACHINE_FIRST + MACHINE_ALLOCATED; i++)
        m->pages[i] = 1;
    m->launch.space = (vsg_exe_space){
        .base = m->space, .size_bytes = MACHINE_PAGES * MACHINE_PAGE, .pages = m->pages};
    m->group.slm = m->slm;
    m->group.slm_bytes = MACHINE_SLM_BYTES;
    m->group.num_threads = 1;
    m->group.offers = m->offers;
    for (uint32_t v = VAR_A; v < VAR_END; v++)
        for (uint32_t i = 0; i < MACHINE_REGISTERS; i++)
            m->registers[v - VAR_A][i] = register_fill(v, i);
    assert_true(vsg_exe_thread_init(&m->thread, &m->alloc));
    return m;
}

static void drop_program(machine *m)
{
    vsg_exe_program_free(&m->program);
    vsg_obj_destroy(&m->module);
}

void machine_free(machine *m)
{
    drop_program(m);
    vsg_exe_thread_free(&m->thread);
    free(m->space);
    free(m->slm);
    free(m);
}

uint64_t machine_at(const machine *m, uint64_t offset)
{
    return (uint64_t)(uintptr_t)m->memory + offset;
}

/* ---- the instruction --------------------------------------------------------------------- */

static vsg_obj_operand *find(machine *m, const char *name)
{
    int number = vsg_isa_operand(m->inst.op, name);
    assert_true(number >= 0);
    return &m->operands[number];
}

/* LSC: plain data of one element. */
static void set_plain(machine *m)
{
    enum { PLAIN = 1, ONE = 1 };

    if (vsg_isa_operand(m->inst.op, "data_order") >= 0)
        find(m, "data_order")->value = PLAIN;
    if (vsg_isa_operand(m->inst.op, "data_size") >= 0 &&
        vsg_isa_operand(m->inst.op, "num_elements") >= 0)
        find(m, "num_elements")->value = ONE;
}

void machine_op(machine *m, visage_op op, uint32_t exec_size)
{
    m->predicate = 0;
    m->list_length = 0;
    m->inst = (vsg_obj_inst){.op = op,
                             .exec_size = (uint8_t)exec_size,
                             .num_operands = (uint16_t)vsg_isa_num_operands(op),
                             .operands = m->operands};
    assert_true(m->inst.num_operands <= MACHINE_OPERANDS);
    for (uint32_t i = 0; i < m->inst.num_operands; i++) {
        vsg_obj_operand *operand = &m->operands[i];
        *operand = (vsg_obj_operand){.class_ = VSG_OBJ_CLASS_NUMBER};
        switch (vsg_isa_operand_slot(op, i)->kind) {
        case VSG_ISA_SLOT_RAW_DST:
        case VSG_ISA_SLOT_RAW_SRC:
            operand->class_ = VSG_OBJ_CLASS_RAW;
            break;
        case VSG_ISA_SLOT_SRC:
            operand->class_ = VSG_OBJ_CLASS_IMMEDIATE;
            operand->type = VISAGE_TYPE_UD;
            break;
        case VSG_ISA_SLOT_SURFACE:
            operand->class_ = VSG_OBJ_CLASS_SURFACE;
            break;
        case VSG_ISA_SLOT_SAMPLER:
            operand->class_ = VSG_OBJ_CLASS_SAMPLER;
            break;
        default:
            break;
        }
    }
    set_plain(m);
}

void set_number(machine *m, const char *name, uint64_t value)
{
    find(m, name)->value = value;
}

void set_raw(machine *m, const char *name, uint32_t variable, uint32_t offset_bytes)
{
    *find(m, name) = (vsg_obj_operand){
        .class_ = VSG_OBJ_CLASS_RAW, .id = variable, .offset_bytes = (int32_t)offset_bytes};
}

void set_place(const machine *m, vsg_obj_operand *operand, uint32_t element, uint32_t bytes)
{
    uint32_t per_grf = vsg_isa_platform(m->platform)->grf_bytes / bytes;

    operand->row = (uint16_t)(element / per_grf);
    operand->column = (uint16_t)(element % per_grf);
}

void set_scalar(machine *m, const char *name, uint32_t variable, uint32_t element)
{
    vsg_obj_operand *operand = find(m, name);

    *operand = (vsg_obj_operand){.class_ = VSG_OBJ_CLASS_GENERAL, .id = variable, .width = 1};
    if (variable >= VAR_A)
        set_place(m, operand, element, variable == VAR_A_UQ ? 8 : 4);
}

void set_immediate(machine *m, const char *name, visage_type type, uint64_t value)
{
    *find(m, name) = (vsg_obj_operand){
        .class_ = VSG_OBJ_CLASS_IMMEDIATE, .type = (uint8_t)type, .value = value};
}

void set_surface(machine *m, uint32_t surface)
{
    find(m, "surface")->id = surface;
}

void set_sampler(machine *m, uint32_t sampler)
{
    find(m, "sampler")->id = sampler;
}

/* An empty list counts as one operand, its last. */
void add_raw(machine *m, uint32_t variable, uint32_t offset_bytes)
{
    uint32_t least = vsg_isa_num_operands(m->inst.op);
    uint32_t at = m->list_length++ + least - 1;

    assert_true(at < MACHINE_OPERANDS);
    m->inst.num_operands = (uint16_t)(at + 1);
    m->operands[at] = (vsg_obj_operand){
        .class_ = VSG_OBJ_CLASS_RAW, .id = variable, .offset_bytes = (int32_t)offset_bytes};
}

void set_predicate(machine *m, uint32_t bits)
{
    m->inst.predicate = 1;
    m->predicate = bits;
}

void lsc_op(machine *m, visage_op op, uint32_t exec_size, uint32_t data_size,
            uint32_t num_elements)
{
    machine_op(m, op, exec_size);
    set_number(m, "addr_type", 1);
    set_number(m, "addr_scale", 1);
    set_number(m, "addr_size", 3);
    set_number(m, "data_size", data_size);
    set_number(m, "data_order", 1);
    set_number(m, "num_elements", num_elements);
    set_number(m, "channels", num_elements);
    set_raw(m, "address", VAR_A, 0);
}

/* ---- running ----------------------------------------------------------------------------- */

/* VAR_PLACES and its aliases. */
static void declare_scalars(machine *m)
{
    enum { BYTES = MACHINE_SCALARS * 16 };
    vsg_obj_variable *variable = vsg_obj_add_variable(m->module, m->unit);
    vsg_obj_state *address;

    assert_non_null(variable);
    *variable = (vsg_obj_variable){.name = "S",
                                   .type = VISAGE_TYPE_UD,
                                   .align = 5,
                                   .num_elements = BYTES / 4,
                                   .alias = VSG_OBJ_NO_ALIAS};
    for (uint32_t type = 0; type < VISAGE_TYPE_COUNT; type++) {
        const vsg_isa_type_info *info = vsg_isa_type((visage_type)type);
        bool is_real = info->kind == VSG_ISA_KIND_SIGNED ||
                       info->kind == VSG_ISA_KIND_UNSIGNED || info->kind == VSG_ISA_KIND_FLOAT;
        variable = vsg_obj_add_variable(m->module, m->unit);
        assert_non_null(variable);
        *variable = (vsg_obj_variable){.name = "S",
                                       .type = is_real ? (visage_type)type : VISAGE_TYPE_UD,
                                       .num_elements = BYTES / (is_real ? info->bytes : 4u),
                                       .alias = VAR_PLACES};
    }
    address = vsg_obj_add_address(m->module, m->unit);
    assert_non_null(address);
    *address = (vsg_obj_state){.name = "A0", .num_elements = MACHINE_SCALARS};
}

static void declare(machine *m)
{
    m->module = vsg_obj_create(&m->alloc);
    assert_non_null(m->module);
    m->unit = vsg_obj_add_unit(m->module, "k", 1, false);
    assert_non_null(m->unit);
    for (uint32_t id = VAR_A; id < VAR_END; id++) {
        vsg_obj_variable *variable = vsg_obj_add_variable(m->module, m->unit);
        assert_non_null(variable);
        *variable = (vsg_obj_variable){.name = "V",
                                       .type = VISAGE_TYPE_UD,
                                       .align = 5,
                                       .num_elements = m->num_elements,
                                       .alias = VSG_OBJ_NO_ALIAS};
    }
    for (uint32_t id = VAR_A_UQ; id <= VAR_D_F; id++) {
        vsg_obj_variable *alias = vsg_obj_add_variable(m->module, m->unit);
        assert_non_null(alias);
        *alias = (vsg_obj_variable){.name = "Q",
                                    .type = id == VAR_A_UQ ? VISAGE_TYPE_UQ : VISAGE_TYPE_F,
                                    .num_elements = m->num_elements / 2,
                                    .alias = id == VAR_A_UQ ? VAR_A : VAR_D};
    }
    declare_scalars(m);
    vsg_obj_state *state = vsg_obj_add_predicate(m->module, m->unit);
    assert_non_null(state);
    *state = (vsg_obj_state){.name = "P1", .num_elements = 32};
    state = vsg_obj_add_sampler(m->module, m->unit);
    assert_non_null(state);
    *state = (vsg_obj_state){.name = "S0", .num_elements = 1};
    state = vsg_obj_add_surface(m->module, m->unit);
    assert_non_null(state);
    *state = (vsg_obj_state){.name = "T6", .num_elements = 1};
}

/* An element of VAR_D becomes itself plus itself. */
static void add_addition(machine *m)
{
    vsg_obj_operand operands[3];
    vsg_obj_inst add = {
        .op = VISAGE_OP_ADD, .exec_size = 1, .num_operands = 3, .operands = operands};

    for (uint32_t i = 0; i < 3; i++)
        operands[i] = (vsg_obj_operand){.class_ = VSG_OBJ_CLASS_GENERAL,
                                        .id = VAR_D_F,
                                        .row = 1,
                                        .width = 1,
                                        .h_stride = 1};
    assert_non_null(vsg_obj_add_inst(m->module, m->unit, &add));
}

/* What the verifier refuses no kernel can do. */
static void judge(machine *m)
{
    const vsg_ver_options options = {.platform = m->platform};
    visage_diagnostics *found = vsg_base_diagnostics_new(&m->alloc);
    char text[512] = "";

    assert_non_null(found);
    m->module->platform = m->platform;
    if (vsg_ver_verify(m->module, &options, found) != VISAGE_OK) {
        (void)visage_diagnostic_render(visage_diagnostics_get(found, 0), false, text,
                                       sizeof text);
        print_error("%s on %s: %s\n", vsg_isa_op(m->inst.op)->text,
                    visage_platform_name(m->platform), text);
        fail_msg("the program is not legal");
    }
    visage_diagnostics_destroy(&found);
}

visage_status machine_build(machine *m)
{
    vsg_exe_program_options options = {.platform = m->platform};
    vsg_obj_inst ret = {.op = VISAGE_OP_RET, .exec_size = 1};

    drop_program(m);
    declare(m);
    if (m->float_first)
        add_addition(m);
    assert_non_null(vsg_obj_add_inst(m->module, m->unit, &m->inst));
    assert_non_null(vsg_obj_add_inst(m->module, m->unit, &ret));
    if (!m->is_not_judged)
        judge(m);
    return vsg_exe_program_create(&m->alloc, m->module, &options, NULL, &m->program);
}

static void fill_scalars(machine *m)
{
    uint32_t at = m->program->units[0].variable_at[VAR_PLACES];

    memcpy(m->thread.registers + at, m->scalars, sizeof m->scalars);
    for (uint32_t i = 0; i < MACHINE_SCALARS; i++)
        m->thread.frame->addresses[i] = at + i * 16 - (uint32_t)m->address_offsets[i];
}

vsg_exe_stop machine_run_once(machine *m)
{
    assert_int_equal(machine_build(m), VISAGE_OK);
    m->launch.program = m->program;
    m->thread.budget = 100;
    assert_true(vsg_exe_thread_start(&m->thread, &m->launch, &m->group, 0, m->execution_mask));
    memcpy(m->thread.shared + vsg_exe_shared_at(VSG_ISA_VAR_CR0), &m->cr0, sizeof m->cr0);
    memcpy(m->thread.shared + vsg_exe_shared_at(VSG_ISA_VAR_R0), &m->r0, sizeof m->r0);
    vsg_exe_mode_changed(&m->thread);
    const vsg_exe_unit *unit = &m->program->units[0];
    for (uint32_t i = 0; i < VAR_END - VAR_A; i++)
        memcpy(m->thread.registers + unit->variable_at[VAR_A + i], m->registers[i],
               (size_t)m->num_elements * 4);
    fill_scalars(m);
    m->thread.frame->predicates[0] = m->predicate;
    m->thread.frame->surfaces[SURFACE_T6] = 3;
    m->thread.frame->samplers[SAMPLER_S0] = MACHINE_SAMPLER;
    vsg_exe_stop stop = vsg_exe_run(&m->thread);
    for (uint32_t i = 0; i < VAR_END - VAR_A; i++)
        memcpy(m->registers[i], m->thread.registers + unit->variable_at[VAR_A + i],
               (size_t)m->num_elements * 4);
    return stop;
}

vsg_exe_stop machine_run(machine *m)
{
    static machine_state before;

    if (m->is_shared)
        return machine_run_once(m);
    machine_keep(m, &before);
    vsg_exe_stop stop = machine_run_once(m);
    machine_run_forms(m, &before);
    return stop;
}

/* ---- registers --------------------------------------------------------------------------- */

void put8(machine *m, uint32_t variable, uint32_t index, uint8_t value)
{
    poke(m->registers[variable - VAR_A] + index, 1, value);
}

void put16(machine *m, uint32_t variable, uint32_t index, uint16_t value)
{
    poke(m->registers[variable - VAR_A] + (size_t)index * 2, 2, value);
}

void put32(machine *m, uint32_t variable, uint32_t index, uint32_t value)
{
    poke(m->registers[variable - VAR_A] + (size_t)index * 4, 4, value);
}

void put64(machine *m, uint32_t variable, uint32_t index, uint64_t value)
{
    poke(m->registers[variable - VAR_A] + (size_t)index * 8, 8, value);
}

uint8_t get8(const machine *m, uint32_t variable, uint32_t index)
{
    return (uint8_t)peek(m->registers[variable - VAR_A] + index, 1);
}

uint16_t get16(const machine *m, uint32_t variable, uint32_t index)
{
    return (uint16_t)peek(m->registers[variable - VAR_A] + (size_t)index * 2, 2);
}

uint32_t get32(const machine *m, uint32_t variable, uint32_t index)
{
    return (uint32_t)peek(m->registers[variable - VAR_A] + (size_t)index * 4, 4);
}

uint64_t get64(const machine *m, uint32_t variable, uint32_t index)
{
    return peek(m->registers[variable - VAR_A] + (size_t)index * 8, 8);
}

void assert_untouched(const machine *m, uint32_t variable, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; i++)
        assert_int_equal(m->registers[variable - VAR_A][i], register_fill(variable, i));
}

void assert_fault(const machine *m, vsg_base_diag diag, int32_t channel, uint64_t address,
                  uint32_t size_bytes)
{
    assert_int_equal(m->thread.stop, VSG_EXE_STOP_FAULT);
    assert_int_equal(m->thread.fault.diag, diag);
    assert_int_equal(m->thread.fault.channel, channel);
    assert_int_equal(m->thread.fault.address, address);
    assert_int_equal(m->thread.fault.size_bytes, size_bytes);
}
