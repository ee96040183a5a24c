// A fence for threads of other groups is a locked access to the stack, which takes a fraction of MFENCE's time.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: cd %t && ocloc compile -q -file %s -device pvc --format zebin -output k.zebin -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections"
// RUN: %visage compile --emit asm --no-comments %t/k.zebin all | FileCheck %s --check-prefix=ALL --implicit-check-not=mfence
// RUN: %visage compile --emit asm --no-comments %t/k.zebin group | FileCheck %s --check-prefix=GROUP --implicit-check-not=mfence
// ALL: lock{{.*}}or
// GROUP-NOT: lock
// GROUP: ret
kernel void all(global uint *out)
{
    uint i = get_global_id(0);

    out[i] = i;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    out[i + 1024] = i;
}

kernel void group(global uint *out, local uint *t)
{
    uint i = get_global_id(0);

    t[i & 15] = i;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    out[i] = t[15 - (i & 15)];
}
