# SPDX-License-Identifier: MIT
#
# What ranges.cl leaves of 0, 1, 2 ... in both of its inputs; raw.
import struct
import sys


def one(i):
    total = 0
    for k in range(40):
        first = i + k
        for j in range(first, first + first % 4 if first % 3 else first):
            total += (4 * j ^ 4 * j + 2) * (k + 1) + 4 * j + 1
    return total & 0xFFFFFFFF


sys.stdout.buffer.write(struct.pack("<72I", *map(one, range(72))))
