#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does the reference GenX_IR list our binaries as we do?

    compare_listings.py VISAGE FOLDER... [--least=N] [--list]

Of each .visaasm, .isa and .zebin under the folders `visage as --layout igc` makes a binary for each
kernel, with the functions of its file; a .isa goes through the documented layout on its way.
GenX_IR, which Intel's Debian package libigc-tools has, reads it and lists it. Its listings are
compared with those of `visage dis`, instruction by instruction, declarations included; of names
only those of labels may differ, as GenX_IR adds numbers to them.

A file's device is a word of its path or name: dg2/a/b.isa, pvc.a.b.visaasm, a.skl.zebin; others are
left out. Of a text fn.NAME.visaasm only the function is taken: it goes with each text beside it
that declares it.

Prints TAP; with --list only what is not equal, and the counts. A file that GenX_IR ends on before
it has listed anything is a skipped test that names it, for that is a defect of GenX_IR, and so is a
crash behind the listings, which are compared all the same. Exit status: 1 where a listing differs,
where visage fails, or where fewer than N files could be compared; 77 where there is no GenX_IR.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

# The device's name in our files and, where it is not the same, in GenX_IR's option. PVC is another
# stepping than the one that the compiler builds for.
DEVICES = {"skl": "SKL", "icllp": "ICLLP", "tgllp": "TGLLP", "xe_hp_sdv": "XeHP_SDV", "dg2": "DG2",
           "pvc": "PVCXT"}
SUFFIXES = (".visaasm", ".isa", ".zebin")
SECONDS = 120
UNIT = re.compile(r'^(?=\.kernel |\.global_function )', re.M)
NAME = re.compile(r'^\.(kernel|global_function) "?([^"\n]*?)"?\s*$', re.M)
LABEL = re.compile(r"^(\S+):$", re.M)
WORD = re.compile(r"[\w.$%]+")


class Failure(Exception):
    """What visage or a comparison did wrong."""


def device_of(path):
    for word in re.split(r"[/.]", path):
        if word in DEVICES:
            return word
    return None


def find_files(folders):
    for folder in folders:
        for top, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                is_function = re.search(r"(^|\.)fn\.[^/]*\.visaasm$", name)
                if name.endswith(SUFFIXES) and not is_function:
                    yield os.path.join(top, name), os.path.join(os.path.relpath(top, folder), name)


# ---- listings ------------------------------------------------------------------------------------

def split_units(text):
    """The kernels and functions of a text, (is it a function, name, text) each."""
    units = []
    for part in UNIT.split(re.sub(r"^\.version .*\n", "", text, flags=re.M)):
        found = NAME.match(part)
        if found:
            units.append((found.group(1) != "kernel", found.group(2), part))
    return units


def normal_lines(text):
    """The lines that count: no comments, one blank for many, labels by the order of their places."""
    # Text in quotes has no comments; LOC and FILE have names in quotes.
    text = re.sub(r'("[^"\n]*")|//[^\n]*', lambda m: m.group(1) or "", text)
    text = re.sub(r"^\.version .*\n", "", text, flags=re.M)
    lines = [" ".join(line.split()) for line in text.splitlines()]
    text = "\n".join(line for line in lines if line)
    labels = {name: f"label{number}" for number, name in enumerate(LABEL.findall(text))}
    return [WORD.sub(lambda m: labels.get(m.group(), m.group()), line)
            for line in text.splitlines()]


def is_instruction(line):
    return not line.startswith(".")


def compare(name, ours, theirs):
    """Returns how many instructions are equal."""
    ours, theirs = normal_lines(ours), normal_lines(theirs)
    for number, (a, b) in enumerate(zip(ours, theirs)):
        if a != b:
            raise Failure(f"{name}, line {number + 1}: visage '{a}', GenX_IR '{b}'")
    if len(ours) != len(theirs):
        raise Failure(f"{name}: {len(ours)} lines of visage, {len(theirs)} of GenX_IR")
    return sum(map(is_instruction, ours))


# ---- programs ------------------------------------------------------------------------------------

def visage(tool, *args):
    done = subprocess.run([tool, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=SECONDS)
    if done.returncode != 0:
        raise Failure(f"visage {args[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode("utf-8", "surrogateescape")


def write(path, text):
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def functions_beside(path, text):
    """The texts of the functions that a text declares, where they lie beside it: those of
    a.b.visaasm are a.b.fn.NAME.visaasm or, for all kernels of a, a.fn.NAME.visaasm."""
    folder, name = os.path.split(path)
    stem = name[:-len(".visaasm")]
    found = []
    for function in re.findall(r'^\.funcdecl "([^"\n]*)"', text, re.M):
        for prefix in (stem + ".", stem.rpartition(".")[0] + "." if "." in stem else ""):
            beside = os.path.join(folder, f"{prefix}fn.{function}.visaasm")
            if os.path.exists(beside):
                found.append(beside)
                break
    return found


def make_binaries(tool, path, folder):
    """Yields the path of a binary for each kernel of the file."""
    binary = os.path.join(folder, "k.isa")
    if path.endswith(".isa"):
        documented = os.path.join(folder, "doc.isa")
        visage(tool, "as", "--layout", "doc", "-o", documented, path)
        visage(tool, "as", "--layout", "igc", "-o", binary, documented)
        yield binary
        return
    if path.endswith(".visaasm"):
        texts = [path] + functions_beside(path, read(path))
        visage(tool, "as", "--layout", "igc", "-o", binary, *texts)
        yield binary
        return
    with open(path, "rb") as file:
        if b".visaasm" not in file.read():
            return # a kernel of the vector backend, whose text lies beside it
    units = split_units(visage(tool, "dis", "--no-comments", path))
    functions = "".join(text for is_function, _, text in units if is_function)
    for is_function, _, text in units:
        if not is_function:
            write(os.path.join(folder, "k.visaasm"), ".version 4.1\n" + text + functions)
            visage(tool, "as", "--layout", "igc", "-o", binary,
                   os.path.join(folder, "k.visaasm"))
            yield binary


def run_reference(genx_ir, binary, device, folder):
    """The listings in the order of the units, and how it ended, "" for well.

    It names its files after the unit's path, which is where we do not want them, or after nothing;
    the kernel's has no suffix, functions have _f0, _f1 ..."""
    os.mkdir(folder)
    command = [genx_ir, binary, "-platform", DEVICES[device], "-dumpcommonisa", "-output",
               "-binary"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, cwd=folder, timeout=SECONDS)
        end = "" if done.returncode == 0 else (
            f"signal {-done.returncode}" if done.returncode < 0 else f"status {done.returncode}")
    except subprocess.TimeoutExpired:
        end = f"still running after {SECONDS} s"
    listings = {}
    for name in os.listdir(folder):
        found = re.match(r"(.*?)(?:_f(\d+))?\.visaasm$", name)
        if found:
            number = -1 if found.group(2) is None else int(found.group(2))
            listings[number] = read(os.path.join(folder, name))
    return [listings[number] for number in sorted(listings)], end


# ---- files ---------------------------------------------------------------------------------------

class Counts:
    def __init__(self):
        self.files = self.units = self.instructions = 0
        self.crashed = []  # (file, what GenX_IR did)


def check_binary(options, binary, device, folder, counts):
    """Returns what GenX_IR did wrong, "" for nothing."""
    units = split_units(visage(options.visage, "dis", binary))
    listings, end = run_reference(options.genx_ir, binary, device, folder)
    if not listings:
        return end or "no listing"
    if len(listings) != len(units):
        # It stops before the unit it cannot digest; what comes before was listed.
        if not end:
            raise Failure(f"{len(units)} units of visage, {len(listings)} of GenX_IR")
        units = units[:len(listings)]
    for (_, name, ours), theirs in zip(units, listings):
        counts.instructions += compare(name, ours, theirs)
        counts.units += 1
    return f"{end} behind the listings" if end else ""


def check_file(options, path, device, counts):
    """Returns what GenX_IR did wrong, "" for nothing, and whether anything was compared."""
    ends = []
    before = counts.units
    with tempfile.TemporaryDirectory() as folder:
        for number, binary in enumerate(make_binaries(options.visage, path, folder)):
            end = check_binary(options, binary, device, os.path.join(folder, str(number)), counts)
            if end:
                ends.append(end)
    return ", ".join(ends), counts.units > before


def main():
    parser = argparse.ArgumentParser(description="Compares GenX_IR's listings with ours.")
    parser.add_argument("visage", type=os.path.abspath)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--least", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    options.genx_ir = shutil.which("GenX_IR")
    if not options.genx_ir:
        print("no GenX_IR (Debian: libigc-tools)")
        return 77
    counts = Counts()
    failed = number = 0
    for path, name in find_files(options.folders):
        device = device_of(name) or device_of(path)
        if not device:
            continue
        number += 1
        units, instructions = counts.units, counts.instructions
        try:
            end, compared = check_file(options, path, device, counts)
        except Failure as failure:
            failed += 1
            print(f"not ok {number} - {name}\n# {failure}", flush=True)
            continue
        counts.files += compared
        told = f"{counts.units - units} units, {counts.instructions - instructions} instructions"
        if end:
            counts.crashed.append((name, end))
        if not compared and not end:
            print(f"ok {number} - {name} # skip no text in it", flush=True)
        elif not compared:
            print(f"ok {number} - {name} # skip GenX_IR: {end}", flush=True)
        elif not options.list or end:
            print(f"ok {number} - {name}: {told} equal", flush=True)
    for name, end in counts.crashed:
        print(f"# GenX_IR on {name}: {end}")
    print(f"# {counts.files} of {number} files: {counts.units} units, "
          f"{counts.instructions} instructions are equal")
    number += 1
    enough = counts.files >= options.least
    print(f"{'ok' if enough else 'not ok'} {number} - at least {options.least} files compared")
    print(f"1..{number}")
    return 0 if enough and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
