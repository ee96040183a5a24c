# SPDX-License-Identifier: MIT
"""Writes a kernel with a call behind every fourth branch, which all come back with 200 vectors of 32
channels, and what channels store: the sum of theirs.

    returns.py BRANCHES KERNEL EXPECTED"""

import sys

BRANCHES, VECTORS, WORD = int(sys.argv[1]), 200, 0xffffffff


def text():
    yield '.version 4.1\n.kernel "returns"'
    yield from (f".decl X{i} v_type=G type=ud num_elts=32 align=GRF" for i in range(VECTORS))
    yield ".decl OUT v_type=G type=uq num_elts=1 align=qword\n.decl P1 v_type=P num_elts=32"
    yield '.input OUT offset=64 size=8\n.kernel_attr SimdSize=32\n.function "main"\nmain:'
    yield from (f"  mov (M1, 32) X{i}(0,0)<1> {i}:ud" for i in range(VECTORS))
    for b in range(BRANCHES):
        to, by = places(b)
        if b % 4 == 0:
            yield f"  call (M1, 32) more{b // 4 % 2}"
        yield f"  cmp.lt (M1, 32) P1 X{by}(0,0)<1;1,0> {b}:ud\n  (P1) goto (M1, 32) there{b}"
        yield f"  add (M1, 32) X{to}(0,0)<1> X{to}(0,0)<1;1,0> X{by}(0,0)<1;1,0>"
        yield f"  xor (M1, 32) X{by}(0,0)<1> X{by}(0,0)<1;1,0> {b}:ud\nthere{b}:"
    for i in range(1, VECTORS):
        yield f"  add (M1, 32) X0(0,0)<1> X0(0,0)<1;1,0> X{i}(0,0)<1;1,0>"
    yield "  lsc_store.ugm (M1_NM, 1) flat[OUT]:a64 X0:d32x32t\n  ret (M1, 1)"
    for s in range(2):
        yield f'.function "more{s}"\nmore{s}:'
        yield f"  add (M1, 32) X{s}(0,0)<1> X{s}(0,0)<1;1,0> 3:ud\n  ret (M1, 32)"


def places(branch):
    return branch * 7 % VECTORS, branch * 13 % VECTORS


def total():
    x = list(range(VECTORS))
    for b in range(BRANCHES):
        to, by = places(b)
        if b % 4 == 0:
            x[b // 4 % 2] = x[b // 4 % 2] + 3 & WORD
        if x[by] >= b:
            x[to] = x[to] + x[by] & WORD
            x[by] ^= b
    return sum(x) & WORD


with open(sys.argv[2], "w", encoding="ascii") as file:
    file.write("\n".join(text()) + "\n")
with open(sys.argv[3], "w", encoding="ascii") as file:
    file.writelines(f"{total()}\n" for _ in range(32))
