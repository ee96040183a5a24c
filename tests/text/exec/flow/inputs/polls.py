# SPDX-License-Identifier: MIT
#
# What polls.cl leaves, two groups, by the same steps one after the other; raw.
import struct
import sys

WRAP = 0xFFFFFFFF


def group(number):
    sums = [3 * i + number for i in range(64)]
    for turn in range(3):
        first = 32 * (turn & 1)
        sent = sums[first] + 1
        for i in range(32 - first, 64 - first):
            sums[i] = (sums[i] * 5 + sent) & WRAP
    for i in range(64):
        k = 0
        while k < sums[i] % 19:
            sums[i] = (sums[i] + k * i) & WRAP
            k += 1
    return [sums[i] ^ sums[63 - i] for i in range(64)]


sys.stdout.buffer.write(struct.pack("<128I", *(group(0) + group(1))))
