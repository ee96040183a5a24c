# SPDX-License-Identifier: MIT
"""Runs the kernels of walk.cl: walk.py SCRATCH-FOLDER RUNS...

What they write is worked out here, for work-items in sub-groups along x."""

import re
import struct
import sys

from launches import compile_for, launch_over

ROOM = 4096


def items(size):
    return [(x, y, z) for x in range(size[0]) for y in range(size[1]) for z in range(size[2])]


def sub_groups(size, local, simd):
    """For each item, in the order of its place in memory: those of its sub-group, and its number
    in its group."""
    members, numbers = {}, {}
    for x, y, z in items(size):
        group = x // local[0], y // local[1], z // local[2]
        number = (z % local[2] * local[1] + y % local[1]) * local[0] + x % local[0]
        numbers[x, y, z] = number
        members.setdefault((group, number // simd), []).append((number, (x, y, z)))
    own = {item: [of for _, of in sorted(group)] for group in members.values() for _, item in group}
    return [(own[item], numbers[item]) for item in items(size)]


def wanted(kernel, size, local, more, simd):
    n, all_items = size[1], items(size)
    if kernel in ("moved", "moved_sizes", "along_z"):
        return [3 * (at + more) + x for at, (x, _, _) in enumerate(all_items)]
    if kernel == "of_16":
        return [3 * (at + more) + x + y % 16 for at, (x, y, _) in enumerate(all_items)]
    if kernel == "summed":
        return [sum((x * n + i + more & 1023) * (i * n + y & 1023) for i in range(n)) for x, y, _ in all_items]
    if kernel == "waited":
        return [at + more for at in range(len(all_items))]
    if kernel == "tiled":
        out = []
        for x, y, _ in all_items:
            i, j, left, top = x % local[0], y % local[1], x - x % local[0], y - y % local[1]
            out.append((left + i) * n + top + (j + 1) % local[1] + more +
                       (left + (i + 1) % local[0]) * n + y + more)
        return out
    if kernel == "swapped":
        places = {item: at for at, item in enumerate(all_items)}
        return [places[group[number % simd ^ 4]] + more for group, number in sub_groups(size, local, simd)]
    if kernel == "block_from": # the first of each group, of which there is one
        firsts = [x + 16 * y for x, y, _ in sub_groups(size, local, simd)[0][0]]
        return [at + more for at in range(len(all_items))] + [0] * (2048 - len(all_items)) + firsts
    out = []
    for at, ((x, y, _), (group, number)) in enumerate(zip(all_items, sub_groups(size, local, simd))):
        out.append(at + more + {
            "first_of": 65536 * group[0][0] + 4096 * group[0][1],
            "number_of": 65536 * (number % simd),
            "sub_group_of": 65536 * (number // simd),
            "sum_of": 65536 * sum(a + 16 * b for a, b, _ in group),
            "scan_of": 65536 * (number * (number + 1) // 2),
            "shuffled_of": 65536 * (group[number % simd - 1][0] + 16 * group[number % simd - 1][1]
                                    if number % simd else 7),
            "block_of": 65536 * (number % simd + more),
            "any_of": 65536 * any(b == 3 for _, b, _ in group)}[kernel])
    return out


PLANES = [((32, 32, 1), (16, 16, 1)), ((16, 64, 1), (8, 8, 1)), ((8, 64, 1), (2, 64, 1)), ((32, 24, 1), (4, 24, 1)),
          ((64, 8, 1), (64, 1, 1)), ((16, 20, 1), (4, 5, 1)), ((6, 48, 1), (3, 48, 1)), ((16, 32, 1), (16, 8, 1))]
CUBES = [((8, 4, 32), (2, 2, 16)), ((4, 8, 16), (4, 4, 8)), ((8, 8, 8), (8, 8, 1)), ((5, 3, 32), (5, 3, 8))]


def cases():
    for kernel in ("moved", "moved_sizes", "summed", "tiled"):
        for size, local in PLANES:
            yield kernel, size, local
    for kernel in ("first_of", "number_of", "sub_group_of", "sum_of", "scan_of", "any_of", "shuffled_of"):
        for size, local in PLANES[:1] + PLANES[7:]:
            yield kernel, size, local
    yield "block_of", (16, 32, 1), (16, 16, 1)
    yield "block_from", (2, 8, 1), (2, 8, 1)
    yield "swapped", (32, 32, 1), (16, 16, 1)
    yield "waited", (8, 32, 1), (8, 32, 1)
    for size, local in CUBES:
        yield "along_z", size, local
    yield "of_16", (32, 48, 1), (16, 16, 1)


def triple(size):
    return ",".join(map(str, size))


def simds_of(zebin):
    """Channels of a thread, by kernel."""
    with open(zebin, "rb") as file:
        text = file.read().decode("latin-1")
    found = re.findall(r"- name: +(\w+)\n(?:(?!- name:).)*?simd_size: +(\d+)", text, re.DOTALL)
    return {kernel: int(size) for kernel, size in found}


def told(zebin, engine, kernel):
    """The second work-item of a thread, which reads behind `in`."""
    status, _, said = launch_over(zebin, engine, kernel, ("32,32", "16,16"), "buf:u32:1024:zero",
                                  "buf:u32:1024:iota", "u32:1023", options=("--jobs", "1"))
    found = re.search(r"channel 1 \(work-item \((.*?)\)\)", said)
    if status != 3 or not found:
        sys.exit(f"{kernel}, {engine}: {status}, {said}")
    return found.group(1)


def main():
    count = 0
    for device in ("pvc", "skl", "dg2"):
        zebin = compile_for(device, "walk")
        simds = simds_of(zebin)
        for engine, *options in (("interp",), ("jit",), ("jit", "--cpu", "avx2")):
            for kernel, size, local in cases():
                more = 4
                status, data, said = launch_over(
                    zebin, engine, kernel, (triple(size), triple(local)), f"buf:u32:{ROOM}:zero",
                    f"buf:u32:{ROOM}:iota", f"u32:{more}", options=options)
                numbers = wanted(kernel, size, local, more, simds[kernel])
                if status != 0 or data[:4 * len(numbers)] != struct.pack(f"<{len(numbers)}I", *(n & 0xffffffff for n in numbers)):
                    sys.exit(f"{kernel} {size} {local} on {device}, {engine} {options}: {status}, wrong {said}")
                count += 1
            for kernel in ("moved", "of_16", "tiled", "first_of", "sum_of"):
                second = "0,1,0" if kernel in ("moved", "of_16") else "1,0,0"
                if told(zebin, engine, kernel) != second:
                    sys.exit(f"{kernel} on {device}, {engine}: {told(zebin, engine, kernel)}")
                count += 1
        status, _, said = launch_over(zebin, "interp", "races", ("16,16", "16,16"), "buf:u32:4096:zero",
                                      "buf:u32:4096:iota", "u32:0", options=("--check",))
        if "race" not in said:
            sys.exit(f"{status}, {said}")
        count += 1
    print(f"{count} runs as they should be")


main()
