/* SPDX-License-Identifier: MIT
 *
 * Which functions a kernel may come to call, and what is known where they begin: the mode of
 * %cr0, and whether all channels of the dispatch are on. Most calls are such; a function that
 * is called otherwise, too, has code for both. */
#include "jit/compile.h"
#include "jit/emit.h"

vsg_jit_request vsg_jit_request_of(const vsg_exe_program *program,
                                   const vsg_jit_request *kernel, const vsg_jit_reach *reach,
                                   uint32_t unit, vsg_jit_entry entry)
{
    if (unit == kernel->unit)
        return *kernel;
    bool is_better =
        kernel->effort == VSG_JIT_EFFORT_MOST && vsg_jit_is_rough(&program->units[unit]);
    return (vsg_jit_request){.unit = unit,
                             .rows = 1,
                             .is_partial = entry == VSG_JIT_PARTIAL,
                             .simd_size = program->units[kernel->unit].simd_size,
                             .mode = reach[unit].mode,
                             .effort =
                                 is_better ? VSG_JIT_EFFORT_MOST : VSG_JIT_EFFORT_BY_LENGTH};
}

/* What is noted while the units are gone through. */
typedef struct walk {
    const vsg_exe_program *program;
    const vsg_jit_request *kernel;
    vsg_jit_reach *reach;
    bool changed;
} walk;

static void note_entry(walk *w, uint32_t unit, vsg_jit_entry entry, uint32_t mode)
{
    vsg_jit_reach *reach = &w->reach[unit];
    bool is_new = !reach->is_called[VSG_JIT_FULL] && !reach->is_called[VSG_JIT_PARTIAL];
    uint32_t met = is_new || reach->mode == mode ? mode : VSG_JIT_ANY_MODE;

    if (!reach->is_called[entry] || reach->mode != met)
        w->changed = reach->is_due[VSG_JIT_FULL] = reach->is_due[VSG_JIT_PARTIAL] = true;
    reach->is_called[entry] = true;
    reach->mode = met;
}

/* A function that is called by its address may be any: addresses come from memory, too. */
static void note_call(walk *w, const vsg_exe_inst *inst, vsg_jit_entry entry, uint32_t mode)
{
    if (inst->op == VISAGE_OP_FCALL) {
        note_entry(w, inst->target, entry, mode);
        return;
    }
    for (uint32_t u = 0; u < w->program->num_units; u++)
        if (w->program->units[u].object->is_function && !w->program->units[u].is_left_out)
            note_entry(w, u, entry, mode);
}

/* Does the function begin with all channels on? A scalar call turns on those of the dispatch.
 * What functions find in channels that are off always is not told them. */
static vsg_jit_entry entry_of(const walk *w, const vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    bool is_full = !w->kernel->is_partial && w->kernel->mask == 0 &&
                   (inst->exec_size == 1 ||
                    (!e->notes[place].is_divergent && vsg_jit_is_uniform(e, inst)));

    return is_full ? VSG_JIT_FULL : VSG_JIT_PARTIAL;
}

/* What a unit calls; what is not compiled calls with any masks, in any mode. */
static void note_calls(walk *w, vsg_jit_emitter *e)
{
    const vsg_exe_unit *unit = e->unit;
    bool is_known = vsg_jit_survey(e);

    for (uint32_t i = 0; i < unit->num_code; i++) {
        const vsg_exe_inst *inst = &unit->code[i];
        if (!vsg_jit_is_function_call(inst) || (is_known && !e->notes[i].is_reached))
            continue;
        bool is_mode = is_known && e->notes[i].mode != (uint16_t)VSG_JIT_ANY_MODE;
        note_call(w, inst, is_known ? entry_of(w, e, i) : VSG_JIT_PARTIAL,
                  is_mode ? e->notes[i].mode : VSG_JIT_ANY_MODE);
    }
}

static void note_unit(walk *w, const vsg_base_alloc *alloc, uint32_t unit, vsg_jit_entry entry)
{
    const vsg_jit_request request =
        vsg_jit_request_of(w->program, w->kernel, w->reach, unit, entry);
    vsg_jit_emitter e = {.alloc = alloc,
                         .program = w->program,
                         .unit = &w->program->units[unit],
                         .request = &request};

    e.simd_size = w->program->units[w->kernel->unit].simd_size;
    e.dispatch_mask = vsg_exe_first(e.simd_size);
    vsg_base_arena_init(&e.arena, alloc);
    note_calls(w, &e);
    vsg_base_arena_free(&e.arena);
}

void vsg_jit_find_reach(const vsg_base_alloc *alloc, const vsg_exe_program *program,
                        const vsg_jit_request *kernel, vsg_jit_reach *out)
{
    walk w = {.program = program, .kernel = kernel, .reach = out};

    for (uint32_t u = 0; u < program->num_units; u++)
        out[u] = (vsg_jit_reach){0};
    note_unit(&w, alloc, kernel->unit, VSG_JIT_FULL);
    while (w.changed) {
        w.changed = false;
        for (uint32_t u = 0; u < program->num_units; u++)
            for (uint32_t n = 0; n < VSG_JIT_ENTRIES; n++) {
                bool is_due = out[u].is_called[n] && out[u].is_due[n];
                out[u].is_due[n] = false;
                if (is_due && vsg_jit_calls_functions(&program->units[u]))
                    note_unit(&w, alloc, u, (vsg_jit_entry)n);
            }
    }
}
