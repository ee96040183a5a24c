// Text without loops: threads of a group, or groups of one thread, are the rounds of a loop
// whose accesses are tested before it. It writes what it is to in groups of all shapes; and where
// memory ends within the loop, the thread at fault is told.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'cd %t && for d in pvc skl; do ocloc compile -q -file %s -device $d --format zebin -output k.$d -output_no_suffix -options -cl-std=CL2.0 -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: sh -c 'cd %t; for d in pvc skl; do for l in 8 16 32 64 128 256 16,16 64,4 1,64 1; do for e in interp jit; do %visage run k.$d triple --engine $e --no-cache --jobs 1 -g 256,64 -l $l -a buf:f32:16384:iota -a buf:f32:16384:zero:out=out.$e || exit 1; done; cmp out.interp out.jit || exit 1; done; done'
//
// RUN: sh -c '%status 3 %visage run %t/k.skl triple --engine jit --no-cache --jobs 1 -g 8192 -l 256 -a buf:f32:8192:iota -a buf:f32:2900:zero 2>&1' | FileCheck %s --check-prefix=ROW
// RUN: sh -c '%status 3 %visage run %t/k.skl triple --engine jit --no-cache --jobs 1 -g 8192 -l 16 -a buf:f32:8192:iota -a buf:f32:2900:zero 2>&1' | FileCheck %s --check-prefix=ALONE
// ROW: group (11,0,0), thread 2, channel 20 (work-item (2900,0,0)) [X0101]
// ALONE: group (181,0,0), thread 0, channel 4 (work-item (2900,0,0)) [X0101]
kernel void triple(global const float *in, global float *out)
{
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);

    out[i] = in[i] * 3.0f;
}
