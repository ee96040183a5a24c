// Rows of 32-bit offsets that only a test at run time finds: whole ones, ones that begin before the memory or end behind it with
// channels off there, one place for all, what is nearly a row; and rows that go round 2^32, of which the first channels reach
// nothing: both engines say the same of them.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t && %python %S/inputs/narrow_rows.py %t
// RUN: cd %t && sh -c 'for d in skl pvc; do ocloc compile -q -file %s -device $d --format zebin -output $d -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: cd %t && sh -c 'for d in skl pvc; do for e in interp jit "jit --quick" "jit --cpu avx2"; do for s in 1 2 4; do for k in rows shared; do %visage run $d $k$s --engine $e -g 128 -l 64 -a buf:u8:@in.$s -a buf:u32:@at.$s -a buf:u8:@on.$s -a buf:u8:$((128 * s)):zero:out=got && cmp got want.$s || exit 1; done; done; done; done'
// RUN: cd %t && sh -c 'for e in interp jit; do for s in 1 2 4; do %visage run skl rows$s --engine $e -g 128 -l 64 -a buf:u8:@in.$s -a buf:u32:@round.$s -a buf:u8:128:fill=1 -a buf:u8:$((128 * s)):zero; echo $?; done > $e 2>&1; done; cmp interp jit && grep -c "^3$" jit' | FileCheck %s
// CHECK: {{^}}3{{$}}
#define ROWS(type, size)                                                                       \
    kernel void rows##size(global const type *in, global const uint *at,                       \
                           global const uchar *on, global type *out)                           \
    {                                                                                          \
        uint i = get_global_id(0);                                                             \
        type x = 9;                                                                            \
                                                                                               \
        if (on[i])                                                                             \
            x = in[at[i]];                                                                     \
        out[i] = x;                                                                            \
    }                                                                                          \
                                                                                               \
    kernel void shared##size(global const type *in, global const uint *at,                     \
                             global const uchar *on, global type *out)                         \
    {                                                                                          \
        local type all[100];                                                                   \
        uint i = get_global_id(0);                                                             \
        type x = 9;                                                                            \
                                                                                               \
        for (uint k = get_local_id(0); k < 100; k += get_local_size(0))                        \
            all[k] = in[k];                                                                    \
        barrier(CLK_LOCAL_MEM_FENCE);                                                          \
        if (on[i])                                                                             \
            x = all[at[i]];                                                                    \
        out[i] = x;                                                                            \
    }

ROWS(uchar, 1)
ROWS(ushort, 2)
ROWS(uint, 4)
