// Loops that store along rows and load in each round what lies beside: a number of each channel, of all
// channels, in floats, halves and bytes. Where that is in the rows themselves, or is stored by a channel
// before another loads it, it is loaded anew.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'cd %t && for d in pvc skl; do ocloc compile -q -file %s -device $d --format zebin -output k.$d -output_no_suffix -options "-cl-std=CL2.0" -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: sh -c 'cd %t && for k in floats halves bytes norm step chosen outer; do for n in 5 33; do for g in "-g 192 -l 64" "-g 111 -l 37"; do for at in 60000 20; do for d in pvc skl; do for w in interp jit; do %visage run k.$d $k --engine $w --no-cache --jobs 1 $g -a buf:f32:65536:iota:out=out.$d.$(echo $w | tr -d " .-") -a i32:$n -a i32:$at || exit 1; done; cmp out.$d.interp out.$d.jit || { echo $d $k $n $g $at; exit 1; }; done; done; done; done; done'

// Where a channel's number is: `at`, which may be in its own row or in another one's.
#define ARGS global float *data, int n, int at

kernel void floats(ARGS)
{
    int i = get_global_id(0);
    for (int k = 0; k < n; k++)
        data[i * n + k] = data[at + i] * 0.5f + k;
}

kernel void halves(ARGS)
{
    int i = get_global_id(0);
    global half *out = (global half *)data;
    for (int k = 0; k < n; k++)
        vstore_half(vload_half(at + i, out) + k, i * n + k, out);
}

kernel void bytes(ARGS)
{
    int i = get_global_id(0);
    global uchar *out = (global uchar *)data;
    for (int k = 0; k < n; k++)
        out[i * n + k] = out[at + i] * 3 + k;
}

kernel void norm(ARGS)
{
    int i = get_global_id(0);
    for (int k = 0; k < n; k++)
        data[i * n + k] = (data[30000 + i * n + k] - data[at + i]) * data[at + 300 + i];
}

// Of all channels, which one of the rows may be.
kernel void step(ARGS)
{
    int i = get_global_id(0);
    for (int k = 0; k < n; k++)
        data[i * n + k] -= data[61000 + i] * data[at + k] * 1e-6f;
}

kernel void chosen(ARGS)
{
    int i = get_global_id(0);
    global int *out = (global int *)data;
    for (int k = 0; k < n; k++)
        out[i * n + k] = (out[at + i] & 31) == k ? 1 : 7;
}

// Of one channel more or less, by halves of a thread.
kernel void outer(ARGS)
{
    int i = get_global_id(0);
    if (i % 64 == 40)
        return;
    for (int k = 0; k < n; k++)
        data[i * n + k] = data[at + i] * data[50000 + k];
}
