// Four elements of each channel are multiplied as they lie in memory.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: cd %t && ocloc compile -q -file %s -device pvc --format zebin -output k.zebin -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections"
// RUN: %visage compile %t/k.zebin fours --cpu avx512 | FileCheck %s
// CHECK: mul <128 x i32>
// CHECK: store <128 x i32>
__attribute__((intel_reqd_sub_group_size(32))) kernel void fours(global uint4 *out, global const uint4 *in)
{
    uint i = get_group_id(0) * 40 + get_sub_group_local_id();

    out[i] = in[i] * 3;
}
