# SPDX-License-Identifier: MIT
"""Floats in the four roundings of %cr0 against whole numbers of any length:
rounded.py SCRATCH-FOLDER VISAGE...

By the interpreter and by code with and without AVX2 and AVX-512, as far as the processor runs it.
The texts are made here: of each operation, without a mask and under one, in each rounding. They
also must be compiled: what handlers do instead is as right, but slow."""

import math
import os
import random
import re
import struct
import subprocess
import sys

FOLDER, *VISAGE = sys.argv[1:]
THREADS, LANES, SLOT = 6, 32, 256
ROUNDINGS = {"RNE": 0, "RU": 1, "RD": 2, "RTZ": 3}  # bits 4 and 5 of %cr0
SPARE = 4  # bits beyond those of a result, at least
MASKS = [0xffffffff, 0xfffffffe, 0x00000001, 0xaaa5fff0, 0x03c08000, 0x0501cccc]


class Format:
    def __init__(self, letter, bits, digits):
        self.letter, self.bits, self.digits = letter, bits, digits
        self.bias = (1 << bits - digits - 1) - 1
        self.sign, self.least_normal = 1 << bits - 1, 1 << digits - 1
        self.infinity = self.sign - self.least_normal
        self.least = 2 - self.bias - digits  # exponent of the least denormal

    def is_nan(self, bits):
        return bits & ~self.sign > self.infinity

    def is_infinite(self, bits):
        return bits & ~self.sign == self.infinity

    def parts(self, bits):
        """A whole number and the power of two that it is multiplied by."""
        exponent = (bits & self.infinity) >> self.digits - 1
        digits = bits & self.least_normal - 1
        if exponent:
            digits, exponent = digits + self.least_normal, exponent - 1
        return -digits if bits & self.sign else digits, exponent + self.least

    def rounded(self, sign, digits, exponent, more, rounding):
        """Of a number above 0: digits * 2^exponent and, if more, less than one of the last."""
        shift = max(digits.bit_length() - self.digits, self.least - exponent)
        if shift <= 0:
            assert not more
            kept, rest, middle = digits << -shift, 0, 1
        else:
            kept, rest = digits >> shift, 2 * (digits & (1 << shift) - 1) + more
            middle = 1 << shift
        if rounding == "RNE":
            kept += rest > middle or (rest == middle and kept & 1)
        elif rounding == ("RD" if sign else "RU"):
            kept += rest > 0
        bits = kept + (shift + exponent - self.least << self.digits - 1)
        if bits >= self.infinity:
            to_infinity = rounding in ("RNE", "RD" if sign else "RU")
            bits = self.infinity if to_infinity else self.infinity - 1
        return bits | (self.sign if sign else 0)


FORMATS = {"f": Format("f", 32, 24), "df": Format("df", 64, 53), "hf": Format("hf", 16, 11),
           "bf": Format("bf", 16, 8)}
INTEGERS = {"d": (32, True), "ud": (32, False), "q": (64, True), "uq": (64, False)}
BYTES = {"f": 4, "df": 8, "hf": 2, "bf": 2, "d": 4, "ud": 4, "q": 8, "uq": 8}
ROWS = [(op, type_, (type_,) * sources) for type_, operations in (
    ("f", (("add", 2), ("mul", 2), ("mad", 3), ("div", 2), ("sqrtm", 1))),
    ("df", (("add", 2), ("mul", 2), ("mad", 3), ("divm", 2), ("sqrtm", 1))),
    ("hf", (("add", 2), ("mul", 2), ("mad", 3), ("div", 2))),
    ("bf", (("mad", 3),))) for op, sources in operations]
ROWS += [("mov", to, (of,)) for to, of in (
    ("f", "d"), ("f", "ud"), ("f", "q"), ("f", "uq"), ("df", "q"), ("df", "uq"), ("f", "df"),
    ("hf", "f"), ("hf", "df"), ("hf", "d"), ("hf", "q"), ("bf", "f"))]


# ---- what is right -------------------------------------------------------------------------


def signed(number, of):
    bits, is_signed = INTEGERS[of]
    return number - (1 << bits) if is_signed and number >> bits - 1 else number


def sum_of(to, terms, rounding):
    """Of numbers that are not all zeros with one sign."""
    exponent = min(power for _, power in terms)
    digits = sum(number << power - exponent for number, power in terms)
    if digits == 0:
        return to.sign if rounding == "RD" else 0
    return to.rounded(digits < 0, abs(digits), exponent, False, rounding)


def multiply_add(to, a, b, c, rounding):
    """None is any NaN. c is None: of a product alone."""
    sign = (a ^ b) & to.sign
    if to.is_infinite(a) or to.is_infinite(b):
        if not a & ~to.sign or not b & ~to.sign:
            return None
        return None if c is not None and c == (to.infinity | sign) ^ to.sign else sign | to.infinity
    if c is not None and to.is_infinite(c):
        return c
    (x, at), (y, by) = to.parts(a), to.parts(b)
    if x * y == 0 and (c is None or c in (0, to.sign)):
        return sign if c is None or c == sign else sum_of(to, [(0, 0)], rounding)
    return sum_of(to, [(x * y, at + by)] + ([to.parts(c)] if c is not None else []), rounding)


def add(to, a, b, rounding):
    if to.is_infinite(a) or to.is_infinite(b):
        both = to.is_infinite(a) and to.is_infinite(b)
        return None if both and a != b else a if to.is_infinite(a) else b
    if a == b and not a & ~to.sign:
        return a
    return sum_of(to, [to.parts(a), to.parts(b)], rounding)


def divide(to, a, b, rounding):
    sign = (a ^ b) & to.sign
    if to.is_infinite(a) or not b & ~to.sign:
        return None if to.is_infinite(b) or not a & ~to.sign else sign | to.infinity
    if to.is_infinite(b) or not a & ~to.sign:
        return sign
    (x, at), (y, by) = to.parts(a), to.parts(b)
    shift = 2 * to.digits + SPARE
    digits, more = divmod(abs(x) << shift, abs(y))
    return to.rounded(sign != 0, digits, at - by - shift, more > 0, rounding)


def root(to, a, rounding):
    if not a & ~to.sign or a == to.infinity:
        return a
    if a & to.sign:
        return None
    number, power = to.parts(a)
    shift = 2 * (to.digits + SPARE) + power % 2
    digits = math.isqrt(number << shift)
    return to.rounded(False, digits, (power - shift) // 2, digits ** 2 < number << shift, rounding)


def moved(to, number, of, rounding):
    if of in INTEGERS:
        number = signed(number, of)
        return to.rounded(number < 0, abs(number), 0, False, rounding) if number else 0
    source = FORMATS[of]
    sign = to.sign if number & source.sign else 0
    if source.is_infinite(number):
        return sign | to.infinity
    digits, power = source.parts(number)
    return to.rounded(sign != 0, abs(digits), power, False, rounding) if digits else sign


def result(op, to, types, numbers, rounding):
    to = FORMATS[to]
    if any(of in FORMATS and FORMATS[of].is_nan(n) for of, n in zip(types, numbers)):
        return None
    if op == "mov":
        return moved(to, *numbers, *types, rounding)
    if op == "mul":
        numbers += (None,)
    return {"add": add, "mul": multiply_add, "mad": multiply_add, "div": divide, "divm": divide,
            "sqrtm": root}[op](to, *numbers, rounding)


def flushed(of, bits):
    """As sources are; a result that is no number, or is a normal one, stays."""
    is_denormal = bits is not None and bits & ~of.sign < of.least_normal
    return bits & of.sign if is_denormal else bits


def expected(row, numbers, rounding, flushes):
    """All that is right."""
    op, to, types = row
    if not flushes or op == "mov":
        return (result(op, to, types, numbers, rounding),)
    to = FORMATS[to]
    numbers = tuple(flushed(to, n) for n in numbers)
    right = result(op, to.letter, types, numbers, rounding)
    # Whether what is rounded to the least normal number is a denormal is the host's to say.
    if right is not None and right & ~to.sign == to.least_normal:
        return right, right & to.sign
    return (flushed(to, right),)


# ---- numbers -------------------------------------------------------------------------------


def float_at(draw, of, exponent):
    """Of as many digits as it may have, or so few that products are exact or in the middle."""
    digits = draw.getrandbits(of.digits - 1)
    keep = draw.choice((of.digits - 1, of.digits // 2, of.digits // 2 - 1, of.digits // 4, 0))
    digits &= -(1 << of.digits - 1 - keep)
    exponent = min(max(exponent + of.bias, 0), 2 * of.bias)
    return draw.getrandbits(1) * of.sign | exponent << of.digits - 1 | digits


def floats(draw, of, op):
    special = [0, 1, 2, of.least_normal - 1, of.least_normal, of.bias << of.digits - 1,
               (of.bias << of.digits - 1) + 1, of.infinity - 1, of.infinity, of.infinity + 1,
               of.infinity | of.least_normal >> 1 | 5]
    special += [bits | of.sign for bits in special]
    kind = draw.randrange(8)
    if kind < 2:
        return tuple(draw.choice(special) for _ in "abc")
    if kind == 2:
        return tuple(draw.getrandbits(of.bits) for _ in "abc")
    a = float_at(draw, of, draw.randrange(-6, 7))
    b = float_at(draw, of, draw.randrange(-6, 7))
    if kind == 3:  # sums and products near the ends
        end = draw.choice((-of.bias, of.bias))
        at = draw.randrange(-of.bias + 1, of.bias)
        a = float_at(draw, of, at)
        b = float_at(draw, of, (end - at if op != "div" else at - end) + draw.randrange(-30, 4))
        if op == "add" and end > 0:
            a, b = (float_at(draw, of, of.bias - draw.randrange(2)) for _ in "ab")
        return a, b, float_at(draw, of, end + draw.randrange(-2, 3))
    if kind == 4:  # the same with the other sign, and beside it
        b = a ^ of.sign ^ draw.choice((0, 0, 1, 2))
        c = draw.choice((a, b, a ^ of.sign))
        return draw.choice(((a, b, c), (a, of.bias << of.digits - 1, c ^ of.sign)))
    # What is added decides: it is the half of the last place, or much less.
    far = draw.choice((of.digits, of.digits, of.digits + 1, 2 * of.digits, 3 * of.digits))
    exponent = ((a & of.infinity) >> of.digits - 1) - of.bias
    small = float_at(draw, of, exponent - far)
    if draw.getrandbits(1):
        small &= ~(of.least_normal - 1)
        small ^= draw.choice((0, 1))
    return (a, small, small) if op == "add" else (a, b, small)


def middles(draw, to, of):
    """Whole numbers and what they are multiplied by: what a format has, middles, beside both."""
    digits = 1 << to.digits | draw.getrandbits(to.digits)
    more = draw.choice((1, 2, 7, of - to.digits - 1))
    if more + to.digits >= of:
        more = of - to.digits - 1
    return max(0, (digits << more) + draw.choice((-1, 0, 0, 1))), more


def converted(draw, to, of):
    if of in INTEGERS:
        bits, _ = INTEGERS[of]
        number, _ = middles(draw, to, bits)
        return draw.choice((number, number, -number, 0, draw.getrandbits(bits), draw.getrandbits(8),
                            -1 << bits - 1, (1 << bits - 1) - 1)) % (1 << bits)
    of = FORMATS[of]
    if draw.randrange(5) == 0:
        return floats(draw, of, "add")[0]
    number, more = middles(draw, to, of.digits)
    exponent = draw.choice((-to.bias, to.bias, draw.randrange(-to.bias, to.bias + 1)))
    exponent += draw.randrange(-to.digits - 2, 2) if exponent < 0 else draw.randrange(2)
    shift = draw.randrange(to.digits + 1) if exponent < -to.bias + 2 else 0
    number = number >> shift << shift  # the middles of denormals
    bits = of.rounded(False, number or 1, exponent - more - to.digits, False, "RTZ")
    return draw.getrandbits(1) * of.sign | min(bits, of.infinity - 1)


def inputs_of(draw, row):
    op, to, types = row
    if op == "mov":
        return (converted(draw, FORMATS[to], *types),)
    if op == "sqrtm":
        of = FORMATS[to]
        number = draw.getrandbits(of.digits // 2) ** 2 + draw.choice((-1, 0, 1))
        square = of.rounded(False, max(number, 1), 2 * draw.randrange(-9, 9), False, "RTZ")
        return (draw.choice((square, floats(draw, of, op)[0] & draw.choice((-1, ~of.sign)))),)
    return floats(draw, FORMATS[to], op[:3])[:len(types)]


# ---- the texts -----------------------------------------------------------------------------


class Text:
    def __init__(self, flushes):
        self.lines, self.roundings, self.slots, self.flushes = [], 0, [], flushes
        self.num_halves = 0  # what SSE4.2 leaves to handlers

    def mode(self, rounding):
        if rounding ^ self.roundings:
            self.lines.append("xor (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> "
                              f"{(rounding ^ self.roundings) << 4:#x}:ud")
        self.roundings = rounding

    def operate(self, row, lane, count, mask):
        op, to, types = row
        region = "<1;1,0>" if count > 1 else "<0;1,0>"
        words = [f"{op} ({mask}, {count})", place("D", to, lane) + "<1>"]
        words += [place(name, of, lane) + region for name, of in zip("ABC", types)]
        self.lines.append(" ".join(words))
        self.num_halves += to == "hf" and self.roundings != 0

    def store(self, *slot):
        self.lines += ["lsc_store.ugm (M1_NM, 1) flat[OUT]:a64 D:d64x32t",
                       f"add (M1_NM, 1) OUT(0,0)<1> OUT(0,0)<0;1,0> {SLOT:#x}:uq"]
        self.slots.append(slot)

    def load(self, place_of, name):
        self.lines += [f"add (M1_NM, 1) AT(0,0)<1> IN(0,0)<0;1,0> {place_of * SLOT:#x}:uq",
                       f"lsc_load.ugm (M1_NM, 1) {name}:d64x32t flat[AT]:a64"]

    def row(self, i, is_masked):
        row = ROWS[i]
        wide = 16 if 8 in (BYTES[of] for of in (row[1], *row[2])) else LANES
        for n, _ in enumerate(row[2]):
            self.load(3 * i + n, "ABC"[n])
        for name, rounding in ROUNDINGS.items():
            if is_masked and rounding in (0, 1 + i % 3):  # others tell as much
                continue
            self.lines += [f"mov (M1_NM, 16) D({2 * half},0)<1> 0x0:uq" for half in (0, 1)]
            self.mode(rounding)
            if not is_masked:
                for lane in range(0, LANES, wide):
                    self.operate(row, lane, wide, f"M{lane // 4 + 1}")
                self.store(i, name, [True] * LANES, LANES)
            elif rounding == 1 + (i + 1) % 3:
                self.operate(row, 0, 16, "M1")
                self.operate(row, 16, 8, "M5")
                self.operate(row, 24, 1, "M1_NM")
                self.store(i, name, [lane < 25 for lane in range(LANES)], 24)
            else:
                self.operate(row, 0, 8, "M1")
                self.operate(row, 8, 4, "M3")
                self.operate(row, 17, 1, "M1_NM")
                self.operate(row, 18, 2, "M1_NM")
                self.store(i, name, [lane < 12 or 17 <= lane < 20 for lane in range(LANES)], 17)

    def write(self, path):
        head = ['.version 4.1', '.kernel "rounded"']
        for name in "ABCD":
            head.append(f".decl {name} v_type=G type=uq num_elts=32 align=GRF")
            head += [f".decl {name}{of} v_type=G type={of} num_elts=32 align=GRF alias=<{name}, 0>"
                     for of in BYTES if of != "uq"]
        head += [f".decl {name} v_type=G type=uq num_elts=1 align=qword"
                 for name in ("AT", "IN", "OUT")]
        head += [".decl MASK v_type=G type=ud num_elts=1 align=dword",
                 ".decl P v_type=P num_elts=32", ".input IN offset=64 size=8",
                 ".input OUT offset=72 size=8", ".kernel_attr SimdSize=32", '.function "main"',
                 "main:"]
        for i in range(len(ROWS)):
            self.row(i, False)
        self.lines += ["setp (M1_NM, 32) P MASK(0,0)<0;1,0>", "(!P) goto (M1, 32) end"]
        for i in range(len(ROWS)):
            self.row(i, True)
        begin = [f"mul (M1_NM, 1) AT(0,0)<1> %r0(0,1)<0;1,0> {3 * len(ROWS) * SLOT + 8:#x}:ud",
                 "add (M1_NM, 1) IN(0,0)<1> IN(0,0)<0;1,0> AT(0,0)<0;1,0>",
                 f"mul (M1_NM, 1) AT(0,0)<1> %r0(0,1)<0;1,0> {len(self.slots) * SLOT:#x}:ud",
                 "add (M1_NM, 1) OUT(0,0)<1> OUT(0,0)<0;1,0> AT(0,0)<0;1,0>",
                 "lsc_load.ugm (M1_NM, 1) MASK:d32 flat[IN]:a64",
                 "add (M1_NM, 1) IN(0,0)<1> IN(0,0)<0;1,0> 0x8:uq"]
        if not self.flushes:
            begin.append("or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x4c0:ud")
        with open(path, "w", encoding="utf-8") as file:
            for line in head:
                print(line, file=file)
            for line in begin + self.lines:
                print("    " + line, file=file)
            print("end:\n    ret (M1, 1)", file=file)


def place(name, of, element):
    row, column = divmod(element * BYTES[of], 64)
    return f"{name}{of if of != 'uq' else ''}({row},{column // BYTES[of]})"


# ---- running them --------------------------------------------------------------------------


def ways(flushes):
    """Options, and whether halves are compiled in other roundings. Optimising takes longest."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = file.read().split()
    quick = ["--engine", "jit", "--quick"]
    yield ["--engine", "interp"], True
    yield quick, "avx2" in flags
    if not flushes:
        yield ["--engine", "jit"], "avx2" in flags
        yield [*quick, "--cpu", "sse4.2"], False
    if "avx512f" in flags:
        yield ["--engine", "jit", "--cpu", "avx2"], True


def pack(of, numbers):
    return b"".join(n.to_bytes(BYTES[of], "little") for n in numbers).ljust(SLOT, b"\0")


def unpack(of, data):
    return struct.unpack(f"<{LANES}{ {2: 'H', 4: 'I', 8: 'Q'}[BYTES[of]] }",
                         data[:LANES * BYTES[of]])


def run(text, path, options, halves):
    out, size = os.path.join(FOLDER, "out"), THREADS * len(text.slots) * SLOT
    done = subprocess.run([*VISAGE, "run", path, "--platform", "pvc", "--groups", str(THREADS),
                           "--stats", *options, "-a", f"buf:u8:@{FOLDER}/in",
                           "-a", f"buf:u8:{size}:zero:out={out}"], check=False,
                          stderr=subprocess.PIPE, encoding="utf-8")
    calls = re.search(r"(\d+) by calls of the interpreter's functions", done.stderr)
    if done.returncode:
        sys.exit(done.stderr)
    if "jit" in options and not text.flushes:
        most = 0 if halves else text.num_halves
        if not calls or int(calls[1]) > most:
            sys.exit(f"{' '.join(options)}: {done.stderr}")
    with open(out, "rb") as file:
        return file.read()


def check(text, numbers, wanted, options, data):
    for n in range(THREADS * len(text.slots)):
        thread, slot = divmod(n, len(text.slots))
        row, rounding, _, _ = text.slots[slot]
        op, to, types = ROWS[row]
        got = unpack(to, data[n * SLOT:(n + 1) * SLOT])
        for lane, (found, right) in enumerate(zip(got, wanted[n])):
            if found in right or (None in right and FORMATS[to].is_nan(found)):
                continue
            sources = " ".join(f"{number:x}:{of}" for of, number in
                               zip(types, numbers[thread][row][lane]))
            sys.exit(f"{op} {sources} to {to} {rounding}, {' '.join(options)}, slot {slot}, lane "
                     f"{lane}, flushes {text.flushes}: {found:x}, not "
                     + " or ".join("NaN" if value is None else f"{value:x}" for value in right))


def want(text, numbers):
    """By thread and slot, of each lane."""
    known = {}
    for thread in range(THREADS):
        for row, rounding, is_there, unmasked in text.slots:
            key = thread, row, rounding
            if key not in known:
                known[key] = [expected(ROWS[row], sources, rounding, text.flushes)
                              for sources in numbers[thread][row]]
            mask = -1 if unmasked == LANES else MASKS[thread] | -1 << unmasked
            on = [is_there[lane] and mask >> lane & 1 for lane in range(LANES)]
            yield [right if on[lane] else (0,) for lane, right in enumerate(known[key])]


def main():
    draw = random.Random(7)
    numbers = [[[inputs_of(draw, row) for _ in range(LANES)] for row in ROWS]
               for _ in range(THREADS)]
    count = 0
    with open(os.path.join(FOLDER, "in"), "wb") as file:
        for thread in range(THREADS):
            file.write(struct.pack("<Q", MASKS[thread]))
            for (_, _, types), lanes in zip(ROWS, numbers[thread]):
                for n in range(3):
                    used = n < len(types)
                    file.write(pack(types[n], [lane[n] for lane in lanes]) if used else
                               bytes(SLOT))
    for flushes in (False, True):
        text = Text(flushes)
        path = os.path.join(FOLDER, f"rounded-{flushes}.visaasm")
        text.write(path)
        wanted = list(want(text, numbers))
        for options, halves in ways(flushes):
            check(text, numbers, wanted, options, run(text, path, options, halves))
            count += len(wanted) * LANES
    print(count, "results as they should be")


if __name__ == "__main__":
    main()
