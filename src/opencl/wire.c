/* SPDX-License-Identifier: MIT */
#include "opencl/wire.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

/* Far above what compilations need: the largest zebin seen has 26 MB. */
#define MOST_BYTES (UINT64_C(1) << 30)

enum { WIRE_MAGIC = 0x76436d31 };

typedef struct wire_head {
    uint32_t magic, kind;
    uint64_t size_bytes; /* of what follows */
} wire_head;

void vsg_ocl_wire_init(vsg_ocl_wire *wire, const vsg_base_alloc *alloc)
{
    *wire = (vsg_ocl_wire){.alloc = alloc};
}

void vsg_ocl_wire_fini(vsg_ocl_wire *wire)
{
    vsg_base_delete(wire->alloc, wire->data, wire->capacity, 1);
    *wire = (vsg_ocl_wire){.alloc = wire->alloc};
}

/* ---- writing ---------------------------------------------------------------------------- */

static char *make_room(vsg_ocl_wire *wire, size_t more)
{
    size_t wanted;

    if (wire->failed || !vsg_base_add(wire->size_bytes, more, &wanted) || wanted > MOST_BYTES) {
        wire->failed = true;
        return NULL;
    }
    if (wanted > wire->capacity) {
        size_t capacity = wire->capacity ? wire->capacity : 1024;
        while (capacity < wanted)
            capacity *= 2;
        char *data =
            wire->alloc->resize(wire->alloc->user, wire->data, wire->capacity, capacity);
        if (!data) {
            wire->failed = true;
            return NULL;
        }
        wire->data = data;
        wire->capacity = capacity;
    }
    char *at = wire->data + wire->size_bytes;
    wire->size_bytes = wanted;
    return at;
}

void vsg_ocl_wire_put_number(vsg_ocl_wire *wire, uint64_t number)
{
    char *at = make_room(wire, sizeof number);

    if (at)
        memcpy(at, &number, sizeof number);
}

void vsg_ocl_wire_put_bytes(vsg_ocl_wire *wire, const void *data, size_t size_bytes)
{
    vsg_ocl_wire_put_number(wire, size_bytes);
    char *at = make_room(wire, size_bytes);
    if (at && size_bytes)
        memcpy(at, data, size_bytes);
}

void vsg_ocl_wire_put_text(vsg_ocl_wire *wire, const char *text)
{
    vsg_ocl_wire_put_bytes(wire, text, strlen(text) + 1);
}

/* ---- reading ---------------------------------------------------------------------------- */

uint64_t vsg_ocl_wire_take_number(vsg_ocl_wire *wire)
{
    uint64_t number = 0;

    if (wire->failed || wire->size_bytes - wire->at < sizeof number) {
        wire->failed = true;
        return 0;
    }
    memcpy(&number, wire->data + wire->at, sizeof number);
    wire->at += sizeof number;
    return number;
}

const char *vsg_ocl_wire_take_bytes(vsg_ocl_wire *wire, size_t *size_bytes)
{
    uint64_t size = vsg_ocl_wire_take_number(wire);

    *size_bytes = 0;
    if (wire->failed || size > wire->size_bytes - wire->at) {
        wire->failed = true;
        return "";
    }
    const char *data = wire->data + wire->at;
    wire->at += (size_t)size;
    *size_bytes = (size_t)size;
    return data;
}

const char *vsg_ocl_wire_take_text(vsg_ocl_wire *wire)
{
    size_t size;
    const char *text = vsg_ocl_wire_take_bytes(wire, &size);

    if (size == 0 || text[size - 1] != '\0') {
        wire->failed = true;
        return "";
    }
    return text;
}

/* ---- sockets ---------------------------------------------------------------------------- */

uint64_t vsg_ocl_wire_clock(void)
{
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Waits until the socket is ready. */
static vsg_ocl_wire_status wait_ready(int socket, short events, uint64_t deadline)
{
    struct pollfd one = {.fd = socket, .events = events};

    for (;;) {
        uint64_t now = vsg_ocl_wire_clock();
        int milliseconds = -1;
        if (deadline && now >= deadline)
            return VSG_OCL_WIRE_LATE;
        if (deadline) {
            uint64_t left = (deadline - now) / 1000000u + 1;
            milliseconds = left > 3600000u ? 3600000 : (int)left;
        }
        int ready = poll(&one, 1, milliseconds);
        if (ready > 0)
            return VSG_OCL_WIRE_OK;
        if (ready < 0 && errno != EINTR)
            return VSG_OCL_WIRE_CLOSED;
    }
}

static vsg_ocl_wire_status send_all(int socket, const void *data, size_t size_bytes,
                                    uint64_t deadline)
{
    const char *at = data;

    while (size_bytes) {
        ssize_t sent = send(socket, at, size_bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            at += sent;
            size_bytes -= (size_t)sent;
        } else if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            vsg_ocl_wire_status status = wait_ready(socket, POLLOUT, deadline);
            if (status != VSG_OCL_WIRE_OK)
                return status;
        } else if (sent == 0 || errno != EINTR) {
            return VSG_OCL_WIRE_CLOSED;
        }
    }
    return VSG_OCL_WIRE_OK;
}

static vsg_ocl_wire_status receive_all(int socket, void *data, size_t size_bytes,
                                       uint64_t deadline)
{
    char *at = data;

    while (size_bytes) {
        ssize_t got = recv(socket, at, size_bytes, MSG_DONTWAIT);
        if (got > 0) {
            at += got;
            size_bytes -= (size_t)got;
        } else if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            vsg_ocl_wire_status status = wait_ready(socket, POLLIN, deadline);
            if (status != VSG_OCL_WIRE_OK)
                return status;
        } else if (got == 0 || errno != EINTR) {
            return VSG_OCL_WIRE_CLOSED;
        }
    }
    return VSG_OCL_WIRE_OK;
}

vsg_ocl_wire_status vsg_ocl_wire_wait(int socket, uint64_t deadline)
{
    return wait_ready(socket, POLLIN, deadline);
}

vsg_ocl_wire_status vsg_ocl_wire_send(int socket, vsg_ocl_wire_kind kind,
                                      const vsg_ocl_wire *wire, uint64_t deadline)
{
    const wire_head head = {WIRE_MAGIC, (uint32_t)kind, wire ? wire->size_bytes : 0};

    if (wire && wire->failed)
        return VSG_OCL_WIRE_WRONG;
    vsg_ocl_wire_status status = send_all(socket, &head, sizeof head, deadline);
    if (status == VSG_OCL_WIRE_OK && wire)
        status = send_all(socket, wire->data, wire->size_bytes, deadline);
    return status;
}

vsg_ocl_wire_status vsg_ocl_wire_receive(int socket, vsg_ocl_wire_kind kind, vsg_ocl_wire *wire,
                                         uint64_t deadline)
{
    wire_head head;
    vsg_ocl_wire_status status = receive_all(socket, &head, sizeof head, deadline);

    wire->size_bytes = 0;
    wire->at = 0;
    wire->failed = false;
    if (status != VSG_OCL_WIRE_OK)
        return status;
    if (head.magic != WIRE_MAGIC || head.kind != (uint32_t)kind || head.size_bytes > MOST_BYTES)
        return VSG_OCL_WIRE_WRONG;
    char *at = make_room(wire, (size_t)head.size_bytes);
    if (!at && head.size_bytes)
        return VSG_OCL_WIRE_WRONG;
    return receive_all(socket, at, (size_t)head.size_bytes, deadline);
}
