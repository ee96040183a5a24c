// Rows of few elements, of which each work-item adds up what it looks up by them: rounds of a
// channel are abreast. Sums of floats get each element in its order, those of lanes that are over
// nothing, not even the sign of a zero. Rows have 0 to 40 elements; memory that rows of one channel
// and the next look into may be another; what is outside of it is told as it always is.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'cd %t && for d in pvc skl dg2; do o=; [ $d = dg2 ] || o="-D DOUBLES"; ocloc compile -q -file %s -device $d --format zebin -output k.$d -output_no_suffix -options "-cl-std=CL2.0 $o" -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: sh -c 'cd %t && for d in pvc skl dg2; do for k in product fused plain zeros signs steps shifted some differ all bytes shorts quotient either doubles; do [ $d$k != dg2doubles ] || continue; for w in interp "jit --cpu avx2" jit; do %visage run k.$d $k --engine $w --no-cache --jobs 1 -g 999 -l 37 -a buf:u32:128:rand=7 -a buf:f32:128:rand=3 -a buf:f32:256:rand=5 -a buf:f32:256:iota -a buf:f64:999:zero:out=out.$(echo $w | tr -d " -") || exit 1; done; cmp out.interp out.jit && cmp out.interp out.jitcpuavx2 || { echo $d $k; exit 1; }; done; done'
// RUN: sh -c 'cd %t && for d in pvc skl dg2; do for w in interp jit; do %status 3 %visage run k.$d outside --engine $w --no-cache --jobs 1 -g 999 -l 37 -a buf:u32:128:rand=7 -a buf:f32:128:rand=3 -a buf:f32:256:rand=5 -a buf:f32:256:iota -a buf:f64:999:zero 2>told.$w; done; grep -q "X010.*" told.interp && cmp told.interp told.jit || exit 1; done'
// RUN: sh -c 'cd %t; for k in product fused plain zeros signs steps shifted differ all bytes either; do for d in pvc skl; do %visage compile k.$d $k --cpu avx2 --no-comments | grep -q "llvm.masked.load.v8i\|llvm.masked.load.v8f\|fadd <8 x float>\|fma.v8f32\|vector.reduce.[a-z]*.v8\|= load <8 x i32>, ptr" || echo $d $k; done; done' | FileCheck %s --check-prefix=ABREAST --allow-empty
// RUN: sh -c 'cd %t; for k in product fused plain zeros signs steps shifted differ all bytes quotient; do %visage compile k.dg2 $k --cpu avx2 --no-comments | grep -q "llvm.masked.load.v8i\|llvm.masked.load.v8f\|fadd <8 x float>\|fma.v8f32\|vector.reduce.[a-z]*.v8\|= load <8 x i32>, ptr" || echo dg2 $k; done' | FileCheck %s --check-prefix=ABREAST --allow-empty
// RUN: sh -c '%visage compile %t/k.pvc doubles --cpu avx2 --no-comments | grep -q "llvm.masked.load.v4\|fadd <4 x double>" || echo doubles' | FileCheck %s --check-prefix=ABREAST --allow-empty
// ABREAST-NOT: {{.}}
//
// An index may be inside of one memory and not of another that it goes to as well, or a place behind
// another one that is inside: nothing is looked at there.
// RUN: sh -c 'cd %t && for d in pvc skl dg2; do for k in both behind; do for w in interp "jit --cpu avx2" jit; do %status 3 %visage run k.$d $k --engine $w --no-cache --jobs 1 -g 999 -l 37 -a buf:u32:128:rand=7 -a buf:f32:67108864:zero -a buf:f32:256:rand=5 -a buf:f32:256:iota -a buf:f64:999:zero 2>told.$(echo $w | tr -d " -"); done; grep -q "X010.*" told.interp && cmp told.interp told.jit && cmp told.interp told.jitcpuavx2 || exit 1; done; done'
#pragma OPENCL FP_CONTRACT OFF

#define ARGS                                                                                 \
    global const uint *c, global const float *v, global const float *x, global const float *z, \
        global uint2 *out
#define ROW(i)                                                                               \
    uint k = (i * 37) & 63, end = k + (i * i * 5 + i) % 41

#define RESULT(value) ((global float *)out)[i] = value

kernel void product(ARGS)
{
    uint i = get_global_id(0);
    float sum = i;

    ROW(i);
    for (; k < end; k++)
        sum += v[k] * x[c[k] & 255];
    RESULT(sum);
}

kernel void fused(ARGS)
{
    uint i = get_global_id(0);
    float sum = i;

    ROW(i);
    for (; k < end; k++)
        sum = fma(v[k], x[c[k] & 255], sum);
    RESULT(sum);
}

kernel void plain(ARGS)
{
    uint i = get_global_id(0);
    float sum = -0.0f, other = i;

    ROW(i);
    for (; k < end; k++) {
        sum = x[c[k] & 255] + sum;
        other += v[k];
    }
    RESULT(sum * other);
}

kernel void zeros(ARGS)
{
    uint i = get_global_id(0);
    float sum = -0.0f;

    ROW(i);
    for (; k < end; k++)
        sum += as_float(c[k] & 0x80000000u) * (x[c[k] & 255] - 0.03f);
    RESULT(1 / sum);
}

kernel void signs(ARGS)
{
    uint i = get_global_id(0);
    float sum = -0.0f;

    ROW(i);
    for (; k < end; k++)
        sum += as_float(c[k] & 0x80000000u) * x[c[k] & 255];
    RESULT(1 / sum);
}

kernel void steps(ARGS)
{
    uint i = get_global_id(0), n = (i * i * 5 + i) % 41, k = 0, at = i & 63;
    float sum = i;

    for (; k < n; k++, at += i & 1 ? 1 : 1 + (n >> 8))
        sum += v[at] * x[c[at] & 255];
    RESULT(sum * at);
}

#define NUMBERS(name, type, first, change)                                                      \
    kernel void name(ARGS)                                                                     \
    {                                                                                          \
        uint i = get_global_id(0), a = first;                                                  \
        global const type *t = (global const type *)x;                                         \
        global const short *s = (global const short *)v;                                       \
                                                                                               \
        ROW(i);                                                                                \
        for (; k < end; k++)                                                                   \
            change;                                                                            \
        ((global uint *)out)[i] = a;                                                           \
    }
NUMBERS(shifted, uint, 0, a += t[c[k] & 255] >> (k & 7))
NUMBERS(some, uint, 0, a |= t[c[k] & 255] >> (c[k] >> 27))
NUMBERS(differ, uint, 0, a ^= t[c[k] & 255] * k)
NUMBERS(all, uint, ~0u, a &= t[c[k] & 255] | c[k])
NUMBERS(bytes, uchar, 0, a += t[c[k] & 1023])
NUMBERS(shorts, char, 0, a += s[k] * t[c[k] & 1023])

kernel void quotient(ARGS)
{
    uint i = get_global_id(0);
    float sum = 0;

    ROW(i);
    for (; k < end; k++)
        sum += x[c[k] & 255] / (float)(c[c[k] & 127] >> 24);
    RESULT(sum);
}

kernel void either(ARGS)
{
    uint i = get_global_id(0);
    global const float *from = i & 1 ? x : z;
    float sum = i;

    ROW(i);
    for (; k < end; k++)
        sum += v[k] * from[c[k] & 255];
    RESULT(sum);
}

kernel void outside(ARGS)
{
    uint i = get_global_id(0);
    float sum = i;

    ROW(i);
    for (; k < end; k++)
        sum += v[k] * x[(c[k] & 255) + (i == 700 && k == 45 ? 1u << 24 : 0)];
    RESULT(sum);
}

kernel void both(ARGS)
{
    uint i = get_global_id(0);
    float sum = i;

    ROW(i);
    for (; k < end; k++) {
        uint at = (c[k] & 255) + (i == 700 && k == 45 ? 60000000 : 0);
        sum += v[at] * x[at];
    }
    RESULT(sum);
}

kernel void behind(ARGS)
{
    uint i = get_global_id(0);
    float sum = i;
    ulong far = (ulong)(x[0] * 0) + 300000000;

    ROW(i);
    for (; k < end; k++) {
        global const float *at = x + (c[k] & 255);
        sum += v[k] * at[0] * (i == 700 ? at[far] : at[0]);
    }
    RESULT(sum);
}

#ifdef DOUBLES
kernel void doubles(ARGS)
{
    uint i = get_global_id(0);
    double sum = i;
    global const double *d = (global const double *)x;

    ROW(i);
    for (; k < end; k++)
        sum += (double)v[k] * d[c[k] & 127];
    ((global double *)out)[i] = sum;
}
#endif
