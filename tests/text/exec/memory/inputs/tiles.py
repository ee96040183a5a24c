# SPDX-License-Identifier: MIT
"""Runs the kernels of tiles.cl: tiles.py SCRATCH-FOLDER RUNS...

What they write is worked out here."""

import os
import struct
import sys

from launches import FOLDER, compile_for, run_visage

WIDTH, HEIGHT = 96, 32


def launch(zebin, kernel, local, options, *args):
    path = os.path.join(FOLDER, "tiles.raw")
    height = HEIGHT if local[0] == local[1] else HEIGHT // 4
    status, said = run_visage(zebin, kernel, "-g", f"{WIDTH},{height}", "-l", f"{local[0]},{local[1]}",
                              *options, "-a", f"buf:u32:{WIDTH * HEIGHT}:zero:out={path}",
                              *(word for arg in args for word in ("-a", arg)))
    if status != 0:
        sys.exit(f"{kernel}: {status}, {said}")
    with open(path, "rb") as file:
        data = file.read()
    os.remove(path)
    return data


def at(x, y):
    """What `in` has."""
    return y * WIDTH + x


def in_tile(kernel):
    """What each work-item makes of its tile, by a function of row and column."""
    for y in range(HEIGHT):
        for x in range(WIDTH):
            def tile(row, column, left=x // 16 * 16, top=y // 16 * 16):
                return at(left + column, top + row)
            yield kernel(tile, x % 16, y % 16)


def mixed(tile, x, y):
    return (tile(x, y) + 3 * tile(x ^ 1, y) + 5 * tile(15 - x, 15 - y) + 7 * tile(x, 3) +
            11 * tile(x // 2, y) + 13 * tile(x, x))


def floats(tile, x, y):
    return struct.unpack("<I", struct.pack("<f", tile(x, y) * 0.5))[0]


def twice(tile, x, y):
    return tile(y, x) + 1000 * tile(x, y)


def signed(x):
    x &= 0xffffffff
    return x - (1 << 32) if x >> 31 else x


def cases():
    """Kernel, size of groups, arguments, what it writes."""
    words = (f"buf:u32:{WIDTH * HEIGHT}:iota", f"i32:{WIDTH}", f"i32:{HEIGHT}")
    turned = [at(y, x) for y in range(WIDTH) for x in range(HEIGHT)]
    square = (16, 16)
    yield "turn", square, words, turned
    yield "turn_tight", square, words, turned
    yield "turn_16", square, words, turned
    yield "wide", (32, 8), words, turned
    for kernel in (mixed, floats, twice):
        yield kernel.__name__, square, words, list(in_tile(kernel))
    many = "buf:u32:8192:iota"
    lines = range(HEIGHT)
    for by in (0, 1, 4000):
        starts = [(y * 0x09000001 & 0xffffffff) * by >> 32 for y in lines]
        yield "high", square, (many, f"u32:{by}"), [s + x for s in starts for x in range(WIDTH)]
    for by in (-100, -1, 0, 1, 300):
        starts = [64 + (signed((y - 7) * 0x03000001) * by >> 32) for y in lines]
        yield ("high_signed", square, (many, f"i32:{by}"),
               [s + x for s in starts for x in range(WIDTH)])
    for pitch in (-132, -1, 0, 128):
        yield ("back", square, (many, f"i32:{pitch}"),
               [4096 + y * pitch + x for y in lines for x in range(WIDTH)])


def main():
    count = 0
    for device in ("pvc", "dg2", "skl"):
        zebin = compile_for(device, "tiles")
        for kernel, local, args, wanted in cases():
            for options in (("--engine", "interp"), ("--engine", "jit"),
                            ("--engine", "jit", "--cpu", "avx2")):
                data = launch(zebin, kernel, local, options, *args)
                if data != struct.pack(f"<{len(wanted)}I", *(x & 0xffffffff for x in wanted)):
                    sys.exit(f"{kernel} {args} on {device}, {options}: wrong")
                count += 1
    print(f"{count} runs as they should be")


if __name__ == "__main__":
    main()
