/* SPDX-License-Identifier: MIT
 *
 * The host's floating-point unit set as %cr0 wants it: rounding, and denormals flushed or kept
 * (4_visa_header, V14). thread->host_mode has what is set, so that asking again costs a
 * comparison.
 *
 * A handler sets the mode before it reads its operands: a compiler moves no load, and so
 * nothing computed from one, over the call. */
#ifndef VISAGE_EXEC_FPMODE_H
#define VISAGE_EXEC_FPMODE_H

#include "exec/float16.h"
#include "exec/thread.h"

/* 1 where the host itself flushes denormals; else results are flushed when they are written,
 * and no handler may leave that out. */
#if defined(__SSE2_MATH__)
#define VSG_EXE_HOST_FLUSHES 1
#else
#define VSG_EXE_HOST_FLUSHES 0
#endif

/* The state of the host outside of the interpreter, and back to it. */
uint32_t vsg_exe_host_save(void);
void vsg_exe_host_restore(uint32_t state);
/* Sets a known state: to nearest even, denormals kept, no exception traps. */
void vsg_exe_host_enter(vsg_exe_thread *thread);

/* Makes `mode`, a value of vsg_exe_host_mode(), the host's, or also the thread's. To ask for
 * the host's, as vsg_exe_host_save() does, takes x86 ten times as long as to set it. */
void vsg_exe_host_use(uint32_t mode);
void vsg_exe_host_set(vsg_exe_thread *thread, uint32_t mode);

/* x86: the value of MXCSR. Its rounding field has 1 and 2 the other way round than %cr0. */
static inline uint32_t vsg_exe_host_mode(uint32_t rounding, bool flush)
{
    uint32_t field = (rounding & 1) << 1 | rounding >> 1;
    return 0x1f80 | field << 13 | (flush ? 0x8040u : 0);
}

static inline void vsg_exe_host_want(vsg_exe_thread *thread, uint32_t rounding, bool flush)
{
    uint32_t mode = vsg_exe_host_mode(rounding, flush);

    if (mode != thread->host_mode)
        vsg_exe_host_set(thread, mode);
}

/* For the functions of math.h: to nearest even, denormals kept, whatever %cr0 says. */
static inline void vsg_exe_use_math_mode(vsg_exe_thread *thread)
{
    vsg_exe_host_want(thread, VSG_EXE_RNE, false);
}

/* For conversions: the rounding of %cr0, denormals kept. */
static inline void vsg_exe_use_conversion_mode(vsg_exe_thread *thread)
{
    vsg_exe_host_want(thread, thread->rounding, false);
}

/* Sets the host's floating-point unit to the thread's mode for arithmetic in `class_`:
 * rounding, and denormals flushed or kept. Every handler that computes with floats calls it
 * first. Halves are computed by float16.h, or in float as math.h wants it. */
static inline void vsg_exe_use_mode(vsg_exe_thread *thread, vsg_exe_class class_)
{
    if (class_ == VSG_EXE_CLASS_FLOAT)
        vsg_exe_host_want(thread, thread->rounding, !(thread->mode & VSG_EXE_CR0_DENORM_F));
    else if (class_ == VSG_EXE_CLASS_DOUBLE)
        vsg_exe_host_want(thread, thread->rounding, !(thread->mode & VSG_EXE_CR0_DENORM_DF));
    else if (class_ == VSG_EXE_CLASS_HALF)
        vsg_exe_use_math_mode(thread);
}

#endif
