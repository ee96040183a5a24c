/* SPDX-License-Identifier: MIT
 *
 * Compilers write low dwords of qwords and then the high ones, or the first half of the
 * channels and then the other: no instruction writes all of the variable, and as each leaves
 * some of it alone, what was there before would be thought to be needed, around all loops.
 *
 * Code of the least effort has such variables in memory, where pieces are stored as they come:
 * as values they would be put together of shuffles, which nobody simplifies. */
#include "jit/pieces.h"

enum { MOST_PIECES = 64 }; /* of a part */

typedef struct part_pieces {
    uint64_t written; /* a bit for each */
    uint32_t block;   /* whose they are; of another one there are none */
} part_pieces;

struct vsg_jit_pieces {
    const vsg_jit_emitter *e;
    part_pieces *parts; /* general ones */
    uint32_t block;
};

vsg_jit_pieces *vsg_jit_new_pieces(vsg_jit_emitter *e)
{
    vsg_jit_pieces *pieces = vsg_base_arena_new(&e->arena, 1, sizeof *pieces);

    if (!pieces)
        return NULL;
    pieces->e = e;
    pieces->block = 1;
    pieces->parts = vsg_base_arena_new(&e->arena, e->num_general + 1, sizeof *pieces->parts);
    return pieces->parts ? pieces : NULL;
}

void vsg_jit_forget_pieces(vsg_jit_pieces *pieces)
{
    pieces->block++;
}

/* Bytes of a piece. */
static uint32_t piece_bytes(const vsg_jit_part *part)
{
    uint32_t bytes = 1;

    while (bytes * MOST_PIECES < part->bytes)
        bytes *= 2;
    return bytes;
}

static uint64_t first_pieces(uint32_t count)
{
    return count < MOST_PIECES ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

/* The pieces of bytes that begin with byte `at` of the part, as far as they are whole and its.
 */
static uint64_t pieces_of(const vsg_jit_part *part, int64_t at, uint32_t bytes)
{
    uint32_t piece = piece_bytes(part);

    if (at < 0 || at + bytes > part->bytes || at % piece != 0 || bytes % piece != 0)
        return 0;
    return first_pieces(bytes / piece) << at / piece;
}

static bool is_general(const vsg_jit_pieces *pieces, uint32_t part)
{
    return part < pieces->e->num_general;
}

bool vsg_jit_has_pieces(const vsg_jit_pieces *pieces, uint32_t part)
{
    if (!is_general(pieces, part) || pieces->parts[part].block != pieces->block)
        return false;
    const vsg_jit_part *all = &pieces->e->parts[part];
    uint32_t count = (all->bytes + piece_bytes(all) - 1) / piece_bytes(all);
    return pieces->parts[part].written == first_pieces(count);
}

bool vsg_jit_add_pieces(vsg_jit_pieces *pieces, const vsg_jit_access *access, uint32_t part)
{
    uint32_t element = access->element_bytes, stride = access->stride_bytes;

    if (pieces->e->is_least || !is_general(pieces, part) || element == 0 ||
        element > access->bytes)
        return false;
    if (stride == 0 && access->bytes != element && !access->is_whole)
        return false;
    part_pieces *p = &pieces->parts[part];
    if (p->block != pieces->block)
        *p = (part_pieces){.block = pieces->block};
    int64_t at = (int64_t)access->at - pieces->e->parts[part].at;
    for (uint32_t i = 0; i + element <= access->bytes; i += stride ? stride : element)
        p->written |= pieces_of(&pieces->e->parts[part], at + i, element);
    return vsg_jit_has_pieces(pieces, part);
}

void vsg_jit_drop_pieces(vsg_jit_pieces *pieces, uint32_t part)
{
    if (is_general(pieces, part))
        pieces->parts[part].block = 0;
}
