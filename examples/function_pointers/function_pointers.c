/* SPDX-License-Identifier: MIT */
#include "sample.h"

#define COUNT  65536u
#define ROUNDS 3u

enum { VALUES };

static uint32_t scramble(uint32_t value, uint32_t salt)
{
    uint32_t mixed = value * 2654435761u + salt;

    return mixed << 13 | mixed >> 19;
}

static uint32_t collatz(uint32_t value, uint32_t salt)
{
    uint32_t n = (value & 0xff) + 1, steps = 0;

    while (n != 1 && steps < 16) {
        n = n % 2 == 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return value + steps * salt;
}

static uint32_t fold(uint32_t value, uint32_t salt)
{
    if (value < 0x40000000)
        return salt - value;
    if (value & 16)
        return scramble(value ^ salt, 7) + 1;
    return value / 2;
}

static uint32_t mirror(uint32_t value, uint32_t salt)
{
    uint32_t mirrored = 0;

    for (uint32_t k = 0; k < 32; k += 4)
        mirrored |= (value >> k & 15) << (28 - k);
    return mirrored ^ salt;
}

static void prepare(void *const *buffers)
{
    uint32_t *values = buffers[VALUES];
    uint64_t state = 5;

    for (uint32_t i = 0; i < COUNT; i++)
        values[i] = sample_random(&state);
}

/* Both kernels do this. */
static void expect(void *const *buffers)
{
    static uint32_t (*const functions[4])(uint32_t, uint32_t) = {scramble, collatz, fold,
                                                                 mirror};
    uint32_t *values = buffers[VALUES];

    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t round = 0; round < ROUNDS; round++)
            values[i] = functions[values[i] >> 8 & 3](values[i], i);
}

static void launch(sample_run *run)
{
    sample_set_buffer(run, 0, VALUES);
    sample_set_uint(run, 1, ROUNDS);
    sample_launch(run, (uint32_t[3]){COUNT, 1, 1}, (uint32_t[3]){0});
}

const sample_def sample_call_by_pointer = {
    .name = "function_pointers",
    .kernel = "call_by_pointer",
    .buffers = {{"values", COUNT * sizeof(uint32_t), sizeof(uint32_t)}},
    .prepare = prepare,
    .expect = expect,
    .launch = launch,
};

const sample_def sample_call_by_switch = {
    .name = "function_pointers",
    .kernel = "call_by_switch",
    .buffers = {{"values", COUNT * sizeof(uint32_t), sizeof(uint32_t)}},
    .prepare = prepare,
    .expect = expect,
    .launch = launch,
};
