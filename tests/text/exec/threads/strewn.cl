// Stores across the rows that a thread goes along: groups do not take turns then. Engines and devices agree.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'cd %t && for d in pvc skl; do ocloc compile -q -file %s -device $d --format zebin -output k.$d -output_no_suffix -options "-cl-std=CL2.0" -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: sh -c 'cd %t && for k in across turned back; do for g in "-g 128,64 -l 16,16" "-g 128,64 -l 8,4" "-g 50,30 -l 10,5"; do for d in pvc skl; do for w in interp jit; do %visage run k.$d $k --engine $w --no-cache --jobs 1 $g -a buf:u32:8192:rand=7 -a buf:u32:8192:zero:out=out.$d.$w || exit 1; done; done; for o in pvc.jit skl.interp skl.jit; do cmp out.pvc.interp out.$o || { echo $k $g $o; exit 1; }; done; done; done'

#define ARGS global const uint *in, global uint *out

kernel void across(ARGS)
{
    uint x = get_global_id(0), y = get_global_id(1);
    out[x * get_global_size(1) + y] = in[y * get_global_size(0) + x];
}

kernel void turned(ARGS)
{
    int x = get_global_id(0), y = get_global_id(1), h = get_global_size(1);
    out[x * h + h - 1 - y] = in[y * (int)get_global_size(0) + x];
}

// The other way round, where loads go across.
kernel void back(ARGS)
{
    uint x = get_global_id(0), y = get_global_id(1);
    out[y * get_global_size(0) + x] = in[x * get_global_size(1) + y];
}
