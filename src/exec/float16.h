/* SPDX-License-Identifier: MIT */

/* Conversions between the floating-point types of vISA, and arithmetic on HF with one rounding,
 * in every rounding mode of %cr0. All of it is integer arithmetic: results do not depend on the
 * rounding mode, the denormal flags or the instruction set of the host.
 */
#ifndef VISAGE_EXEC_FLOAT16_H
#define VISAGE_EXEC_FLOAT16_H

#include <stdint.h>

/* Encoded as bits 4-5 of %cr0 (vISA object format, V14). */
typedef enum vsg_exe_rounding {
    VSG_EXE_RNE = 0, /* to nearest, ties to even */
    VSG_EXE_RU = 1,  /* toward +inf */
    VSG_EXE_RD = 2,  /* toward -inf */
    VSG_EXE_RTZ = 3, /* toward zero */
} vsg_exe_rounding;

/* For every conversion: denormals are kept on both sides (the denormal modes of %cr0 are the
 * caller's business), zeros and infinities keep their sign, a NaN keeps its sign and the top
 * bits of its payload and comes out quiet. A finite value too large becomes infinite or the
 * largest finite number, as IEEE 754 has it for each mode.
 */

/* HF: 1-5-10. Widening is exact. */
float vsg_exe_half_to_float(uint16_t half);
uint16_t vsg_exe_float_to_half(float x, vsg_exe_rounding mode);
uint16_t vsg_exe_double_to_half(double x, vsg_exe_rounding mode);

/* BF: 1-8-7. Widening is exact. */
float vsg_exe_bf16_to_float(uint16_t bf16);
uint16_t vsg_exe_float_to_bf16(float x, vsg_exe_rounding mode);
uint16_t vsg_exe_double_to_bf16(double x, vsg_exe_rounding mode);

/* DF to F in a mode that need not be the host's. */
float vsg_exe_double_to_float(double x, vsg_exe_rounding mode);

/* The two conversions of FCVT. Both narrow to nearest even.
 *
 * BF8 is 1-5-2; denormals are retained. TF32 is 1-8-10 in the upper 19 bits of an F, so
 * widening is a copy of the bits; F denormals become zero.
 */
uint16_t vsg_exe_bf8_to_half(uint8_t bf8);
uint8_t vsg_exe_half_to_bf8(uint16_t half);
uint32_t vsg_exe_float_to_tf32(float x);

/* HF arithmetic with a single rounding. NaN: the first operand that is one comes back quiet; an
 * operation without a value gives 0xfe00, the half of x86's NaN. An exact zero sum of opposite
 * terms is +0, but -0 in mode RD. a - b is a plus b with its sign bit flipped.
 *
 * INV, DIV and SQRT need no function of this kind. The quotient of two halves and the root of
 * one either are a half or a midpoint between two, or differ from it by more than an F rounded
 * to nearest can be off. So vsg_exe_float_to_half() of the F result is the one right rounding,
 * in each mode.
 */
uint16_t vsg_exe_half_add(uint16_t a, uint16_t b, vsg_exe_rounding mode);
uint16_t vsg_exe_half_mul(uint16_t a, uint16_t b, vsg_exe_rounding mode);
uint16_t vsg_exe_half_fma(uint16_t a, uint16_t b, uint16_t c, vsg_exe_rounding mode);

/* The same of BF. Sums, products and quotients need no function of this kind: F has more than
 * twice the digits. */
uint16_t vsg_exe_bf16_fma(uint16_t a, uint16_t b, uint16_t c, vsg_exe_rounding mode);

#endif
