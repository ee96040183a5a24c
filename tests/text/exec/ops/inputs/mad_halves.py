# SPDX-License-Identifier: MIT
"""MAD of halves against whole numbers of any length: mad_halves.py SCRATCH-FOLDER COUNT VISAGE...

By the interpreter and by code with and without AVX-512, as far as the processor runs it.

COUNT times, a product near enough to the middle between two halves that what is added decides."""

import os
import random
import struct
import subprocess
import sys

FOLDER, COUNT, *VISAGE = sys.argv[1:]
COUNT = int(COUNT) // 16 * 16
KERNEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mad_halves.visaasm")
INFINITY, LEAST_NORMAL = 0x7c00, 0x0400
UNIT = 48  # numbers are multiples of 2^-48


def is_nan(bits):
    return bits & 0x7fff > INFINITY


def is_infinite(bits):
    return bits & 0x7fff == INFINITY


def units(bits):
    exponent, digits = bits >> 10 & 31, bits & 1023
    value = (digits if exponent == 0 else (1024 + digits) << exponent - 1) << UNIT - 24
    return -value if bits & 0x8000 else value


def half(value):
    """The one nearest to a number other than 0, the even one of two."""
    sign, value = (0x8000, -value) if value < 0 else (0, value)
    shift = max(value.bit_length() - 11, UNIT - 24)
    digits, rest = value >> shift, value & (1 << shift) - 1
    middle = 1 << shift - 1
    digits += rest > middle or (rest == middle and digits & 1)
    return sign | min(INFINITY, digits + (shift - (UNIT - 24) << 10))


def mad(a, b, c):
    """None is any NaN."""
    sign = (a ^ b) & 0x8000
    if is_nan(a) or is_nan(b) or is_nan(c):
        return None
    if is_infinite(a) or is_infinite(b):
        if not a & 0x7fff or not b & 0x7fff or (is_infinite(c) and c & 0x8000 != sign):
            return None
        return sign | INFINITY
    if is_infinite(c):
        return c
    exact = units(a) * units(b) // (1 << UNIT) + units(c)
    if exact == 0:
        return sign & c & 0x8000
    return half(exact)


def saturated(bits):
    if bits is None or bits & 0x8000:
        return 0
    return min(bits, 0x3c00)


def flushed(bits):
    return bits if bits is None or bits & 0x7fff >= LEAST_NORMAL else bits & 0x8000


def triples():
    draw = random.Random(11)
    special = [0, 1, 2, 0x3ff, LEAST_NORMAL, 0x3bff, 0x3c00, 0x3c01, 0x7bff, INFINITY, 0x7e01]
    special += [bits | 0x8000 for bits in special]
    for i in range(COUNT):
        a, b, c = (draw.choice(special) if draw.random() < 0.2 else draw.getrandbits(16)
                   for _ in range(3))
        if i % 4 == 0:  # a product of as many digits, and a middle between two halves
            odd = 2 * draw.getrandbits(9) + 1
            a = draw.randrange(10, 21) << 10 | odd
            b = draw.randrange(10, 21) << 10 | draw.choice((0, 0x200, 0x100, odd))
            c = draw.choice((0x0001, 0x8001, 0x0003, 0x83ff, 0x0400, 0x9001))
        elif i % 4 == 1:  # a sum some of whose digits are far below a half's
            a = draw.randrange(1, 8) << 10 | draw.getrandbits(10)
            b = draw.randrange(1, 12) << 10 | draw.getrandbits(10)
            c = draw.choice((0x5c00, 0xdc00, 0x3c01, 0x7800)) | draw.getrandbits(1)
        yield a, b, c


def ways():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = file.read().split()
    yield "--engine", "interp"
    yield "--engine", "jit"
    yield "--engine", "jit", "--quick"
    yield "--engine", "jit", "--cpu", "sse4.2"
    if "avx2" in flags:
        yield "--engine", "jit", "--cpu", "avx2"


def check(inputs, options):
    out = os.path.join(FOLDER, "out")
    subprocess.run([*VISAGE, "run", KERNEL, "--platform", "pvc", "--groups", str(COUNT // 16), *options,
                    "-a", f"buf:u16:{4 * COUNT}:zero:out={out}",
                    *(word for name in "abc" for word in ("-a", f"buf:u16:@{FOLDER}/{name}")),
                    "-a", f"u64:{2 * COUNT}"], check=True)
    with open(out, "rb") as file:
        got = struct.unpack(f"<{4 * COUNT}H", file.read())
    for i, (a, b, c) in enumerate(zip(*inputs)):
        plain = mad(a, b, c)
        want = (plain, saturated(plain), mad(b ^ 0x8000, c, a),
                flushed(mad(*map(flushed, (a, b, c)))))
        for what, right in enumerate(want):
            found = got[what * COUNT + i]
            if not (is_nan(found) if right is None else found == right):
                sys.exit(f"{what} of {a:04x} {b:04x} {c:04x}, {' '.join(options)}: {found:04x}, not "
                         + ("NaN" if right is None else f"{right:04x}"))


def main():
    inputs = list(zip(*triples()))
    for name, numbers in zip("abc", inputs):
        with open(os.path.join(FOLDER, name), "wb") as file:
            file.write(struct.pack(f"<{COUNT}H", *numbers))
    for options in ways():
        check(inputs, options)
    print(COUNT, "triples as they should be")


if __name__ == "__main__":
    main()
