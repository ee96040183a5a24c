/* SPDX-License-Identifier: MIT
 *
 * Implicit arguments: what functions reached by indirect calls read of sizes and ids, because
 * their callers cannot pass it. A struct, and a table of local ids it points to. Kernels of the
 * vector backend before XeHP get its address in their payload; from XeHP on functions find it
 * behind r0.0, an offset in the memory that %scratch names, or that `arg` address parts name.
 *
 * Sources: struct ImplicitArgs of intel/compute-runtime, implicit_args.h, version 0; r0.0, r0.2
 * and the table's layout from what the compiler writes for such functions (dg2, pvc). */
#include "runtime/implicit.h"

#include <string.h>

enum {
    STRUCT_SIZE = 0,
    DIMENSIONS = 2,
    SIMD = 3,
    LOCAL_SIZE = 4,
    GLOBAL_SIZE = 16,
    PRINTF = 40,
    GLOBAL_OFFSET = 48,
    LOCAL_ID_TABLE = 72,
    GROUP_COUNT = 80,
    STRUCT_BYTES = 96
};

enum {
    LEAST_LANES = 16
}; /* a dimension's ids have room for as many, however narrow the thread */

bool vsg_run_implicit_in_scratch(const visage_launch *launch)
{
    const vsg_run_source *source = &launch->program->source;

    return launch->kernel->info && source->num_units > source->num_kernels &&
           launch->program->device->platform >= VISAGE_PLATFORM_XEHP;
}

bool vsg_run_implicit_wanted(const visage_launch *launch)
{
    return vsg_run_implicit_in_scratch(launch) ||
           vsg_run_kernel_has(launch->kernel, VSG_CON_PAYLOAD_IMPLICIT_ARG_BUFFER);
}

/* Local ids of a thread in the table: 16-bit words, all x, then all y, then all z. */
static uint32_t lanes_of(const vsg_run_dispatch *dispatch)
{
    return dispatch->simd == 1            ? 1
           : dispatch->simd < LEAST_LANES ? LEAST_LANES
                                          : dispatch->simd;
}

uint64_t vsg_run_implicit_bytes(const vsg_run_dispatch *dispatch)
{
    return VSG_RUN_IMPLICIT_BYTES +
           (uint64_t)dispatch->num_threads * lanes_of(dispatch) * 3 * sizeof(uint16_t);
}

static void put(uint8_t *to, uint64_t value)
{
    memcpy(to, &value, sizeof value);
}

static void put_sizes(uint8_t *to, const uint32_t values[3])
{
    memcpy(to, values, 3 * sizeof *values);
}

static void fill_table(const vsg_run_dispatch *dispatch, uint8_t *to)
{
    uint64_t items = (uint64_t)dispatch->local[0] * dispatch->local[1] * dispatch->local[2];
    uint32_t lanes = lanes_of(dispatch);

    memset(to, 0, (size_t)dispatch->num_threads * lanes * 3 * sizeof(uint16_t));
    for (uint32_t item = 0; item < items; item++) {
        uint8_t *row = to + (size_t)(item / dispatch->simd) * lanes * 3 * sizeof(uint16_t);
        uint32_t id[3];
        vsg_run_dispatch_local(dispatch, item, id);
        for (uint32_t d = 0; d < 3; d++) {
            uint16_t word = (uint16_t)id[d];
            memcpy(row + ((size_t)d * lanes + item % dispatch->simd) * sizeof word, &word,
                   sizeof word);
        }
    }
}

void vsg_run_implicit_fill(const visage_launch *launch, const vsg_run_dispatch *dispatch)
{
    uint64_t address = launch->implicit.address;
    uint8_t *to = vsg_run_memory_at(launch->program->device->memory, address);

    memset(to, 0, VSG_RUN_IMPLICIT_BYTES);
    to[STRUCT_SIZE] = STRUCT_BYTES;
    to[DIMENSIONS] = (uint8_t)dispatch->dims;
    to[SIMD] = (uint8_t)dispatch->simd;
    put_sizes(to + LOCAL_SIZE, dispatch->local);
    put_sizes(to + GROUP_COUNT, dispatch->whole_groups);
    for (uint32_t d = 0; d < 3; d++) {
        put(to + GLOBAL_SIZE + d * 8, dispatch->global[d]);
        put(to + GLOBAL_OFFSET + d * 8, dispatch->offset[d]);
    }
    put(to + PRINTF, launch->printf_buffer.address);
    put(to + LOCAL_ID_TABLE, address + VSG_RUN_IMPLICIT_BYTES);
    fill_table(dispatch, to + VSG_RUN_IMPLICIT_BYTES);
}
