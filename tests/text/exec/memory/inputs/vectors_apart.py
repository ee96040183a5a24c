# SPDX-License-Identifier: MIT
"""What 256 work-items of vectors-apart.cl move, and what becomes of it: vectors_apart.py FOLDER

in, and for "all" and "some" at.WHO (u32), on.WHO (u8) and want.{store,load}.TYPE.WHO."""
import os
import random
import struct
import sys

COUNT, BYTES = 256, 8192
SIZES = {"i2": 8, "i3": 12, "i4": 16, "l2": 16, "l4": 32}


def write(name, data):
    with open(os.path.join(sys.argv[1], name), "wb") as file:
        file.write(data)


def moved(data, size, pairs):
    out = bytearray(BYTES)
    for source, place in pairs:
        out[size * place:size * (place + 1)] = data[size * source:size * (source + 1)]
    return bytes(out)


numbers = random.Random(7)
data = numbers.randbytes(BYTES)
places = numbers.sample(range(COUNT), COUNT)
write("in", data)
for who, part in ("all", 1), ("some", .6):
    on = [numbers.random() < part for _ in range(COUNT)]
    write("on." + who, bytes(on))
    write("at." + who, struct.pack(f"<{COUNT}I", *(
        place if is_on else numbers.getrandbits(32) for place, is_on in zip(places, on))))
    pairs = [(i, places[i]) for i in range(COUNT) if on[i]]
    for name, size in SIZES.items():
        write(f"want.store.{name}.{who}", moved(data, size, pairs))
        write(f"want.load.{name}.{who}", moved(data, size, [(p, i) for i, p in pairs]))
