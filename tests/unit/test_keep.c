/* SPDX-License-Identifier: MIT
 *
 * Calls that keep all registers (jit/keep.h) can be unwound wherever a debugger or a profiler
 * stops the thread: the processor stops behind each of their instructions here, and from there
 * the caller must be found, with its registers. */
#define _GNU_SOURCE /* REG_RIP */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "jit/keep.h"

#if defined(__x86_64__)

#include <ucontext.h>
#include <unwind.h>

enum { MARK = 0x5eed, TRAP_FLAG = 0x100, DWARF_RBP = 6 };

/* Calls the function, with MARK in %rbp, and has the processor stop behind each instruction
 * from the call on. Where it comes back to has a name. */
uint32_t test_keep_call(const vsg_jit_batch *batch, vsg_jit_function function);
extern const char test_keep_back[];

__asm__(".text\n"
        "test_keep_call:\n"
        ".cfi_startproc\n"
        "pushq %rbp\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset %rbp, -16\n"
        "movl $0x5eed, %ebp\n"
        "pushfq\n"
        ".cfi_def_cfa_offset 24\n"
        "orl $0x100, (%rsp)\n"
        "popfq\n"
        ".cfi_def_cfa_offset 16\n"
        "callq *%rsi\n"
        "test_keep_back:\n"
        "popq %rbp\n"
        ".cfi_restore %rbp\n"
        ".cfi_def_cfa_offset 8\n"
        "ret\n"
        ".cfi_endproc\n");

static volatile sig_atomic_t stops, lost;

typedef struct search {
    bool is_found, is_marked;
    uint32_t behind; /* frames */
} search;

static _Unwind_Reason_Code look(struct _Unwind_Context *frame, void *user)
{
    search *s = user;

    s->behind += s->is_found;
    if (_Unwind_GetIP(frame) == (uintptr_t)test_keep_back) {
        s->is_found = true;
        s->is_marked = _Unwind_GetGR(frame, DWARF_RBP) == MARK;
    }
    return _URC_NO_REASON;
}

static void stop(int signal, siginfo_t *info, void *user)
{
    ucontext_t *context = user;
    search s = {0};

    (void)signal;
    (void)info;
    if ((uintptr_t)context->uc_mcontext.gregs[REG_RIP] == (uintptr_t)test_keep_back) {
        context->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
        return;
    }
    (void)_Unwind_Backtrace(look, &s);
    stops++;
    lost += !s.is_marked || s.behind == 0;
}

static void check(vsg_jit_function function)
{
    const vsg_jit_batch batch = {.turn = UINT64_MAX};

    stops = lost = 0;
    assert_int_equal(test_keep_call(&batch, function), 0);
    assert_true(stops > 40); /* it stores and loads 24 registers or more */
    assert_int_equal(lost, 0);
}

/* Ways of the function for hosts with other registers (keep.c). */
void vsg_jit_stops_xmm(void);
void vsg_jit_stops_ymm(void);
void vsg_jit_stops_zmm(void);

static void callers_are_found(void **state)
{
    struct sigaction action = {.sa_sigaction = stop, .sa_flags = SA_SIGINFO}, before;

    (void)state;
#if defined(__SANITIZE_THREAD__)
    skip(); /* it holds signals back */
#endif
    assert_int_equal(sigaction(SIGTRAP, &action, &before), 0);
    check(vsg_jit_stops_xmm);
    if (__builtin_cpu_supports("avx"))
        check(vsg_jit_stops_ymm);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
        check(vsg_jit_stops_zmm);
    assert_int_equal(sigaction(SIGTRAP, &before, NULL), 0);
}

#else

static void callers_are_found(void **state)
{
    (void)state;
    assert_false(vsg_jit_can_keep());
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callers_are_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
