# SPDX-License-Identifier: MIT
"""Writes a kernel of long text, whose thread 0 waits at a barrier while thread 1 goes round a loop,
and what thread 0 stores.

    efforts.py FACTOR KERNEL EXPECTED

Behind the barrier it wants what can be made again from FACTOR, an argument."""

import sys

BRANCHES, WORD = 700, 0xffffffff

HEAD = """\
.version 4.1
.kernel "efforts"
.decl X v_type=G type=ud num_elts=16 align=GRF
.decl I v_type=G type=ud num_elts=16 align=GRF
.decl T v_type=G type=ud num_elts=16 align=GRF
.decl A v_type=G type=uq num_elts=16 align=GRF
.decl LANES v_type=G type=uw num_elts=16 align=GRF
.decl ID v_type=G type=uw num_elts=3 align=word
.decl OUT v_type=G type=uq num_elts=1 align=qword
.decl ROUNDS v_type=G type=ud num_elts=1 align=dword
.decl FACTOR v_type=G type=ud num_elts=1 align=dword
.decl TRIPLE v_type=G type=ud num_elts=1 align=dword
.decl LAST v_type=G type=ud num_elts=1 align=dword
.decl Z v_type=G type=ud num_elts=1 align=dword
.decl K v_type=G type=ud num_elts=1 align=dword
.decl AT v_type=G type=ud num_elts=1 align=dword
.decl P1 v_type=P num_elts=16
.decl P2 v_type=P num_elts=1
.input OUT offset=64 size=8
.input ROUNDS offset=72 size=4
.input FACTOR offset=76 size=4
.implicit_LOCAL_ID ID offset=80 size=6
.kernel_attr SimdSize=16
.kernel_attr SLMSize=1
.kernel_attr BarrierCnt=1
.function "main"
main:
  mov (M1_NM, 8) LANES(0,0)<1> 0x76543210:uv
  mov (M1_NM, 8) LANES(0,8)<1> 0xfedcba98:uv
  add (M1, 16) I(0,0)<1> LANES(0,0)<1;1,0> ID(0,0)<0;1,0>
  mov (M1, 16) X(0,0)<1> I(0,0)<1;1,0>
  mul (M1_NM, 1) TRIPLE(0,0)<1> FACTOR(0,0)<0;1,0> 3:ud"""

BRANCH = """\
  add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> {plus}:ud
  xor (M1, 16) X(0,0)<1> X(0,0)<1;1,0> {bits}:ud
  mul (M1, 16) X(0,0)<1> X(0,0)<1;1,0> {times}:ud
  and (M1, 16) T(0,0)<1> X(0,0)<1;1,0> {bit}:ud
  cmp.ne (M1, 16) P1 T(0,0)<1;1,0> 0:ud
  (P1) goto (M1, 16) there{number}
  add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> I(0,0)<1;1,0>
there{number}:"""

TAIL = """\
  shr (M1_NM, 1) LAST(0,0)<1> I(0,0)<0;1,0> 4:ud
  mul (M1_NM, 1) LAST(0,0)<1> LAST(0,0)<0;1,0> ROUNDS(0,0)<0;1,0>
  mov (M1_NM, 1) Z(0,0)<1> 7:ud
  mov (M1_NM, 1) K(0,0)<1> 0:ud
again:
  mul (M1_NM, 1) Z(0,0)<1> Z(0,0)<0;1,0> Z(0,0)<0;1,0>
  add (M1_NM, 1) Z(0,0)<1> Z(0,0)<0;1,0> 13:ud
  add (M1_NM, 1) K(0,0)<1> K(0,0)<0;1,0> 1:ud
  cmp.lt (M1_NM, 1) P2 K(0,0)<0;1,0> LAST(0,0)<0;1,0>
  (P2) goto (M1, 1) again
  barrier
  add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> FACTOR(0,0)<0;1,0>
  add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> TRIPLE(0,0)<0;1,0>
  add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> Z(0,0)<0;1,0>
  shl (M1_NM, 1) AT(0,0)<1> %r0(0,1)<0;1,0> 7:ud
  shl (M1, 16) T(0,0)<1> I(0,0)<1;1,0> 2:ud
  add (M1, 16) T(0,0)<1> T(0,0)<1;1,0> AT(0,0)<0;1,0>
  add (M1, 16) A(0,0)<1> T(0,0)<1;1,0> OUT(0,0)<0;1,0>
  lsc_store.ugm (M1, 16) flat[A]:a64 X:d32
  ret (M1, 1)"""


def numbers(branch):
    return {"plus": 2 * branch + 3, "bits": 77 * branch + 1, "times": 2 * branch + 5,
            "bit": 1 << branch % 8, "number": branch}


def value(channel, factor):
    x = channel
    for branch in range(BRANCHES):
        n = numbers(branch)
        x = ((x + n["plus"] & WORD) ^ n["bits"]) * n["times"] & WORD
        if x & n["bit"] == 0:
            x += channel
    return x + 4 * factor + 7 * 7 + 13 & WORD


with open(sys.argv[2], "w", encoding="ascii") as file:
    body = [BRANCH.format(**numbers(branch)) for branch in range(BRANCHES)]
    file.write("\n".join([HEAD, *body, TAIL]) + "\n")
with open(sys.argv[3], "w", encoding="ascii") as file:
    file.writelines(f"{value(channel, int(sys.argv[1]))}\n" for channel in range(16))
