/* SPDX-License-Identifier: MIT */
#include "jit/memories.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ADDRESSED = VSG_JIT_MOST_MEMORIES, NAMES, UNKNOWN = NAMES };

/* What LLVM's documents call scopes: an access is in one, and what it accesses is in none of
 * the others. */
struct vsg_jit_memories {
    vsg_jit_emitter *e;
    bool is_used[NAMES];
    LLVMMetadataRef own[NAMES], others[NAMES]; /* lists */
    unsigned own_kind, others_kind;
};

typedef vsg_jit_memories scopes;

static unsigned kind_of(const vsg_jit_emitter *e, const char *name)
{
    return LLVMGetMDKindIDInContext(e->context, name, (unsigned)strlen(name));
}

static LLVMMetadataRef make_scope(vsg_jit_emitter *e, uint32_t name)
{
    char text[16];
    int length = snprintf(text, sizeof text, "m%" PRIu32, name);
    LLVMMetadataRef all = LLVMMDStringInContext2(e->context, "visage", 6);
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(e->context, text, (size_t)length),
                               LLVMMDNodeInContext2(e->context, &all, 1)};

    return LLVMMDNodeInContext2(e->context, parts, 2);
}

static void make_lists(scopes *s)
{
    LLVMMetadataRef made[NAMES], others[NAMES];

    for (uint32_t i = 0; i < NAMES; i++)
        if (s->is_used[i])
            made[i] = make_scope(s->e, i);
    for (uint32_t i = 0; i < NAMES; i++) {
        size_t count = 0;
        if (!s->is_used[i])
            continue;
        for (uint32_t n = 0; n < NAMES; n++)
            if (s->is_used[n] && n != i)
                others[count++] = made[n];
        s->own[i] = LLVMMDNodeInContext2(s->e->context, &made[i], 1);
        s->others[i] = LLVMMDNodeInContext2(s->e->context, others, count);
    }
}

/* Which of some memories a pointer leads to. */
static uint32_t name_of(LLVMValueRef pointer, const vsg_jit_memory *memories, uint32_t count)
{
    while (LLVMIsAGetElementPtrInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    if (LLVMIsAIntToPtrInst(pointer))
        return ADDRESSED;
    for (uint32_t i = 0; i < count; i++)
        if (memories[i].pointer == pointer)
            return memories[i].name;
    return UNKNOWN;
}

/* Where an instruction loads or stores; NULL: it does neither, or more. */
static LLVMValueRef place_of(LLVMValueRef v)
{
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMLoad:
        return LLVMGetOperand(v, 0);
    case LLVMStore:
        return LLVMGetOperand(v, 1);
    case LLVMCall:
        if (vsg_jit_is_intrinsic(v, "llvm.masked.load") ||
            vsg_jit_is_intrinsic(v, "llvm.memset"))
            return LLVMGetOperand(v, 0);
        return vsg_jit_is_intrinsic(v, "llvm.masked.store") ? LLVMGetOperand(v, 1) : NULL;
    default:
        return NULL;
    }
}

static void tell(const scopes *s, LLVMValueRef v, uint32_t name)
{
    LLVMSetMetadata(v, s->own_kind, LLVMMetadataAsValue(s->e->context, s->own[name]));
    LLVMSetMetadata(v, s->others_kind, LLVMMetadataAsValue(s->e->context, s->others[name]));
}

/* Tells of accesses to some memories, and of those whose pointers are made of integers. */
static void tell_all(const scopes *s, LLVMValueRef function, const vsg_jit_memory *memories,
                     uint32_t count)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
            LLVMValueRef place = place_of(v);
            uint32_t name = place ? name_of(place, memories, count) : UNKNOWN;
            if (name != UNKNOWN)
                tell(s, v, name);
        }
}

bool vsg_jit_tell_memories(vsg_jit_emitter *e, LLVMValueRef function,
                           const vsg_jit_memory *memories, uint32_t count)
{
    scopes *s = vsg_base_arena_new(&e->arena, 1, sizeof *s);

    if (!s)
        return false;
    *s = (scopes){.e = e,
                  .is_used[ADDRESSED] = true,
                  .own_kind = kind_of(e, "alias.scope"),
                  .others_kind = kind_of(e, "noalias")};
    for (uint32_t i = 0; i < count; i++)
        s->is_used[memories[i].name] = true;
    make_lists(s);
    e->memories = s;
    tell_all(s, function, memories, count);
    return true;
}

void vsg_jit_tell_again(vsg_jit_emitter *e, LLVMValueRef function)
{
    tell_all(e->memories, function, NULL, 0);
}

uint32_t vsg_jit_memory_of(const vsg_jit_emitter *e, LLVMValueRef v)
{
    const scopes *s = e->memories;
    LLVMValueRef found = LLVMGetMetadata(v, s->own_kind);

    for (uint32_t i = 0; found && i < NAMES; i++)
        if (s->is_used[i] && LLVMMetadataAsValue(e->context, s->own[i]) == found)
            return i;
    return VSG_JIT_NO_MEMORY;
}

void vsg_jit_tell_like(const vsg_jit_emitter *e, LLVMValueRef v, LLVMValueRef other)
{
    const scopes *s = e->memories;

    if (!s)
        return;
    LLVMSetMetadata(v, s->own_kind, LLVMGetMetadata(other, s->own_kind));
    LLVMSetMetadata(v, s->others_kind, LLVMGetMetadata(other, s->others_kind));
}
