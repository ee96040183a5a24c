# SPDX-License-Identifier: MIT
"""Writes kernels that go round loops with an array in registers, and what they store.

    arrays.py FOLDER

FOLDER/NAME.visaasm, NAME.want and NAME.run, the arguments to run it with; FOLDER/names has the
names of all but those that read what there is not, which FOLDER/wild has; in the kernels called
arm a number of no channel is changed where any channel goes one of the ways. Channel i has four elements of an array; in round k it reads element k + i, goes one of two
ways by what is there, and writes one or two elements. It loads a number, too. Kernels differ in
how many channels there are, in how these lie (an array for all, or one for each half), in how a
round ends, and in the number of rounds.

What they store is found by going through the rounds with all channels side by side."""

import os
import sys

ROWS, WORD = 4, (1 << 32) - 1

KINDS = {  # platform, channels, arrays
    "skl-8": ("skl", 8, 1),
    "skl-16": ("skl", 16, 1),
    "skl-32": ("skl", 32, 2),
    "pvc-16": ("pvc", 16, 1),
    "pvc-32": ("pvc", 32, 1),
}
ENDS = {  # rounds of channel i
    "own": lambda i: i * 37 % 16 + 1,
    "long": lambda i: (i * 37 % 16 + 1) * 300,
    "even": lambda i: 9,
    "middle": lambda i: 9,
    "break": lambda i: min(i * 37 % 16 + 1, BREAK),
    "long-break": lambda i: min((i * 37 % 16 + 1) * 300, LONG_BREAK),
    "arm": lambda i: 9,
    "neighbour": lambda i: i * 37 % 16 + 1,
    "wild": lambda i: i * 37 % 16 + 1,
}
BREAK, LONG_BREAK = 9, 2500  # rounds, if no channel has left
NEIGHBOUR, ROUND = 2, 5  # who reads what is not its own, and when


class Text:
    def __init__(self, kind, end):
        self.platform, self.width, self.num_arrays = KINDS[kind]
        self.end, self.grf = end, 64 if self.platform == "pvc" else 32
        most = 16 if self.platform == "skl" else self.width
        self.count = min(self.width, most)  # of an instruction
        self.step = min(self.width, 16)  # of an address variable
        self.row = 4 * self.width // self.num_arrays
        self.lines = []

    def put(self, line):
        self.lines.append("    " + line)

    def label(self, name):
        self.lines.append(name + ":")

    def at(self, name, lane, size=4):
        """The operand's beginning, from the lane of a variable of all channels on."""
        return f"{name}({lane * size // self.grf},{lane * size % self.grf // size})"

    def pieces(self, count):
        for first in range(0, self.width, count):
            yield first, f"M{first // 4 + 1}"

    def each(self, op, dst, *sources):
        """An instruction of all channels; sources: names of variables of dwords, or operands."""
        for first, m in self.pieces(self.count):
            out = [
                self.at(s, first) + "<1;1,0>" if s in "IKNSVJXD" else s for s in sources
            ]
            to = dst if dst.startswith("P") else self.at(dst, first) + "<1>"
            self.put(f"{op} ({m}, {self.count}) {to} " + " ".join(out))

    def array(self, first):
        """The array of the channels from `first` on, and where they begin in a row."""
        return ("AH", 0) if self.num_arrays == 2 and first else ("AL", 4 * first)

    def offsets(self, lanes):
        """Bytes of row X, behind which a channel's element lies; lanes: by its own number."""
        if lanes:
            self.put("mov (M1_NM, 8) L(0,0)<1> 0x76543210:uv")
            for done in range(8, self.width, 8):
                self.put(f"add (M1_NM, 8) {self.at('L', done, 2)}<1> L(0,0)<1;1,0> {done}:uw")
            self.put(f"mul (M1_NM, {self.count}) L(0,0)<1> L(0,0)<1;1,0> 4:uw")
            if self.width > self.count:
                self.put(f"mul (M5_NM, 16) {self.at('L', 16, 2)}<1> L(0,0)<1;1,0> 1:uw")
                if self.num_arrays == 1:
                    self.put(f"add (M5_NM, 16) {self.at('L', 16, 2)}<1> L(0,0)<1;1,0> 64:uw")
        for first, m in self.pieces(self.count):
            to = self.at("O", first, 2)
            self.put(f"mul ({m}, {self.count}) {to}<1> {self.at('XW', 2 * first, 2)}<2;1,0> {self.row}:uw")
            if lanes:
                self.put(f"add ({m}, {self.count}) {to}<1> {to}<1;1,0> {self.at('L', first, 2)}<1;1,0>")

    def read(self):
        self.offsets(True)
        if self.end == "neighbour":
            for first, m in self.pieces(self.count):
                to = self.at("O", first, 2)
                self.put(f"(P2) add ({m}, {self.count}) {to}<1> {to}<1;1,0> 4:uw")
        for first, m in self.pieces(self.step):
            name, _ = self.array(first)
            self.put(f"addr_add ({m}, {self.step}) A0(0)<1> &{name} {self.at('O', first, 2)}<1;1,0>")
            self.put(f"mov ({m}, {self.step}) {self.at('V', first)}<1> r[A0(0),0]<1,0>:ud")

    def write(self):
        self.offsets(False)
        for first, m in self.pieces(self.step):
            name, skip = self.array(first)
            base = f"&{name}[{skip}]" if skip else f"&{name}"
            self.put(f"addr_add ({m}, {self.step}) A0(0)<1> {base} {self.at('O', first, 2)}<1;1,0>")
            for lane in range(self.step):
                self.put(f"setp ({m}_NM, {self.step}) P3 {1 << lane:#x}:ud")
                self.put(
                    f"(P3) mov ({m}, {self.step}) r[A0({lane}),0]<1>:ud {self.at('V', first + lane)}<0;1,0>"
                )

    def half(self, name, first):
        return f"{name}{first}" if self.width > self.count else name

    def move(self, op, memory, first, m):
        """Loads J or stores S, of channels from `first` on, at bytes J."""
        data, at = self.half("J" if op == "load" else "S", first), self.half("J", first)
        if self.platform == "skl":
            name = "gather4_scaled" if op == "load" else "scatter4_scaled"
            self.put(f"{name}.R ({m}, {self.count}) {memory} 0x0:ud {at}.0 {data}.0")
            return
        wide = self.at("T", first, 8)
        self.put(f"add ({m}, {self.count}) {wide}<1> {self.at('J', first)}<1;1,0> {memory}(0,0)<0;1,0>")
        place = f"flat[{self.half('T', first)}]:a64"
        moved = f"{data}:d32 {place}" if op == "load" else f"{place} {data}:d32"
        self.put(f"lsc_{op}.ugm ({m}, {self.count}) {moved}")

    def load(self):
        """J = IN[K & 15]"""
        self.each("and", "J", "K", "15:ud")
        self.each("shl", "J", "J", "2:ud")
        if self.end == "wild":
            for first, m in self.pieces(self.count):
                to = self.at("J", first)
                self.put(f"(P2) add ({m}, {self.count}) {to}<1> {to}<1;1,0> 0x40000000:ud")
        for first, m in self.pieces(self.count):
            self.move("load", "IN", first, m)

    def body(self):
        self.each("add", "X", "K", "I")
        self.each("and", "X", "X", f"{ROWS - 1}:ud")
        if self.end in ("neighbour", "wild"):
            self.each("mul", "D", "I", "1000:ud")
            self.each("add", "D", "D", "K")
            self.each("cmp.eq", "P2", "D", f"{NEIGHBOUR * 1000 + ROUND}:ud")
        self.read()
        self.each("and", "J", "V", "1:ud")
        self.each("cmp.eq", "P1", "J", "0:ud")
        self.put(f"(P1) goto (M1, {self.width}) even")
        self.label("odd")
        self.each("mul", "V", "V", "3:ud")
        self.each("add", "V", "V", "1:ud")
        self.each("mov", "D", "X")
        self.each("add", "X", "X", "1:ud")
        self.each("and", "X", "X", f"{ROWS - 1}:ud")
        self.write()
        self.each("mov", "X", "D")
        self.put("goto (M1, 1) join")
        self.label("even")
        if self.end == "arm":
            self.put("add (M1_NM, 1) Q(0,0)<1> C(0,0)<0;1,0> 2:ud")
        self.each("add", "V", "V", "K")
        self.label("join")
        if self.end == "arm":
            self.each("add", "S", "S", "Q(0,0)<0;1,0>")
        self.load()
        self.each("add", "S", "S", "J")
        self.each("xor", "V", "V", "K")
        self.write()
        self.each("add", "S", "S", "V")
        self.each("add", "K", "K", "1:ud")

    def uniform(self, relation, limit="R(0,0)<0;1,0>"):
        self.put("add (M1_NM, 1) C(0,0)<1> C(0,0)<0;1,0> 1:ud")
        for _, m in self.pieces(self.count):
            self.put(f"cmp.{relation} ({m}_NM, {self.count}) P6 C(0,0)<0;1,0> {limit}")

    def kernel(self):
        align = "wordx32" if self.grf == 32 else "GRF"
        w = self.width
        decls = [f".decl {v} v_type=G type=ud num_elts={w} align={align}" for v in "IKNSVJXD"]
        decls += [
            f".decl L v_type=G type=uw num_elts={w} align={align}",
            f".decl O v_type=G type=uw num_elts={w} align={align}",
            f".decl XW v_type=G type=uw num_elts={2 * w} align={align} alias=<X, 0>",
            f".decl AL v_type=G type=ud num_elts={self.row // 4 * ROWS} align={align}",
            f".decl AH v_type=G type=ud num_elts={self.row // 4 * ROWS} align={align}",
            ".decl R v_type=G type=ud num_elts=1 align=dword",
            ".decl C v_type=G type=ud num_elts=1 align=dword",
            ".decl Q v_type=G type=ud num_elts=1 align=dword",
            ".decl G v_type=G type=ud num_elts=1 align=dword",
            f".decl A0 v_type=A num_elts={self.step}",
        ]
        decls += [f".decl P{n} v_type=P num_elts={w}" for n in (1, 2, 3, 4, 6)]
        if self.platform == "skl":
            decls += [".decl IN v_type=T num_elts=1", ".decl OUT v_type=T num_elts=1"]
            inputs = [".input IN offset=32 size=4", ".input OUT offset=36 size=4", ".input R offset=40 size=4"]
        else:
            decls += [f".decl {v} v_type=G type=uq num_elts=1 align=qword" for v in ("IN", "OUT")]
            decls.append(f".decl T v_type=G type=uq num_elts={w} align={align}")
            inputs = [".input IN offset=64 size=8", ".input OUT offset=72 size=8", ".input R offset=80 size=4"]
        if w > self.count:
            decls += [
                f".decl {v}{first} v_type=G type=ud num_elts={self.count} align={align} alias=<{v}, {4 * first}>"
                for v in "JS"
                for first in range(0, w, self.count)
            ]
        self.label("main")
        self.put("mov (M1_NM, 8) L(0,0)<1> 0x76543210:uv")
        for done in range(8, w, 8):
            self.put(f"add (M1_NM, 8) {self.at('L', done, 2)}<1> L(0,0)<1;1,0> {done}:uw")
        for first, m in self.pieces(self.count):
            self.put(f"mov ({m}, {self.count}) {self.at('I', first)}<1> {self.at('L', first, 2)}<1;1,0>")
        self.each("mul", "N", "I", "37:ud")
        self.each("and", "N", "N", "15:ud")
        self.each("add", "N", "N", "1:ud")
        self.each("mul", "N", "N", "R(0,0)<0;1,0>")
        self.each("mov", "K", "0:ud")
        self.each("mov", "S", "0:ud")
        self.put("mov (M1_NM, 1) C(0,0)<1> 0:ud")
        self.put("mov (M1_NM, 1) Q(0,0)<1> 0:ud")
        for row in range(ROWS):
            for first, m in self.pieces(self.count):
                name, skip = self.array(first)
                at = (row * self.row + skip) // 4
                self.put(f"add ({m}, {self.count}) {self.at(name, at)}<1> {self.at('I', first)}<1;1,0> {100 * row}:ud")
        self.label("again")
        self.body()
        if self.end in ("even", "arm"):
            self.uniform("lt")
            self.put("(P6) goto (M1, 1) again")
        elif self.end == "middle":
            self.uniform("ge")
            self.put("(P6) goto (M1, 1) behind")
            self.label("back")
            self.each("add", "S", "S", "1:ud")
            self.put("goto (M1, 1) again")
        elif "break" in self.end:
            self.each("cmp.ge", "P4", "K", "N")
            self.put(f"(P4) goto (M1, {w}) behind")
            self.label("back")
            self.each("add", "S", "S", "C(0,0)<0;1,0>")
            self.uniform("lt", f"{LONG_BREAK if 'long' in self.end else BREAK}:ud")
            self.put("(P6) goto (M1, 1) again")
        else:
            self.each("cmp.lt", "P4", "K", "N")
            self.put(f"(P4) goto (M1, {w}) again")
        self.label("behind")
        for row in range(ROWS):
            for first, m in self.pieces(self.count):
                name, skip = self.array(first)
                at = self.at(name, (row * self.row + skip) // 4)
                self.put(f"mul ({m}, {self.count}) {self.at('V', first)}<1> {at}<1;1,0> {2 * row + 3}:ud")
            self.each("add", "S", "S", "V")
        self.put(f"mul (M1_NM, 1) G(0,0)<1> %r0(0,1)<0;1,0> {4 * w}:ud")
        self.each("shl", "J", "I", "2:ud")
        self.each("add", "J", "J", "G(0,0)<0;1,0>")
        for first, m in self.pieces(self.count):
            self.move("store", "OUT", first, m)
        self.put("ret (M1, 1)")
        head = [".version 4.1", '.kernel "k"'] + decls + inputs
        head += [f".kernel_attr SimdSize={w}", '.function "main"']
        return "\n".join(head + self.lines) + "\n"


def run(kind, end):
    """What the channels store."""
    width = KINDS[kind][1]
    array = [[100 * row + i for i in range(width)] for row in range(ROWS)]
    rounds = [ENDS[end](i) for i in range(width)]
    own = [ENDS["long" if "long" in end else "own"](i) for i in range(width)]
    sums = [0] * width
    scalar = 0
    for k in range(max(rounds)):
        on = [i for i in range(width) if k < rounds[i]]
        value = {}
        for i in on:
            shift = end == "neighbour" and i == NEIGHBOUR and k == ROUND
            value[i] = array[(k + i) % ROWS][i + shift]
        if end == "arm" and any(value[i] & 1 == 0 for i in on):
            scalar = k + 2
        for i in on:
            sums[i] += scalar
            if value[i] & 1:
                value[i] = (value[i] * 3 + 1) & WORD
                array[(k + i + 1) % ROWS][i] = value[i]
            else:
                value[i] = (value[i] + k) & WORD
        for i in on:
            value[i] ^= k
            array[(k + i) % ROWS][i] = value[i]
            sums[i] = (sums[i] + (k & 15) + value[i]) & WORD
            if end == "middle" and k + 1 < rounds[i]:
                sums[i] = (sums[i] + 1) & WORD
            if "break" in end and k + 1 < own[i]:
                sums[i] = (sums[i] + k) & WORD
    return [(sums[i] + sum((2 * r + 3) * array[r][i] for r in range(ROWS))) & WORD for i in range(width)]


def main():
    folder, names, wild = sys.argv[1], [], []
    for kind in KINDS:
        for end in ENDS:
            name = f"{kind}-{end}"
            (wild if end == "wild" else names).append(name)
            with open(os.path.join(folder, name + ".visaasm"), "w") as out:
                out.write(Text(kind, end).kernel())
            width, factor = KINDS[kind][1], {"long": 300, "long-break": 300, "even": 9, "middle": 9, "arm": 9}.get(end, 1)
            with open(os.path.join(folder, name + ".want"), "w") as out:
                out.writelines(f"{value}\n" for value in run(kind, end) * 3)
            with open(os.path.join(folder, name + ".run"), "w") as out:
                out.write(f"--jobs 1 --platform {KINDS[kind][0]} --groups 3 -a buf:u32:16:iota -a buf:u32:{3 * width}:zero:out=- -a u32:{factor}\n")
    for file, some in (("names", names), ("wild", [name for name in wild if "pvc" in name])):
        with open(os.path.join(folder, file), "w") as out:
            out.writelines(name + "\n" for name in some)


if __name__ == "__main__":
    main()
