# SPDX-License-Identifier: MIT
"""Loops that channels leave one by one, along rows, whose rounds look at more than their own
channel: own_rounds.py SCRATCH-FOLDER VISAGE... Both engines are to say the same."""

import os
import re
import subprocess
import sys

FOLDER, *VISAGE = sys.argv[1:]

VARIABLES = """.version 4.1
.kernel "k"
.decl OUT v_type=G type=uq num_elts=1 align=qword
.decl B v_type=G type=uq num_elts=1 align=qword
.decl N v_type=G type=d num_elts=1 align=dword
.decl F v_type=G type=d num_elts=1 align=dword
.decl C v_type=G type=d num_elts=1 align=dword
.decl L v_type=G type=uw num_elts=16 align=GRF
.decl I v_type=G type=d num_elts=16 align=GRF
.decl K v_type=G type=d num_elts=16 align=GRF
.decl E v_type=G type=d num_elts=16 align=GRF
.decl X v_type=G type=d num_elts=16 align=GRF
.decl V v_type=G type=ud num_elts=16 align=GRF
.decl W v_type=G type=ud num_elts=16 align=GRF
.decl S v_type=G type=ud num_elts=16 align=GRF
.decl T v_type=G type=uq num_elts=16 align=GRF
.decl P1 v_type=P num_elts=16
.decl P2 v_type=P num_elts=16
.decl P3 v_type=P num_elts=16
.input OUT offset=64 size=8
.input B offset=72 size=8
.input N offset=80 size=4
.input F offset=84 size=4
.kernel_attr SimdSize=16
.function "main"
main:
"""

# A group that has been there before knows where the memory is. Channel n has N + n % 8 rounds,
# or none.
BEGIN = """    mov (M1_NM, 8) L(0,0)<1> 0x76543210:uv
    add (M1_NM, 8) L(0,8)<1> L(0,0)<1;1,0> 8:uw
    mov (M1, 16) I(0,0)<1> L(0,0)<1;1,0>
    mov (M1, 16) S(0,0)<1> 7:ud
    mov (M1, 16) W(0,0)<1> 3:ud
    mov (M1_NM, 1) C(0,0)<1> 0:d
    mul (M1, 16) K(0,0)<1> I(0,0)<1;1,0> 120:d
    and (M1, 16) X(0,0)<1> I(0,0)<1;1,0> 7:d
    add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> N(0,0)<0;1,0>
    add (M1, 16) E(0,0)<1> K(0,0)<1;1,0> X(0,0)<1;1,0>
    and (M1, 16) X(0,0)<1> I(0,0)<1;1,0> F(0,0)<0;1,0>
    cmp.ne (M1, 16) P1 X(0,0)<1;1,0> 0:d
    (P1) goto (M1, 16) end
head:
    mov (M1_NM, 16) T(0,0)<1> K(0,0)<1;1,0>
    shl (M1_NM, 16) T(0,0)<1> T(0,0)<1;1,0> 2:uq
    add (M1_NM, 16) T(0,0)<1> T(0,0)<1;1,0> B(0,0)<0;1,0>
"""

END = """    add (M1_NM, 16) K(0,0)<1> K(0,0)<1;1,0> 1:w
    cmp.lt (M1_NM, 16) P2 K(0,0)<1;1,0> E(0,0)<1;1,0>
    (P2) goto (M1, 16) head
end:
    add (M1, 16) S(0,0)<1> S(0,0)<1;1,0> C(0,0)<0;1,0>
    shl (M1, 16) T(0,0)<1> I(0,0)<1;1,0> 2:uq
    add (M1, 16) T(0,0)<1> T(0,0)<1;1,0> OUT(0,0)<0;1,0>
    lsc_store.ugm (M1, 16) flat[T]:a64 S:d32
    ret (M1, 1)
"""

LOAD = "    lsc_load.ugm (M1, 16) V:d32 flat[T]:a64\n"
ADD = "    add (M1, 16) W(0,0)<1> V(0,0)<1;1,0> {}\n"
STORE = "    lsc_store.ugm (M1, 16) flat[T]:a64 W:d32\n"
ALL = "(M1, 16)", "(M1_NM, 16)"

ROUNDS = {
    "own": LOAD + ADD.format("5:ud") + STORE,
    "stored for all": (LOAD + ADD.format("5:ud") + STORE).replace(*ALL),
    "added up": LOAD + "    add (M1, 16) S(0,0)<1> S(0,0)<1;1,0> V(0,0)<1;1,0>\n",
    "added up for all": LOAD.replace(*ALL) +
                        "    add (M1_NM, 16) S(0,0)<1> S(0,0)<1;1,0> V(0,0)<1;1,0>\n",
    "of the first channel": LOAD + """    mov (M1_NM, 1) C(0,0)<1> 9:d
    mov (M1, 1) C(0,0)<1> 4:d
""" + ADD.format("C(0,0)<0;1,0>") + STORE,
    "of another channel": LOAD + """    mov (M1_NM, 16) X(0,0)<1> 9:d
    mov (M1, 16) X(0,0)<1> 4:d
""" + ADD.format("X(0,5)<0;1,0>") + STORE,
    "of all channels": LOAD + """    setp (M1_NM, 16) P3 0:ud
    cmp.lt (M1, 16) P3 I(0,0)<1;1,0> 99:d
    mov (M1_NM, 1) C(0,0)<1> P3
""" + ADD.format("C(0,0)<0;1,0>") + STORE,
    "of all or none": LOAD + """    setp (M1_NM, 16) P3 0:ud
    cmp.lt (M1, 16) P3 I(0,0)<1;1,0> 99:d
    mov (M1_NM, 1) C(0,0)<1> 3:d
    (P3.all) mov (M1_NM, 1) C(0,0)<1> 8:d
""" + ADD.format("C(0,0)<0;1,0>") + STORE,
    "behind the loop": LOAD + """    setp (M1_NM, 16) P3 0:ud
    cmp.lt (M1, 16) P3 I(0,0)<1;1,0> 99:d
    mov (M1_NM, 1) C(0,0)<1> P3
""" + ADD.format("5:ud") + STORE,
}


def run(text, engine, rounds, off):
    """What is said, and the memory that is left."""
    left = [os.path.join(FOLDER, name) for name in ("out", "b")]
    said = subprocess.run([*VISAGE, "run", text, "--platform", "pvc", "--engine", engine,
                           "--jobs", "1", "--groups", "3", "--stats",
                           "-a", f"buf:u32:16:zero:out={left[0]}.raw",
                           "-a", f"buf:u32:2400:iota:out={left[1]}.raw",
                           "-a", f"i32:{rounds}", "-a", f"i32:{off}"], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    data = []
    for path in left:
        with open(f"{path}.raw", "rb") as file:
            data.append(file.read())
    return re.findall(r"instructions \d+", said), data


def main():
    count = 0
    for name, body in ROUNDS.items():
        text = os.path.join(FOLDER, f"{name.replace(' ', '-')}.visaasm")
        with open(text, "w", encoding="utf-8") as file:
            file.write(VARIABLES + BEGIN + body + END)
        for rounds, off in (9, 0), (40, 0), (17, 2), (33, 8):
            jit, interp = (run(text, engine, rounds, off) for engine in ("jit", "interp"))
            if jit != interp:
                sys.exit(f"{name}, {rounds} rounds, {off}: {jit[0]} {interp[0]}")
            count += 1
    print(f"{count} of both engines the same")


if __name__ == "__main__":
    main()
