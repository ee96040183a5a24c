#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs OpenCL programs that others wrote on visage's driver and prints a table of how they fared.

    scripts/check-clients.py BUILD [--pyopencl=DIR] [--oclgrind=DIR] [--only=NAMES] [--units=N]

clpeak makes 2048 or 512 work-groups for each compute unit of a device and launches each of its 25
kernels of arithmetic 32 times: for the 512 of pvc that is hours on a CPU, and says nothing that
fewer do not. It therefore runs all its parts on devices that report N units (VISAGE_UNITS), which
its row of the table names; with --units=0 on those of the GPU.

clinfo, clpeak, pyopencl and clFFT's client are Debian packages (scripts/setup.sh clients). Two
sets of tests are in no package, only in their projects' sources, and are left out without them:

    git clone -b v2022.3.1 https://github.com/inducer/pyopencl     --pyopencl=pyopencl/test
    git clone https://github.com/jrprice/Oclgrind                  --oclgrind=Oclgrind/tests/kernels

Exits 1 where a program failed, 0 where all passed or were left out.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PASSED, FAILED, SKIPPED = "passed", "failed", "left out"
PYTHON_TESTS = ("test_wrapper", "test_enqueue_copy", "test_arrays_in_structs")
# Lengths of one dimension, of several, factors other than 2, double precision.
TRANSFORMS = (["-x", "64"], ["-x", "1024"], ["-x", "105", "-b", "7"], ["-x", "32", "-y", "48"],
              ["-x", "16", "-y", "8", "-z", "4"], ["-x", "256", "--double"],
              ["-x", "1024", "--inv", "-o"])


class Driver:
    """How to run a program on the driver of a build folder."""

    def __init__(self, options):
        self.build = os.path.abspath(options.build)
        self.timeout = options.timeout

    def run(self, *command, devices=None, folder=None, timeout=None, units=0):
        """Returns the exit status, None where time was up, and the output."""
        environment = {**os.environ, "VISAGE_UNITS": str(units) if units else ""}
        choice = ["--devices", devices] if devices else []
        line = [os.path.join(self.build, "visage"), "exec", *choice, "--", *command]
        try:
            done = subprocess.run(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace",
                                  cwd=folder, env=environment,
                                  timeout=timeout or self.timeout)
        except subprocess.TimeoutExpired as late:
            return None, (late.stdout or b"").decode("utf-8", "replace")
        return done.returncode, done.stdout


def find_python():
    """An interpreter that has pyopencl and pytest; Debian's need not be the first in PATH."""
    for name in dict.fromkeys([sys.executable, "python3", "/usr/bin/python3"]):
        path = shutil.which(name)
        if path and subprocess.run([path, "-c", "import pyopencl, pytest"],
                                   stderr=subprocess.DEVNULL).returncode == 0:
            return path
    return None


# ---- the clients: each yields rows (name, outcome, remark, output) --------------------------

def check_clinfo(driver, _):
    if not shutil.which("clinfo"):
        yield "clinfo", SKIPPED, "Debian: clinfo", ""
        return
    status, text = driver.run("clinfo")
    wrong = re.findall(r": error -\d+|<[a-zA-Z]+:\d+:", text)
    devices = len(re.findall(r"^  Device Name", text, re.M))
    good = status == 0 and not wrong and devices > 0
    yield "clinfo", PASSED if good else FAILED, f"{devices} devices", text


def check_clpeak(driver, options):
    if not shutil.which("clpeak"):
        yield "clpeak", SKIPPED, "Debian: clpeak", ""
        return
    for device in options.devices.split(","):
        status, text = driver.run("clpeak", devices=device, units=options.units,
                                  timeout=(10 if options.units else 100) * driver.timeout)
        # A rate is infinite where what it is of, an unmap, took less than a microsecond.
        figures = re.findall(r"^\s+\S.*?:\s+([\d.]+(?:e[+-]?\d+)?|inf)(?: us)?\s*$", text, re.M)
        # What a GPU does not have is not measured: "No double precision support! Skipped".
        bad = re.search(r"error|fail|Tests skipped", text, re.I)
        good = status == 0 and not bad and figures and all(float(f) > 0 for f in figures)
        units = f"{options.units} units" if options.units else "the GPU's units"
        yield (f"clpeak, {device}", PASSED if good else FAILED, f"{units}, {len(figures)} figures",
               text)


def check_clfft(driver, options):
    if not shutil.which("clFFT-client"):
        yield "clFFT", SKIPPED, "Debian: clfft-client, libclfft2", ""
        return
    for device in options.devices.split(","):
        for words in TRANSFORMS:
            status, text = driver.run("clFFT-client", *words, devices=device)
            good = status == 0 and "*****PASS*****" in text
            yield f"clFFT-client {' '.join(words)}, {device}", PASSED if good else FAILED, "", text


def check_pyopencl(driver, options):
    python = find_python()
    if not python or not options.pyopencl:
        yield ("pyopencl", SKIPPED,
               "needs --pyopencl" if python else "Debian: python3-pyopencl, python3-pytest", "")
        return
    os.environ["PYOPENCL_NO_CACHE"] = "1"
    for test in PYTHON_TESTS:
        status, text = driver.run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                                  test + ".py", folder=options.pyopencl)
        counts = re.findall(r"\d+ (?:passed|failed|skipped|error)", text.strip().split("\n")[-1])
        good = status == 0 and any("passed" in count for count in counts)
        yield f"pyopencl {test}, all devices", PASSED if good else FAILED, ", ".join(counts), text


def check_oclgrind(driver, options):
    python = find_python()
    if not python or not options.oclgrind:
        yield ("Oclgrind's kernels", SKIPPED,
               "needs --oclgrind" if python else "Debian: python3-pyopencl", "")
        return
    host = os.path.join(HERE, "run-sim.py")
    for device in options.devices.split(","):
        passed, failures = 0, ""
        for path in sorted(glob.glob(os.path.join(options.oclgrind, "*", "*.sim"))):
            status, text = driver.run(python, host, path, devices=device)
            passed += status == 0
            if status not in (0, 77):
                failures += f"{path}: {status}\n{text}"
        yield (f"Oclgrind's kernels that check values, {device}",
               PASSED if passed and not failures else FAILED, f"{passed} passed", failures)


CLIENTS = {"clinfo": check_clinfo, "clpeak": check_clpeak, "clfft": check_clfft,
           "pyopencl": check_pyopencl, "oclgrind": check_oclgrind}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build", help="the folder in which visage was built")
    parser.add_argument("--pyopencl", default="", help="the folder of pyopencl's tests")
    parser.add_argument("--oclgrind", default="", help="the folder of Oclgrind's kernels")
    parser.add_argument("--devices", default="skl,pvc", help="devices that programs are run on")
    parser.add_argument("--only", default=",".join(CLIENTS), help="programs to run, with commas")
    parser.add_argument("--units", type=int, default=4,
                        help="compute units of the devices that clpeak sees; 0: the GPU's")
    parser.add_argument("--timeout", type=float, default=300, help="seconds a program may take")
    options = parser.parse_args()
    names = [name for name in options.only.split(",") if name]
    if not set(names) <= set(CLIENTS):
        parser.error(f"--only takes {', '.join(CLIENTS)}")

    driver, rows = Driver(options), []
    for name in names:
        begin = time.monotonic()
        for client, outcome, remark, text in CLIENTS[name](driver, options):
            rows.append((client, outcome, remark, time.monotonic() - begin))
            begin = time.monotonic()
            if outcome == FAILED:
                print(f"---- {client}\n{text}", flush=True)
    print("| program | outcome | | seconds |\n| --- | --- | --- | --- |")
    for client, outcome, remark, seconds in rows:
        print(f"| {client} | {outcome} | {remark} | {seconds:.1f} |")
    return 1 if any(row[1] == FAILED for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
