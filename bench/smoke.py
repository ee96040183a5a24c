#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs `run.py BUILD opencl images others` over a kernel of each: is everything started and compared, and
do table, JSON and plot come out? What was measured is not judged. Exits 77 where Intel's compiler
or PoCL is missing.

    bench/smoke.py BUILD
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import goals
import opencl

HERE = os.path.dirname(os.path.abspath(__file__))
KERNEL = "reduce"
ON_IMAGES = "number_rf"
OTHER = "floyd_tile"


def figure(**more):
    """A row of results in which all goals are reached, but for what is told."""
    return {"kernel": "k", "ratio": 10, "native_ratio": 1, "wall_ratio": 10, "native_wall_ratio": 1,
            "scaling": 2, "compile": 0.01, "cached": 0.001, "pocl_compile": 0.1, "resident": 2**20,
            "bandwidth": None, "triad": None, "checks": 0.1, "small": None, "device": "pvc",
            "runs": {"pvc": {"cpu": 1e-6}}, **more}


def missed(*rows):
    results = {"cores": 2, "stream": None, "kernels": list(rows)}
    return {entry["goal"] for entry in goals.judge(results) if not entry["reached"]}


def check_goals():
    """Each goal is missed by what misses it, and by nothing else."""
    good = [figure(kernel=name) for name in ("tiny", "sgemm_tiled", "reduce", "scan")]
    good.append(figure(kernel="triad", bandwidth=1e10, triad=1e10))
    assert not missed(*good), missed(*good)
    for field, value, count in (("ratio", 0.9, 2), ("native_ratio", 0.3, 1), ("scaling", 1.5, 1),
                                ("compile", 0.2, 1), ("cached", 0.006, 1),
                                ("resident", 151 * 2**20, 1), ("checks", 0.3, 0),
                                ("triad", 1.2e10, 1)):
        changed = "triad" if field == "triad" else "scan"
        rows = [row if row["kernel"] != changed else {**row, field: value} for row in good]
        assert len(missed(*rows)) == count, (field, missed(*rows))
    slow = {**good[0], "runs": {"pvc": {"cpu": 3e-6}}}
    assert len(missed(slow, *good[1:])) == 1
    # Of the three kernels that goals name, of two goals about memory, and of scaling.
    assert len(missed(*good[:1])) == 6, missed(*good[:1])


def check_run(build):
    with tempfile.TemporaryDirectory() as folder:
        results, drawing = (os.path.join(folder, name) for name in ("o.json", "o.svg"))
        table = subprocess.run(
            [sys.executable, os.path.join(HERE, "run.py"), build, "opencl", "images",
             "others", "--rounds=1", "--json=" + results, "--plot=" + drawing],
            env={**os.environ, "KERNELS": f"{KERNEL} {ON_IMAGES} {OTHER}"}, stdout=subprocess.PIPE,
            text=True, check=True).stdout
        with open(results, encoding="utf-8") as file:
            written = json.load(file)
        drawn = xml.etree.ElementTree.parse(drawing)
    measured, images = written["opencl"], written["images"]["kernels"]
    others = written["others"]["kernels"]
    rows = measured["kernels"]
    assert [row["kernel"] for row in rows] == [KERNEL], rows
    assert rows[0]["differences"] == [], rows[0]["differences"]
    assert {"dg2", "pvc", "dg2/1", "pvc/1", *opencl.METHODS} <= set(rows[0]["runs"]), rows[0]
    assert all(run["cpu"] > 0 and run["wall"] > 0 for run in rows[0]["runs"].values()), rows[0]
    assert f"\n{KERNEL} " in table, table
    assert any(line.startswith(f"| {KERNEL} |") for line in goals.markdown(measured))
    assert [row["kernel"] for row in images] == [ON_IMAGES], images
    assert images[0]["differences"] == [] and images[0]["ratio"] > 0, images
    assert f"\n{ON_IMAGES} " in table, table
    assert [row["kernel"] for row in others] == [OTHER], others
    assert others[0]["differences"] == [] and min(others[0]["ratios"].values()) > 0, others
    assert f"\n{OTHER} " in table, table
    assert KERNEL in [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]


def main():
    check_goals()
    if not shutil.which("ocloc") or not os.path.exists(opencl.ICD):
        print("no ocloc or no PoCL")
        sys.exit(77)
    check_run(sys.argv[1])


if __name__ == "__main__":
    main()
