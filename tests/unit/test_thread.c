/* SPDX-License-Identifier: MIT
 *
 * Threads of the library's own get no signals, whatever whoever starts them does. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/thread.h"

static void *look(void *user)
{
    sigset_t *blocked = user;

    (void)pthread_sigmask(SIG_SETMASK, NULL, blocked);
    return NULL;
}

static void a_thread_blocks_signals(void **state)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGUSR1, SIGALRM, SIGCHLD, SIGSEGV};
    sigset_t none, before, after, blocked;
    pthread_t thread;

    (void)state;
    (void)sigemptyset(&none);
    (void)sigemptyset(&blocked);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &none, &before), 0);
    assert_true(vsg_base_thread_start(&thread, look, &blocked));
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &before, &after), 0);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        assert_int_equal(sigismember(&blocked, signals[i]), 1);
        assert_int_equal(sigismember(&after, signals[i]), 0); /* who started it has them */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_blocks_signals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
