# SPDX-License-Identifier: MIT
"""Which of three groups of 48 work-items are on, and what slm-apart.cl writes: slm_apart.py FOLDER

on (u8); want.one, want.two and want.four (i32), of vectors of so many elements."""
import os
import struct
import sys

GROUP, GROUPS, ROW = 48, 3, 5


def is_on(group, item):
    if group == 0:  # a half of each vector, and one channel of another
        return item < 16 or item == 40
    return item % 3 == 1 if group == 1 else item % 16 >= 11 and item < 32


def row_of(group, item):
    row = [100 * item + k for k in range(ROW)]
    for k in range(1, ROW if is_on(group, item) else 0):
        row[k] += 3 * row[k - 1]
    return row


def write(name, data):
    with open(os.path.join(sys.argv[1], name), "wb") as file:
        file.write(data)


items = [(group, item) for group in range(GROUPS) for item in range(GROUP)]
write("on", bytes(is_on(group, item) for group, item in items))
for name, count in ("one", 1), ("two", 2), ("four", 4):
    out = [value if c < count else 0 for group, item in items
           for value in row_of(group, GROUP - 1 - item) for c in range(4)]
    write("want." + name, struct.pack(f"<{len(out)}i", *out))
