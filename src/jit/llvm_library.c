/* SPDX-License-Identifier: MIT
 *
 * The library that holds what is used of LLVM (CMakeLists.txt). */

/* Takes the place of the C library's for what is linked here. A process may end while another
 * thread of it compiles: nothing of LLVM is to be taken down before. */
int __cxa_atexit(void (*function)(void *), void *argument, void *library);

int __cxa_atexit(void (*function)(void *), void *argument, void *library)
{
    (void)function;
    (void)argument;
    (void)library;
    return 0;
}
