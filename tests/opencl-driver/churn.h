/* SPDX-License-Identifier: MIT
 *
 * A client that does the same thing very often, and watches what that costs and what it leaves
 * behind. An ordinary program: it sees the driver through the loader. */
#ifndef VISAGE_TESTS_CHURN_H
#define VISAGE_TESTS_CHURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

typedef struct churn_client {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
} churn_client;

/* Each ends the process where something fails, and says what. */
void churn_must(const char *what, cl_int status);
void churn_fail(const char *what, ...);

/* The first device there is. */
churn_client churn_open(void);
/* Fails unless the context ends with that: nothing holds it. */
void churn_close(churn_client *client);

/* A program of OpenCL C; CL_SUCCESS: built. It is the caller's in either case. */
cl_int churn_build(const churn_client *client, const char *source, cl_program *out);
/* Runs `kernel`, whose one argument is a buffer of 16 numbers, and compares each with the
 * number that all should be. */
void churn_check(const churn_client *client, cl_kernel kernel, cl_uint wanted);

/* Seconds of a clock. */
double churn_now(void);

/* churn_kills.c: builds while the compiler's processes are killed, `count` of them. */
int churn_kills(unsigned long count);
/* churn_cost.c: what the driver adds to a launch of the zebin's kernel `vector_add`; and how
 * long a process takes until its first kernel has run. Return 1 where that is above `most`
 * microseconds, or milliseconds. */
int churn_cost(const char *zebin, double most);
int churn_start(const char *self, double most);

#endif
