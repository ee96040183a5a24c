# SPDX-License-Identifier: MIT
"""Writes kernels that go round loops with arrays in scratch, and what they store.

    scratch.py FOLDER

FOLDER/NAME.visaasm, NAME.want and NAME.run, the arguments to run it with; FOLDER/names has the
names of all but those that leave their scratch, which FOLDER/wild has. Channel i has four
elements of an array, its own of each row; in round k it loads element k + i, goes one of two
ways by what is there, and stores it.

What they store is found by going through the rounds with all channels side by side."""

import os
import sys

ROWS, BASE, SECOND, WORD = 4, 64, 1024, (1 << 32) - 1
WIDTHS, SIZES = (16, 32), {1: "d8c32", 2: "d16c32", 4: "d32"}
NUMBERS = {"numbers": 1, "halves": 4, "more": 5}  # loads
NEIGHBOUR, ROUND = 2, 5  # who goes to what is not its own, and when
KINDS = {  # bytes of scratch, how long rounds are, whether there is a second array, and where
    "own": (2048, 1, None),
    "long": (2048, 300, None),
    "large": (1 << 15, 1, None),  # more than is kept
    "numbers": (2048, 1, None),  # and loads of flat memory
    "halves": (2048, 1, None),  # the same, with text for each half of the channels
    "more": (2048, 1, None),  # with more loads than can be told apart from scratch
    "two": (2048, 1, SECOND),
    "over": (2048, 1, BASE),  # elements of different sizes in the same memory
    "neighbour": (2048, 1, None),
    "wild": (2048, 1, None),
}


def rounds_of(i, kind):
    return (i * 37 % 16 + 1) * KINDS[kind][1]


class Text:
    def __init__(self, width, size, kind):
        self.width, self.size, self.kind, self.lines = width, size, kind, []
        self.num_moves = 0

    def put(self, line):
        self.lines.append("    " + line)

    def each(self, op, dst, *sources):
        to = dst if dst.startswith("P") else dst + "(0,0)<1>"
        out = [s + "(0,0)<1;1,0>" if len(s) == 1 else s for s in sources]
        self.put(f"{op} (M1, {self.width}) {to} " + " ".join(out))

    def place(self, dst, row, base, size):
        """dst = where the channel's element of a row is, whose number is in a variable."""
        self.each("mul", dst, row, f"{size * self.width}:ud")
        self.each("add", dst, dst, f"{base}:ud")
        self.each("mul", "T", "I", f"{size}:ud")
        self.each("add", dst, dst, "T")

    def move(self, op, at, data, form):
        handle = f"H{self.num_moves}"  # of its own, as compilers have them
        self.num_moves += 1
        place = f"ss({handle})[{at}]:a32"
        moved = f"{data}:{form} {place}" if op == "load" else f"{place} {data}:{form}"
        self.put(f"shr (M1_NM, 1) {handle}(0,0)<1> %r0(0,5)<0;1,0> 0x4:ud")
        self.put(f"lsc_{op}.ugm (M1, {self.width}) {moved}")

    def load(self, dst, at, size):
        self.move("load", at, dst, SIZES[size])
        if size < 4:
            self.each("and", dst, dst, f"{(1 << 8 * size) - 1}:ud")

    def body(self):
        self.each("add", "X", "K", "I")
        self.each("and", "X", "X", f"{ROWS - 1}:ud")
        self.place("A", "X", BASE, self.size)
        if self.kind in ("neighbour", "wild"):
            self.each("mul", "D", "I", "1000:ud")
            self.each("add", "D", "D", "K")
            self.each("cmp.eq", "P2", "D", f"{NEIGHBOUR * 1000 + ROUND}:ud")
            far = self.size if self.kind == "neighbour" else 1 << 20
            self.put(f"(P2) add (M1, {self.width}) A(0,0)<1> A(0,0)<1;1,0> {far}:ud")
        self.load("V", "A", self.size)
        self.each("mul", "V", "V", "3:ud")
        self.each("add", "V", "V", "K")
        self.each("and", "D", "V", "1:ud")
        self.each("cmp.eq", "P1", "D", "0:ud")
        self.put(f"(P1) goto (M1, {self.width}) even")
        self.lines.append("odd:")
        self.each("add", "V", "V", "7:ud")
        self.move("store", "A", "V", SIZES[self.size])
        self.put("goto (M1, 1) join")
        self.lines.append("even:")
        self.each("add", "S", "S", "1:ud")
        self.lines.append("join:")
        self.each("xor", "V", "V", "K")
        self.move("store", "A", "V", SIZES[self.size])
        self.each("add", "S", "S", "V")
        if KINDS[self.kind][2] is not None:
            other = 4 if self.size < 4 else 2
            self.place("B", "X", KINDS[self.kind][2], other)
            self.load("U", "B", other)
            self.each("add", "U", "U", "V")
            self.move("store", "B", "U", SIZES[other])
            self.each("add", "S", "S", "U")
        for more in range(NUMBERS.get(self.kind, 0)):
            self.each("add", "D", "K", f"{more}:ud")
            self.each("and", "D", "D", "15:ud")
            self.each("shl", "D", "D", "2:ud")
            self.put(f"add (M1, {self.width}) W(0,0)<1> D(0,0)<1;1,0> IN(0,0)<0;1,0>")
            self.put(f"lsc_load.ugm (M1, {self.width}) D:d32 flat[W]:a64")
            self.each("add", "S", "S", "D")
        if self.kind in ("halves", "more"):
            for first in range(0, self.width, 16):
                at = f"S({first // 16},0)"
                self.put(f"add (M{first // 4 + 1}, 16) {at}<1> {at}<1;1,0> 5:ud")
        self.each("add", "K", "K", "1:ud")

    def kernel(self):
        w = self.width
        head = [".version 4.1", '.kernel "k"']
        head += [f".decl {v} v_type=G type=ud num_elts={w} align=GRF" for v in "IKNSVUXDTAB"]
        head += [f".decl L v_type=G type=uw num_elts={w} align=GRF",
                 f".decl W v_type=G type=uq num_elts={w} align=GRF",
                 ".decl G v_type=G type=ud num_elts=1 align=dword",
                 ".decl IN v_type=G type=uq num_elts=1 align=qword",
                 ".decl OUT v_type=G type=uq num_elts=1 align=qword"]
        head += [f".decl P{n} v_type=P num_elts={w}" for n in (1, 2, 4)]
        head += [".input IN offset=64 size=8", ".input OUT offset=72 size=8",
                 f".kernel_attr SimdSize={w}",
                 f".kernel_attr SpillMemOffset={KINDS[self.kind][0]}", '.function "main"', "main:"]
        self.put("mov (M1_NM, 8) L(0,0)<1> 0x76543210:uv")
        for done in range(8, w, 8):
            self.put(f"add (M1_NM, 8) L(0,{done})<1> L(0,0)<1;1,0> {done}:uw")
        self.put(f"mov (M1, {w}) I(0,0)<1> L(0,0)<1;1,0>")
        self.each("mul", "N", "I", "37:ud")
        self.each("and", "N", "N", "15:ud")
        self.each("add", "N", "N", "1:ud")
        self.each("mul", "N", "N", f"{KINDS[self.kind][1]}:ud")
        for row in range(ROWS):
            self.each("mov", "X", f"{row}:ud")
            if KINDS[self.kind][2] is not None:
                other = 4 if self.size < 4 else 2
                self.place("B", "X", KINDS[self.kind][2], other)
                self.each("add", "V", "I", f"{10 * row}:ud")
                self.move("store", "B", "V", SIZES[other])
            self.place("A", "X", BASE, self.size)
            self.each("add", "V", "I", f"{50 * row}:ud")
            self.move("store", "A", "V", SIZES[self.size])
        self.each("mov", "K", "0:ud")
        self.each("mov", "S", "0:ud")
        self.lines.append("again:")
        self.body()
        self.each("cmp.lt", "P4", "K", "N")
        self.put(f"(P4) goto (M1, {w}) again")
        self.lines.append("behind:")
        for row in range(ROWS):
            self.each("mov", "X", f"{row}:ud")
            self.place("A", "X", BASE, self.size)
            self.load("V", "A", self.size)
            self.each("mul", "V", "V", f"{2 * row + 3}:ud")
            self.each("add", "S", "S", "V")
        self.put(f"mul (M1_NM, 1) G(0,0)<1> %r0(0,1)<0;1,0> {4 * w}:ud")
        self.each("shl", "D", "I", "2:ud")
        self.each("add", "D", "D", "G(0,0)<0;1,0>")
        self.put(f"add (M1, {w}) W(0,0)<1> D(0,0)<1;1,0> OUT(0,0)<0;1,0>")
        self.put(f"lsc_store.ugm (M1, {w}) flat[W]:a64 S:d32")
        self.put("ret (M1, 1)")
        handles = [f".decl H{n} v_type=G type=ud num_elts=1 align=dword"
                   for n in range(self.num_moves)]
        return "\n".join(head[:2] + handles + head[2:] + self.lines) + "\n"


class Scratch:
    def __init__(self, width):
        self.width, self.data = width, bytearray(1 << 15)

    def at(self, row, i, base, size):
        return base + (row * self.width + i) * size

    def load(self, at, size):
        return int.from_bytes(self.data[at:at + size], "little")

    def store(self, at, size, value):
        self.data[at:at + size] = (value & (1 << 8 * size) - 1).to_bytes(size, "little")


def run(width, size, kind):
    """What the channels store: an instruction after the other, of all channels that are on."""
    memory, second, other = Scratch(width), KINDS[kind][2], 4 if size < 4 else 2
    for row in range(ROWS):
        for i in range(width) if second is not None else ():
            memory.store(memory.at(row, i, second, other), other, i + 10 * row)
        for i in range(width):
            memory.store(memory.at(row, i, BASE, size), size, i + 50 * row)
    sums = [0] * width
    for k in range(max(rounds_of(i, kind) for i in range(width))):
        on = [i for i in range(width) if k < rounds_of(i, kind)]
        shift = {i: size * (kind == "neighbour" and i == NEIGHBOUR and k == ROUND) for i in on}
        at = {i: memory.at((k + i) % ROWS, i, BASE, size) + shift[i] for i in on}
        value = {i: (memory.load(at[i], size) * 3 + k) & WORD for i in on}
        odd = {i: value[i] & 1 for i in on}
        for i in on:
            if odd[i]:
                value[i] += 7
                memory.store(at[i], size, value[i])
        for i in on:
            value[i] ^= k
            memory.store(at[i], size, value[i])
            sums[i] += value[i] + 1 - odd[i]
        if second is not None:
            at = {i: memory.at((k + i) % ROWS, i, second, other) for i in on}
            value = {i: memory.load(at[i], other) + value[i] & WORD for i in on}
            for i in on:
                memory.store(at[i], other, value[i])
                sums[i] += value[i]
        for i in on:
            sums[i] += sum(k + more & 15 for more in range(NUMBERS.get(kind, 0)))
            sums[i] += 5 * (kind in ("halves", "more"))
    return [(sums[i] + sum((2 * row + 3) * memory.load(memory.at(row, i, BASE, size), size)
                           for row in range(ROWS))) & WORD for i in range(width)]


def main():
    folder, names = sys.argv[1], {"names": [], "wild": []}
    for w, width in enumerate(WIDTHS):
        for k, kind in enumerate(KINDS):
            for size in list(SIZES)[(k + w) % 2::2]:  # one or two of them, others for other widths
                name = os.path.join(folder, f"{kind}-{width}-{size}")
                names["wild" if kind == "wild" else "names"].append(os.path.basename(name))
                with open(name + ".visaasm", "w", encoding="ascii") as out:
                    out.write(Text(width, size, kind).kernel())
                with open(name + ".want", "w", encoding="ascii") as out:
                    out.writelines(f"{value}\n" for value in run(width, size, kind) * 3)
                with open(name + ".run", "w", encoding="ascii") as out:
                    out.write("--jobs 1 --platform pvc --groups 3 -a buf:u32:16:iota "
                              f"-a buf:u32:{3 * width}:zero:out=-\n")
    for file, some in names.items():
        with open(os.path.join(folder, file), "w", encoding="ascii") as out:
            out.writelines(name + "\n" for name in some)


if __name__ == "__main__":
    main()
