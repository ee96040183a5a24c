# SPDX-License-Identifier: MIT
"""Gives immediates of a binary (5_operands, const_opnd: class 5, type, dword) other upper bytes."""
import sys

TYPES = {"uw": 2, "w": 3, "hf": 14}
CHANGES = [("w", 0x1234, 0xB0001234), ("w", 0xFFFFFFFF, 0x0000FFFF),
           ("uw", 0x1235, 0xFFFF1235), ("hf", 0x3C00, 0xABCD3C00)]


def immediate(kind, value):
    return bytes([5, TYPES[kind]]) + value.to_bytes(4, "little")


data = open(sys.argv[1], "rb").read()
for kind, old, new in CHANGES:
    assert data.count(immediate(kind, old)) == 1, kind
    data = data.replace(immediate(kind, old), immediate(kind, new))
open(sys.argv[2], "wb").write(data)
