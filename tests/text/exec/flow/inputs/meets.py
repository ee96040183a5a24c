# SPDX-License-Identifier: MIT
#
# What the kernels of meets.cl leave, by the same steps one after the other; raw. Arguments: the
# kernel, groups, work-items of each, rounds or the step.
import struct
import sys

WRAP = 0xFFFFFFFF
kernel, groups, local, rounds = sys.argv[1], *map(int, sys.argv[2:])
numbers = range(groups * local)

if kernel == "chain":
    values = [n + rounds * (groups - 1 - n // local) for n in numbers]
elif kernel == "blocks":
    values = [n + rounds for n in numbers]
elif kernel == "pairs":
    values = [n + (rounds if n // local >= groups // 2 and n // local % 2 == 0 else 0)
              for n in numbers]
else:
    values = list(numbers)
    for _ in range(rounds):
        values = [(values[(n + 1) % len(values)] * 3 + values[(n + 257) % len(values)] + n) & WRAP
                  for n in numbers]
sys.stdout.buffer.write(struct.pack("<%dI" % len(values), *values))
