# SPDX-License-Identifier: MIT
"""Kernels as programs have them: visage's OpenCL driver beside PoCL.

The kernels of others.def, from source: by the JIT for pvc and for skl, whose messages to memory
are of different kinds, and by PoCL with each of its work-group methods, of which the quickest
counts. Rounds take turns, medians count; processor time of the whole process around a launch on
both cores. What they have written is compared.

A method that has not compiled a kernel and run it in LIMIT seconds of processor time is left out.

The environment's KERNELS has names of kernels, to measure no others.
"""

import contextlib
import sys

import oclgrind
import opencl

DEVICES = ("pvc", "skl")
LIMIT = 60


def start(bench, row):
    name = "others/" + row["kernel"]
    programs = {device: bench.driver(row, device, device, name) for device in DEVICES}
    for method in opencl.METHODS:
        with contextlib.suppress(SystemExit):
            programs[method] = bench.pocl(row, method, name, "prlimit", f"--cpu={LIMIT}")
    if len(programs) == len(DEVICES):
        sys.exit(f"PoCL has not compiled and run {row['kernel']} in {LIMIT} s by any method")
    return programs


def measure_kernel(bench, row):
    programs = start(bench, row)
    methods = [method for method in opencl.METHODS if method in programs]
    runs = opencl.take_turns(programs, bench.options.rounds)
    method = opencl.best(runs, methods)
    differences = bench.differences(row, DEVICES, method, "PoCL's " + method)
    opencl.remove(*(bench.output(row, run) for run in runs))
    return {"kernel": row["kernel"], "method": method, "runs": runs, "differences": differences,
            "ratios": {device: runs[method]["cpu"] / runs[device]["cpu"] for device in DEVICES}}


def measure(options):
    results = opencl.measure_table(options, "others", measure_kernel, print_row)
    return {"kernels": results,
            "means": {device: oclgrind.mean(row["ratios"][device] for row in results)
                      for device in DEVICES}}


def print_row(row, file):
    times = (row["runs"][run]["cpu"] * 1e3 for run in (*DEVICES, row["method"]))
    print(f"{row['kernel']:20}" + "".join(f"{time:10.3f}" for time in times)
          + f"{row['method']:>15}" + "".join(f"{ratio:10.2f}" for ratio in row["ratios"].values())
          + ("  DIFFERS" if row["differences"] else ""), file=file, flush=True)


def show(results):
    print("others: ms of processor time a launch through the OpenCL driver and by PoCL's best "
          "method;\nhow often the ones go into the other")
    print(f"{'kernel':20}" + "".join(f"{name:>10}" for name in (*DEVICES, "PoCL"))
          + f"{'method':>15}" + "".join(f"{'PoCL/' + name:>10}" for name in DEVICES))
    for row in results["kernels"]:
        print_row(row, sys.stdout)
        for difference in row["differences"]:
            print("  " + difference)
    for device, mean in results["means"].items():
        slower = sum(row["ratios"][device] < 1 for row in results["kernels"])
        print(f"{device}: geometric mean {mean:.2f}, {slower} of {len(results['kernels'])} slower "
              "than PoCL")
