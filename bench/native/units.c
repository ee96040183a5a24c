/* SPDX-License-Identifier: MIT
 *
 * What processors have for themselves. Two that a machine shows may be one core's two threads,
 * which share all that computes: whatever keeps one thread's units busy is no quicker on both.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "../kernel.h"
#include "../tool.h"
#include "native.h"

enum { CHAINS = 8, ROUNDS = 1 << 26, TRIES = 5 };

/* As many additions at a time as units may have room for, none of which waits for another. */
static void add(void)
{
    uint64_t a[CHAINS] = {0};

    for (uint32_t i = 0; i < ROUNDS; i++)
        __asm__ volatile("add $1, %0\n add $1, %1\n add $1, %2\n add $1, %3\n"
                         "add $1, %4\n add $1, %5\n add $1, %6\n add $1, %7\n"
                         : "+r"(a[0]), "+r"(a[1]), "+r"(a[2]), "+r"(a[3]), "+r"(a[4]),
                           "+r"(a[5]), "+r"(a[6]), "+r"(a[7]));
}

void native_units(int jobs)
{
    double least = 0;

    for (int try = 0; try < TRIES; try++) {
        double start = seconds(CLOCK_MONOTONIC);
#pragma omp parallel for num_threads(jobs) schedule(static)
        for (int part = 0; part < jobs; part++)
            add();
        double time = seconds(CLOCK_MONOTONIC) - start;
        least = try == 0 || time < least ? time : least;
    }
    printf("{\"additions\": %.4g}\n", (double)CHAINS * ROUNDS * jobs / least);
}
