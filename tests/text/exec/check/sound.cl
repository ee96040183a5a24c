// Programs that are right, of which the compiler makes what looks as if they were not: it drops a
// branch, since what is not written is multiplied by 0; selects by bfn, bit by bit; copies structures
// to private memory by dwords that are not aligned; and orders shared local memory by a fence
// that is none, on skl. Beside them are such as are wrong, one each (for dg2 the compiler makes 0 of
// the half that upper2 has not written).
// REQUIRES: ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'cd %t && for d in skl dg2 pvc; do ocloc compile -q -file %s -device $d --format zebin -output k.$d -output_no_suffix -options -cl-std=CL2.0 -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: sh -c 'cd %t && for d in skl dg2 pvc; do for k in previous greatest copied upper last; do %visage run k.$d $k --check --no-cache -g 64 -l 64 -a buf:i32:256:iota -a buf:i32:2048:zero || { echo $d $k; exit 1; }; done; done'
// RUN: sh -c 'cd %t; for d in skl dg2 pvc; do for k in previous2 greatest2 copied2 upper2; do %status 3 %visage run k.$d $k --check --no-cache -g 64 -l 64 -a buf:i32:256:iota -a buf:i32:2048:zero 2>&1 | grep -o "X0210" | sort -u; done; done | sort | uniq -c' | FileCheck %s --check-prefix=UNWRITTEN
// UNWRITTEN: 11 X0210
// RUN: sh -c 'cd %t; for d in skl dg2 pvc; do %status 3 %visage run k.$d last2 --check --no-cache -g 64 -l 64 -a buf:i32:256:iota -a buf:i32:2048:zero 2>&1 | grep -o "X0216" | sort -u; done | sort | uniq -c' | FileCheck %s --check-prefix=RACE
// RACE: 3 X0216

#define PREVIOUS(name, first)                                                                  \
    kernel void name(global const int *p, global int *out)                                     \
    {                                                                                          \
        int i = get_global_id(0), before, sum = 0;                                             \
                                                                                               \
        for (int j = first; j < (p[i] & 7) + first; j++) {                                     \
            if (j > first - (first > 0))                                                       \
                sum += before * j;                                                             \
            before = p[(i + j) & 255];                                                         \
        }                                                                                      \
        out[i] = sum;                                                                          \
    }
PREVIOUS(previous, 0)
PREVIOUS(previous2, 1)

#define GREATEST(name, first)                                                                  \
    kernel void name(global const int *p, global int *out)                                     \
    {                                                                                          \
        int i = get_global_id(0), before, most = 0;                                            \
                                                                                               \
        for (int j = 0; j < (p[i] & 7); j++) {                                                 \
            if (j > first)                                                                     \
                most = max(most, before - j);                                                  \
            before = p[(i + j) & 255];                                                         \
        }                                                                                      \
        out[i] = most;                                                                         \
    }
GREATEST(greatest, 0)
GREATEST(greatest2, -1)

typedef struct item {
    int a;
    uchar c[5];
    short d;
} item;

kernel void copied(global const item *p, global item *out)
{
    int i = get_global_id(0) & 15;
    item x = p[i];

    x.c[1] = 3;
    out[get_global_id(0)] = x;
}

kernel void copied2(global const item *p, global item *out)
{
    int i = get_global_id(0) & 15;
    item x;

    x.a = p[i].a;
    x.c[i & 3] = p[i].d;
    out[get_global_id(0)].a = x.c[(i + 1) & 3] + x.a;
}

#define UPPER(name, shift)                                                                     \
    kernel void name(global const int *p, global int *out)                                     \
    {                                                                                          \
        int i = get_global_id(0);                                                              \
        uint2 both;                                                                            \
                                                                                               \
        both.y = p[i];                                                                         \
        out[i] = (as_ulong(both) + (1ul << 32)) >> shift;                                      \
    }
UPPER(upper, 32)
UPPER(upper2, 31)

#define LAST(name, order)                                                                      \
    kernel void name(global const int *p, global int *out)                                     \
    {                                                                                          \
        local int d[64];                                                                       \
        local atomic_int arrived;                                                              \
        int l = get_local_id(0), n = get_local_size(0), sum = 0;                               \
                                                                                               \
        if (l == 0)                                                                            \
            atomic_init(&arrived, 0);                                                          \
        barrier(CLK_LOCAL_MEM_FENCE);                                                          \
        d[l] = p[l];                                                                           \
        if (atomic_fetch_add_explicit(&arrived, 1, order, memory_scope_work_group) != n - 1)   \
            return;                                                                            \
        for (int j = 0; j < n; j++)                                                            \
            sum += d[j];                                                                       \
        out[get_group_id(0)] = sum;                                                            \
    }
LAST(last, memory_order_acq_rel)
LAST(last2, memory_order_relaxed)
