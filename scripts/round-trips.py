#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts how many files of a folder come back the same on each path between text and binaries.

    round-trips.py VISAGE FOLDER [--list]

FOLDER is searched for .isa (compiler's layout, as it writes them) and
.visaasm files. --list names those that differ. Exits 1 when there was nothing to compare.
Binaries are compared byte for byte, GEN code left out where the path goes through text; texts
but for comments and blanks.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//.*|/\*.*?\*/', re.S)


class Tool:
    def __init__(self, visage, folder):
        self.visage = visage
        self.folder = pathlib.Path(folder)  # for what is made

    def run(self, *args):
        """What a command writes to stdout; None where it fails."""
        done = subprocess.run([self.visage, *map(str, args)], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
        return done.stdout if done.returncode == 0 else None

    def keep(self, name, data):
        path = self.folder / name
        path.write_bytes(data or b"")
        return path

    def make(self, path, layout):
        """A binary of a file."""
        return self.keep(f"{layout}.isa", self.run("as", "--layout", layout, path))

    def text(self, path, *options):
        return self.keep("t.visaasm", self.run("dis", *options, path))


def words(data):
    text = data.decode("utf-8", "surrogateescape")
    return COMMENT.sub(lambda m: m.group(1) or " ", text).split()


def same_text(a, b):
    return bool(a) and bool(b) and words(a) == words(b)


def of_binary(tool, path):
    """Name of a path and whether the binary came back."""
    whole = path.read_bytes()
    yield "isa > igc", tool.make(path, "igc").read_bytes() == whole
    yield "isa > doc > igc", tool.make(tool.make(path, "doc"), "igc").read_bytes() == whole
    text = tool.text(path, "--all-attributes")
    back = tool.make(text, "igc").read_bytes()
    yield "isa > dis --all-attributes > as igc", bool(back) and objects(back) == objects(whole)


def objects(data):
    """Names and bytes of the kernels and functions: GEN binaries, which no text has, leave traces
    only in the header (object-format, common_isa_header)."""
    at = 6

    def number(size):
        nonlocal at
        at += size
        return int.from_bytes(data[at - size:at], "little")

    def entry(is_kernel):
        nonlocal at
        name = data[at + 2:at + 2 + number(2)]
        at += len(name)
        begin, size = number(4), number(4)
        at += 4 if is_kernel else 0  # input_offset
        for _ in range(2):  # relocations of variables and functions
            at += 4 * number(2)
        if is_kernel:
            at += 9 * number(1)
        return name, data[begin:begin + size]

    found = [entry(True) for _ in range(number(2))]
    assert number(2) == 0, "file-scope variables: the compiler has none"
    for _ in range(number(2)):
        at += 1  # linkage
        found.append(entry(False))
    return found


def of_text(tool, path):
    whole = path.read_bytes()
    yield "text > dis", same_text(tool.text(path).read_bytes(), whole)
    for layout in ("igc", "doc"):
        made = tool.make(path, layout)
        yield f"text > {layout} > dis", same_text(tool.text(made).read_bytes(), whole)
    igc = tool.make(path, "igc").read_bytes()
    yield "text > doc > igc = text > igc", tool.make(tool.make(path, "doc"),
                                                     "igc").read_bytes() == igc


def main():
    visage, folder = sys.argv[1:3]
    counts = {}
    with tempfile.TemporaryDirectory() as scratch:
        tool = Tool(visage, scratch)
        for suffix, paths in ((".isa", of_binary), (".visaasm", of_text)):
            for path in sorted(pathlib.Path(folder).rglob("*" + suffix)):
                for name, good in paths(tool, path):
                    equal, total = counts.get(name, (0, 0))
                    counts[name] = (equal + good, total + 1)
                    if not good and "--list" in sys.argv:
                        print(f"{name}: {path}")
    for name, (equal, total) in counts.items():
        print(f"{equal:5} of {total:5}  {name}")
    return 0 if counts else 1


sys.exit(main())
