// Integers divided by an argument, which compilers do in another rounding than to nearest: in a loop between barriers, and
// where the first work-items are off. Masks are spread over lanes by comparisons; the host's mode is set in place.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'for d in pvc dg2; do cd %t && ocloc compile -q -file %s -device $d --format zebin -output $d.zebin -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: sh -c 'for d in pvc dg2; do %visage compile %t/$d.zebin --cpu avx2; done' | FileCheck %s
// CHECK-NOT: {{call.*operate_rounded}}
// CHECK-NOT: {{bitcast i(8|16|32) .* to <[0-9]+ x i1>}}
// RUN: %python %S/inputs/divided.py %t
// RUN: sh -c 'for d in pvc dg2; do for e in interp jit "jit --quick" "jit --cpu sse4.2" %if avx512 %{"jit --cpu avx2"%}; do %visage run %t/$d.zebin divided --engine $e --global 1024 --local 256 -a buf:i32:@%t/in -a i32:37 -a buf:i32:1024:zero:out=%t/got && cmp %t/got %t/want || exit 1; done; done'
kernel void divided(global const int *in, int m, global int *out)
{
    local int s[256];
    int l = get_local_id(0), i = get_global_id(0), sum = 0;

    s[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < m; r++)
        sum += s[(l + r) % (m + 200)] / (r - m);
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l > 4)
        sum = s[(l * 3 + 1) % m] % m + in[i] / (m - 38 - l);
    out[i] = sum;
}
