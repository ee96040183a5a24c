// REQUIRES: ocloc
// Data races of kernels as the compiler makes them, and their twins without, in two orders of
// groups and threads. The compiler gives lines, but not the file's name.
// RUN: rm -rf %t && mkdir -p %t
// RUN: cd %t && ocloc compile -file %s -device skl -out_dir skl --format zebin -internal_options -ze-emit-zebin-visa-sections -options "-cl-std=CL1.2 -gline-tables-only"
// RUN: cd %t && ocloc compile -file %s -device dg2 -out_dir dg2 --format zebin -internal_options -ze-emit-zebin-visa-sections -options "-cl-std=CL1.2 -gline-tables-only"
// RUN: cd %t && ocloc compile -file %s -device pvc -out_dir pvc --format zebin -internal_options -ze-emit-zebin-visa-sections -options "-cl-std=CL1.2 -gline-tables-only"
//
// RUN: sh %S/inputs/races.sh "%visage" %t skl >%t/skl.out
// RUN: FileCheck %s <%t/skl.out
// RUN: sh %S/inputs/races.sh "%visage" %t dg2 >%t/dg2.out
// RUN: FileCheck %s <%t/dg2.out
// RUN: sh %S/inputs/races.sh "%visage" %t pvc >%t/pvc.out
// RUN: FileCheck %s <%t/pvc.out

// CHECK-LABEL: == reversed
// CHECK: data race: {{read|write}} of 4 bytes at 0x{{[0-9a-f]+}}, at byte {{[0-9]+}} of the buffer of argument 0, which has 1024; in no order with the {{read|write}} by instruction {{[0-9]+}}, group ({{[01]}},0,0), thread {{[0-9]+}}, channel {{[0-9]+}} (work-item ({{[0-9]+}},0,0)), source {{.*}}:[[# @LINE + 4]]; group ({{[01]}},0,0), {{.*}}, source {{.*}}:[[# @LINE + 4]]
kernel void reversed(global int *out)
{
    int i = get_global_id(0);
    out[i] = out[get_global_size(0) - 1 - i] + i;
}

// CHECK-LABEL: == bytes
// CHECK-NOT: error
kernel void bytes(global uchar *out)
{
    out[get_global_id(0)] = get_global_id(0);
}

// CHECK-LABEL: == neighbours
// CHECK: data race: {{read|write}} of 1 bytes at 0x{{[0-9a-f]+}}, at byte {{[0-9]+}} of the buffer of argument 0, which has 257
kernel void neighbours(global uchar *out)
{
    int i = get_global_id(0);
    out[i] = out[i + 1] + 1;
}

// CHECK-LABEL: == found
// CHECK-NOT: error
kernel void found(global int *out)
{
    out[0] = 1;
}

// CHECK-LABEL: == group_number
// CHECK: data race: write of 4 bytes at 0x{{[0-9a-f]+}}, at byte 0 of the buffer of argument 0, which has 1024; in no order with the write by
kernel void group_number(global int *out)
{
    out[0] = get_group_id(0);
}

// An ordinary read that an atomic confirms.
// CHECK-LABEL: == guess
// CHECK-NOT: error
kernel void guess(global int *out)
{
    int seen = out[0], old;
    while ((old = atomic_cmpxchg(out, seen, max(seen, (int)get_global_id(0)))) != seen)
        seen = old;
}

// CHECK-LABEL: == half_atomic
// CHECK: data race: {{read of 4 bytes at .* with the atomic by|atomic of 4 bytes at .* with the read by}}
kernel void half_atomic(global int *out, local int *count)
{
    if (get_local_id(0) == 0)
        *count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(count);
    out[get_global_id(0)] = *count;
}

// CHECK-LABEL: == histogram
// CHECK-NOT: error
kernel void histogram(global const uchar *in, global int *out, local int *bins)
{
    int i = get_local_id(0);
    if (i < 16)
        bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(bins + (in[get_global_id(0)] & 15));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 16)
        atomic_add(out + i, bins[i]);
}

// Does the last step of the sum lack its barrier?
// CHECK-LABEL: == no_barrier
// CHECK: data race: {{read|write}} of 4 bytes at byte {{[0-9]+}} of shared local memory; in no order with the {{read|write}} by instruction
// CHECK-LABEL: == with_barrier
// CHECK-NOT: error
void add_up(local int *sums, bool meet)
{
    int i = get_local_id(0);
    for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
        if (meet)
            barrier(CLK_LOCAL_MEM_FENCE);
        if (i < step)
            sums[i] += sums[i + step];
    }
}

kernel void no_barrier(global int *out, local int *sums)
{
    sums[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    add_up(sums, false);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = sums[0];
}

kernel void with_barrier(global int *out, local int *sums)
{
    sums[get_local_id(0)] = 1;
    add_up(sums, true);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = sums[0];
}

// The last group to come adds up what all have left, and clears the counter for the next run.
// CHECK-LABEL: == last_group
// CHECK: {{^}}136
// CHECK-NOT: error
// CHECK-LABEL: == last_group_unfenced
// CHECK: data race: read of 4 bytes at 0x{{[0-9a-f]+}}, at byte 0 of the buffer of argument 0, which has 64; in no order with the write by instruction {{[0-9]+}}, group ({{[0-9]+}},0,0), thread 0, channel 0
void leave(global int *parts, global int *count, global int *out, local int *last, bool fenced)
{
    if (get_local_id(0) == 0) {
        parts[get_group_id(0)] = get_group_id(0) + 1;
        if (fenced)
            mem_fence(CLK_GLOBAL_MEM_FENCE);
        *last = atomic_inc(count) == get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (*last && get_local_id(0) == 0) {
        int sum = 0;
        for (int i = 0; i < get_num_groups(0); i++)
            sum += parts[i];
        *out = sum;
        *count = 0;
    }
}

kernel void last_group(global int *parts, global int *count, global int *out, local int *last)
{
    leave(parts, count, out, last, true);
}

kernel void last_group_unfenced(global int *parts, global int *count, global int *out,
                                local int *last)
{
    leave(parts, count, out, last, false);
}

// CHECK-LABEL: == locked
// CHECK: {{^}}8
// CHECK-NOT: error
// CHECK-LABEL: == unlocked_early
// CHECK: data race: {{read|write}} of 4 bytes at 0x{{[0-9a-f]+}}, at byte 0 of the buffer of argument 1
kernel void locked(global int *lock, global int *sum)
{
    if (get_local_id(0) % 64 == 0) {
        while (atomic_cmpxchg(lock, 0, 1) != 0)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *sum += 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(lock, 0);
    }
}

kernel void unlocked_early(global int *lock, global int *sum)
{
    if (get_local_id(0) % 64 == 0) {
        while (atomic_cmpxchg(lock, 0, 1) != 0)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(lock, 0);
        *sum += 1;
    }
}

// CHECK-LABEL: == one_place
// CHECK: channels {{[0-9]+}} and {{[0-9]+}} store different values at 0x{{[0-9a-f]+}}, at byte {{[0-9]+}} of the buffer of argument 0, which has 1024; group (0,0,0), thread 0, channel {{[0-9]+}} (work-item ({{[0-9]+}},0,0)), source {{.*}}:[[# @LINE + 3]], {{.*}} [X0217]
kernel void one_place(global int *out, global const int *where)
{
    out[where[get_local_id(0)]] = get_local_id(0);
}
// CHECK-LABEL: == end
