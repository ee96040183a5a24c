# SPDX-License-Identifier: MIT
"""Kernels on images: visage's OpenCL driver beside PoCL.

The kernels of images.def, from source: for dg2, since pvc has no images, by the JIT, and by PoCL
with each of its work-group methods, of which the quickest counts. Rounds take turns, medians
count; processor time of the whole process around a launch on both cores, for each texel that is
sampled or copied. What both have written is compared.

The environment's KERNELS has names of kernels, to measure no others.
"""

import sys

import oclgrind
import opencl

DEVICE = "dg2"
SAMPLES = 8  # of a work-item, but for copies


def programs_of(bench, row):
    name = "images/" + row["kernel"]
    programs = {"visage": bench.driver(row, "visage", DEVICE, name)}
    for method in opencl.METHODS:
        programs[method] = bench.pocl(row, method, name)
    return programs


def measure_kernel(bench, row):
    programs = programs_of(bench, row)
    runs = opencl.take_turns(programs, bench.options.rounds)
    method = opencl.best(runs, opencl.METHODS)
    differences = bench.differences(row, ["visage"], method, "PoCL's " + method)
    opencl.remove(*(bench.output(row, run) for run in runs))
    texels = row["global"][0] * row["global"][1]
    texels *= 1 if row["kernel"].startswith("copy") else SAMPLES
    return {"kernel": row["kernel"], "method": method, "differences": differences,
            "visage": runs["visage"]["cpu"] / texels, "pocl": runs[method]["cpu"] / texels,
            "ratio": runs[method]["cpu"] / runs["visage"]["cpu"]}


def measure(options):
    results = opencl.measure_table(options, "images", measure_kernel, print_row)
    return {"kernels": results, "mean": oclgrind.mean(row["ratio"] for row in results)}


def print_row(row, file):
    print(f"{row['kernel']:16}{row['visage'] * 1e9:8.1f}{row['pocl'] * 1e9:8.1f}"
          f"{row['method']:>15}{row['ratio']:8.2f}{'  DIFFERS' if row['differences'] else ''}",
          file=file, flush=True)


def show(results):
    print("images: ns of processor time a texel through the OpenCL driver, for dg2, and by PoCL's "
          "best method;\nhow often the one goes into the other")
    print(f"{'kernel':16}{'visage':>8}{'PoCL':>8}{'method':>15}{'PoCL/':>8}")
    for row in results["kernels"]:
        print_row(row, sys.stdout)
        for difference in row["differences"]:
            print("  " + difference)
    print(f"geometric mean: {results['mean']:.2f}")
