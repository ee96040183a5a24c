/* SPDX-License-Identifier: MIT
 *
 * What is in %cr0 at each instruction, and in functions when they begin: they do what they do
 * in the mode of their callers, which a kernel sets once and for all. Functions that a kernel
 * may come to call are found here, too. */
#include "exec/handlers.h"
#include "jit/compile.h"
#include "jit/emit.h"
#include "jit/lowering.h"

enum {
    ROUNDING_BITS = 3 << VSG_EXE_CR0_ROUNDING_SHIFT,
    MODE_BITS = VSG_EXE_CR0_ALT | ROUNDING_BITS | VSG_EXE_CR0_DENORM_DF | VSG_EXE_CR0_DENORM_F |
                VSG_EXE_CR0_DENORM_HF
};

/* ---- modes ------------------------------------------------------------------------------- */

enum { MODE_UNSEEN = UINT32_MAX, MODE_UNKNOWN = VSG_JIT_ANY_MODE };

/* What %cr0 is set to, or changed by. */
static const vsg_exe_operand *number_of(const vsg_exe_inst *inst)
{
    return &inst->src[inst->num_sources > 1 ? 1 : 0];
}

uint32_t vsg_jit_mode_number(const vsg_exe_inst *inst)
{
    return (uint32_t)number_of(inst)->elements[0];
}

/* What is in %cr0 behind an instruction. */
static uint32_t mode_behind(const vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t mode)
{
    uint32_t cr0 = vsg_exe_shared_at(VSG_ISA_VAR_CR0);
    const vsg_exe_operand *number = number_of(inst);
    bool is_known = inst->exec_size == 1 && inst->no_mask && !inst->predicate_mode &&
                    inst->dst.kind == VSG_EXE_OPERAND_REGION && inst->dst.shared &&
                    inst->dst.offset == cr0 && inst->dst.bytes == 4 &&
                    vsg_jit_is_integer(inst->dst.type) &&
                    number->kind == VSG_EXE_OPERAND_IMMEDIATE && number->count == 1 &&
                    number->modifier == VSG_OBJ_MOD_NONE && vsg_jit_is_integer(number->type);
    bool keeps = inst->num_sources > 1 && inst->src[0].kind == VSG_EXE_OPERAND_REGION &&
                 inst->src[0].shared && inst->src[0].offset == cr0 && inst->src[0].bytes == 4 &&
                 inst->src[0].modifier == VSG_OBJ_MOD_NONE;

    if (e->spoils_mode && vsg_jit_is_function_call(inst))
        return MODE_UNKNOWN;
    if (!inst->writes_mode)
        return mode;
    if (!is_known)
        return MODE_UNKNOWN;
    uint32_t value = vsg_jit_mode_number(inst);
    if (inst->op == VISAGE_OP_MOV && inst->num_sources == 1)
        return value & MODE_BITS;
    if (!keeps || mode == MODE_UNKNOWN)
        return MODE_UNKNOWN;
    switch ((visage_op)inst->op) {
    case VISAGE_OP_OR:
        return (mode | value) & MODE_BITS;
    case VISAGE_OP_AND:
        return mode & value & MODE_BITS;
    case VISAGE_OP_XOR:
        return (mode ^ value) & MODE_BITS;
    default:
        return MODE_UNKNOWN;
    }
}

/* Does a function of the program write %cr0? */
static bool functions_write_mode(const vsg_exe_program *program)
{
    for (uint32_t u = 0; u < program->num_units; u++)
        for (uint32_t i = 0;
             program->units[u].object->is_function && i < program->units[u].num_code; i++)
            if (program->units[u].code[i].writes_mode)
                return true;
    return false;
}

bool vsg_jit_find_modes(vsg_jit_emitter *e)
{
    const vsg_exe_unit *unit = e->unit;
    uint32_t *modes = vsg_base_arena_new(&e->arena, unit->num_code, sizeof *modes);
    bool changed = true;

    if (!modes)
        return false;
    e->spoils_mode = functions_write_mode(e->program);
    for (uint32_t i = 1; i < unit->num_code; i++)
        modes[i] = MODE_UNSEEN;
    modes[0] = e->request->mode;
    /* A mode can change twice at each place. */
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < unit->num_code; i++) {
            uint32_t next[VSG_JIT_MOST_NEXT];
            if (modes[i] == MODE_UNSEEN)
                continue;
            uint32_t mode = mode_behind(e, &unit->code[i], modes[i]);
            e->notes[i].is_known_mode = mode != MODE_UNKNOWN;
            uint32_t count = vsg_jit_successors(e, i, next, VSG_JIT_MOST_NEXT);
            if (count > VSG_JIT_MOST_NEXT)
                return false;
            for (uint32_t s = 0; s < count; s++) {
                uint32_t old = modes[next[s]];
                uint32_t met = old == MODE_UNSEEN ? mode : old == mode ? old : MODE_UNKNOWN;
                changed |= met != old;
                modes[next[s]] = met;
            }
        }
    }
    for (uint32_t i = 0; i < unit->num_code; i++) {
        e->notes[i].is_reached = modes[i] != MODE_UNSEEN;
        e->notes[i].is_plain = modes[i] < MODE_UNKNOWN && !(modes[i] & VSG_EXE_CR0_ALT);
        e->notes[i].mode = (uint16_t)modes[i];
        e->notes[i].rounding = modes[i] >> VSG_EXE_CR0_ROUNDING_SHIFT & 3;
    }
    return true;
}
