// Loads from one place are joined to blocks whose sizes the compiler rounds up: for 25 numbers it
// reads 40 on skl and dg2, for the last one of 79 bytes a dword. That is no fault, and no mistake
// that check mode tells; using what is behind the end is one.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'cd %t && for d in pvc dg2 skl; do ocloc compile -q -file %s -device $d --format zebin -output k.$d -output_no_suffix -options -cl-std=CL2.0 -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: sh -c 'cd %t && for d in dg2 skl; do %visage dis k.$d; done | grep -c "oword_ld_unaligned (8)"' | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: {{^[1-9]}}
// RUN: sh -c 'cd %t && for d in pvc dg2 skl; do for n in 3 25 28 35 60; do for w in "--engine interp" "--engine jit" "--engine jit --cpu avx2" "--engine jit --cpu sse4.2" --check; do %visage run k.$d sum$n $w --no-cache -g 64 -l 32 -a buf:i32:$n:iota -a buf:i32:64:zero:out=out || exit 1; echo $n $(od -An -td4 -j252 out); done; done; done | sort -u' | FileCheck %s
// CHECK:      {{^}}25 5263
// CHECK-NEXT: {{^}}28 7371
// CHECK-NEXT: {{^}}3 71
// CHECK-NEXT: {{^}}35 14343
// CHECK-NEXT: {{^}}60 72043
// CHECK-NOT:  {{.}}
// RUN: sh -c 'cd %t; for d in pvc dg2 skl; do %status 3 %visage run k.$d sum28 --check --no-cache -g 64 -l 32 -a buf:i32:27:iota -a buf:i32:64:zero 2>&1; done' | FileCheck %s --check-prefix=USED
// USED-COUNT-3: sum28{{.*}}error:{{.*}}[X02
// RUN: sh -c 'cd %t && for d in pvc dg2 skl; do for n in 77 78 79 80; do for w in "--engine interp" "--engine jit" "--engine jit --cpu avx2" "--engine jit --cpu sse4.2" --check; do %visage run k.$d ends$n $w --no-cache -g 4 -l 4 -a buf:i8:$n:iota -a buf:i32:4:zero:out=out || exit 1; echo $n $(od -An -td4 -j12 out); done; done; done | sort -u' | FileCheck %s --check-prefix=BYTES
// BYTES:      {{^}}77 148
// BYTES-NEXT: {{^}}78 149
// BYTES-NEXT: {{^}}79 150
// BYTES-NEXT: {{^}}80 151
// BYTES-NOT:  {{.}}
// RUN: sh -c 'cd %t; for d in pvc dg2 skl; do %status 3 %visage run k.$d ends80 --check --no-cache -g 4 -l 4 -a buf:i8:79:iota -a buf:i32:4:zero 2>&1; done' | FileCheck %s --check-prefix=BEHIND
// BEHIND-COUNT-3: ends80{{.*}}error:{{.*}}[X02
// Text without loops of many groups, to which the ends of blocks are nothing special, either.
// RUN: sh -c 'cd %t && for d in pvc dg2 skl; do for n in 25 28 35; do for w in "--engine interp" "--engine jit" "--engine jit --cpu avx2"; do %visage run k.$d taps$n $w --no-cache -g 4096 -l 32 -a buf:i32:$n:iota -a buf:i32:4104:iota -a buf:i32:4096:zero:out=out || exit 1; echo $n $(od -An -td4 -j16380 out); done; done; done | sort -u' | FileCheck %s --check-prefix=TAPS
// TAPS:      {{^}}25 1229354
// TAPS-NEXT: {{^}}28 1549156
// TAPS-NEXT: {{^}}35 2438450
// TAPS-NOT:  {{.}}
// RUN: sh -c 'cd %t; for d in dg2 skl; do for w in interp jit "jit --cpu avx2"; do %status 3 %visage run k.$d taps25 --engine $w --no-cache -g 4096 -l 32 -a buf:i32:8:iota -a buf:i32:4104:iota -a buf:i32:4096:zero 2>&1 || exit 1; done; done' | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE-COUNT-6: taps25{{.*}}error: read of 4 bytes {{.*}} is outside
#define ENDS(N)                                                      \
    kernel void ends##N(global const char *a, global int *out)       \
    {                                                                \
        out[get_global_id(0)] = a[N - 1] + a[72];                    \
    }
ENDS(77)
ENDS(78)
ENDS(79)
ENDS(80)

#define SUM(N)                                                       \
    kernel void sum##N(constant int *c, global int *out)             \
    {                                                                \
        int sum = get_global_id(0);                                  \
                                                                     \
        for (int k = 0; k < N; k++)                                  \
            sum += c[k] * (k + 1);                                   \
        out[get_global_id(0)] = sum;                                 \
    }
SUM(3)
SUM(25)
SUM(28)
SUM(35)
SUM(60)

#define TAPS(N)                                                                             \
    kernel void taps##N(constant int *c, global const int *in, global int *out)             \
    {                                                                                       \
        size_t i = get_global_id(0);                                                        \
        int sum = 0;                                                                        \
                                                                                            \
        for (int k = 0; k < N; k++)                                                         \
            sum += c[k] * in[i + k % 7];                                                    \
        out[i] = sum;                                                                       \
    }
TAPS(25)
TAPS(28)
TAPS(35)
