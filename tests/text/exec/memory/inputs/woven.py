# SPDX-License-Identifier: MIT
"""Runs the kernels of woven.cl: woven.py SCRATCH-FOLDER RUNS...

What they write is worked out here; where work-items have to do with what others store, or leave
their buffers, both engines say the same."""

import os
import re
import struct
import sys

from launches import FOLDER, compile_for, launch_over

RANGES = ((128, 64), (96, 32), (63, 21), (40, 8))
FORMATS = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "f32": "f"}


def numbers(kind, count):
    """Some that are all over the place, and the argument that is a buffer of them."""
    size = 8 * struct.calcsize(FORMATS[kind])
    values = [(k * 2654435761 ^ k << 7) % (1 << size) for k in range(count)]
    path = os.path.join(FOLDER, f"numbers-{kind}-{count}")
    if not os.path.exists(path):
        with open(path, "wb") as file:
            file.write(struct.pack(f"<{count}{FORMATS[kind]}", *values))
    return values, f"buf:{kind}:@{path}"


def times_3_plus_1(x):
    return 3 * x + 1


# Each element for itself: how many a work-item has, what they are before and afterwards.
ALIKE = (("twos", 2, "u32", "u32", times_3_plus_1), ("threes", 3, "u32", "u32", times_3_plus_1),
         ("fours", 4, "u32", "u32", times_3_plus_1), ("eights", 8, "u32", "u32", times_3_plus_1),
         ("sixteens", 16, "u32", "u32", times_3_plus_1),
         ("bytes", 16, "u8", "u8", times_3_plus_1), ("words", 8, "u16", "u16", times_3_plus_1),
         ("longs", 4, "u64", "u64", times_3_plus_1), ("rows_3", 3, "u32", "u32", times_3_plus_1),
         ("rows_5", 5, "u32", "u32", times_3_plus_1),
         ("rows_16", 16, "u32", "u32", times_3_plus_1),
         ("rows_64", 64, "u32", "u32", times_3_plus_1),
         ("rows_bytes", 8, "u8", "u8", times_3_plus_1), ("wider", 4, "u8", "u16", lambda x: 257 * x),
         ("narrower", 4, "u32", "u8", lambda x: x >> 3))


def as_float(x):
    """The nearest one."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def alike(size):
    for kernel, each, kind, made, of in ALIKE:
        values, argument = numbers(kind, size * each)
        yield kernel, made, [of(x) for x in values], (argument,), ()
    values, argument = numbers("u32", size * 4)
    yield ("floats", "f32", [as_float(as_float(x) * 0.5) for x in values], (argument,), ())


def others(size):
    """The rest of those that have buffers for themselves: what is written, with what was there."""
    values, argument = numbers("u32", size * 16)
    items, weights = range(size), (3, 0, 0xffffffff, 17)
    fours = values[:4 * size]
    yield ("weighted", "u32", [x * weights[k % 4] + 5 + k % 4 for k, x in enumerate(fours)],
           (argument,), ("u32:" + ",".join(map(str, weights)),))
    more, other = numbers("u32", size * 17)
    yield ("products", "u32", [max(x * y & 0xffffffff, x ^ y) for x, y in zip(fours, more)],
           (argument, other), ())
    for rounds in 0, 1, 5:
        yield ("sums", "u32", [sum(values[k:k + 4 * rounds:4]) for k in range(4 * size)],
               (argument,), (f"i32:{rounds}",))
    for rounds in 1, 3:
        wanted = [0] * (4 * size * rounds)
        for k in range(4 * size):
            for r in range(rounds):
                before = wanted[k + 4 * size * (r - 1)] if r else 0
                wanted[k + 4 * size * r] = 3 * before + values[k + 4 * r] & 0xffffffff
        yield "running", "u32", wanted, (argument,), (f"i32:{rounds}",)
    yield ("shares", "u32", [x * sum(fours[k // 4 * 4:k // 4 * 4 + 4]) for k, x in enumerate(fours)],
           (argument,), ())
    for limit in 0x40000000, fours[5]:
        signs = [lambda x: x < limit, lambda x: x > limit, lambda x: x < limit,
                 lambda x: x != limit]
        yield ("compared", "u32", [x if signs[k % 4](x) else 5 for k, x in enumerate(fours)],
               (argument,), (f"u32:{limit}",))
        yield ("chosen", "u32", [x if x < limit else 5 for x in fours], (argument,),
               (f"u32:{limit}",))
    yield ("turned", "u32", [3 * fours[k // 4 * 4 + 3 - k % 4] + 1 for k in range(4 * size)],
           (argument,), ())
    yield ("rows_8", "u32", [3 * values[k] + k % 8 for k in range(8 * size)], (argument,), ())
    yield ("with_first", "u32", [3 * values[k] + values[k % 8] for k in range(8 * size)],
           (argument,), ())
    yield ("gaps", "u32", [3 * values[i * 7 + k] + 1 if k < 4 else 0
                           for i in items for k in range(6)], (argument,), ())
    yield ("unlike", "u32", [y for i in items
                             for y in (values[i], 3 * values[i], values[i] ^ 5, i)],
           (argument,), ())
    yield ("some_alike", "u32", [y for i in items
                                 for y in (*(3 * values[i * 6 + k] + 1 for k in range(4)),
                                           values[i * 6 + 4] - values[i * 6], i)], (argument,), ())
    yield ("transposed", "u32", [values[i * 16 + k % 4 * 4 + k // 4] + 1
                                 for i in items for k in range(16)], (argument,), ())
    for limit in 0, 1, size - 5, size:
        yield ("guarded", "u32", [3 * values[k] + 1 if k < 8 * limit else 0
                                  for k in range(8 * size)], (argument,), (f"u32:{limit}",))


def pixels(size):
    """Elements of several sizes, as bytes."""
    values, argument = numbers("u8", size * 3)
    yield ("swapped", "u8", [values[k - k % 3 + 2 - k % 3] for k in range(3 * size)], (argument,),
           ())
    yield "greys", "u8", [3 * values[k // 3] + 1 for k in range(3 * size)], (argument,), ()
    values, argument = numbers("u8", size * 8)
    wanted = bytearray()
    for a, b, c, d in struct.iter_unpack("<IHBB", bytes(values)):
        wanted += struct.pack("<IHBB", 3 * a + 1 & 0xffffffff, b ^ 5, d, c + 1 & 0xff)
    yield "mixed", "u8", list(wanted), (argument,), ()
    values, argument = numbers("u8", size * 28 + 8)
    fours, eights = bytearray(), bytearray()
    for i in range(size):
        a = bytes(values[28 * i:28 * i + 8])
        fours += a[:4] + a[:2] + a[:1] * 2
        a = bytes([a[0] ^ 5]) + a[1:]
        eights += a + b"\0\0" + a + a + a[:1] * 2
    yield "unchanged", "u8", list(fours), (argument,), ()
    yield "unchanged_longs", "u8", list(eights), (argument,), ()


def some_by_own(size, local):
    values, argument = numbers("u32", size * 8)
    by = [i % local * 77 ^ 13 if k & 1 else 5 + k for i in range(size) for k in range(8)]
    wanted = [x * y for x, y in zip(values, by)] + [0] * (1024 - 8 * size)
    wanted += [x ^ y for x, y in zip(values, by)]
    return "some_by_own", "u32", wanted, (argument,), ()


def halves(size):
    values, argument = numbers("u64", size * 8)
    low, up = [x & 0xffffffff for x in values], [x >> 32 for x in values]
    turned = [x for pair in zip(up, low) for x in pair]
    plain = [x for pair in zip(low, up) for x in pair]
    wanted = turned + 3 * ([0] * (2048 - 16 * size) + plain)
    return "halves", "u32", wanted, (argument, f"buf:u64:{size * 8}:zero"), ()


def local_rows(size, local):
    values, argument = numbers("u32", size * 8)
    wanted = []
    for i in range(size):
        row = i // local * local + local - 1 - i % local
        wanted += [3 * x + 1 for x in values[8 * row:8 * row + 8]]
    return "local_rows", "u32", wanted, (argument,), ()


def in_place(size):
    """Those that no work-item does to what another one has: what is there before, and then."""
    values, _ = numbers("u32", 8 * size)
    then = {name: list(values) for name in ("in_place", "from_behind", "from_before", "from_next",
                                            "both_ways")}
    for at in range(0, 8 * size, 8):
        for k in range(8):
            then["in_place"][at + k] = 3 * values[at + k] + 1
            then["from_behind"][at + k] = 3 * then["from_behind"][at + 7 - k] + 1
        for k in range(7):
            then["from_before"][at + k + 1] = 3 * then["from_before"][at + k] + 1
            then["from_next"][at + k] = 3 * then["from_next"][at + k + 1] + 1
        for k in range(8):
            then["both_ways"][at + k] = 3 * then["both_ways"][at + (k + 4) % 8] + 1
    return then.items()


ENGINES = {"pvc": (("interp",), ("jit", "--cpu", "avx512"), ("jit", "--cpu", "avx2")),
           "dg2": (("jit", "--cpu", "avx512"),),
           "skl": (("interp",), ("jit", "--cpu", "avx512"), ("jit", "--cpu", "sse4.2"))}


def check(zebin, device, ranges, kernel, kind, wanted, out, *args):
    """In how many engines the kernel writes that; it ends if one does not."""
    size = struct.calcsize(FORMATS[kind])
    if kind != "f32":
        wanted = [x % (1 << 8 * size) for x in wanted]
    wanted = struct.pack(f"<{len(wanted)}{FORMATS[kind]}", *wanted)
    said = set()
    for engine, *options in ENGINES[device]:
        status, data, what = launch_over(zebin, engine, kernel, [str(x) for x in ranges], out, *args,
                                         options=options)
        said.add(str(re.findall(r"instructions \d+|not compiled.*", what)))
        if status != 0 or data != wanted or len(said) != 1:
            sys.exit(f"{kernel} {args} on {device}, {engine} {options}, {ranges}: {status}, {said}")
    return len(ENGINES[device])


def meeting(size):
    """Where work-items store what others load: kernel, words, other arguments."""
    for kernel, each in (("placed", 8), ("placed_fours", 12)):
        words = 2 * size * each
        for start, to in ((0, size * each), (size * each, 0), (0, 0), (0, 1), (1, 0), (0, 4),
                          (4, 0), (0, each), (each, 0), (0, 16 * each), (0, 3 * each + 2),
                          (size * each - 3, 0), (0, size * each - 3), (size * each, 1)):
            yield kernel, words, f"u32:{start}", f"u32:{to}"
    yield "some_in_place", 1024 + 8 * size
    for start in 8 * size, 0, 2, 3:
        yield "again", 16 * size, f"u32:{start}"
    for ahead in 0, 1, 3, 24:
        yield "swapped_in_place", size, f"u32:{ahead}"
    yield "from_neighbour", 4 * size + 4
    yield "with_one", 8 * size
    yield "back_from_neighbour", 8 * size + 8
    yield "over_neighbours", 4 * size + 4, numbers("u32", 8 * size)[1]
    yield "near_neighbour", 8 * size + 5
    for other in (0, 1, 8, 15, 4 * size, 7 * size, 8 * size, 15 * size, 16 * size, 17 * size):
        yield "around", 18 * size, "u32:0", f"u32:{8 * size}", f"u32:{other}"
        yield "around", 18 * size, f"u32:{8 * size}", "u32:0", f"u32:{other}"
        yield "around", 18 * size, "u32:0", "u32:0", f"u32:{other}"
    for start, to in ((0, 8 * size), (8 * size, 0), (0, 0), (0, 4), (4, 0), (0, 32), (32, 0)):
        yield "moved", 16 * size, f"u32:{start}", f"u32:{to}"
    for to, other in ((4, 8), (0, 4), (4, 0), (4, 4), (4, 5), (5, 4), (2, 6), (4, 2), (7, 11)):
        yield "two_ways", 16 * size, "u32:0", f"u32:{to * size}", f"u32:{other * size}"
    # Behind the end.
    yield "in_place", 8 * size - 5
    yield "placed", 8 * size, "u32:0", "u32:3"
    yield "placed", 8 * size, "u32:3", "u32:0"


SHORT = ("threes", "fours", "sixteens", "rows_5", "rows_8", "rows_16", "guarded", "unlike")


def short(size):
    """Buffers that end too early."""
    _, argument = numbers("u32", size * 16)
    for kernel in SHORT:
        limit = (f"u32:{size}",) if kernel == "guarded" else ()
        yield (kernel, size * 3 - 5, argument, *limit)
        yield (kernel, size * 16, numbers("u32", size - 3)[1], *limit)


def compare(zebin, device, size):
    """In one group of as many work-items: all engines say the same."""
    count = 0
    for kernel, words, *args in (*meeting(size), *short(size)):
        results = set()
        for engine, *options in ENGINES[device]:
            status, data, what = launch_over(zebin, engine, kernel, (str(size), str(size)),
                                             numbers("u32", words)[1], *args, options=options)
            fault = re.search(r"error: .*(read|write).* is outside|instructions \d+", what)
            results.add((status, data, fault and (fault[1] or fault[0]), "not compiled" in what))
            count += 1
        if len(results) != 1 or next(iter(results))[0] not in (0, 3) or next(iter(results))[3]:
            sys.exit(f"{kernel} {args} on {device}: {[(r[0], *r[2:]) for r in results]}")
    return count


def run_all(zebin, device):
    count = 0
    for size, local in RANGES:
        ranges = size, local
        for kernel, kind, wanted, before, behind in (*alike(size), *others(size), *pixels(size),
                                                     local_rows(size, local),
                                                     some_by_own(size, local), halves(size)):
            count += check(zebin, device, ranges, kernel, kind, wanted,
                           f"buf:{kind}:{len(wanted)}:zero", *before, *behind)
        for kernel, kind, wanted, before, _ in pixels(size):
            count += check(zebin, device, (size, 1), kernel, kind, wanted,
                           f"buf:{kind}:{len(wanted)}:zero", *before)
        for kernel, wanted in in_place(size):
            count += check(zebin, device, ranges, kernel, "u32", wanted,
                           numbers("u32", 8 * size)[1])
    return count


def main():
    count = 0
    for device in ("pvc", "dg2", "skl"):
        zebin = compile_for(device, "woven")
        count += run_all(zebin, device)
        if device != "dg2":
            count += sum(compare(zebin, device, size) for size in (32, 16, 21))
    print(f"{count} runs as they should be")


if __name__ == "__main__":
    main()
