/* SPDX-License-Identifier: MIT */
#include "object/strip.h"

#include <string.h>

#include "object/naming.h"

void vsg_obj_strip_gen_binaries(vsg_obj_module *module)
{
    for (size_t i = 0; i < module->num_units; i++) {
        vsg_obj_stored *stored = &module->units[i]->stored;
        for (size_t n = 0; n < stored->num_gen_binaries; n++)
            stored->gen_binaries[n].size_bytes = 0;
    }
}

/* ---- instructions and attributes -------------------------------------------------------- */

static void remove_lines(vsg_obj_unit *unit)
{
    size_t kept = 0;

    for (size_t i = 0; i < unit->num_insts; i++) {
        const vsg_obj_inst *inst = &unit->insts[i];
        if (inst->op == VISAGE_OP_LOC || inst->op == VISAGE_OP_FILE)
            continue;
        if (vsg_isa_op(inst->op)->form == VSG_ISA_FORM_LABEL)
            unit->labels[inst->operands[0].id].inst = (int64_t)kept;
        unit->insts[kept++] = *inst;
    }
    unit->num_insts = kept;
}

static void remove_path(vsg_obj_attributes *list)
{
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, "OutputAsmPath") != 0)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

/* ---- strings ---------------------------------------------------------------------------- */

/* Which strings of a unit's pool something names. */
typedef struct users {
    const vsg_obj_stored *stored;
    bool *used;   /* by number */
    size_t first; /* the first but the unit's name, num_strings when there is none */
} users;

static void use(users *u, const char *text)
{
    size_t index;

    if (!text || !vsg_obj_stored_find(u->stored, text, &index))
        return;
    u->used[index] = true;
    if (index > 0 && index < u->first)
        u->first = index;
}

static void use_attributes(users *u, const vsg_obj_attributes *list)
{
    for (size_t i = 0; i < list->count; i++)
        use(u, list->items[i].name);
}

static void use_states(users *u, const vsg_obj_state *states, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        use(u, states[i].name);
        use(u, states[i].v_name);
        use_attributes(u, &states[i].attributes);
    }
}

static void use_tables(users *u, const vsg_obj_unit *unit)
{
    use(u, unit->stored.pool_name);
    for (size_t i = 0; i < unit->num_variables; i++) {
        use(u, unit->variables[i].name);
        use_attributes(u, &unit->variables[i].attributes);
    }
    use_states(u, unit->addresses, unit->num_addresses);
    use_states(u, unit->predicates, unit->num_predicates);
    use_states(u, unit->samplers, unit->num_samplers);
    use_states(u, unit->surfaces, unit->num_surfaces);
    use_states(u, unit->stored.vmes, unit->stored.num_vmes);
    for (size_t i = 0; i < unit->num_labels; i++) {
        use(u, unit->labels[i].name);
        use_attributes(u, &unit->labels[i].attributes);
    }
    use_attributes(u, &unit->attributes);
}

static void use_names(users *u, const vsg_obj_unit *unit)
{
    for (size_t i = 0; i < unit->num_insts; i++)
        for (unsigned n = 0; n < unit->insts[i].num_operands; n++)
            if (unit->insts[i].operands[n].class_ == VSG_OBJ_CLASS_NAME)
                use(u, unit->insts[i].operands[n].name);
}

static void use_all(users *u, const vsg_obj_unit *unit)
{
    memset(u->used, 0, u->stored->num_strings * sizeof *u->used);
    u->first = u->stored->num_strings;
    use_tables(u, unit);
    use_names(u, unit);
}

static bool strip_unit(const vsg_base_alloc *alloc, vsg_obj_unit *unit)
{
    vsg_obj_stored *stored = &unit->stored;
    size_t count = stored->num_strings, kept = 0;
    users u = {.stored = stored};

    u.used = vsg_base_new(alloc, count ? count : 1, sizeof *u.used);
    if (!u.used)
        return false;
    use_all(&u, unit);
    size_t first = u.first; /* before it are the compiler's predefined names */
    remove_lines(unit);
    remove_path(&unit->attributes);
    use_all(&u, unit);
    for (size_t i = 0; i < count; i++)
        if (i < first || u.used[i])
            stored->strings[kept++] = stored->strings[i];
    stored->num_strings = kept;
    vsg_base_delete(alloc, u.used, count ? count : 1, sizeof *u.used);
    return true;
}

bool vsg_obj_strip_debug(vsg_obj_module *module)
{
    for (size_t i = 0; i < module->num_units; i++)
        if (module->units[i]->stored.damage == VSG_OBJ_DAMAGE_NONE &&
            !strip_unit(&module->alloc, module->units[i]))
            return false;
    return true;
}
