/* SPDX-License-Identifier: MIT
 *
 * A module with a specialization constant of each type, as spirv-as makes it of the text beside
 * the words (--target-env spv1.1): the kernel "constants" stores them as 64-bit numbers, those
 * with a fraction squared, and behind them the second part of a composite of the third.
 */
#ifndef VISAGE_TESTS_CONSTANTS_SPIRV_H
#define VISAGE_TESTS_CONSTANTS_SPIRV_H

#include <stdint.h>

/* clang-format off */
static const uint32_t constants_words[] = {
    0x07230203, 0x00010100, 458752, 42, 0,
    0x00020011, 4, /* OpCapability Addresses */
    0x00020011, 6, /* OpCapability Kernel */
    0x00020011, 11, /* OpCapability Int64 */
    0x00020011, 22, /* OpCapability Int16 */
    0x00020011, 39, /* OpCapability Int8 */
    0x00020011, 9, /* OpCapability Float16 */
    0x0003000e, 2, 2, /* OpMemoryModel Physical64 OpenCL */
    0x0006000f, 6, 1, 0x736e6f63, 0x746e6174, 115, /* OpEntryPoint Kernel %kernel "constants" */
    0x00040047, 2, 1, 1, /* OpDecorate %byte SpecId 1 */
    0x00040047, 3, 1, 2, /* OpDecorate %word SpecId 2 */
    0x00040047, 4, 1, 3, /* OpDecorate %dword SpecId 3 */
    0x00040047, 5, 1, 4, /* OpDecorate %qword SpecId 4 */
    0x00040047, 6, 1, 5, /* OpDecorate %single SpecId 5 */
    0x00040047, 7, 1, 6, /* OpDecorate %short SpecId 6 */
    0x00040015, 8, 8, 0, /* %i8 = OpTypeInt 8 0 */
    0x00040015, 9, 16, 0, /* %i16 = OpTypeInt 16 0 */
    0x00040015, 10, 32, 0, /* %i32 = OpTypeInt 32 0 */
    0x00040015, 11, 64, 0, /* %i64 = OpTypeInt 64 0 */
    0x00030016, 12, 32, /* %f32 = OpTypeFloat 32 */
    0x00030016, 13, 16, /* %f16 = OpTypeFloat 16 */
    0x00020013, 14, /* %void = OpTypeVoid */
    0x00040020, 15, 5, 11, /* %pointer = OpTypePointer CrossWorkgroup %i64 */
    0x00040021, 16, 14, 15, /* %function = OpTypeFunction %void %pointer */
    0x00040032, 8, 2, 11, /* %byte = OpSpecConstant %i8 11 */
    0x00040032, 9, 3, 1200, /* %word = OpSpecConstant %i16 1200 */
    0x00040032, 10, 4, 0x0001fbd0, /* %dword = OpSpecConstant %i32 130000 */
    0x00050032, 11, 5, 0x42770c00, 3, /* %qword = OpSpecConstant %i64 14000000000 */
    0x00040032, 12, 6, 0x3fc00000, /* %single = OpSpecConstant %f32 1.5 */
    0x00040032, 13, 7, 16640, /* %short = OpSpecConstant %f16 2.5 */
    0x00040017, 17, 10, 2, /* %pair = OpTypeVector %i32 2 */
    0x00050033, 17, 18, 4, 4, /* %both = OpSpecConstantComposite %pair %dword %dword */
    0x0005002b, 11, 19, 1, 0, /* %one = OpConstant %i64 1 */
    0x0005002b, 11, 20, 2, 0, /* %two = OpConstant %i64 2 */
    0x0005002b, 11, 21, 3, 0, /* %three = OpConstant %i64 3 */
    0x0005002b, 11, 22, 4, 0, /* %four = OpConstant %i64 4 */
    0x0005002b, 11, 23, 5, 0, /* %five = OpConstant %i64 5 */
    0x0005002b, 11, 24, 6, 0, /* %six = OpConstant %i64 6 */
    0x00050036, 14, 1, 0, 16, /* %kernel = OpFunction %void None %function */
    0x00030037, 15, 25, /* %at = OpFunctionParameter %pointer */
    0x000200f8, 26, /* %label = OpLabel */
    0x00040071, 11, 27, 2, /* %value0 = OpUConvert %i64 %byte */
    0x0005003e, 25, 27, 2, 8, /* OpStore %at %value0 Aligned 8 */
    0x00050046, 15, 28, 25, 19, /* %at1 = OpInBoundsPtrAccessChain %pointer %at %one */
    0x00040071, 11, 29, 3, /* %value1 = OpUConvert %i64 %word */
    0x0005003e, 28, 29, 2, 8, /* OpStore %at1 %value1 Aligned 8 */
    0x00050046, 15, 30, 25, 20, /* %at2 = OpInBoundsPtrAccessChain %pointer %at %two */
    0x00040071, 11, 31, 4, /* %value2 = OpUConvert %i64 %dword */
    0x0005003e, 30, 31, 2, 8, /* OpStore %at2 %value2 Aligned 8 */
    0x00050046, 15, 32, 25, 21, /* %at3 = OpInBoundsPtrAccessChain %pointer %at %three */
    0x0005003e, 32, 5, 2, 8, /* OpStore %at3 %qword Aligned 8 */
    0x00050046, 15, 33, 25, 22, /* %at4 = OpInBoundsPtrAccessChain %pointer %at %four */
    0x00050085, 12, 34, 6, 6, /* %square4 = OpFMul %f32 %single %single */
    0x0004006d, 11, 35, 34, /* %value4 = OpConvertFToU %i64 %square4 */
    0x0005003e, 33, 35, 2, 8, /* OpStore %at4 %value4 Aligned 8 */
    0x00050046, 15, 36, 25, 23, /* %at5 = OpInBoundsPtrAccessChain %pointer %at %five */
    0x00050085, 13, 37, 7, 7, /* %square5 = OpFMul %f16 %short %short */
    0x0004006d, 11, 38, 37, /* %value5 = OpConvertFToU %i64 %square5 */
    0x0005003e, 36, 38, 2, 8, /* OpStore %at5 %value5 Aligned 8 */
    0x00050046, 15, 39, 25, 24, /* %at6 = OpInBoundsPtrAccessChain %pointer %at %six */
    0x00050051, 10, 40, 18, 1, /* %second = OpCompositeExtract %i32 %both 1 */
    0x00040071, 11, 41, 40, /* %value6 = OpUConvert %i64 %second */
    0x0005003e, 39, 41, 2, 8, /* OpStore %at6 %value6 Aligned 8 */
    0x000100fd, /* OpReturn */
    0x00010038, /* OpFunctionEnd */
};
/* clang-format on */

#endif
