/* SPDX-License-Identifier: MIT
 *
 * Calls through function pointers that differ from work-item to work-item. A thread has one
 * instruction pointer: it takes the address of its first channel that is still waiting, calls
 * that function with all channels that want the same (`ifcall` with the others switched off),
 * and repeats until nobody waits. `call_by_switch` does the same work with an indirect call in
 * each branch of a switch.
 *
 * The functions are chosen to make calls hard: a loop that channels leave at different times,
 * returns from the middle, and a call from within a called function.
 *
 * Compiled with every call made indirect and the compiler's function pointers switched on; see
 * build-zebins.sh. Each function's address space is what OpenCL C cannot spell, hence
 * __auto_type.
 */
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

#define NOINLINE __attribute__((noinline))

NOINLINE uint scramble(uint value, uint salt)
{
    return rotate(value * 2654435761u + salt, 13u);
}

/* Collatz steps from `value` to 1, at most 16: every channel its own number of rounds. */
NOINLINE uint collatz(uint value, uint salt)
{
    uint n = (value & 0xff) + 1, steps = 0;

    while (n != 1 && steps < 16) {
        n = (n & 1) ? 3 * n + 1 : n / 2;
        steps++;
    }
    return value + steps * salt;
}

/* Three ways out, one of them through another call. */
NOINLINE uint fold(uint value, uint salt)
{
    if (value < 0x40000000)
        return salt - value;
    if (value & 16)
        return scramble(value ^ salt, 7) + 1;
    return value / 2;
}

NOINLINE uint mirror(uint value, uint salt)
{
    uint mirrored = 0;

    for (uint k = 0; k < 32; k += 4)
        mirrored |= (value >> k & 15) << (28 - k);
    return mirrored ^ salt;
}

kernel void call_by_pointer(global uint *values, uint rounds)
{
    uint i = get_global_id(0);
    uint value = values[i];

    for (uint round = 0; round < rounds; round++) {
        uint which = value >> 8 & 3;
        __auto_type function = which == 0 ? scramble
                               : which == 1 ? collatz
                               : which == 2 ? fold
                                            : mirror;

        value = function(value, i);
    }
    values[i] = value;
}

kernel void call_by_switch(global uint *values, uint rounds)
{
    uint i = get_global_id(0);
    uint value = values[i];

    for (uint round = 0; round < rounds; round++) {
        switch (value >> 8 & 3) {
        case 0:
            value = scramble(value, i);
            break;
        case 1:
            value = collatz(value, i);
            break;
        case 2:
            value = fold(value, i);
            break;
        default:
            value = mirror(value, i);
        }
    }
    values[i] = value;
}
