// Rows from the last channel to the first one, some of whose channels are off; the last of them would
// lie in front of the memory. In shared local memory what those that are off have there stays, and
// a channel that is on in front of it is a fault.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t && %python %S/inputs/rows_back.py %t
// RUN: cd %t && sh -c 'for d in pvc skl; do ocloc compile -q -file %s -device $d --format zebin -output $d -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: cd %t && sh -c 'for d in pvc skl; do for k in 1 2 4 8 42 44; do for w in load store slm; do for e in interp jit "jit --quick" "jit --cpu avx2" "jit --cpu sse4.2"; do for n in 256 240 90; do %visage run $d ${w}_$k --engine $e -g 256 -l 64 -a buf:u8:@in.$k.$n -a buf:u8:@on -a buf:u8:4096:zero:out=got -a i32:$n && cmp got want.$w.$k.$n || exit 1; done; done; done; done; done'
// RUN: cd %t && sh -c 'for d in pvc skl; do for e in interp jit "jit --quick" "jit --cpu avx2" "jit --cpu sse4.2"; do %visage run $d edges --engine $e -g 640 -l 64 -a buf:i32:640:zero:out=got -a i32:5 && cmp got want.edges || exit 1; for k in beyond_load beyond_store; do %status 3 %visage run $d $k --engine $e --jobs 1 -g 64 -l 64 -a buf:i32:64:zero > err 2>&1 || exit 1; grep -q X0103 err || exit 1; done; done; done'
#define MOVE(name, type)                                                                       \
    kernel void load_##name(global const type *in, global const uchar *on, global type *out,   \
                            int n)                                                             \
    {                                                                                          \
        int i = get_global_id(0);                                                              \
                                                                                               \
        if (i < n && on[i])                                                                    \
            out[i] = in[n - 1 - i];                                                            \
    }                                                                                          \
                                                                                               \
    kernel void store_##name(global const type *in, global const uchar *on, global type *out,  \
                             int n)                                                            \
    {                                                                                          \
        int i = get_global_id(0);                                                              \
                                                                                               \
        if (i < n && on[i])                                                                    \
            out[n - 1 - i] = in[i];                                                            \
    }                                                                                          \
                                                                                               \
    kernel void slm_##name(global const type *in, global const uchar *on, global type *out,    \
                           int n)                                                              \
    {                                                                                          \
        local type row[64];                                                                    \
        int i = get_global_id(0), l = get_local_id(0);                                         \
        type x = i < n ? in[i] : (type)7;                                                      \
                                                                                               \
        row[l] = (type)(l + 100);                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                          \
        if (i < n && on[i])                                                                    \
            row[63 - l] = x;                                                                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                                          \
        if (l >= 9)                                                                            \
            x = row[72 - l];                                                                   \
        out[i] = x;                                                                            \
    }

MOVE(1, uchar)
MOVE(2, ushort)
MOVE(4, uint)
MOVE(8, ulong)
MOVE(42, uint2)
MOVE(44, uint4)

/* Items up to `last` store, and load, at the beginning of the memory, those behind them would in
 * front of it. */
kernel void edges(global int *out, int last)
{
    local int row[64];
    int i = get_global_id(0), l = get_local_id(0), x = 0;

    row[l] = l + 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l <= last)
        row[last - l] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l <= last + 2)
        x = row[last + 2 - l];
    out[i] = x;
}

kernel void beyond_load(global int *out)
{
    local int row[64];
    int l = get_local_id(0);

    row[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = row[62 - l];
}

kernel void beyond_store(global int *out)
{
    local int row[64];
    int l = get_local_id(0);

    row[63 - l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    row[62 - l] = l + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = row[l];
}
