# SPDX-License-Identifier: MIT
"""Makes a zebin of a text and a list of data: zebin.py OUT TEXT [ENTRY]...

TEXT has units, each behind its .kernel or .function line; every kernel gets one buffer argument,
its address at byte 0 of the cross-thread payload. ENTRY is one of

    const:NAME=VALUE,...    dwords of .data.const, or &SYMBOL or &SYMBOL+ADDEND (8 bytes)
    global:NAME=VALUE,...   the same of .data.global
    bss:NAME=BYTES          zeros, in .bss.global
    align:NUMBER            of .data.const and .data.global
"""
import re
import struct
import sys

SECTIONS = {"const": ".data.const", "global": ".data.global", "bss": ".bss.global"}
INTELGT, PROGBITS, SYMTAB, STRTAB, RELA, NOBITS = 205, 1, 2, 3, 4, 8

out, text = sys.argv[1], open(sys.argv[2], encoding="ascii").read()
head, *bodies = re.split(r"(?m)^(?=\.(?:kernel|\w*_function) )", text)
units = [(re.match(r'\.(\w+) "(.*)"', body).groups(), body) for body in bodies]
data = {kind: b"" for kind in SECTIONS}
alignment, symbols, pointers = 4, {}, []
for entry in sys.argv[3:]:
    kind, rest = entry.split(":", 1)
    if kind == "align":
        alignment = int(rest)
        continue
    name, values = rest.split("=", 1)
    start = len(data[kind])
    if kind == "bss":
        data[kind] += bytes(int(values, 0))
    for value in values.split(",") if kind != "bss" else []:
        if value.startswith("&"):
            target, _, addend = value[1:].partition("+")
            pointers.append((kind, len(data[kind]), target, int(addend or "0", 0)))
            data[kind] += bytes(8)
        else:
            data[kind] += struct.pack("<I", int(value, 0) & 0xffffffff)
    symbols[name] = kind, start, len(data[kind]) - start

info = "version: '1.20'\nkernels:\n"
sections = []  # name, type, bytes, link, info, alignment
for (word, name), body in units:
    if word == "kernel":
        info += (f"  - name: {name}\n    execution_env: {{simd_size: 8, grf_count: 128}}\n"
                 "    payload_arguments:\n      - {arg_type: arg_bypointer, offset: 0, size: 8, "
                 "arg_index: 0, addrmode: stateless, addrspace: global, access_type: readwrite}\n")
        sections.append([f".text.{name}", PROGBITS, b"", 0, 0, 0])
for (word, name), body in units:
    section = ".visaasm" if word == "kernel" else f".visaasm.{name}"
    sections.append([section, 0xff000013, (head + body).encode(), 0, 0, 0])
sections.append([".ze_info", 0xff000011, info.encode(), 0, 0, 0])
number = {}
for kind, name in SECTIONS.items():
    if data[kind]:
        number[kind] = len(sections) + 1
        sections.append([name, NOBITS if kind == "bss" else PROGBITS, data[kind], 0, 0, alignment])

names, table = b"\0", bytes(24)
index = {}
for name in list(symbols) + [t for _, _, t, _ in pointers if t not in symbols]:
    kind, start, size = symbols.get(name, (None, 0, 0))
    index[name] = len(table) // 24
    table += struct.pack("<IBBHQQ", len(names), 0x10, 0, number.get(kind, 0), start, size)
    names += name.encode() + b"\0"
strings = len(sections) + 1
sections.append([".strtab", STRTAB, names, 0, 0, 0])
sections.append([".symtab", SYMTAB, table, strings, 1, 0])
for kind in ("const", "global"):
    entries = b"".join(struct.pack("<QQq", at, index[target] << 32 | 1, addend)
                       for where, at, target, addend in pointers if where == kind)
    if entries:
        sections.append([".rela" + SECTIONS[kind], RELA, entries, strings + 1, number[kind], 0])

shstrings = b"\0"
body, headers = b"", bytes(64)
for name, type_, content, link, info_, align in sections + [[".shstrtab", STRTAB, None, 0, 0, 0]]:
    at = len(shstrings)
    shstrings += name.encode() + b"\0"
    content = shstrings if content is None else content
    headers += struct.pack("<IIQQQQIIQQ", at, type_, 0, 0, 64 + len(body), len(content), link,
                           info_, align, 24 if type_ in (SYMTAB, RELA) else 0)
    body += b"" if type_ == NOBITS else content
count = len(sections) + 2
with open(out, "wb") as file:
    file.write(struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 1, INTELGT, 1, 0, 0,
                           64 + len(body), 0, 64, 0, 0, 64, count, count - 1) + body + headers)
