#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every C file of the tree is compiled: the build lists files by name, so one that
was forgotten, a test above all, would be missed by nobody.

    check_listed.py ROOT BUILD

Prints each file that neither BUILD/compile_commands.json nor, for parts that this build leaves
out, the CMakeLists.txt beside it names, and exits 1 if there is one.
"""

import json
import os
import re
import sys


def named_beside(path):
    """Does the CMakeLists.txt of a file's folder name it?"""
    lists = os.path.join(os.path.dirname(path), "CMakeLists.txt")
    if not os.path.exists(lists):
        return False
    with open(lists, encoding="utf-8") as file:
        return os.path.basename(path) in re.split(r"[\s()]+", file.read())


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: check_listed.py ROOT BUILD")
    root, build = map(os.path.abspath, sys.argv[1:])
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        compiled = {os.path.normpath(os.path.join(c["directory"], c["file"]))
                    for c in json.load(file)}
    missing = []
    for top in ("src", "tools", "examples", "tests"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            paths = [os.path.join(folder, name) for name in names if name.endswith(".c")]
            missing += [path for path in paths
                        if path not in compiled and not named_beside(path)]
    for path in sorted(missing):
        print(f"{os.path.relpath(path, root)}: in no CMakeLists.txt")
    sys.exit(1 if missing or not compiled else 0)


if __name__ == "__main__":
    main()
