# SPDX-License-Identifier: MIT
"""Kernels through the OpenCL driver beside the same kernels by libvisage.

The kernels of large.def, machine code for pvc, one worker thread. A launch is waited for each
time; what counts is the processor time of the whole process around it. Both run what Intel's
compiler makes of the same source. Rounds take turns; the ratio is the median of theirs, and more
than 1.05 misses the aim.
"""

import os
import shutil
import statistics
import sys
import tempfile

import oclgrind
import opencl

DEVICE = "pvc"
AIM = 1.05


def measure_kernel(row, options, here, folder, zebins):
    source = os.path.join(here, "kernels", row["file"] + ".cl")
    name = "large/" + row["kernel"]
    cache = {"VISAGE_CACHE_DIR": os.path.join(folder, "cache")}
    driver = {**cache, "OCL_ICD_VENDORS": os.path.join(options.build, "visage.icd"),
              "VISAGE_DEVICES": DEVICE, "VISAGE_ENGINE": "jit", "VISAGE_JOBS": "1"}
    direct = opencl.Program(cache, os.path.join(options.build, "bench_visage"), "--jit",
                            "--jobs=1", zebins[row["file"]], name,
                            os.path.join(folder, "direct.out"))
    through = opencl.Program(driver, os.path.join(options.build, "bench_opencl"), source, name,
                             os.path.join(folder, "driver.out"))
    for _ in range(max(options.rounds, 7)):
        direct.round()
        through.round()
    direct.close()
    through.close()
    ratios = [other["whole"] / one["whole"]
              for one, other in zip(direct.rounds, through.rounds)]
    return {"kernel": row["kernel"], "direct": direct.result()["cpu"],
            "driver": through.result()["cpu"], "ratio": statistics.median(ratios)}


def measure(options):
    here = os.path.dirname(os.path.abspath(__file__))
    folder = tempfile.mkdtemp(prefix="driver-", dir=options.build)
    rows = [row for row in opencl.rows_of(here, "large") if DEVICE in opencl.devices_of(row)]
    zebins = {name: oclgrind.compile_file(os.path.join(here, "kernels", name + ".cl"), DEVICE,
                                          folder) for name in sorted({r["file"] for r in rows})}
    results = []
    for row in rows:
        results.append(measure_kernel(row, options, here, folder, zebins))
        print_row(results[-1], sys.stderr)
    shutil.rmtree(folder)
    return {"kernels": results, "mean": oclgrind.mean(row["ratio"] for row in results)}


def print_row(row, file):
    print(f"{row['kernel']:14}{row['direct'] * 1e3:10.3f}{row['driver'] * 1e3:10.3f}"
          f"{row['ratio']:8.3f}{'  MISSED' if row['ratio'] > AIM else ''}", file=file, flush=True)


def show(results):
    print("driver: ms of processor time a launch by libvisage and through the OpenCL driver")
    print(f"{'kernel':14}{'libvisage':>10}{'driver':>10}{'ratio':>8}")
    for row in results["kernels"]:
        print_row(row, sys.stdout)
    print(f"geometric mean: {results['mean']:.3f} times the processor time")
