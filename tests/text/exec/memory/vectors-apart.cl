// Vectors that channels store to, and load from, places without order, each place once; some are off,
// and their places lie anywhere.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t && %python %S/inputs/vectors_apart.py %t
// RUN: cd %t && sh -c 'for d in pvc skl; do ocloc compile -q -file %s -device $d --format zebin -output $d -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: cd %t && sh -c 'for d in pvc skl; do for k in i2 i3 i4 l2 l4; do for e in interp jit "jit --quick" "jit --cpu avx2" "jit --cpu sse4.2"; do for w in store load; do for o in all some; do %visage run $d ${w}_$k --engine $e -g 256 -l 64 -a buf:u8:@in -a buf:u32:@at.$o -a buf:u8:@on.$o -a buf:u8:8192:zero:out=got && cmp got want.$w.$k.$o || exit 1; done; done; done; done; done'
#define MOVE(name, element, count)                                                             \
    kernel void store_##name(global const element *in, global const uint *at,                  \
                             global const uchar *on, global element *out)                      \
    {                                                                                          \
        size_t i = get_global_id(0);                                                           \
                                                                                               \
        if (on[i])                                                                             \
            vstore##count(vload##count(i, in), at[i], out);                                    \
    }                                                                                          \
                                                                                               \
    kernel void load_##name(global const element *in, global const uint *at,                   \
                            global const uchar *on, global element *out)                       \
    {                                                                                          \
        size_t i = get_global_id(0);                                                           \
                                                                                               \
        if (on[i])                                                                             \
            vstore##count(vload##count(at[i], in), i, out);                                    \
    }

MOVE(i2, uint, 2)
MOVE(i3, uint, 3)
MOVE(i4, uint, 4)
MOVE(l2, ulong, 2)
MOVE(l4, ulong, 4)
