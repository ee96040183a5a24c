/* SPDX-License-Identifier: MIT
 *
 * Which bytes of its frame an instruction may touch. What computes on regions touches the
 * elements of its operands; loads and stores a row of the payload for each element; of all
 * others, whose payloads only their handlers know, the variables from the operand on. */
#include "exec/handlers.h"
#include "exec/layout.h"
#include "exec/message.h"
#include "exec/operand.h"
#include "jit/compile.h"
#include "jit/emit.h"
#include "jit/transfer.h"

typedef struct teller {
    const vsg_jit_emitter *e;
    const vsg_exe_inst *inst;
    uint32_t place;
    vsg_jit_access_fn fn;
    void *user;
} teller;

static void tell(const teller *t, const vsg_jit_access *access)
{
    t->fn(t->user, access);
}

/* ---- regions ----------------------------------------------------------------------------- */

/* Bytes from the first element of a region to behind the furthest one. */
static uint32_t extent(const vsg_exe_operand *operand, uint32_t count)
{
    int64_t last = 0;

    for (uint32_t i = 0; i < count; i++)
        if (vsg_exe_distance(operand, i) > last)
            last = vsg_exe_distance(operand, i);
    return (uint32_t)last + operand->bytes;
}

/* Bytes from the element of a channel to that of the next; 0: channels share elements, or have
 * rows of them. */
static uint32_t stride_of(const vsg_exe_operand *operand, uint32_t count)
{
    if (count == 1)
        return 0;
    if (operand->shape == VSG_EXE_SHAPE_CONTIGUOUS)
        return operand->bytes;
    return operand->shape == VSG_EXE_SHAPE_STRIDED ? (uint32_t)operand->h_stride_bytes : 0;
}

bool vsg_jit_is_masked(const vsg_exe_inst *inst)
{
    return inst->predicate_mode &&
           !(vsg_isa_op((visage_op)inst->op)->flags & VSG_ISA_PRED_SELECTS);
}

/* Every channel of an unmasked write is on, or needs nothing of what is written; a destination
 * with gaps leaves bytes alone. */
static bool is_unmasked(const teller *t, uint32_t count, uint32_t offset)
{
    const vsg_exe_inst *inst = t->inst;
    uint32_t mask = vsg_exe_first(count);

    if (vsg_jit_is_masked(inst))
        return false;
    if (inst->no_mask || t->e->notes[t->place].may_spoil)
        return true;
    return !t->e->notes[t->place].is_divergent &&
           (t->e->dispatch_mask >> offset & mask) == mask;
}

/* Elements of surface variables. */
static void tell_surfaces(const teller *t, uint32_t first, uint32_t count, bool is_dst)
{
    const vsg_exe_unit *unit = t->e->unit;
    vsg_jit_access access = {.is_written = is_dst};

    access.is_whole = is_dst && is_unmasked(t, count, t->inst->mask_offset);
    access.is_read = !access.is_whole;
    access.is_merge = is_dst && !access.is_whole;
    for (uint32_t i = first; i < first + count && i < unit->num_surfaces; i++) {
        access.at = unit->num_predicates + i;
        tell(t, &access);
    }
}

static void tell_operand(const teller *t, const vsg_exe_operand *operand, bool is_dst)
{
    uint32_t count = t->inst->exec_size;
    uint32_t flags = vsg_isa_op((visage_op)t->inst->op)->flags;
    bool is_partly = is_dst && (flags & VSG_ISA_PARTLY);
    vsg_jit_access access = {.is_read = !is_dst, .is_written = is_dst};

    if (operand->kind == VSG_EXE_OPERAND_PREDICATE) {
        access.at = operand->index;
        access.is_whole = is_dst && is_unmasked(t, count, t->inst->mask_offset) &&
                          t->e->notes[t->place].starts_anew;
        access.is_read = !access.is_whole;
        access.is_merge = is_dst && !access.is_whole;
        tell(t, &access);
        return;
    }
    if (operand->kind == VSG_EXE_OPERAND_SURFACE) {
        tell_surfaces(t, operand->index, count, is_dst);
        return;
    }
    if (operand->kind != VSG_EXE_OPERAND_REGION || operand->shared || operand->is_null)
        return;
    access.at = operand->offset;
    access.bytes = extent(operand, count);
    access.element_bytes = operand->bytes;
    if (is_dst || !(flags & VSG_ISA_ACROSS))
        access.stride_bytes = stride_of(operand, count);
    if (is_partly || (is_dst && operand->shape == VSG_EXE_SHAPE_SCALAR && count > 1))
        access.is_read = true;
    access.is_all = is_dst && !is_partly && is_unmasked(t, count, t->inst->mask_offset);
    access.is_whole = access.is_all && operand->shape <= VSG_EXE_SHAPE_CONTIGUOUS;
    tell(t, &access);
}

/* ---- messages ---------------------------------------------------------------------------- */

/* access: of a raw operand, counted from where it begins. */
static void tell_from(const teller *t, const vsg_exe_operand *operand, vsg_jit_access access,
                      bool is_dst)
{
    if (operand->kind != VSG_EXE_OPERAND_REGION || operand->is_null || operand->shared ||
        access.bytes == 0)
        return;
    access.at += operand->offset;
    access.is_read = !is_dst;
    access.is_written = is_dst;
    access.is_whole = is_dst && is_unmasked(t, t->inst->exec_size, t->inst->mask_offset);
    access.is_all = access.is_whole;
    tell(t, &access);
}

static void tell_raw(const teller *t, const vsg_exe_operand *operand, uint32_t bytes,
                     uint32_t element_bytes, bool is_dst)
{
    tell_from(t, operand, (vsg_jit_access){.bytes = bytes, .element_bytes = element_bytes},
              is_dst);
}

/* An element for each channel. */
static void tell_row(const teller *t, const vsg_exe_operand *operand, uint32_t skip,
                     uint32_t element_bytes, bool is_dst)
{
    uint32_t count = t->inst->exec_size;

    tell_from(t, operand,
              (vsg_jit_access){.at = skip,
                               .bytes = count * element_bytes,
                               .element_bytes = element_bytes,
                               .stride_bytes = count == 1 ? 0 : element_bytes},
              is_dst);
}

static void tell_scalar(const teller *t, const vsg_exe_scalar *scalar)
{
    if (!scalar->is_constant)
        tell_raw(t, &scalar->operand, scalar->operand.bytes, scalar->operand.bytes, false);
}

static void tell_rows(const teller *t, const vsg_exe_operand *operand, bool is_dst)
{
    const vsg_exe_message *message = t->inst->message;

    if (message->is_block) {
        tell_raw(t, operand, message->span_bytes, message->register_bytes, is_dst);
        return;
    }
    for (uint32_t v = 0; v < message->num_elements; v++)
        tell_row(t, operand, v * message->pitch_bytes, message->register_bytes, is_dst);
}

/* The element that names the surface, and the one that may stand for any (exec/address.c). */
static void tell_surface_of(const teller *t, const vsg_exe_message *message)
{
    if (message->target == VSG_EXE_TARGET_SURFACE || message->target == VSG_EXE_TARGET_BINDLESS)
        tell_surfaces(t, message->entry, 1, false);
    tell_surfaces(t, VSG_ISA_SURFACE_BSS, 1, false);
}

/* Behind the text stands what is no operation and has no message. */
bool vsg_jit_is_transfer(const vsg_exe_inst *inst)
{
    if (!inst->message)
        return false;
    vsg_exe_handler handler = vsg_exe_op_of((visage_op)inst->op)->handler;
    return handler == vsg_exe_do_load || handler == vsg_exe_do_store ||
           handler == vsg_exe_do_atomic;
}

bool vsg_jit_is_atomic(const vsg_exe_inst *inst)
{
    return inst->message && vsg_exe_op_of((visage_op)inst->op)->handler == vsg_exe_do_atomic;
}

static void tell_transfer(const teller *t)
{
    const vsg_exe_message *message = t->inst->message;
    bool is_store = vsg_exe_op_of((visage_op)t->inst->op)->handler == vsg_exe_do_store;

    if (message->strided)
        tell_raw(t, &message->address, message->address_bytes, message->address_bytes, false);
    else
        tell_row(t, &message->address, 0, message->address_bytes, false);
    tell_scalar(t, &message->surface);
    tell_scalar(t, &message->base);
    tell_scalar(t, &message->stride);
    tell_rows(t, &message->data, !is_store);
    tell_rows(t, &message->value, false);
    tell_rows(t, &message->comparand, false);
}

/* A load writes what is behind the rows, too. */
static void tell_block2d(const teller *t)
{
    const vsg_exe_message *message = t->inst->message;
    const vsg_exe_block2d *block = message->block;
    bool is_store = t->inst->op == VISAGE_OP_LSC_STORE_BLOCK2D;

    tell_scalar(t, &block->base);
    tell_scalar(t, &block->width);
    tell_scalar(t, &block->height);
    tell_scalar(t, &block->pitch);
    tell_scalar(t, &block->x);
    tell_scalar(t, &block->y);
    tell_raw(t, &message->data,
             block->num_blocks * block->block_elements * message->memory_bytes,
             vsg_jit_block2d_unit(message), !is_store);
}

static void tell_dpas(const teller *t)
{
    const vsg_exe_inst *inst = t->inst;

    for (uint32_t n = 0; n < 4; n++) {
        const vsg_exe_operand *operand = n == 0 ? &inst->dst : &inst->src[n - 1];
        bool is_short = operand->type == VISAGE_TYPE_HF || operand->type == VISAGE_TYPE_BF;
        tell_raw(t, operand, vsg_exe_dpas_bytes(inst, n), n < 2 && is_short ? 2 : 4, n == 0);
    }
}

/* ---- calls ------------------------------------------------------------------------------- */

static uint32_t most(uint32_t grfs, uint32_t limit)
{
    return grfs < limit ? grfs : limit;
}

/* What a function takes and gives back (exec_flow.c): %arg, %retval, %sp, %fp. Which parts they
 * are of is said by the instructions that compute with them. */
static void tell_function(const teller *t)
{
    const vsg_exe_unit *unit = t->e->unit;
    uint32_t grf = t->e->program->grf_bytes;
    uint32_t args = t->inst->control & 0xff, results = t->inst->control >> 8;
    const vsg_jit_access accesses[] = {
        {.at = unit->arg_at, .bytes = most(args, VSG_EXE_ARG_GRFS) * grf, .is_read = true},
        {.at = unit->retval_at,
         .bytes = most(results, VSG_EXE_RETVAL_GRFS) * grf,
         .is_read = true,
         .is_written = true},
        {.at = unit->sp_at, .bytes = 8, .is_read = true, .is_written = true},
        {.at = unit->fp_at, .bytes = 8, .is_read = true, .is_written = true},
    };

    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
        if (accesses[i].bytes > 0)
            tell(t, &accesses[i]);
    for (uint32_t s = 0; s < t->inst->num_sources; s++)
        tell_operand(t, &t->inst->src[s], false);
}

/* How much of %retval is taken is its caller's. */
static void tell_results(const teller *t)
{
    const vsg_exe_unit *unit = t->e->unit;
    const vsg_jit_access results = {
        .at = unit->retval_at, .bytes = t->e->result_bytes, .is_read = true};

    if (results.bytes > 0)
        tell(t, &results);
    tell(t, &(vsg_jit_access){.at = unit->sp_at, .bytes = 8, .is_read = true});
    tell(t, &(vsg_jit_access){.at = unit->fp_at, .bytes = 8, .is_read = true});
}

/* ---- all others -------------------------------------------------------------------------- */

static void tell_variable(const teller *t, uint32_t id)
{
    vsg_obj_variable_facts facts;
    uint64_t offset;
    uint32_t root;

    if (id >= t->e->unit->num_variables ||
        !vsg_obj_variable_root(t->e->unit->object, id, &root, &offset) ||
        !vsg_obj_variable_get(t->e->unit->object, root, &facts) ||
        (facts.flags & VSG_ISA_VAR_SHARED) || facts.in_file)
        return;
    uint32_t at = t->e->unit->variable_at[root];
    uint32_t grf = t->e->program->grf_bytes;
    uint32_t end = (at + facts.size_bytes + grf - 1) / grf * grf;
    vsg_jit_access access = {.at = at, .is_read = true, .is_written = true};

    if (end > t->e->unit->variable_bytes)
        end = t->e->unit->variable_bytes;
    access.bytes = end - at;
    tell(t, &access);
}

static void tell_object(const teller *t)
{
    const vsg_obj_inst *source = t->inst->source;

    for (uint32_t i = 0; source && i < source->num_operands; i++) {
        const vsg_obj_operand *operand = &source->operands[i];
        vsg_jit_access access = {.at = operand->id - 1, .is_read = true, .is_written = true};
        if (operand->class_ == VSG_OBJ_CLASS_GENERAL || operand->class_ == VSG_OBJ_CLASS_RAW)
            tell_variable(t, operand->id);
        else if (operand->class_ == VSG_OBJ_CLASS_PREDICATE && operand->id != 0)
            tell(t, &access);
    }
}

bool vsg_jit_has_own_shape(const vsg_exe_inst *inst)
{
    if (inst->message || (vsg_isa_op((visage_op)inst->op)->flags & VSG_ISA_OWN_SHAPE))
        return true;
    for (uint32_t i = 0; i < inst->source->num_operands; i++)
        if (inst->source->operands[i].class_ == VSG_OBJ_CLASS_RAW)
            return true;
    return false;
}

void vsg_jit_accesses(const vsg_jit_emitter *e, uint32_t place, vsg_jit_access_fn fn,
                      void *user)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    teller t = {.e = e, .inst = inst, .place = place, .fn = fn, .user = user};

    if (!inst->source)
        return; /* a join, or what is behind the last instruction */
    if (inst->predicate_mode) {
        bool is_result = (vsg_isa_op((visage_op)inst->op)->flags & VSG_ISA_PRED_RESULT) != 0;
        vsg_jit_access access = {
            .at = inst->predicate, .is_read = true, .is_written = is_result};
        tell(&t, &access);
    }
    if (inst->message)
        tell_surface_of(&t, inst->message);
    if (vsg_jit_is_function_call(inst)) {
        tell_function(&t);
        return;
    }
    if ((inst->op == VISAGE_OP_RET || inst->op == VISAGE_OP_FRET) &&
        e->unit->object->is_function) {
        tell_results(&t);
        return;
    }
    if (vsg_jit_is_transfer(inst)) {
        tell_transfer(&t);
        return;
    }
    if (inst->op == VISAGE_OP_DPAS) {
        tell_dpas(&t);
        return;
    }
    if (inst->op == VISAGE_OP_LSC_LOAD_BLOCK2D || inst->op == VISAGE_OP_LSC_STORE_BLOCK2D) {
        tell_block2d(&t);
        return;
    }
    if (vsg_jit_has_own_shape(inst)) {
        tell_object(&t);
        return;
    }
    for (uint32_t s = 0; s < inst->num_sources; s++)
        tell_operand(&t, &inst->src[s], false);
    tell_operand(&t, &inst->dst, true);
    tell_operand(&t, &inst->dst2, true);
}
