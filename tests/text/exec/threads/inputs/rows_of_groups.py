# SPDX-License-Identifier: MIT
"""What work-items of rows-of-groups.cl write: rows_of_groups.py FOLDER

ranges: a name, options of a run; of which want.NAME (u32)."""
import os
import struct
import sys

COUNT = 65536
CASES = (((64, 300, 1), (64, 1, 1)), ((16, 40, 30), (16, 2, 1)), ((8, 12, 9), (8, 2, 1)),
         ((40, 25, 3), (8, 5, 1)), ((20, 32, 8), (4, 4, 2)), ((3, 50, 11), (1, 1, 1)),
         ((64, 8, 12), (32, 4, 2)))

with open(os.path.join(sys.argv[1], "ranges"), "w", encoding="ascii") as ranges:
    for name, (size, local) in enumerate(CASES):
        out = [0] * COUNT
        for z in range(size[2]):
            for y in range(size[1]):
                for x in range(size[0]):
                    own = [i % n for i, n in zip((x, y, z), local)]
                    group = [i // n for i, n in zip((x, y, z), local)]
                    out[(z * size[1] + y) * size[0] + x] = (
                        own[0] + 16 * own[1] + 64 * own[2] + 256 * group[0] + 4096 * group[1]
                        + 65536 * group[2]) & 0xffffffff
        with open(os.path.join(sys.argv[1], f"want.{name}"), "wb") as file:
            file.write(struct.pack(f"<{COUNT}I", *out))
        words = [",".join(map(str, numbers)) for numbers in (size, local)]
        ranges.write(f"{name} -g {words[0]} -l {words[1]}\n")
