/* SPDX-License-Identifier: MIT */
#include "isa/message.h"

#define T(id) (1u << VISAGE_TYPE_##id)

static const vsg_isa_operand_types operand_types[] = {
#define OPERAND(form, name, types) {VSG_ISA_FORM_##form, #name, types},
#include "isa/message.def"
};

static const vsg_isa_atomic atomics[32] = {
#define ATOMIC(code, arguments, types) [code] = {true, arguments, types},
#include "isa/message.def"
};

/* The names of parameters, to count them in. */
enum {
#define PARAMETER(id) id,
#include "isa/parameters.def"
#undef PARAMETER
};
#define COUNT(...) (sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

/* A row that has SKIP alone says nothing of parameters. */
static const uint8_t parameters[VISAGE_OP_COUNT] = {
#define SAMPLING(op, action, lod, ...) [VISAGE_OP_##op] = COUNT(__VA_ARGS__),
#define SAMPLING16(...)
#include "isa/sampling.def"
#undef SAMPLING
#undef SAMPLING16
};
enum { MOST_PARAMETERS = 12 };
static const uint8_t parameter_lists[VISAGE_OP_COUNT][MOST_PARAMETERS] = {
#define SAMPLING(op, action, lod, ...) [VISAGE_OP_##op] = {__VA_ARGS__},
#define SAMPLING16(...)
#include "isa/sampling.def"
#undef SAMPLING
#undef SAMPLING16
};
static const uint8_t parameters_16[VISAGE_OP_COUNT] = {
#define SAMPLING(...)
#define SAMPLING16(op, action, lod, ...) [VISAGE_OP_##op] = COUNT(__VA_ARGS__),
#include "isa/sampling.def"
#undef SAMPLING
#undef SAMPLING16
};

const vsg_isa_operand_types *vsg_isa_operand_types_of(vsg_isa_form form, size_t *count)
{
    const vsg_isa_operand_types *first = NULL;

    *count = 0;
    for (size_t i = 0; i < sizeof operand_types / sizeof operand_types[0]; i++) {
        if (operand_types[i].form != form)
            continue;
        if (!first)
            first = &operand_types[i];
        ++*count;
    }
    return first;
}

vsg_isa_atomic vsg_isa_atomic_of(uint32_t code)
{
    return code < sizeof atomics / sizeof atomics[0] ? atomics[code] : (vsg_isa_atomic){0};
}

uint32_t vsg_isa_most_parameters(visage_op op, bool is_16_bit)
{
    if ((unsigned)op >= VISAGE_OP_COUNT || parameters[op] <= 1)
        return 0;
    return is_16_bit && parameters_16[op] ? parameters_16[op] : parameters[op];
}

uint32_t vsg_isa_gather_elements(uint64_t code)
{
    static const uint8_t counts[] = {8, 16, 1, 0};

    return counts[code & 3];
}

uint32_t vsg_isa_svm_block_bytes(uint64_t code)
{
    static const uint8_t bytes[] = {1, 4, 8, 8}; /* SVM_GATHER says 3, dialect 2 for 8 */

    return bytes[code & 3];
}

/* 3D_LOAD, Notes: whole coordinates; 3D_SAMPLE, Notes: floats; 3D_SAMPLE4, Offu, Offv: D. */
uint32_t vsg_isa_parameter_types(visage_op op, uint32_t index)
{
    uint8_t id = index < MOST_PARAMETERS ? parameter_lists[op][index] : SKIP;

    if (vsg_isa_op(op)->form == VSG_ISA_FORM_LOAD_3D)
        return 1u << VISAGE_TYPE_UD | 1u << VISAGE_TYPE_UW;
    if (id == OFFU || id == OFFV)
        return 1u << VISAGE_TYPE_D;
    return 1u << VISAGE_TYPE_F | 1u << VISAGE_TYPE_HF;
}
