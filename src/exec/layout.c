/* SPDX-License-Identifier: MIT */
#include "exec/layout.h"

#include <assert.h>
#include <string.h>

enum {
    LARGEST_FRAME_BYTES = 64 << 20,
    SLACK_BYTES = 256 /* vector code may read a little past an element */
};

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Bytes for each code of VSG_ISA_WORDS_ALIGN. */
static uint32_t align_bytes(uint8_t align, uint32_t grf_bytes)
{
    switch (align) {
    case 5:
        return grf_bytes;
    case 6:
        return 2 * grf_bytes;
    case 7:
        return 32;
    case 8:
        return 64;
    case 9:
        return 128;
    default:
        return align < 5 ? 1u << align : 1;
    }
}

/* Size of a root's storage: %arg and %retval hold what the largest call passes, which is more
 * than their declared elements where a GRF has 64 bytes. */
static uint32_t storage_bytes(uint32_t id, const vsg_obj_variable_facts *facts,
                              uint32_t grf_bytes)
{
    uint32_t least = 0;

    if (id == VSG_ISA_VAR_ARG)
        least = VSG_EXE_ARG_GRFS * grf_bytes;
    else if (id == VSG_ISA_VAR_RETVAL)
        least = VSG_EXE_RETVAL_GRFS * grf_bytes;
    return facts->size_bytes > least ? facts->size_bytes : least;
}

/* Places a root behind `end`: GRF-aligned from one GRF in size on, else within one GRF
 * (5_operands, Implementation Note). */
static uint64_t place_root(uint64_t end, uint32_t size, uint32_t align, uint32_t grf_bytes)
{
    if (size >= grf_bytes && align < grf_bytes)
        align = grf_bytes;
    uint64_t at = round_up(end, align ? align : 1);
    if (size < grf_bytes && at / grf_bytes != (at + size - 1) / grf_bytes)
        at = round_up(at, grf_bytes);
    return at;
}

/* Puts an alias into its variable, which stands before it and has its place: chains of aliases
 * may be long. */
static void place_alias(vsg_exe_builder *builder, uint32_t id,
                        const vsg_obj_variable_facts *facts)
{
    assert(facts->alias < id);
    builder->variable_root[id] = builder->variable_root[facts->alias];
    builder->variable_at[id] = builder->variable_at[facts->alias] + facts->alias_offset_bytes;
}

/* A variable that lies in a file-scope one, which all units of the program share. */
static bool place_in_file(vsg_exe_builder *builder, uint32_t id,
                          const vsg_obj_variable_facts *facts)
{
    const vsg_obj_module *module = builder->program->module;
    uint32_t named = vsg_obj_resolve(&builder->resolver, facts->file_variable);
    uint32_t index =
        named < module->num_file_variables ? builder->definitions[named] : VSG_OBJ_NO_ALIAS;
    vsg_base_location where = vsg_obj_locate(builder->object, NULL);

    if (index == VSG_OBJ_NO_ALIAS) {
        const char *name = named < module->num_file_variables
                               ? module->file_variables[named].name
                               : facts->name;
        vsg_base_report(builder->diagnostics, VSG_DIAG_LINK_MISSING, &where,
                        "file-scope variable", name);
        builder->status = VISAGE_UNRESOLVED;
        return false;
    }
    const vsg_obj_file_variable *variable = &module->file_variables[index];
    uint64_t size = (uint64_t)variable->num_elements * vsg_isa_type(variable->type)->bytes;
    if ((uint64_t)facts->alias_offset_bytes + facts->size_bytes > size) {
        vsg_base_report(builder->diagnostics, VSG_DIAG_ALIAS_OF_FILE, &where, facts->name,
                        (unsigned long long)facts->alias_offset_bytes + facts->size_bytes - 1,
                        variable->name, (unsigned long long)size);
        return false;
    }
    builder->variable_at[id] =
        builder->program->file_variable_at[index] + facts->alias_offset_bytes;
    return true;
}

bool vsg_exe_place_file_variables(vsg_exe_builder *builder)
{
    vsg_exe_program *program = builder->program;
    const vsg_obj_module *module = program->module;
    uint64_t end = VSG_EXE_SHARED_BYTES;

    program->file_variable_at =
        vsg_exe_keep(builder, module->num_file_variables + 1, sizeof(uint32_t));
    builder->definitions =
        vsg_exe_keep(builder, module->num_file_variables + 1, sizeof(uint32_t));
    if (!program->file_variable_at || !builder->definitions)
        return false;
    if (!vsg_obj_define_variables(module, builder->definitions)) {
        builder->status = VISAGE_NO_MEMORY;
        return false;
    }
    for (size_t i = 0; i < module->num_file_variables; i++) {
        const vsg_obj_file_variable *variable = &module->file_variables[i];
        uint32_t natural = vsg_isa_type(variable->type)->bytes;
        uint64_t size = (uint64_t)variable->num_elements * natural;
        uint32_t align = align_bytes(variable->align, program->grf_bytes);
        if (size > LARGEST_FRAME_BYTES || end > LARGEST_FRAME_BYTES)
            break;
        end = place_root(end, (uint32_t)size, align > natural ? align : natural,
                         program->grf_bytes);
        program->file_variable_at[i] = (uint32_t)end;
        end += size;
    }
    if (end > LARGEST_FRAME_BYTES) {
        vsg_base_report(builder->diagnostics, VSG_DIAG_FRAME_SIZE, &VSG_BASE_NOWHERE,
                        (unsigned long long)end, (unsigned long long)LARGEST_FRAME_BYTES);
        builder->status = VISAGE_INVALID;
        return false;
    }
    program->shared_bytes = (uint32_t)round_up(end + SLACK_BYTES, VSG_EXE_SHARED_SLOT);
    return true;
}

static bool place_variables(vsg_exe_builder *builder)
{
    const vsg_obj_unit *object = builder->object;
    uint32_t grf_bytes = builder->program->grf_bytes;
    uint64_t end = 0;

    for (uint32_t id = 0; id < builder->num_variables; id++) {
        vsg_obj_variable_facts facts;
        if (!vsg_obj_variable_get(object, id, &facts))
            continue; /* V21 .. V31 */
        if (facts.alias != VSG_OBJ_NO_ALIAS) {
            place_alias(builder, id, &facts);
            continue;
        }
        builder->variable_root[id] = id;
        if (facts.in_file) {
            if (!place_in_file(builder, id, &facts))
                return false;
            continue;
        }
        if (facts.flags & VSG_ISA_VAR_SHARED) {
            builder->variable_at[id] = vsg_exe_shared_at(id);
            continue;
        }
        uint32_t size = storage_bytes(id, &facts, grf_bytes);
        uint32_t natural = vsg_isa_type(facts.type)->bytes;
        uint32_t align = align_bytes(facts.align, grf_bytes);
        uint64_t at = place_root(end, size, align > natural ? align : natural, grf_bytes);
        /* What is aligned to registers has them to itself: the compiler copies the whole of r0,
         * 64 bytes on pvc, into variables of 32. */
        end = at + (align >= grf_bytes ? round_up(size, grf_bytes) : size);
        if (end > LARGEST_FRAME_BYTES) {
            vsg_base_location where = vsg_obj_locate(object, NULL);
            vsg_base_report(builder->diagnostics, VSG_DIAG_FRAME_SIZE, &where,
                            (unsigned long long)end, (unsigned long long)LARGEST_FRAME_BYTES);
            return false;
        }
        builder->variable_at[id] = (uint32_t)at;
    }
    builder->unit->variable_bytes = (uint32_t)round_up(end, grf_bytes);
    return true;
}

static uint32_t count_elements(const vsg_obj_state *states, size_t count)
{
    uint64_t elements = 0;

    for (size_t i = 0; i < count; i++)
        elements += states[i].num_elements;
    return elements > LARGEST_FRAME_BYTES ? UINT32_MAX : (uint32_t)elements;
}

bool vsg_exe_layout(vsg_exe_builder *builder)
{
    vsg_exe_unit *unit = builder->unit;
    const vsg_obj_unit *object = builder->object;

    const vsg_base_alloc *alloc = &builder->program->alloc;
    bool good = vsg_obj_resolver_init(&builder->resolver, alloc, object);
    if (!good)
        builder->status = VISAGE_NO_MEMORY;
    good = good && place_variables(builder);
    vsg_obj_resolver_free(&builder->resolver, alloc);
    if (!good) {
        if (builder->status == VISAGE_OK)
            builder->status = VISAGE_INVALID;
        return false;
    }
    unit->arg_at = builder->variable_at[VSG_ISA_VAR_ARG];
    unit->retval_at = builder->variable_at[VSG_ISA_VAR_RETVAL];
    unit->sp_at = builder->variable_at[VSG_ISA_VAR_SP];
    unit->fp_at = builder->variable_at[VSG_ISA_VAR_FP];
    /* A multi-address operand may name up to 32 addresses behind its first one. */
    unit->num_addresses =
        count_elements(object->addresses, object->num_addresses) + VSG_EXE_MAX_CHANNELS;
    unit->num_predicates = (uint32_t)object->num_predicates;
    unit->num_surfaces =
        VSG_ISA_NUM_SURFACES + count_elements(object->surfaces, object->num_surfaces);
    unit->num_samplers =
        VSG_ISA_BINDLESS_SAMPLER + 1 + count_elements(object->samplers, object->num_samplers);
    if (unit->num_addresses > LARGEST_FRAME_BYTES / 4 ||
        unit->num_surfaces > LARGEST_FRAME_BYTES / 4 ||
        unit->num_samplers > LARGEST_FRAME_BYTES / 4) {
        vsg_base_location where = vsg_obj_locate(object, NULL);
        vsg_base_report(builder->diagnostics, VSG_DIAG_FRAME_SIZE, &where,
                        (unsigned long long)UINT32_MAX,
                        (unsigned long long)LARGEST_FRAME_BYTES);
        builder->status = VISAGE_INVALID;
        return false;
    }
    builder->reach_bytes = unit->variable_bytes;
    return true;
}

void vsg_exe_finish_frame(vsg_exe_builder *builder)
{
    vsg_exe_unit *unit = builder->unit;

    unit->register_bytes =
        (uint32_t)round_up((uint64_t)builder->reach_bytes + SLACK_BYTES, VSG_EXE_SHARED_SLOT);
    unit->addresses_at = unit->register_bytes;
    unit->predicates_at = unit->addresses_at + 4 * unit->num_addresses;
    unit->surfaces_at = unit->predicates_at + 4 * unit->num_predicates;
    unit->samplers_at = unit->surfaces_at + 4 * unit->num_surfaces;
    unit->waits_at = unit->samplers_at + 4 * unit->num_samplers;
    unit->frame_bytes =
        (uint32_t)round_up((uint64_t)unit->waits_at + 4 * unit->num_waits, VSG_EXE_SHARED_SLOT);
}
