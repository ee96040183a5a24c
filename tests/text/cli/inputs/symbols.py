# SPDX-License-Identifier: MIT
"""Prints the global symbols of an ELF file of 64 bits: `defined NAME` or `undefined NAME`."""

import struct
import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
assert data[:6] == b"\x7fELF\x02\x01"
start, = struct.unpack_from("<Q", data, 0x28)
size, number = struct.unpack_from("<HH", data, 0x3A)
sections = [struct.unpack_from("<IIQQQQIIQQ", data, start + i * size) for i in range(number)]
for section in sections:
    if section[1] != 2:  # SHT_SYMTAB
        continue
    names = sections[section[6]][4]
    for at in range(section[4], section[4] + section[5], 24):
        name, info, _, where, _, _ = struct.unpack_from("<IBBHQQ", data, at)
        if info >> 4 == 0:  # local
            continue
        text = data[names + name:data.index(b"\0", names + name)].decode()
        print("defined" if where else "undefined", text)
