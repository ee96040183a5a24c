# SPDX-License-Identifier: MIT
"""Writes a kernel with many labels and variables, and what it stores.

    many.py COPIES ROUNDS KERNEL EXPECTED

Each copy has two vectors and a forward goto that some channels take; all copies are in a loop."""

import sys

copies, rounds = int(sys.argv[1]), int(sys.argv[2])
CHANNELS = range(16)


def factor(i):
    return 2 * i + 3


def text():
    yield '.version 4.1\n.kernel "many"'
    yield ".decl OUT v_type=G type=uq num_elts=1 align=qword"
    yield ".decl IN v_type=G type=ud num_elts=16 align=GRF"
    yield ".decl LEFT v_type=G type=ud num_elts=1 align=dword"
    for i in range(copies):
        yield f".decl A{i} v_type=G type=ud num_elts=16 align=GRF"
        yield f".decl B{i} v_type=G type=ud num_elts=16 align=GRF"
    yield ".decl P1 v_type=P num_elts=16\n.decl P2 v_type=P num_elts=1"
    yield ".input OUT offset=64 size=8\n.input LEFT offset=72 size=4"
    yield '.kernel_attr SimdSize=16\n.function "main"\nmain:'
    yield "  mov (M1_NM, 8) IN(0,0)<1> 0x76543210:uv"
    yield "  mov (M1_NM, 8) IN(0,8)<1> 0xfedcba98:uv"
    yield "again:"
    before = "IN"
    for i in range(copies):
        yield f"  mul (M1, 16) A{i}(0,0)<1> {before}(0,0)<1;1,0> 0x{factor(i):x}:ud"
        yield f"  add (M1, 16) B{i}(0,0)<1> A{i}(0,0)<1;1,0> {before}(0,0)<1;1,0>"
        yield f"  and (M1, 16) B{i}(0,0)<1> B{i}(0,0)<1;1,0> 0xff:ud"
        yield f"  cmp.lt (M1, 16) P1 B{i}(0,0)<1;1,0> 0x{i % 256:x}:ud"
        yield f"  (P1) goto (M1, 16) skip{i}"
        yield f"  xor (M1, 16) A{i}(0,0)<1> A{i}(0,0)<1;1,0> B{i // 2}(0,0)<1;1,0>"
        yield f"skip{i}:"
        before = f"A{i}"
    yield f"  mov (M1, 16) IN(0,0)<1> {before}(0,0)<1;1,0>"
    yield "  add (M1_NM, 1) LEFT(0,0)<1> LEFT(0,0)<0;1,0> -1:d"
    yield "  cmp.ne (M1_NM, 1) P2 LEFT(0,0)<0;1,0> 0x0:ud"
    yield "  (P2) goto (M1, 1) again"
    yield f"  lsc_store.ugm (M1_NM, 1) flat[OUT]:a64 {before}:d32x16t"
    yield "  ret (M1, 1)"


def value(channel):
    last = channel
    for _ in range(rounds):
        b = []
        for i in range(copies):
            a = last * factor(i) & 0xffffffff
            b.append(a + last & 0xff)
            if b[i] >= i % 256:
                a ^= b[i // 2]
            last = a
    return last


with open(sys.argv[3], "w", encoding="utf-8") as file:
    file.write("\n".join(text()) + "\n")
with open(sys.argv[4], "w", encoding="utf-8") as file:
    file.writelines(f"{value(n)}\n" for n in CHANNELS)
