// Loads from one place are joined to blocks whose sizes the compiler rounds up: for 25 numbers it
// reads 40 on skl and dg2. That is no fault, and no mistake that check mode tells; using what is
// behind the end is one.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'cd %t && for d in pvc dg2 skl; do ocloc compile -q -file %s -device $d --format zebin -output k.$d -output_no_suffix -options -cl-std=CL2.0 -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: sh -c 'cd %t && for d in dg2 skl; do %visage dis k.$d; done | grep -c "oword_ld_unaligned (8)"' | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: {{^[1-9]}}
// RUN: sh -c 'cd %t && for d in pvc dg2 skl; do for n in 3 25 28 35 60; do for w in "--engine interp" "--engine jit" --check; do %visage run k.$d sum$n $w --no-cache -g 64 -l 32 -a buf:i32:$n:iota -a buf:i32:64:zero:out=out || exit 1; echo $n $(od -An -td4 -j252 out); done; done; done | sort -u' | FileCheck %s
// CHECK:      {{^}}25 5263
// CHECK-NEXT: {{^}}28 7371
// CHECK-NEXT: {{^}}3 71
// CHECK-NEXT: {{^}}35 14343
// CHECK-NEXT: {{^}}60 72043
// CHECK-NOT:  {{.}}
// RUN: sh -c 'cd %t; for d in pvc dg2 skl; do %status 3 %visage run k.$d sum28 --check --no-cache -g 64 -l 32 -a buf:i32:27:iota -a buf:i32:64:zero 2>&1; done' | FileCheck %s --check-prefix=USED
// USED-COUNT-3: sum28{{.*}}error:{{.*}}[X02
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
