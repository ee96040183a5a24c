#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests `visage exec`, VISAGE_DEVICES and VISAGE_TRACE with a program that lists devices.

    test_exec.py VISAGE LIST_DEVICES FORKING_TEST"""

import fcntl
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ORDER = ["Skylake", "DG2", "Tiger Lake", "Ice Lake", "PVC"]
failures = 0
number = 0


def check(condition, what):
    global failures, number
    number += 1
    failures += not condition
    print(f"{'ok' if condition else 'not ok'} {number} - {what}")


def run(*command, **environment):
    """Status, standard output, standard error."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("VISAGE_", "OCL_ICD"))}
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**env, **environment}, check=False)
    return done.returncode, done.stdout, done.stderr


def words(output):
    """The words by which the devices listed are known, in their order."""
    lines = [line for line in output.splitlines() if line.startswith("device ")]
    return [word for line in lines for word in ORDER if word in line]


def events(path):
    """The spans of a trace."""
    with open(path, encoding="utf-8") as file:
        return [e for e in json.load(file) if e["ph"] == "X"]


def test_exec(visage, program):
    status, out, _ = run(visage, "exec", "--", program)
    check(status == 0 and out.count("platform ") == 1 and "platform visage" in out,
          "one platform is seen")
    check(words(out) == ORDER, "with all its devices")
    _, out, _ = run(visage, "exec", "--", "sh", "-c", "echo $OCL_ICD_FILENAMES; test -r $OCL_ICD_VENDORS")
    check(os.path.basename(out.strip()) == "libvisage-opencl.so" and os.path.exists(out.strip()),
          "loaders that want the driver's own name are told it")
    status, out, _ = run(visage, "exec", program, "--devices", "x")
    check(status == 7 and "argument --devices\nargument x\n" in out,
          "options behind the program are the program's, the status, too")
    _, out, _ = run(visage, "exec", "--devices", "pvc,skl", "--", program)
    check(words(out) == ["PVC", "Skylake"], "devices are chosen and ordered")
    _, out, _ = run(visage, "exec", program, VISAGE_DEVICES="gen12lp, DG2,dg2")
    check(words(out) == ["Tiger Lake", "DG2"], "by their aliases, too, and each once")
    _, out, err = run(visage, "exec", "-d", "i740,dg2", program)
    check(words(out) == ["DG2"] and '"i740"' in err and "tgllp" in err,
          "a device that there is not is told")
    status, _, err = run(visage, "exec", "--", "/no/such/program")
    check(status == 2 and "/no/such/program" in err, "a program that there is not")
    check(run(visage, "exec")[0] == 2, "no program")


def test_units(visage, program):
    _, out, _ = run(visage, "exec", "-d", "skl,pvc", program)
    check(re.findall(r"units (.*)", out) == ["24 1x3x8", "512 1x64x8"], "units are the GPU's")
    for units in "1x1x1", "2x1x2", "12x3x4", "16x2x8", "7x7x1":
        total, slices, each = units.split("x")
        _, out, err = run(visage, "exec", "-d", "skl,pvc", program, VISAGE_UNITS=total)
        check(re.findall(r"units (.*)", out) == [f"{total} 1x{slices}x{each}"] * 2 and not err,
              f"or VISAGE_UNITS={total}")


def test_unknown_words(visage, program):
    odd = {"VISAGE_ENGINE": "fast", "VISAGE_CHECK": "yes", "VISAGE_FP64": "2",
           "VISAGE_JOBS": "12x", "VISAGE_UNITS": "-1",
           "VISAGE_COMPILER_TIMEOUT": "0", "VISAGE_COMPILER_MEMORY": "-1", "VISAGE_CACHE": "no",
           "VISAGE_OCLOC": "/no/such/file"}
    status, out, err = run(visage, "exec", program, **odd)
    check(status == 0 and words(out) == ORDER, "variables with unknown words are as if not set")
    for name, word in odd.items():
        check(err.count(f"visage: {name}: ") == 1 and f'"{word}"' in err, f"{name} is told once")
    _, _, err = run(visage, "exec", program, VISAGE_ENGINE="interp", VISAGE_CHECK="0",
                    VISAGE_FP64="", VISAGE_JOBS="1024", VISAGE_UNITS="4096",
                    VISAGE_COMPILER_TIMEOUT="1",
                    VISAGE_CACHE="1")
    check(err == "", "known ones are not")


def test_trace(visage, program, forking):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        run(visage, "exec", "--trace", path, "--", program)
        spans = events(path)
        names = {e["name"] for e in spans}
        check({"clGetDeviceIDs", "clGetDeviceInfo"} <= names, "calls are traced")
        check(all(e["dur"] >= 0 and e["ts"] > 0 and e["cat"] == "api" for e in spans),
              "with their times")
        with open(path, "r+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            before = file.read()
            run(visage, "exec", "--trace", path, "--", program)
            file.seek(0)
            others = glob.glob(path + ".*")
            check(file.read() == before and len(others) == 1 and events(others[0]),
                  "the file of another process is left to it")
        os.unlink(others[0])
        os.unlink(path)
        status, _, _ = run(visage, "exec", "--trace", path, "--", forking)
        if status == 77:
            return
        spans = events(path)
        check(status == 0 and any(e["cat"] == "transfer" for e in spans),
              "transfers are traced")
        children = glob.glob(path + ".*")
        check(len(children) == 8 and all(events(c) for c in children),
              "each child of a fork has a trace of its own")


def main():
    visage, program, forking = sys.argv[1:4]
    test_exec(visage, program)
    test_units(visage, program)
    test_unknown_words(visage, program)
    test_trace(visage, program, forking)
    print(f"1..{number}")
    sys.exit(1 if failures else 0)


main()
