// The first thread of a group looks behind a barrier, for longer than its turn, for what the
// last one does: what it had before the barrier, what it has made since, and what it changes
// while it looks, are there when it goes on.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'cd %t && for d in pvc skl; do ocloc compile -q -file %s -device $d --format zebin -output k.$d -output_no_suffix -options -cl-std=CL2.0 -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: %python -c "print(*(3*i + 5*(9*i + i%%64) + 7*(3*i+1) + 11*(6*i+3) for i in range(128)), sep='\n')" > %t/want
// RUN: sh -c 'for d in pvc skl; do for k in all some; do for e in interp jit auto; do %visage run %t/k.$d $k --engine $e --no-cache --timeout 60 -g 128 -l 64 -a buf:u32:384:iota -a buf:u32:128:zero:out=- -a local:4 > %t/got && cmp %t/got %t/want || exit 1; done; done; done'
#define LOOK(who)                                                                                  \
    uint l = get_local_id(0), i = get_global_id(0);                                                \
    uint a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];                                      \
    if (l == 0)                                                                                    \
        *flag = 0;                                                                                 \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    uint made = a * 3 + l, d = b;                                                                  \
    if (who)                                                                                       \
        while (atomic_or(flag, 0) == 0) {                                                          \
            c += b;                                                                                \
            d -= b;                                                                                \
        }                                                                                          \
    if (l == 63)                                                                                   \
        atomic_or(flag, 1);                                                                        \
    out[i] = a + 5 * made + 7 * b + 11 * (c + d)

kernel void all(global const uint *in, global uint *out, volatile local uint *flag)
{
    LOOK(l < 16);
}

// Half of its channels wait for the others.
kernel void some(global const uint *in, global uint *out, volatile local uint *flag)
{
    LOOK(l < 8 && l % 2);
}
