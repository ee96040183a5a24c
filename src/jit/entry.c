/* SPDX-License-Identifier: MIT
 *
 * The loop over the threads of a batch, around the text of the unit. A new thread's inputs come
 * from the payload itself; one that goes on finds what is live in its frame. */
#include <stddef.h>
#include <string.h>

#include "exec/handlers.h"
#include "exec/message.h"
#include "jit/compile.h"
#include "jit/entry.h"
#include "jit/frame.h"
#include "jit/lines.h"
#include "jit/memories.h"
#include "jit/rows.h"
#include "jit/sets.h"

/* ---- may threads begin in compiled code? ------------------------------------------------- */

static bool is_cr0(const vsg_exe_operand *operand)
{
    return operand->offset == vsg_exe_shared_at(VSG_ISA_VAR_CR0) && operand->bytes == 4;
}

/* What new threads would have to find cleared is not cleared for them. */
static bool needs_clear(const vsg_exe_inst *inst)
{
    const vsg_exe_operand *dst = &inst->dst;

    if (dst->kind == VSG_EXE_OPERAND_REGION && dst->shared && !dst->is_null && !is_cr0(dst))
        return true;
    return vsg_jit_is_function_call(inst) ||
           (vsg_jit_is_meeting(inst) && inst->op != VISAGE_OP_BARRIER);
}

/* The address of a file-scope variable, which no frame has? */
static bool takes_file_scope(const vsg_jit_emitter *e, const vsg_obj_inst *source)
{
    uint32_t at, end;

    for (uint32_t k = 0; source && k < source->num_operands; k++)
        if (source->operands[k].class_ == VSG_OBJ_CLASS_ADDRESS_OF &&
            !vsg_jit_addressed(e, &source->operands[k], &at, &end))
            return true;
    return false;
}

/* May an operand be what tells the thread's number in r0? */
static bool may_be_number(const vsg_exe_operand *operand)
{
    const uint32_t at = vsg_exe_shared_at(VSG_ISA_VAR_R0) + 8;
    bool is_one = operand->shape == VSG_EXE_SHAPE_SCALAR && operand->bytes == 4;

    return operand->kind == VSG_EXE_OPERAND_REGION && operand->shared && !operand->is_null &&
           !(is_one && operand->offset != at);
}

/* Of messages that code sends itself; 2-D blocks have more scalars than is worth a look. */
static bool sends_number(const vsg_exe_message *message)
{
    const vsg_exe_operand *all[] = {&message->address,         &message->data,
                                    &message->value,           &message->comparand,
                                    &message->surface.operand, &message->base.operand,
                                    &message->stride.operand};
    bool sends = message->block != NULL;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sends |= may_be_number(all[i]);
    return sends;
}

/* Does code look at it, as it lies there? */
static bool reads_number(const vsg_jit_emitter *e)
{
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        for (uint32_t s = 0; s < inst->num_sources; s++)
            if (may_be_number(&inst->src[s]) || inst->src[s].kind == VSG_EXE_OPERAND_INDIRECT)
                return true;
        if (inst->message && sends_number(inst->message))
            return true;
    }
    return false;
}

static bool is_label(const vsg_exe_inst *inst)
{
    return inst->op == VISAGE_OP_LABEL || inst->op == VISAGE_OP_SUBROUTINE;
}

/* Where the text begins with the one instruction that writes %cr0, and all know what. */
static uint32_t find_mode(const vsg_jit_emitter *e)
{
    uint32_t at = 0;

    while (at + 1 < e->unit->num_code && is_label(&e->unit->code[at]))
        at++;
    const vsg_exe_inst *inst = &e->unit->code[at];
    if (!inst->writes_mode || !e->notes[at].is_known_mode ||
        (inst->op != VISAGE_OP_MOV && inst->op != VISAGE_OP_OR))
        return VSG_JIT_NO_PLACE;
    for (uint32_t i = at + 1; i < e->unit->num_code; i++)
        if (e->unit->code[i].writes_mode)
            return VSG_JIT_NO_PLACE;
    return at;
}

void vsg_jit_find_start(vsg_jit_emitter *e)
{
    bool is_resumed = false, writes = false, takes = false;

    e->starts = e->request->pieces != NULL && e->stats.clears.num != VSG_EXE_CLEAR_ALL &&
                vsg_jit_gives_samplers(e);
    for (uint32_t i = 0; i < e->unit->num_code && e->starts; i++) {
        if (needs_clear(&e->unit->code[i]))
            e->starts = false;
        e->writes_cr0 |= e->unit->code[i].writes_mode;
        e->writes_addresses |= e->unit->code[i].dst.kind == VSG_EXE_OPERAND_ADDRESS;
        is_resumed |= e->notes[i].is_resumed || e->notes[i].is_in_loop;
        writes |= vsg_jit_writes_by_address(&e->unit->code[i]);
        takes |= takes_file_scope(e, e->unit->code[i].source);
    }
    e->starts = e->starts && !(writes && takes);
    e->begins_only = e->starts && e->request->begins && !e->unit->has_barrier && !is_resumed;
    e->tells_late = e->begins_only && !reads_number(e);
    e->mode_at = e->begins_only ? find_mode(e) : VSG_JIT_NO_PLACE;
}

/* ---- inputs ------------------------------------------------------------------------------ */

LLVMValueRef vsg_jit_batch_field(vsg_jit_emitter *e, LLVMTypeRef type, size_t offset)
{
    return LLVMBuildLoad2(e->b, type, vsg_jit_at(e, e->batch, offset), "");
}

/* The local size, where code is made for it; NULL: what is asked for is something else. */
static LLVMValueRef known_size(vsg_jit_emitter *e, const vsg_jit_piece *piece, uint32_t at,
                               LLVMTypeRef type)
{
    LLVMValueRef sizes[3];
    uint32_t first = (uint32_t)piece->size + (at - piece->place) / 4;
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    uint32_t count = is_vector ? LLVMGetVectorSize(type) : 1;

    if (piece->size < 0 || e->request->local[0] == 0 || (at - piece->place) % 4 != 0 ||
        (is_vector ? LLVMGetElementType(type) : type) != e->i32 || first + count > 3)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        sizes[i] = vsg_jit_i32(e, e->request->local[first + i]);
    return is_vector ? LLVMConstVector(sizes, count) : sizes[0];
}

/* Local ids, where code is made for the size of groups: the channels of a part are as many as a
 * power of 2, so the number of its first one and those of the others in it have no bit in
 * common, and neither have their ids. NULL: not known. */
static LLVMValueRef known_ids(vsg_jit_emitter *e, const vsg_jit_piece *piece, uint32_t at,
                              LLVMTypeRef type)
{
    const uint32_t *local = e->request->local;
    LLVMValueRef steps[VSG_EXE_MAX_CHANNELS];
    uint32_t skip = piece->channel + (at - piece->place) / 2, stride = 1;

    if (piece->axis < 0 || local[0] == 0 || (at - piece->place) % 2 != 0 ||
        LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetElementType(type) != e->i16)
        return NULL;
    uint32_t count = LLVMGetVectorSize(type);
    if ((count & (count - 1)) != 0 || skip % count != 0 || skip + count > e->simd_size)
        return NULL;
    for (const uint8_t *d = e->request->order; *d != piece->axis; d++)
        stride *= local[*d];
    uint32_t mask = local[piece->axis] - 1;
    for (uint32_t i = 0; i < count; i++)
        steps[i] = LLVMConstInt(e->i16, i / stride & mask, false);
    LLVMValueRef number = e->number;
    if (!e->group) {
        LLVMValueRef first = vsg_jit_batch_field(e, e->i32, offsetof(vsg_jit_batch, first));
        number = LLVMBuildAdd(e->b, number, vsg_jit_invariant(e, first), "");
    }
    number = LLVMBuildMul(e->b, number, vsg_jit_i32(e, e->unit->simd_size), "");
    number = LLVMBuildAdd(e->b, number, vsg_jit_i32(e, skip), "");
    number = LLVMBuildUDiv(e->b, number, vsg_jit_i32(e, stride), "");
    number = LLVMBuildAnd(e->b, number, vsg_jit_i32(e, mask), "");
    number = LLVMBuildTrunc(e->b, number, e->i16, "");
    return LLVMBuildAdd(e->b, vsg_jit_splat(e, number, count), LLVMConstVector(steps, count),
                        "");
}

/* The payload does not change while the batch runs. */
static LLVMValueRef load_payload(vsg_jit_emitter *e, const vsg_jit_piece *piece, uint32_t at,
                                 LLVMTypeRef type)
{
    LLVMValueRef base = piece->per_thread ? e->thread_payload : e->common_payload;
    LLVMValueRef known = known_size(e, piece, at, type);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);

    if (!known)
        known = known_ids(e, piece, at, type);
    if (known)
        return known;
    if (e->front && !piece->per_thread)
        LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(e->front));
    known = vsg_jit_invariant(
        e, vsg_jit_load(e, type, vsg_jit_at(e, base, piece->from + (at - piece->place)), 1));
    LLVMPositionBuilderAtEnd(e->b, here);
    return known;
}

/* Bytes `at` to `end` of a part that only begins or ends in the piece. */
static LLVMValueRef insert_piece(vsg_jit_emitter *e, const vsg_jit_part *part,
                                 const vsg_jit_piece *piece, uint32_t at, uint32_t end,
                                 LLVMValueRef value)
{
    uint32_t unit = part->element_bytes;

    if ((at - part->at) % unit != 0 || (end - at) % unit != 0)
        unit = 1;
    uint32_t count = part->bytes / unit;
    LLVMTypeRef type = vsg_jit_int(e, 8 * unit, 1);
    if (count == 1)
        return load_payload(e, piece, at, type);
    value = LLVMBuildBitCast(e->b, value, LLVMVectorType(type, count), "");
    for (; at < end; at += unit)
        value = LLVMBuildInsertElement(e->b, value, load_payload(e, piece, at, type),
                                       vsg_jit_i32(e, (at - part->at) / unit), "");
    return LLVMBuildBitCast(e->b, value, part->type, "");
}

static LLVMValueRef input_of(vsg_jit_emitter *e, const vsg_jit_part *part)
{
    LLVMValueRef value = LLVMConstNull(part->type);

    for (uint32_t i = 0; i < e->request->num_pieces; i++) {
        const vsg_jit_piece *piece = &e->request->pieces[i];
        uint32_t at = piece->place > part->at ? piece->place : part->at;
        uint32_t end = piece->place + piece->size_bytes;
        if (end > part->at + part->bytes)
            end = part->at + part->bytes;
        if (at >= end)
            continue;
        if (at == part->at && end == part->at + part->bytes)
            value = load_payload(e, piece, at, part->type);
        else
            value = insert_piece(e, part, piece, at, end, value);
    }
    return value;
}

static uint32_t first_state(const vsg_jit_emitter *e, uint32_t element)
{
    for (uint32_t i = 0; i < e->request->num_states; i++)
        if (e->request->states[i].element == element)
            return e->request->states[i].value;
    return element < VSG_ISA_NUM_SURFACES ? vsg_exe_predefined_surface(element) : 0;
}

void vsg_jit_begin_part(vsg_jit_emitter *e, uint32_t number)
{
    const vsg_jit_part *part = &e->parts[number];
    uint32_t states = e->num_general + e->unit->num_predicates;

    if (number >= states) {
        LLVMBuildStore(e->b, vsg_jit_i32(e, first_state(e, number - states)),
                       vsg_jit_slot(e, part));
        return;
    }
    if (number >= e->num_general)
        return;
    vsg_jit_store(e, input_of(e, part), vsg_jit_slot(e, part), vsg_jit_slot_align(part));
    vsg_jit_restore_row(e, number, !vsg_jit_is_put_together(&e->rows[number]));
}

/* ---- threads that begin, that go on ------------------------------------------------------ */

static LLVMValueRef thread_field(vsg_jit_emitter *e, LLVMTypeRef type, size_t offset)
{
    return LLVMBuildLoad2(e->b, type, vsg_jit_field(e, offset), "");
}

static void put_shared(vsg_jit_emitter *e, uint32_t variable, uint32_t index,
                       LLVMValueRef value)
{
    vsg_jit_store(e, value, vsg_jit_at(e, e->shared, vsg_exe_shared_at(variable) + 4 * index),
                  4);
}

/* As the runtime fills them (runtime/group.c); what all threads of the group have is there. */
static void put_number(vsg_jit_emitter *e)
{
    LLVMValueRef number = e->number;

    LLVMBuildStore(e->b, number, vsg_jit_field(e, offsetof(vsg_exe_thread, number)));
    if (e->program->platform >= VISAGE_PLATFORM_XEHP)
        put_shared(e, VSG_ISA_VAR_R0, 2, LLVMBuildAnd(e->b, number, vsg_jit_i32(e, 0xff), ""));
}

void vsg_jit_number_thread(vsg_jit_emitter *e)
{
    if (!e->tells_late)
        put_number(e);
    if (!e->begins_only)
        LLVMBuildStore(e->b, vsg_jit_i64(e, 0),
                       vsg_jit_field(e, offsetof(vsg_exe_thread, executed)));
}

void vsg_jit_tell_thread(vsg_jit_emitter *e)
{
    if (e->tells_late)
        put_number(e);
}

static void clear_slot(vsg_jit_emitter *e, const vsg_jit_part *part)
{
    vsg_jit_store(e, LLVMConstNull(part->type), vsg_jit_slot(e, part),
                  vsg_jit_slot_align(part));
}

/* The channels that a new thread has on. */
static LLVMValueRef first_mask(vsg_jit_emitter *e)
{
    if (!e->request->is_partial)
        return vsg_jit_i32(e, e->dispatch_mask);
    LLVMValueRef last = vsg_jit_batch_field(e, e->i32, offsetof(vsg_jit_batch, last));
    LLVMValueRef is_last = LLVMBuildICmp(e->b, LLVMIntEQ, e->number, last, "");
    LLVMValueRef mask = LLVMBuildSelect(
        e->b, is_last, vsg_jit_batch_field(e, e->i32, offsetof(vsg_jit_batch, last_mask)),
        vsg_jit_batch_field(e, e->i32, offsetof(vsg_jit_batch, mask)), "");

    LLVMBuildStore(e->b, mask, vsg_jit_field(e, offsetof(vsg_exe_thread, dispatch_mask)));
    put_shared(e, VSG_ISA_VAR_SR0, 2, mask);
    return mask;
}

void vsg_jit_begin_thread(vsg_jit_emitter *e)
{
    if (e->writes_cr0 && e->mode_at == VSG_JIT_NO_PLACE)
        put_shared(e, VSG_ISA_VAR_CR0, 0, vsg_jit_i32(e, 0));
    /* Before the inputs: what is between two ranges may have become one with them. */
    for (uint32_t i = 0; i < e->stats.clears.num; i++)
        vsg_jit_clear_frame(e, e->stats.clears.ranges[i].at, e->stats.clears.ranges[i].bytes);
    for (uint32_t i = 0; i < e->num_parts; i++) {
        const vsg_jit_part *part = &e->parts[i];
        if (part->in_frame)
            vsg_jit_clear_frame(e, part->home, part->bytes);
        if (vsg_jit_has(e->live[0], i))
            vsg_jit_begin_part(e, i);
    }
    if (e->unit->num_waits > 0 && (e->waits_in_frame || e->left))
        vsg_jit_clear_frame(e, e->unit->waits_at, 4 * e->unit->num_waits);
    if (e->writes_addresses)
        vsg_jit_clear_frame(e, e->unit->addresses_at, 4 * e->unit->num_addresses);
    LLVMValueRef mask = first_mask(e);
    LLVMBuildStore(e->b, mask, e->mask);
    LLVMBuildStore(e->b, mask, e->call_mask);
}

static void continue_thread(vsg_jit_emitter *e)
{
    uint32_t num_resumed = 1;

    for (uint32_t i = 0; i < e->unit->num_code; i++)
        num_resumed += e->notes[i].is_resumed && e->notes[i].is_reached;
    LLVMValueRef pc = thread_field(e, e->i32, offsetof(vsg_exe_thread, pc));
    LLVMValueRef choice =
        LLVMBuildSwitch(e->b, pc, e->searches[e->unit->num_waits], num_resumed);
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        if (i != 0 && !(e->notes[i].is_resumed && e->notes[i].is_reached))
            continue;
        LLVMBasicBlockRef block = vsg_jit_block(e);
        LLVMAddCase(choice, vsg_jit_i32(e, i), block);
        vsg_jit_go_on(e, block);
        vsg_jit_resume(e, i);
    }
}

/* What code may read of a part before it has written all of it. */
enum { READS_LANES = 1, READS_ROW = 2 };

typedef struct beginner {
    const vsg_jit_emitter *e;
    uint8_t *reads; /* by part */
    bool may_spoil;
} beginner;

static void note_write(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    beginner *b = user;
    bool is_region = access->bytes > 0;

    if (access->is_written && (!covers || (is_region && b->may_spoil)))
        b->reads[part] |= READS_LANES;
    if (access->is_written && is_region && !covers)
        b->reads[part] |= READS_ROW;
}

/* Predicates are written bit by bit but where all bits that matter are; lanes that nobody needs
 * are written under masks. Of all other parts those that are live get what they have at first,
 * and the rest is written before it is read. Whether a row is one is known of chunk after
 * chunk. */
static const uint8_t *find_beginnings(vsg_jit_emitter *e)
{
    beginner b = {.e = e, .reads = vsg_base_arena_new(&e->arena, (size_t)e->num_parts + 1, 1)};

    e->no_memory |= !b.reads;
    for (uint32_t i = 0; i < e->unit->num_code && b.reads; i++) {
        b.may_spoil = e->notes[i].may_spoil;
        vsg_jit_parts_at(e, i, note_write, &b);
    }
    for (uint32_t i = e->num_general; i < e->num_parts && b.reads && !e->in_frame; i++)
        if (vsg_jit_has(e->live[0], i))
            b.reads[i] |= READS_LANES;
    return b.reads;
}

/* Values of the thread before are none of this one's. What is written once only is found by
 * LLVM at once; what is cleared, too, it looks for in all blocks. */
static void clear_slots(vsg_jit_emitter *e)
{
    if (!e->beginnings)
        e->beginnings = find_beginnings(e);
    for (uint32_t i = 0; i < e->num_parts && e->beginnings; i++)
        if (!e->parts[i].in_frame && e->beginnings[i] & READS_LANES)
            clear_slot(e, &e->parts[i]);
    for (uint32_t i = 0; i < e->num_general && e->beginnings; i++)
        if (e->rows[i].exact && e->beginnings[i] & READS_ROW &&
            !vsg_jit_is_put_together(&e->rows[i]))
            LLVMBuildStore(e->b, LLVMConstInt(e->i1, 1, false), e->rows[i].exact);
    for (uint32_t i = 0; i < e->unit->num_waits && !e->waits_in_frame; i++)
        LLVMBuildStore(e->b, vsg_jit_i32(e, 0), e->waits[i]);
    LLVMBuildStore(e->b, vsg_jit_i64(e, 0), e->count);
}

static void open_payload(vsg_jit_emitter *e)
{
    LLVMValueRef bytes = vsg_jit_batch_field(e, e->i32, offsetof(vsg_jit_batch, thread_bytes));
    LLVMValueRef skip = LLVMBuildMul(e->b, LLVMBuildZExt(e->b, bytes, e->i64, ""),
                                     LLVMBuildZExt(e->b, e->number, e->i64, ""), "");
    LLVMValueRef base = vsg_jit_batch_field(e, e->pointer, offsetof(vsg_jit_batch, per_thread));

    e->thread_payload = LLVMBuildGEP2(e->b, e->i8, base, &skip, 1, "");
}

LLVMValueRef vsg_jit_group_field(vsg_jit_emitter *e, size_t offset)
{
    return vsg_jit_at(e, e->own_group, offset);
}

void vsg_jit_open_struct(vsg_jit_emitter *e, LLVMValueRef number)
{
    LLVMValueRef threads = vsg_jit_batch_field(e, e->pointer, offsetof(vsg_jit_batch, threads));
    LLVMValueRef place = LLVMBuildGEP2(e->b, e->pointer, threads, &number, 1, "");

    e->thread = LLVMBuildLoad2(e->b, e->pointer, place, "");
    e->registers = thread_field(e, e->pointer, offsetof(vsg_exe_thread, registers));
    e->shared = thread_field(e, e->pointer, offsetof(vsg_exe_thread, shared));
    e->waits_at = vsg_jit_at(e, e->registers, e->unit->waits_at);
    e->launch = thread_field(e, e->pointer, offsetof(vsg_exe_thread, launch));
    e->own_group = thread_field(e, e->pointer, offsetof(vsg_exe_thread, group));
    e->slm = LLVMBuildLoad2(e->b, e->pointer,
                            vsg_jit_group_field(e, offsetof(vsg_exe_group, slm)), "");
    LLVMValueRef bytes =
        e->request->slm_bytes
            ? vsg_jit_i32(e, e->request->slm_bytes)
            : LLVMBuildLoad2(e->b, e->i32,
                             vsg_jit_group_field(e, offsetof(vsg_exe_group, slm_bytes)), "");
    e->slm_bytes = LLVMBuildZExt(e->b, bytes, e->i64, "");
    e->common_payload = vsg_jit_batch_field(e, e->pointer, offsetof(vsg_jit_batch, common));
}

/* As the runtime does (runtime/group.c). */
void vsg_jit_clear_slm(vsg_jit_emitter *e)
{
    if (e->request->slm_bytes)
        LLVMBuildMemSet(e->b, e->slm, LLVMConstInt(e->i8, 0, false),
                        vsg_jit_i64(e, e->request->slm_bytes), 1);
}

void vsg_jit_open_thread(vsg_jit_emitter *e)
{
    LLVMBuildStore(e->b, vsg_jit_batch_field(e, e->i64, offsetof(vsg_jit_batch, budget)),
                   e->budget);
    open_payload(e);
    clear_slots(e);
}

/* ---- the way out ------------------------------------------------------------------------- */

/* The loops around the text. Where batches may have several rows of groups, over these, and
 * where they may have several groups, over these, so many at a time as take turns: `base` to
 * base + beside are in hand. Inside of it over threads: of the
 * batch, or of the groups in hand, `from` to end - 1. Inside of that over the groups in hand
 * once more, of which the one at `place` has its turn. */
typedef struct loops {
    LLVMBasicBlockRef rows;          /* where a row of groups begins; NULL: batches have one */
    LLVMBasicBlockRef groups;        /* where groups begin; NULL: batches have one */
    LLVMBasicBlockRef head, next;    /* where a thread is looked for; where one has ended */
    LLVMBasicBlockRef turn;          /* where a group has its turn; NULL: none take turns */
    LLVMValueRef first, end;         /* threads of the batch */
    LLVMValueRef row_from, row_base; /* with `rows`: the row's first thread and group */
    LLVMValueRef from, base, beside, place; /* with `groups` */
    LLVMValueRef executed; /* slot, i64: instructions of threads that have ended; where
                              code only begins */
} loops;

static void store_in_batch(vsg_jit_emitter *e, LLVMValueRef value, size_t offset)
{
    LLVMBuildStore(e->b, value, vsg_jit_at(e, e->batch, offset));
}

static void note_reason(vsg_jit_emitter *e, LLVMValueRef reason)
{
    LLVMBuildStore(e->b, LLVMBuildTrunc(e->b, reason, e->i8, ""),
                   LLVMBuildGEP2(e->b, e->i8, e->reasons, &e->number, 1, ""));
}

static LLVMValueRef is_reason(vsg_jit_emitter *e, LLVMValueRef reason, vsg_exe_stop stop)
{
    return LLVMBuildICmp(e->b, LLVMIntEQ, reason, vsg_jit_i32(e, stop), "");
}

/* Returns, as the thread has stopped. */
static void leave_at(vsg_jit_emitter *e, const loops *l, LLVMValueRef reason)
{
    store_in_batch(e, e->number, offsetof(vsg_jit_batch, next));
    if (l->base) {
        store_in_batch(e, l->beside, offsetof(vsg_jit_batch, beside));
        store_in_batch(e, l->place, offsetof(vsg_jit_batch, place));
    }
    LLVMBuildRet(e->b, reason);
}

/* Adds what the thread has executed to its own number, and to the batch's when it has ended. */
static void count_instructions(vsg_jit_emitter *e, LLVMValueRef ended)
{
    LLVMValueRef own_at = vsg_jit_field(e, offsetof(vsg_exe_thread, executed));
    LLVMValueRef all_at = vsg_jit_at(e, e->batch, offsetof(vsg_jit_batch, executed));
    LLVMValueRef own = LLVMBuildLoad2(e->b, e->i64, own_at, "");
    LLVMValueRef all = LLVMBuildLoad2(e->b, e->i64, all_at, "");

    own = LLVMBuildAdd(e->b, own, LLVMBuildLoad2(e->b, e->i64, e->count, ""), "");
    LLVMBuildStore(e->b, own, own_at);
    own = LLVMBuildSelect(e->b, ended, own, vsg_jit_i64(e, 0), "");
    LLVMBuildStore(e->b, LLVMBuildAdd(e->b, all, own, ""), all_at);
}

/* Where code returns that only begins: what the batch gets of threads that have ended, which is
 * not stored as each of them ends. Hosts have room for few stores that wait for memory, and
 * what threads store that follow each other quickly would have to wait as well. */
static void tell_ended(vsg_jit_emitter *e, const loops *l)
{
    LLVMValueRef all_at = vsg_jit_at(e, e->batch, offsetof(vsg_jit_batch, executed));
    LLVMValueRef all = LLVMBuildLoad2(e->b, e->i64, all_at, "");
    LLVMValueRef from = l->from, count = LLVMBuildSub(e->b, e->number, from, "");

    all = LLVMBuildAdd(e->b, all, LLVMBuildLoad2(e->b, e->i64, l->executed, ""), "");
    LLVMBuildStore(e->b, all, all_at);
    LLVMBuildMemSet(e->b, LLVMBuildGEP2(e->b, e->i8, e->reasons, &from, 1, ""),
                    LLVMConstInt(e->i8, VSG_EXE_STOP_END, false), count, 1);
}

/* A thread of code that only begins: it has ended, or stops. */
static void close_beginner(vsg_jit_emitter *e, const loops *l)
{
    LLVMBasicBlockRef end = vsg_jit_block(e), leave = vsg_jit_block(e);
    LLVMValueRef count = LLVMBuildLoad2(e->b, e->i64, e->count, "");
    LLVMValueRef reason = LLVMBuildLoad2(e->b, e->i32, e->reason, "");

    LLVMBuildCondBr(e->b, is_reason(e, reason, VSG_EXE_STOP_END), end, leave);
    vsg_jit_go_on(e, leave);
    tell_ended(e, l);
    LLVMBuildStore(e->b, count, vsg_jit_field(e, offsetof(vsg_exe_thread, executed)));
    vsg_jit_tell_thread(e); /* if nothing has that made it stop */
    note_reason(e, reason);
    leave_at(e, l, reason);
    vsg_jit_go_on(e, end);
    count = LLVMBuildAdd(e->b, count, LLVMBuildLoad2(e->b, e->i64, l->executed, ""), "");
    LLVMBuildStore(e->b, count, l->executed);
    LLVMBuildBr(e->b, l->next);
}

static void close_thread(vsg_jit_emitter *e, const loops *l)
{
    LLVMBasicBlockRef leave = vsg_jit_block(e);
    LLVMValueRef reason = LLVMBuildLoad2(e->b, e->i32, e->reason, "");
    LLVMValueRef ended = is_reason(e, reason, VSG_EXE_STOP_END);
    LLVMValueRef waits = is_reason(e, reason, VSG_EXE_STOP_BARRIER);

    count_instructions(e, ended);
    note_reason(e, reason);
    LLVMBuildCondBr(e->b, LLVMBuildOr(e->b, ended, waits, ""), l->next, leave);
    vsg_jit_go_on(e, leave);
    leave_at(e, l, reason);
}

/* ---- the loop ---------------------------------------------------------------------------- */

/* Do all threads of a batch have one struct, and may it have several groups? */
static bool is_one_struct(const vsg_jit_emitter *e)
{
    return e->starts && !e->unit->has_barrier;
}

LLVMValueRef vsg_jit_id(vsg_jit_emitter *e)
{
    LLVMValueRef id = vsg_jit_group_field(e, offsetof(vsg_exe_group, id));

    return LLVMBuildLoad2(e->b, e->i32, id, "");
}

vsg_jit_step vsg_jit_next_id(vsg_jit_emitter *e, LLVMValueRef x)
{
    LLVMValueRef more = vsg_jit_batch_field(e, e->i32, offsetof(vsg_jit_batch, more));
    LLVMValueRef one = vsg_jit_i32(e, 1), args[] = {more, one};
    vsg_jit_step step = {.is_last = LLVMBuildICmp(e->b, LLVMIntEQ, more, vsg_jit_i32(e, 0), ""),
                         .next = LLVMBuildAdd(e->b, x, one, "")};

    LLVMBuildStore(e->b, vsg_jit_intrinsic(e, "llvm.usub.sat", e->i32, args, 2),
                   vsg_jit_at(e, e->batch, offsetof(vsg_jit_batch, more)));
    step.told = LLVMBuildSelect(e->b, step.is_last, x, step.next, "");
    LLVMBuildStore(e->b, step.told, vsg_jit_group_field(e, offsetof(vsg_exe_group, id)));
    return step;
}

bool vsg_jit_is_id(uint32_t offset)
{
    return offset == vsg_exe_shared_at(VSG_ISA_VAR_R0) + 4 ||
           offset == vsg_exe_shared_at(VSG_ISA_VAR_GROUP_ID_X);
}

bool vsg_jit_is_id_along_z(uint32_t offset)
{
    return offset == vsg_exe_shared_at(VSG_ISA_VAR_R0) + 28 ||
           offset == vsg_exe_shared_at(VSG_ISA_VAR_GROUP_ID_Z);
}

bool vsg_jit_is_fixed_id(uint32_t offset)
{
    return offset == vsg_exe_shared_at(VSG_ISA_VAR_R0) + 24 ||
           offset == vsg_exe_shared_at(VSG_ISA_VAR_GROUP_ID_Y) || vsg_jit_is_id_along_z(offset);
}

void vsg_jit_put_id(vsg_jit_emitter *e, LLVMValueRef id)
{
    put_shared(e, VSG_ISA_VAR_R0, 1, id);
    put_shared(e, VSG_ISA_VAR_GROUP_ID_X, 0, id);
}

/* May threads of other groups come between a group's? Not where what comes first can be told
 * behind the launch. */
static bool may_take_turns(const vsg_jit_emitter *e)
{
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (inst->message && (!vsg_jit_is_transfer(inst) || vsg_jit_is_atomic(inst)))
            return false;
    }
    return true;
}

/* May threads of several groups take turns? Else a group's are one after the other. */
static bool takes_turns(const vsg_jit_emitter *e)
{
    return e->request->turns && may_take_turns(e);
}

/* What a thread without loops looks at is little: that of the next thread of the group, which
 * may be in part the same, is still in a cache after very many groups. */
static bool has_loop(const vsg_jit_emitter *e)
{
    for (uint32_t i = 0; i < e->unit->num_code; i++)
        if (e->notes[i].is_in_loop)
            return true;
    return false;
}

/* How many groups there are in hand beside the next one, which is one of those that have not
 * begun (first 1), or has been taken already (0). */
static LLVMValueRef take_groups(vsg_jit_emitter *e, uint32_t first)
{
    enum { MOST_WITH_LOOPS = 7 };
    LLVMValueRef more = vsg_jit_batch_field(e, e->i32, offsetof(vsg_jit_batch, more));
    LLVMValueRef beside = vsg_jit_i32(e, 0);

    more = LLVMBuildSub(e->b, more, vsg_jit_i32(e, first), "");
    if (takes_turns(e)) {
        LLVMValueRef args[] = {
            vsg_jit_batch_field(e, e->i32, offsetof(vsg_jit_batch, most_beside)), more};
        beside = vsg_jit_intrinsic(e, "llvm.umin", e->i32, args, 2);
        if (has_loop(e)) {
            LLVMValueRef few[] = {beside, vsg_jit_i32(e, MOST_WITH_LOOPS)};
            beside = vsg_jit_intrinsic(e, "llvm.umin", e->i32, few, 2);
        }
    }
    store_in_batch(e, LLVMBuildSub(e->b, more, beside, ""), offsetof(vsg_jit_batch, more));
    return beside;
}

/* To the head of the loop over threads. */
static void go_to_head(vsg_jit_emitter *e, const loops *l, LLVMValueRef number)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);

    LLVMBuildBr(e->b, l->head);
    LLVMAddIncoming(e->number, &number, &from, 1);
}

/* To where groups begin, with their first thread. */
static void go_to_groups(vsg_jit_emitter *e, const loops *l, LLVMValueRef from,
                         LLVMValueRef base, LLVMValueRef beside)
{
    LLVMBasicBlockRef block = LLVMGetInsertBlock(e->b);

    LLVMBuildBr(e->b, l->groups);
    LLVMAddIncoming(l->from, &from, &block, 1);
    LLVMAddIncoming(l->base, &base, &block, 1);
    LLVMAddIncoming(l->beside, &beside, &block, 1);
}

/* Writes the id along x of the group that the next threads are of, where they find it. */
static void tell_id(vsg_jit_emitter *e, LLVMValueRef id)
{
    LLVMBuildStore(e->b, id, vsg_jit_group_field(e, offsetof(vsg_exe_group, id)));
    vsg_jit_put_id(e, id);
}

static LLVMValueRef batch_number(vsg_jit_emitter *e, size_t offset)
{
    return vsg_jit_batch_field(e, e->i32, offset);
}

/* Where a group has its id along y (0) and z (1). */
static LLVMValueRef row_id_at(vsg_jit_emitter *e, uint32_t d)
{
    return vsg_jit_group_field(e, offsetof(vsg_exe_group, id) + (1 + d) * sizeof(uint32_t));
}

static LLVMValueRef row_id(vsg_jit_emitter *e, uint32_t d)
{
    return LLVMBuildLoad2(e->b, e->i32, row_id_at(e, d), "");
}

/* Writes the ids along y and z of the groups that follow. */
static void tell_row(vsg_jit_emitter *e, LLVMValueRef y, LLVMValueRef z)
{
    const LLVMValueRef ids[] = {y, z};

    for (uint32_t d = 0; d < 2; d++) {
        LLVMBuildStore(e->b, ids[d], row_id_at(e, d));
        LLVMBuildStore(e->b, ids[d], e->row_ids[d]);
        put_shared(e, VSG_ISA_VAR_R0, 6 + d, ids[d]);
        put_shared(e, d ? VSG_ISA_VAR_GROUP_ID_Z : VSG_ISA_VAR_GROUP_ID_Y, 0, ids[d]);
    }
}

/* Is that of a group told once for all of its threads? */
static bool tells_once(const vsg_jit_emitter *e)
{
    return e->begins_only && !takes_turns(e);
}

/* To where a row begins, with its first group and its first thread. */
static void go_to_rows(vsg_jit_emitter *e, const loops *l, LLVMValueRef from, LLVMValueRef base)
{
    LLVMBasicBlockRef block = LLVMGetInsertBlock(e->b);

    LLVMBuildBr(e->b, l->rows);
    LLVMAddIncoming(l->row_from, &from, &block, 1);
    LLVMAddIncoming(l->row_base, &base, &block, 1);
}

static LLVMValueRef phi_at(vsg_jit_emitter *e, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);

    LLVMPositionBuilderAtEnd(e->b, block);
    LLVMValueRef phi = LLVMBuildPhi(e->b, e->i32, "");
    LLVMPositionBuilderAtEnd(e->b, here);
    return phi;
}

/* Goes on for each row of groups, of those that the batch has. */
static void open_rows(vsg_jit_emitter *e, loops *l)
{
    LLVMValueRef id = vsg_jit_id(e);

    l->row_from = l->first;
    l->row_base = id;
    if (!e->row_ids[0])
        return;
    for (uint32_t d = 0; d < 2; d++)
        LLVMBuildStore(e->b, row_id(e, d), e->row_ids[d]);
    l->rows = vsg_jit_block(e);
    l->row_from = phi_at(e, l->rows);
    l->row_base = phi_at(e, l->rows);
    go_to_rows(e, l, l->first, id);
    vsg_jit_go_on(e, l->rows);
}

/* Goes on for the groups in hand, of those that the row has. */
static void open_groups(vsg_jit_emitter *e, loops *l)
{
    open_rows(e, l);
    l->groups = vsg_jit_block(e);
    l->from = phi_at(e, l->groups);
    l->base = phi_at(e, l->groups);
    l->beside = phi_at(e, l->groups);
    go_to_groups(e, l, l->row_from, l->row_base, take_groups(e, 0));
    vsg_jit_go_on(e, l->groups);
    if (tells_once(e))
        tell_id(e, l->base);
}

/* To the next row, if there is one; else it goes on behind the last. */
static void close_rows(vsg_jit_emitter *e, const loops *l)
{
    LLVMBasicBlockRef block = vsg_jit_block(e), last = vsg_jit_block(e);
    LLVMValueRef one = vsg_jit_i32(e, 1), left = batch_number(e, offsetof(vsg_jit_batch, rows));

    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, left, vsg_jit_i32(e, 0), ""), block,
                    last);
    vsg_jit_go_on(e, block);
    store_in_batch(e, LLVMBuildSub(e->b, left, one, ""), offsetof(vsg_jit_batch, rows));
    LLVMValueRef row = batch_number(e, offsetof(vsg_jit_batch, row));
    store_in_batch(e, LLVMBuildSub(e->b, row, one, ""), offsetof(vsg_jit_batch, more));
    LLVMValueRef y = LLVMBuildLoad2(e->b, e->i32, e->row_ids[0], "");
    LLVMValueRef z = LLVMBuildLoad2(e->b, e->i32, e->row_ids[1], "");
    y = LLVMBuildAdd(e->b, y, one, "");
    LLVMValueRef end_y = batch_number(e, offsetof(vsg_jit_batch, end_y));
    LLVMValueRef is_over = LLVMBuildICmp(e->b, LLVMIntEQ, y, end_y, "");
    LLVMValueRef first_y =
        batch_number(e, offsetof(vsg_jit_batch, first_id) + sizeof(uint32_t));
    y = LLVMBuildSelect(e->b, is_over, first_y, y, "");
    z = LLVMBuildAdd(e->b, z, LLVMBuildZExt(e->b, is_over, e->i32, ""), "");
    tell_row(e, y, z);
    go_to_rows(e, l, vsg_jit_i32(e, 0), batch_number(e, offsetof(vsg_jit_batch, first_id)));
    vsg_jit_go_on(e, last);
}

/* To the next groups along x, if there are any; else it goes on behind them. */
static void close_groups(vsg_jit_emitter *e, const loops *l)
{
    LLVMBasicBlockRef block = vsg_jit_block(e), last = vsg_jit_block(e);
    LLVMValueRef more = batch_number(e, offsetof(vsg_jit_batch, more));

    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, more, vsg_jit_i32(e, 0), ""), block,
                    last);
    vsg_jit_go_on(e, block);
    LLVMValueRef base = LLVMBuildAdd(e->b, l->base, l->beside, "");
    base = LLVMBuildAdd(e->b, base, vsg_jit_i32(e, 1), "");
    go_to_groups(e, l, vsg_jit_i32(e, 0), base, take_groups(e, 1));
    vsg_jit_go_on(e, last);
    if (l->rows)
        close_rows(e, l);
}

/* Goes on for each thread of the batch, or of the groups in hand. */
static void open_threads(vsg_jit_emitter *e, loops *l)
{
    LLVMBasicBlockRef open = vsg_jit_block(e), over = vsg_jit_block(e);

    if (is_one_struct(e))
        open_groups(e, l);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
    l->head = vsg_jit_block(e);
    vsg_jit_go_on(e, l->head);
    e->number = LLVMBuildPhi(e->b, e->i32, "");
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntULT, e->number, l->end, ""), open, over);
    vsg_jit_go_on(e, before);
    go_to_head(e, l, l->groups ? l->from : l->first);
    vsg_jit_go_on(e, over);
    if (l->groups)
        close_groups(e, l);
    if (e->begins_only)
        tell_ended(e, l);
    store_in_batch(e, e->number, offsetof(vsg_jit_batch, next));
    LLVMBuildRet(e->b, vsg_jit_i32(e, VSG_EXE_RUNNING));
    vsg_jit_go_on(e, open);
}

/* Goes on for each group in hand; there is one where none take turns. */
static void open_turns(vsg_jit_emitter *e, loops *l)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
    LLVMValueRef none = vsg_jit_i32(e, 0);

    l->place = none;
    if (takes_turns(e)) {
        l->turn = vsg_jit_block(e);
        LLVMBuildBr(e->b, l->turn);
        vsg_jit_go_on(e, l->turn);
        l->place = LLVMBuildPhi(e->b, e->i32, "");
        LLVMAddIncoming(l->place, &none, &from, 1);
    }
    LLVMValueRef id = LLVMBuildAdd(e->b, l->base, l->place, "");
    if (!tells_once(e))
        tell_id(e, id);
    if (e->begins_only)
        LLVMBuildStore(e->b, id, e->turn_id);
}

static void close_turns(vsg_jit_emitter *e, const loops *l)
{
    LLVMBasicBlockRef over = vsg_jit_block(e), from = LLVMGetInsertBlock(e->b);
    LLVMValueRef place = LLVMBuildAdd(e->b, l->place, vsg_jit_i32(e, 1), "");

    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntULE, place, l->beside, ""), l->turn, over);
    LLVMAddIncoming(l->place, &place, &from, 1);
    vsg_jit_go_on(e, over);
}

static void begin(vsg_jit_emitter *e)
{
    vsg_jit_number_thread(e);
    vsg_jit_begin_thread(e);
    LLVMBuildBr(e->b, e->blocks[0]);
}

static void begin_or_go_on(vsg_jit_emitter *e, LLVMValueRef is_new)
{
    LLVMBasicBlockRef begins = vsg_jit_block(e), goes_on = vsg_jit_block(e);

    if (e->starts) {
        LLVMBuildCondBr(e->b, LLVMBuildTrunc(e->b, is_new, e->i1, ""), begins, goes_on);
        vsg_jit_go_on(e, begins);
        begin(e);
    } else {
        LLVMBuildBr(e->b, goes_on);
        vsg_jit_go_on(e, begins);
        LLVMBuildUnreachable(e->b);
    }
    vsg_jit_go_on(e, goes_on);
    continue_thread(e);
}

/* What is the same for all threads. */
static void open_front(vsg_jit_emitter *e)
{
    e->front = LLVMGetInsertBlock(e->b);
    if (e->mode_at != VSG_JIT_NO_PLACE)
        put_shared(e, VSG_ISA_VAR_CR0, 0,
                   vsg_jit_i32(e, vsg_jit_mode_number(&e->unit->code[e->mode_at])));
}

void vsg_jit_emit_loop(vsg_jit_emitter *e, LLVMBasicBlockRef entry)
{
    loops l = {.next = vsg_jit_block(e)};

    vsg_jit_go_on(e, entry);
    if (e->begins_only) {
        e->turn_id = LLVMBuildAlloca(e->b, e->i32, "");
        l.executed = LLVMBuildAlloca(e->b, e->i64, "");
        LLVMBuildStore(e->b, vsg_jit_i64(e, 0), l.executed);
    }
    for (uint32_t d = 0; d < 2 && e->begins_only && is_one_struct(e); d++)
        e->row_ids[d] = LLVMBuildAlloca(e->b, e->i32, "");
    l.first = vsg_jit_batch_field(e, e->i32, offsetof(vsg_jit_batch, next));
    l.end = vsg_jit_batch_field(e, e->i32, offsetof(vsg_jit_batch, end));
    e->reasons = vsg_jit_batch_field(e, e->pointer, offsetof(vsg_jit_batch, reasons));
    LLVMValueRef is_new = vsg_jit_batch_field(e, e->i32, offsetof(vsg_jit_batch, is_new));
    if (is_one_struct(e))
        vsg_jit_open_struct(e, l.first);
    if (e->begins_only)
        open_front(e);
    open_threads(e, &l);
    if (is_one_struct(e))
        open_turns(e, &l);
    else
        vsg_jit_open_struct(e, e->number);
    vsg_jit_open_thread(e);
    if (e->begins_only)
        begin(e);
    else
        begin_or_go_on(e, is_new);
    vsg_jit_go_on(e, e->stop);
    if (e->begins_only)
        close_beginner(e, &l);
    else
        close_thread(e, &l);
    vsg_jit_go_on(e, l.next);
    if (l.turn)
        close_turns(e, &l);
    go_to_head(e, &l, LLVMBuildAdd(e->b, e->number, vsg_jit_i32(e, 1), ""));
}

/* Are a group's ids one after the other, and its threads so many that to test for all
 * of them is less than to test for each? A trace has few tests. */
static bool is_long_row(const vsg_jit_emitter *e)
{
    enum { FEWEST = 4 };
    const uint32_t *local = e->request->local;
    uint32_t along = local[e->request->order[0]];

    return !e->traces && along >= FEWEST * e->unit->simd_size &&
           local[0] * local[1] * local[2] == along;
}

bool vsg_jit_has_rounds(const vsg_jit_emitter *e)
{
    bool takes = takes_turns(e), are_many = e->request->turns == VSG_JIT_MANY_TURNS;

    return e->begins_only && (takes ? are_many : is_long_row(e));
}

bool vsg_jit_tell_turns(vsg_jit_emitter *e)
{
    enum { OF_THREAD, OF_REGISTERS, OF_SHARED, OF_GROUP, OF_SLM, OF_BATCH, OF_REASONS };
    const vsg_jit_memory memories[] = {{e->thread, OF_THREAD},  {e->registers, OF_REGISTERS},
                                       {e->shared, OF_SHARED},  {e->own_group, OF_GROUP},
                                       {e->slm, OF_SLM},        {e->batch, OF_BATCH},
                                       {e->reasons, OF_REASONS}};

    return !e->begins_only ||
           vsg_jit_tell_memories(e, e->function, memories, sizeof memories / sizeof *memories);
}
