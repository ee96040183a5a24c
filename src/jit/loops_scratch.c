/* SPDX-License-Identifier: MIT */
#include "jit/loops_scratch.h"

#include "exec/message.h"
#include "jit/loops.h"
#include "jit/transfer.h"

/* Bytes that are kept at most. */
enum { MOST_KEPT = 1 << 14 };
/* Where the elements of a size are, none of which has been accessed. */
#define NOWHERE UINT32_MAX

typedef vsg_jit_loop_scratch scratch;

bool vsg_jit_note_scratch(scratch *s, const vsg_exe_message *message, bool is_store)
{
    uint32_t bytes = message->span_bytes;

    s->is_stored |= is_store;
    s->sizes |= bytes;
    return message->num_elements == 1 && bytes < 1u << VSG_JIT_SCRATCH_SIZES &&
           (bytes & (bytes - 1)) == 0;
}

static bool has_size(const scratch *s, uint32_t k)
{
    return s->is_stored && (s->sizes >> k & 1) != 0;
}

/* Must it be told which memory each size is to? */
static bool has_sizes(const scratch *s)
{
    return (s->sizes & (s->sizes - 1)) != 0;
}

/* ---- what is kept ------------------------------------------------------------------------ */

void vsg_jit_make_scratch_slots(vsg_jit_emitter *e, scratch *s, LLVMValueRef *kept)
{
    for (uint32_t k = 0; k < VSG_JIT_SCRATCH_SIZES; k++)
        if (has_size(s, k)) {
            s->row_at[k] = LLVMBuildAlloca(e->b, e->i32, "");
            s->first[k] = LLVMBuildAlloca(e->b, e->i32, "");
            s->last[k] = LLVMBuildAlloca(e->b, e->i32, "");
        }
    if (s->is_stored && !*kept)
        *kept = LLVMBuildAlloca(e->b, LLVMArrayType2(e->i8, MOST_KEPT), "");
    s->kept = *kept;
}

LLVMValueRef vsg_jit_can_keep_scratch(vsg_jit_emitter *e)
{
    LLVMValueRef size;

    (void)vsg_jit_scratch_at(e, &size);
    return LLVMBuildICmp(e->b, LLVMIntULE, size, vsg_jit_i64(e, MOST_KEPT), "");
}

static void copy(vsg_jit_emitter *e, const scratch *s, bool back)
{
    LLVMValueRef size;
    LLVMValueRef at = LLVMBuildIntToPtr(e->b, vsg_jit_scratch_at(e, &size), e->pointer, "");

    LLVMBuildMemCpy(e->b, back ? at : s->kept, 1, back ? s->kept : at, 1, size);
}

void vsg_jit_keep_scratch(vsg_jit_emitter *e, const scratch *s)
{
    if (!s->is_stored)
        return;
    copy(e, s, false);
    for (uint32_t k = 0; k < VSG_JIT_SCRATCH_SIZES; k++)
        if (has_size(s, k)) {
            LLVMBuildStore(e->b, vsg_jit_i32(e, NOWHERE), s->row_at[k]);
            LLVMBuildStore(e->b, vsg_jit_i32(e, NOWHERE), s->first[k]);
            LLVMBuildStore(e->b, vsg_jit_i32(e, 0), s->last[k]);
        }
}

void vsg_jit_put_scratch_back(vsg_jit_emitter *e, const scratch *s)
{
    if (s->is_stored)
        copy(e, s, true);
}

/* ---- whose it is ------------------------------------------------------------------------- */

static void require(vsg_jit_emitter *e, const vsg_jit_loop *l, LLVMValueRef condition)
{
    LLVMBasicBlockRef good = vsg_jit_block(e);

    vsg_jit_likely(e, LLVMBuildCondBr(e->b, condition, good, l->undo));
    vsg_jit_go_on(e, good);
}

static void widen(vsg_jit_emitter *e, LLVMValueRef slot, LLVMValueRef at, const char *intrinsic)
{
    LLVMValueRef args[] = {LLVMBuildLoad2(e->b, e->i32, slot, ""), at};

    LLVMBuildStore(e->b, vsg_jit_intrinsic(e, intrinsic, e->i32, args, 2), slot);
}

/* Where the row that an element would be of begins is the same for all elements of its size,
 * but for whole rows: so two channels have none in common. */
void vsg_jit_require_own(vsg_jit_emitter *e, const vsg_jit_loop *l, LLVMValueRef at,
                         uint32_t bytes)
{
    const scratch *s = &l->scratch;
    uint32_t k = (uint32_t)__builtin_ctz(bytes);
    LLVMValueRef here = LLVMBuildTrunc(e->b, at, e->i32, "");
    LLVMValueRef own = LLVMBuildAdd(e->b, l->channel, vsg_jit_i32(e, l->pass->first), "");

    own = LLVMBuildMul(e->b, own, vsg_jit_i32(e, bytes), "");
    LLVMValueRef row_at = LLVMBuildAnd(e->b, LLVMBuildSub(e->b, here, own, ""),
                                       vsg_jit_i32(e, e->simd_size * bytes - 1), "");
    LLVMValueRef known = LLVMBuildLoad2(e->b, e->i32, s->row_at[k], "");
    LLVMValueRef is_first = LLVMBuildICmp(e->b, LLVMIntEQ, known, vsg_jit_i32(e, NOWHERE), "");
    known = LLVMBuildSelect(e->b, is_first, row_at, known, "");
    LLVMBuildStore(e->b, known, s->row_at[k]);
    if (has_sizes(s)) {
        widen(e, s->first[k], here, "llvm.umin");
        widen(e, s->last[k], here, "llvm.umax");
    }
    require(e, l, LLVMBuildICmp(e->b, LLVMIntEQ, row_at, known, ""));
}

/* Is all of a size before all of another one? Where nothing is accessed it is. */
static LLVMValueRef is_before(vsg_jit_emitter *e, const scratch *s, uint32_t k, uint32_t other)
{
    LLVMValueRef last = LLVMBuildLoad2(e->b, e->i32, s->last[k], "");
    LLVMValueRef end = LLVMBuildAdd(e->b, last, vsg_jit_i32(e, 1u << k), "");

    return LLVMBuildICmp(e->b, LLVMIntULE, end,
                         LLVMBuildLoad2(e->b, e->i32, s->first[other], ""), "");
}

void vsg_jit_require_sizes_apart(vsg_jit_emitter *e, const vsg_jit_loop *l)
{
    const scratch *s = &l->scratch;

    for (uint32_t k = 0; k < VSG_JIT_SCRATCH_SIZES; k++)
        for (uint32_t i = 0; i < k; i++)
            if (has_size(s, k) && has_size(s, i))
                require(e, l,
                        LLVMBuildOr(e->b, is_before(e, s, i, k), is_before(e, s, k, i), ""));
}
