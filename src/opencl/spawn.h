/* SPDX-License-Identifier: MIT
 *
 * Starting a process that the application does not notice: it is no child of the application,
 * gets none of its files, and keeps to itself until its socket is closed. */
#ifndef VISAGE_OPENCL_SPAWN_H
#define VISAGE_OPENCL_SPAWN_H

/* A process that was started: the files that the application has of it, closed on exec. */
typedef struct vsg_ocl_process {
    int socket; /* the other end is its standard input; -1: there is none */
    int errors; /* what it says on its standard errors, as far as there is room; never waits */
} vsg_ocl_process;

/* Starts the program `path` with `word` as its argument; its output goes nowhere. socket is -1
 * then: it could not be started, *error has errno. */
vsg_ocl_process vsg_ocl_spawn(const char *path, const char *word, int *error);
/* Closes the files; there is no process any more then. */
void vsg_ocl_close_process(vsg_ocl_process *process);

/* An open file with a number that is none of the standard files', which the application may
 * have closed and go on writing to. -1: there are too many, and `file` is closed. */
int vsg_ocl_above_standard(int file);

#endif
