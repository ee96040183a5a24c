// Bytes and words of shared local memory that follow each other, some of whose work-items are off: what these have there stays, and the
// last thread's row ends behind the memory. No host but those of AVX-512 has an instruction for it.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'for d in pvc dg2; do cd %t && ocloc compile -q -file %s -device $d --format zebin -output $d.zebin -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: sh -c 'for d in pvc dg2; do for k in bytes words; do for e in interp jit "jit --quick" "jit --cpu sse4.2" %if avx512 %{"jit --cpu avx2"%}; do %visage run %t/$d.zebin $k --engine $e -g 80 -l 40 -a buf:u8:80:iota -a buf:i32:80:zero:out=- -a i32:3 | tr "\n" " "; echo; done; done; done >%t/out; sort -u %t/out' | FileCheck %s
// CHECK: {{^}}0 6 7 3 9 10 6 12 13 9 15 16 12 18 19 15 21 22 18 24 25 21 27 28 24 30 31 27 33 34 30 36 37 33 39 40 36 42 43 39 40 46 47 43 49 50 46 52 53 49 55 56 52 58 59 55 61 62 58 64 65 61 67 68 64 70 71 67 73 74 70 76 77 73 79 80 76 82 83 79 {{$}}
// CHECK-NOT: {{.}}
#define KERNEL(name, type)                                                      \
    kernel void name(global const uchar *in, global int *out, int n)           \
    {                                                                          \
        local type t[40];                                                      \
        int i = get_local_id(0), at = get_group_id(0) * 40;                    \
                                                                               \
        t[i] = in[at + i];                                                     \
        barrier(CLK_LOCAL_MEM_FENCE);                                          \
        if (i % n != 0)                                                        \
            t[i] += 5;                                                         \
        barrier(CLK_LOCAL_MEM_FENCE);                                          \
        out[at + i] = t[i];                                                    \
    }

KERNEL(bytes, uchar)
KERNEL(words, ushort)
