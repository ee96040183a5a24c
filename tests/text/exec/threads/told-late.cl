// Text without loops, which is one thread after the other, groups in a row, and tells which one
// has its turn where somebody asks: a fault is the right thread's, and what all have executed is
// counted.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'cd %t && for d in pvc skl; do ocloc compile -q -file %s -device $d --format zebin -output k.$d -output_no_suffix -options -cl-std=CL2.0 -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: sh -c 'for d in pvc skl; do for e in interp jit; do %visage run %t/k.$d thirds --engine $e --no-cache --jobs 1 --stats -g 4096 -l 128 -a buf:f32:4096:zero:out=%t/$d.$e -a u32:9999 2>&1 | grep -o "instructions [0-9]*" > %t/$d.$e.count || exit 1; done; cmp %t/$d.interp %t/$d.jit && cmp %t/$d.interp.count %t/$d.jit.count || exit 1; done'
//
// RUN: sh -c '%status 3 %visage run %t/k.pvc thirds --engine jit --no-cache --jobs 1 -g 4096 -l 128 -a buf:f32:4096:zero -a u32:1000 2>&1' | FileCheck %s --check-prefix=LATER
// RUN: sh -c '%status 3 %visage run %t/k.pvc thirds --engine jit --no-cache --jobs 1 -g 4096 -l 128 -a buf:f32:4096:zero -a u32:5 2>&1' | FileCheck %s --check-prefix=FIRST
// LATER: group (7,0,0), thread 3, channel 8 (work-item (1000,0,0)) [X0101]
// FIRST: group (0,0,0), thread 0, channel 5 (work-item (5,0,0)) [X0101]
kernel void thirds(global float *out, uint bad)
{
    size_t i = get_global_id(0);

    out[i == bad ? (size_t)1 << 40 : i] = (float)i / 3.0f;
}
