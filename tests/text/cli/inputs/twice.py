# SPDX-License-Identifier: MIT
"""Gives one section of a zebin the name of another: twice.py ZEBIN SECTION OTHER"""
import struct
import sys

with open(sys.argv[1], "rb") as file:
    data = bytearray(file.read())
sections, = struct.unpack_from("<Q", data, 0x28)
size, count, names = struct.unpack_from("<HHH", data, 0x3a)


def at(index):
    return sections + index * size


def name(index):
    start = struct.unpack_from("<Q", data, at(names) + 24)[0]
    start += struct.unpack_from("<I", data, at(index))[0]
    return data[start:data.index(0, start)].decode()


index = {name(i): i for i in range(count)}
struct.pack_into("<I", data, at(index[sys.argv[2]]),
                 struct.unpack_from("<I", data, at(index[sys.argv[3]]))[0])
sys.stdout.buffer.write(data)
