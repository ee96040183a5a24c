# SPDX-License-Identifier: MIT
"""Kernels of a file beside this one, compiled and run many times: SCRIPT SCRATCH-FOLDER RUNS...

RUNS is the command of tests/harness/visage-runs.c."""

import os
import re
import subprocess
import sys

FOLDER, *RUNS = sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))
LOCAL = 64
SERVER = subprocess.Popen(RUNS, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def run_visage(*words):
    """`visage run` with these words: exit status, what was said."""
    SERVER.stdin.write("\t".join(words).encode() + b"\n")
    SERVER.stdin.flush()
    line = SERVER.stdout.readline().split()
    if len(line) != 2:
        sys.exit(f"ended with {SERVER.wait()} at: {' '.join(words)}")
    return int(line[0]), SERVER.stdout.read(int(line[1])).decode()


def compile_for(device, source, options=()):
    """With options, each makes part of the name: SOURCE OPTION ... .DEVICE.zebin"""
    name = f"{''.join((source, *options))}.{device}.zebin"
    subprocess.run(["ocloc", "compile", "-q", "-file", os.path.join(HERE, f"{source}.cl"), "-device",
                    device, "--format", "zebin", "-output", name, "-output_no_suffix", "-options",
                    " ".join(("-cl-std=CL2.0", *options)), "-internal_options", "-ze-emit-zebin-visa-sections"],
                   cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)
    return os.path.join(FOLDER, name)


def launch_over(zebin, engine, kernel, ranges, out, *args, options=()):
    """Of the global and the local size, into that buffer: exit status, the bytes written, what was
    said."""
    path = os.path.join(FOLDER, f"{engine}.raw")
    status, said = run_visage(
        zebin, kernel, "-g", ranges[0], "-l", ranges[1], "--engine", engine, "--stats", *options,
        "-a", f"{out}:out={path}", *(word for arg in args for word in ("-a", arg)))
    data = b""
    if os.path.exists(path):
        with open(path, "rb") as file:
            data = file.read()
        os.remove(path)
    return status, data, said


def launch(zebin, engine, kernel, size, written, *args, options=()):
    """Exit status, the bytes written, what was said."""
    return launch_over(zebin, engine, kernel, (str(size), str(LOCAL)),
                       f"buf:u32:{written}:zero", *args, options=options)


def run(*what, options=()):
    """Exit status, the bytes written, the fault."""
    status, data, said = launch(*what, options=options)
    # Which channel and how long the access is told to be is the engines' own affair.
    fault = re.search(r"error: .*(read|write).* is outside", said)
    return status, data, fault and fault.group(1)
