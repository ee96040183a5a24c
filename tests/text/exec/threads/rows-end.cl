// Text without loops: threads of a group whose ids are a row (from 64 or 128 work-items on), and
// groups that take turns (16,16 and those of one thread: 1 to 32), are the rounds of a loop whose
// accesses are tested before it; others (64,4 and 1,64) are not. The text of more accesses has a
// trace instead where threads are rounds. All write what they are to, also where ids are shifted
// and their low bits taken; and where memory ends within the loop, the thread at fault is told. So
// it is in grids of three dimensions, whose rows of groups follow each other.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'cd %t && for d in pvc skl; do ocloc compile -q -file %s -device $d --format zebin -output k.$d -output_no_suffix -options -cl-std=CL2.0 -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: sh -c 'cd %t; for k in triple sums masks; do for d in pvc skl; do for l in 1 8 16 32 64 128 256 16,16 64,4 1,64; do for e in interp jit; do %visage run k.$d $k --engine $e --no-cache --jobs 1 -g 256,64 -l $l -a buf:f32:17000:iota -a buf:f32:16384:zero:out=out.$e || exit 1; done; cmp out.interp out.jit || exit 1; done; done; done'
// RUN: sh -c 'cd %t; for k in triple sums; do for d in pvc skl; do for l in 8 32 64 256 2,16 16,16; do for e in interp jit; do %status 3 %visage run k.$d $k --engine $e --no-cache --jobs 1 -g 256,64 -l $l -a buf:f32:17000:iota -a buf:f32:2900:zero 2>&1 | grep -o "group (.*" > told.$e; done; grep -q X010 told.jit && cmp told.interp told.jit || exit 1; done; done; done'
// RUN: sh -c 'cd %t; for d in pvc skl; do for g in "12,6,4 -l 4,3,2" "64,5,3 -l 64" "28,4,4 -l 7,2,2" "3,7,64 -l 1,1,32"; do for e in interp jit; do %visage run k.$d cube --engine $e --no-cache --jobs 1 -g $g -a buf:u32:2048:zero:out=out.$e -a u32:0 || exit 1; %status 3 %visage run k.$d cube --engine $e --no-cache --jobs 1 -g $g -a buf:u32:2048:zero -a u32:1898 2>&1 | grep -o "group (.*" > told.$e; done; cmp out.interp out.jit && grep -q "group (" told.jit && cmp told.interp told.jit || exit 1; done; done'
// RUN: sh -c '%status 3 %visage run %t/k.skl below --engine jit --no-cache --jobs 1 -g 4096 -l 128 -a buf:u32:4096:iota -a buf:u32:4096:zero -a u32:272 2>&1' | FileCheck %s --check-prefix=BELOW
// RUN: sh -c '%status 3 %visage run %t/k.pvc below --engine jit --no-cache --jobs 1 -g 4096 -l 128 -a buf:u32:4096:iota -a buf:u32:4096:zero -a u32:272 2>&1' | FileCheck %s --check-prefix=BELOW
//
// RUN: sh -c '%status 3 %visage run %t/k.skl triple --engine jit --no-cache --jobs 1 -g 8192 -l 256 -a buf:f32:8192:iota -a buf:f32:2900:zero 2>&1' | FileCheck %s --check-prefix=ROW
// RUN: sh -c '%status 3 %visage run %t/k.skl triple --engine jit --no-cache --jobs 1 -g 8192 -l 16 -a buf:f32:8192:iota -a buf:f32:2900:zero 2>&1' | FileCheck %s --check-prefix=ALONE
// ROW: group (11,0,0), thread 2, channel 20 (work-item (2900,0,0)) [X0101]
// BELOW: group (5,0,0), thread 7 (work-items (752,0,0) to (767,0,0))
// ALONE: group (181,0,0), thread 0, channel 4 (work-item (2900,0,0)) [X0101]
kernel void triple(global const float *in, global float *out)
{
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);

    out[i] = in[i] * 3.0f;
}

kernel void sums(global const float *in, global float *out)
{
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);

    out[i] = in[i] + in[i + 1] * in[i + 7] - in[i + 16] + in[i + 33] * in[i + 100] - in[i + 255];
}

kernel void masks(global const float *in, global float *out)
{
    uint i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    ulong wide = i;

    out[i] = in[(i << 3) & 0x1ff8] + in[(wide << 4) & 0x3f0] - in[(i << 21 >> 19) & 0xffc];
}

kernel void cube(global uint *out, uint ahead)
{
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    size_t i = (z * get_global_size(1) + y) * get_global_size(0) + x;

    out[i + ahead] += (uint)(get_group_id(2) << 20 | get_group_id(1) << 10 | get_group_id(0)) * 64 +
                      (uint)get_local_linear_id() % 64;
}

/* From work-item 752 on bits of the number are cut off, and what is read lies before the first
 * element: in the middle of a group, which is not the first, as that one is to find out what
 * memory there is. */
__attribute__((intel_reqd_sub_group_size(16)))
kernel void below(global const uint *in, global uint *out, uint skip)
{
    uint i = get_global_id(0);
    int first = (int)((sub_group_broadcast(i, 0) + skip) & 0x3ff) - 0x100;

    out[i] = intel_sub_group_block_read(in + first);
}
