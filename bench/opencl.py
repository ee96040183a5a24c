# SPDX-License-Identifier: MIT
"""visage's JIT beside PoCL, an OpenCL driver that compiles for the processor, C, and Oclgrind.

All run the kernels of large.def: visage what Intel's compiler makes of the sources for dg2 and for
pvc, PoCL what it makes itself with each of its work-group methods, and native/ has the same
algorithms in C. A round runs all programs of a kernel in turn; medians over the rounds count.
Processor time is user and system time of the whole process, its threads and children, for a
launch on both cores; the device and the method with the least count, the others are in the
results. Where memory bounds, STREAM's triad has its turn in each round, too: how fast memory is
changes with what else uses it. Scaling is by the least time on the wall on one core and on both;
beside it stands that of additions, since two cores of a machine may be one that two threads share.

Compile time is the processor time of a launch of eight groups, the first less the second: of visage
with an empty cache, the least of as many as PoCL has methods, and with what that left there; of
PoCL without its cache, by the method that compiles quickest. What came before, the vISA text read
and PoCL's front end, is in `open`.

Buffers after a launch are compared with those of PoCL; what differs by more than large.def allows
is reported. Oclgrind runs the small sizes of kernels.def and small.def, beside visage's JIT at
those sizes.

The environment's KERNELS has names of kernels, to measure no others. bench_unchecked is visage with
compiled code that checks nothing: the cost of the checks is what it is quicker by.
"""

import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

import goals
import oclgrind
import plot

METHODS = ("loopvec", "workitemloops", "workitemrepl")
ICD = "/etc/OpenCL/vendors/pocl.icd"
# Bytes that a work-item reads and writes of buffers which no cache holds, counted as STREAM does.
STREAMED = {"saxpy": 12, "triad": 12, "stencil": 8, "bitonic": 16}
CORES = 2
WITHOUT = {"double": ("dg2",)}  # devices that cannot have a file's kernels


class Program(oclgrind.Program):
    """One that is told to leave out the quarter, in an environment of its own."""

    def __init__(self, env, *command):
        saved = dict(os.environ)
        os.environ.update(env)
        try:
            self.opened = None
            self.rounds = []
            super().__init__(*command)
        finally:
            os.environ.clear()
            os.environ.update(saved)

    def line(self):
        line = super().line()
        self.opened = self.opened or line
        return line

    def round(self):
        self.process.stdin.write("w\n")
        self.process.stdin.flush()
        self.rounds.append(self.line())

    def result(self):
        return {"cpu": statistics.median(times["whole"] for times in self.rounds),
                "wall": statistics.median(times["wall"] for times in self.rounds),
                "least_wall": min(times["wall"] for times in self.rounds), **self.opened}


class Bench:
    """Where things are, and how the programs are started."""

    def __init__(self, options):
        self.options = options
        self.here = os.path.dirname(os.path.abspath(__file__))
        self.folder = tempfile.mkdtemp(prefix="opencl-", dir=options.build)
        self.zebins = {}
        self.native = os.path.join(options.build, "bench_native")
        self.has_native = os.path.exists(self.native)
        self.has_unchecked = os.path.exists(os.path.join(options.build, "bench_unchecked"))
        self.has_oclgrind = shutil.which("oclgrind") is not None

    def zebin(self, row, device):
        key = row["file"], device
        if key not in self.zebins:
            self.zebins[key] = oclgrind.compile_file(self.source(row), device, self.folder)
        return self.zebins[key]

    def source(self, row):
        return os.path.join(self.here, "kernels", row["file"] + ".cl")

    def output(self, row, run):
        return os.path.join(self.folder, f"{row['kernel']}.{run.replace('/', '.')}.out")

    def visage(self, row, run, name, jobs, program="bench_visage", cache=None):
        # What is kept on disk does not tell of which of the programs it is.
        return Program({"VISAGE_CACHE_DIR": os.path.join(self.folder, cache or program)},
                       os.path.join(self.options.build, program), "--jit", f"--jobs={jobs}",
                       self.zebin(row, run.split("/")[0]), name, self.output(row, run))

    def compile_again(self, row, device, name):
        """Processor time, with a cache that is empty again."""
        with tempfile.TemporaryDirectory(dir=self.folder) as cache:
            program = self.visage(row, device, name, CORES, cache=os.path.basename(cache))
            program.close()
        return program.opened["compile"]

    def driver(self, row, run, device, name):
        """visage's OpenCL driver, by the JIT."""
        return Program({"VISAGE_CACHE_DIR": os.path.join(self.folder, "cache"),
                        "VISAGE_ENGINE": "jit", "VISAGE_DEVICES": device,
                        "VISAGE_JOBS": str(CORES),
                        "OCL_ICD_VENDORS": os.path.join(self.options.build, "visage.icd")},
                       os.path.join(self.options.build, "bench_opencl"), self.source(row), name,
                       self.output(row, run))

    def pocl(self, row, method, name, *under):
        """under: a command that runs what is behind it."""
        return Program({"OCL_ICD_VENDORS": ICD, "POCL_WORK_GROUP_METHOD": method,
                        "POCL_KERNEL_CACHE": "0", "POCL_MAX_PTHREAD_COUNT": str(CORES)},
                       *under, os.path.join(self.options.build, "bench_opencl"), self.source(row), name,
                       self.output(row, method))

    def in_c(self, row, run, jobs):
        return Program({"OMP_WAIT_POLICY": "passive"}, self.native, f"--jobs={jobs}",
                       "large/" + row["kernel"], self.output(row, run))

    def start(self, row):
        """Programs by name. Those of one core come after the others, whose code they find."""
        name = "large/" + row["kernel"]
        programs = {}
        for device in devices_of(row):
            program = programs[device] = self.visage(row, device, name, CORES)
            program.opened["compile"] = min(
                [program.opened["compile"]] +
                [self.compile_again(row, device, name) for _ in METHODS[1:]])
            programs[device + "/1"] = self.visage(row, device + "/1", name, 1)
            if self.has_unchecked:
                run = device + "/unchecked"
                programs[run] = self.visage(row, run, name, CORES, "bench_unchecked")
        for method in METHODS:
            programs[method] = self.pocl(row, method, name)
        if self.has_native and row["kernel"] in self.natives():
            programs["native"] = self.in_c(row, "native", CORES)
            programs["native/1"] = self.in_c(row, "native/1", 1)
        return programs

    def natives(self):
        with open(os.path.join(self.here, "native", "natives.def"), encoding="utf-8") as file:
            return {line[len("NATIVE("):].split(",")[0] for line in file
                    if line.startswith("NATIVE(")}

    def differences(self, row, runs, reference, whose):
        found = []
        for run in runs:
            try:
                oclgrind.compare(row, self.output(row, run), self.output(row, reference), whose)
            except SystemExit as difference:
                found.append(str(difference).replace(self.folder + os.sep, ""))
        return found

    def ask_native(self, jobs, what):
        env = dict(os.environ, OMP_WAIT_POLICY="passive")
        return json.loads(subprocess.check_output([self.native, f"--jobs={jobs}", what], env=env))

    def stream_on(self, jobs):
        return self.ask_native(jobs, "--stream")

    def additions(self):
        """How many more all cores do in a second than one."""
        if not self.has_native:
            return None
        return (self.ask_native(CORES, "--units")["additions"]
                / self.ask_native(1, "--units")["additions"])

    def stream(self):
        if not self.has_native:
            return None
        return {str(jobs): self.stream_on(jobs) for jobs in (1, CORES)}

    def small(self, row, device):
        """Seconds of processor time of a small launch, Oclgrind's and visage's."""
        if not row or not self.has_oclgrind:
            return None
        run, name = device + "/small", row["table"] + row["kernel"]
        output = self.output(row, "oclgrind")
        programs = {run: self.visage(row, run, name, CORES),
                    "oclgrind": Program({}, "oclgrind",
                                        os.path.join(self.options.build, "bench_opencl"),
                                        self.source(row), name, output)}
        for program in programs.values():
            program.round()
            program.close()
        results = {"oclgrind": programs["oclgrind"].result()["cpu"],
                   "visage": programs[run].result()["cpu"],
                   "differences": self.differences(row, [run], "oclgrind", "Oclgrind")}
        remove(output, self.output(row, run))
        return results


def remove(*paths):
    for path in paths:
        with contextlib.suppress(OSError):
            os.remove(path)


def devices_of(row):
    return [device for device in oclgrind.DEVICES if device not in WITHOUT.get(row["file"], ())]


def rows_of(here, table):
    rows = oclgrind.kernels(here, table + ".def")
    for row in rows:
        row["table"] = "" if table == "kernels" else table + "/"
    wanted = os.environ.get("KERNELS", "").split()
    return [row for row in rows if not wanted or row["kernel"] in wanted]


def higher(one, other):
    """Of two measurements of memory the higher rates: other programs may have disturbed one."""
    return one and {jobs: {loop: max(rate, other[jobs][loop]) for loop, rate in rates.items()}
                    for jobs, rates in one.items()}


def measure_table(options, table, measure_row, print_row):
    """Results of `measure_row(bench, row)` for each row of a table, told of as they come."""
    if not os.path.exists(ICD):
        sys.exit("PoCL is not installed: " + ICD)
    bench = Bench(options)
    results = []
    try:
        for row in rows_of(bench.here, table):
            results.append(measure_row(bench, row))
            print_row(results[-1], sys.stderr)
    finally:
        shutil.rmtree(bench.folder)
    return results


def take_turns(programs, rounds):
    """By name, what comes of rounds in which programs take turns."""
    for _ in range(rounds):
        for program in programs.values():
            program.round()
    for program in programs.values():
        program.close()
    return {run: program.result() for run, program in programs.items()}


def best(runs, names):
    return min(names, key=lambda name: runs[name]["cpu"])


def measure_kernel(bench, row, small):
    programs = bench.start(row)
    triads = []
    for _ in range(bench.options.rounds):
        for program in programs.values():
            program.round()
        if bench.has_native and row["kernel"] in STREAMED:
            triads.append(bench.stream_on(CORES)["triad"])
    for program in programs.values():
        program.close()
    runs = {run: program.result() for run, program in programs.items()}
    outputs = [run for run in runs if run != METHODS[0]]
    differences = bench.differences(row, outputs, METHODS[0], "PoCL's " + METHODS[0])
    remove(*(bench.output(row, run) for run in runs))
    device, method = best(runs, devices_of(row)), best(runs, METHODS)
    return {"kernel": row["kernel"], "device": device, "method": method, "runs": runs,
            "differences": differences, "small": bench.small(small, device),
            "triad": statistics.median(triads) if triads else None,
            **figures(row, runs, device, method)}


def figures(row, runs, device, method):
    """What the goals are about, None where it was not measured."""
    mine = runs[device]
    native, unchecked = runs.get("native"), runs.get(device + "/unchecked")
    items = row["global"][0] * row["global"][1]
    # By processor time of a core, as that of STREAM is.
    rate = STREAMED[row["kernel"]] * items * CORES if row["kernel"] in STREAMED else None
    return {"ratio": runs[method]["cpu"] / mine["cpu"],
            "wall_ratio": runs[method]["wall"] / mine["wall"],
            "native_ratio": native and native["cpu"] / mine["cpu"],
            "native_wall_ratio": native and native["wall"] / mine["wall"],
            "scaling": runs[device + "/1"]["least_wall"] / mine["least_wall"],
            "native_scaling": native and runs["native/1"]["least_wall"] / native["least_wall"],
            "compile": mine["compile"], "cached": runs[device + "/1"]["compile"],
            "pocl_compile": min(runs[name]["compile"] for name in METHODS),
            "pocl_open": runs[method]["open"],
            "resident": max(runs[run]["resident"] for run in runs if run in oclgrind.DEVICES),
            "bandwidth": rate and rate / mine["cpu"],
            "native_bandwidth": rate and native and rate / native["cpu"],
            "pocl_bandwidth": rate and rate / runs[method]["cpu"],
            "checks": unchecked and mine["cpu"] / unchecked["cpu"] - 1}


def measure(options):
    if not os.path.exists(ICD):
        sys.exit("PoCL is not installed: " + ICD)
    bench = Bench(options)
    try:
        small = {row["kernel"]: row for table in ("kernels", "small")
                 for row in rows_of(bench.here, table)}
        results = {"cores": CORES, "kernels": []}
        before = bench.stream()
        for row in rows_of(bench.here, "large"):
            results["kernels"].append(measure_kernel(bench, row, small.get(row["kernel"])))
            goals.print_row(results["kernels"][-1], sys.stderr)
        results["stream"] = higher(before, bench.stream())
        results["additions"] = bench.additions()
    finally:
        shutil.rmtree(bench.folder)
    results["means"] = goals.means(results)
    results["goals"] = goals.judge(results)
    with open(options.plot, "w", encoding="utf-8") as file:
        file.write(plot.draw(results))
    results["plot"] = options.plot
    return results


def show(results):
    goals.show(results)
