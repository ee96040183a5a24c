/* SPDX-License-Identifier: MIT
 *
 * Blocks are gone through backwards from loads to stores, as Braun and others do (Simple and
 * Efficient Construction of Static Single Assignment Form, 2013), but not in circles. */
#include "jit/promote.h"

/* Accesses of a slot, and ways from block to block that are gone for one. Slots with one store
 * LLVM finds as quickly. */
enum { LEAST_STORES = 2, MOST_ACCESSES = 64, MOST_WAYS = 256 };

/* What is at a place: the value of a store, by its number, or what comes together in a block.
 */
typedef uint32_t source;
static const source NOWHERE = UINT32_MAX, IN_PROGRESS = UINT32_MAX - 1;
static const source MEETING = UINT32_C(1) << 31; /* | number of a block */

typedef struct access {
    LLVMValueRef v;
    uint32_t block, next; /* next: access of the slot in the order of text; 0: none */
    bool is_store;
    source from; /* of a load */
} access;

typedef struct slot {
    LLVMValueRef v;
    uint32_t first, last, num_accesses, num_stores;
    bool is_odd; /* something else is done with it */
} slot;

typedef struct block {
    LLVMBasicBlockRef v;
    /* Of the slot in hand, if `stored` and `seen` are its number. */
    uint32_t stored, seen, made;
    source last;   /* store in it */
    source start;  /* what is there where it begins */
    source so_far; /* by the ways to it before `next`, while that is not known */
    LLVMUseRef next;
    LLVMValueRef phi;
} block;

/* Pointers to numbers. */
typedef struct map {
    const void **keys;
    uint32_t *numbers;
    uint32_t mask;
} map;

typedef struct promoter {
    vsg_jit_emitter *e;
    block *blocks;
    slot *slots;
    access *accesses; /* from 1 on */
    uint32_t num_blocks, num_slots, num_accesses;
    map by_block, by_slot;
    uint32_t *path;       /* blocks that are gone back from */
    uint32_t stamp, ways; /* of the slot in hand */
} promoter;

/* ---- maps -------------------------------------------------------------------------------- */

static bool make_map(vsg_jit_emitter *e, map *m, uint32_t count)
{
    uint32_t size = 4;

    while (size < 2 * count)
        size *= 2;
    m->mask = size - 1;
    m->keys = vsg_base_arena_new(&e->arena, size, sizeof *m->keys);
    m->numbers = vsg_base_arena_new(&e->arena, size, sizeof *m->numbers);
    return m->keys && m->numbers;
}

static uint32_t place_of(const map *m, const void *key)
{
    uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t at = (uint32_t)(hash >> 32) & m->mask;

    while (m->keys[at] && m->keys[at] != key)
        at = (at + 1) & m->mask;
    return at;
}

static void put(map *m, const void *key, uint32_t number)
{
    uint32_t at = place_of(m, key);

    m->keys[at] = key;
    m->numbers[at] = number;
}

/* NULL: it is not there. */
static const uint32_t *get(const map *m, const void *key)
{
    uint32_t at = place_of(m, key);

    return m->keys[at] ? &m->numbers[at] : NULL;
}

/* ---- what there is ----------------------------------------------------------------------- */

/* The pointer that an instruction loads from, or stores to. NULL: it does neither. */
static LLVMValueRef pointer_of(LLVMValueRef v, bool *is_store)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);

    *is_store = op == LLVMStore;
    if (op != LLVMLoad && op != LLVMStore)
        return NULL;
    return LLVMGetOperand(v, op == LLVMStore);
}

static bool is_plain(LLVMValueRef v, LLVMValueRef of, bool is_store)
{
    LLVMTypeRef type = LLVMTypeOf(is_store ? LLVMGetOperand(v, 0) : v);

    return type == LLVMGetAllocatedType(of) && vsg_jit_is_plain_access(v);
}

static bool count_all(promoter *p, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b)) {
        p->num_blocks++;
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
            LLVMOpcode op = LLVMGetInstructionOpcode(v);
            p->num_slots += p->num_blocks == 1 && op == LLVMAlloca;
            p->num_accesses += op == LLVMLoad || op == LLVMStore;
        }
    }
    p->blocks = vsg_base_arena_new(&p->e->arena, p->num_blocks, sizeof *p->blocks);
    p->slots = vsg_base_arena_new(&p->e->arena, (size_t)p->num_slots + 1, sizeof *p->slots);
    p->accesses =
        vsg_base_arena_new(&p->e->arena, (size_t)p->num_accesses + 1, sizeof *p->accesses);
    p->path = vsg_base_arena_new(&p->e->arena, p->num_blocks, sizeof *p->path);
    return p->blocks && p->slots && p->accesses && p->path &&
           make_map(p->e, &p->by_block, p->num_blocks) &&
           make_map(p->e, &p->by_slot, p->num_slots);
}

static void note_access(promoter *p, LLVMValueRef v, uint32_t in)
{
    bool is_store;
    LLVMValueRef pointer = pointer_of(v, &is_store);
    const uint32_t *number = pointer ? get(&p->by_slot, pointer) : NULL;

    if (!number)
        return;
    slot *s = &p->slots[*number];
    uint32_t own = ++p->num_accesses;
    p->accesses[own] = (access){.v = v, .block = in, .is_store = is_store};
    if (s->last)
        p->accesses[s->last].next = own;
    else
        s->first = own;
    s->last = own;
    s->num_accesses++;
    s->num_stores += is_store;
    s->is_odd |= !is_plain(v, s->v, is_store);
}

static void find_all(promoter *p, LLVMValueRef function)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    uint32_t number = 0;

    p->num_accesses = p->num_slots = 0;
    for (LLVMValueRef v = LLVMGetFirstInstruction(entry); v; v = LLVMGetNextInstruction(v))
        if (LLVMGetInstructionOpcode(v) == LLVMAlloca) {
            p->slots[p->num_slots].v = v;
            put(&p->by_slot, v, p->num_slots++);
        }
    for (LLVMBasicBlockRef b = entry; b; b = LLVMGetNextBasicBlock(b), number++) {
        p->blocks[number].v = b;
        put(&p->by_block, b, number);
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
            note_access(p, v, number);
    }
}

static bool is_candidate(const slot *s)
{
    uint32_t uses = 0;

    if (s->is_odd || s->num_stores < LEAST_STORES || s->num_accesses == s->num_stores ||
        s->num_accesses > MOST_ACCESSES)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(s->v); use && uses <= s->num_accesses;
         use = LLVMGetNextUse(use))
        uses++;
    return uses == s->num_accesses;
}

/* ---- where values come from -------------------------------------------------------------- */

/* The block that goes on with another one by way of a use of that. */
static uint32_t before(const promoter *p, LLVMUseRef use)
{
    return *get(&p->by_block, LLVMGetInstructionParent(LLVMGetUser(use)));
}

static LLVMUseRef first_way(const block *b)
{
    return LLVMGetFirstUse(LLVMBasicBlockAsValue(b->v));
}

static void begin_block(promoter *p, uint32_t number)
{
    block *b = &p->blocks[number];

    b->seen = p->stamp;
    b->start = IN_PROGRESS;
    b->so_far = NOWHERE;
    b->next = first_way(b);
}

/* What is known to be there where a block ends. NOWHERE: it has to be gone back from. */
static source known_end(const promoter *p, uint32_t number)
{
    const block *b = &p->blocks[number];

    if (b->stored == p->stamp)
        return b->last;
    return b->seen == p->stamp ? b->start : NOWHERE;
}

/* Adds what comes by a way, if that is known. */
static void add_way(promoter *p, uint32_t number, source one)
{
    block *b = &p->blocks[number];

    b->so_far = b->so_far == NOWHERE || b->so_far == one ? one : MEETING | number;
    b->next = LLVMGetNextUse(b->next);
}

/* NOWHERE: the function begins before there is a store, ways go round, or there are too many.
 */
static source find_start(promoter *p, uint32_t number)
{
    uint32_t depth = 0;

    if (p->blocks[number].seen == p->stamp)
        return p->blocks[number].start;
    begin_block(p, number);
    p->path[depth++] = number;
    while (depth > 0) {
        uint32_t own = p->path[depth - 1];
        block *b = &p->blocks[own];
        if (!b->next) {
            if (b->so_far == NOWHERE)
                return NOWHERE;
            b->start = b->so_far;
            depth--;
            continue;
        }
        uint32_t from = before(p, b->next);
        source one = known_end(p, from);
        if (one == IN_PROGRESS || p->ways++ == MOST_WAYS)
            return NOWHERE;
        if (one != NOWHERE) {
            add_way(p, own, one);
        } else {
            begin_block(p, from);
            p->path[depth++] = from;
        }
    }
    return p->blocks[number].start;
}

/* Of all loads of a slot. */
static bool find_sources(promoter *p, const slot *s)
{
    p->stamp++;
    p->ways = 0;
    for (uint32_t i = s->first; i; i = p->accesses[i].next) {
        access *a = &p->accesses[i];
        block *b = &p->blocks[a->block];
        if (a->is_store) {
            b->stored = p->stamp;
            b->last = i;
        } else if (b->stored == p->stamp) {
            a->from = b->last;
        } else {
            a->from = NOWHERE; /* not looked for until all stores are known */
        }
    }
    for (uint32_t i = s->first; i; i = p->accesses[i].next) {
        access *a = &p->accesses[i];
        if (a->is_store || a->from != NOWHERE)
            continue;
        a->from = find_start(p, a->block);
        if (a->from == NOWHERE)
            return false;
    }
    return true;
}

/* ---- values ------------------------------------------------------------------------------ */

static LLVMValueRef value_of(promoter *p, const slot *s, source from)
{
    if (!(from & MEETING))
        return LLVMGetOperand(p->accesses[from].v, 0);
    block *b = &p->blocks[from & ~MEETING];
    if (b->made == p->stamp)
        return b->phi;
    LLVMPositionBuilder(p->e->b, b->v, LLVMGetFirstInstruction(b->v));
    LLVMValueRef phi = LLVMBuildPhi(p->e->b, LLVMGetAllocatedType(s->v), "");
    b->made = p->stamp;
    b->phi = phi;
    for (LLVMUseRef use = first_way(b); use; use = LLVMGetNextUse(use)) {
        uint32_t number = before(p, use);
        LLVMValueRef value = value_of(p, s, known_end(p, number));
        LLVMAddIncoming(phi, &value, &p->blocks[number].v, 1);
    }
    return phi;
}

static void make_values(promoter *p, const slot *s)
{
    for (uint32_t i = s->first; i; i = p->accesses[i].next) {
        LLVMValueRef v = p->accesses[i].v;
        if (p->accesses[i].is_store)
            continue;
        LLVMValueRef value = value_of(p, s, p->accesses[i].from);
        if (value == v) /* in a circle that nothing leads to */
            value = LLVMGetPoison(LLVMTypeOf(v));
        LLVMReplaceAllUsesWith(v, value);
    }
    for (uint32_t i = s->first; i; i = p->accesses[i].next)
        LLVMInstructionEraseFromParent(p->accesses[i].v);
}

static bool promote_in(vsg_jit_emitter *e, LLVMValueRef function)
{
    promoter p = {.e = e};

    if (!count_all(&p, function))
        return false;
    find_all(&p, function);
    for (uint32_t i = 0; i < p.num_slots; i++)
        if (is_candidate(&p.slots[i]) && find_sources(&p, &p.slots[i]))
            make_values(&p, &p.slots[i]);
    return true;
}

bool vsg_jit_promote(vsg_jit_emitter *e)
{
    bool good = true;

    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f && good;
         f = LLVMGetNextFunction(f))
        good = !LLVMGetFirstBasicBlock(f) || promote_in(e, f);
    return good;
}
