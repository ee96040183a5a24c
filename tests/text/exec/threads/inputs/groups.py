# SPDX-License-Identifier: MIT
"""Runs the kernels of groups.cl on both engines: groups.py SCRATCH-FOLDER VISAGE...

What they write, how many instructions they execute, and the faults they end with must be the
same; of some the results are worked out here, too."""

import itertools
import os
import re
import struct
import subprocess
import sys

FOLDER, *VISAGE = sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))
ITEMS = 4096
# Kernel, global and local size, arguments.
RUNS = (
    ("rounds", "256", "64", 37, 1), ("rounds", "512", "64", 100, 3), ("rounds", "128", "32", 0, 1),
    ("apart", "256", "64", 5, 1), ("apart", "128", "64", 0, 1), ("apart", "192", "16", 70, 9),
    ("order", "256", "64", 9, 1), ("order", "256", "64", 0, 1), ("order", "512", "256", 5, 1),
    ("shapes", "512", "128", 9, 3), ("shapes", "512", "128", 2, 5),
    ("shapes", "64,4,2", "16,4,2", 7, 9), ("shapes", "64,4,2", "16,4,2", 1, 9),
    ("shapes", "32,8,8", "8,8,2", 5, 4), ("shapes", "96", "96", 5, 2), ("shapes", "64", "32", 6, 2),
    ("shapes", "64", "16", 6, 2), ("shapes", "60,4", "20,4", 6, 2), ("shapes", "130", "65", 3, 2),
    ("sums", "4096", "256", 3, 5), ("sums", "512", "64", 1, 0), ("sums", "768", "96", 7, 2),
    ("poll", "64", "64", 8, 40), ("near", "128", "64", 1, 1), ("near", "128", "64", 3, 3),
    ("near", "128", "64", 16, 16), ("near", "128", "64", 31, 40), ("near", "128", "64", 60, 60),
    ("near", "256", "64", 64, 64), ("plane", "64,8", "16,4", 70, 3),
    ("plane", "32,8", "8,8", 40, 5), ("plane", "60,6", "20,2", 61, 2),
    ("halves", "256", "64", 3, 5), ("halves", "64", "64", 4000000000, 2000000),
    ("plane", "128,4", "64,2", 128, 9), ("plane", "512,2", "64,2", 2000, 1),
    ("edge", "8192", "64", 64, 7), ("edge", "8192", "64", 9, 0),
    ("copied", "64", "64", 3, 5), ("copied", "960", "96", 7, 11), ("copied", "160", "32", 1, 1),
    ("held", "64", "64", 3, 5), ("held", "2048", "64", 1065353216, 77777), ("held", "64,3", "64", 9, 1),
)
MORE = {"held": ("-a", "local:1280")}


def compile_for(device):
    name = f"groups.{device}.zebin"
    subprocess.run(["ocloc", "compile", "-q", "-file", os.path.join(HERE, "groups.cl"), "-device",
                    device, "--format", "zebin", "-output", name, "-output_no_suffix", "-options",
                    "-cl-std=CL2.0", "-internal_options", "-ze-emit-zebin-visa-sections"],
                   cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)
    return os.path.join(FOLDER, name)


def run(zebin, engine, kernel, size, local, *numbers, more=()):
    """Exit status, what was written, what was said without times and names of engines."""
    path = os.path.join(FOLDER, engine + ".raw")
    result = subprocess.run(
        [*VISAGE, "run", zebin, kernel, "-g", size, "-l", local, "-a",
         f"buf:u32:{ITEMS}:zero:out={path}", *(word for n in numbers for word in ("-a", f"u32:{n}")),
         "--engine", engine, "--stats", *more],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    data = b""
    if os.path.exists(path):  # not behind a fault
        with open(path, "rb") as file:
            data = file.read()
        os.remove(path)
    said = "\n".join(re.findall(r"error: .*|instructions \d+", result.stderr))
    return result.returncode, data, said


def check(what, good):
    if not good:
        sys.exit(f"{what}: different")


def expected_sums(size, local, first, step):
    values = [first + step * i for i in range(size)]
    return [x for at in range(0, size, local)
            for x in itertools.accumulate(values[at:at + local])]


def expected_copied(size, local, first, step):
    return [3 * (first + step * (at + local - 1 - l)) for at in range(0, size, local)
            for l in range(local)]


def expected_near(size, n, step):
    out = []
    for at in range(0, size, 64):
        s = [5 * (at + l) + 1 for l in range(64)]
        sums = [(s[l - n] if l >= step else 0) - (3 * s[l + n] if l + step < 64 else 0)
                for l in range(64)]
        for l in range(step, 64):
            s[l - n] = sums[l]
        out += [(7 * sums[l] + s[l]) % (1 << 32) for l in range(64)]
    return out


def expected_halves(size, n, step):
    out = []
    for at in range(0, size, 64):
        s = [((at + l) * step + n) % (1 << 32) for l in range(64)]
        places = {"s": s, "w": [x << 31 for x in s], "h": list(s), "b": list(s)}
        bits = {"s": 32, "w": 64, "h": 16, "b": 8}
        on = 32
        while on:
            for name, values in places.items():
                for l in range(on):
                    values[l] = (values[l] + values[l + on]) % (1 << bits[name])
            on //= 2
        all_of = s[0] + (places["w"][0] >> 31) + places["h"][0] + places["b"][0] % 256
        b = [x % 256 for x in places["b"]]
        on = 48
        while on:
            b[:on] = [x ^ s[l + 1] % 256 for l, x in enumerate(b[:on])]
            s[:on] = [(x + 3) % (1 << 32) for x in s[:on]]
            on //= 3
        out += [(all_of + 7 * s[l] + b[l]) % (1 << 32) for l in range(64)]
    return out


def as_float(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def expected_held(size, n, step):
    """As there are two dimensions of groups or one, which all write to the same places."""
    out, low = [], (1 << 32) - 1
    for at in range(0, int(size.split(",", maxsplit=1)[0]), 64):
        x = [(n + step * (at + l)) & low for l in range(64)]
        s = x + [v ^ 5 for v in x[:40]] + [0] * 216
        sums = [s[l + 1] + (s[l - 3] * 11 if l >= 3 else 0) & low ^ s[l + 17] for l in range(64)]
        for l in range(64):
            wide = ((s[2 * l + 1] << 32 | s[2 * l]) * 3 + l) & (1 << 64) - 1
            s[2 * l + 128], s[2 * l + 129] = wide & low, wide >> 32
        for l in range(24, 56):
            s[l] ^= 0x1010
        for l in range(64):
            sums[l] = sums[l] * 5 + s[l + 100] + s[l + 160] * 3 + s[l + 192]
            sums[l] -= s[l + 8] if l < 50 else 0
            wide = sum(s[2 * i + 1] << 32 | s[2 * i] for i in (l + 31, l + 90))
            sums[l] += wide + (wide >> 32)
        mask = 0x3fffffff
        s[:32] = [struct.unpack("<I", struct.pack("<f", as_float(s[l + 32] & mask) +
                                                  as_float(s[l + 41] & mask)))[0] for l in range(32)]
        out += [sums[l] + s[l] & low for l in range(64)]
    return out


def expected_plane(size, n, step):
    width, height = (int(part) for part in size.split(","))
    out = [0] * ITEMS
    for y in range(height):
        for x in range(width):
            out[y * n + x] = x * 3 + (y ^ 1) * step
    return out


def expected(kernel, size, local, *numbers):
    """What is worked out here; None: nothing."""
    if kernel == "sums":
        return expected_sums(int(size), int(local), *numbers)
    if kernel == "copied":
        return expected_copied(int(size), int(local), *numbers)
    if kernel == "near":
        return expected_near(int(size), *numbers)
    if kernel == "held":
        return expected_held(size, *numbers)
    if kernel == "halves":
        return expected_halves(int(size), *numbers)
    return expected_plane(size, *numbers) if kernel == "plane" else None


def main():
    count = 0
    for device in ("pvc", "dg2", "skl"):
        zebin = compile_for(device)
        for row in RUNS:
            mine, other = (run(zebin, engine, *row, more=MORE.get(row[0], ()))
                           for engine in ("jit", "interp"))
            # How often a thread looks before it sees something depends on the engine.
            told = slice(0, 2 if row[0] == "poll" else 3)
            check((device, *row), mine[told] == other[told] and mine[0] == 0)
            wanted = expected(*row)
            if wanted:
                check((device, *row), list(struct.unpack(f"<{len(wanted)}I",
                                                         mine[1][:4 * len(wanted)])) == wanted)
            count += 1
        for way in (0, 1):
            mine, other = (run(zebin, engine, "wrapped", "64", "64", way, 0,
                               more=("-a", f"buf:u32:{ITEMS}:zero")) for engine in ("jit", "interp"))
            check((device, "wrapped", way), mine == other and mine[0] == 0)
        faults = [run(zebin, engine, "wild", "256", "64", 37, 3) for engine in ("jit", "interp")]
        check((device, "wild"), faults[0][0] == faults[1][0] == 3 and
              faults[0][2].split("\n")[0] == faults[1][2].split("\n")[0] != "")
        for kernel, size, n, step in (("near", "256", 4, 3), ("near", "256", 40, 31),
                                      ("near", "256", 1, 0), ("edge", "8192", 65, 7),
                                      ("sums", "8192", 3, 5)):
            faults = [run(zebin, engine, kernel, size, "64", n, step)
                      for engine in ("jit", "interp")]
            check((device, kernel, n, step), faults[0][0] == faults[1][0] == 3 and
                  faults[0][2].split("\n")[0] == faults[1][2].split("\n")[0] != "")
        for kernel in ("rounds", "apart"):
            status, _, said = run(zebin, "jit", kernel, "256", "64", 10, 0, more=("--timeout", "0.5"))
            check((device, kernel, "endless"), status == 3 and "stopped after 500 ms" in said)
        count += 8
    print(count, "runs as they should be")


main()
