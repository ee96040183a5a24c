/* SPDX-License-Identifier: MIT
 *
 * What is known of values before they are made: integers as sums of others, and conditions as
 * what those sums are to be between. Many conditions of addresses that are constants apart are
 * one then; and what is clamped is taken for what it mostly is, itself. */
#ifndef VISAGE_JIT_FORESEE_H
#define VISAGE_JIT_FORESEE_H

#include "jit/region.h"

enum { VSG_JIT_MOST_CHECKS = 1024, VSG_JIT_MOST_ROOTS = 256, VSG_JIT_MOST_TERMS = 6 };

/* A number that is scale * term + ... + plus, as far as its bits go; terms are i64. */
typedef struct vsg_jit_sum {
    LLVMValueRef terms[VSG_JIT_MOST_TERMS];
    int64_t scales[VSG_JIT_MOST_TERMS];
    uint32_t num_terms;
    int64_t plus;
    bool is_small; /* as far as that goes it does not overflow, nor do a few of its like */
} vsg_jit_sum;

typedef enum vsg_jit_check_kind {
    VSG_JIT_CHECK_BELOW,
    VSG_JIT_CHECK_WINDOW
} vsg_jit_check_kind;

/* root + c is to be below a limit, or in a window that has been looked for with a reach, for
 * `least` and `most` and what is between them. */
typedef struct vsg_jit_check {
    vsg_jit_check_kind kind;
    uint32_t root;
    int64_t least, most;
    LLVMValueRef limit; /* i64, or the window */
    uint64_t reach;
} vsg_jit_check;

typedef struct vsg_jit_root {
    vsg_jit_sum form; /* plus is 0 */
    LLVMValueRef value;
    int64_t from, last; /* where it is to be, */
    bool is_bound;      /* if it is */
} vsg_jit_root;

/* An i1 that is to be true, or false. */
typedef struct vsg_jit_other {
    LLVMValueRef from;
    bool is_true;
} vsg_jit_other;

/* Blocks that follow each other, as if nothing ever went another way. */
typedef struct vsg_jit_foresight {
    vsg_jit_emitter *e;
    LLVMBasicBlockRef *blocks;
    uint32_t num_blocks;
    vsg_jit_map early; /* what stands for values before the blocks; NULL: nothing can */
    vsg_jit_map forms; /* vsg_jit_sum, by value; NULL: it is its own term */
    vsg_jit_pair extended[VSG_JIT_MOST_ROOTS]; /* each with an i64 */
    uint32_t num_extended;
    vsg_jit_root roots[VSG_JIT_MOST_ROOTS];
    uint32_t num_roots;
    vsg_jit_check checks[VSG_JIT_MOST_CHECKS];
    uint32_t num_checks;
    vsg_jit_other others[VSG_JIT_MOST_CHECKS];
    uint32_t num_others;
    LLVMValueRef made[VSG_JIT_MOST_ROOTS]; /* instructions before the blocks */
    uint32_t num_made;
} vsg_jit_foresight;

/* False: memory is out. */
bool vsg_jit_open_foresight(vsg_jit_emitter *e, LLVMBasicBlockRef *blocks, uint32_t num_blocks,
                            vsg_jit_foresight *out);

/* What comes into a phi from the block before. */
LLVMValueRef vsg_jit_coming_along(LLVMBasicBlockRef *blocks, uint32_t num_blocks,
                                  LLVMValueRef phi);

/* Has a condition of the blocks be true, or false. Code for what it is made of is made where
 * the builder is. False: it cannot be foreseen. */
bool vsg_jit_foresee(vsg_jit_foresight *f, LLVMValueRef condition, bool is_true);

/* Goes on where all hold, else to a block. False: memory is out, nothing was done. */
bool vsg_jit_check_foreseen(vsg_jit_foresight *f, LLVMBasicBlockRef otherwise);

/* What the terms of a sum come to, made where the builder is; the same of a root, made once. */
LLVMValueRef vsg_jit_sum_of_terms(vsg_jit_foresight *f, const vsg_jit_sum *of);
LLVMValueRef vsg_jit_root_value(vsg_jit_foresight *f, uint32_t root);
/* Is it an i64 extended from 32 bits or less? */
bool vsg_jit_is_narrow_term(LLVMValueRef v);

/* What a value is if they do. The builder is behind vsg_jit_check_foreseen(). NULL: nothing
 * else than itself. */
LLVMValueRef vsg_jit_foreseen(vsg_jit_foresight *f, LLVMValueRef v);

#endif
