# SPDX-License-Identifier: MIT
"""divided.py FOLDER: what divided.cl reads, and what it is to write."""

import random
import struct
import sys

COUNT, GROUP, M = 1024, 256, 37


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def group(numbers):
    sums = [sum(quotient(numbers[(l + r) % (M + 200)], r - M) for r in range(M))
            for l in range(GROUP)]
    for l, own in enumerate(sums):
        if l > 4:
            other = sums[(l * 3 + 1) % M]
            own = other - quotient(other, M) * M + quotient(numbers[l], M - 38 - l)
        yield own


def main():
    draw = random.Random(5)
    numbers = [draw.choice((draw.randrange(-100, 100), draw.randrange(-2**25, 2**25)))
               for _ in range(COUNT)]
    want = [own for at in range(0, COUNT, GROUP) for own in group(numbers[at:at + GROUP])]
    for name, values in (("in", numbers), ("want", want)):
        with open(f"{sys.argv[1]}/{name}", "wb") as file:
            file.write(struct.pack(f"<{COUNT}i", *values))


if __name__ == "__main__":
    main()
