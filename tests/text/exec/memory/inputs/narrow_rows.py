# SPDX-License-Identifier: MIT
"""Indices of 128 work-items for narrow-rows.cl, and what they load: narrow_rows.py FOLDER

For elements of 1, 2 and 4 bytes: in.SIZE, at.SIZE (u32), on.SIZE (u8) and want.SIZE; and
round.SIZE, indices whose bytes go round 2^32 within a row."""
import os
import struct
import sys

COUNT, LANES = 100, 16
JUNK = 0xdeadbeef


def sections():
    """Of 16 work-items each: where they load, None: they are off."""
    yield range(LANES)
    yield range(COUNT - LANES, COUNT)
    yield [i - 5 if i >= 5 else None for i in range(LANES)]  # a row from before the memory
    yield [i + 90 if i < 10 else None for i in range(LANES)]  # one that goes on behind it
    yield [37] * LANES
    yield [99 if i % 3 else None for i in range(LANES)]
    yield [20 if i == 7 else 40 + i for i in range(LANES)]
    yield range(60, 60 - LANES, -1)


def write(name, size, data):
    with open(os.path.join(sys.argv[1], f"{name}.{size}"), "wb") as file:
        file.write(data)


for size in (1, 2, 4):
    values = [(i * 2654435761 + 12345) % 2**(8 * size) for i in range(COUNT)]
    wanted = [at for section in sections() for at in section]
    # Channels that are off would go on with their row, where that has begun.
    rows = [i % LANES - 5 if wanted[i] is None and i // LANES == 2 else
            90 + i % LANES if wanted[i] is None and i // LANES == 3 else
            JUNK if wanted[i] is None else wanted[i] for i in range(len(wanted))]
    element = {1: "B", 2: "H", 4: "I"}[size]
    write("in", size, struct.pack(f"<{COUNT}{element}", *values))
    write("at", size, struct.pack(f"<{len(rows)}I", *(at % 2**32 for at in rows)))
    write("on", size, bytes(at is not None for at in wanted))
    write("want", size, struct.pack(f"<{len(rows)}{element}",
                                    *(9 if at is None else values[at] for at in wanted)))
    write("round", size, struct.pack(f"<{len(rows)}I",
                                     *((2**32 // size + i % LANES - 5) % 2**32
                                       for i in range(len(rows)))))
