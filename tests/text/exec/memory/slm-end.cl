// Channels at the end of shared local memory that are off do not matter; one that is on is a fault.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'cd %t && for d in pvc skl; do ocloc compile -q -file %s -device $d --format zebin -output k.$d -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: %python -c "print(*((3*l + 5*(l + 2))**2 if 5 <= l < 126 else 0 for g in range(2) for l in range(128)), sep='\n')" > %t/want
// RUN: sh -c 'for d in pvc skl; do for e in interp jit; do %visage run %t/k.$d ends --engine $e --no-cache -g 256 -l 128 -a buf:u32:256:zero:out=- -a local:512 -a u32:5 -a u32:126 > %t/got && cmp %t/got %t/want || exit 1; done; done'
// RUN: sh -c 'for d in pvc skl; do for e in interp jit; do %status 3 %visage run %t/k.$d ends --engine $e --no-cache --jobs 1 -g 256 -l 128 -a buf:u32:256:zero -a local:512 -a u32:5 -a u32:127 > %t/$d.$e 2>&1 || exit 1; done; cmp %t/$d.interp %t/$d.jit || exit 1; done'
// RUN: FileCheck %s < %t/pvc.jit
// CHECK: is outside the 512 bytes of shared local memory; group (0,0,0), thread 3, channel 30
kernel void ends(global uint *out, local uint *numbers, uint first, uint behind)
{
    uint l = get_local_id(0), sum = 0;

    numbers[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= first && l < behind)
        sum = 3 * numbers[l] + 5 * numbers[l + 2];
    out[get_global_id(0)] = sum * sum;
}
