# SPDX-License-Identifier: MIT
"""The text tests: each file under tests/text with RUN: lines in its comments is one test.

Substitutions, besides lit's own (%s this file, %S its folder, %t a scratch name):

    %visage           the tool, stopped after five minutes
    %runs             many runs of it in one process (tests/harness/visage-runs.c), after half an hour
    %examples         the folder of samples
    %python           Python, as it runs the tests
    %status N CMD     runs CMD and fails unless it exits with status N
    FileCheck         compares stdin with the CHECK: lines of a file; also not, split-file

With -D engine=jit all runs are that engine's, with -D cpu=avx2 its code is for that level; then
only tests with a run that does not choose for itself are there.

Features for REQUIRES: and UNSUPPORTED: jit, ocloc, pocl, sanitizer. Files that tests read, and
that are no tests themselves, lie in folders called `inputs`.
"""

import glob
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.dirname(__file__))
import lit_format

engine = lit_config.params.get("engine")
level = lit_config.params.get("cpu")

config.name = "visage"
config.test_format = lit_format.TextTest(engine, level)
config.suffixes = [".test", ".visaasm", ".cl"]
config.excludes = ["inputs"]
config.test_source_root = os.path.join(config.visage_source, "tests", "text")
config.test_exec_root = os.path.join(config.visage_build, "tests", "text")

# Killed outright, so that `not` sees a signal and no ordinary failure.
visage = f"timeout -s KILL 300 {config.visage_build}/visage"
status = os.path.join(config.visage_source, "tests", "expect-status.sh")
if engine:
    options = f"--engine {engine}" + (f" --cpu {level}" if level else "")
    config.substitutions.append((r"%visage run\b", f"{visage} run {options}"))
config.substitutions += [
    (r"%visage\b", visage),
    (r"%runs\b", f"timeout -s KILL 1800 {config.visage_build}/tests/harness/visage-runs"),
    (r"%examples\b", os.path.join(config.visage_source, "examples")),
    (r"%status\b", f"sh {status}"),
    (r"%FileCheck\b", "FileCheck"),
    (r"%python\b", sys.executable),
]

if shutil.which("ocloc"):
    config.available_features.add("ocloc")
if glob.glob("/etc/OpenCL/vendors/pocl*.icd"):
    config.available_features.add("pocl")
if config.visage_jit:
    config.available_features.add("jit")
with open(os.path.join(os.path.dirname(__file__), "../src/jit/levels.def")) as levels, \
        open("/proc/cpuinfo") as cpuinfo:
    if set(re.findall(r'HAS\("(avx512\w+)"\)', levels.read())) <= set(cpuinfo.read().split()):
        config.available_features.add("avx512")
if config.visage_sanitize:
    config.available_features.add("sanitizer")

config.environment["PATH"] = os.pathsep.join(
    [config.visage_filecheck_folder, config.environment["PATH"]])
# Whatever a program caches stays in the build folder.
config.environment["HOME"] = config.test_exec_root
config.environment["VISAGE_CACHE_DIR"] = os.path.join(config.visage_build, "tests", "cache")
if "VISAGE_COVERAGE_LOG" in os.environ:
    config.environment["VISAGE_COVERAGE_LOG"] = os.environ["VISAGE_COVERAGE_LOG"]
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
