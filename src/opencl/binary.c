/* SPDX-License-Identifier: MIT
 *
 * Binaries of programs: a head, then fields as messages have them (wire.h), with a checksum,
 * for applications keep them in files of their own. What Intel's compiler makes, a zebin, is
 * taken as it is, too. */
#include <stdlib.h>
#include <string.h>

#include "base/store.h"
#include "opencl/program.h"
#include "opencl/wire.h"

static const char head_text[16] = "visage program1";

typedef struct binary_head {
    char text[16];
    uint64_t checksum; /* of what follows */
} binary_head;

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

size_t vsg_ocl_binary_write(const vsg_ocl_build *build, void *to, size_t size_bytes)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_ocl_wire wire;
    size_t size = 0;

    if (!build->data)
        return 0;
    vsg_ocl_wire_init(&wire, &alloc);
    vsg_ocl_wire_put_text(&wire, build->device->facts->key);
    vsg_ocl_wire_put_number(&wire, build->type);
    vsg_ocl_wire_put_text(&wire, or_empty(build->options));
    vsg_ocl_wire_put_text(&wire, or_empty(build->made_with));
    vsg_ocl_wire_put_bytes(&wire, build->data, build->size_bytes);
    vsg_ocl_wire_put_number(&wire, build->is_uniform);
    if (!wire.failed)
        size = sizeof(binary_head) + wire.size_bytes;
    if (to && size > 0 && size <= size_bytes) {
        binary_head head;
        memcpy(head.text, head_text, sizeof head.text);
        head.checksum = vsg_base_checksum(0, wire.data, wire.size_bytes);
        memcpy(to, &head, sizeof head);
        memcpy((char *)to + sizeof head, wire.data, wire.size_bytes);
    }
    vsg_ocl_wire_fini(&wire);
    return size;
}

/* SPIR-V modules of an object, as vsg_ocl_build has them. */
static bool take_object(vsg_ocl_build *build, const char *data, size_t size_bytes)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_ocl_wire wire = {
        .alloc = &alloc, .data = (char *)(uintptr_t)data, .size_bytes = size_bytes};

    while (wire.at < wire.size_bytes && !wire.failed) {
        size_t size;
        const char *module = vsg_ocl_wire_take_bytes(&wire, &size);
        if (!vsg_ocl_is_spirv(module, size))
            return false;
    }
    if (wire.failed || size_bytes == 0)
        return false;
    build->data = malloc(size_bytes);
    if (!build->data)
        return false;
    memcpy(build->data, data, size_bytes);
    build->size_bytes = size_bytes;
    build->status = CL_BUILD_NONE;
    return true;
}

static bool take_program(vsg_ocl_build *build, vsg_ocl_wire *wire)
{
    size_t size;
    const char *key = vsg_ocl_wire_take_text(wire);
    uint64_t type = vsg_ocl_wire_take_number(wire);
    const char *options = vsg_ocl_wire_take_text(wire);
    const char *made_with = vsg_ocl_wire_take_text(wire);
    const char *data = vsg_ocl_wire_take_bytes(wire, &size);
    /* Older binaries end before it. */
    bool is_uniform = wire->at < wire->size_bytes && vsg_ocl_wire_take_number(wire) != 0;

    if (wire->failed || strcmp(key, build->device->facts->key) != 0)
        return false;
    build->options = strdup(options);
    build->made_with = strdup(made_with);
    build->type = (cl_program_binary_type)type;
    build->is_uniform = is_uniform;
    if (type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        return vsg_ocl_build_load(build, data, size);
    return (type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
            type == CL_PROGRAM_BINARY_TYPE_LIBRARY) &&
           take_object(build, data, size);
}

cl_int vsg_ocl_binary_read(vsg_ocl_build *build, const void *binary, size_t size_bytes)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    binary_head head;
    bool good = false;

    vsg_ocl_build_reset(build);
    if (size_bytes > 4 && memcmp(binary, "\177ELF", 4) == 0) {
        good = vsg_ocl_build_load(build, binary, size_bytes);
    } else if (size_bytes > sizeof head) {
        const char *data = (const char *)binary + sizeof head;
        size_t size = size_bytes - sizeof head;
        memcpy(&head, binary, sizeof head);
        vsg_ocl_wire wire = {
            .alloc = &alloc, .data = (char *)(uintptr_t)data, .size_bytes = size};
        good = memcmp(head.text, head_text, sizeof head.text) == 0 &&
               head.checksum == vsg_base_checksum(0, data, size) && take_program(build, &wire);
    }
    if (!good)
        vsg_ocl_build_reset(build);
    else if (build->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        build->status =
            CL_BUILD_NONE; /* until the program is built, which costs nothing then */
    return good ? CL_SUCCESS : CL_INVALID_BINARY;
}
