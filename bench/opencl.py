# SPDX-License-Identifier: MIT
"""visage's JIT beside PoCL, an OpenCL driver that compiles for the processor.

Both run the kernels of large.def from the same sources: visage what Intel's compiler makes of them
for dg2 and for pvc, PoCL what it makes itself with each of its work-group methods. Every program
runs on one core and, as its own process, on two. A round runs all programs of a kernel in turn;
medians over the rounds count: processor time (user and system, of the whole process) and time on
the wall of a launch. The device and the method with the least processor time count, the others
are in the results.

Compile time is the processor time of the first launch beyond a later one: of visage with an empty
cache, of visage with what that left there, of PoCL without its cache. For PoCL that leaves out
its front end, which is in `open`.

Buffers are compared after a launch with those of PoCL; what differs by more than large.def allows
is reported with the results.
"""

import os
import shutil
import statistics
import sys
import tempfile

import oclgrind

METHODS = ("loopvec", "workitemloops")
ICD = "/etc/OpenCL/vendors/pocl.icd"


class Program(oclgrind.Program):
    """One that is told to leave out the quarter, in an environment of its own."""

    def __init__(self, env, *command):
        saved = dict(os.environ)
        os.environ.update(env)
        try:
            self.opened = None
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
        return self.line()


def rows_of(here):
    rows = oclgrind.kernels(here, "large.def")
    wanted = os.environ.get("KERNELS", "").split()
    return [row for row in rows if not wanted or row["kernel"] in wanted]


def start(options, row, folder, zebins, here, cores):
    name = "large/" + row["kernel"]
    source = os.path.join(here, "kernels", row["file"] + ".cl")
    programs, outputs = {}, {}
    for device in oclgrind.DEVICES:
        outputs[device] = os.path.join(folder, f"{row['kernel']}.{device}.jit.out")
        programs[device] = Program({"VISAGE_CACHE_DIR": os.path.join(folder, "cache")},
                                   os.path.join(options.build, "bench_visage"), "--jit",
                                   f"--jobs={cores}", zebins[row["file"], device], name,
                                   outputs[device])
    for method in METHODS:
        outputs[method] = os.path.join(folder, f"{row['kernel']}.{method}.out")
        programs[method] = Program(
            {"OCL_ICD_VENDORS": ICD, "POCL_WORK_GROUP_METHOD": method, "POCL_KERNEL_CACHE": "0",
             "POCL_MAX_PTHREAD_COUNT": str(cores)},
            os.path.join(options.build, "bench_opencl"), source, name, outputs[method])
    return programs, outputs


def median(rounds, run, field):
    return statistics.median(times[run][field] for times in rounds)


def measure_kernel(row, options, here, folder, zebins, cores):
    programs, outputs = start(options, row, folder, zebins, here, cores)
    rounds = [{run: program.round() for run, program in programs.items()}
              for _ in range(options.rounds)]
    runs = {run: {"cpu": median(rounds, run, "whole"), "wall": median(rounds, run, "wall"),
                  "open": program.opened["open"],
                  "compile": program.opened["first"] - median(rounds, run, "whole")}
            for run, program in programs.items()}
    for program in programs.values():
        program.close()
    differences = []
    for device in oclgrind.DEVICES:
        try:
            oclgrind.compare(row, outputs[device], outputs["loopvec"], "PoCL")
        except SystemExit as difference:
            differences.append(str(difference))
    return runs, differences


def best(runs, names):
    return min(names, key=lambda name: runs[name]["cpu"])


def measure(options):
    here = os.path.dirname(os.path.abspath(__file__))
    if not os.path.exists(ICD):
        sys.exit("PoCL is not installed: " + ICD)
    folder = tempfile.mkdtemp(prefix="opencl-", dir=options.build)
    rows = rows_of(here)
    zebins = {(name, device): oclgrind.compile_file(
        os.path.join(here, "kernels", name + ".cl"), device, folder)
        for name in sorted({row["file"] for row in rows}) for device in oclgrind.DEVICES}
    results = []
    for row in rows:
        cold, differences = measure_kernel(row, options, here, folder, zebins, 1)
        warm, _ = measure_kernel(row, options, here, folder, zebins, 2)
        device, method = best(cold, oclgrind.DEVICES), best(cold, METHODS)
        results.append({"kernel": row["kernel"], "one": cold, "two": warm, "device": device,
                        "method": method, "differences": differences,
                        "ratio": cold[method]["cpu"] / cold[device]["cpu"],
                        "scaling": cold[device]["wall"] / warm[device]["wall"]})
        print_row(results[-1], sys.stderr)
    shutil.rmtree(folder)
    return {"kernels": results, "mean": oclgrind.mean(row["ratio"] for row in results)}


def print_row(row, file):
    one, two, device = row["one"], row["two"], row["device"]
    other = next(name for name in oclgrind.DEVICES if name != device)
    print(f"{row['kernel']:14}{device:>5}{one[device]['cpu'] * 1e3:10.3f}"
          f"{one[other]['cpu'] * 1e3:10.3f}{row['method']:>15}"
          f"{one[row['method']]['cpu'] * 1e3:10.3f}{row['ratio']:8.2f}x{row['scaling']:8.2f}"
          f"{one[device]['compile'] * 1e3:9.1f}{two[device]['compile'] * 1e3:8.2f}"
          f"{one[row['method']]['compile'] * 1e3:9.1f}"
          f"{'  DIFFERS' if row['differences'] else ''}", file=file, flush=True)


def show(results):
    print("opencl: ms of processor time a launch on one core; ratio to PoCL's best; speed on two "
          "cores;\nms of processor time to compile, from the cache, and PoCL's without front end")
    print(f"{'kernel':14}{'best':>5}{'visage':>10}{'other':>10}{'method':>15}{'PoCL':>10}"
          f"{'ratio':>9}{'2 cores':>8}{'compile':>9}{'cached':>8}{'PoCL':>9}")
    for row in results["kernels"]:
        print_row(row, sys.stdout)
        for difference in row["differences"]:
            print("    " + difference)
    print(f"geometric mean: {results['mean']:.2f} times less processor time than PoCL")
