#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the programs of a build folder that was configured with VISAGE_BENCH=ON.

    bench/run.py BUILD [PART]... [--corpus=DIR] [--rounds=N] [--json=FILE] [--plot=FILE]

A part is a module beside this file with `measure(options)`, which returns its results as what
JSON can hold, and `show(results)`, which prints them. Without a PART all of them run. --json
writes the results of all parts to a file (`-`: to standard output, and nothing else there).
"""

import argparse
import contextlib
import json
import os
import platform
import sys

import driver
import formats
import growth
import images
import oclgrind
import opencl
import others

PARTS = {"formats": formats, "oclgrind": oclgrind, "opencl": opencl, "driver": driver,
         "images": images, "others": others, "growth": growth}


def processor():
    with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", help="build folder")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--corpus", default="", help="folder of .visaasm files to measure with")
    parser.add_argument("--rounds", type=int, default=5, help="measurements, whose median counts")
    parser.add_argument("--json", default="", help="file for the results")
    parser.add_argument("--plot", default="", help="file for the plot of opencl, an SVG; else in "
                        "the build folder")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    options.plot = options.plot or os.path.join(options.build, "opencl.svg")
    options.data = os.path.join(os.path.dirname(here), "tests", "data")
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown or options.rounds < 1:
        parser.error(f"no part {unknown[0]}" if unknown else "--rounds must be 1 or more")
    results = {"processor": processor(), "rounds": options.rounds}
    for part in options.parts or PARTS:
        results[part] = PARTS[part].measure(options)
        if options.json != "-":
            PARTS[part].show(results[part])
    if options.json:
        text = json.dumps(results, indent=2) + "\n"
        if options.json == "-":
            sys.stdout.write(text)
        else:
            with open(options.json, "w", encoding="utf-8") as file:
                file.write(text)


if __name__ == "__main__":
    main()
