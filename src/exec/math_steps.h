/* SPDX-License-Identifier: MIT
 *
 * EXP LOG POW SIN COS RSQRT as steps of arithmetic, so that both engines make the same bits of
 * one description. The includer says what a number is and what the steps are: math_inline.h
 * makes C functions on single numbers, jit/math.c code for vectors. Not guarded: it is included
 * once for each. Elementary functions are evaluated in double, whose 29 spare bits make simple
 * methods good to a hair above half an ULP of float, EXP but for POW in float, and without
 * branches, which vectorises.
 *
 * The polynomials are minimax, by the Remez exchange at 200 bits; the error beside each is the
 * maximum over its interval before the coefficients were rounded to double.
 *
 * What the includer defines (D: double, F: float, W: the bits of a double, B: a truth value):
 *
 *     FUNCTION(type, name, parameters)  begins a function; CALL(name, arguments) calls it
 *     D, F, W, B                        the types
 *     DK(x) FK(x) WK(x)                 constants
 *     ADD SUB MUL DIV FMA NEG ABS       arithmetic on doubles, or on floats, rounded once
 *     TO_D TO_F                         a float to double, a double to float
 *     BITS NUMBER                       a double's bits, and back
 *     WADD WSUB WAND WXOR WSHL WSHR     arithmetic on bits; shifts by a constant
 *     FROM_SMALL                        bits below 2^31 as a double
 *     SCALE(x, sum)                     a float times 2^n, rounded once, -152 <= n <= 129, of
 *                                       the sum n + VSG_EXE_ROUND_FLOAT
 *     SIGN_OF                           the bits of a float's sign, as a double has it
 *     WITH_SIGN                         a float's bits, xor a sign as a double has it
 *     QUIET                             a NaN made quiet
 *     LT GT EQ NE WEQ                   comparisons; NE is true of NaN
 *     AND OR NOT                        of truth values
 *     IF(b, x, y)                       x where b is true, else y; of numbers and bits
 *
 * Products go into sums by FMA alone, so there is nothing to contract. */

/* 2^z for -1000 < z < 1000, relative error below 2^-34. */
FUNCTION(D, exp2_core, D z)
{
    D whole = ADD(z, DK(VSG_EXE_ROUND_TO_WHOLE));
    D r = SUB(z, SUB(whole, DK(VSG_EXE_ROUND_TO_WHOLE)));

    /* (2^r - 1) / r on [-1/2, 1/2]; the power has a relative error of 2^-34.3, and 2^0 is 1. */
    D q = DK(0x1.fde5d46b4712fp-17);
    q = FMA(q, r, DK(0x1.445c83713fb87p-13));
    q = FMA(q, r, DK(0x1.5d8a861f17e6ap-10));
    q = FMA(q, r, DK(0x1.3b29f39e3558fp-7));
    q = FMA(q, r, DK(0x1.c6b08ac0539a3p-5));
    q = FMA(q, r, DK(0x1.ebfbe07785e91p-3));
    q = FMA(q, r, DK(0x1.62e42ff0e1975p-1));

    /* The shift drops the bits of VSG_EXE_ROUND_TO_WHOLE itself. */
    W scale = WSHL(WADD(BITS(whole), WK(1023)), 52);
    return MUL(FMA(q, r, DK(1.0)), NUMBER(scale));
}

/* 2^z rounded to float. Beyond the limits the float is zero or infinite in any case. */
FUNCTION(F, exp2_to_float, D z)
{
    z = IF(GT(z, DK(129.0)), DK(129.0), z);
    z = IF(LT(z, DK(-151.0)), DK(-151.0), z);
    return TO_F(CALL(exp2_core, z));
}

/* log2(x) for normal x > 0, relative error below 2^-44; harmless nonsense for other x. */
FUNCTION(D, log2_core, D x)
{
    /* x = 2^k m with m in [sqrt(1/2), sqrt(2)): around 1, k is 0 and nothing cancels. */
    const uint64_t one = 0x3ff0000000000000;
    const uint64_t sqrt_half = 0x3fe6a09e667f3bcd;
    W bits = BITS(x);
    W biased_k = WSHR(WADD(bits, WK(one - sqrt_half)), 52);
    D m = NUMBER(WADD(WSUB(bits, WSHL(biased_k, 52)), WK(one)));
    D k = SUB(FROM_SMALL(WAND(biased_k, WK(0x7ff))), DK(1023.0));

    /* log2(m) = 2/ln 2 * atanh(s) = s Q(s^2), relative error 2^-45.1. m - 1 is exact. */
    D s = DIV(SUB(m, DK(1.0)), ADD(m, DK(1.0)));
    D u = MUL(s, s);
    D q = DK(0x1.21b0ea97e634ap-2);
    q = FMA(q, u, DK(0x1.47955635813fbp-2));
    q = FMA(q, u, DK(0x1.a61a2ec9b1b2bp-2));
    q = FMA(q, u, DK(0x1.2776c2933ecdcp-1));
    q = FMA(q, u, DK(0x1.ec709dc53c66bp-1));
    q = FMA(q, u, DK(0x1.71547652b8251p+1));
    return FMA(s, q, k);
}

/* In float alone: half the time, and still 0.1 ULP from correct rounding. */
FUNCTION(F, inline_exp2, F x)
{
    /* Beyond the limits the result is zero or infinite in any case. */
    F z = IF(GT(x, FK(129.0f)), FK(129.0f), x);
    z = IF(LT(z, FK(-151.0f)), FK(-151.0f), z);
    F sum = ADD(z, FK(VSG_EXE_ROUND_FLOAT));
    F r = SUB(z, SUB(sum, FK(VSG_EXE_ROUND_FLOAT))); /* exact */

    /* 2^r = 1 + r ln 2 + r^2 q on [-1/2, 1/2]; the power has a relative error of 2^-33.2. */
    F q = FK(0x1.fd99f8p-17f);
    q = FMA(q, r, FK(0x1.441e22p-13f));
    q = FMA(q, r, FK(0x1.5d8a2ap-10f));
    q = FMA(q, r, FK(0x1.3b2a4ep-7f));
    q = FMA(q, r, FK(0x1.c6b08cp-5f));
    q = FMA(q, r, FK(0x1.ebfbe0p-3f));

    /* 1 + r ln 2 in two parts, ln 2 in two parts: all that is rounded twice is small. */
    F more = FMA(q, r, FK(-0x1.05c610p-29f));
    F near = FMA(r, FK(0x1.62e430p-1f), FK(1.0f));
    F rest = FMA(r, FK(0x1.62e430p-1f), SUB(FK(1.0f), near));
    F power = SCALE(ADD(near, FMA(more, r, rest)), sum);
    return IF(NE(x, x), QUIET(x), power);
}

FUNCTION(F, inline_log2, F x)
{
    F value = TO_F(CALL(log2_core, TO_D(x)));

    value = IF(EQ(x, FK(INFINITY)), FK(INFINITY), value);
    value = IF(EQ(x, FK(0.0f)), FK(-INFINITY), value);
    value = IF(LT(x, FK(0.0f)), INVALID, value);
    return IF(NE(x, x), QUIET(x), value);
}

FUNCTION(F, inline_pow, F x, F y)
{
    /* From 2^24 on every float, infinity included, is an even whole number. */
    D sum = ADD(TO_D(y), DK(VSG_EXE_ROUND_TO_WHOLE));
    B is_small = LT(ABS(y), FK(0x1p24f));
    B is_equal = EQ(SUB(sum, DK(VSG_EXE_ROUND_TO_WHOLE)), TO_D(y));
    B is_whole = OR(is_equal, NOT(is_small));
    B is_odd = AND(AND(is_equal, is_small), WEQ(WAND(BITS(sum), WK(1)), WK(1)));

    /* Infinite logarithms of zero and infinity give what IEEE pow wants, save that 0 * inf must
     * not arise: |x| = 1 has the power 1 for every y, and y = 0 is settled at the end.
     */
    F magnitude = ABS(x);
    D log = CALL(log2_core, TO_D(magnitude));
    log = IF(EQ(magnitude, FK(0.0f)), DK((double)-INFINITY), log);
    log = IF(EQ(magnitude, FK(INFINITY)), DK((double)INFINITY), log);
    D z = IF(EQ(magnitude, FK(1.0f)), DK(0.0), MUL(TO_D(y), log));
    F value = CALL(exp2_to_float, z);

    W sign = SIGN_OF(x);
    B is_negative = NOT(WEQ(sign, WK(0)));
    value = WITH_SIGN(value, IF(is_odd, sign, WK(0)));

    /* -0 and -inf have a power for every exponent. */
    B is_number = AND(GT(magnitude, FK(0.0f)), LT(magnitude, FK(INFINITY)));
    B is_invalid = AND(AND(is_negative, NOT(is_whole)), is_number);
    value = IF(is_invalid, INVALID, value);
    value = IF(NE(y, y), QUIET(y), value);
    value = IF(NE(x, x), QUIET(x), value);
    return IF(OR(EQ(x, FK(1.0f)), EQ(y, FK(0.0f))), FK(1.0f), value);
}

/* 1/sqrt(x), correctly rounded, of a y within a few ULP of it; NaN where one of them is zero,
 * infinite or below zero. */
FUNCTION(F, refine_rsqrt, F x, F y)
{
    /* e = x y^2 - 1 with x y in two parts; then y (1 - e/2 + 3/8 e^2). Without the square one
     * single significand comes out wrong.
     */
    F high = MUL(x, y);
    F low = FMA(x, y, NEG(high));
    F more = FMA(low, y, FMA(high, y, FK(-1.0f)));
    return FMA(MUL(y, more), FMA(FK(0.375f), more, FK(-0.5f)), y);
}

/* Brings a y within 2^-14 of 1/sqrt(x), relatively, near enough for that. */
FUNCTION(F, approach_rsqrt, F x, F y)
{
    F rest = FMA(NEG(MUL(x, y)), y, FK(1.0f));
    return FMA(MUL(y, FK(0.5f)), rest, y);
}

/* ---- sine and cosine -------------------------------------------------------------------- */

/* sin(r + n pi/2), rounded; |r| <= pi/4, a little more after rounding. Of n only the low two
 * bits count. */
FUNCTION(F, sine, D r, W n)
{
    D u = MUL(r, r);

    /* sin(r)/r and cos(r) on |r| <= 0.7857; relative errors 2^-37.5 and 2^-33.9. */
    D s = DK(0x1.6cd0f2b571907p-19);
    s = FMA(s, u, DK(-0x1.a00f7afb0abfap-13));
    s = FMA(s, u, DK(0x1.1111086535c0ap-7));
    s = FMA(s, u, DK(-0x1.5555554c6abd3p-3));
    s = MUL(r, FMA(s, u, DK(1.0))); /* a product, not a sum, keeps the sign of zero */

    D c = DK(0x1.99153b9f1c971p-16);
    c = FMA(c, u, DK(-0x1.6c07eb83aa02ep-10));
    c = FMA(c, u, DK(0x1.55553c69b9c21p-5));
    c = FMA(c, u, DK(-0x1.ffffffcb58fe2p-2));
    c = FMA(c, u, DK(1.0));

    W bits = BITS(IF(WEQ(WAND(n, WK(1)), WK(1)), c, s));
    return TO_F(NUMBER(WXOR(bits, WSHL(WAND(n, WK(2)), 62))));
}

/* Of |x| < VSG_EXE_LARGE_ANGLE < 2^40; quarter_turns 0 gives the sine, 1 the cosine. x = n pi/2
 * + r: n VSG_EXE_PIO2_HI is a whole multiple of 2^-52, and so is x unless n = 0; their
 * difference is below 1, so it has at most 53 bits and the first fma is exact. The second
 * leaves an absolute error of n 2^-108 < 2^-67 and its own rounding, while no float but 0 comes
 * nearer than 2^-30 to a multiple of pi/2.
 */
FUNCTION(F, inline_sine, F angle, uint32_t quarter_turns)
{
    D x = TO_D(angle);
    D whole = FMA(x, DK(VSG_EXE_TWO_OVER_PI), DK(VSG_EXE_ROUND_TO_WHOLE));
    D n = NEG(SUB(whole, DK(VSG_EXE_ROUND_TO_WHOLE)));
    D r = FMA(n, DK(VSG_EXE_PIO2_LO), FMA(n, DK(VSG_EXE_PIO2_HI), x));

    return CALL(sine, r, WADD(BITS(whole), WK(quarter_turns)));
}
