/* SPDX-License-Identifier: MIT
 *
 * A child of the application would send it SIGCHLD, and wait() would find it. So it is started
 * by a process in between, which ends at once: that one was made by clone() without a signal,
 * which wait() does not look for either. It shares memory with this thread, which stands still
 * meanwhile, as with vfork(). */
#define _GNU_SOURCE /* clone() */
#include "opencl/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_THREAD_SANITIZED
#endif
#elif defined(__SANITIZE_THREAD__)
#define IS_THREAD_SANITIZED
#endif

/* ThreadSanitizer takes each clone() for a fork, whose memory is its own, and stops watching
 * the locks of the thread in the memory that is ours as well. It does not know the function by
 * its other name. */
#if defined(IS_THREAD_SANITIZED)
int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...);
#define clone __clone
#endif

enum { STACK_BYTES = 256 << 10 };

typedef struct start {
    const char *path, *word;
    const posix_spawn_file_actions_t *files;
    const posix_spawnattr_t *attributes;
    int error;
} start;

static int start_program(void *user)
{
    start *s = user;
    char *const arguments[] = {(char *)(uintptr_t)s->path, (char *)(uintptr_t)s->word, NULL};
    pid_t pid;

    s->error = posix_spawn(&pid, s->path, s->files, s->attributes, arguments, environ);
    return 0;
}

/* Runs start_program() in a process in between. Signals are blocked: a handler must not run
 * twice in the same memory. */
static void start_apart(start *s)
{
    sigset_t all, old;
    void *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

    if (stack == MAP_FAILED) {
        s->error = errno;
        return;
    }
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    pid_t between =
        clone(start_program, (char *)stack + STACK_BYTES, CLONE_VM | CLONE_VFORK, s);
    if (between < 0)
        s->error = errno;
    while (between > 0 && waitpid(between, NULL, (int)__WCLONE) < 0 && errno == EINTR) {
    }
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    (void)munmap(stack, STACK_BYTES);
}

static bool set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t set;
    const int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP;

    (void)sigemptyset(&set);
    if (posix_spawnattr_setsigmask(attributes, &set) != 0)
        return false;
    (void)sigfillset(&set);
    /* A group of its own: keys of the terminal are meant for the application. */
    return posix_spawnattr_setsigdefault(attributes, &set) == 0 &&
           posix_spawnattr_setpgroup(attributes, 0) == 0 &&
           posix_spawnattr_setflags(attributes, (short)flags) == 0;
}

static bool set_files(posix_spawn_file_actions_t *files, int socket, int errors)
{
    return posix_spawn_file_actions_adddup2(files, socket, STDIN_FILENO) == 0 &&
           posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) ==
               0 &&
           posix_spawn_file_actions_adddup2(files, errors, STDERR_FILENO) == 0;
}

int vsg_ocl_above_standard(int file)
{
    if (file < 0 || file > STDERR_FILENO)
        return file;
    int moved = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int error = errno;
    (void)close(file);
    errno = error;
    return moved;
}

static void close_both(const int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            (void)close(ends[i]);
}

/* None of them is a standard file. False, and errno is set: neither is open. */
static bool move_up(int ends[2])
{
    for (int i = 0; i < 2; i++)
        ends[i] = vsg_ocl_above_standard(ends[i]);
    if (ends[0] >= 0 && ends[1] >= 0)
        return true;
    int error = errno;
    close_both(ends);
    errno = error;
    return false;
}

/* Pairs of ours and the process's: of the socket and of the pipe for errors. */
static bool open_files(int sockets[2], int errors[2])
{
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0 || !move_up(sockets))
        return false;
    /* Where nobody reads what a process says it goes on. */
    if (pipe2(errors, O_CLOEXEC | O_NONBLOCK) == 0 && move_up(errors))
        return true;
    int error = errno;
    close_both(sockets);
    errno = error;
    return false;
}

void vsg_ocl_close_process(vsg_ocl_process *process)
{
    if (process->socket >= 0) {
        (void)close(process->socket);
        (void)close(process->errors);
    }
    process->socket = process->errors = -1;
}

vsg_ocl_process vsg_ocl_spawn(const char *path, const char *word, int *error)
{
    int sockets[2], errors[2];
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    start s = {.path = path,
               .word = word,
               .files = &files,
               .attributes = &attributes,
               .error = ENOMEM};

    if (!open_files(sockets, errors)) {
        *error = errno;
        return (vsg_ocl_process){-1, -1};
    }
    vsg_ocl_process out = {sockets[0], errors[0]};
    if (posix_spawn_file_actions_init(&files) == 0) {
        if (posix_spawnattr_init(&attributes) == 0) {
            if (set_attributes(&attributes) && set_files(&files, sockets[1], errors[1]))
                start_apart(&s);
            (void)posix_spawnattr_destroy(&attributes);
        }
        (void)posix_spawn_file_actions_destroy(&files);
    }
    (void)close(sockets[1]);
    (void)close(errors[1]);
    *error = s.error;
    if (s.error != 0)
        vsg_ocl_close_process(&out);
    return out;
}
