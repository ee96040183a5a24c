# SPDX-License-Identifier: MIT
"""Runs the kernels of rows.cl: rows.py SCRATCH-FOLDER RUNS...

What they write is worked out here."""

import struct
import sys

from launches import LOCAL, compile_for, launch_over, run

SIZE = 4 * LOCAL
ROOM = 1024 # elements of `in`
LEVELS = {"pvc": ("sse4.2", "avx2"), "dg2": ("avx2",), "skl": ("sse4.2",)}


def number(i, is_signed):
    i &= 0xffffffff
    return i - (1 << 32) if is_signed and i >> 31 else i


def clamp(i, least, most):
    return min(max(i, least), most)


def clamped(kernel, start, least, most):
    at = [clamp(number(i + start, True), least, most) for i in range(SIZE)]
    if kernel == "clamped":
        return [i + 3 * clamp(number(n + start + 3, True), least, most) for n, i in enumerate(at)]
    if kernel == "clamped_bytes":
        return [i % 256 for i in at]
    if kernel == "clamped_words":
        return at
    if kernel == "clamped_pairs":
        return [2 * i + 5 * (2 * i + 1) for i in at]
    if kernel == "clamped_beside":
        beside = [clamp(number(i + start ^ 1, True), least, most) for i in range(SIZE)]
        return [65536 * (n % 256) + i % 256 + 256 * (beside[n] % 256) for n, i in enumerate(at)]
    if kernel == "taps":
        return [sum((2 * n + 1) * clamp(number(i + start + 3 * n - 7, True), least, most) for n in range(8))
                for i in range(SIZE)]
    if kernel == "unsigned_clamped":
        return [clamp(number(i + start, False), least, most) for i in range(SIZE)]
    if kernel == "backwards":
        return [clamp(number(start - i, True), least, most) for i in range(SIZE)]
    if kernel == "some":
        return [i if n % 5 != 2 else 0 for n, i in enumerate(at)]
    return [7 if i in at else 0 for i in range(SIZE)] # stores


def middle_bits(start, by):
    out = bytearray()
    ids = [(i % 256, (i + start) % 256, (i + 5) % 256, (i ^ 1) % 256) for i in range(SIZE)]
    out += bytes((7 * a * b + 200 * c - d + 128 >> 8) % 256 for a, b, c, d in ids)
    out += bytes((a * b * c + d >> 9) % 256 for a, b, c, d in ids)
    out += bytes((a - 40 * b >> 4) % 256 for a, b, c, d in ids)
    out += bytes(((a << 7) * b + (c << 12) - (d ^ by) >> 8) % 256 for a, b, c, d in ids)
    return struct.unpack(f"<{SIZE}I", out)


def cut(kernel, d):
    high = [i & -d & 0xffffffff for i in range(SIZE)]
    low = [i & d - 1 for i in range(SIZE)]
    if kernel == "low_bits":
        return [i + 5 * (n & 63) + 7 * (n & 12) for n, i in enumerate(low)]
    if kernel == "high_bits":
        return [i + 5 * (n & ~15) + 7 * (n & ~3) for n, i in enumerate(high)]
    written = [0] * (2 * SIZE) # blocks
    for h, l in zip(high, low):
        if 2 * h + l < 2 * SIZE:
            written[2 * h + l] = 2 * h + l + d
    return written


def shifted(start, d):
    ids = [number(i + start, False) for i in range(SIZE)]
    return [(i & d - 1) + 5 * (i & 63) + 7 * (i & -d & 511) for i in ids]


def wrapped(start, least):
    ids = [number(i + start, True) for i in range(SIZE)]
    return [(max(i, least) - start & 1023) + 3 * (min(i, -least) - start & 1023) for i in ids]


def wrapped_taps(start, least):
    return [sum((2 * n + 1) * (max(number(i + start + n, True), least) - start & 1023) for n in range(8))
            for i in range(SIZE)]


def cases():
    """Kernel, dwords written, its other arguments, what the dwords are."""
    dwords, last = f"buf:u32:{ROOM}:iota", SIZE - 1
    limits = ((-2, 0, last), (2, 0, last), (0, 5, 200), (0, 16, 128), (-300, 0, last), (0, 0, ROOM - 4),
              (0x7fffffff - 37, 3, last), (-0x80000000, 3, last), (0x7fffffff - 300, 3, last),
              (-20, 0, 0), (17, 64, 64), (-9, 1, 64))
    for start in (0, 7, 300):
        for by in (0, 0xffffffff):
            yield ("middle_bits", SIZE, (f"buf:u8:{ROOM}:iota", f"i32:{start}", f"u32:{by}"),
                   middle_bits(start, by))
    for start in (0, 700):
        yield ("bare_taps", SIZE, (dwords, f"i32:{start}"),
               [sum((2 * n + 1) * (i + start + n) for n in range(8)) for i in range(SIZE)])
    for at in ((0, 1, 2, 3, 4, 5), (700, 0, 300, 5, 123, 767), (ROOM - SIZE,) * 6, (0, 768, 0, 0, 0, 0),
               (9, 9, 9, 0, 9, 768)):
        yield ("six_rows", SIZE, (dwords, *(f"i32:{n}" for n in at)),
               [sum(f * (i + n) for f, n in zip((1, 3, 5, 7, 11, 13), at)) for i in range(SIZE)])
    for kernel in ("clamped", "clamped_bytes", "clamped_words", "clamped_pairs", "clamped_beside", "taps", "unsigned_clamped", "backwards",
                   "some", "stores"):
        source = {"clamped_bytes": (f"buf:u8:{ROOM}:iota",), "clamped_words": (f"buf:u16:{ROOM}:iota",), "stores": (),
                  "clamped_beside": (f"buf:u8:{ROOM}:iota",)}.get(kernel, (dwords,))
        for start, least, most in limits:
            if (kernel == "stores" and most > last) or (kernel == "clamped_pairs" and 2 * most > ROOM - 2):
                continue
            yield (kernel, SIZE, source + tuple(f"i32:{n}" for n in (start, least, most)),
                   clamped(kernel, start, least, most))
    for kernel in ("blocks", "low_bits", "high_bits"):
        for d in (1, 2, 8, 16, 32, 64, 256) + ((3, 24, 48, 80) if kernel != "blocks" else ()):
            yield (kernel, 2 * SIZE if kernel == "blocks" else SIZE, (dwords, f"u32:{d}"),
                   cut(kernel, d))
    for start in (0, 5, 16, 250, -24, 0x7fffffff - 37):
        for d in (1, 8, 32, 256, 512):
            yield ("shifted_bits", SIZE, (dwords, f"i32:{start}", f"u32:{d}"), shifted(start, d))
        for least in (3, 100, -50):
            args = (dwords, f"i32:{start}", f"i32:{least}")
            yield ("wrapped", SIZE, args, wrapped(start, least))
            yield ("wrapped_taps", SIZE, args, wrapped_taps(start, least))


def last_tap(n):
    """Where to start, so that tap `n` is the first one beyond."""
    return f"i32:{ROOM - SIZE - n}"


def pictures():
    """Of groups whose rows are 16 long, or 32."""
    width, height = 64, 8
    for kernel, bits in (("moved_bytes", 8), ("moved_words", 16), ("moved", 32)):
        for dx in (-9, -1, 0, 3, 20):
            for dy, local in ((-1, "16,4"), (5, "32,2"), (0, "16,1")):
                wanted = [(clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)) % 2**bits
                          for y in range(height) for x in range(width)]
                yield (kernel, (f"{width},{height}", local), (f"buf:u{bits}:{width * height}:iota",
                       *(f"i32:{n}" for n in (width, height, dx, dy))), wanted)


def check_pictures(zebin, engine):
    for kernel, ranges, args, wanted in pictures():
        status, data, _ = launch_over(zebin, engine, kernel, ranges, f"buf:u32:{len(wanted)}:zero",
                                      *args)
        if status != 0 or data != struct.pack(f"<{len(wanted)}I", *wanted):
            sys.exit(f"{kernel} {ranges} {args}, {engine}: {status}, wrong")
        yield kernel


def strays():
    """Of six rows, one that leads before memory or behind it."""
    for n in range(6):
        for stray in (-1, ROOM - SIZE + 1, -ROOM << 10, ROOM << 10):
            at = [f"i32:{stray if k == n else 100 * k}" for k in range(6)]
            yield ("six_rows", (f"buf:u32:{ROOM}:iota", *at), "read")


def main():
    count = 0
    for device in ("pvc", "dg2", "skl"):
        zebin = compile_for(device, "rows")
        for engine in ("jit", "interp") if device == "pvc" else ("jit",):
            for kernel, written, args, wanted in cases():
                status, data, _ = run(zebin, engine, kernel, SIZE, written, *args)
                if status != 0 or data != struct.pack(f"<{len(wanted)}I", *wanted):
                    sys.exit(f"{kernel} {args} on {device}, {engine}: {status}, wrong")
                count += 1
            count += sum(1 for _ in check_pictures(zebin, engine))
        for kernel, written, args, wanted in cases():
            for level in LEVELS[device] if "clamped" in kernel else ():
                status, data, _ = run(zebin, "jit", kernel, SIZE, written, *args, options=("--cpu", level))
                if status != 0 or data != struct.pack(f"<{len(wanted)}I", *wanted):
                    sys.exit(f"{kernel} {args} on {device}, {level}: {status}, wrong")
                count += 1
    zebin = compile_for("pvc", "rows") # by addresses: behind the last page of a buffer
    for engine in ("jit", "interp"):
        for kernel, args, what in (("clamped", (f"buf:u32:{ROOM}:iota", "i32:0", "i32:0", "i32:65536"), None),
                                   ("clamped", (f"buf:u32:{ROOM}:iota", "i32:900", "i32:0", "i32:65536"), "read"),
                                   ("clamped", (f"buf:u32:{ROOM}:iota", "i32:900", "i32:0", "i32:1024"), "read"),
                                   ("taps", (f"buf:u32:{ROOM}:iota", "i32:0", "i32:0", "i32:65536"), None),
                                   ("taps", (f"buf:u32:{ROOM}:iota", last_tap(14), "i32:0", "i32:65536"), None),
                                   ("taps", (f"buf:u32:{ROOM}:iota", last_tap(13), "i32:0", "i32:65536"),
                                    "read"),
                                   ("bare_taps", (f"buf:u32:{ROOM}:iota", last_tap(7)), None),
                                   ("bare_taps", (f"buf:u32:{ROOM}:iota", last_tap(6)), "read"),
                                   ("stores", ("i32:0", "i32:0", "i32:65536"), None),
                                   ("stores", ("i32:900", "i32:0", "i32:65536"), "write"),
                                   *strays()):
            status, _, fault = run(zebin, engine, kernel, SIZE, ROOM, *args)
            if status != (3 if what else 0) or fault != what:
                sys.exit(f"{kernel} {args}, {engine}: {status}, {fault}")
            count += 1
    print(f"{count} runs as they should be")


main()
