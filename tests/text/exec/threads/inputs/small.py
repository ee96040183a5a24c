# SPDX-License-Identifier: MIT
"""Runs the kernels of small.cl in small groups on both engines: small.py FOLDER VISAGE...

Results are worked out here; both engines execute the same number of instructions."""

import itertools
import os
import re
import struct
import subprocess
import sys

FOLDER, *VISAGE = sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))
GROUPS = 3
SIZES = (1, 3, 8, 12, 20, 40)
WIDE = 2 ** 32


def sums(size, first, step):
    for group in range(GROUPS):
        values = [first + step * (group * size + i) for i in range(size)]
        yield from itertools.accumulate(values)


def rounds(size, first, step):
    for l in list(range(size)) * GROUPS:
        x = first
        for i in range(l, size):
            x = (x * 3 + step if i & 1 else x + i) % WIDE
        yield x + (1000 if l % 3 == 1 else 0)


def across(size, first, step, simd):
    for _ in range(GROUPS):
        for at in range(0, size, simd):
            items = [first + step * l for l in range(at, min(at + simd, size))]
            for i in range(len(items)):
                yield (sum(items) + 3 * max(items) + 5 * min(items) + 7 * sum(items[:i]) + 11)


def places(size, first, step):
    for l in list(range(size)) * GROUPS:
        r = size - 1 - l
        yield (first + r + 1000 * (step * r % 256) + r + step + size - 1 - l // 2 +
               100000 * (size * (size + 1) // 2))


def waves(size, first, step):
    t = [[step] + [first if y == 0 else 0] * size for y in range(30)]
    for m in range(28):
        for l in range(min(m + 1, size)):
            t[m - l + 1][l + 1] = (max(t[m - l][l + 1], m) + t[m - l + 1][l]) % WIDE
    yield from [t[max(28 - l, 0)][l + 1] for l in range(size)] * GROUPS


def twist(x, n):
    for _ in range(n):
        x = x // 3 if x % 3 == 0 else (2 * x + 1) % WIDE
    return x


def calls(size, first, step):
    for l in list(range(size)) * GROUPS:
        yield twist(twist(first + l, step) if l % 2 == 0 else first + l, 3)


KERNELS = {"sums": sums, "rounds": rounds, "across": across, "places": places, "waves": waves,
           "calls": calls}


def compile_for(device, simd):
    name = f"small.{device}.{simd}.zebin"
    subprocess.run(["ocloc", "compile", "-q", "-file", os.path.join(HERE, "small.cl"), "-device",
                    device, "--format", "zebin", "-output", name, "-output_no_suffix", "-options",
                    f"-cl-std=CL2.0 -DSIMD={simd}", "-internal_options",
                    "-ze-emit-zebin-visa-sections"],
                   cwd=FOLDER, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return os.path.join(FOLDER, name)


def run(zebin, engine, kernel, size, first, step):
    path = os.path.join(FOLDER, engine + ".raw")
    count = GROUPS * size
    result = subprocess.run(
        [*VISAGE, "run", zebin, kernel, "-g", str(count), "-l", str(size), "-a",
         f"buf:u32:{count}:zero:out={path}", "-a", f"u32:{first}", "-a", f"u32:{step}",
         "--engine", engine, "--stats"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{zebin} {kernel} {size}: {result.stderr}")
    with open(path, "rb") as file:
        return (list(struct.unpack(f"<{count}I", file.read())),
                re.findall(r"instructions \d+", result.stderr))


def main():
    count = 0
    for device, simd in (("pvc", 16), ("pvc", 32), ("dg2", 32), ("skl", 8)):
        zebin = compile_for(device, simd)
        for (name, make), size in itertools.product(KERNELS.items(), SIZES):
            if make == waves and size not in (12, 20):
                continue  # they take long to compile
            first, step = 100 + size, 5
            more = (simd,) if name == "across" else ()
            wanted = [x % WIDE for x in make(size, first, step, *more)]
            mine, other = (run(zebin, engine, name, size, first, step)
                           for engine in ("jit", "interp"))
            for engine, found in (("jit", mine), ("interp", other)):
                if found[0] != wanted:
                    sys.exit(f"{device} {simd} {name} {size} {engine}: {found[0]}, not {wanted}")
            if mine[1] != other[1]:
                sys.exit(f"{device} {simd} {name} {size}: {mine[1]}, interpreted {other[1]}")
            count += 1
    print(count, "runs as they should be")


main()
