# SPDX-License-Identifier: MIT
"""Runs the kernels of windows.cl: windows.py SCRATCH-FOLDER RUNS...

What they write is worked out here."""

import struct
import sys

from launches import LOCAL, compile_for, launch_over

SIZE = 4 * LOCAL
TYPES = (("uchar", 8, "B"), ("ushort", 16, "H"), ("uint", 32, "I"), ("ulong", 64, "Q"))


def cases():
    """Kernel, elements of `in`, n, what is written."""
    for n in (0, 1, 37, 64, 250, SIZE):
        yield "pairs", n + 1, n, [3 * i + i + 1 if i < n else 0 for i in range(SIZE)]
        yield ("triples", n + 1, n, [3 * (i - 1) + 5 * i + i + 1 if 0 < i < n else 0 for i in range(SIZE)])
        yield "twos", 2 * n + 2, n, [16 * 2 * i + 3 + 10 + 21 if i < n else 0 for i in range(SIZE)]
    for n in (31, 12, 0):
        wanted = [0] * SIZE
        for y in range(1, 7):
            for x in range(1, n):
                at = 32 * y + x
                wanted[at] = at - 32 + 3 * (at + 32) + 5 * (at - 1) + 7 * (at + 1) + 11 * at
        yield "plane", 7 * 32 + 32, n, wanted


def main():
    count = 0
    for device, runs in (("pvc", (("jit",), ("interp",))), ("skl", (("jit",), ("jit", "--cpu", "avx2"), ("jit", "--quick"))),
                         ("dg2", (("jit",), ("jit", "--cpu", "sse4.2")))):
        zebin = compile_for(device, "windows")
        for engine, *options in runs:
            for kernel, room, n, wanted in cases():
                for kind, bits, letter in TYPES:
                    status, data, said = launch_over(
                        zebin, engine, f"{kernel}_{kind}", (str(SIZE), str(LOCAL)), f"buf:u{bits}:{SIZE}:zero",
                        f"buf:u{bits}:{max(room, 1)}:iota", f"i32:{n}", options=options)
                    numbers = (number & (1 << bits) - 1 for number in wanted)
                    if status != 0 or data != struct.pack(f"<{SIZE}{letter}", *numbers):
                        sys.exit(f"{kernel}_{kind} {n} on {device}, {engine} {options}: {status}, wrong {said}")
                    count += 1
    print(f"{count} runs as they should be")


main()
