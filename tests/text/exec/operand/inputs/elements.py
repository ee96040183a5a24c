# SPDX-License-Identifier: MIT
"""Arrays in registers, of which each channel writes an element that it has an address for:
elements.py SCRATCH-FOLDER VISAGE...

Compilers write them channel by channel. What is left in the array is worked out here; where a
channel's address leads nowhere, both engines tell the same fault."""

import itertools
import os
import re
import struct
import subprocess
import sys

FOLDER, *VISAGE = sys.argv[1:]
CHANNELS, ROWS, GRF = 16, 4, 64
TYPES = {1: "b", 2: "w", 4: "d", 8: "q"}
FILL = 9
CONSTANT = 77
WILD = 0x7ff0
INDEX = [(7 * c + 3) % ROWS for c in range(CHANNELS)]


def value(c):
    return 100 + c


def place(name, byte):
    """An element of 1, 2, 4 or 8 bytes by its register and number there."""
    return lambda size: f"{name}({byte // GRF},{byte % GRF // size})"


def moves(size, constant, halves):
    """The moves; those of upper channels may be of instructions, and regions, that begin there."""
    for c in range(CHANNELS):
        first = c // 8 * 8 if halves else 0
        where = f"M{first // 4 + 1}, {8 if halves else 16}"
        source = f"0x{CONSTANT:x}:{TYPES[size]}" if constant else \
            place("V", c * size)(size) + "<0;1,0>"
        back = first * size
        yield f"    setp (M1_NM, 16) P{3 + c} 0x{1 << c:x}:uw"
        yield f"    (P{3 + c}) mov ({where}) r[A0({c}),{back}]<1>:{TYPES[size]} {source}"


def text(size, constant, halves, masked, wild=None):
    array = ROWS * CHANNELS * size
    lines = [".version 4.1", '.kernel "k"',
             ".decl OUT v_type=G type=uq num_elts=1 align=qword",
             ".decl ROW v_type=G type=uw num_elts=16 align=GRF",
             ".decl C v_type=G type=w num_elts=16 align=GRF",
             f".decl V v_type=G type={TYPES[size]} num_elts=16 align=GRF",
             f".decl ARRAY v_type=G type={TYPES[size]} num_elts={ROWS * CHANNELS} align=GRF",
             f".decl WORDS v_type=G type=d num_elts={array // 4} align=GRF alias=<ARRAY, 0>",
             ".decl A0 v_type=A num_elts=16",
             *(f".decl P{n} v_type=P num_elts=16" for n in range(1, 3 + CHANNELS)),
             ".input OUT offset=64 size=8", ".kernel_attr SimdSize=16", '.function "main"', "main:",
             "    mov (M1_NM, 8) C(0,0)<1> 0x76543210:v",
             "    add (M1_NM, 8) C(0,8)<1> C(0,0)<1;1,0> 0x8:w",
             f"    add (M1_NM, 16) V(0,0)<1> C(0,0)<1;1,0> 0x{value(0):x}:w"]
    lines += [f"    mov (M1_NM, 16) {place('ARRAY', r * CHANNELS * size)(size)}<1> 0x{FILL:x}:w"
              for r in range(ROWS)]
    rows = [WILD if c == wild else INDEX[c] * CHANNELS * size for c in range(CHANNELS)]
    lines += [f"    mov (M1_NM, 1) ROW(0,{c})<1> 0x{row:x}:uw" for c, row in enumerate(rows)]
    lines += ["    addr_add (M1_NM, 16) A0(0)<1> &ARRAY ROW(0,0)<1;1,0>"]
    if masked:
        lines += ["    and (M1, 16) C(0,0)<1> C(0,0)<1;1,0> 0x3:w",
                  "    cmp.eq (M1, 16) P1 C(0,0)<1;1,0> 0x1:w", "    (P1) goto (M1, 16) done"]
    lines += moves(size, constant, halves)
    lines += ["done:"]
    for at in range(0, array, 128):
        count = min(32, (array - at) // 4)
        lines += [f"    lsc_store.ugm (M1_NM, 1) flat[OUT]:a64 WORDS.{at}:d32x{count}t",
                  "    add (M1_NM, 1) OUT(0,0)<1> OUT(0,0)<0;1,0> 0x80:uq"]
    return "\n".join(lines + ["    ret (M1, 1)", ""])


def wanted(size, constant, masked):
    out = [FILL] * (ROWS * CHANNELS)
    for c in range(CHANNELS):
        if not masked or c % 4 != 1:
            out[INDEX[c] * CHANNELS + c] = CONSTANT if constant else value(c)
    return struct.pack(f"<{len(out)}{TYPES[size].replace('w', 'h').replace('d', 'i')}", *out)


def run(engine, size, what):
    path, out = os.path.join(FOLDER, "k.visaasm"), os.path.join(FOLDER, "out")
    with open(path, "w", encoding="ascii") as file:
        file.write(what)
    result = subprocess.run([*VISAGE, "run", path, "--platform", "pvc", "--engine", engine, "-a",
                             f"buf:u8:{ROWS * CHANNELS * size}:zero:out={out}"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            check=False)
    with open(out, "rb") as file:
        return result.returncode, file.read(), re.findall("error: .*", result.stderr)


def main():
    count = 0
    for size, constant, halves, masked in itertools.product(TYPES, (0, 1), (0, 1), (0, 1)):
        for engine in ("interp", "jit"):
            status, data, said = run(engine, size, text(size, constant, halves, masked))
            if status != 0 or data != wanted(size, constant, masked):
                sys.exit(f"{size} {constant} {halves} {masked}, {engine}: {status} {said}, wrong")
            count += 1
        for wild in (0, 6, 15):
            said = [run(engine, size, text(size, constant, halves, masked, wild))
                    for engine in ("interp", "jit")]
            if said[0][::2] != said[1][::2] or said[0][0] != 3 or len(said[0][2]) != 1:
                sys.exit(f"{size} {constant} {halves} {masked} {wild}: {said}")
            count += 2
        # A channel that is off may have any address.
        status, data, said = run("jit", size, text(size, constant, halves, True, 5))
        if status != 0 or data != wanted(size, constant, True):
            sys.exit(f"{size} {constant} {halves}, off: {status} {said}, wrong")
        count += 1
    print(f"{count} runs as they should be")


if __name__ == "__main__":
    main()
