/* SPDX-License-Identifier: MIT */

/* exec/math.h against the long double functions of libm (64-bit significands, 40 bits more than
 * a float has) and, where the result must be the correctly rounded one, against exact
 * arithmetic.
 *
 * Without arguments this is a test of a few seconds. The figures of docs/precision.md come from
 *
 *     test_math sweep exp2|log2|sin|cos|rsqrt     all 2^32 arguments; minutes each
 *     test_math sweep pow PAIRS                   so many random pairs
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exec/math.h"
#include "exec/math_inline.h"

__extension__ typedef unsigned __int128 uint128;

struct function {
    const char *name;
    float (*ours)(float);
    long double (*reference)(long double);
    double bound; /* ULP; what docs/precision.md promises */
};

static const struct function functions[] = {
    {"exp2", vsg_exe_math_exp2, exp2l, 0.771},
    {"log2", vsg_exe_math_log2, log2l, 0.5001},
    {"sin", vsg_exe_math_sin, sinl, 0.72},
    {"cos", vsg_exe_math_cos, cosl, 0.72},
};
enum { NUM_FUNCTIONS = sizeof functions / sizeof functions[0] };

static const double pow_bound = 0.501;

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* xorshift64: any fixed sequence will do. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Uniform in [low, high). */
static double random_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * ldexp((double)(next_random(state) >> 11), -53);
}

/* The distance in units of the last place of a float of the size of `want`. An infinite result
 * counts as 2^128, which is what it stands for in rounding; so does a larger `want`.
 */
static double ulps_between(float got, long double want)
{
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0.0 : (double)INFINITY;
    if (isinf(want))
        return (long double)got == want ? 0.0 : (double)INFINITY;

    long double value = isinf(got) ? copysignl(0x1p128L, (long double)got) : (long double)got;
    want = fabsl(want) > 0x1p128L ? copysignl(0x1p128L, want) : want;
    int exponent;
    frexpl(want, &exponent);
    exponent = exponent < -125 ? -125 : exponent;
    exponent = exponent > 128 ? 128 : exponent;
    return (double)ldexpl(fabsl(value - want), 24 - exponent);
}

/* The largest error seen. */
struct worst {
    double ulps;
    float x;
    float y;
};

static void note(struct worst *worst, float got, long double want, float x, float y)
{
    double ulps = ulps_between(got, want);
    if (ulps > worst->ulps) {
        worst->ulps = ulps;
        worst->x = x;
        worst->y = y;
    }
}

static void note_unary(struct worst *worst, const struct function *f, float x)
{
    note(worst, f->ours(x), f->reference((long double)x), x, 0);
}

static void note_pow(struct worst *worst, float x, float y)
{
    note(worst, vsg_exe_math_pow(x, y), powl((long double)x, (long double)y), x, y);
}

/* A pair whose power spreads over the range of float and a little beyond; every other base is
 * near 1, where exponents are large.
 */
static void random_pair(uint64_t *seed, float *x, float *y)
{
    bool is_near = next_random(seed) & 1;
    double log = random_between(seed, -149, 128);
    *x = is_near ? (float)(1.0 + ldexp(random_between(seed, -0.5, 0.5), -(int)(*seed % 23)))
                 : (float)exp2(log);
    log = *x == 1.0f ? 1.0 : log2((double)*x);
    *y = (float)(random_between(seed, -152, 130) / log);
}

static void expect_within(const struct worst *worst, double bound, const char *name)
{
    if (!(worst->ulps <= bound))
        fail_msg("%s(%a, %a): %f ULP, more than %f", name, (double)worst->x, (double)worst->y,
                 worst->ulps, bound);
}

static void expect_bits(const char *what, float got, uint32_t want)
{
    if (bits_of(got) != want)
        fail_msg("%s gives 0x%08x, not 0x%08x", what, (unsigned)bits_of(got), (unsigned)want);
}

static void errors_stay_within_their_bounds(void **state)
{
    (void)state;
    for (int i = 0; i < NUM_FUNCTIONS; i++) {
        struct worst worst = {0};
        uint64_t seed = 0x9e3779b97f4a7c15;

        /* Every size and sign, then the arguments where the function does most. */
        for (uint64_t bits = 0; bits < 0x100000000; bits += 4093)
            note_unary(&worst, &functions[i], float_of((uint32_t)bits));
        for (int n = 0; n < 500000; n++)
            note_unary(&worst, &functions[i], (float)random_between(&seed, -160, 160));
        for (int n = 0; n < 250000; n++)
            note_unary(&worst, &functions[i], (float)random_between(&seed, 0.5, 2));
        expect_within(&worst, functions[i].bound, functions[i].name);
    }
}

static void powers_stay_within_their_bound(void **state)
{
    (void)state;
    struct worst worst = {0};
    uint64_t seed = 0xd1342543de82ef95;

    for (int n = 0; n < 1000000; n++) {
        float x, y;
        random_pair(&seed, &x, &y);
        note_pow(&worst, x, y);
    }
    /* Any two patterns, and small whole exponents with bases of either sign. */
    for (int n = 0; n < 500000; n++) {
        uint64_t bits = next_random(&seed);
        float x = float_of((uint32_t)bits);
        note_pow(&worst, x, float_of((uint32_t)(bits >> 32)));
        note_pow(&worst, x, (float)((int)(bits >> 32 & 15) - 8));
    }
    expect_within(&worst, pow_bound, "pow");
}

/* The floats nearest to a multiple of pi/2, found by search: reduction has most to lose there.
 */
static void arguments_near_multiples_of_half_pi(void **state)
{
    (void)state;
    struct worst sine = {0}, cosine = {0};
    const long double half_pi = 1.57079632679489661923132169163975144L;

    for (uint64_t n = 1; n < (uint64_t)1 << 40; n += 1 + n / 50000) {
        float x = (float)((long double)n * half_pi);
        note_unary(&sine, &functions[2], x);
        note_unary(&cosine, &functions[3], x);
    }
    /* The two nearest of all, by the continued fractions of pi/2 over each power of two:
     * 2^-29.2 and 2^-28.9 away.
     */
    note_unary(&sine, &functions[2], 16367173 * 0x1p72f);
    note_unary(&cosine, &functions[3], 16367173 * 0x1p72f);
    note_unary(&sine, &functions[2], 10741887 * 0x1p11f);
    note_unary(&cosine, &functions[3], 10741887 * 0x1p11f);
    expect_within(&sine, functions[2].bound, "sin");
    expect_within(&cosine, functions[3].bound, "cos");
}

struct special {
    uint32_t x;
    uint32_t want;
};

enum {
    INF = 0x7f800000,
    MINUS_INF = 0xff800000,
    INVALID = 0xffc00000,
    MINUS_ZERO = 0x80000000
};

static void check_specials(const char *name, float (*ours)(float), const struct special *cases,
                           size_t num_cases)
{
    for (size_t i = 0; i < num_cases; i++)
        expect_bits(name, ours(float_of(cases[i].x)), cases[i].want);

    /* NaN operands, the same for all. */
    expect_bits(name, ours(float_of(0x7fc12345)), 0x7fc12345);
    expect_bits(name, ours(float_of(0xffc00001)), 0xffc00001);
    expect_bits(name, ours(float_of(0x7f812345)), 0x7fc12345);
}

#define CHECK_SPECIALS(name, ours, ...)                                                        \
    do {                                                                                       \
        const struct special cases[] = {__VA_ARGS__};                                          \
        check_specials(name, ours, cases, sizeof cases / sizeof cases[0]);                     \
    } while (0)

static void special_values_of_one_operand(void **state)
{
    (void)state;
    const uint32_t one = 0x3f800000, least = 1, largest = 0x7f7fffff;

    CHECK_SPECIALS("exp2", vsg_exe_math_exp2, {0, one}, {MINUS_ZERO, one}, {INF, INF},
                   {MINUS_INF, 0}, {least, one}, {largest, INF}, {0xff7fffff, 0},
                   {0x43000000, INF}, /* 128 */
                   {0xc3150000, 1},   /* -149 */
                   {0xc3160000, 0},   /* -150, a tie: to even */
                   {0xc315ffff, 1});  /* just above it */
    CHECK_SPECIALS("log2", vsg_exe_math_log2, {0, MINUS_INF}, {MINUS_ZERO, MINUS_INF}, {one, 0},
                   {INF, INF}, {MINUS_INF, INVALID}, {0xbf800000, INVALID},
                   {0x80000001, INVALID}, {least, 0xc3150000}, {largest, 0x43000000});
    CHECK_SPECIALS("sin", vsg_exe_math_sin, {0, 0}, {MINUS_ZERO, MINUS_ZERO}, {INF, INVALID},
                   {MINUS_INF, INVALID}, {least, least}, {0x80000001, 0x80000001},
                   {0x00800000, 0x00800000});
    CHECK_SPECIALS("cos", vsg_exe_math_cos, {0, one}, {MINUS_ZERO, one}, {INF, INVALID},
                   {MINUS_INF, INVALID}, {least, one});
    CHECK_SPECIALS("inv", vsg_exe_math_inv, {0, INF}, {MINUS_ZERO, MINUS_INF}, {INF, 0},
                   {MINUS_INF, MINUS_ZERO}, {least, INF}, {one, one}, {0x00200000, INF},
                   {0x00200001, 0x7f7ffff8}, {0x7f000000, 0x00400000});
    CHECK_SPECIALS("sqrt", vsg_exe_math_sqrt, {0, 0}, {MINUS_ZERO, MINUS_ZERO}, {INF, INF},
                   {MINUS_INF, INVALID}, {0xbf800000, INVALID}, {0x40800000, 0x40000000});
    CHECK_SPECIALS("rsqrt", vsg_exe_math_rsqrt, {0, INF}, {MINUS_ZERO, MINUS_INF}, {INF, 0},
                   {MINUS_INF, INVALID}, {0xbf800000, INVALID}, {0x40800000, 0x3f000000},
                   {0x00000002, 0x64800000}); /* 2^-148 */
    CHECK_SPECIALS("rsqrt_narrow", vsg_exe_math_rsqrt_narrow, {0, INF}, {MINUS_ZERO, MINUS_INF},
                   {INF, 0}, {MINUS_INF, INVALID}, {0xbf800000, INVALID},
                   {0x80000001, INVALID});
}

/* The rules of C11 F.10.4.4, one by one. */
static void special_values_of_pow(void **state)
{
    (void)state;
    const float inf = INFINITY, nan = float_of(0x7fc00099), odd = 3, even = 4, part = 2.5f;
    const float large_odd = 16777215, large_even = 16777216, far = 0x1.3p100f;
    const struct {
        float x, y;
        uint32_t want;
    } cases[] = {
        {0.0f, -odd, INF},
        {-0.0f, -odd, MINUS_INF},
        {-0.0f, -large_odd, MINUS_INF},
        {0.0f, -even, INF},
        {-0.0f, -even, INF},
        {-0.0f, -large_even, INF},
        {-0.0f, -part, INF},
        {-0.0f, -inf, INF},
        {0.0f, odd, 0},
        {-0.0f, odd, MINUS_ZERO},
        {-0.0f, even, 0},
        {-0.0f, part, 0},
        {-0.0f, inf, 0},
        {-1.0f, inf, 0x3f800000},
        {-1.0f, -inf, 0x3f800000},
        {1.0f, nan, 0x3f800000},
        {1.0f, inf, 0x3f800000},
        {nan, 0.0f, 0x3f800000},
        {nan, -0.0f, 0x3f800000},
        {inf, 0.0f, 0x3f800000},
        {-0.0f, 0.0f, 0x3f800000},
        {-2.0f, part, INVALID},
        {-0.5f, -part, INVALID},
        {-1.0f, 0.5f, INVALID},
        {0.5f, -inf, INF},
        {-0.5f, -inf, INF},
        {2.0f, -inf, 0},
        {-2.0f, -inf, 0},
        {0.5f, inf, 0},
        {-0.5f, inf, 0},
        {2.0f, inf, INF},
        {-2.0f, inf, INF},
        {-inf, -odd, MINUS_ZERO},
        {-inf, -even, 0},
        {-inf, -part, 0},
        {-inf, odd, MINUS_INF},
        {-inf, even, INF},
        {-inf, part, INF},
        {-inf, far, INF},
        {inf, -part, 0},
        {inf, part, INF},
        {nan, 1.0f, 0x7fc00099},
        {2.0f, -nan, 0xffc00099},
        {float_of(0x7f800007), nan, 0x7fc00007},
        /* not special, but exact */
        {-3.0f, odd, 0xc1d80000},
        {-2.0f, 127.0f, 0xff000000},
        {-2.0f, -149.0f, 0x80000001},
        {-1.0f, large_odd, 0xbf800000},
        {-1.0f, large_even, 0x3f800000},
        {-1.0f, far, 0x3f800000},
        {-2.0f, far, INF},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char what[80];
        snprintf(what, sizeof what, "pow(%a, %a)", (double)cases[i].x, (double)cases[i].y);
        expect_bits(what, vsg_exe_math_pow(cases[i].x, cases[i].y), cases[i].want);
    }
}

static void exact_values_are_exact(void **state)
{
    (void)state;
    for (int k = -149; k < 128; k++) {
        float power = ldexpf(1, k);
        assert_true(vsg_exe_math_exp2((float)k) == power);
        assert_true(vsg_exe_math_log2(power) == (float)k);
        assert_true(vsg_exe_math_pow(2, (float)k) == power);
        assert_true(vsg_exe_math_pow(power, 1) == power);
    }
    for (int n = 1; n < 4096; n++) { /* squares with at most 24 bits */
        assert_true(vsg_exe_math_pow((float)n, 2) == (float)(n * n));
        assert_true(vsg_exe_math_pow((float)(n * n), 0.5f) == (float)n);
    }
}

static void sine_is_odd_and_cosine_even(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < INF; bits += 1021) {
        float x = float_of(bits);
        expect_bits("sin(-x)", vsg_exe_math_sin(-x), bits_of(-vsg_exe_math_sin(x)));
        expect_bits("cos(-x)", vsg_exe_math_cos(-x), bits_of(vsg_exe_math_cos(x)));
    }
}

/* y is 1/x or sqrt(x) correctly rounded if both midpoints beside y are on their sides.
 * Midpoints have 25 bits, so the products are exact in double. Not for denormal y.
 */
static void quotients_and_roots_are_correctly_rounded(void **state)
{
    (void)state;
    for (uint32_t bits = 0x00800000; bits < 0x7e800000; bits += 1009) {
        double x = (double)float_of(bits);
        float y = vsg_exe_math_inv((float)x);
        double above = ((double)y + (double)nextafterf(y, INFINITY)) / 2;
        double below = ((double)y + (double)nextafterf(y, 0)) / 2;
        assert_true(x * below <= 1 && 1 <= x * above);

        y = vsg_exe_math_sqrt((float)x);
        above = ((double)y + (double)nextafterf(y, INFINITY)) / 2;
        below = ((double)y + (double)nextafterf(y, 0)) / 2;
        assert_true(below * below <= x && x <= above * above);
    }
}

/* The remainders of fma are exact. y is the nearest quotient if no neighbour leaves less, and
 * the nearest root if x - y^2 is at most y ULP(y): (y + ULP/2)^2 = y^2 + y ULP + ULP^2/4.
 */
static void doubles_are_correctly_rounded(void **state)
{
    (void)state;
    uint64_t seed = 0xbf58476d1ce4e5b9;
    double worst = 0;

    for (int i = 0; i < 200000; i++) {
        double x = ldexp(random_between(&seed, 1, 2), (int)(next_random(&seed) % 1000) - 500);
        double y = vsg_exe_math_inv_f64(x);
        double rest = fabs(fma(x, y, -1.0));
        assert_true(rest <= fabs(fma(x, nextafter(y, INFINITY), -1.0)));
        assert_true(rest <= fabs(fma(x, nextafter(y, 0), -1.0)));

        y = vsg_exe_math_sqrt_f64(x);
        double ulp = nextafter(y, INFINITY) - y;
        assert_true(fabs(fma(y, y, -x)) <= y * ulp);

        /* Two roundings: no more than 1.5 ULP in theory. */
        y = vsg_exe_math_rsqrt_f64(x);
        long double want = 1.0L / sqrtl((long double)x);
        int exponent;
        frexpl(want, &exponent);
        double error = (double)ldexpl(fabsl((long double)y - want), 53 - exponent);
        worst = error > worst ? error : worst;
    }
    assert_true(worst <= 1.5);
}

/* Whether y is 1/sqrt(x) correctly rounded, x being significand * 2^(parity - 23): whether x
 * m^2 is below 1 and above 1 for the midpoints m beside y. In whole numbers, m in units of
 * 2^-26.
 */
static bool is_correct_rsqrt(uint32_t significand, int parity, float y)
{
    double up = ((double)y + (double)nextafterf(y, 2)) / 2;
    double down = ((double)y + (double)nextafterf(y, 0)) / 2;
    uint128 above = (uint128)(up * 0x1p26);
    uint128 below = (uint128)(down * 0x1p26);
    uint128 x = (uint128)significand << parity;
    const uint128 one = (uint128)1 << (23 + 52);

    return x * below * below < one && one < x * above * above;
}

/* All significands with an even and an odd exponent. Every positive float is 4^k times one of
 * these, its result 2^-k times theirs, and no result is denormal.
 */
static void rsqrt_is_correctly_rounded(void **state)
{
    (void)state;
    for (int parity = 0; parity < 2; parity++) {
        for (uint32_t significand = 1 << 23; significand < 1 << 24; significand++) {
            float x = ldexpf((float)significand, parity - 23);
            float y = vsg_exe_math_rsqrt(x);
            if (!is_correct_rsqrt(significand, parity, y))
                fail_msg("rsqrt(%a) is not %a", (double)x, (double)y);
            if (bits_of(vsg_exe_math_rsqrt_narrow(x)) != bits_of(y))
                fail_msg("rsqrt_narrow(%a) is not %a", (double)x, (double)y);
        }
    }
    for (uint32_t bits = 0; bits <= INF; bits += 4099) {
        float x = float_of(bits);
        expect_bits("rsqrt_narrow", vsg_exe_math_rsqrt_narrow(x),
                    bits_of(vsg_exe_math_rsqrt(x)));
    }
}

/* From any start within 2^-14 the steps of compiled code, which begins with the host's
 * estimate, lead to the same number. */
static void rsqrt_does_not_depend_on_the_estimate(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (int parity = 0; parity < 2; parity++) {
        for (uint32_t significand = 1 << 23; significand < 1 << 24; significand++) {
            float x = ldexpf((float)significand, parity - 23);
            double part = (double)(next_random(&random) >> 11) * 0x1p-52 - 1.0;
            float start = (float)((1.0 + part * 0x1p-14) / sqrt((double)x));
            float y = vsg_exe_refine_rsqrt(x, vsg_exe_approach_rsqrt(x, start));
            if (bits_of(y) != bits_of(vsg_exe_math_rsqrt(x)))
                fail_msg("rsqrt(%a) is not %a, from %a on", (double)x, (double)y,
                         (double)start);
        }
    }
}

static void report(const char *name, const struct worst *worst, uint64_t count)
{
    printf("%s: %.6f ULP at (%a, %a), of %llu arguments\n", name, worst->ulps, (double)worst->x,
           (double)worst->y, (unsigned long long)count);
}

static int sweep_pow(uint64_t count)
{
    struct worst worst = {0};
    uint64_t seed = 0x94d049bb133111eb;

    for (uint64_t n = 0; n < count; n++) {
        float x, y;
        random_pair(&seed, &x, &y);
        note_pow(&worst, x, y);
    }
    report("pow", &worst, count);
    return worst.ulps <= pow_bound ? 0 : 1;
}

static int sweep_rsqrt(void)
{
    uint64_t differing = 0;

    for (uint64_t bits = 0; bits < 0x100000000; bits++) {
        float x = float_of((uint32_t)bits);
        differing += bits_of(vsg_exe_math_rsqrt_narrow(x)) != bits_of(vsg_exe_math_rsqrt(x));
    }
    printf("rsqrt_narrow differs from rsqrt for %llu of 2^32 arguments\n",
           (unsigned long long)differing);
    return differing == 0 ? 0 : 1;
}

static int sweep(const char *name, uint64_t pairs)
{
    if (strcmp(name, "pow") == 0)
        return sweep_pow(pairs);
    if (strcmp(name, "rsqrt") == 0)
        return sweep_rsqrt();
    for (int i = 0; i < NUM_FUNCTIONS; i++) {
        struct worst worst = {0};
        if (strcmp(name, functions[i].name) != 0)
            continue;
        for (uint64_t bits = 0; bits < 0x100000000; bits++)
            note_unary(&worst, &functions[i], float_of((uint32_t)bits));
        report(name, &worst, 0x100000000);
        return worst.ulps <= functions[i].bound ? 0 : 1;
    }
    fprintf(stderr, "no function %s\n", name);
    return 2;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_stay_within_their_bounds),
        cmocka_unit_test(powers_stay_within_their_bound),
        cmocka_unit_test(arguments_near_multiples_of_half_pi),
        cmocka_unit_test(special_values_of_one_operand),
        cmocka_unit_test(special_values_of_pow),
        cmocka_unit_test(exact_values_are_exact),
        cmocka_unit_test(sine_is_odd_and_cosine_even),
        cmocka_unit_test(quotients_and_roots_are_correctly_rounded),
        cmocka_unit_test(doubles_are_correctly_rounded),
        cmocka_unit_test(rsqrt_is_correctly_rounded),
        cmocka_unit_test(rsqrt_does_not_depend_on_the_estimate),
    };

    if (argc > 2 && strcmp(argv[1], "sweep") == 0)
        return sweep(argv[2], argc > 3 ? strtoull(argv[3], NULL, 0) : 1000000);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
