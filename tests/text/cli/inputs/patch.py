# SPDX-License-Identifier: MIT
"""Writes a file with other bytes at a place, or cut off there: patch.py FILE OFFSET [HEX]"""
import sys

with open(sys.argv[1], "rb") as file:
    data = bytearray(file.read())
at = int(sys.argv[2], 0)
if len(sys.argv) == 3:
    del data[at:]
else:
    new = bytes.fromhex(sys.argv[3])
    data[at:at + len(new)] = new
sys.stdout.buffer.write(data)
