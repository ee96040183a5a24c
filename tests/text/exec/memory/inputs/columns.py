# SPDX-License-Identifier: MIT
"""Runs the kernels of columns.cl: columns.py SCRATCH-FOLDER RUNS...

What they write is worked out here; where they leave their buffers, both engines say the same."""

import functools
import itertools
import operator
import os
import re
import struct
import sys

from launches import FOLDER, compile_for, launch


def run(*what, options=()):
    """Exit status, the bytes written, what was said of faults and instructions."""
    status, data, said = launch(*what, options=options)
    return status, data, re.findall(r"error: .*|instructions \d+|not compiled.*", said)


def total(numbers, chained):
    """What ADD() makes of them."""
    out = 0
    for x in numbers:
        out = x + out * (5 if chained else 1)
    return out


class Rows:
    """What is to come out, where rounds are chained or not."""

    def __init__(self, chained):
        self.chained = chained

    def total(self, numbers):
        return total(numbers, self.chained)

    def along(self, start, length, weight=lambda k: k + 1):
        return self.total(weight(k) * (start + k) for k in range(length))

    def up_to(self, start, length, limit):
        return self.total(x for x in range(start, start + length) if x <= limit)

    def made(self, size, length, of):
        """What MAKE() makes of that in each round, as a function of row and round."""
        out = [[of(i, k) for k in range(length)] for i in range(size)]
        for row in out if self.chained else ():
            for k in range(1, length):
                row[k] = row[k] + 5 * row[k - 1] & 0xffffffff
        return lambda i, k: out[i][k]


def added_up(size, pitch, length):
    out = [0] * (pitch * (size - 1) + length)
    for i in range(size):
        for k in range(1, length):
            out[i * pitch + k] += out[i * pitch + k - 1] + k + i
    return out


def rows_of(size, pitch, length, element, of):
    """Rows of elements of so many bytes, as words."""
    out = bytearray((pitch * (size - 1) + length) * element + 3)
    for i in range(size):
        for k in range(length):
            value = of(i, k) & (1 << 8 * element) - 1
            at = (i * pitch + k) * element
            out[at:at + element] = value.to_bytes(element, "little")
    return [x for x, in struct.iter_unpack("<I", out[:len(out) // 4 * 4])]


def puts(size, rows):
    """Kernels that store along rows: each row behind the one before."""
    some = size - 55
    for pitch, length in ((1, 1), (20, 20), (3, 2), (7, 1), (20, 0), (16, 16), (33, 31), (47, 33),
                          (65, 64), (8, 8), (1032, 1030), (1024, 100)):
        limits = f"i32:{pitch}", f"i32:{length}"
        product = rows.made(size, length, lambda i, k: (i + 1) * (k + 3))
        for kernel, element in ("put", 4), ("put_bytes", 1), ("put_words", 2), ("put_longs", 8):
            yield kernel, limits, rows_of(size, pitch, length, element, product)
        yield ("put_some", (*limits, f"i32:{some}"),
               rows_of(size, pitch, length, 4, lambda i, k: product(i, k) * (i < some)))
        if length == 0:
            continue
        last = pitch * (size - 1) + length
        words = f"buf:u32:{last}:iota"
        read = rows.made(size, length, lambda i, k: i * pitch + k)
        both = rows_of(size, pitch, length, 4, lambda i, k: read(i, k) + 1)
        both += rows_of(size, pitch, length, 4, lambda i, k: read(i, k) ** 2)
        yield "two_puts", (words, *limits, f"i32:{last}"), both
        mixed = rows.made(size, length, lambda i, k: (k >> 3) + (
            (i * pitch + k & 255) // 2 + k if i & 4 else (i * pitch + k & 255) // 2 ^ i * i))
        yield ("put_mixed", (f"buf:u8:{last}:iota", f"buf:u32:{length}:iota", *limits),
               rows_of(size, pitch, length, 2, mixed))
        limit = pitch * (size // 2) + length // 2
        yield ("put_until", (words, *limits, f"u32:{limit}"),
               rows_of(size, pitch, length, 4,
                       lambda i, k: (i * pitch + k + 7) *
                       (k == 0 or i * pitch + k - 1 <= limit)))
        row = lambda i, k: 0
        for _ in range(3):
            row = rows.made(size, length, lambda i, k, row=row: 3 * row(i, k) + k + i)
        yield "shifted", (*limits, "i32:0", "i32:0"), rows_of(size, pitch, length, 4, row)
        yield ("put_and_look", (*limits, f"i32:{last}"),
               rows_of(size, pitch, length, 4,
                       rows.made(size, length, lambda i, k: k + i)) + [0])


def parts(size, rows):
    """Each work-item's part of an array, which may be as long as the others' or not."""
    first_of = {"part": (0, 5, -1000, 0x7fffffff), "part_16": (0, 0x7fffffff),
                "part_unsigned": (0, 0x7ffffff0, 0xffffffff), "part_long": (0, -50, 1 << 40),
                "part_far": (0, (1 << 32) - 77, 1 << 63), "part_mixed": (0, 64, 0x7fffffff)}
    for pitch, length in ((40, 40), (17, 16), (9, 8), (100, 65), (33, 33), (1, 1), (20, 0)):
        for odd, out in (-1, -1), (37, -1), (-1, 2):
            items = [(i, i * pitch, max(length + (i == odd), 0) * (i & 3 != out))
                     for i in range(size)]
            last = max(start + count for _, start, count in items) + pitch
            words, rest = f"buf:u32:{last}:iota", (f"i32:{length}", f"i32:{odd}", f"i32:{out}")
            if pitch < length + (odd >= 0):
                continue
            for kernel, firsts in first_of.items():
                for first in firsts:
                    if first in (0x7fffffff, 0xffffffff):  # the last part ends there
                        first -= max(start + length + (i == odd) for i, start, _ in items)
                    wanted = [0] * last
                    for _, start, count in items:
                        made = 0
                        for k in range(start, start + count):
                            made = 4 * k + first + (5 * made if rows.chained else 0)
                            wanted[k] = made
                    kind = {"part_long": "i64", "part_far": "u64", "part_mixed": "u64",
                            "part_unsigned": "u32"}.get(kernel, "i32")
                    yield kernel, (words, f"i32:{pitch}", f"{kind}:{first}", *rest), wanted
            for kernel, kind in ("part_sum", "i32"), ("part_sum_far", "u64"):
                wanted = []
                for i, start, count in items:
                    wanted += [rows.total([i, *(4 * k + 11 for k in range(start, start + count))]),
                               functools.reduce(operator.xor, range(start, start + count), 7)]
                yield kernel, (words, f"i32:{pitch}", f"{kind}:11", *rest), wanted
            if out < 0:
                wanted = [0] * last
                for _, start, count in items:
                    for k in range(start, start + count):
                        wanted[k] = 3 * k + 1
                yield "part_by_pointer", (words, f"i32:{pitch}", *rest[:2]), wanted
    for pitch, length in ((12, 3), (20, 11), (30, 21), (17, 0), (12, -4), (1, -9)):
        for odd in -1, 77:
            wanted = [0] * (pitch * size)
            for i in range(size):
                for k in range(max(length + (9 if i == odd else 0), 1)):
                    wanted[i * pitch + k] = 4 * (i * pitch + k)
            yield ("part_at_least_one", (f"buf:u32:{pitch * size}:iota", f"i32:{pitch}",
                                         f"i32:{length}", f"i32:{odd}"), wanted)


def tuples(size, rows):
    """Several elements of each work-item in a round."""
    for pitch, length in ((1, 1), (20, 20), (9, 8), (33, 31), (65, 64), (40, 17), (20, 0)):
        limits = f"i32:{pitch}", f"i32:{length}"
        count = pitch * (size - 1) + length

        def words(per, of, width=1):
            """`per` elements of so many words each, of(i, k, n) in round k of row i."""
            out = [0] * (count * per * width)
            for n in range(per):
                made = rows.made(size, length, lambda i, k: of(i, k, n))
                for i in range(size):
                    for k in range(length):
                        at = ((i * pitch + k) * per + n) * width
                        for part in range(width):
                            out[at + part] = made(i, k) >> 32 * part
            return out

        def at(i, k):
            return i * pitch + k

        def name(bits, per):
            return f"buf:u{bits}:{max(count * per, 1)}:iota"

        yield ("fours", (name(32, 4), *limits),
               words(4, lambda i, k, n: (4 * at(i, k) + n) * (n + 1) + k))
        yield "pairs", (name(32, 2), *limits), words(2, lambda i, k, n: 2 * at(i, k) + 1 - n + i)
        if not rows.chained:
            yield ("pairs_of_longs", (name(64, 2), *limits),
                   words(2, lambda i, k, n: 2 * at(i, k) + 1 - n, 2))
            yield ("beside", (name(32, 1), *limits),
                   words(2, lambda i, k, n: at(i, k) + 9 if n else ~at(i, k)))
        yield ("of_fours", (name(32, 4), *limits),
               words(1, lambda i, k, n: 4 * at(i, k) + 7 * (4 * at(i, k) + 2)))
        yield ("to_thirds", (name(32, 1), *limits),
               words(3, lambda i, k, n: at(i, k) + 9 if n == 1 else 0))
        yield ("window", (f"buf:u32:{count + 2}:iota", *limits),
               words(1, lambda i, k, n: 7 * at(i, k) + 10))
        yield ("turned", (name(32, 1), *limits),
               words(1, lambda i, k, n: 3 * at(i, length - 1 - k)))
        yield ("turned_bytes", (name(8, 1), *limits),
               rows_of(size, pitch, length, 1,
                       rows.made(size, length, lambda i, k: 3 * (at(i, length - 1 - k) & 255))))


def triangles(size):
    """Parts of different lengths; each of those that come first may be empty."""
    for pitch, least, most in ((64, 0, 64), (70, 5, 40), (33, 16, 17), (9, 0, 8), (1, 0, 1)):
        limits = f"i32:{pitch}", f"i32:{least}", f"i32:{most}"
        name = f"buf:u32:{pitch * size}:iota"
        wanted, sums = [0] * (pitch * size), []
        for i in range(size):
            for k in range(min(max(i - 3, least), most)):
                wanted[i * pitch + k] = 3 * (i * pitch + k) + k
            total, last = 5, 9
            for k in range(most - min(max(i, least), most)):
                total += (i * pitch + k) * last
                last = i * pitch + k
            sums.append(total)
        yield "triangle", (name, *limits), wanted
        yield "triangle_sum", (name, *limits), sums


def differences(i, k, pitch):
    """What the kernel makes of what it read."""
    read = [5, i] + [i * pitch + n for n in range(k + 1)]
    return read[k + 2] - 2 * read[k + 1] + 3 * read[k]


def signed(x):
    return x - (1 << 32) if x >> 31 else x


def others(size, rows):
    """What rounds leave to the next one, or make of all; rows by turns."""
    for pitch, length in ((1, 1), (20, 20), (9, 8), (33, 31), (65, 64), (40, 17), (20, 0)):
        limits = f"i32:{pitch}", f"i32:{length}"
        count = max(pitch * (size - 1) + length, 1)
        yield ("differences", (f"buf:u32:{count}:iota", *limits),
               rows_of(size, pitch, length, 4,
                       rows.made(size, length, lambda i, k: differences(i, k, pitch))))
        wanted = [0] * (2 * pitch * (size - 1) + 2 * length)
        made = rows.made(size, length, lambda i, k: 4 * (i * pitch + k) - 1)
        for i in range(size):
            for k in range(length):
                wanted[2 * i * pitch + k] = 4 * (i * pitch + k) + 1
                wanted[2 * i * pitch + length + k] = made(i, k)
        yield "halves", (f"buf:u32:{2 * count}:iota", *limits), wanted
        first, last = [], []
        for i in range(size):
            read = [(i * pitch + k) * 2654435761 & 0xffffffff for k in range(length)]
            first += [min(read + [1 << 31]), max(read + [77]),
                      min([signed(x) for x in read] + [1 << 20]),
                      max([signed(x) for x in read] + [-(1 << 20)])]
            last.append(functools.reduce(operator.and_, (x | 0xfff for x in read), 0xffffffff))
        yield "extremes", (f"buf:u32:{count}:iota", *limits), first + last


# Rows that meet in one thread, whose order is what both engines keep.
CHANNELS = 32
MEETING = [("shifted", 2400, f"i32:{pitch}", f"i32:{length}", f"i32:{to}", f"i32:{at}")
           for pitch, length in ((40, 40), (20, 33), (7, 20), (0, 12), (70, 64))
           for to, at in ((0, 0), (1, 0), (0, 1), (17, 0), (0, 17), (40, 0), (0, 33), (3, 5))]
MEETING += [(kernel, 1300, f"i32:{pitch}", f"i32:{length}", f"i32:{at}")
            for kernel in ("put_and_look", "put_and_find")
            for pitch, length in ((40, 40), (20, 33)) for at in (0, 1, 19, 45, 1279)]
MEETING += [("shifted_pairs", 2700, f"i32:{pitch}", f"i32:{length}", f"i32:{to}", f"i32:{at}")
            for pitch, length in ((40, 40), (20, 33), (0, 12))
            for to, at in ((0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (17, 0), (81, 0), (0, 80))]
MEETING += [("shifted_evens", 2700, f"i32:{pitch}", f"i32:{length}", f"i32:{to}", f"i32:{at}",
             f"i32:{other}")
            for pitch, length, other in ((40, 40, 40), (20, 33, 20), (40, 20, 30), (40, 30, 41))
            for to, at in ((0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (3, 0), (0, 3), (81, 0))]
MEETING += [("read_again", 2800, f"i32:{pitch}", f"i32:{length}", f"i32:{to}", f"i32:{at}")
            for pitch, length in ((40, 40), (41, 33), (7, 9))
            for to, at in ((0, 0), (1, 0), (0, 1), (40, 40), (0, 1400), (1400, 0))]
MEETING += [("two_puts", 2600, "buf:u32:1300:iota", "i32:40", "i32:40", f"i32:{apart}")
            for apart in (0, 1, 16, 39, 40, 1240, 1280)]


def starts_of(size):
    """Rows anywhere, overlapping ones, and those of which only the last channel's is apart."""
    return {"anywhere": [i * 7919 % 1000 for i in range(size)],
            "overlapping": [i * 147 // 160 for i in range(size)],
            "last": [70 if i % 16 == 15 else 3 for i in range(size)]}


def cases(size, rows):
    """Kernel, its arguments, what it writes."""
    items, some = range(size), size - 55
    for pitch, length in ((0, 20), (1, 17), (3, 2), (2, 3), (7, 1), (20, 0), (16, 16), (33, 31),
                          (47, 33), (8, 1032), (1024, 100)):
        last = pitch * (size - 1) + length
        words, limits = f"buf:u32:{last}:iota", (f"i32:{pitch}", f"i32:{length}")
        row = [rows.along(i * pitch, length) for i in items]
        for kernel, bits in ("row_bytes", 8), ("row_bytes_16", 8), ("row_words", 16):
            yield (kernel, (f"buf:u{bits}:{last}:iota", *limits),
                   [rows.total((k + 1) * (i * pitch + k & (1 << bits) - 1) for k in range(length))
                    for i in items])
        yield "row", (words, *limits), row
        yield "row_16", (words, *limits), row
        yield ("row_counted", (words, *limits, "i64:0xfffffffff0"),
               [x + 0xfffffffff0 + length for x in row])
        yield "row_far", (words, f"u64:{pitch}", f"u64:{length}"), row
        yield "row_longs", (f"buf:u64:{last}:iota", *limits), row
        yield ("row_some", (f"buf:u32:{pitch * (some - 1) + length}:iota", *limits, f"i32:{some}"),
               [x if i < some else 0 for i, x in enumerate(row)])
        yield ("row_odd", (f"buf:u32:{pitch * (size // 2 - 1) + length}:iota", *limits),
               [row[i // 2] if i & 1 else 0 for i in items])
        yield ("two", (words, f"buf:u32:{size * length + 1}:iota", *limits),
               [rows.total((i * pitch + k) * (i * length + k) for k in range(length)) for i in items])
        yield ("rows", (f"buf:u32:{pitch * (3 * size - 1) + length}:iota", *limits, "i32:3"),
               [rows.total((r + k + 1) * ((3 * i + r) * pitch + k)
                           for r in range(3) for k in range(length)) for i in items])
        yield ("until", (words, *limits, f"u32:{last // 2}"),
               [rows.up_to(i * pitch, length, last // 2) for i in items])
        yield ("skipping", (words, *limits, "u32:0xf30f00f0"),
               [rows.total((k + 1) * (i * pitch + k) for k in range(length)
                           if 0xf30f00f0 >> (k & 31) & 1) for i in items])
        yield ("any_row", (f"buf:u32:{size + length}:iota", f"buf:i32:{size}:iota",
                           f"i32:{length}"), [rows.along(i, length) for i in items])
        yield ("around", (words, *limits, f"i32:{last}"),
               [rows.along(i * pitch, length, lambda k: 1) for i in items])
        if pitch >= length:
            yield "added_up", limits, added_up(size, pitch, length)
    for pitch, first, length in ((40, -7, 40), (41, 0xfffffff0, 41), (3, -(1 << 32) - 8, 30),
                                 (2, (1 << 63) - 21, 20), (50, 0x3fffffff0, 1), (50, 5, -5),
                                 (50, 0x100000003, -3), (50, 0x1ffffffff, -0xfffffff3)):
        words = f"buf:u32:{pitch * (size - 1) + max(length, 1)}:iota"
        wanted = [rows.total((first + k + 1) * (i * pitch + k) for k in range(length)) for i in items]
        yield "between", (words, f"i32:{pitch}", f"i64:{first}", f"i64:{first + length}"), wanted
        first %= 1 << 64
        if first + length < 1 << 64:
            yield ("between_far", (words, f"i32:{pitch}", f"u64:{first}", f"u64:{first + length}"),
                   [rows.total((first + k + 1) * (i * pitch + k) for k in range(length))
                    for i in items])
    for name, starts in starts_of(size).items():
        with open(os.path.join(FOLDER, name), "wb") as file:
            file.write(struct.pack(f"<{size}i", *starts))
        for length in (5, 16, 50):
            yield ("any_row", (f"buf:u32:{max(starts) + length}:iota",
                               f"buf:i32:@{FOLDER}/{name}", f"i32:{length}"),
                   [rows.along(start, length) for start in starts])


# Those that differ in how surfaces are accessed, for time's sake.
ON_SKL = ("row", "row_bytes", "row_words", "two", "between", "put", "put_bytes", "added_up",
          "put_some", "put_mixed", "until", "part", "part_far", "part_mixed", "part_sum",
          "part_by_pointer", "fours", "pairs", "of_fours", "beside", "window", "turned",
          "turned_bytes", "differences", "halves", "extremes", "triangle",
          "triangle_sum", "part_at_least_one")

FAULTS = (("row", "buf:u32:65536:iota", "i32:1024", "i32:40"),
          ("row", "buf:u32:65536:iota", "i32:1000", "i32:1536"),
          ("row_far", "buf:u32:65536:iota", "u64:1024", "u64:20"),
          ("row_longs", "buf:u64:32768:iota", "i32:512", "i32:20"),
          ("two", "buf:u32:4096:iota", "buf:u32:2048:iota", "i32:4", "i32:1100"),
          ("put", "i32:4", "i32:1100"),
          ("put_words", "i32:1024", "i32:40"),
          ("fours", "buf:u32:16896:iota", "i32:33", "i32:33"),
          ("window", "buf:u32:3072:iota", "i32:33", "i32:33"),
          ("turned", "buf:u32:3072:iota", "i32:33", "i32:33"),
          ("part", "buf:u32:4096:iota", "i32:33", "i32:7", "i32:33", "i32:-1", "i32:-1"),
          ("part_sum", "buf:u32:4096:iota", "i32:33", "i32:7", "i32:33", "i32:-1", "i32:2"),
          ("put_until", "buf:u32:65536:iota", "i32:512", "i32:500", "u32:65000"),
          ("any_row", "buf:u32:4096:iota", "buf:i32:@{FOLDER}/far", "i32:40"),
          ("around", "buf:u32:4096:iota", "i32:2", "i32:64", "i32:264"))


def compare(device, zebin):
    """Kernels of which both engines say the same: some have faults, of some rows meet."""
    count = 0
    for kernel, *args in FAULTS:
        args = [arg.format(FOLDER=FOLDER) for arg in args]
        result = [run(zebin, engine, kernel, 128, 128, *args) for engine in ("jit", "interp")]
        comes_back = device == "skl" and kernel == "around"  # within 32 bits
        if result[0] != result[1] or result[0][0] != (0 if comes_back else 3):
            sys.exit(f"{kernel} {args} on {device}: {result}")
        count += 2
    for kernel, words, *args in MEETING:
        result = [run(zebin, engine, kernel, CHANNELS, words, *args,
                      options=("-l", str(CHANNELS))) for engine in ("jit", "interp")]
        if result[0] != result[1] or result[0][0] != 0:
            sys.exit(f"{kernel} {args} on {device}: {result[0][0]}, {result[1][0]}, other data "
                     "or words")
        count += 2
    return count


def run_all(device, zebin, rows):
    size, count = 128 if device == "pvc" else 64, 0
    more = () if rows.chained else triangles(size)
    for kernel, args, wanted in itertools.chain(cases(size, rows), puts(size, rows),
                                                tuples(size, rows), others(size, rows),
                                                parts(size, rows), more):
        if device == "skl" and kernel not in ON_SKL:
            continue
        said = []
        for engine in ("jit", "interp"):
            status, data, what = run(zebin, engine, kernel, size, len(wanted), *args)
            said.append(what)
            wanted = [x & 0xffffffff for x in wanted]
            if status != 0 or data != struct.pack(f"<{len(wanted)}I", *wanted):
                sys.exit(f"{kernel} {args} on {device}, {engine}: {status}, wrong")
            count += 1
        if said[0] != said[1]:
            sys.exit(f"{kernel} {args} on {device}: {said}")
    return count


def main():
    count = 0
    with open(os.path.join(FOLDER, "far"), "wb") as file:
        file.write(struct.pack("<128i", *(-(1 << 28) if i == 77 else 3 * i for i in range(128))))
    for chained in False, True:
        for device in ("pvc", "dg2", "skl"):
            options = ("-DCHAINED",) if chained else ()
            zebin = compile_for(device, "columns", options)
            count += run_all(device, zebin, Rows(chained))
            if device != "dg2":
                count += compare(device, zebin)
    print(f"{count} runs as they should be")


if __name__ == "__main__":
    main()
