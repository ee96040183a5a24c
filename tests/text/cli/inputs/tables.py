# SPDX-License-Identifier: MIT
"""Writes a vISA binary with what only a binary has (4_visa_header), in the documents' layout: a
kernel with relocation tables and two GEN binaries, a file-scope variable, a declared function."""
import struct
import sys


def name(text):
    return struct.pack("<H", len(text)) + text


def make_object():
    strings = b"\0k\0"
    head = struct.pack("<I", 2) + strings + struct.pack("<I", 1)
    tables = struct.pack("<IHHHBBB", 0, 0, 0, 0, 0, 0, 0)
    inputs = len(head) + len(tables)
    code = b"\x34\x00\x00\x00"  # ret (M1, 1)
    entry = inputs + 4 + 8 + 2
    return head + tables + struct.pack("<IIIH", 0, len(code), entry, 0) + code, inputs


def make_file(at):
    body, inputs = make_object()
    gen = at + len(body)
    kernel = name(b"k") + struct.pack("<III", at, len(body), at + inputs)
    kernel += struct.pack("<HHHH", 1, 5, 7, 0)[:6] + struct.pack("<HHHHH", 2, 1, 2, 3, 4)
    kernel += struct.pack("<BBIIBII", 2, 13, gen, 3, 99, gen + 3, 1)
    variable = b"\x02" + name(b"global") + struct.pack("<BHB", 0x50, 16, 0)
    function = b"\x00" + name(b"f") + struct.pack("<IIHH", 0, 0, 0, 0)
    header = b"CISA\x04\x01" + struct.pack("<H", 1) + kernel
    header += struct.pack("<H", 1) + variable + struct.pack("<H", 1) + function
    return header, header + body + b"abc" + b"d"


sys.stdout.buffer.write(make_file(len(make_file(0)[0]))[1])
