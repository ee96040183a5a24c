/* SPDX-License-Identifier: MIT
 *
 * What every memory message does with the addresses of its channels: forming them, and finding
 * how far apart they are. lanes_ops.h has the loops once, exec_lanes.c and exec_lanes_v3.c
 * compile them for two instruction sets, as with the quick handlers (quick.h). */
#ifndef VISAGE_EXEC_LANES_H
#define VISAGE_EXEC_LANES_H

#include <stdbool.h>
#include <stdint.h>

/* Address of channel n: (element n of `registers` * scale + add) & mask. */
typedef struct vsg_exe_forming {
    const uint8_t *registers;
    uint32_t bytes; /* of an element: 2, 4, 8 */
    uint32_t scale;
    uint64_t add, mask;
} vsg_exe_forming;

/* Every address is between the two, of which the lower one may be the larger number: they wrap.
 */
typedef struct vsg_exe_reach {
    uint64_t low, high;
} vsg_exe_reach;

typedef struct vsg_exe_lanes {
    void (*form)(const vsg_exe_forming *forming, uint32_t count, uint64_t *out);
    /* Are all `count` addresses `bytes` apart, in order? */
    bool (*is_run)(const uint64_t *at, uint32_t count, uint32_t bytes);
    /* Of the channels in `channels`, at least one; `count` addresses can be read. */
    vsg_exe_reach (*reach)(const uint64_t *at, uint32_t count, uint32_t channels);
    void (*move)(uint64_t *at, uint32_t count, uint64_t by);
} vsg_exe_lanes;

/* For any host; for x86-64-v3, NULL where the compiler was not told to make them; the best that
 * this host can execute. */
const vsg_exe_lanes *vsg_exe_lanes_base(void);
const vsg_exe_lanes *vsg_exe_lanes_v3(void);
const vsg_exe_lanes *vsg_exe_lanes_best(void);

#endif
