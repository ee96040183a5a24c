# SPDX-License-Identifier: MIT
# usage: groups_long.py FOLDER: what groups-long.cl takes and gives.
import random
import struct
import sys

LOCAL, GROUPS, BITS = 256, 2, 0xffffffff


def walk(data, constants):
    out = []
    for group in range(GROUPS):
        t = data[group * LOCAL:(group + 1) * LOCAL]
        v = [0] * LOCAL
        d = LOCAL // 2
        while d:
            for c in constants:
                v = [(v[l] + t[(t[l] + d) & 255] * t[(l ^ d) * c & 255]) & BITS for l in range(LOCAL)]
                for l in range(LOCAL):
                    if v[l] & 1:
                        t[l * 5 & 255] = v[l]
            d //= 2
        out += [(a + b) & BITS for a, b in zip(v, t)]
    return out


def write(name, numbers):
    with open(f"{sys.argv[1]}/{name}", "wb") as file:
        file.write(struct.pack(f"{len(numbers)}I", *numbers))


numbers = random.Random(7)
data = [numbers.getrandbits(32) for _ in range(LOCAL * GROUPS)]
write("in", data)
write("walk", walk(data, [3]))
write("long_walk", walk(data, [3, 5, 7]))
