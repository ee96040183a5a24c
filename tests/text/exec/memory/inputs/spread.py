# SPDX-License-Identifier: MIT
"""Runs the kernels of spread.cl: spread.py SCRATCH-FOLDER RUNS...

What they write is worked out here; buffers end with the last element. Behind their ends both
engines tell the same fault."""

import re
import struct
import sys

from launches import LOCAL, compile_for, launch, run

FACTORS = (1, 3, 5, 7, 11, 13, 17, 19)
SIZES = ((64, 1), (256, 250), (512, 449))
BY_SIZE = (("pvc", "jit"), ("dg2", "jit"), ("dg2", "interp")) # others have one


def weighed(i):
    return sum(f * (8 * i + k) for k, f in enumerate(FACTORS))


def slid(i, modulus=1 << 16):
    return sum(f * ((i + k) % modulus) for k, f in enumerate(FACTORS))


def long_of(group, item):
    other = LOCAL * group + LOCAL - 1 - item
    return (1 + 7 * 3 + 11 * 5) * (LOCAL * group + item + other)


def cases(size, some):
    """Kernel, dwords written, its other arguments, what the dwords are."""
    rows = [i * f for i in range(size) for f in FACTORS]
    pairs = [x for i in range(size) for x in (12 * i + 2, 12 * i + 4, 0, 0, 0, 0)]
    longs = [long_of(i // LOCAL, i % LOCAL) for i in range(size)]
    return (
        ("load8", size, (f"buf:u32:{8 * size}:iota",), [weighed(i) for i in range(size)]),
        ("load8_some", some, (f"buf:u32:{8 * some}:iota", f"u32:{some}"),
         [weighed(i) for i in range(some)]),
        ("store8", 8 * size, (), rows),
        ("store8_some", 8 * some, (f"u32:{some}",), rows[:8 * some]),
        ("twice", 8 * size, (f"buf:u32:{8 * size}:iota", f"u32:{some}"),
         [(3 if i < 8 * some else 1) * i for i in range(8 * size)]),
        ("pairs", 6 * size, (f"buf:u32:{6 * size}:iota",), pairs),
        ("longs", 2 * size, (f"local:{40 * LOCAL}",),
         [x for v in longs for x in (v & 0xffffffff, v >> 32)]),
        ("shorts", size, (f"buf:u16:{size + 7}:iota",), [slid(i) for i in range(size)]),
        ("shorts_some", some, (f"buf:u16:{some + 7}:iota", f"u32:{some}"),
         [slid(i) for i in range(some)]),
        ("bytes", size, (f"buf:u8:{size + 7}:iota",), [slid(i, 256) for i in range(size)]),
    )


def walked(start, length, of=lambda at: at):
    return sum((k + 1) * of(start + k) for k in range(length)) & 0xffffffff


def walks(size, some):
    """The same for rows as long as an argument says."""
    for pitch, length in ((0, 3), (1, 5), (2, 1), (7, 7), (16, 16), (61, 9), (1024, 2)):
        last = pitch * (size - 1) + length
        limits = (f"u32:{pitch}", f"u32:{length}")
        yield ("walk", size, (f"buf:u32:{last}:iota", *limits),
               [walked(i * pitch, length) for i in range(size)])
        yield ("walk_bytes", size, (f"buf:u8:{last}:iota", *limits),
               [walked(i * pitch, length, lambda at: at % 256) for i in range(size)])
        yield ("walk_longs", size, (f"buf:u64:{last}:iota", *limits),
               [walked(i * pitch, length) for i in range(size)])
        yield ("walk_back", size,
               (f"buf:u16:{pitch * (some - 1) + length}:iota", *limits, f"u32:{some}"),
               [walked((some - 1 - i) * pitch, length, lambda at: at % 65536) if i < some else 0
                for i in range(size)])
        if pitch < 64:
            yield ("walk_near", size, (f"local:{4 * (LOCAL * pitch + length)}", *limits),
                   [walked(i % LOCAL * pitch, length, lambda at: 7 * at) for i in range(size)])
    yield ("walk_known", size, (f"buf:u32:{max(5 * size, 61) + 4}:iota", "u32:4"),
           [(walked(5 * i, 4) + sum(i * i % 61 + k for k in range(4))) & 0xffffffff
            for i in range(size)])


def each(size, some):
    """Elements that have few between them."""
    for name, bits in (("each_byte", 8), ("each_short", 16), ("each", 32), ("each_long", 64)):
        for gap in (2, 3, 4, 5, 9):
            wanted = [(3 * (gap * i % 2**bits) + (gap * i + gap - 1) % 2**bits) & 0xffffffff
                      for i in range(size)]
            yield (f"{name}_{gap}", size, (f"buf:u{bits}:{gap * size}:iota",), wanted)
            yield (f"{name}_some_{gap}", some, (f"buf:u{bits}:{gap * some}:iota", f"u32:{some}"),
                   wanted[:some])
    for gap in (2, 3):
        wanted = [4 * 5 * i + 3 * gap for i in range(size)]
        for name, count, limit in (("ends", size, ()), ("ends_some", some, (f"u32:{some}",))):
            kernel = name.replace("ends", f"ends_{gap}")
            yield (kernel, count, (f"buf:u32:{5 * (count - 1) + gap + 1}:iota", *limit),
                   wanted[:count])
    for gap in (1, 2, 3):
        yield (f"beside_{gap}", size, (f"buf:u32:{size + gap}:iota",),
               [4 * i + gap for i in range(size)])
        yield (f"beside_{gap}_some", some, (f"buf:u32:{some + gap}:iota", f"u32:{some}"),
               [4 * i + gap for i in range(some)])


def mixed(i, of, other):
    total = 0
    for k in range(20):
        total = total * 5 + (of((i * 7 + k * 11) % 64) if (i + k) % 3 else other)
    return total & 0xffffffff


def both(size):
    """Channels of one access in two buffers."""
    for name, bits in (("both_bytes", 8), ("both_shorts", 16), ("both", 32), ("both_longs", 64)):
        yield (name, size, (f"buf:u{bits}:64:iota", f"buf:u{bits}:64:fill=9"),
               [mixed(i, lambda at: at, 9) for i in range(size)])
    yield ("both_pairs", size, ("buf:u32:128:iota", "buf:u32:128:fill=9"),
           [mixed(i, lambda at: 2 * at + 3 * (2 * at + 1), 36) for i in range(size)])
    puts = [100 * i + k if (i + k) % 3 else 0 for i in range(size) for k in range(19, -1, -1)]
    room = 20 * size
    for name, bits in (("put_bytes", 8), ("put_shorts", 16), ("put_both", 32)):
        data = b"".join((x % 2**bits).to_bytes(bits // 8, "little") for x in puts)
        yield (name, room * bits // 32, (f"buf:u{bits}:{room}:zero",),
               struct.unpack(f"<{len(data) // 4}I", data))
    yield ("put_pairs", 2 * room, (f"buf:u32:{2 * room}:zero",),
           [x for put in puts for x in (put, 3 * put)])
    yield ("put_some", room, (f"buf:u32:{room}:zero", "u32:2"),
           [put if i // 20 % 5 != 2 else 0 for i, put in enumerate(puts)])


LEVELS = ((), ("--cpu", "sse4.2"), ("--quick",))


def check_levels(zebin):
    """The same by code for other processors, and by code that is made quickly."""
    count = 0
    for options in LEVELS[1:]:
        for kernel, written, args, wanted in both(256):
            status, data, _ = run(zebin, "jit", kernel, 256, written, *args, options=options)
            if status != 0 or data != struct.pack(f"<{len(wanted)}I", *wanted):
                sys.exit(f"{kernel}, {' '.join(options)}: {status}, wrong")
            count += 1
    return count


def check_strays(zebin):
    """One channel's fault is told as the interpreter tells it, but for where the buffer lies."""
    args = ("put_stray", 256, 20 * 256, f"buf:u32:{20 * 256}:zero", "u32:77")
    faults = [launch(zebin, engine, *args, options=options)
              for engine, options in (("interp", ()), *(("jit", level) for level in LEVELS))]
    told = [re.findall(r".*error: write.*", re.sub(r"0x\w+(?=\w{3} )", "", said))
            for _, _, said in faults]
    if any(status != 3 for status, *_ in faults) or told != 4 * [told[0]] or len(told[0]) != 1:
        sys.exit(f"put_stray: {told}")
    return len(faults)


def main():
    count = 0
    for device in ("pvc", "dg2", "skl"):
        zebin = compile_for(device, "spread")
        for engine in ("jit", "interp"):
            for size, some in SIZES if (device, engine) in BY_SIZE else SIZES[1:2]:
                for kernel, written, args, wanted in (*cases(size, some), *walks(size, some),
                                                      *each(size, some), *both(size)):
                    status, data, _ = run(zebin, engine, kernel, size, written, *args)
                    if status != 0 or data != struct.pack(f"<{len(wanted)}I", *wanted):
                        sys.exit(f"{kernel} of {size}, {some} on {device}, {engine}: {status}, wrong")
                    count += 1
    zebin = compile_for("pvc", "spread")
    count += check_levels(zebin) + check_strays(zebin)
    # By addresses: behind the last page of a buffer.
    for kernel, written, args, what in (("load8", 8192, ("buf:u32:8192:iota",), "read"),
                                        ("shorts", 8192, ("buf:u16:8192:iota",), "read"),
                                        ("store8", 8192, (), "write"),
                                        ("walk", 8192, ("buf:u32:65536:iota", "u32:9", "u32:2"),
                                         "read")):
        for engine in ("jit", "interp"):
            status, _, fault = run(zebin, engine, kernel, 8192, written, *args)
            if status != 3 or fault != what:
                sys.exit(f"{kernel}, {engine}: {status}, {fault}")
            count += 1
    print(f"{count} runs as they should be")


if __name__ == "__main__":
    main()
