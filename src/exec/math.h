/* SPDX-License-Identifier: MIT */

/* Extended math: the vISA instructions EXP LOG POW SIN COS INV SQRT RSQRT as pure functions,
 * the same source for every engine, so that all of them give the same bits. docs/precision.md
 * has the error bounds and how they were measured.
 */
#ifndef VISAGE_EXEC_MATH_H
#define VISAGE_EXEC_MATH_H

/* State of the host, for every function here: round to nearest even, denormals kept (no FTZ, no
 * DAZ). The denormal and ALT modes of %cr0, saturation and source modifiers are the caller's
 * business.
 *
 * The result depends on the argument only. Of libm only fma(), fmaf(), sqrt() and sqrtf() are
 * called, which are correctly rounded with or without hardware. Wherever a product goes into a
 * sum the fma is explicit, so contraction by a compiler has nothing to act on.
 *
 * NaN: a NaN operand comes back quiet, with its sign and payload. An operation without a value
 * (log of a negative number, sine of an infinity) gives 0xffc00000, the NaN that x86 arithmetic
 * makes, so that these functions and the plain sums and quotients of an engine agree.
 */

/* EXP: 2 to the power x. */
float vsg_exe_math_exp2(float x);

/* LOG: logarithm to base 2; -inf at either zero, NaN below. In ALT mode pass fabsf(x). */
float vsg_exe_math_log2(float x);

/* POW: x to the power y with the special values of IEEE 754 pow: x^0 and 1^y are 1 even for
 * NaN, and a negative finite x has a value for whole y only. The page POW announces a table of
 * special values that is not there; what it does say is "dst = pow(src0, src1)".
 */
float vsg_exe_math_pow(float x, float y);

/* SIN, COS: x in radians, of any magnitude. */
float vsg_exe_math_sin(float x);
float vsg_exe_math_cos(float x);

/* INV, SQRT, SQRTM: correctly rounded. */
float vsg_exe_math_inv(float x);
float vsg_exe_math_sqrt(float x);
double vsg_exe_math_inv_f64(double x);
double vsg_exe_math_sqrt_f64(double x);

/* RSQRT: 1/sqrt(x), correctly rounded; infinite at zeros with their sign, as 1/sqrt is. */
float vsg_exe_math_rsqrt(float x);

/* The same bits as vsg_exe_math_rsqrt() for every argument, by single-precision operations
 * only: the form for vector code, where square root and division in double cost several times
 * as much. Slow on a host without FMA.
 */
float vsg_exe_math_rsqrt_narrow(float x);

/* 1/sqrt(x) with two roundings, so not correctly rounded; the page RSQRT has no DF. */
double vsg_exe_math_rsqrt_f64(double x);

#endif
