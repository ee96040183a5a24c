# SPDX-License-Identifier: MIT
"""What 192 work-items of rows-halves.cl load: rows_halves.py FOLDER

in (u32); cases: kernel, number, start, by, what indices are beyond, of which want.NUMBER;
planes: the same without a kernel, of which want.planes.NUMBER; want.again."""
import os
import struct
import sys

COUNT, ELEMENTS = 192, 4096
M32, M64 = 2**32 - 1, 2**64 - 1


def write(name, numbers):
    with open(os.path.join(sys.argv[1], name), "wb") as file:
        file.write(struct.pack(f"<{len(numbers)}I", *numbers))


def signed(x):
    return x - 2**32 if x >> 31 else x


INDEX = {
    "product": lambda x, by: x * by,
    "twelve": lambda x, by: x * 12,
    "back": lambda x, by: ~x & M64,
    "low": lambda x, by: x & 255,
    "high": lambda x, by: (x >> 4) * by,
    "signs": lambda x, by: ((signed(x) >> 5) * by) & M64,
    "halves": lambda x, by: (int(signed(x) / 64) * by + x % 64) & M64,
}
CASES = (
    ("product", 0, 3), ("product", 1431655700, 3), ("product", 1431655765, 3),
    ("product", 7, 21), ("before_product", 2**32 - 80, 5), ("before_product", 2**32 - 64, 1),
    ("behind_product", 2**32 - 80, 5), ("behind_product", 2**32 - 17, 3),
    ("before_back", 2**32 - 77, 0), ("behind_back", 2**32 - 77, 0),
    ("behind_back", 2**32 - 16, 0), ("twelve", 5, 0), ("twelve", 357913900, 0),
    ("twelve", 357913941, 0), ("back", 0, 0), ("back", 2**32 - COUNT, 0), ("low", 0, 0),
    ("low", 3, 0), ("low", 200, 0), ("low", 2**32 - 70, 0), ("high", 0, 300), ("high", 5, 77),
    ("high", 2**31 - 50, 50), ("signs", 0, 600), ("signs", 2**32 - 90, 400), ("halves", 0, 100),
    ("halves", 17, 1000), ("halves", 2**32 - 75, 70),
)

given = [(x * 2654435761 + 12345) & M32 for x in range(ELEMENTS)]
write("in", given)
with open(os.path.join(sys.argv[1], "cases"), "w", encoding="ascii") as file:
    for number, (kernel, start, by) in enumerate(CASES):
        places = [INDEX[kernel.split("_")[-1]]((i + start) & M32, by) for i in range(COUNT)]
        nearest = [x if x < 2**63 else x - 2**64 for x in places]
        on = ["_" not in kernel or (i + start <= M32) == ("before" in kernel)
              for i in range(COUNT)]
        less = min(x for x, is_on in zip(nearest, on) if is_on)
        told = (-less if "back" in kernel else less) & M64
        file.write(f"{kernel} {number} {start} {by} {told}\n")
        made = [(x - less) & M64 for x in nearest]
        write(f"want.{number}", [given[x] if is_on else (x + (x >> 32)) & M32
                                 for x, is_on in zip(made, on)])
with open(os.path.join(sys.argv[1], "planes"), "w", encoding="ascii") as file:
    for number, (start, by) in enumerate(((245, 64), (252, 33), (300, 7))):
        rows = [(y + start + 4294967040) * by for y in range(16)]
        file.write(f"{number} {start} {by} {rows[0]}\n")
        write(f"want.planes.{number}", [given[x + row - rows[0]] for row in rows
                                        for x in range(32)])
sums = []
for i in range(64):
    total = 0
    for k in range(6):
        x = (i + 4294967290 + 2 * k) & M32
        total = (total * 3 + given[x * 5 % 1024 + ((i + k) * 3 & 511)]) & M32
    sums.append(total)
write("want.again", sums)
