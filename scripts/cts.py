#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the Khronos conformance suite for OpenCL (OpenCL-CTS), built elsewhere, and prints a table.

Each test of each module runs in a process of its own, with a time limit, so that one that crashes
or hangs costs its own result only. What came out is kept in a JSON file, one row a test and
platform; a later run with the same file adds to it, and the table tells of all that is in it.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile

# Modules in the suite's order of its list of tests: program below test_conformance/, arguments.
MODULES = {
    "select": ("select/test_select", []),
    "commonfns": ("commonfns/test_commonfns", []),
    "atomics": ("atomics/test_atomics", []),
    "buffers": ("buffers/test_buffers", []),
    "mem_host_flags": ("mem_host_flags/test_mem_host_flags", []),
    "computeinfo": ("computeinfo/test_computeinfo", []),
    "profiling": ("profiling/test_profiling", []),
    "printf": ("printf/test_printf", []),
    "basic": ("basic/test_basic", []),
    "integer_ops": ("integer_ops/test_integer_ops", []),
    "api": ("api/test_api", []),
    "compiler": ("compiler/test_compiler", []),
    "events": ("events/test_events", []),
    "contractions": ("contractions/test_contractions", []),
    "relationals": ("relationals/test_relationals", []),
    "geometrics": ("geometrics/test_geometrics", []),
    "thread_dimensions": ("thread_dimensions/test_thread_dimensions", []),
    "multiples": ("multiple_device_context/test_multiples", []),
    "vectors": ("vectors/test_vectors", []),
    "half": ("half/test_half", []),
    "conversions": ("conversions/test_conversions", []),
    "math_brute_force": ("math_brute_force/test_bruteforce", []),
    "allocations": ("allocations/test_allocations", ["single"]),
    "device_partition": ("device_partition/test_device_partition", []),
    "c11_atomics": ("c11_atomics/test_c11_atomics", []),
    "SVM": ("SVM/test_svm", []),
    "generic_address_space": ("generic_address_space/test_generic_address_space", []),
    "non_uniform_work_group": ("non_uniform_work_group/test_non_uniform_work_group", []),
    "workgroups": ("workgroups/test_workgroups", []),
    "subgroups": ("subgroups/test_subgroups", []),
    "device_timer": ("device_timer/test_device_timer", []),
    "pipes": ("pipes/test_pipes", []),
    "device_execution": ("device_execution/test_device_execution", []),
    "spirv_new": ("spirv_new/test_spirv_new", []),
    "image_info": ("images/clGetInfo/test_cl_get_info", []),
    "image_methods": ("images/kernel_image_methods/test_kernel_image_methods", []),
    "image_copy": ("images/clCopyImage/test_cl_copy_images", []),
    "image_transfer": ("images/clReadWriteImage/test_cl_read_write_images", []),
    "image_fill": ("images/clFillImage/test_cl_fill_images", []),
    "image_samplerless": ("images/samplerlessReads/test_samplerless_reads", []),
    "image_streams": ("images/kernel_read_write/test_image_streams",
                      ["CL_FILTER_NEAREST"]),
}

# Modules of one test whose programs take each word for something else than its name: conversions
# for a conversion, and passes where it knows none of that name.
NAMELESS = ("conversions",)

OUTCOMES = ("pass", "fail", "skip", "crash", "time")


def test_names(program):
    """The names of the tests that a module's program has."""
    text = subprocess.run([program, "--list"], capture_output=True, text=True,
                          errors="replace").stdout
    return re.findall(r"^\t+([A-Za-z0-9_]+)$", text, re.M)


def run_test(job):
    """Runs one test; returns its name and what came of it."""
    program, arguments, test, environment, options, folder = job
    names = [] if os.path.basename(folder) in NAMELESS else [test]
    with tempfile.TemporaryDirectory() as scratch:
        report = os.path.join(scratch, "report.json")
        environment = dict(environment, CL_CONFORMANCE_RESULTS_FILENAME=report)
        wimpy = [] if options.full else ["--wimpy"]
        with open(os.path.join(folder, test + ".log"), "wb") as log:
            child = subprocess.Popen([program, *wimpy, *names, *arguments],
                                     cwd=os.path.dirname(program),
                                     stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                     env=environment, start_new_session=True)
            try:
                child.wait(timeout=options.timeout)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
                return test, "time"
        if not os.path.exists(report):
            return test, "crash"
        with open(report, encoding="utf-8", errors="replace") as file:
            outcomes = set(re.findall(r'": "(pass|fail|skip)"', file.read()))
        if child.returncode != 0 or "fail" in outcomes:
            return test, "fail" if outcomes else "crash"
        return test, "skip" if outcomes == {"skip"} else "pass"


def save(options, results):
    with open(options.results, "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1)


def run_module(options, platform, module, results):
    path, arguments = MODULES[module]
    program = os.path.abspath(os.path.join(options.suite, "test_conformance", path))
    if not os.path.exists(program):
        print(f"{module}: not built", file=sys.stderr)
        return
    name, icd, device = platform
    environment = dict(os.environ, OCL_ICD_VENDORS=icd, OCL_ICD_FILENAMES=icd)
    if device:
        environment["VISAGE_DEVICES"] = device
    folder = os.path.join(options.logs, name, module)
    os.makedirs(folder, exist_ok=True)
    kept = results.setdefault(module, {}).setdefault(name, {})
    tests = [t for t in test_names(program) if re.search(options.filter, t) and not
             (options.resume and kept.get(t) in ("pass", "skip"))]
    arguments = arguments + shlex.split(options.more)
    jobs = [(program, arguments, t, environment, options, folder) for t in tests]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for test, outcome in pool.map(run_test, jobs):
            kept[test] = outcome
            save(options, results)
            if outcome not in ("pass", "skip"):
                print(f"{name} {module} {test}: {outcome}", flush=True)


def cell(outcomes):
    """One platform's results of one module: tests passed of those that apply, and what ran out
    of time."""
    counts = {o: sum(1 for x in outcomes.values() if x == o) for o in OUTCOMES}
    applicable = sum(counts.values()) - counts["skip"]
    if not applicable:
        return "does not apply"
    late = f", {counts['time']} out of time" if counts["time"] else ""
    return f"{counts['pass']} of {applicable}{late}"


def print_table(results):
    platforms = []
    for by_platform in results.values():
        platforms += [p for p in by_platform if p not in platforms]
    print("| module | " + " | ".join(platforms) + " |")
    print("| --- |" + " --- |" * len(platforms))
    for module in [m for m in MODULES if m in results]:
        cells = [cell(results[module].get(p, {})) if p in results[module] else "not run"
                 for p in platforms]
        print(f"| {module} | " + " | ".join(cells) + " |")
    for module in [m for m in MODULES if m in results]:
        for platform, outcomes in results[module].items():
            bad = [f"{t} ({o})" for t, o in outcomes.items() if o not in ("pass", "skip")]
            if bad:
                print(f"{module}, {platform}: " + ", ".join(bad))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("suite", help="the folder in which the suite was built")
    parser.add_argument("--visage", default="build", help="the folder in which visage was built")
    parser.add_argument("--devices", default="pvc,dg2", help="visage's devices to run on")
    parser.add_argument("--other", action="append", default=[], metavar="NAME=ICD",
                        help="another platform to run on, such as pocl=/etc/OpenCL/vendors/pocl.icd")
    parser.add_argument("--modules", default=",".join(MODULES), help="modules to run, with commas")
    parser.add_argument("--filter", default="", help="runs tests whose names match this only")
    parser.add_argument("--resume", action="store_true",
                        help="without the tests that the file of results says have passed")
    parser.add_argument("--timeout", type=float, default=120, help="seconds a test may take")
    parser.add_argument("--jobs", type=int, default=1, help="tests at a time")
    parser.add_argument("--full", action="store_true", help="without the suite's reduced mode")
    parser.add_argument("--more", default="", metavar="ARGUMENTS",
                        help="more arguments for the suite's programs: --more=-1, scalars only")
    parser.add_argument("--results", default="cts-results.json", help="the file of results")
    parser.add_argument("--logs", default="cts-logs", help="where what the tests say is kept")
    options = parser.parse_args()

    icd = os.path.abspath(os.path.join(options.visage, "visage.icd"))
    platforms = [(d, icd, d) for d in options.devices.split(",") if d]
    platforms += [(*other.split("=", 1), None) for other in options.other]
    results = {}
    if os.path.exists(options.results):
        with open(options.results, encoding="utf-8") as file:
            results = json.load(file)
    for module in [m for m in options.modules.split(",") if m]:
        for platform in platforms:
            run_module(options, platform, module, results)
    print_table(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
