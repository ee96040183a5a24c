/* SPDX-License-Identifier: MIT
 *
 * Halves of a group that hand each other a number three times, waiting for it in loops. Behind
 * them are a loop that each work-item leaves at a time of its own, and a barrier. The first half
 * is run first, and has to wait. */
kernel void relay(global uint *out, volatile global uint *box)
{
    uint l = get_local_id(0), g = get_group_id(0), own = l / 32, steps = 0;
    uint sum = 3 * l + g;
    volatile global uint *mine = box + 4 * g;
    local uint other[64];

    for (uint turn = 0; turn < 3; turn++) {
        uint got = 0;
        if ((turn & 1) == own && l % 32 == 0) {
            atomic_xchg(mine + turn, sum + 1);
        } else if ((turn & 1) != own) {
            while ((got = atomic_or(mine + turn, 0)) == 0)
                steps++;
            sum = sum * 5 + got;
        }
    }
    for (uint k = 0; k < sum % 19; k++)
        sum += k * l;
    other[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = sum ^ other[63 - l] ^ (steps == 0 && own == 0 ? 0x80000000 : 0);
}
