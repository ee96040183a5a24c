# SPDX-License-Identifier: MIT
"""Writes a kernel of so many stores to a buffer, one after the other.

    stores.py STORES KERNEL"""

import sys

LINES = ["""\
.version 4.1
.kernel "stores"
.decl OUT v_type=G type=uq num_elts=1 align=qword
.decl X v_type=G type=ud num_elts=16 align=GRF
.decl A v_type=G type=uq num_elts=16 align=GRF
.input OUT offset=64 size=8
.kernel_attr SimdSize=16
.function "main"
main:
  mov (M1_NM, 8) X(0,0)<1> 0x76543210:uv
  mov (M1_NM, 8) X(0,8)<1> 0xfedcba98:uv
  shl (M1, 16) A(0,0)<1> X(0,0)<1;1,0> 0x2:ud
  add (M1, 16) A(0,0)<1> A(0,0)<1;1,0> OUT(0,0)<0;1,0>"""]
for i in range(int(sys.argv[1])):
    LINES.append(f"  add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> 0x{i:x}:ud")
    LINES.append("  lsc_store.ugm (M1, 16) flat[A]:a64 X:d32")
LINES.append("  ret (M1, 1)")
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write("\n".join(LINES) + "\n")
