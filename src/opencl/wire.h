/* SPDX-License-Identifier: MIT
 *
 * Messages between the driver and the processes that compile for it: a head with the size of
 * the rest, then numbers and byte strings. Both ends check every length, for the other one may
 * be killed, or lose its mind, at any moment. */
#ifndef VISAGE_OPENCL_WIRE_H
#define VISAGE_OPENCL_WIRE_H

#include "base/alloc.h"

typedef enum vsg_ocl_wire_kind {
    VSG_OCL_WIRE_REQUEST = 1,
    VSG_OCL_WIRE_ACCEPTED, /* the request has come; a number: of the process working at it */
    VSG_OCL_WIRE_RESULT
} vsg_ocl_wire_kind;

typedef enum vsg_ocl_wire_status {
    VSG_OCL_WIRE_OK,
    VSG_OCL_WIRE_CLOSED, /* the other end is gone */
    VSG_OCL_WIRE_LATE,   /* the deadline has passed */
    VSG_OCL_WIRE_WRONG,  /* what came is no message, or memory is out */
} vsg_ocl_wire_status;

/* A message that is being written or was received. */
typedef struct vsg_ocl_wire {
    const vsg_base_alloc *alloc;
    char *data;
    size_t size_bytes, capacity;
    size_t at;   /* where reading goes on */
    bool failed; /* of writing: memory is out; of reading: it ends too early. Sticky */
} vsg_ocl_wire;

void vsg_ocl_wire_init(vsg_ocl_wire *wire, const vsg_base_alloc *alloc);
void vsg_ocl_wire_fini(vsg_ocl_wire *wire);

void vsg_ocl_wire_put_number(vsg_ocl_wire *wire, uint64_t number);
void vsg_ocl_wire_put_bytes(vsg_ocl_wire *wire, const void *data, size_t size_bytes);
/* With its NUL, so that the receiver has a text where it lies. */
void vsg_ocl_wire_put_text(vsg_ocl_wire *wire, const char *text);

uint64_t vsg_ocl_wire_take_number(vsg_ocl_wire *wire);
/* Borrowed from the message; "" where there is none. */
const char *vsg_ocl_wire_take_bytes(vsg_ocl_wire *wire, size_t *size_bytes);
/* "" unless it ends with a NUL. */
const char *vsg_ocl_wire_take_text(vsg_ocl_wire *wire);

/* A time of the monotonic clock, nanoseconds. */
uint64_t vsg_ocl_wire_clock(void);

/* Waits until something has come, or the other end is gone, which is OK, too. */
vsg_ocl_wire_status vsg_ocl_wire_wait(int socket, uint64_t deadline);

/* Sends a message, or waits for one, which replaces what `wire` has. socket: a stream socket.
 * deadline: of vsg_ocl_wire_clock(), 0: none. Neither raises SIGPIPE. */
vsg_ocl_wire_status vsg_ocl_wire_send(int socket, vsg_ocl_wire_kind kind,
                                      const vsg_ocl_wire *wire, uint64_t deadline);
vsg_ocl_wire_status vsg_ocl_wire_receive(int socket, vsg_ocl_wire_kind kind, vsg_ocl_wire *wire,
                                         uint64_t deadline);

#endif
