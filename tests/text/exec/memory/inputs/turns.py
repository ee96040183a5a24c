# SPDX-License-Identifier: MIT
"""Runs the kernels of turns.cl: turns.py SCRATCH-FOLDER RUNS...

What they write is worked out here. Where they leave their memory the engines agree on what is
found there, and on the group that ends with a fault."""

import array
import os
import re
import sys

from launches import FOLDER, compile_for, run_visage

ENGINES = (("--engine", "interp"), ("--engine", "jit"), ("--engine", "jit", "--cpu", "avx2"))
CODES = {"u32": "I", "u8": "B"}


def cross(read, at, pitch, _x):
    return (read(at) + 3 * read(at - 1) + 5 * read(at + 1) + 7 * read(at - pitch) +
            11 * read(at + pitch))


def around(at, pitch):
    return [at + row + i for row in (-pitch, 0, pitch) for i in (-1, 0, 1)]


def square(read, at, pitch, _x):
    return sum((n + 1) * read(place) for n, place in enumerate(around(at, pitch)))


def bytewise(read, at, pitch, _x):
    result = 0
    for n, place in enumerate(around(at, pitch)):
        result ^= read(place) * (3 if n == 4 else 1)
    return result


def backwards(read, at, _pitch, x):
    value = read(at - 2 * x) + 3 * read(at + x)
    return value if x % 3 else 0


KERNELS = (("cross", "u32", cross), ("square", "u32", square), ("bytes", "u8", bytewise),
           ("backwards", "u32", backwards))


class Outside(Exception):
    pass


def work_out(kernel, kind, case):
    """What is in memory then; None where it is left."""
    (width, height), _local, pitch, lead, size = case
    most = 0xff if kind == "u8" else 0xffffffff
    out = array.array(CODES[kind])

    def read(place):
        if not 0 <= place < size:
            raise Outside
        return place & most

    try:
        for y in range(height):
            out.extend(kernel(read, lead + y * pitch + x, pitch, x) & most for x in range(width))
    except Outside:
        return None
    return out.tobytes()


def cases():
    """Ranges, groups, pitches, where it begins and how much there is."""
    for (width, height), local in (((320, 8), (16, 4)), ((96, 6), (8, 2)), ((256, 4), (32, 2)),
                                   ((48, 16), (16, 16)), ((1280, 2), (4, 2))):
        pitch = width + 3
        all_of_it = pitch * (height + 2) + 3 + width
        for lead, less in ((pitch + 1, 0), (pitch + 1, width + 2), (pitch, width + pitch),
                           (pitch + 1, 2 * pitch), (pitch - width // 2, 0), (0, 0),
                           (pitch + 1, all_of_it - 40)):
            yield (width, height), local, pitch, lead, all_of_it - less
    # A line's groups leave it at one after the other: at a page's end, which is where they may.
    for behind in range(27):
        yield (1280, 2), (8, 2), 1283, 8192 - 2 * 1283 - 700 + 8 * behind, 8192


def run(zebin, name, kind, case, options):
    (width, height), local, pitch, lead, size = case
    path = os.path.join(FOLDER, "turns.raw")
    status, said = run_visage(
        zebin, name, "-g", f"{width},{height}", "-l", f"{local[0]},{local[1]}", "--jobs", "1", *options,
        "-a", f"buf:{kind}:{width * height}:zero:out={path}", "-a", f"buf:{kind}:{size}:iota", "-a",
        f"i32:{pitch}", "-a", f"i32:{lead}")
    group = re.search(r"group \((\d+),(\d+),0\)", said)
    data = b""
    if os.path.exists(path):
        with open(path, "rb") as file:
            data = file.read()
        os.remove(path)
    return status, group and (int(group[2]), int(group[1])), data


def main():
    count = num_cases = inside = faults = 0
    for device in ("pvc", "dg2", "skl"):
        zebin = compile_for(device, "turns")
        for name, kind, kernel in KERNELS:
            for case in cases():
                wanted = work_out(kernel, kind, case)
                engines = ENGINES if device == "pvc" else ENGINES[:2]
                results = [run(zebin, name, kind, case, options) for options in engines]
                if results != [results[0]] * len(engines) or (
                        wanted is not None and results[0] != (0, None, wanted)):
                    sys.exit(f"{name} {case} on {device}: {[r[:2] for r in results]}")
                count += len(engines)
                num_cases += 1
                inside += wanted is not None
                faults += results[0][0] != 0
    print(f"{count} runs as they should be; of {num_cases} cases {inside} stay in "
          f"their memory, {faults} end with a fault")


if __name__ == "__main__":
    main()
