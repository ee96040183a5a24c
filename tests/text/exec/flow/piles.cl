// Sums along rows of up to 150 elements, which channels put onto piles: those with more than a row
// of a pile has come again, those with many more go by themselves. What is looked up may turn out to
// be outside of what is known in any visit, and be memory yet: the channel goes on from there.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'cd %t && for d in pvc skl dg2; do o=; [ $d = dg2 ] || o="-D DOUBLES"; [ $d = pvc ] && o="$o -D WIDE"; ocloc compile -q -file %s -device $d --format zebin -output k.$d -output_no_suffix -options "-cl-std=CL2.0 $o" -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: sh -c 'cd %t && for d in pvc skl dg2; do for k in one two mixed fused behind back other last narrow wide nested doubles; do [ $d$k != dg2doubles ] || continue; [ $d$k != pvcnarrow ] || continue; for w in interp "jit --cpu avx2" "jit --cpu sse4.2" jit; do %visage run k.$d $k --engine $w --no-cache --jobs 1 -g 517 -l 47 -a buf:u32:1024:rand=7 -a buf:f32:1024:rand=3 -a buf:f32:512:rand=5 -a buf:f32:512:rand=9 -a buf:f64:517:zero:out=out.$(echo $w | tr -d " .-") || exit 1; done; cmp out.interp out.jit && cmp out.interp out.jitcpuavx2 && cmp out.interp out.jitcpusse42 || { echo $d $k; exit 1; }; done; done'
// RUN: sh -c 'cd %t && for d in pvc skl dg2; do for w in interp "jit --cpu avx2" jit; do %status 3 %visage run k.$d outside --engine $w --no-cache --jobs 1 -g 517 -l 47 -a buf:u32:1024:rand=7 -a buf:f32:1024:rand=3 -a buf:f32:512:rand=5 -a buf:f32:512:rand=9 -a buf:f64:517:zero 2>told.$(echo $w | tr -d " -"); done; grep -q "X010.*" told.interp && cmp told.interp told.jit && cmp told.interp told.jitcpuavx2 || exit 1; done'
//
// Columns are added at once, in vectors of as many channels as rows have elements.
// RUN: sh -c 'cd %t; for k in one two fused back last; do for d in pvc skl dg2; do case $d$k in sklback|dg2back) continue;; esac; %visage compile k.$d $k --cpu avx2 --no-comments | grep -q "fadd <8 x float>\|fma.v8f32" || echo $d $k; %visage compile k.$d $k --cpu avx512 --no-comments | grep -q "store <16 x float> .*, ptr %%.*, align 8" || echo $d $k; done; done' | FileCheck %s --check-prefix=PILED --allow-empty
// PILED-NOT: {{.}}
#pragma OPENCL FP_CONTRACT OFF

#define ARGS                                                                                 \
    global const uint *c, global const float *v, global const float *x, global const float *z, \
        global uint2 *out
#define ROW                                                                                  \
    uint i = get_global_id(0), start = (i * 37) & 63, k = start, end = k + (i * i * 7 + i) % 151

#define RESULT(value) ((global float *)out)[i] = value

kernel void one(ARGS)
{
    ROW;
    float sum = -0.0f;

    for (; k < end; k++)
        sum += v[k] * x[c[k] & 255];
    RESULT(sum);
}

kernel void two(ARGS)
{
    ROW;
    float sum = i, other = -1;

    for (; k < end; k++) {
        float at = x[c[k] & 255];
        sum = v[k] + sum;
        other = other + at * z[c[k] >> 24];
    }
    RESULT(sum * other);
}

kernel void mixed(ARGS)
{
    ROW;
    float sum = i;
    uint count = i;

    for (; k < end; k++) {
        sum += x[c[k] & 255];
        count += c[k] & 7;
    }
    RESULT(sum + count);
}

kernel void fused(ARGS)
{
    ROW;
    float sum = i, other = -0.0f;

    for (; k < end; k++) {
        sum = fma(v[k], x[c[k] & 255], sum);
        other = fma(-v[k], z[c[k] & 127], other);
    }
    RESULT(sum - other);
}

/* The number of a round is asked for behind the loop. */
kernel void behind(ARGS)
{
    ROW;
    float sum = 0;

    for (; k < end; k++)
        sum += v[k] * x[c[k] & 255];
    RESULT(sum * k);
}

/* Indices are below 0 in later rounds of some rows. */
kernel void back(ARGS)
{
    ROW;
    global const float *m = x + 128;
    uint turn = start + 20 + (i & 31);
    float sum = i;

    for (; k < end; k++) {
        int at = c[k] & 127;
        sum += m[k > turn ? -at : at];
    }
    RESULT(sum);
}

/* Later rounds of some rows look into other memory. */
kernel void other(ARGS)
{
    ROW;
    uint turn = start + 9 + (i & 31);
    float sum = i;

    for (; k < end; k++) {
        global const float *from = k > turn ? z : x;
        sum += from[c[k] & 255];
    }
    RESULT(sum);
}

kernel void outside(ARGS)
{
    ROW;
    float sum = i;

    for (; k < end; k++)
        sum += x[(c[k] & 255) + (i == 299 && k - start == 40 ? 1 << 28 : 0)];
    RESULT(sum);
}

/* Rows end with memory, and with a page of it: vectors end behind. */
kernel void last(ARGS)
{
    uint i = get_global_id(0);
    uint end = 1024 - (i & 3), k = end - (i * i * 7 + i) % 151;
    float sum = i;

    for (; k < end; k++)
        sum += v[k] * x[c[k] & 255];
    RESULT(sum);
}

#define OF_SIZE(name, size)                                                                  \
    __attribute__((intel_reqd_sub_group_size(size))) kernel void name(ARGS)                    \
    {                                                                                          \
        ROW;                                                                                   \
        float sum = i;                                                                         \
                                                                                               \
        for (; k < end; k++)                                                                   \
            sum += v[k] * x[c[k] & 255];                                                       \
        RESULT(sum);                                                                           \
    }
#ifndef WIDE
OF_SIZE(narrow, 8)
#endif
OF_SIZE(wide, 32)

kernel void nested(ARGS)
{
    uint i = get_global_id(0);
    float sum = i;

    for (uint r = 0; r < (i & 7); r++)
        for (uint k = (i * 5 + r * 11) & 127, end = k + (i * r * 7 + i) % 83; k < end; k++)
            sum += v[k] * x[c[k] & 255];
    RESULT(sum);
}

#ifdef DOUBLES
kernel void doubles(ARGS)
{
    ROW;
    global const double *w = (global const double *)x;
    double sum = i, other = -0.0;

    for (k /= 2, end /= 2; k < end; k++) {
        sum += v[k] * w[c[k] & 255];
        other += w[k];
    }
    ((global double *)out)[i] = sum * other;
}
#endif
