/* SPDX-License-Identifier: MIT */
#include "jit/keep.h"

#include <string.h>

#if defined(__x86_64__)

/* One way for each width of registers. Arguments stay where they are; the result is in %rax,
 * which is not kept. The upper halves of vector registers are cleared for the C code. What is
 * known of the frame lets debuggers and profilers find the caller. */
__asm__(".text\n"
        ".macro vsg_keep_begin width\n"
        ".type vsg_jit_keep_\\width, @function\n"
        "vsg_jit_keep_\\width:\n"
        ".cfi_startproc\n"
        ".cfi_def_cfa %rbp, 16\n"
        ".cfi_offset %rbp, -16\n"
        ".irp register, rcx, rdx, rsi, rdi, r8, r9, r10, r11\n"
        "pushq %\\register\n"
        ".endr\n"
        "subq $32 * 64 + 64, %rsp\n"
        "andq $-64, %rsp\n"
        ".endm\n"
        ".macro vsg_keep_end width\n"
        "leaq -64(%rbp), %rsp\n"
        ".irp register, r11, r10, r9, r8, rdi, rsi, rdx, rcx\n"
        "popq %\\register\n"
        ".endr\n"
        "popq %rbp\n"
        ".cfi_restore %rbp\n"
        ".cfi_def_cfa %rsp, 8\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size vsg_jit_keep_\\width, . - vsg_jit_keep_\\width\n"
        ".endm\n"

        "vsg_keep_begin xmm\n"
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "movups %xmm\\n, 16 * \\n(%rsp)\n"
        ".endr\n"
        "callq *%rax\n"
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "movups 16 * \\n(%rsp), %xmm\\n\n"
        ".endr\n"
        "vsg_keep_end xmm\n"

        "vsg_keep_begin ymm\n"
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "vmovups %ymm\\n, 32 * \\n(%rsp)\n"
        ".endr\n"
        "vzeroupper\n"
        "callq *%rax\n"
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "vmovups 32 * \\n(%rsp), %ymm\\n\n"
        ".endr\n"
        "vsg_keep_end ymm\n"

        "vsg_keep_begin zmm\n"
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, "
        "21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n"
        "vmovups %zmm\\n, 64 * \\n(%rsp)\n"
        ".endr\n"
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7\n"
        "kmovq %k\\n, 32 * 64 + 8 * \\n(%rsp)\n"
        ".endr\n"
        "vzeroupper\n"
        "callq *%rax\n"
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7\n"
        "kmovq 32 * 64 + 8 * \\n(%rsp), %k\\n\n"
        ".endr\n"
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, "
        "21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n"
        "vmovups 64 * \\n(%rsp), %zmm\\n\n"
        ".endr\n"
        "vsg_keep_end zmm\n");

/* What comes before the function itself: it has the same arguments, and leaves vector registers
 * alone. -1 is VSG_JIT_NOT_DONE. */
#define TRY(quickly)                                                                           \
    ".irp register, rcx, rdx, rsi, rdi, r8, r9, r10, r11\n"                                    \
    "pushq %\\register\n"                                                                      \
    ".endr\n"                                                                                  \
    "callq *" quickly "@GOTPCREL(%rip)\n"                                                      \
    ".irp register, r11, r10, r9, r8, rdi, rsi, rdx, rcx\n"                                    \
    "popq %\\register\n"                                                                       \
    ".endr\n"                                                                                  \
    "cmpl $-1, %eax\n"                                                                         \
    "je 1f\n"                                                                                  \
    "popq %rbp\n"                                                                              \
    ".cfi_remember_state\n"                                                                    \
    ".cfi_restore %rbp\n"                                                                      \
    ".cfi_def_cfa %rsp, 8\n"                                                                   \
    "ret\n"                                                                                    \
    ".cfi_restore_state\n"                                                                     \
    "1:\n"

/* An entry for each function and width. */
#define ENTRY(function, width, try)                                                            \
    __asm__(".text\n"                                                                          \
            ".hidden " #function "_" #width "\n"                                               \
            ".globl " #function "_" #width "\n"                                                \
            ".type " #function "_" #width ", @function\n" #function "_" #width ":\n"           \
            ".cfi_startproc\n"                                                                 \
            "pushq %rbp\n"                                                                     \
            ".cfi_def_cfa_offset 16\n"                                                         \
            ".cfi_offset %rbp, -16\n"                                                          \
            "movq %rsp, %rbp\n"                                                                \
            ".cfi_def_cfa_register %rbp\n" try "movq " #function "@GOTPCREL(%rip), %rax\n"     \
            "jmp vsg_jit_keep_" #width "\n"                                                    \
            ".cfi_endproc\n"                                                                   \
            ".size " #function "_" #width ", . - " #function "_" #width "\n");

#define CALL(function)
#define HOST(function)
#define ENTRIES(function, try)                                                                 \
    ENTRY(function, xmm, try)                                                                  \
    ENTRY(function, ymm, try)                                                                  \
    ENTRY(function, zmm, try)                                                                  \
    void function##_xmm(void);                                                                 \
    void function##_ymm(void);                                                                 \
    void function##_zmm(void);
#define KEPT(function)  ENTRIES(function, "")
#define TRIED(function) ENTRIES(function, TRY(#function "_quickly"))
#include "jit/calls.def"
#undef KEPT
#undef TRIED

enum { WIDTH_XMM, WIDTH_YMM, WIDTH_ZMM, NUM_WIDTHS };

/* The host's: code is never made for more than it has. */
static int width_of_host(void)
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
        return WIDTH_ZMM;
    return __builtin_cpu_supports("avx") ? WIDTH_YMM : WIDTH_XMM;
}

/* Of mask registers without AVX512BW half is not saved. */
bool vsg_jit_can_keep(void)
{
    return !__builtin_cpu_supports("avx512f") || __builtin_cpu_supports("avx512bw");
}

vsg_jit_function vsg_jit_find_kept(const char *name)
{
    static const struct {
        const char *name;
        vsg_jit_function ways[NUM_WIDTHS];
    } functions[] = {
#define KEPT(function)  {#function "_kept", {function##_xmm, function##_ymm, function##_zmm}},
#define TRIED(function) KEPT(function)
#include "jit/calls.def"
#undef KEPT
#undef TRIED
    };

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].ways[width_of_host()];
    return NULL;
}

#else

bool vsg_jit_can_keep(void)
{
    return false;
}

vsg_jit_function vsg_jit_find_kept(const char *name)
{
    (void)name;
    return NULL;
}

#endif
