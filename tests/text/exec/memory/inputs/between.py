# SPDX-License-Identifier: MIT
"""What 256 work-items of between.cl store, and what becomes of it: between.py FOLDER

on (u8); cases: kernel, type, elements of the buffer, the limit, the first element, of which
want.KERNEL.LIMIT.FIRST; kinds, of which near.KIND."""
import os
import random
import sys

COUNT, GROUP, BYTES = 256, 64, 10240
SIZES = {"uchar": 1, "ushort": 2, "uint": 4, "ulong": 8}


def write(name, data):
    with open(os.path.join(sys.argv[1], name), "wb") as file:
        file.write(data)


def packed(numbers, size):
    return b"".join((x % 256**size).to_bytes(size, "little") for x in numbers)


numbers = random.Random(5)
on = [i // 32 % 3 == 0 or numbers.random() < .6 for i in range(COUNT)]
write("on", bytes(on))
cases, kinds = [], []
for name, size in SIZES.items():
    for gap in 2, 3, 4, 5:
        kind = f"{name}_{gap}"
        starts = (1, gap * COUNT), (0, gap * 201), (gap - 1, gap * 77 + 1)
        for first, limit in starts:
            out = [77] * limit
            for i in range(COUNT):
                if first == 0 and gap * i + 1 < limit:
                    out[gap * i + 1] = 3 * i
                if gap * i + first < limit and on[i]:
                    out[gap * i + first] = 5 * i + 1
            cases.append(f"{kind} u{8 * size} {limit} {limit} {first}\n")
            write(f"want.{kind}.{limit}.{first}", packed(out, size))
        out = []
        for start in range(0, COUNT, GROUP):
            row = list(range(GROUP * gap))
            for l in range(GROUP):
                if on[start + l]:
                    row[gap * l + 1] = 5 * (start + l) + 1
            out += row
        kinds.append(f"{kind}\n")
        write(f"near.{kind}", packed(out, size).ljust(BYTES, b"\0"))
for gap in 3, 4:
    for first, limit in (0, gap * COUNT), (1, gap * 99 + 1):
        out = [77] * limit
        for i in range(COUNT):
            if gap * i + first + 1 < limit and on[i]:
                out[gap * i + first:gap * i + first + 2] = 5 * i + 1, 7 * i
        cases.append(f"pair_{gap} u32 {limit} {limit} {first}\n")
        write(f"want.pair_{gap}.{limit}.{first}", packed(out, 4))
write("cases", "".join(cases).encode())
write("kinds", "".join(kinds).encode())
