# SPDX-License-Identifier: MIT
"""half_arithmetic.py FOLDER: what half-arithmetic.cl reads, and what it is to write.

Doubles hold sums and products of halves exactly, and `struct` rounds them to nearest even."""

import random
import struct
import sys

COUNT = 4096


def bits(value):
    return struct.unpack("<H", struct.pack("<e", value))[0]


def half(value):
    return struct.unpack("<e", struct.pack("<e", value))[0]


def numbers(draw):
    """Finite ones, whose products are, denormals and both zeros among them."""
    for _ in range(COUNT):
        word = draw.choice((draw.getrandbits(10), draw.randrange(0x5400), 0x3800, 0x3c00, 0))
        yield half(struct.unpack("<e", struct.pack("<H", word | draw.getrandbits(1) << 15))[0])


def compare(a, b):
    return 1 if a > b else 2 if a == b else 3


def main():
    draw = random.Random(9)
    a = list(numbers(draw))
    b = [x if draw.random() < .1 else y for x, y in zip(a, numbers(draw))]
    want = [half(x + y) for x, y in zip(a, b)]
    want += [half(half(x * y) - x) for x, y in zip(a, b)]
    want += [half(half(y - x) * .5) for x, y in zip(a, b)]
    want += [compare(x, y) for x, y in zip(a, b)]
    want += [y if x != .5 else 7 for x, y in zip(a, b)]
    for name, values in (("a", a), ("b", b), ("want", want)):
        with open(f"{sys.argv[1]}/{name}", "wb") as file:
            file.write(b"".join(struct.pack("<H", bits(value)) for value in values))


if __name__ == "__main__":
    main()
