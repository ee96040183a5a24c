// Local arguments, each for itself: who leaves his is told, also where another one lies behind it.
// REQUIRES: ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'cd %t && for d in skl dg2 pvc; do ocloc compile -q -file %s -device $d --format zebin -output k.$d -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: sh -c 'cd %t && for d in skl dg2 pvc; do %visage run k.$d moves --check --no-cache -g 64 -l 32 -a buf:i32:64:iota -a local:128 -a local:79 -a local:256 -a i32:0 || { echo $d; exit 1; }; done'
// RUN: sh -c 'cd %t; for d in skl dg2 pvc; do for by in 1 -1 32; do %status 3 %visage run k.$d moves --check --no-cache -g 64 -l 32 -a buf:i32:64:iota -a local:128 -a local:79 -a local:256 -a i32:$by 2>&1 | grep -o "read of.*which has [0-9]*" | head -1; done; done' | FileCheck %s
// CHECK: read of 4 bytes at byte 128 of the local memory of argument 1, which has 128
// CHECK-NEXT: read of 4 bytes at byte -4 of the local memory of argument 3, which has 256
// CHECK-NEXT: read of 4 bytes at byte 128 of the local memory of argument 1, which has 128
// CHECK-NEXT: read of 4 bytes at byte 128 of the local memory of argument 1, which has 128
// CHECK-NEXT: read of 4 bytes at byte -4 of the local memory of argument 3, which has 256
// CHECK-NEXT: read of 4 bytes at byte 128 of the local memory of argument 1, which has 128
// CHECK-NEXT: read of 4 bytes at byte 128 of the local memory of argument 1, which has 128
// CHECK-NEXT: read of 4 bytes at byte -4 of the local memory of argument 3, which has 256
// CHECK-NEXT: read of 4 bytes at byte 128 of the local memory of argument 1, which has 128
// RUN: sh -c 'cd %t; for d in skl dg2 pvc; do %status 3 %visage run k.$d beside --check --no-cache -g 32 -l 32 -a buf:i32:64:zero -a local:128 -a i32:32 2>&1 | grep -o "write of.*which has [0-9]*" | head -1; done' | FileCheck %s --check-prefix=OWN
// OWN: write of 4 bytes at byte 128 of the local memory of argument 1, which has 128
// OWN: write of 4 bytes at byte 128 of the local memory of argument 1, which has 128
// OWN: write of 4 bytes at byte 128 of the local memory of argument 1, which has 128

/* `a` and `c` are whole, of `b` some bytes are used. */
kernel void moves(global int *p, local int *a, local uchar *b, local long *c, int by)
{
    int l = get_local_id(0);

    a[l] = p[get_global_id(0)];
    b[2 * l] = (uchar)l;
    c[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int from = by < 0 ? ((local int *)c)[l + by] : a[l + by];
    p[get_global_id(0)] = from + b[2 * l] + (int)c[l];
}

/* Behind what the kernel has of its own. */
kernel void beside(global int *p, local int *a, int by)
{
    local int own[32];
    int l = get_local_id(0);

    own[l] = l;
    a[l + (l == 0 ? by : 0)] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    p[l] = own[31 - l] + (l > 0 ? a[l] : 0);
}
