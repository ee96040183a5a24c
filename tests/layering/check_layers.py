#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every #include under src/ and tools/ goes down the drawing of the layers.

    check_layers.py ROOT

ROOT is the top of the source tree. Prints each edge that is not in the table and exits 1 if there
is one, or if there was nothing to check.
"""

import os
import re
import sys

# Layer: the layers whose headers it may include, besides its own. The public header is for all.
# Peers do not see each other; `runtime` is handed objects, so it needs no reader of texts, and
# has them verified, which `exec` relies on.
BELOW = {
    "base": (),
    "isa": ("base",),
    "object": ("base", "isa"),
    "text": ("base", "isa", "object"),
    "container": ("base", "isa", "object"),
    "verify": ("base", "isa", "object"),
    "link": ("base", "isa", "object"),
    "exec": ("base", "isa", "object"),
    "jit": ("base", "isa", "object", "exec"),
    "runtime": ("base", "isa", "object", "container", "verify", "exec", "jit"),
    "api": ("base", "isa", "object", "text", "container", "verify", "link", "exec", "jit",
            "runtime"),
    "opencl": ("base",),
    "tools": ("base", "isa", "object", "text", "container", "verify", "link", "exec", "jit",
              "runtime", "api", "opencl"),
}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)


def target_of(root, path, layer, quote, included):
    """The layer an include leads to; None for the public header and for headers of the system."""
    folder, _, rest = included.partition("/")
    if included == "visage/visage.h":
        return None
    if quote == '"' and os.path.exists(os.path.join(os.path.dirname(path), included)):
        return "a path with .." if ".." in included else layer
    if rest and os.path.isdir(os.path.join(root, "src", folder)):
        return folder
    return None if quote == "<" else f'"{included}", which is in no layer'


def check_file(root, path, layer):
    """The findings of one file, and how many includes it has."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    findings = []
    number = 0
    for match in INCLUDE.finditer(text):
        number += 1
        target = target_of(root, path, layer, *match.groups())
        if target in (None, layer) or target in BELOW.get(layer, ()):
            continue
        line = text.count("\n", 0, match.start()) + 1
        where = os.path.relpath(path, root)
        findings.append(f"{where}:{line}: {layer} must not include {target}")
    return findings, number


def check_tree(root):
    """All findings of a source tree."""
    findings = []
    includes = 0
    for top in ("src", "tools"):
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            parts = os.path.relpath(folder, root).split(os.sep)
            layer = "tools" if top == "tools" else (parts + [""])[1]
            sources = sorted(n for n in names if n.endswith((".c", ".h", ".def")))
            if sources and layer not in BELOW:
                findings.append(f"{os.path.join(*parts)}: no row in the table of layers")
            for name in sources:
                found, number = check_file(root, os.path.join(folder, name), layer)
                findings += found
                includes += number
    if not includes:
        findings.append(f"{root}: no #include found, so nothing was checked")
    return findings


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: check_layers.py ROOT")
    findings = check_tree(sys.argv[1])
    for finding in findings:
        print(finding)
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
