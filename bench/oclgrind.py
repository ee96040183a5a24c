# SPDX-License-Identifier: MIT
"""The reference interpreter beside Oclgrind, an interpreter of OpenCL kernels.

Both run the kernels of kernels.def from the same sources: visage what Intel's compiler makes of
them for dg2 and for pvc, without and with --check; Oclgrind what its own compiler makes, with its
default checks. Each has one worker thread, and times are processor time, user and system, of the
whole process around a launch.

Two launches are timed, over the whole range and over a quarter of it, and the time of a work-item
is the difference by the difference in work-items: compilation, and whatever a launch costs once,
is in neither. A round measures everything in turn; medians over the rounds count.

Buffers are compared after a launch over the whole range; a difference beyond what kernels.def
allows ends the measurement. The device that counts is the one with the smaller geometric mean of
ratios, for runs with and without --check each.
"""

import array
import json
import math
import os
import re
import statistics
import struct
import subprocess
import sys

DEVICES = ("dg2", "pvc")
RUNS = tuple((device, check) for check in (False, True) for device in DEVICES)
AIMS = {False: 50, True: 10}
CODES = {"f32": "f", "f64": "d", "i8": "b", "u8": "B", "i32": "i", "u32": "I"}


def kernels(here, table="kernels.def"):
    """The rows of a table: what compares and shows needs of them."""
    rows = []
    with open(os.path.join(here, table), encoding="utf-8") as file:
        for line in file:
            if not line.startswith("KERNEL("):
                continue
            fields, args = line[len("KERNEL("):].split('"', 1)
            name, kernel, *numbers = [field.strip() for field in fields.strip(", ").split(",")]
            sizes = [int(number) for number in numbers[:4]]
            rows.append({"file": name, "kernel": kernel, "global": sizes[:2], "local": sizes[2:],
                         "error": float(numbers[4]),
                         "buffers": [(kind, int(count)) for kind, count in
                                     re.findall(r"(\w+)\*(\d+) ", '"' + args)]})
    return rows


class Program:
    """bench_visage or bench_opencl at work, which waits for a line before each round."""

    def __init__(self, *command):
        self.command = command
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.line()

    def line(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{' '.join(self.command)} has ended with status {self.process.wait()}")
        return json.loads(line)

    def round(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        times = self.line()
        return times["whole"] - times["quarter"]

    def close(self):
        self.process.communicate()
        if self.process.returncode:
            sys.exit(f"{' '.join(self.command)} has ended with status {self.process.returncode}")


def compile_file(source, device, folder):
    """Its zebin. The compiler leaves listings where it runs."""
    name = f"{os.path.splitext(os.path.basename(source))[0]}.{device}.zebin"
    result = subprocess.run(
        ["ocloc", "compile", "-q", "-file", source, "-device", device, "--format", "zebin",
         "-output", name, "-output_no_suffix", "-options", "-cl-std=CL1.2",
         "-internal_options", "-ze-emit-zebin-visa-sections"],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    path = os.path.join(folder, name)
    if result.returncode or not os.path.exists(path):
        sys.exit(f"{source} does not compile for {device}:\n{result.stdout}")
    return path


def numbers(data, kind):
    if kind == "f16":
        return struct.unpack(f"<{len(data) // 2}e", data)
    return array.array(CODES[kind], data)


def compare(row, path, reference, whose="Oclgrind"):
    """Says where two outputs differ by more than they may."""
    with open(path, "rb") as one, open(reference, "rb") as other:
        for kind, count in row["buffers"]:
            size = count * int(kind[1:]) // 8
            got, wanted = one.read(size), other.read(size)
            if got == wanted and len(got) == size:
                continue
            error = row["error"] if kind[0] == "f" else 0
            for i, (a, b) in enumerate(zip(numbers(got, kind), numbers(wanted, kind))):
                if not abs(a - b) <= error * max(1, abs(b)):
                    sys.exit(f"{row['kernel']}: {path}: {kind} {i} is {a}, {whose} has {b}")


def measure_kernel(row, options, here, folder, zebins):
    source = os.path.join(here, "kernels", row["file"] + ".cl")
    outputs = {run: os.path.join(folder, f"{row['kernel']}.{run[0]}{'.check' * run[1]}.out")
               for run in RUNS}
    reference = os.path.join(folder, row["kernel"] + ".oclgrind.out")
    programs = {run: Program(os.path.join(options.build, "bench_visage"),
                             *["--check"] * run[1], zebins[row["file"], run[0]], row["kernel"],
                             outputs[run])
                for run in RUNS}
    # Oclgrind catches what would come from elsewhere, too.
    programs["oclgrind"] = Program("oclgrind", "--num-threads", "1",
                                   os.path.join(options.build, "bench_opencl"), source,
                                   row["kernel"], reference)
    rounds = [{run: program.round() for run, program in programs.items()}
              for _ in range(options.rounds)]
    for program in programs.values():
        program.close()
    for output in outputs.values():
        compare(row, output, reference)
    items = row["global"][0] * row["global"][1] * 3 / 4
    return {run: statistics.median(times[run] for times in rounds) / items * 1e9
            for run in programs}


def key(run):
    return run[0] + ("_check" if run[1] else "")


def mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def measure(options):
    here = os.path.dirname(os.path.abspath(__file__))
    folder = os.path.join(options.build, "bench")
    os.makedirs(folder, exist_ok=True)
    rows = kernels(here)
    zebins = {(name, device): compile_file(os.path.join(here, "kernels", name + ".cl"), device,
                                           folder)
              for name in sorted({row["file"] for row in rows}) for device in DEVICES}
    results = []
    for row in rows:
        times = measure_kernel(row, options, here, folder, zebins)
        result = {"kernel": row["kernel"], "global": row["global"], "local": row["local"],
                  "oclgrind_ns": times["oclgrind"]}
        for run in RUNS:
            # A launch that is not measurably longer over the whole range than over a quarter.
            spent = max(times[run], 1e-6)
            result[key(run) + "_ns"] = times[run]
            result[key(run) + "_ratio"] = times["oclgrind"] / spent
        results.append(result)
    means = {key(run): mean(result[key(run) + "_ratio"] for result in results) for run in RUNS}
    return {"kernels": results, "means": means,
            "counts": {"plain": min(means[device] for device in DEVICES),
                       "check": min(means[device + "_check"] for device in DEVICES)},
            "aims": {"plain": AIMS[False], "check": AIMS[True]}}


def show(results):
    print(f"oclgrind: {len(results['kernels'])} kernels, ns of processor time per work-item and "
          "how often that goes into Oclgrind's")
    print(f"{'kernel':14}{'work-items':>12}{'group':>8}{'Oclgrind':>10}"
          + "".join(f"{key(run).replace('_', ' '):>19}" for run in RUNS))
    for row in results["kernels"]:
        sizes = ["x".join(str(n) for n in row[name] if n > 1) for name in ("global", "local")]
        print(f"{row['kernel']:14}{sizes[0]:>12}{sizes[1]:>8}{row['oclgrind_ns']:10.0f}"
              + "".join(f"{row[key(run) + '_ns']:11.1f}{row[key(run) + '_ratio']:7.1f}x"
                        for run in RUNS))
    print(f"{'geometric mean':44}"
          + "".join(f"{'':11}{results['means'][key(run)]:7.1f}x" for run in RUNS))
    counts, aims = results["counts"], results["aims"]
    print(f"what counts, the device with the smaller mean: {counts['plain']:.1f} times less "
          f"(aim: {aims['plain']}), with --check {counts['check']:.1f} times less "
          f"(aim: {aims['check']})")
