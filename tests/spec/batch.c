/* SPDX-License-Identifier: MIT
 *
 * A batch of instructions as a kernel of the interpreter, or of both engines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "case.h"
#include "exec/fpmode.h"
#include "jit/jit.h"
#include "verify/verify.h"

enum {
    DST_VARIABLES = VSG_ISA_FIRST_VARIABLE + SPEC_OPERANDS * SPEC_TYPE_COUNT,
    SINK_VARIABLES = DST_VARIABLES - SPEC_TYPE_COUNT, /* by type, for what is not executed */
    NUM_VARIABLES = (SPEC_TYPE_COUNT + SPEC_BATCH) * SPEC_OPERANDS,
    NUM_PREDICATES = SPEC_DST_PREDICATE + SPEC_BATCH,
    SKIPPING_PREDICATE = NUM_PREDICATES, /* of channels that a compiled batch turns off */
    ALIGN_GRF = 5
};

/* ---- building --------------------------------------------------------------------------- */

/* Type of a variable: of sources by its number, of destinations by the case. */
static visage_type type_of_variable(const spec_batch *batch, uint32_t id, uint32_t *elements)
{
    uint32_t number = id - VSG_ISA_FIRST_VARIABLE;
    visage_type type = (visage_type)(number % SPEC_TYPE_COUNT);

    *elements = SPEC_ELEMENTS;
    if (id >= DST_VARIABLES) {
        number = id - DST_VARIABLES;
        const spec_case *c = number / SPEC_OPERANDS < batch->count
                                 ? &batch->cases[number / SPEC_OPERANDS]
                                 : NULL;
        uint32_t position = number % SPEC_OPERANDS;
        bool is_dst = c && position < c->row->num_operands && c->row->operands[position].is_dst;
        type = is_dst ? (visage_type)c->places[position].type : VISAGE_TYPE_BOOL;
    }
    if (type == VISAGE_TYPE_BOOL || vsg_isa_type(type)->kind == VSG_ISA_KIND_PACKED) {
        *elements = 1;
        type = VISAGE_TYPE_UD;
    }
    return type;
}

static void add_state(vsg_obj_state *state, const char *name, uint32_t elements)
{
    assert_non_null(state);
    state->name = name;
    state->num_elements = elements;
}

static vsg_obj_unit *declare(spec_batch *batch)
{
    vsg_obj_module *module = batch->module;
    vsg_obj_unit *unit = vsg_obj_add_unit(module, "k", 1, false);

    assert_non_null(unit);
    module->platform = batch->platform;
    for (uint32_t i = 0; i < NUM_VARIABLES; i++) {
        vsg_obj_variable *variable = vsg_obj_add_variable(module, unit);
        uint32_t elements;
        assert_non_null(variable);
        *variable = (vsg_obj_variable){
            .name = "V",
            .type = type_of_variable(batch, VSG_ISA_FIRST_VARIABLE + i, &elements),
            .align = ALIGN_GRF,
            .alias = VSG_OBJ_NO_ALIAS};
        variable->num_elements = elements;
    }
    for (uint32_t i = 0; i < SPEC_BATCH * SPEC_OPERANDS; i++)
        add_state(vsg_obj_add_address(module, unit), "A", SPEC_CHANNELS);
    for (uint32_t i = SPEC_FIRST_PREDICATE; i <= SKIPPING_PREDICATE; i++)
        add_state(vsg_obj_add_predicate(module, unit), "P",
                  i == SPEC_BYTE_PREDICATE   ? 8
                  : i == SPEC_WORD_PREDICATE ? 16
                                             : SPEC_CHANNELS);
    return unit;
}

static vsg_obj_operand general(const spec_batch *batch, const spec_place *place, bool is_dst)
{
    uint32_t grf = visage_platform_grf_bytes(batch->platform);

    return (vsg_obj_operand){.class_ = VSG_OBJ_CLASS_GENERAL,
                             .modifier = place->modifier,
                             .id = place->variable,
                             .row = (uint16_t)(place->start_bytes / grf),
                             .column =
                                 (uint16_t)(place->start_bytes % grf / spec_bytes(place->type)),
                             .v_stride = place->v_stride,
                             .width = is_dst ? 0 : place->width,
                             .h_stride = place->h_stride};
}

static vsg_obj_operand operand_of(const spec_batch *batch, const spec_place *place, bool is_dst)
{
    switch ((spec_kind)place->kind) {
    case SPEC_INDIRECT:
    case SPEC_MULTI:
        return (vsg_obj_operand){.class_ = VSG_OBJ_CLASS_INDIRECT,
                                 .modifier = place->modifier,
                                 .type = place->type,
                                 .id = place->state,
                                 .v_stride = place->kind == SPEC_MULTI ? VSG_OBJ_STRIDE_NULL
                                                                       : place->v_stride,
                                 .width = is_dst ? 0 : place->width,
                                 .h_stride = place->h_stride,
                                 .offset_bytes = place->offset_bytes};
    case SPEC_IMMEDIATE:
    case SPEC_PACKED: {
        bool extends = spec_is_signed(place->type);
        return (vsg_obj_operand){
            .class_ = VSG_OBJ_CLASS_IMMEDIATE,
            .type = place->type,
            .value = extends ? (uint64_t)spec_int_of(place->type, place->immediate)
                             : place->immediate};
    }
    case SPEC_PREDICATE:
        return (vsg_obj_operand){.class_ = VSG_OBJ_CLASS_PREDICATE, .id = place->state};
    case SPEC_ADDRESS:
        return (vsg_obj_operand){.class_ = VSG_OBJ_CLASS_ADDRESS,
                                 .id = place->state,
                                 .width = place->width,
                                 .offset_elements = (uint8_t)place->element};
    case SPEC_ADDRESS_OF:
        return (vsg_obj_operand){.class_ = VSG_OBJ_CLASS_ADDRESS_OF,
                                 .state = 2, /* of a general variable */
                                 .id = place->variable,
                                 .offset_bytes = place->offset_bytes};
    default:
        return general(batch, place, is_dst);
    }
}

static void add_case(spec_batch *batch, vsg_obj_unit *unit, const spec_case *c)
{
    vsg_obj_operand operands[SPEC_OPERANDS + 1] = {0};
    vsg_obj_inst inst = {.op = c->row->op,
                         .exec_size = (uint8_t)c->size,
                         .mask_offset = (uint8_t)c->mask_offset,
                         .no_mask = c->no_mask,
                         .predicate_inverse = (c->predication & SPEC_PRED_INVERSE) != 0,
                         .predicate_combine = c->predication >> SPEC_PRED_COMBINE_SHIFT,
                         .predicate = c->predication ? (uint16_t)c->predicate : 0,
                         .num_operands = (uint16_t)vsg_isa_num_operands(c->row->op),
                         .operands = operands};

    assert_true(inst.num_operands <= SPEC_OPERANDS + 1);
    for (uint32_t i = 0; i < inst.num_operands; i++)
        operands[i] = (vsg_obj_operand){.class_ = VSG_OBJ_CLASS_NUMBER, .value = c->control};
    for (uint32_t i = 0; i < c->row->num_operands; i++)
        operands[c->row->operands[i].number] =
            operand_of(batch, &c->places[i], c->row->operands[i].is_dst);
    assert_non_null(vsg_obj_add_inst(batch->module, unit, &inst));
}

static uint32_t control_register(const spec_mode *mode)
{
    enum { ALT = 1, ROUNDING = 4, KEEPS_DF = 1 << 6, KEEPS_F = 1 << 7, KEEPS_HF = 1 << 10 };

    return (uint32_t)mode->rounding << ROUNDING | (mode->is_alt ? ALT : 0u) |
           (mode->keeps_df ? KEEPS_DF : 0u) | (mode->keeps_f ? KEEPS_F : 0u) |
           (mode->keeps_hf ? KEEPS_HF : 0u);
}

/* mov (M1_NM, 1) %cr0(0,0)<1> mode */
static void add_mode(spec_batch *batch, vsg_obj_unit *unit, const spec_mode *mode)
{
    vsg_obj_operand operands[] = {
        {.class_ = VSG_OBJ_CLASS_GENERAL, .id = VSG_ISA_VAR_CR0, .h_stride = 1},
        {.class_ = VSG_OBJ_CLASS_IMMEDIATE,
         .type = VISAGE_TYPE_UD,
         .value = control_register(mode)}};
    vsg_obj_inst inst = {.op = VISAGE_OP_MOV,
                         .exec_size = 1,
                         .no_mask = true,
                         .num_operands = 2,
                         .operands = operands};

    assert_non_null(vsg_obj_add_inst(batch->module, unit, &inst));
}

/* setp (M1_NM, 32) P variable(0,0)<0;1,0>: channels to turn off, as a string of bits. */
static void add_setp(spec_batch *batch, vsg_obj_unit *unit, uint32_t variable)
{
    vsg_obj_operand operands[] = {
        {.class_ = VSG_OBJ_CLASS_PREDICATE, .id = SKIPPING_PREDICATE},
        {.class_ = VSG_OBJ_CLASS_GENERAL, .id = variable, .width = 1}};
    vsg_obj_inst inst = {.op = VISAGE_OP_SETP,
                         .exec_size = SPEC_CHANNELS,
                         .no_mask = true,
                         .num_operands = 2,
                         .operands = operands};

    assert_non_null(vsg_obj_add_inst(batch->module, unit, &inst));
}

/* goto to the only label, or the label. */
static void add_flow(spec_batch *batch, vsg_obj_unit *unit, visage_op op)
{
    vsg_obj_operand label = {.class_ = VSG_OBJ_CLASS_LABEL};
    vsg_obj_inst inst = {
        .op = op, .exec_size = SPEC_CHANNELS, .num_operands = 1, .operands = &label};

    if (op == VISAGE_OP_GOTO)
        inst.predicate = SKIPPING_PREDICATE;
    else
        inst.exec_size = 1, unit->labels[0].inst = (int64_t)unit->num_insts;
    assert_non_null(vsg_obj_add_inst(batch->module, unit, &inst));
}

/* The first diagnostic fails the test. */
static void expect_none(visage_status status, visage_diagnostics *diagnostics,
                        const spec_batch *batch, const char *what)
{
    char text[400] = "";

    if (status == VISAGE_OK)
        return;
    const visage_diagnostic *first = visage_diagnostics_get(diagnostics, 0);
    if (first && first->instruction >= 0 && (size_t)first->instruction < batch->count)
        spec_describe(&batch->cases[first->instruction], text, sizeof text);
    fail_msg("%s: %s: %s", what, text, first ? first->message : "?");
}

static void begin(spec_batch *batch, const spec_case *cases, uint32_t count)
{
    memset(batch, 0, sizeof *batch);
    batch->cases = cases;
    batch->count = count;
    batch->platform = cases[0].platform;
    batch->alloc = vsg_base_alloc_default();
    batch->module = vsg_obj_create(&batch->alloc);
    assert_non_null(batch->module);
}

static void add_cases(spec_batch *batch, vsg_obj_unit *unit)
{
    for (uint32_t i = 0; i < batch->count; i++)
        add_case(batch, unit, &batch->cases[i]);
}

/* Code for what the thread will never come to: it stops before, and what is read here must be
 * in the frame then. */
static void add_reader(spec_batch *batch, vsg_obj_unit *unit, visage_type type,
                       const vsg_obj_operand *source)
{
    uint32_t sink = SINK_VARIABLES + (spec_is_float(type) ? VISAGE_TYPE_F : VISAGE_TYPE_UD);
    vsg_obj_operand operands[] = {{.class_ = VSG_OBJ_CLASS_GENERAL, .id = sink, .h_stride = 1},
                                  *source};
    vsg_obj_inst inst = {.op = VISAGE_OP_MOV,
                         .exec_size = 1,
                         .no_mask = true,
                         .num_operands = 2,
                         .operands = operands};

    assert_non_null(vsg_obj_add_inst(batch->module, unit, &inst));
}

/* A destination is one part of its variable for the compiler; its first element names it. */
static void add_readers(spec_batch *batch, vsg_obj_unit *unit, const spec_case *c)
{
    uint32_t grf = visage_platform_grf_bytes(batch->platform);

    for (uint32_t i = 0; i < c->row->num_operands; i++) {
        spec_place place = c->places[i];
        vsg_obj_operand source = {.class_ = VSG_OBJ_CLASS_PREDICATE, .id = place.state};
        if (!c->row->operands[i].is_dst || place.kind == SPEC_INDIRECT ||
            place.kind == SPEC_ADDRESS)
            continue;
        place.v_stride = 0;
        place.width = 1;
        place.h_stride = 0;
        place.modifier = VSG_OBJ_MOD_NONE;
        if (place.kind != SPEC_PREDICATE)
            source = general(batch, &place, false);
        visage_type type =
            place.kind == SPEC_PREDICATE ? VISAGE_TYPE_UD : (visage_type)place.type;
        add_reader(batch, unit, type, &source);
        source.row = (uint16_t)(source.row + (c->size * 4 + grf - 1) / grf);
        if (c->row->op == VISAGE_OP_MADW)
            add_reader(batch, unit, type, &source);
    }
    if (c->row->op == VISAGE_OP_ADD3O && c->predication)
        add_reader(batch, unit, VISAGE_TYPE_UD,
                   &(vsg_obj_operand){.class_ = VSG_OBJ_CLASS_PREDICATE, .id = c->predicate});
}

static void add_end(spec_batch *batch, vsg_obj_unit *unit)
{
    vsg_obj_inst yield = {.op = VISAGE_OP_YIELD, .exec_size = 1};

    assert_non_null(vsg_obj_add_inst(batch->module, unit, &yield));
    for (uint32_t i = 0; i < batch->count; i++)
        add_readers(batch, unit, &batch->cases[i]);
}

static void finish(spec_batch *batch, vsg_obj_unit *unit)
{
    visage_diagnostics *diagnostics = vsg_base_diagnostics_new(&batch->alloc);
    vsg_exe_program_options options = {.platform = batch->platform};
    vsg_ver_options rules = {.platform = batch->platform};
    vsg_obj_inst ret = {.op = VISAGE_OP_RET, .exec_size = 1, .no_mask = true};

    assert_non_null(vsg_obj_add_inst(batch->module, unit, &ret));
    assert_non_null(diagnostics);
    expect_none(vsg_ver_verify(batch->module, &rules, diagnostics), diagnostics, batch,
                "refused by the verifier");
    expect_none(vsg_exe_program_create(&batch->alloc, batch->module, &options, diagnostics,
                                       &batch->program),
                diagnostics, batch, "refused by the interpreter");
    visage_diagnostics_destroy(&diagnostics);
    batch->launch.program = batch->program;
    batch->group.num_threads = 1;
    assert_true(vsg_exe_thread_init(&batch->thread, &batch->alloc));
    const vsg_exe_unit *code = &batch->program->units[0];
    batch->registers = malloc(code->register_bytes);
    batch->addresses = calloc(code->num_addresses, sizeof(uint32_t));
    batch->predicates = calloc(code->num_predicates, sizeof(uint32_t));
    assert_true(batch->registers && batch->addresses && batch->predicates);
}

void spec_batch_open(spec_batch *batch, const spec_case *cases, uint32_t count)
{
    begin(batch, cases, count);
    vsg_obj_unit *unit = declare(batch);
    add_cases(batch, unit);
    finish(batch, unit);
}

void spec_batch_open_compiled(spec_batch *batch, const spec_case *cases, uint32_t count,
                              const spec_mode *mode, bool diverges)
{
    begin(batch, cases, count);
    batch->sets_masks = true;
    batch->execution_mask = diverges ? 0 : UINT32_MAX;
    vsg_obj_unit *unit = declare(batch);
    vsg_obj_label *label = vsg_obj_add_label(batch->module, unit);
    assert_non_null(label);
    label->name = "end";
    add_mode(batch, unit, mode);
    if (diverges) {
        add_setp(batch, unit, SINK_VARIABLES + VISAGE_TYPE_UD);
        add_flow(batch, unit, VISAGE_OP_GOTO);
    }
    add_cases(batch, unit);
    add_flow(batch, unit, VISAGE_OP_LABEL);
    add_end(batch, unit);
    finish(batch, unit);
    vsg_jit_options options = {.no_cache = true};
    assert_true(vsg_jit_choose_level(VISAGE_CPU_DEFAULT, &options.level));
    batch->jit = vsg_jit_create(&batch->alloc, batch->program, &options);
    assert_non_null(batch->jit);
}

void spec_batch_close(spec_batch *batch)
{
    vsg_jit_free(&batch->jit);
    vsg_exe_thread_free(&batch->thread);
    vsg_exe_program_free(&batch->program);
    vsg_obj_destroy(&batch->module);
    free(batch->registers);
    free(batch->addresses);
    free(batch->predicates);
}

/* ---- running ---------------------------------------------------------------------------- */

static uint32_t place_of(const spec_batch *batch, uint32_t variable)
{
    return batch->program->units[0].variable_at[variable];
}

/* Addresses are modulo 2^32: the offset of the operand may lead from below 0. */
static void fill_addresses(spec_batch *batch, const spec_place *place)
{
    uint32_t *addresses = batch->thread.frame->addresses + (size_t)place->state * SPEC_CHANNELS;
    uint32_t base = place_of(batch, place->variable) - (uint32_t)place->offset_bytes;

    if (place->kind == SPEC_INDIRECT)
        addresses[0] = base + place->start_bytes;
    for (uint32_t i = 0; place->kind == SPEC_MULTI && i < SPEC_CHANNELS; i++)
        addresses[i] = base + place->rows[i];
}

static void fill_registers(spec_batch *batch, uint64_t *random)
{
    for (uint32_t id = VSG_ISA_FIRST_VARIABLE; id < VSG_ISA_FIRST_VARIABLE + NUM_VARIABLES;
         id++) {
        uint32_t elements;
        uint32_t type = type_of_variable(batch, id, &elements);
        uint8_t *at = batch->thread.registers + place_of(batch, id);
        for (uint32_t i = 0; elements > 1 && i < elements; i++) {
            uint64_t bits =
                id >= DST_VARIABLES ? spec_random(random) : spec_random_bits(type, random);
            memcpy(at + (size_t)i * spec_bytes(type), &bits, spec_bytes(type));
        }
    }
}

static void fill(spec_batch *batch, uint64_t *random)
{
    const vsg_exe_unit *code = &batch->program->units[0];
    uint32_t *predicates = batch->thread.frame->predicates;

    fill_registers(batch, random);
    for (uint32_t i = 0; i < code->num_addresses; i++)
        batch->thread.frame->addresses[i] = (uint32_t)spec_random(random);
    for (uint32_t i = 0; i < code->num_predicates; i++)
        predicates[i] = (uint32_t)spec_random(random);
    predicates[SPEC_FIRST_PREDICATE + 1] = UINT32_MAX;
    predicates[SPEC_FIRST_PREDICATE + 2] = 0;
    predicates[SPEC_FIRST_PREDICATE + 3] = ~(1u << spec_random_below(random, SPEC_CHANNELS));
    for (uint32_t i = 0; i < batch->count; i++)
        for (uint32_t k = 0; k < batch->cases[i].row->num_operands; k++)
            if (batch->cases[i].places[k].kind == SPEC_INDIRECT ||
                batch->cases[i].places[k].kind == SPEC_MULTI)
                fill_addresses(batch, &batch->cases[i].places[k]);
    memcpy(batch->registers, batch->thread.registers, code->register_bytes);
    memcpy(batch->addresses, batch->thread.frame->addresses,
           code->num_addresses * sizeof(uint32_t));
    memcpy(batch->predicates, predicates, code->num_predicates * sizeof(uint32_t));
}

void spec_batch_run(spec_batch *batch, const spec_mode *mode, uint64_t *random)
{
    uint32_t control = control_register(mode);

    batch->execution_mask =
        spec_random(random) & 1 ? UINT32_MAX : (uint32_t)spec_random(random);
    if (batch->execution_mask == 0)
        batch->execution_mask = 1;
    batch->thread.budget = batch->count + 10;
    assert_true(vsg_exe_thread_start(&batch->thread, &batch->launch, &batch->group, 0,
                                     batch->execution_mask));
    memcpy(batch->thread.shared + vsg_exe_shared_at(VSG_ISA_VAR_CR0), &control, sizeof control);
    vsg_exe_mode_changed(&batch->thread);
    fill(batch, random);
    vsg_exe_stop stop = vsg_exe_run(&batch->thread);
    if (stop != VSG_EXE_STOP_END)
        fail_msg("the kernel stopped for reason %d at instruction %u", (int)stop,
                 batch->thread.pc);
}

static void start(spec_batch *batch)
{
    batch->thread.budget = batch->count + 10;
    assert_true(
        vsg_exe_thread_start(&batch->thread, &batch->launch, &batch->group, 0, UINT32_MAX));
}

void spec_batch_run_both(spec_batch *batch, uint64_t *random, uint8_t *out)
{
    const vsg_exe_unit *code = &batch->program->units[0];
    size_t address_bytes = code->num_addresses * sizeof(uint32_t);
    size_t predicate_bytes = code->num_predicates * sizeof(uint32_t);
    const vsg_jit_request request = {.rows = 1};
    vsg_jit_code found = vsg_jit_find(batch->jit, &request, NULL);
    vsg_exe_thread *const thread = &batch->thread;
    uint8_t reason = VSG_EXE_RUNNING;
    vsg_jit_window *windows = calloc(found.num_windows + 1, sizeof *windows);
    vsg_jit_batch one = {.threads = &thread, .reasons = &reason, .end = 1, .windows = windows};

    assert_true(found.run && windows);
    if (batch->execution_mask != UINT32_MAX)
        batch->execution_mask = (uint32_t)spec_random(random) | 1;
    start(batch);
    fill(batch, random);
    uint32_t off = ~batch->execution_mask;
    uint32_t off_at = place_of(batch, SINK_VARIABLES + VISAGE_TYPE_UD);
    memcpy(batch->registers + off_at, &off, sizeof off);
    memcpy(batch->thread.registers + off_at, &off, sizeof off);
    one.budget = batch->thread.budget;
    uint32_t host = vsg_exe_host_save();
    assert_int_equal(vsg_jit_enter(&found, &one), VSG_EXE_STOP_YIELD);
    vsg_exe_host_restore(host);
    free(windows);
    memcpy(out, batch->thread.registers, code->register_bytes);
    uint32_t *states = malloc(address_bytes + predicate_bytes);
    assert_non_null(states);
    memcpy(states, batch->thread.frame->addresses, address_bytes);
    memcpy((char *)states + address_bytes, batch->thread.frame->predicates, predicate_bytes);
    start(batch);
    memcpy(batch->thread.registers, batch->registers, code->register_bytes);
    memcpy(batch->thread.frame->addresses, batch->addresses, address_bytes);
    memcpy(batch->thread.frame->predicates, batch->predicates, predicate_bytes);
    assert_int_equal(vsg_exe_run(&batch->thread), VSG_EXE_STOP_YIELD);
    assert_memory_equal(states, batch->thread.frame->addresses, address_bytes);
    /* The last one is the branch's, which nothing reads any more. */
    assert_memory_equal((char *)states + address_bytes, batch->thread.frame->predicates,
                        predicate_bytes - sizeof(uint32_t));
    free(states);
}

/* ---- what an operand names -------------------------------------------------------------- */

static uint32_t byte_of(const spec_batch *batch, const spec_place *place, uint32_t row,
                        uint32_t elements)
{
    uint32_t start = place->kind == SPEC_MULTI ? place->rows[row] : place->start_bytes;

    return place_of(batch, place->variable) + start + elements * spec_bytes(place->type);
}

static uint64_t read_element(const spec_batch *batch, const spec_place *place, uint32_t row,
                             uint32_t elements)
{
    uint64_t bits = 0;

    memcpy(&bits, batch->registers + byte_of(batch, place, row, elements),
           spec_bytes(place->type));
    return bits;
}

/* 5_operands, Immediate Operands: eight W or UW, four restricted floats: sign, three bits of
 * exponent with bias 3, four of fraction; zero where those are zero. */
static uint64_t packed_element(const spec_place *place, uint32_t i)
{
    uint32_t packed = (uint32_t)place->immediate;
    uint32_t nibble = packed >> (4 * (i % 8)) & 15, byte = packed >> (8 * (i % 4)) & 255;

    if (place->type == VISAGE_TYPE_UV)
        return nibble;
    if (place->type == VISAGE_TYPE_V)
        return nibble < 8 ? nibble : nibble | 0xfff0;
    uint32_t exponent = byte >> 4 & 7, fraction = byte & 15, sign = byte >> 7 << 31;
    return byte % 128 == 0 ? sign : sign | (exponent + 127 - 3) << 23 | fraction << 19;
}

uint64_t spec_source(const spec_batch *batch, const spec_case *c, uint32_t position, uint32_t i)
{
    const spec_place *place = &c->places[position];

    if (place->kind == SPEC_IMMEDIATE)
        return place->immediate;
    if (place->kind == SPEC_PACKED)
        return packed_element(place, i);
    uint32_t row = i / place->width, column = i % place->width * place->h_stride;
    if (place->kind != SPEC_MULTI)
        column += row * place->v_stride;
    return read_element(batch, place, row, column);
}

uint64_t spec_flat_source(const spec_batch *batch, const spec_case *c, uint32_t position,
                          uint32_t i)
{
    const spec_place *place = &c->places[position];

    if (place->kind == SPEC_IMMEDIATE)
        return place->immediate;
    return read_element(batch, place, 0, i);
}

uint32_t spec_address(const spec_batch *batch, const spec_case *c, uint32_t position,
                      uint32_t i)
{
    const spec_place *place = &c->places[position];

    if (place->kind == SPEC_ADDRESS_OF)
        return place_of(batch, place->variable) + (uint32_t)place->offset_bytes;
    return batch->addresses[place->state * SPEC_CHANNELS + place->element + i % place->width];
}

uint32_t spec_destination(const spec_batch *batch, const spec_case *c, uint32_t position,
                          uint32_t i)
{
    /* LRP page: "Register region is ignored for Dst". */
    uint32_t stride = c->row->op == VISAGE_OP_LRP ? 1 : c->places[position].h_stride;

    return byte_of(batch, &c->places[position], 0, i * stride);
}

uint32_t spec_enabled(const spec_batch *batch, const spec_case *c)
{
    uint32_t all = c->size == SPEC_CHANNELS ? UINT32_MAX : (1u << c->size) - 1;

    return c->no_mask ? all : batch->execution_mask >> c->mask_offset & all;
}

/* 5_operands, Predication; of a scalar instruction .any and .all combine the whole predicate
 * (docs/spec-notes.md). */
uint32_t spec_chosen(const spec_batch *batch, const spec_case *c)
{
    uint32_t all = c->size == SPEC_CHANNELS ? UINT32_MAX : (1u << c->size) - 1;
    uint32_t meant = c->size == 1 ? UINT32_MAX : all << c->mask_offset;
    uint32_t predicate = batch->predicates[c->predicate - 1];
    uint32_t bits = predicate >> c->mask_offset & all;

    if (!c->predication)
        return all;
    if (c->predication >> SPEC_PRED_COMBINE_SHIFT == VSG_OBJ_COMBINE_ANY)
        bits = predicate & meant ? all : 0;
    if (c->predication >> SPEC_PRED_COMBINE_SHIFT == VSG_OBJ_COMBINE_ALL)
        bits = (predicate & meant) == meant ? all : 0;
    return c->predication & SPEC_PRED_INVERSE ? ~bits & all : bits;
}
