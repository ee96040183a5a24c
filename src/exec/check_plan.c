/* SPDX-License-Identifier: MIT
 *
 * What there is to check about each instruction, worked out once for a program. */
#include "exec/check_shadow.h"
#include "exec/handlers.h"
#include "exec/message.h"
#include "isa/isa.h"
#include "object/extent.h"

typedef struct planner {
    const vsg_exe_program *program;
    const vsg_exe_unit *unit;
    const vsg_exe_plan *plan;
    uint32_t *num_races; /* messages numbered so far, in all units */
} planner;

/* ---- variables -------------------------------------------------------------------------- */

/* %arg and %retval are as large as calls can use. */
static uint32_t size_of(const planner *p, uint32_t id, const vsg_obj_variable_facts *facts)
{
    uint32_t grf = p->program->grf_bytes;

    if (id == VSG_ISA_VAR_ARG)
        return VSG_EXE_ARG_GRFS * grf;
    return id == VSG_ISA_VAR_RETVAL ? VSG_EXE_RETVAL_GRFS * grf : facts->size_bytes;
}

static bool is_root_in_frame(const planner *p, uint32_t id, vsg_obj_variable_facts *facts)
{
    return vsg_obj_variable_get(p->unit->object, id, facts) &&
           facts->alias == VSG_OBJ_NO_ALIAS && !(facts->flags & VSG_ISA_VAR_SHARED);
}

static bool find_roots(planner *p, vsg_exe_plan *plan)
{
    vsg_obj_variable_facts facts;
    uint32_t count = 0;

    for (uint32_t id = 0; id < p->unit->num_variables; id++) /* %arg is always there */
        count += is_root_in_frame(p, id, &facts);
    plan->roots = vsg_base_new(&p->program->alloc, count, sizeof *plan->roots);
    if (!plan->roots)
        return false;
    plan->cap_roots = count;
    for (uint32_t id = 0; id < p->unit->num_variables; id++) {
        if (!is_root_in_frame(p, id, &facts))
            continue;
        uint32_t at = p->unit->variable_at[id];
        plan->roots[plan->num_roots++] =
            (vsg_exe_root){.at = at, .end = at + size_of(p, id, &facts), .id = id};
    }
    return true;
}

/* Where the root that holds a byte of the frame ends; 0: none does. */
static uint32_t end_of_root(const planner *p, uint32_t at)
{
    for (uint32_t i = 0; i < p->plan->num_roots; i++)
        if (at >= p->plan->roots[i].at && at < p->plan->roots[i].end)
            return p->plan->roots[i].end;
    return 0;
}

/* ---- operands --------------------------------------------------------------------------- */

/* Bytes from an operand's first one to behind the last one that `count` channels touch. */
static uint32_t extent(const vsg_exe_operand *operand, uint32_t count)
{
    switch ((vsg_exe_shape)operand->shape) {
    case VSG_EXE_SHAPE_SCALAR:
        return operand->bytes;
    case VSG_EXE_SHAPE_CONTIGUOUS:
        return count * operand->bytes;
    case VSG_EXE_SHAPE_STRIDED:
        return (count - 1) * (uint32_t)operand->h_stride_bytes + operand->bytes;
    case VSG_EXE_SHAPE_ROWS:
        break;
    }
    uint32_t width = operand->width ? operand->width : 1;
    uint32_t in_row = count < width ? count : width;
    return (count + width - 1) / width * (uint32_t)operand->v_stride_bytes -
           (uint32_t)operand->v_stride_bytes +
           (in_row - 1) * (uint32_t)operand->h_stride_bytes + operand->bytes;
}

static bool in_frame(const vsg_exe_operand *operand)
{
    return operand->kind == VSG_EXE_OPERAND_REGION && !operand->shared && !operand->is_null;
}

static void add_span(vsg_exe_step *step, const vsg_exe_operand *operand, uint32_t bytes)
{
    if (in_frame(operand) && step->num_spans < VSG_EXE_MAX_SOURCES && bytes)
        step->spans[step->num_spans++] = (vsg_exe_span){operand->offset, bytes};
}

/* Direct operands that reach beyond the variable they name. */
static void find_leaving(const planner *p, const vsg_exe_inst *inst, vsg_exe_step *step)
{
    uint32_t num_dst = 0, num_src = 0;
    vsg_obj_variable_facts facts;

    for (uint32_t i = 0; i < inst->source->num_operands; i++) {
        const vsg_isa_slot *slot = vsg_isa_operand_slot((visage_op)inst->op, i);
        const vsg_obj_operand *operand = &inst->source->operands[i];
        bool is_dst = slot->kind >= VSG_ISA_SLOT_DST && slot->kind <= VSG_ISA_SLOT_STATE_DST;
        bool is_src = slot->kind >= VSG_ISA_SLOT_SRC && slot->kind <= VSG_ISA_SLOT_STATE_SRC;
        uint32_t k = is_dst ? num_dst++ : 2 + num_src;
        num_src += is_src;
        if ((!is_dst && !is_src) || k >= 2 + VSG_EXE_MAX_SOURCES || (is_dst && k > 1) ||
            operand->class_ != VSG_OBJ_CLASS_GENERAL)
            continue;
        const vsg_exe_operand *decoded =
            k < 2 ? (k ? &inst->dst2 : &inst->dst) : &inst->src[k - 2];
        if (!in_frame(decoded) || !vsg_obj_variable_get(p->unit->object, operand->id, &facts))
            continue;
        uint32_t end = p->unit->variable_at[operand->id] + size_of(p, operand->id, &facts);
        uint32_t bytes = is_dst && decoded->shape == VSG_EXE_SHAPE_SCALAR
                             ? inst->exec_size * (uint32_t)decoded->bytes
                             : extent(decoded, inst->exec_size);
        if (decoded->offset + bytes <= end)
            continue;
        step->leaves = true;
        step->end[k] = end;
        step->id[k] = operand->id;
    }
}

/* ---- steps ------------------------------------------------------------------------------ */

/* The variable whose address ADDR_ADD takes. */
static uint32_t origin_of(const planner *p, const vsg_exe_inst *inst)
{
    const vsg_obj_operand *operand = vsg_exe_find(inst->source, "src0");
    uint32_t root;
    uint64_t offset;

    if (!operand || operand->class_ != VSG_OBJ_CLASS_ADDRESS_OF ||
        !vsg_obj_variable_root(p->unit->object, operand->id, &root, &offset))
        return 0;
    return root + 1;
}

static bool is_plain(const vsg_exe_inst *inst, const vsg_exe_step *step)
{
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (inst->src[s].kind != VSG_EXE_OPERAND_REGION &&
            inst->src[s].kind != VSG_EXE_OPERAND_IMMEDIATE)
            return false;
    return !inst->predicate_mode && !step->leaves && !step->has_indirect && !step->every &&
           inst->op != VISAGE_OP_SETP && inst->op != VISAGE_OP_FADDR &&
           inst->dst2.kind == VSG_EXE_OPERAND_NONE &&
           (inst->dst.kind == VSG_EXE_OPERAND_REGION ||
            inst->dst.kind == VSG_EXE_OPERAND_PREDICATE);
}

static void plan_compute(const planner *p, const vsg_exe_inst *inst, vsg_exe_step *step)
{
    const uint32_t unmasked = VSG_ISA_PRED_SELECTS | VSG_ISA_PRED_RESULT;

    step->selects = (vsg_isa_op((visage_op)inst->op)->flags & unmasked) != 0;
    step->has_indirect = inst->dst.kind == VSG_EXE_OPERAND_INDIRECT;
    for (uint32_t s = 0; s < inst->num_sources; s++) {
        step->has_indirect |= inst->src[s].kind == VSG_EXE_OPERAND_INDIRECT;
        step->has_others |= inst->src[s].kind != VSG_EXE_OPERAND_REGION &&
                            inst->src[s].kind != VSG_EXE_OPERAND_IMMEDIATE;
        add_span(step, &inst->src[s], extent(&inst->src[s], inst->exec_size));
    }
    step->every = inst->dst.kind == VSG_EXE_OPERAND_PREDICATE && inst->op != VISAGE_OP_CMP;
    if (inst->op == VISAGE_OP_ADDR_ADD)
        step->origin = origin_of(p, inst);
    find_leaving(p, inst, step);
    step->run = is_plain(inst, step) ? vsg_exe_step_plain : vsg_exe_step_compute;
}

/* Bytes of the registers that a source of an operation over several channels has. */
static uint32_t mixed_bytes(const vsg_exe_inst *inst, uint32_t s)
{
    switch ((visage_op)inst->op) {
    case VISAGE_OP_DPAS:
    case VISAGE_OP_DPASW:
        return vsg_exe_dpas_bytes(inst, s + 1);
    case VISAGE_OP_LINE:
        return extent(&inst->src[s], s == 0 ? 4 : inst->exec_size);
    case VISAGE_OP_PLANE:
        return extent(&inst->src[s], s == 0 ? 4 : 2u * inst->exec_size);
    default:
        return extent(&inst->src[s], inst->exec_size);
    }
}

static void plan_mixed(const vsg_exe_inst *inst, vsg_exe_step *step)
{
    for (uint32_t s = 0; s < inst->num_sources; s++)
        add_span(step, &inst->src[s], mixed_bytes(inst, s));
    if (inst->op == VISAGE_OP_DPAS || inst->op == VISAGE_OP_DPASW)
        step->result_bytes = vsg_exe_dpas_bytes(inst, 0);
    step->run = vsg_exe_step_mixed;
}

/* Adds the raw operands of one kind: as many bytes as the instruction's page has it access, or,
 * where that is not known, all that follow in their variable. */
static uint8_t add_raws(const planner *p, const vsg_exe_inst *inst, vsg_isa_slot_kind kind,
                        vsg_exe_step *step, uint32_t first)
{
    vsg_obj_variable_facts facts;
    uint32_t count = first;
    uint64_t bytes;

    for (uint32_t i = 0; i < inst->source->num_operands; i++) {
        const vsg_isa_slot *slot = vsg_isa_operand_slot((visage_op)inst->op, i);
        const vsg_obj_operand *operand = &inst->source->operands[i];
        if (slot->kind != kind || operand->class_ != VSG_OBJ_CLASS_RAW || operand->id == 0 ||
            operand->id >= p->unit->num_variables ||
            !vsg_obj_variable_get(p->unit->object, operand->id, &facts) ||
            (facts.flags & VSG_ISA_VAR_SHARED))
            continue;
        uint32_t at = p->unit->variable_at[operand->id] + (uint32_t)operand->offset_bytes;
        uint32_t end = end_of_root(p, at);
        if (vsg_obj_extent(p->unit->object, inst->source, i, p->program->grf_bytes, &bytes) &&
            bytes < end - at)
            end = at + (uint32_t)bytes;
        if (end > at && count < VSG_EXE_MAX_SOURCES)
            step->spans[count++] = (vsg_exe_span){at, end - at};
    }
    return (uint8_t)(count - first);
}

static void plan_opaque(const planner *p, const vsg_exe_inst *inst, vsg_exe_step *step)
{
    step->run = vsg_exe_step_opaque;
    step->num_spans = add_raws(p, inst, VSG_ISA_SLOT_RAW_DST, step, 0);
    step->num_payloads = add_raws(p, inst, VSG_ISA_SLOT_RAW_SRC, step, step->num_spans);
}

/* What an address must be a multiple of: each page's Description. LSC_UNTYPED asks for nothing,
 * and compilers load dwords from any address with it. They also write SVM_BLOCK_LD without
 * `.unaligned` for addresses that are dword-aligned, so that no more is asked of it. */
static uint32_t alignment_of(const vsg_exe_inst *inst)
{
    switch ((visage_op)inst->op) {
    case VISAGE_OP_SVM_BLOCK_LD:
    case VISAGE_OP_OWORD_LD_UNALIGNED:
        return 4;
    case VISAGE_OP_SVM_BLOCK_ST:
    case VISAGE_OP_OWORD_LD:
    case VISAGE_OP_OWORD_ST:
        return 16;
    case VISAGE_OP_SVM_GATHER:
    case VISAGE_OP_SVM_SCATTER:
    case VISAGE_OP_GATHER_SCALED:
    case VISAGE_OP_SCATTER_SCALED:
        if ((vsg_exe_number(inst->source, "block_size") & 3) == 0)
            return 1;
        return inst->message->memory_bytes;
    default:
        break;
    }
    bool is_lsc = vsg_isa_op((visage_op)inst->op)->suffix == VSG_ISA_SUFFIX_LSC;
    return is_lsc && inst->handler != vsg_exe_do_atomic ? 1 : inst->message->memory_bytes;
}

/* A number for data races; what there is no number left for has the last one. */
static uint16_t number_race(const planner *p)
{
    if (*p->num_races < VSG_EXE_RACE_INST_MASK)
        ++*p->num_races;
    return (uint16_t)*p->num_races;
}

/* Accesses of shared local memory that a thread makes come in their order until Gen11: the
 * compiler's fence for them is one that makes no instruction. */
static bool is_fence(const planner *p, const vsg_exe_inst *inst)
{
    return inst->handler == vsg_exe_do_fence ||
           (inst->op == VISAGE_OP_FENCE_SW && p->program->platform < VISAGE_PLATFORM_ICLLP);
}

static void plan_step(const planner *p, const vsg_exe_inst *inst, vsg_exe_step *step)
{
    vsg_exe_handler handler = inst->handler;

    step->run = vsg_exe_step_nothing;
    if (!inst->source || handler == vsg_exe_do_regroup)
        return;
    if (handler == vsg_exe_do_goto || handler == vsg_exe_do_goto_backward ||
        handler == vsg_exe_do_call)
        step->run = vsg_exe_step_branch;
    else if (handler == vsg_exe_do_jmp || handler == vsg_exe_do_switchjmp)
        step->run = vsg_exe_step_jump;
    else if (handler == vsg_exe_do_fcall || handler == vsg_exe_do_ifcall)
        step->run = vsg_exe_step_call;
    else if (handler == vsg_exe_do_ret || handler == vsg_exe_do_fret)
        step->run = vsg_exe_step_return;
    else if (handler == vsg_exe_do_barrier)
        step->run = vsg_exe_step_barrier;
    else if (is_fence(p, inst))
        step->run = vsg_exe_step_fence;
    else if (handler == vsg_exe_do_sbarrier_signal || handler == vsg_exe_do_nbarrier_signal)
        step->run = vsg_exe_step_signal;
    else if (handler == vsg_exe_do_sbarrier_wait || handler == vsg_exe_do_nbarrier_wait)
        step->run = vsg_exe_step_wait;
    else if (handler == vsg_exe_do_load || handler == vsg_exe_do_store ||
             handler == vsg_exe_do_atomic || handler == vsg_exe_do_load_status) {
        step->run = vsg_exe_step_message;
        step->alignment = (uint16_t)alignment_of(inst);
        step->race = number_race(p);
    } else if (handler == vsg_exe_do_typed_load || handler == vsg_exe_do_typed_store ||
               handler == vsg_exe_do_typed_atomic || handler == vsg_exe_do_typed_status) {
        step->run = vsg_exe_step_typed;
        step->race = number_race(p);
    } else if (handler == vsg_exe_do_sampling || handler == vsg_exe_do_resinfo) {
        step->run = vsg_exe_step_sampling;
        step->race = number_race(p);
    } else if (handler == vsg_exe_do_media_load || handler == vsg_exe_do_media_store) {
        step->run = vsg_exe_step_media;
        step->race = number_race(p);
    } else if (handler == vsg_exe_do_load_block2d || handler == vsg_exe_do_store_block2d) {
        step->run = vsg_exe_step_block2d;
        step->race = number_race(p);
    } else if (vsg_isa_op((visage_op)inst->op)->flags & VSG_ISA_ACROSS)
        plan_mixed(inst, step);
    else if (inst->dst.kind != VSG_EXE_OPERAND_NONE)
        plan_compute(p, inst, step);
    else
        plan_opaque(p, inst, step);
}

/* ---- units ------------------------------------------------------------------------------ */

static bool plan_unit(const vsg_exe_program *program, const vsg_exe_unit *unit,
                      vsg_exe_plan *plan, uint32_t *num_races)
{
    planner p = {.program = program, .unit = unit, .plan = plan, .num_races = num_races};

    plan->steps = vsg_base_new(&program->alloc, unit->num_code, sizeof *plan->steps);
    if (!plan->steps || !find_roots(&p, plan))
        return false;
    for (uint32_t i = 0; i < unit->num_code; i++)
        plan_step(&p, &unit->code[i], &plan->steps[i]);
    return true;
}

void vsg_exe_plan_free(const vsg_exe_program *program, vsg_exe_plan **plans)
{
    if (!*plans)
        return;
    for (uint32_t i = 0; i < program->num_units; i++) {
        vsg_exe_plan *plan = &(*plans)[i];
        vsg_base_delete(&program->alloc, plan->steps, program->units[i].num_code,
                        sizeof *plan->steps);
        vsg_base_delete(&program->alloc, plan->roots, plan->cap_roots, sizeof *plan->roots);
    }
    vsg_base_delete(&program->alloc, *plans, program->num_units, sizeof **plans);
    *plans = NULL;
}

vsg_exe_plan *vsg_exe_plan_create(const vsg_exe_program *program)
{
    vsg_exe_plan *plans = vsg_base_new(&program->alloc, program->num_units, sizeof *plans);
    uint32_t num_races = 0;

    for (uint32_t i = 0; plans && i < program->num_units; i++)
        if (!program->units[i].is_left_out &&
            !plan_unit(program, &program->units[i], &plans[i], &num_races))
            vsg_exe_plan_free(program, &plans);
    return plans;
}
