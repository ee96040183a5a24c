/* SPDX-License-Identifier: MIT
 *
 * Specialization constants, which the compiler's interface has no way to set: their values are
 * put into the module itself. Source: SPIR-V specification, 2.3 Physical Layout, OpDecorate
 * SpecId, OpSpecConstant. */
#include <string.h>

#include "opencl/program.h"

enum {
    MAGIC = 0x07230203,
    HEADER_WORDS = 5,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_SPEC_CONSTANT_TRUE = 48,
    OP_SPEC_CONSTANT_FALSE = 49,
    OP_SPEC_CONSTANT = 50,
    OP_DECORATE = 71,
    DECORATION_SPEC_ID = 1
};

/* An instruction of a module. */
typedef struct instruction {
    uint32_t *words;
    uint32_t op, count;
} instruction;

typedef struct cursor {
    uint32_t *words;
    size_t count, at;
} cursor;

bool vsg_ocl_is_spirv(const void *data, size_t size_bytes)
{
    uint32_t magic;

    if (size_bytes < HEADER_WORDS * sizeof magic || size_bytes % sizeof magic != 0)
        return false;
    memcpy(&magic, data, sizeof magic);
    return magic == MAGIC;
}

static cursor begin(const void *spirv, size_t size_bytes)
{
    return (cursor){(uint32_t *)(uintptr_t)spirv, size_bytes / 4, HEADER_WORDS};
}

/* False: the end, or what is no instruction. */
static bool next(cursor *c, instruction *out)
{
    if (c->at >= c->count)
        return false;
    *out = (instruction){c->words + c->at, c->words[c->at] & 0xffff, c->words[c->at] >> 16};
    if (out->count == 0 || out->count > c->count - c->at)
        return false;
    c->at += out->count;
    return true;
}

/* The id that carries a SpecId, 0: none. */
static uint32_t find_target(const void *spirv, size_t size_bytes, cl_uint id)
{
    cursor c = begin(spirv, size_bytes);
    instruction one;

    while (next(&c, &one))
        if (one.op == OP_DECORATE && one.count >= 4 && one.words[2] == DECORATION_SPEC_ID &&
            one.words[3] == id)
            return one.words[1];
    return 0;
}

/* Finds the instruction that defines a constant, whose second word is its id. */
static bool find_constant(const void *spirv, size_t size_bytes, uint32_t target,
                          instruction *out)
{
    cursor c = begin(spirv, size_bytes);

    while (next(&c, out))
        if (out->op >= OP_SPEC_CONSTANT_TRUE && out->op <= OP_SPEC_CONSTANT &&
            out->count >= 3 && out->words[2] == target)
            return true;
    return false;
}

static uint32_t width_of(const void *spirv, size_t size_bytes, uint32_t type)
{
    cursor c = begin(spirv, size_bytes);
    instruction one;

    while (next(&c, &one))
        if ((one.op == OP_TYPE_INT || one.op == OP_TYPE_FLOAT) && one.count >= 3 &&
            one.words[1] == type)
            return one.words[2];
    return 0;
}

size_t vsg_ocl_spirv_constant_bytes(const void *spirv, size_t size_bytes, cl_uint id)
{
    instruction one;
    uint32_t target = find_target(spirv, size_bytes, id);

    if (target == 0 || !find_constant(spirv, size_bytes, target, &one))
        return 0;
    return one.op == OP_SPEC_CONSTANT ? width_of(spirv, size_bytes, one.words[1]) / 8 : 1;
}

void vsg_ocl_spirv_specialize(void *spirv, size_t size_bytes, const vsg_ocl_constant *constants,
                              size_t num_constants)
{
    for (size_t i = 0; i < num_constants; i++) {
        instruction one;
        uint64_t value = 0;
        uint32_t target = find_target(spirv, size_bytes, constants[i].id);
        if (target == 0 || !find_constant(spirv, size_bytes, target, &one))
            continue;
        memcpy(&value, constants[i].value, constants[i].size_bytes);
        if (one.op != OP_SPEC_CONSTANT) {
            uint32_t op = value ? OP_SPEC_CONSTANT_TRUE : OP_SPEC_CONSTANT_FALSE;
            one.words[0] = (one.words[0] & 0xffff0000u) | op;
            continue;
        }
        if (one.count >= 4)
            one.words[3] = (uint32_t)value;
        if (one.count >= 5)
            one.words[4] = (uint32_t)(value >> 32);
    }
}
