/* SPDX-License-Identifier: MIT
 *
 * Part of a library whose compiled code checks nothing, to measure what the checks cost. The
 * linker puts the functions here in the place of those of src/jit (--wrap), so that no such
 * choice is in the product.
 *
 * Branches that are marked as likely go to the handlers where an access would leave its memory,
 * an atomic one is not aligned, or a row of addresses wraps around; the exception are channels
 * that are off, of which a scalar access asks. Jumps backwards ask for the budget. Lanes within
 * a row are gathered, and rows with channels off ask: that all of the row is memory is not
 * certain otherwise. */
#include <llvm-c/Core.h>

#include "exec/thread.h"
#include "jit/emit.h"
#include "jit/frame.h"
#include "jit/near.h"
#include "jit/sections.h"
#include "jit/transfer.h"

void __real_vsg_jit_suspend(vsg_jit_emitter *e, uint32_t place, LLVMValueRef reason);
void __wrap_vsg_jit_likely(vsg_jit_emitter *e, LLVMValueRef branch);
void __wrap_vsg_jit_suspend(vsg_jit_emitter *e, uint32_t place, LLVMValueRef reason);
bool __wrap_vsg_jit_can_be_near(const vsg_jit_emitter *e, const vsg_jit_transfer *t);
LLVMBasicBlockRef __real_vsg_jit_beside_row(const vsg_jit_transfer *t, LLVMBasicBlockRef apart);
LLVMBasicBlockRef __wrap_vsg_jit_beside_row(const vsg_jit_transfer *t, LLVMBasicBlockRef apart);
void __real_vsg_jit_open_places(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                const vsg_jit_places *places, LLVMValueRef *host);
void __wrap_vsg_jit_open_places(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                const vsg_jit_places *places, LLVMValueRef *host);

/* Where the last row goes that is not all memory, if its channels are moved one by one there.
 */
static _Thread_local LLVMBasicBlockRef beside;
static _Thread_local bool asks; /* what is opened now is such a row */

LLVMBasicBlockRef __wrap_vsg_jit_beside_row(const vsg_jit_transfer *t, LLVMBasicBlockRef apart)
{
    LLVMBasicBlockRef block = __real_vsg_jit_beside_row(t, apart);

    beside = block == apart ? apart : NULL;
    return block;
}

void __wrap_vsg_jit_open_places(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                const vsg_jit_places *places, LLVMValueRef *host)
{
    asks = beside && t->slow == beside;
    __real_vsg_jit_open_places(e, t, places, host);
    asks = false;
}

bool __wrap_vsg_jit_can_be_near(const vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    (void)e;
    (void)t;
    return false;
}

void __wrap_vsg_jit_likely(vsg_jit_emitter *e, LLVMValueRef branch)
{
    if (!LLVMIsATruncInst(LLVMGetCondition(branch)) && !asks)
        LLVMSetCondition(branch, LLVMConstInt(LLVMInt1TypeInContext(e->context), 1, false));
}

void __wrap_vsg_jit_suspend(vsg_jit_emitter *e, uint32_t place, LLVMValueRef reason)
{
    if (LLVMConstIntGetZExtValue(reason) == VSG_EXE_STOP_BUDGET)
        LLVMBuildUnreachable(e->b);
    else
        __real_vsg_jit_suspend(e, place, reason);
}
