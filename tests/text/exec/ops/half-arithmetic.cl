// Sums, products, quotients and comparisons of halves, in vectors of which hosts may have no operations.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: cd %t && ocloc compile -q -file %s -device pvc --format zebin -output k.zebin -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections"
// RUN: %visage compile %t/k.zebin --cpu avx2 | FileCheck %s
// CHECK-NOT: {{f(add|sub|mul|div|cmp) .*x half>}}
// RUN: %python %S/inputs/half_arithmetic.py %t
// RUN: sh -c 'for e in interp jit "jit --quick" "jit --cpu sse4.2" %if avx512 %{"jit --cpu avx2"%}; do %visage run %t/k.zebin halves --engine $e --global 4096 --local 256 -a buf:f16:@%t/a -a buf:f16:@%t/b -a buf:f16:20480:zero:out=%t/got && cmp %t/got %t/want || exit 1; done'
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF

kernel void halves(global const half *x, global const half *y, global half *out)
{
    size_t i = get_global_id(0), n = get_global_size(0);
    half a = x[i], b = y[i];

    out[i] = a + b;
    out[n + i] = a * b - a;
    out[2 * n + i] = (b - a) * (half)0.5h;
    out[3 * n + i] = a > b ? (half)1 : a == b ? (half)2 : a < b ? (half)3 : (half)4;
    out[4 * n + i] = a != (half)0.5h ? b : (half)7;
}
