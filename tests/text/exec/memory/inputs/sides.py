# SPDX-License-Identifier: MIT
"""Runs the kernels of sides.cl: sides.py SCRATCH-FOLDER RUNS...

What they write is worked out here."""

import struct
import sys

from launches import LOCAL, compile_for, run

SIZE = 4 * LOCAL
ROOM = 1024
STARTS = (0, 7, 64, 96, -5, -16, -64, -101, -SIZE, -1000, 1 << 31, (1 << 31) - 40, (1 << 31) - 29, (1 << 31) - 37, (1 << 31) - 128)


def number(i):
    i &= 0xffffffff
    return i - (1 << 32) if i >> 31 else i


def divide(i, d):
    """Towards zero, and what remains."""
    q = abs(i) // d * (1 if i >= 0 else -1)
    return q, i - q * d


def divided(start, d):
    out = []
    for n in range(SIZE):
        q, r = divide(number(n + start), d)
        out.append((q & 1023) + 3 * (r + d) + 5 * (divide(q, 16)[1] + 16))
    return out


def moved_by(start):
    out = [0] * SIZE
    for n in range(SIZE):
        i = number(n + start)
        a, b = divide(i, 16)[1], divide(divide(i, 16)[0], 4)[1]
        c = divide(divide(i, 64)[0], 4)[1]
        out[((a + 15) % 16 * 4 + b + 3 & 63) * 4 + (c + 3) % 4] = i & 1023
    return out


def arms(start, by):
    first, second, third = [], [], []
    for n in range(SIZE):
        i = number(n + start)
        at = i + by if i < 0 else i + 2 * by
        first.append(at & 1023)
        second.append(at + 5 * (i > -1) & 1023)
        third.append((by if i >= 0 else 2 * by - i) & 1023)
    return first + second + third


def some_arms(start, by):
    first, second = [], []
    for n in range(SIZE):
        i = number(n + start)
        is_on = n % LOCAL % 7 != 3
        at = i + by if is_on and i < 0 else i
        first.append(at & 1023 if is_on else 0)
        second.append(at + divide(i, 64)[0] & 1023)
    return first + second


def bits(d):
    ids = range(SIZE)
    return ([(i ^ d) + 3 * (i | d) for i in ids] +
            [(i << 1 & 62 | i << 2 & ~127) + 3 * (i << 2 & ~63 | i << 1 & 62 | 64) for i in ids] +
            [(i & 31 | d) + 3 * (i & 15 ^ d) + 5 * (i & ~d | d & 96) + 7 * (i & i << 1 & d) for i in ids] +
            [((i ^ i >> 5) & 1023) + 3 * (i & d | ~i & 96) + 5 * ((i ^ i << 1) & 1023) for i in ids])


def cases():
    """Kernel, dwords written, its other arguments, what the dwords are."""
    for start in STARTS:
        at = f"i32:{number(start)}"
        for d in (4, 8, 16, 32, 256):
            yield f"divided_{d}", (at,), divided(start, d)
        if start in (0, 64, -SIZE):
            yield "moved_by", (at,), moved_by(start)
        for by in (0, 3, 64):
            yield "arms", (at, f"i32:{by}"), arms(start, by)
            yield "some_arms", (at, f"i32:{by}"), some_arms(start, by)
    for d in (0, 1, 3, 8, 15, 16, 31, 32, 64, 96, 255, 256, 512, 80):
        yield "bits", (f"u32:{d}",), bits(d)


def main():
    count = 0
    for device, runs in (("pvc", (("jit",), ("interp",), ("jit", "--quick"))), ("skl", (("jit",), ("jit", "--cpu", "avx2"))),
                         ("dg2", (("jit",), ("jit", "--cpu", "sse4.2")))):
        zebin = compile_for(device, "sides")
        for engine, *options in runs:
            for kernel, args, wanted in cases():
                status, data, _ = run(zebin, engine, kernel, SIZE, len(wanted), f"buf:u32:{ROOM}:iota", *args, options=options)
                if status != 0 or data != struct.pack(f"<{len(wanted)}I", *wanted):
                    sys.exit(f"{kernel} {args} on {device}, {engine} {options}: {status}, wrong")
                count += 1
    print(f"{count} runs as they should be")


main()
