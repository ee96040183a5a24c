/* SPDX-License-Identifier: MIT */
#include "jit/region.h"

#include <stdlib.h>

/* ---- the blocks of a function ------------------------------------------------------------ */

typedef struct edge {
    uint32_t from, to;
} edge;

typedef struct graph {
    vsg_jit_emitter *e;
    LLVMBasicBlockRef *blocks;
    vsg_jit_map numbers; /* `to` is an index of `blocks`, as a number */
    uint32_t num_blocks;
    edge *edges; /* by `to` */
    uint32_t num_edges;
    uint32_t *first_in; /* by block: of its edges in; one more at the end */
    uint8_t *state;     /* by block: block_state */
    bool *is_header;
    edge *back; /* from the end of a loop to its header */
    uint32_t num_back;
    uint32_t *in; /* by block: 1 more than the loop that it was last found in */
} graph;

typedef enum block_state { BLOCK_NEW, BLOCK_ON_WAY, BLOCK_DONE } block_state;

static int compare_pairs(const void *a, const void *b)
{
    const vsg_jit_pair *one = a, *other = b;
    uintptr_t x = (uintptr_t)one->from, y = (uintptr_t)other->from;

    return (x > y) - (x < y);
}

static vsg_jit_pair *find_pair(const vsg_jit_map *map, LLVMValueRef value)
{
    vsg_jit_pair wanted = {.from = value};

    if (map->count == 0)
        return NULL;
    return bsearch(&wanted, map->pairs, map->count, sizeof wanted, compare_pairs);
}

LLVMValueRef vsg_jit_mapped(const vsg_jit_map *map, LLVMValueRef value)
{
    const vsg_jit_pair *found = find_pair(map, value);

    return found ? found->to : NULL;
}

bool vsg_jit_is_mapped(const vsg_jit_map *map, LLVMValueRef value)
{
    return find_pair(map, value) != NULL;
}

void vsg_jit_map_to(vsg_jit_map *map, LLVMValueRef value, LLVMValueRef to)
{
    find_pair(map, value)->to = to;
}

static uint32_t number_of(const graph *g, LLVMBasicBlockRef block)
{
    return (uint32_t)(uintptr_t)find_pair(&g->numbers, LLVMBasicBlockAsValue(block))->to;
}

static uint32_t count_successors(LLVMBasicBlockRef block)
{
    return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block));
}

static LLVMBasicBlockRef successor(LLVMBasicBlockRef block, uint32_t index)
{
    return LLVMGetSuccessor(LLVMGetBasicBlockTerminator(block), index);
}

static bool number_blocks(graph *g, LLVMValueRef function)
{
    uint32_t count = LLVMCountBasicBlocks(function), at = 0;

    g->blocks = vsg_base_arena_new(&g->e->arena, count, sizeof(LLVMBasicBlockRef));
    g->numbers.pairs = vsg_base_arena_new(&g->e->arena, count, sizeof(vsg_jit_pair));
    if (!g->blocks || !g->numbers.pairs)
        return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b)) {
        g->blocks[at] = b;
        g->numbers.pairs[at] =
            (vsg_jit_pair){LLVMBasicBlockAsValue(b), (LLVMValueRef)(uintptr_t)at};
        g->num_edges += count_successors(b);
        at++;
    }
    g->num_blocks = g->numbers.count = count;
    qsort(g->numbers.pairs, count, sizeof(vsg_jit_pair), compare_pairs);
    return true;
}

static bool find_edges(graph *g)
{
    vsg_base_arena *arena = &g->e->arena;
    uint32_t *next = vsg_base_arena_new(arena, g->num_blocks, sizeof *next);

    g->edges = vsg_base_arena_new(arena, g->num_edges + 1, sizeof(edge));
    g->first_in = vsg_base_arena_new(arena, g->num_blocks + 1, sizeof(uint32_t));
    if (!next || !g->edges || !g->first_in)
        return false;
    for (uint32_t i = 0; i < g->num_blocks; i++)
        for (uint32_t s = 0; s < count_successors(g->blocks[i]); s++)
            g->first_in[number_of(g, successor(g->blocks[i], s)) + 1]++;
    for (uint32_t i = 0; i < g->num_blocks; i++) {
        g->first_in[i + 1] += g->first_in[i];
        next[i] = g->first_in[i];
    }
    for (uint32_t i = 0; i < g->num_blocks; i++)
        for (uint32_t s = 0; s < count_successors(g->blocks[i]); s++) {
            uint32_t to = number_of(g, successor(g->blocks[i], s));
            g->edges[next[to]++] = (edge){i, to};
        }
    return true;
}

/* Edges back to a block on the way from the entry close loops. */
static bool find_back(graph *g)
{
    vsg_base_arena *arena = &g->e->arena;
    uint32_t *way = vsg_base_arena_new(arena, g->num_blocks, sizeof *way);
    uint32_t *next = vsg_base_arena_new(arena, g->num_blocks, sizeof *next);
    uint32_t depth = 1;

    g->state = vsg_base_arena_new(arena, g->num_blocks, 1);
    g->is_header = vsg_base_arena_new(arena, g->num_blocks, sizeof(bool));
    g->back = vsg_base_arena_new(arena, g->num_edges + 1, sizeof(edge));
    g->in = vsg_base_arena_new(arena, g->num_blocks, sizeof(uint32_t));
    if (!way || !next || !g->state || !g->is_header || !g->back || !g->in)
        return false;
    g->state[0] = BLOCK_ON_WAY;
    while (depth > 0) {
        uint32_t block = way[depth - 1];
        if (next[block] == count_successors(g->blocks[block])) {
            g->state[block] = BLOCK_DONE;
            depth--;
            continue;
        }
        uint32_t to = number_of(g, successor(g->blocks[block], next[block]++));
        if (g->state[to] == BLOCK_NEW) {
            g->state[to] = BLOCK_ON_WAY;
            way[depth++] = to;
        } else if (g->state[to] == BLOCK_ON_WAY) {
            g->is_header[to] = true;
            g->back[g->num_back++] = (edge){block, to};
        }
    }
    return true;
}

/* ---- loops ------------------------------------------------------------------------------- */

/* Blocks from which the end is reached without the header. False: there is another loop in it,
 * or another way in. */
static bool collect(graph *g, uint32_t loop, uint32_t *list, uint32_t *count)
{
    edge back = g->back[loop];

    *count = 0;
    list[(*count)++] = back.to;
    g->in[back.to] = loop + 1;
    if (back.from != back.to) {
        list[(*count)++] = back.from;
        g->in[back.from] = loop + 1;
    }
    for (uint32_t i = 1; i < *count; i++) {
        if (list[i] == 0 || g->is_header[list[i]])
            return false;
        for (uint32_t n = g->first_in[list[i]]; n < g->first_in[list[i] + 1]; n++) {
            uint32_t from = g->edges[n].from;
            if (g->in[from] == loop + 1 || g->state[from] != BLOCK_DONE)
                continue;
            g->in[from] = loop + 1;
            list[(*count)++] = from;
        }
    }
    return true;
}

/* The one block from which control comes in. NULL: there are several, or it goes elsewhere. */
static LLVMBasicBlockRef block_before(const graph *g, uint32_t loop)
{
    LLVMBasicBlockRef found = NULL;
    edge back = g->back[loop];

    for (uint32_t n = g->first_in[back.to]; n < g->first_in[back.to + 1]; n++) {
        uint32_t from = g->edges[n].from;
        if (from == back.from)
            continue;
        if (found || g->in[from] == loop + 1)
            return NULL;
        found = g->blocks[from];
    }
    return found && count_successors(found) == 1 ? found : NULL;
}

/* No blocks: it is none that is asked for. False: memory is out. */
static bool find_loop(graph *g, uint32_t loop, uint32_t *list, vsg_jit_region *out)
{
    uint32_t count;

    *out = (vsg_jit_region){.latch = g->blocks[g->back[loop].from]};
    if (!collect(g, loop, list, &count))
        return true;
    out->before = block_before(g, loop);
    if (!out->before)
        return true;
    out->blocks = vsg_base_arena_new(&g->e->arena, count, sizeof(LLVMBasicBlockRef));
    if (!out->blocks)
        return false;
    for (uint32_t i = 0; i < count; i++)
        out->blocks[i] = g->blocks[list[i]];
    out->num_blocks = count;
    return true;
}

bool vsg_jit_find_regions(vsg_jit_emitter *e, LLVMValueRef function, vsg_jit_region **out,
                          uint32_t *count)
{
    graph g = {.e = e};

    *count = 0;
    if (!number_blocks(&g, function) || !find_edges(&g) || !find_back(&g))
        return false;
    uint32_t *list = vsg_base_arena_new(&e->arena, g.num_blocks, sizeof *list);
    *out = vsg_base_arena_new(&e->arena, g.num_back + 1, sizeof **out);
    if (!list || !*out)
        return false;
    for (uint32_t i = 0; i < g.num_back; i++) {
        if (!find_loop(&g, i, list, &(*out)[*count]))
            return false;
        *count += (*out)[*count].num_blocks > 0;
    }
    return true;
}

/* ---- copies ------------------------------------------------------------------------------ */

static uint32_t count_values(const vsg_jit_region *region)
{
    uint32_t count = region->num_blocks;

    for (uint32_t i = 0; i < region->num_blocks; i++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(region->blocks[i]); v;
             v = LLVMGetNextInstruction(v))
            count++;
    return count;
}

bool vsg_jit_map_region(vsg_jit_emitter *e, const vsg_jit_region *region, vsg_jit_map *out)
{
    *out = (vsg_jit_map){0};
    out->pairs = vsg_base_arena_new(&e->arena, count_values(region), sizeof *out->pairs);
    if (!out->pairs)
        return false;
    for (uint32_t i = 0; i < region->num_blocks; i++) {
        LLVMValueRef block = LLVMBasicBlockAsValue(region->blocks[i]);
        out->pairs[out->count++] = (vsg_jit_pair){block, block};
        for (LLVMValueRef v = LLVMGetFirstInstruction(region->blocks[i]); v;
             v = LLVMGetNextInstruction(v))
            out->pairs[out->count++] = (vsg_jit_pair){v, v};
    }
    qsort(out->pairs, out->count, sizeof *out->pairs, compare_pairs);
    return true;
}

static LLVMValueRef copy_instruction(vsg_jit_emitter *e, LLVMValueRef v)
{
    if (LLVMGetInstructionOpcode(v) == LLVMPHI)
        return LLVMBuildPhi(e->b, LLVMTypeOf(v), "");
    LLVMValueRef copy = LLVMInstructionClone(v);
    LLVMInsertIntoBuilder(e->b, copy);
    return copy;
}

static LLVMValueRef map_or_keep(const vsg_jit_map *map, LLVMValueRef value)
{
    LLVMValueRef mapped = vsg_jit_mapped(map, value);

    return mapped ? mapped : value;
}

static void add_incoming(const vsg_jit_map *map, LLVMValueRef phi, LLVMValueRef from,
                         uint32_t index)
{
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(from, index);
    LLVMValueRef value = map_or_keep(map, LLVMGetIncomingValue(from, index));
    LLVMValueRef mapped = vsg_jit_mapped(map, LLVMBasicBlockAsValue(block));

    block = LLVMValueAsBasicBlock(mapped);
    LLVMAddIncoming(phi, &value, &block, 1);
}

static void fill_block(const vsg_jit_map *map, LLVMBasicBlockRef block, bool is_header)
{
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v)) {
        LLVMValueRef copy = vsg_jit_mapped(map, v);
        if (LLVMGetInstructionOpcode(v) == LLVMPHI) {
            for (uint32_t i = 0; !is_header && i < LLVMCountIncoming(v); i++)
                add_incoming(map, copy, v, i);
            continue;
        }
        int count = LLVMGetNumOperands(copy);
        for (int i = 0; i < count; i++) {
            LLVMValueRef mapped = vsg_jit_mapped(map, LLVMGetOperand(v, (unsigned)i));
            if (mapped)
                LLVMSetOperand(copy, (unsigned)i, mapped);
        }
    }
}

/* Phis of a block behind the region; one that several blocks go to is met several times. */
static void extend_phis(const vsg_jit_map *map, LLVMBasicBlockRef from, LLVMBasicBlockRef block)
{
    for (LLVMValueRef v = LLVMGetFirstInstruction(block);
         v && LLVMGetInstructionOpcode(v) == LLVMPHI; v = LLVMGetNextInstruction(v)) {
        uint32_t count = LLVMCountIncoming(v);
        for (uint32_t i = 0; i < count; i++) {
            if (LLVMGetIncomingBlock(v, i) == from) {
                add_incoming(map, v, v, i);
                break;
            }
        }
    }
}

bool vsg_jit_copy_region(vsg_jit_emitter *e, const vsg_jit_region *region, vsg_jit_map *out)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(region->blocks[0]);

    if (!vsg_jit_map_region(e, region, out))
        return false;
    for (uint32_t i = 0; i < region->num_blocks; i++) {
        LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(e->context, function, "");
        find_pair(out, LLVMBasicBlockAsValue(region->blocks[i]))->to =
            LLVMBasicBlockAsValue(block);
        LLVMPositionBuilderAtEnd(e->b, block);
        for (LLVMValueRef v = LLVMGetFirstInstruction(region->blocks[i]); v;
             v = LLVMGetNextInstruction(v))
            find_pair(out, v)->to = copy_instruction(e, v);
    }
    for (uint32_t i = 0; i < region->num_blocks; i++)
        fill_block(out, region->blocks[i], i == 0);
    for (uint32_t i = 0; i < region->num_blocks; i++)
        for (uint32_t s = 0; s < count_successors(region->blocks[i]); s++) {
            LLVMBasicBlockRef to = successor(region->blocks[i], s);
            if (!vsg_jit_mapped(out, LLVMBasicBlockAsValue(to)))
                extend_phis(out, region->blocks[i], to);
        }
    return true;
}

/* ---- phis -------------------------------------------------------------------------------- */

static LLVMValueRef phi_or_none(LLVMValueRef v)
{
    return v && LLVMGetInstructionOpcode(v) == LLVMPHI ? v : NULL;
}

LLVMValueRef vsg_jit_first_phi(LLVMBasicBlockRef block)
{
    return phi_or_none(LLVMGetFirstInstruction(block));
}

LLVMValueRef vsg_jit_next_phi(LLVMValueRef phi)
{
    return phi_or_none(LLVMGetNextInstruction(phi));
}

LLVMValueRef vsg_jit_coming_from(LLVMValueRef phi, LLVMBasicBlockRef block)
{
    for (uint32_t i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == block)
            return LLVMGetIncomingValue(phi, i);
    return NULL;
}

void vsg_jit_add_incoming(LLVMValueRef phi, LLVMValueRef first, LLVMBasicBlockRef before,
                          LLVMValueRef back, LLVMBasicBlockRef turn)
{
    LLVMAddIncoming(phi, (LLVMValueRef[]){first, back}, (LLVMBasicBlockRef[]){before, turn}, 2);
}

void vsg_jit_change_origin(vsg_jit_emitter *e, LLVMBasicBlockRef block, LLVMBasicBlockRef from,
                           LLVMBasicBlockRef other)
{
    for (LLVMValueRef phi = vsg_jit_first_phi(block), next; phi; phi = next) {
        next = vsg_jit_next_phi(phi);
        LLVMPositionBuilderBefore(e->b, phi);
        LLVMValueRef own = LLVMBuildPhi(e->b, LLVMTypeOf(phi), "");
        for (uint32_t i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef value = LLVMGetIncomingValue(phi, i);
            LLVMBasicBlockRef origin = LLVMGetIncomingBlock(phi, i);
            LLVMAddIncoming(own, &value, origin == from ? &other : &origin, 1);
        }
        LLVMReplaceAllUsesWith(phi, own);
        LLVMInstructionEraseFromParent(phi);
    }
}

int vsg_jit_likely_way(vsg_jit_emitter *e, LLVMValueRef branch)
{
    LLVMValueRef parts[3];
    LLVMValueRef weights =
        LLVMGetMetadata(branch, LLVMGetMDKindIDInContext(e->context, "prof", 4));

    if (!weights || LLVMGetMDNodeNumOperands(weights) != 3)
        return -1;
    LLVMGetMDNodeOperands(weights, parts);
    if (!LLVMIsAConstantInt(parts[1]) || !LLVMIsAConstantInt(parts[2]))
        return -1;
    uint64_t first = LLVMConstIntGetZExtValue(parts[1]);
    uint64_t second = LLVMConstIntGetZExtValue(parts[2]);
    return first > 8 * second ? 0 : second > 8 * first ? 1 : -1;
}
