/* SPDX-License-Identifier: MIT
 *
 * A program of flow.h on the real machine, through the public interface. */
#ifndef VISAGE_TESTS_FLOW_MACHINE_H
#define VISAGE_TESTS_FLOW_MACHINE_H

#include "flow.h"

/* Ways to run a program; all must give what the evaluator says. */
typedef enum flow_way {
    FLOW_INTERPRETED,
    FLOW_COMPILED, /* by the second engine, where it is built in */
    FLOW_CHECKED,  /* check mode finds nothing, the verifier neither */
    FLOW_SEEDED,   /* another schedule */
    FLOW_AS_DOC,   /* written as binary, read, printed and read again */
    FLOW_AS_IGC,   /* the same in the compiler's layout */
    FLOW_WAYS
} flow_way;

const char *flow_way_name(flow_way way);

typedef struct flow_machine {
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_device *devices[VISAGE_PLATFORM_COUNT];
    visage_buffer *buffers[VISAGE_PLATFORM_COUNT];
    uint64_t compiled; /* programs of which the second engine compiled something */
} flow_machine;

bool flow_open(flow_machine *machine);
void flow_close(flow_machine *machine);

typedef struct flow_result {
    char *text; /* owned; NULL: memory is out */
    bool ok;
    char message[512]; /* where not */
} flow_result;

/* Runs the program; it is ok when memory is as `expected`. Frees nothing of result->text. */
void flow_run(flow_machine *machine, const flow_program *program, flow_way way,
              const flow_memory *expected, flow_result *result);

#endif
