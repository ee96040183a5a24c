// Grids of many short rows of groups, which code goes through by itself: each work-item knows its place; who fails in a later row,
// and how many instructions were executed, is the same.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'cd %t && for d in pvc skl; do ocloc compile -q -file %s -device $d --format zebin -output k.$d -output_no_suffix -options "-cl-std=CL2.0" -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: %python %S/inputs/rows_of_groups.py %t
// RUN: sh -c 'cd %t && while read name range; do for d in pvc skl; do for k in places rounds; do for w in interp "jit --jobs 1" "jit --jobs 3" "jit --jobs 1 --cpu avx2"; do %visage run k.$d $k --engine $w --no-cache $range -a buf:u32:65536:zero:out=out -a i32:-1 -a i32:5 --stats 2>stats && cmp out want.$name || { echo $d $k $name $w; exit 1; }; sed "s/.*\\(instructions [0-9]*\\),.*/\\1/;q" stats > n.$(echo $w | cut -c1-3); done; cmp n.int n.jit || exit 1; done; done; done < ranges'
// RUN: sh -c 'cd %t && for d in pvc skl; do for k in places rounds; do for w in interp jit; do %status 3 %visage run k.$d $k --engine $w --no-cache --jobs 1 -g 8,12,9 -l 8,2,1 -a buf:u32:65536:zero:out=out.$w -a i32:500 -a i32:5 2>told.$w || exit 1; done; grep -q "X010.*" told.interp && cmp told.interp told.jit || exit 1; done; done'

#define PLACE                                                                                        \
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);                           \
    uint at = (z * get_global_size(1) + y) * get_global_size(0) + x;                                 \
    uint id = get_local_id(0) + 16 * get_local_id(1) + 64 * get_local_id(2) + 256 * get_group_id(0)  \
            + 4096 * get_group_id(1) + 65536 * get_group_id(2);

kernel void places(global uint *out, int fails, int rounds)
{
    PLACE
    out[at == (uint)fails ? 1u << 28 : at] = id;
}

/* Threads that have a loop take turns in another way. */
kernel void rounds(global uint *out, int fails, int rounds)
{
    PLACE
    for (int i = 0; i < rounds; i++)
        if (i == rounds - 1 - (int)(x & 3))
            out[at == (uint)fails ? 1u << 28 : at] = id;
}
