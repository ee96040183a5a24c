/* SPDX-License-Identifier: MIT
 *
 * Starting a process that the application does not notice: it is no child of the application,
 * gets none of its files, and keeps to itself until its socket is closed. */
#ifndef VISAGE_OPENCL_SPAWN_H
#define VISAGE_OPENCL_SPAWN_H

/* Starts the program `path` with `word` as its argument; its standard input is the other end of
 * the socket that is returned (a stream, closed on exec), output and errors go nowhere. -1: it
 * could not be started, *error has errno. */
int vsg_ocl_spawn(const char *path, const char *word, int *error);

/* An open file with a number that is none of the standard files', which the application may
 * have closed and go on writing to. -1: there are too many, and `file` is closed. */
int vsg_ocl_above_standard(int file);

#endif
