/* SPDX-License-Identifier: MIT
 *
 * The tables of a unit: variables and their aliases; inputs and attributes are next door.
 * Sources: 4_visa_header, var_info and predefined variables; spec dialect 1.1. */
#include "verify/tables.h"
#include "object/resolve.h"

/* ---- aliases ---------------------------------------------------------------------------- */

/* What an alias is a part of. */
typedef struct base {
    const char *name;
    uint64_t size_bytes;
} base;

/* %r0 is a register. Without a platform it may be the large one. */
static uint64_t bytes_of_r0(const vsg_ver_state *state)
{
    enum { LARGE_GRF_BYTES = 64 };

    return state->platform ? state->grf_bytes : LARGE_GRF_BYTES;
}

/* An extern one has the size it is declared with: it may be defined in another file. */
static bool find_file_base(vsg_ver_state *state, const vsg_obj_resolver *r,
                           const vsg_obj_variable *variable, base *out)
{
    const vsg_obj_module *module = state->module;
    uint32_t index = vsg_obj_resolve(r, variable->alias);

    if (index >= module->num_file_variables) {
        vsg_ver_report_place(state, &variable->place, VSG_RULE_ALIAS_BASE, variable->name,
                             "file-scope variable", variable->alias);
        return false;
    }
    const vsg_obj_file_variable *found = &module->file_variables[index];
    const vsg_isa_type_info *type = vsg_isa_type(found->type);
    out->name = found->name;
    out->size_bytes = type ? (uint64_t)found->num_elements * type->bytes : 0;
    return type != NULL;
}

/* Real files alias an alias; a base comes before its aliases, so there is no circle. */
static bool find_base(vsg_ver_state *state, const vsg_obj_resolver *r,
                      const vsg_obj_variable *variable, uint32_t id, base *out)
{
    const vsg_obj_place *place = &variable->place;
    vsg_ver_variable found;

    if (variable->alias_is_global)
        return find_file_base(state, r, variable, out);
    if (variable->alias >= VSG_ISA_NUM_PREDEFINED && variable->alias < VSG_ISA_FIRST_VARIABLE) {
        vsg_ver_report_place(state, place, VSG_RULE_RESERVED_VARIABLE, variable->name,
                             variable->alias);
        return false;
    }
    if (variable->alias >= id || !vsg_ver_variable_get(state, variable->alias, &found)) {
        vsg_ver_report_place(state, place, VSG_RULE_ALIAS_BASE, variable->name, "variable",
                             variable->alias);
        return false;
    }
    if (found.facts.predefined && !(found.facts.flags & VSG_ISA_VAR_ALIAS)) {
        vsg_ver_report_place(state, place, VSG_RULE_ALIAS_ALLOWED, found.facts.name);
        return false;
    }
    out->name = found.facts.name;
    out->size_bytes = variable->alias == VSG_ISA_VAR_R0 ? bytes_of_r0(state) : found.size_bytes;
    /* Of %arg and %retval, too, as many registers are large without a platform. */
    if (!state->platform && found.facts.predefined && out->size_bytes > bytes_of_r0(state))
        out->size_bytes *= 2;
    return true;
}

static void note_base(vsg_ver_state *state, const vsg_obj_variable *variable)
{
    const vsg_obj_unit *unit = state->unit;

    if (variable->alias_is_global || variable->alias < VSG_ISA_FIRST_VARIABLE)
        return;
    const vsg_obj_variable *found = &unit->variables[variable->alias - VSG_ISA_FIRST_VARIABLE];
    vsg_ver_note_place(state, &found->place, "%s declared here", found->name);
}

static void check_alias(vsg_ver_state *state, const vsg_obj_resolver *r,
                        const vsg_obj_variable *variable, uint32_t id, uint32_t type_bytes)
{
    const vsg_obj_place *place = &variable->place;
    uint64_t offset = variable->alias_offset_bytes;
    uint64_t end = offset + (uint64_t)variable->num_elements * type_bytes;
    base found;

    if (type_bytes && offset % type_bytes) {
        vsg_ver_report_place(state, place, VSG_RULE_ALIAS_ALIGN, variable->name,
                             (unsigned long long)offset, type_bytes);
        vsg_ver_note_fix(state, "byte %llu is aligned",
                         (unsigned long long)(offset - offset % type_bytes));
    }
    if (!find_base(state, r, variable, id, &found) || end <= found.size_bytes)
        return;
    vsg_ver_report_place(state, place, VSG_RULE_ALIAS_RANGE, variable->name,
                         (unsigned long long)end, found.name,
                         (unsigned long long)found.size_bytes);
    note_base(state, variable);
}

/* ---- variables -------------------------------------------------------------------------- */

/* BF: spec dialect 1.1. */
static bool is_variable_type(const vsg_isa_type_info *type)
{
    return type && type->kind != VSG_ISA_KIND_PACKED && type->kind != VSG_ISA_KIND_BOOLEAN;
}

static void check_variable(vsg_ver_state *state, const vsg_obj_resolver *r,
                           const vsg_obj_variable *variable, uint32_t id)
{
    enum { MOST = 4096 }; /* elements, and bytes */
    const vsg_obj_place *place = &variable->place;
    const vsg_isa_type_info *type = vsg_isa_type(variable->type);
    uint64_t bytes = (uint64_t)variable->num_elements * (type ? type->bytes : 0);

    if (variable->num_elements > MOST || bytes > MOST)
        vsg_ver_report_place(state, place, VSG_RULE_VARIABLE_SIZE, variable->name,
                             variable->num_elements, (unsigned long long)bytes);
    if (!is_variable_type(type))
        vsg_ver_report_place(state, place, VSG_RULE_VARIABLE_TYPE, variable->name,
                             type ? type->text : "none");
    if (!vsg_isa_word(VSG_ISA_WORDS_ALIGN, variable->align))
        vsg_ver_report_place(state, place, VSG_RULE_VARIABLE_ALIGN, variable->name,
                             (unsigned)variable->align);
    if (variable->alias != VSG_OBJ_NO_ALIAS || variable->alias_is_global)
        check_alias(state, r, variable, id, type ? type->bytes : 0);
    else if (variable->alias_offset_bytes)
        vsg_ver_report_place(state, place, VSG_RULE_ALIAS_NONE, variable->name,
                             variable->alias_offset_bytes);
}

/* Binaries have no names of their own here: the first one is T6 in any case. */
static void check_surface(vsg_ver_state *state, const vsg_obj_state *surface)
{
    const char *name = surface->name;

    if (name[0] == 'T' && name[1] >= '0' && name[1] < '0' + VSG_ISA_NUM_SURFACES && !name[2])
        vsg_ver_report_place(state, &surface->place, VSG_RULE_SURFACE_NAME, name);
}

static void check_numbers(vsg_ver_state *state)
{
    enum { MOST_VARIABLES = 65536, MOST_PREDICATES = 4095 };
    const vsg_obj_unit *unit = state->unit;

    if (unit->num_variables > MOST_VARIABLES)
        vsg_ver_report_place(state, &unit->variables[MOST_VARIABLES].place,
                             VSG_RULE_NUM_VARIABLES, (unsigned)unit->num_variables);
    if (unit->num_predicates > MOST_PREDICATES)
        vsg_ver_report_place(state, &unit->predicates[MOST_PREDICATES].place,
                             VSG_RULE_NUM_PREDICATES, (unsigned)unit->num_predicates);
}

void vsg_ver_check_tables(vsg_ver_state *state)
{
    const vsg_obj_unit *unit = state->unit;
    const vsg_base_alloc *alloc = &state->module->alloc;
    vsg_obj_resolver r;

    if (!vsg_obj_resolver_init(&r, alloc, unit)) {
        state->no_memory = true;
        return;
    }
    for (size_t i = 0; i < unit->num_variables && !vsg_ver_stop(state); i++)
        check_variable(state, &r, &unit->variables[i], (uint32_t)i + VSG_ISA_FIRST_VARIABLE);
    vsg_obj_resolver_free(&r, alloc);
    check_numbers(state);
    for (size_t i = 0; i < unit->num_surfaces; i++)
        check_surface(state, &unit->surfaces[i]);
    vsg_ver_check_inputs(state);
    vsg_ver_check_attributes(state);
}
