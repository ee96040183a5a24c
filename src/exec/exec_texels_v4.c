/* SPDX-License-Identifier: MIT
 *
 * Texels eight at a time, compiled for x86-64-v4. */
#include "exec/texel_lanes.h"

#if defined(__AVX512F__)

#include "exec/texel_lanes_ops.h"

const vsg_exe_texel_lanes *vsg_exe_texel_lanes_v4(uint32_t format)
{
    return lanes_of(format);
}

#else

const vsg_exe_texel_lanes *vsg_exe_texel_lanes_v4(uint32_t format)
{
    (void)format;
    return NULL;
}

#endif
