// Channels of shared local memory that are a row of it apart, of which some are on: what the others
// have there stays. Some threads have no channel on in a half of theirs, and the last one's, which
// has none there at all, lies behind the memory.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t && %python %S/inputs/slm_apart.py %t
// RUN: cd %t && sh -c 'for d in pvc dg2 skl; do ocloc compile -q -file %s -device $d --format zebin -output $d -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: cd %t && sh -c 'for d in pvc dg2 skl; do for k in one two four; do for e in interp jit "jit --quick" "jit --cpu avx2" "jit --cpu sse4.2"; do %visage run $d $k --engine $e -g 144 -l 48 -a buf:u8:@on -a buf:i32:2880:zero:out=got && cmp got want.$k || exit 1; done; done; done'
// RUN: cd %t && sh -c 'for d in dg2 skl; do ocloc compile -q -file %s -options -DEIGHTS -device $d --format zebin -output $d.8 -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: cd %t && sh -c 'for d in dg2.8 skl.8; do for e in interp jit "jit --cpu avx2"; do %visage run $d eights --engine $e -g 144 -l 48 -a buf:u8:@on -a buf:i32:2880:zero:out=got && cmp got want.one || exit 1; done; done'
#define SUMS(name, type, count, attributes)                                                    \
    kernel attributes void name(global const uchar *on, global int *out)                       \
    {                                                                                          \
        local type rows[48][5];                                                                \
        int l = get_local_id(0);                                                               \
                                                                                               \
        for (int k = 0; k < 5; k++)                                                            \
            rows[l][k] = (type)(100 * l + k);                                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                          \
        if (on[get_global_id(0)])                                                              \
            for (int k = 1; k < 5; k++)                                                        \
                rows[l][k] += 3 * rows[l][k - 1];                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                          \
        for (int k = 0; k < 5; k++)                                                            \
            for (int c = 0; c < count; c++)                                                    \
                out[(get_global_id(0) * 5 + k) * 4 + c] = ((local int *)&rows[47 - l][k])[c];  \
    }

SUMS(one, int, 1, )
SUMS(two, int2, 2, )
SUMS(four, int4, 4, )
#ifdef EIGHTS
SUMS(eights, int, 1, __attribute__((intel_reqd_sub_group_size(8))))
#endif
