/* SPDX-License-Identifier: MIT
 *
 * EXP LOG POW SIN COS RSQRT as steps of arithmetic, so that both engines make the same bits of
 * one description. The includer says what a number is and what the steps are: math_inline.h
 * makes C functions on single numbers, jit/math.c code for vectors. Not guarded: it is included
 * once for each. LOG and POW are evaluated in double, whose 29 spare bits make simple methods
 * good to a hair above half an ULP of float, the others in float, which is half the work or
 * less; all without branches, which vectorises.
 *
 * The polynomials are minimax, by the Remez exchange at 200 bits; the error beside each is the
 * maximum over its interval before the coefficients were rounded to double. Those of sine and
 * cosine were sought among floats, by lattice reduction, and their errors are those they have.
 *
 * What the includer defines (D: double, F: float, W and U: the bits of these, B: a truth
 * value):
 *
 *     FUNCTION(type, name, parameters)  begins a function; CALL(name, arguments) calls it
 *     D, F, W, U, B                     the types
 *     DK(x) FK(x) WK(x) UK(x)           constants
 *     ADD SUB MUL DIV FMA NEG ABS       arithmetic on doubles, or on floats, rounded once
 *     TO_D TO_F                         a float to double, a double to float
 *     BITS NUMBER                       a double's bits, and back
 *     BITS_OF FLOAT_OF                  a float's bits, and back
 *     WADD WSUB WAND WXOR               arithmetic on bits of both
 *     WSHL WSHR USHL                    shifts by a constant, of a double's and of a float's
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

/* Of 0 <= x < VSG_EXE_LARGE_ANGLE: x = n pi/2 + rest + lost, with |rest| <= 0.797, beyond pi/4
 * because n is found with 2/pi as a float. pi/2 has three parts of a float each. x and n times
 * the first are whole multiples of the same number and their difference is below 1, so the fma
 * of angle_first() is exact. The second part's product is used in two pieces, and of the
 * subtraction of the larger one nothing is lost either. The third leaves n 2^-76 < 2^-58, while
 * no float but 0 below the limit comes nearer than 2^-30 to a multiple of pi/2. */

/* n + VSG_EXE_ROUND_FLOAT: n stands in the low bits. */
FUNCTION(F, whole_turns, F x)
{
    return FMA(x, FK(VSG_EXE_FLOAT_TWO_OVER_PI), FK(VSG_EXE_ROUND_FLOAT));
}

FUNCTION(F, angle_first, F x, F n)
{
    return FMA(n, FK(-VSG_EXE_FLOAT_PIO2_HIGH), x);
}

FUNCTION(F, angle_lost, F first, F second, F n, F rest)
{
    F piece = FMA(n, FK(VSG_EXE_FLOAT_PIO2_MIDDLE), NEG(second));
    F rounded = SUB(SUB(SUB(first, rest), second), piece);

    return FMA(n, FK(-VSG_EXE_FLOAT_PIO2_LOW), rounded);
}

/* sin(rest + lost): the polynomial has a relative error of 2^-32.2. What is added to rest is
 * small, so that its roundings are, too. */
FUNCTION(F, near_sine, F rest, F lost)
{
    F u = MUL(rest, rest);
    F q = FK(0x1.7714ccp-19f);
    q = FMA(q, u, FK(-0x1.a045c0p-13f));
    q = FMA(q, u, FK(0x1.111162p-7f));
    q = FMA(q, u, FK(-0x1.555556p-3f));

    /* lost times the cosine. */
    F more = MUL(lost, FMA(MUL(rest, FK(-0.5f)), rest, FK(1.0f)));
    return ADD(rest, FMA(MUL(rest, u), q, more));
}

/* cos(rest + lost): the polynomial has an absolute error of 2^-33. 1 - rest^2/2 in two parts.
 */
FUNCTION(F, near_cosine, F rest, F lost)
{
    F u = MUL(rest, rest);
    F q = FK(0x1.99dcf6p-16f);
    q = FMA(q, u, FK(-0x1.6c0c12p-10f));
    q = FMA(q, u, FK(0x1.55554ap-5f));

    F half = MUL(rest, FK(-0.5f));
    F most = FMA(half, rest, FK(1.0f));
    F more = FMA(half, rest, SUB(FK(1.0f), most));
    more = FMA(NEG(rest), lost, more);
    return ADD(most, FMA(MUL(u, u), q, more));
}

/* Of |angle| < VSG_EXE_LARGE_ANGLE; quarter_turns 0 gives the sine, 1 the cosine. Steps that
 * both have are the same for both, so that code for one angle has them once. */
FUNCTION(F, inline_sine, F angle, uint32_t quarter_turns)
{
    F x = ABS(angle); /* so that zero keeps its sign */
    F sum = CALL(whole_turns, x);
    F n = SUB(sum, FK(VSG_EXE_ROUND_FLOAT));
    F first = CALL(angle_first, x, n);
    F second = MUL(n, FK(VSG_EXE_FLOAT_PIO2_MIDDLE));
    F rest = SUB(first, second);
    F lost = CALL(angle_lost, first, second, n, rest);
    F sine = CALL(near_sine, rest, lost), cosine = CALL(near_cosine, rest, lost);
    U bits = BITS_OF(sum);
    U sign = USHL(WADD(bits, UK(quarter_turns)), 30);

    if (quarter_turns == 0)
        sign = WXOR(sign, BITS_OF(angle));
    F value = IF(WEQ(WAND(bits, UK(1)), UK(1)), quarter_turns ? sine : cosine,
                 quarter_turns ? cosine : sine);
    return FLOAT_OF(WXOR(BITS_OF(value), WAND(sign, UK(0x80000000))));
}
