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

#include "exec/message.h"
#include "exec/program.h"
#include "jit/keep.h"

#if defined(__x86_64__)

#include <ucontext.h>
#include <unwind.h>

enum { MARK = 0x5eed, TRAP_FLAG = 0x100, DWARF_RBP = 6 };

/* Calls the function with six arguments, with MARK in %rbp, and has the processor stop behind
 * each instruction from the call on. Where it comes back to has a name. */
uint32_t test_keep_call(const uint64_t *args, vsg_jit_function function);
extern const char test_keep_back[];

__asm__(".text\n"
        "test_keep_call:\n"
        ".cfi_startproc\n"
        "pushq %rbp\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset %rbp, -16\n"
        "movl $0x5eed, %ebp\n"
        "movq %rsi, %rax\n"
        "movq %rdi, %r10\n"
        "movq (%r10), %rdi\n"
        "movq 8(%r10), %rsi\n"
        "movq 16(%r10), %rdx\n"
        "movq 24(%r10), %rcx\n"
        "movq 32(%r10), %r8\n"
        "movq 40(%r10), %r9\n"
        "pushfq\n"
        ".cfi_def_cfa_offset 24\n"
        "orl $0x100, (%rsp)\n"
        "popfq\n"
        ".cfi_def_cfa_offset 16\n"
        "callq *%rax\n"
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

static void check_call(vsg_jit_function function, const uint64_t *args, uint32_t result,
                       int least)
{
    stops = lost = 0;
    assert_int_equal(test_keep_call(args, function), result);
    assert_true(stops > least);
    assert_int_equal(lost, 0);
}

/* One that keeps all, 24 registers or more, and one that is tried without vector registers
 * before: which does it, or does not, as there is no memory. */
static void check(vsg_jit_function function, vsg_jit_function tried)
{
    const vsg_jit_batch batch = {.turn = UINT64_MAX};
    const uint16_t element_at = 0;
    const vsg_exe_message message = {
        .memory_bytes = 4, .num_elements = 1, .element_at = &element_at};
    const vsg_exe_inst inst = {.message = &message};
    const vsg_exe_thread thread = {.code = &inst};
    static vsg_jit_moved moved; /* of addresses that are all 0 */
    uint32_t memory = MARK;
    uint64_t args[6] = {(uintptr_t)&batch};

    check_call(function, args, 0, 40);
    uint64_t places[6] = {(uintptr_t)&thread, 0, (uintptr_t)&memory, 1, (uintptr_t)&moved, 3};
    check_call(tried, places, 1, 30);
    assert_int_equal(moved.elements[0][0] | moved.elements[0][1] << 8, MARK);
    places[3] = 0;
    check_call(tried, places, 0, 60);
}

/* Ways of the functions for hosts with other registers (keep.c). */
void vsg_jit_stops_xmm(void);
void vsg_jit_stops_ymm(void);
void vsg_jit_stops_zmm(void);
void vsg_jit_load_within_xmm(void);
void vsg_jit_load_within_ymm(void);
void vsg_jit_load_within_zmm(void);

static void callers_are_found(void **state)
{
    struct sigaction action = {.sa_sigaction = stop, .sa_flags = SA_SIGINFO}, before;

    (void)state;
#if defined(__SANITIZE_THREAD__)
    skip(); /* it holds signals back */
#endif
    assert_int_equal(sigaction(SIGTRAP, &action, &before), 0);
    check(vsg_jit_stops_xmm, vsg_jit_load_within_xmm);
    if (__builtin_cpu_supports("avx"))
        check(vsg_jit_stops_ymm, vsg_jit_load_within_ymm);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
        check(vsg_jit_stops_zmm, vsg_jit_load_within_zmm);
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
