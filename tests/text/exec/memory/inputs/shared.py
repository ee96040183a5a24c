# SPDX-License-Identifier: MIT
"""Runs the kernels of shared.cl: shared.py SCRATCH-FOLDER RUNS...

What they write is worked out here; where a number leads out of a buffer, both engines say the
same."""

import os
import re
import struct
import sys

from launches import FOLDER, compile_for, launch_over

FORMATS = {"u8": "B", "i8": "b", "u16": "H", "u32": "I", "i32": "i", "i64": "q"}


def numbers(kind, values):
    """An argument that is a buffer of those."""
    path = os.path.join(FOLDER, f"numbers-{kind}-{abs(hash(tuple(values)))}")
    with open(path, "wb") as file:
        file.write(struct.pack(f"<{len(values)}{FORMATS[kind]}", *values))
    return f"buf:{kind}:@{path}"


def launch(*what):
    """Exit status, the bytes written, what was said of faults and instructions."""
    status, data, said = launch_over(*what)
    return status, data, re.findall(r"error: .*|instructions \d+", said)


def rows(width, height):
    """One row of `in` for each row of work-items."""
    ids = [(7 * y + 3) % 11 for y in range(height)]
    for kernel, kind in (("row", "i32"), ("row_bytes", "u8"), ("row_chars", "i8"),
                         ("row_words", "u16"), ("row_longs", "i64"), ("row_16", "i32")):
        for pitch in (0, 1, width + 5):
            wanted = [ids[y] * pitch + x + y for y in range(height) for x in range(width)]
            yield (kernel, wanted, numbers(kind, ids),
                   f"buf:u32:{10 * pitch + width}:iota", f"i32:{pitch}")


def some_of_rows(width, height, local):
    """What is made of one number for each row, where the channel has a bit."""
    of = [(11 * y + 5) % 37 for y in range(height)]
    for kernel, made in (("some_as_they_are", lambda n: n), ("some_halves", lambda n: n >> 1),
                         ("some_floats", lambda n: 2 * n), ("some_thirds", lambda n: n // 3),
                         ("some_apart", lambda n: abs(n - 20))):
        for bits in (0xffffffff, 0xfffffffe, 0x55555554, 0x8000, 0x0000fff0):
            wanted = [made(of[y]) + x % local if bits >> (x % local & 31) & 1 else 7
                      for y in range(height) for x in range(width)]
            yield (kernel, wanted, numbers("i32", of), f"buf:u32:{72 + local}:iota",
                   f"u32:{bits}")


def groups(count, local):
    """Numbers for each group of so many work-items."""
    items, table = range(count * local), [(5 * i + 1) % count for i in range(count)]
    for steps in (0, 1, 4):
        at = list(range(count))
        for _ in range(steps):
            at = [table[i] for i in at]
        yield ("chain", [2 * at[i // local] + i % local for i in items], numbers("u32", table),
               f"buf:u32:{count + local}:iota", f"u32:{steps}")
    of = [(17 * i + 2) % 40 for i in range(count)]
    for bits in (0xffffffff, 0, 1, 0x80000000, 0xfffffffe, 0x00ff0000, 0x55555554, 0x0000f000):
        yield ("some", [of[i // local] + i % local if bits >> (i % local & 31) & 1 else 7
                        for i in items],
               numbers("u32", of), f"buf:u32:{40 + local}:iota", f"u32:{bits}")
    for limit in (0, 1, count * local - 7, count * local):
        wanted = []
        for i in items:
            value = 2 * (of[i // local] + i % local)
            if value > of[0]:
                value += of[i // local] + i % local + 1
            wanted.append(value if i < limit else 3)
        yield ("until", wanted, numbers("u32", of), f"buf:u32:{41 + local}:iota", f"u32:{limit}")
    order = [(i * 5 + 3) % len(items) for i in items]
    yield ("permuted", [order[order[i]] for i in items], numbers("u32", order),
           f"buf:u32:{len(items)}:iota")
    starts = [(i * (i + 3)) % 7 + 7 * i for i in range(count + 1)]
    columns = [(13 * k + 5) % 29 for k in range(starts[-1])]
    for kernel in "between", "local_between":
        for pitch in (0, 1, local + 3):
            wanted = [sum((columns[k] * pitch + i % local) * (k + 1)
                          for k in range(starts[i // local], starts[i // local + 1]))
                      for i in items]
            yield (kernel, wanted, numbers("u32", starts), numbers("u32", columns),
                   f"buf:u32:{29 * pitch + local}:iota", f"u32:{pitch}")


def handed(count, local):
    steps, at = 3, [g * 200 for g in range(count)]
    wanted = [0] * (200 * count + local + 10)
    for first in at:
        for i in range(steps):
            for lane in range(local):
                wanted[first + 3 * i + lane] += i + lane
    return "handed", wanted, numbers("u32", at), f"u32:{steps}"


FAULTS = (("row", ("64,4", "64,1"), numbers("i32", [0, 3, -1, 1]), "buf:u32:256:iota", "i32:64"),
          ("row", ("64,4", "16,2"), numbers("i32", [0, 1 << 20, 2, 1]), "buf:u32:256:iota",
           "i32:64"),
          ("row_longs", ("64,2", "32,1"), numbers("i64", [0, 1 << 50]), "buf:u32:256:iota",
           "i32:64"),
          ("row", ("64,2000", "64,1"), numbers("i32", [1, 2]), "buf:u32:256:iota", "i32:64"),
          ("chain", ("256", "64"), numbers("u32", [1, 2, 3, 70000]), "buf:u32:256:iota", "u32:3"),
          ("some", ("128", "64"), numbers("u32", [3, 1 << 30]), "buf:u32:256:iota",
           "u32:0xfffffff0"),
          ("between", ("128", "32"), numbers("u32", [0, 2, 9, 3, 1 << 20]),
           numbers("u32", [1] * 20), "buf:u32:256:iota", "u32:3"))


def run_all(device):
    zebin = compile_for(device, "shared")
    ranges = [((f"{w},{h}", f"{x},{y}"), f"buf:u32:{w * h}:zero",
               (*rows(w, h), *some_of_rows(w, h, x)))
              for w, h, x, y in ((128, 9, 64, 1), (64, 32, 16, 16), (96, 8, 8, 4), (66, 6, 33, 3),
                                 (5, 7, 5, 1), (256, 3, 32, 3))]
    ranges += [((str(n * k), str(n)), f"buf:u32:{n * k}:zero", groups(k, n))
               for k, n in ((9, 64), (17, 32), (6, 50), (40, 16), (3, 7), (4, 200))]
    ranges += [((str(n * k), str(n)), f"buf:u32:{200 * k + n + 10}:zero", [handed(k, n)])
               for k, n in ((5, 64), (3, 20), (2, 128))]
    for limits, out, cases in ranges if device != "skl" else ranges[::4]:
        for kernel, wanted, *args in cases:
            wanted = struct.pack(f"<{len(wanted)}I", *(x & 0xffffffff for x in wanted))
            said = []
            for engine in "jit", "interp":
                status, data, what = launch(zebin, engine, kernel, limits, out, *args)
                said.append(what)
                if status != 0 or data != wanted:
                    sys.exit(f"{kernel} {limits} {args} on {device}, {engine}: {status}, wrong")
                yield kernel
            if said[0] != said[1]:
                sys.exit(f"{kernel} {limits} {args} on {device}: {said}")
    for kernel, limits, *args in FAULTS:
        jit, interp = (launch(zebin, engine, kernel, limits, "buf:u32:128000:zero", *args)
                       for engine in ("jit", "interp"))
        # An offset into a surface has 32 bits.
        if jit[0] != 3 and device == "pvc" or jit != interp:
            sys.exit(f"{kernel} {limits} {args} on {device}: {jit[::2]} {interp[::2]}")
        yield kernel


print(sum(1 for device in ("pvc", "dg2", "skl") for _ in run_all(device)), "runs as they should be")
