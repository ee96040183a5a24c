/* SPDX-License-Identifier: MIT
 *
 * Qwords that are to be made of dwords: what qwords.c plans and qwords_emit.c makes. */
#ifndef VISAGE_JIT_QWORDS_NODE_H
#define VISAGE_JIT_QWORDS_NODE_H

#include "jit/dwords.h"

typedef enum vsg_jit_qwords_kind {
    VSG_JIT_QWORDS_NONE, /* dwords that cannot be put together, or are not looked at yet */
    VSG_JIT_QWORDS_CONSTANT,
    VSG_JIT_QWORDS_QWORDS,   /* lanes of vectors of them, or a scalar */
    VSG_JIT_QWORDS_EXTENDED, /* low dwords; the high ones are zeros */
    VSG_JIT_QWORDS_SCALARS,  /* all low dwords are one scalar, all high ones another */
    VSG_JIT_QWORDS_MIXED,    /* what is left: dwords of vectors */
    VSG_JIT_QWORDS_AND,      /* from here on operations of other nodes */
    VSG_JIT_QWORDS_OR,
    VSG_JIT_QWORDS_XOR,
    VSG_JIT_QWORDS_SELECT,
    VSG_JIT_QWORDS_PRODUCT,
    VSG_JIT_QWORDS_SUM
} vsg_jit_qwords_kind;

/* Dwords that are some lanes of one value, at equal distances. */
typedef struct vsg_jit_dword_series {
    LLVMValueRef value;
    uint32_t first, step;
} vsg_jit_dword_series;

typedef struct vsg_jit_qwords_node {
    vsg_jit_dword of[2][VSG_JIT_MOST_QWORDS]; /* low, high */
    vsg_jit_qwords_kind kind;
    struct vsg_jit_qwords_node *operands[2];
    vsg_jit_dword conditions[VSG_JIT_MOST_QWORDS]; /* of a selection */
    /* Leaves that are qwords as they are, and those that are put together. */
    uint32_t num_whole, num_mixed;
    LLVMValueRef low, high; /* vectors whose lanes, in order, the dwords are; or NULL */
    LLVMValueRef after;     /* the last operation that its dwords are of; NULL: there is none */
    LLVMValueRef value;     /* made there; NULL: not yet */
    uint32_t count;         /* of series */
    vsg_jit_dword_series series[2];    /* of low and high dwords, if they are any */
    struct vsg_jit_qwords_node *later; /* the next one that was made a node of such */
    struct vsg_jit_qwords_node *next;  /* of the same bucket */
} vsg_jit_qwords_node;

enum { VSG_JIT_QWORDS_BUCKETS = 1024 };

typedef struct vsg_jit_qwords {
    vsg_jit_emitter *e;
    uint32_t count;             /* qwords of what is being made */
    vsg_jit_qwords_node *chunk; /* room for some */
    vsg_jit_qwords_node *spare; /* nobody wanted it */
    uint32_t num_nodes;
    vsg_jit_qwords_node *first, **last;                   /* of those of series */
    vsg_jit_qwords_node *buckets[VSG_JIT_QWORDS_BUCKETS]; /* the same, by these */
} vsg_jit_qwords;

/* A node's qwords. Operations stand behind those that they are made for, where others find
 * them; all else in front of who asks. */
LLVMValueRef vsg_jit_make_qwords(const vsg_jit_qwords *all, vsg_jit_qwords_node *node,
                                 LLVMValueRef before);
/* Who asks for dwords themselves, of which qwords were made, gets those of the qwords. */
void vsg_jit_take_dwords(const vsg_jit_qwords *all);

#endif
