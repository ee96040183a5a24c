# SPDX-License-Identifier: MIT
"""What 256 work-items of rows-back.cl move, and what becomes of it: rows_back.py FOLDER

on (u8); for elements of TYPE and buffers of N of them in.TYPE.N and want.{load,store,slm}.TYPE.N;
want.edges (i32)."""
import os
import random
import sys

COUNT, GROUP, BYTES = 256, 64, 4096
SIZES = {"1": (1, 1), "2": (2, 1), "4": (4, 1), "8": (8, 1), "42": (4, 2), "44": (4, 4)}


def write(name, data):
    with open(os.path.join(sys.argv[1], name), "wb") as file:
        file.write(data)


def joined(elements):
    return b"".join(elements).ljust(BYTES, b"\0")


def one(number, size, count):
    return number.to_bytes(size, "little") * count


def shared(given, n, size, count):
    out = []
    for first in range(0, COUNT, GROUP):
        x = [given[i] if i < n else one(7, size, count) for i in range(first, first + GROUP)]
        row = [one(i + 100, size, count) for i in range(GROUP)]
        for i in range(GROUP):
            if first + i < n and on[first + i]:
                row[GROUP - 1 - i] = x[i]
        out += [x[i] if i < 9 else row[72 - i] for i in range(GROUP)]
    return out


numbers = random.Random(3)
on = [i < 64 or numbers.random() < .7 for i in range(COUNT)]
write("on", bytes(on))
for name, (size, count) in SIZES.items():
    for n in 256, 240, 90:
        given = [numbers.randbytes(size * count) for _ in range(n)]
        zero = bytes(size * count)
        loaded = [given[n - 1 - i] if i < n and on[i] else zero for i in range(COUNT)]
        stored = [zero] * COUNT
        for i in range(n):
            if on[i]:
                stored[n - 1 - i] = given[i]
        write(f"in.{name}.{n}", b"".join(given))
        write(f"want.load.{name}.{n}", joined(loaded))
        write(f"want.store.{name}.{n}", joined(stored))
        write(f"want.slm.{name}.{n}", joined(shared(given, n, size, count)))
edges = b""
for first in range(0, 640, GROUP):
    row = [first + 5 - l if l <= 5 else l + 100 for l in range(GROUP)]
    edges += b"".join((row[7 - l] if l <= 7 else 0).to_bytes(4, "little") for l in range(GROUP))
write("want.edges", edges)
