// Groups as a whole that are too long when their loop is unrolled (walk), or before (long_walk): loads and stores of shared
// local memory at places nothing is known of, between barriers.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: cd %t && ocloc compile -q -file %s -device dg2 --format zebin -output k.zebin -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections"
// RUN: %python %S/inputs/groups_long.py %t
// RUN: sh -c 'for k in walk long_walk; do for e in interp jit "jit --cpu sse4.2"; do %visage run %t/k.zebin $k --engine $e --global 512 --local 256 -a buf:u32:@%t/in -a buf:u32:512:zero:out=%t/got && cmp %t/got %t/$k || exit 1; done; done'
#define STEP(c)                                                                                                           \
    v += t[(t[l] + d) & 255] * t[((l ^ d) * (c)) & 255];                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                         \
    if (v & 1)                                                                                                            \
        t[(l * 5) & 255] = v;                                                                                             \
    barrier(CLK_LOCAL_MEM_FENCE);

#define WALK(name, steps)                                                                                                 \
    kernel void name(global const uint *in, global uint *out)                                                             \
    {                                                                                                                     \
        local uint t[256];                                                                                                \
        uint i = get_global_id(0), l = get_local_id(0), v = 0;                                                            \
        t[l] = in[i];                                                                                                     \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                     \
        for (uint d = get_local_size(0) / 2; d > 0; d >>= 1) {                                                            \
            steps                                                                                                         \
        }                                                                                                                 \
        out[i] = v + t[l];                                                                                                \
    }

WALK(walk, STEP(3))
WALK(long_walk, STEP(3) STEP(5) STEP(7))
