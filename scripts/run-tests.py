#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tests of a build folder and sums them up.

    scripts/run-tests.py BUILD [--label=LABEL] [--filter=REGEX] [--jobs=N]

Runs what CTest knows (unit, api, opencl, slow ...) and then the text tests under tests/text with
lit (label `text`). A CTest program that prints TAP, as every cmocka program here does, counts each
of its test points; any other counts as one. A text test counts as one; those that run kernels
by whatever engine come once more with the JIT, where the build has it, and some once more for
lesser processors.

Prints the output of every failed test and why a test was skipped; the last line is always
`N passed, N failed`, with `, N skipped` where there are any. Exits 1 if a test failed or none ran.
"""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"

# outcome is one of the above; detail is the output of a failure or the reason of a skip.
Result = collections.namedtuple("Result", "name outcome detail")

# What the <skipped> element of CTest's JUnit file says of a test that chose to be skipped. CTest
# puts a test whose program does not exist there too, which must not count as skipped.
CHOSE_TO_SKIP = ("SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION_MATCHED")

TAP_PLAN = re.compile(r"^1\.\.(\d+)\s*$")
TAP_POINT = re.compile(r"^(not )?ok\b\s*\d*\s*(?:- )?(.*)$")
TAP_SKIP = re.compile(r"#\s*skip\b\s*", re.IGNORECASE)


def tap_results(name, output, failure):
    """The results of one program; None if its output is not TAP.

    failure is what CTest says of the program's end, empty if it was good. Several plans add up: a
    cmocka program prints one a group, and `not ok` before `# SKIP`."""
    planned = 0
    results = []
    for line in output.splitlines():
        plan = TAP_PLAN.match(line)
        point = TAP_POINT.match(line)
        if plan:
            planned += int(plan.group(1))
        elif point:
            label = f"{name}: {point.group(2).strip()}"
            if TAP_SKIP.search(label):
                results.append(Result(label, SKIPPED, TAP_SKIP.sub("", label)))
            else:
                results.append(Result(label, FAILED if point.group(1) else PASSED, ""))
    if not planned:
        return None
    for number in range(len(results), planned):
        results.append(Result(f"{name}: test {number + 1} did not run", FAILED, ""))
    if failure and not any(r.outcome == FAILED for r in results):
        results.append(Result(f"{name}: {failure}", FAILED, ""))
    # The program's output belongs to all its failures; the first one shows it.
    for number, result in enumerate(results):
        if result.outcome == FAILED:
            results[number] = result._replace(detail=f"{failure}\n{output}")
            break
    return results


def junit_results(text):
    """The results in CTest's JUnit file."""
    results = []
    for case in xml.etree.ElementTree.fromstring(text).iter("testcase"):
        name = case.get("name")
        output = case.findtext("system-out") or ""
        failure = case.find("failure")
        skipped = case.find("skipped")
        if failure is None and skipped is None and case.get("status") != "run":
            failure = case
        if skipped is not None and skipped.get("message", "").startswith(CHOSE_TO_SKIP):
            reason = output.strip().splitlines()
            results.append(Result(name, SKIPPED, reason[-1] if reason else "no reason given"))
        elif skipped is not None:
            results.append(Result(name, FAILED, skipped.get("message", "") + "\n" + output))
        else:
            why = "" if failure is None else failure.get("message") or "failed"
            points = tap_results(name, output, why)
            if points is None:
                points = [Result(name, FAILED if why else PASSED, f"{why}\n{output}")]
            results += points
    return results


def lit_results(text):
    """The results in lit's JSON file."""
    results = []
    for test in json.loads(text)["tests"]:
        name, code, output = test["name"], test["code"], test.get("output", "")
        if code in ("PASS", "FLAKYPASS"):
            results.append(Result(name, PASSED, ""))
        elif code == "UNSUPPORTED":
            needs = re.search(r"unavailable features: (.*)", output)
            reason = f"needs {needs.group(1)}" if needs else output.strip() or "not supported here"
            results.append(Result(name, SKIPPED, reason))
        elif code == "XFAIL":
            results.append(Result(name, SKIPPED, "known to fail"))
        elif code not in ("EXCLUDED", "SKIPPED"):  # both: not chosen by the filter
            results.append(Result(name, FAILED, f"{code}\n{output}"))
    return results


def run_reporting(name, command, report, read, failed_status, may_be_empty):
    """Runs a test driver that writes a report file; returns the results that `read` finds there,
    with a failure added if the driver itself went wrong.

    failed_status is how it exits when a test failed. may_be_empty: good without a report."""
    if os.path.exists(report):
        os.remove(report)
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace")
    results = []
    if os.path.exists(report):
        with open(report, encoding="utf-8", errors="replace") as file:
            results = read(file.read())
        good = (0, failed_status) if any(r.outcome == FAILED for r in results) else (0,)
    else:
        good = (0,) if may_be_empty else ()
    if done.returncode not in good:
        results.append(Result(f"{name}: exit status {done.returncode}", FAILED, done.stdout))
    return results


def run_ctest(options):
    report = os.path.abspath(os.path.join(options.build, "ctest-results.xml"))
    command = ["ctest", "--test-dir", options.build, "-j", str(options.jobs), "--no-tests=ignore",
               "--output-junit", report, "--test-output-size-passed", "1000000",
               "--test-output-size-failed", "1000000"]
    if options.label:
        command += ["-L", f"^{options.label}$"]
    if options.filter:
        command += ["-R", options.filter]
    return run_reporting("ctest", command, report, junit_results, 8, False)


def levels():
    """The levels that code is made for, least first, and those of them that this processor has."""
    linux = {"sse4.2": "sse4_2", "bmi": "bmi1"}  # what it calls by other names than levels.def
    source = os.path.join(os.path.dirname(__file__), "..", "src", "jit", "levels.def")
    with open(source, encoding="utf-8") as file:
        rows = re.findall(r'^LEVEL\(\w+, "([^"]+)"((?:[^()]|HAS\([^()]*\))*)\)', file.read(), re.M)
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = re.search(r"^flags\s*:(.*)$", file.read(), re.M)
    has = set(flags.group(1).split()) if flags else set()
    needs = {name: {linux.get(word, word) for word in re.findall(r'HAS\("([^"]+)"\)', row)}
             for name, row in rows}
    return list(needs), [name for name in needs if needs[name] <= has]


def run_lit(options, engine="", level="", chosen=" (exec|link)/"):
    """The text tests; with an engine those that run kernels, by it, where the build has it. level:
    of its code."""
    with open(os.path.join(options.build, "CMakeCache.txt"), encoding="utf-8") as file:
        cache = file.read()
    tools = dict(re.findall(r"^VISAGE_(LIT|FILECHECK):FILEPATH=(.*)$", cache, re.M))
    has_jit = re.search(r"^VISAGE_JIT:BOOL=ON$", cache, re.M) and re.search(
        r"^visage_llvm_headers:PATH=/", cache, re.M)
    if engine and not has_jit:
        return []
    if not all(os.path.exists(tools.get(name, "")) for name in ("LIT", "FILECHECK")):
        return [Result("text tests", FAILED, "lit or FileCheck not found (Debian: llvm-19-tools)")]
    report = os.path.abspath(os.path.join(options.build, "lit-results.json"))
    command = [sys.executable, tools["LIT"], "-q", "-v", "-j", str(options.jobs),
               "--allow-empty-runs", "-o", report]
    if engine:
        command += ["-D", f"engine={engine}"]
    if level:
        command += ["-D", f"cpu={level}"]
    chosen = options.filter or (chosen if engine else "")
    if chosen:
        command += ["--filter", chosen]
    command.append(os.path.join(options.build, "tests"))
    return run_reporting("lit", command, report, lit_results, 1, bool(options.filter))


def report(results):
    """Prints failures, reasons of skips and the last line; returns the exit status."""
    for result in results:
        if result.outcome == FAILED:
            print(f"FAILED {result.name}")
            if result.detail.strip():
                print(result.detail.strip() + "\n")
    skips = collections.Counter(r.detail for r in results if r.outcome == SKIPPED)
    for reason, number in sorted(skips.items()):
        print(f"skipped {number}: {reason}")
    if not results:
        print("no test ran")
    count = collections.Counter(r.outcome for r in results)
    last = f"{count[PASSED]} passed, {count[FAILED]} failed"
    if count[SKIPPED]:
        last += f", {count[SKIPPED]} skipped"
    print(last, flush=True)
    return 1 if count[FAILED] or not results else 0


def main():
    parser = argparse.ArgumentParser(description="Runs the tests of a build folder.")
    parser.add_argument("build")
    parser.add_argument("--label", default="")
    parser.add_argument("--filter", default="")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    # What is kept between processes is kept for this run alone.
    os.environ["VISAGE_CACHE_DIR"] = os.path.abspath(os.path.join(options.build, "tests", "cache"))
    shutil.rmtree(os.environ["VISAGE_CACHE_DIR"], ignore_errors=True)
    results = []
    if options.label != "text":
        results += run_ctest(options)
    if options.label in ("", "text"):
        results += run_lit(options) + run_lit(options, "jit")
        known, here = levels()
        for level in here[:-1]:  # the last one is what is made unless told otherwise
            flow = "flow|" if level == here[-2] else ""  # takes long, and hardly goes by the level
            results += run_lit(options, "jit", level, f" exec/({flow}memory|operand|ops)/")
        results += [Result(f"text tests for {level}", SKIPPED, f"this processor has no {level}")
                    for level in known if level not in here]
    sys.exit(report(results))


if __name__ == "__main__":
    main()
