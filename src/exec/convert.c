/* SPDX-License-Identifier: MIT */
#include "exec/convert.h"

#include <math.h>

#include "isa/isa.h"

double vsg_exe_wide_to_odd(vsg_exe_int128 value)
{
    uint64_t magnitude = (uint64_t)(value < 0 ? -value : value);
    int shift = 0;

    while (magnitude >> 53) {
        magnitude = magnitude >> 1 | (magnitude & 1);
        shift++;
    }
    double result = ldexp((double)(int64_t)magnitude, shift);
    return value < 0 ? -result : result;
}

float vsg_exe_wide_to_float(vsg_exe_int128 value)
{
    return (float)vsg_exe_wide_to_odd(value);
}

double vsg_exe_wide_to_double(vsg_exe_int128 value)
{
    /* Both parts are exact and have the value's sign, so the sum is the one rounding. */
    int64_t high = (int64_t)(value / ((vsg_exe_int128)1 << 32));
    int64_t low = (int64_t)(value % ((vsg_exe_int128)1 << 32));
    return (double)high * 0x1p32 + (double)low;
}

vsg_exe_int128 vsg_exe_least(visage_type type)
{
    const vsg_isa_type_info *info = vsg_isa_type(type);

    if (info->kind == VSG_ISA_KIND_UNSIGNED)
        return 0;
    return -((vsg_exe_int128)1 << (info->bytes * 8 - 1));
}

vsg_exe_int128 vsg_exe_greatest(visage_type type)
{
    const vsg_isa_type_info *info = vsg_isa_type(type);
    uint32_t bits = info->bytes * 8 - (info->kind == VSG_ISA_KIND_SIGNED);

    return ((vsg_exe_int128)1 << bits) - 1;
}

/* The integers of a type as doubles: least <= x < end. Powers of two, so they are exact. */
typedef struct range {
    double least, end;
    uint64_t greatest;
} range;

static const range ranges[VISAGE_TYPE_COUNT] = {
    [VISAGE_TYPE_UB] = {0.0, 0x1p8, UINT8_MAX},
    [VISAGE_TYPE_B] = {-0x1p7, 0x1p7, INT8_MAX},
    [VISAGE_TYPE_UW] = {0.0, 0x1p16, UINT16_MAX},
    [VISAGE_TYPE_W] = {-0x1p15, 0x1p15, INT16_MAX},
    [VISAGE_TYPE_UD] = {0.0, 0x1p32, UINT32_MAX},
    [VISAGE_TYPE_D] = {-0x1p31, 0x1p31, INT32_MAX},
    [VISAGE_TYPE_UQ] = {0.0, 0x1p64, UINT64_MAX},
    [VISAGE_TYPE_Q] = {-0x1p63, 0x1p63, INT64_MAX},
};

uint64_t vsg_exe_double_to_int(double value, visage_type type)
{
    const range *limits = &ranges[type];

    if (!(value >= limits->least)) /* NaN too */
        return value < 0.0 ? (uint64_t)(int64_t)limits->least : 0;
    if (value >= limits->end)
        return limits->greatest;
    return value < 0x1p63 ? (uint64_t)(int64_t)value : (uint64_t)value;
}
